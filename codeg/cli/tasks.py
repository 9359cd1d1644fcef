"""`codeg task`: the ledger from the shell. `list`, `show` and `result` work without a host, from the store."""

import sys
from argparse import Namespace
from typing import Any

from codeg import api
from codeg.cli import output
from codeg.cli.words import elapsed, last_line, one_line, safe, state

Json = dict[str, Any]


def task(home: str | None, arguments: Namespace) -> int:
    """One action on the ledger; the exit code."""
    match arguments.action:
        case "list":
            return _list(home, as_json=arguments.json)
        case "result":
            return _result(home, arguments.task_id, as_json=arguments.json)
        case "wait":
            return _wait(home, arguments.task_ids, as_json=arguments.json)
        case "show":
            return _report(api.show_task(home, arguments.task_id), as_json=arguments.json)
        case action:
            reply = api.OperatorClient(home).request(action, task_id=arguments.task_id)
            return _report(reply, as_json=arguments.json)


def _list(home: str | None, *, as_json: bool) -> int:
    reports = api.list_tasks(home)
    if as_json:
        output.as_json(reports)
        return 0
    rows = [
        (
            f"{state(r).sign} {state(r).word}",
            r["task_id"],
            r.get("agent_type", ""),
            elapsed(r),
            r.get("created_at", ""),
            last_line(r)[:60],
        )
        for r in reports
    ]
    output.table(("state", "task", "agent", "took", "created", ""), rows, "No tasks yet.")
    return 0


def _report(report: Json, *, as_json: bool) -> int:
    known = report["status"] != "unknown"
    refused = report.get("error_code") == "resume_unavailable"
    if as_json:
        output.as_json(report)
    elif not known:
        _say_unknown(report.get("task_id", ""))
    else:
        print(one_line(report))
        for name in ("message", "text"):
            if report.get(name):
                print("\n" + safe(str(report[name])))
    return 0 if known and not refused else 1


def _wait(home: str | None, task_ids: list[str], *, as_json: bool) -> int:
    reports = api.wait_tasks(home, task_ids)
    if as_json:
        output.as_json(reports)
    else:
        for report in reports:
            if report["status"] == "unknown":
                _say_unknown(report["task_id"])
            else:
                print(one_line(report))
    return 0 if all(report["status"] == "completed" for report in reports) else 1


def _result(home: str | None, task_id: str, *, as_json: bool) -> int:
    """The text there is, byte for byte."""
    text = api.task_result(home, task_id)
    if text is None:
        if as_json:
            output.as_json({"task_id": task_id, "status": "unknown"})
        else:
            _say_unknown(task_id)
        return 1
    if as_json:
        output.as_json({"task_id": task_id, "text": text.decode("utf-8", "replace")})
        return 0
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()
    return 0


def _say_unknown(task_id: str) -> None:
    output.complain(f"there is no task {task_id}; `codeg task list` shows all.")
