"""Bodies of functions: names of values and blocks, PHIs, terminators.

A block argument is a PHI. Values and blocks without a name are numbered as LLVM numbers them, in the
order of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.export.constants import CONSTANT_OPS
from nvvm_xdsl.export.debug_info import defined_at
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.instructions import InstructionWriter
from nvvm_xdsl.export.spelling import identifier
from nvvm_xdsl.frontend.operands import name_hint
from nvvm_xdsl.ir import fast

TERMINATORS = frozenset(
    {"llvm.return", "llvm.unreachable", "llvm.br", "llvm.cond_br", "llvm.switch"}
)


class FunctionWriter(InstructionWriter):
    """Writes the body of one function."""

    _labels: dict[Block, str]
    _used: set[str]
    _counts: dict[str, int]
    _next: int

    def body(self, func: FuncOp) -> list[str]:
        """The lines between the braces. Raises WriteError."""
        self.func = func
        self.lines = []
        self.names = {}
        self._labels = {}
        self._used = set()
        self._counts = {}
        self._next = 0
        place = defined_at(func)
        self.subprogram = (
            None if place is None else self.debug.subprogram(defined_name(func), place)
        )
        blocks = list(fast.blocks_of(func.body))
        self._name_all(blocks)
        incoming = self._incoming(blocks)
        for number, block in enumerate(blocks):
            label = self._labels[block]
            if number:
                self.lines.append(f"\n{label}:")
                self._phis(block, incoming.get(block, []))
            elif not label.isdecimal():
                self.lines.append(f"{label}:")
            for op in fast.ops_of(block):
                if op.name not in CONSTANT_OPS:
                    self.write(op)
            self._split_edges(block)
        return self.lines

    # Names.

    def _fresh(self, hint: str) -> str:
        """A unique name; a numeric suffix that the reader removes is added again."""
        name, count = hint, self._counts.get(hint, 0)
        while name in self._used:
            count += 1
            name = f"{hint}_{count}"
        self._counts[hint] = count
        self._used.add(name)
        return name

    def temporary(self) -> str:
        """A name for a value without an op."""
        return "%" + self._fresh("part")

    def _name(self, hint: str | None) -> str:
        known = name_hint(hint or "")
        if known is not None:
            return identifier(self._fresh(known))
        self._next += 1
        return str(self._next - 1)

    def _name_all(self, blocks: list[Block]) -> None:
        entry = blocks[0]
        for argument in entry.args:
            self.names[argument] = f"%{self._name(argument.name_hint)}"
        for block in blocks:
            self._labels[block] = self._name(block.name_hint)
            if block is not entry:
                for argument in block.args:
                    self.names[argument] = f"%{self._name(argument.name_hint)}"
            for op in fast.ops_of(block):
                if op.results and op.name not in CONSTANT_OPS:
                    result = op.results[0]
                    self.names[result] = f"%{self._name(result.name_hint)}"

    def label(self, block: Block) -> str:
        """`label %name`."""
        return f"label %{self._labels[block]}"

    # PHIs.

    def _incoming(self, blocks: list[Block]) -> dict[Block, list[tuple[str, list[SSAValue]]]]:
        """The incoming edges of each block: label of the predecessor, and values.

        If a terminator has several edges to a block with different values, each edge gets a
        separate block, since a PHI has one value per predecessor.
        """
        self._edge_blocks: dict[tuple[Block, int], tuple[str, Block]] = {}
        found: dict[Block, list[tuple[str, list[SSAValue]]]] = {}
        for block in blocks:
            last = block.last_op
            if last is None:
                continue
            first: dict[Block, tuple[SSAValue, ...]] = {}
            for index, (target, values) in enumerate(branches.edges_of(last)):
                origin = self._labels[block]
                known = first.setdefault(target, values)
                if known != values:
                    origin = self._fresh("edge")
                    self._edge_blocks[block, index] = (origin, target)
                found.setdefault(target, []).append((origin, list(values)))
        return found

    def _target(self, op: Operation, index: int, block: Block) -> str:
        own = op.parent
        assert own is not None
        edge = self._edge_blocks.get((own, index))
        return self.label(block) if edge is None else f"label %{edge[0]}"

    def _split_edges(self, block: Block) -> None:
        if not self._edge_blocks:
            return
        for (source, _), (origin, target) in self._edge_blocks.items():
            if source is block:
                self.lines.append(f"\n{origin}:")
                self.lines.append(f"  br {self.label(target)}")

    def _phis(self, block: Block, incoming: list[tuple[str, list[SSAValue]]]) -> None:
        for index, argument in enumerate(block.args):
            pairs = [f"[ {self.value(values[index])}, %{label} ]" for label, values in incoming]
            if not pairs:
                # The block is unreachable.
                continue
            type_ = self.types(argument.type)
            self.lines.append(f"  {self.names[argument]} = phi {type_} {', '.join(pairs)}")

    # Terminators.

    def terminator_handlers(self) -> dict[str, Callable[[Operation], None]]:
        return {
            "llvm.return": self._return,
            "llvm.unreachable": self._unreachable,
            "llvm.br": self._br,
            "llvm.cond_br": self._cond_br,
            "llvm.switch": self._switch,
        }

    def _return(self, op: Operation) -> None:
        operands = fast.operands_of(op)
        self.line(op, f"ret {self.typed(operands[0])}" if operands else "ret void")

    def _unreachable(self, op: Operation) -> None:
        self.line(op, "unreachable")

    def _br(self, op: Operation) -> None:
        self.line(op, f"br {self._target(op, 0, fast.successors_of(op)[0])}")

    def _cond_br(self, op: Operation) -> None:
        targets = [self._target(op, i, b) for i, b in enumerate(fast.successors_of(op))]
        self.line(op, f"br {self.typed(fast.operands_of(op)[0])}, {', '.join(targets)}")

    def _switch(self, op: Operation) -> None:
        condition = fast.operands_of(op)[0]
        default, *targets = [self._target(op, i, b) for i, b in enumerate(fast.successors_of(op))]
        type_ = self.types(condition.type)
        numbers = branches.case_values(op, signed=True)
        if len(numbers) != len(targets):
            raise write_error(op, "the numbers of cases and of blocks differ")
        cases = [f"{type_} {number}, {target}" for number, target in zip(numbers, targets)]
        listed = "".join([f"\n    {case}" for case in cases])
        self.line(op, f"switch {self.typed(condition)}, {default} [{listed}\n  ]")
