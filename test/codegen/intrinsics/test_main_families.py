"""Intrinsics of LLVM's main branch: their instructions, which ptxas assembles if it has PTX 9.4.

The calls are those of NVPTXUsage.md. An argument is a letter of `TYPES`, or a constant with its letter, such as `w0`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

TYPES = {
    "g": "ptr addrspace(1)", "s": "ptr addrspace(3)", "c": "ptr addrspace(7)", "t": "ptr addrspace(6)", "p": "ptr",
    "i": "i1", "h": "i16", "w": "i32", "l": "i64", "q": "i128", "f": "float", "d": "double",
    "H": "half", "V": "<2 x half>", "B": "bfloat", "W": "<2 x bfloat>", "F": "<2 x float>", "v": "void",
    "Q": "<4 x i32>", "O": "<1 x i32>", "L": "<2 x i32>",
    "2": "<2 x i8>", "4": "<4 x i8>", "8": "<8 x i8>", "X": "<8 x i16>",
    "S": "{ i32, <4 x i8> }", "U": "{ i32, <4 x i16> }",
    "P": "{ <2 x i32>, i32 }", "R": "{ <4 x float>, float }", "M": "{ i32, i32 }",
}  # fmt: skip
"""Types by letter."""

LOAD = "mbarrier::complete_tx::bytes"
EIGHTIETHS = "mbarrier::report::validity::per_16bytes::80"

CALLS = [
    # result, name, arguments, instruction with register numbers left out
    ("v", "mbarrier.init.p3", "s w w0", "mbarrier.init.shared.b64 [%rd], %r"),
    ("v", "mbarrier.init.p0", "p w w1", "mbarrier.init.layout::v1.b64 [%rd], %r"),
    ("v", "mbarrier.arrive.scope.cta.space.cluster", "c w w i1",
     "mbarrier.arrive.release.cta.shared::cluster.multicast::cluster::32b.b64 _, [%rd], %r, %r"),
    ("v", "mbarrier.arrive.drop.relaxed.scope.cluster.space.cluster", "c w w i1",
     "mbarrier.arrive_drop.relaxed.cluster.shared::cluster.multicast::cluster::32b.b64 _, [%rd], %r, %r"),
    ("v", "mbarrier.arrive.expect.tx.scope.cluster.space.cluster", "c w w i1",
     "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.multicast::cluster::32b.b64 _, [%rd], %r, %r"),
    ("v", "mbarrier.arrive.drop.expect.tx.relaxed.scope.cta.space.cluster", "c w w i0",
     "mbarrier.arrive_drop.expect_tx.relaxed.cta.shared::cluster.b64 _, [%rd], %r"),
    ("v", "mbarrier.expect.tx.scope.cta.space.cluster", "c w w i1",
     "mbarrier.expect_tx.relaxed.cta.shared::cluster.multicast::cluster::32b.b64 [%rd], %r, %r"),
    ("v", "mbarrier.complete.tx.scope.cluster.space.cluster", "c w w i0",
     "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%rd], %r"),
    ("i", "mbarrier.check_layout.p3", "s w1", "mbarrier.check_layout.layout::v1.shared::cta.b64 %p, [%rd]"),
    ("v", "cp.async.bulk.global.to.shared.cluster.i16", "c s g w h l i1 i1 w0",
     f"cp.async.bulk.shared::cluster.global.{LOAD}.multicast::cluster.L2::cache_hint [%rd], [%rd], %r, [%rd], %rs, %rd"),
    ("v", "cp.async.bulk.global.to.shared.cluster.i32", "c s g w w l i1 i0 w3",
     f"cp.async.bulk.shared::cluster.global.{LOAD}.multicast::cluster::32b.{EIGHTIETHS} [%rd], [%rd], %r, [%rd], %r"),
    ("v", "cp.async.bulk.global.to.shared.cluster.relaxed.i16", "c s g w h l i0 i0 w2 w0",
     f"cp.async.bulk.shared::cluster.global.{LOAD}.relaxed.gpu.b128 [%rd], [%rd], %r, [%rd]"),
    ("v", "cp.async.bulk.global.to.shared.cta", "s s g w w w l i1 i0 w0",
     f"cp.async.bulk.shared::cta.global.{LOAD}.L2::cache_hint [%rd], [%rd], %r, [%rd], %rd"),
    ("v", "cp.async.bulk.global.to.shared.cta", "s s g w w w l i0 i1 w0",
     f"cp.async.bulk.shared::cta.global.{LOAD}.ignore_oob [%rd], [%rd], %r, %r, %r, [%rd]"),
    ("v", "cp.async.bulk.global.to.shared.cta.relaxed", "s s g w w w l i0 i0 w3 w5",
     f"cp.async.bulk.shared::cta.global.{LOAD}.mbarrier::report::validity::per_element::ff.relaxed.sys.b128"
     " [%rd], [%rd], %r, [%rd]"),
    ("v", "cp.async.bulk.prefetch.evict.priority", "g w w1",
     "cp.async.bulk.prefetch.L2.global.L2::evict_last [%rd], %r"),
    ("v", "cp.async.bulk.tensor.g2s.tile.2d.i16", "c s p w w h l i1 i0 w1 w0",
     f"cp.async.bulk.tensor.2d.shared::cluster.global.tile.{LOAD}.multicast::cluster.cta_group::1"
     " [%rd], [%rd, {%r, %r}], [%rd], %rs"),
    ("v", "cp.async.bulk.tensor.g2s.im2col.w.3d.i32", "c s p w w w h h w l i1 i1 w0 w0",
     f"cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.{LOAD}.multicast::cluster::32b.L2::cache_hint"
     " [%rd], [%rd, {%r, %r, %r}], [%rd], {%rs, %rs}, %r, %rd"),
    ("v", "cp.async.bulk.tensor.g2s.cta.tile.1d", "s s p w l i0 w0",
     f"cp.async.bulk.tensor.1d.shared::cta.global.tile.{LOAD} [%rd], [%rd, {{%r}}], [%rd]"),
    ("v", "cp.async.bulk.tensor.g2s.cta.tile.1d", "s s p w l i1 w3",
     f"cp.async.bulk.tensor.1d.shared::cta.global.tile.{LOAD}.L2::cache_hint.{EIGHTIETHS}"
     " [%rd], [%rd, {%r}], [%rd], %rd"),
    ("v", "cp.async.bulk.tensor.g2s.tile.override.addr.1d.i16", "c s p g w h l i1 i0 w0 w0",
     f"cp.async.bulk.tensor.1d.shared::cluster.global.tile.{LOAD}.multicast::cluster.override::global_address"
     " [%rd], [%rd, %rd, {%r}], [%rd], %rs"),
    ("v", "cp.async.bulk.tensor.g2s.tile.override.addr.dim.stride.2d.i32", "c s p g h h w h w w w l i0 i0 w0 w0",
     f"cp.async.bulk.tensor.2d.shared::cluster.global.tile.{LOAD}.override::global_address"
     ".override::global_dim_stride [%rd], [%rd, %rd, {%rs, %rs}, {%r}, %rs, {%r, %r}], [%rd]"),
    ("v", "cp.async.bulk.tensor.g2s.cta.im2col.override.addr.3d", "s s p g w w w h l i0 w0",
     f"cp.async.bulk.tensor.3d.shared::cta.global.im2col.{LOAD}.override::global_address"
     " [%rd], [%rd, %rd, {%r, %r, %r}], [%rd], {%rs}"),
    ("v", "cp.async.bulk.tensor.s2g.tile.override.addr.dim.1d", "s p g h w l i0",
     "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.override::global_address.override::global_dim"
     " [%rd, %rd, {%rs}, {%r}], [%rd]"),
    ("v", "cp.async.bulk.tensor.s2g.tile.scatter4.override.addr.2d", "s p g w w w w w l i1",
     "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group.L2::cache_hint.override::global_address"
     " [%rd, %rd, {%r, %r, %r, %r, %r}], [%rd], %rd"),
    ("v", "cp.async.bulk.tensor.s2g.im2col.w.3d", "s p w w w l i0",
     "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs::w.bulk_group [%rd, {%r, %r, %r}], [%rd]"),
    ("v", "cp.async.bulk.tensor.s2g.im2col.override.addr.3d", "s p g w w w l i0",
     "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.override::global_address"
     " [%rd, %rd, {%r, %r, %r}], [%rd]"),
    ("v", "cp.async.bulk.tensor.reduce.tile.2d", "s p w w l w2 i1",
     "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group.L2::cache_hint"
     " [%rd, {%r, %r}], [%rd], %rd"),
    ("v", "cp.async.bulk.tensor.reduce.im2col.w.override.addr.3d", "s p g w w w l w7 i0",
     "cp.reduce.async.bulk.tensor.3d.global.shared::cta.xor.im2col_no_offs::w.bulk_group.override::global_address"
     " [%rd, %rd, {%r, %r, %r}], [%rd]"),
    ("v", "cp.async.bulk.tensor.prefetch.evict.priority.tile.2d", "p w w w1",
     "cp.async.bulk.prefetch.tensor.2d.L2.global.tile.L2::evict_last [%rd, {%r, %r}]"),
    ("v", "cp.async.bulk.tensor.prefetch.evict.priority.im2col.3d", "p w w w h w0",
     "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%rd, {%r, %r, %r}], {%rs}"),
    ("v", "cp.async.bulk.tensor.prefetch.tile.override.addr.1d", "p g w l i1",
     "cp.async.bulk.prefetch.tensor.1d.L2.global.tile.L2::cache_hint.override::global_address [%rd, %rd, {%r}], %rd"),
    ("v", "cp.async.bulk.tensor.prefetch.evict.priority.tile.gather4.override.addr.2d", "p g w w w w w w1",
     "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4.L2::evict_last.override::global_address"
     " [%rd, %rd, {%r, %r, %r, %r, %r}]"),
    ("v", "applypriority.async.bulk.tensor.evict.priority.tile.override.addr.dim.stride.3d",
     "p g h h h w w h w w w w0",
     "applypriority.async.bulk.tensor.3d.global.tile.bulk_group.L2::evict_normal.override::global_address"
     ".override::global_dim_stride [%rd, %rd, {%rs, %rs, %rs}, {%r, %r}, %rs, {%r, %r, %r}]"),
    ("v", "applypriority.async.bulk.tensor.evict.priority.im2col.override.addr.4d", "p g w w w w h h w0",
     "applypriority.async.bulk.tensor.4d.global.im2col.bulk_group.L2::evict_normal.override::global_address"
     " [%rd, %rd, {%r, %r, %r, %r}], {%rs, %rs}"),
    ("v", "tcgen05.alloc.cg1.p3", "s w i0", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%rd], %r"),
    ("v", "tcgen05.alloc.cg2.p0", "p w i1", "tcgen05.alloc.exclusive.cta_group::2.sync.aligned.b32 [%rd], %r"),
    ("v", "tcgen05.dealloc.cg1", "t w i0", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, %r"),
    ("v", "tcgen05.dealloc.cg1", "t w i1", "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r, %r"),
    ("O", "tcgen05.ld.16x64b.x1", "t i0", "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%r}, [%r]"),
    ("v", "tcgen05.st.32x32b.x1", "t O i1", "tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 [%r], {%r}"),
    ("S", "spcompress.i32.v4i8.v8i8", "8 w w2 w4", "spcompress.x1.sp::2:4.b8.b2 {%r}, {%r}, {%r, %r}, %r"),
    ("U", "spcompress.i32.v4i16.v8i16", "X w w4 w4", "spcompress.x2.sp::2:4.b16.b4 {%r}, {%r, %r}, {%r, %r, %r, %r}, %r"),
    ("4", "spdecompress.v4i8.i32.v2i8", "w 2 w2 w4", "spdecompress.x1.sp::2:4.b8.b2 {%r}, {%r}, {%r}"),
    ("8", "spdecompress.v8i8.i32.v2i8", "w 2 w4 w4", "spdecompress.x2.sp::1:4.b8.b4 {%r, %r}, {%r}, {%r}"),
    ("v", "tcgen05.commit.cg1.p0", "p", "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd]"),
    ("v", "tcgen05.commit.mc.cg2.p3.i16", "s h",
     "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%rd], %rs"),
    ("v", "tcgen05.commit.mc.cg2.p0.i32", "p w",
     "tcgen05.commit.cta_group::2.mbarrier::arrive::one.multicast::cluster::32b.b64 [%rd], %r"),
    ("v", "tcgen05.commit.smem.a.read.cg1.p3", "s",
     "tcgen05.commit.cta_group::1.mbarrier::arrive::one.sync_restrict::shared::read::mma::a.shared::cluster.b64 [%rd]"),
    ("v", "tcgen05.mma.shared", "t l l w i1 w0 w1 w0 w0",
     "tcgen05.mma.cta_group::1.kind::f16 [%r], %rd, %rd, %r, %p"),
    ("v", "tcgen05.mma.shared", "t l l w i1 w0 w1 w2 w3",
     "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill.collector::b::use [%r], %rd, %rd, %r, %p"),
    ("v", "tcgen05.mma.shared", "t l l w i1 w4 w2 w0 w1",
     "tcgen05.mma.cta_group::2.kind::ti16.collector::b::lastuse [%r], %rd, %rd, %r, %p"),
    ("v", "tcgen05.mma.ws.sp.tensor", "t t l w i1 t w4 w0 w1",
     "tcgen05.mma.ws.sp.cta_group::1.kind::ti16.collector::b0::lastuse [%r], [%r], %rd, [%r], %r, %p"),
    ("v", "tcgen05.mma.shared.scale_d", "t l l w i1 l3 w1 w1 w0 w2",
     "tcgen05.mma.cta_group::1.kind::tf32.collector::b::fill [%r], %rd, %rd, %r, %p, 3"),
    ("v", "tcgen05.mma.tensor.mxf8f6f4.block_scale", "t t l w i1 t t w2 w0 w1",
     "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.collector::b::lastuse [%r], [%r], %rd, %r, [%r], [%r], %p"),
    ("v", "st.async.i32", "c w c", f"st.async.{LOAD}.shared::cluster.b32 [%rd], %r, [%rd]"),
    ("v", "st.async.i128", "c q c", f"st.async.{LOAD}.shared::cluster.b128 [%rd], %rq, [%rd]"),
    ("v", "st.async.gpu.i16", "g h i0", "st.async.release.gpu.global.b16 [%rd], %rs"),
    ("v", "st.async.sys.i64", "g l i1", "multimem.st.async.release.sys.global.b64 [%rd], %rd"),
    ("v", "st.async.mmio.sys.i32", "g w", "st.async.mmio.release.sys.global.b32 [%rd], %r"),
    ("H", "fadd.ftz.sat.f16", "H H w1", "add.rn.ftz.sat.f16 %rs, %rs, %rs"),
    ("W", "fadd.v2bf16", "W W w1", "add.rn.bf16x2 %r, %r, %r"),
    ("f", "fadd.ftz.sat.f32", "f f w3", "add.rm.ftz.sat.f32 %r, %r, %r"),
    ("F", "fmul.ftz.v2f32", "F F w2", "mul.rp.ftz.f32x2 %rd, %rd, %rd"),
    ("f", "fmul.sat.f32", "f f w0", "mul.rz.sat.f32 %r, %r, %r"),
    ("d", "fmul.f64", "d d w1", "mul.rn.f64 %rd, %rd, %rd"),
    ("V", "add.rn.sat.v2f16", "V V", "add.rn.sat.f16x2 %r, %r, %r"),
    ("H", "mul.rn.ftz.sat.f16", "H H", "mul.rn.ftz.sat.f16 %rs, %rs, %rs"),
    ("B", "fma.rn.oob.bf16", "B B B", "fma.rn.oob.bf16 %rs, %rs, %rs, %rs"),
    ("V", "fma.rn.oob.relu.v2f16", "V V V", "fma.rn.oob.relu.f16x2 %r, %r, %r, %r"),
    ("w", "read.ptx.sreg.reserved_smem_offset_cap", "", "mov.u32 %r, %reserved_smem_offset_cap"),
    ("w", "read.ptx.sreg.reserved_smem_offset_1", "", "mov.u32 %r, %reserved_smem_offset_1"),
    ("w", "movmatrix.sync.aligned.m8n8.trans.b16", "w", "movmatrix.sync.aligned.m8n8.trans.b16 %r, %r"),
    ("M", "ldmatrix.sync.aligned.m8n16.x2.s8.s4.p3", "s",
     "ldmatrix.sync.aligned.m8n16.x2.shared.s8.s4 {%r, %r}, [%rd]"),
    ("W", "e2m1x2.to.bf16x2.rn.relu.satfinite.scale.n2.ue8m0", "h h",
     "cvt.rn.satfinite.relu.scaled::n2::ue8m0.bf16x2.e2m1x2 %r, %byte, %rs"),
    ("h", "ff.to.ue5m3x2.rz.satfinite", "f f", "cvt.rz.satfinite.ue5m3x2.f32 %rs, %r, %r"),
    ("h", "bf16x2.to.ue5m3x2.rp", "W", "cvt.rp.ue5m3x2.bf16x2 %rs, %r"),
    ("V", "ue5m3x2.to.f16x2.rn", "h", "cvt.rn.f16x2.ue5m3x2 %r, %rs"),
    ("V", "e4m3x2.to.f16x2.rn", "h127", "cvt.rn.f16x2.e4m3x2 %r, %rs"),
    ("W", "e4m3x2.to.bf16x2.rn.scale.n2.ue8m0", "h h32639", "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 %r, %rs, %rs"),
    ("h", "ff.to.e4m3x2.rn.scale.n1.ue8m0", "f f h127",
     "cvt.rn.satfinite.scaled::n1::ue8m0.e4m3x2.f32 %rs, %r, %r, %scale"),
    ("W", "ue5m3x2.to.bf16x2.rn.satfinite", "h", "cvt.rn.satfinite.bf16x2.ue5m3x2 %r, %rs"),
    ("h", "ff.to.e4m3x2.rn", "f f i0", "cvt.rn.satfinite.e4m3x2.f32 %rs, %r, %r"),
    ("h", "ff.to.e4m3x2.rn", "f f i1", "cvt.rn.satfinite.pzo.e4m3x2.f32 %rs, %r, %r"),
    ("h", "f16x2.to.e5m2x2.rz.relu", "V", "cvt.rz.satfinite.relu.e5m2x2.f16x2 %rs, %r"),
    ("h", "bf16x2.to.e2m1x2.rz.satfinite", "W i1", "cvt.rz.satfinite.pzo.e2m1x2.bf16x2 %byte, %r"),
    ("h", "ff.to.e2m1x2.rn.relu.satfinite.scale.n1.ue8m0", "f f h i1",
     "cvt.rn.satfinite.relu.pzo.scaled::n1::ue8m0.e2m1x2.f32 %byte, %r, %r, %scale"),
    ("h", "f16x2.to.ue5m3x2.rn.scale.n1.ue8m0", "V h", "cvt.rn.scaled::n1::ue8m0.ue5m3x2.f16x2 %rs, %r, %scale"),
    ("B", "f2bf16.rn", "f i1", "cvt.rn.pzo.bf16.f32 %rs, %r"),
    ("H", "f2f16.rz.relu.satfinite", "f i1", "cvt.rz.relu.satfinite.pzo.f16.f32 %rs, %r"),
    ("W", "ff2bf16x2.rn", "f f i1", "cvt.rn.pzo.bf16x2.f32 %r, %r, %r"),
    ("v", "cp.async.bulk.tensor.g2s.tile.override.addr.dim.1d", "c s p g h w w l i1 i0 w0 w0",
     f"cp.async.bulk.tensor.1d.shared::cluster.global.tile.{LOAD}.multicast::cluster::32b.override::global_address"
     ".override::global_dim [%rd], [%rd, %rd, {%rs}, {%r}], [%rd], %r"),
    ("v", "tcgen05.mma.shared.f8f6f4.decompress_b", "t l l w i1 t w1 w3 w2",
     "tcgen05.mma.cta_group::1.kind::f8f6f4.decompress::lut::b.collector::a::use.collector::b::fill"
     " [%r], %rd, %rd, [%r], %r, %p"),
    ("v", "tcgen05.mma.tensor.f8f6f4.disable_output_lane.cg1.decompress_b", "t t l w i1 t Q w0 w0",
     "tcgen05.mma.cta_group::1.kind::f8f6f4.decompress::lut::b [%r], [%r], %rd, [%r], %r, {%r, %r, %r, %r}, %p"),
    ("v", "tcgen05.mma.shared.mxf8f6f4.block_scale.block32.decompress_b", "t l l w i1 t t t w2 w0 w1",
     "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale.decompress::lut::b.block32.collector::b::lastuse"
     " [%r], %rd, %rd, [%r], %r, [%r], [%r], %p"),
    ("v", "st.bulk.p3.i64", "s l l0", "st.bulk.shared::cta [%rd], %rd, 0"),
    ("v", "st.bulk.p0.i32", "p w l0", "cvt.u64.u32 %rd, %r"),
    ("v", "prefetch.L1.32B.valid_addr.p1", "g", "prefetch.global.L1::32B.valid_addr [%rd]"),
    ("w", "read.ptx.sreg.pm4", "", "mov.u32 %r, %pm4"),
]  # fmt: skip

LOAD_REDUCTIONS = [
    ("P", "tcgen05.ld.red.32x32b.x2.i32", "t w0", "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r, %r}, %r, [%r]"),
    ("R", "tcgen05.ld.red.16x32bx2.x4.f32", "t l16 w1 i1 i1",
     "tcgen05.ld.red.sync.aligned.16x32bx2.x4.max.abs.NaN.f32 {%r, %r, %r, %r}, %r, [%r], 16"),
]  # fmt: skip
"""Calls for sm_103 and sm_110, which sm_107 lacks."""


def module_of(calls: list[tuple[str, str, str, str]]) -> str:
    """LLVM assembly with a kernel for each call, which stores the result."""
    declared: dict[str, str] = {}
    kernels: list[str] = []
    for number, (result, name, arguments, _) in enumerate(calls):
        letters = arguments.split()
        types = [TYPES[letter[0]] for letter in letters]
        values = [letter[1:] or f"%{index}" for index, letter in enumerate(letters)]
        parameters = ", ".join(
            f"{type_} %{index}"
            for index, (type_, letter) in enumerate(zip(types, letters))
            if len(letter) == 1
        )
        # Numbered values must be dense.
        parameters = re.sub(r"%(\d+)", r"%a\1", parameters)
        values = [re.sub(r"^%", "%a", value) for value in values]
        passed = ", ".join(f"{t} {v}" for t, v in zip(types, values)).replace("i1 1", "i1 true")
        called = f"call {TYPES[result]} @llvm.nvvm.{name}({passed.replace('i1 0', 'i1 false')})"
        declared[name] = f"declare {TYPES[result]} @llvm.nvvm.{name}({', '.join(types)})"
        used = called
        if result != "v":
            used = f"%r = {called}\n  store {TYPES[result]} %r, ptr addrspace(1) %out"
        separator = ", " if parameters else ""
        kernels.append(
            f"define ptx_kernel void @k{number}(ptr addrspace(1) %out{separator}{parameters}) {{\n"
            f"  {used}\n  ret void\n}}"
        )
    return "\n".join((*declared.values(), *kernels))


def without_numbers(text: str) -> str:
    """PTX with the numbers of registers left out; f32 and f64 have registers like integers of their size."""
    text = re.sub(r"%(rs|rd|rq|r|p|f|fd)\d+", r"%\1", text)
    return re.sub(r"%fd\b", "%rd", re.sub(r"%f\b", "%r", text))


def compiled(calls: list[tuple[str, str, str, str]], arch: str) -> str:
    return nvvm_xdsl.compile(module_of(calls), arch=arch, opt_level=0)


def bodies(ptx: str) -> list[str]:
    return [without_numbers(part).replace("\t", " ") for part in ptx.split(".entry ")[1:]]


@pytest.mark.parametrize(
    ("calls", "arch"), [(CALLS, "sm_107a"), (LOAD_REDUCTIONS, "sm_103a")], ids=["all", "ld_red"]
)
def test_instructions(calls: list[tuple[str, str, str, str]], arch: str):
    for (_, name, arguments, expected), body in zip(
        calls, bodies(compiled(calls, arch)), strict=True
    ):
        found = [re.sub(" +", " ", line).strip() for line in body.splitlines()]
        assert f"{expected};" in found, f"{name} {arguments}\n{body}"


@needs_ptxas
@pytest.mark.parametrize(
    ("calls", "arch"), [(CALLS, "sm_107a"), (LOAD_REDUCTIONS, "sm_103a")], ids=["all", "ld_red"]
)
def test_ptxas_accepts_them(calls: list[tuple[str, str, str, str]], arch: str):
    release = release_of(find_ptxas() or Path())
    if release is None or release.newest_ptx < 94:
        pytest.skip("this ptxas is older than PTX 9.4")
    assemble(compiled(calls, arch), arch, "-O0")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("cp.async.bulk.global.to.shared.cta", "s s g w w w l i0 i1 w3", "PTX has no instruction"),
        ("cp.async.bulk.global.to.shared.cta", "s s g w w w l i0 i1 w", "is not supported"),
        ("fmul.v2f32", "F F w4", "needs a constant rounding mode"),
        ("tcgen05.mma.shared", "t l l w i1 w5 w1 w0 w0", "is not supported"),
        ("st.async.gpu.i8", "g h i0", "PTX has no instruction"),
        ("spdecompress.v8i8.i32.v4i8", "w 4 w2 w8", "PTX has no instruction 'spdecompress.x1.sp::4:8.b8.b2"),
        ("spdecompress.v8i8.v2i32.v4i8", "L 4 w4 w4", "types of spdecompress do not fit"),
        ("spdecompress.v8i8.i32.v8i16", "w X w4 w4", "all elements must have the same size"),
        ("spdecompress.v8i8.i64.v4i8", "l 4 w4 w4", "indices must be i32"),
        ("tcgen05.mma.shared.f8f6f4.decompress_b", "t l l w i1 t w w0 w0", "is not supported"),
    ],
    ids=["report of partial rows", "no constant", "rounding", "unknown kind", "a byte", "wide index", "registers", "sizes", "wide indices", "no group"],
)  # fmt: skip
def test_other_calls_are_errors(name: str, arguments: str, message: str):
    result = "F" if "v2f32" in name else "8" if name.startswith("spd") else "v"
    with pytest.raises(DiagnosticError, match=message):
        compiled([(result, name, arguments, "")], "sm_107a")
