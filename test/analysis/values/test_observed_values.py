"""Compares facts of analyses with the values of kernels in the simulator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.observed import observe
from helpers.scale import SCALE
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, OpResult, SSAValue

from dev.example_launches import launches_of
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, AliasResult, Location
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.lab.random_kernels.shapes import SWARM

EXAMPLES = Path(__file__).parents[3] / "examples"
SEEDS = 6 * SCALE
"""Kernels."""


class Checker:
    """Compares each value with the facts of the analyses."""

    def __init__(self) -> None:
        self.am = AnalysisManager()
        self.values = 0
        self.pairs = 0
        self._said: dict[SSAValue, tuple[Any, ...]] = {}
        self._accesses: dict[Operation, dict[SSAValue, list[Location]]] = {}
        self._pointers: dict[Operation, dict[SSAValue, dict[tuple[int, int], int]]] = {}
        self._verdicts: dict[tuple[SSAValue, SSAValue], list[tuple[int, int, AliasResult]]] = {}

    def see(self, value: SSAValue, block: Any, lanes: Any, numbers: list[int]) -> None:
        self.values += len(numbers)
        sets, is_uniform = self._about(value)
        for number in set(numbers):
            for name, found, mask in sets:
                contains = found.allows if name == "bits" else found.contains
                assert contains(number & mask), f"{value}: {name} {found} lacks {number & mask}"
        if is_uniform:
            warps: dict[int, int] = {}
            for lane, number in zip(lanes, numbers):
                first = warps.setdefault(int(lane) // WARP_SIZE, number)
                assert first == number, f"{value} is not uniform"
        if isinstance(value.type, LLVMPointerType):
            here = {(id(block), int(lane)): n for lane, n in zip(lanes, numbers)}
            self._see_pointer(value, here)

    def _about(self, value: SSAValue) -> tuple[list[tuple[str, Any, int]], bool]:
        known = self._said.get(value)
        if known is None:
            home = defining_block(value)
            func = home.parent_op()
            assert func is not None
            se = self.am.get(ScalarEvolution, func)
            sets: list[tuple[str, Any, int]] = []
            width = integer_width(value.type)
            if width:
                mask = (1 << width) - 1
                fact = self.am.get(ValueTracking, func).fact(value)
                lazy = self.am.get(LazyValueInfo, func).range_in_block(value, home)
                sets += [("bits", fact.bits, mask), ("range", fact.range, mask)]
                sets += [("range in the block", lazy, mask)]
            expression = se.get(value)
            if expression is not se.could_not_compute:
                for signed in (False, True):
                    found = se.range(expression, signed=signed)
                    sets.append((f"{expression} in", found, (1 << found.width) - 1))
            uniform = self.am.get(Uniformity, func).is_uniform(value)
            known = self._said[value] = (sets, uniform)
        return known[0], known[1]

    def _see_pointer(self, value: SSAValue, here: dict[tuple[int, int], int]) -> None:
        func = defining_block(value).parent_op()
        assert func is not None
        accesses = self._accesses_of(func)
        if value not in accesses:
            return
        earlier = self._pointers.setdefault(func, {})
        for other, seen in earlier.items():
            if other is value or other.type != value.type:
                continue
            for size, other_size, message in self._verdict(func, other, value):
                for lane, number in here.items():
                    if lane not in seen:
                        continue
                    self.pairs += 1
                    distance = number - seen[lane]
                    meet = -size < distance < other_size
                    expected = {
                        AliasResult.NO: not meet,
                        AliasResult.MUST: distance == 0 and size == other_size,
                        AliasResult.PARTIAL: meet,
                        AliasResult.MAY: True,
                    }
                    assert expected[message], f"{message} of {other} and {value}, {distance} apart"
        earlier.setdefault(value, {}).update(here)

    def _accesses_of(self, func: Operation) -> dict[SSAValue, list[Location]]:
        found = self._accesses.get(func)
        if found is None:
            found = self._accesses[func] = {}
            alias = self.am.get(AliasAnalysis, func)
            for block in fast.blocks_of(func.regions[0]):
                for op in fast.ops_of(block):
                    location = alias.location(op)
                    if location is not None and location.size is not None:
                        found.setdefault(location.pointer, []).append(location)
        return found

    def _verdict(
        self, func: Operation, one: SSAValue, two: SSAValue
    ) -> list[tuple[int, int, AliasResult]]:
        """Compares the alias results of two accesses; the first pointer is available where the second is."""
        known = self._verdicts.get((one, two))
        if known is None:
            known = self._verdicts[one, two] = []
            if self._comes_before(func, one, two):
                accesses = self._accesses_of(func)
                alias = self.am.get(AliasAnalysis, func)
                known += [
                    (b.size or 0, a.size or 0, alias.alias(a, b))
                    for a in accesses[one]
                    for b in accesses[two]
                ]
        return known

    def _comes_before(self, func: Operation, one: SSAValue, two: SSAValue) -> bool:
        home, other = defining_block(one), defining_block(two)
        if home is not other:
            return self.am.get(DominatorTree, func).dominates(home, other)
        if not isinstance(two, OpResult) or not isinstance(one, OpResult):
            return isinstance(two, OpResult)
        at: Operation | None = one.op
        while at is not None and at is not two.op:
            at = at.next_op
        return at is not None


def check(module: ModuleOp, launches: list[Launch]) -> Checker:
    checker = Checker()
    observe(module, launches, checker.see)
    return checker


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_kernels(seed: int):
    # These kinds load values outside of the stated range, which are poison.
    shapes = f"{SWARM},stated-loads=0,stated-joins=0"
    checker = check(random_kernel(seed, 100, shapes), random_launches(seed))
    assert checker.values > 0


@pytest.mark.parametrize("name", ["histogram.ll", "scan.ll", "local_array.ll", "local_array.O0.ll"])
def test_examples(name: str):
    module = read_ll((EXAMPLES / name).read_text(), name)
    checker = check(module, [found.launch for found in launches_of(name.split(".")[0])][:1])
    assert checker.values > 0
    assert checker.pairs > 0 or not name.startswith("local_array")
