"""The messages to the process that runs kernels, and its answers."""

from __future__ import annotations

from dataclasses import dataclass, field

Dim3 = tuple[int, int, int]


class GPUError(Exception):
    """The driver, the GPU or a kernel failed; the message says which function, and why.

    Attributes:
        fatal: the CUDA context can no longer be used.
    """

    def __init__(self, message: str, fatal: bool = False) -> None:
        super().__init__(message, fatal)
        self.message = message
        self.fatal = fatal

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class Properties:
    """A GPU and its driver.

    Attributes:
        name: as the driver states it.
        arch: `sm_90` ...
        driver: the newest CUDA release that the driver supports, such as `13.0`.
        multiprocessors: their number.
        memory: bytes of device memory.
    """

    name: str
    arch: str
    driver: str
    multiprocessors: int
    memory: int


@dataclass(frozen=True)
class Job:
    """One launch.

    Attributes:
        image: a cubin.
        kernel: its name.
        grid, block: numbers of blocks and threads.
        cluster: blocks of a cluster; None for the size that the kernel states.
        shared_bytes: of dynamic shared memory.
        parameters: the bytes of each parameter.
        buffers: addresses and contents of arrays, inside the memory that `reserve` gave.
        variables: contents of module variables before the launch, by name.
        read: names of module variables whose contents are wanted afterwards.
    """

    image: bytes
    kernel: str
    grid: Dim3
    block: Dim3
    cluster: Dim3 | None = None
    shared_bytes: int = 0
    parameters: tuple[bytes, ...] = ()
    buffers: tuple[tuple[int, bytes], ...] = ()
    variables: dict[str, bytes] = field(default_factory=dict[str, bytes])
    read: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finished:
    """The state after a launch.

    Attributes:
        buffers: contents, in the order of the job's.
        variables: contents of those that were asked for and that the module exports.
        output: what the kernel printed.
        milliseconds: the time of each repetition, by events of the driver; empty if it was not timed.
    """

    buffers: tuple[bytes, ...]
    variables: dict[str, bytes]
    output: str
    milliseconds: tuple[float, ...] = ()
