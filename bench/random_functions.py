"""Random loop-free functions for translation validation, each determined by a seed.

Unlike random kernels (`nvvm-fuzz`), these functions may produce poison and undef, have undefined behaviour for
some inputs, and return a value: a proof of refinement covers these cases, an execution does not.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

WIDTHS = (1, 8, 8, 16, 32)
"""Integer types, with the frequent ones repeated."""
MOST_OPS = 60
_FLAGS = {"add": ("nsw", "nuw"), "sub": ("nsw", "nuw"), "mul": ("nsw", "nuw"), "shl": ("nsw", "nuw"),
          "lshr": ("exact",), "ashr": ("exact",), "udiv": ("exact",), "sdiv": ("exact",),
          "or": ("disjoint",)}  # fmt: skip
_BINARY = ("add", "sub", "and", "or", "xor", "shl", "lshr", "ashr", "add", "sub", "and", "mul",
           "udiv", "sdiv", "urem", "srem")  # fmt: skip
_PREDICATES = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge")
_MINIMA = ("umin", "umax", "smin", "smax")
_NUMBERS = (0, 1, 2, 3, 4, 7, 8, -1, -2, 15, 127)


@dataclass
class _Function:
    """A function under construction.

    Arguments:
        chance: the source of its choices.
        lines: its text so far.
        values: the names of values by width that are available at the end of the text.
        pointers: the available addresses.
    """

    chance: random.Random
    lines: list[str] = field(default_factory=list[str])
    values: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    pointers: list[str] = field(default_factory=list[str])
    declared: dict[str, str] = field(default_factory=dict[str, str])
    """The declarations of intrinsics, by name."""
    count: int = 0
    blocks: int = 0
    block: str = "entry"

    def name(self) -> str:
        """A new value name."""
        self.count += 1
        return f"%v{self.count}"

    def define(self, width: int, text: str) -> str:
        """Adds an op with a result."""
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(width, []).append(name)
        return name

    def value(self, width: int) -> str:
        """An available value or a constant."""
        chance = self.chance
        known = self.values.get(width)
        if known and chance.random() < 0.75:
            return chance.choice(known[-6:] if chance.random() < 0.6 else known)
        if chance.random() < 0.04:
            return chance.choice(("undef", "poison"))
        if width == 1:
            return chance.choice(("true", "false")) if not known else chance.choice(known)
        number = chance.choice(_NUMBERS) if chance.random() < 0.8 else chance.randrange(1 << width)
        return str(number if number < 1 << (width - 1) else number - (1 << width))

    # Statements.

    def statement(self) -> None:
        """Adds one statement."""
        chance = self.chance
        choices = [self._binary] * 8 + [self._compare] * 3 + [self._select] * 2 + [self._cast] * 3
        choices += [self._memory] * 4 + [self._minimum, self._freeze, self._funnel]
        chance.choice(choices)()

    def _binary(self) -> None:
        chance = self.chance
        width = chance.choice(WIDTHS)
        op = chance.choice(_BINARY if width > 1 else ("and", "or", "xor"))
        if width > 8 and op in ("mul", "udiv", "sdiv", "urem", "srem") and chance.random() < 0.7:
            op = "add"
        flags = "".join(f" {f}" for f in _FLAGS.get(op, ()) if chance.random() < 0.3)
        self.define(width, f"{op}{flags} i{width} {self.value(width)}, {self.value(width)}")

    def _compare(self) -> None:
        width = self.chance.choice(WIDTHS)
        predicate = self.chance.choice(_PREDICATES)
        self.define(1, f"icmp {predicate} i{width} {self.value(width)}, {self.value(width)}")

    def _select(self) -> None:
        width = self.chance.choice(WIDTHS)
        a, b = self.value(width), self.value(width)
        self.define(width, f"select i1 {self.value(1)}, i{width} {a}, i{width} {b}")

    def _cast(self) -> None:
        chance = self.chance
        small, large = sorted(chance.sample(sorted(set(WIDTHS)), 2))
        if chance.random() < 0.4:
            flags = "".join(f" {f}" for f in ("nuw", "nsw") if chance.random() < 0.2)
            self.define(small, f"trunc{flags} i{large} {self.value(large)} to i{small}")
        else:
            op = chance.choice(("zext", "sext", "zext nneg"))
            self.define(large, f"{op} i{small} {self.value(small)} to i{large}")

    def _intrinsic(self, width: int, name: str, arguments: list[str]) -> None:
        types = ", ".join(a.rsplit(" ", 1)[0] for a in arguments)
        self.declared[name] = f"declare i{width} @llvm.{name}({types})"
        self.define(width, f"call i{width} @llvm.{name}({', '.join(arguments)})")

    def _minimum(self) -> None:
        width = self.chance.choice((8, 32))
        operands = [f"i{width} {self.value(width)}" for _ in range(2)]
        if self.chance.random() < 0.3:
            flag = self.chance.choice(("true", "false"))
            self._intrinsic(width, f"abs.i{width}", [operands[0], f"i1 {flag}"])
        else:
            self._intrinsic(width, f"{self.chance.choice(_MINIMA)}.i{width}", operands)

    def _funnel(self) -> None:
        width = self.chance.choice((8, 32))
        operands = [f"i{width} {self.value(width)}" for _ in range(3)]
        self._intrinsic(width, f"{self.chance.choice(('fshl', 'fshr'))}.i{width}", operands)

    def _freeze(self) -> None:
        width = self.chance.choice(WIDTHS)
        self.define(width, f"freeze i{width} {self.value(width)}")

    def _memory(self) -> None:
        chance = self.chance
        pointer = chance.choice(self.pointers)
        width = chance.choice((8, 8, 16, 32))
        kind = chance.random()
        if kind < 0.2:
            name = self.name()
            flag = chance.choice(("", " inbounds"))
            self.lines.append(
                f"  {name} = getelementptr{flag} i8, ptr {pointer}, i64 {chance.randrange(4)}"
            )
            self.pointers.append(name)
        elif kind < 0.25:
            name = self.name()
            other = chance.choice(self.pointers)
            self.lines.append(f"  {name} = select i1 {self.value(1)}, ptr {pointer}, ptr {other}")
            self.pointers.append(name)
        elif kind < 0.6:
            volatile = " volatile" if chance.random() < 0.05 else ""
            self.define(width, f"load{volatile} i{width}, ptr {pointer}, align 1")
        else:
            volatile = " volatile" if chance.random() < 0.05 else ""
            self.lines.append(
                f"  store{volatile} i{width} {self.value(width)}, ptr {pointer}, align 1"
            )

    # Control flow.

    def region(self, statements: int, depth: int) -> None:
        """Adds statements, some of them conditionals or switches."""
        for _ in range(statements):
            if len(self.lines) > MOST_OPS:
                return
            if depth and self.chance.random() < 0.2:
                self._branches(depth - 1)
            else:
                self.statement()

    def _label(self) -> str:
        self.blocks += 1
        return f"b{self.blocks}"

    def _branches(self, depth: int) -> None:
        """Adds a conditional or a switch with one to three arms, and their join."""
        chance = self.chance
        join = self._label()
        arms = [self._label() for _ in range(chance.choice((1, 2, 2, 3)))]
        edges = [*arms] if len(arms) > 1 else [*arms, join]
        chance.shuffle(edges)
        if len(edges) == 2:
            self.lines.append(f"  br i1 {self.value(1)}, label %{edges[0]}, label %{edges[1]}")
        else:
            width = chance.choice((8, 32))
            cases = chance.sample(range(6), len(edges) - 1)
            rows = " ".join(f"i{width} {n}, label %{e}" for n, e in zip(cases, edges[1:]))
            self.lines.append(
                f"  switch i{width} {self.value(width)}, label %{edges[0]} [ {rows} ]"
            )
        source = self.block
        before = {w: list(v) for w, v in self.values.items()}
        pointers = list(self.pointers)
        incoming: list[tuple[str, dict[int, list[str]]]] = []
        if join in edges:
            incoming.append((source, {w: list(v) for w, v in before.items()}))
        for arm in arms:
            self.values = {w: list(v) for w, v in before.items()}
            self.pointers = list(pointers)
            self.lines.append(f"{arm}:")
            self.block = arm
            self.region(chance.randrange(4), depth)
            if chance.random() < 0.06:
                self.lines.append("  unreachable" if chance.random() < 0.3 else self._return())
            else:
                self.lines.append(f"  br label %{join}")
                incoming.append((self.block, self.values))
        self.values, self.pointers = before, pointers
        if not incoming:
            incoming.append((source, {w: list(v) for w, v in before.items()}))
            self.lines[self.lines.index(f"{arms[0]}:") - 1] = f"  br label %{join}"
            del self.lines[self.lines.index(f"{arms[0]}:") :]
        self.lines.append(f"{join}:")
        self.block = join
        for _ in range(chance.randrange(3)):
            width = chance.choice(WIDTHS)
            sent: list[str] = []
            for block, known in incoming:
                self.values = known
                sent.append(f"[ {self.value(width)}, %{block} ]")
            self.values = before
            self.define(width, f"phi i{width} {', '.join(sent)}")

    def _return(self) -> str:
        return f"  ret i32 {self.value(32)}"

    def text(self, statements: int) -> str:
        """The module."""
        arguments = ["ptr %p", "ptr %q"]
        self.pointers += ["%p", "%q"]
        for number, width in enumerate((1, 8, 8, 16, 32, 32)):
            noundef = " noundef" if self.chance.random() < 0.7 else ""
            arguments.append(f"i{width}{noundef} %a{number}")
            self.values.setdefault(width, []).append(f"%a{number}")
        for _ in range(self.chance.randrange(3)):
            name = self.name()
            self.lines.append(f"  {name} = alloca i{self.chance.choice((8, 32, 64))}")
            self.pointers.append(name)
        self.region(statements, 2)
        # The result depends on several values.
        total = self.value(32)
        for width, known in sorted(self.values.items()):
            last = known[-1]
            if width < 32:
                last = self.define(32, f"zext i{width} {last} to i32")
            total = self.define(32, f"xor i32 {total}, {last}")
        self.lines.append(f"  ret i32 {total}")
        head = "".join(f"{line}\n" for line in self.declared.values())
        body = "\n".join(self.lines)
        return f"{head}define i32 @f({', '.join(arguments)}) {{\nentry:\n{body}\n}}\n"


def random_function(seed: int) -> str:
    """The LLVM assembly of a function `@f` of at most about `MOST_OPS` ops."""
    chance = random.Random(f"function {seed}")
    return _Function(chance).text(chance.choice((4, 6, 8, 12, 16)))
