"""What an agent lets the person choose in its session, as pickers: mode, model, and what else there is.

Pure, no Qt. An option of the category `mode` or `model` stands before the older way to set modes, so that nothing is
offered twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from codeg.api import ConfigOption, RootFacts, SlashCommand
from ui.wording import clean_line

PickerKind = Literal["mode", "model", "option"]
SWITCH = ("true", "false")


@dataclass(frozen=True, slots=True)
class Picker:
    """One choice. `option_id` "" = the session's mode; `choices`: (value, name)."""

    kind: PickerKind
    option_id: str
    name: str
    value: str
    choices: "tuple[tuple[str, str], ...]"

    @property
    def label(self) -> str:
        """What is chosen now, in words."""
        return next((name for value, name in self.choices if value == self.value), self.value)

    @property
    def is_switch(self) -> bool:
        """On or off."""
        return tuple(value for value, _name in self.choices) == SWITCH


@dataclass(frozen=True, slots=True)
class Offers:
    """`known`: the session is open, so this is all that its agent offers."""

    known: bool = False
    pickers: tuple[Picker, ...] = ()
    commands: tuple[SlashCommand, ...] = ()
    images: bool = True

    def picker(self, kind: PickerKind) -> Picker | None:
        """The one of a kind."""
        return next((picker for picker in self.pickers if picker.kind == kind), None)

    def others(self) -> tuple[Picker, ...]:
        """Neither mode nor model."""
        return tuple(picker for picker in self.pickers if picker.kind == "option")


def offers_of(facts: RootFacts | None) -> Offers:
    """Read what a session's agent offers; nothing is known before it is open."""
    if facts is None:
        return Offers()
    pickers = [picker for option in facts.options if (picker := _of_option(option)) is not None]
    first: list[Picker] = []
    for kind in ("mode", "model"):
        found = next((picker for picker in pickers if picker.kind == kind), None)
        if found is not None:
            first.append(found)
    if not any(picker.kind == "mode" for picker in first) and len(facts.modes) > 1:
        first.insert(0, Picker("mode", "", "", facts.mode or "", _cleaned(facts.modes)))
    rest = [_as_option(picker) for picker in pickers if picker not in first]
    return Offers(True, (*first, *rest), facts.commands, facts.images)


def _of_option(option: ConfigOption) -> Picker | None:
    if len(option.choices) < 2:
        return None
    kind: PickerKind = "option"
    if option.category == "mode":
        kind = "mode"
    elif option.category == "model":
        kind = "model"
    return Picker(kind, option.option_id, clean_line(option.name, 60), option.value, _cleaned(option.choices))


def _as_option(picker: Picker) -> Picker:
    return Picker("option", picker.option_id, picker.name, picker.value, picker.choices)


def _cleaned(choices: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple((value, clean_line(name, 60) or clean_line(value, 60)) for value, name in choices)
