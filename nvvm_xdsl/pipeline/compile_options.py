"""The options of a compilation: names, types and defaults. `option_flags` has their command-line arguments."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from nvvm_xdsl.codegen.float_modes import FloatModes, StatedFloatModes
from nvvm_xdsl.codegen.target_options import (
    DEFAULT_ARCH,
    FAST_MATH,
    JUMP_TABLE_DENSITY,
    MAX_JUMP_TABLE_DENSITY,
)
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.option_flags import DEFAULT_OPT_LEVEL, OPTION_FLAGS

if TYPE_CHECKING:
    import argparse

    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.pipeline.options import PassOptions

UNSTATED_CHIP = "sm_50"
"""The default chip of `#nvvm.target` (MLIR 22, NVVMTargetAttr). ptxas 13 does not assemble it."""

_PTX_FEATURE = re.compile(r"\+ptx(\d+)")
"""LLVM's feature for a PTX version: `+ptx85`."""

LEAST_REGISTERS = 16
"""The minimum number of registers of a thread by the ABI (nvcc, --maxrregcount)."""

MOST_SECONDS = 1e8
"""The maximum time limit: the maximum duration of a timer."""

DebugInfo = Literal["none", "lines", "full"]

OutputFormat = Literal["ptx", "llvm"]
"""The output of a compilation: PTX, or LLVM assembly of the optimized module."""


@dataclass(frozen=True)
class CompileOptions(StatedFloatModes):
    """The options of `nvvm-cc`.

    The value of an option that is None is that of the module's `#nvvm.target` or flag
    `nvvm-reflect-ftz`, else the default.

    Arguments:
        arch: `sm_90`, `compute_90` ...; default: the target of the module (`#nvvm.target`, `target-cpu`), else sm_75.
        opt_level: 0 to 3; default 3.
        ftz, prec_div, prec_sqrt, fmad: as of `FloatModes`.
        ptx_version: the minimum `.version`, times ten; default: the minimum of the target and the
            instructions. The `.version` is never lower than this default.
        passes: the text of a pipeline that replaces the level's, as for `nvvm-opt -p`. It cannot be
            combined with opt_level and fast_compile.
        machine_passes: the pipeline of machine passes, in the same syntax.
        machine_level: the level of the passes over machine code, 0 to 3; default: opt_level, or
            1 for fast_compile `mid` and `min`.
        libdevice: the bitcode that defines the `__nv_` functions; None searches for the toolkit's.
        rdc: relocatable device code: other modules may call the device functions of a program with
            kernels. Otherwise these are internal, and removed if they are unreachable from kernels.
        relaxed_atomics: make sequentially consistent `atomicrmw` and `cmpxchg` without a scope
            relaxed, as CUDA's atomic functions are (`relax-cuda-atomics`). None: only for input in
            CUDA C++.
        maxrregcount: the target number of registers per thread for passes, at least 16; 0 for no
            limit. Kernels with launch bounds have their own limit. The PTX does not contain the
            number: ptxas has an option of the same name.
        jump_table_density: the minimum percentage of a jump table's entries that are cases of the switch, 0
            to 101; 101 for no jump tables.
        emit: the result: `ptx`, or `llvm` for LLVM assembly of the optimized module.
        debug: `lines` for line tables, `full` for all debug information that is kept.
        split_compile: the number of processes that compile functions to machine code; 0 for one per
            processor. The result is the same.
        jobserver: limit the processes to those that the jobserver of GNU make permits.
        time_limit: the maximum duration of a compilation in seconds; None for no limit.
        fast_compile: `max`, `mid` or `min` of -Ofast-compile, which an opt_level of 1 to 3
            overrides; empty for none.
        clang_flags: further options of clang for inputs of CUDA C++, such as `-I` and `-D`.
        pass_options: the text of `-opt`.
    Raises DiagnosticError for invalid values.
    """

    arch: str | None = None
    opt_level: int | None = None
    passes: str | None = None
    machine_passes: str | None = None
    ptx_version: int | None = None
    machine_level: int | None = None
    libdevice: Path | None = None
    rdc: bool = False
    relaxed_atomics: bool | None = None
    maxrregcount: int = 0
    jump_table_density: int = JUMP_TABLE_DENSITY
    emit: OutputFormat = "ptx"
    debug: DebugInfo = "none"
    split_compile: int = 1
    jobserver: bool = False
    time_limit: float | None = None
    fast_compile: str = ""
    clang_flags: tuple[str, ...] = ()
    pass_options: str = ""

    def __post_init__(self) -> None:
        for level in (self.opt_level, self.machine_level):
            if level is not None and level not in range(4):
                raise DiagnosticError(f"optimization level {level} is not 0, 1, 2 or 3")
        if self.arch is not None:
            from nvvm_xdsl.dialects.nvptx.target import Target

            Target.parse(self.arch)
        if self.maxrregcount and self.maxrregcount < LEAST_REGISTERS:
            raise DiagnosticError(
                f"maxrregcount: {self.maxrregcount} registers are too few; the minimum is {LEAST_REGISTERS}"
            )
        if not 0 <= self.jump_table_density <= MAX_JUMP_TABLE_DENSITY:
            raise DiagnosticError(
                f"jump-table-density: {self.jump_table_density} is not between 0 and {MAX_JUMP_TABLE_DENSITY}"
            )
        if self.emit not in get_args(OutputFormat):
            raise DiagnosticError(f"unknown output format '{self.emit}': expected ptx or llvm")
        if self.split_compile < 0:
            raise DiagnosticError(
                f"split-compile: expected a number of processes, got {self.split_compile}"
            )
        if self.passes is not None:
            from nvvm_xdsl.pipeline.levels import select_pipeline

            select_pipeline(self.opt_level, self.fast_compile, self.passes)
        if self.time_limit is not None and not 0 < self.time_limit < MOST_SECONDS:
            raise DiagnosticError(
                f"expected a time limit between 0 and {MOST_SECONDS:g} s, got {self.time_limit:g} s"
            )

    def for_module(self, module: ModuleOp) -> ResolvedOptions:
        """The options with a value for each that is None. Raises DiagnosticError for a bad target."""
        asked = _options_of_module(module)
        stated = {name: value for name, value in vars(self).items() if value is not None}
        if self.passes is not None:
            from nvvm_xdsl.pipeline.levels import level_of

            stated |= level_of(self.passes)
        if self.fast_compile:
            stated.setdefault("opt_level", 0)
        return ResolvedOptions(**{**asked, **stated})


@dataclass(frozen=True)
class ResolvedOptions(FloatModes, CompileOptions):
    """`CompileOptions` for a module: only `libdevice`, `time_limit` and pipelines may be None."""

    arch: str = DEFAULT_ARCH
    opt_level: int = DEFAULT_OPT_LEVEL
    ptx_version: int = 0

    def __post_init__(self) -> None:
        """Omits the checks: the values were checked by `CompileOptions`."""

    @property
    def stated(self) -> PassOptions:
        """The options of `-opt`. Raises DiagnosticError for an unknown name or invalid value."""
        from nvvm_xdsl.pipeline.knobs import parse_opt

        return parse_opt(self.pass_options)

    @cached_property
    def settings(self) -> PassOptions:
        """Settings of `-opt`, and of other options for passes. Raises as `stated`."""
        stated = self.stated
        if self.maxrregcount:
            stated.knobs.setdefault("maxrregcount", str(self.maxrregcount))
        if not self.rdc:
            stated.knobs.setdefault("whole-program-visibility", "1")
        return stated

    @property
    def codegen_level(self) -> int:
        """The level of the passes over machine code."""
        if self.machine_level is not None:
            return self.machine_level
        if not self.opt_level and self.fast_compile in ("mid", "min"):
            return 1
        return self.opt_level


def _options_of_module(module: ModuleOp) -> dict[str, Any]:
    """The options set by the module's flags and its `#nvvm.target`."""
    from xdsl.dialects.builtin import DictionaryAttr

    from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
    from nvvm_xdsl.passes.nvidia.lowering.nvvm_reflect import ftz_flag

    found: dict[str, Any] = {"ftz": True} if ftz_flag(module) else {}
    cpu = stated_cpu(module)
    if cpu is not None:
        found["arch"] = cpu
    target = module.attributes.get(NVVMTargetAttr.name)
    if not isinstance(target, NVVMTargetAttr):
        return found
    if target.chip.data != UNSTATED_CHIP:
        found["arch"] = target.chip.data
    found["opt_level"] = min(target.opt_level.data, DEFAULT_OPT_LEVEL)
    for feature in target.features.data.split(","):
        version = _PTX_FEATURE.fullmatch(feature.strip())
        if version is not None:
            found["ptx_version"] = int(version[1])
    flags = target.flags
    if isinstance(flags, DictionaryAttr):
        if "fast" in flags.data:
            found |= FAST_MATH
        if "ftz" in flags.data:
            found["ftz"] = True
    return found


def stated_cpu(module: ModuleOp) -> str | None:
    """The newest GPU that the `target-cpu` of a kernel names; without kernels, that of any function.

    Returns None if none is named, or only GPUs older than the default, which ptxas 13 does not assemble.
    """
    from xdsl.dialects.llvm import FuncOp

    from nvvm_xdsl.dialects.llvm.function_attributes import string_attribute, target_sm
    from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
    from nvvm_xdsl.ir import fast

    functions = [op for op in fast.ops_of(module.body.block) if isinstance(op, FuncOp)]
    least = int(DEFAULT_ARCH.removeprefix("sm_"))
    found = max(
        ((sm, op) for op in functions if is_kernel(op) and (sm := target_sm(op)) is not None),
        key=lambda pair: pair[0],
        default=None,
    )
    if found is None or found[0] < least:
        return None
    return (string_attribute(found[1], "target-cpu") or "").replace("compute_", "sm_")


def arch_for(module: ModuleOp, arch: str | None, remark: Callable[[str], None]) -> str:
    """The architecture for a module: that of the command line, else the module's, else the default.

    Arguments:
        remark: is called with the reason if the module's architecture differs from the default.
    """
    from xdsl.dialects.builtin import StringAttr

    if arch is not None:
        return arch
    machine = module.attributes.get("nvptx.target")
    if isinstance(machine, StringAttr):
        # PTX contains its target.
        return machine.data.partition(",")[0]
    found = _options_of_module(module).get("arch", DEFAULT_ARCH)
    if found != DEFAULT_ARCH:
        remark(f"compiling for {found}, the target of the module; -arch selects another one")
    return found


def options_of(arguments: argparse.Namespace) -> CompileOptions:
    """The options of a command line. Raises DiagnosticError for invalid values."""
    from nvvm_xdsl.pipeline.levels import fast_compile_level

    stated = {
        name: value for name in OPTION_FLAGS if (value := getattr(arguments, name)) is not None
    }
    if "clang_flags" in stated:
        stated["clang_flags"] = tuple(stated["clang_flags"])
    stated["fast_compile"] = fast_compile_level(arguments.fast_compile)
    stated["pass_options"] = " ".join(arguments.pass_options)
    return CompileOptions(**stated)
