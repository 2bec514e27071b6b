"""Ops for tensor memory, tensor maps and sparse data of MLIR's main branch become intrinsics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import ExtractValueOp, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import scalar_type
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, VOID, address_space_of
from nvvm_xdsl.dialects.nvvm import main_tensor_ops as ops
from nvvm_xdsl.dialects.nvvm.main_signatures import REDUCTIONS
from nvvm_xdsl.frontend.replaced_op import COLLECTORS, ReplacedOp
from nvvm_xdsl.ir import fast


def _extracted(op: ReplacedOp, name: str, arguments: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
    """The members of the structure that an intrinsic returns."""
    structure = op.call(name, arguments, LLVMStructType.from_type_list(op.results))
    assert structure is not None
    return tuple(
        op.insert(
            fast.create(
                ExtractValueOp, (structure,), (type_,), {"position": types.dense_i64((number,))}
            )
        )
        for number, type_ in enumerate(op.results)
    )


def _load_and_reduce(op: ReplacedOp) -> tuple[SSAValue, ...]:
    data = cast("VectorType[Attribute]", op.results[0])
    float_ = op.results[1] == types.F32
    flags = [op.constant(tuple(ops.ReductionKind).index(ops.ReductionKind(op.word("op"))), I32)]
    if float_:
        flags += [op.constant(int(word in op.op.properties), I1) for word in ("abs", "nan")]
    shape = op.word("shape").removeprefix("shape_")
    name = f"tcgen05.ld.red.{shape}.x{data.get_shape()[0]}.{'f32' if float_ else 'i32'}"
    return _extracted(op, name, (*op.operands, *flags))


def _product(op: ReplacedOp) -> tuple[SSAValue, ...]:
    source = "tensor" if isinstance(op.operands[1].type, LLVMPointerType) else "shared"
    group = op.word("ctaGroup").removeprefix("cta_")
    collectors = [
        op.constant(COLLECTORS.index(op.word(f"collectorOp{side}", "discard")), I32)
        for side in "AB"
    ]
    if isinstance(op.op, ops.Tcgen05MMABlockScaleDecompressBOp):
        name = f"tcgen05.mma.{source}.mxf8f6f4.block_scale.block32.decompress_b"
        masked = False
    else:
        masked = isinstance(op.operands[-1].type, VectorType)
        lanes = f".disable_output_lane.cg{group}" if masked else ""
        name = f"tcgen05.mma.{source}.f8f6f4{lanes}.decompress_b"
    selected = [] if masked else [op.constant(int(group), I32)]
    op.call(name, (*op.operands, *selected, *collectors), VOID)
    return ()


def _overridden_copy(op: ReplacedOp) -> tuple[SSAValue, ...]:
    made = cast(ops.OverriddenTensor, op.op)
    place = tuple(made.coordinates)
    sizes = tuple(made.tensorSize)
    strides = (*made.lowerStride, *([made.upperStride] if made.upperStride else []))
    hint = made.l2CacheHint
    mode = op.word("mode", "tile").replace("_", ".")
    fields = ".dim.stride" if strides else ".dim" if sizes else ""
    dimension = 2 if mode == "tile.scatter4" else len(place)
    reduces = isinstance(made, ops.ReduceOverrideOp)
    name = f"{'reduce' if reduces else 's2g'}.{mode}.override.addr{fields}.{dimension}d"
    kind = [op.constant(REDUCTIONS.index(op.word("redKind")), I32)] if reduces else []
    policy = op.constant(0, I64) if hint is None else hint
    flag = op.constant(int(hint is not None), I1)
    first = (made.srcMem, made.tmaDescriptor, made.overrideAddr)
    arguments = (*first, *sizes, *strides, *place, policy, *kind, flag)
    op.call(f"cp.async.bulk.tensor.{name}", arguments, VOID)
    return ()


def _replace_field(op: ReplacedOp) -> tuple[SSAValue, ...]:
    made = cast(ops.TensormapReplaceOp, op.op)
    field = made.field.data
    ordinal = [] if made.ord is None else [op.constant(op.number("ord"), I32)]
    value = made.new_value
    if value is None:
        attr = cast("ops.TensormapElemtypeAttr", made.new_value_attr)
        value = op.constant(list(type(attr.data)).index(attr.data), I32)
    space = address_space_of(cast(LLVMPointerType, made.addr.type))
    name = f"tensormap.replace.{field.value.replace('_', '.')}.p{space}"
    op.call(name, (made.addr, *ordinal, value), VOID)
    return ()


def _letters(type_: Attribute) -> str:
    """The suffix of an overloaded type: `v8i8` or `i32`."""
    element = scalar_type(type_)
    if element is type_:
        return str(type_)
    return f"v{cast('VectorType[Attribute]', type_).get_shape()[0]}{element}"


_TARGETS: Final = 4
"""The elements of which sparse data keeps two."""


def _compress(op: ReplacedOp) -> tuple[SSAValue, ...]:
    descriptor, vector = op.operands
    suffixes = ".".join(_letters(type_) for type_ in (*op.results, vector.type))
    flags = (op.constant(op.number("idxSize"), I32), op.constant(_TARGETS, I32))
    return _extracted(op, f"spcompress.{suffixes}", (vector, descriptor, *flags))


def _decompress(op: ReplacedOp) -> tuple[SSAValue, ...]:
    suffixes = ".".join(_letters(t) for t in (op.results[0], *(v.type for v in op.operands)))
    flags = (op.constant(op.number("idxSize"), I32), op.constant(op.number("numTgt"), I32))
    value = op.call(f"spdecompress.{suffixes}", (*op.operands, *flags))
    assert value is not None
    return (value,)


LOWERINGS: Final[dict[type[Operation], Callable[[ReplacedOp], tuple[SSAValue, ...]]]] = {
    ops.Tcgen05LdRedOp: _load_and_reduce,
    ops.Tcgen05MMADecompressBOp: _product,
    ops.Tcgen05MMABlockScaleDecompressBOp: _product,
    ops.StoreOverrideOp: _overridden_copy,
    ops.ReduceOverrideOp: _overridden_copy,
    ops.TensormapReplaceOp: _replace_field,
    ops.SparseCompressOp: _compress,
    ops.SparseDecompressOp: _decompress,
}
"""By op, the creation of a call, which returns the new results."""
