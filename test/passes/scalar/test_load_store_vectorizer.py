"""Conditions of `load-store-vectorizer`: which accesses are merged, and the merged ones."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare void @stop()
define void @f(ptr align {align} %p, ptr noalias align 16 %q, i32 %x, i32 %y) {{
{body}
ret void
}}
!1 = distinct !{{!1}}
!2 = distinct !{{!2, !1}}
!3 = !{{!2}}
"""


def function_after(body: str, align: int = 16) -> Operation:
    module = read_ll(TEXT.format(body=body, align=align))
    run_pipeline(module, "load-store-vectorizer")
    module.verify()
    return function(module)


def merged(func: Operation) -> list[str]:
    """Returns the kinds and types of the accesses of vectors."""
    found: list[str] = []
    for op in func.walk():
        if op.name in ("llvm.load", "llvm.store"):
            type_ = op.results[0].type if op.results else op.operands[0].type
            if isinstance(type_, VectorType):
                found.append(f"{op.name.removeprefix('llvm.')} {type_}")
    return found


def pair(type_: str, offset: int) -> str:
    """Returns loads of two neighbours, which are stored separately."""
    return (
        f"%p1 = getelementptr i8, ptr %p, i64 {offset}\n%a = load {type_}, ptr %p\n%b = load {type_}, ptr %p1\n"
        f"store volatile {type_} %a, ptr %q\nstore volatile {type_} %b, ptr %q"
    )


TYPES = {
    "i8": (1, "vector<2xi8>"), "i16": (2, "vector<2xi16>"), "half": (2, "vector<2xf16>"), "float": (4, "vector<2xf32>"),
    "double": (8, "vector<2xf64>"), "ptr": (8, "vector<2xi64>"), "<2 x half>": (4, "vector<2xi32>"),
    "<2 x bfloat>": (4, "vector<2xi32>"), "<2 x float>": (8, "vector<4xf32>"),
    "<2 x i16>": (4, ""), "<4 x i8>": (4, ""), "<4 x half>": (8, ""), "i24": (3, ""), "i33": (8, ""), "i128": (16, ""), "i1": (1, ""),
    "{i32, i32}": (8, ""), "[2 x i32]": (8, ""), "{}": (0, ""),
}  # fmt: skip


@pytest.mark.parametrize("type_", TYPES)
def test_elements(type_: str):
    offset, whole = TYPES[type_]
    loads = [op for op in function_after(pair(type_, offset)).walk() if op.name == "llvm.load"]
    assert len(loads) == (1 if whole else 2)
    assert not whole or str(loads[0].results[0].type) == whole


ALIGNED = "%v = load <2 x i32>, ptr %p, align 8\nstore volatile <2 x i32> %v, ptr %q\n"
UNALIGNED = pair("i32", 4)
ALIGNMENTS = {
    "stated by an access before": (f"{ALIGNED}{UNALIGNED}", True),
    "stated by an access behind": (f"{UNALIGNED}\n{ALIGNED}", True),
    "stated by an element": (UNALIGNED.replace("%a = load i32, ptr %p", "%a = load i32, ptr %p, align 8"), True),
    "not stated": (UNALIGNED, False),
    "stated by an access that may not be reached": (f"{UNALIGNED}\ncall void @stop()\n{ALIGNED}", False),
    "stated behind a call that may not return": (f"call void @stop()\n{ALIGNED}{UNALIGNED}", True),
}  # fmt: skip


@pytest.mark.parametrize("why", ALIGNMENTS)
def test_alignment(why: str):
    body, is_merged = ALIGNMENTS[why]
    func = function_after(body, align=4)
    singles = [
        op
        for op in func.walk()
        if op.name == "llvm.load" and not isinstance(op.results[0].type, VectorType)
    ]
    assert len(singles) == (0 if is_merged else 2)


def test_an_access_without_an_alignment_has_that_of_its_type():
    module = parse_module(
        "llvm.func @f(%p: !llvm.ptr<1>, %q: !llvm.ptr<3>) {\n%v = llvm.load %p : !llvm.ptr<1> -> vector<2xf32>\n"
        "%p1 = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n"
        "%a = llvm.load %p : !llvm.ptr<1> -> i32\n%b = llvm.load %p1 : !llvm.ptr<1> -> i32\n"
        "%c = llvm.add %a, %b : i32\nllvm.store volatile %c, %q : i32, !llvm.ptr<3>\n"
        "llvm.store volatile %v, %q : vector<2xf32>, !llvm.ptr<3>\nllvm.return\n}"
    )
    run_pipeline(module, "load-store-vectorizer")
    assert "load vector<2xi32>" in merged(function(module))


def addresses(func: Operation) -> int:
    return sum(op.name == "llvm.getelementptr" for op in func.walk())


STORES = "%{0} = getelementptr i8, ptr %p, i64 {1}\nstore i32 %x, ptr %{0}\n"


def test_the_first_address_of_stores_is_used():
    func = function_after(STORES.format("a", 8) + STORES.format("b", 12))
    assert merged(func) == ["store vector<2xi32>"]
    assert addresses(func) == 1


def test_an_address_of_another_block_is_used():
    func = function_after(
        "%a = getelementptr i8, ptr %p, i64 8\n%b = getelementptr i8, ptr %p, i64 12\nbr label %next\nnext:\n"
        "%d = load i32, ptr %b\n%c = load i32, ptr %a\nstore volatile i32 %c, ptr %q\nstore volatile i32 %d, ptr %q"
    )
    assert merged(func) == ["load vector<2xi32>"]
    assert addresses(func) == 1
    (gep,) = (op for op in func.walk() if op.name == "llvm.getelementptr")
    assert gep.parent is func.regions[0].blocks[0]


@pytest.mark.parametrize(("first", "second"), [("!3", "!3"), ("!3", ""), ("", "!3")])
def test_only_common_scopes_remain(first: str, second: str):
    scopes = [f", !alias.scope {scope}" if scope else "" for scope in (first, second)]
    body = UNALIGNED.replace("%a = load i32, ptr %p", f"%a = load i32, ptr %p{scopes[0]}").replace(
        "%b = load i32, ptr %p1", f"%b = load i32, ptr %p1{scopes[1]}"
    )
    (load,) = (op for op in function_after(body).walk() if op.name == "llvm.load")
    assert ("alias_scopes" in load.properties) == (first == second)
