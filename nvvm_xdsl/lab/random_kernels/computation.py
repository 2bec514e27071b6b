"""Random computation: integers, floats, vectors, structs."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.values import (
    FLOATS,
    STRUCT,
    SUFFIX,
    Value,
    Writer,
    bits_of,
    float_text,
    is_integer,
    limits_of,
    vector_parts,
)

BINARY = ("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem")  # fmt: skip
SIGNED = ("slt", "sle", "sgt", "sge")
UNSIGNED = ("ult", "ule", "ugt", "uge")
ORDERED = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")  # fmt: skip
BIT_CASTS = (
    ("i32", "float"), ("float", "i32"), ("double", "i64"), ("i64", "double"), ("i64", "<2 x i32>"),
    ("<2 x i32>", "i64"), ("i32", "<4 x i8>"), ("<4 x i8>", "i32"),
)  # fmt: skip
ODD_WIDTHS = ("i7", "i24", "i48", "i100")


class Computation(Writer):
    """Adds instructions that only compute."""

    # Integers

    def integer(self) -> None:
        """An integer operation."""
        r = self.random
        type_ = r.choice(self.integers)
        others = (
            self._extreme, self._bits, self._select, self._funnel, self._saturating, self._exact,
            self._disjoint, self._overflow, self._freeze,
        )  # fmt: skip
        number = r.randrange(len(BINARY) + len(others))
        if number < len(BINARY):
            self._binary(BINARY[number], type_)
        else:
            others[number - len(BINARY)](type_)

    def _binary(self, op: str, type_: str) -> None:
        a, b = self.operand(type_), self.operand(type_)
        if op in ("add", "sub", "mul"):
            self._sum(op, a, b)
        elif op in ("and", "or", "xor"):
            known = (0, b.high) if op == "and" and b.low >= 0 else (None, None)
            self.result(type_, f"{op} {a.text}, {b.name}", *known)
        elif op in ("shl", "lshr", "ashr"):
            self._shift(op, a)
        else:
            self._division(op, a, b)

    def _flags(self, type_: str, least: int, most: int, unsigned: bool) -> tuple[str, bool]:
        """Valid flags of a result, and whether it does not wrap as a signed number."""
        low, high = limits_of(type_)
        signed = low <= least and most <= high
        unsigned = unsigned and least >= 0 and most <= 2 * high + 1
        flags = " nuw" if unsigned and self.random.random() < 0.6 else ""
        return flags + (" nsw" if signed and self.random.random() < 0.6 else ""), signed

    def _sum(self, op: str, a: Value, b: Value) -> None:
        corners = {
            "add": (a.low + b.low, a.high + b.high),
            "sub": (a.low - b.high, a.high - b.low),
            "mul": tuple(x * y for x in (a.low, a.high) for y in (b.low, b.high)),
        }[op]
        least, most = min(corners), max(corners)
        flags, signed = self._flags(a.type, least, most, a.low >= 0 and b.low >= 0)
        known = (least, most) if signed else (None, None)
        self.result(a.type, f"{op}{flags} {a.text}, {b.name}", *known)

    def _shift(self, op: str, a: Value) -> None:
        r = self.random
        bits = bits_of(a.type)
        if r.random() < 0.5:
            bound = 1 << (bits.bit_length() - 1)
            self.result(a.type, f"{op} {a.text}, {self.masked(bound, a.type).name}")
            return
        amount = r.randrange(bits)
        if op != "shl":
            known = (
                (a.low >> amount, a.high >> amount) if op == "ashr" or a.low >= 0 else (None, None)
            )
            self.result(a.type, f"{op} {a.text}, {amount}", *known)
            return
        least, most = a.low << amount, a.high << amount
        flags, signed = self._flags(a.type, least, most, a.low >= 0)
        self.result(
            a.type, f"shl{flags} {a.text}, {amount}", *((least, most) if signed else (None, None))
        )

    def _division(self, op: str, a: Value, b: Value) -> None:
        r = self.random
        if r.random() < 0.4:
            most = limits_of(a.type)[1]
            number = r.choice([n for n in (1, 2, 3, 5, 7, 8, 10, 100) if n <= most])
            divisor = Value(str(number), a.type, number, number)
        else:
            most = min(limits_of(a.type)[1], 127)
            divisor = self.result(a.type, f"and {b.text}, {most}", 0, most)
            divisor = self.result(a.type, f"or {divisor.text}, 1", 1, most)
        known = (0, divisor.high - 1) if op == "urem" else (None, None)
        self.result(a.type, f"{op} {a.text}, {divisor.name}", *known)

    def _extreme(self, type_: str) -> None:
        a, b = self.operand(type_), self.operand(type_)
        name = f"llvm.{self.random.choice(('smin', 'smax', 'umin', 'umax'))}.{type_}"
        self.call(type_, name, a, b, low=min(a.low, b.low), high=max(a.high, b.high))

    def _bits(self, type_: str) -> None:
        r = self.random
        a = self.operand(type_)
        names = ("ctpop", "ctlz", "cttz", "bitreverse", "abs", "bswap")
        name = r.choice(names[:-1] if bits_of(type_) % 16 else names)
        flag: tuple[Value, ...] = ()
        if name in ("ctlz", "cttz", "abs"):
            # The results may be poison for zero and for the minimum.
            defined = a.low > limits_of(type_)[0] if name == "abs" else a.low > 0
            flag = (Value("true" if defined and r.random() < 0.5 else "false", "i1"),)
        known = (0, bits_of(type_)) if name in ("ctpop", "ctlz", "cttz") else (None, None)
        self.call(type_, f"llvm.{name}.{type_}", a, *flag, low=known[0], high=known[1])

    def _select(self, type_: str) -> None:
        condition, a, b = self.operand("i1"), self.operand(type_), self.operand(type_)
        text = f"select {condition.text}, {a.text}, {b.text}"
        self.result(type_, text, min(a.low, b.low), max(a.high, b.high))

    def _funnel(self, type_: str) -> None:
        operands = [self.operand(type_) for _ in range(3)]
        self.call(type_, f"llvm.{self.random.choice(('fshl', 'fshr'))}.{type_}", *operands)

    def _saturating(self, type_: str) -> None:
        name = f"llvm.{self.random.choice('su')}{self.random.choice(('add', 'sub'))}.sat.{type_}"
        self.call(type_, name, self.operand(type_), self.operand(type_))

    # More often, also for vectors.

    def _integers_of_any_form(self) -> tuple[str, str, int]:
        """A type of integers or of vectors of them, its name in intrinsics, and the width."""
        r = self.random
        vectors = [t for t in self.vectors if is_integer(vector_parts(t)[1])]
        if r.random() < 0.3:
            type_ = r.choice(vectors)
            count, element = vector_parts(type_)
            return type_, f"v{count}{element}", bits_of(element)
        type_ = r.choice(self.integers)
        return type_, type_, bits_of(type_)

    def funnel_shift(self) -> None:
        """A funnel shift or rotate, by a constant or by any number."""
        r = self.random
        type_, suffix, bits = self._integers_of_any_form()
        first = self.operand(type_)
        second = first if r.random() < 0.4 else self.operand(type_)
        amount = self.operand(type_)
        if type_ == suffix and r.random() < 0.4:
            number = min(r.choice((0, 1, bits - 1, bits // 2)), limits_of(type_)[1])
            amount = Value(str(number), type_, number, number)
        self.call(type_, f"llvm.{r.choice(('fshl', 'fshr'))}.{suffix}", first, second, amount)

    def saturating(self) -> None:
        """A saturating addition, subtraction or shift, or a three-way comparison."""
        r = self.random
        type_, suffix, bits = self._integers_of_any_form()
        op = r.choice(
            ("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "sshl.sat", "ushl.sat", "cmp")
        )
        if op == "cmp":
            a, b = self.operand("i64"), self.operand("i64")
            self.call("i32", f"llvm.{r.choice(('scmp', 'ucmp'))}.i32.i64", a, b, low=-1, high=1)
            return
        amount = self.operand(type_)
        if "shl" in op:
            if type_ != suffix:
                return
            amount = self.masked(1 << (bits.bit_length() - 1), type_)
        self.call(type_, f"llvm.{op}.{suffix}", self.operand(type_), amount)

    def overflow(self) -> None:
        """An addition, subtraction or multiplication with an overflow bit."""
        self._overflow(self.random.choice(self.integers))

    def _overflow(self, type_: str) -> None:
        a, b = self.operand(type_), self.operand(type_)
        both = f"{{ {type_}, i1 }}"
        # Checked products of more than 64 bits are a statement of their own.
        ops = ("add", "sub", "mul") if bits_of(type_) <= 64 else ("add", "sub")
        op = f"{self.random.choice('su')}{self.random.choice(ops)}"
        name = f"llvm.{op}.with.overflow.{type_}"
        self.declare(both, name, type_, type_)
        pair = self.assign(f"call {both} @{name}({a.text}, {b.text})")
        self.result(type_, f"extractvalue {both} {pair}, 0")
        self.result("i1", f"extractvalue {both} {pair}, 1")

    def _exact(self, type_: str) -> None:
        """An exact division or right shift."""
        r = self.random
        most = limits_of(type_)[1]
        if most < 70 or r.random() < 0.5:
            amount = r.randint(1, bits_of(type_) // 2)
            whole = self.result(type_, f"and {self.operand(type_).text}, {-(1 << amount)}")
            op = r.choice(("lshr", "ashr", "udiv", "sdiv"))
            # An unsigned divisor may be the signed minimum, a signed one may not.
            op = "lshr" if op == "sdiv" and 1 << amount > most else op
            by = amount if op in ("lshr", "ashr") else 1 << amount
            self.result(type_, f"{op} exact {whole.text}, {by}")
            return
        by = r.choice((3, 5, 6, 7, 10))
        factor = self.masked(8, type_)
        whole = self.result(type_, f"mul nuw nsw {factor.text}, {by}", 0, 7 * by)
        self.result(type_, f"{r.choice('us')}div exact {whole.text}, {by}", 0, 7)

    def _disjoint(self, type_: str) -> None:
        """An `or` of numbers without common bits."""
        low, high = limits_of(type_)
        mask = self.random.choice([m for m in (1, 15, 0x55, high, low, -16) if low <= m <= high])
        a = self.result(type_, f"and {self.operand(type_).text}, {mask}")
        b = self.result(type_, f"and {self.operand(type_).text}, {~mask}")
        self.result(type_, f"or disjoint {a.text}, {b.name}")

    def _freeze(self, type_: str) -> None:
        a = self.operand(type_)
        self.result(type_, f"freeze {a.text}", a.low, a.high)

    def wide(self) -> None:
        """Arithmetic on 128 bits or on an unusual width, and conversion back."""
        r = self.random
        if r.random() < 0.5:
            self._odd()
            return
        parts = [
            self.assign(f"{r.choice(('sext', 'zext'))} {self.operand('i64').text} to i128")
            for _ in range(2)
        ]
        op = r.choice(("add", "sub", "mul", "and", "or", "xor"))
        total = self.assign(f"{op} i128 {parts[0]}, {parts[1]}")
        shifted = self.assign(f"{r.choice(('lshr', 'ashr'))} i128 {total}, {r.randrange(128)}")
        self.result("i64", f"trunc i128 {shifted} to i64")

    def _odd(self) -> None:
        r = self.random
        type_ = r.choice(ODD_WIDTHS)
        parts: list[str] = []
        for _ in range(2):
            source = self.operand(r.choice(("i32", "i64")))
            narrows = bits_of(type_) < bits_of(source.type)
            op = "trunc" if narrows else r.choice(("sext", "zext"))
            parts.append(self.assign(f"{op} {source.text} to {type_}"))
        op = r.choice(("add", "sub", "mul", "and", "or", "xor"))
        total = self.assign(f"{op} {type_} {parts[0]}, {parts[1]}")
        if r.random() < 0.5:
            self.result("i1", f"icmp {r.choice(SIGNED + UNSIGNED)} {type_} {total}, {parts[0]}")
        op = "trunc" if bits_of(type_) > 64 else r.choice(("sext", "zext"))
        self.result("i64", f"{op} {type_} {total} to i64")

    # Floats

    def floating(self) -> None:
        """A floating-point operation."""
        r = self.random
        type_ = r.choice(FLOATS)
        suffix = SUFFIX[type_]
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(("fadd", "fsub", "fmul", "fdiv", "fneg", "fma", "minmax", "unary", "select"))
        if op in ("fadd", "fsub", "fmul", "fdiv"):
            self.result(type_, f"{op} {a.text}, {b.name}")
        elif op == "fneg":
            self.result(type_, f"fneg {a.text}")
        elif op == "fma":
            self.call(type_, f"llvm.fma.{suffix}", a, b, self.operand(type_))
        elif op == "minmax":
            self.call(type_, f"llvm.{r.choice(('minnum', 'maxnum'))}.{suffix}", a, b)
        elif op == "unary":
            names = ("fabs", "floor", "ceil", "trunc", "rint", "sqrt")
            root = type_ in ("float", "double")
            self.call(type_, f"llvm.{r.choice(names if root else names[:-1])}.{suffix}", a)
        else:
            self.result(type_, f"select {self.operand('i1').text}, {a.text}, {b.text}")

    # Truth values

    def compare(self) -> None:
        """A comparison."""
        r = self.random
        if r.random() < 0.3:
            type_ = r.choice(FLOATS)
            a, b = self.operand(type_), self.operand(type_)
            self.result("i1", f"fcmp {r.choice(ORDERED)} {a.text}, {b.name}")
            return
        type_ = r.choice(self.integers)
        a, b = self.operand(type_), self.operand(type_)
        predicate = r.choice(("eq", "ne", *SIGNED, *UNSIGNED))
        same = a.low >= 0 and b.low >= 0 and predicate not in ("eq", "ne") and r.random() < 0.5
        self.result("i1", f"icmp {'samesign ' if same else ''}{predicate} {a.text}, {b.name}")

    def logic(self) -> None:
        """An operation on truth values."""
        a, b = self.operand("i1"), self.operand("i1")
        if self.random.random() < 0.5:
            self.result("i1", f"{self.random.choice(('and', 'or', 'xor'))} {a.text}, {b.name}")
        else:
            self.result("i1", f"select {a.text}, {b.text}, {self.operand('i1').text}")

    def condition(self) -> Value:
        """The condition of a branch: a truth value, or a select from several."""
        self.asked = ()
        return self.operand("i1") if self.random.random() < 0.7 else self.chosen_condition()

    def chosen_condition(self) -> Value:
        """A condition computed by a select from several; these are added to `asked`."""
        a, b = self._undecided(), self._undecided()
        arms = (
            f"{b.text}, i1 false", f"i1 true, {b.text}", f"i1 false, {b.text}", f"{b.text}, i1 true",
            f"{b.text}, {self.operand('i1').text}",
        )  # fmt: skip
        self.asked = (a, b)
        return self.result("i1", f"select {a.text}, {self.random.choice(arms)}")

    def _undecided(self) -> Value:
        """A comparison with both outcomes possible."""
        r = self.random
        if self.in_kernel and r.random() < 0.5:
            shifted = self.assign(f"lshr i32 %tid, {r.randrange(5)}")
            value = self.result("i32", f"and i32 {shifted}, 3", 0, 3)
        else:
            value = self.masked(4)
        predicate = r.choice(("ult", "uge", "slt", "eq", "ne"))
        return self.result("i1", f"icmp {predicate} {value.text}, {r.randint(1, 3)}")

    def assume(self) -> None:
        """A fact about an integer that its interval proves."""
        type_ = self.random.choice(self.integers)
        value = self.operand(type_)
        predicate, bound = self.random.choice((("sge", value.low), ("sle", value.high)))
        fact = self.assign(f"icmp {predicate} {value.text}, {bound}")
        self.declare("void", "llvm.assume", "i1")
        self.emit(f"call void @llvm.assume(i1 {fact})")

    # Vectors and structs

    def vector(self) -> None:
        """An operation on vectors."""
        r = self.random
        type_ = r.choice(self.vectors)
        count, element = vector_parts(type_)
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(("arithmetic", "arithmetic", "shuffle", "extract", "insert", "compare"))
        if op == "arithmetic":
            integers = ("add", "sub", "mul", "and", "or", "xor")
            names = integers if element[0] == "i" else ("fadd", "fsub", "fmul")
            self.result(type_, f"{r.choice(names)} {a.text}, {b.name}")
        elif op == "shuffle":
            picks = ", ".join(f"i32 {r.randrange(2 * count)}" for _ in range(count))
            self.result(type_, f"shufflevector {a.text}, {b.text}, <{count} x i32> <{picks}>")
        elif op == "compare":
            kind = "icmp slt" if element[0] == "i" else "fcmp olt"
            chosen = self.assign(f"{kind} {a.text}, {b.name}")
            self.result(type_, f"select <{count} x i1> {chosen}, {a.text}, {b.text}")
        else:
            part = self.operand(element)
            index = self.masked(count).text if r.random() < 0.4 else f"i32 {r.randrange(count)}"
            if op == "extract":
                self.result(element, f"extractelement {a.text}, {index}")
            else:
                self.result(type_, f"insertelement {a.text}, {part.text}, {index}")

    def structure(self) -> None:
        """Values in and out of a struct."""
        r = self.random
        whole = self.operand(STRUCT)
        if r.random() < 0.5:
            place, type_ = r.choice((("0", "i32"), ("1, 0", "float"), ("1, 1", "float")))
            part = self.operand(type_)
            whole = self.result(STRUCT, f"insertvalue {whole.text}, {part.text}, {place}")
        self.result("i32", f"extractvalue {whole.text}, 0")
        self.result("float", f"extractvalue {whole.text}, 1, {r.randrange(2)}")

    def bit_cast(self) -> None:
        """Bits of a number as another type; as a float only if it is not NaN."""
        source, target = self.random.choice(BIT_CASTS)
        value = self.operand(source)
        if source in FLOATS:
            name = self.assign(f"fcmp ord {value.text}, {value.name}")
            one = float_text(1.0, source)
            value = self.result(source, f"select i1 {name}, {value.text}, {source} {one}")
        self.result(target, f"bitcast {value.text} to {target}")
