"""A result of 200 KiB in many scripts of the world: the model can read all of it, byte for byte."""

from codeg.sessions.envelopes import task_id_of
from tests.realclients.hosts.work import FAKE, delegate, end_of, one, report_in
from tests.realclients.machine import Machine
from tests.realclients.matrix import Cell
from tests.realclients.model import Seen, Turn, marked, say
from tests.realclients.programs import HostProgram

SIZE = 200 * 1024
PIECES = ("Grüße, 世界 ", "שלום\n", "🎨👩‍👩‍👧", 'say "x" \\ \t', "é\u0301 \u2028", "{}[]<b>&amp;</b>\r\n", "a" * 90)


def large() -> str:
    """200 KiB of UTF-8 whose every part differs from every other."""
    text, number = "", 0
    while len(text.encode()) < SIZE:
        text += f"{number:05d} {PIECES[number % len(PIECES)]}"
        number += 1
    return text


def test_a_large_result_is_read_whole(registered: HostProgram, machine: Machine, cell: Cell) -> None:
    program, model, whole = registered, machine.model, large()
    cell("hosts", program.label, program.version, "sizes")
    file = machine.temporary / "large"
    file.write_text(whole, encoding="utf-8", newline="")

    def script(seen: Seen) -> Turn:
        if not seen.results:
            return delegate(program, FAKE, f"@read {file}")
        task_ids = [task_id_of(seen.results[0])]
        if len(seen.results) == 1:
            return one(program, "get_delegation_status", task_ids=task_ids, wait_ms=30_000)
        following = report_in(seen.last).get("next_offset")
        if following is None:
            return say("END")
        return one(program, "get_delegation_status", task_ids=task_ids, result_offset=following)

    model.script("go", script)
    end_of(program.start(machine, f"go {marked('go')}"))
    pages = [report_in(each) for each in model.results("go")[1:]]
    assert pages[0]["text_bytes"] == len(whole.encode())
    assert "".join(page["text"] for page in pages) == whole
