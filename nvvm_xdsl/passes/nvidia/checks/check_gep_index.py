"""`check-gep-index`: reports constant indices that are out of bounds of a variable.

    %a = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
    %p = llvm.getelementptr inbounds %a[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>

The address is 4 bytes beyond the end of the array. An `inbounds` address with constant indices must
be within the variable (a stack slot or a global) or directly at its end. Other addresses are
reported: as a remark, because the code may never run, or with `strict` as an error. An index that
exceeds only an inner dimension is legal and not reported.

If all subscripts of a function fit in 32 bits, a remark reports that the function has no 64-bit
subscripts, as the document describes. The pass changes nothing.

Benefit: none; it only reports.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp, AllocaOp, FuncOp, GEPOp, SExtOp, ZExtOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    global_type_of,
    integer_width,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.flags import is_inbounds
from nvvm_xdsl.dialects.llvm.gep import constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.symbols import functions_of, symbols_of, walk_function
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.verify.verifier import VerifyError

CHAIN_LIMIT = 64
"""Maximum number of address computations that are traced from a variable."""


@dataclass(frozen=True)
class CheckGepIndex(NvvmPass):
    """Reports constant indices that are out of bounds of a variable."""

    name = "check-gep-index"
    title = "CheckGepIndex"

    strict: bool = False
    """Whether out-of-bounds indices are errors instead of remarks."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        if not self.strict and not remarks.wanted():
            return False
        layout = DataLayout.of(module)
        symbols = symbols_of(module)
        for func in functions_of(module):
            subscripts = wide = 0
            for op in walk_function(func):
                if type(op) is GEPOp:
                    for index in fast.operands_of(op)[1:]:
                        subscripts += 1
                        wide += _is_wide(index)
                    self._check(op, func, layout, symbols)
            if subscripts and not wide:
                remarks.emit(
                    "Analysis",
                    self.name,
                    "No64BitSubscripts",
                    symbol_name(func) or "",
                    "no 64-bit subscripts",
                )
        return False

    def _check(
        self, gep: Operation, func: FuncOp, layout: DataLayout, symbols: dict[str, Operation]
    ) -> None:
        offset = 0
        at: SSAValue = gep.results[0]
        for _ in range(CHAIN_LIMIT):
            step = at.owner
            if not isinstance(step, GEPOp):
                break
            if not is_inbounds(step):
                return
            try:
                distance = constant_offset(step, layout)
            except UnsizedTypeError:
                return
            if distance is None:
                return
            offset += distance
            at = fast.operands_of(step)[0]
        owner = at.owner
        size = _size_of(owner, layout, symbols) if isinstance(owner, Operation) else None
        if size is None or 0 <= offset <= size:
            return
        message = f"the address is {offset} bytes into an object of {size} bytes"
        if self.strict:
            raise VerifyError(message, gep)
        remarks.emit(
            "Analysis", self.name, "IndexOutOfBounds", symbol_name(func) or "", message, op=gep
        )


def _is_wide(index: SSAValue) -> bool:
    """Returns True if a subscript may need more than 32 bits."""
    type_ = index.type
    if integer_width(type_) <= 32:
        return False
    number = constant_integer(index)
    if number is not None:
        return not -(1 << 31) <= number < 1 << 31
    owner = index.owner
    if isinstance(owner, (SExtOp, ZExtOp)):
        return integer_width(fast.operands_of(owner)[0].type) > 32
    return True


def _size_of(op: Operation, layout: DataLayout, symbols: dict[str, Operation]) -> int | None:
    """The size in bytes of the variable whose address the op yields; None if it is unknown."""
    type_: Attribute | None = None
    count: int | None = 1
    if type(op) is AllocaOp:
        type_ = element_type_of(op)
        count = constant_unsigned(fast.operands_of(op)[0])
    elif type(op) is AddressOfOp:
        variable = symbols.get(op.global_name.root_reference.data)
        # The type of a declaration may be incomplete: extern arrays, dynamic shared memory.
        if variable is not None and variable.name == "llvm.mlir.global":
            if "value" in variable.properties or variable.regions[0].first_block is not None:
                type_ = global_type_of(variable)
    if type_ is None or count is None:
        return None
    try:
        return count * layout.size(type_)
    except UnsizedTypeError:
        return None
