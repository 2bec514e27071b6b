"""Types in a rule: positions that have equal types, and the constraints on them.

Each position of an expression belongs to a type class. Positions are unified if they have the same
letter in an op's row of `operators`, or if the same value occurs at both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nvvm_xdsl.rules.language import Apply, Const, Function, Literal, Node, Rule, Var

INTEGER, FLOAT, POINTER, ANY = "integer", "float", "pointer", ""

_KIND = {
    "I": INTEGER, "J": INTEGER, "B": INTEGER, "F": FLOAT, "G": FLOAT, "P": POINTER, "Q": POINTER,
}  # fmt: skip

_NAMED = {"ptr": POINTER, "half": FLOAT, "bf16": FLOAT, "float": FLOAT, "double": FLOAT}


class RuleTypeError(ValueError):
    """Contradictory types in a row, or a type that the row does not determine."""


@dataclass
class Typing:
    """The type classes of a rule.

    `left_only` has the classes that are unified by the left side alone. Types that only the right
    side unifies must be checked when the rule is matched.
    """

    parents: list[int] = field(default_factory=list[int])
    kinds: list[str] = field(default_factory=list[str])
    fixed: list[str] = field(default_factory=list[str])
    left_only: list[int] = field(default_factory=list[int])
    orders: list[tuple[str, int, int]] = field(default_factory=list[tuple[str, int, int]])
    left_fixed_classes: frozenset[int] = frozenset()
    _places: dict[str, int] = field(default_factory=dict[str, int])

    def find(self, number: int) -> int:
        """The representative of a unified class."""
        while self.parents[number] != number:
            number = self.parents[number]
        return number

    def of(self, path: str) -> int:
        """The class of a position: `l` and `r` are the sides, `l01` is operand 1 of operand 0."""
        return self.find(self._places[path])

    def left_class(self, path: str) -> int:
        """The class of a position of the left side, as determined by the left side alone."""
        return self.left_only[self._places[path]]

    def left_fixed(self, number: int) -> bool:
        """Returns True if the left side alone determines the type of a class."""
        return number in self.left_fixed_classes

    def new(self, kind: str = ANY, fixed: str = "") -> int:
        """A new class."""
        self.parents.append(len(self.parents))
        self.kinds.append(kind)
        self.fixed.append(fixed)
        return len(self.parents) - 1

    def classes(self) -> list[int]:
        """The classes of all positions."""
        return sorted({self.find(number) for number in self._places.values()})

    def join(self, a: int, b: int) -> None:
        """Unifies two classes."""
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        for mine in (self.kinds, self.fixed):
            if mine[a] and mine[b] and mine[a] != mine[b]:
                raise RuleTypeError(f"{mine[a]} is no {mine[b]}")
            mine[a] = mine[a] or mine[b]
        self.parents[b] = a

    def place(self, node: Node, path: str, values: dict[str, int]) -> int:
        """Assigns classes to a position and to all nested positions."""
        if isinstance(node, Apply):
            number = self._apply(node, path, values)
        elif isinstance(node, Var):
            number = self._shared(node.name, values)
            if node.type:
                self.join(number, self.new(_NAMED.get(node.type, INTEGER), node.type))
        elif isinstance(node, Const) and path[0] == "l":
            number = self._shared(node.name, values)
        elif isinstance(node, Literal) and node.type:
            number = self.new(INTEGER, node.type)
        else:
            number = self.new()
        self._places[path] = number
        return number

    def _shared(self, name: str, values: dict[str, int]) -> int:
        if name not in values:
            values[name] = self.new()
        return values[name]

    def _apply(self, node: Apply, path: str, values: dict[str, int]) -> int:
        letters: dict[str, int] = {}

        def of(letter: str) -> int:
            if letter not in letters:
                letters[letter] = self.new(_KIND.get(letter, ANY), "i1" if letter == "B" else "")
            return letters[letter]

        for index, (letter, arg) in enumerate(zip(node.op.operands, node.args)):
            self.join(of(letter), self.place(arg, f"{path}{index}", values))
        result = of(node.op.result)
        if node.op.order:
            self.orders.append((node.op.order, of(node.op.operands[0]), result))
        if node.like:
            self.join(result, values[node.like])
        if node.name:
            values[node.name] = result
        return result


def typing_of(rule: Rule) -> Typing:
    """The type classes of a rule. Raises RuleTypeError."""
    types = Typing()
    values: dict[str, int] = {}
    root = types.place(rule.left, "l", values)
    types.left_only = [types.find(n) for n in range(len(types.parents))]
    types.left_fixed_classes = frozenset(n for n in types.left_only if types.fixed[n])
    if not isinstance(rule.right, Function):
        types.join(root, types.place(rule.right, "r", values))
        types.left_only += [-1] * (len(types.parents) - len(types.left_only))
    return types
