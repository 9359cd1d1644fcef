"""What the demo agent really does with a folder: survey, todos, outline, find, readme. Reads only; nothing here writes.

Every walk is bounded (20,000 files, 2 MiB a file) and looks at `stopped` between files, so that a cancel acts at once.
"""

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_FILES = 20_000
MAX_FILE_BYTES = 2 * 1024 * 1024
MAX_MATCHES = 40
_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "venv", "vendor"})
_NAMES = {
    "Python": "py",
    "Rust": "rs",
    "Go": "go",
    "TypeScript": "ts tsx",
    "JavaScript": "js jsx",
    "C": "c h",
    "C++": "cc cpp hpp",
    "Java": "java",
    "Kotlin": "kt",
    "Ruby": "rb",
    "PHP": "php",
    "C#": "cs",
    "Swift": "swift",
    "Shell": "sh",
    "SQL": "sql",
    "HTML": "html",
    "CSS": "css",
    "Markdown": "md",
    "TOML": "toml",
    "JSON": "json",
    "YAML": "yaml yml",
    "XML": "xml",
    "Text": "txt",
}
_LANGUAGES = {"." + ending: name for name, endings in _NAMES.items() for ending in endings.split()}
_MARK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b[:( ]?(.*)")  # what `todos` looks for
_HEADING = re.compile(
    r"^\s*(?:(?:export|pub|public|private|static|async|abstract)\s+)*"
    r"(?:def|class|fn|func|function|struct|interface|enum|trait|impl)\s+\S+"
)
Stopped = Callable[[], bool]


class Stop(Exception):
    """The turn was cancelled."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text file below the folder: its relative path and its text."""

    path: str
    text: str


def walk(folder: str, stopped: Stopped) -> Iterator[str]:
    """Relative paths of plain files, sorted, hidden and generated folders left out, links not followed.

    Raises:
        Stop: the turn was cancelled.
    """
    count = 0
    for base, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(files):
            if stopped():
                raise Stop
            full = os.path.join(base, name)
            if os.path.islink(full) or not os.path.isfile(full):
                continue
            count += 1
            if count > MAX_FILES:
                return
            yield os.path.relpath(full, folder)


def read_text(path: str) -> str | None:
    """The text of a file, or None when it is binary, too large, unreadable or no plain file (a pipe would not end)."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (OSError, ValueError):
        return None
    if len(data) > MAX_FILE_BYTES or b"\0" in data:
        return None
    return data.decode("utf-8", "replace")


def _sources(folder: str, stopped: Stopped) -> Iterator[Source]:
    for path in walk(folder, stopped):
        text = read_text(os.path.join(folder, path))
        if text is not None:
            yield Source(path, text)


def survey(folder: str, stopped: Stopped) -> str:
    """Languages, files, lines and the largest files."""
    files: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    sizes: list[tuple[int, str]] = []
    for source in _sources(folder, stopped):
        language = _LANGUAGES.get(os.path.splitext(source.path)[1].lower(), "Other")
        count = source.text.count("\n") + (not source.text.endswith("\n") and bool(source.text))
        files[language] += 1
        lines[language] += count
        sizes.append((count, source.path))
    if not files:
        return "No text files here."
    rows = [f"{sum(files.values())} text files, {sum(lines.values())} lines.", ""]
    rows += ["| language | files | lines |", "|---|---|---|"]
    rows += [f"| {name} | {files[name]} | {count} |" for name, count in lines.most_common()]
    rows += ["", "Largest:"]
    rows += [f"- {path} ({count} lines)" for count, path in sorted(sizes, key=lambda item: (-item[0], item[1]))[:5]]
    return "\n".join(rows)


def todos(folder: str, stopped: Stopped) -> str:
    """Marks of unfinished work, with their places."""
    found: list[str] = []
    total = 0
    for source in _sources(folder, stopped):
        for number, line in enumerate(source.text.split("\n"), 1):
            match = _MARK.search(line)
            if match:
                total += 1
                if len(found) < MAX_MATCHES:
                    found.append(f"- {source.path}:{number} {match.group(1)} {match.group(2).strip()[:120]}".rstrip())
    return _listed("marks of unfinished work", total, found)


def find(folder: str, text: str, stopped: Stopped) -> str:
    """Lines that hold a text, with their places."""
    if not text:
        return "Say what to find: `find TEXT`."
    found: list[str] = []
    total = 0
    for source in _sources(folder, stopped):
        if text not in source.text:
            continue
        for number, line in enumerate(source.text.split("\n"), 1):
            if text in line:
                total += 1
                if len(found) < MAX_MATCHES:
                    found.append(f"- {source.path}:{number} {line.strip()[:160]}")
    return _listed(f"lines with {text!r}", total, found)


def _listed(what: str, total: int, found: list[str]) -> str:
    if not total:
        return f"No {what} here."
    head = f"{total} {what}" + (f", the first {len(found)}:" if total > len(found) else ":")
    return "\n".join([head, *found])


def outline(folder: str, path: str) -> str:
    """Classes and functions of a file, headings of a document."""
    full = os.path.join(folder, path)
    text = read_text(full) if path else None
    if text is None:
        return f"There is no text file {path!r} here; say `outline PATH`."
    if path.endswith(".py"):
        try:
            return _python_outline(path, ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # its headings are found without a parser
    pattern = re.compile(r"^#{1,6} ") if path.endswith((".md", ".markdown")) else _HEADING
    lines = enumerate(text.split("\n"), 1)
    found = [f"- {number}: {line.strip()[:120]}" for number, line in lines if pattern.match(line)]
    return "\n".join([f"Outline of {path}:", *found[:200]]) if found else f"{path} has no headings that I know."


def _python_outline(path: str, tree: ast.Module) -> str:
    rows = [f"Outline of {path}:"]

    def add(nodes: list[ast.stmt], depth: int) -> None:
        for node in nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                kind = "class" if isinstance(node, ast.ClassDef) else "def"
                rows.append(f"{'  ' * depth}- {node.lineno}: {kind} {node.name}")
                if isinstance(node, ast.ClassDef):
                    add(node.body, depth + 1)

    add(tree.body, 0)
    return "\n".join(rows) if len(rows) > 1 else f"{path} defines no classes or functions."


def readme(folder: str) -> str:
    """The first part of the folder's README."""
    for name in sorted(os.listdir(folder)):
        if name.lower().startswith("readme"):
            text = read_text(os.path.join(folder, name))
            if text:
                head = text.strip().split("\n## ")[0].strip()
                return f"{name} begins:\n\n{head[:2000]}"
    return "There is no README here."
