"""Scalars packed in one integer, the first in its lowest bits."""

from __future__ import annotations

from collections.abc import Sequence

from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType


def join(to: FunctionCompiler, kinds: Sequence[ScalarType], leaves: Sequence[Leaf]) -> Leaf:
    """Packs scalars of one kind into an integer."""
    total = kinds[0].bits * len(kinds)
    container = "object" if total > 64 else ScalarType(total).unsigned
    pieces: list[str] = []
    shadows: list[str] = []
    for i, (kind, leaf) in enumerate(zip(kinds, leaves)):
        shift = i * kind.bits
        raw = to.assign(kind.to_bits(leaf.name))
        amount = str(shift) if total > 64 else f"{container}({shift})"
        pieces.append(f"(L.resize({raw}, {max(kind.bits, 2)}, {total}, False) << {amount})")
        if leaf.undefined:
            shadows.append(f"L.undefined_place({leaf.undefined}, {kind.bits}, {total}, {shift})")
    whole = to.assign(f"L.wrap({' | '.join(pieces)}, {total})")
    return Leaf(whole, to.assign(f"L.either({', '.join(shadows)})") if shadows else None)


def split(to: FunctionCompiler, whole: Leaf, kinds: Sequence[ScalarType]) -> list[Leaf]:
    """Unpacks an integer into scalars of one kind."""
    total = kinds[0].bits * len(kinds)
    container = "object" if total > 64 else ScalarType(total).unsigned
    out: list[Leaf] = []
    for i, kind in enumerate(kinds):
        shift = i * kind.bits
        amount = f"np.array([{shift}], {container})"
        raw = to.assign(
            f"L.resize(L.lshr({whole.name}, {amount}, {total}), {total}, {max(kind.bits, 2)}, False)"
        )
        shadow = None
        if whole.undefined:
            shadow = f"L.undefined_extract({whole.undefined}, {total}, {kind.bits}, {shift})"
        if kind.is_bool:
            out.append(Leaf(f"({raw} & u1(1)) != 0", shadow))
        else:
            out.append(Leaf(kind.from_bits(f"L.wrap({raw}, {kind.bits})"), shadow))
    return out
