"""The litmus tests of the examples, and errors of the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model import axioms
from nvvm_xdsl.lab.memory_model.litmus import read_litmus
from nvvm_xdsl.lab.memory_model.relations import Relation
from nvvm_xdsl.lab.memory_model.search import PtxModel, outcomes
from nvvm_xdsl.lab.memory_model.traces import TooLargeError

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "litmus"
FILES = sorted(FOLDER.glob("*.litmus"))


def holds(text: str) -> bool:
    """Returns whether the condition of a test holds, without cached results of earlier tests."""
    test = read_litmus(text)
    return test.condition.holds([dict(o) for o in outcomes(test.program, PtxModel())])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_condition_holds(file: Path):
    assert holds(file.read_text())


def test_number_of_litmus_tests():
    assert len(FILES) >= 60


def _text(name: str) -> str:
    return (FOLDER / f"{name}.litmus").read_text()


def _nothing(skeleton: axioms.Skeleton, *_: object) -> Relation:
    return Relation.empty(skeleton.size)


def _false(*_: object) -> bool:
    return False


def _every_coherence(skeleton: axioms.Skeleton, causality: Relation) -> list[Relation]:
    """Coherence orders that ignore causality."""
    return list(axioms.coherence_orders(skeleton, Relation.empty(skeleton.size)))


@pytest.mark.parametrize(
    ("rule", "fault", "needed_by"),
    [
        ("synchronizes", _nothing, "mp"),
        ("observation_order", _nothing, "mp-through-atomic"),
        ("is_thin_air", _false, "lb-control"),
        ("violates_causality_of_reads", _false, "lb-release"),
        ("violates_communication", _false, "corr"),
        ("coherence_orders", _every_coherence, "s"),
        ("violates_fence_sc", _false, None),
        ("proxy_preserved", lambda s, base: base & s.same_cell, "proxy-surface"),
    ],
)
def test_every_axiom_is_needed(
    rule: str, fault: object, needed_by: str | None, monkeypatch: pytest.MonkeyPatch
):
    """A test fails without the axiom. "Fence-SC" follows from the orders that are enumerated."""
    monkeypatch.setattr(f"nvvm_xdsl.lab.memory_model.search.{rule}", fault)
    if needed_by is not None:
        assert not holds(_text(needed_by))


@pytest.mark.parametrize(
    ("before", "after", "message", "line"),
    [
        ("PTX CoRW", "AArch64 CoRW", "expected 'PTX'", 1),
        ("{ x = 0; }", "{ x + 0; }", "expected 'x = 1'", 3),
        ("P0@cta 0, gpu 0", "P0", "expected a thread such as", 4),
        ("ld.weak r0, x   |", "ld.weak r0, r7 |", "is in no variable", 5),
        ("ld.weak r0, x   |", "frobnicate r0, x |", "'frobnicate' is not supported", 5),
        ("st.weak x, 1 ", "bra LC99", "the label 'LC99' is not defined", 6),
        ("st.weak x, 1 ", "st.weak x, 1 | st.weak x, 2", "3 columns for 2 threads", 6),
        ("P0:r0 == 1", "P0:r0 1", "expected a comparison", 7),
        ("~exists", "maybe", "expected a condition", 8),
        ("P0:r0 == 1", "z == 1", "'z', which no thread accesses", 7),
    ],
)
def test_errors_have_a_location(before: str, after: str, message: str, line: int):
    text = _text("corw")
    assert before in text
    with pytest.raises(DiagnosticError) as caught:
        holds(text.replace(before, after))
    assert message in caught.value.message
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("limit", "part"), [(3, "3 combinations"), (1, "thread P0 has more than 1")]
)
def test_limit_of_traces(limit: int, part: str):
    """Each of the two threads has two traces."""
    program = read_litmus(_text("sb")).program
    assert len(outcomes(program, limit=4)) == 4
    with pytest.raises(TooLargeError, match=part):
        outcomes(program, limit=limit)


def test_loop_bound():
    text = _text("mp-loop").replace("forall (P1:r1 == 1)", "exists (P1:r0 == 1)")
    assert holds(text)
    test = read_litmus(text.replace("st.release.gpu y, 1", "st.release.gpu z, 1"))
    assert outcomes(test.program) == set()


@pytest.mark.parametrize(
    ("operands", "combined", "expected"),
    [
        ("0, 0, %p1", "and", 1),
        ("0, 1, %p1", "and", 0),
        ("0, 0, !%p1", "xor", 1),
        ("0, 1, %p1", "or", 1),
    ],
)
def test_comparisons_combined_with_a_predicate(operands: str, combined: str, expected: int):
    text = f"""PTX setp
{{ x = 0; }}
P0@cta 0, gpu 0 ;
setp.eq.b32 %p1, 1, 1 ;
setp.eq.{combined}.b32 %p2, {operands} ;
selp.b32 r0, 1, 0, %p2 ;
st.weak x, r0 ;
forall (x == {expected})
"""
    assert holds(text)


def test_outcomes_that_are_allowed_need_not_be_found():
    program = read_litmus(_text("mp")).program
    every = outcomes(program)
    for outcome in every:
        assert outcomes(program, is_allowed=every.difference({outcome}).__contains__) == {outcome}
    assert outcomes(program, is_allowed=every.__contains__) == set()
