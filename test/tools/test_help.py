"""The --help of every tool: each option is explained, and the examples work.

The examples of nvvm-run, nvvm-diff and nvvm-tune run in their own tests, and those of nvvm-cc, nvvm-opt and
nvvm-view in `test/test_readme.py`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import shlex
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest

from nvvm_xdsl.lab.compilers import available
from nvvm_xdsl.lab.gpu.client import why_no_gpu
from nvvm_xdsl.pipeline.command_line import join_values
from nvvm_xdsl.tools import nvvm_cc, nvvm_fuzz, nvvm_opt, nvvm_reduce

ROOT = Path(__file__).parents[2]
SCRIPTS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]

BAD = """\
llvm.func @kernel(%x: i32) -> i32 {
  %y = llvm.add %x, %x : i32
  llvm.return %y : i32
}
"""


def lines(epilog: str, tool: str) -> list[str]:
    """The example lines of a --help text, without comments."""
    text = epilog.replace("\\\n", " ").splitlines()
    found = [re.split(r"\s{2,}", line.strip())[0] for line in text if line.startswith(f"  {tool} ")]
    assert found
    return found


@pytest.mark.parametrize("tool", SCRIPTS)
def test_every_option_is_explained(
    tool: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    parsers: list[argparse.ArgumentParser] = []
    format_help = argparse.ArgumentParser.format_help

    def kept(parser: argparse.ArgumentParser) -> str:
        parsers.append(parser)
        return format_help(parser)

    monkeypatch.setattr(argparse.ArgumentParser, "format_help", kept)
    main = importlib.import_module(SCRIPTS[tool].partition(":")[0]).main
    with suppress(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith(f"usage: {tool} ")
    assert re.search(r"^examples\b.*:\n  " + tool, text, re.M)
    (parser,) = parsers
    assert [a.dest for a in parser._actions if not a.help or a.help.startswith("(")] == []
    # Long lists are printed on request.
    assert [a.dest for a in parser._actions if len(a.help or "") > 400] == []


@pytest.mark.parametrize("line", lines(nvvm_fuzz.EPILOG, "nvvm-fuzz"))
def test_examples_of_nvvm_fuzz(
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    words = shlex.split(line)[1:]
    if "--against" in words and len(available()) < 6:
        pytest.skip("libNVVM or LLVM 22 is missing")
    if "gpu" in words and why_no_gpu() is not None:
        pytest.skip(str(why_no_gpu()))
    if "--file" in words:
        assert nvvm_fuzz.main(["--seed", words[words.index("--seed") + 1], "--show"]) == 0
        Path("kernel.ll").write_text(capsys.readouterr().out)
        assert nvvm_opt.main(["kernel.ll", "-o", words[words.index("--file") + 1]]) == 0
    if "--count" in words:
        words[words.index("--count") + 1] = "1"
    elif "--show" not in words:
        words += ["--count", "1"]
    if "--file" not in words and "--show" not in words:
        words += ["--size", "5"]
    assert nvvm_fuzz.main(words) == 0


@pytest.mark.parametrize("line", lines(nvvm_reduce.EPILOG, "nvvm-reduce"))
def test_examples_of_nvvm_reduce(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`nvvm-cc` is a command that fails here, as on a module that shows a bug."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "bad.mlir").write_text(BAD)
    (tmp_path / "bad.ll").write_text("define i32 @k(i32 %x) {\n  ret i32 %x\n}\n")
    for name in ("nvvm-cc", "check.sh"):
        (tmp_path / name).write_text("#!/bin/sh\necho assertion failed\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    words = shlex.split(line)[1:]
    assert nvvm_reduce.main([*words, "--attempts", "20"]) == 0
    if "-o" in words:
        small = Path(words[words.index("-o") + 1]).read_text()
        assert "llvm.add" not in small


SPELLINGS = [
    (["-time-passes"], "time_passes", True),
    (["-opt-bisect-limit=3"], "opt_bisect_limit", 3),
    (["-opt-bisect-limit", "3"], "opt_bisect_limit", 3),
    (["-print-after=dce"], "print_after", "dce"),
    (["--print-after=dce"], "print_after", "dce"),
    (["-o-"], "output", "-"),
    (["-ok.ptx"], "output", "k.ptx"),
    (["-o", "k.ptx"], "output", "k.ptx"),
    (["-opt=2"], "opt_level", 2),
    (["-arch=sm_90"], "arch", "sm_90"),
]


@pytest.mark.parametrize(("words", "name", "value"), SPELLINGS, ids=lambda x: str(x))
def test_long_options_take_one_dash_or_two(words, name, value):
    arguments = nvvm_cc.make_parser().parse_args(join_values(["k.ll", *words]))
    assert getattr(arguments, name) == value
    assert arguments.files == ["k.ll"]


@pytest.mark.parametrize(
    ("word", "like"),
    [("-opt-bisect-limt=3", "--opt-bisect-limit"), ("-time-pases", "--time-passes"), ("-x=3", "")],
)
def test_unknown_options_are_errors(word, like, capsys):
    with pytest.raises(SystemExit):
        nvvm_cc.make_parser().parse_args(["k.ll", word])
    message = capsys.readouterr().err
    assert f"unrecognized arguments: {word}" in message
    assert like in message


def test_a_short_option_accepts_only_its_values(capsys):
    parser = nvvm_opt.make_parser()
    assert parser.parse_args(["-fll"]).frontend == "ll"
    with pytest.raises(SystemExit):
        parser.parse_args(["-foo"])
    assert "unrecognized arguments: -foo" in capsys.readouterr().err
