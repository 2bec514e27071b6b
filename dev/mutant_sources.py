"""Mutants of a Python file: its syntax tree with one small change.

    if is_volatile(op):       ->  if False:             a guard is deleted
        continue
    a and b                   ->  a and True            an operand of a condition is dropped
    if a: ...                 ->  if True: ...          a condition is dropped
    [f(x) for x in y if a]    ->  [f(x) for x in y]     a filter is dropped
    a < b                     ->  a <= b                a comparison is flipped
    16                        ->  17                    a constant is changed
    seen.add(x); n += 1       ->  pass                  an update is skipped

The first four kinds are guard mutants: they allow the code more than it should do. Assertions, errors,
messages, annotations, decorators and statistics are not changed, because tests do not depend on
them.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any, Final, cast

DELETE_GUARD: Final = "delete guard"
DROP_OPERAND: Final = "drop operand"
DROP_CONDITION: Final = "drop condition"
DROP_FILTER: Final = "drop filter"
FLIP: Final = "flip"
CONSTANT: Final = "change constant"
SKIP: Final = "skip update"

GUARD_KINDS: Final = frozenset({DELETE_GUARD, DROP_OPERAND, DROP_CONDITION, DROP_FILTER})

_FLIPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_JUMPS: Final = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LEFT_ALONE: Final = (ast.Assert, ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)
_IGNORED_FIELDS: Final = frozenset({"annotation", "returns", "decorator_list", "type_params"})

HIT: Final = "_mutants_hit"
"""The global of an instrumented module that is called with the line of each executed statement."""


@dataclass(frozen=True)
class Mutant:
    """One change of a file.

    Arguments:
        function: the qualified name of the changed function; empty at module or class level.
        line: line of the change.
        statement: the line of the innermost statement around it.
        kind, text: the kind of the change and the changed source text, unique in the function.
        number: its position among the mutants of the file.
        key: equal for equal changes of functions with equal text, also in different versions of the
            file.
    """

    function: str
    line: int
    statement: int
    kind: str
    text: str
    number: int
    key: str

    @property
    def is_guard(self) -> bool:
        """Whether it removes a guard or a part of it."""
        return self.kind in GUARD_KINDS


@dataclass(frozen=True)
class _Site:
    function: str
    owner: ast.AST | None
    statement: int
    node: ast.AST
    kind: str
    apply: Callable[[], None]


def _set(node: ast.AST, field: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, field, value)


def _always(value: bool, operand: ast.expr) -> ast.expr:
    """`True or operand`, or `False and operand`: a closure keeps the free variables of the operand, so
    that its code can be replaced."""
    parts = [ast.copy_location(ast.Constant(value), operand), operand]
    return ast.copy_location(ast.BoolOp(ast.Or() if value else ast.And(), parts), operand)


def _put(values: list[ast.expr], index: int, value: bool) -> Callable[[], None]:
    def apply() -> None:
        values[index] = _always(value, values[index])

    return apply


def _is_statistic(call: ast.Call) -> bool:
    """Whether a call counts in a statistic: `SPLIT.add()`."""
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id.isupper()
        and function.attr == "add"
    )


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str, Callable[[], None]]]:
    """The changes of one node: the changed part, the kind, and the change."""
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            if isinstance(test, ast.Name) and test.id == "TYPE_CHECKING":
                return
            deleted = not orelse and isinstance(body[-1], _JUMPS)
            kind = DELETE_GUARD if deleted else DROP_CONDITION
            yield test, kind, _set(node, "test", _always(not deleted, test))
        case ast.BoolOp(op=op, values=values):
            for index, operand in enumerate(values):
                yield operand, DROP_OPERAND, _put(values, index, isinstance(op, ast.And))
        case ast.comprehension(ifs=ifs):
            for index, condition in enumerate(ifs):
                yield condition, DROP_FILTER, _put(ifs, index, True)
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                flipped = [*ops[:index], _FLIPPED[op.__class__](), *ops[index + 1 :]]
                yield node, FLIP, _set(node, "ops", flipped)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            double = ast.copy_location(ast.UnaryOp(ast.Not(), operand), node)
            yield node, FLIP, _set(node, "operand", double)
        case ast.Constant(value=bool(value)):
            yield node, CONSTANT, _set(node, "value", not value)
        case ast.Constant(value=int(value)):
            yield node, CONSTANT, _set(node, "value", value + 1)
        case _:
            return


def _statements(node: ast.AST, field: str) -> list[ast.stmt]:
    """The statements in a field; none if it does not exist, or has an expression, as in lambdas."""
    found: Any = getattr(node, field, None)
    return cast(list[ast.stmt], found) if isinstance(found, list) else []


def _skips(node: ast.AST) -> Iterator[tuple[ast.stmt, str, Callable[[], None]]]:
    """The statements of a node that update something, and their deletion."""
    for field in ("body", "orelse", "finalbody"):
        statements = _statements(node, field)
        for index, statement in enumerate(statements):
            match statement:
                case ast.Expr(value=ast.Call() as call) if not _is_statistic(call):
                    pass
                case ast.AugAssign():
                    pass
                case _:
                    continue
            nothing = ast.copy_location(ast.Pass(), statement)
            yield statement, SKIP, partial(statements.__setitem__, index, nothing)


def _sites(tree: ast.Module) -> Iterator[_Site]:
    pending: list[tuple[ast.AST, str, ast.AST | None, int]] = [(tree, "", None, 0)]
    while pending:
        node, name, function, statement = pending.pop()
        if isinstance(node, _LEFT_ALONE):
            continue
        if isinstance(node, ast.stmt):
            statement = node.lineno
        for part, kind, apply in _changes(node):
            yield _Site(name, function, statement, part, kind, apply)
        within, owner = name, function
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            own = getattr(node, "name", "<lambda>")
            within = f"{name}.{own}" if name else own
            owner = node if isinstance(node, _FUNCTIONS) else function
        for part, kind, apply in _skips(node):
            yield _Site(within, owner, part.lineno, part, kind, apply)
        inner: list[tuple[ast.AST, str, ast.AST | None, int]] = []
        for field, value in ast.iter_fields(node):
            if field in _IGNORED_FIELDS:
                continue
            where, of = (within, owner) if field == "body" else (name, function)
            children = cast(list[Any], value) if isinstance(value, list) else [value]
            for child in children:
                if isinstance(child, ast.AST):
                    inner.append((child, where, of, statement))
        pending += reversed(inner)


def _segment(lines: list[bytes], node: Any) -> str:
    """The text of a node."""
    last: int = node.end_lineno
    text = b"".join(lines[node.lineno - 1 : last])
    end = len(text) - len(lines[last - 1]) + node.end_col_offset
    return text[node.col_offset : end].decode()


def mutants_of(source: str) -> list[Mutant]:
    """The mutants of a file in the order of its text."""
    found: list[Mutant] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    lines = source.encode().splitlines(keepends=True)
    for number, site in enumerate(_sites(ast.parse(source))):
        text = " ".join(_segment(lines, site.node).split())
        # Equal changes of equal texts in one function are numbered.
        same = seen[site.function, site.kind, text]
        seen[site.function, site.kind, text] += 1
        if same:
            text += f" #{same + 1}"
        around = "" if site.owner is None else _segment(lines, site.owner)
        parts = (site.function, around, site.kind, text)
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
        function = site.function if site.owner is not None else ""
        line = getattr(site.node, "lineno", site.statement)
        found.append(Mutant(function, line, site.statement, site.kind, text, number, key))
    return found


def compile_mutant(source: str, path: str, number: int) -> CodeType:
    """The code of a file with one change; that of the file itself for a negative number."""
    tree = ast.parse(source)
    for n, site in enumerate(list(_sites(tree))):
        if n == number:
            site.apply()
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def compile_instrumented(source: str, path: str) -> CodeType:
    """The code of a file whose functions report each executed statement to the global `HIT`."""
    tree = ast.parse(source)
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in list(ast.walk(node)):
                for field in ("body", "orelse", "finalbody"):
                    statements = _statements(inner, field)
                    if statements:
                        setattr(inner, field, _reporting(statements))
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def _reporting(statements: list[ast.stmt]) -> list[ast.stmt]:
    result: list[ast.stmt] = []
    for statement in statements:
        is_report = (
            isinstance(statement, ast.Expr)
            and isinstance(statement.value, ast.Call)
            and isinstance(statement.value.func, ast.Name)
            and statement.value.func.id == HIT
        )
        reported = bool(result) and getattr(result[-1], "reports", 0) == statement.lineno
        if not is_report and not reported:
            report = ast.Expr(
                ast.Call(ast.Name(HIT, ast.Load()), [ast.Constant(statement.lineno)], [])
            )
            ast.copy_location(report, statement)
            ast.fix_missing_locations(report)
            report.reports = statement.lineno  # type: ignore[attr-defined]
            result.append(report)
        result.append(statement)
    return result


def functions_in(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """The code of all functions in the code of a file, by qualified name and first line."""
    found: dict[tuple[str, int], CodeType] = {}
    pending = [code]
    while pending:
        one = pending.pop()
        for constant in one.co_consts:
            if isinstance(constant, CodeType):
                found[constant.co_qualname, constant.co_firstlineno] = constant
                pending.append(constant)
    return found
