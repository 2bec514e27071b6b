"""The GPU process: its answers, its death and its time limit, with simulated processes."""

from __future__ import annotations

import sys

import pytest

from nvvm_xdsl.lab.gpu.client import GPU
from nvvm_xdsl.lab.gpu.job import GPUError, Job, Properties

HEAD = """
import pickle, sys, time
from nvvm_xdsl.lab.gpu.job import GPUError, Properties
from nvvm_xdsl.lab.gpu.worker import serve
class Device:
    count = 0
    def reserve(self, size):
        self.count += 1
        return size + self.count
    def run(self, job, repeats):
        if job.kernel == "hang":
            time.sleep(60)
        if job.kernel == "die":
            sys.exit(3)
        raise GPUError("failed: " + job.kernel, job.kernel == "fatal")
pickle.dump((Properties("a GPU", "sm_90", "13.0", 132, 1 << 36), None), sys.stdout.buffer)
sys.stdout.flush()
serve(sys.stdin.buffer, sys.stdout.buffer, Device())
"""

WITHOUT = """
import pickle, sys
from nvvm_xdsl.lab.gpu.job import GPUError
pickle.dump((None, GPUError("this machine has no usable GPU")), sys.stdout.buffer)
"""


def command(text: str) -> tuple[str, ...]:
    return sys.executable, "-c", text


def job(kernel: str) -> Job:
    return Job(b"", kernel, (1, 1, 1), (1, 1, 1))


@pytest.fixture
def process():
    found = GPU(command(HEAD), 2.0)
    yield found
    found.close()


def test_answers(process: GPU):
    assert process.properties == Properties("a GPU", "sm_90", "13.0", 132, 1 << 36)
    assert process.reserve(10) == 11
    assert process.reserve(10) == 12


def test_an_error_does_not_end_the_process(process: GPU):
    process.reserve(1)
    with pytest.raises(GPUError, match="failed: k"):
        process.run(job("k"))
    assert process.reserve(10) == 12


@pytest.mark.parametrize(
    ("kernel", "message"),
    [("fatal", "failed: fatal"), ("die", "the process of the GPU ended"), ("hang", "within 2 s")],
)
def test_a_new_process_follows_a_failed_one(process: GPU, kernel: str, message: str):
    process.reserve(1)
    with pytest.raises(GPUError, match=message):
        process.run(job(kernel))
    assert process.reserve(10) == 11


def test_without_a_gpu():
    with pytest.raises(GPUError, match="no usable GPU"):
        GPU(command(WITHOUT))
