"""Random memory accesses in unusual forms: atomics, overlapping copies, type punning, address
spaces."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.counters import Counters
from nvvm_xdsl.lab.random_kernels.memory_statements import BLOCK, SLOTS
from nvvm_xdsl.lab.random_kernels.values import INPUTS, SPAN, Value, bits_of, float_text

SCOPES = (
    "",
    "",
    ' syncscope("block")',
    ' syncscope("device")',
    ' syncscope("cluster")',
    ' syncscope("singlethread")',
)
ORDERINGS = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
FAILURES = ("monotonic", "acquire", "seq_cst")
ATOMIC_INTEGERS = ("i8", "i16", "i32", "i32", "i64", "i64", "i128")
INTEGER_OPERATIONS = ("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")  # fmt: skip
FLOAT_OPERATIONS = ("fadd", "fsub", "fmax", "fmin", "xchg")

OWN = f"@own_shared = internal addrspace(3) global [{BLOCK} x i128] undef, align 16"
"""Shared memory of which each thread uses only its own element."""

DYNAMIC_BYTES = 8 * BLOCK
"""The size of dynamic shared memory: an i64 for each thread."""

DYNAMIC = ("dynamic_i", "dynamic_l")
"""The arrays of dynamic shared memory, which start at the same address."""

PUNNED = (
    "i8",
    "i16",
    "i32",
    "i64",
    "<2 x i16>",
    "<4 x i8>",
    "<2 x i32>",
    "<8 x i8>",
    "float",
    "double",
)


class Accesses(Counters):
    """Adds unusual memory accesses as statements."""

    # Atomics

    def any_atomic(self) -> None:
        """An atomic operation of any width, ordering and scope on thread-private memory."""
        r = self.random
        kind = r.choice(
            ("integer", "integer", "integer", "float", "exchange", "exchange", "access", "fence")
        )
        scope = r.choice(SCOPES)
        if kind == "fence":
            self.emit(f"fence{scope} {r.choice(ORDERINGS[1:])}")
            return
        if kind == "float":
            self._float_atomic(scope)
            return
        type_ = r.choice(ATOMIC_INTEGERS)
        if kind == "access" and type_ == "i128":
            type_ = "i64"
        size = bits_of(type_) // 8
        place = self._atomic_place(size)
        value = self._atomic_operand(type_)
        if kind == "integer":
            volatile = " volatile" if r.random() < 0.1 else ""
            op = r.choice(INTEGER_OPERATIONS[:11] if size == 16 else INTEGER_OPERATIONS)
            self._atomic_result(
                type_,
                f"atomicrmw{volatile} {op} {place}, {value.text}{scope} {r.choice(ORDERINGS)}",
            )
        elif kind == "exchange":
            expected = self._atomic_operand(type_)
            if r.random() < 0.6:
                # Then the comparison of the exchange succeeds.
                self.emit(f"store {expected.text}, {place}, align {size}")
            orders = f"{r.choice(ORDERINGS)} {r.choice(FAILURES)}"
            weak = " weak" if r.random() < 0.2 else ""
            pair = f"{{ {type_}, i1 }}"
            found = self.assign(
                f"cmpxchg{weak} {place}, {expected.text}, {value.text}{scope} {orders}"
            )
            self._atomic_result(type_, f"extractvalue {pair} {found}, 0")
            # A weak exchange may fail.
            if not weak:
                self.result("i1", f"extractvalue {pair} {found}, 1")
        elif r.random() < 0.5:
            order = r.choice(("unordered", "monotonic", "acquire", "seq_cst"))
            self._atomic_result(type_, f"load atomic {type_}, {place}{scope} {order}, align {size}")
        else:
            order = r.choice(("unordered", "monotonic", "release", "seq_cst"))
            self.emit(f"store atomic {value.text}, {place}{scope} {order}, align {size}")

    def _atomic_operand(self, type_: str) -> Value:
        if type_ in self.integers:
            return self.operand(type_)
        if type_ == "i128":
            low = self.operand("i64")
            return Value(self.assign(f"sext {low.text} to i128"), type_)
        return self.constant(type_)

    def _atomic_result(self, type_: str, text: str) -> None:
        if type_ in self.integers:
            self.result(type_, text)
        else:
            self.result("i64", f"trunc {type_} {self.assign(text)} to i64")

    def _atomic_place(self, size: int) -> str:
        """A typed pointer to thread-private bytes in one of the spaces."""
        r = self.random
        kind = r.choice(("generic", "global", "shared"))
        if kind == "shared":
            own = self.assign(
                f"getelementptr inbounds [{BLOCK} x i128], ptr addrspace(3) @own_shared, i32 0, i32 %tid",
                "p",
            )
            self.emit(f"store i128 {r.randint(0, 1 << 100)}, ptr addrspace(3) {own}, align 16")
            offset = size * r.randrange(16 // size)
            own = self.assign(
                f"getelementptr inbounds i8, ptr addrspace(3) {own}, i32 {offset}", "p"
            )
            if r.random() < 0.3:
                return f"ptr {self.assign(f'addrspacecast ptr addrspace(3) {own} to ptr', 'p')}"
            return f"ptr addrspace(3) {own}"
        offset = size * r.randrange(8 * SLOTS // size)
        place = self.assign(f"getelementptr inbounds i8, ptr %own_l, i64 {offset}", "p")
        if kind == "generic":
            return f"ptr {place}"
        return (
            f"ptr addrspace(1) {self.assign(f'addrspacecast ptr {place} to ptr addrspace(1)', 'p')}"
        )

    def dynamic_shared(self) -> None:
        """Accesses of one location of dynamic shared memory through two arrays."""
        r = self.random
        places: list[str] = []
        for name in DYNAMIC:
            self.declarations.add(f"@{name} = external addrspace(3) global [0 x i64], align 8")
            at = f"getelementptr [0 x i64], ptr addrspace(3) @{name}, i32 0, i32 %tid"
            places.append(self.assign(at, "p"))
        r.shuffle(places)
        for place in places:
            self.emit(f"store {self.operand('i64').text}, ptr addrspace(3) {place}")
        self.result("i64", f"load i64, ptr addrspace(3) {places[0]}")

    def _float_atomic(self, scope: str) -> None:
        r = self.random
        type_ = r.choice(("float", "float", "double", "half", "bfloat"))
        wide = type_ in ("float", "double")
        base = {"float": "%own_f", "double": "%own_d"}.get(type_, "%own_l")
        place = self.assign(
            f"getelementptr inbounds {type_}, ptr {base}, i64 {r.randrange(SLOTS)}", "p"
        )
        # Operations on integers in memory must not produce a NaN, whose bits are undefined.
        value = self.operand(type_) if wide else Value(float_text(r.randint(-9, 9), type_), type_)
        if not wide:
            self.emit(f"store {type_} {float_text(r.randint(-9, 9), type_)}, ptr {place}")
        op = r.choice(FLOAT_OPERATIONS)
        self.result(type_, f"atomicrmw {op} ptr {place}, {value.text}{scope} {r.choice(ORDERINGS)}")

    def vector_atomic(self) -> None:
        """An atomic operation on a vector of floats in thread-private memory."""
        r = self.random
        scope = r.choice(SCOPES)
        count, element, size = r.choice(
            ((2, "half", 4), (2, "bfloat", 4), (4, "half", 8), (2, "float", 8))
        )
        type_ = f"<{count} x {element}>"
        place = self._atomic_place(size)
        stored, value = (
            ", ".join(f"{element} {float_text(r.randint(-9, 9), element)}" for _ in range(count))
            for _ in range(2)
        )
        self.emit(f"store {type_} <{stored}>, {place}, align {size}")
        op = r.choice(FLOAT_OPERATIONS[:-1])
        old = self.assign(f"atomicrmw {op} {place}, {type_} <{value}>{scope} {r.choice(ORDERINGS)}")
        new = self.assign(f"load {type_}, {place}, align {size}")
        for vector in (old, new):
            self.result(element, f"extractelement {type_} {vector}, i32 {r.randrange(count)}")

    # Copies

    def overlapping_copy(self) -> None:
        """A `memmove` between overlapping parts of an array, or a `memcpy` of it to itself."""
        r = self.random
        base, size = self._bytes()
        length = r.choice((0, 1, 2, 3, 4, 7, 8, 12, 16, 17, 24))
        to, of = (r.randint(0, size - length) for _ in range(2))
        volatile = r.choice(("false", "false", "false", "true"))
        if r.random() < 0.25:
            name, of = r.choice(("memcpy", "memcpy.inline")), to
        else:
            name = r.choice(("memmove", "memmove", "memmove.inline"))
            name = "memmove" if name == "memmove.inline" else name
        places = [
            self.assign(f"getelementptr inbounds i8, ptr {base}, i64 {n}", "p") for n in (to, of)
        ]
        count = str(length)
        if r.random() < 0.3 and name == "memmove":
            part = self.masked(8, "i64")
            count = self.assign(f"add i64 {part.name}, {max(0, length - 7)}")
            if length < 7:
                count = self.assign(f"call i64 @llvm.umin.i64(i64 {count}, i64 {length})")
                self.declare("i64", "llvm.umin.i64", "i64", "i64")
        self.declare("void", f"llvm.{name}.p0.p0.i64", "ptr", "ptr", "i64", "i1")
        ends = ", ".join(f"ptr {place}" for place in places)
        self.emit(f"call void @llvm.{name}.p0.p0.i64({ends}, i64 {count}, i1 {volatile})")
        type_ = r.choice(("i8", "i32", "i64"))
        offset = r.randrange(size - 8)
        self._load_at(base, offset, type_)

    def _bytes(self) -> tuple[str, int]:
        """A thread-private, fully initialized array, and its size."""
        r = self.random
        arrays = [
            (name, SPAN * (8 if t == "i64" else 4)) for name, t in self.arrays if t != "float"
        ]
        if self.in_kernel and (not arrays or r.random() < 0.4):
            return "%own_l", 8 * SLOTS
        if arrays:
            return r.choice(arrays)
        name = f"%{self.fresh('bytes')}"
        self.allocas.append(f"  {name} = alloca [4 x i64], align 8")
        for index in range(4):
            place = self.assign(f"getelementptr inbounds i64, ptr {name}, i64 {index}", "p")
            self.emit(f"store {self.operand('i64').text}, ptr {place}")
        return name, 32

    def _load_at(self, base: str, offset: int, type_: str) -> Value:
        place = self.assign(f"getelementptr inbounds i8, ptr {base}, i64 {offset}", "p")
        return self.result(type_, f"load {type_}, ptr {place}, align 1")

    # Punning

    def type_punning(self) -> None:
        """Stores and loads of different types at overlapping addresses."""
        r = self.random
        base, size = self._bytes()
        align = r.choice((1, 4, 8))
        offset = r.randrange(0, size - 8, align)
        for _ in range(r.randint(1, 3)):
            type_ = r.choice(PUNNED)
            # The bits of a float are only known for a constant.
            value = self.constant(type_) if type_ in ("float", "double") else self.operand(type_)
            place = min(offset + r.choice((0, 0, 1, 2, 4)), size - 8)
            pointer = self.assign(f"getelementptr inbounds i8, ptr {base}, i64 {place}", "p")
            self.emit(f"store {value.text}, ptr {pointer}, align 1")
        for _ in range(r.randint(1, 2)):
            self._load_at(base, min(offset + r.choice((0, 0, 1, 2, 4)), size - 8), r.choice(PUNNED))

    # Spaces

    def pointer_selects(self) -> None:
        """A load through a select or PHI of pointers of one address space or generic ones."""
        r = self.random
        kind = r.choice(("generic", "generic", "global", "constant", "phi"))
        if kind == "constant":
            first, second = (
                self.assign(
                    f"getelementptr inbounds i32, ptr addrspace(4) @table, i32 {self.masked(SPAN).name}",
                    "p",
                )
                for _ in range(2)
            )
            text = f"ptr addrspace(4) {first}, ptr addrspace(4) {second}"
            chosen = self.assign(f"select {self.operand('i1').text}, {text}", "p")
            self.result("i32", f"load i32, ptr addrspace(4) {chosen}")
            return
        if kind == "global":
            first, second = (self._global() for _ in range(2))
            text = f"ptr addrspace(1) {first}, ptr addrspace(1) {second}"
            chosen = self.assign(f"select {self.operand('i1').text}, {text}", "p")
            if r.random() < 0.5:
                self.result("i32", f"load i32, ptr addrspace(1) {chosen}")
            else:
                chosen = self.assign(f"addrspacecast ptr addrspace(1) {chosen} to ptr", "p")
                self.result("i32", f"load i32, ptr {chosen}")
            return
        first, second = (self._generic() for _ in range(2))
        if kind == "phi":
            chosen = self.joined_value(self.operand("i1"), [lambda: first, lambda: second]).name
        else:
            chosen = self.assign(
                f"select {self.operand('i1').text}, {first.text}, {second.text}", "p"
            )
        element = self.element(chosen, "i32", self.masked(SPAN))
        self.result("i32", f"load i32, ptr {element}")
        if r.random() < 0.2:
            self.result("i1", f"icmp eq {first.text}, {second.name}")

    def constant_address(self) -> None:
        """Loads in two blocks, which no thread executes, from an address that is a constant."""
        space, number = self.random.choice((1, 3, 4, 5)), 4 * self.random.randrange(1, 9)
        pointer = self.random.choice(
            (
                lambda: self.assign(f"addrspacecast ptr addrspace({space}) null to ptr", "p"),
                lambda: self.assign(
                    f"inttoptr i64 {self.assign(f'add i64 4096, {number}')} to ptr", "p"
                ),
            )
        )()

        def loaded() -> Value:
            return self.result("i32", f"load i32, ptr {pointer}")

        self.joined(
            self.opaque(), [lambda: self.joined_value(self.condition(), [loaded, loaded]), None]
        )

    def _global(self) -> str:
        """A pointer to a global integer."""
        if self.in_kernel and self.random.random() < 0.5:
            base = self.assign("addrspacecast ptr %in_i to ptr addrspace(1)", "p")
            index = self.masked(INPUTS)
        else:
            base, index = "@name.with.dots", self.masked(SPAN)
        return self.assign(
            f"getelementptr inbounds i32, ptr addrspace(1) {base}, {index.text}", "p"
        )

    def _generic(self) -> Value:
        """A generic pointer to `SPAN` integers, of a space that is visible in its definition."""
        kind = self.random.choice(("global", "constant", "generic", "any", "any"))
        if kind == "any":
            return self.point()
        if kind == "generic":
            return Value("@plain", "ptr")
        space, name = {"global": (1, "@name.with.dots"), "constant": (4, "@table")}[kind]
        return Value(self.assign(f"addrspacecast ptr addrspace({space}) {name} to ptr", "p"), "ptr")
