"""Analyses on demand, cached until a pass invalidates them.

An analysis is a class with a class method `build(op, am)`. The method computes the analysis of a
function (or, for module analyses, of the module) and can request other analyses from the manager.
The manager records these dependencies and invalidates an analysis together with any analysis it
depends on. An analysis can have a method `verify()` that recomputes it and raises AssertionError if
the result differs.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar, Protocol, Self, TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

AnalysisT = TypeVar("AnalysisT", bound="Analysis")


class Analysis(Protocol):
    """The interface of analysis classes."""

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The analysis of a function or module."""
        ...


class PreservedAnalyses:
    """The analyses that remain valid after a pass changed something."""

    _ALL: ClassVar[PreservedAnalyses]
    _NONE: ClassVar[PreservedAnalyses]

    def __init__(
        self, classes: frozenset[type] = frozenset(), *, all_: bool = False, cfg: bool = False
    ) -> None:
        self._classes = classes
        self._all = all_
        self._cfg = cfg

    @classmethod
    def all(cls) -> PreservedAnalyses:
        """All analyses remain valid."""
        return cls._ALL

    @classmethod
    def none(cls) -> PreservedAnalyses:
        """No analysis remains valid."""
        return cls._NONE

    @classmethod
    def cfg(cls) -> PreservedAnalyses:
        """Blocks and edges are unchanged: analyses that depend only on the control-flow graph
        remain valid.
        """
        return cls(cfg=True)

    @classmethod
    def of(cls, *classes: type) -> PreservedAnalyses:
        """The given analyses remain valid."""
        return cls(frozenset(classes))

    def and_of(self, *classes: type) -> PreservedAnalyses:
        """The given analyses remain valid, too."""
        return PreservedAnalyses(self._classes | set(classes), all_=self._all, cfg=self._cfg)

    def holds(self, cls: type) -> bool:
        """Returns True if the analysis `cls` remains valid."""
        return (
            self._all
            or cls in self._classes
            or (self._cfg and bool(getattr(cls, "looks_at_cfg_only", False)))
        )


PreservedAnalyses._ALL = PreservedAnalyses(all_=True)  # pyright: ignore[reportPrivateUsage]
PreservedAnalyses._NONE = PreservedAnalyses()  # pyright: ignore[reportPrivateUsage]


class AnalysisManager:
    """The analyses of the functions of one module, and of the module itself.

    Arguments:
        verify: compare each cached analysis with a recomputed one whenever it is requested, to find
            passes that wrongly declare it preserved.
    """

    builds: Counter[str]
    hits: Counter[str]

    def __init__(self, *, verify: bool = False) -> None:
        self._verify = verify
        self._cached: dict[Operation, dict[type, Any]] = {}
        self._needs: dict[tuple[Operation, type], set[tuple[Operation, type]]] = {}
        self._needed_by: dict[tuple[Operation, type], set[tuple[Operation, type]]] = {}
        """The inverse relation; may contain outdated entries."""
        self._building: list[tuple[Operation, type]] = []
        self._epochs: dict[Operation, int] = {}
        self.builds = Counter()
        self.hits = Counter()

    def get(self, cls: type[AnalysisT], op: Operation) -> AnalysisT:
        """The analysis `cls` of a function or module, computed if it is not cached."""
        key = (op, cls)
        if self._building:
            builder = self._building[-1]
            self._needs[builder].add(key)
            self._needed_by.setdefault(key, set()).add(builder)
        found = self.cached(cls, op)
        if found is not None:
            self.hits[cls.__name__] += 1
            if self._verify:
                _verify(found)
            return found
        self.builds[cls.__name__] += 1
        self._needs[key] = set()
        self._building.append(key)
        try:
            analysis = cls.build(op, self)
        except BaseException:
            del self._needs[key]
            raise
        finally:
            self._building.pop()
        self._cached.setdefault(op, {})[cls] = analysis
        return analysis

    def cached(self, cls: type[AnalysisT], op: Operation) -> AnalysisT | None:
        """The analysis if it is cached, else None."""
        of_op = self._cached.get(op)
        return None if of_op is None else of_op.get(cls)

    def epoch(self, op: Operation) -> int:
        """The number of recorded changes of the function or module."""
        return self._epochs.get(op, 0)

    def invalidate(self, op: Operation, preserved: PreservedAnalyses | None = None) -> None:
        """Records that a function or module was changed and invalidates analyses that are no longer
        valid.

        A changed function changes its module; a changed module may have changed any of its
        functions.
        """
        parent = op.parent_op()
        touched = [op] if parent is None else [op, parent]
        if isinstance(op, ModuleOp):
            touched += [other for other in self._cached if other.parent_op() is op]
        for other in touched:
            self._epochs[other] = self._epochs.get(other, 0) + 1
        lost = [
            (other, cls)
            for other in touched
            for cls in self._cached.get(other, ())
            if preserved is None or not preserved.holds(cls)
        ]
        self._drop(lost)

    def drop(self, cls: type, op: Operation) -> None:
        """Invalidates one analysis and the analyses that depend on it."""
        if cls in self._cached.get(op, ()):
            self._drop([(op, cls)])

    def _drop(self, lost: list[tuple[Operation, type]]) -> None:
        gone = set(lost)
        while gone:
            for op, cls in gone:
                del self._cached[op][cls]
                del self._needs[op, cls]
            gone = {
                builder
                for key in gone
                for builder in self._needed_by.pop(key, ())
                if key in self._needs.get(builder, ())
            }

    def forget(self, op: Operation) -> None:
        """Drops all cached facts about a function that is to be erased."""
        parent = op.parent_op()
        self._drop([(op, cls) for cls in self._cached.get(op, ())])
        self._cached.pop(op, None)
        self._epochs.pop(op, None)
        if parent is not None:
            self._drop([(parent, cls) for cls in self._cached.get(parent, ())])
            self._epochs[parent] = self._epochs.get(parent, 0) + 1

    def clear(self) -> None:
        """Drops all analyses."""
        self._cached.clear()
        self._needs.clear()
        self._needed_by.clear()

    def verify(self) -> None:
        """Verifies all cached analyses; raises AssertionError for an invalid one."""
        for of_op in self._cached.values():
            for analysis in of_op.values():
                _verify(analysis)


def _verify(analysis: Any) -> None:
    if hasattr(analysis, "verify"):
        analysis.verify()
