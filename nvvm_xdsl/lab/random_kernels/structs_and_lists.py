"""Random calls with structs by value, results in memory and variable arguments."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.accesses import Accesses

MIXED = "{ i8, i32, [2 x i16], double }"
"""A struct with padding."""

MIXED_FIELDS = (("i8", 0), ("i32", 4), ("i16", 8), ("i16", 10), ("double", 16))

RETURNS_IN_MEMORY = f"""\
define internal void @in_memory(ptr sret({MIXED}) align 8 %r, ptr byval({MIXED}) align 8 %s, i32 %x){{attribute}} {{
entry:
  %a = load i8, ptr %s
  %wide = sext i8 %a to i32
  %sum = add i32 %wide, %x
  %narrow = trunc i32 %sum to i8
  store i8 %narrow, ptr %r
  %p = getelementptr inbounds i8, ptr %s, i64 4
  %b = load i32, ptr %p
  store i32 %x, ptr %p
  %q = getelementptr inbounds i8, ptr %r, i64 4
  %c = xor i32 %b, %sum
  store i32 %c, ptr %q
  %p2 = getelementptr inbounds i8, ptr %s, i64 8
  %q2 = getelementptr inbounds i8, ptr %r, i64 8
  %h = load i32, ptr %p2
  store i32 %h, ptr %q2
  %p3 = getelementptr inbounds i8, ptr %s, i64 16
  %q3 = getelementptr inbounds i8, ptr %r, i64 16
  %d = load double, ptr %p3
  store double %d, ptr %q3
  ret void
}}
"""
"""A function that modifies its by-value struct and returns its result in memory."""

LIST = """\
define internal i64 @listed(i32 %count, ...){attribute} {
entry:
  %list = alloca ptr, align 8
  call void @llvm.va_start.p0(ptr %list)
  %first = va_arg ptr %list, i32
  %second = va_arg ptr %list, i64
  %third = va_arg ptr %list, double
  call void @llvm.va_end.p0(ptr %list)
  %positive = fcmp ogt double %third, 0.0
  %bit = zext i1 %positive to i64
  %wide = sext i32 %first to i64
  %a = add i64 %wide, %second
  %b = xor i64 %a, %bit
  %n = zext i32 %count to i64
  %c = mul i64 %b, %n
  ret i64 %c
}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
"""
"""A function of variable arguments."""


class StructsAndLists(Accesses):
    """Adds calls with structs by value, results in memory and variable arguments."""

    def by_value_and_sret(self) -> None:
        """A call of a function with a by-value struct and a result in memory."""
        r = self.random
        given, result = f"%{self.fresh('given')}", f"%{self.fresh('result')}"
        self.allocas += [f"  {name} = alloca {MIXED}, align 8" for name in (given, result)]
        for type_, offset in MIXED_FIELDS:
            place = self.assign(f"getelementptr inbounds i8, ptr {given}, i64 {offset}", "p")
            self.emit(f"store {self.operand(type_).text}, ptr {place}")
        to = result if r.random() < 0.8 else given
        number = self.operand("i32").text
        self.emit(
            f"call void @in_memory(ptr sret({MIXED}) align 8 {to}, ptr byval({MIXED}) align 8 {given}, {number})"
        )
        for type_, offset in r.sample(MIXED_FIELDS, r.randint(1, 3)):
            place = self.assign(
                f"getelementptr inbounds i8, ptr {r.choice((to, to, given))}, i64 {offset}", "p"
            )
            self.result(type_, f"load {type_}, ptr {place}")

    def variadic_call(self) -> None:
        """A call of a variadic function."""
        values = ", ".join(self.operand(t).text for t in ("i32", "i64", "double"))
        count = self.random.randint(0, 9)
        self.result("i64", f"call i64 (i32, ...) @listed(i32 {count}, {values})")
