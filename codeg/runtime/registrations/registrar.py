"""Adds our entry to a host program's configuration, takes it out, shows it (contract 2, `codeg mcp`).

Owns the order: the entry's command is tried first, then the file is read, changed and replaced, one change at a time. A
server of the same name that is not ours is never touched. Where the program has a command of its own for a new entry,
that is used.
"""

import json
import os
import shlex
from dataclasses import dataclass
from typing import Any

from codeg.runtime.injection import SERVER_NAME
from codeg.runtime.registrations import documents, entries
from codeg.runtime.registrations.alone import alone
from codeg.runtime.registrations.documents import Form
from codeg.runtime.registrations.files import Held, broken, hold, replace
from codeg.runtime.registrations.json_layout import BrokenText
from codeg.runtime.registrations.json_text import Path
from codeg.runtime.registrations.programs import PROGRAMS, Place, Program, Rule, Scope
from codeg.runtime.registrations.standings import Standing, everywhere, standings, taken_as_read, value_in
from codeg.runtime.registrations.trial import COMMAND_S, run_command, why_silent
from codeg.runtime.services import UserError
from codeg.sessions.environment import find_program, search_path
from codeg.sessions.login_path import account
from codeg.store.homes import home_paths

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done. `lines`: for the person; `warnings`: what they should know besides; `snippet`: text to paste."""

    changed: bool
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where we are asked.

    `place`: folders and environment; `path`: where programs are looked for; `home`: as `--home` says, absolute, None =
    the default; `python`: None = the one that runs us.
    """

    place: Place
    path: str
    home: str | None
    python: str | None = None

    def find(self, command: str) -> str | None:
        """The program's absolute path, None = it is not installed."""
        return find_program(command, self.path)


def here(home: str | None, path: str | None = None) -> Surroundings:
    """As this process stands. `home`: value of `--home`; `path`: None = our own PATH and the usual folders."""
    env = dict(os.environ)
    user = (env.get("HOME") if os.name == "posix" else None) or account()[0]
    place = Place(user, os.getcwd(), env)
    return Surroundings(place, path or search_path(None, env.get("PATH", ""), user), home_paths(home).home)


def program_of(slug: str) -> Program:
    """The host program of that name.

    Raises:
        UserError: there is none.
    """
    found = next((program for program in PROGRAMS if program.slug == slug), None)
    if found is None:
        known = ", ".join(program.slug for program in PROGRAMS)
        raise UserError("invalid_arguments", f"There is no host program {slug}; known are {known}.")
    return found


def located(program: Program, scope: Scope, place: Place) -> "tuple[Held, Any]":
    """The file to work on, and our entry in it: where the entry stands, else the first there is, else the one to make.

    Raises:
        UserError: a file on the way cannot be read or is broken.
    """
    held = [taken_as_read(path, program) for path in program.files(scope, place)]
    for each in held:
        there = value_in(each, program.form, program.path)
        if there is not None:
            return each, there
    return next((each for each in held if each.content is not None), held[0]), None


@dataclass(frozen=True, slots=True)
class Registrar:
    """One host program, one scope. All methods raise `UserError` with one sentence; then nothing was written."""

    program: Program
    scope: Scope
    around: Surroundings

    async def add(self, *, approve: bool) -> Outcome:
        """Register; what a person added to an entry of ours stays."""
        command = self._command()
        why = await why_silent(command, {}, self.around.place.env)
        if why is not None:
            shown = shlex.join(command)
            raise UserError("spawn_failed", f"Nothing was written, since {shown} does not serve: {why}.")
        async with alone(self.around.place.home):
            return await self._added(command, approve=approve)

    async def remove(self) -> Outcome:
        """Take out every entry that starts the companion, whatever its name, and the rule that `--approve` wrote."""
        async with alone(self.around.place.home):
            return await self._removed()

    async def _added(self, command: entries.Command, *, approve: bool) -> Outcome:
        held, there = located(self.program, self.scope, self.around.place)
        if there is not None and not entries.read(self.program, there).ours:
            raise self._foreign(held.path)
        ruled = self._rule_file() if approve else None
        wanted = entries.merged(self.program, there, entries.entry(self.program, command, approve=approve))
        lines: list[str] = []
        if there is None and (own := self._own_command()):
            await self._add_by(own, held, wanted)
        elif there != wanted:
            self._put(held, self.program.form, self.program.path, wanted)
        if there is None:
            lines.append(f"Codeg is registered in {held.path}; start {self.program.label} anew.")
        elif there != wanted:
            before = entries.read(self.program, there).command
            named = "" if before == command else f" (it named {shlex.join(before)} before)"
            lines.append(f"Codeg is brought up to date in {held.path}{named}; start {self.program.label} anew.")
        if ruled is not None and ruled[1] is None:
            self._put(ruled[0], "json", ruled[2].path, ruled[2].value)
            lines.append(f"Its tools run without asking by {ruled[0].path}.")
        otherwise = f"{self.program.label} has this entry already: {held.path}."
        return self._done(lines, otherwise, (*self._warned(approve=approve), *self._twice()))

    async def _removed(self) -> Outcome:
        found = standings(self.program, self.scope, self.around.place)
        ours = [each for each in found if each.entry.ours]
        if found and not ours:
            raise self._foreign(found[0].file)
        ruled = self._rule_file()
        lines: list[str] = []
        for each in ours:
            await self._take_out(each)
            lines.append(f"Codeg is taken out of {each.where}.")
        if ruled is not None and ruled[1] is not None:
            self._take(ruled[0], "json", ruled[2].path)
            lines.append(f"The rule that let its tools run without asking is taken out of {ruled[0].path}.")
        file = located(self.program, self.scope, self.around.place)[0].path
        return self._done(lines, f"{self.program.label} has no entry of Codeg in {file}.", self._left())

    def show(self, *, approve: bool) -> Outcome:
        """What `add` would write, and where; changes nothing and starts nothing."""
        program, place = self.program, self.around.place
        command = self._command()
        entry = entries.entry(program, command, approve=approve)
        file = next((path for path in program.files(self.scope, place) if os.path.exists(path)), None)
        lines = [f"In {file or program.files(self.scope, place)[0]}:"]
        snippet = documents.snippet(program.form, program.path, entry)
        if program.by_command:
            words = (program.command, "mcp", "add-json", "--scope", self.scope, SERVER_NAME, json.dumps(entry))
            lines.insert(0, f"{shlex.join(words)}  does this, or by hand:")
        if approve and program.rule:
            lines.append(f"The second part belongs in {program.rule.file(self.scope, place)}.")
            snippet += documents.snippet("json", program.rule.path, program.rule.value)
        return Outcome(False, tuple(lines), self._warned(approve=approve), snippet)

    def _command(self) -> entries.Command:
        command = entries.companion_command(self.around.home, self.around.python)
        try:
            "".join(command).encode()
        except UnicodeEncodeError as error:
            raise UserError("invalid_arguments", "A path that is not UTF-8 cannot stand in these files.") from error
        return command

    # ---- by the program's own command

    def _own_command(self) -> str | None:
        return self.around.find(self.program.command) if self.program.by_command else None

    async def _add_by(self, own: str, held: Held, wanted: Json) -> None:
        words = ("mcp", "add-json", "--scope", self.scope, SERVER_NAME, json.dumps(wanted, ensure_ascii=False))
        await self._run(own, words, self.around.place.folder)
        there = value_in(hold(held.path), self.program.form, self.program.path)
        if entries.read(self.program, there).command != entries.read(self.program, wanted).command:
            said = f"{self.program.command} mcp add-json said that all went well, but {held.path} has no such entry."
            raise UserError("conflict", said)

    async def _take_out(self, standing: Standing) -> None:
        own = self._own_command()
        # A name with a dash in front would be read as a switch.
        if not own or standing.name.startswith("-"):
            self._take(hold(standing.file), self.program.form, standing.path)
            return
        scope, folder = ("local", standing.folder) if standing.folder else (self.scope, self.around.place.folder)
        await self._run(own, ("mcp", "remove", "--scope", scope, standing.name), folder)
        if value_in(hold(standing.file), self.program.form, standing.path) is not None:
            command = f"{self.program.command} mcp remove"
            raise UserError(
                "conflict", f"{command} said that all went well, but the entry is still in {standing.where}."
            )

    async def _run(self, own: str, words: tuple[str, ...], folder: str) -> None:
        env = {**self.around.place.env, "PATH": self.around.path}
        ran = await run_command((own, *words), env, folder)
        if ran is None or not ran.ok:
            why = f"it did not end within {COMMAND_S:.0f} s" if ran is None else ran.said.rstrip(".")
            raise UserError("conflict", f"{self.program.command} {words[0]} {words[1]} failed: {why}.")

    # ---- by the file

    def _put(self, held: Held, form: Form, path: Path, value: Any) -> None:
        try:
            text = documents.with_entry(held.text, form, path, value)
        except BrokenText as fault:
            raise broken(held.path, fault) from fault
        replace(held, text, private=self.scope == "user")

    def _take(self, held: Held, form: Form, path: Path) -> None:
        try:
            text = documents.without_entry(held.text, form, path)
        except BrokenText as fault:
            raise broken(held.path, fault) from fault
        replace(held, text, private=self.scope == "user")

    def _rule_file(self) -> "tuple[Held, Any, Rule] | None":
        """The file of the rule, what stands there of it, and the rule; read before anything is written."""
        rule = self.program.rule
        if rule is None:
            return None
        held = hold(rule.file(self.scope, self.around.place))
        return held, value_in(held, "json", rule.path), rule

    def _foreign(self, file: str) -> UserError:
        said = f"{file} has an MCP server named {SERVER_NAME} that is not Codeg's; rename or remove it by hand."
        return UserError("conflict", said)

    # ---- words

    def _warned(self, *, approve: bool) -> tuple[str, ...]:
        program, said = self.program, list[str]()
        if self.scope == "project":
            said.append(
                "This entry holds a path of this machine and lies in the repository; nobody else there can use it."
            )
        said += [note for scope, note in program.notes if scope == self.scope]
        if approve and not program.approval and not program.rule:
            words = "runs tools without asking unless its own `permission` says otherwise; nothing was written for it."
            said.append(f"{program.label} {words}")
        if self.around.find(program.command) is None:
            said.append(f"{program.label} was not found on this machine.")
        return tuple(said)

    def _twice(self) -> list[str]:
        """What is said of further entries of ours, which show the model every tool twice."""
        found, _ = everywhere(self.program, self.around.place)
        more = [each for each in found if each.entry.ours and each.name != SERVER_NAME]
        program = self.program
        return [
            f"{program.label} also starts Codeg by {each.where}; {program.typed('remove', each.scope)} takes it out."
            for each in more
        ]

    def _left(self) -> tuple[str, ...]:
        """What is said of entries in the other scope."""
        left = [each for each in everywhere(self.program, self.around.place)[0] if each.entry.ours]
        return tuple(
            f"Codeg is registered in {each.where} too; {self.program.typed('remove', each.scope)} takes it out there."
            for each in left
        )

    def _done(self, lines: list[str], otherwise: str, warnings: tuple[str, ...]) -> Outcome:
        """`otherwise`: what is said when nothing was changed."""
        return Outcome(changed=bool(lines), lines=tuple(lines) or (otherwise,), warnings=warnings)
