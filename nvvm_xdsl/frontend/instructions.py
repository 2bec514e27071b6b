"""Instructions that access memory, and all other instructions but calls and terminators.

Source: LLVM Language Reference, "Memory Access and Addressing Operations".

Each opcode has a reader method. At its start the current token is the one after the opcode; at its
end it is the comma before the instruction's metadata, if any.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import (
    AllocaOp,
    BitcastOp,
    ExtractValueOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LoadOp,
    StoreOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import int_value
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX
from nvvm_xdsl.dialects.llvm.ops import AtomicCmpXchgOp, AtomicRMWOp, FenceOp, VaArgOp
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_ATTRIBUTES, PLAIN
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, UNIT, dense_i64, int_attr
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.aggregates import AggregateReader
from nvvm_xdsl.frontend.arithmetic import Result
from nvvm_xdsl.frontend.builders import ALL_FLOATS, element_type, scalar_width, vector_length
from nvvm_xdsl.frontend.constants import Constant
from nvvm_xdsl.frontend.elementwise_atomics import (
    elementwise,
    elementwise_load,
    elementwise_store,
)
from nvvm_xdsl.frontend.lexer import LOOKAHEAD
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.types import is_first_class, is_integer, is_vector
from nvvm_xdsl.ir import fast

_FAILURE: dict[Attribute, Attribute] = {
    ORDERING_ATTRIBUTES[success]: ORDERING_ATTRIBUTES[failure]
    for success, failure in (
        ("unordered", "monotonic"),
        ("monotonic", "monotonic"),
        ("acquire", "acquire"),
        ("release", "monotonic"),
        ("acq_rel", "acquire"),
        ("seq_cst", "seq_cst"),
    )
}
"""The strongest failure ordering for each success ordering of an exchange."""

_ENUM = {
    name.removeprefix("_"): int_attr(number, I64) for name, number in ENUMS["AtomicBinOp"].items()
}
# The dialect's fmax and fmin are PTX's max and min, which have the semantics of IEEE 754-2019.
_BIN_OPS = _ENUM | {"fmaximumnum": _ENUM["fmax"], "fminimumnum": _ENUM["fmin"]}
_FLOAT_BIN_OPS = frozenset("fadd fsub fmax fmin fmaximum fminimum fmaximumnum fminimumnum".split())


_UNSUPPORTED = {
    **dict.fromkeys(
        ("catchswitch", "catchret", "catchpad", "cleanupret", "cleanuppad"),
        "exceptions do not exist on NVIDIA GPUs",
    ),
    "callbr": "assembly with jumps does not exist on NVIDIA GPUs",
}


class InstructionReader(AggregateReader):
    """Reads instructions into the current block."""

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        self.handlers |= {
            **dict.fromkeys(_UNSUPPORTED, self._unsupported),
            "load": self._load,
            "store": self._store,
            "alloca": self._alloca,
            "getelementptr": self._getelementptr,
            "fence": self._fence,
            "atomicrmw": self._atomicrmw,
            "cmpxchg": self._cmpxchg,
            "va_arg": self._va_arg,
        }

    def _pointer(self, type_: Attribute, place: int) -> SSAValue:
        if type(type_) is not LLVMPointerType:
            self.fail(f"expected a pointer, found {self.spell(type_)}", place)
        return self.value(type_)

    def _load(self, opcode: str) -> Result:
        atomic = self.accept("atomic")
        volatile = self.accept("volatile")
        separate = self._separate(atomic)
        place = self.pos
        type_ = self.type_()
        if self.tokens[self.pos] == ",":
            self.pos += 1
            pointer_place = self.pos
            pointer = self._pointer(self.type_(), pointer_place)
        else:
            # Before LLVM 3.7 the loaded type was the pointee of the pointer.
            pointee = self.pointee
            if pointee is None:
                self.fail_expected("','")
            pointer = self._pointer(type_, place)
            type_ = pointee
        if not is_first_class(type_):
            self.fail(f"cannot load {self.spell(type_)}", place)
        properties: dict[str, Attribute] = {"ordering": PLAIN}
        if atomic:
            self._atomic_access(properties)
        alignment = self.align() or int_attr(self.alignment_of(type_, place), I64)
        if volatile:
            properties["volatile_"] = UNIT
        if separate:
            vector = self._separable(type_, properties, place)
            return elementwise_load(pointer, vector, int_value(alignment), properties, self.insert)
        properties["alignment"] = alignment
        return fast.create(LoadOp, (pointer,), (type_,), properties)

    def _separate(self, atomic: bool) -> bool:
        """Accepts the keyword `elementwise` of an atomic access."""
        if self.tokens[self.pos] == "elementwise" and not atomic:
            self.fail("an elementwise access must be atomic", self.pos)
        return self.accept("elementwise")

    def _separable(
        self, type_: Attribute, properties: dict[str, Attribute], place: int
    ) -> VectorType[Attribute]:
        """The type of an elementwise load or store; others than vectors of bytes are errors."""
        if not is_vector(type_) or scalar_width(element_type(type_)) not in (8, 16, 32, 64, 128):
            self.fail(f"elementwise access of {self.spell(type_)}", place)
        if properties["ordering"] is ORDERING_ATTRIBUTES["seq_cst"]:
            self.fail("elementwise operations cannot be seq_cst", place)
        return type_

    def _append(self, op: Operation) -> None:
        fast.append(self.block, op)

    def _atomic_access(self, properties: dict[str, Attribute]) -> None:
        scope = self.scope()
        if scope is not None:
            properties["syncscope"] = scope
        properties["ordering"] = self.ordering()

    def _store(self, opcode: str) -> Result:
        atomic = self.accept("atomic")
        volatile = self.accept("volatile")
        separate = self._separate(atomic)
        place = self.pos
        value = self.typed_value()
        self.expect(",")
        pointer_place = self.pos
        pointer = self._pointer(self.type_(), pointer_place)
        properties: dict[str, Attribute] = {"ordering": PLAIN}
        if atomic:
            self._atomic_access(properties)
        alignment = self.align() or int_attr(self.alignment_of(value.type, place), I64)
        if volatile:
            properties["volatile_"] = UNIT
        if separate:
            self._separable(value.type, properties, place)
            return elementwise_store(
                value, pointer, int_value(alignment), properties, self.insert, self._append
            )
        properties["alignment"] = alignment
        return fast.create(StoreOp, (value, pointer), (), properties)

    def _alloca(self, opcode: str) -> Result:
        properties: dict[str, Attribute] = {}
        if self.accept("inalloca"):
            properties["inalloca"] = UNIT
        self.accept("swifterror")
        place = self.pos
        type_ = self.value_type()
        count: SSAValue | None = None
        alignment: Attribute | None = None
        space = 0
        tokens = self.tokens
        while tokens[self.pos] == ",":
            following = tokens[self.pos + 1]
            if following == "align":
                alignment = self.align()
            elif following == "addrspace":
                self.pos += 1
                space = self.address_space()
            elif following[:1] == "!" or count is not None:
                break
            else:
                self.pos += 1
                count_place = self.pos
                count = self.typed_value()
                if not is_integer(count.type):
                    self.fail("the number of elements must be an integer", count_place)
        if count is None:
            count = self.pool.value(Constant("int", I32, 1))
        properties["alignment"] = alignment or int_attr(self._slot_alignment(type_, place), I64)
        properties["elem_type"] = type_
        return fast.create(AllocaOp, (count,), (types.pointer(space),), properties)

    def _getelementptr(self, opcode: str) -> Result:
        flags = self.gep_flags()
        place = self.pos
        element = self.type_()
        tokens = self.tokens
        if tokens[self.pos] == ",":
            self.pos += 1
            base_place = self.pos
            base_type = self.type_()
        else:
            # Before LLVM 3.7 the element type was the pointee of the pointer.
            base_place, base_type = place, element
            if self.pointee is None:
                self.fail_expected("','")
            element = self.pointee
        if not is_first_class(element):
            self.fail(f"getelementptr into {self.spell(element)}", place)
        if type(element_type(base_type)) is not LLVMPointerType:
            self.fail(f"expected a pointer, found {self.spell(base_type)}", base_place)
        base = self.value(base_type)
        dynamic: list[SSAValue] = []
        raw: list[int] = []
        result = base_type
        inner = element
        while tokens[self.pos] == "," and tokens[self.pos + 1][:1] != "!":
            self.pos += 1
            if len(tokens) - self.pos < LOOKAHEAD:
                self.fill()
            self.accept("inrange")
            index_place = self.pos
            type_ = self.type_()
            if type(type_) is not IntegerType:
                result = self._vector_index(type_, result, index_place)
            if raw and type(inner) is LLVMStructType:
                number, inner = self._field_index(inner, type_, index_place)
                raw.append(number)
                continue
            if raw:
                inner = self._descend(inner, index_place)
            dynamic.append(self.value(type_))
            raw.append(DYNAMIC_INDEX)
        return builders.gep(base, dynamic, raw, element, flags, result)

    def _vector_index(self, type_: Attribute, result: Attribute, place: int) -> Attribute:
        count = vector_length(type_)
        if count is None or type(element_type(type_)) is not IntegerType:
            self.fail(f"an index must be an integer, not {self.spell(type_)}", place)
        known = vector_length(result)
        if known is not None and known != count:
            self.fail("vector indices differ in length", place)
        return types.vector(count, element_type(result))

    def _field_index(
        self, struct: Attribute, type_: Attribute, place: int
    ) -> tuple[int, Attribute]:
        if self.tokens[self.pos][:1] == "%":
            self.fail("the index of a struct field must be a constant")
        constant = self.constant(type_)
        scalars = constant.payload if constant.kind == "data" else [constant.payload or 0]
        if constant.kind not in ("int", "data", "zero") or len(set(scalars)) != 1:
            self.fail("the index of a struct field must be a constant", place)
        number = scalars[0]
        fields = struct.types.data  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnknownMemberType]
        if not 0 <= number < len(fields):  # pyright: ignore[reportUnknownArgumentType]
            self.fail(f"{self.spell(struct)} has no field {number}", place)
        return number, fields[number]  # pyright: ignore[reportUnknownVariableType]

    def _descend(self, inner: Attribute, place: int) -> Attribute:
        if type(inner) is LLVMArrayType:
            return inner.type  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
        if vector_length(inner) is not None:
            return element_type(inner)
        self.fail(f"cannot index into {self.spell(inner)}", place)

    def _fence(self, opcode: str) -> Result:
        properties: dict[str, Attribute] = {}
        scope = self.scope()
        if scope is not None:
            properties["syncscope"] = scope
        properties["ordering"] = self.ordering()
        return fast.create(FenceOp, (), (), properties)

    def _atomicrmw(self, opcode: str) -> Result:
        volatile = self.accept("volatile")
        separate = self.accept("elementwise")
        operation = self.tokens[self.pos]
        number = _BIN_OPS.get(operation)
        if number is None:
            self.fail_expected("an operation of atomicrmw")
        self.pos += 1
        place = self.pos
        pointer = self._pointer(self.type_(), place)
        self.expect(",")
        place = self.pos
        value = self.typed_value()
        type_ = value.type
        element = element_type(type_)
        if separate and vector_length(type_) is None:
            self.fail(f"elementwise operations need a vector, not {self.spell(type_)}", place)
        if operation in _FLOAT_BIN_OPS:
            fits = element in ALL_FLOATS
        elif operation == "xchg":
            fits = element in ALL_FLOATS or type(element) in (IntegerType, LLVMPointerType)
        else:
            fits = type(element if separate else type_) is IntegerType
        if not fits or (separate and scalar_width(element) not in (8, 16, 32, 64, 128)):
            self.fail(f"atomicrmw {operation} of {self.spell(type_)}", place)
        properties: dict[str, Attribute] = {"bin_op": number}
        self._atomic_access(properties)
        if volatile:
            properties["volatile_"] = UNIT
        if separate:
            if properties["ordering"] is ORDERING_ATTRIBUTES["seq_cst"]:
                self.fail("elementwise operations cannot be seq_cst", place)
            alignment = self._elementwise_alignment(type_, place)
            return elementwise(operation, pointer, value, alignment, properties, self.insert)
        properties["alignment"] = self.align() or self._natural_alignment(type_, place)
        if operation == "xchg" and vector_length(type_) is not None:
            return self._exchange_vector(pointer, value, properties, place)
        return fast.create(AtomicRMWOp, (pointer, value), (type_,), properties)

    def insert(self, op: Operation) -> SSAValue:
        """Inserts an op before the op under construction; returns its result."""
        fast.append(self.block, op)
        return op.results[0]

    def _exchange_vector(
        self, pointer: SSAValue, value: SSAValue, properties: dict[str, Attribute], place: int
    ) -> Operation:
        """An exchange of a vector, which LLVM's main branch added, as one of an integer."""
        type_ = value.type
        width = scalar_width(element_type(type_)) * (vector_length(type_) or 1)
        if width not in (8, 16, 32, 64, 128):
            self.fail(f"atomicrmw xchg of {self.spell(type_)}", place)
        bits = (types.integer(width),)
        whole = fast.create(BitcastOp, (value,), bits)
        old = fast.create(AtomicRMWOp, (pointer, whole.results[0]), bits, properties)
        fast.append(self.block, whole)
        fast.append(self.block, old)
        return fast.create(BitcastOp, old.results, (type_,))

    def _elementwise_alignment(self, type_: Attribute, place: int) -> int:
        """The alignment of a vector whose elements are updated separately: its size unless stated."""
        stated = self.align()
        natural = self._natural_alignment(type_, place)
        return int_value(stated or natural)

    def _natural_alignment(self, type_: Attribute, place: int) -> Attribute:
        size = self.layout.store_size(type_)
        if size & (size - 1):
            self.fail(f"no atomic access of {size} bytes", place)
        return int_attr(size, I64)

    def _cmpxchg(self, opcode: str) -> Result:
        properties: dict[str, Attribute] = {}
        if self.accept("weak"):
            properties["weak"] = UNIT
        if self.accept("volatile"):
            properties["volatile_"] = UNIT
        place = self.pos
        pointer = self._pointer(self.type_(), place)
        self.expect(",")
        place = self.pos
        expected = self.typed_value()
        self.expect(",")
        replacement = self.typed_value()
        type_ = expected.type
        if type(type_) not in (IntegerType, LLVMPointerType) or replacement.type is not type_:
            self.fail("cmpxchg needs two integers or pointers of the same type", place)
        scope = self.scope()
        if scope is not None:
            properties["syncscope"] = scope
        success = self.ordering()
        failure = ORDERING_ATTRIBUTES.get(self.tokens[self.pos])
        if failure is not None:
            self.pos += 1
        properties["success_ordering"] = success
        properties["failure_ordering"] = failure or _FAILURE[success]
        properties["alignment"] = self.align() or self._natural_alignment(type_, place)
        result = types.struct((type_, I1))
        op = fast.create(AtomicCmpXchgOp, (pointer, expected, replacement), (result,), properties)
        if failure is not None:
            return op
        # Before LLVM 3.5 there was one ordering, and the result was only the old value.
        fast.append(self.block, op)
        return fast.create(ExtractValueOp, op.results, (type_,), {"position": dense_i64((0,))})

    def _va_arg(self, opcode: str) -> Result:
        place = self.pos
        pointer = self._pointer(self.type_(), place)
        self.expect(",")
        return fast.create(VaArgOp, (pointer,), (self.value_type(),))

    def _unsupported(self, opcode: str) -> Result:
        self.fail(f"{opcode} is not supported: {_UNSUPPORTED[opcode]}", self.pos - 1)
