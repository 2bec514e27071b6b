"""Random branches with similar arms: stores, casts, and switches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nvvm_xdsl.lab.random_kernels.control_statements import Control
from nvvm_xdsl.lab.random_kernels.edges import EDGE
from nvvm_xdsl.lab.random_kernels.memory_statements import SLOTS
from nvvm_xdsl.lab.random_kernels.values import INPUTS, Value, bits_of, limits_of

Arm = Callable[[], Value]
"""Generates a block and returns the value to join."""

INPUT_OF = {"i32": "%in_i", "float": "%in_f", "i64": "%in_l", "double": "%in_d", "half": "%in_h"}

CASTS = {
    "i32": ("sext i8", "sext i16", "zext i8", "zext i16", "trunc i64", "sext i1", "zext i1"),
    "i64": ("sext i8", "sext i16", "sext i32", "zext i8", "zext i16", "zext i32", "zext i1"),
    "i16": ("sext i8", "zext i8", "trunc i32", "trunc i64", "zext i1"),
    "i8": ("trunc i16", "trunc i32", "trunc i64", "zext i1"),
    "float": ("sitofp i8", "sitofp i16", "sitofp i32", "sitofp i64", "uitofp i8", "uitofp i16", "uitofp i64", "fpext half", "fpext bfloat", "fptrunc double"),
    "double": ("sitofp i8", "sitofp i32", "sitofp i64", "uitofp i16", "uitofp i32", "fpext half", "fpext float"),
    "i1": ("icmp slt i8", "icmp slt i16", "icmp slt i32", "icmp slt i64", "icmp ult i8", "icmp ult i64", "fcmp olt float", "fcmp olt double"),
}  # fmt: skip
"""For each result the operations with their operand types; comparisons have two."""

SWITCH_WIDTHS = (
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    12,
    13,
    16,
    17,
    24,
    25,
    31,
    32,
    33,
    40,
    47,
    48,
    63,
    64,
    65,
    100,
    128,
)


class Joins(Control):
    """Adds such branches."""

    shares_edges = False
    """Whether edges of one branch into one block keep separate values."""

    # Branches

    def edge(self, target: str) -> str:
        """A block that only branches to the target: one edge with separate values."""
        name = self.fresh(EDGE if self.shares_edges else "forward")
        self.lines += [f"{name}:", f"  br label %{target}"]
        return name

    def opaque(self) -> Value:
        """A condition that is never true, which no pass can prove."""
        return Value(self.assign("icmp sgt i32 %n, 1000"), "i1")

    def joined(
        self, condition: Value, arms: Sequence[Arm | None]
    ) -> list[tuple[str, Value | None]]:
        """A branch to arms that join; returns the source block and value of each.

        An arm that is None is a direct edge to the join. The join is the current block afterwards.
        """
        join = self.fresh("join")
        here = self.block
        labels = [self.fresh("arm") if arm else join for arm in arms]
        self.emit(f"br {condition.text}, label %{labels[0]}, label %{labels[1]}")
        converged, self.converged = self.converged, False
        ends: list[tuple[str, Value | None]] = []
        for label, arm in zip(labels, arms):
            if arm is None:
                ends.append((here, None))
                continue
            self.label(label)
            with self.scope():
                value = arm()
            ends.append((self.block, value))
            self.emit(f"br label %{join}")
        self.converged = converged
        self.label(join)
        return ends

    def joined_value(self, condition: Value, arms: Sequence[Arm]) -> Value:
        """The PHI of the values of a branch's arms."""
        ends = self.joined(condition, arms)
        values = [value for _, value in ends if value is not None]
        inputs = ", ".join(f"[ {v.name}, %{block} ]" for (block, _), v in zip(ends, values))
        type_ = values[0].type
        return self.result(type_, f"phi {type_} {inputs}")

    # Stores

    def own_place(self, type_: str) -> str:
        """The address of a thread-private, initialized element."""
        r = self.random
        if self.in_kernel and r.random() < 0.7:
            base = {"float": "%own_f", "double": "%own_d"}.get(type_, "%own_l")
            return self.assign(
                f"getelementptr inbounds {type_}, ptr {base}, i64 {r.randrange(SLOTS)}", "p"
            )
        name = f"%{self.fresh('place')}"
        self.allocas.append(f"  {name} = alloca {type_}, align 8")
        self.emit(f"store {self.constant(type_).text}, ptr {name}")
        return name

    def repeated_stores(self) -> None:
        """Stores of few values to one or two addresses, in blocks before, in and after a branch."""
        r = self.random
        type_ = r.choice(("i32", "i32", "i64", "float"))
        places = [self.own_place(type_) for _ in range(r.choice((1, 1, 2)))]
        values = [self.constant(type_)]
        if r.random() < 0.5:
            values.append(self.operand(type_))

        def some(least: int, most: int) -> Arm:
            def write() -> Value:
                self._accesses(type_, places, list(values), r.randint(least, most))
                return values[0]

            return write

        looping = r.random() < 0.3
        head, counter = self.fresh("head"), f"%{self.fresh()}"
        following, entry = f"%{self.fresh()}", self.block
        if looping:
            self.emit(f"br label %{head}")
            self.label(head)
        at = len(self.lines)
        with self.scope():
            some(0, 2)()
            self.joined(self._divided(), r.choice(([some(1, 4), None], [some(1, 4), some(1, 3)])))
            some(1, 2)()
        if looping:
            latch, done = self.block, self.fresh("done")
            self.lines.insert(
                at, f"  {counter} = phi i32 [ 0, %{entry} ], [ {following}, %{latch} ]"
            )
            self.emit(f"{following} = add i32 {counter}, 1")
            more = self.assign(f"icmp ult i32 {following}, {r.randint(1, 3)}")
            self.emit(f"br i1 {more}, label %{head}, label %{done}")
            self.label(done)
        for place in places:
            self.result(type_, f"load {type_}, ptr {place}")

    def _accesses(self, type_: str, places: list[str], values: list[Value], count: int) -> None:
        r = self.random
        for number in range(count):
            # Hoisting requires a store at the start of a block; the first value is the most
            # frequent.
            kind = r.random() if number else r.random() * 0.7
            if kind < 0.6:
                value = values[0] if r.random() < 0.5 else r.choice(values)
                self.emit(f"store {value.text}, ptr {r.choice(places)}")
            elif kind < 0.7 or not self.in_kernel:
                values.append(self.result(type_, f"load {type_}, ptr {r.choice(places)}"))
            else:
                values.append(self.loaded(type_))

    def loaded(self, type_: str) -> Value:
        """An element of the input of that type."""
        place = self.element(INPUT_OF[type_], type_, self.masked(INPUTS))
        return self.result(type_, f"load {type_}, ptr {place}")

    def _divided(self) -> Value:
        """A condition on the kernel's argument or the thread index."""
        r = self.random
        if self.in_kernel and r.random() < 0.5:
            bound = r.randint(-60, 60)
            return self.result("i1", f"icmp {r.choice(('sgt', 'slt', 'ne'))} i32 %n, {bound}")
        return self.operand("i1")

    # Casts

    def joined_casts(self) -> None:
        """An operation on operands of different types, or a word of bytes, in both arms of a branch."""
        r = self.random
        kind = r.random()
        if self.in_kernel and kind < 0.15:
            self._joined_narrow_stores()
            return
        if kind >= 0.85:
            self._joined_words()
            return
        to = r.choice(tuple(CASTS))
        first = r.choice(CASTS[to])
        same = [c for c in CASTS[to] if c.rsplit(" ", 1)[0] == first.rsplit(" ", 1)[0]]
        second = r.choice(same if r.random() < 0.8 else CASTS[to])
        self.joined_value(self._divided(), [self._cast(text, to) for text in (first, second)])

    def _cast(self, text: str, to: str) -> Arm:
        op, source = text.rsplit(" ", 1)
        outside = self._varying(source) if self.random.random() < 0.5 else None

        def write() -> Value:
            if self.in_kernel and self.random.random() < 0.5:
                slot = self.random.randrange(SLOTS)
                self.store_own("%own_l", "i64", self.constant("i64"), slot)
            value = outside or self._varying(source)
            if "cmp" in op:
                return self.result(to, f"{op} {value.text}, {self.operand(source).name}")
            return self.result(to, f"{op} {value.text} to {to}")

        return write

    def _varying(self, type_: str) -> Value:
        """A value of a type that is not a constant for passes, if there is one."""
        if self.in_kernel and type_ in INPUT_OF and self.random.random() < 0.7:
            return self.loaded(type_)
        if self.in_kernel and type_ in ("i8", "i16") and self.random.random() < 0.7:
            place = self.element("%in_l", type_, self.masked(INPUTS))
            return self.result(type_, f"load {type_}, ptr {place}")
        known = [v for v in self.known(type_) if v.name[0] == "%"]
        return self.random.choice(known) if known else self.operand(type_)

    def _joined_narrow_stores(self) -> None:
        """Stores of different types to one address in both arms of a branch."""
        slot = self.random.randrange(8 * SLOTS - 8)
        place = self.assign(f"getelementptr inbounds i8, ptr %own_l, i64 {slot}", "p")

        def storing(type_: str) -> Arm:
            value = self._varying(type_)

            def write() -> Value:
                self.emit(f"store {value.text}, ptr {place}, align 1")
                return value

            return write

        self.joined(
            self._divided(),
            [storing(t) for t in self.random.sample(("i8", "i16", "i32", "i64"), 2)],
        )

    # Bytes

    def _joined_words(self) -> None:
        """Words of bytes of others before a branch and in both arms; one of the others is a sum of
        products of bytes."""
        r = self.random
        words = [self._varying("i32").name for _ in "12"]
        total = self.operand("i32").name
        for lane in range(4):
            a, b = (self._byte(word, lane, "ashr") for word in words)
            product = self.assign(f"mul i32 {a}, {b}")
            total = self.assign(f"add i32 {total}, {product}")
        words += (total, self.assign(f"lshr i32 {total}, {8 * r.randint(1, 2)}"))
        self._word(words)
        self.joined_value(self._divided(), [lambda: self._word(words) for _ in "12"])

    def _word(self, words: Sequence[str]) -> Value:
        """A word of four bytes of other words."""
        r = self.random
        whole, *others = (self._byte(r.choice(words), r.randrange(4), "lshr") for _ in range(4))
        for place, byte in enumerate(others, 1):
            moved = self.assign(f"shl i32 {byte}, {8 * place}")
            whole = self.assign(f"or i32 {whole}, {moved}")
        word = self.value(whole, "i32")
        self.scopes[-1].setdefault("i32", []).append(word)
        return word

    def _byte(self, word: str, lane: int, shift: str) -> str:
        """A byte of a word, extended by a right shift."""
        high = self.assign(f"shl i32 {word}, {24 - 8 * lane}")
        return self.assign(f"{shift} i32 {high}, 24")

    # Switches

    def any_switch(self) -> None:
        """A switch of any width, on a constant that passes can compute or on a few numbers."""
        r = self.random
        if r.random() < 0.25:
            self.comparison_chain()
            return
        type_ = f"i{r.choice(SWITCH_WIDTHS)}"
        count = r.randint(1, 5)
        value, likely = self._switched(type_)
        low, high = limits_of(type_)
        numbers = list(dict.fromkeys(r.sample(likely, min(len(likely), r.randint(1, 4)))))
        while len(numbers) < count and len(numbers) <= high - low:
            number = self.constant(type_).low
            if number not in numbers:
                numbers.append(number)
        join = self.fresh("join")
        default = self.fresh("case")
        labels = [self.fresh("case") for _ in range(r.randint(1, len(numbers)))]
        result = r.choice(("i32", "i64"))
        arrivals: list[tuple[Value, str]] = []
        at, self.lines = self.lines, []
        cases: list[str] = []
        for place, number in enumerate(numbers):
            label = labels[place] if place < len(labels) else r.choice((*labels, ""))
            if not label:
                label = self.edge(join)
                arrivals.append((self.constant(result), label))
            cases.append(f"{type_} {number}, label %{label}")
        edges, self.lines = self.lines, at
        self.emit(f"switch {value.text}, label %{default} [ {' '.join(cases)} ]")
        self.lines += edges
        converged, self.converged = self.converged, False
        for label in (default, *labels):
            self.label(label)
            with self.scope():
                if r.random() < 0.4:
                    self.statement()
                arrivals.append((self.operand(result), self.block))
                self.emit(f"br label %{join}")
        self.converged = converged
        self.label(join)
        inputs = ", ".join(f"[ {value.name}, %{block} ]" for value, block in arrivals)
        self.result(result, f"phi {result} {inputs}")

    def comparison_chain(self) -> None:
        """Comparisons of one value with constants, whose edges pass conditions to one block."""
        r = self.random
        value = self.assign(f"and i32 {self._varying('i32').name}, 7")
        join = self.fresh("join")
        known = self.operand("i1")
        inputs: list[str] = []
        for number in r.sample(range(8), r.randint(3, 5)):
            same = self.assign(f"icmp eq i32 {value}, {number}")
            following = self.fresh("test")
            passed = r.choice((same, known.name, "true", "false"))
            inputs.append(f"[ {passed}, %{self.block} ]")
            self.emit(f"br i1 {same}, label %{join}, label %{following}")
            self.label(following)
        inputs.append(f"[ {known.name}, %{self.block} ]")
        self.emit(f"br label %{join}")
        self.label(join)
        self.result("i1", f"phi i1 {', '.join(inputs)}")

    def _switched(self, type_: str) -> tuple[Value, list[int]]:
        """The operand of a switch, and its possible values."""
        r = self.random
        low, high = limits_of(type_)
        first, second = (self.constant(type_) for _ in range(2))
        if r.random() < 0.3:
            first = Value(str(low), type_, low, low)
        kind = r.choice(("constant", "sum", "phi", "select", "few", "few"))
        if kind == "constant":
            return first, [first.low]
        if kind == "sum":
            op = r.choice(("add", "sub", "xor"))
            name = self.assign(f"{op} {first.text}, {second.name}")
            total = {"add": first.low + second.low, "sub": first.low - second.low}
            number = total.get(op, first.low ^ second.low)
            number = (number - low) % (high - low + 1) + low
            return Value(name, type_), [number]
        if kind == "phi":
            other = first if r.random() < 0.5 else second
            value = self.joined_value(self._divided(), [lambda: first, lambda: other])
            return value, list(dict.fromkeys((first.low, other.low)))
        if kind == "select":
            name = self.assign(f"select {self.operand('i1').text}, {first.text}, {second.text}")
            return Value(name, type_), list(dict.fromkeys((first.low, second.low)))
        # Some low bits of a number, sign-extended: as many negative numbers as others.
        source = self.operand("i32")
        bits = min(bits_of(type_), 3)
        number = self.assign(f"shl i32 {source.name}, {32 - bits}")
        number = self.assign(f"ashr i32 {number}, {32 - bits}")
        if bits_of(type_) != 32:
            op = "trunc" if bits_of(type_) < 32 else "sext"
            number = self.assign(f"{op} i32 {number} to {type_}")
        return Value(number, type_), list(range(-(1 << (bits - 1)), 1 << (bits - 1)))
