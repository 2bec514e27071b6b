"""docs/lowering.md has the instructions that the compiler emits, and each case once."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from dev import lowering_table
from dev.lowering_table import ARCHITECTURES, KINDS, TYPES, lowered, merged
from nvvm_xdsl.lab.memory_model.lowering import SCOPES, operations
from nvvm_xdsl.lab.memory_model.shapes import SPACES

PAGE = Path(lowering_table.__file__).parent.parent / "docs" / "lowering.md"

Key = tuple[str, str, str, str, str, str]
"""Operation, ordering, scope, type, space and architecture."""


@cache
def page() -> dict[Key, list[str]]:
    """The instructions of each case of the page."""
    found: dict[Key, list[str]] = {}
    for line in PAGE.read_text().splitlines():
        parts = [part.strip() for part in line.strip("|").split(" | ")]
        if not line.startswith("| ") or parts[0] not in KINDS.values():
            continue
        name, order, scopes, types, spaces, archs, text = parts
        for case in product(*(names.split(", ") for names in (scopes, types, spaces, archs))):
            found.setdefault((name, order, *case), []).append(text)
    return found


@pytest.mark.parametrize(
    ("kind", "type_", "space", "arch"),
    [
        ("load", "i32", "global", "sm_90"),
        ("store", "i16", "shared", "sm_80"),
        ("atomicrmw", "i8", "generic", "sm_70"),
        ("atomicrmw", "i128", "global", "sm_80"),
        ("cmpxchg-success", "i64", "global", "sm_100"),
        ("fence", "i32", "global", "sm_100"),
    ],
)
def test_the_page_has_the_instructions(kind: str, type_: str, space: str, arch: str) -> None:
    for operation, text in lowered(kind, type_, space, arch).items():
        order = operation.ordering
        if kind.startswith("cmpxchg"):
            order += f", failure {operation.failure}"
        case = ("", "") if kind == "fence" else (type_, space)
        key = (KINDS[kind], order, operation.scope or "system", *case, arch)
        assert page()[key] == [text], f"run {lowering_table.COMMAND}"


def test_each_case_has_one_row() -> None:
    plain = [operation for operation in operations(SCOPES) if operation.kind in KINDS]
    fences = sum(operation.kind == "fence" for operation in plain)
    cases = len(TYPES) * len(SPACES)
    count = ((len(plain) - fences) * cases + fences) * len(ARCHITECTURES)
    assert len(page()) == count
    assert all(len(texts) == 1 for texts in page().values())


def test_equal_cases_are_merged() -> None:
    texts = {("a", "x"): "1", ("a", "y"): "1", ("b", "x"): "1", ("b", "y"): "2"}
    assert merged(texts) == [
        ([["a"], ["x", "y"]], "1"),
        ([["b"], ["x"]], "1"),
        ([["b"], ["y"]], "2"),
    ]
