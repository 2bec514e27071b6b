"""Some facts have a single definition in the source: this table lists each fact and its file."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nvvm_xdsl"


class Fact(NamedTuple):
    """A fact that is defined in its home only.

    Code that matches `pattern` may be only in the `homes`: files, or folders with a slash. `example` is a
    line that the pattern must match.
    """

    pattern: str
    homes: tuple[str, ...]
    example: str


ATTRIBUTES = "dialects/llvm/accessors.py"
FUNCTIONS = "dialects/llvm/function_attributes.py"
ASSEMBLY = "dialects/llvm/stock_assembly.py"

FACTS: dict[str, Fact] = {
    "the indices of a getelementptr": Fact(
        r"rawConstantIndices",
        ("dialects/llvm/gep.py", ASSEMBLY),
        'op.properties["rawConstantIndices"]',
    ),
    "the mark of a dynamic index": Fact(
        r"GEP_USE_SSA_VAL|kDynamicIndex|DYNAMIC_(INDEX|RAW)\b.*[^=!]=[^=]"
        r"|ind(ex|ices)\b.*(\(2 ?\*\* ?31\)|\(1 << 31\)|-2147483648)",
        ("dialects/llvm/gep.py",),
        "if index == -(1 << 31):",
    ),
    "no-wrap flags": Fact(
        r"\b(NSW|NUW|NO_(UN)?SIGNED_WRAP|NO_WRAP_(UN)?SIGNED)\b[^=!<>]*(?<![=!<>])=[^=]*[\d{]|\"nuw\": \d|\"nuw\" in flags\) <<"
        r"|properties(\.get\(\"overflowFlags\"|\[\"overflowFlags\"\](?! = ))|OverflowAttr\b.*\.to_int\(\)",
        ("dialects/llvm/flags.py",),
        "NUW, NSW = 1, 2",
    ),
    "denormals": Fact(
        r"denormal[-_]fp[-_]math|preserve-sign|positive-zero",
        (FUNCTIONS, "frontend/attributes.py", "dialects/llvm/compat.py"),
        'func.properties.get("denormal_fp_math_f32")',
    ),
    "attributes in passthrough": Fact(
        r"get\(\"passthrough\"|\[\"passthrough\"\](?! = )",
        (FUNCTIONS,),
        'func.properties.get("passthrough")',
    ),
    "linkage": Fact(
        r"properties(\.get\(\"linkage\"|\[\"linkage\"\](?! = ))|\{\"internal\", \"private\"\}",
        ("dialects/llvm/symbols.py", "dialects/nvptx/"),
        'if func.properties["linkage"] is x:',
    ),
    "address spaces": Fact(
        r"^([A-Z_]+, )*_?(?!MAX)(\w+_)?(GENERIC|GLOBAL|SHARED|CONSTANT|LOCAL|PARAM|TENSOR|CLUSTER)(_SPACE)?\b"
        r"(, [A-Z_]+)*(: \w+)? = ([1-9]|\d+, \d)[\d, ]*$"
        r"|\b(addr(ess)?_)?space(_of\(.*\))? (==|!=) \d|\bpointer\([1-9]"
        r"|_?SPACES?\b[^=]* = (frozenset\()?[({]\d(?! <<)"
        r"|^\s+\d+: \"\.?(generic|global|shared|local|param)"
        r"|[{ ](1|3|5): \"\.?(global|shared|local)\"|\"(global|shared|local)\": (1|3|5)\b",
        ("ir/nvptx.py",),
        "if address_space_of(type_) == 3:",
    ),
    "atomic orderings": Fact(
        r"\b_?(NOT_ATOMIC|UNORDERED|MONOTONIC|ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b(, \w+)*(: \w+)? = (?!\")"
        r"|\"AtomicOrdering\"\]|^_?ORDERINGS = \($|ordering\"\)*(\[.*)? (==|!=|>|<|>=|<=) [1-9]",
        ("dialects/llvm/orderings.py",),
        "ACQ_REL, SEQ_CST = 6, 7",
    ),
    "the integer property of an op": Fact(
        r"def _?int_property\(", (ATTRIBUTES,), "def int_property(op, name):"
    ),
    "constant values": Fact(
        r"def _?is_constant\(\w+: SSAValue",
        ("dialects/llvm/constant_ops.py",),
        "def _is_constant(value: SSAValue) -> bool:",
    ),
    "the size of a warp": Fact(
        r"\b_?WARP(_SIZE)?\b(: \w+)? = \d", ("ir/nvptx.py",), "WARP_SIZE: Final = 32"
    ),
    "two's complement": Fact(
        r"^def _?(signed|signed64|unsigned|to_signed)\((?!a: Lanes|values: Seq)",
        ("dialects/llvm/integers.py", "lab/"),
        "def signed(value: int, width: int) -> int:",
    ),
    "strongly connected components": Fact(
        r"\blow(link)?\[\w+\] = min|\blow\[\w+\] < low\[|on_stack",
        ("ir/graphs.py",),
        "low[n] < low[m]",
    ),
    "the order of a call graph": Fact(
        r"def bottom_up", ("analysis/call_graph.py",), "def bottom_up(functions):"
    ),
    "stated alignments": Fact(
        r"properties(\.get\(\"alignment\"|\[\"alignment\"\](?! = ))",
        (ATTRIBUTES, "verify/op_rules.py"),
        'op.properties.get("alignment")',
    ),
    "the name of an intrinsic": Fact(
        r"properties(\.get\(\"intrin\"|\[\"intrin\"\](?! = ))",
        (ATTRIBUTES,),
        'cast(StringAttr, op.properties["intrin"]).data',
    ),
    "typed accessors": Fact(
        r"cast\(\"?(IntegerAttr|StringAttr|SymbolRefAttr|DenseArrayBase)\b[^\n]*"
        r"(\.value\.data|\)\.data\b(?!\.data)|\.root_reference\.data|\.get_values\(\))",
        (ATTRIBUTES, "dialects/llvm/integers.py", "dialects/llvm/flags.py"),
        'cast("IntegerAttr[Any]", op.properties["size"]).value.data',
    ),
}


SOURCES = {
    path.relative_to(PACKAGE).as_posix(): path.read_text() for path in sorted(PACKAGE.rglob("*.py"))
}


@cache
def code_of(path: str) -> list[str]:
    """The lines of a file, with docstrings and comments blanked."""
    lines = SOURCES[path].splitlines()
    for node in ast.walk(ast.parse(SOURCES[path])):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            for number in range(node.lineno - 1, node.end_lineno or node.lineno):
                lines[number] = ""
    return ["" if line.lstrip().startswith("#") else line for line in lines]


def lines_with(pattern: str, path: str) -> list[tuple[int, str]]:
    """The lines of a file's code that match, with their numbers.

    Only files with a match in any line are parsed.
    """
    search = re.compile(pattern).search
    if not any(map(search, SOURCES[path].splitlines())):
        return []
    return [(number, line) for number, line in enumerate(code_of(path), 1) if search(line)]


@pytest.mark.parametrize("name", FACTS)
def test_a_fact_is_defined_once(name: str):
    fact = FACTS[name]
    elsewhere = [
        f"{path}:{number}: {line.strip()}"
        for path in SOURCES
        if not path.startswith(fact.homes)
        for number, line in lines_with(fact.pattern, path)
    ]
    assert not elsewhere, f"{name}: written in {', '.join(fact.homes)}\n" + "\n".join(elsewhere)


@pytest.mark.parametrize("name", FACTS)
def test_patterns_of_shared_definitions_match_their_examples(name: str):
    fact = FACTS[name]
    assert re.search(fact.pattern, fact.example)
    for home in fact.homes:
        assert (PACKAGE / home).exists()
    assert any(lines_with(fact.pattern, path) for path in SOURCES if path.startswith(fact.homes)), (
        f"{name}: {fact.homes} does not contain it"
    )
