"""Which of a parent's tool calls is which delegation (contract 6, Parent's tool call).

Owns, per parent: announcements that no call has claimed, calls that no announcement has met, and ids that are used up.
A pair is made by agent, task text and the folder as given, exactly; the oldest of equals first; in either order of
arrival; never by time or order alone, so an announcement without arguments waits for them. Bounded per parent and in
parents, the oldest out first. Never touches a task.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

Key = tuple[str, str, str | None]
"""Agent, task text, folder as given (None when omitted): both sides know these."""

MOST_PARENTS = 4_096
MOST_ANNOUNCED = 1_024
MOST_CALLS = 1_024
MOST_USED = 8_192


@dataclass(slots=True)
class _Parent:
    announced: OrderedDict[str, Key | None] = field(default_factory=OrderedDict[str, Key | None])
    calls: OrderedDict[str, Key] = field(default_factory=OrderedDict[str, Key])
    used: OrderedDict[str, None] = field(default_factory=OrderedDict[str, None])

    def use(self, tool_call_id: str) -> None:
        self.announced.pop(tool_call_id, None)
        self.used[tool_call_id] = None
        if len(self.used) > MOST_USED:
            self.used.popitem(last=False)


class Matcher:
    """Ids of tool calls in, ids of tasks out, and the other way round."""

    def __init__(self) -> None:
        self._parents: OrderedDict[str, _Parent] = OrderedDict()

    def announce(self, parent_id: str, tool_call_id: str, key: Key | None, *, finished: bool) -> str | None:
        """A tool call was announced, perhaps again with more arguments or an end: the task that waits for it.

        A finished one that nobody claimed is used up, so that no later call can be bound to it.
        """
        parent = self._parent(parent_id)
        if tool_call_id in parent.used:
            return None
        task_id = next((task for task, wanted in parent.calls.items() if wanted == key), None)
        if task_id is not None:
            del parent.calls[task_id]
            parent.use(tool_call_id)
        elif not finished:
            parent.announced[tool_call_id] = key or parent.announced.get(tool_call_id)
            if len(parent.announced) > MOST_ANNOUNCED:
                parent.announced.popitem(last=False)
        elif tool_call_id in parent.announced:
            parent.use(tool_call_id)
        return task_id

    def claim(self, parent_id: str, key: Key, explicit: str) -> str:
        """A call arrived.

        Its tool call: the `explicit` id where it has one, else the oldest announcement with its key, else empty.
        """
        parent = self._parent(parent_id)
        claimed = explicit or next((call for call, known in parent.announced.items() if known == key), "")
        if claimed:
            parent.use(claimed)
        return claimed

    def expect(self, parent_id: str, key: Key, task_id: str) -> None:
        """The task's tool call has not been announced yet."""
        calls = self._parent(parent_id).calls
        calls[task_id] = key
        if len(calls) > MOST_CALLS:
            calls.popitem(last=False)

    def release(self, parent_id: str, task_id: str) -> None:
        """The task is no longer held: nothing is to be found for it."""
        if parent_id in self._parents:
            self._parents[parent_id].calls.pop(task_id, None)

    def turn_canceled(self, parent_id: str) -> None:
        """What the turn announced is used up, what it called finds nothing any more; used ids stay used."""
        if parent_id in self._parents:
            parent = self._parents[parent_id]
            parent.calls.clear()
            for tool_call_id in tuple(parent.announced):
                parent.use(tool_call_id)

    def forget(self, parent_id: str) -> None:
        """The parent is gone, with all its ids."""
        self._parents.pop(parent_id, None)

    def _parent(self, parent_id: str) -> _Parent:
        parent = self._parents.setdefault(parent_id, _Parent())
        self._parents.move_to_end(parent_id)
        if len(self._parents) > MOST_PARENTS:
            self._parents.popitem(last=False)
        return parent
