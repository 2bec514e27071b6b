"""Attributes of functions in all their representations, and the modes that they state.

MLIR's `llvm.func` has properties of their own for common attributes of LLVM IR (`always_inline`,
`denormal_fp_math` ...) and keeps the rest by name in `passthrough`: words, and pairs of a name
and a value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attribute,
    argument_attributes,
    integer_of,
    wrapped_type,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.struct_attributes import DenormalFPEnvAttr
from nvvm_xdsl.ir.arrays import items_of


def passthrough_entries(func: Operation) -> tuple[Attribute, ...]:
    """The entries of `passthrough`: words, and pairs of a name and a value."""
    return items_of(func.properties.get("passthrough") or func.attributes.get("passthrough"))


def set_passthrough(func: Operation, entries: Sequence[Attribute]) -> None:
    """Sets the entries of a function's `passthrough`."""
    if entries:
        func.properties["passthrough"] = ArrayAttr(entries)
    else:
        func.properties.pop("passthrough", None)


def passthrough_entry(entry: Attribute) -> tuple[str, str | None] | None:
    """An entry of `passthrough` as name and value, None as the value of a word; None for others."""
    if isinstance(entry, StringAttr):
        return entry.data, None
    match items_of(entry):
        case (StringAttr(data=name), StringAttr(data=value)):
            return name, value
        case _:
            return None


class _Listed(NamedTuple):
    """The parsed entries of a `passthrough`.

    Arguments:
        entries: the entries.
        values: value by name, None for words without one.
        words: the words, without underscores.
    """

    entries: tuple[Attribute, ...]
    values: dict[str, str | None]
    words: frozenset[str]


_MOST_LISTED = 1000
_listed: dict[int, _Listed] = {}
"""By the identity of the entries, which functions share and passes query repeatedly."""


def _listed_of(func: Operation) -> _Listed:
    entries = passthrough_entries(func)
    known = _listed.get(id(entries))
    if known is not None and known.entries is entries:
        return known
    values: dict[str, str | None] = {}
    for entry in entries:
        pair = passthrough_entry(entry)
        if pair is not None:
            values[pair[0]] = pair[1]
    words = frozenset(word.replace("_", "") for word, value in values.items() if value is None)
    if len(_listed) >= _MOST_LISTED:
        _listed.clear()
    # The entries are kept alive, so that their identity is not reused.
    found = _listed[id(entries)] = _Listed(entries, values, words)
    return found


def passthrough_of(func: Operation) -> dict[str, str | None]:
    """The contents of a function's `passthrough`: value by name, None for attributes without a
    value.
    """
    return dict(_listed_of(func).values)


def has_function_attribute(op: Operation, name: str) -> bool:
    """True if a function or call has the attribute with this MLIR name, such as `no_inline`."""
    if name in op.properties or name in op.attributes:
        return True
    word = "optnone" if name == "optimize_none" else name.replace("_", "")
    return word in _listed_of(op).words


def string_attribute(func: Operation, name: str) -> str | None:
    """The value of an LLVM string attribute, such as `"denormal-fp-math-f32"`.

    It may be in `passthrough`, or in a property or attribute with MLIR's spelling of the name; a
    flag that MLIR keeps as an `i1` is returned as `true` or `false`, a unit as `true`. Returns None
    if the function lacks it.
    """
    listed = _listed_of(func).values
    if name in listed:
        return listed[name] or ""
    spelled = name.replace("-", "_")
    found = (
        func.properties.get(spelled) or func.attributes.get(spelled) or func.attributes.get(name)
    )
    if found is None:
        return None
    if isinstance(found, StringAttr):
        return found.data
    return "false" if integer_of(found) == 0 else "true"


def remove_function_attributes(func: Operation, names: Collection[str]) -> None:
    """Removes words and string attributes, which `passthrough_of` or `string_attribute` find."""
    entries = passthrough_entries(func)
    kept = [e for e in entries if (passthrough_entry(e) or ("", None))[0] not in names]
    func.attributes.pop("passthrough", None)
    set_passthrough(func, kept)
    for name in names:
        spelled = name.replace("-", "_")
        func.properties.pop(spelled, None)
        func.attributes.pop(spelled, None)
        func.attributes.pop(name, None)


_TARGET_CPU = re.compile(r"(?:sm|compute)_(\d+)[af]?")


def target_sm(func: Operation) -> int | None:
    """The SM in a function's `target_cpu`, such as 90; None if there is none."""
    number = _TARGET_CPU.fullmatch(string_attribute(func, "target-cpu") or "")
    return int(number[1]) if number else None


# Denormals

DENORMAL_FP_MATH: Final = "denormal-fp-math"
DENORMAL_FP_MATH_F32: Final = "denormal-fp-math-f32"

DENORMAL_MODES = {
    "ieee": "ieee",
    "preservesign": "preserve-sign",
    "positivezero": "positive-zero",
    "dynamic": "dynamic",
}
"""Denormal modes of the main branches, and their names up to LLVM 22."""


def denormal_properties(environment: DenormalFPEnvAttr) -> dict[str, Attribute]:
    """The properties of MLIR 22 for the attribute of MLIR's main branch."""
    found: dict[str, Attribute] = {}
    for name, kind in (("denormal_fp_math", "default"), ("denormal_fp_math_f32", "float")):
        modes = (environment.field(f"{kind}_{side}_mode") for side in ("output", "input"))
        words = [mode.data for mode in modes if isinstance(mode, StringAttr)]
        found[name] = StringAttr(",".join(DENORMAL_MODES.get(word, word) for word in words))
    return found


_DENORMAL_KINDS = frozenset({"ieee", "preserve-sign", "positive-zero", "dynamic"})


class DenormalMode(NamedTuple):
    """The denormal mode of a function (LLVM Language Reference, "denormal-fp-math").

    Each is `ieee`, `preserve-sign`, `positive-zero` or `dynamic`.
    """

    output: str
    """Denormal results: kept, or flushed to a zero of the same sign, or to +0."""
    input: str
    """Denormal operands: used unchanged, or as such a zero."""


IEEE: Final = DenormalMode("ieee", "ieee")


def _parsed_mode(text: str) -> DenormalMode | None:
    """`output,input` or one word for both, empty for `ieee`; None for an invalid mode."""
    output, _, input_ = text.partition(",")
    output = output or "ieee"
    mode = DenormalMode(output, input_ or output)
    return mode if _DENORMAL_KINDS.issuperset(mode) else None


def denormal_mode(func: Operation, *, single: bool) -> DenormalMode:
    """The mode that a function states for f32 (`single`) or for the other types.

    The mode for f32 takes precedence over the mode for all types (`Function::getDenormalMode`).
    """
    if single:
        stated = string_attribute(func, DENORMAL_FP_MATH_F32)
        mode = None if stated is None else _parsed_mode(stated)
        if mode is not None:
            return mode
    return _parsed_mode(string_attribute(func, DENORMAL_FP_MATH) or "") or IEEE


def flushes_denormals(func: Operation) -> bool:
    """Returns True if f32 ops of the function are PTX instructions with `.ftz`.

    `.ftz` keeps the sign of flushed values, so that it implements only `preserve-sign`, as in LLVM
    (`NVPTXTargetLowering::useF32FTZ`). With `positive-zero` denormals are kept: LLVM permits that,
    but not -0.
    """
    return denormal_mode(func, single=True).output == "preserve-sign"


# Arguments


def by_value_type_in(attributes: Mapping[str, Attribute]) -> Attribute | None:
    """The type of the memory that an argument with these attributes passes by value, or None."""
    found = attributes.get("llvm.byval")
    return None if found is None else wrapped_type(found)


def by_value_type(func: Operation, index: int) -> Attribute | None:
    """The type of the memory that an argument passes by value; None for other arguments."""
    return by_value_type_in(argument_attributes(func, index))


def by_value_alignment(func: Operation, index: int, layout: DataLayout) -> int:
    """The alignment in bytes of the memory that an argument passes by value."""
    type_ = by_value_type(func, index)
    assert type_ is not None
    stated = integer_of(argument_attribute(func, index, "llvm.align"))
    return max(stated or 1, layout.alignment(type_))


__all__ = [
    "DENORMAL_FP_MATH",
    "DENORMAL_FP_MATH_F32",
    "IEEE",
    "DenormalMode",
    "by_value_alignment",
    "by_value_type",
    "by_value_type_in",
    "denormal_mode",
    "flushes_denormals",
    "has_function_attribute",
    "passthrough_entries",
    "passthrough_entry",
    "passthrough_of",
    "set_passthrough",
    "string_attribute",
    "target_sm",
]
