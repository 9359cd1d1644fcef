"""English singulars of the texts that are said with a number: the plural stands in the source.

Owns the table; other languages have their forms in the catalogues. A test holds it against the source.
"""

SINGULAR: dict[str, str] = {
    "%n agents are ready": "%n agent is ready",
    "%n agents found, none ready yet — the demo works at once": (
        "%n agent found, not ready yet — the demo works at once"
    ),
    "%n changed files are kept": "%n changed file is kept",
    "%n commands": "%n command",
    "%n edits": "%n edit",
    "%n fetches": "%n fetch",
    "%n files changed": "%n file changed",
    "%n hours": "%n hour",
    "%n minutes": "%n minute",
    "%n more agents are supported but not installed.": "%n more agent is supported but not installed.",
    "%n need you": "%n needs you",
    "%n new messages": "%n new message",
    "%n others": "%n other",
    "%n pictures": "%n picture",
    "%n places": "%n place",
    "%n queued": "%n queued",
    "%n questions": "%n question",
    "%n reads": "%n read",
    "%n running": "%n running",
    "%n searches": "%n search",
    "%n seconds": "%n second",
    "%n tasks are running": "%n task is running",
    "%n times": "%n time",
    "%n tool calls": "%n tool call",
    "%n tools": "%n tool",
    "%n waiting": "%n waiting",
    "Checked %n times": "Checked %n time",
    "Checked on %n children": "Checked on %n child",
    "Delete %n files?": "Delete %n file?",
    "Edit %n files?": "Edit %n file?",
    "Move %n files?": "Move %n file?",
    "Open all, %n more lines": "Open all, %n more line",
    "Opening %n entries…": "Opening %n entry…",
    "Show %n more lines": "Show %n more line",
    "Show all, %n more characters": "Show all, %n more character",
    "Starts when one of %n running children ends": "Starts when the running child ends",
    "Stop %n children?": "Stop %n child?",
    "Stop {agent} and its %n children?": "Stop {agent} and its child?",
    "Stopping it interrupts %n running tasks; each can be resumed here.": (
        "Stopping it interrupts %n running task; it can be resumed here."
    ),
    "Transcript, %n tool calls": "Transcript, %n tool call",
    "has %n questions": "has a question",
}
