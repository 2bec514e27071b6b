"""Instructions other than calls (LLVM Language Reference, "Instruction Reference").

A reader method stands for an opcode: the current token is what follows the opcode, and it
leaves the comma before the instruction's metadata, if any, as the current token.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import (
    AddOp,
    AllocaOp,
    AndOp,
    AShrOp,
    BitcastOp,
    ExtractValueOp,
    FAddOp,
    FDivOp,
    FMulOp,
    FNegOp,
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FSubOp,
    InsertElementOp,
    InsertValueOp,
    IntToPtrOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    PtrToIntOp,
    SDivOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SIToFPOp,
    SRemOp,
    StoreOp,
    SubOp,
    TruncOp,
    UDivOp,
    URemOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    ExtractElementOp,
    FenceOp,
    FPToSIOp,
    FPToUIOp,
    FreezeOp,
    UIToFPOp,
    VaArgOp,
)
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_ATTRIBUTES, PLAIN
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, UNIT, dense_i64, int_attr
from nvvm_xdsl.frontend import builders
from nvvm_xdsl.frontend.builders import (
    ALL_FLOATS,
    FCMP_PREDICATES,
    ICMP_PREDICATES,
    element_type,
    vector_length,
)
from nvvm_xdsl.frontend.constants import Constant
from nvvm_xdsl.frontend.lexer import LOOKAHEAD
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.operands import OperandReader
from nvvm_xdsl.frontend.types import is_first_class, is_integer
from nvvm_xdsl.ir import fast

Result = SSAValue | Operation | None
"""What an instruction made: an op, or the value that it only renames."""


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
"""The strongest ordering of a failed exchange that goes with one of a successful exchange."""

_BIN_OPS = {
    name.removeprefix("_"): int_attr(number, I64) for name, number in ENUMS["AtomicBinOp"].items()
}
_FLOAT_BIN_OPS = frozenset({"fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"})


_NO_FLAGS = builders.arithmetic_properties("add", ())["overflowFlags"]
_WRAP_FLAGS: dict[tuple[bool, bool], Attribute] = {
    (nuw, nsw): builders.arithmetic_properties(
        "add", (("nuw",) if nuw else ()) + (("nsw",) if nsw else ())
    )["overflowFlags"]
    for nuw in (False, True)
    for nsw in (False, True)
}


def _by_opcode(*classes: type[Operation]) -> dict[str, type[Operation]]:
    """Op classes by the keyword of their instruction."""
    return {cls.name.removeprefix("llvm."): cls for cls in classes}


_CAST_CLASSES = _by_opcode(
    TruncOp,
    ZExtOp,
    SExtOp,
    FPTruncOp,
    FPExtOp,
    FPToUIOp,
    FPToSIOp,
    UIToFPOp,
    SIToFPOp,
    PtrToIntOp,
    IntToPtrOp,
    BitcastOp,
    AddrSpaceCastOp,
)
_INT_CLASSES = _by_opcode(
    AddOp, SubOp, MulOp, ShlOp, UDivOp, SDivOp, LShrOp, AShrOp, URemOp, SRemOp, AndOp, OrOp, XOrOp
)
_FLOAT_CLASSES = _by_opcode(FAddOp, FSubOp, FMulOp, FDivOp, FRemOp)
_WRAPPING = frozenset({"add", "sub", "mul", "shl"})
_EXACT = frozenset({"udiv", "sdiv", "lshr", "ashr"})


_UNSUPPORTED = {
    **dict.fromkeys(
        ("catchswitch", "catchret", "catchpad", "cleanupret", "cleanuppad"),
        "exceptions do not exist on NVIDIA GPUs",
    ),
    "callbr": "assembly with jumps does not exist on NVIDIA GPUs",
}


class InstructionReader(OperandReader):
    """Reads instructions into the current block."""

    handlers: dict[str, Callable[[str], Result]]

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        self.handlers = {
            **dict.fromkeys(_INT_CLASSES, self._int_binary),
            **dict.fromkeys(_FLOAT_CLASSES, self._float_binary),
            **dict.fromkeys(_CAST_CLASSES, self._cast_instruction),
            **dict.fromkeys(_UNSUPPORTED, self._unsupported),
            "ptrtoaddr": self._cast_instruction,
            "fneg": self._fneg,
            "icmp": self._icmp,
            "fcmp": self._fcmp,
            "select": self._select,
            "load": self._load,
            "store": self._store,
            "alloca": self._alloca,
            "getelementptr": self._getelementptr,
            "extractvalue": self._extractvalue,
            "insertvalue": self._insertvalue,
            "extractelement": self._extractelement,
            "insertelement": self._insertelement,
            "shufflevector": self._shufflevector,
            "freeze": self._freeze,
            "fence": self._fence,
            "atomicrmw": self._atomicrmw,
            "cmpxchg": self._cmpxchg,
            "va_arg": self._va_arg,
        }

    # Operands.

    # Parts of instructions.

    # Arithmetic.

    def _int_binary(self, opcode: str) -> Result:
        tokens = self.tokens
        properties: dict[str, Attribute] = {}
        if opcode in _WRAPPING:
            token = tokens[self.pos]
            flags = _NO_FLAGS
            if token in ("nuw", "nsw"):
                self.pos += 1
                other = tokens[self.pos]
                nuw = nsw = False
                if other in ("nuw", "nsw"):
                    self.pos += 1
                    nuw = nsw = token != other
                flags = _WRAP_FLAGS[nuw or token == "nuw", nsw or token == "nsw"]
            properties["overflowFlags"] = flags
        elif tokens[self.pos] == "exact" and opcode in _EXACT:
            self.pos += 1
            properties["isExact"] = UNIT
        elif tokens[self.pos] == "disjoint" and opcode == "or":
            self.pos += 1
            properties["isDisjoint"] = UNIT
        return self._two_operands(opcode, _INT_CLASSES[opcode], properties)

    def _float_binary(self, opcode: str) -> Result:
        properties: dict[str, Attribute] = {"fastmathFlags": self.fastmath()}
        return self._two_operands(opcode, _FLOAT_CLASSES[opcode], properties)

    def _two_operands(
        self, opcode: str, cls: type[Operation], properties: dict[str, Attribute]
    ) -> Operation:
        place = self.pos
        type_ = self.type_()
        message = builders.check_arithmetic(opcode, type_)
        if message is not None:
            self.fail(message, place)
        lhs = self.value(type_)
        self.expect(",")
        rhs = self.value(type_)
        return fast.create(cls, (lhs, rhs), (type_,), properties)

    def _fneg(self, opcode: str) -> Result:
        flags = self.fastmath()
        place = self.pos
        type_ = self.type_()
        message = builders.check_arithmetic(opcode, type_)
        if message is not None:
            self.fail(message, place)
        return fast.create(FNegOp, (self.value(type_),), (type_,), {"fastmathFlags": flags})

    def _compare_operands(self, opcode: str) -> tuple[SSAValue, SSAValue]:
        place = self.pos
        type_ = self.type_()
        message = builders.check_compare(opcode, type_)
        if message is not None:
            self.fail(message, place)
        lhs = self.value(type_)
        self.expect(",")
        return lhs, self.value(type_)

    def _icmp(self, opcode: str) -> Result:
        self.accept("samesign")
        predicate = self.tokens[self.pos]
        if predicate not in ICMP_PREDICATES:
            self.fail_expected("a predicate of icmp")
        self.pos += 1
        lhs, rhs = self._compare_operands(opcode)
        return builders.icmp(predicate, lhs, rhs)

    def _fcmp(self, opcode: str) -> Result:
        flags = self.fastmath()
        predicate = self.tokens[self.pos]
        if predicate not in FCMP_PREDICATES:
            self.fail_expected("a predicate of fcmp")
        self.pos += 1
        lhs, rhs = self._compare_operands(opcode)
        return builders.fcmp(predicate, lhs, rhs, flags)

    def _select(self, opcode: str) -> Result:
        flags = self.fastmath()
        place = self.pos
        condition = self.typed_value()
        self.expect(",")
        true = self.typed_value()
        self.expect(",")
        false = self.typed_value()
        type_ = true.type
        message = builders.check_select(condition.type, type_, false.type)
        if message is not None:
            self.fail(message, place)
        return fast.create(SelectOp, (condition, true, false), (type_,), {"fastmathFlags": flags})

    def _cast_instruction(self, opcode: str) -> Result:
        tokens = self.tokens
        properties: dict[str, Attribute] = {}
        flags: list[str] = []
        while tokens[self.pos] in ("nneg", "nuw", "nsw"):
            flags.append(self.next_token())
        if opcode in ("fptrunc", "fpext", "sitofp", "uitofp", "fptoui", "fptosi"):
            self.fastmath()
        place = self.pos
        operand = self.typed_value()
        self.expect("to")
        target = self.value_type()
        source = operand.type
        if opcode == "bitcast" and source is target:
            return operand
        if opcode == "ptrtoaddr":
            opcode = "ptrtoint"
        message = builders.check_cast(opcode, source, target)
        if message is not None:
            self.fail(message, place)
        if flags or opcode == "trunc":
            properties = builders.arithmetic_properties(opcode, flags)
        return fast.create(_CAST_CLASSES[opcode], (operand,), (target,), properties)

    def _freeze(self, opcode: str) -> Result:
        value = self.typed_value()
        return fast.create(FreezeOp, (value,), (value.type,))

    # Memory.

    def _pointer(self, type_: Attribute, place: int) -> SSAValue:
        if type_.__class__ is not LLVMPointerType:
            self.fail(f"expected a pointer, found {self.spell(type_)}", place)
        return self.value(type_)

    def _load(self, opcode: str) -> Result:
        atomic = self.accept("atomic")
        volatile = self.accept("volatile")
        place = self.pos
        type_ = self.type_()
        if self.tokens[self.pos] == ",":
            self.pos += 1
            pointer_place = self.pos
            pointer = self._pointer(self.type_(), pointer_place)
        else:
            # Before LLVM 3.7 the type loaded was what the pointer points to.
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
        properties["alignment"] = self.align() or int_attr(self.alignment_of(type_, place), I64)
        if volatile:
            properties["volatile_"] = UNIT
        return fast.create(LoadOp, (pointer,), (type_,), properties)

    def _atomic_access(self, properties: dict[str, Attribute]) -> None:
        scope = self.scope()
        if scope is not None:
            properties["syncscope"] = scope
        properties["ordering"] = self.ordering()

    def _store(self, opcode: str) -> Result:
        atomic = self.accept("atomic")
        volatile = self.accept("volatile")
        place = self.pos
        value = self.typed_value()
        self.expect(",")
        pointer_place = self.pos
        pointer = self._pointer(self.type_(), pointer_place)
        properties: dict[str, Attribute] = {"ordering": PLAIN}
        if atomic:
            self._atomic_access(properties)
        alignment = self.align() or int_attr(self.alignment_of(value.type, place), I64)
        properties["alignment"] = alignment
        if volatile:
            properties["volatile_"] = UNIT
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
            # Before LLVM 3.7 the element type was what the pointer points to.
            base_place, base_type = place, element
            if self.pointee is None:
                self.fail_expected("','")
            element = self.pointee
        if not is_first_class(element):
            self.fail(f"getelementptr into {self.spell(element)}", place)
        if element_type(base_type).__class__ is not LLVMPointerType:
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
            if type_.__class__ is not IntegerType:
                result = self._vector_index(type_, result, index_place)
            if raw and inner.__class__ is LLVMStructType:
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
        if count is None or element_type(type_).__class__ is not IntegerType:
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
        if inner.__class__ is LLVMArrayType:
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
        if operation in _FLOAT_BIN_OPS:
            fits = element in ALL_FLOATS
        elif operation == "xchg":
            fits = element in ALL_FLOATS or element.__class__ in (IntegerType, LLVMPointerType)
        else:
            fits = type_.__class__ is IntegerType
        if not fits:
            self.fail(f"atomicrmw {operation} of {self.spell(type_)}", place)
        properties: dict[str, Attribute] = {"bin_op": number}
        self._atomic_access(properties)
        properties["alignment"] = self.align() or self._natural_alignment(type_, place)
        if volatile:
            properties["volatile_"] = UNIT
        return fast.create(AtomicRMWOp, (pointer, value), (type_,), properties)

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
        if type_.__class__ not in (IntegerType, LLVMPointerType) or replacement.type is not type_:
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
        # Before LLVM 3.5 there was one ordering, and the result was the old value alone.
        fast.append(self.block, op)
        return fast.create(ExtractValueOp, op.results, (type_,), {"position": dense_i64((0,))})

    def _va_arg(self, opcode: str) -> Result:
        place = self.pos
        pointer = self._pointer(self.type_(), place)
        self.expect(",")
        return fast.create(VaArgOp, (pointer,), (self.value_type(),))

    # Aggregates and vectors.

    def _indices(self) -> list[int]:
        found: list[int] = []
        tokens = self.tokens
        while tokens[self.pos] == "," and tokens[self.pos + 1][:1] != "!":
            self.pos += 1
            self.fill()
            found.append(self.number())
        return found

    def _member(self, type_: Attribute, indices: list[int], place: int) -> Attribute:
        member = builders.member_type(type_, indices)
        if member is None:
            self.fail(f"indices do not fit {self.spell(type_)}", place)
        return member

    def _extractvalue(self, opcode: str) -> Result:
        place = self.pos
        container = self.typed_value()
        indices = self._indices()
        member = self._member(container.type, indices, place)
        return fast.create(
            ExtractValueOp, (container,), (member,), {"position": dense_i64(indices)}
        )

    def _insertvalue(self, opcode: str) -> Result:
        place = self.pos
        container = self.typed_value()
        self.expect(",")
        value_place = self.pos
        value = self.typed_value()
        indices = self._indices()
        member = self._member(container.type, indices, place)
        if value.type is not member:
            self.fail(
                f"inserted value has type {self.spell(value.type)}, expected {self.spell(member)}",
                value_place,
            )
        return fast.create(
            InsertValueOp, (container, value), (container.type,), {"position": dense_i64(indices)}
        )

    def _vector_operand(self) -> SSAValue:
        place = self.pos
        vector = self.typed_value()
        if vector_length(vector.type) is None:
            self.fail(f"expected a vector, found {self.spell(vector.type)}", place)
        return vector

    def _position(self) -> SSAValue:
        place = self.pos
        position = self.typed_value()
        if position.type.__class__ is not IntegerType:
            self.fail("the position of an element must be an integer", place)
        return position

    def _extractelement(self, opcode: str) -> Result:
        vector = self._vector_operand()
        self.expect(",")
        operands = (vector, self._position())
        return fast.create(ExtractElementOp, operands, (element_type(vector.type),))

    def _insertelement(self, opcode: str) -> Result:
        vector = self._vector_operand()
        self.expect(",")
        place = self.pos
        value = self.typed_value()
        if value.type is not element_type(vector.type):
            self.fail(
                f"{self.spell(value.type)} is not an element of {self.spell(vector.type)}", place
            )
        self.expect(",")
        return fast.create(InsertElementOp, (vector, value, self._position()), (vector.type,))

    def _shufflevector(self, opcode: str) -> Result:
        first = self._vector_operand()
        self.expect(",")
        place = self.pos
        second = self._vector_operand()
        if second.type is not first.type:
            self.fail("operands of shufflevector differ in type", place)
        self.expect(",")
        place = self.pos
        mask = self.mask_of(self.typed_constant(), place)
        limit = 2 * (vector_length(first.type) or 0)
        if any(index >= limit for index in mask):
            self.fail("the mask of shufflevector is out of range", place)
        return builders.shuffle(first, second, mask)

    def _unsupported(self, opcode: str) -> Result:
        self.fail(f"{opcode} is not supported: {_UNSUPPORTED[opcode]}", self.pos - 1)
