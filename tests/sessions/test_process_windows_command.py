"""Windows' own rules for programs and command lines, as tables; read back by models of its two readers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.sessions.windows_command import command_line, find_program_windows, is_batch, quoted

CMD = r"C:\Windows\System32\cmd.exe"
PATH = r'C:\tools;"C:\Program Files\nodejs";relative;\rootless;;D:\b'
FILES = {
    r"C:\tools\agent.cmd",
    r"C:\tools\agent",
    r"C:\Program Files\nodejs\npx.CMD",
    r"C:\Program Files\nodejs\node.EXE",
    r"D:\b\agent.exe",
    r"D:\b\tool.py",
    r"D:\b\agent.v2.exe",
    r"relative\here.exe",
    r"here.exe",
    r"\rootless\there.exe",
}


def there(path: str) -> bool:
    return path.lower() in {each.lower() for each in FILES}


def c_runtime(line: str) -> list[str]:
    """How a program of the C runtime takes its line apart (also a doubled quote inside quotes is one quote)."""
    words: list[str] = []
    held, inside, begun, at = "", False, False, 0
    while at < len(line):
        slashes = len(line) - at - len(line[at:].lstrip("\\"))
        at += slashes
        if at < len(line) and line[at] == '"':
            held += "\\" * (slashes // 2)
            begun = True
            if slashes % 2:
                held += '"'
            elif inside and line[at + 1 : at + 2] == '"':
                held += '"'
                at += 1
            else:
                inside = not inside
            at += 1
            continue
        held += "\\" * slashes
        begun = begun or slashes > 0
        if at < len(line):
            if line[at] in " \t" and not inside:
                if begun:
                    words.append(held)
                held, begun = "", False
            else:
                held, begun = held + line[at], True
            at += 1
    return [*words, held] if begun else words


def cmd_exe(line: str) -> str:
    """What `cmd.exe /s /c` runs for a line: variables filled in, outer quotes off; fails where a sign would act."""
    head = f'"{CMD}" /e:ON /v:OFF /d /s /c "'
    assert line.startswith(head)
    assert line.endswith('"')
    inner = line[len(head) : -1].replace("%cd:~,%", "")
    # a variable's name would stand between two signs without a colon: none is left that could be one
    inside = False
    for sign in inner:
        if sign == '"':
            inside = not inside
        assert inside or sign not in "&|<>()^\n", f"{sign!r} acts in {inner!r}"
    return inner


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("npx", r"C:\Program Files\nodejs\npx.CMD"),
        ("node", r"C:\Program Files\nodejs\node.EXE"),
        ("node.exe", r"C:\Program Files\nodejs\node.exe"),
        ("agent", r"C:\tools\agent.CMD"),
        ("agent.exe", r"D:\b\agent.exe"),
        ("agent.v2", r"D:\b\agent.v2.EXE"),
        ("tool.py", None),
        ("here", None),
        ("there", None),
        ("", None),
        (r"b\agent", None),
        ("c:agent", None),
        (r"D:\b\agent", r"D:\b\agent.EXE"),
        (r"D:\b\agent.exe", r"D:\b\agent.exe"),
        (r"D:\b\absent", None),
    ],
)
def test_a_program_is_looked_up_through_pathext_to_a_full_path(name: str, found: str | None) -> None:
    assert find_program_windows(name, PATH, ".COM;.EXE;.BAT;.CMD", there) == found


def test_the_users_pathext_decides_and_a_missing_one_has_a_default() -> None:
    assert find_program_windows("tool", PATH, ".EXE;.py", there) == r"D:\b\tool.py"
    assert find_program_windows("npx", PATH, "", there) == r"C:\Program Files\nodejs\npx.CMD"


@pytest.mark.parametrize(
    ("program", "batch"),
    [("C:\\a.cmd", True), ("C:\\a.BAT", True), ("C:\\a.bat. ", True), ("C:\\a.exe", False), ("C:\\cmd", False)],
)
def test_batch_files_are_told_by_their_name(program: str, batch: bool) -> None:
    assert is_batch(program) is batch


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ("plain", "plain"),
        ("", '""'),
        ("a b", '"a b"'),
        ('say "hi"', r'"say \"hi\""'),
        ("C:\\dir\\", "C:\\dir\\"),
        ("C:\\my dir\\", '"C:\\my dir\\\\"'),
        ('\\"', '"\\\\\\""'),
        ("a&b%c^d", "a&b%c^d"),
        ("ünï", "ünï"),
    ],
)
def test_arguments_of_programs_are_quoted_for_the_c_runtime(argument: str, line: str) -> None:
    assert quoted(argument) == line


@pytest.mark.parametrize(
    ("argument", "line"),
    [
        ("--acp", "--acp"),
        ("a b", '"a b"'),
        ("a&calc", '"a&calc"'),
        ("%PATH%", '"%%cd:~,%PATH%%cd:~,%"'),
        ('"&calc', '"""&calc"'),
        ("!x!", '"!x!"'),
        ("a^b", '"a^b"'),
        ("dir\\", '"dir\\\\"'),
        ("ü", '"ü"'),
        ("", '""'),
    ],
)
def test_arguments_of_batch_files_are_quoted_for_cmd(argument: str, line: str) -> None:
    made = command_line(r"C:\a b\x.cmd", [argument], CMD)
    assert made == f'"{CMD}" /e:ON /v:OFF /d /s /c ""C:\\a b\\x.cmd" {line}"'


texts = st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"]), max_size=12) | st.text(
    st.sampled_from('ab "\\%&|<>^!()=,;'), max_size=12
)


@given(st.lists(texts, max_size=4))
def test_a_program_gets_its_arguments_unchanged(arguments: list[str]) -> None:
    assert c_runtime(command_line(r"C:\a b\x.exe", arguments, CMD)) == [r"C:\a b\x.exe", *arguments]


@given(st.lists(texts, max_size=4))
def test_a_batch_file_hands_its_arguments_on_unchanged_and_none_of_them_acts(arguments: list[str]) -> None:
    assert c_runtime(cmd_exe(command_line("C:\\a b & c%d%\\x.cmd", arguments, CMD)))[1:] == arguments


@pytest.mark.parametrize(
    ("program", "argument"),
    [("C:\\x.cmd", "a\nb"), ("C:\\x.bat", "a\rb"), ("C:\\x.exe", "a\0b"), ('C:\\"x.cmd', "a"), ('C:\\x"y.exe', "a")],
)
def test_what_no_quoting_can_save_is_refused(program: str, argument: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        command_line(program, [argument], CMD)
