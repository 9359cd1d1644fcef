"""The live tree of a session and its delegations in a terminal.

Owns what is drawn; fed by `runs` events. Plain output lives in `plain`. Ends with the last picture left on screen.
"""

import time
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.rule import Rule
from rich.text import Text
from rich.tree import Tree

from codeg.cli.words import State, age, elapsed, last_line, safe, state

Json = dict[str, Any]
MOST_MARKDOWN = 64 * 1024
"""Characters; a longer text is shown as it is, since laying out a megabyte takes up to half a minute."""
_ENDED = frozenset({"completed", "failed", "canceled", "interrupted"})


class Board:
    """The delegations of one session, by parent."""

    def __init__(self, agent: str, prompt: str) -> None:
        self.agent = agent
        self.prompt = safe(prompt).strip()
        self.reports: dict[str, Json] = {}
        self.line = ""
        self.ended: State | None = None
        self._seen: dict[str, float] = {}

    def take(self, report: Json) -> None:
        """A task as it stands now."""
        task = str(report.get("task_id", ""))
        self.reports[task] = report
        self._seen.setdefault(task, time.monotonic())

    def __rich__(self) -> RenderableType:
        head = Text.assemble((f"{self.agent}  ", "bold"), self.prompt.replace("\n", "  ")[:100])
        branches: dict[str, Tree] = {task: Tree(self._row(report)) for task, report in self.reports.items()}
        tree = Tree(head, guide_style="dim")
        for task, report in self.reports.items():
            branches.get(str(report.get("parent_task_id")), tree).children.append(branches[task])
        if self.line:
            return Group(tree, Text(self.line[:160], style="dim", no_wrap=True, overflow="ellipsis"))
        return tree

    def _row(self, report: Json) -> Text:
        shown = state(report)
        task = str(report.get("task_id", ""))
        took = elapsed(report)
        if not took and report.get("status") not in _ENDED:
            took = age(time.monotonic() - self._seen.get(task, time.monotonic()))
        agent = str(report.get("agent_type", ""))
        row = Text.assemble((f"{shown.sign} {shown.word}", shown.style), "  ", (agent, "bold"))
        row.append(f"  {task}  {took}", style="dim")
        line = last_line(report)
        if line:
            row.append("  " + line[:100])
        row.no_wrap = True
        row.overflow = "ellipsis"
        return row


class LiveTree:
    """The board on a terminal, redrawn four times a second while something moves."""

    def __init__(self, console: Console, board: Board) -> None:
        self._console = console
        self._board = board
        self._live = Live(board, console=console, refresh_per_second=4, transient=False)

    def start(self) -> None:
        """Show it."""
        self._live.start(refresh=True)

    def pause(self) -> None:
        """Leave the screen to somebody else; `start` shows it again."""
        self._live.stop()
        self._live = Live(self._board, console=self._console, refresh_per_second=4)

    def refresh(self) -> None:
        """Draw now."""
        self._live.refresh()

    def stop(self) -> None:
        """Leave the last picture."""
        self._board.line = ""
        self._live.stop()


def show_answer(console: Console, text: str, why: str) -> None:
    """The session's final message, as Markdown without anything that loads or opens, and why it ended badly if so."""
    if text.strip():
        console.print(Rule(style="dim"))
        shown = safe(text)
        console.print(Markdown(shown, hyperlinks=False) if len(text) <= MOST_MARKDOWN else Text(shown))
    if why:
        console.print(Text(why, style="bold red"))
