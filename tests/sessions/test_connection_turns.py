"""Turns of a real connection against an agent that misbehaves."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest

from codeg.sessions.connection import AgentFailure
from codeg.sessions.types import AgentDefinition, TurnResult
from tests.sessions.agent_rig import Rig

pytestmark = pytest.mark.anyio


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


async def test_a_closed_stdout_is_a_crash_although_the_agent_lives(rig: Rig) -> None:
    failure = await rig.failing_turn("@say part @closeout")
    assert failure.code == "agent_crashed"
    assert "closed its output while still running during session/prompt" in failure.message
    assert failure.text == "part"


async def test_a_grandchild_that_holds_stdout_does_not_hide_the_end(rig: Rig) -> None:
    failure = await rig.failing_turn("@say part @orphanpipe 60 @exit 0")
    assert failure.code == "agent_crashed"
    assert "exited with code 0" in failure.message
    assert "leaving now" in failure.message


async def test_an_answer_written_before_the_end_counts(rig: Rig) -> None:
    answer = '{"jsonrpc":"2.0","id":<id>,"result":{"stopReason":"end_turn"}}'
    async with rig.open() as connection:
        result = await connection.prompt(f"@big 3000000 @raw {answer} @exit 0")
        assert (result.stop_reason, len(result.text)) == ("end_turn", 3_000_000)
        await rig.until(lambda: rig.sink.of("exited"))


async def test_a_few_stray_lines_are_passed_over_and_many_end_the_turn_quoting_the_first(rig: Rig) -> None:
    assert (await rig.turn("@banner 5 @say ok @banner 900 @say .")).text == "ok."
    failure = await rig.failing_turn("@banner 5000 @say ok")
    assert failure.code == "subagent_error"
    assert "'banner line 0'" in failure.message


async def test_a_cut_message_ends_the_turn_at_once_and_is_quoted(rig: Rig) -> None:
    failure = await rig.failing_turn("@say part @badjson @noreply")
    assert failure.code == "subagent_error"
    assert '{"jsonrpc": "2.0", "meth' in failure.message
    assert failure.text == "part"


async def test_a_line_without_an_end_ends_the_turn(rig: Rig) -> None:
    failure = await rig.failing_turn("@endless")
    assert failure.code == "subagent_error"
    assert "'AAAA" in failure.message


async def test_a_large_message_arrives_whole(rig: Rig) -> None:
    assert (await rig.turn("@big 3000000")).text == "x" * 3_000_000


async def test_a_flood_on_stderr_does_not_stop_the_agent(rig: Rig) -> None:
    assert (await rig.turn("@stderr 5000000 @say ok")).text == "ok"


async def test_lines_that_are_no_messages_of_ours_are_ignored(rig: Rig) -> None:
    lines = [
        '[{"jsonrpc":"2.0","id":<id>,"result":{"stopReason":"refusal"}}]',
        '{"jsonrpc":"2.0","id":987654,"result":{"stopReason":"refusal"}}',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what"}}',
        '{"jsonrpc":"2.0","id":["<id>"],"result":{}}',
        '{"jsonrpc":"2.0","method":"_vendor/news","params":{"a":1}}',
        '{"level":"info","msg":"a log line"}',
        "null",
        "42",
    ]
    result = await rig.turn(" ".join(f"@raw {line}" for line in lines) + " @say ok")
    assert (result.stop_reason, result.text) == ("end_turn", "ok")


async def test_a_message_without_its_version_still_counts(rig: Rig) -> None:
    line = '{"id":<id>,"result":{"stopReason":"end_turn"}}'
    assert (await rig.turn(f"@say ok @raw {line} @noreply")).stop_reason == "end_turn"


async def test_updates_of_another_session_are_no_part_of_this_one(rig: Rig) -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "foreign"}}
    line = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "other", "update": update}}
    assert (await rig.turn(f"@raw {json.dumps(line)} @say own")).text == "own"


@pytest.mark.parametrize("method", ["fs/read_text_file", "terminal/create", "elicitation/create", "craft/anything"])
async def test_requests_for_what_we_do_not_offer_are_refused(rig: Rig, method: str) -> None:
    assert (await rig.turn(f"@askfs {method}")).text == "fs: -32601"


async def test_two_requests_under_one_id_are_shown_once(rig: Rig) -> None:
    options = [{"optionId": "once", "name": "Yes", "kind": "allow_once"}]
    asked = {"sessionId": "<session>", "toolCall": {"toolCallId": "t"}, "options": options}
    line = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "session/request_permission", "params": asked})
    gate = rig.folder / "gate"
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, f"@raw {line} @raw {line} @say shown @wait {gate}")
        await rig.until(lambda: rig.sink.texts("message"))
        assert len(rig.sink.of("permission_asked")) == 1
        assert connection.answer_permission(rig.sink.of("permission_asked")[0].key, "once")
        gate.touch()
    answers = [message for message in rig.received() if message.get("id") == 5]
    assert [answer["result"]["outcome"] for answer in answers] == [{"outcome": "selected", "optionId": "once"}]


async def test_an_end_between_turns_is_told_once_and_closes_permissions(rig: Rig) -> None:
    async with rig.open() as connection:
        await connection.prompt("@say ok")
        os.kill(rig.sink.of("process_started")[0].agent_pid, 9)
        await rig.until(lambda: rig.sink.of("exited"))
        failure = rig.sink.of("exited")[0]
        assert failure.code == "agent_crashed"
        assert "while nothing was asked of it" in failure.message
        with pytest.raises(AgentFailure):
            await connection.prompt("@say more")
        with pytest.raises(AgentFailure):
            await connection.set_mode("plan")


async def test_an_end_with_an_open_permission_closes_it(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            with pytest.raises(AgentFailure):
                await connection.prompt("@perm 1")

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.open_permissions)
        key = next(iter(rig.sink.open_permissions))
        os.kill(rig.sink.of("process_started")[0].agent_pid, 9)
        await rig.until(lambda: rig.sink.of("permission_closed"))
        assert not connection.answer_permission(key, "once")


async def test_a_refused_mode_is_a_failure_and_changes_nothing(rig: Rig) -> None:
    async with rig.open() as connection:
        with pytest.raises(AgentFailure) as caught:
            await connection.set_mode("no-such-mode")
        assert caught.value.code == "subagent_error"
        assert "session/set_mode with error -32602: no mode no-such-mode" in caught.value.message
        assert connection.mode == "default"
        assert (await connection.prompt("@say ok")).text == "ok"


async def test_cancel_is_one_notification_and_every_open_permission_gets_its_outcome(rig: Rig) -> None:
    results: list[object] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            results.append(await connection.prompt("@perm 2"))

        tasks.start_soon(run)
        await rig.until(lambda: len(rig.sink.open_permissions) == 2)
        await connection.cancel()
        await connection.cancel()
        await rig.until(lambda: results)
    assert len(rig.received("session/cancel")) == 1
    outcomes = [message["result"]["outcome"] for message in rig.received() if "result" in message]
    assert outcomes == [{"outcome": "cancelled"}] * 2


async def test_an_owner_that_gives_up_on_a_turn_is_not_disturbed_by_its_late_answer(rig: Rig) -> None:
    gate = rig.folder / "gate"
    async with rig.open() as connection:
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(connection.prompt, f"@say one @wait {gate}")
                await rig.until(lambda: rig.sink.texts("message"))
                scope.cancel()
        gate.touch()
        assert (await connection.prompt("@say two @tool T @say three")).text == "three"


async def test_a_stop_ends_every_descendant(rig: Rig) -> None:
    async with rig.open() as connection:
        await connection.prompt("@spawn 300 @say ok")
        pids = children_of(rig.sink.of("process_started")[0].agent_pid)
        assert pids
        await connection.stop()
        assert not [pid for pid in pids if os.path.exists(f"/proc/{pid}")]  # noqa: ASYNC240  # no disk behind it


async def test_changes_are_told_before_the_permission_that_follows_them(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, "@say first @perm 1")
        await rig.until(lambda: rig.sink.open_permissions)
        names = [name for name, _ in rig.sink.log]
        asked = names.index("permission_asked")
        told = [value.entry.kind for name, value in rig.sink.log[:asked] if name == "changed"]
        assert {"user", "message", "tool"} <= set(told)
        await connection.cancel()


DEAF_AGENT = """
import json, os, sys, time
for _ in range(2):
    message = json.loads(sys.stdin.readline())
    result = {"protocolVersion": 1, "sessionId": "s"}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
if sys.argv[1] == "close":
    os.close(0)
time.sleep(60)
"""


async def test_a_closed_stdin_is_a_crash_although_the_agent_lives(rig: Rig) -> None:
    rig.agent = AgentDefinition("deaf", "Deaf", (sys.executable, "-c", DEAF_AGENT, "close"))
    failure = await rig.failing_turn("x" * 300_000)
    assert failure.code == "agent_crashed"
    assert "closed its input while still running during session/prompt" in failure.message


async def test_an_agent_that_reads_nothing_can_be_stopped_with_a_prompt_half_written(rig: Rig) -> None:
    rig.agent = AgentDefinition("deaf", "Deaf", (sys.executable, "-c", DEAF_AGENT, "stay"))
    written: list[int] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            with pytest.raises(AgentFailure):
                await connection.prompt("x" * 3_000_000, written=lambda: written.append(1))

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.texts("user"))
        await connection.stop()
    assert not written


async def test_giving_up_on_a_start_leaves_no_process(rig: Rig) -> None:
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(rig.failing_start, "silent-new")
            await rig.until(lambda: (rig.folder / "log").exists() and rig.received("session/new"))
            scope.cancel()
    process = rig.sink.of("process_started")[0]
    left = [pid for pid in (process.agent_pid, process.keeper_pid) if os.path.exists(f"/proc/{pid}")]  # noqa: ASYNC240  # no disk behind it
    assert not left


@pytest.mark.parametrize(("option", "noted"), [("no", True), (None, True), ("once", False)])
async def test_an_agent_that_ends_its_turn_for_a_refused_permission_is_explained(
    rig: Rig, option: str | None, noted: bool
) -> None:
    """Codex ends a turn as cancelled when a person refuses a command."""
    results: list[TurnResult] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def turn() -> None:
            results.append(await connection.prompt("@say part @perm 1 @stop cancelled"))

        tasks.start_soon(turn)
        await rig.until(lambda: rig.sink.open_permissions)
        connection.answer_permission(next(iter(rig.sink.open_permissions)), option)
    [result] = results
    assert result.stop_reason == "cancelled"
    assert result.note == ("It did so after it was refused leave for “write a file”." if noted else "")
