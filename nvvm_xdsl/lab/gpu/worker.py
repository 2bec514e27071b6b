"""The process that runs kernels: requests on standard input, answers on standard output, both pickled.

A request is the name of a method of `Device` and its arguments. An answer is a pair of a result and a
GPUError, one of which is None. After a fatal error the process ends.
"""

from __future__ import annotations

import os
import pickle
import sys
from typing import Any, BinaryIO

from nvvm_xdsl.lab.gpu.device import Device
from nvvm_xdsl.lab.gpu.job import GPUError


def serve(requests: BinaryIO, answers: BinaryIO, device: Device) -> None:
    """Answers requests until there are no more, or until the context is destroyed."""
    while True:
        try:
            name, arguments = pickle.load(requests)
        except EOFError:
            return
        try:
            answer: tuple[Any, GPUError | None] = getattr(device, name)(*arguments), None
        except GPUError as error:
            answer = None, error
        _send(answers, answer)
        if answer[1] is not None and answer[1].fatal:
            return


def _send(answers: BinaryIO, answer: tuple[Any, GPUError | None]) -> None:
    pickle.dump(answer, answers)
    answers.flush()


def main() -> None:
    """Opens the GPU, reports success or failure, and serves requests."""
    # Output of libraries must not be mixed with the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        device = Device()
        first: tuple[Any, GPUError | None] = device.properties(), None
    except GPUError as error:
        _send(answers, (None, error))
        return
    _send(answers, first)
    serve(sys.stdin.buffer, answers, device)
    # The driver's clean-up of a destroyed context may hang.
    os._exit(0)


if __name__ == "__main__":
    main()
