"""What an agent says about its session as a whole: modes, config options, commands, title, context and cost.

Owns the latest word on each. Pure and tolerant: what it cannot read stays as it was.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from codeg.sessions.quirks import pi
from codeg.sessions.reading import clean, mapping, mappings, number, sequence, text, whole
from codeg.sessions.types import ConfigOption, Json, SlashCommand, TurnUsage

Touched = Literal["options", "usage", ""]
_SWITCH = (("true", "On"), ("false", "Off"))
LISTED_MODEL = "model"
"""Id of the config option that stands for a list of models, as agents gave before there were config options."""


class SessionState:
    """Modes, options, commands, title and usage of one ACP session.

    Attributes:
        modes: (mode id, name) offered.
        mode: the current mode id.
        mode_option: id of the config option that stands for the mode, where the agent has no modes proper; else empty.
        title: as last told.
        models_listed: the config option `LISTED_MODEL` is ours: the agent lists models and has no option for them.
        greeting: a text with which the program greets, that is no answer of the agent; else empty.
        signed_in: as the program told by itself; None = it did not.
        config_options: as read.
        commands: slash commands, as read.
        usage: context and cost as last reported (tokens are told by the prompt's answer).
    """

    def __init__(self) -> None:
        self.modes: tuple[tuple[str, str], ...] = ()
        self.mode: str | None = None
        self.mode_option = ""
        self.title: str | None = None
        self.models_listed = False
        self.greeting = ""
        self.signed_in: bool | None = None
        self.config_options: tuple[Json, ...] = ()
        self.commands: tuple[Json, ...] = ()
        self.usage = TurnUsage()

    def read_opened(self, result: Json) -> None:
        """Take over modes, options and models from the answer to session/new, load or resume."""
        self.greeting = pi.greeting(result)
        self.read_options(result)
        self._read_models(mapping(result.get("models")))
        modes = mapping(result.get("modes"))
        offered = tuple(
            (text(mode.get("id")), text(mode.get("name"))) for mode in mappings(modes.get("availableModes"))
        )
        if offered:
            self.modes = offered
            self.mode_option = ""
            self.mode_was_set(text(modes.get("currentModeId")))

    def read_options(self, holder: Json) -> bool:
        """Take over `configOptions` where the object has them; True if it has."""
        if not isinstance(holder.get("configOptions"), list):
            return False
        ours = (self.option(LISTED_MODEL),) if self.models_listed else ()
        told = mappings(holder["configOptions"])
        self.config_options = (*told, *(each for each in ours if not any(map(_is_model, told))))
        option = next(filter(_is_mode, self.config_options), None)
        if option is None:
            return True
        value = text(option.get("currentValue"))
        if self.mode_option or not self.modes:
            self.mode_option = text(option.get("id"))
            self.modes = tuple(_choices(option))
            self.mode = value or None
        elif any(value == mode_id for mode_id, _ in self.modes):
            self.mode = value
        return True

    def _read_models(self, models: Json) -> None:
        choices = [
            {"value": text(model.get("modelId")), "name": text(model.get("name")) or text(model.get("modelId"))}
            for model in mappings(models.get("availableModels"))
            if text(model.get("modelId"))
        ]
        if not choices or any(map(_is_model, self.config_options)):
            return
        self.models_listed = True
        option: Json = {"id": LISTED_MODEL, "name": "Model", "category": "model", "options": choices}
        self.config_options += ({**option, "currentValue": text(models.get("currentModelId"))},)

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
        """The mode is another; an option that stands for it as well follows, since not every agent says so twice."""
        self.mode = mode_id or None
        self._follow(_is_mode, mode_id)

    def model_was_set(self, model_id: str) -> None:
        """The agent agreed to another of the models that it lists."""
        self._follow(_is_model, model_id)

    def _follow(self, stands_for: Callable[[Json], bool], value: str) -> None:
        self.config_options = tuple(
            {**option, "currentValue": value} if stands_for(option) and value in dict(_choices(option)) else option
            for option in self.config_options
        )

    def apply(self, update: Json) -> Touched:
        """Take over an update that is about the session; empty when it is about something else."""
        match update.get("sessionUpdate"):
            case "current_mode_update":
                if told := text(update.get("currentModeId")):
                    self.mode_was_set(told)
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


def _is_model(option: Json) -> bool:
    return option.get("category") == "model" or option.get("id") == LISTED_MODEL


def _choices(option: Json) -> list[tuple[str, str]]:
    """Values of a select option, those inside groups too."""
    found: list[tuple[str, str]] = []
    for item in sequence(option.get("options")):
        choice = mapping(item)
        inner = mappings(choice.get("options"))
        found += [(text(one.get("value")), text(one.get("name"))) for one in (inner or (choice,))]
    return [(value, name) for value, name in found if value]
