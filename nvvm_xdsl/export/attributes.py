"""Attributes of functions, parameters and calls in LLVM assembly (LLVM Language Reference,
"Parameter Attributes", "Function Attributes"), by the inverse of the tables of
`frontend.attributes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.llvm import FramePointerKindAttr, TargetFeaturesAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.effects import COLD, NODUPLICATE
from nvvm_xdsl.dialects.llvm.accessors import (
    calling_convention_of,
    int_value,
    integer_of,
    integers_of,
    memory_effects_of,
    wrapped_type,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr, UWTableKindAttr
from nvvm_xdsl.dialects.llvm.function_attributes import passthrough_entry
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.spelling import TypeSpelling, bytes_of, quoted
from nvvm_xdsl.frontend.attributes import (
    BOOL_PROPERTIES,
    GRID_CONSTANT,
    KERNEL_INTS,
    KERNEL_LISTS,
    MEMORY_FIELDS,
    MEMORY_LOCATIONS,
    PASSTHROUGH,
    STRING_PROPERTIES,
    TYPE_ATTRIBUTES,
    WORD_PROPERTIES,
)
from nvvm_xdsl.frontend.calls import CALLING_CONVENTIONS
from nvvm_xdsl.ir.arrays import items_of

_WORDS: Final = {property_: word for word, property_ in WORD_PROPERTIES.items()}
_STRINGS: Final = {property_: key for key, property_ in STRING_PROPERTIES.items()}
_BOOLS: Final = {property_: key for key, property_ in BOOL_PROPERTIES.items()}
_LISTS: Final = {attribute: key for key, attribute in KERNEL_LISTS.items()}
_INTS: Final = {attribute: key for key, attribute in KERNEL_INTS.items()}
_LOCATIONS: Final = {field: word for word, field in MEMORY_LOCATIONS.items()}
_CONVENTIONS: Final = {mlir: llvm for llvm, mlir in CALLING_CONVENTIONS.items()}

_SAID_ELSEWHERE: Final = frozenset(
    "sym_name function_type linkage visibility_ dso_local unnamed_addr CConv arg_attrs res_attrs "
    "section comdat alignment garbageCollector personality function_entry_count".split()
)
"""Properties of `llvm.func` that are not attributes after its parameters."""

_SAYS_NOTHING: Final = frozenset({"sym_visibility", "work_group_size_hint"})


def convention(op: Operation) -> str:
    """The calling convention of a function or call with a trailing space; empty for C's."""
    if op.name == "llvm.func" and is_kernel(op):
        return "ptx_kernel "
    name = calling_convention_of(op)
    if name == "ccc":
        return ""
    spelled = _CONVENTIONS.get(name)
    if spelled is None:
        raise write_error(op, f"NVIDIA GPUs have no calling convention {name}")
    return spelled + " "


def _string(key: str, value: str | None = None) -> str:
    text = quoted(bytes_of(key))
    return text if value is None else f"{text}={quoted(bytes_of(value))}"


def memory_text(effects: MemoryEffectsAttr) -> str:
    """`memory(...)`: the common effect of all locations, then the locations that differ."""
    values: dict[str, str] = {}
    for name in MEMORY_FIELDS:
        value = effects.field(name)
        assert isinstance(value, StringAttr)
        values[name] = value.data
    common = values["other"]
    others = [f"{_LOCATIONS[n]}: {v}" for n, v in values.items() if n != "other" and v != common]
    parts = ([common] if common != "none" or not others else []) + others
    return f"memory({', '.join(parts)})"


def discardable_words(op: Operation) -> list[str]:
    """The attributes of a call, intrinsic or inline assembly that are discardable in MLIR."""
    stated = ("llvm.convergent", "convergent", NODUPLICATE, COLD)
    return list(dict.fromkeys(n.removeprefix("llvm.") for n in stated if n in op.attributes))


class AttributeWriter:
    """Formats attributes, and numbers attribute groups of functions and calls.

    Arguments:
        groups: number by content.
    """

    groups: dict[str, int]

    _types: TypeSpelling
    _parameters: dict[int, tuple[Attribute, str]]

    def __init__(self, types: TypeSpelling) -> None:
        self.groups = {}
        self._types = types
        self._parameters = {}

    def group(self, words: list[str]) -> str:
        """` #N` for the attributes of a function or call; empty if it has none."""
        if not words:
            return ""
        return f" #{self.groups.setdefault(' '.join(words), len(self.groups))}"

    def parameter(self, entries: Attribute | None) -> str:
        """The attributes of a parameter, argument or result, each with a trailing space."""
        if entries is None:
            return ""
        known = self._parameters.get(id(entries))
        if known is None:
            data: Mapping[str, Attribute] = getattr(entries, "data", {})
            text = "".join([self._parameter(name, value) for name, value in data.items()])
            known = self._parameters[id(entries)] = (entries, text)
        return known[1]

    def _parameter(self, name: str, value: Attribute) -> str:
        if name == GRID_CONSTANT:
            return f'"{GRID_CONSTANT}" '
        if not name.startswith("llvm."):
            return ""
        word = name.removeprefix("llvm.")
        if word == "nocapture":
            return "captures(none) "
        if word in TYPE_ATTRIBUTES:
            return f"{word}({self._types(wrapped_type(value))}) "
        if isinstance(value, ConstantRangeAttr):
            return f"range({range_text(value)}) "
        if isinstance(value, UnitAttr):
            return f"{word} "
        number = integer_of(value)
        if number is None:
            return ""
        return f"align {number} " if word == "align" else f"{word}({number}) "

    def of_function(self, op: Operation) -> list[str]:
        """The attributes in the group of a function. Raises WriteError."""
        words: list[str] = []
        strings: list[str] = []
        for name, value in op.properties.items():
            if name in _SAID_ELSEWHERE or name in _SAYS_NOTHING:
                continue
            if name in _WORDS:
                words.append(_WORDS[name])
            elif name in _STRINGS and isinstance(value, StringAttr):
                strings.append(_string(_STRINGS[name], value.data))
            elif name in _BOOLS:
                strings.append(_string(_BOOLS[name], "true" if int_value(value) else "false"))
            elif isinstance(value, MemoryEffectsAttr):
                words.append(memory_text(value))
            elif name == "passthrough":
                self._passed_through(value, words, strings)
            elif isinstance(value, FramePointerKindAttr):
                strings.append(_string("frame-pointer", value.data.value))
            elif isinstance(value, TargetFeaturesAttr):
                features = ",".join([feature.data for feature in value.features.data])
                strings.append(_string("target-features", features))
            elif isinstance(value, UWTableKindAttr):
                words.append("uwtable(sync)" if value.kind.data == "sync" else "uwtable")
            else:
                raise write_error(op, f"there is no attribute '{name}'")
        for name, value in op.attributes.items():
            text = _bound(name, value)
            if text is not None:
                strings.append(text)
        return [*sorted(words), *sorted(strings)]

    @staticmethod
    def _passed_through(value: Attribute, words: list[str], strings: list[str]) -> None:
        for entry in items_of(value):
            pair = passthrough_entry(entry)
            if pair is None:
                continue
            key, text = pair
            if key == "alignstack" and text is not None:
                words.append(f"alignstack={text}")
            elif text is None and key in PASSTHROUGH:
                words.append(key)
            else:
                strings.append(_string(key, text))

    def of_call(self, op: Operation) -> list[str]:
        """The attributes in the group of a call."""
        words = [_WORDS[name] for name in op.properties if name in _WORDS]
        words += discardable_words(op)
        effects = memory_effects_of(op)
        if isinstance(effects, MemoryEffectsAttr):
            words.append(memory_text(effects))
        return sorted(words)


def _bound(name: str, value: Attribute) -> str | None:
    """A launch bound, or another attribute of kernels, as LLVM's string attribute."""
    if name in _LISTS:
        numbers = integers_of(value) or tuple(
            n for n in map(integer_of, items_of(value)) if n is not None
        )
        return _string(_LISTS[name], ",".join(map(str, numbers)))
    if name in _INTS or name in KERNEL_INTS:
        number = integer_of(value)
        return None if number is None else _string(_INTS.get(name, name), str(number))
    if name == "nvvm.blocksareclusters":
        return _string(name)
    return None


def range_text(range_: ConstantRangeAttr) -> str:
    """`i32 0, 1024`."""
    return f"i{range_.width} {range_.lower.data}, {range_.upper.data}"


def entries_at(op: Operation, name: str, index: int) -> Attribute | None:
    """The dictionary of an argument (`arg_attrs`) or a result (`res_attrs`)."""
    listed = items_of(op.properties.get(name))
    return listed[index] if index < len(listed) else None
