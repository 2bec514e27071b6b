"""`nvvm.inline_ptx` is inline assembly of the llvm dialect."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas
from xdsl.dialects.llvm import InlineAsmOp

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch

KERNEL = (Path(__file__).parent / "inline_ptx.mlir").read_text()


def assembly(op: str, parameters: str) -> InlineAsmOp:
    text = f"llvm.func @f({parameters}) {{\n  {op}\n  llvm.return\n}}"
    module = nvvm_xdsl.parse(text, format="mlir", filename="p.mlir", locations=True)
    (found,) = (op for op in module.walk() if isinstance(op, InlineAsmOp))
    return found


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("n", [5, -1])
def test_runs(n: int, compiled: bool, level: int):
    out = np.full(4, 7, np.uint32)
    module = nvvm_xdsl.parse(KERNEL, format="mlir")
    if compiled:
        module = executable(nvvm_xdsl.compile(KERNEL, arch="sm_90", opt_level=level), None).module
    launch(module, "k", 1, 1, (out, np.float32(3), np.int32(n)))
    first = np.float32(8).view(np.uint32) if n > 0 else 7
    twice = 2 * (n & 0xFFFFFFFF)
    sums = [twice & 0xFFFFFFFF, (n + (twice >> 32)) & 0xFFFFFFFF]
    assert out.tolist() == [first, 7, *sums]


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_is_assembled(level: int):
    assemble(nvvm_xdsl.compile(KERNEL, arch="sm_90", opt_level=level), "sm_90")


@pytest.mark.parametrize(
    ("type_", "letter"),
    [
        ("i1", "b"),
        ("i16", "h"),
        ("f16", "h"),
        ("vector<2xf16>", "r"),
        ("!llvm.ptr", "l"),
        ("f32", "f"),
        ("f64", "d"),
    ],
)
def test_register_constraint_of_each_type(type_: str, letter: str):
    op = assembly(f'%0 = nvvm.inline_ptx "mov $0, $1;" ro(%a : {type_}) -> {type_}', f"%a: {type_}")
    assert op.constraints.data == f"={letter},{letter},~{{memory}}"


def test_the_predicate_is_the_last_register():
    op = assembly(
        '%0 = nvvm.inline_ptx "ex2.approx.f32 {$w0}, {$r0};" ro(%x : f32), predicate = %q -> f32',
        "%x: f32, %q: i1",
    )
    assert op.asm_string.data == "@$2 ex2.approx.f32 $0, $1;"


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ('nvvm.inline_ptx "not.b32 {$rw0}, {$rw0};" rw(%a : i32)', "rw operands"),
        ('nvvm.inline_ptx "prefetch [{$r1}];" ro(%a : i32)', r"names \{\$r1\}"),
        ('nvvm.inline_ptx "prefetch [{$w0}];" ro(%a : i32)', r"names \{\$w0\}"),
        ('nvvm.inline_ptx "prefetch [$0];" ro(%b : vector<8xi32>)', "is not in a register"),
    ],
)
def test_unsupported_forms_are_errors_with_their_location(op: str, message: str):
    text = f"llvm.func @f(%a: i32, %b: vector<8xi32>) {{\n  {op}\n  llvm.return\n}}"
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(text)
    assert caught.value.line == 2


def test_an_invalid_op_is_an_error_with_its_location():
    text = (
        "llvm.func @f(%a: i32) {\n"
        '  "nvvm.inline_ptx"(%a) <{ptxCode = 0 : i32, operandSegmentSizes = 4 : i32}> : (i32) -> ()\n'
        "  llvm.return\n}"
    )
    with pytest.raises(DiagnosticError, match="operandSegmentSizes property is expected") as caught:
        nvvm_xdsl.parse(text, format="mlir", locations=True)
    assert caught.value.line == 2
