"""The command line's grammar (contract 2).

Owns names, flags and their help; never acts. A wrong word costs one sentence and exit 2.
"""

import argparse
import os
from typing import NoReturn

from codeg.api import MCP_HOSTS, VERSION


class Grammar(argparse.ArgumentParser):
    """A parser that says what is wrong in one sentence."""

    def error(self, message: str) -> NoReturn:
        """One sentence on stderr, exit 2."""
        self.exit(2, f"{self.prog}: {message} (see `{self.prog} --help`)\n")


def _text(given: str) -> str:
    """A word that is told on: bytes that are no UTF-8 come as lone surrogates, which no answer could repeat."""
    try:
        given.encode()
    except UnicodeEncodeError:
        return os.fsencode(given).decode("utf-8", "replace")
    return given


def build() -> Grammar:
    """The whole grammar."""
    home = Grammar(add_help=False)
    home.add_argument(
        "--home", metavar="DIR", default=argparse.SUPPRESS, help="keep everything below DIR (as CODEG_HOME does)"
    )
    plain = Grammar(add_help=False, parents=[home])
    plain.add_argument("--json", action="store_true", help="print JSON for programs")
    top = Grammar(prog="codeg", description="One coding agent hands work to others.", parents=[home])
    top.add_argument("--version", action="version", version=f"codeg {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Grammar)
    commands.add_parser("serve", parents=[home], help="run the host without a window")
    _run(commands.add_parser("run", parents=[plain], help="one session on an agent, its delegations shown as a tree"))
    _task(commands.add_parser("task", help="the delegated tasks: list, show, wait, cancel, resume, result"), plain)
    commands.add_parser("sessions", parents=[plain], help="all sessions")
    commands.add_parser("asks", parents=[plain], help="what waits for you")
    _answer(commands.add_parser("answer", parents=[home], help="answer what waits for you"))
    note = commands.add_parser("note", parents=[home], help="leave a note for a session")
    note.add_argument("session_id", type=_text, metavar="SESSION_ID")
    note.add_argument("text", type=_text, metavar="TEXT")
    _agents(
        commands.add_parser("agents", parents=[plain], help="the known agents; import: one of the registry's"), home
    )
    _mcp(commands.add_parser("mcp", help="register Codeg in a host program: add, remove, show"), home)
    commands.add_parser("doctor", parents=[plain], help="check this installation")
    return top


def _run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", type=_text, metavar="SLUG", default="demo", help="its agent (default: demo)")
    parser.add_argument("--cwd", metavar="DIR", default=None, help="its working folder (default: this one)")
    parser.add_argument("--yes", action="store_true", help="answer permissions with the first allow-once option")
    parser.add_argument("prompt", type=_text, metavar="PROMPT", help="what it shall do; `@agent task` hands a task on")


def _task(parser: argparse.ArgumentParser, plain: Grammar) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Grammar)
    actions.add_parser("list", parents=[plain], help="all tasks, newest first")
    for name, words in (
        ("show", "one task"),
        ("cancel", "stop a task"),
        ("resume", "go on with a canceled or interrupted task"),
        ("result", "print the text of a task"),
    ):
        actions.add_parser(name, parents=[plain], help=words).add_argument("task_id", type=_text, metavar="ID")
    wait = actions.add_parser("wait", parents=[plain], help="wait until all of these have ended")
    wait.add_argument("task_ids", type=_text, metavar="ID", nargs="+")


def _agents(parser: argparse.ArgumentParser, home: Grammar) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=False, parser_class=Grammar)
    added = actions.add_parser("import", parents=[home], help="add the agent of a registry entry (agent.json)")
    added.add_argument("file", metavar="FILE", help="the entry; nothing is downloaded")


def _mcp(parser: argparse.ArgumentParser, home: Grammar) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Grammar)
    for name, words in (
        ("add", "register Codeg in a host program"),
        ("remove", "take it out again"),
        ("show", "print what add would write"),
    ):
        action = actions.add_parser(name, parents=[home], help=words)
        action.add_argument("host", metavar="HOST", choices=MCP_HOSTS, help=", ".join(MCP_HOSTS))
        action.add_argument("--scope", choices=("user", "project"), default="user", help="whose configuration")
        if name != "remove":
            action.add_argument("--approve", action="store_true", help="let its tools run there without asking")


def _answer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("request_id", type=_text, metavar="REQUEST_ID")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--option", type=_text, metavar="ID", help="the option chosen")
    choice.add_argument("--answers", type=_text, metavar="JSON", help="a list of {question, selected, other?}")
    choice.add_argument("--decline", action="store_true", help="dismiss it")
