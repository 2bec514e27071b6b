"""Proofs of instances of rules whose right side is a function.

Such a rule has no claim of its own, because its function reads the matched ops. Each instance is a
function in LLVM assembly that `instsimplify` changes. `nvvm-tv`'s method proves that the changed
function refines the original.
"""

from __future__ import annotations

from collections.abc import Iterator

import nvvm_xdsl
from nvvm_xdsl.lab.validation.validator import Limits, Verdict, validate
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.rules.language import Rule

SAMPLES = {
    "cast-and-back.spacecast": """
        define ptr @generic(ptr %x) {
          %global = addrspacecast ptr %x to ptr addrspace(1)
          %r = addrspacecast ptr addrspace(1) %global to ptr
          ret ptr %r
        }
        define ptr addrspace(3) @shared(ptr addrspace(3) %x) {
          %generic = addrspacecast ptr addrspace(3) %x to ptr
          %r = addrspacecast ptr %generic to ptr addrspace(3)
          ret ptr addrspace(3) %r
        }
    """,
    "ptr-of-int-of-ptr": """
        define ptr @same_width(ptr %x) {
          %n = ptrtoint ptr %x to i64
          %r = inttoptr i64 %n to ptr
          ret ptr %r
        }
        define ptr @wider(ptr %x) {
          %n = ptrtoint ptr %x to i128
          %r = inttoptr i128 %n to ptr
          ret ptr %r
        }
    """,
    "int-of-ptr-of-int": """
        define i64 @same_width(i64 %x) {
          %p = inttoptr i64 %x to ptr
          %r = ptrtoint ptr %p to i64
          ret i64 %r
        }
        define i32 @narrower(i32 %x) {
          %p = inttoptr i32 %x to ptr
          %r = ptrtoint ptr %p to i32
          ret i32 %r
        }
        define <2 x i64> @vector(<2 x i64> %x) {
          %p = inttoptr <2 x i64> %x to <2 x ptr>
          %r = ptrtoint <2 x ptr> %p to <2 x i64>
          ret <2 x i64> %r
        }
    """,
    "gep-zero": """
        define ptr @element(ptr %p) {
          %r = getelementptr i32, ptr %p, i64 0
          ret ptr %r
        }
        define ptr @field(ptr %p) {
          %r = getelementptr inbounds { { i16, i32 }, [4 x i8] }, ptr %p, i64 0, i32 0, i32 0
          ret ptr %r
        }
        define ptr addrspace(3) @shared(ptr addrspace(3) %p) {
          %r = getelementptr [8 x i64], ptr addrspace(3) %p, i32 0, i32 0
          ret ptr addrspace(3) %r
        }
    """,
    "extract-of-insert": """
        define i32 @same_place({ i32, i64 } %a, i32 %x) {
          %b = insertvalue { i32, i64 } %a, i32 %x, 0
          %r = extractvalue { i32, i64 } %b, 0
          ret i32 %r
        }
        define i32 @below_another(i32 %x, i64 %y) {
          %a = insertvalue { i32, i64 } undef, i32 %x, 0
          %b = insertvalue { i32, i64 } %a, i64 %y, 1
          %r = extractvalue { i32, i64 } %b, 0
          ret i32 %r
        }
        define i16 @inside({ { i8, i16 }, [2 x i32] } %a, { i8, i16 } %s, i16 %x) {
          %t = insertvalue { i8, i16 } %s, i16 %x, 1
          %b = insertvalue { { i8, i16 }, [2 x i32] } %a, { i8, i16 } %t, 0
          %r = extractvalue { { i8, i16 }, [2 x i32] } %b, 0, 1
          ret i16 %r
        }
        define i64 @of_undef(i32 %x) {
          %b = insertvalue { i32, i64 } undef, i32 %x, 0
          %r = extractvalue { i32, i64 } %b, 1
          ret i64 %r
        }
        define i64 @of_zero(i32 %x) {
          %b = insertvalue { i32, i64 } zeroinitializer, i32 %x, 0
          %r = extractvalue { i32, i64 } %b, 1
          ret i64 %r
        }
        define float @element([3 x float] %a, float %x) {
          %b = insertvalue [3 x float] %a, float %x, 2
          %r = extractvalue [3 x float] %b, 2
          ret float %r
        }
    """,
    "insert-of-extract": """
        define { i32, i64 } @unchanged({ i32, i64 } %a) {
          %x = extractvalue { i32, i64 } %a, 1
          %r = insertvalue { i32, i64 } %a, i64 %x, 1
          ret { i32, i64 } %r
        }
        define { i32, i64 } @rebuilt({ i32, i64 } %a, { i32, i64 } %b) {
          %x = extractvalue { i32, i64 } %a, 0
          %y = extractvalue { i32, i64 } %a, 1
          %c = insertvalue { i32, i64 } %b, i32 %x, 0
          %r = insertvalue { i32, i64 } %c, i64 %y, 1
          ret { i32, i64 } %r
        }
        define [2 x i8] @elements([2 x i8] %a) {
          %x = extractvalue [2 x i8] %a, 0
          %y = extractvalue [2 x i8] %a, 1
          %c = insertvalue [2 x i8] undef, i8 %y, 1
          %r = insertvalue [2 x i8] %c, i8 %x, 0
          ret [2 x i8] %r
        }
    """,
    "element-of-insert": """
        define i32 @same_place(<4 x i32> %v, i32 %x) {
          %w = insertelement <4 x i32> %v, i32 %x, i32 2
          %r = extractelement <4 x i32> %w, i32 2
          ret i32 %r
        }
        define i32 @below_another(<4 x i32> %v, i32 %x, i32 %y) {
          %w = insertelement <4 x i32> %v, i32 %x, i32 2
          %u = insertelement <4 x i32> %w, i32 %y, i32 1
          %r = extractelement <4 x i32> %u, i32 2
          ret i32 %r
        }
        define float @shuffled(<2 x float> %v, float %x) {
          %w = insertelement <2 x float> %v, float %x, i32 0
          %u = shufflevector <2 x float> %v, <2 x float> %w, <2 x i32> <i32 1, i32 2>
          %r = extractelement <2 x float> %u, i32 1
          ret float %r
        }
        define i8 @of_a_constant(i8 %x) {
          %w = insertelement <2 x i8> <i8 3, i8 4>, i8 %x, i32 0
          %r = extractelement <2 x i8> %w, i32 1
          ret i8 %r
        }
        define i8 @of_undef(i8 %x) {
          %w = insertelement <2 x i8> undef, i8 %x, i32 0
          %r = extractelement <2 x i8> %w, i32 1
          ret i8 %r
        }
    """,
    "vector-of-constants": """
        define <4 x i16> @all_elements() {
          %a = insertelement <4 x i16> undef, i16 1, i32 0
          %b = insertelement <4 x i16> %a, i16 2, i32 1
          %c = insertelement <4 x i16> %b, i16 3, i32 2
          %r = insertelement <4 x i16> %c, i16 4, i32 3
          ret <4 x i16> %r
        }
        define <2 x float> @into_a_constant() {
          %r = insertelement <2 x float> <float 1.0, float 2.0>, float 3.0, i32 1
          ret <2 x float> %r
        }
        define <2 x i8> @twice() {
          %a = insertelement <2 x i8> <i8 1, i8 2>, i8 3, i32 0
          %r = insertelement <2 x i8> %a, i8 4, i32 0
          ret <2 x i8> %r
        }
    """,
}
"""Instances in LLVM assembly, by rule."""


def instance_verdicts(rule: Rule, seconds: float) -> Iterator[Verdict]:
    """The verdicts on the instances of a rule, within a time limit in seconds for each query."""
    text = SAMPLES[rule.name]
    before, after = nvvm_xdsl.parse(text), nvvm_xdsl.parse(text)
    run_pipeline(after, "instsimplify")
    yield from validate(before, after, Limits(seconds, 4 * seconds))
