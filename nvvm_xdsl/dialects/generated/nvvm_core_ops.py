"""Ops of the nvvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; these need `operandSegmentSizes` among their
properties: `nvvm.barrier`, `nvvm.inline_ptx`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Operation
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
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class SyncWarpOp(AssemblyOp):
    """MLIR's `nvvm.bar.warp.sync`."""

    name = "nvvm.bar.warp.sync"
    mask = operand_def(I32)
    FORMAT: ClassVar[str] = "$mask attr-dict `:` type($mask)"


@irdl_op_definition
class BarrierOp(AssemblyOp):
    """MLIR's `nvvm.barrier`."""

    name = "nvvm.barrier"
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


@irdl_op_definition
class BarrierArriveOp(AssemblyOp):
    """MLIR's `nvvm.barrier.arrive`."""

    name = "nvvm.barrier.arrive"
    barrierId = opt_operand_def(I32)
    numberOfThreads = operand_def(I32)
    FORMAT: ClassVar[str] = (
        "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict"
    )


@irdl_op_definition
class Barrier0Op(AssemblyOp):
    """MLIR's `nvvm.barrier0`."""

    name = "nvvm.barrier0"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class BreakpointOp(AssemblyOp):
    """MLIR's `nvvm.breakpoint`."""

    name = "nvvm.breakpoint"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class ClusterArriveOp(AssemblyOp):
    """MLIR's `nvvm.cluster.arrive`."""

    name = "nvvm.cluster.arrive"
    aligned = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class ClusterArriveRelaxedOp(AssemblyOp):
    """MLIR's `nvvm.cluster.arrive.relaxed`."""

    name = "nvvm.cluster.arrive.relaxed"
    aligned = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class ClusterWaitOp(AssemblyOp):
    """MLIR's `nvvm.cluster.wait`."""

    name = "nvvm.cluster.wait"
    aligned = opt_prop_def(UnitAttr)
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class ClusterLaunchControlQueryCancelOp(AssemblyOp):
    """MLIR's `nvvm.clusterlaunchcontrol.query.cancel`."""

    name = "nvvm.clusterlaunchcontrol.query.cancel"
    query_type = prop_def(ClusterLaunchControlQueryTypeAttr)
    try_cancel_response = operand_def(I128)
    res = result_def(any_of(I1, I32))
    FORMAT: ClassVar[str] = (
        "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)"
    )

    def verify_(self) -> None:
        verifiers.query_cancel(self)


@irdl_op_definition
class ClusterLaunchControlTryCancelOp(AssemblyOp):
    """MLIR's `nvvm.clusterlaunchcontrol.try.cancel`."""

    name = "nvvm.clusterlaunchcontrol.try.cancel"
    multicast = opt_prop_def(UnitAttr)
    smemAddress = operand_def(pointer_in(3))
    mbarrier = operand_def(pointer_in(3))
    FORMAT: ClassVar[str] = "(`multicast` $multicast^ `,`)? $smemAddress `,` $mbarrier attr-dict"


@irdl_op_definition
class CpAsyncCommitGroupOp(AssemblyOp):
    """MLIR's `nvvm.cp.async.commit.group`."""

    name = "nvvm.cp.async.commit.group"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class CpAsyncMBarrierArriveOp(AssemblyOp):
    """MLIR's `nvvm.cp.async.mbarrier.arrive`."""

    name = "nvvm.cp.async.mbarrier.arrive"
    addr = operand_def(pointer_in(0, 3))
    noinc = opt_prop_def(I1_ATTR, default_value=FALSE)
    FORMAT: ClassVar[str] = "$addr attr-dict `:` type(operands)"


@irdl_op_definition
class CpAsyncOp(AssemblyOp):
    """MLIR's `nvvm.cp.async.shared.global`."""

    name = "nvvm.cp.async.shared.global"
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


@irdl_op_definition
class CpAsyncWaitGroupOp(AssemblyOp):
    """MLIR's `nvvm.cp.async.wait.group`."""

    name = "nvvm.cp.async.wait.group"
    n = prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = "$n attr-dict"


@irdl_op_definition
class DotAccumulate2WayOp(AssemblyOp):
    """MLIR's `nvvm.dot.accumulate.2way`."""

    name = "nvvm.dot.accumulate.2way"
    a = operand_def(vector_of(I16, (2,)))
    a_type = prop_def(DotAccumulateTypeAttr)
    b = operand_def(vector_of(I8, (4,)))
    b_type = prop_def(DotAccumulateTypeAttr)
    c = operand_def(I32)
    b_hi = prop_def(BOOL_ATTR)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


@irdl_op_definition
class DotAccumulate4WayOp(AssemblyOp):
    """MLIR's `nvvm.dot.accumulate.4way`."""

    name = "nvvm.dot.accumulate.4way"
    a = operand_def(vector_of(I8, (4,)))
    a_type = prop_def(DotAccumulateTypeAttr)
    b = operand_def(vector_of(I8, (4,)))
    b_type = prop_def(DotAccumulateTypeAttr)
    c = operand_def(I32)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$a $a_type `,` $b $b_type `,` $c attr-dict `:` type($a) `,` type($b)"


@irdl_op_definition
class ElectSyncOp(AssemblyOp):
    """MLIR's `nvvm.elect.sync`."""

    name = "nvvm.elect.sync"
    membermask = opt_operand_def(I32)
    pred = result_def(I1)
    FORMAT: ClassVar[str] = "($membermask^)? attr-dict `->` type(results)"


@irdl_op_definition
class ExitOp(AssemblyOp):
    """MLIR's `nvvm.exit`."""

    name = "nvvm.exit"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class FenceMbarrierInitOp(AssemblyOp):
    """MLIR's `nvvm.fence.mbarrier.init`."""

    name = "nvvm.fence.mbarrier.init"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class FenceProxyOp(AssemblyOp):
    """MLIR's `nvvm.fence.proxy`."""

    name = "nvvm.fence.proxy"
    kind = prop_def(ProxyKindAttr)
    space = opt_prop_def(SharedSpaceAttr)
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_proxy(self)


@irdl_op_definition
class FenceProxyAcquireOp(AssemblyOp):
    """MLIR's `nvvm.fence.proxy.acquire`."""

    name = "nvvm.fence.proxy.acquire"
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


@irdl_op_definition
class FenceProxyReleaseOp(AssemblyOp):
    """MLIR's `nvvm.fence.proxy.release`."""

    name = "nvvm.fence.proxy.release"
    scope = prop_def(MemScopeKindAttr)
    fromProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.GENERIC))
    toProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.TENSORMAP))
    FORMAT: ClassVar[str] = (
        "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"
    )

    def verify_(self) -> None:
        verifiers.fence_tensormap(self)


@irdl_op_definition
class FenceProxySyncRestrictOp(AssemblyOp):
    """MLIR's `nvvm.fence.proxy.sync_restrict`."""

    name = "nvvm.fence.proxy.sync_restrict"
    order = prop_def(MemOrderKindAttr)
    fromProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.GENERIC))
    toProxy = opt_prop_def(ProxyKindAttr, default_value=ProxyKindAttr(ProxyKind.ASYNC))
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_proxy_restrict(self)


@irdl_op_definition
class FenceScClusterOp(AssemblyOp):
    """MLIR's `nvvm.fence.sc.cluster`."""

    name = "nvvm.fence.sc.cluster"
    FORMAT: ClassVar[str] = "attr-dict"


@irdl_op_definition
class FenceSyncRestrictOp(AssemblyOp):
    """MLIR's `nvvm.fence.sync_restrict`."""

    name = "nvvm.fence.sync_restrict"
    order = prop_def(MemOrderKindAttr)
    FORMAT: ClassVar[str] = "attr-dict"

    def verify_(self) -> None:
        verifiers.fence_restrict(self)


@irdl_op_definition
class GriddepcontrolOp(AssemblyOp):
    """MLIR's `nvvm.griddepcontrol`."""

    name = "nvvm.griddepcontrol"
    kind = prop_def(GridDepActionKindAttr)
    FORMAT: ClassVar[str] = "$kind attr-dict"


@irdl_op_definition
class InlinePtxOp(AssemblyOp):
    """MLIR's `nvvm.inline_ptx`."""

    name = "nvvm.inline_ptx"
    readOnlyArgs = var_operand_def(ANY_TYPE)
    readWriteArgs = var_operand_def(ANY_TYPE)
    ptxCode = prop_def(StringAttr)
    predicate = opt_operand_def(I1)
    writeOnlyArgs = var_result_def(ANY_TYPE)
    FORMAT: ClassVar[str] = (
        "$ptxCode ( `ro` `(` $readOnlyArgs^ `:` type($readOnlyArgs) `)` )? ( `rw` `(` $readWriteArgs^ `:` type($readWriteArgs) `)` )? (`,` `predicate` `=` $predicate^)? attr-dict ( `->` type($writeOnlyArgs)^ )?"
    )
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class MapaOp(AssemblyOp):
    """MLIR's `nvvm.mapa`."""

    name = "nvvm.mapa"
    a = operand_def(pointer_in(0, 3))
    b = operand_def(I32)
    res = result_def(pointer_in(0, 7))
    FORMAT: ClassVar[str] = "$a`,` $b attr-dict `:` type($a) `->` type($res)"

    def verify_(self) -> None:
        verifiers.mapa(self)


@irdl_op_definition
class MatchSyncOp(AssemblyOp):
    """MLIR's `nvvm.match.sync`."""

    name = "nvvm.match.sync"
    thread_mask = operand_def(I32)
    val = operand_def(any_of(I32, I64))
    kind = prop_def(MatchSyncKindAttr)
    res = result_def(any_of(I32, STRUCT))
    FORMAT: ClassVar[str] = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        verifiers.match(self)


@irdl_op_definition
class MBarrierArriveOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive`."""

    name = "nvvm.mbarrier.arrive"
    addr = operand_def(pointer_in(0, 3, 7))
    count = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierArriveExpectTxOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive.expect_tx`."""

    name = "nvvm.mbarrier.arrive.expect_tx"
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


@irdl_op_definition
class MBarrierArriveNocompleteOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive.nocomplete`."""

    name = "nvvm.mbarrier.arrive.nocomplete"
    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    res = result_def(I64)
    FORMAT: ClassVar[str] = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierArriveDropOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive_drop`."""

    name = "nvvm.mbarrier.arrive_drop"
    addr = operand_def(pointer_in(0, 3, 7))
    count = opt_operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = "$addr (`,` $count^)? attr-dict `:` type($addr) (`->` type($res)^)?"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierArriveDropExpectTxOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive_drop.expect_tx`."""

    name = "nvvm.mbarrier.arrive_drop.expect_tx"
    addr = operand_def(pointer_in(0, 3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = opt_result_def(I64)
    FORMAT: ClassVar[str] = "$addr `,` $txcount attr-dict `:` type(operands) (`->` type($res)^)?"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierArriveDropNocompleteOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.arrive_drop.nocomplete`."""

    name = "nvvm.mbarrier.arrive_drop.nocomplete"
    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    res = result_def(I64)
    FORMAT: ClassVar[str] = "$addr `,` $count attr-dict `:` type(operands) `->` type($res)"


@irdl_op_definition
class MBarrierCompleteTxOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.complete_tx`."""

    name = "nvvm.mbarrier.complete_tx"
    addr = operand_def(pointer_in(3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    FORMAT: ClassVar[str] = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierExpectTxOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.expect_tx`."""

    name = "nvvm.mbarrier.expect_tx"
    addr = operand_def(pointer_in(3, 7))
    txcount = operand_def(I32)
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    FORMAT: ClassVar[str] = "$addr `,` $txcount attr-dict `:` type(operands)"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierInitOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.init`."""

    name = "nvvm.mbarrier.init"
    addr = operand_def(pointer_in(0, 3))
    count = operand_def(I32)
    predicate = opt_operand_def(I1)
    FORMAT: ClassVar[str] = (
        "$addr `,` $count (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"
    )


@irdl_op_definition
class MBarrierInvalOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.inval`."""

    name = "nvvm.mbarrier.inval"
    addr = operand_def(pointer_in(0, 3))
    FORMAT: ClassVar[str] = "$addr attr-dict `:` type(operands)"


@irdl_op_definition
class MBarrierTestWaitOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.test.wait`."""

    name = "nvvm.mbarrier.test.wait"
    addr = operand_def(pointer_in(0, 3))
    stateOrPhase = operand_def(any_of(I64, I32))
    scope = opt_prop_def(MemScopeKindAttr, default_value=MemScopeKindAttr(MemScopeKind.CTA))
    relaxed = opt_prop_def(BOOL_ATTR, default_value=FALSE)
    res = result_def(I1)
    FORMAT: ClassVar[str] = "$addr `,` $stateOrPhase attr-dict `:` type(operands) `->` type($res)"

    def verify_(self) -> None:
        verifiers.mbarrier(self)


@irdl_op_definition
class MBarrierTryWaitOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.try_wait`."""

    name = "nvvm.mbarrier.try_wait"
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


@irdl_op_definition
class MBarrierTryWaitParityOp(AssemblyOp):
    """MLIR's `nvvm.mbarrier.try_wait.parity`."""

    name = "nvvm.mbarrier.try_wait.parity"
    addr = operand_def(pointer_in(0, 3))
    phase = operand_def(I32)
    ticks = operand_def(I32)
    FORMAT: ClassVar[str] = "$addr `,` $phase `,` $ticks attr-dict `:` type(operands)"


@irdl_op_definition
class MembarOp(AssemblyOp):
    """MLIR's `nvvm.memory.barrier`."""

    name = "nvvm.memory.barrier"
    scope = prop_def(MemScopeKindAttr)
    FORMAT: ClassVar[str] = "$scope attr-dict"


@irdl_op_definition
class NanosleepOp(AssemblyOp):
    """MLIR's `nvvm.nanosleep`."""

    name = "nvvm.nanosleep"
    duration = operand_def(I32)
    FORMAT: ClassVar[str] = "attr-dict $duration"


@irdl_op_definition
class PMEventOp(AssemblyOp):
    """MLIR's `nvvm.pmevent`."""

    name = "nvvm.pmevent"
    maskedEventId = opt_prop_def(I16_ATTR)
    eventId = opt_prop_def(I32_ATTR)
    FORMAT: ClassVar[str] = "attr-dict (`id` `=` $eventId^)? (`mask` `=` $maskedEventId^)?"

    def verify_(self) -> None:
        verifiers.performance_event(self)


@irdl_op_definition
class PrefetchOp(AssemblyOp):
    """MLIR's `nvvm.prefetch`."""

    name = "nvvm.prefetch"
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


@irdl_op_definition
class PermuteOp(AssemblyOp):
    """MLIR's `nvvm.prmt`."""

    name = "nvvm.prmt"
    lo = operand_def(I32)
    hi = opt_operand_def(I32)
    selector = operand_def(I32)
    mode = prop_def(PermuteModeAttr)
    res = result_def(I32)
    FORMAT: ClassVar[str] = "$mode $selector `,` $lo (`,` $hi^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())

    def verify_(self) -> None:
        verifiers.permute(self)


@irdl_op_definition
class RcpApproxFtzF32Op(AssemblyOp):
    """MLIR's `nvvm.rcp.approx.ftz.f`."""

    name = "nvvm.rcp.approx.ftz.f"
    arg = operand_def(F32)
    res = result_def(F32)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ReduxOp(AssemblyOp):
    """MLIR's `nvvm.redux.sync`."""

    name = "nvvm.redux.sync"
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


@irdl_op_definition
class SetMaxRegisterOp(AssemblyOp):
    """MLIR's `nvvm.setmaxregister`."""

    name = "nvvm.setmaxregister"
    regCount = prop_def(I32_ATTR)
    action = prop_def(SetMaxRegisterActionAttr)
    FORMAT: ClassVar[str] = "$action $regCount attr-dict"

    def verify_(self) -> None:
        verifiers.set_max_register(self)


@irdl_op_definition
class ShflOp(AssemblyOp):
    """MLIR's `nvvm.shfl.sync`."""

    name = "nvvm.shfl.sync"
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


@irdl_op_definition
class BulkStoreOp(AssemblyOp):
    """MLIR's `nvvm.st.bulk`."""

    name = "nvvm.st.bulk"
    addr = operand_def(pointer_in(0, 3))
    size = operand_def(I64)
    initVal = opt_prop_def(I64_ATTR, default_value=int_attr(0, types.I64))
    FORMAT: ClassVar[str] = (
        "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)"
    )

    def verify_(self) -> None:
        verifiers.store_bulk(self)


@irdl_op_definition
class VoteSyncOp(AssemblyOp):
    """MLIR's `nvvm.vote.sync`."""

    name = "nvvm.vote.sync"
    mask = operand_def(I32)
    pred = operand_def(I1)
    kind = prop_def(VoteSyncKindAttr)
    res = result_def(any_of(I32, I1))
    FORMAT: ClassVar[str] = "$kind $mask `,` $pred attr-dict `->` type($res)"

    def verify_(self) -> None:
        verifiers.vote(self)


OPS: tuple[type[Operation], ...] = (
    SyncWarpOp,
    BarrierOp,
    BarrierArriveOp,
    Barrier0Op,
    BreakpointOp,
    ClusterArriveOp,
    ClusterArriveRelaxedOp,
    ClusterWaitOp,
    ClusterLaunchControlQueryCancelOp,
    ClusterLaunchControlTryCancelOp,
    CpAsyncCommitGroupOp,
    CpAsyncMBarrierArriveOp,
    CpAsyncOp,
    CpAsyncWaitGroupOp,
    DotAccumulate2WayOp,
    DotAccumulate4WayOp,
    ElectSyncOp,
    ExitOp,
    FenceMbarrierInitOp,
    FenceProxyOp,
    FenceProxyAcquireOp,
    FenceProxyReleaseOp,
    FenceProxySyncRestrictOp,
    FenceScClusterOp,
    FenceSyncRestrictOp,
    GriddepcontrolOp,
    InlinePtxOp,
    MapaOp,
    MatchSyncOp,
    MBarrierArriveOp,
    MBarrierArriveExpectTxOp,
    MBarrierArriveNocompleteOp,
    MBarrierArriveDropOp,
    MBarrierArriveDropExpectTxOp,
    MBarrierArriveDropNocompleteOp,
    MBarrierCompleteTxOp,
    MBarrierExpectTxOp,
    MBarrierInitOp,
    MBarrierInvalOp,
    MBarrierTestWaitOp,
    MBarrierTryWaitOp,
    MBarrierTryWaitParityOp,
    MembarOp,
    NanosleepOp,
    PMEventOp,
    PrefetchOp,
    PermuteOp,
    RcpApproxFtzF32Op,
    ReduxOp,
    SetMaxRegisterOp,
    ShflOp,
    BulkStoreOp,
    VoteSyncOp,
)
