"""Locations of variables that move: the address ranges of `.debug_loc`, and the analysis that computes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers.modules import op_named

from dev.debug_info import debug_assembly, dwarf_of, variables
from nvvm_xdsl.codegen.emission.dwarf.constants import AddressClass, Tag
from nvvm_xdsl.codegen.emission.dwarf.dies import Die
from nvvm_xdsl.codegen.emission.dwarf.locations import (
    Location,
    LocationLists,
    Span,
    constant_of,
    location_of,
)
from nvvm_xdsl.codegen.emission.dwarf.scopes import History
from nvvm_xdsl.codegen.emission.dwarf.variable_flow import VariableFlow
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from test.helpers.assembling import needs_ptxas

RECORDS = Path(__file__).with_name("debug_records.ll")


def message(what: str, name: str = "v") -> str:
    """Returns a description of a register or a constant."""
    operand, type_ = (f"{what} ", "!nvptx.b32<5>") if what.startswith("%") else ("", "")
    constant = f"constant = {what} : i64, " if what.isdecimal() else ""
    variable = f'#llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "{name}">'
    return f"nvptx.debug_value {operand}<{{{constant}variable = {variable}}}> : ({type_}) -> ()"


def flow(*body: str) -> dict[str, list[str]]:
    """Returns the descriptions of `v` before each `mov` of a function, by the moved number."""
    text = "\n".join(["nvptx.func @f() {", *body, "nvptx.ret", "}"])
    module = parse(text, format="mlir", debug="full")
    region = op_named(module, "nvptx.func").regions[0]
    blocks = list(fast.blocks_of(region))
    names = {
        id(value): f"%r{value.type.data}"  # pyright: ignore[reportAttributeAccessIssue]
        for block in blocks
        for value in (*block.args, *(r for op in block.ops for r in op.results))
    }
    histories: dict[str, History] = {}

    def described(op: DebugValueOp) -> tuple[History, Location | None]:
        register = names[id(op.operands[0])] if op.operands else ""
        history = histories.setdefault(str(op.variable), History())
        return history, location_of(op, register)

    walked = VariableFlow(blocks, names, described)
    found: dict[str, list[str]] = {}
    for block in blocks:
        walked.enter(block)
        for op in fast.ops_of(block):
            if op.name == "nvptx.mov":
                number = re.search(r"mov b32 (\d+)", str(op))
                assert number is not None
                known = [
                    *walked.current.values(),
                    *(h.fixed for h in histories.values() if h.fixed),
                ]
                found[number[1]] = [place.register or str(place.constant) for place in known]
            walked.passed(op)
    return found


def mov(number: int, register: int = 9) -> str:
    return f"%m{number} = nvptx.mov b32 {number} : () -> !nvptx.b32<{register}>"


def test_a_description_holds_until_the_next():
    assert flow(mov(1), message("7"), mov(2), message("8"), mov(3)) == {
        "1": [],
        "2": ["7"],
        "3": ["8"],
    }


def test_an_undefined_description_ends_the_previous_one():
    assert flow(message("7"), mov(2), message(""), mov(3)) == {"2": ["7"], "3": []}


def test_a_description_ends_when_its_register_is_redefined():
    found = flow(mov(1, 5), message("%m1"), mov(2), mov(3, 5), mov(4))
    assert found == {"1": [], "2": ["%r5"], "3": ["%r5"], "4": []}


def test_a_location_in_a_register_with_one_definition_is_valid_to_the_end():
    found = flow(mov(1, 5), message("%m1"), mov(2))
    assert found == {"1": ["%r5"], "2": ["%r5"]}


CONDITION = "%c = nvptx.setp lt.s32 %m1, 10 : (!nvptx.b32<5>) -> !nvptx.pred<1>"


def branches(left: str, right: str) -> list[str]:
    return [
        *(mov(1, 5), mov(0, 5), CONDITION, message("3"), mov(2)),
        *("nvptx.cbra %c : !nvptx.pred<1>, ^left, ^right", "^left:", left, mov(3)),
        *("nvptx.bra ^join", "^right:", right, mov(4), "nvptx.bra ^join", "^join:", mov(5)),
    ]


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [("7", "7", ["7"]), ("7", "8", []), ("7", "", []), ("3", "3", ["3"])],
)
def test_a_join_keeps_descriptions_of_all_predecessors(left: str, right: str, joined: list[str]):
    found = flow(*branches(message(left), message(right)))
    assert found["2"] == ["3"]
    assert found["5"] == joined


@pytest.mark.parametrize(("inside", "header"), [("7", []), ("3", ["3"]), ("", [])])
def test_descriptions_of_a_loop_body_reach_its_header(inside: str, header: list[str]):
    found = flow(
        *(mov(1, 5), mov(0, 5), CONDITION, message("9"), message("3"), "nvptx.bra ^loop"),
        *("^loop:", mov(2), message(inside), mov(3)),
        *("nvptx.cbra %c : !nvptx.pred<1>, ^loop, ^end", "^end:", mov(4)),
    )
    assert found["2"] == header
    assert found["3"] == found["4"] == ([inside] if inside else [])


def test_an_unreachable_block_has_no_descriptions():
    found = flow(
        message("7"), message("8"), "nvptx.ret", "^dead:", mov(1), "nvptx.bra ^on", "^on:", mov(2)
    )
    assert found == {"1": [], "2": []}


REGISTER = Location(AddressClass.REGISTER, (b"\x90\x05",), "%r5")
PARAMETER = Location(AddressClass.PARAMETER, (b"\x03", "p", b""))
LOCAL = Location(AddressClass.LOCAL, (b"\x03", "l", b""))


def listed(*spans: Span) -> tuple[list[str], str]:
    """Returns the attribute names of an entry with a list, and the section."""
    lists, die = LocationLists(), Die(Tag.VARIABLE)
    lists.locate(die, spans)
    return [at.name for at, _, _ in die.attributes], "".join(lists.directives())


def test_a_list_has_labels_lengths_and_an_end():
    attributes, text = listed(Span(REGISTER, "a", "b"))
    assert attributes == ["LOCATION"]
    rows = text.split("{\n")[1].split("\n\t}")[0].splitlines()
    assert rows == ["$L__debug_loc0:", ".b64 a", ".b64 b", ".b8 2,0,144,5", ".b64 0", ".b64 0"]


def test_an_empty_range_is_dropped():
    assert listed(Span(REGISTER, "a", "a")) == ([], "")
    assert listed(Span(REGISTER, "a", "a"), Span(REGISTER, "b", "c"))[1].count(".b64 a") == 0


def test_memory_has_one_address_class():
    attributes, text = listed(
        Span(PARAMETER, "a", "b"), Span(REGISTER, "b", "c"), Span(LOCAL, "c", "d")
    )
    assert attributes == ["ADDRESS_CLASS", "LOCATION"]
    assert ".b64 p" in text
    assert ".b64 l" not in text


BODY = """
    #dbg_value(i32 7, !5, !DIExpression(), !7)
  store volatile i32 101, ptr %p, !dbg !7
  %x = load volatile i32, ptr %p, !dbg !7
    #dbg_value(i32 %x, !5, !DIExpression(), !7)
  store volatile i32 102, ptr %p, !dbg !7
  br i1 %c, label %a, label %b
a:
  store volatile i32 103, ptr %p, !dbg !7
    #dbg_value(i32 -9, !5, !DIExpression(), !7)
  store volatile i32 104, ptr %p, !dbg !7
  br label %b
b:
  store volatile i32 105, ptr %p, !dbg !7
    #dbg_value(i32 %x, !5, !DIExpression(), !7)
  store volatile i32 106, ptr %p, !dbg !7
    #dbg_value(i32 poison, !5, !DIExpression(), !7)
  store volatile i32 107, ptr %p, !dbg !7
  ret void, !dbg !7
}
"""
CONSTU, CONSTS, REGX = 0x10, 0x11, 0x90


def moving(level: int, body: str = BODY) -> str:
    text = RECORDS.read_text()
    head, _, rest = text.partition("  br i1")
    _, _, tail = rest.partition("\n}\n")
    source = head + body + tail
    return compile(source, options=CompileOptions(arch="sm_80", opt_level=level, debug="full"))


def stores(ptx: str) -> dict[str, list[int]]:
    """Returns which stores are in the ranges of the list, by the kind of its entries."""
    code, _, rest = ptx.partition("$L__debug_loc0:")
    entries = re.findall(r"\.b64 (\$L\S+)\n\.b64 (\$L\S+)\n\.b8 \d+,0,(\d+)", rest)
    found: dict[str, list[int]] = {}
    for begin, end, opcode in entries:
        inside = code.partition(f"{begin}:\n")[2].partition(f"{end}:\n")[0]
        numbers = [int(n) for n in re.findall(r"st\.volatile\S*\s+\[.*\], (\d+);", inside)]
        found.setdefault(opcode, []).extend(numbers)
    return found


@pytest.mark.parametrize("level", [0, 3])
def test_ranges_are_bounded_by_descriptions(level: int):
    found = stores(moving(level))
    assert found == {str(CONSTU): [101], str(REGX): [102, 103, 106], str(CONSTS): [104]}


@needs_ptxas
def test_ptxas_accepts_the_lists():
    (found,) = variables(debug_assembly(moving(3), "sm_80"))
    assert found.place == "value, register"


def only(body: str) -> Any:
    """Returns the entry of the single variable of a body."""
    (unit,) = dwarf_of(debug_assembly(moving(0, body), "sm_80")).iter_CUs()
    (found,) = [die for die in unit.iter_DIEs() if die.tag == "DW_TAG_variable"]
    return found


@needs_ptxas
def test_a_folded_address_is_computed():
    die = only("""
  %q = getelementptr i8, ptr %p, i64 16
    #dbg_value(ptr %q, !5, !DIExpression(), !7)
  store volatile i32 1, ptr %q, !dbg !7
  ret void, !dbg !7
}
""")
    # DW_OP_bregx, of a register, and DW_OP_plus_uconst 16, DW_OP_stack_value
    place = bytes(die.attributes["DW_AT_location"].value)
    assert place[0] == 0x92
    assert place.endswith(bytes([0, 0x23, 16, 0x9F]))


@needs_ptxas
def test_an_expression_of_a_constant_is_a_constant():
    die = only("""
    #dbg_value(i32 7, !5, !DIExpression(DW_OP_constu, 3, DW_OP_mul, DW_OP_stack_value), !7)
  store volatile i32 1, ptr %p, !dbg !7
  ret void, !dbg !7
}
""")
    assert die.attributes["DW_AT_const_value"].value == 21


GLOBALS = """
!20 = !{!21, !22, !23}
!21 = !DIGlobalVariableExpression(var: !24, expr: !DIExpression(DW_OP_constu, 128, DW_OP_stack_value))
!22 = !DIGlobalVariableExpression(var: !25, expr: !DIExpression())
!23 = !DIGlobalVariableExpression(var: !26, expr: !DIExpression(DW_OP_consts, 18446744073709551611, DW_OP_stack_value))
!24 = !DIGlobalVariable(name: "TILE", scope: !0, file: !1, line: 1, type: !10, isLocal: true, isDefinition: true)
!25 = distinct !DIGlobalVariable(name: "unused", scope: !0, file: !1, line: 1, type: !10, isLocal: true, isDefinition: true)
!26 = !DIGlobalVariable(name: "MINUS", scope: !0, file: !1, line: 1, type: !10, isLocal: true, isDefinition: true)
"""


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_globals_without_memory(level: int):
    source = RECORDS.read_text().replace("emissionKind: Full", "globals: !20, emissionKind: Full")
    source = source.replace(
        "define ", "@unused = internal addrspace(1) global i32 0, !dbg !22\ndefine "
    )
    ptx = compile(
        source + GLOBALS, options=CompileOptions(arch="sm_80", opt_level=level, debug="full")
    )
    found = {v.name: v.place for v in variables(debug_assembly(ptx, "sm_80")) if not v.function}
    assert found == {"TILE": "value", "unused": "", "MINUS": "value"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("DW_OP_constu(128), DW_OP_stack_value", 128),
        ("DW_OP_consts(18446744073709551611), DW_OP_stack_value", -5),
        ("DW_OP_consts(5), DW_OP_stack_value", 5),
        ("DW_OP_constu(8), DW_OP_swap, DW_OP_xderef", None),
        ("DW_OP_constu(8)", None),
        ("", None),
    ],
)
def test_location_expressions_that_compute_a_value(expression: str, value: int | None):
    text = message("7").replace(
        "constant", f"expression = #llvm.di_expression<[{expression}]>, constant"
    )
    op = op_named(
        parse(f"nvptx.func @f() {{\n{text}\nnvptx.ret\n}}", format="mlir", debug="full"),
        "nvptx.debug_value",
    )
    assert isinstance(op, DebugValueOp)
    assert constant_of(op.expression) == value
