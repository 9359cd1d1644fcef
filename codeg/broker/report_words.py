"""The sentences of a report: what a model should do next, in plain words.

Owns wording only; it decides nothing and knows no sizes. One sentence group per status (contract 6).
"""

from codeg.broker.codes import RESUMABLE_FAILURES, BlockKind, Status
from codeg.broker.tasks import Block, End, TaskView

UNKNOWN = (
    "No task of yours has this id. Check the task_id that delegate_to_agent gave you; "
    "tasks of other sessions cannot be read."
)
WAIT = "Call get_delegation_status with this task_id and wait_ms 0 to wait for it, or go on with other work."
RESUME = "Call resume_delegation with this task_id to let it go on where it stopped."

_ASKS = {
    BlockKind.PERMISSION: "a permission",
    BlockKind.QUESTION: "an answer to a question",
    BlockKind.PLAN_APPROVAL: "the approval of a plan",
}


def message_of(view: TaskView) -> str:
    """What the report of this task says, without anything about a cut text."""
    end = view.record.end
    if view.stopping:
        return "Being canceled: its processes are still ending. Ask again in a moment for the final status."
    if view.blocks and view.status in (Status.QUEUED, Status.RUNNING):
        return _blocked(view.blocks[0])
    match view.status:
        case Status.QUEUED:
            place = f" at position {view.queue_position}" if view.queue_position else ""
            return f"Queued{place}: it starts when a slot is free. {WAIT}"
        case Status.RUNNING:
            return f"{'Starting the agent.' if view.record.started_ms is None else 'Running.'} {WAIT}"
        case Status.COMPLETED:
            return _said(end) or "Completed."
        case Status.FAILED:
            return _joined(_said(end) or "Failed.", view)
        case Status.CANCELED:
            return _joined(_said(end) or "Canceled.", view)
        case Status.INTERRUPTED:
            return _joined(_said(end) or "The host ended while this task was at work.", view)
        case _:
            return UNKNOWN


def acknowledged(task_id: str, message: str) -> str:
    """The message of a `delegate_to_agent` reply: it begins with the id, since some models are shown nothing else."""
    return f"task_id={task_id}\n{message}"


def cut_hint(offset: int, next_offset: int, whole: int, *, shown: bool) -> str:
    """How to read on in a text of `whole` bytes of which `offset` to `next_offset` are shown, or none at all."""
    how = f"call get_delegation_status with this task_id alone and result_offset {next_offset}"
    if not shown:
        return f"The text ({whole} bytes) did not fit into this reply: to read it, {how}."
    return f"The text was cut: bytes {offset} to {next_offset} of {whole} are shown. To read on, {how}."


def resumable(view: TaskView) -> bool:
    """A resume of this ended task may succeed (contract 6, resume_delegation)."""
    record = view.record
    if record.folder_question is not None or (record.prompt_accepted and record.resume_via == "none"):
        return False
    if view.status is Status.FAILED:
        return record.end is not None and record.end.code in RESUMABLE_FAILURES
    return view.status in (Status.CANCELED, Status.INTERRUPTED)


def _blocked(block: Block) -> str:
    title = f": {block.title}" if block.title else ""
    return (
        f"Waiting for the person to give {_ASKS[block.kind]}{title}\n"
        f"Tell the user that it waits for them in Codeg, then call get_delegation_status again with wait_ms 0."
    )


def _said(end: End | None) -> str:
    return (end.message or "").strip() if end else ""


def _joined(message: str, view: TaskView) -> str:
    return f"{message}\n{RESUME}" if resumable(view) else message
