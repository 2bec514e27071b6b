"""Compiled programs: modules that are ready to run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from types import CodeType
from typing import Any

from xdsl.dialects.builtin import BytesAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import LLVMPointerType, LLVMVoidType
from xdsl.ir import Operation, Region, SSAValue

from nvvm_xdsl.dialects.effects import inline_assembly_may_end_thread
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    assembly_of,
    callee_of,
    global_name,
    global_type_of,
    initial_value_of,
    int_value,
    intrinsic_name,
    symbol_name,
    variadic_type_of,
)
from nvvm_xdsl.dialects.llvm.constants import string_bytes
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.symbols import aliased_symbol
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds, is_kernel, launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator import externals
from nvvm_xdsl.simulator.compiler import FunctionCompiler, FunctionInfo, Leaf, Semantics, namespace
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution import side_by_side
from nvvm_xdsl.simulator.execution import variables as placing
from nvvm_xdsl.simulator.execution.memory import (
    CODE,
    FIRST_CODE,
    GAP,
    GENERIC,
    LOCAL_BASE,
    PARAM,
    WINDOW_OF_SPACE,
)
from nvvm_xdsl.simulator.execution.recorder import Recorded
from nvvm_xdsl.simulator.execution.side_by_side import Together
from nvvm_xdsl.simulator.execution.variables import Placement
from nvvm_xdsl.simulator.llvm import varargs
from nvvm_xdsl.simulator.llvm.dispatch import LLVMDispatch
from nvvm_xdsl.simulator.llvm.memory_access import is_static
from nvvm_xdsl.simulator.llvm.semantics import function_type
from nvvm_xdsl.simulator.llvm.values import scalars_of
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType, TypeMap, UnsupportedTypeError


@lru_cache(maxsize=256)
def _code(source: str, name: str) -> CodeType:
    """Compiles Python source; cached, because programs often contain equal functions."""
    return compile(source, f"<simulator @{name}>", "exec")


@dataclass(frozen=True)
class Parameter:
    """A kernel parameter: its location in param memory and its scalars."""

    name: str
    offset: int
    size: int
    scalars: list[tuple[int, ScalarType]]
    by_value: bool = False
    """Whether it is passed as bytes that the kernel reads through a pointer."""
    pointer_window: int = GENERIC
    """The window of that pointer."""


@dataclass(frozen=True)
class Initializer:
    """A function that computes a variable's initial value, the layout of its scalars, and the ops
    for errors."""

    function: Callable[..., Any]
    scalars: list[tuple[int, ScalarType]]
    sites: list[Operation]


class Program(ABC):
    """Common code of both levels: compiles functions on demand.

    Attributes:
        sites: the ops that errors can refer to, by number.
        namespace: the namespace of the generated source.
        counted: the ops of each segment whose runs are counted; None if runs are not counted.
    """

    semantics: Semantics
    placement: Placement

    def __init__(self, module: ModuleOp, tracking: bool, counting: bool = False) -> None:
        self.module = module
        self.tracking = tracking
        self.counted: list[Sequence[Operation]] | None = [] if counting else None
        self.recorded: list[Recorded] | None = None
        """The recorded ops and values; None if the program does not record."""
        self.sites: list[Operation] = []
        self.namespace: dict[str, Any] = namespace()
        self.sources: dict[str, str] = {}
        self.infos: dict[str, FunctionInfo] = {}
        self.declared: dict[str, Operation] = {}
        self.addresses: dict[str, int] = {}
        self.contents: dict[str, tuple[bytes, dict[int, int]]] = {}
        """The contents of variables from `initial_bytes` or the initializer, computed on first use."""
        self._parameters: dict[str, list[Parameter]] = {}
        self._compiled: set[str] = set()
        self._wanted: list[str] = []
        self._frames: dict[str, int] = {}
        """Size of local memory of each compiled function; absent if it varies."""
        self._calls: dict[str, set[str]] = {}
        """The functions that each compiled function calls by name."""
        self._writing = ""
        """The function that is being compiled."""
        self._together: dict[str, Together] = {}
        self.may_exit = False

    @abstractmethod
    def kernels(self) -> list[str]:
        """The names of the module's kernels."""

    def bounds(self, kernel: str) -> LaunchBounds:
        """The launch bounds of a kernel."""
        return launch_bounds(self.infos[kernel].op)

    def parameters(self, kernel: str) -> list[Parameter]:
        """The parameters of a kernel."""
        found = self._parameters.get(kernel)
        if found is None:
            found = self._parameters[kernel] = self._parameters_of(kernel)
        return found

    @abstractmethod
    def _parameters_of(self, kernel: str) -> list[Parameter]:
        """The parameters of a kernel, recomputed."""

    @abstractmethod
    def holds_addresses(self, name: str) -> bool:
        """Returns whether the initial value of a variable contains addresses."""

    untyped: bool = False
    """Whether parameters have only a size and no type."""

    def typed_parameters(self, kernel: str) -> list[Parameter]:
        """The parameters of a kernel, with the types of its arguments."""
        return self.parameters(kernel)

    @abstractmethod
    def initial_bytes(self, name: str) -> tuple[bytes, dict[int, int]] | None:
        """The initial contents of a variable, with masks of undefined bits by byte.

        None if its initializer must be run (see `initializer`).
        """

    def initializer(self, name: str) -> Initializer | None:
        """The function that computes a variable's initial value; None if there is none."""
        return None

    @abstractmethod
    def compile_function(self, info: FunctionInfo) -> FunctionCompiler:
        """The compiler for a function, ready to be run."""

    def function_address(self, name: str) -> int:
        """The code address of a function; the function is also compiled."""
        address = self.addresses.get(name)
        if address is None:
            address = self.addresses[name] = FIRST_CODE + 16 * len(self.addresses)
            if name in self.infos:
                self._wanted.append(name)
        return address

    def want(self, name: str) -> str:
        """The Python name of a function that generated source calls."""
        self._wanted.append(name)
        self._calls[self._writing].add(name)
        return self.infos[name].python_name

    def local_bytes(self, most: int) -> int:
        """Maximum number of bytes of local memory of a thread; `most` if it is unknown."""
        # Initial values may also contain addresses of functions; they are computed after memory is
        # allocated.
        if any(name in self.infos for name in self.addresses) or any(
            self.holds_addresses(name) for name in self.placement.variables
        ):
            return most
        depths: dict[str, int] = {}

        def depth(name: str, above: frozenset[str]) -> int:
            """Size of local memory of a function and its callees."""
            if name in above or name not in self._frames:
                return most
            if name not in depths:
                inner = above | {name}
                below = [depth(callee, inner) for callee in self._calls[name]]
                depths[name] = self._frames[name] + max(below, default=0)
            return depths[name]

        deepest = max((depth(name, frozenset()) for name in self._compiled), default=0)
        return min(most, LOCAL_BASE + deepest + GAP)

    def together(self, kernel: str) -> Together:
        """The mode of running blocks of a compiled kernel side by side."""
        found = self._together.get(kernel)
        if found is None:
            reached = {kernel}
            work = [kernel]
            while work:
                new = self._calls[work.pop()] - reached
                reached |= new
                work += new
            sources = [self.sources[name] for name in reached]
            found = self._together[kernel] = side_by_side.how(sources, self.namespace)
        return found

    def keep_apart(self, kernel: str) -> None:
        """Records that blocks of a kernel cannot run side by side."""
        self._together[kernel] = Together.NOT

    def symbol(self, name: str, op: Operation) -> tuple[int, int]:
        """The window and address of a variable or function."""
        variable = self.placement.variables.get(name)
        if variable is not None:
            return variable.window, variable.address
        if name in self.infos or name in self.declared:
            return CODE, self.function_address(name)
        raise SimulationError("unsupported", f"@{name} is not defined", op)

    def function(self, name: str) -> Callable[..., Any]:
        """A function, compiled together with its callees."""
        self._wanted.append(name)
        self._drain()
        return self.namespace[self.infos[name].python_name]

    def _drain(self) -> None:
        while self._wanted:
            name = self._wanted.pop()
            if name in self._compiled:
                continue
            self._compiled.add(name)
            info = self.infos[name]
            self._writing = name
            self._calls[name] = set()
            try:
                compiler = self.compile_function(info)
                compiler.recorded = self.recorded
                source = compiler.compile()
                if not compiler.frame.grows:
                    self._frames[name] = compiler.frame.size + compiler.frame.outgoing
            except BaseException:
                # A failed compilation is repeated, and fails again, at the next request.
                self._compiled.clear()
                self._wanted = [called for called in self.addresses if called in self.infos]
                raise
            self.sources[name] = source
            exec(_code(source, name), self.namespace)

    def indirect_targets(self) -> dict[int, Callable[..., Any]]:
        """The functions whose addresses are taken, which are possible targets of indirect calls, by
        address."""
        self._drain()
        return {
            address: self.namespace[self.infos[name].python_name]
            for name, address in self.addresses.items()
            if name in self.infos and not self.infos[name].waits
        }


def declared_waits(
    infos: dict[str, FunctionInfo],
    direct: Callable[[str], bool],
    callees: Callable[[str], Sequence[str]],
) -> set[str]:
    """The functions that wait themselves or call one that does."""
    waiting = {name for name in infos if direct(name)}
    changed = True
    calls = {name: callees(name) for name in infos}
    while changed:
        changed = False
        for name in infos:
            if name not in waiting and any(c in waiting for c in calls[name]):
                waiting.add(name)
                changed = True
    return waiting


def has_dynamic_locals(region: Region) -> bool:
    """Whether a function has allocas that are not static (see `is_static`)."""
    return any(
        op.name == "llvm.alloca" and not is_static(op)
        for block in fast.blocks_of(region)
        for op in fast.ops_of(block)
    )


def _addresses(variable: Operation) -> set[str]:
    """The symbols whose addresses a variable's initial value contains."""
    found = (
        op for region in variable.regions for b in fast.blocks_of(region) for op in fast.ops_of(b)
    )
    return {global_name(op) for op in found if op.name == "llvm.mlir.addressof"}


class LLVMProgram(Program):
    """A module of the llvm and nvvm dialects."""

    def __init__(self, module: ModuleOp, tracking: bool = False, counting: bool = False) -> None:
        super().__init__(module, tracking, counting)
        self.types = TypeMap.of(DataLayout.of(module))
        self.semantics = LLVMDispatch(self, self.types, tracking)
        self._llvm = self.semantics
        self._waiting: set[str] = set()
        self.aliases: dict[str, str | None] = {}
        """The symbols that aliases name; None for expressions."""
        items: list[tuple[str, Operation, int, int, int]] = []
        bodies: dict[str, Operation] = {}
        for op in list(module.ops):
            name = symbol_name(op)
            if name is None:
                continue
            if op.name == "llvm.func":
                if op.regions and op.regions[0].first_block is not None:
                    bodies[name] = op
                else:
                    self.declared[name] = op
            elif op.name == "llvm.mlir.global":
                type_ = global_type_of(op)
                layout = self.types.layout
                alignment = placing.alignment_of(op, layout.alignment(type_))
                items.append((name, op, placing.space_of(op), layout.size(type_), alignment))
            elif op.name == "llvm.mlir.alias":
                self.declared[name] = op
                self.aliases[name] = aliased_symbol(op)
        self.placement = placing.place(items)
        for number, (name, op) in enumerate(bodies.items()):
            self.infos[name] = FunctionInfo(name, op, op.regions[0], f"fn{number}", False)
        self._scan()
        for name in list(self.infos):
            info = self.infos[name]
            waits = name in self._waiting or is_kernel(info.op)
            self.infos[name] = FunctionInfo(name, info.op, info.region, info.python_name, waits)

    def symbol(self, name: str, op: Operation) -> tuple[int, int]:
        seen: set[str] = set()
        while name in self.aliases and name not in seen:
            seen.add(name)
            target = self.aliases[name]
            if target is None:
                raise SimulationError("unsupported", f"@{name} is an alias of an expression", op)
            name = target
        return super().symbol(name, op)

    def _scan(self) -> None:
        calls: dict[str, list[str]] = {}
        direct: set[str] = set()
        taken = set[str]().union(*(_addresses(v.op) for v in self.placement.variables.values()))
        for name, info in self.infos.items():
            found: list[str] = []
            for block in fast.blocks_of(info.region):
                for op in fast.ops_of(block):
                    kind = op.name
                    if kind == "llvm.call":
                        callee = callee_of(op)
                        if callee is not None:
                            found.append(callee)
                    elif (
                        kind == "nvvm.exit"
                        or (
                            kind == "llvm.call_intrinsic" and intrinsic_name(op) == "llvm.nvvm.exit"
                        )
                        or (
                            kind == "llvm.inline_asm"
                            and inline_assembly_may_end_thread(assembly_of(op))
                        )
                    ):
                        self.may_exit = True
                    elif kind == "llvm.mlir.addressof":
                        taken.add(global_name(op))
                    if kind != "llvm.call" and self.semantics.waits(op):
                        direct.add(name)
            calls[name] = found
        self._waiting = declared_waits(self.infos, lambda n: n in direct, lambda n: calls[n])
        self.indirect_waits = bool((taken & self._waiting).difference(self.kernels()))

    def call_waits(self, op: Operation) -> bool:
        """Whether a call's callee can wait."""
        callee = callee_of(op)
        if callee is None:
            return self.indirect_waits
        return callee in self._waiting

    def kernels(self) -> list[str]:
        return [name for name, info in self.infos.items() if is_kernel(info.op)]

    # Parameters

    def _parameters_of(self, kernel: str) -> list[Parameter]:
        info = self.infos[kernel]
        layout = self.types.layout
        found: list[Parameter] = []
        offset = 0
        for i, type_ in enumerate(function_type(info.op).inputs.data):
            attributes = argument_attributes(info.op, i)
            by_value = attributes.get("llvm.byval")
            held = by_value if by_value is not None else type_
            alignment = layout.alignment(held)
            if by_value is not None:
                alignment = max(alignment, int_value(attributes.get("llvm.align")))
            offset = -(-offset // alignment) * alignment
            size = layout.size(held)
            window = GENERIC
            if by_value is not None and isinstance(type_, LLVMPointerType):
                window = WINDOW_OF_SPACE.get(address_space_of(type_), GENERIC)
            try:
                scalars = self.types.apart(held)
            except UnsupportedTypeError as error:
                raise SimulationError("unsupported", str(error), info.op) from error
            block = info.region.first_block
            hint = block.args[i].name_hint if block is not None else None
            found.append(
                Parameter(
                    hint or f"param{i}",
                    offset,
                    size,
                    scalars,
                    by_value is not None,
                    window,
                )
            )
            offset += size
        return found

    # Functions

    def compile_function(self, info: FunctionInfo) -> FunctionCompiler:
        compiler = FunctionCompiler(info, self.semantics, self.namespace, self.sites, self.counted)
        compiler.is_kernel = is_kernel(info.op)
        compiler.frame.has_dynamic_locals = has_dynamic_locals(info.region)
        if function_type(info.op).is_variadic:
            compiler.extra_parameters.append(varargs.PARAMETER)
        result = function_type(info.op).output
        compiler.result_count = (
            0 if isinstance(result, LLVMVoidType) else self.semantics.leaf_count(result)
        )
        block = info.region.first_block
        assert block is not None
        for i, argument in enumerate(block.args):
            attributes = argument_attributes(info.op, i)
            type_ = attributes.get("llvm.byval")
            if type_ is None:
                continue
            window = self._llvm.window(argument)
            in_place = compiler.is_kernel and "nvvm.grid_constant" in attributes
            if window == PARAM or in_place:
                continue
            stated = int_value(attributes.get("llvm.align"))
            alignment = max(self.types.layout.alignment(type_), stated)
            size = self.types.layout.size(type_)
            offset = compiler.frame.allocate(max(size, 1), alignment)
            compiler.frame.copied_arguments[i] = (offset, size, window)
        return compiler

    def emit_call(
        self, op: Operation, name: str, operands: Sequence[SSAValue], to: FunctionCompiler
    ) -> None:
        """Writes a direct call."""
        if name not in self.infos:
            self._external_call(op, name, operands, to)
            return
        callee = self.infos[name]
        type_ = function_type(callee.op)
        fixed = len(type_.inputs.data)
        if len(operands) < fixed or (len(operands) > fixed and not type_.is_variadic):
            raise to.unsupported(op, f"a call of @{name} with the wrong number of arguments")
        arguments = self._arguments(operands[:fixed], to)
        if type_.is_variadic:
            arguments += f", {varargs.store_arguments(self._llvm, op, operands[fixed:], to)}"
        call = f"{self.want(name)}(blk, m, top{arguments})"
        to.line(f"at = {to.site(op)}")
        if name in self._waiting:
            to.call_waiting([call], lambda result: self._define_result(op, result, to))
            return
        result = to.assign(call)
        if self.may_exit:
            to.lost()
        self._define_result(op, result, to)

    def _arguments(self, operands: Sequence[SSAValue], to: FunctionCompiler) -> str:
        out = ""
        for operand in operands:
            for leaf in to.leaves(operand):
                out += f", {leaf.name}"
                if self.tracking:
                    out += f", {leaf.undefined or '0'}"
        return out

    def _define_result(self, op: Operation, result: str, to: FunctionCompiler) -> None:
        if not op.results:
            return
        count = self.semantics.leaf_count(op.results[0].type)
        if self.tracking:
            to.define(
                op.results[0],
                [Leaf(f"{result}[{2 * i}]", f"{result}[{2 * i + 1}]") for i in range(count)],
            )
        else:
            to.define(op.results[0], [f"{result}[{i}]" for i in range(count)])

    def emit_indirect_call(
        self, op: Operation, callee: SSAValue, operands: Sequence[SSAValue], to: FunctionCompiler
    ) -> None:
        """Writes a call through a function pointer."""
        if self.indirect_waits:
            raise to.unsupported(
                op, "an indirect call when a function whose address is taken can wait"
            )
        type_ = variadic_type_of(op)
        fixed = operands
        if type_ is not None and type_.is_variadic:
            fixed = operands[: len(type_.inputs.data)]
        arguments = self._arguments(fixed, to)
        if fixed is not operands:
            variable = operands[len(fixed) :]
            arguments += f", {varargs.store_arguments(self._llvm, op, variable, to)}"
        result = to.temporary()
        to.line(f"{result} = None")
        to.line(f"at = {to.site(op)}")
        to.line(f"for fn, part in blk.call_target(m, {to.leaf(callee).name}, {to.site(op)}):")
        to.line(f"  {result} = L.merge_results(part, fn(blk, part, top{arguments}), {result})")
        if self.may_exit:
            to.lost()
        self._define_result(op, result, to)

    def _external_call(
        self, op: Operation, name: str, operands: Sequence[SSAValue], to: FunctionCompiler
    ) -> None:
        function = externals.FUNCTIONS.get(name)
        if function is None:
            raise to.unsupported(op, f"@{name} has no body")
        arguments = ", ".join(to.leaf(o).name for o in operands)
        result = to.assign(f"{to.constant(function)}(blk, {to.site(op)}, m, {arguments})")
        if op.results:
            to.define(op.results[0], [f"{result}[0]"])

    # Variables

    def holds_addresses(self, name: str) -> bool:
        type_ = global_type_of(self.placement.variables[name].op)
        try:
            return self.types.has_pointers(type_)
        except UnsupportedTypeError:
            return True

    def initial_bytes(self, name: str) -> tuple[bytes, dict[int, int]] | None:
        op = self.placement.variables[name].op
        type_ = global_type_of(op)
        size = self.types.layout.size(type_)
        value = initial_value_of(op)
        if value is None:
            if op.regions and op.regions[0].first_block is not None:
                return None
            return bytes(size), {}
        if isinstance(value, StringAttr | BytesAttr):
            data = string_bytes(value)
            return data[:size].ljust(size, b"\0"), {}
        data = bytearray(size)
        undefined: dict[int, int] = {}
        try:
            scalars = scalars_of(value, type_, self.types)
        except UnsupportedTypeError as error:
            raise SimulationError("unsupported", str(error), op) from error
        rest = iter(scalars)
        for offset, kinds in self.types.stored(type_):
            if len(kinds) > 1:
                part, unset = _bit_by_bit(list(islice(rest, len(kinds))), kinds[0].bits)
                data[offset : offset + len(part)] = part
                undefined.update({offset + i: bits for i, bits in enumerate(unset) if bits})
                continue
            (kind,) = kinds
            scalar = next(rest)
            if scalar is None:
                undefined.update({offset + i: 0xFF for i in range(kind.size)})
            else:
                data[offset : offset + kind.size] = scalar.to_bytes(kind.size, "little")
        return bytes(data), undefined

    def initializer(self, name: str) -> Initializer | None:
        op = self.placement.variables[name].op
        info = FunctionInfo(name, op, op.regions[0], "initializer", False)
        # A separate namespace and numbering make the source equal in all programs with this
        # variable.
        scope, sites = namespace(), list[Operation]()
        compiler = FunctionCompiler(info, self.semantics, scope, sites)
        type_ = global_type_of(op)
        try:
            kinds = self.types.apart(type_)
        except UnsupportedTypeError as error:
            raise SimulationError("unsupported", str(error), op) from error
        compiler.result_count = self.semantics.leaf_count(type_)
        source = compiler.compile()
        self.sources[f"initializer of {name}"] = source
        exec(_code(source, name), scope)
        self._drain()
        return Initializer(scope[info.python_name], kinds, sites)


def _bit_by_bit(scalars: Sequence[int | None], bits: int) -> tuple[bytes, bytes]:
    """Bit-packed scalars of one width, and the masks of undefined bits."""
    size = -(-bits * len(scalars) // 8)
    whole = sum((s or 0) << i * bits for i, s in enumerate(scalars))
    unset = sum((1 << bits) - 1 << i * bits for i, s in enumerate(scalars) if s is None)
    return whole.to_bytes(size, "little"), unset.to_bytes(size, "little")
