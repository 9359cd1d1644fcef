"""`codeg run`: one session, streamed to the terminal until its turn and its tasks have ended.

Owns the order of the screen and Ctrl-C: the first cancels, the second ends at once (the keepers end what runs). Exit 0
if all went well, else 1.
"""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import anyio
from rich.console import Console

from codeg import api
from codeg.cli import output, signals
from codeg.cli.asking import ask_person
from codeg.cli.feeds import Feed, open_feed
from codeg.cli.interrupts import Interrupts
from codeg.cli.tree import Board, LiveTree, show_answer
from codeg.cli.words import on_one_line, one_line, safe, why

Json = dict[str, Any]


GIVE_UP_S: Final = 2.0
"""For the cancel of a run that can be shown no more."""


class Screen(Protocol):
    """What is done with each event."""

    def show(self, event: Json) -> None:
        """One event, in order."""
        ...

    async def attend(self, feed: Feed) -> None:
        """Ask the person what waits for them, until cancelled."""
        ...

    def close(self) -> None:
        """The run is over or given up."""
        ...


class JsonScreen:
    """One object a line and nothing else."""

    def show(self, event: Json) -> None:
        """Print it."""
        output.as_json(event)
        sys.stdout.flush()

    async def attend(self, feed: Feed) -> None:
        """Nobody is asked here."""

    def close(self) -> None:
        """Nothing is held."""


class PlainScreen:
    """Plain lines: a line for each change of a task, the session's answer at the end."""

    def __init__(self) -> None:
        self._shown: dict[str, str] = {}

    def show(self, event: Json) -> None:
        """Print what is new."""
        match event["event"]:
            case "session":
                print(safe(f"session {event['id']} on {event['agent']} in {event['cwd']}"), flush=True)
            case "delegation":
                self._delegation(event)
            case "ask":
                self._ask(event)
            case "end":
                print("\n" + "\n\n".join(part for part in (safe(event["text"]), why(event)) if part), flush=True)
            case _:
                pass

    def _ask(self, ask: Json) -> None:
        if ask.get("outcome") != "closed":
            print(f"[?] {on_one_line(ask.get('title', ''))} {on_one_line(ask.get('message', ''))}".rstrip(), flush=True)

    async def attend(self, feed: Feed) -> None:
        """Nobody is asked here."""

    def _delegation(self, report: Json) -> None:
        key = f"{report['status']}{report.get('stopping')}{report.get('blocked_on')}{report.get('started_at')}"
        if self._shown.get(report["task_id"]) != key:
            self._shown[report["task_id"]] = key
            print(one_line(report), flush=True)

    def close(self) -> None:
        """Nothing is held."""


class TreeScreen:
    """The live tree, with the person to ask: one prompt at a time, withdrawn when somebody else answers first."""

    def __init__(self, agent: str, prompt: str) -> None:
        self._console = Console(highlight=False, markup=False, emoji=False)
        self._board = Board(agent, prompt)
        self._live = LiveTree(self._console, self._board)
        self._live.start()
        self._waiting: deque[Json] = deque()
        self._more = anyio.Event()
        self._asking: tuple[str, anyio.CancelScope] | None = None
        self._open = True

    def show(self, event: Json) -> None:
        """Draw what is new; keep for the person what waits for them."""
        match event["event"]:
            case "delegation":
                self._board.take(event)
            case "entry":
                self._board.line = _line_of(event)
            case "ask" if "outcome" not in event and event.get("kind") != "note":
                self._waiting.append(event)
                self._more.set()
            case "ask":
                self._settled(event)
            case "end":
                self.close()
                show_answer(self._console, event["text"], why(event))
            case _:
                pass

    def _settled(self, event: Json) -> None:
        """Somebody else answered, or it was withdrawn."""
        request = event["request_id"]
        if self._asking is not None and self._asking[0] == request:
            self._asking[1].cancel()
        for ask in [ask for ask in self._waiting if ask["request_id"] == request]:
            self._waiting.remove(ask)
        if event.get("message") or event.get("kind") == "note":
            words = f"[{event['kind']}] {event.get('title', '')} {event.get('message', '')}"
            self._console.print(safe(words))

    async def attend(self, feed: Feed) -> None:
        """Put each ask to the person, until cancelled."""
        while True:
            if not self._waiting:
                self._more = anyio.Event()
                await self._more.wait()
            ask = self._waiting.popleft()
            self._live.pause()
            with anyio.CancelScope() as scope:
                self._asking = (ask["request_id"], scope)
                await ask_person(self._console, ask, feed)
            self._asking = None
            if scope.cancelled_caught:
                self._console.print("\n    withdrawn, or answered elsewhere", style="dim")
            if self._open:
                self._live.start()

    def close(self) -> None:
        """Leave the last picture."""
        if self._open:
            self._open = False
            self._live.stop()


def _line_of(entry: Json) -> str:
    if "get_delegation_status" in entry.get("title", ""):
        return "waiting for its tasks"
    text = safe(entry.get("text") or entry.get("title") or "").strip()
    return text.rsplit("\n", 1)[-1]


def run(home: str | None, order: Json, *, as_json: bool) -> int:
    """Run one session; the exit code."""
    live = not as_json and sys.stdout.isatty()
    order = {**order, "person": live and sys.stdin.isatty()}

    def screen() -> Screen:
        return JsonScreen() if as_json else TreeScreen(order["agent"], order["prompt"]) if live else PlainScreen()

    return anyio.run(_run, home, order, screen)


async def _run(home: str | None, order: Json, screen: Callable[[], Screen]) -> int:
    code = 1
    with signals.received() as told:
        async with anyio.create_task_group() as group:
            interrupts = Interrupts(group.cancel_scope.cancel)
            group.start_soon(interrupts.watch, told)
            async with open_feed(home) as feed:
                code = await _session(feed, order, screen, interrupts)
                settling = anyio.CancelScope()
                interrupts.then(settling.cancel)
                with settling:
                    await feed.settle()
            group.cancel_scope.cancel()
    return code


async def _session(feed: Feed, order: Json, make_screen: Callable[[], Screen], interrupts: Interrupts) -> int:
    code, too_early = 1, anyio.Event()
    interrupts.then(too_early.set)  # a session that is begun but not known cannot be cancelled
    session_id = await feed.start(order)
    screen = make_screen()

    def cancel() -> None:
        print("stopping; once more ends at once", file=sys.stderr, flush=True)
        group.start_soon(feed.cancel, session_id)

    async with anyio.create_task_group() as group:
        interrupts.then(cancel, screen.close)
        if too_early.is_set():
            interrupts.act()
        group.start_soon(screen.attend, feed)
        followed = False
        try:
            code = await _follow(feed, session_id, screen)
            followed = True
        finally:
            screen.close()
            if not followed:  # nobody sees it any more
                with anyio.move_on_after(GIVE_UP_S, shield=True), suppress(api.HostError, api.UserError):
                    await feed.cancel(session_id)
        group.cancel_scope.cancel()
    return code


async def _follow(feed: Feed, session_id: str, screen: Screen) -> int:
    cursor, code, ended = 0, 1, False
    while not ended:
        events, cursor, ended = await feed.events(session_id, cursor)
        for event in events:
            screen.show(event)
            if event["event"] == "end":
                code = 0 if event["ok"] else 1
    return code
