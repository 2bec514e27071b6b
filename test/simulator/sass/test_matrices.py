"""Matrix products and matrix moves in machine code, compared with PTX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from helpers.machine_launches import ARCHS, both

from nvvm_xdsl.lab.machine_simulation import why_no_machine_code

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

WORDS = 64 * 16
"""Words of the operands of a product: two for each thread and register."""


@dataclass(frozen=True)
class Product:
    """An `mma`.

    Attributes:
        text: shape, layouts and types.
        counts: registers of a thread for A, B, C and D.
        values: the type of the elements of A and B.
        wide: whether C and D are f64.
        sparse: whether A is.
        archs: the GPUs that have a machine instruction for it.
    """

    text: str
    counts: tuple[int, int, int, int]
    values: str
    floats: bool = False
    sparse: bool = False
    archs: tuple[str, ...] = ARCHS

    @property
    def letters(self) -> dict[str, tuple[int, str]]:
        """Number and class of the registers of each operand."""
        double = self.values == "f64"
        classes = ["f64" if double else "b32"] * 2 + [
            "f64" if double else "f32" if self.floats else "b32"
        ] * 2
        return {letter: each for letter, *each in zip("abcd", self.counts, classes)}  # type: ignore[misc]


NEW = ("sm_90", "sm_100")
OLD = ("sm_80", "sm_90")

PRODUCTS = (
    Product("m16n8k8.row.col.f32.f16.f16.f32", (2, 1, 4, 4), "f16", floats=True),
    Product("m16n8k8.row.col.f16.f16.f16.f16", (2, 1, 2, 2), "f16"),
    Product("m16n8k16.row.col.f32.bf16.bf16.f32", (4, 2, 4, 4), "bf16", floats=True),
    Product("m16n8k4.row.col.f32.tf32.tf32.f32", (2, 1, 4, 4), "f32", floats=True),
    Product("m16n8k8.row.col.f32.tf32.tf32.f32", (4, 2, 4, 4), "f32", floats=True),
    Product("m8n8k4.row.col.f64.f64.f64.f64", (1, 1, 2, 2), "f64"),
    Product("m16n8k4.row.col.f64.f64.f64.f64", (2, 1, 4, 4), "f64", archs=NEW),
    Product("m16n8k8.row.col.f64.f64.f64.f64", (4, 2, 4, 4), "f64", archs=NEW),
    Product("m16n8k16.row.col.f64.f64.f64.f64", (8, 4, 4, 4), "f64", archs=NEW),
    Product("m8n8k16.row.col.s32.s8.u8.s32", (1, 1, 2, 2), "bits"),
    Product("m16n8k16.row.col.satfinite.s32.u8.u8.s32", (2, 1, 4, 4), "bits"),
    Product("m16n8k32.row.col.s32.u8.s8.s32", (4, 2, 4, 4), "bits"),
    Product("m8n8k32.row.col.s32.s4.u4.s32", (1, 1, 2, 2), "bits", archs=OLD),
    Product("m16n8k64.row.col.satfinite.s32.u4.s4.s32", (4, 2, 4, 4), "bits"),
    Product("m16n8k256.row.col.s32.b1.b1.s32.xor.popc", (4, 2, 4, 4), "bits", archs=OLD),
    Product("m8n8k128.row.col.s32.b1.b1.s32.and.popc", (1, 1, 2, 2), "bits", archs=OLD),
    Product("m16n8k32.row.col.f32.e4m3.e5m2.f32", (4, 2, 4, 4), "f8", floats=True, archs=NEW),
    Product("m16n8k32.row.col.f32.f16.f16.f32", (4, 4, 4, 4), "f16", floats=True, sparse=True),
    Product("m16n8k64.row.col.s32.s8.u8.s32", (4, 4, 4, 4), "bits", sparse=True, archs=OLD),
)


def _text(product: Product, arch: str) -> str:
    """PTX that loads A, B and C, multiplies, and stores D over A."""
    letters = product.letters
    lines = ["{", *(f".reg .{type_} %{name}<{count}>;" for name, (count, type_) in letters.items())]
    at = 0
    for name in "abc":
        count, type_ = letters[name]
        for i in range(count):
            lines.append(f"ld.global.{type_} %{name}{i}, [%p+{256 * at}];")
            at += 1
    groups = {
        name: "{" + ", ".join(f"%{name}{i}" for i in range(count)) + "}"
        for name, (count, _) in letters.items()
    }
    head, tail = "mma", ""
    if product.sparse:
        # Each group of four elements stores the first and the third, or the second and the last.
        head = "mma.sp" if arch == "sm_80" else "mma.sp::ordered_metadata"
        tail = ", %m, 0x0"
    operands = ", ".join(groups[name] for name in "dabc")
    lines.append(f"{head}.sync.aligned.{product.text} {operands}{tail};")
    count, type_ = letters["d"]
    lines += [f"st.global.{type_} [%p+{256 * i}], %d{i};" for i in range(count)]
    return "\n".join([*lines, f"add.u64 %p, %p, {4 * WORDS};", "}"])


def _operands(product: Product, generator: np.random.Generator) -> np.ndarray:
    """Numbers whose sums of products are exact, or any bits."""
    values = generator.integers(-16, 17, 2 * WORDS) / 8
    if product.values == "f64":
        return values[: WORDS // 2].view(np.uint32)
    if product.values == "f32":
        return values[:WORDS].astype(np.float32).view(np.uint32)
    if product.values == "f16":
        return values.astype(np.float16).view(np.uint32)
    if product.values == "bf16":
        upper = values.astype(np.float32).view(np.uint32) >> 16
        return upper.astype(np.uint16).view(np.uint32)
    if product.values == "f8":
        return generator.integers(0x34, 0x40, 4 * WORDS, np.uint8).view(np.uint32)
    return generator.integers(0, 1 << 32, WORDS, np.uint32)


@pytest.mark.parametrize("arch", ARCHS)
def test_products(arch: str):
    products = [p for p in PRODUCTS if arch in p.archs]
    generator = np.random.default_rng(3)
    x = np.concatenate([_operands(p, generator) for p in products])
    text = "\n".join(
        [
            f".version 8.6\n.target {arch}\n.address_size 64",
            ".visible .entry k(.param .u64 x) {",
            ".reg .b32 %t; .reg .b32 %m; .reg .b64 %p;",
            "ld.param.u64 %p, [x]; mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 8, %p;",
            "mov.u32 %m, 0x88dd8d8d;",
            *(_text(p, arch) for p in products),
            "ret;",
            "}\n",
        ]
    )
    _, _, mnemonics = both(text, arch, threads=32, x=x)
    assert mnemonics >= {"HMMA", "IMMA", "DMMA"}
    assert ("BMMA" in mnemonics) == (arch in OLD)


MOVES = """\
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .b32 %r<16>; .reg .b64 %p; .reg .pred %q;
  .shared .align 16 .b8 tile[4096];
  ld.param.u64 %p, [x]; mov.u32 %r0, %tid.x; mad.wide.u32 %p, %r0, 16, %p;
  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%p];
  mov.u32 %r5, tile; mad.lo.u32 %r5, %r0, 16, %r5;
  shr.u32 %r6, %r0, 5; setp.eq.u32 %q, %r6, 1;
  @!%q bra $end;
  stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r1, %r2, %r3, %r4};
  stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r5+1024], {%r2, %r3};
  ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r5];
  ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r8, %r9}, [%r5+1024];
  movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r1;
  st.global.v4.b32 [%p], {%r7, %r8, %r9, %r10};
$end:
  ret;
}
"""


def test_moves_by_one_of_two_warps():
    x = np.random.default_rng(5).integers(0, 1 << 32, 256, np.uint32)
    found, _, mnemonics = both(MOVES, "sm_90", threads=64, x=x)
    assert mnemonics >= {"LDSM", "STSM", "MOVM"}
    assert (found[:128] == x[:128]).all()
    assert (found[128:] != x[128:]).any()
