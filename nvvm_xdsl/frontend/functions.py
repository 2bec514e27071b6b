"""Bodies of functions: blocks and their instructions."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.llvm import LLVMFunctionType, ReturnOp, UnreachableOp
from xdsl.ir import Attribute, Block, Operation, Region

from nvvm_xdsl.frontend.constants import ConstantPool
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, describe
from nvvm_xdsl.frontend.locator import Locator
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.operands import name_hint
from nvvm_xdsl.frontend.phis import PhiReader
from nvvm_xdsl.frontend.types import name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import UNKNOWN_LOC
from nvvm_xdsl.ir.locations import has_place


class FunctionReader(PhiReader):
    """Reads function bodies."""

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
                self.fail_at(f"the address of the entry block '%{block}' cannot be taken", place)

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
            # Only the entry block is created before its label is read.
            self.fail("the entry block cannot be branched to", index)
        self._blocks[name] = block
        fast.append_block(self._region, block)
        self.block = block

    def _label(self, token: str, block: Block | None = None) -> None:
        index = self.pos
        self.pos += 1
        name = name_of(token)
        if name.isdecimal() and '"' not in token:
            self._check_number(int(name) if len(name) < 12 else -1, f"%{name}", index)
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
        """Reads the text after a terminator: a label, a block without one, or the end of the
        body."""
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
        if last is None or type(last) not in (ReturnOp, UnreachableOp):
            self._branches[-1].location = location
        elif not has_place(last):
            last.location = location

    def _skip_use_lists(self) -> None:
        while self.accept("uselistorder"):
            self.skip_use_list()
        if self.tokens[self.pos] != "}":
            self.fail_expected("'}'")

    def skip_use_list(self) -> None:
        """Skips the text after `uselistorder`: a value and a permutation."""
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
