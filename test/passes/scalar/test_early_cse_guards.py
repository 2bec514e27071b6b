"""Conditions of `early-cse` for memory: each case is a function and its loads and stores afterwards."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare void @reads() memory(read) nounwind willreturn
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i32>)
declare void @ends() memory(none)
define void @f(ptr %p, ptr %q, <2 x ptr> %v, i32 %a, i32 %b, i64 %w, i1 %c) {{
  {body}
}}
"""


def ops_after(body: str, pipeline: str = "early-cse") -> list[str]:
    """Returns the names of the ops after the pass."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    return [op.name for op in module.walk()]


def kept(body: str, pipeline: str = "early-cse") -> tuple[int, int]:
    """Returns the numbers of loads and stores."""
    names = ops_after(body, pipeline)
    return names.count("llvm.load"), names.count("llvm.store")


LOADED = "%x = load i32, ptr %p\n"
AGAIN = "%y = load i32, ptr %p\nstore i32 %y, ptr %q\nret void"
CASES = {
    "the same load twice": (f"{LOADED}{AGAIN}", (1, 1)),
    "past an op without effects on memory": (f"{LOADED}%s = alloca i32\n{AGAIN}", (1, 1)),
    "not past a store": (f"{LOADED}store i32 1, ptr %q\n{AGAIN}", (2, 2)),
    "not if the first load is volatile": (f"{LOADED.replace('load', 'load volatile')}{AGAIN}", (2, 1)),
    "not if the second load is volatile": (
        f"{LOADED}{AGAIN.replace('load i32', 'load volatile i32')}", (2, 1),
    ),
    "not if the types differ": (
        "%x = load float, ptr %p\nstore float %x, ptr %q\n"
        "%y = load i32, ptr %p\nstore i32 %y, ptr %q\nret void",
        (2, 2),
    ),
    "a store and a load": (f"store i32 %a, ptr %p\n{AGAIN}", (0, 2)),
    "not if the store is volatile": (f"store volatile i32 %a, ptr %p\n{AGAIN}", (1, 2)),
    "a loaded value is stored": (f"{LOADED}store i32 %x, ptr %p\nret void", (1, 0)),
    "not if another value is stored": (f"{LOADED}store i32 %a, ptr %p\nret void", (1, 1)),
    "not if its store is volatile": (f"{LOADED}store volatile i32 %x, ptr %p\nret void", (1, 1)),
    "one store after the other": ("store i32 %a, ptr %p\nstore i32 %b, ptr %p\nret void", (0, 1)),
    "with an op without effects in between": (
        "store i32 %a, ptr %p\n%s = alloca i32\nstore i32 %b, ptr %p\nret void", (0, 1),
    ),
    "not if the first store is volatile": (
        "store volatile i32 %a, ptr %p\nstore i32 %b, ptr %p\nret void", (0, 2),
    ),
    "not if the second store is smaller": (
        "store i64 %w, ptr %p\nstore i32 %b, ptr %p\nret void", (0, 2),
    ),
    "not if a load is in between": (
        "store i32 %a, ptr %p\n%x = load i32, ptr %q\nstore i32 %b, ptr %p\n"
        "store i32 %x, ptr %q\nret void",
        (1, 3),
    ),
    "not if a call in between reads": (
        "store i32 %a, ptr %p\ncall void @reads()\nstore i32 %b, ptr %p\nret void", (0, 2),
    ),
    "not if a removable op in between reads": (
        "store i32 %a, ptr %p\n%g = call <2 x i32> @llvm.masked.gather.v2i32.v2p0("
        "<2 x ptr> %v, i32 4, <2 x i1> <i1 true, i1 true>, <2 x i32> poison)\n"
        "store i32 %b, ptr %p\nstore <2 x i32> %g, ptr %q\nret void",
        (0, 3),
    ),
    "not if a call in between may not return": (
        "store i32 %a, ptr %p\ncall void @ends()\nstore i32 %b, ptr %p\nret void", (0, 2),
    ),
    "a sibling does not see a store": (
        f"{LOADED}br i1 %c, label %one, label %other\none:\nstore i32 %a, ptr %p\nret void\n"
        f"other:\n{AGAIN}",
        (1, 2),
    ),
    "the other sibling does not see a store": (
        f"{LOADED}br i1 %c, label %other, label %one\none:\nstore i32 %a, ptr %p\nret void\n"
        f"other:\n{AGAIN}",
        (1, 2),
    ),
    "not behind a join that one side stores before": (
        f"{LOADED}br i1 %c, label %one, label %other\none:\nstore i32 %a, ptr %p\nbr label %other\n"
        f"other:\n{AGAIN}",
        (2, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_memory(why: str):
    body, left = CASES[why]
    assert kept(body) == left


def test_a_simplified_op_is_erased():
    names = ops_after("%x = add i32 %a, 0\nstore i32 %x, ptr %p\nret void")
    assert "llvm.add" not in names


def test_a_stored_value_is_available_past_a_store_to_another_object():
    """Only MemorySSA shows that the second store writes another slot."""
    body = (
        "%s = alloca i32\n%t = alloca i32\nstore i32 %a, ptr %s\nstore i32 %b, ptr %t\n"
        "%x = load i32, ptr %s\nstore i32 %x, ptr %p\nret void"
    )
    assert kept(body) == (1, 3)
    assert kept(body, "early-cse<memssa>") == (0, 3)


@pytest.mark.parametrize(
    ("first", "second", "left"), [("!0", "!0", True), ("!0", "!1", False), ("!0", "", False)]
)
def test_a_load_keeps_only_facts_that_both_loads_state(first: str, second: str, left: bool):
    loads = [f"load i32, ptr %p{f', !range {node}' if node else ''}" for node in (first, second)]
    module = read_ll(
        f"define i32 @f(ptr %p) {{\n%x = {loads[0]}\n%y = {loads[1]}\nret i32 %y\n}}\n"
        "!0 = !{i32 0, i32 2}\n!1 = !{i32 0, i32 3}\n"
    )
    run_pipeline(module, "early-cse")
    (load,) = (op for op in module.walk() if op.name == "llvm.load")
    assert ("llvm.range" in load.attributes) == left
