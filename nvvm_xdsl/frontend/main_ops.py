"""Ops of MLIR's main branch become the intrinsics that `mlir-translate` of main calls for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.llvm import (
    BitcastOp,
    CallIntrinsicOp,
    ICmpOp,
    LLVMPointerType,
    PtrToIntOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import AlreadyRegisteredConstructException

from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.llvm import main_ops as llvm_ops
from nvvm_xdsl.dialects.llvm import op_class, types
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, scalar_type
from nvvm_xdsl.dialects.llvm.types import I1, I16, I32, I64, address_space_of, dense_i32, int_attr
from nvvm_xdsl.dialects.nvvm import main_ops as ops
from nvvm_xdsl.dialects.nvvm import main_tensor_ops as tensor_ops
from nvvm_xdsl.dialects.nvvm.calls import intrinsic_call
from nvvm_xdsl.dialects.nvvm.extended_ops import (
    Extended,
    ExtendedArriveExpectTxOp,
    MulticastArrival,
)
from nvvm_xdsl.dialects.nvvm.main_signatures import ROUNDINGS
from nvvm_xdsl.frontend.builders import element_type, vector_length
from nvvm_xdsl.frontend.expanded_call import ExpansionError
from nvvm_xdsl.frontend.extended_ops import lower_extended_op
from nvvm_xdsl.frontend.intrinsics import base_name
from nvvm_xdsl.frontend.main_intrinsics import EXPANDED, REFUSED, expand
from nvvm_xdsl.frontend.main_tensor_ops import LOWERINGS as TENSOR_LOWERINGS
from nvvm_xdsl.frontend.replaced_op import SCALE_OF_ONE, ReplacedOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.op_verifier import verify_op
from nvvm_xdsl.verify.verifier import VerifyError


def register_main_ops(context: Context) -> None:
    """Lets a parser with this context read the ops of MLIR's main branch."""
    for cls in (*llvm_ops.OPS, *ops.OPS, *tensor_ops.OPS):
        with suppress(AlreadyRegisteredConstructException):
            context.load_op(cls)
    for attribute in tensor_ops.ATTRIBUTES:
        with suppress(AlreadyRegisteredConstructException):
            context.load_attr_or_type(attribute)


def lower_main_ops(module: ModuleOp) -> None:
    """Replaces each op of MLIR's main branch by a call, and intrinsics of LLVM's main branch by other ops.

    Raises VerifyError for an op that violates its definition, and for an intrinsic that is not supported.
    """
    for op in [op for op in module.walk() if type(op) is CallIntrinsicOp]:
        _lower_intrinsic(op, intrinsic_name(op))
    for op in [op for op in module.walk() if op.name in _EXPANDED_OPS]:
        _lower_intrinsic(op, op.name.replace("llvm.intr.", "llvm."))
    for op in [op for op in module.walk() if type(op) in llvm_ops.OPS]:
        _lower_llvm_op(op)
    replaced = _LOWERINGS.keys() | TENSOR_LOWERINGS.keys()
    for op in [op for op in module.walk() if type(op) in replaced or isinstance(op, Extended)]:
        if isinstance(op, (MulticastArrival, ExtendedArriveExpectTxOp)):
            _add_operand_segments(op)
        verify_op(op)
        if isinstance(op, Extended):
            lower_extended_op(op)
            continue
        several = TENSOR_LOWERINGS.get(type(op))
        if several is not None:
            fast.replace_op(op, several(ReplacedOp(op)))
            continue
        value = _LOWERINGS[type(op)](ReplacedOp(op))
        fast.replace_op(op, () if value is None else (value,))


def _add_operand_segments(op: Operation) -> None:
    """Adds the property that the generic form in MLIR 22, which has no `multicast`, lacks."""
    required = 1 if isinstance(op, MulticastArrival) else 2
    sizes = dense_i32((*(1,) * required, len(op.operands) - required, 0))
    op.properties.setdefault("operandSegmentSizes", sizes)


_EXPANDED_OPS: Final = frozenset(name.replace("llvm.", "llvm.intr.") for name in EXPANDED)
"""The ops of the expanded intrinsics; the dialect has those of `frexp` and `sincos`."""


def _lower_intrinsic(op: Operation, full_name: str) -> None:
    name = base_name(full_name)
    if name in REFUSED:
        raise VerifyError(f"{full_name} is not supported: {REFUSED[name]}", op)
    if name not in EXPANDED or len(op.results) != 1:
        return
    call = ReplacedOp(op)
    try:
        value = expand(name, call.operands, call.results[0], call.insert)
    except ExpansionError as error:
        raise VerifyError(str(error), op) from None
    fast.replace_op(op, (value,))


def _lower_llvm_op(op: Operation) -> None:
    """Replaces an op that MLIR's main branch added to the llvm dialect."""
    operands = fast.operands_of(op)
    if isinstance(op, llvm_ops.FakeUseOp):
        fast.replace_op(op, ())
        return
    type_ = op.results[0].type
    if isinstance(op, llvm_ops.PtrToAddrOp):
        made = fast.create(PtrToIntOp, operands, (type_,))
    else:
        name = f"{op.name.replace('llvm.intr.', 'llvm.')}.{_letters(type_)}"
        made = intrinsic_call(
            name, operands, (type_,), op.properties.get("fastmathFlags", NO_FASTMATH)
        )
    fast.insert_before(made, op)
    fast.replace_op(op, made.results)


def _letters(type_: Attribute) -> str:
    """The suffix of an overloaded intrinsic of LLVM: `v2f32`."""
    count = vector_length(type_)
    return str(type_) if count is None else f"v{count}{element_type(type_)}"


_Lowering = Callable[[ReplacedOp], "SSAValue | None"]

_LETTERS: Final[dict[Attribute, str]] = {
    types.F16: "f16",
    types.BF16: "bf16",
    types.F32: "f",
    types.F64: "d",
    types.vector(2, types.F16): "f16x2",
    types.vector(2, types.BF16): "bf16x2",
}
"""The types in the names of intrinsics."""


def _overload(type_: Attribute) -> str:
    """The suffix of an overloaded intrinsic."""
    element = scalar_type(type_)
    name = "f32" if element == types.F32 else "f64" if element == types.F64 else _LETTERS[element]
    return name if element is type_ else f"v2{name}"


def _unary(name: str) -> _Lowering:
    def lower(op: ReplacedOp) -> SSAValue | None:
        type_ = op.results[0]
        if type_ == types.vector(1, types.F32):
            return _by_element(op, f"{name}{op.suffix('ftz')}.f32", op.operands)
        end = _overload(type_) if name.startswith("ex2") else _LETTERS.get(type_, str(type_))
        return op.call(f"{name}{op.suffix('ftz')}.{end}", op.operands)

    return lower


def _square_root(op: ReplacedOp) -> SSAValue | None:
    type_ = op.results[0]
    name = f"sqrt.{op.word('rnd')}{op.suffix('ftz')}.{_LETTERS.get(type_, str(type_))}"
    return op.call(name, op.operands)


def _sum(op: ReplacedOp) -> SSAValue | None:
    left, right = op.operands
    subtracts = op.op.name == "nvvm.subf"
    rounding = op.word("rnd", "none").replace("none", "rn")
    saturates = ".sat" if op.word("sat", "none") != "none" else ""
    mode = op.constant(ROUNDINGS.index(rounding), I32)
    type_ = op.results[0]
    name = f"fadd{op.suffix('ftz')}{saturates}"
    # PTX adds pairs of f32 without saturation only, and no pairs of f64.
    element = scalar_type(type_)
    if type_ is not element and (element == types.F64 or (element == types.F32 and saturates)):
        name = f"{name}.{_overload(element)}"
        return _by_element(op, name, (left, right), mode, negates=subtracts)
    if subtracts:
        right = op.make(op_class("llvm.fneg"), right, type_)
    return op.call(f"{name}.{_overload(type_)}", (left, right, mode))


def _quotient(op: ReplacedOp) -> SSAValue | None:
    letter = _LETTERS.get(op.results[0], str(op.results[0]))
    if op.flag("full"):
        return op.call(f"div.full{op.suffix('ftz')}", op.operands)
    kind = "approx" if op.flag("approx") else op.word("rnd", "none").replace("none", "rn")
    return op.call(f"div.{kind}{op.suffix('ftz')}.{letter}", op.operands)


def _product_sum(op: ReplacedOp) -> SSAValue | None:
    type_ = op.results[0]
    if op.flag("oob"):
        return op.call(f"fma.rn.oob{op.suffix('relu')}.{_overload(type_)}", op.operands)
    saturates = ".sat" if op.word("sat", "none") != "none" else ""
    name = f"fma.{op.word('rnd')}{op.suffix('ftz')}{saturates}{op.suffix('relu')}"
    element = scalar_type(type_)
    if type_ is element or element not in (types.F32, types.F64):
        return op.call(f"{name}.{_LETTERS[type_]}", op.operands)
    return _by_element(op, f"{name}.{_LETTERS[element]}", op.operands)


def _by_element(
    op: ReplacedOp,
    name: str,
    vectors: Sequence[SSAValue],
    *others: SSAValue,
    negates: bool = False,
) -> SSAValue:
    """Calls an intrinsic for each element of vectors; `negates` negates those of the last."""
    type_ = cast("VectorType[Attribute]", op.results[0])
    whole = op.insert(fast.create(op_class("llvm.mlir.poison"), (), (type_,)))
    for number in range(type_.element_count()):
        index = op.constant(number, I32)
        parts = [
            op.make(op_class("llvm.extractelement"), vector, type_.element_type, index)
            for vector in vectors
        ]
        if negates:
            parts[-1] = op.make(op_class("llvm.fneg"), parts[-1], type_.element_type)
        value = op.call(name, (*parts, *others), type_.element_type)
        assert value is not None
        whole = op.make(op_class("llvm.insertelement"), whole, type_, value, index)
    return whole


def _as_bits(op: ReplacedOp, value: SSAValue | None, type_: Attribute) -> SSAValue:
    """An integer of 16 bits as a pair of narrow floats, and back."""
    assert value is not None
    if value.type == type_:
        return value
    if scalar_type(type_) is not type_ or scalar_type(value.type) is not value.type:
        return op.make(BitcastOp, value, type_)
    return op.make(TruncOp if value.type == I16 else ZExtOp, value, type_)


def _narrow(op: ReplacedOp) -> SSAValue | None:
    source = op.op.name.split(".")[2]
    rounding = op.word("rnd", "none").replace("none", "rn")
    type_ = ops.NARROW[str(op.op.properties["dstTy"])]
    name = f"{source}.to.{type_}.{rounding}{op.suffix('relu')}.satfinite"
    flag = op.constant(int(op.flag("pzo")), I1)
    return _as_bits(op, op.call(name, (*op.operands, flag), I16), op.results[0])


def _scale(op: ReplacedOp, values: int) -> SSAValue:
    return op.operands[values] if len(op.operands) > values else op.constant(SCALE_OF_ONE, I16)


def _widen(op: ReplacedOp) -> SSAValue | None:
    type_ = "s2f6x2" if "s2f6" in op.op.name else ops.NARROW[str(op.op.properties["srcType"])]
    limits = op.suffix("relu") + (".satfinite" if op.word("sat", "none") != "none" else "")
    bits = _as_bits(op, op.operands[0], I16)
    return op.call(f"{type_}.to.bf16x2.rn{limits}.scale.n2.ue8m0", (bits, _scale(op, 1)))


def _fixed_point(op: ReplacedOp) -> SSAValue | None:
    wide = "bf16" in op.op.name
    values = 1 if wide else 2
    name = f"{'bf16x2' if wide else 'ff'}.to.s2f6x2.rn{op.suffix('relu')}.satfinite.scale.n2.ue8m0"
    arguments = (*op.operands[:values], _scale(op, values))
    return _as_bits(op, op.call(name, arguments, I16), op.results[0])


def _transpose(op: ReplacedOp) -> SSAValue | None:
    return op.call("movmatrix.sync.aligned.m8n8.trans.b16", op.operands)


def _check_layout(op: ReplacedOp) -> SSAValue | None:
    layout = op.constant(op.number("layout"), I32)
    space = address_space_of(cast(LLVMPointerType, op.operands[0].type))
    return op.call(f"mbarrier.check_layout.p{space}", (*op.operands, layout))


def _store_shared(op: ReplacedOp) -> SSAValue | None:
    return op.call(f"st.async.{op.operands[1].type}", op.operands)


def _store_global(op: ReplacedOp) -> SSAValue | None:
    scope, type_ = op.word("scope"), op.operands[1].type
    if op.flag("mmio"):
        return op.call(f"st.async.mmio.{scope}.{type_}", op.operands)
    multimem = op.constant(int(op.flag("multimem")), I1)
    return op.call(f"st.async.{scope}.{type_}", (*op.operands, multimem))


def _reduction(op: ReplacedOp) -> SSAValue | None:
    predicate, *stated = op.operands
    zero = op.constant(0, I32)
    kind = op.word("reductionOp")
    aligned = ".aligned" if "aligned" not in op.op.properties or op.flag("aligned") else ""
    unequal = int_attr(1, I64)
    holds = op.insert(fast.create(ICmpOp, (predicate, zero), (I1,), {"predicate": unequal}))
    output = I32 if kind == "popc" else I1
    arguments = (stated[0] if stated else zero, holds)
    found = op.call(f"barrier.cta.red.{kind}{aligned}.all", arguments, output)
    assert found is not None
    return found if found.type == I32 else op.make(ZExtOp, found, I32)


_LOWERINGS: Final[dict[type[Operation], _Lowering]] = {
    ops.SinOp: _unary("sin.approx"),
    ops.CosOp: _unary("cos.approx"),
    ops.Ex2Op: _unary("ex2.approx"),
    ops.Log2Op: _unary("lg2.approx"),
    ops.RsqrtOp: _unary("rsqrt.approx"),
    ops.SqrtApproxOp: _unary("sqrt.approx"),
    ops.SqrtOp: _square_root,
    ops.AddFOp: _sum,
    ops.SubFOp: _sum,
    ops.DivFOp: _quotient,
    ops.FmaOp: _product_sum,
    ops.ConvertBF16x2ToF4x2Op: _narrow,
    ops.ConvertBF16x2ToF6x2Op: _narrow,
    ops.ConvertF16x2ToF4x2Op: _narrow,
    ops.ConvertF16x2ToF6x2Op: _narrow,
    ops.ConvertF4x2ToBF16x2Op: _widen,
    ops.ConvertF6x2ToBF16x2Op: _widen,
    ops.ConvertS2F6x2ToBF16x2Op: _widen,
    ops.ConvertBF16x2ToS2F6x2Op: _fixed_point,
    ops.ConvertF32x2ToS2F6x2Op: _fixed_point,
    ops.MovMatrixOp: _transpose,
    ops.MBarrierCheckLayoutOp: _check_layout,
    ops.StoreAsyncSharedOp: _store_shared,
    ops.StoreAsyncGlobalOp: _store_global,
    ops.BarrierReductionOp: _reduction,
}
