"""What the first page says of each agent, and its headline (design 7.11).

Pure; no Qt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ui.orders import AgentInfo, AgentProbe
from ui.viewmodels.states import State
from ui.wording import tr

DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Offer:
    """One row. `ready`: the button starts a session; else it shows `help`."""

    under: str
    state: State
    word: str
    button: str
    ready: bool
    help: str = ""


def offers(agent: AgentInfo, probe: AgentProbe | None) -> Offer:
    """What one agent's row says. A look that is under way moves nothing."""
    if agent.slug == DEMO:
        text = tr("Built in, needs no key and no network")
        return Offer(text, State.COMPLETED, tr("Always ready"), tr("Try the demo"), ready=True)
    if probe is None:
        return Offer("", State.STARTING, tr("Looking…"), tr("Start session"), ready=False)
    match probe.state:
        case "ready":
            return Offer(probe.version, State.COMPLETED, tr("Signed in"), tr("Start session"), ready=True)
        case "signed_out":
            word, button = tr("Not signed in"), tr("How to sign in")
            return Offer(probe.version, State.QUEUED, word, button, ready=False, help=probe.message)
        case _:
            word, button = tr("Does not start"), tr("Show why")
            return Offer(probe.version, State.FAILED, word, button, ready=False, help=probe.message)


def headline(agents: Sequence[AgentInfo], probes: Mapping[str, AgentProbe | None]) -> str:
    """The finding, as a sentence."""
    others = [agent for agent in agents if agent.installed and agent.enabled and agent.slug != DEMO]
    ready = sum(1 for agent in others if (probe := probes.get(agent.slug)) and probe.state == "ready")
    looking = any(probes.get(agent.slug) is None for agent in others)
    if ready:
        return tr("%n agents are ready", n=ready)
    if looking:
        return tr("Looking for agents…")
    if others:
        return tr("%n agents found, none ready yet — the demo works at once", n=len(others))
    return tr("No agent found yet — the demo works without one")
