"""xDSL's MLIR parser, guarded against input that makes it hang or raise a Python exception.

Each guard is here until xDSL has its own; docs/upstream.md lists them.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from math import prod
from types import MappingProxyType

from xdsl.context import Context
from xdsl.ir import Block, Operation
from xdsl.parser import Parser
from xdsl.parser.attribute_parser import AttrParser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind, StringLiteral

from nvvm_xdsl.ir.locations import has_place, location_at
from nvvm_xdsl.ir.suggestions import did_you_mean

MAX_DIGITS = 4_000
"""Maximum number of digits; Python's own limit is 4,300."""

MAX_ELEMENTS = 1 << 26
"""Maximum number of elements of a dense literal, which xDSL expands also for a splat."""

MAX_WIDTH = (1 << 24) - 1
"""Bits of an integer type (MLIR 22, IntegerType::kMaxWidth)."""

_INTEGER_TYPE = re.compile(r"[su]?i(\d+)")
_NEWLINE = re.compile("\n")


class GuardedLexer(MLIRLexer):
    """Tokens in linear time for ASCII text outside of strings and comments, with a limit on the
    length of numbers."""

    # xDSL's pattern backtracks over every split of an unterminated string.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')

    def lex(self) -> MLIRToken:
        """Returns the next token; raises ParseError at a character outside ASCII."""
        self._consume_whitespace()
        char = self.input.at(self.pos)
        if char is not None and not char.isascii():
            raise ParseError(
                Span(self.pos, self.pos + 1, self.input), f"unexpected character {char!r}"
            )
        return super().lex()

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        # xDSL reads every literal with an escaped byte above 0x7f as bytes, even valid UTF-8, but
        # its printer writes such characters of a string as escapes.
        token = super()._lex_string_literal(start_pos)
        if token.kind is not MLIRTokenKind.BYTES_LIT:
            return token
        try:
            StringLiteral.from_span(token.span).bytes_contents.decode()
        except UnicodeDecodeError:
            return token
        return MLIRToken(MLIRTokenKind.STRING_LIT, token.span)

    def _lex_bare_identifier(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_bare_identifier(start_pos)
        width = _INTEGER_TYPE.fullmatch(token.text) if self.pos - start_pos > 8 else None
        if width is not None and (len(width[1]) > 8 or int(width[1]) > MAX_WIDTH):
            raise ParseError(token.span, f"integer bitwidth is limited to {MAX_WIDTH} bits")
        return token

    def _lex_number(self, start_pos: Position) -> MLIRToken:
        token = super()._lex_number(start_pos)
        if self.pos - start_pos > MAX_DIGITS:
            raise ParseError(token.span, f"a number of more than {MAX_DIGITS} digits")
        return token


class GuardedParser(Parser):
    """xDSL's parser on `GuardedLexer`. A value that its type cannot represent is a located
    ParseError.

    Args:
        substitutes: classes that replace those of the context, by the names of ops.
    """

    def __init__(
        self,
        ctx: Context,
        input: str,
        name: str = "<unknown>",
        substitutes: Mapping[str, type[Operation]] = MappingProxyType({}),
    ) -> None:
        self.substitutes = substitutes
        AttrParser.__init__(self, ParserState(GuardedLexer(Input(input, name))), ctx)
        self.ssa_values = {}
        self.blocks = {}
        self.forward_block_references = defaultdict(list)
        self.forward_ssa_references = {}

    def _get_op_by_name(self, name: str) -> type[Operation]:
        """xDSL's method, with a suggestion for an unknown name, and a remedy for ops without syntax.

        Raises ParseError at the name.
        """
        found = self.ctx.get_optional_op(name, dialect_stack=self._parser_state.dialect_stack)
        if found is None:
            hint = did_you_mean(name, (op.name for op in self.ctx.loaded_ops))
            raise ParseError(self._span_before(name), f"Operation {name} is not registered{hint}")
        has_syntax = found.parse.__func__ is not Operation.parse.__func__
        if not has_syntax and self._current_token.kind is not MLIRTokenKind.L_PAREN:
            raise ParseError(
                self._span_before(name),
                f"Operation {name} does not have a custom format in xDSL: lower it to the llvm and nvvm dialects"
                " (mlir-opt), or print it with mlir-opt --mlir-print-op-generic",
            )
        return self.substitutes.get(found.name, found)

    def _span_before(self, name: str) -> Span:
        """The last occurrence of a name before the current token."""
        token = self._current_token.span
        start = token.input.content.rfind(name, 0, token.start)
        return token if start < 0 else Span(start, start + len(name), token.input)

    def parse_operation(self) -> Operation:
        """xDSL's method, which creates attributes of unchecked values, and checks types after the op's last token."""
        start = self._current_token.span
        try:
            return super().parse_operation()
        except VerifyException as error:
            raise ParseError(start, str(error)) from error
        except (ValueError, ArithmeticError, struct.error) as error:
            raise ParseError(self._current_token.span, str(error)) from error
        except RecursionError:
            raise ParseError(self._current_token.span, "nested too deeply") from None

    def _parse_dense_literal_type(self):
        type_ = super()._parse_dense_literal_type()
        if prod(type_.get_shape()) > MAX_ELEMENTS:
            self.raise_error(f"a dense literal of more than {MAX_ELEMENTS} elements")
        return type_

    def _parse_optional_complex(self):
        try:
            return super()._parse_optional_complex()
        except AssertionError:
            # xDSL asserts that the parenthesis follows.
            self.raise_error("expected ')' after a complex number")

    def _parse_block(self) -> Block:
        # xDSL forgets the definition of a block that is branched to earlier.
        token = self._current_token
        known = self.blocks.get(token.text[1:])
        if known is not None and known[1] is None:
            if token.text[1:] not in self.forward_block_references:
                raise ParseError(token.span, f"re-declaration of block '{token.text[1:]}'")
        return super()._parse_block()


class LocatingParser(GuardedParser):
    """Sets the position in the text as the location of ops without a location."""

    _starts: list[int] | None = None
    """The offsets at which the lines of the text start."""

    def parse_operation(self) -> Operation:
        span = self._current_token.span
        op = super().parse_operation()
        if not has_place(op):
            if self._starts is None:
                content = span.input.content
                self._starts = [0, *(match.end() for match in _NEWLINE.finditer(content))]
            line = bisect_right(self._starts, span.start)
            column = span.start - self._starts[line - 1] + 1
            op.location = location_at(span.input.name, line, column)
        return op
