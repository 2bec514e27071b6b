"""Arguments of a launch: the bits of each argument, and the objects behind handles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from nvvm_xdsl.simulator.copies import tensor_maps
from nvvm_xdsl.simulator.copies.multimem import Binding, Multicast
from nvvm_xdsl.simulator.copies.tensor_maps import TensorMap
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import GAP
from nvvm_xdsl.simulator.execution.variables import handle_kind_of
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.program import Parameter, Program
from nvvm_xdsl.simulator.textures.handles import FIRST_HANDLE, NAMES
from nvvm_xdsl.simulator.textures.objects import (
    Handle,
    HandleObject,
    Sampler,
    Surface,
    Texture,
    Unbound,
    kind_of,
)

BUFFER_ALIGNMENT = 256

HANDLE_OBJECTS = (Sampler, Surface)
"""Textures are also samplers."""

Argument = Any
Variable = np.ndarray[Any, Any] | bytes | Texture | Sampler | Surface


@dataclass(frozen=True)
class Pointer:
    """A pointer into a host array, `offset` bytes from its start."""

    array: np.ndarray[Any, Any]
    offset: int = 0


class Arguments:
    """Host arrays and their addresses."""

    def __init__(
        self, start: int, untyped: bool, placed: Mapping[int, np.ndarray[Any, Any]] | None = None
    ) -> None:
        placed = placed or {}
        if placed and min(placed) < start:
            reason = f"address {min(placed):#x} is below {start:#x}, the end of the variables"
            raise SimulationError("limit", reason)
        self.untyped = untyped
        """Whether parameters are bit patterns of a given width, as in machine code, and also accept
        floats."""
        self.buffers = {id(array): (address, array) for address, array in placed.items()}
        ends = (address + array.nbytes + GAP for address, array in placed.items())
        self.next = max(ends, default=start)
        self.handles: dict[int, Handle] = {}
        self.maps: dict[int, np.ndarray[Any, Any]] = {}
        self.multicasts: list[Binding] = []

    def address(self, array: np.ndarray[Any, Any]) -> int:
        """Returns the address of an array's buffer, which the first call assigns."""
        known = self.buffers.get(id(array))
        if known is None:
            self.next = -(-self.next // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
            known = self.buffers[id(array)] = (self.next, array)
            self.next += max(array.nbytes, 1) + GAP
        return known[0]

    def bind(self, handle: int, value: HandleObject) -> int:
        """Binds a handle to a texture, a sampler or a surface; returns the handle."""
        address = self.address(value.array) if isinstance(value, Surface) else 0
        self.handles[handle] = Handle(value, address)
        return handle

    def placed_handles(self) -> dict[int, Handle]:
        """All handles, with the addresses of textures whose arrays are buffers as well."""
        placed: dict[int, Handle] = {}
        for handle, found in self.handles.items():
            if isinstance(found.value, Texture) and id(found.value.array) in self.buffers:
                found = Handle(found.value, self.address(found.value.array))
            placed[handle] = found
        return placed

    def scalar(self, value: Argument, kind: ScalarType, name: str) -> int:
        """The bits of a scalar argument."""
        if isinstance(value, HANDLE_OBJECTS):
            if kind.bits != 64 or kind.fmt:
                raise SimulationError(
                    "unsupported",
                    f"argument '{name}' is not a 64-bit handle, which {_kind(value)} requires",
                )
            return self.bind(FIRST_HANDLE + len(self.handles), value)
        if isinstance(value, Pointer):
            return self.address(value.array) + value.offset
        if isinstance(value, TensorMap):
            return self.address(self.in_memory(value))
        if isinstance(value, Multicast):
            return self.bound(value)
        if isinstance(value, np.ndarray):
            return self.address(cast("np.ndarray[Any, Any]", value))
        if value is None:
            return 0
        if kind.fmt and not isinstance(value, np.generic | bytes):
            if kind.fmt == "bf16":
                from nvvm_xdsl.simulator.numerics.floats import round_to

                return int(round_to(np.array([float(value)]), "bf16")[0])
            return int(np.array([value]).astype(kind.dtype).view(f"u{kind.size}")[0])
        if isinstance(value, np.generic):
            value = cast("np.generic[Any]", value)
            if value.dtype.itemsize != kind.size and kind.bits > 1:
                raise SimulationError(
                    "unsupported", f"argument '{name}' takes {kind.size} bytes, not {value.dtype}"
                )
            return int.from_bytes(value.tobytes(), "little")
        if isinstance(value, float) and self.untyped and kind.size in (2, 4, 8):
            return int(np.array([value], f"f{kind.size}").view(f"u{kind.size}")[0])
        if isinstance(value, float):
            raise SimulationError("unsupported", f"argument '{name}' is an integer, not {value}")
        return int(value) & ((1 << kind.bits) - 1)

    def in_memory(self, value: TensorMap) -> np.ndarray[Any, Any]:
        """A buffer that contains a tensor map, for a kernel that receives a pointer to it."""
        known = self.maps.get(id(value))
        if known is None:
            content = np.frombuffer(value.at(self.address(value.array)), np.uint8)
            known = self.maps[id(value)] = content.copy()
        return known

    def bound(self, value: Multicast) -> int:
        """The multimem address that represents several arrays; it has no memory of its own."""
        copies = tuple(self.address(a) for a in value.arrays)
        start = -(-self.next // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        self.multicasts.append(Binding(start, value.arrays[0].nbytes, copies))
        self.next = start + value.arrays[0].nbytes + GAP
        return start

    def data(self, parameter: Parameter, value: Argument) -> bytes:
        """The bytes of a parameter."""
        if isinstance(value, TensorMap) and parameter.size == tensor_maps.SIZE:
            return value.at(self.address(value.array))
        if isinstance(value, bytes | bytearray):
            return bytes(value).ljust(parameter.size, b"\0")
        out = bytearray(parameter.size)
        if isinstance(value, np.void):
            return value.tobytes().ljust(parameter.size, b"\0")
        if isinstance(value, int) and not parameter.scalars:
            # In PTX a wide integer is an array of bytes.
            number = value & (1 << 8 * parameter.size) - 1
            return number.to_bytes(parameter.size, "little")
        values = list(_flatten(value)) if isinstance(value, list | tuple) else [value]
        if len(values) != len(parameter.scalars):
            raise SimulationError(
                "unsupported",
                f"argument '{parameter.name}' has {len(parameter.scalars)} parts, {len(values)} were given",
            )
        for (offset, kind), part in zip(parameter.scalars, values):
            out[offset : offset + kind.size] = self.scalar(part, kind, parameter.name).to_bytes(
                kind.size, "little"
            )
        return bytes(out)


def _flatten(value: Any) -> Iterable[Any]:
    for part in value:
        if isinstance(part, list | tuple):
            yield from _flatten(part)
        else:
            yield part


def _kind(value: Sampler | Surface) -> str:
    return NAMES[kind_of(value)]


def bind_variables(
    program: Program, given: Arguments, variables: Mapping[str, Variable]
) -> dict[str, np.ndarray[Any, Any] | bytes]:
    """Replaces the addresses of module variables with handles of their objects; returns the
    contents of the other variables.
    """
    known = program.placement.variables
    for name, variable in known.items():
        kind = handle_kind_of(variable.op)
        if kind is not None:
            given.bind(variable.address, Unbound(name, kind))
    contents: dict[str, np.ndarray[Any, Any] | bytes] = {}
    for name, value in variables.items():
        if not isinstance(value, HANDLE_OBJECTS):
            contents[name] = value
            continue
        if name not in known:
            listed = ", ".join("@" + n for n in known) or "none"
            raise SimulationError(
                "unsupported",
                f"the module has no variable @{name} for {_kind(value)}; it has {listed}",
            )
        given.bind(known[name].address, value)
    return contents


def name_of(
    array: np.ndarray[Any, Any], args: Sequence[Argument], parameters: Sequence[Parameter]
) -> str:
    """The name of the parameter to which an array was passed."""
    for parameter, argument in zip(parameters, args):
        if argument is array or (
            isinstance(argument, Pointer | Surface) and argument.array is array
        ):
            return parameter.name
    return "a buffer"
