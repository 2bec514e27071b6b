"""Barriers, fences, atomics, warp-wide instructions and control of execution.

PTX ISA 9.5, sections 9.7.12, 9.7.13 and 9.7.19.
"""

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, PURE, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row, rows
from nvvm_xdsl.dialects.nvptx.tables.memory import MEMORY_SINCE

_BARRIER = CONVERGENT | SIDE_EFFECTS
_ATOMIC = READS | WRITES | SIDE_EFFECTS

for _name, _aligned in (("bar", ""), ("barrier", ".aligned? ")):
    for _cta in ("", ".cta"):
        _since = "7.8" if _cta else "6.0 30" if _name == "barrier" else ""
        row(f"{_name}{_cta}.sync", _BARRIER, f"{_aligned}: b32 b32?", since=_since)
        row(f"{_name}{_cta}.arrive", _BARRIER, f"{_aligned}: b32 b32", since=_since)
        row(
            f"{_name}{_cta}.red",
            _BARRIER,
            f".popc {_aligned}.u32 : b32 any pred? -> u32",
            f".and|or {_aligned}.pred : b32 any pred? -> pred",
            since=_since,
        )
row("bar.warp.sync", _BARRIER, ": b32", since="6.0 30")
row(
    "barrier.cluster.arrive",
    _BARRIER,
    ".release|relaxed? .aligned? :",
    since="7.8 90",
    words={"release": "8.0", "relaxed": "8.0"},
)
row(
    "barrier.cluster.wait",
    _BARRIER,
    ".acquire? .aligned? :",
    since="7.8 90",
    words={"acquire": "8.0"},
)
row("membar", SIDE_EFFECTS, ".cta|gl|sys :", ".proxy .alias : @ 7.5 70")
row(
    "fence",
    SIDE_EFFECTS,
    ".sc|acq_rel? .S=@scope :",
    ".acquire|release .S=@scope : @ 8.6 90",
    ".acquire .sync_restrict::shared::cluster .cluster : @ 8.6 90",
    ".release .sync_restrict::shared::cta .cluster : @ 8.6 90",
    ".mbarrier_init .release .cluster : @ 8.0 90",
    ".proxy .alias : @ 7.5 70",
    ".proxy .async : @ 8.0 90",
    ".proxy .async .global|shared::cta|shared::cluster : @ 8.0 90",
    ".proxy .tensormap::generic .release .S=@scope : @ 8.3 90",
    ".proxy .tensormap::generic .acquire .S=@scope : mem const=128 @ 8.3 90",
    ".proxy .async::generic .acquire .sync_restrict::shared::cluster .cluster : @ 8.6 90",
    ".proxy .async::generic .release .sync_restrict::shared::cta .cluster : @ 8.6 90",
    ".proxy .async::generic .release .sync_restrict::shared::cluster::read .cta|cluster : @ 9.4 90",
    ".proxy .alias .acquire|release .sys : @ 9.4 90",
    ".proxy .fabric::fabric|fabric::generic|generic::fabric .alias .acquire|release .sys : @ 9.3 100",
    ".alias .sync_restrict::read .release .sys : @ 9.5 90",
    since="6.0 70",
    words={"cluster": "7.8 90"},
)

# Atomics: 9.7.13.5, 9.7.13.6
group("atomic_space", "global @cluster_space")
_ATOMIC_SINCE = {
    **MEMORY_SINCE,
    "f64": "5.0 60",
    "f16x2": "6.2 60",
    "f16": "6.3 70",
    "bf16": "7.8 90",
    "bf16x2": "7.8 90",
    "b16": "6.3 70",
    "v2": "8.1 90",
    "v4": "8.1 90",
    "v8": "8.1 90",
    "cta": "5.0 60",
    "gpu": "5.0 60",
    "sys": "5.0 60",
    "b128": "8.3 90",
    "b128 sys": "8.4 90",
}
_PLAIN = (
    (".S=@atomic_space? .and|or|xor .H=L2::cache_hint? .T=b32|b64", "mem T H=>b64"),
    (".S=@atomic_space? .add .H=L2::cache_hint? .T=u32|u64|s32|f32|f64", "mem T H=>b64"),
    (".S=@atomic_space? .min|max .H=L2::cache_hint? .T=u32|u64|s32|s64", "mem T H=>b64"),
    (".S=@atomic_space? .inc|dec .H=L2::cache_hint? .T=u32", "mem T H=>b64"),
    (".S=@atomic_space? .add .noftz .H=L2::cache_hint? .T=f16|f16x2|bf16|bf16x2", "mem T H=>b64"),
    (".global .add .H=L2::cache_hint? .V=v2|v4 .T=f32", "mem V*T H=>b64"),
    (
        ".global .add|min|max .noftz .H=L2::cache_hint? .V=v2|v4|v8 .T=f16|bf16",
        "mem V*T H=>b64",
    ),
    (
        ".global .add|min|max .noftz .H=L2::cache_hint? .V=v2|v4 .T=f16x2|bf16x2",
        "mem V*T H=>b64",
    ),
)
_ORDER = ".relaxed|acquire|release|acq_rel? .C=@scope?"
row(
    "atom",
    _ATOMIC,
    *(
        f"{_ORDER} {mods} : {operands} -> {'V*T' if '.V=' in mods else 'T'}"
        for mods, operands in _PLAIN
    ),
    f"{_ORDER} .S=@atomic_space? .exch .H=L2::cache_hint? .T=b32|b64|b128 : mem T H=>b64 -> T",
    f"{_ORDER} .S=@atomic_space? .cas .T=b16|b32|b64|b128 : mem T T -> T",
    words=_ATOMIC_SINCE,
)
row(
    "red",
    _ATOMIC,
    *(f".relaxed|release? .C=@scope? {mods} : {operands}" for mods, operands in _PLAIN),
    words=_ATOMIC_SINCE,
)
row(
    "red.async",
    _ATOMIC,
    ".relaxed .cluster .mbarrier::complete_tx::bytes .shared::cluster? .inc|dec .u32 : mem u32 mem",
    ".relaxed .cluster .mbarrier::complete_tx::bytes .shared::cluster? .min|max .T=u32|s32"
    " : mem T mem",
    ".relaxed .cluster .mbarrier::complete_tx::bytes .shared::cluster? .and|or|xor .b32"
    " : mem b32 mem",
    ".relaxed .cluster .mbarrier::complete_tx::bytes .shared::cluster? .add .T=u32|s32|u64"
    " : mem T mem",
    *(
        f"{order} .global? {form} @ 8.7 100"
        for order in (".mmio .release .sys", ".release .gpu|sys")
        for form in (
            ".add .T=u32|s32|u64|s64 : mem T",
            ".inc|dec .u32 : mem u32",
            ".min|max .T=u32|s32 : mem T",
            ".and|or|xor .b32 : mem b32",
        )
    ),
    since="8.1 90",
)
_STORED = "b16|u16|s16|b32|u32|s32|b64|u64|s64|f32|f64"
row(
    "st.async",
    WRITES | SIDE_EFFECTS,
    ".weak? .mbarrier::complete_tx::bytes .shared::cluster? .V=v2|v4? .T=b32|u32|s32|f32|b64|u64|s64|f64"
    " : mem V*T mem",
    ".weak? .mbarrier::complete_tx::bytes .shared::cluster? .b128 : mem b128 mem @ 9.2",
    f".mmio .release .sys .global? .T={_STORED} : mem T @ 8.7 100",
    f".release .gpu|sys .global? .T={_STORED} : mem T @ 8.7 100",
    since="8.1 90",
)
row(
    "multimem.st.async",
    WRITES | SIDE_EFFECTS,
    f".release .gpu|sys .global? .T={_STORED} : mem T",
    since="9.3 100",
)
row(
    "multimem.red.async",
    _ATOMIC,
    ".release .gpu|sys .global? .add .T=u32|s32|u64 : mem T",
    since="9.3 100",
)

# Warp-wide instructions: 9.7.13.8 to 9.7.13.14
row(
    "vote.sync",
    CONVERGENT,
    ".all|any|uni .pred : pred b32 -> pred",
    ".ballot .b32 : pred b32 -> b32",
    since="6.0 30",
)
row("match.any.sync", CONVERGENT, ".T=b32|b64 : T b32 -> b32", since="6.0 70")
row("match.all.sync", CONVERGENT, ".T=b32|b64 : T b32 -> b32 |pred?", since="6.0 70")
row("activemask", CONVERGENT | SIDE_EFFECTS, ".b32 : -> b32", since="6.2 30")
row(
    "redux.sync",
    CONVERGENT,
    ".add|min|max .T=u32|s32 : T b32 -> T",
    ".and|or|xor .b32 : b32 b32 -> b32",
    ".min|max .abs? .NaN? .f32 : f32 b32 -> f32 @ 8.6 100f",
    since="7.0 80",
)
row("elect.sync", CONVERGENT | SIDE_EFFECTS, ": b32 -> b32 |pred", since="8.0 90")
row("griddepcontrol", SIDE_EFFECTS, ".launch_dependents|wait :", since="7.8 90")

# Barriers in memory: 9.7.13.15
_MBARRIER = READS | WRITES | SIDE_EFFECTS
_MBARRIER_SINCE = {
    "cluster": "8.0 90",
    "shared::cta": "7.8 80",
    "shared::cluster": "8.0 90",
    "release": "8.0 80",
    "acquire": "8.0 80",
    "relaxed": "8.6 90",
    "expect_tx": "8.0 90",
    "parity": "7.1 80",
    "cta": "8.0 80",
}
group("arrive_order", "release.cta release.cluster relaxed.cta relaxed.cluster")
group("layout", "layout::v0 layout::v1")
group("wait_order", "acquire.cta acquire.cluster relaxed.cta relaxed.cluster")
row(
    "mbarrier.init",
    _MBARRIER,
    ".S=@cta_space? .b64 : mem u32",
    ".L=@layout .S=@cta_space? .b64 : mem u32 @ 9.3 90",
    since="7.0 80",
    words=_MBARRIER_SINCE,
)
row(
    "mbarrier.check_layout",
    _MBARRIER,
    ".L=@layout .S=@cta_space? .b64 : mem -> pred",
    since="9.3 90",
)
row("mbarrier.inval", _MBARRIER, ".S=@cta_space? .b64 : mem", since="7.0 80", words=_MBARRIER_SINCE)
rows(
    ["mbarrier.expect_tx", "mbarrier.complete_tx"],
    _MBARRIER,
    ".relaxed.cta|relaxed.cluster? .S=@cluster_space? .b64 : mem u32",
    ".relaxed.cta|relaxed.cluster? .shared::cluster? .multicast::cluster::32b .b64 : mem u32 b32"
    " @ 9.4 107f",
    since="8.0 90",
    words={**_MBARRIER_SINCE, "relaxed": "8.0 90"},
)
rows(
    ["mbarrier.arrive", "mbarrier.arrive_drop"],
    _MBARRIER,
    ".O=@arrive_order? .shared::cluster .b64 : sink mem u32?",
    ".expect_tx .O=@arrive_order? .shared::cluster .b64 : sink mem u32",
    ".O=@arrive_order? .S=@cta_space? .b64 : mem u32? -> b64",
    ".expect_tx .O=@arrive_order? .S=@cta_space? .b64 : mem u32 -> b64",
    ".expect_tx? .O=@arrive_order? .shared::cluster? .multicast::cluster::32b .b64 : sink mem u32 b32"
    " @ 9.4 107f",
    ".noComplete .release.cta? .S=@cta_space? .b64 : mem u32 -> b64",
    ".O=@arrive_order? .S=@cta_space? .b64 : sink mem u32? @ 7.1 80",
    ".expect_tx .O=@arrive_order? .S=@cta_space? .b64 : sink mem u32 @ 7.1 80",
    ".noComplete .release.cta? .S=@cta_space? .b64 : sink mem u32 @ 7.1 80",
    since="7.0 80",
    words=_MBARRIER_SINCE,
    optional_since="7.8 90",
)
row(
    "cp.async.mbarrier.arrive",
    _MBARRIER,
    ".noinc? .S=@cta_space? .b64 : mem",
    since="7.0 80",
    words=_MBARRIER_SINCE,
)
row(
    "mbarrier.test_wait",
    _MBARRIER,
    ".O=@wait_order? .S=@cta_space? .b64 : mem b64 -> pred",
    ".parity .O=@wait_order? .S=@cta_space? .b64 : mem b32 -> pred",
    ".phase_type::primary .O=@wait_order? .S=@cta_space? .b64 : mem b64 -> pred |pred? @ 9.3 90",
    ".parity .phase_type::primary .O=@wait_order? .S=@cta_space? .b64 : mem b32 -> pred |pred? @ 9.3 90",
    ".parity .phase_type::conditional .O=@wait_order? .S=@cta_space? .b64 : mem b32 -> pred @ 9.3 90",
    since="7.0 80",
    words=_MBARRIER_SINCE,
)
row(
    "mbarrier.try_wait",
    _MBARRIER,
    ".O=@wait_order? .S=@cta_space? .b64 : mem b64 u32? -> pred",
    ".parity .O=@wait_order? .S=@cta_space? .b64 : mem b32 u32? -> pred",
    ".phase_type::primary .O=@wait_order? .S=@cta_space? .b64 : mem b64 u32? -> pred |pred? @ 9.3",
    ".parity .phase_type::primary .O=@wait_order? .S=@cta_space? .b64"
    " : mem b32 u32? -> pred |pred? @ 9.3",
    ".parity .phase_type::conditional .O=@wait_order? .S=@cta_space? .b64 : mem b32 u32? -> pred @ 9.3",
    since="7.8 90",
    words=_MBARRIER_SINCE,
)
row("mbarrier.pending_count", PURE, ".b64 : b64 -> u32", since="7.0 80")

# Control of execution: 9.7.19
row("exit", SIDE_EFFECTS, ":")
row("trap", SIDE_EFFECTS, ":")
row("brkpt", SIDE_EFFECTS, ":")
row("nanosleep", SIDE_EFFECTS, ".u32 : u32", since="6.3 70")
row("pmevent", SIDE_EFFECTS, ": const", ".mask : const")
row(
    "setmaxnreg",
    CONVERGENT | SIDE_EFFECTS,
    ".inc|dec .sync .aligned .u32 : const",
    since="8.0 90a|100a|100f|101a|101f|103a|103f|110a|110f|120a|120f|121a|121f",
)
