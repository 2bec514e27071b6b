"""Ops of the nvvm dialect as intrinsics, and as assembly if there is no intrinsic."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.dialects.nvvm.calls import intrinsics_with_ops
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.dialects.nvvm.signatures import spelled_type
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.export import WriteError, write_ll
from nvvm_xdsl.export.spelling import TypeSpelling
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.ptx_roundtrip import machine_code

ROUNDTRIP = Path(__file__).resolve().parents[1] / "dialects" / "nvvm" / "roundtrip"
LLC = shutil.which("llc-22")


def spelled(letters: str) -> str:
    type_ = spelled_type(letters)
    assert type_ is not None, letters
    return TypeSpelling()(type_)


def function_of(intrinsic: Intrinsic, number: int) -> str:
    """Returns a function that calls the intrinsic; immediates are some valid number."""
    immediate = (
        40 if "setmaxnreg" in intrinsic.name else 128 if "tensormap" in intrinsic.name else 1
    )
    types = [spelled(letters) for letters in intrinsic.arguments]
    parameters = [f"{t} %{n}" for n, t in enumerate(types) if n not in intrinsic.immediates]
    arguments = [
        f"{t} {immediate}" if n in intrinsic.immediates else f"{t} %{n}"
        for n, t in enumerate(types)
    ]
    # The remaining parameters keep the numbers of the arguments.
    parameters = [p.replace("%", "%a") for p in parameters]
    arguments = [a.replace("%", "%a") for a in arguments]
    results = [spelled(letters) for letters in intrinsic.results]
    output = f"{{ {', '.join(results)} }}" if len(results) > 1 else (results or ["void"])[0]
    result = "" if output == "void" else "%r = "
    return (
        f"define void @f{number}({', '.join(parameters)}) {{\n"
        f"  {result}call {output} @{intrinsic.name}({', '.join(arguments)})\n  ret void\n}}\n"
    )


def test_each_row_of_the_table_is_parsed_and_written():
    names = sorted(intrinsics_with_ops())
    found = [find_intrinsic(name) for name in names]
    text = "".join(function_of(i, n) for n, i in enumerate(found) if i is not None)
    module = read_ll(text)
    assert "llvm.call_intrinsic" not in {op.name for op in module.walk()}
    written = write_ll(module)
    called = re.findall(r"call [^@\n]*@(llvm\.nvvm\.[\w.]+)\(", written)
    assert called == names


def test_barriers():
    text = "".join(
        f"llvm.func @f{n}(%0: i32, %1: i32) {{\n  nvvm.barrier{form}\n  llvm.return\n}}\n"
        for n, form in enumerate(("", " id = %0", " id = %0 number_of_threads = %1"))
    )
    written = write_ll(nvvm_xdsl.parse(text, format="mlir"))
    assert "barrier.cta.sync.aligned.all(i32 0)" in written
    assert "barrier.cta.sync.aligned.all(i32 %0)" in written
    assert "barrier.cta.sync.aligned.count(i32 %0, i32 %1)" in written


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        (
            "%r = nvvm.ldmatrix %p {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = "
            "#nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : "
            "(!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>",
            "call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(",
        ),
        (
            "nvvm.mbarrier.arrive.expect_tx %p, %n, predicate = %c : !llvm.ptr<3>, i32, i1",
            "@$2 mbarrier.arrive.expect_tx",
        ),
        ("%r = nvvm.elect.sync -> i1", "call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)"),
        (
            "nvvm.prefetch level = L1, %g : !llvm.ptr",
            "call void @llvm.nvvm.prefetch.L1(ptr %g)",
        ),
    ],
    ids=["intrinsic", "predicate", "election", "prefetch"],
)
def test_forms(op: str, wanted: str):
    text = (
        "llvm.func @f(%p: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32, %c: i1) {\n"
        f"  {op}\n  llvm.return\n}}\n"
    )
    assert wanted in write_ll(nvvm_xdsl.parse(text, format="mlir"))


def functions() -> tuple[list[str], list[str]]:
    """Returns LLVM assembly of each function of the files, and the errors of the others."""
    found: list[str] = []
    refused: list[str] = []
    for path in sorted(ROUNDTRIP.glob("*.mlir")):
        for op in nvvm_xdsl.parse(path).body.block.ops:
            copy = op.clone()
            copy.properties["sym_name"] = string(f"f{len(found)}")
            try:
                found.append(write_ll(ModuleOp([copy]), for_nvptx=True))
            except WriteError as error:
                refused.append(error.message)
    return found, refused


def test_ops_that_cannot_be_written():
    """Every op that selects to one instruction can be written, with or without an intrinsic."""
    found, refused = functions()
    assert len(found) > 130
    reasons = (
        "nor one instruction",
        "take an i1 operand",
        "operand 1 must be a constant",
    )
    assert [message for message in refused if not message.endswith(reasons)] == []
    assert not [m for m in refused if re.match(r"nvvm\.(?:mma\.sync|wmma|ldmatrix|wgmma|cp)", m)]


@pytest.mark.skipif(LLC is None, reason="llc of LLVM 22 was not found")
@pytest.mark.skipif(find_ptxas() is None, reason="ptxas was not found")
def test_ptxas_accepts_the_assembly():
    assert LLC is not None
    texts = [text for text in functions()[0] if " asm " in text]
    assert len(texts) > 30
    by_arch: dict[str, list[str]] = {}
    for text in texts:
        blocks = "block_scale" in text and "tcgen05" not in text
        arch = "sm_90a" if "wgmma" in text else "sm_120a" if blocks else "sm_100a"
        by_arch.setdefault(arch, []).append(text)
    for arch, chosen in by_arch.items():
        # The functions share only declarations and attribute groups.
        module = read_ll(chosen[0])
        for text in chosen[1:]:
            for op in list(read_ll(text).body.block.ops):
                op.detach()
                module.body.block.add_op(op)
        done = subprocess.run(
            [LLC, f"-mcpu={arch}", "-mattr=+ptx88", "-o", "-"],
            input=write_ll(module),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[:500]
        # Functions alone give no complete program; the test checks only that ptxas accepts them.
        machine_code(done.stdout)
