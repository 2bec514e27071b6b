"""The layers of the package, drawn from its imports: the picture in docs/architecture.md.

    python docs/import_graph.py docs/architecture.md

rewrites the text between the two `layers` marks.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "nvvm_xdsl"

BEGIN, END = "<!-- layers -->", "<!-- end of layers -->"


def module_files(root: Path = ROOT) -> dict[str, Path]:
    """Each module of the package by its dotted name."""
    found: dict[str, Path] = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements in a tree, those within others too. Expressions hold no imports."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(tree, field, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from statements(inner)


@cache
def imported_names(source: str, package: str) -> tuple[str, ...]:
    """The dotted names that a file imports, wherever they stand.

    Arguments:
        source: the text of the file.
        package: the dotted name of the package that it is in, to which relative imports refer.
    """
    found: list[str] = []
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]).rstrip(".")
            found += (f"{base}.{alias.name}" for alias in node.names)
    return tuple(found)


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """For each module of the package the modules of the package that it imports."""
    files = module_files(root)
    found: dict[str, set[str]] = {}
    for module, path in files.items():
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        targets: set[str] = set()
        for name in imported_names(path.read_text(), package):
            # `from package import thing` names a module or something that is in one.
            target = name if name in files else name.rpartition(".")[0]
            if target in files and target != module:
                targets.add(target)
        found[module] = targets
    return found


def layer_imports(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """For each layer, a folder right under the package, the other layers that it imports."""
    layers: dict[str, set[str]] = {}
    folders = {name.split(".")[1] for name in graph if name.count(".") >= 2}
    for module, targets in graph.items():
        parts = module.split(".")
        if len(parts) < 2 or parts[1] not in folders:
            continue
        others = {target.split(".")[1] for target in targets if target.count(".") >= 1}
        layers.setdefault(parts[1], set()).update(others & folders - {parts[1]})
    return layers


def reduced(layers: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The same order without the arrows that follow from others. `layers` has no cycle."""

    def below(layer: str) -> set[str]:
        direct = layers[layer]
        return direct.union(*(below(other) for other in direct))

    return {
        layer: {
            other for other in direct if not any(other in below(via) for via in direct - {other})
        }
        for layer, direct in layers.items()
    }


def mermaid(layers: Mapping[str, set[str]]) -> str:
    """A Mermaid flow chart of the layers, users above what they use."""
    lines = ["```mermaid", "flowchart TD"]
    lines += [
        f"    {layer} --> {other}"
        for layer, others in sorted(reduced(layers).items())
        for other in sorted(others)
    ]
    return "\n".join([*lines, "```"])


def with_picture(page: str, root: Path = ROOT) -> str:
    """The text of a page with the present picture between its marks. Raises ValueError without."""
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.S)
    if pattern.search(page) is None:
        raise ValueError(f"the page has no {BEGIN} ... {END}")
    picture = mermaid(layer_imports(imports(root)))
    return pattern.sub(lambda _: f"{BEGIN}\n{picture}\n{END}", page)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    page = Path(arguments[0])
    page.write_text(with_picture(page.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
