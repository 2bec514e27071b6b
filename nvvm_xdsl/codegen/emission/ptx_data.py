"""Variables of the module in PTX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.types import I64, int_attr, string
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import ADDRESS_BYTES, GlobalOp, RelocationAttr
from nvvm_xdsl.dialects.ptx.ops import VariableOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def _address(reloc: RelocationAttr) -> str:
    _, symbol, addend, generic, _ = reloc.data
    text = f"generic({symbol})" if generic else symbol
    return f"{text}+{addend}" if addend else text


def _element(data: bytes, type_: str) -> str:
    value = int.from_bytes(data, "little")
    if type_ == "f32":
        return f"0f{value:08X}"
    if type_ == "f64":
        return f"0d{value:016X}"
    if type_[0] == "s" and value >> (8 * len(data) - 1):
        return str(value - (1 << 8 * len(data)))
    return str(value)


def _initializer(
    variable: GlobalOp, data: bytes, relocations: Sequence[RelocationAttr]
) -> tuple[str, str, int | None]:
    """The element type, and the initializer and count under it.

    Addresses must be 64-bit elements. An array of bytes that contains addresses is therefore
    emitted as words if the addresses are complete and aligned; otherwise each byte of an address is
    written with a mask.
    """
    type_ = variable.element_type
    count = variable.count
    places = {r.data[0]: r for r in relocations}
    if places and type_ == "b64":
        # ptxas accepts addresses only in elements of integer type.
        type_ = "u64"
    if variable.splits_addresses:
        type_ = "u8"
        count = len(data)
    elif places and bits_of(type_) != 64:
        type_ = "u64"
        count = len(data) // ADDRESS_BYTES
    size = bits_of(type_) // 8
    elements: list[str] = []
    at = 0
    while at < len(data):
        reloc = places.get(at)
        if reloc is None:
            elements.append(_element(data[at : at + size], type_))
            at += size
        elif type_ == "u8":
            address = _address(reloc)
            elements.extend(f"0xFF{'00' * byte}({address})" for byte in range(reloc.data[4]))
            at += reloc.data[4]
        else:
            elements.append(_address(reloc))
            at += size
    if count is None:
        return type_, elements[0], count
    zero = _element(bytes(size), type_)
    while elements and elements[-1] == zero:
        elements.pop()
    return type_, "{" + ", ".join(elements) + "}" if elements else "", count


def convert_variable(variable: GlobalOp) -> VariableOp:
    """The declaration of a variable."""
    properties: dict[str, Attribute] = {"symbol": string(variable.symbol)}
    count = variable.count
    kind = variable.properties.get("kind")
    init = ""
    if kind is not None:
        properties["type"] = kind
    else:
        type_ = variable.element_type
        data = variable.init
        if data is not None:
            type_, init, count = _initializer(variable, data, variable.relocations)
        properties["type"] = string(type_)
    properties["space"] = string(variable.space)
    if variable.linkage:
        properties["linkage"] = string(variable.linkage)
    if count is not None:
        properties["count"] = int_attr(count, I64)
    align = variable.checked_integer("align")
    if align:
        properties["align"] = int_attr(align, I64)
    if "managed" in variable.properties:
        properties["attribute"] = string("managed")
    if init:
        properties["init"] = string(init)
    return fast.create(VariableOp, (), (), properties)


def in_definition_order(variables: Mapping[str, GlobalOp]) -> list[GlobalOp]:
    """The variables, each after those whose addresses it contains.

    Raises DiagnosticError for cyclic references: PTX has no forward declarations of local variables
    of a module.
    """
    found: list[GlobalOp] = []
    state: dict[str, int] = {}
    for root in variables:
        stack = [(root, False)]
        while stack:
            name, leaving = stack.pop()
            if leaving:
                state[name] = 2
                found.append(variables[name])
                continue
            if state.get(name):
                continue
            state[name] = 1
            stack.append((name, True))
            for reloc in variables[name].relocations:
                other = reloc.data[1]
                if other == name or other not in variables:
                    continue
                if state.get(other) == 1:
                    raise DiagnosticError(
                        f"the variables '{name}' and '{other}' hold each other's addresses, "
                        "which PTX cannot express"
                    )
                stack.append((other, False))
    return found
