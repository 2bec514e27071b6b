"""Calls with signatures of LLVM's main branch, as calls with those of LLVM 22.

Main overloads intrinsics that LLVM 22 has under two names, and appends arguments that select additions of PTX 9.2 to 9.4.
`earlier_signature` finds the equivalent call if no addition is selected; the others keep their names, and
`codegen.intrinsics.main_families` has their instructions.

Source: docs/NVPTXUsage.md of LLVM's main branch, October 2026.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic

PREFIX: Final = "llvm.nvvm."

REDUCTIONS: Final = ("add", "min", "max", "inc", "dec", "and", "or", "xor")
"""Operations of `cp.async.bulk.tensor.reduce` by their numbers."""

ROUNDINGS: Final = ("rz", "rn", "rp", "rm")
"""Rounding modes of `fadd` and `fmul` by their numbers, those of llvm::RoundingMode."""

Constant = Callable[[int], "int | None"]
"""Returns the value of argument n if it is a constant."""


class Earlier(NamedTuple):
    """The name in LLVM 22, after `llvm.nvvm.`, and the arguments that it takes."""

    name: str
    arguments: tuple[int, ...]


_Rule = Callable[["re.Match[str]", int, Constant], Earlier | None]


def _without_last(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """A name with a suffix of the overloaded type, and one appended flag, which is off."""
    if constant(count - 1) != 0:
        return None
    return Earlier(match["name"], tuple(range(count - 1)))


def _shared(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """A pointer type in place of `.shared`; the flag after two arguments is off, if there is one."""
    if count == 3 and constant(2) != 0:
        return None
    name = match["name"] + (".shared" if match["space"] == "3" else "") + (match["group"] or "")
    return Earlier(name, (0, 1))


def _commit(match: re.Match[str], count: int, constant: Constant) -> Earlier:
    shared = ".shared" if match["space"] == "3" else ""
    return Earlier(f"{match['name']}{shared}{match['group']}", tuple(range(count)))


_COPY_TO_BLOCK_ARGUMENTS: Final = 10


def _copy_to_block(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """Without ignored bytes at the ends, and without a report of validity."""
    if count != _COPY_TO_BLOCK_ARGUMENTS or constant(8) != 0 or constant(9) != 0:
        return None
    return Earlier(match[0], (0, 1, 2, 3, 6, 7))


def _reduction(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """The operation was a part of the name."""
    operation = constant(count - 2)
    if operation is None or not 0 <= operation < len(REDUCTIONS):
        return None
    kept = (*range(count - 2), count - 1)
    return Earlier(f"cp.async.bulk.tensor.reduce.{REDUCTIONS[operation]}.{match['mode']}", kept)


def _arithmetic(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """The rounding mode was a part of the name."""
    rounding = constant(2) if count == 3 else None
    if rounding is None or not 0 <= rounding < len(ROUNDINGS):
        return None
    type_ = "f" if match["bits"] == "32" else "d"
    name = f"{match['op']}.{ROUNDINGS[rounding]}{match['modifiers']}.{type_}"
    return Earlier(name, (0, 1)) if find_intrinsic(PREFIX + name) is not None else None


def _bulk_store(match: re.Match[str], count: int, constant: Constant) -> Earlier:
    """Pointer and size were of one type each."""
    return Earlier(f"st.bulk{'.shared.cta' if match[1] == '3' else ''}", tuple(range(count)))


def _layout(match: re.Match[str], count: int, constant: Constant) -> Earlier:
    return Earlier(f"mbarrier.check.layout{match[1]}", tuple(range(count)))


def _multicast(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """Without a mask of blocks, which a flag after it enables."""
    if count != _MULTICAST_ARGUMENTS or constant(3) != 0:
        return None
    return Earlier(match[0], (0, 1))


_MULTICAST_ARGUMENTS: Final = 4


def _appended_flag(match: re.Match[str], count: int, constant: Constant) -> Earlier | None:
    """The same name with one more argument, a flag that is off."""
    intrinsic = find_intrinsic(PREFIX + match[0])
    if intrinsic is None or count != len(intrinsic.arguments) + 1 or constant(count - 1) != 0:
        return None
    return Earlier(match[0], tuple(range(count - 1)))


_RULES: Final[tuple[tuple[re.Pattern[str], _Rule], ...]] = tuple(
    (re.compile(pattern), rule)
    for pattern, rule in (
        (r"(?P<name>mbarrier\.init)\.p(?P<space>[03])(?P<group>)", _shared),
        (r"st\.bulk\.p([03])\.i(?:32|64)", _bulk_store),
        (r"mbarrier\.check_layout((?:\.p\d+)?)", _layout),
        (
            r"mbarrier\.(?:arrive(?:\.drop)?(?:\.expect\.tx)?(?:\.relaxed)?|(?:expect|complete)\.tx)"
            r"\.scope\.(?:cta|cluster)\.space\.cluster",
            _multicast,
        ),
        (r"(?P<name>tcgen05\.alloc)(?P<group>\.cg[12])\.p(?P<space>[03])", _shared),
        (
            r"(?P<name>tcgen05\.commit(?:\.mc)?)(?P<group>\.cg[12])\.p(?P<space>[03])(?:\.i16)?",
            _commit,
        ),
        (r"(?P<name>cp\.async\.bulk\.global\.to\.shared\.cluster)\.i16", _without_last),
        (r"(?P<name>cp\.async\.bulk\.tensor\.g2s\.(?!.*override).*d)\.i16", _without_last),
        (r"cp\.async\.bulk\.global\.to\.shared\.cta", _copy_to_block),
        (r"cp\.async\.bulk\.tensor\.reduce\.(?P<mode>(?:tile|im2col)\.\dd)", _reduction),
        (r"f(?P<op>add|mul)(?P<modifiers>(?:\.ftz)?(?:\.sat)?)\.f(?P<bits>32|64)", _arithmetic),
        (r"(?:tcgen05\.(?:dealloc|mma)\.|cp\.async\.bulk\.tensor\.g2s\.cta\.).*", _appended_flag),
        (r"(?:(?:ff|b?f16x2)\.to\.|f2b?f16\.|ff2b?f16x2\.).*", _appended_flag),
    )
)


_FAMILIES: Final = (
    *("mbarrier.", "st.bulk.p", "tcgen05.", "cp.async.bulk.", "fadd", "fmul"),
    *("ff.to.", "f16x2.to.", "bf16x2.to.", "f2f16.", "f2bf16.", "ff2f16x2.", "ff2bf16x2."),
)
"""The beginnings of the names that `_RULES` may match."""


@cache
def _rule_of(name: str) -> tuple[re.Match[str], _Rule] | None:
    if not name.startswith(_FAMILIES):
        return None
    for pattern, rule in _RULES:
        match = pattern.fullmatch(name)
        if match is not None:
            return match, rule
    return None


def earlier_signature(name: str, count: int, constant: Constant) -> Earlier | None:
    """The equivalent call with a signature of LLVM 22; None if there is none, or the call has one.

    Args:
        name: the intrinsic, after `llvm.nvvm.`.
        count: the number of arguments.
        constant: returns the value of argument n if it is a constant.
    """
    found = _rule_of(name)
    if found is None:
        return None
    match, rule = found
    return rule(match, count, constant)


def is_renamed(name: str) -> bool:
    """Returns True if `earlier_signature` can find another call for some arguments.

    Args:
        name: the intrinsic, after `llvm.nvvm.`.
    """
    return _rule_of(name) is not None


def has_more_arguments(name: str, count: int) -> bool:
    """Returns True if the intrinsic has `count` arguments on LLVM's main branch, and fewer in LLVM 22.

    Args:
        name: the intrinsic, after `llvm.nvvm.`.
    """
    found = _rule_of(name)
    if found is None:
        return False
    if found[1] is _copy_to_block:
        return count == _COPY_TO_BLOCK_ARGUMENTS
    if found[1] is _multicast:
        return count == _MULTICAST_ARGUMENTS
    intrinsic = find_intrinsic(PREFIX + name)
    return (
        found[1] is _appended_flag
        and intrinsic is not None
        and count == len(intrinsic.arguments) + 1
    )
