"""Effects of the ledger, carried out: each goes to the part of the shell that can do it.

Owns the mapping only. It never blocks, and an effect that cannot even be begun comes back to the ledger as an event.
Ends with the loop that calls it.
"""

import logging

from codeg.broker.codes import Code
from codeg.broker.effects import Announce, AskFolder, Effect, SendPrompt, SpawnChild, StopChild, WithdrawAsk
from codeg.broker.events import ChildGone, ChildStartFailed
from codeg.runtime.children import Children
from codeg.runtime.conversation import Surroundings
from codeg.runtime.snapshots import TaskChanged

logger = logging.getLogger(__name__)


class Performer:
    """Call `perform` with each effect in the order in which it may leave."""

    def __init__(self, around: Surroundings, children: Children) -> None:
        self._around = around
        self._children = children

    def perform(self, effect: Effect) -> None:
        """Begin it. `Persist`, `Reply` and `WakeAt` are the loop's own and do nothing here."""
        match effect:
            case SpawnChild():
                self._spawn(effect)
            case SendPrompt():
                self._children.prompt(effect)
            case StopChild():
                self._children.stop(effect)
            case Announce(view=view):
                self._around.snapshots.tell(TaskChanged(view))
            case AskFolder():
                self._ask_folder(effect)
            case WithdrawAsk(request_id=request_id):
                self._around.desk.withdraw(request_id)
            case _:
                pass

    def _spawn(self, effect: SpawnChild) -> None:
        try:
            self._children.spawn(effect)
        except Exception:
            logger.exception("task %s could not be begun", effect.record.task_id)
            key = (effect.record.task_id, effect.record.attempt)
            sentence = "The host could not begin this task; its log says why."
            self._around.post(ChildStartFailed(*key, code=Code.SPAWN_FAILED, message=sentence))
            self._around.post(ChildGone(*key))

    def _ask_folder(self, effect: AskFolder) -> None:
        record = effect.record
        self._around.desk.permissions.ask_folder(
            record.parent_id,
            record.task_id,
            effect.request_id,
            f"May {record.agent_type} work in {record.working_dir}, outside the session's folder?",
        )
