"""Forms of kernel markers and launch bounds, and their conversion."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import CallingConventionAttr, FuncOp
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.function_attributes import (
    passthrough_entries,
    passthrough_entry,
    set_passthrough,
)
from nvvm_xdsl.dialects.llvm.types import I32, UNIT, dense_i32, int_attr
from nvvm_xdsl.dialects.nvvm.kernel import KERNEL_ATTRIBUTES, is_kernel, launch_bounds
from nvvm_xdsl.ir import fast

KERNEL_CONVENTION = "ptx_kernelcc"


PLAIN_CONVENTION = "ccc"


BOUNDS = """\
nvvm.maxntid            | nvvm.maxntid           | maxntid
nvvm.reqntid            | nvvm.reqntid           | reqntid
nvvm.cluster_dim        | nvvm.cluster_dim       | cluster_dim
nvvm.minctasm           | nvvm.minctasm          | minctasm
nvvm.maxnreg            | nvvm.maxnreg           | maxnreg
nvvm.cluster_max_blocks | nvvm.maxclusterrank    | cluster_max_blocks
nvvm.blocksareclusters  | nvvm.blocksareclusters | blocksareclusters
"""
"""MLIR's attribute, LLVM's string attribute, and the field of `LaunchBounds`."""


@dataclass(frozen=True)
class _Bound:
    attribute: str
    string: str
    field: str

    def names(self) -> tuple[str, str]:
        """The two attribute names of the bound: integer and string form."""
        return self.attribute, self.string


_BOUNDS = tuple(_Bound(*(part.strip() for part in line.split("|"))) for line in BOUNDS.splitlines())


def convert_kernel_markers(module: ModuleOp, *, strings: bool = False) -> bool:
    """Replaces the kernel markers and launch bounds of all functions by one form of each.

    Returns whether any function changed.

    Arguments:
        strings: whether LLVM's calling convention and string attributes are used instead of MLIR's
            attributes.
    """
    changed = False
    body = module.regions[0].first_block
    if body is not None:
        for op in fast.ops_of(body):
            if isinstance(op, FuncOp):
                changed |= _convert_marker(op, strings)
                changed |= _convert_bounds(op, strings)
    return changed


def _convert_marker(func: FuncOp, strings: bool) -> bool:
    """Replaces the kernel markers of a function by one form."""
    if not is_kernel(func):
        return False
    before = dict(func.attributes), func.CConv
    for name in KERNEL_ATTRIBUTES:
        func.attributes.pop(name, None)
    convention = KERNEL_CONVENTION if strings else PLAIN_CONVENTION
    if not strings:
        func.attributes["nvvm.kernel"] = UNIT
    # A different calling convention is kept.
    if func.CConv.convention.data in (KERNEL_CONVENTION, PLAIN_CONVENTION):
        func.CConv = CallingConventionAttr(convention)
    return before != (func.attributes, func.CConv)


def _convert_bounds(func: FuncOp, strings: bool) -> bool:
    """Replaces all launch bounds of a kernel by one form."""
    stated = launch_bounds(func)
    stated_before = passthrough_entries(func)
    before = dict(func.attributes), stated_before
    entries = list(stated_before)
    for bound in _BOUNDS:
        value = getattr(stated, bound.field)
        # Unreadable values are left unchanged.
        if value is None or value is False:
            continue
        for name in bound.names():
            func.attributes.pop(name, None)
        entries = [e for e in entries if _name_of(e) not in bound.names()]
        if strings:
            entries.append(_as_string(bound.string, value))
        else:
            func.attributes[bound.attribute] = _as_attribute(value)
    if tuple(entries) != stated_before:
        set_passthrough(func, entries)
    return before != (func.attributes, passthrough_entries(func))


def _as_attribute(value: bool | int | tuple[int, ...]) -> Attribute:
    if value is True:
        return UNIT
    return dense_i32(value) if isinstance(value, tuple) else int_attr(value, I32)


def _as_string(name: str, value: bool | int | tuple[int, ...]) -> Attribute:
    if value is True:
        return StringAttr(name)
    numbers = value if isinstance(value, tuple) else (value,)
    return ArrayAttr([StringAttr(name), StringAttr(",".join(map(str, numbers)))])


def _name_of(entry: Attribute) -> str:
    """The name of a function attribute in `passthrough`, `name` or `[name, value]`."""
    pair = passthrough_entry(entry)
    return "" if pair is None else pair[0]
