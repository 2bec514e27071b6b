"""What happens to workers. They import this: what stands in a test's own file they cannot find."""

from __future__ import annotations

import os
import signal
from typing import Any

from nvvm_xdsl.driver.many import Compilation, compile_one
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def die(*_: Any) -> bytes:
    """Ends the worker as the system does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def fail(*_: Any) -> bytes:
    """A fault of the compiler's."""
    raise KeyError("no such thing")


def refuse(*_: Any) -> bytes:
    """An error in the input, which nobody else finds."""
    raise DiagnosticError("this will not do")


def deadly(task: Any, options: CompileOptions) -> Compilation:
    """Compiles, unless the source says that it kills."""
    if b"deadly" in task.data:
        die()
    return compile_one(task, options)
