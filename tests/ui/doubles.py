"""Orders without a host: what was asked for is recorded, and the test answers.

Keeps the promise of `ui.orders.Orders`: every order returns at once, and an answer comes later, in the order of the
orders. What is looked at is answered from what the double was given, at the next turn of the event loop or at once by
`settle`; everything else waits for the test's `answer` or `refuse`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QTimer

from codeg.api import Answer, Entry, McpOutcome, RootFacts, SessionRecord, Settings, TaskView
from ui.orders import AgentInfo, AgentProbe, Failed, Hit, Registration, Then
from ui.viewmodels.asks import AskDetail, Picked
from ui.viewmodels.rows import Image
from ui.viewmodels.world import World

_NOTHING: Any = object()
Answered = Callable[[Any], None]


@dataclass(slots=True)
class Order:
    """One order as it came. `given`: its arguments by name."""

    name: str
    given: dict[str, Any]
    then: Answered | None = None
    failed: Failed = None
    natural: Any = _NOTHING
    """What it is answered with when the test says nothing else."""
    done: bool = field(default=False)


class OrdersDouble:
    """`orders`: everything in its order. `auto` False: what has a natural answer waits for `settle` as well."""

    def __init__(
        self,
        world: World | None = None,
        *,
        entries: Mapping[str, Sequence[Entry]] | None = None,
        details: Mapping[str, dict[str, Any]] | None = None,
        auto: bool = True,
    ) -> None:
        self.world = world or World()
        self.entries_held = {session_id: tuple(held) for session_id, held in (entries or {}).items()}
        self.details = dict(details or {})
        self.facts_held: dict[str, RootFacts] = {}
        self.results: dict[str, str] = {}
        self.tails: dict[str, tuple[str, ...]] = {}
        self.hits: tuple[Hit, ...] = ()
        self.files_held: tuple[str, ...] = ()
        self.memory: dict[str, str] = {}
        self.registrations_held: tuple[Registration, ...] = ()
        self.refusals: list[str] = []
        """Sentences that no `failed` took: the message bar would show them."""
        self.auto = auto
        self.orders: list[Order] = []
        self._stopped = False

    # ---- for tests

    def all(self, name: str) -> list[Order]:
        """Orders of that name, oldest first."""
        return [order for order in self.orders if order.name == name]

    def last(self, name: str | None = None) -> Order:
        """The newest order, or the newest of that name."""
        found = self.orders if name is None else self.all(name)
        assert found, f"nothing was ordered: {name or 'anything'}"
        return found[-1]

    def names(self) -> list[str]:
        """What was ordered, in order."""
        return [order.name for order in self.orders]

    def answer(self, order: Order, value: Any = None) -> None:
        """The host's answer to one order."""
        assert not order.done, f"{order.name} was answered before"
        order.done = True
        if order.then is not None and not self._stopped:
            order.then(value)

    def refuse(self, order: Order, sentence: str) -> None:
        """The host says no."""
        assert not order.done, f"{order.name} was answered before"
        order.done = True
        if self._stopped:
            return
        if order.failed is not None:
            order.failed(sentence)
        else:
            self.refusals.append(sentence)

    def settle(self) -> None:
        """Answer everything open that has a natural answer, and what is ordered meanwhile."""
        while open_orders := [order for order in self.orders if not order.done and order.natural is not _NOTHING]:
            for order in open_orders:
                self.answer(order, order.natural)

    def stop(self) -> None:
        """The window closes: nothing is called any more."""
        self._stopped = True

    def _order(
        self, name: str, given: dict[str, Any], then: Any = None, failed: Failed = None, natural: Any = _NOTHING
    ) -> None:
        if self._stopped:
            return
        order = Order(name, given, then, failed, natural)
        self.orders.append(order)
        if self.auto and natural is not _NOTHING:
            QTimer.singleShot(0, self.world, self.settle)

    # ---- looking

    def entries(self, session_id: str, after_seq: int, limit: int, then: Callable[[tuple[Entry, ...]], None]) -> None:
        """From `entries_held`."""
        page = tuple(entry for entry in self.entries_held.get(session_id, ()) if entry.seq > after_seq)[:limit]
        given = {"session_id": session_id, "after_seq": after_seq, "limit": limit}
        self._order("entries", given, then, natural=page)

    def notes(self, session_id: str) -> None:
        """The world of the double has them already."""
        self._order("notes", {"session_id": session_id}, natural=None)

    def result(self, task_id: str, then: Callable[[str], None]) -> None:
        """From `results`, else the gist of its end."""
        view = self.world.task(task_id)
        gist = view.record.end.gist if view is not None and view.record.end is not None else ""
        self._order("result", {"task_id": task_id}, then, natural=self.results.get(task_id, gist))

    def ask_detail(self, request_id: str, then: Callable[[AskDetail], None]) -> None:
        """From `details`."""
        detail = AskDetail(request_id, self.details.get(request_id, {}))
        self._order("ask_detail", {"request_id": request_id}, then, natural=detail)

    def facts(self, session_id: str, then: Callable[[RootFacts | None], None]) -> None:
        """From `facts_held`."""
        self._order("facts", {"session_id": session_id}, then, natural=self.facts_held.get(session_id))

    def stderr_tail(self, session_id: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """From `tails`."""
        self._order("stderr_tail", {"session_id": session_id}, then, natural=self.tails.get(session_id, ()))

    def search(self, text: str, then: Callable[[tuple[Hit, ...]], None]) -> None:
        """From `hits`."""
        self._order("search", {"text": text}, then, natural=self.hits)

    def files(self, folder: str, then: Callable[[tuple[str, ...]], None]) -> None:
        """From `files_held`."""
        self._order("files", {"folder": folder}, then, natural=self.files_held)

    def older_sessions(self, before: str, then: Callable[[tuple[SessionRecord, ...]], None]) -> None:
        """There are none."""
        self._order("older_sessions", {"before": before}, then, natural=())

    def older_tasks(self, before: str, then: Callable[[tuple[TaskView, ...]], None]) -> None:
        """There are none."""
        self._order("older_tasks", {"before": before}, then, natural=())

    # ---- talking

    def open_session(self, agent: str, folder: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Recorded; the test gives the id."""
        self._order("open_session", {"agent": agent, "folder": folder}, then, failed)

    def reopen(self, session_id: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("reopen", {"session_id": session_id}, then, failed)

    def prompt(
        self,
        session_id: str,
        text: str,
        images: Sequence[Image] = (),
        note_ids: Sequence[str] = (),
        *,
        then: Then[None] = None,
        failed: Failed = None,
    ) -> None:
        """Recorded."""
        given = {"session_id": session_id, "text": text, "images": tuple(images), "note_ids": tuple(note_ids)}
        self._order("prompt", given, then, failed)

    def note(self, session_id: str, text: str, *, then: Then[str] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("note", {"session_id": session_id, "text": text}, then, failed)

    def cancel_turn(self, session_id: str) -> None:
        """Recorded."""
        self._order("cancel_turn", {"session_id": session_id})

    def close_session(self, session_id: str) -> None:
        """Recorded."""
        self._order("close_session", {"session_id": session_id})

    def set_mode(self, session_id: str, mode: str) -> None:
        """Recorded."""
        self._order("set_mode", {"session_id": session_id, "mode": mode})

    def set_option(self, session_id: str, option: str, value: str) -> None:
        """Recorded."""
        self._order("set_option", {"session_id": session_id, "option": option, "value": value})

    # ---- children

    def delegate(
        self,
        session_id: str,
        agent: str,
        task: str,
        folder: str | None = None,
        *,
        then: Then[Answer] = None,
        failed: Failed = None,
    ) -> None:
        """Recorded."""
        given = {"session_id": session_id, "agent": agent, "task": task, "folder": folder}
        self._order("delegate", given, then, failed)

    def cancel_task(self, task_id: str) -> None:
        """Recorded."""
        self._order("cancel_task", {"task_id": task_id})

    def resume_task(self, task_id: str) -> None:
        """Recorded."""
        self._order("resume_task", {"task_id": task_id})

    def start_now(self, task_id: str) -> None:
        """Recorded."""
        self._order("start_now", {"task_id": task_id})

    def follow_up(self, task_id: str, text: str, *, then: Then[Answer] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("follow_up", {"task_id": task_id, "text": text}, then, failed)

    # ---- answers

    def answer_option(self, request_id: str, option_id: str, note: str = "", *, failed: Failed = None) -> None:
        """Recorded."""
        given = {"request_id": request_id, "option_id": option_id, "note": note}
        self._order("answer_option", given, None, failed)

    def answer_questions(self, request_id: str, picked: tuple[Picked, ...], *, failed: Failed = None) -> None:
        """Recorded."""
        self._order("answer_questions", {"request_id": request_id, "picked": picked}, None, failed)

    def decline(self, request_id: str, *, failed: Failed = None) -> None:
        """Recorded."""
        self._order("decline", {"request_id": request_id}, None, failed)

    # ---- the list of sessions

    def rename(self, session_id: str, title: str) -> None:
        """Recorded."""
        self._order("rename", {"session_id": session_id, "title": title})

    def mark(
        self, session_id: str, *, pinned: bool | None = None, archived: bool | None = None, seen: bool | None = None
    ) -> None:
        """Recorded; only what was given."""
        given = {"pinned": pinned, "archived": archived, "seen": seen}
        marks = {name: value for name, value in given.items() if value is not None}
        self._order("mark", {"session_id": session_id, **marks})

    def delete(self, session_id: str) -> None:
        """Recorded."""
        self._order("delete", {"session_id": session_id})

    # ---- agents, settings, host programs

    def look_for_agents(self, *, then: Then[tuple[AgentInfo, ...]] = None) -> None:
        """Those of the world."""
        self._order("look_for_agents", {}, then, natural=self.world.agents())

    def probe(self, agent: str, then: Callable[[AgentProbe], None], step: Callable[[str], None] | None = None) -> None:
        """Recorded; `given["step"]` tells steps."""
        self._order("probe", {"agent": agent, "step": step}, then)

    def change_settings(
        self, changes: Mapping[str, Any], *, then: Then[Settings] = None, failed: Failed = None
    ) -> None:
        """Recorded."""
        self._order("change_settings", {"changes": dict(changes)}, then, failed)

    def save_agent(
        self,
        slug: str,
        label: str,
        command: Sequence[str],
        env: Mapping[str, str],
        *,
        then: Then[None] = None,
        failed: Failed = None,
    ) -> None:
        """Recorded."""
        given = {"slug": slug, "label": label, "command": tuple(command), "env": dict(env)}
        self._order("save_agent", given, then, failed)

    def remove_agent(self, slug: str, *, then: Then[None] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("remove_agent", {"slug": slug}, then, failed)

    def registrations(self, then: Callable[[tuple[Registration, ...]], None]) -> None:
        """From `registrations_held`."""
        self._order("registrations", {}, then, natural=self.registrations_held)

    def register(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("register", {"host": host}, then, failed)

    def unregister(self, host: str, *, then: Then[McpOutcome] = None, failed: Failed = None) -> None:
        """Recorded."""
        self._order("unregister", {"host": host}, then, failed)

    # ---- the window's own memory

    def keep(self, name: str, text: str) -> None:
        """Into `memory`."""
        self.memory[name] = text
        self._order("keep", {"name": name, "text": text})

    def kept(self, name: str, then: Callable[[str | None], None]) -> None:
        """From `memory`."""
        self._order("kept", {"name": name}, then, natural=self.memory.get(name))
