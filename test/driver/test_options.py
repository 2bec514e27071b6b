import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import emit, parse
from nvvm_xdsl.driver.options import CompileOptions, ResolvedOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@pytest.mark.parametrize("arch", ["sm_75", "compute_90", "sm_90a", "compute_100f", "sm_121a"])
def test_architectures(arch: str):
    assert CompileOptions(arch=arch).arch == arch


@pytest.mark.parametrize(
    "text", ["", "sm_", "90", "sm_91", "sm_90f", "sm_80a", "SM_90", "sm_90 ", "sm_90b", "lto_90"]
)
def test_bad_architectures(text: str):
    with pytest.raises(DiagnosticError, match=f"unknown target '{text}'"):
        CompileOptions(arch=text)


def test_bad_level():
    with pytest.raises(DiagnosticError, match="level 4"):
        CompileOptions(opt_level=4)


def test_defaults():
    options = CompileOptions().for_module(ModuleOp([]))
    assert (options.arch, options.opt_level) == ("sm_75", 3)
    assert (options.ftz, options.prec_div, options.prec_sqrt, options.fmad) == (False, *[True] * 3)


def test_what_a_gpu_module_asks_for():
    text = 'gpu.module @k [#nvvm.target<O = 1, chip = "sm_90a", flags = {fast}>] {}'
    options = CompileOptions().for_module(parse(text))
    assert (options.arch, options.opt_level) == ("sm_90a", 1)
    assert (options.ftz, options.prec_div, options.prec_sqrt, options.fmad) == (
        True,
        False,
        False,
        True,
    )


def test_what_is_stated_comes_first():
    module = parse('gpu.module @k [#nvvm.target<chip = "sm_90", flags = {ftz}>] {}')
    options = CompileOptions(arch="sm_100", opt_level=0, ftz=False).for_module(module)
    assert (options.arch, options.opt_level, options.ftz) == ("sm_100", 0, False)


def test_a_target_without_a_chip():
    assert CompileOptions().for_module(parse("gpu.module @k [#nvvm.target] {}")).arch == "sm_75"


@pytest.mark.parametrize("value", [0, 1])
def test_the_module_flag_of_clang(value: int):
    text = f'!llvm.module.flags = !{{!0}}\n!0 = !{{i32 4, !"nvvm-reflect-ftz", i32 {value}}}\n'
    assert CompileOptions().for_module(parse(text)).ftz is bool(value)
    assert CompileOptions(ftz=False).for_module(parse(text)).ftz is False


@pytest.mark.parametrize(
    ("features", "version"), [("+ptx85", "8.5"), ("+ptx60", "7.8"), ("+sm_90,+ptx88", "8.8")]
)
def test_the_ptx_version_of_a_gpu_module(features: str, version: str):
    text = (
        f'gpu.module @k [#nvvm.target<chip = "sm_90", features = "{features}">] {{\n'
        "  llvm.func @f() attributes {nvvm.kernel} {\n    llvm.return\n  }\n}"
    )
    assert emit(parse(text)).startswith(f".version {version}\n")


def test_a_ptx_version_that_is_stated():
    module = parse("llvm.func @f() {\n  llvm.return\n}", format="mlir")
    ptx = emit(module, options=CompileOptions(arch="sm_90", ptx_version=90))
    assert ptx.startswith(".version 9.0\n.target sm_90\n")


def test_too_few_registers():
    with pytest.raises(DiagnosticError, match="8 registers are too few, 16 the least"):
        CompileOptions(maxrregcount=8)


def test_registers_that_a_thread_may_take_are_an_option_of_passes():
    """What -opt says of it comes first."""
    options = CompileOptions(maxrregcount=32, pass_options="-do-remat=2").for_module(ModuleOp([]))
    assert {"maxrregcount": "32", "do-remat": "2"}.items() <= options.settings.knobs.items()
    stated = CompileOptions(maxrregcount=32, pass_options="-maxrregcount=40")
    assert stated.for_module(ModuleOp([])).settings.knobs["maxrregcount"] == "40"


def test_a_program_without_rdc_is_all_there_is_of_it():
    assert ResolvedOptions().settings.knobs["whole-program-visibility"] == "1"
    assert "whole-program-visibility" not in ResolvedOptions(rdc=True).settings.knobs
    stated = ResolvedOptions(pass_options="-whole-program-visibility=0")
    assert stated.settings.knobs["whole-program-visibility"] == "0"
