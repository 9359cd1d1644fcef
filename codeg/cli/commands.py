"""From words to commands, and from errors to one sentence and an exit code (contract 2).

Exit 2 for what the user can mend, 3 for a host that runs already, 1 for the rest. No traceback reaches a user.
"""

import os
import sys
from argparse import Namespace
from typing import cast

from codeg import api
from codeg.cli import agents, desktop, mcp, output, people, run, serve, signals, tasks
from codeg.cli.arguments import build


def carry_out(words: list[str] | None = None) -> int:
    """Do what the words say; the exit code."""
    try:
        code = _outcome(words)
        sys.stdout.flush()
    except BrokenPipeError:
        code = _mute(1)
    except OSError as error:
        code = _mute(_say(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}.", 1))
    except KeyboardInterrupt:
        code = 1
    except Exception as error:  # no traceback reaches a user (contract 2)
        if os.environ.get("CODEG_LOG") == "debug":
            raise
        code = _mute(_say(f"a fault of Codeg: {type(error).__name__}: {error} (CODEG_LOG=debug shows where)", 1))
    return code


def _outcome(words: list[str] | None) -> int:
    """The command's exit code, its own errors told."""
    try:
        arguments = build().parse_args(words)
    except SystemExit as said:  # help, the version, or what is wrong with the words
        return said.code if isinstance(said.code, int) else 2
    try:
        try:
            return _dispatch(arguments, getattr(arguments, "home", None))
        except BaseExceptionGroup as group:
            raise _cause(group) from None
    except api.HostRunning as error:
        return _say(str(error), 3)
    except api.UserError as error:
        return _say(error.message, 1 if error.code in {"unknown", "conflict"} else 2)
    except api.HostUnavailable as error:
        return _say(str(error), 2)
    except api.HostError as error:
        return _say(str(error), 1)


def _cause(group: "BaseExceptionGroup[BaseException]") -> BaseException:
    """What ended a command: task groups wrap it, and an error that has a sentence goes before any other."""
    told = (api.HostRunning, api.UserError, api.HostUnavailable, api.HostError)
    error: BaseException = group.subgroup(told) or group
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error


def _mute(code: int) -> int:
    """Nothing more can or should be printed: what is held back goes nowhere when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _say(message: str, code: int) -> int:
    output.complain(message)
    return code


def _dispatch(arguments: Namespace, home: str | None) -> int:
    if arguments.command == "serve":
        return serve.serve(home)
    if arguments.command is None:
        return desktop.desktop(home)
    if arguments.command == "run":
        folder = _folder(arguments.cwd)
        order = {"agent": arguments.agent, "cwd": folder, "prompt": arguments.prompt, "yes": arguments.yes}
        return run.run(home, order, as_json=arguments.json)
    signals.release()  # those above have their own way with them
    match arguments.command:
        case "task":
            return tasks.task(home, arguments)
        case "sessions":
            return people.sessions(home, as_json=arguments.json)
        case "asks":
            return people.asks(home, as_json=arguments.json)
        case "answer":
            return people.answer(home, arguments)
        case "note":
            return people.note(home, arguments.session_id, arguments.text)
        case "agents":
            if arguments.action == "import":
                return agents.import_entry(home, arguments.file)
            return agents.agents(home, as_json=arguments.json)
        case "mcp":
            return mcp.mcp(home, arguments)
        case "doctor":
            return agents.doctor(home, as_json=arguments.json)
        case command:
            raise api.UserError("invalid_arguments", f"there is no command {command} (see `codeg --help`).")


def _folder(given: str | None) -> str:
    if given == "":
        raise api.UserError("invalid_working_dir", "--cwd takes a folder, not an empty text.")
    try:
        folder = os.path.abspath(given or os.curdir)
    except FileNotFoundError as error:
        raise api.UserError("invalid_working_dir", "The present folder does not exist any more.") from error
    if not os.path.isdir(folder):
        raise api.UserError("invalid_working_dir", f"There is no folder {folder}.")
    return folder
