"""The number of machine instructions of both sides of a replacement, from ptxas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from dev.superopt.search import Found
from dev.superopt.terms import CASTS, Input, Node, Number, Term, inputs, terms
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.assembled import assemble

ARCH: Final = "sm_90"

_INTRINSICS: Final = {
    "smax": "", "smin": "", "umax": "", "umin": "", "ctpop": "", "bswap": "",
    "abs": ", i1 false", "ctlz": ", i1 false", "cttz": ", i1 false", "usubsat": "",
}  # fmt: skip


def machine_instructions(found: Found) -> tuple[int, int]:
    """The machine instructions of a kernel that stores the window's value, with the window and with
    its replacement. Kept values are stored, too."""
    kept = sorted(found.shape.kept, key=str)
    text = "".join(
        kernel(name, root, kept, inputs(found.shape.root))
        for name, root in (("left", found.shape.root), ("right", found.right))
    )
    ptx = compile_here(text, options=CompileOptions(ARCH, opt_level=3))
    kernels = assemble(ptx, ARCH)
    return kernels["left"].instructions, kernels["right"].instructions


def kernel(name: str, root: Node, kept: Sequence[Node], values: Sequence[Input]) -> str:
    """LLVM IR of a kernel that loads the inputs and stores an expression and the kept values."""
    lines = [
        f"define ptx_kernel void @{name}(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {{"
    ]
    lines.append("  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
    lines.append("  %lane = zext i32 %tid to i64")
    lines.append("  %from = getelementptr [64 x i8], ptr addrspace(1) %in, i64 %lane")
    lines.append("  %to = getelementptr [64 x i8], ptr addrspace(1) %out, i64 %lane")
    names: dict[Node, str] = {}
    for number, value in enumerate(values):
        memory = max(8, value.width)
        lines.append(f"  %p{number} = getelementptr i8, ptr addrspace(1) %from, i64 {8 * number}")
        lines.append(
            f"  %m{number} = load volatile i{memory}, ptr addrspace(1) %p{number}, align 8"
        )
        names[value] = f"%m{number}"
        if memory != value.width:
            lines.append(f"  %i{number} = trunc i{memory} %m{number} to i{value.width}")
            names[value] = f"%i{number}"
    for node in (root, *kept):
        lines += _ops(node, names)
    for number, node in enumerate((root, *kept)):
        width = max(8, node.width)
        stored = _name(node, names)
        if width != node.width:
            lines.append(f"  %z{number} = zext i{node.width} {stored} to i{width}")
            stored = f"%z{number}"
        lines.append(f"  %q{number} = getelementptr i8, ptr addrspace(1) %to, i64 {8 * number}")
        lines.append(f"  store i{width} {stored}, ptr addrspace(1) %q{number}, align 8")
    return "\n".join([*lines, "  ret void", "}", ""])


def _name(node: Node, names: dict[Node, str]) -> str:
    return str(node.value) if isinstance(node, Number) else names[node]


def _ops(root: Node, names: dict[Node, str]) -> Iterator[str]:
    for term in terms(root):
        if term not in names:
            names[term] = f"%t{len(names)}"
            yield f"  {names[term]} = {_op(term, [_name(arg, names) for arg in term.args])}"


def _op(term: Term, args: Sequence[str]) -> str:
    type_ = f"i{term.args[0].width}"
    flags = "".join(
        f" {flag}" for flag in sorted(term.flags, reverse=True) if term.op not in _INTRINSICS
    )
    if term.op == "icmp":
        return f"icmp {term.predicate} {type_} {args[0]}, {args[1]}"
    if term.op == "select":
        return f"select i1 {args[0]}, i{term.width} {args[1]}, i{term.width} {args[2]}"
    if term.op in CASTS:
        return f"{term.op}{flags} {type_} {args[0]} to i{term.width}"
    if term.op in _INTRINSICS:
        name = "usub.sat" if term.op == "usubsat" else term.op
        given = ", ".join(f"{type_} {arg}" for arg in args)
        return f"call {type_} @llvm.{name}.{type_}({given}{_INTRINSICS[term.op]})"
    return f"{term.op}{flags} {type_} {args[0]}, {args[1]}"
