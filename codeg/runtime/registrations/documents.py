"""One door to both kinds of text that host programs keep: read a value, put our entry, take it out.

Pure. Every change is checked by reading the result: it says what the text said before, plus or minus the entry.
"""

import copy
import itertools
import json
from collections.abc import Sequence
from typing import Any, Literal

from codeg.runtime.registrations import json_text, toml_text
from codeg.runtime.registrations.json_layout import BrokenText, Dialect, Source
from codeg.runtime.registrations.json_text import Element, Path
from codeg.sessions.reading import mapping, sequence

Form = Literal["json", "json with comments", "jsonc", "toml"]
_DIALECTS = {
    "json": Dialect(),
    "json with comments": Dialect(comments=True),
    "jsonc": Dialect(comments=True, trailing_commas=True),
}


def value_at(text: str, form: Form, path: Path) -> Any:
    """What stands at `path`; None = nothing.

    Raises:
        BrokenText: the text is not of this form.
    """
    at: Any = _read(text, form)
    for step in path:
        if isinstance(step, Element):
            at = step.value if step.value in sequence(at) else None
        else:
            at = mapping(at).get(step)
    return at


def with_entry(text: str, form: Form, path: Path, value: Any) -> str:
    """The text with `value` at `path`; of an entry that is there only what differs is written, comments in it stay.

    Raises:
        BrokenText: the text is not of this form, or something else stands where the entry belongs.
    """
    if form == "toml":
        return toml_text.put(text, _names(path), mapping(value))
    made = _put(text, _DIALECTS[form], path, value, value_at(text, form, path))
    return _checked(made, form, path, _changed(_read(text, form), path, value))


def _put(text: str, dialect: Dialect, path: Path, value: Any, there: Any) -> str:
    wanted, held = mapping(value), mapping(there)
    if not wanted or not held:
        return json_text.put(text, path, value, dialect)
    for name in held.keys() - wanted.keys():
        text = json_text.take(text, (*path, name), dialect)
    for name, each in wanted.items():
        if name not in held or json.dumps(held[name]) != json.dumps(each):
            text = json_text.put(text, (*path, name), each, dialect)
    return text


def without_entry(text: str, form: Form, path: Path) -> str:
    """The text without what stands at `path`.

    Raises:
        BrokenText: as `with_entry`.
    """
    if form == "toml":
        return toml_text.take(text, _names(path))
    made = json_text.take(text, path, _DIALECTS[form])
    return _checked(made, form, path, _changed(_read(text, form), path, None))


def snippet(form: Form, path: Path, value: Any) -> str:
    """The entry alone, as a person would write it into an empty file."""
    return with_entry("", form, path, value)


def _names(path: Path) -> Sequence[str]:
    return [step for step in path if isinstance(step, str)]


def _read(text: str, form: Form) -> Any:
    return toml_text.parse(text) if form == "toml" else Source(text, _DIALECTS[form]).value


def _changed(data: Any, path: Path, value: Any) -> Any:
    """What the text is to say. `value` None = the entry is gone."""
    data = copy.deepcopy(data)
    at: Any = data
    for step, following in itertools.pairwise(path):
        if not isinstance(step, str):
            continue
        if step not in mapping(at):
            if value is None:
                return data
            at[step] = [] if isinstance(following, Element) else {}
        at = at[step]
    last = path[-1]
    if isinstance(last, Element):
        there = last.value in sequence(at)
        if value is not None and not there:
            at.append(value)
        elif value is None and there:
            at.remove(last.value)
    elif value is not None:
        at[last] = value
    else:
        mapping(at).pop(last, None)
    return data


def _checked(made: str, form: Form, path: Path, wanted: Any) -> str:
    said, meant = (json.dumps(_plain(data, path), sort_keys=True) for data in (_read(made, form), wanted))
    if said != meant:
        raise BrokenText(1, "it has a form that cannot be changed here")
    return made


def _plain(data: Any, path: Path) -> Any:
    """The data without containers on the path that hold nothing: those may come and go with the entry."""
    step = path[0]
    data = mapping(data)
    if len(path) < 2 or not isinstance(step, str) or step not in data:
        return data
    below = data[step] if isinstance(path[1], Element) else _plain(data[step], path[1:])
    return {name: below if name == step else held for name, held in data.items() if name != step or below}
