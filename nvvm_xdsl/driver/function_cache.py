"""Compiles the components of a module that are not in the cache, and joins their PTX.

All missing components are compiled together. A single missing component is compiled together with a
small cached one, because a module with one function runs passes in another order. The PTX of a
component does not depend on the others (`frontend/ll_components.py`), except for the numbers in
labels. The result is byte for byte that of a compilation of the whole module.

Every assumption is checked on the PTX: the parts of a new text, joined again, must equal the text;
a part that is compiled again must equal its entry; and every symbol must belong to a component.
Otherwise the module is compiled as a whole.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from nvvm_xdsl.dialects.ptx.names import SymbolNames
from nvvm_xdsl.driver.cache import Cache, Entry, key_of
from nvvm_xdsl.driver.errors import TimeLimitExceeded
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_components import Component, Components, NotSplit, components_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.ipo.inline import COPIED, Inline

_HEADER = re.compile(r"\.version (\d+)\.(\d+)\n\.target (.+)\n\.address_size 64\n\n")
_VARIABLE = re.compile(r"(?:\.\w+(?: \d+)? )+([\w$%]+)[^\n]*;\n")
_FUNCTION = re.compile(r"(?:\.\w+ )*\.(?:func|entry) (?:\([^)]*\) )?([\w$%]+)\(")
_END = re.compile(r";\n\n|\n\{\n")
_SYMBOL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_NUMBER = "\0"
"""Replaces the number of the function in labels."""

Named = tuple[str, str]
"""A PTX name and the text of its definition or declaration."""


class NotJoined(Exception):
    """The PTX of the module is not that of its components."""


@dataclass
class PTXParts:
    """PTX by definitions.

    Arguments:
        target: the operand of `.target`.
        version: the major and minor version.
        variables, declarations: as printed.
        functions: with a placeholder in labels; a function includes the declarations before it.
    """

    target: str
    version: tuple[int, int]
    variables: list[Named] = field(default_factory=list[Named])
    declarations: list[Named] = field(default_factory=list[Named])
    functions: list[Named] = field(default_factory=list[Named])


@dataclass
class Stored:
    """The entry of a component.

    Arguments:
        parts: its PTX.
        run: identifies the compilation that made it.
        copied: the number of ops that this compilation inlined, because the limit of `inline`
            applies to a module.
    """

    parts: PTXParts
    run: str
    copied: int


def applies_to(options: CompileOptions) -> bool:
    """Returns True if the result of a function depends only on its component, and the output is
    plain PTX."""
    return (
        options.emit == "ptx"
        and options.debug == "none"
        and options.passes is None
        and options.machine_passes is None
        and not options.pass_options
    )


Results = dict[str, tuple[Stored, tuple[str, ...]]]
"""Entries of components and their messages, by key."""


def compile_components(
    text: str, options: CompileOptions, cache: Cache, compile: Callable[[str], Entry]
) -> Entry | None:
    """The compilation of LLVM assembly by components; None if the module must be compiled as a whole.

    Arguments:
        compile: compiles a module to PTX and returns its messages with it.
    """
    try:
        module = components_of(text)
        names = _names(module)
        common = key_of([], options).encode()
        parts = {_key(part, common): part for part in module.parts}
        found = cache.get_all(list(parts))
        known: Results = {
            key: (_from_json(entry.ptx), entry.remarks) for key, entry in found.items()
        }
        if not known:
            return _compile_all(text, module, parts, names, compile, cache)
        if len(known) < len(parts):
            known |= _compile_missing(module, parts, known, names, compile, cache)
        return _joined([known[key] for key in parts], names)
    except TimeLimitExceeded:
        raise
    except (NotSplit, NotJoined, DiagnosticError):
        # The compilation of the whole module reports errors with their locations.
        return None


def _compile_all(
    text: str,
    module: Components,
    parts: Mapping[str, Component],
    names: Mapping[str, int],
    compile: Callable[[str], Entry],
    cache: Cache,
) -> Entry:
    before = COPIED.value
    made = compile(text)
    with suppress(NotJoined):
        results = _results(made, module, parts, names, COPIED.value - before)
        cache.put_all(_entries(results, module))
    return made


def _compile_missing(
    module: Components,
    parts: Mapping[str, Component],
    known: Results,
    names: Mapping[str, int],
    compile: Callable[[str], Entry],
    cache: Cache,
) -> Results:
    """Compiles the components without an entry. A single one is compiled together with a cached
    component, which must get the same PTX.

    Raises NotJoined and the errors of a compilation.
    """
    missing = [key for key in parts if key not in known]
    companions = sorted(known, key=lambda key: len(parts[key].canonical))[: len(missing) == 1]
    chosen = {key: parts[key] for key in (*missing, *companions)}
    before = COPIED.value
    made = compile(module.text_of(chosen.values()))
    results = _results(made, module, chosen, names, COPIED.value - before)
    if any(results.pop(key)[0].parts != known[key][0].parts for key in companions):
        raise NotJoined
    cache.put_all(_entries(results, module))
    return results


def _entries(results: Results, module: Components) -> dict[str, Entry]:
    """The entries to store. Components with messages are omitted: these may name lines, which are
    not part of the key."""
    return {
        key: Entry(json.dumps(asdict(stored)), remarks)
        for key, (stored, remarks) in results.items()
        if not (module.has_locations and any(map(_SYMBOL.search, remarks)))
    }


def _joined(results: Sequence[tuple[Stored, tuple[str, ...]]], names: Mapping[str, int]) -> Entry:
    """The PTX and the messages of a module. Raises NotJoined."""
    runs = {stored.run: stored.copied for stored, _ in results}
    if sum(runs.values()) > Inline().total_limit:
        raise NotJoined
    remarks = dict.fromkeys(text for _, said in results for text in said)
    return Entry(join([stored.parts for stored, _ in results], names), tuple(remarks))


def _key(part: Component, common: bytes) -> str:
    data = part.canonical.encode("utf-8", "surrogatepass")
    return "component-" + hashlib.sha256(common + data).hexdigest()


def _names(module: Components) -> dict[str, int]:
    """The index of each symbol, by its PTX name. Raises NotJoined if two symbols have the same PTX
    name."""
    found: dict[str, int] = {}
    for name, place in module.order.items():
        legal = _ptx_name(name)
        if legal in found:
            raise NotJoined
        found[legal] = place
    return found


def _ptx_name(symbol: str) -> str:
    return SymbolNames().of(symbol[1:].strip('"'))


def _results(
    made: Entry,
    module: Components,
    compiled: Mapping[str, Component],
    names: Mapping[str, int],
    copied: int,
) -> Results:
    """The entries of components that were compiled together. Raises NotJoined."""
    parts = parts_of(made.ptx)
    if join([parts], names) != made.ptx:
        raise NotJoined
    run = hashlib.sha256(made.ptx.encode()).hexdigest()
    split = _split(parts, compiled)
    owners = {name: key for key, part in compiled.items() for name in part.symbols}
    said: dict[str, list[str]] = {key: [] for key in compiled}
    for text in made.remarks:
        concerned = {owners[name] for name in _SYMBOL.findall(text) if name in owners}
        for key in concerned or compiled:
            said[key].append(text)
    return {key: (Stored(split[key], run, copied), tuple(said[key])) for key in compiled}


def _split(parts: PTXParts, compiled: Mapping[str, Component]) -> dict[str, PTXParts]:
    """The PTX of each component. Raises NotJoined for a symbol without a component."""
    owners = {_ptx_name(name): key for key, part in compiled.items() for name in part.symbols}
    found = {key: PTXParts(parts.target, parts.version) for key in compiled}
    try:
        for name, text in parts.variables:
            found[owners[name]].variables.append((name, text))
        for name, text in parts.functions:
            found[owners[name]].functions.append((name, text))
    except KeyError:
        raise NotJoined from None
    for name, text in parts.declarations:
        word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
        users = [
            part for part in found.values() if any(word.search(body) for _, body in part.functions)
        ]
        if not users:
            raise NotJoined
        for user in users:
            user.declarations.append((name, text))
    return found


def parts_of(ptx: str) -> PTXParts:
    """The definitions in printed PTX. Raises NotJoined for text of another form."""
    header = _HEADER.match(ptx)
    if header is None:
        raise NotJoined
    found = PTXParts(header[3], (int(header[1]), int(header[2])))
    at = header.end()
    items: list[tuple[str, str, bool]] = []
    while at < len(ptx):
        if ptx[at] == "\n":
            at += 1
            continue
        function = _FUNCTION.match(ptx, at)
        if function is None:
            variable = _VARIABLE.match(ptx, at)
            if variable is None or items:
                raise NotJoined
            found.variables.append((variable[1], variable[0]))
            at = variable.end()
            continue
        end = _END.search(ptx, at)
        if end is None:
            raise NotJoined
        stop, has_body = end.end(), end[0].endswith("{\n")
        if has_body:
            stop = ptx.find("\n}\n\n", end.end() - 1) + 4
            if stop < end.end():
                raise NotJoined
        items.append((function[1], ptx[at:stop], has_body))
        at = stop
    defined = {name for name, _, has_body in items if has_body}
    number = sum(1 for name, _, _ in items if name not in defined)
    front = ""
    for name, text, has_body in items:
        if name not in defined:
            found.declarations.append((name, text))
        elif not has_body:
            front += text
        else:
            found.functions.append((name, _with_number(front + text, str(number), _NUMBER)))
            front = ""
            number += 1
    return found


def _with_number(text: str, old: str, new: str) -> str:
    return re.sub(
        rf"(\$L__BB|\bprototype_|\$L_brx_){old}_", lambda match: f"{match[1]}{new}_", text
    )


def join(parts: Sequence[PTXParts], places: Mapping[str, int]) -> str:
    """The PTX of a module.

    Arguments:
        places: the order of all symbols.
    Raises NotJoined if a symbol has no index, or if targets differ.
    """
    if len({part.target for part in parts}) != 1:
        raise NotJoined
    try:
        variables = _in_order_of_definition(parts, places)
        declarations = sorted(
            {named for part in parts for named in part.declarations},
            key=lambda named: places[named[0]],
        )
        functions = sorted(
            (named for part in parts for named in part.functions),
            key=lambda named: places[named[0]],
        )
    except KeyError:
        raise NotJoined from None
    if len({name for name, _ in declarations}) != len(declarations):
        raise NotJoined
    major, minor = max(part.version for part in parts)
    out = [f".version {major}.{minor}\n.target {parts[0].target}\n.address_size 64\n\n"]
    out += variables
    if variables:
        out.append("\n")
    out += [text for _, text in declarations]
    for number, (_, text) in enumerate(functions, len(declarations)):
        out.append(text.replace(_NUMBER, str(number)))
    return "".join(out)


def _in_order_of_definition(parts: Sequence[PTXParts], places: Mapping[str, int]) -> list[str]:
    """The variables in the order of the module, each after the variables of its component to which
    its initializer refers."""
    owners = {name: part for part in parts for name, _ in part.variables}
    pending = {id(part): iter(part.variables) for part in parts}
    done: set[str] = set()
    out: list[str] = []
    for root in sorted(owners, key=lambda name: places[name]):
        while root not in done:
            name, text = next(pending[id(owners[root])])
            done.add(name)
            out.append(text)
    return out


def _from_json(text: str) -> Stored:
    fields: dict[str, Any] = json.loads(text)
    parts: dict[str, Any] = fields["parts"]
    named = {
        kind: [(name, body) for name, body in parts[kind]]
        for kind in ("variables", "declarations", "functions")
    }
    return Stored(
        PTXParts(parts["target"], (parts["version"][0], parts["version"][1]), **named),
        fields["run"],
        fields["copied"],
    )
