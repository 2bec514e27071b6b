"""Discovery after installation: names, versions, completion, manual pages."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from helpers.terminal import running

import nvvm_xdsl
from nvvm_xdsl.driver.compile import compile_modules
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.tools.completion import SHELLS
from nvvm_xdsl.tools.man_pages import TOOLS
from nvvm_xdsl.tools.man_pages import main as write_manual_pages

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "examples" / "saxpy.ll"
BASH = shutil.which("bash")


def test_dir_shows_the_interface():
    shown = dir(nvvm_xdsl)
    assert {"compile", "compile_many", "emit", "parse", "CompileOptions"} <= set(shown)
    assert all(hasattr(nvvm_xdsl, name) for name in shown)
    assert not [name for name in shown if name.startswith("_") and name != "__version__"]


def test_version():
    import tomllib

    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in stated["project"]["dynamic"]
    module, _, name = stated["tool"]["setuptools"]["dynamic"]["version"]["attr"].rpartition(".")
    assert nvvm_xdsl.__version__ == VERSION == getattr(import_module(module), name)


def test_every_script_is_a_tool_with_a_page():
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert {name: f"{module}:main" for name, module in TOOLS.items()} == scripts


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_version_of(tool: str, capsys: pytest.CaptureFixture[str]):
    assert import_module(TOOLS[tool]).main(["--version"]) == 0
    assert capsys.readouterr().out.startswith(f"{tool} {VERSION}")


def test_a_string_argument_is_a_file_name():
    assert ".entry saxpy" in nvvm_xdsl.compile(str(KERNEL))
    names = [op.name for op in nvvm_xdsl.parse(str(KERNEL)).body.block.ops]
    assert "llvm.func" in names


def test_a_missing_file():
    with pytest.raises(DiagnosticError) as caught:
        nvvm_xdsl.compile("missing/kernel.ll")
    assert caught.value.file == "missing/kernel.ll"


@pytest.mark.parametrize("shell", SHELLS)
def test_completion(shell: str, capsys: pytest.CaptureFixture[str]):
    options = {
        "nvvm-cc": "time-passes",
        "nvvm-opt": "time-passes",
        "nvvm-verify-races": "same-value",
    }
    for tool, option in options.items():
        assert import_module(TOOLS[tool]).main(["--print-completion", shell]) == 0
        text = capsys.readouterr().out
        assert tool in text
        assert option in text


@pytest.mark.skipif(BASH is None, reason="bash was not found")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nvvm-cc", "--opt-bi"], ["--opt-bisect-limit"]),
        (["nvvm-cc", "-arch", "sm_12"], ["sm_120", "sm_120a", "sm_120f", "sm_121"]),
        (["nvvm-opt", "-p", "early-cs"], ["early-cse"]),
        (["nvvm-verify-races", "--assume-no-"], ["--assume-no-alias", "--assume-no-wrap"]),
    ],
)
def test_bash_completes(words: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]):
    tool, function = words[0], words[0].replace("-", "_")
    assert import_module(TOOLS[tool]).main(["--print-completion", "bash"]) == 0
    script = capsys.readouterr().out + (
        f"\nCOMP_WORDS=({' '.join(words)})\nCOMP_CWORD={len(words) - 1}\n_shtab_{function}\n"
        "echo ${COMPREPLY[@]}\n"
    )
    done = subprocess.run(["bash"], input=script, capture_output=True, text=True, check=False)
    assert set(expected) <= set(done.stdout.split()), done.stderr


@pytest.mark.skipif(BASH is None, reason="bash was not found")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (b"nvvm-cc k.cu -arch=sm_12\t\t", "sm_120a"),
        (b"nvvm-cc k.cu -arch=\t", "-arch=sm_"),
        (b"nvvm-cc k.cu -arch sm_12\t\t", "sm_120a"),
        (b"nvvm-cc k.cu -arch=sm_90 -maxrr\t", "-maxrregcount"),
        (b"nvvm-cc k.ll -p mem2reg,early-cs\t", "-p mem2reg,early-cse"),
        (b"nvvm-cc k.ll -p 'function(mem2reg,early-cs\t", "-p 'function(mem2reg,early-cse"),
        (b"nvvm-cc k.ll --machine-passes=machine-si\t", "--machine-passes=machine-sink"),
        (b"nvvm-opt k.ll -p early-cs\t", "-p early-cse"),
    ],
)
def test_the_tabulator_key_in_bash(
    typed: bytes, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert BASH is not None
    text = ""
    for tool in ("nvvm-cc", "nvvm-opt"):
        assert import_module(TOOLS[tool]).main(["--print-completion", "bash"]) == 0
        text += capsys.readouterr().out + "\n"
    script = tmp_path / "completion"
    script.write_text(text + "PS1='ready> '\n")
    with running([BASH, "--noprofile", "--rcfile", str(script), "-i"]) as terminal:
        terminal.until("ready>")
        terminal.press(typed)
        terminal.until(shown)
        # The line is dropped.
        terminal.press(b"\x15exit\n")
        terminal.status()


def test_completion_without_shtab(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert import_module(TOOLS["nvvm-cc"]).main(["--print-completion", "bash"]) == 1
    assert "pip install shtab" in capsys.readouterr().err


def test_manual_pages(tmp_path: Path):
    assert write_manual_pages([str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{tool}.1" for tool in TOOLS}
    page = (tmp_path / "nvvm-cc.1").read_text()
    assert page.startswith(".TH NVVM")
    assert "\\-\\-libdevice" in page
    races = (tmp_path / "nvvm-verify-races.1").read_text()
    assert "\\-\\-same\\-value" in races
    assert "time limit of one kernel" in " ".join(races.split())


OPTNONE = """
define ptx_kernel void @k() #0 {
  ret void
}
define void @f() #0 {
  ret void
}
attributes #0 = { noinline optnone }
"""


@pytest.mark.parametrize(("level", "warned"), [(0, False), (2, True)])
def test_input_with_optnone_functions_only(level: int, warned: bool):
    reported: list[str] = []
    options = CompileOptions(opt_level=level, rdc=True)
    compile_modules([nvvm_xdsl.parse(OPTNONE)], options, remark=reported.append)
    found = [text for text in reported if "optnone" in text]
    assert bool(found) == warned
    if warned:
        assert found[0].startswith("warning: @k and 1 more")
        assert "-disable-llvm-passes" in found[0]
