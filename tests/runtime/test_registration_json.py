"""One member of a JSON text changes, every other byte stays."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeg.runtime.registrations.documents import Form, snippet, value_at, with_entry, without_entry
from codeg.runtime.registrations.json_layout import BrokenText
from codeg.runtime.registrations.json_text import Element, Path

ENTRY = {"command": "/p", "args": ["-I"]}
SERVER: Path = ("mcpServers", "codeg")
RULE: Path = ("permissions", "allow", Element("mcp__codeg"))

GOLDEN: dict[str, tuple[Form, str, str]] = {
    "comments, odd spacing, a trailing comma, unicode": (
        "jsonc",
        (
            '// Kopf: "mcpServers": {}\n{\n   "théme" :"dunkel"  , // "codeg": 1\n   "mcpServers":{ // meine\n'
            '      "other" : {"command":"日本"}, /* letzter */\n   },\n}\n// Ende'
        ),
        (
            '// Kopf: "mcpServers": {}\n{\n   "théme" :"dunkel"  , // "codeg": 1\n   "mcpServers":{ // meine\n'
            '      "other" : {"command":"日本"}, /* letzter */\n      "codeg": {\n         "command": "/p",\n'
            '         "args": [\n            "-I"\n         ]\n      },\n   },\n}\n// Ende'
        ),
    ),
    "a comment behind the last member stays with it": (
        "json with comments",
        '{\n  "mcpServers": {\n    "a": {} // about a\n  }\n}\n',
        (
            '{\n  "mcpServers": {\n    "a": {}, // about a\n    "codeg": {\n      "command": "/p",\n      "args": [\n'
            '        "-I"\n      ]\n    }\n  }\n}\n'
        ),
    ),
    "CR LF and tabs": (
        "json",
        '{\r\n\t"a": 1\r\n}\r\n',
        (
            '{\r\n\t"a": 1,\r\n\t"mcpServers": {\r\n\t\t"codeg": {\r\n\t\t\t"command": "/p",\r\n\t\t\t"args": [\r\n'
            '\t\t\t\t"-I"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n'
        ),
    ),
    "look-alikes below": (
        "json",
        '{"projects": {"/x": {"mcpServers": {"codeg": {"command": "theirs"}}}}, "s": "\\"mcpServers\\": {"}',
        (
            '{"projects": {"/x": {"mcpServers": {"codeg": {"command": "theirs"}}}}, "s": "\\"mcpServers\\": {",'
            ' "mcpServers": { "codeg": {"command": "/p", "args": ["-I"]} }}'
        ),
    ),
    "an empty object on the way": (
        "json",
        '{\n  "mcpServers": {}\n}',
        '{\n  "mcpServers": {"codeg": {\n    "command": "/p",\n    "args": [\n      "-I"\n    ]\n  }}\n}',
    ),
    "an object with nothing but a comment": (
        "jsonc",
        '{\n  "mcpServers": { // none yet\n  }\n}\n',
        (
            '{\n  "mcpServers": { // none yet\n    "codeg": {\n      "command": "/p",\n      "args": [\n        "-I"\n'
            "      ]\n    }\n  }\n}\n"
        ),
    ),
    "an empty object alone": (
        "json",
        "{}",
        (
            '{\n  "mcpServers": {\n    "codeg": {\n      "command": "/p",\n      "args": [\n        "-I"\n      ]\n'
            "    }\n  }\n}"
        ),
    ),
    "a line comment without a line end before the bracket's line": (
        "jsonc",
        '{"a": 1 // one\n}',
        '{"a": 1, // one\n  "mcpServers": { "codeg": {"command": "/p", "args": ["-I"]} }\n}',
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_an_entry_is_added_as_shown_and_taken_out_byte_for_byte(name: str) -> None:
    form, before, after = GOLDEN[name]
    assert with_entry(before, form, SERVER, ENTRY) == after
    assert without_entry(after, form, SERVER) == before


@pytest.mark.parametrize("name", GOLDEN)
def test_an_entry_is_replaced_in_its_place(name: str) -> None:
    form, _, after = GOLDEN[name]
    changed = with_entry(after, form, SERVER, {"command": "/q", "args": ["-I"]})
    assert changed == after.replace('"/p"', '"/q"')
    assert with_entry(changed, form, SERVER, ENTRY) == after


def test_of_an_entry_that_is_there_only_what_differs_is_written() -> None:
    text = (
        '{ "mcpServers": {\n  "codeg": { // mine\n    "args": ["-I"],   // why\n    "command":"/p" /* here */,\n'
        '    "off": true, // gone\n    "env": {"A":  "b"} }\n} }\n'
    )
    new = {"command": "/q", "args": ["-I"], "env": {"A": "b"}, "timeout": 5}
    assert with_entry(text, "jsonc", SERVER, new) == (
        '{ "mcpServers": {\n  "codeg": { // mine\n    "args": ["-I"],   // why\n    "command":"/q" /* here */, // gone\n'
        '    "env": {"A":  "b"},\n    "timeout": 5 }\n} }\n'
    )
    assert with_entry(text, "jsonc", SERVER, value_at(text, "jsonc", SERVER)) == text


def test_a_file_that_is_absent_is_made_and_left_as_an_empty_object() -> None:
    made = snippet("json", SERVER, ENTRY)
    assert made == json.dumps({"mcpServers": {"codeg": ENTRY}}, indent=2) + "\n"
    assert without_entry(made, "json", SERVER) == "{}\n"


def test_an_entry_between_others_leaves_with_its_own_comma() -> None:
    text = '{\n  "mcpServers": {\n    "a": 1,\n    "codeg": {}, // mine\n    "b": 2\n  }\n}\n'
    assert without_entry(text, "jsonc", SERVER) == '{\n  "mcpServers": {\n    "a": 1, // mine\n    "b": 2\n  }\n}\n'


def test_what_stands_behind_an_entry_never_falls_into_a_comment() -> None:
    text = '{"mcpServers": {"a": 1, // x\n  "codeg": {} }}'
    assert without_entry(text, "jsonc", SERVER) == '{"mcpServers": {"a": 1 // x\n }}'


def test_an_element_of_an_array_is_added_once_and_taken_out() -> None:
    before = '{\n  "permissions": {\n    "allow": ["Bash(ls:*)", "Read"]\n  }\n}\n'
    after = with_entry(before, "json", RULE, "mcp__codeg")
    assert after == '{\n  "permissions": {\n    "allow": ["Bash(ls:*)", "Read", "mcp__codeg"]\n  }\n}\n'
    assert with_entry(after, "json", RULE, "mcp__codeg") == after
    assert without_entry(after, "json", RULE) == before


@pytest.mark.parametrize(
    ("form", "text", "line", "reason"),
    [
        ("json", '{\n  "a": 1,\n}', 3, "expecting property name"),
        ("json", '{\n // c\n "a": 1}', 2, "expecting property name"),
        ("json with comments", '{\n  "a": 1,\n}', 3, "expecting property name"),
        ("jsonc", '{"a": 1\n/* no end }', 2, "a comment has no end"),
        ("jsonc", "{,}", 1, "expecting property name"),
        ("json", '{"a": NaN}', 1, "NaN is no value"),
        ("json", "{'a': 1}", 1, "expecting property name"),
        ("json", "[1]", 1, "the file must hold an object"),
        ("json", '{\n"mcpServers": []}', 2, "mcpServers must be an object"),
        ("json", '{"mcpServers": {},\n "mcpServers": {}}', 2, "mcpServers stands twice"),
        ("json", '{"mcpServers": {"codeg": 1,\n "codeg": 2}}', 2, "codeg stands twice"),
        ("json", '{"a": ' + "[" * 100_000, 1, "nested too deeply"),
    ],
)
def test_a_text_that_its_program_would_refuse_is_named_with_line_and_reason(
    form: Form, text: str, line: int, reason: str
) -> None:
    with pytest.raises(BrokenText) as raised:
        with_entry(text, form, SERVER, ENTRY)
    assert raised.value.line == line
    assert reason in raised.value.reason


# ---- any document

NEWLINES = st.sampled_from(["\n", "\r\n"])
KEYS = st.sampled_from(["a", "é", "codegx", "mcpServers", "permissions", "allow", 'q"', "//", "/*"])
TEXTS = st.sampled_from(["x", "日本", "// no", "/* no */", ",}", '"', "\\", "mcp__codeg x"])


@st.composite
def blanks(draw: st.DrawFn, form: Form) -> str:
    plain = ["", "", " ", "\t", "\n", "\r\n", "\n  ", "  \n\n\t"]
    comments = ["/* x */", '/* "codeg": { */ ', "/* a\n b */", "// line\n", '// "codeg": 1,}\r\n', "/**/"]
    choice = st.sampled_from(plain if form == "json" else plain + comments)
    return draw(choice) + draw(choice)


@st.composite
def documents(draw: st.DrawFn, form: Form, depth: int, key: str | None = "") -> str:
    """Text of any value; under a key that our paths go through, of the kind that belongs there."""
    if key is not None and (
        depth <= 0 or (key not in {"", "mcpServers", "permissions", "allow"} and draw(st.booleans()))
    ):
        return draw(st.sampled_from(["1", "-1.5e3", "true", "null", "[]", "{}"]) | TEXTS.map(json.dumps))
    is_object = key != "allow" and (key in {"", "mcpServers", "permissions"} or draw(st.booleans()))
    pieces: list[str] = []
    for name in draw(st.lists(KEYS, max_size=3, unique=True)):
        head = json.dumps(name, ensure_ascii=False) + draw(blanks(form)) + ":" + draw(blanks(form)) if is_object else ""
        body = draw(documents(form, depth - 1, name if is_object else "other"))
        pieces.append(draw(blanks(form)) + head + body + draw(blanks(form)))
    inner = ",".join(pieces) or draw(blanks(form))
    if form == "jsonc" and pieces and draw(st.booleans()):
        inner += "," + draw(blanks(form))
    return f"{{{inner}}}" if is_object else f"[{inner}]"


@st.composite
def files(draw: st.DrawFn) -> tuple[Form, str]:
    forms: list[Form] = ["json", "json with comments", "jsonc"]
    form = draw(st.sampled_from(forms))
    return form, draw(blanks(form)) + draw(documents(form, 3)) + draw(blanks(form))


@settings(max_examples=400)
@given(file=files(), which=st.sampled_from([(SERVER, ENTRY), (RULE, "mcp__codeg")]))
def test_adding_and_taking_out_gives_the_same_bytes_for_any_document(
    file: tuple[Form, str], which: tuple[Path, Any]
) -> None:
    form, before = file
    path, value = which
    try:
        after = with_entry(before, form, path, value)
    except BrokenText as fault:
        assert "must be" in fault.reason  # something else stands in the way, rightly refused
        return
    assert value_at(after, form, path) == value
    assert without_entry(after, form, path) == before
    if isinstance(value, dict):
        newer = {**ENTRY, "env": {"KEY": "日本 // }"}, "timeout": 1}
        changed = with_entry(after, form, path, newer)
        assert value_at(changed, form, path) == newer
        assert with_entry(changed, form, path, value) == after
        assert without_entry(changed, form, path) == before


@settings(max_examples=200)
@given(file=files(), name=st.sampled_from(["codeg", "mine", "-x", 'q"', "é"]), folder=st.sampled_from(["/w", "é", "a"]))
def test_an_entry_for_one_folder_alone_leaves_the_same_bytes_too(
    file: tuple[Form, str], name: str, folder: str
) -> None:
    form, before = file
    path = ("projects", folder, "mcpServers", name)
    after = with_entry(before, form, path, ENTRY)
    assert value_at(after, form, path) == ENTRY
    assert without_entry(after, form, path) == before
