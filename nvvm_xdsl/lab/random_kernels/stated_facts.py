"""Random code in which facts hold for only one of two values or functions that seem equal."""

from __future__ import annotations

from nvvm_xdsl.lab.random_kernels.joins import Arm
from nvvm_xdsl.lab.random_kernels.loop_forms import FIRST_NODE
from nvvm_xdsl.lab.random_kernels.loop_rows import LoopRows
from nvvm_xdsl.lab.random_kernels.memory_statements import SLOTS
from nvvm_xdsl.lab.random_kernels.values import INPUTS, Value, bits_of

UNREAD = 1 << 61
"""A number of 64-bit elements after which addresses repeat."""

OWN_ADDRESS = """\
define internal i32 @NAME(ptr %p, i32 %a) noinline {
entry:
  %own = icmp eq ptr %p, @NAME
  %b = mul i32 %a, 3
  %c = xor i32 %b, 5
  %d = mul i32 %c, %b
  %e = xor i32 %d, %a
  %f = mul i32 %e, %c
  %g = xor i32 %f, %d
  %h = mul i32 %g, %e
  %i = xor i32 %h, %f
  %r = select i1 %own, i32 %i, i32 %b
  ret i32 %r
}
"""
"""A function whose result depends on its address, and which is large enough to be replaced by a
call of an equal one."""

OWN_NAMES = ("own_a", "own_b")

BYTES = 256
"""Number of elements of the array that a counter of one byte indexes."""

EXCHANGED = 2
"""The number of elements of arrays that a loop exchanges."""

SCOPE_DECLARATION = "@llvm.experimental.noalias.scope.decl"


class StatedFacts(LoopRows):
    """Adds such code as statements."""

    def __init__(self, seed: int, size: int) -> None:
        super().__init__(seed, size)
        self.own_functions: tuple[str, ...] = ()
        """Functions that compare a pointer with their addresses, if the module has any."""

    def stated_loads(self) -> None:
        """Two loads of one address, of which only the first states a range. It is not used if the
        number is outside of the range."""
        r = self.random
        index = self.assign(f"and {self.operand('i32').text}, {INPUTS - 1}")
        place = self.element("%in_i", "i32", Value(index, "i32"))
        low = r.choice((-20, 0, 0, 5))
        high = low + r.choice((1, 2, 16, 1000))
        node = self._range(low, high)
        first, second = (
            self.assign(f"load i32, ptr {place}{stated}") for stated in (f", !range {node}", "")
        )
        below = self.assign(f"sub i32 {second}, {low}")
        inside = self.assign(f"icmp ult i32 {below}, {high - low}")
        self.result("i32", f"select i1 {inside}, i32 {first}, i32 -1", min(low, -1), high - 1)

    def _range(self, low: int, high: int) -> str:
        """A new metadata node with the range from one number to below another."""
        node = f"!{FIRST_NODE + len(self.metadata)}"
        self.metadata.append(f"{node} = !{{i32 {low}, i32 {high}}}")
        return node

    def stated_joins(self) -> None:
        """Loads of one address in the arms of nested branches, which state a range and are not used, and
        a test of the number after them."""
        r = self.random
        bound = r.choice((2, 16))
        node = self._range(0, bound)
        place = self.assign(
            f"getelementptr inbounds i32, ptr %own_l, i64 {r.randrange(SLOTS)}", "p"
        )
        at = self.masked(SLOTS).text
        other = self.assign(f"getelementptr inbounds i32, ptr %own_l, {at}", "p")

        self.emit(f"store {self.operand('i32').text}, ptr {place}")

        def load() -> Value:
            self.emit(f"store {self.operand('i32').text}, ptr {other}")
            return Value(self.assign(f"load i32, ptr {place}, !range {node}"), "i32")

        def inner() -> Value:
            self.joined(self._divided(), [load, load])
            return self.operand("i32")

        self.joined(self._divided(), [inner, load])
        loaded = self.assign(f"load i32, ptr {place}")
        inside = self.assign(f"icmp ult i32 {loaded}, {bound}")
        ways: list[Arm] = [lambda: self.constant("i32"), lambda: self.operand("i32")]
        self.joined_value(Value(inside, "i1"), ways)

    def joined_masks(self) -> None:
        """An exact shift of numbers from both arms of a branch whose low bits are clear."""
        r = self.random
        type_ = r.choice(("i16", "i32", "i64"))
        amount = r.randrange(1, bits_of(type_) - 1)

        def masked() -> Value:
            name = self.assign(f"and {self.operand(type_).text}, {-(1 << amount)}")
            return Value(name, type_)

        def shifted() -> Value:
            return Value(self.assign(f"shl {self.operand(type_).text}, {amount}"), type_)

        ends = self.joined(self._divided(), [masked, r.choice((masked, shifted))])
        inputs = ", ".join(f"[ {v.name}, %{block} ]" for block, v in ends if v is not None)
        joined = self.assign(f"phi {type_} {inputs}")
        part = self.assign(f"{r.choice(('lshr', 'ashr'))} exact {type_} {joined}, {amount}")
        self.result(type_, f"shl {type_} {part}, {amount}")

    def disjoint_conditions(self) -> None:
        """Comparisons of one number with adjacent ones, of which two exclude each other."""
        r = self.random
        number = self.masked(4, r.choice(("i32", "i64")))
        low = r.randrange(3)
        first, last, again = (self.assign(f"icmp eq {number.text}, {low + n}") for n in (0, 1, 1))
        often = self.assign(f"icmp ne {self.masked(4).text}, 0")
        other = self.assign(f"and i1 {last}, {often}")
        operands = [first, other]
        r.shuffle(operands)
        either = self.assign(f"or disjoint i1 {', '.join(operands)}")
        found = self.result("i1", f"or i1 {either}, {again}")
        wide = self.assign(f"zext {found.text} to i64")
        self.emit(f"store i64 {wide}, ptr {self.own_place('i64')}")

    def wrapping_addresses(self) -> None:
        """Stores to addresses whose offsets are equal because they wrap."""
        r = self.random
        type_, place = "i64", self.own_place("i64")
        near = r.choice((0, 0, 1))
        step = r.choice((UNREAD, -UNREAD, 8 * UNREAD)) + near
        far = self.assign(f"getelementptr i64, ptr {place}, i64 {step}", "p")
        back = self.assign(f"getelementptr i64, ptr {far}, i64 {-near}", "p")
        places = [place, back]
        r.shuffle(places)
        for at in places:
            self.emit(f"store {self.operand(type_).text}, ptr {at}")
        self.result(type_, f"load {type_}, ptr {places[0]}")

    def own_addresses(self) -> None:
        """Calls of two functions that differ only in their own addresses."""
        self.own_functions = tuple(OWN_ADDRESS.replace("NAME", name) for name in OWN_NAMES)
        first, second = self.random.sample(OWN_NAMES, 2)
        pointer = self.assign(f"select {self.operand('i1').text}, ptr @{first}, ptr @{second}")
        for name in OWN_NAMES:
            self.result("i32", f"call i32 @{name}(ptr {pointer}, {self.operand('i32').text})")

    def exchanged_arrays(self) -> None:
        """A loop over an inlined function with restrict parameters, which get each other's arrays.

        The alias scopes hold within an iteration. In the next one the function reads the array that it
        wrote.
        """
        r = self.random
        arrays = tuple(f"%{self.fresh('line')}" for _ in range(2))
        self.allocas += [f"  {array} = alloca [{EXCHANGED} x i32], align 4" for array in arrays]
        for array in arrays:
            for number in range(EXCHANGED):
                at = self.element(array, "i32", Value(str(number), "i32"))
                self.emit(f"store {self.operand('i32').text}, ptr {at}")
        source, target = self._scopes()
        read, written = self.masked(EXCHANGED), self.masked(EXCHANGED)
        head, join, out = (
            self.node("exchange", "i32", "i32", "ptr", "ptr"),
            self.node("exchanged", "i32"),
            self.node("out", "i32"),
        )
        counter, total, x, y = head.names
        self.jump(head, "0", self.operand("i32").name, *arrays)
        self.begin(head)
        for scope in (source, target):
            self.emit(f"call void {SCOPE_DECLARATION}(metadata {scope})")
        old = total
        if r.random() < 0.7:
            old = self.assign(f"load i32, ptr {self.element(y, 'i32', read)}")
        place = self.element(x, "i32", read)
        value = self.assign(f"load i32, ptr {place}, !alias.scope {source}, !noalias {target}")
        new = self.assign(f"mul i32 {value}, 3")
        new = self.assign(f"xor i32 {new}, {old}")
        store = self.node("store")
        rare = self.assign(f"icmp slt i32 {new}, {r.choice((-5, 0, 1 << 31, 10))}")
        self.fork(rare, (join, (value,)), (store, ()))
        self.begin(store)
        place = self.element(y, "i32", written)
        self.emit(f"store i32 {new}, ptr {place}, !alias.scope {target}, !noalias {source}")
        self.jump(join, new)
        self.begin(join)
        following = self.assign(f"add nuw nsw i32 {counter}, 1")
        more = self.assign(f"icmp ult i32 {following}, {r.randint(2, 5)}")
        exchanged = (y, x) if r.random() < 0.8 else (x, y)
        sum_ = join.names[0]
        self.fork(more, (head, (following, sum_, *exchanged)), (out, (sum_,)))
        self.begin(out)
        self.close(head, join, out)
        for array in arrays:
            self.result("i32", f"load i32, ptr {self.element(array, 'i32', written)}")
        self.scopes[-1].setdefault("i32", []).append(self.value(out.names[0], "i32"))

    def finite_loop(self) -> None:
        """A loop that must make progress, whose counter of one byte may equal its bound.

        A second condition ends it, perhaps after the counter has wrapped.
        """
        r = self.random
        line = f"%{self.fresh('line')}"
        self.allocas.append(f"  {line} = alloca [{BYTES} x i8], align 1")
        is_signed = r.random() < 0.5
        top = BYTES // 2 - 1 if is_signed else BYTES - 1
        first, bound = (self.assign(f"sub i8 {top}, {self.masked(n, 'i8').name}") for n in (4, 2))
        head, again, out = (
            self.node("finite", "i8", "float", "i32"), self.node("again"), self.node("out"),
        )  # fmt: skip
        counter, number, total = head.names

        def place(at: str) -> str:
            index = self.assign(f"{'sext' if is_signed else 'zext'} i8 {at} to i64")
            if is_signed:
                index = self.assign(f"add nsw i64 {index}, {BYTES // 2}")
            return self.element(line, "i8", Value(index, "i64"))

        self.jump(head, first, "1.0", self.operand("i32").name)
        self.begin(head)
        self.emit(f"store {self.operand('i8').text}, ptr {place(counter)}")
        sum_ = self.assign(f"mul i32 {total}, 3")
        following = self.assign(f"add i8 {counter}, 1")
        larger = self.assign(f"fmul float {number}, 2.0")
        predicate = "sle" if is_signed else "ule"
        below = self.assign(f"icmp {predicate} i8 {counter}, {bound}")
        small = self.assign(f"fcmp olt float {number}, {float(1 << r.randrange(6))}")
        both = r.choice((f"and i1 {below}, {small}", f"select i1 {below}, i1 {small}, i1 false"))
        more = self.assign(both)
        self.fork(more, (again, ()), (out, ()))
        self.begin(again)
        self.jump(head, following, larger, sum_)
        node = FIRST_NODE + len(self.metadata)
        self.metadata.append(f"!{node} = distinct !{{!{node}, !{node + 1}}}")
        self.metadata.append(f'!{node + 1} = !{{!"llvm.loop.mustprogress"}}')
        self.lines[-1] += f", !llvm.loop !{node}"
        self.begin(out)
        self.close(head, again, out)
        self.result("i8", f"load i8, ptr {place(first)}")
        self.scopes[-1].setdefault("i32", []).append(self.value(sum_, "i32"))

    def _scopes(self) -> tuple[str, str]:
        """Two metadata nodes, each a list of one new alias scope of the same domain."""
        self.declarations.add(f"declare void {SCOPE_DECLARATION}(metadata)")
        first = FIRST_NODE + len(self.metadata)
        domain, one, two, *lists = (f"!{first + n}" for n in range(5))
        self.metadata.append(f"{domain} = distinct !{{{domain}}}")
        self.metadata += [f"{scope} = distinct !{{{scope}, {domain}}}" for scope in (one, two)]
        self.metadata += [f"{all_} = !{{{scope}}}" for all_, scope in zip(lists, (one, two))]
        return lists[0], lists[1]
