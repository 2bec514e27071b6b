"""Rematerialization of random kernels: what they do stays, whatever the target."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.nvidia.remat import Rematerialization, stated_registers
from nvvm_xdsl.testing.fuzz import Options, fuzz

TIGHT = "remat<remat-max-live-limit=0;remat-for-occ=8;remat-ignore-single-cost;remat-move>"
OPTIONS = Options((), (f"sroa,{TIGHT}", f"nvopt<O1>,{TIGHT}"), size=60, machine=False)


def findings(first: int, count: int) -> list[str]:
    return [f"{f.seed}: {f.pipeline}: {f.what}" for f in fuzz(range(first, first + count), OPTIONS)]


def test_what_is_computed_again_is_the_same():
    assert findings(120, 2) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", [160, 200])
def test_what_is_computed_again_is_the_same_in_many_kernels(first: int):
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
    # Launch bounds come before what the command line says, as in ptxas.
    assert Rematerialization(maxrregcount=48).target(func, 100) == (registers or 48)
