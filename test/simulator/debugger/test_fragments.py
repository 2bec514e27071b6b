"""Source variables that debug records describe in fragments."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import HEADER

from nvvm_xdsl.dialects.llvm.debug_placement import DebugRecords
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.simulator import Recorder, launch, prepare
from nvvm_xdsl.simulator.debugger.session import Session

KERNEL = """\
define ptx_kernel void @k(ptr %a, i32 %n) !dbg !4 {
  RECORDS
  store i32 %n, ptr %a, !dbg !9
  ret void, !dbg !9
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!9 = !DILocation(line: 2, scope: !4)
!10 = !DICompositeType(tag: DW_TAG_structure_type, name: "Pair", size: 64, elements: !{!11, !12})
!11 = !DIDerivedType(tag: DW_TAG_member, name: "a", baseType: !6, size: 32)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !6, size: 32, offset: 32)
!13 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: TYPE)
"""


def shown(type_: str, *records: str) -> dict[str, str]:
    """The variable `v` at the first op of a kernel with `n` = 7, for records of (value, expression)."""
    calls = "\n  ".join(
        f"call void @llvm.dbg.value(metadata {record}), !dbg !9" for record in records
    )
    text = KERNEL.replace("RECORDS", calls).replace("TYPE", type_)
    given = read_ll(HEADER + text, locations=True, debug="full")
    blocks = (block for op in given.ops for region in op.regions for block in region.blocks)
    taken = DebugRecords.take(blocks)
    recorder = Recorder()
    launch(
        prepare(given, recording=True), None, 1, 1, [np.zeros(4, np.int32), 7], recorder=recorder
    )
    session = Session(recorder, records=taken)
    return dict(session.variables())


def low(value: str) -> str:
    return f"{value}, metadata !13, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 32)"


def high(value: str) -> str:
    return f"{value}, metadata !13, metadata !DIExpression(DW_OP_LLVM_fragment, 32, 32)"


def whole(value: str) -> str:
    return f"{value}, metadata !13, metadata !DIExpression()"


@pytest.mark.parametrize(
    ("records", "pair", "number"),
    [
        ([low("i32 %n"), high("i32 -1")], "{a = 7, b = -1}", str((-1 << 32) + 7)),
        ([low("i32 %n")], "{a = 7, b = optimized out}", "partly optimized out"),
        ([high("i32 %n")], "{a = optimized out, b = 7}", "partly optimized out"),
        # Later records take precedence; a record of the whole ends the validity of earlier ones.
        ([low("i32 %n"), low("i32 3")], "{a = 3, b = optimized out}", "partly optimized out"),
        ([low("i32 %n"), high("i32 1"), whole("i64 5")], "{a = 5, b = 0}", "5"),
        ([whole("i64 5"), high("i32 %n")], "{a = 5, b = 7}", str((7 << 32) + 5)),
        ([whole("i64 5"), high("i32 poison")], "{a = 5, b = optimized out}", "partly optimized out"),
        ([low("i32 poison"), high("i32 poison")], "optimized out", "optimized out"),
    ],
)  # fmt: skip
def test_fragments_of_a_variable(records: list[str], pair: str, number: str):
    assert shown("!10", *records) == {"v": pair}
    assert shown("!7", *records) == {"v": number}


def test_the_operations_before_a_fragment_are_evaluated():
    expression = (
        "!DIExpression(DW_OP_plus_uconst, 3, DW_OP_stack_value, DW_OP_LLVM_fragment, 32, 32)"
    )
    assert shown("!10", low("i32 1"), f"i32 %n, metadata !13, metadata {expression}") == {
        "v": "{a = 1, b = 10}"
    }
