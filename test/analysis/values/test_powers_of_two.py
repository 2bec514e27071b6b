import pytest
from helpers.programs import parse_function, value_named

from nvvm_xdsl.analysis.values.powers_of_two import MAX_VALUES, is_power_of_two_or_zero


def is_one(body: str) -> bool:
    func = parse_function(
        "llvm.func @f(%x: i32, %y: i32, %c: i1, %w: vector<2xi32>) {\n"
        "%zero = llvm.mlir.constant(0 : i32) : i32\n%one = llvm.mlir.constant(1 : i32) : i32\n"
        "%four = llvm.mlir.constant(4 : i32) : i32\n%six = llvm.mlir.constant(6 : i32) : i32\n"
        "%least = llvm.mlir.constant(-2147483648 : i32) : i32\n"
        "%p = llvm.shl %one, %x : i32\n%q = llvm.shl %four, %y : i32\n"
        f"{body}\n}}"
    )
    return is_power_of_two_or_zero(value_named(func, "v"))


def loop(start: str, step: str) -> str:
    return (
        f"llvm.br ^loop({start} : i32)\n^loop(%v: i32):\n%next = {step} : i32\n"
        "llvm.cond_br %c, ^loop(%next : i32), ^end\n^end:\nllvm.return"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%v = llvm.shl %four, %x : i32", True),
        ("%v = llvm.shl %six, %x : i32", False),
        ("%v = llvm.shl %x, %one : i32", False),
        ("%v = llvm.lshr %least, %x : i32", True),
        ("%v = llvm.ashr %least, %x : i32", False),
        ("%v = llvm.shl %zero, %x : i32", True),
        ("%v = llvm.mul %p, %q : i32", True),
        ("%v = llvm.mul %p, %x : i32", False),
        ("%v = llvm.udiv %p, %q : i32", True),
        ("%v = llvm.add %p, %q : i32", False),
        ("%v = llvm.intr.umax(%p, %q) : (i32, i32) -> i32", True),
        ("%v = llvm.intr.umin(%p, %x) : (i32, i32) -> i32", False),
        ("%v = llvm.freeze %p : i32", True),
        ("%v = llvm.zext %p : i32 to i64", True),
        ("%v = llvm.sext %p : i32 to i64", False),
        ("%v = llvm.trunc %p : i32 to i8", True),
        ("%v = llvm.select %c, %p, %q : i1, i32", True),
        ("%v = llvm.select %c, %p, %x : i1, i32", False),
        ("%v = llvm.select %c, %x, %p : i1, i32", False),
        ("%n = llvm.sub %zero, %x : i32\n%v = llvm.and %x, %n : i32", True),
        ("%n = llvm.sub %zero, %x : i32\n%v = llvm.and %n, %x : i32", True),
        ("%n = llvm.sub %zero, %x : i32\n%v = llvm.and %n, %y : i32", False),
        ("%n = llvm.sub %one, %x : i32\n%v = llvm.and %n, %x : i32", False),
        ("%v = llvm.and %p, %q : i32", False),
        ("%k = llvm.mlir.constant(dense<4> : vector<2xi32>) : vector<2xi32>\n"
         "%v = llvm.shl %k, %w : vector<2xi32>", False),
    ],
)  # fmt: skip
def test_operations(body: str, expected: bool):
    assert is_one(f"{body}\nllvm.return") is expected


@pytest.mark.parametrize(
    ("start", "step", "expected"),
    [
        ("%one", "llvm.shl %v, %one", True),
        ("%p", "llvm.lshr %v, %one", True),
        ("%six", "llvm.lshr %v, %one", False),
        ("%one", "llvm.add %v, %one", False),
        ("%one", "llvm.mul %v, %x", False),
    ],
)
def test_counters(start: str, step: str, expected: bool):
    assert is_one(loop(start, step)) is expected


def test_an_argument_of_the_function_is_unknown():
    func = parse_function("llvm.func @f(%v: i32) {\nllvm.return\n}")
    assert not is_power_of_two_or_zero(func.body.block.args[0])


@pytest.mark.parametrize("more", [0, 1])
def test_the_number_of_values_is_limited(more: int):
    count = MAX_VALUES - 2 + more
    steps = ["%a0 = llvm.freeze %p : i32"]
    steps += [f"%a{n} = llvm.freeze %a{n - 1} : i32" for n in range(1, count)]
    text = "\n".join(steps).replace(f"%a{count - 1} ", "%v ")
    assert is_one(f"{text}\nllvm.return") is (more == 0)
