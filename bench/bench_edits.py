#!/usr/bin/env python3
"""Measures edit cycles: a run of nvvm-cc, a compilation of `nvvm-cc --watch` without and with cached functions, and llc.

    bench/bench_edits.py [FILE.ll ...] [--functions 100] [--repeat 5]

For each file, and for a generated module before and after the edit of one of its functions, the table shows the processor time
of a process (user and system, minimum of the interleaved runs), its children included. The cache holds the module before the edit; for
other files it is empty. Each function of the generated module has its own array in shared memory.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import generate_module

from nvvm_xdsl.driver.cache import Cache, compiler
from nvvm_xdsl.driver.compile import compile_files
from nvvm_xdsl.driver.files import write_output
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.tools.watch import compiled_in_child

ARCH = "sm_90"
INSTRUCTIONS = 20
"""Approximate number of instructions of a function of the generated module."""

OPTIONS = CompileOptions(arch=ARCH, opt_level=3)


def children_seconds(work: Callable[[], object]) -> float:
    """Processor seconds of the processes that the work started and waited for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return sum(after[:2]) - sum(before[:2])


def generated(functions: int) -> dict[str, str]:
    """A module, and the module with another operation in one function."""
    generate_module.FUNCTION_INSTRUCTIONS = INSTRUCTIONS
    text = with_own_arrays(generate_module.generate(functions * INSTRUCTIONS))
    at = len(text) // 2
    edited = text[:at] + text[at:].replace("= sub i32", "= add i32", 1)
    assert edited != text
    name = f"{text.count('define ')} functions"
    return {name: text, f"{name}, one edited": edited}


def with_own_arrays(text: str) -> str:
    """The module with a copy of the shared array for each function."""
    head, *functions = re.split(r"^(?=define )", text, flags=re.MULTILINE)
    array = next(line for line in head.splitlines() if line.startswith("@buffer"))
    arrays = [array.replace("@buffer", f"@buffer{n}") for n in range(len(functions))]
    bodies = [text.replace("@buffer", f"@buffer{n}") for n, text in enumerate(functions)]
    return head.replace(array, "\n".join(arrays)) + "".join(bodies)


def measure(path: str, before: str | None, repeat: int) -> list[float]:
    """The least processor seconds of nvvm-cc, --watch without and with cache, and llc; no fourth without llc.

    Arguments:
        path: the module.
        before: the text of the module with which the cache was filled; None for an empty cache.
    """
    output = f"{path}.ptx"
    command = [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_cc", path, "-arch", ARCH, "-O3"]

    filled = Cache(f"{path}.filled")
    if before is not None:
        text = Path(path).read_text()
        Path(path).write_text(before)
        compile_files([path], OPTIONS, cache=filled)
        Path(path).write_text(text)

    def compile(cache: Cache | None = None) -> str:
        ptx = compile_files([path], OPTIONS, cache=cache)
        write_output(output, ptx)
        return ptx

    def with_cache() -> str:
        cache = Cache(f"{path}.cache")
        shutil.rmtree(cache.path.parent, ignore_errors=True)
        if before is not None:
            shutil.copytree(filled.path.parent, cache.path.parent)
        return compile(cache)

    ways: list[Callable[[], object]] = [
        lambda: subprocess.run([*command, "-o", output], check=True, stderr=subprocess.DEVNULL),
        lambda: compiled_in_child(compile),
        lambda: compiled_in_child(with_cache),
    ]
    llc, opt = shutil.which("llc-22"), shutil.which("opt-22")
    if llc and opt:
        line = f"{opt} -O3 {path} -o - | {llc} -mcpu={ARCH} -o /dev/null"
        ways.append(lambda: subprocess.run(line, shell=True, check=True, stderr=subprocess.DEVNULL))
    rounds = [[children_seconds(way) for way in ways] for _ in range(repeat)]
    return [min(column) for column in zip(*rounds)]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=["examples/saxpy.ll"])
    parser.add_argument("--functions", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    import nvvm_xdsl.driver.preloaded  # noqa: F401  # pyright: ignore[reportUnusedImport]

    compiler()
    texts = {name: Path(name).read_text() for name in arguments.files}
    texts |= generated(arguments.functions)
    print("| | nvvm-cc | --watch | --watch, cache | opt and llc |")
    print("|---|---|---|---|---|")
    before: str | None = None
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            path = Path(folder) / "module.ll"
            path.write_text(text)
            run, watched, cached, *llvm = measure(str(path), before, arguments.repeat)
            cell = f"{llvm[0]:.2f} s" if llvm else ""
            print(
                f"| {name} | {run:.2f} s | {watched:.3f} s | {cached:.3f} s | {cell} |", flush=True
            )
            before = text if name.endswith("functions") else None


if __name__ == "__main__":
    main()
