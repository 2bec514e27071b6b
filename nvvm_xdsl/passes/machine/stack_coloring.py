"""Shares memory among variables of the stack frame that are never live at once.

    nvptx.local @a 400 align 4                       nvptx.local @a 400 align 8
    nvptx.local @b 320 align 8
    ... only @a is used ...                  ->      ...
    ... only @b is used ...                          ... @a is used for it ...

A variable is live at a point if an access before it, on some path, and one after it, on some path,
may access the variable; its contents are unused before the first and after the last access. A
variable whose address is stored or passed to a function is live from there on all paths. Variables
with disjoint live ranges share a slot: the largest first, each in the first free slot (LLVM's
StackColoring does so with lifetime markers, which are no longer available here).

NVIDIA's reuse-local-memory does this on IR: the resulting frames equal cicc 13.0's for arrays in
separate scopes, consecutive in one scope, and on the two sides of a branch. Here it runs after
frame layout, when no later pass moves an access.

Knobs: no-stack-coloring of LLVM is the parameter `no-stack-coloring`, disable-reuse-local-memory of cicc as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.machine.memory_accesses import access_of
from nvvm_xdsl.analysis.machine.pointers import origins_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, LocalOp, local_variable
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import PredRegister
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import (
    MachineFunctionPass,
    rename_symbols,
    shares_registers,
    symbols_of,
)


@dataclass(frozen=True)
class StackColoring(MachineFunctionPass):
    """Shares memory among variables of the stack frame."""

    name = "stack-coloring"
    title: ClassVar[str] = "StackColoring"
    knobs: ClassVar[Mapping[str, str]] = {"disable-reuse-local-memory": "no-stack-coloring"}

    stack_coloring: bool = True
    """Enables the pass."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        variables = [op for op in fast.ops_of(func.body.blocks[0]) if isinstance(op, LocalOp)]
        if not self.stack_coloring or len(variables) < 2 or shares_registers(func):
            return False
        meets = _find_meetings(CFG(func.body), _find_uses(func, variables), len(variables))
        places: list[_Place] = []
        for number in sorted(range(len(variables)), key=lambda n: -variables[n].size):
            for place in places:
                if not (meets[number] & place.held or place.met >> number & 1):
                    break
            else:
                place = _Place()
                places.append(place)
            place.variables.append(variables[number])
            place.held |= 1 << number
            place.met |= meets[number]
        if len(places) == len(variables):
            return False
        _share(func, [place.variables for place in places])
        return True


@dataclass
class _Place:
    """Memory of the frame: its variables, also as bits, and the variables that they interfere
    with."""

    variables: list[LocalOp] = field(default_factory=list[LocalOp])
    held: int = 0
    met: int = 0


@dataclass(frozen=True)
class _Use:
    """An op that may access some variables, and captures the addresses of some: bits by number."""

    touched: int
    kept: int


def _find_uses(func: FuncOp, variables: list[LocalOp]) -> dict[Operation, _Use]:
    """The uses of variables, by name or by a computed address."""
    bits = {op.symbol: 1 << number for number, op in enumerate(variables)}
    found: dict[Operation, _Use] = {}
    sources: dict[SSAValue, int] = {}

    def note(op: Operation, touched: int, kept: int) -> None:
        before = found.get(op, _Use(0, 0))
        found[op] = _Use(before.touched | touched, before.kept | kept)

    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            named = [name for name in symbols_of(op) if name in bits]
            if not named:
                continue
            mask = 0
            for name in named:
                mask |= bits[name]
            access = access_of(op)
            if flags_of(op) & PURE:
                for result in op.results:
                    sources[result] = sources.get(result, 0) | mask
            elif access is not None and len(named) == 1 and access.base == named[0]:
                note(op, mask, 0)
            else:
                note(op, mask, mask)
    for value, mask in origins_of(sources).items():
        for op in fast.users_of(value):
            if isinstance(op, TerminatorOp):
                continue
            if flags_of(op) & PURE:
                # Two variables whose addresses are compared must differ.
                if any(isinstance(result.type, PredRegister) for result in op.results):
                    note(op, mask, mask)
                continue
            access = access_of(op)
            addresses = access is not None and access.base is value
            alone = fast.operands_of(op).count(value) == 1
            note(op, mask, 0 if addresses and alone else mask)
    return found


def _find_meetings(cfg: CFG, uses: dict[Operation, _Use], count: int) -> list[int]:
    """For each variable, the live variables at points where it becomes live; the relation is
    one-sided."""
    steps = [
        [use for op in fast.ops_of(b) if (use := uses.get(op)) is not None] for b in cfg.blocks
    ]
    touched = [_together(use.touched for use in block) for block in steps]
    kept = [_together(use.kept for use in block) for block in steps]
    before = _reaching(touched, cfg.predecessors)
    kept_before = _reaching(kept, cfg.predecessors)
    after = _reaching(touched, cfg.successors)
    meets = [0] * count
    for number, block in enumerate(steps):
        past, held = before[number], kept_before[number]
        last = 0
        # The variables live from each step of the block.
        rest = [after[number]]
        for use in reversed(block):
            rest.append(rest[-1] | use.touched)
        for index, use in enumerate(block):
            past |= use.touched
            held |= use.kept
            live = past & rest[len(block) - index] | held
            new = live & ~last
            while new:
                lowest = new & -new
                meets[lowest.bit_length() - 1] |= live
                new ^= lowest
            last = live
    return meets


def _together(masks: Iterable[int]) -> int:
    total = 0
    for mask in masks:
        total |= mask
    return total


def _reaching(made: list[int], sources: list[list[int]]) -> list[int]:
    """For each block, the relation between the state at its entry and the states of its
    predecessors by edge.
    """
    found = [0] * len(made)
    targets: list[list[int]] = [[] for _ in made]
    for number, froms in enumerate(sources):
        for source in froms:
            targets[source].append(number)
    work = list(range(len(made)))
    while work:
        number = work.pop()
        leaving = found[number] | made[number]
        for target in targets[number]:
            if leaving & ~found[target]:
                found[target] |= leaving
                work.append(target)
    return found


def _share(func: FuncOp, places: list[list[LocalOp]]) -> None:
    """Merges the variables of each slot."""
    names: dict[str, str] = {}
    for place in places:
        first = place[0]
        if len(place) == 1:
            continue
        size, align = max(v.size for v in place), max(v.align for v in place)
        fast.insert_before(local_variable(first.symbol, size, align), first)
        for variable in place:
            names[variable.symbol] = first.symbol
            fast.erase(variable)
    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            rename_symbols(op, names)
