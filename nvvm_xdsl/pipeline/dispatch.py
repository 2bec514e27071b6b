"""Selection and order of the code generation passes: sub_12DFE00 of the optimizer document.

At O2 and above the passes are sorted topologically by their declared requirements. At O0 and O1
they run in the fixed order of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline.registry import ANALYSES

ORDERED_FROM_LEVEL = 2
"""The lowest optimization level at which the order follows dependencies."""

PHI_ELIMINATION = "nvptx-phi-elimination"


@dataclass(frozen=True)
class CodegenPass:
    """A code generation pass in the table.

    Arguments:
        name: in pipelines.
        needs: passes that must have run before, and analyses, which are computed on demand.
        level: the lowest optimization level that runs it.
        ssa: it requires SSA form, so that it runs before PHI elimination; otherwise it requires the
            property NoPHIs, and runs after it.
    """

    name: str
    needs: tuple[str, ...] = ()
    level: int = 1
    ssa: bool = True


CODEGEN_PASSES: tuple[CodegenPass, ...] = (
    CodegenPass("nvptx-mem2reg", ("domtree",)),
    CodegenPass("early-tailduplication", ("nvptx-mem2reg",)),
    CodegenPass("opt-phis", ("nvptx-mem2reg",)),
    CodegenPass("machine-cp", ("nvptx-mem2reg",)),
    CodegenPass("ldgxform", ("machine-cp",)),
    CodegenPass("early-machinelicm", ("ldgxform", "loops")),
    CodegenPass("machine-cse", ("machine-cp", "early-machinelicm", "domtree")),
    CodegenPass("nvptx-peephole", ("machine-cse",)),
    CodegenPass("dead-mi-elimination", ("machine-cse", "nvptx-peephole")),
    CodegenPass("nvptx-load-store-vectorizer", ("dead-mi-elimination",)),
    CodegenPass("nvptx-shared-pointers", ("nvptx-load-store-vectorizer", "loops")),
    CodegenPass("machine-sink", ("nvptx-load-store-vectorizer", "postdomtree")),
    CodegenPass("early-ifcvt", ("machine-sink",)),
    CodegenPass("stack-coloring", ("nvptx-mem2reg", "nvptx-peephole")),
    CodegenPass("nvptx-remat-block", ("stack-coloring", "machine-sink", "rpa")),
    CodegenPass("nvptx-loop-condition", ("early-ifcvt", "loops")),
    CodegenPass(
        "machine-scheduler", ("nvptx-remat-block", "nvptx-loop-condition", "early-ifcvt", "rpa")
    ),
    CodegenPass(PHI_ELIMINATION, level=0),
    CodegenPass("structurize-cfg", ("loops",), ssa=False),
    CodegenPass("branch-folder", ("structurize-cfg", "loops"), ssa=False),
    CodegenPass("block-placement", ("branch-folder", "block-freq"), ssa=False),
)
"""The passes in the fixed order. Rows without an existing pass are skipped. Passes that also exist
in LLVM are in the order of its NVPTX code generator.
"""


def edges_of(
    codegen_pass: CodegenPass, table: Sequence[CodegenPass] = CODEGEN_PASSES
) -> tuple[str, ...]:
    """The predecessors of a pass: its requirements, and passes that must precede because of SSA
    form or NoPHIs.
    """
    if codegen_pass.name == PHI_ELIMINATION:
        return (*codegen_pass.needs, *(p.name for p in table if p.ssa and p is not codegen_pass))
    return codegen_pass.needs if codegen_pass.ssa else (*codegen_pass.needs, PHI_ELIMINATION)


def dispatch(
    opt_level: int,
    table: Sequence[CodegenPass] = CODEGEN_PASSES,
    *,
    available: Iterable[str] | None = None,
) -> list[str]:
    """The code generation passes to run, in order.

    Arguments:
        opt_level: 0 to 3.
        table: the passes and their requirements, in the fixed order.
        available: the passes that exist; by default those of this project.
    Raises DiagnosticError if the requirements of the passes form a cycle.
    """
    exist = set(PASSES if available is None else available)
    chosen = [p for p in table if p.level <= opt_level and p.name in exist]
    if opt_level < ORDERED_FROM_LEVEL:
        return [p.name for p in chosen]
    needs = {p.name: edges_of(p, table) for p in table}
    names = {p.name for p in chosen}
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for p in chosen:
        sorter.add(p.name, *_present(p.name, needs, names))
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        raise DiagnosticError(f"cyclic requirements of code generation passes: {circle}") from None
    place = {p.name: i for i, p in enumerate(table)}
    order: list[str] = []
    ready: list[str] = []
    while sorter.is_active():
        # Of the passes that are ready, the first in the fixed order.
        ready.extend(sorter.get_ready())
        ready.sort(key=place.__getitem__)
        name = ready.pop(0)
        order.append(name)
        sorter.done(name)
    return order


def _present(name: str, needs: Mapping[str, tuple[str, ...]], names: set[str]) -> set[str]:
    """The passes of `names` that must run before this one, directly or through omitted passes."""
    found: set[str] = set()
    pending = list(needs.get(name, ()))
    seen: set[str] = set()
    while pending:
        need = pending.pop()
        if need in seen or need in ANALYSES:
            continue
        seen.add(need)
        if need in names:
            found.add(need)
        else:
            pending.extend(needs.get(need, ()))
    return found
