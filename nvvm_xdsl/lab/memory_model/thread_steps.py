"""The accesses of a thread as a tree: the next access after each sequence of values that it receives."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import partial

from nvvm_xdsl.lab.memory_model.events import Access, Value

Body = Callable[[], Generator[Access, Value, Mapping[str, Value]]]
"""A thread: a generator of accesses that receives the values of reads and returns its registers. The
same values lead to the same accesses."""


class CutError(Exception):
    """Raised by a thread if a loop bound or an unsatisfied wait ends its trace."""


class BlockedError(Exception):
    """Thrown into a thread that waits at a barrier forever. It returns its registers."""


class UndefinedBehaviourError(Exception):
    """Raised by a thread for undefined behaviour of LLVM after which it cannot continue."""


def _no_body() -> Generator[Access, Value, Mapping[str, Value]]:
    """A thread without accesses."""
    yield from ()
    return {}


class Point:
    """A state of a thread: before an access, or at its end.

    Attributes:
        access: the next access; None at the end.
        registers: the final registers.
        error: the error that ended the thread.
    """

    __slots__ = ("_body", "_following", "_live", "_origin", "access", "error", "registers")

    def __init__(self, body: Body, origin: tuple[Point, Value | None] | None = None) -> None:
        self.access: Access | None = None
        self.registers: Mapping[str, Value] = {}
        self.error: CutError | UndefinedBehaviourError | None = None
        self._body = body
        self._origin = origin
        self._following: dict[Value | None, Point] = {}
        self._live: Generator[Access, Value, Mapping[str, Value]] | None = None

    @staticmethod
    def start(body: Body) -> Point:
        """The start of a thread."""
        point = Point(body)
        thread = body()
        point._advance(thread, partial(next, thread))
        return point

    @staticmethod
    def end(error: CutError | UndefinedBehaviourError) -> Point:
        """The end of a thread that an access raises."""
        point = Point(_no_body)
        point.error = error
        return point

    def after(self, value: Value | None) -> Point:
        """The state after the access returns a value, or never, which is None.

        A sequence of values that was received before is not executed again.
        """
        point = self._following.get(value)
        if point is None:
            point = Point(self._body, (self, value))
            thread = self._thread()
            if value is None:
                point._advance(thread, partial(thread.throw, BlockedError()))
            else:
                point._advance(thread, partial(thread.send, value))
            self._following[value] = point
        return point

    def _advance(
        self, thread: Generator[Access, Value, Mapping[str, Value]], step: Callable[[], Access]
    ) -> None:
        """Runs the thread up to this point."""
        try:
            self.access = step()
            self._live = thread
        except StopIteration as end:
            self.registers = end.value or {}
        except (CutError, UndefinedBehaviourError) as error:
            self.error = error

    def _thread(self) -> Generator[Access, Value, Mapping[str, Value]]:
        """A thread in this state. It is executed from its start unless one has stopped here."""
        thread, self._live = self._live, None
        if thread is not None:
            return thread
        values: list[Value] = []
        point = self
        while point._origin is not None:
            point, value = point._origin
            assert value is not None
            values.append(value)
        thread = self._body()
        next(thread)
        for value in reversed(values):
            thread.send(value)
        return thread
