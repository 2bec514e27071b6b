"""The correspondence of nvvm ops and intrinsics: one table, used in both directions.

`op_rows()` returns the op for the call of an intrinsic; `intrinsic_of(op)` returns the intrinsic of
an op. An op without a row is written as its PTX instruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.defaults import FALSE, TRUE
from nvvm_xdsl.dialects.generated import nvvm_enums as enums
from nvvm_xdsl.dialects.llvm.types import I16, I32, I64, UNIT, int_attr
from nvvm_xdsl.dialects.nvvm import enum_attributes as kinds
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.dialects.nvvm.signatures import result_types, type_fits
from nvvm_xdsl.ir import fast

PREFIX = "llvm.nvvm."


class OpRow(NamedTuple):
    """An op that represents an intrinsic.

    Arguments:
        op: the full name of the op.
        properties: the properties that follow from the intrinsic's name.
        immediate: the property for the intrinsic's only argument, and its type; otherwise the
            arguments are the operands.
    """

    op: str
    properties: Mapping[str, Attribute]
    immediate: tuple[str, IntegerType] | None = None


def _op(name: str, **properties: Attribute) -> OpRow:
    return OpRow(f"nvvm.{name}", properties)


def _immediate(name: str, property_: str, type_: IntegerType, **properties: Attribute) -> OpRow:
    return OpRow(f"nvvm.{name}", properties, (property_, type_))


def _copy(size: int, modifier: enums.LoadCacheModifierKind) -> OpRow:
    properties: dict[str, Attribute] = {
        "size": int_attr(size, I32),
        "modifier": kinds.LoadCacheModifierKindAttr(modifier),
    }
    return _op("cp.async.shared.global", **properties)


def _scopes() -> dict[str, Attribute]:
    return {
        "cta": kinds.MemScopeKindAttr(enums.MemScopeKind.CTA),
        "cluster": kinds.MemScopeKindAttr(enums.MemScopeKind.CLUSTER),
        "gpu": kinds.MemScopeKindAttr(enums.MemScopeKind.GPU),
        "sys": kinds.MemScopeKindAttr(enums.MemScopeKind.SYS),
    }


def _mbarrier(found: dict[str, OpRow]) -> None:
    """The mbarrier family: `.relaxed`, `.scope.x` and `.space.y` are properties and types."""
    scopes = _scopes()
    for space in ("", ".shared"):
        found[f"mbarrier.init{space}"] = _op("mbarrier.init")
        found[f"mbarrier.inval{space}"] = _op("mbarrier.inval")
        found[f"mbarrier.arrive{space}"] = _op("mbarrier.arrive")
        found[f"mbarrier.arrive.drop{space}"] = _op("mbarrier.arrive_drop")
        found[f"mbarrier.arrive.noComplete{space}"] = _op("mbarrier.arrive.nocomplete")
        found[f"mbarrier.arrive.drop.noComplete{space}"] = _op("mbarrier.arrive_drop.nocomplete")
        found[f"mbarrier.test.wait{space}"] = _op("mbarrier.test.wait")
        found[f"cp.async.mbarrier.arrive{space}"] = _op("cp.async.mbarrier.arrive")
        found[f"cp.async.mbarrier.arrive.noinc{space}"] = _op(
            "cp.async.mbarrier.arrive", noinc=TRUE
        )
    relaxable = {
        "arrive": "arrive",
        "arrive.drop": "arrive_drop",
        "arrive.expect.tx": "arrive.expect_tx",
        "arrive.drop.expect.tx": "arrive_drop.expect_tx",
        "test.wait": "test.wait",
        "test.wait.parity": "test.wait",
        "try.wait": "try_wait",
        "try.wait.tl": "try_wait",
        "try.wait.parity": "try_wait",
        "try.wait.parity.tl": "try_wait",
    }
    for scope in ("cta", "cluster"):
        for space in ("cta", "cluster"):
            where = f"scope.{scope}.space.{space}"
            for name, op in relaxable.items():
                strict = _op(f"mbarrier.{op}", scope=scopes[scope])
                relaxed = _op(f"mbarrier.{op}", scope=scopes[scope], relaxed=TRUE)
                found[f"mbarrier.{name}.{where}"] = strict
                found[f"mbarrier.{name}.relaxed.{where}"] = relaxed
            found[f"mbarrier.expect.tx.{where}"] = _op("mbarrier.expect_tx", scope=scopes[scope])
            found[f"mbarrier.complete.tx.{where}"] = _op(
                "mbarrier.complete_tx", scope=scopes[scope]
            )


def _special_registers(found: dict[str, OpRow]) -> None:
    from nvvm_xdsl.dialects.nvvm import NVVM

    for cls in NVVM.operations:
        if cls.name.startswith("nvvm.read.ptx.sreg."):
            row = OpRow(cls.name, {})
            found[cls.name.removeprefix("nvvm.")] = row
            found[cls.name.removeprefix("nvvm.").replace(".smem.", "_smem_")] = row


def _warps_and_barriers(found: dict[str, OpRow]) -> None:
    """Barriers, and exchange of values between the threads of a warp."""
    found["barrier.cta.sync.aligned.all"] = _op("barrier")
    found["barrier.cta.sync.aligned.count"] = _op("barrier")
    found["barrier.cta.arrive.aligned.count"] = _op("barrier.arrive")
    found["bar.warp.sync"] = _op("bar.warp.sync")
    for op in ("arrive", "arrive.relaxed", "wait"):
        found[f"barrier.cluster.{op}"] = _op(f"cluster.{op}")
        found[f"barrier.cluster.{op}.aligned"] = _op(f"cluster.{op}", aligned=UNIT)
    for kind in enums.ShflKind:
        attr = kinds.ShflKindAttr(kind)
        for type_ in ("i32", "f32"):
            name = f"shfl.sync.{kind.value}.{type_}"
            found[name] = _op("shfl.sync", kind=attr)
            found[name + "p"] = _op("shfl.sync", kind=attr, return_value_and_is_valid=UNIT)
    for kind in enums.VoteSyncKind:
        found[f"vote.{kind.value}.sync"] = _op("vote.sync", kind=kinds.VoteSyncKindAttr(kind))
    for kind in enums.MatchSyncKind:
        suffix = "p" if kind is enums.MatchSyncKind.ALL else ""
        for type_ in ("i32", "i64"):
            found[f"match.{kind.value}.sync.{type_}{suffix}"] = _op(
                "match.sync", kind=kinds.MatchSyncKindAttr(kind)
            )
    for kind in enums.ReduxKind:
        attr = kinds.ReduxKindAttr(kind)
        found[f"redux.sync.{kind.value}"] = _op("redux.sync", kind=attr)
        if kind in (enums.ReduxKind.FMIN, enums.ReduxKind.FMAX):
            name = f"redux.sync.{kind.value}"
            found[f"{name}.NaN"] = _op("redux.sync", kind=attr, nan=TRUE)
            found[f"{name}.abs"] = _op("redux.sync", kind=attr, abs=TRUE)
            found[f"{name}.abs.NaN"] = _op("redux.sync", kind=attr, abs=TRUE, nan=TRUE)
    for mode in enums.PermuteMode:
        attr = kinds.PermuteModeAttr(mode)
        name = "prmt" if mode is enums.PermuteMode.DEFAULT else f"prmt.{mode.value}"
        found[name] = _op("prmt", mode=attr)


def _asynchronous_copies(found: dict[str, OpRow]) -> None:
    for size, modifier in ((4, "ca"), (8, "ca"), (16, "ca"), (16, "cg")):
        row = _copy(size, enums.LoadCacheModifierKind(modifier))
        found[f"cp.async.{modifier}.shared.global.{size}"] = row
        found[f"cp.async.{modifier}.shared.global.{size}.s"] = row
    found["cp.async.commit.group"] = _op("cp.async.commit.group")
    found["cp.async.wait.group"] = _immediate("cp.async.wait.group", "n", I32)
    found["cp.async.bulk.commit.group"] = _op("cp.async.bulk.commit.group")
    found["cp.async.bulk.wait.group"] = _immediate("cp.async.bulk.wait_group", "group", I32)
    found["cp.async.bulk.wait.group.read"] = _immediate(
        "cp.async.bulk.wait_group", "group", I32, read=UNIT
    )


def _fences(found: dict[str, OpRow]) -> None:
    scopes = _scopes()
    found["membar.cta"] = _op("memory.barrier", scope=scopes["cta"])
    found["membar.gl"] = _op("memory.barrier", scope=scopes["gpu"])
    found["membar.sys"] = _op("memory.barrier", scope=scopes["sys"])
    found["fence.sc.cluster"] = _op("fence.sc.cluster")
    found["fence.mbarrier_init.release.cluster"] = _op("fence.mbarrier.init")
    for kind in (enums.ProxyKind.ALIAS, enums.ProxyKind.ASYNC, enums.ProxyKind.ASYNC_GLOBAL):
        found[f"fence.proxy.{kind.value}"] = _op("fence.proxy", kind=kinds.ProxyKindAttr(kind))
    shared = kinds.ProxyKindAttr(enums.ProxyKind.ASYNC_SHARED)
    for space in enums.SharedSpace:
        found[f"fence.proxy.async.shared_{space.value}"] = _op(
            "fence.proxy", kind=shared, space=kinds.SharedSpaceAttr(space)
        )
    for scope, attr in scopes.items():
        found[f"fence.proxy.tensormap_generic.acquire.{scope}"] = _op(
            "fence.proxy.acquire", scope=attr
        )
        found[f"fence.proxy.tensormap_generic.release.{scope}"] = _op(
            "fence.proxy.release", scope=attr
        )


def _other_ops(found: dict[str, OpRow]) -> None:
    found["rcp.approx.ftz.f"] = _op("rcp.approx.ftz.f")
    found["mapa"] = _op("mapa")
    found["mapa.shared.cluster"] = _op("mapa")
    found["nanosleep"] = _op("nanosleep")
    found["pm.event.mask"] = _immediate("pmevent", "maskedEventId", I16)
    found["exit"] = _op("exit")
    for kind, name in (
        (enums.GridDepActionKind.WAIT, "wait"),
        (enums.GridDepActionKind.LAUNCH_DEPENDENTS, "launch.dependents"),
    ):
        found[f"griddepcontrol.{name}"] = _op(
            "griddepcontrol", kind=kinds.GridDepActionKindAttr(kind)
        )
    for action, name in (
        (enums.SetMaxRegisterAction.INCREASE, "inc"),
        (enums.SetMaxRegisterAction.DECREASE, "dec"),
    ):
        found[f"setmaxnreg.{name}.sync.aligned.u32"] = _immediate(
            "setmaxregister", "regCount", I32, action=kinds.SetMaxRegisterActionAttr(action)
        )
    found["wgmma.fence.sync.aligned"] = _op("wgmma.fence.aligned")
    found["wgmma.commit_group.sync.aligned"] = _op("wgmma.commit.group.sync.aligned")
    found["wgmma.wait_group.sync.aligned"] = _immediate(
        "wgmma.wait.group.sync.aligned", "group", I64
    )
    found["tcgen05.wait.ld"] = _op(
        "tcgen05.wait", kind=kinds.Tcgen05WaitKindAttr(enums.Tcgen05WaitKind.LOAD)
    )
    found["tcgen05.wait.st"] = _op(
        "tcgen05.wait", kind=kinds.Tcgen05WaitKindAttr(enums.Tcgen05WaitKind.STORE)
    )


@cache
def op_rows() -> dict[str, OpRow]:
    """The op of each intrinsic that has one, by the intrinsic's full name in LLVM 22."""
    found: dict[str, OpRow] = {}
    _special_registers(found)
    _warps_and_barriers(found)
    _asynchronous_copies(found)
    _mbarrier(found)
    _fences(found)
    _other_ops(found)
    named = {PREFIX + name: row for name, row in found.items()}
    return {
        name: row
        for name, row in named.items()
        if (intrinsic := find_intrinsic(name)) is not None and intrinsic.name == name
    }


@cache
def _rows_by_op() -> dict[str, list[tuple[Intrinsic, OpRow]]]:
    found: dict[str, list[tuple[Intrinsic, OpRow]]] = {}
    for name, row in op_rows().items():
        intrinsic = find_intrinsic(name)
        assert intrinsic is not None
        found.setdefault(row.op, []).append((intrinsic, row))
    return found


def intrinsic_of(op: Operation) -> tuple[Intrinsic, OpRow] | None:
    """The intrinsic that an op of the nvvm dialect represents, or None.

    Its arguments are the op's operands, or the property that the row names.
    """
    fitting = [
        (intrinsic, row)
        for intrinsic, row in _rows_by_op().get(op.name, ())
        if _has_properties_of(op, row) and _has_types_of(op, intrinsic, row)
    ]
    # The name of the intrinsic includes the default of another one.
    return max(fitting, key=lambda found: len(found[1].properties), default=None)


_NOT_SAID = frozenset({"operandSegmentSizes", "resultSegmentSizes", "range"})
"""Properties that do not affect the choice of the intrinsic."""


def _has_properties_of(op: Operation, row: OpRow) -> bool:
    stated = dict(op.properties)
    if row.immediate is not None and stated.pop(row.immediate[0], None) is None:
        return False
    for name, value in row.properties.items():
        if stated.pop(name, None) != value:
            return False
    defaults = op.get_irdl_definition().properties  # pyright: ignore
    return all(
        name in _NOT_SAID
        or value == FALSE
        or value == getattr(defaults.get(name), "default_value", None)  # pyright: ignore
        for name, value in stated.items()
    )


def _has_types_of(op: Operation, intrinsic: Intrinsic, row: OpRow) -> bool:
    if row.immediate is not None:
        return len(intrinsic.arguments) == 1 and not op.results
    return has_signature(op, intrinsic)


def has_signature(op: Operation, intrinsic: Intrinsic) -> bool:
    """Returns True if an op's operands and results have the types of an intrinsic's."""
    operands = [value.type for value in fast.operands_of(op)]
    results = result_types(op.results[0].type, intrinsic) if op.results else ()
    if len(operands) != len(intrinsic.arguments) or len(results) != len(intrinsic.results):
        return False
    overloaded: list[Attribute] = []
    return all(
        type_fits(found, wanted, overloaded)
        for found, wanted in zip((*results, *operands), (*intrinsic.results, *intrinsic.arguments))
    )


def immediate_of(op: Operation, row: OpRow) -> int:
    """The number that is the only argument of the intrinsic of a row with an `immediate`."""
    assert row.immediate is not None
    value = op.properties[row.immediate[0]]
    assert isinstance(value, IntegerAttr)
    return value.value.data
