"""What NVVM IR forbids that LLVM allows: the rules of `nvvm-verify`, as tables.

Facts and messages are those of the documents of `nvvm-verify` and of the NVVM IR
specification. Some of what NVIDIA's compiler refuses is compiled here and by LLVM, such as
atomic loads; those rules are marked `strict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMFunctionType, LLVMPointerType, LLVMStructType, LLVMVoidType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.dialects.nvvm import op_class as nvvm_class
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.types import F32, F64, address_space_of
from nvvm_xdsl.passes.utils.attributes import has_function_attribute, string_attribute
from nvvm_xdsl.passes.utils.constants import UNDEFINED_CLASSES, is_constant
from nvvm_xdsl.passes.utils.intrinsic_signatures import signature_error
from nvvm_xdsl.passes.utils.symbols import symbol_name


@dataclass(frozen=True)
class Context:
    """What rules are asked with.

    Arguments:
        arch: ten times the SM; None when it is not known, and nothing is refused for it.
        unified: the rules of UnifiedNVVMIR.
        strict: refuse what NVIDIA's compiler refuses though it is compiled here.
    """

    arch: int | None = None
    unified: bool = False
    strict: bool = False

    def lacks(self, arch: int) -> bool:
        """Whether the target is known to be older."""
        return self.arch is not None and self.arch < arch


Rule: TypeAlias = Callable[[Operation, Context], "str | None"]
"""What is wrong with an op, or None."""

GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, TENSOR, CLUSTER, PARAM = 0, 1, 3, 4, 5, 6, 7, 101

SPACES = frozenset({GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, TENSOR, CLUSTER, PARAM})
VARIABLE_SPACES = frozenset({GENERIC, GLOBAL, SHARED, CONSTANT})
ATOMIC_SPACES = frozenset({GENERIC, GLOBAL, SHARED, CLUSTER})
MAX_ALLOCA_ALIGNMENT = 1 << 23
MAX_THREADS = 1024
SETMAXNREG_RANGE = (24, 256)
SETMAXNREG_STEP = 8
HOPPER = 900

# The module.

TRIPLES = ("nvptx-*-cuda", "nvptx64-*-cuda")

LIBDEVICE_ENDING = "-gpulibs"
"""What libdevice's own triple ends with."""

UNIFIED_TRIPLES = frozenset(
    {
        "nvptx-nvidia-cuda",
        "nvptx64-nvidia-cuda",
        "nvptx-nvidia-nvcl",
        "nvptx64-nvidia-nvcl",
        "nvsass-nvidia-cuda",
        "nvsass-nvidia-nvcl",
        "nvsass-nvidia-directx",
        "nvsass-nvidia-spirv",
    }
)

LAYOUTS = {
    32: "e-p:32:32:32-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64",
    64: "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64",
}
"""The examples that a wrong data layout is answered with, by pointer width."""


def _text(op: Operation, name: str) -> str | None:
    found = op.attributes.get(name)
    return found.data if isinstance(found, StringAttr) else None


def target_triple(module: Operation, context: Context) -> str | None:
    """A triple that is stated must be one of NVIDIA's."""
    triple = _text(module, "llvm.target_triple")
    if triple is None:
        return None
    if context.unified:
        return None if triple in UNIFIED_TRIPLES else "Invalid target triple"
    endings = ("-cuda",) if context.strict else ("-cuda", LIBDEVICE_ENDING)
    if triple.startswith(("nvptx-", "nvptx64-")) and triple.endswith(endings):
        return None
    return f"Invalid target triple ({triple}), must be one of: {', '.join(TRIPLES)}"


def data_layout(module: Operation, context: Context) -> str | None:
    """A data layout that is stated must be little-endian and fit the triple."""
    layout = _text(module, "llvm.data_layout")
    if layout is None:
        return None
    if not layout:
        return "Empty target data layout, must exist"
    triple = _text(module, "llvm.target_triple") or "nvptx64-"
    width = 32 if triple.startswith("nvptx-") else 64
    pointer = 64
    for part in layout.split("-"):
        head, _, rest = part.partition(":")
        if head == "E":
            return f"Invalid data layout: big-endian. Example valid data layout: {LAYOUTS[width]}"
        if head in ("p", "p0"):
            size = rest.partition(":")[0]
            pointer = int(size) if size.isdigit() else 0
    if pointer != width:
        return (
            f"Invalid data layout: pointers of {pointer} bits. "
            f"Example valid data layout: {LAYOUTS[width]}"
        )
    return None


MODULE_RULES: tuple[Rule, ...] = (target_triple, data_layout)

# Variables.


def _number(attribute: Attribute | None) -> int | None:
    return (
        cast("IntegerAttr[Any]", attribute).value.data
        if isinstance(attribute, IntegerAttr)
        else None
    )


def variable_space(op: Operation, context: Context) -> str | None:
    """Variables are in global, shared or constant memory."""
    space = _number(op.properties.get("addr_space")) or 0
    if space not in VARIABLE_SPACES:
        return f"Invalid address space {space} for a global variable"
    return None


def variable_thread_local(op: Operation, context: Context) -> str | None:
    """There is no storage by thread."""
    return "Thread local variables are not supported" if "thread_local_" in op.properties else None


def variable_initializer(op: Operation, context: Context) -> str | None:
    """Shared memory starts with anything."""
    if _number(op.properties.get("addr_space")) != SHARED:
        return None
    stated = op.properties.get("value") is not None
    block = op.regions[0].first_block
    if block is not None:
        last = block.last_op
        made = fast.operands_of(last)[0].owner.__class__ if last is not None else None
        stated = stated or made not in UNDEFINED_CLASSES
    return "Shared variables cannot be initialized" if stated else None


def explicit_section(op: Operation, context: Context) -> str | None:
    """Sections are for object files of CPUs; LLVM's own are for itself."""
    section = op.properties.get("section")
    if not isinstance(section, StringAttr) or section.data.startswith("llvm."):
        return None
    return f"Explicit section marker {section.data} is not allowed."


def no_ifunc(op: Operation, context: Context) -> str | None:
    """Nothing resolves functions when a module is loaded."""
    return "ifunc is not supported"


VARIABLE_RULES: tuple[Rule, ...] = (
    variable_space,
    variable_thread_local,
    variable_initializer,
    explicit_section,
)

# Functions.

REJECTED_ATTRIBUTES = (
    "builtin jumptable naked nobuiltin noimplicitfloat noredzone nonlazybind returns_twice "
    "safestack sanitize_address sanitize_memory sanitize_thread ssp sspreq sspstrong alignstack "
    "uwtable"
).split()
"""LLVM's function attributes that mean nothing on a GPU."""


def rejected_attribute(name: str) -> Rule:
    """The rule that a function must not have an attribute."""

    def rule(op: Operation, context: Context) -> str | None:
        stated = (
            has_function_attribute(op, name)
            or string_attribute(op, name) is not None
            or (name == "uwtable" and "uwtable_kind" in op.properties)
        )
        return f"{name} function attribute is not supported." if stated else None

    return rule


def cluster_architecture(op: Operation, context: Context) -> str | None:
    """Clusters came with Hopper."""
    bounds = launch_bounds(op)
    if (bounds.cluster_dim or bounds.cluster_max_blocks is not None) and context.lacks(HOPPER):
        return (
            "Cluster dimensions and cluster maximum blocks are not supported on pre-Hopper "
            "Architectures"
        )
    return None


def cluster_kernel(op: Operation, context: Context) -> str | None:
    """Only kernels are launched."""
    bounds = launch_bounds(op)
    if (bounds.cluster_dim or bounds.cluster_max_blocks is not None) and not is_kernel(op):
        return "Cluster dimensions and cluster maximum blocks are only allowed for kernel functions"
    return None


def cluster_zero(op: Operation, context: Context) -> str | None:
    """Dimensions that are all 0 leave the cluster to the launch."""
    dimensions = launch_bounds(op).cluster_dim
    if dimensions and 0 in dimensions and any(dimensions):
        return (
            "If any cluster dimension is specified as 0 then all other dimensions must be "
            "specified as 0"
        )
    return None


def cluster_maximum(op: Operation, context: Context) -> str | None:
    """A cluster has a block."""
    if launch_bounds(op).cluster_max_blocks == 0:
        return "Cluster maximum blocks must be non-zero"
    return None


def launch_threads(op: Operation, context: Context) -> str | None:
    """A block has so many threads."""
    bounds = launch_bounds(op)
    for name, dimensions in (("reqntid", bounds.reqntid), ("maxntid", bounds.maxntid)):
        product = 1
        for number in dimensions or ():
            product *= number
        if product > MAX_THREADS:
            return f"{name} of {product} threads exceeds {MAX_THREADS}"
    return None


def _attribute_sets(op: Operation, name: str) -> list[dict[str, Attribute]]:
    found = op.properties.get(name)
    if not isinstance(found, ArrayAttr):
        return []
    return [dict(entry.data) for entry in cast("ArrayAttr[DictionaryAttr]", found).data]


def _is_narrow(type_: Attribute, stated: dict[str, Attribute]) -> bool:
    return (
        isinstance(type_, IntegerType)
        and cast(IntegerType, type_).width.data < 32
        and "llvm.signext" not in stated
        and "llvm.zeroext" not in stated
    )


def _type_of(op: Operation) -> LLVMFunctionType:
    return cast(LLVMFunctionType, op.properties["function_type"])


def narrow_parameter(op: Operation, context: Context) -> str | None:
    """PTX has no parameters of less than 32 bits."""
    attributes = _attribute_sets(op, "arg_attrs")
    for index, type_ in enumerate(_type_of(op).inputs.data):
        if _is_narrow(type_, attributes[index] if index < len(attributes) else {}):
            return "Integer parameter less than 32-bits without sext/zext flag"
    return None


def narrow_return(op: Operation, context: Context) -> str | None:
    """Nor results."""
    (attributes,) = _attribute_sets(op, "res_attrs") or [{}]
    if _is_narrow(_type_of(op).output, attributes):
        return "Integer return less than 32-bits without sext/zext flag"
    return None


def explicit_alignment(op: Operation, context: Context) -> str | None:
    """Where code lies is for the assembler to say."""
    return "Explicit alignment is not allowed." if "alignment" in op.properties else None


def personality(op: Operation, context: Context) -> str | None:
    """There are no exceptions."""
    return "Personality function is not allowed." if "personality" in op.properties else None


def garbage_collector(op: Operation, context: Context) -> str | None:
    """Nor is there garbage."""
    return "GC names are not supported." if "garbageCollector" in op.properties else None


def kernel_result(op: Operation, context: Context) -> str | None:
    """A kernel's results are in memory."""
    if is_kernel(op) and not isinstance(_type_of(op).output, LLVMVoidType):
        return "non-void entry function."
    return None


def kernel_variadic(op: Operation, context: Context) -> str | None:
    """A launch passes what the signature says."""
    if is_kernel(op) and _type_of(op).is_variadic:
        return "variadic entry function."
    return None


IGNORED_ATTRIBUTES = (("llvm.inreg", "InReg"), ("llvm.nest", "Nest"))


def ignored_attributes(op: Operation) -> Iterator[str]:
    """What is no error: parameter attributes that nothing heeds."""
    for attributes in _attribute_sets(op, "arg_attrs"):
        for name, spelled in IGNORED_ATTRIBUTES:
            if name in attributes:
                yield f"{spelled} attribute on parameter will be ignored"


FUNCTION_RULES: tuple[Rule, ...] = (
    *(rejected_attribute(name) for name in REJECTED_ATTRIBUTES),
    cluster_architecture,
    cluster_kernel,
    cluster_zero,
    cluster_maximum,
    launch_threads,
    explicit_section,
    personality,
    garbage_collector,
    kernel_result,
    kernel_variadic,
)

STRICT_FUNCTION_RULES: tuple[Rule, ...] = (narrow_parameter, narrow_return, explicit_alignment)

# Instructions.


def _space(value: SSAValue) -> int:
    type_ = value.type
    if isinstance(type_, VectorType):
        type_ = cast("VectorType[Attribute]", type_).element_type
    return address_space_of(type_) if isinstance(type_, LLVMPointerType) else GENERIC


def unsupported(name: str) -> Rule:
    """The rule that there is no such instruction on a GPU."""
    return lambda op, context: f"{name} is not supported"


def alloca(op: Operation, context: Context) -> str | None:
    """Stack slots are local, whose addresses the front end sees as generic ones."""
    alignment = _number(op.properties.get("alignment")) or 0
    if alignment > MAX_ALLOCA_ALIGNMENT:
        return f"Alloca alignment {alignment} is greater than {MAX_ALLOCA_ALIGNMENT}"
    space = _space(op.results[0])
    if space != GENERIC and (space != LOCAL or context.strict):
        return "Allocas are not supported on address spaces except Generic"
    return None


def _is_atomic(op: Operation) -> bool:
    return bool(_number(op.properties.get("ordering")))


def load(op: Operation, context: Context) -> str | None:
    """Tensor memory is read by instructions of its own."""
    (address,) = fast.operands_of(op)
    if _space(address) == TENSOR:
        return "Tensor Memory loads/stores are not supported"
    if context.strict and _is_atomic(op):
        return "Atomic loads/stores are not supported"
    return None


def store(op: Operation, context: Context) -> str | None:
    """Constant memory is not written, tensor memory by instructions of its own."""
    space = _space(fast.operands_of(op)[1])
    if space == TENSOR:
        return "Tensor Memory loads/stores are not supported"
    if space == CONSTANT:
        return "store cannot target constant address space"
    if context.strict and _is_atomic(op):
        return "Atomic loads/stores are not supported"
    return None


ACQ_REL, SEQ_CST = 6, 7


def fence(op: Operation, context: Context) -> str | None:
    """UnifiedNVVMIR has two of the orderings, plain NVVM IR has intrinsics instead."""
    if context.unified and _number(op.properties.get("ordering")) not in (ACQ_REL, SEQ_CST):
        return "Invalid ordering for fence, only acq_rel and seq_cst are supported."
    if context.strict and not context.unified:
        return "fence is not supported"
    return None


def _width(type_: Attribute) -> int:
    return cast(IntegerType, type_).width.data if isinstance(type_, IntegerType) else 0


def _atomic_target(address: SSAValue, type_: Attribute, context: Context) -> str | None:
    if _space(address) not in ATOMIC_SPACES:
        return "Pointer of an atomic operation must be in generic, global, or shared address space"
    if _width(type_) == 128 and context.lacks(HOPPER):
        return "128b atomics not supported on this architecture!"
    return None


def compare_exchange(op: Operation, context: Context) -> str | None:
    """Which memory and which widths there are."""
    address, expected, _ = fast.operands_of(op)
    if context.strict and _width(expected.type) not in (32, 64, 128):
        return f"cmpxchg only supports i32, i64 and i128, not {expected.type}"
    return _atomic_target(address, expected.type, context)


def read_modify_write(op: Operation, context: Context) -> str | None:
    """Which memory, and vectors of floats from Hopper on."""
    address, value = fast.operands_of(op)
    type_: Attribute = value.type
    if isinstance(type_, VectorType) and context.lacks(HOPPER):
        if cast("VectorType[Attribute]", type_).element_type == F32:
            return "vector atomics not supported on this architecture!"
    return _atomic_target(address, cast(Attribute, type_), context)


CASTS_BETWEEN = frozenset({SHARED, CLUSTER})
"""Spaces that may be cast to each other: the block's shared memory is part of the cluster's."""


def address_space_cast(op: Operation, context: Context) -> str | None:
    """One side is generic."""
    spaces = (_space(fast.operands_of(op)[0]), _space(op.results[0]))
    for space in spaces:
        if space not in SPACES:
            return f"Invalid address space {space}"
    if GENERIC not in spaces and not CASTS_BETWEEN.issuperset(spaces):
        return "Cannot cast non-generic pointer to different non-generic pointer"
    return None


def transfer(op: Operation, context: Context) -> str | None:
    """`memcpy` and `memmove`."""
    if _space(fast.operands_of(op)[0]) == CONSTANT:
        return "memmove/memcpy cannot target constant address space"
    return None


def fill(op: Operation, context: Context) -> str | None:
    """`memset`."""
    if _space(fast.operands_of(op)[0]) == CONSTANT:
        return "memset cannot point to constant address space"
    return None


def integer_widths(widths: frozenset[int], message: str) -> Rule:
    """The rule that an intrinsic is there for some widths only."""

    def rule(op: Operation, context: Context) -> str | None:
        type_ = fast.operands_of(op)[0].type
        if isinstance(type_, VectorType):
            type_ = cast("VectorType[Attribute]", type_).element_type
        return message if context.strict and _width(type_) not in widths else None

    return rule


SWAPPED = integer_widths(frozenset({16, 32, 64}), "Invalid type for bswap, need i16, i32, or i64")
COUNTED = integer_widths(
    frozenset({8, 16, 32, 64}),
    "Invalid type for ctpop/ctlz/cttz, need i8, i16, i32, or i64",
)
OVERFLOWING = integer_widths(
    frozenset({16, 32, 64}),
    "Invalid type for arithmetic overflow intrinsic, need i16, i32, or i64",
)

ASSEMBLY_WIDTHS = frozenset({1, 8, 16, 32, 64})


def inline_assembly(op: Operation, context: Context) -> str | None:
    """Registers of these types only."""
    if not context.strict:
        return None
    types = [v.type for v in fast.operands_of(op)]
    for result in op.results:
        type_ = result.type
        types.extend(type_.types.data if isinstance(type_, LLVMStructType) else (type_,))
    for type_ in types:
        if _width(type_) not in ASSEMBLY_WIDTHS and type_ not in (F32, F64):
            if not isinstance(type_, LLVMPointerType):
                return (
                    "Invalid type in inline assembly, must be i1, i8, i16, i32, i64, float, or "
                    "double"
                )
    return None


def set_max_registers(op: Operation, context: Context) -> str | None:
    """The counts that the hardware can hand over."""
    count = _number(op.properties.get("regCount"))
    least, most = SETMAXNREG_RANGE
    if count is None:
        return None
    if not least <= count <= most:
        return f"reg_count argument to nvvm.setmaxnreg must be within [{least}, {most}]"
    if count % SETMAXNREG_STEP:
        return "reg_count argument to nvvm.setmaxnreg must be in multiples of 8"
    return None


def barrier_pointer(op: Operation, context: Context) -> str | None:
    """An mbarrier is in shared memory."""
    operands = fast.operands_of(op)
    space = _space(operands[0])
    if space in (SHARED, CLUSTER) or (space == GENERIC and not context.strict):
        return None
    return "Barrier pointer must be in shared memory space"


def stack_pointer(op: Operation, context: Context) -> str | None:
    """The stack is local memory."""
    value = op.results[0] if op.results else fast.operands_of(op)[0]
    name = "stacksave" if op.results else "stackrestore"
    space = _space(value)
    if space == LOCAL or (space == GENERIC and not context.strict):
        return None
    return f"llvm.nvvm.{name} is only supported with local address space pointers"


CONVERGENT_BRANCHES = frozenset(
    {"llvm.nvvm.branch.if.convergent", "llvm.nvvm.branch.if.all.convergent"}
)


def convergent_branch(op: Operation, context: Context) -> str | None:
    """The answer holds only at the branch."""
    if cast(StringAttr, op.properties["intrin"]).data not in CONVERGENT_BRANCHES:
        return None
    use = fast.single_use(op.results[0]) if op.results else None
    if use is None or use.operation.__class__ is not llvm.CondBrOp:
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
"""Intrinsics one of whose arguments must be known when they are compiled."""


def constant_argument(op: Operation, context: Context) -> str | None:
    """Modes, masks and counts are part of the instruction."""
    name = cast(StringAttr, op.properties["intrin"]).data
    index = CONSTANT_ARGUMENTS.get(name)
    operands = fast.operands_of(op)
    if index is None or index >= len(operands) or is_constant(operands[index]):
        return None
    return f"arg{index} of intrinsic not constant"


def intrinsic_signature(op: Operation, context: Context) -> str | None:
    """A call takes and yields what the intrinsic does."""
    return signature_error(op)


def kernel_call(kernels: frozenset[str]) -> Rule:
    """The rule that kernels are launched and not called."""

    def rule(op: Operation, context: Context) -> str | None:
        callee = op.properties.get("callee")
        name = getattr(getattr(callee, "root_reference", None), "data", None)
        return f"the kernel @{name} cannot be called" if name in kernels else None

    return rule


OpRules: TypeAlias = Mapping[type[Operation], tuple[Rule, ...]]

OP_RULES: OpRules = {
    **{
        op_class(f"llvm.{name}"): (unsupported(name),)
        for name in ("indirectbr", "invoke", "resume", "landingpad", "blockaddress")
    },
    llvm.AllocaOp: (alloca,),
    llvm.LoadOp: (load,),
    llvm.StoreOp: (store,),
    op_class("llvm.fence"): (fence,),
    op_class("llvm.cmpxchg"): (compare_exchange,),
    op_class("llvm.atomicrmw"): (read_modify_write,),
    op_class("llvm.addrspacecast"): (address_space_cast,),
    **{
        op_class(f"llvm.intr.{name}"): (transfer,)
        for name in ("memcpy", "memcpy.inline", "memmove")
    },
    **{op_class(f"llvm.intr.{name}"): (fill,) for name in ("memset", "memset.inline")},
    op_class("llvm.intr.bswap"): (SWAPPED,),
    **{op_class(f"llvm.intr.{name}"): (COUNTED,) for name in ("ctpop", "ctlz", "cttz")},
    **{
        op_class(f"llvm.intr.{name}.with.overflow"): (OVERFLOWING,)
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul")
    },
    **{op_class(f"llvm.intr.stack{name}"): (stack_pointer,) for name in ("save", "restore")},
    llvm.InlineAsmOp: (inline_assembly,),
    llvm.CallIntrinsicOp: (intrinsic_signature, convergent_branch, constant_argument),
    nvvm_class("nvvm.setmaxregister"): (set_max_registers,),
    **{
        cls: (barrier_pointer,)
        for cls in NVVM.operations
        if cls.name.startswith("nvvm.mbarrier.") or cls.name == "nvvm.cp.async.mbarrier.arrive"
    },
}
"""The rules of each class of op."""


def kernel_names(functions: list[Operation]) -> frozenset[str]:
    """The kernels among functions."""
    return frozenset(name for f in functions if is_kernel(f) and (name := symbol_name(f)))
