"""Named metadata of a module on its functions and variables: `!nvvm.annotations` and
`!nvvmir.version` (NVVM IR Specification, "Global Property Annotation", "NVVM IR Version").
"""

from __future__ import annotations

from typing import Any, Protocol

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMFunctionType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import (
    add_argument_attribute,
    argument_attribute,
    function_type_of,
)
from nvvm_xdsl.dialects.llvm.types import I32, I64, UNIT, dense_i32, int_attr
from nvvm_xdsl.dialects.nvvm.kernel import MAX_BOUND, is_kernel
from nvvm_xdsl.frontend.attributes import GRID_CONSTANT
from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.metadata import Node, global_of, integer_of
from nvvm_xdsl.ir.locations import location_at

IR_VERSION = "llvm.nvvm_ir_version"
"""Module attribute: the contents of `!nvvmir.version`, as `array<i32: major, minor, ...>`."""

_DIMENSIONS = {
    f"{name}{sign}{axis}": (attribute, number)
    for name, sign, attribute in (
        ("maxntid", "", "nvvm.maxntid"),
        ("reqntid", "", "nvvm.reqntid"),
        ("cluster_dim", "_", "nvvm.cluster_dim"),
    )
    for number, axis in enumerate("xyz")
}
_NUMBERS = {
    "minctasm": "nvvm.minctasm",
    "maxnreg": "nvvm.maxnreg",
    "maxclusterrank": "nvvm.cluster_max_blocks",
    "cluster_max_blocks": "nvvm.cluster_max_blocks",
}
VARIABLES = frozenset({"texture", "surface", "sampler", "managed"})


class _Symbol(Protocol):
    op: Operation | None


class _Reader(Protocol):
    @property
    def module(self) -> ModuleOp:
        """The module that is read."""
        ...

    @property
    def symbols(self) -> Any:
        """The symbols of the module by name."""

    def named_metadata(self, name: str) -> list[Node]:
        """The nodes of a named metadata list."""
        ...

    def resolve(self, element: Any) -> Any:
        """Returns the node that a reference names, or the element itself."""


def file_location(path: str, fields: dict[str, Any]) -> FileLineColLoc:
    """The location of a debug node with a `line` field."""
    line = fields.get("line", "0")
    number = int(line) if isinstance(line, str) and line.isdecimal() and len(line) < 12 else 0
    return location_at(path, number, 0)


def apply(reader: _Reader) -> None:
    """Applies the annotations to the functions and variables that they name."""
    dimensions: dict[FuncOp, dict[str, dict[int, int]]] = {}
    constants: list[tuple[FuncOp, int]] = []
    for node in reader.named_metadata("nvvm.annotations"):
        if not node.elements:
            continue
        name = global_of(node.elements[0])
        symbol: _Symbol | None = reader.symbols.get(name)
        op = symbol.op if symbol is not None else None
        if op is None:
            continue
        for key, value in zip(node.elements[1::2], node.elements[2::2]):
            if not isinstance(key, str):
                continue
            if isinstance(op, FuncOp) and key == "grid_constant":
                constants += [(op, number) for number in _numbers(reader, value)]
            elif isinstance(op, FuncOp):
                _annotate_function(op, key, value, dimensions.setdefault(op, {}))
            elif key in VARIABLES and integer_of(value):
                op.attributes[f"nvvm.{key}"] = UNIT
    for op, bounds in dimensions.items():
        for name, sizes in bounds.items():
            last = max(sizes)
            op.attributes[name] = dense_i32([sizes.get(i, 1) for i in range(last + 1)])
    for op, number in constants:
        # It has no meaning for other functions, or for parameters that are not structs in parameter
        # space.
        if is_kernel(op) and argument_attribute(op, number - 1, "llvm.byval") is not None:
            _add_argument_attribute(op, number - 1, GRID_CONSTANT, UNIT)
    _version(reader)


def _numbers(reader: _Reader, value: Any) -> list[int]:
    """The arguments, counted from 1, that a node lists."""
    node = reader.resolve(value)
    return [n for e in node.elements if (n := integer_of(e))] if isinstance(node, Node) else []


def _annotate_function(op: FuncOp, key: str, value: Any, bounds: dict[str, dict[int, int]]) -> None:
    number = integer_of(value)
    if number is None:
        return
    if (key in _DIMENSIONS or key in _NUMBERS) and not 0 <= number <= MAX_BOUND:
        raise ParseError(f"!nvvm.annotations: {key} of {number}: at most {MAX_BOUND}")
    if key == "kernel":
        if number:
            op.attributes["nvvm.kernel"] = UNIT
    elif key in _DIMENSIONS:
        name, axis = _DIMENSIONS[key]
        bounds.setdefault(name, {})[axis] = number
    elif key in _NUMBERS:
        op.attributes[_NUMBERS[key]] = int_attr(number, I32)
    elif key == "align":
        # The upper bits are the number of the parameter, 0 for the result; the lower ones the
        # alignment.
        index, alignment = number >> 16, number & 0xFFFF
        if index and alignment:
            _add_argument_attribute(op, index - 1, "llvm.alignstack", int_attr(alignment, I64))


def _add_argument_attribute(op: FuncOp, index: int, name: str, value: Attribute) -> None:
    function_type = function_type_of(op)
    assert isinstance(function_type, LLVMFunctionType)
    count = len(function_type.inputs.data)
    if index >= count:
        return
    add_argument_attribute(op, index, name, value, count)


def _version(reader: _Reader) -> None:
    for node in reader.named_metadata("nvvmir.version"):
        numbers = [integer_of(element) for element in node.elements]
        known = [number for number in numbers if number is not None and number < 1 << 31]
        if known:
            reader.module.attributes[IR_VERSION] = dense_i32(known)
            return
