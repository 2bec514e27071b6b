"""The list scheduler preserves dependences and results, and reduces live registers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import KernelMaker, memory_after, ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue

from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    REG,
    RetOp,
    addr,
    addr_sym,
    build,
    func,
    global_variable,
    imm,
    inline_asm,
    layout,
    param,
    special_register,
    sym,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.machine_scheduler import MAX_COMPARED, MachineScheduler
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.simulator import launch

SCHEDULER = MachineScheduler(register_target=1)
THREADS = 32
WORDS = 8


def registers(module: ModuleOp) -> int:
    (kernel,) = machine_functions(module)
    return RegisterPressure(Liveness(kernel.body)).registers


@dataclass(frozen=True)
class Effect:
    """The effects of an instruction: accessed words by space, and whether it is ordered."""

    space: str = ""
    words: frozenset[int] = frozenset()
    writes: bool = False
    ordered: bool = False

    def conflicts(self, other: Effect) -> bool:
        if self.ordered or other.ordered:
            return bool((self.ordered or self.words) and (other.ordered or other.words))
        shared = self.space == other.space and bool(self.words & other.words)
        return shared and (self.writes or other.writes)


class BlockMaker:
    """A kernel of one block: a random graph of arithmetic, memory accesses and ordered ops.

    Each thread has its own words in global memory, which two registers address, and in shared memory;
    `effects` holds the words that each instruction accesses.
    """

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.block = fast.new_block()
        self.effects: dict[Operation, Effect] = {}
        self.values: list[SSAValue] = []
        parameter = self.add("ld", "param.b64", (), B64, layout(addr_sym("k_param_0")))
        tid = special_register("tid.x")
        fast.append(self.block, tid)
        thread = tid.results[0]
        self.bases = [self.mad(thread, parameter)]
        other = self.add("add", "s64", (self.bases[0],), B64, layout(REG, imm(8)))
        self.bases.append(other)
        shared = self.add("mad", "lo.s32", (thread,), B32, layout(REG, imm(4 * WORDS), imm(0)))
        wide = self.add("cvt", "u64.u32", (shared,), B64)
        self.shared = self.add("add", "s64", (wide, self.address("s")), B64)
        self.values += [thread, self.load(0), self.load(1)]
        for _ in range(size):
            self.step()
        for word, value in enumerate(self.random.sample(self.values, 3)):
            self.store(word, value)
        fast.append(self.block, fast.create(RetOp))

    def module(self) -> ModuleOp:
        module = ModuleOp([])
        module.attributes["nvptx.target"] = StringAttr("sm_90")
        module.attributes["nvptx.ptx"] = StringAttr("8.0")
        fast.append(
            module.body.block, global_variable("s", "shared", "b8", 4 * WORDS * THREADS, align=4)
        )
        parameters = [param("b64", name="k_param_0", space="global", pointee_align=16)]
        kernel = func("k", parameters, None, Region(self.block), kernel=True, linkage="visible")
        fast.append(module.body.block, kernel)
        return module

    def add(
        self,
        mnemonic: str,
        mods: str,
        operands: Sequence[SSAValue],
        type_: Attribute,
        where: object = None,
    ) -> SSAValue:
        op = build(mnemonic, mods, operands, (type_,), where)  # pyright: ignore[reportArgumentType]
        fast.append(self.block, op)
        return op.results[0]

    def mad(self, thread: SSAValue, base: SSAValue) -> SSAValue:
        place = layout(REG, imm(4 * WORDS), REG)
        return self.add("mad", "wide.u32", (thread, base), B64, place)

    def address(self, symbol: str) -> SSAValue:
        return self.add("mov", "b64", (), B64, layout(sym(symbol)))

    def access(self, word: int) -> tuple[SSAValue, int]:
        """Returns a random form of the address of a word in global memory."""
        which = self.random.randrange(2)
        return self.bases[which], 4 * word - 8 * which

    def touch(self, op: Operation, effect: Effect) -> None:
        fast.append(self.block, op)
        self.effects[op] = effect

    def load(self, word: int, space: str = "global") -> SSAValue:
        base, offset = self.access(word) if space == "global" else (self.shared, 4 * word)
        op = build("ld", f"{space}.b32", (base,), (B32,), layout(addr(offset)))
        self.touch(op, Effect(space, frozenset({word})))
        return op.results[0]

    def store(self, word: int, value: SSAValue, space: str = "global") -> None:
        base, offset = self.access(word) if space == "global" else (self.shared, 4 * word)
        op = build("st", f"{space}.b32", (base, value), (), layout(addr(offset), REG))
        self.touch(op, Effect(space, frozenset({word}), writes=True))

    def step(self) -> None:
        pick = self.random
        kind, word = pick.randrange(16), pick.randrange(WORDS)
        value = pick.choice(self.values)
        if kind < 3:
            self.values.append(self.load(word, pick.choice(("global", "shared"))))
        elif kind < 5:
            self.store(word, value, pick.choice(("global", "shared")))
        elif kind == 5:
            self.touch(build("bar.sync", "", (), (), layout(imm(0))), Effect(ordered=True))
        elif kind == 6:
            base, offset = self.access(word)
            where = layout(addr(offset), REG)
            op = build("atom", "global.add.u32", (base, value), (B32,), where)
            self.touch(op, Effect(ordered=True))
            self.values.append(op.results[0])
        elif kind == 7:
            base, offset = self.access(word)
            op = build("ld", "volatile.global.b32", (base,), (B32,), layout(addr(offset)))
            self.touch(op, Effect(ordered=True))
            self.values.append(op.results[0])
        elif kind == 8:
            op = inline_asm("membar.cta;", side_effects=True)
            self.touch(op, Effect(ordered=True))
        elif kind == 9:
            for mnemonic in ("add.cc", "addc"):
                other = pick.choice(self.values)
                op = build(mnemonic, "u32", (value, other), (B32,))
                self.touch(op, Effect(ordered=True))
                self.values.append(op.results[0])
        else:
            mnemonic, _, mods = pick.choice(
                ("add.s32", "xor.b32", "mul.lo.s32", "sub.s32", "max.s32")
            ).partition(".")
            self.values.append(self.add(mnemonic, mods, (value, pick.choice(self.values)), B32))


def assert_dependences_are_kept(before: list[Operation], maker: BlockMaker) -> None:
    after = {op: place for place, op in enumerate(fast.ops_of(maker.block))}
    assert after.keys() == set(before)
    nothing = Effect()
    for place, op in enumerate(before):
        for value in fast.operands_of(op):
            assert after[value.owner] < after[op]  # pyright: ignore[reportArgumentType]
        mine = maker.effects.get(op, nothing)
        for other in before[:place]:
            if mine.conflicts(maker.effects.get(other, nothing)):
                assert after[other] < after[op], f"{op} was before {other}"


def memory_of(module: ModuleOp) -> list[int]:
    data = (np.arange(THREADS * WORDS, dtype=np.int64) * 2654435761 % 97).astype(np.int32)
    launch(module, "k", 1, THREADS, [data])
    return data.tolist()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 30), st.integers(3, 60))
def test_dependences_and_memory(seed: int, size: int):
    maker = BlockMaker(seed, size)
    module = maker.module()
    before = list(fast.ops_of(maker.block))
    pressure, memory = registers(module), memory_of(module)
    if run_pass(module, SCHEDULER):
        assert_dependences_are_kept(before, maker)
        assert registers(module) < pressure
        assert memory_of(module) == memory
    else:
        assert list(fast.ops_of(maker.block)) == before


def test_blocks_often_need_fewer_registers():
    better = sum(run_pass(BlockMaker(seed, 40).module(), SCHEDULER) for seed in range(20))
    assert better >= 18


def test_accesses_beyond_the_cap_stay_in_order():
    maker = BlockMaker(1, 6 * MAX_COMPARED)
    before = list(fast.ops_of(maker.block))
    assert sum(not e.ordered for e in maker.effects.values()) > MAX_COMPARED
    assert run_pass(maker.module(), SCHEDULER)
    assert_dependences_are_kept(before, maker)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 30))
def test_many_blocks(seed: int):
    """PHI elimination after scheduling inserts no more copies than before."""
    module, plain = KernelMaker(seed).module(), KernelMaker(seed).module()
    expected, pressure = memory_after(module), registers(module)
    run_pass(module, SCHEDULER)
    assert registers(module) <= pressure
    for each in (module, plain):
        run_pass(each, NVPTXPhiElimination())
    assert memory_after(module) == expected
    assert str(module).count("nvptx.mov ") <= str(plain).count("nvptx.mov ")


def test_without_the_knob_nothing_changes():
    assert not run_pass(BlockMaker(0, 40).module(), replace(SCHEDULER, nvptx_sched4reg=False))


def test_blocks_within_the_target_are_unchanged():
    module = BlockMaker(0, 40).module()
    assert not run_pass(module, MachineScheduler(register_target=registers(module)))
    assert run_pass(module, MachineScheduler(register_target=registers(module) - 1))


@needs_ptxas
@pytest.mark.parametrize("seed", range(3))
def test_ptxas_accepts_scheduled_code(seed: int):
    module = BlockMaker(seed, 40).module()
    run_pass(module, SCHEDULER)
    assemble(ptx_of(module), "sm_90")
