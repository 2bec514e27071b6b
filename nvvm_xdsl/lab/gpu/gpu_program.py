"""PTX on a GPU, with the launches and outcomes of the simulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from nvvm_xdsl.lab.gpu.client import GPU, gpu
from nvvm_xdsl.lab.gpu.device import DRIVER_LEVEL, Device
from nvvm_xdsl.lab.gpu.job import Finished, GPUError, Job
from nvvm_xdsl.lab.launches import Array, Launch, Outcome, copied_launch, three
from nvvm_xdsl.simulator.arguments import HANDLE_OBJECTS, Arguments
from nvvm_xdsl.simulator.copies.multimem import Multicast
from nvvm_xdsl.simulator.copies.tensor_maps import TensorMap
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.memory import CONSTANT, GLOBAL
from nvvm_xdsl.simulator.program import Parameter, Program

UNSUPPORTED = "textures, surfaces and tensor maps are not supported on a GPU"


@dataclass(frozen=True)
class Times:
    """The times of a kernel.

    Attributes:
        milliseconds: time of each repetition.
    """

    milliseconds: tuple[float, ...]

    @property
    def minimum(self) -> float:
        """The shortest, in milliseconds."""
        return min(self.milliseconds)

    @property
    def median(self) -> float:
        """The median, in milliseconds."""
        return median(self.milliseconds)


@dataclass(frozen=True)
class Interface:
    """The kernels and variables of a module that the host can access.

    Attributes:
        parameters: parameters of each kernel, with the types of its arguments.
        untyped: whether parameters have only a size and no type.
        variables: size in bytes of the module variables that the host can write.
        readable: names of the variables that can be compared: global variables that do not contain
            addresses.
    """

    parameters: Mapping[str, list[Parameter]]
    untyped: bool
    variables: Mapping[str, int]
    readable: tuple[str, ...]

    @staticmethod
    def of(program: Program) -> Interface:
        """The interface of a program of the simulator."""
        known = program.placement.variables
        return Interface(
            {name: program.typed_parameters(name) for name in program.kernels()},
            program.untyped,
            {name: v.size for name, v in known.items() if v.window in (GLOBAL, CONSTANT)},
            tuple(
                name
                for name, v in known.items()
                if v.window == GLOBAL and not program.holds_addresses(name)
            ),
        )


class GPUProgram:
    """A module's code for the GPU of this machine.

    Arguments:
        code: PTX, which the driver assembles, or a cubin.
        source: the program that it was compiled from, or its interface.
        level: optimization level of the driver, 0 to 4.
        device: the GPU; by default that of this process.
    Raises GPUError if there is no GPU or the driver rejects the code.
    """

    def __init__(
        self,
        code: str | bytes,
        source: Program | Interface,
        level: int = DRIVER_LEVEL,
        device: GPU | Device | None = None,
    ) -> None:
        self._gpu = device or gpu()
        self._interface = source if isinstance(source, Interface) else Interface.of(source)
        self.image = code if isinstance(code, bytes) else self._gpu.assemble(code, level)

    def run(self, launch: Launch) -> Outcome:
        """Runs a launch on copies of its arrays.

        Raises:
            GPUError: the kernel failed, or it has an argument that is not supported.
            SimulationError: the arguments do not match the parameters.
        """
        return self._launch(launch, 0)[0]

    def time(self, launch: Launch, repeats: int) -> tuple[Outcome, Times]:
        """The outcome of a launch and the times of its repetitions with the same arguments."""
        outcome, finished = self._launch(launch, repeats)
        return outcome, Times(finished.milliseconds)

    def _launch(self, launch: Launch, repeats: int) -> tuple[Outcome, Finished]:
        args, order = copied_launch(launch)
        job, buffers = self._job(launch, args)
        finished = self._gpu.run(job, repeats)
        for array, content in zip(buffers, finished.buffers):
            array[...] = np.frombuffer(content, array.dtype).reshape(array.shape)
        outcome = Outcome(
            [array for _, array in order],
            [position for position, _ in order],
            finished.output,
            finished.variables,
        )
        return outcome, finished

    def _job(self, launch: Launch, args: list[Any]) -> tuple[Job, list[Array]]:
        """The job of a launch, and the arrays of its buffers."""
        # The first call determines the size of the arrays in memory.
        size = self._marshalled(launch, args, 0)[1].next
        data, given = self._marshalled(launch, args, self._gpu.reserve(size))
        held = list(given.buffers.values())
        return Job(
            self.image,
            launch.kernel,
            three(launch.grid),
            three(launch.block),
            None if launch.cluster is None else three(launch.cluster),
            launch.shared_bytes,
            tuple(data),
            tuple((at, np.ascontiguousarray(array).tobytes()) for at, array in held),
            self._contents(launch.variables),
            self._interface.readable,
        ), [array for _, array in held]

    def _marshalled(
        self, launch: Launch, args: list[Any], start: int
    ) -> tuple[list[bytes], Arguments]:
        """The bytes of the parameters, with arrays from an address on."""
        parameters = self._interface.parameters[launch.kernel]
        if len(parameters) != len(args):
            raise SimulationError(
                "unsupported",
                f"@{launch.kernel} takes {len(parameters)} arguments, not {len(args)}",
            )
        given = Arguments(start, self._interface.untyped)
        data = [
            given.data(p, value).ljust(p.size, b"\0")[: p.size]
            for p, value in zip(parameters, args)
        ]
        if given.handles or given.maps or given.multicasts or any(map(_is_object, args)):
            raise GPUError(UNSUPPORTED)
        return data, given

    def _contents(self, variables: Mapping[str, Any]) -> dict[str, bytes]:
        """The contents of module variables in memory that the host can write."""
        found: dict[str, bytes] = {}
        for name, value in variables.items():
            if _is_object(value):
                raise GPUError(UNSUPPORTED)
            if name in self._interface.variables:
                data = value if isinstance(value, bytes) else np.ascontiguousarray(value).tobytes()
                found[name] = data[: self._interface.variables[name]]
        return found


def _is_object(value: Any) -> bool:
    return isinstance(value, (*HANDLE_OBJECTS, Multicast, TensorMap))
