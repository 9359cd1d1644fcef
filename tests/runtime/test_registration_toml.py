"""One table of a TOML text changes, every other byte stays."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeg.runtime.registrations import toml_text
from codeg.runtime.registrations.json_layout import BrokenText

PATH = ("mcp_servers", "codeg")
TABLE: dict[str, Any] = {"command": "/p", "args": ["-I", "é"], "required": True, "tool_timeout_sec": 600}
BLOCK = '[mcp_servers.codeg]\ncommand = "/p"\nargs = ["-I", "é"]\nrequired = true\ntool_timeout_sec = 600\n'

TEXTS = {
    "nothing": "",
    "a blank line": "\n",
    "comments and odd spacing": "# top\n\n  model   =  'x'   # why\n\n\n[a . \"b\"]\n\n   k=[1,\n  2, # two\n ]\n# end\n",
    "CR LF": '# top\r\n[mcp_servers.other]\r\ncommand = "日本"\r\n',
    "no line end": "a = 1",
    "a header alone": "[mcp_servers]\n",
    "look-alikes": '[x.mcp_servers.codeg]\nk = 1\n[mcp_servers.codegx]\nk = """\n[mcp_servers.codeg]\n"""\n',
    "dotted": 'mcp_servers.other.command = "x"\n',
    "array of tables": "[[mcp]]\na = '''\n[mcp_servers.codeg]\n'''\n[[mcp]]\nb = {c = [\n{d=1}]}\n",
    "quotes at the end of a text": 'a = """x\\""""\nb = \'\'\'y\'\'\'\'\nc = ""\n',
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_table_is_added_at_the_end_and_taken_out_byte_for_byte(name: str) -> None:
    before = TEXTS[name]
    after = toml_text.put(before, PATH, TABLE)
    assert after.startswith(before)
    assert tomllib.loads(after)["mcp_servers"]["codeg"] == TABLE
    assert toml_text.take(after, PATH) == before


def test_the_added_table_looks_like_one_that_a_person_writes() -> None:
    assert toml_text.put("a = 1\n", PATH, TABLE) == "a = 1\n\n" + BLOCK
    assert toml_text.put("a = 1\r\n", PATH, TABLE) == "a = 1\r\n\r\n" + BLOCK.replace("\n", "\r\n")


def test_a_table_is_replaced_in_its_place_with_its_sub_tables() -> None:
    text = f'a = 1\n\n{BLOCK}\n[mcp_servers.codeg.env]\nX = "1" # one\n\n# about z\n[z]\nk = 1\n'
    changed = toml_text.put(text, PATH, {"command": "/q", "env": {"X": "1", "y z": "2"}})
    block = '[mcp_servers.codeg]\ncommand = "/q"\nenv = { X = "1", "y z" = "2" }\n'
    assert changed == f"a = 1\n\n{block}\n# about z\n[z]\nk = 1\n"
    assert toml_text.take(changed, PATH) == "a = 1\n\n# about z\n[z]\nk = 1\n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_comments_within_a_table_that_is_replaced_stay(newline: str) -> None:
    text = 'a = 1\n\n[mcp_servers.codeg] # mine\n# why\ncommand = "/p" # here\nold = 1\ntool_timeout_sec = 600\n# end\n[z]\n'
    changed = toml_text.put(
        text.replace("\n", newline), PATH, {"command": "/q", "tool_timeout_sec": 600, "args": ["x"]}
    )
    made = text.replace("/p", "/q").replace("old = 1\n", "").replace("600\n", '600\nargs = ["x"]\n')
    assert changed == made.replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "rest"),
    [
        (
            "mcp_servers = { a = {command='x'}, codeg = {command='y'} } # c\n",
            "mcp_servers = { a = {command='x'}  } # c\n",
        ),
        ("[mcp_servers]\ncodeg = {command='y'} # mine\na.b = 1\n", "[mcp_servers]\na.b = 1\n"),
        ("[mcp_servers]\ncodeg.command = 'y'\na.b = 1\n", "[mcp_servers]\na.b = 1\n"),
    ],
)
def test_other_forms_are_changed_where_they_stand(before: str, rest: str) -> None:
    changed = toml_text.put(before, PATH, {"command": "/q", "args": ["-I"]})
    assert tomllib.loads(changed)["mcp_servers"]["codeg"] == {"command": "/q", "args": ["-I"]}
    assert changed.count("#") == before.count("#")
    assert toml_text.take(changed, PATH) == rest


@pytest.mark.parametrize(
    ("text", "line"), [("a = 1\nb = \n", 2), ("a = 1\na = 2\n", 2), ("[x\n", 1), ("mcp_servers = 1\n", 1)]
)
def test_a_broken_text_is_named_with_its_line(text: str, line: int) -> None:
    with pytest.raises(BrokenText) as raised:
        toml_text.put(text, PATH, TABLE)
    assert raised.value.line == line


def test_nothing_is_taken_out_where_nothing_is() -> None:
    assert toml_text.take("[mcp_servers.a]\n", PATH) == "[mcp_servers.a]\n"


STATEMENTS = st.sampled_from(
    [
        "# c [mcp_servers.codeg]",
        "",
        "   ",
        "[t{}]",
        "[ mcp_servers . 'o{}' ]",
        "[[u{}]]",
        'k{} = "[x]\\"#"',
        "k{} = '[y]#'",
        'k{} = """\n[mcp_servers.codeg]\n#"" \\""""',
        "k{} = '''\n[z]\n''''",
        "k{} = [ # c ]\n 1,\n [2], {{a = '['}} ]",
        "k{} = 1979-05-27T07:32:00Z",
        "k{} = inf # é",
    ]
)


@settings(max_examples=200)
@given(lines=st.lists(STATEMENTS, max_size=8), newline=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_adding_and_taking_out_gives_the_same_bytes_for_any_text(lines: list[str], newline: str, ended: bool) -> None:
    text = "\n".join(line.format(number) for number, line in enumerate(lines)) + ("\n" if ended else "")
    before = text.replace("\n", newline)
    after = toml_text.put(before, PATH, TABLE)
    assert tomllib.loads(after)["mcp_servers"]["codeg"] == TABLE
    assert toml_text.take(after, PATH) == before


FORMS = st.sampled_from(
    [
        "[mcp_servers.codeg]\ncommand = 'x' # mine\nargs = [ # [a]\n 1 ]\n",
        "[ mcp_servers . \"codeg\" ]\ncommand = 'x'\n\n[mcp_servers.codeg.env]\nA = '1'\n",
        "[mcp_servers.codeg.env]\nA = '1'\n[mcp_servers.codeg]\n",
        "[mcp_servers.codeg]\n",
    ]
)
BEHIND = st.sampled_from(["[z]", "[[y]]", "[mcp_servers.other]\nk = '''\n[mcp_servers.codeg]\n'''"])


@settings(max_examples=200)
@given(
    above=st.lists(STATEMENTS, max_size=5),
    entry=FORMS,
    first=BEHIND,
    below=st.lists(STATEMENTS, max_size=4),
    newline=st.sampled_from(["\n", "\r\n"]),
)
def test_an_entry_among_others_is_replaced_and_taken_out_alone(
    above: list[str], entry: str, first: str, below: list[str], newline: str
) -> None:
    head = "".join(line.format(number) + "\n" for number, line in enumerate(above))
    tail = "\n".join(["# between", first, *(line.format(10 + number) for number, line in enumerate(below))])
    head, entry, tail = (part.replace("\n", newline) for part in (head, entry, tail))
    changed = toml_text.put(head + entry + tail, PATH, TABLE)
    assert changed.startswith(head)
    assert changed.endswith(tail)
    before, now = tomllib.loads(head + entry + tail), tomllib.loads(changed)
    before["mcp_servers"].pop("codeg")
    assert now["mcp_servers"].pop("codeg") == TABLE
    assert repr(now) == repr(before)
    taken = toml_text.take(changed, PATH)
    # A blank line before the entry goes with it.
    assert taken.startswith(head.removesuffix(newline))
    assert taken.endswith(tail)
    assert "codeg" not in tomllib.loads(taken).get("mcp_servers", {})
