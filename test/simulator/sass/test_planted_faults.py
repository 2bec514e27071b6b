"""A fault in a row of each table of machine instructions changes the results of a launch, and the
fuzzer finds it if random kernels have such instructions."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from helpers.machine_launches import both

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.lab.fuzz import Options, try_seed
from nvvm_xdsl.lab.machine_simulation import why_no_machine_code
from nvvm_xdsl.simulator.sass import (
    control_flow,
    float_instructions,
    halves,
    integer_instructions,
    matrices,
    memory_instructions,
    moves,
    warp,
)
from nvvm_xdsl.simulator.sass.emitter import PREDICATES, Emitter, Value
from nvvm_xdsl.simulator.sass.segments import Code, Segment
from nvvm_xdsl.simulator.sass.table import INSTRUCTIONS

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

KERNEL = """\
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .b32 %r<20>; .reg .b64 %p; .reg .pred %q<4>; .reg .f32 %f<8>;
  .shared .align 16 .b8 tile[1024];
  ld.param.u64 %p, [x]; mov.u32 %r0, %tid.x; mad.wide.u32 %p, %r0, 16, %p;
  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%p];
  mov.u32 %r5, tile; mad.lo.u32 %r5, %r0, 16, %r5;
  st.shared.v4.b32 [%r5], {%r1, %r2, %r3, %r4}; bar.sync 0;
  ld.shared.b32 %r6, [%r5+4];
  lop3.b32 %r7, %r6, %r1, %r3, 0x1b;
  add.rn.f16x2 %r8, %r2, %r3;
  mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r4; fma.rn.f32 %f4, %f1, %f2, %f3; mov.b32 %r9, %f4;
  shfl.sync.bfly.b32 %r10, %r9, 5, 31, 0xffffffff;
  ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r11, %r12}, [%r5];
  mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r13, %r14}, {%r11, %r12}, {%r2}, {%r7, %r8};
  setp.lt.s32 %q1, %r0, 11; setp.lt.s32 %q2, %r1, 0; selp.b32 %r15, %r3, %r4, %q2;
  @%q1 bra $out;
BODY
$out:
  st.global.v4.b32 [%p], {%r7, %r8, %r10, %r15}; st.global.v2.b32 [%p+512], {%r13, %r14};
  ret;
}
""".replace("BODY", 16 * "  mad.lo.u32 %r15, %r15, %r3, %r4; xor.b32 %r15, %r15, %r1;\n")
"""The body after the branch is too long for predication."""

PLANTED = {
    "LOP3": integer_instructions,
    "FFMA": float_instructions,
    "HADD2": halves,
    "SEL": moves,
    "LDS": memory_instructions,
    "SHFL": warp,
    "HMMA": matrices,
}


def run() -> set[str]:
    """Returns the mnemonics of the kernel, whose results must equal those of the PTX."""
    x = np.random.default_rng(4).integers(-8, 8, 512).astype(np.float16).view(np.uint16)
    words = np.concatenate([x, x]).view(np.uint32)
    return both(KERNEL, "sm_90", threads=32, x=words)[2]


@cache
def mnemonics() -> frozenset[str]:
    """Returns the mnemonics of the machine code, whose results are right."""
    return frozenset(run())


def changed(op: InstructionOp, emitter: Emitter) -> None:
    """Executes an instruction, and changes a bit of the first register that it writes."""
    before = dict(emitter.current)
    ROWS[op.mnemonic](op, emitter)
    for name, value in emitter.current.items():
        if before.get(name) is value:
            continue
        if name.rstrip("0123456789") in PREDICATES:
            made = Value(b=emitter.assign(f"~{emitter.form(value, 'b')}"))
        else:
            made = Value(
                u4=emitter.assign(f"{emitter.form(value, 'u4')} ^ {emitter.number(1 << 12)}")
            )
        emitter.current[name] = made
        return


ROWS = dict(INSTRUCTIONS)


@pytest.mark.parametrize("mnemonic", PLANTED)
def test_a_changed_result_is_found(mnemonic: str, monkeypatch: pytest.MonkeyPatch):
    assert mnemonic in PLANTED[mnemonic].ROWS
    assert mnemonic in mnemonics()
    monkeypatch.setitem(INSTRUCTIONS, mnemonic, changed)
    with pytest.raises(AssertionError):
        run()


@pytest.fixture
def inverted_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Branches are taken by the wrong lanes."""
    row = control_flow.FLOW["BRA"]

    def inverted(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
        if emitter.guard is not None:
            emitter.guard = emitter.assign(f"~{emitter.guard}")
        return row(op, segment, code, emitter)

    monkeypatch.setitem(control_flow.FLOW, "BRA", inverted)


@pytest.mark.usefixtures("inverted_branches")
def test_a_branch_taken_by_the_wrong_lanes_is_found():
    with pytest.raises(AssertionError):
        run()


FUZZED = {
    "LOP3": integer_instructions,
    "I2F": float_instructions,
    "HADD2": halves,
    "SEL": moves,
    "LDG": memory_instructions,
    "SHFL": warp,
}
"""Random kernels have no instructions of `matrices` and `barrier_objects`."""

SEEDS = range(92_000_030, 92_000_070)


def fuzzer_finds_a_difference() -> bool:
    """Whether the machine code of a seed, at a level of ptxas, differs from its PTX."""
    options = Options(ptxas_levels=(0, 1, 2, 3))
    findings = (finding for seed in SEEDS for finding in try_seed(seed, options))
    return any(f.kind == "difference" and "(ptxas -O" in f.what for f in findings)


@pytest.mark.parametrize("mnemonic", FUZZED)
def test_the_fuzzer_finds_a_changed_result(mnemonic: str, monkeypatch: pytest.MonkeyPatch):
    assert mnemonic in FUZZED[mnemonic].ROWS
    monkeypatch.setitem(INSTRUCTIONS, mnemonic, changed)
    assert fuzzer_finds_a_difference()


@pytest.mark.usefixtures("inverted_branches")
def test_the_fuzzer_finds_branches_taken_by_the_wrong_lanes():
    assert fuzzer_finds_a_difference()
