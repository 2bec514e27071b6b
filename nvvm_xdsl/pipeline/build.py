"""Conversion of pipeline text to passes, and back.

Passes are nested by their level: `mem2reg,dce,globaldce` means `function(mem2reg,dce),globaldce`,
as in LLVM, except that passes of different levels may be siblings at the top. Passes of other xDSL
packages are module passes here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import count
from typing import Final, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import NvvmPass, ParameterError
from nvvm_xdsl.pipeline.binding import stated_parameters
from nvvm_xdsl.pipeline.needs import NEEDS, Need, level_of
from nvvm_xdsl.pipeline.options import SETTINGS, PassOptions
from nvvm_xdsl.pipeline.plugins import load_installed
from nvvm_xdsl.pipeline.registry import ADAPTORS, ANALYSES, MODULE_ANALYSES, SPECIAL, rows
from nvvm_xdsl.pipeline.text import (
    Element,
    PipelineError,
    parse_pipeline,
    pipeline_error,
    print_pipeline,
)

MLIR_ANCHORS: Final = {"builtin.module": "module", "func.func": "function", "llvm.func": "function"}
"""The ops that pipelines of mlir-opt nest in, and LLVM's names for the levels."""


class PassNode:
    """One pass of this project.

    Arguments:
        made: the pass, or a factory that is called on first use.
        need: the ops that it works on, if `NEEDS` contains the pass.
    """

    __match_args__ = ("instance",)

    def __init__(self, made: NvvmPass | Callable[[], NvvmPass], need: Need | None = None) -> None:
        self._made = made
        self.need = need

    @cached_property
    def instance(self) -> NvvmPass:
        """The pass."""
        return self._made if isinstance(self._made, NvvmPass) else self._made()

    @cached_property
    def number(self) -> int:
        """Equal passes get the same object, so that later comparisons are by identity."""
        return _number_of(self.instance)

    @property
    def level(self) -> str:
        """The pass's level."""
        return self.instance.level if self.need is None else self.need.level


_NUMBERS = count()


@lru_cache(1 << 12)
def _number_of(instance: NvvmPass) -> int:
    """A number that identifies a pass with its options; a new one if the entry was evicted."""
    return next(_NUMBERS)


@dataclass(eq=False)
class ForeignNode:
    """A pass of xDSL or of another package: it runs on a module and does not report changes."""

    instance: ModulePass


@dataclass(eq=False)
class AnalysisNode:
    """`require<x>`, `invalidate<x>` or `print<x>`; x is `all` or an analysis's name."""

    action: str
    analysis: str
    level: str


@dataclass(eq=False)
class NestNode:
    """Passes of a lower level, which are run on one function after the other."""

    level: str
    children: list[Node] = field(default_factory=list["Node"])
    spelling: str = ""
    parameters: list[str] = field(default_factory=list[str])


@dataclass(eq=False)
class RepeatNode:
    """`repeat<n>(...)`, or `devirt<n>(...)`, which stops when no more calls become direct."""

    count: int
    children: list[Node]
    until_stable: bool = False


Node = PassNode | ForeignNode | AnalysisNode | NestNode | RepeatNode

SequenceExpander = Callable[[str], str]
"""Translates the parameter of `nvopt<...>` or `default<...>` to pipeline text."""

_INSIDE = {
    "module": ("module", "cgscc", "function"),
    "cgscc": ("cgscc", "function"),
    "function": ("function", "loop", "machine-function"),
    "loop": ("loop",),
    "machine-function": ("machine-function",),
}
"""The levels that may be nested in a pipeline of each level."""


class Builder:
    """Creates nodes from elements.

    Arguments:
        text: the source text of the elements, for errors.
        expand: returns the pipeline of `nvopt<...>` and `default<...>`.
        options: the options of `-opt`, which are the defaults of the passes' parameters.
        allow_missing: omit documented passes that do not exist here, as the sequences of `nvopt`
            require; their names are collected in `left_out`.
    """

    text: str
    expand: SequenceExpander
    options: PassOptions
    allow_missing: bool
    left_out: list[str]

    def __init__(
        self,
        text: str,
        expand: SequenceExpander | None = None,
        options: PassOptions | None = None,
        *,
        allow_missing: bool = False,
    ) -> None:
        load_installed()
        self.text = text
        self.options = options or PassOptions()
        self.expand = expand or self._expand_default
        self.allow_missing = allow_missing
        self.left_out = []

    def error(self, message: str, offset: int) -> PipelineError:
        """The error for a character offset of the pipeline text."""
        return pipeline_error(message, self.text, offset)

    def build(self, elements: Sequence[Element], level: str = "module") -> list[Node]:
        """The nodes of a pipeline at this level. Raises PipelineError."""
        nodes: list[Node] = []
        for element in elements:
            for node_level, node in self._element(element, level):
                if node_level == level:
                    nodes.append(node)
                else:
                    _nest(nodes, node_level, node)
        return nodes

    def _element(self, element: Element, level: str) -> Iterable[tuple[str, Node]]:
        name = element.name
        if element.nested is not None and name in ADAPTORS:
            yield from self._adaptor(element, level)
        elif name in SPECIAL:
            yield from self._special(element, level)
        elif element.nested is not None:
            hint = f"; write {MLIR_ANCHORS[name]}(...)" if name in MLIR_ANCHORS else ""
            raise self.error(f"'{name}' takes no nested pipeline{hint}", element.offset)
        elif name in PASSES:
            yield self._pass(element, level)
        else:
            yield from self._foreign_or_missing(element, level)

    def _adaptor(self, element: Element, level: str) -> Iterable[tuple[str, Node]]:
        target = ADAPTORS[element.name]
        self._check_level(element, target, level)
        # A loop pipeline in a module pipeline gets its own function pipeline.
        own = level if target in _INSIDE[level] else "function"
        group: list[Element] = []

        def grouped() -> tuple[str, Node]:
            children = self.build(group, target)
            group.clear()
            return own, NestNode(target, children, element.name, list(element.parameters))

        nested = cast("list[Element]", element.nested)
        for inner in nested:
            is_bottom_up = level == "module" and target == "cgscc" and _is_bottom_up(inner)
            if is_bottom_up and group:
                yield grouped()
            if is_bottom_up and inner.nested is not None:
                # `cgscc(devirt<4>(inline,...))` is `devirt<4>(cgscc(inline,...))`.
                repeated = [Element(element.name, nested=inner.nested, offset=element.offset)]
                yield from self._special(dataclasses.replace(inner, nested=repeated), level)
            elif is_bottom_up:
                yield self._pass(inner, level)
            else:
                group.append(inner)
        if group or not nested:
            yield grouped()

    def _check_level(self, element: Element, wanted: str, level: str) -> None:
        reach = {level}
        pending = [level]
        while pending:
            for inner in _INSIDE[pending.pop()]:
                if inner not in reach:
                    reach.add(inner)
                    pending.append(inner)
        if wanted not in reach:
            raise self.error(
                f"unknown {level} pass '{element.name}': it is a {wanted} pass", element.offset
            )

    def _pass(self, element: Element, level: str) -> tuple[str, Node]:
        own = level_of(element.name)
        self._check_level(element, own, level)
        make = partial(self._instance, element)
        need = NEEDS.get(element.name)
        if need is not None and self._is_right():
            return own, PassNode(make, need)
        self._check_forms(element, own)
        return own, PassNode(make(), need)

    def _check_forms(self, element: Element, level: str) -> None:
        """Raises PipelineError for a required form that no function pass establishes."""
        for form in pass_class(element.name).requires:
            if level not in ("function", "loop"):
                message = f"'{element.name}' is a {level} pass and cannot require '{form}'"
                raise self.error(message, element.offset)
            if form not in PASSES or level_of(form) != "function":
                message = f"'{element.name}' requires '{form}', which is not a function pass"
                raise self.error(message + did_you_mean(form, PASSES), element.offset)

    def _is_right(self) -> bool:
        """True if the parameters of a pass need not be checked, because they are all defaults."""
        return (
            self.allow_missing and not self.options.values and self.options.knobs.keys() <= SETTINGS
        )

    def _instance(self, element: Element) -> NvvmPass:
        cls = pass_class(element.name)
        stated = stated_parameters(cls, self.options)
        try:
            cls.from_parameters(stated)
        except ParameterError as e:
            raise DiagnosticError(f"-opt: {e.message}") from None
        try:
            return cls.from_parameters([*stated, *element.parameters])
        except ParameterError as e:
            offsets = element.parameter_offsets
            token = e.token - len(stated)
            offset = offsets[token] if 0 <= token < len(offsets) else element.offset
            raise self.error(e.message, offset) from None

    def _count(self, element: Element) -> int:
        if len(element.parameters) == 1 and element.parameters[0].isdigit():
            return int(element.parameters[0])
        raise self.error(
            f"'{element.name}' needs a number, as in {element.name}<3>(...)", element.offset
        )

    def _special(self, element: Element, level: str) -> Iterable[tuple[str, Node]]:
        name = element.name
        if name in ("repeat", "devirt"):
            if element.nested is None:
                raise self.error(f"'{name}' needs a nested pipeline", element.offset)
            count = self._count(element)
            yield level, RepeatNode(count, self.build(element.nested, level), name == "devirt")
            return
        if element.nested is not None:
            raise self.error(f"'{name}' takes no nested pipeline", element.offset)
        if name in ("nvopt", "default") and element.parameters:
            yield from self._sequence(element, ";".join(element.parameters), level)
            return
        if len(element.parameters) != 1:
            raise self.error(f"'{name}' needs one parameter, as in {name}<...>", element.offset)
        (parameter,) = element.parameters
        if parameter != "all":
            known = _printers() if name == "print" else ANALYSES
            if parameter not in known and parameter not in MODULE_ANALYSES:
                row = rows().get(parameter)
                if row is not None:
                    message = f"the analysis '{parameter}' is documented but not implemented"
                else:
                    message = f"unknown analysis '{parameter}'" + did_you_mean(
                        parameter, [*ANALYSES, *known]
                    )
                raise self.error(message, element.parameter_offsets[0])
        elif name != "invalidate":
            raise self.error(
                f"'{name}' needs the name of an analysis", element.parameter_offsets[0]
            )
        target = level
        if level == "module" and parameter != "all" and parameter not in MODULE_ANALYSES:
            target = "function"
        yield target, AnalysisNode(name, parameter, target)

    def _sequence(self, element: Element, parameter: str, level: str) -> Iterable[tuple[str, Node]]:
        if level != "module":
            raise self.error(
                f"'{element.name}' is not allowed in a {level} pipeline", element.offset
            )
        try:
            text = self.expand(parameter)
        except KeyError as e:
            part = str(e.args[0])
            place = element.parameters.index(part) if part in element.parameters else 0
            raise self.error(
                f"invalid {element.name} pipeline parameter '{part}'",
                element.parameter_offsets[place],
            ) from None
        inner = Builder(text, self.expand, self.options, allow_missing=True)
        nodes = inner.build(parse_pipeline(text))
        self.left_out.extend(inner.left_out)
        yield level, NestNode("module", nodes, element.name, list(element.parameters))

    def _expand_default(self, parameter: str) -> str:
        from nvvm_xdsl.pipeline.levels import pipeline_text

        return pipeline_text(parameter, self.options)

    def _foreign_or_missing(self, element: Element, level: str) -> Iterable[tuple[str, Node]]:
        """The nodes of a name that is not a pass of this project."""
        name = element.name
        row = rows().get(name)
        if row is not None and self.allow_missing:
            self.left_out.append(name)
            return
        foreign = _foreign_passes()
        # A name that LLVM or the documents use never selects a pass of another package.
        theirs = name.removeprefix(FOREIGN_PREFIX) if row is None else ""
        if theirs in foreign:
            if level != "module":
                raise self.error(
                    f"unknown {level} pass '{name}': it is a module pass", element.offset
                )
            try:
                cls = foreign[theirs]()
                instance = cls.from_pass_spec(_spec(cls, theirs, element))
            except Exception as e:
                raise self.error(f"'{name}': {e}", element.offset) from None
            yield level, ForeignNode(instance)
            return
        if row is not None:
            kind = "analysis" if row.kind == "analysis" else "pass"
            hint = f"; '{FOREIGN_PREFIX}{name}' is xDSL's" if name in foreign else ""
            raise self.error(
                f"the {kind} '{name}' is documented but not implemented{hint}", element.offset
            )
        known = [*PASSES, *ADAPTORS, *SPECIAL, *foreign, *rows()]
        if name.startswith(FOREIGN_PREFIX):
            known = [FOREIGN_PREFIX + theirs for theirs in foreign]
        message = f"unknown {'' if level == 'module' else level + ' '}pass '{name}'"
        raise self.error(message + did_you_mean(name, known), element.offset)


def _is_bottom_up(element: Element) -> bool:
    """Returns whether the element is a call-graph pass of LLVM, or a repetition of one, that is
    implemented here as a module pass which visits callees first: `cgscc(inline)` is `inline`.
    """
    if element.name in ("repeat", "devirt") and element.nested is not None:
        return any(map(_is_bottom_up, element.nested))
    row = rows().get(element.name)
    if row is None or row.level != "cgscc" or element.name not in PASSES:
        return False
    return level_of(element.name) == "module"


def _nest(nodes: list[Node], level: str, node: Node) -> None:
    """Adds a node of a lower level to the preceding group if that has the same level."""
    outer = "function" if level in ("loop", "machine-function") else level
    last = nodes[-1] if nodes else None
    if not (isinstance(last, NestNode) and last.level == outer and not last.spelling):
        last = NestNode(outer)
        nodes.append(last)
    if outer == level:
        last.children.append(node)
    else:
        _nest_inner(last.children, level, node)


def _nest_inner(nodes: list[Node], level: str, node: Node) -> None:
    last = nodes[-1] if nodes else None
    if not (isinstance(last, NestNode) and last.level == level and not last.spelling):
        last = NestNode(level)
        nodes.append(last)
    last.children.append(node)


def _printers() -> Collection[str]:
    """The analyses that `print<...>` accepts; loaded on demand, because most pipelines print
    none."""
    from nvvm_xdsl.analysis.printers import PRINTERS

    return PRINTERS


FOREIGN_PREFIX = "xdsl::"
"""Prefix of a pass of xDSL's or of another package, to distinguish it from ours."""


def _foreign_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes of xDSL and other packages, including those with the name of a pass of this
    project."""
    from xdsl.universe import Universe

    from nvvm_xdsl.xdsl_patches.stock_passes import STOCK_PASSES

    others = Universe.get_multiverse().all_passes.items()
    return {**{k: v for k, v in others if k not in PASSES}, **STOCK_PASSES}


def is_pass_name(name: str) -> bool:
    """Returns True if a pass of this name can run, of this project or of another package."""
    load_installed()
    return name in PASSES or name in _foreign_passes()


def _value(text: str) -> str | int | float | bool:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _spec(cls: type[ModulePass], name: str, element: Element) -> ArgSpec:
    """The argument specification of an element. A value without a key is that of the pass's first
    parameter."""
    first = next((f.name for f in dataclasses.fields(cls)), "")
    parameters: dict[str, ParameterListType] = {}
    for parameter in element.parameters:
        key, equals, value = parameter.partition("=")
        values = tuple(_value(v) for v in value.split(",")) if equals else ()
        parameters[key or first] = values
    return ArgSpec(name, parameters)


def build_pipeline(
    text: str,
    expand: SequenceExpander | None = None,
    options: PassOptions | None = None,
    *,
    allow_missing: bool = False,
) -> list[Node]:
    """The nodes of pipeline text. Arguments as of `Builder`.

    Raises PipelineError with a position in the text, and DiagnosticError for an option that its
    pass rejects.
    """
    return Builder(text, expand, options, allow_missing=allow_missing).build(parse_pipeline(text))


def _elements(nodes: Iterable[Node], *, expand: bool = False) -> list[Element]:
    found = [_to_element(node, expand) for node in nodes]
    if expand:
        # If a level names only passes that do not exist here, a group can be empty.
        return [e for e in found if e.nested is None or e.nested]
    return found


def _to_element(node: Node, expand: bool) -> Element:
    match node:
        case PassNode(instance):
            return Element(instance.name, instance.parameters())
        case ForeignNode(instance):
            element = _element_of_spec(instance.pipeline_pass_spec())
            if element.name in rows():
                element = Element(FOREIGN_PREFIX + element.name, element.parameters)
            return element
        case AnalysisNode(action, analysis, _):
            return Element(action, [analysis])
        case RepeatNode(count, children, until_stable):
            name = "devirt" if until_stable else "repeat"
            return Element(name, [str(count)], _elements(children, expand=expand))
        case NestNode(level, children, spelling, parameters):
            if spelling in SPECIAL and not expand:
                return Element(spelling, parameters)
            if spelling in SPECIAL:
                return Element("module", [], _elements(children, expand=expand))
            return Element(spelling or level, parameters, _elements(children, expand=expand))


def _element_of_spec(spec: ArgSpec) -> Element:
    parameters = [
        f"{key}={','.join(str(v).lower() if isinstance(v, bool) else str(v) for v in values)}"
        if values
        else key
        for key, values in spec.parameters.items()
    ]
    return Element(spec.name, parameters)


def print_nodes(nodes: Iterable[Node], *, expand: bool = False) -> str:
    """The text of a pipeline, with explicit nesting and the current parameters of each pass.

    Arguments:
        expand: print the contents of `nvopt<...>` and `default<...>` in place of their names.
    """
    return print_pipeline(_elements(nodes, expand=expand))


def passes_in(nodes: Iterable[Node]) -> Iterable[NvvmPass | ModulePass]:
    """The passes of a pipeline in order, once for each occurrence."""
    for node in nodes:
        if isinstance(node, (PassNode, ForeignNode)):
            yield node.instance
        elif isinstance(node, (NestNode, RepeatNode)):
            yield from passes_in(node.children)


def forms_required_by(nodes: Iterable[Node]) -> tuple[str, ...]:
    """The forms that the passes of a pipeline require, in the order in which they must be
    established."""
    found: dict[str, None] = {}
    for instance in passes_in(nodes):
        if isinstance(instance, NvvmPass):
            found.update(dict.fromkeys(instance.requires))
    return tuple(found)


def levels_in(nodes: Iterable[Node]) -> Iterator[str]:
    """The levels of this project's passes in a pipeline."""
    for node in nodes:
        if isinstance(node, PassNode):
            yield node.level
        elif isinstance(node, (NestNode, RepeatNode)):
            yield from levels_in(node.children)


def apply_foreign(node: ForeignNode, module: ModuleOp) -> None:
    """Runs a pass of another package on a module."""
    from xdsl.context import Context
    from xdsl.universe import Universe

    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    node.instance.apply(context, module)
