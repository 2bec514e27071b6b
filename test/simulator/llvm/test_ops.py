"""Each op of the llvm dialect, run on edge cases; expected results are given or NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import elementwise, kernel, run

from nvvm_xdsl.simulator import SimulationError

I32 = np.array([0, 1, -1, 2147483647, -2147483648, 7, -7, 100], np.int32)
J32 = np.array([1, -1, 3, 1, -1, -2, 2, 31], np.int32)


def wrap(values, dtype) -> list[int]:
    bits = np.dtype(dtype).itemsize * 8
    return [int(v) & ((1 << bits) - 1) for v in values]


@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("add", lambda a, b: a + b),
        ("sub", lambda a, b: a - b),
        ("mul", lambda a, b: a * b),
        ("and", lambda a, b: a & b),
        ("or", lambda a, b: a | b),
        ("xor", lambda a, b: a ^ b),
        ("sdiv", lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)),
        ("srem", lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1)),
    ],
)
def test_integer_arithmetic_wraps(op: str, function):
    got = elementwise(f"{op} i32 %0, %1", "i32", [("i32", I32), ("i32", J32)], np.uint32)
    assert got.tolist() == wrap([function(int(a), int(b)) for a, b in zip(I32, J32)], np.uint32)


def test_unsigned_division():
    a, b = I32.view(np.uint32), np.array([1, 2, 3, 5, 7, 4, 9, 0xFFFFFFFF], np.uint32)
    assert (
        elementwise("udiv i32 %0, %1", "i32", [("i32", a), ("i32", b)], np.uint32).tolist()
        == (a // b).tolist()
    )
    assert (
        elementwise("urem i32 %0, %1", "i32", [("i32", a), ("i32", b)], np.uint32).tolist()
        == (a % b).tolist()
    )


def test_division_by_zero_is_all_ones_and_reported_on_request():
    one, zero = np.ones(1, np.int32), np.zeros(1, np.int32)
    assert elementwise(
        "udiv i32 %0, %1", "i32", [("i32", one), ("i32", zero)], np.uint32
    ).tolist() == [0xFFFFFFFF]


@pytest.mark.parametrize("op", ["sdiv", "srem"])
@pytest.mark.parametrize("bits", [8, 32, 64, 128])
def test_the_least_number_by_minus_one_is_reported_on_request(op: str, bits: int):
    least = f"shl i{bits} %one, {bits - 1}"
    cast = "trunc" if bits < 32 else "bitcast" if bits == 32 else "zext"
    text = kernel(
        "ptr %out, i32 %n",
        f"  %one = {cast} i32 %n to i{bits}\n  %least = {least}\n"
        f"  %all = sub i{bits} 0, %one\n  %r = {op} i{bits} %least, %all\n"
        f"  store i{bits} %r, ptr %out\n  ret void",
    )
    out = np.zeros(16, np.uint8)
    run(text, [out, 1], 1)
    with pytest.raises(SimulationError, match="signed division of the minimum by -1"):
        run(text, [out, 1], 1, checks=["init"])
    # Another divisor is not.
    run(text, [out, 3], 1, checks=["init"])


SIGNS = {"s": (-1, 0), "u": (0, 1)}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("name", ["add", "sub"])
def test_booleans_as_one_bit_numbers(sign: str, name: str):
    """Saturation and overflow are those of integers of any width."""
    a, b = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    low, high = SIGNS[sign]
    x, y = (-a, -b) if sign == "s" else (a, b)
    exact = x + y if name == "add" else x - y
    full = f"llvm.{sign}{name}"

    def of(call: str, declared: str) -> list[int]:
        out = np.zeros(4, np.uint8)
        body = (
            "  %a = trunc i32 %tid to i1\n  %half = lshr i32 %tid, 1\n  %b = trunc i32 %half to i1\n"
            f"{call}\n  %w = zext i1 %r to i8\n  %q = getelementptr i8, ptr %out, i64 %i\n"
            "  store i8 %w, ptr %q\n  ret void"
        )
        run(kernel("ptr %out", body, f"declare {declared}"), [out], 4)
        return out.tolist()

    saturated = f"i1 @{full}.sat.i1(i1"
    found = of(f"  %r = call {saturated} %a, i1 %b)", f"{saturated}, i1)")
    assert found == (np.clip(exact, low, high) & 1).tolist()
    both = f"{{ i1, i1 }} @{full}.with.overflow.i1(i1"
    wanted = ((exact & 1), (exact < low) | (exact > high))
    for number in (0, 1):
        call = f"  %o = call {both} %a, i1 %b)\n  %r = extractvalue {{ i1, i1 }} %o, {number}"
        assert of(call, f"{both}, i1)") == wanted[number].astype(int).tolist()


def test_overflow_of_vectors_and_sums_of_their_flags():
    """The elements of the result come first, then the flags; `reduce.add` counts modulo 2."""
    x = np.array([[0x7FFFFFFF, 1], [5, 6], [0x7FFFFFFF, 0x7FFFFFFF], [2, 0x7FFFFFFF]], np.int32)
    out = np.zeros((4, 2), np.int32)
    odd = np.zeros(4, np.uint8)
    pair = "{ <2 x i32>, <2 x i1> } @llvm.sadd.with.overflow.v2i32(<2 x i32>"
    body = (
        "  %p = getelementptr <2 x i32>, ptr %in, i64 %i\n  %x = load <2 x i32>, ptr %p\n"
        f"  %c = call {pair} %x, <2 x i32> splat (i32 1))\n"
        "  %v = extractvalue { <2 x i32>, <2 x i1> } %c, 0\n"
        "  %f = extractvalue { <2 x i32>, <2 x i1> } %c, 1\n"
        "  %s = call i1 @llvm.vector.reduce.add.v2i1(<2 x i1> %f)\n  %w = zext i1 %s to i8\n"
        "  %q = getelementptr <2 x i32>, ptr %out, i64 %i\n  store <2 x i32> %v, ptr %q\n"
        "  %o = getelementptr i8, ptr %odd, i64 %i\n  store i8 %w, ptr %o\n  ret void"
    )
    declared = f"declare {pair}, <2 x i32>)\ndeclare i1 @llvm.vector.reduce.add.v2i1(<2 x i1>)"
    run(kernel("ptr %in, ptr %out, ptr %odd", body, declared), [x, out, odd], 4, checks=["init"])
    assert (out.view(np.uint32) == x.view(np.uint32) + 1).all()
    assert odd.tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("bits", [65, 128])
def test_saturation_above_64_bits(bits: int):
    least, most = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    calls = {
        f"sadd.sat.i{bits}(i{bits} {most}, i{bits} %x)": most,
        f"ssub.sat.i{bits}(i{bits} {least}, i{bits} %x)": least,
        f"uadd.sat.i{bits}(i{bits} -3, i{bits} %x)": -1,
        f"usub.sat.i{bits}(i{bits} 3, i{bits} %x)": 0,
        f"sadd.sat.i{bits}(i{bits} -3, i{bits} %x)": 1,
    }
    body = f"  %x = zext i64 %n to i{bits}\n"
    for n, call in enumerate(calls):
        body += (
            f"  %r{n} = call i{bits} @llvm.{call}\n"
            f"  %p{n} = getelementptr i8, ptr %out, i64 {32 * n}\n"
            f"  store i{bits} %r{n}, ptr %p{n}, align 16\n"
        )
    names = dict.fromkeys(call.partition("(")[0] for call in calls)
    declared = [f"declare i{bits} @llvm.{name}(i{bits}, i{bits})" for name in names]
    out = np.zeros(32 * len(calls), np.uint8)
    run(kernel("i64 %n, ptr %out", body + "  ret void", "\n".join(declared)), [4, out], 1)
    found = [int.from_bytes(row.tobytes(), "little") for row in out.reshape(-1, 32)]
    assert found == [n % (1 << bits) for n in calls.values()]


def test_shifts_up_to_the_width():
    a = np.array([0x80000001] * 4, np.uint32)
    b = np.array([0, 1, 31, 4], np.uint32)
    operands = [("i32", a), ("i32", b)]
    assert elementwise("shl i32 %0, %1", "i32", operands, np.uint32).tolist() == [
        0x80000001,
        2,
        0x80000000,
        0x10,
    ]
    assert elementwise("lshr i32 %0, %1", "i32", operands, np.uint32).tolist() == [
        0x80000001,
        0x40000000,
        1,
        0x8000000,
    ]
    assert elementwise("ashr i32 %0, %1", "i32", operands, np.uint32).tolist() == [
        0x80000001, 0xC0000000, 0xFFFFFFFF, 0xF8000000,
    ]  # fmt: skip


def test_odd_widths():
    a = np.array([0x7F, 0x80, 0xFF, 5], np.uint8)
    body = "\n".join(
        [
            "  %p = getelementptr i8, ptr %in, i64 %i",
            "  %v = load i8, ptr %p",
            "  %n = trunc i8 %v to i5",
            "  %s = add i5 %n, 3",
            "  %d = sdiv i5 %s, 2",
            "  %w = sext i5 %d to i32",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %w, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(4, np.int32)
    run(kernel("ptr %in, ptr %out", body), [a, out], block=4)

    def reference(v: int) -> int:
        s = (v + 3) & 31
        s -= (s & 16) << 1
        return abs(s) // 2 * (1 if s >= 0 else -1)

    assert out.tolist() == [reference(int(v)) for v in a]


def test_wide_integers():
    a = np.array([1 << 63, 3, 0xFFFFFFFFFFFFFFFF], np.uint64)
    body = "\n".join(
        [
            "  %p = getelementptr i64, ptr %in, i64 %i",
            "  %v = load i64, ptr %p",
            "  %w = zext i64 %v to i128",
            "  %m = mul i128 %w, %w",
            "  %s = lshr i128 %m, 64",
            "  %h = trunc i128 %s to i64",
            "  %q = getelementptr i64, ptr %out, i64 %i",
            "  store i64 %h, ptr %q",
            "  %r = getelementptr i128, ptr %wide, i64 %i",
            "  store i128 %m, ptr %r, align 8",
            "  %l = load i128, ptr %r, align 8",
            "  %c = icmp eq i128 %l, %m",
            "  br i1 %c, label %yes, label %no",
            "no:",
            "  store i64 0, ptr %q",
            "  br label %yes",
            "yes:",
            "  ret void",
        ]
    )
    out, wide = np.zeros(3, np.uint64), np.zeros(6, np.uint64)
    run(kernel("ptr %in, ptr %out, ptr %wide", body), [a, out, wide], block=3)
    assert out.tolist() == [int(v) ** 2 >> 64 for v in a]
    assert wide[::2].tolist() == [int(v) ** 2 & (1 << 64) - 1 for v in a]


@pytest.mark.parametrize(
    ("predicate", "wanted"),
    [
        ("eq", [0, 0, 1, 0]), ("ne", [1, 1, 0, 1]), ("slt", [1, 0, 0, 1]), ("sle", [1, 0, 1, 1]),
        ("sgt", [0, 1, 0, 0]), ("sge", [0, 1, 1, 0]), ("ult", [0, 1, 0, 1]), ("ule", [0, 1, 1, 1]),
        ("ugt", [1, 0, 0, 0]), ("uge", [1, 0, 1, 0]),
    ],
)  # fmt: skip
def test_icmp(predicate: str, wanted: list[int]):
    a, b = np.array([-1, 1, 5, 2], np.int32), np.array([1, -1, 5, 3], np.int32)
    body = "\n".join(
        [
            "  %p = getelementptr i32, ptr %a, i64 %i",
            "  %x = load i32, ptr %p",
            "  %q = getelementptr i32, ptr %b, i64 %i",
            "  %y = load i32, ptr %q",
            f"  %c = icmp {predicate} i32 %x, %y",
            "  %z = zext i1 %c to i32",
            "  store i32 %z, ptr %p",
            "  ret void",
        ]
    )
    run(kernel("ptr %a, ptr %b", body), [a, b], block=4)
    assert a.tolist() == wanted


@pytest.mark.parametrize(
    ("predicate", "wanted"),
    [
        ("oeq", "0100"), ("ogt", "0010"), ("oge", "0110"), ("olt", "1000"), ("ole", "1100"), ("one", "1010"),
        ("ord", "1110"), ("ueq", "0101"), ("ugt", "0011"), ("uge", "0111"), ("ult", "1001"), ("ule", "1101"),
        ("une", "1011"), ("uno", "0001"), ("true", "1111"), ("false", "0000"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("type_", ["float", "double", "half", "bfloat"])
def test_fcmp(predicate: str, wanted: str, type_: str):
    a, b = np.array([1, 0, 2, np.nan]), np.array([2, -0.0, 1, 1])
    if type_ == "bfloat":
        x, y = ((v.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) for v in (a, b))
    else:
        x, y = (v.astype({"float": "f4", "double": "f8", "half": "f2"}[type_]) for v in (a, b))
    got = elementwise(f"fcmp {predicate} {type_} %0, %1", "i1", [(type_, x), (type_, y)], np.uint8)
    assert "".join(map(str, got.tolist())) == wanted


def test_half_and_bfloat_arithmetic_rounds_once():
    a = np.array([1.0, 2048.0, 65504.0], np.float16)
    b = np.array([2.0**-11, 1.0, 65504.0], np.float16)
    got = elementwise("fadd half %0, %1", "half", [("half", a), ("half", b)], np.float16)
    assert got.tolist() == [1.0, 2048.0, np.inf]
    one = np.array([0x3F80], np.uint16)
    small = np.array([0x3B80], np.uint16)  # 2**-8: half of a unit in the last place of 1.0
    assert elementwise(
        "fadd bfloat %0, %1", "bfloat", [("bfloat", one), ("bfloat", small)], np.uint16
    ).tolist() == [0x3F80]


@pytest.mark.parametrize(
    ("expression", "type_", "values", "out", "wanted"),
    [
        ("trunc i32 %0 to i8", ("i32", "i8"), np.array([0x1FF, -1], np.int32), np.uint8, [0xFF, 0xFF]),
        ("zext i8 %0 to i64", ("i8", "i64"), np.array([0xFF], np.uint8), np.uint64, [0xFF]),
        ("sext i8 %0 to i64", ("i8", "i64"), np.array([0xFF], np.uint8), np.int64, [-1]),
        ("fptosi float %0 to i8", ("float", "i8"), np.array([-3.7, 100.2], np.float32), np.int8, [-3, 100]),
        ("fptoui float %0 to i64", ("float", "i64"), np.array([1.8e19], np.float32), np.uint64, [18000000404716257280]),
        ("sitofp i64 %0 to float", ("i64", "float"), np.array([(1 << 53) + 1, -5]), np.float32, [9007199254740992.0, -5.0]),
        ("uitofp i8 %0 to half", ("i8", "half"), np.array([255], np.uint8), np.float16, [255.0]),
        ("fptrunc double %0 to float", ("double", "float"), np.array([1 + 2.0**-24, 1e300]), np.float32, [1.0, np.inf]),
        ("fpext half %0 to double", ("half", "double"), np.array([6e-8], np.float16), np.float64, [5.960464477539063e-08]),
        ("bitcast float %0 to i32", ("float", "i32"), np.array([-0.0], np.float32), np.uint32, [0x80000000]),
        ("bitcast i32 %0 to <2 x i16>", ("i32", "<2 x i16>"), np.array([0x12345678], np.uint32), np.uint32, [0x12345678]),
        ("bitcast <2 x i16> %0 to i32", ("<2 x i16>", "i32"), np.array([0x12345678], np.uint32), np.uint32, [0x12345678]),
        ("bitcast <4 x i8> %0 to <2 x half>", ("<4 x i8>", "<2 x half>"), np.array([0x3C004000], np.uint32), np.uint32, [0x3C004000]),
    ],
)  # fmt: skip
def test_conversions(expression, type_, values, out, wanted):
    got = elementwise(expression, type_[1], [(type_[0], values)], out)
    assert got.tolist() == wanted


@pytest.mark.parametrize(
    ("name", "types", "arguments", "wanted"),
    [
        ("llvm.ctpop.i32", "i32", "i32 %0", [0, 1, 32, 31, 1]),
        ("llvm.ctlz.i32", "i32", "i32 %0, i1 false", [32, 31, 0, 1, 0]),
        ("llvm.cttz.i32", "i32", "i32 %0, i1 false", [32, 0, 0, 0, 31]),
        ("llvm.bswap.i32", "i32", "i32 %0", [0, 0x01000000, 0xFFFFFFFF, 0xFFFFFF7F, 0x80]),
        ("llvm.bitreverse.i32", "i32", "i32 %0", [0, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 1]),
        ("llvm.abs.i32", "i32", "i32 %0, i1 false", [0, 1, 1, 0x7FFFFFFF, 0x80000000]),
        ("llvm.smax.i32", "i32", "i32 %0, i32 0", [0, 1, 0, 0x7FFFFFFF, 0]),
        ("llvm.umin.i32", "i32", "i32 %0, i32 5", [0, 1, 5, 5, 5]),
        ("llvm.sadd.sat.i32", "i32", "i32 %0, i32 1", [1, 2, 0, 0x7FFFFFFF, 0x80000001]),
        ("llvm.usub.sat.i32", "i32", "i32 %0, i32 1", [0, 0, 0xFFFFFFFE, 0x7FFFFFFE, 0x7FFFFFFF]),
        ("llvm.fshl.i32", "i32", "i32 %0, i32 %0, i32 4", [0, 0x10, 0xFFFFFFFF, 0xFFFFFFF7, 8]),
        ("llvm.fshr.i32", "i32", "i32 %0, i32 1, i32 0", [1, 1, 1, 1, 1]),
    ],
)  # fmt: skip
def test_integer_intrinsics(name: str, types: str, arguments: str, wanted: list[int]):
    values = np.array([0, 1, -1, 0x7FFFFFFF, -(1 << 31)], np.int32)
    signature = ", ".join(a.split()[0] for a in arguments.split(", "))
    got = elementwise(
        f"call i32 @{name}({arguments})",
        "i32",
        [("i32", values)],
        np.uint32,
        f"declare i32 @{name}({signature})",
    )
    assert got.tolist() == wanted


def test_overflow_intrinsics_give_both_results():
    a = np.array([0x7FFFFFFF, 1, -(1 << 31)], np.int32)
    body = "\n".join(
        [
            "  %p = getelementptr i32, ptr %a, i64 %i",
            "  %x = load i32, ptr %p",
            "  %r = call {i32, i1} @llvm.smul.with.overflow.i32(i32 %x, i32 2)",
            "  %v = extractvalue {i32, i1} %r, 0",
            "  %o = extractvalue {i32, i1} %r, 1",
            "  store i32 %v, ptr %p",
            "  %q = getelementptr i8, ptr %flags, i64 %i",
            "  %z = zext i1 %o to i8",
            "  store i8 %z, ptr %q",
            "  ret void",
        ]
    )
    flags = np.zeros(3, np.uint8)
    before = "declare {i32, i1} @llvm.smul.with.overflow.i32(i32, i32)"
    run(kernel("ptr %a, ptr %flags", body, before), [a, flags], block=3)
    assert a.tolist() == [-2, 2, 0]
    assert flags.tolist() == [1, 0, 1]


def test_vectors_and_structs():
    body = "\n".join(
        [
            "  %p = getelementptr <4 x float>, ptr %a, i64 %i",
            "  %v = load <4 x float>, ptr %p",
            "  %s = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>",
            "  %w = fadd <4 x float> %v, %s",
            "  %e = extractelement <4 x float> %w, i32 %tid",
            "  %n = insertelement <4 x float> %w, float -1.0, i32 %tid",
            "  %st = insertvalue {float, [2 x float]} poison, float %e, 1, 0",
            "  %g = extractvalue {float, [2 x float]} %st, 1, 0",
            "  %m = insertelement <4 x float> %n, float %g, i32 3",
            "  store <4 x float> %m, ptr %p",
            "  ret void",
        ]
    )
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    want = a + a[:, ::-1]
    for lane in range(3):
        picked = want[lane, lane]
        want[lane, lane] = -1
        want[lane, 3] = picked
    run(kernel("ptr %a", body), [a], block=3)
    assert a.tolist() == want.tolist()


def test_every_address_space_through_generic_pointers():
    before = "\n".join(
        [
            "@s = internal addrspace(3) global [32 x i32] undef",
            "@c = internal addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]",
            "@g = internal addrspace(1) global [32 x i32] zeroinitializer",
            "define internal void @bump(ptr %p, i32 %by) noinline {",
            "  %v = load i32, ptr %p",
            "  %w = add i32 %v, %by",
            "  store i32 %w, ptr %p",
            "  ret void",
            "}",
        ]
    )
    body = "\n".join(
        [
            "  %l = alloca i32",
            "  store i32 1, ptr %l",
            "  call void @bump(ptr %l, i32 %tid)",
            "  %s0 = getelementptr [32 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
            "  store i32 2, ptr addrspace(3) %s0",
            "  %s1 = addrspacecast ptr addrspace(3) %s0 to ptr",
            "  call void @bump(ptr %s1, i32 %tid)",
            "  %g0 = getelementptr [32 x i32], ptr addrspace(1) @g, i64 0, i64 %i",
            "  %g1 = addrspacecast ptr addrspace(1) %g0 to ptr",
            "  call void @bump(ptr %g1, i32 %tid)",
            "  %k = and i64 %i, 3",
            "  %c0 = getelementptr [4 x i32], ptr addrspace(4) @c, i64 0, i64 %k",
            "  %c1 = addrspacecast ptr addrspace(4) %c0 to ptr",
            "  %cv = load i32, ptr %c1",
            "  %odd = trunc i32 %tid to i1",
            "  %either = select i1 %odd, ptr %l, ptr %s1",
            "  %ev = load i32, ptr %either",
            "  %gv = load i32, ptr addrspace(1) %g0",
            "  %t0 = add i32 %cv, %ev",
            "  %t1 = add i32 %t0, %gv",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %t1, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body, before), [out])
    tid = np.arange(32)
    assert out.tolist() == ((tid % 4 + 1) * 10 + np.where(tid % 2, 1 + tid, 2 + tid) + tid).tolist()


def test_switch_and_phis():
    body = "\n".join(
        [
            "  %k = and i32 %tid, 3",
            "  switch i32 %k, label %other [ i32 0, label %zero\n    i32 2, label %two ]",
            "zero:",
            "  br label %join",
            "two:",
            "  br label %join",
            "other:",
            "  %t = mul i32 %tid, 10",
            "  br label %join",
            "join:",
            "  %r = phi i32 [ -1, %zero ], [ -2, %two ], [ %t, %other ]",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body), [out])
    assert out.tolist() == [[-1, t * 10, -2, t * 10][t & 3] for t in range(32)]


def test_phis_of_one_block_are_assigned_in_parallel():
    body = "\n".join(
        [
            "  br label %loop",
            "loop:",
            "  %a = phi i32 [ 1, %0 ], [ %b, %loop ]",
            "  %b = phi i32 [ 2, %0 ], [ %a, %loop ]",
            "  %n = phi i32 [ 0, %0 ], [ %m, %loop ]",
            "  %m = add i32 %n, 1",
            "  %c = icmp ult i32 %n, %tid",
            "  br i1 %c, label %loop, label %done",
            "done:",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %a, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(40, np.int32)
    run(kernel("ptr %out", body), [out], block=40)
    assert out.tolist() == [1 + t % 2 for t in range(40)]


def test_calls_recursion_and_function_pointers():
    before = "\n".join(
        [
            "define internal i32 @fib(i32 %n) {",
            "  %c = icmp ult i32 %n, 2",
            "  br i1 %c, label %small, label %large",
            "small:",
            "  ret i32 %n",
            "large:",
            "  %a = sub i32 %n, 1",
            "  %b = sub i32 %n, 2",
            "  %x = call i32 @fib(i32 %a)",
            "  %y = call i32 @fib(i32 %b)",
            "  %z = add i32 %x, %y",
            "  ret i32 %z",
            "}",
            "define internal i32 @twice(i32 %n) {",
            "  %z = shl i32 %n, 1",
            "  ret i32 %z",
            "}",
        ]
    )
    body = "\n".join(
        [
            "  %odd = trunc i32 %tid to i1",
            "  %f = select i1 %odd, ptr @fib, ptr @twice",
            "  %r = call i32 %f(i32 %tid)",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(12, np.int32)
    run(kernel("ptr %out", body, before), [out], block=12)
    fib = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]
    assert out.tolist() == [fib[t] if t % 2 else 2 * t for t in range(12)]


def test_memory_intrinsics():
    before = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
    body = "\n".join(
        [
            "  %l = alloca [16 x i8]",
            "  call void @llvm.memset.p0.i64(ptr %l, i8 9, i64 16, i1 false)",
            "  %o = shl i64 %i, 4",
            "  %p = getelementptr i8, ptr %a, i64 %o",
            "  call void @llvm.memcpy.p0.p0.i64(ptr %l, ptr %p, i64 %i, i1 false)",
            "  %l1 = getelementptr i8, ptr %l, i64 1",
            "  call void @llvm.memmove.p0.p0.i64(ptr %l1, ptr %l, i64 15, i1 false)",
            "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %l, i64 16, i1 false)",
            "  ret void",
        ]
    )
    a = np.arange(64, dtype=np.uint8).reshape(4, 16)
    want = []
    for lane in range(4):
        row = [9] * 16
        row[:lane] = a[lane, :lane].tolist()
        want.append([row[0], *row[:15]])
    run(kernel("ptr %a", body, before), [a], block=4)
    assert a.tolist() == want


@pytest.mark.parametrize(
    ("op", "start", "wanted"),
    [
        ("add", 5, 5 + sum(range(40))),
        ("sub", 0, -sum(range(40))),
        ("xchg", 5, 39),
        ("and", -1, 0),
        ("or", 0, 63),
        ("xor", 0, 0),
        ("max", -5, 39),
        ("min", 20, 0),
        ("umax", 3, 39),
        ("uinc_wrap", 0, None),
    ],
)
def test_atomics_on_one_address(op: str, start: int, wanted: int | None):
    body = "\n".join(
        [
            f"  %old = atomicrmw {op} ptr %a, i32 %tid seq_cst",
            "  %q = getelementptr i32, ptr %olds, i64 %i",
            "  store i32 %old, ptr %q",
            "  ret void",
        ]
    )
    a, olds = np.array([start], np.int32), np.zeros(40, np.int32)
    run(kernel("ptr %a, ptr %olds", body), [a, olds], block=40)
    if wanted is not None:
        assert a.tolist() == [wanted]
    # The lanes run in sequence, so each sees the result of the previous one.
    steps = {
        "add": lambda o, t: o + t, "sub": lambda o, t: o - t, "xchg": lambda o, t: t, "and": lambda o, t: o & t,
        "or": lambda o, t: o | t, "xor": lambda o, t: o ^ t, "max": max, "min": min, "umax": max,
        "uinc_wrap": lambda o, t: 0 if o >= t else o + 1,
    }  # fmt: skip
    seen, value = [], start
    for t in range(40):
        seen.append(value)
        value = steps[op](value, t)
    assert olds.tolist() == seen


def test_compare_and_swap_has_one_winner():
    body = "\n".join(
        [
            "  %r = cmpxchg ptr %a, i32 7, i32 %tid seq_cst seq_cst",
            "  %won = extractvalue {i32, i1} %r, 1",
            "  %w = zext i1 %won to i32",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %w, ptr %q",
            "  ret void",
        ]
    )
    a, out = np.array([7], np.int32), np.zeros(33, np.int32)
    run(kernel("ptr %a, ptr %out", body), [a, out], block=33)
    assert out.sum() == 1
    assert a.tolist() == [0]


def test_constant_expressions_and_initializers():
    before = "\n".join(
        [
            "%pair = type { i8, i32 }",
            "@data = internal addrspace(1) global [3 x %pair] [%pair { i8 1, i32 10 }, %pair { i8 2, i32 20 }, %pair { i8 3, i32 30 }]",
            "@where = internal addrspace(1) global ptr addrspacecast (ptr addrspace(1) getelementptr ([3 x %pair], ptr addrspace(1) @data, i64 0, i64 1) to ptr)",
        ]
    )
    body = "\n".join(
        [
            "  %p = load ptr, ptr addrspace(1) @where",
            "  %f = getelementptr %pair, ptr %p, i64 1, i32 1",
            "  %v = load i32, ptr %f",
            "  store i32 %v, ptr %out",
            "  ret void",
        ]
    )
    out = np.zeros(1, np.int32)
    run(kernel("ptr %out", body, before), [out], block=1)
    assert out.tolist() == [30]


def test_flush_to_zero_follows_the_function():
    tiny = np.array([1e-39], np.float32)
    text = kernel(
        "ptr %a",
        "  %v = load float, ptr %a\n  %w = fadd float %v, 0.0\n  store float %w, ptr %a\n  ret void",
    )
    kept = tiny.copy()
    run(text, [kept], block=1)
    assert kept.tolist() == tiny.tolist()
    flushed = tiny.copy()
    run(
        text.replace(
            "(ptr %a) {", '(ptr %a) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {'
        ),
        [flushed],
        block=1,
    )
    assert flushed.tolist() == [0.0]


# Atomics and saturation of 128 bits, of which Python's integers are the reference.

FULL = 1 << 128
WIDE = (0, 1, FULL - 1, 1 << 127, (1 << 127) - 1, 5 << 90, 77)


def signed128(number: int) -> int:
    return number - FULL if number >> 127 else number


ATOMICS = {
    "xchg": lambda a, b: b,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "and": lambda a, b: a & b,
    "nand": lambda a, b: ~(a & b),
    "xor": lambda a, b: a ^ b,
    "max": lambda a, b: max(a, b, key=signed128),
    "umin": min,
    "uinc_wrap": lambda a, b: 0 if a >= b else a + 1,
    "usub_sat": lambda a, b: max(0, a - b),
}


def words(numbers) -> np.ndarray:
    """128-bit numbers as pairs of 64 bits."""
    return np.array([w for n in numbers for w in (n % (1 << 64), n % FULL >> 64)], np.uint64)


@pytest.mark.parametrize("op", ATOMICS)
def test_atomics_of_128_bits(op: str):
    pairs = [(a, b) for a in WIDE for b in WIDE]
    held, old = words(a for a, _ in pairs), words([0] * len(pairs))
    body = f"""
      %p = getelementptr i128, ptr %a, i64 %i
      %q = getelementptr i128, ptr %b, i64 %i
      %r = getelementptr i128, ptr %old, i64 %i
      %y = load i128, ptr %q
      %x = atomicrmw {op} ptr %p, i128 %y seq_cst
      store i128 %x, ptr %r
      ret void
    """
    run(
        kernel("ptr %a, ptr %b, ptr %old", body),
        [held, words(b for _, b in pairs), old],
        len(pairs),
    )
    assert old.tolist() == words(a for a, _ in pairs).tolist()
    assert held.tolist() == words(ATOMICS[op](a, b) for a, b in pairs).tolist()


def test_compare_and_exchange_of_128_bits():
    pairs = [(a, b) for a in WIDE for b in WIDE]
    held, done = words(a for a, _ in pairs), np.zeros(len(pairs), np.uint8)
    body = """
      %p = getelementptr i128, ptr %a, i64 %i
      %q = getelementptr i128, ptr %b, i64 %i
      %r = getelementptr i8, ptr %done, i64 %i
      %y = load i128, ptr %q
      %both = cmpxchg ptr %p, i128 %y, i128 -3 seq_cst seq_cst
      %c = extractvalue { i128, i1 } %both, 1
      %w = zext i1 %c to i8
      store i8 %w, ptr %r
      ret void
    """
    run(
        kernel("ptr %a, ptr %b, ptr %done", body),
        [held, words(b for _, b in pairs), done],
        len(pairs),
    )
    assert done.tolist() == [a == b for a, b in pairs]
    assert held.tolist() == words(-3 if a == b else a for a, b in pairs).tolist()


def test_the_flag_of_a_conversion_without_documented_results_is_an_error():
    body = "%x = call bfloat @llvm.nvvm.f2bf16.rn(float 1.0, i1 true)\nstore bfloat %x, ptr %a\nret void"
    text = f"{kernel('ptr %a', body)}\ndeclare bfloat @llvm.nvvm.f2bf16.rn(float, i1)"
    with pytest.raises(SimulationError, match=r"llvm\.nvvm\.f2bf16\.rn"):
        run(text, [words([0])], 1)


def test_an_atomic_operation_of_an_odd_width_is_an_error():
    body = "%x = atomicrmw add ptr %a, i256 1 seq_cst\nret void"
    with pytest.raises(SimulationError, match="an atomic operation on 256 bits"):
        run(kernel("ptr %a", body), [words([1, 2])], 1)


@pytest.mark.parametrize("op", ["sadd", "uadd", "ssub", "usub"])
def test_saturation_of_128_bits(op: str):
    pairs = [(a, b) for a in WIDE for b in WIDE]
    out = words([0] * len(pairs))
    body = f"""
      %p = getelementptr i128, ptr %a, i64 %i
      %q = getelementptr i128, ptr %b, i64 %i
      %r = getelementptr i128, ptr %out, i64 %i
      %x = load i128, ptr %p
      %y = load i128, ptr %q
      %z = call i128 @llvm.{op}.sat.i128(i128 %x, i128 %y)
      store i128 %z, ptr %r
      ret void
    """
    before = f"declare i128 @llvm.{op}.sat.i128(i128, i128)"
    arrays = [words(a for a, _ in pairs), words(b for _, b in pairs), out]
    run(kernel("ptr %a, ptr %b, ptr %out", body, before), arrays, len(pairs))

    def limited(a: int, b: int) -> int:
        if op[0] == "s":
            a, b = signed128(a), signed128(b)
        least, most = (-(1 << 127), (1 << 127) - 1) if op[0] == "s" else (0, FULL - 1)
        return min(max(a + b if "add" in op else a - b, least), most)

    assert out.tolist() == words(limited(a, b) for a, b in pairs).tolist()


@pytest.mark.parametrize(
    ("name", "scale", "allowed"),
    [("smul", -1, False), ("smul", 32, False), ("umul", 32, True), ("udiv", 33, False)],
)
def test_the_scale_of_fixed_point_arithmetic(name: str, scale: int, allowed: bool):
    out = np.zeros(1, np.int32)
    body = f"%r = call i32 @llvm.{name}.fix.i32(i32 2, i32 -1, i32 {scale})\nstore i32 %r, ptr %out\nret void"
    text = kernel("ptr %out", body, f"declare i32 @llvm.{name}.fix.i32(i32, i32, i32)")
    if allowed:
        run(text, [out], 1)
        assert out.tolist() == [1]
        return
    with pytest.raises(SimulationError, match="a scale that is not a constant below the width"):
        run(text, [out], 1)


ONE = "0xL00000000000000003FFF000000000000"


@pytest.mark.parametrize(
    ("parameters", "body", "before"),
    [
        ("ptr %out", f"  store fp128 {ONE}, ptr %out\n  ret void", ""),
        ("ptr %out", "  %x = load fp128, ptr %out\n  ret void", ""),
        ("ptr %out, fp128 %x", "  ret void", ""),
        ("ptr %out", "  ret void", f"@g = addrspace(1) global fp128 {ONE}\n"),
        (
            "ptr %out",
            "  ret void",
            f"@h = addrspace(1) global {{ptr, fp128}} {{ptr @k, fp128 {ONE}}}\n",
        ),
    ],
)
def test_floats_of_128_bits_are_unsupported(parameters: str, body: str, before: str):
    arguments = [np.zeros(4, np.int32), *[7] * ("," in parameters)]
    with pytest.raises(SimulationError, match="has no values of type f128"):
        run(kernel(parameters, body, before), arguments, block=1)
