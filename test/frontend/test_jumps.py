"""Jumps to block addresses, and calls that could throw."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from helpers.roundtrip import MLIR_OPT, NO_MLIR, mlir_opt, parse, show

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.ir.diagnostics import DiagnosticError

INTERPRETER = """
target triple = "nvptx64-nvidia-cuda"
@labels = internal addrspace(1) constant [4 x ptr] [ptr blockaddress(@k, %add), ptr blockaddress(@k, %double), ptr blockaddress(@k, %negate), ptr blockaddress(@k, %stop)]
define ptx_kernel void @k(ptr addrspace(1) %program, ptr addrspace(1) %out) {
entry:
  br label %next
next:
  %x = phi i32 [ 1, %entry ], [ %added, %add ], [ %doubled, %double ], [ %negated, %negate ]
  %pc = phi i64 [ 0, %entry ], [ %pc1, %add ], [ %pc1, %double ], [ %pc1, %negate ]
  %pc1 = add i64 %pc, 1
  %at = getelementptr i8, ptr addrspace(1) %program, i64 %pc
  %code = load i8, ptr addrspace(1) %at
  %index = zext i8 %code to i64
  %entry.at = getelementptr ptr, ptr addrspace(1) @labels, i64 %index
  %label = load ptr, ptr addrspace(1) %entry.at
  indirectbr ptr %label, [label %add, label %double, label %negate, label %stop, label %add]
add:
  %added = add i32 %x, 3
  br label %next
double:
  %doubled = shl i32 %x, 1
  br label %next
negate:
  %negated = sub i32 0, %x
  br label %next
stop:
  store i32 %x, ptr addrspace(1) %out
  ret void
}
"""

INVOKE = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @__gxx_personality_v0(...)
define internal i32 @half(i32 %x) noinline {
  %r = lshr i32 %x, 1
  ret i32 %r
}
define ptx_kernel void @k(ptr addrspace(1) %p) personality ptr @__gxx_personality_v0 {
  %x = load i32, ptr addrspace(1) %p
  %h = invoke i32 @half(i32 %x) to label %went unwind label %thrown
went:
  %r = phi i32 [ %h, %0 ]
  store i32 %r, ptr addrspace(1) %p
  ret void
thrown:
  %e = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr null]
  store i32 -1, ptr addrspace(1) %p
  resume { ptr, i32 } %e
}
"""


def programs(source: str):
    """Runs the module, and its machine code at the lowest and highest level."""
    yield nvvm_xdsl.parse(source)
    for level in (0, 3):
        ptx = nvvm_xdsl.compile(source, arch="sm_90", opt_level=level)
        yield convert(nvvm_xdsl.parse(ptx))


def test_computed_jumps():
    program = np.array([0, 1, 2, 0, 0, 1, 3], np.uint8)
    for module in programs(INTERPRETER):
        out = np.zeros(1, np.int32)
        simulator.launch(module, "k", 1, 1, [program, out])
        assert out[0] == (-((1 + 3) * 2) + 3 + 3) * 2


def test_addresses_of_blocks_differ_and_are_not_null():
    module = nvvm_xdsl.parse("""
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  br label %a
a:
  %same = icmp eq ptr blockaddress(@k, %a), blockaddress(@k, %b)
  %null = icmp eq ptr blockaddress(@k, %a), null
  %either = or i1 %same, %null
  %r = zext i1 %either to i32
  store i32 %r, ptr addrspace(1) %p
  br label %b
b:
  ret void
}
""")
    out = np.ones(1, np.int32)
    simulator.launch(module, "k", 1, 1, [out])
    assert out[0] == 0


@pytest.mark.parametrize(("labels", "wanted"), [("label %a", 7), ("label %a, label %a", 7)])
def test_a_single_destination(labels: str, wanted: int):
    module = nvvm_xdsl.parse(f"""
define ptx_kernel void @k(ptr addrspace(1) %p) {{
entry:
  indirectbr ptr blockaddress(@k, %a), [{labels}]
a:
  store i32 {wanted}, ptr addrspace(1) %p
  ret void
}}
""")
    out = np.ones(1, np.int32)
    simulator.launch(module, "k", 1, 1, [out])
    assert out[0] == wanted
    assert "llvm.switch" not in str(module)


def test_invoke_becomes_call():
    for module in programs(INVOKE):
        out = np.array([84], np.int32)
        simulator.launch(module, "k", 1, 1, [out])
        assert out[0] == 42


MLIR_INTERPRETER = """
llvm.mlir.global internal constant @labels() {addr_space = 1 : i32} : !llvm.array<3 x ptr> {
  %0 = llvm.blockaddress <function = @k, tag = <id = 7>> : !llvm.ptr
  %1 = llvm.blockaddress <function = @k, tag = <id = 1>> : !llvm.ptr
  %2 = llvm.blockaddress <function = @k, tag = <id = 3>> : !llvm.ptr
  %3 = llvm.mlir.poison : !llvm.array<3 x ptr>
  %4 = llvm.insertvalue %0, %3[0] : !llvm.array<3 x ptr>
  %5 = llvm.insertvalue %1, %4[1] : !llvm.array<3 x ptr>
  %6 = llvm.insertvalue %2, %5[2] : !llvm.array<3 x ptr>
  llvm.return %6 : !llvm.array<3 x ptr>
}
llvm.func @k(%program: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i32) : i32
  %start = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^next(%start, %zero : i32, i64)
^next(%x: i32, %pc: i64):
  %pc1 = llvm.add %pc, %one : i64
  %at = llvm.getelementptr %program[%pc] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
  %code = llvm.load %at : !llvm.ptr<1> -> i8
  %index = llvm.zext %code : i8 to i64
  %labels = llvm.mlir.addressof @labels : !llvm.ptr<1>
  %entry = llvm.getelementptr %labels[%index] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.ptr
  %label = llvm.load %entry : !llvm.ptr<1> -> !llvm.ptr
  llvm.indirectbr %label : !llvm.ptr, [
  ^add(%x, %pc1 : i32, i64),
  ^double,
  ^unnumbered,
  ^stop(%x : i32)
  ]
^add(%a: i32, %p: i64):
  llvm.blocktag <id = 7>
  %added = llvm.add %a, %three : i32
  llvm.br ^next(%added, %p : i32, i64)
^double:
  llvm.blocktag <id = 1>
  %doubled = llvm.shl %x, %start : i32
  llvm.br ^next(%doubled, %pc1 : i32, i64)
^unnumbered:
  llvm.br ^next(%x, %pc1 : i32, i64)
^stop(%r: i32):
  llvm.blocktag <id = 3>
  llvm.store %r, %out : i32, !llvm.ptr<1>
  llvm.return
}
"""

MLIR_INVOKE = """
llvm.func @personality(...) -> i32
llvm.func internal @half(%x: i32) -> i32 attributes {no_inline} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %r = llvm.lshr %x, %one : i32
  llvm.return %r : i32
}
llvm.func @k(%p: !llvm.ptr<1>, %c: i1) attributes {nvvm.kernel, personality = @personality} {
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %other = llvm.mlir.constant(-1 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %direct = llvm.mlir.addressof @half : !llvm.ptr
  %h = llvm.invoke @half(%x) to ^first unwind ^thrown : (i32) -> i32
^first:
  %q = llvm.invoke %direct(%h) to ^went(%c : i1) unwind ^thrown : !llvm.ptr, (i32) -> i32
^went(%taken: i1):
  %r = llvm.select %taken, %q, %other : i1, i32
  llvm.store %r, %p : i32, !llvm.ptr<1>
  llvm.return
^thrown:
  %e = llvm.landingpad cleanup (catch %null : !llvm.ptr) : !llvm.struct<(ptr, i32)>
  llvm.store %other, %p : i32, !llvm.ptr<1>
  llvm.resume %e : !llvm.struct<(ptr, i32)>
}
"""


def test_computed_jumps_of_mlir():
    program = np.array([0, 1, 1, 0, 0, 2], np.uint8)
    for module in programs(MLIR_INTERPRETER):
        out = np.zeros(1, np.int32)
        simulator.launch(module, "k", 1, 1, [program, out])
        assert out[0] == (1 + 3) * 4 + 3 + 3


def test_invoke_in_mlir_becomes_call():
    for module in programs(MLIR_INVOKE):
        out = np.array([84], np.int32)
        simulator.launch(module, "k", 1, 1, [out, True])
        assert out[0] == 21


JUMP = """
llvm.func @k(%c: !llvm.ptr) attributes {{nvvm.kernel}} {{
  llvm.indirectbr %c : !llvm.ptr, [{ways}]
^a:
  {tag}
  llvm.return
^b:
  llvm.return
}}
"""


@pytest.mark.parametrize(
    ("ways", "tag", "end"),
    [
        ("", "", "unreachable"),
        ("^b", "", "unreachable"),
        ("^a, ^b", "llvm.blocktag <id = 1>", "br ^"),
        ("^a", "llvm.blocktag <id = 1>\n llvm.blocktag <id = 2>", "switch"),
    ],
)
def test_number_of_destinations(ways: str, tag: str, end: str):
    text = str(nvvm_xdsl.parse(JUMP.format(ways=ways, tag=tag)))
    assert f"llvm.{end}" in text.split("^")[0] + "^"
    assert "blocktag" not in text


SHARED = JUMP.format(ways="^a", tag="").replace("!llvm.ptr", "!llvm.ptr<3>")


@pytest.mark.parametrize(
    "source", [MLIR_INTERPRETER, MLIR_INVOKE, JUMP.format(ways="", tag=""), SHARED]
)
@pytest.mark.skipif(MLIR_OPT is None, reason=NO_MLIR)
def test_mlir_parses_jumps_before_and_after_lowering(source: str):
    mlir_opt(source)
    mlir_opt(str(nvvm_xdsl.parse(source)))
    # In MLIR's form they are printed as parsed, also with pointers in its short form.
    printed = mlir_opt(source)
    assert mlir_opt(show(parse(printed))) == printed


@pytest.mark.parametrize(
    ("body", "message", "line"),
    [
        ("llvm.blocktag <id = 1>\nllvm.blocktag <id = 1>", "another block of the function has this tag", 3),
        ("%0 = llvm.blockaddress <function = @k, tag = <id = 1>> : !llvm.ptr", "no block of @k has this tag", 2),
        ("%0 = llvm.blockaddress <function = @f, tag = <id = 1>> : !llvm.ptr", "no block of @f has this tag", 2),
    ],
)  # fmt: skip
def test_invalid_block_tags(body: str, message: str, line: int):
    source = f"llvm.func @k() {{\n{body}\nllvm.return\n}}"
    with pytest.raises(DiagnosticError, match=message) as error:
        nvvm_xdsl.parse(source, locations=True)
    assert error.value.line == line
    if MLIR_OPT is not None:
        assert subprocess.run([MLIR_OPT], input=source, text=True, capture_output=True).returncode


def test_an_invalid_op_is_an_error_with_its_location():
    source = (
        "llvm.func @k() {\n"
        '"llvm.invoke"()[^a, ^a] <{callee = @k, operandSegmentSizes = 4 : i32}> : () -> ()\n'
        "^a:\nllvm.return\n}"
    )
    with pytest.raises(DiagnosticError, match="operandSegmentSizes property is expected") as error:
        nvvm_xdsl.parse(source, locations=True)
    assert error.value.line == 2
