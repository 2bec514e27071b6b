"""Analyses as text, by the names that pipelines use: `print<domtree>`, `print<rpa>`.

Names and formats are LLVM's if LLVM has the analysis. The output is meant for people and for
FileCheck: one fact per line, with names of blocks and values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from nvvm_xdsl.analysis.barriers import Barriers, accesses_text
from nvvm_xdsl.analysis.branch_probability import DENOMINATOR, BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import (
    CLASSES,
    MachineRegisterPressure,
    RegisterPressure,
    registers_of,
)
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, Location
from nvvm_xdsl.analysis.memory.dependence_analysis import DependenceAnalysis
from nvvm_xdsl.analysis.memory.memory_ssa import MemoryPhi, MemorySSA
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccess, WarpAccesses
from nvvm_xdsl.analysis.merge_sets import MergeSets
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.scev.printer import print_scalar_evolution
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.demanded_bits import DemandedBits
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.flags import NSW
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.ir.nvptx import GLOBAL, SHARED

Printer = Callable[[Operation, AnalysisManager], Iterator[str]]


def _function_name(func: Operation) -> str:
    name = func.properties.get("sym_name")
    return name.data if isinstance(name, StringAttr) else ""


def _cfg(func: Operation, am: AnalysisManager) -> Iterator[str]:
    cfg = am.get(CFG, func)
    for number in cfg.rpo:
        targets = ", ".join(cfg.name(t) for t in cfg.successors[number])
        yield f"  {cfg.name(number)} -> {targets or 'exit'}"
    for block, index in cfg.critical_edges():
        number = cfg.numbers[block]
        target = cfg.successors[number][index]
        yield f"  critical edge {cfg.name(number)} -> {cfg.name(target)}"


def _dominators(func: Operation, am: AnalysisManager) -> Iterator[str]:
    tree = am.get(DominatorTree, func)
    for number in tree.preorder_numbers():
        yield f"{'  ' * (tree.depth[number] + 1)}[{tree.depth[number] + 1}] {tree.cfg.name(number)}"


def _post_dominators(func: Operation, am: AnalysisManager) -> Iterator[str]:
    tree = am.get(PostDominatorTree, func)
    for number in tree.preorder_numbers():
        name = "virtual exit" if number == tree.root else tree.cfg.name(number)
        yield f"{'  ' * (tree.depth[number] + 1)}[{tree.depth[number] + 1}] {name}"


def _frontiers(func: Operation, am: AnalysisManager) -> Iterator[str]:
    tree = am.get(DominatorTree, func)
    frontiers = tree.frontiers()
    for number in tree.cfg.rpo:
        names = " ".join(tree.cfg.name(n) for n in sorted(frontiers[number]))
        yield f"  DomFrontier for {tree.cfg.name(number)} is: {names}".rstrip()


def _loops(func: Operation, am: AnalysisManager) -> Iterator[str]:
    info = am.get(LoopInfo, func)
    cfg = info.cfg
    for loop in info.loops():
        latches, exits = set(loop.latches()), set(loop.exiting_blocks())
        parts: list[str] = []
        for block in loop.blocks:
            marks = "<header>" if block is loop.header else ""
            marks += "<latch>" if block in latches else ""
            marks += "<exiting>" if block in exits else ""
            parts.append(cfg.name(cfg.numbers[block]) + marks)
        indent = "    " * (loop.depth - 1)
        yield f"{indent}Loop at depth {loop.depth} containing: {','.join(parts)}"
    for cycle in info.irreducible_cycles:
        entries = ",".join(cfg.name(cfg.numbers[b]) for b in cycle.entries)
        blocks = ",".join(cfg.name(cfg.numbers[b]) for b in cycle.blocks)
        yield f"Irreducible cycle entered at: {entries} containing: {blocks}"


def _barriers(func: Operation, am: AnalysisManager) -> Iterator[str]:
    barriers = am.get(Barriers, func)
    cfg = am.get(CFG, func)
    for site in barriers.sites:
        sides = (barriers.before(site), barriers.behind(site))
        before, behind = map(accesses_text, sides)
        needed = "" if barriers.orders_something(site) else " [dead]"
        yield f"  {cfg.name(site.block)}: before: {before}; behind: {behind}{needed}"


def _branch_probability(func: Operation, am: AnalysisManager) -> Iterator[str]:
    probability = am.get(BranchProbability, func)
    cfg = probability.cfg
    for number in cfg.rpo:
        for target, p in zip(cfg.successors[number], probability.probabilities[number]):
            hot = " [HOT edge]" if p > 0.8 else ""
            yield (
                f"  edge {cfg.name(number)} -> {cfg.name(target)} probability is "
                f"0x{round(p * DENOMINATOR):08x} / 0x{DENOMINATOR:08x} = {100 * p:.2f}%{hot}"
            )


def _block_frequency(func: Operation, am: AnalysisManager) -> Iterator[str]:
    frequency = am.get(BlockFrequency, func)
    for number in frequency.cfg.rpo:
        yield f" - {frequency.cfg.name(number)}: float = {frequency.frequencies[number]:.6g}"


def _uniformity(func: Operation, am: AnalysisManager) -> Iterator[str]:
    uniformity = am.get(Uniformity, func)
    cfg = uniformity.cfg
    for number in cfg.rpo:
        block = cfg.blocks[number]
        yield f"BLOCK {cfg.name(number)}"
        for argument in block.args:
            yield f"{_mark(uniformity.is_divergent(argument))}{value_name(argument)}"
        for op in fast.ops_of(block):
            for result in op.results:
                yield f"{_mark(uniformity.is_divergent(result))}{value_name(result)} = {op.name}"
        last = block.last_op
        if last is not None and len(fast.successors_of(last)) > 1:
            yield f"{_mark(uniformity.has_divergent_branch(block))}{last.name}"


def _mark(divergent: bool) -> str:
    return "  DIVERGENT: " if divergent else "             "


def _memory_ssa(func: Operation, am: AnalysisManager) -> Iterator[str]:
    ssa = am.get(MemorySSA, func)
    cfg = ssa.tree.cfg
    for number in cfg.rpo:
        block = cfg.blocks[number]
        yield f"{cfg.name(number)}:"
        phi = ssa.phi(block)
        if phi is not None:
            parts = ",".join(
                f"{{{cfg.name(cfg.numbers[b])},{d!r}}}" for b, d in phi.incoming.items()
            )
            yield f"  ; {phi.number} = MemoryPhi({parts})"
        for op in fast.ops_of(block):
            access = ssa.access(op)
            if access is None:
                continue
            above = access.defining
            name = str(above.number) if isinstance(above, MemoryPhi) else repr(above)
            if access.is_definition:
                yield f"  ; {access.number} = MemoryDef({name})"
            else:
                yield f"  ; MemoryUse({name})"
            result = f"{value_name(op.results[0])} = " if op.results else ""
            yield f"  {result}{op.name}"


def _aliases(func: Operation, am: AnalysisManager) -> Iterator[str]:
    alias = am.get(AliasAnalysis, func)
    found = [
        location
        for block in fast.blocks_of(func.regions[0])
        for op in fast.ops_of(block)
        if (location := alias.location(op)) is not None
    ]
    for place, one in enumerate(found):
        for two in found[:place]:
            yield (
                f"  {alias.alias(two, one).value}: {value_name(two.pointer)}, "
                f"{value_name(one.pointer)}"
            )


def _demanded_bits(func: Operation, am: AnalysisManager) -> Iterator[str]:
    bits = am.get(DemandedBits, func)
    for block in fast.blocks_of(func.regions[0]):
        for op in fast.ops_of(block):
            for result in op.results:
                if integer_width(result.type):
                    yield f"DemandedBits: 0x{bits.demanded(result):x} for {value_name(result)} = {op.name}"


def _known_bits(func: Operation, am: AnalysisManager) -> Iterator[str]:
    facts = am.get(ValueTracking, func)
    cfg = am.get(CFG, func)
    for number in cfg.rpo:
        block = cfg.blocks[number]
        for value in [*block.args, *(r for op in fast.ops_of(block) for r in op.results)]:
            if integer_width(value.type):
                fact = facts.fact(value)
                yield f"  {value_name(value)} bits: {fact.bits} range: {fact.range}"


def _pressure(func: Operation, am: AnalysisManager) -> Iterator[str]:
    pressure = am.get(RegisterPressure, func)
    cfg = pressure.cfg
    classes = " ".join(f"{n}={c}" for n, c in zip(CLASSES, pressure.maximum))
    yield f"  maximum: {classes} registers={pressure.registers}"
    for number in cfg.rpo:
        block = pressure.blocks[number]
        classes = " ".join(f"{n}={c}" for n, c in zip(CLASSES, block.maximum) if c)
        yield (
            f"  {cfg.name(number)}: {classes or 'none'} registers={block.registers} "
            f"in={registers_of(block.at_entry)} out={registers_of(block.at_exit)}"
        )


def _merge_sets(func: Operation, am: AnalysisManager) -> Iterator[str]:
    sets = am.get(MergeSets, func)
    cfg = sets.tree.cfg
    for number in cfg.rpo:
        merged = " ".join(cfg.name(cfg.numbers[b]) for b in sets.merge_set(cfg.blocks[number]))
        yield f"  {cfg.name(number)}: {merged or '-'}"


def _liveness(func: Operation, am: AnalysisManager) -> Iterator[str]:
    live = am.get(Liveness, func)
    for number in live.cfg.rpo:
        block = live.cfg.blocks[number]
        entering = " ".join(sorted(map(value_name, live.live_in(block))))
        leaving = " ".join(sorted(map(value_name, live.live_out(block))))
        yield f"  {live.cfg.name(number)}: in: {entering or '-'} out: {leaving or '-'}"


def _dependences(func: Operation, am: AnalysisManager) -> Iterator[str]:
    analysis = am.get(DependenceAnalysis, func)
    alias = am.get(AliasAnalysis, func)
    accesses = [
        op
        for block in fast.blocks_of(func.regions[0])
        for op in fast.ops_of(block)
        if alias.location(op) is not None
    ]
    for place, source in enumerate(accesses):
        for destination in accesses[place:]:
            one, two = (
                value_name(cast(Location, alias.location(op)).pointer)
                for op in (source, destination)
            )
            found = analysis.depends(source, destination)
            yield f"Src: {source.name} {one} --> Dst: {destination.name} {two}"
            yield f"  da analyze - {found if found is not None else 'none!'}"


def _place(op: Operation) -> str:
    place = place_of(op)
    return f" at {place}" if place.file is not None else ""


def _access(access: WarpAccess) -> str:
    found = access.subscripts
    text = "".join(f"[{s}]" for s in found.subscripts) if found is not None else " unknown"
    stride = "irregular" if access.stride is None else f"{access.stride} bytes"
    return f"  {access.op.name}{_place(access.op)}: subscripts{text}, stride over tid.x {stride}"


def _delinearization(func: Operation, am: AnalysisManager) -> Iterator[str]:
    for access in am.get(WarpAccesses, func).accesses:
        yield f"Inst: {access.op.name}{_place(access.op)}"
        if access.base is None or access.delinearized is None:
            yield "  failed to delinearize"
            continue
        offset, found = access.delinearized.offset, access.delinearized.subscripts
        sizes = "".join(f"[{s}]" for s in ("UnknownSize", *found.sizes))
        yield f"  AccessFunction: {offset}"
        yield f"  Base offset: {access.base}"
        yield f"  ArrayDecl{sizes} with elements of {found.element_size} bytes."
        yield f"  ArrayRef{''.join(f'[{s}]' for s in found.subscripts)}"
        for flag, expression in access.delinearized.collector.assumed:
            how = "signed" if flag == NSW else "unsigned"
            yield f"  assuming no {how} wrap of {expression}"


def _remark(func: Operation, access: WarpAccess, analysis: str, name: str, text: str) -> None:
    remarks.emit("Analysis", analysis, name, _function_name(func), text.strip(), op=access.op)


def _coalescing(func: Operation, am: AnalysisManager) -> Iterator[str]:
    for access in am.get(WarpAccesses, func).accesses:
        if access.space != GLOBAL:
            continue
        name, verdict = access.verdict
        if access.varying and access.subscripts is not None:
            places = " and ".join(str(n + 1) for n in access.varying)
            verdict += f", tid.x in subscript {places} of {len(access.subscripts.subscripts)}"
        line = f"{_access(access)}, {verdict}"
        _remark(func, access, "coalescing", name, line)
        yield line


def _bank_conflicts(func: Operation, am: AnalysisManager) -> Iterator[str]:
    for access in am.get(WarpAccesses, func).accesses:
        if access.space != SHARED:
            continue
        name, verdict = access.verdict
        line = f"{_access(access)}, {verdict}"
        _remark(func, access, "bank-conflicts", name, line)
        yield line


def _lazy_values(func: Operation, am: AnalysisManager) -> Iterator[str]:
    info = am.get(LazyValueInfo, func)
    cfg = am.get(CFG, func)
    for number in cfg.rpo:
        block = cfg.blocks[number]
        yield f"{cfg.name(number)}:"
        used = dict.fromkeys(
            v for op in fast.ops_of(block) for v in fast.operands_of(op) if integer_width(v.type)
        )
        for value in used:
            if value.name_hint is not None:
                yield f"  {value_name(value)}: {info.range_in_block(value, block)}"


PRINTERS: dict[str, tuple[str, Printer]] = {
    "aa": ("Alias Analysis", _aliases),
    "bank-conflicts": ("Shared-memory bank conflicts", _bank_conflicts),
    "barriers": ("Barriers", _barriers),
    "block-freq": ("block-frequency-info", _block_frequency),
    "branch-prob": ("Printing analysis results of BPI", _branch_probability),
    "cfg": ("Control-flow graph", _cfg),
    "coalescing": ("Memory coalescing", _coalescing),
    "da": ("Dependence Analysis", _dependences),
    "delinearization": ("Delinearization", _delinearization),
    "demanded-bits": ("Demanded bits", _demanded_bits),
    "domfrontier": ("DominanceFrontier", _frontiers),
    "domtree": ("DominatorTree", _dominators),
    "known-bits": ("Known bits and ranges", _known_bits),
    "lazy-value-info": ("LVI", _lazy_values),
    "liveness": ("Liveness", _liveness),
    "loops": ("Loop info", _loops),
    "memoryssa": ("MemorySSA", _memory_ssa),
    "merge-sets": ("Merge sets", _merge_sets),
    "postdomtree": ("PostDominatorTree", _post_dominators),
    "rpa": ("Register pressure", _pressure),
    "scalar-evolution": ("ScalarEvolution", print_scalar_evolution),
    "uniformity": ("UniformityInfo", _uniformity),
}
"""By name, the title and the function that prints the lines for one function."""


def print_analysis(name: str, func: Operation, am: AnalysisManager | None = None) -> str:
    """The analysis of a function, or for `callgraph`, `lcg` and `machine-rpa` of a module, as text.

    Arguments:
        name: as in `print<name>`; one of `PRINTERS`, or one of a module.
        func: the function; the module for `callgraph` and `machine-rpa`.
        am: provides cached analyses.

    Raises:
        KeyError: if there is no such analysis.
    """
    if name in ("callgraph", "lcg"):
        return "".join(f"{line}\n" for line in _call_graph(func, am or AnalysisManager()))
    if name == "machine-rpa":
        functions = (am or AnalysisManager()).get(MachineRegisterPressure, func).functions
        return "".join(print_analysis("rpa", function, am) for function in functions)
    title, printer = PRINTERS[name]
    lines = [f"{title} for function '{_function_name(func)}':"]
    if func.regions[0].first_block is not None:
        lines += printer(func, am or AnalysisManager())
    return "".join(f"{line}\n" for line in lines)


def _call_graph(module: Operation, am: AnalysisManager) -> Iterator[str]:
    graph = am.get(CallGraph, module)
    yield "Call graph, callees first:"
    for component in graph.components():
        names = ", ".join(f"@{n.name}" for n in component)
        yield f"  SCC: {names}"
        for node in component:
            for callee in node.callees():
                yield f"    @{node.name} calls @{callee.name}"
            if node.has_indirect_calls():
                yield f"    @{node.name} calls unknown functions"
