"""Which entries a host program's files hold of us, under whatever name, and which foreign one has our name.

Owns the look into the files; never changes one. A person may have written an entry by hand, or by the program's own
command, so ours are known by what they start, not by their name.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codeg.runtime.injection import SERVER_NAME
from codeg.runtime.registrations import documents, entries
from codeg.runtime.registrations.documents import Form
from codeg.runtime.registrations.entries import Registered
from codeg.runtime.registrations.files import Held, broken, hold
from codeg.runtime.registrations.json_layout import BrokenText
from codeg.runtime.registrations.json_text import Path
from codeg.runtime.registrations.programs import SCOPES, Place, Program, Scope
from codeg.runtime.services import UserError
from codeg.sessions.reading import mapping


@dataclass(frozen=True, slots=True)
class Standing:
    """One entry. `path`: where it stands in `file`; `folder`: the one it counts in alone, though in the user's file."""

    scope: Scope
    file: str
    path: tuple[str, ...]
    entry: Registered
    folder: str = ""

    @property
    def name(self) -> str:
        """What the server is called there."""
        return self.path[-1]

    @property
    def usual(self) -> bool:
        """It stands where `codeg mcp add` writes it."""
        return self.name == SERVER_NAME and not self.folder

    @property
    def where(self) -> str:
        """The file, and what there is to know of the place in it."""
        named = "" if self.name == SERVER_NAME else f" as {self.name}"
        return f"{self.file}{named}{f' (for {self.folder} alone)' if self.folder else ''}"


def taken_as_read(path: str, program: Program) -> Held:
    """The file as it is now.

    Raises:
        UserError: it cannot be read, or its program would refuse it for its first bytes.
    """
    held = hold(path)
    if program.no_mark and held.marked:
        reason = f"it begins with a byte order mark, which {program.label} does not read"
        raise broken(path, BrokenText(1, reason))
    return held


def value_in(held: Held, form: Form, path: Path) -> Any:
    """What stands at `path`; None = nothing.

    Raises:
        UserError: the file is broken.
    """
    try:
        return documents.value_at(held.text, form, path)
    except BrokenText as fault:
        raise broken(held.path, fault) from fault


def standings(program: Program, scope: Scope, place: Place) -> tuple[Standing, ...]:
    """Every entry of ours, and a foreign one of our name, in the order in which the files are looked at.

    Raises:
        UserError: a file on the way cannot be read or is broken.
    """
    found: list[Standing] = []
    for path in program.files(scope, place):
        held = taken_as_read(path, program)
        found += _in_table(program, scope, held, program.path[:-1])
        if scope == "user" and program.folders:
            folder = _project(place.folder)
            inner = (program.folders, folder, *program.path[:-1])
            found += _in_table(program, scope, held, inner, folder)
    return tuple(found)


def everywhere(program: Program, place: Place) -> tuple[tuple[Standing, ...], tuple[UserError, ...]]:
    """Entries of both scopes, the user's first, and what is wrong with files; a file of both scopes counts once."""
    found: list[Standing] = []
    faults: dict[str, UserError] = {}
    for scope in SCOPES:
        seen = {os.path.realpath(each.file) for each in found}
        try:
            new = standings(program, scope, place)
        except UserError as error:
            faults.setdefault(error.message, error)
        else:
            found += [each for each in new if os.path.realpath(each.file) not in seen]
    return tuple(found), tuple(faults.values())


def _in_table(program: Program, scope: Scope, held: Held, table: Path, folder: str = "") -> Iterator[Standing]:
    names = [step for step in table if isinstance(step, str)]
    for name, value in mapping(value_in(held, program.form, table)).items():
        entry = entries.read(program, value)
        if entry.ours or name == SERVER_NAME:
            yield Standing(scope, held.path, (*names, name), entry, folder)


def _project(folder: str) -> str:
    """What counts as one project (Claude 2.1.332): the root of the repository that the folder lies in, else itself."""
    at = folder
    while not os.path.exists(os.path.join(at, ".git")):
        above = os.path.dirname(at)
        if above == at:
            return folder
        at = above
    return at
