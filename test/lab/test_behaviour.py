"""assert_same_behaviour itself: its report, and that it finds the pass."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab import (
    BehaviourError,
    InvalidKernelError,
    Launch,
    assert_same_behaviour,
    find_difference,
)
from nvvm_xdsl.lab.behaviour import Comparison
from nvvm_xdsl.lab.launches import equal
from nvvm_xdsl.passes.machine.machine_cp import MachineCopyPropagation
from nvvm_xdsl.passes.scalar.dce import DCE

TEXT = """\
define ptx_kernel void @k(ptr %a, i32 %n) {
  %p = alloca i32
  store i32 %n, ptr %p
  %x = load i32, ptr %p
  %y = mul i32 %x, 3
  store i32 %y, ptr %a
  ret void
}
"""


def module() -> ModuleOp:
    return read_ll(TEXT)


def launches() -> list[Launch]:
    return [Launch("k", 1, 1, (np.zeros(1, np.int32), 5))]


def add_for_multiply(unit) -> bool:
    """The wrong rewrite of these tests."""
    changed = False
    for op in list(unit.walk()):
        if op.name == "llvm.mul":
            types = [op.results[0].type]
            new = fast.create(AddOp, fast.operands_of(op), types, dict(op.properties))
            fast.insert_before(new, op)
            fast.replace_op(op, [new.results[0]])
            changed = True
    return changed


def test_a_correct_pipeline_passes():
    assert_same_behaviour(module(), "sroa,mem2reg,early-cse,dce", launches())
    assert_same_behaviour(module(), "", launches())


def test_a_function_can_be_the_pipeline():
    with pytest.raises(BehaviourError) as caught:
        assert_same_behaviour(module(), add_for_multiply, launches(), machine=False)
    assert "was np.int32(15) and is np.int32(8)" in str(caught.value)
    assert "llvm.mul" in caught.value.module_text


def test_the_module_is_not_changed():
    before = str(given := module())
    find_difference(given, "nvopt<O3>", launches())
    assert str(given) == before


def test_bisection_names_the_pass(monkeypatch: pytest.MonkeyPatch):
    right = DCE.run_on_function

    def broken(self, func, am):
        return right(self, func, am) | add_for_multiply(func)

    monkeypatch.setattr(DCE, "run_on_function", broken)
    found = find_difference(module(), "sroa,early-cse,dce,simplifycfg", launches(), machine=False)
    assert found is not None
    assert found.stage == "pipeline"
    assert " dce on k" in found.culprit


def test_a_kernel_with_errors_before_the_pipeline_is_rejected():
    broken = read_ll(TEXT.replace("store i32 %n, ptr %p\n", ""))
    with pytest.raises(InvalidKernelError, match="undefined"):
        assert_same_behaviour(broken, "dce", launches())


def test_arrays_are_copied_for_each_run():
    launch = launches()[0]
    assert find_difference(module(), "dce", [launch]) is None
    assert launch.args[0].tolist() == [0]


def test_equality_of_floats():
    nan = np.array([0x7FC00001, 0x7F800000], np.uint32).view(np.float32)
    other = np.array([0x7FFFFFFF, 0x7F800000], np.uint32).view(np.float32)
    assert equal(nan, other).tolist() == [True, True]
    assert equal(np.array([0.0], np.float32), np.array([-0.0], np.float32)).tolist() == [False]
    assert equal(np.array([1.0]), np.array([1.0 + 1e-9]), tolerance=1e-6).tolist() == [True]
    pair = np.dtype([("a", "i4"), ("b", "f4", 2)])
    x, y = np.zeros(2, pair), np.zeros(2, pair)
    y["b"][1, 1] = 3
    assert equal(x, y).tolist() == [True, False]


@pytest.mark.parametrize("each", [True, False])
def test_a_wrong_machine_pass_is_named(monkeypatch: pytest.MonkeyPatch, each: bool):
    """Whether machine code is run after each pass or only after the last one."""
    ran: list[str] = []

    def wrong(self, func, am) -> bool:
        ran.append(self.name)
        stores = [op for op in func.walk() if op.name.startswith("nvptx.st")]
        for op in stores:
            fast.erase(op)
        return bool(stores)

    monkeypatch.setattr(MachineCopyPropagation, "run_on_function", wrong)
    comparison = Comparison(module(), launches(), each_machine_pass=each)
    found = comparison.difference("")
    assert found is not None
    assert found.stage == MachineCopyPropagation.name
    assert ran


def test_machine_code_is_run_once_if_only_the_last_pass_is_checked(
    monkeypatch: pytest.MonkeyPatch,
):
    runs: list[str] = []
    compare = Comparison._compare

    def counted(self, program, stage, **more):
        runs.append(stage)
        return compare(self, program, stage, **more)

    monkeypatch.setattr(Comparison, "_compare", counted)
    comparison = Comparison(module(), launches(), each_machine_pass=False)
    assert comparison.difference("") is None
    assert runs == ["selection"]
    runs.clear()
    comparison = Comparison(module(), launches())
    assert comparison.difference("") is None
    assert len(runs) > 1
