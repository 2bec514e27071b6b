"""A module of machine code: its variables, functions and kernels."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.effects import inline_assembly_may_end_thread
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.nvptx import (
    CallOp,
    FuncOp,
    GlobalOp,
    InlineAsmOp,
    InstructionOp,
    LocalOp,
)
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.operands import SYMBOL_KIND
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds
from nvvm_xdsl.ir import fast, nvptx
from nvvm_xdsl.simulator.compiler import FunctionCompiler, FunctionInfo
from nvvm_xdsl.simulator.execution import variables as placing
from nvvm_xdsl.simulator.execution.memory import CODE, GLOBAL, WINDOW_SHIFT
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.nvptx.dispatch import MachineDispatch
from nvvm_xdsl.simulator.nvptx.parameter_locations import frame_of
from nvvm_xdsl.simulator.program import Parameter, Program, declared_waits

_SPACES = {nvptx.STATE_SPACES[n]: n for n in (nvptx.GLOBAL, nvptx.SHARED, nvptx.CONSTANT)}


class MachineProgram(Program):
    """A module of the nvptx dialect."""

    def __init__(
        self,
        module: ModuleOp,
        tracking: bool = False,
        source: Program | None = None,
        counting: bool = False,
    ) -> None:
        super().__init__(module, tracking, counting)
        self.source = source
        self.untyped = source is None
        self.semantics = MachineDispatch(self, tracking)
        self.waiting: set[str] = set()
        items: list[tuple[str, Operation, int, int, int]] = []
        bodies: dict[str, FuncOp] = {}
        for op in module.ops:
            if isinstance(op, FuncOp):
                if op.body.first_block is not None:
                    bodies[op.symbol] = op
                else:
                    self.declared[op.symbol] = op
            elif isinstance(op, GlobalOp):
                size = bits_of(op.element_type) // 8 * (1 if op.count is None else op.count)
                alignment = max(op.checked_integer("align") or 0, bits_of(op.element_type) // 8)
                items.append((op.symbol, op, _SPACES[op.space], size, alignment))
        self.placement = placing.place(items)
        self._locals: dict[Operation, dict[str, LocalOp]] = {}
        for number, (name, op) in enumerate(bodies.items()):
            self.infos[name] = FunctionInfo(name, op, op.body, f"fn{number}", False)
        self._scan()
        for name, info in list(self.infos.items()):
            assert isinstance(info.op, FuncOp)
            waits = name in self.waiting or info.op.is_kernel
            self.infos[name] = FunctionInfo(name, info.op, info.region, info.python_name, waits)

    def _scan(self) -> None:
        calls: dict[str, list[str]] = {}
        direct: set[str] = set()
        taken: set[str] = set()
        for op in self.module.ops:
            if isinstance(op, GlobalOp):
                taken.update(r.data[1] for r in op.relocations)
        for name, info in self.infos.items():
            found: list[str] = []
            for block in fast.blocks_of(info.region):
                for op in fast.ops_of(block):
                    if isinstance(op, CallOp):
                        if op.callee is not None:
                            found.append(op.callee)
                        continue
                    if isinstance(op, InlineAsmOp) and inline_assembly_may_end_thread(op.template):
                        self.may_exit = True
                    if isinstance(op, InstructionOp):
                        if op.mnemonic == "exit":
                            self.may_exit = True
                        taken.update(str(s[1]) for s in op.slots if s[0] == SYMBOL_KIND)
                    if self.semantics.waits(op):
                        direct.add(name)
            calls[name] = found
        self.waiting = declared_waits(self.infos, lambda n: n in direct, lambda n: calls[n])
        self.indirect_waits = bool((taken & self.waiting).difference(self.kernels()))

    def call_waits(self, op: CallOp) -> bool:
        """Whether a call's callee can wait."""
        return op.callee in self.waiting if op.callee is not None else self.indirect_waits

    def locals_of(self, function: Operation) -> dict[str, LocalOp]:
        """The local variables of a function by name."""
        found = self._locals.get(function)
        if found is None:
            found = self._locals[function] = {
                op.symbol: op
                for block in fast.blocks_of(function.regions[0])
                for op in fast.ops_of(block)
                if isinstance(op, LocalOp)
            }
        return found

    def bounds(self, kernel: str) -> LaunchBounds:
        func = self.infos[kernel].op

        def dimensions(directive: str) -> tuple[int, ...] | None:
            found = func.properties.get(directive)
            return None if found is None else integers_of(cast(DenseArrayBase[IntegerType], found))

        return LaunchBounds(
            maxntid=dimensions("maxntid"),
            reqntid=dimensions("reqntid"),
            cluster_dim=dimensions("reqnctapercluster"),
        )

    def kernels(self) -> list[str]:
        return [n for n, i in self.infos.items() if isinstance(i.op, FuncOp) and i.op.is_kernel]

    def _parameters_of(self, kernel: str) -> list[Parameter]:
        op = self.infos[kernel].op
        assert isinstance(op, FuncOp)
        found: list[Parameter] = []
        offset = 0
        for i, p in enumerate(op.params):
            size = bits_of(p.type_) // 8
            alignment = max(p.align, size)
            offset = -(-offset // alignment) * alignment
            fmt = p.type_ if p.type_ in ("f32", "f64", "f16", "bf16") else ""
            scalars = [(0, ScalarType(8 * size, fmt))] if not p.count else []
            found.append(
                Parameter(p.param_name or f"param{i}", offset, p.size, scalars, bool(p.count))
            )
            offset += p.size
        return found

    def typed_parameters(self, kernel: str) -> list[Parameter]:
        return self.parameters(kernel) if self.source is None else self.source.parameters(kernel)

    def compile_function(self, info: FunctionInfo) -> FunctionCompiler:
        compiler = FunctionCompiler(info, self.semantics, self.namespace, self.sites, self.counted)
        assert isinstance(info.op, FuncOp)
        compiler.is_kernel = info.op.is_kernel
        compiler.frame.has_dynamic_locals = any(
            op.name == "nvptx.alloca"
            for block in fast.blocks_of(info.region)
            for op in fast.ops_of(block)
        )
        if not info.op.is_kernel:
            compiler.frame.start = frame_of(info.op.params, info.op.ret).size
            compiler.frame.end = compiler.frame.start
        return compiler

    def holds_addresses(self, name: str) -> bool:
        op = self.placement.variables[name].op
        assert isinstance(op, GlobalOp)
        return bool(op.relocations)

    def initial_bytes(self, name: str) -> tuple[bytes, dict[int, int]] | None:
        variable = self.placement.variables[name]
        op = variable.op
        assert isinstance(op, GlobalOp)
        data = bytearray(op.init if op.init is not None else bytes(variable.size))
        for relocation in op.relocations:
            place, symbol, addend, generic, size = relocation.data
            window, address = self.symbol(symbol, op)
            address += addend
            if window == CODE or (generic and window not in (GLOBAL, CODE)):
                address |= window << WINDOW_SHIFT
            low = address & ((1 << 8 * size) - 1)
            data[place : place + size] = low.to_bytes(size, "little")
        return bytes(data), {}
