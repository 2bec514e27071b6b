"""Random code in the forms that scalar and interprocedural passes transform."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nvvm_xdsl.lab.random_kernels.joins import Arm
from nvvm_xdsl.lab.random_kernels.loop_forms import LoopForms
from nvvm_xdsl.lab.random_kernels.memory_statements import BARRIER
from nvvm_xdsl.lab.random_kernels.values import INPUTS, SPAN, Value, bits_of

RECURSIVE = """\
define internal i32 @recursive(i32 %count, i32 %value) {
entry:
  %ends = icmp slt i32 %count, 1
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %count, 1
  %next = xor i32 %value, %count
  %rest = call i32 @recursive(i32 %less, i32 %next)
  %result = OP i32 %rest, VALUE
  ret i32 %result
end:
  ret i32 %value
}
"""
"""A function that combines its result with a value after it calls itself."""

READER = """\
define internal i32 @reader(ptr %a, ptr %b, i1 %second){attribute} {
entry:
  %x = load i32, ptr %a
  br i1 %second, label %more, label %end
more:
  %p = getelementptr inbounds i32, ptr %b, i64 3
  %y = load i32, ptr %p
  br label %end
end:
  %z = phi i32 [ %x, %entry ], [ %y, %more ]
  %s = add i32 %x, %z
  ret i32 %s
}
"""
"""A function that only loads through its pointers; one of the loads is conditional."""

TWIN = """\
define internal i32 @NAME(i32 %a, i32 %b) ADDRESS noinline {
entry:
  %x = mul i32 %a, 3
  %y = OP i32 %x, %b
  %z = xor i32 %y, 5
  ret i32 %z
}
"""

TWIN_TABLE = f"@NAME = private ADDRESS constant [{SPAN} x i32] [i32 1, i32 -2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 LAST], align 4"

BYTE_SHIFTS = ((24, 0xFF000000), (8, 0xFF0000), (-8, 0xFF00), (-24, 0xFF))
"""Shifts to the left and masks of the result whose union reverses the bytes of a word."""

BIT_SWAPS = ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF), (16, 0x0000FFFF))
"""Distances and masks of the steps that reverse the bits of a word."""

WARP_STEPS = (16, 8, 4, 2, 1)

COPIED = 32
"""Bytes of the arrays that are copied to each other."""


class CodeForms(LoopForms):
    """Adds such code as statements."""

    def __init__(self, seed: int, size: int) -> None:
        super().__init__(seed, size)
        self.recursion = ""
        """The recursive function, if the module has one."""
        self.twins: tuple[str, ...] = ()
        """Functions and constants that are equal, if the module has any."""

    # Redundancy

    def partly_redundant(self) -> None:
        """An expression and a load that are computed again after a branch, of which one arm may
        change the memory."""
        r = self.random
        type_ = r.choice(("i32", "i64"))
        place, other = self.own_place(type_), self.own_place(type_)
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(("add", "mul", "sub", "xor"))
        looping = r.random() < 0.4

        def arm() -> Value:
            value = a
            for kind in r.sample(("expression", "load", "store", "other store"), r.randint(0, 3)):
                if kind == "expression":
                    pair = [a.name, b.name]
                    r.shuffle(pair)
                    value = Value(self.assign(f"{op} {type_} {', '.join(pair)}"), type_)
                elif kind == "load":
                    value = Value(self.assign(f"load {type_}, ptr {place}"), type_)
                else:
                    to = place if kind == "store" else other
                    self.emit(f"store {value.text}, ptr {to}")
            return value

        def again(total: str) -> str:
            value = self.joined_value(
                self._divided(), [arm, arm] if r.random() < 0.6 else [arm, lambda: a]
            )
            first = self.assign(f"{op} {type_} {a.name}, {b.name}")
            loaded = self.assign(f"load {type_}, ptr {place}")
            for number in (value.name, first, loaded):
                total = self.assign(f"{r.choice(('add', 'xor'))} {type_} {total}, {number}")
            return total

        start = self.operand(type_)
        if looping:
            self.repeated([start], lambda _, carried: [again(carried[0])], self.some_trips())
            return
        name = again(start.name)
        self.scopes[-1].setdefault(type_, []).append(self.value(name, type_))

    def divisions(self) -> None:
        """A quotient and a remainder of the same operands, possibly in different blocks."""
        r = self.random
        type_ = r.choice(("i16", "i32", "i32", "i64"))
        sign = r.choice("us")
        divisor = self.assign(f"or {self.operand(type_).text}, 1")
        if sign == "s":
            divisor = self.assign(f"and {type_} {divisor}, {(1 << (bits_of(type_) - 1)) - 1}")
        number = self.operand(type_).name
        ops = [f"{sign}div", f"{sign}rem"]
        r.shuffle(ops)
        self.result(type_, f"{ops[0]} {type_} {number}, {divisor}")
        if r.random() < 0.5:
            self.result(type_, f"{ops[1]} {type_} {number}, {divisor}")
            return
        text = f"{ops[1]} {type_} {number}, {divisor}"
        arms: list[Arm] = [lambda: self.result(type_, text), lambda: self.operand(type_)]
        self.joined_value(self._divided(), arms)

    def reordered_sums(self) -> None:
        """Sums or products of the same values in different orders."""
        r = self.random
        type_ = r.choice(("i16", "i32", "i64"))
        op = r.choice(("add", "mul", "xor", "and"))
        values = [self.operand(type_).name for _ in range(r.randint(3, 5))]
        for _ in range(r.randint(2, 3)):
            terms = r.sample(values, r.randint(2, len(values)))
            if r.random() < 0.3:
                terms.append(self.constant(type_).name)
            while len(terms) > 1:
                first = terms.pop(r.randrange(len(terms)))
                at = r.randrange(len(terms))
                terms[at] = self.assign(f"{op} {type_} {first}, {terms[at]}")
            self.scopes[-1].setdefault(type_, []).append(self.value(terms[0], type_))

    def address_steps(self) -> None:
        """Loads at addresses that differ by multiples of a stride, by rows or by constants, some of
        them after a branch."""
        r = self.random
        at, stride = self.masked(16).name, self.masked(8).name
        first = r.randrange(4)
        numbers = r.choice((range(first, first + 3), r.sample(range(6), 3)))
        rows = self._rows() if r.random() < 0.4 else None
        constant = r.random() < 0.4
        for number in numbers:
            step = "" if constant else stride

            def load(number: int = number, step: str = step) -> Value:
                if rows is not None:
                    return rows(number)
                return self._load_step(at, step, number)

            if r.random() < 0.6:
                load()
                continue
            arms: list[Arm] = [load, lambda: self.operand("i32")]
            self.joined_value(self._divided(), arms)

    def _rows(self) -> Callable[[int], Value]:
        """A function that loads from the input at a later row of the same column."""
        kind = self.random.choice(("exact", "negative", "wrapping"))
        if kind == "exact":
            start, stride = self.masked(4).name, self.masked(8).name
            flags, factor, extension = " nuw nsw", 1, ("sext", "zext")
        elif kind == "negative":
            # Negative numbers times negative strides: the product wraps unsigned.
            start = self.assign(f"sub i32 -9, {self.masked(4).name}")
            stride = self.assign(f"xor i32 {self.masked(4).name}, -1")
            flags, factor, extension = " nsw", 1, ("zext", "zext nneg", "sext")
        else:
            # Multiples of 4 times multiples of 2^30.
            start = self.assign(f"shl nuw nsw i32 {self.masked(4).name}, 2")
            stride = self.assign(f"shl i32 {self.masked(4).name}, 30")
            flags, factor, extension = "", 4, ("sext", "zext")
        column = self.masked(8).name

        def load(number: int) -> Value:
            later = self.assign(f"add nuw nsw i32 {start}, {number * factor}")
            index = self.assign(f"mul{flags} i32 {later}, {stride}")
            if kind != "negative":
                index = self.assign(f"add nuw nsw i32 {index}, {column}")
            return self._input_at(index, extension)

        return load

    def _load_step(self, at: str, stride: str, number: int) -> Value:
        """A load from the input at `at` plus a multiple of the stride, or plus a constant."""
        step = str(number)
        if stride:
            step = stride if number == 1 else self.assign(f"mul nuw nsw i32 {stride}, {number}")
        return self._input_at(self.assign(f"add nuw nsw i32 {at}, {step}"), ("sext", "zext"))

    def _input_at(self, index: str, extensions: Sequence[str]) -> Value:
        wide = self.assign(f"{self.random.choice(extensions)} i32 {index} to i64")
        place = self.assign(f"getelementptr inbounds i32, ptr %in_i, i64 {wide}", "p")
        return self.result("i32", f"load i32, ptr {place}")

    def half_pairs(self) -> None:
        """Equal computations on two adjacent halves, or nearly equal ones."""
        r = self.random
        at = self.assign(f"and {self.operand('i32').text}, {INPUTS - 2}")
        place = self.element("%in_h", "half", Value(at, "i32"))
        loaded = self.assign(f"load <2 x half>, ptr {place}, align 4")
        lanes = [self.assign(f"extractelement <2 x half> {loaded}, i32 {i}") for i in range(2)]
        other = self.operand("half").name
        for _ in range(r.randint(1, 4)):
            op = r.choice(("fadd", "fmul", "fsub"))
            swapped = r.random() < 0.3
            uneven = r.random() < 0.1
            first = f"{other}, {lanes[0]}" if swapped else f"{lanes[0]}, {other}"
            text = f"{other}, {lanes[1]}" if swapped != uneven else f"{lanes[1]}, {other}"
            lanes = [self.assign(f"{op} half {operands}") for operands in (first, text)]
        pair = self.assign(f"insertelement <2 x half> poison, half {lanes[0]}, i32 0")
        pair = self.assign(f"insertelement <2 x half> {pair}, half {lanes[1]}, i32 1")
        added = self.result("<2 x half>", f"fadd <2 x half> {pair}, {loaded}")
        for i in range(2):
            self.result("half", f"extractelement {added.text}, i32 {i}")

    # Bits

    def bit_forms(self) -> None:
        """The bytes or bits of a word in reverse order, or the number of its bits, by shifts and
        masks, of which one may be different."""
        r = self.random
        value = self.operand("i32").name
        kind = r.choice(("bytes", "bits", "count"))
        wrong = r.randrange(12)
        if kind == "bytes":
            parts: list[str] = []
            for number, (shift, mask) in enumerate(BYTE_SHIFTS):
                mask ^= 0x100 if number == wrong else 0
                op = "shl" if shift > 0 else "lshr"
                moved = self.assign(f"{op} i32 {value}, {abs(shift)}")
                parts.append(self.assign(f"and i32 {moved}, {mask}"))
            r.shuffle(parts)
            while len(parts) > 1:
                parts.append(self.assign(f"or i32 {parts.pop(0)}, {parts.pop(0)}"))
            self._named("i32", parts[0])
        elif kind == "bits":
            for number, (distance, mask) in enumerate(BIT_SWAPS):
                mask ^= 4 if number == wrong else 0
                low = self.assign(f"and i32 {value}, {mask}")
                low = self.assign(f"shl i32 {low}, {distance}")
                high = self.assign(f"lshr i32 {value}, {distance}")
                high = self.assign(f"and i32 {high}, {mask}")
                value = self.assign(f"or i32 {low}, {high}")
            self._named("i32", value)
        else:
            masks = [0x55555555, 0x33333333, 0x0F0F0F0F]
            if wrong < 3:
                masks[wrong] ^= 1
            half = self.assign(f"lshr i32 {value}, 1")
            half = self.assign(f"and i32 {half}, {masks[0]}")
            value = self.assign(f"sub i32 {value}, {half}")
            high = self.assign(f"lshr i32 {value}, 2")
            high = self.assign(f"and i32 {high}, {masks[1]}")
            low = self.assign(f"and i32 {value}, {masks[1]}")
            value = self.assign(f"add i32 {low}, {high}")
            high = self.assign(f"lshr i32 {value}, 4")
            value = self.assign(f"add i32 {value}, {high}")
            value = self.assign(f"and i32 {value}, {masks[2]}")
            value = self.assign(f"mul i32 {value}, 16843009")
            self._named("i32", self.assign(f"lshr i32 {value}, 24"))

    def _named(self, type_: str, name: str) -> None:
        """Makes a value available to later statements."""
        self.scopes[-1].setdefault(type_, []).append(self.value(name, type_))

    # Memory

    def copy_chains(self) -> None:
        """Copies, fills, stores and loads of three local arrays."""
        r = self.random
        names = [f"%{self.fresh('chain')}" for _ in range(3)]
        self.allocas += [f"  {name} = alloca [{COPIED} x i8], align 8" for name in names]
        for name in names:
            self._set_bytes(name, 0, COPIED, str(r.randint(-128, 127)))
        for _ in range(r.randint(3, 7)):
            kind = r.choice(("copy", "copy", "copy", "fill", "store", "store", "load"))
            start = 8 * r.choice((0, 0, 0, 1, 2))
            size = COPIED - start if r.random() < 0.6 else 8
            target, source = r.sample(names, 2)
            if kind == "copy":
                self._copy_bytes(target, source, start, size)
            elif kind == "fill":
                self._set_bytes(target, start, size, self.operand("i8").name)
            else:
                place = self.assign(f"getelementptr inbounds i8, ptr {target}, i64 {start}", "p")
                if kind == "store":
                    self.emit(f"store {self.operand(r.choice(('i64', 'i32'))).text}, ptr {place}")
                else:
                    self.result("i64", f"load i64, ptr {place}")
        for name in r.sample(names, 2):
            at = self.assign(
                f"getelementptr inbounds i8, ptr {name}, i64 {8 * r.randrange(4)}", "p"
            )
            self.result("i64", f"load i64, ptr {at}")

    def _copy_bytes(self, target: str, source: str, start: int, size: int) -> None:
        name = self.random.choice(("memcpy", "memcpy", "memmove"))
        self.declare("void", f"llvm.{name}.p0.p0.i64", "ptr", "ptr", "i64", "i1")
        places = [
            self.assign(f"getelementptr inbounds i8, ptr {array}, i64 {start}", "p")
            for array in (target, source)
        ]
        operands = ", ".join(f"ptr align 8 {place}" for place in places)
        self.emit(f"call void @llvm.{name}.p0.p0.i64({operands}, i64 {size}, i1 false)")

    def _set_bytes(self, target: str, start: int, size: int, byte: str) -> None:
        self.declare("void", "llvm.memset.p0.i64", "ptr", "i8", "i64", "i1")
        place = self.assign(f"getelementptr inbounds i8, ptr {target}, i64 {start}", "p")
        self.emit(f"call void @llvm.memset.p0.i64(ptr {place}, i8 {byte}, i64 {size}, i1 false)")

    # Warps

    def warp_reduction(self) -> None:
        """A reduction over a warp by five shuffles, of which one may be different."""
        r = self.random
        op = r.choice(("add", "xor", "and", "or", "umax", "smin"))
        distances = list(WARP_STEPS)
        if r.random() < 0.2:
            distances[r.randrange(5)] = r.choice((1, 2, 4, 8, 16))
        if r.random() < 0.3:
            r.shuffle(distances)
        value = self.operand("i32")
        different = r.randrange(10)
        for number, distance in enumerate(distances):
            step = "xor" if number == different else op
            members, lane, clamp = (Value(text, "i32") for text in ("-1", str(distance), "31"))
            moved = self.call("i32", "llvm.nvvm.shfl.sync.bfly.i32", members, value, lane, clamp)
            if step in ("umax", "smin"):
                value = self.call("i32", f"llvm.{step}.i32", value, moved)
            else:
                value = self.result("i32", f"{step} {value.text}, {moved.name}")

    def warp_exchange(self) -> None:
        """An exchange with the thread of another lane through shared memory."""
        own = self._shared("@shared_i", "i32", "%tid")
        self.emit(f"store {self.operand('i32').text}, ptr addrspace(3) {own}")
        self.emit(BARRIER)
        distance = self.random.choice((1, 2, 4, 8, 16, 17, 32))
        lane = self.assign(f"xor i32 %tid, {distance}")
        other = self._shared("@shared_i", "i32", lane)
        self.result("i32", f"load i32, ptr addrspace(3) {other}")
        self.emit(BARRIER)

    # Functions

    def recursive_call(self) -> None:
        """A call of a function that calls itself."""
        r = self.random
        if not self.recursion:
            op = r.choice(("add", "mul", "xor", "or", "and", "sub"))
            value = r.choice(("%count", "%value", "3", "%next"))
            self.recursion = RECURSIVE.replace("OP", op).replace("VALUE", value)
        count = self.masked(8)
        self.result("i32", f"call i32 @recursive({count.text}, {self.operand('i32').text})")

    def reader_call(self) -> None:
        """A call of a function that only loads through its pointers."""
        a, b = self.operand("ptr"), self.operand("ptr")
        second = self.operand("i1")
        self.result("i32", f"call i32 @reader({a.text}, {b.text}, {second.text})")

    def twin_calls(self) -> None:
        """Uses of two equal functions and of two equal constants, directly and by pointers."""
        r = self.random
        if not self.twins:
            op = r.choice(("add", "sub", "and"))
            other = op if r.random() < 0.8 else "or"
            last = r.choice(("8", "8", "9"))
            functions = TWIN.replace("ADDRESS", r.choice(("unnamed_addr", "")))
            self.twins = (
                functions.replace("NAME", "twin_a").replace("OP", op),
                functions.replace("NAME", "twin_b").replace("OP", other),
                TWIN_TABLE.replace("NAME", "twin_c").replace("ADDRESS", "unnamed_addr").replace("LAST", "8") + "\n",
                TWIN_TABLE.replace("NAME", "twin_d").replace("ADDRESS", r.choice(("unnamed_addr", ""))).replace("LAST", last) + "\n",
            )  # fmt: skip
        kind = r.choice(("direct", "pointer", "tables"))
        arguments = ", ".join(self.operand("i32").text for _ in "12")
        if kind == "direct":
            for name in r.sample(("twin_a", "twin_b"), 2):
                self.result("i32", f"call i32 @{name}({arguments})")
        elif kind == "pointer":
            chosen = self.operand("i1").text
            function = self.assign(f"select {chosen}, ptr @twin_a, ptr @twin_b")
            self.result("i32", f"call i32 {function}({arguments})")
        else:
            for name in ("twin_c", "twin_d"):
                place = self.element(f"@{name}", "i32", self.masked(SPAN))
                self.result("i32", f"load i32, ptr {place}")
