"""The promise of `codeg.sessions.connection`, kept by the real connection (with the fake agent) and by the stub alike."""

import contextlib
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from codeg.sessions.connection import AgentConnection, AgentFailure, Launcher, LaunchSpec
from codeg.sessions.diffs import Touched
from codeg.sessions.stdio_launcher import StdioLauncher
from codeg.sessions.types import AgentDefinition, ConfigOption, Image, McpServer, TurnResult
from tests.fakes.recording_sink import RecordingSink
from tests.fakes.stub_connection import StubLauncher

pytestmark = pytest.mark.anyio

FAKE_AGENT = str(Path(__file__).parents[1] / "fakes" / "fake_agent.py")
BOUND_S = 20
CHOICES = (("small", "Small"), ("large", "Large"), ("refused", "Refused"))


class Rig:
    """One way to start agents, and what a test needs around it."""

    def __init__(self, launcher: Launcher, folder: Path) -> None:
        self.launcher = launcher
        self.folder = folder
        self.sink = RecordingSink()
        env = (("FAKE_AGENT_STATE", str(folder / "state")),)
        self.agent = AgentDefinition("fake", "Fake", (sys.executable, FAKE_AGENT), env=env, mode="default")

    @asynccontextmanager
    async def open(
        self, *, attempt: int = 1, first_seq: int = 0, resume: str | None = None
    ) -> AsyncGenerator[AgentConnection]:
        self.sink = RecordingSink(first_seq)
        server = McpServer("codeg", "/bin/true", ())
        spec = LaunchSpec(self.agent, str(self.folder), (server,), BOUND_S, attempt, first_seq, resume)
        with anyio.fail_after(BOUND_S):
            async with self.launcher.open(spec, self.sink) as connection:
                yield connection

    async def turn(self, prompt: str) -> TurnResult:
        async with self.open() as connection:
            return await connection.prompt(prompt)

    def gate(self) -> Path:
        """A file that the agent waits for."""
        return self.folder / "gate"

    async def until(self, ready: Callable[[], object]) -> None:
        while not ready():  # noqa: ASYNC110  # what is waited for has no event
            await anyio.sleep(0.002)


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


async def _path() -> str:
    return os.environ["PATH"]


@pytest.fixture(params=["stdio", "stub"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Rig:
    if request.param == "stub":
        return Rig(StubLauncher(), tmp_path)
    return Rig(StdioLauncher(_path, os.environ, "0.0.0"), tmp_path)


async def test_an_open_connection_has_a_session_its_modes_and_its_ask_first_mode(rig: Rig) -> None:
    async with rig.open() as connection:
        assert connection.session_id
        assert connection.resume_via == "resume"
        assert ("default", "Ask") in connection.modes
        assert connection.mode == "default"
        assert rig.sink.log[0][0] == "process_started"
        assert rig.sink.of("process_started")[0].agent_pid > 0


async def test_what_the_agent_offers_is_told_and_changed_by_its_own_way(rig: Rig) -> None:
    async with rig.open() as connection:
        assert connection.offers.images
        assert connection.offers.options == (
            ConfigOption("model", "Model", "model", "small", CHOICES),
            ConfigOption("fast", "Fast", "", "false", (("true", "On"), ("false", "Off"))),
        )
        told = len(rig.sink.of("options_changed"))
        await connection.set_option("model", "large")
        await connection.set_option("fast", "true")
        assert [option.value for option in connection.offers.options] == ["large", "true"]
        assert len(rig.sink.of("options_changed")) == told + 2
        with pytest.raises(AgentFailure) as failure:
            await connection.set_option("model", "refused")
        assert failure.value.code == "subagent_error"
        assert [option.value for option in connection.offers.options] == ["large", "true"]


async def test_the_agents_greeting_is_told_with_its_version_before_the_session_is_open(rig: Rig) -> None:
    versions: list[str] = []
    spec = LaunchSpec(rig.agent, str(rig.folder), (), BOUND_S, greeted=versions.append)
    async with rig.launcher.open(spec, rig.sink):
        assert versions == ["1.0"]


async def test_images_go_with_the_text_and_are_kept_with_it(rig: Rig) -> None:
    images = (Image("image/png", "aGk="), Image("image/jpeg", "aG8="))
    async with rig.open() as connection:
        assert (await connection.prompt("@say Look:", images=images)).text == "Look:2 images of image/png"
        assert (await connection.prompt("", images=images[:1])).text == "1 images of image/png"
    users = [entry for entry in rig.sink.entries if entry.kind == "user"]
    block = {"type": "image", "mimeType": "image/png", "data": "aGk="}
    assert [(entry.text, len(entry.content), entry.content[0]) for entry in users] == [
        ("@say Look:", 2, block),
        ("", 1, block),
    ]


async def test_the_lines_that_a_turn_changed_are_counted(rig: Rig) -> None:
    async with rig.open() as connection:
        await connection.prompt("@say only words")
        assert connection.touched() is None
        await connection.prompt("@tool Edit @tool Edit @say done")
        assert connection.touched() == Touched(files=1, added=2, removed=0)


async def test_a_turn_gives_text_stop_reason_tokens_and_entries_in_order(rig: Rig) -> None:
    written: list[int] = []
    async with rig.open() as connection:
        prompt = "@think why @say hello @tool Read @say world"
        result = await connection.prompt(prompt, written=lambda: written.append(1))
    assert written == [1]
    assert (result.stop_reason, result.text, result.tool_calls, result.note) == ("end_turn", "world", 1, "")
    assert (result.usage.input_tokens, result.usage.output_tokens) == (11, 7)
    assert [entry.kind for entry in rig.sink.entries] == ["user", "thought", "message", "tool", "message"]
    assert [entry.seq for entry in rig.sink.entries] == [0, 1, 2, 3, 4]
    tool = rig.sink.entries[3]
    assert (tool.title, tool.status, tool.raw_input) == ("Read", "completed", {"name": "Read"})
    assert not rig.sink.of("exited")


async def test_a_prompt_that_is_not_recorded_leaves_no_entry_of_the_user(rig: Rig) -> None:
    async with rig.open(attempt=3, first_seq=40) as connection:
        await connection.prompt("@say hello", record=False)
    assert [(entry.seq, entry.kind, entry.attempt) for entry in rig.sink.entries] == [(40, "message", 3)]


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("@think t @say A @tool T @think t @say B", "B"),
        ("@say A @tool T", "A"),
        ("@say A @tool T @say B @tool T @think t", "B"),
        ("@say A @unknown @image @plan @say B", "AB"),
        ("@say A @notice careful @say B", "AB"),
        ("@chars grüße 漢字 🎉", "grüße 漢字 🎉"),
        ("@think t", ""),
    ],
)
async def test_the_result_is_what_was_said_after_the_last_tool_call(rig: Rig, prompt: str, text: str) -> None:
    assert (await rig.turn(prompt)).text == text


async def test_a_turn_of_tools_alone_says_what_was_run_and_touched(rig: Rig) -> None:
    result = await rig.turn("@tool Edit @tool Edit @tool Bash")
    assert result.text == ""
    assert result.tool_calls == 3
    assert "Edit (2)" in result.note
    assert "touched.txt" in result.note


@pytest.mark.parametrize("reason", ["max_tokens", "max_turn_requests", "refusal", "cancelled", "whatever_comes"])
async def test_stop_reasons_are_given_as_they_are(rig: Rig, reason: str) -> None:
    result = await rig.turn(f"@say part @stop {reason}")
    assert (result.stop_reason, result.text) == (reason, "part")


async def test_an_error_answer_is_a_failure_with_code_message_and_the_text_so_far(rig: Rig) -> None:
    async with rig.open() as connection:
        with pytest.raises(AgentFailure) as caught:
            await connection.prompt("@say part @error -32603 the model is away")
        assert caught.value.code == "subagent_error"
        assert "-32603" in caught.value.message
        assert "the model is away" in caught.value.message
        assert "more of it" in caught.value.message
        assert caught.value.text == "part"
        assert (await connection.prompt("@say again")).text == "again"
    assert not rig.sink.of("exited")


async def test_an_error_that_wants_a_sign_in_says_so_by_its_code(rig: Rig) -> None:
    with pytest.raises(AgentFailure) as caught:
        await rig.turn("@error -32000 Authentication required")
    assert caught.value.code == "auth_required"


@pytest.mark.parametrize(("prompt", "said"), [("@exit 0", "code 0"), ("@exit 7", "code 7"), ("@kill", "signal 9")])
async def test_an_end_in_mid_turn_is_a_crash_whatever_its_code(rig: Rig, prompt: str, said: str) -> None:
    async with rig.open() as connection:
        with pytest.raises(AgentFailure) as caught:
            await connection.prompt(f"@say part {prompt}")
        assert caught.value.code == "agent_crashed"
        assert said in caught.value.message
        assert caught.value.text == "part"
        with pytest.raises(AgentFailure):
            await connection.prompt("@say again")
    assert not rig.sink.of("exited")


async def test_a_permission_is_asked_once_and_answered_once(rig: Rig) -> None:
    results: list[TurnResult] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            results.append(await connection.prompt("@perm 1 @say done"))

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.open_permissions)
        [request] = rig.sink.of("permission_asked")
        assert request.title == "write a file"
        assert request.tool_call["rawInput"] == {"path": "/x"}
        assert [option.kind for option in request.options] == ["allow_always", "allow_once", "reject_once"]
        assert not connection.answer_permission("no-such-key", "once")
        with pytest.raises(ValueError, match="no option"):
            connection.answer_permission(request.key, "no-such-option")
        assert connection.answer_permission(request.key, "once")
        assert not connection.answer_permission(request.key, "no")
        await rig.until(lambda: results)
    assert results[0].text == "done"
    assert not rig.sink.of("permission_closed")
    tool = next(entry for entry in rig.sink.entries if entry.kind == "tool")
    assert (tool.status, tool.raw_output) == ("completed", {"chosen": "once"})


async def test_a_permission_answered_with_none_is_cancelled_alone(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, "@perm 1 @touch " + str(rig.gate()))
        await rig.until(lambda: rig.sink.open_permissions)
        assert connection.answer_permission(next(iter(rig.sink.open_permissions)), None)
        await rig.until(rig.gate().exists)
    tool = next(entry for entry in rig.sink.entries if entry.kind == "tool")
    assert tool.raw_output == {"chosen": "cancelled"}


async def test_a_permission_without_title_is_joined_with_its_call_and_closed_when_withdrawn(rig: Rig) -> None:
    results: list[TurnResult] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            results.append(await connection.prompt(f"@bareperm {rig.gate()}"))

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.open_permissions)
        [request] = rig.sink.of("permission_asked")
        assert request.title == "bare tool"
        assert request.tool_call["rawInput"] == {"deep": 1}
        rig.gate().touch()
        await rig.until(lambda: results)
        assert not rig.sink.open_permissions
        assert not connection.answer_permission(request.key, "once")
    assert results[0].text == "withdrawn: -32800"


async def test_a_permission_for_a_call_that_was_never_announced_announces_it(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, "@quietperm")
        await rig.until(lambda: rig.sink.open_permissions)
        [tool] = [entry for entry in rig.sink.entries if entry.kind == "tool"]
        assert (tool.title, tool.tool_kind) == ("run a command", "execute")
        assert "rm -r build" in str(tool.content)
        assert connection.tool_calls() == 1
        await connection.cancel()


async def test_a_cancel_answers_open_permissions_and_shows_no_later_one(rig: Rig) -> None:
    results: list[TurnResult] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            results.append(await connection.prompt("@say part @lateperm @perm 2"))

        tasks.start_soon(run)
        await rig.until(lambda: len(rig.sink.open_permissions) == 2)
        await connection.cancel()
        assert not rig.sink.open_permissions
        await rig.until(lambda: results)
        assert (results[0].stop_reason, results[0].text) == ("cancelled", "part")
        assert len(rig.sink.of("permission_asked")) == 2
        outcomes = [entry.raw_output for entry in rig.sink.entries if entry.kind == "tool"]
        assert outcomes == [{"chosen": "cancelled"}] * 3

        tasks.start_soon(connection.prompt, f"@perm 1 @touch {rig.gate()}")
        await rig.until(lambda: rig.sink.open_permissions)
        assert connection.answer_permission(next(iter(rig.sink.open_permissions)), "no")
        await rig.until(rig.gate().exists)


@pytest.mark.parametrize("after", ["@lie", "@ignorecancel"])
async def test_a_cancelled_turn_is_cancelled_whatever_the_agent_says(rig: Rig, after: str) -> None:
    results: list[TurnResult] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            results.append(await connection.prompt(f"{after} @say part @wait {rig.gate()} @say rest"))

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.texts("message"))
        await connection.cancel()
        await connection.cancel()
        rig.gate().touch()
        await rig.until(lambda: results)
        assert results[0].stop_reason == "cancelled"
        assert results[0].text.startswith("part")
        assert (await connection.prompt("@say next")).text == "next"


async def test_a_cancel_without_a_turn_does_nothing(rig: Rig) -> None:
    async with rig.open() as connection:
        await connection.cancel()
        assert (await connection.prompt("@say hello")).stop_reason == "end_turn"


async def test_a_second_answer_to_an_old_prompt_does_not_end_the_next_turn(rig: Rig) -> None:
    async with rig.open() as connection:
        await connection.prompt("@echoanswer @say one")
        result = await connection.prompt("@say two @tool T @say three")
    assert result.text == "three"


async def test_what_is_said_after_the_answer_is_kept_but_no_part_of_the_result(rig: Rig) -> None:
    async with rig.open() as connection:
        result = await connection.prompt("@say in time @late too late")
        await rig.until(lambda: "too late" in "".join(rig.sink.texts("message")))
    assert result.text == "in time"


async def test_two_turns_at_once_are_a_mistake_of_ours(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, f"@say first @wait {rig.gate()}")
        await rig.until(lambda: rig.sink.texts("message"))
        with pytest.raises(RuntimeError, match="turn is under way"):
            await connection.prompt("@say second")
        rig.gate().touch()


async def test_the_live_line_and_the_tool_calls_are_those_of_the_present_moment(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, f"@tool Read @say looking at it @wait {rig.gate()} @say .")
        await rig.until(lambda: connection.live_line() == "looking at it")
        assert connection.tool_calls() == 1
        rig.gate().touch()


async def test_context_cost_title_and_mode_are_told(rig: Rig) -> None:
    async with rig.open() as connection:
        result = await connection.prompt("@usage 120 4000 @title About it @mode plan @say ok")
        assert connection.title == "About it"
        assert connection.mode == "plan"
        usage = rig.sink.of("usage_changed")[-1]
        assert (usage.context_used, usage.context_size, usage.cost_amount, usage.cost_currency) == (
            120,
            4000,
            0.5,
            "USD",
        )
        assert (result.usage.context_used, result.usage.output_tokens) == (120, 7)
        assert rig.sink.of("options_changed")
        await connection.set_mode("auto")
        assert connection.mode == "auto"


async def test_a_session_is_re_attached_in_a_fresh_process_without_its_history(rig: Rig) -> None:
    async with rig.open() as connection:
        first = connection.session_id
        await connection.prompt("@say the past")
    async with rig.open(attempt=2, first_seq=2, resume=first) as connection:
        assert connection.session_id == first
        assert connection.mode == "default"
        result = await connection.prompt("@say the future", record=False)
    assert result.text == "the future"
    assert [(entry.kind, entry.attempt, entry.text) for entry in rig.sink.entries] == [("message", 2, "the future")]


async def test_a_session_that_the_agent_does_not_know_cannot_be_re_attached(rig: Rig) -> None:
    with pytest.raises(AgentFailure) as caught:
        async with rig.open(resume="gone-for-good"):
            pytest.fail("opened")
    assert caught.value.code == "resume_unavailable"
    assert "gone-for-good" in caught.value.message
    assert not rig.sink.of("exited")


async def test_stopping_ends_the_turn_and_is_no_surprise(rig: Rig) -> None:
    ends: list[object] = []
    async with rig.open() as connection, anyio.create_task_group() as tasks:

        async def run() -> None:
            try:
                ends.append(await connection.prompt("@ignorecancel @say part @noreply"))
            except AgentFailure as failure:
                ends.append(failure.text)

        tasks.start_soon(run)
        await rig.until(lambda: rig.sink.texts("message"))
        await connection.stop()
        await connection.stop()
        await rig.until(lambda: ends)
        with pytest.raises(AgentFailure):
            await connection.prompt("@say more")
    assert ends == ["part"]
    assert not rig.sink.of("exited")


async def test_an_exception_of_the_owner_passes_through_unchanged(rig: Rig) -> None:
    class Mine(Exception):
        pass

    with pytest.raises(Mine) as caught:
        async with rig.open() as connection:
            await connection.prompt("@say hello")
            raise Mine
    assert type(caught.value) is Mine


async def test_a_cancelled_owner_leaves_nothing_behind(rig: Rig) -> None:
    with anyio.CancelScope() as scope:
        async with rig.open() as connection, anyio.create_task_group() as tasks:
            tasks.start_soon(connection.prompt, "@say part @noreply")
            await rig.until(lambda: rig.sink.texts("message"))
            scope.cancel()
    process = rig.sink.of("process_started")[0]
    if process.boot_id != "stub-boot":
        for pid in (process.agent_pid, process.keeper_pid):
            assert not is_running(pid)


async def test_a_thousand_pieces_are_one_entry_told_a_few_times(rig: Rig) -> None:
    result = await rig.turn("@chunks 1000")
    assert result.text == "".join(f"{at} " for at in range(1000))
    assert rig.sink.texts("message") == [result.text]


@pytest.mark.parametrize(
    ("prompt", "status"),
    [
        ("@opentool build @say done", "in_progress"),
        ("@opentool build @say done @stop cancelled", "cancelled"),
        ("@opentool build @say done @error -32603 broken", "cancelled"),
        ("@opentool build @say done @exit 1", "cancelled"),
    ],
)
async def test_a_call_whose_end_is_never_told_goes_on_behind_a_good_end_alone(
    rig: Rig, prompt: str, status: str
) -> None:
    async with rig.open() as connection:
        with contextlib.suppress(AgentFailure):
            await connection.prompt(prompt)
        assert [entry.status for entry in rig.sink.entries if entry.kind == "tool"] == [status]


async def test_a_cancelled_turn_leaves_no_call_open(rig: Rig) -> None:
    async with rig.open() as connection, anyio.create_task_group() as tasks:
        tasks.start_soon(connection.prompt, "@opentool build @sleep 60")
        await rig.until(connection.tool_calls)
        await connection.cancel()
        await rig.until(lambda: [entry.status for entry in rig.sink.entries if entry.kind == "tool"] == ["cancelled"])
