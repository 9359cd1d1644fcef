"""The scene of the design's pictures as records of the host: sessions, tasks, asks, agents.

Owns frozen data; ids are constants so that tests can name what they look for. Threads stand in `scene_threads`.
"""

from typing import Any

from codeg.api import Activity, BlockKind, Code, DayUsage, Phase, Status, TurnUsage
from tests.ui import making as m
from tests.ui.making import ATLAS, DAY, FIELD, HARBOR, HOUR, MINUTE, SECOND
from ui.orders import AgentInfo

RETRY, FLAKY, NOTES_42 = "session-retry", "session-flaky", "session-release"
SETTINGS, LOGIN, CONTRAST, TOUR = "session-settings", "session-login", "session-contrast", "session-tour"
INCIDENT, NOTEBOOKS = "session-incident", "session-notebooks"

CALLERS = "open-code-list-every-paymentsclient-a91f3kq7x2mn"
POLICY = "codex-write-the-retry-7c1e9p2d4hsa"
PROPERTY = "open-code-property-tests-for-e03b6rt8w1zc"
SETTLEMENT = "claude-code-move-the-settlement-52d8vj5n0qye"
RACE = "codex-find-the-race-b4c07m1t9xka"
QUEUE_LIBRARY = "open-code-try-a-second-e512g8h3p6rd"
MERGED = "codex-collect-what-was-0b6642fskq1w"
GRID = "codex-replace-the-settings-a0f4d7y2n5vb"
INVOICES = "claude-code-task-3f9ec1s6k8tp"
INCIDENT_TASK = "demo-replay-the-march-d83a5z0j4wxm"
RECEIPTS = "codex-backfill-missing-receipts-1d20q9e7r3hn"
EXAMPLES = "open-code-update-the-client-9b3ct4y8a6ks"

ASK_WIDTHS, ASK_GRID, ASK_PLAN, ASK_ALEMBIC = "question-widths", "permission-grid", "plan-utc", "permission-alembic"

AGENTS = (
    AgentInfo("claude_code", "Claude Code", True, True, ("claude-code-acp",)),
    AgentInfo("codex", "Codex", True, True, ("codex-acp",)),
    AgentInfo("open_code", "OpenCode", True, True, ("opencode", "acp")),
    AgentInfo("gemini", "Gemini CLI", False, True, ("gemini", "--acp"), "npm install -g @google/gemini-cli"),
    AgentInfo("demo", "Demo", True, True, ("codeg-demo-agent",)),
    AgentInfo("custom:mine", "My agent", True, True, ("my-agent", "--acp"), custom=True),
)
DAY_USAGE = DayUsage(1_200_000, (("USD", 6.14),))

SESSIONS = (
    m.session(RETRY, "Retry policy for the payments client", age=6 * MINUTE + 2 * SECOND, state="running"),
    m.session(FLAKY, "Flaky checkout test on CI", "codex", age=2 * HOUR + 20 * MINUTE, updated_ms=m.NOW - 2 * HOUR),
    m.session(NOTES_42, "Release notes 4.2", host="codex", age=3 * HOUR + 9 * MINUTE, updated_ms=m.NOW - 3 * HOUR),
    m.session(SETTINGS, "Settings page redesign", folder=ATLAS, age=12 * MINUTE, state="running"),
    m.session(LOGIN, "修复登录页的时区错误", "open_code", ATLAS, age=25 * MINUTE, state="running"),
    m.session(CONTRAST, "Contrast audit, dark theme", "codex", ATLAS, age=DAY + HOUR, state="failed"),
    m.session(TOUR, "Tour of the demo agent", "demo", ATLAS, age=2 * DAY + HOUR, state="ended"),
    m.session(INCIDENT, "Replay the March incident", "demo", FIELD, age=2 * MINUTE, state="running"),
    m.session(NOTEBOOKS, "مراجعة دفاتر الملاحظات", folder=FIELD, age=5 * DAY, state="ended", seen_ms=m.NOW - 4 * DAY),
)

_OF_RETRY: dict[str, Any] = {"working_dir": HARBOR}
_OF_ATLAS: dict[str, Any] = {"working_dir": ATLAS}
_OF_FIELD: dict[str, Any] = {"working_dir": FIELD}

RETRY_TASKS = (
    m.task(
        CALLERS,
        RETRY,
        "List every PaymentsClient caller\n\nName file and line of each, and what it does about timeouts.",
        "open_code",
        Status.COMPLETED,
        age=5 * MINUTE + 42 * SECOND,
        took=72 * SECOND,
        tool_use_id="toolu_callers",
        end=m.completed(
            "23 call sites in 11 files; 4 of them swallow timeouts.",
            9,
            m.usage(22_000, 0.08),
            files=0,
            added=0,
            removed=0,
        ),
    ),
    m.task(
        POLICY,
        RETRY,
        "Write the retry policy with jitter and a budget\n\nOne module, retry/policy.py. Keep the public API as it is.",
        age=5 * MINUTE + 24 * SECOND,
        tool_use_id="toolu_policy",
    ),
    m.task(
        PROPERTY,
        m.child_of(POLICY),
        "Property tests for backoff bounds",
        "open_code",
        age=MINUTE + 21 * SECOND,
        depth=2,
        root_id=RETRY,
        parent_task_id=POLICY,
        tool_use_id="call_property",
    ),
    m.task(
        SETTLEMENT,
        RETRY,
        "Move the settlement job to the new client\n\nIt goes last, because it needs a migration.",
        "claude_code",
        age=3 * MINUTE + 43 * SECOND,
        tool_use_id="toolu_settlement",
        blocks=(m.block(BlockKind.PERMISSION, ASK_ALEMBIC, "alembic upgrade head", 38 * SECOND),),
    ),
)

OTHER_TASKS = (
    m.task(
        RACE,
        FLAKY,
        "Find the race in the checkout test",
        "codex",
        Status.COMPLETED,
        age=2 * HOUR + 18 * MINUTE,
        took=18 * MINUTE,
        end=m.completed("Race in the cart fixture, fixed.", 31, m.usage(140_000, 1.2), files=2, added=18, removed=7),
    ),
    m.task(
        QUEUE_LIBRARY,
        FLAKY,
        "Try a second queue library",
        "open_code",
        Status.CANCELED,
        age=5 * HOUR,
        took=130 * SECOND,
        end={**m.failed(Code.CANCELED, "Cancelled by the user.", 5, m.usage(11_000)), "files": 3},
    ),
    m.task(
        MERGED,
        NOTES_42,
        "Collect what was merged since 4.1",
        "codex",
        Status.INTERRUPTED,
        age=3 * HOUR + 9 * MINUTE,
        took=9 * MINUTE + 2 * SECOND,
        end=m.failed(Code.HOST_UNAVAILABLE, "The host ended while it ran.", 12),
    ),
    m.task(
        GRID,
        SETTINGS,
        "Replace the settings grid",
        age=9 * MINUTE,
        blocks=(m.block(BlockKind.PERMISSION, ASK_GRID, "Edit 2 files", 6 * MINUTE),),
        **_OF_ATLAS,
    ),
    m.task(INVOICES, LOGIN, "مراجعة نصوص الفواتير", "claude_code", age=6 * SECOND, phase=Phase.STARTING, **_OF_ATLAS),
    m.task(INCIDENT_TASK, INCIDENT, "Replay the March incident", "demo", age=48 * SECOND, **_OF_FIELD),
    m.task(
        RECEIPTS,
        INCIDENT,
        "Backfill missing receipts",
        "codex",
        Status.QUEUED,
        age=40 * SECOND,
        queue_position=1,
        **_OF_FIELD,
    ),
    m.task(
        EXAMPLES,
        INCIDENT,
        "Update the client examples",
        "open_code",
        Status.QUEUED,
        age=12 * SECOND,
        queue_position=2,
        **_OF_FIELD,
    ),
)
TASKS = RETRY_TASKS + OTHER_TASKS
CHILDREN = tuple(m.child_session(view) for view in TASKS if view.status is not Status.QUEUED)

ACTIVITIES = {
    POLICY: Activity("Editing retry/budget.py", m.NOW - 2 * SECOND, 14, m.usage(61_000, 0.42)),
    PROPERTY: Activity("214 examples, 0 failures, shrinking off", m.NOW - SECOND, 6, m.usage(18_000)),
    SETTLEMENT: Activity("alembic upgrade head", m.NOW - 38 * SECOND, 11, m.usage(41_000, 0.31)),
    GRID: Activity("Edit 2 files", m.NOW - 6 * MINUTE, 8, m.usage(30_000, 0.19)),
    INCIDENT_TASK: Activity("Reading 2 of 9 logs", m.NOW - SECOND, 3),
}
USAGES = {
    RETRY: TurnUsage(context_used=48_000, context_size=200_000, cost_amount=1.12, cost_currency="USD"),
    m.child_of(POLICY): TurnUsage(context_used=61_000, context_size=400_000, cost_amount=0.42, cost_currency="USD"),
}

WIDTHS = {
    "question": "Which widths must the page support?",
    "header": "Widths",
    "multiSelect": True,
    "options": [
        {"label": "Desktop, 1200 px and more", "description": "Two columns: list and detail"},
        {"label": "Tablet, 768 to 1199 px (Recommended)", "description": "One column, the list becomes a menu"},
        {"label": "Phone, under 768 px", "description": "Full-screen pages with a back button"},
    ],
}
OLD_LINKS = {
    "question": "What happens to old links?",
    "header": "Old links",
    "multiSelect": False,
    "options": [
        {"label": "Redirect (Recommended)", "description": "To the page that took their place"},
        {"label": "Drop", "description": "They end on the overview"},
    ],
}
ASKS = (
    m.ask(
        ASK_WIDTHS,
        "question",
        SETTINGS,
        "Which widths must the page support?",
        11 * MINUTE,
        questions=[WIDTHS, OLD_LINKS],
    ),
    m.ask(ASK_GRID, "permission", m.child_of(GRID), "Edit 2 files", 6 * MINUTE, task_id=GRID),
    m.ask(
        ASK_PLAN,
        "plan_approval",
        LOGIN,
        "Store UTC, show local time",
        4 * MINUTE,
        options=[
            {"id": "approve", "name": "Approve", "kind": "allow_once"},
            {"id": "reject", "name": "Reject", "kind": "reject_once"},
        ],
    ),
    m.ask(ASK_ALEMBIC, "permission", m.child_of(SETTLEMENT), "alembic upgrade head", 38 * SECOND, task_id=SETTLEMENT),
)
