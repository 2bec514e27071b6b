"""Options of one compilation."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.pipeline.options import PassOptions

DEFAULT_ARCH = "sm_75"
"""The architecture when none is stated: the lowest that CUDA 13's ptxas assembles."""

DEFAULT_OPT_LEVEL = 3

UNSTATED_CHIP = "sm_50"
"""The chip of a `#nvvm.target` that names none (MLIR 22, NVVMTargetAttr); PTX has gone past it."""

FAST_MATH = {"ftz": True, "prec_div": False, "prec_sqrt": False, "fmad": True}
"""What `flags = {fast}` stands for: nvcc's -use_fast_math."""

_PTX_FEATURE = re.compile(r"\+ptx(\d+)")
"""LLVM's feature for a PTX version: `+ptx85`."""

LEAST_REGISTERS = 16
"""Of a thread, by the ABI (nvcc, --maxrregcount)."""

MOST_SECONDS = 1e8
"""No timer runs for longer."""

DebugInfo = Literal["none", "lines", "full"]

OutputFormat = Literal["ptx", "llvm"]
"""What a compilation makes: PTX, or LLVM assembly of the optimized module."""


@dataclass(frozen=True)
class CompileOptions:
    """The options of `nvvm-cc`; the floating-point ones have libNVVM's names and defaults.

    What is None is taken from the module's `#nvvm.target` and its flag `nvvm-reflect-ftz`, else
    from the default.

    Arguments:
        arch: `sm_90`, `compute_90` ...; default sm_75.
        opt_level: 0 to 3; default 3.
        ftz: flush single-precision denormals to zero; default False.
        prec_div, prec_sqrt: IEEE-rounded single-precision division and square root; default True.
        fmad: contract a multiplication and an addition into one fma; default True.
        libdevice: the bitcode to take `__nv_` functions from; None looks for the toolkit's.
        debug: `lines` for line tables, `full` for all debug information that is kept.
        ptx_version: the least `.version`, times ten; default: what the target and the
            instructions need. It is never lower than that.
        fast_compile: `max`, `mid` or `min` of -Ofast-compile, which an opt_level of 1 to 3
            overrides; empty for none.
        pass_options: the text of `-opt`.
        machine_level: the level of the passes over machine code, 0 to 3; default: opt_level, or
            1 for fast_compile `mid` and `min`.
        split_compile: how many processes make machine code of the functions, side by side; 0 for as
            many as there are processors. The result is the same.
        jobserver: take no more processes than the jobserver of GNU make allows.
        time_limit: the most seconds that a compilation may take; None for no limit.
        maxrregcount: registers that a thread may take, which passes keep to where they can: at least 16;
            0 for no limit. Kernels that state launch bounds have their own. PTX does not say it:
            ptxas is told by its option of the same name, as nvcc does.
        rdc: relocatable device code: other modules may call the device functions of a program with
            kernels. Else they are its own, and dropped where no kernel reaches them.
        emit: what is made of the optimized module: `ptx`, or `llvm` for LLVM assembly.
        passes: the text of a pipeline that optimizes the module in place of the level's, as nvvm-opt's
            `-p` has it.
        machine_passes: the same for the passes over machine code.
    Raises DiagnosticError for values that do not exist.
    """

    arch: str | None = None
    opt_level: int | None = None
    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fmad: bool | None = None
    libdevice: Path | None = None
    debug: DebugInfo = "none"
    ptx_version: int | None = None
    fast_compile: str = ""
    pass_options: str = ""
    machine_level: int | None = None
    split_compile: int = 1
    jobserver: bool = False
    time_limit: float | None = None
    maxrregcount: int = 0
    rdc: bool = False
    emit: OutputFormat = "ptx"
    passes: str | None = None
    machine_passes: str | None = None

    def __post_init__(self) -> None:
        for level in (self.opt_level, self.machine_level):
            if level is not None and level not in range(4):
                raise DiagnosticError(f"optimization level {level} is not 0, 1, 2 or 3")
        if self.arch is not None:
            Target.parse(self.arch)
        if self.maxrregcount and self.maxrregcount < LEAST_REGISTERS:
            raise DiagnosticError(
                f"maxrregcount: {self.maxrregcount} registers are too few, {LEAST_REGISTERS} the least"
            )
        if self.emit not in get_args(OutputFormat):
            raise DiagnosticError(f"there is no output format '{self.emit}': ptx or llvm")
        if self.split_compile < 0:
            raise DiagnosticError(f"split-compile: {self.split_compile} is no number of processes")
        if self.time_limit is not None and not 0 < self.time_limit < MOST_SECONDS:
            raise DiagnosticError(f"a time limit of {self.time_limit:g} s is not possible")

    def for_module(self, module: ModuleOp) -> ResolvedOptions:
        """All options, those that are None filled in. Raises DiagnosticError for a bad target."""
        asked = _asked_for(module)
        stated = {name: value for name, value in vars(self).items() if value is not None}
        if self.fast_compile:
            stated.setdefault("opt_level", 0)
        return ResolvedOptions(**{**asked, **stated})


@dataclass(frozen=True)
class ResolvedOptions:
    """`CompileOptions` with nothing left open but the place of libdevice."""

    arch: str = DEFAULT_ARCH
    opt_level: int = DEFAULT_OPT_LEVEL
    ftz: bool = False
    prec_div: bool = True
    prec_sqrt: bool = True
    fmad: bool = True
    libdevice: Path | None = None
    debug: DebugInfo = "none"
    ptx_version: int = 0
    fast_compile: str = ""
    pass_options: str = ""
    machine_level: int | None = None
    split_compile: int = 1
    jobserver: bool = False
    time_limit: float | None = None
    maxrregcount: int = 0
    rdc: bool = False
    emit: OutputFormat = "ptx"
    passes: str | None = None
    machine_passes: str | None = None

    @property
    def stated(self) -> PassOptions:
        """What `-opt` states. Raises DiagnosticError for a name or value that does not exist."""
        return parse_opt(self.pass_options)

    @cached_property
    def settings(self) -> PassOptions:
        """What `-opt` states, and what other options are to passes. Raises as `stated`."""
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


def _asked_for(module: ModuleOp) -> dict[str, Any]:
    """What the module's flags and its `#nvvm.target` say."""
    from nvvm_xdsl.passes.nvidia.nvvm_reflect import ftz_flag

    found: dict[str, Any] = {"ftz": True} if ftz_flag(module) else {}
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
