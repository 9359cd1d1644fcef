"""The rig of the end-to-end suite: a real host process, real companions, real agents, in a home of their own.

Every process that a test causes carries the rig's RUN_ID in its environment; `tree()` lists those still alive. Every wait has a deadline.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support import PATIENCE, Lines, until

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
FAKE_AGENT = ROOT / "tests" / "fakes" / "fake_agent.py"

AGENTS_TOML = """
[agents.fake]
label = "Fake"
command = [{python}, {script}]
env = {{ FAKE_AGENT_LOG = {log}, FAKE_AGENT_STATE = {state} }}

[agents.forgetful]
command = [{python}, {script}]
env = {{ FAKE_AGENT_LOG = {log}, FAKE_AGENT_STATE = {state}, FAKE_AGENT_START = "forget" }}
"""


class Companion:
    """A companion process driven as an MCP client drives it (2025-11-25)."""

    def __init__(self, rig: "Rig", *arguments: str, name: str = "rig", cwd: Path | None = None) -> None:
        command = [sys.executable, "-I", "-m", "companion", "--home", str(rig.home), *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=rig.env,
            cwd=cwd or rig.folder,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._lines = Lines(self.process.stdout.fileno())
        self._answers: dict[int, Json] = {}
        self.notifications: list[Json] = []
        self._ids = 0
        client = {"name": name, "version": "1"}
        self.initialized = self.ask(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message: Json) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: Json) -> int:
        self._ids += 1
        self.write({"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params})
        return self._ids

    def answer(self, request_id: int, patience: float = PATIENCE) -> Json:
        deadline = time.monotonic() + patience
        while request_id not in self._answers:
            line = self._lines.next(max(0.01, deadline - time.monotonic()))
            assert line is not None, "the companion ended"
            message: Json = json.loads(line)
            # An error without an id answers nothing of ours.
            if message.get("id") is not None and "method" not in message:
                assert message["id"] not in self._answers, "answered twice"
                self._answers[message["id"]] = message
            else:
                self.notifications.append(message)
        return self._answers.pop(request_id)

    def ask(self, method: str, params: Json, patience: float = PATIENCE) -> Json:
        return self.answer(self.send(method, params), patience)

    def start_call(self, tool: str, **arguments: Any) -> int:
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def call(self, tool: str, patience: float = PATIENCE, **arguments: Any) -> Json:
        """The whole result of a tool call."""
        answer = self.answer(self.start_call(tool, **arguments), patience)
        assert "result" in answer, answer
        return answer["result"]

    def delegate(self, agent: str, task: str, **more: Any) -> Json:
        """The acknowledgement's report."""
        return self.call("delegate_to_agent", agent_type=agent, task=task, **more)["structuredContent"]

    def status(self, *task_ids: str, **more: Any) -> list[Json]:
        return self.call("get_delegation_status", task_ids=list(task_ids), **more)["structuredContent"]["tasks"]

    def wait(self, task_id: str, patience: float = PATIENCE) -> Json:
        """Wait until the task is at an end and return its report."""
        ends = {"completed", "failed", "canceled", "interrupted", "unknown"}

        def ended() -> Json | None:
            report = self.status(task_id, wait_ms=2_000)[0]
            return report if report["status"] in ends else None

        return until(ended, f"{task_id} ends", patience)

    def close(self) -> int:
        """Close stdin and wait for the end."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return code

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


class Rig:
    """A home, a folder to work in, and the processes of one test."""

    def __init__(self, base: Path) -> None:
        self.run_id = uuid.uuid4().hex
        self.home = base / "home"
        self.folder = base / "folder"
        self.log = base / "agent.log"
        self.account = base / "account"
        for directory in (self.home / "config", self.folder, self.account, base / "state"):
            directory.mkdir(parents=True)
        values = {"python": sys.executable, "script": FAKE_AGENT, "log": self.log, "state": base / "state"}
        quoted = {key: json.dumps(str(value)) for key, value in values.items()}
        (self.home / "config" / "agents.toml").write_text(AGENTS_TOML.format(**quoted))
        self.env = {**os.environ, "CODEG_TEST_RUN": self.run_id, "HOME": str(self.account)}
        for name in ("CODEG_HOME", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):  # no window opens by itself
            self.env.pop(name, None)
        self.host: subprocess.Popen[bytes] | None = None
        self.ready: Json = {}
        self._companions: list[Companion] = []

    def settings(self, text: str) -> None:
        (self.home / "config" / "settings.toml").write_text(text)

    def start(self, umask: int = -1) -> Json:
        """Start `codeg serve` and wait for its ready line."""
        self.host = subprocess.Popen(
            [sys.executable, "-I", "-m", "codeg.cli", "serve", "--home", str(self.home)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=self.env,
            cwd=self.folder,
            umask=umask,
        )
        assert self.host.stdout is not None
        line = Lines(self.host.stdout.fileno()).next()
        assert line is not None, "the host ended before it was ready"
        self.ready = json.loads(line)
        return self.ready

    def stop(self) -> int:
        """End the host as a person does (SIGTERM); its exit code."""
        assert self.host is not None
        self.host.send_signal(signal.SIGTERM)
        return self._reap()

    def kill_host(self) -> None:
        assert self.host is not None
        self.host.kill()
        self._reap()

    def _reap(self) -> int:
        assert self.host is not None and self.host.stdout is not None
        code = self.host.wait(PATIENCE)
        self.host.stdout.close()
        self.host = None
        return code

    def companion(self, *arguments: str, **more: Any) -> Companion:
        made = Companion(self, *arguments, **more)
        self._companions.append(made)
        return made

    def guest(self, folder: Path, *arguments: str) -> Companion:
        """A companion of an outside session that no other test of a shared host is part of."""
        folder.mkdir(parents=True, exist_ok=True)
        return self.companion(*arguments, cwd=folder)

    def codeg(self, *arguments: str, patience: float = 60) -> subprocess.CompletedProcess[str]:
        """Run the command line to its end."""
        command = [sys.executable, "-I", "-m", "codeg.cli", *arguments, "--home", str(self.home)]
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.env,
            cwd=self.folder,
            timeout=patience,
            check=False,
        )

    def codeg_json(self, *arguments: str) -> Any:
        done = self.codeg(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def tree(self) -> list[tuple[int, str]]:
        """(pid, command line) of every live process of this rig."""
        return list(processes_with(f"CODEG_TEST_RUN={self.run_id}".encode()))

    def agents(self) -> list[tuple[int, str]]:
        """Those that are agents or their keepers, not the host or companions of the test itself."""
        return [
            (pid, line)
            for pid, line in self.tree()
            if "codeg.keeper" in line or "fake_agent" in line or "codeg.demo" in line
        ]

    def working(self) -> list[int]:
        """Pids of agent programs, keepers left out (the host starts one to read the login shell's PATH)."""
        return [pid for pid, line in self.agents() if "codeg.keeper" not in line]

    def add_agent(self, name: str, *command: str) -> None:
        """One more custom agent."""
        with (self.home / "config" / "agents.toml").open("a") as file:
            file.write(f"\n[agents.{name}]\ncommand = {json.dumps(command)}\n")

    def add_fake(self, name: str, start: str = "", **env: str) -> str:
        """One more fake agent, with FAKE_AGENT_START and other variables of its own; its slug."""
        state = str(self.log.parent / "state")
        given = {"FAKE_AGENT_LOG": str(self.log), "FAKE_AGENT_STATE": state, "FAKE_AGENT_START": start, **env}
        table = ", ".join(f"{key} = {json.dumps(value)}" for key, value in given.items())
        command = json.dumps([sys.executable, str(FAKE_AGENT)])
        with (self.home / "config" / "agents.toml").open("a") as file:
            file.write(f"\n[agents.{name}]\ncommand = {command}\nenv = {{ {table} }}\n")
        return f"custom:{name}"

    def pipe(self, data: bytes, *arguments: str, **env: str) -> "subprocess.CompletedProcess[bytes]":
        """A companion that is given these bytes and the end of its input."""
        return subprocess.run(
            [sys.executable, "-I", "-m", "companion", "--home", str(self.home), *arguments],
            input=data,
            capture_output=True,
            env={**self.env, **env},
            cwd=self.folder,
            timeout=PATIENCE,
            check=False,
        )

    def agent_log(self) -> list[Json]:
        """What the fake agents were sent, in order."""
        if not self.log.exists():
            return []
        return [json.loads(line)["message"] for line in self.log.read_text().splitlines()]

    def close(self) -> None:
        """End everything; nothing may be left."""
        for companion in self._companions:
            companion.kill()
        if self.host is not None:
            if self.host.poll() is None:
                self.host.send_signal(signal.SIGTERM)
            try:
                self._reap()
            except subprocess.TimeoutExpired:
                self.kill_host()
        try:
            until(lambda: not self.tree(), f"no process left; there are {self.tree()}")
        finally:
            for pid, _ in self.tree():
                os.kill(pid, signal.SIGKILL)


def processes_with(marker: bytes) -> Iterator[tuple[int, str]]:
    """Live processes whose environment holds the marker, ourselves and zombies left out."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            environment = Path("/proc", name, "environ").read_bytes()
            command = Path("/proc", name, "cmdline").read_bytes()
        except OSError:
            continue
        if marker in environment.split(b"\0") and command:
            yield int(name), command.replace(b"\0", b" ").decode(errors="replace").strip()


def descriptors(pid: int) -> dict[int, str]:
    """What the descriptors of a process lead to; one that closes while we look is left out."""
    found: dict[int, str] = {}
    for name in os.listdir(f"/proc/{pid}/fd"):
        with contextlib.suppress(FileNotFoundError):
            found[int(name)] = os.readlink(f"/proc/{pid}/fd/{name}")
    return found
