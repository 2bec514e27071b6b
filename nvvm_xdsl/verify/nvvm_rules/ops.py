"""Restrictions of NVVM IR on instructions: the rules of `nvvm-verify` by op class.

The sources of facts and messages are those of `modules.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType, StackRestoreOp, StackSaveOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    integer_of,
    integer_width,
    intrinsic_name,
    ordering_of,
    scalar_type,
    stated_alignment,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    AtomicCmpXchgOp,
    AtomicRMWOp,
    BlockAddressOp,
    ByteSwapOp,
    CountLeadingZerosOp,
    CountTrailingZerosOp,
    CtPopOp,
    FenceOp,
    IndirectBrOp,
    InvokeOp,
    LandingpadOp,
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
    ResumeOp,
    SAddWithOverflowOp,
    SMulWithOverflowOp,
    SSubWithOverflowOp,
    UAddWithOverflowOp,
    UMulWithOverflowOp,
    USubWithOverflowOp,
)
from nvvm_xdsl.dialects.llvm.orderings import ACQ_REL, SEQ_CST
from nvvm_xdsl.dialects.llvm.types import F32, F64, pointer_space
from nvvm_xdsl.dialects.nvptx.functions import MAX_ALIGNMENT
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.dialects.nvvm.ops import SetMaxRegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED, SHARED_CLUSTER, TENSOR
from nvvm_xdsl.verify.nvvm_rules.intrinsic_signatures import signature_error
from nvvm_xdsl.verify.nvvm_rules.modules import HOPPER, SPACES, Context, Rule

SETMAXNREG_RANGE = (24, 256)
SETMAXNREG_STEP = 8
ATOMIC_SPACES = frozenset({GENERIC, GLOBAL, SHARED, SHARED_CLUSTER})
"""Address spaces of atomics; atomics in local memory are plain accesses, because only one thread
accesses it."""


def unsupported(name: str) -> Rule:
    """Creates the rule that an instruction does not exist on GPUs."""
    return lambda op, context: f"{name} is not supported"


def alloca(op: Operation, context: Context) -> str | None:
    """Stack slots are in local memory; front ends use generic addresses of them."""
    alignment = stated_alignment(op)
    if alignment > MAX_ALIGNMENT:
        return f"Alloca alignment {alignment} is greater than {MAX_ALIGNMENT}"
    space = pointer_space(op.results[0].type)
    if space != GENERIC and (space != LOCAL or context.strict):
        return "Allocas are not supported on address spaces except Generic"
    return None


def _is_atomic(op: Operation) -> bool:
    return ordering_of(op) != 0


def load(op: Operation, context: Context) -> str | None:
    """Tensor memory can only be read by its own instructions."""
    (address,) = fast.operands_of(op)
    if pointer_space(address.type) == TENSOR:
        return "Tensor Memory loads/stores are not supported"
    if context.strict and _is_atomic(op):
        return "Atomic loads/stores are not supported"
    return None


def store(op: Operation, context: Context) -> str | None:
    """Constant memory cannot be written, tensor memory only by its own instructions."""
    space = pointer_space(fast.operands_of(op)[1].type)
    if space == TENSOR:
        return "Tensor Memory loads/stores are not supported"
    if space == CONSTANT:
        return "store cannot target constant address space"
    if context.strict and _is_atomic(op):
        return "Atomic loads/stores are not supported"
    return None


def fence(op: Operation, context: Context) -> str | None:
    """UnifiedNVVMIR supports two orderings of fences; plain NVVM IR has intrinsics instead."""
    if context.unified and ordering_of(op) not in (ACQ_REL, SEQ_CST):
        return "Invalid ordering for fence, only acq_rel and seq_cst are supported."
    if context.strict and not context.unified:
        return "fence is not supported"
    return None


def _atomic_target(address: SSAValue, type_: Attribute, context: Context) -> str | None:
    space = pointer_space(address.type)
    if space not in ATOMIC_SPACES and (space != LOCAL or context.strict):
        return "Pointer of an atomic operation must be in generic, global, or shared address space"
    if integer_width(type_) == 128 and context.lacks(HOPPER):
        return "128b atomics not supported on this architecture!"
    return None


def compare_exchange(op: Operation, context: Context) -> str | None:
    """Supported address spaces and widths of `cmpxchg`."""
    address, expected, _ = fast.operands_of(op)
    if context.strict and integer_width(expected.type) not in (32, 64, 128):
        return f"cmpxchg only supports i32, i64 and i128, not {expected.type}"
    return _atomic_target(address, expected.type, context)


def read_modify_write(op: Operation, context: Context) -> str | None:
    """Supported address spaces of `atomicrmw`, and vectors of floats from sm_90 on."""
    address, value = fast.operands_of(op)
    type_: Attribute = value.type
    if isinstance(type_, VectorType) and context.lacks(HOPPER):
        if scalar_type(value.type) == F32:
            return "vector atomics not supported on this architecture!"
    return _atomic_target(address, cast(Attribute, type_), context)


CASTS_BETWEEN = frozenset({SHARED, SHARED_CLUSTER})
"""Address spaces that may be cast to each other: a block's shared memory is part of the
cluster's."""


def address_space_cast(op: Operation, context: Context) -> str | None:
    """One side of a cast must be generic."""
    spaces = (pointer_space(fast.operands_of(op)[0].type), pointer_space(op.results[0].type))
    for space in spaces:
        if space not in SPACES:
            return f"Invalid address space {space}"
    if GENERIC not in spaces and not CASTS_BETWEEN.issuperset(spaces):
        return "Cannot cast non-generic pointer to different non-generic pointer"
    return None


def transfer(op: Operation, context: Context) -> str | None:
    """`memcpy` and `memmove`."""
    if pointer_space(fast.operands_of(op)[0].type) == CONSTANT:
        return "memmove/memcpy cannot target constant address space"
    return None


def fill(op: Operation, context: Context) -> str | None:
    """`memset`."""
    if pointer_space(fast.operands_of(op)[0].type) == CONSTANT:
        return "memset cannot point to constant address space"
    return None


def integer_widths(widths: frozenset[int], message: str) -> Rule:
    """Creates the rule that an intrinsic is only supported for some widths."""

    def rule(op: Operation, context: Context) -> str | None:
        type_ = fast.operands_of(op)[0].type
        return (
            message if context.strict and integer_width(scalar_type(type_)) not in widths else None
        )

    return rule


SWAPPED = integer_widths(frozenset({16, 32, 64}), "Invalid type for bswap, need i16, i32, or i64")
COUNTED = integer_widths(
    frozenset({8, 16, 32, 64}), "Invalid type for ctpop/ctlz/cttz, need i8, i16, i32, or i64"
)
OVERFLOWING = integer_widths(
    frozenset({16, 32, 64}), "Invalid type for arithmetic overflow intrinsic, need i16, i32, or i64"
)

ASSEMBLY_WIDTHS = frozenset({1, 8, 16, 32, 64})


def inline_assembly(op: Operation, context: Context) -> str | None:
    """Inline assembly only supports registers of these types."""
    if not context.strict:
        return None
    types = [v.type for v in fast.operands_of(op)]
    for result in op.results:
        type_ = result.type
        types.extend(type_.types.data if isinstance(type_, LLVMStructType) else (type_,))
    for type_ in types:
        if integer_width(type_) not in ASSEMBLY_WIDTHS and type_ not in (F32, F64):
            if not isinstance(type_, LLVMPointerType):
                return (
                    "Invalid type in inline assembly, must be i1, i8, i16, i32, i64, float, or "
                    "double"
                )
    return None


def set_max_registers(op: Operation, context: Context) -> str | None:
    """The register counts that the hardware can reassign."""
    count = integer_of(op.properties.get("regCount"))
    least, most = SETMAXNREG_RANGE
    if count is None:
        return None
    if not least <= count <= most:
        return f"reg_count argument to nvvm.setmaxnreg must be within [{least}, {most}]"
    if count % SETMAXNREG_STEP:
        return "reg_count argument to nvvm.setmaxnreg must be in multiples of 8"
    return None


def barrier_pointer(op: Operation, context: Context) -> str | None:
    """An mbarrier must be in shared memory."""
    operands = fast.operands_of(op)
    space = pointer_space(operands[0].type)
    if space in (SHARED, SHARED_CLUSTER) or (space == GENERIC and not context.strict):
        return None
    return "Barrier pointer must be in shared memory space"


def stack_pointer(op: Operation, context: Context) -> str | None:
    """The stack is in local memory."""
    value = op.results[0] if op.results else fast.operands_of(op)[0]
    name = "stacksave" if op.results else "stackrestore"
    space = pointer_space(value.type)
    if space == LOCAL or (space == GENERIC and not context.strict):
        return None
    return f"llvm.nvvm.{name} is only supported with local address space pointers"


CONVERGENT_BRANCHES = frozenset(
    {"llvm.nvvm.branch.if.convergent", "llvm.nvvm.branch.if.all.convergent"}
)


def convergent_branch(op: Operation, context: Context) -> str | None:
    """The result is only valid at the branch."""
    if intrinsic_name(op) not in CONVERGENT_BRANCHES:
        return None
    use = fast.single_use(op.results[0]) if op.results else None
    if use is None or type(use.operation) is not llvm.CondBrOp:
        return (
            "result of llvm.nvvm.branch.if.convergent and llvm.nvvm.branch.if.all.convergent can "
            "only be used by exactly one branch instruction"
        )
    return None


CONSTANT_ARGUMENTS: dict[str, int] = {
    "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32": 0,
    "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32": 0,
    "llvm.nvvm.cp.async.wait.group": 0,
    "llvm.nvvm.is_fpclass.f": 1,
    "llvm.nvvm.pm.event.mask": 0,
}
"""Intrinsics with an argument that must be a constant."""


def constant_argument(op: Operation, context: Context) -> str | None:
    """Modes, masks and counts are part of the instruction."""
    name = intrinsic_name(op)
    index = CONSTANT_ARGUMENTS.get(name)
    operands = fast.operands_of(op)
    if index is None or index >= len(operands) or is_constant(operands[index]):
        return None
    return f"arg{index} of intrinsic not constant"


def intrinsic_signature(op: Operation, context: Context) -> str | None:
    """A call must have the operands and results of the intrinsic."""
    return signature_error(op)


def kernel_call(kernels: frozenset[str]) -> Rule:
    """Kernels cannot be called."""

    def rule(op: Operation, context: Context) -> str | None:
        name = callee_of(op)
        return f"the kernel @{name} cannot be called" if name in kernels else None

    return rule


OpRules: TypeAlias = Mapping[type[Operation], tuple[Rule, ...]]

OP_RULES: OpRules = {
    **{
        cls: (unsupported(cls.name.removeprefix("llvm.")),)
        for cls in (IndirectBrOp, InvokeOp, ResumeOp, LandingpadOp, BlockAddressOp)
    },
    llvm.AllocaOp: (alloca,),
    llvm.LoadOp: (load,),
    llvm.StoreOp: (store,),
    FenceOp: (fence,),
    AtomicCmpXchgOp: (compare_exchange,),
    AtomicRMWOp: (read_modify_write,),
    AddrSpaceCastOp: (address_space_cast,),
    **dict.fromkeys((MemcpyOp, MemcpyInlineOp, MemmoveOp), (transfer,)),
    **dict.fromkeys((MemsetOp, MemsetInlineOp), (fill,)),
    ByteSwapOp: (SWAPPED,),
    **dict.fromkeys((CtPopOp, CountLeadingZerosOp, CountTrailingZerosOp), (COUNTED,)),
    **dict.fromkeys(
        (
            SAddWithOverflowOp,
            UAddWithOverflowOp,
            SSubWithOverflowOp,
            USubWithOverflowOp,
            SMulWithOverflowOp,
            UMulWithOverflowOp,
        ),
        (OVERFLOWING,),
    ),
    **dict.fromkeys((StackSaveOp, StackRestoreOp), (stack_pointer,)),
    llvm.InlineAsmOp: (inline_assembly,),
    llvm.CallIntrinsicOp: (intrinsic_signature, convergent_branch, constant_argument),
    SetMaxRegisterOp: (set_max_registers,),
    **{
        cls: (barrier_pointer,)
        for cls in NVVM.operations
        if cls.name.startswith("nvvm.mbarrier.") or cls.name == "nvvm.cp.async.mbarrier.arrive"
    },
}
"""The rules by op class."""


def kernel_names(functions: list[Operation]) -> frozenset[str]:
    """The functions that are kernels."""
    return frozenset(name for f in functions if is_kernel(f) and (name := symbol_name(f)))
