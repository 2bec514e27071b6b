"""Debug records of variables and labels: `#dbg_value(...)`, and calls of `@llvm.dbg.value` (LLVM,
"Source Level Debugging", debug records).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr
from nvvm_xdsl.dialects.llvm.ops import DbgDeclareOp, DbgLabelOp, DbgValueOp
from nvvm_xdsl.dialects.llvm.struct_attributes import DILabelAttr, DILocalVariableAttr
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.frontend.constants import Constant
from nvvm_xdsl.frontend.instructions import InstructionReader
from nvvm_xdsl.frontend.operands import name_hint, value_key
from nvvm_xdsl.ir import fast

_RECORD_HEAD = 24
"""Number of tokens of a debug record that contain its value and its variable."""


class DebugRecordReader(InstructionReader):
    """Reads debug records, and names values after the variables that they describe."""

    def debug_record(self, kind: str) -> Operation | None:
        """Reads `(type value, !variable, !DIExpression(...), ... !location)` after `#dbg_` or
        `@llvm.dbg.` and `kind`.

        Returns an op if variables are kept and an op can represent the record, else None. A value
        without a name gets the name of the source variable in any case.
        """
        start = self.pos
        self._name_described()
        if self.debug_level != "full":
            return None
        end = self.pos
        self.pos = start
        made = self._label_record() if kind == "label" else self._variable_record(kind)
        self.pos = end
        return made

    def _debug_nodes(self) -> list[Any]:
        """The nodes up to the closing parenthesis."""
        found: list[Any] = []
        while self.accept(","):
            self.fill()
            found.append(self.metadata())
        return found

    def _label_record(self) -> Operation | None:
        self.expect("(")
        nodes = [self.metadata(), *self._debug_nodes()]
        label = self.debug.of_class(nodes[0], DILabelAttr)
        if label is None:
            return None
        return self._at_node(fast.create(DbgLabelOp, (), (), {"label": label}), nodes[1:])

    def _variable_record(self, kind: str) -> Operation | None:
        """The op of a record. If its value is not yet defined, the record has no value:
        `#dbg_value` then has poison."""
        self.expect("(")
        value = self._described_value()
        nodes = self._debug_nodes()
        if len(nodes) < 2:
            return None
        variable = self.debug.of_class(nodes[0], DILocalVariableAttr)
        expression = self.debug.of_class(nodes[1], DIExpressionAttr)
        if variable is None:
            return None
        properties: dict[str, Attribute] = {"varInfo": variable}
        if expression is not None and expression != DIExpressionAttr(ArrayAttr(())):
            properties["locationExpr"] = expression
        if kind == "declare":
            if value is None or not isinstance(value.type, LLVMPointerType):
                return None
            made = fast.create(DbgDeclareOp, (value,), (), properties)
        else:
            if value is None:
                value = self.pool.value(Constant("poison", I32))
            made = fast.create(DbgValueOp, (value,), (), properties)
        return self._at_node(made, nodes[2:])

    def _at_node(self, op: Operation, nodes: Sequence[Any]) -> Operation:
        """The op with the location that is the last of the nodes, if any."""
        if nodes and isinstance(nodes[-1], str):
            op.location = self.convert("dbg", nodes[-1])
        return op

    def _described_value(self) -> SSAValue | None:
        self.accept("metadata")
        if self.tokens[self.pos][:1] == "!":
            self.metadata()
            return None
        type_ = self.value_type()
        token = self.tokens[self.pos]
        if token[:1] != "%":
            return self.value(type_)
        self.pos += 1
        return self.values.get(value_key(token))

    def _name_described(self) -> None:
        self.fill()
        ahead = self.tokens[self.pos : self.pos + _RECORD_HEAD]
        commas = [index for index, token in enumerate(ahead) if token == ","][:2]
        if len(commas) == 2:
            value = self.values.get(ahead[commas[0] - 1])
            reference = ahead[commas[1] - 1]
            if value is not None and value.name_hint is None and reference[:1] == "!":
                self._name_by_variable(value, reference)
        self.skip_parentheses()

    def _name_by_variable(self, value: SSAValue, reference: str) -> None:
        if reference[1:].isdecimal():
            variable = self.node(reference)
            name = variable.fields.get("name")
            if variable.kind == "DILocalVariable" and isinstance(name, str):
                fast.set_name(value, name_hint(name))
