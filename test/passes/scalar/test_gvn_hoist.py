"""gvn-hoist: its reported change, and the cost of its search for stores on one path."""

from __future__ import annotations

from typing import Any

import pytest

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline


def diamond(one: str, other: str) -> str:
    return f"""
    define i32 @f(i32 %x, i32 %y, i1 %c) {{
      br i1 %c, label %a, label %b
    a:
      %p = sdiv i32 {one}
      ret i32 %p
    b:
      %q = sdiv i32 {other}
      ret i32 %q
    }}"""


def test_a_change_is_reported():
    assert run_pipeline(read_ll(diamond("%x, %y", "%x, %y")), "gvn-hoist")
    assert not run_pipeline(read_ll(diamond("%x, %y", "%y, %x")), "gvn-hoist")


def nest(depth: int) -> str:
    """Nested ifs; a store in each before the next, and an equal one after each."""
    lines = ["define void @f(ptr %p, i1 %c) {", "  br label %if0"]
    for i in range(depth):
        lines += [f"if{i}:", f"  br i1 %c, label %then{i}, label %join{i}"]
        lines += [f"then{i}:", f"  store i32 {i}, ptr %p", f"  br label %if{i + 1}"]
    lines += [f"if{depth}:", "  call void @g()", f"  br label %join{depth - 1}"]
    for i in reversed(range(depth)):
        lines += [f"join{i}:", f"  store i32 {i}, ptr %p"]
        lines.append(f"  br label %join{i - 1}" if i else "  ret void")
    return "\n".join([*lines, "}", "declare void @g()"])


def test_the_search_for_stores_on_one_path_is_short(monkeypatch: pytest.MonkeyPatch):
    """It does not visit all blocks between two stores."""
    looked_up = 0

    class Counting(list[list[int]]):
        def __getitem__(self, index: Any) -> Any:
            nonlocal looked_up
            looked_up += 1
            return super().__getitem__(index)

    stock = CFG.__init__

    def counting(self: CFG, region: Any) -> None:
        stock(self, region)
        self.predecessors = Counting(self.predecessors)

    monkeypatch.setattr(CFG, "__init__", counting)
    counts: list[int] = []
    for depth in (20, 80):
        looked_up = 0
        module = read_ll(nest(depth))
        looked_up = 0
        assert not run_pipeline(module, "gvn-hoist")
        counts.append(looked_up)
    assert counts[0]
    assert counts[1] < 6 * counts[0]
