"""Public functions, methods and classes have a docstring."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from nvvm_xdsl.ir.collector import paused_collector

ROOT = Path(__file__).parents[2] / "nvvm_xdsl"
GENERATED = ROOT / "dialects" / "generated"

HOOKS = frozenset(
    "apply can_infer infer is_anchorable is_optional_like is_present mapping_type_vars "
    "match_and_rewrite new parse parse_parameters print_parameters "
    "parse_optional parse_parameter print print_builtin print_parameter verify verify_ "
    "get_argument_types get_callable_region get_effects get_result_types "
    "handle_operation_insertion handle_operation_modification handle_operation_removal "
    "handle_operation_replacement erase insert replace replace_all_uses_with "
    "print_attribute print_block_name print_region print_ssa_value "
    "create_module exec_module find_spec readable readinto writable write".split()
)
"""Methods of base classes of xDSL and Python, which are documented there."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = Function | ast.ClassDef


def outline(source: str) -> ast.Module:
    """The syntax tree of a file, without the statements of functions after the first."""
    tree = ast.parse(source)
    bodies = [tree.body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, Function):
                del node.body[1:]
            elif isinstance(node, ast.ClassDef | ast.If):
                bodies.append(node.body)
    return tree


@cache
def trees() -> dict[Path, ast.Module]:
    """The outline of every handwritten file."""
    files = sorted(f for f in ROOT.rglob("*.py") if not f.is_relative_to(GENERATED))
    with paused_collector():
        return {file: outline(file.read_text()) for file in files}


def base_names(cls: ast.ClassDef) -> list[str]:
    """The names of a class's bases, without modules and type arguments."""
    return [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in cls.bases]


def class_definitions(body: list[ast.stmt]) -> Iterator[ast.ClassDef]:
    """The classes of a file, also those within classes and conditions."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield node
        if isinstance(node, ast.ClassDef | ast.If):
            yield from class_definitions(node.body)


@cache
def classes() -> dict[str, list[tuple[list[str], frozenset[str]]]]:
    """The bases and the members of the classes with each name."""
    found: dict[str, list[tuple[list[str], frozenset[str]]]] = defaultdict(list)
    for tree in trees().values():
        for node in class_definitions(tree.body):
            members = {n.name for n in node.body if isinstance(n, Function)}
            members |= {
                n.target.id
                for n in node.body
                if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
            }
            found[node.name].append((base_names(node), frozenset(members)))
    return found


def inherits(bases: list[str], name: str) -> bool:
    """Returns whether a class with these bases inherits the member."""
    seen: set[str] = set()
    while bases:
        base, *bases = bases
        if base in seen:
            continue
        seen.add(base)
        for above, members in classes().get(base, ()):
            if name in members:
                return True
            bases = bases + above
    return False


def is_row(cls: ast.ClassDef) -> bool:
    """Returns whether a class is a row of a table, `class AddOp(Binary, op="add"): ...`."""
    return bool(cls.keywords) and all(
        isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant) for n in cls.body
    )


def needs_docstring(node: Definition, cls: ast.ClassDef | None) -> bool:
    """Returns whether a definition without docstring is an omission."""
    if node.name.startswith("_") or ast.get_docstring(node) is not None:
        return False
    if isinstance(node, ast.ClassDef):
        return not is_row(node)
    decorators = {ast.unparse(d).rpartition(".")[2] for d in node.decorator_list}
    if decorators & {"overload", "setter"}:
        return False
    if cls is None:
        return True
    return not (cls.bases and node.name in HOOKS) and not inherits(base_names(cls), node.name)


def undocumented(body: list[ast.stmt], cls: ast.ClassDef | None = None) -> Iterator[Definition]:
    """The definitions at the top level and in classes that lack a docstring.

    Declarations under `if TYPE_CHECKING` repeat methods of another class, and are skipped.
    """
    for node in body:
        if isinstance(node, Definition) and needs_docstring(node, cls):
            yield node
        if isinstance(node, ast.ClassDef) and not is_row(node):
            yield from undocumented(node.body, node)


def test_public_definitions_have_docstrings():
    missing = [
        f"{file.relative_to(ROOT.parent)}:{node.lineno}: {node.name}"
        for file, tree in trees().items()
        for node in undocumented(tree.body)
    ]
    assert missing == []


SAMPLE = """
class Documented:
    'A class.'
    def plain(self): pass
    def _private(self): pass
class Row(Documented, op="x"): ...
class Sub(Documented):
    'A class.'
    def plain(self): pass
    def other(self): pass
def function(): pass
"""


def test_omissions_are_found():
    assert [n.name for n in undocumented(ast.parse(SAMPLE).body)] == [
        "plain", "plain", "other", "function"
    ]  # fmt: skip
    sub = ast.parse("class X(FunctionPass):\n  def run_on_function(self): pass").body[0]
    assert isinstance(sub, ast.ClassDef)
    assert list(undocumented(sub.body, sub)) == []
