"""`printf-lowering`: replaces calls of printf by calls of vprintf, the device's function.

    %n = llvm.call @printf(%format, %x, %i) vararg(...) : (!llvm.ptr, f32, i32) -> i32

becomes

    %vprintfBuffer.local = llvm.alloca %one x !llvm.array<12 x i8> {alignment = 8 : i64}
    %d = llvm.fpext %x : f32 to f64
    llvm.store %d, %vprintfBuffer.local
    %bufIndexed = llvm.getelementptr inbounds %vprintfBuffer.local[8]
    llvm.store %i, %bufIndexed
    %n = llvm.call @vprintf(%format, %vprintfBuffer.local) : (!llvm.ptr, !llvm.ptr) -> i32

Arguments get C's default promotions: floats are promoted to double, integers to at least int. Each
argument is stored at the next multiple of its alignment. All calls of a function share one buffer
of the maximum size; a call without arguments passes null.

The format must be a string literal, because the host reads it after the kernel has run.

000 LLVM Optimizer ("NVIDIA Custom Passes"); CUDA C++ Programming Guide, "Formatted Output".

Benefit: required: the device only has vprintf.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    CallOp,
    FPExtOp,
    FuncOp,
    GEPOp,
    GlobalOp,
    LLVMPointerType,
    SExtOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    function_type_of,
    global_name,
    integer_width,
    is_constant_global,
    segment_sizes,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, after_constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import constant_indices
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.symbols import (
    entry_of,
    functions_of,
    references_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import (
    BF16,
    F16,
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    PTR,
    array,
    int_attr,
    pointer_space,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.runtime_calls import VPRINTF, call_function, declare_function
from nvvm_xdsl.verify.verifier import VerifyError

PRINTF = "printf"

NOT_LITERAL = "The first argument for printf must be a string literal!"
"""The message text of the document."""

BUFFER_NAME = "vprintfBuffer.local"
INDEX_NAME = "bufIndexed"
BUFFER_ALIGNMENT = 8

_CASTS = frozenset({BitcastOp, AddrSpaceCastOp})


@dataclass(frozen=True)
class PrintfLowering(NvvmPass):
    """Replaces calls of printf by calls of vprintf."""

    name = "printf-lowering"
    title = "PrintfLowering"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        symbols = symbols_of(module)
        printf = symbols.get(PRINTF)
        if not isinstance(printf, FuncOp) or not _is_printf(printf):
            return False
        layout = DataLayout.of(module)
        changed = False
        for func in functions_of(module):
            calls = [
                op for op in walk_function(func) if type(op) is CallOp and callee_of(op) == PRINTF
            ]
            if not calls:
                continue
            for call in calls:
                if not _is_literal(fast.operands_of(call)[0], symbols):
                    raise VerifyError(NOT_LITERAL, call)
            declare_function(module, VPRINTF, (PTR, PTR), I32)
            _Lowering(func, layout).lower(calls)
            am.invalidate(func, self.preserved())
            changed = True
        if changed and not any(PRINTF in references_of(op) for op in symbols.values()):
            fast.erase(printf)
        return changed


def _is_printf(func: FuncOp) -> bool:
    """Returns True if a function is an external declaration with C's type of printf."""
    type_ = function_type_of(func)
    inputs: tuple[Attribute, ...] = type_.inputs.data
    return (
        func.regions[0].first_block is None
        and type_.is_variadic
        and len(inputs) == 1
        and isinstance(inputs[0], LLVMPointerType)
    )


def _is_literal(value: SSAValue, symbols: dict[str, Operation]) -> bool:
    """Returns True if a pointer is into a constant variable, at a constant offset."""
    owner = value.owner
    while isinstance(owner, Operation):
        if type(owner) is AddressOfOp:
            name = global_name(owner)
            variable = symbols.get(name)
            return isinstance(variable, GlobalOp) and is_constant_global(variable)
        if type(owner) is GEPOp:
            if constant_indices(owner) is None:
                return False
        elif type(owner) not in _CASTS:
            return False
        owner = fast.operands_of(owner)[0].owner
    return False


class _Lowering:
    """Lowers the calls of one function."""

    def __init__(self, func: FuncOp, layout: DataLayout) -> None:
        self.func = func
        self.layout = layout
        self.constants = Constants(func)

    def lower(self, calls: list[CallOp]) -> None:
        """Replaces calls of printf."""
        promoted = [self._promote(call) for call in calls]
        places = [self._places(values) for values in promoted]
        size = max(end for _, end in places)
        alignments = (self.layout.alignment(v.type) for values in promoted for v in values)
        alignment = max(BUFFER_ALIGNMENT, *alignments) if size else 0
        buffer = self._buffer(size, alignment) if size else self.constants.zero(PTR)
        for call, values, (offsets, end) in zip(calls, promoted, places):
            builder = Builder(call, self.constants)
            for value, offset in zip(values, offsets):
                address = builder.offset(buffer, offset, INDEX_NAME)
                builder.store(value, address, self.layout.alignment(value.type))
            packed = buffer if end else self.constants.zero(PTR)
            format_ = self._generic(builder, fast.operands_of(call)[0])
            made = call_function(VPRINTF, (format_, packed), I32, call)
            fast.replace_op(call, tuple(made.results) if call.results else ())

    def _places(self, values: list[SSAValue]) -> tuple[list[int], int]:
        """The offset of each value in the buffer, and the buffer's size."""
        offsets: list[int] = []
        end = 0
        for value in values:
            alignment = self.layout.alignment(value.type)
            end = (end + alignment - 1) // alignment * alignment
            offsets.append(end)
            end += self.layout.size(value.type)
        return offsets, end

    def _buffer(self, size: int, alignment: int) -> SSAValue:
        slot = fast.create(
            AllocaOp,
            (self.constants.integer(1, I32),),
            (PTR,),
            {"elem_type": array(size, I8), "alignment": int_attr(alignment, I64)},
        )
        fast.insert_before(slot, after_constants(entry_of(self.func)))
        fast.set_name(slot.results[0], BUFFER_NAME)
        return slot.results[0]

    def _promote(self, call: CallOp) -> list[SSAValue]:
        """The variable arguments with C's default promotions."""
        builder = Builder(call, self.constants)
        count = segment_sizes(call)[0]
        found: list[SSAValue] = []
        for index, value in enumerate(fast.operands_of(call)[1:count], 1):
            type_ = value.type
            if type_ in (F16, BF16, F32):
                value = builder.value(FPExtOp, (value,), F64)
            elif isinstance(type_, IntegerType):
                value = self._promote_integer(builder, value, call, index)
            elif isinstance(type_, LLVMPointerType):
                value = self._generic(builder, value)
            found.append(value)
        return found

    def _promote_integer(
        self, builder: Builder, value: SSAValue, call: CallOp, index: int
    ) -> SSAValue:
        width = integer_width(value.type)
        if width in (32, 64) or width > 64:
            return value
        unsigned = value.type is I1 or "llvm.zeroext" in argument_attributes(call, index)
        return builder.value(ZExtOp if unsigned else SExtOp, (value,), I32 if width < 32 else I64)

    def _generic(self, builder: Builder, value: SSAValue) -> SSAValue:
        if pointer_space(value.type) == 0:
            return value
        return builder.value(AddrSpaceCastOp, (value,), PTR)
