"""Remarks of `memory-space-opt`; no access of an example stays generic."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.symbols import references_of, symbols_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.nvidia.spaces.memory_space_opt import MemorySpaceOpt
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.text import PipelineError

TEST = Path(__file__).parents[2]


def reported(text: str, parameters: str) -> list[str]:
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        PassManager(f"memory-space-opt<{parameters}>").run(read_ll(text))
    return [r.message for r in heard if r.pass_name == "memory-space-opt"]


UNKNOWN = "define float @f(ptr %p) {\n  %x = load float, ptr %p\n  ret float %x\n}\n"


@pytest.mark.parametrize(
    ("parameters", "messages"),
    [
        ("first-time", ["Cannot tell what pointer points to, keeping it generic"]),
        ("second-time", ["Cannot tell what pointer points to, keeping it generic"]),
        (
            "second-time;assume-global",
            ["Cannot tell what pointer points to, assuming global memory space"],
        ),
        ("first-time;no-warnings", []),
        ("second-time;no-warnings", []),
        (
            "first-time;no-warnings;dump-memory-space-warnings",
            ["Cannot tell what pointer points to, keeping it generic"],
        ),
    ],
)
def test_unknown_spaces(parameters: str, messages: list[str]):
    assert reported(UNKNOWN, parameters) == messages


@pytest.mark.parametrize(
    ("parameters", "second_time", "warnings"),
    [
        ("", False, True),
        ("<first-time>", False, True),
        ("<second-time>", True, True),
        ("<second-time;no-warnings>", True, False),
        ("<no-warnings;warnings>", False, True),
    ],
)
def test_the_four_tokens(parameters: str, second_time: bool, warnings: bool):
    (made,) = passes_in(build_pipeline(f"memory-space-opt{parameters}"))
    assert isinstance(made, MemorySpaceOpt)
    assert (made.second_time, made.warnings) == (second_time, warnings)


def test_an_invalid_token():
    with pytest.raises(PipelineError) as caught:
        build_pipeline("memory-space-opt<third-time>")
    assert caught.value.message.startswith("invalid MemorySpaceOpt pass parameter 'third-time'")


OPEN = {
    "an argument": "%x = load i32, ptr %p",
    "from global memory": "%q = load ptr, ptr addrspace(1) %g\n  %x = load i32, ptr %q",
    "from elsewhere": "%q = call ptr @where()\n  %x = load i32, ptr %q",
    "an integer": "%q = inttoptr i64 %n to ptr\n  %x = load i32, ptr %q",
    "of two spaces": (
        "%l = alloca i32\n  %a = addrspacecast ptr addrspace(1) %g to ptr\n"
        "  %q = select i1 %c, ptr %l, ptr %a\n  %x = load i32, ptr %q"
    ),
}


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN)
def test_unresolvable_spaces(body: str):
    text = f"""
declare ptr @where()
define i32 @f(ptr %p, ptr addrspace(1) %g, i64 %n, i1 %c) {{
  {body}
  ret i32 %x
}}
"""
    assert reported(text, "second-time") == [
        "Cannot tell what pointer points to, keeping it generic"
    ]


def test_dumps():
    flags = "no-warnings;dump-ir-before-memory-space-opt;dump-ir-after-memory-space-opt"
    before, resolved, after = reported(SLOT, f"first-time;{flags}")
    assert before.startswith("IR before memory-space-opt:\n")
    assert "llvm.load %s : !llvm.ptr -> i32" in plain(before)
    assert resolved == "memory spaces of 1 pointers resolved"
    assert after.startswith("IR after memory-space-opt:\n")
    assert ": !llvm.ptr<5> -> i32" in plain(after)


def plain(text: str) -> str:
    return text.replace(" {alignment = 4 : i64}", "")


SLOT = "define i32 @f() {\n  %s = alloca i32\n  %x = load i32, ptr %s\n  ret i32 %x\n}\n"


WMMA = "@llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p0"

ATOMIC = """
@c = addrspace(4) constant i32 0
@s = internal addrspace(3) global i32 undef
declare double @llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
define void @f() {
  %l = alloca <2 x float>
  BODY
  ret void
}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%x = atomicrmw add ptr addrspacecast (ptr addrspace(4) @c to ptr), i32 1 monotonic",
            "Cannot do atomic operation on const memory",
        ),
        (
            "%x = atomicrmw add ptr %l, i32 1 monotonic",
            "Cannot do atomic on local memory",
        ),
        (
            "%x = cmpxchg ptr %l, i32 1, i32 2 seq_cst seq_cst",
            "Cannot do atomic on local memory",
        ),
        (
            "%x = atomicrmw fadd ptr %l, <2 x float> zeroinitializer monotonic",
            "Cannot to vector atomic on local memory",
        ),
        (
            "%x = atomicrmw fadd ptr addrspacecast (ptr addrspace(3) @s to ptr),"
            " <2 x float> zeroinitializer monotonic",
            "Cannot to vector atomic on shared memory",
        ),
        (
            "%x = atomicrmw fadd ptr addrspacecast (ptr addrspace(4) @c to ptr),"
            " <2 x float> zeroinitializer monotonic",
            "Cannot to vector atomic on const memory",
        ),
        (
            "%x = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %l, i32 1)",
            "Cannot do atomic on local memory",
        ),
        (
            f"%x = call double {WMMA}(ptr %l, i32 8)",
            "Cannot do WMMA on local memory",
        ),
        (
            f"%x = call double {WMMA}(ptr addrspacecast (ptr addrspace(4) @c to ptr), i32 8)",
            "Cannot do WMMA on constant memory",
        ),
    ],
)
def test_illegal_operations(body: str, message: str):
    text = ATOMIC.replace("BODY", body)
    resolved = reported(text, "first-time;no-warnings")
    assert message not in resolved
    assert reported(text, "first-time") == [*resolved, message]


RESOLVING = (
    "always-inline,globaldce,sroa,early-cse,lower-struct-args<opt-byval>,ipmsp,"
    "memory-space-opt<second-time>"
)
"""Passes that must run first to make spaces known, for pointers in memory and calls."""

CORPUS = TEST.parent / "corpus"

FILES = sorted(
    [
        *(TEST.parents[1] / "examples").glob("*.ll"),
        *(CORPUS / "numba").glob("*.cc90.ll"),
        *(CORPUS / "triton").glob("*.sm90.ll"),
    ]
)

ADDRESS = {"llvm.load": 0, "llvm.store": 1, "llvm.atomicrmw": 0, "llvm.cmpxchg": 0}


def reached_by_kernels(module: ModuleOp) -> list[Operation]:
    symbols = symbols_of(module)
    pending = [op for op in symbols.values() if is_kernel(op)]
    assert pending
    found = dict.fromkeys(pending)
    while pending:
        for name in references_of(pending.pop()):
            op = symbols.get(name)
            if isinstance(op, FuncOp) and op not in found:
                found[op] = None
                pending.append(op)
    return list(found)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_no_generic_access_remains(file: Path):
    module = read_ll(file.read_text(), file.name)
    PassManager(RESOLVING).run(module)
    for func in reached_by_kernels(module):
        for op in func.walk():
            if op.name in ADDRESS:
                pointer = op.operands[ADDRESS[op.name]]
                assert str(pointer.type) != "!llvm.ptr", f"{func.properties['sym_name']}: {op}"
