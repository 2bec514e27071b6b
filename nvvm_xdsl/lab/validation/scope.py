"""State that the encoders of ops share: variables, definitions, undefined behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import (
    FIRST_LOCAL,
    NEVER,
    ORIGIN_BITS,
    Leaf,
    Term,
    UnsupportedError,
    either,
    width_of_scalar,
)

VARIES = "varies"
"""The second use of an operand that must not be undef."""


@dataclass
class Inputs:
    """Inputs that both functions share: variables by name, and assumptions about them.

    Arguments:
        layout: the data layout.
        has_undef: whether bits of arguments and of memory may be undef.
        has_origins: whether origins of pointers are compared.
        assumptions: conditions that hold for all inputs.
        variables: variables by name, which counterexamples show.
    """

    layout: DataLayout
    has_undef: bool = True
    has_origins: bool = True
    assumptions: list[Term] = field(default_factory=list[Any])
    variables: dict[str, Term] = field(default_factory=dict[str, Any])

    def bits(self, name: str, width: int) -> Term:
        """A bit vector that has the same value in both functions."""
        return self.variables.setdefault(name, z3.BitVec(name, width))

    def condition(self, name: str) -> Term:
        """A Boolean that has the same value in both functions."""
        return self.variables.setdefault(name, z3.Bool(name))


class Choice(NamedTuple):
    """A variable that a function chooses.

    Arguments:
        variable: the variable.
        kind: identifies the value for which it is chosen. Choices of the two functions for the same
            input have the same kind.
        uses: the op that chose, and the ops through which its result was used since then.
        use: the number of the use. A use of merged values renames the choices of all of them.
    """

    variable: Term
    kind: str
    uses: tuple[str, ...]
    use: int


MOST_CHOICES = 250
"""Maximum number of choices of one function. Nested uses of undef bits multiply them."""


class TooManyChoicesError(UnsupportedError):
    """The function chooses undef bits too often."""


class Undef(NamedTuple):
    """A scalar some of whose bits are undef.

    Arguments:
        bits: the bits that are not undef.
        mask: the bits that are.
    """

    bits: Term
    mask: Term

    @property
    def kind(self) -> str:
        """The kind of the choices for these bits."""
        return f"undef {self.mask.hash()}"


@dataclass
class Scope:
    """A function during its encoding.

    Arguments:
        inputs: shared with the other function.
        is_target: whether this is the optimized function.
        choices: variables that this function may choose: undef, freeze, NaN payloads.
        weak: reasons why a failed proof does not refute: facts of the function that the encoding
            ignores.
        path: the condition under which the current op runs.
        ub: the condition of undefined behaviour in the current block.
        consumer: the op that is encoded.
        usual: terms for choices that the other function may lack, by the variable.
    """

    inputs: Inputs
    is_target: bool
    choices: list[Choice] = field(default_factory=list[Choice])
    weak: dict[str, None] = field(default_factory=dict[str, None])
    path: Term = NEVER
    ub: Term = NEVER
    consumer: str = ""
    usual: dict[int, Term] = field(default_factory=dict[int, Any])
    _undefs: dict[int, Undef] = field(default_factory=dict[int, Undef])
    _uses: dict[int, tuple[str, ...]] = field(default_factory=dict[int, Any])
    _kinds: dict[int, str] = field(default_factory=dict[int, str])
    _count: int = 0
    _use: int = 0

    @property
    def layout(self) -> DataLayout:
        """The data layout."""
        return self.inputs.layout

    def fresh(self, kind: str, width: int, again: Term | None = None) -> Term:
        """A new variable that this function chooses, for another use of a value if one is given."""
        if len(self.choices) >= MOST_CHOICES:
            raise TooManyChoicesError(f"more than {MOST_CHOICES} choices of undef bits")
        self._count += 1
        side = "after" if self.is_target else "before"
        found = z3.BitVec(f"{side}.{kind}.{self._count}", width)
        earlier = () if again is None else self._uses.get(again.get_id(), ())
        uses = self._uses[found.get_id()] = (*earlier, self.consumer)
        self._kinds[found.get_id()] = kind
        self.choices.append(Choice(found, kind, uses, self._use))
        return found

    def undefined(self, condition: Term) -> None:
        """Adds undefined behaviour under the condition that the current op runs and `condition` is
        true."""
        if not z3.is_false(condition):
            self.ub = either(self.ub, z3.And(self.path, condition))

    def ignore(self, reason: str) -> None:
        """Ignores a fact of the original, which makes the claim stronger.

        Raises UnsupportedError in the optimized function, where it would make the claim weaker.
        """
        if self.is_target:
            raise UnsupportedError(reason)
        self.weak[reason] = None

    def approximate(self, reason: str) -> None:
        """Records that an op is represented by an unknown function of its operands; refutations are
        then invalid."""
        self.weak[reason] = None

    def undef(self, width: int) -> Leaf:
        """A new undef scalar."""
        zero, ones = z3.BitVecVal(0, width), z3.BitVecVal(-1, width)
        return self.partly_undef(Undef(zero, ones), NEVER)

    def partly_undef(self, undef: Undef, poison: Term) -> Leaf:
        """A scalar some of whose bits are undef."""
        variable = self._renamed(undef)
        return Leaf(_merged(undef, variable), poison, (variable,))

    def _renamed(self, undef: Undef, again: Term | None = None) -> Term:
        variable = self.fresh(undef.kind, undef.bits.size(), again)
        self._undefs[variable.get_id()] = undef
        return variable

    def undef_of(self, leaf: Leaf) -> Undef | None:
        """The undef bits of a scalar; None if they are unknown because other bits depend on
        them."""
        if not leaf.undef:
            return Undef(leaf.bits, z3.BitVecVal(0, leaf.bits.size()))
        if len(leaf.undef) == 1:
            (variable,) = leaf.undef
            found = self._undef_bits_of(variable)
            if leaf.bits.eq(_merged(found, variable)):
                return found
        return None

    def use(self, leaf: Leaf) -> Leaf:
        """The leaf for one use as an operand: each use of undef yields another number."""
        (found,) = self.use_all((leaf,))
        return found

    def use_all(self, leaves: Sequence[Leaf]) -> tuple[Leaf, ...]:
        """The leaves of one value for one use as an operand."""
        pairs = self.renaming(all_undef(leaves))
        return tuple(renamed(leaf, pairs) if leaf.undef else leaf for leaf in leaves)

    def varies(self, leaf: Leaf) -> Term:
        """Whether two uses of the leaf may read different numbers."""
        if not leaf.undef:
            return NEVER
        found = self.undef_of(leaf)
        if found is not None:
            return z3.simplify(found.mask != 0)
        consumer, self.consumer = self.consumer, VARIES
        other = self.use(leaf)
        self.consumer = consumer
        return leaf.bits != other.bits

    def renaming(self, undef: Sequence[Term]) -> list[tuple[Term, Term]]:
        """A new variable for each variable of undef bits."""
        self._use += 1
        pairs = [(u, self._chosen_again(u)) for u in undef]
        for old, new in pairs:
            if old.get_id() in self.usual:
                self.usual[new.get_id()] = z3.substitute(self.usual[old.get_id()], *pairs)
        return pairs

    def _chosen_again(self, variable: Term) -> Term:
        """A new variable for another use of undef bits, or of a NaN or the sign of a zero."""
        number = variable.get_id()
        if number in self._undefs:
            return self._renamed(self._undefs[number], variable)
        return self.fresh(self._kinds[number], variable.size(), variable)

    def _undef_bits_of(self, variable: Term) -> Undef:
        """The undef bits that a variable chooses: all bits of an undef scalar or a NaN payload."""
        width = variable.size()
        whole = Undef(z3.BitVecVal(0, width), z3.BitVecVal(-1, width))
        return self._undefs.get(variable.get_id(), whole)


def input_leaf(scope: Scope, name: str, type_: Attribute, *, may_be_undef: bool = True) -> Leaf:
    """A scalar input of both functions: any bits, poison, undef bits, any origin."""
    inputs = scope.inputs
    bits = inputs.bits(name, width_of_scalar(type_, inputs.layout))
    leaf = Leaf(bits, inputs.condition(f"{name} is poison"))
    if may_be_undef and inputs.has_undef:
        mask = inputs.bits(f"undef bits of {name}", bits.size())
        leaf = scope.partly_undef(Undef(bits, mask), leaf.poison)
    if not isinstance(type_, LLVMPointerType):
        return leaf
    origin = inputs.bits(f"origin of {name}", ORIGIN_BITS)
    inputs.assumptions.append(z3.ULT(origin, FIRST_LOCAL))
    return replace(leaf, origin=origin)


def _merged(undef: Undef, variable: Term) -> Term:
    if z3.is_bv_value(undef.mask) and undef.mask.as_signed_long() == -1:
        return variable
    return (undef.bits & ~undef.mask) | (variable & undef.mask)


def renamed(leaf: Leaf, pairs: Sequence[tuple[Term, Term]]) -> Leaf:
    """The leaf with other variables of undef bits."""
    names = {old.get_id(): new for old, new in pairs}
    return replace(
        leaf,
        bits=z3.substitute(leaf.bits, *pairs),
        poison=z3.substitute(leaf.poison, *pairs),
        undef=tuple(names.get(u.get_id(), u) for u in leaf.undef),
        objects={key: z3.substitute(c, *pairs) for key, c in leaf.objects.items()},
        origin=None if leaf.origin is None else z3.substitute(leaf.origin, *pairs),
    )


def any_poison(leaves: Sequence[Leaf]) -> Term:
    """Whether one of the leaves is poison."""
    found = NEVER
    for leaf in leaves:
        found = either(found, leaf.poison)
    return found


def all_undef(leaves: Sequence[Leaf]) -> tuple[Term, ...]:
    """The undef variables of all leaves."""
    if not any(leaf.undef for leaf in leaves):
        return ()
    return tuple(dict.fromkeys(u for leaf in leaves for u in leaf.undef))
