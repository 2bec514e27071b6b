"""The solvers give equal answers; Bitwuzla gets exactly the given terms."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("z3")

from nvvm_xdsl.lab.validation import solver
from nvvm_xdsl.lab.validation.smt import z3

A, B, NAMED = (z3.BitVec(name, 8) for name in ("a", "b", "%x.1 is 'named'"))


def bits_of(value: Any) -> Any:
    return z3.fpToIEEEBV(value)


def half(term: Any) -> Any:
    return z3.fpBVToFP(z3.Concat(term, term), z3.FPSort(5, 11))


SUM = z3.fpAdd(z3.RNE(), half(A), half(B))
QUESTIONS: dict[str, tuple[list[Any], str]] = {
    "signed product fits": ([z3.BVMulNoOverflow(A, B, True), z3.BVMulNoUnderflow(A, B), z3.SignExt(8, A * B) != z3.SignExt(8, A) * z3.SignExt(8, B)], "unsat"),
    "signed product overflows": ([z3.Not(z3.BVMulNoOverflow(A, B, True))], "sat"),
    "signed product underflows": ([z3.Not(z3.BVMulNoUnderflow(A, B)), A == 127, B == -2], "sat"),
    "signed product at the limit": ([z3.Not(z3.BVMulNoUnderflow(A, B)), A == 64, B == -2], "unsat"),
    "unsigned product fits": ([z3.BVMulNoOverflow(A, B, False), z3.ZeroExt(8, A * B) != z3.ZeroExt(8, A) * z3.ZeroExt(8, B)], "unsat"),
    "unsigned product at the limit": ([z3.Not(z3.BVMulNoOverflow(A, B, False)), A == 85, B == 3], "unsat"),
    "bits of a sum": ([z3.Not(z3.fpIsNaN(SUM)), bits_of(SUM) != bits_of(z3.fpAdd(z3.RNE(), half(B), half(A)))], "unsat"),
    "bits of bits": ([z3.Not(z3.fpIsNaN(SUM)), bits_of(z3.fpNeg(z3.fpBVToFP(bits_of(SUM), z3.FPSort(5, 11)))) != bits_of(SUM) ^ 0x8000], "unsat"),
    "remainder": ([z3.URem(A, B) == 7, z3.UDiv(A, B) == 3], "sat"),
    "function": ([z3.Function("f", z3.BitVecSort(8), z3.BitVecSort(8))(A) != z3.Function("f", z3.BitVecSort(8), z3.BitVecSort(8))(B), A == B], "unsat"),
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_solvers_agree(name: str):
    pytest.importorskip("bitwuzla")
    conditions, expected = QUESTIONS[name]
    for ask in (solver.ask_z3, solver.ask_bitwuzla, solver.solve):
        assert ask(conditions, 60.0).answer == expected


def test_models_have_the_names_of_variables():
    pytest.importorskip("bitwuzla")
    flag = z3.Bool("is poison")
    found = solver.ask_bitwuzla([NAMED == 250, flag], 60.0)
    assert {name: str(value) for name, value in found.model.items()} == {
        "%x.1 is 'named'": "250",
        "is poison": "True",
    }


def test_bitwuzla_does_not_decide_quantifiers_for_solve():
    pytest.importorskip("bitwuzla")
    assert solver.solve([z3.ForAll([A], z3.ULE(A, B)), B != 255], 60.0).answer == "unsat"


def test_z3_alone(monkeypatch: pytest.MonkeyPatch):
    def missing() -> None:
        return None

    monkeypatch.setattr(solver, "bitwuzla", missing)
    assert solver.ask_bitwuzla([A == 1], 10.0).answer == "unknown"
    assert solver.solve([z3.URem(A, B) == 7], 60.0).answer == "sat"


def test_no_time():
    assert solver.solve([A * B == B * A + 1, A > 3], 0.0).answer in ("unknown", "unsat")
