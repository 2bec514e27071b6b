"""GPU targets, and requirements of instructions on them.

The GPUs are rows of `gpus.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from nvvm_xdsl.dialects.nvptx.gpus import GPUS, Gpu
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean

_SPELLING = re.compile(r"(?:sm|compute)_(\d{1,9})([af]?)\Z")


class TargetError(DiagnosticError):
    """An unknown target."""


def version_text(version: int) -> str:
    """`86` as `8.6`."""
    return f"{version // 10}.{version % 10}"


def version_number(text: str) -> int:
    """`8.6` as 86."""
    major, _, minor = text.partition(".")
    return int(major) * 10 + int(minor)


@dataclass(frozen=True)
class Requirement:
    """A requirement of an instruction: a PTX version (times ten) and a GPU.

    `sm` is the minimum GPU number that supports a feature on every later GPU. With `exact` it is an
    architecture-specific feature of the named GPUs: `100a` is only sm_100a, `100f` every GPU of
    that family. `until`, if not 0, is the PTX version that removed it.
    """

    ptx: int = 0
    sm: int = 0
    exact: frozenset[str] = frozenset()
    until: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """`8.6 90`, `8.6 100a|103a`, `7.8`, `90` for a GPU alone, `<6.5` for features that PTX 6.5
        removed."""
        ptx = 0
        sm = 0
        until = 0
        exact: frozenset[str] = frozenset()
        for word in text.split():
            if word.startswith("<"):
                until = round(float(word[1:]) * 10)
            elif "." in word:
                ptx = round(float(word) * 10)
            elif word.isdigit():
                sm = int(word)
            else:
                exact = frozenset(word.split("|"))
        return cls(ptx, sm, exact, until)

    def __or__(self, other: Requirement) -> Requirement:
        """Both requirements together."""
        exact = self.exact or other.exact
        if self.exact and other.exact:
            exact = (self.exact & other.exact) or other.exact
        until = min(self.until or other.until, other.until or self.until)
        return Requirement(max(self.ptx, other.ptx), max(self.sm, other.sm), exact, until)

    def is_taken_back(self, version: int) -> bool:
        """Returns True if the feature was removed in or before a PTX version, given times ten."""
        return 0 < self.until <= version

    @property
    def target_text(self) -> str:
        """The GPU in an error message, or the first PTX version without the feature."""
        if self.until:
            return f"PTX before {version_text(self.until)}"
        if self.exact:
            return " or ".join(f"sm_{name}" for name in sorted(self.exact, key=_by_number))
        return f"sm_{self.sm} or later"


def _by_number(name: str) -> tuple[int, str]:
    return int(name.rstrip("af")), name


NO_REQUIREMENT: Final = Requirement()


@dataclass(frozen=True)
class Target:
    """A GPU to compile for: `sm_90`, `sm_90a` or `sm_100f`."""

    sm: int
    suffix: str = ""

    @classmethod
    def parse(cls, text: str) -> Target:
        """The target named `sm_90a` or `compute_90a`. Raises TargetError for any other text."""
        return _parse(text)

    @classmethod
    def of_ptx(cls, text: str) -> Target:
        """The target that PTX states, which may be older than the supported targets of compilation.

        Raises TargetError for one that ptxas does not assemble.
        """
        found = _SPELLING.match(text)
        if found is not None and not found[2] and int(found[1]) in GPUS:
            return cls(int(found[1]))
        return cls.parse(text)

    @property
    def name(self) -> str:
        """`sm_90a`."""
        return f"sm_{self.sm}{self.suffix}"

    @property
    def minimum_ptx(self) -> int:
        """The first PTX version, times ten, that supports the target."""
        return _first_ptx(GPUS[self.sm], self.suffix)

    def supports(self, requirement: Requirement) -> bool:
        """Returns True if the GPU satisfies the requirement."""
        return _supports(self, requirement)


_SUFFIXES: Final = ("", "a", "f")


def _first_ptx(gpu: Gpu, suffix: str) -> int:
    """The first PTX version, times ten, that supports the GPU with a suffix; 0 if there is no such
    target."""
    return {"": gpu.ptx, "a": gpu.a, "f": gpu.f}[suffix]


def _numbers(suffix: str) -> list[int]:
    """The GPUs that can be compiled for with a suffix."""
    return [n for n, gpu in GPUS.items() if gpu.is_target and _first_ptx(gpu, suffix)]


def known_targets() -> list[str]:
    """The names of all targets of compilation: `sm_75`, `sm_90a`, `sm_100f` ..."""
    return [f"sm_{number}{suffix}" for suffix in _SUFFIXES for number in _numbers(suffix)]


def oldest_target() -> Target:
    """The oldest GPU that can be compiled for."""
    return Target(min(_numbers("")))


@cache
def _parse(text: str) -> Target:
    found = _SPELLING.match(text)
    if found is None:
        raise TargetError(
            f"unknown target '{text}': expected sm_<number> or compute_<number>"
            + did_you_mean(f"sm_{text}" if text[:1].isdecimal() else text, known_targets())
        )
    sm, suffix = int(found[1]), found[2]
    numbers = _numbers(suffix)
    if sm not in numbers:
        # Code for an older GPU runs on newer ones, code for a newer GPU does not run on older ones.
        older = [number for number in numbers if number < sm]
        nearest = max(older) if older else min(numbers)
        known = ", ".join(f"sm_{number}{suffix}" for number in numbers)
        raise TargetError(
            f"unknown target '{text}': the nearest known one is sm_{nearest}{suffix}; known are {known}"
        )
    return Target(sm, suffix)


@cache
def _supports(target: Target, requirement: Requirement) -> bool:
    if target.sm < requirement.sm or requirement.is_taken_back(target.minimum_ptx):
        return False
    if not requirement.exact:
        return True
    for name in requirement.exact:
        number = int(name[:-1])
        if name.endswith("a"):
            if target.suffix == "a" and target.sm == number:
                return True
        elif target.suffix and target.sm in GPUS[number].family:
            return True
    return False
