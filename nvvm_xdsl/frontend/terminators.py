"""Terminators of LLVM assembly."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import FileLineColLoc, LocationAttr
from xdsl.dialects.llvm import (
    LLVMFunctionType,
    LLVMPointerType,
    PtrToIntOp,
    ReturnOp,
    UnreachableOp,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm.ops import PoisonOp
from nvvm_xdsl.dialects.llvm.types import I1, I64, VOID
from nvvm_xdsl.frontend.calls import CallReader
from nvvm_xdsl.frontend.lexer import describe
from nvvm_xdsl.frontend.locator import Locator
from nvvm_xdsl.frontend.operands import name_hint
from nvvm_xdsl.frontend.types import is_integer, name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import UNKNOWN_LOC

Place = tuple[int, int]

BRANCH_METADATA = frozenset({"dbg", "prof", "llvm.loop"})


@dataclass(slots=True)
class Branch:
    """A terminator with successors, which is built after the PHIs are read."""

    block: Block
    condition: SSAValue | None
    targets: list[Block]
    cases: list[int]
    metadata: list[tuple[str, str]]
    location: LocationAttr = UNKNOWN_LOC


class TerminatorReader(CallReader):
    """Reads terminators; branches are built after the PHIs are read."""

    function_type: LLVMFunctionType
    function_name: str
    _region: Region
    _blocks: dict[str, Block]
    _uses: dict[str, Place]
    _defined: dict[str, None]
    """The labels of the blocks so far, the entry block's first."""
    _branches: list[Branch]
    _number: int
    _locator: Locator | None

    def _name_value(self, value: SSAValue, token: str, index: int) -> None:
        """Names a value by its token, or by the next number if there is none."""
        if not token:
            token = f"%{self._number}"
            self._number += 1
        elif token[1:].isdecimal():
            self._check_number(int(token[1:]) if len(token) < 12 else -1, token, index)
        else:
            fast.set_name(value, name_hint(name_of(token)))
        self.define(token, value, index)

    def _check_number(self, number: int, token: str, index: int) -> None:
        if number < self._number:
            self.fail(f"expected the next number to be %{self._number}, found {token}", index)
        self._number = number + 1

    def _target(self) -> Block:
        """`label %name`."""
        self.expect("label")
        token = self.tokens[self.pos]
        if token[:1] != "%" or len(token) < 2:
            self.fail_expected("a block")
        name = name_of(token)
        block = self._blocks.get(name)
        if block is None:
            block = self._blocks[name] = fast.new_block()
            self._uses[name] = self.place()
        elif name not in self._defined and name not in self._uses:
            self._uses[name] = self.place()
        self.pos += 1
        return block

    def rename(self, token: str, value: SSAValue, index: int) -> None:
        """Makes `%token` another name of the value."""
        if not token:
            token = f"%{self._number}"
            self._number += 1
        elif token[1:].isdecimal():
            self._check_number(int(token[1:]) if len(token) < 12 else -1, token, index)
        self.define(token, value, index)

    def location(self, index: int) -> FileLineColLoc | None:
        """The location of the token at `index`, if locations are requested."""
        return None if self._locator is None else self._locator.at(self.place(index))

    def _branch_metadata(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        tokens = self.tokens
        while tokens[self.pos] == ",":
            kind, name = tokens[self.pos + 1], tokens[self.pos + 2]
            if kind[:1] != "!" or len(kind) < 2:
                self.pos += 1
                self.fail(f"unexpected {describe(kind)}")
            self.pos += 2
            if name[:1] == "!" and name[1:].isdecimal():
                found.append((kind[1:], name))
                if kind[1:] in BRANCH_METADATA:
                    self.convert(kind[1:], name)
                self.pos += 1
            else:
                self.metadata()
            self.fill()
        return found

    def _ret(self) -> None:
        place = self.pos
        type_ = self.type_()
        output = self.function_type.output
        if type_ is not output:
            self.fail(f"the function returns {self.spell(output)}, not {self.spell(type_)}", place)
        operands = () if type_ is VOID else (self.value(type_),)
        op = fast.create(ReturnOp, operands)
        fast.append(self.block, op)
        if self.tokens[self.pos] == ",":
            self.instruction_metadata(op)

    def _unreachable(self) -> None:
        op = fast.create(UnreachableOp)
        fast.append(self.block, op)
        if self.tokens[self.pos] == ",":
            self.instruction_metadata(op)

    def _br(self) -> None:
        condition: SSAValue | None = None
        if self.tokens[self.pos] == "label":
            targets = [self._target()]
        else:
            place = self.pos
            type_ = self.type_()
            if type_ is not I1:
                self.fail(f"the condition of br must be i1, not {self.spell(type_)}", place)
            condition = self.value(I1)
            self.expect(",")
            targets = [self._target()]
            self.expect(",")
            targets.append(self._target())
        metadata = self._branch_metadata() if self.tokens[self.pos] == "," else []
        self._branches.append(Branch(self.block, condition, targets, [], metadata))

    def _switch(self) -> None:
        place = self.pos
        type_ = self.type_()
        if not is_integer(type_):
            self.fail(f"switch on {self.spell(type_)}", place)
        condition = self.value(type_)
        self.expect(",")
        targets = [self._target()]
        cases: list[int] = []
        seen: set[int] = set()
        self.expect("[")
        while not self.accept("]"):
            self.fill()
            place = self.pos
            if self.type_() is not type_:
                self.fail(f"a case of this switch has the type {self.spell(type_)}", place)
            constant = self.constant(type_)
            if constant.kind not in ("int", "zero"):
                self.fail("a case must be an integer", place)
            value = constant.payload or 0
            if value in seen:
                self.fail("two cases with the same value", place)
            seen.add(value)
            cases.append(value)
            self.expect(",")
            targets.append(self._target())
        metadata = self._branch_metadata() if self.tokens[self.pos] == "," else []
        self._branches.append(Branch(self.block, condition, targets, cases, metadata))

    def _indirectbr(self) -> None:
        """A switch on the numbers that represent the addresses of its blocks."""
        place = self.pos
        type_ = self.type_()
        if not isinstance(type_, LLVMPointerType):
            self.fail(f"indirectbr needs an address, not {self.spell(type_)}", place)
        address = self.value(type_)
        self.expect(",")
        self.expect("[")
        blocks: dict[int, Block] = {}
        while not self.accept("]"):
            self.fill()
            if blocks:
                self.expect(",")
            number = self.block_number(self.function_name, name_of(self.tokens[self.pos + 1]))
            blocks[number] = self._target()
        metadata = self._branch_metadata() if self.tokens[self.pos] == "," else []
        if not blocks:
            fast.append(self.block, fast.create(UnreachableOp))
            return
        condition: SSAValue | None = None
        if len(blocks) > 1:
            number_op = fast.create(PtrToIntOp, (address,), (I64,))
            fast.append(self.block, number_op)
            condition = number_op.results[0]
        # Any other number is undefined behaviour, so that the first block can be the default.
        targets, cases = list(blocks.values()), list(blocks)[1:]
        self._branches.append(Branch(self.block, condition, targets, cases, metadata))

    def _invoke(self, name: str, pos: int) -> None:
        """A call, and a branch to the normal destination: there are no exceptions on a GPU.

        LLVM's `lower-invoke` does the same. The unwind destination loses this incoming edge.
        """
        made = self._call("call")
        location = self.location(pos)
        if isinstance(made, Operation):
            fast.append(self.block, made)
            made.location = location or UNKNOWN_LOC
            if made.results:
                self._name_value(made.results[0], name, pos)
            elif name:
                self.fail("invoke has no result", pos)
        elif made is not None:
            self.rename(name, made, pos)
        self.expect("to")
        target = self._target()
        self.expect("unwind")
        self._target()
        metadata = self._branch_metadata() if self.tokens[self.pos] == "," else []
        branch = Branch(self.block, None, [target], [], metadata)
        branch.location = location or UNKNOWN_LOC
        self._branches.append(branch)

    def _landingpad(self, opcode: str) -> Operation:
        """The thrown value: never produced."""
        type_ = self.value_type()
        self.accept("cleanup")
        while self.tokens[self.pos] in ("catch", "filter"):
            self.pos += 1
            self.fill()
            self.typed_constant()
        return fast.create(PoisonOp, (), (type_,))

    def _resume(self) -> None:
        self.value(self.value_type())
        fast.append(self.block, fast.create(UnreachableOp))
