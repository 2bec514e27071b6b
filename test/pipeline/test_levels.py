"""Passes over loops and over functions of machine code in the pass manager."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes import PASSES, register_pass
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.machine.base import MachineFunctionPass
from nvvm_xdsl.pipeline import Instruments, PassFailure, PassManager, print_nodes
from nvvm_xdsl.pipeline.build import build_pipeline
from nvvm_xdsl.pipeline.text import PipelineError

NEST = """
llvm.func @f(%c: i1) {
  llvm.br ^outer
^outer:
  llvm.br ^first
^first:
  llvm.cond_br %c, ^first, ^second
^second:
  llvm.cond_br %c, ^second, ^latch
^latch:
  llvm.cond_br %c, ^outer, ^exit
^exit:
  llvm.return
}
llvm.func @flat() {
  llvm.return
}
"""


def module_of(text=NEST):
    return parse(text, format="mlir")


@dataclass(frozen=True)
class VisitLoop(LoopPass):
    """Records the loops that it runs on; removes the backedge of the loop `cut`."""

    name = "test-visit-loop"
    tag: str = "a"
    cut: str = ""
    keeps: bool = False
    runs: ClassVar[list[tuple[str, str]]] = []

    def preserved(self):
        return PreservedAnalyses.of(LoopInfo) if self.keeps else PreservedAnalyses.none()

    def run_on_loop(self, loop, func, am):
        self.runs.append((self.tag, loop.header.name_hint))
        if loop.header.name_hint != self.cut:
            return False
        info = am.get(LoopInfo, func)
        branch = loop.latch().last_op
        target = next(b for b in fast.successors_of(branch) if b is not loop.header)
        fast.set_successors(branch, [target, target])
        if self.keeps:
            info.erase_loop(loop)
        return True


@dataclass(frozen=True)
class NewLoop(LoopPass):
    """Makes a loop of the last block, once, when it runs on `first`."""

    name = "test-new-loop"
    runs: ClassVar[list[str]] = []

    def run_on_loop(self, loop, func, am):
        self.runs.append(loop.header.name_hint)
        if loop.header.name_hint != "first":
            return False
        exit_block = func.body.blocks.last
        exit_block.name_hint = "exit"
        last = exit_block.last_op
        if last.name != "llvm.return":
            return False
        branch = loop.latch().last_op.clone()
        fast.erase(last)
        fast.append(exit_block, branch)
        second = next(b for b in func.body.blocks if b.name_hint == "second")
        fast.set_successors(branch, [exit_block, second])
        return True


@dataclass(frozen=True)
class VisitMachine(MachineFunctionPass):
    name = "test-visit-machine"
    runs: ClassVar[list[str]] = []

    def run_on_function(self, func, am):
        self.runs.append(func.symbol)
        return False


@pytest.fixture(autouse=True)
def _registered():
    for cls in (VisitLoop, NewLoop, VisitMachine):
        register_pass(cls)
        cls.runs.clear()
    yield
    for cls in (VisitLoop, NewLoop, VisitMachine):
        del PASSES[cls.name]


def loops_seen(text, module=None, **options):
    PassManager(text, Instruments(**options)).run(module or module_of())
    return VisitLoop.runs


def test_inner_loops_come_first_and_all_passes_run_on_one_before_the_next():
    assert loops_seen("loop(test-visit-loop<tag=a>,test-visit-loop<tag=b>)") == [
        ("a", "second"), ("b", "second"), ("a", "first"), ("b", "first"),
        ("a", "outer"), ("b", "outer"),
    ]  # fmt: skip


def test_loop_passes_are_nested_implicitly():
    text = print_nodes(build_pipeline("test-visit-loop,dce"))
    assert text == 'function(loop(test-visit-loop<tag=a;cut="";no-keeps>),dce)'
    assert print_nodes(build_pipeline("function(loop(test-visit-loop))")) == text[:-5] + ")"


def test_a_function_pass_is_not_allowed_in_a_loop_pipeline():
    with pytest.raises(PipelineError, match="unknown loop pass 'dce': it is a function pass"):
        build_pipeline("loop(dce)")


@pytest.mark.parametrize("keeps", ["keeps", "no-keeps"])
def test_a_removed_loop_is_skipped(keeps):
    seen = loops_seen(
        f"loop(test-visit-loop<cut=first;{keeps}>,test-visit-loop<tag=b>)", verify_each=True
    )
    assert [tag for tag, name in seen if name == "first"] == ["a"]
    assert [tag for tag, name in seen if name == "outer"] == ["a", "b"]


def test_new_loops_are_visited_once():
    PassManager("loop(test-new-loop)").run(module_of())
    assert sorted(NewLoop.runs) == ["exit", "first", "outer", "second"]


def test_a_loop_pass_runs_standalone():
    """As an unpatched xdsl-opt runs it: `run` over a module."""
    assert VisitLoop(cut="second").run(module_of(), AnalysisManager())
    assert [name for _, name in VisitLoop.runs] == ["second", "first", "outer"]


def test_a_loop_pass_without_changes_is_not_run_again_on_an_unchanged_function():
    text = "loop(test-visit-loop),loop(test-visit-loop)"
    assert len(loops_seen(text)) == 3
    VisitLoop.runs.clear()
    assert len(loops_seen(text.replace("),", "),test-visit-loop<cut=second>,"))) > 6


def test_repeat_in_a_loop_pipeline():
    assert len(loops_seen("loop(repeat<3>(test-visit-loop<cut=outer>))")) == 3


def test_a_failing_loop_pass_names_the_loop():
    @dataclass(frozen=True)
    class Failing(LoopPass):
        name = "test-failing-loop"

        def run_on_loop(self, loop, func, am):
            raise KeyError("lost")

    register_pass(Failing)
    try:
        with pytest.raises(PassFailure, match="failed on loop %second in f: KeyError: 'lost'"):
            PassManager("test-failing-loop").run(module_of())
    finally:
        del PASSES[Failing.name]


MACHINE = """
builtin.module {
  nvptx.func visible @m() {
    nvptx.ret
  }
  nvptx.func visible @n() {
    nvptx.ret
  }
}
"""


def test_machine_passes_run_on_functions_of_machine_code():
    for text in ("test-visit-machine", "machine-function(test-visit-machine)",
                 "function(machine-function(test-visit-machine))"):  # fmt: skip
        VisitMachine.runs.clear()
        nodes = build_pipeline(text)
        assert print_nodes(nodes) == "function(machine-function(test-visit-machine))"
        PassManager(nodes).run(module_of(MACHINE))
        assert VisitMachine.runs == ["m", "n"]


def test_machine_passes_skip_other_functions_and_vice_versa():
    PassManager("dce,test-visit-machine").run(module_of())
    assert VisitMachine.runs == []
    PassManager("dce,test-visit-machine").run(module_of(MACHINE))
    assert VisitMachine.runs == ["m", "n"]
    assert not list(functions_of(module_of(MACHINE)))
