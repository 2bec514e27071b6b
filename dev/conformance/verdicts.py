"""Comparison of this compiler with LLVM's or MLIR's tools: which of them accept a module."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dev.conformance.cases import Case
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse, verify
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.lab.compilers.registry import CompilerError, llvm_tool, run_program

SECONDS: Final = 60.0
"""Resource limits of one compilation."""

PASSES, REFUSED, DIFFERS, NOT_ASKED = "passes", "refused", "differs", "not asked"
"""Verdicts: both accept or both reject the module; only this compiler rejects it; ptxas rejects the
PTX, or only MLIR rejects the module; there is no result to compare with."""


@dataclass(frozen=True)
class Verdict:
    """The result for a case, and the reason if it does not pass."""

    kind: str
    reason: str = ""


def refusal_by_others(case: Case) -> str:
    """The reason why `llc` and ptxas, or `mlir-opt`, reject a module; empty if they accept it."""
    try:
        if not case.arch:
            run_program([llvm_tool("mlir-opt"), *case.options, "-", "-o", "/dev/null"], case.text, "mlir-opt")  # fmt: skip
            return ""
        ptx = run_program([llvm_tool("llc"), *llc_options(case), "-o", "-"], case.text, "llc")
    except CompilerError as error:
        return str(error)
    return refusal_by_ptxas(ptx)


def llc_options(case: Case) -> list[str]:
    """Target and level of a case, as options of `llc`."""
    found = [f"-mtriple={case.triple}", f"-mcpu={case.arch}", f"-O{case.level}"]
    return [*found, f"-mattr=+ptx{case.ptx_version}"] if case.ptx_version else found


def refusal_by_ptxas(ptx: str) -> str:
    """The reason why ptxas rejects PTX for its own target; empty if it accepts it."""
    arch = re.search(r"^\.target\s+(\w+)", ptx, re.M)
    ptxas = find_ptxas()
    if ptxas is None or arch is None:
        return "ptxas was not found" if ptxas is None else "the PTX has no target"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "k.ptx")
        source.write_text(ptx)
        # Acceptance does not depend on the level; -c permits functions of other modules.
        command = [ptxas, "-c", "-O0", f"-arch={arch[1]}", source, "-o", Path(folder, "k.cubin")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if not done.returncode:
        return ""
    said = [line for line in (done.stderr + done.stdout).splitlines() if "error" in line or "fatal" in line]  # fmt: skip
    return "ptxas: " + (said[0] if said else f"ended with status {done.returncode}")


def judge(case: Case, others: str) -> Verdict:
    """The verdict for a case that other compilers accept, or reject for the reason `others`."""
    if not case.arch:
        refused = _refusal_of_mlir(case)
        if refused and not others:
            return Verdict(REFUSED, refused)
        return Verdict(DIFFERS, others) if others and not refused else Verdict(PASSES)
    if others:
        return Verdict(NOT_ASKED, others)
    options = CompileOptions(
        case.arch,
        opt_level=case.level,
        ptx_version=case.ptx_version or None,
        time_limit=SECONDS,
        rdc=True,
    )
    try:
        ptx = compile_here(case.text, options=options)
    except Exception as error:
        return Verdict(REFUSED, _told(error))
    refused = refusal_by_ptxas(ptx)
    return Verdict(DIFFERS, refused) if refused else Verdict(PASSES)


def _refusal_of_mlir(case: Case) -> str:
    try:
        verify(parse(case.text, format="mlir"))
    except Exception as error:
        return _told(error)
    return ""


def _told(error: Exception) -> str:
    found = as_diagnostic(error)
    if found is None:
        return repr(error)
    place = f"line {found.line}: " if found.line else ""
    return place + found.message.split("\n", 1)[0]
