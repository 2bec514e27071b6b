"""The reader parses a written module to the same module, and LLVM accepts the text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.normal_form import normal_form
from helpers.scale import share
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.lab.random_kernels.programs import random_program_text
from nvvm_xdsl.lab.random_kernels.shapes import SWARM
from nvvm_xdsl.verify.verifier import verify_module

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = sorted((ROOT / "test" / "frontend" / "language").glob("*.ll"))
EXAMPLES = sorted((ROOT / "examples").glob("*.ll"))
CORPUS = sorted((ROOT / "test" / "corpus").glob("*/*.ll"))
FEW = [path for path in CORPUS if path.name in ("matmul_shared.cc90.ll", "layernorm.sm90.ll")]
OPT = shutil.which("opt-22")
needs_opt = pytest.mark.skipif(OPT is None, reason="opt of LLVM 22 was not found")


def same(module: ModuleOp) -> dict[str, list[str]]:
    """Returns the module as lines, without the identities of distinct scopes, which the reader numbers again."""
    return {
        name: [re.sub(r"distinct\[\d+\]", "distinct", line) for line in lines]
        for name, lines in normal_form(module).items()
    }


def check(module: ModuleOp) -> str:
    """Writes and reads it twice."""
    text = write_ll(module)
    again = read_ll(text, "<written>")
    verify_module(again)
    assert same(again) == same(module)
    assert write_ll(again) == text
    return text


def verified_by_llvm(text: str) -> None:
    assert OPT is not None
    command = [OPT, "-passes=verify", "-S", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", [*LANGUAGE, *EXAMPLES, *FEW], ids=lambda path: path.name)
def test_files(path: Path):
    check(read_ll(path.read_text(), path.name))


@pytest.mark.slow
@pytest.mark.parametrize("path", share(CORPUS, 3, lambda p: p.name), ids=lambda path: path.name)
def test_corpus(path: Path):
    check(read_ll(path.read_text(), path.name))


@pytest.mark.parametrize("seed", range(6))
def test_random_kernels(seed: int):
    # Linked modules have several compile units, whose order is not kept.
    left_out = ("shared-edges", "scattered-constants", "shuffled-blocks", "linked-modules")
    module = random_kernel(seed, shapes=",".join([SWARM, *(f"{name}=0" for name in left_out)]))
    # Debug information of variables is not written.
    for op in list(module.walk()):
        if op.name.startswith("llvm.intr.dbg."):
            op.detach()
            op.erase()
    check(module)


@pytest.mark.parametrize("seed", range(3))
def test_blocks_before_their_dominators(seed: int):
    module = random_kernel(seed, shapes="core,loop=20,shuffled-blocks")
    text = write_ll(module)
    again = read_ll(text, "<written>")
    verify_module(again)
    assert write_ll(again) == text


def test_random_program():
    check(read_ll(random_program_text(3), "<seed 3>"))


@needs_opt
@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.name)
def test_llvm_accepts_the_text(path: Path):
    verified_by_llvm(write_ll(read_ll(path.read_text(), path.name)))


@needs_opt
@pytest.mark.parametrize("name", ["matmul", "reduction", "saxpy.debug"])
def test_llvm_accepts_optimized_text(name: str):
    text = (ROOT / "examples" / f"{name}.ll").read_text()
    verified_by_llvm(nvvm_xdsl.compile(text, arch="sm_90", format="llvm"))


def test_optimized_text_is_a_fixpoint():
    text = (ROOT / "examples" / "reduction.ll").read_text()
    first = nvvm_xdsl.compile(text, arch="sm_90", format="llvm")
    assert write_ll(read_ll(first)) == first


def test_the_module_is_not_changed():
    path = ROOT / "examples" / "scan.ll"
    module = read_ll(path.read_text())
    before = same(module)
    write_ll(module)
    assert same(module) == before


TAGGED = """
define i32 @f(ptr %p) {
  %v = load i32, ptr %p, align 4, !tbaa !2
  ret i32 %v
}
!0 = !{!"root"}
!1 = !{!"int", !0, i64 0}
!2 = !{!1, !1, i64 0, i64 1}
"""


def test_a_tag_of_constant_memory():
    assert "i64 0, i64 1}" in check(read_ll(TAGGED))


def test_parallel_edges_with_different_values():
    """A PHI has one value per block, but a branch may pass two to the same block."""
    module = nvvm_xdsl.parse(
        "llvm.func @f(%c: i1, %a: i32, %b: i32) -> i32 {\n"
        "  llvm.cond_br %c, ^out(%a : i32), ^out(%b : i32)\n"
        "^out(%r: i32):\n  llvm.return %r : i32\n}\n",
        format="mlir",
    )
    text = write_ll(module)
    assert "[ %a, %0 ], [ %b, %edge ]" in text
    assert write_ll(read_ll(text)).count("phi i32") == 1


def test_names_are_unique_and_stable():
    text = check(
        read_ll(
            "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  %y_1 = mul i32 %y, %y\n  ret i32 %y_1\n}"
        )
    )
    assert "%y = add i32 %x, 1" in text
    assert "%y_1 = mul i32 %y, %y" in text


@pytest.mark.parametrize("name", ["llvm.licm.disable", "llvm.loop.licm_versioning.disable"])
def test_options_of_loops_keep_their_names(name: str):
    """One of LLVM's options does not begin with `llvm.loop`."""
    text = check(
        read_ll(
            f"""
define void @f(i1 %c) {{
  br label %l
l:
  br i1 %c, label %l, label %e, !llvm.loop !0
e:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"{name}"}}
"""
        )
    )
    assert f'!{{!"{name}"}}' in text


def test_the_alignment_of_a_masked_access_is_that_of_its_pointers():
    """Accessed values that are pointers, such as `%v`, have no stated alignment."""
    text = """
declare <2 x ptr> @llvm.masked.load.v2p0.p0(ptr, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.store.v2p0.p0(<2 x ptr>, ptr, <2 x i1>)
declare <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr>, <2 x i1>, <2 x ptr>)
declare void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr>, <2 x ptr>, <2 x i1>)
define void @f(ptr %p, <2 x ptr> %q, <2 x i1> %m, <2 x ptr> %v) {
  %x = call <2 x ptr> @llvm.masked.load.v2p0.p0(ptr align 16 %p, <2 x i1> %m, <2 x ptr> %v)
  call void @llvm.masked.store.v2p0.p0(<2 x ptr> %v, ptr align 16 %p, <2 x i1> %m)
  %y = call <2 x ptr> @llvm.masked.gather.v2p0.v2p0(<2 x ptr> align 16 %q, <2 x i1> %m, <2 x ptr> %v)
  call void @llvm.masked.scatter.v2p0.v2p0(<2 x ptr> %v, <2 x ptr> align 16 %q, <2 x i1> %m)
  ret void
}
"""
    written = check(read_ll(text))
    assert re.findall(r"(\w+) align 16 (%\w)|align 16 (%\w)", written) == [
        ("ptr", "%p", ""), ("ptr", "%p", ""), ("", "", "%q"), ("", "", "%q"),
    ]  # fmt: skip
    assert written.count("align 16") == 4


def test_cold_calls():
    """The attribute of the call is read and written; the callee and inline assembly keep their own."""
    text = """
declare void @f()
define void @g() {
  call void @f() cold
  call void asm sideeffect "nop;", ""() #0
  call void @f()
  ret void
}
attributes #0 = { cold }
"""
    module = read_ll(text)
    calls = [op for op in module.walk() if op.name in ("llvm.call", "llvm.inline_asm")]
    assert [has_function_attribute(op, "cold") for op in calls] == [True, True, False]
    written = write_ll(module)
    assert re.findall(r"call void .*\)( #\d+)?$", written, re.MULTILINE) == [" #0", " #0", ""]
    assert "attributes #0 = { cold }" in written


@pytest.mark.parametrize("name", ["convergent", "llvm.convergent"])
def test_convergent_assembly(name: str):
    """MLIR has no property for the attribute."""
    module = nvvm_xdsl.parse(
        f"""llvm.func @f(%x: i32) {{
  %0 = llvm.inline_asm has_side_effects {{{name}}} "x $0, $1;", "=r,r" %x : (i32) -> i32
  llvm.return
}}"""
    )
    assert re.search(r"attributes #\d+ = { convergent }", write_ll(module))
