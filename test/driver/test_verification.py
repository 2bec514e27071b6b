"""Every entry point verifies: invalid IR is an error that names the op."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.verify.verifier import VerifyError

WRONG_LL = {
    "smin": (
        "declare i32 @llvm.smin.i32()\n"
        "define i32 @f() {\n  %r = call i32 @llvm.smin.i32()\n  ret i32 %r\n}\n",
        "llvm.intr.smin'",
    ),
    "ctpop": (
        "declare void @llvm.ctpop.i64(i64)\n"
        "define void @f(i64 %x) {\n  call void @llvm.ctpop.i64(i64 %x)\n  ret void\n}\n",
        "llvm.intr.ctpop'",
    ),
    "stacksave": (
        "declare ptr @llvm.stacksave(ptr)\n"
        "define void @f(ptr %p) {\n  %r = call ptr @llvm.stacksave(ptr %p)\n  ret void\n}\n",
        "llvm.intr.stacksave'",
    ),
    "assume": (
        "declare void @llvm.assume()\ndefine void @f() {\n  call void @llvm.assume()\n  ret void\n}\n",
        "cannot take 0 arguments",
    ),
    "rotate": (
        "declare i32 @llvm.nvvm.rotate.b32(i32)\ndefine i32 @f(i32 %x) {\n"
        "  %r = call i32 @llvm.nvvm.rotate.b32(i32 %x)\n  ret i32 %r\n}\n",
        "cannot take 1 arguments",
    ),
    "its own base": (
        "define void @f() {\n  %p = getelementptr i32, ptr %p, i32 9\n  ret void\n}\n",
        "uses its own result",
    ),
}

WRONG_MLIR = {
    "no terminator": (
        "llvm.func @f(%x: i32) {\n  %y = llvm.add %x, %x : i32\n}\n",
        "does not end in a terminator",
    ),
    "levels mixed": (
        "nvptx.func @f() {\n  %c = llvm.mlir.constant(1 : i32) : i32\n  nvptx.ret\n}\n",
        "cannot be inside of 'nvptx.func'",
    ),
    "op of the module": (
        "module {\n  %0 = llvm.mlir.constant(1 : i32) : i32\n}\n",
        "must be inside of a function",
    ),
    "two blocks": (
        '"builtin.module"() ({\n^a:\n  llvm.func @f()\n^b:\n  llvm.func @g()\n}) : () -> ()\n',
        "a module has one block",
    ),
    "an alignment that is not an integer": (
        'nvptx.global @g "global" "b32" <{align = 4.0 : f32}>\n',
        "'align' of nvptx.global is an integer",
    ),
    "void elements": (
        "llvm.func @f(%p: !llvm.ptr) {\n  %0 = llvm.getelementptr %p[4] : (!llvm.ptr) -> "
        "!llvm.ptr, !llvm.void\n  llvm.return\n}\n",
        "the element type !llvm.void has no size",
    ),
    "variable without a size": (
        "llvm.mlir.global external @g() : !llvm.metadata\n",
        "has no size",
    ),
}


@pytest.mark.parametrize("name", WRONG_LL)
@pytest.mark.parametrize("level", [0, 3])
def test_llvm_assembly(name: str, level: int):
    text, message = WRONG_LL[name]
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(text, opt_level=level)
    assert "internal error" not in caught.value.message
    assert caught.value.line is not None


@pytest.mark.parametrize("name", WRONG_MLIR)
def test_mlir(name: str):
    text, message = WRONG_MLIR[name]
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(text, opt_level=0)
    assert "internal error" not in caught.value.message


def test_a_module_built_in_memory():
    module = nvvm_xdsl.parse("define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n")
    function = next(iter(module.body.block.ops))
    last = function.regions[0].block.last_op
    assert last is not None
    last.detach()
    with pytest.raises(VerifyError, match="does not end in a terminator"):
        nvvm_xdsl.emit(module)


@pytest.mark.parametrize("shape", ["first", "second"])
def test_ops_of_equal_names_are_each_checked(shape: str):
    """Ops are checked once for each shape, which includes types, properties and the parent op."""
    good = "  %a = llvm.intr.ctpop(%x) : (i32) -> i32\n"
    bad = '  %b = "llvm.intr.ctpop"(%x) : (i32) -> i64\n'
    body = good + bad if shape == "second" else bad + good
    module = nvvm_xdsl.parse(f"llvm.func @f(%x: i32) {{\n{body}  llvm.return\n}}\n", format="mlir")
    assert isinstance(module, ModuleOp)
    with pytest.raises(VerifyError, match="ctpop"):
        nvvm_xdsl.emit(module)
