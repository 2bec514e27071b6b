"""Branch folding preserves results and keeps graphs reducible."""

from __future__ import annotations

import zlib

import pytest
from helpers.random_machine_code import KernelMaker, memory_after, run_pass
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, FileLineColLoc, ModuleOp
from xdsl.ir import Block, Operation
from xdsl.parser import Parser

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.nvptx import NVPTX, FuncOp, conditional_branch
from nvvm_xdsl.dialects.nvptx.special_registers import RESERVED_REGISTERS, SPECIAL_REGISTERS
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import location_at
from nvvm_xdsl.passes.machine import tail_merging
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.branch_folder import BranchFolder
from nvvm_xdsl.passes.machine.nvptx_phi_elimination import NVPTXPhiElimination
from nvvm_xdsl.passes.machine.tail_merging import (
    CommonTails,
    Verdict,
    hash_end_of_block,
    hash_machine_instr,
    local_symbols,
    merge_decision,
    priority_of,
)

SEEDS = st.integers(0, 1 << 30)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SEEDS, st.integers(1, 4))
def test_memory_is_the_same(seed: int, size: int):
    module = KernelMaker(seed).module()
    expected = memory_after(module)
    run_pass(module, NVPTXPhiElimination(), BranchFolder(tail_merge_size=size))
    assert memory_after(module) == expected


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_reducible_graphs_stay_reducible(seed: int):
    module = KernelMaker(seed).module()
    run_pass(module, NVPTXPhiElimination())
    (func,) = machine_functions(module)
    assume(LoopInfo(CFG(func.body)).is_reducible)
    run_pass(module, BranchFolder(tail_merge_size=1))
    assert LoopInfo(CFG(func.body)).is_reducible


def parse(text: str) -> FuncOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(context, text).parse_module()
    module.verify()
    return next(machine_functions(module))


def module_of(func: FuncOp) -> ModuleOp:
    parent = func.parent_op()
    assert isinstance(parent, ModuleOp)
    return parent


def block(func: FuncOp, name: str) -> Block:
    return next(b for b in fast.blocks_of(func.body) if b.name_hint == name)


PREDECESSORS = """
nvptx.func @f(#nvptx.param<b64>, #nvptx.param<b32>) {{
  nvptx.local @depot 16 align 8
  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@f_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
  nvptx.brx %n : !nvptx.b32, ^a, ^b, ^d
^a:
{0}
^join:
  nvptx.ret
^b:
{1}
^d:
{2}
}}
"""

STORES = [
    f"  nvptx.st global.b32 [%p + {4 * n}], %n : (!nvptx.b64, !nvptx.b32) -> ()" for n in range(9)
]
BRANCH = "  nvptx.bra ^join"


def three(a: list[str], b: list[str], d: list[str]) -> FuncOp:
    """A function with three predecessors of one block; the first falls through to it."""
    bodies = ["\n".join([*body, BRANCH]) for body in (a, b, d)]
    return parse(PREDECESSORS.format(*bodies))


def test_priorities():
    func = three(STORES[:1], STORES[:1], [])
    assert priority_of(block(func, "b")) == 0
    assert priority_of(block(func, "a")) == 1
    d = block(func, "d")
    (condition,) = (
        r for op in fast.ops_of(func.body.blocks.first) for r in op.results if r.name_hint == "c"
    )
    fast.erase(d.last_op)
    fast.append(d, conditional_branch(condition, block(func, "join"), block(func, "b")))
    assert priority_of(d) == 2


def test_unconditional_ends_are_merged_first():
    # a and b have four common stores, b and d the last three. In block order a and b would be
    # merged first, whole; by priority b and d are, since a falls through.
    func = three(
        [STORES[7], *STORES[3:7]], [STORES[8], *STORES[3:7]], [STORES[0], STORES[1], *STORES[4:7]]
    )
    run_pass(module_of(func), BranchFolder())
    offsets = [
        str(op.properties["layout"])
        for b in fast.blocks_of(func.body)
        for op in fast.ops_of(b)
        if op.name == "nvptx.st"
    ]
    counts = {n: sum(f"reg + {4 * n}]" in text for text in offsets) for n in range(3, 7)}
    assert counts == {3: 2, 4: 1, 5: 1, 6: 1}


def test_hash_uses_the_documented_scheme():
    func = three([], [], [])
    entry = func.body.blocks.first
    assert entry is not None
    setp = next(op for op in fast.ops_of(entry) if op.name == "nvptx.setp")
    # eq.s32 %c, %n, 0: three operands, of which the result and %n are hashed.
    predicate, word = zlib.crc32(b"nvptx.pred"), zlib.crc32(b"nvptx.b32")
    expected = zlib.crc32(b"nvptx.setp.eq.s32") * 37 + 3
    for register in (predicate, word):
        expected = expected * 37 + (register ^ 0xFFFFFFFF)
    assert hash_machine_instr(setp) == expected & 0xFFFFFFFF


def test_hash_of_a_block_ignores_branches():
    func = three(STORES[:2], STORES[2:4] + STORES[1:2], [])
    assert hash_end_of_block(block(func, "a")) == hash_end_of_block(block(func, "b"))
    assert hash_end_of_block(block(func, "d")) == 0
    # Memory operands beyond the first two do not change the hash.
    assert hash_end_of_block(block(func, "join")) == 0


def decision(func: FuncOp, first: Block, second: Block, minimum: int) -> Verdict:
    return merge_decision(first, second, minimum, CommonTails(local_symbols(func)))


def test_gates():
    sreg = '  %u{0} = nvptx.mov.sreg "ctaid.x" : !nvptx.b32'
    func = three(
        [sreg.format(0), *STORES[:3]], [sreg.format(1), *STORES[:3]], [STORES[4], *STORES[1:3]]
    )
    a, b, d = (block(func, name) for name in "abd")
    assert decision(func, a, d, 3).gate == 1
    assert decision(func, a, d, 2).gate == 0
    assert decision(func, a, b, 3).gate == 3
    assert decision(func, a, b, 3).tail.length == 4
    assert decision(func, a, d, 1).tail.length == 2
    entry = func.body.blocks.first
    assert entry is not None
    # The entry ends in a jump through a table.
    assert decision(func, entry, entry, 1).gate == 2


DOCUMENTED_RESERVED = {
    **{f"{name}.{axis}": 1 for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz"},
    **{name: 1 for name in ("warpid", "laneid", "SP", "SPL")},
    **{name: 1 for name in ("cluster_ctarank", "cluster_nctarank", "is_explicit_cluster")},
    **{
        f"{name}.{axis}": 1
        for name in ("cluster_ctaid", "cluster_nctaid", "clusterid", "nclusterid")
        for axis in "xyz"
    },
    **{f"envreg{number}": 1 for number in range(32)},
}
"""The table of document 001, "Which Registers Are Marked Reserved"."""


def test_reserved_registers():
    # The document states 63; its groups are 3 + 3 + 3 + 3 + 2 + 15 + 2 + 32.
    assert len(DOCUMENTED_RESERVED) == 63
    missing = DOCUMENTED_RESERVED.keys() - RESERVED_REGISTERS
    assert not missing


@pytest.mark.parametrize("name", sorted(DOCUMENTED_RESERVED.keys() & SPECIAL_REGISTERS.keys()))
def test_reserved_registers_end_a_merge(name: str):
    register = SPECIAL_REGISTERS[name][0].name
    read = f'  %u{{0}} = nvptx.mov.sreg "{name}" : !{register}'
    func = three([read.format(0), *STORES[:3]], [read.format(1), *STORES[:3]], [])
    assert decision(func, block(func, "a"), block(func, "b"), 3).gate == 3


def test_merged_ops_have_the_common_location():
    tails = three([STORES[7], *STORES[1:4]], [STORES[8], *STORES[1:4]], [])
    for name, lines in (("a", (1, 3, 5, 6)), ("b", (2, 3, 5, 7))):
        for op, line in zip(fast.ops_of(block(tails, name)), lines):
            column = 9 if name == "b" and line == 5 else 1
            op.location = location_at("k.cu", line, column)
    run_pass(module_of(tails), BranchFolder())
    found = [
        (place.line.data, place.column.data)
        for b in fast.blocks_of(tails.body)
        for op in fast.ops_of(b)
        if op.name == "nvptx.st" and isinstance(place := op.location, FileLineColLoc)
    ]
    assert sorted(found) == [(0, 0), (1, 1), (2, 1), (3, 1), (5, 0)]


def test_the_stack_pointer_is_reserved():
    store = "  nvptx.st local.b32 [@depot], %n : (!nvptx.b32) -> ()"
    func = three([store, *STORES[:3]], [store, *STORES[:3]], [STORES[4], *STORES[:3]])
    a, b, d = (block(func, name) for name in "abd")
    assert decision(func, a, b, 3).gate == 3
    assert decision(func, a, d, 3).gate == 0


def add(operand: str, name: str) -> str:
    return f"  %{name} = nvptx.add s32 {operand}, 1 : (!nvptx.b32) -> !nvptx.b32"


def store_of(name: str) -> str:
    return f"  nvptx.st global.b32 [%p], %{name} : (!nvptx.b64, !nvptx.b32) -> ()"


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [
        # A value used in the tail is defined in the tail.
        ([add("%n", "u"), store_of("u")], [add("%n", "v"), store_of("v")], 2),
        # Defined before it: the stores differ.
        ([add("%n", "u"), *STORES[:2], store_of("u")], [add("%n", "v"), store_of("v")], 0),
        # At another position: the second chain is one longer.
        (
            [add("%n", "u"), add("%u", "u1"), store_of("u")],
            [add("%n", "v"), add("%v", "v1"), store_of("v1")],
            0,
        ),
        # Equal values from outside.
        ([STORES[7], store_of("n")], [STORES[8], store_of("n")], 1),
        ([STORES[7], store_of("n")], [STORES[8], store_of("t")], 0),
        # A tail that is not closed becomes as short as a closed one.
        (
            [add("%n", "u"), STORES[7], store_of("u"), STORES[1], STORES[2]],
            [add("%n", "v"), STORES[8], store_of("v"), STORES[1], STORES[2]],
            2,
        ),
    ],
)
def test_common_tails(first: list[str], second: list[str], length: int):
    func = three(first, second, [])
    found = CommonTails().between(block(func, "a"), block(func, "b"))
    assert found.length == length
    assert [op.name for op in found.first] == [op.name for op in found.second]


def test_common_tails_write_the_same_registers():
    tail = ["  nvptx.mov b32 7 : () -> !nvptx.b32<1>", *STORES[:2]]
    func = three(tail, tail, [tail[0].replace("<1>", "<2>"), *STORES[:2]])
    a, b, d = (block(func, name) for name in "abd")
    assert CommonTails().between(a, b).length == 3
    assert CommonTails().between(a, d).length == 2


def test_merged_branches_have_the_same_targets():
    func = three(STORES[:2], STORES[:2], STORES[:2])
    a, b, d, join = (block(func, name) for name in ("a", "b", "d", "join"))
    condition = next(
        r for op in fast.ops_of(func.body.blocks.first) for r in op.results if r.name_hint == "c"
    )
    for end, other in ((a, d), (b, d), (d, b)):
        fast.erase(end.last_op)
        fast.append(end, conditional_branch(condition, join, other))
    assert CommonTails().between(a, b).length == 3
    assert CommonTails().between(a, d).length == 0


def test_values_with_other_uses_end_a_tail():
    tail = [add("%n", "u"), *STORES[:2]]
    func = three(tail, [line.replace("%u", "%v") for line in tail], [])
    a, b, join = (block(func, name) for name in ("a", "b", "join"))
    assert CommonTails().between(a, b).length == 3
    made = next(r for op in fast.ops_of(b) for r in op.results)
    user = next(op for op in fast.ops_of(a) if op.name == "nvptx.st").clone()
    fast.set_operand(user, 1, made)
    fast.prepend(join, user)
    assert CommonTails().between(a, b).length == 2


def test_a_tail_with_a_special_register_is_rejected_cheaply(monkeypatch: pytest.MonkeyPatch):
    """Each block's end is examined once, not once for every other block."""
    lines = ['  %u = nvptx.mov.sreg "ctaid.x" : !nvptx.b32', *STORES * 4]
    looked_at = 0
    stock = tail_merging.is_mergeable

    def counting(op: Operation) -> bool:
        nonlocal looked_at
        looked_at += 1
        return stock(op)

    monkeypatch.setattr(tail_merging, "is_mergeable", counting)
    blocks = 40
    names = ", ".join(f"^b{n}" for n in range(blocks))
    bodies = "".join(
        f"^b{n}:\n"
        + "\n".join(line.replace("%u", f"%u{n}") for line in lines)
        + "\n"
        + BRANCH
        + "\n"
        for n in range(blocks)
    )
    func = parse(
        "nvptx.func @f(#nvptx.param<b64>, #nvptx.param<b32>) {\n"
        "  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64\n"
        "  %n = nvptx.ld param.b32 [@f_param_1] : () -> !nvptx.b32\n"
        f"  nvptx.brx %n : !nvptx.b32, {names}\n{bodies}^join:\n  nvptx.ret\n}}\n"
    )
    run_pass(module_of(func), BranchFolder())
    assert 0 < looked_at <= blocks * len(lines)
