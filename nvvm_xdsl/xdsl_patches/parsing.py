"""Syntax of MLIR that xDSL's parser lacks: aliases before their definition, fused locations."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import FusedLoc, LocationAttr, NoneAttr
from xdsl.ir import Attribute
from xdsl.parser import AttrParser, Parser
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

_ALIAS_DEFINITION = re.compile(r"^([#!][\w.$-]+)[ \t]*=", re.MULTILINE)


def current_token(parser: AttrParser) -> MLIRToken:
    """The next token, which is not consumed."""
    return parser._current_token


def extend_parser(parse_distinct: Callable[[AttrParser], Attribute]) -> None:
    """Adds aliases that are defined after their use, fused locations, and distinct attributes.

    Arguments:
        parse_distinct: parses a distinct attribute after its keyword.
    """
    parse_extended = AttrParser._parse_extended_type_or_attribute
    parse_definition = Parser._parse_alias_def
    parse_builtin = AttrParser._parse_optional_builtin_attr
    parse_location = AttrParser._parse_location

    def extended(self: AttrParser, name: str, is_type: bool) -> Attribute:
        if "." not in name and self._current_token.kind != MLIRTokenKind.LESS:
            alias = ("!" if is_type else "#") + name
            if alias not in self.attribute_aliases:
                _resolve_ahead(self, alias)
        return parse_extended(self, name, cast(Any, is_type))

    def definition(self: Parser) -> None:
        ahead: set[str] = self.__dict__.get("_nvvm_resolved_ahead", set())
        name = self._current_token.text
        if name in ahead:
            ahead.discard(name)
            del self.attribute_aliases[name]
        parse_definition(self)

    def builtin(self: AttrParser) -> Attribute | None:
        token = self._current_token
        if token.kind == MLIRTokenKind.BARE_IDENT and token.text == "distinct":
            self._consume_token()
            return parse_distinct(self)
        return parse_builtin(self)

    def location(self: AttrParser) -> LocationAttr:
        if self.parse_optional_keyword("fused") is None:
            return parse_location(self)
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        locations = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, lambda: _nested_location(self)
        )
        return FusedLoc(tuple(locations), metadata)

    cast(Any, AttrParser)._parse_extended_type_or_attribute = extended
    cast(Any, Parser)._parse_alias_def = definition
    cast(Any, AttrParser)._parse_optional_builtin_attr = builtin
    cast(Any, AttrParser)._parse_location = location


def _nested_location(parser: AttrParser) -> LocationAttr:
    """A location inside a fused location, with or without `loc(...)`."""
    nested = parser.parse_optional_location()
    return parser._parse_location() if nested is None else nested


def _resolve_ahead(parser: AttrParser, alias: str) -> None:
    """Parses the definition of an alias that appears later in the text, if there is one."""
    state: dict[str, Any] = parser.__dict__
    positions: dict[str, int] | None = state.get("_nvvm_alias_positions")
    if positions is None:
        content = parser.lexer.input.content
        positions = {m[1]: m.end() for m in _ALIAS_DEFINITION.finditer(content)}
        state["_nvvm_alias_positions"] = positions
    position = positions.pop(alias, None)
    if position is None:
        return
    here = parser.pos
    parser._resume_from(position)
    parser.attribute_aliases[alias] = parser.parse_attribute()
    state.setdefault("_nvvm_resolved_ahead", set()).add(alias)
    parser._resume_from(here)
