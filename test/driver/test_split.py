"""Split compilation: the same PTX with any number of workers."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from helpers.faults import die, fail, refuse
from xdsl.dialects.builtin import ModuleOp

from dev.split_equality import COUNTS, compared, try_source
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver import split, workers
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.instrumentation import Instruments
from nvvm_xdsl.tools import nvvm_cc

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

TWO = """\
define ptx_kernel void @a(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @b(ptr %p, i32 %n) {
  %m = mul i32 %n, 3
  store i32 %m, ptr %p
  ret void
}
"""


@pytest.fixture(autouse=True)
def _processors(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "processors", lambda: 2)


def several(path: Path) -> bool:
    return len(list(functions_of(parse(path)))) > 1


FILES = sorted(EXAMPLES.glob("*.ll")) + sorted((ROOT / "test/corpus/numba").glob("*.cc90.ll"))


def check_file(path: Path, level: int, counts: tuple[int, ...] = COUNTS) -> None:
    assert not compared(parse(path), CompileOptions(opt_level=level, debug="full"), counts)


@pytest.mark.parametrize(
    ("name", "level"), [("reduction.O0.ll", 0), ("device_function.ll", 1), ("printf.ll", 0)]
)
def test_an_example_has_the_same_ptx(name: str, level: int):
    check_file(EXAMPLES / name, level)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES[::9], ids=lambda path: path.name)
def test_files_have_the_same_ptx(path: Path):
    if several(path):
        check_file(path, 1, (1, 3))


@pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=[pytest.mark.slow] if n > 100 else []) for n in (2, 5, 101, 103)]
)
def test_random_modules_have_the_same_ptx(seed: int):
    assert set(try_source(seed, "sm_90").values()) == {"equal"}


def test_differences_are_reported(monkeypatch: pytest.MonkeyPatch):
    """The joined module lacks one function, for two workers."""
    join = split.join
    faults = iter((False, True))

    def wrong(*arguments: Any) -> ModuleOp | None:
        machine = join(*arguments)
        assert machine is not None
        if next(faults):
            fast.detach(machine.body.block.first_op)
        return machine

    monkeypatch.setattr(split, "join", wrong)
    assert compared(parse(TWO), CompileOptions(opt_level=0), (1, 2)) == (2,)


def test_worker_processes_compile_whole_modules():
    """The whole compilation, in separate processes."""
    options = CompileOptions(split_compile=2, opt_level=1)
    reported: list[str] = []
    for name in ("vectors.O0.ll", "reduction.O0.ll"):
        stages: dict[str, float] = {}
        found = compile_modules(
            [parse(EXAMPLES / name)], options, remark=reported.append, stages=stages
        )
        assert "workers" in stages
        assert found == compile_modules([parse(EXAMPLES / name)], CompileOptions(opt_level=1))
    assert not any(text.startswith("warning") for text in reported)


def test_errors_of_split_compilation_equal_those_of_one_process():
    text = TWO.replace("mul i32 %n, 3", 'call i32 asm "$9", "=r,r"(i32 %n)')
    messages: list[str] = []
    for count in (1, 2):
        with pytest.raises(DiagnosticError) as caught:
            compile_modules([parse(text)], CompileOptions(split_compile=count))
        messages.append(caught.value.render())
    assert messages[0] == messages[1]


def test_a_killed_worker_costs_only_time(monkeypatch: pytest.MonkeyPatch):
    want = compile_modules([parse(TWO)], CompileOptions())
    monkeypatch.setattr(split, "compile_batch", die)
    reported: list[str] = []
    found = compile_modules([parse(TWO)], CompileOptions(split_compile=2), remark=reported.append)
    assert found == want
    (warning,) = [text for text in reported if text.startswith("warning: ")]
    assert "killed" in warning


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        (fail, "KeyError: 'no such thing'"),
        (refuse, "a worker process rejected the module (this will not do)"),
    ],
)
def test_a_failing_worker_is_reported(fault: object, what: str, monkeypatch: pytest.MonkeyPatch):
    want = compile_modules([parse(TWO)], CompileOptions())
    monkeypatch.setattr(split, "compile_batch", fault)
    reported: list[str] = []
    found = compile_modules([parse(TWO)], CompileOptions(split_compile=2), remark=reported.append)
    assert found == want
    (warning,) = [text for text in reported if text.startswith("warning: ")]
    assert what in warning


def test_a_time_limit():
    with pytest.raises(DiagnosticError, match=r"longer than its limit of 0\.001 s"):
        compile_modules([parse(TWO)], CompileOptions(time_limit=0.001))
    # No temporary state remains.
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert compile_modules([parse(TWO)], CompileOptions(time_limit=1000.0))
    with pytest.raises(DiagnosticError, match="expected a time limit between 0 and"):
        CompileOptions(time_limit=0)


def test_the_number_of_workers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "processors", lambda: 4)
    assert workers.worker_count(8, 100) == 4
    assert workers.worker_count(3, 100) == 3
    assert workers.worker_count(0, 100) == 4
    assert workers.worker_count(0, 2) == 2
    assert workers.worker_count(5, 0) == 1
    monkeypatch.setattr(workers, "_in_worker", True)
    assert workers.worker_count(5, 100) == 1


def test_one_function_needs_no_worker(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(workers, "shared_pool", None)
    one = TWO[: TWO.index("define ptx_kernel void @b")]
    assert ".entry a" in compile_modules([parse(one)], CompileOptions(split_compile=2))


def test_phases_are_reported(capsys: pytest.CaptureFixture[str]):
    instruments = Instruments(debug_pass_manager=True)
    for count, word in ((1, "No"), (2, "Yes")):
        compile_modules([parse(TWO)], CompileOptions(split_compile=count), instruments=instruments)
        lines = capsys.readouterr().err.splitlines()
        assert lines.index("Phase I") < lines.index(f"Phase II Concurrent={word}")


CLASHING = """\
define internal void @"f.1"() noinline {
  call void asm sideeffect "// 1", ""()
  ret void
}
define internal void @"f_$_1"() noinline {
  call void asm sideeffect "// 2", ""()
  ret void
}
define void @g() {
  call void @"f.1"()
  call void @"f_$_1"()
  ret void
}
"""
UNIQUE = TWO.replace(
    "%m = mul i32 %n, 3", '%m = call i32 asm "L${:uid}: mov.b32 $0, $1;", "=r,r"(i32 %n)'
)
BY_VALUE = """\
%s = type { i32, i32 }
define void @device(ptr %p) {
  ret void
}
define ptx_kernel void @k(ptr byval(%s) %p) {
  call void @device(ptr %p)
  ret void
}
"""


@pytest.mark.parametrize("text", [CLASHING, UNIQUE, BY_VALUE], ids=["names", "unique", "by value"])
def test_a_module_of_dependent_functions_is_not_split(text: str):
    assert not split.can_split(parse(text))
    assert split.can_split(parse(TWO))
    want = compile_modules([parse(text)], CompileOptions(opt_level=0))
    found = compile_modules([parse(text)], CompileOptions(opt_level=0, split_compile=2))
    assert found == want


def test_a_split_module_has_one_function_and_its_references():
    text = TWO + (
        "@v = internal addrspace(1) global ptr @c\n"
        "define internal void @c() {\n  ret void\n}\n"
        "define void @d() {\n  store ptr null, ptr addrspace(1) @v\n  ret void\n}\n"
        "declare void @e()\n"
    )
    module = parse(text)
    batches = split.split(module, 8)
    assert sorted(n for batch in batches for n in batch.functions) == [0, 1, 2, 3]
    weights = [batch.weight for batch in batches]
    assert weights == sorted(weights, reverse=True)
    (data,) = [batch.data for batch in batches if 3 in batch.functions]
    ops, heads = split.unpack(data)
    found = {op.properties["sym_name"].data: op for op in ops[-heads[-1].count :]}
    assert {"v", "c", "d"} <= found.keys() | {"v"}
    defined = [n for n, op in found.items() if op.name == "llvm.func" and op.regions[0].blocks]
    assert len(defined) == 1


def test_library_routines_are_added_once():
    """Both functions divide by the same routine, which each split module contains."""
    text = "".join(
        f"define i128 @{name}(i128 %a, i128 %b) {{\n  %q = udiv i128 %a, %b\n  ret i128 %q\n}}\n"
        for name in ("x", "y", "z")
    )
    options = CompileOptions(opt_level=0)
    assert compared(parse(text), options, (8,)) == ()
    want = compile_modules([parse(text)], options)
    assert want.count(") __nv_udiv128(") <= 2


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    path = tmp_path / "two.ll"
    path.write_text(TWO)
    outputs: list[str] = []
    for words in ([], ["-split-compile=2"], ["--threads", "2"], ["-split-compile", "0"]):
        assert nvvm_cc.main([str(path), *words]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 1
    assert nvvm_cc.main([str(path), "-split-compile=-1"]) == 1
    assert "expected a number of processes" in capsys.readouterr().err
