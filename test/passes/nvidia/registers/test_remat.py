"""Rematerialization of random kernels preserves results for every target."""

from __future__ import annotations

import pytest
from helpers.assembling import needs_libdevice, needs_ptxas
from helpers.corpus_kernels import FOLDER
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.assembled import assemble
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.passes.nvidia.registers.remat import Rematerialization
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.transforms.rematerialize import stated_registers

TIGHT = "remat<remat-max-live-limit=0;remat-for-occ=8;remat-ignore-single-cost;remat-move>"
OPTIONS = Options((), (f"sroa,{TIGHT}", f"nvopt<O1>,{TIGHT}"), size=60, machine=False)


@needs_ptxas
@needs_libdevice
def test_a_limit_of_registers_saves_spills():
    """Numba's local_sort: ptxas spills 280 bytes if the code was generated without the limit."""
    text = (FOLDER / "numba" / "local_sort.cc100.ll").read_text()

    def spills(**options: int | str) -> int:
        ptx = compile_here(text, options=CompileOptions("sm_100", **options))  # pyright: ignore[reportArgumentType]
        (kernel,) = assemble(ptx, "sm_100", maxrregcount=32).values()
        return kernel.spills

    assert spills(maxrregcount=32) < spills()
    assert spills(maxrregcount=32) < spills(maxrregcount=32, pass_options="-do-remat=0")


def test_no_cse_follows_the_last_run():
    names = [p.name for p in passes_in(build_pipeline("nvopt<O3>"))]
    last = len(names) - 1 - names[::-1].index("remat")
    assert not {"early-cse", "gvn", "instcombine", "licm"} & set(names[last:])


def findings(first: int, count: int) -> list[str]:
    return [f"{f.seed}: {f.pipeline}: {f.what}" for f in fuzz(range(first, first + count), OPTIONS)]


def test_rematerialized_values_are_the_same():
    assert findings(120, 2) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", [160, 200])
def test_rematerialized_values_are_the_same_in_many_kernels(first: int):
    assert findings(first, 4) == []


@pytest.mark.parametrize(
    ("attributes", "registers"),
    [
        ("", None),
        ('"nvvm.maxnreg"="40"', 40),
        ('"nvvm.maxntid"="256" "nvvm.minctasm"="4"', 64),
        ('"nvvm.maxntid"="1024" "nvvm.minctasm"="2"', 32),
        ('"nvvm.maxntid"="1024"', None),
    ],
)
def test_targets(attributes: str, registers: int | None):
    module = read_ll(
        'target triple = "nvptx64-nvidia-cuda"\n'
        f"define ptx_kernel void @k() {attributes} {{\n  ret void\n}}\n"
    )
    (func,) = (op for op in module.walk() if isinstance(op, FuncOp))
    assert stated_registers(func) == registers
    limited = Rematerialization(remat_maxreg_ceiling=24)
    assert limited.target(func, 100) == 24
    assert Rematerialization(remat_for_occ=0).target(func, 100) == (registers or 80)
    # Launch bounds take precedence over the command line, as in ptxas.
    assert Rematerialization(maxrregcount=48).target(func, 100) == (registers or 48)
