"""Sample instructions of the tables, computed once per process and only when a test needs them."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from dev.instruction_samples import TARGETS, Sample, all_samples

TARGET_NAMES = tuple(target.name for target in TARGETS)


@cache
def every_sample() -> tuple[Sample, ...]:
    """The samples of all rows."""
    return tuple(all_samples())


@cache
def _grouped() -> dict[str, dict[int, list[Sample]]]:
    groups: dict[str, dict[int, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for sample in every_sample():
        groups[sample.target.name][sample.ptx].append(sample)
    return groups


def samples_of(target: str) -> dict[int, list[Sample]]:
    """The samples whose first target is `target`, by the PTX version, times ten, that they need."""
    return _grouped()[target]
