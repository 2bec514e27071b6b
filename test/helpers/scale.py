"""Scale of the tests: the number of seeds, and the shares of exhaustive tests."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable
from typing import Any

import pytest

VARIABLE = "NVVM_TEST_SCALE"


def _scale(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{VARIABLE} must be a number from 1 on, not '{text}'")
    return int(text)


SCALE = _scale(os.environ.get(VARIABLE, "1"))
"""Multiplies the seeds; shares grow by the same factor, up to the whole."""


def chosen(text: str, one_in: int) -> bool:
    """Returns whether the named case is in the tested share of `1 / one_in`."""
    return zlib.crc32(text.encode()) % max(one_in // SCALE, 1) == 0


def share(values: Iterable[Any], one_in: int, name: Callable[[Any], str] = str) -> list[Any]:
    """Returns the values in the tested share of `1 / one_in`, chosen by their names."""
    return [value for value in values if chosen(name(value), one_in)]


def slow_but(
    values: Iterable[Any], quick: Iterable[str], name: Callable[[Any], str] = str
) -> list[Any]:
    """Parameters of a test, with their names as ids: all but those of `quick` are marked slow."""
    kept = frozenset(quick)
    return [
        pytest.param(v, id=name(v), marks=() if name(v) in kept else pytest.mark.slow)
        for v in values
    ]
