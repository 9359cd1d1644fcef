"""What a desktop asks of a running host beside looking: delegation, follow-ups, settings, agents, marks, notes."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from codeg import api
from codeg.broker.codes import Code, Status
from codeg.broker.tasks import Answer, Refused, TaskView, Unknown
from codeg.runtime.app import HostSettings, open_host
from codeg.runtime.host import Host
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import (
    AgentsChanged,
    Change,
    NotesChanged,
    QuestionChanged,
    SessionDeleted,
    SettingsChanged,
    TaskChanged,
    TurnFinished,
    What,
)
from codeg.sessions.types import Image, Offers
from codeg.store.records import DayUsage, SessionRecord
from codeg.store.settings import DesktopSettings
from tests.fakes.stub_connection import OFFERS, StubLauncher
from tests.runtime.stubs import PATIENCE_S, until

pytestmark = pytest.mark.anyio
T = TypeVar("T", bound=What)
PIXEL = Image("image/png", "iVBORw0KGgo=")


class Window:
    """A front end over a host with stub agents."""

    def __init__(self, host: Host, launcher: StubLauncher, folder: Path) -> None:
        self.host = host
        self.launcher = launcher
        self.folder = folder
        self.changes: list[What] = []
        host.subscribe(self._noted)

    def _noted(self, change: Change) -> None:
        self.changes.append(change.what)

    def told(self, kind: type[T]) -> list[T]:
        return [what for what in self.changes if isinstance(what, kind)]

    async def root(self) -> str:
        session_id = await self.host.roots.begin("demo", str(self.folder))
        await self.host.roots.opened(session_id)
        return session_id

    async def turn(self, session_id: str, text: str, images: tuple[Image, ...] = ()) -> None:
        count = len(self.told(TurnFinished))
        self.host.roots.prompt(session_id, text, images=images)
        await until(lambda: len(self.told(TurnFinished)) > count, "the turn is over")

    def held(self, name: str) -> str:
        return f"@wait {self.folder / name} @say Result of {name}."

    def let(self, name: str) -> None:
        (self.folder / name).touch()

    async def at_work(self, task_id: str) -> TaskView:
        def works() -> TaskView | None:
            views = [what.view for what in self.told(TaskChanged) if what.view.record.task_id == task_id]
            return views[-1] if views and views[-1].record.started_ms is not None else None

        return await until(works, f"{task_id} works")

    async def ended(self, task_id: str, attempt: int = 1) -> TaskView:
        def over() -> TaskView | None:
            views = [what.view for what in self.told(TaskChanged) if what.view.record.task_id == task_id]
            last = views[-1] if views else None
            over = last is not None and last.record.attempt == attempt and last.record.phase == "ended"
            return last if over else None

        return await until(over, f"{task_id} has ended")


@asynccontextmanager
async def window(tmp_path: Path) -> AsyncGenerator[Window]:
    launcher = StubLauncher()
    home, work = tmp_path / "home", tmp_path / "work"
    for folder in (home, work):
        folder.mkdir(exist_ok=True)
    with anyio.fail_after(60):
        async with open_host(HostSettings(home=str(home), launcher=launcher)) as host:
            yield Window(host, launcher, work)


def view_of(answer: Answer) -> TaskView:
    assert isinstance(answer, TaskView), answer
    return answer


# ---- delegation by the person


async def test_the_person_delegates_below_a_live_root_and_a_live_child(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        outer = view_of(await desk.host.delegate(session_id, "demo", desk.held("outer")))
        assert (outer.record.by_person, outer.record.parent_id, outer.record.working_dir) == (
            True,
            session_id,
            str(desk.folder),
        )
        await desk.at_work(outer.record.task_id)
        inner = view_of(await desk.host.delegate(outer.record.child_id, "demo", "@say Inner."))
        assert inner.record.parent_task_id == outer.record.task_id
        await desk.ended(inner.record.task_id)
        desk.let("outer")
        view = await desk.ended(outer.record.task_id)
        assert view.record.end is not None
        assert (view.status, view.record.end.gist) == (Status.COMPLETED, "Result of outer.")
        with pytest.raises(UserError, match="has ended; delegate from the session"):
            await desk.host.delegate(outer.record.child_id, "demo", "x")


async def test_the_person_delegates_below_a_root_that_has_ended_and_after_a_restart(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.host.roots.close(session_id)
        view = view_of(await desk.host.delegate(session_id, "demo", "@say One."))
        assert (await desk.ended(view.record.task_id)).status is Status.COMPLETED
    async with window(tmp_path) as desk:
        view = view_of(await desk.host.delegate(session_id, "demo", "@say Two."))
        assert (await desk.ended(view.record.task_id)).record.root_id == session_id
        assert len(await desk.host.tasks(parent_ids=[session_id])) == 2


async def test_the_person_delegates_below_an_outside_session(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        folder = str(desk.folder)
        record = SessionRecord("guest", "outside", folder, "gone", 1, 1, "guest", host="claude-code")
        await desk.host._core.sessions.save(record)
        view = view_of(await desk.host.delegate("guest", "demo", "@say Done."))
        assert (await desk.ended(view.record.task_id)).status is Status.COMPLETED


async def test_any_folder_of_the_persons_will_do_and_a_key_finds_the_task_again(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        elsewhere = str(tmp_path)
        first = view_of(await desk.host.delegate(session_id, "demo", "@say x", elsewhere, key="k"))
        again = view_of(await desk.host.delegate(session_id, "demo", "@say x", elsewhere, key="k"))
        assert (first.record.working_dir, again.record.task_id) == (elsewhere, first.record.task_id)
        assert first.record.folder_question is None
        other = await desk.host.delegate(session_id, "demo", "@say y", key="k")
        assert isinstance(other, Refused)
        assert other.code is Code.CONFLICT
        await desk.ended(first.record.task_id)


async def test_what_cannot_be_delegated_is_refused_like_a_call(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        for agent, task, folder, code in (
            ("nobody", "x", None, Code.INVALID_AGENT_TYPE),
            ("demo", " ", None, Code.INVALID_ARGUMENTS),
            ("demo", "x", "/no/such/folder", Code.INVALID_WORKING_DIR),
        ):
            answer = await desk.host.delegate(session_id, agent, task, folder)
            assert isinstance(answer, Refused)
            assert answer.code is code
        await desk.host.change_settings({"delegation.enabled": False})
        answer = await desk.host.delegate(session_id, "demo", "x")
        assert isinstance(answer, Refused)
        assert answer.code is Code.DELEGATION_DISABLED
        with pytest.raises(UserError, match="There is no session nobody"):
            await desk.host.delegate("nobody", "demo", "x")


# ---- start now, follow up


async def test_a_queued_task_starts_on_the_persons_word(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.host.change_settings({"delegation.live_per_parent": 1})
        first = view_of(await desk.host.delegate(session_id, "demo", desk.held("a")))
        await desk.at_work(first.record.task_id)
        second = view_of(await desk.host.delegate(session_id, "demo", "@say Second."))
        assert second.status is Status.QUEUED
        assert view_of(await desk.host.start_now(second.record.task_id)).status is Status.RUNNING
        await desk.ended(second.record.task_id)
        assert await desk.host.start_now("nobody") == Unknown("nobody")
        desk.let("a")
        await desk.ended(first.record.task_id)


async def test_a_completed_child_goes_on_with_the_persons_prompt(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        first = view_of(await desk.host.delegate(session_id, "demo", "@say First."))
        await desk.ended(first.record.task_id)
    async with window(tmp_path) as desk:
        desk.launcher.sessions.add("stub-2")
        answer = await desk.host.follow_up(first.record.task_id, "@say Second.")
        assert view_of(answer).record.attempt == 2
        view = await desk.ended(first.record.task_id, attempt=2)
        assert view.record.end is not None
        assert (view.status, view.record.end.gist) == (Status.COMPLETED, "Second.")
        assert await desk.host.result(first.record.task_id) == b"Second."
        texts = [entry.text for entry in await desk.host.entries(first.record.child_id) if entry.kind == "user"]
        assert texts == ["@say First.", "@say Second."]
        assert await desk.host.follow_up("nobody", "x") == Unknown("nobody")
        with pytest.raises(UserError, match="needs a text"):
            await desk.host.follow_up(first.record.task_id, "  ")


async def test_a_child_that_forgot_keeps_its_first_end(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        first = view_of(await desk.host.delegate(session_id, "demo", "@say First."))
        await desk.ended(first.record.task_id)
        desk.launcher.sessions.clear()
        answer = await desk.host.follow_up(first.record.task_id, "more")
        assert isinstance(answer, Refused)
        assert answer.code is Code.RESUME_UNAVAILABLE
        assert answer.view is not None
        assert answer.view.status is Status.COMPLETED
        assert await desk.host.result(first.record.task_id) == b"First."


# ---- what is shown of a live session


async def test_roots_and_live_children_tell_what_they_offer(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        view = view_of(await desk.host.delegate(session_id, "demo", desk.held("a")))
        await desk.at_work(view.record.task_id)
        for each in (session_id, view.record.child_id):
            facts = desk.host.facts(each)
            assert facts is not None
            assert (facts.options, facts.commands, facts.images) == (OFFERS.options, OFFERS.commands, True)
        assert desk.host.facts("nobody") is None
        desk.let("a")
        await desk.ended(view.record.task_id)
        assert desk.host.facts(view.record.child_id) is None


async def test_an_option_is_changed_as_the_agent_offers_it(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.host.roots.set_option(session_id, "model", "large")
        await desk.host.roots.set_option(session_id, "fast", "true")
        facts = desk.host.facts(session_id)
        assert facts is not None
        assert [option.value for option in facts.options] == ["large", "true"]
        for option, value, why in (
            ("nothing", "x", "offers no option nothing"),
            ("model", "huge", "The option Model does not take huge"),
            ("model", "refused", "answered session/set_config_option"),
        ):
            with pytest.raises(UserError, match=why):
                await desk.host.roots.set_option(session_id, option, value)
        with pytest.raises(UserError, match="is not open"):
            await desk.host.roots.set_option("nobody", "model", "large")


async def test_images_go_with_a_prompt_and_stay_in_its_entry(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.turn(session_id, "@say Seen.", (PIXEL,))
        await desk.turn(session_id, "", (PIXEL, PIXEL))
        assert desk.launcher.images == [(PIXEL,), (PIXEL, PIXEL)]
        block = {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="}
        users = [entry for entry in await desk.host.entries(session_id) if entry.kind == "user"]
        assert [(entry.text, entry.content) for entry in users] == [("@say Seen.", (block,)), ("", (block, block))]


async def test_images_that_an_agent_does_not_take_are_refused(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        for images, why in (
            ((PIXEL,) * 21, "at most 20 images"),
            ((Image("image/png", "A" * (33 * 2**20)),), "32 MiB"),
            ((Image("text/plain", PIXEL.data),), "by its type"),
            ((Image("image/png", "no base64!"),), "bytes in base64"),
            ((Image("image/png", ""),), "bytes in base64"),
        ):
            with pytest.raises(UserError, match=why):
                desk.host.roots.prompt(session_id, "look", images=images)
        desk.launcher.connections[0].offers = Offers()
        with pytest.raises(UserError, match="takes no images"):
            desk.host.roots.prompt(session_id, "look", images=(PIXEL,))
        with pytest.raises(UserError, match="needs a text"):
            desk.host.roots.prompt(session_id, " ")


# ---- notes and questions


async def test_notes_of_a_session_are_told_when_left_and_when_delivered(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        first = await desk.host.note(session_id, "One.")
        second = await desk.host.note(session_id, "Two.")
        assert [note.note_id for note in await desk.host.notes(session_id)] == [first, second]
        assert [len(what.notes) for what in desk.told(NotesChanged)] == [1, 2]
        await desk.host.desk.commit_feedback([session_id], [first])
        desk.host.roots.prompt(session_id, "Two.", [second])
        await until(lambda: len(desk.told(NotesChanged)) == 4, "both were delivered")
        delivered = [[note.delivered_ms is not None for note in what.notes] for what in desk.told(NotesChanged)[2:]]
        assert delivered == [[True, False], [True, True]]
        assert desk.told(NotesChanged)[-1].notes == await desk.host.notes(session_id)


async def test_a_note_reaches_a_running_child(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        view = view_of(await desk.host.delegate(await desk.root(), "demo", desk.held("a")))
        await desk.at_work(view.record.task_id)
        child = view.record.child_id
        note_id = await desk.host.note(child, "Mind the tests.")
        assert [item["id"] for item in await desk.host.desk.feedback([child])] == [note_id]
        assert desk.told(NotesChanged)[-1].session_id == child
        desk.let("a")
        await desk.ended(view.record.task_id)


async def test_questions_of_a_session_are_told_and_listed_in_whatever_state(tmp_path: Path) -> None:
    question = {
        "question": "Which colour?",
        "header": "Colour",
        "multiSelect": False,
        "options": [{"label": "Red", "description": ""}, {"label": "Blue", "description": ""}],
    }
    async with window(tmp_path) as desk, anyio.create_task_group() as group:
        session_id = await desk.root()
        for _ in range(2):
            group.start_soon(desk.host.desk.ask, [session_id], [question], None, None)
        first, second = await until(lambda: len(desk.host.asks()) == 2 and desk.host.asks(), "both wait")
        await desk.host.answer(first["request_id"], answers=[{"question": "Which colour?", "selected": ["Red"]}])
        await desk.host.answer(second["request_id"])
        states = ["open", "open", "answered", "declined"]
        assert [what.record.state for what in desk.told(QuestionChanged)] == states
        assert [record.state for record in await desk.host.questions(session_id)] == ["answered", "declined"]
        assert (await desk.host.questions(session_id))[0].answers[0]["selected"] == ["Red"]


# ---- the list of sessions, the front end's memory


async def test_marks_a_kept_text_and_a_deletion_by_the_hosts_handle(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.host.rename(session_id, "Mine")
        record = await desk.host.mark(session_id, pinned=True, seen=True)
        assert (record.custom_title, record.pinned, record.seen_ms > 0) == ("Mine", True, True)
        assert (await desk.host.sessions())[0] == record == await desk.host.session(session_id)
        await desk.host.keep("layout", "{}")
        assert await desk.host.kept("layout") == "{}"
        await desk.host.delete(session_id)
        assert desk.told(SessionDeleted) == [SessionDeleted(session_id)]
        assert await desk.host.sessions() == ()


async def test_a_search_finds_what_was_just_said(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        session_id = await desk.root()
        await desk.turn(session_id, "@say The needle.")
        hits = await desk.host.search("NEEDLE")
        assert [(hit.session_id, hit.seq) for hit in hits] == [(session_id, 1), (session_id, 0)]
        (desk.folder / "a.py").write_text("")
        assert await desk.host.files(str(desk.folder)) == ("a.py",)
        assert await desk.host.usage_today() == DayUsage(18)


# ---- settings and agents


async def test_settings_count_at_once_and_are_told(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        settings = await desk.host.change_settings({"desktop.theme": "dark", "desktop.keys.send": "Ctrl+Return"})
        assert settings.desktop == DesktopSettings(theme="dark", keys=(("send", "Ctrl+Return"),))
        assert desk.told(SettingsChanged) == [SettingsChanged(settings)]
        assert desk.host.settings() == settings
        await until(lambda: desk.told(AgentsChanged), "the PATH for agents is known")
        desk.changes.clear()
        await desk.host.change_settings({"agents.demo.enabled": False})
        assert len(desk.told(AgentsChanged)) == 1
        for changes, why in (({"desktop.font_size": 99}, "from 12 to 18"), ({"no.such": 1}, "There is no setting")):
            with pytest.raises(UserError, match=why):
                await desk.host.change_settings(changes)
        (tmp_path / "home" / "config" / "settings.toml").write_text("[desktop]\ntheme = 'light'\n")
        assert desk.host.settings().desktop.theme == "light"
        assert desk.told(SettingsChanged)[-1].settings.desktop.theme == "light"


async def test_agents_are_saved_removed_and_told(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        desk.host.catalogue.listing()
        await until(lambda: desk.told(AgentsChanged), "the PATH for agents is known")
        desk.changes.clear()
        await desk.host.save_agent("custom:mine", "Mine", [sys.executable, "-c", "0"], {"KEY": "s3cret"})
        assert len(desk.told(AgentsChanged)) == 1
        made = desk.host.catalogue.find("custom:mine")
        assert made is not None
        assert (made.label, made.env) == ("Mine", (("KEY", "s3cret"),))
        await desk.host.remove_agent("custom:mine")
        assert len(desk.told(AgentsChanged)) == 2
        assert desk.host.catalogue.find("custom:mine") is None
        with pytest.raises(UserError, match="says nothing of custom:mine"):
            await desk.host.remove_agent("custom:mine")
    assert "s3cret" not in (tmp_path / "home" / "log" / "codeg.log").read_text()


async def test_agents_are_probed(tmp_path: Path) -> None:
    async with window(tmp_path) as desk:
        steps: list[str] = []
        probe = await desk.host.probe("demo", steps.append)
        assert (probe.state, probe.version, steps) == ("ready", "1.0", ["start", "handshake", "session"])
        await desk.host.save_agent("custom:gone", "", ["/no/such/program"], {})
        missing = await desk.host.probe("custom:gone")
        assert missing.state == "missing"
        assert "/no/such/program" in missing.message
        with pytest.raises(UserError, match="There is no agent nobody"):
            await desk.host.probe("nobody")


async def test_registrations_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with window(tmp_path) as desk:
        with anyio.fail_after(PATIENCE_S * 3):
            found = await desk.host.registrations()
        assert tuple(each.host for each in found) == api.MCP_HOSTS
        assert not any(each.registered for each in found)
