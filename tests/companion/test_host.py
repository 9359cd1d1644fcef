"""The real process against a host that speaks contract 5: discovery, sessions, relays, cancels, commits."""

import json
import os
import queue
import socket
import subprocess
import sys
from typing import Any

import jsonschema
import pytest

from companion import schema
from tests.companion.conftest import Start
from tests.fakes.socket_host import SocketHost

pytestmark = pytest.mark.e2e

OUTPUT = {tool["name"]: tool["outputSchema"] for tool in schema.load()}
RUNNING = {"task_id": "codex-do-0123456789ab", "status": "running", "agent_type": "codex"}
DONE = {**RUNNING, "status": "completed", "text": "grün 😀 漢字", "text_bytes": 17}
NOTE = {"id": "n1", "kind": "note", "text": "Use tabs.", "created_at": "2026-11-30T10:00:00.000Z"}


def structured(result: dict[str, Any], tool: str) -> dict[str, Any]:
    jsonschema.validate(result["structuredContent"], OUTPUT[tool])
    return result["structuredContent"]


def agents_of(result: dict[str, Any]) -> list[str]:
    return result["tools"][0]["inputSchema"]["properties"]["agent_type"]["enum"]


# Finding the host.


def test_a_registered_companion_finds_its_host_says_hello_once_and_keeps_the_lease(
    start: Start, host: SocketHost
) -> None:
    companion = start(cwd="/usr")
    companion.start("claude-code-like/1.2")
    assert host.kinds() == []
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "dö 😀"})
    call = host.take("call")
    assert call.request["input"] == {"agent_type": "codex", "task": "dö 😀"}
    assert call.request["parent_connection_id"] == "parent-of-outside-1"
    call.reply(RUNNING)
    assert structured(companion.result(1), "delegate_to_agent") == RUNNING
    companion.call(2, "get_delegation_status", {"task_ids": [RUNNING["task_id"]]})
    host.take("status").reply({"tasks": [DONE]})
    assert structured(companion.result(2), "get_delegation_status") == {"tasks": [DONE]}
    (hello,) = host.of_kind("hello")
    client = hello["client"]
    assert client == {"name": "claude-code-like", "version": "1.0", "pid": companion.process.pid, "cwd": "/usr"}


def test_the_session_id_of_claude_code_comes_from_its_variable_alone(start: Start, host: SocketHost) -> None:
    host.on("feedback", lambda _request: {"count": 0, "feedback": []})
    environment = {"CLAUDE_CODE_SESSION_ID": "cc-1"}
    for name in ("claude-code", "codex-mcp-client", "opencode"):
        companion = start(env=environment)
        companion.start(name)
        companion.call(1, "check_user_feedback", {}, threadId="thread-9")
        companion.result(1)
    ids = [hello["client"].get("session_id") for hello in host.of_kind("hello")]
    assert ids == ["cc-1", "thread-9", None]


def test_without_a_host_calls_are_answered_with_what_to_start_and_work_once_it_is_up(start: Start, home: str) -> None:
    companion = start()
    companion.start()
    companion.request("l", "tools/list")
    assert "codex" in agents_of(companion.result("l"))
    for at, tool in enumerate(OUTPUT):
        arguments = {
            "delegate_to_agent": {"agent_type": "codex", "task": "t"},
            "get_delegation_status": {"task_ids": ["a"], "wait_ms": 0},
            "ask_user_question": {"question_id": "q"},
        }.get(tool, {"task_id": "a"})
        companion.call(at, tool, arguments)
        result = companion.result(at)
        assert result["isError"]
        assert structured(result, tool)["error_code"] == "host_unavailable"
        assert "codeg serve" in result["content"][0]["text"]
    with SocketHost(home) as host:
        host.on("feedback", lambda _request: {"count": 0, "feedback": []})
        companion.call("now", "check_user_feedback")
        assert not companion.result("now")["isError"]
        assert companion.others == []
        changed = companion.read()
        assert changed["method"] == "notifications/tools/list_changed"


def test_a_host_that_restarted_is_found_again(start: Start, home: str) -> None:
    companion = start()
    companion.start()
    for _ in range(2):
        with SocketHost(home) as host:
            companion.call("a", "check_user_feedback")
            host.take("feedback").reply({"count": 0, "feedback": []})
            assert not companion.result("a")["isError"]
            assert len(host.of_kind("hello")) == 1
    companion.call("b", "check_user_feedback")
    assert companion.result("b")["structuredContent"]["error_code"] == "host_unavailable"


def test_a_lost_lease_and_a_dead_token_mean_hello_again(start: Start, host: SocketHost) -> None:
    host.on("feedback", lambda _request: {"count": 0, "feedback": []})
    companion = start()
    companion.start()
    companion.call(1, "check_user_feedback")
    companion.result(1)
    host.tokens.clear()
    companion.call(2, "check_user_feedback")
    assert not companion.result(2)["isError"]
    host.end_leases()
    companion.call(3, "check_user_feedback")
    assert not companion.result(3)["isError"]
    assert host.kinds().count("hello") == 3


def test_an_injected_companion_reads_its_token_at_each_call(start: Start, host: SocketHost) -> None:
    host.on("feedback", lambda _request: {"count": 0, "feedback": []})
    flags = host.inject("first", "parent-7")
    companion = start(*flags)
    companion.start()
    companion.call(1, "check_user_feedback")
    companion.result(1)
    host.inject("second", "parent-7")
    companion.call(2, "check_user_feedback")
    companion.result(2)
    assert [request["token"] for request in host.of_kind("feedback")] == ["first", "second"]
    assert "hello" not in host.kinds()
    os.unlink(flags[3])
    companion.call(3, "check_user_feedback")
    assert companion.result(3)["structuredContent"]["error_code"] == "not_authorized"


def test_a_token_of_the_environment_serves_too_and_never_shows(start: Start, host: SocketHost) -> None:
    host.tokens["env-token"] = "parent-9"
    host.on("feedback", lambda _request: {"count": 0, "feedback": []})
    flags = ["--socket-path", host.place.socket, "--parent-connection-id", "parent-9"]
    companion = start(*flags, env={"CODEG_TOKEN": "env-token"})
    companion.start()
    companion.call(1, "check_user_feedback")
    assert not companion.result(1)["isError"]
    with open(f"/proc/{companion.process.pid}/cmdline", "rb") as file:
        assert b"env-token" not in file.read()
    assert "env-token" not in companion.log()


# What must be ours alone (B29).


@pytest.mark.parametrize("what", ["folder", "record", "socket", "token", "link"])
def test_nothing_is_sent_where_others_may_look(start: Start, host: SocketHost, what: str) -> None:
    flags: list[str] = []
    if what == "folder":
        os.chmod(host.place.run, 0o755)
    elif what == "record":
        os.chmod(host.place.discovery, 0o644)
    elif what == "socket":
        os.chmod(host.place.socket, 0o666)
    elif what == "token":
        flags = host.inject()
        os.chmod(flags[3], 0o640)
    else:
        os.rename(host.place.discovery, host.place.discovery + ".real")
        os.symlink(host.place.discovery + ".real", host.place.discovery)
    companion = start(*flags)
    companion.start()
    companion.request("l", "tools/list")
    assert companion.result("l")["tools"]
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "secret"})
    result = companion.result(1)
    assert result["isError"]
    assert result["structuredContent"]["error_code"] in ("host_unavailable", "not_authorized")
    assert host.seen == []


FOREIGN_LISTENER = """
import os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o600)
os.setuid(65534)
s.listen(5)
print("up", flush=True)
for _ in range(2):
    c, _ = s.accept()
    print(len(c.recv(1000)), flush=True)
"""


@pytest.mark.skipif(os.getuid() != 0, reason="another user's process is needed")
def test_a_listener_of_another_user_gets_nothing(start: Start, host: SocketHost) -> None:
    path = os.path.join(host.place.run, "other.sock")
    command = [sys.executable, "-I", "-c", FOREIGN_LISTENER, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listener:
        assert listener.stdout is not None
        assert listener.stdout.readline() == "up\n"
        flags = host.inject()
        flags[1] = path
        companion = start(*flags)
        companion.start()
        companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "secret"})
        result = companion.result(1)
        assert "another user" in result["content"][0]["text"]
        # A connection that brought nothing may be tried once more.
        assert [listener.stdout.readline(), listener.stdout.readline()] == ["0\n", "0\n"]


# Relaying.


def test_while_calls_wait_everything_else_is_served(start: Start, host: SocketHost) -> None:
    """B06, with five times as many waits."""
    companion = start(*host.inject())
    companion.start()
    for at in range(100):
        companion.call(at, "get_delegation_status", {"task_ids": [f"t{at}"], "wait_ms": 0})
    waits = {wait.request["task_ids"][0]: wait for wait in (host.take("status") for _ in range(100))}
    companion.request("p", "ping")
    assert companion.answer("p")["result"] == {}
    companion.request("l", "tools/list")
    assert agents_of(companion.result("l")) == ["codex", "demo"]
    companion.call("c", "cancel_delegation", {"task_id": "t1"})
    host.take("cancel_task").reply({**RUNNING, "status": "canceled"})
    assert companion.result("c")["structuredContent"]["status"] == "canceled"
    for at in reversed(range(100)):
        waits[f"t{at}"].reply({"tasks": [{**DONE, "task_id": f"t{at}"}]})
    found = {}
    for _ in range(100):
        message = companion.read()
        found[message["id"]] = message["result"]["structuredContent"]["tasks"][0]["task_id"]
    assert found == {at: f"t{at}" for at in range(100)}


def test_three_hundred_calls_at_once_against_a_host_that_stands_still(start: Start, home: str) -> None:
    """256 are taken, the rest refused; none is lost although the host's queue of connections is full for a while."""
    host = SocketHost(home)
    with host:
        companion = start(*host.inject())
        companion.start()
        for at in range(300):
            companion.call(at, "get_delegation_status", {"task_ids": ["t"]})
        host.on("status", lambda _request: {"tasks": [RUNNING]})
        for _ in range(300):
            try:
                host.take("status", within=0.5).reply({"tasks": [RUNNING]})
            except queue.Empty:
                break
        answers = [companion.read() for _ in range(300)]
    refused = [answer for answer in answers if "error" in answer]
    assert {answer["error"]["code"] for answer in refused} <= {-32000}
    assert sorted(answer["id"] for answer in answers) == list(range(300))
    assert not any(answer["result"]["isError"] for answer in answers if "result" in answer)


def test_a_result_of_many_bytes_comes_whole(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    text = 'line "quoted" 漢字 😀\n' * 40_000
    companion.call(1, "get_delegation_status", {"task_ids": ["t"], "max_bytes": 1 << 20})
    pending = host.take("status")
    assert pending.request["max_bytes"] == 1 << 20
    pending.reply({"tasks": [{**DONE, "text": text}]})
    result = companion.result(1)
    assert result["structuredContent"]["tasks"][0]["text"] == text
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


def test_a_task_of_many_bytes_arrives_whole(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    task = "tü😀" * 500_000
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": task})
    call = host.take("call")
    assert call.request["input"]["task"] == task
    call.reply(RUNNING)
    companion.result(1)


@pytest.mark.parametrize(
    "answer", [b"", b"\x05\x00\x00\x00{nope", b"\xff\xff\xff\xff", b"\x02\x00\x00\x00{}", b"\x04\x00"]
)
def test_an_answer_that_is_none_is_told_and_the_process_stays_up(start: Start, host: SocketHost, answer: bytes) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "cancel_delegation", {"task_id": "t"})
    host.take("cancel_task").send(answer)
    assert companion.result(1)["structuredContent"]["error_code"] == "host_unavailable"
    companion.request("p", "ping")
    assert companion.result("p") == {}


def test_a_host_that_refuses_before_it_has_read_everything_is_heard(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "x" * 17_000_000})
    assert companion.result(1)["structuredContent"]["error_code"] == "too_large"


# Waits.


def test_a_wait_ends_before_the_programs_limit_whatever_was_asked(start: Start, host: SocketHost) -> None:
    """B15 with a limit of 300 ms."""
    companion = start(*host.inject(), env={"CODEG_MCP_MAX_WAIT_MS": "300"})
    companion.start()
    waits = [-1, 0, 600_000, 10**12, "30000"]
    for at, wait_ms in enumerate(waits):
        companion.call(at, "get_delegation_status", {"task_ids": ["t"], "wait_ms": wait_ms})
    held = [host.take("status") for _ in waits]
    assert {pending.request["wait_ms"] for pending in held} == {0}
    for _ in waits:
        snapshot = host.take("status")
        assert "wait_ms" not in snapshot.request
        snapshot.reply({"tasks": [RUNNING]})
    for at in range(len(waits)):
        result = companion.result(at)
        assert not result["isError"]
        assert "call get_delegation_status again" in result["content"][0]["text"]
    for pending in held:
        assert pending.closed.wait(5)


def test_progress_comes_only_with_a_token_and_never_after_the_reply(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject(), env={"CODEG_MCP_MAX_WAIT_MS": "900"})
    companion.start()
    companion.call(1, "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0}, progressToken="tok")
    companion.call(2, "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0})
    held = [host.take("status"), host.take("status")]
    notes = [companion.read(), companion.read()]
    for pending in held:
        pending.reply({"tasks": [DONE]})
    rest = [companion.read(), companion.read()]
    companion.end_input()
    rest += companion.rest()
    found = [*notes, *rest]
    progress = [item["params"] for item in found if item.get("method") == "notifications/progress"]
    assert {params["progressToken"] for params in progress} == {"tok"}
    numbers = [params["progress"] for params in progress]
    assert numbers == sorted(set(numbers))
    answered = [item.get("id") for item in found].index(1)
    assert not any("method" in item for item in found[answered:])


# Cancels.


def test_a_cancelled_set_up_reaches_the_host_and_is_never_answered(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "delegate_to_agent", {"agent_type": "codex", "task": "t", "idempotency_key": "k"})
    call = host.take("call")
    companion.notify("notifications/cancelled", {"requestId": 1, "reason": "user"})
    cancel = host.take("cancel")
    assert cancel.request["external_handle"] == call.request["external_handle"]
    assert call.closed.wait(5)
    cancel.reply(None)
    companion.request("p", "ping")
    assert companion.answer("p")["result"] == {}
    companion.end_input()
    assert companion.rest() == []
    assert companion.others == []


@pytest.mark.parametrize(
    ("kind", "tool", "arguments"),
    [
        ("status", "get_delegation_status", {"task_ids": ["t"], "wait_ms": 0}),
        ("ask", "ask_user_question", {"question_id": "q"}),
        ("feedback", "check_user_feedback", {}),
    ],
)
def test_a_cancelled_wait_question_or_pull_is_merely_dropped(
    start: Start, host: SocketHost, kind: str, tool: str, arguments: Any
) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, tool, arguments)
    pending = host.take(kind)
    companion.notify("notifications/cancelled", {"requestId": 1})
    assert pending.closed.wait(5)
    companion.notify("notifications/cancelled", {"requestId": 1})
    companion.end_input()
    assert companion.rest() == []
    assert set(host.kinds()) == {kind}


# Feedback.


def test_feedback_is_committed_once_its_text_was_written(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "check_user_feedback")
    host.take("feedback").reply({"count": 1, "feedback": [NOTE]})
    assert "Use tabs." in companion.result(1)["content"][0]["text"]
    commit = host.take("commit_feedback")
    assert commit.request["ids"] == ["n1"]
    commit.reply(None)


def test_feedback_that_could_not_be_written_is_not_committed(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "check_user_feedback")
    pending = host.take("feedback")
    # Whether the broken pipe or the answer is noticed first, the text cannot be written any more.
    assert companion.process.stdout is not None
    companion.process.stdout.close()
    pending.reply({"count": 1, "feedback": [NOTE]})
    assert companion.wait() == 0
    assert "commit_feedback" not in host.kinds()


def test_feedback_pulled_by_a_client_that_does_not_read_is_not_committed(start: Start, host: SocketHost) -> None:
    companion = start(*host.inject())
    companion.start()
    companion.call(1, "get_delegation_status", {"task_ids": ["t"], "max_bytes": 1 << 20})
    host.take("status").reply({"tasks": [{**DONE, "text": "x" * 1_000_000}]})
    # Once the first answer has begun, the pipe is full of it: the second one is made, and waits.
    companion.begin_line()
    companion.call(2, "check_user_feedback")
    host.take("feedback").reply({"count": 1, "feedback": [NOTE]})
    companion.call(3, "cancel_delegation", {"task_id": "t"})
    host.take("cancel_task").reply(DONE)
    assert "commit_feedback" not in host.kinds()
    companion.result(1)
    companion.result(2)
    assert host.take("commit_feedback").request["ids"] == ["n1"]


# The listing.


def test_the_listing_shows_the_hosts_agents_and_groups(start: Start, host: SocketHost) -> None:
    host.agents[:] = ["custom:mine", "demo"]
    host.groups = ["delegation"]
    companion = start(*host.inject())
    companion.start()
    companion.request(1, "tools/list")
    result = companion.result(1)
    assert agents_of(result) == ["custom:mine", "demo"]
    assert len(result["tools"]) == 4


def test_flags_shape_the_listing_while_no_host_answers(start: Start) -> None:
    companion = start("--features", "delegation", "--custom-agents", "custom:a", "--disabled-agents", "codex,pi")
    companion.start()
    companion.request(1, "tools/list")
    agents = agents_of(companion.result(1))
    assert "codex" not in agents
    assert agents[-1] == "custom:a"


def test_no_features_mean_no_tools(start: Start) -> None:
    companion = start("--features", "")
    companion.start()
    companion.request(1, "tools/list")
    assert companion.result(1)["tools"] == []
    companion.call(2, "check_user_feedback")
    assert companion.answer(2)["error"]["code"] == -32602


def test_a_host_that_is_silent_delays_the_listing_by_200_ms_only(start: Start, home: str) -> None:
    with SocketHost(home) as host:
        del host.handlers["catalog"]
        companion = start()
        companion.start()
        companion.request(1, "tools/list")
        pending = host.take("catalog")
        assert "claude_code" in agents_of(companion.result(1))
        pending.reply({"agents": ["demo"], "groups": ["delegation"]})
        assert companion.read()["method"] == "notifications/tools/list_changed"


def test_a_subscriber_of_the_current_revision_is_told_of_a_change(start: Start, home: str) -> None:
    with SocketHost(home) as host:
        del host.handlers["catalog"]
        companion = start()
        companion.request(
            "listen:0", "subscriptions/listen", {"notifications": {"toolsListChanged": True}}, modern=True
        )
        assert companion.read()["method"] == "notifications/subscriptions/acknowledged"
        companion.request(1, "tools/list", modern=True)
        pending = host.take("catalog")
        assert companion.result(1)["resultType"] == "complete"
        pending.reply({"agents": ["demo"], "groups": ["delegation"]})
        changed = companion.read()
        assert changed["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "listen:0"


def test_a_dead_socket_file_is_no_host(start: Start, host: SocketHost) -> None:
    host.close()
    host.write_discovery()
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(host.place.socket)
    os.chmod(host.place.socket, 0o600)
    dead.close()
    companion = start()
    companion.start()
    companion.call(1, "check_user_feedback")
    assert companion.result(1)["structuredContent"]["error_code"] == "host_unavailable"
    os.unlink(host.place.socket)
    os.unlink(host.place.discovery)


def test_a_full_queue_of_connections_is_waited_for(start: Start, host: SocketHost) -> None:
    flags = host.inject()
    path = os.path.join(host.place.run, "slow.sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        os.chmod(path, 0o600)
        listener.listen(0)
        fillers = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for filler in fillers:
            filler.setblocking(False)
            if filler.connect_ex(path):
                break
        flags[1] = path
        companion = start(*flags)
        companion.start()
        companion.call(1, "get_delegation_status", {"task_ids": ["t"]})
        companion.request("p", "ping")
        assert companion.answer("p")["result"] == {}
        accepted = [listener.accept()[0]]
        for filler in fillers:
            filler.close()
        listener.settimeout(5)
        while True:
            connection, _ = listener.accept()
            accepted.append(connection)
            if connection.recv(4):
                break
        connection.sendall(b'\x1a\x00\x00\x00{"outcome":{"tasks":[]}}  ')
        assert companion.result(1)["structuredContent"] == {"tasks": []}
        for each in accepted:
            each.close()
