"""Calls whose pointer arguments are copies, fields, variables and their aliases, and walks over local arrays.

Every call of a function passes the same variable, so that interprocedural passes may replace the
argument. The functions read and write memory through their arguments or through pointers that they
load from them.
"""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.programs.device_functions import Calls

ATTRIBUTES = (" noinline", " noinline", "")

VARIABLES = """\
@original = internal global %Pair { i32 21, i32 -22 }, align 8
@named_twice = internal global i32 31, align 8
@second_name = internal alias i32, ptr @named_twice
"""
"""Variables in the generic space. No function writes `original`."""

CHANGE_COPY = """\
define internal i32 @change_copy(ptr byval(%Pair) align 8 %copy, i32 %x){attribute} {{
  %old = load i32, ptr %copy
  %new = xor i32 %old, %x
  store i32 %new, ptr %copy
  %second = getelementptr inbounds i8, ptr %copy, i64 4
  %other = load i32, ptr %second
  %sum = add i32 %new, %other
  ret i32 %sum
}}
"""
"""A function that modifies its by-value struct."""

WRITE_THROUGH_FIELD = """\
define internal void @write_through_field(ptr %fields, i32 %x){attribute} {{
  %second = getelementptr inbounds i8, ptr %fields, i64 8
  %pointer = load ptr, ptr %second
  store i32 %x, ptr %pointer
  ret void
}}
"""
"""A function that writes through a pointer in a struct."""

WRITE_VARIABLE = """\
define internal void @write_variable(ptr %pointer, i32 %x){attribute} {{
  store i32 %x, ptr %pointer
  ret void
}}
"""
"""A function that writes the variable that every call passes."""

DIGITS = """\
define internal i32 @digits(i32 %n, i1 %first){attribute} {{
  %buffer = alloca [12 x i8], align 1
  %end = getelementptr inbounds i8, ptr %buffer, i64 11
  store i8 1, ptr %end
  br label %loop
loop:
  %at = phi ptr [ %end, %0 ], [ %before, %latch ]
  %value = phi i32 [ %n, %0 ], [ %rest, %latch ]
  %digit = urem i32 %value, 10
  %rest = udiv i32 %value, 10
  %text = trunc i32 %digit to i8
  %before = getelementptr inbounds i8, ptr %at, i64 -1
  store i8 %text, ptr %before
  %more = icmp ugt i32 %rest, 0
  br i1 %more, label %latch, label %done
latch:
  br label %loop
done:
  %chosen = select i1 %first, ptr %before, ptr %end
  %byte = load i8, ptr %chosen
  %result = sext i8 %byte to i32
  ret i32 %result
}}
"""
"""A function that writes decimal digits from the end of a local array to its beginning."""


class PointerCalls(Calls):
    """Adds calls of functions that read and write through pointers."""

    def pointer_functions(self) -> list[str]:
        """The variables and functions that `pointer_call` uses."""
        texts = (CHANGE_COPY, WRITE_THROUGH_FIELD, WRITE_VARIABLE, DIGITS)
        return [VARIABLES, *(t.format(attribute=self.random.choice(ATTRIBUTES)) for t in texts)]

    def pointer_call(self) -> None:
        """A call of a function that reads and writes through a pointer, and a read of the memory."""
        calls = [self._copy, self._field, self._digits]
        if self.threads == 1:
            calls.append(self._variable)
        self.random.choice(calls)()

    def _copy(self) -> None:
        self.define("i32", "load i32, ptr @original")
        number = self.operand("i32")
        self.define(
            "i32", f"call i32 @change_copy(ptr byval(%Pair) align 8 @original, i32 {number})"
        )
        self.define("i32", "load i32, ptr @original")

    def _field(self) -> None:
        fields, first, second = (f"%{self.fresh(stem)}" for stem in ("fields", "first", "second"))
        self.lines.insert(0, f"  {fields} = alloca [2 x ptr], align 8")
        self.lines[:0] = [f"  {name} = alloca i32, align 4" for name in (first, second)]
        for name in (first, second):
            self.emit(f"store i32 {self.operand('i32')}, ptr {name}")
        self.emit(f"store ptr {first}, ptr {fields}")
        at = self.assign(f"getelementptr inbounds i8, ptr {fields}, i64 8")
        self.emit(f"store ptr {second}, ptr {at}")
        self.emit(f"call void @write_through_field(ptr {fields}, i32 {self.operand('i32')})")
        for name in (first, second):
            self.define("i32", f"load i32, ptr {name}")

    def _digits(self) -> None:
        order = self.assign(f"icmp slt i32 {self.operand('i32')}, {self.operand('i32')}")
        self.cost += self.times * 100
        self.define("i32", f"call i32 @digits(i32 {self.operand('i32')}, i1 {order})")

    def _variable(self) -> None:
        first, second = self.random.sample(("named_twice", "second_name"), 2)
        for name in (first, second):
            self.emit(f"store i32 {self.operand('i32')}, ptr @{name}")
        self.define("i32", f"load i32, ptr @{first}")
        self.emit(f"call void @write_variable(ptr @named_twice, i32 {self.operand('i32')})")
        for name in (first, second):
            self.define("i32", f"load i32, ptr @{name}")


__all__ = ["PointerCalls"]
