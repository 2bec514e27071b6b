"""Implements straight-line ops of the llvm dialect in xDSL's interpreter.

An op is compiled to the same source as in the simulator, for one lane.

    interpreter = Interpreter(module)
    interpreter.register_implementations(LLVMArithmeticFunctions())

Integers are Python integers with the sign of the type, floats Python floats, vectors and structs
tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, InterpreterFunctions, impl, register_impls
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.simulator.llvm.arithmetic import ARITHMETIC
from nvvm_xdsl.simulator.llvm.intrinsics import INTRINSICS
from nvvm_xdsl.simulator.llvm.values import VALUES
from nvvm_xdsl.simulator.numerics.floats import round_to, widen
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.straight_line import TYPES, compile_op

_NO_INTRINSICS = frozenset(
    "memcpy memcpy.inline memmove memset memset.inline trap ubsantrap masked.load masked.store stacksave "
    "stackrestore vastart vacopy vaend".split()
)

OPS: tuple[str, ...] = (
    *ARITHMETIC,
    *(name for name in VALUES if name != "llvm.mlir.addressof"),
    *(f"llvm.intr.{name}" for name in INTRINSICS if name not in _NO_INTRINSICS),
)
"""The supported ops of the dialect."""


def _to_lane(value: Any, kind: ScalarType) -> Any:
    if kind.fmt == "bf16":
        return round_to(np.array([float(value)]), "bf16")
    if kind.fmt:
        return np.array([value], kind.dtype)
    if kind.is_bool:
        return np.array([bool(value)])
    return np.array([int(value) & ((1 << kind.bits) - 1)], kind.dtype)


def _from_lane(lane: Any, kind: ScalarType) -> int | float:
    if kind.fmt:
        return float(widen(lane, kind.fmt)[0])
    value = int(lane[0])
    # `true` is 1 in xDSL.
    if kind.bits > 1 and not kind.pointer and value >> (kind.bits - 1):
        value -= 1 << kind.bits
    return value


def _flatten(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [leaf for part in cast("tuple[Any, ...]", value) for leaf in _flatten(part)]
    return [value]


def _rebuild(type_: Attribute, leaves: list[int | float]) -> Any:
    """The scalars of a value as nested tuples; removes them from the front of the list."""
    if TYPES.scalar(type_) is not None:
        return leaves.pop(0)
    fields = getattr(type_, "types", None)
    if fields is not None:
        return tuple(_rebuild(field, leaves) for field in fields.data)
    count = len(TYPES.placed(type_))
    inner = TYPES.part(type_, 0)[1]
    size = max(1, len(TYPES.placed(inner)))
    return tuple(_rebuild(inner, leaves) for _ in range(count // size))


_compiled: WeakKeyDictionary[Operation, Callable[..., Any]] = WeakKeyDictionary()


def run_op(op: Operation, args: Sequence[Any]) -> tuple[Any, ...]:
    """The result of a straight-line op for Python values."""
    function = _compiled.get(op)
    if function is None:
        function = _compiled[op] = compile_op(op)
    lanes = [
        _to_lane(leaf, kind)
        for operand, value in zip(op.operands, args)
        for leaf, kind in zip(_flatten(value), TYPES.kinds(operand.type))
    ]
    with np.errstate(all="ignore"):
        outputs = function(*lanes)
    (result,) = op.results
    leaves = [_from_lane(lane, kind) for lane, kind in zip(outputs, TYPES.kinds(result.type))]
    return (_rebuild(result.type, leaves),)


def _implementation(cls: type[Operation]) -> Any:
    @impl(cls)
    def run(
        self: InterpreterFunctions, interpreter: Interpreter, op: Operation, args: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        return run_op(op, args)

    return run


def _implementations() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, name in enumerate(OPS):
        try:
            found[f"run_{number}"] = _implementation(op_class(name))
        except KeyError:
            continue
    return found


LLVMArithmeticFunctions: type[InterpreterFunctions] = register_impls(
    type("LLVMArithmeticFunctions", (InterpreterFunctions,), _implementations())
)
"""The functions to register with an `xdsl.interpreter.Interpreter`."""


def register(interpreter: Interpreter) -> None:
    """Registers the straight-line ops of the llvm dialect with xDSL's interpreter."""
    interpreter.register_implementations(LLVMArithmeticFunctions())


def evaluate(module: ModuleOp, op: Operation, args: Sequence[Any]) -> tuple[Any, ...]:
    """Runs one op of a module in xDSL's interpreter."""
    interpreter = Interpreter(module)
    register(interpreter)
    return tuple(interpreter.run_op(op, tuple(args)))
