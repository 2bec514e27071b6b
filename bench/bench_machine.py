"""Measures the time of each machine pass over functions of growing size.

    python bench/bench_machine.py [--sizes 12500,25000,50000] [--shape loops] [PASS ...]

Shapes, of ten instructions a block: `loops` is a chain of loops with a branch inside, of which every second
one has equal tails on both sides; values are live within a block, across blocks, across loops and throughout
the function. `switch` jumps through a table to one of many blocks with equal tails. `line` is one block. The
passes run in the order of the pipeline; named passes run even if they are not in it. Times are processor time
without garbage collection. The last column is the exponent of growth between the last two sizes: 1 is linear.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import time

from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    PRED,
    REG,
    OperandsAttr,
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
    param,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.pipeline.dispatch import PHI_ELIMINATION, dispatch

BLOCK_SIZE = 10
BLOCKS_OF_LOOP = 4
OPERATIONS = ("add.s32", "sub.s32", "xor.b32", "mul.lo.s32", "max.s32")


class Maker:
    """Makes the function."""

    def __init__(self, instructions: int, shape: str) -> None:
        self.random = random.Random(1)
        self.region = Region(fast.new_block())
        self.block = self.region.block
        self.pointer = self.add("ld", "param.b64", (), B64, layout(addr_sym("k_param_0")))
        self.total = self.load(0)
        self.recent: list[SSAValue] = [self.total]
        if shape == "line":
            for _ in range(instructions // BLOCK_SIZE):
                self.recent = self.fill(self.recent[-3:], BLOCK_SIZE)
        elif shape == "switch":
            self.switch(instructions // BLOCK_SIZE)
        else:
            for number in range(instructions // (BLOCK_SIZE * BLOCKS_OF_LOOP)):
                self.loop(alike=number % 2 == 0)
        self.store(self.total)
        fast.append(self.block, fast.create(RetOp))

    def module(self) -> ModuleOp:
        """Returns the module with the function."""
        module = ModuleOp([])
        module.attributes["nvptx.target"] = StringAttr("sm_90")
        module.attributes["nvptx.ptx"] = StringAttr("8.0")
        parameters = [param("b64", name="k_param_0", space="global", pointee_align=16)]
        kernel = func("k", parameters, None, self.region, kernel=True, linkage="visible")
        fast.append(module.body.block, kernel)
        return module

    def add(
        self,
        mnemonic: str,
        mods: str,
        operands: tuple[SSAValue, ...],
        type_: Attribute,
        where: OperandsAttr | None = None,
    ) -> SSAValue:
        """Appends an instruction to the current block."""
        op = build(mnemonic, mods, operands, (type_,), where)
        fast.append(self.block, op)
        return op.results[0]

    def load(self, offset: int) -> SSAValue:
        """Appends a load from memory."""
        return self.add("ld", "global.b32", (self.pointer,), B32, layout(addr(offset)))

    def store(self, value: SSAValue) -> None:
        """Appends a store to memory."""
        place = layout(addr(4 * self.random.randrange(64)), REG)
        fast.append(self.block, build("st", "global.b32", (self.pointer, value), (), place))

    def fill(self, values: list[SSAValue], count: int) -> list[SSAValue]:
        """Appends arithmetic on these values, with a load and a store."""
        made = [*values, self.load(4 * self.random.randrange(64))]
        for _ in range(count - 2):
            mnemonic, _, mods = self.random.choice(OPERATIONS).partition(".")
            pair = (self.random.choice(made), self.random.choice(made))
            made.append(self.add(mnemonic, mods, pair, B32))
        self.store(made[-1])
        return made

    def start(self, *types: Attribute) -> Block:
        """Appends a block to the function and makes it the current one."""
        block = fast.new_block(types)
        fast.append_block(self.region, block)
        return block

    def test(self, value: SSAValue) -> SSAValue:
        """Appends a comparison and returns its predicate."""
        return self.add("setp", "gt.s32", (value,), PRED, layout(REG, imm(0)))

    def end(self, value: SSAValue) -> None:
        """Appends four stores that are equal in every block."""
        for offset in range(4):
            place = layout(addr(4 * offset), REG)
            fast.append(self.block, build("st", "global.b32", (self.pointer, value), (), place))

    def switch(self, count: int) -> None:
        """Appends a jump to one of many blocks."""
        head = self.block
        cases = [self.start() for _ in range(count)]
        after = self.start()
        fast.append(head, indexed_branch(self.total, [(case, ()) for case in cases]))
        for case in cases:
            self.block = case
            self.fill([self.total], BLOCK_SIZE - 5)
            self.end(self.total)
            fast.append(case, branch(after))
        self.block = after

    def loop(self, *, alike: bool) -> None:
        """Appends a loop of a head, two sides and a latch."""
        zero = self.add("mov", "b32", (), B32, layout(imm(0)))
        head, then, other = self.start(B32, B32), self.start(), self.start()
        latch, after = self.start(B32), self.start()
        fast.append(self.block, branch(head, (zero, self.total)))
        self.block = head
        count, carried = head.args
        made = self.fill([carried, *self.recent[-2:], self.total], BLOCK_SIZE - 2)
        fast.append(head, conditional_branch(self.test(made[-1]), then, other))
        self.block = then
        count_here = BLOCK_SIZE - 5 if alike else BLOCK_SIZE - 1
        for side in (then, other):
            self.block = side
            mine = self.fill(made[-3:], count_here)
            if alike:
                self.end(carried)
            fast.append(side, branch(latch, (mine[-1],)))
        self.block = latch
        last = self.fill([latch.args[0], made[-1]], BLOCK_SIZE - 3)
        following = self.add("add", "s32", (count,), B32, layout(REG, imm(1)))
        again = self.test(following)
        fast.append(latch, conditional_branch(again, head, after, (following, last[-1])))
        self.block = after
        self.recent = [made[-1], last[-1]]
        self.total = last[-2]


def time_passes(instructions: int, shape: str, names: list[str]) -> dict[str, float]:
    """Returns the seconds of each pass, run in sequence."""
    module = Maker(instructions, shape).module()
    found: dict[str, float] = {}
    for name in names:
        made = pass_class(name)()
        gc.collect()
        gc.disable()
        before = time.process_time()
        made.run(module, AnalysisManager())
        found[name] = time.process_time() - before
        gc.enable()
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("passes", nargs="*")
    parser.add_argument("--sizes", default="12500,25000,50000")
    parser.add_argument("--shape", choices=("loops", "switch", "line"), default="loops")
    arguments = parser.parse_args()
    everything = dispatch(3)
    asked: list[str] = arguments.passes or everything
    wanted = [name for name in everything if name in asked or name == PHI_ELIMINATION]
    wanted += [name for name in asked if name not in everything]
    sizes = [int(size) for size in arguments.sizes.split(",")]
    (function,) = machine_functions(Maker(sizes[-1], arguments.shape).module())
    blocks = list(fast.blocks_of(function.body))
    instructions = sum(1 for block in blocks for _ in fast.ops_of(block))
    table = Table("pass", *(f"{size:,}" for size in sizes), "us an instruction", "power")
    times = [time_passes(size, arguments.shape, wanted) for size in sizes]
    for name in wanted:
        row = [found[name] for found in times]
        power = math.log(row[-1] / row[-2]) / math.log(sizes[-1] / sizes[-2])
        table.add_row(
            name,
            *(f"{seconds:.3f} s" for seconds in row),
            f"{row[-1] / instructions * 1e6:.1f}",
            f"{power:.2f}",
            style="red" if power > 1.3 and row[-1] > 0.5 else "",
        )
    console = Console()
    console.print(table)
    console.print(f"{instructions:,} instructions in {len(blocks):,} blocks at the largest size")


if __name__ == "__main__":
    main()
