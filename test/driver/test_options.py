from dataclasses import fields
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.convert_llvm_to_nvptx import ConvertLLVMToNVPTX
from nvvm_xdsl.codegen.float_modes import FloatModes, StatedFloatModes
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.target_options import FAST_MATH, MODES
from nvvm_xdsl.driver.compile import emit, parse
from nvvm_xdsl.driver.options import CompileOptions, ResolvedOptions
from nvvm_xdsl.driver.target import PTXTarget
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import join_values
from nvvm_xdsl.pipeline.compile_options import arch_for, options_of
from nvvm_xdsl.tools import nvvm_cc, nvvm_diff, nvvm_run, nvvm_tune, nvvm_view


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


def test_options_of_a_gpu_module():
    text = 'gpu.module @k [#nvvm.target<O = 1, chip = "sm_90a", flags = {fast}>] {}'
    options = CompileOptions().for_module(parse(text))
    assert (options.arch, options.opt_level) == ("sm_90a", 1)
    assert (options.ftz, options.prec_div, options.prec_sqrt, options.fmad) == (
        True,
        False,
        False,
        True,
    )


def test_explicit_options_take_precedence():
    module = parse('gpu.module @k [#nvvm.target<chip = "sm_90", flags = {ftz}>] {}')
    options = CompileOptions(arch="sm_100", opt_level=0, ftz=False).for_module(module)
    assert (options.arch, options.opt_level, options.ftz) == ("sm_100", 0, False)


CPU = 'define ptx_kernel void @k() "target-cpu"="{}" {{\n  ret void\n}}\n'


@pytest.mark.parametrize(
    ("cpu", "arch"),
    [("sm_90", "sm_90"), ("sm_100a", "sm_100a"), ("sm_75", "sm_75"), ("sm_52", "sm_75"), ("x86-64", "sm_75")],
)  # fmt: skip
def test_the_target_cpu_of_kernels(cpu: str, arch: str):
    module = parse(CPU.format(cpu))
    assert CompileOptions().for_module(module).arch == arch
    assert CompileOptions(arch="sm_80").for_module(module).arch == "sm_80"


def test_the_newest_target_of_kernels_is_used_and_functions_are_ignored():
    text = CPU.format("sm_80") + CPU.format("sm_90").replace("@k", "@l")
    text += CPU.format("sm_100").replace("ptx_kernel void @k", "void @f")
    assert CompileOptions().for_module(parse(text)).arch == "sm_90"


@pytest.mark.parametrize("arch", [(), ("-arch=sm_80",)])
def test_a_remark_names_the_target_of_the_module(
    arch: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "k.ll"
    path.write_text(CPU.format("sm_90"))
    for tool in ([nvvm_cc], [nvvm_run, "--select"]):
        assert tool[0].main([str(path), *tool[1:], *arch]) == 0
        err = capsys.readouterr().err
        assert ("compiling for sm_90, the target of the module" in err) is not bool(arch)


def test_ptx_keeps_its_target():
    ptx = ".version 8.0\n.target sm_90, debug\n.address_size 64\n.visible .entry k() { ret; }\n"
    assert arch_for(convert(parse(ptx)), None, lambda text: pytest.fail(text)) == "sm_90"


def test_all_tools_have_the_same_default():
    for tool in (nvvm_cc, nvvm_diff, nvvm_run, nvvm_tune, nvvm_view):
        parser = tool.make_parser()
        assert parser.get_default("arch") is None
        assert "otherwise sm_75" in " ".join(parser.format_help().split())


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


def test_an_explicit_ptx_version():
    module = parse("llvm.func @f() {\n  llvm.return\n}", format="mlir")
    ptx = emit(module, options=CompileOptions(arch="sm_90", ptx_version=90))
    assert ptx.startswith(".version 9.0\n.target sm_90\n")


def test_too_few_registers():
    with pytest.raises(DiagnosticError, match="8 registers are too few; the minimum is 16"):
        CompileOptions(maxrregcount=8)


def test_the_register_limit_is_an_option_of_passes():
    """The -opt option takes precedence."""
    options = CompileOptions(maxrregcount=32, pass_options="-do-remat=2").for_module(ModuleOp([]))
    assert {"maxrregcount": "32", "do-remat": "2"}.items() <= options.settings.knobs.items()
    stated = CompileOptions(maxrregcount=32, pass_options="-maxrregcount=40")
    assert stated.for_module(ModuleOp([])).settings.knobs["maxrregcount"] == "40"


def test_whole_program_visibility_without_rdc():
    assert ResolvedOptions().settings.knobs["whole-program-visibility"] == "1"
    assert "whole-program-visibility" not in ResolvedOptions(rdc=True).settings.knobs
    stated = ResolvedOptions(pass_options="-whole-program-visibility=0")
    assert stated.settings.knobs["whole-program-visibility"] == "0"


# The table

API_ONLY = {"ptx_version", "machine_level"}
"""Options without an argument of nvvm-cc."""

STATED = {
    "arch": ["-arch=sm_90"],
    "opt_level": ["-O1"],
    "passes": ["-p", "sroa"],
    "machine_passes": ["--machine-passes", "machine-cse"],
    "libdevice": ["--libdevice", "lib.bc"],
    "rdc": ["-rdc", "true"],
    "relaxed_atomics": ["-relaxed-atomics=1"],
    "maxrregcount": ["-maxrregcount=32"],
    "jump_table_density": ["-jump-table-density=40"],
    "clang_flags": ["-D", "N=3"],
    "emit": ["-emit-llvm"],
    "debug": ["-generate-line-info"],
    "split_compile": ["--threads=2"],
    "jobserver": ["-jobserver"],
    "time_limit": ["--time-limit", "2.5"],
    "fast_compile": ["-Ofc=mid"],
    "pass_options": ["-opt", "-do-licm=0", "-opt", "-dump-remat"],
    "ftz": ["-ftz=1"],
    "prec_div": ["-prec-div=0"],
    "prec_sqrt": ["-prec-sqrt=off"],
    "fmad": ["-fmad=false"],
}
"""A command line for each option."""


def read_options(words: list[str]) -> CompileOptions:
    return options_of(nvvm_cc.make_parser().parse_args([*join_values(words), "k.ll"]))


def test_the_command_line_sets_every_option():
    names = {field.name for field in fields(CompileOptions)}
    assert STATED.keys() == names - API_ONLY
    default = CompileOptions()
    assert read_options([]) == default
    for name, words in STATED.items():
        found = read_options(words)
        changed = {n for n in names if getattr(found, n) != getattr(default, n)}
        assert changed == {name}, words


def test_resolved_options_have_the_fields_of_compile_options():
    assert {f.name for f in fields(ResolvedOptions)} == {f.name for f in fields(CompileOptions)}
    resolved = CompileOptions(fmad=False, libdevice=Path("x")).for_module(ModuleOp([]))
    assert (resolved.fmad, resolved.libdevice) == (False, Path("x"))
    assert CompileOptions().for_module(ModuleOp([])) == ResolvedOptions()
    # The pipeline of a resolved level may replace the given passes.
    assert CompileOptions(passes="sroa").for_module(ModuleOp([])).passes == "sroa"


def test_floating_point_options_are_defined_once():
    assert {f.name: f.default for f in fields(FloatModes)} == {
        n: m.default for n, m in MODES.items()
    }
    assert {f.name: f.default for f in fields(StatedFloatModes)} == dict.fromkeys(MODES)
    assert FAST_MATH == {"ftz": True, "prec_div": False, "prec_sqrt": False, "fmad": True}
    for cls in (CompileOptions, ResolvedOptions, PTXTarget, CodegenOptions, ConvertLLVMToNVPTX):
        assert MODES.keys() <= {f.name for f in fields(cls)}, cls


@pytest.mark.parametrize(
    "words", [["-ftz=2"], ["-rdc", "maybe"], ["-maxrregcount", "many"], ["-split-compile", "two"]]
)
def test_invalid_values(words: list[str], capsys: pytest.CaptureFixture[str]):
    assert nvvm_cc.main([*words, "k.ll"]) == 1
    assert capsys.readouterr().err.startswith(f"nvvm-cc: error: argument {words[0].split('=')[0]}")
