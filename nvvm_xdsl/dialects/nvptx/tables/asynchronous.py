"""Asynchronous copies.

PTX ISA 9.1, sections 9.7.9.25 to 9.7.9.28.
"""

from nvvm_xdsl.dialects.nvptx.flags import READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.rows import row

_COPY = READS | WRITES | SIDE_EFFECTS

row(
    "cp.async",
    _COPY,
    ".ca|cg .shared|shared::cta .global .P=@prefetch? : mem mem const any?",
    ".ca|cg .shared|shared::cta .global .L2::cache_hint .P=@prefetch? : mem mem const any any?",
    since="7.0 80",
    words={
        "L2::cache_hint": "7.4 80",
        "shared::cta": "7.8 80",
        "L2::64B": "7.4 80",
        "L2::128B": "7.4 80",
        "L2::256B": "7.4 80",
    },
)
row("cp.async.commit_group", SIDE_EFFECTS, ":", since="7.0 80")
row("cp.async.wait_group", SIDE_EFFECTS, ": const", since="7.0 80")
row("cp.async.wait_all", SIDE_EFFECTS, ":", since="7.0 80")
row("cp.async.bulk.commit_group", SIDE_EFFECTS, ":", since="8.0 90")
row("cp.async.bulk.wait_group", SIDE_EFFECTS, ".read? : const", since="8.0 90")
