"""The support routines: one file each, with the type that callers expect."""

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.types import function
from nvvm_xdsl.passes.nvidia.lowering.support_routines import linking
from nvvm_xdsl.passes.nvidia.lowering.support_routines.linking import SIGNATURES, link_routine
from nvvm_xdsl.verify.verifier import VerifyError, verify_module


def test_routines_and_files_match():
    files = Path(linking.__file__).parent.glob("*.mlir")
    assert {path.stem for path in files} == SIGNATURES.keys()


@pytest.mark.parametrize("routine", SIGNATURES)
def test_a_routine_has_its_signature_and_is_linked_once(routine: str):
    module = ModuleOp([])
    found = link_routine(module, routine, "name")
    assert found.properties["function_type"] == function(*SIGNATURES[routine])
    assert link_routine(module, routine, "name") is found
    module.verify()
    verify_module(module)


def test_a_name_in_use_with_another_type():
    module = ModuleOp([])
    link_routine(module, "udiv128", "name")
    with pytest.raises(VerifyError, match="@name must be a function of"):
        link_routine(module, "fmod32", "name")
