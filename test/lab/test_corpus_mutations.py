"""Mutated functions of existing modules: their changes, and their launches."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import corpus_mutations
from nvvm_xdsl.lab.behaviour import ALL_CHECKS, baseline
from nvvm_xdsl.lab.corpus_mutations import KERNEL, launches_of, mutant, pieces_of
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.passes.scalar import dce
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.tools.nvvm_fuzz import main
from nvvm_xdsl.verify.verifier import verify_module

FUNCTIONS = """
define i32 @scalar(i32 noundef %a, i32 %b, ptr nonnull readonly %p) {
entry:
  %x = load i32, ptr %p, align 4, !range !0
  %s = add nsw i32 %a, %b
  %d = or i32 %s, 4
  %c = icmp slt i32 %d, %x
  br i1 %c, label %then, label %end
then:
  %m = mul i32 %d, 3
  store i32 %m, ptr %p
  br label %end
end:
  %r = phi i32 [ %m, %then ], [ %s, %entry ]
  ret i32 %r
}

define float @real(float %a, float %b) {
  %s = fadd fast float %a, %b
  %c = fcmp olt float %s, %b
  %r = select i1 %c, float %s, float %a
  ret float %r
}

!0 = !{i32 0, i32 8}
"""
KERNELS = """
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, %n
  br i1 %c, label %then, label %end
then:
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %t
  %v = load i32, ptr addrspace(1) %q
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "functions.ll").write_text(FUNCTIONS)
    (folder / "kernels.ll").write_text(KERNELS)
    return (str(folder),)


def mutants(corpus: tuple[str, ...], count: int) -> list[tuple[int, ModuleOp]]:
    made = ((seed, mutant(corpus, seed)) for seed in range(count))
    return [(seed, module) for seed, module in made if module is not None]


def test_attributes_and_flags_are_removed(corpus: tuple[str, ...]):
    pieces = pieces_of(corpus)
    assert len(pieces) == 3
    for word in ("noundef", "nonnull", "readonly", "!range", "fast", "inbounds"):
        assert not any(f" {word}" in piece for piece in pieces)
    assert any("add nsw i32" in piece for piece in pieces)


def test_a_seed_gives_the_same_module_and_launches(corpus: tuple[str, ...]):
    found = mutants(corpus, 12)
    assert len(found) > 6
    for seed, module in found:
        verify_module(module, links=True)
        again = mutant(corpus, seed)
        assert again is not None
        assert ir_text(again) == ir_text(module)
        assert repr(launches_of(again, seed, ())) == repr(launches_of(module, seed, ()))


def test_launches_are_defined(corpus: tuple[str, ...]):
    kernels: Counter[str] = Counter()
    for seed, module in mutants(corpus, 20):
        launches = launches_of(module, seed, ALL_CHECKS)
        kernels.update(launch.kernel for launch in launches)
        baseline(module, launches, ALL_CHECKS)
    assert kernels.keys() == {"k", KERNEL}


CHANGES = [
    "_operand", "_swap", "_drop", "_constant", "_flag", "_predicate", "_operation", "_move",
    "_duplicate", "_duplicate_block", "_volatile",
]  # fmt: skip


@pytest.mark.parametrize("kind", CHANGES)
def test_each_change_leaves_valid_ir_for_some_seed(kind: str):
    module = read_ll(FUNCTIONS)
    before = ir_text(module)
    for seed in range(40):
        copy = fast.clone(module)
        change = corpus_mutations._Change(next(iter(copy.ops)), random.Random(seed))  # type: ignore[arg-type]
        if getattr(change, kind)() and corpus_mutations._is_valid(copy):
            assert ir_text(copy) != before
            return
    pytest.fail("never valid")


def test_widths_and_noalias():
    texts = {corpus_mutations._with_other_width(FUNCTIONS, random.Random(s)) for s in range(9)}
    assert len(texts) > 4
    assert all("%i" not in text for text in texts)
    marked = corpus_mutations._with_noalias(KERNELS, random.Random(1))
    assert "ptr addrspace(1) noalias %p" in marked
    assert corpus_mutations._with_noalias(FUNCTIONS, random.Random(1)) == FUNCTIONS


def test_addresses_are_not_results():
    for body in (
        "ret ptr %p",
        "store ptr %p, ptr %p\n  ret ptr null",
        "%i = ptrtoint ptr %p to i64\n  ret ptr %p",
    ):
        (func,) = read_ll(f"define ptr @f(ptr %p) {{\n  {body}\n}}").ops
        assert corpus_mutations._shows_addresses(func)  # type: ignore[arg-type]
    (func,) = read_ll("define i32 @f(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}").ops
    assert not corpus_mutations._shows_addresses(func)  # type: ignore[arg-type]


def test_passes_preserve_the_behaviour_of_mutants(corpus: tuple[str, ...]):
    options = Options(("nvopt<O3>",), corpus=corpus)
    assert [f"{f.seed}: {f.what}" for f in fuzz(range(8), options)] == []


def test_a_wrong_pass_is_found(corpus: tuple[str, ...], monkeypatch: pytest.MonkeyPatch):
    def drop_stores(_self: object, func: object, _am: object) -> bool:
        for op in [op for op in func.walk() if op.name == "llvm.store"]:  # type: ignore[attr-defined]
            fast.erase(op)
        return True

    monkeypatch.setattr(dce.DCE, "run_on_function", drop_stores)
    options = Options(("dce",), machine=False, corpus=corpus)
    found = list(fuzz(range(6), options))
    assert {finding.kind for finding in found} == {"difference"}
    assert f" --corpus {corpus[0]}" in found[0].reproducer(options)


def test_the_command(corpus: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert main(["--corpus", corpus[0], "--count", "2", "--no-machine", "--pipeline", "dce"]) == 0
    seed = mutants(corpus, 9)[0][0]
    assert main(["--corpus", corpus[0], "--seed", str(seed), "--show"]) == 0
    assert "define" in capsys.readouterr().out
    assert main(["--corpus", corpus[0], "--programs"]) == 1
    assert "--programs cannot be combined with --corpus" in capsys.readouterr().err
    with pytest.raises(DiagnosticError, match="no functions to mutate"):
        mutant((str(tmp_path),), 0)
