"""Types of LLVM assembly (LLVM Language Reference, "Type System").

Typed pointers, as in LLVM before 15 and NVVM IR 1.x and 2.0, become opaque pointers. The pointee of
the last type read is kept for the instructions that need it.

Byte types of LLVM's main branch, such as `b32`, which may contain parts of pointers, become integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from typing_extensions import TypeIs
from xdsl.dialects.builtin import IntegerType, StringAttr, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.stock_types import OPAQUE_PREFIX
from nvvm_xdsl.dialects.llvm.types import VOID, WIDEST_INTEGER
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, MAX_NESTING, Lexer, unquote_text

MAX_VECTOR_LENGTH = 1 << 16
MAX_ELEMENTS = (1 << 63) - 1
MAX_ADDRESS_SPACE = (1 << 24) - 1

LABEL: Attribute = StringAttr("label")
METADATA: Attribute = StringAttr("metadata")
TOKEN: Attribute = StringAttr("token")
"""Types that only some operands of calls and instructions have, and no values in MLIR."""

PTR = types.PTR

_SIMPLE: dict[str, Attribute] = {
    "void": VOID,
    "half": types.F16,
    "bfloat": types.BF16,
    "float": types.F32,
    "double": types.F64,
    "x86_fp80": types.F80,
    "fp128": types.F128,
    "ptr": PTR,
    "label": LABEL,
    "metadata": METADATA,
    "token": TOKEN,
    **{f"i{width}": types.integer(width) for width in (1, 8, 16, 32, 64, 128)},
}
_SUFFIXES = frozenset({"*", "(", "addrspace"})
_INTEGER = re.compile(r"[ib]([1-9][0-9]{0,9})", re.ASCII)
_BYTE = re.compile(r"b[1-9][0-9]*", re.ASCII)
_DEFINITION = re.compile(r'(%(?:[-\w$.]+|"[^"\n]*"))\s*=\s*type\b', re.ASCII)
_UNSUPPORTED = {
    "ppc_fp128": "the type ppc_fp128 does not exist on NVIDIA GPUs",
    "x86_mmx": "the type x86_mmx does not exist on NVIDIA GPUs",
    "x86_amx": "the type x86_amx does not exist on NVIDIA GPUs",
    "target": "target extension types are not supported",
}


def is_integer(type_: Attribute) -> TypeIs[IntegerType]:
    """Whether the type is an integer."""
    return type(type_) is IntegerType


def is_vector(type_: Attribute) -> TypeIs[VectorType[Attribute]]:
    """Whether the type is a vector."""
    return type(type_) is VectorType


def name_of(token: str) -> str:
    """The name in a `%name`, `@name`, `%"name"` or `name:` token, without its sigil."""
    if '"' in token:
        return unquote_text(token)
    if token[-1] == ":":
        return token[:-1]
    return token[1:]


def is_first_class(type_: Attribute) -> bool:
    """Returns True if a value may have the type."""
    return not (
        type_ is VOID
        or type_ is METADATA
        or type_ is LABEL
        or type_ is TOKEN
        or type(type_) is LLVMFunctionType
    )


class TypeReader(Lexer):
    """Reads types at the current token."""

    pointee: Attribute | None
    """The pointee of the type read last, if it was a typed pointer."""
    depth: int

    _named: dict[str, Attribute]
    _definitions: dict[str, int]
    _open_types: set[str]
    _depths: dict[int, int]

    def __init__(self, text: str, filename: str) -> None:
        super().__init__(text, filename)
        self.pointee = None
        self.depth = 0
        self._named = {}
        self._open_types = set()
        self._depths = {}
        self._definitions = {}
        if "type" in text:
            for match in _DEFINITION.finditer(text):
                self._definitions.setdefault(name_of(match[1]), match.end())

    def enter(self) -> None:
        """Counts one level of nesting, at most MAX_NESTING; `self.depth -= 1` leaves it."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail(f"nested deeper than {MAX_NESTING} levels")

    def type_(self) -> Attribute:
        """The type at the current token; sets `pointee`."""
        tokens = self.tokens
        pos = self.pos
        found = _SIMPLE.get(tokens[pos])
        self.pointee = None
        if found is not None:
            self.pos = pos + 1
            if tokens[pos + 1] not in _SUFFIXES:
                return found
            return self._suffixes(found)
        found = self._integer_or_aggregate(tokens[pos])
        if tokens[self.pos] in _SUFFIXES:
            return self._suffixes(found)
        self.pointee = None
        return found

    def names_bytes(self, place: int) -> bool:
        """Returns True if a byte type was read since a position."""
        return any(_BYTE.fullmatch(token) for token in self.tokens[place : self.pos])

    @staticmethod
    def _simple_type(token: str) -> Attribute | None:
        return _SIMPLE.get(token)

    def value_type(self) -> Attribute:
        """As `type_`, for types of values."""
        place = self.pos
        found = self.type_()
        if not is_first_class(found):
            self.fail(f"a value cannot have the type {self.spell(found)}", place)
        return found

    @staticmethod
    def spell(type_: Attribute) -> str:
        """A type in LLVM's spelling, for errors."""
        return spell_type(type_)

    def _suffixes(self, found: Attribute) -> Attribute:
        tokens = self.tokens
        pointee: Attribute | None = None
        fresh = tokens[self.pos - 1] == "ptr"
        steps = 0
        while True:
            steps += 1
            if steps > MAX_NESTING:
                self.fail(f"nested deeper than {MAX_NESTING} levels")
            if len(tokens) - self.pos < LOOKAHEAD:
                self.fill()
            token = tokens[self.pos]
            if token == "*":
                self._check_pointee(found)
                pointee = found
                found = PTR
                self.pos += 1
            elif token == "addrspace":
                space = self.address_space()
                if fresh:
                    found = types.pointer(space)
                else:
                    self._check_pointee(found)
                    self.expect("*")
                    pointee = found
                    found = types.pointer(space)
            elif token == "(":
                found = self._function_type_of(found)
                pointee = None
            else:
                self.pointee = pointee
                return found
            fresh = False

    def _check_pointee(self, found: Attribute) -> None:
        if type(found) is not LLVMFunctionType and not is_first_class(found):
            self.fail(f"pointers to {self.spell(found)} are invalid")

    def address_space(self) -> int:
        """`addrspace(N)`."""
        self.expect("addrspace")
        self.expect("(")
        place = self.pos
        space = self.number()
        if not 0 <= space <= MAX_ADDRESS_SPACE:
            self.fail("invalid address space", place)
        self.expect(")")
        return space

    def _function_type_of(self, output: Attribute) -> Attribute:
        if output is LABEL or output is METADATA or type(output) is LLVMFunctionType:
            self.fail(f"a function cannot return {self.spell(output)}")
        self.enter()
        self.pos += 1
        inputs: list[Attribute] = []
        variadic = False
        while not self.accept(")"):
            if inputs:
                self.expect(",")
            self.fill()
            if self.accept("..."):
                variadic = True
                self.expect(")")
                break
            place = self.pos
            input_ = self.type_()
            if input_ is VOID or type(input_) is LLVMFunctionType:
                self.fail(f"a parameter cannot have the type {self.spell(input_)}", place)
            inputs.append(input_ if is_first_class(input_) else PTR)
        self.depth -= 1
        return types.function(inputs, VOID if output is TOKEN else output, variadic=variadic)

    def _integer_or_aggregate(self, token: str) -> Attribute:
        match = _INTEGER.fullmatch(token)
        if match is not None:
            width = int(match[1])
            if width > WIDEST_INTEGER:
                self.fail(f"{token} is not supported: integers have at most {WIDEST_INTEGER} bits")
            self.pos += 1
            found = _SIMPLE[token] = types.integer(width)
            return found
        if token == "{":
            return self._struct(packed=False)
        if token == "[":
            return self._array()
        if token == "<":
            if self.tokens[self.pos + 1] == "{":
                self.pos += 1
                found = self._struct(packed=True)
                self.expect(">")
                return found
            return self._vector()
        if token[:1] == "%" and len(token) > 1:
            return self._identified(name_of(token))
        if token in _UNSUPPORTED:
            self.fail(_UNSUPPORTED[token])
        self.fail_expected("a type")

    def _struct(self, *, packed: bool, name: str = "") -> Attribute:
        self.enter()
        self.pos += 1
        fields: list[Attribute] = []
        while not self.accept("}"):
            if fields:
                self.expect(",")
            self.fill()
            fields.append(self._member_type())
        self.depth -= 1
        return self._nested(types.struct(fields, packed=packed, name=name), fields)

    def _nested(self, made: Attribute, members: Iterable[Attribute]) -> Attribute:
        """An aggregate of at most MAX_NESTING levels, because named types can nest without nested
        text."""
        depth = 1 + max((self._depths.get(id(member), 0) for member in members), default=0)
        if depth > MAX_NESTING:
            self.fail(f"nested deeper than {MAX_NESTING} levels", self.pos - 1)
        self._depths[id(made)] = depth
        return made

    def _member_type(self) -> Attribute:
        place = self.pos
        element = self.value_type()
        if type(element) is LLVMStructType and self._is_open(element):
            self.fail("a type cannot contain itself", place)
        return element

    def _is_open(self, element: Attribute) -> bool:
        return any(self._named[name] is element for name in self._open_types)

    def _array(self) -> Attribute:
        self.enter()
        self.pos += 1
        place = self.pos
        count = self.number()
        if not 0 <= count <= MAX_ELEMENTS:
            self.fail("array is too long", place)
        self.expect("x")
        element = self._member_type()
        self.expect("]")
        self.depth -= 1
        return self._nested(types.array(count, element), (element,))

    def _vector(self) -> Attribute:
        self.enter()
        self.pos += 1
        if self.tokens[self.pos] == "vscale":
            self.fail("scalable vectors are not supported: NVIDIA GPUs have none")
        place = self.pos
        count = self.number()
        if count <= 0:
            self.fail("a vector needs at least one element", place)
        if count > MAX_VECTOR_LENGTH:
            self.fail("vector is too long", place)
        self.expect("x")
        place = self.pos
        element = self._member_type()
        if type(element) in (LLVMStructType, LLVMArrayType, VectorType):
            self.fail(f"a vector cannot have elements of type {self.spell(element)}", place)
        self.expect(">")
        self.depth -= 1
        return types.vector(count, element)

    def _identified(self, name: str) -> Attribute:
        found = self._named.get(name)
        if found is None:
            start = self._definitions.get(name)
            if start is None:
                self.fail(f"use of undefined type named '{name}'")
            # A definition may follow its uses: it is read on first use.
            state = self.open_window(start)
            self.enter()
            found = self._body(name)
            self.depth -= 1
            self.close_window(state)
        self.pos += 1
        return found

    def _body(self, name: str) -> Attribute:
        """The right side of `%name = type ...`, which defines the name."""
        token = self.tokens[self.pos]
        packed = token == "<" and self.tokens[self.pos + 1] == "{"
        if token == "opaque":
            self.pos += 1
            found: Attribute = types.struct([], name=OPAQUE_PREFIX + name)
        elif token == "{" or packed:
            # A recursive type refers to this placeholder.
            self._named[name] = types.struct([], name=f"{OPAQUE_PREFIX}{name}.open")
            self._open_types.add(name)
            self.pos += packed
            found = self._struct(packed=packed, name=name)
            if packed:
                self.expect(">")
            self._open_types.discard(name)
        else:
            found = self.type_()
        self._named[name] = found
        return found

    def type_definition(self) -> None:
        """`%name = type ...` at the top of a module; the current token is `%name`."""
        name = name_of(self.tokens[self.pos])
        self.pos += 3
        self._body(name)


def spell_type(type_: Attribute) -> str:
    """A type in LLVM's spelling, for errors."""
    for name, simple in _SIMPLE.items():
        if simple is type_:
            return name
    if isinstance(type_, LLVMPointerType):
        space = types.address_space_of(type_)
        return f"ptr addrspace({space})" if space else "ptr"
    if isinstance(type_, LLVMArrayType):
        return f"[{type_.size.data} x {spell_type(type_.type)}]"
    if is_vector(type_):
        vector: VectorType[Any] = type_
        return f"<{vector.get_shape()[0]} x {spell_type(vector.element_type)}>"
    if isinstance(type_, LLVMStructType):
        name = type_.struct_name.data.removeprefix(types.PACKED_PREFIX).removeprefix(OPAQUE_PREFIX)
        if name:
            return f"%{name}"
        fields = ", ".join(spell_type(field) for field in type_.types.data)
        return f"<{{ {fields} }}>" if types.is_packed(type_) else f"{{ {fields} }}"
    if isinstance(type_, LLVMFunctionType):
        inputs = [spell_type(input_) for input_ in type_.inputs.data]
        if type_.is_variadic:
            inputs.append("...")
        return f"{spell_type(type_.output)} ({', '.join(inputs)})"
    return str(type_)
