"""The interface to the GPU: starts the process of `worker`, and restarts it after a failure."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from functools import cache
from typing import Any, Final

from nvvm_xdsl.lab.gpu.device import DRIVER_LEVEL
from nvvm_xdsl.lab.gpu.job import Finished, GPUError, Job, Properties

SECONDS: Final = 60.0
"""Time limit of a request in seconds, after which its process is ended."""

START_SECONDS: Final = 120.0
"""Time limit in seconds for the creation of a context, which is slow if many processes create
one."""

COMMAND: Final = (sys.executable, "-m", "nvvm_xdsl.lab.gpu.worker")


class GPU:
    """The first GPU of this machine.

    Arguments:
        command: the command that starts the worker process.
        seconds: the time limit of a request.
    Raises GPUError if there is no GPU, no driver, or no cuda-bindings.
    """

    def __init__(self, command: tuple[str, ...] = COMMAND, seconds: float = SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self.properties: Properties = self._start()

    def assemble(self, ptx: str, level: int = DRIVER_LEVEL) -> bytes:
        """The cubin that the driver generates from PTX for this GPU. Raises GPUError with the
        driver's message."""
        return self._request("assemble", ptx, level)

    def reserve(self, size: int) -> int:
        """The address of memory for the buffers of later jobs."""
        return self._request("reserve", size)

    def run(self, job: Job, repeats: int = 0) -> Finished:
        """Launches a kernel; with `repeats` several times, each timed. Raises GPUError."""
        return self._request("run", job, repeats)

    def close(self) -> None:
        """Ends the process; a later request starts a new one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _start(self) -> Properties:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        return self._answer(START_SECONDS)

    def _request(self, name: str, *arguments: Any) -> Any:
        if self._process is None:
            self._start()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        try:
            pickle.dump((name, arguments), process.stdin)
            process.stdin.flush()
        except OSError:
            self.close()
            raise GPUError("the process of the GPU ended") from None
        return self._answer(self._seconds)

    def _answer(self, seconds: float) -> Any:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            result, error = pickle.load(process.stdout)
        except (EOFError, pickle.UnpicklingError):
            self.close()
            if late.is_set():
                raise GPUError(f"no answer of the GPU within {seconds:g} s", True) from None
            raise GPUError("the process of the GPU ended", True) from None
        finally:
            timer.cancel()
        if error is not None:
            if error.fatal:
                self.close()
            raise error
        return result


NAME: Final = "gpu"
"""The name on command lines."""


def gpu() -> GPU:
    """The GPU that this process uses. Raises GPUError if there is none."""
    return _gpu_of(os.getpid())


@cache
def _gpu_of(_: int) -> GPU:
    """The GPU of a process: a forked process must not share the pipes of its parent."""
    return GPU()


@cache
def why_no_gpu() -> str | None:
    """The reason why kernels cannot run on a GPU; None if they can."""
    try:
        gpu()
    except GPUError as error:
        return str(error)
    return None
