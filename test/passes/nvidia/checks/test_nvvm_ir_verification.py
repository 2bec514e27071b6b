"""Errors that `nvvm-ir-verification` finds in functions that passes broke, and valid functions."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.passes.nvidia.checks.nvvm_ir_verification import NVVMIRVerification
from nvvm_xdsl.pipeline import PassManager

FUNCTION = """
llvm.func @f(%p: !llvm.ptr, %s: !llvm.ptr<3>, %x: i32, %d: f64, %c: i1) attributes {ATTRIBUTES} {
  BODY
  llvm.return
}
"""


def function(body: str, attributes: str = "") -> ModuleOp:
    text = FUNCTION.replace("BODY", body).replace("ATTRIBUTES", attributes)
    return parse(text, filename="f.mlir", format="mlir")


def messages(module: ModuleOp, arch: int | None = None) -> list[str]:
    (func,) = functions_of(module)
    errors = NVVMIRVerification(arch).errors_of(func)
    return [e.message.partition("': ")[2] for e in errors]


def call(name: str, operands: str, types: str) -> str:
    return f'%r = llvm.call_intrinsic "llvm.nvvm.{name}"({operands}) : {types}'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (call("ceil.d", "%x", "(i32) -> f64"), "arg0 of llvm.nvvm.ceil.d must be f64, not i32"),
        (call("ceil.d", "%d", "(f64) -> f32"), "result of llvm.nvvm.ceil.d must be f64, not f32"),
        (call("ceil.d", "%d, %d", "(f64, f64) -> f64"), "llvm.nvvm.ceil.d takes 1 arguments, not 2"),
        (call("fabs.f64", "%x", "(i32) -> i32"), "result of llvm.nvvm.fabs.f64 must be a float, not i32"),
        (call("fshl.clamp.i32", "%x, %x, %c", "(i32, i32, i1) -> i32"),
         "arg2 of llvm.nvvm.fshl.clamp.i32 must be i32, not i1"),
        (call("mbarrier.pending.count", "%x", "(i32) -> i32"),
         "arg0 of llvm.nvvm.mbarrier.pending.count must be i64, not i32"),
        ('llvm.call_intrinsic "llvm.nvvm.ceil.d"(%d) : (f64) -> ()',
         "llvm.nvvm.ceil.d yields 1 values, not 0"),
        (call("ldmatrix.sync.aligned.m8n8.x2.b16.p3", "%s", "(!llvm.ptr<3>) -> i32"),
         "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16.p3 yields 2 values, not 1"),
    ],
)  # fmt: skip
def test_signatures(body: str, message: str):
    assert messages(function(body)) == [message]


@pytest.mark.parametrize(
    "body",
    [
        call("ceil.d", "%d", "(f64) -> f64"),
        call("fabs.f64", "%d", "(f64) -> f64"),
        call("fshl.clamp.i32", "%x, %x, %x", "(i32, i32, i32) -> i32"),
        call(
            "ldmatrix.sync.aligned.m8n8.x2.b16.p3",
            "%s",
            "(!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>",
        ),
        call("no.such.intrinsic", "%x", "(i32) -> f64"),
        '%r = llvm.call_intrinsic "llvm.bitreverse.i32"(%x) : (i32) -> i32',
    ],
)
def test_signatures_accepted(body: str):
    assert messages(function(body)) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%t = nvvm.read.ptx.sreg.tid.x range <i64, 0, 32> : i32",
            "a range of i64 for a value of i32",
        ),
        (
            "%v = llvm.load %p {llvm.range = #llvm.constant_range<i8, 0, 2>} : !llvm.ptr -> vector<2xi16>",
            "a range of i8 for a value of vector<2xi16>",
        ),
        (
            '"llvm.cond_br"(%c)[^a, ^b] <{branch_weights = array<i32: 1, 2, 3>, '
            "operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n^a:\n  llvm.return\n^b:",
            "expected 2 branch weights, got 3",
        ),
        (
            "%v = llvm.load %p {alignment = 3 : i64} : !llvm.ptr -> i32",
            "the alignment 3 is not a power of two",
        ),
    ],
)
def test_metadata(body: str, message: str):
    assert messages(function(body)) == [message]


@pytest.mark.parametrize(
    "body",
    [
        "%t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32",
        '"llvm.cond_br"(%c)[^a, ^b] <{branch_weights = array<i32: 1, 2>, '
        "operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()\n^a:\n  llvm.return\n^b:",
        "%v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32",
        "%v = llvm.load %p {llvm.range = #llvm.constant_range<i8, 0, 2>} : !llvm.ptr -> vector<4xi8>",
    ],
)
def test_metadata_accepted(body: str):
    assert messages(function(body)) == []


def test_rules_of_the_module_verifier():
    module = function("%g = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<1>")
    wrong = "Cannot cast non-generic pointer to different non-generic pointer"
    assert messages(module) == [wrong]


def test_architecture():
    body = "nvvm.cp.async.bulk.commit.group"
    wrong = ["this intrinsic is only supported for Hopper+"]
    assert messages(function(body)) == []
    assert messages(function(body), 890) == wrong
    assert messages(function(body, 'target_cpu = "sm_80"')) == wrong
    assert messages(function(body, 'target_cpu = "sm_90a"')) == []


def test_only_the_function_is_verified():
    """A wrong triple is an error of the module."""
    module = parse(
        'module attributes {llvm.target_triple = "x86_64"} {\n'
        "  llvm.func @f() {\n    llvm.return\n  }\n}",
        filename="f.mlir",
        format="mlir",
    )
    PassManager("nvvm-ir-verification").run(module)
