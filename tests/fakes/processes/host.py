"""A host that starts one agent and waits to be killed. Prints the agent's identity as JSON, then the agent's first line."""

import dataclasses
import json
import os
import sys

import anyio

from codeg.sessions.process import spawn_agent


async def main() -> None:
    async with spawn_agent(sys.argv[1:], dict(os.environ), "/") as process:
        print(json.dumps(dataclasses.asdict(process.identity)), flush=True)
        print((await process.receive()).decode().strip(), flush=True)
        await anyio.sleep_forever()


anyio.run(main)
