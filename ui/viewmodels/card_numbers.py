"""Numbers of children: tool calls, tokens, cost, of one and of many (design 7.3). Pure but for the world it reads."""

from collections.abc import Sequence

from codeg.api import TaskView, Usage
from ui.viewmodels.world import World
from ui.wording import money, tokens, tr


def tool_calls(view: TaskView, world: World) -> int | None:
    """Of the present or the last attempt; None = not known."""
    activity = world.activity(view.record.task_id)
    if activity is not None:
        return activity.tool_calls
    return view.record.end.tool_calls if view.record.end is not None else None


def usage_of(view: TaskView, world: World) -> tuple[int | None, float | None, str]:
    """Tokens, cost, currency; None = not reported."""
    end, activity, live = view.record.end, world.activity(view.record.task_id), world.usage(view.record.child_id)
    told: Usage | None = end.usage if end is not None else activity.usage if activity is not None else None
    found = told if told is not None else live
    if found is None:
        return None, None, ""
    used = _tokens(found.input_tokens, found.output_tokens, found.context_used)
    return used, found.cost_amount, found.cost_currency or "USD"


def _tokens(given: int | None, taken: int | None, context: int | None) -> int | None:
    return context if given is None and taken is None else (given or 0) + (taken or 0)


def numbers_of(view: TaskView, world: World) -> tuple[str, ...]:
    """`14 tools`, `61k`, `$0.42`; what is missing is left out, never shown as 0."""
    calls = tool_calls(view, world)
    used, cost, currency = usage_of(view, world)
    parts = (
        tr("%n tools", n=calls) if calls else "",
        tokens(used) if used else "",
        money(cost, currency) if cost else "",
    )
    return tuple(part for part in parts if part)


def sum_of(views: Sequence[TaskView], world: World) -> str:
    """`142k tokens · $0.81` of many children."""
    used, costs = 0, dict[str, float]()
    for view in views:
        some, cost, currency = usage_of(view, world)
        used += some or 0
        if cost:
            costs[currency] = costs.get(currency, 0.0) + cost
    parts = [tr("{count} tokens", count=tokens(used))] if used else []
    return " · ".join([*parts, *(money(amount, currency) for currency, amount in costs.items())])
