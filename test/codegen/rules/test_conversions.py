"""Conversions of packed floats: machine code computes the same as the ops, and ptxas accepts it."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

ARCH = "sm_100a"
RN, FINITE = "rnd = #nvvm.fp_rnd_mode<rn>", "sat = #nvvm.sat_mode<satfinite>"
RP = "rnd = #nvvm.fp_rnd_mode<rp>"

FROM_FLOATS = {
    "f8x2": f"nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {FINITE}}} : i16 (f8E4M3FN)",
    "f8x2 bytes": f"nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {FINITE}}} : vector<2xi8> (f8E5M2)",
    "f8x2 relu": f"nvvm.convert.f32x2.to.f8x2 %x, %y {{{RN}, {FINITE}, relu = true}} : i16 (f8E5M2)",
    "scale": f"nvvm.convert.f32x2.to.f8x2 %x, %y {{{RP}, {FINITE}}} : i16 (f8E8M0FNU)",
    "f6x2": "nvvm.convert.f32x2.to.f6x2 %x, %y : vector<2xi8> (f6E2M3FN)",
    "f6x2 relu": "nvvm.convert.f32x2.to.f6x2 %x, %y {relu = true} : i16 (f6E3M2FN)",
    "f4x2": "nvvm.convert.f32x2.to.f4x2 %x, %y : i8 (f4E2M1FN)",
    "f16x2": f"nvvm.convert.f32x2.to.f16x2 %x, %y {{{RN}}} : vector<2xf16>",
    "bf16x2": f"nvvm.convert.f32x2.to.bf16x2 %x, %y {{{RN}, relu = true}} : vector<2xbf16>",
}
FROM_BYTES = {
    "f8x2.to.f16x2": "nvvm.convert.f8x2.to.f16x2 %v : vector<2xi8> (f8E4M3FN) -> vector<2xf16>",
    "f8x2.to.f16x2 relu": "nvvm.convert.f8x2.to.f16x2 %v {relu = true} : vector<2xi8> (f8E5M2) -> vector<2xf16>",
    "f8x2.to.bf16x2": "nvvm.convert.f8x2.to.bf16x2 %v : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>",
    "f6x2.to.f16x2": "nvvm.convert.f6x2.to.f16x2 %v : vector<2xi8> (f6E3M2FN) -> vector<2xf16>",
    "f4x2.to.f16x2": "nvvm.convert.f4x2.to.f16x2 %b : i8 (f4E2M1FN) -> vector<2xf16>",
}


def result_type(op: str) -> str:
    text = op.rsplit("->" if "->" in op else ":", 1)[1].strip()
    # A narrow type follows the result's in brackets.
    return text.rsplit(" (", 1)[0] if text.endswith(")") else text


def kernel(op: str) -> str:
    return f"""
llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
  %j = llvm.getelementptr %i[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
  %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  %x = llvm.load %i : !llvm.ptr<1> -> f32
  %y = llvm.load %j : !llvm.ptr<1> -> f32
  %v = llvm.load %i : !llvm.ptr<1> -> vector<2xi8>
  %b = llvm.load %i : !llvm.ptr<1> -> i8
  %r = {op}
  llvm.store %r, %o : {result_type(op)}, !llvm.ptr<1>
  llvm.return
}}
"""


def inputs(name: str) -> np.ndarray:
    if name in FROM_BYTES:
        return np.arange(64, dtype=np.uint64) * 0x0C05 + 0x2E00
    values = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.3,
        2.75,
        -6.0,
        7.5,
        28.0,
        448.0,
        1e6,
        -1e-3,
        57344.0,
        3.0,
        0.5,
        5.0,
    ]
    return np.array(values * 8, dtype=np.float32)


@pytest.mark.parametrize("name", [*FROM_FLOATS, *FROM_BYTES])
def test_machine_code_computes_the_same_as_the_op(name: str):
    text = kernel({**FROM_FLOATS, **FROM_BYTES}[name])
    found: list[np.ndarray] = []
    for machine in (False, True):
        module = parse(text, format="mlir")
        if machine:
            module = select(module, CodegenOptions.for_arch(ARCH))
        out = np.zeros(64, np.uint32)
        launch(module, "k", 1, 64, [inputs(name), out])
        found.append(out)
    assert (found[0] == found[1]).all()
    assert len(set(found[0].tolist())) > 4
    assemble(compile(text, arch=ARCH), ARCH)


STOCHASTIC = [
    "nvvm.convert.f32x4.to.f8x4 %q, %n : vector<4xf32> -> vector<4xi8> (f8E4M3FN)",
    "nvvm.convert.f32x4.to.f6x4 %q, %n {relu = true} : vector<4xf32> -> vector<4xi8> (f6E3M2FN)",
    "nvvm.convert.f32x4.to.f4x4 %q, %n : vector<4xf32> -> i16 (f4E2M1FN)",
    "nvvm.convert.f32x2.to.f16x2 %x, %x, %n {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>",
    "nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E5M2)",
    f"nvvm.convert.bf16x2.to.f8x2 %k {{{RP}}} : vector<2xbf16> -> vector<2xi8> (f8E8M0FNU)",
]
EVENTS = [
    "nvvm.pmevent id = 5",
    "nvvm.pmevent mask = 255",
    "nvvm.clusterlaunchcontrol.try.cancel %s, %s",
    "nvvm.clusterlaunchcontrol.try.cancel multicast, %s, %s",
]
SELECTOR = "%z = llvm.mlir.constant(0 : i32) : i32\n  "
SPARSE = [
    "nvvm.mma.sp.sync A[%h, %h] B[%h, %h] C[%h, %h] sparseMetadata[%n] selector[%z] "
    "{shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) "
    "-> !llvm.struct<(vector<2xf16>, vector<2xf16>)>",
    "nvvm.mma.sp.sync A[%n, %n] B[%n, %n] C[%n, %n, %n, %n] sparseMetadata[%n] selector[%z] "
    "{intOverflowBehavior = #nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<s8>, "
    "multiplicandBPtxType = #nvvm.mma_type<s8>, orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 32>} "
    ": (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>",
]
SCALED = [
    "nvvm.mma.block_scale A[%n, %n, %n, %n] B[%n, %n] C[%x, %x, %x, %x] scaleA[%n, %m, %m] scaleB[%n, %m, %m] "
    "{blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, "
    "multiplicandAPtxType = #nvvm.mma_type<e4m3>, multiplicandBPtxType = #nvvm.mma_type<e5m2>, "
    "scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} "
    ": (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>",
    "nvvm.mma.sp.block_scale A[%n, %n, %n, %n] B[%n, %n, %n, %n] C[%x, %x, %x, %x] sparseMetadata[%n] "
    "selector[%z] scaleA[%n, %m, %m] scaleB[%n, %m, %m] "
    "{blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf4>, "
    "multiplicandAPtxType = #nvvm.mma_type<e2m1>, multiplicandBPtxType = #nvvm.mma_type<e2m1>, orderedMetadata, "
    "scaleVecSize = #nvvm.scale_vec_size<x2>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} "
    ": (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>",
]  # fmt: skip


def function(body: str) -> str:
    return (
        "llvm.func @f(%x: f32, %n: i32, %m: i16, %q: vector<4xf32>, %h: vector<2xf16>, %k: vector<2xbf16>, "
        f"%s: !llvm.ptr<3>, %o: !llvm.ptr<1>) {{\n  {body}\n  llvm.return\n}}\n"
    )


def stored(op: str) -> str:
    return f"%r = {op}\n  llvm.store %r, %o : {result_type(op)}, !llvm.ptr<1>"


@pytest.mark.parametrize("op", STOCHASTIC)
def test_ptxas_accepts_conversions(op: str):
    assemble(compile(function(stored(op)), arch=ARCH), ARCH, "-c")


@pytest.mark.parametrize("op", EVENTS)
def test_ptxas_accepts_events(op: str):
    assemble(compile(function(op), arch=ARCH), ARCH, "-c")


@pytest.mark.parametrize(
    ("op", "arch"), [(op, "sm_90") for op in SPARSE] + [(op, "sm_120a") for op in SCALED]
)
def test_ptxas_accepts_products(op: str, arch: str):
    assemble(compile(function(SELECTOR + stored(op)), arch=arch), arch, "-c")


def test_sm_120f_has_no_sparse_products_of_4_bit_floats():
    dense, sparse = (function(SELECTOR + stored(op)) for op in SCALED)
    assemble(compile(dense, arch="sm_120f"), "sm_120f", "-c")
    with pytest.raises(DiagnosticError, match=r"kind::mxf4.*sm_120a or sm_121a"):
        compile(sparse, arch="sm_120f")


def test_cancel_requests_are_queried():
    queries = [("is_canceled", "i1"), *((f"get_first_cta_id_{d}", "i32") for d in "xyz")]
    body = "%w = llvm.load %o : !llvm.ptr<1> -> i128"
    for number, (query, type_) in enumerate(queries):
        body += (
            f"\n  %r{number} = nvvm.clusterlaunchcontrol.query.cancel query = {query}, %w : {type_}"
        )
        body += f"\n  llvm.store volatile %r{number}, %o : {type_}, !llvm.ptr<1>"
    ptx = compile(function(body), arch="sm_100")
    for query in ("is_canceled.pred", "get_first_ctaid::x", "get_first_ctaid::z"):
        assert f"clusterlaunchcontrol.query_cancel.{query}" in ptx
    assemble(ptx, "sm_100", "-c")
