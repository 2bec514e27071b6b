"""Variables that stay in local memory, and the reasons.

A variable that is only loaded and stored at known offsets can be split into registers. Unknown
indices and escaping addresses keep it in memory. Local memory is off-chip: an access costs as much
as an access to global memory (CUDA C++ Best Practices Guide, "Local Memory").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import (
    AddOp,
    AllocaOp,
    AndOp,
    AShrOp,
    CallOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    LLVMArrayType,
    LLVMStructType,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    PtrToIntOp,
    ReturnOp,
    SelectOp,
    SExtOp,
    ShlOp,
    StoreOp,
    SubOp,
    TruncOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.memory.accesses import MARKERS
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    element_type_of,
    intrinsic_name,
    is_volatile,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.integers import constant_number, constant_unsigned
from nvvm_xdsl.dialects.llvm.symbols import is_declaration
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

UNROLLS = "unrolls the loop that counts the index"
"""Transformations of ptxas that remove an index computed only from constants."""

_ARITHMETIC = frozenset(
    {AddOp, SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp, SExtOp, ZExtOp, TruncOp}
)

_SAME_ADDRESS = frozenset({"llvm.bitcast", "llvm.addrspacecast", "llvm.freeze"})

_BLOCKS = frozenset(
    {
        "llvm.intr.memcpy",
        "llvm.intr.memcpy.inline",
        "llvm.intr.memmove",
        "llvm.intr.memset",
        "llvm.intr.memset.inline",
    }
)


@dataclass(frozen=True)
class Reason:
    """A reason for which a variable stays in memory.

    Arguments:
        text: as the end of "because ...".
        op: the op that requires memory.
        remedy: a transformation of ptxas that avoids local memory, as the end of "unless ptxas
            ..."; may be empty.
    """

    text: str
    op: Operation
    remedy: str = ""


@dataclass
class LocalVariable:
    """A variable in local memory.

    Arguments:
        alloca: the op that allocates it.
        name: the name in the source, if the IR contains it.
        kind: `array`, `struct` or `variable`.
        size: in bytes; None if it is only known at run time.
        reasons: in the order of the ops.
    """

    alloca: Operation
    name: str
    kind: str
    size: int | None
    reasons: list[Reason] = field(default_factory=list[Reason])


class LocalMemory:
    """The variables of a function that are in local memory in the current IR."""

    variables: list[LocalVariable]

    def __init__(self, func: Operation) -> None:
        module = func.parent_op()
        layout = DataLayout.of(module) if isinstance(module, ModuleOp) else DataLayout()
        ops = [op for block in fast.blocks_of(func.regions[0]) for op in fast.ops_of(block)]
        self.variables = [_describe(op, layout) for op in ops if type(op) is AllocaOp]
        if any(len(variable.reasons) > 1 for variable in self.variables):
            order = {op: number for number, op in enumerate(ops)}
            for variable in self.variables:
                variable.reasons.sort(key=lambda reason: order[reason.op])

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The variables in local memory of a function."""
        return cls(op)


def _describe(alloca: Operation, layout: DataLayout) -> LocalVariable:
    type_ = element_type_of(alloca)
    count = constant_unsigned(fast.operands_of(alloca)[0])
    try:
        size = None if count is None else count * layout.size(type_)
    except UnsizedTypeError:
        size = None
    name = value_name(alloca.results[0]).removeprefix("%")
    found = LocalVariable(alloca, "" if name.startswith("<") else name, _kind(type_, count), size)
    if count is None:
        found.reasons.append(Reason("its size is not constant", alloca))
    pending: list[SSAValue] = [alloca.results[0]]
    seen = set(pending)
    while pending:
        address = pending.pop()
        for user, index in fast.uses_of(address):
            derived = _look_at(user, index, found.reasons)
            if derived is not None and derived not in seen:
                seen.add(derived)
                pending.append(derived)
    return found


def _kind(type_: Attribute, count: int | None) -> str:
    if count != 1 or isinstance(type_, LLVMArrayType):
        return "array"
    return "struct" if isinstance(type_, LLVMStructType) else "variable"


def _look_at(user: Operation, index: int, reasons: list[Reason]) -> SSAValue | None:
    """Records the reason in a use of an address against registers; returns the address that it
    computes."""
    cls = type(user)
    if cls is GEPOp:
        unknown = [v for v in fast.operands_of(user)[1:] if constant_number(v) is None]
        if unknown:
            name = value_name(unknown[0])
            by = "" if name.startswith("%<") else f" {name}"
            remedy = UNROLLS if all(_counts(value) for value in unknown) else ""
            text = f"it is indexed by a value{by} that is not constant"
            reasons.append(Reason(text, user, remedy))
        return user.results[0]
    if user.name in _SAME_ADDRESS:
        return user.results[0]
    if cls is SelectOp:
        reasons.append(Reason("its address is one of several that are chosen from", user))
        return user.results[0]
    if fast.successors_of(user):
        reasons.append(Reason("its address is one of several that a loop or branch passes", user))
        return branches.argument_behind(user, index)
    reason = _reason_of(user, index)
    if reason is not None:
        reasons.append(Reason(reason, user, _inlined(user)))
    return None


def _counts(value: SSAValue) -> bool:
    """True if a value is computed only from constants, through loops: it is known once they are
    unrolled."""
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        sources: list[SSAValue] = []
        if isinstance(value, OpResult):
            op = value.op
            if type(op) in _ARITHMETIC:
                sources = list(fast.operands_of(op))
            elif constant_number(value) is not None:
                continue
            else:
                return False
        else:
            sources = branches.incoming_values(cast(BlockArgument, value))
            if not sources:
                return False
        for source in sources:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return True


def _inlined(user: Operation) -> str:
    """Transformations of ptxas that remove a call of a function with a body."""
    name = callee_of(user) if type(user) is CallOp else None
    if name is None:
        return ""
    parent = user.parent_op()
    module = parent.parent_op() if parent is not None else None
    if isinstance(module, ModuleOp):
        for op in fast.ops_of(module.body.block):
            if type(op) is FuncOp and op.sym_name.data == name:
                return "" if is_declaration(op) else f"inlines @{name}"
    return ""


def _reason_of(user: Operation, index: int) -> str | None:
    cls = type(user)
    if user.name in MARKERS or cls is ICmpOp:
        return None
    if cls is LoadOp or cls is StoreOp:
        if cls is StoreOp and index == 0:
            return "its address is stored to memory"
        return "it is accessed as volatile" if is_volatile(user) else None
    if cls is CallOp:
        callee = callee_of(user)
        if callee is not None:
            return f"its address is passed to @{callee}"
        return "its address is passed to a function that is called by its address"
    if cls is PtrToIntOp:
        return "its address is taken as an integer"
    if cls is ReturnOp:
        return "its address is returned"
    if user.name in _BLOCKS:
        length = user.properties.get("len")
        if length is None and constant_number(fast.operands_of(user)[2]) is None:
            return "a number of bytes that is not constant is copied or filled"
        return None
    return f"its address is used by {_operation(user)}"


def _operation(user: Operation) -> str:
    return intrinsic_name(user) or user.name
