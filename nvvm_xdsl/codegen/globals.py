"""Variables of the module: their space, size, linkage and initial bytes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
)
from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    BitcastOp,
    ConstantOp,
    GEPOp,
    InsertElementOp,
    InsertValueOp,
    IntToPtrOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    PtrToIntOp,
    ReturnOp,
    SubOp,
    TruncOp,
    UndefOp,
    ZeroOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.codegen.errors import SelectionError, error_at
from nvvm_xdsl.codegen.limits import check_variable
from nvvm_xdsl.codegen.module_context import ModuleContext, scalars_of
from nvvm_xdsl.codegen.shapes import AGGREGATE, VECTOR, Shape
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    defined_name,
    global_name,
    global_type_of,
    initial_value_of,
    is_thread_local,
    position_of,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.constants import elements_of, float_bits, string_bytes
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned, unsigned
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, PoisonOp
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, WEAK_LINKAGE, is_declaration, linkage_of
from nvvm_xdsl.dialects.nvptx.functions import (
    ADDRESS_BYTES,
    GlobalOp,
    RelocationAttr,
    global_variable,
    relocation,
)
from nvvm_xdsl.dialects.nvptx.target import Requirement
from nvvm_xdsl.dialects.nvvm.handles import MANAGED, handle_kind
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, SHARED

SPACES: dict[int, str] = {GLOBAL: "global", SHARED: "shared", CONSTANT: "const"}

_WEAK = WEAK_LINKAGE | {"common", "available_externally"}

IGNORED_PREFIX = "llvm."
"""`llvm.used`, `llvm.compiler.used`, `llvm.global_ctors`: for the linker only."""


def ptx_linkage(op: Operation, *, defined: bool) -> str:
    """The PTX linking directive: `visible`, `extern`, `weak`, or none for local symbols.

    An `available_externally` variable is `weak`, as in LLVM: an `extern` one has no initial value,
    and a program without -rdc has no other definition.
    """
    linkage = linkage_of(op)
    if linkage in LOCAL_LINKAGE:
        return ""
    if not defined:
        return "extern"
    return "weak" if linkage in _WEAK else "visible"


MOST_INITIALIZED = 1 << 26
"""Maximum size in bytes of an initial value that is not all zeros: PTX uses up to four characters
per byte."""


def _returns_nothing_but_zeros(last: Operation) -> bool:
    """True if an initializer returns zeros, the default value of PTX's variables."""
    if type(last) is not ReturnOp or not operands_of(last):
        return False
    source = operands_of(last)[0].owner
    return isinstance(source, Operation) and source.name in ("llvm.mlir.zero", "llvm.mlir.undef")


_ADDRESS_BITS = 8 * ADDRESS_BYTES

_MASKS = Requirement(71)
"""`0xFF00(symbol)` in an initial value: one byte of an address."""


class _Image:
    """The bytes of an initial value, and the addresses among them."""

    def __init__(self, module: ModuleContext, size: int, op: Operation) -> None:
        self.module = module
        self.op = op
        self.bytes = bytearray(size)
        self.relocations: dict[int, RelocationAttr] = {}

    def error(self, message: str) -> SelectionError:
        """Makes an error at the global variable."""
        return error_at(self.op, message)

    def put(self, offset: int, value: int, size: int) -> None:
        """Writes the low `size` bytes of an integer at a byte offset, little-endian."""
        self._forget(offset, size)
        self.bytes[offset : offset + size] = (value & ((1 << 8 * size) - 1)).to_bytes(
            size, "little"
        )

    def _forget(self, offset: int, size: int) -> None:
        """Drops the addresses in a range, which a later insertion overwrites."""
        if self.relocations:
            for place in range(offset, offset + size):
                self.relocations.pop(place, None)

    def _clear(self, type_: Attribute, offset: int) -> None:
        """Writes zeros in place of a value of a type."""
        size = self.module.layout.store_size(type_)
        self._forget(offset, size)
        self.bytes[offset : offset + size] = bytes(size)

    # Attribute values

    def attribute(self, attr: Attribute, type_: Attribute, offset: int) -> None:
        """Writes a constant given as an attribute."""
        module = self.module
        if isinstance(attr, StringAttr | BytesAttr):
            data = string_bytes(attr)
            self._forget(offset, len(data))
            self.bytes[offset : offset + len(data)] = data
            return
        if type(attr) is ArrayAttr:
            self._elements(items_of(attr), type_, offset)
            return
        if type(attr) is DenseIntOrFPElementsAttr:
            values = list(elements_of(attr))
            self._dense(values, type_, offset)
            return
        shape = module.shapes.of(type_)
        if isinstance(attr, IntegerAttr):
            self._scalar(attr.value.data, shape, offset)
        elif type(attr) is FloatAttr:
            self._scalar(float_bits(attr), shape, offset)
        elif attr.name in ("llvm.zero", "llvm.undef", "llvm.poison", "llvm.mlir.zero"):
            self._clear(type_, offset)
        else:
            raise self.error(f"the initial value {attr} is not supported")

    def _scalar(self, value: int, shape: Shape, offset: int) -> None:
        if shape.kind in (VECTOR, AGGREGATE):
            if value == 0:
                self._clear(shape.type, offset)
                return
            raise self.error(f"the initial value of type {shape.type} is not supported")
        self.put(offset, value & ((1 << shape.bits) - 1), (shape.bits + 7) // 8)

    def _places(self, type_: Attribute) -> Sequence[tuple[Attribute, int]]:
        layout = self.module.layout
        if isinstance(type_, LLVMStructType):
            return list(zip(type_.types.data, layout.field_offsets(type_)))
        if isinstance(type_, LLVMArrayType):
            step = layout.size(type_.type)
            return [(type_.type, step * i) for i in range(type_.size.data)]
        shape = self.module.shapes.of(type_)
        if shape.kind == VECTOR and shape.element.bits % 8 == 0:
            step = shape.element.bits // 8
            return [(shape.element.type, step * i) for i in range(shape.count)]
        raise self.error(f"the initial value of type {type_} is not supported")

    def _elements(self, attrs: Sequence[Attribute], type_: Attribute, offset: int) -> None:
        for attr, (element, at) in zip(attrs, self._places(type_)):
            self.attribute(attr, element, offset + at)

    def _dense(self, values: Sequence[int], type_: Attribute, offset: int) -> None:
        """Writes the elements of a dense constant; a single one fills the type."""
        if isinstance(type_, LLVMArrayType):
            count, step = type_.size.data, self.module.layout.size(type_.type)
            share = len(values) // count if len(values) > 1 and count else len(values)
            for i in range(count):
                part = values[i * share : (i + 1) * share] if len(values) > 1 else values
                self._dense(part, type_.type, offset + step * i)
            return
        scalars = scalars_of(self.module.shapes.of(type_))
        bits = scalars[0].bits
        if len(values) == 1:
            values = [*values] * len(scalars)
        total = sum(value << bits * i for i, value in enumerate(values))
        self.put(offset, total, (bits * len(scalars) + 7) // 8)

    # Values computed in an initializer region

    def value(self, value: SSAValue, offset: int) -> None:
        """Writes a value of the initializer region."""
        if type(value) is not OpResult:
            raise self.error("an initializer has no arguments")
        op = fast.producer_of(value)
        cls = type(op)
        if cls is ConstantOp:
            self.attribute(constant_value_of(op), value.type, offset)
        elif cls in (ZeroOp, UndefOp, PoisonOp):
            self._clear(value.type, offset)
        elif cls is InsertValueOp:
            chain: list[Operation] = []
            inner: SSAValue = value
            while type(inner) is OpResult and type(fast.producer_of(inner)) is cls:
                chain.append(fast.producer_of(inner))
                inner = operands_of(chain[-1])[0]
            self.value(inner, offset)
            for insertion in reversed(chain):
                place = self._position(insertion)
                self.value(operands_of(insertion)[1], offset + place)
        elif cls is InsertElementOp:
            vector, element, index = operands_of(op)
            self.value(vector, offset)
            number, places = constant_unsigned(index), self._places(value.type)
            if number is None or number >= len(places):
                raise self.error("the position of an element must be a constant in its vector")
            self.value(element, offset + places[number][1])
        else:
            self._address(value, offset)

    def _position(self, op: Operation) -> int:
        offset = 0
        type_ = operands_of(op)[0].type
        for index in position_of(op):
            type_, place = self._place(type_, index)
            offset += place
        return offset

    def _place(self, type_: Attribute, index: int) -> tuple[Attribute, int]:
        """The type and offset of one element."""
        if isinstance(type_, LLVMArrayType):
            return type_.type, self.module.layout.size(type_.type) * index
        if isinstance(type_, LLVMStructType):
            return type_.types.data[index], self.module.layout.field_offsets(type_)[index]
        return self._places(type_)[index]

    def _address(self, value: SSAValue, offset: int) -> None:
        symbol, addend, generic, bits = self._symbolic(value)
        if symbol is None:
            size = self.module.layout.store_size(value.type)
            self.put(offset, unsigned(addend, self._bits(value)), size)
            return
        bits = min(bits, self._bits(value))
        if bits % 8:
            raise self.error(f"{bits} bits of an address cannot be an initial value")
        name, space = self.module.symbol(symbol, self.op)
        if space == SHARED:
            raise self.error(
                f"the address of the shared variable '{symbol}' cannot be an initial value"
            )
        self._clear(value.type, offset)
        self.relocations[offset] = relocation(
            offset, name, addend, generic=generic and space != GENERIC, size=bits // 8
        )

    def _bits(self, value: SSAValue) -> int:
        return self.module.shapes.of(value.type).bits

    def _symbolic(self, value: SSAValue) -> tuple[str | None, int, bool, int]:
        """A value as a symbol (or none) plus a number.

        Also returns whether it is a generic address, and the number of low bits of the sum that the
        value contains; its other bits are zeros.
        """
        number = self.module.constant(value)
        if number is not None:
            return None, number, False, _ADDRESS_BITS
        if type(value) is not OpResult:
            raise self.error("an initializer has no arguments")
        op = fast.producer_of(value)
        cls = type(op)
        operands = operands_of(op)
        if cls is AddressOfOp:
            symbol = global_name(op)
            space = self.module.pointer_space(value.type)
            return symbol, 0, space == GENERIC, _ADDRESS_BITS
        if cls in (BitcastOp, PtrToIntOp, IntToPtrOp, TruncOp, ZExtOp):
            symbol, addend, generic, bits = self._symbolic(operands[0])
            width = min(self._bits(operands[0]), self._bits(value))
            if symbol is None:
                # A constant is truncated to the narrower type, and zero-extended.
                addend = unsigned(addend, width)
            return symbol, addend, generic, min(bits, width)
        if cls is AddrSpaceCastOp:
            symbol, addend, generic, bits = self._symbolic(operands[0])
            self._check_whole(symbol, bits, _ADDRESS_BITS)
            return symbol, addend, self.module.pointer_space(value.type) == GENERIC, bits
        if cls is GEPOp:
            symbol, addend, generic, bits = self._symbolic(operands[0])
            self._check_whole(symbol, bits, self._bits(value))
            return symbol, addend + self._gep_offset(op), generic, bits
        if cls in (AddOp, SubOp):
            left, right = self._symbolic(operands[0]), self._symbolic(operands[1])
            for symbol, _, _, bits in (left, right):
                self._check_whole(symbol, bits, self._bits(value))
            if cls is SubOp:
                if right[0] is not None:
                    raise self.error("the difference of two addresses is not supported")
                return left[0], left[1] - right[1], left[2], left[3]
            if left[0] is not None and right[0] is not None:
                raise self.error("the sum of two addresses is not supported")
            bits = min(left[3], right[3])
            return left[0] or right[0], left[1] + right[1], left[2] or right[2], bits
        raise self.error(f"{op.name} in an initializer is not supported")

    def _check_whole(self, symbol: str | None, bits: int, width: int) -> None:
        """Rejects arithmetic on an extended part of an address, whose carry PTX cannot express."""
        if symbol is not None and bits < min(width, _ADDRESS_BITS):
            raise self.error(f"arithmetic on {bits} bits of an address is not supported")

    def _gep_offset(self, op: Operation) -> int:
        offset = constant_offset(op, self.module.layout)
        if offset is None:
            raise self.error("the indices of an address must be constants within its type")
        return offset


def select_global(module: ModuleContext, op: Operation) -> GlobalOp | None:
    """The nvptx variable of an `llvm.mlir.global`; None for those for linkers."""
    symbol = defined_name(op)
    if symbol.startswith(IGNORED_PREFIX):
        return None
    name, space = module.symbol(symbol, op)
    word = SPACES.get(space)
    if word is None:
        raise error_at(op, f"a variable in address space {space} is not supported")
    if is_thread_local(op):
        raise error_at(op, "thread-local variables are not supported")
    type_ = global_type_of(op)
    layout = module.layout
    size = layout.size(type_)
    alignment = _alignment(module, op, type_)
    check_variable(op, word, size, alignment)
    body = op.regions[0].first_block if op.regions else None
    value = initial_value_of(op)
    defined = not is_declaration(op)
    linkage = ptx_linkage(op, defined=defined)
    kind = handle_kind(op)
    if kind is not None:
        return global_variable(name, "global", "b64", linkage=linkage, kind=kind)
    if not defined:
        # The launch or another module determines the size of the memory.
        count = size or 0
        return global_variable(name, word, "b8", count, align=alignment, linkage="extern")
    returned = body.last_op if body is not None else None
    if value is None and returned is not None and _returns_nothing_but_zeros(returned):
        body = None
    written = value is not None or body is not None
    if written and size > MOST_INITIALIZED:
        raise error_at(
            op, f"an initial value of {size} bytes, more than {MOST_INITIALIZED}, is not supported"
        )
    image = _Image(module, size if written else 0, op)
    if written:
        if value is not None:
            image.attribute(value, type_, 0)
        elif body is not None:
            last = body.last_op
            if last is None or type(last) is not ReturnOp:
                raise error_at(op, "an initializer ends with llvm.return")
            try:
                image.value(operands_of(last)[0], 0)
            except RecursionError:
                raise error_at(op, "the initial value is nested too deeply") from None
    blank = not any(image.bytes) and not image.relocations
    if space == SHARED and not blank:
        raise error_at(op, "a variable in shared memory has no initial value but zeros")
    pointer = isinstance(type_, LLVMPointerType)
    made = global_variable(
        name,
        word,
        "b64" if pointer and size == 8 else "b8",
        None if pointer and size == 8 else max(size, 1),
        align=alignment,
        linkage=linkage,
        init=None if blank else bytes(image.bytes) or b"\0",
        relocations=[reloc for _, reloc in sorted(image.relocations.items())],
        managed=MANAGED in op.attributes,
    )
    if made.splits_addresses:
        module.require(_MASKS, "a part of an address", op)
    return made


def _alignment(module: ModuleContext, op: Operation, type_: Attribute) -> int:
    return stated_alignment(op) or module.layout.alignment(type_)


def declared_functions(module: ModuleContext) -> list[Operation]:
    """Referenced functions that another module defines, in the module's order."""
    body = module.module.regions[0].first_block
    if body is None:
        return []
    return [
        op
        for op in fast.ops_of(body)
        if op.name == "llvm.func"
        and (op.regions[0].first_block is None or linkage_of(op) == "available_externally")
        and defined_name(op) in module.referenced
    ]
