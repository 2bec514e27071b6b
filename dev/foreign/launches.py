"""Launches of a kernel whose host is unknown, tried in turn until some work.

The target of a pointer is derived from its loads and stores, and blocks have the dimensions that
the kernel requires. Sizes are small, one of them not a power of two, so that loops have remainders.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp, GEPOp, TruncOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import callee_of, integer_width
from nvvm_xdsl.dialects.llvm.branches import argument_behind
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.dialects.nvvm.kernel import launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import Launch, Outcome, run
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import Limits, SimulationError, prepare
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType, TypeMap
from nvvm_xdsl.simulator.program import Parameter, Program

BUFFER_BYTES: Final = 1 << 18
SIZES: Final = (37, 16, 64, 5)
"""Values of integers: sizes of dimensions, strides, counts."""
SMALL: Final = 8
"""Upper bound of integers in buffers, so that they are valid indices."""
STEPS: Final = 150_000
"""Resource limits of a launch on the simulator."""
ENOUGH: Final = 2
"""Number of launches that are kept for a kernel."""
DYNAMIC_SHARED_BYTES: Final = 1 << 14
MOST_SECONDS: Final = 10.0
"""Processor time in seconds after which no other launch of a kernel is tried."""

LINEAR_BLOCKS: Final = ((32,), (256,), (64,))
PLANE_BLOCKS: Final = ((16, 16), (8, 8), (32, 8))
SOLID_BLOCKS: Final = ((8, 4, 4), (4, 4, 4))

ADVISORY: Final = frozenset({"init", "race", "sync"})
"""Kinds of errors that only checks report; the costs of such a launch are counted, but its results
are not compared."""

_FORWARDED: Final = frozenset(
    {"llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast", "llvm.select", "llvm.freeze"}
)
_INTEGER: Final = ScalarType(32)
_BOOLEAN: Final = ScalarType(1)


@dataclass(frozen=True)
class Try:
    """A launch that succeeds.

    Arguments:
        sound: whether it passes the checks for initialization, races and synchronization, so that
            its outcome is defined.
    """

    launch: Launch
    outcome: Outcome
    sound: bool


def found_launches(module: ModuleOp, func: FuncOp, program: Program) -> tuple[list[Try], str]:
    """Launches of a kernel that succeed and change memory, and the reason why others do not.

    Arguments:
        module: the module of the kernel, which is not changed.
        program: the program of the module, prepared with `ALL_CHECKS`.
    """
    found: list[Try] = []
    why = "it stores nothing"
    unchecked: Program | None = None
    end = time.process_time() + MOST_SECONDS
    for launch in _launches(module, func, program):
        if time.process_time() > end:
            break
        sound = True
        try:
            outcome = run(program, launch, ALL_CHECKS, Limits(steps=STEPS))
        except SimulationError as error:
            why = error.message
            if error.kind == "unsupported":
                break
            if error.kind not in ADVISORY:
                continue
            sound = False
            unchecked = unchecked or prepare(module)
            try:
                outcome = run(unchecked, launch, (), Limits(steps=STEPS))
            except SimulationError:
                continue
        if _has_effect(launch, outcome):
            found.append(Try(launch, outcome, sound))
            if sum(t.sound for t in found) == ENOUGH:
                break
    sound_ones = [t for t in found if t.sound]
    return (sound_ones or found)[:ENOUGH], why.split("\n", 1)[0]


def _has_effect(launch: Launch, outcome: Outcome) -> bool:
    given = {id(a): a for a in _arrays(launch.args)}.values()
    return bool(outcome.output) or any(
        before.tobytes() != after.tobytes() for before, after in zip(given, outcome.arrays)
    )


def _arrays(values: Sequence[Any]) -> Iterator[np.ndarray[Any, Any]]:
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, list):
            yield from _arrays(cast("list[Any]", value))


def _launches(module: ModuleOp, func: FuncOp, program: Program) -> Iterator[Launch]:
    name = func.sym_name.data
    targets = pointees(module, name)
    bounds = launch_bounds(func)
    dimensions = _dimensions(module)
    stated = bounds.reqntid or bounds.maxntid
    blocks = (LINEAR_BLOCKS, PLANE_BLOCKS, SOLID_BLOCKS)[dimensions - 1]
    if stated:
        blocks = (tuple(stated), *(b for b in blocks if np.prod(b) <= np.prod(stated)))
    parameters = program.parameters(name)
    # The first block with all sizes, then the others: most kernels depend on sizes.
    for block in blocks:
        for size in SIZES:
            yield Launch(
                name,
                grid=(2,) * min(dimensions, 2),
                block=block,
                args=tuple(
                    _argument(p, target, size, seed)
                    for seed, (p, target) in enumerate(zip(parameters, targets))
                ),
                shared_bytes=DYNAMIC_SHARED_BYTES,
            )


def _dimensions(module: ModuleOp) -> int:
    """The number of dimensions of blocks that a module's code reads."""
    names = {op.name for op in module.walk()}
    for number, letter in ((3, "z"), (2, "y")):
        if names & {f"nvvm.read.ptx.sreg.{r}.{letter}" for r in ("tid", "ntid", "ctaid")}:
            return number
    return 1


def _argument(parameter: Parameter, target: Target, size: int, seed: int) -> Any:
    parts = [
        _part(_BOOLEAN if offset in target.booleans else kind, target.element, size, seed)
        for offset, kind in parameter.scalars
    ]
    return parts if parameter.by_value or len(parts) != 1 else parts[0]


def _part(kind: ScalarType, element: ScalarType, size: int, seed: int) -> Any:
    if kind.pointer:
        return _buffer(element, seed)
    if kind.fmt:
        return 0.5
    return size if kind.bits > 1 else 1


def _buffer(element: ScalarType, seed: int) -> np.ndarray[Any, Any]:
    generator = np.random.default_rng(seed)
    if element.fmt == "bf16":
        values = generator.uniform(-2, 2, BUFFER_BYTES // 2).astype(np.float32)
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    dtype = np.dtype(element.dtype) if 8 <= element.bits <= 64 else np.dtype(np.uint8)
    count = BUFFER_BYTES // dtype.itemsize
    if element.fmt:
        return generator.uniform(-2, 2, count).astype(dtype)
    return generator.integers(0, 2 if element == _BOOLEAN else SMALL, count).astype(dtype)


@dataclass(frozen=True)
class Target:
    """The memory that a kernel accesses through a parameter.

    Arguments:
        element: the most frequent type of its accesses, or of those through pointers in it.
        booleans: the offsets of bytes that are only 0 or 1.
    """

    element: ScalarType
    booleans: frozenset[int] = frozenset()


def pointees(module: ModuleOp, kernel: str) -> list[Target]:
    """For each parameter, the accesses through it and through pointers inside it.

    Arguments:
        module: the module, which is not changed.
    """
    copy = fast.clone(module)
    run_pipeline(copy, "function(sroa)")
    functions = symbols_of(copy)
    func = functions[kernel]
    block = func.regions[0].first_block
    assert block is not None
    types = TypeMap(DataLayout.of(copy))
    return [_pointee(argument, functions, types) for argument in block.args]


def _pointee(argument: SSAValue, functions: Mapping[str, Operation], types: TypeMap) -> Target:
    direct: Counter[ScalarType] = Counter()
    behind: Counter[ScalarType] = Counter()
    booleans: set[int] = set()
    seen: set[SSAValue] = set()
    work: list[tuple[SSAValue, Counter[ScalarType], int | None]] = [(argument, direct, 0)]
    while work:
        value, counts, offset = work.pop()
        if value in seen:
            continue
        seen.add(value)
        for op, index in fast.uses_of(value):
            same = _passed_on(op, index, functions)
            if same is not None:
                work.append((same, counts, _moved(offset, op, types.layout)))
            accessed = _accessed(op, index)
            kinds = types.kinds(accessed.type) if accessed is not None else []
            if accessed is not None and kinds and kinds[0].pointer:
                work.append((accessed, behind, None))
            elif accessed is not None and kinds:
                is_boolean = _is_boolean(accessed)
                counts[_BOOLEAN if is_boolean else kinds[0]] += 1
                if is_boolean and counts is direct and offset is not None:
                    booleans.add(offset)
    # Buffers are needed for the targets of pointers in a struct passed by value.
    ranked = sorted((behind or direct).items(), key=lambda item: (not item[0].fmt, -item[1]))
    return Target(ranked[0][0] if ranked else _INTEGER, frozenset(booleans))


def _moved(offset: int | None, op: Operation, layout: DataLayout) -> int | None:
    """The offset of the pointer that an op passes on; None if it is not known."""
    if offset is None or type(op) is not GEPOp:
        return offset
    step = constant_offset(op, layout)
    return None if step is None else offset + step


def _is_boolean(value: SSAValue) -> bool:
    """Returns True if a byte is a `bool`: extended from i1, or only truncated to it."""
    if integer_width(value.type) != 8:
        return False
    if type(value.owner) is ZExtOp:
        return fast.operands_of(value.owner)[0].type == I1
    users = list(fast.users_of(value))
    return bool(users) and all(type(u) is TruncOp and u.results[0].type == I1 for u in users)


def _accessed(op: Operation, index: int) -> SSAValue | None:
    """The value that an op loads or stores through its operand `index`."""
    if op.name == "llvm.load":
        return op.results[0]
    if op.name == "llvm.store" and index == 1:
        return fast.operands_of(op)[0]
    if op.name in ("llvm.atomicrmw", "llvm.cmpxchg") and index == 0:
        return fast.operands_of(op)[1]
    return None


def _passed_on(op: Operation, index: int, functions: Mapping[str, Operation]) -> SSAValue | None:
    """The value that is equal to, or at an offset from, the pointer operand `index`."""
    if op.name in _FORWARDED:
        return op.results[0]
    if op.name == "llvm.call":
        target = functions.get(callee_of(op) or "")
        entry = target.regions[0].first_block if target is not None else None
        if entry is not None and index < len(entry.args):
            return entry.args[index]
    elif fast.successors_of(op):
        return argument_behind(op, index)
    return None
