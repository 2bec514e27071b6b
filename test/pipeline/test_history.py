"""A recording has every state of every function, and for each pass only its changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.steady_text import FunctionText
from nvvm_xdsl.pipeline import Instruments, run_pipeline
from nvvm_xdsl.pipeline.history import MODULE, Cell, History, applied, edits
from nvvm_xdsl.pipeline.instrumentation import Watcher

EXAMPLES = Path(__file__).parents[2] / "examples"

TWO = """
define i32 @f(i32 %x) {
  %dead = mul i32 %x, 3
  %1 = add i32 %x, 1
  %2 = add i32 %1, 2
  %3 = add i32 %2, %x
  ret i32 %3
}
define i32 @g(i32 %x) {
  %a = add i32 %x, 0
  ret i32 %a
}
"""


def recorded(module: ModuleOp, pipeline: str) -> History:
    history = History()
    history.begin(module)
    run_pipeline(module, pipeline, watcher=history.watch(Watcher(Instruments())))
    return history


def cell_of(history: History, function: str, name: str) -> Cell:
    (cell,) = [c for c in history.columns[function].cells if c.row.name == name]
    return cell


def texts(history: History, numbers: list[int]) -> list[str]:
    return [history.lines[number].text.strip() for number in numbers]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 12)), st.lists(st.integers(0, 12)))
def test_edits_produce_the_new_lines(old: list[int], new: list[int]):
    assert applied(old, edits(old, new)) == new


def test_edit_scripts_keep_lines_in_order():
    assert edits([1, 2, 3, 4], [1, 3, 4, 5]) == [(1, 1, []), (4, 0, [5])]
    # 9 occurs twice: the lines around it are matched first, then 9 by its context.
    assert edits([9, 1, 9, 2], [9, 1, 9, 3, 2]) == [(3, 0, [3])]


def test_a_removed_op_is_one_line():
    history = recorded(parse(TWO), "function(dce)")
    cell = cell_of(history, "f", "dce")
    start = history.columns["f"].cells[0].edits
    assert start is not None
    before = start[0][2]
    assert cell.edits is not None
    removed = [n for at, count, added in cell.edits for n in before[at : at + count] if not added]
    assert texts(history, removed) == ["%0 = llvm.mlir.constant(3 : i32) : i32", "%dead = llvm.mul %x, %0 : i32"]  # fmt: skip
    assert cell_of(history, "g", "dce").edits is None


def test_functions_share_the_rows_of_a_history():
    history = recorded(parse(TWO), "function(instsimplify,dce,instsimplify),globaldce")
    names = [row.name for row in history.rows]
    assert names == ["input", "instsimplify", "dce", "instsimplify", "globaldce"]
    for column in history.columns.values():
        places = [history.rows.index(cell.row) for cell in column.cells]
        assert places == sorted(set(places))
    assert all(row.seconds > 0 for row in history.rows[1:])


def test_repeated_passes_have_their_own_rows():
    names = [r.name for r in recorded(parse(TWO), "function(repeat<2>(instcombine,dce))").rows]
    assert names[:3] == ["input", "instcombine", "dce"]
    assert names.count("dce") >= 1


def test_a_removed_function_and_a_remaining_one():
    module = parse(TWO.replace("define i32 @g", "define internal i32 @g"))
    history = recorded(module, "globaldce")
    column = history.columns["g"]
    assert column.gone
    assert column.lines == []
    assert not history.columns["f"].gone


def test_remarks_are_in_the_cell_of_their_function():
    source = TWO.replace("%x, 0\n", "%x, 0\n  %b = call i32 @f(i32 %a)\n")
    history = recorded(parse(source), "inline")
    heard = [(name, r.name) for name, c in history.columns.items() for x in c.cells for r in x.remarks]  # fmt: skip
    assert ("g", "Inlined") in heard


def test_lines_have_their_source():
    module = parse(EXAMPLES / "saxpy.debug.ll")
    history = recorded(module, "function(dce)")
    lines = {
        history.lines[n].text.strip(): history.lines[n] for n in history.columns["saxpy"].lines
    }
    (product,) = [line for text, line in lines.items() if "llvm.fmul" in text]
    assert (product.file or "").endswith("examples/saxpy.cu")
    assert product.line == 8


def nameless(text: str) -> str:
    return re.sub(r"[%^#][\w.$-]+", "", text)


@pytest.mark.parametrize("name", ["scan", "device_function.O0", "printf"])
def test_every_state_of_a_compilation(name: str):
    """The states are those of the stages, and the PTX equals that without a recording."""
    history, checked = History(), list[str]()

    def at_stage(stage: str, module: ModuleOp) -> None:
        if stage in ("input", "selected"):
            history.stage(module, stage, "ir" if stage == "input" else "machine")
        for func in functions_of(module):
            function = func.sym_name.data
            states: list[int] = []
            for cell in history.columns[function].cells:
                states = applied(states, cell.edits or [])
            now = [line.text.strip() for line in FunctionText().lines(func)]
            assert list(map(nameless, texts(history, states))) == list(map(nameless, now))
            checked.append(stage)

    watcher = history.watch(Watcher(Instruments()))
    watcher.at_stage = at_stage
    path, options = EXAMPLES / f"{name}.ll", CompileOptions(arch="sm_90")
    ptx = compile_modules([parse(path)], options, watcher=watcher)
    assert ptx == compile_modules([parse(path)], options)
    assert {"input", "optimized"} <= set(checked)
    column = next(c for n, c in history.columns.items() if n != MODULE and c.lines)
    whole = sum(len(column.lines) for _ in column.cells)
    kept = sum(len(added) for c in column.cells for _, _, added in c.edits or [])
    assert kept < whole / 5
