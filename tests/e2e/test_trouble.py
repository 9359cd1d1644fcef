"""Trouble around the host: broken files, places that cannot be used, a full disk, a stop in the thick of work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.rig import FAKE_AGENT, Rig
from tests.e2e.socket_peer import Guest
from tests.support import until

pytestmark = pytest.mark.e2e
DEAF = f"@run {sys.executable} {FAKE_AGENT.parent / 'processes' / 'family.py'}"


def one_sentence(done: "subprocess.CompletedProcess[str]", *words: str) -> None:
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert not [word for word in words if word not in done.stderr], done.stderr


@pytest.mark.parametrize(
    ("text", "line"),
    [("[delegation\n", "line 1"), ("\n[delegation]\ndepth_limit = 99\n", "line 3"), ("a = \xff", "line 1")],
)
def test_a_broken_settings_file_is_named_with_its_line_and_left_as_it_is(rig: Rig, text: str, line: str) -> None:
    path = rig.home / "config" / "settings.toml"
    path.write_bytes(text.encode("latin-1"))
    done = rig.codeg("serve")
    assert done.returncode in {1, 2}
    one_sentence(done, str(path), line if "\xff" not in text else "")
    assert path.read_bytes() == text.encode("latin-1")
    assert not rig.tree()


def test_a_broken_agents_file_costs_the_users_agents_and_the_host_serves(rig: Rig) -> None:
    good = (rig.home / "config" / "agents.toml").read_text()
    (rig.home / "config" / "agents.toml").write_text("[agents.fake\n" + good)
    rig.start()
    companion = rig.companion()
    refused = companion.delegate("custom:fake", "@say x")
    assert (refused["status"], refused["error_code"]) == ("failed", "invalid_agent_type")
    assert companion.wait(companion.delegate("demo", "survey")["task_id"])["status"] == "completed"
    (rig.home / "config" / "agents.toml").write_text(good)
    assert companion.wait(companion.delegate("custom:fake", "@say mended")["task_id"])["text"] == "mended"


@pytest.mark.parametrize("part", ["", "data", "config", "log"])
def test_a_place_that_cannot_be_used_is_one_sentence(rig: Rig, part: str) -> None:
    place = rig.home / part
    if place.exists():
        place.rename(place.with_name(place.name + ".away"))
    place.write_text("a file of somebody else")
    done = rig.codeg("serve", patience=20)
    assert done.returncode in {1, 2}
    one_sentence(done, str(rig.home))
    assert place.read_text() == "a file of somebody else"
    assert not rig.tree()


def test_a_host_whose_runtime_folder_is_foreign_is_found_in_the_stand_in(rig: Rig) -> None:
    (rig.home / "run").write_text("a file of somebody else")
    assert rig.start()["socket"].startswith("/tmp/codeg-")
    assert rig.codeg("asks", "--json").stdout == "[]\n"
    companion = rig.companion()
    assert companion.wait(companion.delegate("custom:fake", "@say found")["task_id"])["text"] == "found"


def test_a_foreign_file_at_the_sockets_place_is_one_sentence_and_stays(rig: Rig) -> None:
    run = rig.home / "run"
    run.mkdir(mode=0o700)
    (run / "broker.sock").write_text("precious")
    done = rig.codeg("serve")
    assert done.returncode == 1
    one_sentence(done, "broker.sock")
    assert (run / "broker.sock").read_text() == "precious"


def test_a_damaged_store_is_one_sentence_and_stays(rig: Rig) -> None:
    data = rig.home / "data"
    data.mkdir()
    (data / "codeg.db").write_bytes(b"no database at all" * 400)
    for words in (("serve",), ("task", "list"), ("sessions",), ("run", "hello")):
        done = rig.codeg(*words)
        assert done.returncode in {1, 2}, words
        one_sentence(done, "codeg.db")
    assert (data / "codeg.db").read_bytes() == b"no database at all" * 400


def test_a_full_disk_ends_the_host_in_one_sentence_and_loses_nothing_it_had_acknowledged(
    rig: Rig, tmp_path: Path
) -> None:
    rig.start()
    companion = rig.companion()
    kept = companion.delegate("custom:fake", "@say kept")["task_id"]
    companion.wait(kept)
    assert rig.stop() == 0
    database = rig.home / "data"
    size = max(os.stat(path).st_size for path in database.iterdir())
    said = tmp_path / "stderr"
    with said.open("w") as stderr:
        limit = size + 64 * 1024
        full = subprocess.Popen(
            [
                "/bin/sh",
                "-c",
                f"ulimit -f {limit // 512}; exec {sys.executable} -I -m codeg.cli serve --home {rig.home}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=rig.env,
            cwd=rig.folder,
        )
    try:
        assert full.stdout is not None
        assert full.stdout.readline()
        acknowledged: list[str] = [kept]
        for at in range(30):
            result = companion.call("delegate_to_agent", agent_type="custom:fake", task=f"@big 30000 {at}")
            if result.get("isError"):
                assert result["content"][0]["text"]
                break
            acknowledged.append(result["structuredContent"]["task_id"])
            companion.call("get_delegation_status", task_ids=[acknowledged[-1]], wait_ms=1_000)
        else:
            raise AssertionError("the disk was never full")
        assert full.wait(20) == 1
    finally:
        full.kill()
        full.wait()
        assert full.stdout is not None
        full.stdout.close()
    lines = said.read_text().strip().splitlines()
    assert len(lines) == 1, lines
    assert "Traceback" not in lines[0]
    until(lambda: not rig.agents(), "no agent is left")
    rig.start()
    for task in acknowledged:
        assert companion.status(task)[0]["status"] in {"completed", "interrupted"}, task
    assert companion.status(kept)[0]["text"] == "kept"


def test_a_stop_with_five_deaf_agents_at_work_is_clean(host: Rig) -> None:
    companion = host.companion()
    tasks: list[str] = []
    for at in range(5):
        began = host.folder / f"began{at}"
        tasks.append(
            companion.delegate("custom:fake", f"@ignorecancel {DEAF} @say part{at} @touch {began} @sleep 600")[
                "task_id"
            ]
        )
    until(lambda: all((host.folder / f"began{at}").exists() for at in range(5)), "all work")
    until(
        lambda: len([1 for _, line in host.tree() if "family.py" in line and "/bin/sh" not in line]) >= 25,
        "their helpers too",
    )
    mute = companion.delegate(host.add_fake("mute", "silent-initialize"), "@say never")["task_id"]
    card = companion.delegate("custom:fake", "@perm 1")["task_id"]
    until(lambda: host.codeg_json("asks"), "a card is open")
    assert host.stop() == 0
    left = [line for _, line in host.tree() if "-m companion" not in line]
    assert not left, left
    host.start()
    for at, task in enumerate(tasks):
        report = companion.status(task)[0]
        assert (report["status"], report["text"]) == ("interrupted", f"part{at}")
    assert [companion.status(task)[0]["status"] for task in (mute, card)] == ["interrupted", "interrupted"]
    assert host.codeg_json("asks") == []


def test_notes_and_answers_come_at_least_once_until_they_are_committed(host: Rig) -> None:
    with Guest(host) as guest:
        session = host.codeg_json("sessions")[0]["id"]
        for text in ("one", "two"):
            assert host.codeg("note", session, text).returncode == 0
        first = guest.ask("feedback")
        assert [item["text"] for item in first["feedback"]] == ["one", "two"]
        assert guest.ask("feedback") == first, "a repeat carries the same ids"
        assert guest.ask("commit_feedback", ids=[first["feedback"][0]["id"], "nobody's"]) is None
        assert [item["text"] for item in guest.ask("feedback")["feedback"]] == ["two"]
    host.kill_host()
    host.start()
    with Guest(host) as guest:
        left = guest.ask("feedback")["feedback"]
        assert [(item["id"], item["text"]) for item in left] == [(first["feedback"][1]["id"], "two")]
        with Guest(host, name="stranger") as stranger:
            assert stranger.ask("commit_feedback", ids=[left[0]["id"]]) is None
        assert guest.ask("feedback")["count"] == 1, "a stranger commits nothing of ours"
        guest.ask("commit_feedback", ids=[left[0]["id"]])
        assert guest.ask("feedback") == {"count": 0, "feedback": []}
