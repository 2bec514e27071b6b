"""Copies and atomics over the fabric that connects several GPUs.

PTX ISA 9.5. An address of another GPU is the identifier of its link endpoint and an offset there.
"""

from __future__ import annotations

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import row

_FABRIC = READS | WRITES | SIDE_EFFECTS
_REMOTE = "list(b32,b64)"
_COUNTED = "list(b32,b64,b64)"
_REPORT = ".mbarrier::report::fabric"
_ORDER = ".relaxed .sys"
_SENT = f".shared::cta .mbarrier::complete_tx::16B {_REPORT}"
_RECEIVED = f".shared::cta .mbarrier::complete_tx::bytes {_REPORT}"
_OPERATIONS = (
    ".and|or|xor .b32|b64",
    ".add .u32|u64|f16|bf16|f32|f64",
    ".min|max .u32|s32|u64|s64|f16|bf16",
)

row(
    "fabric.submit",
    SIDE_EFFECTS,
    ".op_restrict::fetching? :",
    ".commit_group : @ 9.5",
    since="9.3 100",
)
row(
    "fabric.wait",
    SIDE_EFFECTS,
    ".sync_restrict::reads :",
    ".sync_restrict::read : const @ 9.5",
    since="9.3 100",
)
row(
    "fabric.try_get.async",
    _FABRIC,
    f"{_RECEIVED} .H=L2::cache_hint? {_ORDER} .b128 : mem {_REMOTE} b32 mem H=>b64",
    since="9.3 100",
)
row(
    "fabric.try_put.async",
    _FABRIC,
    f".multimem? {_SENT} .H=L2::cache_hint? {_ORDER} .b128 : {_REMOTE} mem b32 mem H=>b64",
    f".multimem? {_SENT} .H=L2::cache_hint? .cp_mask {_ORDER} .b128 : {_REMOTE} mem b32 mem b16 H=>b64",
    f".multimem? {_SENT} .counted::bytes .H=L2::cache_hint? {_ORDER} .b128"
    f" : {_COUNTED} mem b32 mem H=>b64",
    since="9.3 100",
)
row(
    "fabric.try_red.async",
    _FABRIC,
    *(
        f".multimem? {_SENT} {counted} .H=L2::cache_hint? {_ORDER} {operation}"
        f" : {where} mem b32 mem H=>b64"
        for counted, where in (("", _REMOTE), (".counted::bytes", _COUNTED))
        for operation in _OPERATIONS
    ),
    since="9.3 100",
)
row(
    "fabric.try_atom.async",
    _FABRIC,
    *(
        f"{_SENT} .H=L2::cache_hint? {_ORDER} {operation} : {_REMOTE} mem mem mem H=>b64"
        for operation in (
            ".and|or|xor .b32|b64",
            ".exch|cas .b32|b64|b128",
            ".add .u32|u64|f32|f64|f16x2|bf16x2",
            ".min|max .u32|s32|u64|s64|f16x2|bf16x2",
        )
    ),
    since="9.4 100",
)
row(
    "fabric.try_pullred.async",
    _FABRIC | CONVERGENT,
    *(
        f".multimem {_RECEIVED} {_ORDER} {operation} .sync : mem {_REMOTE} b32 mem const"
        for operation in (_OPERATIONS[0], ".add .u32|u64|f16|bf16|f32", _OPERATIONS[2])
    ),
    f".multimem {_RECEIVED} {_ORDER} .add .acc::f32 .f16|bf16 .sync"
    f" : mem {_REMOTE} b32 mem const @ 9.3 100f|110f|120f",
    since="9.3 100",
)


def _tensor_overrides() -> list[tuple[str, str]]:
    """The words that replace fields of a tensor map, and their operands with the coordinates."""
    found: list[tuple[str, str]] = []
    for dimension in range(1, 6):
        coordinates = f"{dimension}*b32"
        head = f".{dimension}d"
        found.append((f"{head} | .override::global_address", coordinates))
        if dimension == 1:
            words = ".override::global_address .override::global_dim"
            found.append((f"{head} | {words}", f"1*b16,{coordinates}"))
        else:
            words = ".override::global_address .override::global_dim_stride"
            fields = f"{dimension}*b16,{dimension - 1}*b32,b16,{coordinates}"
            found.append((f"{head} | {words}", fields))
    return found


_TENSORS = [
    (head.strip(), override.strip(), operands)
    for text, operands in _tensor_overrides()
    for head, _, override in (text.partition("|"),)
]
row(
    "fabric.try_get.async.tensor",
    _FABRIC,
    *(
        f"{head} .shared::cta .tile .mbarrier::complete_tx::bytes {_REPORT} .H=L2::cache_hint?"
        f" {override} {_ORDER} .b128 : mem list(b64,b32,b64,{operands}) mem H=>b64"
        for head, override, operands in _TENSORS
    ),
    since="9.4 107f",
)
row(
    "fabric.try_put.async.tensor",
    _FABRIC,
    *(
        f".multimem? {head} .shared::cta .tile .mbarrier::complete_tx::16B {_REPORT} {counted}"
        f" .H=L2::cache_hint? {override} {_ORDER} .b128"
        f" : list(b64,b32,b64,{counter}{operands}) mem b32 mem H=>b64"
        for counted, counter in (("", ""), (".counted::bytes", "b64,"))
        for head, override, operands in _TENSORS
    ),
    since="9.4 107f",
)
