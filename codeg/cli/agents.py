"""The known agents, the import of one, and the doctor: what is there and whether it works. Needs no running host."""

import shlex
import sys
from typing import Any

import anyio

from codeg import api
from codeg.cli import output
from codeg.cli.words import safe

Json = dict[str, Any]
_SIGNS = {"ok": "✓ ok", "warning": "! warning", "error": "✗ error"}


def agents(home: str | None, *, as_json: bool) -> int:
    """List the agents; a broken agents.toml is named on stderr (exit 1), the built-ins are listed all the same."""
    listed, fault = api.list_agents(home)
    if as_json:
        output.as_json(listed)
    else:
        rows = [
            (
                agent["slug"],
                agent["label"],
                ("installed" if agent["installed"] else "not installed") + ("" if agent["enabled"] else ", disabled"),
                " ".join(agent["command"]) if agent["installed"] else str(agent.get("how_to_install", "")),
            )
            for agent in listed
        ]
        output.table(("agent", "name", "state", "command or how to install"), rows, "No agents.")
    if fault:
        sys.stdout.flush()
        for line in fault.split("\n"):
            output.complain(line)
        return 1
    return 0


def import_entry(home: str | None, entry_file: str) -> int:
    """Add the agent of a registry entry, and say under which name it is known and what it runs."""
    imported = api.import_agent(home, entry_file)
    command = shlex.join(imported.command)
    print(f"{safe(imported.label)} can be delegated to as {safe(imported.slug)}; it runs: {safe(command)}")
    if imported.note:
        output.complain(imported.note)
    return 0


def doctor(home: str | None, *, as_json: bool) -> int:
    """Check the installation; exit 1 if any finding is an error."""
    findings: list[Json] = anyio.run(api.doctor, home)
    if as_json:
        output.as_json(findings)
    else:
        for finding in findings:
            print(f"{_SIGNS[finding['level']]:11} {safe(finding['check'])}: {safe(finding['message'])}")
            if finding.get("fix"):
                print(f"            {safe(finding['fix'])}")
    return 1 if any(finding["level"] == "error" for finding in findings) else 0
