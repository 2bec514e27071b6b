"""Erasing addresses of variables, and new variables for parts of others."""

from __future__ import annotations

import pytest
from helpers.programs import parse_module

from nvvm_xdsl.analysis.memory.global_accesses import erase_address, make_variable


def test_unused_addresses_are_erased_up_to_the_variable():
    """The index is an argument of the function, and `%r` is still used."""
    _, func = parse_module("""
      llvm.mlir.global internal @v(0 : i32) {addr_space = 0 : i32} : i32
      llvm.func @f(%n: i64) -> !llvm.ptr {
        %g = llvm.mlir.addressof @v : !llvm.ptr
        %q = llvm.getelementptr %g[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %h = llvm.mlir.addressof @v : !llvm.ptr
        %r = llvm.getelementptr %h[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        %s = llvm.getelementptr %r[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i32
        llvm.return %r : !llvm.ptr
      }""").ops
    block = func.regions[0].blocks[0]
    ops = {op.results[0].name_hint: op for op in block.ops if op.results}
    for name in ("q", "s", "r"):
        erase_address(ops[name])
    assert [op.results[0].name_hint for op in block.ops if op.results] == ["h", "r"]


@pytest.mark.parametrize(
    ("constant", "type_", "is_value"),
    [
        ("5 : i32", "i32", True),
        ("2.5 : f32", "f32", True),
        ("dense<[1, 2]> : tensor<2xi32>", "!llvm.array<2 x i32>", False),
    ],
)
def test_a_scalar_initializer_is_an_attribute(constant: str, type_: str, is_value: bool):
    parent, func = parse_module(f"""
      llvm.mlir.global internal @v(0 : i32) {{addr_space = 0 : i32}} : i32
      llvm.func @f() -> {type_} {{
        %c = llvm.mlir.constant({constant}) : {type_}
        llvm.return %c : {type_}
      }}""").ops
    part = func.regions[0].blocks[0].first_op.results[0]
    made = make_variable(parent, "w", part.type, part, 4)
    assert ("value" in made.properties) is is_value
    assert bool(made.regions[0].blocks) is not is_value
