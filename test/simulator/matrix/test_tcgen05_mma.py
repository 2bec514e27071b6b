"""The products of tcgen05: their operands, and the location of the result (PTX ISA 9.7.16.10).

Expected values are NumPy's over small integers, so that no sum is rounded; the layout of D is written out
here independently, lane by lane.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.tcgen05_products import (
    FLOATS,
    UNUSED,
    descriptor,
    empty,
    encode,
    numbers,
    run,
    singles,
    small,
    spread,
)
from helpers.tensor_kernels import (
    LEVELS,
    Tensor,
    call,
    k_major,
    mn_major,
    one_thread,
    pointer,
)

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import SimulationError, launch

INSTRUCTIONS_HERE = [
    "tcgen05.mma", "tcgen05.mma.ws", "tcgen05.commit",
]  # fmt: skip

KINDS = {"f16": 0, "tf32": 1, "f8f6f4": 2, "i8": 3}


def product(
    kind: str, word: int, a: str = "i64 %m0", b: str = "i64 %m1", accumulate: bool = False, group: int = 1,
    extra: tuple[str, ...] = (), suffix: str = "",
) -> tuple[str, str]:  # fmt: skip
    """A declaration and a call of `tcgen05.mma` with D at `%d`."""
    where = "tensor" if "ptr" in a else "shared"
    masked = "disable_output_lane" in suffix
    flags = [f"i32 {KINDS[kind]}", *([] if masked else [f"i32 {group}"]), "i32 0"]
    return call(
        f"mma.{where}{suffix}", "ptr addrspace(6) %d", a, b, f"i32 {word}",
        f"i1 {'true' if accumulate else 'false'}", *extra, *flags,
    )  # fmt: skip


# Types


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("kind", "a_type", "b_type", "d_type", "k"),
    [
        ("f16", "f16", "f16", "f32", 16), ("f16", "bf16", "f16", "f32", 16), ("f16", "f16", "f16", "f16", 16),
        ("tf32", "tf32", "tf32", "f32", 8), ("i8", "s8", "s8", "s32", 32), ("i8", "u8", "s8", "s32", 32),
        ("f8f6f4", "e4m3", "e5m2", "f32", 32), ("f8f6f4", "e5m2", "e4m3", "f16", 32),
        ("f8f6f4", "e2m3", "e2m1", "f32", 32), ("f8f6f4", "e2m1", "e3m2", "f32", 32),
    ],
)  # fmt: skip
def test_types(kind: str, a_type: str, b_type: str, d_type: str, k: int, level: str):
    unsigned = a_type == "u8"
    a, b = numbers(1, 128, k, 0 if unsigned else -4), numbers(2, 32, k)
    word = descriptor(128, 32, a_type, b_type, d_type)
    matrices = [k_major(encode(a, a_type)), k_major(encode(b, b_type))]
    got = run(matrices, [product(kind, word)], empty(32), level)
    want = a @ b.T
    if d_type == "f32":
        assert np.array_equal(got, singles(want))
    elif d_type == "f16":
        assert np.array_equal(got, want.astype(np.float16).view(np.uint16))
    else:
        assert np.array_equal(got, want.astype(np.uint32))


@pytest.mark.parametrize(
    ("flags", "signs"),
    [({"negate_a": 1}, -1), ({"negate_b": 1}, -1), ({"negate_a": 1, "negate_b": 1}, 1)],
)
def test_negated_matrices(flags: dict[str, int], signs: int):
    a, b = numbers(3, 128, 16), numbers(4, 8, 16)
    word = descriptor(128, 8, "f16", "f16", "f32", **flags)
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    got = run(matrices, [product("f16", word)], empty(32))[:, :8]
    assert np.array_equal(got.view(np.float32), signs * (a @ b.T))


@pytest.mark.parametrize(("kind", "type_", "k"), [("f16", "f16", 16), ("i8", "s8", 32)])
def test_transposed_matrices(kind: str, type_: str, k: int):
    a, b = numbers(5, 128, k), numbers(6, 32, k)
    d = "s32" if kind == "i8" else "f32"
    word = descriptor(128, 32, type_, type_, d, turn_a=1, turn_b=1)
    matrices = [mn_major(encode(a.T, type_)), mn_major(encode(b.T, type_))]
    got = run(matrices, [product(kind, word)], empty(32))
    want = a @ b.T
    assert np.array_equal(got, want.astype(np.uint32) if kind == "i8" else singles(want))


def test_integers_saturate_or_wrap():
    a, b = np.full((128, 32), 127), np.full((8, 32), 127)
    fill = np.full((128, 32), (1 << 31) - 5, np.uint32)
    matrices = [k_major(encode(a, "s8")), k_major(encode(b, "s8"))]
    for saturate, wanted in ((1, (1 << 31) - 1), (0, (1 << 31) - 5 + 32 * 127 * 127)):
        word = descriptor(128, 8, "s8", "s8", "s32", saturate=saturate)
        got = run(matrices, [product("i8", word, accumulate=True)], fill)
        assert (got[:, :8] == wanted).all()
        assert (got[:, 8:] == (1 << 31) - 5).all()


# D as input, and unchanged lanes


def test_d_is_added_and_scaled():
    a, b, d = numbers(7, 128, 16), numbers(8, 32, 16), numbers(9, 128, 32)
    word = descriptor(128, 32, "f16", "f16", "f32")
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    plain = product("f16", word, accumulate=True)
    assert np.array_equal(run(matrices, [plain], singles(d)), singles(a @ b.T + d))
    scaled = product("f16", word, accumulate=True, extra=("i64 3",), suffix=".scale_d")
    for level in LEVELS:
        assert np.array_equal(run(matrices, [scaled], singles(d), level), singles(a @ b.T + d / 8))


@pytest.mark.parametrize("level", LEVELS)
def test_disabled_lanes(level: str):
    a, b = numbers(10, 128, 16), numbers(11, 32, 16)
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    lanes = "<4 x i32> <i32 1, i32 0, i32 -2147483648, i32 6>"
    masked = product(
        "f16", descriptor(128, 32, "f16", "f16", "f32"), extra=(lanes,), suffix=".disable_output_lane.cg1"
    )  # fmt: skip
    want = singles(a @ b.T)
    want[[0, 95, 97, 98]] = 0xDEAD
    assert np.array_equal(run(matrices, [masked], empty(32), level), want)


# Layouts of D


@pytest.mark.parametrize(("m", "group"), [(64, 1), (128, 2), (256, 2)])
def test_layouts(m: int, group: int):
    a, b = numbers(12, m, 16), numbers(13, 64, 16)
    matrices = []
    for matrix in (a, b):
        matrices += [k_major(encode(part, "f16")) for part in np.split(matrix, group)]
    word = descriptor(m, 64, "f16", "f16", "f32")
    got = run(matrices, [product("f16", word, group=group)], empty(64, group), group=group)
    want = spread(m, a @ b.T, group, False)
    width = want.shape[1]
    held = want != UNUSED
    assert np.array_equal(got[:, :width][held], singles(want)[held])
    assert (got[:, :width][~held] == 0xDEAD).all()
    assert (got[:, width:] == 0xDEAD).all()


def test_half_of_the_lanes_from_16_on():
    a, b = numbers(14, 64, 16), numbers(15, 32, 16)
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    word = descriptor(64, 32, "f16", "f16", "f32")
    got = run(matrices, [product("f16", word)], empty(32), lane=16)
    want = empty(32)
    for row in range(64):
        want[16 + row // 16 * 32 + row % 16] = singles((a @ b.T)[row])
    assert np.array_equal(got, want)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("m", [32, 64, 128])
def test_weight_stationary_products(m: int, level: str):
    a, b = numbers(16, m, 16), numbers(17, 64, 16)
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    word = descriptor(m, 64, "f16", "f16", "f32")
    issue = call(
        "mma.ws.shared", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}", "i1 false",
        "i32 0", "i32 2", "i32 2",
    )  # fmt: skip
    want = spread(m, a @ b.T, 1, True)
    got = run(matrices, [issue], empty(64), level)
    assert np.array_equal(got[:, : want.shape[1]], singles(want))
    assert (got[:, want.shape[1] :] == 0xDEAD).all()


def zero_mask(starts: list[int], first: list[int], skip: int, use: int, shift: int) -> int:
    """A zero-column mask descriptor (table 45)."""
    word = 1 << 39 | skip << 40 | use << 48 | shift << 56
    return (
        word
        | sum(s << 8 * i for i, s in enumerate(starts))
        | sum(f << 32 + i for i, f in enumerate(first))
    )


@pytest.mark.parametrize(
    ("m", "mask", "parts", "shift"),
    [
        # The examples of 9.7.16.4.3, lowest column first
        (128, zero_mask([0], [0], 2, 3, 0), ["00001110000111"], 0),
        (64, zero_mask([0, 0], [1, 0], 2, 3, 0), ["11100001110000", "00001110000111"], 0),
        (
            32, zero_mask([0, 1, 2, 1], [1, 1, 0, 0], 2, 3, 2),
            ["11100001110000111", "110000111000011", "00111000011100", "0001110000111"], 2,
        ),
        (128, zero_mask([0], [0], 2, 3, 0) & ~(1 << 39), ["0"], 0),
    ],
)  # fmt: skip
def test_zero_columns(m: int, mask: int, parts: list[str], shift: int):
    a, b = numbers(18, m, 16), numbers(19, 64 + 8, 16, 1)
    matrices = [k_major(encode(a, "f16")), k_major(encode(b, "f16"))]
    word = descriptor(m, 64, "f16", "f16", "f32")
    issue = call(
        "mma.ws.shared.zero_col_mask", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}",
        "i1 false", f"i64 {mask}", "i32 0", "i32 0", "i32 0",
    )  # fmt: skip
    used = b[shift : shift + 64].copy()
    length = 64 // len(parts)
    for i, part in enumerate(parts):
        # The zero columns repeat periodically.
        period = 7 if len(part) > 7 else 1
        for column in range(length):
            back = -(-max(column + 1 - len(part), 0) // period) * period
            if part[column - back] == "1":
                used[i * length + column] = 0
    want = spread(m, a @ used.T, 1, True)
    got = run(matrices, [issue], empty(64))
    assert np.array_equal(got[:, : want.shape[1]], singles(want))


# A in tensor memory


def in_words(rows: np.ndarray) -> np.ndarray:
    """Rows of bytes as words."""
    return np.ascontiguousarray(rows).view(np.uint32)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("kind", "type_", "k"), [("f16", "bf16", 16), ("tf32", "tf32", 8), ("i8", "s8", 32)]
)
def test_a_in_tensor_memory(kind: str, type_: str, k: int, level: str):
    a, b = numbers(20, 128, k), numbers(21, 32, k)
    fill = empty(64)
    fill[:, 40:48] = in_words(encode(a, type_))
    d = "s32" if kind == "i8" else "f32"
    issue = product(kind, descriptor(128, 32, type_, type_, d), "ptr addrspace(6) %a", "i64 %m0")
    got = run([k_major(encode(b, type_))], [issue], fill, level, before=pointer("a", 40))
    want = a @ b.T
    assert np.array_equal(got[:, :32], want.astype(np.uint32) if kind == "i8" else singles(want))
    assert np.array_equal(got[:, 32:], fill[:, 32:])


def test_matrix_a_in_half_of_the_lanes():
    a, b = numbers(22, 64, 16), numbers(23, 32, 16)
    fill = empty(64)
    lanes = [16 + row // 16 * 32 + row % 16 for row in range(64)]
    fill[lanes, 40:48] = in_words(encode(a, "f16"))
    word = descriptor(64, 32, "f16", "f16", "f32")
    issue = product("f16", word, "ptr addrspace(6) %a", "i64 %m0")
    matrices = [k_major(encode(b, "f16"))]
    got = run(matrices, [issue], fill, before=pointer("a", 40, 16), lane=16)
    assert np.array_equal(got[lanes, :32], singles(a @ b.T))
    with pytest.raises(SimulationError, match="different lanes"):
        run(matrices, [issue], fill, before=pointer("a", 40, 0), lane=16)


@pytest.mark.parametrize(("type_", "shift"), [("e2m1", 2), ("e3m2", 1)])
def test_small_floats_in_tensor_memory(type_: str, shift: int):
    a, b = numbers(24, 128, 32), numbers(25, 32, 32)
    fill = empty(64)
    fill[:, 40:48] = in_words(small(a, *FLOATS[type_]) << shift)
    word = descriptor(128, 32, type_, "e4m3", "f32")
    issue = product("f8f6f4", word, "ptr addrspace(6) %a", "i64 %m0")
    got = run([k_major(encode(b, "e4m3"))], [issue], fill, before=pointer("a", 40))
    assert np.array_equal(got[:, :32], singles(a @ b.T))


@pytest.mark.parametrize("level", LEVELS)
def test_a_is_shifted_after_the_product(level: str):
    a, b = numbers(26, 128, 16), numbers(27, 32, 16)
    fill = empty(64)
    fill[:, 40:48] = in_words(encode(a, "f16"))
    word = descriptor(128, 32, "f16", "f16", "f32")
    issue = product("f16", word, "ptr addrspace(6) %a", "i64 %m0", suffix=".ashift")
    got = run([k_major(encode(b, "f16"))], [issue], fill, level, before=pointer("a", 40))
    assert np.array_equal(got[:, :32], singles(a @ b.T))
    moved = [row + 1 if row % 32 != 31 else row for row in range(128)]
    assert np.array_equal(got[:, 40:48], fill[moved, 40:48])


# Errors


@pytest.mark.parametrize(
    ("word", "d", "message"),
    [
        (descriptor(96, 32, "f16", "f16", "f32"), 0, "no shape M = 96, N = 32"),
        (descriptor(128, 36 * 8, "f16", "f16", "f32"), 0, "no shape M = 128, N = 288"),
        (descriptor(128, 32, "tf32", "f16", "f32"), 0, "2 is not a type of matrix A"),
        (descriptor(128, 32, "bf16", "f16", "f16"), 0, "a bf16 matrix needs D of f32"),
        (descriptor(128, 32, "f16", "f16", "f32", sparse=1), 0, "says sparse"),
        (descriptor(128, 64, "f16", "f16", "f32"), 0, "column 32 is not allocated"),
        (descriptor(128, 32, "f16", "f16", "f32"), 16 << 16, "at lane 16"),
        (descriptor(128, 32, "f16", "f16", "f32", saturate=1), 0, "saturation is for .kind::i8"),
    ],
)
def test_wrong_products(word: int, d: int, message: str):
    matrices = [k_major(np.zeros((128, 32), np.uint8)), k_major(np.zeros((64, 32), np.uint8))]
    with pytest.raises(SimulationError, match=message):
        run(matrices, [product("f16", word)], empty(32), lane=d >> 16)


@pytest.mark.parametrize(
    ("kind", "swizzle", "message"),
    [
        ("tf32", 0, "a transposed matrix of tf32 cannot"),
        ("f16", 1, "a transposed matrix of f16 cannot"),
    ],
)
def test_swizzles_of_transposed_matrices(kind: str, swizzle: int, message: str):
    """Only 32-bit elements have atoms of 32 bytes, and no other swizzle (9.7.16.10.1)."""
    matrix = np.zeros((128, 64), np.uint8)
    data, strides = k_major(matrix)
    word = descriptor(128, 32, kind, kind, "f32", turn_a=1)
    turned = (data, strides | swizzle << 61)
    with pytest.raises(SimulationError, match=message):
        run([turned, k_major(matrix)], [product(kind, word)], empty(32))


def test_only_some_kinds_scale_d():
    matrices = [k_major(np.zeros((128, 32), np.uint8)), k_major(np.zeros((64, 32), np.uint8))]
    word = descriptor(128, 32, "e4m3", "e4m3", "f32")
    issue = product("f8f6f4", word, extra=("i64 3",), suffix=".scale_d")
    with pytest.raises(SimulationError, match="scale-input-d of 3 in"):
        run(matrices, [issue], empty(32))


def test_a_product_reads_only_initialized_memory():
    matrices = [k_major(np.zeros((128, 32), np.uint8)), (b"", 1 << 46 | 64 << 32)]
    word = descriptor(128, 256, "f16", "f16", "f32")
    with pytest.raises(SimulationError, match="matrix B, reads shared address"):
        run(matrices, [product("f16", word)], empty(256))


# Barriers: 9.7.16.12


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("multicast", "passed"), [(None, [1, 0]), (1, [1, 0]), (2, [0, 1]), (3, [1, 1])]
)
def test_commits_arrive_at_barriers(multicast: int | None, passed: list[int], level: str):
    """Each block stores to the first word of tensor memory whether its barrier's phase is complete."""
    arguments = ["ptr addrspace(3) @barrier"] + ([] if multicast is None else [f"i16 {multicast}"])
    name = "commit.shared.cg2" if multicast is None else "commit.mc.shared.cg2"
    declaration, text = call(name, *arguments)
    body = f"""
  br i1 %t0, label %set, label %ready
set:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @barrier, i32 1)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %token = load i64, ptr addrspace(3) @barrier
{one_thread(text)}
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %now = load i64, ptr addrspace(3) @barrier
  %same = icmp eq i64 %now, %token
  %done = select i1 %same, i32 0, i32 1
{pointer("p", 0, 0, "%mine")}
  call void @llvm.nvvm.tcgen05.st.32x32b.x1(ptr addrspace(6) %p, i32 %done, i1 false)
"""
    more = "declare void @llvm.nvvm.tcgen05.st.32x32b.x1(ptr addrspace(6), i32, i1)"
    tensor = Tensor(empty(32, 2), declarations=f"{declaration}\n{more}", group=2)
    got = tensor.run(body, level)
    assert got[::128, 0].tolist() == passed


def test_descriptors_are_assembled():
    """Each operand of `mma_smem_desc` is truncated to its field (9.7.16.4.1)."""
    module = parse("""
llvm.func @k(%o: !llvm.ptr, %s: i32, %l: i32, %t: i32, %b: i8, %m: i1, %w: i8) attributes {nvvm.kernel} {
  %0 = nvvm.tcgen05.mma_smem_desc(%s, %l, %t, %b, %m, %w) : (i32, i32, i32, i8, i1, i8) -> i64
  llvm.store %0, %o : i64, !llvm.ptr
  llvm.return
}""")
    want = 0x3FFF | 0x2345 << 16 | 0x3777 << 32 | 1 << 46 | 7 << 49 | 1 << 52 | 6 << 61
    for each in (module, select(module, "sm_100a")):
        out = np.zeros(1, np.uint64)
        launch(each, "k", 1, 1, [out, 0x7FFF, 0x12345, 0x7777, 0xFF, True, 6])
        assert int(out[0]) == want
