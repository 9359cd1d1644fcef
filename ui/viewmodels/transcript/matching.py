"""Which task belongs to which call of `delegate_to_agent`.

Pure, no Qt. The host's word goes first (the tool call that it matched), then the answer's task id, then agent and task
text in order, as the ledger pairs them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from codeg.api import TaskView


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `task_id`: as its answer names it, "" = not answered."""

    seq: int
    call_id: str
    agent: str
    task: str
    task_id: str


def match(calls: Sequence[Call], tasks: Sequence[TaskView]) -> dict[int, str]:
    """Task ids by the number of the entry that called for them; each task at most once."""
    found: dict[int, str] = {}
    free = {view.record.task_id: view.record for view in tasks}
    by_call = {record.tool_use_id: task_id for task_id, record in free.items() if record.tool_use_id}
    for call in calls:
        task_id = by_call.get(call.call_id) if call.call_id else None
        if task_id is not None and task_id in free:
            found[call.seq] = task_id
            del free[task_id]
    for call in calls:
        if call.seq not in found and call.task_id in free:
            found[call.seq] = call.task_id
            del free[call.task_id]
    for call in calls:
        if call.seq in found or call.task_id or not call.task:
            continue
        same = (
            task_id
            for task_id, record in free.items()
            if not record.by_person
            and record.agent_type == call.agent
            and record.task_text.strip() == call.task.strip()
        )
        task_id = next(same, None)
        if task_id is not None:
            found[call.seq] = task_id
            del free[task_id]
    return found
