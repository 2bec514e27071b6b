"""Names, strings and types in LLVM assembly (LLVM Language Reference, "Identifiers", "Type
System"), and type suffixes of overloaded intrinsics.
"""

from __future__ import annotations

import re

from xdsl.dialects.llvm import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import vector_type
from nvvm_xdsl.dialects.llvm.stock_types import OPAQUE_PREFIX

_IDENTIFIER = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*", re.ASCII)
_PLAIN = frozenset(range(0x20, 0x7F)) - {ord('"'), ord("\\")}

_SIMPLE: dict[Attribute, str] = {
    types.VOID: "void",
    types.F16: "half",
    types.BF16: "bfloat",
    types.F32: "float",
    types.F64: "double",
    types.F80: "x86_fp80",
    types.F128: "fp128",
}
_MANGLED: dict[Attribute, str] = {
    types.F16: "f16",
    types.BF16: "bf16",
    types.F32: "f32",
    types.F64: "f64",
    types.F80: "f80",
    types.F128: "f128",
}


def bytes_of(text: str) -> bytes:
    """The bytes of a text; bytes that are not valid UTF-8 are restored."""
    return text.encode("utf-8", "surrogateescape")


def quoted(data: bytes) -> str:
    r"""Bytes in double quotes, with unprintable ones as `\XX`."""
    if data.isascii() and data.isalnum():
        return f'"{data.decode()}"'
    return '"' + "".join([chr(b) if b in _PLAIN else f"\\{b:02X}" for b in data]) + '"'


def identifier(name: str) -> str:
    """A name after its sigil, in quotes if necessary."""
    return name if _IDENTIFIER.fullmatch(name) else quoted(bytes_of(name))


def global_symbol(name: str) -> str:
    """`@name`."""
    return "@" + identifier(name)


class TypeSpelling:
    """Formats types, and collects the definitions of named types.

    Arguments:
        definitions: right side by name, in the order of first use.
    """

    definitions: dict[str, str]
    _texts: dict[int, str]
    _kept: list[Attribute]

    def __init__(self) -> None:
        self.definitions = {}
        self._texts = {}
        # Keeps the types in the table alive: they are interned, and hashing would traverse them.
        self._kept = []

    def __call__(self, type_: Attribute) -> str:
        """The text of a type. Raises ValueError for a type that LLVM lacks."""
        found = self._texts.get(id(type_))
        if found is None:
            found = self._texts[id(type_)] = _SIMPLE.get(type_) or self._spell(type_)
            self._kept.append(type_)
        return found

    def _spell(self, type_: Attribute) -> str:
        width = types.width_of(type_)
        if width:
            return f"i{width}"
        if isinstance(type_, LLVMPointerType):
            space = types.address_space_of(type_)
            return f"ptr addrspace({space})" if space else "ptr"
        if isinstance(type_, LLVMArrayType):
            return f"[{type_.size.data} x {self(type_.type)}]"
        if isinstance(type_, LLVMStructType):
            return self._struct(type_)
        if isinstance(type_, LLVMFunctionType):
            inputs = [self(input_) for input_ in type_.inputs.data]
            if type_.is_variadic:
                inputs.append("...")
            return f"{self(type_.output)} ({', '.join(inputs)})"
        vector = vector_type(type_)
        if vector is not None and len(vector.get_shape()) == 1:
            return f"<{vector.get_shape()[0]} x {self(vector.element_type)}>"
        raise ValueError(f"there is no type {type_} in LLVM IR")

    def _struct(self, type_: LLVMStructType) -> str:
        name = type_.struct_name.data.removeprefix(types.PACKED_PREFIX)
        opaque = name.startswith(OPAQUE_PREFIX)
        name = name.removeprefix(OPAQUE_PREFIX)
        body = "opaque" if opaque else ", ".join([self(field) for field in type_.types.data])
        if not opaque:
            body = f"{{ {body} }}" if body else "{}"
            if types.is_packed(type_):
                body = f"<{body}>"
        if not name:
            return body
        free, count = name, 0
        while self.definitions.get(f"%{identifier(free)}", body) != body:
            count += 1
            free = f"{name}.{count}"
        spelled = f"%{identifier(free)}"
        self.definitions[spelled] = body
        return spelled


def mangled(type_: Attribute) -> str:
    """A type suffix of an overloaded intrinsic (`Intrinsic::getName`). Raises ValueError for other
    types.

    Raises ValueError for one that no intrinsic is overloaded for.
    """
    width = types.width_of(type_)
    if width:
        return f"i{width}"
    if isinstance(type_, LLVMPointerType):
        return f"p{types.address_space_of(type_)}"
    if isinstance(type_, LLVMArrayType):
        return f"a{type_.size.data}{mangled(type_.type)}"
    if isinstance(type_, LLVMStructType):
        name = type_.struct_name.data.removeprefix(types.PACKED_PREFIX)
        if name:
            return f"s_{name}s"
        return f"sl_{''.join([mangled(field) for field in type_.types.data])}s"
    vector = vector_type(type_)
    if vector is not None:
        return f"v{vector.get_shape()[0]}{mangled(vector.element_type)}"
    if type_ in _MANGLED:
        return _MANGLED[type_]
    raise ValueError(f"no intrinsic is overloaded for {type_}")
