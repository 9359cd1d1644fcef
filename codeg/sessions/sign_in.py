"""How a person signs in to an agent: what the agent says of it, and the sentence to type.

Pure. Reads `authMethods` of the answer to `initialize` (types `agent`, `terminal` and `env_var` of the protocol). Never
signs in by itself, and names variables, never their values.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from codeg.sessions.reading import clean, mapping, mappings, sequence, shorten, text
from codeg.sessions.types import AgentDefinition, Json

_MOST = 4
_LONGEST = 100


@dataclass(frozen=True, slots=True)
class SignInWay:
    """One way to sign in. `arguments`: of the agent's own program, to be run in a terminal; `variables`: to be set."""

    name: str
    arguments: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


def read_ways(methods: Any) -> tuple[SignInWay, ...]:
    """The ways that the agent names, in its order."""
    return tuple(_read(method) for method in mappings(methods))


def _read(method: Json) -> SignInWay:
    meta = mapping(method.get("_meta"))
    kind = text(method.get("type")) or text(meta.get("type"))
    arguments = method.get("args") if "args" in method else meta.get("args")
    variables = tuple(text(each.get("name")) for each in mappings(method.get("vars")))
    return SignInWay(
        name=clean(shorten(text(method.get("name")) or text(method.get("id")), _LONGEST)),
        arguments=tuple(map(text, sequence(arguments))) if kind == "terminal" else (),
        variables=tuple(filter(None, variables)) if kind == "env_var" else (),
    )


def how_to_sign_in(agent: AgentDefinition, ways: Sequence[SignInWay] = ()) -> str:
    """What to type or to set, as sentences: the catalogue's word, else the agent's own ways; empty if neither."""
    said = [agent.sign_in] if agent.sign_in else _lines(agent, ways)
    variables = list(dict.fromkeys(name for way in ways for name in way.variables))[:_MOST]
    if variables:
        table = agent.slug.removeprefix("custom:")
        said.append(f"Or set {' or '.join(variables)}, in your shell or as `env` of [agents.{table}] in agents.toml.")
    if not said and ways:
        said.append(f"It names these ways to sign in: {'; '.join(way.name for way in ways[:_MOST])}.")
    return " ".join(said)


def _lines(agent: AgentDefinition, ways: Sequence[SignInWay]) -> list[str]:
    lines = [shlex.join((*agent.command[:1], *way.arguments)) for way in ways if way.arguments]
    return [f"Run `{'` or `'.join(lines[:_MOST])}` in a terminal."] if lines else []
