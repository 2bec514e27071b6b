"""All passes and analyses that a pipeline may name, including documented ones that do not exist
here.

Rows have three sources: the optimizer document's list of NVIDIA's passes, the passes that its
pipelines name, and LLVM 22's registrations. `passes.PASSES` lists the existing passes. Names of
missing passes are registered so that their use is reported with a clear error.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from nvvm_xdsl.analysis.manager import Analysis
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.pipeline.llvm_passes import LLVM_PASSES
from nvvm_xdsl.pipeline.plugins import load_installed
from nvvm_xdsl.pipeline.sequences import named_passes


@dataclass(frozen=True)
class Row:
    """A pass or analysis by its name.

    Arguments:
        name: in pipelines.
        level: `module`, `cgscc`, `function`, `loopnest`, `loop` or `machine`.
        kind: `pass` or `analysis`.
        class_name: the class that the document states, if any; for a pass of a plug-in, its
            package.
        parameters: the documented parameter words.
        origin: `nvidia`, `pipeline` (named by a documented sequence), `llvm`, `here` or `plug-in`.
        note: additional information.
    """

    name: str
    level: str
    kind: str = "pass"
    class_name: str | None = None
    parameters: tuple[str, ...] = ()
    origin: str = "llvm"
    note: str = ""

    @property
    def implemented(self) -> bool:
        """True if the pass or analysis exists here."""
        return self.name in PASSES if self.kind == "pass" else self.name in ANALYSES


@dataclass(frozen=True)
class Section:
    """A section of the documented registration function and its stated number of rows."""

    level: str
    kind: str
    title: str
    documented_count: int


SECTIONS: tuple[Section, ...] = (
    Section("module", "analysis", "Module analyses", 18),
    Section("module", "pass", "Module passes", 95),
    Section("cgscc", "analysis", "CGSCC analyses", 5),
    Section("cgscc", "pass", "CGSCC passes", 15),
    Section("function", "analysis", "Function analyses", 65),
    Section("function", "pass", "Function passes", 185),
    Section("loopnest", "pass", "LoopNest passes", 8),
    Section("loop", "analysis", "Loop analyses", 10),
    Section("loop", "pass", "Loop passes", 40),
    Section("machine", "analysis", "Machine analyses", 30),
    Section("machine", "pass", "Machine passes", 80),
)
"""In the order of sub_2342890, the document's New PM registration; counts are approximate there."""


def _nvidia(level: str, text: str, *, kind: str = "pass") -> list[Row]:
    rows: list[Row] = []
    for entry in text.split():
        name, _, class_name = entry.partition("=")
        rows.append(Row(name, level, kind, class_name or None, origin="nvidia"))
    return rows


_MEMORY_SPACE_PARAMETERS = ("first-time", "second-time", "warnings", "no-warnings")

NVIDIA_ROWS: tuple[Row, ...] = (
    *_nvidia(
        "module",
        "check-gep-index check-kernel-functions cnp-launch-check ipmsp nv-early-inliner "
        "nv-inline-must nvvm-pretreat nvvm-verify printf-lowering select-kernels",
    ),
    Row("lower-ops", "module", parameters=("enable-optimization",), origin="nvidia"),
    Row(
        "set-global-array-alignment",
        "module",
        parameters=("modify-shared-mem", "skip-shared-mem", "modify-global-mem", "skip-global-mem"),
        origin="nvidia",
    ),
    *_nvidia(
        "function",
        "basic-dbe=BasicDeadBarrierEliminationPass branch-dist=BranchDistPass byval-mem2reg bypass-slow-division normalize-gep",
    ),
    Row(
        "nvvm-reflect-pp",
        "function",
        class_name="SimplifyConstantConditionalsPass",
        origin="nvidia",
        note="removes dead branches and unreachable code after nvvm-reflect",
    ),
    *_nvidia(
        "function",
        "nvvm-peephole-optimizer=NVVMPeepholeOptimizerPass old-load-store-vectorizer "
        "remat=RematerializationPass propagate-alignment reuse-local-memory "
        "set-local-array-alignment sinking2=llvm::Sinking2Pass",
    ),
    Row(
        "d2ir-scalarizer",
        "function",
        class_name="ScalarizerPass",
        origin="nvidia",
        note="LLVM's scalarizer under NVIDIA's name",
    ),
    Row("sink", "function", parameters=("rp-aware",), origin="nvidia"),
    Row(
        "memory-space-opt",
        "function",
        class_name="MemorySpaceOptPass",
        parameters=_MEMORY_SPACE_PARAMETERS,
        origin="nvidia",
    ),
    Row("lower-aggr-copies", "function", parameters=("lower-aggr-func-args",), origin="nvidia"),
    *_nvidia("function", "lower-struct-args"),
    Row("process-restrict", "function", parameters=("propagate-only",), origin="nvidia"),
    *_nvidia("loop", "loop-index-split=LoopIndexSplitPass"),
    *_nvidia(
        "function", "rpa=RegisterPressureAnalysis merge-sets=MergeSetsAnalysis", kind="analysis"
    ),
)
"""The document's custom passes: 12 module, 19 named function passes, 1 loop pass, 2 analyses."""


def _pipeline(level: str, text: str) -> list[Row]:
    return [Row(name, level, origin="pipeline") for name in text.split()]


PIPELINE_ROWS: tuple[Row, ...] = (
    *_pipeline(
        "module", "nvvm-annotations generic-to-nvvm nvvm-late-opt print-module nvvm-name-blocks"
    ),
    *_pipeline(
        "function",
        "nvvm-intrinsic-lowering nvvm-ir-verification nvvm-predicate-opt nvvm-barrier-analysis "
        "nvvm-lower-barriers dead-sync-elim nvvm-lower-alloca nvvm-warp-shuffle nvvm-reduction "
        "nvvm-generic-addr-opt nvvm-unreachable-block-elim nvvm-reflect",
    ),
)
"""Passes that the documented sequences name and for which they give no pipeline name; the names are
ours."""


def _llvm_rows() -> Iterable[Row]:
    for section, text in LLVM_PASSES.items():
        level, kind = section.split()
        for entry in text.split():
            name, _, parameters = entry.partition("<")
            yield Row(
                name,
                level,
                "analysis" if kind == "analyses" else "pass",
                parameters=tuple(parameters.removesuffix(">").split(";")) if parameters else (),
            )


_PACKAGE = __name__.partition(".")[0]
_LEVELS_OF_PASSES = {"machine-function": "machine"}


def rows() -> dict[str, Row]:
    """All rows by name. If LLVM uses a name for a pass and an analysis, the row is that of the
    pass."""
    load_installed()
    return _rows(tuple(PASSES))


@cache
def _rows(known_passes: tuple[str, ...]) -> dict[str, Row]:
    """The rows, cached until the set of known passes changes."""
    found: dict[str, Row] = {}
    for row in (*NVIDIA_ROWS, *PIPELINE_ROWS, *_llvm_rows()):
        have = found.get(row.name)
        if have is None or (have.kind == "analysis" and row.kind == "pass"):
            found[row.name] = row
    for name in known_passes:
        if name not in found:
            cls = pass_class(name)
            level = _LEVELS_OF_PASSES.get(cls.level, cls.level)
            package = cls.__module__.partition(".")[0]
            if package == _PACKAGE:
                found[name] = Row(name, level, origin="here")
            else:
                found[name] = Row(name, level, class_name=f"plug-in {package}", origin="plug-in")
    for name in ANALYSES:
        if name not in found:
            level = "module" if name in MODULE_ANALYSES else "function"
            found[name] = Row(name, level, "analysis", origin="here")
    return found


ANALYSES: dict[str, str] = {
    "aa": "memory.alias_analysis:AliasAnalysis",
    "bank-conflicts": "memory.warp_accesses:WarpAccesses",
    "block-freq": "branch_probability:BlockFrequency",
    "branch-prob": "branch_probability:BranchProbability",
    "callgraph": "call_graph:CallGraph",
    "cfg": "cfg:CFG",
    "coalescing": "memory.warp_accesses:WarpAccesses",
    "da": "memory.dependence_analysis:DependenceAnalysis",
    "delinearization": "memory.warp_accesses:WarpAccesses",
    "demanded-bits": "values.demanded_bits:DemandedBits",
    "barriers": "barriers:Barriers",
    "domfrontier": "dominators:DominatorTree",
    "domtree": "dominators:DominatorTree",
    "known-bits": "values.value_tracking:ValueTracking",
    "lazy-value-info": "values.lazy_value_info:LazyValueInfo",
    "liveness": "liveness:Liveness",
    "loops": "loops:LoopInfo",
    "machine-rpa": "machine.register_pressure:MachineRegisterPressure",
    "memoryssa": "memory.memory_ssa:MemorySSA",
    "merge-sets": "merge_sets:MergeSets",
    "postdomtree": "dominators:PostDominatorTree",
    "rpa": "machine.register_pressure:RegisterPressure",
    "scalar-evolution": "scev.scalar_evolution:ScalarEvolution",
    "uniformity": "uniformity:Uniformity",
}
"""The existing analyses by LLVM's or the document's name: `module:Class` in `analysis`."""

MODULE_ANALYSES = frozenset({"callgraph", "machine-rpa"})
"""Analyses of modules; the others analyse functions."""


@cache
def analysis_class(name: str) -> type[Analysis]:
    """The class of an analysis. Raises KeyError for a name that is not in `ANALYSES`."""
    module, _, cls = ANALYSES[name].partition(":")
    return getattr(import_module(f"nvvm_xdsl.analysis.{module}"), cls)


ADAPTORS: dict[str, str] = {
    "module": "module",
    "cgscc": "cgscc",
    "function": "function",
    "loop": "loop",
    "loop-mssa": "loop",
    "machine-function": "machine-function",
}
"""Keywords that nest a pipeline of another level, and that level."""

SPECIAL = ("repeat", "devirt", "require", "invalidate", "print", "nvopt", "default")
"""Keywords with parameters."""


DESCRIBED = frozenset({"globalopt", "loop-vectorize"})
"""LLVM passes that the documents describe or list options of, besides those in sequences."""


def missing() -> list[Row]:
    """Documented rows that do not exist here: NVIDIA's passes, and LLVM's passes in the
    sequences."""
    wanted = named_passes() | DESCRIBED
    return [
        row
        for row in rows().values()
        if not row.implemented and (row.origin != "llvm" or row.name in wanted)
    ]


def describe(name: str) -> str:
    """The first sentence of an existing pass's docstring; empty for others."""
    if name not in PASSES:
        return ""
    text = (pass_class(name).__doc__ or "").strip().splitlines()
    return text[0] if text else ""


def list_passes(*, only_missing: bool = False) -> str:
    """The output of `nvvm-opt --list-passes`: by section, in the documented order.

    Arguments:
        only_missing: only documented passes that do not exist here.
    """
    lines: list[str] = []
    chosen = missing() if only_missing else [r for r in rows().values() if r.implemented]
    for section in SECTIONS:
        found = sorted(
            (r for r in chosen if (r.level, r.kind) == (section.level, section.kind)),
            key=lambda r: r.name,
        )
        if not found:
            continue
        documented = "" if only_missing else f" of about {section.documented_count} documented"
        lines.append(f"{section.title} ({len(found)}{documented}):")
        for row in found:
            text = describe(row.name) or row.note
            class_name = f" [{row.class_name}]" if row.class_name else ""
            words = pass_class(row.name)().parameters() if row.name in PASSES else row.parameters
            parameters = f"<{';'.join(words)}>" if words else ""
            lines.append(f"  {row.name}{parameters}{class_name}{': ' + text if text else ''}")
    if not lines:
        lines.append("no documented pass is missing")
    return "\n".join(lines) + "\n"
