"""Random memory accesses and cooperative operations of threads."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.computation import Computation
from nvvm_xdsl.lab.random_kernels.values import INPUTS, SPAN, Function, Value

BLOCK = 64
"""Number of threads of a block, a power of two."""

SLOTS = 8
"""Number of elements of each output that a thread accesses anywhere."""

STRIDE = 2 * SLOTS
"""Number of elements of each output of a thread; those after the first `SLOTS` are written at the
end."""

COUNTERS = ("add", "or", "and", "xor", "max", "min", "umax", "umin")
"""The one operation on each counter, so that its final value does not depend on order."""

INPUT_TYPES = (("%in_i", "i32"), ("%in_f", "float"), ("%in_l", "i64"), ("%in_d", "double"), ("%in_h", "half"))  # fmt: skip
OUTPUT_TYPES = (("%own_l", "i64"), ("%own_f", "float"), ("%own_d", "double"))

BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
REDUCTIONS = ("add", "min", "max", "umin", "umax", "and", "or", "xor")


class MemoryAccess(Computation):
    """Adds loads, stores, atomic operations, and operations of all threads of a warp or block."""

    def load(self) -> None:
        """A load from an input, the constant table, a local array or any pointer."""
        r = self.random
        kinds = [self._load_table, self._load_pointer, self._load_pointer]
        if self.arrays:
            kinds += [self._load_local] * 2
        if self.in_kernel:
            kinds += [self._load_input] * 3 + [self._load_vector, self._load_global]
        r.choice(kinds)()

    def _load_table(self) -> None:
        index = self.masked(SPAN)
        array = f"[{SPAN} x i32], ptr addrspace(4) @table"
        pointer = self.assign(f"getelementptr inbounds {array}, i32 0, {index.text}", "p")
        self.result("i32", f"load i32, ptr addrspace(4) {pointer}, align 4")

    def _load_pointer(self) -> None:
        base = self.operand("ptr")
        if self.random.random() < 0.3:
            other, condition = self.operand("ptr"), self.operand("i1")
            base = self.result("ptr", f"select {condition.text}, {base.text}, {other.text}")
        self.result("i32", f"load i32, ptr {self.element(base.name, 'i32', self.masked(SPAN))}")

    def _load_local(self) -> None:
        base, element = self.random.choice(self.arrays)
        pointer = self.element(base, element, self.masked(SPAN))
        self.result(element, f"load {element}, ptr {pointer}")

    def _load_input(self) -> None:
        base, type_ = self.random.choice(INPUT_TYPES)
        self.result(type_, f"load {type_}, ptr {self.element(base, type_, self.masked(INPUTS))}")

    def _load_vector(self) -> None:
        index = self.masked(INPUTS // 4)
        base, type_, align = self.random.choice(
            (("%in_f", "<4 x float>", 16), ("%in_i", "<2 x i32>", 8), ("%in_l", "<2 x i64>", 16))
        )
        self.result(type_, f"load {type_}, ptr {self.element(base, type_, index)}, align {align}")

    def _load_global(self) -> None:
        index = self.masked(INPUTS)
        base = self.assign("addrspacecast ptr %in_i to ptr addrspace(1)", "p")
        pointer = self.assign(
            f"getelementptr inbounds i32, ptr addrspace(1) {base}, {index.text}", "p"
        )
        self.result("i32", f"load i32, ptr addrspace(1) {pointer}")

    def store(self) -> None:
        """A store to a local array or to the thread's own part of an output."""
        r = self.random
        if self.arrays and (r.random() < 0.5 or not self.in_kernel):
            base, element = r.choice(self.arrays)
            value = self.operand(element)
            self.emit(f"store {value.text}, ptr {self.element(base, element, self.masked(SPAN))}")
        elif self.in_kernel:
            base, type_ = r.choice(OUTPUT_TYPES)
            self.store_own(base, type_, self.operand(type_), r.randrange(SLOTS))

    def look_at(self, parts: tuple[Value, ...]) -> None:
        """Uses the operands of a condition where the condition is known."""
        for part in parts:
            if self.random.random() < 0.6:
                number = self.result("i64", f"zext {part.text} to i64", 0, 1)
                if self.in_kernel:
                    self.store_own("%own_l", "i64", number, self.random.randrange(SLOTS))

    def store_own(self, base: str, type_: str, value: Value, slot: int) -> None:
        """A store to the thread's own part of an output."""
        pointer = self.assign(f"getelementptr inbounds {type_}, ptr {base}, i64 {slot}", "p")
        self.emit(f"store {value.text}, ptr {pointer}")

    def local_array(self) -> None:
        """A fully initialized local array."""
        r = self.random
        element = r.choice(("i32", "float", "i64"))
        name = f"%{self.fresh('local')}"
        self.allocas.append(f"  {name} = alloca [{SPAN} x {element}], align 8")
        if element != "float" and r.random() < 0.3:
            self._fill(name, SPAN * (8 if element == "i64" else 4))
        else:
            initial = self.operand(element)
            for i in range(SPAN):
                value = initial if i % 2 else self.constant(element)
                pointer = self.assign(f"getelementptr inbounds {element}, ptr {name}, i32 {i}", "p")
                self.emit(f"store {value.text}, ptr {pointer}")
        self.arrays.append((name, element))

    def _fill(self, name: str, size: int) -> None:
        byte = self.operand("i8")
        self.declare("void", "llvm.memset.p0.i64", "ptr", "i8", "i64", "i1")
        self.emit(
            f"call void @llvm.memset.p0.i64(ptr align 8 {name}, {byte.text}, i64 {size}, i1 false)"
        )

    def copy(self) -> None:
        """A copy of many bytes into a local array."""
        arrays = [name for name, element in self.arrays if element == "i32"]
        if not arrays:
            return
        name = self.random.choice(arrays)
        if self.random.random() < 0.3:
            self._fill(name, 4 * self.random.randint(1, SPAN))
            return
        source = self.operand("ptr")
        size = 4 * self.random.randint(1, SPAN)
        self.declare("void", "llvm.memcpy.p0.p0.i64", "ptr", "ptr", "i64", "i1")
        to, of = f"ptr align 4 {name}", f"ptr align 4 {source.name}"
        self.emit(f"call void @llvm.memcpy.p0.p0.i64({to}, {of}, i64 {size}, i1 false)")

    def atomic(self) -> None:
        """An atomic operation on a counter."""
        number = self.random.randrange(len(COUNTERS))
        value = self.operand("i32")
        pointer = self.assign(f"getelementptr inbounds i32, ptr %counters, i64 {number}", "p")
        ordering = self.random.choice(("monotonic", "monotonic", "acq_rel", "seq_cst"))
        self.assign(f"atomicrmw {COUNTERS[number]} ptr {pointer}, {value.text} {ordering}")

    # Threads together

    def _shared(self, array: str, type_: str, index: str) -> str:
        text = f"[{BLOCK} x {type_}], ptr addrspace(3) {array}, i32 0, i32 {index}"
        return self.assign(f"getelementptr inbounds {text}", "p")

    def exchange(self) -> None:
        """Each thread writes its element of shared memory and reads another's."""
        r = self.random
        array, type_ = r.choice((("@shared_i", "i32"), ("@shared_f", "float")))
        own = self._shared(array, type_, "%tid")
        self.emit(f"store {self.operand(type_).text}, ptr addrspace(3) {own}")
        self.emit(BARRIER)
        if type_ == "i32" and r.random() < 0.3:
            added = self._shared(array, type_, self.masked(BLOCK).name)
            value = self.operand("i32")
            self.assign(f"atomicrmw add ptr addrspace(3) {added}, {value.text} monotonic")
            self.emit(BARRIER)
        other = self._shared(array, type_, self.masked(BLOCK).name)
        if r.random() < 0.4:
            generic = self.assign(f"addrspacecast ptr addrspace(3) {other} to ptr", "p")
            self.result(type_, f"load {type_}, ptr {generic}")
        else:
            self.result(type_, f"load {type_}, ptr addrspace(3) {other}")
        self.emit(BARRIER)

    def warp(self) -> None:
        """A shuffle, vote, match or reduction of the whole warp."""
        r = self.random
        members = Value("-1", "i32")
        op = r.choice(("bfly", "idx", "up", "down", "ballot", "any", "all", "match", "redux"))
        if op in ("ballot", "any", "all"):
            type_ = "i32" if op == "ballot" else "i1"
            self.call(type_, f"llvm.nvvm.vote.{op}.sync", members, self.operand("i1"))
        elif op == "match":
            self.call("i32", "llvm.nvvm.match.any.sync.i32", members, self.masked(4))
        elif op == "redux":
            name = f"llvm.nvvm.redux.sync.{r.choice(REDUCTIONS)}"
            self.call("i32", name, self.operand("i32"), members)
        else:
            clamp = Value("0" if op == "up" else "31", "i32")
            lane = Value(str(r.randrange(32)), "i32")
            value = self.operand("i32")
            self.call("i32", f"llvm.nvvm.shfl.sync.{op}.i32", members, value, lane, clamp)

    def device_call(self) -> None:
        """A call of a device function."""
        function: Function = self.random.choice(self.functions)
        arguments = ", ".join(self.operand(t).text for t in function.parameters)
        self.result(function.result, f"call {function.result} @{function.name}({arguments})")
