"""Debug Adapter Protocol server of the debugger, for editors.

Messages are JSON behind a `Content-Length` header (Debug Adapter Protocol specification, "Base
Protocol"). The threads of the protocol are those of the recorded block; each has its own frames and
variables. The requests `stepBack` and `reverseContinue` move backwards in the recording.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final

from nvvm_xdsl.simulator.debugger.session import Session

Json = dict[str, Any]

CAPABILITIES: Final = {
    "supportsConfigurationDoneRequest": True,
    "supportsStepBack": True,
    "supportsEvaluateForHovers": True,
    "supportsSteppingGranularity": True,
}

MOST_FRAMES: Final = 1000
"""Maximum number of frames of a thread. The number of frame `f` of lane `t` is `t * MOST_FRAMES + f
+ 1`, which is also the reference of its variables."""


VARIABLES: Final = 1 << 21
"""Offset from the number of a frame to the reference of its source variables; blocks have at most
1024 lanes."""


class ProtocolError(Exception):
    """An invalid message."""


def read_message(stream: BinaryIO) -> Json | None:
    """The next message; None at the end. Raises ProtocolError."""
    length = None
    while (line := stream.readline()) not in (b"", b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if line == b"":
        return None
    if length is None:
        raise ProtocolError("a message has no Content-Length")
    try:
        found = json.loads(stream.read(length))
    except ValueError as error:
        raise ProtocolError(f"a message is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ProtocolError("a message is not an object")
    return found  # pyright: ignore[reportUnknownVariableType]


class Server:
    """Answers the requests of one client.

    Arguments:
        session: the debugged session.
        output: text that the kernel printed.
        reader, writer: streams of incoming and outgoing messages.
    """

    def __init__(self, session: Session, output: str, reader: BinaryIO, writer: BinaryIO) -> None:
        self.session = session
        self.output = output
        self.reader = reader
        self.writer = writer
        self._number = 0
        self._requests: dict[str, Callable[[Json], Json]] = {
            "initialize": lambda _: CAPABILITIES,
            "launch": lambda _: {},
            "setBreakpoints": self._set_breakpoints,
            "setExceptionBreakpoints": lambda _: {},
            "configurationDone": lambda _: {},
            "threads": self._threads,
            "stackTrace": self._stack_trace,
            "scopes": self._scopes,
            "variables": self._variables,
            "evaluate": self._evaluate,
            "continue": lambda _: {"allThreadsContinued": True},
            "next": lambda _: {},
            "stepIn": lambda _: {},
            "stepOut": lambda _: {},
            "stepBack": lambda _: {},
            "reverseContinue": lambda _: {},
            "disconnect": lambda _: {},
            "terminate": lambda _: {},
        }

    def serve(self) -> None:
        """Serves requests until the client disconnects. Raises ProtocolError."""
        while (message := read_message(self.reader)) is not None:
            if message.get("type") != "request":
                continue
            name = str(message.get("command"))
            self._answer(message, name, message.get("arguments") or {})
            if name in ("disconnect", "terminate"):
                return

    # Messages

    def _send(self, message: Json) -> None:
        self._number += 1
        data = json.dumps({"seq": self._number, **message}).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.writer.flush()

    def _event(self, name: str, **body: Any) -> None:
        self._send({"type": "event", "event": name, "body": body})

    def _answer(self, message: Json, name: str, arguments: Json) -> None:
        answer: Json = {"type": "response", "request_seq": message.get("seq"), "command": name}
        handler = self._requests.get(name)
        try:
            if handler is None:
                raise ValueError(f"there is no request {name}")
            body = handler(arguments)
        except (ValueError, KeyError, TypeError) as error:
            self._send({**answer, "success": False, "message": str(error)})
            return
        self._send({**answer, "success": True, "body": body})
        self._after(name, arguments)

    def _after(self, name: str, arguments: Json) -> None:
        """The handlers of requests."""
        session = self.session
        if name == "initialize":
            self._event("initialized")
        elif name == "configurationDone":
            if self.output:
                self._event("output", category="stdout", output=self.output)
            self._stopped("entry")
        elif name in ("continue", "reverseContinue"):
            session.resume(-1 if name == "reverseContinue" else 1)
            self._stopped("breakpoint" if session.stops_here() else "step")
        elif name in ("next", "stepIn", "stepBack", "stepOut"):
            self._step(name, arguments)
            self._stopped("step")

    def _step(self, name: str, arguments: Json) -> None:
        session = self.session
        thread = arguments.get("threadId")
        if isinstance(thread, int) and 0 < thread <= session.recorder.lanes:
            session.focus(thread - 1)
        direction = -1 if name == "stepBack" else 1
        if name == "stepOut":
            depth = len(session.stack())
            while not session.ended and len(session.stack()) >= depth:
                session.step_op()
        elif arguments.get("granularity") == "instruction":
            session.step_op(direction)
        else:
            session.step_line(direction, over=name != "stepIn")

    def _stopped(self, reason: str) -> None:
        if self.session.ended:
            self._event("terminated")
            return
        self._event(
            "stopped", reason=reason, threadId=self.session.lane + 1, allThreadsStopped=True
        )

    # Requests

    def _set_breakpoints(self, arguments: Json) -> Json:
        path = str(arguments["source"]["path"])
        session = self.session
        ours = [b for b in session.breakpoints if b.text.rpartition(":")[0] == path]
        for breakpoint_ in ours:
            session.toggle(breakpoint_.text)
        lines = [int(b["line"]) for b in arguments.get("breakpoints", ())]
        for line in dict.fromkeys(lines):
            session.toggle(f"{path}:{line}")
        return {"breakpoints": [{"verified": True, "line": line} for line in lines]}

    def _threads(self, _: Json) -> Json:
        lanes = range(self.session.recorder.lanes)
        return {
            "threads": [{"id": i + 1, "name": f"thread {self.session.thread(i)}"} for i in lanes]
        }

    def _stack_trace(self, arguments: Json) -> Json:
        lane = int(arguments.get("threadId", self.session.lane + 1)) - 1
        frames: list[Json] = []
        if not self.session.ended:
            stack = self.session.of_thread(lane).stack()[:MOST_FRAMES]
            for number, frame in enumerate(stack, lane * MOST_FRAMES + 1):
                file, line, column = frame.place
                found: Json = {
                    "id": number,
                    "name": frame.function,
                    "line": line or 0,
                    "column": column or 0,
                }
                if file is not None:
                    found["source"] = {"name": Path(file).name, "path": str(Path(file).resolve())}
                frames.append(found)
        return {"stackFrames": frames, "totalFrames": len(frames)}

    def _scopes(self, arguments: Json) -> Json:
        frame = int(arguments["frameId"])
        scopes = {"Variables": frame + VARIABLES, "Values": frame}
        return {
            "scopes": [
                {"name": name, "variablesReference": reference, "expensive": False}
                for name, reference in scopes.items()
            ]
        }

    def _variables(self, arguments: Json) -> Json:
        reference = int(arguments["variablesReference"])
        of_source = reference > VARIABLES
        lane, number = divmod((reference - VARIABLES if of_source else reference) - 1, MOST_FRAMES)
        view = self.session.of_thread(lane)
        stack = view.stack()
        found: Iterable[tuple[str, str]] = ()
        if number < len(stack):
            frame = view.in_frame(stack[number])
            found = frame.variables() if of_source else frame.values()
        return {"variables": [{"name": n, "value": v, "variablesReference": 0} for n, v in found]}

    def _evaluate(self, arguments: Json) -> Json:
        values = self.session.watch(str(arguments["expression"]))
        own = values[self.session.lane - self.session.warp().start]
        warp = f"  [{', '.join(values)}]" if arguments.get("context") != "hover" else ""
        return {"result": own + warp, "variablesReference": 0}
