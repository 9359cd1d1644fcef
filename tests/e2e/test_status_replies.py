"""Replies of `status` from the outside: any ids, any size, any offset; every asked id is there and every byte comes once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import Companion, Json, Rig
from tests.e2e.socket_peer import Guest
from tests.support import until

pytestmark = pytest.mark.e2e
TEXT = "aä漢🙂" * 2_000
"""20,000 bytes in characters of one to four."""


@pytest.fixture
def companion(shared: Rig, tmp_path: Path) -> Companion:
    return shared.guest(tmp_path / "work")


@pytest.fixture
def guest(shared: Rig, tmp_path: Path) -> Iterator[Guest]:
    with Guest(shared, cwd=str(tmp_path)) as made:
        yield made


def done(companion: Companion, directives: str) -> str:
    task = companion.delegate("custom:fake", directives)["task_id"]
    companion.wait(task)
    return task


def size(value: Json) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def test_a_thousand_ids_known_unknown_foreign_and_repeated_are_all_answered_in_order(
    shared: Rig, companion: Companion, tmp_path: Path
) -> None:
    foreign = shared.guest(tmp_path / "foreign")
    theirs = done(foreign, "@say theirs")
    mine = [done(companion, f"@say mine{at}") for at in range(3)]
    asked = [*mine, theirs, *[f"fake-nothing-{at:012d}" for at in range(993)], mine[0], theirs, "🙂 odd"]
    assert len(asked) == 1_000
    result = companion.call("get_delegation_status", task_ids=asked, max_bytes=1_048_576)
    reports = result["structuredContent"]["tasks"]
    assert not result.get("isError")
    assert [r["task_id"] for r in reports] == list(dict.fromkeys(asked)), "each once, in the asked order"
    found = {r["task_id"]: r for r in reports}
    assert [found[task]["text"] for task in mine] == ["mine0", "mine1", "mine2"]
    assert {r["status"] for task, r in found.items() if task not in mine} == {"unknown"}
    assert "theirs" not in json.dumps([r for r in reports if r["task_id"] == theirs and r.get("text")])
    # In the default size too every id is there with its status.
    small = companion.call("get_delegation_status", task_ids=asked)["structuredContent"]["tasks"]
    assert [(r["task_id"], r["status"]) for r in small] == [(r["task_id"], r["status"]) for r in reports]


def test_over_a_thousand_ids_and_none_are_refused_in_a_sentence(companion: Companion, guest: Guest) -> None:
    for ids in ([], [f"x{at}" for at in range(1_001)]):
        refused = companion.call("get_delegation_status", task_ids=ids)
        assert refused["isError"] is True
        assert "task_ids" in refused["content"][0]["text"]
        with guest.begin("status", task_ids=ids):
            pass
        assert guest.send("status", task_ids=ids)["error"]["code"] == "invalid_request"


def test_the_bare_socket_answers_repeated_ids_in_the_asked_order(guest: Guest) -> None:
    task = guest.call("h", "custom:fake", "@say x")["task_id"]
    guest.end_of(task)
    asked = [task, "nobody", task, "nobody"]
    assert [r["task_id"] for r in guest.ask("status", task_ids=asked)["tasks"]] == asked
    waited = guest.ask("status", task_ids=asked, wait_ms=0)["tasks"]
    assert [r["status"] for r in waited] == ["completed", "unknown", "completed", "unknown"]


def test_a_wait_on_unknown_ids_alone_does_not_wait(companion: Companion) -> None:
    result = companion.call("get_delegation_status", task_ids=["nobody", "nothing"], wait_ms=0)
    assert result["isError"] is True
    assert [r["status"] for r in result["structuredContent"]["tasks"]] == ["unknown", "unknown"]


@pytest.mark.parametrize("max_bytes", [600, 1_500, 9_000, 1_048_576])
def test_slices_of_any_size_give_every_byte_once_and_cut_no_character(companion: Companion, max_bytes: int) -> None:
    task = done(companion, f"@say {TEXT}")
    pieces: list[str] = []
    offset: int | None = 0
    while offset is not None:
        reply = companion.call("get_delegation_status", task_ids=[task], result_offset=offset, max_bytes=max_bytes)
        report = reply["structuredContent"]["tasks"][0]
        assert (report["task_id"], report["status"]) == (task, "completed")
        assert report["text_bytes"] == len(TEXT.encode())
        text = report["text"]
        assert text
        assert report["text_offset"] == offset
        assert size(reply["structuredContent"]) <= max_bytes
        pieces.append(text)
        following = report.get("next_offset")
        assert following is None or following == offset + len(text.encode())
        offset = following
    assert "".join(pieces) == TEXT


def test_however_small_the_reply_must_be_id_and_status_are_there(companion: Companion) -> None:
    task = done(companion, f"@say {TEXT}")
    assert companion.status(task, max_bytes=1)[0] == {"task_id": task, "status": "completed"}


@pytest.mark.parametrize("offset", [1, 2, 3, 4, 5, 6, 9, 10, 19_999, 20_000, 20_001, 10**9])
def test_any_offset_is_answered(companion: Companion, offset: int) -> None:
    task = done(companion, f"@say {TEXT}")
    result = companion.call("get_delegation_status", task_ids=[task], result_offset=offset, max_bytes=1_048_576)
    assert not result.get("isError"), result
    report = result["structuredContent"]["tasks"][0]
    text = report.get("text", "")
    at = report.get("text_offset", offset)
    assert "\ufffd" not in text
    assert TEXT.encode()[at:] == text.encode()


def test_an_offset_that_cannot_be_is_a_sentence(companion: Companion) -> None:
    task = done(companion, "@say x")
    wrong: list[Json] = [
        {"task_ids": [task], "result_offset": -1},
        {"task_ids": [task, "other"], "result_offset": 0},
        {"task_ids": [task], "max_bytes": 0},
        {"task_ids": [task], "max_bytes": -5},
    ]
    for arguments in wrong:
        result = companion.call("get_delegation_status", **arguments)
        assert result["isError"] is True, arguments
        assert "result_offset" in result["content"][0]["text"] or "max_bytes" in result["content"][0]["text"]


def test_a_running_task_shows_what_it_does_and_no_text(companion: Companion, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    task = companion.delegate("custom:fake", f"@say working on it @usage 5 100 @wait {gate}")["task_id"]
    report = until(lambda: _active(companion, task), "the activity shows")
    assert "text" not in report
    assert report["usage"]["context_used"] == 5
    offset = companion.status(task, result_offset=0)[0]
    assert offset["status"] == "running"
    gate.touch()
    done_report = companion.wait(task)
    assert (done_report["usage"]["input_tokens"], done_report["usage"]["cost"]["currency"]) == (11, "USD")
    assert done_report["duration_ms"] >= 0
    assert done_report["created_at"] <= done_report["started_at"] <= done_report["ended_at"]


def _active(companion: Companion, task: str) -> Json | None:
    report = companion.status(task)[0]
    return report if report.get("activity", {}).get("line") and "usage" in report else None


def test_text_and_structure_of_a_reply_carry_the_same_facts(companion: Companion) -> None:
    task = done(companion, f"@say {TEXT}")
    result = companion.call("get_delegation_status", task_ids=[task, "nobody"])
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert size(result["structuredContent"]) <= 9_000
    report = result["structuredContent"]["tasks"][0]
    assert 0 < report["next_offset"] < report["text_bytes"]
    assert str(report["next_offset"]) in report["message"]
    acknowledged = companion.call("delegate_to_agent", agent_type="custom:fake", task="@say x")
    text = acknowledged["content"][0]["text"]
    assert acknowledged["structuredContent"]["status"] in text
    assert "get_delegation_status" in text


def test_twenty_large_results_fit_one_reply(companion: Companion) -> None:
    tasks = [companion.delegate("custom:fake", f"@say {TEXT}")["task_id"] for _ in range(5)]
    for task in tasks:
        companion.wait(task)
    result = companion.call("get_delegation_status", task_ids=tasks)
    assert size(result["structuredContent"]) <= 9_000
    for task, report in zip(tasks, result["structuredContent"]["tasks"], strict=True):
        assert (report["task_id"], report["status"]) == (task, "completed")
        assert report["text_bytes"] == len(TEXT.encode())


def test_a_task_blocked_further_down_shows_on_its_ancestors_and_wakes_their_waits(
    shared: Rig, companion: Companion
) -> None:
    task = companion.delegate("custom:fake", "@delegate custom:fake {@perm 1 @say allowed}")["task_id"]
    report = until(lambda: _blocked(companion, task), "the ancestor shows the block")
    assert report["blocked_on"]["kind"] == "permission"
    request = report["blocked_on"]["request_id"]
    ask = next(a for a in shared.codeg_json("asks") if a["request_id"] == request)
    option = next(o["id"] for o in ask["options"] if o["kind"] == "allow_once")
    assert shared.codeg("answer", request, "--option", option).returncode == 0
    assert "allowed" in companion.wait(task)["text"]


def _blocked(companion: Companion, task: str) -> Json | None:
    report = companion.status(task, wait_ms=5_000)[0]
    return report if "blocked_on" in report else None
