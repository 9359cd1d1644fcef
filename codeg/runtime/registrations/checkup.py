"""What the doctor says of registrations: is Codeg in each host program, does its entry work, may its calls wait?

Owns one finding for each installed host program, in the order of the table. Reads files and starts the entries'
commands; changes nothing. In a project's file only a command that we would write ourselves is started: the folder may
be a stranger's.
"""

from dataclasses import dataclass

import anyio

from codeg.runtime.doctor import Finding
from codeg.runtime.registrations import entries
from codeg.runtime.registrations.entries import Registered
from codeg.runtime.registrations.programs import LIMIT_S, PROGRAMS, Program
from codeg.runtime.registrations.registrar import Surroundings, located
from codeg.runtime.registrations.trial import why_silent
from codeg.runtime.services import UserError


@dataclass(frozen=True, slots=True)
class Registration:
    """How the companion stands in one host program.

    `installed`: the program is there; `registered`: it has a working entry of ours; `message`: one sentence; `limit`:
    seconds after which it cuts a call, None = none known; `fix`: what to do, where something is to be done.
    """

    host: str
    label: str
    installed: bool
    registered: bool
    message: str = ""
    limit: float | None = None
    fix: str = ""


MARGIN_S = 5.0
"""How far a program's limit must lie above the longest wait that we use there."""


async def registration_findings(around: Surroundings) -> list[Finding]:
    """One finding for each host program that is installed, two where a time limit is too short.

    A program that is not installed has none. Each entry's command takes 5 s at most.
    """
    found: list[Finding] = []
    for program in PROGRAMS:
        if around.find(program.command) is not None:
            found += (await _judged(program, around)).findings
    return found


async def registrations(around: Surroundings) -> tuple[Registration, ...]:
    """One for each host program, in the order of the table; the entries' commands are started at the same time."""
    found: dict[str, Registration] = {}

    async def look(program: Program) -> None:
        found[program.slug] = _shown(program, await _judged(program, around), around)

    async with anyio.create_task_group() as group:
        for program in PROGRAMS:
            group.start_soon(look, program)
    return tuple(found[program.slug] for program in PROGRAMS)


def _shown(program: Program, judged: "_Judged", around: Surroundings) -> Registration:
    finding = next((each for each in judged.findings if each.level != "ok"), judged.findings[0])
    installed = around.find(program.command) is not None
    return Registration(
        host=program.slug,
        label=program.label,
        installed=installed,
        registered=judged.registered,
        message=finding.message if installed or judged.there else f"{program.label} was not found on this machine.",
        limit=judged.limit_s,
        fix=finding.fix if installed or judged.there else "",
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """What was found. `there`: some entry of our name; `registered`: ours, and it serves; `limit_s`: of one call."""

    findings: tuple[Finding, ...]
    there: bool = False
    registered: bool = False
    limit_s: float | None = None


async def _judged(program: Program, around: Surroundings) -> _Judged:
    check = f"registration {program.slug}"
    try:
        held, there = located(program, "user", around.place)
        in_project = False
        if there is None:
            project, there = located(program, "project", around.place)
            held, in_project = (project, True) if there is not None else (held, False)
    except UserError as error:
        return _Judged((Finding(check, "error", error.message, "Mend that file; nothing overwrites it."),), there=True)
    if there is None:
        again = f"`codeg mcp add {program.slug}` registers it."
        message = f"Codeg is not registered in {program.label} ({held.path})."
        return _Judged((Finding(check, "warning", message, again),), limit_s=program.default_limit_s)
    again = f"`codeg mcp add {program.slug}{' --scope project' if in_project else ''}` writes it anew."
    entry = entries.read(program, there)
    ours = entries.companion_command(around.home, around.python)
    strange = in_project and entry.command != ours
    working = await _working(check, entry, held.path, again, around, strange=strange)
    limit_s = program.default_limit_s if entry.limit_s is None else entry.limit_s
    findings = (working, *_too_short(check, program, entry, held.path))
    return _Judged(findings, there=True, registered=working.level == "ok", limit_s=limit_s)


async def _working(
    check: str, entry: Registered, file: str, again: str, around: Surroundings, *, strange: bool
) -> Finding:
    if not entry.ours:
        return Finding(check, "warning", f"The server codeg in {file} is not Codeg's.", "Rename or remove it by hand.")
    if not entry.on:
        return Finding(check, "warning", f"Codeg is registered in {file}, but switched off there.", again)
    if strange:
        return Finding(check, "warning", f"{file} names another command than this Codeg; it was not started.", again)
    why = await why_silent(entry.command, entry.env, around.place.env)
    if why is not None:
        return Finding(check, "error", f"Codeg is registered in {file}, but its command does not serve: {why}.", again)
    return Finding(check, "ok", f"Codeg is registered in {file}, and its command lists its tools.")


def _too_short(check: str, program: Program, entry: Registered, file: str) -> list[Finding]:
    limit = program.default_limit_s if entry.limit_s is None else entry.limit_s
    if not entry.ours or limit is None or limit >= program.wait_s + MARGIN_S:
        return []
    name = program.limit_field if program.form == "toml" else f'"{program.limit_field}"'
    line = f"{name}{' = ' if program.form == 'toml' else ': '}{LIMIT_S * program.limit_unit}"
    message = f"{program.label} cuts a call of Codeg after {limit:g} s, and Codeg waits up to {program.wait_s:g} s."
    return [Finding(check, "warning", message, f"Write `{line}` into the entry in {file}.")]
