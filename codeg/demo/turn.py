"""One turn of the demo agent: read the prompt, do the work, speak to the host in ACP updates.

Owns the turn's words; the session and its connection are the server's. Ends with the text it said. Says plainly that it
is no language model.
"""

import math
import os
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from anyio.to_thread import run_sync

from codeg.demo import work
from codeg.demo.delegating import PLAIN, Delegating
from codeg.demo.mcp_client import McpError, McpServer
from codeg.demo.mentions import Command, read_command, read_mentions
from codeg.demo.pipes import json_object

Json = dict[str, Any]
Update = Callable[[Json], Awaitable[None]]
Ask = Callable[[str, Json], Awaitable[Json]]
HELP = """I am the built-in demo agent. I am no language model; I know a few commands and do them for real:

- `survey`: languages, files, lines, largest files of this folder
- `todos`: marks of unfinished work, with their places
- `outline PATH`, `find TEXT`, `readme`
- `write PATH [TEXT]`: writes a file, after asking for leave
- `ask`: asks you a question
- `pause SECONDS`: works for so long, for trying stop and resume
- `@agent task`: hands the task to that agent; several in one prompt run side by side"""


class Turn:
    """One prompt's work in one session."""

    def __init__(self, cwd: str, mode: str, update: Update, ask: Ask) -> None:
        self._cwd = cwd
        self._mode = mode
        self._update = update
        self._ask = ask
        self._calls = 0
        self._said: list[str] = []
        self._stopped = False
        self._open: set[str] = set()

    @property
    def said(self) -> str:
        """All the text of the turn so far."""
        return "".join(self._said)

    async def run(self, prompt: str, server: McpServer | None, trouble: str) -> None:
        """Do what the prompt orders. `server`: the session's tools, if they answer; `trouble`: why they do not."""
        try:
            mentions = read_mentions(prompt)
            if mentions:
                if server is None or "delegate_to_agent" not in server.tools:
                    reason = trouble or "no delegation tools were given to me"
                    await self.say(f"I cannot delegate here: {reason}. {PLAIN}")
                    return
                await self.say(f"Handing on {len(mentions)} task(s).\n\n")
                report = await Delegating(self, server, mentions).run()
                await self.say(f"{report}\n\n{PLAIN}")
            else:
                command = read_command(prompt)
                await self.say(await self._obey(command, server, prompt) + f"\n\n{PLAIN}")
        finally:
            self._stopped = True
            with anyio.CancelScope(shield=True):
                for shown in tuple(self._open):
                    await self.tool_ended(shown, "stopped", ok=False)

    async def _obey(self, command: Command | None, server: McpServer | None, prompt: str) -> str:
        if command is None or command.name == "help":
            return HELP if command else f"I know no command in {prompt.strip()[:80]!r}.\n\n{HELP}"
        match command.name:
            case "write":
                return await self._write(command.argument)
            case "ask":
                return await self._question(command.argument, server)
            case "pause":
                return await self._pause(command.argument)
            case _:
                return await self._look(command)

    async def _look(self, command: Command) -> str:
        argument, stopped = command.argument, lambda: self._stopped
        does: dict[str, Callable[[], str]] = {
            "survey": lambda: work.survey(self._cwd, stopped),
            "todos": lambda: work.todos(self._cwd, stopped),
            "find": lambda: work.find(self._cwd, argument, stopped),
            "outline": lambda: work.outline(self._cwd, argument),
            "readme": lambda: work.readme(self._cwd),
        }
        await self._think(f"Looking through {os.path.basename(self._cwd) or self._cwd} for {command.name}.")
        shown = await self.tool_started(
            f"{command.name} {argument}".strip(), "search", {"folder": self._cwd, "argument": argument}
        )
        try:
            text = await run_sync(does[command.name], abandon_on_cancel=True)
        except OSError as error:
            text = f"The folder cannot be read: {error.strerror}."
        await self.tool_ended(shown, text.split("\n", 1)[0], ok=True)
        return text

    async def _pause(self, argument: str) -> str:
        try:
            seconds = float(argument or 5)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            return "Say how long: `pause SECONDS`."
        seconds = min(max(seconds, 0), 3600)
        shown = await self.tool_started(f"pause {seconds:g}", "other", {"seconds": seconds})
        whole = int(seconds)
        for second in range(whole):
            await self._think(f"{whole - second} s to go\n")
            await anyio.sleep(1)
        await anyio.sleep(seconds - whole)
        await self.tool_ended(shown, "done", ok=True)
        return f"Paused for {seconds:g} s."

    async def _write(self, argument: str) -> str:
        name, _, text = argument.partition(" ")
        target = _inside(self._cwd, name)
        if target is None:
            return "Say which file of this folder: `write PATH [TEXT]`."
        content = (text or "Written by the demo agent of Codeg.") + "\n"
        before = work.read_text(target)
        diff = {"type": "diff", "path": target, "oldText": before, "newText": content}
        shown = await self.tool_started(f"Write {name}", "edit", {"path": target}, [diff])
        if self._mode != "allow" and not await self._allowed(shown, name, diff):
            await self.tool_ended(shown, "not allowed", ok=False)
            return f"Not allowed to write {name}; nothing was changed."
        try:
            await run_sync(_write_file, target, content)
        except OSError as error:
            await self.tool_ended(shown, str(error.strerror), ok=False)
            return f"{name} could not be written: {error.strerror}."
        await self.tool_ended(shown, f"wrote {len(content.encode())} bytes", ok=True)
        return f"Wrote {name}."

    async def _allowed(self, shown: str, name: str, diff: Json) -> bool:
        options = [
            {"optionId": "allow", "name": "Allow once", "kind": "allow_once"},
            {"optionId": "always", "name": "Allow in this session", "kind": "allow_always"},
            {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
        ]
        call = {"toolCallId": shown, "title": f"Write {name}", "kind": "edit", "status": "pending", "content": [diff]}
        answer = await self._ask("session/request_permission", {"toolCall": call, "options": options})
        outcome = answer.get("outcome", {})
        if outcome.get("optionId") == "always":
            self._mode = "allow"
        return outcome.get("outcome") == "selected" and outcome.get("optionId") in {"allow", "always"}

    @property
    def mode(self) -> str:
        """The session's mode after the turn."""
        return self._mode

    async def _question(self, argument: str, server: McpServer | None) -> str:
        if server is None or "ask_user_question" not in server.tools:
            return "I cannot ask you here: no question tool was given to me."
        arguments = _one_question(argument or "What shall I do next?")
        shown = await self.tool_started(f"mcp__{server.name}__ask_user_question", "other", arguments)
        try:
            answer = await _answered(server, arguments)
        except McpError as error:
            await self.tool_ended(shown, str(error), ok=False)
            return str(error)
        state = answer.get("state", "not answered")
        await self.tool_ended(shown, str(state), ok=True)
        if state != "answered":
            return f"The question was {state}."
        said = [
            ", ".join([*item.get("selected", []), *filter(None, [item.get("other")])]) for item in answer["answers"]
        ]
        return f"You answered: {'; '.join(said)}."

    async def say(self, text: str) -> None:
        """A piece of the answer."""
        self._said.append(text)
        await self._update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})

    async def _think(self, text: str) -> None:
        await self._update({"sessionUpdate": "agent_thought_chunk", "content": {"type": "text", "text": text}})

    async def tool_started(self, title: str, kind: str, raw_input: Json, content: list[Json] | None = None) -> str:
        """Announce a tool call; returns its id."""
        self._calls += 1
        shown = f"call-{os.urandom(4).hex()}-{self._calls}"
        self._open.add(shown)
        update: Json = {
            "sessionUpdate": "tool_call",
            "toolCallId": shown,
            "title": title,
            "kind": kind,
            "status": "in_progress",
        }
        await self._update({**update, "rawInput": raw_input, "content": content or []})
        return shown

    async def tool_ended(self, tool_call_id: str, text: str, *, ok: bool) -> None:
        """Its outcome."""
        self._open.discard(tool_call_id)
        content = [{"type": "content", "content": {"type": "text", "text": text}}]
        update: Json = {"sessionUpdate": "tool_call_update", "toolCallId": tool_call_id, "content": content}
        await self._update({**update, "status": "completed" if ok else "failed"})

    async def plan(self, steps: list[tuple[str, str]]) -> None:
        """(text, status) of each step."""
        entries = [{"content": text, "status": status, "priority": "medium"} for text, status in steps]
        await self._update({"sessionUpdate": "plan", "entries": entries})


def _one_question(text: str) -> Json:
    options = [
        {"label": "Survey", "description": "Count files and lines"},
        {"label": "Todos", "description": "List marks of unfinished work"},
    ]
    return {"questions": [{"question": text, "header": "Next step", "multiSelect": False, "options": options}]}


async def _answered(server: McpServer, arguments: Json) -> Json:
    """Ask, and ask again by id for as long as the person has not answered."""
    while True:
        result = await server.call("ask_user_question", arguments)
        answer = json_object(result.get("structuredContent"))
        if answer.get("state") != "pending":
            return answer
        arguments = {"question_id": answer["question_id"]}


def _inside(folder: str, name: str) -> str | None:
    """The real path of a name below the folder; None when it is empty, leads out or is something else than a file."""
    try:
        inside, target = os.path.realpath(folder), os.path.realpath(os.path.join(folder, name))
        within = target != inside and os.path.commonpath((inside, target)) == inside
        return target if name and within and (os.path.isfile(target) or not os.path.lexists(target)) else None
    except ValueError:  # a NUL in the name, or another drive
        return None


def _write_file(path: str, content: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content)
