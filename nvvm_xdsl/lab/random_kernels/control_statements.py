"""Random control flow: conditionals, switches, loops."""

from __future__ import annotations

from abc import abstractmethod

from nvvm_xdsl.lab.random_kernels.array_loops import ArrayLoops
from nvvm_xdsl.lab.random_kernels.memory_statements import SLOTS
from nvvm_xdsl.lab.random_kernels.values import STRUCT, Scope, Value

MAX_TRIPS = 5
JOINED = ("i32", "i64", "float", "i1", "i8", "double", "ptr", "<2 x i32>", "<4 x float>", STRUCT)
CARRIED = ("i32", "i32", "float", "i64", "<2 x i32>", "ptr")

Path = tuple[str, Scope, int]
"""The block that ends a path, the values defined on the path, and its number of edges."""


class Control(ArrayLoops):
    """Adds regions of several blocks."""

    @abstractmethod
    def statement(self) -> None:
        """A random statement."""

    def statements(self, count: int) -> None:
        """Some statements within the budget."""
        for _ in range(count):
            if self.budget <= 0:
                break
            self.statement()

    def _merge(self, paths: list[Path]) -> None:
        """PHIs that join values of several paths."""
        for _ in range(self.random.randint(1, 3)):
            type_ = self.random.choice(JOINED)
            inputs: list[str] = []
            chosen: list[Value] = []
            for block, made, edges in paths:
                candidates = made.get(type_, [])
                value = self.random.choice(candidates) if candidates else self.constant(type_)
                inputs += [f"[ {value.name}, %{block} ]"] * edges
                chosen.append(value)
            low, high = min(v.low for v in chosen), max(v.high for v in chosen)
            self.result(type_, f"phi {type_} {', '.join(inputs)}", low, high)

    def _arm(self, label: str, join: str, asked: tuple[Value, ...] = ()) -> Path:
        self.label(label)
        with self.scope():
            self.look_at(asked)
            self.statements(self.random.randint(1, 4))
            made = dict(self.scopes[-1])
        end = self.block
        self.emit(f"br label %{join}")
        return end, made, 1

    def _here(self, edges: int = 1) -> Path:
        return self.block, {t: list(values) for t, values in self.scopes[-1].items()}, edges

    def conditional(self) -> None:
        """An if, with or without an else; threads do not diverge if the condition is uniform."""
        r = self.random
        converged = self.converged
        self.asked = ()
        if self.in_kernel and r.random() < 0.25:
            bound = r.randint(-100, 100)
            condition = self.result("i1", f"icmp {r.choice(('slt', 'ugt', 'ne'))} i32 %n, {bound}")
        else:
            condition = self.condition()
            self.converged = False
        asked = self.asked
        then, other, join = (self.fresh(s) for s in ("then", "else", "join"))
        if r.random() < 0.6:
            self.emit(f"br {condition.text}, label %{then}, label %{other}")
            paths = [self._arm(then, join, asked), self._arm(other, join, asked)]
        else:
            here = self._here()
            self.emit(f"br {condition.text}, label %{then}, label %{join}")
            paths = [self._arm(then, join, asked), here]
        self.converged = converged
        self.label(join)
        self._merge(paths)

    def asked_again(self) -> None:
        """A branch on a select of conditions that both sides test again."""
        condition = self.chosen_condition()
        parts = self.asked
        then, other, join = (self.fresh(s) for s in ("then", "else", "join"))
        self.emit(f"br {condition.text}, label %{then}, label %{other}")
        inputs: list[str] = []
        for label in (then, other):
            self.label(label)
            first, second = (
                self.assign(f"select {part.text}, i32 {n}, i32 {8 * n}")
                for n, part in enumerate(parts, start=1)
            )
            inputs.append(f"[ {self.assign(f'add i32 {first}, {second}')}, %{label} ]")
            self.emit(f"br label %{join}")
        self.label(join)
        number = self.result("i32", f"phi i32 {', '.join(inputs)}", 3, 24)
        if self.in_kernel:
            wide = self.result("i64", f"zext {number.text} to i64", 3, 24)
            self.store_own("%own_l", "i64", wide, self.random.randrange(SLOTS))

    def switch(self) -> None:
        """A switch with several cases; some share a block or branch directly to the end."""
        r = self.random
        type_ = r.choice(("i32", "i8", "i64"))
        value = self.masked(8, type_)
        join = self.fresh("join")
        default, *labels = (self.fresh("case") for _ in range(r.choice((2, 3, 4, 8))))
        numbers = r.sample(range(9), r.randint(len(labels), 9))
        straight = r.randint(0, 2) if r.random() < 0.5 else 0
        targets = labels + [join] * straight
        cases = [f"{type_} {n}, label %{targets[i % len(targets)]}" for i, n in enumerate(numbers)]
        edges = sum(case.endswith(f"%{join}") for case in cases)
        here = self._here(edges)
        converged, self.converged = self.converged, False
        self.emit(f"switch {value.text}, label %{default} [ {' '.join(cases)} ]")
        paths = [self._arm(label, join) for label in (default, *labels)]
        self.converged = converged
        self.label(join)
        self._merge(paths + ([here] if edges else []))

    def loop(self) -> None:
        """A counting loop with a loop-carried value, tested at the top or bottom.

        It may also be left before its test, from an arm that not every iteration executes, by a
        switch on its counter, and on a second condition.
        """
        r = self.random
        head, body, join = (self.fresh(s) for s in ("head", "body", "join"))
        uniform = r.random() < 0.5
        trips = Value(str(r.randint(1, MAX_TRIPS)), "i32") if uniform else self.masked(4)
        type_ = r.choice(CARRIED)
        start = self.operand(type_)
        down, step = r.random() < 0.2, r.choice((1, 1, 1, 2, 3))
        first, step = (trips.name, -1) if down else ("0", step)
        top = r.random() < 0.4
        # A bound that the counter equals exactly, in steps of more than one.
        exact = not down and (uniform or top) and r.random() < 0.3
        if exact and uniform:
            trips = Value(str(int(trips.name) * step), "i32")
        elif exact:
            trips = self.result("i32", f"mul nuw nsw i32 {trips.name}, {step}", 0, 3 * step)
        entry = self.block
        counter, following, carried = (f"%{self.fresh()}" for _ in range(3))
        self.emit(f"br label %{head}")
        self.label(head)
        at = len(self.lines)
        going = "sgt" if down else "ne" if exact else r.choice(("ult", "slt"))
        bound = "0" if down else trips.name
        converged, self.converged = self.converged, self.converged and uniform
        leaves: list[tuple[str, str]] = []
        with self.scope():
            self.scopes[-1]["i32"] = [Value(counter, "i32", 0, MAX_TRIPS * max(step, 1))]
            self.scopes[-1].setdefault(type_, []).append(self.value(carried, type_))
            early = not top and r.random() < 0.3
            if top:
                more = self.assign(f"icmp {going} i32 {counter}, {bound}")
                self.emit(f"br i1 {more}, label %{body}, label %{join}")
            elif early:
                condition = self.condition()
                self.emit(f"br {condition.text}, label %{join}, label %{body}")
                self.converged = False
            if top or early:
                leaves.append((carried, self.block))
                self.label(body)
            leaving = r.choice((None, None, None, self._break, self._switch_out))
            second = not top and r.random() < 0.2
            if leaving is not None or second:
                self.converged = False
            self.statements(r.randint(1, 4))
            if leaving is not None:
                leaves.append((carried, leaving(counter, join)))
                self.statements(r.randint(0, 2))
            new = self.operand(type_)
            other = self.condition() if second else None
            end = self.block
            flags = r.choice(("", " nsw" if down else " nuw nsw"))
            self.emit(f"{following} = add{flags} i32 {counter}, {step}")
            if top:
                self.emit(f"br label %{head}")
            else:
                more = self.assign(f"icmp {going} i32 {following}, {bound}")
                if other is not None:
                    both = r.choice((f"select i1 {more}, {other.text}, i1 false",
                                     f"and {other.text}, {more}"))  # fmt: skip
                    more = self.assign(both)
                self.emit(f"br i1 {more}, label %{head}, label %{join}")
                leaves.append((new.name, end))
        self.lines[at:at] = [
            f"  {counter} = phi i32 [ {first}, %{entry} ], [ {following}, %{end} ]",
            f"  {carried} = phi {type_} [ {start.name}, %{entry} ], [ {new.name}, %{end} ]",
        ]
        self.converged = converged
        self.label(join)
        inputs = ", ".join(f"[ {name}, %{block} ]" for name, block in leaves)
        self.result(type_, f"phi {type_} {inputs}")

    def _break(self, counter: str, join: str) -> str:
        """A conditional block with a conditional exit of the loop; returns the exiting block."""
        arm, rest = self.fresh("arm"), self.fresh("rest")
        self.emit(f"br {self.condition().text}, label %{arm}, label %{rest}")
        self.label(arm)
        with self.scope():
            self.statements(self.random.randint(0, 2))
            condition = self.condition()
        end = self.block
        self.emit(f"br {condition.text}, label %{join}, label %{rest}")
        self.label(rest)
        return end

    def _switch_out(self, counter: str, join: str) -> str:
        """A switch that exits the loop in one iteration, if the loop reaches it; returns the
        exiting block.
        """
        rest, other = self.fresh("rest"), self.fresh("rest")
        number, another = self.random.sample(range(MAX_TRIPS + 2), 2)
        end = self.block
        cases = f"i32 {number}, label %{join} i32 {another}, label %{other}"
        self.emit(f"switch i32 {counter}, label %{rest} [ {cases} ]")
        self.label(other)
        self.emit(f"br label %{rest}")
        self.label(rest)
        return end

    def walk(self) -> None:
        """A loop of one block that follows a pointer."""
        r = self.random
        start, total = self.operand("ptr"), self.operand("i32")
        head, join = self.fresh("head"), self.fresh("join")
        last = self.assign(
            f"getelementptr inbounds i32, {start.text}, i64 {r.randint(1, MAX_TRIPS)}", "p"
        )
        entry = self.block
        pointer, following, sum_, new = (f"%{self.fresh()}" for _ in range(4))
        self.emit(f"br label %{head}")
        self.label(head)
        self.emit(f"{pointer} = phi ptr [ {start.name}, %{entry} ], [ {following}, %{head} ]")
        self.emit(f"{sum_} = phi i32 [ {total.name}, %{entry} ], [ {new}, %{head} ]")
        value = self.assign(f"load i32, ptr {pointer}")
        self.emit(f"{new} = {r.choice(('add', 'xor', 'sub'))} i32 {sum_}, {value}")
        self.emit(f"{following} = getelementptr inbounds i32, ptr {pointer}, i64 1")
        more = self.assign(f"icmp ne ptr {following}, {last}")
        self.emit(f"br i1 {more}, label %{head}, label %{join}")
        self.label(join)
        self.result("i32", f"phi i32 [ {new}, %{head} ]")
