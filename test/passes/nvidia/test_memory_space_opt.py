"""What `memory-space-opt` tells of, and how much of the examples it leaves generic."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.pipeline import PassManager

DIRECTORY = Path(__file__).parents[3] / "examples"


def told(text: str, parameters: str) -> list[str]:
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
    assert told(UNKNOWN, parameters) == messages


def test_dumps():
    flags = "no-warnings;dump-ir-before-memory-space-opt;dump-ir-after-memory-space-opt"
    before, after = told(SLOT, f"first-time;{flags}")
    assert before.startswith("IR before memory-space-opt:\n")
    assert "llvm.load %s : !llvm.ptr -> i32" in plain(before)
    assert after.startswith("IR after memory-space-opt:\n")
    assert ": !llvm.ptr<5> -> i32" in plain(after)


def plain(text: str) -> str:
    return text.replace(" {alignment = 4 : i64}", "")


SLOT = "define i32 @f() {\n  %s = alloca i32\n  %x = load i32, ptr %s\n  ret i32 %x\n}\n"


ATOMIC = """
@c = addrspace(4) constant i32 0
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
    ],
)
def test_illegal_operations(body: str, message: str):
    assert told(ATOMIC.replace("BODY", body), "first-time") == [message]
    assert told(ATOMIC.replace("BODY", body), "first-time;no-warnings") == []


def generic_accesses(module: ModuleOp) -> list[str]:
    return [
        str(op)
        for op in module.walk()
        if op.name in ("llvm.load", "llvm.store", "llvm.atomicrmw", "llvm.cmpxchg")
        and str(op.operands[1 if op.name == "llvm.store" else 0].type) == "!llvm.ptr"
    ]


# Unoptimized, some call functions with pointers, and exchange values through copies of them.
CALLING = {"matmul.O0.ll", "histogram.O0.ll", "scan.O0.ll", "reduction.O0.ll"}

RESOLVED = (
    "bfloat16 half histogram inline_asm integers local_array matmul nbody printf reduction saxpy "
    "scan stencil switch vectors"
).split()


@pytest.mark.parametrize(
    "file", [f"{n}{s}" for n in RESOLVED for s in (".ll", ".O0.ll") if f"{n}{s}" not in CALLING]
)
def test_no_generic_access_is_left(file: str):
    module = read_ll((DIRECTORY / file).read_text(), file)
    PassManager("always-inline,memory-space-opt<second-time>").run(module)
    assert generic_accesses(module) == []
