"""Machine code weighted by execution counts: the flow that matches the counts of the PTX."""

from __future__ import annotations

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.driver.toolkit import find_program, find_ptxas
from nvvm_xdsl.lab.assembled import Kernel
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.machine_code import (
    MachineBlock,
    MachineFunction,
    MachineInstruction,
    parse_listing,
    with_line_table,
)
from nvvm_xdsl.lab.machine_counts import Group, LineCount, expected_opcode, weigh
from nvvm_xdsl.lab.measure import (
    Measurement,
    executable,
    instruction_places,
    machine_functions,
    measure,
)
from nvvm_xdsl.simulator import prepare

needs_disassembler = pytest.mark.skipif(
    find_ptxas() is None or find_program("nvdisasm") is None,
    reason="no ptxas or no nvdisasm: install nvvm-xdsl[cuda]",
)

LISTING = """\
	.section	.text.k,"ax",@progbits
k:
.text.k:
	//## File "kernel.ptx", line 10
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "kernel.ptx", line 11
        /*0010*/               @P0 EXIT ;
.L_x_1:
	//## File "kernel.ptx", line 12
        /*0020*/                   LDG.E R2, desc[UR4][R2.64] ;
        /*0030*/                   LDG.E R3, desc[UR4][R2.64+0x4] ;
	//## File "kernel.ptx", line 13
        /*0040*/               @P1 BRA `(.L_x_1) ;
	//## File "kernel.ptx", line 14
        /*0050*/                   CALL.REL.NOINC `($k$routine) ;
        /*0060*/                   EXIT ;
$k$routine:
        /*0070*/                   FFMA R7, R2, UR6, R7 ;
        /*0080*/                   RET.REL.NODEC R4 `(k) ;
.L_x_9:
        /*0090*/                   BRA `(.L_x_9);
        /*00a0*/                   NOP;
"""


def test_a_listing():
    (function,) = parse_listing(LISTING)
    assert function.name == "k"
    entry, loop, after, last, routine, trap, *_ = function.blocks
    assert [i.line for i in entry.instructions] == [10, 11]
    assert entry.leaves
    assert entry.successors == [1]
    assert loop.successors == [1, 2]
    assert not loop.leaves
    assert [i.opcode for i in loop.instructions] == ["LDG.E", "LDG.E", "BRA"]
    assert after.calls == [4]
    assert after.successors == [3]
    assert last.leaves
    assert last.successors == []
    assert routine.leaves
    assert routine.successors == []
    assert trap.successors == [5]


def test_indirect_calls_may_have_any_routine_as_target():
    text = LISTING.replace("CALL.REL.NOINC `($k$routine)", "CALL.REL.NOINC R14 `(k)")
    (function,) = parse_listing(text)
    assert function.blocks[2].calls == [4]


def test_a_line_table_does_not_change_the_lines():
    ptx = '.file 1 "a.cu"\n{\n.loc 1 3 0\n\tadd.s32 %r1, %r2, 1;\nL: ret;\n}'
    text = with_line_table(ptx, [(4, 2), (5, 4)])
    assert "a.cu" not in text
    assert ".loc 1 3 0" not in text
    assert "\t\n.loc 1 4 0\nadd.s32" in text
    assert "L: \n.loc 1 5 0\nret;" in text


@pytest.mark.parametrize(
    ("ptx", "sass", "is_one"),
    [
        ("ld.global.v4.f32", "LDG.E.128", True),
        ("ld.global.nc.f32", "LDG.E.CONSTANT", True),
        ("st.shared.b32", "STS", True),
        ("fma.rn.f32", "FFMA", True),
        ("fma.rn.f32", "FMUL", False),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "HMMA.16816.F32", True),
    ],
)
def test_anchors(ptx: str, sass: str, is_one: bool):
    expected = expected_opcode(ptx)
    assert expected is not None
    assert (expected.match(sass) is not None) == is_one


def test_ptx_without_a_single_instruction_is_no_anchor():
    for opcode in ("add.s64", "div.rn.f32", "mov.b32", "cvt.rn.f32.s32", "ld.param.b64"):
        expected = expected_opcode(opcode)
        assert expected is None or expected.match("LDC") is None


def block(opcodes: str, line: int, successors: list[int], leaves: bool = False) -> MachineBlock:
    rows = [MachineInstruction(0, "", opcode, "", line) for opcode in opcodes.split()]
    return MachineBlock("", rows, successors, leaves)


def unrolled() -> MachineFunction:
    """A loop that ptxas unrolled by four, with a remainder loop."""
    return MachineFunction(
        "k",
        [
            block("MOV", 1, [1, 2]),
            block("LDG LDG LDG LDG BRA", 2, [1, 2]),
            block("NOP2 BRA", 3, [3, 4]),
            block("LDG BRA", 2, [3, 4]),
            block("EXIT", 4, [], leaves=True),
        ],
    )


def test_an_unrolled_loop():
    """103 iterations of 32 threads: 25 times four, and three."""
    lines = {2: LineCount("ld.global.f32", 103 * 32, 103)}
    found = weigh(unrolled(), lines, entries=32)
    assert found.deviation == 0
    # The unrolled body runs as often as possible: fewer instructions for the same loads.
    assert found.blocks[1] * 4 + found.blocks[3] == pytest.approx(103 * 32)
    assert found.blocks[1] == pytest.approx(103 * 32 / 4)
    assert [found.blocks[0], found.blocks[4]] == pytest.approx([32, 32])


def wide_loop() -> MachineFunction:
    """A loop that ptxas unrolled by four, with one load for all."""
    return MachineFunction(
        "k",
        [
            block("MOV", 1, [1]),
            block("LDS.128 BRA", 2, [1, 2]),
            block("EXIT", 4, [], leaves=True),
        ],
    )


def test_a_wider_load_represents_several_iterations():
    lines = {2: LineCount("ld.shared.f32", 100 * 32, 100)}
    found = weigh(wide_loop(), lines, entries=32)
    assert found.deviation == 0
    assert found.blocks[1] == pytest.approx(25 * 32)


def test_a_wider_load_represents_neighbours_of_one_iteration():
    lines = {line: LineCount("ld.shared.f32", 100 * 32, 100) for line in (2, 5, 6, 7)}
    found = weigh(wide_loop(), lines, entries=32)
    assert found.deviation == 0
    assert found.blocks[1] == pytest.approx(100 * 32)


def test_a_load_of_equal_width_represents_itself():
    lines = {2: LineCount("ld.shared.v2.b64", 100 * 32, 100)}
    assert weigh(wide_loop(), lines, entries=32).blocks[1] == pytest.approx(100 * 32)


def test_an_inconsistent_count_is_reported():
    function = MachineFunction("k", [block("LDG", 2, [1]), block("STG EXIT", 3, [], leaves=True)])
    lines = {2: LineCount("ld.global.f32", 32, 1), 3: LineCount("st.global.f32", 64, 2)}
    found = weigh(function, lines, entries=32)
    assert found.deviation == pytest.approx(32 / 96)


def test_a_guard_may_exclude_threads():
    function = MachineFunction("k", [block("LDG EXIT", 2, [], leaves=True)])
    guarded = {2: LineCount("ld.global.f32", 5, 1, guarded=True)}
    assert weigh(function, guarded, entries=32).deviation == 0
    plain = {2: LineCount("ld.global.f32", 5, 1)}
    assert weigh(function, plain, entries=32).deviation > 0


def sized(size: int, line: int, loads: int, successors: list[int], leaves: bool = False):
    """A block of N instructions: loads of a line, or an addition of it, and moves."""
    found = block(" ".join(["LDG"] * loads or ["IADD3"]), line, successors, leaves)
    moves = size - len(found.instructions)
    found.instructions += [MachineInstruction(0, "", "MOV", "", line) for _ in range(moves)]
    return found


def row_sum(main: int) -> MachineFunction:
    """ptxas 13.0's code for sm_100a of the sum of a row, unrolled by 16 in the PTX.

    Line 1 is the start, `main` the loads of the loop by 16 and line 3 those of the remainder loop, which
    ptxas unrolls by 4, then 2, then 1.
    """
    return MachineFunction(
        "row_sum",
        [
            sized(9, 1, 0, [12, 1]),
            sized(5, 4, 0, [5, 2]),
            sized(6, 0, 0, [3]),
            sized(37, main, 16 if main == 3 else 1, [3, 4]),
            sized(2, 0, 0, [12, 5]),
            sized(9, 6, 0, [8, 6]),
            sized(2, 0, 0, [7]),
            sized(15, 3, 4, [7, 8]),
            sized(3, 0, 0, [10, 9]),
            sized(10, 3, 2, [10]),
            sized(4, 0, 0, [12, 11]),
            sized(2, 3, 1, [12]),
            sized(4, 5, 0, [], leaves=True),
        ],
    )


def row_sum_blocks(n: int) -> list[int]:
    """How often one thread runs the blocks of `row_sum`, by the conditions of the code."""
    wide, left = divmod(n, 16)
    some, rest, few = n > 0, left > 0, left > 3
    return [
        1, some, wide > 0, wide, wide > 0, rest, few, left // 4, rest, left % 4 > 1, rest, left % 2, 1,
    ]  # fmt: skip


def row_sum_lines(n: int, main: int) -> dict[int, int]:
    """How often one thread runs the lines of PTX of `row_sum`."""
    rounds = {3: n} if main == 3 else {main: n // 16, 3: n % 16}
    return {1: 1, 4: 1, 5: 1, 6: int(n % 16 > 0), **rounds}


def counts_of(groups: list[Group]) -> dict[int, LineCount]:
    names = ("mov.b32", "ld.global.f32", "ld.global.f32", "add.s32", "add.s32", "add.s32")
    opcodes = dict(enumerate(names, 1))
    threads = {line: sum(g.threads * g.runs.get(line, 0) for g in groups) for line in opcodes}
    return {line: LineCount(opcodes[line], n, n // 32) for line, n in threads.items()}


@pytest.mark.parametrize(
    ("n", "executed"), [(1, 36), (7, 63), (15, 93), (16, 63), (23, 108), (37, 135), (61, 202)]
)
def test_a_remainder_loop_that_ptxas_unrolls(n: int, executed: int):
    """Each count is of whole iterations, and no loop runs without being entered."""
    groups = [Group(128, row_sum_lines(n, 2))]
    found = weigh(row_sum(2), counts_of(groups), 128, groups)
    assert found.blocks == [128 * runs for runs in row_sum_blocks(n)]
    assert found.warps == pytest.approx(4 * executed)
    assert (found.deviation, found.spread) == (0, 0)


@pytest.mark.parametrize("n", [23, 37, 61])
def test_a_count_that_the_ptx_does_not_determine_has_bounds(n: int):
    """16 iterations may be one of the large body or four of the smaller one."""
    groups = [Group(32, row_sum_lines(n, 3))]
    found = weigh(row_sum(3), counts_of(groups), 32, groups)
    assert found.blocks == [32 * runs for runs in row_sum_blocks(n)]
    assert found.spread > 0.05
    assert found.deviation == 0


def test_a_loop_at_the_start_is_entered_by_the_kernel():
    function = MachineFunction(
        "k", [block("LDG BRA", 2, [0, 1]), block("EXIT", 0, [], leaves=True)]
    )
    groups = [Group(32, {2: 10})]
    found = weigh(function, {2: LineCount("ld.global.f32", 320, 10)}, 32, groups)
    assert found.blocks == [320, 32]
    assert found.deviation == 0


def test_groups_of_threads():
    groups = [Group(16, row_sum_lines(5, 2)), Group(48, row_sum_lines(37, 2))]
    found = weigh(row_sum(2), counts_of(groups), 64, groups)
    both = zip(row_sum_blocks(5), row_sum_blocks(37))
    assert found.blocks == [16 * a + 48 * b for a, b in both]
    assert found.spread == 0


def test_with_too_many_groups_the_count_has_bounds():
    groups = [Group(1, row_sum_lines(n, 2)) for n in range(1, 33)]
    found = weigh(row_sum(2), counts_of(groups), 32, groups)
    sizes = [len(b.instructions) for b in row_sum(2).blocks]
    exact = sum(s * sum(row_sum_blocks(n)[i] for n in range(1, 33)) for i, s in enumerate(sizes))
    assert found.spread > 0
    assert found.threads <= exact <= found.threads * (1 + found.spread)


@pytest.mark.parametrize(
    ("most", "deviation", "text"),
    [
        (1234.0, 0.0, "1,234"),
        (1500.0, 0.0, "1,234 to 1,500"),
        (float("inf"), 0.0, "1,234 or more"),
        (1234.0, 0.2, "~1,234"),
    ],
)
def test_an_uncertain_count_is_marked(most: float, deviation: float, text: str):
    static = Kernel(registers=8, instructions=100, spills=0, local=0, loop_loads=0)
    row = Measurement(static, machine_warps=1234.0, machine_most=most, deviation=deviation)
    assert row.machine_text() == text
    assert row.trusted == (text == "1,234")


def predicated(opcode: str, line: int) -> MachineInstruction:
    return MachineInstruction(0, "P1", opcode, "", line)


def test_only_predicated_copies_execute_less_often_than_their_block():
    """A line that ptxas kept in only one of the copies does not increase the iteration count."""
    loop = block("LDG LDG LDG LDG", 2, [1, 2])
    loop.instructions.append(MachineInstruction(0, "", "LDG", "", 3))
    rest = MachineBlock("", [predicated("LDG", 2), predicated("LDG", 3)], [3])
    function = MachineFunction(
        "k", [block("MOV", 1, [1]), loop, rest, block("EXIT", 4, [], leaves=True)]
    )
    lines = {line: LineCount("ld.global.f32", 16 * 32, 16) for line in (2, 3)}
    found = weigh(function, lines, entries=32)
    assert found.blocks[1] == pytest.approx(4 * 32)
    assert found.deviation == pytest.approx((512 - 128 - 32) / 1024)


def test_a_loop_is_entered():
    """Anchors also fit an unreachable loop; the lines before it show that it is entered."""
    function = MachineFunction(
        "k",
        [
            block("MOV", 1, [1, 3]),
            MachineBlock("", [MachineInstruction(0, "", op, "", 5 + i) for i, op in enumerate(("LEA", "SHL", "SEL"))], [2]),
            block("LDG BRA", 2, [2, 3]),
            block("EXIT", 4, [], leaves=True),
        ],
    )  # fmt: skip
    before = {line: LineCount("add.s32", 32, 1) for line in (5, 6, 7)}
    found = weigh(function, {2: LineCount("ld.global.f32", 320, 10), **before}, entries=32)
    assert found.blocks == pytest.approx([32, 32, 320, 32])


def test_active_lanes_of_a_block_with_guarded_instructions():
    """A guarded store and the instruction moved next to it do not reduce the lanes of a full warp."""
    body = MachineBlock(
        "",
        [
            MachineInstruction(0, "", "IADD3", "", 1),
            MachineInstruction(0, "", "LEA", "", 2),
            predicated("STG", 3),
            MachineInstruction(0, "", "EXIT", "", 4),
        ],
        [],
        leaves=True,
    )
    lines = {
        1: LineCount("add.s32", 32, 1),
        2: LineCount("add.s64", 1, 1),
        3: LineCount("st.global.f32", 1, 1),
    }
    assert weigh(MachineFunction("k", [body]), lines, entries=32).warps == pytest.approx(4)
    # An anchor without a predicate has not moved: few threads execute all of it.
    body.instructions[2] = MachineInstruction(0, "", "STG", "", 3)
    assert weigh(MachineFunction("k", [body]), lines, entries=1).warps == pytest.approx(4)


def test_active_lanes_at_a_reconvergence_point():
    """The last instruction of a region for one thread belongs to a line of that region."""
    function = MachineFunction(
        "k",
        [
            block("LDG ISETP BRA", 1, [1, 2]),
            block("STG", 2, [2]),
            block("BSYNC", 2, [3]),
            block("EXIT", 0, [], leaves=True),
        ],
    )
    lines = {1: LineCount("ld.global.f32", 32, 1), 2: LineCount("st.global.f32", 1, 1)}
    assert weigh(function, lines, entries=32).warps == pytest.approx(3 + 1 + 1 + 1)


SUM = """
define ptx_kernel void @sum(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %at = zext i32 %k to i64
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %v = load float, ptr addrspace(1) %p
  %t = fadd float %s, %v
  %next = add nuw i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %t, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.mark.slow
@needs_disassembler
@pytest.mark.parametrize("rounds", [1, 7, 100])
def test_a_kernel_with_a_loop(rounds: int):
    ptx = nvvm_xdsl.compile(SUM, arch="sm_90")
    source = prepare(nvvm_xdsl.parse(SUM))
    data = np.ones(128, np.float32)
    launch = Launch("sum", 1, 64, (data, np.zeros(64, np.float32), rounds))
    found = measure(ptx, "sm_90", [launch], source)["sum"]
    assert found.deviation == 0
    # Two warps load once per iteration; ptxas unrolls, so that the number of instructions is below
    # that of the PTX.
    loads = [
        i
        for function in machine_functions(executable(ptx, source), "sm_90").values()
        for b in function.blocks
        for i in b.instructions
        if i.opcode.startswith("LDG")
    ]
    assert loads
    assert found.memory["global"].requests == 2 * rounds + 2
    assert 2 * rounds * 2 <= found.machine_warps <= found.executed.warps + 2 * len(loads) + 64
    assert found.machine_threads == pytest.approx(32 * found.machine_warps)


@needs_disassembler
def test_every_instruction_has_a_line():
    ptx = nvvm_xdsl.compile(SUM, arch="sm_90")
    ready = executable(ptx, prepare(nvvm_xdsl.parse(SUM)))
    lines = {line for line, _ in instruction_places(ready.module)}
    texts = ptx.splitlines()
    for line in lines:
        assert texts[line - 1].strip().endswith((";", ":"))
    (function,) = machine_functions(ready, "sm_90").values()
    used = {i.line for b in function.blocks for i in b.instructions if i.opcode.startswith("LDG")}
    assert {texts[line - 1].split()[0] for line in used} == {"ld.global.f32"} or {
        texts[line - 1].split()[0] for line in used
    } == {"ld.global.nc.f32"}
