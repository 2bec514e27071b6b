"""Every constant that an intrinsic folds to equals the simulator's result."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from xdsl.dialects.llvm import CallIntrinsicOp, ConstantOp, FMAOp

from nvvm_xdsl.analysis.constant_folding import fold
from nvvm_xdsl.analysis.intrinsic_folding import fold_intrinsic
from nvvm_xdsl.dialects.llvm.types import F32, F64, I16, I32, I64, float_attr, int_attr, string
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.straight_line import evaluate

MODES = ("rn", "rz", "rm", "rp")
OF = {"f": F32, "d": F64, "i": I32, "ui": I32, "ll": I64, "ull": I64, "s": I16, "us": I16}

CASES = [
    *((f"{op}.{m}.{t}", [OF[t]] * n, OF[t])
      for op, n in (("add", 2), ("mul", 2), ("div", 2), ("fma", 3), ("rcp", 1))
      for m in MODES for t in "fd"),
    *((f"{op}.rn.ftz.f", [F32] * n, F32) for op, n in (("add", 2), ("mul", 2), ("sqrt", 1))),
    *((f"sqrt.rn.{t}", [OF[t]], OF[t]) for t in "fd"),
    *((f"{f}2{t}.{m}", [OF[f]], OF[t]) for f in "fd" for t in ("i", "ui", "ll", "ull") for m in MODES),
    *((f"{f}2{t}.{m}", [OF[f]], OF[t]) for f in ("i", "ui", "ll", "ull") for t in "fd" for m in MODES),
    *((f"d2f.{m}", [F64], F32) for m in MODES),
    *((f"saturate.{t}", [OF[t]], OF[t]) for t in "fd"),
    *((f"{op}.approx{ftz}.f", [F32], F32) for op in ("lg2", "ex2") for ftz in ("", ".ftz")),
    *((f"mulhi.{t}", [OF[t]] * 2, OF[t]) for t in ("i", "ui", "ll", "ull", "s", "us")),
    *((f"mul24.{t}", [I32] * 2, I32) for t in ("i", "ui")),
    *((f"sad.{t}", [OF[t]] * 3, OF[t]) for t in ("i", "ui")),
]  # fmt: skip

NUMBERS = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.7,
    0.1,
    1e9,
    -7.0,
    1e-44,
    np.inf,
    np.nan,
)


def constant(type_, rng):
    if type_ in (F32, F64):
        number = rng.choice((*NUMBERS, rng.uniform(-100, 100), rng.uniform(0, 1)))
        return float_attr(float(np.float32(number)) if type_ is F32 else number, type_)
    width = type_.width.data
    edges = (0, 1, 2, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1, 1 << (width // 2))
    return int_attr(rng.choice((*edges, rng.getrandbits(width))), type_)


@pytest.mark.parametrize(("name", "sources", "target"), CASES, ids=[case[0] for case in CASES])
def test_folding_agrees_with_the_simulator(name, sources, target):
    rng = random.Random(name)
    folded = 0
    for _ in range(24):
        values = [constant(type_, rng) for type_ in sources]
        ops = [fast.create(ConstantOp, (), (v.type,), {"value": v}) for v in values]
        call = fast.create(
            CallIntrinsicOp,
            [op.results[0] for op in ops],
            (target,),
            {"intrin": string(f"llvm.nvvm.{name}")},
        )
        found = fold(call, values)
        if found is None:
            continue
        folded += 1
        (want,) = evaluate([*ops, call], {}, call.results)
        message = fast.create(ConstantOp, (), (target,), {"value": found})
        (have,) = evaluate([message], {}, message.results)
        assert want.values.tobytes() == have.values.tobytes(), (name, values, found)
    assert folded


@pytest.mark.parametrize("name", ["add.rn.f", "mul.rz.d", "fma.rp.f", "fma"])
def test_zeros_have_the_sign_of_the_exact_result(name):
    type_ = F64 if name.endswith("d") else F32
    count = 3 if name.startswith("fma") else 2
    for numbers in product((0.0, -0.0, 1.0, -1.0), repeat=count):
        values = [float_attr(number, type_) for number in numbers]
        ops = [fast.create(ConstantOp, (), (type_,), {"value": v}) for v in values]
        operands = [op.results[0] for op in ops]
        if name == "fma":
            op = fast.create(FMAOp, operands, (type_,))
        else:
            op = fast.create(
                CallIntrinsicOp, operands, (type_,), {"intrin": string(f"llvm.nvvm.{name}")}
            )
        found = fold(op, values)
        assert found is not None
        (want,) = evaluate([*ops, op], {}, op.results)
        message = fast.create(ConstantOp, (), (type_,), {"value": found})
        (have,) = evaluate([message], {}, message.results)
        assert want.values.tobytes() == have.values.tobytes(), (numbers, found)


def test_zeros_rounded_down_are_not_folded():
    values = [float_attr(number, F32) for number in (1.0, -1.0)]
    assert fold_intrinsic("llvm.nvvm.add.rm.f", values, F32) is None


@pytest.mark.parametrize("name", ["rcp.approx.ftz.f", "sqrt.approx.f", "sin.approx.f", "sqrt.rz.f"])
def test_target_dependent_results_are_not_folded(name):
    assert fold_intrinsic(f"llvm.nvvm.{name}", [float_attr(2.0, F32)], F32) is None


@pytest.mark.parametrize(
    ("name", "number", "result"),
    [
        ("lg2", 16.0, 4.0),
        ("lg2", 0.25, -2.0),
        ("lg2", 1.0, 0.0),
        ("lg2", 3.0, None),
        ("lg2", 0.0, None),
        ("lg2", -2.0, None),
        ("ex2", 0.0, 1.0),
        ("ex2", 5.0, 32.0),
        ("ex2", 127.0, 2.0**127),
        ("ex2", 128.0, None),
        ("ex2", -126.0, 2.0**-126),
        ("ex2", -127.0, None),
        ("ex2", 0.5, None),
    ],
)
@pytest.mark.parametrize("suffix", ["f", "f32", "ftz.f"])
def test_exact_results_of_approximations(
    name: str, number: float, result: float | None, suffix: str
):
    found = fold_intrinsic(f"llvm.nvvm.{name}.approx.{suffix}", [float_attr(number, F32)], F32)
    assert found == (None if result is None else float_attr(result, F32))


def test_an_intrinsic_without_a_result_does_not_fold():
    call = fast.create(CallIntrinsicOp, (), (), {"intrin": string("llvm.nvvm.membar.gl")})
    assert fold(call, []) is None
