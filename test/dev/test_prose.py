"""Docstrings, comments and pages use standard terms; see docs/glossary.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dev.prose import FORBIDDEN, ROOTS, findings, prose_files

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("root", ROOTS)
def test_no_forbidden_phrase(root: str):
    files = prose_files(ROOT / root)
    assert files
    found = [f for path in files for f in findings(path)]
    assert [f"{f.path.relative_to(ROOT)}:{f.line}: {f.sentence} [{f.advice}]" for f in found] == []


EXAMPLES = {
    "a clause with 'what': use a noun": "Then what is left of it others delete.",
    "no main clause": "Of which bit of its operand each bit of a bitreverse is.",
    "'round': use iteration": "It would live in every round of the loop.",
    "'way': use path, predecessor or edge": "Only the first access on each way is taken.",
    "'meet': use reconverge or synchronize": "The block where threads meet again comes first.",
    "'stand': use is, appears or precedes": "The load stands in front of it.",
    "'told': use reported or passed": "The caller is told of the module.",
    "'who' for a program: use caller or user": "It is for whoever asks for the bits.",
    "a chain of pronouns": "Of the ops only those that it is are kept.",
    "'in front of' a block or op: use before": "It is placed in front of the branch.",
    "'anew': use again, or name the new object": "Has the facts found anew after that.",
    "'nobody' for an absent user": "It removes values that nobody reads any more.",
    "'made of': use operands or expression": "The values that it is made of those are.",
    "'has it' for a program: use 'as in LLVM'": "The order is as LLVM has it.",
    "'what errors call': use name": "It is what errors call the operand.",
    "'is no X': use is not a X": "An operand that is no constant is kept.",
    "'where there is none': use if": "The list is empty where there are none.",
    "'behind' an op or block: use after": "Code behind the loop uses the value.",
}


@pytest.mark.parametrize("advice", FORBIDDEN)
def test_each_pattern_finds_its_example(tmp_path: Path, advice: str):
    file = tmp_path / "x.py"
    file.write_text(f'"""{EXAMPLES[advice]}"""\n')
    assert re.search(FORBIDDEN[advice], EXAMPLES[advice])
    assert len(list(findings(file))) == 1


def test_comments_are_read(tmp_path: Path):
    file = tmp_path / "x.py"
    file.write_text(
        "x = 1  # the value is placed in\n# a register, or in front of it\n# and so on\n"
    )
    assert [f.line for f in findings(file)] == [1]


@pytest.mark.parametrize(("suffix", "mark"), [("mlir", "//"), ("ll", ";"), ("cu", "//")])
def test_comments_of_lit_tests_are_read(tmp_path: Path, suffix: str, mark: str):
    file = tmp_path / f"x.{suffix}"
    lines = ["RUN: opt in front of it", "The value is placed", "in front of the loop."]
    file.write_text("".join(f"{mark} {line}\n" for line in lines) + "in front of the code\n")
    assert [(f.line, f.sentence) for f in findings(file)] == [
        (2, "The value is placed in front of the loop.")
    ]


def test_number_signs_in_strings_start_no_comment(tmp_path: Path):
    file = tmp_path / "x.py"
    file.write_text("x = '# placed in front of it'  # the value is in front of it\n")
    assert [f.sentence for f in findings(file)] == ["the value is in front of it"]


def test_code_is_not_read(tmp_path: Path):
    file = tmp_path / "x.md"
    file.write_text(
        "Run this:\n\n```\nthe code in front of the loop\n```\n\nand `in front of` too, always.\n"
    )
    assert list(findings(file)) == []
