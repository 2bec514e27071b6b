"""Random loops with unusual counters: several latches, counters that wrap, and huge trip counts."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.graphs import Graphs
from nvvm_xdsl.lab.random_kernels.values import Value, bits_of, limits_of

MOST_TRIPS = 8
MOST_EMPTY_TRIPS = 300
"""Maximum number of iterations of a loop with almost no body."""

HUGE = (1 << 20, 588754944, (1 << 31) - 1, (1 << 32) - 1, (1 << 33) + 5, (1 << 63) - 1)

PREDICATES = ("ne", "ult", "slt", "ugt", "sgt", "ule", "sge")


def goes_on(predicate: str, a: int, b: int, bits: int) -> bool:
    """Returns True if a comparison of two integers of a width holds."""
    mask = (1 << bits) - 1
    if predicate[0] == "s":
        sign = 1 << (bits - 1)
        a, b = a ^ sign, b ^ sign
    a, b = a & mask, b & mask
    kind = predicate if predicate == "ne" else predicate[1:]
    return {"ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[kind]


def trip_count(start: int, step: int, predicate: str, bound: int, bits: int, most: int) -> int:
    """Iterations of a loop that tests its counter after each step; 0 for more than `most`."""
    counter = start
    for trips in range(1, most + 1):
        counter += step
        if not goes_on(predicate, counter, bound, bits):
            return trips
    return 0


class Counters(Graphs):
    """Adds loops with unusual counters as statements."""

    def several_latches(self) -> None:
        """A loop with several latches, each with its own step."""
        r = self.random
        head = self.node("head", "i32", "i32")
        out = self.node("out", "i32", "i32")
        counter, total = head.names
        start = self.masked(4).name if r.random() < 0.5 else "0"
        self.jump(head, start, self.operand("i32").name)
        converged, self.converged = self.converged, False
        self.begin(head)
        limit = str(r.randint(3, 9))
        more = self.assign(f"icmp {r.choice(('ult', 'slt'))} i32 {counter}, {limit}")
        arms = [self.node("latch") for _ in range(r.choice((2, 2, 3)))]
        body = self.node("body")
        self.fork(more, (body, ()), (out, (total, counter)))
        self.begin(body)
        with self.scope():
            self.scopes[-1]["i32"] = [Value(counter, "i32", 0, 9), self.value(total, "i32")]
            if r.random() < 0.5:
                self.statement()
            if len(arms) == 2:
                self.fork(self.condition().name, (arms[0], ()), (arms[1], ()))
            else:
                value = self.masked(4).name
                numbers = r.sample(range(4), 2)
                self.dispatch(value, (arms[2], ()), dict(zip(numbers, ((a, ()) for a in arms))))
            for arm in arms:
                self.begin(arm)
                with self.scope():
                    op = r.choice(("add", "xor", "mul", "sub"))
                    new = self.assign(f"{op} i32 {total}, {self.operand('i32').name}")
                    following = self.assign(f"add i32 {counter}, {r.randint(1, 3)}")
                    if r.random() < 0.3:
                        leave = self.assign(f"icmp eq i32 {new}, {r.randint(-2, 9)}")
                        self.fork(leave, (out, (new, following)), (head, (following, new)))
                    else:
                        self.jump(head, following, new)
        self.converged = converged
        self.begin(out)
        self.close(head, body, out, *arms)
        for name in out.names:
            self.scopes[-1].setdefault("i32", []).append(self.value(name, "i32"))

    def wrapping_counter(self) -> None:
        """A loop with a narrow or a wide counter, which may wrap on its way to the bound."""
        r = self.random
        type_ = r.choice(("i8", "i8", "i16", "i64", "i64", f"i{r.randint(2, 65)}"))
        bits = bits_of(type_)
        empty = r.random() < 0.3
        most = MOST_EMPTY_TRIPS if empty else MOST_TRIPS
        start, step, predicate, bound, trips = self._counted(type_, most)
        head = self.node("head", type_, "i64")
        out = self.node("out", type_, "i64")
        counter, total = head.names
        self.jump(head, str(start), self.operand("i64").name)
        self.begin(head)
        new = total
        if not empty:
            number = counter
            if type_ != "i64":
                op = "trunc" if bits > 64 else r.choice(("sext", "zext"))
                number = self.assign(f"{op} {type_} {counter} to i64")
            new = self.assign(f"{r.choice(('add', 'xor', 'sub'))} i64 {total}, {number}")
            new = self.assign(f"mul i64 {new}, {r.choice((1, 3, -5))}")
        flags = self._no_wrap(start, step, trips, bits)
        following = self.assign(f"add{flags} {type_} {counter}, {step}")
        more = self.assign(f"icmp {predicate} {type_} {following}, {bound}")
        last = r.choice((counter, following))
        self.fork(more, (head, (following, new)), (out, (last, new)))
        self.begin(out)
        self.close(head, out)
        for name, result in zip(out.names, (type_, "i64")):
            self.scopes[-1].setdefault(result, []).append(self.value(name, result))
        if type_ not in self.integers:
            op = "trunc" if bits > 64 else "zext"
            self.result("i64", f"{op} {type_} {out.names[0]} to i64")

    def _counted(self, type_: str, most: int) -> tuple[int, int, str, int, int]:
        """A start, a step, a predicate and a bound with few iterations, and the number of
        iterations."""
        r = self.random
        bits = bits_of(type_)
        low, high = limits_of(type_)
        while True:
            start = self.constant(type_).low
            step = r.choice([n for n in (1, 1, -1, 2, 3, -7, 64) if low <= n <= high])
            wanted = r.choice((1, 2, 3, r.randint(1, most), r.randint(1, most)))
            bound = (start + step * wanted - low) % (1 << bits) + low
            predicate = r.choice(PREDICATES)
            trips = trip_count(start, step, predicate, bound, bits, most)
            if trips:
                return start, step, predicate, bound, trips

    def _no_wrap(self, start: int, step: int, trips: int, bits: int) -> str:
        """Flags of the addition that hold in each iteration."""
        mask, sign = (1 << bits) - 1, 1 << (bits - 1)
        values = [start + step * n for n in range(trips)]
        signed = [((v & mask) ^ sign) - sign + step for v in values]
        unsigned = [(v & mask) + (step & mask) for v in values]
        flags = ""
        if max(unsigned) <= mask and self.random.random() < 0.6:
            flags += " nuw"
        if -sign <= min(signed) and max(signed) < sign and self.random.random() < 0.6:
            flags += " nsw"
        return flags

    def huge_count(self) -> None:
        """A loop without a body and with a huge constant trip count, whose result is used.

        The loop is guarded by a condition that is never true, since it would run for too long.
        """
        r = self.random
        type_ = r.choice(("i32", "i32", "i64"))
        bits = bits_of(type_)
        step = r.choice((1, 1, 1, 2, 3, -1))
        trips = r.choice([n for n in HUGE if n * abs(step) < 1 << bits] or [1 << 20])
        start = r.choice((0, 0, 1, 7))
        bound = start + step * trips
        predicate = r.choice(("ne", "ne", "ult") if step > 0 else ("ne",))
        skipped, never = self.operand(type_).name, self.opaque()
        sums = r.random() < 0.3
        before, head, out = (
            self.node("before"),
            self.node("head", type_, type_),
            self.node("out", type_),
        )
        counter, total = head.names
        self.fork(never.name, (before, ()), (out, (skipped,)))
        self.begin(before)
        self.jump(head, str(start), skipped)
        self.begin(head)
        new = (
            self.assign(f"{r.choice(('add', 'xor'))} {type_} {total}, {r.randint(1, 9)}")
            if sums
            else total
        )
        following = self.assign(f"add {type_} {counter}, {step}")
        more = self.assign(f"icmp {predicate} {type_} {following}, {bound}")
        result = r.choice((following, counter, new))
        self.fork(more, (head, (following, new)), (out, (result,)))
        self.begin(out)
        self.close(before, head, out)
        self.scopes[-1].setdefault(type_, []).append(self.value(out.names[0], type_))
