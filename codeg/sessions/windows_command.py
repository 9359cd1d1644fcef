r"""How Windows finds a program and takes its command line (B47). Pure, so that it is tested on every system.

A program is looked up through PATHEXT to a full path, never in the current folder, which is a stranger's. A `.cmd` or
`.bat` file is run by `cmd.exe`, whose own reading of quotes and `%` is undone here; everything else gets the quoting
of the C runtime.
"""

import ntpath
from collections.abc import Callable, Sequence

PATHEXT = ".COM;.EXE;.BAT;.CMD"
"""Where the environment has none."""

_BATCH = (".bat", ".cmd")
# what cmd.exe gives no meaning; anything else, every non-ASCII character included, is put in quotes
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#$*+-./:?@\\_")


def find_program_windows(name: str, path: str, pathext: str, is_file: Callable[[str], bool]) -> str | None:
    """The full path of a program by name or absolute path, or None.

    A name that ends in an extension of PATHEXT is tried as it is; any other only with each extension, in their order.
    Entries of `path` may stand in quotes; relative ones are skipped.
    """
    extensions = [each for each in (pathext or PATHEXT).split(";") if each.startswith(".")]
    known = ntpath.splitext(name)[1].lower() in {each.lower() for each in extensions}
    endings = ["", *extensions] if known else extensions
    if ntpath.isabs(name):
        return next((name + end for end in endings if is_file(name + end)), None)
    if not name or any(sign in name for sign in '\\/:"'):
        return None
    folders = (entry.strip().strip('"') for entry in path.split(";"))
    places = (ntpath.join(folder, name + end) for folder in folders if _rooted(folder) for end in endings)
    return next((place for place in places if is_file(place)), None)


def _rooted(folder: str) -> bool:
    drive, rest = ntpath.splitdrive(folder)
    return bool(drive) and rest[:1] in ("\\", "/")


def is_batch(program: str) -> bool:
    """Whether `cmd.exe` must run it. Windows ignores dots and spaces at the end of a name, and so do we."""
    return program.rstrip(" .").lower().endswith(_BATCH)


def command_line(program: str, arguments: Sequence[str], cmd_exe: str) -> str:
    """The whole line for `CreateProcess`. `program`: a full path. `cmd_exe`: the full path of `cmd.exe`.

    Raises:
        ValueError: an argument of a batch file holds a line break or NUL, or the program a quote: no quoting saves
        those.
    """
    if any("\0" in each for each in (program, *arguments)):
        raise ValueError("a NUL character stands in the program's arguments")
    if '"' in program or program.endswith("\\"):
        raise ValueError(f"{program} is no name of a program")
    if not is_batch(program):
        return " ".join([f'"{program}"', *(quoted(each) for each in arguments)])
    if any(sign in each for each in (program, *arguments) for sign in "\r\n"):
        raise ValueError(f"{program} is a batch file, and an argument of it holds a line break")
    inner = " ".join([f'"{_without_variables(program)}"', *(_batch_quoted(each) for each in arguments)])
    # /d: no AutoRun; /v:off: "!" is plain; /e:on: %cd:~,% works; /s: the outer quotes, and they alone, are taken off
    return f'"{cmd_exe}" /e:ON /v:OFF /d /s /c "{inner}"'


def quoted(argument: str) -> str:
    """One argument as the C runtime reads it: backslashes double before a quote, and nowhere else."""
    if argument and not any(sign in argument for sign in ' \t\n\v"'):
        return argument
    return f'"{_backslashed(argument, chr(92) + chr(34))}"'


def _batch_quoted(argument: str) -> str:
    if argument and not argument.endswith("\\") and set(argument) <= _PLAIN:
        return argument
    return f'"{_without_variables(_backslashed(argument, chr(34) * 2))}"'


def _backslashed(argument: str, quote: str) -> str:
    made: list[str] = []
    slashes = 0
    for sign in argument:
        if sign == "\\":
            slashes += 1
            continue
        made.append("\\" * (slashes * 2 if sign == '"' else slashes))
        made.append(quote if sign == '"' else sign)
        slashes = 0
    return "".join(made) + "\\" * (slashes * 2)


def _without_variables(text: str) -> str:
    """Keep `cmd.exe` from taking `%NAME%` for a variable: `%cd:~,%` is one that is always there and always empty."""
    return text.replace("%", "%%cd:~,%")
