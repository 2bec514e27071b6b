"""Wrong machine code is detected: possible faults of selection and the machine passes.

The machine code is given here as text, so that the mutations do not depend on selection.
"""

from __future__ import annotations

import pytest
from helpers.mutation_kernels import HEADER, SOURCES, launches

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import ALL_CHECKS, Difference, baseline, compare
from nvvm_xdsl.simulator import prepare

ARITHMETIC = """\
builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "7.8"} {
  nvptx.global @s "shared" "b8" x 256 <{align = 4 : i32}>
  nvptx.func @diff(#nvptx.param<b32, name = "diff_param_0">, #nvptx.param<b32, name = "diff_param_1">) -> #nvptx.param<b32, name = "func_retval0"> {
    %0 = nvptx.ld param.b32 [@diff_param_0] : () -> !nvptx.b32
    %1 = nvptx.ld param.b32 [@diff_param_1] : () -> !nvptx.b32
    %2 = nvptx.sub s32 %0, %1 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    nvptx.st param.b32 [@func_retval0], %2 : (!nvptx.b32) -> ()
    nvptx.ret
  }
  nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">, #nvptx.param<b64, name = "k_param_1">, #nvptx.param<b32, name = "k_param_2">) {
    %0 = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
    %1 = nvptx.cvta to.global.u64 %0 : (!nvptx.b64) -> !nvptx.b64
    %2 = nvptx.ld param.b64 [@k_param_1] : () -> !nvptx.b64
    %3 = nvptx.cvta to.global.u64 %2 : (!nvptx.b64) -> !nvptx.b64
    %4 = nvptx.ld param.b32 [@k_param_2] : () -> !nvptx.b32
    %5 = nvptx.mov.sreg "tid.x" : !nvptx.b32
    %6 = nvptx.mul wide.u32 %5, 4 : (!nvptx.b32) -> !nvptx.b64
    %7 = nvptx.add s64 %1, %6 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    %8 = nvptx.ld global.b32 [%7] : (!nvptx.b64) -> !nvptx.b32
    %9 = nvptx.ld global.b32 [%7 + 4] : (!nvptx.b64) -> !nvptx.b32
    %10 = nvptx.sub s32 %8, %9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %11 = nvptx.mul lo.s32 %10, 5 : (!nvptx.b32) -> !nvptx.b32
    %12 = nvptx.and b32 %11, 255 : (!nvptx.b32) -> !nvptx.b32
    %13 = nvptx.shl b32 %8, 3 : (!nvptx.b32) -> !nvptx.b32
    %14 = nvptx.shr s32 %9, 4 : (!nvptx.b32) -> !nvptx.b32
    %15 = nvptx.or b32 %13, %14 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %16 = nvptx.mul hi.s32 %8, -1840700269 : (!nvptx.b32) -> !nvptx.b32
    %17 = nvptx.add s32 %16, %8 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %18 = nvptx.shr s32 %17, 2 : (!nvptx.b32) -> !nvptx.b32
    %19 = nvptx.shr u32 %8, 31 : (!nvptx.b32) -> !nvptx.b32
    %20 = nvptx.add s32 %18, %19 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %21 = nvptx.mul hi.s32 %9, -1840700269 : (!nvptx.b32) -> !nvptx.b32
    %22 = nvptx.add s32 %21, %9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %23 = nvptx.shr s32 %22, 2 : (!nvptx.b32) -> !nvptx.b32
    %24 = nvptx.shr u32 %9, 31 : (!nvptx.b32) -> !nvptx.b32
    %25 = nvptx.add s32 %23, %24 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %26 = nvptx.mad lo.s32 %25, -7, %9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %27 = nvptx.max s32 %8, %9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %28 = nvptx.cvt u16.u32 %8 : (!nvptx.b32) -> !nvptx.b16
    %29 = nvptx.cvt s32.s16 %28 : (!nvptx.b16) -> !nvptx.b32
    %30 = nvptx.setp lt.s32 %8, %9 : (!nvptx.b32, !nvptx.b32) -> !nvptx.pred
    %31 = nvptx.selp b32 %20, %26, %30 : (!nvptx.b32, !nvptx.b32, !nvptx.pred) -> !nvptx.b32
    %32 = nvptx.call uni @diff(%31, %29) <{params = [#nvptx.param<b32>, #nvptx.param<b32>], stores = [#nvptx.piece<0, 0, "b32">, #nvptx.piece<1, 0, "b32">], ret = #nvptx.param<b32>, loads = [#nvptx.piece<0, 0, "b32">]}> : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %33 = nvptx.xor b32 %12, %15 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %34 = nvptx.add s32 %33, %27 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %35 = nvptx.add s32 %34, %32 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    nvptx.cbra %30 : !nvptx.pred, ^bb1, ^bb2
  ^bb1:
    %36 = nvptx.add s32 %35, 1 : (!nvptx.b32) -> !nvptx.b32
    %37 = nvptx.mov b32 0 : () -> !nvptx.b32
    nvptx.bra ^bb3(%36, %37 : !nvptx.b32, !nvptx.b32)
  ^bb2:
    %38 = nvptx.mul lo.s32 %35, 3 : (!nvptx.b32) -> !nvptx.b32
    %39 = nvptx.mov b32 0 : () -> !nvptx.b32
    nvptx.bra ^bb3(%38, %39 : !nvptx.b32, !nvptx.b32)
  ^bb3(%40: !nvptx.b32, %41: !nvptx.b32):
    %42 = nvptx.mad lo.s32 %40, 31, %41 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %43 = nvptx.add s32 %41, 1 : (!nvptx.b32) -> !nvptx.b32
    %44 = nvptx.setp lt.u32 %43, 4 : (!nvptx.b32) -> !nvptx.pred
    nvptx.cbra %44 : !nvptx.pred, ^bb3(%42, %43 : !nvptx.b32, !nvptx.b32), ^bb4
  ^bb4:
    %45 = nvptx.and b32 %8, 3 : (!nvptx.b32) -> !nvptx.b32
    %46 = nvptx.setp eq.b32 %45, 0 : (!nvptx.b32) -> !nvptx.pred
    nvptx.cbra %46 : !nvptx.pred, ^bb7, ^bb5
  ^bb5:
    %47 = nvptx.setp eq.b32 %45, 2 : (!nvptx.b32) -> !nvptx.pred
    nvptx.cbra %47 : !nvptx.pred, ^bb8, ^bb6
  ^bb6:
    nvptx.bra ^bb9(%4 : !nvptx.b32)
  ^bb7:
    %48 = nvptx.mov b32 100 : () -> !nvptx.b32
    nvptx.bra ^bb9(%48 : !nvptx.b32)
  ^bb8:
    %49 = nvptx.mov b32 200 : () -> !nvptx.b32
    nvptx.bra ^bb9(%49 : !nvptx.b32)
  ^bb9(%50: !nvptx.b32):
    %51 = nvptx.add s32 %42, %50 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %52 = nvptx.mul wide.u32 %5, 4 : (!nvptx.b32) -> !nvptx.b64
    %53 = nvptx.add s64 %3, %52 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    nvptx.st global.b32 [%53], %51 : (!nvptx.b64, !nvptx.b32) -> ()
    nvptx.ret
  }
}
"""

THREADS = """\
builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "7.8"} {
  nvptx.global @s "shared" "b8" x 256 <{align = 4 : i32}>
  nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">, #nvptx.param<b64, name = "k_param_1">, #nvptx.param<b64, name = "k_param_2">) {
    nvptx.local @__local_0 32 align 4
    %0 = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
    %1 = nvptx.cvta to.global.u64 %0 : (!nvptx.b64) -> !nvptx.b64
    %2 = nvptx.ld param.b64 [@k_param_1] : () -> !nvptx.b64
    %3 = nvptx.cvta to.global.u64 %2 : (!nvptx.b64) -> !nvptx.b64
    %4 = nvptx.ld param.b64 [@k_param_2] : () -> !nvptx.b64
    %5 = nvptx.cvta to.global.u64 %4 : (!nvptx.b64) -> !nvptx.b64
    %6 = nvptx.mov.sreg "tid.x" : !nvptx.b32
    %7 = nvptx.cvt u64.u32 %6 : (!nvptx.b32) -> !nvptx.b64
    %8 = nvptx.mul wide.u32 %6, 4 : (!nvptx.b32) -> !nvptx.b64
    %9 = nvptx.add s64 %1, %8 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    %10 = nvptx.ld global.b32 [%9] : (!nvptx.b64) -> !nvptx.b32
    %11 = nvptx.mov b64 @s : () -> !nvptx.b64
    %12 = nvptx.add s64 %11, %8 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    nvptx.st shared.b32 [%12], %10 : (!nvptx.b64, !nvptx.b32) -> ()
    nvptx.bar.sync "" 0 : () -> ()
    %13 = nvptx.sub s64 63, %7 : (!nvptx.b64) -> !nvptx.b64
    %14 = nvptx.shl b64 %13, 2 : (!nvptx.b64) -> !nvptx.b64
    %15 = nvptx.add s64 %11, %14 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    %16 = nvptx.ld shared.b32 [%15] : (!nvptx.b64) -> !nvptx.b32
    %17 = nvptx.shfl.sync down.b32 %16, 2, 31, -1 : (!nvptx.b32) -> !nvptx.b32
    %18 = nvptx.and b32 %10, 1 : (!nvptx.b32) -> !nvptx.b32
    %19 = nvptx.setp ne.b32 %18, 0 : (!nvptx.b32) -> !nvptx.pred
    %20 = nvptx.mov b32 -1 : () -> !nvptx.b32
    %21 = nvptx.vote.sync any.pred %19, %20 : (!nvptx.pred, !nvptx.b32) -> !nvptx.pred
    %22 = nvptx.selp b32 1, 0, %21 : (!nvptx.pred) -> !nvptx.b32
    %23 = nvptx.atom global.add.u32 [%5], %10 : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32
    %24 = nvptx.and b32 %6, 7 : (!nvptx.b32) -> !nvptx.b32
    %25 = nvptx.mov b64 @__local_0 : () -> !nvptx.b64
    %26 = nvptx.mul wide.s32 %24, 4 : (!nvptx.b32) -> !nvptx.b64
    %27 = nvptx.add s64 %25, %26 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    nvptx.st local.b32 [%27], %17 : (!nvptx.b64, !nvptx.b32) -> ()
    %28 = nvptx.ld local.b32 [%27] : (!nvptx.b64) -> !nvptx.b32
    %29 = nvptx.add s32 %28, %22 : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32
    %30 = nvptx.shl b64 %7, 2 : (!nvptx.b64) -> !nvptx.b64
    %31 = nvptx.add s64 %3, %30 : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64
    nvptx.st global.b32 [%31], %29 : (!nvptx.b64, !nvptx.b32) -> ()
    nvptx.ret
  }
}
"""

TEXTS = {"arithmetic": ARITHMETIC, "threads": THREADS}

MUTATIONS: tuple[tuple[str, str, str, str], ...] = (
    ("a high product of unsigned numbers", "arithmetic", "mul hi.s32 %8", "mul hi.u32 %8"),
    ("a wrong offset", "arithmetic", "[%7 + 4]", "[%7 + 8]"),
    ("zero for sign extension", "arithmetic", "cvt s32.s16 %28", "cvt u32.u16 %28"),
    ("an unsigned comparison", "arithmetic", "setp lt.s32 %8, %9", "setp lt.u32 %8, %9"),
    ("an off-by-one trip count", "arithmetic", "setp lt.u32 %43, 4", "setp le.u32 %43, 4"),
    ("operands of selp changed", "arithmetic", "selp b32 %20, %26", "selp b32 %26, %20"),
    ("logical in place of arithmetic shift", "arithmetic", "shr s32 %9, 4", "shr u32 %9, 4"),
    ("arguments of a block changed", "arithmetic", "bb3(%36, %37", "bb3(%37, %36"),
    ("a branch the wrong way", "arithmetic", "cbra %30 : !nvptx.pred, ^bb1, ^bb2", "cbra %30 : !nvptx.pred, ^bb2, ^bb1"),
    ("parameters of a call changed", "arithmetic", "@diff(%31, %29)", "@diff(%29, %31)"),
    ("a factor of the wrong sign", "arithmetic", "%25, -7, %9", "%25, 7, %9"),
    ("another parameter", "arithmetic", "ld param.b32 [@k_param_2]", "ld param.b32 [@k_param_1]"),
    ("a store to another space", "arithmetic", "st global.b32 [%53]", "st shared.b32 [%53]"),
    ("an address without its base", "arithmetic", "ld global.b32 [%7] :", "ld global.b32 [%6] :"),
    ("a stale register", "arithmetic", "bb3(%42, %43 :", "bb3(%40, %43 :"),
    ("a case that goes elsewhere", "arithmetic", "setp eq.b32 %45, 2", "setp eq.b32 %45, 3"),
    ("a lost barrier", "threads", '    nvptx.bar.sync "" 0 : () -> ()\n', ""),
    ("a barrier of too many threads", "threads", 'nvptx.bar.sync "" 0', 'nvptx.bar.sync "" 0, 96'),
    ("another shuffle", "threads", "shfl.sync down.b32 %16, 2, 31", "shfl.sync up.b32 %16, 2, 0"),
    ("members left out of a shuffle", "threads", "2, 31, -1", "2, 31, 65535"),
    ("another vote", "threads", "vote.sync any.pred", "vote.sync all.pred"),
    ("another atomic operation", "threads", "atom global.add.u32", "atom global.max.u32"),
    ("a load from another space", "threads", "ld local.b32 [%27]", "ld shared.b32 [%27]"),
    ("a local array too small", "threads", "@__local_0 32 align 4", "@__local_0 28 align 4"),
    ("a shift by one too many", "threads", "shl b64 %13, 2", "shl b64 %13, 3"),
    ("a lost store", "threads", "    nvptx.st local.b32 [%27], %17 : (!nvptx.b64, !nvptx.b32) -> ()\n", ""),
)  # fmt: skip


def difference(source: str, text: str) -> Difference | None:
    """A difference between machine code and the IR that it was selected from."""
    module = read_ll(HEADER + SOURCES[source])
    wanted = baseline(module, launches(source))
    machine = parse(text, format="mlir")
    machine.verify()
    program = prepare(machine, ALL_CHECKS, prepare(module))
    return compare(program, launches(source), wanted, "machine code", ALL_CHECKS)


@pytest.mark.parametrize("source", TEXTS)
def test_the_unmodified_machine_code_is_right(source: str):
    assert difference(source, TEXTS[source]) is None


@pytest.mark.parametrize(("name", "source", "old", "new"), MUTATIONS, ids=[m[0] for m in MUTATIONS])
def test_wrong_machine_code_is_detected(name: str, source: str, old: str, new: str):
    text = TEXTS[source]
    assert text.count(old) == 1
    found = difference(source, text.replace(old, new))
    assert found is not None
    assert "does not run" not in found.what
