"""Operands, access properties and metadata of instructions in LLVM assembly."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    branch_weights_of,
    int_property,
    int_value,
    integer_of,
    integers_of,
    is_volatile,
    loop_annotation_of,
    sync_scope_of,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_NAMES
from nvvm_xdsl.dialects.llvm.struct_attributes import DereferenceableAttr, LoopAnnotationAttr
from nvvm_xdsl.export.attributes import AttributeWriter
from nvvm_xdsl.export.constants import CONSTANT_OPS, ConstantSpelling
from nvvm_xdsl.export.debug_info import DebugInfoWriter
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.metadata import MetadataWriter
from nvvm_xdsl.export.spelling import TypeSpelling, bytes_of, quoted
from nvvm_xdsl.frontend.operands import ALIASING
from nvvm_xdsl.ir.arrays import items_of


class OperandWriter:
    """Writes the operands and metadata that instructions share.

    Arguments:
        declarations: declarations of intrinsics by name.
    """

    subprogram: str | None = None
    types: TypeSpelling
    constants: ConstantSpelling
    metadata: MetadataWriter
    attributes: AttributeWriter
    debug: DebugInfoWriter
    declarations: dict[str, str]
    func: FuncOp
    lines: list[str]
    names: dict[SSAValue, str]

    def __init__(
        self,
        spelling: TypeSpelling,
        metadata: MetadataWriter,
        attributes: AttributeWriter,
        debug: DebugInfoWriter,
    ) -> None:
        self.types = spelling
        self.constants = ConstantSpelling(spelling)
        self.metadata = metadata
        self.attributes = attributes
        self.debug = debug
        self.declarations = {}
        self.lines = []
        self.names = {}

    def temporary(self) -> str:
        """A new name for a value that no op defines."""
        raise NotImplementedError

    def value(self, value: SSAValue) -> str:
        """A value as an operand."""
        found = self.names.get(value)
        if found is None:
            owner = value.owner
            if not isinstance(owner, Operation) or owner.name not in CONSTANT_OPS:
                raise write_error(self.func, "it uses a value that is defined outside of it")
            found = self.names[value] = self.constants.op(owner)
        return found

    def typed(self, value: SSAValue) -> str:
        """`type value`."""
        return f"{self.types(value.type)} {self.value(value)}"

    def _listed(self, values: Iterable[SSAValue]) -> str:
        return ", ".join([self.typed(value) for value in values])

    def line(self, op: Operation, text: str, *more: str) -> None:
        """Adds an instruction with its result and metadata."""
        if op.results:
            text = f"{self.names[op.results[0]]} = {text}"
        properties = op.properties
        for kind, name in ALIASING.items():
            if name in properties:
                node = self._aliasing(kind, properties[name])
                if node is not None:
                    text += f", !{kind} {node}"
        for metadata in more:
            text += f", {metadata}"
        text += self._branch_metadata(op) + self._located(op)
        self.lines.append("  " + text)

    def _aliasing(self, kind: str, value: Attribute) -> str | None:
        if not items_of(value):
            return None
        if kind == "tbaa":
            return self.metadata.tbaa(value)
        if kind == "llvm.access.group":
            return self.metadata.access_groups(value)
        return self.metadata.scopes(value)

    def _branch_metadata(self, op: Operation) -> str:
        text = ""
        weights = branch_weights_of(op) or op.attributes.get("llvm.prof")
        if weights is not None:
            node = self.metadata.weights([n & 0xFFFFFFFF for n in integers_of(weights)])
            text += f", !prof {node}"
        annotation = loop_annotation_of(op)
        if isinstance(annotation, LoopAnnotationAttr):
            text += f", !llvm.loop {self.metadata.loop(annotation)}"
        return text

    def _located(self, op: Operation) -> str:
        if self.subprogram is None:
            return ""
        node = self.debug.location(op.location, self.subprogram)
        if node is None and op.name == "llvm.call":
            node = self.debug.nowhere(self.subprogram)
        return "" if node is None else f", !dbg {node}"

    @staticmethod
    def _ordering(op: Operation, name: str = "ordering") -> str:
        """` syncscope("...") ordering`; empty for ops that are not atomic."""
        number = int_property(op, name)
        if not number:
            return ""
        scope = sync_scope_of(op)
        text = f" syncscope({quoted(bytes_of(scope))})" if scope else ""
        return f"{text} {ORDERING_NAMES[number]}"

    @staticmethod
    def _words(op: Operation, ordering: str = "") -> str:
        """`atomic` and `volatile`, each with a trailing space."""
        return ("atomic " if ordering else "") + ("volatile " if is_volatile(op) else "")

    @staticmethod
    def _aligned(op: Operation) -> str:
        alignment = int_property(op, "alignment")
        return f", align {alignment}" if alignment else ""

    def _dereferenceable(self, attribute: DereferenceableAttr) -> str:
        kind = "dereferenceable_or_null" if int_value(attribute.mayBeNull) else "dereferenceable"
        return f"!{kind} {self.metadata.number(attribute.bytes.data)}"

    def _access_metadata(self, op: Operation) -> list[str]:
        found: list[str] = []
        properties = op.properties
        unit = self.metadata.unit
        if "invariant" in properties:
            found.append(f"!invariant.load {unit()}")
        if "nontemporal" in properties:
            found.append(f"!nontemporal {self.metadata.list_of(['i32 1'])}")
        if "invariantGroup" in properties:
            found.append(f"!invariant.group {unit()}")
        dereferenceable = properties.get("dereferenceable")
        if isinstance(dereferenceable, DereferenceableAttr):
            found.append(self._dereferenceable(dereferenceable))
        found += self._range(op)
        for name in ("nonnull", "noundef"):
            if f"llvm.{name}" in op.attributes:
                found.append(f"!{name} {unit()}")
        alignment = integer_of(op.attributes.get("llvm.align"))
        if alignment is not None:
            found.append(f"!align {self.metadata.number(alignment)}")
        return found

    def _range(self, op: Operation) -> list[str]:
        bounds = op.attributes.get("llvm.range")
        if not isinstance(bounds, ConstantRangeAttr):
            return []
        return [f"!range {self.metadata.range(bounds)}"]
