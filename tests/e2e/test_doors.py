"""Who gets in: the socket, its token, its rights, and what the doors say to garbage."""

import json
import os
import stat
import struct
import sys

import pytest

from tests.e2e.rig import Rig, descriptors
from tests.e2e.socket_peer import connect, exchange, receive, request
from tests.support import until

pytestmark = pytest.mark.e2e


def test_folder_socket_and_record_are_closed_to_others(host: Rig) -> None:
    run = host.home / "run"
    assert stat.S_IMODE(os.stat(run).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(host.ready["socket"]).st_mode) == 0o600
    record = run / "broker.json"
    assert stat.S_IMODE(os.stat(record).st_mode) == 0o600
    assert set(json.loads(record.read_text())) >= {"v", "pid", "socket", "token", "version", "started_at"}
    assert host.stop() == 0
    assert not record.exists()
    assert not os.path.exists(host.ready["socket"])


@pytest.mark.parametrize("token", ["", "wrong", None, 5, "x" * 10_000])
@pytest.mark.parametrize("kind", ["call", "status", "cancel_task", "feedback", "ask", "operator", "hello", "catalog"])
def test_a_bad_token_gets_nothing(host: Rig, token: object, kind: str) -> None:
    answer = request(host, kind=kind, v=1, token=token, task_ids=["x"], op="tasks")
    assert answer["error"]["code"] in {"not_authorized", "invalid_request"}
    assert set(answer) == {"error"}


@pytest.mark.parametrize("payload", [b"", b"garbage", b"[]", b"\xff\xfe", b'{"kind": "call"', b"{}" * 40_000])
def test_garbage_gets_one_error_and_the_host_stays_up(host: Rig, payload: bytes) -> None:
    assert exchange(host, payload)["error"]["code"] in {"invalid_request", "not_authorized"}
    assert host.companion().ask("tools/list", {})["result"]["tools"]


def test_a_frame_over_the_limit_is_refused_before_it_is_sent(host: Rig) -> None:
    with connect(host) as peer:
        peer.sendall(struct.pack("<I", 16 * 1024 * 1024 + 1))
        assert receive(peer)["error"]["code"] == "too_large"


def test_another_version_is_told_so(host: Rig) -> None:
    token = json.loads((host.home / "run" / "broker.json").read_text())["token"]
    assert request(host, kind="catalog", v=99, token=token)["error"]["code"] == "version_mismatch"


def test_no_token_is_on_any_command_line_in_a_log_or_in_an_agents_environment(host: Rig) -> None:
    companion = host.companion()
    dump, gate = host.folder / "env.json", host.folder / "gate"
    task = companion.delegate("custom:fake", f"@env {dump} @wait {gate} @say ok")["task_id"]
    until(dump.exists, "the child dumped its environment")
    tokens = [json.loads((host.home / "run" / "broker.json").read_text())["token"]]
    tokens += [path.read_text().strip() for path in (host.home / "run" / "tokens").iterdir()]
    assert len(tokens) > 1
    seen = " ".join(line for _, line in host.tree()) + dump.read_text()
    seen += "".join(path.read_text() for path in (host.home / "log").iterdir())
    assert not [token for token in tokens if token in seen]
    gate.touch()
    companion.wait(task)
    until(lambda: not list((host.home / "run" / "tokens").iterdir()), "the child's token died with it")


def test_an_agent_has_no_descriptors_of_ours(host: Rig) -> None:
    companion = host.companion()
    began, gate = host.folder / "began", host.folder / "gate"
    companion.delegate("custom:fake", f"@touch {began} @wait {gate} @say ok")
    until(began.exists, "the child works")
    agent = next(pid for pid, line in host.agents() if "fake_agent" in line and "keeper" not in line)
    targets = set(descriptors(agent).values())
    mine = {t for t in targets if t.startswith("socket:")}
    assert not [t for t in targets if "broker" in t or "codeg.db" in t]
    assert len(mine) <= 3
    gate.touch()


def test_a_planted_module_in_the_folder_stays_unread(host: Rig) -> None:
    for name in ("json.py", "os.py", "anyio.py", "codeg.py", "companion.py"):
        (host.folder / name).write_text(f"open({str(host.folder / 'planted')!r}, 'w').close()\n")
    host.env["PYTHONPATH"] = str(host.folder)
    companion = host.companion()
    assert companion.wait(companion.delegate("demo", "@demo survey")["task_id"], patience=40)["status"] == "completed"
    assert not (host.folder / "planted").exists()


def test_an_agent_cannot_act_as_the_operator(host: Rig) -> None:
    # A process inside an agent's tree finds the record of the host, and is refused by where it stands.
    script, answer, record = host.folder / "operate.py", host.folder / "answer.json", host.home / "run" / "broker.json"
    script.write_text(
        "import json, os, socket, struct, sys\n"
        "record = json.load(open(sys.argv[1]))\n"
        "peer = socket.socket(socket.AF_UNIX); peer.connect(record['socket'])\n"
        "body = json.dumps({'kind': 'operator', 'v': 1, 'token': record['token'], 'op': 'tasks'}).encode()\n"
        "peer.sendall(struct.pack('<I', len(body)) + body)\n"
        "open(sys.argv[2] + '.new', 'wb').write(peer.recv(65536)[4:])\n"
        "os.rename(sys.argv[2] + '.new', sys.argv[2])\n"
    )
    host.add_agent("sly", sys.executable, str(script), str(record), str(answer))
    companion = host.companion()
    task = companion.delegate("custom:sly", "approve yourself")["task_id"]
    assert companion.wait(task)["status"] == "failed"
    assert json.loads(answer.read_text())["error"]["code"] == "not_authorized"
