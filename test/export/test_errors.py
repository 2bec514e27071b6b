"""An op that cannot be written is an error with the op's name and location."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.export import WriteError, write_ll

UNWRITABLE = {
    "an op of another dialect": (
        "llvm.func @f() {\n  %0 = arith.constant 1 : i32\n  llvm.return\n}",
        "arith.constant",
    ),
    "machine code": (
        "nvptx.func visible @f() {\n  nvptx.ret\n}",
        "nvptx.func",
    ),
    "a calling convention": (
        "llvm.func amdgpu_kernelcc @f() {\n  llvm.return\n}",
        "amdgpu_kernelcc",
    ),
}


@pytest.mark.parametrize("name", UNWRITABLE)
def test_errors_have_locations(name: str):
    text, wanted = UNWRITABLE[name]
    module = nvvm_xdsl.parse(text, format="mlir", filename="k.mlir", locations=True)
    with pytest.raises(WriteError) as caught:
        write_ll(module)
    error = caught.value
    assert wanted in error.message
    place = next(n for n, line in enumerate(text.splitlines(), 1) if wanted in line)
    assert (error.file, error.line) == ("k.mlir", place)
