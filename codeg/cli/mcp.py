"""`codeg mcp`: registers the companion in host programs, takes it out, shows what would be written (contract 2)."""

import sys
from argparse import Namespace

import anyio

from codeg import api
from codeg.cli import output


def mcp(home: str | None, arguments: Namespace) -> int:
    """One of the three actions, as the words say."""
    if arguments.action == "add":
        return add(home, arguments.host, arguments.scope, approve=arguments.approve)
    if arguments.action == "remove":
        return remove(home, arguments.host, arguments.scope)
    return show(home, arguments.host, arguments.scope, approve=arguments.approve)


def add(home: str | None, host: str, scope: api.McpScope, *, approve: bool) -> int:
    """Register; a second time says that nothing was changed. Exit 0."""
    outcome = anyio.run(api.mcp_add, home, host, scope, approve)
    print(*outcome.lines, sep="\n")
    return _warned(outcome)


def remove(home: str | None, host: str, scope: api.McpScope) -> int:
    """Take the entry out; without one, say so. Exit 0."""
    outcome = anyio.run(api.mcp_remove, home, host, scope)
    print(*outcome.lines, sep="\n")
    return _warned(outcome)


def show(home: str | None, host: str, scope: api.McpScope, *, approve: bool) -> int:
    """The snippet alone on stdout, where it belongs on stderr. Changes nothing, exit 0."""
    outcome = api.mcp_show(home, host, scope, approve)
    sys.stderr.write("".join(f"{line}\n" for line in outcome.lines))
    sys.stderr.flush()
    sys.stdout.write(outcome.snippet)
    sys.stdout.flush()
    return _warned(outcome)


def _warned(outcome: api.McpOutcome) -> int:
    sys.stdout.flush()
    for warning in outcome.warnings:
        output.complain(warning)
    return 0
