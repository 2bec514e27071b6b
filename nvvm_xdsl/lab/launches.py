"""Kernel launches as data: running them and comparing their outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl import simulator
from nvvm_xdsl.simulator import Limits, Pointer, Surface
from nvvm_xdsl.simulator.execution.profile import Profile
from nvvm_xdsl.simulator.execution.scheduling import Passed
from nvvm_xdsl.simulator.program import Program

Array = np.ndarray[Any, Any]
Dim = int | tuple[int, ...]


@dataclass(frozen=True)
class Launch:
    """A kernel launch. Arrays among the arguments are copied for each run."""

    kernel: str
    grid: Dim = 1
    block: Dim = 1
    args: tuple[Any, ...] = ()
    shared_bytes: int = 0
    variables: Mapping[str, Array | bytes] = field(default_factory=dict[str, "Array | bytes"])
    cluster: Dim | None = None
    tolerance: float = 0.0
    """The permitted relative error of floats; 0 requires equal bits, NaN equal to NaN."""
    absolute: float = 0.0
    ignored: frozenset[int] = frozenset()
    """Indices of arguments whose final contents are irrelevant."""
    unchecked: frozenset[str] = frozenset()
    """Checks that are disabled because the kernel is known to violate them."""


@dataclass
class Outcome:
    """The outcome of a launch."""

    arrays: list[Array]
    """The arrays among the arguments, in order, without duplicates."""
    positions: list[int]
    """The argument index of each array."""
    output: str
    variables: dict[str, bytes]
    steps: int = 0
    profile: Profile | None = None
    """Executed instructions, if the program counts them."""
    paths: list[Passed] = field(default_factory=list[Passed])
    """The paths of threads, if they were recorded."""


def _copied(
    value: Any, copies: dict[int, Array], order: list[tuple[int, Array]], position: int
) -> Any:
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        copy = copies.get(id(array))
        if copy is None:
            copy = copies[id(array)] = array.copy()
            order.append((position, copy))
        return copy
    if isinstance(value, Pointer):
        return Pointer(_copied(value.array, copies, order, position), value.offset)
    if isinstance(value, Surface):
        return replace(value, array=_copied(value.array, copies, order, position))
    if isinstance(value, tuple | list):
        return tuple(_copied(v, copies, order, position) for v in cast("Sequence[Any]", value))
    return value


def copied_arguments(launch: Launch) -> list[Any]:
    """The arguments of a launch, its arrays copied."""
    return copied_launch(launch)[0]


def copied_launch(launch: Launch) -> tuple[list[Any], list[tuple[int, Array]]]:
    """The arguments of a launch with arrays copied, and each copy with the index of its
    argument."""
    copies: dict[int, Array] = {}
    order: list[tuple[int, Array]] = []
    return [_copied(a, copies, order, i) for i, a in enumerate(launch.args)], order


def three(size: Dim) -> tuple[int, int, int]:
    """The size of a grid or block in three dimensions."""
    given = (size,) if isinstance(size, int) else size
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


def run(
    module: ModuleOp | Program,
    launch: Launch,
    checks: Sequence[str] = (),
    limits: Limits | None = None,
    *,
    paths: bool = False,
) -> Outcome:
    """Runs a launch on copies of its arrays. Raises SimulationError.

    Arguments:
        paths: whether to record the paths of threads.
    """
    args, order = copied_launch(launch)
    result = simulator.launch(
        module,
        launch.kernel,
        launch.grid,
        launch.block,
        args,
        shared_bytes=launch.shared_bytes,
        checks=[c for c in checks if c not in launch.unchecked],
        limits=limits,
        cluster=launch.cluster,
        variables=launch.variables,
        paths=paths,
    )
    return Outcome(
        [a for _, a in order],
        [p for p, _ in order],
        result.output,
        result.variables,
        result.steps,
        result.profile,
        result.paths,
    )


def equal(a: Array, b: Array, tolerance: float = 0.0, absolute: float = 0.0) -> Array:
    """Whether elements agree: within the tolerance, or bit by bit with all NaNs equal."""
    if a.dtype.names:
        out = np.ones(a.shape, bool)
        for name in a.dtype.names:
            field_equal = equal(a[name], b[name], tolerance, absolute)
            while field_equal.ndim > out.ndim:
                field_equal = field_equal.all(axis=-1)
            out &= field_equal
        return out
    if a.dtype.kind != "f":
        return a == b
    nan = np.isnan(a) & np.isnan(b)
    if tolerance == 0.0 and absolute == 0.0:
        return (a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}")) | nan
    with np.errstate(all="ignore"):
        near = np.abs(a.astype(np.float64) - b) <= absolute + tolerance * np.maximum(
            np.abs(a), np.abs(b)
        )
    return near | nan | (a == b)


def difference(
    launch: Launch, before: Outcome, after: Outcome, names: Sequence[str] = ()
) -> str | None:
    """A description of the first difference between two outcomes; None if there is none."""
    for position, a, b in zip(before.positions, before.arrays, after.arrays):
        if position in launch.ignored:
            continue
        same = equal(a, b, launch.tolerance, launch.absolute)
        if not same.all():
            where = tuple(int(i) for i in np.argwhere(~same)[0])
            count = int(np.count_nonzero(~same))
            place = ", ".join(map(str, where))
            return f"argument {position}[{place}] was {a[where]!r} and is {b[where]!r} ({count} of {a.size} differ)"
    if before.output != after.output:
        return f"the output was {before.output!r} and is {after.output!r}"
    for name, content in before.variables.items():
        if name in after.variables and after.variables[name] != content:
            return f"the variable @{name} was {content.hex()} and is {after.variables[name].hex()}"
    return None
