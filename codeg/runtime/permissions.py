"""Leave that agents ask the person for, and folders outside a parent's: volatile, gone with the agent that asked.

Owns which open ask belongs to which request of which connection. Never grants anything by itself. Ends with the host.
"""

import uuid
from collections.abc import Callable, Sequence

from codeg.broker.codes import BlockKind
from codeg.broker.events import Event, FolderAnswered
from codeg.runtime.asking import invalid, title_line
from codeg.runtime.asks import Ask, OpenAsks, Word
from codeg.runtime.services import UserError
from codeg.runtime.sessions import Sessions
from codeg.sessions.types import PermissionOption, PermissionRequest

FOLDER_OPTIONS = (
    PermissionOption("allow", "Allow", "allow_once"),
    PermissionOption("refuse", "Refuse", "reject_once"),
)


class Permissions:
    """Leave that agents ask for, and folders outside a parent's."""

    def __init__(
        self, open_asks: OpenAsks, sessions: Sessions, post: Callable[[Event], None], wall_ms: Callable[[], int]
    ) -> None:
        self._asks = open_asks
        self._sessions = sessions
        self._post = post
        self._wall_ms = wall_ms
        self._by_key: dict[tuple[str, str], str] = {}
        """(session id, the connection's key) to request id."""

    def asked(self, session_id: str, request: PermissionRequest, answer: Callable[[str | None], bool]) -> None:
        """An agent asks leave; `answer` hands the option (None = cancelled) to it, False when it is moot."""
        request_id = f"permission-{uuid.uuid4().hex[:16]}"
        blocks = self._sessions.attempt(session_id)

        async def settle(word: Word) -> None:  # the promise of `Ask.settle`: questions have to wait
            option = chosen_option(request.options, word)
            self.closed(session_id, request.key)
            if not answer(option):
                raise UserError("conflict", "The agent does not wait for this answer any more.")

        self._by_key[session_id, request.key] = request_id
        self._asks.add(
            Ask(
                request_id=request_id,
                kind=_kind_of(request),
                session_id=session_id,
                title=title_line(request.title),
                since_ms=self._wall_ms(),
                settle=settle,
                task_id=blocks[0] if blocks else None,
                blocks=blocks,
                options=request.options,
                detail=request.tool_call,
            )
        )

    def closed(self, session_id: str, key: str) -> None:
        """The request is answered or moot."""
        request_id = self._by_key.pop((session_id, key), None)
        if request_id is not None:
            self._asks.remove(request_id)

    def session_gone(self, session_id: str) -> None:
        """The agent has gone: nothing of it waits any more."""
        for owner, key in tuple(self._by_key):
            if owner == session_id:
                self.closed(owner, key)

    def ask_folder(self, session_id: str, task_id: str, request_id: str, title: str) -> None:
        """May this task work in a folder outside its parent's? The answer is posted as `FolderAnswered`."""

        async def settle(word: Word) -> None:  # the promise of `Ask.settle`: questions have to wait
            allowed = chosen_option(FOLDER_OPTIONS, word) == "allow"
            self._asks.remove(request_id)
            self._post(FolderAnswered(task_id=task_id, allowed=allowed))

        self._asks.add(
            Ask(
                request_id=request_id,
                kind=BlockKind.PERMISSION,
                session_id=session_id,
                title=title_line(title),
                since_ms=self._wall_ms(),
                settle=settle,
                task_id=task_id,
                options=FOLDER_OPTIONS,
            )
        )


def chosen_option(options: Sequence[PermissionOption], word: Word) -> str | None:
    """The option that the person's word means; None = cancelled, when they declined and no option says so.

    Raises:
        UserError: an option that was not offered, or none named.
    """
    if word.decline:
        return next((o.option_id for o in options if o.kind == "reject_once"), None)
    if word.option is None or word.option not in {o.option_id for o in options}:
        raise invalid(f"The option is one of: {', '.join(o.option_id for o in options)}.")
    return word.option


def _kind_of(request: PermissionRequest) -> BlockKind:
    """ACP marks leaving a plan mode as a tool call of the kind `switch_mode`."""
    return BlockKind.PLAN_APPROVAL if request.tool_call.get("kind") == "switch_mode" else BlockKind.PERMISSION
