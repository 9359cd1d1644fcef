"""What was said and done in the conversations of the scene, and what its asks are about.

Owns frozen data: entries by session, details by request.
"""

from typing import Any

from codeg.api import Entry
from tests.ui import making as m
from tests.ui import scene as s
from tests.ui.making import DAY, HOUR, MINUTE, SECOND

_POLICY_OLD = "\n".join(f"def attempt_{n}():" for n in range(12))
_POLICY_NEW = "\n".join(f"    delay_{n} = base * 2**{n} + jitter()" for n in range(86))
_BUDGET_OLD = "\n".join(f"tokens_{n} = None" for n in range(4))
_BUDGET_NEW = "\n".join(f"    budget.take({n})" for n in range(31))
_CSS_OLD = ".settings {\n  width: 960px;\n  margin-inline: auto;\n}\n"
_CSS_NEW = ".settings {\n  max-width: 960px;\n  width: 100%;\n  margin-inline: auto;\n}\n"


def _delegate(call_id: str, task_id: str, agent: str, text: str, age: int) -> Entry:
    return m.tool(
        "mcp__codeg__delegate_to_agent",
        "other",
        age,
        tool_call_id=call_id,
        raw_input={"agent_type": agent, "task": text},
        content=(m.text_block(f"task_id={task_id} running. Call get_delegation_status to wait for it."),),
    )


def _delegates(task_id: str, age: int) -> Entry:
    record = next(view.record for view in s.TASKS if view.record.task_id == task_id)
    return _delegate(record.tool_use_id, task_id, record.agent_type, record.task_text, age)


def _poll(age: int, *task_ids: str, status: str = "completed") -> Entry:
    reports = [{"task_id": task_id, "status": "running"} for task_id in task_ids]
    return m.tool(
        "mcp__codeg__get_delegation_status",
        "other",
        age,
        status,
        raw_input={"task_ids": list(task_ids), "wait_ms": 0},
        raw_output={"structuredContent": {"tasks": reports}} if status == "completed" else None,
    )


RETRY_THREAD = m.numbered(
    m.said(
        "user",
        "Give the payments client one retry policy, move every caller to it, and prove the backoff bounds. "
        "Do not touch the public API.",
        6 * MINUTE + 2 * SECOND,
    ),
    m.said(
        "message",
        "I split this in three so that nobody edits the same file. The settlement job goes last because it needs a migration.",
        5 * MINUTE + 45 * SECOND,
    ),
    _delegates(s.CALLERS, 5 * MINUTE + 42 * SECOND),
    _delegates(s.POLICY, 5 * MINUTE + 24 * SECOND),
    _delegates(s.SETTLEMENT, 3 * MINUTE + 43 * SECOND),
    *(_poll(age * SECOND, s.POLICY, s.SETTLEMENT) for age in (210, 180, 150, 110, 70, 40)),
    _poll(12 * SECOND, s.POLICY, s.SETTLEMENT, status="in_progress"),
)

POLICY_THREAD = m.numbered(
    m.said("user", "Write the retry policy with jitter and a budget", 5 * MINUTE + 24 * SECOND),
    m.said("thought", "Jitter must be full jitter, or the callers meet again at the same instant.", 5 * MINUTE),
    m.tool(
        "Edit retry/policy.py",
        "edit",
        5 * MINUTE - 9 * SECOND,
        raw_input={"path": "retry/policy.py"},
        content=(m.diff("retry/policy.py", _POLICY_OLD, _POLICY_NEW),),
    ),
    _delegates(s.PROPERTY, MINUTE + 21 * SECOND),
    m.tool(
        "Edit retry/budget.py",
        "edit",
        2 * SECOND,
        "in_progress",
        raw_input={"path": "retry/budget.py"},
        content=(m.diff("retry/budget.py", _BUDGET_OLD, _BUDGET_NEW),),
    ),
)

PROPERTY_THREAD = m.numbered(
    m.said("user", "Property tests for backoff bounds", MINUTE + 21 * SECOND),
    m.said("message", "The bounds are a property of the policy alone, so I test it without a clock.", MINUTE),
    m.tool(
        "python -m pytest tests/test_backoff.py",
        "execute",
        40 * SECOND,
        "in_progress",
        raw_input={"command": "python -m pytest tests/test_backoff.py"},
        content=(m.text_block("collected 3 items\n\n214 examples, 0 failures, shrinking off\n"),),
    ),
)

SETTLEMENT_THREAD = m.numbered(
    m.said("user", "Move the settlement job to the new client", 3 * MINUTE + 43 * SECOND),
    m.tool("Read services/settlement/job.py", "read", 3 * MINUTE, raw_input={"path": "services/settlement/job.py"}),
    m.tool("rg -n PaymentsClient", "search", 2 * MINUTE + 30 * SECOND, raw_input={"pattern": "PaymentsClient"}),
    m.tool(
        "Edit services/settlement/job.py",
        "edit",
        2 * MINUTE,
        raw_input={"path": "services/settlement/job.py"},
        content=(m.diff("services/settlement/job.py", "client = old()\n", "client = PaymentsClient(policy)\n"),),
    ),
    m.said("message", "The new client needs three columns, so I bring the local database up to date.", MINUTE),
    m.tool(
        "alembic upgrade head",
        "execute",
        38 * SECOND,
        "pending",
        tool_call_id="call-alembic",
        raw_input={"command": "alembic upgrade head", "cwd": "services/settlement"},
    ),
)

SETTINGS_THREAD = m.numbered(
    m.said("user", "Make the settings page work on every width.", 12 * MINUTE),
    m.said(
        "message",
        "The page has a fixed width today, so I need to know how far down it must go before I touch the grid.",
        11 * MINUTE + 40 * SECOND,
    ),
    m.tool(
        "Read src/settings/layout.css",
        "read",
        11 * MINUTE + 30 * SECOND,
        raw_input={"path": "src/settings/layout.css"},
        content=(m.text_block("\n".join(f".row-{n} {{}}" for n in range(212))),),
    ),
    m.tool(
        "Edit src/settings/layout.css",
        "edit",
        11 * MINUTE + 10 * SECOND,
        raw_input={"path": "src/settings/layout.css"},
        content=(m.diff("src/settings/layout.css", _CSS_OLD, _CSS_NEW),),
    ),
)

ENTRIES: dict[str, tuple[Entry, ...]] = {
    s.RETRY: RETRY_THREAD,
    m.child_of(s.POLICY): POLICY_THREAD,
    m.child_of(s.PROPERTY): PROPERTY_THREAD,
    m.child_of(s.SETTLEMENT): SETTLEMENT_THREAD,
    m.child_of(s.CALLERS): m.numbered(
        m.said("user", "List every PaymentsClient caller", 5 * MINUTE + 42 * SECOND),
        *(
            m.tool(
                f"Read src/caller_{n}.py",
                "read",
                5 * MINUTE + 30 * SECOND - n,
                raw_input={"path": f"src/caller_{n}.py"},
            )
            for n in range(9)
        ),
        m.said("message", "23 call sites in 11 files; 4 of them swallow timeouts.", 4 * MINUTE + 30 * SECOND),
    ),
    s.SETTINGS: SETTINGS_THREAD,
    s.LOGIN: m.numbered(
        m.said("user", "登录页把到期时间显示成了服务器的时区，请修复。", 25 * MINUTE),
        m.said("message", "服务器存的是本地时间。我建议存 UTC，只在显示时换算。", 20 * MINUTE),
    ),
    s.FLAKY: m.numbered(
        m.said("user", "Why does the checkout test fail once a day on CI?", 2 * HOUR + 20 * MINUTE),
        m.said("message", "The cart fixture raced with its own teardown; it is fixed.", 2 * HOUR),
    ),
    s.CONTRAST: m.numbered(
        m.said("user", "Measure the contrast of all pairs in the dark theme.", DAY + HOUR),
        m.said("notice", "Codex ended unexpectedly.", DAY, status="error"),
    ),
    s.TOUR: m.numbered(
        m.said("user", "survey", 2 * DAY + HOUR),
        m.said("message", "**212 files**, 41,000 lines; Python and TypeScript.", 2 * DAY),
    ),
}

DETAILS: dict[str, dict[str, Any]] = {
    s.ASK_ALEMBIC: {
        "kind": "execute",
        "title": "Applies 3 migrations to the local database settlement_dev",
        "rawInput": {"command": "alembic upgrade head", "cwd": "services/settlement"},
        "toolCallId": "call-alembic",
    },
    s.ASK_GRID: {
        "kind": "edit",
        "title": "Edit 2 files",
        "content": [
            m.diff("src/settings/layout.css", _CSS_OLD, _CSS_NEW),
            m.diff("src/settings/page.tsx", "<Grid>\n", '<main className="settings">\n'),
        ],
        "locations": [{"path": "src/settings/layout.css"}, {"path": "src/settings/page.tsx"}],
    },
    s.ASK_PLAN: {
        "kind": "switch_mode",
        "title": "Store UTC, show local time",
        "rawInput": {
            "plan": "1. Store every time as UTC.\n2. Convert at the edge.\n3. Migrate old rows.\n4. Test across a change of the clock."
        },
    },
}
