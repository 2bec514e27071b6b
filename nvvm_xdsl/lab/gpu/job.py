"""The messages to the process that runs kernels, and its answers."""

from __future__ import annotations

from dataclasses import dataclass, field

Dim3 = tuple[int, int, int]


class GPUError(Exception):
    """The driver, the GPU or a kernel failed; the message contains the function and the reason.

    Attributes:
        fatal: whether the CUDA context can no longer be used.
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
        name: the name reported by the driver.
        arch: `sm_90` ...
        driver: the newest CUDA release that the driver supports, such as `13.0`.
        multiprocessors: number of multiprocessors.
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
        cluster: number of blocks of a cluster; None for the kernel's attribute.
        shared_bytes: size of dynamic shared memory in bytes.
        parameters: the bytes of each parameter.
        buffers: addresses and contents of arrays, within the memory returned by `reserve`.
        variables: contents of module variables before the launch, by name.
        read: names of module variables whose final contents are returned.
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
        buffers: final contents, in the order of the job's buffers.
        variables: final contents of the variables in `read` that the module exports.
        output: the output of the kernel.
        milliseconds: the time of each repetition, by events of the driver; empty if it was not timed.
    """

    buffers: tuple[bytes, ...]
    variables: dict[str, bytes]
    output: str
    milliseconds: tuple[float, ...] = ()
