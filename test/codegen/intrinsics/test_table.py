"""The tables that map NVVM intrinsics to PTX."""

from __future__ import annotations

import re

import pytest

from nvvm_xdsl.codegen.intrinsics.families import family_instruction
from nvvm_xdsl.codegen.intrinsics.table import intrinsic_instructions
from nvvm_xdsl.codegen.rules.nvvm import base_name, split_opcode
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.instruction_text import (
    Address,
    AddressList,
    Argument,
    Constant,
    Integer,
    Sink,
    Vector,
    parse_instruction_text,
)
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError

WORDS = {"space": "", "shared": ".shared", "type": "b32", "float": "f32", "signed": "s32"}


def concrete(opcode: str) -> str:
    """Returns the opcode for 32-bit arguments and generic pointers."""
    return re.sub(r"<(\w+)[^>]*>", lambda m: WORDS.get(m[1], "u32"), opcode)


@pytest.mark.parametrize("name", sorted(intrinsic_instructions()))
def test_every_row_names_an_instruction_of_the_dialect(name: str):
    text = intrinsic_instructions()[name]
    mnemonic, mods = split_opcode(concrete(parse_instruction_text(text).opcode))
    assert mnemonic in ROWS
    assert ROWS[mnemonic].signature(mods) is not None, f"{mnemonic} takes no {mods}"


def test_notation():
    parsed = parse_instruction_text("@$3 atom<space 0>.cas [$0], $1, {$2, 7}, !4, [$5, {$6}], _")
    assert parsed.guard == 3
    assert parsed.opcode == "atom<space 0>.cas"
    assert parsed.operands == (
        Address(0),
        Argument(1),
        Vector((Argument(2), Integer(7))),
        Constant(4),
        AddressList((Argument(5), Vector((Argument(6),)))),
        Sink(),
    )


@pytest.mark.parametrize("text", ["", "add $0 $1", "add $x", "add $0, )"])
def test_bad_notation(text: str):
    with pytest.raises(ValueError, match=r"opcode|expected|unexpected"):
        parse_instruction_text(text)


# From the syntax sections of the PTX ISA, 9.7.9 to 9.7.16.
FAMILIES = [
    (
        "wmma.m16n16k16.load.a.row.stride.f16",
        2,
        {},
        "wmma.load.a.sync.aligned.row.m16n16k16<space 0>.f16 [$0], $1",
    ),
    (
        "wmma.m8n8k4.mma.row.col.f64",
        4,
        {},
        "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {$0}, {$1}, {$2, $3}",
    ),
    (
        "mma.m16n8k16.row.col.f32.f32",
        10,
        {},
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
        " {$0, $1, $2, $3}, {$4, $5}, {$6, $7, $8, $9}",
    ),
    (
        "mma.m8n8k4.row.col.f32.f32",
        12,
        {},
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"
        " {$0, $1}, {$2, $3}, {$4, $5, $6, $7, $8, $9, $10, $11}",
    ),
    (
        "mma.xor.popc.m8n8k128.row.col.b1",
        4,
        {},
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {$0}, {$1}, {$2, $3}",
    ),
    (
        "tex.2d.array.v4f32.f32",
        5,
        {},
        "tex.a2d.v4.f32.f32 [$0, $1, {$2, $3, $4, $4}]",
    ),
    ("suld.1d.v2i32.trap", 2, {}, "suld.b.1d.v2.b32.trap [$0, {$1}]"),
    (
        "cp.async.bulk.tensor.g2s.tile.2d",
        10,
        {7: 1, 8: 0, 9: 0},
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster [$0], [$2, {$3, $4}], [$1], $5",
    ),
    (
        "cp.async.bulk.tensor.g2s.tile.2d",
        10,
        {7: 0, 8: 1, 9: 2},
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".cta_group::2.L2::cache_hint [$0], [$2, {$3, $4}], [$1], $6",
    ),
    (
        "tcgen05.ld.32x32b.x4",
        2,
        {1: 1},
        "tcgen05.ld.sync.aligned.32x32b.x4.pack::16b.b32 [$0]",
    ),
    ("idp2a.s.u", 4, {2: 1}, "dp2a.hi.s32.u32 $0, $1, $3"),
    ("idp2a.u.u", 4, {2: 0}, "dp2a.lo.u32.u32 $0, $1, $3"),
]


@pytest.mark.parametrize(("name", "count", "constants", "text"), FAMILIES)
def test_families(name: str, count: int, constants: dict[int, int], text: str):
    assert family_instruction(name, count, constants.get) == text


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("llvm.nvvm.fabs.f32", "fabs"),
        ("llvm.nvvm.atomic.add.gen.i.cta.i32.p0", "atomic.add.gen.i.cta"),
        ("llvm.nvvm.ldu.global.f.v2f32.p1", "ldu.global.f"),
        ("llvm.nvvm.fma.rn.f16", "fma.rn.f16"),
        ("llvm.nvvm.shfl.sync.idx.i32", "shfl.sync.idx.i32"),
        ("llvm.nvvm.mma.m16n8k16.row.col.f32.f32", "mma.m16n8k16.row.col.f32.f32"),
        (
            "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0",
            "wmma.m16n16k16.load.a.row.stride.f16",
        ),
        ("llvm.nvvm.flo.u.i64", "flo.u"),
    ],
)
def test_overload_suffixes_are_removed(name: str, base: str):
    assert base_name(name) == base


@pytest.mark.parametrize(
    ("field", "value", "arch", "wanted"),
    [
        ("elemtype", 12, "sm_90a", ".version 8.3"),
        ("elemtype", 13, "sm_100a", ".version 8.7"),
        ("elemtype", 15, "sm_103a", ".version 8.8"),
        ("elemtype", 13, "sm_90a", "b1024.b32 13' needs sm_100a"),
        ("elemtype", 16, "sm_100a", "operand 1 must be 0..12, not 16"),
        ("swizzle.mode", 3, "sm_100a", ".version 8.6"),
        ("swizzle.mode", 4, "sm_103a", ".version 8.8"),
        ("swizzle.mode", 4, "sm_100a", "b1024.b32 4' needs sm_103a or sm_107a, not sm_100a"),
        ("interleave.layout", 3, "sm_100a", "must be 0..2, not 3"),
        ("fill.mode", 2, "sm_100a", "must be 0..1, not 2"),
        ("swizzle.atomicity", 4, "sm_100a", "must be 0..3, not 4"),
    ],
)
def test_values_of_tensor_maps_have_their_own_requirements(
    field: str, value: int, arch: str, wanted: str
):
    text = (
        "define void @f(ptr addrspace(1) %map) {\n"
        f"  call void @llvm.nvvm.tensormap.replace.{field}.p1(ptr addrspace(1) %map, i32 {value})\n  ret void\n}}\n"
        f"declare void @llvm.nvvm.tensormap.replace.{field}.p1(ptr addrspace(1), i32)\n"
    )
    if wanted.startswith(".version"):
        assert wanted in compile_here(text, options=CompileOptions(arch))
    else:
        with pytest.raises(DiagnosticError, match=re.escape(wanted)):
            compile_here(text, options=CompileOptions(arch))
