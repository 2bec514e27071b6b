"""Runs C programs that check their own results on the simulator, at several levels.

    python -m dev.c_programs FILE_OR_FOLDER... [--host] [--results results.jsonl]

Suites of such programs are GCC's torture tests (SingleSource/Regression/C in LLVM's test suite); the
generators Csmith and YARPGen make random ones. clang compiles a program for nvptx64 without
optimization, prepared for optimization, and optimized. The code of each level runs with one thread.
A program fails if a level calls `abort`, has another exit status than 0, has other output than
another level, or is an error. With `--host` the output must equal that of the program on this machine.

A program that clang rejects, or that exceeds the limits of the simulator, is reported but no failure.
The exit status is 1 if a program fails, 2 if clang is missing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.cuda import find_clang
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import Limits, SimulationError, launch

ARCH: Final = "sm_90"
LIBRARY: Final = Path(__file__).with_name("c_library.c")
FLAGS: Final = ("-w", "-std=gnu89", "-fgnu89-inline", "-nostdlibinc", "-fno-strict-aliasing")
FRONTENDS: Final[dict[str, tuple[str, ...]]] = {
    "O0": ("-O0", "-Xclang", "-disable-O0-optnone"),
    "prepared": ("-O2", "-Xclang", "-disable-llvm-passes"),
    "O2": ("-O2",),
}
"""Options of clang by name."""
LEVELS: Final = (("O0", 0), ("O0", 3), ("O0", 1), ("prepared", 2), ("O2", 3))
"""The compared code: options of clang, and our level."""

KERNEL: Final = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@c_status = external global ptr
declare i32 @main(i32, ptr, ptr)
define ptx_kernel void @c_program(ptr %out) {
  store ptr %out, ptr @c_status
  %status = call i32 @main(i32 0, ptr null, ptr null)
  %done = add i32 %status, 1
  store i32 %done, ptr %out
  ret void
}
"""
"""A kernel that stores the exit status of a program, plus one."""


@dataclass
class Verdict:
    """The result of a program.

    Arguments:
        file: its path.
        kind: `passed`, `failed`, `rejected` (by clang) or `limit`.
        outcomes: the result of each level, if they are not all equal and correct.
    """

    file: str
    kind: str
    outcomes: dict[str, str]


class Rejected(Exception):
    """clang does not compile a program for the target; the text is its first message."""


def assembly(path: Path, flags: Sequence[str], folders: Sequence[str] = ()) -> str:
    """LLVM assembly of a C file for nvptx64. Raises Rejected."""
    command = [find_clang(), "-target", "nvptx64-nvidia-cuda", f"-march={ARCH}", *FLAGS, *flags]
    command += [f"-I{folder}" for folder in folders]
    done = subprocess.run(
        [*command, "-S", "-emit-llvm", str(path), "-o", "-"],
        capture_output=True, text=True, errors="surrogateescape", check=False,
    )  # fmt: skip
    if done.returncode:
        raise Rejected(done.stderr.strip().partition("\n")[0])
    return done.stdout


@cache
def _library() -> str:
    return assembly(LIBRARY, ("-O1", "-fno-builtin"))


def outcome(program: str, level: int, limits: Limits) -> str:
    """The exit status and output of a program, or the error of its compilation or execution."""
    try:
        parts = [
            parse(program, filename="program.ll"),
            parse(_library(), filename="library.ll"),
            parse(KERNEL, filename="kernel.ll"),
        ]
        ptx = compile_modules(parts, CompileOptions(arch=ARCH, opt_level=level))
        status = np.zeros(1, np.int32)
        done = launch(
            convert(parse(ptx, filename="p.ptx")), "c_program", 1, 1, [status], limits=limits
        )
    except SimulationError as error:
        return f"{'limit' if error.kind == 'limit' else 'error'}: {error}"
    except DiagnosticError as error:
        return f"error: {error}"
    return f"status {int(status[0]) - 1}\n{done.output}"


def host_outcome(path: Path, folders: Sequence[str]) -> str:
    """The exit status and output of a program on this machine. Raises Rejected."""
    with tempfile.TemporaryDirectory() as folder:
        binary = f"{folder}/program"
        flags = [flag for flag in FLAGS if flag != "-nostdlibinc"]
        command = [
            find_clang(),
            *flags,
            "-O1",
            *[f"-I{f}" for f in folders],
            str(path),
            "-o",
            binary,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Rejected(done.stderr.strip().partition("\n")[0])
        try:
            ran = subprocess.run([binary], capture_output=True, text=True, check=False, timeout=10)
        except subprocess.TimeoutExpired:
            raise Rejected("the program runs too long on this machine") from None
    return f"status {ran.returncode}\n{ran.stdout}"


def verdict(path: Path, *, host: bool, limits: Limits, folders: Sequence[str] = ()) -> Verdict:
    """Compiles and runs a program."""
    outcomes: dict[str, str] = {}
    try:
        if host:
            outcomes["host"] = host_outcome(path, folders)
        texts = {name: assembly(path, flags, folders) for name, flags in FRONTENDS.items()}
    except Rejected as error:
        return Verdict(str(path), "rejected", {"clang": str(error)})
    for name, level in LEVELS:
        outcomes[f"{name} -O{level}"] = outcome(texts[name], level, limits)
    found = {text for text in outcomes.values() if not text.startswith("limit: ")}
    if len(found) > 1 or not all(text.startswith("status 0\n") for text in found):
        return Verdict(str(path), "failed", outcomes)
    if len(found) == 1 and all(not text.startswith("limit: ") for text in outcomes.values()):
        return Verdict(str(path), "passed", {})
    return Verdict(str(path), "limit", outcomes)


def _files(paths: Sequence[str]) -> Iterator[Path]:
    for path in map(Path, paths):
        yield from sorted(path.rglob("*.c")) if path.is_dir() else [path]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", nargs="+", help="C files and folders of C files", metavar="FILE_OR_FOLDER"
    )
    parser.add_argument("-I", action="append", default=[], dest="folders", help="folder of headers")
    parser.add_argument(
        "--host", action="store_true", help="compare with execution on this machine"
    )
    parser.add_argument("--max-steps", type=int, default=1_000_000, help="limit of executed ops")
    parser.add_argument("--results", help="append the verdicts to a file of JSON lines")
    args = parser.parse_args(argv)
    try:
        find_clang()
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 2
    limits = Limits(steps=args.max_steps, stack=1 << 20)
    counts: dict[str, int] = {}
    for path in _files(args.paths):
        found = verdict(path, host=args.host, limits=limits, folders=args.folders)
        counts[found.kind] = counts.get(found.kind, 0) + 1
        if args.results:
            with open(args.results, "a", encoding="utf-8") as stream:
                stream.write(json.dumps(asdict(found)) + "\n")
        if found.kind == "failed":
            print(f"{path}: failed")
            for name, text in found.outcomes.items():
                print(f"  {name}: {text.strip()[:200]!r}")
    print(", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())) or "no C files")
    return 1 if counts.get("failed") else 0


if __name__ == "__main__":
    sys.exit(main())
