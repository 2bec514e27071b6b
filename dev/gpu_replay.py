"""A pytest plugin that repeats simulated launches of tests on a GPU and compares the results.

    pytest -p dev.gpu_replay --replay FOLDER [-n 14] test/simulator test/corpus

Each launch that succeeds in the simulator is selected without optimization (modules of the llvm dialect) or
printed as PTX (machine code), and run on the GPU of this machine with the same arguments. FOLDER gets a file of
JSON lines for each process: the test, the kernel and the outcome, which is one of

    equal     the same bits in all arrays, variables and printed lines; NaNs equal each other
    differs   the first difference is stated, and the PTX is kept in FOLDER
    failed    the GPU reports an error; the PTX is kept in FOLDER
    refused   the code cannot be selected or assembled for the GPU
    skipped   an argument or an option of the launch has no counterpart on a GPU

A launch of the same code with the same arguments is repeated once. Kernels that depend on clocks,
addresses, or the order of atomic operations legitimately differ; therefore differences are only
listed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.lab.gpu.client import gpu
from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram
from nvvm_xdsl.lab.gpu.job import GPUError
from nvvm_xdsl.lab.launches import Launch, Outcome, copied_launch, difference
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.launch import Result
from nvvm_xdsl.simulator.sass.program import SassProgram

MAX_BYTES = 1 << 28
"""Arrays of larger launches are not copied."""

PTX_VERSION = "9.0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--replay`."""
    parser.addoption("--replay", metavar="FOLDER", help="where the outcomes on the GPU are written")


def pytest_configure(config: pytest.Config) -> None:
    """Installs the repetition of every launch of the simulator."""
    folder = config.getoption("--replay")
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    replay = Replay(Path(folder))
    # There is no public hook: `launch` and `sanitize` both end in this method. The package exports a function
    # under the name of this module.
    launching: Any = import_module("nvvm_xdsl.simulator.launch")
    launching._Launch.run = replay.around(launching._Launch.run)


class Replay:
    """Repeats launches on the GPU and records the comparison."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._done: set[bytes] = set()
        self._texts: dict[int, tuple[Any, str]] = {}
        gpu()

    def around(self, run: Callable[[Any], Result]) -> Callable[[Any], Result]:
        """The method `run` of a launch, followed by its repetition on the GPU."""

        def both(this: Any) -> Result:
            before = Launch(
                this.name,
                this.grid,
                this.block,
                tuple(this.args),
                this.shared_bytes,
                dict(this.variables),
                this.cluster if this.cluster != (1, 1, 1) else None,
            )
            observed = this.sanitize or this.watch or this.recorder
            if observed or isinstance(this.program, SassProgram) or _bytes_of(before) > MAX_BYTES:
                return run(this)
            args, order = copied_launch(before)
            result = run(this)
            after = [array.copy() for _, array in copied_launch(before)[1]]
            wanted = Outcome(after, [at for at, _ in order], result.output, result.variables)
            self._repeat(this.program, replace(before, args=tuple(args)), wanted)
            return result

        return both

    def _repeat(self, program: Any, launch: Launch, wanted: Outcome) -> None:
        try:
            ptx = self._ptx(program)
        except (DiagnosticError, NotImplementedError) as error:
            self._write(launch, "refused", str(error))
            return
        key = hashlib.sha256(f"{ptx}{launch.kernel}{launch.grid}{launch.block}".encode())
        for array in copied_launch(launch)[1]:
            key.update(array[1].tobytes())
        if key.digest() in self._done:
            return
        self._done.add(key.digest())
        try:
            made = GPUProgram(ptx, program)
        except GPUError as error:
            self._write(launch, "refused", str(error))
            return
        try:
            found = made.run(launch)
        except SimulationError as error:
            self._write(launch, "skipped", error.message)
        except GPUError as error:
            kind = "skipped" if "not supported" in error.message else "failed"
            self._write(launch, kind, error.message, ptx)
        else:
            found.output, wanted.output = _sorted(found.output), _sorted(wanted.output)
            what = difference(launch, wanted, found)
            self._write(launch, "equal" if what is None else "differs", what or "", ptx)

    def _ptx(self, program: Any) -> str:
        """The PTX of a program, for the GPU of this machine with all features."""
        known = self._texts.get(id(program))
        if known is None:
            arch = gpu().properties.arch + "a"
            module: ModuleOp = program.module
            if any(op.name.startswith("nvptx.") for op in module.ops):
                module = fast.clone(module)
            else:
                module = select(module, arch)
            text = re.sub(r"(?m)^\.target .*$", f".target {arch}", print_ptx(convert(module)))
            text = re.sub(r"(?m)^\.version .*$", f".version {PTX_VERSION}", text)
            # The program is kept alive, so that its `id` is not reused.
            known = self._texts[id(program)] = program, text
        return known[1]

    def _write(self, launch: Launch, kind: str, what: str, ptx: str = "") -> None:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").split(" ")[0]
        row = {"test": test, "kernel": launch.kernel, "outcome": kind, "what": what}
        if kind in ("differs", "failed"):
            name = f"{hashlib.sha256(ptx.encode()).hexdigest()[:12]}.ptx"
            (self._folder / name).write_text(ptx)
            row["ptx"] = name
        with (self._folder / f"replay-{os.getpid()}.jsonl").open("a") as file:
            print(json.dumps(row), file=file)


def _bytes_of(launch: Launch) -> int:
    return sum(a.nbytes for a in launch.args if isinstance(a, np.ndarray))


def _sorted(output: str) -> str:
    """Printed lines, sorted because the order of the threads of a GPU is undefined."""
    return "".join(sorted(output.splitlines(keepends=True)))
