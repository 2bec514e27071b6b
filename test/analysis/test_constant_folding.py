"""Every folded constant equals the simulator's result."""

from __future__ import annotations

import random

import numpy as np
import pytest
from xdsl.dialects.llvm import ConstantOp

import nvvm_xdsl
from dev.rules import op_properties
from nvvm_xdsl.analysis.constant_folding import FOLDABLE, fold
from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS
from nvvm_xdsl.dialects.llvm.types import F16, F32, F64, I1, I32, I64, float_attr, int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.rules.language import Apply, Var, predicates_of
from nvvm_xdsl.rules.operators import operators
from nvvm_xdsl.simulator.straight_line import TYPES, evaluate

PAIRS = {
    "zext": [(integer(8), I32), (I32, I64)],
    "sext": [(integer(8), I32), (I32, I64)],
    "trunc": [(I32, integer(8)), (I64, I32)],
    "fpext": [(F16, F32), (F32, F64)],
    "fptrunc": [(F64, F32), (F32, F16)],
    "sitofp": [(I32, F32), (I64, F64)],
    "uitofp": [(I32, F32), (I64, F64)],
    "fptosi": [(F32, I32), (F64, I64)],
    "fptoui": [(F32, I32), (F64, I64)],
    "bitcast": [(I32, F32), (F32, I32), (F64, I64), (I64, F64)],
}
FLOATS = (F32, F64, F16)
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.7, -3.7, 0.1, 1e4, -7.0, float("inf"))

FOLDED = [op for op in operators().values() if op.cls in FOLDABLE and op.name != "icmpp"]


def types_of(op):
    if op.name in PAIRS:
        return PAIRS[op.name]
    if "F" in op.operands:
        return [(type_, I1 if op.result == "B" else type_) for type_ in FLOATS]
    widths = (integer(16), I32, I64) if op.name == "bswap" else (integer(8), I32, I64)
    return [(type_, I1 if op.result == "B" else type_) for type_ in widths]


def constant(type_, rng):
    if type_ in MANTISSA_BITS:
        number = rng.choice((*NUMBERS, rng.uniform(-100, 100)))
        return float_attr(float(np.dtype(TYPES.kinds(type_)[0].dtype).type(number)), type_)
    width = type_.width.data
    edges = (
        0,
        1,
        2,
        5,
        width - 1,
        width,
        (1 << width) - 1,
        1 << (width - 1),
        (1 << (width - 1)) - 1,
    )
    return int_attr(rng.choice((*edges, rng.getrandbits(width))), type_)


@pytest.mark.parametrize("op", FOLDED, ids=lambda op: op.name)
def test_folding_agrees_with_the_simulator(op):
    rng = random.Random(op.name)
    folded = 0
    node = Apply(op, tuple(Var(f"x{i}") for i in range(len(op.operands))))
    for source, target in types_of(op):
        for round_ in range(16):
            predicate = (
                predicates_of(op)[round_ % len(predicates_of(op))] if predicates_of(op) else ""
            )
            named = Apply(op, node.args, predicate)
            values = [constant(source, rng) for _ in op.operands]
            ops = [fast.create(ConstantOp, (), (v.type,), {"value": v}) for v in values]
            made = fast.create(
                op.cls,
                [o.results[0] for o in ops],
                (target,),
                op_properties(named, {}, frozenset()),
            )
            found = fold(made, values)
            if found is None:
                continue
            folded += 1
            (want,) = evaluate([*ops, made], {}, made.results)
            message = fast.create(ConstantOp, (), (target,), {"value": found})
            (have,) = evaluate([message], {}, message.results)
            assert not want.undefined.any(), (op.name, values)
            assert want.values.tobytes() == have.values.tobytes(), (op.name, values, found)
    assert folded


@pytest.mark.parametrize(
    ("argument", "folded"),
    [("i32 5", "llvm.mlir.constant(true)"), ("i32 %n", "llvm.intr.is.constant")],
)
def test_constants_are_known_to_be_constant(argument: str, folded: str):
    module = nvvm_xdsl.parse(
        "declare i1 @llvm.is.constant.i32(i32)\ndefine i1 @f(i32 %n) {\n"
        f"  %r = call i1 @llvm.is.constant.i32({argument})\n  ret i1 %r\n}}\n"
    )
    run_pipeline(module, "function(instcombine)")
    assert folded in str(module)
