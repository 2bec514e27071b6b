"""The support routines in MLIR, each function on its own; see routines.c, which they come from."""

from __future__ import annotations

from typing import Final

from xdsl.ir import Attribute

from nvvm_xdsl.ir.types import F32, F64, I128

_BINARY: Final = ((I128, I128), I128)

SIGNATURES: Final[dict[str, tuple[tuple[Attribute, ...], Attribute]]] = {
    "udiv128": _BINARY,
    "urem128": _BINARY,
    "sdiv128": _BINARY,
    "srem128": _BINARY,
    "u128_to_f32": ((I128,), F32),
    "u128_to_f64": ((I128,), F64),
    "s128_to_f32": ((I128,), F32),
    "s128_to_f64": ((I128,), F64),
    "f64_to_u128": ((F64,), I128),
    "f64_to_s128": ((F64,), I128),
    "fmod32": ((F32, F32), F32),
    "fmod64": ((F64, F64), F64),
}
"""Types of the arguments and the result of each routine."""

SOURCES: Final[dict[str, str]] = {
    "udiv128": """
llvm.func internal @__nvvm_xdsl_udiv128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(0 : i128) : i128
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(1 : i128) : i128
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = llvm.or %arg1, %arg0 : i128
  %8 = llvm.icmp "ult" %7, %0 : i128
  llvm.cond_br %8, ^bb1, ^bb2
^bb1:
  %9 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %10 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %11 = llvm.udiv %9, %10 : i64
  %12 = llvm.zext %11 : i64 to i128
  llvm.br ^bb8(%12 : i128)
^bb2:
  %13 = llvm.icmp "ugt" %arg1, %arg0 : i128
  llvm.cond_br %13, ^bb8(%1 : i128), ^bb3
^bb3:
  %14 = llvm.lshr %arg1, %2 : i128
  %15 = llvm.icmp "eq" %14, %1 : i128
  %16 = llvm.trunc %14 overflow<nuw> : i128 to i64
  %17 = "llvm.intr.ctlz"(%16) <{is_zero_poison = true}> : (i64) -> i64
  %18 = llvm.trunc %17 overflow<nsw, nuw> : i64 to i32
  %19 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %20 = "llvm.intr.ctlz"(%19) <{is_zero_poison = true}> : (i64) -> i64
  %21 = llvm.trunc %20 overflow<nsw, nuw> : i64 to i32
  %22 = llvm.or disjoint %21, %3 : i32
  %23 = llvm.select %15, %22, %18 : i1, i32
  %24 = llvm.lshr %arg0, %2 : i128
  %25 = llvm.icmp "eq" %24, %1 : i128
  %26 = llvm.trunc %24 overflow<nuw> : i128 to i64
  %27 = "llvm.intr.ctlz"(%26) <{is_zero_poison = true}> : (i64) -> i64
  %28 = llvm.trunc %27 overflow<nsw, nuw> : i64 to i32
  %29 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %30 = "llvm.intr.ctlz"(%29) <{is_zero_poison = true}> : (i64) -> i64
  %31 = llvm.trunc %30 overflow<nsw, nuw> : i64 to i32
  %32 = llvm.or disjoint %31, %3 : i32
  %33 = llvm.select %25, %32, %28 : i1, i32
  %34 = llvm.sub %23, %33 overflow<nsw> : i32
  %35 = llvm.zext nneg %34 : i32 to i128
  %36 = llvm.shl %arg1, %35 : i128
  llvm.br ^bb4(%36, %arg0, %34, %1 : i128, i128, i32, i128)
^bb4(%37: i128, %38: i128, %39: i32, %40: i128):
  %41 = llvm.shl %40, %4 : i128
  %42 = llvm.icmp "ult" %38, %37 : i128
  llvm.cond_br %42, ^bb6(%38, %41 : i128, i128), ^bb5
^bb5:
  %43 = llvm.sub %38, %37 overflow<nuw> : i128
  %44 = llvm.or disjoint %41, %4 : i128
  llvm.br ^bb6(%43, %44 : i128, i128)
^bb6(%45: i128, %46: i128):
  %47 = llvm.icmp "eq" %39, %5 : i32
  llvm.cond_br %47, ^bb8(%46 : i128), ^bb7
^bb7:
  %48 = llvm.lshr %37, %4 : i128
  %49 = llvm.add %39, %6 overflow<nsw> : i32
  llvm.br ^bb4(%48, %45, %49, %46 : i128, i128, i32, i128)
^bb8(%50: i128):
  llvm.return %50 : i128
}
""",
    "urem128": """
llvm.func internal @__nvvm_xdsl_urem128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(64 : i128) : i128
  %2 = llvm.mlir.constant(0 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i32) : i32
  %5 = llvm.mlir.constant(1 : i128) : i128
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = llvm.or %arg1, %arg0 : i128
  %8 = llvm.icmp "ult" %7, %0 : i128
  llvm.cond_br %8, ^bb1, ^bb2
^bb1:
  %9 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %10 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %11 = llvm.urem %9, %10 : i64
  %12 = llvm.zext %11 : i64 to i128
  llvm.br ^bb5(%12 : i128)
^bb2:
  %13 = llvm.icmp "ugt" %arg1, %arg0 : i128
  llvm.cond_br %13, ^bb5(%arg0 : i128), ^bb3
^bb3:
  %14 = llvm.lshr %arg1, %1 : i128
  %15 = llvm.icmp "eq" %14, %2 : i128
  %16 = llvm.trunc %14 overflow<nuw> : i128 to i64
  %17 = "llvm.intr.ctlz"(%16) <{is_zero_poison = true}> : (i64) -> i64
  %18 = llvm.trunc %17 overflow<nsw, nuw> : i64 to i32
  %19 = llvm.trunc %arg1 overflow<nuw> : i128 to i64
  %20 = "llvm.intr.ctlz"(%19) <{is_zero_poison = true}> : (i64) -> i64
  %21 = llvm.trunc %20 overflow<nsw, nuw> : i64 to i32
  %22 = llvm.or disjoint %21, %3 : i32
  %23 = llvm.select %15, %22, %18 : i1, i32
  %24 = llvm.lshr %arg0, %1 : i128
  %25 = llvm.icmp "eq" %24, %2 : i128
  %26 = llvm.trunc %24 overflow<nuw> : i128 to i64
  %27 = "llvm.intr.ctlz"(%26) <{is_zero_poison = true}> : (i64) -> i64
  %28 = llvm.trunc %27 overflow<nsw, nuw> : i64 to i32
  %29 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %30 = "llvm.intr.ctlz"(%29) <{is_zero_poison = true}> : (i64) -> i64
  %31 = llvm.trunc %30 overflow<nsw, nuw> : i64 to i32
  %32 = llvm.or disjoint %31, %3 : i32
  %33 = llvm.select %25, %32, %28 : i1, i32
  %34 = llvm.sub %23, %33 overflow<nsw> : i32
  %35 = llvm.zext nneg %34 : i32 to i128
  %36 = llvm.shl %arg1, %35 : i128
  %37 = llvm.icmp "ult" %arg0, %36 : i128
  %38 = llvm.select %37, %2, %36 : i1, i128
  %39 = llvm.sub %arg0, %38 overflow<nuw> : i128
  %40 = llvm.icmp "eq" %34, %4 : i32
  llvm.cond_br %40, ^bb5(%39 : i128), ^bb4(%39, %34, %36 : i128, i32, i128)
^bb4(%41: i128, %42: i32, %43: i128):
  %44 = llvm.lshr %43, %5 : i128
  %45 = llvm.add %42, %6 overflow<nsw> : i32
  %46 = llvm.icmp "ult" %41, %44 : i128
  %47 = llvm.select %46, %2, %44 : i1, i128
  %48 = llvm.sub %41, %47 overflow<nuw> : i128
  %49 = llvm.icmp "eq" %45, %4 : i32
  llvm.cond_br %49, ^bb5(%48 : i128), ^bb4(%48, %45, %44 : i128, i32, i128)
^bb5(%50: i128):
  llvm.return %50 : i128
}
""",
    "sdiv128": """
llvm.func internal @__nvvm_xdsl_sdiv128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(0 : i128) : i128
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(1 : i128) : i128
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %8 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.or %8, %7 : i128
  %10 = llvm.icmp "ult" %9, %0 : i128
  llvm.cond_br %10, ^bb1, ^bb2
^bb1:
  %11 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %12 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %13 = llvm.udiv %11, %12 : i64
  %14 = llvm.zext %13 : i64 to i128
  llvm.br ^bb8(%14 : i128)
^bb2:
  %15 = llvm.icmp "ugt" %8, %7 : i128
  llvm.cond_br %15, ^bb8(%1 : i128), ^bb3
^bb3:
  %16 = llvm.lshr %8, %2 : i128
  %17 = llvm.icmp "eq" %16, %1 : i128
  %18 = llvm.trunc %16 overflow<nuw> : i128 to i64
  %19 = "llvm.intr.ctlz"(%18) <{is_zero_poison = true}> : (i64) -> i64
  %20 = llvm.trunc %19 overflow<nsw, nuw> : i64 to i32
  %21 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %22 = "llvm.intr.ctlz"(%21) <{is_zero_poison = true}> : (i64) -> i64
  %23 = llvm.trunc %22 overflow<nsw, nuw> : i64 to i32
  %24 = llvm.or disjoint %23, %3 : i32
  %25 = llvm.select %17, %24, %20 : i1, i32
  %26 = llvm.lshr %7, %2 : i128
  %27 = llvm.icmp "eq" %26, %1 : i128
  %28 = llvm.trunc %26 overflow<nuw> : i128 to i64
  %29 = "llvm.intr.ctlz"(%28) <{is_zero_poison = true}> : (i64) -> i64
  %30 = llvm.trunc %29 overflow<nsw, nuw> : i64 to i32
  %31 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %32 = "llvm.intr.ctlz"(%31) <{is_zero_poison = true}> : (i64) -> i64
  %33 = llvm.trunc %32 overflow<nsw, nuw> : i64 to i32
  %34 = llvm.or disjoint %33, %3 : i32
  %35 = llvm.select %27, %34, %30 : i1, i32
  %36 = llvm.sub %25, %35 overflow<nsw> : i32
  %37 = llvm.zext nneg %36 : i32 to i128
  %38 = llvm.shl %8, %37 : i128
  llvm.br ^bb4(%38, %7, %36, %1 : i128, i128, i32, i128)
^bb4(%39: i128, %40: i128, %41: i32, %42: i128):
  %43 = llvm.shl %42, %4 : i128
  %44 = llvm.icmp "ult" %40, %39 : i128
  llvm.cond_br %44, ^bb6(%40, %43 : i128, i128), ^bb5
^bb5:
  %45 = llvm.sub %40, %39 overflow<nuw> : i128
  %46 = llvm.or disjoint %43, %4 : i128
  llvm.br ^bb6(%45, %46 : i128, i128)
^bb6(%47: i128, %48: i128):
  %49 = llvm.icmp "eq" %41, %5 : i32
  llvm.cond_br %49, ^bb8(%48 : i128), ^bb7
^bb7:
  %50 = llvm.lshr %39, %4 : i128
  %51 = llvm.add %41, %6 overflow<nsw> : i32
  llvm.br ^bb4(%50, %47, %51, %48 : i128, i128, i32, i128)
^bb8(%52: i128):
  %53 = llvm.xor %arg1, %arg0 : i128
  %54 = llvm.icmp "slt" %53, %1 : i128
  %55 = llvm.sub %1, %52 : i128
  %56 = llvm.select %54, %55, %52 : i1, i128
  llvm.return %56 : i128
}
""",
    "srem128": """
llvm.func internal @__nvvm_xdsl_srem128(%arg0: i128, %arg1: i128) -> i128 {
  %0 = llvm.mlir.constant(18446744073709551616 : i128) : i128
  %1 = llvm.mlir.constant(64 : i128) : i128
  %2 = llvm.mlir.constant(0 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i32) : i32
  %5 = llvm.mlir.constant(1 : i128) : i128
  %6 = llvm.mlir.constant(-1 : i32) : i32
  %7 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %8 = "llvm.intr.abs"(%arg1) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.or %8, %7 : i128
  %10 = llvm.icmp "ult" %9, %0 : i128
  llvm.cond_br %10, ^bb1, ^bb2
^bb1:
  %11 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %12 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %13 = llvm.urem %11, %12 : i64
  %14 = llvm.zext %13 : i64 to i128
  llvm.br ^bb5(%14 : i128)
^bb2:
  %15 = llvm.icmp "ugt" %8, %7 : i128
  llvm.cond_br %15, ^bb5(%7 : i128), ^bb3
^bb3:
  %16 = llvm.lshr %8, %1 : i128
  %17 = llvm.icmp "eq" %16, %2 : i128
  %18 = llvm.trunc %16 overflow<nuw> : i128 to i64
  %19 = "llvm.intr.ctlz"(%18) <{is_zero_poison = true}> : (i64) -> i64
  %20 = llvm.trunc %19 overflow<nsw, nuw> : i64 to i32
  %21 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %22 = "llvm.intr.ctlz"(%21) <{is_zero_poison = true}> : (i64) -> i64
  %23 = llvm.trunc %22 overflow<nsw, nuw> : i64 to i32
  %24 = llvm.or disjoint %23, %3 : i32
  %25 = llvm.select %17, %24, %20 : i1, i32
  %26 = llvm.lshr %7, %1 : i128
  %27 = llvm.icmp "eq" %26, %2 : i128
  %28 = llvm.trunc %26 overflow<nuw> : i128 to i64
  %29 = "llvm.intr.ctlz"(%28) <{is_zero_poison = true}> : (i64) -> i64
  %30 = llvm.trunc %29 overflow<nsw, nuw> : i64 to i32
  %31 = llvm.trunc %7 overflow<nuw> : i128 to i64
  %32 = "llvm.intr.ctlz"(%31) <{is_zero_poison = true}> : (i64) -> i64
  %33 = llvm.trunc %32 overflow<nsw, nuw> : i64 to i32
  %34 = llvm.or disjoint %33, %3 : i32
  %35 = llvm.select %27, %34, %30 : i1, i32
  %36 = llvm.sub %25, %35 overflow<nsw> : i32
  %37 = llvm.zext nneg %36 : i32 to i128
  %38 = llvm.shl %8, %37 : i128
  %39 = llvm.icmp "ult" %7, %38 : i128
  %40 = llvm.select %39, %2, %38 : i1, i128
  %41 = llvm.sub %7, %40 overflow<nuw> : i128
  %42 = llvm.icmp "eq" %36, %4 : i32
  llvm.cond_br %42, ^bb5(%41 : i128), ^bb4(%41, %36, %38 : i128, i32, i128)
^bb4(%43: i128, %44: i32, %45: i128):
  %46 = llvm.lshr %45, %5 : i128
  %47 = llvm.add %44, %6 overflow<nsw> : i32
  %48 = llvm.icmp "ult" %43, %46 : i128
  %49 = llvm.select %48, %2, %46 : i1, i128
  %50 = llvm.sub %43, %49 overflow<nuw> : i128
  %51 = llvm.icmp "eq" %47, %4 : i32
  llvm.cond_br %51, ^bb5(%50 : i128), ^bb4(%50, %47, %46 : i128, i32, i128)
^bb5(%52: i128):
  %53 = llvm.icmp "slt" %arg0, %2 : i128
  %54 = llvm.sub %2, %52 : i128
  %55 = llvm.select %53, %54, %52 : i1, i128
  llvm.return %55 : i128
}
""",
    "u128_to_f32": """
llvm.func internal @__nvvm_xdsl_u128_to_f32(%arg0: i128) -> f32 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(23 : i32) : i32
  %6 = llvm.mlir.constant(1602224128 : i32) : i32
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f32), ^bb1
^bb1:
  %8 = llvm.lshr %arg0, %2 : i128
  %9 = llvm.icmp "eq" %8, %0 : i128
  %10 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %11 = "llvm.intr.ctlz"(%10) <{is_zero_poison = true}> : (i64) -> i64
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i64 to i32
  %13 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %14 = "llvm.intr.ctlz"(%13) <{is_zero_poison = true}> : (i64) -> i64
  %15 = llvm.trunc %14 overflow<nsw, nuw> : i64 to i32
  %16 = llvm.or disjoint %15, %3 : i32
  %17 = llvm.select %9, %16, %12 : i1, i32
  %18 = llvm.zext nneg %17 : i32 to i128
  %19 = llvm.shl %arg0, %18 : i128
  %20 = llvm.lshr %19, %2 : i128
  %21 = llvm.trunc %20 overflow<nuw> : i128 to i64
  %22 = llvm.trunc %19 : i128 to i64
  %23 = llvm.icmp "ne" %22, %4 : i64
  %24 = llvm.zext %23 : i1 to i64
  %25 = llvm.or %24, %21 : i64
  %26 = llvm.shl %17, %5 overflow<nsw, nuw> : i32
  %27 = llvm.sub %6, %26 overflow<nsw, nuw> : i32
  %28 = llvm.bitcast %27 : i32 to f32
  %29 = llvm.uitofp %25 : i64 to f32
  %30 = llvm.fmul %28, %29 : f32
  llvm.br ^bb2(%30 : f32)
^bb2(%31: f32):
  llvm.return %31 : f32
}
""",
    "u128_to_f64": """
llvm.func internal @__nvvm_xdsl_u128_to_f64(%arg0: i128) -> f64 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(1087 : i32) : i32
  %6 = llvm.mlir.constant(52 : i64) : i64
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f64), ^bb1
^bb1:
  %8 = llvm.lshr %arg0, %2 : i128
  %9 = llvm.icmp "eq" %8, %0 : i128
  %10 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %11 = "llvm.intr.ctlz"(%10) <{is_zero_poison = true}> : (i64) -> i64
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i64 to i32
  %13 = llvm.trunc %arg0 overflow<nuw> : i128 to i64
  %14 = "llvm.intr.ctlz"(%13) <{is_zero_poison = true}> : (i64) -> i64
  %15 = llvm.trunc %14 overflow<nsw, nuw> : i64 to i32
  %16 = llvm.or disjoint %15, %3 : i32
  %17 = llvm.select %9, %16, %12 : i1, i32
  %18 = llvm.zext nneg %17 : i32 to i128
  %19 = llvm.shl %arg0, %18 : i128
  %20 = llvm.lshr %19, %2 : i128
  %21 = llvm.trunc %20 overflow<nuw> : i128 to i64
  %22 = llvm.trunc %19 : i128 to i64
  %23 = llvm.icmp "ne" %22, %4 : i64
  %24 = llvm.zext %23 : i1 to i64
  %25 = llvm.or %24, %21 : i64
  %26 = llvm.sub %5, %17 overflow<nsw, nuw> : i32
  %27 = llvm.zext nneg %26 : i32 to i64
  %28 = llvm.shl %27, %6 overflow<nsw, nuw> : i64
  %29 = llvm.bitcast %28 : i64 to f64
  %30 = llvm.uitofp %25 : i64 to f64
  %31 = llvm.fmul %29, %30 : f64
  llvm.br ^bb2(%31 : f64)
^bb2(%32: f64):
  llvm.return %32 : f64
}
""",
    "s128_to_f32": """
llvm.func internal @__nvvm_xdsl_s128_to_f32(%arg0: i128) -> f32 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(23 : i32) : i32
  %6 = llvm.mlir.constant(1602224128 : i32) : i32
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f32), ^bb1
^bb1:
  %8 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.lshr %8, %2 : i128
  %10 = llvm.icmp "eq" %9, %0 : i128
  %11 = llvm.trunc %9 overflow<nuw> : i128 to i64
  %12 = "llvm.intr.ctlz"(%11) <{is_zero_poison = true}> : (i64) -> i64
  %13 = llvm.trunc %12 overflow<nsw, nuw> : i64 to i32
  %14 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %15 = "llvm.intr.ctlz"(%14) <{is_zero_poison = true}> : (i64) -> i64
  %16 = llvm.trunc %15 overflow<nsw, nuw> : i64 to i32
  %17 = llvm.or disjoint %16, %3 : i32
  %18 = llvm.select %10, %17, %13 : i1, i32
  %19 = llvm.zext nneg %18 : i32 to i128
  %20 = llvm.shl %8, %19 : i128
  %21 = llvm.lshr %20, %2 : i128
  %22 = llvm.trunc %21 overflow<nuw> : i128 to i64
  %23 = llvm.trunc %20 : i128 to i64
  %24 = llvm.icmp "ne" %23, %4 : i64
  %25 = llvm.zext %24 : i1 to i64
  %26 = llvm.or %25, %22 : i64
  %27 = llvm.shl %18, %5 overflow<nsw, nuw> : i32
  %28 = llvm.sub %6, %27 overflow<nsw, nuw> : i32
  %29 = llvm.bitcast %28 : i32 to f32
  %30 = llvm.uitofp %26 : i64 to f32
  %31 = llvm.fmul %29, %30 : f32
  llvm.br ^bb2(%31 : f32)
^bb2(%32: f32):
  %33 = llvm.icmp "slt" %arg0, %0 : i128
  %34 = llvm.fneg %32 : f32
  %35 = llvm.select %33, %34, %32 : i1, f32
  llvm.return %35 : f32
}
""",
    "s128_to_f64": """
llvm.func internal @__nvvm_xdsl_s128_to_f64(%arg0: i128) -> f64 {
  %0 = llvm.mlir.constant(0 : i128) : i128
  %1 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %2 = llvm.mlir.constant(64 : i128) : i128
  %3 = llvm.mlir.constant(64 : i32) : i32
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(1087 : i32) : i32
  %6 = llvm.mlir.constant(52 : i64) : i64
  %7 = llvm.icmp "eq" %arg0, %0 : i128
  llvm.cond_br %7, ^bb2(%1 : f64), ^bb1
^bb1:
  %8 = "llvm.intr.abs"(%arg0) <{is_int_min_poison = false}> : (i128) -> i128
  %9 = llvm.lshr %8, %2 : i128
  %10 = llvm.icmp "eq" %9, %0 : i128
  %11 = llvm.trunc %9 overflow<nuw> : i128 to i64
  %12 = "llvm.intr.ctlz"(%11) <{is_zero_poison = true}> : (i64) -> i64
  %13 = llvm.trunc %12 overflow<nsw, nuw> : i64 to i32
  %14 = llvm.trunc %8 overflow<nuw> : i128 to i64
  %15 = "llvm.intr.ctlz"(%14) <{is_zero_poison = true}> : (i64) -> i64
  %16 = llvm.trunc %15 overflow<nsw, nuw> : i64 to i32
  %17 = llvm.or disjoint %16, %3 : i32
  %18 = llvm.select %10, %17, %13 : i1, i32
  %19 = llvm.zext nneg %18 : i32 to i128
  %20 = llvm.shl %8, %19 : i128
  %21 = llvm.lshr %20, %2 : i128
  %22 = llvm.trunc %21 overflow<nuw> : i128 to i64
  %23 = llvm.trunc %20 : i128 to i64
  %24 = llvm.icmp "ne" %23, %4 : i64
  %25 = llvm.zext %24 : i1 to i64
  %26 = llvm.or %25, %22 : i64
  %27 = llvm.sub %5, %18 overflow<nsw, nuw> : i32
  %28 = llvm.zext nneg %27 : i32 to i64
  %29 = llvm.shl %28, %6 overflow<nsw, nuw> : i64
  %30 = llvm.bitcast %29 : i64 to f64
  %31 = llvm.uitofp %26 : i64 to f64
  %32 = llvm.fmul %30, %31 : f64
  llvm.br ^bb2(%32 : f64)
^bb2(%33: f64):
  %34 = llvm.icmp "slt" %arg0, %0 : i128
  %35 = llvm.fneg %33 : f64
  %36 = llvm.select %34, %35, %33 : i1, f64
  llvm.return %36 : f64
}
""",
    "f64_to_u128": """
llvm.func internal @__nvvm_xdsl_f64_to_u128(%arg0: f64) -> i128 {
  %0 = llvm.mlir.constant(52 : i64) : i64
  %1 = llvm.mlir.constant(2047 : i32) : i32
  %2 = llvm.mlir.constant(-1075 : i32) : i32
  %3 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %4 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %5 = llvm.mlir.constant(1022 : i32) : i32
  %6 = llvm.mlir.constant(0 : i128) : i128
  %7 = llvm.mlir.constant(1075 : i32) : i32
  %8 = llvm.mlir.constant(1150 : i32) : i32
  %9 = llvm.bitcast %arg0 : f64 to i64
  %10 = llvm.lshr %9, %0 : i64
  %11 = llvm.trunc %10 overflow<nsw, nuw> : i64 to i32
  %12 = llvm.and %11, %1 : i32
  %13 = llvm.add %12, %2 overflow<nsw> : i32
  %14 = llvm.and %9, %3 : i64
  %15 = llvm.or disjoint %14, %4 : i64
  %16 = llvm.icmp "ult" %12, %5 : i32
  llvm.cond_br %16, ^bb5(%6 : i128), ^bb1
^bb1:
  %17 = llvm.icmp "ult" %12, %7 : i32
  llvm.cond_br %17, ^bb2, ^bb3
^bb2:
  %18 = llvm.sub %7, %12 overflow<nsw, nuw> : i32
  %19 = llvm.zext nneg %18 : i32 to i64
  %20 = llvm.lshr %15, %19 : i64
  %21 = llvm.zext nneg %20 : i64 to i128
  llvm.br ^bb5(%21 : i128)
^bb3:
  %22 = llvm.icmp "ugt" %12, %8 : i32
  llvm.cond_br %22, ^bb5(%6 : i128), ^bb4
^bb4:
  %23 = llvm.zext nneg %15 : i64 to i128
  %24 = llvm.zext nneg %13 : i32 to i128
  %25 = llvm.shl %23, %24 overflow<nuw> : i128
  llvm.br ^bb5(%25 : i128)
^bb5(%26: i128):
  llvm.return %26 : i128
}
""",
    "f64_to_s128": """
llvm.func internal @__nvvm_xdsl_f64_to_s128(%arg0: f64) -> i128 {
  %0 = llvm.mlir.constant(52 : i64) : i64
  %1 = llvm.mlir.constant(2047 : i32) : i32
  %2 = llvm.mlir.constant(-1075 : i32) : i32
  %3 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %4 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %5 = llvm.mlir.constant(1022 : i32) : i32
  %6 = llvm.mlir.constant(0 : i128) : i128
  %7 = llvm.mlir.constant(1075 : i32) : i32
  %8 = llvm.mlir.constant(1150 : i32) : i32
  %9 = llvm.mlir.constant(0.000000e+00 : f64) : f64
  %10 = llvm.bitcast %arg0 : f64 to i64
  %11 = llvm.lshr %10, %0 : i64
  %12 = llvm.trunc %11 overflow<nsw, nuw> : i64 to i32
  %13 = llvm.and %12, %1 : i32
  %14 = llvm.add %13, %2 overflow<nsw> : i32
  %15 = llvm.and %10, %3 : i64
  %16 = llvm.or disjoint %15, %4 : i64
  %17 = llvm.icmp "ult" %13, %5 : i32
  llvm.cond_br %17, ^bb5(%6 : i128), ^bb1
^bb1:
  %18 = llvm.icmp "ult" %13, %7 : i32
  llvm.cond_br %18, ^bb2, ^bb3
^bb2:
  %19 = llvm.sub %7, %13 overflow<nsw, nuw> : i32
  %20 = llvm.zext nneg %19 : i32 to i64
  %21 = llvm.lshr %16, %20 : i64
  %22 = llvm.zext nneg %21 : i64 to i128
  llvm.br ^bb5(%22 : i128)
^bb3:
  %23 = llvm.icmp "ugt" %13, %8 : i32
  llvm.cond_br %23, ^bb5(%6 : i128), ^bb4
^bb4:
  %24 = llvm.zext nneg %16 : i64 to i128
  %25 = llvm.zext nneg %14 : i32 to i128
  %26 = llvm.shl %24, %25 overflow<nuw> : i128
  llvm.br ^bb5(%26 : i128)
^bb5(%27: i128):
  %28 = llvm.fcmp "olt" %arg0, %9 : f64
  %29 = llvm.sub %6, %27 : i128
  %30 = llvm.select %28, %29, %27 : i1, i128
  llvm.return %30 : i128
}
""",
    "fmod32": """
llvm.func internal @__nvvm_xdsl_fmod32(%arg0: f32, %arg1: f32) -> f32 {
  %0 = llvm.mlir.constant(-2147483648 : i32) : i32
  %1 = llvm.mlir.constant(0 : i32) : i32
  %2 = llvm.mlir.constant(2139095039 : i32) : i32
  %3 = llvm.mlir.constant(true) : i1
  %4 = llvm.mlir.constant(2139095040 : i32) : i32
  %5 = llvm.mlir.constant(2147483647 : i32) : i32
  %6 = llvm.mlir.constant(23 : i32) : i32
  %7 = llvm.mlir.constant(8388607 : i32) : i32
  %8 = llvm.mlir.constant(8388608 : i32) : i32
  %9 = llvm.mlir.constant(1 : i32) : i32
  %10 = llvm.mlir.constant(false) : i1
  %11 = llvm.mlir.constant(8 : i32) : i32
  %12 = llvm.mlir.constant(-8 : i32) : i32
  %13 = llvm.mlir.constant(-1 : i32) : i32
  %14 = llvm.bitcast %arg0 : f32 to i32
  %15 = llvm.and %14, %0 : i32
  %16 = llvm.intr.fabs(%arg0) : (f32) -> f32
  %17 = llvm.bitcast %16 : f32 to i32
  %18 = llvm.intr.fabs(%arg1) : (f32) -> f32
  %19 = llvm.bitcast %18 : f32 to i32
  %20 = llvm.icmp "eq" %19, %1 : i32
  %21 = llvm.icmp "ugt" %17, %2 : i32
  %22 = llvm.select %20, %3, %21 : i1, i1
  %23 = llvm.icmp "ugt" %19, %4 : i32
  %24 = llvm.select %22, %3, %23 : i1, i1
  llvm.cond_br %24, ^bb6(%5, %1 : i32, i32), ^bb1
^bb1:
  %25 = llvm.icmp "ult" %17, %19 : i32
  llvm.cond_br %25, ^bb6(%17, %15 : i32, i32), ^bb2
^bb2:
  %26 = llvm.lshr %17, %6 : i32
  %27 = llvm.lshr %19, %6 : i32
  %28 = llvm.and %17, %7 : i32
  %29 = llvm.and %19, %7 : i32
  %30 = llvm.icmp "eq" %26, %1 : i32
  %31 = llvm.or disjoint %28, %8 : i32
  %32 = llvm.intr.umax(%26, %9) : (i32, i32) -> i32
  %33 = llvm.select %30, %28, %31 : i1, i32
  %34 = llvm.icmp "eq" %27, %1 : i32
  %35 = llvm.or disjoint %29, %8 : i32
  %36 = llvm.intr.umax(%27, %9) : (i32, i32) -> i32
  %37 = llvm.select %34, %29, %35 : i1, i32
  %38 = llvm.sub %32, %36 overflow<nsw> : i32
  %39 = llvm.urem %33, %37 : i32
  %40 = llvm.icmp "sgt" %38, %1 : i32
  %41 = llvm.icmp "ne" %39, %1 : i32
  %42 = llvm.select %40, %41, %10 : i1, i1
  llvm.cond_br %42, ^bb3(%39, %38 : i32, i32), ^bb4(%39, %41 : i32, i1)
^bb3(%43: i32, %44: i32):
  %45 = llvm.intr.smin(%44, %11) : (i32, i32) -> i32
  %46 = llvm.shl %43, %45 overflow<nuw> : i32
  %47 = llvm.sub %44, %45 overflow<nsw> : i32
  %48 = llvm.urem %46, %37 : i32
  %49 = llvm.icmp "sgt" %47, %1 : i32
  %50 = llvm.icmp "ne" %48, %1 : i32
  %51 = llvm.select %49, %50, %10 : i1, i1
  llvm.cond_br %51, ^bb3(%48, %47 : i32, i32), ^bb4(%48, %50 : i32, i1)
^bb4(%52: i32, %53: i1):
  llvm.cond_br %53, ^bb5, ^bb6(%1, %15 : i32, i32)
^bb5:
  %54 = "llvm.intr.ctlz"(%52) <{is_zero_poison = true}> : (i32) -> i32
  %55 = llvm.add %54, %12 overflow<nsw> : i32
  %56 = llvm.add %36, %13 overflow<nsw> : i32
  %57 = llvm.intr.smin(%55, %56) : (i32, i32) -> i32
  %58 = llvm.shl %52, %57 : i32
  %59 = llvm.and %58, %8 : i32
  %60 = llvm.icmp "eq" %59, %1 : i32
  %61 = llvm.sub %36, %57 overflow<nsw> : i32
  %62 = llvm.and %58, %7 : i32
  %63 = llvm.shl %61, %6 overflow<nsw> : i32
  %64 = llvm.or disjoint %62, %63 : i32
  %65 = llvm.select %60, %58, %64 : i1, i32
  llvm.br ^bb6(%65, %15 : i32, i32)
^bb6(%66: i32, %67: i32):
  %68 = llvm.or %67, %66 : i32
  %69 = llvm.bitcast %68 : i32 to f32
  llvm.return %69 : f32
}
""",
    "fmod64": """
llvm.func internal @__nvvm_xdsl_fmod64(%arg0: f64, %arg1: f64) -> f64 {
  %0 = llvm.mlir.constant(-9223372036854775808 : i64) : i64
  %1 = llvm.mlir.constant(0 : i64) : i64
  %2 = llvm.mlir.constant(9218868437227405311 : i64) : i64
  %3 = llvm.mlir.constant(true) : i1
  %4 = llvm.mlir.constant(9218868437227405312 : i64) : i64
  %5 = llvm.mlir.constant(9221120237041090560 : i64) : i64
  %6 = llvm.mlir.constant(52 : i64) : i64
  %7 = llvm.mlir.constant(4503599627370495 : i64) : i64
  %8 = llvm.mlir.constant(4503599627370496 : i64) : i64
  %9 = llvm.mlir.constant(1 : i32) : i32
  %10 = llvm.mlir.constant(0 : i32) : i32
  %11 = llvm.mlir.constant(false) : i1
  %12 = llvm.mlir.constant(11 : i32) : i32
  %13 = llvm.mlir.constant(-11 : i32) : i32
  %14 = llvm.mlir.constant(-1 : i32) : i32
  %15 = llvm.bitcast %arg0 : f64 to i64
  %16 = llvm.and %15, %0 : i64
  %17 = llvm.intr.fabs(%arg0) : (f64) -> f64
  %18 = llvm.bitcast %17 : f64 to i64
  %19 = llvm.intr.fabs(%arg1) : (f64) -> f64
  %20 = llvm.bitcast %19 : f64 to i64
  %21 = llvm.icmp "eq" %20, %1 : i64
  %22 = llvm.icmp "ugt" %18, %2 : i64
  %23 = llvm.select %21, %3, %22 : i1, i1
  %24 = llvm.icmp "ugt" %20, %4 : i64
  %25 = llvm.select %23, %3, %24 : i1, i1
  llvm.cond_br %25, ^bb7(%5, %1 : i64, i64), ^bb1
^bb1:
  %26 = llvm.icmp "ult" %18, %20 : i64
  llvm.cond_br %26, ^bb7(%18, %16 : i64, i64), ^bb2
^bb2:
  %27 = llvm.lshr %18, %6 : i64
  %28 = llvm.lshr %20, %6 : i64
  %29 = llvm.trunc %28 overflow<nsw, nuw> : i64 to i32
  %30 = llvm.and %18, %7 : i64
  %31 = llvm.and %20, %7 : i64
  %32 = llvm.icmp "eq" %27, %1 : i64
  %33 = llvm.trunc %27 overflow<nsw, nuw> : i64 to i32
  %34 = llvm.or disjoint %30, %8 : i64
  %35 = llvm.select %32, %9, %33 : i1, i32
  %36 = llvm.select %32, %30, %34 : i1, i64
  %37 = llvm.icmp "eq" %28, %1 : i64
  %38 = llvm.or disjoint %31, %8 : i64
  %39 = llvm.select %37, %9, %29 : i1, i32
  %40 = llvm.select %37, %31, %38 : i1, i64
  %41 = llvm.sub %35, %39 overflow<nsw> : i32
  %42 = llvm.urem %36, %40 : i64
  %43 = llvm.icmp "sgt" %41, %10 : i32
  %44 = llvm.icmp "ne" %42, %1 : i64
  %45 = llvm.select %43, %44, %11 : i1, i1
  llvm.cond_br %45, ^bb3(%42, %41 : i64, i32), ^bb4(%42, %44 : i64, i1)
^bb3(%46: i64, %47: i32):
  %48 = llvm.intr.smin(%47, %12) : (i32, i32) -> i32
  %49 = llvm.zext nneg %48 : i32 to i64
  %50 = llvm.shl %46, %49 : i64
  %51 = llvm.sub %47, %48 overflow<nsw> : i32
  %52 = llvm.urem %50, %40 : i64
  %53 = llvm.icmp "sgt" %51, %10 : i32
  %54 = llvm.icmp "ne" %52, %1 : i64
  %55 = llvm.select %53, %54, %11 : i1, i1
  llvm.cond_br %55, ^bb3(%52, %51 : i64, i32), ^bb4(%52, %54 : i64, i1)
^bb4(%56: i64, %57: i1):
  llvm.cond_br %57, ^bb5, ^bb7(%1, %16 : i64, i64)
^bb5:
  %58 = "llvm.intr.ctlz"(%56) <{is_zero_poison = true}> : (i64) -> i64
  %59 = llvm.trunc %58 overflow<nsw, nuw> : i64 to i32
  %60 = llvm.add %59, %13 overflow<nsw> : i32
  %61 = llvm.add %39, %14 overflow<nsw> : i32
  %62 = llvm.intr.smin(%60, %61) : (i32, i32) -> i32
  %63 = llvm.zext nneg %62 : i32 to i64
  %64 = llvm.shl %56, %63 : i64
  %65 = llvm.and %64, %8 : i64
  %66 = llvm.icmp "eq" %65, %1 : i64
  llvm.cond_br %66, ^bb7(%64, %16 : i64, i64), ^bb6
^bb6:
  %67 = llvm.sub %39, %62 overflow<nsw> : i32
  %68 = llvm.and %64, %7 : i64
  %69 = llvm.sext %67 : i32 to i64
  %70 = llvm.shl %69, %6 overflow<nsw> : i64
  %71 = llvm.or disjoint %68, %70 : i64
  llvm.br ^bb7(%71, %16 : i64, i64)
^bb7(%72: i64, %73: i64):
  %74 = llvm.or %73, %72 : i64
  %75 = llvm.bitcast %74 : i64 to f64
  llvm.return %75 : f64
}
""",
}
