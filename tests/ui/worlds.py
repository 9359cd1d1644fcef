"""Worlds for tests and pictures: the scene of the design, and odd ones.

Owns the assembly only; the clock of each world stands still at `making.NOW`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from codeg.api import Activity, BlockKind, Change, Code, Entry, Phase, Status, TaskView, UsageChanged
from tests.ui import making as m
from tests.ui import scene, scene_threads
from tests.ui.doubles import OrdersDouble
from tests.ui.making import DAY, HOUR, MINUTE, SECOND
from ui.viewmodels.world import World

Kind = Literal["main", "empty", "states", "flood", "scripts"]
STATES_ROOT, FLOOD_ROOT, SCRIPTS_ROOT = "session-states", "session-flood", "session-scripts"
CHINESE, ARABIC = (
    "修复登录页在夏令时切换当天显示错误时区的问题，并补上测试",
    "مراجعة نصوص الفواتير القديمة وتصحيح التواريخ",
)


def a_world(kind: Kind = "main") -> World:
    """A world to look at.

    `main`: the scene of the pictures. `empty`: agents and nothing else. `states`: one session with a child in each of
    the eight states. `flood`: twelve asks of all kinds from three depths of one session. `scripts`: Chinese, Arabic,
    and very long titles.
    """
    match kind:
        case "main":
            return _main()
        case "empty":
            return _made()
        case "states":
            return _states()
        case "flood":
            return _flood()
        case "scripts":
            return _scripts()


def a_desk(kind: Kind = "main") -> tuple[World, OrdersDouble]:
    """A world with orders that know its threads and details."""
    world = a_world(kind)
    return world, OrdersDouble(world, entries=scene_threads.ENTRIES, details=scene_threads.DETAILS)


def changes(*whats: Any) -> list[Change]:
    """What the host tells, numbered."""
    return [Change(number, what) for number, what in enumerate(whats, start=1)]


def _made(
    sessions: Sequence[Any] = (),
    tasks: Sequence[TaskView] = (),
    asks: Sequence[dict[str, Any]] = (),
    activities: dict[str, Activity] | None = None,
) -> World:
    world = World()
    world.set_now(m.NOW)
    children = [m.child_session(view) for view in tasks if view.status is not Status.QUEUED]
    world.load([*sessions, *children], tasks, asks, agents=scene.AGENTS, day=scene.DAY_USAGE)
    if activities:
        world.apply((), activities)
    return world


def _main() -> World:
    world = _made(scene.SESSIONS, scene.TASKS, scene.ASKS, dict(scene.ACTIVITIES))
    world.apply(changes(*(UsageChanged(session_id, usage) for session_id, usage in scene.USAGES.items())))
    return world


def eight_tasks(parent_id: str = STATES_ROOT) -> tuple[TaskView, ...]:
    """One task in each state, as on the picture of the cards."""
    waiting = (m.block(BlockKind.PERMISSION, "permission-npm", "npm ci --ignore-scripts", 38 * SECOND),)
    good = m.completed(
        "Two columns, three snapshot tests pass.", 22, m.usage(88_000, 0.61), files=3, added=58, removed=98
    )
    bad = m.failed(Code.SUBAGENT_ERROR, "Model error after 3 tries: too many requests", 7, m.usage(19_000))
    stopped = {**m.failed(Code.CANCELED, "Cancelled by the user.", 5, m.usage(11_000)), "files": 3}
    lost = m.failed(Code.HOST_UNAVAILABLE, "The host ended while it ran.", 12)
    return (
        m.task(
            "codex-backfill-missing-receipts-1d20q9e7r3hn",
            parent_id,
            "Backfill missing receipts",
            "codex",
            Status.QUEUED,
            age=40 * SECOND,
            queue_position=2,
        ),
        m.task(
            "open-code-update-the-client-9b3ct4y8a6ks",
            parent_id,
            "Update the client examples",
            "open_code",
            age=8 * SECOND,
            phase=Phase.STARTING,
        ),
        m.task(
            "codex-write-the-retry-7c1e9p2d4hsa",
            parent_id,
            "Write the retry policy with jitter and a budget",
            age=5 * MINUTE + 24 * SECOND,
        ),
        m.task(
            "claude-code-check-the-lock-52d8vj5n0qye",
            parent_id,
            "Check the lock file after the merge",
            "claude_code",
            age=MINUTE,
            blocks=waiting,
        ),
        m.task(
            "claude-code-replace-the-settings-a0f4d7y2n5vb",
            parent_id,
            "Replace the settings grid",
            "claude_code",
            Status.COMPLETED,
            age=HOUR,
            took=400 * SECOND,
            end=good,
        ),
        m.task(
            "codex-contrast-audit-dark-c77ah2k9s4wd",
            parent_id,
            "Contrast audit, dark theme",
            "codex",
            Status.FAILED,
            age=DAY,
            took=220 * SECOND,
            end=bad,
        ),
        m.task(
            "open-code-try-a-second-e512g8h3p6rd",
            parent_id,
            "Try a second queue library",
            "open_code",
            Status.CANCELED,
            age=5 * HOUR,
            took=130 * SECOND,
            end=stopped,
        ),
        m.task(
            "demo-replay-the-march-0b6642fskq1w",
            parent_id,
            "Replay the March incident",
            "demo",
            Status.INTERRUPTED,
            age=3 * HOUR,
            took=542 * SECOND,
            end=lost,
        ),
    )


def _states() -> World:
    root = m.session(STATES_ROOT, "Eight children", age=DAY, state="running")
    tasks = eight_tasks()
    waiting = tasks[3].record
    asks = [
        m.ask(
            "permission-npm",
            "permission",
            waiting.child_id,
            "npm ci --ignore-scripts",
            38 * SECOND,
            task_id=waiting.task_id,
        )
    ]
    activities = {
        tasks[2].record.task_id: Activity("Editing retry/budget.py", m.NOW - SECOND, 14, m.usage(61_000, 0.42)),
        waiting.task_id: Activity("npm ci --ignore-scripts", m.NOW - 38 * SECOND, 3),
    }
    return _made([root], tasks, asks, activities)


def _flood() -> World:
    """Root, child and grandchild ask in turn; the kinds alternate."""
    root = m.session(FLOOD_ROOT, "A flood of asks", age=HOUR, state="running")
    child = m.task("codex-middle-aaaa1111bbbb", FLOOD_ROOT, "The one in the middle", age=30 * MINUTE)
    grandchild = m.task(
        "open-code-deepest-cccc2222dddd",
        child.record.child_id,
        "The deepest one",
        "open_code",
        age=20 * MINUTE,
        depth=2,
        root_id=FLOOD_ROOT,
        parent_task_id=child.record.task_id,
    )
    asks: list[dict[str, Any]] = []
    blocks: dict[str, list[Any]] = {child.record.task_id: [], grandchild.record.task_id: []}
    askers = [(FLOOD_ROOT, None), *((view.record.child_id, view.record.task_id) for view in (child, grandchild))]
    for number in range(12):
        session_id, task_id = askers[number % 3]
        kind = ("permission", "question", "plan_approval", "permission")[number % 4]
        request, title, since = f"ask-{number:02}", f"Ask number {number + 1}", (15 - number) * MINUTE
        more: dict[str, Any] = {"questions": [scene.WIDTHS, scene.OLD_LINKS]} if kind == "question" else {}
        asks.append(m.ask(request, kind, session_id, title, since, task_id=task_id, **more))
        if task_id is not None:
            found = m.block(BlockKind(kind), request, title, since)
            for name in blocks if task_id == grandchild.record.task_id else (task_id,):
                blocks[name].append(found)
    tasks = [replace(view, blocks=tuple(blocks[view.record.task_id])) for view in (child, grandchild)]
    return _made([root], tasks, asks)


def _scripts() -> World:
    long = "A title of eighty characters and more, which nobody would write by hand but agents do it every day " * 2
    roots = [
        m.session(SCRIPTS_ROOT, CHINESE, "open_code", state="running"),
        m.session("session-arabic", ARABIC, age=HOUR),
        m.session("session-long", long, "custom:mine", age=2 * HOUR),
        m.session("session-hostile", "<b>bold</b>\u202egnp.exe \x1b[31mred\x07", "codex", age=3 * HOUR),
        m.session("session-untitled", age=4 * HOUR),
    ]
    tasks = [
        m.task("codex-task-aaaa0000aaaa", SCRIPTS_ROOT, CHINESE, age=MINUTE),
        m.task("claude-code-task-bbbb0000bbbb", SCRIPTS_ROOT, ARABIC, "claude_code", Status.COMPLETED, age=HOUR),
        m.task("custom-mine-a-title-cccc0000cccc", SCRIPTS_ROOT, long, "custom:mine", age=99 * HOUR),
        m.task(
            "demo-task-dddd0000dddd",
            SCRIPTS_ROOT,
            "",
            "demo",
            Status.FAILED,
            age=DAY,
            end=m.failed(Code.CHILD_EMPTY, ""),
        ),
    ]
    activities = {tasks[2].record.task_id: Activity(long[:120], m.NOW, 9_999, m.usage(1_234_567, 1234.56))}
    return _made(roots, tasks, (), activities)


def many(tasks: int, roots: int = 50, live: int = 0) -> World:
    """A world of that many tasks below so many roots; the first `live` of them run."""
    sessions = [m.session(f"root-{n}", f"Session {n}", age=n * MINUTE + SECOND, state="idle") for n in range(roots)]
    views = [
        m.task(
            f"demo-task-{n:012d}",
            f"root-{n % roots}",
            f"Task number {n}",
            "demo",
            Status.RUNNING if n < live else Status.COMPLETED,
            age=n * SECOND + SECOND,
        )
        for n in range(tasks)
    ]
    return _made(sessions, views)


def entries_of(session_id: str) -> tuple[Entry, ...]:
    """The thread of a session of the scene."""
    return scene_threads.ENTRIES.get(session_id, ())
