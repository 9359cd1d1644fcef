"""What an agent says about its session as a whole: modes, config options, commands, title, context and cost.

Owns the latest word on each. Pure and tolerant: what it cannot read stays as it was.
"""

from dataclasses import replace
from typing import Literal

from codeg.sessions.reading import clean, mapping, mappings, number, sequence, text, whole
from codeg.sessions.types import ConfigOption, Json, SlashCommand, TurnUsage

Touched = Literal["options", "usage", ""]
_SWITCH = (("true", "On"), ("false", "Off"))


class SessionState:
    """Modes, options, commands, title and usage of one ACP session.

    Attributes:
        modes: (mode id, name) offered.
        mode: the current mode id.
        mode_option: id of the config option that stands for the mode, where the agent has no modes proper; else empty.
        title: as last told.
        config_options: as read.
        commands: slash commands, as read.
        usage: context and cost as last reported (tokens are told by the prompt's answer).
    """

    def __init__(self) -> None:
        self.modes: tuple[tuple[str, str], ...] = ()
        self.mode: str | None = None
        self.mode_option = ""
        self.title: str | None = None
        self.config_options: tuple[Json, ...] = ()
        self.commands: tuple[Json, ...] = ()
        self.usage = TurnUsage()

    def read_opened(self, result: Json) -> None:
        """Take over modes and options from the answer to session/new, load or resume."""
        self.read_options(result)
        modes = mapping(result.get("modes"))
        offered = tuple(
            (text(mode.get("id")), text(mode.get("name"))) for mode in mappings(modes.get("availableModes"))
        )
        if offered:
            self.modes = offered
            self.mode = text(modes.get("currentModeId")) or None
            self.mode_option = ""

    def read_options(self, holder: Json) -> bool:
        """Take over `configOptions` where the object has them; True if it has."""
        if not isinstance(holder.get("configOptions"), list):
            return False
        self.config_options = mappings(holder["configOptions"])
        option = next((found for found in self.config_options if _is_mode(found)), None)
        if option is not None and (self.mode_option or not self.modes):
            self.mode_option = text(option.get("id"))
            self.modes = tuple(_choices(option))
            self.mode = text(option.get("currentValue")) or None
        return True

    def offered_options(self) -> tuple[ConfigOption, ...]:
        """The config options as a person can choose among them; one without an id is left out."""
        return tuple(_offered(option) for option in self.config_options if text(option.get("id")))

    def offered_commands(self) -> tuple[SlashCommand, ...]:
        """The slash commands; one without a name is left out."""
        return tuple(
            SlashCommand(
                name=text(command.get("name")).lstrip("/"),
                description=clean(text(command.get("description"))),
                hint=clean(text(mapping(command.get("input")).get("hint"))),
            )
            for command in self.commands
            if text(command.get("name")).lstrip("/")
        )

    def option(self, config_id: str) -> Json:
        """The config option of this id as read, else empty."""
        for found in self.config_options:
            if found.get("id") == config_id:
                return found
        return {}

    def mode_was_set(self, mode_id: str) -> None:
        """The agent agreed to a change of mode."""
        self.mode = mode_id

    def apply(self, update: Json) -> Touched:
        """Take over an update that is about the session; empty when it is about something else."""
        match update.get("sessionUpdate"):
            case "current_mode_update":
                self.mode = text(update.get("currentModeId")) or self.mode
                return "options"
            case "config_option_update":
                self.read_options(update)
                return "options"
            case "available_commands_update":
                self.commands = mappings(update.get("availableCommands"))
                return "options"
            case "session_info_update":
                self._read_title(update)
                return "options"
            case "usage_update":
                self._read_usage(update)
                return "usage"
            case _:
                return ""

    def _read_title(self, update: Json) -> None:
        if "title" in update:
            self.title = text(update["title"]) or None

    def _read_usage(self, update: Json) -> None:
        cost = mapping(update.get("cost"))
        amount = number(cost.get("amount"))
        used, size = whole(update.get("used")), whole(update.get("size"))
        self.usage = replace(
            self.usage,
            context_used=self.usage.context_used if used is None else used,
            context_size=self.usage.context_size if size is None else size,
            cost_amount=self.usage.cost_amount if amount is None else amount,
            cost_currency=text(cost.get("currency")) or self.usage.cost_currency,
        )


def _offered(option: Json) -> ConfigOption:
    switch = option.get("type") == "boolean"
    value = option.get("currentValue")
    return ConfigOption(
        option_id=text(option.get("id")),
        name=clean(text(option.get("name"))) or text(option.get("id")),
        category=text(option.get("category")),
        value=str(value is True).lower() if switch else text(value),
        choices=_SWITCH if switch else tuple(_choices(option)),
        description=clean(text(option.get("description"))),
    )


def _is_mode(option: Json) -> bool:
    return option.get("category") == "mode" or option.get("id") == "mode"


def _choices(option: Json) -> list[tuple[str, str]]:
    """Values of a select option, those inside groups too."""
    found: list[tuple[str, str]] = []
    for item in sequence(option.get("options")):
        choice = mapping(item)
        inner = mappings(choice.get("options"))
        found += [(text(one.get("value")), text(one.get("name"))) for one in (inner or (choice,))]
    return [(value, name) for value, name in found if value]
