"""Random loops of narrow integers, and their values, including poison.

Loops count up and down by constants and by other values, signed and unsigned, with and without wrap flags
that may be wrong, and shrink. Exits are at the top, at the bottom, in between, in an arm of a branch, by a
switch and by a call that does not return, on comparisons and on `select`, `and` and `or` of two comparisons.
Loops are nested and in sequence, and move pointers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.values.value_tracking import argument_range
from nvvm_xdsl.dialects.llvm.accessors import integer_width, integers_of
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_number

WIDTHS = (4, 8)
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
RISING = ("slt", "sle", "ult", "ule")
FALLING = ("sgt", "sge", "ugt", "uge")
BOUNDS = {4: ("%a", "%b"), 8: ("%x", "%y")}
LIMIT = 6
NO_MEMORY = (
    "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, "
    "targetMem0 = none, targetMem1 = none>"
)
FLAGS = ("", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>")


@dataclass
class _Writer:
    """Draws a function; `scope` holds the available names, with their widths."""

    random: random.Random
    lines: list[str] = field(default_factory=list[str])
    scope: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    pointers: list[str] = field(default_factory=lambda: ["%p"])
    count: int = 0

    def chance(self, part: int, whole: int) -> bool:
        return self.random.randrange(whole) < part

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def pick(self, width: int) -> str:
        """Returns a value of the width: an available one, or a constant."""
        seen = [n for n, w in self.scope if w == width]
        if seen and self.chance(1, 2):
            return self.random.choice(seen[-8:])
        return self.constant(width, self.random.choice([0, 1, 2, 3, 5, -1, -2, 7, 6]))

    def constant(self, width: int, number: int) -> str:
        name = f"%{self.fresh('k')}"
        self.lines.append(f"{name} = llvm.mlir.constant({number} : i{width}) : i{width}")
        return name

    def add(self, text: str, width: int) -> str:
        name = f"%{self.fresh('v')}"
        self.lines.append(f"{name} = {text}")
        self.scope.append((name, width))
        return name

    def op(self) -> None:
        chance, choice = self.chance, self.random.choice
        width = choice(WIDTHS)
        kind = choice(["add", "add", "sub", "mul", "zext", "sext", "trunc", "gep", "constant"])
        if kind in ("zext", "sext"):
            self.add(f"llvm.{kind} {self.pick(width)} : i{width} to i{2 * width}", 2 * width)
        elif kind == "trunc":
            self.add(f"llvm.trunc {self.pick(8)} : i8 to i4", 4)
        elif kind == "constant":
            self.by_constant(self.pick(width), width)
        elif kind == "gep":
            base = choice(self.pointers[-3:])
            name = f"%{self.fresh('g')}"
            self.lines.append(
                f"{name} = llvm.getelementptr {base}[{self.pick(width)}] : "
                f"(!llvm.ptr, i{width}) -> !llvm.ptr, i16"
            )
            self.pointers.append(name)
            if chance(1, 2):
                self.lines.append(f"llvm.store %z, {name} : i8, !llvm.ptr")
        else:
            flags = choice(FLAGS)
            a, b = self.pick(width), self.pick(width)
            self.add(f"llvm.{kind} {a}, {b}{flags} : i{width}", width)

    def by_constant(self, value: str, width: int) -> str:
        """A shift, division or mask of the value."""
        choice = self.random.choice
        name = choice(["lshr", "ashr", "shl", "udiv", "sdiv", "and"])
        number = choice([-4, -2, 1, 3, 6]) if name == "and" else choice([1, 1, 2, 3])
        constant = self.constant(width, number)
        return self.add(f"llvm.{name} {value}, {constant} : i{width}", width)

    def call(self) -> None:
        """A call that accesses no memory and may not return."""
        self.lines.append("llvm.call @maybe() {memory_effects = #none} : () -> ()")

    def ops(self) -> None:
        for _ in range(self.random.randrange(4)):
            self.op()

    def mirror(self, counter: tuple[str, int], step: str) -> None:
        """Returns the next value of the counter, computed without flags and extended."""
        name, width = counter
        value = self.add(f"llvm.add {name}, {step} : i{width}", width)
        for kind in ("zext", "sext"):
            self.add(f"llvm.{kind} {value} : i{width} to i16", 16)

    def test(self, width: int, value: str, stay: str, leave: str, step: int = 0) -> None:
        """Adds a branch on a comparison of the value, mostly one that a counter with the step reaches."""
        if self.chance(1, 10) and "(" not in stay:
            self.switch(width, value, stay, leave)
            return
        condition, yes, no = self.compare(width, value, stay, leave, step)
        if self.chance(1, 5):
            w = self.random.choice(WIDTHS)
            other, *_ = self.compare(w, self.pick(w), stay, leave, 0)
            constant = self.constant(1, self.random.choice([0, -1]))
            name = f"%{self.fresh('c')}"
            self.lines.append(
                self.random.choice(
                    [
                        f"{name} = llvm.and {condition}, {other} : i1",
                        f"{name} = llvm.or {condition}, {other} : i1",
                        f"{name} = llvm.xor {condition}, {constant} : i1",
                        f"{name} = llvm.select {condition}, {other}, {constant} : i1, i1",
                        f"{name} = llvm.select {condition}, {constant}, {other} : i1, i1",
                    ]
                )
            )
            condition = name
        self.lines.append(f"llvm.cond_br {condition}, {yes}, {no}")

    def switch(self, width: int, value: str, stay: str, leave: str) -> None:
        """Adds a switch on the value with one or two cases, of which one exits."""
        cases = self.random.sample(range(-2, 8), self.random.randint(1, 2))
        default, *targets = [stay, leave, self.random.choice([stay, leave])][: len(cases) + 1]
        if self.chance(1, 4):
            default, targets[0] = targets[0], default
        listed = ", ".join(f"{c}: {t}" for c, t in zip(cases, targets))
        self.lines.append(f"llvm.switch {value} : i{width}, {default} [{listed}]")

    def compare(
        self, width: int, value: str, stay: str, leave: str, step: int
    ) -> tuple[str, str, str]:
        """Adds a comparison of the value and a branch to the two successors."""
        chance, choice = self.chance, self.random.choice
        name = f"%{self.fresh('c')}"
        predicate = choice(PREDICATES)
        if step and chance(5, 6):
            predicate = choice(RISING if step > 0 else FALLING)
            predicate = choice([predicate, "ne"] if abs(step) > 1 else [predicate, predicate, "ne"])
            a, b = (value, self.pick(width)) if chance(1, 2) else (value, choice(BOUNDS[width]))
            self.lines.append(f'{name} = llvm.icmp "{predicate}" {a}, {b} : i{width}')
            return name, stay, leave
        a, b = value, self.pick(width)
        if chance(1, 4):
            a, b = b, a
        self.lines.append(f'{name} = llvm.icmp "{predicate}" {a}, {b} : i{width}')
        return (name, stay, leave) if chance(1, 2) else (name, leave, stay)

    def loop(self, depth: int) -> None:
        chance, choice = self.chance, self.random.choice
        width = choice(WIDTHS)
        header, exit_ = f"^{self.fresh('loop')}", f"^{self.fresh('exit')}"
        counters = [(f"%{self.fresh('i')}", width)]
        if chance(1, 2):
            counters.append((f"%{self.fresh('j')}", choice(WIDTHS)))
        moving = chance(1, 4)
        starts = [self.pick(w) for _, w in counters]
        by = choice([1, 1, 1, 2, 3, -1, -2, 0])
        steps = [self.constant(width, by)] if by else [self.pick(width)]
        steps += [self.pick(w) for _, w in counters[1:]]
        cursor, moved = f"%{self.fresh('q')}", f"%{self.fresh('q')}"
        types = ", ".join([*(f"i{w}" for _, w in counters), *(["!llvm.ptr"] * moving)])
        begin = ", ".join([*starts, *([self.pointers[-1]] * moving)])
        self.lines.append(f"llvm.br {header}({begin} : {types})")
        arguments = [f"{n}: i{w}" for n, w in counters] + [f"{cursor}: !llvm.ptr"] * moving
        self.lines.append(f"{header}({', '.join(arguments)}):")
        outside, outside_pointers = list(self.scope), list(self.pointers)
        self.scope += counters
        self.pointers += [cursor] * moving
        top = chance(1, 3)
        if top:
            body = f"^{self.fresh('body')}"
            self.test(width, counters[0][0], body, exit_, by)
            self.lines.append(f"{body}:")
        self.ops()
        if chance(1, 5):
            self.call()
        if chance(1, 5):
            self.arm(exit_)
        if chance(1, 2):
            self.mirror(*choice(list(zip(counters, steps))))
        if depth and chance(1, 3):
            self.loop(depth - 1)
            self.ops()
        nexts: list[str] = []
        for (name, w), step in zip(counters, steps):
            flags = choice(FLAGS)
            a, b = (name, step) if chance(4, 5) else (step, name)
            if chance(1, 8):
                nexts.append(self.by_constant(name, w))
            else:
                nexts.append(self.add(f"llvm.add {a}, {b}{flags} : i{w}", w))
        if moving:
            if chance(1, 2):
                w = choice(WIDTHS)
                index = choice(BOUNDS[w]) if chance(1, 2) else self.pick(w)
                self.lines.append(
                    f"{moved} = llvm.getelementptr {cursor}[{index}] : "
                    f"(!llvm.ptr, i{w}) -> !llvm.ptr, i16"
                )
            else:
                self.lines.append(
                    f"{moved} = llvm.getelementptr {cursor}[3] : (!llvm.ptr) -> !llvm.ptr, i32"
                )
            self.pointers.append(moved)
            nexts.append(moved)
        if chance(1, 4):
            rest = f"^{self.fresh('rest')}"
            w = choice(WIDTHS)
            self.test(w, self.pick(w), rest, exit_)
            self.lines.append(f"{rest}:")
        again = f"{header}({', '.join(nexts)} : {types})"
        if top and chance(1, 2):
            self.lines.append(f"llvm.br {again}")
        else:
            tested = choice([nexts[0], counters[0][0]])
            self.test(width, tested, again, exit_, by)
        self.lines.append(f"{exit_}:")
        del self.scope[len(outside) :]
        self.pointers = outside_pointers

    def arm(self, leave: str) -> None:
        """Adds a branch into an arm that may exit: an exit that some iterations skip."""
        arm, rest = f"^{self.fresh('arm')}", f"^{self.fresh('rest')}"
        w = self.random.choice(WIDTHS)
        outside, outside_pointers = list(self.scope), list(self.pointers)
        self.test(w, self.pick(w), arm, rest)
        self.lines.append(f"{arm}:")
        self.ops()
        w = self.random.choice(WIDTHS)
        self.test(w, self.pick(w), rest, leave)
        self.lines.append(f"{rest}:")
        # Values and constants of the arm do not dominate the code after it; new ones are drawn.
        self.scope, self.pointers = outside, outside_pointers


def loop_function(seed: int) -> str:
    """Returns the text of a function of two i4, two i8 and a pointer, with loops.

    A third must make progress; in another third `%a` and `%x` are below `LIMIT` and `%b` and `%y` are 0 to
    `LIMIT` as well.
    """
    writer = _Writer(random.Random(seed))
    chance = writer.chance
    writer.scope = [("%a", 4), ("%b", 4), ("%x", 8), ("%y", 8)]
    writer.lines.append("%z = llvm.mlir.constant(0 : i8) : i8")
    if chance(1, 4):
        writer.lines.append("llvm.br ^first")
        writer.lines.append("^first:")
        w = writer.random.choice(WIDTHS)
        writer.test(w, writer.pick(w), "^go", "^stop")
        writer.lines.append("^stop:\nllvm.return\n^go:")
    for _ in range(writer.random.randint(1, 2)):
        writer.ops()
        writer.loop(writer.random.randint(0, 1))
    writer.ops()
    body = "\n".join(writer.lines)
    kind = writer.random.choice(["", "progress", "ranges"])
    progress = ' attributes {passthrough = ["mustprogress"]}' if kind == "progress" else ""

    def stated(width: int) -> str:
        bounds = f"#llvm.constant_range<i{width}, 0, {LIMIT}>"
        return f" {{llvm.range = {bounds}}}" if kind == "ranges" else ""

    arguments = ", ".join(
        f"%{name}: i{width}{stated(width)}" for name, width in zip("abxy", (4, 4, 8, 8))
    )
    body = body.replace("#none", NO_MEMORY)
    return (
        "llvm.func @maybe()\n"
        f"llvm.func @f({arguments}, %p: !llvm.ptr){progress} {{\n{body}\nllvm.return\n}}"
    )


def arguments_of(func: Operation, numbers: random.Random) -> list[int]:
    """Returns arguments for a function of `loop_function`, within its stated ranges."""
    found: list[int] = []
    for argument in list(func.regions[0].blocks[0].args)[:4]:
        bounds = argument_range(func, argument)
        full = 1 << integer_width(argument.type)
        found.append(numbers.randrange(full if bounds is None else bounds.umax() + 1))
    return [*found, POINTER]


class UndefinedError(Exception):
    """The program is undefined: it branched on poison or accessed a poison address."""


POINTER = 0x7F00
POINTER_BITS = 64


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _holds(predicate: int, a: int, b: int, width: int) -> bool:
    if 2 <= predicate <= 5:
        a, b = _signed(a, width), _signed(b, width)
        predicate += 4
    return [a == b, a != b, None, None, None, None, a < b, a <= b, a > b, a >= b][predicate] is True


_BY_CONSTANT: dict[str, Callable[[int, int, int], int]] = {
    "lshr": lambda a, b, width: a >> b,
    "ashr": lambda a, b, width: _signed(a, width) >> b,
    "shl": lambda a, b, width: a << b,
    "udiv": lambda a, b, width: a // b,
    "sdiv": lambda a, b, width: int(_signed(a, width) / _signed(b, width)),
    "and": lambda a, b, width: a & b,
    "or": lambda a, b, width: a | b,
    "xor": lambda a, b, width: a ^ b,
}


def _compute(op: Operation, state: dict[SSAValue, int | None]) -> int | None:
    """Returns the result of an op; None for poison."""
    constant = constant_number(op.results[0])
    width = integer_width(op.results[0].type) or POINTER_BITS
    mask = (1 << width) - 1
    if constant is not None:
        return constant & mask
    operands = [state[v] for v in op.operands]
    name = op.name.removeprefix("llvm.")
    if name == "select" and operands[0] is not None:
        return operands[1] if operands[0] else operands[2]
    if None in operands:
        return None
    numbers = [n for n in operands if n is not None]
    source = integer_width(op.operands[0].type) or POINTER_BITS
    if name == "icmp":
        return int(_holds(op.properties["predicate"].value.data, *numbers, source))
    if name in ("zext", "trunc"):
        return numbers[0] & mask
    if name == "sext":
        return _signed(numbers[0], source) & mask
    if name == "getelementptr":
        size = {"i16": 2, "i32": 4}[str(op.properties["elem_type"])]
        index = 3
        if len(op.operands) > 1:
            index = _signed(numbers[1], integer_width(op.operands[1].type))
        return numbers[0] + size * index & mask
    a, b = numbers
    if name in _BY_CONSTANT:
        return _BY_CONSTANT[name](a, b, width) & mask
    exact: Callable[[int, int], int] = {
        "add": lambda p, q: p + q, "sub": lambda p, q: p - q, "mul": lambda p, q: p * q,
    }[name]  # fmt: skip
    flags = overflow_flags(op)
    if flags & NUW and exact(a, b) & mask != exact(a, b):
        return None
    whole = exact(_signed(a, width), _signed(b, width))
    if flags & NSW and _signed(whole & mask, width) != whole:
        return None
    return whole & mask


@dataclass
class Visit:
    """A computed value, with the other values at that time, and the iteration of each enclosing loop."""

    value: SSAValue
    number: int | None
    rounds: dict[Loop, int]


@dataclass
class Stay:
    """A completed loop: the values at its entry, and its number of backedges."""

    loop: Loop
    state: dict[SSAValue, int | None]
    outer: dict[Loop, int]
    rounds: int
    left_from: Block | None
    """The exiting block; None if the run ended within."""
    last: dict[SSAValue, int | None]
    """The values at the exit."""


@dataclass
class Run:
    """The trace of a run; `states` holds the values at each visit.

    `ended` is true if a call did not return.
    """

    visits: list[Visit]
    states: list[dict[SSAValue, int | None]]
    stays: list[Stay]
    ended: bool = False


def run_loops(
    func: Operation,
    loops: LoopInfo,
    arguments: list[int],
    limit: int = 1000,
    returns: Callable[[], bool] = lambda: True,
) -> Run:
    """Runs a function of `loop_functions` for a number of blocks. Raises UndefinedError.

    Arguments:
        returns: whether the next call returns.
    """
    block: Block = func.regions[0].blocks[0]
    state: dict[SSAValue, int | None] = dict(zip(block.args, arguments))
    found = Run([], [], [])
    open_: list[Stay] = []
    for _ in range(limit):
        for op in list(block.ops)[:-1]:
            if op.name == "llvm.call":
                if not returns():
                    found.ended = True
                    break
                continue
            if op.name == "llvm.store":
                if state[op.operands[1]] is None:
                    raise UndefinedError
                continue
            _see(found, open_, state, op.results[0], _compute(op, state))
        last = block.last_op
        assert last is not None
        edges = edges_of(last)
        if not edges or found.ended:
            break
        target, values = edges[0]
        if len(edges) > 1:
            condition = state[last.operands[0]]
            if condition is None:
                raise UndefinedError
            target, values = edges[_taken(last, condition)]
        while open_ and not open_[-1].loop.contains(target):
            left = open_.pop()
            left.left_from = block
            left.last = dict(state)
            found.stays.append(left)
        loop = loops.loop_for(target)
        if loop is not None and loop.header is target:
            if open_ and open_[-1].loop is loop:
                open_[-1].rounds += 1
            else:
                outer = {s.loop: s.rounds for s in open_}
                open_.append(Stay(loop, dict(state), outer, 0, None, {}))
        brought = [state[v] for v in values]
        for argument, number in zip(target.args, brought):
            _see(found, open_, state, argument, number)
        block = target
    found.stays += open_
    return found


def _taken(branch: Operation, condition: int) -> int:
    """Returns the index of the edge that a branch or switch takes."""
    if branch.name == "llvm.cond_br":
        return 0 if condition else 1
    mask = (1 << integer_width(branch.operands[0].type)) - 1
    cases = [c & mask for c in integers_of(branch.properties["case_values"])]
    return 1 + cases.index(condition) if condition in cases else 0


def _see(
    found: Run, open_: list[Stay], state: dict[SSAValue, int | None], value: SSAValue,
    number: int | None,
) -> None:  # fmt: skip
    state[value] = number
    found.visits.append(Visit(value, number, {s.loop: s.rounds for s in open_}))
    found.states.append(dict(state))
