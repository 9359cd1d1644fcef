"""All the text of a row, folded parts included: for the search and for screen readers.

Pure, no Qt.
"""

from collections.abc import Iterator

from ui.viewmodels.rows import (
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
    return "\n".join(part for part in parts_of(row) if part)


def parts_of(row: Row) -> Iterator[str]:
    """The texts of a row, each as it is held."""
    match row:
        case UserRow() | NoteRow() | MessageRow() | ThoughtRow() | NoticeRow():
            yield row.text
        case ToolRow():
            yield row.title
            if row.target != row.title:
                yield row.target
            yield row.output
            for diff in row.diffs:
                yield from (diff.path, diff.old or "", diff.new)
        case ToolGroupRow(calls=calls):
            for call in calls:
                yield from parts_of(call)
        case PollRow(times=times):
            yield tr("Checked %n times", n=times)
        case DelegationRow(task=task, failure=failure):
            yield from (task, failure)
        case PlanRow(steps=steps):
            for step in steps:
                yield step.text
        case _:
            for header, chosen in row.picks:
                yield f"{header}: {chosen}"


def holds(row: Row, needle: str) -> bool:
    """The row says the needle, which is casefolded."""
    return any(needle in part.casefold() for part in parts_of(row))
