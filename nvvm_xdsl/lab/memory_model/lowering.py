"""Atomic operations of NVVM IR compared with the PTX that a compiler emits for them.

The lowering of an operation is correct if the PTX of every shape has only outcomes of the IR. It is no
stronger than necessary if every weaker form of its instructions adds an outcome to some shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.memory_model.llvm_model import LLVM
from nvvm_xdsl.lab.memory_model.module_program import ir_program, ptx_program
from nvvm_xdsl.lab.memory_model.refinement import Allowed, added_outcomes
from nvvm_xdsl.lab.memory_model.search import PTX, Outcome, outcomes
from nvvm_xdsl.lab.memory_model.shapes import FLOATS, Operation, Shape, shapes
from nvvm_xdsl.lab.memory_model.traces import TooLargeError

FIRST_CLUSTERS: Final = 90
"""From sm_90 on, a cluster can have several blocks."""

NO_REPETITION: Final = 0
"""Loop bound of the shapes. Their only loops are those around `atom.cas`. A failed iteration adds
reads, which only exclude executions: the load before the loop can return the value of the last one.
"""

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
    program = ptx_program(read_ptx(ptx), shape.places(), shape.observed, NO_REPETITION)
    found = outcomes(program, PTX, is_allowed=Allowed(allowed).allows)
    added = added_outcomes(allowed, found)
    return Fault(shape, tuple(added)) if added else None


def allowed_outcomes(shape: Shape) -> set[Outcome]:
    """The outcomes of the IR of a shape."""
    return outcomes(ir_program(parse(shape.text()), shape.places(), shape.observed), LLVM)


def shapes_for(operation: Operation, arch: str) -> list[Shape]:
    """The shapes of an operation, with the clusters of an architecture."""
    clusters = Target.parse(arch).sm >= FIRST_CLUSTERS
    return [replace(shape, clusters=clusters) for shape in shapes(operation)]


@dataclass
class Checks:
    """Checks of shapes, each made once.

    The models have the same outcomes for all types with the same constants, and for all spaces. PTX
    that differs in nothing else is checked once.

    Attributes:
        allowed: the outcomes of the IR of each shape. results: faults by shape and PTX.
        omitted: shapes whose PTX accesses a variable with several sizes, as a loop around `atom.cas`
            of 4 bytes and a load of one byte do. The PTX model excludes races between such accesses.
    """

    allowed: dict[Shape, set[Outcome]] = field(default_factory=dict[Shape, "set[Outcome]"])
    results: dict[tuple[Shape, str], Fault | None] = field(
        default_factory=dict[tuple[Shape, str], "Fault | None"]
    )
    omitted: set[tuple[Shape, str]] = field(default_factory=set[tuple[Shape, str]])

    def fault(self, shape: Shape, ptx: str) -> Fault | None:
        """The fault of a shape, if there is one."""
        operation = replace(shape.operation, space="global")
        if operation.type not in FLOATS:
            operation = replace(operation, type="i32")
        key = next(s for s in shapes(operation) if s.name == shape.name)
        key = replace(key, clusters=shape.clusters)
        result = (key, without_types(ptx))
        if result not in self.results:
            if key not in self.allowed:
                self.allowed[key] = allowed_outcomes(key)
            try:
                self.results[result] = check(shape, ptx, self.allowed[key])
            except TooLargeError:
                self.results[result] = None
                self.omitted.add(result)
        return self.results[result]


def without_types(ptx: str) -> str:
    """The entries of PTX text without types and spaces, with numbered registers."""
    numbers: dict[str, str] = {}
    body = re.sub(r"^\t\.reg .*$", "", ptx[ptx.index(".entry") :], flags=re.M)
    body = re.sub(r"\.(?:global|shared(?:::\w+)?|[busf]\d+)\b", "", body)
    return re.sub(r"%[a-z]+\d+", lambda m: numbers.setdefault(m[0], f"%{len(numbers)}"), body)


def compiled(group: Sequence[Shape], arch: str, compiler: Compile) -> list[str]:
    """The PTX of shapes of one operation, which are compiled together."""
    text = ""
    for number, shape in enumerate(group):
        head, define, body = shape.text().partition("define")
        text = (text or head) + re.sub(r"@P(\d)\(", rf"@S{number}P\1(", define + body)
    head, *entries = re.split(r"(?=^(?:\.visible )?\.entry )", compiler(text, arch), flags=re.M)
    return [
        head
        + "".join(
            re.sub(r"\bS\d+(P\d)", r"\1", entry)
            for entry in entries
            if re.search(rf"\.entry S{number}P", entry)
        )
        for number in range(len(group))
    ]


def faults(
    operation: Operation,
    architectures: Sequence[str],
    compiler: Compile = our_compiler,
    checks: Checks | None = None,
) -> dict[str, list[Fault]]:
    """The shapes in which the PTX of an operation has outcomes that the IR does not allow, by architecture.

    Raises DiagnosticError if the compiler refuses the operation.
    """
    checks = checks or Checks()
    found: dict[str, list[Fault]] = {}
    for arch in architectures:
        group = shapes_for(operation, arch)
        results = map(checks.fault, group, compiled(group, arch, compiler))
        found[arch] = [fault for fault in results if fault is not None]
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
