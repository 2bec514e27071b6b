"""Compilation of rules to Python functions.

The shape of a rule consists of the classes of the op and of its operands' defining ops. When the
first op of this shape occurs, the rule is compiled to a function. The function receives the op and
its operands, and returns the replacement of the op's result or None:

    def match(op, cx, v0, v1):              # (add (sub x y) y) => x
      v00, v01 = operands_of(v0.owner)
      if v1 is not v01: return None
      return v00
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Protocol, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, UnitAttr
from xdsl.dialects.llvm import ConstantOp, FastMathAttr
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import number_of
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES, PoisonOp
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, fast_math_flags, overflow_flags
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, UNIT, float_attr, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules import computed, predicates
from nvvm_xdsl.rules.language import (
    Apply,
    Computed,
    Const,
    Function,
    Literal,
    Node,
    Rule,
    Special,
    Var,
    predicates_of,
)
from nvvm_xdsl.rules.operators import INVERSE, SWAPPED, UNSIGNED, operators
from nvvm_xdsl.rules.typing import FLOAT, Typing, typing_of

OVERFLOW = tuple(int_attr(n, I32) for n in range(4))
"""The attribute of each combination of overflow flags, by their bits."""


class Context(Protocol):
    """Creates the constants that matched rules use; a function's `Constants` is an
    implementation.
    """

    def integer(self, number: int, type_: Attribute) -> SSAValue:
        """The integer constant, wrapped into the type."""
        ...

    def attribute(self, attribute: Attribute, type_: Attribute) -> SSAValue:
        """The constant with this value."""
        ...

    def zero(self, type_: Attribute) -> SSAValue:
        """The zero constant of the type."""
        ...

    def undef(self, type_: Attribute) -> SSAValue:
        """An undef value of the type."""
        ...

    def poison(self, type_: Attribute) -> SSAValue:
        """A poison value of the type."""
        ...


Match: TypeAlias = Callable[..., "SSAValue | None"]
"""A matcher: returns the replacement of the op's result from the op, the context and the
operands."""

Shape: TypeAlias = tuple["frozenset[type] | None", ...]
"""The possible classes of each operand's defining op; None for any."""

_SPECIAL: dict[str, frozenset[type[Operation]]] = {
    "null": frozenset({llvm.ZeroOp}),
    "undef": UNDEFINED_CLASSES,
    "poison": frozenset({PoisonOp}),
}
_NUMBERS: frozenset[type[Operation]] = frozenset({ConstantOp})

_TYPE_NAMES = {"i1": "I1", "i8": "I8", "i16": "I16", "i32": "I32", "i64": "I64", "i128": "I128",
               "ptr": "PTR", "half": "F16", "bf16": "BF16", "float": "F32", "double": "F64"}  # fmt: skip

FLAG_PROPERTIES = {"exact": "isExact", "disjoint": "isDisjoint", "nneg": "nonNeg"}
TRUTH_PROPERTIES = {"zero_poison": "is_zero_poison", "int_min_poison": "is_int_min_poison"}
OVERFLOW_BITS = {"nsw": NSW, "nuw": NUW}


def fast_flags(op: Operation) -> frozenset[FastMathFlag]:
    """The fast-math flags of an op."""
    return fast_math_flags(op)


def has_truth(op: Operation, name: str) -> bool:
    """Returns True if an i1 property is true."""
    attribute = op.properties.get(name)
    return attribute is not None and bool(number_of(attribute))


def is_negative_zero(number: float) -> bool:
    """Returns True if a float is -0.0."""
    return number == 0.0 and str(number)[0] == "-"


def shape_of(left: Apply) -> Shape:
    """The possible classes of the defining ops of the operands of a rule's root."""
    if left.op.variadic:
        return ()
    found: list[frozenset[type] | None] = []
    for arg in left.args:
        if isinstance(arg, Apply):
            found.append(frozenset({arg.op.cls}))
        elif isinstance(arg, Const | Literal):
            found.append(_NUMBERS)
        else:
            found.append(_SPECIAL[arg.name] if isinstance(arg, Special) else None)
    return tuple(found)


_NAMESPACE: dict[str, Any] = {
    **{name: value for name, value in vars(predicates).items() if name[0] != "_"},
    **{name: value for name, value in vars(computed).items() if name[0] != "_"},
    **{name: getattr(types, name) for name in _TYPE_NAMES.values()},
    "operands_of": fast.operands_of,
    "single_use": fast.single_use,
    "overflow_flags": overflow_flags,
    "fast_flags": fast_flags,
    "has_truth": has_truth,
    "is_negative_zero": is_negative_zero,
    "ConstantOp": ConstantOp,
    "IntegerAttr": IntegerAttr,
    "IntegerType": IntegerType,
    "FloatAttr": FloatAttr,
    "FastMathAttr": FastMathAttr,
    "UnitAttr": UnitAttr,
    "UNIT": UNIT,
    "int_attr": int_attr,
    "float_attr": float_attr,
    "INVERSE": INVERSE,
    "SWAPPED": SWAPPED,
    "UNSIGNED": UNSIGNED,
    "OVERFLOW": OVERFLOW,
    "TRUTH": (int_attr(0, I1), int_attr(1, I1)),
    "PREDICATE": tuple(int_attr(n, I64) for n in range(16)),
    "FAST": {str(flag.value): flag for flag in FastMathFlag},
}


@cache
def namespace() -> dict[str, Any]:
    """The names that compiled rules use."""
    classes = {op.cls for op in operators().values()}.union(*_SPECIAL.values())
    return {**_NAMESPACE, **{_class_name(cls): cls for cls in classes}}


def _class_name(cls: type) -> str:
    return f"_c_{cls.__name__}"


def compile_rule(rule: Rule) -> CodeType:
    """The code of the function of a rule, for an op that has its shape."""
    module = compile(_Writer(rule).source(), f"<rule {rule.name}>", "exec")
    return next(constant for constant in module.co_consts if isinstance(constant, CodeType))


def function_of(code: CodeType) -> Match:
    """The function of a compiled rule."""
    return FunctionType(code, namespace())


def source_of(rule: Rule) -> str:
    """The Python source of a rule."""
    return _Writer(rule).source()


def nodes_with_paths(node: Node, path: str) -> Iterator[tuple[Node, str]]:
    """The nodes of an expression, each with its path: that of its parent and its index."""
    yield node, path
    if isinstance(node, Apply):
        for index, arg in enumerate(node.args):
            yield from nodes_with_paths(arg, f"{path}{index}")


_WIDTH = re.compile(r"\bwidth\b(?!\()")
_OF_SIGNED = re.compile(r"\bs\((\w+)\)")
_OF_FLOATS = re.compile(r"\b(rounded_\w+|exact_reciprocal)\(([^()]*?)(\w+)\)")


def condition_source(text: str) -> str:
    """A condition or computed constant as Python source.

    `s` gets the constant's width as an argument, and functions that round get the type of their
    last operand. The widths of constants are named `C_w`, the types of floats `C_t`."""
    text = _OF_SIGNED.sub(r"signed(\1, \1_w)", text)
    return _OF_FLOATS.sub(r"\1(\2\3, \3_t)", text)


class _Writer:
    """Generates the function of one rule."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.types: Typing = typing_of(rule)
        self.lines: list[str] = []
        self.values: dict[str, str] = {}
        self.owners: list[tuple[Apply, str]] = []
        self.type_of: dict[int, str] = {}
        self.numbers: dict[int, str] = {}
        self.literals: dict[tuple[int, str], str] = {}
        self.count = 0

    def line(self, text: str) -> None:
        """Adds a line to the body."""
        self.lines.append(f"  {text}")

    def unless(self, condition: str) -> None:
        """Returns None unless the condition holds."""
        self.line(f"if not ({condition}): return None")

    def source(self) -> str:
        """Returns the source of the matching function."""
        rule = self.rule
        left = rule.left
        names = ["_l*"] if left.op.variadic else [f"_l{i}" for i in range(len(left.args))]
        parameters = ", ".join(n if n[-1] != "*" else f"*{n[:-1]}" for n in names)
        self.type_of[self.types.left_class("l")] = "op.results[0].type"
        self._root(left)
        if isinstance(rule.right, Function):
            self.line(f"return {rule.right.name}(op, cx)")
        else:
            self._check_types()
            self._check_condition()
            self.line(f"return {self._build(rule.right, 'r')}")
        return f"def match(op, cx, {parameters}):\n" + "\n".join(self.lines) + "\n"

    # Matching.

    def _root(self, left: Apply) -> None:
        self._flags(left, "op")
        if left.name:
            self.values[left.name] = left.name
            self.line(f"{left.name} = op.results[0]")
        if not left.op.variadic:
            self._operands(left, "l", shaped=True)

    def _operands(self, node: Apply, path: str, shaped: bool) -> None:
        # The cheapest checks come first: constants and values, then nested ops.
        places = sorted(range(len(node.args)), key=lambda i: (isinstance(node.args[i], Apply), i))
        for index in places:
            self._bind(node.args[index], f"{path}{index}", shaped)

    def _bind(self, node: Node, path: str, shaped: bool) -> None:
        name = f"_{path}"
        self.type_of.setdefault(self.types.left_class(path), f"{name}.type")
        if isinstance(node, Var):
            if node.name in self.values:
                self.unless(f"{name} is {node.name}")
                return
            self.values[node.name] = node.name
            self.line(f"{node.name} = {name}")
            if node.type:
                self.unless(f"{name}.type is {_TYPE_NAMES[node.type]}")
        elif isinstance(node, Special):
            if not shaped:
                classes = [_class_name(cls) for cls in _SPECIAL[node.name]]
                self.unless(f"type({name}.owner) in ({', '.join(classes)},)")
        elif isinstance(node, Const | Literal):
            self._number(node, path, shaped)
        elif isinstance(node, Apply):
            owner = f"_o{path}"
            self.line(f"{owner} = {name}.owner")
            if not shaped:
                self.unless(f"type({owner}) is {_class_name(node.op.cls)}")
            if node.once:
                self.unless(f"single_use({name}) is not None")
            self._flags(node, owner)
            if node.name:
                self.values[node.name] = node.name
                self.line(f"{node.name} = {name}")
            inner = [f"_{path}{i}" for i in range(len(node.args))]
            self.line(f"{', '.join(inner)}, = operands_of({owner})")
            self._operands(node, path, shaped=False)

    def _number(self, node: Const | Literal, path: str, shaped: bool) -> None:
        name, attribute = f"_{path}", f"_a{path}"
        self.line(f"{attribute} = {name}.owner")
        if not shaped:
            self.unless(f"type({attribute}) is ConstantOp")
        self.line(f'{attribute} = {attribute}.properties["value"]')
        if self.types.kinds[self.types.of(path)] == FLOAT:
            self._float(node, path, attribute)
            return
        self.unless(f"type({attribute}) is IntegerAttr")
        width = f"_w{path}"
        self.line(f"{width} = {attribute}.type.width.data")
        number = f"{attribute}.value.data & ((1 << {width}) - 1)"
        if isinstance(node, Literal):
            # 0 needs no mask.
            wanted = int(node.value)
            self.unless(
                f"{attribute}.value.data == 0"
                if wanted == 0
                else f"({number}) == {wanted} & ((1 << {width}) - 1)"
            )
            if node.type:
                self.unless(f"{width} == 1")
            self.literals.setdefault((self.types.left_class(path), repr(node.value)), name)
        elif node.name in self.values:
            self.unless(f"({number}) == {node.name} and {width} == {node.name}_w")
        else:
            self.values[node.name] = name
            self.line(f"{node.name} = {number}; {node.name}_w = {width}")
        self.numbers.setdefault(self.types.left_class(path), width)

    def _float(self, node: Const | Literal, path: str, attribute: str) -> None:
        self.unless(f"type({attribute}) is FloatAttr")
        number = f"{attribute}.value.data"
        if isinstance(node, Literal):
            value = float(node.value)
            self.unless(f'{number} == float("{value}")')
            if value == 0.0:
                negated = "" if str(value)[0] == "-" else "not "
                self.unless(f"{negated}is_negative_zero({number})")
            self.literals.setdefault((self.types.left_class(path), repr(value)), f"_{path}")
        elif node.name in self.values:
            self.unless(f"{number}.hex() == {node.name}.hex()")
        else:
            self.values[node.name] = f"_{path}"
            self.line(f"{node.name} = {number}; {node.name}_t = {attribute}.type")

    def _flags(self, node: Apply, owner: str) -> None:
        self.owners.append((node, owner))
        overflow = sum(OVERFLOW_BITS.get(flag, 0) for flag in node.flags)
        if overflow:
            self.unless(f"overflow_flags({owner}) & {overflow} == {overflow}")
        for flag in sorted(node.flags - set(OVERFLOW_BITS)):
            if flag in FLAG_PROPERTIES:
                self.unless(f'"{FLAG_PROPERTIES[flag]}" in {owner}.properties')
            elif flag in TRUTH_PROPERTIES:
                self.unless(f'has_truth({owner}, "{TRUTH_PROPERTIES[flag]}")')
            else:
                self.unless(f'FAST["{flag}"] in fast_flags({owner})')
        if node.predicate:
            known = predicates_of(node.op)
            number = f'{owner}.properties["predicate"].value.data'
            if node.swapped:
                number = f'SWAPPED["{"fcmp" if node.op.name == "fcmp" else "icmp"}"][{number}]'
            if node.predicate in known:
                self.unless(f"{number} == {known.index(node.predicate)}")
            elif node.predicate in self.values:
                self.unless(f"{number} == {node.predicate}")
            else:
                self.values[node.predicate] = node.predicate
                self.line(f"{node.predicate} = {number}")

    def _check_types(self) -> None:
        """Checks type constraints of the right side in addition to those of the left side."""
        types_ = self.types
        if not isinstance(self.rule.right, Literal):
            self._check_integers()
        classes: dict[int, list[int]] = {}
        for number in self.type_of:
            classes.setdefault(types_.find(number), []).append(number)
        for joined, parts in classes.items():
            first = self.type_of[parts[0]]
            for other in parts[1:]:
                self.unless(f"{first} == {self.type_of[other]}")
            fixed = types_.fixed[joined]
            if fixed and not any(types_.left_fixed(part) for part in parts):
                self.unless(f"{first} == {_TYPE_NAMES[fixed]}")

    def _check_integers(self) -> None:
        """Checks that operands are integers: comparisons and selects also accept pointers, for
        which most rules are invalid."""
        sure = set(self.numbers)
        compared: set[int] = set()
        for node, path in nodes_with_paths(self.rule.left, "l"):
            if not isinstance(node, Apply):
                continue
            operands = [f"{path}{i}" for i in range(len(node.args))]
            places = {self.types.left_class(p) for p in operands}
            if node.op.name == "icmp":
                compared |= places
            elif node.op.name not in ("select", "freeze"):
                sure |= places | {self.types.left_class(path)}
        for number in sorted(compared - sure):
            self.unless(f"type({self.type_of[number]}) is IntegerType")

    def _check_condition(self) -> None:
        where = self.rule.where
        if where:
            self.unless(self._expression(where))

    def _expression(self, text: str) -> str:
        text = condition_source(text)
        if _WIDTH.search(text):
            text = _WIDTH.sub(self._width(), text)
        text = re.sub(r"\bwidth\((\w+)\)", self._width_of, text)
        text = re.sub(r"\btype\((\w+)\)", r"\1.type", text)
        return re.sub(r"\bknown_(\w+)\(", r"cx.\1(", text)

    def _width_of(self, match: re.Match[str]) -> str:
        name = match[1]
        if name.isupper() or name[0].isupper():
            return f"{name}_w"
        self.unless(f"type({name}.type) is IntegerType")
        return f"{name}.type.width.data"

    def _width(self) -> str:
        left = self.rule.left
        path = "l0" if left.predicate else "l"
        number = self.types.left_class(path)
        known = self.numbers.get(number)
        if known is not None:
            return known
        type_ = self.type_of[number]
        self.unless(f"type({type_}) is IntegerType")
        self.line(f"_width = {type_}.width.data")
        self.numbers[number] = "_width"
        return "_width"

    # Building.

    def _type(self, path: str) -> str:
        joined = self.types.of(path)
        for number, text in self.type_of.items():
            if self.types.find(number) == joined:
                return text
        fixed = self.types.fixed[joined]
        if fixed:
            return _TYPE_NAMES[fixed]
        raise ValueError(f"{self.rule.name}: the type of a place does not follow")

    def _temporary(self, text: str) -> str:
        self.count += 1
        name = f"_t{self.count}"
        self.line(f"{name} = {text}")
        return name

    def _build(self, node: Node, path: str) -> str:
        if isinstance(node, Var):
            return node.name
        if isinstance(node, Special):
            method = {"null": "zero"}.get(node.name, node.name)
            return f"cx.{method}({self._type(path)})"
        if isinstance(node, Apply):
            return self._op(node, path)
        if isinstance(node, Const) and node.name in self.values:
            if self.types.of(path) == self._class_of_constant(node.name):
                return self.values[node.name]
        return self._constant(cast("Const | Literal | Computed", node), path)

    def _class_of_constant(self, name: str) -> int:
        return self.types.of(self.values[name][1:])

    def _constant(self, node: Const | Literal | Computed, path: str) -> str:
        type_ = self._type(path)
        if self.types.kinds[self.types.of(path)] == FLOAT:
            if isinstance(node, Literal):
                text = repr(float(node.value))
                known = self._matched_literal(path, text)
                if known is not None:
                    return known
            else:
                text = node.name if isinstance(node, Const) else self._expression(node.source)
            number = self._temporary(text)
            self.unless(f"{number} is not None")
            return f"cx.attribute(float_attr({number}, {type_}), {type_})"
        if isinstance(node, Literal):
            text = repr(node.value)
            known = self._matched_literal(path, text)
            if known is not None:
                return known
        else:
            text = node.name if isinstance(node, Const) else self._expression(node.source)
        self.unless(f"type({type_}) is IntegerType")
        return f"cx.integer({text}, {type_})"

    def _matched_literal(self, path: str, text: str) -> str | None:
        """The variable of a matched constant that equals this literal and has this type; None if
        there is none.
        """
        wanted = self.types.of(path)
        for (number, value), name in self.literals.items():
            if value == text and self.types.find(number) == wanted:
                return name
        return None

    def _op(self, node: Apply, path: str) -> str:
        args = [self._build(arg, f"{path}{i}") for i, arg in enumerate(node.args)]
        # Computed constants may fail a check, so no op is created before all of them are computed.
        properties = self._properties(node)
        cls = _class_name(node.op.cls)
        operands = ", ".join(args) + ("," if len(args) == 1 else "")
        return f"cx.build({cls}, ({operands}), {self._type(path)}, {properties})"

    def _properties(self, node: Apply) -> str:
        allowed = node.op.flags
        items: list[str] = []
        if "nsw" in allowed:
            static = sum(OVERFLOW_BITS.get(flag, 0) for flag in node.flags)
            kept = self._kept_overflow_flags(allowed)
            if kept:
                items.append(f'"overflowFlags": OVERFLOW[{static} | {kept}]')
            elif static:
                items.append(f'"overflowFlags": OVERFLOW[{static}]')
        for flag in sorted(allowed & set(FLAG_PROPERTIES)):
            name = FLAG_PROPERTIES[flag]
            if flag in node.flags:
                items.append(f'"{name}": UNIT')
            elif flag in self.rule.keep:
                carriers = [owner for n, owner in self.owners if flag in n.op.flags]
                have = " and ".join(f'"{name}" in {owner}.properties' for owner in carriers)
                items.append(f'**({{"{name}": UNIT}} if {have} else {{}})')
        for flag in sorted(allowed & set(TRUTH_PROPERTIES)):
            name = TRUTH_PROPERTIES[flag]
            if flag in self.rule.keep:
                carriers = [owner for n, owner in self.owners if flag in n.op.flags]
                have = " and ".join(f'has_truth({owner}, "{name}")' for owner in carriers)
                items.append(f'"{name}": TRUTH[{have}]')
            else:
                items.append(f'"{name}": TRUTH[{int(flag in node.flags)}]')
        if "fast" in allowed:
            carriers = [owner for n, owner in self.owners if "fast" in n.op.flags]
            flags = " & ".join(f"fast_flags({owner})" for owner in carriers) or "()"
            dropped = ", ".join(f'FAST["{flag}"]' for flag in sorted(self.rule.drop))
            if dropped:
                flags = f"({flags}) - {{{dropped}}}"
            items.append(f'"fastmathFlags": FastMathAttr({flags})')
        if node.predicate:
            items.append(f'"predicate": PREDICATE[{self._predicate(node)}]')
        return "{" + ", ".join(items) + "}"

    def _kept_overflow_flags(self, allowed: frozenset[str]) -> str:
        mask = sum(
            OVERFLOW_BITS[flag] for flag in self.rule.keep & allowed if flag in OVERFLOW_BITS
        )
        if not mask:
            return ""
        carriers = [owner for n, owner in self.owners if "nsw" in n.op.flags]
        return " & ".join([f"overflow_flags({owner})" for owner in carriers] + [str(mask)])

    def _predicate(self, node: Apply) -> str:
        known = predicates_of(node.op)
        name = node.predicate
        if name in known:
            return str(known.index(name))
        table = "fcmp" if node.op.name == "fcmp" else "icmp"
        for prefix, which in (
            ("inverse-", "INVERSE"),
            ("swapped-", "SWAPPED"),
            ("unsigned-", "UNSIGNED"),
        ):
            if name.startswith(prefix):
                return f'{which}["{table}"][{name.removeprefix(prefix)}]'
        return name
