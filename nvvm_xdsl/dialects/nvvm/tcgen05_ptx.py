"""The `tcgen05` instruction of PTX of each nvvm op and intrinsic.

The texts are in the notation of `dialects.nvptx.instruction_text`: `$n` is operand n of the op or
the call. Code generation and the simulator use this table.

Facts: MLIR 22's NVVMOps.td, LLVM 22's IntrinsicsNVVM.td and NVVMIntrinsicUtils.h (the numbers that
represent kinds and uses of the collector), PTX ISA 9.1 (9.7.16); NVPTXUsage.md of LLVM's main
branch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import segment_sizes
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.main_signatures import has_more_arguments
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.ir.fast import operands_of

Constants = Callable[[int], "int | None"]
"""Returns the value of argument n of a call if it is a constant."""

KINDS = ("f16", "tf32", "f8f6f4", "i8", "ti16")
COLLECTOR_USES = ("discard", "lastuse", "fill", "use")


# The matrix products


def _collector(buffer: str, use: str) -> str:
    """The qualifier of the collector; omitted if it is the default."""
    default = use == "discard" and buffer in ("a", "b0")
    return "" if default else f".collector::{buffer}::{use}"


def _product(
    kind: str,
    group: str,
    *,
    a_in_tensor_memory: bool,
    sparse: bool = False,
    stationary: bool = False,
    shifted: bool = False,
    block: str | None = None,
    collector: str = "",
    scale: int | None = None,
    mask: int | None = None,
    zero: int | None = None,
    table: int | None = None,
) -> str:
    """The text of a product.

    Arguments:
        block: of block scaling, `block16`, `block32` or empty for the default; None without it.
        scale, mask, zero: the numbers of the operands for `scale-input-d`, `disable-output-lane`
            and `zero-column-mask-desc`. D, A, B, the descriptor and `enable-input-d` are 0 to 4,
            then comes the metadata of sparse forms, then the scale factors.
        table: the number of the operand with the table of `.decompress::lut::b`.
    """
    name = "tcgen05.mma" + (".ws" if stationary else "") + (".sp" if sparse else "")
    opcode = f"{name}.{group}.kind::{kind}"
    expanded = "" if table is None else ".decompress::lut::b"
    if block is not None:
        opcode += f".block_scale{expanded}" + (f".{block}" if block else "")
    else:
        opcode += expanded
    opcode += (".ashift" if shifted else "") + collector
    operands = ["[$0]", "[$1]" if a_in_tensor_memory else "$1", "$2"]
    if sparse:
        operands.append("[$5]")
    if table is not None:
        operands.append(f"[${table}]")
    operands.append("$3")
    if block is not None:
        operands += [f"[${5 + sparse}]", f"[${6 + sparse}]"]
    if mask is not None:
        operands.append(f"{{${mask}}}")
    operands.append("$4")
    if scale is not None:
        operands.append(f"!{scale}")
    if zero is not None:
        operands.append(f"${zero}")
    return f"{opcode} {', '.join(operands)}"


def _expanded_mma(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.mma.<shared|tensor>.<kind>....decompress_b`, with indices into a table as b."""
    masked, blocks = "disable_output_lane" in parts, "block_scale" in parts
    flags = [constant(i) for i in range(count - (2 if masked else 3), count)]
    if None in flags:
        return None
    *group, use_a, use_b = cast("list[int]", flags)
    named = next((part[2:] for part in parts if part in ("cg1", "cg2")), "")
    return _product(
        parts[1],
        f"cta_group::{named or group[0]}",
        a_in_tensor_memory="tensor" in parts,
        block=parts[3] if blocks else None,
        collector=_collector("a", COLLECTOR_USES[use_a])
        + (f".collector::b::{COLLECTOR_USES[use_b]}" if use_b else ""),
        mask=6 if masked else None,
        table=7 if blocks else 5,
    )


def _mma(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.mma[.ws][.sp].<shared|tensor>...`; the last arguments state the kind and other
    modifiers."""
    if parts[-1] == "decompress_b":
        return _expanded_mma(parts, count, constant)
    used_b = ""
    if has_more_arguments(".".join(("tcgen05", "mma", *parts)), count):
        count -= 1
        used_b = f".collector::b::{COLLECTOR_USES[cast(int, constant(count))]}"
    stationary, sparse, tensor = "ws" in parts, "sp" in parts, "tensor" in parts
    scaled, masked = "scale_d" in parts, "disable_output_lane" in parts
    blocks = "block_scale" in parts
    flags = [constant(i) for i in range(count - (2 if masked or blocks else 3), count)]
    if None in flags:
        return None
    first, *middle, use = cast("list[int]", flags)
    after = 5 + sparse
    if stationary:
        return _product(
            KINDS[first],
            "cta_group::1",
            a_in_tensor_memory=tensor,
            sparse=sparse,
            stationary=True,
            collector=_collector(f"b{middle[0]}", COLLECTOR_USES[use]),
            zero=after if "zero_col_mask" in parts else None,
        )
    collector = _collector("a", COLLECTOR_USES[use]) + used_b
    if blocks:
        return _product(
            next(p for p in parts if p.startswith("mx")),
            f"cta_group::{first}",
            a_in_tensor_memory=tensor,
            sparse=sparse,
            block=parts[-1] if parts[-1] in ("block16", "block32") else "",
            collector=collector,
        )
    group = next((p[2:] for p in parts if p in ("cg1", "cg2")), "".join(map(str, middle)))
    return _product(
        KINDS[first],
        f"cta_group::{group}",
        a_in_tensor_memory=tensor,
        sparse=sparse,
        shifted="ashift" in parts,
        collector=collector,
        scale=after if scaled else None,
        mask=after + scaled if masked else None,
    )


# Intrinsics

_PLAIN = {
    "alloc.cg{n}": "tcgen05.alloc.cta_group::{n}.sync.aligned.b32 [$0], $1",
    "alloc.shared.cg{n}": "tcgen05.alloc.cta_group::{n}.sync.aligned.shared::cta.b32 [$0], $1",
    "dealloc.cg{n}": "tcgen05.dealloc.cta_group::{n}.sync.aligned.b32 $0, $1",
    "relinq.alloc.permit.cg{n}": "tcgen05.relinquish_alloc_permit.cta_group::{n}.sync.aligned",
    "commit.cg{n}": "tcgen05.commit.cta_group::{n}.mbarrier::arrive::one.b64 [$0]",
    "commit.shared.cg{n}": (
        "tcgen05.commit.cta_group::{n}.mbarrier::arrive::one.shared::cluster.b64 [$0]"
    ),
    "commit.mc.cg{n}": (
        "tcgen05.commit.cta_group::{n}.mbarrier::arrive::one.multicast::cluster.b64 [$0], $1"
    ),
    "commit.mc.shared.cg{n}": (
        "tcgen05.commit.cta_group::{n}.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64"
        " [$0], $1"
    ),
    "shift.down.cg{n}": "tcgen05.shift.cta_group::{n}.down [$0]",
}

INTRINSICS = {
    **{k.format(n=n): text.format(n=n) for k, text in _PLAIN.items() for n in (1, 2)},
    "fence.before.thread.sync": "tcgen05.fence::before_thread_sync",
    "fence.after.thread.sync": "tcgen05.fence::after_thread_sync",
    "wait.ld": "tcgen05.wait::ld.sync.aligned",
    "wait.st": "tcgen05.wait::st.sync.aligned",
}
"""Intrinsics that are determined by their names, after `llvm.nvvm.tcgen05.`."""


def _ld(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.ld.<shape>.<num>`; the last argument requests packing."""
    shape, num = parts
    packed = ".pack::16b" if constant(count - 1) else ""
    offset = ", !1" if shape == "16x32bx2" else ""
    return f"tcgen05.ld.sync.aligned.{shape}.{num}{packed}.b32 [$0]{offset}"


def _st(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.st.<shape>.<num>`; the last argument requests unpacking."""
    shape, num = parts
    unpacked = ".unpack::16b" if constant(count - 1) else ""
    if shape == "16x32bx2":
        return f"tcgen05.st.sync.aligned.{shape}.{num}{unpacked}.b32 [$0], !1, {{$2}}"
    return f"tcgen05.st.sync.aligned.{shape}.{num}{unpacked}.b32 [$0], {{$1}}"


def _cp(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.cp.<shape>[.<source format>].cg<n>`."""
    shape, *formats, group = parts
    shape = re.sub(r"_warpx2_(\d\d)_(\d\d)", r".warpx2::\1_\2", shape).replace("_warpx4", ".warpx4")
    source = f".b8x16.{formats[0]}" if formats else ""
    return f"tcgen05.cp.cta_group::{group[2:]}.{shape}{source} [$0], $1"


def _ld_red(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.ld.red.<shape>.<num>.<type>`; the operation is 0 for the minimum, 1 for the maximum."""
    shape, num, type_ = parts
    offset = shape == "16x32bx2"
    flags = [cast(int, constant(i)) for i in range(1 + offset, count)]
    operation = ("min", "max")[flags[0]]
    modes = "".join(word for word, flag in zip((".abs", ".NaN"), flags[1:]) if flag)
    element = "f32" if type_ == "f32" else "u32"
    return (
        f"tcgen05.ld.red.sync.aligned.{shape}.{num}.{operation}{modes}.{element}"
        f" [$0]{', !1' if offset else ''}"
    )


_OVERLOADED = re.compile(
    r"(?P<action>alloc|commit)(?P<read>\.smem\.a\.read)?(?P<several>\.mc)?\.cg(?P<group>[12])"
    r"\.p(?P<space>[03])(?:\.i(?P<mask>16|32))?"
)


def _overloaded(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tcgen05.alloc|commit...p<n>` and `tcgen05.dealloc` with the additions of PTX 9.4."""
    name = ".".join(parts)
    if parts[0] == "dealloc" and has_more_arguments(f"tcgen05.{name}", count):
        exclusive = ".exclusive" if constant(2) else ""
        return f"tcgen05.dealloc{exclusive}.cta_group::{parts[1][2:]}.sync.aligned.b32 $0, $1"
    match = _OVERLOADED.fullmatch(name)
    if match is None:
        return None
    group, shared = match["group"], match["space"] == "3"
    if match["action"] == "alloc":
        exclusive = ".exclusive" if constant(2) else ""
        space = ".shared::cta" if shared else ""
        return f"tcgen05.alloc{exclusive}.cta_group::{group}.sync.aligned{space}.b32 [$0], $1"
    restrict = ".sync_restrict::shared::read::mma::a" if match["read"] else ""
    space = ".shared::cluster" if shared else ""
    wide = "::32b" if match["mask"] == "32" else ""
    several, mask = (f".multicast::cluster{wide}", ", $1") if match["several"] else ("", "")
    return (
        f"tcgen05.commit.cta_group::{group}.mbarrier::arrive::one{restrict}{space}{several}.b64"
        f" [$0]{mask}"
    )


_FAMILIES = {"ld": _ld, "st": _st, "cp": _cp, "mma": _mma}


def intrinsic_instruction(parts: list[str], count: int, constant: Constants) -> str | None:
    """The text of a call of `llvm.nvvm.tcgen05.<parts>`; None if there is none.

    Arguments:
        count: the number of arguments of the call.
    """
    if parts[:2] == ["ld", "red"]:
        return _ld_red(parts[2:], count, constant)
    overloaded = _overloaded(parts, count, constant)
    if overloaded is not None:
        return overloaded
    plain = INTRINSICS.get(".".join(parts))
    if plain is not None:
        return plain
    family = _FAMILIES.get(parts[0])
    return None if family is None else family(parts[1:], count, constant)


# Ops


def _group(op: Operation, name: str = "group") -> str:
    return f"cta_group::{keyword_of(op, name, 'cta_1')[-1]}"


def _in_space(op: Operation, index: int, space: int) -> bool:
    type_ = operands_of(op)[index].type
    return isinstance(type_, LLVMPointerType) and address_space_of(type_) == space


def _alloc_op(op: Operation) -> str:
    space = ".shared::cta" if _in_space(op, 0, 3) else ""
    return f"tcgen05.alloc.{_group(op)}.sync.aligned{space}.b32 [$0], $1"


def _commit_op(op: Operation) -> str:
    space = ".shared::cluster" if _in_space(op, 0, 3) else ""
    several = len(operands_of(op)) == 2
    multicast, mask = (".multicast::cluster", ", $1") if several else ("", "")
    return f"tcgen05.commit.{_group(op)}.mbarrier::arrive::one{space}{multicast}.b64 [$0]{mask}"


def _cp_op(op: Operation) -> str:
    shape = keyword_of(op, "shape").removeprefix("shape_")
    multicast = keyword_of(op, "multicast", "none")
    if multicast != "none":
        head, _, pattern = multicast.partition("_")
        shape += f".{head}" + (f"::{pattern}" if pattern else "")
    source = keyword_of(op, "srcFormat")
    return f"tcgen05.cp.{_group(op)}.{shape}{f'.b8x16.{source}' if source else ''} [$0], $1"


def _length(type_: Any) -> int:
    shape = getattr(type_, "shape", None)
    return 1 if shape is None else int(shape.data[0].data)


_WORDS = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}
"""Number of registers of one repetition."""


def _ld_op(op: Operation) -> str:
    shape = keyword_of(op, "shape").removeprefix("shape_")
    num = _length(op.results[0].type) // _WORDS[shape]
    packed = ".pack::16b" if flag_of(op, "pack") else ""
    offset = ", !1" if len(operands_of(op)) == 2 else ""
    return f"tcgen05.ld.sync.aligned.{shape}.x{num}{packed}.b32 [$0]{offset}"


def _st_op(op: Operation) -> str:
    shape = keyword_of(op, "shape").removeprefix("shape_")
    num = _length(operands_of(op)[1].type) // _WORDS[shape]
    unpacked = ".unpack::16b" if flag_of(op, "unpack") else ""
    offset = ", !2" if len(operands_of(op)) == 3 else ""
    return f"tcgen05.st.sync.aligned.{shape}.x{num}{unpacked}.b32 [$0]{offset}, {{$1}}"


def _mma_op(op: Operation) -> str:
    stationary, sparse = ".ws" in op.name, ".sp" in op.name
    tensor, use = _in_space(op, 1, 6), keyword_of(op, "collectorOp", "discard")
    kind = keyword_of(op, "kind")
    if stationary:
        zero = 5 + sparse
        return _product(
            kind,
            "cta_group::1",
            a_in_tensor_memory=tensor,
            sparse=sparse,
            stationary=True,
            collector=_collector(keyword_of(op, "collectorBBuffer", "b0"), use),
            zero=zero if len(operands_of(op)) > zero else None,
        )
    group = _group(op, "ctaGroup")
    if op.name.endswith("block_scale"):
        block = keyword_of(op, "blockScale", "default")
        return _product(
            kind,
            group,
            a_in_tensor_memory=tensor,
            sparse=sparse,
            block="" if block == "default" else block,
            collector=_collector("a", use),
        )
    sizes = segment_sizes(op)
    scaled, masked = (bool(n) for n in tuple(sizes)[-2:])
    after = 5 + sparse
    return _product(
        kind,
        group,
        a_in_tensor_memory=tensor,
        sparse=sparse,
        shifted=flag_of(op, "aShift"),
        collector=_collector("a", use),
        scale=after if scaled else None,
        mask=after + scaled if masked else None,
    )


_WAITS = {"load": "ld", "store": "st"}

OPS: dict[str, Callable[[Operation], str]] = {
    "nvvm.tcgen05.alloc": _alloc_op,
    "nvvm.tcgen05.commit": _commit_op,
    "nvvm.tcgen05.cp": _cp_op,
    "nvvm.tcgen05.dealloc": lambda op: f"tcgen05.dealloc.{_group(op)}.sync.aligned.b32 $0, $1",
    "nvvm.tcgen05.fence": lambda op: f"tcgen05.fence::{keyword_of(op, 'kind')}_thread_sync",
    "nvvm.tcgen05.ld": _ld_op,
    "nvvm.tcgen05.mma": _mma_op,
    "nvvm.tcgen05.mma.block_scale": _mma_op,
    "nvvm.tcgen05.mma.sp": _mma_op,
    "nvvm.tcgen05.mma.sp.block_scale": _mma_op,
    "nvvm.tcgen05.mma.ws": _mma_op,
    "nvvm.tcgen05.mma.ws.sp": _mma_op,
    "nvvm.tcgen05.relinquish_alloc_permit": (
        lambda op: f"tcgen05.relinquish_alloc_permit.{_group(op)}.sync.aligned"
    ),
    "nvvm.tcgen05.shift": lambda op: f"tcgen05.shift.{_group(op)}.down [$0]",
    "nvvm.tcgen05.st": _st_op,
    "nvvm.tcgen05.wait": (
        lambda op: f"tcgen05.wait::{_WAITS[keyword_of(op, 'kind')]}.sync.aligned"
    ),
}
"""The text of each op, by name."""


DESCRIPTOR = "nvvm.tcgen05.mma_smem_desc"
"""The op that computes a shared-memory descriptor by arithmetic."""

DESCRIPTOR_FIELDS = ((0, 14), (16, 14), (32, 14), (49, 3), (52, 1), (61, 3))
"""The lowest bit and the width of the field of each of its operands (9.7.16.4.1)."""

DESCRIPTOR_FIXED = 1 << 46
"""Bits that all descriptors have."""
