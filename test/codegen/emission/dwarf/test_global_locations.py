"""Debug information of module variables that `globalopt` splits or shrinks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from xdsl.dialects.builtin import ArrayAttr

from dev.debug_info import debug_assembly, dwarf_of
from nvvm_xdsl.codegen.emission.dwarf.constants import AddressClass
from nvvm_xdsl.codegen.emission.dwarf.locations import VariablePlace, variable_location
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr
from nvvm_xdsl.dialects.llvm.debug_salvage import step
from nvvm_xdsl.dialects.llvm.global_debug import describe_flag, describe_part
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.pipeline import run_pipeline
from test.helpers.assembling import needs_ptxas

SOURCE = """
target triple = "nvptx64-nvidia-cuda"
%Inner = type { float, i32 }
%S = type { i32, i64, %Inner }
@pair = internal addrspace(1) global %S { i32 4, i64 5, %Inner { float 2.5, i32 6 } }, !dbg !0
@flag = internal addrspace(1) global i32 3, !dbg !1
@wide = internal addrspace(1) global i128 3, !dbg !2
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) !dbg !10 {
  %a = load i32, ptr addrspace(1) @pair, !dbg !20
  %b = add i32 %a, %n, !dbg !20
  store i32 %b, ptr addrspace(1) @pair, !dbg !21
  %i = getelementptr %S, ptr addrspace(1) @pair, i32 0, i32 2, i32 1, !dbg !22
  %c = load i32, ptr addrspace(1) %i, !dbg !22
  %d = add i32 %b, %c, !dbg !22
  store i32 %d, ptr addrspace(1) %i, !dbg !22
  %x = load %S, ptr addrspace(1) @pair, !dbg !23
  %y = extractvalue %S %x, 2, 0, !dbg !23
  store float %y, ptr addrspace(1) %out, !dbg !23
  %f = load i32, ptr addrspace(1) @flag, !dbg !24
  store i32 %f, ptr addrspace(1) %out, !dbg !24
  store i32 9, ptr addrspace(1) @flag, !dbg !25
  %w = load i128, ptr addrspace(1) @wide, !dbg !26
  store i128 %w, ptr addrspace(1) %out, !dbg !26
  store i128 -1, ptr addrspace(1) @wide, !dbg !26
  ret void, !dbg !26
}
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!30, !31}
!0 = !DIGlobalVariableExpression(var: !5, expr: !DIExpression())
!1 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression(DW_OP_constu, 5, DW_OP_swap, DW_OP_xderef))
!2 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !4, isOptimized: true, emissionKind: FullDebug, globals: !8)
!4 = !DIFile(filename: "a.cu", directory: ".")
!5 = distinct !DIGlobalVariable(name: "pair", scope: !3, file: !4, line: 1, type: !9, isLocal: true, isDefinition: true)
!6 = distinct !DIGlobalVariable(name: "flag", scope: !3, file: !4, line: 2, type: !9, isLocal: true, isDefinition: true)
!7 = distinct !DIGlobalVariable(name: "wide", scope: !3, file: !4, line: 3, type: !9, isLocal: true, isDefinition: true)
!8 = !{!0, !1, !2}
!9 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "k", scope: !4, file: !4, line: 4, type: !11, unit: !3, spFlags: DISPFlagDefinition)
!11 = !DISubroutineType(types: !12)
!12 = !{null}
!20 = !DILocation(line: 20, scope: !10)
!21 = !DILocation(line: 21, scope: !10)
!22 = !DILocation(line: 22, scope: !10)
!23 = !DILocation(line: 23, scope: !10)
!24 = !DILocation(line: 24, scope: !10)
!25 = !DILocation(line: 25, scope: !10)
!26 = !DILocation(line: 26, scope: !10)
!30 = !{i32 2, !"Dwarf Version", i32 2}
!31 = !{i32 2, !"Debug Info Version", i32 3}
"""


def expression(*steps: tuple[Any, ...]) -> DIExpressionAttr:
    return DIExpressionAttr(ArrayAttr([step(*one) for one in steps]))


def expressions_of(described: Any) -> list[str]:
    return [str(one.field("expr")) for one in described.data]


def descriptions() -> list[Any]:
    """The debug expressions of `pair` and `flag`; that of `flag` names an address class."""
    module = parse(SOURCE, debug="full")
    found = {
        op.sym_name.data: op.properties["dbg_exprs"]
        for op in module.ops
        if "dbg_exprs" in op.properties
    }
    return [found["pair"], found["flag"]]


@needs_ptxas
def test_locations():
    """Fragments of a split struct with a gap for the unused field; a value for a bool; none for 128 bits."""
    options = CompileOptions(arch="sm_80", debug="full", passes="globalopt")
    ptx = compile(SOURCE, options=options)
    sections = ptx[ptx.index(".debug_info") :]
    assert re.findall(r"\.b64 (\w+[$][\w$]*)", sections) == [
        "pair_$_body_$_f0",
        "pair_$_body_$_f2_$_body_$_f0",
        "pair_$_body_$_f2_$_body_$_f1",
        "flag_$_b",
    ]
    assert located(debug_assembly(ptx, "sm_80")) == {
        "pair": (
            AddressClass.GLOBAL,
            [("addr", 0), ("piece", 4), ("piece", 12), ("addr", 0), ("piece", 4), ("addr", 0), ("piece", 4)],
        ),
        "flag": (
            AddressClass.GLOBAL,
            [("addr", 0), ("deref_size", 1), ("constu", 6), ("mul",), ("constu", 3), ("plus",), ("stack_value",)],
        ),
        "wide": (None, []),
    }  # fmt: skip


def located(cubin: bytes) -> dict[str, tuple[int | None, list[tuple[Any, ...]]]]:
    """Returns the address class and the location operations of each module variable."""
    from elftools.dwarf.dwarf_expr import DWARFExprParser

    found: dict[str, tuple[int | None, list[tuple[Any, ...]]]] = {}
    for unit in dwarf_of(cubin).iter_CUs():
        parser = DWARFExprParser(unit.structs)
        for die in unit.get_top_DIE().iter_children():
            if die.tag == "DW_TAG_variable":
                attributes = die.attributes
                steps: list[tuple[Any, ...]] = []
                if "DW_AT_location" in attributes:
                    for op in parser.parse_expr(attributes["DW_AT_location"].value):
                        steps.append((op.op_name.removeprefix("DW_OP_"), *op.args))
                # pyelftools does not support CUDA's attribute.
                classes = [
                    a.value for a in attributes.values() if a.name in ("DW_AT_address_class", 0x33)
                ]
                name = attributes["DW_AT_name"].value.decode()
                assert name not in found, "one entry for each variable"
                found[name] = (classes[0] if classes else None, steps)
    return found


def test_new_ops_have_locations():
    module = parse(SOURCE, debug="full")
    run_pipeline(module, "globalopt")
    lines: dict[str, set[int | None]] = {}
    for op in module.walk():
        if op.name in ("llvm.load", "llvm.store", "llvm.select", "llvm.extractvalue"):
            lines.setdefault(op.name, set()).add(place_of(op).line)
    assert lines == {
        "llvm.load": {20, 22, 23, 24, 26},
        "llvm.store": {21, 22, 23, 24, 25, 26},
        "llvm.select": {24, 26},
    }


def test_fragments_of_expressions():
    pair, flag = descriptions()
    assert expressions_of(describe_part(pair, 32, 64)) == [
        "#llvm.di_expression<[DW_OP_LLVM_fragment(32, 64)]>"
    ]
    # The operations that name the address class are dropped; a fragment of a fragment is a fragment
    # of the whole.
    part = describe_part(flag, 64, 32)
    assert expressions_of(part) == ["#llvm.di_expression<[DW_OP_LLVM_fragment(64, 32)]>"]
    assert expressions_of(describe_part(part, 8, 16)) == [
        "#llvm.di_expression<[DW_OP_LLVM_fragment(72, 16)]>"
    ]
    steps = (
        "DW_OP_deref_size(1), DW_OP_constu(18446744073709551614), DW_OP_mul, DW_OP_constu(5), "
        "DW_OP_plus, DW_OP_stack_value"
    )
    assert expressions_of(describe_flag(flag, 5, 3)) == [f"#llvm.di_expression<[{steps}]>"]
    assert expressions_of(describe_flag(part, 5, 3)) == [
        f"#llvm.di_expression<[{steps}, DW_OP_LLVM_fragment(64, 32)]>"
    ]
    # The memory no longer holds a value of the variable from which another step could start.
    computed = describe_flag(pair, 5, 3)
    assert describe_flag(computed, 0, 1).data == ()
    assert describe_part(computed, 0, 8).data == ()
    assert describe_part(None, 0, 8).data == ()


FIRST, SECOND = ("DW_OP_LLVM_fragment", 0, 32), ("DW_OP_LLVM_fragment", 64, 32)
ADDR_A, ADDR_B = (b"\x03", "a", b""), (b"\x03", "b", b"")


def place(symbol: str, *steps: tuple[Any, ...], space: str = "global") -> VariablePlace:
    return VariablePlace(expression(*steps), symbol, space)


def test_locations_of_split_variables():
    assert variable_location([place("", FIRST, space="")]) is None
    whole = variable_location([place("a", FIRST), place("b")])
    assert whole is not None
    assert whole.expression == ADDR_B
    both = variable_location([place("b", SECOND), place("a", FIRST)])
    assert both is not None
    assert both.address_class == AddressClass.GLOBAL
    assert both.expression == (*ADDR_A, b"\x93\x04", b"\x93\x04", *ADDR_B, b"\x93\x04")


@pytest.mark.parametrize(
    "other",
    [
        place("b", ("DW_OP_LLVM_fragment", 16, 32)),
        place("b", ("DW_OP_LLVM_fragment", 33, 32)),
        place("b", ("DW_OP_LLVM_fragment", 64, 3)),
        place("b", SECOND, space="shared"),
        place("b", ("DW_OP_plus",), SECOND),
    ],
)
def test_fragments_that_dwarf_cannot_express_are_dropped(other: VariablePlace):
    found = variable_location([place("a", FIRST), other])
    assert found is not None
    assert found.expression == (*ADDR_A, b"\x93\x04")


def test_location_expressions_dereference_only_global_memory():
    steps = [("DW_OP_deref_size", 1), ("DW_OP_constu", 2), ("DW_OP_mul",), ("DW_OP_stack_value",)]
    found = variable_location([place("a", *steps)])
    assert found is not None
    assert found.expression == (b"\x03", "a", b"\x94\x01\x10\x02\x1e\x9f")
    assert variable_location([place("a", *steps, space="shared")]) is None
    assert variable_location([place("a", *steps[:2])]) is None
