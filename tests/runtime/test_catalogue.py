"""The agents of a host: file, settings, what is installed, and when it is looked at again."""

import os
import sys
from pathlib import Path

import anyio
import pytest

from codeg.broker.codes import Phase, Status
from codeg.broker.tasks import End, TaskRecord
from codeg.runtime.agent_path import AgentPath
from codeg.runtime.catalogue import LOOK_S, AgentCatalogue
from codeg.runtime.database import open_database
from codeg.runtime.housekeeping import keep_house
from codeg.runtime.injection import HostAddress, companion_entry
from codeg.runtime.live_settings import LiveSettings
from codeg.store.records import SaveTask
from codeg.store.settings import AgentSettings, Settings, SettingsError
from tests.runtime.stubs import PATIENCE_S, until


class Programs:
    """What is on the disk."""

    def __init__(self) -> None:
        self.there: set[str] = set()
        self.looks = 0

    def find(self, name: str) -> str | None:
        self.looks += 1
        return f"/bin/{name}" if name in self.there or name == sys.executable else None


def catalogue(folder: Path, programs: Programs, **settings: AgentSettings) -> AgentCatalogue:
    def told(slug: str) -> AgentSettings:
        return settings.get(slug, AgentSettings())

    return AgentCatalogue(str(folder / "agents.toml"), programs.find, told)


def write(folder: Path, text: str) -> None:
    path = folder / "agents.toml"
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 1_000_000, before + 1_000_000))


def test_the_users_file_is_read_again_when_it_changed(tmp_path: Path) -> None:
    agents = catalogue(tmp_path, Programs())
    assert agents.find("custom:mine") is None
    write(tmp_path, '[agents.mine]\ncommand = ["mine"]\n')
    assert agents.find("custom:mine") is not None
    assert agents.enabled_slugs()[-1] == "custom:mine"
    write(tmp_path, '[agents.mine]\ncommand = ["mine"]\nenabled = false\n[agents.codex]\nenabled = false\n')
    assert agents.custom_and_disabled() == ((), ("codex",))
    assert "codex" not in agents.enabled_slugs()
    (tmp_path / "agents.toml").unlink()
    assert agents.find("custom:mine") is None


def test_a_program_installed_later_is_found_and_then_remembered(tmp_path: Path) -> None:
    programs = Programs()
    agents = catalogue(tmp_path, programs)
    assert not agents.installed("codex")
    programs.there.add("codex-acp")
    assert agents.installed("codex")
    looks = programs.looks
    assert agents.installed("codex")
    assert programs.looks == looks
    assert not agents.installed("nobody")


def test_the_listing_looks_at_everything_afresh(tmp_path: Path) -> None:
    programs = Programs()
    programs.there.add("codex-acp")
    agents = catalogue(tmp_path, programs, codex=AgentSettings(enabled=False))
    listed = {agent["slug"]: agent for agent in agents.listing()}
    assert listed["codex"] == {
        "slug": "codex",
        "label": "Codex",
        "installed": True,
        "command": ["/bin/codex-acp"],
        "enabled": False,
        "how_to_install": listed["codex"]["how_to_install"],
    }
    assert listed["demo"]["installed"]
    programs.there.clear()
    assert not next(agent for agent in agents.listing() if agent["slug"] == "codex")["installed"]


def test_the_users_settings_stand_above_the_catalogue(tmp_path: Path) -> None:
    write(tmp_path, '[agents.mine]\ncommand = ["mine"]\noptions = { a = "1", b = "1" }\n')
    told = {"custom:mine": AgentSettings(mode="plan", options=(("b", "2"),), delegate=False, enabled=True)}
    agent = catalogue(tmp_path, Programs(), **told).find("custom:mine")
    assert agent is not None
    assert (agent.mode, dict(agent.options), agent.delegate, agent.enabled) == (
        "plan",
        {"a": "1", "b": "2"},
        False,
        True,
    )


def test_while_the_path_is_not_known_only_a_start_can_tell(tmp_path: Path) -> None:
    known = False
    agents = AgentCatalogue(
        str(tmp_path / "agents.toml"), Programs().find, lambda _slug: AgentSettings(), lambda: known
    )
    assert agents.installed("codex")
    known = True
    assert not agents.installed("codex")


@pytest.mark.anyio
async def test_a_call_waits_a_moment_for_the_path_and_no_longer_once_it_is_known(tmp_path: Path) -> None:
    waits: list[float] = []
    known: list[bool] = []

    async def known_within(seconds: float) -> None:
        waits.append(seconds)
        known.append(True)

    def certain() -> bool:
        return bool(known)

    def told(_slug: str) -> AgentSettings:
        return AgentSettings()

    file = str(tmp_path / "agents.toml")
    agents = AgentCatalogue(file, Programs().find, told, certain, known_within=known_within)
    assert agents.installed("codex"), "perhaps"
    for _ in range(2):
        await agents.look_ready()
    assert waits == [LOOK_S]
    assert not agents.installed("codex")


def test_a_missing_program_is_named_with_the_folders_searched_and_the_setting(tmp_path: Path) -> None:
    write(tmp_path, '[agents.mine]\ncommand = ["mine"]\n')
    agents = AgentCatalogue(
        str(tmp_path / "agents.toml"), Programs().find, lambda _: AgentSettings(), path=lambda: "/usr/bin:/opt/x"
    )
    sentence = agents.why_missing("custom:mine")
    assert sentence.startswith("mine was not found in /usr/bin, /opt/x; set `command` of [agents.mine]")
    assert agents.why_missing("custom:nobody") == ""


@pytest.mark.parametrize(
    ("slug", "base", "adapter"),
    [("claude_code", "claude", "claude-agent-acp"), ("codex", "codex", "codex-acp"), ("pi", "pi", "pi-acp")],
)
def test_a_program_without_its_adapter_is_not_installed_and_that_is_said(
    tmp_path: Path, slug: str, base: str, adapter: str
) -> None:
    programs = Programs()
    programs.there.add(base)
    agents = AgentCatalogue(
        str(tmp_path / "agents.toml"), programs.find, lambda _: AgentSettings(), path=lambda: "/bin"
    )
    [listed] = [each for each in agents.listing() if each["slug"] == slug]
    assert not listed["installed"]
    said = f" itself is there ({programs.find(base)}), only its adapter {adapter} is missing. Install it with `npm "
    assert said in listed["how_to_install"]
    assert said in agents.why_missing(slug)


def test_a_broken_file_costs_what_it_says(tmp_path: Path) -> None:
    write(tmp_path, "[agents.mine\n")
    agents = catalogue(tmp_path, Programs())
    assert agents.find("demo") is not None
    assert [problem.line for problem in agents.problems()] == [1]


def test_settings_are_read_again_and_a_broken_file_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "settings.toml"
    live = LiveSettings(str(path))
    told: list[Settings] = []
    live.on_change(lambda _before, now: told.append(now))
    assert live.limits().depth_limit == 2
    path.write_text("[delegation]\ndepth_limit = 3\n[agents.codex]\ndelegate = false\n")
    assert (live.limits().depth_limit, live.agent("codex").delegate) == (3, False)
    path.write_text("[delegation]\ndepth_limit = 'x' # broken\n")
    assert live.limits().depth_limit == 3
    assert live.limits().depth_limit == 3
    assert caplog.text.count("stay as they were") == 1
    path.unlink()
    assert live.limits().depth_limit == 2
    assert [settings.delegation.depth_limit for settings in told] == [3, 2]
    path.write_text("nonsense")
    with pytest.raises(SettingsError):
        LiveSettings(str(path))


def test_the_home_is_named_only_where_it_was_given() -> None:
    for home in (None, "/home/x"):
        entry = companion_entry(HostAddress("/s", 1, home), "s", "/t", ("ask",), ((), ()))
        assert entry.command == os.path.abspath(sys.executable)
        assert ("--home" in entry.args) is (home is not None)
        assert "--custom-agents" not in entry.args
        assert "--disabled-agents" not in entry.args


@pytest.mark.anyio
async def test_agents_wait_for_the_login_shells_path_and_looks_do_not(tmp_path: Path) -> None:
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    path = AgentPath({"PATH": str(tmp_path), "HOME": str(tmp_path)})
    assert path.find("tool") == str(tmp_path / "tool")
    assert not path.certain()
    got: list[str] = []

    async def wait() -> None:
        got.append(await path())

    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as group:
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            assert got == []
            group.start_soon(path.run)
            await until(lambda: got, "the path is known")
    assert path.certain()
    assert str(tmp_path) in got[0].split(os.pathsep)


@pytest.mark.anyio
async def test_housekeeping_prunes_in_portions_until_nothing_is_left(tmp_path: Path) -> None:
    end = End(Status.COMPLETED, text_bytes=4)
    old = [
        TaskRecord(f"t{n}", "p", "p", 1, "demo", "x", "/", None, f"c{n}", Phase.ENDED, 1, 1, ended_ms=2, end=end)
        for n in range(60)
    ]
    async with open_database(str(tmp_path / "codeg.db")) as database:
        await database.commit([SaveTask(record, b"text") for record in old])

        async def texts() -> int:
            return await database.run(lambda store: sum(store.result_size(record.task_id) for record in old))

        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as group:
                group.start_soon(keep_house, database, lambda: 90, lambda: 2**50, 0.0)
                while await texts():  # noqa: ASYNC110  # the store tells nobody
                    await anyio.sleep(0.01)
                group.cancel_scope.cancel()
        assert len(await database.run(lambda store: store.tasks_page(100))) == 60
