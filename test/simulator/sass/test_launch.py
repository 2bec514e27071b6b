"""Whole kernels as machine code: the same results as the PTX, and exact counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ArrayAttr

from nvvm_xdsl.dialects.sass.ops import FunctionOp, InstructionOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.machine_simulation import machine_module, machine_program, why_no_machine_code
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import SimulationError, launch
from nvvm_xdsl.simulator.sass.program import SassProgram

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

ARCHS = ("sm_80", "sm_90", "sm_100")

SAXPY = """\
.version 7.8
.target sm_80
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<8>; .reg .f32 %f<5>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $end;
  ld.param.u64 %rd1, [x];
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.param.u64 %rd5, [y];
  add.s64 %rd7, %rd5, %rd3;
  ld.global.f32 %f2, [%rd7];
  ld.param.f32 %f3, [a];
  fma.rn.f32 %f4, %f3, %f1, %f2;
  st.global.f32 [%rd7], %f4;
$end:
  ret;
}
"""


def code_of(module_: object) -> list[InstructionOp]:
    """The instructions of a module's only function."""
    (function,) = (op for op in module_.ops if isinstance(op, FunctionOp))  # type: ignore[attr-defined]
    block = function.regions[0].first_block
    assert block is not None
    return [op for op in fast.ops_of(block) if isinstance(op, InstructionOp)]


@pytest.mark.parametrize("arch", ARCHS)
def test_saxpy(arch: str):
    """Every warp executes the code up to the first EXIT; those with a thread below n the rest.

    With n = 70 and two blocks of 64 threads, three of four warps continue.
    """
    n = 70
    source = executable(SAXPY, None).program
    program = machine_program(SAXPY, arch, source, counting=True)
    x = np.linspace(-3, 5, n).astype(np.float32)
    expected, found = np.ones(n, np.float32), np.ones(n, np.float32)
    launch(source, "saxpy", 2, 64, [n, np.float32(0.3), x, expected])
    result = launch(program, "saxpy", 2, 64, [n, np.float32(0.3), x, found])
    assert expected.tobytes() == found.tobytes()
    instructions = code_of(program.module)
    exits = [i for i, op in enumerate(instructions) if op.mnemonic == "EXIT"]
    head, rest = exits[0] + 1, exits[1] - exits[0]
    assert result.profile is not None
    total = result.profile.total()
    assert (total.warps, total.threads) == (4 * head + 3 * rest, 128 * head + 70 * rest)
    memory = result.profile.by_space()["global"]
    # 64 floats are 8 sectors, 6 more one; two loads and a store.
    assert (memory.requests, memory.sectors) == (9, 27)


def test_an_unknown_instruction_stops_execution():
    module = machine_module(SAXPY, "sm_90")
    from nvvm_xdsl.dialects.llvm.types import string

    changed = next(op for op in code_of(module) if op.mnemonic == "FFMA")
    changed.properties["opcode"] = string("FROB.X")
    y = np.zeros(4, np.float32)
    with pytest.raises(SimulationError, match=r"'FROB\.X R7, .*' at 0x100") as caught:
        launch(SassProgram(module), "saxpy", 1, 32, [4, np.float32(1), y, y])
    assert caught.value.kind == "unsupported"
    assert "kernel.ptx (sm_90)" in str(caught.value)


def test_an_unknown_number_of_operands_stops_execution():
    module = machine_module(SAXPY, "sm_90")
    from nvvm_xdsl.dialects.llvm.types import string

    changed = next(op for op in code_of(module) if op.mnemonic == "FFMA")
    changed.properties["opcode"] = string("SEL")
    changed.properties["operands"] = ArrayAttr([string("R7")])
    y = np.zeros(4, np.float32)
    with pytest.raises(SimulationError, match="unknown machine instruction 'SEL R7"):
        launch(SassProgram(module), "saxpy", 1, 32, [4, np.float32(1), y, y])


def test_unknown_unreachable_code_is_allowed():
    module = machine_module(SAXPY, "sm_90")
    from nvvm_xdsl.dialects.llvm.types import string

    changed = next(op for op in code_of(module) if op.mnemonic == "FFMA")
    changed.properties["opcode"] = string("FROB.X")
    y = np.zeros(4, np.float32)
    launch(SassProgram(module), "saxpy", 1, 32, [0, np.float32(1), y, y])


def places(ptx: str, filename: str) -> dict[str, set[tuple[str | None, int | None]]]:
    """Returns file and line of the instructions of each mnemonic."""
    found: dict[str, set[tuple[str | None, int | None]]] = {}
    for op in code_of(machine_module(ptx, "sm_90", filename=filename, located=True)):
        found.setdefault(op.mnemonic, set()).add(place_of(op)[:2])
    return found


def test_instructions_have_the_lines_of_the_source_that_the_ptx_states():
    number = next(i for i, line in enumerate(SAXPY.splitlines()) if "st.global" in line)
    lines = SAXPY.splitlines()
    lines.insert(number, ".loc 1 42 0")
    stated = "\n".join([*lines, '.file 1 "/src/k.cu"', ""])
    assert places(stated, "k.ptx")["STG"] == {("/src/k.cu", 42)}


def test_instructions_of_other_ptx_have_its_lines(tmp_path: Path):
    path = tmp_path / "k.ptx"
    number = next(i for i, line in enumerate(SAXPY.splitlines(), 1) if "st.global" in line)
    assert places(SAXPY, str(path))["STG"] == {(str(path), number)}
