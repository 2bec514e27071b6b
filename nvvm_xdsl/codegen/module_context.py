"""State of selection for a whole module, shared by the selectors of its functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.errors import SelectionError, error_at
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.shapes import AGGREGATE, FLOAT, LIMB, VECTOR, Shape, Shapes
from nvvm_xdsl.dialects.llvm.accessors import defined_name, int_property, symbol_name
from nvvm_xdsl.dialects.llvm.constants import elements_of, float_bits, string_bytes
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import constant_number, signed
from nvvm_xdsl.dialects.llvm.symbols import aliased_symbol
from nvvm_xdsl.dialects.llvm.types import I1, address_space_of, pointer
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.operands import Slot, fimm, imm
from nvvm_xdsl.dialects.nvptx.registers import B32
from nvvm_xdsl.dialects.nvptx.target import Requirement, version_text
from nvvm_xdsl.dialects.nvvm.handles import handle_kind
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.dialects.ptx.names import SymbolNames
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.nvptx import GLOBAL


@dataclass(frozen=True)
class Needs:
    """Requirements of selected functions on their module.

    Arguments:
        ptx: the minimum PTX version, times ten.
        referenced, externals: as of `ModuleContext`.
    """

    ptx: int
    referenced: frozenset[str]
    externals: Mapping[str, tuple[tuple[Attribute, ...], Attribute]]


class ModuleContext:
    """Options, types, symbols and requirements of the module during selection.

    Attributes:
        used: the instructions emitted so far, by mnemonic and modifiers.
        requirement: the PTX version and target that these instructions and the target require.
        globals: the op of each symbol in the module, by its LLVM name.
        pointer: the type of generic pointers.
        referenced: functions to which the code refers, by their LLVM names.
        externals: types of called library functions that are not in the module.
        has_indirect_calls: whether there is a call through a pointer.
        narrow_symbols: PTX names of variables in spaces whose pointers have 32 bits.
        handle_symbols: PTX names of variables that represent textures, samplers and surfaces.
    """

    def __init__(self, module: ModuleOp, options: CodegenOptions) -> None:
        self.module = module
        self.options = options
        self.layout = DataLayout.of(module)
        self.shapes = Shapes(self.layout)
        self.used: set[tuple[str, str]] = set()
        self.requirement = Requirement(options.target.minimum_ptx)
        self.names = SymbolNames()
        self.pointer = pointer(0)
        self.globals: dict[str, Operation] = {}
        self.referenced: set[str] = set()
        self.externals: dict[str, tuple[tuple[Attribute, ...], Attribute]] = {}
        self.has_indirect_calls = False
        self.taken_back: list[tuple[Requirement, str, Operation | None]] = []
        self.narrow_symbols: set[str] = set()
        self.handle_symbols: set[str] = set()
        self._unique = 0
        self._local_names: list[str] = []
        self._scalars: dict[tuple[Attribute, Attribute], tuple[Slot, ...]] = {}
        body = module.regions[0].first_block
        if body is not None:
            for op in fast.ops_of(body):
                symbol = symbol_name(op)
                if symbol is not None:
                    self.globals[symbol] = op

    # Requirements

    def use(self, key: tuple[str, str], op: Operation | None) -> None:
        """Records the use of an instruction. Raises SelectionError if the target lacks it."""
        mnemonic, mods = key
        row = ROWS.get(mnemonic)
        if row is None:
            raise error_at(op, f"there is no PTX instruction '{mnemonic}'")
        signature = row.signature(mods)
        text = f"{mnemonic}.{mods}" if mods else mnemonic
        if signature is None:
            raise error_at(op, f"PTX has no instruction '{text}'")
        self.require(row.requirement_with(mods), text, op)
        self.used.add(key)

    def require(
        self, requirement: Requirement, what: str, op: Operation | None, *, within: str = ""
    ) -> None:
        """Records a requirement. Raises SelectionError if the target does not satisfy it.

        Arguments:
            what: the instruction in PTX syntax.
            op: the op with the requirement.
            within: a description of the containing text, if the instruction was not selected here.
        """
        target = self.options.target
        if not target.supports(requirement):
            message = f"'{what}' needs {requirement.target_text}, not {target.name}"
            raise error_at(op, f"{within}: {message}" if within else message)
        if requirement.until:
            self.taken_back.append((requirement, what, op))
        if requirement.ptx > self.requirement.ptx:
            self.requirement = Requirement(requirement.ptx)

    def check_removed_instructions(self) -> None:
        """Raises SelectionError if an instruction was removed in the module's PTX version."""
        for requirement, what, op in self.taken_back:
            if requirement.is_taken_back(self.requirement.ptx):
                message = f"'{what}' exists only for {requirement.target_text}, but the module needs PTX {self.ptx_version}"
                raise error_at(op, message)

    def require_ptx(self, version: int) -> None:
        """Records a required PTX version, given times ten."""
        if version > self.requirement.ptx:
            self.requirement = Requirement(version)

    @property
    def ptx_version(self) -> str:
        """The PTX version that the target and the instructions require."""
        return version_text(self.requirement.ptx)

    @property
    def needs(self) -> Needs:
        """The requirements of the functions selected so far."""
        return Needs(self.requirement.ptx, frozenset(self.referenced), dict(self.externals))

    def add_needs(self, needs: Needs) -> None:
        """Records the requirements of functions that were selected in a separate module."""
        self.require_ptx(needs.ptx)
        self.referenced |= needs.referenced
        for name, type_ in needs.externals.items():
            self.externals[name] = type_

    # Symbols

    def symbol(self, name: str, op: Operation | None) -> tuple[str, int]:
        """The PTX name of a symbol and its address space.

        A variable without an address space of its own is in global memory; functions have
        generic addresses. Raises SelectionError for a symbol that is not in the module.
        """
        target = self.resolve(name)
        if target is None:
            if name in self.globals:
                raise error_at(op, f"'{name}' is an alias of an expression, which is not supported")
            raise error_at(op, f"there is no symbol '{name}'")
        name = defined_name(target)
        if target.name == "llvm.mlir.global":
            number = int_property(target, "addr_space") or GLOBAL
            ptx_name = self.names.of(name)
            if self.shapes.of(pointer(number)).parts[0] is B32:
                self.narrow_symbols.add(ptx_name)
            if handle_kind(target) is not None:
                self.handle_symbols.add(ptx_name)
            return ptx_name, number
        self.referenced.add(name)
        return self.names.of(name), 0

    def resolve(self, name: str) -> Operation | None:
        """The op of a symbol, through aliases; None for an alias of an expression, too."""
        target = self.globals.get(name)
        for _ in range(len(self.globals)):
            if target is None or target.name != "llvm.mlir.alias":
                break
            aliased = aliased_symbol(target)
            target = None if aliased is None else self.globals.get(aliased)
        return target

    def external(self, name: str, inputs: Sequence[Attribute], output: Attribute) -> str:
        """The PTX name of a function that a library defines, which is declared."""
        if name in self.globals:
            self.referenced.add(name)
        else:
            self.externals[name] = (tuple(inputs), output)
        return self.names.of(name)

    @staticmethod
    def is_kernel(func: Operation) -> bool:
        """Returns True if a function is a kernel."""
        return is_kernel(func)

    def unique_number(self) -> int:
        """A new number."""
        self._unique += 1
        return self._unique

    def local_name(self, number: int) -> str:
        """The name of a function's local array with that number; functions share the names."""
        while number >= len(self._local_names):
            self._local_names.append(self.names.fresh(f"__local_{len(self._local_names)}"))
        return self._local_names[number]

    # Types and constants

    @staticmethod
    def pointer_space(type_: Attribute) -> int:
        """The address space of a pointer type, 0 for any other type."""
        return address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0

    @staticmethod
    def constant(value: SSAValue) -> int | None:
        """The value of a scalar integer constant; 0 or 1 for an i1, 0 for null."""
        number = constant_number(value)
        return number & 1 if number and value.type == I1 else number

    def constant_parts(self, attr: Attribute, type_: Attribute) -> tuple[Slot, ...]:
        """The immediate parts of a constant of a type. Raises SelectionError."""
        key = (attr, type_)
        found = self._scalars.get(key)
        if found is None:
            found = self._constant_parts(attr, self.shapes.of(type_))
            self._scalars[key] = found
        return found

    def _constant_parts(self, attr: Attribute, shape: Shape) -> tuple[Slot, ...]:
        elements = items_of(attr)
        if type(attr) is FloatAttr:
            if shape.kind == VECTOR:
                return bit_parts([float_bits(attr)] * shape.count, shape)
            return scalar_parts(float_bits(attr), shape)
        if isinstance(attr, IntegerAttr):
            value = attr.value.data
            if shape.kind == VECTOR:
                return bit_parts([value] * shape.count, shape)
            return scalar_parts(value, shape)
        if type(attr) is DenseIntOrFPElementsAttr:
            values = list(elements_of(attr))
            if shape.kind == VECTOR or shape.kind == AGGREGATE:
                count = len(scalars_of(shape))
                if len(values) == 1:
                    values *= count
                return bit_parts(values, shape)
        if attr.name == "array" and shape.kind == AGGREGATE:
            parts: list[Slot] = []
            for element, (field, _) in zip(elements, shape.fields):
                parts.extend(self._constant_parts(element, field))
            return tuple(parts)
        if isinstance(attr, StringAttr | BytesAttr) and shape.kind == AGGREGATE:
            return tuple(imm(signed(byte, 8)) for byte in string_bytes(attr))
        if attr.name in ("llvm.mlir.zero", "llvm.zero", "llvm.undef", "llvm.poison"):
            return zero_parts(shape)
        raise SelectionError(f"the constant {attr} is not supported")


def scalars_of(shape: Shape) -> list[Shape]:
    """The scalars of a vector or aggregate, in order."""
    if shape.kind == VECTOR:
        return [shape.element] * shape.count
    if shape.kind != AGGREGATE:
        return [shape]
    found: list[Shape] = []
    for field, _ in shape.fields:
        found.extend(scalars_of(field))
    return found


def scalar_parts(value: int, shape: Shape) -> tuple[Slot, ...]:
    """The immediate parts of a scalar given by its bits; integers are signed."""
    bits = shape.bits
    if shape.kind == FLOAT:
        return (fimm(value, bits),)
    if bits > LIMB:
        value &= (1 << bits) - 1
        if value >> (bits - 1):
            value -= 1 << bits
        return tuple(imm(signed(value >> shift, LIMB)) for shift in range(0, bits, LIMB))
    if bits == 1:
        return (imm(value & 1),)
    return (imm(signed(value, bits)),)


def bit_parts(values: list[int], shape: Shape) -> tuple[Slot, ...]:
    """The immediate parts of a vector or array whose scalars have these bits."""
    if shape.packed:
        pairs = zip(values[::2], values[1::2])
        return tuple(imm((low & 0xFFFF) | (high & 0xFFFF) << 16) for low, high in pairs)
    found: list[Slot] = []
    if shape.kind == AGGREGATE:
        at = 0
        for field, _ in shape.fields:
            count = len(scalars_of(field))
            found.extend(bit_parts(values[at : at + count], field))
            at += count
        return tuple(found)
    element = shape.element
    for value in values:
        found.extend(scalar_parts(value, element))
    return tuple(found)


def zero_parts(shape: Shape) -> tuple[Slot, ...]:
    """Immediate zeros for every part."""
    return tuple(_ZEROS.get(register.name, imm(0)) for register in shape.parts)


_ZEROS: dict[str, Slot] = {"nvptx.f32": fimm(0, 32), "nvptx.f64": fimm(0, 64)}

_UNDEFINED: dict[str, Slot] = {"nvptx.f32": fimm(0, 32), "nvptx.f64": fimm(0, 64), "": imm(0)}
_UNDEFINED_IDS = frozenset(id(slot) for slot in _UNDEFINED.values())


def undefined_parts(shape: Shape) -> tuple[Slot, ...]:
    """Parts of an undefined value: zeros with a distinct identity."""
    return tuple(_UNDEFINED.get(register.name, _UNDEFINED[""]) for register in shape.parts)


def is_undefined(part: object) -> bool:
    """Returns True if a part belongs to an undefined value, which need not be stored, moved or
    selected."""
    return id(part) in _UNDEFINED_IDS
