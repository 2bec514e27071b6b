"""Running pipelines: order of passes, phases, failures, and instruments."""

import io
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import pytest
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import CallOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import PreservedAnalyses
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass, NvvmPass
from nvvm_xdsl.pipeline import Instruments, PassFailure, PassManager
from nvvm_xdsl.pipeline.build import NestNode, PassNode, RepeatNode, build_pipeline
from nvvm_xdsl.pipeline.instrumentation import Watcher
from nvvm_xdsl.pipeline.registry import ANALYSES
from nvvm_xdsl.pipeline.yaml_remarks import remark_yaml, write_remarks

TWO = """
llvm.func @one(%x: i32) -> i32 {
  %a = llvm.add %x, %x : i32
  llvm.return %a : i32
}
llvm.func @two(%x: i32) -> i32 {
  %dead = llvm.mul %x, %x : i32
  llvm.return %x : i32
}
"""


def module_of(text: str = TWO) -> ModuleOp:
    return parse(text, format="mlir")


@dataclass(frozen=True)
class Log(FunctionPass):
    """Records the functions that it runs on, and reports a change for the first N runs."""

    name = "test-log"
    idempotent = False
    runs: ClassVar[list[tuple[str, str]]] = []
    tag: str = "log"
    changes: int = 0
    count: Counter[str] = field(default_factory=Counter, compare=False, hash=False)

    def run_on_function(self, func, am):
        self.runs.append((self.tag, func.sym_name.data))
        self.count[func.sym_name.data] += 1
        return self.count[func.sym_name.data] <= self.changes


@dataclass(frozen=True)
class LogModule(NvvmPass):
    name = "test-log-module"
    idempotent = False
    tag: str = "module"
    changes: bool = False

    def run(self, module, am):
        Log.runs.append((self.tag, "module"))
        return self.changes


@pytest.fixture(autouse=True)
def _empty_log():
    Log.runs.clear()


def function(*passes):
    return NestNode("function", [PassNode(p) for p in passes])


def run(*nodes, module=None, **options):
    stream = io.StringIO()
    instruments = Instruments(**options)
    manager = PassManager(list(nodes), instruments, Watcher(instruments, stream))
    changed = manager.run(module or module_of())
    return changed, stream.getvalue(), manager


def test_all_passes_of_a_group_run_on_one_function_before_the_next():
    run(function(Log(tag="a"), Log(tag="b")))
    assert Log.runs == [("a", "one"), ("b", "one"), ("a", "two"), ("b", "two")]


def test_a_pass_that_changed_nothing_is_not_run_again():
    changed, _, _ = run(function(Log(tag="a"), Log(tag="a")), function(Log(tag="a")))
    assert Log.runs == [("a", "one"), ("a", "two")]
    assert not changed


def test_after_a_change_every_pass_runs_again():
    run(function(Log(tag="a"), Log(tag="b", changes=1), Log(tag="a"), Log(tag="b", changes=1)))
    assert [tag for tag, name in Log.runs if name == "one"] == ["a", "b", "a", "b"]


def test_an_idempotent_pass_is_run_again_after_a_change_of_another():
    @dataclass(frozen=True)
    class Idempotent(Log):
        name = "test-idempotent"
        idempotent = True

    a, b = Idempotent(tag="a", changes=9), Idempotent(tag="b", changes=1)
    run(function(a, a, b, a, b))
    assert [tag for tag, name in Log.runs if name == "one"] == ["a", "b", "a", "b"]


def test_a_covered_pass_is_not_run_after_the_pass_that_covers_it():
    @dataclass(frozen=True)
    class Covered(Log):
        name = "test-covered"
        covered_by = frozenset({"test-log"})

    first, second = Covered(tag="first"), Covered(tag="second")
    covering, other = Log(tag="covering", changes=1), Log(tag="other", changes=9)
    run(function(covering, first, covering, second, other, second))
    # After its first run the pass that covers has changed something and is not idempotent.
    tags = [tag for tag, name in Log.runs if name == "one"]
    assert tags == ["covering", "first", "covering", "other", "second"]


def test_a_module_pass_is_run_again_after_a_change_of_any_function():
    quiet = PassNode(LogModule(tag="m"))
    run(quiet, quiet, function(Log(tag="f", changes=1)), quiet, function(Log(tag="g")), quiet)
    assert [tag for tag, _ in Log.runs] == ["m", "f", "f", "m", "g", "g"]


def test_a_module_pass_that_changed_something_is_run_again_unless_it_is_idempotent():
    @dataclass(frozen=True)
    class Steady(LogModule):
        name = "test-steady-module"
        idempotent = True

    steady = PassNode(Steady(tag="s", changes=True))
    unsteady = PassNode(LogModule(tag="u", changes=True))
    run(steady, steady, unsteady, unsteady, steady)
    assert [tag for tag, _ in Log.runs] == ["s", "u", "u", "s"]


def test_analyses_are_kept_while_passes_preserve_them():
    """Counts constructions of DominatorTree: once for each function and each change that invalidates it."""

    @dataclass(frozen=True)
    class Asking(Log):
        name = "test-asking"
        keeps: str = "nothing"

        def preserved(self):
            return {
                "nothing": PreservedAnalyses.none(),
                "cfg": PreservedAnalyses.cfg(),
                "tree": PreservedAnalyses.of(DominatorTree),
                "tree and graph": PreservedAnalyses.of(DominatorTree, CFG),
                "all": PreservedAnalyses.all(),
            }[self.keeps]

        def run_on_function(self, func, am):
            am.get(DominatorTree, func)
            return super().run_on_function(func, am)

    def builds(keeps, changes):
        group = function(Asking(tag="a", keeps=keeps, changes=changes), Asking(tag="b"))
        return run(group)[2].am.builds["DominatorTree"]

    assert builds("nothing", 0) == 2
    assert builds("nothing", 1) == 4
    assert builds("cfg", 1) == 2
    # The tree is dropped with the graph that it was built from.
    assert builds("tree", 1) == 4
    assert builds("tree and graph", 1) == 2
    assert builds("all", 1) == 2


def test_a_change_of_one_function_keeps_the_others_analyses():
    @dataclass(frozen=True)
    class Once(Log):
        name = "test-once"

        def run_on_function(self, func, am):
            am.get(DominatorTree, func)
            return func.sym_name.data == "one" and super().run_on_function(func, am)

    _, _, manager = run(function(Once(changes=1)), function(Once(tag="again")))
    assert manager.am.builds["DominatorTree"] == 3


def test_the_epoch_counts_only_for_the_changed_function():
    @dataclass(frozen=True)
    class First(Log):
        name = "test-first"

        def run_on_function(self, func, am):
            super().run_on_function(func, am)
            return func.sym_name.data == "one"

    same = Log(tag="a")
    run(function(same), function(First(tag="x")), function(same))
    assert [name for tag, name in Log.runs if tag == "a"] == ["one", "two", "one"]


def test_a_pass_with_other_parameters_is_another_pass():
    run(function(Log(tag="a", changes=0), Log(tag="a", changes=-1)))
    assert [tag for tag, name in Log.runs if name == "one"] == ["a", "a"]


def test_a_module_pass_that_changed_something_invalidates_all_functions():
    same = Log(tag="a")
    run(function(same), PassNode(LogModule()), function(same))
    assert len([r for r in Log.runs if r[0] == "a"]) == 2
    Log.runs.clear()
    run(function(same), PassNode(LogModule(changes=True)), function(same))
    assert len([r for r in Log.runs if r[0] == "a"]) == 4


def test_repeat_and_devirt():
    run(RepeatNode(3, [PassNode(LogModule(changes=True))]))
    assert len(Log.runs) == 3
    Log.runs.clear()
    # Changes without new direct calls do not cause another run.
    run(RepeatNode(5, [PassNode(LogModule(changes=True))], until_stable=True))
    assert len(Log.runs) == 1


DEVIRT = """
llvm.func @f(%p: !llvm.ptr) {
  llvm.call %p() : !llvm.ptr, () -> ()
  llvm.call %p() : !llvm.ptr, () -> ()
  llvm.call %p() : !llvm.ptr, () -> ()
  llvm.return
}
"""


@pytest.mark.parametrize(("most", "runs"), [(1, 2), (2, 3), (8, 4)])
def test_devirt_runs_again_while_calls_become_direct(most: int, runs: int):
    @dataclass(frozen=True)
    class OneDirect(NvvmPass):
        name = "test-one-direct"
        idempotent = False

        def run(self, module, am):
            Log.runs.append(("one", "module"))
            for op in module.walk():
                if isinstance(op, CallOp) and op.callee is None:
                    op.properties["callee"] = SymbolRefAttr("g")
                    return True
            return False

    manager = PassManager([RepeatNode(most, [PassNode(OneDirect())], until_stable=True)])
    module = module_of(DEVIRT)
    manager.run(module)
    assert len(Log.runs) == runs


@pytest.mark.parametrize(("most", "runs"), [(0, 1), (1, 2), (2, 3), (8, 4)])
def test_devirt_in_a_function_pipeline_runs_again_while_calls_become_direct(most: int, runs: int):
    """The last run changes nothing; a change without a new direct call does not cause another run."""

    @dataclass(frozen=True)
    class OneDirect(FunctionPass):
        name = "test-one-direct-in-function"
        idempotent = False

        def run_on_function(self, func, am):
            Log.runs.append(("one", "function"))
            for op in func.walk():
                if isinstance(op, CallOp) and op.callee is None:
                    op.properties["callee"] = SymbolRefAttr("g")
                    break
            return True

    repeated = RepeatNode(most, [PassNode(OneDirect())], until_stable=True)
    PassManager([NestNode("function", [repeated])]).run(module_of(DEVIRT))
    assert len(Log.runs) == runs


@dataclass(frozen=True)
class Second(Log):
    name = "test-second"
    phases = frozenset({2})


@dataclass(frozen=True)
class Both(Log):
    name = "test-both"
    phases = frozenset({1, 2})


def nvopt(*nodes):
    return NestNode("module", list(nodes), "nvopt", ["O1"])


def test_two_phases():
    nodes = nvopt(
        function(Log(tag="first"), Second(tag="second"), Both(tag="both")), PassNode(LogModule())
    )
    _, _, manager = run(nodes)
    assert Log.runs == [
        ("first", "one"), ("both", "one"), ("first", "two"), ("both", "two"), ("module", "module"),
        ("second", "one"), ("second", "two"),
    ]  # fmt: skip
    assert manager.phase == 3


def test_the_second_phase_reads_no_other_body():
    """Phase 2 of a function gives the same result after all other bodies are removed."""
    text = "nvopt<O3>"

    def second_phase(name, alone):
        module = module_of()
        manager = PassManager(text)
        manager.phase = 2
        chosen = next(f for f in module.ops if f.sym_name.data == name)
        if alone:
            for func in module.ops:
                if func is not chosen:
                    for op in list(func.body.block.ops)[:-1]:
                        op.detach()
                    func.body.detach_block(0)
        manager._run_second_phase(manager.nodes, chosen)
        return str(chosen)

    for name in ("one", "two"):
        assert second_phase(name, alone=True) == second_phase(name, alone=False)


def test_the_second_phase_runs_function_by_function():
    changing = Second(tag="p", changes=9)
    run(nvopt(function(changing), PassNode(LogModule()), function(Second(tag="q"))))
    assert [r for r in Log.runs if r[0] != "module"] == [
        ("p", "one"), ("q", "one"), ("p", "two"), ("q", "two"),
    ]  # fmt: skip


def test_one_function_needs_no_phases():
    one = module_of("llvm.func @only() {\n llvm.return\n}\nllvm.func @declared()")
    _, _, manager = run(nvopt(function(Second(tag="s"), Log(tag="f"))), module=one)
    assert Log.runs == [("s", "only"), ("f", "only")]
    assert manager.phase == 3


def test_outside_of_nvopt_all_passes_run():
    _, _, manager = run(function(Second(tag="s"), Log(tag="f")))
    assert [tag for tag, name in Log.runs if name == "one"] == ["s", "f"]
    assert manager.phase == 0


def test_bisection_stops_after_the_given_number_of_passes():
    _, reported, _ = run(function(Log(tag="a"), Log(tag="b")), opt_bisect_limit=3)
    assert Log.runs == [("a", "one"), ("b", "one"), ("a", "two")]
    assert reported.splitlines() == [
        "BISECT: running pass (1) test-log on one",
        "BISECT: running pass (2) test-log on one",
        "BISECT: running pass (3) test-log on two",
        "BISECT: NOT running pass (4) test-log on two",
    ]


def test_stop_before_and_after():
    run(
        function(Log(tag="a")),
        PassNode(LogModule()),
        function(Log(tag="b")),
        stop_before="test-log-module",
    )
    assert [tag for tag, _ in Log.runs] == ["a", "a"]
    Log.runs.clear()
    run(PassNode(LogModule(tag="m")), PassNode(LogModule(tag="n")), stop_after="test-log-module,2")
    assert [tag for tag, _ in Log.runs] == ["m", "n"]


@dataclass(frozen=True)
class Broken(FunctionPass):
    name = "test-broken"
    how: str = "raise"

    def run_on_function(self, func, am):
        if func.sym_name.data == "one":
            return False
        if self.how == "raise":
            raise KeyError("lost")
        # The definition of %dead is moved after its use.
        entry = func.body.block
        op = entry.first_op
        last = entry.last_op
        fast.detach(op)
        fast.set_operands(last, [op.results[0]])
        fast.append(entry, op)
        return True


def test_a_failure_names_pass_and_function():
    with pytest.raises(PassFailure) as caught:
        run(function(Broken()))
    assert "pass 'test-broken' failed on two: KeyError: 'lost' (" in caught.value.message
    assert "test_manager.py:" in caught.value.message
    assert "--crash-reproducer=FILE" in caught.value.message


def test_verify_each_finds_the_pass_that_broke_the_module():
    with pytest.raises(PassFailure) as caught:
        run(function(Log(), Broken("dominance")), verify_each=True)
    assert "pass 'test-broken' left invalid IR behind on two" in caught.value.message


def test_the_reproducer_holds_module_and_pipeline(tmp_path):
    path = tmp_path / "crash.mlir"
    with pytest.raises(PassFailure) as caught:
        run(function(Log(), Broken()), crash_reproducer=str(path))
    assert f"reproducer written to {path}" in caught.value.message
    text = path.read_text()
    assert text.startswith("// RUN: nvvm-opt %s -p 'function(test-log<")
    assert "test-broken<how=raise>" in text
    assert "// pass 'test-broken' failed on two" in text
    assert "%dead = llvm.mul %x, %x : i32" in text
    assert len(list(parse(text, format="mlir").walk())) == len(list(module_of().walk()))


@dataclass(frozen=True)
class Lying(FunctionPass):
    """Removes an edge but claims to preserve the control-flow graph."""

    name = "test-lying"

    def preserved(self):
        return PreservedAnalyses.cfg()

    def run_on_function(self, func, am):
        am.get(DominatorTree, func)
        from nvvm_xdsl.transforms.cfg import merge_into_predecessor

        return any([merge_into_predecessor(b) is not None for b in list(func.body.blocks)[1:]])


def test_verify_each_finds_wrongly_preserved_analyses():
    module = module_of("llvm.func @f() {\n llvm.br ^a\n^a:\n llvm.return\n}")
    with pytest.raises(PassFailure, match="test-lying"):
        run(function(Lying()), module=module, verify_each=True)


def test_time_passes_and_debug():
    _, reported, _ = run(
        *build_pipeline("dce,early-cse"), time_passes=True, debug_pass_manager=True
    )
    assert "Running pass: dce on one (2 ops)" in reported
    assert "Running analysis: DominatorTree on one" in reported
    assert "Pass execution timing report" in reported
    rows = [line.split()[-1] for line in reported.splitlines() if "%)" in line]
    assert sorted(rows) == ["Total", "dce", "early-cse"]


def test_printing_around_passes():
    _, reported, _ = run(*build_pipeline("dce"), print_before=("dce",), filter_print_funcs=("two",))
    assert reported.count("IR Dump Before dce") == 1
    assert "llvm.mul" in reported
    assert "@one" not in reported
    _, reported, _ = run(*build_pipeline("dce"), print_after_all=True)
    assert reported.count("*** IR Dump After dce on") == 2
    assert "llvm.mul" not in reported


def test_print_changed():
    _, reported, _ = run(*build_pipeline("dce"), print_changed="full")
    assert "*** IR Dump After dce on one omitted because no change ***" in reported
    assert "*** IR Dump After dce on two ***" in reported
    _, reported, _ = run(*build_pipeline("dce"), print_changed="diff")
    assert "-  %dead = llvm.mul %x, %x : i32" in reported.splitlines()


def test_remarks_are_collected_and_written(tmp_path):
    @dataclass(frozen=True)
    class Remarking(FunctionPass):
        name = "test-remarking"

        def run_on_function(self, func, am):
            remarks.emit(
                "Passed", self.name, "Found", func.sym_name.data, "found ", ("Count", "2"), op=func
            )
            return False

    path = tmp_path / "out.yaml"
    run(function(Remarking()), remarks=str(path))
    documents = path.read_text().split("--- ")[1:]
    assert len(documents) == 2
    assert documents[0].splitlines()[0] == "!Passed"
    assert "Function:        one" in documents[0]
    assert "  - String:          'found '" in documents[0]
    assert "  - Count:           '2'" in documents[0]
    assert not remarks.wanted()


def test_remarks_of_selected_passes(capsys):
    heard = []
    with remarks.listening(heard.append, frozenset({"licm"})):
        assert remarks.wanted("licm")
        assert not remarks.wanted("inline")
        assert not remarks.wanted()
        for name in ("licm", "inline"):
            remarks.emit("Passed", name, "Found", "f", "text")
        remarks.emit("Passed", "inline", "Found", "f", "shown", shown=True)
    assert [remark.pass_name for remark in heard] == ["licm"]
    assert capsys.readouterr().err == "remark: inline: f: shown\n"


def test_a_remark_with_a_location():
    remark = remarks.Remark(
        "Missed", "licm", "NotHoisted", "f", (("String", "it's"),), "a.cu", 3, 7
    )
    assert remark_yaml(remark) == (
        "--- !Missed\nPass:            licm\nName:            NotHoisted\n"
        "DebugLoc:        { File: a.cu, Line: 3, Column: 7 }\nFunction:        f\nArgs:\n"
        "  - String:          'it''s'\n...\n"
    )


ODD = ["", "true", "@f", "-1", "a: b", "it's", 'say "x"', "two\nlines", "tab\t", "\\", "#no",
       "{a}", "é", "\U0001f600", "$L__BB0_1", "_Z1fPf", "1e3", "~", "null", "- x"]  # fmt: skip


def test_llvms_own_tool_reads_the_remarks(tmp_path):
    tool = shutil.which("llvm-remarkutil-22") or shutil.which("llvm-remarkutil")
    if tool is None:
        pytest.skip("llvm-remarkutil was not found")
    path = tmp_path / "out.yaml"
    written = [
        remarks.Remark(
            kind, "p", "Name", text or "f", (("Key", text), ("String", text)), "a.cu", 3, 7
        )
        for text in ODD
        for kind in ("Passed", "Missed", "Analysis")
    ]
    write_remarks(str(path), written)
    found = subprocess.run(
        [tool, "count", "--parser=yaml", "--group-by=total", str(path)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines()[-1].endswith(f",{len(written)}")


@pytest.mark.parametrize(
    ("pipeline", "reported"),
    [
        ("mem2reg", {("Passed", "Promoted"), ("Missed", "NotPromoted")}),
        ("sroa", {("Passed", "Promoted"), ("Missed", "NotPromoted")}),
        ("always-inline", {("Passed", "Inlined")}),
        ("memory-space-opt", {("Passed", "Resolved"), ("Missed", "UnknownSpace")}),
        ("dce", set()),
    ],
)
def test_remarks_of_each_pass(tmp_path, pipeline, reported):
    module = module_of(REMARKABLE)
    _, _, manager = run(*build_pipeline(pipeline), module=module, remarks=str(tmp_path / "r.yaml"))
    found = {(r.kind, r.name) for r in manager.watcher.remarks if r.pass_name == pipeline}
    assert found == reported
    for remark in manager.watcher.remarks:
        assert remark.function
        assert remark.message


REMARKABLE = """
llvm.func @use(!llvm.ptr)
llvm.func internal @callee(%x: i32) -> i32 attributes {always_inline} {
  llvm.return %x : i32
}
llvm.func @f(%p: !llvm.ptr, %x: i32) -> i32 attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %kept = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  llvm.call @use(%kept) : (!llvm.ptr) -> ()
  %q = llvm.load %p : !llvm.ptr -> !llvm.ptr
  %v = llvm.load %q : !llvm.ptr -> i32
  %y = llvm.load %slot : !llvm.ptr -> i32
  %z = llvm.call @callee(%y) : (i32) -> i32
  %s = llvm.add %z, %v : i32
  llvm.return %s : i32
}
"""


def test_statistics_count_and_are_reset():
    counter = remarks.Statistic("test-counter", "Seen", "functions seen")

    @dataclass(frozen=True)
    class Counting(FunctionPass):
        name = "test-counting"

        def run_on_function(self, func, am):
            counter.add()
            return False

    try:
        for _ in range(2):
            _, reported, _ = run(function(Counting()), stats=True)
            assert "2 test-counter - functions seen" in reported
    finally:
        remarks.STATISTICS.remove(counter)


def test_analyses_are_required_printed_and_dropped():
    _, reported, manager = run(*build_pipeline("require<domtree>,invalidate<domtree>,print<loops>"))
    assert manager.am.builds["DominatorTree"] >= 2
    assert "Loop info for function 'one':" in reported


@pytest.mark.parametrize("name", sorted(ANALYSES))
def test_every_analysis_can_be_required_by_name(name):
    _, _, manager = run(*build_pipeline(f"require<{name}>"))
    assert manager.am.builds


TWO_LATCHES = """
llvm.func @f(%c: i1, %d: i1) {
  llvm.cond_br %c, ^loop, ^exit
^loop:
  llvm.cond_br %d, ^loop, ^more
^more:
  llvm.cond_br %c, ^loop, ^exit
^exit:
  llvm.return
}
"""


@dataclass(frozen=True)
class SimplifiedLoops(FunctionPass):
    """Records whether the loops are in loop-simplify form."""

    name = "test-simplified-loops"
    found: ClassVar[list[bool]] = []

    def run_on_function(self, func, am):
        self.found.append(all(loop.is_simplified() for loop in am.get(LoopInfo, func).loops()))
        return False


@pytest.mark.parametrize("forms", [(), ("loop-simplify",)])
def test_a_form_is_established_before_the_pass_that_requires_it(
    forms: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(SimplifiedLoops, "requires", forms)
    SimplifiedLoops.found.clear()
    PassManager([NestNode("function", [PassNode(SimplifiedLoops())])]).run(module_of(TWO_LATCHES))
    assert SimplifiedLoops.found == [bool(forms)]


def test_a_pass_of_the_other_phase_establishes_no_form(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(SimplifiedLoops, "requires", ("loop-simplify",))
    monkeypatch.setattr(SimplifiedLoops, "phases", frozenset({2}))
    module = module_of(TWO_LATCHES + TWO)
    before = str(module)
    nodes = [NestNode("module", [NestNode("function", [PassNode(SimplifiedLoops())])], "nvopt")]
    PassManager(nodes).run(module, only_phase=1)
    assert str(module) == before
