"""The PTX of each op of the nvvm dialect, in the notation of `table.py`.

`$n` is operand n of the op. If the text depends on attributes, the table has a function from the op
to the text.

Facts: MLIR 22's NVVMOps.td and the PTX ISA 9.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.codegen.intrinsics import families
from nvvm_xdsl.dialects.llvm.accessors import integer_width, integers_of, number_of
from nvvm_xdsl.dialects.llvm.types import I1, address_space_of
from nvvm_xdsl.dialects.nvvm import tcgen05_ptx
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.ir.fast import operands_of
from nvvm_xdsl.ir.nvptx import GENERIC, SHARED, SHARED_CLUSTER

Spelling = Callable[[Operation], "str | None"]


def _int(op: Operation, name: str) -> int:
    return number_of(op.properties[name])


def _segments(op: Operation) -> tuple[int, ...]:
    sizes = op.properties["operandSegmentSizes"]
    return tuple(int(v) for v in integers_of(sizes))


def _space(op: Operation, index: int) -> int:
    type_ = operands_of(op)[index].type
    return address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0


def _count(op: Operation) -> int:
    return len(operands_of(op))


def _registers(first: int, count: int) -> str:
    return "{" + ", ".join(f"${i}" for i in range(first, first + count)) + "}"


def _no_constant(index: int) -> int | None:
    return None


def _barrier(op: Operation) -> str | None:
    has_id, has_count, has_predicate = _segments(op)
    if has_predicate:
        return None
    identifier = "$0" if has_id else "0"
    return f"bar.sync {identifier}" + (f", ${has_id}" if has_count else "")


def _barrier_arrive(op: Operation) -> str | None:
    return "bar.arrive $0, $1" if _count(op) == 2 else "bar.arrive 0, $0"


def _cluster(text: str) -> Spelling:
    return lambda op: text + (".aligned" if flag_of(op, "aligned") else "")


def _space_suffix(op: Operation, index: int) -> str:
    return ".shared" if _space(op, index) == 3 else ""


def _cp_async(op: Operation) -> str | None:
    modifier = keyword_of(op, "modifier")
    size = _int(op, "size")
    tail = ", $2" if _count(op) == 3 else ""
    return f"cp.async.{modifier}.shared.global [$0], [$1], {size}{tail}"


def _cp_async_arrive(op: Operation) -> str | None:
    noinc = ".noinc" if flag_of(op, "noinc") else ""
    return f"cp.async.mbarrier.arrive{noinc}{_space_suffix(op, 0)}.b64 [$0]"


def _bulk_wait(op: Operation) -> str | None:
    read = ".read" if flag_of(op, "read") else ""
    return f"cp.async.bulk.wait_group{read} {_int(op, 'group')}"


def _bulk_to_global(op: Operation) -> str | None:
    _, _, _, hint, mask = _segments(op)
    modifiers = (".L2::cache_hint" if hint else "") + (".cp_mask" if mask else "")
    operands = "[$0], [$1], $2" + "".join(f", ${3 + i}" for i in range(hint + mask))
    return f"cp.async.bulk.global.shared::cta.bulk_group{modifiers} {operands}"


def _bulk_prefetch(op: Operation) -> str | None:
    hint = _count(op) == 3
    cache, policy = (".L2::cache_hint", ", $2") if hint else ("", "")
    return f"cp.async.bulk.prefetch.L2.global{cache} [$0], $1{policy}"


def _bulk_to_shared(op: Operation) -> str | None:
    *_, multicast, hint = _segments(op)
    where = "cluster" if _space(op, 0) == 7 else "cta"
    modifiers = ".multicast::cluster" if multicast else ""
    modifiers += ".L2::cache_hint" if hint else ""
    operands = "[$0], [$1], $3, [$2]" + "".join(f", ${4 + i}" for i in range(multicast + hint))
    return (
        f"cp.async.bulk.shared::{where}.global.mbarrier::complete_tx::bytes{modifiers} {operands}"
    )


_LOAD_MODES = {
    "tile": "tile",
    "im2col": "im2col",
    "im2col_w": "im2col::w",
    "im2col_w_128": "im2col::w::128",
    "tile_gather4": "tile::gather4",
}
_STORE_MODES = {"tile": "tile", "im2col": "im2col_no_offs", "tile_scatter4": "tile::scatter4"}


def _dimension(mode: str, coordinates: int) -> str:
    return "2d" if mode in ("tile_gather4", "tile_scatter4") else f"{coordinates}d"


def _tensor_store(op: Operation) -> str | None:
    _, _, coordinates, hint, predicate = _segments(op)
    mode = keyword_of(op, "mode", "tile")
    guard = f"@${_count(op) - 1} " if predicate else ""
    cache, policy = (".L2::cache_hint", f", ${2 + coordinates}") if hint else ("", "")
    return (
        f"{guard}cp.async.bulk.tensor.{_dimension(mode, coordinates)}.global.shared::cta"
        f".{_STORE_MODES[mode]}.bulk_group{cache} [$0, {_registers(2, coordinates)}], [$1]{policy}"
    )


def _tensor_reduce(op: Operation) -> str | None:
    _, _, coordinates, hint = _segments(op)
    mode = keyword_of(op, "mode", "tile")
    cache, policy = (".L2::cache_hint", f", ${2 + coordinates}") if hint else ("", "")
    return (
        f"cp.reduce.async.bulk.tensor.{_dimension(mode, coordinates)}.global.shared::cta"
        f".{keyword_of(op, 'redKind')}.{_STORE_MODES[mode]}.bulk_group{cache}"
        f" [$0, {_registers(2, coordinates)}], [$1]{policy}"
    )


def _tensor_prefetch(op: Operation) -> str | None:
    _, coordinates, offsets, hint = _segments(op)
    mode = keyword_of(op, "mode", "tile")
    at = 1 + coordinates
    im2col = f", {_registers(at, offsets)}" if offsets else ""
    cache, policy = (".L2::cache_hint", f", ${at + offsets}") if hint else ("", "")
    return (
        f"cp.async.bulk.prefetch.tensor.{_dimension(mode, coordinates)}.L2.global"
        f".{_LOAD_MODES[mode]}{cache} [$0, {_registers(1, coordinates)}]{im2col}{policy}"
    )


def _tensor_load(op: Operation) -> str | None:
    _, _, coordinates, _, offsets, multicast, hint, predicate = _segments(op)
    mode = keyword_of(op, "mode", "tile")
    barrier = 2 + coordinates
    at = barrier + 1
    where = "cluster" if _space(op, 0) == 7 else "cta"
    group = keyword_of(op, "group")
    modifiers = ".mbarrier::complete_tx::bytes"
    modifiers += ".multicast::cluster" if multicast else ""
    modifiers += f".cta_group::{group[-1]}" if group else ""
    modifiers += ".L2::cache_hint" if hint else ""
    operands = f"[$0], [$1, {_registers(2, coordinates)}], [${barrier}]"
    operands += f", {_registers(at, offsets)}" if offsets else ""
    operands += f", ${at + offsets}" if multicast else ""
    operands += f", ${at + offsets + multicast}" if hint else ""
    guard = f"@${_count(op) - 1} " if predicate else ""
    return (
        f"{guard}cp.async.bulk.tensor.{_dimension(mode, coordinates)}.shared::{where}.global"
        f".{_LOAD_MODES[mode]}{modifiers} {operands}"
    )


_SIGN = {"signed": "s32", "unsigned": "u32"}


def _dot(way: int) -> Spelling:
    def spelling(op: Operation) -> str | None:
        half = (".hi" if flag_of(op, "b_hi") else ".lo") if way == 2 else ""
        a, b = _SIGN[keyword_of(op, "a_type")], _SIGN[keyword_of(op, "b_type")]
        return f"dp{way}a{half}.{a}.{b} $0, $1, $2"

    return spelling


def _fence_proxy(op: Operation) -> str | None:
    kind = keyword_of(op, "kind")
    if kind == "async.shared":
        return f"fence.proxy.async.shared::{keyword_of(op, 'space')}"
    return f"fence.proxy.{kind}"


def _fence_tensormap(order: str) -> Spelling:
    operands = " [$0], $1" if order == "acquire" else ""
    return lambda op: f"fence.proxy.tensormap::generic.{order}.{keyword_of(op, 'scope')}{operands}"


_SYNC_RESTRICT = {"acquire": "shared::cluster", "release": "shared::cta"}


def _fence_restrict(proxy: str) -> Spelling:
    def spelling(op: Operation) -> str | None:
        order = keyword_of(op, "order")
        return f"fence{proxy}.{order}.sync_restrict::{_SYNC_RESTRICT[order]}.cluster"

    return spelling


_GRID = {"wait": "wait", "launch_dependents": "launch_dependents"}


def _matrix_shape(op: Operation) -> str:
    m, n, k = (_struct_int(op, "shape", field) for field in ("m", "n", "k"))
    return f"m{m}n{n}" + (f"k{k}" if k else "")


def _struct_int(op: Operation, name: str, field: str) -> int:
    attr = cast(Any, op.properties[name])
    if field not in {f.name for f in attr.FIELDS}:
        return 0
    return int(attr.field(field).data)


def _ldmatrix(op: Operation) -> str | None:
    trans = ".trans" if keyword_of(op, "layout") == "col" else ""
    return (
        f"ldmatrix.sync.aligned.{_matrix_shape(op)}.x{_int(op, 'num')}{trans}.shared"
        f".{keyword_of(op, 'eltType')} [$0]"
    )


def _stmatrix(op: Operation) -> str | None:
    count = _count(op) - 1
    trans = ".trans" if keyword_of(op, "layout") == "col" else ""
    return (
        f"stmatrix.sync.aligned.{_matrix_shape(op)}.x{count}{trans}.shared"
        f".{keyword_of(op, 'eltType')} [$0], {_registers(1, count)}"
    )


def _mapa(op: Operation) -> str | None:
    space = ".shared::cluster" if _space(op, 0) == 3 else ""
    return f"mapa{space}.u64 $0, $1"


def _match(op: Operation) -> str | None:
    return f"match.{keyword_of(op, 'kind')}.sync.<type 1> $1, $0"


_MBARRIER_SPACE = {GENERIC: "", SHARED: ".shared::cta", SHARED_CLUSTER: ".shared::cluster"}


def _mbarrier(action: str, order: str | None, *, sinks: bool = True) -> Spelling:
    """Arrive, expect and complete forms: `order` is the default ordering, or None."""

    def spelling(op: Operation) -> str | None:
        space = _space(op, 0)
        # These have no other i1 operand.
        has_predicate = operands_of(op)[-1].type == I1
        operands = _count(op) - (1 if has_predicate else 0)
        scope = keyword_of(op, "scope", "cta")
        if order is None:
            ordering = f".relaxed.{scope}"
        elif flag_of(op, "relaxed"):
            ordering = f".relaxed.{scope}"
        elif scope == "cta" and (operands == 1 or space == GENERIC):
            ordering = ""
        else:
            ordering = f".{order}.{scope}"
        sink = "_, " if sinks and not op.results else ""
        guard = f"@${operands} " if has_predicate else ""
        count = ", $1" if operands > 1 else ""
        return f"{guard}mbarrier.{action}{ordering}{_MBARRIER_SPACE[space]}.b64 {sink}[$0]{count}"

    return spelling


def _mbarrier_plain(action: str, tail: str = "") -> Spelling:
    return lambda op: f"mbarrier.{action}{_space_suffix(op, 0)}.b64 [$0]{tail}"


def _mbarrier_no_complete(action: str) -> Spelling:
    def spelling(op: Operation) -> str | None:
        sink = "" if op.results else "_, "
        return f"mbarrier.{action}.noComplete{_space_suffix(op, 0)}.b64 {sink}[$0], $1"

    return spelling


def _mbarrier_init(op: Operation) -> str | None:
    guard = "@$2 " if _count(op) == 3 else ""
    return f"{guard}mbarrier.init{_space_suffix(op, 0)}.b64 [$0], $1"


def _mbarrier_wait(kind: str) -> Spelling:
    def spelling(op: Operation) -> str | None:
        width = integer_width(operands_of(op)[1].type)
        parity = ".parity" if width == 32 else ""
        scope = keyword_of(op, "scope", "cta")
        order = "relaxed" if flag_of(op, "relaxed") else "acquire"
        ordering = "" if order == "acquire" and scope == "cta" else f".{order}.{scope}"
        ticks = ", $2" if _count(op) == 3 else ""
        return (
            f"mbarrier.{kind}{parity}{ordering}{_MBARRIER_SPACE[_space(op, 0)]}.b64 [$0], $1{ticks}"
        )

    return spelling


def mbarrier_wait_loop(op: Operation) -> str:
    """The assembly of `nvvm.mbarrier.try_wait.parity`: a loop that waits until the phase is
    complete, as in MLIR. Its inputs are the operands of the op."""
    space = ".shared::cta" if _space(op, 0) == SHARED else ""
    return (
        "{\n\t.reg .pred complete;\nwait:\n\t"
        f"mbarrier.try_wait.parity{space}.b64 complete, [$0], $1, $2;\n\t"
        "@!complete bra.uni wait;\n}"
    )


_MEMBAR = {
    "cta": "membar.cta",
    "gpu": "membar.gl",
    "sys": "membar.sys",
    "cluster": "fence.sc.cluster",
}


def _mma(op: Operation) -> str | None:
    a_count, b_count, c_count = _segments(op)
    d = _matrix_result_type(op)
    a = keyword_of(op, "multiplicandAPtxType")
    b = keyword_of(op, "multiplicandBPtxType")
    if not a or not b:
        return None
    shape = _matrix_shape(op)
    saturate = ".satfinite" if keyword_of(op, "intOverflowBehavior") == "satfinite" else ""
    c = _register_type(operands_of(op)[a_count + b_count].type, d)
    bit_operation = keyword_of(op, "b1Op", "none")
    bits = "" if bit_operation == "none" else "." + bit_operation.replace("_", ".")
    operands = ", ".join(
        (
            _registers(0, a_count),
            _registers(a_count, b_count),
            _registers(a_count + b_count, c_count),
        )
    )
    layouts = f"{keyword_of(op, 'layoutA')}.{keyword_of(op, 'layoutB')}"
    return f"mma.sync.aligned.{shape}.{layouts}{saturate}.{d}.{a}.{b}.{c}{bits} {operands}"


def _mma_variant(op: Operation) -> str | None:
    """`nvvm.mma.sp.sync` and the block-scaled ones: PTX ISA 9.7.14.5, 9.7.14.6.

    A is read by rows, B by columns. The selector of a sparse A is a constant.
    """
    sizes = _segments(op)
    a, b = (keyword_of(op, f"multiplicand{matrix}PtxType") for matrix in "AB")
    if not a or not b:
        return None
    sparse, scaled = ".sp." in op.name, "block_scale" in op.name
    head = "mma.sp" if sparse else "mma"
    if sparse and flag_of(op, "orderedMetadata"):
        head = "mma.sp::ordered_metadata"
    kind = keyword_of(op, "kind")
    modifiers = f".kind::{kind}" if kind else ""
    tail = ""
    if scaled:
        size = keyword_of(op, "scaleVecSize")[1:]
        modifiers += f".block_scale.scale_vec::{size}X"
        tail = f".{keyword_of(op, 'blockScaleFormat')}"
    if keyword_of(op, "intOverflowBehavior") == "satfinite":
        modifiers += ".satfinite"
    d = _matrix_result_type(op)
    at = sizes[0] + sizes[1]
    c = _register_type(operands_of(op)[at].type, d)
    operands = [_registers(0, sizes[0]), _registers(sizes[0], sizes[1]), _registers(at, sizes[2])]
    at += sizes[2]
    if sparse:
        operands += [f"${at}", f"!{at + 1}"]
        at += 2
    if scaled:
        for first in (at, at + 3):
            operands += [f"${first}", _registers(first + 1, 2)]
    return (
        f"{head}.sync.aligned.{_matrix_shape(op)}.row.col{modifiers}.{d}.{a}.{b}.{c}{tail}"
        f" {', '.join(operands)}"
    )


def _matrix_result_type(op: Operation) -> str:
    type_ = cast(Any, op.results[0].type)
    return _register_type(type_.types.data[0], "s32")


def _register_type(type_: Any, integer: str) -> str:
    name = str(type_)
    if "f16" in name:
        return "f16"
    if name in ("f32", "f64"):
        return name
    return integer if integer.startswith("s") else "s32"


def _wmma_geometry(op: Operation) -> str:
    return f"m{_int(op, 'm')}n{_int(op, 'n')}k{_int(op, 'k')}"


def _wmma_load(op: Operation) -> str | None:
    return (
        f"wmma.load.{keyword_of(op, 'frag')}.sync.aligned.{keyword_of(op, 'layout')}.{_wmma_geometry(op)}"
        f"<space 0>.{keyword_of(op, 'eltype')} [$0], $1"
    )


def _wmma_store(op: Operation) -> str | None:
    count = _count(op) - 2
    return (
        f"wmma.store.d.sync.aligned.{keyword_of(op, 'layout')}.{_wmma_geometry(op)}"
        f"<space 0>.{keyword_of(op, 'eltype')} [$0], {_registers(1, count)}, ${count + 1}"
    )


def _wmma_mma(op: Operation) -> str | None:
    element = keyword_of(op, "eltypeA")
    layouts = [keyword_of(op, "layoutA"), keyword_of(op, "layoutB")]
    d = keyword_of(op, "eltypeB")
    types = [d, d] if element == "f16" else [element]
    parts = [_wmma_geometry(op), "mma", *layouts, *types]
    return families.wmma(parts, _count(op), _no_constant)


def _prefetch(op: Operation) -> str | None:
    guard = "@$1 " if _count(op) == 2 else ""
    if flag_of(op, "tensormap"):
        space = ".param" if flag_of(op, "in_param_space") else "<space 0>"
        return f"{guard}prefetch{space}.tensormap [$0]"
    level = keyword_of(op, "cacheLevel")
    if flag_of(op, "uniform"):
        return f"{guard}prefetchu.{level} [$0]"
    priority = keyword_of(op, "evictPriority")
    suffix = f"::{priority}" if priority else ""
    return f"{guard}prefetch<space 0>.{level}{suffix} [$0]"


def _prmt(op: Operation) -> str | None:
    mode = keyword_of(op, "mode")
    suffix = "" if mode == "default" else f".{mode}"
    return f"prmt.b32{suffix} $0, $1, $2" if _count(op) == 3 else f"prmt.b32{suffix} $0, 0, $1"


_REDUX = {
    "add": "add.s32", "and": "and.b32", "or": "or.b32", "xor": "xor.b32", "max": "max.s32",
    "min": "min.s32", "umax": "max.u32", "umin": "min.u32",
}  # fmt: skip


def _redux(op: Operation) -> str | None:
    kind = keyword_of(op, "kind")
    if kind in ("fmin", "fmax"):
        suffix = (".abs" if flag_of(op, "abs") else "") + (".NaN" if flag_of(op, "nan") else "")
        return f"redux.sync.{kind[1:]}{suffix}.f32 $0, $1"
    return f"redux.sync.{_REDUX[kind]} $0, $1"


def _set_max_register(op: Operation) -> str | None:
    action = {"increase": "inc", "decrease": "dec"}[keyword_of(op, "action")]
    return f"setmaxnreg.{action}.sync.aligned.u32 {_int(op, 'regCount')}"


def _store_bulk(op: Operation) -> str | None:
    space = ".shared::cta" if _space(op, 0) == 3 else ""
    return f"st.bulk{space} [$0], $1, {_int(op, 'initVal') if 'initVal' in op.properties else 0}"


def _vote(op: Operation) -> str | None:
    kind = keyword_of(op, "kind")
    return f"vote.sync.{kind}.{'b32' if kind == 'ballot' else 'pred'} $1, $0"


def _tf32(op: Operation) -> str | None:
    saturate = ".satfinite" if keyword_of(op, "sat", "none") == "satfinite" else ""
    relu = ".relu" if flag_of(op, "relu") else ""
    return f"cvt.{keyword_of(op, 'rnd')}{saturate}{relu}.tf32.f32 $0"


def _wgmma(op: Operation) -> str | None:
    """`nvvm.wgmma.mma_async`. A is stored as `row` (along K), B as `col`; matrices of halves may
    have the other layout."""
    d, a, b = (keyword_of(op, f"type{matrix}") for matrix in "DAB")
    saturate = ".satfinite" if keyword_of(op, "satfinite") == "satfinite" else ""
    bits = ".and.popc" if a == "b1" else ""
    numbers = [int(keyword_of(op, "scaleD") == "one")]
    if d != "s32":
        numbers += [-1 if keyword_of(op, f"scale{matrix}") == "neg" else 1 for matrix in "AB"]
    turned = [int(keyword_of(op, "layoutA") == "col"), int(keyword_of(op, "layoutB") == "row")]
    if a in ("f16", "bf16"):
        numbers += turned
    elif any(turned):
        return None
    operands = ", ".join(["$1", "$2", *(str(n) for n in numbers)])
    shape = _matrix_shape(op)
    return f"wgmma.mma_async.sync.aligned.{shape}{saturate}.{d}.{a}.{b}{bits} {operands}"


def _performance_event(op: Operation) -> str | None:
    if "maskedEventId" in op.properties:
        return f"pmevent.mask {_int(op, 'maskedEventId') & 0xFFFF}"
    return f"pmevent {_int(op, 'eventId')}"


def _try_cancel(op: Operation) -> str | None:
    multicast = ".multicast::cluster::all" if flag_of(op, "multicast") else ""
    return (
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
        f"{multicast}.b128 [$0], [$1]"
    )


def _text(text: str) -> Spelling:
    return lambda op: text


NVVM_OPS: dict[str, Spelling] = {
    "nvvm.bar.warp.sync": _text("bar.warp.sync $0"),
    "nvvm.barrier": _barrier,
    "nvvm.barrier.arrive": _barrier_arrive,
    "nvvm.barrier0": _text("bar.sync 0"),
    "nvvm.breakpoint": _text("brkpt"),
    "nvvm.cluster.arrive": _cluster("barrier.cluster.arrive"),
    "nvvm.cluster.arrive.relaxed": _cluster("barrier.cluster.arrive.relaxed"),
    "nvvm.cluster.wait": _cluster("barrier.cluster.wait"),
    "nvvm.clusterlaunchcontrol.try.cancel": _try_cancel,
    "nvvm.convert.float.to.tf32": _tf32,
    "nvvm.cp.async.bulk.commit.group": _text("cp.async.bulk.commit_group"),
    "nvvm.cp.async.bulk.global.shared.cta": _bulk_to_global,
    "nvvm.cp.async.bulk.prefetch": _bulk_prefetch,
    "nvvm.cp.async.bulk.shared.cluster.global": _bulk_to_shared,
    "nvvm.cp.async.bulk.shared.cluster.shared.cta": _text(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
        " [$0], [$1], $3, [$2]"
    ),
    "nvvm.cp.async.bulk.tensor.global.shared.cta": _tensor_store,
    "nvvm.cp.async.bulk.tensor.prefetch": _tensor_prefetch,
    "nvvm.cp.async.bulk.tensor.reduce": _tensor_reduce,
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": _tensor_load,
    "nvvm.cp.async.bulk.wait_group": _bulk_wait,
    "nvvm.cp.async.commit.group": _text("cp.async.commit_group"),
    "nvvm.cp.async.mbarrier.arrive": _cp_async_arrive,
    "nvvm.cp.async.shared.global": _cp_async,
    "nvvm.cp.async.wait.group": lambda op: f"cp.async.wait_group {_int(op, 'n')}",
    "nvvm.dot.accumulate.2way": _dot(2),
    "nvvm.dot.accumulate.4way": _dot(4),
    "nvvm.exit": _text("exit"),
    "nvvm.fence.mbarrier.init": _text("fence.mbarrier_init.release.cluster"),
    "nvvm.fence.proxy": _fence_proxy,
    "nvvm.fence.proxy.acquire": _fence_tensormap("acquire"),
    "nvvm.fence.proxy.release": _fence_tensormap("release"),
    "nvvm.fence.proxy.sync_restrict": _fence_restrict(".proxy.async::generic"),
    "nvvm.fence.sc.cluster": _text("fence.sc.cluster"),
    "nvvm.fence.sync_restrict": _fence_restrict(""),
    "nvvm.griddepcontrol": lambda op: f"griddepcontrol.{_GRID[keyword_of(op, 'kind')]}",
    "nvvm.ldmatrix": _ldmatrix,
    "nvvm.mapa": _mapa,
    "nvvm.match.sync": _match,
    "nvvm.mbarrier.arrive": _mbarrier("arrive", "release"),
    "nvvm.mbarrier.arrive.expect_tx": _mbarrier("arrive.expect_tx", "release"),
    "nvvm.mbarrier.arrive.nocomplete": _mbarrier_no_complete("arrive"),
    "nvvm.mbarrier.arrive_drop": _mbarrier("arrive_drop", "release"),
    "nvvm.mbarrier.arrive_drop.expect_tx": _mbarrier("arrive_drop.expect_tx", "release"),
    "nvvm.mbarrier.arrive_drop.nocomplete": _mbarrier_no_complete("arrive_drop"),
    "nvvm.mbarrier.complete_tx": _mbarrier("complete_tx", None, sinks=False),
    "nvvm.mbarrier.expect_tx": _mbarrier("expect_tx", None, sinks=False),
    "nvvm.mbarrier.init": _mbarrier_init,
    "nvvm.mbarrier.inval": _mbarrier_plain("inval"),
    "nvvm.mbarrier.test.wait": _mbarrier_wait("test_wait"),
    "nvvm.mbarrier.try_wait": _mbarrier_wait("try_wait"),
    "nvvm.memory.barrier": lambda op: _MEMBAR[keyword_of(op, "scope")],
    "nvvm.mma.block_scale": _mma_variant,
    "nvvm.mma.sp.block_scale": _mma_variant,
    "nvvm.mma.sp.sync": _mma_variant,
    "nvvm.mma.sync": _mma,
    "nvvm.nanosleep": _text("nanosleep.u32 $0"),
    "nvvm.pmevent": _performance_event,
    "nvvm.prefetch": _prefetch,
    "nvvm.prmt": _prmt,
    "nvvm.rcp.approx.ftz.f": _text("rcp.approx.ftz.f32 $0"),
    "nvvm.redux.sync": _redux,
    "nvvm.setmaxregister": _set_max_register,
    "nvvm.shfl.sync": lambda op: f"shfl.sync.{keyword_of(op, 'kind')}.b32 $1, $2, $3, $0",
    "nvvm.st.bulk": _store_bulk,
    "nvvm.stmatrix": _stmatrix,
    **tcgen05_ptx.OPS,
    "nvvm.vote.sync": _vote,
    "nvvm.wgmma.commit.group.sync.aligned": _text("wgmma.commit_group.sync.aligned"),
    "nvvm.wgmma.mma_async": _wgmma,
    "nvvm.wgmma.fence.aligned": _text("wgmma.fence.sync.aligned"),
    "nvvm.wgmma.wait.group.sync.aligned": lambda op: (
        f"wgmma.wait_group.sync.aligned {_int(op, 'group')}"
    ),
    "nvvm.wmma.load": _wmma_load,
    "nvvm.wmma.mma": _wmma_mma,
    "nvvm.wmma.store": _wmma_store,
}


def op_instruction(op: Operation) -> str | None:
    """The PTX text of an nvvm op; None if this form has none."""
    spelling = NVVM_OPS.get(op.name)
    return None if spelling is None else spelling(op)
