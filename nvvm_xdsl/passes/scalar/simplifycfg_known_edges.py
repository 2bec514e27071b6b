"""Redirects edges with a constant past the block that branches on it, for `simplifycfg`.

      llvm.br ^decide(%true : i1)                  llvm.br ^a
    ^decide(%c: i1):                         ->
      llvm.cond_br %c, ^a, ^b

The block contains only the branch. An edge is redirected only if `analysis/convergence.py` allows
threads to diverge earlier.
"""

from __future__ import annotations

from xdsl.dialects.llvm import CondBrOp, FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import (
    Worklist,
    are_acceptable_edges,
    are_only_used_by,
    has_loop_annotation,
)
from nvvm_xdsl.transforms import cfg


def redirect_known_edges(func: FuncOp, work: Worklist, most_selects: int) -> bool:
    """Redirects edges with a constant past blocks that only branch on it.

    Returns whether any edge changed. The caller simplifies the blocks of the worklist and then
    calls it again.

    Arguments:
        func: the function.
        work: the worklist, which gets the changed blocks.
        most_selects: maximum number of selects that edges to one block may need.
    """
    found = [block for block in fast.blocks_of(work.region) if _only_decides(block)]
    if not found:
        return False
    cfg.remove_unreachable_blocks(work.region)
    found = [block for block in found if block.parent is work.region]
    am = AnalysisManager()
    rule = ConvergenceRule(func, am)
    graph = am.get(CFG, func)
    headers = {graph.blocks[target] for _, target in graph.retreating_edges}
    changed = False
    for block in found:
        if block in headers or not rule.may_part(block):
            continue
        if not _redirect_edges(block, work, most_selects):
            continue
        changed = True
        if not rule.parted(block):
            break
    return changed


def _only_decides(block: Block) -> bool:
    """True if a block only branches on an argument that is constant on some edge."""
    if type(block.last_op) is not CondBrOp or block.first_op is not block.last_op:
        return False
    terminator = branches.terminator_of(block)
    condition = fast.operands_of(terminator)[0]
    if condition not in block.args or not are_only_used_by(block.args, terminator):
        return False
    place = block.args.index(condition)
    if has_loop_annotation(terminator):
        return False
    return any(
        constant_integer(values[place]) is not None
        for source in list(fast.users_of(block))
        if source.name in ("llvm.br", "llvm.cond_br")
        for target, values in branches.edges_of(source)
        if target is block
    )


def _redirect_edges(block: Block, work: Worklist, most_selects: int) -> bool:
    """Redirects each edge with a constant to the successor that the block's branch takes."""
    terminator = branches.terminator_of(block)
    place = block.args.index(fast.operands_of(terminator)[0])
    outgoing = branches.edges_of(terminator)
    changed = False
    for source in dict.fromkeys(list(fast.users_of(block))):
        if source.name not in ("llvm.br", "llvm.cond_br") or has_loop_annotation(source):
            continue
        edges = _redirected(source, block, place, outgoing)
        if edges is None or not are_acceptable_edges(source, edges, most_selects):
            continue
        branches.set_edges(source, edges)
        assert source.parent is not None
        work.push(source.parent)
        changed = True
    if changed:
        work.push(block)
        for target, _ in outgoing:
            work.push(target)
    return changed


def _redirected(
    source: Operation, block: Block, place: int, outgoing: list[branches.Edge]
) -> list[branches.Edge] | None:
    """The edges of a terminator after redirection; None if none has a constant.

    Arguments:
        source: the terminator.
        block: the block that only branches on an argument.
        place: index of that argument.
        outgoing: the edges of the block.
    """
    position: dict[SSAValue, int] = {argument: i for i, argument in enumerate(block.args)}
    edges: list[branches.Edge] = []
    redirected = False
    for target, sent in branches.edges_of(source):
        known = constant_integer(sent[place]) if target is block else None
        if known is None:
            edges.append((target, sent))
            continue
        onward, values = outgoing[0 if known else 1]
        edges.append((onward, tuple(sent[position[v]] if v in position else v for v in values)))
        redirected = True
    return edges if redirected else None
