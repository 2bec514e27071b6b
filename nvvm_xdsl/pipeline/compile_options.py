"""The options of a compilation in one table: name, type, default, and the arguments of `nvvm-cc`."""

from __future__ import annotations

import argparse
import re
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from nvvm_xdsl.codegen.target_options import (
    DEFAULT_ARCH,
    FAST_MATH,
    MODES,
    FloatModes,
    StatedFloatModes,
)
from nvvm_xdsl.ir.diagnostics import DiagnosticError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.pipeline.options import PassOptions

DEFAULT_OPT_LEVEL = 3

UNSTATED_CHIP = "sm_50"
"""The chip of a `#nvvm.target` that names none (MLIR 22, NVVMTargetAttr). ptxas 13 does not assemble it."""

_PTX_FEATURE = re.compile(r"\+ptx(\d+)")
"""LLVM's feature for a PTX version: `+ptx85`."""

LEAST_REGISTERS = 16
"""Registers that a thread has at least, by the ABI (nvcc, --maxrregcount)."""

MOST_SECONDS = 1e8
"""The longest time limit: no timer runs for longer."""

LEVEL_HELP = (
    "run the pipeline nvopt<O0>: only what correct PTX needs",
    "run nvopt<O1>",
    "run nvopt<O2>",
    "run nvopt<O3>",
)
"""Help of `-O0` to `-O3`."""

DebugInfo = Literal["none", "lines", "full"]

OutputFormat = Literal["ptx", "llvm"]
"""The output of a compilation: PTX, or LLVM assembly of the optimized module."""


class Flag(NamedTuple):
    """A command-line argument of `nvvm-cc` that states an option.

    Arguments:
        names: its spellings.
        keywords: as of `ArgumentParser.add_argument`.
    """

    names: tuple[str, ...]
    keywords: dict[str, Any]


def _flag(*names: str, **keywords: Any) -> Flag:
    return Flag(names, keywords)


def _stated_by(*flags: Flag) -> dict[str, tuple[Flag, ...]]:
    """Metadata of a field: the arguments that state the option."""
    return {"flags": flags}


_BOOLEANS = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}


def _boolean(text: str) -> bool:
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise argparse.ArgumentTypeError(f"'{text}' is neither 0 nor 1")
    return value


_LEVELS = tuple(
    _flag(
        f"-O{level}",
        action="store_const",
        const=level,
        help=text + (" (default)" if level == DEFAULT_OPT_LEVEL else ""),
    )
    for level, text in enumerate(LEVEL_HELP)
)


@dataclass(frozen=True)
class CompileOptions(StatedFloatModes):
    """The options of `nvvm-cc`.

    An option that is None is taken from the module's `#nvvm.target` and its flag `nvvm-reflect-ftz`, else
    from the default.

    Arguments:
        arch: `sm_90`, `compute_90` ...; default sm_75.
        opt_level: 0 to 3; default 3.
        ftz, prec_div, prec_sqrt, fmad: as of `FloatModes`.
        ptx_version: the least `.version`, times ten; default: the least that the target and the
            instructions need. It is never lower than that.
        passes: the text of a pipeline that optimizes the module instead of the level's, as `nvvm-opt -p`
            takes it. It excludes opt_level and fast_compile.
        machine_passes: the same for the passes over machine code.
        machine_level: the level of the passes over machine code, 0 to 3; default: opt_level, or
            1 for fast_compile `mid` and `min`.
        libdevice: the bitcode that defines the `__nv_` functions; None searches for the toolkit's.
        rdc: relocatable device code: other modules may call the device functions of a program with
            kernels. Otherwise they are internal, and dropped if no kernel reaches them.
        relaxed_atomics: sequentially consistent `atomicrmw` and `cmpxchg` without a scope are relaxed, as CUDA's
            atomic functions are (`relax-cuda-atomics`).
        maxrregcount: registers of a thread that passes aim at: at least 16; 0 for no limit. Kernels with
            launch bounds have their own limit. PTX does not contain it: ptxas has an option of the same name.
        emit: the result: `ptx`, or `llvm` for LLVM assembly of the optimized module.
        debug: `lines` for line tables, `full` for all debug information that is kept.
        split_compile: the number of processes that compile functions to machine code; 0 for one per
            processor. The result is the same.
        jobserver: take no more processes than the jobserver of GNU make allows.
        time_limit: the most seconds that a compilation may take; None for no limit.
        fast_compile: `max`, `mid` or `min` of -Ofast-compile, which an opt_level of 1 to 3
            overrides; empty for none.
        pass_options: the text of `-opt`.
    Raises DiagnosticError for values that do not exist.
    """

    arch: str | None = field(
        default=None,
        metadata=_stated_by(
            _flag(
                "-arch",
                "--arch",
                metavar="ARCH",
                help="sm_90, compute_90, sm_90a ...; default: what a gpu.module asks for, else sm_75",
            ),
        ),
    )
    opt_level: int | None = field(default=None, metadata=_stated_by(*_LEVELS))
    passes: str | None = field(
        default=None,
        metadata=_stated_by(
            _flag(
                "-p",
                "-passes",
                "--passes",
                metavar="PASSES",
                help="the pipeline that optimizes, in place of the level's, as nvvm-opt -p has it",
            ),
        ),
    )
    machine_passes: str | None = field(
        default=None,
        metadata=_stated_by(
            _flag(
                "--machine-passes",
                metavar="PASSES",
                help="the same for the passes over machine code",
            ),
        ),
    )
    ptx_version: int | None = None
    machine_level: int | None = None
    libdevice: Path | None = field(
        default=None,
        metadata=_stated_by(
            _flag(
                "--libdevice",
                type=Path,
                metavar="PATH",
                help="bitcode to take __nv_ functions from; default: the cuda extra's, then CUDA_HOME's",
            ),
        ),
    )
    rdc: bool = field(
        default=False,
        metadata=_stated_by(
            _flag(
                "-rdc",
                "--relocatable-device-code",
                type=_boolean,
                metavar="true|false",
                help="keep the device functions of a program with kernels for other modules to call "
                "(default false)",
            ),
        ),
    )
    relaxed_atomics: bool = field(
        default=False,
        metadata=_stated_by(
            _flag(
                "-relaxed-atomics",
                "--relaxed-atomics",
                type=_boolean,
                metavar="0|1",
                help="make seq_cst atomicrmw and cmpxchg without a scope relaxed, as CUDA's atomic "
                "functions are: clang up to 22 translates these to seq_cst (default 0)",
            ),
        ),
    )
    maxrregcount: int = field(
        default=0,
        metadata=_stated_by(
            _flag(
                "-maxrregcount",
                "--maxrregcount",
                type=int,
                metavar="N",
                help="registers that passes keep a thread to where they can, and kernels state no launch "
                "bounds; to be given to ptxas as well (default 0: no limit)",
            ),
        ),
    )
    emit: OutputFormat = field(
        default="ptx",
        metadata=_stated_by(
            _flag(
                "-emit-llvm",
                "--emit-llvm",
                action="store_const",
                const="llvm",
                help="write the optimized module as LLVM assembly, or bitcode where OUT ends in .bc",
            ),
        ),
    )
    debug: DebugInfo = field(
        default="none",
        metadata=_stated_by(
            _flag(
                "-g",
                action="store_const",
                const="full",
                help="debug information: line tables, functions, types and variables "
                "(docs/debug-information.md); fullest with -O0",
            ),
            _flag(
                "-generate-line-info",
                action="store_const",
                const="lines",
                help="line tables, with what was inlined where",
            ),
        ),
    )
    split_compile: int = field(
        default=1,
        metadata=_stated_by(
            _flag(
                "-split-compile",
                "--threads",
                type=int,
                metavar="N",
                help="make machine code of the functions in N processes; 0: as many as processors "
                "(default 1). The PTX is the same",
            ),
        ),
    )
    jobserver: bool = field(
        default=False,
        metadata=_stated_by(
            _flag(
                "-jobserver",
                action="store_true",
                help="take no more processes than GNU make's jobserver allows",
            ),
        ),
    )
    time_limit: float | None = field(
        default=None,
        metadata=_stated_by(
            _flag(
                "--time-limit",
                type=float,
                metavar="SECONDS",
                help="give up a compilation that takes longer",
            ),
        ),
    )
    fast_compile: str = ""
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
                f"maxrregcount: {self.maxrregcount} registers are too few, {LEAST_REGISTERS} the least"
            )
        if self.emit not in get_args(OutputFormat):
            raise DiagnosticError(f"there is no output format '{self.emit}': ptx or llvm")
        if self.split_compile < 0:
            raise DiagnosticError(f"split-compile: {self.split_compile} is no number of processes")
        if self.passes is not None:
            from nvvm_xdsl.pipeline.levels import select_pipeline

            select_pipeline(self.opt_level, self.fast_compile, self.passes)
        if self.time_limit is not None and not 0 < self.time_limit < MOST_SECONDS:
            raise DiagnosticError(f"a time limit of {self.time_limit:g} s is not possible")

    def for_module(self, module: ModuleOp) -> ResolvedOptions:
        """The options with a value for each that is None. Raises DiagnosticError for a bad target."""
        asked = _asked_for(module)
        stated = {name: value for name, value in vars(self).items() if value is not None}
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
        """The values were checked when they were stated."""

    @property
    def stated(self) -> PassOptions:
        """The options of `-opt`. Raises DiagnosticError for a name or value that does not exist."""
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


def _asked_for(module: ModuleOp) -> dict[str, Any]:
    """The options that the module's flags and its `#nvvm.target` state."""
    from xdsl.dialects.builtin import DictionaryAttr

    from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
    from nvvm_xdsl.passes.nvidia.lowering.nvvm_reflect import ftz_flag

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


# The command line


def _flags_of(option: Field[Any]) -> tuple[Flag, ...]:
    mode = MODES.get(option.name)
    if mode is None:
        return option.metadata.get("flags", ())
    text = f"{mode.effect} (default {int(mode.default)})"
    name = "-" + option.name.replace("_", "-")
    return (_flag(name, type=_boolean, metavar="0|1", help=text),)


def add_option_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that state options, but for those of `command_line.add_fast_compile_arguments`."""
    for option in sorted(fields(CompileOptions), key=lambda option: option.name in MODES):
        for flag in _flags_of(option):
            parser.add_argument(
                *flag.names, dest=option.name, default=option.default, **flag.keywords
            )


def options_of(arguments: argparse.Namespace) -> CompileOptions:
    """The options that a command line states. Raises DiagnosticError for values that do not exist."""
    from nvvm_xdsl.pipeline.levels import fast_compile_level

    stated = {
        option.name: getattr(arguments, option.name)
        for option in fields(CompileOptions)
        if hasattr(arguments, option.name)
    }
    stated["fast_compile"] = fast_compile_level(arguments.fast_compile)
    stated["pass_options"] = " ".join(arguments.pass_options)
    return CompileOptions(**stated)
