import pytest
from programs import parse_function, value_named

from nvvm_xdsl.analysis.cost_model import (
    instruction_cost,
    load_latency,
    occupancy,
    register_budget,
)
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds


def cost(body: str, architecture: int = 90) -> int:
    func = parse_function(
        "llvm.func @f(%x: i32, %l: i64, %f: f32, %d: f64, %p: !llvm.ptr, %v: vector<4xi32>) {\n"
        "%k8 = llvm.mlir.constant(8 : i32) : i32\n%k7 = llvm.mlir.constant(7 : i32) : i32\n"
        f"{body}\nllvm.return\n}}"
    )
    return instruction_cost(value_named(func, "r").op, architecture)


@pytest.mark.parametrize(
    ("body", "slots"),
    [
        ("%r = llvm.add %x, %x : i32", 1),
        ("%r = llvm.add %l, %l : i64", 2),
        ("%r = llvm.mul %l, %l : i64", 8),
        ("%r = llvm.udiv %x, %x : i32", 20),
        ("%r = llvm.udiv %x, %k8 : i32", 1),
        ("%r = llvm.udiv %x, %k7 : i32", 4),
        ("%r = llvm.udiv %l, %l : i64", 80),
        ("%r = llvm.fadd %f, %f : f32", 1),
        ("%r = llvm.fadd %d, %d : f64", 2),
        ("%r = llvm.add %v, %v : vector<4xi32>", 4),
        ("%r = llvm.mlir.constant(1 : i32) : i32", 0),
        ("%r = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32", 0),
        ("%r = llvm.getelementptr %p[%l] : (!llvm.ptr, i64) -> !llvm.ptr, i32", 2),
    ],
)
def test_costs(body: str, slots: int):
    assert cost(body) == slots


def test_doubles_are_slow_where_there_are_few_units():
    assert cost("%r = llvm.fadd %d, %d : f64", 86) == 32


def test_latencies():
    assert load_latency(3) < load_latency(1)
    assert load_latency(99) == load_latency(0)


@pytest.mark.parametrize(
    ("arguments", "blocks", "limit", "share"),
    [
        # sm_90: 65536 registers hold 64 warps of 32 registers.
        ((90, 32, 256, 0), 8, "warps", 1.0),
        ((90, 64, 256, 0), 4, "registers", 0.5),
        ((90, 255, 256, 0), 1, "registers", 0.125),
        ((90, 32, 32, 0), 32, "blocks", 0.5),
        ((90, 32, 128, 64 * 1024), 3, "shared memory", 12 / 64),
        ((86, 40, 1024, 0), 1, "warps", 32 / 48),
        ((75, 32, 1024, 0), 1, "warps", 1.0),
        ((70, 32, 128, 48 * 1024), 2, "shared memory", 8 / 64),
    ],
)
def test_occupancy(arguments, blocks: int, limit: str, share: float):
    found = occupancy(*arguments)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert found.share == pytest.approx(share)


def test_an_unknown_architecture_is_taken_for_the_one_before():
    assert occupancy(95, 32, 256) == occupancy(90, 32, 256)


@pytest.mark.parametrize(
    ("bounds", "registers"),
    [
        (LaunchBounds(), 255),
        (LaunchBounds(maxnreg=40), 40),
        (LaunchBounds(maxntid=(1024, 1, 1)), 64),
        (LaunchBounds(maxntid=(256, 1, 1), minctasm=8), 32),
        (LaunchBounds(maxntid=(256, 1, 1)), 255),
        (LaunchBounds(reqntid=(768, 1, 1)), 80),
    ],
)
def test_register_budgets(bounds: LaunchBounds, registers: int):
    assert register_budget(90, bounds) == registers
