"""Clauses that MLIR's main branch added to ops of MLIR 22 become the calls that `mlir-translate` of main writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.replaced_ops import replacement

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ARGUMENTS = (
    "%P: !llvm.ptr, %p: !llvm.ptr<3>, %t: !llvm.ptr<6>, %u: !llvm.ptr<6>, %i: i32, %n: i32, %l: i64, %b: i1, %s: i16,"
    " %C: !llvm.ptr<7>, %f: f32, %v: vector<2xf16>, %w: vector<2xbf16>, %c: vector<2xi8>, %m: vector<4xi32>, %o: !llvm.ptr<1>"
)

PRODUCT = "(!llvm.ptr<6>, i64, i64, i32, i1"
TENSOR = "(!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1"

EXTENDED = [
    # the op, the type of its result, the ops other than constants
    ("nvvm.barrier aligned = false", "", "barrier.cta.sync.all 0"),
    ("nvvm.barrier id = %i aligned = false", "", "barrier.cta.sync.all"),
    ("nvvm.barrier id = %i number_of_threads = %n aligned = false", "", "barrier.cta.sync.count"),
    ("nvvm.barrier.arrive number_of_threads = %n aligned = false", "", "barrier.cta.arrive.count"),
    ("nvvm.mbarrier.init %p, %i layout = 1 : !llvm.ptr<3>, i32", "", "mbarrier.init.p3 1"),
    ("nvvm.mbarrier.init %P, %i layout = 1 : !llvm.ptr, i32", "", "mbarrier.init.p0 1"),
    ("nvvm.mbarrier.init %p, %i layout = 1, predicate = %b : !llvm.ptr<3>, i32, i1", "", "llvm.inline_asm"),
    ("nvvm.mbarrier.init %P, %i layout = 1, predicate = %b : !llvm.ptr, i32, i1", "", "llvm.inline_asm"),
    ("nvvm.mbarrier.arrive %C multicast = %n : !llvm.ptr<7>", "", "mbarrier.arrive.scope.cta.space.cluster true"),
    ('"nvvm.mbarrier.arrive"(%C, %i, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!llvm.ptr<7>, i32, i32) -> ()', "",
     "mbarrier.arrive.scope.cta.space.cluster true"),
    ("nvvm.mbarrier.arrive_drop %C, %i multicast = %n scope = cluster relaxed = true : !llvm.ptr<7>", "",
     "mbarrier.arrive.drop.relaxed.scope.cluster.space.cluster true"),
    ("nvvm.mbarrier.arrive.expect_tx %C, %i multicast = %n : !llvm.ptr<7>, i32, i32", "",
     "mbarrier.arrive.expect.tx.scope.cta.space.cluster true"),
    ("nvvm.mbarrier.arrive_drop.expect_tx %C, %i multicast = %n : !llvm.ptr<7>, i32, i32", "",
     "mbarrier.arrive.drop.expect.tx.scope.cta.space.cluster true"),
    ("nvvm.mbarrier.expect_tx %C, %i multicast = %n {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>, i32, i32", "",
     "mbarrier.expect.tx.scope.cluster.space.cluster true"),
    ("nvvm.mbarrier.complete_tx %C, %i multicast = %n : !llvm.ptr<7>, i32, i32", "",
     "mbarrier.complete.tx.scope.cta.space.cluster true"),
    ("nvvm.tcgen05.alloc %P, %i exclusive = true : !llvm.ptr, i32", "", "tcgen05.alloc.cg1.p0 true"),
    ("nvvm.tcgen05.alloc %p, %i, group = <cta_2> exclusive = true : !llvm.ptr<3>, i32", "", "tcgen05.alloc.cg2.p3 true"),
    ("nvvm.tcgen05.dealloc %t, %i exclusive = true : !llvm.ptr<6>, i32", "", "tcgen05.dealloc.cg1 true"),
    ("nvvm.tcgen05.commit %P smem_a_read = true : !llvm.ptr", "", "tcgen05.commit.smem.a.read.cg1.p0"),
    ("nvvm.tcgen05.commit %p, multicast_mask = %s group = <cta_2> smem_a_read = true : !llvm.ptr<3>, i16", "",
     "tcgen05.commit.smem.a.read.mc.cg2.p3.i16"),
    ("nvvm.tcgen05.commit %P, multicast_mask = %i : !llvm.ptr, i32", "", "tcgen05.commit.mc.cg1.p0.i32"),
    (f"nvvm.tcgen05.mma %t, %l, %l, %i, %b, kind = f16, cta_group = <cta_2> collector_b = use : {PRODUCT})", "",
     "tcgen05.mma.shared 3"),
    (f"nvvm.tcgen05.mma %t, %u, %l, %i, %b mask = %m, kind = tf32, cta_group = <cta_1> collector_b = fill a_shift"
     f" : {TENSOR}, vector<4xi32>)", "", "tcgen05.mma.tensor.disable_output_lane.cg1.ashift 2"),
    (f"nvvm.tcgen05.mma.sp %t, %u, %l, %i, %b, %u scale = %K, kind = tf32, cta_group = <cta_1> collector_b = lastuse"
     f" : {TENSOR}, !llvm.ptr<6>, i64)", "", "tcgen05.mma.sp.tensor.scale_d 1"),
    (f"nvvm.tcgen05.mma %t, %l, %l, %i, %b, kind = ti16, cta_group = <cta_1> : {PRODUCT})", "", "tcgen05.mma.shared 0"),
    (f"nvvm.tcgen05.mma.block_scale %t, %l, %l, %i, %b, %t, %u, kind = mxf4nvf4, cta_group = <cta_1>"
     f" block_scale = block16 collector_b = use : {PRODUCT}, !llvm.ptr<6>, !llvm.ptr<6>)", "",
     "tcgen05.mma.shared.mxf4nvf4.block_scale.block16 3"),
    (f"nvvm.tcgen05.mma.sp.block_scale %t, %u, %l, %i, %b, %u, %t, %u, kind = mxf8f6f4, cta_group = <cta_2>"
     f" collector_a = fill collector_b = use : {TENSOR}, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)", "",
     "tcgen05.mma.sp.tensor.mxf8f6f4.block_scale 3"),
    ("nvvm.cp.async.bulk.tensor.global.shared.cta %P, %p, box[%i, %i, %i] mode = im2col_w : !llvm.ptr, <3>", "",
     "cp.async.bulk.tensor.s2g.im2col.w.3d false"),
    ("nvvm.cp.async.bulk.tensor.reduce %P, %p, box[%i, %i, %i, %i] l2_cache_hint = %l, reduction = max mode = im2col_w"
     " : !llvm.ptr, <3>", "", "cp.async.bulk.tensor.reduce.im2col.w.4d true"),
    ("nvvm.convert.f32x2.to.f4x2 %f, %f pzo = true : i8 (f4E2M1FN)", "i8", "ff.to.e2m1x2.rn.satfinite true; llvm.trunc"),
    ("nvvm.convert.f32x2.to.f6x2 %f, %f rnd = <rz> relu = true : vector<2xi8> (f6E3M2FN)", "vector<2xi8>",
     "ff.to.e3m2x2.rz.relu.satfinite; llvm.bitcast"),
    ("nvvm.convert.f16x2.to.f8x2 %v rnd = <rz> : vector<2xf16> -> i16 (f8E4M3FN)", "i16", "f16x2.to.e4m3x2.rz"),
    ("nvvm.convert.f32x2.to.f8x2 %f, %f rnd = <rz> sat = <satfinite> relu = true pzo = true : i16 (f8E5M2)", "i16",
     "ff.to.e5m2x2.rz.relu true"),
    ("nvvm.convert.bf16x2.to.f8x2 %w rnd = <rn> sat = <satfinite> relu = true : vector<2xbf16> -> i16 (f8E4M3FN)", "i16",
     "bf16x2.to.e4m3x2.rn.relu.satfinite"),
    ("nvvm.convert.f8x2.to.bf16x2 %c : vector<2xi8> (f8E5M2) -> vector<2xbf16>", "vector<2xbf16>",
     "llvm.bitcast; e5m2x2.to.bf16x2.rn.scale.n2.ue8m0 32639"),
    ("nvvm.convert.f8x2.to.bf16x2 %c scale_factor = %s sat = <satfinite> relu = true : vector<2xi8> (f8E4M3FN)"
     " -> vector<2xbf16>", "vector<2xbf16>", "llvm.bitcast; e4m3x2.to.bf16x2.rn.relu.satfinite.scale.n2.ue8m0"),
]  # fmt: skip

EARLIER = [
    # the same without the addition, an op of MLIR 22
    ("nvvm.barrier id = %i aligned = true", "", "nvvm.barrier"),
    ("nvvm.barrier.arrive number_of_threads = %n", "", "nvvm.barrier.arrive"),
    ("nvvm.mbarrier.init %p, %i layout = 0 : !llvm.ptr<3>, i32", "", "nvvm.mbarrier.init"),
    ("nvvm.mbarrier.arrive %p, %i : !llvm.ptr<3>", "", "nvvm.mbarrier.arrive"),
    ('"nvvm.mbarrier.arrive"(%p, %i) : (!llvm.ptr<3>, i32) -> ()', "", "nvvm.mbarrier.arrive"),
    ('"nvvm.mbarrier.arrive_drop"(%p) : (!llvm.ptr<3>) -> ()', "", "nvvm.mbarrier.arrive_drop"),
    ("nvvm.mbarrier.arrive.expect_tx %p, %i, predicate = %b : !llvm.ptr<3>, i32, i1", "", "nvvm.mbarrier.arrive.expect_tx"),
    ('"nvvm.mbarrier.arrive.expect_tx"(%p, %i, %b) : (!llvm.ptr<3>, i32, i1) -> ()', "", "nvvm.mbarrier.arrive.expect_tx"),
    ("nvvm.tcgen05.alloc %P, %i exclusive = false : !llvm.ptr, i32", "", "nvvm.tcgen05.alloc"),
    ("nvvm.tcgen05.commit %P, multicast_mask = %s smem_a_read = false : !llvm.ptr, i16", "", "nvvm.tcgen05.commit"),
    (f"nvvm.tcgen05.mma %t, %l, %l, %i, %b, kind = f16, cta_group = <cta_2> collector_b = discard : {PRODUCT})", "",
     "nvvm.tcgen05.mma"),
    ("nvvm.cp.async.bulk.tensor.global.shared.cta %P, %p, box[%i] mode = tile : !llvm.ptr, <3>", "",
     "nvvm.cp.async.bulk.tensor.global.shared.cta"),
    ("nvvm.convert.f32x2.to.f4x2 %f, %f rnd = <rn> pzo = false : i8 (f4E2M1FN)", "i8", "nvvm.convert.f32x2.to.f4x2"),
    ("nvvm.convert.bf16x2.to.f8x2 %w rnd = <rp> sat = <satfinite> : vector<2xbf16> -> i16 (f8E8M0FNU)", "i16",
     "nvvm.convert.bf16x2.to.f8x2"),
    ("nvvm.convert.f8x2.to.bf16x2 %c : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>", "vector<2xbf16>",
     "nvvm.convert.f8x2.to.bf16x2"),
]  # fmt: skip


def module_of(op: str, type_: str) -> str:
    used = f"%r = {op}\n  llvm.store %r, %o : {type_}, !llvm.ptr<1>" if type_ else op
    scale = "%K = llvm.mlir.constant(2 : i64) : i64\n  " if "%K" in op else ""
    return f"llvm.func @f({ARGUMENTS}) {{\n  {scale}{used}\n  llvm.return\n}}\n"


def _id(op: str) -> str:
    return op.split(" :")[0]


@pytest.mark.parametrize(
    ("op", "type_", "wanted"), [*EXTENDED, *EARLIER], ids=[_id(op) for op, _, _ in (*EXTENDED, *EARLIER)]
)  # fmt: skip
def test_ops(op: str, type_: str, wanted: str):
    assert replacement(module_of(op, type_)) == wanted


@needs_ptxas
def test_ptxas_accepts_them():
    release = release_of(find_ptxas() or Path())
    if release is None or release.newest_ptx < 94:
        pytest.skip("this ptxas is older than PTX 9.4")
    text = "\n".join(
        module_of(op, type_).replace("@f(", f"@f{number}(")
        for number, (op, type_, _) in enumerate((*EXTENDED, *EARLIER))
    )
    options = CompileOptions("sm_107a", opt_level=0, rdc=True)
    assemble(compile_here(text, format="mlir", options=options), "sm_107a", "-O0", "-c")


@pytest.mark.parametrize(
    ("predicated", "wanted"),
    [
        ("%p, %i layout = 1, predicate = %b : !llvm.ptr<3>, i32, i1", "@%p1 mbarrier.init.layout::v1.shared.b64 "),
        ("%P, %i layout = 1, predicate = %b : !llvm.ptr, i32, i1", "@%p1 mbarrier.init.layout::v1.b64 "),
    ],
    ids=["shared", "generic"],
)  # fmt: skip
def test_a_predicated_initialization_keeps_its_layout(predicated: str, wanted: str):
    text = module_of(f"nvvm.mbarrier.init {predicated}", "")
    ptx = compile_here(text, format="mlir", options=CompileOptions("sm_107a"))
    assert wanted in ptx


@pytest.mark.parametrize("stated", ["", "memory_clobber = true ", "memory_clobber = false "])
def test_inline_ptx_always_clobbers_memory(stated: str):
    text = module_of(f'nvvm.inline_ptx "bar.sync 0;" {stated}, predicate = %b', "")
    assert '"b,~{memory}"' in str(parse(text, format="mlir"))


def test_the_attributes_of_an_op_are_kept():
    text = module_of('nvvm.tcgen05.alloc %P, %i {note = "kept"} : !llvm.ptr, i32', "")
    assert 'note = "kept"' in str(parse(text, format="mlir"))


@pytest.mark.parametrize(
    ("op", "message"),
    [
        ("nvvm.barrier #nvvm.reduction<and> %n -> i32 aligned = false", "requires nvvm.barrier.reduction"),
        ("nvvm.mbarrier.init %p, %i layout = 2 : !llvm.ptr<3>, i32", "the layout must be 0 or 1"),
        ("nvvm.mbarrier.arrive %p, %i multicast = %n : !llvm.ptr<3>", "multicast requires a pointer to the cluster's"),
        ("nvvm.mbarrier.arrive %C multicast = %n : !llvm.ptr<7> -> i64", "returns no value"),
        ("nvvm.mbarrier.expect_tx %C, %i multicast = %n scope = gpu : !llvm.ptr<7>, i32, i32", "cta or cluster, not gpu"),
        ("nvvm.mbarrier.arrive.expect_tx %C, %i, predicate = %b multicast = %n : !llvm.ptr<7>, i32, i1, i32",
         "multicast and predicate exclude"),
        ("nvvm.tcgen05.alloc %P, %i random_bits = %i : !llvm.ptr, i32", "Expected"),
        (f"nvvm.tcgen05.mma %t, %l, %l, %i, %b mask = %m, kind = f16, cta_group = <cta_2> collector_b = use : {PRODUCT},"
         " vector<4xi32>)", "has 8 words, not 4"),
        (f"nvvm.tcgen05.mma %t, %l, %l, %i, %b, kind = ti32, cta_group = <cta_2> : {PRODUCT})", "[Ee]xpected"),
        (f"nvvm.tcgen05.mma.block_scale %t, %l, %l, %i, %b, %t, %u, kind = mxf4nvf4, cta_group = <cta_1>"
         f" collector_b = use : {PRODUCT}, !llvm.ptr<6>, !llvm.ptr<6>)", "mxf4nvf4 needs a block scale"),
        ("nvvm.cp.async.bulk.tensor.global.shared.cta %P, %p, box[%i, %i] mode = im2col_w : !llvm.ptr, <3>",
         "im2col_w needs at least 3 coordinates"),
        ("nvvm.cp.async.bulk.tensor.reduce %P, %p, box[%i, %i], reduction = max mode = im2col_w : !llvm.ptr, <3>",
         "im2col_w needs at least 3 coordinates"),
        ("nvvm.convert.f32x2.to.f4x2 %f, %f rnd = <rp> : i8 (f4E2M1FN)", "takes rnd rn or rz, not rp"),
        ("nvvm.convert.f32x2.to.f6x2 %f, %f rnd = <rs> : i16 (f6E3M2FN)", "takes rnd rn or rz, not rs"),
        ("nvvm.convert.f16x2.to.f8x2 %v rnd = <rm> : vector<2xf16> -> i16 (f8E4M3FN)", "takes rnd rn or rz, not rm"),
        ("nvvm.convert.f16x2.to.f8x2 %v pzo = true : vector<2xf16> -> i16 (f8E8M0FNU)", "not f8E8M0FNU"),
        ("nvvm.convert.f32x2.to.f8x2 %f, %f rnd = <rp> sat = <satfinite> : i16 (f8E5M2)", "takes rnd rn or rz, not rp"),
        ("nvvm.convert.f32x2.to.f8x2 %f, %f rnd = <rz> : i16 (f8E5M2)", "takes sat satfinite, not none"),
        ("nvvm.convert.f32x2.to.f8x2 %f, %f rnd = <rn> : i16 (f8E8M0FNU)", "takes rnd rz or rp, not rn"),
        ("nvvm.convert.f32x2.to.f8x2 %f, %f rnd = <rz> : i16 (f4E2M1FN)", "not f4E2M1FN"),
        ("nvvm.convert.bf16x2.to.f8x2 %w rnd = <rz> pzo = true : vector<2xbf16> -> i16 (f8E8M0FNU)", "no pzo"),
        ("nvvm.convert.bf16x2.to.f8x2 %w rnd = <rz> relu = true : vector<2xbf16> -> i16 (f8E8M0FNU)", "no relu"),
        ("nvvm.convert.f8x2.to.bf16x2 %c scale_factor = %s : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>", "has no scale_factor"),
        ("nvvm.convert.f8x2.to.bf16x2 %c relu = true : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>", "no relu"),
        ("nvvm.convert.f8x2.to.bf16x2 %c sat = <satfinite> : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>", "takes sat none"),
        ("nvvm.convert.f8x2.to.bf16x2 %c : vector<2xi8> (f6E3M2FN) -> vector<2xbf16>", "not f6E3M2FN"),
    ],
)  # fmt: skip
def test_errors(op: str, message: str):
    text = module_of(op, "").replace(
        f"  {op}", f"  %r = {op}" if " -> " in op or "convert" in op else f"  {op}"
    )
    with pytest.raises(DiagnosticError, match=message):
        verify(parse(text, format="mlir"))
