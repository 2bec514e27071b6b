"""The needs of passes: a pass is skipped if the IR has no construct that it changes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from nvvm_xdsl import parse
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.passes import pass_class
from nvvm_xdsl.pipeline.build import NestNode, PassNode, RepeatNode, build_pipeline
from nvvm_xdsl.pipeline.instrumentation import Instruments, ir_text
from nvvm_xdsl.pipeline.manager import PassManager
from nvvm_xdsl.pipeline.needs import LOOPS, NEEDS
from nvvm_xdsl.pipeline.options import PassOptions
from nvvm_xdsl.pipeline.text import PipelineError

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))

SOURCES = {
    "nothing": "define void @f() {\n  ret void\n}",
    "a slot": """
define i32 @f(i32 %x) {
  %s = alloca [4 x i32]
  store i32 %x, ptr %s
  %y = load i32, ptr %s
  ret i32 %y
}""",
    "a call": """
define internal i32 @g(i32 %x, i32 %unused) alwaysinline {
  %y = add i32 %x, 1
  ret i32 %y
}
define i32 @f(i32 %x) {
  %y = call i32 @g(i32 %x, i32 2)
  ret i32 %y
}""",
    "an unused function": """
define internal i32 @g(i32 %x, i32 %unused) {
  ret i32 %x
}
define void @f() {
  ret void
}""",
    "divisions": """
define i64 @f(i64 %x, i64 %y) {
  %q = sdiv i64 %x, %y
  %r = srem i64 %x, %y
  %s = sub i64 %q, %r
  ret i64 %s
}""",
    "variables": """
@a = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@b = internal unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define i32 @f(i32 %i) {
  %p = getelementptr [4 x i32], ptr @a, i32 0, i32 %i
  %q = getelementptr [4 x i32], ptr @b, i32 0, i32 %i
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %s = add i32 %x, %y
  ret i32 %s
}""",
    "a struct": """
define ptx_kernel void @f(ptr byval({ i32, i32 }) %s, ptr %out) {
  store i32 3, ptr %s
  %x = load i32, ptr %s
  store i32 %x, ptr %out
  ret void
}""",
    "a loop": """
define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %exit
exit:
  ret i32 %i
}""",
}
TEXTS = {**SOURCES, **{path.stem: path.read_text() for path in EXAMPLES}}


@cache
def parsed(text: str):
    """Returns the module of a source, which tests share and must not change."""
    return parse(text)


def nodes_in(nodes):
    for node in nodes:
        if isinstance(node, PassNode):
            yield node
        elif isinstance(node, NestNode | RepeatNode):
            yield from nodes_in(node.children)


def made(manager: PassManager) -> set[str]:
    """Returns the existing passes of a pipeline."""
    return {n.instance.name for n in nodes_in(manager.nodes) if "instance" in vars(n)}


def test_levels_and_names() -> None:
    known = {op.name for dialect in (LLVM, NVVM) for op in dialect.operations}
    known |= {LOOPS, "llvm.byval"}
    for name, need in NEEDS.items():
        assert need.level == pass_class(name).level, name
        assert need.names <= known, name


@pytest.mark.parametrize("name", NEEDS)
def test_passes_have_no_effect_if_their_need_is_not_met(name: str) -> None:
    """Some source does not meet the need of each pass, and the pass does not change it."""
    need = NEEDS[name]
    left_out = 0
    for text in TEXTS.values():
        module = parsed(text)
        am = AnalysisManager()
        if need.level == "module":
            met = need.is_met(module, am)
        else:
            met = any(need.is_met(op, am) for op in module.body.block.ops)
        if met:
            continue
        left_out += 1
        before = ir_text(module)
        assert not pass_class(name)().run(module, AnalysisManager()), text
        assert ir_text(module) == before
    assert left_out


@pytest.mark.parametrize("name", NEEDS)
def test_each_need_is_met_by_some_module(name: str) -> None:
    """The need of each pass is met by some function or module."""
    need = NEEDS[name]
    modules = [parsed(text) for text in TEXTS.values()]
    modules.append(
        parse(
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
            "define void @f(ptr %p, ptr %q) {\n"
            "  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 false)\n  ret void\n}"
        )
    )
    units = [unit for module in modules for unit in (module, *module.body.block.ops)]
    assert any(
        need.is_met(unit, AnalysisManager())
        for unit in units
        if (unit.name == "builtin.module") == (need.level == "module")
    )


def test_skipped_passes_are_not_constructed() -> None:
    options = PassOptions()
    options.knobs["whole-program-visibility"] = "1"
    of_loops = {name for name, need in NEEDS.items() if LOOPS in need.names}
    manager = PassManager(build_pipeline("nvopt<O3>", options=options), options=options)
    manager.run(parse(SOURCES["nothing"]))
    assert not made(manager) & NEEDS.keys()
    manager.run(parse(SOURCES["a loop"]))
    found = made(manager) & NEEDS.keys()
    assert "indvars" in found
    assert found <= of_loops


def test_instruments_disable_skipping() -> None:
    manager = PassManager(build_pipeline("nvopt<O3>"), Instruments(time_passes=True))
    manager.run(parse(SOURCES["nothing"]))
    assert {"inline", "sroa", "loop-unroll"} <= made(manager)


@pytest.mark.parametrize("text", ["loop-unroll<bogus>", "function(sroa<bogus>)", "inline<bogus>"])
def test_parameters_in_pipeline_text_are_checked(text: str) -> None:
    with pytest.raises(PipelineError, match="bogus"):
        build_pipeline(text)


def test_pipelines_with_options_are_built_once() -> None:
    first, second, other = PassOptions(), PassOptions(), PassOptions()
    first.knobs["no-remat"] = second.knobs["no-remat"] = "f"
    nodes = PassManager("nvopt<O1>", options=first).nodes
    assert PassManager("nvopt<O1>", options=second).nodes is nodes
    assert PassManager("nvopt<O1>", options=other).nodes is not nodes
