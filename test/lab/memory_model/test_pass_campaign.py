"""Passes on random litmus programs, and faults that must be found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.orderings import ACQUIRE, ORDERING_ATTRIBUTES, SEQ_CST
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.memory_model import pass_campaign
from nvvm_xdsl.lab.memory_model.pass_campaign import PASSES, Counts, check_program
from nvvm_xdsl.lab.memory_model.random_litmus import SKELETONS, random_program
from nvvm_xdsl.lab.memory_model.search import Outcome, outcomes
from nvvm_xdsl.lab.memory_model.traces import Program
from nvvm_xdsl.pipeline import run_pipeline

SEEDS = (13, 14, 15, 16)
ATOMIC = ("llvm.load", "llvm.store", "llvm.atomicrmw", "llvm.fence")


def test_passes_add_no_outcome():
    counts = Counts()
    for seed in SEEDS:
        check_program(seed, counts)
    assert counts.failures == []
    assert counts.programs == len(SEEDS)
    assert len(counts.changed) > 3


@pytest.mark.parametrize(("seed", "checks"), [(14, 2), (16, 1)])
def test_a_program_is_checked_again_if_a_pass_changes_what_it_uses(
    seed: int, checks: int, monkeypatch: pytest.MonkeyPatch
):
    """`globalopt` replaces loads of the constant @c, and deletes @c if nothing uses it."""
    calls: list[Program] = []

    def counted(program: Program, *rest: Any) -> set[Outcome]:
        calls.append(program)
        return outcomes(program, *rest)

    monkeypatch.setattr(pass_campaign, "outcomes", counted)
    counts = Counts()
    check_program(seed, counts, ("globalopt",), False)
    assert counts.changed["globalopt"] == 1
    assert len(calls) == checks


def test_programs_are_those_of_their_seeds():
    assert random_program(7) == random_program(7)
    assert len({random_program(seed).text for seed in range(20)}) == 20
    assert len(SKELETONS) == 8


def _drop_orderings(module: ModuleOp, _: str) -> bool:
    for op in module.walk():
        if op.name in ATOMIC[:3] and int_property(op, "ordering") >= ACQUIRE:
            op.properties["ordering"] = ORDERING_ATTRIBUTES["monotonic"]
    return True


def _remove_fences(module: ModuleOp, _: str) -> bool:
    for op in list(module.walk()):
        if op.name == "llvm.fence":
            fast.erase(op)
    return True


def _narrow_scopes(module: ModuleOp, _: str) -> bool:
    for op in module.walk():
        if op.name in ATOMIC and int_property(op, "ordering"):
            op.properties["syncscope"] = StringAttr("block")
    return True


def _remove_barriers(module: ModuleOp, _: str) -> bool:
    for op in list(module.walk()):
        if op.name == "nvvm.barrier0":
            fast.erase(op)
    return True


def _weaken_total_order(module: ModuleOp, _: str) -> bool:
    for op in module.walk():
        if op.name in ATOMIC and int_property(op, "ordering") == SEQ_CST:
            weaker = {"llvm.load": "acquire", "llvm.store": "release"}.get(op.name, "acq_rel")
            op.properties["ordering"] = ORDERING_ATTRIBUTES[weaker]
    return True


@pytest.mark.parametrize(
    ("fault", "seeds"),
    [
        (_drop_orderings, (22, 26)),
        (_remove_fences, (58, 87)),
        (_narrow_scopes, (7, 13)),
        (_remove_barriers, (45, 46)),
        (_weaken_total_order, (51, 61)),
    ],
)
def test_planted_faults_are_found(fault: Callable[[ModuleOp, str], bool], seeds: Sequence[int]):
    counts = Counts()
    for seed in seeds:
        check_program(seed, counts, ("fault",), False, fault)
    assert counts.failures


@pytest.mark.parametrize(
    ("fault", "seed"), [(_drop_orderings, 22), (_remove_fences, 87), (_narrow_scopes, 13)]
)
def test_faults_are_found_after_each_pass(fault: Callable[[ModuleOp, str], bool], seed: int):
    def run(module: ModuleOp, name: str) -> bool:
        run_pipeline(module, name)
        return fault(module, name)

    missed: list[str] = []
    for name in PASSES:
        counts = Counts()
        check_program(seed, counts, (name,), False, run)
        if not counts.failures:
            missed.append(name)
    assert missed == []
