"""DWARF in ptxas's output, as pyelftools reads it, and code that does not change with -g."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers.scale import share
from hypothesis import given
from hypothesis import strategies as st

from dev import debug_info
from dev.debug_info import Variable, code_lines, debug_assembly, variables
from nvvm_xdsl.codegen.emission.dwarf.dies import sleb128, uleb128
from nvvm_xdsl.codegen.emission.dwarf.lines import Lines
from nvvm_xdsl.codegen.emission.dwarf.locations import register_number
from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.driver.options import CompileOptions, DebugInfo
from nvvm_xdsl.driver.toolkit import find_program
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.locations import location_at
from test.helpers.assembling import needs_ptxas

SOURCE = Path(__file__).with_name("debug_info.ll")
ROOT = Path(__file__).resolve().parents[4]
EXAMPLES = sorted((ROOT / "examples").glob("*.cu"))
needs_clang = pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang 22 was not found")


def ptx_of(source: Path | str, level: int, debug: DebugInfo = "full") -> str:
    return compile(source, options=CompileOptions(arch="sm_80", opt_level=level, debug=debug))


def described(level: int) -> dict[tuple[str, str], Variable]:
    found = variables(debug_assembly(ptx_of(SOURCE, level), "sm_80"))
    return {(variable.function, variable.name): variable for variable in found}


@needs_ptxas
def test_every_variable_has_a_location_without_optimization():
    found = described(0)
    assert {key: (v.type_, v.place, v.is_parameter) for key, v in found.items()} == {
        ("", "head"): ("Node", "global", False),
        ("", "limits"): ("int[2][3]", "const", False),
        ("", "tile"): ("double[32]", "shared", False),
        ("scaled", "value"): ("int", "local", True),
        ("scaled", "factor"): ("int", "local", True),
        ("scaled", "product"): ("int", "local", False),
        ("walk", "list"): ("Node *", "local", True),
        ("walk", "samples"): ("Samples", "local", True),
        ("walk", "unused"): ("int () *", "local", True),
        ("walk", "flag"): ("bool", "local", True),
        ("walk", "n"): ("long long", "local", True),
        ("walk", "total"): ("int", "local", False),
        ("walk", "first"): ("Node &", "local", False),
        ("walk", "i"): ("int", "local", False),
        ("walk", "sample"): ("float", "local", False),
        ("walk", "inner"): ("char", "local", False),
    }


@needs_ptxas
def test_optimized_code_keeps_locations():
    found = described(3)
    # Kernel parameters do not change during a launch; folded variables are values.
    assert found["walk", "list"].place == "param"
    assert found["walk", "n"].place == "param"
    assert found["walk/scaled", "factor"].place == "value"
    assert found["walk", "sample"].place == "register"
    # `bool` is 8 bits in memory, and a predicate in a register.
    assert found["walk", "flag"].place == "value"
    # A variable that a loop changes has several locations.
    assert found["walk", "total"].place == "value, register"


def _dies(level: int, source: Path | str = SOURCE) -> dict[str, Any]:
    """Returns the named entries by `outer.inner`."""
    found: dict[str, Any] = {}

    def collect(die: Any, path: str) -> None:
        name = die.attributes.get("DW_AT_name")
        here = path
        if name is not None:
            here = f"{path}.{name.value.decode()}" if path else name.value.decode()
            found[here] = die
        for child in die.iter_children():
            collect(child, here)

    (unit,) = debug_info.dwarf_of(debug_assembly(ptx_of(source, level), "sm_80")).iter_CUs()
    for die in unit.get_top_DIE().iter_children():
        collect(die, "")
    return found


def _number(die: Any, attribute: str) -> int:
    return die.attributes[f"DW_AT_{attribute}"].value


@needs_ptxas
def test_types():
    dies = _dies(0)
    assert dies["shapes"].tag == "DW_TAG_namespace"
    node = dies["shapes.Node"]
    assert node.tag == "DW_TAG_structure_type"
    assert _number(node, "byte_size") == 24
    low, high = dies["shapes.Node.low"], dies["shapes.Node.high"]
    assert [_number(low, "bit_size"), _number(high, "bit_size")] == [3, 5]
    # From the most significant of 32 bits: `low` is the three least significant.
    assert [_number(low, "bit_offset"), _number(high, "bit_offset")] == [29, 24]
    assert dies["shapes.Node.real"].get_parent().tag == "DW_TAG_union_type"
    pointer = dies["shapes.Node.next"].get_DIE_from_attribute("DW_AT_type")
    assert pointer.get_DIE_from_attribute("DW_AT_type").offset == node.offset
    color = dies["shapes.Color"]
    values = {
        child.attributes["DW_AT_name"].value.decode(): _number(child, "const_value")
        for child in color.iter_children()
    }
    assert values == {"RED": -1, "GREEN": 0, "BLUE": 7}
    qualified = dies["Samples"].get_DIE_from_attribute("DW_AT_type")
    tags: list[str] = []
    while "DW_AT_type" in qualified.attributes:
        tags.append(qualified.tag)
        qualified = qualified.get_DIE_from_attribute("DW_AT_type")
    assert sorted(tags) == ["DW_TAG_const_type", "DW_TAG_pointer_type", "DW_TAG_volatile_type"]


@needs_ptxas
def test_address_ranges_of_scopes_are_within_their_function():
    dies = _dies(3)
    walk = dies["walk"]
    (inlined,) = [die for die in walk.iter_children() if die.tag == "DW_TAG_lexical_block"]
    assert dies["walk.inner"].get_parent().get_parent().offset != walk.offset
    outer = (_number(walk, "low_pc"), _number(walk, "high_pc"))
    inner = (_number(inlined, "low_pc"), _number(inlined, "high_pc"))
    assert outer[0] <= inner[0] < inner[1] <= outer[1]


@pytest.mark.parametrize("level", [0, 3])
def test_debug_information_does_not_change_code(level: int):
    assert code_lines(ptx_of(SOURCE, level)) == code_lines(ptx_of(SOURCE, level, "none"))


@pytest.mark.slow
@needs_clang
@needs_ptxas
@pytest.mark.parametrize("path", share(EXAMPLES, 6, lambda p: p.stem), ids=lambda path: path.stem)
def test_examples(path: Path, tmp_path: Path):
    module = tmp_path / "a.ll"
    debug_info.clang(path.relative_to(ROOT), module, ROOT)
    for level in (0, 3):
        ptx = ptx_of(module, level)
        assert code_lines(ptx) == code_lines(ptx_of(module, level, "none"))
        found = variables(debug_assembly(ptx, "sm_80"))
        declared = debug_info.declared_variables(module.read_text())
        assert {v.name for v in found} >= {name for name, _ in declared}
        if level == 0:
            assert all(variable.place for variable in found)


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_sections_are_parsed_again(level: int):
    text = ptx_of(SOURCE, level)
    again = print_ptx(read_ptx(text))
    assert re.sub(r"\s+", " ", again) == re.sub(r"\s+", " ", text)
    cubin = debug_assembly(again, "sm_80")
    assert variables(cubin) == variables(debug_assembly(text, "sm_80"))


def test_machine_code_drops_the_sections():
    module = convert_from_ptx(read_ptx(ptx_of(SOURCE, 0)))
    assert "debug_info" not in str(module)


@needs_ptxas
def test_lines():
    found = debug_info.lines(debug_assembly(ptx_of(SOURCE, 0), "sm_80"))
    assert {16, 17, 20, 21, 22, 23, 24, 25, 26, 28, 29, 30, 31} <= found["variables.cu"]
    text = ptx_of(ROOT / "examples" / "saxpy.debug.ll", 3, "lines")
    found = debug_info.lines(debug_assembly(text, "sm_80", "-lineinfo"), with_units=False)
    assert found["saxpy.cu"] >= {6, 7, 8, 9}
    assert found["cuda_min.h"] >= {28, 29}


@needs_ptxas
def test_nvdisasm_names_inlined_functions(tmp_path: Path):
    nvdisasm = find_program("nvdisasm")
    if nvdisasm is None:
        pytest.skip("nvdisasm was not found")
    text = ptx_of(ROOT / "examples" / "saxpy.debug.ll", 3, "lines")
    cubin = tmp_path / "a.cubin"
    cubin.write_bytes(debug_assembly(text, "sm_80", "-lineinfo"))
    command = [str(nvdisasm), "-gi", str(cubin)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(r'cuda_min.h", line 28 inlined at ".*saxpy.cu", line 6', shown)


INTRINSICS = re.compile(r"^\s+#dbg_(value|declare)\((\w+ [^,]+), (!\d+), (.*), (!\d+)\)$", re.M)


def test_intrinsics_give_the_same_locations_as_records():
    text = SOURCE.read_text()
    old = INTRINSICS.sub(
        r"  call void @llvm.dbg.\1(metadata \2, metadata \3, metadata \4), !dbg \5", text
    )
    assert "#dbg_" not in old
    assert ptx_of(old, 0) == ptx_of(text, 0)


def test_mlir_text_keeps_variables():
    module = parse(SOURCE, debug="full")
    text = str(module)
    assert text.count("llvm.intr.dbg.declare") == SOURCE.read_text().count("    #dbg_declare(")
    assert str(parse(text, format="mlir")) == text
    assert "isRecSelf = true" in text


def test_without_g_no_debug_information_is_emitted():
    assert "dbg" not in str(parse(SOURCE))
    assert "dbg" not in str(parse(SOURCE, debug="lines"))


def test_register_numbers_encode_their_names():
    # The encoding of llvm-dwarfdump and cuda-gdb: LLVM's test ptx-register-names.ll.
    assert register_number("%rd1") == 0x25726431


@given(st.integers(0, 1 << 70))
def test_uleb128(value: int):
    data = uleb128(value)
    assert sum((byte & 0x7F) << 7 * at for at, byte in enumerate(data)) == value
    assert [byte >> 7 for byte in data] == [1] * (len(data) - 1) + [0]


@given(st.integers(-(1 << 70), 1 << 70))
def test_sleb128(value: int):
    data = sleb128(value)
    unsigned = sum((byte & 0x7F) << 7 * at for at, byte in enumerate(data))
    sign = data[-1] >> 6 & 1
    assert unsigned - (sign << 7 * len(data)) == value
    assert [byte >> 7 for byte in data] == [1] * (len(data) - 1) + [0]


def test_code_without_a_location_ends_the_previous_line():
    lines = Lines(90).of_function()
    assert lines.before(location_at("a.cu", 3, 1)) == [".loc\t1 3 1"]
    assert lines.before(location_at("a.cu", 0, 0)) == [".loc\t1 0 0"]
    assert lines.before(location_at("a.cu", 0, 5)) == []


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_inexpressible_locations_are_dropped(level: int):
    text = SOURCE.with_name("debug_records.ll").read_text()
    text = re.sub(r"    #dbg_assign.*\n", "", re.sub(r"    #dbg_value\(i32 %x.*\n", "", text))
    (found,) = variables(debug_assembly(ptx_of(text, level), "sm_80"))
    assert found == Variable("k", "v", "int", "", False)


def _described_as(record: str, memory: str = "") -> str:
    """Returns `debug_records.ll` with this record alone and these operations on the memory `%m`."""
    text = SOURCE.with_name("debug_records.ll").read_text()
    text = re.sub(r"    #dbg_.*\n", "", text)
    if memory:
        text = text.replace("  br i1", f"  %m = alloca i32\n  {memory}\n  br i1", 1)
    return text.replace("b:\n", f"b:\n    #dbg_{record}, !5, !DIExpression(), !7)\n")


@needs_ptxas
@pytest.mark.parametrize(("value", "expected"), [("i1 true", 1), ("i1 false", 0), ("i32 -7", -7)])
def test_constants(value: str, expected: int):
    for level in (0, 3):
        die = _dies(level, _described_as(f"value({value}"))["k.v"]
        assert _number(die, "const_value") == expected


@pytest.mark.parametrize("level", [0, 1, 3])
def test_variables_are_not_located_in_removed_memory(level: int):
    ptx = ptx_of(_described_as("declare(ptr %m", "store volatile i32 1, ptr %m"), level)
    named = set(re.findall(r"\.b64 (__local_\d+)", ptx))
    assert named <= set(re.findall(r"\.local .*(__local_\d+)\[", ptx))
    assert level or named
