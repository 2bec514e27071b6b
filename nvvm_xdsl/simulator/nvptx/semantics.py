"""Semantics of machine code: the nvptx dialect, before and after PHI elimination.

A register's contents are its bits, as unsigned integers. A numbered register is a variable of the
function: every instruction with a result of that type writes it. Parameters of kernels are in param
memory; those of device functions, and their results, are at the start of the callee's local memory,
where the caller accesses them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import numpy as np
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.nvptx import (
    CallOp,
    FuncOp,
    InstructionOp,
    LocalOp,
    PieceAttr,
    RegisterClass,
    edges_of,
)
from nvvm_xdsl.dialects.nvptx.operands import (
    ADDRESS_KIND,
    FLOAT_KIND,
    IMMEDIATE_KIND,
    LIST_ADDRESS_KIND,
    NEGATED_KIND,
    REG,
    REGISTER_KIND,
    SINK_KIND,
    SYMBOL_ADDRESS_KIND,
    SYMBOL_KIND,
    VECTOR_KIND,
    Slot,
    elements_of,
    slot_name,
    slot_number,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator import externals
from nvvm_xdsl.simulator.compiler import FunctionCompiler, FunctionInfo, Leaf, Semantics
from nvvm_xdsl.simulator.execution.memory import (
    CODE,
    LOCAL,
    LOCAL_BASE,
    PARAM,
    PARAM_START,
    SHARED,
    WINDOW_SHIFT,
)
from nvvm_xdsl.simulator.numerics.lane_ops import container
from nvvm_xdsl.simulator.nvptx.parameter_locations import Frame, frame_of, immediate_bits, opcode_of
from nvvm_xdsl.simulator.program import Parameter
from nvvm_xdsl.simulator.ptx import effects, inline_asm
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    ListAddress,
    Operand,
    Register,
)
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS

REGISTER_PREFIX = "reg_"
RETURN_NAME = "func_retval0"


class MachineModule(Protocol):
    """Services of the module of a function (see `MachineProgram`)."""

    infos: dict[str, FunctionInfo]
    waiting: set[str]
    indirect_waits: bool
    may_exit: bool

    def call_waits(self, op: CallOp) -> bool:
        """Returns whether the callee of a call may wait for other threads."""
        ...

    def locals_of(self, function: Operation) -> dict[str, LocalOp]:
        """The local variables of a function by name."""
        ...

    def parameters(self, kernel: str) -> list[Parameter]:
        """The parameters of a kernel."""
        ...

    def symbol(self, name: str, op: Operation) -> tuple[int, int]:
        """The memory window and offset of a symbol."""
        ...

    def want(self, name: str) -> str:
        """Requests a function to be compiled, and returns its name in the generated code."""
        ...


def _uniform(expression: str, to: FunctionCompiler) -> str:
    return to.assign(f"np.array([{expression}], u8)")


def _param_opcode(opcode: str, to: FunctionCompiler) -> str:
    """Replaces param memory by local memory in device functions."""
    function = to.info.op
    assert isinstance(function, FuncOp)
    if function.is_kernel or ".param" not in opcode or not opcode.startswith("cvta"):
        return opcode
    return opcode.replace(".param", ".local")


def _fitted(result: SSAValue, opcode: str, leaf: Leaf) -> Leaf:
    type_ = result.type
    assert isinstance(type_, RegisterClass)
    if type_.width == 1:
        return leaf
    name, *mods = opcode.split(".")
    types = [m for m in mods if m in TYPE_BITS]
    own = types[0] if name == "cvt" and types else types[-1] if types else ""
    if name in ("ld", "ldu", "cvt") and "pack" not in mods and TYPE_BITS.get(own, 64) < type_.width:
        value = f"L.resize({leaf.name}, {TYPE_BITS[own]}, {type_.width}, {own[0] == 's'})"
        shadow = f"L.undefined_fit({leaf.undefined}, {type_.width})" if leaf.undefined else None
        return Leaf(value, shadow)
    return Leaf(f"L.fit({leaf.name}, {type_.width})", leaf.undefined)


class MachineSemantics(Semantics):
    """Registers, addresses, instructions and calls of machine code."""

    def __init__(self, program: MachineModule, tracking: bool) -> None:
        self.program = program
        self.tracking = tracking

    def leaf_count(self, type_: Attribute) -> int:
        return 1 if isinstance(type_, RegisterClass) else 0

    def edges(self, terminator: Operation) -> list[tuple[Block, tuple[SSAValue, ...]]]:
        return edges_of(terminator)

    # Registers

    def read(self, value: SSAValue, to: FunctionCompiler) -> Leaf:
        """The variable that holds a register."""
        type_ = value.type
        if isinstance(type_, RegisterClass) and type_.number is not None:
            return self.numbered(type_, to)
        return to.leaf(value)

    def numbered(self, type_: RegisterClass, to: FunctionCompiler) -> Leaf:
        """The variable of a numbered register."""
        name = f"{REGISTER_PREFIX}{type_.ptx_type}_{type_.number}"
        undefined = f"{name}u" if self.tracking else None
        kind = (
            "bool"
            if type_.width == 1
            else "object"
            if type_.width > 64
            else f"'u{type_.width // 8}'"
        )
        line = f"{name} = np.zeros(1, {kind})"
        if line not in to.prologue:
            to.prologue.append(line)
            if undefined:
                ones = (1 << min(type_.width, 64)) - 1
                shadow = container(min(type_.width, 64))
                to.prologue.append(f"{undefined} = {to.array(ones, shadow)}")
        return Leaf(name, undefined)

    def write(self, value: SSAValue, leaf: Leaf, to: FunctionCompiler) -> None:
        """Sets a register."""
        type_ = value.type
        if isinstance(type_, RegisterClass) and type_.number is not None:
            target = self.numbered(type_, to)
            new = to.assign(leaf.name)
            to.line(f"{target.name} = {new} if full else select(m, {new}, {target.name})")
            if target.undefined:
                shadow = to.assign(leaf.undefined or "0")
                to.line(
                    f"{target.undefined} = {shadow} if full else select_undefined(m, {shadow}, {target.undefined})"
                )
            return
        to.define(value, [leaf])

    def operands(self, op: Operation, slots: Sequence[Slot], to: FunctionCompiler) -> list[Operand]:
        """The operands in PTX's order, preceded by the initial values of tied results as a group."""
        values = iter(fast.operands_of(op))
        mnemonic, mods = "", [""]
        first: list[Operand] = []
        if isinstance(op, InstructionOp):
            mnemonic, *mods = opcode_of(op).split(".")
            if op.tied:
                old = [self._operand(op, REG, values, "", mods, 0, to) for _ in range(op.tied)]
                first = [Group(tuple(r for r in old if isinstance(r, Register)))]
        elif isinstance(op, CallOp):
            # An argument has the width of the part of the parameter to which it is stored.
            types = [[t] for p in op.stores for t in [p.type_.rpartition(".")[2]] * p.size]
            widths = [[""]] * (len(slots) - len(types)) + types
            return [
                self._operand(op, slot, values, "", width, i, to)
                for i, (slot, width) in enumerate(zip(slots, widths))
            ]
        # An arrival at a remote barrier object has no result; its destination is the bit bucket
        # `_`.
        return first + [
            self._operand(op, slot, values, mnemonic, mods, i, to)
            for i, slot in enumerate(slots)
            if slot[0] != SINK_KIND
        ]

    def _operand(
        self,
        op: Operation,
        slot: Slot,
        values: Any,
        mnemonic: str,
        mods: Sequence[str],
        index: int,
        to: FunctionCompiler,
    ) -> Operand:
        kind = slot[0]
        if kind in (REGISTER_KIND, NEGATED_KIND):
            value = next(values)
            leaf = self.read(value, to)
            if kind == NEGATED_KIND:
                return Register(f"~{leaf.name}", leaf.undefined)
            if leaf.name.startswith(REGISTER_PREFIX):
                # The variable may be written before the result is used: save its current value.
                undefined = to.assign(f"({leaf.undefined})") if leaf.undefined else None
                return Register(to.assign(f"({leaf.name})"), undefined)
            return Register(leaf.name, leaf.undefined)
        if kind == IMMEDIATE_KIND:
            bits = immediate_bits(mnemonic, mods, index)
            number = slot_number(slot)
            if bits == 1:
                return Register(to.array(bool(number), bool))
            return Register(to.array(number & (1 << bits) - 1, container(bits)))
        if kind == FLOAT_KIND:
            number, width = cast("tuple[int, int]", slot[1:])
            return Register(to.array(number, container(width)))
        if kind == SYMBOL_KIND:
            return Register(self.symbol(op, slot_name(slot), slot_number(slot, 2), to)[0])
        if kind == ADDRESS_KIND:
            leaf = self.read(next(values), to)
            if leaf.undefined:
                to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an address')")
            return Address(leaf.name, slot_number(slot))
        if kind == SYMBOL_ADDRESS_KIND:
            name, window = self.symbol(op, slot_name(slot), slot_number(slot, 2), to)
            return Address(name, 0, window)
        if kind == VECTOR_KIND:
            parts: list[Register] = []
            for element in elements_of(slot):
                part = self._operand(op, element, values, mnemonic, mods, index, to)
                assert isinstance(part, Register)
                parts.append(part)
            return Group(tuple(parts))
        assert kind == LIST_ADDRESS_KIND
        elements: list[Operand] = []
        for element in elements_of(slot):
            if element[0] == SYMBOL_KIND:
                element = (SYMBOL_ADDRESS_KIND, *element[1:])
            # Coordinates have 32 bits, independent of the instruction's type.
            elements.append(self._operand(op, element, values, "", [""], index, to))
        return ListAddress(tuple(elements))

    def symbol(
        self, op: Operation, name: str, offset: int, to: FunctionCompiler
    ) -> tuple[str, int]:
        """The expression for an address within its window, and the window."""
        function = to.info.op
        assert isinstance(function, FuncOp)
        local = self.program.locals_of(function).get(name)
        if local is not None:
            found = to.frame.local_offsets.get(name)
            if found is None:
                found = to.frame.local_offsets[name] = to.frame.allocate(local.size, local.align)
            return _uniform(f"sp + {LOCAL_BASE + found + offset}", to), LOCAL
        for i, parameter in enumerate(function.params):
            if parameter.param_name != name:
                continue
            if function.is_kernel:
                at = self.program.parameters(to.info.name)[i].offset
                return to.array(PARAM_START + at + offset, np.uint64), PARAM
            at = frame_of(function.params, function.ret).offsets[f"#{i}"]
            return _uniform(f"sp + {LOCAL_BASE + at + offset}", to), LOCAL
        if name == RETURN_NAME or (function.ret is not None and name == function.ret.param_name):
            return _uniform(f"sp + {LOCAL_BASE + offset}", to), LOCAL
        window, address = self.program.symbol(name, op)
        if window == SHARED:
            return to.assign(f"blk.shared_address({address + offset})"), SHARED
        if window == CODE:
            address |= CODE << WINDOW_SHIFT
        return to.array(address + offset, np.uint64), window

    # Instructions

    def instruction(self, op: InstructionOp, to: FunctionCompiler) -> None:
        """Emits the code that executes an instruction under its guard."""
        opcode = opcode_of(op)
        operands = self.operands(op, op.slots, to)
        if opcode.startswith("mov.") and opcode.count(".") == 1:
            self._move(op, opcode, operands, to)
            return
        if effects.waits(opcode):
            mask = "m"
            if op.guard is not None:
                mask = to.guard(self._guard(op, to), not op.guard.data)
            wait = effects.wait(Context(op, to, mask), opcode, operands)
            to.wait(wait.condition, guarded=op.guard is not None)
            if op.guard is None:
                to.after_wait(lambda: self.results(op, opcode, wait.results(), to))
            elif op.results:
                to.after_wait(lambda: self._guarded(op, opcode, lambda _: wait.results(), to))
            return
        if op.guard is not None:
            self._guarded(op, opcode, lambda at: effects.emit(at, opcode, operands), to)
            return
        opcode = _param_opcode(opcode, to)
        results = effects.emit(Context(op, to), opcode, operands)
        if results is None:
            raise to.unsupported(op, f"the instruction {opcode}")
        self.results(op, opcode, results, to)
        if opcode == "exit":
            to.line("m = None; continue")

    def _guard(self, op: InstructionOp, to: FunctionCompiler) -> str:
        """The predicate of a guard."""
        predicate = self.read(fast.operands_of(op)[-1], to)
        if predicate.undefined:
            to.line(f"blk.check_defined(m, {predicate.undefined}, {to.site(op)}, 'a guard')")
        return predicate.name

    def _guarded(
        self,
        op: InstructionOp,
        opcode: str,
        emit: Callable[[Context], Sequence[Leaf] | None],
        to: FunctionCompiler,
    ) -> None:
        """Sets the results if the guard is true; `emit` generates the instruction and returns
        them."""
        assert op.guard is not None
        predicate = self._guard(op, to)
        olds: list[Leaf | None] = []
        for result in op.results:
            type_ = result.type
            numbered = isinstance(type_, RegisterClass) and type_.number is not None
            olds.append(self.numbered(type_, to) if numbered else None)  # pyright: ignore[reportArgumentType]

        def body(at: Context) -> list[Leaf] | None:
            results = emit(at)
            if results is None:
                return None
            return [_fitted(r, opcode, leaf) for r, leaf in zip(op.results, results)]

        news = inline_asm.guarded(op, to, predicate, not op.guard.data, body, olds, opcode)
        for result, leaf in zip(op.results, news):
            self.write(result, leaf, to)
        if opcode == "exit":
            to.lost()

    def results(
        self, op: Operation, opcode: str, results: Sequence[Leaf], to: FunctionCompiler
    ) -> None:
        """Sets an instruction's results."""
        for result, leaf in zip(op.results, results):
            self.write(result, _fitted(result, opcode, leaf), to)

    def _move(
        self, op: InstructionOp, opcode: str, operands: Sequence[Operand], to: FunctionCompiler
    ) -> None:
        if op.guard is not None:
            self._guarded(op, opcode, lambda at: self._moved(op, opcode, operands, at.to), to)
            return
        for result, leaf in zip(op.results, self._moved(op, opcode, operands, to), strict=True):
            self.write(result, leaf, to)

    def _moved(
        self, op: InstructionOp, opcode: str, operands: Sequence[Operand], to: FunctionCompiler
    ) -> list[Leaf]:
        """The results of a move: a register, its parts, or a register of parts."""
        (source,) = operands
        bits = 1 if opcode == "mov.pred" else TYPE_BITS[opcode.split(".")[1]]
        if isinstance(source, Group):
            size = bits // len(source.parts)
            kind = "object" if bits > 64 else {16: "u2", 32: "u4", 64: "u8"}[bits]
            terms: list[str] = []
            shadows: list[str] = []
            for i, part in enumerate(source.parts):
                amount = str(i * size) if bits > 64 else f"{kind}({i * size})"
                terms.append(f"(L.fit(L.fit({part.name}, {size}), {bits}) << {amount})")
                if part.undefined:
                    shadows.append(
                        f"L.undefined_place({part.undefined}, {size}, {bits}, {i * size})"
                    )
            undefined = f"L.either({', '.join(shadows)})" if shadows else None
            return [Leaf(" | ".join(terms), undefined)]
        assert isinstance(source, Register)
        if len(op.results) == 1:
            value = source.name if bits == 1 else f"L.fit({source.name}, {bits})"
            return [Leaf(value, source.undefined)]
        size = bits // len(op.results)
        whole = to.assign(f"L.fit({source.name}, {bits})")
        parts: list[Leaf] = []
        for i in range(len(op.results)):
            shift = (
                f"L.lshr({whole}, np.array([{i * size}], object), 128)"
                if bits > 64
                else f"{whole} >> {whole}.dtype.type({i * size})"
            )
            shadow = None
            if source.undefined:
                shadow = f"L.undefined_extract({source.undefined}, {bits}, {size}, {i * size})"
            parts.append(Leaf(f"L.fit(L.wrap({shift}, {bits}), {size})", shadow))
        return parts

    # Calls

    def call(self, op: CallOp, to: FunctionCompiler) -> None:
        """Generates a call: stores arguments to the callee's parameter area and loads its
        results."""
        operands = self.operands(op, op.slots, to)
        callee = op.callee
        if callee is not None and callee not in self.program.infos:
            self._external(op, callee, operands, to)
            return
        target: Operand | None = None
        if callee is None:
            target, *operands = operands
        frame = self._store_arguments(op, operands, to)
        to.line(f"at = {to.site(op)}")
        if callee is not None:
            function = self.program.want(callee)
            if callee in self.program.waiting:
                to.call_waiting(
                    [f"{function}(blk, m, top)"], lambda _: self._load_results(op, frame, to)
                )
                return
            to.line(f"{function}(blk, m, top)")
        else:
            assert isinstance(target, Register)
            if self.program.indirect_waits:
                raise to.unsupported(
                    op, "an indirect call when a function whose address is taken can wait"
                )
            to.line(
                f"for fn, part in blk.call_target(m, {target.name}, {to.site(op)}): fn(blk, part, top)"
            )
        if self.program.may_exit:
            to.lost()
        self._load_results(op, frame, to)

    def _store_arguments(
        self, op: CallOp, operands: Sequence[Operand], to: FunctionCompiler
    ) -> Frame:
        """Creates the callee's parameter area on top of the stack and fills it."""
        frame = frame_of(op.params, op.ret)
        if frame.size:
            to.frame.outgoing = max(to.frame.outgoing, frame.size)
            to.line(f"blk.push_local(top, 0, {frame.size}, 'parameters of a call', m)")
        values = iter(operands)
        for store in op.stores:
            at = frame.offsets[f"#{store.param}"] + store.offset
            self._store_piece(op, store, at, [next(values) for _ in range(store.size)], to)
        return frame

    def _store_piece(
        self,
        op: CallOp,
        piece: PieceAttr,
        offset: int,
        values: Sequence[Operand],
        to: FunctionCompiler,
    ) -> None:
        address = _uniform(f"top + {LOCAL_BASE + offset}", to)
        operand: Operand = (
            values[0]
            if len(values) == 1
            else Group(tuple(v for v in values if isinstance(v, Register)))
        )
        effects.emit(
            Context(op, to), f"st.local.{piece.type_}", [Address(address, 0, LOCAL), operand]
        )

    def _load_results(self, op: CallOp, frame: Frame, to: FunctionCompiler) -> None:
        results = iter(op.results)
        for load in op.loads:
            address = _uniform(f"top + {LOCAL_BASE + load.offset}", to)
            opcode = f"ld.local.{load.type_}"
            leaves = effects.emit(Context(op, to), opcode, [Address(address, 0, LOCAL)])
            assert leaves is not None
            held = [Leaf(to.assign(leaf.name), leaf.undefined) for leaf in leaves]
            for leaf in held:
                result = next(results)
                self.write(result, _fitted(result, opcode, leaf), to)
        if frame.size:
            to.line(f"blk.pop_local(top, {frame.size}, m)")

    def _external(
        self, op: CallOp, name: str, operands: Sequence[Operand], to: FunctionCompiler
    ) -> None:
        function = externals.FUNCTIONS.get(name)
        if function is None:
            raise to.unsupported(op, f"@{name} has no body")
        arguments = [o.name for o in operands if isinstance(o, Register)]
        variable = externals.IN_BUFFER.get(name)
        if variable is None and len({store.param for store in op.stores}) < len(op.params):
            raise to.unsupported(op, f"a call of @{name} without a value for each parameter")
        if variable is not None and op.params and op.params[-1].count:
            # The variable arguments are an array whose address is passed.
            function = variable
            frame = self._store_arguments(op, operands, to)
            last = len(op.params) - 1
            fixed = sum(store.size for store in op.stores if store.param < last)
            buffer = to.assign(f"blk.local_pointer(top + {frame.offsets[f'#{last}']}, True)")
            arguments = [*arguments[:fixed], buffer]
        listed = ", ".join(arguments)
        result = to.assign(f"{to.constant(function)}(blk, {to.site(op)}, m, {listed})")
        for i, value in enumerate(op.results):
            self.write(value, _fitted(value, "call", Leaf(f"{result}[{i}]")), to)
