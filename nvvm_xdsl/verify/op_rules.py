"""Requirements of the verifier on each op: matching types and existing symbols.

One table from op name to rule. A rule returns an error message or None. The rules and messages are
those of LLVM's verifier and of MLIR's LLVM dialect (LLVM Language Reference; MLIR 22, LLVMOps.td).
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    case_segments,
    global_space,
    initial_value_of,
    integer_of,
    integer_width,
    intrinsic_name,
    position_of,
    scalar_type,
    segment_sizes,
    shuffle_mask_of,
    stated_function_type,
    symbol_of,
)
from nvvm_xdsl.dialects.llvm.branches import case_values
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, element_of, raw_indices
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_NAMES
from nvvm_xdsl.dialects.llvm.types import address_space_of, pointer_space
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.verify.nvvm_rules.intrinsic_signatures import signature_error


class Scope:
    """The context of a rule besides its op.

    `symbols` maps the module's symbol names to the ops that define them; `returns` is the type
    that `llvm.return` must return, None for a region that returns nothing.
    """

    symbols: Mapping[str, Operation]
    returns: Attribute | None

    def __init__(self, symbols: Mapping[str, Operation], returns: Attribute | None) -> None:
        self.symbols = symbols
        self.returns = returns


Values: TypeAlias = Sequence[SSAValue]
Rule: TypeAlias = Callable[[Operation, Values, Values, Scope], str | None]

_FLOAT_CLASSES = frozenset(
    {BFloat16Type, Float16Type, Float32Type, Float64Type, Float80Type, Float128Type}
)
_FLOAT_BITS: dict[type[Attribute], int] = {
    BFloat16Type: 16,
    Float16Type: 16,
    Float32Type: 32,
    Float64Type: 64,
    Float80Type: 80,
    Float128Type: 128,
}

MAX_BARRIER_ID = 15
"""Barriers a thread block has: 0 to 15 (PTX ISA, `bar`, `barrier`)."""


_canonical: dict[int, tuple[Attribute, Attribute]] = {}
_canonical_of: dict[Attribute, Attribute] = {}


def same_type(a: Attribute, b: Attribute) -> bool:
    """Returns True if two types are equal; interned types are compared by identity.

    Other types are looked up once by value and then identified by identity until `forget_types`.
    """
    if a is b:
        return True
    one = _canonical.get(id(a)) or _remember(a)
    two = _canonical.get(id(b)) or _remember(b)
    return one[1] is two[1]


def _remember(type_: Attribute) -> tuple[Attribute, Attribute]:
    # The type is kept alive so that its identity is not reused.
    found = _canonical[id(type_)] = (type_, _canonical_of.setdefault(type_, type_))
    return found


def forget_types() -> None:
    """Clears the caches of types."""
    _sized.clear()
    _canonical.clear()
    _canonical_of.clear()


def _is_vector(type_: Attribute) -> bool:
    return type(type_) is VectorType


def _is_integer(type_: Attribute) -> bool:
    return type(type_) is IntegerType


def _is_int(type_: Attribute) -> bool:
    return type(type_) is IntegerType or type(scalar_type(type_)) is IntegerType


def _is_float(type_: Attribute) -> bool:
    return type(type_) in _FLOAT_CLASSES or type(scalar_type(type_)) in _FLOAT_CLASSES


def _is_pointer(type_: Attribute) -> bool:
    return type(type_) is LLVMPointerType


def _shape(type_: Attribute) -> tuple[int, ...] | None:
    if type(type_) is VectorType:
        return tuple(type_.get_shape())
    return None


def _width(type_: Attribute) -> int:
    element = scalar_type(type_)
    return integer_width(element) or _FLOAT_BITS.get(type(element), 0)


def _counts(inputs: int, outputs: int) -> Callable[[Rule], Rule]:
    """A decorator that adds a check of the numbers of operands and results to a rule."""

    def decorator(rule: Rule) -> Rule:
        def counted(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
            if len(operands) != inputs:
                return f"expects {inputs} operands, has {len(operands)}"
            if len(results) != outputs:
                return f"expects {outputs} results, has {len(results)}"
            return rule(op, operands, results, scope)

        return counted

    return decorator


def _binary(check: Callable[[Attribute], bool], kind: str) -> Rule:
    """Two operands and the result have one type, which satisfies `check`."""

    @_counts(2, 1)
    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        a, b = operands
        type_ = a._type
        if not check(type_):
            return f"operand #0 must be {kind}, is {type_}"
        if not same_type(type_, b._type):
            return f"operands must have the same type, have {type_} and {b._type}"
        if not same_type(type_, results[0]._type):
            return f"the result must have the operands' type {type_}, has {results[0]._type}"
        return None

    return rule


def _uniform(count: int, check: Callable[[Attribute], bool] | None, kind: str) -> Rule:
    """All of `count` operands and the result have one type, which satisfies `check`."""

    @_counts(count, 1)
    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        type_ = results[0]._type
        if check is not None and not check(type_):
            return f"the result must be {kind}, is {type_}"
        for number, value in enumerate(operands):
            if not same_type(value._type, type_):
                return f"operand #{number} must have the result's type {type_}, has {value._type}"
        return None

    return rule


def _comparison_result(operand: Attribute, result: Attribute) -> str | None:
    shape = _shape(operand)
    element = scalar_type(result)
    if _shape(result) != shape or integer_width(element) != 1:
        wanted = "i1" if shape is None else f"a vector of {shape[0]} i1"
        return f"the result must be {wanted}, is {result}"
    return None


def _comparison(predicates: int, check: Callable[[Attribute], bool], kind: str) -> Rule:
    @_counts(2, 1)
    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        a, b = operands
        if not check(a._type):
            return f"operands must be {kind}, are {a._type}"
        if not same_type(a._type, b._type):
            return f"operands must have the same type, have {a._type} and {b._type}"
        predicate = integer_of(op.properties.get("predicate"))
        if predicate is None or not 0 <= predicate < predicates:
            return f"{predicate} is not a predicate"
        (result,) = results
        return _comparison_result(a._type, result._type)

    return rule


@_counts(3, 1)
def _select(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    condition, a, b = operands
    if not same_type(a._type, b._type):
        return f"the values to choose from must have the same type, have {a._type} and {b._type}"
    if not same_type(a._type, results[0]._type):
        return f"the result must have the values' type {a._type}, has {results[0]._type}"
    element = scalar_type(condition._type)
    if integer_width(element) != 1:
        return f"the condition must be i1 or a vector of i1, is {condition._type}"
    shape = _shape(condition._type)
    if shape is not None and shape != _shape(a._type):
        return f"the condition {condition._type} does not fit values of type {a._type}"
    return None


def _cast(
    source: Callable[[Attribute], bool],
    source_kind: str,
    target: Callable[[Attribute], bool],
    target_kind: str,
    width: int = 0,
) -> Rule:
    """A cast of each element. `width` is -1 if the result must be narrower, 1 if it must be
    wider."""

    @_counts(1, 1)
    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        from_, to = operands[0]._type, results[0]._type
        if not source(from_):
            return f"the operand must be {source_kind}, is {from_}"
        if not target(to):
            return f"the result must be {target_kind}, is {to}"
        if _shape(from_) != _shape(to):
            return f"cannot cast {from_} to {to}: the numbers of elements differ"
        if width < 0 and _width(from_) <= _width(to):
            return f"the result must be narrower than the operand: {from_} to {to}"
        if width > 0 and _width(from_) >= _width(to):
            return f"the result must be wider than the operand: {from_} to {to}"
        return None

    return rule


def _is_pointer_like(type_: Attribute) -> bool:
    return type(scalar_type(type_)) is LLVMPointerType


def _address_space_cast(
    op: Operation, operands: Values, results: Values, scope: Scope
) -> str | None:
    wrong = _cast(
        _is_pointer_like, "a pointer or a vector of pointers",
        _is_pointer_like, "a pointer or a vector of pointers",
    )(op, operands, results, scope)  # fmt: skip
    if wrong is not None:
        return wrong
    from_, to = scalar_type(operands[0]._type), scalar_type(results[0]._type)
    if pointer_space(from_) == pointer_space(to):
        return "must cast between different address spaces"
    return None


def _bit_count(type_: Attribute) -> int | None:
    shape = _shape(type_)
    count = 1
    for extent in shape or ():
        count *= extent
    width = _width(type_)
    return count * width if width else None


@_counts(1, 1)
def _bitcast(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    from_, to = operands[0]._type, results[0]._type
    if isinstance(from_, (LLVMStructType, LLVMArrayType)) or isinstance(
        to, (LLVMStructType, LLVMArrayType)
    ):
        return f"cannot cast between aggregates: {from_} to {to}"
    if _is_pointer_like(from_) != _is_pointer_like(to):
        return f"can only cast pointers from and to pointers: {from_} to {to}"
    if _is_pointer_like(from_):
        a, b = cast(LLVMPointerType, scalar_type(from_)), cast(LLVMPointerType, scalar_type(to))
        if address_space_of(a) != address_space_of(b):
            return f"cannot change the address space: {from_} to {to}"
        return None
    if _bit_count(from_) != _bit_count(to):
        return f"the sizes differ: {from_} to {to}"
    return None


def _ordering(op: Operation, name: str = "ordering") -> str:
    return ORDERING_NAMES.get(integer_of(op.properties.get(name)) or 0, "")


def _alignment(op: Operation) -> str | None:
    alignment = integer_of(op.properties.get("alignment"))
    if alignment is not None and (alignment <= 0 or alignment & (alignment - 1)):
        return f"the alignment must be a power of two, is {alignment}"
    return None


_SIZED = frozenset({IntegerType, LLVMPointerType, VectorType}) | _FLOAT_CLASSES

_sized: dict[int, tuple[Attribute, bool]] = {}
"""By identity, with the type, which is thereby kept alive."""


def is_sized(type_: Attribute) -> bool:
    """Returns True if values of the type have a known size in memory."""
    if type(type_) in _SIZED:
        return True
    known = _sized.get(id(type_))
    if known is not None and known[0] is type_:
        return known[1]
    if isinstance(type_, LLVMStructType):
        sized = all(map(is_sized, type_.types.data))
    else:
        sized = isinstance(type_, LLVMArrayType) and type_.size.data >= 0 and is_sized(type_.type)
    _sized[id(type_)] = type_, sized
    return sized


@_counts(1, 1)
def _load(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    (address,) = operands
    (result,) = results
    return _access(op, address, result._type, "load", "release")


@_counts(2, 0)
def _store(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    value, address = operands
    return _access(op, address, value._type, "store", "acquire")


def _access(
    op: Operation, address: SSAValue, type_: Attribute, action: str, forbidden: str
) -> str | None:
    """Checks a load or store.

    Arguments:
        op: the load or store.
        address: its address.
        type_: the type of the accessed value.
        action: `load` or `store`.
        forbidden: the ordering that, besides `acq_rel`, the op cannot have.
    """
    if type(address._type) is not LLVMPointerType:
        return f"the address must be a pointer, is {address._type}"
    if not is_sized(type_):
        return f"cannot {action} a value of type {type_}"
    properties = op.properties
    if "alignment" in properties:
        wrong = _alignment(op)
        if wrong is not None:
            return wrong
    if "ordering" in properties:
        ordering = _ordering(op)
        if ordering in (forbidden, "acq_rel"):
            return f"a {action} cannot have the ordering {ordering}"
        if ordering != "not_atomic":
            return _atomic_type(type_)
    return None


def _atomic_type(type_: Attribute) -> str | None:
    width = _width(type_)
    if _is_integer(type_) and (width < 8 or width & (width - 1)):
        return f"an atomic access needs a width of 8, 16, 32 ... bits, not {type_}"
    if isinstance(type_, (LLVMStructType, LLVMArrayType)):
        return f"cannot access a value of type {type_} atomically"
    return None


@_counts(1, 1)
def _alloca(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wrong = _alignment(op)
    if wrong is not None:
        return wrong
    if not _is_integer(operands[0]._type):
        return f"the number of elements must be an integer, is {operands[0]._type}"
    if not _is_pointer(results[0]._type):
        return f"the result must be a pointer, is {results[0]._type}"
    element = op.properties.get("elem_type")
    if element is None or not is_sized(element):
        return f"cannot allocate a value of type {element}"
    return None


def _get_element_pointer(
    op: Operation, operands: Values, results: Values, scope: Scope
) -> str | None:
    if not operands or len(results) != 1:
        return "expects a base address and one result"
    start, *indexes = operands
    (end,) = results
    base = scalar_type(start._type)
    if type(base) is not LLVMPointerType:
        return f"the base must be a pointer, is {start._type}"
    result = scalar_type(end._type)
    if type(result) is not LLVMPointerType:
        return f"the result must be a pointer, is {end._type}"
    if not same_type(base, result) and pointer_space(base) != pointer_space(result):
        return f"the address space must stay the same: {base} to {result}"
    indices = raw_indices(op)
    dynamic = indices.count(DYNAMIC_INDEX)
    if dynamic != len(indexes):
        return f"expects {dynamic} dynamic indices, has {len(indexes)}"
    for value in indexes:
        if not _is_int(value._type):
            return f"an index must be an integer, is {value._type}"
    type_ = op.properties.get("elem_type")
    if type_ is None:
        return "needs an element type"
    if not is_sized(type_):
        return f"the element type {type_} has no size"
    if not indices:
        return "needs at least one index"
    for index in indices[1:]:
        inner = _inner_type(type_, None if index == DYNAMIC_INDEX else index)
        if inner is None:
            if isinstance(type_, LLVMStructType):
                if index == DYNAMIC_INDEX:
                    return f"an index into the struct {type_} must be a constant"
                return f"index {index} is out of bounds of {type_}"
            return f"cannot index into {type_}"
        type_ = inner
    return None


def _inner_type(type_: Attribute, index: int | None) -> Attribute | None:
    """The type of element `index`; None is an unknown index."""
    if isinstance(type_, LLVMStructType):
        fields = type_.types.data
        return fields[index] if index is not None and 0 <= index < len(fields) else None
    return element_of(type_)


def _path_type(type_: Attribute, path: Sequence[int]) -> Attribute | str:
    """The type at a path into an aggregate, or an error message."""
    if not path:
        return "needs at least one index"
    for index in path:
        if isinstance(type_, LLVMStructType):
            fields = type_.types.data
            if not 0 <= index < len(fields):
                return f"index {index} is out of bounds of {type_}"
            type_ = fields[index]
        elif isinstance(type_, LLVMArrayType):
            if not 0 <= index < type_.size.data:
                return f"index {index} is out of bounds of {type_}"
            type_ = type_.type
        else:
            return f"expects an aggregate, has {type_}"
    return type_


@_counts(1, 1)
def _extract_value(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    inner = _path_type(operands[0]._type, position_of(op))
    if isinstance(inner, str):
        return inner
    if not same_type(inner, results[0]._type):
        return f"the result must be {inner}, is {results[0]._type}"
    return None


@_counts(2, 1)
def _insert_value(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    container, value = operands
    inner = _path_type(container._type, position_of(op))
    if isinstance(inner, str):
        return inner
    if not same_type(inner, value._type):
        return f"the inserted value must be {inner}, is {value._type}"
    if not same_type(container._type, results[0]._type):
        return f"the result must be {container._type}, is {results[0]._type}"
    return None


@_counts(2, 1)
def _extract_element(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    vector, position = operands
    if not _is_vector(vector._type):
        return f"expects a vector, has {vector._type}"
    if not _is_integer(position._type):
        return f"the position must be an integer, is {position._type}"
    if not same_type(scalar_type(vector._type), results[0]._type):
        return f"the result must be {scalar_type(vector._type)}, is {results[0]._type}"
    return None


@_counts(3, 1)
def _insert_element(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    # The definition of the op determines whether the vector or the value comes first.
    vector, value = operands[0], operands[1]
    if not _is_vector(vector._type):
        vector, value = value, vector
    if not _is_vector(vector._type):
        return f"expects a vector, has {vector._type}"
    if not same_type(scalar_type(vector._type), value._type):
        return f"the inserted value must be {scalar_type(vector._type)}, is {value._type}"
    if not _is_integer(operands[2]._type):
        return f"the position must be an integer, is {operands[2]._type}"
    if not same_type(vector._type, results[0]._type):
        return f"the result must be {vector._type}, is {results[0]._type}"
    return None


@_counts(2, 1)
def _shuffle_vector(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    a, b = operands
    result = results[0]._type
    if not _is_vector(a._type) or not _is_vector(result):
        return f"expects vectors, has {a._type} and {result}"
    if not same_type(a._type, b._type):
        return f"operands must have the same type, have {a._type} and {b._type}"
    mask = shuffle_mask_of(op)
    if _shape(result) != (len(mask),):
        return f"the result must have {len(mask)} elements, as the mask, is {result}"
    if not same_type(scalar_type(a._type), scalar_type(result)):
        return f"the result's elements must be {scalar_type(a._type)}, are {scalar_type(result)}"
    bound = 2 * (_shape(a._type) or (0,))[0]
    for index in mask:
        if not -1 <= index < bound:
            return f"mask index {index} is out of bounds: there are {bound} elements"
    return None


_FLOAT_RMW = frozenset({11, 12, 13, 14, 19, 20})
_XCHG = 0
_RMW_COUNT = 21


@_counts(2, 1)
def _atomic_rmw(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wrong = _alignment(op)
    if wrong is not None:
        return wrong
    pointer, value = operands
    if not _is_pointer(pointer._type):
        return f"the address must be a pointer, is {pointer._type}"
    type_ = value._type
    if not same_type(type_, results[0]._type):
        return f"the result must have the value's type {type_}, has {results[0]._type}"
    operator = integer_of(op.properties.get("bin_op"))
    if operator is None or not 0 <= operator < _RMW_COUNT:
        return f"{operator} is not an operation"
    if operator in _FLOAT_RMW:
        if not _is_float(type_):
            return f"the operation needs a float, has {type_}"
    elif operator == _XCHG:
        if not (_is_float(type_) or _is_pointer(type_) or _is_integer(type_)):
            return f"cannot exchange a value of type {type_}"
    elif not _is_integer(type_):
        return f"the operation needs an integer, has {type_}"
    if _ordering(op) in ("not_atomic", "unordered"):
        return "expects at least monotonic ordering"
    return _atomic_type(type_)


@_counts(3, 1)
def _compare_exchange(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wrong = _alignment(op)
    if wrong is not None:
        return wrong
    pointer, expected, value = operands
    if not _is_pointer(pointer._type):
        return f"the address must be a pointer, is {pointer._type}"
    type_ = expected._type
    if not same_type(type_, value._type):
        return f"both values must have the same type, have {type_} and {value._type}"
    if not (_is_integer(type_) or _is_pointer(type_)):
        return f"needs an integer or a pointer, has {type_}"
    result = results[0]._type
    fields = result.types.data if isinstance(result, LLVMStructType) else ()
    if len(fields) != 2 or not same_type(fields[0], type_) or fields[1] != IntegerType(1):
        return f"the result must be a struct of {type_} and i1, is {result}"
    for name in ("success_ordering", "failure_ordering"):
        if _ordering(op, name) in ("not_atomic", "unordered"):
            return "expects at least monotonic ordering"
    failure = _ordering(op, "failure_ordering")
    if failure in ("release", "acq_rel"):
        return f"the failure ordering cannot be {failure}"
    return _atomic_type(type_)


def _fence(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    if _ordering(op) not in ("acquire", "release", "acq_rel", "seq_cst"):
        return "can be given only acquire, release, acq_rel, and seq_cst orderings"
    return None


def _call(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    name = callee_of(op)
    sizes = segment_sizes(op)
    arguments = operands[: sizes[0]] if len(sizes) == 2 else operands
    declared = op.properties.get("var_callee_type")
    if name is None:
        if not arguments or not _is_pointer(arguments[0]._type):
            return "an indirect call needs a pointer to call"
        if isinstance(declared, LLVMFunctionType):
            return _call_types(declared, arguments[1:], results)
        return None
    callee = scope.symbols.get(name)
    if callee is None:
        return f"calls @{name}, which does not exist"
    type_ = stated_function_type(callee)
    if type_ is not None:
        return _call_types(type_, arguments, results)
    if callee.name not in ("llvm.mlir.alias", "llvm.mlir.ifunc"):
        return f"calls @{name}, which is not a function"
    return None


def _call_types(type_: LLVMFunctionType, arguments: Values, results: Values) -> str | None:
    inputs = type_.inputs.data
    if len(arguments) < len(inputs) or (len(arguments) > len(inputs) and not type_.is_variadic):
        return f"passes {len(arguments)} arguments to a function of {len(inputs)}"
    for number, (value, wanted) in enumerate(zip(arguments, inputs)):
        if not same_type(value._type, wanted):
            return f"argument #{number} must be {wanted}, is {value._type}"
    if isinstance(type_.output, LLVMVoidType):
        if results and not isinstance(results[0]._type, LLVMVoidType):
            return "takes a result from a function that returns none"
    elif not results:
        # MLIR requires the result even if it has no uses.
        return f"must have a result of type {type_.output}"
    elif not same_type(results[0]._type, type_.output):
        return f"the result must be {type_.output}, is {results[0]._type}"
    return None


def _call_intrinsic(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    name = intrinsic_name(op)
    if not name.startswith("llvm."):
        return "an intrinsic's name must start with 'llvm.'"
    if name.startswith("llvm.nvvm.barrier.cta."):
        counted = name.endswith(".count")
        return _barrier_constants(
            operands[0] if operands else None,
            operands[1] if counted and len(operands) > 1 else None,
        ) or signature_error(op)
    return signature_error(op)


def _barrier_constants(number: SSAValue | None, threads: SSAValue | None) -> str | None:
    if number is not None:
        value = constant_integer(number)
        if value is not None and not 0 <= value <= MAX_BARRIER_ID:
            return f"a barrier's number must be between 0 and {MAX_BARRIER_ID}, is {value}"
    if threads is not None:
        value = constant_integer(threads)
        if value is not None and (value <= 0 or value % WARP_SIZE):
            return f"a barrier's thread count must be a multiple of {WARP_SIZE}, is {value}"
    return None


def _barrier(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    sizes = segment_sizes(op)
    if not sizes:
        return None
    has_number = sizes[0]
    has_threads = sizes[1] if len(sizes) > 1 else 0
    if has_threads and not has_number:
        return "a thread count needs a barrier number"
    return _barrier_constants(
        operands[0] if has_number else None, operands[has_number] if has_threads else None
    )


def _address_of(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    name = symbol_of(op.properties.get("global_name"))
    target = scope.symbols.get(name or "")
    if target is None:
        return f"refers to @{name}, which does not exist"
    type_ = results[0]._type
    if not isinstance(type_, LLVMPointerType):
        return f"the result must be a pointer, is {type_}"
    if "addr_space" in target.properties:
        space = global_space(target)
        if address_space_of(type_) != space:
            return (
                f"the result must be a pointer into address space {space}, where @{name} is, "
                f"is {type_}"
            )
    return None


@_counts(0, 1)
def _constant(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    value = initial_value_of(op)
    (result,) = results
    type_ = result._type
    if type(value) is IntegerAttr:
        own = value.type
        if _is_integer(type_) and not same_type(own, type_):
            return f"the value is {own}, the result {type_}"
        if not _is_int(type_) and not _is_float(type_):
            return f"an integer cannot be a constant of type {type_}"
    elif type(value) is FloatAttr:
        own = value.type
        if _is_float(type_) and not same_type(own, type_):
            return f"the value is {own}, the result {type_}"
        if not _is_float(type_):
            return f"a float cannot be a constant of type {type_}"
    elif type(value) is DenseIntOrFPElementsAttr:
        own = value.type
        if _is_vector(type_) and not same_type(own, type_):
            return f"the value is {own}, the result {type_}"
    elif value is None:
        return "needs a value"
    return None


def _return(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wanted = scope.returns
    if wanted is None:
        # The function belongs to another dialect.
        return None
    if isinstance(wanted, LLVMVoidType):
        return "expects no operand, since the function returns nothing" if operands else None
    if len(operands) != 1:
        return f"must return a value of type {wanted}"
    if not same_type(operands[0]._type, wanted):
        return f"must return {wanted}, returns {operands[0]._type}"
    return None


def _edge_types(number: int, values: Values, target: Values) -> str | None:
    if len(values) != len(target):
        return f"successor #{number} takes {len(target)} values, is given {len(values)}"
    for place, (value, argument) in enumerate(zip(values, target)):
        if not same_type(value._type, argument._type):
            return (
                f"value #{place} for successor #{number} must be {argument._type}, is {value._type}"
            )
    return None


def _branch(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    successors = op._successors
    if len(successors) != 1:
        return f"expects 1 successor, has {len(successors)}"
    return _edge_types(0, operands, successors[0]._args)


def _conditional_branch(
    op: Operation, operands: Values, results: Values, scope: Scope
) -> str | None:
    successors = op._successors
    if len(successors) != 2:
        return f"expects 2 successors, has {len(successors)}"
    sizes = segment_sizes(op)
    if len(sizes) != 3 or sizes[0] != 1 or sum(sizes) != len(operands):
        return f"segment sizes {list(sizes)} do not fit {len(operands)} operands"
    condition, *values = operands
    if integer_width(condition._type) != 1:
        return f"the condition must be i1, is {condition._type}"
    first, second = successors
    middle = sizes[1]
    return _edge_types(0, values[:middle], first._args) or _edge_types(
        1, values[middle:], second._args
    )


def _switch(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    sizes = segment_sizes(op)
    if len(sizes) != 3 or sizes[0] != 1 or sum(sizes) != len(operands):
        return f"segment sizes {list(sizes)} do not fit {len(operands)} operands"
    value = operands[0]._type
    if not _is_integer(value):
        return f"the value must be an integer, is {value}"
    successors = op._successors
    if not successors:
        return "needs a default successor"
    attribute = op.properties.get("case_values")
    cases = case_values(op, signed=True)
    if len(cases) != len(successors) - 1:
        return f"has {len(cases)} case values for {len(successors) - 1} cases"
    if type(attribute) is DenseIntOrFPElementsAttr:
        type_ = attribute.get_element_type()
        if not same_type(type_, value):
            return f"case values of type {type_} do not fit a value of type {value}"
    if len(set(cases)) != len(cases):
        twice = next(c for c in cases if cases.count(c) > 1)
        return f"has two cases for {twice}"
    segments = case_segments(op)
    if len(segments) != len(cases) or sum(segments) != sizes[2]:
        return f"case segment sizes {list(segments)} do not fit {sizes[2]} operands"
    start = 1 + sizes[1]
    wrong = _edge_types(0, operands[1:start], successors[0]._args)
    for number, (block, count) in enumerate(zip(successors[1:], segments), 1):
        wrong = wrong or _edge_types(number, operands[start : start + count], block._args)
        start += count
    return wrong


@_counts(3, 0)
def _memory_transfer(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    target, source, length = operands
    for value in (target, source):
        if not _is_pointer(value._type):
            return f"expects pointers, has {value._type}"
    if not _is_integer(length._type):
        return f"the length must be an integer, is {length._type}"
    return None


@_counts(3, 0)
def _memory_set(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    target, value, length = operands
    if not _is_pointer(target._type):
        return f"expects a pointer, has {target._type}"
    if value._type != IntegerType(8):
        return f"the value must be i8, is {value._type}"
    if not _is_integer(length._type):
        return f"the length must be an integer, is {length._type}"
    return None


def _masked(result: int | None, value: int | None, mask: int, pointers: int | None = None) -> Rule:
    """A masked access: operands and results have equally many elements.

    Arguments:
        result: the number of the operand for elements that are not loaded; None for stores.
        value: the number of the stored operand; None for loads.
        mask: the number of the mask operand.
        pointers: the number of the operand that holds one pointer for each element.
    """

    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        if value is not None:
            type_ = operands[value]._type
        else:
            type_ = results[0]._type
            if result is not None and len(operands) > result:
                other = operands[result]._type
                if not same_type(other, type_):
                    return f"operand #{result} must have the result's type {type_}, has {other}"
        shape = _shape(type_)
        for number in (mask, pointers):
            if number is not None and _shape(operands[number]._type) != shape:
                return f"operand #{number} of type {operands[number]._type} does not fit {type_}"
        return None

    return rule


def _float_class(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    return _comparison_result(operands[0]._type, results[0]._type)


def _three_way(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    a, b = operands
    result = results[0]._type
    if not same_type(a._type, b._type):
        return f"operands must have the same type, have {a._type} and {b._type}"
    if _shape(result) != _shape(a._type) or _width(result) < 2:
        return f"a result of type {result} does not fit operands of type {a._type}"
    return None


def _scaled(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    """`ldexp` and `powi`: a float, and an integer per element or for all elements."""
    value, power = operands
    type_ = results[0]._type
    if not same_type(value._type, type_):
        return f"operand #0 must have the result's type {type_}, has {value._type}"
    if not _is_int(power._type) or _shape(power._type) not in (None, _shape(type_)):
        return f"operand #1 of type {power._type} does not fit {type_}"
    return None


def _with_overflow(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    a, b = operands
    if not same_type(a._type, b._type):
        return f"operands must have the same type, have {a._type} and {b._type}"
    result = results[0]._type
    fields = result.types.data if isinstance(result, LLVMStructType) else ()
    if (
        len(fields) != 2
        or not same_type(fields[0], a._type)
        or _comparison_result(a._type, fields[1]) is not None
    ):
        return f"the result must be a struct of {a._type} and i1, is {result}"
    return None


def _reduction(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    """All operands but the last are scalars of the result's type; the last is a vector of it."""
    *start, vector = operands
    element = scalar_type(vector._type)
    for what, value in (*(("operand #0", value) for value in start), ("the result", results[0])):
        if not same_type(value._type, element):
            return f"{what} must have the type of the elements, {element}, has {value._type}"
    return None


def _vector_extract(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    return _subvector(operands[0]._type, results[0]._type, integer_of(op.properties.get("pos")))


def _vector_insert(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    outer, inner = operands
    return _subvector(outer._type, inner._type, integer_of(op.properties.get("pos")))


def _subvector(outer: Attribute, inner: Attribute, position: int | None) -> str | None:
    if not same_type(scalar_type(outer), scalar_type(inner)):
        return f"the elements must have one type: {outer} and {inner}"
    (whole,), (part,) = _shape(outer) or (0,), _shape(inner) or (0,)
    if position is None or position < 0 or position % part or position + part > whole:
        return f"{inner} is not at position {position} of {outer}"
    return None


def _interleave(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    type_ = operands[0]._type
    (count,) = _shape(type_) or (0,)
    result = results[0]._type
    if _shape(result) != (2 * count,) or not same_type(scalar_type(result), scalar_type(type_)):
        return f"the result must be a vector of {2 * count} {scalar_type(type_)}, is {result}"
    return None


def _deinterleave(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    type_ = operands[0]._type
    (count,) = _shape(type_) or (0,)
    result = results[0]._type
    fields = result.types.data if isinstance(result, LLVMStructType) else ()
    if len(fields) != 2 or not all(
        2 * (_shape(field) or (0,))[0] == count
        and same_type(scalar_type(field), scalar_type(type_))
        for field in fields
    ):
        return f"the result must be a struct of two halves of {type_}, is {result}"
    return None


def _fields(check: Sequence[Callable[[Attribute], bool]]) -> Rule:
    """One float operand; a struct result whose fields have its shape and satisfy `check`."""

    def rule(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
        type_ = operands[0]._type
        result = results[0]._type
        fields = list(result.types.data) if isinstance(result, LLVMStructType) else []
        if (
            len(fields) != len(check)
            or not same_type(fields[0], type_)
            or any(_shape(f) != _shape(type_) or not holds(f) for f, holds in zip(fields, check))
        ):
            return f"a result of type {result} does not fit an operand of type {type_}"
        return None

    return rule


def _byte_swap(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wrong = _uniform(1, _is_int, _INTEGERS)(op, operands, results, scope)
    if wrong is None and _width(results[0]._type) % 16:
        return f"the width must be a multiple of 16 bits: {results[0]._type}"
    return wrong


def _probability(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    wrong = _uniform(2, _is_int, _INTEGERS)(op, operands, results, scope)
    probability = op.properties["prob"]
    if wrong is None and isinstance(probability, FloatAttr):
        number = probability.value.data
        if not 0 <= number <= 1:
            return f"the probability must be from 0 to 1, is {number:g}"
    return wrong


def _assume(op: Operation, operands: Values, results: Values, scope: Scope) -> str | None:
    if not operands or operands[0]._type != IntegerType(1):
        return "the condition must be i1"
    return None


def _is_comparable(type_: Attribute) -> bool:
    return _is_int(type_) or _is_pointer_like(type_)


_INTEGERS = "an integer or a vector of integers"
_FLOATS = "a float or a vector of floats"
_POINTERS = "a pointer or a vector of pointers"

RULES: dict[str, Rule] = {
    **dict.fromkeys(
        (f"llvm.{n}" for n in "add sub mul udiv sdiv urem srem and or xor shl lshr ashr".split()),
        _binary(_is_int, _INTEGERS),
    ),
    **dict.fromkeys(
        (f"llvm.{n}" for n in "fadd fsub fmul fdiv frem".split()), _binary(_is_float, _FLOATS)
    ),
    "llvm.fneg": _uniform(1, _is_float, _FLOATS),
    "llvm.icmp": _comparison(10, _is_comparable, "integers or pointers"),
    "llvm.fcmp": _comparison(16, _is_float, "floats"),
    "llvm.select": _select,
    "llvm.freeze": _uniform(1, None, ""),
    "llvm.trunc": _cast(_is_int, _INTEGERS, _is_int, _INTEGERS, -1),
    "llvm.zext": _cast(_is_int, _INTEGERS, _is_int, _INTEGERS, 1),
    "llvm.sext": _cast(_is_int, _INTEGERS, _is_int, _INTEGERS, 1),
    "llvm.fptrunc": _cast(_is_float, _FLOATS, _is_float, _FLOATS, -1),
    "llvm.fpext": _cast(_is_float, _FLOATS, _is_float, _FLOATS, 1),
    "llvm.fptosi": _cast(_is_float, _FLOATS, _is_int, _INTEGERS),
    "llvm.fptoui": _cast(_is_float, _FLOATS, _is_int, _INTEGERS),
    "llvm.sitofp": _cast(_is_int, _INTEGERS, _is_float, _FLOATS),
    "llvm.uitofp": _cast(_is_int, _INTEGERS, _is_float, _FLOATS),
    "llvm.ptrtoint": _cast(_is_pointer_like, _POINTERS, _is_int, _INTEGERS),
    "llvm.inttoptr": _cast(_is_int, _INTEGERS, _is_pointer_like, _POINTERS),
    "llvm.bitcast": _bitcast,
    "llvm.addrspacecast": _address_space_cast,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _get_element_pointer,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle_vector,
    "llvm.atomicrmw": _atomic_rmw,
    "llvm.cmpxchg": _compare_exchange,
    "llvm.fence": _fence,
    "llvm.call": _call,
    "llvm.call_intrinsic": _call_intrinsic,
    "llvm.mlir.addressof": _address_of,
    "llvm.mlir.constant": _constant,
    "llvm.return": _return,
    "llvm.br": _branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.switch": _switch,
    "llvm.intr.memcpy": _memory_transfer,
    "llvm.intr.memmove": _memory_transfer,
    "llvm.intr.memset": _memory_set,
    "llvm.intr.masked.load": _masked(2, None, 1),
    "llvm.intr.masked.store": _masked(None, 0, 2),
    "llvm.intr.masked.gather": _masked(2, None, 1, 0),
    "llvm.intr.masked.scatter": _masked(None, 0, 2, 1),
    "llvm.intr.masked.expandload": _masked(2, None, 1),
    "llvm.intr.masked.compressstore": _masked(None, 0, 2),
    "llvm.intr.assume": _assume,
    "nvvm.barrier": _barrier,
    **dict.fromkeys(
        (
            f"llvm.intr.{n}"
            for n in "fabs sqrt ceil floor trunc rint nearbyint round roundeven sin cos tan asin "
            "acos atan sinh cosh tanh exp exp2 exp10 log log2 log10".split()
        ),
        _uniform(1, _is_float, _FLOATS),
    ),
    **dict.fromkeys(
        (
            f"llvm.intr.{n}"
            for n in "maxnum minnum maximum minimum maximumnum minimumnum copysign pow "
            "atan2".split()
        ),
        _uniform(2, _is_float, _FLOATS),
    ),
    **dict.fromkeys(("llvm.intr.fma", "llvm.intr.fmuladd"), _uniform(3, _is_float, _FLOATS)),
    **dict.fromkeys(
        (f"llvm.intr.{n}" for n in "abs bitreverse ctlz cttz ctpop".split()),
        _uniform(1, _is_int, _INTEGERS),
    ),
    **dict.fromkeys(
        (
            f"llvm.intr.{n}"
            for n in "smax smin umax umin sadd.sat uadd.sat ssub.sat usub.sat sshl.sat "
            "ushl.sat".split()
        ),
        _uniform(2, _is_int, _INTEGERS),
    ),
    **dict.fromkeys(("llvm.intr.fshl", "llvm.intr.fshr"), _uniform(3, _is_int, _INTEGERS)),
    "llvm.intr.expect": _uniform(2, _is_int, _INTEGERS),
    "llvm.intr.expect.with.probability": _probability,
    **dict.fromkeys(
        (f"llvm.intr.{n}" for n in "lrint llrint lround llround".split()),
        _cast(_is_float, _FLOATS, _is_int, _INTEGERS),
    ),
    "llvm.intr.bswap": _byte_swap,
    "llvm.intr.is.fpclass": _float_class,
    **dict.fromkeys(("llvm.intr.ldexp", "llvm.intr.powi"), _scaled),
    "llvm.intr.frexp": _fields((_is_float, _is_int)),
    "llvm.intr.sincos": _fields((_is_float, _is_float)),
    **dict.fromkeys(("llvm.intr.scmp", "llvm.intr.ucmp"), _three_way),
    **dict.fromkeys(
        (f"llvm.intr.{n}.with.overflow" for n in "sadd uadd ssub usub smul umul".split()),
        _with_overflow,
    ),
    **dict.fromkeys(
        (
            f"llvm.intr.vector.reduce.{n}"
            for n in "add mul and or xor smax smin umax umin fadd fmul fmax fmin fmaximum "
            "fminimum".split()
        ),
        _reduction,
    ),
    "llvm.intr.vector.extract": _vector_extract,
    "llvm.intr.vector.insert": _vector_insert,
    "llvm.intr.vector.interleave2": _interleave,
    "llvm.intr.vector.deinterleave2": _deinterleave,
}
"""The rule of each op, by name."""
