"""Random checked arithmetic of vectors and of more than 64 bits, and reductions of vectors."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.code_forms import CodeForms
from nvvm_xdsl.lab.random_kernels.values import Value, is_integer, vector_parts

WIDE_PRODUCTS = (65, 66, 96, 100, 127, 128, 128, 129, 129)
"""Widths of checked products. clang makes products of 129 bits for 128-bit operands of mixed signs."""

REDUCTIONS = ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")


class CheckedArithmetic(CodeForms):
    """Adds such operations as statements."""

    def checked_vectors(self) -> None:
        """Checked arithmetic of a vector, and a reduction of its overflow bits."""
        r = self.random
        type_ = self._vector_of_integers()
        count, element = vector_parts(type_)
        flags = f"<{count} x i1>"
        values, over = self._checked(
            f"{r.choice('su')}{r.choice(('add', 'sub', 'mul'))}",
            f"v{count}{element}",
            (type_, flags),
            self.operand(type_).name,
            self.operand(type_).name,
        )
        self.scopes[-1].setdefault(type_, []).append(Value(values, type_))
        self._reduce(Value(over, flags))

    def vector_reduction(self) -> None:
        """A reduction of a vector of integers, or of a comparison of vectors."""
        r = self.random
        vector = self.operand(self._vector_of_integers())
        if r.random() < 0.5:
            other = self.operand(vector.type)
            predicate = r.choice(("slt", "ult", "eq", "ne"))
            count, _ = vector_parts(vector.type)
            compared = self.assign(f"icmp {predicate} {vector.text}, {other.name}")
            vector = Value(compared, f"<{count} x i1>")
        self._reduce(vector)

    def wide_checked_product(self) -> None:
        """A checked product of 65 to 129 bits."""
        r = self.random
        bits = r.choice(WIDE_PRODUCTS)
        type_ = f"i{bits}"
        a, b = (self._wide_factor(bits) for _ in range(2))
        product, over = self._checked(f"{r.choice('su')}mul", type_, (type_, "i1"), a, b)
        self.scopes[-1].setdefault("i1", []).append(self.value(over, "i1"))
        part = self.assign(f"lshr {type_} {product}, {r.choice((0, bits - 64, r.randrange(bits)))}")
        self.result("i64", f"trunc {type_} {part} to i64")

    def wide_conversion(self) -> None:
        """A number of 65 to 128 bits next to the middle between two halves, as a float."""
        r = self.random
        bits = r.choice((65, 96, 128))
        type_ = f"i{bits}"
        # An odd number with one digit more than a half.
        digits = r.choice((8, 11)) + 1
        middle = self.assign(f"or i32 {self.masked(1 << digits).name}, {1 << digits - 1 | 1}")
        wide = self.assign(f"zext i32 {middle} to {type_}")
        moved = self.assign(f"shl {type_} {wide}, {r.randrange(bits - digits)}")
        number = self.assign(f"add {type_} {moved}, {r.choice((-1, 0, 1))}")
        if r.random() < 0.5:
            number = self.assign(f"sub {type_} 0, {number}")
        to, carrier = r.choice((("bfloat", "i16"), ("half", "i16"), ("float", "i32")))
        made = self.assign(f"{r.choice('su')}itofp {type_} {number} to {to}")
        same = self.assign(f"bitcast {to} {made} to {carrier}")
        if carrier == "i16":
            self.result("i32", f"zext i16 {same} to i32", 0, (1 << 16) - 1)
        else:
            self.scopes[-1].setdefault("i32", []).append(self.value(same, "i32"))

    def _vector_of_integers(self) -> str:
        return self.random.choice([t for t in self.vectors if is_integer(vector_parts(t)[1])])

    def _checked(
        self, op: str, suffix: str, types: tuple[str, str], a: str, b: str
    ) -> tuple[str, str]:
        """The result and the overflow bits of a checked operation."""
        pair, name = f"{{ {', '.join(types)} }}", f"llvm.{op}.with.overflow.{suffix}"
        self.declare(pair, name, types[0], types[0])
        both = self.assign(f"call {pair} @{name}({types[0]} {a}, {types[0]} {b})")
        first, second = (self.assign(f"extractvalue {pair} {both}, {n}") for n in range(2))
        return first, second

    def _reduce(self, vector: Value) -> None:
        count, element = vector_parts(vector.type)
        name = f"llvm.vector.reduce.{self.random.choice(REDUCTIONS)}.v{count}{element}"
        self.call(element, name, vector)

    def _wide_factor(self, bits: int) -> str:
        """A factor of at most 64 significant bits at a random place, so that some products fit."""
        r = self.random
        factor = self.assign(
            f"{r.choice(('sext', 'zext'))} {self.operand(r.choice(('i32', 'i64'))).text} to i{bits}"
        )
        shift = r.choice((0, 0, r.randrange(bits)))
        return self.assign(f"shl i{bits} {factor}, {shift}") if shift else factor
