"""PHIs, and the branches that pass their values.

A PHI becomes a block argument, so that a branch is only built after the whole body is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.frontend.lexer import LOOKAHEAD
from nvvm_xdsl.frontend.terminators import BRANCH_METADATA, Branch, Place, TerminatorReader
from nvvm_xdsl.frontend.types import name_of
from nvvm_xdsl.ir import fast


@dataclass(slots=True)
class _Phi:
    argument: BlockArgument
    incoming: list[tuple[SSAValue | str, Block]]
    place: Place


class PhiReader(TerminatorReader):
    """Reads PHIs, and builds the branches of a function."""

    _phis: dict[Block, list[_Phi]]
    """The PHIs of each block, in order."""

    def _phi(self, name: str, pos: int) -> None:
        tokens = self.tokens
        place = self.place(pos)
        self.fastmath()
        type_ = self.value_type()
        block = self.block
        if self._region.first_block is block:
            self.fail("a PHI node is not allowed in the entry block", pos)
        if block.first_op is not None:
            self.fail("PHI nodes must be at the start of a block", pos)
        incoming: list[tuple[SSAValue | str, Block]] = []
        while True:
            if len(tokens) - self.pos < LOOKAHEAD:
                self.fill()
            self.expect("[")
            token = tokens[self.pos]
            value: SSAValue | str
            if token[:1] == "%" and len(token) > 1:
                self.pos += 1
                value = f"%{name_of(token)}" if '"' in token else token
            else:
                value = self.value(type_)
            self.expect(",")
            token = tokens[self.pos]
            if token[:1] != "%" or len(token) < 2:
                self.fail_expected("a block")
            label = name_of(token)
            source = self._blocks.get(label)
            if source is None:
                source = self._blocks[label] = fast.new_block()
                self._uses[label] = self.place()
            elif label not in self._defined and label not in self._uses:
                self._uses[label] = self.place()
            self.pos += 1
            self.expect("]")
            incoming.append((value, source))
            if tokens[self.pos] != "," or tokens[self.pos + 1] != "[":
                break
            self.pos += 1
        if tokens[self.pos] == ",":
            self.instruction_metadata(None)
        argument = fast.add_argument(block, type_)
        self._phis.setdefault(block, []).append(_Phi(argument, incoming, place))
        self._name_value(argument, name, pos)

    def _finish(self, entry: Block) -> None:
        for name, place in self._uses.items():
            if name not in self._defined:
                self.fail_at(f"use of undefined block '%{name}'", place)
        self.settle_forward()
        predecessors = self._predecessors()
        if entry in predecessors or self._phis.get(entry):
            self.fail("the entry block cannot be branched to", self.pos - 1)
        if self._replaced:
            self._settle_conditions()
        reachable = self._reachable(entry)
        edges = self._edge_values(predecessors, reachable)
        for branch in self._branches:
            if reachable is None or branch.block in reachable:
                self._build(branch, edges)
        if reachable is not None:
            self._drop_unreachable(reachable)
        self.pool.drop_unused()

    def _settle_conditions(self) -> None:
        real = {id(old): new for old, new in self._replaced}
        for branch in self._branches:
            if branch.condition is not None:
                branch.condition = self._settled(branch.condition, real)

    def _predecessors(self) -> dict[Block, dict[Block, None]]:
        found: dict[Block, dict[Block, None]] = {}
        for branch in self._branches:
            for target in branch.targets:
                found.setdefault(target, {})[branch.block] = None
        return found

    def _reachable(self, entry: Block) -> set[Block] | None:
        """The reachable blocks; None if all are reachable."""
        targets = {branch.block: branch.targets for branch in self._branches}
        seen = {entry}
        work = [entry]
        while work:
            for target in targets.get(work.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return None if len(seen) == len(self._defined) else seen

    def _edge_values(
        self, predecessors: dict[Block, dict[Block, None]], reachable: set[Block] | None
    ) -> dict[tuple[Block, Block], list[SSAValue]]:
        edges: dict[tuple[Block, Block], list[SSAValue]] = {}
        for block, phis in self._phis.items():
            if reachable is not None and block not in reachable:
                continue
            sources = predecessors.get(block, {})
            for phi in phis:
                self._phi_values(phi, block, sources, edges)
        return edges

    def _phi_values(
        self,
        phi: _Phi,
        block: Block,
        sources: dict[Block, None],
        edges: dict[tuple[Block, Block], list[SSAValue]],
    ) -> None:
        type_ = phi.argument.type
        found: dict[Block, SSAValue] = {}
        for incoming, source in phi.incoming:
            value = incoming
            if isinstance(value, str):
                named = self.values.get(value)
                if named is None:
                    self.fail_at(f"use of undefined value '{value}'", phi.place)
                if named.type is not type_:
                    self.fail_at(
                        f"{value} has type {self.spell(named.type)}, expected {self.spell(type_)}",
                        phi.place,
                    )
                value = named
            if source not in sources:
                self.fail_at(
                    "PHI node has an entry for a block that does not branch here", phi.place
                )
            if found.setdefault(source, value) is not value:
                self.fail_at("PHI node has different values for the same block", phi.place)
        for source in sources:
            value = found.get(source)
            if value is None:
                self.fail_at("PHI node has no entry for a block that branches here", phi.place)
            edges.setdefault((source, block), []).append(value)

    def _build(self, branch: Branch, edges: dict[tuple[Block, Block], list[SSAValue]]) -> None:
        block = branch.block
        none: list[SSAValue] = []
        values = [edges.get((block, target), none) for target in branch.targets]
        condition = branch.condition
        op: Operation
        if condition is None:
            op = branches.branch(branch.targets[0], values[0])
        elif len(branch.targets) == 2 and not branch.cases and condition.type is I1:
            op = branches.conditional_branch(
                condition, branch.targets[0], values[0], branch.targets[1], values[1]
            )
        else:
            default, *others = zip(branch.targets, map(tuple, values), strict=True)
            op = make_switch(condition, default, list(zip(branch.cases, others, strict=True)))
        op.location = branch.location
        fast.append(block, op)
        for kind, name in branch.metadata:
            self._attach_to_branch(op, kind, name)

    def _attach_to_branch(self, op: Operation, kind: str, name: str) -> None:
        value = self.convert(kind, name) if kind in BRANCH_METADATA else None
        if value is None:
            return
        if kind == "dbg":
            op.location = value
        elif kind == "prof" and op.name in ("llvm.cond_br", "llvm.switch"):
            if len(value.get_values()) == len(fast.successors_of(op)):
                op.properties["branch_weights"] = value
        elif kind == "llvm.loop" and op.name in ("llvm.br", "llvm.cond_br"):
            set_loop_annotation(op, value)

    def _drop_unreachable(self, reachable: set[Block]) -> None:
        """Removes unreachable blocks, as MLIR's importer does."""
        doomed = [block for block in fast.blocks_of(self._region) if block not in reachable]
        for block in doomed:
            for op in fast.ops_of(block):
                fast.drop_uses(op)
        for block in doomed:
            for op in fast.ops_of(block):
                for result in op.results:
                    if result.first_use is not None:
                        self.fail("a value defined in an unreachable block is used", self.pos - 1)
            for argument in block.args:
                if argument.first_use is not None:
                    self.fail("a value defined in an unreachable block is used", self.pos - 1)
            fast.detach_block(block)
