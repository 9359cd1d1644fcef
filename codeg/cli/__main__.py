"""`codeg`: the command line (contract 2).

Owns the way from words to commands and from errors to one sentence and an exit code: 2 for what the user can mend, 3
for a host that runs already, 1 for the rest. No traceback reaches a user.
"""

import os
import sys
from argparse import Namespace

from codeg import api
from codeg.cli import agents, people, run, serve, tasks
from codeg.cli.arguments import build


def main(words: list[str] | None = None) -> None:
    """Entry point; never returns."""
    arguments = build().parse_args(words)
    try:
        code = _dispatch(arguments, getattr(arguments, "home", None))
        sys.stdout.flush()
    except api.HostRunning as error:
        code = _say(str(error), 3)
    except api.UserError as error:
        code = _say(error.message, 1 if error.code in {"unknown", "conflict"} else 2)
    except api.HostUnavailable as error:
        code = _say(str(error), 2)
    except api.HostError as error:
        code = _say(str(error), 1)
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
    raise SystemExit(code)


def _mute(code: int) -> int:
    """Nothing more can or should be printed: what is held back goes nowhere when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _say(message: str, code: int) -> int:
    sys.stderr.write(f"codeg: {' '.join(message.split())}\n")
    return code


def _dispatch(arguments: Namespace, home: str | None) -> int:
    match arguments.command:
        case "serve":
            return serve.serve(home)
        case "run":
            order = {
                "agent": arguments.agent,
                "cwd": _folder(arguments.cwd),
                "prompt": arguments.prompt,
                "yes": arguments.yes,
            }
            return run.run(home, order, as_json=arguments.json)
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
            return agents.agents(home, as_json=arguments.json)
        case "doctor":
            return agents.doctor(home, as_json=arguments.json)
        case _:
            raise api.UserError(
                "invalid_arguments", "this version has no desktop window; start `codeg serve`, or see `codeg --help`."
            )


def _folder(given: str | None) -> str:
    folder = os.path.abspath(given) if given else os.getcwd()
    if not os.path.isdir(folder):
        raise api.UserError("invalid_working_dir", f"There is no folder {folder}.")
    return folder


if __name__ == "__main__":
    main()
