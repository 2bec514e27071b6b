"""Selection of a module of the llvm and nvvm dialects to a module of nvptx."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import CallSiteLoc, ModuleOp
from xdsl.dialects.llvm import CallIntrinsicOp, FuncOp, GlobalOp, InlineAsmOp, LoadOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.codegen.asm_text import require_of_text
from nvvm_xdsl.codegen.debug_values import DebugValues
from nvvm_xdsl.codegen.emission.dwarf import FIRST_INLINED_LINES
from nvvm_xdsl.codegen.errors import error_at
from nvvm_xdsl.codegen.globals import declared_functions, ptx_linkage, select_global
from nvvm_xdsl.codegen.limits import check_pointers
from nvvm_xdsl.codegen.module_context import ModuleContext
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.rules import abi, register_all
from nvvm_xdsl.codegen.rules.addresses import find_address
from nvvm_xdsl.codegen.rules.nvvm import is_pure_intrinsic
from nvvm_xdsl.codegen.selector import PURE, PURE_INTRINSICS, Selector
from nvvm_xdsl.dialects.effects import WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    defined_name,
    function_type_of,
    intrinsic_name,
    is_volatile,
    ordering_of,
    result_dictionaries,
)
from nvvm_xdsl.dialects.llvm.function_attributes import flushes_denormals, string_attribute
from nvvm_xdsl.dialects.llvm.global_debug import debug_expressions
from nvvm_xdsl.dialects.llvm.modules import DEBUG_GLOBALS, MODULE_ASSEMBLY, module_assembly
from nvvm_xdsl.dialects.llvm.ops import GlobalCtorsOp, GlobalDtorsOp
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, linkage_of
from nvvm_xdsl.dialects.llvm.types import I32, UNIT, dense_i32, int_attr, string
from nvvm_xdsl.dialects.nvptx.debug import DESCRIBED
from nvvm_xdsl.dialects.nvptx.functions import NOALIAS
from nvvm_xdsl.dialects.nvptx.functions import FuncOp as MachineFunc
from nvvm_xdsl.dialects.nvptx.functions import func as machine_func
from nvvm_xdsl.dialects.nvptx.gpus import GPUS
from nvvm_xdsl.dialects.nvptx.target import Requirement
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds, is_kernel, launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.fast import operands_of, successors_of
from nvvm_xdsl.ir.graphs import reverse_post_order
from nvvm_xdsl.ir.locations import scope_of

TARGET_ATTRIBUTE = "nvptx.target"
VERSION_ATTRIBUTE = "nvptx.ptx"
DEBUG_ATTRIBUTE = "nvptx.debug"

register_all()


def select_module(module: ModuleOp, options: CodegenOptions) -> ModuleOp:
    """The nvptx module for a module of the llvm and nvvm dialects, which is not changed.

    Raises SelectionError for ops without code on the target.
    """
    return assemble(*select_functions(module, options))


def select_functions(
    module: ModuleOp, options: CodegenOptions
) -> tuple[ModuleContext, list[MachineFunc]]:
    """The nvptx functions of a module's functions, in order, and the resulting facts about the
    module.

    Raises SelectionError for ops without code on the target.
    """
    check_pointers(module)
    context = context_of(module, options)
    functions = [
        select_function(context, op)
        for op in _ops_of(module)
        if type(op) is FuncOp
        and op.regions[0].first_block is not None
        and linkage_of(op) != "available_externally"
    ]
    return context, functions


def context_of(module: ModuleOp, options: CodegenOptions) -> ModuleContext:
    """Facts about a module for the selection of its functions."""
    context = ModuleContext(module, options)
    _reserve_names(context)
    return context


def _reject_constructors(op: Operation) -> None:
    """Raises SelectionError if functions are to run when the module is loaded or unloaded."""
    is_ctor = type(op) is GlobalCtorsOp
    names = items_of(op.properties["ctors" if is_ctor else "dtors"])
    if names:
        kind = "constructor" if is_ctor else "destructor"
        raise error_at(op, f"the module has the {kind} {names[0]}, which PTX cannot run")


def assemble(context: ModuleContext, functions: list[MachineFunc]) -> ModuleOp:
    """The nvptx module of selected functions, with variables and declarations."""
    options = context.options
    out = fast.new_block()
    for op in _ops_of(context.module):
        if type(op) is GlobalOp:
            variable = select_global(context, op)
            described = debug_expressions(op)
            if variable is not None:
                if options.debug_info and described is not None:
                    variable.attributes[DESCRIBED] = described
                fast.append(out, variable)
        elif type(op) in (GlobalCtorsOp, GlobalDtorsOp):
            _reject_constructors(op)
    for op in declared_functions(context):
        fast.append(out, _declaration(context, op))
    for declared in _external_declarations(context):
        fast.append(out, declared)
    for function in functions:
        fast.append(out, function)
        if options.line_info and _has_inlined_lines(function):
            context.require_ptx(FIRST_INLINED_LINES)
    made = ModuleOp(Region(out))
    text = module_assembly(context.module)
    if text:
        require_of_text(context, text, "module-level assembly", None)
        made.attributes[MODULE_ASSEMBLY] = context.module.attributes[MODULE_ASSEMBLY]
    context.check_removed_instructions()
    made.attributes[TARGET_ATTRIBUTE] = string(options.target.name)
    made.attributes[VERSION_ATTRIBUTE] = string(context.ptx_version)
    if options.line_info:
        described = context.module.attributes.get(DEBUG_GLOBALS)
        if options.debug_info and described is not None:
            made.attributes[DEBUG_GLOBALS] = described
        made.attributes[DEBUG_ATTRIBUTE] = string("full" if options.debug_info else "line")
    return made


def _has_inlined_lines(function: MachineFunc) -> bool:
    return any(
        type(op.location) is CallSiteLoc and scope_of(op.location) is not None
        for block in fast.blocks_of(function.body)
        for op in fast.ops_of(block)
    )


def _ops_of(module: ModuleOp) -> list[Operation]:
    body = module.regions[0].first_block
    return [] if body is None else list(fast.ops_of(body))


def _reserve_names(context: ModuleContext) -> None:
    """Assigns the original names to visible symbols before all others."""
    for name, op in context.globals.items():
        if linkage_of(op) not in LOCAL_LINKAGE:
            context.names.reserve(name)


def _declaration(context: ModuleContext, op: Operation) -> MachineFunc:
    name = context.names.of(defined_name(op))
    _, params = abi.parameters(context, op, name, kernel=False)
    result = abi.return_passed(context, function_type_of(op).output)
    ret = None if result is None else result.declaration(abi.RETURN_NAME)
    return machine_func(name, params, ret, linkage="extern", location=op.location)


def _external_declarations(context: ModuleContext) -> list[MachineFunc]:
    found: list[MachineFunc] = []
    for name, (inputs, output) in context.externals.items():
        passings = [abi.passed(context, type_, kernel=False) for type_ in inputs]
        symbol = context.names.of(name)
        params = [
            passing.declaration(abi.parameter_name(symbol, i)) for i, passing in enumerate(passings)
        ]
        result = abi.return_passed(context, output)
        ret = None if result is None else result.declaration(abi.RETURN_NAME)
        found.append(machine_func(symbol, params, ret, linkage="extern"))
    return found


# Functions


def select_function(context: ModuleContext, func: Operation) -> MachineFunc:
    """The nvptx function of an `llvm.func` that has a body."""
    name = context.names.of(defined_name(func))
    kernel = is_kernel(func)
    sel = Selector(context, find_address)
    sel.is_kernel = kernel
    sel.returns_signed = _returns_signed(func)
    _apply_modes(sel, func)
    passings, params = abi.parameters(context, func, name, kernel=kernel)
    result = None
    if not kernel:
        result = abi.return_passed(context, function_type_of(func).output)
    debug_values = DebugValues(func, name, kernel=kernel) if context.options.debug_info else None
    order = _reachable_blocks(func)
    live, needed = _live_ops(order)
    entry = order[0]
    sel.entry = entry
    sel.location = func.location
    sel.current = func
    for block in order:
        sel.blocks[block] = _machine_block(sel, block, is_entry=block is entry)
    select = sel.select
    for block in order:
        sel.start_block(sel.blocks[block])
        if block is entry:
            abi.select_arguments(sel, func, name, passings, needed, kernel=kernel)
        if debug_values is not None:
            debug_values.select(sel, block)
        for op in fast.ops_of(block):
            if op in live:
                select(op)
            if debug_values is not None:
                debug_values.select(sel, op)
    if debug_values is not None:
        debug_values.finish(sel)
    made = machine_func(
        name,
        params,
        None if result is None else result.declaration(abi.RETURN_NAME),
        sel.finish(),
        kernel=kernel,
        linkage=ptx_linkage(func, defined=True),
        directives=_directives(context, func) if kernel else None,
        location=func.location,
    )
    alone = [
        number
        for number, param in enumerate(params)
        if param.type_ == "b64" and "llvm.noalias" in argument_attributes(func, number)
    ]
    if kernel and alone:
        made.attributes[NOALIAS] = dense_i32(alone)
    return made


def _machine_block(sel: Selector, block: Block, *, is_entry: bool) -> Block:
    """The nvptx block of an llvm block, an argument for each part of each argument."""
    if is_entry:
        return fast.new_block()
    classes: list[Attribute] = []
    shapes = [sel.shape(argument) for argument in block.args]
    for shape in shapes:
        classes.extend(shape.parts)
    made = fast.new_block(classes)
    arguments = made.args
    at = 0
    for argument, shape in zip(block.args, shapes):
        count = len(shape.parts)
        sel.define(argument, *arguments[at : at + count])
        at += count
    return made


def _reachable_blocks(func: Operation) -> list[Block]:
    """The reachable blocks in reverse post-order."""
    blocks = list(fast.blocks_of(func.regions[0]))
    numbers = {block: number for number, block in enumerate(blocks)}
    successors: list[list[int]] = []
    for block in blocks:
        last = block.last_op
        successors.append([] if last is None else [numbers[b] for b in successors_of(last)])
    return [blocks[number] for number in reverse_post_order(successors, 0)]


def _live_ops(order: list[Block]) -> tuple[set[Operation], set[SSAValue]]:
    """Ops with effects and all ops that they depend on; and the values that these use.

    Values passed to blocks count as used.
    """
    live: set[Operation] = set()
    needed: set[SSAValue] = set()
    pure = PURE
    for block in reversed(order):
        for op in fast.reversed_ops_of(block):
            cls = type(op)
            if cls in pure or (cls in _MAYBE_PURE and _MAYBE_PURE[cls](op)):
                for result in op.results:
                    if result in needed:
                        break
                else:
                    continue
            live.add(op)
            needed.update(operands_of(op))
    return live, needed


def _is_pure_intrinsic(op: Operation) -> bool:
    name = intrinsic_name(op)
    return name in PURE_INTRINSICS or is_pure_intrinsic(name)


def _is_pure_assembly(op: Operation) -> bool:
    return not effects(op) & WRITES and bool(op.results)


def _is_plain_load(op: Operation) -> bool:
    return not is_volatile(op) and not ordering_of(op)


_MAYBE_PURE: dict[type[Operation], Any] = {
    CallIntrinsicOp: _is_pure_intrinsic,
    InlineAsmOp: _is_pure_assembly,
    LoadOp: _is_plain_load,
}
"""Op classes that may be omitted if their results are unused."""


def _returns_signed(func: Operation) -> bool:
    results = result_dictionaries(func)
    return any("llvm.signext" in entry.data for entry in results)


def _apply_modes(sel: Selector, func: Operation) -> None:
    """Floating-point modes stated in the function's attributes."""
    if flushes_denormals(func):
        sel.ftz = True
    if string_attribute(func, "unsafe-fp-math") == "true":
        sel.unsafe_math = True


def _directives(context: ModuleContext, func: Operation) -> dict[str, Attribute]:
    """The kernel's launch bounds as PTX directives."""
    bounds: LaunchBounds = launch_bounds(func)
    found: dict[str, Attribute] = {}
    if bounds.maxntid:
        found["maxntid"] = dense_i32(_three(bounds.maxntid))
    if bounds.reqntid:
        found["reqntid"] = dense_i32(_three(bounds.reqntid))
    if bounds.minctasm:
        found["minnctapersm"] = int_attr(bounds.minctasm, I32)
    if bounds.maxnreg:
        found["maxnreg"] = int_attr(bounds.maxnreg, I32)
    clusters = GPUS[context.options.target.sm].cluster > 1
    if bounds.cluster_dim and clusters:
        context.require(Requirement(78, 90), ".explicitcluster", func)
        found["explicitcluster"] = UNIT
        if any(bounds.cluster_dim):
            found["reqnctapercluster"] = dense_i32(_three(bounds.cluster_dim))
    if bounds.cluster_max_blocks and clusters:
        context.require(Requirement(78, 90), ".maxclusterrank", func)
        found["maxclusterrank"] = int_attr(bounds.cluster_max_blocks, I32)
    return found


def _three(dimensions: tuple[int, ...]) -> tuple[int, ...]:
    return (*dimensions, 1, 1, 1)[:3]
