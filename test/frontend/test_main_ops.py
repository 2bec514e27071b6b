"""Ops of MLIR's main branch are calls of the intrinsics that `mlir-translate` of main writes for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.replaced_ops import replacement

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ARGUMENTS = (
    "%a: f32, %b: f64, %h: f16, %v: vector<2xf16>, %w: vector<2xbf16>, %f: vector<2xf32>, %d: vector<2xf64>, %x: vector<1xf32>, %s: i16, %i: i32,"
    " %p: !llvm.ptr<3>, %c: !llvm.ptr<7>, %g: !llvm.ptr<1>, %o: !llvm.ptr<1>, %q: vector<2xi8>, %e: i8,"
    " %t: !llvm.ptr<6>, %u: !llvm.ptr<6>, %l: i64, %j: i1, %P: !llvm.ptr, %m: vector<4xi32>, %B: vector<8xi8>"
)

OPS = [
    # the op, its type, the names of intrinsics and ops other than constants
    ("nvvm.sin %a : f32", "f32", "sin.approx.f"),
    ("nvvm.cos %a ftz = true : f32", "f32", "cos.approx.ftz.f"),
    ("nvvm.ex2 %v : vector<2xf16>", "vector<2xf16>", "ex2.approx.v2f16"),
    ("nvvm.ex2 %a ftz = true : f32", "f32", "ex2.approx.ftz.f32"),
    ("nvvm.log2 %a : f32", "f32", "lg2.approx.f"),
    ("nvvm.rsqrt %b : f64", "f64", "rsqrt.approx.d"),
    ("nvvm.sqrt.approx %a : f32", "f32", "sqrt.approx.f"),
    ("nvvm.sqrt %a, rnd = <rm> ftz = true : f32", "f32", "sqrt.rm.ftz.f"),
    ("nvvm.addf %a, %a : f32", "f32", "add.rn.f"),
    ("nvvm.addf %a, %a rnd = <rm> sat = <sat> ftz = true : f32", "f32", "add.rm.ftz.sat.f"),
    ("nvvm.addf %h, %h sat = <sat> : f16", "f16", "fadd.sat.f16 1"),
    ("nvvm.addf %f, %f rnd = <rz> : vector<2xf32>", "vector<2xf32>", "fadd.v2f32 0"),
    ("nvvm.addf %d, %d rnd = <rz> : vector<2xf64>", "vector<2xf64>",
     "llvm.mlir.poison; llvm.extractelement; llvm.extractelement; add.rz.d; llvm.insertelement; llvm.extractelement;"
     " llvm.extractelement; add.rz.d; llvm.insertelement"),
    ("nvvm.addf %f, %f sat = <sat> : vector<2xf32>", "vector<2xf32>",
     "llvm.mlir.poison; llvm.extractelement; llvm.extractelement; add.rn.sat.f; llvm.insertelement; llvm.extractelement;"
     " llvm.extractelement; add.rn.sat.f; llvm.insertelement"),
    ("nvvm.ex2 %x : vector<1xf32>", "vector<1xf32>",
     "llvm.mlir.poison; llvm.extractelement; ex2.approx.f32; llvm.insertelement"),
    ("nvvm.fma %d, %d, %d, rnd = <rp> : vector<2xf64>", "vector<2xf64>",
     "llvm.mlir.poison; llvm.extractelement; llvm.extractelement; llvm.extractelement; fma.rp.d; llvm.insertelement;"
     " llvm.extractelement; llvm.extractelement; llvm.extractelement; fma.rp.d; llvm.insertelement"),
    ("nvvm.subf %a, %a rnd = <rz> : f32", "f32", "llvm.fneg; add.rz.f"),
    ("nvvm.subf %d, %d rnd = <rz> : vector<2xf64>", "vector<2xf64>",
     "llvm.mlir.poison; llvm.extractelement; llvm.extractelement; llvm.fneg; add.rz.d; llvm.insertelement;"
     " llvm.extractelement; llvm.extractelement; llvm.fneg; add.rz.d; llvm.insertelement"),
    ("nvvm.divf %b, %b rnd = <rp> : f64", "f64", "div.rp.d"),
    ("nvvm.divf %a, %a approx = true ftz = true : f32", "f32", "div.approx.ftz.f"),
    ("nvvm.divf %a, %a full = true : f32", "f32", "div.full"),
    ("nvvm.fma %v, %v, %v, rnd = <rn> relu = true : vector<2xf16>", "vector<2xf16>", "fma.rn.relu.f16x2"),
    ("nvvm.fma %h, %h, %h, rnd = <rn> oob = true : f16", "f16", "fma.rn.oob.f16"),
    ("nvvm.fma %f, %f, %f, rnd = <rp> sat = <sat> : vector<2xf32>", "vector<2xf32>",
     "llvm.mlir.poison; llvm.extractelement; llvm.extractelement; llvm.extractelement; fma.rp.sat.f; llvm.insertelement;"
     " llvm.extractelement; llvm.extractelement; llvm.extractelement; fma.rp.sat.f; llvm.insertelement"),
    ("nvvm.convert.bf16x2.to.f4x2 %w relu = true : vector<2xbf16> -> i8 (f4E2M1FN)", "i8",
     "bf16x2.to.e2m1x2.rn.relu.satfinite; llvm.trunc"),
    ("nvvm.convert.f16x2.to.f6x2 %v rnd = <rz> pzo = true : vector<2xf16> -> vector<2xi8> (f6E3M2FN)", "vector<2xi8>",
     "f16x2.to.e3m2x2.rz.satfinite true; llvm.bitcast"),
    ("nvvm.convert.f4x2.to.bf16x2 %e sat = <satfinite> : i8 (f4E2M1FN) -> vector<2xbf16>", "vector<2xbf16>",
     "llvm.zext; e2m1x2.to.bf16x2.rn.satfinite.scale.n2.ue8m0 32639"),
    ("nvvm.convert.f6x2.to.bf16x2 %q scale_factor = %s relu = true : vector<2xi8> (f6E2M3FN) -> vector<2xbf16>",
     "vector<2xbf16>", "llvm.bitcast; e2m3x2.to.bf16x2.rn.relu.scale.n2.ue8m0"),
    ("nvvm.convert.s2f6x2.to.bf16x2 %s scale_factor = %s : i16 -> vector<2xbf16>", "vector<2xbf16>",
     "s2f6x2.to.bf16x2.rn.scale.n2.ue8m0"),
    ("nvvm.convert.bf16x2.to.s2f6x2 %w : vector<2xbf16> -> i16", "i16", "bf16x2.to.s2f6x2.rn.satfinite.scale.n2.ue8m0 32639"),
    ("nvvm.convert.f32x2.to.s2f6x2 %a, %a relu = true : i16", "i16", "ff.to.s2f6x2.rn.relu.satfinite.scale.n2.ue8m0 32639"),
    ("nvvm.movmatrix %i, shape = <m = 8, n = 8>, element_type = <b16>, layout = <col> : i32", "i32",
     "movmatrix.sync.aligned.m8n8.trans.b16"),
    ("nvvm.mbarrier.check_layout %p layout = 1 : !llvm.ptr<3> -> i1", "i1", "mbarrier.check.layout.p3 1"),
    ("nvvm.mbarrier.check_layout %p, 1 : !llvm.ptr<3> -> i1", "i1", "mbarrier.check.layout.p3 1"),
    ("nvvm.store.async.shared %c, %i, mbarrier = %c : !llvm.ptr<7>, i32, !llvm.ptr<7>", "", "st.async.i32"),
    ("nvvm.store.async.global %g, %i scope = gpu multimem = true : !llvm.ptr<1>, i32", "", "st.async.gpu.i32 true"),
    ("nvvm.store.async.global %g, %i scope = sys mmio = true : !llvm.ptr<1>, i32", "", "st.async.mmio.sys.i32"),
    ("nvvm.barrier.reduction #nvvm.reduction<and> %i id = %i -> i32", "i32",
     "llvm.icmp; barrier.cta.red.and.aligned.all; llvm.zext"),
    ("nvvm.tcgen05.ld.red min %t shape = shape_32x32b abs nan : vector<2xf32>, f32", "vector<2xf32>",
     "tcgen05.ld.red.32x32b.x2.f32 true; llvm.extractvalue; llvm.extractvalue"),
    ("nvvm.tcgen05.ld.red max %t, %K shape = shape_16x32bx2 : vector<4xi32>, i32", "vector<4xi32>",
     "tcgen05.ld.red.16x32bx2.x4.i32 1; llvm.extractvalue; llvm.extractvalue"),
    ("nvvm.tcgen05.mma.decompress_b %t, %l, %l, %i, %j, %u cta_group = <cta_1>"
     " : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>)", "", "tcgen05.mma.shared.f8f6f4.decompress_b 0"),
    ("nvvm.tcgen05.mma.decompress_b %t, %u, %l, %i, %j, %u, mask = %m cta_group = <cta_1> collector_a = fill"
     " collector_b = use : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)", "",
     "tcgen05.mma.tensor.f8f6f4.disable_output_lane.cg1.decompress_b 3"),
    ("nvvm.tcgen05.mma.block_scale.decompress_b %t, %u, %l, %i, %j, %t, %u, %t cta_group = <cta_2> block_scale = block32"
     " collector_b = lastuse : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)", "",
     "tcgen05.mma.tensor.mxf8f6f4.block_scale.block32.decompress_b 1"),
    ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i, %i] : !llvm.ptr, <3>, <1>", "",
     "cp.async.bulk.tensor.s2g.tile.override.addr.2d false"),
    ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i, %i, %i, %i, %i] mode = tile_scatter4"
     " : !llvm.ptr, <3>, <1>", "", "cp.async.bulk.tensor.s2g.tile.scatter4.override.addr.2d false"),
    ("nvvm.cp.async.bulk.tensor.reduce.override %P, %p, %g, box[%i, %i] tensor_size[%s, %s] lower_stride[%i]"
     " upper_stride[%s] l2_cache_hint = %l, reduction = min : !llvm.ptr, <3>, <1>", "",
     "cp.async.bulk.tensor.reduce.tile.override.addr.dim.stride.2d true"),
    ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i] tensor_size[%s] : !llvm.ptr, <3>, <1>", "",
     "cp.async.bulk.tensor.s2g.tile.override.addr.dim.1d false"),
    ("nvvm.cp.async.bulk.tensor.reduce.override %P, %p, %g, box[%i, %i, %i], reduction = add mode = im2col_w"
     " : !llvm.ptr, <3>, <1>", "", "cp.async.bulk.tensor.reduce.im2col.w.override.addr.3d false"),
    ("nvvm.tensormap.replace field = global_address, new_value = %l in %g : !llvm.ptr<1>, i64", "",
     "tensormap.replace.global.address.p1"),
    ("nvvm.tensormap.replace field = box_dim[3], new_value = %i in %p : !llvm.ptr<3>, i32", "",
     "tensormap.replace.box.dim.p3"),
    ("nvvm.tensormap.replace field = elemtype, new_value = #nvvm.tensormap_elemtype<f32.ftz> in %g : !llvm.ptr<1>", "",
     "tensormap.replace.elemtype.p1 8"),
    ("nvvm.sparse.compress %i, %B idx_size = 2 : i32, vector<8xi8> -> i32, vector<4xi8>", "i32",
     "spcompress.i32.v4i8.v8i8 4; llvm.extractvalue; llvm.extractvalue"),
    ("nvvm.sparse.decompress %i, %q idx_size = 2 num_tgt = 4 : i32, vector<2xi8> -> vector<4xi8>", "vector<4xi8>",
     "spdecompress.v4i8.i32.v2i8 4"),
    ("nvvm.barrier.reduction #nvvm.reduction<popc> %i -> i32 aligned = false", "i32",
     "llvm.icmp; barrier.cta.red.popc.all"),
]  # fmt: skip


def module_of(op: str, type_: str) -> str:
    result = "%r:2" if op.startswith(("nvvm.tcgen05.ld.red", "nvvm.sparse.compress")) else "%r"
    used = f"{result} = {op}\n  llvm.store %r, %o : {type_}, !llvm.ptr<1>" if type_ else op
    offset = "%K = llvm.mlir.constant(2 : i64) : i64\n  " if "%K" in op else ""
    return f"llvm.func @f({ARGUMENTS}) {{\n  {offset}{used}\n  llvm.return\n}}\n"


@pytest.mark.parametrize(
    ("op", "type_", "wanted"), OPS, ids=[op.split(" :")[0] for op, _, _ in OPS]
)
def test_calls(op: str, type_: str, wanted: str):
    assert replacement(module_of(op, type_)) == wanted


@needs_ptxas
def test_ptxas_accepts_them():
    release = release_of(find_ptxas() or Path())
    if release is None or release.newest_ptx < 94:
        pytest.skip("this ptxas is older than PTX 9.4")
    text = "\n".join(
        module_of(op, type_).replace("@f(", f"@f{number}(")
        for number, (op, type_, _) in enumerate(OPS)
    )
    options = CompileOptions("sm_107a", opt_level=0, rdc=True)
    assemble(compile_here(text, format="mlir", options=options), "sm_107a", "-O0", "-c")


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("nvvm.addf %a, %a rnd = <rna> : f32", "rounding mode rna is not one of"),
        ("nvvm.addf %a, %a sat = <satfinite> : f32", "saturation satfinite is not supported, only sat"),
        ("nvvm.fma %h, %h, %h, rnd = <rn> sat = <satfinite> : f16", "saturation satfinite is not supported"),
        ("nvvm.fma %h, %h, %h, rnd = <rn> ftz = true oob = true : f16", "oob excludes ftz and sat"),
        ("nvvm.fma %h, %h, %h, rnd = <rn> sat = <sat> oob = true : f16", "oob excludes ftz and sat"),
        ("nvvm.fma %h, %h, %h, rnd = <rz> oob = true : f16", "f16 has rounding mode rn only"),
        ("nvvm.fma %a, %a, %a, rnd = <none> : f32", "a rounding mode is required"),
        ("nvvm.fma %a, %a, %a, rnd = <rn> relu = true : f32", "relu and oob require f16 or bf16"),
        ("nvvm.fma %h, %h, %h, rnd = <rn> sat = <sat> relu = true : f16", "relu and sat exclude each other"),
        ("nvvm.addf %h, %h rnd = <rz> : f16", "f16 has rounding mode rn only"),
        ("nvvm.addf %b, %b ftz = true : f64", "f64 has neither ftz nor sat"),
        ("nvvm.addf %w, %w sat = <sat> : vector<2xbf16>", "has neither ftz nor sat"),
        ("nvvm.sqrt %a, rnd = <none> : f32", "a rounding mode is required"),
        ("nvvm.sqrt %b, rnd = <rn> ftz = true : f64", "f64 has neither ftz nor sat"),
        ("nvvm.divf %a, %a : f32", "a rounding mode is required"),
        ("nvvm.divf %a, %a approx = true full = true : f32", "approx and full exclude each other"),
        ("nvvm.divf %a, %a rnd = <rn> approx = true : f32", "without a rounding mode"),
        ("nvvm.divf %b, %b full = true : f64", "approx and full require f32"),
        ("nvvm.sin %b : f64", "got f64"),
        ("nvvm.ex2 %v ftz = true : vector<2xf16>", "f16 has no ftz"),
        ("nvvm.ex2 %w : vector<2xbf16>", "bf16 requires ftz"),
        ("nvvm.convert.f16x2.to.f4x2 %v rnd = <rp> : vector<2xf16> -> i8 (f4E2M1FN)", "must be rn or rz"),
        ("nvvm.mbarrier.check_layout %p layout = 2 : !llvm.ptr<3> -> i1", "the layout must be 0 or 1"),
        ("nvvm.store.async.shared %c, %s, mbarrier = %c : !llvm.ptr<7>, i16, !llvm.ptr<7>", "got i16"),
        ("nvvm.store.async.global %g, %i scope = cta : !llvm.ptr<1>, i32", "must be gpu or sys, not cta"),
        ("nvvm.store.async.global %g, %i scope = gpu mmio = true : !llvm.ptr<1>, i32", "mmio requires scope sys"),
        ("nvvm.store.async.global %g, %i scope = sys multimem = true mmio = true : !llvm.ptr<1>, i32", "without multimem"),
        ("nvvm.tcgen05.mma.block_scale.decompress_b %t, %u, %l, %i, %j, %t, %u, %t cta_group = <cta_2> block_scale = block16"
         " : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)", "no blocks of 16"),
        ("nvvm.convert.f4x2.to.bf16x2 %e sat = <sat> : i8 (f4E2M1FN) -> vector<2xbf16>", "only satfinite"),
        ("nvvm.convert.s2f6x2.to.bf16x2 %s sat = <sat> : i16 -> vector<2xbf16>", "only satfinite"),
        ("nvvm.convert.bf16x2.to.f4x2 %w : vector<2xbf16> -> i8 (f8E4M3FN)", "f8E4M3FN is not one of f4E2M1FN"),
        ("nvvm.movmatrix %i, shape = <m = 8, n = 8>, element_type = <b16>, layout = <row> : i32", "layout = <col>"),
        ("nvvm.tcgen05.mma.decompress_b %t, %l, %l, %i, %j, %u, mask = %m cta_group = <cta_2>"
         " : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)", "mask of cta_2 has 8 words"),
        ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i] mode = im2col : !llvm.ptr, <3>, <1>",
         "mode im2col cannot have 1 coordinates"),
        ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i, %i] tensor_size[%s, %s] : !llvm.ptr, <3>, <1>",
         "2 coordinates require 2 sizes, 1 lower strides and the upper stride"),
        ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i] tensor_size[%s] upper_stride[%s]"
         " : !llvm.ptr, <3>, <1>", "one coordinate requires one size without strides"),
        ("nvvm.cp.async.bulk.tensor.global.shared.cta.override %P, %p, %g, box[%i, %i, %i] tensor_size[%s, %s, %s]"
         " mode = im2col : !llvm.ptr, <3>, <1>", "only mode tile has sizes and strides"),
        ("nvvm.cp.async.bulk.tensor.reduce.override %P, %p, %g, box[%i, %i, %i, %i, %i], reduction = add"
         " mode = tile_scatter4 : !llvm.ptr, <3>, <1>", "a reduction has no mode tile_scatter4"),
        ("nvvm.tensormap.replace field = rank[1], new_value = %i in %g : !llvm.ptr<1>, i32", "rank has no dimension"),
        ("nvvm.tensormap.replace field = box_dim[5], new_value = %i in %g : !llvm.ptr<1>, i32", "from 0 to 4"),
        ("nvvm.tensormap.replace field = rank, new_value = %l in %g : !llvm.ptr<1>, i64", "value of type i32"),
        ("nvvm.tensormap.replace field = elemtype, new_value = #nvvm.tensormap_fill_mode<zero> in %g : !llvm.ptr<1>",
         "elemtype requires a value #nvvm.tensormap_elemtype"),
    ],
)  # fmt: skip
def test_invalid_ops_are_errors(op: str, message: str):
    text = module_of(op, "")
    if not op.startswith(("nvvm.tcgen05.mma", "nvvm.cp.async", "nvvm.tensormap", "nvvm.store")):
        text = text.replace("nvvm.", "%r = nvvm.", 1)
    with pytest.raises(DiagnosticError, match=message) as caught:
        parse(text, format="mlir", locations=True)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("min %t shape = shape_32x32b : vector<2xi32>, f32", "the types of the data and of the reduced value differ"),
        ("min %t shape = shape_32x32b abs : vector<2xi32>, i32", "abs and nan require data of f32"),
        ("min %t shape = shape_16x64b : vector<2xi32>, i32", "the shape must be shape_32x32b or"),
        ("min %t shape = shape_16x32bx2 : vector<2xi32>, i32", "only shape_16x32bx2 has an offset"),
        ("min %t, %l shape = shape_32x32b : vector<2xi32>, i32", "only shape_16x32bx2 has an offset"),
    ],
)  # fmt: skip
def test_invalid_reduced_loads_are_errors(op: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        parse(module_of(f"nvvm.tcgen05.ld.red {op}", "vector<2xi32>"), format="mlir")
