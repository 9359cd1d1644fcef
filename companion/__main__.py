"""`codeg-mcp`: the companion's process. Started as `<absolute python> -I -m companion` (contract 4).

Owns the order of the start: descriptor 1 goes to stderr before anything can print, the saved one carries protocol.
Never returns to the interpreter's own end: `os._exit` after the last flush, since tearing down costs more than serving.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from companion.options import Options


def _save_stdout() -> int:
    """Fills closed standard descriptors, diverts stray prints to stderr; gives the descriptor for protocol, or -1."""
    broken = False
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            # The lowest free number is this one; a later file must not become somebody's stdout.
            os.open(os.devnull, os.O_RDWR)
            broken = broken or fd == 1
    saved = -1 if broken else os.dup(1)
    os.dup2(2, 1)
    return saved


def _say(text: str) -> None:
    try:
        os.write(2, f"codeg-mcp: {text}\n".encode("utf-8", "replace"))
    except OSError:
        return


def _serve(argv: Sequence[str], out: int) -> int:
    # Imported behind the diversion, so that nothing they print reaches the protocol.
    from companion import options as command_line  # noqa: PLC0415
    from companion.schema import SchemaBroken  # noqa: PLC0415

    try:
        options = command_line.parse(argv, os.environ)
        if out < 0:
            _say("standard output is closed; there is nobody to serve.")
            return 1
        return _answer(options.ask, out) if options.ask else _run(options, out)
    except command_line.BadUsage as error:
        _say(str(error))
        return 2
    except SchemaBroken as error:
        _say(str(error))
        return 1


def _answer(ask: str, out: int) -> int:
    from codeg.wire.version import VERSION  # noqa: PLC0415
    from companion.options import USAGE  # noqa: PLC0415

    try:
        os.write(out, (USAGE if ask == "help" else f"codeg-mcp {VERSION}\n").encode())
    except BrokenPipeError:
        # `codeg-mcp --help | head -1`: who asked has seen enough.
        return 0
    return 0


def _run(options: Options, out: int) -> int:
    from companion import schema  # noqa: PLC0415
    from companion.mcp import Core  # noqa: PLC0415
    from companion.output import Diary  # noqa: PLC0415

    diary = Diary(2)
    for warning in options.warnings:
        diary.note(warning)
    agents = schema.fallback_agents(options.custom_agents, options.disabled_agents)
    core = Core(schema.Toolbox(schema.load(), options.features, agents), diary.note)
    if sys.platform == "win32":
        from companion.windows_pump import run  # noqa: PLC0415

        gc.enable()
        return run(core, options, diary, out)
    from companion.link import Link  # noqa: PLC0415
    from companion.pump import Pump  # noqa: PLC0415

    link = Link(options, os.environ, os.getuid())
    pump = Pump(core, link, diary, options, environment=os.environ, out_fd=out)
    gc.freeze()
    gc.enable()
    return pump.run()


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Runs the companion and ends the process. Exit code 0, 1 on an I/O error of our own, 2 for a bad command line."""
    # glibc maps and zeroes each large buffer anew until one of such a size was freed: 0.5 of the 1.5 ms of a request of
    # 256 KiB. Untouched, these 4 MiB never become memory.
    bytes(4 << 20)
    # What the start loads lives as long as the process: to look for garbage in it costs 5 % of the start.
    gc.disable()
    code = 1
    out = _save_stdout()
    try:
        code = _serve(sys.argv[1:] if argv is None else argv, out)
    except KeyboardInterrupt:
        code = 0
    except Exception as error:  # noqa: BLE001  # the last line of defence: a sentence, never a traceback
        _say(f"internal error: {type(error).__name__}: {error}")
    os._exit(code)


if __name__ == "__main__":
    main()
