"""nvvm-debug --dap, started and controlled over its streams as by an editor."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

from nvvm_xdsl.driver.cuda import CLANGS
from nvvm_xdsl.simulator import Recorder, launch, prepare
from nvvm_xdsl.simulator.debugger.dap import (
    MOST_FRAMES,
    VARIABLES,
    ProtocolError,
    Server,
    read_message,
)
from nvvm_xdsl.simulator.debugger.session import Session
from nvvm_xdsl.tools import nvvm_debug

ROOT = Path(__file__).parents[3]
KERNEL = "examples/broken/missing_barrier.ll"
SOURCE = ROOT / "examples" / "broken" / "missing_barrier.cu"


class Client:
    """The editor's side."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_debug", "--dap", KERNEL]
        command += ["--block", "64", "--thread", "3", "--arg", "i32[64]=arange"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        )
        self.number = 0
        self.events: list[dict[str, Any]] = []

    def ask(self, command: str, **arguments: Any) -> dict[str, Any]:
        """Returns the answer to a request; earlier events are kept."""
        assert self.process.stdin is not None
        self.number += 1
        message = {
            "seq": self.number,
            "type": "request",
            "command": command,
            "arguments": arguments,
        }
        data = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()
        while (found := self.read())["type"] == "event":
            self.events.append(found)
        assert found["request_seq"] == self.number
        return found

    def read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found = read_message(self.process.stdout)
        assert found is not None
        return found

    def event(self) -> tuple[str, dict[str, Any]]:
        found = self.events.pop(0) if self.events else self.read()
        return found["event"], found["body"]

    def line(self) -> int:
        return self.ask("stackTrace", threadId=4)["body"]["stackFrames"][0]["line"]


@pytest.mark.slow
def test_a_session_of_an_editor():
    client = Client()
    assert client.ask("initialize", adapterID="nvvm")["body"]["supportsStepBack"]
    assert client.event()[0] == "initialized"
    assert client.ask("launch")["success"]
    found = client.ask("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": 8}])
    assert found["body"]["breakpoints"] == [{"verified": True, "line": 8}]
    client.ask("configurationDone")
    name, body = client.event()
    assert (name, body["reason"], body["threadId"]) == ("stopped", "entry", 4)
    assert len(client.ask("threads")["body"]["threads"]) == 64
    client.ask("continue", threadId=4)
    assert client.event()[1]["reason"] == "breakpoint"
    frame = client.ask("stackTrace", threadId=4)["body"]["stackFrames"][0]
    assert (frame["name"], frame["line"]) == ("reverse", 8)
    assert frame["source"]["path"] == str(SOURCE)
    _, scope = client.ask("scopes", frameId=frame["id"])["body"]["scopes"]
    variables = client.ask("variables", variablesReference=scope["variablesReference"])
    assert {"name": "%4", "value": "3", "variablesReference": 0} in variables["body"]["variables"]
    assert client.ask("evaluate", expression="%4", context="hover")["body"]["result"] == "3"
    assert client.ask("evaluate", expression="%4")["body"]["result"].startswith("3  [0, 1, 2, 3, ")
    # The other threads wait at the same line with their own values.
    for thread in (1, 64):
        other = client.ask("stackTrace", threadId=thread)["body"]["stackFrames"][0]
        assert other["line"] == 8
        _, scope = client.ask("scopes", frameId=other["id"])["body"]["scopes"]
        reference = scope["variablesReference"]
        found = client.ask("variables", variablesReference=reference)["body"]["variables"]
        assert {"name": "%4", "value": str(thread - 1), "variablesReference": 0} in found
    client.ask("stepBack", threadId=4)
    assert client.event()[1]["reason"] == "step"
    assert client.line() == 7
    client.ask("next", threadId=4)
    client.event()
    assert client.line() == 8
    missing = client.ask("evaluate", expression="%nothing")
    assert (missing["success"], missing["message"]) == (False, "no value %nothing is defined here")
    assert not client.ask("dance")["success"]
    # Without the breakpoint it runs to its end.
    client.ask("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[])
    client.ask("continue", threadId=4)
    assert client.event()[0] == "terminated"
    assert client.ask("disconnect")["success"]
    assert client.process.wait(30) == 0


UNOPTIMIZED = kernel(
    "ptr %a, i32 %n",
    "  %n.addr = alloca i32\n  store i32 %n, ptr %n.addr\n  %sum = load i32, ptr %n.addr\n"
    "  store i32 %sum, ptr %a\n  ret void",
)


def test_variables_of_the_source():
    recorder = Recorder()
    program = prepare(module(UNOPTIMIZED), recording=True)
    launch(program, None, 1, 2, [np.zeros(4, np.int32), 5], recorder=recorder)
    session = Session(recorder)
    session.toggle("llvm.store")
    session.resume()
    session.step_op()
    requests = [
        ("stackTrace", {"threadId": 2}),
        ("scopes", {"frameId": MOST_FRAMES + 1}),
        ("variables", {"variablesReference": MOST_FRAMES + 1 + VARIABLES}),
    ]
    messages = b""
    for number, (command, arguments) in enumerate(requests):
        message = {"seq": number, "type": "request", "command": command, "arguments": arguments}
        data = json.dumps(message).encode()
        messages += b"Content-Length: %d\r\n\r\n%b" % (len(data), data)
    output = io.BytesIO()
    Server(session, "", io.BytesIO(messages), output).serve()
    output.seek(0)
    trace, scopes, variables = (read_message(output) for _ in requests)
    assert trace is not None
    assert scopes is not None
    assert variables is not None
    assert [frame["id"] for frame in trace["body"]["stackFrames"]] == [MOST_FRAMES + 1]
    assert [scope["name"] for scope in scopes["body"]["scopes"]] == ["Variables", "Values"]
    assert variables["body"]["variables"] == [{"name": "n", "value": "5", "variablesReference": 0}]


SCALED = """\
struct Pair { int a; float b; };
enum Mode { PLAIN, NEGATED };
__device__ float scaled(float v, float by) { return v * by; }
__global__ void k(float *out, const float *in, unsigned n, Mode mode) {
  int i = threadIdx.x - 3;
  float gone = in[0] / 3.0f;
  Pair pair = {i, 2.5f};
  float total = 0.0f;
  for (unsigned j = 0; j < n; j++)
    total += scaled(in[j], pair.b);
  out[threadIdx.x] = mode == NEGATED ? -total : total;
}
"""


def variables_at(
    line: int, source: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> list[dict[str, str]]:
    """The source variables of thread 2 at each stop of a breakpoint, as an editor sees them."""
    asked = [("setBreakpoints", {"source": {"path": str(source)}, "breakpoints": [{"line": line}]})]
    for _ in range(3):
        asked += [
            ("continue", {}),
            ("variables", {"variablesReference": MOST_FRAMES + 1 + VARIABLES}),
        ]
    given = b""
    for number, (command, arguments) in enumerate(asked):
        message = {"seq": number, "type": "request", "command": command, "arguments": arguments}
        data = json.dumps(message).encode()
        given += b"Content-Length: %d\r\n\r\n%b" % (len(data), data)
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output))
    launch = ["--arg", "out=f32[4]", "--arg", "in=f32[3]=arange", "--arg", "n=3", "--arg", "mode=1"]
    assert nvvm_debug.main([str(source), "--dap", "--block", "4", *launch, *options]) == 0
    output.seek(0)
    found: list[dict[str, str]] = []
    while (message := read_message(output)) is not None:
        if message.get("command") == "variables":
            variables = message["body"]["variables"]
            found.append({v["name"]: v["value"] for v in variables})
    return found


@pytest.mark.skipif(not any(map(shutil.which, CLANGS)), reason="clang was not found")
@pytest.mark.parametrize("options", [[], ["--passes", "nvopt<O2>"]], ids=["unoptimized", "O2"])
def test_variables_of_cuda(options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    source = tmp_path / "scaled.cu"
    source.write_text(SCALED)
    stops = variables_at(10, source, options, monkeypatch)
    for number, (stop, total) in enumerate(zip(stops, ("0", "0", "2.5"))):
        assert (stop["j"], stop["total"]) == (str(number), total)
        assert (stop["n"], stop["mode"]) == ("3", "NEGATED")
        if options:
            assert (stop["gone"], stop["i"]) == ("optimized out", "-2")
        else:
            assert (stop["gone"], stop["i"], stop["pair"]) == ("0", "-2", "{a = -2, b = 2.5}")


@pytest.mark.parametrize(
    "text", [b"Content-Length: 3\r\n\r\n{]}", b"X: 1\r\n\r\n", b"Content-Length: 2\r\n\r\n[]"]
)
def test_invalid_messages(text: bytes):
    with pytest.raises(ProtocolError):
        read_message(io.BytesIO(text))
    assert read_message(io.BytesIO(b"")) is None
