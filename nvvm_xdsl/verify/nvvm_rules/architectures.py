"""The minimum architecture of ops and intrinsics.

The numbers are those of the documents of `nvvm-verify` and of the PTX ISA's target notes; the
messages of the former are kept to the letter where it states them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Gate(NamedTuple):
    """Ops and intrinsics that require an architecture.

    Arguments:
        minimum: ten times the SM from which on it exists.
        pattern: a regular expression for the whole name of an op or intrinsic.
        message: the error on an older architecture; empty for a text with the number.
    """

    minimum: int
    pattern: str
    message: str = ""


HOPPER = "this intrinsic is only supported for Hopper+"

GATES: tuple[Gate, ...] = (
    Gate(
        700,
        r"llvm\.nvvm\.branch\.if\.all\.convergent",
        "llvm.nvvm.branch.if.all.convergent is not supported on pre-Volta Architectures",
    ),
    Gate(
        800,
        r"llvm\.nvvm\.branch\.if\.convergent",
        "llvm.nvvm.branch.if.convergent is not supported on pre-Ampere Architectures",
    ),
    Gate(
        1200,
        r".*\.offset\.bindless.*",
        ".offset.bindless intrinsics are not supported on pre-Blackwell architectures",
    ),
    Gate(
        1000,
        r"llvm\.nvvm\.(add|sub|mul|fma)\..*f32x2.*",
        "F32x2 intrinsics are not supported on this architecture",
    ),
    # Matrix products: the formats determine the architecture.
    Gate(750, r"llvm\.nvvm\.wmma\..*\.b1.*", "bmmamma is not supported on this architecture"),
    Gate(
        720,
        r"llvm\.nvvm\.wmma\..*\.mma\..*\.[su](8|4).*",
        "immamma is not supported on this architecture",
    ),
    Gate(
        720,
        r"llvm\.nvvm\.wmma\..*\.load\.[ab]\..*\.[su](8|4).*",
        "immaldab is not supported on this architecture",
    ),
    Gate(
        720,
        r"llvm\.nvvm\.wmma\..*\.load\.c\..*\.s32.*",
        "immaldc is not supported on this architecture",
    ),
    Gate(
        720,
        r"llvm\.nvvm\.wmma\..*\.store\.d\..*\.s32.*",
        "imma stc not supported on this architecture",
    ),
    Gate(
        800,
        r"llvm\.nvvm\.wmma\..*\.(bf16|tf32|f64).*",
        "hmmamma is not supported on this architecture",
    ),
    Gate(
        700,
        r"(llvm\.nvvm\.wmma\..*\.mma\..*|nvvm\.wmma\.mma)",
        "hmmamma is not supported on this architecture",
    ),
    Gate(
        700,
        r"(llvm\.nvvm\.wmma\..*\.load\.[ab]\..*|nvvm\.wmma\.load)",
        "hmmaldab is not supported on this architecture",
    ),
    Gate(
        700, r"llvm\.nvvm\.wmma\..*\.load\.c\..*", "hmmaldc is not supported on this architecture"
    ),
    Gate(
        700,
        r"(llvm\.nvvm\.wmma\..*\.store\.d\..*|nvvm\.wmma\.store)",
        "hmmastc is not supported on this architecture",
    ),
    Gate(700, r"(llvm\.)?nvvm\.mma\.sync.*"),
    Gate(800, r"(llvm\.)?nvvm\.mma\.sp\.(sync|ordered).*"),
    Gate(1200, r"(llvm\.)?nvvm\.mma\.(sp\.)?block[._]scale.*"),
    Gate(750, r"(llvm\.)?nvvm\.ldmatrix.*"),
    Gate(900, r"(llvm\.)?nvvm\.stmatrix.*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.wgmma\..*", HOPPER),
    Gate(1000, r"(llvm\.)?nvvm\.tcgen05\..*"),
    # Asynchronous copies and barriers.
    Gate(900, r"(llvm\.)?nvvm\.cp\.async\.bulk\..*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.cp\.reduce\.async\.bulk\..*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.st\.bulk.*", HOPPER),
    Gate(800, r"(llvm\.)?nvvm\.cp\.async\..*"),
    Gate(
        900, r"(llvm\.)?nvvm\.mbarrier\.(try[._]wait|expect_tx|complete_tx|.*\.expect_tx).*", HOPPER
    ),
    Gate(800, r"(llvm\.)?nvvm\.mbarrier\..*"),
    # Clusters.
    Gate(900, r"(llvm\.)?nvvm\.(cluster\.(arrive|wait)|barrier\.cluster\.).*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.mapa.*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.getctarank.*", HOPPER),
    Gate(
        900,
        r"(llvm\.)?nvvm\.read\.ptx\.sreg\.(n?cluster(id)?\.|cluster\.|is_explicit_cluster).*",
        HOPPER,
    ),
    # The alias proxy exists since an earlier architecture than the others.
    Gate(700, r"nvvm\.fence\.proxy"),
    Gate(900, r"(llvm\.)?nvvm\.fence\.(mbarrier|proxy|sc\.cluster|sync_restrict).*", HOPPER),
    Gate(1000, r"(llvm\.)?nvvm\.clusterlaunchcontrol\..*"),
    Gate(900, r"(llvm\.)?nvvm\.griddepcontrol.*", HOPPER),
    Gate(900, r"(llvm\.)?nvvm\.elect\.sync.*", HOPPER),
    Gate(900, r"(llvm\.nvvm\.setmaxnreg\..*|nvvm\.setmaxregister)", HOPPER),
    # Warps.
    Gate(800, r"(llvm\.)?nvvm\.redux\.sync.*"),
    Gate(700, r"(llvm\.)?nvvm\.match\.(sync|all\.sync|any\.sync).*"),
    Gate(700, r"(llvm\.)?nvvm\.nanosleep.*"),
    Gate(610, r"(llvm\.nvvm\.idp[24]a\..*|nvvm\.dot\.accumulate\..*)"),
    Gate(520, r"llvm\.intr\.stack(save|restore)"),
    # Conversions.
    Gate(800, r"(llvm\.nvvm\.f2tf32\..*|nvvm\.convert\.float\.to\.tf32)"),
    Gate(
        890,
        r"nvvm\.convert\.(f32x2\.to\.f8x2|f16x2\.to\.f8x2|f8x2\.to\.f16x2)",
        "this instrinsic is only supported for Ada (sm_89)+",
    ),
    Gate(1000, r"nvvm\.convert\.(.*f[46]x[24].*|f32x4\..*|bf16x2\.to\.f8x2|f8x2\.to\.bf16x2)"),
)
"""The first matching row applies."""

_GROUP = re.compile(r"\([^()]*\)\??|\[[^]]*\]")
_WORD = re.compile(r"\w{3,}")


def _words_in(pattern: str) -> tuple[str, ...]:
    """The fixed words in every name that the pattern matches, outside of its groups."""
    count = 1
    while count:
        pattern, count = _GROUP.subn(" ", pattern)
    return tuple(_WORD.findall(pattern))


_WORDS = tuple((_words_in(gate.pattern), gate) for gate in GATES)
"""Each row with words to search for first, so that few patterns are compiled."""


@cache
def gate_of(name: str) -> tuple[int, str]:
    """The minimum architecture, times ten, of an op or intrinsic, and the error for older ones."""
    for words, gate in _WORDS:
        if all(word in name for word in words) and re.fullmatch(gate.pattern, name):
            message = gate.message or f"{name} is only supported for sm_{gate.minimum // 10}+"
            return gate.minimum, message
    return 0, ""
