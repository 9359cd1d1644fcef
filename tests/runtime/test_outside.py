"""Outside sessions: whom a registered companion speaks for, and for how long."""

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from codeg.broker.events import LeaseBegan, LeaseEnded
from codeg.runtime.outside import Guest, Outside, normal_name
from codeg.runtime.services import UserError
from codeg.store.store import Store
from tests.fakes.stub_services import StubParts

pytestmark = pytest.mark.anyio


class Host:
    """The identities of one run of a host over a store that outlives it."""

    def __init__(self, store: Store) -> None:
        self.parts = StubParts("/somewhere", store)
        self.now = 1_000
        self._ids = 0
        self.outside = self.start()

    def start(self) -> Outside:
        return Outside(
            self.parts.sessions, self.parts.broker, self.parts.database, fresh_id=self._id, wall_ms=self._wall
        )

    async def begin(self, name: str = "claude-code", folder: str = "/w", session_id: str | None = None) -> str:
        made = await self.outside.begin(Guest(name, folder, session_id))
        self._store(made)
        return made

    async def end(self, session_id: str) -> None:
        await self.outside.end(session_id)
        self._store(session_id)

    def _store(self, session_id: str) -> None:
        from codeg.store.records import SaveSession

        self.parts.store.commit([SaveSession(self.parts.sessions.held[session_id])])

    def _id(self) -> str:
        self._ids += 1
        return f"outside-{self._ids}"

    def _wall(self) -> int:
        self.now += 1
        return self.now

    def state(self, session_id: str) -> str:
        return self.parts.sessions.held[session_id].state


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Store.open(str(tmp_path / "codeg.db")) as store:
        yield Host(store)


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code/2.1.332", "claude-code"),
        ("codex-mcp-client", "codex-mcp-client"),
        ("gemini-cli-mcp-client", "gemini-cli-mcp-client"),
        ("qwen-cli-mcp-client-codeg", "qwen-cli-mcp-client"),
        ("qwen-cli-mcp-client-codeg-mcp", "qwen-cli-mcp-client"),
        ("opencode 1.18.33", "opencode"),
        ("foo-codeg", "foo"),
        ("foo-v1.2.3", "foo"),
        ("codeg", "codeg"),
        ("gpt-4", "gpt-4"),
        ("  ", "unknown"),
        ("编辑器", "编辑器"),
        ("a\x00b\nc", "a-b-c"),
        ("x" * 500, "x" * 100),
    ],
)
def test_the_name_of_a_host_program_is_kept_without_version_and_server_name(told: str, kept: str) -> None:
    assert normal_name(told) == kept
    assert normal_name(kept) == kept


async def test_a_first_companion_makes_a_session_that_the_ledger_knows_as_leased(host: Host) -> None:
    made = await host.begin("Qwen-cli-mcp-client-codeg", "/w/")
    record = host.parts.sessions.held[made]
    assert (record.kind, record.host, record.folder, record.state) == (
        "outside",
        "qwen-cli-mcp-client",
        "/w",
        "connected",
    )
    assert (record.root_id, record.depth, record.parent_id) == (made, 0, None)
    assert host.parts.broker.events == [LeaseBegan(made)]
    assert host.outside.leased(made)


async def test_the_last_lease_that_ends_is_told_and_earlier_ones_are_not(host: Host) -> None:
    made = await host.begin(session_id="s1")
    assert await host.begin(session_id="s1") == made
    await host.end(made)
    assert host.state(made) == "connected"
    await host.end(made)
    assert host.parts.broker.events == [LeaseBegan(made), LeaseEnded(made)]
    assert host.state(made) == "gone"
    await host.outside.end(made)
    assert len(host.parts.broker.events) == 2


async def test_two_companions_at_once_without_an_id_are_two_sessions(host: Host) -> None:
    first, second = await host.begin(), await host.begin()
    assert first != second


async def test_two_that_come_in_the_same_moment_are_two_sessions_and_with_one_id_one(host: Host) -> None:
    made: list[str] = []

    async def one(session_id: str | None) -> None:
        made.append(await host.outside.begin(Guest("claude-code", "/w", session_id)))

    async with anyio.create_task_group() as group:
        for session_id in (None, None, "s1", "s1"):
            group.start_soon(one, session_id)
    assert len(set(made)) == 3
    assert len(host.parts.broker.asked(LeaseBegan)) == 3


async def test_a_later_companion_without_an_id_takes_the_newest_identity_that_nobody_leases(host: Host) -> None:
    first, second = await host.begin(), await host.begin()
    await host.end(first)
    await host.end(second)
    assert await host.begin() == second
    assert await host.begin() == first
    assert await host.begin() not in (first, second)


async def test_an_id_leads_to_its_own_identity_and_to_no_other(host: Host) -> None:
    first = await host.begin(session_id="s1")
    await host.end(first)
    second = await host.begin(session_id="s2")
    assert second != first
    assert await host.begin(session_id="s1") == first


@pytest.mark.parametrize(("name", "folder"), [("codex-mcp-client", "/w"), ("claude-code", "/v")])
async def test_another_name_or_folder_is_another_identity(host: Host, name: str, folder: str) -> None:
    first = await host.begin()
    await host.end(first)
    assert await host.begin(name, folder) != first
    assert host.outside.readable(first) == (first,)


async def test_a_restarted_host_finds_the_identity_again(host: Host) -> None:
    first = await host.begin(session_id="s1")
    second = await host.begin()
    host.parts.sessions.held.clear()
    host.outside = host.start()
    assert await host.begin(session_id="s1") == first
    assert await host.begin() == second
    assert host.state(first) == "connected"


async def test_a_companion_reads_those_of_its_name_and_folder_whose_leases_have_ended(host: Host) -> None:
    first, second = await host.begin(session_id="s1"), await host.begin(session_id="s2")
    third = await host.begin(session_id="s3")
    await host.end(first)
    assert host.outside.readable(third) == (third, first)
    await host.end(second)
    assert set(host.outside.readable(third)) == {third, first, second}
    assert host.outside.readable("root") == ("root",)


async def test_a_relative_folder_is_refused(host: Host) -> None:
    with pytest.raises(UserError, match="absolute"):
        await host.outside.begin(Guest("claude-code", "w"))


async def test_a_store_that_fails_leaves_no_lease(host: Host) -> None:
    host.parts.sessions.fault = OSError("disk full")
    with pytest.raises(OSError, match="disk full"):
        await host.outside.begin(Guest("claude-code", "/w"))
    assert not host.parts.broker.events
    host.parts.sessions.fault = None
    made = await host.begin()
    assert host.outside.leased(made)


async def test_an_identity_that_the_person_deleted_is_none_any_more(host: Host) -> None:
    for own_id in (None, "s1"):
        made = await host.begin(session_id=own_id)
        await host.end(made)
        host.parts.sessions.gone_for_good.add(made)
        assert await host.begin(session_id=own_id) != made


@pytest.mark.parametrize(
    ("name", "title"),
    [("codex-mcp-client", "Codex in w"), ("claude-code", "Claude Code in w"), ("somebody", "somebody in w")],
)
async def test_a_session_is_titled_as_a_person_calls_the_program(host: Host, name: str, title: str) -> None:
    assert host.parts.sessions.held[await host.begin(name)].title == title
