"""Launches as jobs: addresses of arrays in parameters, results in copies, variables, unsupported arguments."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.lab.compiler_comparison import Candidate, compare
from nvvm_xdsl.lab.gpu.client import GPU
from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram
from nvvm_xdsl.lab.gpu.job import Finished, GPUError, Job
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import Pointer, SimulationError, Surface, prepare

BASE = 1 << 20

MODULE = """
@bias = global i32 7
@table = addrspace(4) constant i32 1

define ptx_kernel void @k(ptr %x, { float, ptr } %pair, i16 %n) {
  ret void
}
"""


class Recorded:
    """A GPU that records the job, and increments every byte of its first buffer."""

    def __init__(self) -> None:
        self.job: Job | None = None

    def assemble(self, ptx: str, level: int) -> bytes:
        return f"{ptx}{level}".encode()

    def reserve(self, size: int) -> int:
        self.size = size
        return BASE

    def run(self, job: Job, repeats: int = 0) -> Finished:
        self.job = job
        (_, first), *others = job.buffers
        contents = (bytes(b + 1 for b in first), *(content for _, content in others))
        return Finished(contents, {"bias": b"\x09\0\0\0"}, "b\na\n", (3.0, 1.0, 2.0)[:repeats])


def program(gpu: Recorded) -> GPUProgram:
    return GPUProgram("ptx", prepare(parse(MODULE)), 2, cast(GPU, gpu))


def launch(**more: Any) -> Launch:
    x, y = np.array([1, 2], np.uint8), np.array([5], np.uint8)
    return Launch("k", (2, 3), 4, (x, (1.5, Pointer(y, 1)), 300), **more)


def test_job_sent_to_the_gpu():
    gpu = Recorded()
    outcome = program(gpu).run(launch(shared_bytes=64, variables={"bias": np.array([8], np.int32)}))
    job = gpu.job
    assert job is not None
    assert (job.image, job.grid, job.block, job.shared_bytes) == (b"ptx2", (2, 3, 1), (4, 1, 1), 64)
    (first, x), (second, y) = job.buffers
    assert (x, y) == (b"\x01\x02", b"\x05")
    assert BASE <= first < second <= BASE + gpu.size - 1
    assert [int.from_bytes(p, "little") for p in (job.parameters[0], job.parameters[2])] == [
        first,
        300,
    ]
    pair = job.parameters[1]
    assert np.frombuffer(pair[:4], np.float32)[0] == 1.5
    assert int.from_bytes(pair[8:16], "little") == second + 1
    assert job.variables == {"bias": b"\x08\0\0\0"}
    assert job.read == ("bias",)
    assert [a.tolist() for a in outcome.arrays] == [[2, 3], [5]]
    assert outcome.positions == [0, 1]
    assert (outcome.output, outcome.variables) == ("b\na\n", {"bias": b"\x09\0\0\0"})


def test_times():
    given = launch()
    _, times = program(Recorded()).time(given, 3)
    assert (times.minimum, times.median) == (1.0, 2.0)
    assert given.args[0].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((1,), SimulationError, "takes 3 arguments"),
        (
            (Surface(np.zeros((4, 4), np.float32)), (0.5, None), 1),
            GPUError,
            "not supported on a GPU",
        ),
    ],
)
def test_arguments_of_wrong_types(args: tuple[Any, ...], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        program(Recorded()).run(Launch("k", 1, 1, args))


PTX = """
.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .b64 %a; .reg .b32 %v;
  ld.param.u64 %a, [p];
  ld.global.u8 %v, [%a];
  add.u32 %v, %v, AMOUNT;
  st.global.u8 [%a], %v;
  ret;
}
"""


@pytest.mark.parametrize(("amount", "agree"), [("1", True), ("2", False)])
def test_the_simulator_and_the_gpu_compared(amount: str, agree: bool):
    ready = executable(PTX.replace("AMOUNT", amount), None)
    simulated = Candidate("ours", PTX, ready=ready)
    device = cast(GPU, Recorded())
    on_gpu = Candidate("ours on the GPU", PTX, gpu=GPUProgram(PTX, ready.program, device=device))
    on_gpu.gpu = GPUProgram(PTX, ready.program, device=device)
    found = compare([simulated, on_gpu], [Launch("k", 1, 1, (np.array([1], np.uint8),))])
    # The output of the simulated GPU differs too.
    assert [d.what[0].split(" ")[0] for d in found.disagreements] == [
        "the" if agree else "argument"
    ]
