"""A scripted ACP agent, a real process steered by directives in its prompts. Standard library only; imports nothing of Codeg.

A directive is `@name arguments`, its arguments reach to the next directive (`{…}` around them keeps inner ones for a child):

    @say T            a message chunk            @think T          a thought chunk         @chars T     byte by byte
    @read FILE        its text as one message chunk
    @chunks N         N chunks of one message    @big BYTES        one chunk of that size  @image       a block that is no text
    @opentool NAME    a tool call whose end is never told
    @tool NAME        a tool call, completed     @plan             a plan of two steps     @unknown     an unknown update
    @usage USED SIZE  context and cost           @notice T         a notice                @raw TEXT    a line as it is
    @sleep S          wait                       @wait FILE        until the file is there @touch FILE  make it
    @scribble FILE    append a line each 20 ms, for ever           @spawn S     a child that sleeps     @env FILE    dump it
    @perm N           N permission requests at once, waits for all @bareperm    one without title or input, then withdrawn
    @quietperm        a permission for a call that was never announced
    @lateperm         after a cancel, ask leave before ending      @askfs       ask for a file, say the error code
    @exit C  @kill    end the process            @orphanpipe S     a child keeps our stdout            @closeout  close stdout
    @noreply          never answer               @stop REASON      the stop reason         @error CODE MSG   an error answer
    @stderr BYTES     write that much            @banner N         N lines that are no messages        @badjson   a cut message
    @endless          one line without an end    @ignorecancel     cancel changes nothing  @lie         `end_turn` after a cancel
    @late T           a message after the answer @echoanswer       answer the prompt before once more at the next one
    @mode ID          announce a mode            @title T          announce a title
    @delegate AGENT TASK   through the MCP server it was given, waits for the end and says it        @ack AGENT TASK   without waiting
    @call TOOL JSON   any tool of it, says the result
    @run COMMAND      a shell command that is not waited for, its pipes closed            @clearenv    forget the environment

A prompt without directives is answered with `Heard: …`, or by the directives in FAKE_AGENT_PLAIN. Further environment:

    FAKE_AGENT_LOG     a file; every message received is appended, {"pid", "message"}, one object a line
    FAKE_AGENT_STATE   a folder; sessions are kept there, for session/load and session/resume in a fresh process
    FAKE_AGENT_START   comma-separated: silent-initialize silent-new silent-mode silent-load auth error-new no-resume only-load
                       forget no-modes no-images in-default-mode version-2 banner exit-3 early-text slow-replay no-meta
                       lists-models signed-out auth-ways greets
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from directives import parse  # type: ignore[import-not-found]  # beside this script, found by its folder
from fake_mcp import McpClient  # type: ignore[import-not-found]  # likewise

START = set(os.environ.get("FAKE_AGENT_START", "").split(","))
OPTIONS = [
    {"optionId": "always", "name": "Always", "kind": "allow_always"},
    {"optionId": "once", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]
MODES = [{"id": "auto", "name": "Auto"}, {"id": "default", "name": "Ask"}, {"id": "plan", "name": "Plan"}]


class Wire:
    """Lines out, requests of ours and their answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._out = os.dup(1)
        self._waiting: dict[str, tuple[threading.Event, list[Any]]] = {}

    def raw(self, data: bytes, step: int = 0) -> None:
        with self._lock:
            pieces = [data] if not step else [data[at : at + step] for at in range(0, len(data), step)]
            for piece in pieces:
                view = memoryview(piece)
                while view:
                    view = view[os.write(self._out, view) :]

    def send(self, message: dict[str, Any], step: int = 0) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n", step)

    def ask(self, method: str, params: dict[str, Any]) -> tuple[str, threading.Event, list[Any]]:
        number = f"agent-{uuid.uuid4().hex[:8]}"
        waiter: tuple[threading.Event, list[Any]] = (threading.Event(), [])
        self._waiting[number] = waiter
        self.send({"id": number, "method": method, "params": params})
        return number, *waiter

    def answered(self, message: dict[str, Any]) -> None:
        waiter = self._waiting.pop(str(message.get("id")), None)
        if waiter is not None:
            waiter[1].append(message)
            waiter[0].set()

    def close(self) -> None:
        os.close(self._out)
        os.close(1)


class Session:
    """One ACP session, kept in a file when there is a folder for it."""

    def __init__(self, session_id: str, history: list[list[str]], servers: list[dict[str, Any]]) -> None:
        self.id = session_id
        self.history = history
        self.servers = servers
        self.cancelled = threading.Event()
        self.answered_before: Any = None
        self.repeat: Any = None

    @staticmethod
    def path(session_id: str) -> str | None:
        folder = os.environ.get("FAKE_AGENT_STATE")
        return os.path.join(folder, f"{session_id}.json") if folder else None

    def save(self) -> None:
        path = self.path(self.id)
        if path is not None:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + ".new", "w") as file:
                json.dump(self.history, file)
            os.replace(path + ".new", path)


class Turn:
    """Carries out the directives of one prompt, in a thread of its own."""

    def __init__(self, wire: Wire, session: Session, request_id: Any, prompt: str) -> None:
        self.wire = wire
        self.session = session
        self.id = request_id
        self.prompt = prompt
        self.stop = "end_turn"
        self.error: dict[str, Any] | None = None
        self.reply = True
        self.lie = False
        self.ignore = False
        self.late: list[str] = []
        self.ask_late = False
        self.count = 0

    def run(self) -> None:
        session = self.session
        session.history.append(["user", self.prompt])
        session.save()
        if session.repeat is not None:
            self.wire.send({"id": session.repeat, "result": {"stopReason": "end_turn"}})
            session.repeat = None
        plain = os.environ.get("FAKE_AGENT_PLAIN") or f"@say Heard: {self.prompt}"
        for name, argument in parse(self.prompt) or parse(plain):
            if session.cancelled.is_set() and not self.ignore:
                break
            getattr(self, "do_" + name)(argument)
        if not self.reply:
            return
        cancelled = session.cancelled.is_set() and not self.ignore
        if cancelled and self.ask_late:
            self.permissions(1)
        session.answered_before = self.id
        if self.error is not None:
            self.wire.send({"id": self.id, "error": self.error})
        else:
            stop = "cancelled" if cancelled and not self.lie else self.stop
            usage = {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18}
            self.wire.send({"id": self.id, "result": {"stopReason": stop, "usage": usage}})
        for said in self.late:
            self.chunk("agent_message_chunk", said)

    def update(self, update: dict[str, Any], step: int = 0) -> None:
        self.wire.send({"method": "session/update", "params": {"sessionId": self.session.id, "update": update}}, step)

    def chunk(self, kind: str, said: str, step: int = 0) -> None:
        self.update({"sessionUpdate": kind, "content": {"type": "text", "text": said}}, step)
        self.session.history.append([kind, said])
        self.session.save()

    def tool(self, title: str, arguments: Any, status: str, content: list[Any] | None = None) -> str:
        self.count += 1
        tool_id = f"call-{self.id}-{self.count}"
        self.update(
            {
                "sessionUpdate": "tool_call",
                "toolCallId": tool_id,
                "title": title,
                "kind": "other",
                "status": "pending",
                "rawInput": {},
            }
        )
        self.update({"sessionUpdate": "tool_call_update", "toolCallId": tool_id, "rawInput": arguments})
        if status:
            self.update(
                {
                    "sessionUpdate": "tool_call_update",
                    "toolCallId": tool_id,
                    "status": status,
                    "content": content or [],
                }
            )
        return tool_id

    def pause(self, seconds: float) -> None:
        """Sleep until the time is up or the turn is cancelled."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (self.ignore or not self.session.cancelled.is_set()):
            time.sleep(min(0.01, max(0.0, end - time.monotonic())))

    def do_say(self, argument: str) -> None:
        self.chunk("agent_message_chunk", argument)

    def do_read(self, argument: str) -> None:
        with open(argument, encoding="utf-8", newline="") as file:
            self.chunk("agent_message_chunk", file.read())

    def do_think(self, argument: str) -> None:
        self.chunk("agent_thought_chunk", argument)

    def do_chars(self, argument: str) -> None:
        self.chunk("agent_message_chunk", argument, step=1)

    def do_chunks(self, argument: str) -> None:
        for at in range(int(argument)):
            update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"{at} "}}
            self.update({**update, "messageId": "chunked"})

    def do_big(self, argument: str) -> None:
        self.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x" * int(argument)}})

    def do_image(self, argument: str) -> None:
        block = {"type": "image", "mimeType": "image/png", "data": "aGk="}
        self.update({"sessionUpdate": "agent_message_chunk", "content": block})

    def do_tool(self, argument: str) -> None:
        path = os.path.join(os.getcwd(), "touched.txt")
        self.tool(argument, {"name": argument}, "completed", [{"type": "diff", "path": path, "newText": "x"}])

    def do_plan(self, argument: str) -> None:
        entries = [{"content": name, "priority": "medium", "status": "pending"} for name in ("first", "second")]
        self.update({"sessionUpdate": "plan", "entries": entries})

    def do_unknown(self, argument: str) -> None:
        self.update({"sessionUpdate": "from_the_future", "what": [1, {"deep": None}]})

    def do_usage(self, argument: str) -> None:
        used, size = argument.split()
        cost = {"amount": 0.5, "currency": "USD"}
        self.update({"sessionUpdate": "usage_update", "used": int(used), "size": int(size), "cost": cost})

    def do_notice(self, argument: str) -> None:
        self.update({"sessionUpdate": "notice", "severity": "warning", "title": argument})

    def do_mode(self, argument: str) -> None:
        self.update({"sessionUpdate": "current_mode_update", "currentModeId": argument})

    def do_title(self, argument: str) -> None:
        self.update({"sessionUpdate": "session_info_update", "title": argument})

    def do_raw(self, argument: str) -> None:
        line = argument.replace("<id>", json.dumps(self.id)).replace("<session>", self.session.id)
        self.wire.raw(line.encode() + b"\n")

    def do_sleep(self, argument: str) -> None:
        self.pause(float(argument))

    def do_wait(self, argument: str) -> None:
        while not os.path.exists(argument) and (self.ignore or not self.session.cancelled.is_set()):
            time.sleep(0.005)

    def do_touch(self, argument: str) -> None:
        with open(argument, "w"):
            pass

    def do_scribble(self, argument: str) -> None:
        def scribble() -> None:
            while True:
                with open(argument, "a") as file:
                    file.write("still here\n")
                time.sleep(0.02)

        threading.Thread(target=scribble, daemon=True).start()

    def do_spawn(self, argument: str) -> None:
        subprocess.Popen(
            ["sleep", argument], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def do_run(self, argument: str) -> None:
        quiet = subprocess.DEVNULL
        subprocess.Popen(["/bin/sh", "-c", argument], stdin=quiet, stdout=quiet, stderr=quiet)

    def do_clearenv(self, argument: str) -> None:
        os.environ.clear()

    def do_orphanpipe(self, argument: str) -> None:
        subprocess.Popen(["sleep", argument], stdin=subprocess.DEVNULL, start_new_session=True)

    def do_env(self, argument: str) -> None:
        with open(argument, "w") as file:
            json.dump(dict(os.environ), file)

    def permissions(self, count: int) -> None:
        asked: list[tuple[str, tuple[str, threading.Event, list[Any]]]] = []
        for _ in range(count):
            tool_id = self.tool("write a file", {"path": "/x"}, "")
            call = {"toolCallId": tool_id, "title": "write a file", "kind": "edit"}
            params = {"sessionId": self.session.id, "toolCall": call, "options": OPTIONS}
            asked.append((tool_id, self.wire.ask("session/request_permission", params)))
        for tool_id, (_, event, answers) in asked:
            event.wait()
            outcome: dict[str, Any] = answers[0].get("result", {}).get("outcome", {})
            chosen = outcome.get("optionId", outcome.get("outcome"))
            status = "completed" if chosen in ("once", "always") else "failed"
            self.update(
                {
                    "sessionUpdate": "tool_call_update",
                    "toolCallId": tool_id,
                    "status": status,
                    "rawOutput": {"chosen": chosen},
                }
            )

    def do_perm(self, argument: str) -> None:
        self.permissions(int(argument or 1))

    def do_bareperm(self, argument: str) -> None:
        tool_id = self.tool("bare tool", {"deep": 1}, "")
        params = {"sessionId": self.session.id, "toolCall": {"toolCallId": tool_id}, "options": OPTIONS}
        number, event, answers = self.wire.ask("session/request_permission", params)
        if argument:
            self.do_wait(argument)
        self.wire.send({"method": "$/cancel_request", "params": {"requestId": number}})
        event.wait()
        self.chunk("agent_message_chunk", f"withdrawn: {answers[0].get('error', {}).get('code')}")

    def do_quietperm(self, argument: str) -> None:
        block = {"type": "content", "content": {"type": "text", "text": "rm -r build"}}
        call = {"toolCallId": f"quiet-{self.id}", "title": "run a command", "kind": "execute", "content": [block]}
        params = {"sessionId": self.session.id, "toolCall": call, "options": OPTIONS}
        self.wire.ask("session/request_permission", params)[1].wait()

    def do_lateperm(self, argument: str) -> None:
        self.ask_late = True

    def do_askfs(self, argument: str) -> None:
        params = {"sessionId": self.session.id, "path": "/etc/hostname"}
        _, event, answers = self.wire.ask(argument or "fs/read_text_file", params)
        event.wait()
        self.chunk("agent_message_chunk", f"fs: {answers[0].get('error', {}).get('code')}")

    def do_exit(self, argument: str) -> None:
        sys.stderr.write("leaving now\n")
        sys.stderr.flush()
        os._exit(int(argument or 0))

    def do_kill(self, argument: str) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def do_closeout(self, argument: str) -> None:
        self.wire.close()
        threading.Event().wait()

    def do_noreply(self, argument: str) -> None:
        self.reply = False

    def do_stop(self, argument: str) -> None:
        self.stop = argument

    def do_error(self, argument: str) -> None:
        code, _, message = argument.partition(" ")
        self.error = {"code": int(code), "message": message, "data": {"details": "more of it"}}

    def do_stderr(self, argument: str) -> None:
        left = int(argument)
        while left > 0:
            left -= os.write(2, (b"e" * 99 + b"\n") * min(640, left // 100 + 1))

    def do_banner(self, argument: str) -> None:
        for at in range(int(argument)):
            self.wire.raw(f"banner line {at}\n".encode())

    def do_badjson(self, argument: str) -> None:
        self.wire.raw(b'{"jsonrpc": "2.0", "meth\n')

    def do_endless(self, argument: str) -> None:
        while True:
            self.wire.raw(b"A" * 65536)

    def do_ignorecancel(self, argument: str) -> None:
        self.ignore = True

    def do_lie(self, argument: str) -> None:
        self.lie = True

    def do_late(self, argument: str) -> None:
        self.late.append(argument or "late text")

    def do_echoanswer(self, argument: str) -> None:
        self.session.repeat = self.id

    def mcp(self) -> McpClient:
        return McpClient(next(entry for entry in self.session.servers if entry["name"] == "codeg"))

    def called(self, tool: str, arguments: dict[str, Any], client: McpClient) -> dict[str, Any]:
        tool_id = self.tool(f"mcp__codeg__{tool}", arguments, "")
        meta = {} if "no-meta" in START else {"claudecode/toolUseId": tool_id}
        result = client.call(tool, arguments, meta)
        self.update({"sessionUpdate": "tool_call_update", "toolCallId": tool_id, "status": "completed"})
        return result.get("structuredContent", result)

    def do_ack(self, argument: str) -> None:
        agent, _, task = argument.partition(" ")
        client = self.mcp()
        report = self.called("delegate_to_agent", {"agent_type": agent, "task": task}, client)
        self.chunk("agent_message_chunk", f"ack {report.get('task_id')} {report.get('status')}")
        client.close()

    def do_opentool(self, argument: str) -> None:
        self.tool(argument, {"by": "hand"}, "in_progress")

    def do_delegate(self, argument: str) -> None:
        agent, _, task = argument.partition(" ")
        client = self.mcp()
        report = self.called("delegate_to_agent", {"agent_type": agent, "task": task}, client)
        while report.get("status") in ("queued", "running") and not self.session.cancelled.is_set():
            asked = {"task_ids": [report["task_id"]], "wait_ms": 2000}
            reply = self.called("get_delegation_status", asked, client)
            report = reply["tasks"][0] if "tasks" in reply else reply
        said = report.get("text") or report.get("message") or json.dumps(report)
        self.chunk("agent_message_chunk", f"{report.get('task_id')} {report.get('status')}: {said}")
        client.close()

    def do_call(self, argument: str) -> None:
        tool, _, arguments = argument.partition(" ")
        client = self.mcp()
        self.chunk("agent_message_chunk", json.dumps(self.called(tool, json.loads(arguments or "{}"), client)))
        client.close()


class Agent:
    """Reads stdin and answers; one turn at a time in each session."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.sessions: dict[str, Session] = {}
        self.log = os.environ.get("FAKE_AGENT_LOG")
        self.options: list[dict[str, Any]] = [
            {
                "id": "model",
                "name": "Model",
                "category": "model",
                "type": "select",
                "currentValue": "small",
                "options": [{"value": name.lower(), "name": name} for name in ("Small", "Large", "Refused")],
            },
            {"id": "fast", "name": "Fast", "type": "boolean", "currentValue": False},
        ]

    def serve(self) -> None:
        if "banner" in START:
            self.wire.raw(b"Welcome to the fake agent\n")
        if "exit-3" in START:
            sys.stderr.write("usage: fake-agent\n")
            sys.exit(3)
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if self.log:
                with open(self.log, "a") as file:
                    file.write(json.dumps({"pid": os.getpid(), "message": message}) + "\n")
            if "method" in message:
                self.take(message)
            else:
                self.wire.answered(message)

    def take(self, message: dict[str, Any]) -> None:
        method, number = message["method"], message.get("id")
        params: dict[str, Any] = message.get("params") or {}
        step = {"initialize": "initialize", "session/new": "new", "session/set_mode": "mode", "session/load": "load"}
        if f"silent-{step.get(method)}" in START:
            return
        handler = getattr(self, "on_" + method.replace("/", "_").replace("$", ""), None)
        if handler is not None:
            handler(number, params)
        elif number is not None:
            self.wire.send({"id": number, "error": {"code": -32601, "message": f"no method {method}"}})

    def on_initialize(self, number: Any, params: dict[str, Any]) -> None:
        capabilities: dict[str, Any] = {"loadSession": True, "sessionCapabilities": {"resume": {}}}
        if "only-load" in START:
            capabilities = {"loadSession": True}
        if "no-resume" in START:
            capabilities = {}
        if "no-images" not in START:
            capabilities["promptCapabilities"] = {"image": True}
        version = 2 if "version-2" in START else 1
        info = {"name": "fake-agent", "version": "1.0"}
        result: dict[str, Any] = {"protocolVersion": version, "agentCapabilities": capabilities, "agentInfo": info}
        if "auth-ways" in START:
            result["authMethods"] = [
                {"id": "login", "name": "Log in", "type": "terminal", "args": ["--terminal-login"]},
                {"id": "key", "name": "Key", "type": "env_var", "vars": [{"name": "FAKE_KEY"}, {"name": "FAKE_TOKEN"}]},
            ]
        self.wire.send({"id": number, "result": result})

    def opened(self) -> dict[str, Any]:
        mode = "default" if "in-default-mode" in START else "auto"
        modes = {} if "no-modes" in START else {"modes": {"currentModeId": mode, "availableModes": MODES}}
        if "lists-models" in START:
            listed = [{"modelId": "small", "name": "Small"}, {"modelId": "large", "name": "Large"}]
            return {**modes, "models": {"currentModelId": "small", "availableModels": listed}}
        greeting = {"_meta": {"piAcp": {"startupInfo": "fake v1\n---\n"}}} if "greets" in START else {}
        return {**modes, "configOptions": self.options, **greeting}

    def on_session_new(self, number: Any, params: dict[str, Any]) -> None:
        if "auth" in START:
            error = {"code": -32000, "message": "Authentication required", "data": {"details": "run fake login"}}
            self.wire.send({"id": number, "error": error})
            return
        if "error-new" in START:
            sys.stderr.write("cannot reach the moon\n")
            sys.stderr.flush()
            self.wire.send({"id": number, "error": {"code": -32603, "message": "Internal error"}})
            return
        if "signed-out" in START:
            status = {"kind": "none", "label": "Not logged in"}
            self.wire.send({"method": "_auth/status_update", "params": {"authStatus": status}})
        session = Session(f"fake-{uuid.uuid4().hex[:12]}", [], params.get("mcpServers", []))
        self.sessions[session.id] = session
        session.save()
        self.wire.send({"id": number, "result": {"sessionId": session.id, **self.opened()}})
        if "early-text" in START:
            Turn(self.wire, session, number, "").chunk("agent_message_chunk", "a word before any prompt")

    def revived(self, number: Any, params: dict[str, Any]) -> Session | None:
        session_id = params["sessionId"]
        path = Session.path(session_id)
        if path is None or not os.path.exists(path) or "forget" in START:
            self.wire.send({"id": number, "error": {"code": -32002, "message": f"Unknown session {session_id}"}})
            return None
        with open(path) as file:
            session = Session(session_id, json.load(file), params.get("mcpServers", []))
        self.sessions[session_id] = session
        return session

    def on_session_resume(self, number: Any, params: dict[str, Any]) -> None:
        if self.revived(number, params) is not None:
            self.wire.send({"id": number, "result": self.opened()})

    def on_session_load(self, number: Any, params: dict[str, Any]) -> None:
        session = self.revived(number, params)
        if session is None:
            return
        turn = Turn(self.wire, session, number, "")
        kinds = {"user": "user_message_chunk"}
        for kind, said in list(session.history):
            content = {"type": "text", "text": said}
            turn.update({"sessionUpdate": kinds.get(kind, kind), "content": content})
        turn.update({"sessionUpdate": "session_info_update", "title": "an old title"})
        self.wire.send({"id": number, "result": self.opened()})
        if "slow-replay" in START:
            threading.Timer(0.03, self.replay_more, (turn,)).start()

    def replay_more(self, turn: Turn) -> None:
        turn.update({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "history, late"}})
        turn.do_touch(os.path.join(os.environ["FAKE_AGENT_STATE"], "replayed"))

    def on_session_set_mode(self, number: Any, params: dict[str, Any]) -> None:
        if params["modeId"] not in [mode["id"] for mode in MODES]:
            self.wire.send({"id": number, "error": {"code": -32602, "message": f"no mode {params['modeId']}"}})
            return
        self.wire.send({"id": number, "result": {}})

    def on_session_set_config_option(self, number: Any, params: dict[str, Any]) -> None:
        if params["value"] == "refused":
            self.wire.send({"id": number, "error": {"code": -32602, "message": "not that one"}})
            return
        changed = next(option for option in self.options if option["id"] == params["configId"])
        changed["currentValue"] = params["value"]
        self.wire.send({"id": number, "result": {"configOptions": self.options}})

    def on_session_set_model(self, number: Any, params: dict[str, Any]) -> None:
        self.wire.send({"id": number, "result": {}})

    def on_session_prompt(self, number: Any, params: dict[str, Any]) -> None:
        session = self.sessions[params["sessionId"]]
        session.cancelled.clear()
        if "greets" in START:
            Turn(self.wire, session, number, "").chunk("agent_message_chunk", "fake v1\n---\n")
        prompt = "".join(block.get("text", "") for block in params["prompt"])
        if images := [block for block in params["prompt"] if block["type"] == "image"]:
            prompt += f" @say {len(images)} images of {images[0]['mimeType']}"
        threading.Thread(target=Turn(self.wire, session, number, prompt).run, daemon=True).start()

    def on_session_cancel(self, number: Any, params: dict[str, Any]) -> None:
        self.sessions[params["sessionId"]].cancelled.set()


if __name__ == "__main__":
    Agent().serve()
