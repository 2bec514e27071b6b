"""Modules of several functions, and how the tests split them."""

from __future__ import annotations

import random
import re
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver import split
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.pipeline.manager import PassManager
from nvvm_xdsl.testing.random_kernels import random_kernel_text

_DEFINED = re.compile(r"^define[^@\n]*@([\w$.]+)\(", re.MULTILINE)


def random_module(seed: int) -> ModuleOp:
    """Two to four random kernels, with the functions that they call, in one module."""
    chosen = random.Random(seed)
    modules: list[ModuleOp] = []
    for number in range(chosen.randrange(2, 5)):
        text = random_kernel_text(chosen.randrange(1 << 30), size=chosen.randrange(10, 40))
        for name in set(_DEFINED.findall(text)):
            text = re.sub(rf"@{re.escape(name)}\b", f"@{name}_{number}", text)
        modules.append(driver.parse(text, format="ll"))
    return link(modules)


def split_here(
    module: ModuleOp, options: CompileOptions, workers: int, compile_batches: Any = None
) -> str | None:
    """PTX of a module whose functions are compiled as for so many workers; None if not split.

    Arguments:
        compile_batches: compiles tasks, in this process by default.
    """
    chosen = options.for_module(module)
    driver.complete(module)
    if not chosen.rdc:
        driver.drop_unreached(module)
    manager = PassManager(pipeline_of(chosen), options=chosen.settings)
    manager.run(module, only_phase=1)
    if manager.phase != 1 or not split.can_split(module):
        return None
    batches = split.split(module, workers)
    tasks = [(batch.data, split.portable(chosen)) for batch in batches]
    if compile_batches is None:
        results = [split.compile_batch(*task) for task in tasks]
    else:
        results = compile_batches(tasks)
    machine = split.join(module, batches, results, chosen)
    assert machine is not None
    return driver.generate_from_machine(machine, chosen)
