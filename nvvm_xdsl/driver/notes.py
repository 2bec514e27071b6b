"""Notes and warnings about a module for the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import calls_in, functions_of, is_declaration
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.nvidia.lowering.relax_cuda_atomics import may_be_cuda_atomic

Remark = Callable[[str], None]

DEVICE_RUNTIME: Final = frozenset(
    {"printf", "vprintf", "malloc", "free", "__assertfail", "__assert_fail", "__nvvm_reflect"}
)
"""Functions without a body that ptxas knows or that code generation replaces (CUDA C++ Programming Guide,
"Formatted Output", "Dynamic Global Memory Allocation" and "Assertion")."""


def tell_unoptimizable(module: ModuleOp, remark: Remark) -> None:
    """Warns of functions marked `optnone`, as clang -O0 marks all functions."""
    found = [
        defined_name(func)
        for func in functions_of(module)
        if has_function_attribute(func, "optimize_none")
    ]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        remark(
            f"warning: @{found[0]}{more}: the attribute optnone, which clang -O0 adds, disables optimization; "
            "use clang -O2 -Xclang -disable-llvm-passes"
        )


def tell_fenced_atomics(module: ModuleOp, remark: Remark) -> None:
    """Notes that atomics have a fence, which CUDA's functions do not need."""
    count = sum(
        may_be_cuda_atomic(op)
        for func in functions_of(module)
        for block in fast.blocks_of(func.regions[0])
        for op in fast.ops_of(block)
    )
    if count:
        subject = "an atomic operation is" if count == 1 else f"{count} atomic operations are"
        remark(
            f"{subject} sequentially consistent, with a fence each: if the source has CUDA's atomic functions "
            "(clang up to 22), use -relaxed-atomics=1"
        )


def tell_recursion(module: ModuleOp, remark: Remark) -> None:
    """Notes which kernels call recursive functions, whose stack size cannot be determined."""

    graph = CallGraph(module)
    recursive = graph.recursive(indirect=False)
    if not recursive:
        return
    for node in graph.nodes.values():
        if not is_kernel(node.func):
            continue
        seen = {node}
        work = [node]
        while work:
            for callee in work.pop().callees():
                if callee not in seen:
                    seen.add(callee)
                    work.append(callee)
        found = sorted(one.name for one in seen & recursive)
        if found:
            names = ", ".join(f"@{name}" for name in found)
            verb = "recurses" if len(found) == 1 else "recurse"
            remark(
                f"in @{node.name}: {names} {verb}, so the required stack size is unknown: set cudaLimitStackSize "
                "before the launch if the default is too small"
            )


def tell_unresolved(module: ModuleOp, remark: Remark) -> None:
    """Warns of undefined functions that a program with kernels calls: ptxas rejects them."""
    functions = list(functions_of(module))
    if not any(map(is_kernel, functions)):
        return
    declared = {
        defined_name(op)
        for op in fast.ops_of(module.body.block)
        if isinstance(op, FuncOp) and is_declaration(op)
    }
    callers: dict[str, str] = {}
    for function in functions:
        for call in calls_in(function):
            name = call.callee.string_value() if call.callee is not None else ""
            if name in declared and name not in DEVICE_RUNTIME and find_intrinsic(name) is None:
                callers.setdefault(name, defined_name(function))
    for name, caller in callers.items():
        remark(
            f"warning: @{name}, called in @{caller}, is not defined: give the file that defines it too, "
            "or -dc if another program links the result"
        )
