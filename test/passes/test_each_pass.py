"""Runs every registered pass over IR alone on every example kernel.

The pass must leave valid IR with NumPy's results that ptxas accepts. It must report its changes, and an
idempotent pass must change nothing in a second run. A pass is included by its row in `passes.PASSES`.
(`lab/random_kernels/test_random_kernels.py` does the same on random kernels.)
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from helpers.assembling import assemble
from helpers.scale import SCALE, chosen
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from dev.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.driver.toolkit import find_libdevice, find_ptxas
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.fingerprint import Fingerprints
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

DIRECTORY = Path(__file__).parents[2] / "examples"

NAMES = [name for name in PASSES if not PASSES[name].startswith("machine.")]

SUFFIXES = (".O0.ll", ".ll") if SCALE > 1 else (".O0.ll",)
"""By default only unoptimized modules are tried, on which most passes have an effect; those with libdevice,
which are large, by only some of the passes. For some pairs a report of no change is not verified, and ptxas
does not run.
"""

FILES = [f"{name}{suffix}" for name in sorted(EXAMPLES) for suffix in SUFFIXES]


@cache
def example(file: str) -> ModuleOp:
    """Returns an example's module, with libdevice if it is needed."""
    module = read_ll((DIRECTORY / file).read_text(), file)
    if needs_libdevice(file):
        path = find_libdevice()
        if path is None:
            pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
        module = link_libdevice(module, path) or module
    intern_types(module)
    return module


@cache
def fingerprints(file: str) -> Fingerprints:
    return Fingerprints()


@cache
def good(file: str) -> set[int]:
    """Fingerprints of modules that are known to compute the same as the example: passes often agree."""
    return {fingerprints(file).of(example(file))}


def needs_libdevice(file: str) -> bool:
    return any(launch.libdevice for launch in launches_of(file.split(".")[0]))


PAIRS = [
    (name, file)
    for name in NAMES
    for file in FILES
    if chosen(f"{name} {file}", 20 if needs_libdevice(file) else 4)
]


def test_covered_passes_find_nothing():
    pairs = [(name, by) for name in NAMES for by in pass_class(name).covered_by]
    found: Counter[str] = Counter()
    for file in FILES:
        module = fast.clone(example(file))
        pass_class("sroa")().run(module, AnalysisManager())
        for name, covering in pairs:
            found[name] += pass_class(name)().run(fast.clone(module), AnalysisManager())
            after = fast.clone(module)
            pass_class(covering)().run(after, AnalysisManager())
            assert not pass_class(name)().run(after, AnalysisManager()), (name, covering, file)
    assert all(found[name] for name, _ in pairs), "the modules contain nothing for the pass"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "file"), PAIRS)
def test_alone(name: str, file: str):
    original = example(file)
    module = fast.clone(original)
    one = pass_class(name)()
    says_changed = one.run(module, AnalysisManager())
    if not says_changed and not chosen(f"{name} {file}", 3):
        return
    of = fingerprints(file).of
    before, after = of(original), of(module)
    assert before in good(file), "the module that tests share was changed"
    assert says_changed or after == before, "changed the module without reporting it"
    if one.idempotent and after != before:
        assert not one.run(module, AnalysisManager()), "reports another change"
        assert of(module) == after, "changes the module again"
    if after in good(file):
        return
    verify_ops(module)
    verify_module(module)
    program = prepare(module)
    for launch in launches_of(file.split(".")[0]):
        wrong = launch.wrong(run(program, launch.launch))
        assert wrong is None, f"@{launch.launch.kernel}: {wrong}"
    if find_ptxas() is not None and chosen(f"{name} {file}", 8):
        assemble(nvvm_xdsl.compile(module, arch="sm_90", opt_level=0), "sm_90")
    good(file).add(after)
