"""A call of the wire as a fact of the ledger: its arguments, its folder, its id."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeg.broker.codes import Code, Phase, Status
from codeg.broker.events import CallReceived
from codeg.broker.tasks import End
from codeg.runtime.task_ids import ALPHABET, agent_part, new_task_id, words_part
from codeg.runtime.translate import digest_of, judge_folder, prepare_call, read_arguments
from codeg.store.records import SaveTask
from codeg.store.store import Store
from codeg.wire.models import Call
from tests.fakes.stub_services import StubCatalogue, StubParts, view_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[StubParts]:
    (tmp_path / "home").mkdir()
    with Store.open(str(tmp_path / "codeg.db")) as store:
        yield StubParts(str(tmp_path / "home"), store)


async def prepared(parts: StubParts, parent_id: str = "root", **given: Any) -> CallReceived:
    parent = parts.services.sessions.parent(parent_id)
    assert parent is not None
    call = Call(
        token="t",
        kind="call",
        parent_connection_id=parent_id,
        parent_tool_use_id="tool-1",
        external_handle="h1",
        input={"agent_type": "demo", "task": "Do it", **given},
    )
    event, keyed = await prepare_call(parts.services, parent, call)
    assert keyed is (event.idempotency_key is not None)
    return event


async def test_a_good_call_becomes_an_event_with_fresh_ids_and_its_text_as_it_is(parts: StubParts) -> None:
    first = await prepared(parts, task="  Fix\tthe bug \n")
    second = await prepared(parts)
    assert first.task_text == "  Fix\tthe bug \n"
    assert first.refusal is None
    assert (first.tool_use_id, first.external_handle) == ("tool-1", "h1")
    assert (first.working_dir, first.explicit_dir) == (parts.folder, None)
    assert re.fullmatch(r"demo-fix-the-bug-[0-9a-hjkmnp-tv-z]{12}", first.task_id)
    assert len({first.task_id, second.task_id, first.child_id, second.child_id}) == 4
    assert first.folder_question is None


@pytest.mark.parametrize(
    ("given", "code", "named"),
    [
        ({"agent_type": None}, Code.INVALID_ARGUMENTS, "agent_type"),
        ({"agent_type": 5}, Code.INVALID_ARGUMENTS, "agent_type"),
        ({"agent_type": "nobody"}, Code.INVALID_AGENT_TYPE, "demo"),
        ({"agent_type": "custom:off"}, Code.AGENT_DISABLED, "custom:off"),
        ({"agent_type": "gemini"}, Code.AGENT_NOT_INSTALLED, "Install it by hand."),
        ({"task": None}, Code.INVALID_ARGUMENTS, "task"),
        ({"task": ["x"]}, Code.INVALID_ARGUMENTS, "task"),
        ({"task": " \n\t"}, Code.INVALID_ARGUMENTS, "task"),
        ({"working_dir": 5}, Code.INVALID_ARGUMENTS, "working_dir"),
        ({"working_dir": ""}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"working_dir": "src"}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"working_dir": "~"}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"working_dir": "/no/such/folder"}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"working_dir": "/etc/passwd"}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"working_dir": "/a\x00b"}, Code.INVALID_WORKING_DIR, "working_dir"),
        ({"idempotency_key": 5}, Code.INVALID_ARGUMENTS, "idempotency_key"),
        ({"idempotency_key": "k" * 257}, Code.INVALID_ARGUMENTS, "idempotency_key"),
    ],
)
async def test_a_bad_argument_is_found_and_named_in_one_sentence(
    parts: StubParts, given: dict[str, Any], code: Code, named: str
) -> None:
    refusal = (await prepared(parts, **given)).refusal
    assert refusal is not None
    assert refusal[0] is code
    assert named in refusal[1]
    assert "\n" not in refusal[1]


async def test_null_counts_as_absent_and_unknown_arguments_are_ignored(parts: StubParts) -> None:
    event = await prepared(parts, working_dir=None, idempotency_key=None, temperature=0.5)
    assert event.refusal is None
    assert event.idempotency_key is None


async def test_the_parents_own_folder_must_exist_too(parts: StubParts) -> None:
    os.rmdir(parts.folder)
    refusal = (await prepared(parts)).refusal
    assert refusal is not None
    assert refusal[0] is Code.INVALID_WORKING_DIR


async def test_a_folder_below_the_parents_needs_no_leave(parts: StubParts) -> None:
    below = os.path.join(parts.folder, "src")
    os.mkdir(below)
    for rule in ("ask", "allow", "refuse"):
        parts.rule = rule
        event = await prepared(parts, working_dir=below)
        assert (event.working_dir, event.explicit_dir) == (below, below)
        assert event.folder_question is None
        assert event.refusal is None


async def test_a_folder_outside_is_asked_about_refused_or_allowed_by_the_setting(
    parts: StubParts, tmp_path: Path
) -> None:
    asked = await prepared(parts, working_dir=str(tmp_path))
    assert asked.folder_question
    assert asked.refusal is None
    parts.rule = "allow"
    allowed = await prepared(parts, working_dir=str(tmp_path))
    assert (allowed.folder_question, allowed.refusal) == (None, None)
    parts.rule = "refuse"
    refused = (await prepared(parts, working_dir=str(tmp_path))).refusal
    assert refused is not None
    assert refused[0] is Code.INVALID_WORKING_DIR


def test_a_link_out_of_the_folder_leads_outside_and_a_namesake_is_no_child(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "home-2"
    home.mkdir()
    outside.mkdir()
    (home / "link").symlink_to(outside)
    assert judge_folder(str(home / "link"), str(home), "ask").outside
    assert judge_folder(str(outside), str(home), "ask").outside
    assert not judge_folder(str(home), str(home), "ask").outside


async def test_an_agent_that_may_not_delegate_is_refused_before_all_else(parts: StubParts) -> None:
    parts.sessions.add("q", parts.folder, agent_type="quiet")
    refusal = (await prepared(parts, "q", task="")).refusal
    assert refusal is not None
    assert refusal[0] is Code.DELEGATION_DISABLED


async def test_the_stored_task_of_the_same_parent_and_key_comes_along(parts: StubParts) -> None:
    record = view_of("t1", status=Status.COMPLETED, idempotency_key="k", phase=Phase.ENDED).record
    assert record.end == End(Status.COMPLETED)
    parts.store.commit([SaveTask(record)])
    assert (await prepared(parts, idempotency_key="k")).keyed_record == record
    assert (await prepared(parts, idempotency_key="other")).keyed_record is None
    parts.sessions.add("other", parts.folder)
    assert (await prepared(parts, "other", idempotency_key="k")).keyed_record is None


def test_the_digest_tells_a_repeat_from_a_conflict() -> None:
    catalogue = StubCatalogue()
    base = {"agent_type": "demo", "task": "x", "idempotency_key": "k"}

    def digest(**more: Any) -> str:
        return digest_of(read_arguments({**base, **more}, catalogue))

    assert digest() == digest(working_dir=None, idempotency_key="other", unknown=1)
    assert (
        len({digest(), digest(task="y"), digest(agent_type="codex"), digest(working_dir="/"), digest(task="\ud800")})
        == 5
    )


# ---- ids


@pytest.mark.parametrize(
    ("agent", "part"),
    [
        ("claude_code", "claude-code"),
        ("custom:My.Agent", "my-agent"),
        ("custom:ü", "-"),
        ("", "agent"),
        ("demo", "demo"),
    ],
)
def test_the_agents_part_is_its_slug(agent: str, part: str) -> None:
    assert agent_part(agent) == part


@pytest.mark.parametrize(
    ("task", "part"),
    [
        ("Fix the login bug now", "fix-the-login"),
        ("Fix internationalization everywhere", "fix-internationalization"),
        ("internationalisationalisation now", "internationalisationalis"),
        ("naïve Übung", "naive-ubung"),
        ("修复 bug", "bug"),
        ("修复", "task"),
        ("  ?!  ", "task"),
        ("", "task"),
        ("a b c d", "a-b-c"),
    ],
)
def test_the_words_part_is_at_most_three_words_and_24_characters(task: str, part: str) -> None:
    assert words_part(task) == part


@given(st.text(max_size=200), st.text(max_size=40))
def test_every_id_has_the_contracts_form(task: str, agent: str) -> None:
    made = new_task_id(agent, task)
    found = re.fullmatch(r"(?P<agent>[a-z0-9-]+)-(?P<words>[a-z0-9]+(?:-[a-z0-9]+){0,2})-(?P<random>.{12})", made)
    assert found
    assert len(words_part(task)) <= 24
    assert set(found["random"]) <= set(ALPHABET)
    assert not set("ilou") & set(ALPHABET)
