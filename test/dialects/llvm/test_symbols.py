"""Linkage and its consequences, as in LLVM's GlobalValue."""

from __future__ import annotations

import pytest
from helpers.modules import function, op_named, parse_module

from nvvm_xdsl.analysis.memory.pointer_uses import CAPTURED, pointer_uses
from nvvm_xdsl.dialects.llvm.symbols import is_definition_exact, linkage_of, symbols_of
from nvvm_xdsl.frontend.linker import link


@pytest.mark.parametrize(
    ("linkage", "exact"),
    [
        ("", True),
        ("internal", True),
        ("private", True),
        ("weak", False),
        ("weak_odr", False),
        ("linkonce", False),
        ("linkonce_odr", False),
        ("available_externally", False),
    ],
)
def test_the_body_of_a_replaceable_definition_is_not_used(linkage: str, exact: bool):
    """Another definition of the same function may have been compiled to one that captures."""
    module = parse_module(f"""
llvm.func {linkage} @callee(%p: !llvm.ptr) {{
  llvm.return
}}
llvm.func @f(%p: !llvm.ptr) {{
  llvm.call @callee(%p) : (!llvm.ptr) -> ()
  llvm.return
}}""")
    symbols = symbols_of(module)
    assert linkage_of(symbols["callee"]) == (linkage or "external")
    assert is_definition_exact(symbols["callee"]) is exact
    pointer = function(module).regions[0].blocks[0].args[0]
    assert bool(pointer_uses(pointer, symbols.get) & CAPTURED) is not exact


def test_functions_without_linkage_are_linked():
    """In the generic form MLIR's default, external linkage, may be omitted."""
    declared, defined = (
        parse_module(f"""
"llvm.func"() <{{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>,
  sym_name = "f"}}> ({{{body}}}) : () -> ()""")
        for body in ("", "^bb0:\n  llvm.return\n")
    )
    whole = link([declared, defined])
    assert op_named(whole, "llvm.return").parent_op() is symbols_of(whole)["f"]
