"""Reads MLIR text into a plain module of device code.

MLIR's GPU-to-NVVM conversion leaves a `gpu.module` with its target inside the host's module:
`gpu.module @kernels [#nvvm.target<chip = "sm_90">] { ... }`. Only the device code is kept, at the
top level; the target becomes the module's discardable attribute `nvvm.target`. Host code that
cannot be parsed is skipped, and the output of `gpu-module-to-binary` is read too (`mlir_device`).
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, IntegerType, ModuleOp, StringAttr
from xdsl.dialects.gpu import ModuleOp as GpuModuleOp
from xdsl.dialects.llvm import CallOp, ConstantOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import ParseError as XdslParseError

from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.dialects.llvm.accessors import callee_of, constant_value_of
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.dialects.llvm.types import UNIT, int_attr
from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
from nvvm_xdsl.dialects.nvvm.extended_ops import EXTENDED_OPS
from nvvm_xdsl.frontend.bitcode import read_bitcode
from nvvm_xdsl.frontend.cyclic_values import remove_cyclic_blocks
from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.gpu_functions import lower_gpu_functions
from nvvm_xdsl.frontend.inline_ptx import lower_inline_ptx
from nvvm_xdsl.frontend.jumps import lower_jumps
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.frontend.main_ops import lower_main_ops, register_main_ops
from nvvm_xdsl.frontend.mlir_device import DeviceObject, device_objects, device_text
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.xdsl_patches.mlir_parser import GuardedParser, LocatingParser


def _name_of(op: Operation) -> str | None:
    name = op.properties.get("sym_name") or op.attributes.get("sym_name")
    return name.data if isinstance(name, StringAttr) else None


def _target_of(op: GpuModuleOp) -> NVVMTargetAttr | None:
    targets = op.properties.get("targets")
    if isinstance(targets, ArrayAttr):
        for target in targets:  # pyright: ignore[reportUnknownVariableType]
            if isinstance(target, NVVMTargetAttr):
                return target
    return None


def flatten(module: ModuleOp, filename: str) -> None:
    """Replaces the `gpu.module`s in a module by their contents.

    Raises ParseError if two of them define the same name or have different targets.
    """
    if module.body.first_block is None or module.body.first_block is not module.body.last_block:
        raise ParseError("a module has one block", file=filename)
    top = module.body.block
    device = [op for op in fast.ops_of(top) if isinstance(op, GpuModuleOp)]
    if not device:
        return
    owners: dict[str, str] = {}
    kept: list[Operation] = []
    holders = 0
    for op in device:
        name = _name_of(op) or ""
        target = _target_of(op)
        stated = module.attributes.get(NVVMTargetAttr.name)
        if not op.body.block.is_empty:
            holders += 1
        if holders > 1 and target is not None and stated is not None and target != stated:
            raise ParseError(
                f"gpu.module @{name} has a different target than the previous gpu.module",
                file=filename,
            )
        if target is not None and (stated is None or not op.body.block.is_empty):
            module.attributes[NVVMTargetAttr.name] = target
        for key, value in op.attributes.items():
            module.attributes.setdefault(key, value)
        for inner in list(fast.ops_of(op.body.block)):
            symbol = _name_of(inner)
            if symbol is not None and symbol in owners:
                raise ParseError(
                    f"gpu.module @{owners[symbol]} and @{name} both have @{symbol}", file=filename
                )
            if symbol is not None:
                owners[symbol] = name
            fast.detach(inner)
            kept.append(inner)
    for op in list(fast.ops_of(top)):
        fast.detach(op)
        op.drop_all_references()
    for op in kept:
        fast.append(top, op)
    module.attributes.pop("gpu.container_module", None)


def give_constants_their_type(module: ModuleOp) -> None:
    """Changes the type of a constant's attribute to that of the result: in `llvm.mlir.constant(0 :
    index) : i64`, which MLIR's conversions emit, and in `llvm.mlir.constant(7) : i32`, whose
    attribute has 64 bits."""
    for op in module.walk():
        if type(op) is ConstantOp:
            value = constant_value_of(op)
            type_ = op.results[0].type
            if (
                isinstance(value, IntegerAttr)
                and type(type_) is IntegerType
                and value.type != type_  # pyright: ignore[reportUnknownMemberType]
                # The verifier reports i0.
                and (width := type_.width.data)
            ):
                number = signed(value.value.data, width)
                op.properties["value"] = int_attr(number, type_)


def _mark_calls_of_noduplicate(module: ModuleOp) -> None:
    """Adds the attribute `noduplicate` to calls of functions with this attribute, because passes
    check the calls."""
    functions = {
        name for name, op in symbols_of(module).items() if has_function_attribute(op, NODUPLICATE)
    }
    for op in module.walk() if functions else ():
        if type(op) is CallOp and callee_of(op) in functions:
            op.attributes[NODUPLICATE] = UNIT


def prepare_for_passes(module: ModuleOp) -> None:
    """Lowers indirect branches and invokes, and marks calls of functions that must not be duplicated.

    Passes assume that every branch is a `br`, `cond_br` or `switch`. Raises VerifyError as
    `lower_jumps` does.
    """
    lower_jumps(module)
    _mark_calls_of_noduplicate(module)


def read_mlir(text: str, filename: str, context: Context, *, locations: bool = False) -> ModuleOp:
    """Parses MLIR text into a module of device code, its types interned.

    Arguments:
        text: MLIR.
        filename: the file name in errors.
        context: the dialects.
        locations: whether ops without a location get their location in the text.

    Raises xDSL's ParseError, and ParseError of the front end, with the location.
    """
    objects = device_objects(text) if "gpu.binary" in text else []
    if objects:
        return _of_objects(objects, filename, context, locations=locations)
    register_main_ops(context)
    parser = LocatingParser if locations else GuardedParser
    try:
        module = parser(context, text, filename, EXTENDED_OPS).parse_module()
    except XdslParseError:
        device = device_text(text)
        if device is None:
            raise
        # Host code may contain ops that cannot be parsed here.
        module = parser(context, device, filename, EXTENDED_OPS).parse_module()
    flatten(module, filename)
    for op in fast.ops_of(module.body.block):
        for region in op.regions:
            remove_cyclic_blocks(region)
    lower_main_ops(module)
    lower_gpu_functions(module)
    lower_inline_ptx(module)
    prepare_for_passes(module)
    intern_types(module)
    give_constants_their_type(module)
    return module


def _of_objects(
    objects: list[DeviceObject], filename: str, context: Context, *, locations: bool
) -> ModuleOp:
    """The module in the strings of `gpu.binary` ops, with its target."""
    modules: list[ModuleOp] = []
    for number, (target, kind, data) in enumerate(objects):
        name = f"{filename}:<object {number}>"
        if kind == "offload":
            module = read_bitcode(data, name, locations=locations)
        elif kind == "assembly":
            if len(objects) > 1:
                raise ParseError(
                    "a gpu.binary that contains PTX cannot be linked with others", file=filename
                )
            return read_ptx(
                data.rstrip(b"\0").decode("utf-8", "replace"), name, locations=locations
            )
        else:
            raise ParseError(
                "the gpu.binary contains only machine code: run gpu-module-to-binary with format=llvm or format=isa",
                file=filename,
            )
        stated = GuardedParser(context, target, filename).parse_attribute()
        if isinstance(stated, NVVMTargetAttr):
            module.attributes[NVVMTargetAttr.name] = stated
        modules.append(module)
    return modules[0] if len(modules) == 1 else link(modules)
