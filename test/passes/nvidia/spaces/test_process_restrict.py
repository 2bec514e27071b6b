"""Facts about restrict pointers hold after inlining and reach PTX."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.dialects.llvm import FuncOp, LoadOp, StoreOp
from xdsl.ir import Operation

import nvvm_xdsl
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, AliasResult
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.pipeline import PassManager, run_pipeline
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.knobs import parse_opt

TRIPLE = 'target triple = "nvptx64-nvidia-cuda"\n'

TWICE = (
    TRIPLE
    + """
define internal void @move(ptr noalias %to, ptr noalias %from) {
  %x = load i32, ptr %from
  store i32 %x, ptr %to
  ret void
}
define ptx_kernel void @k(ptr %a, ptr %b) {
  call void @move(ptr %a, ptr %b)
  call void @move(ptr %b, ptr %a)
  ret void
}
"""
)


def function(module: ModuleOp, name: str) -> FuncOp:
    return next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == name)


def accesses(func: FuncOp) -> list[Operation]:
    return [op for op in func.walk() if isinstance(op, (LoadOp, StoreOp))]


def no_alias(func: FuncOp, a: Operation, b: Operation) -> bool:
    analysis = AliasAnalysis(func)
    first, second = analysis.location(a), analysis.location(b)
    assert first is not None
    assert second is not None
    return analysis.alias(first, second) is AliasResult.NO


def test_each_inlined_call_has_its_own_scopes():
    module = read_ll(TWICE)
    PassManager("process-restrict,inline<no-clean-up>").run(module)
    func = function(module, "k")
    load1, store1, load2, store2 = accesses(func)
    assert no_alias(func, load1, store1)
    assert no_alias(func, load2, store2)
    # %a and %b swap places: nothing is known between the calls.
    assert not no_alias(func, load1, store2)
    assert not no_alias(func, load2, store1)
    assert not no_alias(func, store1, store2)


def test_restrict_is_lost_by_inlining_without_process_restrict():
    module = read_ll(TWICE)
    PassManager("inline").run(module)
    func = function(module, "k")
    load1, store1, *_ = accesses(func)
    assert not no_alias(func, load1, store1)


def test_inlining_into_an_inlined_function_keeps_scopes_apart():
    text = (
        TWICE
        + """
    define ptx_kernel void @outer(ptr %a, ptr %b, ptr %c) {
      call void @both(ptr %a, ptr %b)
      call void @both(ptr %b, ptr %c)
      ret void
    }
    define internal void @both(ptr %a, ptr %b) {
      call void @move(ptr %a, ptr %b)
      call void @move(ptr %b, ptr %a)
      ret void
    }"""
    )
    module = read_ll(text)
    PassManager("process-restrict,inline<no-clean-up>").run(module)
    func = function(module, "outer")
    ops = accesses(func)
    assert len(ops) == 8
    for i, one in enumerate(ops):
        for j, two in enumerate(ops):
            if i < j:
                assert no_alias(func, one, two) == (i // 2 == j // 2)


def test_invariant_loads_alias_no_store():
    """In random kernels in which half of the pointers are restrict."""
    marked = 0
    for seed in range(40):
        module = random_kernel(seed)
        PassManager("process-restrict").run(module)
        for func in module.ops:
            if not isinstance(func, FuncOp) or not func.body.blocks:
                continue
            ops = accesses(func)
            loads = [op for op in ops if isinstance(op, LoadOp) and "invariant" in op.properties]
            marked += len(loads)
            stores = [op for op in ops if isinstance(op, StoreOp)]
            for load in loads:
                for store in stores:
                    assert no_alias(func, load, store)
    assert marked


PTX = (
    TRIPLE
    + """
define ptx_kernel void @k(ptr noalias %out, ptr noalias %in, ptr noalias %both, i1 %c) {
  %x = load i32, ptr %in
  %y = load i32, ptr %both
  store i32 %x, ptr %both
  %z = add i32 %x, %y
  %w = call i32 @f(ptr %in)
  %v = add i32 %z, %w
  store i32 %v, ptr %out
  ret void
}
define internal i32 @f(ptr %p) noinline {
  %q = getelementptr i32, ptr %p, i32 1
  %x = load i32, ptr %q
  ret i32 %x
}
"""
)


@needs_ptxas
def test_read_only_data_is_loaded_through_its_cache():
    module = read_ll(PTX)
    plain = nvvm_xdsl.compile(PTX, arch="sm_80", opt_level=0)
    PassManager("process-restrict,ipmsp,memory-space-opt<second-time>").run(module)
    text = nvvm_xdsl.emit(module, arch="sm_80", opt_level=0)
    assemble(text, "sm_80")
    assert plain.count("ld.global.nc") == 0
    assert text.count("ld.global.nc") == 2
    assert text.count("ld.global.b32") == 1


def test_behaviour():
    launch = Launch(
        "k",
        1,
        1,
        (np.zeros(4, np.int32), np.arange(4, dtype=np.int32), np.ones(4, np.int32), False),
    )
    for pipeline in ("process-restrict", "process-restrict,inline,early-cse,instsimplify,dce"):
        assert_same_behaviour(read_ll(PTX), pipeline, [launch], checks=("race", "sync"))


def test_a_chain_of_calls_takes_one_run():
    functions = [
        f"define internal void @f{i}(ptr %p) {{\n call void @f{i + 1}(ptr %p)\n ret void\n}}"
        for i in range(400)
    ]
    text = (
        TRIPLE
        + "\n".join(functions)
        + """
    define internal void @f400(ptr %p) {
      %x = load i32, ptr %p
      ret void
    }
    define ptx_kernel void @k(ptr noalias %p) {
      call void @f0(ptr %p)
      ret void
    }"""
    )
    module = read_ll(text)
    PassManager("process-restrict").run(module)
    once = ir_text(module)
    assert once.count("llvm.noalias}") == 401
    assert once.count(" invariant ") == 1
    PassManager("process-restrict").run(module)
    assert ir_text(module) == once


INLINED = (
    TRIPLE
    + """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@shared = internal addrspace(3) global i32 undef
define internal void @body(ptr noalias %from, ptr noalias %to, i32 %i) alwaysinline {
  %p = getelementptr float, ptr %from, i32 %i
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  %q = getelementptr float, ptr %to, i32 %i
  store float %y, ptr %q
  ret void
}
define ptx_kernel void @k(ptr %a, ptr %b, ptr %c, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = alloca i32
  %odd = icmp ult i32 %t, %n
  KERNEL
  ret void
}
"""
)

CALL = "call void @body(ptr %a, ptr %b, i32 %t)"
LOOP = """
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ FIRST, %loop ]
  %q = phi ptr [ %b, %entry ], [ SECOND, %loop ]
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @body(ptr %p, ptr %q, i32 %k)
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %out
out:"""


@pytest.mark.parametrize("level", ["nvopt<O1>", "nvopt<O3>", "nvopt<Ofcmid>"])
@pytest.mark.parametrize(
    "kernel",
    [
        CALL,
        f"call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n {CALL}",
        f"store i32 0, ptr addrspace(3) @shared\n {CALL}",
    ],
    ids=["alone", "barrier", "store to shared memory"],
)
def test_arguments_that_an_inlined_callee_only_reads_are_read_only(kernel: str, level: str):
    """As observed of NVIDIA's compiler."""
    module = read_ll(INLINED.replace("KERNEL", kernel))
    PassManager(level).run(module)
    ptx = nvvm_xdsl.compile(module, arch="sm_90", opt_level=0)
    assert "ld.global.nc.f32" in ptx
    assert "ld.global.f32" not in ptx


@pytest.mark.parametrize(
    "kernel",
    [
        f"{CALL}\n store float 0.0, ptr %c",
        f"{CALL}\n call void @body(ptr %b, ptr %a, i32 %t)",
        "call void @body(ptr %a, ptr %a, i32 %t)",
        f"{CALL}\n atomicrmw add ptr %c, i32 1 monotonic",
        f"store volatile i32 1, ptr %c\n {CALL}",
        f"%w = load volatile i32, ptr %c\n {CALL}",
        f"%w = load atomic i32, ptr %c acquire, align 4\n {CALL}",
        f"%w = load atomic i32, ptr %c monotonic, align 4\n {CALL}",
        f"fence acq_rel\n {CALL}",
        f"call void @unknown(ptr %c)\n {CALL}",
        "%p = select i1 %odd, ptr %a, ptr %b\n %q = select i1 %odd, ptr %b, ptr %a\n"
        "call void @body(ptr %p, ptr %q, i32 %t)",
        "%p = load ptr, ptr %c\n call void @body(ptr %p, ptr %b, i32 %t)",
        "%p = load ptr, ptr %c\n call void @body(ptr %a, ptr %p, i32 %t)",
        LOOP.replace("FIRST", "%q").replace("SECOND", "%p"),
        LOOP.replace("FIRST", "%a").replace("SECOND", "%b"),
    ],
    ids=[
        *("store besides", "exchanged second call", "same pointer", "atomic", "volatile"),
        *("volatile load", "acquire", "relaxed", "fence"),
        *("unknown call", "chosen by thread", "loaded source", "loaded target"),
        *("exchanged in a loop", "loop"),
    ],
)
def test_memory_that_may_be_stored_to_is_not_read_only(kernel: str):
    text = INLINED.replace("KERNEL", kernel) + "declare void @unknown(ptr)\n"
    module = read_ll(text)
    PassManager("nvopt<O3>").run(module)
    ptx = nvvm_xdsl.compile(module, arch="sm_90", opt_level=0)
    assert "ld.global.nc.f32" not in ptx
    assert "ld.global.f32" in ptx or "ld.f32" in ptx


STRUCT = (
    TRIPLE
    + """
%S = type { ptr, ptr, i64 }
define ptx_kernel void @k(ptr byval(%S) align 8 %s) {
  %a = load ptr, ptr %s
  %at = getelementptr inbounds i8, ptr %s, i64 8
  %b = load ptr, ptr %at
  ADD
  %x = load float, ptr %a
  store float %x, ptr %b
  %y = load float, ptr %a
  %c = getelementptr float, ptr %b, i64 1
  store float %y, ptr %c
  ret void
}
declare void @see(ptr)
"""
)
ROWS = (
    TRIPLE
    + """
define ptx_kernel void @k(ptr noalias %rows, ptr noalias %out) {
  %a = load ptr, ptr %rows
  %at = getelementptr inbounds i8, ptr %rows, i64 8
  %b = load ptr, ptr %at
  ADD
  %x = load float, ptr %a
  store float %x, ptr %out
  %y = load float, ptr %b
  store float %y, ptr %out
  ret void
}
declare void @see(ptr)
"""
)


def invariant_loads(text: str, added: str, opt: str) -> int:
    module = read_ll(text.replace("ADD", added))
    run_pipeline(module, "process-restrict", options=parse_opt(opt))
    loads = [op for op in function(module, "k").walk() if isinstance(op, LoadOp)]
    return sum("invariant" in op.properties and op.results[0].type == f32 for op in loads)


HIDDEN = [
    "call void @see(ptr %s)",
    "call void @see(ptr %a)",
    "%n = load i64, ptr %s\n  %p = inttoptr i64 %n to ptr\n  store float 0.0, ptr %p",
    "%h = getelementptr i8, ptr %s, i64 4\n  %n = load i32, ptr %h",
    "store float 0.0, ptr %a",
    "%v = load volatile float, ptr %a",
]
"""Uses of the struct or of a pointer in it after which nothing is known."""


@pytest.mark.parametrize("added", HIDDEN)
def test_pointers_in_structs(added: str):
    assert invariant_loads(STRUCT, "", "") == 0
    assert invariant_loads(STRUCT, "", "-allow-restrict-in-struct") == 2
    assert invariant_loads(STRUCT, added, "-allow-restrict-in-struct") == 0


@pytest.mark.parametrize("added", [text.replace("%s", "%rows") for text in HIDDEN])
def test_pointers_loaded_through_restrict_pointers(added: str):
    """Pointers loaded through one pointer may alias: a store through one is visible to loads through others."""
    assert invariant_loads(ROWS, "", "") == 0
    assert invariant_loads(ROWS, "", "-apply-multi-level-restrict") == 2
    assert invariant_loads(ROWS, added, "-apply-multi-level-restrict") == 0
    assert invariant_loads(ROWS, "store float 0.0, ptr %b", "-apply-multi-level-restrict") == 0


def test_fields_do_not_alias():
    module = read_ll(STRUCT.replace("ADD", ""))
    run_pipeline(module, "process-restrict<allow-restrict-in-struct>")
    func = function(module, "k")
    _, _, load, store, again, _ = accesses(func)
    assert no_alias(func, load, store)
    assert no_alias(func, store, again)


def test_redundant_loads_from_a_struct_of_pointers_are_removed():
    """A load after a store through another field of the struct equals the load before."""
    module = read_ll(STRUCT.replace("ADD", ""))
    run_pipeline(module, "nvopt<O3>", options=parse_opt("-allow-restrict-in-struct"))
    assert (
        sum(
            op.results[0].type == f32
            for op in function(module, "k").walk()
            if isinstance(op, LoadOp)
        )
        == 1
    )


def test_a_frozen_pointer_is_based_on_its_operand():
    """The second store changes the loaded value if `%n` is 0."""
    module = read_ll(
        TRIPLE
        + """
define ptx_kernel void @k(ptr noalias %p, ptr noalias %o, i64 %n) {
  %q = freeze ptr %p
  %g = getelementptr i32, ptr %q, i64 %n
  store i32 0, ptr %p
  store i32 1, ptr %g
  %v = load i32, ptr %p
  store i32 %v, ptr %o
  ret void
}
"""
    )
    launches = [
        Launch("k", 1, 1, (np.zeros(2, np.int32), np.zeros(1, np.int32), n)) for n in (0, 1)
    ]
    assert_same_behaviour(module, "process-restrict,function(gvn)", launches)


def test_a_frozen_pointer_is_another_argument_with_the_same_memory():
    module = read_ll(
        TRIPLE
        + """
define internal void @move(ptr %to, ptr %from) {
  %x = load i32, ptr %from
  store i32 %x, ptr %to
  ret void
}
define ptx_kernel void @k(ptr noalias %a) {
  %b = freeze ptr %a
  call void @move(ptr %a, ptr %b)
  ret void
}
"""
    )
    run_pipeline(module, "process-restrict<propagate-only>")
    assert "noalias" not in str(function(module, "move"))
