"""The PTX instruction of each intrinsic of barrier objects, bulk and tensor copies.

Many intrinsics have constant arguments that select modifiers, for example a cache policy or a
multicast (LLVM's User Guide for the NVPTX back end).
"""

from __future__ import annotations

import re
from collections.abc import Callable

Order = tuple[int | str, ...]
"""The sources of operands, in the notation of `intrinsics`."""

Instruction = tuple[str, Order]
Constants = Callable[[int], int]

_SCOPE = r"\.scope\.(?:cta|cluster)\.space\.(?:cta|cluster)"


def _arrive(match: re.Match[str]) -> Instruction:
    action = match[1].replace(".", "_")
    return f"mbarrier.{action}{'.expect_tx' if match[2] else ''}.b64", ("address 0", 1)


def _wait(match: re.Match[str]) -> Instruction:
    return f"mbarrier.{match[1]}_wait{match[2] or ''}.b64", ("address 0", 1)


def _replace(match: re.Match[str]) -> Instruction:
    field = match[1].replace(".", "_")
    ordinal = field in ("box_dim", "global_dim", "global_stride", "element_stride")
    bits = 64 if field in ("global_address", "global_stride") else 32
    return f"tensormap.replace.tile.{field}.b1024.b{bits}", (
        "address 0",
        *((1, 2) if ordinal else (1,)),
    )


def _query(match: re.Match[str]) -> Instruction:
    name = "clusterlaunchcontrol.query_cancel"
    if match[1] == "is_canceled":
        return f"{name}.is_canceled.pred.b128", (0,)
    return f"{name}.get_first_ctaid::{match[1][-1]}.b32.b128", (0,)


RULES: tuple[tuple[str, Callable[[re.Match[str]], Instruction]], ...] = (
    (rf"mbarrier\.(arrive(?:\.drop)?)(\.expect\.tx)?(?:\.relaxed)?{_SCOPE}", _arrive),
    (rf"mbarrier\.(expect|complete)\.tx{_SCOPE}", lambda m: (f"mbarrier.{m[1]}_tx.b64", ("address 0", 1))),
    (rf"mbarrier\.(test|try)\.wait(\.parity)?(?:\.tl)?(?:\.relaxed)?{_SCOPE}", _wait),
    (r"cp\.async\.mbarrier\.arrive(\.noinc)?(?:\.shared)?", lambda m: (f"cp.async.mbarrier.arrive{m[1] or ''}.b64", ("address 0",))),
    (r"cp\.async\.bulk\.commit\.group", lambda m: ("cp.async.bulk.commit_group", ())),
    (r"cp\.async\.bulk\.wait\.group(\.read)?", lambda m: (f"cp.async.bulk.wait_group{m[1] or ''}", (0,))),
    (r"st\.bulk(?:\.shared\.cta)?", lambda m: ("st.bulk", ("address 0", 1, 2))),
    (r"tensormap\.replace\.([\w.]+)", _replace),
    (r"clusterlaunchcontrol\.try_cancel\.async(\.multicast)?\.shared", lambda m: (
        f"clusterlaunchcontrol.try_cancel.async.mbarrier::complete_tx::bytes{'.multicast::cluster::all' if m[1] else ''}.b128",
        ("address 0", "address 1"))),
    (r"clusterlaunchcontrol\.query_cancel\.(is_canceled|get_first_ctaid\.[xyz])", _query),
)  # fmt: skip

_TO_SHARED = "mbarrier::complete_tx::bytes"
_HINT = ".L2::cache_hint"


def instruction(name: str, count: int, constant: Constants) -> Instruction | None:
    """The instruction of an intrinsic whose modifiers are arguments.

    Arguments:
        name: the part of the name after `llvm.nvvm.`.
        count: number of arguments.
        constant: returns the value of a constant argument.
    """
    match = re.fullmatch(r"cp\.async\.bulk\.tensor\.(\w+)\.(?:(.*)\.)?(\d)d", name)
    if match:
        return _tensor(match[1], (match[2] or "").split("."), int(match[3]), count, constant)
    match = re.fullmatch(r"cp\.async\.bulk\.([\w.]+)", name)
    return _bulk(match[1], constant) if match else None


def _bulk(name: str, constant: Constants) -> Instruction | None:
    if name == "global.to.shared.cluster":
        multicast, hint = constant(6), constant(7)
        mods = (".multicast::cluster" if multicast else "") + (_HINT if hint else "")
        tail = (4,) * bool(multicast) + (5,) * bool(hint)
        opcode = f"cp.async.bulk.shared::cluster.global.{_TO_SHARED}{mods}"
        return opcode, ("address 0", "address 2", 3, "address 1", *tail)
    if name == "global.to.shared.cta":
        hint = constant(5)
        opcode = f"cp.async.bulk.shared::cta.global.{_TO_SHARED}{_HINT if hint else ''}"
        return opcode, ("address 0", "address 2", 3, "address 1", *((4,) if hint else ()))
    if name == "shared.cta.to.cluster":
        opcode = f"cp.async.bulk.shared::cluster.shared::cta.{_TO_SHARED}"
        return opcode, ("address 0", "address 2", 3, "address 1")
    if name in ("shared.cta.to.global", "shared.cta.to.global.bytemask"):
        hint, masked = constant(4), name.endswith("bytemask")
        mods = (_HINT if hint else "") + (".cp_mask" if masked else "")
        tail = (3,) * bool(hint) + (5,) * masked
        opcode = f"cp.async.bulk.global.shared::cta.bulk_group{mods}"
        return opcode, ("address 0", "address 1", 2, *tail)
    if name == "prefetch.L2":
        hint = constant(3)
        opcode = f"cp.async.bulk.prefetch.L2.global{_HINT if hint else ''}"
        return opcode, ("address 0", 1, *((2,) if hint else ()))
    return None


_LOAD_MODES = {
    "tile": "tile",
    "tile.gather4": "tile::gather4",
    "im2col": "im2col",
    "im2col.w": "im2col::w",
    "im2col.w.128": "im2col::w::128",
}
_STORE_MODES = {"tile": "tile", "tile.scatter4": "tile::scatter4", "im2col": "im2col_no_offs"}


def _tensor(
    direction: str, parts: list[str], dimension: int, count: int, constant: Constants
) -> Instruction | None:
    if direction in ("s2g", "reduce"):
        operation = parts.pop(0) if direction == "reduce" else ""
        return _tensor_store(operation, ".".join(parts), dimension, count, constant)
    own = direction == "g2s" and parts[0] == "cta"
    mode = ".".join(parts[1:] if own else parts)
    coordinates = 5 if mode == "tile.gather4" else dimension
    if direction == "prefetch":
        offsets = count - coordinates - 3
        hint = constant(count - 1)
        group = (f"group {1 + coordinates} {offsets}",) if offsets else ()
        opcode = f"cp.async.bulk.prefetch.tensor.{dimension}d.L2.global.{_LOAD_MODES[mode]}"
        tail = (count - 2,) if hint else ()
        return opcode + _HINT * bool(hint), (f"list 0 1 {coordinates}", *group, *tail)
    if direction != "g2s":
        return None
    first = 3 + coordinates
    where = "shared::cta" if own else "shared::cluster"
    opcode = f"cp.async.bulk.tensor.{dimension}d.{where}.global.{_LOAD_MODES[mode]}.{_TO_SHARED}"
    offsets = count - first - (2 if own else 5)
    order: list[int | str] = ["address 0", f"list 2 3 {coordinates}", "address 1"]
    if offsets:
        order.append(f"group {first} {offsets}")
    if own:
        hint = constant(count - 1)
        return opcode + _HINT * bool(hint), (*order, *((count - 2,) if hint else ()))
    multicast, hint, cta_group = (constant(count - n) for n in (3, 2, 1))
    if multicast:
        opcode += ".multicast::cluster"
        order.append(first + offsets)
    if cta_group:
        opcode += f".cta_group::{cta_group}"
    if hint:
        opcode += _HINT
        order.append(first + offsets + 1)
    return opcode, tuple(order)


def _tensor_store(
    operation: str, mode: str, dimension: int, count: int, constant: Constants
) -> Instruction:
    coordinates = count - 4
    hint = constant(count - 1)
    name = f"cp.reduce.async.bulk.tensor.{dimension}d.global.shared::cta.{operation}"
    if not operation:
        name = f"cp.async.bulk.tensor.{dimension}d.global.shared::cta"
    opcode = f"{name}.{_STORE_MODES[mode]}.bulk_group{_HINT if hint else ''}"
    return opcode, (f"list 1 2 {coordinates}", "address 0", *((count - 2,) if hint else ()))
