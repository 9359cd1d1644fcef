"""What the doctor says of registrations: is Codeg in each host program, does its entry work, may its calls wait?

Owns the findings on the entries of one host program. Reads files and starts the entries' commands; changes nothing. In
a project's file only a command that we would write ourselves is started: the folder may be a stranger's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from codeg.runtime.findings import Finding
from codeg.runtime.registrations import entries
from codeg.runtime.registrations.entries import Registered
from codeg.runtime.registrations.programs import LIMIT_S, PROGRAMS, PROGRESS_S, Program
from codeg.runtime.registrations.registrar import Surroundings, located
from codeg.runtime.registrations.standings import Standing, everywhere
from codeg.runtime.registrations.trial import why_silent


@dataclass(frozen=True, slots=True)
class Registration:
    """How the companion stands in one host program.

    `installed`: the program is there; `registered`: it has a working entry of ours; `message`: one sentence; `limit`:
    seconds after which it cuts a call, None = none known; `fix`: what to do, where something is wrong: that there is no
    entry yet is nothing wrong.
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
AT_ONCE = 2
"""Entries' commands that run at the same time."""


async def registration_findings(program: Program, around: Surroundings) -> list[Finding]:
    """One finding for each entry of ours, or that there is none, and one for its time limit.

    Each entry's command takes 5 s at most; rarely is there more than one.
    """
    return list((await _judged(program, around)).findings)


async def registrations(around: Surroundings) -> tuple[Registration, ...]:
    """One for each host program, in the order of the table; two of them are looked at at a time."""
    found: dict[str, Registration] = {}
    at_once = anyio.CapacityLimiter(AT_ONCE)

    async def look(program: Program) -> None:
        async with at_once:
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
        fix=finding.fix if judged.there or (installed and finding.level == "error") else "",
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
    found, faults = everywhere(program, around.place)
    findings = [Finding(check, "error", each.message, "Mend that file; nothing overwrites it.") for each in faults]
    if not found and not findings:
        again = f"{program.typed('add')} registers it."
        file = located(program, "user", around.place)[0].path
        message = f"Codeg is not registered in {program.label} ({file})."
        return _Judged((Finding(check, "warning", message, again),), limit_s=program.default_limit_s)
    working = [await _working(check, program, each, around) for each in found]
    ours = [each for each in found if each.entry.ours]
    for each, finding in zip(found, working, strict=True):
        findings += [finding, *_limit(program, each)]
    findings += _twice(check, program, ours)
    return _Judged(
        tuple(findings),
        there=True,
        registered=any(finding.level == "ok" for finding in working),
        limit_s=_seconds(program, ours[0].entry) if ours else program.default_limit_s,
    )


async def _working(check: str, program: Program, standing: Standing, around: Surroundings) -> Finding:
    entry, where = standing.entry, standing.where
    again = _anew(program, standing)
    if not entry.ours:
        return Finding(check, "warning", f"The server codeg in {where} is not Codeg's.", "Rename or remove it by hand.")
    if not entry.on:
        return Finding(check, "warning", f"Codeg is registered in {where}, but switched off there.", again)
    expected = entries.companion_command(around.home, around.python)
    # Variables can make any command run something else.
    if standing.scope == "project" and (entry.command != expected or entry.env):
        said = f"{where} names another command than this Codeg, or variables for it; it was not started."
        return Finding(check, "warning", said, again)
    why = await why_silent(entry.command, entry.env, around.place.env)
    if why is not None:
        return Finding(check, "error", f"Codeg is registered in {where}, but its command does not serve: {why}.", again)
    return Finding(check, "ok", f"Codeg is registered in {where}, and its command lists its tools.")


def _anew(program: Program, standing: Standing) -> str:
    add, remove = program.typed("add", standing.scope), program.typed("remove", standing.scope)
    return f"{add} writes it anew." if standing.usual else f"{remove} takes it out, {add} writes one anew."


def _limit(program: Program, standing: Standing) -> list[Finding]:
    """Whether a call may last as long as we wait."""
    if not standing.entry.ours:
        return []
    check, limit, wait = f"time limit {program.slug}", _seconds(program, standing.entry), _wait(program, standing.entry)
    if limit is None:
        said = f"{program.label} is not known to cut a call of Codeg; Codeg waits up to {wait:g} s."
        return [Finding(check, "ok", said)]
    between = PROGRESS_S if program.anew else wait
    if limit >= between + MARGIN_S:
        anew = f" after each word of progress, which it gets every {PROGRESS_S} s" if program.anew else ""
        said = f"{program.label} lets a call of Codeg last {limit:g} s{anew}; Codeg waits up to {wait:g} s."
        return [Finding(check, "ok", said)]
    toml = program.form == "toml"
    name = program.limit_field if toml else f'"{program.limit_field}"'
    enough = max(LIMIT_S, math.ceil(between + MARGIN_S))
    line = f"{name}{' = ' if toml else ': '}{enough * program.limit_unit}"
    message = f"{program.label} cuts a call of Codeg after {limit:g} s, and Codeg waits up to {wait:g} s."
    return [Finding(check, "warning", message, f"Write `{line}` into the entry in {standing.where}.")]


def _wait(program: Program, entry: Registered) -> float:
    """Seconds that the companion lets a call wait there: the table's, unless the entry has a variable for it."""
    told = entry.env.get("CODEG_MCP_MAX_WAIT_MS", "").strip()
    whole = int(told) if told.isascii() and told.isdigit() and len(told) < 12 else 0
    return whole / 1000 if whole else program.wait_s


def _seconds(program: Program, entry: Registered) -> float | None:
    return program.default_limit_s if entry.limit_s is None else entry.limit_s


def _twice(check: str, program: Program, ours: Sequence[Standing]) -> list[Finding]:
    if len({each.name for each in ours}) < 2:
        return []
    places = ", ".join(each.where for each in ours)
    message = f"{program.label} starts Codeg more than once, and shows its model every tool as often: {places}."
    fix = f"{program.typed('remove')} takes all out, {program.typed('add')} writes one."
    return [Finding(check, "warning", message, fix)]
