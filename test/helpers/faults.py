"""What happens to workers. They import this: what stands in a test's own file they cannot find."""

from __future__ import annotations

import os
import signal
from typing import Any

from nvvm_xdsl.driver.many import Compilation, compile_one
from nvvm_xdsl.driver.options import CompileOptions


def die(*_: Any) -> bytes:
    """Ends the worker as the system does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def deadly(task: Any, options: CompileOptions) -> Compilation:
    """Compiles, unless the source says that it kills."""
    if b"deadly" in task.data:
        die()
    return compile_one(task, options)
