"""The pages of Settings as data: which setting stands where, in which words, within which limits (design 7.10).

Owns the descriptions; pure, no Qt. Names are the dotted names of the settings file (contract 3 and 6). What a setting
means is decided by the host, which refuses a wrong value whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from codeg.api import Settings
from ui.wording import tr

Kind = Literal["switch", "stepper", "number", "choice"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One row. `times`: what the shown number is multiplied with in the file; `later`: holds for new sessions only.

    `choices`: (value, label). `least`, `most`: of the shown number.
    """

    name: str
    title: str
    text: str
    kind: Kind
    later: bool = False
    least: int = 0
    most: int = 1_000_000
    unit: str = ""
    times: int = 1
    choices: "tuple[tuple[str, str], ...]" = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Settings in one box."""

    title: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """One entry of the navigation."""

    name: str
    title: str
    text: str
    icon: str
    groups: tuple[Group, ...] = ()


def pages() -> tuple[Page, ...]:
    """All pages, in their order."""
    return (
        Page("agents", tr("Agents"), tr("Which agents may be used, and how each is started."), "users"),
        Page(
            "delegation", tr("Delegation"), tr("How agents may hand work to other agents."), "git-branch", _delegation()
        ),
        Page("integrations", tr("Integrations"), tr("Delegate from agents that run in a terminal."), "plug"),
        Page("notifications", tr("Notifications"), tr("What reaches you outside the window."), "bell", _notices()),
        Page("appearance", tr("Appearance"), tr("How the window looks."), "contrast", _appearance()),
        Page("language", tr("Language"), tr("In which language the window speaks."), "globe", _language()),
        Page("keyboard", tr("Keyboard"), tr("Every action and its key."), "keyboard"),
    )


def _delegation() -> tuple[Group, ...]:
    ways = (("ask", tr("Ask me")), ("allow", tr("Allow")), ("refuse", tr("Refuse")))
    outside = Setting(
        "delegation.outside_folder",
        tr("A folder outside the session's"),
        tr("When an agent hands on work for another folder."),
        "choice",
        choices=ways,
    )
    return (
        Group("", (*_how_deep(), *_how_many(), *_how_long())),
        Group(tr("Folders and outside sessions"), (outside,)),
    )


def _how_deep() -> tuple[Setting, ...]:
    return (
        Setting(
            "delegation.enabled",
            tr("Let agents delegate"),
            tr("Off: the tools are hidden from every new session."),
            "switch",
            later=True,
        ),
        Setting(
            "delegation.depth_limit",
            tr("Depth"),
            tr("A child may start children of its own, down to this level."),
            "stepper",
            later=True,
            least=1,
            most=8,
        ),
    )


def _how_many() -> tuple[Setting, ...]:
    return (
        Setting(
            "delegation.live_per_parent",
            tr("Running at once"),
            tr("Of one session. More than this wait in the queue, in the order they were asked for."),
            "stepper",
            least=1,
            most=64,
        ),
        Setting(
            "delegation.live_per_root",
            tr("Running at once below one conversation"),
            tr("Children of children count too."),
            "stepper",
            least=1,
            most=256,
        ),
        Setting(
            "delegation.queue_limit",
            tr("Queue"),
            tr("More than this are refused, and the agent is told why."),
            "stepper",
            most=1000,
        ),
    )


def _how_long() -> tuple[Setting, ...]:
    return (
        Setting(
            "delegation.run_timeout_s",
            tr("Longest run"),
            tr("Then the child is stopped and its work kept. Waiting for you does not count. 0 is no limit."),
            "number",
            most=100_000,
            unit=tr("min"),
            times=60,
        ),
        Setting(
            "delegation.result_cache_mb",
            tr("Kept results"),
            tr("Finished answers stay at hand in memory up to this size. 0 is no limit."),
            "number",
            unit=tr("MB"),
        ),
    )


def _notices() -> tuple[Group, ...]:
    setting = Setting(
        "desktop.notifications",
        tr("Tell me when an agent needs me"),
        tr("A notification of the system while this window is not in front."),
        "switch",
    )
    return (Group("", (setting,)),)


def _appearance() -> tuple[Group, ...]:
    themes = (("system", tr("As the system")), ("light", tr("Light")), ("dark", tr("Dark")))
    return (
        Group(
            "",
            (
                Setting("desktop.theme", tr("Theme"), tr("Light or dark."), "choice", choices=themes),
                Setting(
                    "desktop.font_size",
                    tr("Font size"),
                    tr("Of the interface; all other sizes follow it."),
                    "stepper",
                    least=12,
                    most=18,
                ),
                Setting(
                    "desktop.reduce_motion", tr("Reduce motion"), tr("Marks stand still and nothing blends."), "switch"
                ),
            ),
        ),
    )


def _language() -> tuple[Group, ...]:
    # The names of languages are in their own language wherever they are read.
    languages = (("system", tr("As the system")), ("en", "English"), ("zh_CN", "简体中文"))
    setting = Setting(
        "desktop.language",
        tr("Language"),
        tr("The window speaks it after the next start."),
        "choice",
        choices=languages,
    )
    return (Group("", (setting,)),)


def value_of(settings: Settings, setting: Setting) -> Any:
    """The value as it is shown."""
    section, _, name = setting.name.partition(".")
    held = getattr(getattr(settings, section), name)
    return round(held / setting.times) if setting.kind in {"stepper", "number"} else held


def stored(setting: Setting, shown: Any) -> Any:
    """The value as it is written."""
    return int(shown) * setting.times if setting.kind in {"stepper", "number"} else shown


def problem_of(setting: Setting, shown: str) -> str:
    """Why a typed number cannot be; "" = it can."""
    text = shown.strip()
    if not text.isdigit() or not setting.least <= int(text) <= setting.most:
        return tr("Takes a whole number from {least} to {most}.", least=str(setting.least), most=str(setting.most))
    return ""


def found(wanted: str, of: Iterable[Page] | None = None) -> "tuple[tuple[str, Setting], ...]":
    """Settings whose words hold the text, each with its page."""
    needle = wanted.casefold().strip()
    return tuple(
        (page.name, setting)
        for page in (of if of is not None else pages())
        for group in page.groups
        for setting in group.settings
        if needle and needle in f"{setting.title} {setting.text}".casefold()
    )
