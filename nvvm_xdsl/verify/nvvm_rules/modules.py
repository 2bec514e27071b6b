"""Restrictions of NVVM IR on modules, variables and functions that LLVM does not have: the rules of
`nvvm-verify`, as tables. Rules on instructions are in `ops.py`.

Facts and messages are those of the documents of `nvvm-verify` and of the NVVM IR specification.
Constructs that NVIDIA's compiler rejects although this compiler and LLVM support them are in the
tables `DISLIKED_...`, or are only rejected with `strict`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.llvm import LLVMFunctionType, LLVMVoidType, ZeroOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import (
    dictionaries_of,
    function_type_of,
    initial_value_of,
    int_property,
    integer_width,
    is_thread_local,
)
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES
from nvvm_xdsl.dialects.llvm.constants import is_zero
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute, string_attribute
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel, launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import (
    CONSTANT,
    GENERIC,
    GLOBAL,
    LOCAL,
    PARAM,
    SHARED,
    SHARED_CLUSTER,
    TENSOR,
)


@dataclass(frozen=True)
class Context:
    """The context of rules.

    Arguments:
        arch: ten times the SM; None if unknown: no construct is then rejected because of it.
        unified: the rules of UnifiedNVVMIR.
        strict: also reject constructs that this compiler supports but NVIDIA's rejects.
        compiled_for: ten times the SM for which functions for an older SM are compiled.
    """

    arch: int | None = None
    unified: bool = False
    strict: bool = False
    compiled_for: int | None = None

    def lacks(self, arch: int) -> bool:
        """Returns True if the target is known to be older."""
        return self.arch is not None and self.arch < arch


Rule: TypeAlias = Callable[[Operation, Context], "str | None"]
"""Returns the error of an op, or None."""


SPACES = frozenset({GENERIC, GLOBAL, SHARED, CONSTANT, LOCAL, TENSOR, SHARED_CLUSTER, PARAM})
VARIABLE_SPACES = frozenset({GENERIC, GLOBAL, SHARED, CONSTANT})
MAX_THREADS = 1024
HOPPER = 900

# The module.

TRIPLES = ("nvptx-*-cuda", "nvptx64-*-cuda")

LIBDEVICE_ENDING = "-gpulibs"
"""The end of libdevice's own triple."""

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
"""The suggested data layouts in the error for a wrong one, by pointer width."""


def _text(op: Operation, name: str) -> str | None:
    found = op.attributes.get(name)
    return found.data if isinstance(found, StringAttr) else None


def _is_for_nvptx(triple: str) -> bool:
    return triple.partition("-")[0] in ("nvptx", "nvptx64")


def target_triple(module: Operation, context: Context) -> str | None:
    """A stated triple must be one of NVPTX's."""
    triple = _text(module, "llvm.target_triple")
    if context.unified:
        return None if triple in (None, *UNIFIED_TRIPLES) else "Invalid target triple"
    if not triple or _is_for_nvptx(triple):
        return None
    return f"Invalid target triple ({triple}), must be one of: {', '.join(TRIPLES)}"


def cuda_triple(module: Operation, context: Context) -> str | None:
    """A stated triple must be one of NVIDIA's for CUDA."""
    triple = _text(module, "llvm.target_triple")
    if triple is None or context.unified:
        return None
    if not _is_for_nvptx(triple) or (
        "-" in triple and triple.endswith(("-cuda", LIBDEVICE_ENDING))
    ):
        return None
    return f"Invalid target triple ({triple}), must be one of: {', '.join(TRIPLES)}"


def data_layout(module: Operation, context: Context) -> str | None:
    """A stated data layout must be little-endian and match the triple."""
    layout = _text(module, "llvm.data_layout")
    if layout is None:
        return None
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


def empty_layout(module: Operation, context: Context) -> str | None:
    """A stated data layout must not be empty."""
    empty = _text(module, "llvm.data_layout") == ""
    return "Empty target data layout, must exist" if empty else None


MODULE_RULES: tuple[Rule, ...] = (target_triple, data_layout)
DISLIKED_MODULE_RULES: tuple[Rule, ...] = (cuda_triple, empty_layout)

# Variables.


def variable_space(op: Operation, context: Context) -> str | None:
    """Variables must be in global, shared or constant memory."""
    space = int_property(op, "addr_space")
    if space not in VARIABLE_SPACES:
        return f"Invalid address space {space} for a global variable"
    return None


def variable_thread_local(op: Operation, context: Context) -> str | None:
    """Thread-local variables are not supported."""
    return "Thread local variables are not supported" if is_thread_local(op) else None


_NO_INITIALIZER = "Shared variables cannot be initialized"


def shared_value(op: Operation, context: Context) -> str | None:
    """Variables in shared memory must not have an initializer other than zero."""
    return _NO_INITIALIZER if _stated_in_shared(op) and not _is_zero(op) else None


def shared_zero(op: Operation, context: Context) -> str | None:
    """Variables in shared memory must not have a zero initializer, which LLVM treats as none."""
    return _NO_INITIALIZER if _stated_in_shared(op) and _is_zero(op) else None


def _stated_in_shared(op: Operation) -> bool:
    """Returns True if a variable in shared memory has an initial value."""
    if int_property(op, "addr_space") != SHARED:
        return False
    made = _initial_op(op)
    if made is None:
        return initial_value_of(op) is not None
    return type(made) not in UNDEFINED_CLASSES


def _initial_op(op: Operation) -> Operation | None:
    block = op.regions[0].first_block
    last = None if block is None else block.last_op
    owner = fast.operands_of(last)[0].owner if last is not None else None
    return owner if isinstance(owner, Operation) else None


def _is_zero(op: Operation) -> bool:
    made = _initial_op(op)
    if type(made) is ZeroOp:
        return True
    value = initial_value_of(op if made is None else made)
    return value is not None and is_zero(value)


VARIABLE_RULES: tuple[Rule, ...] = (variable_space, variable_thread_local, shared_value)


def explicit_section(op: Operation, context: Context) -> str | None:
    """Explicit sections are not allowed, except for LLVM's own."""
    section = op.properties.get("section")
    if not isinstance(section, StringAttr) or section.data.startswith("llvm."):
        return None
    return f"Explicit section marker {section.data} is not allowed."


def no_ifunc(op: Operation, context: Context) -> str | None:
    """Ifuncs are not supported, because nothing resolves symbols when a module is loaded."""
    return "ifunc is not supported"


DISLIKED_VARIABLE_RULES: tuple[Rule, ...] = (shared_zero, explicit_section)

# Functions.

REJECTED_ATTRIBUTES = (
    "builtin jumptable naked nobuiltin noimplicitfloat noredzone nonlazybind returns_twice "
    "safestack sanitize_address sanitize_memory sanitize_thread ssp sspreq sspstrong alignstack "
    "uwtable"
).split()
"""Function attributes of LLVM without a meaning on a GPU."""


def rejected_attribute(name: str) -> Rule:
    """Creates the rule that a function must not have an attribute."""

    def rule(op: Operation, context: Context) -> str | None:
        stated = (
            has_function_attribute(op, name)
            or string_attribute(op, name) is not None
            or (name == "uwtable" and "uwtable_kind" in op.properties)
        )
        return f"{name} function attribute is not supported." if stated else None

    return rule


def cluster_architecture(op: Operation, context: Context) -> str | None:
    """Cluster attributes require sm_90."""
    bounds = launch_bounds(op)
    if (bounds.cluster_dim or bounds.cluster_max_blocks is not None) and context.lacks(HOPPER):
        return (
            "Cluster dimensions and cluster maximum blocks are not supported on pre-Hopper "
            "Architectures"
        )
    return None


def cluster_kernel(op: Operation, context: Context) -> str | None:
    """Launch bounds are only allowed on kernels."""
    bounds = launch_bounds(op)
    if (bounds.cluster_dim or bounds.cluster_max_blocks is not None) and not is_kernel(op):
        return "Cluster dimensions and cluster maximum blocks are only allowed for kernel functions"
    return None


def cluster_zero(op: Operation, context: Context) -> str | None:
    """If all cluster dimensions are 0, the launch determines them."""
    dimensions = launch_bounds(op).cluster_dim
    if dimensions and 0 in dimensions and any(dimensions):
        return (
            "If any cluster dimension is specified as 0 then all other dimensions must be "
            "specified as 0"
        )
    return None


def cluster_maximum(op: Operation, context: Context) -> str | None:
    """A cluster has at least one block."""
    if launch_bounds(op).cluster_max_blocks == 0:
        return "Cluster maximum blocks must be non-zero"
    return None


def launch_threads(op: Operation, context: Context) -> str | None:
    """The number of threads of a block is limited."""
    bounds = launch_bounds(op)
    for name, dimensions in (("reqntid", bounds.reqntid), ("maxntid", bounds.maxntid)):
        product = 1
        for number in dimensions or ():
            product *= number
        if product > MAX_THREADS:
            return f"{name} of {product} threads exceeds {MAX_THREADS}"
    return None


def _attribute_sets(op: Operation, name: str) -> list[dict[str, Attribute]]:
    return [dict(entry.data) for entry in dictionaries_of(op.properties.get(name))]


def _is_narrow(type_: Attribute, stated: dict[str, Attribute]) -> bool:
    return (
        0 < integer_width(type_) < 32
        and "llvm.signext" not in stated
        and "llvm.zeroext" not in stated
    )


def _type_of(op: Operation) -> LLVMFunctionType:
    return function_type_of(op)


def narrow_parameter(op: Operation, context: Context) -> str | None:
    """Parameters must have at least 32 bits in PTX."""
    attributes = _attribute_sets(op, "arg_attrs")
    for index, type_ in enumerate(_type_of(op).inputs.data):
        if _is_narrow(type_, attributes[index] if index < len(attributes) else {}):
            return "Integer parameter less than 32-bits without sext/zext flag"
    return None


def narrow_return(op: Operation, context: Context) -> str | None:
    """Results must have at least 32 bits in PTX."""
    (attributes,) = _attribute_sets(op, "res_attrs") or [{}]
    if _is_narrow(_type_of(op).output, attributes):
        return "Integer return less than 32-bits without sext/zext flag"
    return None


def explicit_alignment(op: Operation, context: Context) -> str | None:
    """Code alignment and sections are determined by the assembler."""
    return "Explicit alignment is not allowed." if "alignment" in op.properties else None


def personality(op: Operation, context: Context) -> str | None:
    """Exception handling is not supported."""
    return "Personality function is not allowed." if "personality" in op.properties else None


def garbage_collector(op: Operation, context: Context) -> str | None:
    """Garbage collection is not supported."""
    return "GC names are not supported." if "garbageCollector" in op.properties else None


def kernel_result(op: Operation, context: Context) -> str | None:
    """A kernel must return void."""
    if is_kernel(op) and not isinstance(_type_of(op).output, LLVMVoidType):
        return "non-void entry function."
    return None


def kernel_variadic(op: Operation, context: Context) -> str | None:
    """A kernel must not be variadic."""
    if is_kernel(op) and _type_of(op).is_variadic:
        return "variadic entry function."
    return None


IGNORED_ATTRIBUTES = (("llvm.inreg", "InReg"), ("llvm.nest", "Nest"))


def ignored_attributes(op: Operation) -> Iterator[str]:
    """Ignored parameter attributes, which are not errors."""
    for attributes in _attribute_sets(op, "arg_attrs"):
        for name, spelled in IGNORED_ATTRIBUTES:
            if name in attributes:
                yield f"{spelled} attribute on parameter will be ignored"


FUNCTION_RULES: tuple[Rule, ...] = (
    cluster_architecture,
    cluster_zero,
    cluster_maximum,
    kernel_result,
    kernel_variadic,
)

DISLIKED_FUNCTION_RULES: tuple[Rule, ...] = (
    *(rejected_attribute(name) for name in REJECTED_ATTRIBUTES),
    cluster_kernel,
    launch_threads,
    explicit_section,
    personality,
    garbage_collector,
)
"""Attributes that have no effect here, or that only a launch can violate."""

STRICT_FUNCTION_RULES: tuple[Rule, ...] = (narrow_parameter, narrow_return, explicit_alignment)
"""Attributes too common to report."""
