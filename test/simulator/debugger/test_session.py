"""The debugger's core: locations, steps in both directions, values, memory, breakpoints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import Recorder, launch, prepare
from nvvm_xdsl.simulator.debugger.session import Session
from nvvm_xdsl.simulator.debugger.trace import trace_lines

ROOT = Path(__file__).parents[3]
REVERSE = "examples/broken/missing_barrier.ll"

CALLS = kernel(
    "ptr %a",
    "  %p = getelementptr i32, ptr %a, i64 %i\n  %c = icmp ult i32 %tid, 2\n"
    "  br i1 %c, label %small, label %end\nsmall:\n  %v = call i32 @twice(i32 %tid)\n"
    "  store i32 %v, ptr %p\n  br label %end\nend:\n"
    "  %r = phi i32 [ %v, %small ], [ -1, %0 ]\n  %d = add i32 %r, 0\n  ret void",
    "define internal i32 @twice(i32 %x) noinline {\n  %y = shl i32 %x, 1\n  ret i32 %y\n}\n",
)


def recorded(text_or_module, args, block: int, **options) -> Recorder:
    recorder = Recorder(**options)
    given = module(text_or_module) if isinstance(text_or_module, str) else text_or_module
    launch(prepare(given, recording=True), None, 1, block, args, recorder=recorder)
    return recorder


@pytest.fixture
def reverse(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.chdir(ROOT)
    given = parse((ROOT / REVERSE).read_bytes(), filename=REVERSE, locations=True)
    return Session(recorded(given, [np.arange(64, dtype=np.int32)], 64), lane=3)


@pytest.fixture
def calls() -> Session:
    return Session(recorded(CALLS, [np.zeros(4, np.int32)], 4))


def ops(session: Session, count: int, direction: int = 1) -> list[str]:
    found: list[str] = []
    for _ in range(count):
        found.append("" if session.op is None else session.op.name)
        session.step_op(direction)
    return found


def test_each_thread_has_its_own_path(calls: Session):
    assert "llvm.call" in ops(calls, 12)
    other = Session(calls.recorder, lane=3)
    assert ops(other, 7) == [
        "nvvm.read.ptx.sreg.tid.x",
        "llvm.zext",
        "llvm.getelementptr",
        "llvm.icmp",
        "llvm.cond_br",
        "llvm.add",
        "llvm.return",
    ]
    assert other.ended


def test_stepping_back_retraces_the_path(calls: Session):
    forwards: list[tuple[int, list[tuple[str, str]]]] = []
    while not calls.ended:
        forwards.append((calls.at, list(calls.values())))
        calls.step_op()
    while forwards:
        calls.step_op(-1)
        assert (calls.at, list(calls.values())) == forwards.pop()
    start = calls.at
    calls.step_op(-1)
    assert calls.at == start


def test_values_are_available_only_after_their_op(calls: Session):
    calls.focus(1)
    assert calls.toggle("llvm.store")
    calls.resume()
    assert dict(calls.values())["%v"] == "2"
    assert calls.watch("%v") == ["0", "2", "-", "-"]
    assert calls.watch("%c") == ["true", "true", "false", "false"]
    assert calls.element("a", 1) == "0"
    calls.step_op()
    assert calls.watch("a[1]") == ["2"] * 4
    calls.step_op(-1)
    assert calls.element("a", 1) == "0"


def test_the_stack_and_stepping_over_calls(calls: Session):
    calls.toggle("%y")
    calls.resume()
    assert [frame.function for frame in calls.stack()] == ["twice", "k"]
    assert dict(calls.values()) == {"%x": "0"}
    calls.resume()
    assert calls.ended
    calls.resume(-1)
    assert calls.op is not None
    assert calls.op.name == "llvm.shl"


def test_block_arguments_have_the_value_of_the_executed_edge(calls: Session):
    for lane, expected in ((0, "0"), (1, "2"), (3, "-1")):
        calls.restart()
        calls.focus(lane)
        while calls.op is not None and calls.op.name != "llvm.add":
            calls.step_op()
        assert dict(calls.values())["%r"] == expected


def test_source_lines(reverse: Session):
    lines: list[int | None] = []
    while not reverse.ended:
        lines.append(reverse.place.line)
        reverse.step_line()
    assert lines[1:] == [6, 7, 8, 9]
    reverse.step_line(-1)
    reverse.step_line(-1)
    assert reverse.place.line == 8
    first = reverse.at
    reverse.step_op(-1)
    assert (reverse.place.line, first > reverse.at) == (7, True)


@pytest.mark.parametrize(
    "text", ["8", "missing_barrier.cu:8", "./examples/broken/missing_barrier.cu:8"]
)
def test_breakpoints_at_lines(reverse: Session, text: str):
    assert reverse.toggle(text)
    reverse.resume()
    assert reverse.place.line == 8
    assert dict(reverse.values())["%4"] == "3"
    assert not reverse.toggle(text)
    reverse.resume()
    assert reverse.ended


def test_breakpoints_elsewhere_do_not_stop(reverse: Session):
    reverse.toggle("other.cu:8")
    reverse.toggle("80")
    reverse.resume()
    assert reverse.ended


def test_missing_names(reverse: Session):
    for name in ("%nothing", "values[64]", "nobody[0]", "values"):
        with pytest.raises(ValueError):
            reverse.watch(name)
    with pytest.raises(ValueError, match="threads 0 to 63"):
        reverse.focus(64)


def test_a_recording_has_a_limit():
    recorder = recorded(CALLS, [np.zeros(4, np.int32)], 4, most=5)
    assert len(recorder.events) == 5
    assert not recorder.complete
    assert list(trace_lines(Recorder())) == []


def test_a_trace_has_the_values_of_one_thread():
    lines = list(trace_lines(recorded(CALLS, [np.zeros(4, np.int32)], 4, lane=1)))
    assert any(line.split() == ["%y", "=", "llvm.shl", "%x,", "1", "2"] for line in lines)
    (store,) = [line for line in lines if "llvm.store" in line]
    assert store.endswith("[store global 0x10100004, 4 bytes: 00000000 -> 02000000]")


def test_undefined_values_are_marked():
    text = kernel("ptr %a", "  %l = alloca i32\n  %v = load i32, ptr %l\n  ret void")
    recorder = Recorder(lane=0)
    program = prepare(module(text), ["init"], recording=True)
    launch(program, None, 1, 1, [None], checks=["init"], recorder=recorder)
    assert any("?" in line for line in trace_lines(recorder))


LOOP = """\
define ptx_kernel void @k(ptr %a, i32 %n) !dbg !3 {
entry:
  br label %loop, !dbg !5
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr %a, i32 %i, !dbg !6
  %v = call i32 @twice(i32 %i), !dbg !6
  store i32 %v, ptr %p, !dbg !6
  %next = add i32 %i, 1, !dbg !7
  %more = icmp slt i32 %next, %n, !dbg !7
  br i1 %more, label %loop, label %exit, !dbg !7
exit:
  ret void, !dbg !8
}
define internal i32 @twice(i32 %x) noinline !dbg !9 {
  %y = shl i32 %x, 1, !dbg !10
  ret i32 %y, !dbg !10
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !11)
!5 = !DILocation(line: 2, scope: !3)
!6 = !DILocation(line: 3, scope: !3)
!7 = !DILocation(line: 4, scope: !3)
!8 = !DILocation(line: 5, scope: !3)
!9 = distinct !DISubprogram(name: "twice", file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 8, scope: !9)
!11 = !{null}
"""


@pytest.fixture
def loop() -> Session:
    given = parse(LOOP, locations=True)
    return Session(recorded(given, [np.zeros(4, np.int32), 3], 2))


def stops(session: Session, direction: int = 1) -> list[str]:
    """The ops at which execution stops."""
    found: list[str] = []
    while True:
        before = session.at
        session.resume(direction)
        if session.ended or session.at == before or not session.stops_here():
            return found
        assert session.op is not None
        found.append(session.op.name)


def test_a_line_stops_once_each_time_it_is_entered(loop: Session):
    loop.toggle("k.cu:3")
    # Not again when the call on the line returns.
    assert stops(loop) == ["llvm.getelementptr"] * 3
    assert loop.ended
    assert stops(loop, -1) == ["llvm.getelementptr"] * 3


def test_a_line_of_a_callee_stops_once_a_call(loop: Session):
    loop.toggle("8")
    assert stops(loop) == ["llvm.shl"] * 3


def test_an_op_on_a_line_with_a_breakpoint_stops_too(loop: Session):
    loop.toggle("k.cu:3")
    loop.toggle("llvm.store")
    assert stops(loop) == ["llvm.getelementptr", "llvm.store"] * 3


def test_frames_of_another_thread_have_its_values(loop: Session):
    loop.toggle("8")
    loop.resume()
    loop.resume()
    other = loop.of_thread(1)
    inner, outer = other.stack()
    assert (inner.function, outer.function) == ("twice", "k")
    assert dict(other.in_frame(inner).values())["%x"] == "1"
    assert dict(other.in_frame(outer).values())["%i"] == "1"
    assert loop.lane == 0


VARIABLES = """\
define ptx_kernel void @k(ptr %a, i32 %n) {
entry:
  %n.addr = alloca i32
  %sum = alloca float
  %never = alloca i32
  %pair = alloca [2 x i32]
  store i32 %n, ptr %n.addr
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = uitofp i32 %t to float
  store float %f, ptr %sum
  %old = load float, ptr %sum
  %new = fadd float %old, 1.5
  store float %new, ptr %sum
  store float %new, ptr %a
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def test_variables_have_the_names_of_the_source():
    session = Session(recorded(VARIABLES, [np.zeros(4, np.float32), -7], 4), lane=2)
    assert dict(session.variables()) == {}
    session.toggle("%old")
    session.resume()
    assert dict(session.variables()) == {"n": "-7", "sum": "2"}
    assert session.watch("sum") == ["0", "1", "2", "3"]
    session.to_end()
    session.step_op(-1)
    assert dict(session.variables()) == {"n": "-7", "sum": "3.5"}
    assert dict(session.of_thread(0).variables())["sum"] == "1.5"
    with pytest.raises(ValueError, match="no value never is defined here"):
        session.watch("never")
