"""The demo agent as a process, driven as a host drives it."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeg.demo import saved
from tests.support import Lines

Json = dict[str, Any]


class Agent:
    def __init__(self, home: Path, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-m", "codeg.demo"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "CODEG_DEMO_HOME": str(home)},
            cwd=folder,
        )
        assert self.process.stdout is not None
        self._lines = Lines(self.process.stdout.fileno())
        self.updates: list[Json] = []
        self.permission = "allow"
        self.asked = 0
        self._ids = 0

    def write(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def start(self, method: str, **params: Any) -> int:
        self._ids += 1
        self.write({"id": self._ids, "method": method, "params": params})
        return self._ids

    def next(self) -> Json:
        line = self._lines.next()
        assert line is not None
        message: Json = json.loads(line)
        if message.get("method") == "session/update":
            self.updates.append(message["params"]["update"])
        elif message.get("method") == "session/request_permission":
            self.asked += 1
            outcome = {"outcome": "selected", "optionId": self.permission}
            self.write({"id": message["id"], "result": {"outcome": outcome}})
        return message

    def finish(self, request_id: int) -> Json:
        while True:
            message = self.next()
            if message.get("id") == request_id and "method" not in message:
                return message

    def ask(self, method: str, **params: Any) -> Json:
        return self.finish(self.start(method, **params))["result"]

    def prompt(self, session: str, text: str) -> str:
        self.updates.clear()
        done = self.ask("session/prompt", sessionId=session, prompt=[{"type": "text", "text": text}])
        assert done == {"stopReason": "end_turn"}
        return self.said()

    def said(self) -> str:
        return "".join(u["content"]["text"] for u in self.updates if u["sessionUpdate"] == "agent_message_chunk")

    def close(self) -> int:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(20)
        self.process.stdout.close()
        return code


@pytest.fixture
def homes(tmp_path: Path) -> tuple[Path, Path]:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    return tmp_path / "home", folder


@pytest.fixture
def agent(homes: tuple[Path, Path]) -> Iterator[Agent]:
    made = Agent(*homes)
    made.ask("initialize", protocolVersion=1)
    yield made
    assert made.close() == 0


def test_it_works_on_the_folder_and_says_that_it_is_no_model(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    said = agent.prompt(session, "survey")
    assert "1 text files, 1 lines." in said
    assert "no language model" in said
    assert "I know no command" in agent.prompt(session, "make me a sandwich")


def test_it_writes_only_after_leave_and_only_inside_the_folder(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    agent.permission = "reject"
    assert "Not allowed" in agent.prompt(session, "write b.txt hello")
    assert not (homes[1] / "b.txt").exists()
    agent.permission = "always"
    assert "Wrote b.txt" in agent.prompt(session, "write b.txt hello")
    assert (homes[1] / "b.txt").read_text() == "hello\n"
    assert "Wrote c.txt" in agent.prompt(session, "write c.txt")
    assert agent.asked == 2
    assert "Say which file" in agent.prompt(session, "write ../out.txt x")
    assert not (homes[1].parent / "out.txt").exists()


def test_it_writes_plain_files_alone(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    os.mkfifo(homes[1] / "pipe")
    (homes[1] / "out").symlink_to(homes[1].parent / "elsewhere")
    for name in ("pipe", ".", "out", "a\0b"):
        assert "Say which file" in agent.prompt(session, f"write {name} x")
    assert agent.asked == 0


@pytest.mark.parametrize(
    "params",
    [
        {"mcpServers": [1, None, {"command": 5}, "x"]},
        {"mcpServers": [{"command": "x", "env": [1]}]},
        {"mcpServers": {}},
        {"mcpServers": [{"name": "t", "command": "/no/such/program", "args": None, "env": None}]},
    ],
)
def test_params_of_a_wrong_shape_cost_no_more_than_themselves(
    agent: Agent, homes: tuple[Path, Path], params: Json
) -> None:
    session = agent.ask("session/new", **{"cwd": str(homes[1]), **params})["sessionId"]
    for prompt in (None, 5, [1, None, {"type": "text", "text": 7}], [{"type": "text"}]):
        assert agent.ask("session/prompt", sessionId=session, prompt=prompt) == {"stopReason": "end_turn"}
    for seconds in ("nan", "soon", "-inf"):
        agent.prompt(session, f"pause {seconds}")
    assert "1 text files" in agent.prompt(session, "survey")


def test_sessions_are_closed_to_others_and_a_damaged_one_cannot_be_loaded(
    agent: Agent, homes: tuple[Path, Path]
) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    agent.prompt(session, "help")
    [kept] = homes[0].iterdir()
    assert (stat.S_IMODE(homes[0].stat().st_mode), stat.S_IMODE(kept.stat().st_mode)) == (0o700, 0o600)
    for damaged in ("", "[]", "{}", '{"cwd": "/", "turns": [1], "unfinished": null, "mode": "ask"}', '{"turns": 5}'):
        kept.write_text(damaged)
        answer = agent.finish(agent.start("session/load", sessionId=session, cwd=str(homes[1]), mcpServers=[]))
        assert answer["error"]["code"] == -32002


def test_sessions_lie_below_the_home_of_codeg(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEG_DEMO_HOME", raising=False)
    monkeypatch.setenv("CODEG_HOME", str(tmp_path))
    assert saved.home() == str(tmp_path / "data" / "demo")
    monkeypatch.setenv("CODEG_DEMO_HOME", str(tmp_path / "own"))
    assert saved.home() == str(tmp_path / "own")


def test_a_cancelled_turn_ends_cancelled_and_a_fresh_process_goes_on_with_it(
    agent: Agent, homes: tuple[Path, Path]
) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    turn = agent.start("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "pause 1000"}])
    while not agent.updates:
        agent.next()
    agent.write({"method": "session/cancel", "params": {"sessionId": session}})
    assert agent.finish(turn)["result"] == {"stopReason": "cancelled"}
    assert agent.updates[-1] | {"toolCallId": ""} == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "",
        "content": [{"type": "content", "content": {"type": "text", "text": "stopped"}}],
        "status": "failed",
    }
    fresh = Agent(*homes)
    fresh.ask("initialize", protocolVersion=1)
    fresh.ask("session/resume", sessionId=session, cwd=str(homes[1]), mcpServers=[])
    assert not fresh.updates
    turn = fresh.start("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "Please go on."}])
    while not fresh.updates:
        fresh.next()
    assert "pause 1000" in str(fresh.updates) or "to go" in str(fresh.updates)
    fresh.write({"method": "session/cancel", "params": {"sessionId": session}})
    assert fresh.finish(turn)["result"] == {"stopReason": "cancelled"}
    assert fresh.close() == 0


def test_a_cancel_right_behind_its_prompt_is_not_lost(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    prompt = {"sessionId": session, "prompt": [{"type": "text", "text": "pause 1000"}]}
    for number in range(100, 103):
        both = [
            {"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": prompt},
            {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}},
        ]
        assert agent.process.stdin is not None
        agent.process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in both))
        agent.process.stdin.flush()
        assert agent.finish(number)["result"] == {"stopReason": "cancelled"}
    assert "1 text files" in agent.prompt(session, "survey")


def test_a_second_prompt_in_a_turn_is_refused(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    first = agent.start("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "pause 1000"}])
    second = agent.start("session/prompt", sessionId=session, prompt=[])
    assert agent.finish(second)["error"]["code"] == -32602
    agent.write({"method": "session/cancel", "params": {"sessionId": session}})
    assert agent.finish(first)["result"] == {"stopReason": "cancelled"}


def test_a_load_replays_what_was_said(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    said = agent.prompt(session, "readme")
    agent.updates.clear()
    agent.ask("session/load", sessionId=session, cwd=str(homes[1]), mcpServers=[])
    assert [u["sessionUpdate"] for u in agent.updates] == ["user_message_chunk", "agent_message_chunk"]
    assert agent.said() == said


def test_unknown_methods_sessions_and_modes_are_refused_in_one_sentence(agent: Agent) -> None:
    assert agent.finish(agent.start("session/fork"))["error"]["code"] == -32601
    assert agent.finish(agent.start("session/prompt", sessionId="x"))["error"]["code"] == -32602
    assert agent.finish(agent.start("session/load", sessionId="demo-../../etc"))["error"]["code"] == -32002


def test_without_delegation_tools_it_says_so(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    assert "I cannot delegate here" in agent.prompt(session, "@demo survey")
    assert "I cannot ask you here" in agent.prompt(session, "ask")


def test_end_of_input_in_mid_turn_ends_the_process(agent: Agent, homes: tuple[Path, Path]) -> None:
    session = agent.ask("session/new", cwd=str(homes[1]), mcpServers=[])["sessionId"]
    agent.start("session/prompt", sessionId=session, prompt=[{"type": "text", "text": "pause 1000"}])
    while not agent.updates:
        agent.next()
