"""Values and memory of the llvm dialect, for the functions that define the semantics of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from xdsl.dialects.llvm import LLVMFunctionType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import function_type_of
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.function_attributes import flushes_denormals
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.dialects.memory_semantics import MemorySemantics
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf, Semantics
from nvvm_xdsl.simulator.execution.memory import GENERIC, WINDOW_OF_SPACE
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType, TypeMap
from nvvm_xdsl.simulator.ptx.packing import join, split

Leaves = list[Leaf]


class LLVMSemantics(Semantics):
    """The values and memory of the IR, used to define the semantics of ops."""

    def __init__(self, program: Any, types: TypeMap, tracking: bool) -> None:
        self.program = program
        self.types = types
        self.tracking = tracking
        self._flushing: dict[Operation, bool] = {}

    def leaf_count(self, type_: Attribute) -> int:
        return len(self.types.placed(type_))

    def kinds(self, value: SSAValue) -> list[ScalarType]:
        """The scalars of a value."""
        return self.types.kinds(value.type)

    def kind(self, value: SSAValue) -> ScalarType:
        """The common kind of a value's scalars."""
        return self.types.kinds(value.type)[0]

    def edges(self, terminator: Operation) -> list[tuple[Block, tuple[SSAValue, ...]]]:
        return edges_of(terminator)

    def flushes(self, op: Operation, kind: ScalarType) -> bool:
        """Whether the function requests that subnormal f32 numbers are flushed."""
        if kind.fmt != "f32":
            return False
        function = op.parent_op()
        while function is not None and function.name != "llvm.func":
            function = function.parent_op()
        if function is None:
            return False
        known = self._flushing.get(function)
        if known is None:
            known = self._flushing[function] = flushes_denormals(function)
        return known

    def window(self, pointer: SSAValue) -> int:
        """The window of a pointer's type."""
        space = pointer_space(pointer.type)
        return WINDOW_OF_SPACE.get(space, GENERIC)

    def spread(self, kind: ScalarType, leaves: Sequence[Leaf]) -> str | None:
        """The undefined bits of a result that depends on all bits of its operands."""
        if not self.tracking:
            return None
        names = [leaf.undefined for leaf in leaves if leaf.undefined]
        return f"L.spread({kind.bits}, {', '.join(names)})" if names else None

    def access(
        self,
        op: Operation,
        to: FunctionCompiler,
        pointer: SSAValue,
        size: int,
        alignment: int,
        kind: str,
        semantics: MemorySemantics | None = None,
    ) -> str:
        """A variable with the checked access."""
        stated = to.stated(semantics) if semantics is not None and kind.startswith("atomic") else ""
        leaf = to.leaf(pointer)
        site = to.site(op)
        if leaf.undefined:
            to.line(f"blk.check_defined(m, {leaf.undefined}, {site}, 'an address')")
        return to.assign(
            f"blk.access({site}, m, {leaf.name}, {self.window(pointer)}, {size}, {alignment}, '{kind}'{stated})"
        )

    def load(self, to: FunctionCompiler, access: str, type_: Attribute) -> Leaves:
        """Reads the scalars of a type from memory."""
        leaves: Leaves = []
        for offset, kinds in self.types.stored(type_):
            if len(kinds) == 1:
                leaves.append(self.load_scalar(to, access, offset, kinds[0]))
                continue
            bits = ScalarType(kinds[0].bits * len(kinds))
            whole = self.load_scalar(to, access, offset, bits)
            leaves += split(to, Leaf(to.assign(whole.name), whole.undefined), kinds)
        return leaves

    def load_scalar(self, to: FunctionCompiler, access: str, offset: int, kind: ScalarType) -> Leaf:
        """Reads one scalar from memory."""
        parts = _split_read(kind.size)
        undefined = None
        if self.tracking:
            reads = [f"{access}.load_undefined({size}, {offset + at})" for at, size in parts]
            undefined = to.assign(reads[0] if len(parts) == 1 else _joined(reads, parts, kind))
        if len(parts) == 1:
            raw = to.assign(f"{access}.load({parts[0][1]}, {offset})")
            if kind.is_bool:
                return Leaf(f"({raw} & u1(1)) != 0", undefined)
            if not kind.fmt and kind.bits < parts[0][1] * 8:
                return Leaf(f"L.wrap({raw}, {kind.bits})", undefined)
            return Leaf(kind.from_bits(raw), undefined)
        wide = "object" if kind.bits > 64 else kind.unsigned
        terms = [
            f"({access}.load({size}, {offset + at}).astype({wide}) << {8 * at if kind.bits > 64 else f'{wide}({8 * at})'})"
            for at, size in parts
        ]
        return Leaf(f"L.wrap({' | '.join(terms)}, {kind.bits})", undefined)

    def store(
        self, to: FunctionCompiler, access: str, type_: Attribute, leaves: Sequence[Leaf]
    ) -> None:
        """Writes the scalars of a type."""
        rest = iter(leaves)
        for offset, kinds in self.types.stored(type_):
            here = list(islice(rest, len(kinds)))
            kind, leaf = kinds[0], here[0]
            if len(kinds) > 1:
                kind, leaf = ScalarType(kind.bits * len(kinds)), join(to, kinds, here)
            raw = to.assign(kind.to_bits(leaf.name))
            for at, size in _split_read(kind.size):
                if at or size * 8 < kind.bits:
                    if kind.bits > 64:
                        part = f"L.resize(L.lshr({raw}, np.array([{8 * at}], object), {kind.bits}), {kind.bits}, {8 * size}, False)"
                    else:
                        part = f"L.resize({raw} >> {kind.unsigned}({8 * at}), {kind.bits}, {8 * size}, False)"
                else:
                    part = raw
                to.line(f"{access}.store({part}, {size}, {offset + at})")
                if leaf.undefined:
                    shadow = leaf.undefined
                    if len(_split_read(kind.size)) > 1:
                        shadow = f"L.undefined_extract({shadow}, {kind.bits}, {8 * size}, {8 * at})"
                    to.line(f"{access}.store_undefined({shadow}, {size}, {offset + at})")


Emit = Callable[[LLVMSemantics, Operation, FunctionCompiler], None]
"""Generates the source of an op."""

EmitOp = Callable[[LLVMSemantics, Operation, FunctionCompiler], bool]
"""Like `Emit`, but returns False for an unsupported form of the op."""


def _joined(reads: Sequence[str], parts: Sequence[tuple[int, int]], kind: ScalarType) -> str:
    """The undefined bits of a scalar that is read in parts."""
    width = 8 * kind.size
    terms = [
        f"L.undefined_place({r}, {8 * n}, {width}, {8 * at})" for r, (at, n) in zip(reads, parts)
    ]
    return f"L.either({', '.join(terms)})"


def _split_read(size: int) -> list[tuple[int, int]]:
    """The split of a read of `size` bytes: offsets and powers of two."""
    out: list[tuple[int, int]] = []
    at = 0
    while size:
        piece = 8 if size >= 8 else 1 << (size.bit_length() - 1)
        out.append((at, piece))
        at += piece
        size -= piece
    return out


def function_type(op: Operation) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    return function_type_of(op)
