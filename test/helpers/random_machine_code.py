"""Random kernels of machine code, and their execution."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from helpers.verified import verify
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    PRED,
    REG,
    RetOp,
    addr,
    addr_sym,
    branch,
    build,
    conditional_branch,
    func,
    imm,
    indexed_branch,
    layout,
    local_variable,
    param,
    special_register,
)
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.simulator import launch

THREADS = 32
SLOTS = 8
"""Words of memory that each thread may store to."""

CELLS = 2
"""Words of each thread's own memory."""

ARGUMENTS = 3
FUEL = 24
"""Limit of executed blocks of a thread, except for the last."""

OPERATIONS = ("add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "max.s32", "min.s32")


def reachable_part(edges: Sequence[Sequence[int]]) -> list[list[int]]:
    """Returns the graph without unreachable nodes, renumbered."""
    order = [0]
    for number in order:
        order.extend(t for t in dict.fromkeys(edges[number]) if t not in order)
    new = {number: index for index, number in enumerate(order)}
    return [[new[t] for t in edges[number]] for number in order]


class KernelMaker:
    """Makes a kernel over a given graph, or a random one.

    Each block has a counter argument, which ends every path, and some values. It may use definitions of
    dominating blocks, so that values are live across blocks.
    """

    def __init__(self, seed: int, edges: Sequence[Sequence[int]] | None = None) -> None:
        self.random = random.Random(seed)
        pick = self.random
        if edges is None:
            count = pick.randint(1, 7)
            edges = [
                [pick.randrange(1, count + 1) for _ in range(pick.choice((1, 2, 2, 3)))]
                for _ in range(count)
            ]
            edges = [[1], *edges]
        self.edges = reachable_part(edges)

    def module(self) -> ModuleOp:
        count = len(self.edges)
        self.exit = fast.new_block([B32] * ARGUMENTS)
        self.bodies = [fast.new_block([B32] * (ARGUMENTS + 1)) for _ in range(count)]
        # The work of a block is in a separate block, after the test of the counter.
        self.works = [fast.new_block() for _ in range(count)]
        entry = fast.new_block()
        region = Region(entry)
        for body, work in zip(self.bodies, self.works):
            fast.append_block(region, body)
            fast.append_block(region, work)
        fast.append_block(region, self.exit)
        dominators = self._dominators(count)

        pointer = self._add(entry, "ld", "param.b64", (), B64, layout(addr_sym("k_param_0")))
        tid = special_register("tid.x")
        fast.append(entry, tid)
        self.out = self._add(
            entry,
            "mad",
            "wide.u32",
            (tid.results[0], pointer),
            B64,
            layout(REG, imm(4 * SLOTS), REG),
        )
        first: list[SSAValue] = [tid.results[0]]
        for slot in range(2):
            first.append(
                self._add(entry, "ld", "global.b32", (self.out,), B32, layout(addr(4 * slot)))
            )
        first.append(self._constant(entry))
        fast.append(entry, local_variable("x", 4 * CELLS, 8))
        for cell in range(CELLS):
            place = layout(addr_sym("x", 4 * cell), REG)
            fast.append(entry, build("st", "local.b32", (self.random.choice(first),), (), place))
        fuel = self._add(entry, "mov", "b32", (), B32, layout(imm(FUEL)))
        fast.append(entry, branch(self.bodies[0], [fuel, *first[:ARGUMENTS]]))

        defined: dict[int, list[SSAValue]] = {}
        for number in sorted(range(count), key=lambda n: len(dominators[n])):
            values = [*first]
            for other in dominators[number]:
                if other != number:
                    values.extend(defined[other])
            defined[number] = self._fill(number, values)
        for slot, argument in enumerate(self.exit.args):
            self._store(self.exit, argument, slot)
        fast.append(self.exit, fast.create(RetOp))
        module = ModuleOp([])
        module.attributes["nvptx.target"] = StringAttr("sm_90")
        module.attributes["nvptx.ptx"] = StringAttr("8.0")
        kernel = func(
            "k",
            [param("b64", name="k_param_0", space="global", pointee_align=16)],
            None,
            region,
            kernel=True,
            linkage="visible",
        )
        fast.append(module.body.block, kernel)
        return module

    def _dominators(self, count: int) -> list[set[int]]:
        everything = set(range(count))
        found = [everything] * count
        found[0] = {0}
        changed = True
        while changed:
            changed = False
            for number in range(1, count):
                before = [found[p] for p in range(count) if number in self.edges[p]]
                new = {number} | (set.intersection(*before) if before else everything)
                if new != found[number]:
                    found[number] = new
                    changed = True
        return found

    def _add(
        self,
        block: Block,
        mnemonic: str,
        mods: str,
        operands: Sequence[SSAValue],
        type_: Attribute,
        where: object = None,
    ) -> SSAValue:
        op = build(mnemonic, mods, operands, (type_,), where)  # pyright: ignore[reportArgumentType]
        fast.append(block, op)
        return op.results[0]

    def _constant(self, block: Block) -> SSAValue:
        return self._add(block, "mov", "b32", (), B32, layout(imm(self.random.randint(-9, 9))))

    def _store(self, block: Block, value: SSAValue, slot: int) -> None:
        fast.append(
            block, build("st", "global.b32", (self.out, value), (), layout(addr(4 * slot), REG))
        )

    def _passed(self, known: list[SSAValue], values: list[SSAValue]) -> list[SSAValue]:
        """Returns the operands of an edge: random ones, or those that many other edges have."""
        if self.random.random() < 0.5:
            return values[:ARGUMENTS]
        return [self.random.choice(known) for _ in range(ARGUMENTS)]

    def _repeat(self, block: Block, known: list[SSAValue]) -> None:
        """Sometimes adds one of few sequences, so that blocks have common starts or ends."""
        if self.random.random() < 0.6:
            return
        choice = random.Random(self.random.randrange(2))
        value = known[0]
        for _ in range(4):
            mnemonic, _, mods = choice.choice(OPERATIONS).partition(".")
            value = self._add(block, mnemonic, mods, (value, choice.choice(known)), B32)
            self._store(block, value, choice.randrange(ARGUMENTS, SLOTS))

    def _fill(self, number: int, values: list[SSAValue]) -> list[SSAValue]:
        pick = self.random
        body, work = self.bodies[number], self.works[number]
        self._repeat(work, values[:ARGUMENTS])
        fuel = body.args[0]
        mine: list[SSAValue] = list(body.args[1:])
        left = self._add(body, "add", "s32", (fuel,), B32, layout(REG, imm(-1)))
        empty = self._add(body, "setp", "lt.s32", (left,), PRED, layout(REG, imm(0)))
        fast.append(
            body,
            conditional_branch(
                empty, self.exit, work, [pick.choice(mine) for _ in range(ARGUMENTS)]
            ),
        )
        for _ in range(pick.randint(0, 5)):
            known = values + mine
            kind = pick.randrange(10)
            if kind == 0:
                mine.append(self._constant(work))
            elif kind == 1:
                self._store(work, pick.choice(known), pick.randrange(ARGUMENTS, SLOTS))
            elif kind == 2:
                where = layout(addr(4 * pick.randrange(SLOTS)))
                mine.append(self._add(work, "ld", "global.b32", (self.out,), B32, where))
            elif kind == 3:
                place = layout(addr_sym("x", 4 * pick.randrange(CELLS)))
                mine.append(self._add(work, "ld", "local.b32", (), B32, place))
            elif kind == 4:
                place = layout(addr_sym("x", 4 * pick.randrange(CELLS)), REG)
                fast.append(work, build("st", "local.b32", (pick.choice(known),), (), place))
            else:
                mnemonic, _, mods = pick.choice(OPERATIONS).partition(".")
                pair = (pick.choice(known), pick.choice(known))
                mine.append(self._add(work, mnemonic, mods, pair, B32))
        self._repeat(work, values[:ARGUMENTS])
        known = values + mine
        edges = [(self.bodies[t], (left, *self._passed(known, values))) for t in self.edges[number]]
        if len(edges) == 1:
            fast.append(work, branch(*edges[0]))
        elif len(edges) == 2:
            bit = self._add(work, "and", "b32", (pick.choice(known),), B32, layout(REG, imm(1)))
            condition = self._add(work, "setp", "ne.s32", (bit,), PRED, layout(REG, imm(0)))
            (then, then_values), (other, other_values) = edges
            fast.append(work, conditional_branch(condition, then, other, then_values, other_values))
        else:
            index = self._add(
                work, "rem", "u32", (pick.choice(known),), B32, layout(REG, imm(len(edges)))
            )
            fast.append(work, indexed_branch(index, edges))
        return mine


def memory_after(module: ModuleOp) -> list[int]:
    """Returns the memory that the kernel produces."""
    data = (np.arange(THREADS * SLOTS, dtype=np.int64) * 2654435761 % 97).astype(np.int32)
    launch(module, "k", 1, THREADS, [data])
    return data.tolist()


def run_pass(module: ModuleOp, *passes: MachineFunctionPass) -> bool:
    """Runs passes and verifies their results; returns whether any reported a change."""
    changed = False
    for item in passes:
        changed |= item.run(module, AnalysisManager())
        verify(module)
    return changed


def ptx_of(module: ModuleOp) -> str:
    """The module as PTX."""
    return print_ptx(convert(module))
