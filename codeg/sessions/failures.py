"""How a failing agent is put into words: the step, the command, the exit code or signal, the last lines of its stderr.

Pure. Values of the agent's environment that its user configured never appear in what it makes (contract 3, logs).
"""

import json
import shlex
import signal

from codeg.jsonrpc.messages import RpcError
from codeg.sessions.acp import error_sentence, wants_sign_in
from codeg.sessions.connection import AgentFailure
from codeg.sessions.process_types import Exit
from codeg.sessions.reading import clean, shorten
from codeg.sessions.sign_in import SignInWay, how_to_sign_in
from codeg.sessions.types import AgentDefinition

SECRET_LENGTH = 6
"""Configured environment values shorter than this (`1`, `true`) are not taken for secrets."""

_MAX_COMMAND = 300
_MAX_LINE = 1_000


def exit_words(exit_: Exit | None) -> str:
    """How a program ended, as the end of a sentence that begins with its name."""
    if exit_ is None:
        return "closed its output while still running"
    if exit_.signal is not None:
        return f"was ended by signal {exit_.signal}{_signal_name(exit_.signal)}"
    return "ended in an unknown way" if exit_.code is None else f"exited with code {exit_.code}"


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:
        return ""


def _forms(secret: str) -> set[str]:
    """How it may be shown: as it stands, a line or one line of it (keys have many), as JSON or a program quotes it."""
    found: set[str] = set()
    for text in (secret, *secret.splitlines(), " ".join(secret.split())):
        found |= {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1]}
    return {form for form in found if len(form) >= SECRET_LENGTH}


class Wording:
    """Makes the failures of one agent.

    Attributes:
        ways: to sign in, as the agent told them.
    """

    def __init__(self, agent: AgentDefinition) -> None:
        self.ways: tuple[SignInWay, ...] = ()
        self._agent = agent
        self._who = f"{agent.label} (`{shorten(shlex.join(agent.command), _MAX_COMMAND)}`)"
        forms = {form for _, value in agent.env for form in _forms(value)}
        self._secrets = sorted(forms, key=len, reverse=True)

    def without_secrets(self, said: str) -> str:
        """The text with every configured secret blotted out."""
        for secret in self._secrets:
            said = said.replace(secret, "***")
        return said

    def not_started(self, reason: str) -> AgentFailure:
        """The program could not be started."""
        return self._failure("spawn_failed", f"{self._who} could not be started: {reason}")

    def late(self, step: str, seconds: float, stderr: tuple[str, ...]) -> AgentFailure:
        """It did not answer a step of its start in time."""
        return self._failure("agent_start_timeout", f"{self._who} did not answer {step} within {seconds:g} s.", stderr)

    def silent(self, step: str, seconds: float, stderr: tuple[str, ...]) -> AgentFailure:
        """It did not answer a request that was made of it after its start."""
        return self._failure("subagent_error", f"{self._who} did not answer {step} within {seconds:g} s.", stderr)

    def ended(self, step: str, exit_: Exit | None, stderr: tuple[str, ...]) -> AgentFailure:
        """It went away, or closed its output, before it was done."""
        return self._failure("agent_crashed", f"{self._who} {exit_words(exit_)} {step}.", stderr)

    def deaf(self, step: str, stderr: tuple[str, ...]) -> AgentFailure:
        """It runs but takes no input any more."""
        return self._failure("agent_crashed", f"{self._who} closed its input while still running {step}.", stderr)

    def refused(self, step: str, error: RpcError, stderr: tuple[str, ...]) -> AgentFailure:
        """It answered a step with an error; where that asks for a sign-in, with what to type."""
        sentence = f"{self._who} answered {step} with {self.said(error)}."
        if not wants_sign_in(error.code, error.message, error.data):
            return self._failure("subagent_error", sentence, stderr)
        return self._failure("auth_required", f"{sentence} {self.to_sign_in()}".rstrip(), stderr)

    def to_sign_in(self) -> str:
        """What a person does to sign in, as far as that is known."""
        return how_to_sign_in(self._agent, self.ways)

    def said(self, error: RpcError) -> str:
        """An error answer in words; blotted before it is cut, since half a secret is not recognised."""
        return error_sentence(error.code, error.message, error.data, self.without_secrets)

    def misspoke(self, step: str, what: str, stderr: tuple[str, ...]) -> AgentFailure:
        """It broke the protocol."""
        return self._failure("subagent_error", f"{self._who} {what} {step}.", stderr)

    def no_resume(self, reason: str, stderr: tuple[str, ...] = ()) -> AgentFailure:
        """Its earlier session cannot be re-attached."""
        return self._failure("resume_unavailable", f"{self._who} cannot go on with its session: {reason}", stderr)

    def unsuited(self, reason: str, stderr: tuple[str, ...] = ()) -> AgentFailure:
        """It runs, but not as it must."""
        return self._failure("subagent_error", f"{self._who} {reason}", stderr)

    def stopped(self) -> AgentFailure:
        """We ended it."""
        return self._failure("agent_crashed", f"{self._who} was stopped.")

    def _failure(self, code: str, sentence: str, stderr: tuple[str, ...] = ()) -> AgentFailure:
        tail = tuple(shorten(self.without_secrets(clean(line)), _MAX_LINE) for line in stderr)
        message = self.without_secrets(clean(sentence))
        if tail:
            message = "\n".join((message, "Last lines of its stderr:", *tail))
        return AgentFailure(code, message, stderr=tail)
