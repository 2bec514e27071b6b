"""The forms that NVIDIA's passes rewrite, in random kernels."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.memory_statements import BARRIER, SLOTS, MemoryAccess
from nvvm_xdsl.lab.random_kernels.values import SPAN, STRUCT, Value

SHAPE = "%shape"
"""The kernel's struct by value."""

RECORD = "{ i32, i32, i64, [4 x i32] }"
"""A struct that is copied as a whole."""

GLOBALS = f"""\
@plain = internal global [{SPAN} x i32] [i32 5, i32 -7, i32 11, i32 0, i32 1, i32 99, i32 -2, i32 64], align 4
@name.with.dots = internal addrspace(1) global [{SPAN} x i32] [i32 8, i32 6, i32 7, i32 5, i32 3, i32 0, i32 9, i32 -1], align 4
@format = private constant [11 x i8] c"%d %f %ld\\0A\\00"
@question = private constant [12 x i8] c"__CUDA_ARCH\\00"
"""
"""Variables that the features use; a kernel declares only the variables that it names."""

TAKES_BY_VALUE = f"""\
define internal i32 @by_value(ptr byval({STRUCT}) align 4 %s, i32 %x) {{
entry:
  %a = load i32, ptr %s
  %b = add i32 %a, %x
  store i32 %b, ptr %s
  %q = getelementptr inbounds i8, ptr %s, i64 4
  %f = load i32, ptr %q
  %c = load i32, ptr %s
  %d = xor i32 %c, %f
  ret i32 %d
}}
"""
"""A function that modifies its by-value struct."""

SAME_AS_AN_OP = (
    ("fma.rn.f", "float", 3), ("fma.rn.d", "double", 3), ("fmin.d", "double", 2), ("fmax.f", "float", 2),
    ("ceil.f", "float", 1), ("floor.d", "double", 1), ("trunc.f", "float", 1), ("round.d", "double", 1),
)  # fmt: skip
"""Intrinsics that are equivalent to an op of LLVM: name, type, operands."""


class Features(MemoryAccess):
    """Adds these forms as statements."""

    def slot_in_a_block(self) -> None:
        """A local variable that is not in the entry block."""
        block = self.fresh("slot")
        value = self.operand("i32")
        self.emit(f"br label %{block}")
        self.label(block)
        slot = self.assign("alloca [4 x i32], align 4", "p")
        for index in range(4):
            self.emit(f"store {value.text}, ptr {self.element(slot, 'i32', _number(index))}")
        index = self.masked(4)
        self.emit(f"store {self.operand('i32').text}, ptr {self.element(slot, 'i32', _number(1))}")
        self.result("i32", f"load i32, ptr {self.element(slot, 'i32', index)}")

    def slow_division(self) -> None:
        """A 64-bit division whose operands may be small or large."""
        r = self.random
        op = r.choice(("udiv", "urem", "sdiv", "srem"))
        first, second = self.operand("i64"), self.operand("i64")
        low, high = (0, (1 << 63) - 1) if op[0] == "u" or r.random() < 0.5 else (1, 1 << 40)
        divisor = self.result("i64", f"and {second.text}, {r.choice((high, (1 << 33) - 1))}")
        divisor = self.result("i64", f"or {divisor.text}, {low | 1}")
        self.result("i64", f"{op} {first.text}, {divisor.name}")

    def wide_division(self) -> None:
        """A division of 128 bits, or a conversion from them."""
        r = self.random
        number = self.assign(f"{r.choice(('sext', 'zext'))} {self.operand('i64').text} to i128")
        number = self.assign(f"shl i128 {number}, {r.randrange(40)}")
        if r.random() < 0.3:
            self.result("double", f"{r.choice('su')}itofp i128 {number} to double")
            return
        divisor = self.assign(f"zext {self.operand('i32').text} to i128")
        divisor = self.assign(f"or i128 {divisor}, 1")
        op = r.choice(("udiv", "urem", "sdiv", "srem"))
        quotient = self.assign(f"{op} i128 {number}, {divisor}")
        self.result("i64", f"trunc i128 {quotient} to i64")

    def remainder_of_floats(self) -> None:
        """A remainder of floats."""
        type_ = self.random.choice(("float", "double"))
        self.result(type_, f"frem {self.operand(type_).text}, {self.operand(type_).name}")

    def generic_variable(self) -> None:
        """A variable in the generic space."""
        pointer = self.element("@plain", "i32", self.masked(SPAN))
        self.result("i32", f"load i32, ptr {pointer}")

    def named_variable(self) -> None:
        """A variable whose name is invalid in PTX."""
        array = f"[{SPAN} x i32], ptr addrspace(1) @name.with.dots"
        pointer = self.assign(
            f"getelementptr inbounds {array}, i32 0, {self.masked(SPAN).text}", "p"
        )
        self.result("i32", f"load i32, ptr addrspace(1) {pointer}")

    def wide_subscript(self) -> None:
        """A subscript of 64 bits that fits in 32."""
        row, column = (self.assign(f"zext {self.masked(bound).text} to i64") for bound in (2, 4))
        start = self.assign(f"mul i64 {row}, 4")
        index = self.assign(f"add i64 {start}, {column}")
        pointer = self.operand("ptr")
        element = self.assign(f"getelementptr inbounds i32, {pointer.text}, i64 {index}", "p")
        self.result("i32", f"load i32, ptr {element}")

    def strided_sums(self) -> None:
        """Sums of a base and products of a stride with numbers that differ by constants."""
        r = self.random
        base, stride = self.operand("i64"), self.operand("i64")
        fits = r.random() < 0.5
        number, flags = self.operand("i64"), ""
        if fits:
            number, stride, flags = self.masked(64, "i64"), self.masked(64, "i64"), " nuw nsw"
        for distance in r.sample((0, 1, 2, 3, 4, 8, -1, -2), 4):
            may_wrap = "" if distance < 0 else flags
            at = (
                self.assign(f"add{may_wrap} {number.text}, {distance}") if distance else number.name
            )
            pair = [at, stride.name]
            r.shuffle(pair)
            product = self.assign(f"mul{may_wrap} i64 {pair[0]}, {pair[1]}")
            self.result("i64", f"add {base.text}, {product}")

    def intrinsic(self) -> None:
        """A call of an intrinsic that is equivalent to an op of LLVM."""
        name, type_, count = self.random.choice(SAME_AS_AN_OP)
        self.call(type_, f"llvm.nvvm.{name}", *(self.operand(type_) for _ in range(count)))

    def unreachable_block(self) -> None:
        """An unreachable block."""
        dead, alive = self.fresh("dead"), self.fresh("alive")
        value = self.operand("i32")
        before = self.block
        self.emit(f"br label %{alive}")
        self.label(dead)
        more = self.assign(f"add {value.text}, 1")
        self.emit(f"br label %{alive}")
        self.label(alive)
        self.result("i32", f"phi i32 [ {value.name}, %{before} ], [ {more}, %{dead} ]")

    def record(self) -> None:
        """A struct that is initialized, copied as a whole, and read at a dynamic index."""
        source, target = f"%{self.fresh('record')}", f"%{self.fresh('record')}"
        self.allocas += [f"  {name} = alloca {RECORD}, align 8" for name in (source, target)]
        for offset, type_ in (
            (0, "i32"),
            (4, "i32"),
            (8, "i64"),
            *((16 + 4 * i, "i32") for i in range(4)),
        ):
            place = self.assign(f"getelementptr inbounds i8, ptr {source}, i64 {offset}", "p")
            self.emit(f"store {self.operand(type_).text}, ptr {place}")
        if self.random.random() < 0.5:
            whole = self.assign(f"load {RECORD}, ptr {source}, align 8")
            self.emit(f"store {RECORD} {whole}, ptr {target}, align 8")
        else:
            name = self.random.choice(("memcpy", "memmove"))
            self.declare("void", f"llvm.{name}.p0.p0.i64", "ptr", "ptr", "i64", "i1")
            self.emit(
                f"call void @llvm.{name}.p0.p0.i64(ptr align 8 {target}, ptr align 8 {source}, i64 32, i1 false)"
            )
        numbers = self.assign(f"getelementptr inbounds i8, ptr {target}, i64 16", "p")
        self.result("i32", f"load i32, ptr {self.element(numbers, 'i32', self.masked(4))}")
        wide = self.assign(f"getelementptr inbounds i8, ptr {target}, i64 8", "p")
        self.result("i64", f"load i64, ptr {wide}")

    def shift_array(self) -> None:
        """A move of memory onto itself, with a dynamic length."""
        arrays = [name for name, element in self.arrays if element == "i32"]
        if not arrays:
            self.record()
            return
        name = self.random.choice(arrays)
        size = self.assign(f"zext {self.masked(SPAN).text} to i64")
        size = self.assign(f"mul i64 {size}, {self.random.choice((1, 2, 4))}")
        other = self.assign(
            f"getelementptr inbounds i8, ptr {name}, i64 {self.random.choice((0, 1, 4))}", "p"
        )
        ends = [f"ptr {name}", f"ptr {other}"]
        if self.random.random() < 0.5:
            ends.reverse()
        self.declare("void", "llvm.memmove.p0.p0.i64", "ptr", "ptr", "i64", "i1")
        self.emit(f"call void @llvm.memmove.p0.p0.i64({ends[0]}, {ends[1]}, i64 {size}, i1 false)")

    # In kernels only

    def struct_by_value(self) -> None:
        """A read of the kernel's by-value struct, possibly at a dynamic index, or a write to it."""
        r = self.random
        kind = r.choice(("field", "element", "element", "write", "whole", "chosen"))
        numbers = self.assign(f"getelementptr inbounds i8, ptr {SHAPE}, i64 4", "p")
        if kind == "field":
            self.result("i32", f"load i32, ptr {SHAPE}")
        elif kind == "write":
            place = self.element(numbers, "float", self.masked(2))
            self.emit(f"store {self.operand('float').text}, ptr {place}")
        elif kind == "whole":
            self.result(STRUCT, f"load {STRUCT}, ptr {SHAPE}, align 4")
        else:
            place = self.element(numbers, "float", self.masked(2))
            if kind == "chosen":
                condition = self.operand("i1")
                place = self.assign(f"select {condition.text}, ptr {place}, ptr {numbers}", "p")
            self.result("float", f"load float, ptr {place}")

    def side_by_side(self) -> None:
        """Adjacent memory set to constants of several types, and to values."""
        r = self.random
        slot = 2 * r.randrange(SLOTS // 2)
        if r.random() < 0.3:
            for at, type_ in enumerate(r.choice((("double", "i64"), ("i64", "double")))):
                self._store_at(slot * 8 + 8 * at, self.constant(type_), 16 if at == 0 else 8)
            return
        for at in range(4):
            type_ = r.choice(("i32", "float"))
            value = self.operand("i32") if type_ == "i32" and r.random() < 0.4 else None
            align = (16, 4, 8, 4)[at]
            self._store_at(slot * 8 + 4 * at, value or self.constant(type_), align)

    def _store_at(self, offset: int, value: Value, align: int) -> None:
        place = self.assign(f"getelementptr inbounds i8, ptr %own_l, i64 {offset}", "p")
        self.emit(f"store {value.text}, ptr {place}, align {align}")

    def call_by_value(self) -> None:
        """A call of a function that is given the struct by value."""
        struct = f"ptr byval({STRUCT}) align 4 {SHAPE}"
        self.result("i32", f"call i32 @by_value({struct}, {self.operand('i32').text})")

    def reflect(self) -> None:
        """A query that the compiler answers."""
        self.declare("i32", "__nvvm_reflect", "ptr")
        answer = self.assign("call i32 @__nvvm_reflect(ptr @question)")
        newer = self.assign(f"icmp sge i32 {answer}, 100")
        a, b = self.operand("i32"), self.operand("i32")
        # Both alternatives are equivalent, because the answer depends on the target.
        chosen = self.assign(f"select i1 {newer}, {a.text}, {b.text}")
        other = self.assign(f"select i1 {newer}, {b.text}, {a.text}")
        self.result("i32", f"xor i32 {chosen}, {other}")

    def barriers(self) -> None:
        """Barriers with nothing between them."""
        self.emit(BARRIER)
        self.emit(BARRIER)

    def print_values(self) -> None:
        """Output of every thread, once."""
        self.prints = True
        self.declarations.add("declare i32 @printf(ptr, ...)")
        values = ", ".join(self.operand(t).text for t in ("i32", "double", "i64"))
        self.assign(f"call i32 (ptr, ...) @printf(ptr @format, {values})")


def _number(value: int) -> Value:
    return Value(str(value), "i32", value, value)
