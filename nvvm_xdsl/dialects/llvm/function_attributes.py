"""Function attributes, however they were brought in.

MLIR has properties of their own for common ones (`always_inline`, `no_inline` ...) and keeps
the rest by name in `passthrough`.
"""

from __future__ import annotations

import re
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation, TypeAttribute

from nvvm_xdsl.ir.layout import DataLayout


def has_function_attribute(op: Operation, name: str) -> bool:
    """Whether a function or call carries the attribute of this MLIR name."""
    if name in op.properties or name in op.attributes:
        return True
    spelled = name.replace("_", "")
    return any(
        isinstance(entry, StringAttr) and entry.data.replace("_", "") == spelled
        for entry in _passthrough(op)
    )


def string_attribute(op: Operation, name: str) -> str | None:
    """The value of an LLVM string attribute, such as `"denormal-fp-math-f32"`."""
    for entry in _passthrough(op):
        if isinstance(entry, ArrayAttr):
            pair = cast("ArrayAttr[Attribute]", entry).data
            if len(pair) == 2 and isinstance(pair[0], StringAttr) and pair[0].data == name:
                return pair[1].data if isinstance(pair[1], StringAttr) else None
    found = op.properties.get(name.replace("-", "_")) or op.attributes.get(name)
    return found.data if isinstance(found, StringAttr) else None


_TARGET_CPU = re.compile(r"(?:sm|compute)_(\d+)[af]?")


def target_sm(func: Operation) -> int | None:
    """The SM that a function's `target_cpu` names, such as 90; None where it names none."""
    cpu = string_attribute(func, "target_cpu") or string_attribute(func, "target-cpu") or ""
    number = _TARGET_CPU.fullmatch(cpu)
    return int(number[1]) if number else None


FLUSHING_MODES = frozenset({"preserve-sign", "positive-zero"})


def flushes_denormals(func: Operation) -> bool:
    """Whether a function says itself that denormals of single precision are flushed to zero."""
    stated = string_attribute(func, "denormal-fp-math-f32") or ""
    return stated.split(",")[0] in FLUSHING_MODES


def integer_property(op: Operation, name: str) -> int | None:
    """The number in an integer property or attribute, or None."""
    found = op.properties.get(name, op.attributes.get(name))
    if isinstance(found, IntegerAttr):
        return cast("IntegerAttr", found).value.data
    return None


def argument_attribute(func: Operation, index: int, name: str) -> Attribute | None:
    """An attribute of a function's argument, or of a call's; None where it has none."""
    entries = func.properties.get("arg_attrs")
    if not isinstance(entries, ArrayAttr):
        return None
    listed = cast("ArrayAttr[DictionaryAttr]", entries).data
    return listed[index].data.get(name) if index < len(listed) else None


def by_value_type(func: Operation, index: int) -> Attribute | None:
    """The type of the memory that an argument passes by value; None for other arguments."""
    found = argument_attribute(func, index, "llvm.byval")
    # A type may stand wrapped in an attribute; an array type has a `type` of its own.
    if found is None or isinstance(found, TypeAttribute):
        return found
    return cast("Attribute | None", getattr(found, "type", found))


def by_value_alignment(func: Operation, index: int, layout: DataLayout) -> int:
    """The alignment in bytes of the memory that an argument passes by value."""
    type_ = by_value_type(func, index)
    assert type_ is not None
    stated = argument_attribute(func, index, "llvm.align")
    number = cast("IntegerAttr", stated).value.data if isinstance(stated, IntegerAttr) else 1
    return max(number, layout.alignment(type_))


def add_argument_attribute(func: Operation, index: int, name: str, value: Attribute) -> None:
    """Gives a function's argument an attribute, in the place of one of that name."""
    count = len(func.regions[0].blocks[0].args)
    have = func.properties.get("arg_attrs")
    entries = (
        list(cast("ArrayAttr[DictionaryAttr]", have).data)
        if isinstance(have, ArrayAttr)
        else [DictionaryAttr({})] * count
    )
    entries[index] = DictionaryAttr({**entries[index].data, name: value})
    func.properties["arg_attrs"] = ArrayAttr(entries)


def _passthrough(op: Operation) -> tuple[Attribute, ...]:
    found = op.properties.get("passthrough")
    return cast("ArrayAttr[Attribute]", found).data if isinstance(found, ArrayAttr) else ()
