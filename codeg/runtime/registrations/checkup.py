"""What the doctor says of registrations: is Codeg in each host program, does its entry work, may its calls wait?

Owns one finding for each installed host program, in the order of the table. Reads files and starts the entries'
commands; changes nothing. In a project's file only a command that we would write ourselves is started: the folder may
be a stranger's.
"""

from codeg.runtime.doctor import Finding
from codeg.runtime.registrations import entries
from codeg.runtime.registrations.entries import Registered
from codeg.runtime.registrations.programs import LIMIT_S, PROGRAMS, Program
from codeg.runtime.registrations.registrar import Surroundings, located
from codeg.runtime.registrations.trial import why_silent
from codeg.runtime.services import UserError

MARGIN_S = 5.0
"""How far a program's limit must lie above the longest wait that we use there."""


async def registration_findings(around: Surroundings) -> list[Finding]:
    """One finding for each host program that is installed, two where a time limit is too short.

    A program that is not installed has none. Each entry's command takes 5 s at most.
    """
    found: list[Finding] = []
    for program in PROGRAMS:
        if around.find(program.command) is not None:
            found += await _judged(program, around)
    return found


async def _judged(program: Program, around: Surroundings) -> list[Finding]:
    check = f"registration {program.slug}"
    try:
        held, there = located(program, "user", around.place)
        in_project = False
        if there is None:
            project, there = located(program, "project", around.place)
            held, in_project = (project, True) if there is not None else (held, False)
    except UserError as error:
        return [Finding(check, "error", error.message, "Mend that file; nothing overwrites it.")]
    if there is None:
        again = f"`codeg mcp add {program.slug}` registers it."
        return [Finding(check, "warning", f"Codeg is not registered in {program.label} ({held.path}).", again)]
    again = f"`codeg mcp add {program.slug}{' --scope project' if in_project else ''}` writes it anew."
    entry = entries.read(program, there)
    ours = entries.companion_command(around.home, around.python)
    strange = in_project and entry.command != ours
    working = await _working(check, entry, held.path, again, around, strange=strange)
    return [working, *_too_short(check, program, entry, held.path)]


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
