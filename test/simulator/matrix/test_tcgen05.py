"""Tensor memory: its allocation, and instructions that move data in and out (PTX ISA 9.7.16.5 to 9.7.16.9).

Each program runs as IR and as the machine code selected from it; the expected layouts are written out here
independently, thread by thread.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import run as run_text
from helpers.machine_kernels import Kernel, column
from helpers.tensor_kernels import (
    LANES,
    LEVELS,
    Tensor,
    bytes_of,
    call,
    descriptors,
    k_major,
    one_thread,
    pointer,
)
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    GUARD_TRUE,
    PRED,
    REG,
    addr,
    global_variable,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import SimulationError, launch

INSTRUCTIONS_HERE = [
    "tcgen05.alloc", "tcgen05.dealloc", "tcgen05.relinquish_alloc_permit", "tcgen05.ld", "tcgen05.ld.red",
    "tcgen05.st", "tcgen05.wait::ld", "tcgen05.wait::st", "tcgen05.cp", "tcgen05.shift",
    "tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync",
]  # fmt: skip
"""The memory of this file's programs; the products are in test_ptx_tcgen05_mma.py."""


def words(columns: int, lanes: int = LANES) -> np.ndarray:
    """A word for each lane and column, lane in the upper half."""
    return (np.arange(lanes)[:, None] << 16 | np.arange(columns)).astype(np.uint32)


def place(shape: str, thread: int, register: int) -> tuple[int, int]:
    """Lane and column, within what a warp accesses, of a thread's register (figures 183 to 187)."""
    if shape == "32x32b":
        return thread, register
    if shape == "16x64b":
        return thread // 4 + 8 * (thread % 2), 2 * register + thread // 2 % 2
    if shape == "16x128b":
        return thread // 4 + 8 * (register % 2), 4 * (register // 2) + thread % 4
    if shape == "16x256b":
        pair = register // 2
        return thread // 4 + 8 * (pair % 2), 8 * (pair // 2) + 2 * (thread % 4) + register % 2
    raise AssertionError(shape)


REGISTERS = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4, "16x32bx2": 1}


def moving(shape: str, times: int, packed: bool, load: bool, lane: int = 0) -> tuple[str, str]:
    """A declaration and a body: each thread loads its registers to its element of `%in`, or stores them.

    In `.16x32bx2` the second half of the threads has columns from 8 on.
    """
    count = times * REGISTERS[shape]
    vector = f"<{count} x i32>" if count > 1 else "i32"
    split = "i64 8, " if shape == "16x32bx2" else ""
    typed = "i64, " if split else ""
    flag = "true" if packed else "false"
    name = f"@llvm.nvvm.tcgen05.{'ld' if load else 'st'}.{shape}.x{times}"
    at = f"""{pointer("p", 0, lane, "%mine")}
  %slot.i = mul i32 %tid, {count}
  %slot = getelementptr i32, ptr %in, i32 %slot.i"""
    if load:
        text = f"""{at}
  %v = call {vector} {name}(ptr addrspace(6) %p, {split}i1 {flag})
  call void @llvm.nvvm.tcgen05.wait.ld()
  store {vector} %v, ptr %slot, align 4"""
        return f"declare {vector} {name}(ptr addrspace(6), {typed}i1)", text
    text = f"""{at}
  %v = load {vector}, ptr %slot, align 4
  call void {name}(ptr addrspace(6) %p, {split}{vector} %v, i1 {flag})"""
    return f"declare void {name}(ptr addrspace(6), {typed}{vector}, i1)", text


def launch_moving(shape, times, packed, load, given, level, lane=0):
    """Runs it over tensor memory of 64 columns; returns the registers and tensor memory."""
    declaration, body = moving(shape, times, packed, load, lane)
    tensor = Tensor(words(64), declarations=declaration)
    module = tensor.module(body)
    out = np.zeros_like(tensor.fill)
    registers = np.zeros((LANES, max(times * REGISTERS[shape], 1)), np.uint32)
    if given is not None:
        registers[:] = given
    data = np.zeros(max(registers.size, 512), np.uint32)
    data[: registers.size] = registers.reshape(-1)
    kernel = select(module, "sm_100a") if level == "machine" else module
    launch(kernel, "k", 1, LANES, [data, tensor.fill.copy(), out])
    return data[: registers.size].reshape(registers.shape), out


SHAPES = [
    ("32x32b", 1, 0), ("32x32b", 4, 0), ("16x64b", 1, 0), ("16x64b", 2, 16), ("16x128b", 1, 0),
    ("16x128b", 2, 16), ("16x256b", 1, 0), ("16x256b", 2, 16), ("16x32bx2", 2, 0),
]  # fmt: skip


def expected_place(shape: str, thread: int, register: int, packed: bool) -> tuple[int, int]:
    """Lane and column of a register's word, of packed ones the first of two."""
    if shape == "16x32bx2":
        return thread % 16, register * (1 + packed) + (8 if thread >= 16 else 0)
    lane, column = place(shape, thread, register)
    return lane, column * (1 + packed)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("shape", "times", "lane"), SHAPES)
def test_loads(shape: str, times: int, lane: int, packed: bool, level: str):
    if packed and level == "machine" and times == 1:
        pytest.skip("seen as IR")
    got, _ = launch_moving(shape, times, packed, True, None, level, lane)
    want = np.zeros_like(got)
    for thread in range(LANES):
        for register in range(want.shape[1]):
            row, column = expected_place(shape, thread % 32, register, packed)
            row += lane + thread // 32 * 32
            word = row << 16 | column
            want[thread, register] = (column & 0xFFFF) | (column + 1) << 16 if packed else word
    assert np.array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("shape", "times", "lane"), SHAPES)
def test_stores(shape: str, times: int, lane: int, packed: bool, level: str):
    if packed and level == "machine" and times == 1:
        pytest.skip("seen as IR")
    count = times * REGISTERS[shape]
    given = np.random.default_rng(1).integers(0, 1 << 32, (LANES, count), np.uint32)
    _, got = launch_moving(shape, times, packed, False, given, level, lane)
    want = words(64)
    for thread in range(LANES):
        for register in range(count):
            row, column = expected_place(shape, thread % 32, register, packed)
            row += lane + thread // 32 * 32
            value = given[thread, register]
            want[row, column] = value & 0xFFFF if packed else value
            if packed:
                want[row, column + 1] = value >> 16
    assert np.array_equal(got, want)


def asm_kernel(body: str, columns: int = 32) -> str:
    """A kernel of inline assembly around 32 columns; `%mine` is the warp's address."""
    return f"""
@place = internal addrspace(3) global i32 undef, align 4
define ptx_kernel void @k(ptr %in, ptr %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w0 = icmp ult i32 %tid, 32
  call void asm sideeffect "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], {columns};", "b,r"(i1 %w0, ptr addrspace(3) @place)
  call void asm sideeffect "@$0 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "b"(i1 %w0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = load i32, ptr addrspace(3) @place
  %warp = lshr i32 %tid, 5
  %row = shl i32 %warp, 21
  %mine = add i32 %base, %row
  %pi = getelementptr <4 x i32>, ptr %in, i32 %tid
  %po = getelementptr i32, ptr %out, i32 %tid
{body}
  call void asm sideeffect "tcgen05.fence::before_thread_sync;", ""()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void asm sideeffect "tcgen05.fence::after_thread_sync;", ""()
  call void asm sideeffect "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, {columns};", "b,r"(i1 %w0, i32 %base)
  ret void
}}
"""


F = np.float32
NAN = np.array([0x7FFFFFFF], np.uint32).view(F)[0]


@pytest.mark.parametrize(
    ("operation", "row", "wanted"),
    [
        ("min.f32", [3.0, -1.0, 2.0, 5.0], F(-1)), ("max.f32", [3.0, -1.0, 2.0, 5.0], F(5)),
        # NaN is ignored unless requested; -0 is below +0
        ("min.f32", [NAN, -1.0, NAN, 5.0], F(-1)), ("max.NaN.f32", [NAN, -1.0, 2.0, 5.0], NAN),
        ("max.f32", [NAN] * 4, NAN), ("max.f32", [-0.0, 0.0, -0.0, -0.0], F(0)), ("min.f32", [0.0, -0.0, 0.0, 0.0], F(-0.0)),
        ("max.abs.f32", [3.0, -7.0, 2.0, 5.0], F(7)), ("min.abs.f32", [-3.0, 7.0, -2.5, 5.0], F(2.5)),
        ("max.f32", [-np.inf, -3.0, -9.0, -4.0], F(-3)),
    ],
)  # fmt: skip
def test_a_load_with_a_reduction_of_floats(operation: str, row: list[float], wanted: np.float32):
    reduce(operation, np.array(row, F).view(np.uint32), np.uint32(wanted.view(np.uint32)))


@pytest.mark.parametrize(
    ("operation", "wanted"),
    [("min.u32", 1), ("max.u32", 0xFFFFFFFF), ("min.s32", 0x80000000), ("max.s32", 7)],
)
def test_a_load_with_a_reduction_of_integers(operation: str, wanted: int):
    reduce(operation, np.array([7, 0xFFFFFFFF, 0x80000000, 1], np.uint32), np.uint32(wanted))


def wrong(body: str, **options) -> None:
    buffers = [np.zeros(4 * LANES, np.uint32), np.zeros(LANES, np.uint32)]
    run_text(asm_kernel(body), buffers, LANES, **options)


def reduce(operation: str, row: np.ndarray, wanted: np.uint32) -> None:
    body = f"""
  %v = load <4 x i32>, ptr %pi
  %v0 = extractelement <4 x i32> %v, i32 0
  %v1 = extractelement <4 x i32> %v, i32 1
  %v2 = extractelement <4 x i32> %v, i32 2
  %v3 = extractelement <4 x i32> %v, i32 3
  call void asm sideeffect "tcgen05.st.sync.aligned.32x32b.x4.b32 [$0], {{$1, $2, $3, $4}};", "r,r,r,r,r"(i32 %mine, i32 %v0, i32 %v1, i32 %v2, i32 %v3)
  call void asm sideeffect "tcgen05.wait::st.sync.aligned;", ""()
  %r = call {{ i32, i32, i32, i32, i32 }} asm sideeffect "tcgen05.ld.red.sync.aligned.32x32b.x4.{operation} {{$0, $1, $2, $3}}, $4, [$5];", "=r,=r,=r,=r,=r,r"(i32 %mine)
  call void asm sideeffect "tcgen05.wait::ld.sync.aligned;", ""()
  %last = extractvalue {{ i32, i32, i32, i32, i32 }} %r, 3
  %red = extractvalue {{ i32, i32, i32, i32, i32 }} %r, 4
  %same = icmp eq i32 %last, %v3
  %kept = select i1 %same, i32 %red, i32 77
  store i32 %kept, ptr %po"""
    out = np.zeros(LANES, np.uint32)
    run_text(asm_kernel(body), [np.tile(row, LANES), out], block=LANES)
    assert (out == wanted).all(), (hex(out[0]), hex(wanted))


def test_instructions_under_a_guard():
    """As machine code: only the first of two warps allocates, stores and deallocates."""
    k = Kernel(1)
    place = k.add("mov", "b64", (), [B64], layout(sym("place"))).results[0]
    low = k.add("setp", "lt.u32", [k.tid], [PRED], layout(REG, imm(32))).results[0]

    def guarded(name: str, mods: str, operands, slots) -> None:
        op = k.add(name, mods, [*operands, low], (), slots)
        op.properties["guard"] = GUARD_TRUE

    group = "cta_group::1.sync.aligned"
    guarded("tcgen05.alloc", f"{group}.shared::cta.b32", [place], layout(addr(), imm(32)))
    k.add("bar.sync", "", (), (), layout(imm(0)))
    base = k.add("ld", "shared.b32", [place], [B32], layout(addr())).results[0]
    row = k.add("and", "b32", [k.tid], [B32], layout(REG, imm(32))).results[0]
    shifted = k.add("shl", "b32", [row], [B32], layout(REG, imm(16))).results[0]
    mine = k.add("add", "s32", [base, shifted], [B32]).results[0]
    pair = layout(addr(), vec(2))
    seven = k.add("mov", "b32", (), [B32], layout(imm(7))).results[0]
    k.add("tcgen05.st", "sync.aligned.32x32b.x2.b32", [mine, k.tid, seven], (), pair)
    guarded("tcgen05.st", "sync.aligned.32x32b.x2.b32", [mine, seven, k.tid], pair)
    k.add("tcgen05.wait::st", "sync.aligned", (), ())
    red = "sync.aligned.32x32b.x2.max.u32"
    first, second, most = k.add("tcgen05.ld.red", red, [mine], [B32] * 3, layout(addr())).results
    k.add("tcgen05.fence::before_thread_sync", "", (), ())
    k.add("bar.sync", "", (), (), layout(imm(0)))
    k.add("tcgen05.fence::after_thread_sync", "", (), ())
    guarded("tcgen05.relinquish_alloc_permit", group, (), None)
    guarded("tcgen05.dealloc", f"{group}.b32", [base], layout(REG, imm(32)))
    hundreds = k.add("mul", "lo.s32", [most], [B32], layout(REG, imm(10000))).results[0]
    tens = k.add("mul", "lo.s32", [first], [B32], layout(REG, imm(100))).results[0]
    k.store(
        0,
        k.add(
            "add", "s32", [hundreds, k.add("add", "s32", [tens, second], [B32]).results[0]], [B32]
        ).results[0],
    )
    module = k.module()
    ops = list(module.ops)
    for op in ops:
        op.detach()
    out = column([0] * 64)
    whole = ModuleOp([global_variable("place", "shared", "b32", 1, align=4), *ops])
    launch(whole, "k", 1, 64, [out])
    want = [10000 * max(t, 7) + (100 * 7 + t if t < 32 else 100 * t + 7) for t in range(64)]
    assert out[:, 0].tolist() == want


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1 + 32];", "column 32 is not allocated"),
        ("tcgen05.ld.sync.aligned.16x64b.x1.b32 {$0}, [$1 + 511];", "out of bounds"),
        ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$2];", "warp 1 reaches lanes 32 to 63"),
        ("tcgen05.ld.sync.aligned.16x64b.x1.b32 {$0}, [$1 + 0x180000];", "reaches lanes 0 to 31"),
    ],
)
def test_wrong_loads(body: str, message: str):
    text = f'  %r = call i32 asm sideeffect "{body}", "=r,r,r"(i32 %mine, i32 %base)'
    with pytest.raises(SimulationError, match=message):
        wrong(text)


def test_addresses_that_differ_within_a_warp():
    text = """  %odd = add i32 %mine, %tid
  %r = call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r"(i32 %odd)"""
    with pytest.raises(SimulationError, match="differ within a warp"):
        wrong(text)


def test_uninitialized_memory_is_undefined():
    text = """  %r = call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r"(i32 %mine)
  store i32 %r, ptr %po"""
    with pytest.raises(SimulationError, match="undefined"):
        wrong(text, checks=("init",))


def test_reallocated_columns_are_undefined_again():
    text = """
  %rest = icmp ult i32 %tid, 32
  br i1 %rest, label %again, label %done
again:
  call void asm sideeffect "tcgen05.st.sync.aligned.32x32b.x1.b32 [$0], {$1};", "r,r"(i32 %base, i32 %tid)
  call void asm sideeffect "tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 32;", "r"(i32 %base)
  call void asm sideeffect "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 32;", "r"(ptr addrspace(3) @place)
  %r = call i32 asm sideeffect "tcgen05.ld.sync.aligned.32x32b.x1.b32 {$0}, [$1];", "=r,r"(i32 %base)
  store i32 %r, ptr %po
  br label %done
done:"""
    kernel = asm_kernel(text).replace("@$0 tcgen05.relinquish", "@!$0 tcgen05.relinquish")
    buffers = [np.zeros(4 * 32, np.uint32), np.zeros(32, np.uint32)]
    with pytest.raises(SimulationError, match="undefined"):
        run_text(kernel, buffers, 32, checks=("init",))


# Allocation: 9.7.16.7


def allocation(body: str, group: int = 1) -> str:
    """A kernel of whole warps; `alloc(n)` and `dealloc(n)` in a warp are inline assembly."""
    return f"""
@place = internal addrspace(3) global [8 x i32] undef, align 4
define ptx_kernel void @k(ptr %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %warp = lshr i32 %tid, 5
  %at = getelementptr i32, ptr addrspace(3) @place, i32 %warp
  %po = getelementptr i32, ptr %out, i32 %warp
  %w0 = icmp eq i32 %warp, 0
  %w1 = icmp eq i32 %warp, 1
{body}
  ret void
}}
"""


def asm(opcode: str, operands: str = "", constraints: str = "", arguments: str = "") -> str:
    return f'  call void asm sideeffect "{opcode} {operands};", "{constraints}"({arguments})'


def alloc(columns: int, group: int = 1) -> str:
    return asm(
        f"tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32",
        f"[$0], {columns}", "r", "ptr addrspace(3) %at",
    )  # fmt: skip


def dealloc(columns: int, address: str, group: int = 1) -> str:
    opcode = f"tcgen05.dealloc.cta_group::{group}.sync.aligned.b32"
    return asm(opcode, f"$0, {columns}", "r", f"i32 {address}")


RELINQUISH = asm("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned")
WHERE = "  %base = load i32, ptr addrspace(3) %at\n  store i32 %base, ptr %po"


def test_each_warp_gets_its_own_columns():
    out = np.zeros(4, np.uint32)
    body = "\n".join([alloc(128), WHERE, dealloc(128, "%base")])
    run_text(allocation(body), [out], LANES)
    assert sorted(out.tolist()) == [0, 128, 256, 384]


def test_an_allocation_waits_for_another_warps_deallocation():
    """Both warps allocate all columns: the second gets them after the first deallocates them."""
    out = np.full(2, 7, np.uint32)
    run_text(allocation("\n".join([alloc(512), WHERE, dealloc(512, "%base")])), [out], 64)
    assert out.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ([alloc(512), alloc(512)], "of 512 columns waits forever: 0 are free and columns 0 to 511"),
        ([alloc(64)], "ends with columns 0 to 63 of tensor memory allocated"),
        ([alloc(48)], "48 columns, not a power of two"),
        ([alloc(16)], "16 columns, not a power of two"),
        ([alloc(1024)], "1024 columns, not a power of two"),
        ([alloc(32), alloc(64)], "of 64 columns after one of 32"),
        ([RELINQUISH, alloc(32)], "after tcgen05.relinquish_alloc_permit"),
        ([alloc(64), WHERE, dealloc(32, "%base")], "of 32 columns at 0x0, where there are 64"),
        (
            [alloc(32), WHERE, dealloc(32, "%base"), dealloc(32, "%base")],
            "nothing is allocated there",
        ),
        ([dealloc(32, "32")], "of 32 columns at 0x20, where nothing is allocated"),
        ([alloc(32), WHERE, dealloc(32, "%base", 2)], "that uses .cta_group::1"),
        ([alloc(32, 2)], "needs the pair of blocks"),
    ],
)
def test_wrong_allocations(body: list[str], message: str):
    with pytest.raises(SimulationError, match=message):
        run_text(allocation("\n".join(body)), [np.zeros(4, np.uint32)], 32)


def test_a_pair_of_blocks_allocates_together():
    """The blocks of a pair get the same columns, although the odd one allocates later."""
    body = "\n".join([alloc(256, 2), WHERE, dealloc(256, "%base", 2)])
    out = np.full(1, 7, np.uint32)
    run_text(allocation(body), [out], 32, 2, cluster=2)
    assert out.tolist() == [0]


def test_a_pair_of_blocks_waits_for_both():
    """Only the block of rank 0 allocates."""
    text = allocation(f"""
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %even = icmp eq i32 %rank, 0
  br i1 %even, label %ask, label %done
ask:
{alloc(32, 2)}
  br label %done
done:""")
    with pytest.raises(SimulationError, match="waits for the other block of the pair"):
        run_text(text, [np.zeros(1, np.uint32)], 32, 2, cluster=2)


# Copies from shared memory, shifts: 9.7.16.9


def copied(shape: str, rows: np.ndarray, lane: int = 0) -> np.ndarray:
    """Columns from 32 on after a copy of rows of words."""
    want = words(64)
    count = int(shape.partition("x")[0])
    for row in range(count):
        lanes = {
            "128x256b": [row], "128x128b": [row], "4x256b": [lane + 32 * row],
            "32x128b_warpx4": [row, row + 32, row + 64, row + 96],
            # Warps 0 and 2 get the first half, 1 and 3 the second
            "64x128b_warpx2_02_13": [row, row + 64],
            # Warps 0 and 1 get the first half, 2 and 3 the second
            "64x128b_warpx2_01_23": [row + row // 32 * 32, row + row // 32 * 32 + 32],
        }[shape]  # fmt: skip
        for one in lanes:
            want[one, 32 : 32 + rows.shape[1]] = rows[row]
    return want


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("shape", "lane"),
    [
        ("128x256b", 0), ("128x128b", 0), ("4x256b", 0), ("4x256b", 31), ("32x128b_warpx4", 0),
        ("64x128b_warpx2_02_13", 0), ("64x128b_warpx2_01_23", 0),
    ],
)  # fmt: skip
def test_copies_from_shared_memory(shape: str, lane: int, level: str):
    count, bits = (int(n) for n in shape.partition("_")[0].rstrip("b").split("x"))
    rows = np.random.default_rng(2).integers(0, 1 << 32, (max(count, 8), bits // 32), np.uint32)
    data, lines = descriptors(k_major(bytes_of(rows)))
    declaration, text = call(f"cp.{shape}.cg1", "ptr addrspace(6) %p", "i64 %m0")
    body = one_thread("\n".join([lines, pointer("p", 32, lane), text]))
    got = Tensor(words(64), data, declaration).run(body, level)
    assert np.array_equal(got, copied(shape, rows, lane))


def test_a_pair_of_blocks_copies_from_both_shared_memories():
    rows = np.random.default_rng(3).integers(0, 1 << 32, (2, 32, 4), np.uint32)
    parts = [descriptors(k_major(bytes_of(r))) for r in rows]
    declaration, text = call("cp.32x128b_warpx4.cg2", "ptr addrspace(6) %p", "i64 %m0")
    body = one_thread("\n".join([parts[0][1], pointer("p", 32), text]))
    fill = np.concatenate([words(64), words(64)])
    got = Tensor(fill, parts[0][0] + parts[1][0], declaration, 2).run(body)
    assert np.array_equal(got, np.concatenate([copied("32x128b_warpx4", r) for r in rows]))


@pytest.mark.parametrize(("source", "bits", "shift"), [("b4x16_p64", 4, 2), ("b6x16_p32", 6, 1)])
def test_copies_widen_small_elements(source: str, bits: int, shift: int):
    """16 elements are in the first bytes of each 16, and are copied to the middle of a byte each."""
    codes = np.random.default_rng(4).integers(0, 1 << bits, (128, 16))
    rows = np.zeros((128, 16), np.uint8)
    for row in range(128):
        whole = sum(int(code) << bits * i for i, code in enumerate(codes[row]))
        rows[row, : 2 * bits] = np.frombuffer(whole.to_bytes(2 * bits, "little"), np.uint8)
    data, lines = descriptors(k_major(rows))
    declaration, text = call(f"cp.128x128b.{source}.cg1", "ptr addrspace(6) %p", "i64 %m0")
    got = Tensor(words(64), data, declaration).run(
        one_thread("\n".join([lines, pointer("p", 32), text]))
    )
    want = (codes << shift).astype(np.uint8).view(np.uint32)
    assert np.array_equal(got[:, 32:36], want)


@pytest.mark.parametrize("level", LEVELS)
def test_rows_move_down(level: str):
    """Each lane of the warp at the address gets the next one's 32 bytes, but for the last."""
    declaration, text = call("shift.down.cg1", "ptr addrspace(6) %p")
    body = one_thread("\n".join([pointer("p", 8, 32), text]))
    got = Tensor(words(64), declarations=declaration).run(body, level)
    want = words(64)
    want[32:63, 8:16] = want[33:64, 8:16]
    assert np.array_equal(got, want)


@pytest.mark.parametrize(
    ("name", "column", "lane", "descriptor", "message"),
    [
        ("cp.128x128b.cg1", 0, 32, 1 << 46, "to lane 32"),
        ("cp.128x256b.cg1", 60, 0, 1 << 46 | 1 << 32, "column 64 is not allocated"),
        ("cp.128x128b.cg1", 0, 0, 1 << 46 | 64 << 32, "reads shared address"),
        ("cp.128x128b.cg1", 0, 0, 3 << 61 | 1 << 46, "swizzling mode 3"),
        ("shift.down.cg1", 0, 16, None, "not a multiple of 32"),
        ("shift.down.cg1", 60, 0, None, "column 64 is not allocated"),
    ],
)
def test_wrong_copies_and_shifts(name, column, lane, descriptor, message):
    arguments = ["ptr addrspace(6) %p"] + ([] if descriptor is None else ["i64 %m0"])
    declaration, text = call(name, *arguments)
    data, lines = descriptors((bytes(1024), descriptor or 0))
    body = one_thread("\n".join([lines, pointer("p", column, lane), text]))
    with pytest.raises(SimulationError, match=message):
        Tensor(words(64), data, declaration).run(body)
