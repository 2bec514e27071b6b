"""nvvm-tune as started by a user."""

from __future__ import annotations

import itertools
import random
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from nvvm_xdsl.driver.cuda import CLANGS
from nvvm_xdsl.driver.toolkit import find_program, find_ptxas
from nvvm_xdsl.lab.tuning.breeder import groups
from nvvm_xdsl.lab.tuning.space import space_of
from nvvm_xdsl.tools import nvvm_cc, nvvm_tune

EXAMPLES = Path(__file__).parents[2] / "examples"
SAXPY = [str(EXAMPLES / "saxpy.ll"), "--block", "32"]
SAXPY += shlex.split("--arg 20 --arg 2.0 --arg f32[32]=random --arg f32[32]=random")

pytestmark = pytest.mark.skipif(
    find_ptxas() is None or find_program("nvdisasm") is None,
    reason="no ptxas or no nvdisasm: install nvvm-xdsl[cuda]",
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = nvvm_tune.main(list(arguments))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def loads_behind(ptx: str) -> int:
    """Returns the number of parameter loads after the first branch, where `machine-sink` moves them."""
    return ptx.partition("bra")[2].count("ld.param")


def seed_that_leaves_out(name: str) -> int:
    """A search whose second trial omits a pass: the first is the level itself."""
    space = space_of("O3;arch=90;no-ftz;prec-div;prec-sqrt", 3)
    for seed in itertools.count():
        if name in {choice.name for choice in next(groups(space, random.Random(seed)))}:
            return seed
    raise AssertionError(name)


@pytest.mark.slow
def test_nvvm_cc_accepts_the_options_printed_by_nvvm_tune(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    """A command that fails if a pass has run: only that pass is omitted."""
    judge = tmp_path / "judge.py"
    judge.write_text(
        "import sys; print('loads', open(sys.argv[1]).read().partition('bra')[2].count('ld.param'))"
    )
    study, options = tmp_path / "study.sqlite", tmp_path / "options.txt"
    command = [*SAXPY, "--command", f"{sys.executable} {judge}", "--study", str(study)]
    command += ["--trials", "2", "--seed", str(seed_that_leaves_out("machine-sink"))]
    status, out, err = run(capsys, *command, "-o", str(options))
    assert (status, out) == (0, "")
    assert "differences from -O3:\n  machine-sink left out\n" in err
    for launch in ("searched on", "other numbers", "block 16, other numbers"):
        assert re.search(rf"^{launch} +3 +0 +0.000$", err, re.M), err
    words = shlex.split(options.read_text())
    assert words[0] == "--machine-passes"
    for given, loads in ((words, 0), ([], 3)):
        assert nvvm_cc.main([SAXPY[0], "-arch", "sm_90", *given]) == 0
        assert loads_behind(capsys.readouterr().out) == loads
    assert run(capsys, *command)[1] == options.read_text()


def test_the_lack_of_an_improvement_is_reported(capsys: pytest.CaptureFixture[str]):
    status, out, err = run(capsys, *SAXPY, "--trials", "2", "--objective", "registers")
    assert (status, out) == (0, "-O3\n")
    assert "@saxpy, sm_80: 2 variations of -O3\nnone is better than -O3\n" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--objective", "speed"], "unknown objective 'speed': expected one of executed, registers"),
        (["--trials", "0"], "--trials: expected a positive number, got 0"),
        (["--kernel", "nothing"], "nothing"),
        (["--held-out", "--grid x"], "--held-out: argument --grid: expected one to three numbers, got 'x'"),
        (["--command", "false"], "-O3 cannot be measured on @saxpy: false ended with status 1"),
        (["--command", "true"], "-O3 cannot be measured on @saxpy: true printed no number"),
        (["--arg", "3"], "the kernel fails on this launch: @saxpy takes 4 arguments, 5 were given"),
    ],
)  # fmt: skip
def test_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str):
    status, out, err = run(capsys, *SAXPY, "--trials", "1", *arguments)
    assert (status, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


def example_commands() -> list[list[str]]:
    text = nvvm_tune.EPILOG.partition("examples,")[2].replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in text.splitlines() if line.startswith("  nvvm-tune ")]


@pytest.mark.slow
def test_the_examples_of_the_help_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("switch.ll", "saxpy.ll"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    commands = example_commands()
    assert len(commands) == 3
    for command in commands:
        command[command.index("--trials") + 1] = "2"
        assert nvvm_tune.main(command) == 0, capsys.readouterr().err
    options = shlex.split(Path("options.txt").read_text())
    assert nvvm_cc.main(["saxpy.ll", "-o", "best.ptx", *options]) == 0
    assert ".entry saxpy" in Path("best.ptx").read_text()


@pytest.mark.slow
def test_several_processes_find_an_improvement(capsys: pytest.CaptureFixture[str]):
    status, _, err = run(capsys, *SAXPY, "--trials", "3", "-j", "2")
    assert status == 0
    assert "@saxpy, sm_80: 3 variations of -O3\n" in err


@pytest.mark.slow
@pytest.mark.skipif(not any(map(shutil.which, CLANGS)), reason="clang was not found")
def test_cuda_with_arguments_by_name(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    source = tmp_path / "scale.cu"
    source.write_text(
        "__global__ void scale(float *out, const float *in, float factor, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) out[i] = factor * in[i];\n}\n"
    )
    command = [str(source), "--grid", "2", "--block", "32", "--objective", "registers"]
    command += shlex.split("--trials 1 --arg in=f32[40]=random --arg out=f32[40] --arg factor=2")
    status, out, err = run(capsys, *command, "--arg", "n=40")
    assert (status, out) == (0, "-O3\n"), err
    assert "@scale, sm_75: 1 variation" in err
    status, out, err = run(capsys, *command, "--arg", "m=40")
    assert (status, out) == (1, "")
    assert err == "error: --arg: there is no parameter 'm'; the kernel has out, in, factor, n\n"
