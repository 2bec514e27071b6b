"""Every form of launch bounds makes the same directives."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import PassManager

KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) "nvvm.reqntid"="64,2,1" "nvvm.minctasm"="3" "nvvm.maxnreg"="40" "nvvm.cluster_dim"="2,1,1" "nvvm.maxclusterrank"="4" {
  ret void
}"""


@pytest.mark.parametrize("form", ["attributes", "strings"])
def test_same_directives(form: str):
    module = read_ll(KERNEL, "kernel.ll")
    before = nvvm_xdsl.compile(module.clone(), arch="sm_90", opt_level=0)
    PassManager(f"nvvm-annotations<{form}>").run(module)
    assert ("passthrough" in str(module)) == (form == "strings")
    assert nvvm_xdsl.compile(module, arch="sm_90", opt_level=0) == before
    assert ".reqntid" in before
    assert ".minnctapersm" in before
