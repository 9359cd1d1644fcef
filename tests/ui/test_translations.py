"""The window in Simplified Chinese: nothing is left in English, and the compiled catalogue is the written one."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtWidgets import QApplication

from ui import translations, wording
from ui.translations.catalogue import CONTEXT, Text, read, texts_of, write
from ui.viewmodels.states import State
from ui.wording import tr

UI = Path(translations.FOLDER).parent
TS = Path(translations.FOLDER) / "codeg_zh_CN.ts"
QM = TS.with_suffix(".qm")
MANY = 12_345
PLACE = re.compile(r"\{\w+\}|%n")
HAN_BESIDE_LATIN = re.compile(r"[\u4e00-\u9fff] [A-Za-z0-9%{]|[A-Za-z0-9}] [\u4e00-\u9fff]|%n [\u4e00-\u9fff]")
PLAIN = "from ui.translations import chosen; print(chosen('system'))"


@pytest.fixture(scope="module")
def texts() -> tuple[Text, ...]:
    return texts_of(str(UI))


@pytest.fixture(scope="module")
def chinese() -> dict[str, str]:
    return read(str(TS))


@pytest.fixture
def catalogue() -> QTranslator:
    translator = QTranslator()
    assert translator.load(str(QM))
    return translator


@pytest.fixture(autouse=True)
def english_again(qapp: QApplication) -> Iterator[None]:
    yield
    translations.install("en")


# ---- the catalogue


def test_every_text_of_the_source_has_a_translation(texts: tuple[Text, ...], chinese: dict[str, str]) -> None:
    missing = [f"{text.where}: {text.source}" for text in texts if not chinese.get(text.source)]
    assert missing == [], "run ./dev strings and translate them in ui/translations/codeg_zh_CN.ts"


def test_the_catalogue_is_what_the_extraction_writes(
    texts: tuple[Text, ...], chinese: dict[str, str], tmp_path: Path
) -> None:
    """Nothing of old sources is kept; numerus messages are those that are said with a number."""
    again = tmp_path / TS.name
    write(str(again), "zh_CN", texts, chinese)
    assert _messages(again) == _messages(TS), "run ./dev strings"


def test_a_translation_has_the_places_of_its_source(chinese: dict[str, str]) -> None:
    wrong = {source: said for source, said in chinese.items() if set(_places(source)) != set(_places(said))}
    assert wrong == {}


def test_no_space_stands_between_han_and_latin(chinese: dict[str, str]) -> None:
    assert [said for said in chinese.values() if HAN_BESIDE_LATIN.search(said)] == []


def test_the_compiled_catalogue_is_up_to_date(
    texts: tuple[Text, ...], chinese: dict[str, str], catalogue: QTranslator
) -> None:
    stale = [
        text.source
        for text in texts
        for n in ((1, MANY) if text.counted else (-1,))
        if catalogue.translate(CONTEXT, text.source, None, n) != chinese.get(text.source)
    ]
    assert stale == [], "run ./dev strings"


# ---- the extraction


def test_the_extraction_finds_a_text_wherever_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'tr("one")\nf"{tr(\'two\')}, {x}"\ntr("thr"\n   "ee", name=x)\nwording.tr("four")\ntr("%n five", n=f(tr("six")))\n'
        'tr("%n seven", 7)\ntr("eight %n")\ntr("eight %n", n=2)\n',
        encoding="utf-8",
    )
    found = {text.source: text.counted for text in texts_of(str(tmp_path))}
    plain = dict.fromkeys(("one", "two", "three", "four", "six"), False)
    assert found == {**plain, "%n five": True, "%n seven": True, "eight %n": True}


@pytest.mark.parametrize(
    "line",
    [
        "tr(text)",
        'tr(f"{name} waits")',
        'tr("a" + b)',
        'tr("a" if b else "c")',
        "tr()",
        'tr(text="a")',
        "wording.tr(text)",
        "map(tr, names)",
        "say = tr",
        "from ui.wording import tr as say",
    ],
)
def test_a_text_that_is_no_literal_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.py:2: tr"):
        texts_of(str(tmp_path))


def test_a_catalogue_keeps_what_is_translated_and_drops_what_is_gone(tmp_path: Path) -> None:
    path = str(tmp_path / "some.ts")
    held = (Text("a & <b>", counted=False, where="x.py"), Text("%n c", counted=True, where="x.py"))
    write(path, "zh_CN", (*held, Text("new", counted=False, where="y.py")), {"a & <b>": "“甲” & <b>", "%n c": "%n个"})
    assert read(path) == {"a & <b>": "“甲” & <b>", "%n c": "%n个"}
    write(path, "zh_CN", held[1:], read(path))
    assert read(path) == {"%n c": "%n个"}


# ---- speaking


def test_the_window_speaks_chinese_and_then_english_again(qapp: QApplication) -> None:
    translations.install("zh_CN")
    states = (State.QUEUED, State.STARTING, State.RUNNING, State.WAITING)
    ended = (State.COMPLETED, State.FAILED, State.CANCELED, State.INTERRUPTED)
    assert [wording.state_word(state) for state in states] == ["排队中", "启动中", "运行中", "等你处理"]
    assert [wording.state_word(state) for state in ended] == ["已完成", "失败", "已取消", "已中断"]
    assert wording.duration(72_000) == "1分12秒"
    assert wording.ordinal_of(2, 5) == "第2位，共5位"
    assert tr("Stop {agent} and its %n children?", n=1, agent="Codex") == "停止Codex及其1个子智能体吗？"
    assert QCoreApplication.translate("QWidgetTextControl", "Select All") != "Select All"
    translations.install("en")
    assert wording.state_word(State.WAITING) == "Waiting for you"
    assert wording.ordinal_of(2, 5) == "2nd of 5"
    assert QCoreApplication.translate("QWidgetTextControl", "Select All") == "Select All"


def test_numbers_are_written_as_everywhere(qapp: QApplication) -> None:
    translations.install("zh_CN")
    assert tr("%n tools", n=MANY) == "12,345个工具"


def test_a_text_without_a_translation_stays_english(qapp: QApplication) -> None:
    translations.install("zh_CN")
    assert tr("not in {any} catalogue", any="x") == "not in x catalogue"


@pytest.mark.parametrize(("setting", "language"), [("zh_CN", "zh_CN"), ("en", "en"), ("tlh", "en")])
def test_a_named_language_is_taken_if_there_is_a_catalogue(setting: str, language: str) -> None:
    assert translations.chosen(setting) == language


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="the locale is not the environment's there")
@pytest.mark.parametrize(
    ("locale", "language"), [("zh_CN.UTF-8", "zh_CN"), ("de_DE.UTF-8", "en"), ("en_US.UTF-8", "en"), ("C", "en")]
)
def test_system_follows_the_locale(locale: str, language: str) -> None:
    """In a process of its own: Qt reads the locale once."""
    environment = {**os.environ, "LC_ALL": locale, "LANG": locale}
    environment.pop("LANGUAGE", None)
    made = subprocess.run(
        [sys.executable, "-c", PLAIN], cwd=UI.parent, env=environment, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == language


def _places(text: str) -> list[str]:
    return PLACE.findall(text)


def _messages(path: Path) -> list[str]:
    """The messages without their places in the source: moving a text from file to file needs no new catalogue."""
    found = re.findall(r"<message.*?</message>", path.read_text(encoding="utf-8"), re.DOTALL)
    return sorted(re.sub(r"<location[^>]*>", "", message) for message in found)
