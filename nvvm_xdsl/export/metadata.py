"""Metadata nodes for attributes that `frontend.metadata` creates (LLVM Language Reference,
"Metadata").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import attributes as llvm
from nvvm_xdsl.dialects.llvm import struct_attributes as structs
from nvvm_xdsl.dialects.llvm.accessors import int_value, integer_of
from nvvm_xdsl.export.spelling import bytes_of, quoted
from nvvm_xdsl.frontend.metadata import (
    LOOP_FLAGS,
    LOOP_OPTIONS,
    LOOP_VALUES,
    loop_option_name,
)
from nvvm_xdsl.ir.arrays import items_of


def text_node(text: str) -> str:
    """A string as an operand of a node."""
    return "!" + quoted(bytes_of(text))


class MetadataWriter:
    """The nodes of a module, numbered in the order in which they are first needed.

    Arguments:
        lines: right side of each node.
        named: nodes of named metadata.
    """

    lines: list[str]
    named: dict[str, list[str]]

    _numbers: dict[str, str]
    _known: dict[tuple[str, Attribute], str]

    def __init__(self) -> None:
        self.lines = []
        self.named = {}
        self._numbers = {}
        self._known = {}

    def node(self, body: str) -> str:
        """The name of the node with this body, `!{...}` or `!DIFile(...)`; equal bodies share a
        node."""
        found = self._numbers.get(body)
        if found is None:
            found = self._numbers[body] = f"!{len(self.lines)}"
            self.lines.append(body)
        return found

    def distinct(self, body: Callable[[str], str]) -> str:
        """A distinct node; `body` gets its name."""
        name = f"!{len(self.lines)}"
        self.lines.append("")
        self.lines[int(name[1:])] = f"distinct {body(name)}"
        return name

    def list_of(self, elements: Iterable[str]) -> str:
        """The node with these operands."""
        return self.node(f"!{{{', '.join(elements)}}}")

    def add_named(self, name: str, node: str) -> None:
        """Adds a node to the named metadata `!name`."""
        self.named.setdefault(name, []).append(node)

    def _once(self, kind: str, attribute: Attribute, make: Callable[[], str]) -> str:
        key = (kind, attribute)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = make()
        return found

    # What ops carry.

    def tbaa(self, tags: Attribute) -> str | None:
        """The access tag of `tbaa`; None for several, which LLVM IR cannot express."""
        listed = items_of(tags)
        if len(listed) != 1 or not isinstance(listed[0], structs.TBAATagAttr):
            return None
        tag = listed[0]
        return self._once("tbaa", tag, lambda: self._tbaa_tag(tag))

    def _tbaa_tag(self, tag: structs.TBAATagAttr) -> str:
        elements = [
            self._tbaa_type(tag.base_type),
            self._tbaa_type(tag.access_type),
            f"i64 {tag.offset.data}",
        ]
        if int_value(tag.constant):
            elements.append("i64 1")
        return self.list_of(elements)

    def _tbaa_type(self, type_: Attribute) -> str:
        return self._once("tbaa type", type_, lambda: self._make_tbaa_type(type_))

    def _make_tbaa_type(self, type_: Attribute) -> str:
        if isinstance(type_, llvm.TBAARootAttr):
            if isinstance(type_.id, StringAttr):
                return self.list_of([text_node(type_.id.data)])
            return self.distinct(lambda _name: "!{}")
        assert isinstance(type_, llvm.TBAATypeDescriptorAttr)
        elements = [text_node(type_.id.data)]
        for member in type_.members.data:
            assert isinstance(member, llvm.TBAAMemberAttr)
            elements += [self._tbaa_type(member.type_desc), f"i64 {member.offset.data}"]
        return self.list_of(elements)

    def scopes(self, scopes: Attribute) -> str:
        """The list of alias scopes of `alias_scopes` and `noalias_scopes`."""
        return self.list_of([self.scope(scope) for scope in items_of(scopes)])

    def scope(self, scope: Attribute) -> str:
        """The node of an alias scope."""
        return self._once("scope", scope, lambda: self._make_scope(scope))

    def _make_scope(self, scope: Attribute) -> str:
        assert isinstance(scope, structs.AliasScopeAttr)
        domain = self._once("domain", scope.domain, lambda: self._domain(scope.domain))
        return self._identified([domain, *_described(scope)], scope.id)

    def _domain(self, domain: Attribute) -> str:
        assert isinstance(domain, structs.AliasScopeDomainAttr)
        return self._identified(_described(domain), domain.id)

    def _identified(self, elements: Sequence[str], identity: Attribute) -> str:
        """A node that is its own first operand, or is identified by a string."""
        if isinstance(identity, StringAttr):
            return self.list_of([text_node(identity.data), *elements])
        return self.distinct(lambda name: f"!{{{', '.join([name, *elements])}}}")

    def access_groups(self, groups: Attribute) -> str:
        """The access group, or the list of several."""
        nodes = [self.access_group(group) for group in items_of(groups)]
        return nodes[0] if len(nodes) == 1 else self.list_of(nodes)

    def access_group(self, group: Attribute) -> str:
        """The node of an access group."""
        return self._once("group", group, lambda: self.distinct(lambda _name: "!{}"))

    def range(self, bounds: Attribute) -> str:
        """`!range`."""
        assert isinstance(bounds, llvm.ConstantRangeAttr)
        type_ = f"i{bounds.width}"
        return self.list_of([f"{type_} {bounds.lower.data}", f"{type_} {bounds.upper.data}"])

    def number(self, value: int) -> str:
        """`!align` and the like."""
        return self.list_of([f"i64 {value}"])

    def unit(self) -> str:
        """An empty node, whose presence is the information."""
        return self.list_of([])

    def weights(self, values: Sequence[int]) -> str:
        """`!prof` of a branch or select."""
        listed = [f"i32 {value}" for value in values]
        return self.list_of([text_node("branch_weights"), *listed])

    def loop(self, annotation: structs.LoopAnnotationAttr) -> str:
        """`!llvm.loop`: a distinct node for each branch."""
        options = [self.list_of(elements) for elements in self._loop_options(annotation)]
        return self.distinct(lambda name: f"!{{{', '.join([name, *options])}}}")

    def _loop_options(self, annotation: structs.LoopAnnotationAttr) -> list[list[str]]:
        found: list[list[str]] = []
        for key, field in LOOP_FLAGS.items():
            if int_value(annotation.field(field)):
                found.append([text_node(f"llvm.loop.{key}")])
        vectorized = annotation.isVectorized
        if isinstance(vectorized, IntegerAttr):
            found.append([text_node("llvm.loop.isvectorized"), f"i32 {int_value(vectorized)}"])
        groups = items_of(annotation.parallelAccesses)
        if groups:
            nodes = [self.access_group(group) for group in groups]
            found.append([text_node("llvm.loop.parallel_accesses"), *nodes])
        for key, (group, field, kind) in LOOP_OPTIONS.items():
            options = cast(Any, annotation.field(group))
            value = None if options is None else options.field(field)
            operand = None if value is None else _loop_operand(kind, value)
            if operand is not None:
                found.append([text_node(loop_option_name(key)), *operand])
        return found


def _loop_operand(kind: str, value: Attribute) -> list[str] | None:
    """The text after the name of a loop option; None if the name has another meaning."""
    if kind in ("true", "false"):
        return [] if LOOP_VALUES[kind](None) == value else None
    if kind == "count":
        return [f"i32 {integer_of(value)}"]
    number = next(n for n in (0, 1) if LOOP_VALUES[kind](n) == value)
    return [f"i1 {'true' if number else 'false'}"]


def _described(attribute: Any) -> list[str]:
    description = attribute.field("description")
    return [text_node(description.data)] if isinstance(description, StringAttr) else []
