"""Registers, labels and branches of one function in PTX.

Values get register numbers class by class in order of appearance; those that PHI elimination
numbered keep theirs. Where block arguments are left, each edge copies its values in parallel
before the branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, SSAValue

from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.dialects.nvptx.control_flow import (
    UNIFORM,
    BraOp,
    BrxOp,
    CbraOp,
    Edge,
    RetOp,
    TerminatorOp,
    UnreachableOp,
)
from nvvm_xdsl.dialects.nvptx.registers import (
    REGISTER_CLASSES,
    UNALLOCATED,
    RegisterClass,
    register_class,
)
from nvvm_xdsl.dialects.nvptx.special_registers import UndefOp
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.parallel_copy import sequence_copies

_MOV_TYPE = {
    type(register): "pred" if register.width == 1 else register.ptx_type
    for register in REGISTER_CLASSES
}


class BranchConverter:
    """Names the registers and blocks of a function, and converts its terminators.

    Arguments:
        number: the number of the function in its module, which is part of its labels.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.names: dict[int, str] = {}
        self.classes: dict[str, RegisterClass] = {}
        self.next_number: dict[type[Attribute], int] = {}
        self.labels: dict[int, str] = {}
        self.out = fast.new_block()
        self.prototypes = 0
        self.extra_labels = 0

    def _number_registers(self, blocks: Sequence[Block]) -> None:
        """Assigns a register name to every value."""
        names = self.names
        highest: dict[type[Attribute], int] = {}
        bare: dict[type[Attribute], list[int]] = {
            type(register): [] for register in REGISTER_CLASSES
        }
        for block in blocks:
            for arg in block.args:
                self._note(arg, highest, bare)
            for op in fast.ops_of(block):
                results: Any = op.results
                for value in results:
                    type_ = value._type  # pyright: ignore[reportPrivateUsage]
                    if type_.data == UNALLOCATED:
                        bare[type(type_)].append(id(value))
                    else:
                        self._note(value, highest, bare)
        for register in REGISTER_CLASSES:
            cls = type(register)
            number = highest.get(cls, 0)
            prefix = register.prefix
            for key in bare[cls]:
                number += 1
                names[key] = f"{prefix}{number}"
            self.next_number[cls] = number + 1

    def _note(
        self,
        value: SSAValue,
        highest: dict[type[Attribute], int],
        bare: dict[type[Attribute], list[int]],
    ) -> None:
        type_ = value.type
        if not isinstance(type_, RegisterClass):
            raise DiagnosticError(f"a value of type {type_} is not in a register")
        if type_.data == UNALLOCATED:
            bare[type(type_)].append(id(value))
        else:
            self.names[id(value)] = f"{type_.prefix}{type_.data}"
            highest[type(type_)] = max(highest.get(type(type_), 0), type_.data)

    def _fresh(self, register: RegisterClass) -> str:
        cls = type(register)
        number = self.next_number[cls]
        self.next_number[cls] = number + 1
        return f"{register.prefix}{number}"

    def _name_labels(self, blocks: Sequence[Block]) -> None:
        """Assigns labels to branch targets."""
        before: Block | None = None
        for number, block in enumerate(blocks):
            for op in fast.users_of(block):
                if op.parent is not before or type(op) is BrxOp:
                    self.labels[id(block)] = f"$L__BB{self.number}_{number}"
                    break
                if fast.operands_of(op) and any(b.args for b in fast.successors_of(op)):
                    # Copies on edges may require a branch even to the next block.
                    self.labels[id(block)] = f"$L__BB{self.number}_{number}"
                    break
            before = block

    def _extra_label(self) -> str:
        self.extra_labels += 1
        return f"$L__BB{self.number}_e{self.extra_labels}"

    def _inst(self, opcode: str, operands: str, guard: str = "") -> None:
        properties: dict[str, Attribute] = {
            "opcode": string(opcode),
            "operands": StringAttr(operands),
        }
        if guard:
            properties["guard"] = StringAttr(guard)
        fast.append(self.out, fast.create(ptx.InstOp, (), (), properties))

    def _label(self, label: str) -> None:
        fast.append(self.out, fast.create(ptx.LabelOp, (), (), {"label": StringAttr(label)}))

    def _directive(self, text: str) -> None:
        fast.append(self.out, fast.create(ptx.DirectiveOp, (), (), {"text": StringAttr(text)}))

    def _copy(self, target: str, source: str, register: RegisterClass) -> None:
        if target != source:
            self._inst(f"mov.{_MOV_TYPE[type(register)]}", f"{target}, {source}")

    def _terminator(self, op: TerminatorOp, following: Block | None) -> None:
        cls = type(op)
        if cls is BraOp:
            ((target, values),) = op.edges
            self._copies(target, values)
            self._jump(target, following)
        elif cls is CbraOp:
            self._conditional(cast(CbraOp, op), following)
        elif cls is BrxOp:
            self._indexed(cast(BrxOp, op))
        elif cls is RetOp:
            self._inst("ret", "")
        elif cls is UnreachableOp:
            self._inst("trap", "")
            self._inst("exit", "")
        else:
            raise DiagnosticError(f"{op.name} cannot be printed as PTX")

    def _jump(self, target: Block, following: Block | None) -> None:
        if target is not following:
            self._inst("bra.uni", self.labels[id(target)])

    def _conditional(self, op: CbraOp, following: Block | None) -> None:
        then_edge, else_edge = op.edges
        then_block, else_block = then_edge[0], else_edge[0]
        if then_block is else_block and then_edge[1] == else_edge[1]:
            self._copies(*then_edge)
            self._jump(then_block, following)
            return
        predicate = self.names[id(fast.operands_of(op)[0])]
        branch = "bra.uni" if UNIFORM in op.properties else "bra"
        then_copies = self._needs_copies(then_edge)
        else_copies = self._needs_copies(else_edge)
        if not then_copies and not else_copies and then_block is following:
            self._inst(branch, self.labels[id(else_block)], f"@!{predicate}")
        elif not then_copies:
            self._inst(branch, self.labels[id(then_block)], f"@{predicate}")
            self._copies(*else_edge)
            self._jump(else_block, following)
        elif not else_copies:
            self._inst(branch, self.labels[id(else_block)], f"@!{predicate}")
            self._copies(*then_edge)
            self._jump(then_block, following)
        else:
            label = self._extra_label()
            self._inst(branch, label, f"@!{predicate}")
            self._copies(*then_edge)
            self._inst("bra.uni", self.labels[id(then_block)])
            self._label(label)
            self._copies(*else_edge)
            self._jump(else_block, following)

    def _indexed(self, op: BrxOp) -> None:
        index = self.names[id(fast.operands_of(op)[0])]
        targets: list[str] = []
        pads: list[tuple[str, Edge]] = []
        for edge in op.edges:
            if self._needs_copies(edge):
                label = self._extra_label()
                pads.append((label, edge))
                targets.append(label)
            else:
                targets.append(self.labels[id(edge[0])])
        self.prototypes += 1
        table = f"$L_brx_{self.number}_{self.prototypes}"
        self._directive(f"{table}: .branchtargets {', '.join(targets)};")
        self._inst("brx.idx.uni" if UNIFORM in op.properties else "brx.idx", f"{index}, {table}")
        for label, edge in pads:
            self._label(label)
            self._copies(*edge)
            self._inst("bra.uni", self.labels[id(edge[0])])

    def _pairs(self, target: Block, values: Sequence[SSAValue]) -> list[tuple[str, str]]:
        names = self.names
        pairs: list[tuple[str, str]] = []
        for arg, value in zip(target.args, values):
            owner = value.owner
            if isinstance(owner, UndefOp):
                continue
            to, source = names[id(arg)], names[id(value)]
            if to != source:
                pairs.append((to, source))
                self.classes[to] = register_class(arg)
        return pairs

    def _needs_copies(self, edge: Edge) -> bool:
        return bool(edge[1]) and bool(self._pairs(*edge))

    def _copies(self, target: Block, values: Sequence[SSAValue]) -> None:
        if values:
            self._at_once(self._pairs(target, values))

    def _at_once(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Copies (target, source) of registers in parallel."""
        classes = self.classes

        def temporary(name: str) -> str:
            register = classes[name]
            spare = self._fresh(register)
            classes[spare] = register
            return spare

        for to, source in sequence_copies(pairs, temporary):
            self._copy(to, source, classes[to])
