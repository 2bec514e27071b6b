"""Ops of the nvvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; these need `operandSegmentSizes` among their
properties: `nvvm.barrier`, `nvvm.inline_ptx`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    ANY_TYPE,
    BOOL_ATTR,
    F32,
    I1,
    I1_ATTR,
    I8,
    I16,
    I16_ATTR,
    I32,
    I32_ATTR,
    I64,
    I64_ATTR,
    I128,
    STRUCT,
    any_of,
    pointer_in,
    variable,
    vector_of,
)
from nvvm_xdsl.dialects.defaults import FALSE
from nvvm_xdsl.dialects.generated.nvvm_enums import MemScopeKind, ProxyKind
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.dialects.nvvm import verifiers
from nvvm_xdsl.dialects.nvvm.enum_attributes import (
    BarrierReductionAttr,
    CacheEvictionPriorityAttr,
    ClusterLaunchControlQueryTypeAttr,
    DotAccumulateTypeAttr,
    GridDepActionKindAttr,
    LoadCacheModifierKindAttr,
    MatchSyncKindAttr,
    MemOrderKindAttr,
    MemScopeKindAttr,
    PermuteModeAttr,
    PrefetchCacheLevelAttr,
    ProxyKindAttr,
    ReduxKindAttr,
    SetMaxRegisterActionAttr,
    SharedSpaceAttr,
    ShflKindAttr,
    VoteSyncKindAttr,
)
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class SyncWarpOp(OpRow, AssemblyOp, op="nvvm.bar.warp.sync"):
    mask = operand_def(I32)
    FORMAT: ClassVar[str] = "$mask attr-dict `:` type($mask)"


class BarrierOp(OpRow, AssemblyOp, op="nvvm.barrier"):
    barrierId = opt_operand_def(I32)
    numberOfThreads = opt_operand_def(I32)
    reductionOp = opt_prop_def(BarrierReductionAttr)
    reductionPredicate = opt_operand_def(I32)
    res = opt_result_def(I32)
    FORMAT: ClassVar[str] = (
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? (qualified($reductionOp)^ $reductionPredicate)? (`->` type($res)^)? attr-dict"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def verify_(self) -> None:
        verifiers.barrier(self)


class BarrierArriveOp(OpRow, AssemblyOp, op="nvvm.barrier.arrive"):
    barrierId = opt_operand_def(I32)
    numberOfThreads = operand_def(I32)
    FORMAT: ClassVar[str] = (
        "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict"
    )


class PlainOp(OpRow, AssemblyOp):
    """Op without operands and results."""

    FORMAT: ClassVar[str] = "attr-dict"


class ClusterBarrier(OpRow, AssemblyOp):
    """Synchronization of a cluster."""

    aligned = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = "attr-dict"


class ClusterLaunchControlQueryCancelOp(
    OpRow, AssemblyOp, op="nvvm.clusterlaunchcontrol.query.cancel"
):
    query_type = prop_def(ClusterLaunchControlQueryTypeAttr)
    try_cancel_response = operand_def(I128)
    res = result_def(any_of(I1, I32))
    FORMAT: ClassVar[str] = (
        "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)"
    )

    def verify_(self) -> None:
        verifiers.query_cancel(self)


class ClusterLaunchControlTryCancelOp(OpRow, AssemblyOp, op="nvvm.clusterlaunchcontrol.try.cancel"):
    multicast = opt_prop_def(UnitAttr)
    smemAddress = operand_def(pointer_in(3))
    mbarrier = operand_def(pointer_in(3))
    FORMAT: ClassVar[str] = "(`multicast` $multicast^ `,`)? $smemAddress `,` $mbarrier attr-dict"


class CpAsyncMBarrierArriveOp(OpRow, AssemblyOp, op="nvvm.cp.async.mbarrier.arrive"):
    addr = operand_def(pointer_in(0, 3))
    noinc = opt_prop_def(I1_ATTR, default_value=FALSE)
    FORMAT: ClassVar[str] = "$addr attr-dict `:` type(operands)"


class CpAsyncOp(OpRow, AssemblyOp, op="nvvm.cp.async.shared.global"):
    dst = operand_def(pointer_in(3))
    src = operand_def(pointer_in(1))
    size = prop_def(I32_ATTR)
    modifier = prop_def(LoadCacheModifierKindAttr)
    cpSize = opt_operand_def(I32)
    FORMAT: ClassVar[str] = (
        "$dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cpSize^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        verifiers.copy_async(self)


class CpAsyncWaitGroupOp(OpRow, AssemblyOp, op="nvvm.cp.async.wait.group"):
    n = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = "$n attr-dict"


class DotAccumulate2WayOp(OpRow, AssemblyOp, op="nvvm.dot.accumulate.2way"):
    a = operand_def(vector_of(I16, (2,)))
    a_type = prop_def(DotAccumulateTypeAttr)
    b = operand_def(vector_of(I8, (4,)))
    b_type = prop_def(DotAccumulateTypeAttr)
    c = operand_def(I32)
    b_hi = prop_def(BOOL_ATTR)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


class DotAccumulate4WayOp(OpRow, AssemblyOp, op="nvvm.dot.accumulate.4way"):
    a = operand_def(vector_of(I8, (4,)))
    a_type = prop_def(DotAccumulateTypeAttr)
    b = operand_def(vector_of(I8, (4,)))
    b_type = prop_def(DotAccumulateTypeAttr)
    c = operand_def(I32)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


class ElectSyncOp(OpRow, AssemblyOp, op="nvvm.elect.sync"):
    membermask = opt_operand_def(I32)
    pred = result_def(I1)
    FORMAT: ClassVar[str] = "($membermask^)? attr-dict `->` type(results)"


class FenceProxyOp(OpRow, AssemblyOp, op="nvvm.fence.proxy"):
    kind = prop_def(ProxyKindAttr)
    space = opt_prop_def(SharedSpaceAttr)
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_proxy(self)


class FenceProxyAcquireOp(OpRow, AssemblyOp, op="nvvm.fence.proxy.acquire"):
    scope = prop_def(MemScopeKindAttr)
    addr = operand_def(pointer_in(0))
    size = operand_def(I32)
    fromProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.GENERIC))
    toProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.TENSORMAP))
    FORMAT: ClassVar[str] = (
        "$scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"
    )

    def verify_(self) -> None:
        verifiers.fence_tensormap(self)


class FenceProxyReleaseOp(OpRow, AssemblyOp, op="nvvm.fence.proxy.release"):
    scope = prop_def(MemScopeKindAttr)
    fromProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.GENERIC))
    toProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.TENSORMAP))
    FORMAT: ClassVar[str] = (
        "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"
    )

    def verify_(self) -> None:
        verifiers.fence_tensormap(self)


class FenceProxySyncRestrictOp(OpRow, AssemblyOp, op="nvvm.fence.proxy.sync_restrict"):
    order = prop_def(MemOrderKindAttr)
    fromProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.GENERIC))
    toProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.ASYNC))
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_proxy_restrict(self)


class FenceSyncRestrictOp(OpRow, AssemblyOp, op="nvvm.fence.sync_restrict"):
    order = prop_def(MemOrderKindAttr)
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_restrict(self)


class GriddepcontrolOp(OpRow, AssemblyOp, op="nvvm.griddepcontrol"):
    kind = prop_def(GridDepActionKindAttr)
    FORMAT: ClassVar[str] = "$kind attr-dict"


class InlinePtxOp(OpRow, AssemblyOp, op="nvvm.inline_ptx"):
    readOnlyArgs = var_operand_def(ANY_TYPE)
    readWriteArgs = var_operand_def(ANY_TYPE)
    ptxCode = prop_def(StringAttr)
    predicate = opt_operand_def(I1)
    writeOnlyArgs = var_result_def(ANY_TYPE)
    FORMAT: ClassVar[str] = (
        "$ptxCode ( `ro` `(` $readOnlyArgs^ `:` type($readOnlyArgs) `)` )? ( `rw` `(` $readWriteArgs^ `:` type($readWriteArgs) `)` )? (`,` `predicate` `=` $predicate^)? attr-dict ( `->` type($writeOnlyArgs)^ )?"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


class MapaOp(OpRow, AssemblyOp, op="nvvm.mapa"):
    a = operand_def(pointer_in(0, 3))
    b = operand_def(I32)
    res = result_def(pointer_in(0, 7))
    FORMAT: ClassVar[str] = "$a`,` $b attr-dict `:` type($a) `->` type($res)"

    def verify_(self) -> None:
        verifiers.mapa(self)


class MatchSyncOp(OpRow, AssemblyOp, op="nvvm.match.sync"):
    thread_mask = operand_def(I32)
    val = operand_def(any_of(I32, I64))
    kind = prop_def(MatchSyncKindAttr)
    res = result_def(any_of(I32, STRUCT))
    FORMAT: ClassVar[str] = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        verifiers.match(self)


class MBarrierArrival(OpRow, AssemblyOp):
    """Arrival at an mbarrier."""

    addr = operand_def(pointer_in(0, 3, 7))
    count = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


class MBarrierArriveExpectTxOp(OpRow, AssemblyOp, op="nvvm.mbarrier.arrive.expect_tx"):
    addr = operand_def(pointer_in(0, 3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    predicate = opt_operand_def(I1)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = (
        "$addr `,` $txcount (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands) (`->` type($res)^)?"
    )

    def verify_(self) -> None:
        verifiers.mbarrier_expect(self)


class MBarrierNocomplete(OpRow, AssemblyOp):
    """Arrival that completes no phase."""

    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    res = result_def(I64)
    FORMAT: ClassVar[str] = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


class MBarrierArriveDropExpectTxOp(OpRow, AssemblyOp, op="nvvm.mbarrier.arrive_drop.expect_tx"):
    addr = operand_def(pointer_in(0, 3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


class MBarrierTransaction(OpRow, AssemblyOp):
    """Change of an mbarrier's transaction count."""

    addr = operand_def(pointer_in(3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    FORMAT: ClassVar[str] = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


class MBarrierInitOp(OpRow, AssemblyOp, op="nvvm.mbarrier.init"):
    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    predicate = opt_operand_def(I1)
    FORMAT: ClassVar[str] = (
        "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"
    )


class MBarrierInvalOp(OpRow, AssemblyOp, op="nvvm.mbarrier.inval"):
    addr = operand_def(pointer_in(0, 3))
    FORMAT: ClassVar[str] = "$addr attr-dict `:` type(operands)"


class MBarrierTestWaitOp(OpRow, AssemblyOp, op="nvvm.mbarrier.test.wait"):
    addr = operand_def(pointer_in(0, 3))
    stateOrPhase = operand_def(any_of(I64, I32))
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = result_def(I1)
    FORMAT: ClassVar[str] = "$addr `,` $stateOrPhase attr-dict `:` type(operands) `->` type($res)"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


class MBarrierTryWaitOp(OpRow, AssemblyOp, op="nvvm.mbarrier.try_wait"):
    addr = operand_def(pointer_in(0, 3))
    stateOrPhase = operand_def(any_of(I64, I32))
    ticks = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = result_def(I1)
    FORMAT: ClassVar[str] = (
        "$addr `,` $stateOrPhase (`,` $ticks^)? attr-dict `:` type(operands) `->` type($res)"
    )

    def verify_(self) -> None:
        verifiers.mbarrier(self)


class MBarrierTryWaitParityOp(OpRow, AssemblyOp, op="nvvm.mbarrier.try_wait.parity"):
    addr = operand_def(pointer_in(0, 3))
    phase = operand_def(I32)
    ticks = operand_def(I32)
    FORMAT: ClassVar[str] = "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)"


class MembarOp(OpRow, AssemblyOp, op="nvvm.memory.barrier"):
    scope = prop_def(MemScopeKindAttr)
    FORMAT: ClassVar[str] = "$scope attr-dict"


class NanosleepOp(OpRow, AssemblyOp, op="nvvm.nanosleep"):
    duration = operand_def(I32)
    FORMAT: ClassVar[str] = "attr-dict $duration"


class PMEventOp(OpRow, AssemblyOp, op="nvvm.pmevent"):
    maskedEventId = opt_prop_def(I16_ATTR)
    eventId = opt_prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = "attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)?"

    def verify_(self) -> None:
        verifiers.performance_event(self)


class PrefetchOp(OpRow, AssemblyOp, op="nvvm.prefetch"):
    cacheLevel = opt_prop_def(PrefetchCacheLevelAttr)
    evictPriority = opt_prop_def(CacheEvictionPriorityAttr)
    addr = operand_def(pointer_in(1, 5, 0, 4))
    predicate = opt_operand_def(I1)
    tensormap = opt_prop_def(UnitAttr)
    uniform = opt_prop_def(UnitAttr)
    in_param_space = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = (
        "(`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? (`tensormap` $tensormap^ (`in_param_space` $in_param_space^)? `,`)? (`evict_priority` `=` $evictPriority^ `,`)? $addr (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        verifiers.prefetch(self)


class PermuteOp(OpRow, AssemblyOp, op="nvvm.prmt"):
    lo = operand_def(I32)
    hi = opt_operand_def(I32)
    selector = operand_def(I32)
    mode = prop_def(PermuteModeAttr)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.permute(self)


class RcpApproxFtzF32Op(OpRow, AssemblyOp, op="nvvm.rcp.approx.ftz.f"):
    arg = operand_def(F32)
    res = result_def(F32)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($res)"
    traits = traits_def(Pure())


class ReduxOp(OpRow, AssemblyOp, op="nvvm.redux.sync"):
    val = operand_def(variable("T", any_of(I32, F32)))
    kind = prop_def(ReduxKindAttr)
    mask_and_clamp = operand_def(I32)
    abs = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    nan = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = result_def(variable("T", any_of(I32, F32)))
    FORMAT: ClassVar[str] = (
        "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )

    def verify_(self) -> None:
        verifiers.redux(self)


class SetMaxRegisterOp(OpRow, AssemblyOp, op="nvvm.setmaxregister"):
    regCount = prop_def(I32_ATTR)
    action = prop_def(SetMaxRegisterActionAttr)
    FORMAT: ClassVar[str] = "$action $regCount attr-dict"

    def verify_(self) -> None:
        verifiers.set_max_register(self)


class ShflOp(OpRow, AssemblyOp, op="nvvm.shfl.sync"):
    thread_mask = operand_def(I32)
    val = operand_def(any_of(I32, F32))
    offset = operand_def(I32)
    mask_and_clamp = operand_def(I32)
    kind = prop_def(ShflKindAttr)
    return_value_and_is_valid = opt_prop_def(UnitAttr)
    res = result_def(any_of(I32, F32, STRUCT))
    FORMAT: ClassVar[str] = (
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )

    def verify_(self) -> None:
        verifiers.shuffle(self)


class BulkStoreOp(OpRow, AssemblyOp, op="nvvm.st.bulk"):
    addr = operand_def(pointer_in(0, 3))
    size = operand_def(I64)
    initVal = opt_prop_def(I64_ATTR, default_value=int_attr(0, types.I64))
    FORMAT: ClassVar[str] = (
        "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)"
    )

    def verify_(self) -> None:
        verifiers.store_bulk(self)


class VoteSyncOp(OpRow, AssemblyOp, op="nvvm.vote.sync"):
    mask = operand_def(I32)
    pred = operand_def(I1)
    kind = prop_def(VoteSyncKindAttr)
    res = result_def(any_of(I32, I1))
    FORMAT: ClassVar[str] = "$kind $mask `,` $pred attr-dict `->` type($res)"

    def verify_(self) -> None:
        verifiers.vote(self)


# fmt: off
class Barrier0Op(PlainOp, op="nvvm.barrier0"): ...
class BreakpointOp(PlainOp, op="nvvm.breakpoint"): ...
class ClusterArriveOp(ClusterBarrier, op="nvvm.cluster.arrive"): ...
class ClusterArriveRelaxedOp(ClusterBarrier, op="nvvm.cluster.arrive.relaxed"): ...
class ClusterWaitOp(ClusterBarrier, op="nvvm.cluster.wait"): ...
class CpAsyncCommitGroupOp(PlainOp, op="nvvm.cp.async.commit.group"): ...
class ExitOp(PlainOp, op="nvvm.exit"): ...
class FenceMbarrierInitOp(PlainOp, op="nvvm.fence.mbarrier.init"): ...
class FenceScClusterOp(PlainOp, op="nvvm.fence.sc.cluster"): ...
class MBarrierArriveOp(MBarrierArrival, op="nvvm.mbarrier.arrive"): ...
class MBarrierArriveNocompleteOp(MBarrierNocomplete, op="nvvm.mbarrier.arrive.nocomplete"): ...
class MBarrierArriveDropOp(MBarrierArrival, op="nvvm.mbarrier.arrive_drop"): ...
class MBarrierArriveDropNocompleteOp(MBarrierNocomplete, op="nvvm.mbarrier.arrive_drop.nocomplete"): ...
class MBarrierCompleteTxOp(MBarrierTransaction, op="nvvm.mbarrier.complete_tx"): ...
class MBarrierExpectTxOp(MBarrierTransaction, op="nvvm.mbarrier.expect_tx"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
