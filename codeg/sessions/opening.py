"""The start of an agent's session: initialize, new or re-attached session, mode, options.

Owns the order of the steps and their common deadline (contract 6, `start_timeout_s`; B19). The process and the
connection are others'.
"""

import anyio

from codeg.jsonrpc.messages import RpcError
from codeg.sessions import acp
from codeg.sessions.connection import LaunchSpec
from codeg.sessions.peer import Peer
from codeg.sessions.reading import mapping, text
from codeg.sessions.session_state import LISTED_MODEL, SessionState
from codeg.sessions.types import Json


class Opening:
    """Opens one session; used once.

    Attributes:
        session_id: the agent's own id; empty until it is known.
        facts: what the agent said of itself; None until it did.
    """

    def __init__(self, spec: LaunchSpec, peer: Peer, state: SessionState, client_version: str) -> None:
        self.session_id = ""
        self.facts: acp.AgentFacts | None = None
        self._spec = spec
        self._peer = peer
        self._state = state
        self._client_version = client_version
        self._deadline = anyio.current_time() + spec.start_timeout_s

    async def run(self) -> None:
        """Go through the steps.

        Raises:
            AgentFailure: a step failed, was refused, or was not answered in time.
        """
        facts = acp.read_initialize(await self._ask(acp.INITIALIZE, acp.initialize_params(self._client_version)))
        self.facts = facts
        self._peer.wording.ways = facts.sign_in_ways
        if self._spec.greeted is not None:
            self._spec.greeted(facts.version)
        if facts.protocol_version not in (None, acp.PROTOCOL_VERSION):
            reason = f"speaks version {facts.protocol_version} of the protocol; Codeg speaks {acp.PROTOCOL_VERSION}."
            raise self._peer.wording.unsuited(reason, self._peer.stderr())
        if self._spec.resume_session_id is None:
            await self._new_session()
        else:
            await self._reattach(facts, self._spec.resume_session_id)
        await self._set_mode()
        await self._set_options()

    async def _new_session(self) -> None:
        answer = mapping(
            await self._ask(acp.NEW_SESSION, acp.session_params(self._spec.cwd, self._spec.mcp_servers)),
        )
        self.session_id = text(answer.get("sessionId"))
        if not self.session_id:
            reason = f"gave no session id in its answer to {acp.NEW_SESSION}."
            raise self._peer.wording.unsuited(reason, self._peer.stderr())
        self._state.read_opened(answer)

    async def _reattach(self, facts: acp.AgentFacts, session_id: str) -> None:
        """`session/resume`, else `session/load`; what it refuses is `resume_unavailable` (contract 6, resume)."""
        if facts.resume_via == "none":
            raise self._peer.wording.no_resume("it supports neither session/resume nor session/load.")
        self.session_id = session_id
        params = acp.session_params(self._spec.cwd, self._spec.mcp_servers, session_id)
        try:
            answer = await self._resume_or_load(facts, params)
        except RpcError as error:
            method = acp.RESUME_SESSION if facts.resume else acp.LOAD_SESSION
            wording = self._peer.wording
            raise wording.no_resume(f"it answered {method} with {wording.said(error)}.", self._peer.stderr()) from None
        self._state.read_opened(mapping(answer))

    async def _resume_or_load(self, facts: acp.AgentFacts, params: Json) -> object:
        if not facts.resume:
            return await self._ask_plainly(acp.LOAD_SESSION, params)
        try:
            return await self._ask_plainly(acp.RESUME_SESSION, params)
        except RpcError as error:
            if error.code != acp.METHOD_NOT_FOUND or not facts.load:
                raise
            return await self._ask_plainly(acp.LOAD_SESSION, params)

    async def _set_mode(self) -> None:
        """The agent's mode, always after a re-attachment: several agents fall back to their own then."""
        mode = self._spec.agent.mode
        if not mode or not self._state.modes:
            return
        known = [mode_id for mode_id, _ in self._state.modes]
        if mode not in known:
            reason = f"offers no mode {mode!r}, only {', '.join(known)}; set `mode` for it in agents.toml."
            raise self._peer.wording.unsuited(reason, self._peer.stderr())
        if mode == self._state.mode and self._spec.resume_session_id is None:
            return
        await self.set_mode(mode, self._deadline - anyio.current_time())

    async def set_mode(self, mode: str, seconds: float, *, started: bool = False) -> None:
        """Set the mode by the way that this agent has for it.

        Raises:
            AgentFailure: the agent refused, or did not answer in time.
        """
        option = self._state.mode_option
        if option:
            params = acp.set_option_params(self.session_id, self._state.option(option), option, mode)
            answer = await self._ask(acp.SET_OPTION, params, seconds, started=started)
            self._state.read_options(mapping(answer))
        else:
            await self._ask(acp.SET_MODE, acp.set_mode_params(self.session_id, mode), seconds, started=started)
        self._state.mode_was_set(mode)

    async def set_option(self, config_id: str, value: str, seconds: float) -> None:
        """Change a config option of an open session.

        Raises:
            AgentFailure: the agent refused, or did not answer in time.
        """
        await self._change_option(config_id, value, seconds, started=True)

    async def _set_options(self) -> None:
        for config_id, value in self._spec.agent.options:
            await self._change_option(config_id, value)

    async def _change_option(
        self, config_id: str, value: str, seconds: float | None = None, *, started: bool = False
    ) -> None:
        if self._state.models_listed and config_id == LISTED_MODEL:
            params = acp.set_model_params(self.session_id, value)
            await self._ask(acp.SET_MODEL, params, seconds, started=started)
            self._state.model_was_set(value)
            return
        params = acp.set_option_params(self.session_id, self._state.option(config_id), config_id, value)
        self._state.read_options(mapping(await self._ask(acp.SET_OPTION, params, seconds, started=started)))

    async def _ask(self, method: str, params: Json, seconds: float | None = None, *, started: bool = False) -> object:
        try:
            return await self._ask_plainly(method, params, seconds, started=started)
        except RpcError as error:
            raise self._peer.wording.refused(method, error, self._peer.stderr()) from None

    async def _ask_plainly(
        self, method: str, params: Json, seconds: float | None = None, *, started: bool = False
    ) -> object:
        left = self._deadline - anyio.current_time() if seconds is None else seconds
        try:
            return await self._peer.ask(method, params, left)
        except TimeoutError:
            wording = self._peer.wording
            if started:
                raise wording.silent(method, left, self._peer.stderr()) from None
            raise wording.late(method, self._spec.start_timeout_s, self._peer.stderr()) from None
