from __future__ import annotations

import pytest
from xdsl.dialects import llvm

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.ir.diagnostics import DiagnosticError

MODULE = """
module attributes {gpu.container_module} {
  llvm.func @host(%size: i64) {
    %twice = llvm.add %size, %size : i64
    llvm.return
  }
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90", flags = {ftz}>] {
    llvm.func @helper(i32) -> i32
    llvm.func @k(%p: !llvm.ptr) attributes {gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c = llvm.mlir.constant(7 : i32) : i32
      llvm.store %c, %p : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""


def test_only_device_code_is_kept():
    module = parse(MODULE)
    functions = [op for op in module.body.block.ops if isinstance(op, llvm.FuncOp)]
    assert [f.sym_name.data for f in functions] == ["helper", "k"]
    assert is_kernel(functions[1])
    assert "gpu.container_module" not in module.attributes
    module.verify()


def test_the_target_is_kept():
    target = parse(MODULE).attributes["nvvm.target"]
    assert isinstance(target, NVVMTargetAttr)
    assert target.chip.data == "sm_90"


def test_types_are_interned():
    module = parse(MODULE)
    stores = [op for op in module.walk() if isinstance(op, llvm.StoreOp)]
    value, pointer = stores[0].operands
    assert value.type is types.I32
    assert pointer.type is types.PTR


def test_index_constants_get_the_type_of_the_result():
    module = parse(
        "llvm.func @f() {\n  %0 = llvm.mlir.constant(-2 : index) : i64\n  llvm.return\n}"
    )
    (constant,) = [op for op in module.walk() if isinstance(op, llvm.ConstantOp)]
    assert constant.value is types.int_attr(-2, types.I64)


def test_a_plain_module_is_unchanged():
    module = parse("module {\n  llvm.func @f() {\n    llvm.return\n  }\n}")
    assert [op.name for op in module.body.block.ops] == ["llvm.func"]
    assert "nvvm.target" not in module.attributes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gpu.module @a { llvm.func @f() } gpu.module @b { llvm.func @f() }", "@a and @b both"),
        (
            'gpu.module @a [#nvvm.target<chip = "sm_80">] { llvm.func @f() } '
            'gpu.module @b [#nvvm.target<chip = "sm_90">] { llvm.func @g() }',
            "@b has a different target",
        ),
        ("gpu.module @a [#nvvm.target<chip = ] {}", "expected"),
    ],
)
def test_errors(text: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        parse(text, filename="m.mlir")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'llvm.func @f() attributes {{a = "{"x" * 100_000}\n', "string literal"),
        ("llvm.func @f() {\n  llvm.br ^a\n^a:\n  llvm.br ^a\n^a:\n  llvm.return\n}\n", "'a'"),
        (f"llvm.func @f(%x: !llvm.ptr<{'9' * 4301}>)\n", "more than 4000 digits"),
        ("llvm.func @f() attributes {é = 1 : i32}\n", "unexpected character"),
        ("llvm.func @f() attributes {a = array<i32: 4294967296>}\n", "4294967296"),
        (
            "llvm.mlir.global @g(dense<0.0> : tensor<2147483648xf32>) : !llvm.array<4 x f32>\n",
            "a dense literal of more than 67108864 elements",
        ),
        (
            "llvm.func @f(" + "!llvm.struct<(" * 2000 + "i32" + ")>" * 2000 + ")",
            "nested too deeply",
        ),
        ("llvm.mlir.global @g(dense<(1, 2]> : tensor<1xi32>) : i32\n", r"expected '\)'"),
    ],
    ids=[
        "endless string",
        "block twice",
        "digits",
        "letters",
        "too wide",
        "too large",
        "too deep",
        "complex",
    ],
)
def test_guards_around_the_parser(text: str, message: str):
    with pytest.raises(DiagnosticError, match=message) as caught:
        parse(text, format="mlir")
    assert "internal error" not in caught.value.message
    assert caught.value.line is not None


def test_a_number_of_another_width_gets_the_width_of_the_result():
    module = parse(
        """
llvm.func @f() -> i8 {
  %wide = llvm.mlir.constant(300) : i8
  llvm.return %wide : i8
}
""",
        format="mlir",
    )
    assert "llvm.mlir.constant(44 : i8) : i8" in str(module)


def test_a_constant_of_no_bits_is_an_error_at_its_location():
    text = "llvm.func @f() {\n  %0 = llvm.mlir.constant(true) : i0\n  llvm.return\n}\n"
    with pytest.raises(DiagnosticError, match="there are no integers of 0 bits") as caught:
        verify(parse(text, filename="m.mlir", locations=True))
    assert caught.value.line == 2


def test_a_host_function_is_no_kernel():
    text = "func.func private @f() attributes {%s}"
    verify(parse(text % "", format="mlir"))
    with pytest.raises(
        DiagnosticError, match=r"'nvvm\.kernel' attribute attached to unexpected op"
    ):
        verify(parse(text % "nvvm.kernel", format="mlir"))


UNREACHABLE = """
llvm.func @f(%x: i32, %p: !llvm.ptr) {{
  %used = llvm.add %x, %x : i32
  llvm.return
^loop(%i: i32):
  {body}
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.br ^loop(%b : i32)
^other:
  llvm.br ^loop(%used : i32)
}}
"""


@pytest.mark.parametrize(("body", "blocks"), [
    ("%b = llvm.add %b, %x : i32", 1),
    ("%a = llvm.add %b, %x : i32\n  %b = llvm.mul %a, %a : i32", 1),
    ("%a = llvm.add %i, %x : i32\n  %b = llvm.mul %a, %a : i32", 3),
    ("%b = llvm.add %i, %used : i32", 3),
])  # fmt: skip
def test_unreachable_values_that_depend_on_themselves_are_removed(body: str, blocks: int):
    """Other unreachable blocks stay."""
    module = parse(UNREACHABLE.format(body=body))
    verify(module)
    (func,) = module.body.block.ops
    assert len(func.regions[0].blocks) == blocks
    (used,) = [
        op
        for op in module.walk()
        if op.name == "llvm.add" and op.parent is func.regions[0].first_block
    ]
    assert (used.results[0].first_use is None) is (blocks == 1)
