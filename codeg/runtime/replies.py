"""Answers of the ledger as replies: reports with as much text as the asker may see (contract 6, Reply size).

Owns the order of work that keeps a big question cheap: first what would be shown without texts, then only those bytes
of texts that have room. It asks nothing of the ledger but what live children do now.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from codeg.broker.codes import Status
from codeg.broker.report_fit import DEFAULT_BYTES, fit, only_ids_fit, text_shares
from codeg.broker.report_text import TextSlice, align, fetch_from
from codeg.broker.reports import Report, bare, report_of, text_size
from codeg.broker.tasks import Answer, Refused, TaskView
from codeg.runtime.services import BrokerPort

_SPARE = 8
"""Bytes read beyond a share, so that a character at either end is whole."""
NOT_KEPT = "Its text is not stored any more."


@dataclass(frozen=True, slots=True)
class Wish:
    """How a reply shall be.

    `offset`: byte from which the one text is read (None = from its beginning, as far as it has room).
    """

    max_bytes: int = DEFAULT_BYTES
    offset: int | None = None
    acknowledge: bool = False
    texts: bool = True


class Replies:
    """Makes reports for the doors."""

    def __init__(self, broker: BrokerPort) -> None:
        self._broker = broker

    def at_once(self, answers: Sequence[Answer], wish: Wish) -> list[Report] | None:
        """The reports, if no text has to be fetched for them; else None."""
        if only_ids_fit([_id_of(answer) for answer in answers], wish.max_bytes):
            return [bare(answer) for answer in answers]
        if wish.texts and any(text_size(answer) for answer in answers):
            return None
        return fit([self._report(answer, wish) for answer in answers], wish.max_bytes)

    async def whole(self, answers: Sequence[Answer], wish: Wish) -> list[Report]:
        """The reports, with texts."""
        at_once = self.at_once(answers, wish)
        if at_once is not None:
            return at_once
        keep, offset = wish.offset is not None, wish.offset or 0
        reports = [self._report(answer, wish) for answer in answers]
        sizes = [max(0, text_size(answer) - offset) for answer in answers]
        shares = text_shares(reports, wish.max_bytes, sizes, keep_text=keep)
        shown = [index for index, share in enumerate(shares) if share or (keep and text_size(answers[index]))]
        start = fetch_from(offset)
        wanted = [(_id_of(answers[index]), start, offset - start + shares[index] + _SPARE) for index in shown]
        for index, data in zip(shown, await self._broker.results(wanted), strict=True):
            reports[index] = self._with_text(answers[index], offset, data, wish)
        return fit(reports, wish.max_bytes, keep_text=keep)

    def _with_text(self, answer: Answer, offset: int, data: bytes, wish: Wish) -> Report:
        size, start = text_size(answer), fetch_from(offset)
        if offset >= size:
            return self._report(answer, wish, TextSlice(size, b""))
        found = align(start, data, offset, last=start + len(data) >= size)
        report = self._report(answer, wish, found)
        if not found.data:
            for key in ("text", "text_offset", "next_offset", "text_bytes"):
                report.pop(key, None)
            report["message"] = f"{report['message']} {NOT_KEPT}"
        return report

    def _report(self, answer: Answer, wish: Wish, text: TextSlice | None = None) -> Report:
        activity = None
        if isinstance(answer, TaskView) and answer.status is Status.RUNNING:
            activity = self._broker.activity(answer.record.task_id)
        report = report_of(answer, activity=activity, text=text, acknowledge=wish.acknowledge)
        if not wish.texts:
            report.pop("next_offset", None)
        return report


def _id_of(answer: Answer) -> str:
    if isinstance(answer, TaskView):
        return answer.record.task_id
    if isinstance(answer, Refused):
        return "" if answer.view is None else answer.view.record.task_id
    return answer.task_id
