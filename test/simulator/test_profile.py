"""Counts of a launch: instructions by warp and thread, sectors, bank conflicts, divergence.

Every number here is computed by hand from the kernel's text: two warps of 32 threads.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.profile_report import annotated, line_counts, report
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch, prepare
from nvvm_xdsl.simulator.execution.profile import CLASSES, Executed, Profile, Requests
from nvvm_xdsl.tools import nvvm_run

HEAD = """
@tile = internal addrspace(3) global [2048 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def kernel(body: str) -> str:
    return f"""{HEAD}
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
{body}
  ret void
}}
"""


def machine(text: str) -> ModuleOp:
    return select(nvvm_xdsl.parse(text), CodegenOptions.for_arch("sm_90"))


def profiled(module: ModuleOp, threads: int = 64) -> Profile:
    data = np.arange(4096, dtype=np.float32)
    result = launch(module, "k", 1, threads, [data, np.zeros(4096, np.float32)], counting=True)
    assert result.profile is not None
    return result.profile


def load(index: str, type_: str = "float", space: str = "1", base: str = "%in", align: int = 4):
    return f"""  %p = getelementptr float, ptr addrspace({space}) {base}, i64 {index}
  %v = load {type_}, ptr addrspace({space}) %p, align {align}
"""


@pytest.mark.parametrize("level", ["ir", "machine"])
@pytest.mark.parametrize(
    ("index", "type_", "align", "sectors"),
    [
        # 32 threads times 4 bytes are 4 sectors a warp; a stride of 2 accesses twice as many, one
        # of 8 a sector per thread; all threads at one address need one.
        ("%i", "float", 4, 8),
        ("%twice", "float", 4, 16),
        ("%eight", "float", 4, 64),
        ("0", "float", 4, 2),
        # 32 times 16 bytes.
        ("%four", "<4 x float>", 16, 32),
    ],
)
def test_sectors(level: str, index: str, type_: str, align: int, sectors: int):
    body = "".join(
        f"  %{name} = shl i64 %i, {n}\n" for n, name in ((1, "twice"), (2, "four"), (3, "eight"))
    )
    body += load(index, type_, align=align)
    body += f"  store {type_} %v, ptr addrspace(1) %out, align 16\n".replace("%out", "%q").replace(
        "  store", "  %q = getelementptr float, ptr addrspace(1) %out, i64 %four\n  store"
    )
    module = nvvm_xdsl.parse(kernel(body)) if level == "ir" else machine(kernel(body))
    profile = profiled(module)
    loads = [
        spaces["global"]
        for op, spaces in profile.memory().items()
        if op.name.endswith((".load", ".ld")) and "global" in spaces
    ]
    assert loads == [Requests(requests=2, sectors=sectors)]


@pytest.mark.parametrize(
    ("index", "type_", "align", "wavefronts", "conflicts"),
    [
        ("%i", "float", 4, 2, 0),
        # All threads read one word.
        ("0", "float", 4, 2, 0),
        # 32 words of one bank: 32 passes a warp, of which 31 are conflicts.
        ("%column", "float", 4, 64, 62),
        # Two threads a bank.
        ("%twice", "float", 4, 4, 2),
        # 16 bytes per thread: each quarter of a warp is a separate pass.
        ("%four", "<4 x float>", 16, 8, 0),
        ("%twice", "<2 x float>", 8, 4, 0),
    ],
)
def test_bank_conflicts(index: str, type_: str, align: int, wavefronts: int, conflicts: int):
    body = """  %low = and i64 %i, 31
  %column = shl i64 %low, 5
  %twice = shl i64 %i, 1
  %four = shl i64 %i, 2
""" + load(index, type_, "3", "@tile", align)
    (row,) = profiled(nvvm_xdsl.parse(kernel(body))).memory().values()
    assert row == {"shared": Requests(2, 0, wavefronts, conflicts)}


def test_local_memory_is_interleaved():
    """The words of the lanes are adjacent: one index for all lanes is 4 sectors a warp."""
    body = """  %slot = alloca [8 x float], align 4, addrspace(5)
  %p = getelementptr float, ptr addrspace(5) %slot, i64 3
  store float 1.0, ptr addrspace(5) %p, align 4
  %bank = and i64 %i, 1
  %q = getelementptr float, ptr addrspace(5) %slot, i64 %bank
  store float 1.0, ptr addrspace(5) %q, align 4
"""
    first, second = profiled(nvvm_xdsl.parse(kernel(body))).memory().values()
    assert first == {"local": Requests(2, 8)}
    assert second == {"local": Requests(2, 16)}


ROUNDS_OF_A_BLOCK = """  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %k, 1
  %more = icmp ule i32 %next, %ctaid
  br i1 %more, label %loop, label %done
done:"""


@pytest.mark.parametrize("grid", [1, 3])
def test_groups_of_threads_that_execute_together(grid: int):
    """The threads of block b run b + 1 iterations; half of each warp stores."""
    text = kernel(
        "  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        + ROUNDS_OF_A_BLOCK
        + DIVERGENT.replace("done", "end").replace("ult i32 %tid, 16", "ult i32 %tid, 32")
    )
    text = text.replace("define ", "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\ndefine ", 1)
    module = nvvm_xdsl.parse(text)
    out = np.zeros(4096, np.float32)
    result = launch(module, "k", grid, 64, [out.copy(), out], counting=True)
    assert result.profile is not None
    found = sorted(
        (
            runs[next(op for op in runs if op.name == "llvm.add")],
            threads,
            sum(op.name == "llvm.store" for op in runs),
        )
        for threads, runs in result.profile.groups()
    )
    assert found == [(block + 1, 32, 1) for block in range(grid) for _ in range(2)]


DIVERGENT = """  %few = icmp ult i32 %tid, 16
  br i1 %few, label %one, label %two
one:
  store float 1.0, ptr addrspace(1) %out, align 4
  br label %done
two:
  %q = getelementptr float, ptr addrspace(1) %out, i64 1
  store float 2.0, ptr addrspace(1) %q, align 4
  br label %done
done:"""


def test_divergence_and_lanes():
    """16 threads of the first warp take one successor, its other 16 and the second warp the other."""
    module = nvvm_xdsl.parse(kernel(DIVERGENT))
    profile = profiled(module)
    assert list(profile.divergent_branches().values()) == [1]
    stores = [row for op, row in profile.instructions().items() if op.name == "llvm.store"]
    assert sorted(stores, key=lambda row: row.warps) == [Executed(1, 16), Executed(2, 48)]
    # Code that all lanes execute: two warps.
    (done,) = (row for op, row in profile.instructions().items() if op.name == "llvm.return")
    assert done == Executed(2, 64)


def test_constants_of_the_ir_are_no_instructions():
    """Both warps: `call`, `zext`, `icmp`, `br`, `ret`; one `store`, `br`; both the other three."""
    profile = profiled(nvvm_xdsl.parse(kernel(DIVERGENT)))
    assert profile.total().warps == 2 * 5 + 2 + 2 * 3


def test_inline_assembly_counts_its_instructions():
    asm = "{ .reg .b32 %t; add.s32 %t, $1, 1; xor.b32 $0, %t, 5; }"
    body = f'  %x = call i32 asm sideeffect "{asm}", "=r,r"(i32 8)\n'
    before = profiled(machine(kernel(""))).by_class()
    after = profiled(machine(kernel(body))).by_class()
    assert after["arithmetic"].warps == before.get("arithmetic", Executed()).warps + 2 * 2


def test_a_uniform_branch_does_not_diverge():
    text = kernel(DIVERGENT.replace("ult i32 %tid, 16", "ult i32 %tid, 32"))
    assert profiled(nvvm_xdsl.parse(text)).divergent_branches() == {}


def test_an_incomplete_warp():
    profile = profiled(nvvm_xdsl.parse(kernel("")), threads=40)
    assert set(map(repr, profile.instructions().values())) == {repr(Executed(2, 40))}


LOOP = """  br label %head
head:
  %n = phi i32 [ 0, %0 ], [ %m, %head ]
  %m = add i32 %n, 1
  %again = icmp ult i32 %n, %tid
  br i1 %again, label %head, label %done
done:"""


def test_a_loop_counts_each_iteration():
    """Thread t runs t + 1 iterations; warp w runs until its last thread is done."""
    profile = profiled(nvvm_xdsl.parse(kernel(LOOP)))
    (row,) = (row for op, row in profile.instructions().items() if op.name == "llvm.add")
    assert row == Executed(warps=32 + 64, threads=sum(range(1, 65)))
    # In the last iteration of each warp all remaining lanes leave the loop together.
    assert list(profile.divergent_branches().values()) == [31 + 31]


def test_classes_of_machine_code():
    body = (
        load("%i")
        + """  %w = fmul float %v, %v
  %x = call float @llvm.nvvm.sqrt.approx.f(float %w)
  %q = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %x, ptr addrspace(1) %q, align 4
"""
    )
    module = machine(kernel(body) + "declare float @llvm.nvvm.sqrt.approx.f(float)\n")
    by_class = profiled(module).by_class()
    assert list(by_class) == [name for name in CLASSES if name in by_class]
    assert by_class["global"] == Executed(4, 128)
    assert by_class["special function"] == Executed(2, 64)
    assert by_class["param"] == Executed(4, 128)
    assert by_class["branch"] == Executed(2, 64)


def test_every_instruction_has_a_class():
    from nvvm_xdsl.dialects.nvptx import NVPTX, InstructionOp
    from nvvm_xdsl.simulator.instruction_classes import _MNEMONICS  # pyright: ignore

    words = {
        op.mnemonic.split(".")[0]
        for op in NVPTX.operations
        if issubclass(op, InstructionOp) and hasattr(op, "mnemonic")
    }
    assert set(_MNEMONICS.values()) <= set(CLASSES)
    # An entry of the table that is not a mnemonic would be a mistake.
    known = words | {op.name.removeprefix("nvptx.").rsplit(".", 1)[0] for op in NVPTX.operations}
    known |= {op.name.removeprefix("nvptx.") for op in NVPTX.operations}
    assert {m for m in _MNEMONICS if m not in known} == set()


def test_nothing_is_counted_without_a_request():
    module = nvvm_xdsl.parse(kernel(""))
    data = np.zeros(4, np.float32)
    assert launch(module, "k", 1, 1, [data, data]).profile is None
    program = prepare(module, counting=True)
    assert launch(program, "k", 1, 1, [data, data]).profile is not None


def test_annotated_source(tmp_path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "k.ll"
    path.write_text(kernel(DIVERGENT))
    arguments = ["--block", "64", "--arg", "f32[64]", "--arg", "f32[64]"]
    assert nvvm_run.main([str(path), "--annotate", "--profile-json", "-", *arguments]) == 0
    out = capsys.readouterr().out
    text, _, data = out.partition("\n{")
    lines = {
        line.partition("| ")[2].strip(): line.split("|")[0].split() for line in text.splitlines()
    }
    assert lines["store float 1.0, ptr addrspace(1) %out, align 4"] == ["1", "16.0", "1"]
    assert lines["store float 2.0, ptr addrspace(1) %q, align 4"] == ["2", "24.0", "2"]
    assert lines["br i1 %few, label %one, label %two"] == ["2", "32.0", "1"]
    found = json.loads("{" + data)
    assert found["branches"] == [{"divergent": 1}]
    counts = line_counts("{" + data, "k.json")[str(path)]
    source = path.read_text().splitlines()
    shown = {source[number - 1].strip(): values for number, values in counts.items()}
    assert shown["store float 1.0, ptr addrspace(1) %out, align 4"] == [1, 16, 1, 0, 0]
    assert shown["br i1 %few, label %one, label %two"] == [2, 64, 0, 0, 1]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"lines": [{"file": "a"}]}'])
def test_text_that_is_no_profile(text: str):
    with pytest.raises(DiagnosticError, match=r"k\.json.*not a profile"):
        line_counts(text, "k.json")


def test_the_report_adds_up():
    rows = report(profiled(nvvm_xdsl.parse(kernel(DIVERGENT))))["instructions"]
    *classes, total = rows
    assert total["class"] == "all"
    for column in ("warps", "threads"):
        assert sum(row[column] for row in classes) == total[column]


def test_lines_without_a_source_are_numbered():
    module = nvvm_xdsl.parse(kernel(DIVERGENT))
    assert annotated(profiled(module), {}).endswith("have no source line\n")
