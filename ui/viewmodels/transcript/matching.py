"""Which task belongs to which call of `delegate_to_agent`, and which question set to which call that asked it.

Pure, no Qt; costs what calls and tasks there are. The host's word goes first (the tool call that it matched), then the
id in the call's answer, then what the call says, in order, as the ledger pairs them.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from codeg.api import QuestionRecord, TaskView
from ui.viewmodels.transcript.reading import Asking, Delegating


def match_tasks(calls: Sequence[Delegating], tasks: Sequence[TaskView]) -> dict[int, str]:
    """Task ids by the number of the entry that called for them; each task at most once."""
    records = {view.record.task_id: view.record for view in tasks}
    by_call = {record.tool_use_id: task_id for task_id, record in records.items() if record.tool_use_id}
    found: dict[int, str] = {}
    taken: set[str] = set()
    _claim(calls, {call.seq: by_call[call.call_id] for call in calls if call.call_id in by_call}, found, taken)
    _claim(calls, {call.seq: call.task_id for call in calls if call.task_id in records}, found, taken)
    waiting: dict[tuple[str, str], deque[str]] = {}
    for task_id, record in records.items():
        if task_id not in taken and not record.by_person:
            waiting.setdefault((record.agent_type, record.task_text.strip()), deque()).append(task_id)
    for call in calls:
        if call.seq in found or call.task_id or call.failure or not call.task:
            continue
        same = waiting.get((call.agent, call.task.strip()))
        if same:
            found[call.seq] = same.popleft()
    return found


def match_questions(calls: Sequence[Asking], records: Iterable[QuestionRecord]) -> dict[int, QuestionRecord]:
    """Question sets by the number of the entry that asked them; each set at most once."""
    by_id = {record.question_id: record for record in records}
    found: dict[int, QuestionRecord] = {}
    for call in calls:
        if call.question_id in by_id:
            found[call.seq] = by_id.pop(call.question_id)
    waiting: dict[tuple[str, ...], deque[QuestionRecord]] = {}
    for record in by_id.values():
        texts = tuple(str(question.get("question", "")) for question in record.questions)
        waiting.setdefault(texts, deque()).append(record)
    for call in calls:
        same = waiting.get(call.questions)
        if call.seq not in found and not call.question_id and same:
            found[call.seq] = same.popleft()
    return found


def _claim(calls: Sequence[Delegating], wanted: Mapping[int, str], found: dict[int, str], taken: set[str]) -> None:
    """The first call that wants a task gets it."""
    for call in calls:
        task_id = wanted.get(call.seq)
        if task_id is not None and call.seq not in found and task_id not in taken:
            found[call.seq] = task_id
            taken.add(task_id)
