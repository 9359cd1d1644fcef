"""A session sink that remembers, and checks the promises that every sink may rely on."""

from dataclasses import dataclass, field
from typing import Any

from codeg.sessions.connection import AgentFailure
from codeg.sessions.types import Entry, PermissionRequest, ProcessStarted, ThreadChange, TurnUsage


@dataclass
class RecordingSink:
    """`log`: every call, in order, as (name, value). `entries`: the conversation as a reader of the changes sees it."""

    first_seq: int = 0
    log: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    entries: list[Entry] = field(default_factory=list[Entry])
    open_permissions: dict[str, PermissionRequest] = field(default_factory=dict[str, PermissionRequest])

    def process_started(self, process: ProcessStarted) -> None:
        assert not self.log, "the process is told first, and once"
        self.log.append(("process_started", process))

    def changed(self, change: ThreadChange) -> None:
        at = change.entry.seq - self.first_seq
        if change.kind == "added":
            assert at == len(self.entries), "new entries come in the order of their numbers"
            self.entries.append(change.entry)
        else:
            assert self.entries[at].kind == change.entry.kind
            self.entries[at] = change.entry
        self.log.append(("changed", change))

    def permission_asked(self, request: PermissionRequest) -> None:
        assert request.key not in self.open_permissions
        self.open_permissions[request.key] = request
        self.log.append(("permission_asked", request))

    def permission_closed(self, key: str) -> None:
        del self.open_permissions[key]
        self.log.append(("permission_closed", key))

    def usage_changed(self, usage: TurnUsage) -> None:
        self.log.append(("usage_changed", usage))

    def options_changed(self) -> None:
        self.log.append(("options_changed", None))

    def exited(self, failure: AgentFailure) -> None:
        assert not self.of("exited"), "told once"
        self.log.append(("exited", failure))

    def of(self, name: str) -> list[Any]:
        """The values of all calls of this name."""
        return [value for called, value in self.log if called == name]

    def texts(self, kind: str) -> list[str]:
        """The texts of all entries of this kind."""
        return [entry.text for entry in self.entries if entry.kind == kind]
