"""Every claim of the five documents has a test, and every deviation is recorded in docs/deviations.md.

`NNN.txt` is the table of document NNN. A line is one claim:

    heading in the document | claim | status | tests

The status is `as written`, `missing`, or `deviation: HEADING`, a heading or number (`C13`) in
docs/deviations.md. Tests are paths below test/: `file.py::function`, or a lit file, with `@name` for the
checks of one function in it. A claim whose chosen behaviour deviates names the test of that behaviour.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
TESTS = HERE.parent
DEVIATIONS = TESTS.parent / "docs" / "deviations.md"
TESTING = TESTS.parent / "docs" / "testing.md"
DOCUMENTS = ("000", "001", "002", "003", "004")
DEVIATION = "deviation: "


class Claim(NamedTuple):
    """One line of a table."""

    position: str
    text: str
    status: str
    tests: tuple[str, ...]


def table_of(document: str) -> tuple[str, list[Claim]]:
    """Returns the stated counts of a table, and its claims."""
    counts = ""
    claims: list[Claim] = []
    for number, line in enumerate((HERE / f"{document}.txt").read_text().splitlines(), 1):
        if line.startswith("# counts: "):
            counts = line.removeprefix("# counts: ")
        if not line or line.startswith("#"):
            continue
        parts = [part.strip() for part in line.split(" | ")]
        assert [*map(bool, parts)] == [True] * 4, f"{document}.txt:{number}: {line}"
        position, text, status, tests = parts
        claims.append(Claim(position, text, status, tuple(tests.split())))
    return counts, claims


@cache
def functions_in(path: Path) -> frozenset[str]:
    """Returns the test functions that pytest collects from a file."""
    tree = ast.parse(path.read_text())
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def is_test(name: str) -> bool:
    """Returns whether a table's test exists."""
    path, separator, function = name.partition("::")
    if separator:
        file = TESTS / path
        return file.name.startswith("test_") and file.is_file() and function in functions_in(file)
    path, separator, label = name.partition("@")
    file = TESTS / path
    if not file.is_file() or file.suffix not in (".mlir", ".ll"):
        return False
    text = file.read_text()
    if "RUN:" not in text:
        return False
    return not separator or re.search(rf"LABEL:.*[@ ]{re.escape(label)}\b", text) is not None


@cache
def recorded_deviations() -> frozenset[str]:
    """Returns the headings and numbers of docs/deviations.md."""
    text = DEVIATIONS.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    headings += re.findall(r"^\*\*(.+?)\.?\*\*", text, re.MULTILINE)
    return frozenset([*headings, *re.findall(r"^\| (C\d\d) \|", text, re.MULTILINE)])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_claim_has_an_existing_test(document: str):
    _, claims = table_of(document)
    absent = [(c.text, name) for c in claims for name in c.tests if not is_test(name)]
    assert not absent


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_deviation_is_recorded(document: str):
    _, claims = table_of(document)
    for claim in claims:
        if claim.status.startswith(DEVIATION):
            heading = claim.status.removeprefix(DEVIATION)
            assert heading in recorded_deviations(), claim.text
        else:
            assert claim.status in ("as written", "missing"), claim.text


@pytest.mark.parametrize("document", DOCUMENTS)
def test_claims_are_counted_and_distinct(document: str):
    counts, claims = table_of(document)
    statuses = [c.status.partition(":")[0] for c in claims]
    as_written, deviations, missing = map(statuses.count, ("as written", "deviation", "missing"))
    assert counts == f"{as_written} as written, {deviations} deviations, {missing} missing"
    assert len({(c.position, c.text) for c in claims}) == len(claims)
    row = rf"^\| {document}, [^|]+ \| {as_written} \| {deviations} \| {missing} \|$"
    assert re.search(row, TESTING.read_text(), re.MULTILINE)


def test_references_to_nothing_are_found():
    """The checks above reject a test, a label and a file that do not exist."""
    assert is_test("claims/test_claims.py::test_references_to_nothing_are_found")
    assert not is_test("claims/test_claims.py::test_nothing")
    assert not is_test("claims/test_nothing.py::test_nothing")
    assert is_test("passes/machine/branch_folder.mlir@returns")
    assert not is_test("passes/machine/branch_folder.mlir@nothing")
    assert not is_test("passes/machine/nothing.mlir")
    assert "C13" in recorded_deviations()
    assert "C01" not in recorded_deviations()
