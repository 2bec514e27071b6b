"""Debug information nodes (LLVM Language Reference, "Debug Info") as attributes of MLIR's LLVM dialect.

The result is that of MLIR's importer, with two differences: the enumerators of an enumeration are
derived types of the tag `DW_TAG_enumerator` whose `extraData` is their value, and member functions
are omitted from their classes. Referenced nodes are part of the attribute. A recursive class or
function refers to itself by number (`recId`, `isRecSelf`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.attributes import StructAttr
from nvvm_xdsl.dialects.llvm import attributes as llvm
from nvvm_xdsl.dialects.llvm import struct_attributes as structs
from nvvm_xdsl.dialects.llvm.types import I64, int_attr

MAX_DEPTH: Final = 200
"""Maximum nesting of nodes; deeper nodes are omitted."""


class Node(Protocol):
    """A metadata node; `metadata.Node`."""

    kind: str
    distinct: bool
    elements: list[Any]
    fields: dict[str, Any]


class MetadataSource(Protocol):
    """The source of the nodes."""

    def node(self, name: str) -> Any:
        """Returns the metadata node with this name."""

    def distinct_id(self, name: str) -> llvm.DistinctAttr:
        """Returns the identity of the distinct node with this name."""
        ...

    def number_of(self, element: Any) -> int | None:
        """Returns the integer that a metadata operand holds, or None."""


class DebugInfoReader:
    """Converts nodes to attributes, each node once.

    Arguments:
        source: the module's metadata.
    """

    def __init__(self, source: MetadataSource) -> None:
        self._source = source
        self._open: list[str] = []
        """The classes and functions whose attributes are under construction."""
        self._itself: set[str] = set()
        """Pending nodes that are referenced by these."""
        self._made: dict[str, list[tuple[frozenset[str], Attribute | None]]] = {}
        """The attribute of a node, and the nodes under construction to which it refers by
        number."""
        self._makers: dict[str, Callable[[str, Node], Attribute | None]] = {
            "DIFile": self._file,
            "DICompileUnit": self._compile_unit,
            "DISubprogram": self._subprogram,
            "DILexicalBlock": self._lexical_block,
            "DILexicalBlockFile": self._lexical_block_file,
            "DINamespace": self._namespace,
            "DIBasicType": self._basic_type,
            "DIDerivedType": self._derived_type,
            "DICompositeType": self._composite_type,
            "DISubroutineType": self._subroutine_type,
            "DISubrange": self._subrange,
            "DIEnumerator": self._enumerator,
            "DILocalVariable": self._local_variable,
            "DIGlobalVariable": self._global_variable,
            "DIGlobalVariableExpression": self._global_variable_expression,
            "DILabel": self._label,
            "DIExpression": self._expression,
        }

    def attribute(self, reference: Any) -> Attribute | None:
        """The attribute of a node, given directly or by name; None for nodes without one."""
        if not isinstance(reference, str):
            kind = getattr(reference, "kind", None)
            maker = self._makers.get(kind) if isinstance(kind, str) else None
            return None if maker is None else maker("", reference)
        if not reference.startswith("!"):
            return None
        if reference in self._open:
            self._itself.add(reference)
            return self._self_reference(reference)
        for used, made in self._made.get(reference, ()):
            if used.issubset(self._open):
                self._itself |= used
                return made
        node = self._source.node(reference)
        maker = self._makers.get(node.kind)
        if maker is None or len(self._open) > MAX_DEPTH:
            return None
        outer = self._itself
        self._itself = set()
        nests = node.kind in ("DICompositeType", "DISubprogram")
        if nests:
            self._open.append(reference)
        found = maker(reference, node)
        if nests:
            self._open.pop()
            self._itself.discard(reference)
        self._made.setdefault(reference, []).append((frozenset(self._itself), found))
        self._itself |= outer
        return found

    def of_class(self, reference: Any, cls: type[Attribute]) -> Attribute | None:
        """The attribute of a node that must be of a class."""
        found = self.attribute(reference)
        return found if isinstance(found, cls) else None

    def globals_of(self, unit: Node) -> list[Attribute]:
        """The variables of a `DICompileUnit` and their locations."""
        found = self._all(unit.fields.get("globals"))
        return [one for one in found if isinstance(one, structs.DIGlobalVariableExpressionAttr)]

    def _self_reference(self, reference: str) -> Attribute:
        cls = (
            structs.DICompositeTypeAttr
            if self._source.node(reference).kind == "DICompositeType"
            else structs.DISubprogramAttr
        )
        return cls.of(recId=self._source.distinct_id(reference), isRecSelf=True)

    def _all(self, reference: Any) -> list[Attribute]:
        """The attributes of a tuple's elements, without those that have none."""
        return [found for found in map(self.attribute, self._elements(reference)) if found]

    def _elements(self, reference: Any) -> list[Any]:
        node = self._source.node(reference) if isinstance(reference, str) else reference
        return [] if node is None else node.elements

    # Fields

    @staticmethod
    def _text(node: Node, key: str) -> str | None:
        found = node.fields.get(key)
        return found if isinstance(found, str) and found else None

    @staticmethod
    def _number(node: Node, key: str) -> int:
        found = node.fields.get(key)
        if isinstance(found, str) and len(found) < 40 and found.lstrip("-").isdecimal():
            return int(found)
        return 0

    @staticmethod
    def _true(node: Node, key: str, absent: str = "false") -> bool:
        return node.fields.get(key, absent) == "true"

    def _file_of(self, node: Node) -> Attribute | None:
        return self.of_class(node.fields.get("file"), llvm.DIFileAttr)

    def _flags(self, node: Node, key: str, prefix: str) -> str | None:
        """`Prototyped|Artificial` of `DIFlagPrototyped | DIFlagArtificial`."""
        found = node.fields.get(key)
        if not isinstance(found, str) or found.isdecimal():
            return None
        return "|".join(flag.removeprefix(prefix) for flag in found.split("|"))

    # Scopes

    def _file(self, _name: str, node: Node) -> Attribute:
        name, directory = self._text(node, "filename"), self._text(node, "directory")
        return llvm.DIFileAttr(StringAttr(name or ""), StringAttr(directory or ""))

    def _compile_unit(self, name: str, node: Node) -> Attribute | None:
        file = self._file_of(node)
        if file is None:
            return None
        return structs.DICompileUnitAttr.of(
            id=self._source.distinct_id(name),
            sourceLanguage=self._text(node, "language") or "DW_LANG_C_plus_plus",
            file=file,
            producer=self._text(node, "producer"),
            isOptimized=self._true(node, "isOptimized"),
            emissionKind=EMISSION_KINDS.get(self._text(node, "emissionKind") or "", "Full"),
            nameTableKind=self._text(node, "nameTableKind") or "Default",
        )

    def _subprogram(self, name: str, node: Node) -> Attribute:
        fields: dict[str, Any] = {}
        if node.distinct:
            fields["id"] = self._source.distinct_id(name)
        fields["compileUnit"] = self.of_class(node.fields.get("unit"), structs.DICompileUnitAttr)
        fields["scope"] = self.attribute(node.fields.get("scope"))
        fields["type"] = self.of_class(node.fields.get("type"), structs.DISubroutineTypeAttr)
        made = structs.DISubprogramAttr.of(
            **fields,
            **self._recursive(name),
            name=self._text(node, "name"),
            linkageName=self._text(node, "linkageName"),
            file=self._file_of(node),
            line=self._number(node, "line"),
            scopeLine=self._number(node, "scopeLine"),
            subprogramFlags=self._flags(node, "spFlags", "DISPFlag"),
        )
        return made

    def _recursive(self, name: str) -> dict[str, Any]:
        """`recId` of a node that contains itself."""
        return {"recId": self._source.distinct_id(name)} if name in self._itself else {}

    def _lexical_block(self, _name: str, node: Node) -> Attribute | None:
        scope = self.attribute(node.fields.get("scope"))
        if scope is None:
            return None
        return structs.DILexicalBlockAttr.of(
            scope=scope,
            file=self._file_of(node),
            line=self._number(node, "line"),
            column=self._number(node, "column"),
        )

    def _lexical_block_file(self, _name: str, node: Node) -> Attribute | None:
        scope = self.attribute(node.fields.get("scope"))
        if scope is None:
            return None
        return structs.DILexicalBlockFileAttr.of(
            scope=scope, file=self._file_of(node), discriminator=self._number(node, "discriminator")
        )

    def _namespace(self, _name: str, node: Node) -> Attribute:
        return structs.DINamespaceAttr.of(
            name=self._text(node, "name"),
            scope=self.attribute(node.fields.get("scope")),
            exportSymbols=self._true(node, "exportSymbols"),
        )

    # Types

    def _basic_type(self, _name: str, node: Node) -> Attribute:
        return structs.DIBasicTypeAttr.of(
            tag=self._text(node, "tag") or "DW_TAG_base_type",
            name=self._text(node, "name") or "",
            sizeInBits=self._number(node, "size"),
            encoding=self._text(node, "encoding"),
        )

    def _derived_type(self, _name: str, node: Node) -> Attribute:
        space = node.fields.get("dwarfAddressSpace")
        return structs.DIDerivedTypeAttr.of(
            tag=self._text(node, "tag"),
            name=self._text(node, "name"),
            baseType=self.attribute(node.fields.get("baseType")),
            sizeInBits=self._number(node, "size"),
            alignInBits=self._number(node, "align"),
            offsetInBits=self._number(node, "offset"),
            dwarfAddressSpace=None if space is None else self._number(node, "dwarfAddressSpace"),
        )

    def _composite_type(self, name: str, node: Node) -> Attribute:
        fields: dict[str, Any] = {
            "scope": self.attribute(node.fields.get("scope")),
            "baseType": self.attribute(node.fields.get("baseType")),
            # Member functions are omitted, because each of them would make the class recursive.
            "elements": [
                found
                for element in self._elements(node.fields.get("elements"))
                if not self._is_function(element) and (found := self.attribute(element))
            ],
        }
        return structs.DICompositeTypeAttr.of(
            **fields,
            **self._recursive(name),
            tag=self._text(node, "tag"),
            name=self._text(node, "name"),
            file=self._file_of(node),
            line=self._number(node, "line"),
            flags=self._flags(node, "flags", "DIFlag"),
            sizeInBits=self._number(node, "size"),
            alignInBits=self._number(node, "align"),
        )

    def _is_function(self, element: Any) -> bool:
        return isinstance(element, str) and self._source.node(element).kind == "DISubprogram"

    def _subroutine_type(self, _name: str, node: Node) -> Attribute:
        types = [
            llvm.DINullTypeAttr() if element is None else self.attribute(element)
            for element in self._elements(node.fields.get("types"))
        ]
        return structs.DISubroutineTypeAttr.of(
            types=[type_ or llvm.DINullTypeAttr() for type_ in types]
        )

    def _subrange(self, _name: str, node: Node) -> Attribute:
        fields: dict[str, Attribute] = {}
        for key in ("count", "lowerBound", "upperBound", "stride"):
            stated = node.fields.get(key)
            number = self._source.number_of(stated)
            if number is None and isinstance(stated, str) and stated.lstrip("-").isdecimal():
                number = int(stated)
            if number is not None:
                fields[key] = int_attr(number, I64)
            elif (found := self.attribute(stated)) is not None:
                fields[key] = found
        return structs.DISubrangeAttr.of(**fields)

    def _enumerator(self, _name: str, node: Node) -> Attribute:
        return structs.DIDerivedTypeAttr.of(
            tag="DW_TAG_enumerator",
            name=self._text(node, "name"),
            extraData=int_attr(self._number(node, "value"), I64),
        )

    # Variables

    def _local_variable(self, _name: str, node: Node) -> Attribute | None:
        scope = self.attribute(node.fields.get("scope"))
        if scope is None:
            return None
        return structs.DILocalVariableAttr.of(
            scope=scope,
            name=self._text(node, "name"),
            file=self._file_of(node),
            line=self._number(node, "line"),
            arg=self._number(node, "arg"),
            alignInBits=self._number(node, "align"),
            type=self.attribute(node.fields.get("type")),
            flags=self._flags(node, "flags", "DIFlag"),
        )

    def _global_variable(self, _name: str, node: Node) -> Attribute | None:
        file = self._file_of(node)
        type_ = self.attribute(node.fields.get("type"))
        if file is None or type_ is None:
            return None
        return structs.DIGlobalVariableAttr.of(
            scope=self.attribute(node.fields.get("scope")),
            name=self._text(node, "name"),
            linkageName=self._text(node, "linkageName"),
            file=file,
            line=self._number(node, "line"),
            type=type_,
            isLocalToUnit=self._true(node, "isLocal"),
            isDefined=self._true(node, "isDefinition", "true"),
            alignInBits=self._number(node, "align"),
        )

    def _global_variable_expression(self, _name: str, node: Node) -> Attribute | None:
        variable = self.of_class(node.fields.get("var"), structs.DIGlobalVariableAttr)
        if variable is None:
            return None
        return structs.DIGlobalVariableExpressionAttr.of(
            var=variable, expr=self.attribute(node.fields.get("expr"))
        )

    def _label(self, _name: str, node: Node) -> Attribute | None:
        scope = self.attribute(node.fields.get("scope"))
        if scope is None:
            return None
        return structs.DILabelAttr.of(
            scope=scope,
            name=self._text(node, "name"),
            file=self._file_of(node),
            line=self._number(node, "line"),
        )

    def _expression(self, _name: str, node: Node) -> Attribute:
        operations: list[tuple[str, list[Attribute]]] = []
        for element in node.elements:
            text = str(element)
            if text.startswith("DW_OP_"):
                operations.append((text, []))
            elif operations:
                number = text.lstrip("-")
                operations[-1][1].append(
                    IntAttr(int(text)) if number.isdecimal() else StringAttr(text)
                )
        return llvm.DIExpressionAttr(
            ArrayAttr(
                [
                    llvm.DIExpressionElemAttr(StringAttr(opcode), ArrayAttr(arguments))
                    for opcode, arguments in operations
                ]
            )
        )


EMISSION_KINDS: Final = {
    "NoDebug": "None",
    "FullDebug": "Full",
    "LineTablesOnly": "LineTablesOnly",
    "DebugDirectivesOnly": "DebugDirectivesOnly",
}
"""MLIR's keywords for LLVM's emission kinds."""

SCOPES: Final[tuple[type[StructAttr], ...]] = (
    structs.DISubprogramAttr,
    structs.DILexicalBlockAttr,
    structs.DILexicalBlockFileAttr,
)
"""Kinds of scopes."""
