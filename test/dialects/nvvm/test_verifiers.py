"""Ops of the nvvm dialect that MLIR rejects, each with a similar valid op."""

from __future__ import annotations

import pytest

from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ARGUMENTS = (
    "%p: !llvm.ptr, %g: !llvm.ptr<1>, %s: !llvm.ptr<3>, %c: !llvm.ptr<4>, %l: !llvm.ptr<5>, "
    "%t: !llvm.ptr<6>, %d: !llvm.ptr<7>, %i: i32, %w: i64, %h: i16, %b: i1, %x: f32, "
    "%v: vector<2xi8>, %q: vector<4xf32>, %k: vector<2xbf16>, %m4: vector<4xi32>, "
    "%m8: vector<8xi32>, %a: vector<2xf16>, %wide: i128"
)


def check(op: str) -> str:
    """Returns the verifier's message for an op; empty if it is valid."""
    text = f"llvm.func @f({ARGUMENTS}) {{\n  {op}\n  llvm.return\n}}\n"
    try:
        verify(parse(text, format="mlir"))
    except DiagnosticError as error:
        return error.message
    return ""


def rnd(mode: str) -> str:
    return f"rnd = #nvvm.fp_rnd_mode<{mode}>"


FINITE = "sat = #nvvm.sat_mode<satfinite>"
LOAD = "nvvm.cp.async.bulk.tensor.shared.cluster.global"
STORE = "nvvm.cp.async.bulk.tensor.global.shared.cta"
FETCH = "nvvm.cp.async.bulk.tensor.prefetch"
REDUCE = "nvvm.cp.async.bulk.tensor.reduce"
TO_CLUSTER, TO_BLOCK = "!llvm.ptr<7>, !llvm.ptr", "!llvm.ptr<3>, !llvm.ptr"
MMA = "%t, %t, %w, %i, %b"
MMA_TYPES = "(!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)"
KIND = "kind = #nvvm.tcgen05_mma_kind<f16>"
ONE, TWO = "ctaGroup = #nvvm.cta_group<cta_1>", "ctaGroup = #nvvm.cta_group<cta_2>"


def matrix(m: int, n: int, element: str, layout: str = "row", extra: str = "") -> str:
    return (
        f"{{{extra}layout = #nvvm.mma_layout<{layout}>, shape = #nvvm.ld_st_matrix_shape<m = {m}, "
        f"n = {n}>, eltType = #nvvm.ld_st_matrix_elt_type<{element}>}}"
    )


def mode(word: str, what: str = "load") -> str:
    return f"mode = #nvvm.tma_{what}_mode<{word}>"


CASES: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "%0 = nvvm.read.ptx.sreg.tid.x range <i32, 0, 32> : i32",
        [
            ("%0 = nvvm.read.ptx.sreg.tid.x : i64", "register tid.x yields i32, not i64"),
            ("%0 = nvvm.read.ptx.sreg.tid.x : i17", "register tid.x yields i32, not i17"),
            ("%0 = nvvm.read.ptx.sreg.clock64 : i32", "register clock64 yields i64, not i32"),
            ("%0 = nvvm.read.ptx.sreg.tid.x range <i32, 32, 32> : i32", "or full; got 32 and 32"),
        ],
    ),
    (
        "nvvm.pmevent id = 3",
        [("nvvm.pmevent", "`id` and `mask`"), ("nvvm.pmevent id = 3 mask = 4", "`id` and `mask`")],
    ),
    (
        "%0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %wide : i1",
        [
            (
                "%0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %wide : i32",
                "'is_canceled' yields i1, not i32",
            ),
            (
                "%0 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %wide : i1",
                "'get_first_cta_id_x' yields i32, not i1",
            ),
        ],
    ),
    (
        "nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}",
        [("nvvm.fence.sync_restrict {order = #nvvm.mem_order<weak>}", "not weak")],
    ),
    (
        "nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>, "
        "fromProxy = #nvvm.proxy_kind<generic>, toProxy = #nvvm.proxy_kind<async>}",
        [
            (
                "nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<mmio>, "
                "fromProxy = #nvvm.proxy_kind<generic>, toProxy = #nvvm.proxy_kind<async>}",
                "not mmio",
            ),
            (
                "nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>, "
                "fromProxy = #nvvm.proxy_kind<generic>, toProxy = #nvvm.proxy_kind<alias>}",
                "toProxy of this fence is async, not alias",
            ),
            (
                "nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>, "
                "fromProxy = #nvvm.proxy_kind<tensormap>, toProxy = #nvvm.proxy_kind<async>}",
                "fromProxy of this fence is generic, not tensormap",
            ),
        ],
    ),
    (
        "%0 = nvvm.mbarrier.arrive %s {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64",
        [
            ("%0 = nvvm.mbarrier.arrive %d : !llvm.ptr<7> -> i64", "returns no value"),
            ("%0 = nvvm.mbarrier.arrive %s {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3> -> i64", "not gpu"),
            ("nvvm.mbarrier.expect_tx %s, %i {scope = #nvvm.mem_scope<sys>} : !llvm.ptr<3>, i32", "not sys"),
            (
                "%0 = nvvm.mbarrier.test.wait %s, %i {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3>, i32 -> i1",
                "not gpu",
            ),
        ],
    ),
    (
        "nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b : !llvm.ptr<3>, i32, i1",
        [
            (
                "%0 = nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b : !llvm.ptr<3>, i32, i1 -> i64",
                "under a predicate returns no value",
            ),
            (
                "nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b {relaxed = true} : !llvm.ptr<3>, i32, i1",
                "not relaxed",
            ),
            (
                "nvvm.mbarrier.arrive.expect_tx %s, %i, predicate = %b {scope = #nvvm.mem_scope<cluster>}"
                " : !llvm.ptr<3>, i32, i1",
                "in scope cta alone",
            ),
            (
                "nvvm.mbarrier.arrive.expect_tx %d, %i, predicate = %b : !llvm.ptr<7>, i32, i1",
                "not in the cluster's shared memory",
            ),
        ],
    ),
    (
        "nvvm.prefetch level = L2, evict_priority = evict_last, %g : !llvm.ptr<1>",
        [
            ("nvvm.prefetch level = L1, evict_priority = evict_last, %g : !llvm.ptr<1>", "cache level L2"),
            ("nvvm.prefetch level = L2, evict_priority = evict_last, %l : !llvm.ptr<5>", "global pointer"),
            ("nvvm.prefetch level = L2, evict_priority = evict_first, %g : !llvm.ptr<1>", "not evict_first"),
            ("nvvm.prefetch level = L2 uniform, %p : !llvm.ptr", "is of L1"),
            ("nvvm.prefetch level = L1 uniform, %g : !llvm.ptr<1>", "by a generic pointer"),
            ("nvvm.prefetch level = L1, %c : !llvm.ptr<4>", "generic, global or local"),
            ("nvvm.prefetch level = L1, %p, predicate = %b : !llvm.ptr, i1", "takes a predicate"),
            ("nvvm.prefetch %p : !llvm.ptr", "needs a cache level"),
        ],
    ),
    (
        "nvvm.prefetch tensormap in_param_space, %p : !llvm.ptr<0>",
        [
            ("nvvm.prefetch level = L1, tensormap, %p : !llvm.ptr", "has no cache level"),
            ("nvvm.prefetch tensormap, evict_priority = evict_last, %p : !llvm.ptr", "no eviction priority"),
            ("nvvm.prefetch tensormap, %g : !llvm.ptr<1>", "generic or constant pointer"),
            ("nvvm.prefetch tensormap in_param_space, %c : !llvm.ptr<4>", "needs a generic pointer"),
        ],
    ),
    (
        "nvvm.st.bulk %p, size = %w, init = 0 : !llvm.ptr",
        [("nvvm.st.bulk %p, size = %w, init = 1 : !llvm.ptr", "must store 0, not 1")],
    ),
    (
        f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rn')}, {FINITE}}} : i16 (f8E4M3FN)",
        [
            (f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rp')}, {FINITE}}} : i16 (f8E5M2)", "rn or rz, not rp"),
            (f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rn')}}} : i16 (f8E5M2)", "not none"),
            (f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rn')}}} : i16 (f8E8M0FNU)", "rz or rp, not rn"),
            (
                f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rp')}, relu = true}} : i16 (f8E8M0FNU)",
                "has no relu",
            ),
            (f"%0 = nvvm.convert.f32x2.to.f8x2 %x, %x {{{rnd('rn')}}} : i16 (f8E4M3)", "not f8E4M3"),
            ("%0 = nvvm.convert.f32x2.to.f6x2 %x, %x : i16 (f8E8M0FNU)", "not f8E8M0FNU"),
            ("%0 = nvvm.convert.f8x2.to.bf16x2 %v : vector<2xi8> (f6E3M2FN) -> vector<2xbf16>", "f8E8M0FNU"),
            (
                f"%0 = nvvm.convert.bf16x2.to.f8x2 %k {{{rnd('rn')}}} : vector<2xbf16> -> i16 (f8E8M0FNU)",
                "rz or rp, not rn",
            ),
        ],
    ),
    (
        f"%0 = nvvm.convert.f32x2.to.f16x2 %x, %x, %i {{{rnd('rs')}}} : vector<2xf16>",
        [
            (f"%0 = nvvm.convert.f32x2.to.f16x2 %x, %x {{{rnd('rs')}}} : vector<2xf16>", "random bits"),
            (f"%0 = nvvm.convert.f32x2.to.f16x2 %x, %x, %i {{{rnd('rn')}}} : vector<2xf16>", "random bits"),
            (f"%0 = nvvm.convert.f32x2.to.bf16x2 %x, %x {{{rnd('rm')}}} : vector<2xbf16>", "not rm"),
        ],
    ),
    (
        f"%0 = nvvm.convert.float.to.tf32 %x {{{rnd('rn')}, relu = true}}",
        [
            (f"%0 = nvvm.convert.float.to.tf32 %x {{{rnd('rna')}, relu = true}}", "has no relu"),
            ("%0 = nvvm.convert.float.to.tf32 %x", "rn or rz or rna, not none"),
        ],
    ),
    (
        f"nvvm.stmatrix %s, %i {matrix(16, 8, 'b8', 'col')} : !llvm.ptr<3>, i32",
        [
            (f"nvvm.stmatrix %s, %i {matrix(16, 8, 'b8')} : !llvm.ptr<3>, i32", "layout col, not row"),
            (f"nvvm.stmatrix %s, %i {matrix(8, 8, 'b8')} : !llvm.ptr<3>, i32", "element type b16, not b8"),
            (f"nvvm.stmatrix %s, %i {matrix(16, 16, 'b16')} : !llvm.ptr<3>, i32", "8x8 or 16x8, not 16x16"),
            (f"nvvm.stmatrix %s, %i, %i, %i {matrix(8, 8, 'b16')} : !llvm.ptr<3>, i32, i32, i32", "not 3"),
        ],
    ),
    (
        f"%0 = nvvm.ldmatrix %s {matrix(8, 8, 'b16', extra='num = 1 : i32, ')} : (!llvm.ptr<3>) -> i32",
        [
            (
                f"%0 = nvvm.ldmatrix %s {matrix(8, 8, 'b16', extra='num = 1 : i32, ')} : (!llvm.ptr<3>)"
                " -> !llvm.struct<(i32)>",
                "yields i32",
            ),
            (
                f"%0 = nvvm.ldmatrix %s {matrix(8, 8, 'b8', extra='num = 1 : i32, ')} : (!llvm.ptr<3>) -> i32",
                "element type b16, not b8",
            ),
            (
                f"%0 = nvvm.ldmatrix %s {matrix(8, 16, 'b8x16.b4x16_p64', 'col', 'num = 1 : i32, ')}"
                " : (!llvm.ptr<3>) -> i32",
                "layout row, not col",
            ),
        ],
    ),
    (
        "nvvm.cp.async.bulk.shared.cluster.global %d, %g, %s, %i multicast_mask = %h : !llvm.ptr<7>, !llvm.ptr<1>",
        [
            (
                "nvvm.cp.async.bulk.shared.cluster.global %s, %g, %s, %i multicast_mask = %h"
                " : !llvm.ptr<3>, !llvm.ptr<1>",
                "no multicast mask",
            )
        ],
    ),
    (
        f"{LOAD} %d, %p, %s, box[%i, %i, %i] im2col[%h] {{{mode('im2col')}}} : {TO_CLUSTER}",
        [
            (f"{LOAD} %d, %p, %s, box[%i] {{{mode('im2col')}}} : {TO_CLUSTER}", "at least 3"),
            (f"{LOAD} %d, %p, %s, box[] : {TO_CLUSTER}", "1 to 5 coordinates, not 0"),
            (f"{LOAD} %d, %p, %s, box[%i, %i] {{{mode('tile_gather4')}}} : {TO_CLUSTER}", "5 coordinates, not 2"),
            (
                f"{LOAD} %d, %p, %s, box[%i, %i, %i, %i] im2col[%h] {{{mode('im2col')}}} : {TO_CLUSTER}",
                "needs 2 offsets, not 1",
            ),
            (
                f"{LOAD} %d, %p, %s, box[%i, %i, %i] im2col[%h, %h] predicate=%b {{{mode('im2col_w')}}}"
                f" : {TO_CLUSTER}",
                "takes a predicate",
            ),
            (f"{LOAD} %s, %p, %s, box[%i] : {TO_BLOCK}", "in address space 7"),
        ],
    ),
    (
        f"{LOAD} %s, %p, %s, box[%i] {{isCTAOnly = true}} : {TO_BLOCK}",
        [
            (f"{LOAD} %d, %p, %s, box[%i] {{isCTAOnly = true}} : {TO_CLUSTER}", "in address space 3"),
            (f"{LOAD} %s, %p, %s, box[%i] multicast_mask = %h {{isCTAOnly = true}} : {TO_BLOCK}", "multicast"),
            (
                f"{LOAD} %s, %p, %s, box[%i] {{isCTAOnly = true, group = #nvvm.cta_group<cta_1>}} : {TO_BLOCK}",
                "no group",
            ),
        ],
    ),
    (
        f"{FETCH} %p, box[%i, %i, %i] im2col[%h, %h] {{{mode('im2col_w')}}} : !llvm.ptr",
        [
            (f"{FETCH} %p, box[%i, %i, %i] im2col[%h] {{{mode('im2col_w')}}} : !llvm.ptr", "2 offsets, not 1"),
            (f"{FETCH} %p, box[%i] {{{mode('tile_gather4')}}} : !llvm.ptr", "5 coordinates, not 1"),
        ],
    ),
    (
        f"{STORE} %p, %s, box[%i], predicate=%b : !llvm.ptr, !llvm.ptr<3>",
        [
            (f"{STORE} %p, %s, box[%i] l2_cache_hint = %w, predicate=%b : !llvm.ptr, !llvm.ptr<3>", "cache hint"),
            (
                f"{STORE} %p, %s, box[%i, %i, %i], predicate=%b {{{mode('im2col', 'store')}}}"
                " : !llvm.ptr, !llvm.ptr<3>",
                "only a store of tiles",
            ),
            (f"{STORE} %p, %s, box[%i] {{{mode('tile_scatter4', 'store')}}} : !llvm.ptr, !llvm.ptr<3>", "not 1"),
        ],
    ),
    (
        f"{REDUCE} %p, %s, box[%i] {{redKind = #nvvm.tma_redux_kind<add>}} : !llvm.ptr, !llvm.ptr<3>",
        [
            (
                f"{REDUCE} %p, %s, box[%i] {{redKind = #nvvm.tma_redux_kind<add>, "
                f"{mode('tile_scatter4', 'store')}}} : !llvm.ptr, !llvm.ptr<3>",
                "does not scatter",
            )
        ],
    ),
    (
        "nvvm.tcgen05.cp %t, %w {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, "
        "multicast = #nvvm.tcgen05_cp_multicast<warpx4>}",
        [
            ("nvvm.tcgen05.cp %t, %w {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}", "warpx4, not none"),
            (
                "nvvm.tcgen05.cp %t, %w {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>, "
                "multicast = #nvvm.tcgen05_cp_multicast<warpx4>}",
                "none, not warpx4",
            ),
        ],
    ),
    (
        "%0 = nvvm.tcgen05.ld %t, %w {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>",
        [
            ("%0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>", "offset"),
            (
                "%0 = nvvm.tcgen05.ld %t, %w {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<2xi32>",
                "offset",
            ),
        ],
    ),
    (
        f"nvvm.tcgen05.mma {MMA} mask = %m4 {{{KIND}, {ONE}, aShift}} : {MMA_TYPES[:-1]}, vector<4xi32>)",
        [
            (
                f"nvvm.tcgen05.mma {MMA} mask = %m8 {{{KIND}, {ONE}}} : {MMA_TYPES[:-1]}, vector<8xi32>)",
                "4 words, not 8",
            ),
            (f"nvvm.tcgen05.mma {MMA} {{{KIND}, {TWO}, aShift, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>}} : {MMA_TYPES}", "collector operation fill"),
            (
                f"nvvm.tcgen05.mma %t, %w, %w, %i, %b {{{KIND}, {ONE}, aShift}} : (!llvm.ptr<6>, i64, i64, i32, i1)",
                "in tensor memory only",
            ),
        ],
    ),
    (
        "nvvm.tcgen05.mma.block_scale %t, %t, %w, %i, %b, %t, %t {kind = #nvvm.block_scale_kind<mxf4nvf4>, "
        f"{ONE}, blockScale = #nvvm.tcgen05_mma_block_scale<block16>}} : "
        f"{MMA_TYPES[:-1]}, !llvm.ptr<6>, !llvm.ptr<6>)",
        [
            (
                "nvvm.tcgen05.mma.block_scale %t, %t, %w, %i, %b, %t, %t {kind = #nvvm.block_scale_kind<mxf4nvf4>, "
                f"{ONE}}} : {MMA_TYPES[:-1]}, !llvm.ptr<6>, !llvm.ptr<6>)",
                "needs a block scale",
            ),
            (
                "nvvm.tcgen05.mma.block_scale %t, %t, %w, %i, %b, %t, %t {kind = #nvvm.block_scale_kind<mxf4>, "
                f"{ONE}, blockScale = #nvvm.tcgen05_mma_block_scale<block16>}} : "
                f"{MMA_TYPES[:-1]}, !llvm.ptr<6>, !llvm.ptr<6>)",
                "no blocks of 16",
            ),
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize("valid", [valid for valid, _ in CASES])
def test_accepted(valid: str):
    assert check(valid) == ""


@pytest.mark.parametrize(("invalid", "reported"), [pair for _, pairs in CASES for pair in pairs])
def test_rejected(invalid: str, reported: str):
    assert reported in check(invalid)


FUNCTIONS = [
    ('attributes {nvvm.kernel, nvvm.minctasm = "foo"}', "'nvvm.minctasm' must be a number"),
    ("attributes {nvvm.kernel, nvvm.reqntid = array<i32: 3, 4, 5, 6>}", "'nvvm.reqntid' must be"),
    ("attributes {nvvm.kernel, nvvm.maxntid = array<i64: 3>}", "'nvvm.maxntid' must be"),
    (
        "attributes {nvvm.kernel, nvvm.blocksareclusters, nvvm.reqntid = array<i32: 3>}",
        "'nvvm.blocksareclusters' needs nvvm.cluster_dim",
    ),
    ("attributes {nvvm.kernel, nvvm.maxntid = array<i32: 3, 4, 5>, nvvm.maxnreg = 16 : i32}", ""),
]


@pytest.mark.parametrize(("attributes", "reported"), FUNCTIONS)
def test_launch_bounds(attributes: str, reported: str):
    module = parse(f"llvm.func @k() {attributes} {{\n  llvm.return\n}}\n", format="mlir")
    if not reported:
        verify(module)
        return
    with pytest.raises(DiagnosticError, match=reported):
        verify(module)


@pytest.mark.parametrize(
    ("argument", "kernel", "reported"),
    [
        ("{llvm.byval = i32, nvvm.grid_constant}", True, ""),
        ("{llvm.byval = i32, nvvm.grid_constant}", False, "requires a kernel"),
        ("{nvvm.grid_constant}", True, "requires llvm.byval"),
        ("{llvm.byval = i32, nvvm.grid_constant = true}", True, "unit attribute"),
    ],
)
def test_grid_constants(argument: str, kernel: bool, reported: str):
    attributes = "attributes {nvvm.kernel} " if kernel else ""
    text = f"llvm.func @k(%x: !llvm.ptr {argument}) {attributes}{{\n  llvm.return\n}}\n"
    module = parse(text, format="mlir")
    if not reported:
        verify(module)
        return
    with pytest.raises(DiagnosticError, match=reported):
        verify(module)


def test_targets():
    with pytest.raises(DiagnosticError, match="from 0 to 3, not 4"):
        parse('gpu.module @m [#nvvm.target<chip = "sm_90", O = 4>] {\n}\n', format="mlir")
    text = 'gpu.module @m [#nvvm.target<chip = "sm_90">] {\n}\ngpu.module @n [#nvvm.target<chip = "sm_80">] {\n}\n'
    verify(parse(text, format="mlir"))


def test_keywords_in_assembly_format():
    short = parse(
        "llvm.func @f() {\n  nvvm.memory.barrier <cta>\n  llvm.return\n}\n", format="mlir"
    )
    long = parse(
        "llvm.func @f() {\n  nvvm.memory.barrier #nvvm.mem_scope<cta>\n  llvm.return\n}\n",
        format="mlir",
    )
    assert str(short) == str(long)
