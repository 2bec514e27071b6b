"""Splits LLVM assembly into components that optimization treats independently.

A component is a set of functions and variables that refer to each other, with everything else that they need. No pass reads
one component to change another, if these are the connections between functions and variables:

- a reference, in code, initializers or metadata;
- calls of libdevice, whose functions are linked once and depend on all their calls;
- constants of equal type, which `constmerge` may merge.

An internal or linkonce function without pointer parameters that is marked `alwaysinline` and only called directly does not connect
its callers: each component has a copy. `always-inline` removes it before the first pass that transfers facts about numbers between
functions; `process-restrict`, which runs earlier, does so only for pointers.

An indirect call depends on every function whose address is taken, so that a module with one is not split. The text is only split,
not parsed: the reader reports errors when it reads a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

_START = re.compile(
    r"""(?P<function>define\b) | (?P<declaration>declare\b) | (?P<attributes>attributes\s+\#\d+\s*=)
      | (?P<type>%(?:"[^"]*"|[-\w.$]+)\s*=\s*type\b) | (?P<comdat>\$(?:"[^"]*"|[-\w.$]+)\s*=\s*comdat\b)
      | (?P<node>!\d+\s*=) | (?P<named>![-A-Za-z$._][-\w.$]*\s*=) | (?P<head>target\s|source_filename\s*=)
      | (?P<variable>@(?:"[^"]*"|[-A-Za-z$._][-\w.$]*)\s*=(?!.*\s(?:alias|ifunc)\s))
      | (?P<blank>\s*(?:;|$))
    """,
    re.VERBOSE,
)

_TOKEN = re.compile(r'"[^"]*"|;[^\n]*|[@%#!$](?:"[^"]*"|[-\w.$]+)')
_NUMBERED = re.compile(r'"[^"]*"|;[^\n]*|[#!]\d+')
_SYMBOL = re.compile(r'@(?:"[^"]*"|[-\w.$]+)')
_CONSTANT = re.compile(r"\bconstant\s+(.*)")
_INDIRECT_CALL = re.compile(r'call(?:br)?\b[^@\n]*%(?:"[^"]*"|[-\w.$]+)\s*\(')
"""An indirect call. Python searches for the literal start of a pattern six times as fast as for a `\\b`."""
_INDIRECT_INVOKE = re.compile(r'invoke\b[^@\n]*%(?:"[^"]*"|[-\w.$]+)\s*\(')
_UNKNOWN_CALLEE = re.compile(r"call\b[^@%\"\n]*\binttoptr\b")
_SPELLED_DIFFERENTLY = re.compile(r'[@%$]"(?:[-\w.$]*"|[^"]*\\)')
"""A name in quotation marks that are unnecessary, or with an escape: two texts of one name."""

_REJECTED = (_INDIRECT_CALL, _INDIRECT_INVOKE, _UNKNOWN_CALLEE, _SPELLED_DIFFERENTLY)

_COPIED = re.compile(r"define\s+(?:internal|private|linkonce|linkonce_odr)\b")
_POINTER_OR_VARIADIC = re.compile(r"\bptr\b|\.\.\.")
_ALWAYS_INLINE = re.compile(r"\balwaysinline\b")
_STRING = re.compile(r'"[^"]*"')
_GROUP = re.compile(r"#\d+")

_KERNEL = re.compile(r'!\{\s*ptr\s+(@\S+),\s*!"kernel",\s*i32\s+1\s*\}')

_DEBUG = re.compile(r",? *!dbg !\d+")
_DEBUG_NODE = re.compile(r"!\d+ = (?:distinct )?!DI")

_UNSUPPORTED: Final = (":uid", "prototype_", "$L_", "__local_")
"""Texts of modules that are not split, because names are numbered within a module."""

ANNOTATIONS: Final = "!nvvm.annotations"
COMPILE_UNITS: Final = "!llvm.dbg.cu"
LIBDEVICE: Final = "@__nv_"
MATH_FUNCTIONS: Final = (
    "sin", "cos", "exp", "exp2", "log", "log2", "pow", "exp10", "log10", "tan", "tanh", "sinh", "cosh", "asin",
    "acos", "atan", "atan2", "powi", "ldexp",
)  # fmt: skip
"""Intrinsics that may become calls of libdevice."""
_OF_LIBRARY: Final = (LIBDEVICE, *(f"@llvm.{name}." for name in MATH_FUNCTIONS))

_SYMBOL_KINDS = ("function", "variable", "comdat")

_OPENING = {"[": "]", "{": "}", "<": ">", "(": ")"}


class NotSplit(Exception):
    """The module has no independent components, or this file cannot find them."""


@dataclass
class Entity:
    """A definition at the top level of a module.

    Arguments:
        kind: the name of its group in `_START`.
        name: its name with the sigil; empty for the head.
        text: its lines.
        place: its number in the module.
    """

    kind: str
    name: str
    text: str
    place: int


@dataclass
class Component:
    """Definitions that refer to each other, and all definitions that they need.

    Arguments:
        symbols: the names of the functions and variables, in their order.
        entities: all definitions.
        canonical: their text with numbers that do not depend on other components, and without comments.
    """

    symbols: list[str]
    entities: list[Entity]
    canonical: str


@dataclass
class Components:
    """The components of a module.

    Arguments:
        module: all definitions, in their order.
        parts: the components. Each has a kernel.
        order: the place of each function, variable and declaration.
        has_locations: whether the module has debug information, which is not part of the keys: it affects only messages.
    """

    module: list[Entity]
    parts: list[Component]
    order: Mapping[str, int]
    has_locations: bool

    def text_of(self, parts: Iterable[Component]) -> str:
        """A module of some components."""
        included: dict[int, Entity] = {}
        kept: set[str] = set()
        for part in parts:
            included.update((entity.place, entity) for entity in part.entities)
            kept.update(entity.name for entity in part.entities)
        lines: list[str] = []
        for place in sorted(included):
            entity = included[place]
            lines.append(
                _annotations_of(entity, kept) if entity.name == ANNOTATIONS else entity.text
            )
        return "\n".join(lines) + "\n"


def components_of(text: str) -> Components:
    """The components of a module. Raises NotSplit if it has fewer than two with a kernel."""
    if any(word in text for word in _UNSUPPORTED):
        raise NotSplit
    if any(rule.search(text) for rule in _REJECTED):
        raise NotSplit
    entities = list(_entities(text))
    by_name = {entity.name: entity for entity in entities if entity.name}
    if len(by_name) != sum(1 for entity in entities if entity.name):
        raise NotSplit
    return _Splitter(entities, by_name).split()


def _entities(text: str) -> Iterator[Entity]:
    lines = iter(text.split("\n"))
    place = 0
    for line in lines:
        match = _START.match(line)
        kind = None if match is None else match.lastgroup
        if match is None or kind is None:
            raise NotSplit
        if kind == "blank":
            continue
        held = [line]
        if kind == "function":
            held += _body(line, lines)
        name = ""
        if kind in ("function", "declaration"):
            found = _SYMBOL.search(line)
            if found is None:
                raise NotSplit
            name = found[0]
        elif kind == "attributes":
            name = line.split()[1].partition("=")[0]
        elif kind != "head":
            name = match[0].partition("=")[0].strip()
        if name[1:2].isdigit() and kind in ("function", "declaration", "type"):
            # Numbers of unnamed definitions must be consecutive.
            raise NotSplit
        yield Entity(kind, name, "\n".join(held), place)
        place += 1


def _body(first: str, lines: Iterator[str]) -> list[str]:
    """The lines of a function after its first."""
    if "{" in first and first.rstrip().endswith("}"):
        return []
    held: list[str] = []
    for line in lines:
        held.append(line)
        if line.rstrip() == "}":
            return held
        if line.startswith(("define", "declare", "@", "attributes")):
            break
    raise NotSplit


class _Splitter:
    """Connects definitions and collects the contents of each component."""

    def __init__(self, entities: list[Entity], by_name: dict[str, Entity]) -> None:
        self.entities = entities
        self.by_name = by_name
        self.named: dict[tuple[int, bool], list[str]] = {}
        self.parents: dict[str, str] = {}
        self.inlined: frozenset[str] = frozenset()
        """Functions of which each component has a copy, and their comdats."""
        self._head = [entity for entity in entities if entity.kind in ("head", "named")]
        self._codes: dict[int, str] = {}
        self._has_debug = COMPILE_UNITS in by_name or any(
            self._code_of(entity) != entity.text for entity in entities
        )

    def root(self, name: str) -> str:
        """The representative of a set of connected names."""
        parents = self.parents
        while (parent := parents.get(name, name)) != name:
            parents[name] = name = parents.get(parent, parent)
        return name

    def connect(self, one: str, other: str) -> None:
        """Joins two sets."""
        self.parents[self.root(one)] = self.root(other)

    def closure(self, names: Iterable[str], *, debug: bool = True) -> list[str]:
        """The names, and all names that their definitions contain. The definitions of symbols are not searched.

        Arguments:
            debug: whether debug information is searched.
        """
        found: dict[str, None] = {}
        pending = list(names)
        for name in pending:
            entity = self.by_name.get(name)
            if entity is None or name in found:
                continue
            found[name] = None
            if not self.is_symbol(entity):
                pending += self._in_text_order(entity, debug=debug)
        return list(found)

    def _in_text_order(self, entity: Entity, *, debug: bool = True) -> list[str]:
        """The definitions that a definition names, in the order of its text, itself included."""
        text = entity.text if debug else self._code_of(entity)
        debug = debug or text == entity.text
        found = self.named.get((entity.place, debug))
        if found is None:
            names = dict.fromkeys(_TOKEN.findall(text))
            own = f"${entity.name[1:]}"
            if entity.kind in _SYMBOL_KINDS:
                # `comdat` without a name is the group with the name of the definition.
                names[own] = None
            found = [name for name in names if name in self.by_name]
            self.named[entity.place, debug] = found
        return found

    def _code_of(self, entity: Entity) -> str:
        """The text of a definition, which most components may contain, without debug information."""
        code = self._codes.get(entity.place)
        if code is None:
            code = self._codes[entity.place] = code_of(entity)
        return code

    def is_symbol(self, entity: Entity) -> bool:
        """Returns True for definitions that are connected by references."""
        return entity.kind in _SYMBOL_KINDS and entity.name not in self.inlined

    def _find_inlined(self) -> None:
        """Sets `inlined`. Functions without callers are not included, so that they are still compiled."""
        possible = {entity.name for entity in self.entities if self._may_be_copied(entity)}
        if not possible:
            return
        for entity in self.entities:
            possible -= {
                match[0]
                for match in _TOKEN.finditer(entity.text)
                if not entity.text.startswith("(", match.end())
            }
        self.inlined = frozenset(possible | {f"${name[1:]}" for name in possible})
        symbols = [entity for entity in self.entities if self.is_symbol(entity)]
        reached = self.closure(name for symbol in symbols for name in self._in_text_order(symbol))
        self.inlined &= frozenset(reached)

    def _may_be_copied(self, entity: Entity) -> bool:
        if entity.kind != "function":
            return False
        head = _STRING.sub('""', entity.text.partition("\n")[0])
        if _COPIED.match(head) is None:
            return False
        parameters = head.partition("@")[2]
        attributes = [
            head,
            *(self.by_name[g].text for g in _GROUP.findall(head) if g in self.by_name),
        ]
        return _POINTER_OR_VARIADIC.search(parameters) is None and any(
            _ALWAYS_INLINE.search(_STRING.sub("", text)) for text in attributes
        )

    def split(self) -> Components:
        """The components. Raises NotSplit."""
        self._find_inlined()
        self._connect_all()
        annotations = self._annotations()
        kernels = self._kernels()
        groups: dict[str, list[Entity]] = {}
        for entity in self.entities:
            if self.is_symbol(entity):
                groups.setdefault(self.root(entity.name), []).append(entity)
        with_kernel = {self.root(name) for name in kernels if name in self.by_name}
        if len(with_kernel) < 2:
            raise NotSplit
        first = next(root for root in groups if root in with_kernel)
        # Definitions that no kernel needs come along with the first kernel.
        joined: dict[str, list[Entity]] = {}
        for root, members in groups.items():
            joined.setdefault(root if root in with_kernel else first, []).extend(members)
        parts = [
            self._component(sorted(members, key=lambda entity: entity.place), annotations)
            for members in joined.values()
        ]
        order = {
            entity.name: entity.place
            for entity in self.entities
            if entity.kind in ("function", "variable", "declaration")
        }
        return Components(self.entities, parts, order, COMPILE_UNITS in self.by_name)

    def _connect_all(self) -> None:
        constants: dict[str, str] = {}
        for entity in self.entities:
            if not self.is_symbol(entity):
                continue
            for name in self.closure(self._in_text_order(entity)):
                if name.startswith(_OF_LIBRARY):
                    self.connect(entity.name, LIBDEVICE)
                elif self.is_symbol(self.by_name[name]):
                    self.connect(entity.name, name)
            constant = _CONSTANT.search(entity.text) if entity.kind == "variable" else None
            if constant is not None:
                self.connect(entity.name, constants.setdefault(_type_of(constant[1]), entity.name))

    def _annotations(self) -> dict[str, list[str]]:
        """The annotations of each symbol. Raises NotSplit if other metadata of the module refers to symbols."""
        found: dict[str, list[str]] = {}
        for entity in self.entities:
            if entity.kind != "named":
                continue
            for name in self._in_text_order(entity):
                if name == entity.name:
                    continue
                symbols = [other for other in self.closure([name]) if other.startswith("@")]
                if symbols and entity.name != ANNOTATIONS:
                    raise NotSplit
                for symbol in symbols:
                    found.setdefault(symbol, []).append(name)
                for symbol in symbols[1:]:
                    self.connect(symbols[0], symbol)
        return found

    def _kernels(self) -> list[str]:
        found = [
            entity.name
            for entity in self.entities
            if entity.kind == "function" and " ptx_kernel " in entity.text.partition("\n")[0]
        ]
        for entity in self.entities:
            if entity.kind == "node" and (match := _KERNEL.search(entity.text)):
                found.append(match[1])
        return found

    def _component(self, members: list[Entity], annotations: Mapping[str, list[str]]) -> Component:
        symbols = [entity.name for entity in members]
        own = [node for name in symbols for node in annotations.get(name, ())]
        canonical: list[str] = []
        numbers: dict[str, str] = {}
        contents = code = self._contents(members, own, debug=True)
        if self._has_debug:
            code = self._contents(members, own, debug=False)
        for entity in code:
            text = (
                _annotations_of(entity, set(own))
                if entity.name == ANNOTATIONS
                else self._code_of(entity)
            )
            canonical.append(_canonical(text, numbers))
        return Component(symbols, contents, "\n".join(canonical))

    def _contents(self, members: list[Entity], own: list[str], *, debug: bool) -> list[Entity]:
        """All definitions of a component: the head, functions and variables in their order, then the others.

        Arguments:
            own: the annotations of its symbols.
        """
        head = [entity for entity in self._head if debug or entity.name != COMPILE_UNITS]
        names = [
            name
            for entity in (*head, *members)
            if entity.name != ANNOTATIONS
            for name in self._in_text_order(entity, debug=debug)
        ]
        needed = [self.by_name[name] for name in self.closure([*names, *own], debug=debug)]
        kinds = ("function", "variable", "comdat", "declaration")
        ordered = sorted((e for e in needed if e.kind in kinds), key=lambda entity: entity.place)
        others = (e for e in needed if e.kind not in (*kinds, "named"))
        return [*head, *ordered, *others]


def code_of(entity: Entity) -> str:
    """The text of a definition without debug information."""
    text = entity.text
    if _DEBUG_NODE.match(text):
        return ""
    return _DEBUG.sub("", text) if "!dbg" in text else text


def _annotations_of(entity: Entity, kept: set[str]) -> str:
    """The list of annotations, restricted to some nodes."""
    nodes = [token for token in _TOKEN.findall(entity.text) if token in kept]
    return f"{ANNOTATIONS} = !{{{', '.join(node for node in nodes if node != ANNOTATIONS)}}}"


def _canonical(text: str, numbers: dict[str, str]) -> str:
    """The text with nodes and attribute groups numbered in the order of appearance, and without comments."""

    def renumbered(match: re.Match[str]) -> str:
        token = match[0]
        if token[0] == '"':
            return token
        if token[0] == ";":
            return ""
        return numbers.setdefault(token, f"{token[0]}{len(numbers)}")

    return _NUMBERED.sub(renumbered, text)


def _type_of(text: str) -> str:
    """The type at the start of a text, without spaces."""
    closing: list[str] = []
    for at, character in enumerate(text):
        if character in _OPENING:
            closing.append(_OPENING[character])
        elif closing and character == closing[-1]:
            closing.pop()
            if not closing:
                return text[: at + 1].replace(" ", "")
        elif not closing and character in " \t":
            return text[:at]
    return text
