"""Programs of machine code: a module prepared for launches."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.sass.ops import DataOp, FunctionOp, InstructionOp, SymbolOp
from nvvm_xdsl.simulator.compiler import FunctionCompiler, FunctionInfo, constant_name
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.memory import (
    CONSTANT,
    GAP,
    GLOBAL,
    GLOBAL_BASE,
    LOCAL,
    LOCAL_BASE,
    PARAM,
    PARAM_START,
    SHARED,
    SHARED_BASE,
    SHARED_SHIFT,
    WINDOW_SHIFT,
    Lanes,
    Mask,
)
from nvvm_xdsl.simulator.execution.scheduling import Grid, split
from nvvm_xdsl.simulator.execution.variables import Placement, Variable
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.program import Parameter, Program
from nvvm_xdsl.simulator.sass import arithmetic
from nvvm_xdsl.simulator.sass.compiler import EXTERNALS, CodeCompiler
from nvvm_xdsl.simulator.sass.segments import CALLS, Code
from nvvm_xdsl.simulator.sass.warps import Warps, unknown

FUNCTION_STEP: Final = 1 << 20
"""Distance in bytes between the start addresses of functions in the code of a file."""

EXTERNAL_STEP: Final = 1 << 8
"""Distance in bytes between functions of the run-time system, which precede the functions of the
file."""

SECTION_ALIGNMENT: Final = 256

_RELOCATIONS: Final = {1: (4, 0), 2: (8, 0), 0x38: (4, 0), 0x39: (4, 32)}
"""Size in bytes of the field of a data relocation, and the shift of the address: R_CUDA_32,
R_CUDA_64, R_CUDA_ABS32_LO_32 and R_CUDA_ABS32_HI_32."""


@dataclass(frozen=True)
class _Cluster:
    """Offsets of the data on clusters in constant bank 0.

    Attributes:
        explicit: whether the launch has clusters.
        blocks: dimensions of a cluster.
        reciprocals: reciprocals of the dimensions, as f32, rounded up.
        clusters: dimensions of the grid in clusters.
        size: number of blocks of a cluster.
    """

    explicit: int
    blocks: int
    reciprocals: int
    clusters: int
    size: int


@dataclass(frozen=True)
class _Layout:
    """Offsets of the fields of constant bank 0 other than parameters."""

    block: int
    grid: int
    stack: int
    shared: int
    local: int
    constants: int
    dynamic: int
    """Offset of the size of dynamic shared memory."""
    cluster: _Cluster | None = None


_LAYOUTS: Final = {
    80: _Layout(0x0, 0xC, 0x28, 0x18, 0x20, 0x50, 0x2C),
    90: _Layout(
        0x0, 0xC, 0x28, 0x18, 0x20, 0xD0, 0x2C, _Cluster(0x140, 0x144, 0x150, 0x15C, 0x188)
    ),
    100: _Layout(
        0x360, 0x370, 0x37C, 0x2F0, 0x2F8, 0x120, 0x2AC, _Cluster(0x36C, 0x2A0, 0x2B0, 0x2C0, 0x2CC)
    ),
}
"""Layouts by the first architecture that has them (observed in code of ptxas 13.0)."""

BANK_BYTES: Final = 0x1000
"""Minimum size in bytes of constant bank 0."""


def layout_of(arch: int) -> _Layout:
    """The layout of constant bank 0."""
    return _LAYOUTS[max((a for a in _LAYOUTS if a <= arch), default=80)]


def _write_cluster(out: bytearray, at: _Cluster, grid: Grid) -> None:
    blocks = grid.cluster
    exact = np.array([1 / n for n in blocks])
    near = exact.astype(np.float32)
    upward = np.where(near < exact, np.nextafter(near, np.float32(2)), near)
    clusters = (n // m for n, m in zip(grid.grid, blocks))
    struct.pack_into("<I", out, at.explicit, blocks != (1, 1, 1))
    struct.pack_into("<3I", out, at.blocks, *blocks)
    struct.pack_into("<3f", out, at.reciprocals, *upward)
    struct.pack_into("<3I", out, at.clusters, *clusters)
    struct.pack_into("<I", out, at.size, math.prod(blocks))


class Image:
    """The environment of a kernel's code in a launch: constant banks, windows and addresses.

    Attributes:
        segments: segments by address.
    """

    def __init__(self, program: SassProgram, function: FunctionOp, code: Code, grid: Grid) -> None:
        self.program = program
        self.function = function
        self.grid = grid
        self.code = code
        self.segments = code.by_address
        self.reserved = function.number("reserved") or 0
        self.frame = program.frame_of(function)
        self._banks: dict[int, Lanes] = {}

    # Constants

    def bank(self, number: int) -> Lanes:
        """A constant bank as words."""
        found = self._banks.get(number)
        if found is None:
            if number == 0:
                content = self._first_bank()
            else:
                content = self.program.bank_content(number, self.function, self.grid)
            found = np.frombuffer(content.ljust(-(-len(content) // 4 + 4) * 4, b"\0"), np.uint32)
            self._banks[number] = found
        return found

    def _first_bank(self) -> bytes:
        grid = self.grid
        out = bytearray(BANK_BYTES)
        base = self.function.number("param_base") or 0
        for parameter in self.program.parameters(self.function.text("symbol")):
            content = grid.memory.read(PARAM, PARAM_START + parameter.offset, parameter.size)
            end = base + parameter.offset + parameter.size
            out += bytes(max(0, end - len(out)))
            out[base + parameter.offset : end] = content
        layout = layout_of(self.function.number("arch") or 0)
        struct.pack_into("<3I", out, layout.block, *grid.block)
        struct.pack_into("<3I", out, layout.grid, *grid.grid)
        struct.pack_into("<I", out, layout.dynamic, grid.dynamic_shared)
        if layout.cluster is not None:
            _write_cluster(out, layout.cluster, grid)
        struct.pack_into("<I", out, layout.stack, LOCAL_BASE + self.frame)
        struct.pack_into("<Q", out, layout.shared, SHARED << WINDOW_SHIFT)
        struct.pack_into("<Q", out, layout.local, LOCAL << WINDOW_SHIFT)
        struct.pack_into(
            "<Q", out, layout.constants, CONSTANT << WINDOW_SHIFT | self.program.constants_at
        )
        return bytes(out)

    def constants(self, bank: int, base: Lanes, offset: int, size: int) -> Lanes:
        """`size` bytes of a bank at each address."""
        words = self.bank(bank)
        return arithmetic.gather(words.view(np.uint8), base + np.uint32(offset & 0xFFFFFFFF), size)

    def word(self, value: int) -> Lanes:
        """A word for all lanes."""
        return np.array([value], np.uint32)

    def symbol(self, text: str) -> Lanes:
        """The value of a symbolic operand: `32@lo(name)`, `32@hi(name)`."""
        return np.array([self.program.symbol_value(text, self.code)], np.uint32)

    def label(self, name: str) -> Lanes:
        """The address of a label."""
        return np.array([self.code.labels[name]], np.uint64)

    # Windows

    def enter(self, block: Block, mask: Mask) -> None:
        """Makes the stack valid."""
        if self.frame:
            block.push_local(0, 0, self.frame, "the stack", mask)

    def shared_shift(self, block: Block) -> Lanes:
        """The offset from shared addresses in the code to the shared memory of the block."""
        return block.shared_address(0) - np.uint64(self.reserved)

    def block_rank(self, block: Block) -> Lanes:
        """`SR_CgaCtaId`: the block's number in its cluster, or in its row."""
        own = block.shared_address(0) - np.uint64(SHARED_BASE)
        return (own >> np.uint64(SHARED_SHIFT)).astype(np.uint32)

    def shared(self, address: Lanes, shift: Lanes) -> Lanes:
        """Addresses of the block's own shared memory in the simulator's window."""
        return (address & np.uint32(0xFFFFFF)).astype(np.uint64) + shift

    def generic(self, address: Lanes, shift: Lanes) -> Lanes:
        """Generic addresses, with those of shared memory converted to the simulator's window."""
        tags = address >> np.uint64(WINDOW_SHIFT)
        shared = tags == SHARED
        if not shared.any():
            return address
        moved = self.in_cluster(address, shift)
        return np.where(shared, moved | np.uint64(SHARED << WINDOW_SHIFT), address)

    def in_cluster(self, address: Lanes, shift: Lanes) -> Lanes:
        """Addresses of shared memory of the blocks of a cluster in the simulator's window.

        Bits 24 to 31 are the rank of the block in the cluster.
        """
        low = address & np.uint64(0xFFFFFF)
        if not self.reserved:
            return low + shift
        rank = (address >> np.uint64(24)) & np.uint64(0xFF)
        return low + (rank << np.uint64(SHARED_SHIFT)) + np.uint64(SHARED_BASE - self.reserved)

    def is_in(self, address: Lanes, window: int) -> Lanes:
        """Whether generic addresses are in a window."""
        return address >> np.uint64(WINDOW_SHIFT) == window


class SassProgram(Program):
    """A module of the sass dialect.

    Arguments:
        source: the program that it was compiled from, which defines the types of parameters.
    """

    untyped = True

    def __init__(
        self, module: ModuleOp, source: Program | None = None, counting: bool = False
    ) -> None:
        super().__init__(module, False, counting)
        self.source = source
        self.functions: dict[str, FunctionOp] = {}
        self.sections: dict[str, DataOp] = {}
        self.symbols: list[SymbolOp] = []
        for op in module.ops:
            if isinstance(op, FunctionOp):
                name = op.text("symbol")
                self.functions[name] = op
                self.infos[name] = FunctionInfo(
                    name, op, op.regions[0], f"fn{len(self.infos)}", True
                )
            elif isinstance(op, DataOp):
                self.sections[op.text("section")] = op
            elif isinstance(op, SymbolOp):
                self.symbols.append(op)
        self.namespace |= {
            "program": self,
            "Warps": Warps,
            "S": arithmetic,
            "unknown": unknown,
            "split": split,
        }
        self.unknown: set[str] = set()
        """Opcodes of compiled kernels that the tables do not contain."""
        self._codes: dict[str, Code] = {}
        self._images: dict[str, Image] = {}
        self._bases = {name: FUNCTION_STEP * (i + 1) for i, name in enumerate(self.functions)}
        self._external_addresses: dict[str, int] = {}
        for op in self.sections.values():
            for row in op.texts("relocations"):
                symbol = row.split(":")[2]
                if symbol in EXTERNALS and symbol not in self._external_addresses:
                    self.declared[symbol] = op
                    self._external_addresses[symbol] = EXTERNAL_STEP * (
                        1 + len(self._external_addresses)
                    )
        self._place()

    # Data

    def _place(self) -> None:
        """Assigns addresses to the sections of variables and constants."""
        self.section_address: dict[str, int] = {}
        next_global = GLOBAL_BASE
        for name, op in self.sections.items():
            if name.startswith(".nv.global"):
                next_global = -(-next_global // SECTION_ALIGNMENT) * SECTION_ALIGNMENT
                self.section_address[name] = next_global
                next_global += (op.number("size") or 0) + GAP
        self.constants_at = SECTION_ALIGNMENT
        next_constant = self.constants_at
        constants = self.sections.get(".nv.constant3")
        if constants is not None:
            self.section_address[".nv.constant3"] = next_constant
            next_constant += (constants.number("size") or 0) + GAP
        variables: dict[str, Variable] = {}
        for op in self.symbols:
            section = op.text("section")
            start = self.section_address.get(section)
            if start is None:
                continue
            window = CONSTANT if section == ".nv.constant3" else GLOBAL
            name = op.text("symbol")
            variables[name] = Variable(
                name, op, window, start + (op.number("offset") or 0), op.number("size") or 0
            )
        self._variables = variables
        self.placement = Placement(variables, set(), next_global, next_constant, 0)

    def function(self, name: str) -> Callable[..., Any]:
        op = self.functions[name]
        reserved = op.number("reserved") or 0
        size = max((op.number("shared") or 0) - reserved, 0)
        variables = dict(self._variables)
        if size:
            variables["static shared memory"] = Variable(
                "static shared memory", op, SHARED, 0, size
            )
        old = self.placement
        self.placement = Placement(variables, set(), old.global_end, old.constant_end, size)
        return super().function(name)

    def holds_addresses(self, name: str) -> bool:
        variable = self._variables[name]
        section = self.sections[variable.op.properties["section"].data]  # pyright: ignore
        start = self.section_address[section.text("section")]
        first = variable.address - start
        return any(
            first <= int(text.split(":")[0]) < first + variable.size
            for text in section.texts("relocations")
        )

    def initial_bytes(self, name: str) -> tuple[bytes, dict[int, int]] | None:
        variable = self.placement.variables[name]
        op = variable.op
        assert isinstance(op, SymbolOp)
        content = self._content(op.text("section"), None)
        first = op.number("offset") or 0
        return content[first : first + variable.size], {}

    def _content(self, section: str, code: Code | None) -> bytes:
        """The contents of a section with its relocations applied."""
        op = self.sections[section]
        size = op.number("size") or 0
        text = op.text("bytes")
        out = bytearray(bytes.fromhex(text) if text else bytes(size))
        for row in op.texts("relocations"):
            offset, kind, rest = row.split(":", 2)
            symbol, _, addend = rest.rpartition(":")
            width, shift = _RELOCATIONS.get(int(kind), (8, 0))
            address = self.address_of(symbol, op)
            value = (address + int(addend)) >> shift
            place = int(offset)
            out[place : place + width] = (value & (1 << 8 * width) - 1).to_bytes(width, "little")
        return bytes(out)

    def bank_content(self, number: int, function: FunctionOp, grid: Grid) -> bytes:
        """The contents of a constant bank other than 0."""
        own = f".nv.constant{number}.{function.text('symbol')}"
        shared = f".nv.constant{number}"
        if own in self.sections:
            return self._content(own, None)
        if shared not in self.sections:
            raise SimulationError("unsupported", f"unknown constant bank {number}")
        content = bytearray(self._content(shared, None))
        if number == 3:
            # The host may have set variables.
            for variable in self._variables.values():
                if variable.window == CONSTANT:
                    start = variable.address - self.constants_at
                    content[start : start + variable.size] = grid.memory.read(
                        CONSTANT, variable.address, variable.size
                    )
        return bytes(content)

    def address_of(self, symbol: str, op: Operation) -> int:
        """The address of a variable or function."""
        variable = self._variables.get(symbol)
        if variable is not None:
            tag = 0 if variable.window == GLOBAL else variable.window << WINDOW_SHIFT
            return variable.address | tag
        if symbol in self._bases:
            return self._bases[symbol]
        if symbol in self._external_addresses:
            return self._external_addresses[symbol]
        if symbol in self.section_address:
            return self.section_address[symbol]
        raise SimulationError("unsupported", f"@{symbol} is not defined", op)

    def symbol_value(self, text: str, code: Code) -> int:
        """The value of an operand such as `32@lo(table)`."""
        head, _, rest = text.partition("(")
        shift = 32 if head == "32@hi" else 0
        name = rest.rstrip(")").strip("(")
        if " + " in name:
            name = name.split(" + ")[1]
        name = name.split("@")[0]
        if name in code.labels:
            return code.labels[name] >> shift & 0xFFFFFFFF
        return self.address_of(name, self.module) >> shift & 0xFFFFFFFF

    # Functions

    def kernels(self) -> list[str]:
        return [name for name, op in self.functions.items() if "entry" in op.properties]

    def _parameters_of(self, kernel: str) -> list[Parameter]:
        found: list[Parameter] = []
        for i, text in enumerate(self.functions[kernel].texts("params")):
            offset, size = (int(part) for part in text.split(":"))
            scalars = [(0, ScalarType(8 * size, ""))] if size in (1, 2, 4, 8) else []
            found.append(Parameter(f"param{i}", offset, size, scalars, not scalars))
        return found

    def typed_parameters(self, kernel: str) -> list[Parameter]:
        return (
            self.parameters(kernel) if self.source is None else self.source.typed_parameters(kernel)
        )

    def parameters(self, kernel: str) -> list[Parameter]:
        found = super().parameters(kernel)
        if self.source is not None and kernel in self.source.infos:
            named = self.source.parameters(kernel)
            if len(named) == len(found):
                return [
                    Parameter(n.name, p.offset, p.size, p.scalars, p.by_value)
                    for n, p in zip(named, found)
                ]
        return found

    def code(self, kernel: str) -> Code:
        """The segments of a launched kernel and of the functions in its file."""
        return self._codes[kernel]

    def frame_of(self, function: FunctionOp) -> int:
        """Size of the stack in bytes: the size stated in the file, or more if functions are
        called."""
        frame = function.number("frame") or 0
        if any(isinstance(op, InstructionOp) and op.mnemonic in CALLS for op in function.walk()):
            frame = max(frame, STACK)
        return -(-frame // 256) * 256

    def local_bytes(self, most: int) -> int:
        largest = max(self.frame_of(op) for op in self.functions.values())
        return min(most, LOCAL_BASE + largest + 2 * GAP)

    def image(self, block: Block, name: str) -> Image:
        """The environment of a kernel in the launch of a block."""
        found = self._images.get(name)
        if found is None or found.grid is not block.grid:
            found = Image(self, self.functions[name], self._codes[name], block.grid)
            self._images[name] = found
        return found

    def compile_function(self, info: FunctionInfo) -> FunctionCompiler:
        raise NotImplementedError

    def _drain(self) -> None:
        while self._wanted:
            name = self._wanted.pop()
            if name in self._compiled:
                continue
            info = self.infos[name]
            others = [op for n, op in self.functions.items() if n not in self.kernels()]
            code = Code(
                [self.functions[name], *others], self._bases.__getitem__, self._external_addresses
            )
            compiler = CodeCompiler(
                code, name, info.python_name, self._constant, self.sites, self.counted
            )
            source = compiler.compile()
            self.unknown |= compiler.unknown
            self._codes[name] = code
            self.sources[name] = source
            self._calls[name] = set()
            self._compiled.add(name)
            exec(compile(source, f"<simulator @{name}>", "exec"), self.namespace)

    def _constant(self, value: Any) -> str:
        return constant_name(self.namespace, value)


STACK: Final = 1 << 14
"""Bytes of stack of a thread whose kernel calls functions."""
