"""The remaining machine instructions: carries, memory, cooperating threads, addresses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from helpers.machine_kernels import Kernel, b, column, d, f, h, split
from xdsl.dialects.builtin import ModuleOp

from dev.instruction_samples import all_samples, module_of
from nvvm_xdsl.codegen.from_ptx.convert import convert
from nvvm_xdsl.dialects.nvptx import (
    B16,
    B32,
    B64,
    B128,
    F32,
    F64,
    GUARD_FALSE,
    GUARD_TRUE,
    INSTRUCTIONS,
    NOT,
    PRED,
    REG,
    addr,
    addr_sym,
    global_variable,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.simulator import SimulationError, launch

W = 0xFFFFFFFF
WW = (1 << 64) - 1


def execute(body, buffers, block: int = 1, count: int | None = None, **options):
    """Runs `body(kernel)`, whose results go to additional buffers. Returns their columns."""
    kernel = Kernel(len(buffers) + (count or 0))
    results = body(kernel) or []
    for i, value in enumerate(results):
        kernel.store(len(buffers) + i, value)
    outs = [np.zeros((block, 2), np.uint64) for _ in range(count or 0)]
    launch(kernel.module(), "k", 1, block, [*buffers, *outs], **options)
    return [[int(low) for low, _ in out] for out in outs]


# Carries: PTX ISA 9.7.2


@pytest.mark.parametrize(
    ("low", "high", "values", "wanted"),
    [
        ("add.cc", "addc", [(1 << 64) - 1, 1], 1 << 64),
        ("sub.cc", "subc", [1 << 64, 1], (1 << 64) - 1),
        ("add.cc", "addc", [5 << 64 | 7, 6 << 64 | 9], 11 << 64 | 16),
        ("sub.cc", "subc", [0, 1], (1 << 128) - 1),
    ],
)
def test_carries_join_two_halves(low: str, high: str, values: list[int], wanted: int):
    def body(k: Kernel):
        x = [k.load(i, B64) for i in range(4)]
        lo = k.add(*split(f"{low}.s64"), [x[0], x[2]], [B64]).results[0]
        hi = k.add(*split(f"{high}.s64"), [x[1], x[3]], [B64]).results[0]
        return [lo, hi]

    parts = [v >> shift & WW for v in values for shift in (0, 64)]
    got = execute(body, [column([p]) for p in parts], count=2)
    assert got[0][0] | got[1][0] << 64 == wanted


@pytest.mark.parametrize(
    ("first", "second", "values", "wanted"),
    [
        # The carry of a subtraction is 1 without a borrow, as in ptxas's IADD3.X.
        ("sub.cc.u32", "addc.u32", [7, 5], 1),
        ("sub.cc.u32", "addc.u32", [5, 5], 1),
        ("sub.cc.u32", "addc.u32", [4, 5], 0),
        ("sub.cc.u64", "addc.u64", [4, 5], 0),
        ("sub.cc.u64", "addc.u64", [5, 4], 1),
        # A subtraction after an addition borrows if the addition has no carry.
        ("add.cc.u32", "subc.u32", [1, 1], W),
        ("add.cc.u32", "subc.u32", [W, 1], 0),
    ],
)
def test_carries_of_additions_and_subtractions_mixed(first, second, values, wanted):
    type_ = B64 if "64" in first else B32

    def body(k: Kernel):
        k.add(*first.rsplit(".", 1), [k.load(i, type_) for i in range(2)], [type_])
        return [k.add(*second.rsplit(".", 1), (), [type_], layout(imm(0), imm(0))).results[0]]

    assert execute(body, [column([v]) for v in values], count=1) == [[wanted]]


def test_multiplication_with_carries():
    def body(k: Kernel):
        a, x = k.load(0, B32), k.load(1, B32)
        lo = k.add("mad.lo.cc", "u32", [a, x, x], [B32]).results[0]
        hi = k.add("madc", "hi.u32", [a, x], [B32], layout(REG, REG, imm(0))).results[0]
        k.add("mad.hi.cc", "u32", [a, x, x], [B32])
        over = k.add("addc", "u32", (), [B32], layout(imm(0), imm(0))).results[0]
        return [lo, hi, over]

    got = execute(body, [column([W]), column([W])], count=3)
    assert got[0][0] | got[1][0] << 32 == W * W + W
    # The upper half of the product and W leave 32 bits.
    assert got[2] == [1]


# Loads and stores: 9.7.9.8, 9.7.9.11


@pytest.mark.parametrize(
    ("mods", "type_", "wanted"),
    [
        ("global.u8", B16, 0x88), ("global.s8", B16, 0xFF88), ("global.s8", B32, 0xFFFFFF88),
        ("global.u8", B64, 0x88), ("global.u16", B16, 0x7788), ("global.s16", B16, 0x7788),
        ("global.b32", B32, 0x55667788), ("global.f32", F32, 0x55667788),
        ("global.b64", B64, 0x8122334455667788), ("global.f64", F64, 0x8122334455667788),
        ("volatile.global.u32", B32, 0x55667788), ("relaxed.gpu.global.u32", B32, 0x55667788),
        ("acquire.sys.global.u32", B32, 0x55667788), ("global.ca.u32", B32, 0x55667788),
    ],
)  # fmt: skip
def test_loads_fill_the_register(mods: str, type_, wanted: int):
    def body(k: Kernel):
        return [k.add("ld", mods, [k.address(0, 16)], [type_], layout(addr())).results[0]]

    assert execute(body, [column([0x8122334455667788])], count=1) == [[wanted]]


@pytest.mark.parametrize(
    "name", ["ld.global.nc", "ldu", "ld.global.ca.nc", "ld.global.cg.nc", "ld.global.cs.nc"]
)
def test_read_only_loads(name: str):
    mods = "global.u32" if name == "ldu" else "u32"

    def body(k: Kernel):
        return [k.add(name, mods, [k.address(0, 16)], [B32], layout(addr(4))).results[0]]

    assert execute(body, [column([5 << 32])], count=1) == [[5]]


def test_vector_loads_and_stores():
    def body(k: Kernel):
        at = k.address(0, 16)
        parts = k.add("ld", "global.v4.u32", [at], [B32] * 4, layout(addr())).results
        turned = list(parts)[::-1]
        k.add("st", "global.v4.u32", [at, *turned], (), layout(addr(), vec(4)))
        two = k.add("ld", "global.v2.b64", [at], [B64] * 2, layout(addr())).results
        return two

    got = execute(body, [column([1 | 2 << 32 | 3 << 64 | 4 << 96])], count=2)
    assert got == [[4 | 3 << 32], [2 | 1 << 32]]


def test_sixteen_byte_loads_and_stores():
    buffer = np.array([[7, 8]], np.uint64)
    out = np.zeros((1, 2), np.uint64)
    kernel = Kernel(2)
    value = kernel.add(
        "ld", "global.b128", [kernel.address(0, 16)], [B128], layout(addr())
    ).results[0]
    kernel.add("st", "global.b128", [kernel.address(1, 16), value], (), layout(addr(), REG))
    launch(kernel.module(), "k", 1, 1, [buffer, out])
    assert out.tolist() == [[7, 8]]


def test_stores_truncate_the_register():
    def body(k: Kernel):
        at = k.address(0, 16)
        value = k.load(1, B32)
        k.add("st", "global.u8", [at, value], (), layout(addr(), REG))
        half = k.add("cvt", "u16.u32", [value], [B16]).results[0]
        k.add("st", "global.u16", [at, half], (), layout(addr(2), REG))
        k.add("st", "release.gpu.global.u32", [at, value], (), layout(addr(4), REG))
        k.add("st", "global.u32", [at], (), layout(addr(8), imm(-2)))

    buffer = column([0])
    execute(body, [buffer, column([0x12345678])])
    assert buffer.tolist() == [[0x1234567856780078, W - 1]]


def test_a_misaligned_access_is_found():
    def body(k: Kernel):
        return [
            k.add("ld", "global.v2.b32", [k.address(0, 16)], [B32] * 2, layout(addr(4))).results[0]
        ]

    with pytest.raises(SimulationError, match="not aligned to 8 bytes"):
        execute(body, [column([0])], count=1)


def test_parameters_are_loaded_by_name():
    def body(k: Kernel):
        low = k.add("ld", "param.u32", (), [B32], layout(addr_sym("p0", 4))).results[0]
        return [low]

    got = execute(body, [column([0])], count=1)
    assert got == [[0]]


# Atomics: 9.7.13.5, 9.7.13.6


@pytest.mark.parametrize(
    ("operation", "type_", "old", "operand", "new"),
    [
        ("add", "u32", W, 2, 1), ("add", "s32", 5, W, 4), ("add", "u64", WW, 2, 1),
        ("add", "f32", f(1.5), f(2), f(3.5)), ("add", "f64", d(1), d(2), d(3)), ("add", "f16", h(1), h(2), h(3)),
        ("min", "s32", 1, W, W), ("min", "u32", 1, W, 1), ("max", "s64", WW, 1, 1), ("max", "u64", WW, 1, WW),
        ("and", "b32", 0xF0, 0xFF00F0, 0xF0), ("or", "b64", 1, 2, 3), ("xor", "b32", 5, 1, 4),
        ("exch", "b32", 5, 9, 9), ("exch", "b64", 5, 9, 9),
        # inc: 0 if old >= operand; dec: operand if old is 0 or greater than it
        ("inc", "u32", 4, 4, 0), ("inc", "u32", 3, 4, 4), ("dec", "u32", 0, 7, 7), ("dec", "u32", 9, 7, 7),
        ("dec", "u32", 5, 7, 4), ("add.noftz", "f16", h(1), h(2), h(3)),
    ],
)  # fmt: skip
def test_atomics(operation: str, type_: str, old: int, operand: int, new: int):
    register = {"f32": F32, "f64": F64, "f16": B16}.get(type_, B64 if "64" in type_ else B32)
    if type_ == "f16" and "noftz" not in operation:
        return

    def body(k: Kernel):
        value = k.load(1, register)
        at = k.address(0, 16)
        return [
            k.add(
                "atom", f"global.{operation}.{type_}", [at, value], [register], layout(addr(), REG)
            ).results[0]
        ]

    buffer = column([old])
    assert execute(body, [buffer, column([operand])], count=1) == [[old]]
    assert buffer.tolist() == [[new, 0]]


def test_compare_and_swap():
    def body(k: Kernel):
        at = k.address(0, 16)
        mods = "global.cas.b32"
        return [
            k.add(
                "atom", mods, [at, k.load(1, B32), k.load(2, B32)], [B32], layout(addr(), REG, REG)
            ).results[0]
        ]

    buffer = column([5, 6])
    assert execute(body, [buffer, column([5, 5]), column([9, 9])], block=2, count=1) == [[5, 6]]
    assert buffer[:, 0].tolist() == [9, 6]


def test_reductions_return_nothing():
    def body(k: Kernel):
        pointer = k.pointers[0]
        k.add("red", "global.add.u32", [pointer, k.load(1, B32)], (), layout(addr(), REG))

    buffer = column([10])
    execute(body, [buffer, column([1, 2, 3])], block=3)
    assert buffer[0, 0] == 16


# Addresses: 9.7.9.18 to 9.7.9.24


def test_generic_addresses_and_back():
    def body(k: Kernel):
        pointer = k.pointers[0]
        generic = k.add("cvta", "global.u64", [pointer], [B64]).results[0]
        back = k.add("cvta", "to.global.u64", [generic], [B64]).results[0]
        same = k.add("setp", "eq.u64", [back, pointer], [PRED]).results[0]
        is_global = k.add("isspacep", "global", [generic], [PRED]).results[0]
        is_shared = k.add("isspacep", "shared", [generic], [PRED]).results[0]
        value = k.add("ld", "u32", [generic], [B32], layout(addr())).results[0]
        return [same, is_global, is_shared, value]

    assert execute(body, [column([42])], count=4) == [[1], [1], [0], [42]]


@pytest.mark.parametrize("bits", [32, 64])
def test_memory_of_the_stack(bits: int):
    """Variables are disjoint and aligned; a restored stack pointer frees later ones (9.7.16)."""

    def body(k: Kernel):
        register = {32: B32, 64: B64}[bits]
        saved = k.add("stacksave", f"u{bits}", [], [register]).results[0]
        size = k.load(0, register)
        sized = layout(REG, imm(16))
        first = k.add("alloca", f"u{bits}", [size], [register], sized).results[0]
        second = k.add("alloca", f"u{bits}", [size], [register], sized).results[0]
        rest = k.add("and", f"b{bits}", [second], [register], layout(REG, imm(15))).results[0]
        apart = k.add("sub", f"s{bits}", [first, second], [register]).results[0]
        value = k.load(1, B32)
        k.add("st", "local.b32", [second, value], [], layout(addr(), REG))
        k.add(
            "st",
            "local.b32",
            [first, size if bits == 32 else k.load(0, B32)],
            [],
            layout(addr(), REG),
        )
        back = k.add("ld", "local.b32", [second], [B32], layout(addr())).results[0]
        k.add("stackrestore", f"u{bits}", [saved], [])
        third = k.add("alloca", f"u{bits}", [size], [register], sized).results[0]
        again = k.add("setp", f"eq.u{bits}", [first, third], [PRED]).results[0]
        return [rest, apart, back, again]

    rest, apart, back, again = execute(body, [column([24]), column([77])], count=4)
    assert (rest, back, again) == ([0], [77], [1])
    assert apart[0] >= 24


def test_distributed_shared_addresses():
    def body(k: Kernel):
        base = k.load(0, B64)
        there = k.add("mapa", "shared::cluster.u64", [base], [B64], layout(REG, imm(3))).results[0]
        return [k.add("getctarank", "shared::cluster.u64", [there], [B32]).results[0]]

    assert execute(body, [column([1024])], count=1) == [[3]]


# Cooperating threads: 9.7.9.6, 9.7.13


def test_shuffle_with_its_predicate():
    def body(k: Kernel):
        op = k.add(
            "shfl.sync", "up.b32", [k.tid], [B32, PRED], layout(REG, imm(4), imm(0), imm(-1))
        )
        return list(op.results)

    values, valid = execute(body, [], block=32, count=2)
    assert values == [t if t < 4 else t - 4 for t in range(32)]
    assert valid == [int(t >= 4) for t in range(32)]


@pytest.mark.parametrize(
    ("mods", "wanted"),
    [("all.pred", 0), ("any.pred", 1), ("uni.pred", 0), ("ballot.b32", 0b111)],
)
def test_votes(mods: str, wanted: int):
    def body(k: Kernel):
        low = k.add("setp", "lt.u32", [k.tid], [PRED], layout(REG, imm(3))).results[0]
        type_ = B32 if "ballot" in mods else PRED
        return [k.add("vote.sync", mods, [low], [type_], layout(REG, imm(-1))).results[0]]

    assert execute(body, [], block=32, count=1) == [[wanted] * 32]


def test_a_vote_of_a_negated_predicate():
    def body(k: Kernel):
        low = k.add("setp", "lt.u32", [k.tid], [PRED], layout(REG, imm(3))).results[0]
        return [k.add("vote.sync", "ballot.b32", [low], [B32], layout(NOT, imm(-1))).results[0]]

    assert execute(body, [], block=32, count=1) == [[W - 7] * 32]


def test_matches():
    def body(k: Kernel):
        half = k.add("shr", "u32", [k.tid], [B32], layout(REG, imm(4))).results[0]
        any_ = k.add("match.any.sync", "b32", [half], [B32], layout(REG, imm(-1))).results[0]
        all_ = k.add("match.all.sync", "b32", [half], [B32, PRED], layout(REG, imm(-1))).results
        return [any_, *all_]

    got = execute(body, [], block=32, count=3)
    assert got == [[0xFFFF] * 16 + [0xFFFF0000] * 16, [0] * 32, [0] * 32]


@pytest.mark.parametrize(
    ("mods", "wanted"),
    [
        ("add.s32", sum(range(32))), ("min.u32", 0), ("max.s32", 31), ("and.b32", 0), ("or.b32", 31),
        ("xor.b32", 0),
    ],
)  # fmt: skip
def test_warp_reductions(mods: str, wanted: int):
    def body(k: Kernel):
        return [k.add("redux.sync", mods, [k.tid], [B32], layout(REG, imm(-1))).results[0]]

    assert execute(body, [], block=32, count=1) == [[wanted] * 32]


def test_one_thread_is_elected():
    def body(k: Kernel):
        return list(k.add("elect.sync", "", (), [B32, PRED], layout(imm(-1))).results)

    leader, chosen = execute(body, [], block=32, count=2)
    assert leader == [0] * 32
    assert chosen == [1] + [0] * 31


def test_the_active_mask():
    def body(k: Kernel):
        return [k.add("activemask", "b32", (), [B32]).results[0]]

    assert execute(body, [], block=40, count=1) == [[W] * 32 + [0xFF] * 8]


@pytest.mark.parametrize("name", ["bar.red", "barrier.red", "bar.cta.red", "barrier.cta.red"])
def test_barrier_reductions(name: str):
    def body(k: Kernel):
        low = k.add("setp", "lt.u32", [k.tid], [PRED], layout(REG, imm(3))).results[0]
        return [k.add(name, "popc.u32", [low], [B32], layout(imm(0), REG)).results[0]]

    assert execute(body, [], block=40, count=1) == [[3] * 40]


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("bar.sync", (imm(0),)), ("barrier.sync", (imm(0),)), ("bar.cta.sync", (imm(1), imm(64))),
        ("barrier.cta.sync", (imm(2),)), ("bar.warp.sync", (imm(-1),)), ("membar", ()), ("fence", ()),
        ("nanosleep", (imm(20),)), ("griddepcontrol", ()), ("barrier.cluster.arrive", ()),
        ("pmevent", (imm(1),)), ("setmaxnreg", (imm(64),)),
    ],
)  # fmt: skip
def test_fences_let_all_threads_continue(name: str, slots):
    mods = {
        "membar": "gl", "fence": "sc.gpu", "nanosleep": "u32", "griddepcontrol": "wait",
        "setmaxnreg": "inc.sync.aligned.u32",
    }.get(name, "")  # fmt: skip

    def body(k: Kernel):
        k.add(name, mods, (), (), layout(*slots))
        if name == "barrier.cluster.arrive":
            k.add("barrier.cluster.wait", "", (), ())
        return [k.tid]

    assert execute(body, [], block=64, count=1) == [list(range(64))]


@pytest.mark.parametrize(
    "name", ["bar.arrive", "barrier.arrive", "bar.cta.arrive", "barrier.cta.arrive"]
)
def test_arriving_does_not_wait(name: str):
    def body(k: Kernel):
        k.add(name, "", (), (), layout(imm(1), imm(64)))
        return [k.tid]

    assert execute(body, [], block=32, count=1) == [list(range(32))]


def test_a_barrier_object_counts_arrivals():
    """Two arrivals complete the first phase: a wait for its token succeeds, one for the next does not."""

    def body(k: Kernel):
        at = k.pointers[0]
        k.add("mbarrier.init", "b64", [at], (), layout(addr(), imm(2)))
        first = k.add("mbarrier.arrive", "b64", [at], [B64], layout(addr())).results[0]
        early = k.add(
            "mbarrier.test_wait", "b64", [at, first], [PRED], layout(addr(), REG)
        ).results[0]
        k.add("mbarrier.arrive", "b64", [at], [B64], layout(addr()))
        late = k.add("mbarrier.test_wait", "b64", [at, first], [PRED], layout(addr(), REG)).results[
            0
        ]
        left = k.add("mbarrier.pending_count", "b64", [first], [B32]).results[0]
        k.add("mbarrier.inval", "b64", [at], (), layout(addr()))
        return [early, late, left]

    assert execute(body, [column([0])], count=3) == [[0], [1], [2]]


def with_shared(kernel: Kernel, name: str, count: int) -> ModuleOp:
    """The kernel's module with a shared array of 64-bit words."""
    module = kernel.module()
    ops = list(module.ops)
    for op in ops:
        op.detach()
    return ModuleOp([global_variable(name, "shared", "b64", count, align=16), *ops])


def test_a_barrier_object_waits_for_bytes():
    k = Kernel(3)
    at = k.add("mov", "b64", (), [B64], layout(sym("barrier"))).results[0]
    k.add("mbarrier.init", "shared.b64", [at], (), layout(addr(), imm(1)))
    k.add("mbarrier.expect_tx", "relaxed.cta.shared::cta.b64", [at], (), layout(addr(), imm(16)))
    token = k.add("mbarrier.arrive", "shared.b64", [at], [B64], layout(addr())).results[0]
    waits = [
        k.add("mbarrier.try_wait", "shared.b64", [at, token], [PRED], layout(addr(), REG)).results[
            0
        ]
    ]
    k.add("mbarrier.complete_tx", "relaxed.cta.shared::cta.b64", [at], (), layout(addr(), imm(16)))
    waits.append(
        k.add("mbarrier.try_wait", "shared.b64", [at, token], [PRED], layout(addr(), REG)).results[
            0
        ]
    )
    second = k.add("mbarrier.arrive_drop", "shared.b64", [at], [B64], layout(addr())).results[0]
    waits.append(
        k.add(
            "mbarrier.test_wait", "shared.b64", [at, second], [PRED], layout(addr(), REG)
        ).results[0]
    )
    for i, value in enumerate(waits):
        k.store(i, value)
    outs = [np.zeros((1, 2), np.uint64) for _ in range(3)]
    launch(with_shared(k, "barrier", 1), "k", 1, 1, outs)
    assert [int(o[0, 0]) for o in outs] == [0, 1, 1]


def test_guards():
    def body(k: Kernel):
        low = k.add("setp", "lt.u32", [k.tid], [PRED], layout(REG, imm(3))).results[0]
        at = k.address(0, 16)
        for guard, value in ((GUARD_TRUE, 1), (GUARD_FALSE, 2)):
            op = k.add("st", "global.u32", [at, low], (), layout(addr(), imm(value)))
            op.properties["guard"] = guard

    buffer = column([0] * 5)
    execute(body, [buffer], block=5)
    assert buffer[:, 0].tolist() == [1, 1, 1, 2, 2]


def test_trap_and_exit():
    def trap(k: Kernel):
        k.add("trap", "", (), ())

    with pytest.raises(SimulationError, match="traps"):
        execute(trap, [])

    def leave(k: Kernel):
        k.add("brkpt", "", (), ())
        k.add("exit", "", (), ())
        k.store(0, k.tid)

    buffer = column([7] * 4)
    execute(leave, [buffer], block=4)
    assert buffer[:, 0].tolist() == [7] * 4


def test_caches_change_nothing():
    def body(k: Kernel):
        at = k.pointers[0]
        k.add("prefetch", "global.L2", [at], (), layout(addr()))
        k.add("prefetchu", "L1", [at], (), layout(addr()))
        k.add("applypriority", "global.L2::evict_normal", [at], (), layout(addr(), imm(128)))
        k.add("discard", "global.L2", [at], (), layout(addr(), imm(128)))
        return [k.load(0, B32)]

    assert execute(body, [column([9])], count=1) == [[9]]


def test_asynchronous_copies_complete_at_once():
    kernel = Kernel(2)
    shared = kernel.add("mov", "b64", (), [B64], layout(sym("s"))).results[0]
    kernel.add(
        "cp.async",
        "ca.shared.global",
        [shared, kernel.pointers[0]],
        (),
        layout(addr(), addr(), imm(8)),
    )
    kernel.add("cp.async.commit_group", "", (), ())
    kernel.add("cp.async.wait_group", "", (), (), layout(imm(0)))
    kernel.add("cp.async.wait_all", "", (), ())
    value = kernel.add("ld", "shared.u64", [shared], [B64], layout(addr())).results[0]
    kernel.store(1, value)
    whole = with_shared(kernel, "s", 2)
    out = column([0])
    launch(whole, "k", 1, 1, [column([0x1122334455667788]), out])
    assert out[0, 0] == 0x1122334455667788


# Matrices: 9.7.14.5


def test_matrix_multiply_of_halves():
    """m16n8k16: A is 2 on the diagonal of its first eight columns, so D is C plus twice B's upper half."""
    rng = np.random.default_rng(1)
    a = np.zeros((16, 16), np.float16)
    a[:, :] = rng.integers(-4, 5, (16, 16))
    bm = rng.integers(-4, 5, (16, 8)).astype(np.float16)
    c = rng.integers(-9, 9, (16, 8)).astype(np.float32)
    lane = np.arange(32)
    g, t = lane // 4, lane % 4

    def pair(matrix, rows, columns):
        low = matrix[rows, columns].view(np.uint16).astype(np.uint64)
        high = matrix[rows, columns + 1].view(np.uint16).astype(np.uint64)
        return low | high << np.uint64(16)

    a_regs = [pair(a, g + 8 * (i % 2), 2 * t + 8 * (i // 2)) for i in range(4)]
    bt = np.ascontiguousarray(bm.T)
    b_regs = [pair(bt, g, 2 * t + 8 * i) for i in range(2)]
    c_regs = [
        c[g + 8 * (i // 2), 2 * t + i % 2].view(np.uint32).astype(np.uint64) for i in range(4)
    ]
    buffers = [np.stack([r, np.zeros(32, np.uint64)], axis=1) for r in (*a_regs, *b_regs, *c_regs)]

    def body(k: Kernel):
        values = [k.load(i, B32) for i in range(6)] + [k.load(i, F32) for i in range(6, 10)]
        mods = "sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
        return list(k.add("mma", mods, values, [F32] * 4, layout(vec(4), vec(2), vec(4))).results)

    got = execute(body, buffers, block=32, count=4)
    result = np.zeros((16, 8), np.float32)
    for i in range(4):
        result[g + 8 * (i // 2), 2 * t + i % 2] = np.array(got[i], np.uint32).view(np.float32)
    want = a.astype(np.float32) @ bm.astype(np.float32) + c
    assert result.tolist() == want.tolist()


def test_bf16_constants_have_the_expected_values():
    assert b(1.0) == 0x3F80


# Every instruction of the dialect is run by some test, or rejected by name.

REFUSED = (
    "fabric.submit", "fabric.wait", "fabric.try_get.async", "fabric.try_put.async", "fabric.try_red.async",
    "fabric.try_atom.async", "fabric.try_pullred.async", "fabric.try_get.async.tensor", "fabric.try_put.async.tensor",
    "mbarrier.check_layout", "tcgen05.ld.spcompress", "tcgen05.ld.red.spcompress",
    "tensormap.query.alloc_class_large",
)  # fmt: skip


@pytest.mark.parametrize("mnemonic", REFUSED)
def test_an_instruction_without_semantics_is_an_error(mnemonic: str):
    sample = next(iter(all_samples([mnemonic])))
    with pytest.raises(SimulationError, match=f"does not run this op: the instruction {mnemonic}"):
        launch(module_of([sample], sample.target.name, sample.ptx), "k", 1, 1, [])


@pytest.mark.parametrize(
    "text",
    [
        "applypriority.async.bulk.global.bulk_group.L2::evict_normal",
        "applypriority.async.bulk.tensor.1d.global.bulk_group.L2::evict_normal",
        "prefetch.global.L1::32B.valid_addr",
        "fence.proxy.alias.acquire.sys",
        "fence.alias.sync_restrict::read.release.sys",
    ],
)
def test_hints_and_fences_have_no_effect(text: str):
    operands = {
        "applypriority.async.bulk.global": "[%d], %r",
        "applypriority.async.bulk.tensor": "[%d, {%r}]",
        "prefetch": "[%d]",
    }
    given = next((shape for name, shape in operands.items() if text.startswith(name)), "")
    module = convert(
        read_ptx(f"""
.version 9.5
.target sm_107a
.address_size 64
.visible .entry k(.param .u64 p)
{{
  .reg .b64 %d; .reg .b32 %r;
  ld.param.u64 %d, [p];
  mov.b32 %r, 16;
  {text} {given};
  st.global.u32 [%d], %r;
  ret;
}}
""")
    )
    out = np.zeros(8, np.uint32)
    launch(module, "k", 1, 1, [out])
    assert out.tolist() == [16, *[0] * 7]


def test_every_instruction_is_tested():
    folder = Path(__file__).parents[1]
    files = [folder / "execution" / "test_mbarriers.py"]
    refused = set(REFUSED)
    for name in ("copies", "matrix", "ptx", "textures"):
        files += (folder / name).glob("test_*.py")
    text = "".join(path.read_text() for path in files)
    missing = [
        name
        for name in INSTRUCTIONS
        if name not in refused and f'"{name}"' not in text and f'"{name}.' not in text
    ]
    assert missing == []


def test_matrix_copies():
    """ldmatrix distributes rows of halves over the warp; stmatrix is its inverse; .trans transposes."""
    kernel = Kernel(3)
    base = kernel.add("mov", "b64", (), [B64], layout(sym("s"))).results[0]
    row = kernel.add("mul", "wide.u32", [kernel.tid], [B64], layout(REG, imm(16))).results[0]
    at = kernel.add("add", "s64", [base, row], [B64]).results[0]
    low = kernel.load(0, B64)
    source = kernel.address(0, 16)
    high = kernel.add("ld", "global.b64", [source], [B64], layout(addr(8))).results[0]
    kernel.add("st", "shared.b64", [at, low], (), layout(addr(), REG))
    kernel.add("st", "shared.b64", [at, high], (), layout(addr(8), REG))
    kernel.add("bar.sync", "", (), (), layout(imm(0)))
    plain = kernel.add(
        "ldmatrix", "sync.aligned.m8n8.x1.shared.b16", [at], [B32], layout(addr())
    ).results[0]
    turned = kernel.add(
        "ldmatrix", "sync.aligned.m8n8.x1.trans.shared.b16", [at], [B32], layout(addr())
    ).results[0]
    moved = kernel.add("movmatrix", "sync.aligned.m8n8.trans.b16", [plain], [B32]).results[0]
    same = kernel.add("setp", "eq.u32", [moved, turned], [PRED]).results[0]
    kernel.add(
        "stmatrix", "sync.aligned.m8n8.x1.shared.b16", [at, turned], (), layout(addr(), vec(1))
    )
    kernel.add("bar.sync", "", (), (), layout(imm(0)))
    back = kernel.add(
        "ldmatrix", "sync.aligned.m8n8.x1.trans.shared.b16", [at], [B32], layout(addr())
    ).results[0]
    again = kernel.add("setp", "eq.u32", [back, plain], [PRED]).results[0]
    kernel.store(1, plain)
    both = kernel.add("and", "pred", [same, again], [PRED]).results[0]
    kernel.store(2, both)
    whole = with_shared(kernel, "s", 64)
    matrix = np.arange(64, dtype=np.uint16).reshape(8, 8)
    rows = np.zeros((32, 8), np.uint16)
    rows[:8] = matrix
    out, flags = column([0] * 32), column([0] * 32)
    launch(whole, "k", 1, 32, [rows.view(np.uint64), out, flags])
    want = [
        int(matrix[t // 4, 2 * (t % 4)]) | int(matrix[t // 4, 2 * (t % 4) + 1]) << 16
        for t in range(32)
    ]
    assert out[:, 0].tolist() == want
    assert flags[:, 0].tolist() == [1] * 32


# As LLVM writes a call of `malloc` with an undefined size.
WITHOUT_SIZE = """\
.version 8.3
.target sm_90
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.visible .entry k()
{
  .param .b64 size;
  .param .b64 made;
  call.uni (made), malloc, (size);
  ret;
}
"""


def test_a_call_of_the_run_time_system_needs_its_arguments():
    with pytest.raises(SimulationError, match="@malloc without a value for each parameter"):
        launch(convert(read_ptx(WITHOUT_SIZE)), "k", 1, 1, [])
