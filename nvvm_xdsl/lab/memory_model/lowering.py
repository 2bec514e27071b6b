"""Atomic operations of NVVM IR compared with the PTX that a compiler emits for them.

The lowering of an operation is correct if the PTX of every shape has only outcomes of the IR. It is no
stronger than necessary if every weaker form of its instructions adds an outcome to some shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.memory_model.llvm_model import LLVM
from nvvm_xdsl.lab.memory_model.module_program import ir_program, ptx_program
from nvvm_xdsl.lab.memory_model.refinement import added_outcomes
from nvvm_xdsl.lab.memory_model.search import PTX, Outcome, outcomes
from nvvm_xdsl.lab.memory_model.shapes import Operation, Shape, shapes

FIRST_CLUSTERS: Final = 90
"""From sm_90 on, a cluster can have several blocks."""

Compile = Callable[[str, str], str]
"""Compiles LLVM assembly for an architecture to PTX."""

SYNCHRONIZING = re.compile(
    r"\t(?:@!?%p\d+ )?((?:ld|st|atom|red)\.[\w.]*\b(?:relaxed|acquire|release|acq_rel|volatile)\b[\w.]*"
    r"|(?:atom|red)\.[\w.]+|fence\.[\w.]+|membar\.\w+)"
)
"""An instruction of PTX text that is strong, or is a fence."""

_WEAKER = {
    "fence.sc": ("fence.acq_rel",),
    "acq_rel": ("acquire", "release"),
    "acquire": ("relaxed",),
    "release": ("relaxed",),
    "sys": ("gpu",),
    "gpu": ("cluster",),
    "cluster": ("cta",),
}
"""Modifiers of an opcode with their next weaker forms; a fence can also be omitted."""


def our_compiler(text: str, arch: str) -> str:
    """PTX of this compiler without optimization, which would remove parts of the shapes."""
    return compile(text, arch=arch, opt_level=0)


@dataclass(frozen=True)
class Fault:
    """A shape with outcomes that the IR does not allow."""

    shape: Shape
    added: tuple[Outcome, ...]


def check(shape: Shape, ptx: str, allowed: set[Outcome]) -> Fault | None:
    """Compares the outcomes of PTX with those of the IR."""
    program = ptx_program(read_ptx(ptx), shape.places(), shape.observed)
    added = added_outcomes(allowed, outcomes(program, PTX))
    return Fault(shape, tuple(added)) if added else None


def allowed_outcomes(shape: Shape) -> set[Outcome]:
    """The outcomes of the IR of a shape."""
    return outcomes(ir_program(parse(shape.text()), shape.places(), shape.observed), LLVM)


def shapes_for(operation: Operation, arch: str) -> list[Shape]:
    """The shapes of an operation, with the clusters of an architecture."""
    clusters = Target.parse(arch).sm >= FIRST_CLUSTERS
    return [replace(shape, clusters=clusters) for shape in shapes(operation)]


def faults(
    operation: Operation,
    architectures: Sequence[str],
    compiler: Compile = our_compiler,
) -> dict[str, list[Fault]]:
    """The shapes in which the PTX of an operation has outcomes that the IR does not allow, by architecture.

    Equal instructions of several architectures are checked once.
    """
    found: dict[str, list[Fault]] = {}
    known: dict[tuple[str, str, bool], Fault | None] = {}
    for arch in architectures:
        found[arch] = []
        for shape in shapes_for(operation, arch):
            ptx = compiler(shape.text(), arch)
            body = ptx[ptx.index(".address_size") :]
            key = (shape.name, body, shape.clusters)
            if key not in known:
                known[key] = check(shape, ptx, allowed_outcomes(shape))
            fault = known[key]
            if fault is not None:
                found[arch].append(fault)
    return found


def instructions(operation: Operation, arch: str, compiler: Compile = our_compiler) -> list[str]:
    """The strong instructions and fences of one operation, without space, type and operands."""
    value = 0 if operation.kind in ("load", "fence", "cmpxchg-failure") else 1
    body = (operation.text("r0", "x", value),)
    ptx = compiler(Shape("one", (body,), operation, ()).text(), arch)
    return strong_instructions(ptx)


def strong_instructions(ptx: str) -> list[str]:
    """The strong instructions and fences of PTX text, without space, type and operands."""
    return [_plain(match[1]) for match in SYNCHRONIZING.finditer(ptx)]


def _plain(opcode: str) -> str:
    """An opcode without its space and type."""
    words = opcode.split(".")
    return ".".join(
        w for w in words
        if w not in ("global", "shared") and not re.fullmatch(r"(shared::\w+)|[busf]\d+", w)
    )  # fmt: skip


def weakened(ptx: str) -> Iterator[tuple[str, str]]:
    """PTX with one instruction weaker, and a description of the change."""
    for match in SYNCHRONIZING.finditer(ptx):
        opcode = match[1]
        if opcode.startswith(("fence", "membar")):
            end = ptx.index(";", match.end()) + 1
            yield f"without {opcode}", ptx[: match.start(1)] + ptx[end:]
        for word, weaker in _WEAKER.items():
            if not re.search(rf"\b{re.escape(word)}\b", opcode):
                continue
            for other in weaker:
                if opcode.startswith("fence") and other == "relaxed":
                    continue
                changed = re.sub(rf"\b{re.escape(word)}\b", other, opcode, count=1)
                yield (
                    f"{opcode} as {changed}",
                    ptx[: match.start(1)] + changed + ptx[match.end(1) :],
                )


def unnecessary(
    operation: Operation, arch: str, compiler: Compile = our_compiler
) -> tuple[int, set[str]]:
    """Weakens all instructions of the shapes of an operation one at a time.

    Returns the number of weaker forms that were tried, each counted once for the operation, and those
    that add no outcome to any shape.
    """
    added: set[str] = set()
    tried: set[str] = set()
    for shape in shapes_for(operation, arch):
        allowed = allowed_outcomes(shape)
        ptx = compiler(shape.text(), arch)
        for change, text in weakened(ptx):
            change = " as ".join(_plain(part) for part in change.split(" as "))
            tried.add(change)
            if change not in added and check(shape, text, allowed) is not None:
                added.add(change)
    return len(tried), tried - added


def orderings(kind: str) -> Sequence[str]:
    """The orderings of an operation, weakest first."""
    table = {
        "load": "unordered monotonic acquire seq_cst",
        "store": "unordered monotonic release seq_cst",
        "fence": "acquire release acq_rel seq_cst",
    }
    return table.get(kind, "monotonic acquire release acq_rel seq_cst").split()


KINDS = ("load", "store", "atomicrmw", "cmpxchg-success", "cmpxchg-failure", "fence")

SCOPES = ("", "device", "cluster", "block", "singlethread")


def operations(
    scopes: Sequence[str] = SCOPES, type_: str = "i32", space: str = "global"
) -> Iterator[Operation]:
    """All operations on a type in a space."""
    for kind in KINDS:
        for ordering in orderings(kind):
            for failure in _failures(kind):
                for scope in scopes:
                    yield Operation(kind, ordering, scope, failure, type_, space)


def _failures(kind: str) -> Sequence[str]:
    return ("monotonic", "acquire", "seq_cst") if kind.startswith("cmpxchg") else ("monotonic",)
