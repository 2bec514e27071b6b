"""Chains of pointers that differ by a fraction of a variable step, for `loop-reduce`."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from math import gcd

from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind
from nvvm_xdsl.analysis.values.linear_address import root_key
from nvvm_xdsl.passes.loop.loop_reduce_families import Family, split_factor


def form_chains(families: list[Family], ex: Expressions) -> list[Family]:
    """Merges families whose starts differ by a fraction of the step, so that they share a pointer.

        p[i * w], p[(i + 1) * w], p[(i + 2) * w], p[(i + 3) * w]

    Each pointer is computed from the previous one, and the last one, or the one after it, is the
    first one of the next iteration.
    """
    groups: dict[Hashable, list[Family]] = {}
    for family in families:
        key = (root_key(family.root), family.root.type, family.fixed, family.step)
        groups.setdefault(key, []).append(family)
    return [
        family
        for group in groups.values()
        for part in _commensurable(group, ex)
        for family in _linked(part, ex)
    ]


def _commensurable(group: list[Family], ex: Expressions) -> list[list[Family]]:
    """Splits families with the same step into groups whose starts differ by fractions of it."""
    unit = split_factor(group[0].step, ex)[1]
    parts: list[list[Family]] = []
    for family in group:
        for part in parts:
            number, rest = split_factor(ex.sub(family.start, part[0].start), ex)
            if rest is unit or not number:
                part.append(family)
                break
        else:
            parts.append([family])
    return parts


def _linked(group: list[Family], ex: Expressions) -> list[Family]:
    """Merges families with the same step into one chain if possible; otherwise returns them
    unchanged.
    """
    first, *others = group
    block = first.accesses[0][0].parent
    same = all(access.parent is block for family in group for access, _ in family.accesses)
    if not others or first.step.kind is Kind.CONSTANT or not same:
        return group
    whole, unit = split_factor(first.step, ex)
    distances = [split_factor(ex.sub(family.start, first.start), ex)[0] for family in group]
    least = min(distances)
    distances = [number - least for number in distances]
    gap = gcd(whole, *distances)
    if sorted(distances) != [gap * i for i in range(len(group))]:
        return group
    # No chain follows a negative step, either.
    if max(distances) > whole:
        return group
    ordered = sorted(zip(distances, group), key=lambda row: row[0])
    assert unit is not None
    shared = ex.mul(ex.constant(64, gap), unit)
    chain = replace(
        ordered[0][1], accesses=[], moving=[], links={}, gap=shared, gaps_in_step=whole // gap
    )
    for distance, family in ordered:
        chain.accesses += family.accesses
        chain.moving += family.moving
        chain.links.update((access, distance // gap) for access, _ in family.accesses)
        # A value that makes one address poison need not make another one poison.
        chain.known = {e: v for e, v in chain.known.items() if family.known.get(e) is v}
    return [chain]
