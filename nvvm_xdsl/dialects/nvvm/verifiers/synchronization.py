"""Verification of ops that order and prefetch memory: barrier objects, fences, prefetches."""

from __future__ import annotations

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import int_value
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.nvvm.verifiers.parts import space_of
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED_CLUSTER


def mbarrier(op: Operation) -> None:
    """An mbarrier op is on the block's or the cluster's object; on another block's it returns no
    state."""
    scope = keyword_of(op, "scope")
    if scope not in ("", "cta", "cluster"):
        raise VerifyException(f"the scope of an mbarrier is cta or cluster, not {scope}")
    waits = bool(op.results) and op.results[0].type is I1
    if op.results and not waits and space_of(op.operands[0]) == SHARED_CLUSTER:
        raise VerifyException("an mbarrier in the cluster's shared memory returns no value")


def mbarrier_expect(op: Operation) -> None:
    """`nvvm.mbarrier.arrive.expect_tx` with a predicate must be the plain form on the block's own
    object."""
    if len(op.operands) > 2:
        if keyword_of(op, "scope") not in ("", "cta"):
            raise VerifyException("an mbarrier arrives under a predicate in scope cta alone")
        if space_of(op.operands[0]) == SHARED_CLUSTER:
            raise VerifyException(
                "an mbarrier under a predicate is not in the cluster's shared memory"
            )
        if op.results:
            raise VerifyException("an mbarrier under a predicate returns no value")
        if flag_of(op, "relaxed"):
            raise VerifyException("an mbarrier under a predicate is not relaxed")
    mbarrier(op)


def fence_proxy(op: Operation) -> None:
    """`nvvm.fence.proxy` states the shared space for `async.shared` only."""
    kind = keyword_of(op, "kind")
    if kind in ("tensormap", "generic"):
        raise VerifyException(f"proxy '{kind}' has fences of its own")
    if (kind == "async.shared") is not ("space" in op.properties):
        raise VerifyException("the shared space is given for proxy 'async.shared' alone")


def fence_restrict(op: Operation) -> None:
    """`nvvm.fence.sync_restrict` must be acquire or release."""
    order = keyword_of(op, "order")
    if order not in ("acquire", "release"):
        raise VerifyException(f"a restricted fence acquires or releases, it is not {order}")


def fence_proxy_restrict(op: Operation) -> None:
    """`nvvm.fence.proxy.sync_restrict` must be from the generic to the asynchronous proxy."""
    fence_restrict(op)
    _proxies(op, "generic", "async")


def fence_tensormap(op: Operation) -> None:
    """`nvvm.fence.proxy.acquire` and `release` must be from the generic to the tensor map proxy."""
    _proxies(op, "generic", "tensormap")


def _proxies(op: Operation, source: str, target: str) -> None:
    for name, wanted in (("fromProxy", source), ("toProxy", target)):
        found = keyword_of(op, name)
        if found not in ("", wanted):
            raise VerifyException(f"{name} of this fence is {wanted}, not {found}")


def mapa(op: Operation) -> None:
    """`nvvm.mapa` maps generic to generic and shared to shared of the cluster."""
    source, target = op.operands[0].type, op.results[0].type
    assert isinstance(source, LLVMPointerType)
    assert isinstance(target, LLVMPointerType)
    spaces = types.address_space_of(source), types.address_space_of(target)
    if spaces not in ((0, 0), (3, 7)):
        raise VerifyException(f"mapa does not map address space {spaces[0]} to {spaces[1]}")


def prefetch(op: Operation) -> None:
    """`nvvm.prefetch` fetches a tensor map, or a line into a level of the cache."""
    level, priority = keyword_of(op, "cacheLevel"), keyword_of(op, "evictPriority")
    space = space_of(op.operands[0])
    if flag_of(op, "tensormap"):
        _prefetch_map(op, level, priority, space)
        return
    if not level:
        raise VerifyException("a prefetch needs a cache level, or tensormap")
    if space not in (GENERIC, GLOBAL, LOCAL):
        raise VerifyException("a prefetch into a cache needs a generic, global or local pointer")
    if flag_of(op, "uniform") and (level != "L1" or space != GENERIC):
        raise VerifyException("a prefetch into the uniform cache is of L1, by a generic pointer")
    if priority:
        if level != "L2" or space != GLOBAL:
            raise VerifyException("an eviction priority needs cache level L2 and a global pointer")
        if priority not in ("evict_last", "evict_normal"):
            raise VerifyException(
                f"the eviction priority of a prefetch is evict_last or evict_normal, not {priority}"
            )
    if len(op.operands) > 1:
        raise VerifyException("only a prefetch of a tensor map takes a predicate")


def _prefetch_map(op: Operation, level: str, priority: str, space: int) -> None:
    if level or priority:
        what = "cache level" if level else "eviction priority"
        raise VerifyException(f"a prefetch of a tensor map has no {what}")
    if space not in (GENERIC, CONSTANT):
        raise VerifyException("a prefetch of a tensor map needs a generic or constant pointer")
    if flag_of(op, "in_param_space") and space != GENERIC:
        raise VerifyException("in_param_space needs a generic pointer")


def store_bulk(op: Operation) -> None:
    """`nvvm.st.bulk` stores zeros."""
    value = op.properties.get("initVal")
    if value is not None and int_value(value):
        raise VerifyException(f"a bulk store must store 0, not {int_value(value)}")
