"""The tree of a thread's accesses: each sequence of values is executed once."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from nvvm_xdsl.lab.memory_model.events import Access, Kind, Value
from nvvm_xdsl.lab.memory_model.thread_steps import (
    BlockedError,
    CutError,
    Point,
    UndefinedBehaviourError,
)

STARTS: list[int] = []
"""One entry for each execution of `body`."""


def body() -> Generator[Access, Value, Mapping[str, Value]]:
    """Reads x, then y unless x is 0; 2 and 3 end the thread with an error."""
    STARTS.append(1)
    try:
        first = yield Access(Kind.READ, "x")
        if first.bits == 0:
            return {"a": first}
        if first.bits == 2:
            raise CutError
        if first.bits == 3:
            raise UndefinedBehaviourError
        second = yield Access(Kind.READ, "y")
    except BlockedError:
        return {"blocked": Value(1)}
    return {"a": first, "b": second}


def names(point: Point) -> tuple[str | None, set[str]]:
    """The variable of the next access and the final registers."""
    return (point.access.variable if point.access else None), set(point.registers)


def test_states_of_a_thread():
    start = Point.start(body)
    assert names(start) == ("x", set())
    assert names(start.after(Value(0))) == (None, {"a"})
    middle = start.after(Value(1))
    assert names(middle) == ("y", set())
    end = middle.after(Value(5))
    assert end.registers["b"] == Value(5)
    assert names(middle.after(None)) == (None, {"blocked"})


def test_errors_end_a_thread():
    start = Point.start(body)
    cut, undefined = start.after(Value(2)), start.after(Value(3))
    assert isinstance(cut.error, CutError)
    assert isinstance(undefined.error, UndefinedBehaviourError)
    assert start.after(Value(0)).error is None


def test_a_sequence_of_values_is_executed_once():
    STARTS.clear()
    start = Point.start(body)
    start.after(Value(1)).after(Value(5))
    assert len(STARTS) == 1
    start.after(Value(1)).after(Value(5))
    assert len(STARTS) == 1
    start.after(Value(1)).after(Value(6))
    assert len(STARTS) == 2
    assert start.after(Value(1)).after(Value(5)).registers["b"] == Value(5)
    assert start.after(Value(1)).after(Value(6)).registers["b"] == Value(6)
