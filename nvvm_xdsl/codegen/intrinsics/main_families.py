"""Instructions of the intrinsics that LLVM's main branch added since LLVM 22.

The functions are families of `codegen.intrinsics.families`, in its notation. Calls without additions have signatures of
LLVM 22 already (`dialects.nvvm.main_signatures`).

Source: docs/NVPTXUsage.md of LLVM's main branch, October 2026; PTX ISA 9.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic, is_later
from nvvm_xdsl.dialects.nvvm.main_signatures import REDUCTIONS, ROUNDINGS

Constants = Callable[[int], "int | None"]

_REPORTS: Final = (
    "",
    ".mbarrier::report::validity::per_16bytes::80000000",
    ".mbarrier::report::validity::per_16bytes::8000",
    ".mbarrier::report::validity::per_16bytes::80",
    ".mbarrier::report::validity::per_16bytes::8",
    ".mbarrier::report::validity::per_element::ff",
)
"""Reports of invalid data by their numbers."""

_SCOPES: Final = ("cta", "cluster", "gpu", "sys")

_MODES: Final = {
    "tile": "tile",
    "tile.gather4": "tile::gather4",
    "tile.scatter4": "tile::scatter4",
    "im2col": "im2col",
    "im2col.w": "im2col::w",
    "im2col.w.128": "im2col::w::128",
}

_TENSOR: Final = re.compile(
    r"(?P<direction>g2s\.cta|g2s|s2g|reduce|prefetch\.evict\.priority|prefetch|evict\.priority)"
    r"\.(?P<mode>tile(?:\.gather4|\.scatter4)?|im2col(?:\.w(?:\.128)?)?)"
    r"(?P<override>\.override\.addr(?:\.dim(?:\.stride)?)?)?"
    r"\.(?P<dimension>[1-5])d(?:\.i(?P<mask>16|32))?"
)


def _group(first: int, count: int) -> str:
    return "{" + ", ".join(f"${i}" for i in range(first, first + count)) + "}"


def _flag(constant: Constants, index: int) -> int:
    """The value of a flag; an argument that is not constant is an error."""
    value = constant(index)
    if value is None:
        raise ValueError(index)
    return value


class _TensorCall:
    """A call for a tensor: the operands of its position, and the number of the next argument.

    Args:
        first: the number of the argument that is the tensor map.
    """

    def __init__(self, parts: list[str], first: int):
        match = _TENSOR.fullmatch(".".join(parts))
        if match is None:
            raise ValueError(parts)
        self.direction: str = match["direction"]
        self.mode: str = _MODES[match["mode"]]
        self.dimension = int(match["dimension"])
        self.mask: str | None = match["mask"]
        self.words = ""
        self.at = first + 1
        place = [f"${first}"]
        override = match["override"] or ""
        # Masks of calls with overridden dimensions always have 32 bits.
        self.wide = self.mask == "32" or ".dim" in override
        if override:
            self.words = ".override::global_address"
            place.append(self._next())
        if ".dim" in override:
            self.words += ".override::global_dim"
            place.append(self._several(self.dimension))
        if override.endswith(".stride"):
            self.words += "_stride"
            place += [self._several(self.dimension - 1), self._next()]
        place.append(self._several(5 if self.mode.endswith("4") else self.dimension))
        self.place = f"[{', '.join(place)}]"

    def _next(self) -> str:
        self.at += 1
        return f"${self.at - 1}"

    def _several(self, count: int) -> str:
        self.at += count
        return _group(self.at - count, count)

    def offsets(self) -> str:
        """The offsets of an image patch, which follow the coordinates."""
        if not self.mode.startswith("im2col"):
            return ""
        return f", {self._several(self.dimension - 2 if self.mode == 'im2col' else 2)}"

    def stored_mode(self) -> str:
        """The mode of stores, where image patches have no offsets."""
        return self.mode.replace("im2col", "im2col_no_offs")


def _is_main_call(parts: list[str], count: int) -> bool:
    """Returns True if LLVM 22 has no intrinsic of this name with as many arguments."""
    known = find_intrinsic("llvm.nvvm.cp.async.bulk.tensor." + ".".join(parts))
    return known is None or is_later(known.name) or len(known.arguments) != count


def tensor_copy(parts: list[str], count: int, constant: Constants) -> str | None:
    """`cp.async.bulk.tensor.*` with overrides, reports, masks of 32 bits or priorities.

    None for the calls of LLVM 22.
    """
    if not _is_main_call(parts, count):
        return None
    direction = ".".join(parts)
    if direction.startswith("g2s"):
        return _tensor_load(_TensorCall(parts, 2), constant)
    if direction.startswith("prefetch"):
        return _tensor_prefetch(_TensorCall(parts, 0), constant)
    return _tensor_store(_TensorCall(parts, 1), constant)


def _tensor_load(call: _TensorCall, constant: Constants) -> str:
    offsets = call.offsets()
    shape = f"cp.async.bulk.tensor.{call.dimension}d"
    complete = ".mbarrier::complete_tx::bytes"
    if call.direction == "g2s.cta":
        hint, report = _flag(constant, call.at + 1), _flag(constant, call.at + 2)
        cache, policy = (".L2::cache_hint", f", ${call.at}") if hint else ("", "")
        return (
            f"{shape}.shared::cta.global.{call.mode}{complete}{cache}{_REPORTS[report]}{call.words}"
            f" [$0], {call.place}, [$1]{offsets}{policy}"
        )
    at = call.at
    multicast, hint, group, report = (_flag(constant, at + i) for i in range(2, 6))
    wide = "::32b" if call.wide else ""
    cache, policy = (".L2::cache_hint", f", ${at + 1}") if hint else ("", "")
    several, mask = (f".multicast::cluster{wide}", f", ${at}") if multicast else ("", "")
    cta_group = f".cta_group::{group}" if group else ""
    return (
        f"{shape}.shared::cluster.global.{call.mode}{complete}{cta_group}{several}{cache}"
        f"{_REPORTS[report]}{call.words} [$0], {call.place}, [$1]{offsets}{mask}{policy}"
    )


def _tensor_store(call: _TensorCall, constant: Constants) -> str:
    reduces = call.direction == "reduce"
    hint = _flag(constant, call.at + 1 + reduces)
    cache, policy = (".L2::cache_hint", f", ${call.at}") if hint else ("", "")
    name = "cp.reduce.async.bulk.tensor" if reduces else "cp.async.bulk.tensor"
    operation = f".{REDUCTIONS[_flag(constant, call.at + 1)]}" if reduces else ""
    return (
        f"{name}.{call.dimension}d.global.shared::cta{operation}.{call.stored_mode()}.bulk_group"
        f"{cache}{call.words} {call.place}, [$0]{policy}"
    )


def _tensor_prefetch(call: _TensorCall, constant: Constants) -> str:
    offsets = call.offsets()
    if call.direction == "prefetch":
        hint = _flag(constant, call.at + 1)
        cache, policy = (".L2::cache_hint", f", ${call.at}") if hint else ("", "")
    else:
        cache, policy = (".L2::evict_last" if _flag(constant, call.at) else ""), ""
    return (
        f"cp.async.bulk.prefetch.tensor.{call.dimension}d.L2.global.{call.mode}{cache}{call.words}"
        f" {call.place}{offsets}{policy}"
    )


def apply_priority(parts: list[str], count: int, constant: Constants) -> str | None:
    """`applypriority.async.bulk[.tensor].evict.priority`; the last argument, 0, is the priority."""
    action = "global.bulk_group.L2::evict_normal"
    if parts == ["evict", "priority"]:
        return f"applypriority.async.bulk.{action} [$0], $1"
    if parts[:1] != ["tensor"]:
        return None
    call = _TensorCall(parts[1:], 0)
    offsets = call.offsets()
    return (
        f"applypriority.async.bulk.tensor.{call.dimension}d.global.{call.mode}.bulk_group"
        f".L2::evict_normal{call.words} {call.place}{offsets}"
    )


def bulk_copy(parts: list[str], count: int, constant: Constants) -> str | None:
    """`cp.async.bulk.*` with an order, ignored bytes, reports, masks of 32 bits or priorities."""
    name = ".".join(parts)
    if name == "prefetch.evict.priority":
        priority = ".L2::evict_last" if _flag(constant, 2) else ""
        return f"cp.async.bulk.prefetch.L2.global{priority} [$0], $1"
    match = re.fullmatch(r"global\.to\.shared\.(cta|cluster)(\.relaxed)?(?:\.i(16|32))?", name)
    if match is None:
        return None
    space, ordered, mask = match.groups()
    complete = f"cp.async.bulk.shared::{space}.global.mbarrier::complete_tx::bytes"
    if space == "cta":
        if count != (11 if ordered else 10):
            return None
        hint, ignores = _flag(constant, 7), _flag(constant, 8)
        cache, policy = (".L2::cache_hint", ", $6") if hint else ("", "")
        modifiers = cache + (".ignore_oob" if ignores else "")
        sizes = "$3, $4, $5" if ignores else "$3"
        multicast = ""
    else:
        if mask is None:
            return None
        several, hint = _flag(constant, 6), _flag(constant, 7)
        cache, policy = (".L2::cache_hint", ", $5") if hint else ("", "")
        wide = "::32b" if mask == "32" else ""
        modifiers = (f".multicast::cluster{wide}" if several else "") + cache
        sizes = "$3"
        multicast = ", $4" if several else ""
    order = f".relaxed.{_SCOPES[_flag(constant, count - 2)]}.b128" if ordered else ""
    report = _REPORTS[_flag(constant, count - 1)]
    return f"{complete}{modifiers}{report}{order} [$0], [$2], {sizes}, [$1]{multicast}{policy}"


def mbarrier_init(parts: list[str], count: int, constant: Constants) -> str | None:
    """`mbarrier.init.p<n>` of a stated layout."""
    if count != 3:
        return None
    return f"mbarrier.init.layout::v{_flag(constant, 2)}<cta 0>.b64 [$0], $1"


def mbarrier_multicast(parts: list[str], count: int, constant: Constants) -> str | None:
    """`mbarrier.*.scope.<scope>.space.cluster` for the blocks of a mask."""
    if count != 4 or not _flag(constant, 3):
        return None
    *words, _, scope, _, _ = parts
    arrives = words[0] == "arrive"
    order = "release" if arrives and words[-1] != "relaxed" else "relaxed"
    action = ".".join(word for word in words if word != "relaxed")
    action = action.replace(".drop", "_drop").replace(".tx", "_tx")
    return (
        f"mbarrier.{action}.{order}.{scope}.shared::cluster.multicast::cluster::32b.b64"
        f" {'_, ' if arrives else ''}[$0], $1, $2"
    )


def store_async(parts: list[str], count: int, constant: Constants) -> str | None:
    """`st.async[.<scope>|.mmio.sys].<type>`; the last argument of scopes requests `multimem`."""
    *scope, type_ = parts
    bits = f"b{type_[1:]}"
    if not scope:
        return f"st.async.mbarrier::complete_tx::bytes.shared::cluster.{bits} [$0], $1, [$2]"
    if scope == ["mmio", "sys"]:
        return f"st.async.mmio.release.sys.global.{bits} [$0], $1"
    if len(scope) != 1:
        return None
    multimem = "multimem." if _flag(constant, 2) else ""
    return f"{multimem}st.async.release.{scope[0]}.global.{bits} [$0], $1"


def arithmetic(operation: str) -> Callable[[list[str], int, Constants], str | None]:
    """The family `f<operation>[.ftz][.sat]`; the last argument is the rounding mode."""

    def instruction(parts: list[str], count: int, constant: Constants) -> str | None:
        words = [operation, ROUNDINGS[_flag(constant, 2)], *parts]
        return f"{'.'.join(words)}.<float> $0, $1"

    return instruction


def multiply_add(parts: list[str], count: int, constant: Constants) -> str | None:
    """`fma.rn.oob[.relu]`."""
    return f"{'.'.join(('fma.rn.oob', *parts))}.<float> $0, $1, $2"


def narrowing(
    source: str, values: int, target: str = ""
) -> Callable[[list[str], int, Constants], str | None]:
    """The family `<source>.to.<type>.<rounding>[.relu][.satfinite][.scale.n1.ue8m0]`.

    After the values and the scale a flag may request `.pzo`, zeros without a sign.

    Args:
        source: the type of the values in PTX.
        values: their number.
        target: the type of the result if it is not a part of the name.
    """

    def instruction(parts: list[str], count: int, constant: Constants) -> str | None:
        type_, rounding, *words = [target, *parts] if target else parts
        scaled = words[-3:] == ["scale", "n1", "ue8m0"]
        words = words[:-3] if scaled else words
        operands = values + scaled
        if not operands <= count <= operands + 1 or not {"relu", "satfinite"}.issuperset(words):
            return None
        limits = [
            *(["satfinite"] if "satfinite" in words or type_ in _SATURATING else []),
            *(["relu"] if "relu" in words else []),
        ]
        modifiers = [
            *(reversed(limits) if target else limits),
            *(["pzo"] if count > operands and _flag(constant, operands) else []),
            *(["scaled::n1::ue8m0"] if scaled else []),
        ]
        registers = ", ".join(f"${i}" for i in range(operands))
        return f"{'.'.join(('cvt', rounding, *modifiers, type_, source))} {registers}"

    return instruction


_SATURATING: Final = frozenset({"e4m3x2", "e5m2x2"})
"""Types of 8 bits, which conversions saturate although their names may omit it."""


FAMILIES: Final = {
    "ff.to": narrowing("f32", 2),
    "f16x2.to": narrowing("f16x2", 1),
    "bf16x2.to": narrowing("bf16x2", 1),
    "ff2f16x2": narrowing("f32", 2, "f16x2"),
    "ff2bf16x2": narrowing("f32", 2, "bf16x2"),
    "f2f16": narrowing("f32", 1, "f16"),
    "f2bf16": narrowing("f32", 1, "bf16"),
    "fma.rn.oob": multiply_add,
    "cp.async.bulk.tensor": tensor_copy,
    "cp.async.bulk": bulk_copy,
    "applypriority.async.bulk": apply_priority,
    "mbarrier.init": mbarrier_init,
    "mbarrier": mbarrier_multicast,
    "st.async": store_async,
    "fadd": arithmetic("add"),
    "fmul": arithmetic("mul"),
}
