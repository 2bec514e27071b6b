"""Conditions of litmus tests on final values."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from nvvm_xdsl.lab.memory_model.events import Bits, Undefined

Values = Mapping[str, Bits]
Predicate = Callable[[Values], bool]

_TOKEN = re.compile(
    r"\s*(/\\|\\/|&&|\|\||==|!=|<=|>=|[=<>~!()]|\[?[\w.$]+(?:\s*:\s*[%\w.$]+)?\]?|$|.)"
)

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class ConditionError(ValueError):
    """The text is not a valid condition.

    Attributes:
        offset: offset of the error in the text.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True)
class Condition:
    """A quantifier and a predicate on outcomes.

    Attributes:
        quantifier: `exists`, `~exists` or `forall`.
        names: the registers and variables in the predicate. A comparison with a name without a
            value is false.
    """

    quantifier: str
    predicate: Predicate
    names: frozenset[str]
    text: str

    def holds(self, outcomes: Iterable[Values]) -> bool:
        """True if the outcomes satisfy the condition."""
        if self.quantifier == "forall":
            return all(self.predicate(values) for values in outcomes)
        return any(self.predicate(values) for values in outcomes) == (self.quantifier == "exists")


def parse_condition(text: str) -> Condition:
    """Parses `exists`, `~exists` or `forall` with a predicate. Raises ConditionError."""
    match = re.match(r"\s*(exists|~\s*exists|not\s+exists|forall)\b", text)
    if match is None:
        raise ConditionError("expected 'exists', '~exists' or 'forall'", 0)
    parser = _Parser(text, match.end())
    predicate = parser.disjunction()
    if parser.token:
        raise ConditionError(f"unexpected '{parser.token}' after the condition", parser.start)
    word = match[1]
    quantifier = word if word in ("exists", "forall") else "~exists"
    return Condition(quantifier, predicate, frozenset(parser.names), text.strip())


class _Parser:
    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.names: set[str] = set()
        self.advance()

    def advance(self) -> str:
        """Returns the current token and reads the next one."""
        before = getattr(self, "token", "")
        match = _TOKEN.match(self.text, self.at)
        assert match is not None
        self.token = match[1]
        self.start = match.start(1)
        self.at = match.end()
        return before

    def disjunction(self) -> Predicate:
        """Reads conjunctions separated by `\\/` or `||`."""
        found = self.conjunction()
        while self.token in ("\\/", "||"):
            self.advance()
            found = _either(found, self.conjunction())
        return found

    def conjunction(self) -> Predicate:
        """Reads negations separated by `/\\` or `&&`."""
        found = self.negation()
        while self.token in ("/\\", "&&"):
            self.advance()
            found = _both(found, self.negation())
        return found

    def negation(self) -> Predicate:
        """Reads a comparison, `true`, `false` or a condition in parentheses, negated or not.

        Raises:
            ConditionError: a parenthesis is not closed.
        """
        if self.token in ("~", "!", "not"):
            self.advance()
            inner = self.negation()
            return lambda values: not inner(values)
        if self.token == "(":
            self.advance()
            inner = self.disjunction()
            start = self.start
            if self.advance() != ")":
                raise ConditionError("expected ')'", start)
            return inner
        if self.token in ("true", "false"):
            value = self.advance() == "true"
            return lambda values: value
        return self.comparison()

    def comparison(self) -> Predicate:
        """Reads two terms with a comparison operator between them.

        Raises:
            ConditionError: there is no operator.
        """
        left = self.term()
        if self.token not in _OPERATORS:
            raise ConditionError("expected a comparison", self.start)
        compare = _OPERATORS[self.advance()]
        right = self.term()

        def holds(values: Values) -> bool:
            a, b = left(values), right(values)
            if a is None or b is None:
                return False
            # An undefined value satisfies every comparison that any value satisfies.
            return isinstance(a, Undefined) or isinstance(b, Undefined) or compare(a, b)

        return holds

    def term(self) -> Callable[[Values], Bits | None]:
        """Reads a number, register or variable; the function returns its value, None if it has none.

        Raises:
            ConditionError: the token is no name or number.
        """
        if not re.match(r"\[?[\w%.$-]", self.token):
            raise ConditionError("expected a register, variable or number", self.start)
        name = re.sub(r"\s", "", self.advance().strip("[]"))
        if name.isdigit() or name[:2] == "0x":
            number = int(name, 0 if name[:2] == "0x" else 10)
            return lambda values: number
        if re.match(r"\d+:", name):
            name = "P" + name
        self.names.add(name)
        return lambda values: values.get(name)


def _either(a: Predicate, b: Predicate) -> Predicate:
    return lambda values: a(values) or b(values)


def _both(a: Predicate, b: Predicate) -> Predicate:
    return lambda values: a(values) and b(values)
