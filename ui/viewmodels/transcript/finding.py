"""All the text of a row, folded parts included: for the search and for screen readers.

Pure, no Qt.
"""

from ui.viewmodels.rows import (
    AnsweredRow,
    DelegationRow,
    MessageRow,
    NoteRow,
    NoticeRow,
    PlanRow,
    PollRow,
    Row,
    ThoughtRow,
    ToolGroupRow,
    ToolRow,
    UserRow,
)
from ui.wording import tr


def text_of(row: Row) -> str:
    """What the row says."""
    match row:
        case UserRow() | NoteRow() | MessageRow() | ThoughtRow() | NoticeRow():
            return row.text
        case ToolRow():
            changes = [part for diff in row.diffs for part in (diff.path, diff.old or "", diff.new)]
            return "\n".join([row.title, row.target, row.output, *changes])
        case ToolGroupRow(calls=calls):
            return "\n".join(text_of(call) for call in calls)
        case PollRow(times=times):
            return tr("Checked %n times", n=times)
        case DelegationRow(task=task, failure=failure):
            return f"{task}\n{failure}".strip()
        case PlanRow(steps=steps):
            return "\n".join(step.text for step in steps)
        case AnsweredRow(picks=picks):
            return "\n".join(f"{header}: {chosen}" for header, chosen in picks)
