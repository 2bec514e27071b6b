"""`--gpu` of the tools: options that need the simulator, a machine without a GPU, and printed results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nvvm_xdsl.lab.gpu import client
from nvvm_xdsl.lab.gpu import gpu_program as program
from nvvm_xdsl.lab.gpu.gpu_program import Times
from nvvm_xdsl.lab.gpu.job import GPUError, Properties
from nvvm_xdsl.lab.launches import Launch, Outcome
from nvvm_xdsl.tools import nvvm_diff, nvvm_fuzz, nvvm_run

SAXPY = str(Path(__file__).parents[2] / "examples" / "saxpy.ll")
LAUNCH = ["--arg", "2", "--arg", "2.0", "--arg", "f32[2]=arange", "--arg", "f32[2]=1"]


class Pretended:
    """A program whose kernels set the last array to 7."""

    def __init__(self, code: str, source: Any, level: int = 4) -> None:
        assert ".target sm_90" in code

    def run(self, launch: Launch) -> Outcome:
        return Outcome([launch.args[2], np.full(2, 7, np.float32)], [2, 3], "printed\n", {})

    def time(self, launch: Launch, repeats: int) -> tuple[Outcome, Times]:
        return self.run(launch), Times((0.25,) * repeats)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch):
    class GPU:
        properties = Properties("a GPU", "sm_90", "13.0", 132, 1 << 36)

    monkeypatch.setattr(client, "gpu", GPU)
    monkeypatch.setattr(program, "GPUProgram", Pretended)


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch):
    def gpu():
        raise GPUError("this machine has no usable GPU")

    monkeypatch.setattr(client, "gpu", gpu)
    monkeypatch.setattr(client, "why_no_gpu", lambda: "this machine has no usable GPU")


def test_a_run_prints_the_memory_of_the_gpu(pretended: None, capsys: pytest.CaptureFixture[str]):
    assert nvvm_run.main([SAXPY, "--gpu", "--print", "y", "--print", "2", "--stats", *LAUNCH]) == 0
    found = capsys.readouterr()
    assert found.out == "printed\n[7., 7.]\n[0., 1.]\n"
    assert found.err == "0.2500 ms at least, 0.2500 ms in the median of 20 launches on a GPU\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--machine"],
        ["--check", "race"],
        ["--leak-check", "full"],
        ["--trace", "0"],
        ["--profile"],
        ["--profile-json", "-"],
        ["--annotate"],
        ["--against", "sroa"],
    ],
    ids=lambda options: options[0],
)
def test_options_that_need_the_simulator(
    options: list[str], pretended: None, capsys: pytest.CaptureFixture[str]
):
    assert nvvm_run.main([SAXPY, "--gpu", *options, *LAUNCH]) == 1
    name = "--profile" if options[0].startswith("--profile") else options[0]
    assert capsys.readouterr().err == f"error: {name} cannot be combined with --gpu\n"


def test_without_a_gpu(absent: None, capsys: pytest.CaptureFixture[str]):
    why = "this machine has no usable GPU\n"
    assert nvvm_run.main([SAXPY, "--gpu", *LAUNCH]) == 1
    assert capsys.readouterr().err == f"error: GPU: {why}"
    assert nvvm_diff.main([SAXPY, "--gpu", "--with", "ours-O0,ours-O3", *LAUNCH]) == 1
    assert capsys.readouterr().err == f"error: --gpu: {why}"
    assert nvvm_fuzz.main(["--against", "gpu"]) == 1
    assert capsys.readouterr().err == f"error: gpu: {why}"
