"""The companion as an entry of `mcpServers`: the one form in which we hand it to agents that we start (contract 4).

Owns the command line only: pure. The token is never on it, only the path of its file.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from codeg.sessions.types import McpServer

SERVER_NAME = "codeg"


@dataclass(frozen=True, slots=True)
class HostAddress:
    """What every companion of this host is told. `home`: only where the host was given one, else None."""

    socket_path: str
    pid: int
    home: str | None


def companion_entry(
    address: HostAddress,
    session_id: str,
    token_file: str,
    groups: Sequence[str],
    agents: "tuple[Sequence[str], Sequence[str]]",
) -> McpServer:
    """The entry for one session. `agents`: custom slugs that are enabled, built-in slugs that are not."""
    custom, disabled = agents
    args = [
        "-I",
        "-m",
        "companion",
        "--socket-path",
        address.socket_path,
        "--parent-connection-id",
        session_id,
        "--parent-pid",
        str(address.pid),
        "--features",
        ",".join(groups),
    ]
    for flag, slugs in (("--custom-agents", custom), ("--disabled-agents", disabled)):
        if slugs:
            args += [flag, ",".join(slugs)]
    args += ["--token-file", token_file]
    if address.home is not None:
        args += ["--home", address.home]
    return McpServer(name=SERVER_NAME, command=os.path.abspath(sys.executable), args=tuple(args))
