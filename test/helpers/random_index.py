"""Random integer expressions in the index of an address, with their value."""

from __future__ import annotations

import random
from collections.abc import Callable

INTERESTING = [0, 1, 2, 3, 7, 8, 100, 2**30, 2**31 - 1, -1, -2, -7, -(2**31), -(2**31) + 1]
FLAGS = ["", "nsw ", "nuw ", "nuw nsw "]


def signed(number: int, bits: int) -> int:
    number %= 1 << bits
    return number - (1 << bits) if number >> (bits - 1) else number


class Poison(Exception):
    """The index is poison, so its address is unconstrained."""


class Expression:
    """A random index: its text, and its value for values of the arguments.

    Arguments:
        products: whether it has products of variables.
    """

    def __init__(self, seed: int, *, products: bool = False) -> None:
        self.rng = random.Random(seed)
        self.products = products
        self.lines: list[str] = []
        name, self.value = self.wide(3)
        self.index = name

    def emit(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def wide(self, depth: int) -> tuple[str, Callable[[dict[str, int]], int]]:
        """An i64."""
        if not depth or self.rng.random() < 0.5:
            name, value = self.narrow(3)
            how = self.rng.choice(["sext", "zext", "zext nneg"])
            made = self.emit(f"{how} i32 {name} to i64")

            def extended(at: dict[str, int]) -> int:
                number = value(at)
                if how == "zext nneg" and number < 0:
                    raise Poison
                return number if how == "sext" else number % 2**32

            return made, extended
        return self.arithmetic(64, self.wide, depth)

    def narrow(self, depth: int) -> tuple[str, Callable[[dict[str, int]], int]]:
        """An i32."""
        if not depth or self.rng.random() < 0.2:
            name = self.rng.choice(["a", "b", "c"])
            return f"%{name}", lambda at: at[name]
        return self.arithmetic(32, self.narrow, depth)

    def arithmetic(
        self, bits: int, operand: Callable[[int], tuple[str, Callable[[dict[str, int]], int]]],
        depth: int,
    ) -> tuple[str, Callable[[dict[str, int]], int]]:  # fmt: skip
        left, left_value = operand(depth - 1)
        kind = self.rng.choice(["add", "sub", "mul", "shl", "or disjoint", "or"])
        if kind == "shl":
            number = self.rng.randrange(0, 6)
        else:
            number = self.rng.choice([1, 2, 3, 5, 8, -1, -3])
        variable = ("add", "sub", "mul") if self.products else ("add", "sub")
        if kind in variable and self.rng.random() < 0.6:
            right, right_value = operand(depth - 1)
        else:
            right, right_value = str(number), lambda at: number
        flags = "" if kind.startswith("or") else self.rng.choice(FLAGS)
        made = self.emit(f"{kind} {flags}i{bits} {left}, {right}")

        def value(at: dict[str, int]) -> int:
            x, y = left_value(at), right_value(at)
            if kind.startswith("or"):
                if kind == "or disjoint" and x & y:
                    raise Poison
                return x | y
            if kind == "shl":
                y = 1 << y
            exact = x + y if kind == "add" else x - y if kind == "sub" else x * y
            if "nsw" in flags and exact != signed(exact, bits):
                raise Poison
            x, y = x % (1 << bits), y % (1 << bits)
            exact = x + y if kind == "add" else x - y if kind == "sub" else x * y
            if "nuw" in flags and not 0 <= exact < 1 << bits:
                raise Poison
            return signed(exact, bits)

        return made, value

    def kernel(self) -> str:
        return "\n".join([
            "define ptx_kernel void @k(ptr %p, i32 %a, i32 %b, i32 %c) {",
            *self.lines,
            f"  %q = getelementptr float, ptr %p, i64 {self.index}",
            "  store float 0.0, ptr %q",
            "  ret void",
            "}",
        ])  # fmt: skip
