"""Module-level assembly: PTX beside the functions."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.linker import link

SOURCE = """
target triple = "nvptx64-nvidia-cuda"
module asm ".visible .func (.param .b32 r) add3(.param .b32 a)"
module asm "{ .reg .b32 %x; ld.param.b32 %x, [a]; add.s32 %x, %x, 3; st.param.b32 [r], %x; ret; }"
declare i32 @add3(i32)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(1) %p
  %r = call i32 @add3(i32 %x)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
"""


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_a_function_in_assembly_is_called(level: int):
    ptx = nvvm_xdsl.compile(SOURCE, arch="sm_90", opt_level=level)
    assert ".extern" not in ptx
    assemble(ptx, "sm_90")
    out = np.array([39], np.int32)
    simulator.launch(convert(nvvm_xdsl.parse(ptx)), "k", 1, 1, [out])
    assert out[0] == 42


def test_module_assembly_is_an_mlir_attribute_and_is_exported():
    module = nvvm_xdsl.parse(SOURCE)
    assert 'llvm.module_asm = [".visible .func' in str(module)
    again = nvvm_xdsl.parse(write_ll(nvvm_xdsl.parse(str(module), format="mlir")), format="ll")
    assert again.attributes["llvm.module_asm"] == module.attributes["llvm.module_asm"]


def test_linked_modules_keep_the_lines_of_both():
    other = nvvm_xdsl.parse('module asm ".global .b32 val;"')
    ptx = nvvm_xdsl.compile(str(link([nvvm_xdsl.parse(SOURCE), other])), arch="sm_90")
    assert ".global .b32 val;" in ptx
    assert ".visible .func (.param .b32 r) add3(" in ptx


def test_a_newer_instruction_raises_the_version():
    text = SOURCE.replace("add.s32 %x, %x, 3", "redux.sync.add.s32 %x, %x, -1")
    options = CompileOptions("sm_80", ptx_version=63)
    assert nvvm_xdsl.compile(text, options=options).startswith(".version 7.0")


def test_invalid_ptx():
    with pytest.raises(Exception) as caught:
        nvvm_xdsl.compile(SOURCE.replace("add.s32 %x", "at.s32 %x"), arch="sm_90")
    found = as_diagnostic(caught.value)
    assert found is not None
    assert found.file == "module-level assembly"
    assert "unknown instruction 'at'" in found.message
