"""Confirmation of possible races: the launch of a witness is run on the simulator."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.cfg import function_body
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    integer_width,
    symbol_name,
    wrapped_type,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.lab.races.barriers import is_grid_barrier, with_block_barriers
from nvvm_xdsl.lab.races.verify import Finding, Witness
from nvvm_xdsl.simulator import Limits, sanitize
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution.sanitizer import Report

MOST_THREADS: Final = 1 << 17
"""Maximum number of threads of a launch that is run."""

BUFFER: Final = 1 << 18
"""Size in bytes of the array of each pointer parameter."""

DYNAMIC_BYTES: Final = 16384
"""Bytes of dynamic shared memory."""

STEPS: Final = 100_000

RISE: Final = 40
"""Difference between elements of successive arrays that are filled with rising numbers."""


class Confirmation:
    """Runs launches of a kernel.

    Attributes:
        reports: reports of the launch that confirmed an error.
    """

    def __init__(self, module: ModuleOp, kernel: Operation) -> None:
        self.module = module
        self.kernel = kernel
        self.layout = DataLayout.of(module)
        self.reports: list[Report] = []
        self._linked: ModuleOp | None = None

    def linked(self) -> ModuleOp:
        """The module with barriers of a block in place of those of a launch, and with the functions of
        libdevice that it calls, if libdevice was found."""
        if self._linked is None:
            library = find_libdevice()
            copy = with_block_barriers(self.module)
            self._linked = copy if library is None else link_libdevice(copy, library)
        return self._linked

    def __call__(self, finding: Finding) -> bool:
        """Whether the simulator reports a race, or a barrier that not all threads reach."""
        witness = finding.witness
        if witness is None or prod(witness.grid) * prod(witness.block) > MOST_THREADS:
            return False
        if finding.roots is not None and finding.roots[0] != finding.roots[1]:
            return False
        wanted = "race" if finding.kind == "race" else "sync"
        if prod(witness.grid) > 1 and any(map(is_grid_barrier, self.kernel.walk())):
            return False
        for arguments in self.arguments(witness):
            try:
                result = sanitize(
                    self.linked(),
                    symbol_name(self.kernel),
                    witness.grid,
                    witness.block,
                    arguments,
                    shared_bytes=DYNAMIC_BYTES,
                    checks=(wanted,),
                    limits=Limits(steps=STEPS),
                )
            except SimulationError:
                continue
            self.reports = [report for report in result.reports if report.kind == wanted]
            if self.reports:
                return True
        return False

    def arguments(self, witness: Witness) -> Iterator[list[Any]]:
        """Arguments of the witness with several contents of the arrays."""
        random = np.random.default_rng(0)
        for fill in ("zero", "count", "rising", "hub", "down", "random"):
            values: list[Any] = []
            arrays = 0
            for at, argument in enumerate(function_body(self.kernel).blocks[0].args):
                name = argument.name_hint or f"argument {at}"
                attributes = argument_attributes(self.kernel, at)
                by_value = attributes.get("llvm.byval")
                if by_value is not None:
                    values.append(self.struct(wrapped_type(by_value)))
                elif isinstance(argument.type, LLVMPointerType):
                    values.append(_array(fill, arrays, random))
                    arrays += 1
                else:
                    values.append(_scalar(argument.type, witness.arguments.get(name, 0)))
            yield values

    def struct(self, type_: Attribute) -> Any:
        """A struct or array by value, with arrays for its pointers."""
        if isinstance(type_, LLVMPointerType):
            return np.zeros(BUFFER, np.uint8)
        if isinstance(type_, LLVMStructType):
            return tuple(self.struct(field) for field in type_.types.data)
        if isinstance(type_, LLVMArrayType):
            return tuple(self.struct(type_.type) for _ in range(type_.size.data))
        return 0


def _array(fill: str, at: int, random: np.random.Generator) -> Any:
    """The contents of an array, which may be an index of the next one, as in sparse matrices and graphs.

    With `rising`, each row has one entry, with a number greater than that of the row. With `hub`, the
    entries of all rows are the same.

    Arguments:
        at: number of the array in the order of parameters.
    """
    if fill == "zero":
        return np.zeros(BUFFER, np.uint8)
    if fill == "hub" and at:
        return np.full(BUFFER // 4, RISE * at, np.int32)
    if fill in ("count", "hub"):
        return np.arange(BUFFER // 4, dtype=np.int32)
    if fill == "rising":
        return np.arange(BUFFER // 4, dtype=np.int32) + RISE * at
    if fill == "down":
        return np.arange(BUFFER // 4, 0, -1, dtype=np.int32)
    return random.integers(-50, 50, BUFFER // 4, dtype=np.int32)


def _scalar(type_: Attribute, value: int) -> Any:
    return value if integer_width(type_) else 1.0
