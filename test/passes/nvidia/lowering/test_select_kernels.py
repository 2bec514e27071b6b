"""Missing kernels cannot be selected."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline import PassManager, build_pipeline
from nvvm_xdsl.pipeline.build import print_nodes

TEXT = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @scale() {
  ret void
}
define void @device() {
  ret void
}
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("scales", "unknown kernel 'scales'; did you mean 'scale'?"),
        ("device", "unknown kernel 'device'; the module has scale"),
    ],
)
def test_unknown_kernels(name: str, message: str):
    with pytest.raises(DiagnosticError) as caught:
        PassManager(f"select-kernels<kernels={name}>").run(read_ll(TEXT))
    assert message in caught.value.render()


@pytest.mark.parametrize("text", ["select-kernels<kernels=a,b>", "select-kernels"])
def test_names_are_printed_as_parsed(text: str):
    assert print_nodes(build_pipeline(text)) == text


def test_select_kernels_without_names_keeps_all():
    module = read_ll(TEXT)
    PassManager("select-kernels").run(module)
    assert len(list(module.ops)) == 2
