"""LLVM's intrinsics for NVPTX: operands, results, effects, and the corresponding ops.

`find_intrinsic(name)` returns an intrinsic by its name, with or without the suffixes of an
overloaded one. `intrinsics.txt` has those of LLVM 22, `later_intrinsics.txt` those of LLVM's main branch. `nvvm_xdsl.dialects.nvvm.calls` builds the op for a call, including older
spellings; `dialects.effects` returns the effects of a call.

The letters of `Intrinsic.properties` are LLVM's:

    n no memory            r reads only            w writes only
    a only its arguments' memory                   i only memory that nothing else accesses
    b either of these two  c convergent            s may be speculated
    e has side effects     x does not return       W returns
    C commutative
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Intrinsic:
    """An intrinsic.

    `results` and `arguments` are spelled `i32`, `f32`, `bf16`, `v2f16`, `p` (a generic pointer),
    `p3` (one into that space), `anyint`, `anyfloat`, `anyptr`, `any` (overloaded) or `=0` (equal to
    the first overloaded type); `immediates` are the
    arguments that must be constants, `range` the bounds of an integer result, the upper one
    excluded.
    """

    name: str
    results: tuple[str, ...]
    arguments: tuple[str, ...]
    properties: str
    immediates: frozenset[int]
    range: tuple[int, int] | None

    @property
    def is_pure(self) -> bool:
        """True if a call depends only on its arguments and has no effects."""
        return "n" in self.properties and not set(self.properties) & set("cex")


@cache
def _table() -> dict[str, str]:
    """By name: results, arguments and properties, separated by bars."""
    return _lines("intrinsics.txt") | _later()


@cache
def _later() -> dict[str, str]:
    return _lines("later_intrinsics.txt")


def _lines(file: str) -> dict[str, str]:
    text = (Path(__file__).parent / file).read_text()
    return dict([line.split("|", 1) for line in text.splitlines()])


def is_later(name: str) -> bool:
    """Returns True if LLVM's main branch added the intrinsic with this name, without suffixes."""
    return name in _later()


def _parse(name: str, entry: str) -> Intrinsic:
    results, arguments, properties = entry.split("|")
    immediates: frozenset[int] = frozenset()
    bounds: tuple[int, int] | None = None
    letters = ""
    for part in properties.split(" "):
        if part.startswith("#"):
            immediates = frozenset(int(i) for i in part[1:].split(","))
        elif part.startswith("["):
            low, high = part[1:].split(",")
            bounds = int(low), int(high)
        else:
            letters = part
    return Intrinsic(
        name, tuple(results.split()), tuple(arguments.split()), letters, immediates, bounds
    )


@cache
def find_intrinsic(name: str) -> Intrinsic | None:
    """The intrinsic with this name in LLVM, or None.

    An overloaded intrinsic is also found by its name with suffixes: `llvm.nvvm.fabs.f32` is
    `llvm.nvvm.fabs`.
    """
    table = _table()
    known = name
    while known not in table:
        cut = known.rfind(".")
        if cut <= len("llvm"):
            return None
        known = known[:cut]
        if known.startswith("llvm.nvvm.") and not _is_overloaded(table.get(known)):
            if known in table:
                return None
    return _parse(known, table[known])


def _is_overloaded(entry: str | None) -> bool:
    return entry is not None and "any" in entry.rpartition("|")[0]


def all_intrinsics() -> tuple[str, ...]:
    """The names of all intrinsics of NVPTX in LLVM 22, without suffixes."""
    return tuple(name for name in _table() if name.startswith("llvm.nvvm."))
