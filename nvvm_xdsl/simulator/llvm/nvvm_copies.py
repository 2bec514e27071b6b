"""Semantics of nvvm's ops of barrier objects, bulk and tensor copies, by their PTX instructions."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import int_property, segment_sizes
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import SHARED_CLUSTER
from nvvm_xdsl.simulator.compiler import FunctionCompiler
from nvvm_xdsl.simulator.llvm.nvvm_intrinsics import run, run_guarded, run_ordered
from nvvm_xdsl.simulator.llvm.semantics import EmitOp, LLVMSemantics
from nvvm_xdsl.simulator.ptx import effects
from nvvm_xdsl.simulator.ptx.source_operands import Address, Context, Operand, Register

Form = tuple[str, list[int | str], SSAValue | None]
"""An opcode, the sources of its operands in the notation of `intrinsics`, and a predicate."""


_LOAD_MODES = {
    "tile": "tile",
    "im2col": "im2col",
    "im2col_w": "im2col::w",
    "im2col_w_128": "im2col::w::128",
    "tile_gather4": "tile::gather4",
}
_STORE_MODES = {"tile": "tile", "im2col": "im2col_no_offs", "tile_scatter4": "tile::scatter4"}
_COMPLETE = "mbarrier::complete_tx::bytes"
_HINT = ".L2::cache_hint"


def _segments(op: Operation) -> list[int]:
    return list(segment_sizes(op))


def _space(op: Operation, index: int) -> int:
    return pointer_space(fast.operands_of(op)[index].type)


def _written(form: Callable[[Operation], Form]) -> EmitOp:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        opcode, order, predicate = form(op)
        if predicate is not None:
            return run_guarded(semantics, op, opcode, order, predicate, to)
        return run_ordered(semantics, op, opcode, order, to)

    return emit


def _fixed(opcode: str, *order: int | str) -> EmitOp:
    return _written(lambda op: (opcode, list(order), None))


def _arrive(action: str) -> EmitOp:
    """An arrival, whose last operand may be a predicate."""

    def form(op: Operation) -> Form:
        values = fast.operands_of(op)
        guarded = "operandSegmentSizes" in op.properties and _segments(op)[-1]
        counts = len(values) - 1 - (1 if guarded else 0)
        order: list[int | str] = ["address 0", *range(1, 1 + counts)]
        return f"mbarrier.{action}.b64", order, values[-1] if guarded else None

    return _written(form)


def _initialize(op: Operation) -> Form:
    values = fast.operands_of(op)
    return "mbarrier.init.b64", ["address 0", 1], values[2] if len(values) > 2 else None


def _wait(action: str) -> EmitOp:
    def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
        parity = ".parity" if semantics.kind(fast.operands_of(op)[1]).bits == 32 else ""
        return run_ordered(semantics, op, f"mbarrier.{action}{parity}.b64", ["address 0", 1], to)

    return emit


def _wait_to_the_end(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """`nvvm.mbarrier.try_wait.parity` has no result: it waits until the phase is complete."""
    pointer, phase = fast.operands_of(op)[:2]
    operands: list[Operand] = [
        Address(to.leaf(pointer).name, 0, semantics.window(pointer)),
        Register(to.leaf(phase).name),
    ]
    wait = effects.mbarrier_wait(Context(op, to), ["try_wait", "parity"], operands, True)
    to.wait(wait.condition)
    return True


def _bulk_to_shared(op: Operation) -> Form:
    *_, multicast, hint = _segments(op)
    where = "cluster" if _space(op, 0) == SHARED_CLUSTER else "cta"
    opcode = f"cp.async.bulk.shared::{where}.global.{_COMPLETE}"
    opcode += ".multicast::cluster" * multicast + _HINT * hint
    return (
        opcode,
        ["address 0", "address 1", 3, "address 2", *range(4, 4 + multicast + hint)],
        None,
    )


def _bulk_to_global(op: Operation) -> Form:
    *_, hint, masked = _segments(op)
    opcode = "cp.async.bulk.global.shared::cta.bulk_group" + _HINT * hint + ".cp_mask" * masked
    return opcode, ["address 0", "address 1", 2, *range(3, 3 + hint + masked)], None


def _wait_group(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    pending = int_property(op, "group")
    read = ".read" if flag_of(op, "read") else ""
    operand = Register(Context(op, to).array(pending))
    return run(semantics, op, f"cp.async.bulk.wait_group{read}", [operand], to)


def _dimension(mode: str, coordinates: int) -> str:
    return "2d" if mode.endswith("4") else f"{coordinates}d"


def _tensor_load(op: Operation) -> Form:
    _, _, coordinates, _, offsets, multicast, hint, guarded = _segments(op)
    mode = _LOAD_MODES[keyword_of(op, "mode", "tile")]
    where = "cluster" if _space(op, 0) == SHARED_CLUSTER else "cta"
    group = keyword_of(op, "group")
    opcode = (
        f"cp.async.bulk.tensor.{_dimension(mode, coordinates)}.shared::{where}.global.{mode}"
        f".{_COMPLETE}{'.multicast::cluster' * multicast}"
        f"{f'.cta_group::{group[-1]}' if group else ''}{_HINT * hint}"
    )
    barrier = 2 + coordinates
    rest = barrier + 1 + offsets
    order: list[int | str] = ["address 0", f"list 1 2 {coordinates}", f"address {barrier}"]
    if offsets:
        order.append(f"group {barrier + 1} {offsets}")
    order += range(rest, rest + multicast + hint)
    return opcode, order, fast.operands_of(op)[-1] if guarded else None


def _tensor_store(op: Operation) -> Form:
    _, _, coordinates, hint, *guarded = _segments(op)
    mode = _STORE_MODES[keyword_of(op, "mode", "tile")]
    head = f"cp.async.bulk.tensor.{_dimension(mode, coordinates)}.global.shared::cta"
    if "redKind" in op.properties:
        head = head.replace("cp.", "cp.reduce.", 1) + f".{keyword_of(op, 'redKind')}"
    order: list[int | str] = [f"list 0 2 {coordinates}", "address 1"]
    order += range(2 + coordinates, 2 + coordinates + hint)
    predicate = fast.operands_of(op)[-1] if any(guarded) else None
    return f"{head}.{mode}.bulk_group{_HINT * hint}", order, predicate


def _tensor_prefetch(op: Operation) -> Form:
    _, coordinates, offsets, hint = _segments(op)
    mode = _LOAD_MODES[keyword_of(op, "mode", "tile")]
    head = f"cp.async.bulk.prefetch.tensor.{_dimension(mode, coordinates)}.L2.global.{mode}"
    order: list[int | str] = [f"list 0 1 {coordinates}"]
    if offsets:
        order.append(f"group {1 + coordinates} {offsets}")
    rest = 1 + coordinates + offsets
    return head + _HINT * hint, [*order, *range(rest, rest + hint)], None


def _store_bulk(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    number = int_property(op, "initVal")
    pointer, size = fast.operands_of(op)
    operands: list[Operand] = [
        Address(to.leaf(pointer).name, 0, semantics.window(pointer)),
        Register(to.leaf(size).name),
        Register(Context(op, to).array(number)),
    ]
    return run(semantics, op, "st.bulk", operands, to)


def _try_cancel(op: Operation) -> Form:
    multicast = ".multicast::cluster::all" if "multicast" in op.properties else ""
    opcode = f"clusterlaunchcontrol.try_cancel.async.{_COMPLETE}{multicast}.b128"
    return opcode, ["address 0", "address 1"], None


def _query_cancel(op: Operation) -> Form:
    kind = keyword_of(op, "query_type")
    name = "clusterlaunchcontrol.query_cancel"
    if kind == "is_canceled":
        return f"{name}.is_canceled.pred.b128", [0], None
    return f"{name}.get_first_ctaid::{kind[-1]}.b32.b128", [0], None


OPS: dict[str, EmitOp] = {
    "nvvm.mbarrier.init": _written(_initialize),
    "nvvm.mbarrier.inval": _fixed("mbarrier.inval.b64", "address 0"),
    "nvvm.mbarrier.arrive": _arrive("arrive"),
    "nvvm.mbarrier.arrive.nocomplete": _arrive("arrive"),
    "nvvm.mbarrier.arrive.expect_tx": _arrive("arrive.expect_tx"),
    "nvvm.mbarrier.arrive_drop": _arrive("arrive_drop"),
    "nvvm.mbarrier.arrive_drop.nocomplete": _arrive("arrive_drop"),
    "nvvm.mbarrier.arrive_drop.expect_tx": _arrive("arrive_drop.expect_tx"),
    "nvvm.mbarrier.expect_tx": _arrive("expect_tx"),
    "nvvm.mbarrier.complete_tx": _arrive("complete_tx"),
    "nvvm.mbarrier.test.wait": _wait("test_wait"),
    "nvvm.mbarrier.try_wait": _wait("try_wait"),
    "nvvm.mbarrier.try_wait.parity": _wait_to_the_end,
    "nvvm.cp.async.mbarrier.arrive": _written(
        lambda op: (
            f"cp.async.mbarrier.arrive{'.noinc' if flag_of(op, 'noinc') else ''}.b64",
            ["address 0"],
            None,
        )
    ),
    "nvvm.cp.async.bulk.commit.group": _fixed("cp.async.bulk.commit_group"),
    "nvvm.cp.async.bulk.wait_group": _wait_group,
    "nvvm.cp.async.bulk.shared.cluster.global": _written(_bulk_to_shared),
    "nvvm.cp.async.bulk.shared.cluster.shared.cta": _fixed(
        f"cp.async.bulk.shared::cluster.shared::cta.{_COMPLETE}",
        "address 0",
        "address 1",
        3,
        "address 2",
    ),
    "nvvm.cp.async.bulk.global.shared.cta": _written(_bulk_to_global),
    "nvvm.cp.async.bulk.prefetch": _fixed("cp.async.bulk.prefetch.L2.global", "address 0", 1),
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": _written(_tensor_load),
    "nvvm.cp.async.bulk.tensor.global.shared.cta": _written(_tensor_store),
    "nvvm.cp.async.bulk.tensor.reduce": _written(_tensor_store),
    "nvvm.cp.async.bulk.tensor.prefetch": _written(_tensor_prefetch),
    "nvvm.st.bulk": _store_bulk,
    "nvvm.clusterlaunchcontrol.try.cancel": _written(_try_cancel),
    "nvvm.clusterlaunchcontrol.query.cancel": _written(_query_cancel),
}
