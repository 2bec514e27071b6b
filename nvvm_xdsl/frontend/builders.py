"""Common code of instructions and constant expressions: type rules, flags, and ops.

The rules are those of the LLVM Language Reference, "Instruction Reference"; a check returns the
error message, or None.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, VectorType
from xdsl.dialects.llvm import (
    FastMathAttr,
    FCmpOp,
    ICmpOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    ShuffleVectorOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, I1, I32, I64, UNIT, dense_i32, int_attr
from nvvm_xdsl.frontend.types import is_integer, is_vector, spell_type
from nvvm_xdsl.ir import fast

ICMP_PREDICATES = {
    name: int_attr(number, I64)
    for number, name in enumerate(
        ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
    )
}
FCMP_PREDICATES = {
    name: int_attr(number, I64)
    for number, name in enumerate(
        "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
    )
}
ALL_FLOATS: frozenset[Attribute] = FLOAT_TYPES | {types.F80, types.F128}

NO_FASTMATH = FastMathAttr(None)


_FLAGS = {flags: int_attr(flags, I32) for flags in range(8)}
_WRAPPING = frozenset({"add", "sub", "mul", "shl", "trunc"})
_EXACT = frozenset({"udiv", "sdiv", "lshr", "ashr"})
_FLOAT_ARITHMETIC = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem", "fneg"})


def element_type(type_: Attribute) -> Attribute:
    """The element type of a vector; another type as it is."""
    if type(type_) is VectorType:
        vector: VectorType[Attribute] = type_  # pyright: ignore[reportAssignmentType]
        return vector.element_type
    return type_


def vector_length(type_: Attribute) -> int | None:
    """The number of elements of a vector; None for another type."""
    if type(type_) is VectorType:
        vector: VectorType[Attribute] = type_  # pyright: ignore[reportAssignmentType]
        return vector.get_shape()[0]
    return None


def like(type_: Attribute, element: Attribute) -> Attribute:
    """`element`, or a vector of it if `type_` is a vector."""
    count = vector_length(type_)
    return element if count is None else types.vector(count, element)


def scalar_width(type_: Attribute) -> int:
    """Bits of an integer or floating-point type; 0 for others."""
    if is_integer(type_):
        return type_.width.data
    return _FLOAT_WIDTHS.get(type_, 0)


_FLOAT_WIDTHS: dict[Attribute, int] = {
    types.F16: 16,
    types.BF16: 16,
    types.F32: 32,
    types.F64: 64,
    types.F80: 80,
    types.F128: 128,
}


def check_arithmetic(opcode: str, type_: Attribute) -> str | None:
    """The error if the type does not have this operation."""
    element = element_type(type_)
    if opcode in _FLOAT_ARITHMETIC:
        if element in ALL_FLOATS:
            return None
        return f"{opcode} needs floating-point operands, not {spell_type(type_)}"
    if type(element) is IntegerType:
        return None
    return f"{opcode} needs integer operands, not {spell_type(type_)}"


def check_compare(opcode: str, type_: Attribute) -> str | None:
    """The error if values of the type cannot be compared by this op."""
    element = element_type(type_)
    if opcode == "fcmp":
        if element in ALL_FLOATS:
            return None
        return f"fcmp needs floating-point operands, not {spell_type(type_)}"
    if type(element) is IntegerType or type(element) is LLVMPointerType:
        return None
    return f"icmp needs integer or pointer operands, not {spell_type(type_)}"


def compare_type(type_: Attribute) -> Attribute:
    """The type of a comparison's result."""
    return like(type_, I1)


def check_select(condition: Attribute, true: Attribute, false: Attribute) -> str | None:
    """The error if these types are invalid for a select."""
    if true is not false:
        return f"select between {spell_type(true)} and {spell_type(false)}"
    if condition is I1:
        return None
    if element_type(condition) is not I1:
        return f"the condition of select must be i1, not {spell_type(condition)}"
    if vector_length(condition) != vector_length(true):
        return "the condition of select does not fit its operands"
    return None


_INT_TO_INT = {"trunc": -1, "zext": 1, "sext": 1}
_FLOAT_TO_FLOAT = {"fptrunc": -1, "fpext": 1}


def check_cast(opcode: str, source: Attribute, target: Attribute) -> str | None:
    """The error if the cast does not exist between these types."""
    s = element_type(source)
    t = element_type(target)
    s_int = type(s) is IntegerType
    t_int = type(t) is IntegerType
    s_float = s in ALL_FLOATS
    t_float = t in ALL_FLOATS
    s_pointer = type(s) is LLVMPointerType
    t_pointer = type(t) is LLVMPointerType
    same_shape = vector_length(source) == vector_length(target)
    grows = (scalar_width(t) > scalar_width(s)) - (scalar_width(t) < scalar_width(s))
    if opcode in _INT_TO_INT:
        fits = s_int and t_int and grows == _INT_TO_INT[opcode]
    elif opcode in _FLOAT_TO_FLOAT:
        fits = s_float and t_float and grows == _FLOAT_TO_FLOAT[opcode]
    elif opcode in ("fptoui", "fptosi"):
        fits = s_float and t_int
    elif opcode in ("uitofp", "sitofp"):
        fits = s_int and t_float
    elif opcode in ("ptrtoint", "ptrtoaddr"):
        fits = s_pointer and t_int
    elif opcode == "inttoptr":
        fits = s_int and t_pointer
    elif opcode == "addrspacecast":
        fits = s_pointer and t_pointer and s is not t
    elif s_pointer or t_pointer:
        fits = s is t
    else:
        same_shape = True
        bits = (vector_length(source) or 1) * scalar_width(s)
        fits = bits > 0 and bits == (vector_length(target) or 1) * scalar_width(t)
    if fits and same_shape:
        return None
    return f"invalid {opcode} from {spell_type(source)} to {spell_type(target)}"


def member_type(type_: Attribute, indices: Sequence[int]) -> Attribute | None:
    """The type of the aggregate's member at the indices; None for invalid indices."""
    if not indices:
        return None
    for index in indices:
        if isinstance(type_, LLVMStructType):
            if not 0 <= index < len(type_.types.data):
                return None
            type_ = type_.types.data[index]
        elif isinstance(type_, LLVMArrayType):
            if not 0 <= index < type_.size.data:
                return None
            type_ = type_.type
        else:
            return None
    return type_


def gep_shape(
    base: Attribute,
    element: Attribute,
    index_types: Sequence[Attribute],
    constants: Sequence[int | None],
) -> tuple[Attribute, list[int]] | str:
    """The result type of a getelementptr and its raw constant indices, or an error message.

    As in MLIR only the indices of struct fields are raw; all others are operands.
    """
    if type(element_type(base)) is not LLVMPointerType:
        return f"getelementptr needs a pointer, not {spell_type(base)}"
    result = base
    raw: list[int] = []
    inner = element
    for number, (type_, constant) in enumerate(zip(index_types, constants)):
        if type(element_type(type_)) is not IntegerType:
            return f"an index of getelementptr must be an integer, not {spell_type(type_)}"
        count = vector_length(type_)
        if count is not None:
            known = vector_length(result)
            if known is None:
                result = types.vector(count, result)
            elif known != count:
                return "vector indices of getelementptr differ in length"
        if number == 0:
            raw.append(DYNAMIC_INDEX)
            continue
        if isinstance(inner, LLVMStructType):
            fields = inner.types.data
            if constant is None:
                return "the index of a struct field must be a constant"
            if not 0 <= constant < len(fields):
                return f"{spell_type(inner)} has no field {constant}"
            raw.append(constant)
            inner = fields[constant]
        elif isinstance(inner, LLVMArrayType):
            raw.append(DYNAMIC_INDEX)
            inner = inner.type
        elif is_vector(inner):
            raw.append(DYNAMIC_INDEX)
            inner = element_type(inner)
        else:
            return f"getelementptr indexes into {spell_type(inner)}"
    return result, raw


def gep(
    base: SSAValue,
    dynamic: Sequence[SSAValue],
    raw: Sequence[int],
    element: Attribute,
    flags: int,
    result: Attribute,
) -> Operation:
    """`llvm.getelementptr`."""
    return create_gep((base, *dynamic), raw, element, result, _FLAGS[flags])


def icmp(predicate: str, lhs: SSAValue, rhs: SSAValue) -> Operation:
    """`llvm.icmp`."""
    type_ = lhs.type
    result = I1 if type(type_) is IntegerType else compare_type(type_)
    return fast.create(ICmpOp, (lhs, rhs), (result,), {"predicate": ICMP_PREDICATES[predicate]})


def fcmp(
    predicate: str, lhs: SSAValue, rhs: SSAValue, fastmath: Attribute = NO_FASTMATH
) -> Operation:
    """`llvm.fcmp`."""
    return fast.create(
        FCmpOp,
        (lhs, rhs),
        (compare_type(lhs.type),),
        {"predicate": FCMP_PREDICATES[predicate], "fastmathFlags": fastmath},
    )


def shuffle(lhs: SSAValue, rhs: SSAValue, mask: Sequence[int]) -> Operation:
    """`llvm.shufflevector`; -1 in the mask is an undefined element."""
    result = types.vector(len(mask), element_type(lhs.type))
    return fast.create(ShuffleVectorOp, (lhs, rhs), (result,), {"mask": dense_i32(mask)})


def arithmetic_properties(opcode: str, flags: Sequence[str]) -> dict[str, Attribute]:
    """The properties for an operation's wrap, exact, disjoint and nneg flags."""
    if opcode in _WRAPPING:
        return {"overflowFlags": _FLAGS[NSW * ("nsw" in flags) | NUW * ("nuw" in flags)]}
    if opcode in _EXACT and "exact" in flags:
        return {"isExact": UNIT}
    if opcode == "or" and "disjoint" in flags:
        return {"isDisjoint": UNIT}
    if opcode in ("zext", "uitofp") and "nneg" in flags:
        return {"nonNeg": UNIT}
    if opcode in _FLOAT_ARITHMETIC:
        return {"fastmathFlags": NO_FASTMATH}
    return {}
