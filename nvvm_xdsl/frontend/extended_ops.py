"""Ops that MLIR's main branch extended become intrinsics, or ops of MLIR 22 if they use no extension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from xdsl.dialects.llvm import (
    BitcastOp,
    InlineAsmOp,
    LLVMPointerType,
    TailCallKind,
    TailCallKindAttr,
    TruncOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation

from nvvm_xdsl.dialects.generated.nvvm_enums import Tcgen05MMAKind, TMAStoreMode
from nvvm_xdsl.dialects.llvm.types import (
    I1,
    I8,
    I16,
    I32,
    I64,
    UNIT,
    VOID,
    address_space_of,
    int_attr,
    string,
)
from nvvm_xdsl.dialects.nvvm import extended_ops as ops
from nvvm_xdsl.dialects.nvvm import op_class
from nvvm_xdsl.dialects.nvvm.enum_attributes import Tcgen05MMAKindAttr, TMAStoreModeAttr
from nvvm_xdsl.dialects.nvvm.main_signatures import REDUCTIONS
from nvvm_xdsl.dialects.nvvm.main_tensor_ops import StoreModeAttr
from nvvm_xdsl.frontend.replaced_op import COLLECTORS, SCALE_OF_ONE, ReplacedOp
from nvvm_xdsl.ir import fast

_NARROW: Final = {
    "f4E2M1FN": "e2m1x2",
    "f6E2M3FN": "e2m3x2",
    "f6E3M2FN": "e3m2x2",
    "f8E4M3FN": "e4m3x2",
    "f8E5M2": "e5m2x2",
    "f8E8M0FNU": "ue8m0x2",
}
"""Narrow types and their names in PTX."""

_Results = tuple[SSAValue, ...]
_Lowering = Callable[[ReplacedOp], "_Results | None"]
"""Returns the results of the replacement; None if MLIR 22 has the op."""


def lower_extended_op(op: Operation) -> None:
    """Replaces an op of `dialects.nvvm.extended_ops`."""
    replaced = ReplacedOp(op)
    results = _LOWERINGS[type(op)](replaced)
    fast.replace_op(op, _earlier(replaced) if results is None else results)


def _earlier(replaced: ReplacedOp) -> _Results:
    """The results of the op of MLIR 22 with the same operands."""
    op = replaced.op
    cls = cast("type[IRDLOperation]", op_class(op.name))
    known = cls.get_irdl_definition().properties
    properties = {
        name: _earlier_enum(attr) for name, attr in op.properties.items() if name in known
    }
    made = fast.create(
        cls,
        replaced.operands,
        replaced.results,
        properties,
        attributes=op.attributes,
        location=op.location,
    )
    fast.insert_before(made, op)
    return tuple(made.results)


def _earlier_enum(attr: Attribute) -> Attribute:
    """The attribute of MLIR 22 with the same keyword."""
    if isinstance(attr, StoreModeAttr):
        return TMAStoreModeAttr(TMAStoreMode(attr.data.value))
    if isinstance(attr, ops.ProductKindAttr):
        return Tcgen05MMAKindAttr(Tcgen05MMAKind(attr.data.value))
    return attr


def _barrier(op: ReplacedOp) -> _Results | None:
    if "aligned" not in op.op.properties or op.flag("aligned"):
        return None
    made = cast("ops.ExtendedBarrierOp | ops.ExtendedBarrierArriveOp", op.op)
    kind = "arrive" if isinstance(made, ops.ExtendedBarrierArriveOp) else "sync"
    number = op.constant(0, I32) if made.barrierId is None else made.barrierId
    count = made.numberOfThreads
    arguments = (number,) if count is None else (number, count)
    op.call(f"barrier.cta.{kind}.{'all' if count is None else 'count'}", arguments, VOID)
    return ()


def _inline_ptx(op: ReplacedOp) -> _Results | None:
    return None


def _initialization(op: ReplacedOp) -> _Results | None:
    if op.number("layout") == 0:
        return None
    made = cast(ops.ExtendedMBarrierInitOp, op.op)
    space = address_space_of(cast(LLVMPointerType, made.addr.type))
    if made.predicate is None:
        op.call(f"mbarrier.init.p{space}", (*op.operands, op.constant(1, I32)), VOID)
        return ()
    shared = ".shared" if space else ""
    properties: dict[str, Attribute] = {
        "asm_dialect": int_attr(0, I64),
        "has_side_effects": UNIT,
        "asm_string": string(f"@$2 mbarrier.init.layout::v1{shared}.b64 [$0], $1;"),
        "constraints": string(f"{'r' if space else 'l'},r,b,~{{memory}}"),
        "tail_call_kind": TailCallKindAttr(TailCallKind.NONE),
    }
    fast.insert_before(fast.create(InlineAsmOp, op.operands, (), properties), op.op)
    return ()


def _multicast(op: ReplacedOp) -> _Results | None:
    made = cast("ops.MulticastArrival | ops.ExtendedArriveExpectTxOp", op.op)
    mask = made.multicast
    if mask is None:
        return None
    address, *counts = op.operands[:-1]
    count = counts[0] if counts else op.constant(1, I32)
    words = op.op.name.removeprefix("nvvm.").replace("_", ".")
    relaxed = ".relaxed" if op.flag("relaxed") else ""
    name = f"{words}{relaxed}.scope.{op.word('scope', 'cta')}.space.cluster"
    op.call(name, (address, count, mask, op.constant(1, I1)), VOID)
    return ()


def _group(op: ReplacedOp, name: str = "group") -> str:
    return op.word(name, "cta_1").removeprefix("cta_")


def _allocation(op: ReplacedOp) -> _Results | None:
    if not op.flag("isExclusive"):
        return None
    name = op.op.name.removeprefix("nvvm.") + f".cg{_group(op)}"
    if isinstance(op.op, ops.ExtendedAllocOp):
        name += f".p{address_space_of(cast(LLVMPointerType, op.operands[0].type))}"
    op.call(name, (*op.operands, op.constant(1, I1)), VOID)
    return ()


def _commit(op: ReplacedOp) -> _Results | None:
    address, *mask = op.operands
    if not op.flag("smem_a_read") and not (mask and mask[0].type == I32):
        return None
    reads = ".smem.a.read" if op.flag("smem_a_read") else ""
    space = address_space_of(cast(LLVMPointerType, address.type))
    name = f"tcgen05.commit{reads}{'.mc' if mask else ''}.cg{_group(op)}.p{space}"
    op.call(name + (f".{mask[0].type}" if mask else ""), op.operands, VOID)
    return ()


def _product(op: ReplacedOp) -> _Results | None:
    kind = op.word("kind")
    if op.word("collectorOpB", "discard") == "discard" and kind != "ti16":
        return None
    sparse = ".sp" if ".sp" in op.op.name else ""
    source = "tensor" if isinstance(op.operands[1].type, LLVMPointerType) else "shared"
    name = f"tcgen05.mma{sparse}.{source}"
    group = _group(op, "ctaGroup")
    flags: list[SSAValue] = []
    masked = False
    if "block_scale" in op.op.name:
        scale = op.word("blockScale", "default")
        name += f".{kind}.block_scale" + ("" if scale == "default" else f".{scale}")
    else:
        made = cast("ops.ExtendedProductOp | ops.ExtendedSparseProductOp", op.op)
        masked = made.disableOutputLane is not None
        name += ".scale_d" if made.scaleInputD is not None else ""
        name += f".disable_output_lane.cg{group}" if masked else ""
        name += ".ashift" if made.aShift is not None else ""
        flags.append(op.constant(list(ops.ProductKind).index(ops.ProductKind(kind)), I32))
    if not masked:
        flags.append(op.constant(int(group), I32))
    for collector in ("collectorOp", "collectorOpB"):
        flags.append(op.constant(COLLECTORS.index(op.word(collector, "discard")), I32))
    op.call(name, (*op.operands, *flags), VOID)
    return ()


def _store(op: ReplacedOp) -> _Results | None:
    if op.word("mode") != "im2col_w":
        return None
    made = cast("ops.ExtendedStoreOp | ops.ExtendedReduceOp", op.op)
    place, hint = tuple(made.coordinates), made.l2CacheHint
    reduces = isinstance(made, ops.ExtendedReduceOp)
    kind = [op.constant(REDUCTIONS.index(op.word("redKind")), I32)] if reduces else []
    policy = op.constant(0, I64) if hint is None else hint
    flag = op.constant(int(hint is not None), I1)
    name = f"cp.async.bulk.tensor.{'reduce' if reduces else 's2g'}.im2col.w.{len(place)}d"
    op.call(name, (made.srcMem, made.tmaDescriptor, *place, policy, *kind, flag), VOID)
    return ()


def _narrow(op: ReplacedOp) -> _Results | None:
    """A conversion to narrow floats."""
    type_ = str(op.op.properties["dstTy"])
    source = op.op.name.split(".")[2]
    rounding = op.word("rnd", "none").replace("none", "rn")
    new_bytes = source == "bf16x2" and type_ != "f8E8M0FNU"
    if type_ == "f8E8M0FNU" or (rounding == "rn" and not op.flag("pzo") and not new_bytes):
        return None
    limited = ".satfinite" if source == "bf16x2" or not type_.startswith("f8") else ""
    prefix = "ff" if source == "f32x2" else source
    name = f"{prefix}.to.{_NARROW[type_]}.{rounding}{op.suffix('relu')}{limited}"
    value = op.call(name, (*op.operands, op.constant(int(op.flag("pzo")), I1)), I16)
    assert value is not None
    result = op.results[0]
    if result == I16:
        return (value,)
    return (op.make(TruncOp if result == I8 else BitcastOp, value, result),)


def _widen(op: ReplacedOp) -> _Results | None:
    """A conversion of f8 to bf16."""
    type_ = str(op.op.properties["srcType"])
    if type_ == "f8E8M0FNU":
        return None
    limits = op.suffix("relu") + (".satfinite" if op.word("sat", "none") != "none" else "")
    bits = op.make(BitcastOp, op.operands[0], I16)
    scale = op.operands[1] if len(op.operands) > 1 else op.constant(SCALE_OF_ONE, I16)
    value = op.call(f"{_NARROW[type_]}.to.bf16x2.rn{limits}.scale.n2.ue8m0", (bits, scale))
    assert value is not None
    return (value,)


_LOWERINGS: Final[dict[type[Operation], _Lowering]] = {
    ops.ExtendedBarrierOp: _barrier,
    ops.ExtendedBarrierArriveOp: _barrier,
    ops.ExtendedInlinePtxOp: _inline_ptx,
    ops.ExtendedMBarrierInitOp: _initialization,
    ops.ExtendedArriveOp: _multicast,
    ops.ExtendedArriveDropOp: _multicast,
    ops.ExtendedArriveExpectTxOp: _multicast,
    ops.ExtendedArriveDropExpectTxOp: _multicast,
    ops.ExtendedExpectTxOp: _multicast,
    ops.ExtendedCompleteTxOp: _multicast,
    ops.ExtendedAllocOp: _allocation,
    ops.ExtendedDeallocOp: _allocation,
    ops.ExtendedCommitOp: _commit,
    ops.ExtendedProductOp: _product,
    ops.ExtendedSparseProductOp: _product,
    ops.ExtendedScaledProductOp: _product,
    ops.ExtendedSparseScaledProductOp: _product,
    ops.ExtendedStoreOp: _store,
    ops.ExtendedReduceOp: _store,
    ops.ExtendedF32ToF4Op: _narrow,
    ops.ExtendedF32ToF6Op: _narrow,
    ops.ExtendedF16ToF8Op: _narrow,
    ops.ExtendedF32ToF8Op: _narrow,
    ops.ExtendedBF16ToF8Op: _narrow,
    ops.ExtendedF8ToBF16Op: _widen,
}
