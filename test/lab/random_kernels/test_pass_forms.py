"""Statements in the forms that passes transform: the passes fire, and earlier seeds are kept."""

from __future__ import annotations

import re
from hashlib import sha256

import pytest

from nvvm_xdsl.ir.remarks import STATISTICS, reset_statistics
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.random_kernels import (
    CERTAIN,
    STATEMENTS,
    TRAITS,
    Generator,
    random_kernel,
    random_kernel_text,
)
from nvvm_xdsl.pipeline import Instruments, PassManager, build_pipeline
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher

LATER = [shape.name for shape in (*STATEMENTS, *TRAITS) if shape.later]
WITHOUT = "".join(f",{name}=0" for name in LATER)


def changes(name: str, changing: str, pipeline: str, more: str = "", count: int = 8) -> int:
    """The number of kernels of a shape in which a pass counts something or, if it has no counter,
    changes something."""
    found = 0
    for seed in range(count):
        reset_statistics()
        changed: set[str] = set()

        def observe(run: PassRun, changed: set[str] = changed) -> None:
            if run.changed:
                changed.add(run.instance.name)

        module = random_kernel(seed, 30, f"core,{name}=100{more}")
        watcher = Watcher(Instruments(), observer=observe)
        PassManager(build_pipeline(pipeline), watcher=watcher).run(module)
        counters = [s.value for s in STATISTICS if s.pass_name == changing]
        found += any(counters) if counters else changing in changed
    return found


@pytest.mark.parametrize(
    ("name", "counter", "before"),
    [
        ("invariant-tests", "simple-loop-unswitch", "loop-simplify,loop-rotate"),
        ("counter-tests", "loop-index-split", "simplifycfg,instcombine"),
        ("strided-loops", "loop-reduce", "loop-simplify,loop-rotate"),
        ("strided-loops", "licm", "loop-simplify,loop-rotate"),
        ("strided-loops", "indvars", "loop-simplify,loop-rotate"),
        ("vector-loops", "loop-vectorize", "simplifycfg,loop-simplify"),
        ("filling-loops", "loop-idiom", "simplifycfg,loop-simplify"),
        ("bit-loops", "loop-idiom", "simplifycfg,loop-simplify"),
        ("partly-redundant", "gvn", ""),
        ("division-pairs", "div-rem-pairs", ""),
        ("reordered-sums", "reassociate", ""),
        ("address-steps", "slsr", "early-cse"),
        ("address-steps", "common-base-elim", ""),
        ("address-steps", "scev-cgp", ""),
        ("half-pairs", "slp-vectorizer", ""),
        ("copy-chains", "memcpyopt", ""),
        ("sum-windows", "loop-unroll", "loop-simplify"),
        ("doubled-strides", "instcombine", ""),
    ],
)
def test_a_function_pass_fires(name: str, counter: str, before: str):
    passes = ",".join(filter(None, (before, counter)))
    assert changes(name, counter, f"function({passes})") >= 1


@pytest.mark.parametrize(
    ("name", "counter", "pipeline", "more"),
    [
        ("bit-forms", "aggressive-instcombine", "function(instcombine,aggressive-instcombine)", ""),
        ("warp-reductions", "nvvm-reduction", "function(nvvm-reduction<arch=900>)", ""),
        ("warp-exchanges", "nvvm-warp-shuffle", "function(nvvm-warp-shuffle)", ",block-size"),
        ("recursion", "tailcallelim", "function(tailcallelim)", ""),
        ("readers", "argpromotion", "argpromotion", ""),
        ("twins", "constmerge", "constmerge", ""),
        ("twins", "mergefunc", "mergefunc", ""),
        ("twins", "called-value-propagation", "function(sccp),called-value-propagation", ""),
    ],
)
def test_another_pass_fires(name: str, counter: str, pipeline: str, more: str):
    assert changes(name, counter, pipeline, more) >= 1


def test_each_default_kernel_contains_some_forms():
    """A kernel contains three of its enabled forms."""
    for seed in range(20):
        generator = Generator(seed, 0)
        enabled = [name for name in LATER if name in generator.shapes and name != "block-size"]
        certain = [statement.name for statement in generator._certain]  # pyright: ignore[reportPrivateUsage]
        assert len(certain) == min(CERTAIN, len(enabled))
        assert set(certain) <= set(enabled)
    assert "%n, 2147483600" in "".join(random_kernel_text(seed, 0) for seed in range(240))


def test_earlier_seeds_are_kept_without_the_forms():
    """The hash is of the kernels that these selections had before the forms were added."""
    shapes = (f"swarm{WITHOUT}", "core,state-machine=20,shared-edges", "core,joined-casts=20")
    texts = [random_kernel_text(seed, 60, text) for text in shapes for seed in range(10)]
    assert (
        sha256("".join(texts).encode()).hexdigest()
        == "9bef0467a571d1a4d706d7c65c49f0a9c3e1dddc93381c184489fbbfa87d6491"
    )


def test_hints_are_metadata():
    text = "".join(
        random_kernel_text(seed, 60, "core,vector-loops=100,debug-info") for seed in range(4)
    )
    for node in re.findall(r"!llvm\.loop !(\d+)", text):
        assert re.search(rf"^!{node} = distinct !\{{!{node}, !\d+", text, re.MULTILINE)
    assert '!{!"llvm.loop.vectorize.width", i32' in text
    assert list(fuzz([0], Options(shapes="core,vector-loops=100,debug-info", machine=False))) == []
