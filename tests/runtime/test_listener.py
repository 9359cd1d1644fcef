"""The door on the socket: frames, tokens, limits, and what the peer's going means."""

import asyncio
import json
import os
import socket
import struct

import anyio
import pytest
from anyio.abc import SocketStream

from codeg.broker.codes import Status
from codeg.broker.events import CallReceived, CallWithdrawn, StatusAsked
from codeg.runtime.asked import Waiting
from codeg.runtime.listener import DoorLimits, connections_for
from codeg.wire import frames
from tests.fakes.stub_services import view_of
from tests.runtime.door_rig import HOST_TOKEN, Door, closed, open_door, receive, settle

pytestmark = pytest.mark.anyio


async def raw(door: Door, data: bytes, *, half_close: bool = False) -> dict[str, object]:
    async with await door.connect() as peer:
        await peer.send(data)
        if half_close:
            await peer.send_eof()
        return (await receive(peer))["error"]


@pytest.mark.parametrize("payload", [b"", b"garbage", b"[]", b"null", b"\xff\xfe", b'{"kind": "call"', b"[" * 9_000])
async def test_a_payload_that_is_no_object_is_an_invalid_request(payload: bytes) -> None:
    async with open_door() as door:
        assert (await raw(door, frames.pack(payload)))["code"] == "invalid_request"


async def test_a_length_over_the_limit_is_refused_before_the_payload() -> None:
    async with open_door() as door:
        assert (await raw(door, struct.pack("<I", frames.MAX_FRAME + 1)))["code"] == "too_large"


async def test_a_peer_that_is_still_sending_gets_to_read_its_refusal() -> None:
    async with open_door() as door, await door.connect() as peer:
        await peer.send(struct.pack("<I", frames.MAX_FRAME + 1))
        await peer.send(b"x" * 1_000_000)
        assert (await receive(peer))["error"]["code"] == "too_large"


async def test_a_request_cut_off_by_a_half_close_is_told_so() -> None:
    async with open_door() as door:
        assert (await raw(door, b"\x10\x00\x00\x00{", half_close=True))["code"] == "invalid_request"


async def test_a_connection_without_a_request_closes_without_an_answer() -> None:
    async with open_door() as door, await door.connect() as peer:
        await peer.send_eof()
        assert await closed(peer)


async def test_a_request_may_come_in_single_bytes() -> None:
    async with open_door() as door, await door.connect() as peer:
        for byte in frames.encode({"kind": "catalog", "token": door.token}):
            await peer.send(bytes([byte]))
        assert (await receive(peer))["outcome"]["groups"] == ["delegation", "ask", "feedback"]


@pytest.mark.parametrize("token", ["", "wrong", None, 5, "x" * 10_000, HOST_TOKEN[:-1], "\ud800"])
@pytest.mark.parametrize("kind", ["call", "status", "hello", "operator", "catalog", "nonsense"])
async def test_a_bad_token_is_refused_before_anything_else_is_looked_at(token: object, kind: str) -> None:
    async with open_door() as door:
        assert await door.error(kind=kind, token=token, v=99) == "not_authorized"


async def test_an_unknown_kind_and_another_version_are_told_apart() -> None:
    async with open_door() as door:
        assert await door.error(kind="nonsense") == "invalid_request"
        assert await door.error(kind="catalog", v=2) == "version_mismatch"
        assert (await door.outcome(kind="catalog", future_field=[1]))["agents"]


@pytest.mark.parametrize("count", [0, 1_001])
async def test_no_or_too_many_ids_are_an_invalid_request(count: int) -> None:
    async with open_door() as door:
        assert await door.error(kind="status", task_ids=[f"t{n}" for n in range(count)]) == "invalid_request"


async def test_a_revoked_token_is_worth_nothing() -> None:
    async with open_door() as door:
        assert await door.outcome(kind="catalog")
        door.tokens.revoke(door.token_file)
        assert await door.error(kind="catalog") == "not_authorized"


async def test_the_tokens_of_a_session_that_has_ended_are_worth_nothing() -> None:
    async with open_door() as door:
        del door.parts.sessions.held["root"]
        assert await door.error(kind="status", task_ids=["x"]) == "not_authorized"


async def test_a_wait_whose_token_dies_is_told_so() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.broker.held)
            door.tokens.revoke_session("root")
            assert (await receive(peer))["error"]["code"] == "not_authorized"
        await settle(lambda: not door.broker.held)


async def test_another_user_is_dropped_before_a_byte_is_read() -> None:
    async with open_door(uid=os.getuid() + 1) as door, await door.connect() as peer:
        assert await closed(peer)
        assert not door.broker.events


@pytest.mark.parametrize("kind", ["hello", "operator"])
async def test_a_sessions_token_opens_neither_hello_nor_operator(kind: str) -> None:
    async with open_door() as door:
        client = {"name": "x", "pid": 1, "cwd": "/"}
        assert await door.error(kind=kind, client=client, op="tasks") == "not_authorized"


@pytest.mark.parametrize("kind", ["status", "cancel_task", "resume_task", "feedback", "ask"])
async def test_the_hosts_token_opens_nothing_of_a_session(kind: str) -> None:
    async with open_door() as door:
        given = {"task_ids": ["x"], "task_id": "x", "question_id": "q"}
        assert await door.error(kind=kind, token=HOST_TOKEN, **given) == "not_authorized"


# ---- waits


async def test_a_snapshot_answers_at_once_and_in_the_asked_order() -> None:
    async with open_door() as door:
        door.broker.add(view_of("a"))
        door.broker.add(view_of("b", status=Status.COMPLETED), b"the text")
        door.broker.add(view_of("c", "somebody else"))
        tasks = (await door.outcome(kind="status", task_ids=["b", "a", "c", "nothing", "b"]))["tasks"]
        assert [(t["task_id"], t["status"]) for t in tasks] == [
            ("b", "completed"),
            ("a", "running"),
            ("c", "unknown"),
            ("nothing", "unknown"),
            ("b", "completed"),
        ]
        assert tasks[0]["text"] == "the text"


async def test_an_answer_that_cannot_be_made_is_told_so_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))

        def broken(*_: object) -> None:
            raise ZeroDivisionError

        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.broker.held)
            monkeypatch.setattr(door.answering._tasks._replies, "at_once", broken)
            door.broker.finish("t", b"")
            assert (await receive(peer))["error"]["code"] == "busy"


async def test_a_wait_answers_when_its_task_ends_and_costs_no_task() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        before = len(anyio.get_running_tasks())
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.broker.held)
            assert len(anyio.get_running_tasks()) == before
            door.broker.finish("t", b"done")
            assert (await receive(peer))["outcome"]["tasks"][0]["text"] == "done"


@pytest.mark.parametrize(("wait_ms", "seconds"), [(1, 0.001), (5_000, 5.0), (60_000, 60.0), (10**9, 60.0)])
async def test_a_bounded_wait_is_capped_at_a_minute(wait_ms: int, seconds: float) -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        async with await door.send(kind="status", task_ids=["t"], wait_ms=wait_ms):
            await settle(lambda: door.broker.held)
            (asked,) = door.broker.asked(StatusAsked)
            assert asked.until == pytest.approx(1_000.0 + seconds)


@pytest.mark.parametrize("half", [True, False])
async def test_closing_drops_the_wait_and_leaves_the_task(half: bool) -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.broker.held)
            if half:
                await peer.send_eof()
                assert await closed(peer)
        await settle(lambda: not door.broker.held)
        assert len(door.broker.forgotten) == 1
        assert len(door.broker.events) == 1
        await settle(lambda: door.listener.connections == 0)


async def test_of_a_result_and_a_close_that_are_both_there_the_result_wins() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t", status=Status.COMPLETED), b"done")
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await peer.send_eof()
            assert (await receive(peer))["outcome"]["tasks"][0]["text"] == "done"


async def test_a_result_that_only_the_store_holds_wins_over_a_close_too() -> None:
    async with open_door() as door:
        door.broker.stored["t"] = view_of("t", status=Status.FAILED)
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await peer.send_eof()
            assert (await receive(peer))["outcome"]["tasks"][0]["status"] == "failed"


async def test_a_wait_whose_peer_closed_during_the_recall_is_never_asked() -> None:
    async with open_door() as door:
        gate = door.broker.recall_gate = asyncio.Event()
        door.broker.stored["t"] = view_of("t")
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.read)
            (waiting,) = door.pending(Waiting)
            await peer.send_eof()
            await settle(lambda: waiting._ended)
            gate.set()
            assert await closed(peer)
        assert not door.broker.asked(StatusAsked)


async def test_a_snapshot_is_answered_to_a_peer_that_half_closed() -> None:
    async with open_door() as door:
        door.broker.stored["t"] = view_of("t")
        async with await door.send(kind="status", task_ids=["t"]) as peer:
            await peer.send_eof()
            assert (await receive(peer))["outcome"]["tasks"][0]["status"] == "running"


async def test_an_offset_reads_on_and_needs_one_id() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t", status=Status.COMPLETED), "aé日".encode() * 5_000)
        assert await door.error(kind="status", task_ids=["t", "u"], result_offset=0) == "invalid_request"
        text, offset, pages = "", 0, 0
        while offset is not None:
            got = (await door.outcome(kind="status", task_ids=["t"], result_offset=offset))["tasks"][0]
            compact = json.dumps({"tasks": [got]}, ensure_ascii=False, separators=(",", ":"))
            assert len(compact.encode()) <= 9_000
            text, offset, pages = text + got["text"], got.get("next_offset"), pages + 1
        assert text == "aé日" * 5_000
        assert pages > 2
        beyond = (await door.outcome(kind="status", task_ids=["t"], result_offset=10**6))["tasks"][0]
        assert "next_offset" not in beyond


async def test_a_text_that_is_not_kept_any_more_is_told_so() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t", status=Status.COMPLETED, text_bytes=50))
        got = (await door.outcome(kind="status", task_ids=["t"]))["tasks"][0]
        assert "not stored any more" in got["message"]
        assert not {"text", "next_offset", "text_bytes"} & set(got)


# ---- calls


async def test_a_call_is_acknowledged_with_its_id_first() -> None:
    async with open_door() as door:
        report = await door.call("Look around, please!")
        assert report["status"] == "running"
        assert report["message"].startswith(f"task_id={report['task_id']}")
        (event,) = door.broker.asked(CallReceived)
        assert event.task_id == report["task_id"]
        assert event.task_text == "Look around, please!"


async def test_a_call_for_another_connection_is_not_authorized() -> None:
    async with open_door() as door:
        given = {"agent_type": "demo", "task": "x"}
        code = await door.error(kind="call", parent_connection_id="other", external_handle="h", input=given)
        assert code == "not_authorized"
        assert not door.broker.events


async def held_call(door: Door, **more: object) -> SocketStream:
    door.broker.hold_calls = True
    given = {"agent_type": "demo", "task": "x", **more}
    peer = await door.send(kind="call", parent_connection_id="root", external_handle="h", input=given)
    await settle(lambda: door.broker.calls)
    return peer


async def test_a_call_whose_peer_closes_before_the_answer_is_withdrawn() -> None:
    async with open_door() as door:
        async with await held_call(door):
            pass
        await settle(lambda: door.broker.asked(CallWithdrawn))
        (withdrawn,) = door.broker.asked(CallWithdrawn)
        assert (withdrawn.parent_id, withdrawn.external_handle) == ("root", "h")


async def test_a_call_with_a_key_is_kept_when_its_peer_closes() -> None:
    async with open_door() as door:
        async with await held_call(door, idempotency_key="k"):
            pass
        await settle(lambda: door.listener.connections == 0)
        assert not door.broker.asked(CallWithdrawn)


async def test_a_call_with_a_key_is_kept_even_if_its_peer_closes_before_the_ledger_heard_of_it() -> None:
    async with open_door() as door:
        gate = door.parts.database.gate = asyncio.Event()
        given = {"agent_type": "demo", "task": "x", "idempotency_key": "k"}
        async with await door.send(kind="call", parent_connection_id="root", external_handle="h", input=given):
            await settle(lambda: door.read)
        await settle(lambda: door.listener.connections == 0)
        gate.set()
        await settle(lambda: door.broker.asked(CallReceived))
        assert not door.broker.asked(CallWithdrawn)


async def test_a_call_whose_peer_only_half_closes_is_answered() -> None:
    async with open_door() as door:
        async with await held_call(door) as peer:
            await peer.send_eof()
            door.broker.accept(next(iter(door.broker.calls)))
            assert (await receive(peer))["outcome"]["status"] == "running"
        assert not door.broker.asked(CallWithdrawn)


async def test_a_half_closed_peer_that_then_goes_before_the_answer_has_withdrawn_its_call() -> None:
    async with open_door() as door:
        async with await held_call(door) as peer:
            await peer.send_eof()
        # Whether both closes were seen as one or the answer meets a closed door: nobody read it.
        for ref in tuple(door.broker.calls):
            door.broker.accept(ref)
        await settle(lambda: door.broker.asked(CallWithdrawn))


async def test_a_token_that_dies_while_its_call_is_prepared_starts_nothing() -> None:
    async with open_door() as door:
        gate = door.parts.database.gate = asyncio.Event()
        given = {"agent_type": "demo", "task": "x", "idempotency_key": "k"}
        async with await door.send(kind="call", parent_connection_id="root", external_handle="h", input=given) as peer:
            await settle(lambda: door.read)
            door.tokens.revoke(door.token_file)
            gate.set()
            assert (await receive(peer))["error"]["code"] == "not_authorized"
        await anyio.wait_all_tasks_blocked()
        assert not door.broker.asked(CallReceived)


async def test_a_cancel_by_handle_is_posted_and_acknowledged_with_null() -> None:
    async with open_door() as door:
        assert await door.outcome(kind="cancel", external_handle="h9", reason="changed my mind") is None
        assert door.broker.asked(CallWithdrawn) == [CallWithdrawn("root", "h9", "changed my mind")]


async def test_a_failing_store_costs_the_request_and_not_the_door() -> None:
    async with open_door() as door:
        door.parts.database.fault = OSError("disk full")
        given = {"agent_type": "demo", "task": "x", "idempotency_key": "k"}
        code = await door.error(kind="call", parent_connection_id="root", external_handle="h", input=given)
        assert code == "busy"
        door.parts.database.fault = None
        assert (await door.call())["status"] == "running"


# ---- limits


async def test_over_the_limit_of_connections_the_answer_is_busy() -> None:
    async with open_door(limits=DoorLimits(connections=2)) as door:
        async with await door.connect(), await door.connect():
            await settle(lambda: door.listener.connections == 2)
            assert await door.error(kind="catalog") == "busy"
        await settle(lambda: door.listener.connections == 0)
        assert await door.outcome(kind="catalog")


async def test_over_the_limit_of_one_token_the_answer_is_busy_and_others_are_served() -> None:
    async with open_door(limits=DoorLimits(per_token=2)) as door:
        door.broker.add(view_of("t"))
        wait = {"kind": "status", "task_ids": ["t"], "wait_ms": 0}
        async with await door.send(**wait), await door.send(**wait):
            await settle(lambda: len(door.broker.held) == 2)
            assert await door.error(kind="catalog") == "busy"
            assert await door.outcome(kind="catalog", token=HOST_TOKEN)


async def test_leases_do_not_count_for_a_token() -> None:
    async with open_door(limits=DoorLimits(per_token=1)) as door:
        first, one = await door.hello("one")
        second, two = await door.hello("two")
        async with first, second:
            assert door.listener.leases == 2
            assert await door.outcome(kind="catalog", token=one["session_token"])
            assert await door.outcome(kind="catalog", token=two["session_token"])
            assert await door.outcome(kind="catalog", token=HOST_TOKEN)


async def test_unfinished_requests_hold_a_bounded_number_of_bytes_in_all() -> None:
    limits = DoorLimits(unauthenticated=300_000)
    async with open_door(limits=limits) as door, await door.connect() as first, await door.connect() as second:
        await first.send(struct.pack("<I", 400_000) + b"x" * 200_000)
        await settle(lambda: door.listener._unauthenticated == 200_000)
        await second.send(struct.pack("<I", 400_000) + b"x" * 200_000)
        assert (await receive(second))["error"]["code"] == "busy"
        assert await door.outcome(kind="catalog")


async def test_a_peer_that_never_delivers_its_request_is_told_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeg.runtime.exchange.REQUEST_S", 0.01)
    async with open_door() as door, await door.connect() as peer:
        assert (await receive(peer))["error"]["code"] == "invalid_request"


async def test_a_peer_that_never_reads_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeg.runtime.exchange.WRITE_S", 0.01)
    async with open_door() as door:
        door.broker.add(view_of("t", status=Status.COMPLETED), b"x" * 1_000_000)
        async with await door.send(kind="status", task_ids=["t"], max_bytes=2**20):
            await settle(lambda: door.broker.reads)
            await settle(lambda: door.listener.connections == 0)


async def test_a_peer_that_floods_a_wait_is_dropped() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        async with await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await peer.send(b"x" * 60_000)
            await settle(lambda: door.broker.held)
            with pytest.raises(anyio.BrokenResourceError):
                while True:
                    await peer.send(b"x" * 60_000)
        await settle(lambda: not door.broker.held)


async def test_a_thousand_connections_at_once_are_all_answered() -> None:
    async with open_door() as door:
        answers: list[object] = []

        async def one() -> None:
            answers.append(await door.outcome(kind="catalog", token=HOST_TOKEN))

        before = door.listener.connections
        async with anyio.create_task_group() as group:
            limiter = anyio.CapacityLimiter(400)

            async def limited() -> None:
                async with limiter:
                    await one()

            for _ in range(1_000):
                group.start_soon(limited)
        assert len(answers) == 1_000
        assert before == 0


async def test_draining_lets_answers_out_and_does_not_wait_for_leases() -> None:
    async with open_door() as door:
        door.broker.add(view_of("t"))
        lease, _ = await door.hello()
        async with lease, await door.send(kind="status", task_ids=["t"], wait_ms=0) as peer:
            await settle(lambda: door.broker.held)
            await door.listener.stop_accepting()
            with pytest.raises(OSError):
                await door.connect()
            door.broker.finish("t")
            await door.listener.drain(5)
            assert (await receive(peer))["outcome"]["tasks"][0]["status"] == "completed"


def test_half_of_the_descriptors_are_for_connections() -> None:
    assert [connections_for(n) for n in (1, 256, 1_024, 20_000, -1)] == [1, 128, 512, 4_096, 4_096]


def test_the_backlog_holds_a_storm() -> None:
    from codeg.runtime.transport_unix import BACKLOG

    assert BACKLOG >= 4_096
    assert hasattr(socket, "AF_UNIX")
