"""Texts of the source, and the catalogues that hold their translations (Qt's .ts format).

Owns reading the source (every `tr("…")`) and reading and writing a .ts file. A text that the source has no more is
dropped, a new one is unfinished. Pure but for the files.
"""

import ast
import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

CONTEXT = "codeg"


@dataclass(frozen=True, slots=True)
class Text:
    """One text of the source. `counted`: it is said with a number."""

    source: str
    counted: bool
    where: str


def texts_of(root: str) -> tuple[Text, ...]:
    """All texts below a folder of Python source, in a stable order, each once.

    Raises:
        ValueError: a use of `tr` without a literal text: it could not be translated.
    """
    found: dict[str, Text] = {}
    for path in _sources(root):
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for text in _in(tree, os.path.relpath(path, root)):
            held = found.get(text.source)
            found[text.source] = Text(text.source, text.counted or (held is not None and held.counted), text.where)
    return tuple(sorted(found.values(), key=lambda text: (text.where, text.source)))


def _sources(root: str) -> Iterator[str]:
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name != "__pycache__")
        yield from (os.path.join(folder, name) for name in sorted(files) if name.endswith(".py"))


def _in(tree: ast.AST, where: str) -> Iterator[Text]:
    called: set[ast.AST] = set()
    for node in ast.walk(tree):  # a call comes before its parts
        if isinstance(node, ast.Call) and _is_tr(node.func):
            called.add(node.func)
            yield _text(node, where)
        elif isinstance(node, ast.expr) and _is_tr(node) and node not in called:
            raise ValueError(f"{where}:{node.lineno}: tr is called with its text, never handed on.")
        elif isinstance(node, ast.alias) and node.name == "tr" and node.asname is not None:
            raise ValueError(f"{where}:{node.lineno}: tr has no other name.")


def _is_tr(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id == "tr") or (isinstance(node, ast.Attribute) and node.attr == "tr")


def _text(call: ast.Call, where: str) -> Text:
    """The text of a call. Literals that stand side by side are one; f-strings and sums are no literals."""
    literal = call.args[0] if call.args else None
    if not isinstance(literal, ast.Constant) or not isinstance(literal.value, str):
        raise ValueError(f"{where}:{call.lineno}: tr() takes a literal text.")  # noqa: TRY004  # the source is wrong, not a type
    counted = len(call.args) > 1 or any(word.arg == "n" for word in call.keywords)
    return Text(literal.value, counted, where)


def read(path: str) -> dict[str, str]:
    """Finished translations of a catalogue by their source text."""
    if not os.path.exists(path):
        return {}
    held: dict[str, str] = {}
    for message in ET.parse(path).getroot().iter("message"):  # noqa: S314  # our own file
        source, translation = message.findtext("source") or "", message.find("translation")
        if translation is None or translation.get("type") is not None:
            continue
        forms = [form.text or "" for form in translation.findall("numerusform")]
        text = forms[0] if forms else (translation.text or "")
        if text:
            held[source] = text
    return held


def write(path: str, language: str, texts: tuple[Text, ...], translated: dict[str, str]) -> None:
    """Write a catalogue: all texts of the source, those without a translation marked unfinished."""
    root = ET.Element("TS", {"version": "2.1", "language": language, "sourcelanguage": "en"})
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    for text in texts:
        message = ET.SubElement(context, "message", {"numerus": "yes"} if text.counted else {})
        ET.SubElement(message, "location", {"filename": f"../{text.where}"})
        ET.SubElement(message, "source").text = text.source
        known = translated.get(text.source, "")
        translation = ET.SubElement(message, "translation", {} if known else {"type": "unfinished"})
        if text.counted:
            ET.SubElement(translation, "numerusform").text = known
        else:
            translation.text = known
    ET.indent(root, "    ")
    shape = ET.tostring(root, encoding="unicode")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{shape}\n')
