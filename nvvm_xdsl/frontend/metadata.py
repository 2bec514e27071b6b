"""Metadata (LLVM Language Reference, "Metadata") and the attributes that MLIR has for it.

Nodes are at the end of a module, after their uses; each is read on first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    StringAttr,
)
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import attributes as llvm
from nvvm_xdsl.dialects.llvm import struct_attributes as structs
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, UNIT, dense_i32, int_attr
from nvvm_xdsl.frontend.attributes import AttributeReader, range_attribute
from nvvm_xdsl.frontend.constants import Constant
from nvvm_xdsl.frontend.debug_info import SCOPES, DebugInfoReader
from nvvm_xdsl.frontend.types import METADATA
from nvvm_xdsl.ir.fast import UNKNOWN_LOC
from nvvm_xdsl.ir.locations import scoped

_NODE = re.compile(r"(![0-9]+)\s*=", re.ASCII)
_LOCATION = re.compile(
    r"\s*!DILocation\((line): (\d+), (column): (\d+), (scope): (!\d+)(?:, (inlinedAt): (!\d+))?\)",
    re.ASCII,
)
"""The most frequent form of the most frequent node, read without the lexer."""
_MAX_CHAIN = 1000

DebugLevel = Literal["none", "lines", "full"]
"""The debug information to keep: files and lines, also the scopes, or the variables too."""


class Node:
    """A metadata node.

    Arguments:
        kind: "" for a tuple, else the name of a specialized node such as `DILocation`.
        distinct: whether the node is `distinct`.
        elements: the elements of a tuple: strings, `Constant`s, nodes, node names (`!5`), None.
        fields: the fields of a specialized node.
    """

    __slots__ = ("distinct", "elements", "fields", "kind")

    def __init__(self, kind: str = "", *, distinct: bool = False) -> None:
        self.kind = kind
        self.distinct = distinct
        self.elements: list[Any] = []
        self.fields: dict[str, Any] = {}


class MetadataReader(AttributeReader):
    """Reads metadata, and converts nodes to attributes."""

    _node_offsets: dict[str, int]
    _nodes: dict[str, Node]
    _converted: dict[tuple[str, str], Any]
    _distinct: dict[str, llvm.DistinctAttr]
    _converters: dict[str, Callable[[str], Any]]

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename)
        self._nodes = {}
        self._converted = {}
        self._distinct = {}
        self.debug = DebugInfoReader(self)
        self.debug_level = debug
        self._converters = {
            "tbaa": self._tbaa,
            "alias.scope": self._scopes,
            "noalias": self._scopes,
            "llvm.access.group": self._access_groups,
            "range": self._range_attribute,
            "prof": self._weights,
            "llvm.loop": self._loop,
            "dbg": self._location,
            "align": self._number_attribute,
            "dereferenceable": self._number_attribute,
            "dereferenceable_or_null": self._number_attribute,
            "nonnull": self._unit,
            "noundef": self._unit,
            "nontemporal": self._unit,
            "invariant.load": self._unit,
            "invariant.group": self._unit,
        }
        self._node_offsets = {}
        self._file_names: dict[str, StringAttr] = {}
        for match in _NODE.finditer(text):
            self._node_offsets.setdefault(match[1], match.end())

    def node(self, name: str) -> Node:
        """The node `!5`, which the module must define."""
        found = self._nodes.get(name)
        if found is None:
            offset = self._node_offsets.get(name)
            if offset is None:
                self.fail(f"use of undefined metadata '{name}'")
            location = _LOCATION.match(self.text, offset)
            if location is not None:
                found = _location_node(location)
            else:
                state = self.open_window(offset)
                found = self._definition()
                self.close_window(state)
            self._nodes[name] = found
        return found

    def resolve(self, element: Any) -> Any:
        """The node with the given name; other elements unchanged."""
        if isinstance(element, _Reference):
            return self.node(element)
        return element

    def node_definition(self) -> None:
        """`!5 = ...` at the top of a module; the current token is `!5`."""
        name = self.next_token()
        self.pos += 1
        node = self._definition()
        self._nodes.setdefault(name, node)

    def _definition(self) -> Node:
        distinct = self.accept("distinct")
        found = self.metadata()
        if isinstance(found, Node):
            found.distinct = distinct
            return found
        node = Node()
        node.elements.append(found)
        return node

    def metadata(self) -> Any:
        """A string, a node, a node's name, a value, or None for `null`."""
        token = self.tokens[self.pos]
        if token == "!":
            self.pos += 1
            following = self.tokens[self.pos]
            if following == "{":
                return self._tuple()
            if following[:1] == '"':
                return self.string()
            self.fail_expected("metadata")
        if token[:1] == "!" and token[1:].isdecimal():
            self.pos += 1
            return _Reference(token)
        if token[:1] == "!" and token[1:].isidentifier():
            return self._specialized(token)
        if token == "null":
            self.pos += 1
            return None
        type_ = self.type_()
        if type_ is METADATA:
            return self.metadata()
        if self.tokens[self.pos][:1] == "%":
            self.pos += 1
            return None
        return self.constant(type_)

    def _tuple(self) -> Node:
        node = Node()
        self.enter()
        self.pos += 1
        while not self.accept("}"):
            if node.elements:
                self.expect(",")
            self.fill()
            node.elements.append(self.metadata())
        self.depth -= 1
        return node

    def _specialized(self, token: str) -> Node:
        node = Node(token[1:])
        self.pos += 1
        self.enter()
        self.expect("(")
        first = True
        while not self.accept(")"):
            if not first:
                self.expect(",")
            first = False
            self.fill()
            key = self.tokens[self.pos]
            if key[-1:] == ":":
                self.pos += 1
                node.fields[key[:-1]] = self._field()
            else:
                node.elements.append(self._field())
        self.depth -= 1
        return node

    def _field(self) -> Any:
        token = self.tokens[self.pos]
        first = token[:1]
        if first == '"':
            return self.string()
        if first == "!":
            return self.metadata()
        if first == "%" or (first == "i" and token[1:].isdecimal()) or token == "ptr":
            return self.metadata()
        if token in (")", ",", ""):
            self.fail_expected("a value")
        self.pos += 1
        while self.accept("|"):
            self.fill()
            token += "|" + self.next_token()
        if self.tokens[self.pos] == "(":
            self.skip_parentheses()
        return token

    # What instructions carry.

    def convert(self, kind: str, name: str) -> Any:
        """The meaning of metadata of this kind for an instruction; None for metadata that is not
        kept.
        """
        key = (kind, name)
        if key in self._converted:
            return self._converted[key]
        converter = self._converters.get(kind)
        found = None if converter is None else converter(name)
        self._converted[key] = found
        return found

    def distinct_id(self, name: str) -> llvm.DistinctAttr:
        """The attribute that represents the identity of a node."""
        found = self._distinct.get(name)
        if found is None:
            found = self._distinct[name] = llvm.DistinctAttr.get(len(self._distinct))
        return found

    def _tbaa(self, name: str) -> Attribute | None:
        node = self.node(name)
        elements = node.elements
        if len(elements) < 3 or not isinstance(elements[0], _Reference):
            return None
        base = self._tbaa_type(elements[0], 0)
        access = self._tbaa_type(elements[1], 0)
        offset = _integer(elements[2])
        if base is None or access is None or offset is None:
            return None
        constant = len(elements) > 3 and bool(_integer(elements[3]))
        tag = structs.TBAATagAttr.of(
            base_type=base, access_type=access, offset=offset, constant=constant
        )
        return ArrayAttr([tag])

    def _tbaa_type(self, reference: Any, depth: int) -> Attribute | None:
        if not isinstance(reference, _Reference) or depth > 50:
            return None
        key = ("tbaa type", reference)
        if key in self._converted:
            return self._converted[key]
        node = self.node(reference)
        elements = node.elements
        found: Attribute | None = None
        if len(elements) < 3 and (not elements or isinstance(elements[0], str)):
            root = elements[0] if elements else None
            if node.distinct:
                # Two roots without a name differ.
                root = reference
            found = llvm.TBAARootAttr.of(id=root)
        elif isinstance(elements[0], str):
            members: list[tuple[Attribute, int]] = []
            for index in range(1, len(elements) - 1, 2):
                member = self._tbaa_type(elements[index], depth + 1)
                offset = _integer(elements[index + 1])
                if member is None or offset is None:
                    break
                members.append((member, offset))
            else:
                found = llvm.TBAATypeDescriptorAttr.of(elements[0], members)
        self._converted[key] = found
        return found

    def _scopes(self, name: str) -> Attribute | None:
        scopes: list[Attribute] = []
        for element in self.node(name).elements:
            scope = self._scope(element)
            if scope is not None:
                scopes.append(scope)
        return ArrayAttr(scopes) if scopes else None

    def _scope(self, reference: Any) -> Attribute | None:
        if not isinstance(reference, _Reference):
            return None
        key = ("scope", reference)
        if key not in self._converted:
            self._converted[key] = self._make_scope(reference)
        return self._converted[key]

    def _make_scope(self, reference: _Reference) -> Attribute | None:
        elements = self.node(reference).elements
        if len(elements) < 2 or not isinstance(elements[1], _Reference):
            return None
        domain_elements = self.node(elements[1]).elements
        domain = structs.AliasScopeDomainAttr.of(
            id=self.distinct_id(elements[1]), description=_text(domain_elements, 1)
        )
        return structs.AliasScopeAttr.of(
            id=self.distinct_id(reference), domain=domain, description=_text(elements, 2)
        )

    def _access_groups(self, name: str) -> Attribute | None:
        node = self.node(name)
        references = node.elements or [_Reference(name)]
        groups = [
            structs.AccessGroupAttr.of(id=self.distinct_id(reference))
            for reference in references
            if isinstance(reference, _Reference)
        ]
        return ArrayAttr(groups) if groups else None

    def _range_attribute(self, name: str) -> Attribute | None:
        elements = self.node(name).elements
        if len(elements) != 2 or not all(_is_int(element) for element in elements):
            return None
        low, high = elements
        if low.type is not high.type or low.payload == high.payload:
            return None
        return range_attribute(low.type, low.payload, high.payload)

    def _number_attribute(self, name: str) -> Attribute | None:
        elements = self.node(name).elements
        value = _integer(elements[0]) if elements else None
        return None if value is None else int_attr(value, I64)

    def _weights(self, name: str) -> Attribute | None:
        elements = self.node(name).elements
        if not elements or elements[0] != "branch_weights":
            return None
        start = 2 if len(elements) > 1 and elements[1] == "expected" else 1
        weights = [_integer(element) for element in elements[start:]]
        values = [weight for weight in weights if weight is not None]
        if len(values) != len(weights) or any(value >= 1 << 32 for value in values):
            return None
        return dense_i32([value - (1 << 32) if value >> 31 else value for value in values])

    def _unit(self, _name: str) -> Attribute:
        return UNIT

    def _loop(self, name: str) -> Attribute | None:
        fields: dict[str, dict[str, Attribute]] = {}
        top: dict[str, Any] = {}
        for element in self.node(name).elements[1:]:
            option = self.resolve(element)
            if not isinstance(option, Node) or not option.elements:
                continue
            key = option.elements[0]
            if not isinstance(key, str) or not key.startswith("llvm."):
                continue
            key = key.removeprefix("llvm.loop.")
            value = _integer(option.elements[1]) if len(option.elements) > 1 else None
            if key in LOOP_FLAGS:
                top[LOOP_FLAGS[key]] = int_attr(1, I1)
            elif key == "isvectorized":
                top["isVectorized"] = int_attr(int(value != 0), I1)
            elif key == "parallel_accesses":
                groups = [e for e in option.elements[1:] if isinstance(e, _Reference)]
                top["parallelAccesses"] = [
                    structs.AccessGroupAttr.of(id=self.distinct_id(group)) for group in groups
                ]
            elif key in LOOP_OPTIONS:
                group, field, how = LOOP_OPTIONS[key]
                attribute = LOOP_VALUES[how](value)
                if attribute is not None:
                    fields.setdefault(group, {})[field] = attribute
        for group, values in fields.items():
            top[group] = LOOP_CLASSES[group].of(**values)
        return structs.LoopAnnotationAttr.of(**top) if top else None

    def _location(self, name: str) -> Any:
        return self._location_of(name, 0)

    def _location_of(self, name: str, depth: int) -> Any:
        key = ("dbg", name)
        if key in self._converted:
            return self._converted[key]
        node = self.node(name)
        found: Any = UNKNOWN_LOC
        if node.kind == "DILocation" and depth <= 100:
            line = _field_number(node, "line")
            column = _field_number(node, "column")
            scope = node.fields.get("scope")
            file = self._file_names.get(scope) if isinstance(scope, _Reference) else None
            if file is None:
                file = StringAttr(self.file_of(scope))
                if isinstance(scope, _Reference):
                    self._file_names[scope] = file
            found = self.in_scope(FileLineColLoc(file, IntAttr(line), IntAttr(column)), scope)
            caller = node.fields.get("inlinedAt")
            if isinstance(caller, _Reference):
                found = CallSiteLoc(found, self._location_of(caller, depth + 1))
        self._converted[key] = found
        return found

    def in_scope(self, location: LocationAttr, scope: Any) -> LocationAttr:
        """The location with its debug scope, if scopes are kept."""
        if self.debug_level == "none":
            return location
        found = self.debug.attribute(scope)
        return scoped(location, found) if isinstance(found, SCOPES) else location

    @staticmethod
    def number_of(element: Any) -> int | None:
        """The value of an integer in a node; None for anything else."""
        return _integer(element)

    def file_of(self, scope: Any) -> str:
        """The path of the source file of a debug scope."""
        for _ in range(_MAX_CHAIN):
            node = self.resolve(scope)
            if not isinstance(node, Node):
                break
            if node.kind == "DIFile":
                return self._path(node)
            file = self.resolve(node.fields.get("file"))
            if isinstance(file, Node) and file.kind == "DIFile":
                return self._path(file)
            scope = node.fields.get("scope")
        return "<unknown>"

    @staticmethod
    def _path(file: Node) -> str:
        name = file.fields.get("filename", "")
        directory = file.fields.get("directory", "")
        if not isinstance(name, str) or not isinstance(directory, str):
            return "<unknown>"
        if directory and not name.startswith("/"):
            return f"{directory.rstrip('/')}/{name}"
        return name or "<unknown>"


class _Reference(str):
    """A reference to a node by its name."""

    __slots__ = ()


def _location_node(match: re.Match[str]) -> Node:
    """The node of a `DILocation`."""
    node = Node("DILocation")
    parts = match.groups()
    for key, value in zip(parts[::2], parts[1::2]):
        if key is not None:
            node.fields[key] = _Reference(value) if value[0] == "!" else value
    return node


def _is_int(element: Any) -> bool:
    return isinstance(element, Constant) and element.kind == "int"


def _integer(element: Any) -> int | None:
    if isinstance(element, Constant):
        if element.kind == "int":
            return element.payload
        if element.kind == "zero":
            return 0
    return None


def integer_of(element: Any) -> int | None:
    """The value of an integer in a node; None for anything else."""
    return _integer(element)


def global_of(element: Any) -> str | None:
    """The name of a function or variable in a node; None for anything else."""
    if isinstance(element, Constant):
        if element.kind == "global":
            return element.payload
        if element.kind == "expression" and element.payload[0] in ("bitcast", "addrspacecast"):
            return global_of(element.payload[1][0])
    return None


def _text(elements: Sequence[Any], index: int) -> str | None:
    if len(elements) > index and isinstance(elements[index], str):
        if not isinstance(elements[index], _Reference):
            return elements[index]
    return None


def _field_number(node: Node, key: str) -> int:
    value = node.fields.get(key, "0")
    return int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 12 else 0


def _count(value: int | None) -> Attribute | None:
    return None if value is None else int_attr(value, I32)


def _bool(value: int | None) -> Attribute | None:
    return int_attr(int(value != 0), I1)


def _not(value: int | None) -> Attribute | None:
    return int_attr(int(value == 0), I1)


LOOP_VALUES: dict[str, Callable[[int | None], Attribute | None]] = {
    "true": lambda value: int_attr(1, I1),
    "false": lambda value: int_attr(0, I1),
    "bool": _bool,
    "not": _not,
    "count": _count,
}
"""The conversion of a loop option's operand (None if absent) to an attribute, by the kind in
`LOOP_OPTIONS`.

Options of the kinds `true` and `false` have no operand.
"""


def loop_option_name(key: str) -> str:
    """The name in metadata of a loop option in `LOOP_OPTIONS`; most begin with `llvm.loop`."""
    return key if key.startswith("llvm.") else f"llvm.loop.{key}"


LOOP_FLAGS = {"mustprogress": "mustProgress", "disable_nonforced": "disableNonforced"}
LOOP_OPTIONS = {
    "unroll.disable": ("unroll", "disable", "true"),
    "unroll.enable": ("unroll", "disable", "false"),
    "unroll.full": ("unroll", "full", "true"),
    "unroll.count": ("unroll", "count", "count"),
    "unroll.runtime.disable": ("unroll", "runtimeDisable", "true"),
    "unroll_and_jam.disable": ("unrollAndJam", "disable", "true"),
    "unroll_and_jam.enable": ("unrollAndJam", "disable", "false"),
    "unroll_and_jam.count": ("unrollAndJam", "count", "count"),
    "vectorize.enable": ("vectorize", "disable", "not"),
    "vectorize.width": ("vectorize", "width", "count"),
    "vectorize.predicate.enable": ("vectorize", "predicateEnable", "bool"),
    "vectorize.scalable.enable": ("vectorize", "scalableEnable", "bool"),
    "interleave.count": ("interleave", "count", "count"),
    "distribute.enable": ("distribute", "disable", "not"),
    "licm_versioning.disable": ("licm", "versioningDisable", "true"),
    "llvm.licm.disable": ("licm", "disable", "true"),
    "pipeline.disable": ("pipeline", "disable", "bool"),
    "pipeline.initiationinterval": ("pipeline", "initiationinterval", "count"),
    "peeled.count": ("peeled", "count", "count"),
    "unswitch.partial.disable": ("unswitch", "partialDisable", "true"),
}
LOOP_CLASSES: dict[str, Any] = {
    "unroll": structs.LoopUnrollAttr,
    "unrollAndJam": structs.LoopUnrollAndJamAttr,
    "vectorize": structs.LoopVectorizeAttr,
    "interleave": structs.LoopInterleaveAttr,
    "distribute": structs.LoopDistributeAttr,
    "licm": structs.LoopLICMAttr,
    "pipeline": structs.LoopPipelineAttr,
    "peeled": structs.LoopPeeledAttr,
    "unswitch": structs.LoopUnswitchAttr,
}
