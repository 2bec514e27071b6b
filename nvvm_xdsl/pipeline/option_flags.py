"""The command-line arguments for the options of a compilation.

`--help` and `--version` import this module but not `compile_options`, because creating dataclasses
would triple their time.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH, JUMP_TABLE_DENSITY, MODES

DEFAULT_OPT_LEVEL = 3

LEVEL_HELP = (
    "run the pipeline nvopt<O0>: only the passes required for correct PTX",
    "run nvopt<O1;short>, which takes about half of the time of -O3",
    "run nvopt<O2>",
    "run nvopt<O3>",
)
"""Help of `-O0` to `-O3`."""


ARCH_DEFAULT = f"default: the target of the module, otherwise {DEFAULT_ARCH}"
"""The end of the help of `-arch` in every tool."""


class Flag(NamedTuple):
    """A command-line argument of `nvvm-cc`.

    Arguments:
        names: its spellings.
        keywords: as of `ArgumentParser.add_argument`.
    """

    names: tuple[str, ...]
    keywords: dict[str, Any]


def _flag(*names: str, **keywords: Any) -> Flag:
    return Flag(names, keywords)


_BOOLEANS = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}


def _boolean(text: str) -> bool:
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise argparse.ArgumentTypeError(f"expected 0 or 1, got '{text}'")
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


def _mode_flag(name: str) -> Flag:
    mode = MODES[name]
    text = f"{mode.effect} (default {int(mode.default)})"
    return _flag("-" + name.replace("_", "-"), type=_boolean, metavar="0|1", help=text)


def _clang_flag(short: str, long: str, spelled: str | None = None, **keywords: Any) -> Flag:
    """An option for CUDA C++, whose value becomes an option of clang with the prefix `spelled`."""
    prefix = short if spelled is None else spelled

    def joined(value: str) -> str:
        return prefix + value

    keywords["help"] = "for .cu inputs: " + keywords["help"]
    return _flag(short, long, action="append", type=joined, **keywords)


OPTION_FLAGS: dict[str, tuple[Flag, ...]] = {
    "arch": (
        _flag(
            "-arch", "--arch", metavar="ARCH", help=f"sm_90, compute_90, sm_90a ...; {ARCH_DEFAULT}"
        ),
    ),
    "opt_level": _LEVELS,
    "passes": (
        _flag(
            "-p",
            "-passes",
            "--passes",
            metavar="PASSES",
            help="pipeline that replaces the one of the level, in the syntax of nvvm-opt -p",
        ),
    ),
    "machine_passes": (
        _flag(
            "--machine-passes",
            metavar="PASSES",
            help="machine pipeline that replaces the one of the level, in the same syntax",
        ),
    ),
    "libdevice": (
        _flag(
            "--libdevice",
            type=Path,
            metavar="PATH",
            help="bitcode that defines the __nv_ functions; default: from the cuda extra, then from CUDA_HOME",
        ),
    ),
    "rdc": (
        _flag(
            "-rdc",
            "--relocatable-device-code",
            type=_boolean,
            metavar="true|false",
            help="relocatable device code: other modules may call the device functions of a program "
            "with kernels (default false)",
        ),
    ),
    "relaxed_atomics": (
        _flag(
            "-relaxed-atomics",
            "--relaxed-atomics",
            type=_boolean,
            metavar="0|1",
            help="make seq_cst atomicrmw and cmpxchg of system scope relaxed: CUDA's atomic functions are "
            "relaxed, but clang up to 22 translates them to seq_cst (default 0)",
        ),
    ),
    "maxrregcount": (
        _flag(
            "-maxrregcount",
            "--maxrregcount",
            type=int,
            metavar="N",
            help="maximum number of registers per thread that passes assume in kernels without launch bounds (default 0: "
            "no limit); PTX does not contain the limit, so pass the option to ptxas as well",
        ),
    ),
    "jump_table_density": (
        _flag(
            "-jump-table-density",
            "--jump-table-density",
            "-jtd",
            type=int,
            metavar="PERCENT",
            help="minimum percentage of the entries of a jump table that are cases of the switch; 101 disables jump tables "
            f"(default {JUMP_TABLE_DENSITY})",
        ),
    ),
    "clang_flags": (
        _clang_flag("-I", "--include-path", metavar="DIR", help="search DIR for headers"),
        _clang_flag("-D", "--define-macro", metavar="NAME[=TEXT]", help="define a macro"),
        _clang_flag("-U", "--undefine-macro", metavar="NAME", help="undefine a macro"),
        _clang_flag(
            "-std",
            "--std",
            "-std=",
            metavar="STD",
            help="version of C++: c++14, c++17 (default), c++20 ...",
        ),
        _clang_flag(
            "-Xcompiler", "--compiler-options", "", metavar="FLAG", help="pass FLAG to clang"
        ),
    ),
    "emit": (
        _flag(
            "-emit-llvm",
            "--emit-llvm",
            action="store_const",
            const="llvm",
            help="write the optimized module as LLVM assembly, or bitcode where OUT ends in .bc",
        ),
    ),
    "debug": (
        _flag(
            "-g",
            action="store_const",
            const="full",
            help="generate debug information: line tables, functions, types and variables; most "
            "complete at -O0 (docs/debug-information.md)",
        ),
        _flag(
            "-generate-line-info",
            "-lineinfo",
            "--generate-line-info",
            action="store_const",
            const="lines",
            help="generate line tables, including inlined calls",
        ),
    ),
    "split_compile": (
        _flag(
            "-split-compile",
            "--threads",
            type=int,
            metavar="N",
            help="generate code for functions in N processes; 0: one per processor (default 1); the "
            "output does not depend on N",
        ),
    ),
    "jobserver": (
        _flag(
            "-jobserver",
            action="store_true",
            help="use only as many processes as GNU make's jobserver allows",
        ),
    ),
    "time_limit": (
        _flag(
            "--time-limit",
            type=float,
            metavar="SECONDS",
            help="time limit of the compilation in seconds (default: none)",
        ),
    ),
    **{name: (_mode_flag(name),) for name in MODES},
}
"""The arguments of `nvvm-cc` by the field of `CompileOptions` that they set."""


def add_clang_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for CUDA C++, whose values are stored as the list `clang_flags`."""
    for flag in OPTION_FLAGS["clang_flags"]:
        parser.add_argument(*flag.names, dest="clang_flags", default=[], **flag.keywords)


def add_option_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for all options except those of `command_line.add_fast_compile_arguments`.

    An option that is not given is None.
    """
    for name, flags in OPTION_FLAGS.items():
        for flag in flags:
            parser.add_argument(*flag.names, dest=name, default=None, **flag.keywords)
