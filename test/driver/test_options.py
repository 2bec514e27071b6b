import pytest

from nvvm_xdsl.driver.options import CompileOptions, parse_arch
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@pytest.mark.parametrize(
    ("text", "arch"),
    [
        ("sm_75", "sm_75"),
        ("compute_90", "sm_90"),
        ("sm_90a", "sm_90a"),
        ("compute_100f", "sm_100f"),
        ("sm_121a", "sm_121a"),
    ],
)
def test_architectures(text: str, arch: str):
    assert parse_arch(text) == arch
    assert CompileOptions(arch=text).arch == arch


@pytest.mark.parametrize(
    "text", ["", "sm_", "90", "sm_91", "sm_90f", "sm_80a", "SM_90", "sm_90 ", "sm_90b", "lto_90"]
)
def test_bad_architectures(text: str):
    with pytest.raises(DiagnosticError, match="unknown architecture"):
        parse_arch(text)


def test_bad_level():
    with pytest.raises(DiagnosticError, match="level 4"):
        CompileOptions(opt_level=4)
