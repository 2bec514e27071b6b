"""Compiles the inline assembly of the installed CUDA headers.

    python -m dev.cuda_header_asm [--arch sm_100a] [--show]

nvcc preprocesses the headers for a GPU. Each statement of inline assembly becomes a function of NVVM IR,
which is compiled and prepared for the simulator. Its PTX is parsed again, and ptxas assembles all
of them. The exit status is 1 if one is rejected, 2 if nvcc or ptxas is missing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import nvvm_xdsl
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import SimulationError, prepare

HEADERS: Final = (
    "cuda_bf16.h",
    "cuda_fp16.h",
    "cuda_fp8.h",
    "cuda_fp6.h",
    "cuda_fp4.h",
    "mma.h",
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "cooperative_groups/memcpy_async.h",
    "cuda_awbarrier.h",
    "cuda_pipeline.h",
)
ARCHITECTURES: Final = ("sm_75", "sm_80", "sm_89", "sm_90", "sm_100a", "sm_120a")

_FILE: Final = re.compile(r'^# \d+ "([^"\n]*)"[^\n]*\n', re.MULTILINE)
_ASM: Final = re.compile(r"\b(?:asm|__asm__|__asm)\s*(?:volatile|__volatile__)?\s*\(")
_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|::|[():,]|[^"():,]+', re.DOTALL)
_TYPES: Final = {"h": "i16", "r": "i32", "l": "i64", "f": "float", "d": "double", "q": "i128"}
_ESCAPES: Final = {"n": "\n", "t": "\t", "\\": "\\", '"': '"'}
_BYTES: Final = re.compile(r"\.reg\s*\.b8\b")
"""Registers of 8 bits, which the nvptx dialect does not have; such PTX is not parsed again."""
_NEWER: Final = " needs sm_"
_IMMEDIATE: Final = 16
"""The value of operands that the header requires to be constants."""


@dataclass(frozen=True)
class Statement:
    """A statement of inline assembly: its text and its constraints, outputs first."""

    text: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]


def of_cuda(source: str) -> str:
    """The parts of preprocessed text that come from CUDA's own headers."""
    pieces = _FILE.split(source)
    files = [Path(name) for name in pieces[1::2]]
    roots = {str(file.parent) for file in files if file.name == HEADERS[0]}
    kept = [text for file, text in zip(files, pieces[2::2]) if str(file).startswith(tuple(roots))]
    return "".join(kept)


def statements(source: str) -> Iterator[Statement]:
    """The statements of preprocessed CUDA C++, each text with the same constraints once."""
    seen: set[Statement] = set()
    for match in _ASM.finditer(source):
        depth = 1
        sections: list[list[str]] = [[]]
        for token in _TOKEN.finditer(source, match.end()):
            word = token[0]
            if word[0] == '"' and depth == 1:
                sections[-1].append(re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), token[1]))
            elif word in "()":
                depth += 1 if word == "(" else -1
                if not depth:
                    break
            elif word in (":", "::") and depth == 1:
                sections += [[] for _ in word]
        template, outputs, inputs = [*sections, [], []][:3]
        found = Statement("".join(template), tuple(outputs), tuple(inputs))
        if found.text and found not in seen:
            seen.add(found)
            yield found


def function(statement: Statement, name: str) -> str:
    """A function of NVVM IR that executes the statement."""
    tied = [i for i, c in enumerate(statement.outputs) if c.startswith("+")]
    letters = [c.lstrip("=+&") for c in statement.outputs]
    results = [_TYPES[letter] for letter in letters]
    parameters: list[str] = []
    arguments: list[str] = []
    constraints = [f"={'&' if '&' in c else ''}{x}" for c, x in zip(statement.outputs, letters)]
    for constraint in statement.inputs:
        if constraint == "n":
            arguments.append(f"i32 {_IMMEDIATE}")
        else:
            parameters.append(_TYPES[constraint])
            arguments.append(f"{parameters[-1]} %a{len(parameters) - 1}")
        constraints.append(constraint)
    for number in tied:
        parameters.append(results[number])
        arguments.append(f"{parameters[-1]} %a{len(parameters) - 1}")
        constraints.append(str(number))
    text = statement.text.replace("$", "$$")
    text = re.sub(r"%(%|\d+)", lambda m: "%" if m[1] == "%" else f"${m[1]}", text)
    text = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}" for c in text)
    result = (
        "void"
        if not results
        else results[0]
        if len(results) == 1
        else f"{{ {', '.join(results)} }}"
    )
    listed = ", ".join(f"{type_} %a{i}" for i, type_ in enumerate(parameters))
    call = f'call {result} asm sideeffect "{text}", "{",".join([*constraints, "~{memory}"])}"({", ".join(arguments)})'
    if result == "void":
        return f"define void @{name}({listed}) {{\n  {call}\n  ret void\n}}\n"
    return f"define {result} @{name}({listed}) {{\n  %r = {call}\n  ret {result} %r\n}}\n"


def preprocessed(arch: str) -> str | None:
    """The headers preprocessed by nvcc for a GPU; None without nvcc or without a header."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return None
    with tempfile.TemporaryDirectory(prefix="nvvm-headers-") as folder:
        source = Path(folder) / "all.cu"
        source.write_text("".join(f"#include <{header}>\n" for header in HEADERS))
        done = subprocess.run(
            [nvcc, "-E", f"-arch={arch}", str(source)], capture_output=True, text=True, check=False
        )
    return of_cuda(done.stdout) if done.returncode == 0 else None


def refused(found: Sequence[Statement], arch: str) -> list[tuple[Statement, str]]:
    """The statements that this compiler or ptxas rejects for a GPU, each with the reason."""
    wrong: list[tuple[Statement, str]] = []
    taken: list[str] = []
    for number, statement in enumerate(found):
        source = function(statement, f"f{number}")
        try:
            ptx = nvvm_xdsl.compile(source, arch=arch, opt_level=0)
        except DiagnosticError as error:
            # Some statements are in templates that no GPU of this kind instantiates.
            if _NEWER not in error.message:
                wrong.append((statement, error.message))
            continue
        taken.append(source)
        try:
            if not _BYTES.search(statement.text):
                machine_code(nvvm_xdsl.parse(ptx, format="ptx"))
            prepare(nvvm_xdsl.parse(source)).function(f"f{number}")
        except (DiagnosticError, SimulationError) as error:
            wrong.append((statement, str(error)))
    ptxas = find_ptxas()
    assert ptxas is not None
    with tempfile.TemporaryDirectory(prefix="nvvm-headers-") as folder:
        path = Path(folder) / "a.ptx"
        path.write_text(nvvm_xdsl.compile("".join(taken), arch=arch, opt_level=0))
        done = subprocess.run(
            [str(ptxas), "-c", f"-arch={arch}", str(path), "-o", str(path.with_suffix(".o"))],
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        wrong.append((Statement("(all)", (), ()), done.stderr.strip()))
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--arch", action="append", help="a GPU; may be repeated; all when left out")
    parser.add_argument("--show", action="store_true", help="print each statement")
    options = parser.parse_args(arguments)
    status = 0
    for arch in options.arch or ARCHITECTURES:
        source = preprocessed(arch)
        if source is None or find_ptxas() is None:
            print("nvcc with CUDA's headers, or ptxas, is not on this machine", file=sys.stderr)
            return 2
        found = list(statements(source))
        if options.show:
            for statement in found:
                print(statement)
        wrong = refused(found, arch)
        print(f"{arch}: {len(found)} statements, {len(wrong)} refused")
        for statement, reason in wrong:
            print(f"  {statement.text.strip()!r}: {reason}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
