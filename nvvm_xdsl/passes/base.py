"""Base classes of passes: module, function, loop.

A pass is a frozen dataclass whose fields are its parameters, and an xDSL `ModulePass`, so that a
stock `xdsl-opt` can run it. `run` or `run_on_function` transforms the IR and returns whether it
changed anything: the pass manager relies on the result to skip a pass on unchanged IR.

Parameters have three forms: `pass{flag key=3}` as in xDSL, `pass<flag;key=3>` as in LLVM, and
Python arguments. A flag `x` is a `bool` field `x`; `no-x` sets it to False. If documented
parameters are not field names, the pass lists them in `tokens`.
"""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, ClassVar, Self, Union, get_args, get_origin, get_type_hints

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean


class ParameterError(DiagnosticError):
    """A parameter that the pass does not have, or an invalid value of a parameter.

    `token` is the index of the offending parameter, `reason` the error message.
    """

    token: int
    reason: str

    def __init__(self, message: str, token: int = 0, reason: str = "") -> None:
        super().__init__(f"{message}: {reason}" if reason else message)
        self.token = token
        self.reason = reason


def camel_case(name: str) -> str:
    """The name in camel case, such as `MemorySpaceOpt` for `memory-space-opt`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("-"))


@dataclass(frozen=True)
class NvvmPass(ModulePass):
    """A pass over a module."""

    level: ClassVar[str] = "module"
    """`module`, `cgscc`, `function`, `loop` or `machine-function`."""

    title: ClassVar[str] = ""
    """The name of the pass in parameter errors and documents; `name` if empty."""

    tokens: ClassVar[Mapping[str, tuple[str, Any]]] = {}
    """Documented parameters, words or `name=value`, that are not field names: the field and its
    value for each.
    """

    phases: ClassVar[frozenset[int]] = frozenset({1})
    """The phases of the two-phase model in which the pass runs: 1 for passes over the whole module
    and early optimization, 2 for preparation of each function for code generation."""

    requires: ClassVar[tuple[str, ...]] = ()
    """The forms of the IR that the pass requires: names of function passes that establish them. A
    pipeline runs these before the pass."""

    knobs: ClassVar[Mapping[str, str]] = {}
    """Documented knobs whose name is not that of the field that they set: for each the parameter if
    the knob is on, such as `no-requires-structured-cfg`. A knob with the name of a field needs no
    entry."""

    idempotent: ClassVar[bool] = True
    """Whether the pass is idempotent. Tests check each pass; a pass that is not sets False and
    states why."""

    covered_by: ClassVar[frozenset[str]] = frozenset()
    """Names of function passes that, with any parameters, find everything that this function pass
    finds. If such a pass finds nothing in a function, this pass is not run on it."""

    @abstractmethod
    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        """Runs the pass; returns whether the module was changed in any way."""

    def preserved(self) -> PreservedAnalyses:
        """The analyses that remain valid after the pass changed something."""
        return PreservedAnalyses.none()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Runs the pass in xDSL's tools, with its own analyses.

        xDSL's pass of the same name, if it has one, runs afterwards for ops of other dialects.
        """
        from nvvm_xdsl.xdsl_patches.stock_passes import STOCK_PASSES

        # xDSL creates a new object for each occurrence of a type; passes may compare types by
        # identity.
        intern_types(op)
        self.run(op, AnalysisManager())
        if self.name in STOCK_PASSES:
            STOCK_PASSES[self.name]()().apply(ctx, op)

    @classmethod
    def display_title(cls) -> str:
        """The name of the pass in messages such as "invalid ... pass parameter"."""
        return cls.title or camel_case(cls.name)

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Like xDSL's `from_spec`, but also accepts a bare `flag` as True, `no-flag` as False, and
        `tokens`.
        """
        if spec.name != cls.name:
            raise ValueError(f"Spec name mismatch: got '{spec.name}', expected '{cls.name}'.")
        words: list[str] = []
        values: dict[str, Any] = {}
        for key, arguments in spec.parameters.items():
            if not arguments:
                words.append(key)
            elif len(arguments) == 1 and f"{key}={arguments[0]}" in cls.tokens:
                words.append(f"{key}={arguments[0]}")
            else:
                name = key.replace("-", "_")
                values[name] = arguments if len(arguments) > 1 else next(iter(arguments))
        try:
            return cls._make(words, values)
        except ParameterError as e:
            raise ValueError(e.message) from None

    @classmethod
    def from_parameters(cls, parameters: Sequence[str]) -> Self:
        """The pass with these parameters in LLVM's spelling. Raises ParameterError."""
        values: dict[str, Any] = {}
        words: list[str] = []
        for index, parameter in enumerate(parameters):
            key, equals, value = parameter.partition("=")
            try:
                if equals and parameter not in cls.tokens:
                    values[key.replace("-", "_")] = value
                    cls._make((), {key.replace("-", "_"): value})
                else:
                    words.append(parameter)
                    cls._make((parameter,), {})
            except ParameterError as e:
                raise cls._bad_parameter(parameter, index, e.reason) from None
        return cls._make(words, values)

    @classmethod
    def _bad_parameter(cls, parameter: str, index: int = 0, reason: str = "") -> ParameterError:
        message = f"invalid {cls.display_title()} pass parameter '{parameter}'"
        return ParameterError(message if reason else message + cls._hint(parameter), index, reason)

    @classmethod
    def _hint(cls, parameter: str) -> str:
        """The end of the message about an invalid parameter: the expected value, or similar
        parameters.
        """
        name, equals, _ = parameter.partition("=")
        kinds = _field_types(cls)
        if name.replace("-", "_") in kinds:
            expected = _VALUES.get(kinds[name.replace("-", "_")], "another value")
            return f": expected {expected}" if equals else f": expected '{name}=' and {expected}"
        values = [token for token in cls.tokens if token.startswith(f"{name}=")]
        if values:
            return f": expected {' or '.join(values)}"
        flags = cls.flags()
        known = list(dict.fromkeys([*cls.tokens, *(n.replace("_", "-") for n in kinds)]))
        if not known:
            return ": the pass has no parameters"
        similar = did_you_mean(name, [*known, *(f"no-{n}" for n in flags)])
        return similar or f"; its parameters are {', '.join(known)}"

    @classmethod
    def _resolve_word(cls, word: str) -> tuple[str, Any]:
        found = cls.tokens.get(word)
        if found is not None:
            return found
        kinds = _field_types(cls)
        name = word.replace("-", "_")
        if _is_flag(kinds.get(name)):
            return name, True
        if name.startswith("no_") and _is_flag(kinds.get(name[3:])):
            return name[3:], False
        if name in kinds and NoneType in get_args(kinds[name]):
            return name, None
        raise cls._bad_parameter(word)

    @classmethod
    def _make(cls, words: Sequence[str], values: Mapping[str, Any]) -> Self:
        arguments: dict[str, Any] = {}
        for word in words:
            name, value = cls._resolve_word(word)
            arguments[name] = value
        kinds = _field_types(cls)
        for name, value in values.items():
            kind = kinds.get(name)
            if kind is None:
                raise cls._bad_parameter(name.replace("_", "-"))
            try:
                arguments[name] = _convert(value, kind)
            except ValueError:
                raise cls._bad_parameter(f"{name.replace('_', '-')}={value}") from None
        try:
            return cls(**arguments)
        except ValueError as e:
            raise ParameterError(f"invalid {cls.display_title()} pass", reason=str(e)) from None

    @classmethod
    def flags(cls) -> frozenset[str]:
        """The parameters that are flags, `x` and `no-x`, without a value."""
        kinds = _field_types(cls)
        return frozenset(name.replace("_", "-") for name in kinds if _is_flag(kinds[name]))

    def parameters(self) -> list[str]:
        """The pass's current parameters in LLVM's spelling; inverse of `from_parameters`."""
        words: dict[tuple[str, Any], str] = {}
        for word, place in self.tokens.items():
            words.setdefault(place, word)
        found: list[str] = []
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            spelled = field.name.replace("_", "-")
            try:
                word = words.get((field.name, value))
            except TypeError:
                word = None
            if word is not None:
                found.append(word)
            elif value is None or value == ():
                continue
            elif isinstance(value, bool):
                found.append(spelled if value else f"no-{spelled}")
            elif isinstance(value, tuple):
                found.append(f"{spelled}={','.join(str(v) for v in value)}")  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            else:
                found.append(f"{spelled}={value}")
        return found


def _is_flag(kind: Any) -> bool:
    return kind is bool or bool in get_args(kind)


_FIELD_TYPES: dict[Any, Any] = {
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "bool | None": bool | None,
    "int | None": int | None,
    "str | None": str | None,
    "tuple[str, ...]": tuple[str, ...],
}
"""Common types of fields; resolving them takes a millisecond per pass."""


@cache
def _field_types(cls: type[NvvmPass]) -> dict[str, Any]:
    fields = [field for field in dataclasses.fields(cls) if field.init]
    if all(field.type in _FIELD_TYPES for field in fields):
        return {field.name: _FIELD_TYPES[str(field.type)] for field in fields}
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields}


_VALUES: dict[Any, str] = {
    bool: "true or false",
    int: "an integer",
    float: "a number",
    str: "text",
    bool | None: "true or false",
    int | None: "an integer",
    str | None: "text",
    tuple[str, ...]: "words separated by commas",
}
"""Descriptions of the valid values of each type, for messages."""

_TRUE = frozenset({"true", "1"})
_FALSE = frozenset({"false", "0"})


def _convert(value: Any, kind: Any) -> Any:
    """`value`, a string or a parsed value of xDSL, converted to type `kind`."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        last = ValueError(f"{value} does not have the type of the parameter")
        for option in get_args(kind):
            if option is not NoneType:
                try:
                    return _convert(value, option)
                except ValueError as e:
                    last = e
        raise last
    if origin is tuple:
        element = get_args(kind)[0]
        if value == "":
            return ()
        parts: Sequence[Any] = value.split(",") if isinstance(value, str) else value
        if not isinstance(value, (str, tuple)):
            parts = (value,)
        return tuple(_convert(part, element) for part in parts)
    if kind is bool:
        if isinstance(value, bool):
            return value
        text = str(value).lower()
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
    elif kind is str and isinstance(value, (str, int, float)):
        return str(value)
    elif kind is int and not isinstance(value, (bool, float, tuple)):
        return int(value)
    elif kind is float and not isinstance(value, (bool, tuple)):
        return float(value)
    raise ValueError(f"{value} does not have the type of the parameter")


@dataclass(frozen=True)
class FunctionPass(NvvmPass):
    """A pass that processes one function at a time and changes nothing outside of it."""

    level: ClassVar[str] = "function"

    @abstractmethod
    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        """Runs the pass on a function with a body; returns whether it changed the function."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = False
        for func in functions_of(module):
            if self.run_on_function(func, am):
                changed = True
                am.invalidate(func, self.preserved())
        return changed


def loops_innermost_first(func: FuncOp, am: AnalysisManager) -> Iterator[Loop]:
    """The loops of a function, inner ones first, while passes change them.

    Loops are looked up again after each change reported to the manager: removed loops are skipped,
    and new ones are visited next, each once.
    """
    work: list[Block] = []
    seen: set[Block] = set()

    def take_in() -> None:
        found = [loop.header for loop in am.get(LoopInfo, func).innermost_first()]
        work.extend(header for header in reversed(found) if header not in seen)
        seen.update(found)

    take_in()
    while work:
        header = work.pop()
        loop = loop_of(header, func, am)
        if loop is None:
            continue
        epoch = am.epoch(func)
        yield loop
        if am.epoch(func) != epoch:
            take_in()


def loop_of(header: Block, func: FuncOp, am: AnalysisManager) -> Loop | None:
    """The loop with this header; None if the block is no longer a header."""
    loop = am.get(LoopInfo, func).loop_for(header)
    return loop if loop is not None and loop.header is header else None


@dataclass(frozen=True)
class LoopPass(FunctionPass):
    """A pass that processes one loop at a time, inner loops first.

    In a pipeline `loop(a,b)` runs `a` and `b` on an inner loop before `a` on the loop around it.
    """

    level: ClassVar[str] = "loop"

    requires: ClassVar[tuple[str, ...]] = ("loop-simplify", "lcssa")

    takes_all_loops: ClassVar[bool] = False
    """Whether the pass, alone in a loop pipeline, receives the function with all its loops.
    Analyses that it updates itself are then not recomputed for each loop.
    """

    @abstractmethod
    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        """Runs the pass on one loop; returns whether it changed the function.

        Until the pass returns, the loop and all other analyses describe the IR before the change.
        `preserved` lists the analyses that are valid afterwards.
        """

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for loop in loops_innermost_first(func, am):
            if self.run_on_loop(loop, func, am):
                changed = True
                am.invalidate(func, self.preserved())
        return changed
