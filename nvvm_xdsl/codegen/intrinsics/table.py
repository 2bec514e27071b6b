"""PTX of each `llvm.nvvm.*` intrinsic: one line of text per family.

A row contains an intrinsic's name (without `llvm.nvvm.`) and its PTX instruction. In both,
`{group}` is replaced by each spelling in `GROUPS`, so that one row defines all variants. In the
instruction `$n` is argument n as a register or an immediate, `[$n]` an address, `!n` an argument
that must be a constant, `<space n>` the state space of pointer argument n as a modifier, `<type n>`
the bit type of argument n and `<type>` that of the result. Results are implicit: registers for the
values that the intrinsic returns.

Facts: the PTX ISA 9.5, chapter 9.7, and the definitions of IntrinsicsNVVM.td of LLVM 22 and its main branch.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from string import Formatter

_EMPTY_OR = {
    "ftz": ".ftz",
    "sat": ".sat",
    "relu": ".relu",
    "satfinite": ".satfinite",
    "xorsign": ".xorsign.abs",
    "trans": ".trans",
}

GROUPS: dict[str, tuple[tuple[str, str], ...]] = {
    **{name: (("", ""), (text, text)) for name, text in _EMPTY_OR.items()},
    "nan": (("", ""), (".nan", ".NaN")),
    "rnd": tuple((r, r) for r in ("rn", "rz", "rm", "rp")),
    # Conversions from floating point to an integer or an integral value round with ".rXi".
    "rndi": tuple((r, r + "i") for r in ("rn", "rz", "rm", "rp")),
    "fp": (("f", "f32"), ("d", "f64")),
    "half": tuple((t, t) for t in ("f16", "f16x2", "bf16", "bf16x2")),
    "f16s": tuple((t, t) for t in ("f16", "f16x2")),
    "f16v": (("f16", "f16"), ("v2f16", "f16x2")),
    "bf16s": tuple((t, t) for t in ("bf16", "bf16x2")),
    "fminmax": (("fmin", "min"), ("fmax", "max")),
    "int": (("i", "s32"), ("ui", "u32"), ("ll", "s64"), ("ull", "u64")),
    "int16": (("s", "s16"), ("us", "u16")),
    "scope": tuple((s, s) for s in ("cta", "sys")),
    "mode": tuple((m, m) for m in ("bfly", "down", "idx", "up")),
    "word": (("i32", "b32"), ("f32", "b32")),
    "align": (("", ""), (".aligned", ".aligned")),
    "dot": (("s", "s32"), ("u", "u32")),
    "dot2": (("s", "s32"), ("u", "u32")),
    "bitmask": (("clamp", "clamp"), ("wrap", "wrap")),
    "redop": tuple((o, o) for o in ("add", "and", "or", "xor")),
    "prmt3": tuple((m, m) for m in ("b4e", "f4e")),
    "prmt2": tuple((m, m) for m in ("ecl", "ecr", "rc8", "rc16")),
    "num": tuple((n, n) for n in ("x1", "x2", "x4")),
    "ca_size": (("4", "4"), ("8", "8"), ("16", "16")),
    "shared": (("", ""), (".shared", ".shared")),
    "sem": (("", ""), (".relaxed", ".relaxed")),
    "bscope": tuple((s, s) for s in ("cta", "cluster")),
    "pspace": (("const", "const"), ("global", "global"), ("local", "local")),
    "drop": (("", ""), (".drop", "_drop")),
    "wait": (("test", "test"), ("try", "try")),
    "dims": tuple((d, d) for d in ("x", "y", "z")),
    "cscope": (("cta", "cta"), ("cluster", "cluster"), ("gpu", "gpu"), ("sys", "sys")),
    "level": (("L1", "L1"), ("L2", "L2")),
    "fmode": (("", ""), (".abs", ".abs"), (".NaN", ".NaN"), (".abs.NaN", ".abs.NaN")),
    "fp8": (("e4m3x2", "e4m3x2"), ("e5m2x2", "e5m2x2")),
    "fp6": (("e2m3x2", "e2m3x2"), ("e3m2x2", "e3m2x2")),
    "wide": (("f16x2", "f16x2"), ("bf16x2", "bf16x2")),
    "rnz": (("rn", "rn"), ("rz", "rz")),
    "narrow": tuple((t, t) for t in ("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2")),
    "rnzp": tuple((r, r) for r in ("rn", "rz", "rp")),
    "rpz": (("rp", "rp"), ("rz", "rz")),
    "pair": (("ff2bf16x2", "bf16x2"), ("ff2f16x2", "f16x2")),
    "single": (("f2bf16", "bf16"), ("f2f16", "f16")),
    "swizzled": tuple((f, f) for f in ("e2m3x4", "e3m2x4", "e4m3x4", "e5m2x4")),
    "moved": (("i16", "b16"), ("i32", "b32"), ("i64", "b64")),
    "maxnreg": (("inc", "inc"), ("dec", "dec")),
    "surface": tuple(
        (q, q.replace(".", "_"))
        for q in ("channel.data.type", "channel.order", "depth", "height", "width", "array.size")
    ),
    "texture": (("num.mipmap.levels", "num_mipmap_levels"), ("num.samples", "num_samples")),
    "b8trans": tuple((n, n) for n in ("x1", "x2")),
    "packed6": (("b8x16.b6x16_p32", "b8x16.b6x16_p32"), ("b8x16.b4x16_p64", "b8x16.b4x16_p64")),
}

ROWS: tuple[tuple[str, str], ...] = (
    # Floating-point arithmetic: PTX ISA 9.7.3, 9.7.4
    ("add.{rnd}{ftz}{sat}.f", "add.{rnd}{ftz}{sat}.f32 $0, $1"),
    ("add.{rnd}.d", "add.{rnd}.f64 $0, $1"),
    ("mul.{rnd}{ftz}.f", "mul.{rnd}{ftz}.f32 $0, $1"),
    ("mul.{rnd}.d", "mul.{rnd}.f64 $0, $1"),
    ("add.rn{ftz}.sat.{f16v}", "add.rn{ftz}.sat.<float> $0, $1"),
    ("mul.rn{ftz}.sat.{f16v}", "mul.rn{ftz}.sat.<float> $0, $1"),
    ("fma.{rnd}{ftz}{sat}.f", "fma.{rnd}{ftz}{sat}.f32 $0, $1, $2"),
    ("fma.{rnd}.d", "fma.{rnd}.f64 $0, $1, $2"),
    ("fma.rn{ftz}{sat}.{f16s}", "fma.rn{ftz}{sat}.{f16s} $0, $1, $2"),
    ("fma.rn{ftz}.relu.{f16s}", "fma.rn{ftz}.relu.{f16s} $0, $1, $2"),
    ("fma.rn{relu}.{bf16s}", "fma.rn{relu}.{bf16s} $0, $1, $2"),
    ("div.{rnd}{ftz}.f", "div.{rnd}{ftz}.f32 $0, $1"),
    ("div.{rnd}.d", "div.{rnd}.f64 $0, $1"),
    ("div.approx{ftz}.f", "div.approx{ftz}.f32 $0, $1"),
    ("div.full{ftz}", "div.full{ftz}.f32 $0, $1"),
    ("rcp.{rnd}{ftz}.f", "rcp.{rnd}{ftz}.f32 $0"),
    ("rcp.{rnd}.d", "rcp.{rnd}.f64 $0"),
    ("rcp.approx.ftz.{fp}", "rcp.approx.ftz.{fp} $0"),
    ("sqrt.{rnd}{ftz}.f", "sqrt.{rnd}{ftz}.f32 $0"),
    ("sqrt.{rnd}.d", "sqrt.{rnd}.f64 $0"),
    ("sqrt.approx{ftz}.f", "sqrt.approx{ftz}.f32 $0"),
    ("rsqrt.approx{ftz}.{fp}", "rsqrt.approx{ftz}.{fp} $0"),
    ("sin.approx{ftz}.f", "sin.approx{ftz}.f32 $0"),
    ("cos.approx{ftz}.f", "cos.approx{ftz}.f32 $0"),
    ("lg2.approx{ftz}.f", "lg2.approx{ftz}.f32 $0"),
    ("neg.{bf16s}", "neg.{bf16s} $0"),
    ("fabs{ftz}", "abs{ftz}.<float> $0"),
    ("ex2.approx{ftz}", "ex2.approx{ftz}.<float> $0"),
    ("ceil{ftz}.f", "cvt.rpi{ftz}.f32.f32 $0"),
    ("ceil.d", "cvt.rpi.f64.f64 $0"),
    ("floor{ftz}.f", "cvt.rmi{ftz}.f32.f32 $0"),
    ("floor.d", "cvt.rmi.f64.f64 $0"),
    ("trunc{ftz}.f", "cvt.rzi{ftz}.f32.f32 $0"),
    ("trunc.d", "cvt.rzi.f64.f64 $0"),
    ("round{ftz}.f", "cvt.rni{ftz}.f32.f32 $0"),
    ("round.d", "cvt.rni.f64.f64 $0"),
    ("saturate{ftz}.f", "cvt{ftz}.sat.f32.f32 $0"),
    ("saturate.d", "cvt.sat.f64.f64 $0"),
    ("{fminmax}{ftz}{nan}{xorsign}.f", "{fminmax}{ftz}{nan}{xorsign}.f32 $0, $1"),
    ("{fminmax}.d", "{fminmax}.f64 $0, $1"),
    ("{fminmax}{ftz}{nan}{xorsign}.{f16s}", "{fminmax}{ftz}{nan}{xorsign}.{f16s} $0, $1"),
    ("{fminmax}{nan}{xorsign}.{bf16s}", "{fminmax}{nan}{xorsign}.{bf16s} $0, $1"),
    # Integer arithmetic: PTX ISA 9.7.1
    ("mulhi.{int}", "mul.hi.{int} $0, $1"),
    ("mulhi.{int16}", "mul.hi.{int16} $0, $1"),
    ("mul24.i", "mul24.lo.s32 $0, $1"),
    ("mul24.ui", "mul24.lo.u32 $0, $1"),
    ("sad.{int}", "sad.{int} $0, $1, $2"),
    ("sad.{int16}", "sad.{int16} $0, $1, $2"),
    ("idp4a.{dot}.{dot2}", "dp4a.{dot}.{dot2} $0, $1, $2"),
    ("bmsk.{bitmask}", "bmsk.{bitmask}.b32 $0, $1"),
    ("sext.{bitmask}", "szext.{bitmask}.s32 $0, $1"),
    ("zext.{bitmask}", "szext.{bitmask}.u32 $0, $1"),
    ("fshl.clamp", "shf.l.clamp.b32 $1, $0, $2"),
    ("fshr.clamp", "shf.r.clamp.b32 $1, $0, $2"),
    ("move.float", "mov.f32 $0"),
    ("move.double", "mov.f64 $0"),
    ("move.{moved}", "mov.{moved} $0"),
    ("move.ptr", "mov.<type> $0"),
    ("fns", "fns.b32 $0, $1, $2"),
    ("prmt", "prmt.b32 $0, $1, $2"),
    ("prmt.{prmt3}", "prmt.b32.{prmt3} $0, $1, $2"),
    # The two-operand modes read only the first register; the second is arbitrary.
    ("prmt.{prmt2}", "prmt.b32.{prmt2} $0, 0, $1"),
    # Conversions: PTX ISA 9.7.9.21
    ("d2f.{rnd}{ftz}", "cvt.{rnd}{ftz}.f32.f64 $0"),
    ("d2i.{rndi}", "cvt.{rndi}.s32.f64 $0"),
    ("d2ui.{rndi}", "cvt.{rndi}.u32.f64 $0"),
    ("d2ll.{rndi}", "cvt.{rndi}.s64.f64 $0"),
    ("d2ull.{rndi}", "cvt.{rndi}.u64.f64 $0"),
    ("f2i.{rndi}{ftz}", "cvt.{rndi}{ftz}.s32.f32 $0"),
    ("f2ui.{rndi}{ftz}", "cvt.{rndi}{ftz}.u32.f32 $0"),
    ("f2ll.{rndi}{ftz}", "cvt.{rndi}{ftz}.s64.f32 $0"),
    ("f2ull.{rndi}{ftz}", "cvt.{rndi}{ftz}.u64.f32 $0"),
    ("i2f.{rnd}", "cvt.{rnd}.f32.s32 $0"),
    ("ui2f.{rnd}", "cvt.{rnd}.f32.u32 $0"),
    ("ll2f.{rnd}", "cvt.{rnd}.f32.s64 $0"),
    ("ull2f.{rnd}", "cvt.{rnd}.f32.u64 $0"),
    ("i2d.{rnd}", "cvt.{rnd}.f64.s32 $0"),
    ("ui2d.{rnd}", "cvt.{rnd}.f64.u32 $0"),
    ("ll2d.{rnd}", "cvt.{rnd}.f64.s64 $0"),
    ("ull2d.{rnd}", "cvt.{rnd}.f64.u64 $0"),
    ("f2h.rn{ftz}", "cvt.rn{ftz}.f16.f32 $0"),
    ("bf2h.rn", "cvt.rn.f16.bf16 $0"),
    ("{pair}.{rnz}{relu}{satfinite}", "cvt.{rnz}{relu}{satfinite}.{pair}.f32 $0, $1"),
    ("{pair}.rs{relu}{satfinite}", "cvt.rs{relu}{satfinite}.{pair}.f32 $0, $1, $2"),
    ("{single}.{rnz}{relu}{satfinite}", "cvt.{rnz}{relu}{satfinite}.{single}.f32 $0"),
    ("f2tf32.{rnz}{relu}{satfinite}", "cvt.{rnz}{satfinite}{relu}.tf32.f32 $0"),
    ("f2tf32.rna{satfinite}", "cvt.rna{satfinite}.tf32.f32 $0"),
    ("ff.to.{fp8}.rn{relu}", "cvt.rn.satfinite{relu}.{fp8}.f32 $0, $1"),
    ("f16x2.to.{fp8}.rn{relu}", "cvt.rn.satfinite{relu}.{fp8}.f16x2 $0"),
    ("{fp8}.to.f16x2.rn{relu}", "cvt.rn{relu}.f16x2.{fp8} $0"),
    ("ff.to.{fp6}.rn{relu}.satfinite", "cvt.rn.satfinite{relu}.{fp6}.f32 $0, $1"),
    ("{fp6}.to.f16x2.rn{relu}", "cvt.rn{relu}.f16x2.{fp6} $0"),
    ("ff.to.e2m1x2.rn{relu}.satfinite", "cvt.rn.satfinite{relu}.e2m1x2.f32 $0, $1"),
    ("e2m1x2.to.f16x2.rn{relu}", "cvt.rn{relu}.f16x2.e2m1x2 $0"),
    ("ff.to.ue8m0x2.{rpz}{satfinite}", "cvt.{rpz}{satfinite}.ue8m0x2.f32 $0, $1"),
    ("bf16x2.to.ue8m0x2.{rpz}{satfinite}", "cvt.{rpz}{satfinite}.ue8m0x2.bf16x2 $0"),
    ("ue8m0x2.to.bf16x2", "cvt.rn.bf16x2.ue8m0x2 $0"),
    ("bf16x2.to.{fp8}.rn{relu}.satfinite", "cvt.rn.satfinite{relu}.{fp8}.bf16x2 $0"),
    ("{wide}.to.{fp6}.rn{relu}.satfinite", "cvt.rn.satfinite{relu}.{fp6}.{wide} $0"),
    ("{wide}.to.e2m1x2.rn{relu}.satfinite", "cvt.rn.satfinite{relu}.e2m1x2.{wide} $0"),
    (
        "ff.to.s2f6x2.rn{relu}.satfinite.scale.n2.ue8m0",
        "cvt.rn.satfinite{relu}.scaled::n2::ue8m0.s2f6x2.f32 $0, $1, $2",
    ),
    (
        "bf16x2.to.s2f6x2.rn{relu}.satfinite.scale.n2.ue8m0",
        "cvt.rn.satfinite{relu}.scaled::n2::ue8m0.s2f6x2.bf16x2 $0, $1",
    ),
    (
        "s2f6x2.to.bf16x2.rn{relu}{satfinite}.scale.n2.ue8m0",
        "cvt.rn{satfinite}{relu}.scaled::n2::ue8m0.bf16x2.s2f6x2 $0, $1",
    ),
    (
        "{narrow}.to.bf16x2.rn{relu}{satfinite}.scale.n2.ue8m0",
        "cvt.rn{satfinite}{relu}.scaled::n2::ue8m0.bf16x2.{narrow} $0, $1",
    ),
    ("ff.to.ue5m3x2.{rnzp}{satfinite}", "cvt.{rnzp}{satfinite}.ue5m3x2.f32 $0, $1"),
    ("{wide}.to.ue5m3x2.{rnzp}{satfinite}", "cvt.{rnzp}{satfinite}.ue5m3x2.{wide} $0"),
    ("ue5m3x2.to.f16x2.rn", "cvt.rn.f16x2.ue5m3x2 $0"),
    ("ue5m3x2.to.bf16x2.rn{satfinite}", "cvt.rn{satfinite}.bf16x2.ue5m3x2 $0"),
    (
        "ue5m3x2.to.bf16x2.rn{satfinite}.scale.n2.ue8m0",
        "cvt.rn{satfinite}.scaled::n2::ue8m0.bf16x2.ue5m3x2 $0, $1",
    ),
    ("movmatrix.sync.aligned.m8n8.trans.b16", "movmatrix.sync.aligned.m8n8.trans.b16 $0"),
    # Warp and block: PTX ISA 9.7.9.6, 9.7.13
    ("activemask", "activemask.b32"),
    ("barrier.cta.sync.aligned.all", "bar.sync $0"),
    ("barrier.cta.sync.aligned.count", "bar.sync $0, $1"),
    ("barrier.cta.sync.all", "barrier.sync $0"),
    ("barrier.cta.sync.count", "barrier.sync $0, $1"),
    ("barrier.cta.arrive.aligned.count", "bar.arrive $0, $1"),
    ("barrier.cta.arrive.count", "barrier.arrive $0, $1"),
    ("barrier.cta.red.popc.aligned.all", "bar.red.popc.u32 $0, $1"),
    ("barrier.cta.red.and.aligned.all", "bar.red.and.pred $0, $1"),
    ("barrier.cta.red.or.aligned.all", "bar.red.or.pred $0, $1"),
    ("barrier.cta.red.popc.aligned.count", "bar.red.popc.u32 $0, $1, $2"),
    ("barrier.cta.red.and.aligned.count", "bar.red.and.pred $0, $1, $2"),
    ("barrier.cta.red.or.aligned.count", "bar.red.or.pred $0, $1, $2"),
    ("barrier.cta.red.popc.all", "barrier.red.popc.u32 $0, $1"),
    ("barrier.cta.red.and.all", "barrier.red.and.pred $0, $1"),
    ("barrier.cta.red.or.all", "barrier.red.or.pred $0, $1"),
    ("barrier.cta.red.popc.count", "barrier.red.popc.u32 $0, $1, $2"),
    ("barrier.cta.red.and.count", "barrier.red.and.pred $0, $1, $2"),
    ("barrier.cta.red.or.count", "barrier.red.or.pred $0, $1, $2"),
    ("bar.warp.sync", "bar.warp.sync $0"),
    ("barrier.cluster.arrive{align}", "barrier.cluster.arrive{align}"),
    ("barrier.cluster.arrive.relaxed{align}", "barrier.cluster.arrive.relaxed{align}"),
    ("barrier.cluster.wait{align}", "barrier.cluster.wait{align}"),
    ("shfl.sync.{mode}.{word}", "shfl.sync.{mode}.b32 $1, $2, $3, $0"),
    ("shfl.sync.{mode}.{word}p", "shfl.sync.{mode}.b32 $1, $2, $3, $0"),
    ("vote.all.sync", "vote.sync.all.pred $1, $0"),
    ("vote.any.sync", "vote.sync.any.pred $1, $0"),
    ("vote.uni.sync", "vote.sync.uni.pred $1, $0"),
    ("vote.ballot.sync", "vote.sync.ballot.b32 $1, $0"),
    ("match.any.sync.i32", "match.any.sync.b32 $1, $0"),
    ("match.any.sync.i64", "match.any.sync.b64 $1, $0"),
    ("match.all.sync.i32p", "match.all.sync.b32 $1, $0"),
    ("match.all.sync.i64p", "match.all.sync.b64 $1, $0"),
    ("redux.sync.{redop}", "redux.sync.{redop}.<redux {redop}> $0, $1"),
    ("redux.sync.min", "redux.sync.min.s32 $0, $1"),
    ("redux.sync.max", "redux.sync.max.s32 $0, $1"),
    ("redux.sync.umin", "redux.sync.min.u32 $0, $1"),
    ("redux.sync.umax", "redux.sync.max.u32 $0, $1"),
    ("redux.sync.fmin{fmode}", "redux.sync.min{fmode}.f32 $0, $1"),
    ("redux.sync.fmax{fmode}", "redux.sync.max{fmode}.f32 $0, $1"),
    ("elect.sync", "elect.sync $0"),
    ("nanosleep", "nanosleep.u32 $0"),
    ("exit", "exit"),
    ("griddepcontrol.wait", "griddepcontrol.wait"),
    ("griddepcontrol.launch.dependents", "griddepcontrol.launch_dependents"),
    ("setmaxnreg.{maxnreg}.sync.aligned.u32", "setmaxnreg.{maxnreg}.sync.aligned.u32 !0"),
    ("pm.event.mask", "pmevent.mask !0"),
    # Fences: PTX ISA 9.7.13.4
    ("membar.cta", "membar.cta"),
    ("membar.gl", "membar.gl"),
    ("membar.sys", "membar.sys"),
    ("fence.sc.cluster", "fence.sc.cluster"),
    ("fence.mbarrier_init.release.cluster", "fence.mbarrier_init.release.cluster"),
    ("fence.proxy.alias", "fence.proxy.alias"),
    ("fence.proxy.async", "fence.proxy.async"),
    ("fence.proxy.async.global", "fence.proxy.async.global"),
    ("fence.proxy.async.shared_cta", "fence.proxy.async.shared::cta"),
    ("fence.proxy.async.shared_cluster", "fence.proxy.async.shared::cluster"),
    (
        "fence.proxy.tensormap_generic.release.{cscope}",
        "fence.proxy.tensormap::generic.release.{cscope}",
    ),
    (
        "fence.proxy.tensormap_generic.acquire.{cscope}",
        "fence.proxy.tensormap::generic.acquire.{cscope} [$0], $1",
    ),
    (
        "fence.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.acquire.sync_restrict::shared::cluster.cluster",
    ),
    (
        "fence.release.sync_restrict.space.cta.scope.cluster",
        "fence.release.sync_restrict::shared::cta.cluster",
    ),
    (
        "fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster",
        "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
    ),
    (
        "fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster",
        "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
    ),
    # Memory: PTX ISA 9.7.9
    ("prefetch.{level}", "prefetch.{level} [$0]"),
    ("prefetch.global.{level}", "prefetch.global.{level} [$0]"),
    ("prefetch.local.{level}", "prefetch.local.{level} [$0]"),
    ("prefetch.global.L2.evict.last", "prefetch.global.L2::evict_last [$0]"),
    ("prefetch.global.L2.evict.normal", "prefetch.global.L2::evict_normal [$0]"),
    ("prefetch.tensormap", "prefetch<space 0>.tensormap [$0]"),
    ("prefetch.L1.32B.valid_addr", "prefetch<space 0>.L1::32B.valid_addr [$0]"),
    ("prefetchu.L1", "prefetchu.L1 [$0]"),
    ("applypriority.L2.evict.normal", "applypriority.L2::evict_normal [$0], !1"),
    ("applypriority.global.L2.evict.normal", "applypriority.global.L2::evict_normal [$0], !1"),
    ("discard.L2", "discard.L2 [$0], !1"),
    ("discard.global.L2", "discard.global.L2 [$0], !1"),
    ("isspacep.{pspace}", "isspacep.{pspace} $0"),
    ("isspacep.shared", "isspacep.shared $0"),
    ("isspacep.shared.cluster", "isspacep.shared::cluster $0"),
    ("mapa", "mapa.u64 $0, $1"),
    ("mapa.shared.cluster", "mapa.shared::cluster.u64 $0, $1"),
    ("getctarank", "getctarank.u64 $0"),
    ("getctarank.shared.cluster", "getctarank.shared::cluster.u64 $0"),
    ("st.bulk", "st.bulk [$0], $1, !2"),
    ("st.bulk.shared.cta", "st.bulk.shared::cta [$0], $1, !2"),
    ("atomic.add.gen.f.{scope}", "atom.{scope}<space 0>.add.<float 1> [$0], $1"),
    ("atomic.add.gen.i.{scope}", "atom.{scope}<space 0>.add.<unsigned 1> [$0], $1"),
    ("atomic.and.gen.i.{scope}", "atom.{scope}<space 0>.and.<type 1> [$0], $1"),
    ("atomic.or.gen.i.{scope}", "atom.{scope}<space 0>.or.<type 1> [$0], $1"),
    ("atomic.xor.gen.i.{scope}", "atom.{scope}<space 0>.xor.<type 1> [$0], $1"),
    ("atomic.exch.gen.i.{scope}", "atom.{scope}<space 0>.exch.<type 1> [$0], $1"),
    ("atomic.max.gen.i.{scope}", "atom.{scope}<space 0>.max.<signed 1> [$0], $1"),
    ("atomic.min.gen.i.{scope}", "atom.{scope}<space 0>.min.<signed 1> [$0], $1"),
    ("atomic.inc.gen.i.{scope}", "atom.{scope}<space 0>.inc.<unsigned 1> [$0], $1"),
    ("atomic.dec.gen.i.{scope}", "atom.{scope}<space 0>.dec.<unsigned 1> [$0], $1"),
    ("atomic.cas.gen.i.{scope}", "atom.{scope}<space 0>.cas.<type 1> [$0], $1, $2"),
    # Asynchronous copies: PTX ISA 9.7.9.25
    ("cp.async.ca.shared.global.{ca_size}", "cp.async.ca.shared.global [$0], [$1], {ca_size}"),
    (
        "cp.async.ca.shared.global.{ca_size}.s",
        "cp.async.ca.shared.global [$0], [$1], {ca_size}, $2",
    ),
    ("cp.async.cg.shared.global.16", "cp.async.cg.shared.global [$0], [$1], 16"),
    ("cp.async.cg.shared.global.16.s", "cp.async.cg.shared.global [$0], [$1], 16, $2"),
    ("cp.async.commit.group", "cp.async.commit_group"),
    ("cp.async.wait.group", "cp.async.wait_group !0"),
    ("cp.async.wait.all", "cp.async.wait_all"),
    ("cp.async.mbarrier.arrive{shared}", "cp.async.mbarrier.arrive{shared}.b64 [$0]"),
    ("cp.async.mbarrier.arrive.noinc{shared}", "cp.async.mbarrier.arrive.noinc{shared}.b64 [$0]"),
    ("cp.async.bulk.commit.group", "cp.async.bulk.commit_group"),
    ("cp.async.bulk.wait.group", "cp.async.bulk.wait_group !0"),
    ("cp.async.bulk.wait.group.read", "cp.async.bulk.wait_group.read !0"),
    (
        "cp.async.bulk.shared.cta.to.cluster",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
        " [$0], [$2], $3, [$1]",
    ),
    # Barriers in memory: PTX ISA 9.7.13.15
    ("mbarrier.init{shared}", "mbarrier.init{shared}.b64 [$0], $1"),
    ("mbarrier.inval{shared}", "mbarrier.inval{shared}.b64 [$0]"),
    ("mbarrier.arrive{drop}{shared}", "mbarrier.arrive{drop}{shared}.b64 [$0]"),
    (
        "mbarrier.arrive{drop}.noComplete{shared}",
        "mbarrier.arrive{drop}.noComplete{shared}.b64 [$0], $1",
    ),
    ("mbarrier.pending.count", "mbarrier.pending_count.b64 $0"),
    ("mbarrier.test.wait{shared}", "mbarrier.test_wait{shared}.b64 [$0], $1"),
    (
        "mbarrier.arrive{drop}.scope.{bscope}.space.cta",
        "mbarrier.arrive{drop}.release.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.relaxed.scope.{bscope}.space.cta",
        "mbarrier.arrive{drop}.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.scope.{bscope}.space.cluster",
        "mbarrier.arrive{drop}.release.{bscope}.shared::cluster.b64 _, [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.relaxed.scope.{bscope}.space.cluster",
        "mbarrier.arrive{drop}.relaxed.{bscope}.shared::cluster.b64 _, [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.expect.tx.scope.{bscope}.space.cta",
        "mbarrier.arrive{drop}.expect_tx.release.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.expect.tx.relaxed.scope.{bscope}.space.cta",
        "mbarrier.arrive{drop}.expect_tx.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.expect.tx.scope.{bscope}.space.cluster",
        "mbarrier.arrive{drop}.expect_tx.release.{bscope}.shared::cluster.b64 _, [$0], $1",
    ),
    (
        "mbarrier.arrive{drop}.expect.tx.relaxed.scope.{bscope}.space.cluster",
        "mbarrier.arrive{drop}.expect_tx.relaxed.{bscope}.shared::cluster.b64 _, [$0], $1",
    ),
    (
        "mbarrier.expect.tx.scope.{bscope}.space.cta",
        "mbarrier.expect_tx.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.expect.tx.scope.{bscope}.space.cluster",
        "mbarrier.expect_tx.relaxed.{bscope}.shared::cluster.b64 [$0], $1",
    ),
    (
        "mbarrier.complete.tx.scope.{bscope}.space.cta",
        "mbarrier.complete_tx.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.complete.tx.scope.{bscope}.space.cluster",
        "mbarrier.complete_tx.relaxed.{bscope}.shared::cluster.b64 [$0], $1",
    ),
    (
        "mbarrier.{wait}.wait.scope.{bscope}.space.cta",
        "mbarrier.{wait}_wait.acquire.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.{wait}.wait.relaxed.scope.{bscope}.space.cta",
        "mbarrier.{wait}_wait.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.{wait}.wait.parity.scope.{bscope}.space.cta",
        "mbarrier.{wait}_wait.parity.acquire.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.{wait}.wait.parity.relaxed.scope.{bscope}.space.cta",
        "mbarrier.{wait}_wait.parity.relaxed.{bscope}.shared::cta.b64 [$0], $1",
    ),
    (
        "mbarrier.try.wait.tl.scope.{bscope}.space.cta",
        "mbarrier.try_wait.acquire.{bscope}.shared::cta.b64 [$0], $1, $2",
    ),
    (
        "mbarrier.try.wait.tl.relaxed.scope.{bscope}.space.cta",
        "mbarrier.try_wait.relaxed.{bscope}.shared::cta.b64 [$0], $1, $2",
    ),
    (
        "mbarrier.try.wait.parity.tl.scope.{bscope}.space.cta",
        "mbarrier.try_wait.parity.acquire.{bscope}.shared::cta.b64 [$0], $1, $2",
    ),
    (
        "mbarrier.try.wait.parity.tl.relaxed.scope.{bscope}.space.cta",
        "mbarrier.try_wait.parity.relaxed.{bscope}.shared::cta.b64 [$0], $1, $2",
    ),
    # Matrices: PTX ISA 9.7.14, 9.7.15, 9.7.16
    (
        "ldmatrix.sync.aligned.m8n8.{num}{trans}.b16",
        "ldmatrix.sync.aligned.m8n8.{num}{trans}<shared 0>.b16 [$0]",
    ),
    (
        "ldmatrix.sync.aligned.m16n16.{b8trans}.trans.b8",
        "ldmatrix.sync.aligned.m16n16.{b8trans}.trans<shared 0>.b8 [$0]",
    ),
    (
        "ldmatrix.sync.aligned.m16n16.{b8trans}.trans.{packed6}",
        "ldmatrix.sync.aligned.m16n16.{b8trans}.trans<shared 0>.{packed6} [$0]",
    ),
    (
        "ldmatrix.sync.aligned.m8n16.{num}.{packed6}",
        "ldmatrix.sync.aligned.m8n16.{num}<shared 0>.{packed6} [$0]",
    ),
    (
        "ldmatrix.sync.aligned.m8n16.{num}.s8.s4",
        "ldmatrix.sync.aligned.m8n16.{num}<shared 0>.s8.s4 [$0]",
    ),
    ("wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned"),
    ("wgmma.commit_group.sync.aligned", "wgmma.commit_group.sync.aligned"),
    ("wgmma.wait_group.sync.aligned", "wgmma.wait_group.sync.aligned !0"),
    # Clusters and launch control
    (
        "clusterlaunchcontrol.try_cancel.async.shared",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128"
        " [$0], [$1]",
    ),
    (
        "clusterlaunchcontrol.try_cancel.async.multicast.shared",
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
        ".multicast::cluster::all.b128 [$0], [$1]",
    ),
    # Texture and surface queries: PTX ISA 9.7.11, 9.7.12
    ("txq.{surface}", "txq.{surface}.b32 [$0]"),
    ("txq.{texture}", "txq.{texture}.b32 [$0]"),
    ("suq.{surface}", "suq.{surface}.b32 [$0]"),
    ("istypep.sampler", "istypep.samplerref $0"),
    ("istypep.surface", "istypep.surfref $0"),
    ("istypep.texture", "istypep.texref $0"),
)

_REDUX_TYPES = {"add": "s32", "and": "b32", "or": "b32", "xor": "b32"}


def _expand(name: str, text: str) -> list[tuple[str, str]]:
    keys = list(dict.fromkeys(k for _, k, _, _ in Formatter().parse(name) if k))
    # `<redux op>` is a look-up by the op's spelling; vectors braces do not occur in the rows.
    variants: list[tuple[str, str]] = []
    for choice in product(*(GROUPS[k] for k in keys)):
        names = {k: c[0] for k, c in zip(keys, choice)}
        texts = {k: c[1] for k, c in zip(keys, choice)}
        expanded = text.format(**texts)
        for op, type_ in _REDUX_TYPES.items():
            expanded = expanded.replace(f"<redux {op}>", type_)
        variants.append((name.format(**names), expanded))
    return variants


@cache
def intrinsic_instructions() -> dict[str, str]:
    """Every intrinsic of the table, by its name after `llvm.nvvm.`, with its PTX text.

    A name that two rows produce is an error in the table.
    """
    table: dict[str, str] = {}
    for name, text in ROWS:
        for full_name, full_text in _expand(name, text):
            known = table.setdefault(full_name, full_text)
            if known != full_text:
                raise ValueError(f"two rows for the intrinsic {full_name}")
    return table
