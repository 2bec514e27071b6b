"""Random kernels are valid, and passes and selection preserve their behaviour."""

from __future__ import annotations

import re

import pytest
from helpers.scale import SCALE
from helpers.verified import verify
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.lab.behaviour import baseline
from nvvm_xdsl.lab.fuzz import Options, fuzz, ir_passes, pass_variants, try_seed
from nvvm_xdsl.lab.random_kernels import random_kernel, random_kernel_text, random_launches
from nvvm_xdsl.passes.scalar.dce import DCE
from nvvm_xdsl.pipeline import build_pipeline
from nvvm_xdsl.pipeline.levels import LEVEL_PIPELINES, PIPELINE_NAMES

ANY_SEED = st.integers(0, 1 << 32)


@settings(max_examples=40, deadline=None)
@given(ANY_SEED)
def test_kernels_are_valid_and_run_without_errors(seed: int):
    module = random_kernel(seed, 40)
    verify(module)
    baseline(module, random_launches(seed))


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(ANY_SEED)
def test_the_default_pipeline_and_selection_preserve_behaviour(seed: int):
    findings = list(try_seed(seed, Options(pipelines=("", "nvopt<O3>"), size=50, assemble=True)))
    assert [f"{f.pipeline}: {f.kind}: {f.what}" for f in findings] == []


SEEDS = 8 * SCALE
AT_ONCE = 2


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 1000 + SEEDS, AT_ONCE))
def test_every_registered_pipeline_preserves_behaviour(first: int):
    """Each pass alone and each level; the machine passes with and without optimization before."""
    levels = sorted({*PIPELINE_NAMES, *LEVEL_PIPELINES})
    options = Options(("", "nvopt<O3>"), [*ir_passes(), *levels], size=12)
    findings = list(fuzz(range(first, first + AT_ONCE), options))
    assert [f"seed {f.seed}, '{f.pipeline}': {f.kind}: {f.what}" for f in findings] == []


def test_a_seed_always_gives_the_same_kernel():
    assert random_kernel_text(7) == random_kernel_text(7)
    assert random_kernel_text(7) != random_kernel_text(8)
    first, second = (random_launches(3)[0].args[0] for _ in range(2))
    assert first.tolist() == second.tolist()


FEATURES = {
    "phi": " = phi ", "switch": "switch ", "nsw": " nsw ", "nuw": " nuw ", "shuffle": "llvm.nvvm.shfl.sync",
    "vote": "llvm.nvvm.vote", "barrier": "llvm.nvvm.barrier", "atomics": "atomicrmw", "local array": "alloca",
    "device function": "call", "struct": "insertvalue", "vector": "shufflevector", "generic pointer": "addrspacecast",
    "constant space": "addrspace(4)", "half": "half", "bfloat": "bfloat", "double": "fadd double", "i128": "i128",
    "exact": " exact ", "disjoint": " or disjoint ", "samesign": " samesign ", "nneg": " nneg ", "nusw": " nusw ",
    "overflow": ".with.overflow.", "freeze": "= freeze ", "assume": "@llvm.assume(i1 %", "odd widths": " i48 ",
    "match": "llvm.nvvm.match", "redux": "llvm.nvvm.redux", "memcpy": "call void @llvm.memcpy", "memset": "call void @llvm.memset",
    "PHI of pointers": "= phi ptr", "PHI of vectors": "= phi <4 x float>", "PHI of structs": "= phi {",
    "struct result": "define internal { i32", "pointer parameter": "(ptr %a0",
    "generic pointer to constants": "addrspacecast ptr addrspace(4)", "generic pointer to shared": "addrspacecast ptr addrspace(3)",
    "seq_cst": "seq_cst", "counting down": ", -1\n",
    "slot in a block": "\nslot", "division of 128 bits": "div i128", "remainder of floats": "frem ", "generic variable": "ptr @plain",
    "name with dots": "@name.with.dots", "same as an op": "@llvm.nvvm.fm", "unreachable block": "\ndead", "reflect": "@__nvvm_reflect",
    "struct copied": "load { i32, i32, i64, [4 x i32] }", "memmove": "call void @llvm.memmove", "printf": "@printf", "other kernel": "@other()",
    "struct by value": "ptr %shape", "weak kernel": "linkonce_odr ptx_kernel",
    "call between loops": "call i32 @touch(ptr %line", "call that ends the thread": "call void @leave(",
    "branch on a select": ", i1 false, i1 %", "constants side by side": "inbounds i8, ptr %own_l",
}  # fmt: skip


def test_kernels_use_the_whole_language():
    text = "".join(random_kernel_text(seed, 240) for seed in range(100))
    # A rare form.
    text += random_kernel_text(0, 240, "core,warp-reductions=20")
    assert [name for name, part in FEATURES.items() if part not in text] == []
    inputs = [line.count("[ ") for line in text.splitlines() if " phi " in line]
    assert max(inputs) >= 8


def test_a_fault_is_reported_with_its_reproducer(monkeypatch: pytest.MonkeyPatch):
    options = Options(pipelines=("no-such-pass",), machine=False)
    (finding,) = list(fuzz([3], options))
    assert finding.kind == "error"
    text = finding.reproducer(options)
    assert "nvvm-fuzz --seed 3 --count 1" in text
    assert "--pipeline 'no-such-pass'" in text
    assert re.search(r"llvm\.func .*@fuzz\(", text)


def test_a_pass_that_does_not_terminate_is_a_finding(monkeypatch: pytest.MonkeyPatch):
    def endless(*_: object) -> bool:
        while True:
            pass

    monkeypatch.setattr(DCE, "run_on_function", endless)
    options = Options(pipelines=("dce", "sroa"), size=5, machine=False, seconds=0.5)
    (finding,) = fuzz([3], options)
    assert (finding.kind, finding.pipeline) == ("timeout", "dce")
    assert "more than 0.5 seconds of processor time" in finding.what


def test_a_kernel_that_runs_for_too_long_is_invalid():
    (finding,) = fuzz([3], Options(size=200, machine=False, seconds=0.001))
    assert finding.kind == "invalid"
    assert "0.001 seconds" in finding.what


def test_a_wrong_convergence_rule_is_found(monkeypatch: pytest.MonkeyPatch):
    def always(*_: object) -> bool:
        return True

    monkeypatch.setattr(ConvergenceRule, "may_part", always)
    shapes = "core,parted-edges=20,shared-edges"
    options = Options(pipelines=("jump-threading",), size=30, machine=False, shapes=shapes)
    found = [finding.what for finding in fuzz(range(6), options)]
    assert any("run nvvm.barrier0 without the others" in what for what in found)


def test_every_option_of_a_pass_is_tried_with_other_values():
    variants = pass_variants()
    assert "dfa-jump-threading<no-dfa-early-exit-heuristic>" in variants
    assert "jump-threading<jump-threading-across-loop-headers>" in variants
    assert "simplifycfg<sink-common-insts>" in variants
    assert not any("dump" in variant for variant in variants)
    for variant in variants:
        build_pipeline(variant)
