"""Random loops in the forms that loop passes transform, mostly with trip counts known at run time.

A loop with a small constant trip count is unrolled before most loop passes run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nvvm_xdsl.lab.random_kernels.joins import Arm
from nvvm_xdsl.lab.random_kernels.memory_statements import BARRIER, INPUT_TYPES, SLOTS
from nvvm_xdsl.lab.random_kernels.structs_and_lists import StructsAndLists
from nvvm_xdsl.lab.random_kernels.values import INPUTS, Value, bits_of

Body = Callable[[str, tuple[str, ...]], Sequence[str]]
"""Generates the body of a loop from the counter and the carried values; returns the new ones."""

LINE = 64
"""Number of elements of the local array of a loop."""

MOST_VECTOR_TRIPS = 32
FILLED_TRIPS = (70, 300, 600)

FIRST_NODE = 100_000
"""The number of the first metadata node; debug information has smaller ones."""

LOOP_HINTS = (
    ('"llvm.loop.vectorize.width", i32 2',),
    ('"llvm.loop.vectorize.width", i32 4',),
    ('"llvm.loop.vectorize.enable", i1 true',),
    ('"llvm.loop.vectorize.width", i32 2', '"llvm.loop.interleave.count", i32 2'),
)

LINE_TYPES = ("i8", "i16", "i32", "half", "half", "float")

BIT_STEPS = ("clear", "lshr", "shl")
"""Steps after which a value has one bit less, or is shifted by one."""


class LoopForms(StructsAndLists):
    """Adds such loops as statements."""

    def __init__(self, seed: int, size: int) -> None:
        super().__init__(seed, size)
        self.metadata: list[str] = []
        """Metadata nodes of loops."""

    def repeated(
        self,
        starts: Sequence[Value],
        body: Body,
        bound: str,
        *,
        type_: str = "i32",
        start: int = 0,
        most: int = SLOTS,
        top: bool = False,
        hinted: bool = False,
    ) -> list[Value]:
        """A loop whose counter advances by one; returns the final carried values.

        Arguments:
            starts: the initial carried values.
            bound: the counter's final value; it must be above `start` unless `top`.
            type_: the counter's type.
            most: the maximum value of the counter, for its interval.
            top: test the counter before each iteration.
            hinted: request vectorization.
        """
        r = self.random
        types = [value.type for value in starts]
        head = self.node("head", type_, *types)
        out, inner = self.node("out", *types), self.node("body")
        self.jump(head, str(start), *(value.name for value in starts))
        converged, self.converged = self.converged, False
        self.begin(head)
        counter, *carried = head.names
        test = r.choice(("slt", "ult")) if top else r.choice(("slt", "ult", "ne"))
        if top:
            more = self.assign(f"icmp {test} {type_} {counter}, {bound}")
            self.fork(more, (inner, ()), (out, tuple(carried)))
            self.begin(inner)
        with self.scope():
            self.scopes[-1][type_] = [Value(counter, type_, start, most)]
            new = tuple(body(counter, tuple(carried)))
            flags = r.choice(("", " nsw", " nuw nsw", " nuw nsw"))
            following = self.assign(f"add{flags} {type_} {counter}, 1")
            at = len(self.lines)
            if top:
                self.jump(head, following, *new)
            else:
                more = self.assign(f"icmp {test} {type_} {following}, {bound}")
                at = len(self.lines)
                self.fork(more, (head, (following, *new)), (out, new))
        if hinted:
            self.lines[at] += f", !llvm.loop {self._hint()}"
        self.converged = converged
        self.begin(out)
        self.close(*([head, inner, out] if top else [head, out]))
        results = [self.value(name, type_) for name, type_ in zip(out.names, types)]
        for value in results:
            self.scopes[-1].setdefault(value.type, []).append(value)
        return results

    def _hint(self) -> str:
        node = FIRST_NODE + len(self.metadata)
        hints = self.random.choice(LOOP_HINTS)
        places = ", ".join(f"!{node + 1 + i}" for i in range(len(hints)))
        self.metadata.append(f"!{node} = distinct !{{!{node}, {places}}}")
        self.metadata += [f"!{node + 1 + i} = !{{!{hint}}}" for i, hint in enumerate(hints)]
        return f"!{node}"

    def some_trips(self, most: int = SLOTS, type_: str = "i32", least: int = 1) -> str:
        """A number from `least`, 0 or 1, to a power of two, mostly without a bound that passes know.

        `loop-unroll` unrolls loops with a small upper bound.
        """
        r = self.random
        if not self.in_kernel or r.random() < 0.2:
            return self.assign(f"add nuw nsw {type_} {self.masked(most, type_).name}, {least}")
        # The argument is from -100 to 99.
        trips = self.assign("add nsw i32 %n, 100")
        trips = self.assign(
            f"ashr i32 {trips}, {8 - most.bit_length() + (2 if most < SLOTS else 1)}"
        )
        if r.random() < 0.5:
            odd = self.assign("and i32 %tid, 1")
            trips = self.assign(f"add nsw i32 {trips}, {odd}")
        if least:
            trips = self.assign(f"add nsw i32 {trips}, {least}")
        return trips if type_ == "i32" else self.assign(f"sext i32 {trips} to {type_}")

    def _own_element(self, counter: str) -> str:
        return self.assign(f"getelementptr inbounds i64, ptr %own_l, i32 {counter}", "p")

    # Tests in loops

    def invariant_tests(self) -> None:
        """A loop with tests that do not change in it, of which one may be undefined if not executed."""
        r = self.random
        top = r.random() < 0.4
        bound = self.some_trips(least=0 if top else 1)
        guarded = r.random() < 0.3
        tests = [self._divided() for _ in range(r.choice((1, 1, 2)))]
        # Overflows if the guard is false.
        sum_ = self.assign("add nsw i32 %n, 2147483600") if guarded else ""
        guard = self.result("i1", "icmp slt i32 %n, 40") if guarded else tests[0]
        late = self.assign(f"icmp sgt i32 {sum_}, 2147483590") if guarded else ""

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            total = Value(carried[0], "i64")
            for test in tests:
                total = self.joined_value(
                    self._mixed(test, counter), [self._step(counter, total) for _ in "12"]
                )
            if guarded:
                before = total

                def inner() -> Value:
                    arms = [self._step(counter, before) for _ in "12"]
                    return self.joined_value(Value(late, "i1"), arms)

                total = self.joined_value(guard, [inner, lambda: before])
            return [total.name]

        self.repeated([self.operand("i64")], body, bound, top=top)

    def _mixed(self, test: Value, counter: str) -> Value:
        """The test, or a combination with one of the counter."""
        r = self.random
        if r.random() < 0.7:
            return test
        other = self.assign(f"icmp ult i32 {counter}, {r.randint(1, 4)}")
        text = r.choice(
            (
                f"and i1 {test.name}, {other}",
                f"or i1 {other}, {test.name}",
                f"select i1 {test.name}, i1 {other}, i1 false",
                f"select i1 {other}, i1 true, i1 {test.name}",
            )
        )
        return Value(self.assign(text), "i1")

    def _step(self, counter: str, total: Value) -> Arm:
        """An arm that changes the total, and possibly an output."""
        r = self.random

        def write() -> Value:
            op = r.choice(("add", "sub", "xor", "mul"))
            number = self.assign(f"zext i32 {counter} to i64")
            other = r.choice((number, self.operand("i64").name, str(r.randint(-5, 9))))
            new = Value(self.assign(f"{op} i64 {total.name}, {other}"), "i64")
            if r.random() < 0.6:
                self.emit(f"store i64 {new.name}, ptr {self._own_element(counter)}")
            return new

        return write

    def sum_window(self) -> None:
        """A loop whose counter runs from one sum to another with the same base."""
        r = self.random
        base = self.masked(64).name
        first, last = (self.assign(f"add nsw i32 {base}, {r.randint(-5, 5)}") for _ in "12")
        step = r.choice((1, 1, 1, 2, 3))
        rises = r.random() < 0.7
        test = r.choice(("slt", "sle") if rises else ("sgt", "sge"))
        head, out = self.node("head", "i32", "i64"), self.node("out", "i64")
        self.jump(head, first, self.operand("i64").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        counter, total = head.names
        with self.scope():
            number = self.assign(f"sext i32 {counter} to i64")
            new = self.assign(f"{r.choice(('add', 'xor', 'mul'))} i64 {total}, {number}")
            if r.random() < 0.5:
                slot = self.assign(f"and i32 {counter}, {SLOTS - 1}")
                self.emit(f"store i64 {new}, ptr {self._own_element(slot)}")
            following = self.assign(f"add nsw i32 {counter}, {step if rises else -step}")
            tested = r.choice((counter, following))
            more = self.assign(f"icmp {test} i32 {tested}, {last}")
            self.fork(more, (head, (following, new)), (out, (new,)))
        self.converged = converged
        self.begin(out)
        self.close(head, out)
        self.scopes[-1].setdefault("i64", []).append(self.value(out.names[0], "i64"))

    def doubled_strides(self) -> None:
        """A loop that divides by a power of two, which is doubled or halved."""
        r = self.random
        dividend = self.operand("i32").text.split()[-1]
        grows = r.random() < 0.6
        op = r.choice(("urem", "srem", "srem", "udiv"))
        is_tested = r.random() < 0.5
        start = "1" if grows else str(1 << r.randint(1, 8))
        head, out = self.node("head", "i32", "i64"), self.node("out", "i64")
        self.jump(head, start, self.operand("i64").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        stride, total = head.names
        with self.scope():
            found = self.assign(f"{op} i32 {dividend}, {stride}")
            if is_tested:
                found = self.assign(f"icmp {r.choice(('eq', 'ne'))} i32 {found}, 0")
            number = self.assign(f"zext {'i1' if is_tested else 'i32'} {found} to i64")
            new = self.assign(f"{r.choice(('add', 'xor', 'mul'))} i64 {total}, {number}")
            following = self.assign(
                f"{'shl' if grows else 'lshr'} i32 {stride}, {r.choice((1, 1, 2))}"
            )
            bound = (
                f"ult i32 {following}, {r.randint(2, 300)}" if grows else f"ugt i32 {following}, 0"
            )
            more = self.assign(f"icmp {bound}")
            self.fork(more, (head, (following, new)), (out, (new,)))
        self.converged = converged
        self.begin(out)
        self.close(head, out)
        self.scopes[-1].setdefault("i64", []).append(self.value(out.names[0], "i64"))

    def counter_tests(self) -> None:
        """A loop that tests its counter against a constant, with effects in one or both arms."""
        r = self.random
        start = r.choice((0, 0, 0, 1, 3))
        long = r.random() < 0.3
        bound = str(r.randint(50, 120)) if long else self.some_trips()
        if start and not long:
            bound = self.assign(f"add nuw nsw i32 {bound}, {start}")
        number = r.choice((r.randint(0, 9), r.randint(-1, 120)))
        test = r.choice(("eq", "eq", "ne", "ult", "slt", "sgt", "uge", "sle"))
        one_sided = r.random() < 0.5

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            total = Value(carried[0], "i64")
            condition = self.assign(f"icmp {test} i32 {counter}, {number}")
            slot = counter
            if long:
                slot = self.assign(f"and i32 {counter}, {SLOTS - 1}")
            elif start:
                slot = self.assign(f"sub i32 {counter}, {start}")
            other: Arm = (lambda: total) if one_sided else self._step(slot, total)
            arms = [self._step(slot, total), other]
            if r.random() < 0.5:
                arms.reverse()
            return [self.joined_value(Value(condition, "i1"), arms).name]

        self.repeated([self.operand("i64")], body, bound, start=start, most=128)

    # Addresses

    def strided_loop(self) -> None:
        """A loop, or two nested ones, over elements at constant strides, with an invariant load."""
        r = self.random
        type_ = r.choice(("i32", "i64"))
        base, element = r.choice(INPUT_TYPES)
        nested = r.random() < 0.3
        stride = r.choice((1, 2, 3)) if nested else r.choice((1, 2, 3, 4, 5))
        offsets = r.sample(range(15), r.randint(1, 3))
        kept = self.element(base, element, self.masked(INPUTS))
        trips = self.some_trips(4 if nested else SLOTS, type_)
        at = self.masked(8, type_).name
        row = self.assign(f"mul nuw nsw {type_} {at}, {r.choice((1, 2))}")
        # Subscripts are at most 7 * 2 + 14 + 7 * 5, or 7 * 2 + 14 + 3 * 3 + 3 * 8.
        total = self.operand(element)

        def outer(counter: str, carried: tuple[str, ...]) -> list[str]:
            first = self.assign(f"mul nuw nsw {type_} {counter}, 8")
            first = self.assign(f"add nuw nsw {type_} {first}, {row}")
            inner = self._strided_body(type_, base, element, stride, offsets, first, kept)
            (value,) = self.repeated(
                [Value(carried[0], element)], inner, trips, type_=type_, most=4
            )
            return [value.name]

        if nested:
            rows = self.some_trips(4, type_)
            self.repeated([total], outer, rows, type_=type_, most=4)
            return
        body = self._strided_body(type_, base, element, stride, offsets, row, kept)
        self.repeated([total], body, trips, type_=type_, top=r.random() < 0.3)

    def shared_loop(self) -> None:
        """A loop over elements of shared memory at a variable stride, whose indices wrap before an addition."""
        r = self.random
        array, type_ = r.choice((("@shared_i", "i32"), ("@shared_f", "float")))
        own = self._shared(array, type_, "%tid")
        self.emit(f"store {self.operand(type_).text}, ptr addrspace(3) {own}")
        self.emit(BARRIER)
        less = r.randint(1, 4)
        start = self.assign(f"sub i32 {self.masked(8).name}, {less}")
        stride = self.masked(4).name
        # Indices are at most 7 + 7 * 3 + 8.
        offsets = [less + offset for offset in r.sample(range(9), r.randint(1, 3))]
        extension, add = r.choice(("zext", "sext")), "add" if type_ == "i32" else "fadd"

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            total = carried[0]
            index = self.assign(f"mul i32 {counter}, {stride}")
            index = self.assign(f"add i32 {start}, {index}")
            for offset in offsets:
                wide = self.assign(f"add i32 {index}, {offset}")
                wide = self.assign(f"{extension} i32 {wide} to i64")
                text = f"{type_}, ptr addrspace(3) {array}, i64 {wide}"
                place = self.assign(f"getelementptr inbounds {text}", "p")
                value = self.assign(f"load {type_}, ptr addrspace(3) {place}")
                total = self.assign(f"{add} {type_} {total}, {value}")
            return [total]

        self.repeated([self.operand(type_)], body, self.some_trips())
        self.emit(BARRIER)

    def _strided_body(
        self, type_: str, base: str, element: str, stride: int, offsets: list[int], row: str, kept: str
    ) -> Body:  # fmt: skip
        r = self.random
        op = r.choice(("add", "xor", "sub")) if element[0] == "i" else "fadd"

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            total = carried[0]
            index = self.assign(f"mul nuw nsw {type_} {counter}, {stride}")
            index = self.assign(f"add nuw nsw {type_} {index}, {row}")
            for offset in offsets:
                at = self.assign(f"add nuw nsw {type_} {index}, {offset}")
                if type_ == "i32" and r.random() < 0.7:
                    wide = self.assign(f"{r.choice(('sext', 'zext', 'zext nneg'))} i32 {at} to i64")
                    place = self.element(base, element, Value(wide, "i64"))
                else:
                    place = self.element(base, element, Value(at, type_))
                loaded = self.assign(f"load {element}, ptr {place}")
                total = self.assign(f"{op} {element} {total}, {loaded}")
            if r.random() < 0.6:
                loaded = self.assign(f"load {element}, ptr {kept}")
                total = self.assign(f"{op} {element} {total}, {loaded}")
            if self.in_kernel and r.random() < 0.5:
                slot = self.assign(f"and {type_} {counter}, {SLOTS - 1}")
                place = self.assign(f"getelementptr inbounds i64, ptr %own_l, {type_} {slot}", "p")
                self.emit(f"store i64 {self.operand('i64').name}, ptr {place}")
            return [total]

        return body

    # Arrays

    def _line(self, type_: str) -> str:
        """A local array whose elements are set."""
        name = f"%{self.fresh('line')}"
        self.allocas.append(
            f"  {name} = alloca [{LINE} x {type_}], align {self.random.choice((4, 16))}"
        )
        seed = self.operand("i32").name

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            number = self.assign(f"mul i32 {counter}, {seed}")
            number = self._as(type_, number)
            place = self.assign(f"getelementptr inbounds {type_}, ptr {name}, i32 {counter}", "p")
            self.emit(f"store {type_} {number}, ptr {place}")
            return []

        self.repeated([], body, str(LINE), most=LINE)
        return name

    def _as(self, type_: str, number: str) -> str:
        """An `i32` as a number of another type."""
        if type_ in ("half", "float"):
            small = self.assign(f"and i32 {number}, 1023")
            return self.assign(f"sitofp i32 {small} to {type_}")
        return number if type_ == "i32" else self.assign(f"trunc i32 {number} to {type_}")

    def vector_loop(self) -> None:
        """A loop over one or two arrays, element by element, at constant distances."""
        r = self.random
        type_ = r.choice(LINE_TYPES)
        arrays = [self._line(type_) for _ in range(r.choice((1, 2)))]
        counted = r.choice(("i32", "i64"))
        bound = self.some_trips(MOST_VECTOR_TRIPS, counted)
        ops = ("fadd", "fmul", "fsub") if type_ in ("half", "float") else ("add", "mul", "xor")
        invariant = self.operand(type_)
        distances = (0, 0, 0, 1, 2, 3, 4, 8)

        def place(array: str, counter: str, distance: int) -> str:
            at = self.assign(
                f"getelementptr inbounds {type_}, ptr {array}, {counted} {counter}", "p"
            )
            if distance:
                at = self.assign(f"getelementptr inbounds {type_}, ptr {at}, i64 {distance}", "p")
            return at

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            source, target = r.choice(arrays), r.choice(arrays)
            value = self.assign(f"load {type_}, ptr {place(source, counter, r.choice(distances))}")
            if r.random() < 0.5:
                second = place(r.choice(arrays), counter, r.choice(distances))
                other = self.assign(f"load {type_}, ptr {second}")
                value = self.assign(f"{r.choice(ops)} {type_} {value}, {other}")
            value = self.assign(f"{r.choice(ops)} {type_} {value}, {invariant.name}")
            self.emit(f"store {type_} {value}, ptr {place(target, counter, r.choice(distances))}")
            return []

        self.repeated(
            [], body, bound, type_=counted, most=MOST_VECTOR_TRIPS, hinted=r.random() < 0.7
        )
        for array in arrays:
            for _ in range(2):
                at = self.element(array, type_, self.masked(LINE))
                self.result(type_, f"load {type_}, ptr {at}")

    def fill_loop(self) -> None:
        """A loop with a constant trip count that stores one value to each element of an array."""
        r = self.random
        trips = r.choice(FILLED_TRIPS)
        type_ = r.choice(("i8", "i16", "i32", "i64"))
        bits = bits_of(type_)
        name = f"%{self.fresh('filled')}"
        self.allocas.append(f"  {name} = alloca [{trips + 4} x {type_}], align 16")
        repeated = int("01" * (bits // 8), 16)
        value = r.choice((str(repeated), "0", "-1", "1", self.operand(type_).name))
        first = r.choice((0, 0, 2, 4))
        self.emit(
            f"call void @llvm.memset.p0.i64(ptr {name}, i8 7, i64 {(trips + 4) * bits // 8}, i1 false)"
        )
        self.declare("void", "llvm.memset.p0.i64", "ptr", "i8", "i64", "i1")
        base = self.assign(f"getelementptr inbounds {type_}, ptr {name}, i64 {first}", "p")

        def body(counter: str, carried: tuple[str, ...]) -> list[str]:
            place = self.assign(f"getelementptr inbounds {type_}, ptr {base}, i32 {counter}", "p")
            self.emit(f"store {type_} {value}, ptr {place}")
            return []

        self.repeated([], body, str(trips), most=trips)
        if r.random() < 0.7:
            # The array is not a local variable of the loop only, so that the loop is not unrolled.
            self._touch(name)
        last = str(r.randint(trips - 2, trips + 3))
        for index in (self.masked(8).name, last, self.masked(64).name):
            place = self.assign(f"getelementptr inbounds {type_}, ptr {name}, i32 {index}", "p")
            self.result(type_, f"load {type_}, ptr {place}")

    def bit_loop(self) -> None:
        """A loop that removes one bit of a value per iteration until none is left."""
        self._bit_loop(stores=False)

    def digit_loop(self) -> None:
        """The same with a store in each iteration, as in the conversion of a number to text."""
        self._bit_loop(stores=True)

    def wrapping_loop(self) -> None:
        """A loop of loads, left at its end, whose counter may wrap before it reaches its bound."""
        r = self.random
        type_ = r.choice(("i8", "i32", "i32", "i64"))
        rises, is_signed, or_equal = r.random() < 0.7, r.random() < 0.5, r.random() < 0.4
        # The counter begins close to the end of its type, and the bound is close to the start.
        number = "%tid"
        if type_ != "i32":
            cast = "trunc" if type_ == "i8" else "zext"
            number = self.assign(f"{cast} i32 %tid to {type_}")
        first = self.assign(f"or {type_} {number}, -8")
        bound = self.assign(f"and {type_} {self.operand(type_).name}, 30")
        turn = (0 if rises else -1) ^ (-(1 << (bits_of(type_) - 1)) if is_signed else 0)
        if turn:
            first = self.assign(f"xor {type_} {first}, {turn}")
            bound = self.assign(f"xor {type_} {bound}, {turn}")
        step = str(r.choice((1, 1, 3, 5)) * (1 if rises else -1))
        if rises and r.random() < 0.3:
            few = self.assign(f"and {type_} {self.operand(type_).name}, 6")
            step = self.assign(f"or {type_} {few}, 1")
        predicate = "us"[is_signed] + "gl"[rises] + "te"[or_equal]
        head, out = self.node("head", type_, "i64"), self.node("out", type_, "i64")
        counter, total = head.names
        self.jump(head, first, self.operand("i64").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        slot = self.assign(f"and {type_} {counter}, {SLOTS - 1}")
        place = self.assign(f"getelementptr inbounds i64, ptr %own_l, {type_} {slot}", "p")
        value = self.assign(f"load i64, ptr {place}")
        turned = self.assign(f"mul i64 {total}, 3")
        summed = self.assign(f"add i64 {turned}, {value}")
        following = self.assign(f"add {type_} {counter}, {step}")
        more = self.assign(f"icmp {predicate} {type_} {following}, {bound}")
        self.fork(more, (head, (following, summed)), (out, (following, summed)))
        self.converged = converged
        self.begin(out)
        self.close(head, out)
        for name, result in zip(out.names, out.types):
            self.scopes[-1].setdefault(result, []).append(self.value(name, result))

    def left_before_increment(self) -> None:
        """A loop that is left before its counter is incremented, possibly from the last value of its
        type; another value of each iteration is the same sum, which may wrap.
        """
        r = self.random
        type_ = r.choice(("i8", "i16", "i32"))
        is_signed = r.random() < 0.5
        top = (1 << (bits_of(type_) - is_signed)) - 1
        first = top - r.randint(4, 9)
        near = self.result(type_, f"and {self.operand(type_).text}, 3").name
        bound = self.assign(f"or {type_} {near}, {top - 3}")
        head, body = self.node("head", type_, "i64"), self.node("body")
        out = self.node("out", "i64", "i64")
        counter, total = head.names
        self.jump(head, str(first), self.operand("i64").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        following = self.assign(f"add {type_} {counter}, 1")
        wide = self.assign(f"{'sext' if is_signed else 'zext'} {type_} {following} to i64")
        at_end = self.assign(f"icmp eq {type_} {counter}, {bound}")
        self.fork(at_end, (out, (wide, total)), (body, ()))
        self.begin(body)
        flag = "nsw" if is_signed else "nuw"
        increment = self.assign(f"add {flag} {type_} {counter}, 1")
        slot = self.assign(f"and {type_} {increment}, {SLOTS - 1}")
        place = self.assign(f"getelementptr inbounds i64, ptr %own_l, {type_} {slot}", "p")
        value = self.assign(f"load i64, ptr {place}")
        summed = self.assign(f"add i64 {total}, {value}")
        self.jump(head, increment, summed)
        self.converged = converged
        self.begin(out)
        self.close(head, out)
        place = self.assign(f"getelementptr inbounds i64, ptr %own_l, i64 {r.randrange(4)}", "p")
        self.emit(f"store i64 {out.names[0]}, ptr {place}")
        for name, result in zip(out.names, out.types):
            self.scopes[-1].setdefault(result, []).append(self.value(name, result))

    def _bit_loop(self, *, stores: bool) -> None:
        r = self.random
        type_ = r.choice(("i8", "i16", "i32", "i32", "i64"))
        kind = r.choice(BIT_STEPS)
        first, addend = self.operand(type_), str(r.choice((1, 1, 3, -1)))
        head = self.node("head", type_, "i32", type_)
        out = self.node("out", type_, "i32", type_)
        value, count, total = head.names
        self.jump(
            head,
            first.name,
            r.choice(("0", "1", self.operand("i32").name)),
            self.operand(type_).name,
        )
        converged, self.converged = self.converged, False
        self.begin(head)
        if kind == "clear":
            less = self.assign(f"add {type_} {value}, -1")
            new = self.assign(f"and {type_} {value}, {less}")
        else:
            new = self.assign(f"{kind} {type_} {value}, 1")
        counted = self.assign(f"add i32 {count}, 1")
        summed = self.assign(f"add {type_} {total}, {addend}")
        if stores:
            slot = self.assign(f"and i32 {count}, {SLOTS - 1}")
            place = self.assign(f"getelementptr inbounds i64, ptr %own_l, i32 {slot}", "p")
            wide = self.assign(f"zext i32 {counted} to i64")
            self.emit(f"store i64 {wide}, ptr {place}")
        test = r.choice(("ne {}, 0", "ne {}, 0", "ugt {}, 1")) if kind == "lshr" else "ne {}, 0"
        more = self.assign(f"icmp {test.format(f'{type_} {new}')}")
        ends = (r.choice((new, value)), r.choice((counted, count)), r.choice((summed, total)))
        self.fork(more, (head, (new, counted, summed)), (out, ends))
        self.converged = converged
        self.begin(out)
        self.close(head, out)
        for name, result in zip(out.names, out.types):
            self.scopes[-1].setdefault(result, []).append(self.value(name, result))
