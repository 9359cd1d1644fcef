"""What waits for the person, and their word on it."""

from pathlib import Path
from typing import Any

import anyio
import pytest

from codeg.broker.codes import BlockKind, Status
from codeg.broker.events import FolderAnswered
from codeg.runtime.asking import checked_answers, checked_questions
from codeg.runtime.services import UserError
from codeg.runtime.snapshots import AsksChanged
from codeg.store.records import SessionRecord
from tests.runtime.rig import Rig, open_rig
from tests.runtime.stubs import PATIENCE_S, until

pytestmark = pytest.mark.anyio

QUESTION: dict[str, Any] = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": ""}],
}
MANY: dict[str, Any] = {**QUESTION, "question": "Which sizes?", "header": "Sizes", "multiSelect": True}


async def outside(rig: Rig, session_id: str = "guest") -> str:
    record = SessionRecord(session_id, "outside", str(rig.folder), "connected", 1, 1, session_id, host="claude-code")
    await rig.core.sessions.save(record)
    return session_id


class Asking:
    """An ask that waits in a task of its own."""

    def __init__(self) -> None:
        self.outcome: dict[str, Any] | None = None
        self.scope = anyio.CancelScope()

    async def run(self, rig: Rig, session_id: str, *questions: dict[str, Any]) -> None:
        with self.scope:
            self.outcome = await rig.core.desk.ask([session_id], questions, None, None)


async def waiting(rig: Rig) -> dict[str, Any]:
    return (await until(rig.core.desk.asks, "something waits"))[0]


# ---- questions


async def test_an_answered_question_returns_what_was_chosen(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        asking = Asking()
        group.start_soon(asking.run, rig, await outside(rig), QUESTION, MANY)
        ask = await waiting(rig)
        assert (ask["kind"], ask["session_id"], ask["title"]) == ("question", "guest", "Which colour?")
        assert [question["header"] for question in ask["questions"]] == ["Colour", "Sizes"]
        answers = [
            {"question": "Which sizes?", "selected": ["Blue", "Red"], "other": "and green"},
            {"question": "Which colour?", "selected": ["Red"]},
        ]
        await rig.core.desk.answer(ask["request_id"], None, answers, decline=False)
        await until(lambda: asking.outcome, "the asker hears")
        assert asking.outcome == {
            "state": "answered",
            "question_id": ask["request_id"],
            "answers": [
                {"question": "Which colour?", "header": "Colour", "selected": ["Red"]},
                {"question": "Which sizes?", "header": "Sizes", "selected": ["Red", "Blue"], "other": "and green"},
            ],
        }
        assert rig.core.desk.asks() == []


async def test_a_late_answer_is_delivered_once_to_the_next_pull(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        pending = await rig.core.desk.ask([guest], [QUESTION], None, 0)
        assert (pending["state"], pending["answers"]) == ("pending", [])
        question_id = pending["question_id"]
        again = await rig.core.desk.ask([guest], None, question_id, 0)
        assert again["state"] == "pending"
        assert len(rig.core.desk.asks()) == 1, "the card stays, and is one"
        assert await rig.core.desk.feedback([guest]) == []
        await rig.core.desk.answer(question_id, None, [{"question": "Which colour?", "other": "Mauve"}], decline=False)
        (item,) = await rig.core.desk.feedback([guest])
        assert (item["id"], item["kind"], item["question_id"]) == (question_id, "answer", question_id)
        assert item["text"] == "Which colour? → (other) Mauve"
        assert item["answers"][0]["other"] == "Mauve"
        assert await rig.core.desk.feedback([guest]) == [item], "not marked before it is committed"
        await rig.core.desk.commit_feedback([guest], [question_id])
        await rig.core.desk.commit_feedback([guest], [question_id, "unknown"])
        assert await rig.core.desk.feedback([guest]) == []
        repeated = await rig.core.desk.ask([guest], None, question_id, 0)
        assert repeated["state"] == "answered"


async def test_a_dismissed_question_is_declined(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        asking = Asking()
        group.start_soon(asking.run, rig, await outside(rig), QUESTION)
        ask = await waiting(rig)
        await rig.core.desk.answer(ask["request_id"], None, None, decline=True)
        await until(lambda: asking.outcome, "the asker hears")
        assert asking.outcome is not None
        assert (asking.outcome["state"], asking.outcome["answers"]) == ("declined", [])


async def test_an_asker_that_leaves_drops_only_its_wait(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        asking = Asking()
        group.start_soon(asking.run, rig, await outside(rig), QUESTION)
        ask = await waiting(rig)
        asking.scope.cancel()
        await anyio.wait_all_tasks_blocked()
        assert len(rig.core.desk.asks()) == 1
        await rig.core.desk.answer(
            ask["request_id"], None, [{"question": "Which colour?", "selected": ["Red"]}], decline=False
        )
        assert len(await rig.core.desk.feedback(["guest"])) == 1


async def test_several_questions_of_one_session_may_be_open_at_once(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        ids = [(await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"] for _ in range(3)]
        assert [ask["request_id"] for ask in rig.core.desk.asks()] == ids


async def test_a_foreign_question_is_out_of_reach(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        question_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        for session_id in ("stranger", guest + "x"):
            with pytest.raises(UserError, match="No question of yours"):
                await rig.core.desk.ask([session_id], None, question_id, 0)
        await rig.core.desk.answer(
            question_id, None, [{"question": "Which colour?", "selected": ["Red"]}], decline=False
        )
        assert await rig.core.desk.feedback(["stranger"]) == []
        await rig.core.desk.commit_feedback(["stranger"], [question_id])
        assert len(await rig.core.desk.feedback([guest])) == 1
        later = await rig.core.desk.ask(["a later identity", guest], None, question_id, 0)
        assert later["state"] == "answered"


async def test_the_question_of_a_child_blocks_its_task_and_goes_with_it(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        asking = Asking()
        group.start_soon(asking.run, rig, view.record.child_id, QUESTION)
        ask = await waiting(rig)
        assert ask["task_id"] == view.record.task_id
        blocked = await rig.snapshot(view.record.task_id)
        assert [(block.kind, block.request_id) for block in blocked.blocks] == [(BlockKind.QUESTION, ask["request_id"])]
        assert (await rig.cancel(view.record.task_id)).status is Status.CANCELED
        await until(lambda: asking.outcome, "the asker hears")
        assert asking.outcome is not None
        assert asking.outcome["state"] == "withdrawn"
        assert rig.core.desk.asks() == []
        with pytest.raises(UserError, match="waits for an answer"):
            await rig.core.desk.answer(ask["request_id"], None, [], decline=False)


async def test_cancelling_the_turn_of_a_root_withdraws_its_questions(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        session_id = await rig.root()
        rig.core.roots.prompt(session_id, rig.held("a"))
        await rig.launcher.prompted()
        asking = Asking()
        group.start_soon(asking.run, rig, session_id, QUESTION)
        await waiting(rig)
        await rig.core.roots.cancel(session_id)
        await until(lambda: asking.outcome, "the asker hears")
        assert asking.outcome is not None
        assert asking.outcome["state"] == "withdrawn"


async def test_a_session_that_has_gone_may_not_leave_a_question_behind(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        outcome = await rig.core.desk.ask(["gone"], [QUESTION], None, None)
        assert outcome["state"] == "withdrawn"
        assert rig.core.desk.asks() == []


async def test_questions_and_answers_outlive_the_host_where_their_asker_does(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        open_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        answered_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        await rig.core.desk.answer(
            answered_id, None, [{"question": "Which colour?", "selected": ["Red"]}], decline=False
        )
        await rig.core.desk.note(guest, "A note.")
        view = await rig.call(rig.held("a"))
        await rig.launcher.prompted()
        child = view.record.child_id
        child_question = (await rig.core.desk.ask([child], [QUESTION], None, 0))["question_id"]
    async with open_rig(tmp_path) as rig:
        assert [ask["request_id"] for ask in rig.core.desk.asks()] == [open_id]
        items = await rig.core.desk.feedback([guest])
        assert sorted(item["kind"] for item in items) == ["answer", "note"]
        assert (await rig.core.desk.ask([child], None, child_question, 0))["state"] == "withdrawn"
        await rig.core.desk.answer(open_id, None, [{"question": "Which colour?", "selected": ["Blue"]}], decline=False)
        assert (await rig.core.desk.ask([guest], None, open_id, None))["answers"][0]["selected"] == ["Blue"]


async def test_the_first_answer_wins(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        question_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        refused: list[UserError] = []

        async def answer(label: str) -> None:
            try:
                await rig.core.desk.answer(
                    question_id, None, [{"question": "Which colour?", "selected": [label]}], decline=False
                )
            except UserError as error:
                refused.append(error)

        rig.database.hold()
        with anyio.fail_after(PATIENCE_S):
            async with anyio.create_task_group() as group:
                group.start_soon(answer, "Red")
                await until(lambda: rig.database.waiting, "the first answer is being written")
                assert len(rig.core.desk.asks()) == 1
                group.start_soon(answer, "Blue")
                await until(lambda: refused, "the second is refused")
                rig.database.release()
        outcome = await rig.core.desk.ask([guest], None, question_id, 0)
        assert outcome["answers"][0]["selected"] == ["Red"]


ANSWER: list[dict[str, Any]] = [{"question": "Which colour?", "selected": ["Red"]}]


async def test_the_person_at_the_askers_own_program_may_answer_and_the_second_learns_what_the_first_said(
    tmp_path: Path,
) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        guest, asking, desk = await outside(rig), Asking(), rig.core.desk
        group.start_soon(asking.run, rig, guest, QUESTION)
        question_id = (await waiting(rig))["request_id"]
        assert [asked["header"] for asked in desk.own_questions(guest, question_id) or ()] == ["Colour"]
        first = await desk.answer_own(guest, question_id, ANSWER)
        assert (first["state"], first["answers"][0]["selected"]) == ("answered", ["Red"])
        await until(lambda: asking.outcome, "the asker hears")
        assert asking.outcome == first
        assert desk.own_questions(guest, question_id) is None
        assert await desk.answer_own(guest, question_id, None) == first
        with pytest.raises(UserError, match="waits for an answer"):
            await desk.answer(question_id, None, ANSWER, decline=False)


async def test_of_two_persons_at_once_one_word_counts_and_both_hear_it(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        guest, asking, desk = await outside(rig), Asking(), rig.core.desk
        group.start_soon(asking.run, rig, guest, QUESTION)
        question_id = (await waiting(rig))["request_id"]
        heard: list[dict[str, Any]] = []

        async def at_the_desktop() -> None:
            await desk.answer(question_id, None, ANSWER, decline=False)

        async def at_the_program() -> None:
            heard.append(await desk.answer_own(guest, question_id, None))

        async with anyio.create_task_group() as both:
            both.start_soon(at_the_desktop)
            both.start_soon(at_the_program)
        await until(lambda: asking.outcome, "the asker hears")
        assert heard == [asking.outcome]
        assert heard[0]["state"] == "answered"


async def test_a_question_is_answered_only_by_the_session_that_put_it_and_a_wrong_answer_leaves_it_open(
    tmp_path: Path,
) -> None:
    async with open_rig(tmp_path) as rig, anyio.create_task_group() as group:
        guest, other, asking, desk = await outside(rig), await outside(rig, "other"), Asking(), rig.core.desk
        group.start_soon(asking.run, rig, guest, QUESTION)
        question_id = (await waiting(rig))["request_id"]
        assert desk.own_questions(other, question_id) is None
        for session, answers in ((other, ANSWER), (guest, [{"question": "Which colour?", "selected": ["Green"]}])):
            with pytest.raises(UserError) as caught:
                await desk.answer_own(session, question_id, answers)
            assert caught.value.code == "invalid_arguments"
        with pytest.raises(UserError, match="No question of yours"):
            await desk.answer_own(guest, "question-unknown", None)
        assert desk.asks()
        assert (await desk.answer_own(guest, question_id, None))["state"] == "declined"
        await until(lambda: asking.outcome, "the asker hears")


async def test_a_wrong_answer_leaves_the_question_open(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        question_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        nothing: list[dict[str, Any]] = []
        wrong: tuple[tuple[str | None, list[dict[str, Any]] | None, bool], ...] = (
            ("x", None, False),
            (None, None, False),
            (None, nothing, True),
            (None, nothing, False),
        )
        for option, answers, decline in wrong:
            with pytest.raises(UserError):
                await rig.core.desk.answer(question_id, option, answers, decline=decline)
        await rig.core.desk.answer(question_id, None, None, decline=True)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "text",
        [],
        [QUESTION] * 5,
        [QUESTION, QUESTION],
        [{**QUESTION, "question": " "}],
        [{**QUESTION, "header": "thirteen chars"}],
        [{**QUESTION, "multiSelect": "yes"}],
        [{**QUESTION, "options": QUESTION["options"][:1]}],
        [{**QUESTION, "options": QUESTION["options"] * 3}],
        [{**QUESTION, "options": [QUESTION["options"][0]] * 2}],
        [{**QUESTION, "options": [{"label": ""}, {"label": "x"}]}],
        [{**QUESTION, "options": [{"label": "y", "description": 3}, {"label": "x"}]}],
        ["no object"],
        [{**QUESTION, "options": ["a", "b"]}],
    ],
)
def test_bad_questions_are_refused_with_a_sentence_that_names_the_field(bad: object) -> None:
    with pytest.raises(UserError, match=r"questions.*\.$") as refused:
        checked_questions(bad)
    assert refused.value.code == "invalid_arguments"


@pytest.mark.parametrize(
    "bad",
    [
        "text",
        [],
        [{}],
        [{"question": "Another?", "selected": ["Red"]}],
        [{"question": "Which colour?", "selected": []}],
        [{"question": "Which colour?", "selected": ["Red", "Blue"]}],
        [{"question": "Which colour?", "selected": ["Red"], "other": "too"}],
        [{"question": "Which colour?", "selected": ["Green"]}],
        [{"question": "Which colour?", "selected": "Red"}],
        [{"question": "Which colour?", "other": 7}],
        [{"question": "Which colour?", "selected": [3]}],
    ],
)
def test_bad_answers_are_refused(bad: object) -> None:
    with pytest.raises(UserError, match="answers"):
        checked_answers(checked_questions([QUESTION]), bad)


def test_a_multiple_choice_may_be_answered_with_nothing() -> None:
    given: dict[str, Any] = {"question": "Which sizes?", "selected": []}
    (answer,) = checked_answers(checked_questions([MANY]), [given])
    assert answer == {"question": "Which sizes?", "header": "Sizes", "selected": []}


# ---- notes


async def test_notes_are_pulled_oldest_first_and_committed_by_id(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        ids = [await rig.core.desk.note(guest, f"Note {number}") for number in range(3)]
        pulled = await rig.core.desk.feedback([guest])
        assert [(item["id"], item["kind"], item["text"]) for item in pulled] == [
            (note_id, "note", f"Note {number}") for number, note_id in enumerate(ids)
        ]
        await rig.core.desk.commit_feedback([guest], ids[:2])
        assert [item["id"] for item in await rig.core.desk.feedback([guest])] == ids[2:]


async def test_a_pull_is_bounded_and_the_rest_comes_next(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        for _ in range(90):
            await rig.core.desk.note(guest, "€" * 4096)
        first = await rig.core.desk.feedback([guest])
        assert len(first) == 1024 * 1024 // (3 * 4096)
        await rig.core.desk.commit_feedback([guest], [item["id"] for item in first])
        assert len(first) + len(await rig.core.desk.feedback([guest])) == 90


@pytest.mark.parametrize(("session_id", "text"), [("guest", "  "), ("guest", "x" * 4097), ("nobody", "hello")])
async def test_a_note_that_nobody_could_read_is_refused(tmp_path: Path, session_id: str, text: str) -> None:
    async with open_rig(tmp_path) as rig:
        await outside(rig)
        with pytest.raises(UserError):
            await rig.core.desk.note(session_id, text)


async def test_a_note_for_an_ended_session_is_refused_but_an_outside_one_may_come_back(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        await outside(rig)
        session_id = await rig.root()
        await rig.core.roots.close(session_id)
        with pytest.raises(UserError, match="has ended"):
            await rig.core.desk.note(session_id, "too late")
    async with open_rig(tmp_path) as rig:
        assert await rig.core.desk.note("guest", "for later")


# ---- permissions and folders


async def test_a_plan_is_told_from_a_permission(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        session_id = await rig.root()
        connection = await rig.launcher.connection()
        connection.ask({"toolCallId": "t", "title": "Leave plan mode?", "kind": "switch_mode"})
        ask = await waiting(rig)
        assert (ask["kind"], ask["title"], ask["session_id"]) == ("plan_approval", "Leave plan mode?", session_id)
        assert "task_id" not in ask


async def test_only_an_offered_option_is_an_answer_and_only_once(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        await rig.root()
        connection = await rig.launcher.connection()
        _, _, answers = connection.ask({"toolCallId": "t", "title": "Write?"})
        request_id = (await waiting(rig))["request_id"]
        with pytest.raises(UserError, match="always, once, no"):
            await rig.core.desk.answer(request_id, "maybe", None, decline=False)
        await rig.core.desk.answer(request_id, "once", None, decline=False)
        assert answers == ["once"]
        with pytest.raises(UserError):
            await rig.core.desk.answer(request_id, "no", None, decline=False)


async def test_declining_a_permission_rejects_it(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        await rig.root()
        connection = await rig.launcher.connection()
        _, _, answers = connection.ask({"toolCallId": "t", "title": "Write?"})
        await rig.core.desk.answer((await waiting(rig))["request_id"], None, None, decline=True)
        assert answers == ["no"]


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_folder_outside_is_asked_for_and_the_answer_decides(tmp_path: Path, allowed: bool) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@say x", folder_question="ask-1", working_dir=str(tmp_path), explicit_dir=str(tmp_path))
        ask = await waiting(rig)
        assert (ask["request_id"], ask["kind"], ask["task_id"]) == ("ask-1", "permission", view.record.task_id)
        assert str(tmp_path) in ask["title"]
        await rig.core.desk.answer("ask-1", "allow" if allowed else "refuse", None, decline=False)
        end = await rig.ended(view.record.task_id)
        assert end.status is (Status.COMPLETED if allowed else Status.CANCELED)
        assert bool(rig.launcher.specs) is allowed


async def test_the_folder_question_of_a_cancelled_task_is_withdrawn(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        view = await rig.call("@say x", folder_question="ask-1", working_dir="/", explicit_dir="/")
        await waiting(rig)
        await rig.cancel(view.record.task_id)
        await rig.settled()
        assert rig.core.desk.asks() == []
        rig.core.broker.post(FolderAnswered(view.record.task_id, allowed=True))
        await rig.settled()
        assert rig.launcher.specs == []


async def test_every_change_of_the_list_is_told(tmp_path: Path) -> None:
    async with open_rig(tmp_path) as rig:
        guest = await outside(rig)
        question_id = (await rig.core.desk.ask([guest], [QUESTION], None, 0))["question_id"]
        await rig.core.desk.answer(question_id, None, None, decline=True)
        told = [what.asks for what in rig.changes if isinstance(what, AsksChanged)]
        assert [[ask["request_id"] for ask in asks] for asks in told] == [[question_id], []]
