"""nvvm-diff: compilers compared on one launch."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import nvvm_xdsl
from nvvm_xdsl.driver.toolkit import find_program, find_ptxas
from nvvm_xdsl.lab.compilers import available
from nvvm_xdsl.tools import nvvm_diff

EXAMPLES = Path(__file__).parents[2] / "examples"
SAXPY = str(EXAMPLES / "saxpy.ll")
ARGUMENTS = [
    "--block",
    "64",
    "--arg",
    "40",
    "--arg",
    "2.0",
    "--arg",
    "f32[64]=arange",
    "--arg",
    "f32[64]=1",
]
OURS = ["--with", "ours-O0,ours-O3"]

needs_disassembler = pytest.mark.skipif(
    find_ptxas() is None or find_program("nvdisasm") is None,
    reason="no ptxas or no nvdisasm: install nvvm-xdsl[cuda]",
)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = nvvm_diff.main([SAXPY, *ARGUMENTS, "-arch=sm_100a", *arguments])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_compilers_agree(capsys: pytest.CaptureFixture[str]):
    assert run(capsys, *OURS) == (0, "@saxpy: ours-O0, ours-O3 agree\n")


def test_the_deviating_compiler_and_its_stores(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """A comparison that is off by one: thread 40 stores, too."""
    ptx = nvvm_xdsl.compile(Path(SAXPY), arch="sm_100a")
    assert "setp.ge.s32" in ptx
    wrong = tmp_path / "wrong.ptx"
    wrong.write_text(ptx.replace("setp.ge.s32", "setp.gt.s32"))
    status, out = run(capsys, *OURS, "--ptx", str(wrong))
    assert status == 1
    assert f"{wrong} is alone, against ours-O0, ours-O3: argument 3[40] was" in out
    assert "ours-O0: it is never stored to" in out
    line = 1 + next(i for i, text in enumerate(ptx.splitlines()) if "st.global" in text)
    assert re.search(
        rf"wrong.ptx: stored last by line {line}: st.global.*thread 40 of block \(0, 0, 0\)", out
    )


def test_a_failure_on_the_simulator_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    ptx = nvvm_xdsl.compile(Path(SAXPY), arch="sm_100a")
    wrong = tmp_path / "wrong.ptx"
    wrong.write_text(re.sub(r"\[(%rd\d+)\], (%f\d+)", r"[\1+4096], \2", ptx))
    status, out = run(capsys, *OURS, "--ptx", str(wrong))
    assert status == 1
    assert f"{wrong}: @saxpy: out of bounds" in out


def test_invalid_ptx_is_reported(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    wrong = tmp_path / "wrong.ptx"
    wrong.write_text("nonsense")
    _, out = run(capsys, *OURS, "--ptx", str(wrong))
    assert f"{wrong}: its PTX cannot be read" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--with", "ours-O3"], "fewer than two compilers are available"),
        (["--with", "ours-O9,llc"], "unknown compiler 'ours-O9'; did you mean"),
        ([*OURS, "--arg", "1"], "@saxpy takes 4 arguments, 5 were given"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], options: list[str], message: str):
    status, out = run(capsys, *options)
    assert status == 1
    assert out.count(message) == 1


@needs_disassembler
def test_costs(capsys: pytest.CaptureFixture[str]):
    status, out = run(capsys, *OURS, "--costs")
    assert status == 0
    head, *rows = out.splitlines()[1:]
    assert head.split()[:2] == ["compiler", "registers"]
    assert [row.split()[0] for row in rows] == ["ours-O0", "ours-O3"]
    # 40 threads load and store 4 bytes each: 5 sectors, three times.
    assert {row.split()[-1] for row in rows} == {"15"}


@needs_disassembler
def test_machine_code(capsys: pytest.CaptureFixture[str]):
    status, out = run(capsys, *OURS, "--machine", "--arch", "sm_90")
    assert status == 0
    assert "ours-O0 as machine code, ours-O3 as machine code agree" in out


@pytest.mark.skipif(len(available()) < 6, reason="libNVVM or LLVM 22 is missing")
def test_four_compilers_agree(capsys: pytest.CaptureFixture[str]):
    assert run(capsys) == (0, "@saxpy: ours-O0, ours-O3, libnvvm, llc agree\n")


EXAMPLE_LINES = [
    line.strip()
    for line in nvvm_diff.EPILOG.partition("examples")[2].replace("\\\n", " ").splitlines()
    if line.startswith("  nvvm-diff")
]


@needs_disassembler
@pytest.mark.parametrize("line", EXAMPLE_LINES)
def test_the_examples_of_the_help_run(line: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(EXAMPLES)
    assert nvvm_diff.main(shlex.split(line)[1:]) == 0
