"""Remarks and counters of passes.

Passes emit remarks while nobody may be listening, so they ask `wanted()` first where making
one costs anything. A counter is a module-level `Statistic` that is added to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation

from nvvm_xdsl.ir.locations import place_of


@dataclass(frozen=True)
class Remark:
    """One remark.

    Arguments:
        kind: `Passed` for a transformation, `Missed` for a failed one, `Analysis` for facts.
        pass_name: the pass, by its pipeline name.
        name: what happened, in one word such as `Inlined`.
        function: the function concerned.
        arguments: the message in pieces, each with the key that opt-viewer knows it by;
            `String` for plain text.
        file, line, column: where in the source, when known.
        shown: it is printed unless it goes into a file.
    """

    kind: str
    pass_name: str
    name: str
    function: str
    arguments: tuple[tuple[str, str], ...] = ()
    file: str | None = None
    line: int = 0
    column: int = 0
    shown: bool = False

    @property
    def message(self) -> str:
        """The parts of the message as one text."""
        return "".join(text for _, text in self.arguments)

    def line_of_text(self) -> str:
        """The remark as one line of text, with its location if known."""
        place = "" if self.file is None else f"{self.file}:{self.line}:{self.column}: "
        return f"{place}remark: {self.pass_name}: {self.function}: {self.message}"


Listener = Callable[[Remark], None]


class _Hearing(NamedTuple):
    """The listener, and the passes that it listens to; None for all."""

    listener: Listener
    passes: frozenset[str] | None

    def hears(self, pass_name: str) -> bool:
        """Returns whether remarks of this pass are wanted."""
        return self.passes is None or pass_name in self.passes


_hearing: ContextVar[_Hearing | None] = ContextVar("remark_listener", default=None)


def wanted(pass_name: str = "") -> bool:
    """Returns True if there is a listener for all remarks, or for those of this pass."""
    hearing = _hearing.get()
    return hearing is not None and hearing.hears(pass_name)


def emit(
    kind: str,
    pass_name: str,
    name: str,
    function: str,
    *arguments: str | tuple[str, str],
    op: Operation | None = None,
    shown: bool = False,
) -> None:
    """Passes a remark to the listener, if there is one.

    Arguments:
        kind, pass_name, name, function: as of `Remark`.
        arguments: the message in pieces; plain text needs no key.
        op: gives the place.
        shown: print the remark to standard error when nobody listens, as dump flags want it.
    """
    hearing = _hearing.get()
    heard = hearing is not None and hearing.hears(pass_name)
    if not heard and not shown:
        return
    pieces = tuple(a if isinstance(a, tuple) else ("String", a) for a in arguments)
    file, line, column = place_of(op)
    remark = Remark(kind, pass_name, name, function, pieces, file, line or 0, column or 0, shown)
    if hearing is not None and heard:
        hearing.listener(remark)
    else:
        show(remark)


def show(remark: Remark) -> None:
    """Prints a remark to standard error."""
    print(remark.line_of_text(), file=sys.stderr)


@contextmanager
def listening(listener: Listener, passes: frozenset[str] | None = None) -> Generator[None]:
    """Passes all remarks emitted in the context, or those of some passes, to the listener."""
    token = _hearing.set(_Hearing(listener, passes))
    try:
        yield
    finally:
        _hearing.reset(token)


STATISTICS: list[Statistic] = []
"""All counters, in the order in which their passes were loaded."""


@dataclass(eq=False)
class Statistic:
    """A counter of a pass, shown by `--stats`.

    Arguments:
        pass_name: the pass, by its pipeline name.
        name: one word.
        description: the counted events.
    """

    pass_name: str
    name: str
    description: str
    value: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        STATISTICS.append(self)

    def add(self, count: int = 1) -> None:
        """Counts."""
        self.value += count


def reset_statistics() -> None:
    """Sets all counters to 0."""
    for statistic in STATISTICS:
        statistic.value = 0
