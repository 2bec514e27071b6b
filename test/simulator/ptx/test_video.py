"""The video instructions: rows from the PTX ISA's text, and its pseudocode in Python's integers."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from helpers.ll_kernels import kernel, run
from helpers.machine_kernels import execute

W = 0xFFFFFFFF
MIN = 0x80000000
MAX = 0x7FFFFFFF

# Opcode, columns of the operands, the result: 9.7.18.1, 9.7.18.2
ROWS = [
    ("vadd.u32.u32.u32", [[W], [1]], [0]),
    ("vadd.s32.s32.s32.sat", [[MAX, MIN], [1, W]], [MAX, MIN]),
    # The sum of a negative and an unsigned number, clamped to either range
    ("vadd.u32.s32.u32.sat", [[W - 4, W], [2, W]], [0, W - 1]),
    ("vadd.s32.u32.u32.sat", [[W], [W]], [MAX]),
    ("vadd.u32.u32.u32.add", [[W], [1], [5]], [5]),
    # A result that does not fit is compared with the third operand before truncation
    ("vadd.u32.u32.u32.min", [[W], [2], [7]], [7]),
    ("vadd.u32.u32.u32.max", [[W], [2], [7]], [1]),
    ("vadd.s32.s32.s32.min", [[3], [4], [W]], [W]),
    ("vadd.u32.s32.s32.min", [[3], [4], [W]], [7]),
    ("vsub.s32.u32.u32", [[0], [W]], [1]),
    ("vsub.s32.u32.u32.sat", [[0], [W]], [MIN]),
    ("vsub.u32.u32.u32.sat", [[0], [1]], [0]),
    ("vabsdiff.u32.s32.s32", [[MIN], [MAX]], [W]),
    ("vabsdiff.s32.s32.s32.sat", [[MIN], [MAX]], [MAX]),
    ("vabsdiff.u32.u32.u32.add", [[2], [W], [4]], [1]),
    ("vmin.s32.s32.u32", [[W], [W]], [W]),
    ("vmin.s32.u32.u32.sat", [[W], [MIN]], [MAX]),
    ("vmax.u32.s32.u32", [[W, 5], [0, 3]], [0, 5]),
    ("vmax.s32.s32.s32.sat.add", [[W], [MIN], [1]], [0]),
    ("vshl.u32.u32.u32.clamp", [[1, 1, 1], [31, 32, 99]], [MIN, 0, 0]),
    ("vshl.u32.u32.u32.wrap", [[1, 1], [32, 33]], [1, 2]),
    ("vshl.u32.u32.u32.sat.clamp", [[1, 0, 3], [32, 99, 30]], [W, 0, 0xC0000000]),
    ("vshl.s32.s32.u32.sat.clamp", [[W, 1, W], [32, 31, 31]], [MIN, MAX, MIN]),
    ("vshr.u32.u32.u32.clamp", [[MIN, MIN], [31, 99]], [1, 0]),
    ("vshr.s32.s32.u32.clamp", [[MIN, MIN], [31, 99]], [W, W]),
    ("vshr.u32.s32.u32.sat.clamp", [[MIN], [4]], [0]),
    ("vshr.s32.s32.u32.wrap", [[MIN], [33]], [0xC0000000]),
    ("vshr.u32.u32.u32.clamp.add", [[8], [1], [3]], [7]),
    ("vmad.u32.u32.u32", [[W], [W], [W]], [0]),
    ("vmad.u32.u32.u32.sat", [[W], [W], [0]], [W]),
    ("vmad.u32.u32.u32.shr15", [[W], [W], [W]], [0xFFFE0000]),
    ("vmad.s32.s32.s32.sat", [[MIN, MIN], [MIN, MAX], [0, 0]], [MAX, MIN]),
    ("vmad.s32.s32.s32.shr7", [[W], [1], [0]], [W]),
    ("vmad.u32.u32.u32.po", [[3], [4], [5]], [18]),
    ("vmad.u32.u32.u32.po.shr7", [[W], [W], [W]], [0xFE000000]),
    ("vset.s32.u32.lt", [[W, 1], [1, W]], [1, 1]),
    ("vset.u32.u32.lt", [[W, 1], [1, W]], [0, 1]),
    ("vset.s32.s32.ge.add", [[1], [W], [W]], [0]),
    ("vset.u32.u32.eq.min", [[5], [5], [W]], [1]),
    ("vset.u32.u32.ne.max", [[5], [5], [W]], [W]),
    ("vadd2.u32.u32.u32", [[0xFFFF0001], [0x00010002], [0]], [3]),
    ("vadd2.s32.s32.s32.sat", [[0x7FFF8000], [0x0001FFFF], [0]], [0x7FFF8000]),
    ("vadd2.u32.s32.s32.sat", [[0x0001FFFF], [0x0001FFFF], [0]], [0x00020000]),
    ("vadd2.u32.u32.u32.add", [[0xFFFF0001], [0x00010002], [10]], [0x1000D]),
    ("vsub2.s32.s32.s32.add", [[0x00000000], [0x00010001], [10]], [8]),
    ("vsub2.u32.u32.u32.sat", [[0x00010005], [0x00020001], [0]], [4]),
    # An average of a sum of 1 is 1, of -1 it is -1
    ("vavrg2.s32.s32.s32", [[0x0001FFFF], [0x00000000], [0]], [0x0001FFFF]),
    ("vavrg2.u32.u32.u32", [[0xFFFF0001], [0xFFFE0000], [0]], [0xFFFF0001]),
    ("vavrg2.s32.s32.s32", [[0xFFFEFFFD], [0xFFFF0000], [0]], [0xFFFEFFFE]),
    ("vabsdiff2.s32.s32.s32", [[0x8000FFFF], [0x7FFF0001], [0]], [0xFFFF0002]),
    ("vabsdiff2.s32.s32.s32.sat", [[0x8000FFFF], [0x7FFF0001], [0]], [0x7FFF0002]),
    ("vmin2.s32.s32.s32", [[0xFFFF0003], [0x00010002], [0]], [0xFFFF0002]),
    ("vmin2.s32.u32.u32.add", [[0xFFFF0003], [0x00010002], [4]], [7]),
    ("vmax2.u32.u32.u32", [[0xFFFF0003], [0x00010002], [0]], [0xFFFF0003]),
    ("vset2.s32.s32.lt", [[0xFFFF0003], [0x00010002], [0]], [0x00010000]),
    ("vset2.u32.u32.lt.add", [[0xFFFF0001], [0x00010002], [9]], [10]),
    ("vadd4.u32.u32.u32", [[0xFF01FF80], [0x01010180], [W]], [0x00020000]),
    ("vadd4.s32.s32.s32.sat", [[0x7F80FF01], [0x01FFFF01], [0]], [0x7F80FE02]),
    ("vadd4.u32.u32.u32.add", [[0xFF01FF80], [0x01010180], [1]], [0x303]),
    ("vsub4.u32.u32.u32.sat", [[0x05000501], [0x01010601], [0]], [0x04000000]),
    ("vavrg4.u32.u32.u32", [[0xFF010003], [0xFE000001], [0]], [0xFF010002]),
    ("vavrg4.s32.s32.s32", [[0xFFFE0180], [0x00FF0080], [0]], [0xFFFE0180]),
    ("vabsdiff4.u32.u32.u32.add", [[0x00FF0510], [0xFF000311], [100]], [100 + 255 + 255 + 2 + 1]),
    ("vmin4.s32.s32.s32", [[0xFF7F0180], [0x0080FF7F], [0]], [0xFF80FF80]),
    ("vmax4.u32.u32.u32", [[0xFF7F0180], [0x0080FF7F], [0]], [0xFF80FF80]),
    ("vset4.u32.u32.eq", [[0x01020304], [0x01000304], [0]], [0x01000101]),
    ("vset4.s32.s32.gt.add", [[0x7F800001], [0x80000000], [1]], [3]),
]  # fmt: skip


@pytest.mark.parametrize(("opcode", "columns", "wanted"), ROWS, ids=[r[0] for r in ROWS])
def test_whole_registers(opcode: str, columns: list[list[int]], wanted: list[int]):
    assert execute(opcode, columns)[0] == wanted


def assembly(text: str, columns: list[list[int]]) -> list[int]:
    """Returns the result of an instruction in inline assembly; `$1` to `$3` are the operands."""
    count = len(columns[0])
    loads = "".join(
        f"  %p{i} = getelementptr i32, ptr %a{i}, i64 %i\n  %v{i} = load i32, ptr %p{i}\n"
        for i in range(3)
    )
    body = f"""{loads}
  %r = call i32 asm "{text}", "=r,r,r,r"(i32 %v0, i32 %v1, i32 %v2)
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %r, ptr %q
  ret void"""
    buffers = [np.array(c, np.uint32) for c in columns]
    out = np.zeros(count, np.uint32)
    run(kernel("ptr %a0, ptr %a1, ptr %a2, ptr %out", body), [*buffers, out], count)
    return out.tolist()


# The instruction, its operands, the result.
SELECTED = [
    ("vadd.s32.u32.s32.sat $0, $1.b0, $2.h0;", (0x1FF, 0x1FFFF, 0), 0xFE),
    ("vsub.s32.s32.u32.sat $0, $1.h1, $2.h1;", (0x80000000, 0xFFFF0000, 0), (-0x8000 - 0xFFFF) & W),
    ("vabsdiff.s32.s32.s32.sat $0.h0, $1.b0, $2.b2, $3;", (0x80, 0x7F0000, 0xABCD1234), 0xABCD00FF),
    ("vadd.s32.s32.s32.sat $0.h0, $1, $2, $3;", (MAX, 1, 0xABCD1234), 0xABCD7FFF),
    ("vadd.s32.s32.s32.sat $0.b3, $1, $2, $3;", (MIN, 0, 0xABCD1234), 0x80CD1234),
    ("vadd.u32.u32.u32 $0.b1, $1.b3, $2.b3, $3;", (0xFF000000, 0x02000000, 0xABCD1234), 0xABCD0134),
    ("vadd.u32.s32.s32.sat $0.b2, $1, $2, $3;", (W, W, 0xABCD1234), 0xAB001234),
    ("vmin.s32.s32.s32.sat.add $0, $1, $2, $3;", (MIN, 5, 0xFFFFFFFF), MAX),
    ("vshl.u32.u32.u32.clamp $0.h1, $1.b1, $2.b0, $3;", (0x0300, 4, 0xAAAABBBB), 0x0030BBBB),
    ("vshr.u32.u32.u32.wrap $0, $1, $2;", (0x100, 36, 0), 0x10),
    ("vset.s32.u32.lt $0.b0, $1.b1, $2.b1, $3;", (0xFF00, 0x0100, 0xABCD1234), 0xABCD1201),
    ("vset.u32.u32.ne.add $0, $1, $2, $3;", (1, 2, 9), 10),
    ("vmad.s32.s32.u32.sat $0, $1, $2, -$3;", (3, 4, 5), 7),
    ("vmad.s32.s32.s32 $0, -$1, $2, $3;", (3, 4, 5), -7 & W),
    ("vmad.s32.s32.s32 $0, -$1, -$2, $3;", (3, 4, 5), 17),
    ("vmad.u32.u32.u32.sat $0, -$1, $2, $3;", (W, W, 0), MIN),
    ("vmad.u32.u32.u32.shr15 $0, $1.h0, $2.h0, $3;", (0xABCD8000, 0x12348000, 0x8000), 0x8001),
    ("vmad.s32.s32.s32.shr7 $0, -$1.b0, $2.b0, $3;", (0x80, 0x01, 0), 1),
    ("vadd2.u32.u32.u32.sat $0.h0, $1.h10, $2.h32, $3;", (0x0001FFFF, 0x00010001, 0xAAAABBBB), 0xAAAAFFFF),
    ("vadd2.u32.u32.u32 $0, $1.h13, $2.h02, $3;", (0x00100001, 0x02000300, 0), 0x00110500),
    ("vmin2.s32.u32.u32.add $0.h10, $1.h00, $2.h22, $3;", (0x10007, 0x20009, 1), 15),
    ("vmax2.s32.s32.s32.add $0.h1, $1, $2, $3;", (0xFFFF0005, 0xFFFE0003, 8), 7),
    ("vset2.u32.u32.eq $0.h1, $1.h11, $2.h33, $3;", (0x70000, 0x70000, 0xAAAABBBB), 0x0001BBBB),
    ("vadd4.u32.u32.u32 $0.b20, $1, $2, $3;", (0x01020304, 0x10203040, 0xAABBCCDD), 0xAA22CC44),
    ("vsub4.u32.u32.u32 $0, $1.b7654, $2.b3210, $3;", (0x01020304, 0x11223344, 0), 0x10203040),
    ("vabsdiff4.u32.u32.u32.add $0.b321, $1.b0000, $2.b4567, $3;", (0x05, 0x01020304, 100), 100 + 3 + 2 + 1),
    ("vset4.s32.u32.lt $0.b3, $1.b0123, $2.b7654, $3;", (0xFF, 0, 0x22334455), 0x01334455),
]  # fmt: skip


@pytest.mark.parametrize(("text", "operands", "wanted"), SELECTED, ids=[r[0] for r in SELECTED])
def test_parts_of_registers(text: str, operands: tuple[int, int, int], wanted: int):
    assert assembly(text, [[o] for o in operands]) == [wanted]


# The ISA's pseudo-code


def extract(word: int, start: int, bits: int, signed: bool) -> int:
    part = word >> start & (1 << bits) - 1
    return part - (1 << bits) if signed and part >> bits - 1 else part


def clamp(value: int, bits: int, signed: bool) -> int:
    low = -(1 << bits - 1) if signed else 0
    return max(low, min(value, low + (1 << bits) - 1))


def average(a: int, b: int) -> int:
    return (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1


PRIMARY = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": average,
}
SECOND = {"add": lambda t, c: t + c, "min": min, "max": max, "": lambda t, c: t}
PARTS = {"b0": (0, 8), "b1": (8, 8), "b2": (16, 8), "b3": (24, 8), "h0": (0, 16), "h1": (16, 16)}
WORDS = [0, 1, W, MIN, MAX, 0x80, 0x7F80FF01, 0x8000FFFF, 0x01FE7F80]


def columns(seed: int) -> list[list[int]]:
    chosen = random.Random(seed)
    pairs = [*itertools.product(WORDS, WORDS)]
    third = [chosen.choice([*WORDS, chosen.getrandbits(32)]) for _ in pairs]
    return [[p[0] for p in pairs], [p[1] for p in pairs], third]


@pytest.mark.parametrize("name", ["vadd", "vsub", "vabsdiff", "vmin", "vmax"])
def test_scalars_agree_with_the_pseudocode(name: str):
    chosen = random.Random(name)
    for _ in range(12):
        d, a, b = (chosen.choice(("u32", "s32")) for _ in range(3))
        in_a, in_b = (chosen.choice(["", *PARTS]) for _ in range(2))
        into = chosen.choice(["", *PARTS])
        second = "" if into else chosen.choice([*SECOND])
        saturates = chosen.random() < 0.5
        suffix = f"{'.sat' if saturates else ''}{'.' + second if second else ''}"
        dots = ["." + s if s else "" for s in (into, in_a, in_b)]
        third = ", $3" if into or second else ""
        text = f"{name}.{d}.{a}.{b}{suffix} $0{dots[0]}, $1{dots[1]}, $2{dots[2]}{third};"
        given = columns(chosen.getrandbits(32))
        wanted: list[int] = []
        for x, y, z in zip(*given):
            t = PRIMARY[name](
                extract(x, *PARTS.get(in_a, (0, 32)), a == "s32"),
                extract(y, *PARTS.get(in_b, (0, 32)), b == "s32"),
            )
            start, bits = PARTS.get(into, (0, 32))
            t = clamp(t, bits, d == "s32") if saturates else t
            t = SECOND[second](t, extract(z, 0, 32, d == "s32"))
            low = (1 << bits) - 1
            wanted.append(((t & low) << start | (z & ~(low << start) if into else 0)) & W)
        assert assembly(text, given) == wanted, text


@pytest.mark.parametrize("lanes", [2, 4])
@pytest.mark.parametrize("name", PRIMARY)
def test_lanes_agree_with_the_pseudocode(name: str, lanes: int):
    chosen = random.Random(name + str(lanes))
    bits, letter = 32 // lanes, {2: "h", 4: "b"}[lanes]
    for _ in range(8):
        d, a, b = (chosen.choice(("u32", "s32")) for _ in range(3))
        from_a, from_b = ([chosen.randrange(2 * lanes) for _ in range(lanes)] for _ in range(2))
        mask = sorted(chosen.sample(range(lanes), chosen.randint(1, lanes)))
        mode = chosen.choice(("", ".sat", ".add"))
        parts = [letter + "".join(str(n) for n in reversed(p)) for p in (mask, from_a, from_b)]
        text = f"{name}{lanes}.{d}.{a}.{b}{mode} $0.{parts[0]}, $1.{parts[1]}, $2.{parts[2]}, $3;"
        given = columns(chosen.getrandbits(32))
        wanted: list[int] = []
        for x, y, z in zip(*given):
            both = x | y << 32
            out = z
            for i in mask:
                t = PRIMARY[name](
                    extract(both, from_a[i] * bits, bits, a == "s32"),
                    extract(both, from_b[i] * bits, bits, b == "s32"),
                )
                if mode == ".add":
                    out += t
                    continue
                t = clamp(t, bits, d == "s32") if mode else t
                low = (1 << bits) - 1
                out = out & ~(low << i * bits) | (t & low) << i * bits
            wanted.append(out & W)
        assert assembly(text, given) == wanted, text


def test_a_false_guard_keeps_the_old_value():
    text = "{ .reg .pred p; setp.ne.u32 p, $2, 0; mov.u32 $0, $3; @p vadd.u32.u32.u32 $0.b0, $1, $2, $3; }"
    assert assembly(text, [[1, 1], [0, 2], [0x1100, 0x1100]]) == [0x1100, 0x1103]
