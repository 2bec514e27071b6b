"""Bodies of functions: blocks, PHIs and terminators.

A PHI becomes a block argument, so a branch is only built when the whole body is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.llvm import LLVMFunctionType, ReturnOp, UnreachableOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.frontend.constants import ConstantPool
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, describe
from nvvm_xdsl.frontend.locator import Locator
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.operands import name_hint
from nvvm_xdsl.frontend.terminators import BRANCH_METADATA, Branch, Place, TerminatorReader
from nvvm_xdsl.frontend.types import name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import UNKNOWN_LOC
from nvvm_xdsl.ir.locations import has_place


@dataclass(slots=True)
class _Phi:
    argument: BlockArgument
    incoming: list[tuple[SSAValue | str, Block]]
    place: Place


class FunctionReader(TerminatorReader):
    """Reads function bodies."""

    _phis: dict[Block, list[_Phi]]
    _labels: dict[str, dict[str, None]]
    _terminators: dict[str, Callable[[], None]]

    def __init__(
        self, text: str, filename: str, *, locations: bool = False, debug: DebugLevel = "none"
    ) -> None:
        super().__init__(text, filename, debug=debug)
        self.block_numbers = {}
        self.block_addresses = {}
        self._labels = {}
        self.handlers["landingpad"] = self._landingpad
        self._locator = Locator(text, filename) if locations else None
        self._terminators = {
            "ret": self._ret,
            "br": self._br,
            "switch": self._switch,
            "indirectbr": self._indirectbr,
            "resume": self._resume,
            "unreachable": self._unreachable,
        }

    def body(
        self,
        name: str,
        function_type: LLVMFunctionType,
        arguments: list[tuple[Attribute, str]],
        region: Region,
    ) -> None:
        """`{ ... }` of a function with these arguments, given as type and `%name` or ""."""
        self.function_name = name
        self.function_type = function_type
        self.values = {}
        self._forward = {}
        self._replaced = []
        self._region = region
        self._blocks = {}
        self._uses = {}
        self._defined = {}
        self._phis = {}
        self._branches = []
        self._number = 0
        entry = fast.new_block([type_ for type_, _ in arguments])
        self.pool = ConstantPool(entry)
        for (_, token), value in zip(arguments, entry.args):
            self._name_value(value, token, self.pos)
        self.expect("{")
        self.fill()
        self._start(entry)
        if self.tokens[self.pos] == "}":
            self.fail("a function body needs at least one block")
        while not self.accept("}"):
            self._block_body()
        self._finish(entry)
        self._labels[name] = self._defined

    def check_block_addresses(self) -> None:
        """Fails for the address of a block that is not in its function, or is its entry block."""
        for (function, block), place in self.block_addresses.items():
            labels = self._labels.get(function)
            if labels is None:
                self.fail_at(f"'@{function}' is not defined here, and has no blocks", place)
            if block not in labels:
                self.fail_at(f"'@{function}' has no block '%{block}'", place)
            if block == next(iter(labels)):
                self.fail_at(f"nothing can jump to '%{block}', the entry block", place)

    def _start(self, entry: Block) -> None:
        token = self.tokens[self.pos]
        if token[-1:] == ":":
            self._label(token, entry)
        else:
            self._define_block(str(self._number), entry, self.pos)
            self._number += 1

    def _define_block(self, name: str, block: Block, index: int) -> None:
        if name in self._defined:
            self.fail(f"redefinition of block '%{name}'", index)
        self._defined[name] = None
        waiting = self._blocks.get(name)
        if waiting is not None and waiting is not block:
            # Only the entry block is made before its label is read.
            self.fail("the entry block cannot be branched to", index)
        self._blocks[name] = block
        fast.append_block(self._region, block)
        self.block = block

    def _label(self, token: str, block: Block | None = None) -> None:
        index = self.pos
        self.pos += 1
        name = name_of(token)
        if name.isdecimal() and '"' not in token:
            self._take_number(int(name) if len(name) < 12 else -1, f"%{name}", index)
        if block is None:
            block = self._blocks.get(name) or fast.new_block()
        if not name.isdecimal():
            fast.set_name(block, name_hint(name))
        if f"%{name}" in self.values:
            self.fail(f"'%{name}' is a value already", index)
        self._define_block(name, block, index)

    def _block_body(self) -> None:
        """Instructions up to and including a terminator, then the next label if any."""
        tokens = self.tokens
        handlers = self.handlers
        append = fast.append
        block = self.block
        locating = self._locator is not None
        while True:
            if len(tokens) - self.pos < LOOKAHEAD:
                self.release()
                self.fill()
            pos = self.pos
            token = tokens[pos]
            name = ""
            opcode = token
            if token[:1] == "%" and tokens[pos + 1] == "=":
                name = token
                opcode = tokens[pos + 2]
                self.pos = pos + 2
            handler = handlers.get(opcode)
            if handler is None:
                if self._other_instruction(opcode, name, pos):
                    return
                continue
            self.pos += 1
            made = handler(opcode)
            if made is None:
                if name:
                    self.fail(f"{opcode} has no result")
                if tokens[self.pos] == ",":
                    self.instruction_metadata(None)
                continue
            if not isinstance(made, Operation):
                # A cast without effect: the name refers to the operand.
                if tokens[self.pos] == ",":
                    self.instruction_metadata(None)
                self.rename(name, made, pos)
                continue
            append(block, made)
            if locating:
                made.location = self.location(pos) or UNKNOWN_LOC
            if tokens[self.pos] == ",":
                self.instruction_metadata(made)
            results = made.results
            if results:
                self._name_value(results[0], name, pos)
            elif name:
                self.fail(f"{opcode} has no result", pos)

    def _other_instruction(self, opcode: str, name: str, pos: int) -> bool:
        """PHIs, terminators, debug records; True at the end of a block."""
        if opcode == "phi":
            self.pos += 1
            self._phi(name, pos)
            return False
        if opcode[:5] == "#dbg_" and not name:
            self.pos += 1
            made = self.debug_record(opcode[5:])
            if made is not None:
                fast.append(self.block, made)
            return False
        if opcode == "invoke":
            self.pos += 1
            self._invoke(name, pos)
            self._next_label()
            return True
        terminator = self._terminators.get(opcode)
        if terminator is None:
            if opcode[-1:] == ":" and not name:
                self.fail("expected a terminator before the next block")
            if opcode == "}" or opcode == "":
                self.fail_expected("an instruction")
            self.fail(f"unknown instruction {describe(opcode)}")
        if name:
            self.fail(f"{opcode} has no result", pos)
        self.pos += 1
        location = self.location(pos)
        terminator()
        if location is not None:
            self._locate_terminator(location)
        self._next_label()
        return True

    def _next_label(self) -> None:
        """What follows a terminator: a label, a block without one, or the end of the body."""
        tokens = self.tokens
        if len(tokens) - self.pos < LOOKAHEAD:
            self.release()
            self.fill()
        token = tokens[self.pos]
        if token[-1:] == ":":
            self._label(token)
        elif token != "}":
            if token == "uselistorder":
                self._skip_use_lists()
            elif token == "":
                self.fail_expected("'}'")
            else:
                # A block without a label has the next number.
                name = str(self._number)
                self._number += 1
                self._define_block(name, self._blocks.get(name) or fast.new_block(), self.pos)

    def _locate_terminator(self, location: LocationAttr) -> None:
        last = self.block.last_op
        if last is None or last.__class__ not in (ReturnOp, UnreachableOp):
            self._branches[-1].location = location
        elif not has_place(last):
            last.location = location

    def _skip_use_lists(self) -> None:
        while self.accept("uselistorder"):
            self.skip_use_list()
        if self.tokens[self.pos] != "}":
            self.fail_expected("'}'")

    def skip_use_list(self) -> None:
        """What follows `uselistorder`: a value and a permutation."""
        self.fill()
        type_ = self.type_()
        if self.tokens[self.pos][:1] == "%":
            self.pos += 1
        else:
            self.constant(type_)
        self.expect(",")
        self.expect("{")
        while not self.accept("}"):
            self.fill()
            if self.tokens[self.pos] == "":
                self.fail_expected("'}'")
            self.pos += 1

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

    # Terminators.

    # The end of a body.

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
        """The blocks that control reaches; None when it reaches all."""
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
        """Takes out the blocks that control never reaches, as MLIR's importer does."""
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
