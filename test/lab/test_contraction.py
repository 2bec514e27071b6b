"""Contraction has the same effect in every compiler: all may fuse, or none does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nvvm_xdsl.lab.compilers import available, compiler
from nvvm_xdsl.lab.compilers.contraction import without_contraction
from nvvm_xdsl.tools import nvvm_diff

FLAGGED = """
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %v = load float, ptr addrspace(1) %p
  %m = fmul contract float %a, %a
  %s = fsub contract float %m, %v
  store float %s, ptr addrspace(1) %p
  ret void
}
"""
"""clang's flags for CUDA. With a = 1 + 2**-12 and v = 1 the exact result is 2**-11 + 2**-24, and a
rounded product loses 2**-24."""

MULADD = (
    FLAGGED.replace("%m = fmul contract float %a, %a", "%n = fneg float %v").replace(
        "fsub contract float %m, %v",
        "call float @llvm.fmuladd.f32(float noundef %a, float %a, float %n)",
    )
    + "declare float @llvm.fmuladd.f32(float, float, float)\n"
)

TEXTS = {
    "contract": FLAGGED,
    "fast": FLAGGED.replace(" contract ", " fast "),
    "no flags": FLAGGED.replace(" contract ", " "),
    "unsafe-fp-math": FLAGGED.replace(" contract ", " ").replace(
        ") {", ') "unsafe-fp-math"="true" {'
    ),
    "fmuladd": MULADD,
}


@pytest.mark.parametrize("name", ["ours-O0", "ours-O3", "libnvvm", "llc"])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_compiler_contracts_only_if_allowed(kind: str, name: str):
    chosen = compiler(name)
    why = chosen.why_missing()
    if why is not None:
        pytest.skip(why)
    for fmad in (True, False):
        ptx = chosen.compile(TEXTS[kind], "sm_100a", fmad=fmad)
        # ptxas may contract operations without a rounding mode.
        allowed = "fma.rn.f32" in ptx or re.search(r"\b(?:mul|add|sub)\.f32", ptx)
        assert bool(allowed) == fmad


@pytest.mark.parametrize("kind", TEXTS)
def test_compilers_agree_bit_by_bit(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    names = [c.name for c in available(["ours-O0", "ours-O3", "libnvvm", "llc"])]
    path = tmp_path / "k.ll"
    path.write_text(TEXTS[kind])
    arguments = ["--arg", "f32[1]=1", "--arg", str(1 + 2**-12), "-arch", "sm_100a"]
    arguments += ["--with", ",".join(names)]
    assert nvvm_diff.main([str(path), *arguments]) == 0
    assert capsys.readouterr().out == f"@k: {', '.join(names)} agree\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("  %r = fmul nnan contract nsz float %a, %b", "  %r = fmul nnan nsz float %a, %b"),
        (
            "  %r = tail call fast float @f(float %a)",
            "  %r = tail call nnan ninf nsz arcp afn reassoc float @f(float %a)",
        ),
        ("  %contract = fadd float %fast, %a", "  %contract = fadd float %fast, %a"),
        (
            "  call void @contract(i32 1) ; a fast call",
            "  call void @contract(i32 1) ; a fast call",
        ),
        (
            "  %r = call contract <2 x float> @llvm.fmuladd.v2f32(<2 x float> %a, "
            "<2 x float> <float 1.0, float 2.0>, <2 x float> %c) #4, !dbg !7",
            "  %r.product = fmul <2 x float> %a, <float 1.0, float 2.0>, !dbg !7\n"
            "  %r = fadd <2 x float> %r.product, %c, !dbg !7",
        ),
        ("declare float @llvm.fmuladd.f32(float)", "declare float @llvm.fmuladd.f32(float)"),
    ],
)
def test_text_without_contraction(text: str, wanted: str):
    assert without_contraction(text) == wanted
