"""The assembly of MLIR's main branch is read as that of MLIR 22."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from nvvm_xdsl.driver.compile import mlir_context, parse, verify
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ARGUMENTS = (
    "%p: !llvm.ptr<3>, %q: !llvm.ptr<7>, %g: !llvm.ptr, %t: !llvm.ptr<6>, %i: i32, %l: i64, %b: i1, %s: i16, %f: f32,"
    " %v: vector<2xf16>, %u: vector<2xi16>, %c: vector<4xi8>, %m: vector<4xi32>, %n: vector<2xi32>, %o: vector<4xf32>"
)

PAIRS = [
    # the main branch, MLIR 22
    ("nvvm.memory.barrier gpu", "nvvm.memory.barrier <gpu>"),
    ("nvvm.fence.proxy <alias>", "nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}"),
    ("nvvm.fence.proxy <async.shared>, space = <cta>",
     "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}"),
    ("nvvm.fence.sync_restrict <acquire>", "nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}"),
    ("nvvm.cluster.arrive aligned", "nvvm.cluster.arrive {aligned}"),
    ("nvvm.barrier id = %i aligned = true", "nvvm.barrier id = %i"),
    ("nvvm.cp.async.bulk.wait_group 2 read", "nvvm.cp.async.bulk.wait_group 2 {read}"),
    ("nvvm.mbarrier.init %p, %i layout = 0 : !llvm.ptr<3>, i32", "nvvm.mbarrier.init %p, %i : !llvm.ptr<3>, i32"),
    ("%r = nvvm.mbarrier.arrive %p, %i scope = cluster relaxed = true : !llvm.ptr<3> -> i64",
     "%r = nvvm.mbarrier.arrive %p, %i {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<3> -> i64"),
    ("nvvm.cp.async.mbarrier.arrive %g noinc = true : !llvm.ptr",
     "nvvm.cp.async.mbarrier.arrive %g {noinc = true} : !llvm.ptr"),
    ("nvvm.st.bulk %g, size = %l : !llvm.ptr, i64", "nvvm.st.bulk %g, size = %l : !llvm.ptr"),
    ("%r = nvvm.ldmatrix %p, num = 1, layout = <row>, shape = <m = 8, n = 8>, element_type = <b16> : (!llvm.ptr<3>) -> i32",
     "%r = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>,"
     " eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32"),
    ("%r = nvvm.convert.f32x2.to.f16x2 %f, %f random_bits = %i rnd = <rs> : vector<2xf16>",
     "%r = nvvm.convert.f32x2.to.f16x2 %f, %f, %i {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>"),
    ("%r = nvvm.convert.f16x2.to.f8x2 %v relu = true pzo = false : vector<2xf16> -> i16 (f8E4M3FN)",
     "%r = nvvm.convert.f16x2.to.f8x2 %v {relu = true} : vector<2xf16> -> i16 (f8E4M3FN)"),
    ("%r = nvvm.dot.accumulate.2way %u <unsigned>, %c <signed>, %i, b_hi = true : vector<2xi16>, vector<4xi8>",
     "%r = nvvm.dot.accumulate.2way %u <unsigned>, %c <signed>, %i {b_hi = true} : vector<2xi16>, vector<4xi8>"),
    ("nvvm.cp.async.bulk.tensor.reduce %g, %p, box[%i] l2_cache_hint = %l, reduction = add : !llvm.ptr, <3>",
     "nvvm.cp.async.bulk.tensor.reduce %g, %p, box[%i] l2_cache_hint = %l {redKind = #nvvm.tma_redux_kind<add>}"
     " : !llvm.ptr, <3>"),
    ("nvvm.cp.async.bulk.tensor.shared.cluster.global %p, %g, %p, box[%i] mode = tile cta_only = true : !llvm.ptr<3>,"
     " !llvm.ptr",
     "nvvm.cp.async.bulk.tensor.shared.cluster.global %p, %g, %p, box[%i] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr"),
    ("nvvm.tcgen05.alloc %g, %i, group = <cta_2> : !llvm.ptr, i32",
     "nvvm.tcgen05.alloc %g, %i {group = #nvvm.cta_group<cta_2>} : !llvm.ptr, i32"),
    ("nvvm.tcgen05.cp %t, %l, shape = shape_64x128b multicast = warpx2_01_23",
     "nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast ="
     " #nvvm.tcgen05_cp_multicast<warpx2_01_23>}"),
    ("nvvm.tcgen05.mma %t, %l, %l, %i, %b, kind = f16, cta_group = <cta_1> collector_a = fill"
     " : (!llvm.ptr<6>, i64, i64, i32, i1)",
     "nvvm.tcgen05.mma %t, %l, %l, %i, %b {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>,"
     " collectorOp = #nvvm.tcgen05_mma_collectorop<fill>} : (!llvm.ptr<6>, i64, i64, i32, i1)"),
    ("nvvm.tcgen05.mma.ws %t, %l, %l, %i, %b kind = i8 collector_b_buffer = b1 collector_b = use"
     " : (!llvm.ptr<6>, i64, i64, i32, i1)",
     "nvvm.tcgen05.mma.ws %t, %l, %l, %i, %b {kind = #nvvm.tcgen05_mma_kind<i8>,"
     " collectorBBuffer = #nvvm.tcgen05_mma_collectorb<b1>, collectorOp = #nvvm.tcgen05_mma_collectorop<use>}"
     " : (!llvm.ptr<6>, i64, i64, i32, i1)"),
    ("%r = nvvm.mma.block_scale A[%m] B[%n] C[%o] scaleA[%i, %s, %s] scaleB[%i, %s, %s] shape = <m = 16, n = 8, k = 32>,"
     " multiplicand_a_ptx_type = e2m1, multiplicand_b_ptx_type = e2m3, scale_vec_size = x1, block_scale_format = ue8m0,"
     " kind = mxf8f6f4 : (vector<4xi32>, vector<2xi32>, vector<4xf32>) -> !llvm.struct<(vector<4xf32>)>",
     "%r = nvvm.mma.block_scale A[%m] B[%n] C[%o] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {shape = #nvvm.shape<m = 16,"
     " n = 8, k = 32>, multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m3>,"
     " scaleVecSize = #nvvm.scale_vec_size<x1>, blockScaleFormat = #nvvm.block_scale_format<ue8m0>,"
     " kind = #nvvm.block_scale_kind<mxf8f6f4>} : (vector<4xi32>, vector<2xi32>, vector<4xf32>)"
     " -> !llvm.struct<(vector<4xf32>)>"),
]  # fmt: skip


def read(op: str) -> str:
    text = f"llvm.func @f({ARGUMENTS}) {{\n  {op}\n  llvm.return\n}}\n"
    module = parse(text, format="mlir")
    verify(module)
    return str(module)


@pytest.mark.parametrize(("new", "old"), PAIRS, ids=[new.split()[0 if new[0] == "n" else 2] for new, _ in PAIRS])  # fmt: skip
def test_clauses_are_properties(new: str, old: str):
    assert read(new) == read(old)


@pytest.mark.parametrize(
    ("op", "message", "column"),
    [
        ("nvvm.tcgen05.alloc %g, %i, : !llvm.ptr, i32", "expected a clause of the op after the comma", 30),
        ("nvvm.tcgen05.cp %t, %l, shape = shape_1x1b", "[Ee]xpected", 35),
    ],
    ids=["comma", "keyword"],
)  # fmt: skip
def test_other_clauses_are_errors(op: str, message: str, column: int):
    with pytest.raises(DiagnosticError, match=message) as caught:
        read(op)
    assert (caught.value.line, caught.value.column) == (2, column)


@pytest.mark.parametrize(
    ("op", "clause"),
    [
        ("nvvm.barrier id = %i aligned = false", "aligned"),
        ("nvvm.tcgen05.alloc %g, %i, group = <cta_2> exclusive = true : !llvm.ptr, i32", "exclusive"),
    ],
)  # fmt: skip
def test_stock_xdsl_refuses_clauses_that_mlir_22_lacks(op: str, clause: str):
    text = f"llvm.func @f({ARGUMENTS}) {{\n  {op}\n  llvm.return\n}}\n"
    with pytest.raises(ParseError, match=f"of MLIR 22 has no {clause}"):
        Parser(mlir_context(), text).parse_module()
