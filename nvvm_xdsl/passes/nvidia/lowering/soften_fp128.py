"""`soften-fp128`: replaces 128-bit floats by integers, and their arithmetic by calls.

    %s = llvm.fadd %a, %b : f128
    llvm.store %s, %p : f128, !llvm.ptr

becomes

    %s = llvm.call @__nvvm_xdsl_f128_add(%a, %b) : (i128, i128) -> i128
    llvm.store %s, %p : i128, !llvm.ptr

because the device has neither registers nor instructions for 128-bit floats, and LLVM has no
library for them on GPUs. The pass runs before all others, at every level, so that no other pass has
to support the type: i128 has the size, the alignment and the calling convention of fp128. Sign
operations become bit operations. Sums, products, quotients, remainders, square roots, comparisons
and conversions become calls of support routines (`support_routines/fp128.c`), which round to
nearest even; vectors are processed by element. `fmuladd` becomes a product and a sum. Other
operations (`fma`, `floor`, atomic sums ...) are errors.

LLVM's type legalization does the same: "SoftenFloat" in LegalizeFloatTypes.

Benefit: required: PTX has no 128-bit floats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FloatAttr, ModuleOp, VectorType
from xdsl.dialects.llvm import (
    AndOp,
    BitcastOp,
    FAbsOp,
    FAddOp,
    FCmpOp,
    FCopySignOp,
    FDivOp,
    FMulOp,
    FNegOp,
    FPExtOp,
    FPTruncOp,
    FRemOp,
    FSqrtOp,
    FSubOp,
    FuncOp,
    GlobalOp,
    ICmpOp,
    InsertElementOp,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMStructType,
    OrOp,
    SExtOp,
    SIToFPOp,
    TruncOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue, TypeAttribute

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of, scalar_type
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.constants import float_bits
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp, FMulAddOp, FPToSIOp, FPToUIOp, UIToFPOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import (
    F64,
    F128,
    I1,
    I32,
    I64,
    I128,
    array,
    function,
    int_attr,
    is_packed,
    struct,
    vector,
)
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.lowering.support_routines.linking import SIGNATURES, link_routine
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.runtime_calls import call_function
from nvvm_xdsl.verify.verifier import VerifyError

PREFIX: Final = "__nvvm_xdsl_"
"""The prefix of the routines' names in modules."""

SIGN: Final = 1 << 127
BYTES: Final = 16

SOFTENED = remarks.Statistic("soften-fp128", "softened", "Number of fp128 operations lowered")

RETYPED: Final = frozenset(
    f"llvm.{name}"
    for name in "addressof alloca bitcast br call cond_br extractelement extractvalue freeze func "
    "getelementptr insertelement insertvalue load mlir.addressof mlir.constant mlir.global "
    "mlir.poison mlir.undef mlir.zero return select shufflevector store switch va_arg "
    "intr.lifetime.start intr.lifetime.end unreachable".split()
)
"""Ops that are also valid on integers."""

_NAMES: Final = {
    FAddOp: "f128_add",
    FMulOp: "f128_mul",
    FDivOp: "f128_div",
    FRemOp: "f128_rem",
    FSqrtOp: "f128_sqrt",
}

EQ, NE, SGT, SGE, SLT, SLE, UGE = 0, 1, 4, 5, 2, 3, 9
"""MLIR's enumeration values of the predicates of `llvm.icmp`."""

_COMPARED: Final = {
    1: (EQ, 0),
    2: (EQ, 1),
    4: (EQ, -1),
    5: (SLE, 0),
    7: (NE, 2),
    9: (SGT, 0),
    10: (SGE, 0),
    11: (UGE, 2),
    12: (NE, 1),
    13: (NE, 0),
    14: (EQ, 2),
}
"""By `llvm.fcmp` predicate: the `icmp` predicate and the constant with which the result of
`f128_cmp` is compared, which is -1, 0, 1, or 2 for unordered. "Greater or equal" and "ordered and
not equal" test bits of the result.
"""

Soften: TypeAlias = Callable[["_Module", Builder, Operation, list[SSAValue]], SSAValue]


@dataclass(frozen=True)
class SoftenFP128(NvvmPass):
    """Replaces 128-bit floats with integers and their arithmetic with calls."""

    name = "soften-fp128"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = _Module(module).run()
        if changed:
            am.invalidate(module, self.preserved())
        return changed


class _Module:
    """Softens the types and operations of one module."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self._types: dict[Attribute, Attribute] = {}
        # Identities of interned types and attributes without 128-bit floats; most ops have only a
        # few such.
        self._same: set[int] = set()
        self._kept: list[Attribute] = []
        self._layout = DataLayout.of(module)

    def run(self) -> bool:
        """Lowers the module; returns whether it contained 128-bit floats."""
        if not any(map(self._mentions, self._ops())):
            return False
        concerned = [op for op in self._ops() if self._concerns(op)]
        # Arithmetic is replaced first, while the types are still float types.
        how = [(op, self._how(op)) for op in concerned]
        for op in concerned:
            self._retype(op)
        constants: dict[FuncOp, Constants] = {}
        for op, soften in how:
            if soften is None:
                self._settle(op)
                continue
            func = op.parent_op()
            while not isinstance(func, FuncOp):
                assert func is not None
                func = func.parent_op()
            if func not in constants:
                constants[func] = Constants(func)
            builder = Builder(op, constants[func])
            fast.replace_op(op, (self._lanes(builder, op, soften),))
            SOFTENED.add()
        return True

    def _ops(self) -> Iterator[Operation]:
        for op in list(self.module.ops):
            yield op
            if isinstance(op, FuncOp):
                yield from list(walk_function(op))
            elif isinstance(op, GlobalOp):
                yield from list(op.walk())[1:]

    # Types

    def type(self, type_: Attribute) -> Attribute:
        """A type with 128-bit floats replaced by integers; the type itself if there are none."""
        if id(type_) in self._same:
            return type_
        found = self._types.get(type_)
        if found is None:
            found = self._types[type_] = self._softened_type(type_)
        if found is not type_ and found != type_:
            return found
        # Only one of equal types is interned.
        self._keep(type_)
        return type_

    def _keep(self, attribute: Attribute) -> None:
        self._same.add(id(attribute))
        self._kept.append(attribute)

    def _softened_type(self, type_: Attribute) -> Attribute:
        if type_ == F128:
            return I128
        if type(type_) is VectorType:
            element = self.type(type_.element_type)
            return type_ if element is type_.element_type else vector(type_.get_shape()[0], element)
        if isinstance(type_, LLVMFunctionType):
            inputs = [self.type(t) for t in type_.inputs.data]
            output = self.type(type_.output)
            if output is type_.output and all(x is y for x, y in zip(inputs, type_.inputs.data)):
                return type_
            return function(inputs, output, variadic=type_.is_variadic)
        if isinstance(type_, LLVMArrayType):
            element = self.type(type_.type)
            return (
                type_ if element is type_.type else self._checked(array(type_.size.data, element))
            )
        if isinstance(type_, LLVMStructType):
            fields = [self.type(t) for t in type_.types.data]
            if all(x is y for x, y in zip(fields, type_.types.data)):
                return type_
            return self._checked(struct(fields, packed=is_packed(type_)))
        return type_

    def _checked(self, type_: Attribute) -> Attribute:
        if self._layout.alignment(I128) != BYTES:
            raise VerifyError(
                "fp128 in an array or a struct needs a data layout that aligns i128 to 16 bytes",
                self.module,
            )
        return type_

    def _attribute(self, attr: Attribute) -> Attribute:
        """An attribute with the types in it replaced; the attribute itself if there are none."""
        if id(attr) in self._same:
            return attr
        found = self._softened(attr)
        if found is attr:
            self._keep(attr)
        return found

    def _softened(self, attr: Attribute) -> Attribute:
        if type(attr) is FloatAttr:
            return int_attr(float_bits(attr), I128) if attr.type == F128 else attr
        if isinstance(attr, DictionaryAttr):
            items = {name: self._attribute(a) for name, a in attr.data.items()}
            return (
                DictionaryAttr(items)
                if any(items[n] is not a for n, a in attr.data.items())
                else attr
            )
        if type(attr) is ArrayAttr:
            items = items_of(attr)
            made = [self._attribute(a) for a in items]
            return ArrayAttr(made) if any(x is not y for x, y in zip(made, items)) else attr
        return self.type(attr) if isinstance(attr, TypeAttribute) else attr

    # Operations

    def _concerns(self, op: Operation) -> bool:
        return self._mentions(op) or any(
            self.type(operand.type) is not operand.type for operand in fast.operands_of(op)
        )

    def _mentions(self, op: Operation) -> bool:
        """Returns whether an op's results or attributes contain 128-bit floats; operands are
        results of other ops.
        """
        same = self._same
        for result in op.results:
            type_ = result.type
            if id(type_) not in same and self.type(type_) is not type_:
                return True
        for attribute in op.properties.values():
            if id(attribute) not in same and self._attribute(attribute) is not attribute:
                return True
        return bool(op.regions) and any(
            self.type(a.type) is not a.type for r in op.regions for b in r.blocks for a in b.args
        )

    def _how(self, op: Operation) -> Soften | None:
        """The integer implementation of an op; None if the op is valid on integers."""
        cls = type(op)
        if cls in _NAMES:
            return _called(_NAMES[cls])
        soften = _SOFTENED.get(cls)
        if soften is not None:
            return soften(
                scalar_type(fast.operands_of(op)[0].type), scalar_type(op.results[0].type)
            )
        if op.name not in RETYPED:
            raise VerifyError(f"{op.name} of fp128 is not supported", op)
        return None

    def _retype(self, op: Operation) -> None:
        for result in op.results:
            fast.set_type(result, self.type(result.type))
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    fast.set_type(argument, self.type(argument.type))
        for name, attr in list(op.properties.items()):
            op.properties[name] = self._attribute(attr)

    def _settle(self, op: Operation) -> None:
        """Removes a bitcast between equal types."""
        if type(op) is BitcastOp:
            (source,) = fast.operands_of(op)
            if source.type == op.results[0].type:
                fast.replace_op(op, (source,))

    def _lanes(self, b: Builder, op: Operation, soften: Soften) -> SSAValue:
        operands = list(fast.operands_of(op))
        type_ = op.results[0].type
        if type(type_) is not VectorType:
            return soften(self, b, op, operands)
        whole = b.constants.poison(type_)
        for lane in range(type_.get_shape()[0]):
            index = b.constants.integer(lane, I32)
            parts = [b.value(ExtractElementOp, (v, index), scalar_type(v.type)) for v in operands]
            whole = b.value(InsertElementOp, (whole, soften(self, b, op, parts), index), type_)
        return whole

    def call(self, b: Builder, routine: str, arguments: list[SSAValue]) -> SSAValue:
        """Calls a routine."""
        name = PREFIX + routine
        link_routine(self.module, routine, name)
        return call_function(name, arguments, SIGNATURES[routine][1], b.before).results[0]


def _called(routine: str) -> Soften:
    def soften(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
        return module.call(b, routine, operands)

    return soften


def _bits(b: Builder, cls: type[Operation], value: SSAValue, mask: int) -> SSAValue:
    return b.value(cls, (value, b.constants.integer(mask, I128)), I128)


def _negated(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
    return _bits(b, XOrOp, operands[0], SIGN)


def _magnitude(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
    return _bits(b, AndOp, operands[0], SIGN - 1)


def _with_sign(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
    low, high = _bits(b, AndOp, operands[0], SIGN - 1), _bits(b, AndOp, operands[1], SIGN)
    return b.value(OrOp, (low, high), I128)


def _difference(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
    x, y = operands
    return module.call(b, "f128_add", [x, _bits(b, XOrOp, y, SIGN)])


def _multiplied_and_added(
    module: _Module, b: Builder, op: Operation, operands: list[SSAValue]
) -> SSAValue:
    x, y, z = operands
    return module.call(b, "f128_add", [module.call(b, "f128_mul", [x, y]), z])


def _compared(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
    predicate = predicate_of(op)
    if predicate in (0, 15):
        return b.constants.integer(predicate // 15, I1)
    order = module.call(b, "f128_cmp", operands)
    if predicate in (6, 8):
        # Only "less" and "greater" are odd.
        order = b.value(AndOp, (order, b.constants.integer(1, I32)), I32)
        return _icmp(b, NE if predicate == 6 else EQ, order, 0)
    if predicate == 3:
        # Bit 1 is set in -1 and 2, and clear in 0 and 1.
        order = b.value(AndOp, (order, b.constants.integer(2, I32)), I32)
        return _icmp(b, EQ, order, 0)
    return _icmp(b, _COMPARED[predicate][0], order, _COMPARED[predicate][1])


def _icmp(b: Builder, predicate: int, value: SSAValue, number: int) -> SSAValue:
    properties: dict[str, Attribute] = {"predicate": int_attr(predicate, I64)}
    return b.emit(ICmpOp, (value, b.constants.integer(number, I32)), (I1,), properties).results[0]


def _extension(source: Attribute, target: Attribute) -> Soften:
    def soften(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
        (value,) = operands
        if source != F64:
            value = b.value(FPExtOp, (value,), F64)
        return module.call(b, "f64_to_f128", [value])

    return soften


def _truncation(source: Attribute, target: Attribute) -> Soften:
    def soften(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
        if target == F64:
            return module.call(b, "f128_to_f64", operands)
        # Rounded to odd first, so that the second rounding to fewer digits is exact.
        return b.value(FPTruncOp, (module.call(b, "f128_to_f64_odd", operands),), target)

    return soften


def _from_integer(*, signed: bool) -> Callable[[Attribute, Attribute], Soften]:
    def of(source: Attribute, target: Attribute) -> Soften:
        def soften(
            module: _Module, b: Builder, op: Operation, operands: list[SSAValue]
        ) -> SSAValue:
            _limited(source, op)
            (value,) = operands
            if source != I128:
                value = b.value(SExtOp if signed else ZExtOp, (value,), I128)
            return module.call(b, "s128_to_f128" if signed else "u128_to_f128", [value])

        return soften

    return of


def _to_integer(source: Attribute, target: Attribute) -> Soften:
    def soften(module: _Module, b: Builder, op: Operation, operands: list[SSAValue]) -> SSAValue:
        _limited(target, op)
        # A value that does not fit in the result is poison, so the signed routine also serves for
        # unsigned.
        made = module.call(b, "f128_to_s128", operands)
        return made if target == I128 else b.value(TruncOp, (made,), target)

    return soften


def _limited(type_: Attribute, op: Operation) -> None:
    if integer_width(type_) > 8 * BYTES:
        raise VerifyError(f"conversions between fp128 and {type_} are not supported", op)


def _any(soften: Soften) -> Callable[[Attribute, Attribute], Soften]:
    return lambda source, target: soften


_SOFTENED: Final[dict[type[Operation], Callable[[Attribute, Attribute], Soften]]] = {
    FSubOp: _any(_difference),
    FNegOp: _any(_negated),
    FCmpOp: _any(_compared),
    FPExtOp: _extension,
    FPTruncOp: _truncation,
    SIToFPOp: _from_integer(signed=True),
    UIToFPOp: _from_integer(signed=False),
    FPToSIOp: _to_integer,
    FPToUIOp: _to_integer,
    FAbsOp: _any(_magnitude),
    FCopySignOp: _any(_with_sign),
    FMulAddOp: _any(_multiplied_and_added),
}
