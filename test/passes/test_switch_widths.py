"""Switches on integers of every width: each pass selects the same case as the simulator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp

import nvvm_xdsl
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import callee_of, defined_name, integer_width
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.ipo.inline_cost import Analyzer, Callee
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

WIDTHS = (*range(1, 65), 65, 100, 127, 128)
ODD_WIDTHS = (1, 2, 3, 12, 24, 31, 63, 65, 128)
SLOT = 16
"""Bytes of each value in memory."""

DEFAULT = 99


def cases_of(width: int) -> list[int]:
    """Case values of both signs; 0 matches none of them."""
    half = 1 << (width - 1)
    return [[-1], [-1, 1], [-1, -half, half - 1, 1]][min(width, 3) - 1]


def values_of(width: int) -> list[int]:
    return [*cases_of(width), 0]


def expected_of(widths: tuple[int, ...]) -> list[int]:
    """The number of the case for each value of each width."""
    return [n for w in widths for n in (*range(len(cases_of(w))), DEFAULT)]


def choosing(name: str, width: int, value: str, before: str = "", stored: str = "") -> str:
    """Returns a function that stores the number of the case that `value` selects.

    Arguments:
        before: instructions before the switch.
        stored: an instruction in each case that computes the stored number `%v{case}` from `value`.
    """
    cases = cases_of(width)
    listed = " ".join(f"i{width} {n}, label %c{i}" for i, n in enumerate(cases))
    blocks = "".join(f"c{i}:\n{stored.format(i=i)}  br label %out\n" for i, _ in enumerate(cases))
    phis = ", ".join(f"[{f'%v{i}' if stored else i}, %c{i}]" for i, _ in enumerate(cases))
    return (
        f"define internal void @{name}(i{width} %x, i1 %b, ptr %p) noinline {{\nentry:\n{before}"
        f"  switch i{width} {value}, label %d [{listed}]\n{blocks}d:\n  br label %out\n"
        f"out:\n  %found = phi i32 {phis}, [{DEFAULT}, %d]\n"
        "  store i32 %found, ptr %p\n  ret void\n}\n"
    )


def of_operand(name: str, width: int, number: int) -> str:
    """A switch on a constant."""
    return choosing(name, width, str(number))


def of_argument(name: str, width: int, number: int) -> str:
    """A switch on an argument that is the same in all calls."""
    return choosing(name, width, "%x")


def of_edges(name: str, width: int, number: int) -> str:
    """A switch on a value that edges pass; one edge leads to the default."""
    before = (
        "  br i1 %b, label %l, label %r\nl:\n  br label %j\nr:\n  br label %j\n"
        f"j:\n  %y = phi i{width} [{number}, %l], [0, %r]\n"
    )
    return choosing(name, width, "%y", before)


Form = Callable[[str, int, int], str]


@cache
def text_of(form: Form, widths: tuple[int, ...]) -> str:
    """Returns a kernel that stores the selected case of each form of switch, for all values."""
    functions: list[str] = []
    calls: list[str] = []
    for width in widths:
        for place, number in enumerate(values_of(width)):
            name, n = f"w{width}.{place}", len(calls)
            functions.append(form(name, width, number))
            calls.append(
                f"  %p{n} = getelementptr i32, ptr %out, i64 {n}\n"
                f"  call void @{name}(i{width} {number}, i1 %b, ptr %p{n})\n"
            )
    kernel = f"define ptx_kernel void @k(i1 %b, ptr %out) {{\n{''.join(calls)}  ret void\n}}\n"
    return "".join(['target triple = "nvptx64-nvidia-cuda"\n', *functions, kernel])


def results(module: ModuleOp, count: int) -> list[int]:
    out = np.zeros(count, np.int32)
    launch(module, "k", 1, 1, [True, out])
    return out.tolist()


def has_switch(module: ModuleOp) -> bool:
    return any(op.name == "llvm.switch" for op in module.walk())


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("printed", [True, False], ids=["parsed", "made"])
def test_case_values(signed: bool, printed: bool):
    module = read_ll(loading_text(WIDTHS))
    if printed:
        # The parser creates a separate attribute.
        module = nvvm_xdsl.parse(str(module), format="mlir")
    found = {
        integer_width(fast.operands_of(op)[0].type): branches.case_values(op, signed=signed)
        for op in module.walk()
        if op.name == "llvm.switch"
    }
    assert found == {
        w: cases_of(w) if signed else [n % (1 << w) for n in cases_of(w)] for w in WIDTHS
    }


@pytest.mark.parametrize("number", ["0x07", "0xFF", "0x0F"])
def test_only_the_bits_of_the_width_count(number: str):
    module = nvvm_xdsl.parse(
        f"""
        llvm.func @f(%x: i3) {{
          "llvm.switch"(%x)[^a, ^a] <{{
            case_values = dense<"{number}"> : vector<1xi3>, case_operand_segments = array<i32: 0>,
            operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i3) -> ()
        ^a:
          llvm.return
        }}
        """,
        format="mlir",
    )
    (switch,) = (op for op in module.walk() if op.name == "llvm.switch")
    assert branches.case_values(switch, signed=True) == [-1]
    assert branches.case_values(switch, signed=False) == [7]


@pytest.mark.parametrize(
    ("form", "passes", "folds"),
    [
        (of_operand, "simplifycfg", True),
        (of_operand, "ipsccp", True),
        (of_operand, "sccp", True),
        (of_operand, "correlated-propagation,simplifycfg", True),
        (of_argument, "ipsccp", True),
        (of_edges, "jump-threading", False),
        (of_edges, "nvopt<O1;short>", False),
        (of_argument, "nvopt<O3>", False),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_known_values(form: Form, passes: str, folds: bool):
    widths = WIDTHS if folds else ODD_WIDTHS
    module = read_ll(text_of(form, widths))
    expected = expected_of(widths)
    run_pipeline(module, passes)
    assert results(module, len(expected)) == expected
    assert not (folds and has_switch(module))


@cache
def loading_text(widths: tuple[int, ...]) -> str:
    """Like `text_of` for loaded values; the cases store the value itself, truncated to 32 bits."""
    functions: list[str] = []
    calls: list[str] = []
    for width in widths:
        cast = "sext" if width < 32 else "trunc"
        stored = f"  %v{{i}} = {cast} i{width} %x to i32\n"
        if width == 32:
            stored = "  %v{i} = add i32 %x, 0\n"
        functions.append(choosing(f"w{width}", width, "%x", stored=stored))
        for _ in values_of(width):
            n = len(calls)
            calls.append(
                f"  %q{n} = getelementptr [{SLOT} x i8], ptr %in, i64 {n}\n"
                f"  %x{n} = load i{width}, ptr %q{n}, align {SLOT}\n"
                f"  %p{n} = getelementptr i32, ptr %out, i64 {n}\n"
                f"  call void @w{width}(i{width} %x{n}, i1 true, ptr %p{n})\n"
            )
    kernel = f"define ptx_kernel void @k(ptr %in, ptr %out) {{\n{''.join(calls)}  ret void\n}}\n"
    return "".join(['target triple = "nvptx64-nvidia-cuda"\n', *functions, kernel])


def loaded_results(module: ModuleOp, widths: tuple[int, ...]) -> list[int]:
    numbers = [n % (1 << w) for w in widths for n in values_of(w)]
    data = np.frombuffer(b"".join(n.to_bytes(SLOT, "little") for n in numbers), np.uint8)
    out = np.zeros(len(numbers), np.int32)
    launch(module, "k", 1, 1, [data.copy(), out])
    return out.tolist()


def loaded_expected(widths: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for width in widths:
        for number in cases_of(width):
            low = number % (1 << 32)
            found.append(low - (1 << 32) if low >> 31 else low)
        found.append(DEFAULT)
    return found


@pytest.mark.parametrize(
    "passes",
    [
        "",
        "gvn",
        "correlated-propagation",
        "simplifycfg",
        "jump-threading",
        "nvopt<O1;short>",
        "nvopt<O3>",
    ],
)
def test_loaded_values(passes: str):
    module = read_ll(loading_text(WIDTHS))
    if passes:
        run_pipeline(module, passes)
    assert loaded_results(module, WIDTHS) == loaded_expected(WIDTHS)


@pytest.mark.parametrize("passes", ["", "nvopt<O3>"])
def test_selected_code(passes: str):
    module = read_ll(loading_text(ODD_WIDTHS))
    if passes:
        run_pipeline(module, passes)
    machine = select(module, CodegenOptions.for_arch("sm_80"))
    assert loaded_results(machine, ODD_WIDTHS) == loaded_expected(ODD_WIDTHS)


def test_selected_code_for_constants():
    module = read_ll(text_of(of_operand, ODD_WIDTHS))
    expected = expected_of(ODD_WIDTHS)
    assert results(select(module, CodegenOptions.for_arch("sm_80")), len(expected)) == expected


@pytest.mark.parametrize("width", [6, 12, 31, 63])
def test_a_table_of_negative_cases(width: int):
    """A switch with enough cases for a jump table."""
    numbers = range(-10, 10)
    listed = " ".join(f"i{width} {n}, label %c{n + 10}" for n in numbers)
    blocks = "".join(
        f"c{n + 10}:\n  store volatile i32 {3 * n * n + n}, ptr %q\n  br label %out\n"
        for n in numbers
    )
    module = read_ll(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "define ptx_kernel void @k(ptr %p) {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %s = sub i32 %t, 12\n  %i = zext i32 %t to i64\n"
        "  %q = getelementptr i32, ptr %p, i64 %i\n"
        f"  %x = {'trunc' if width < 32 else 'sext'} i32 %s to i{width}\n"
        f"  switch i{width} %x, label %out [{listed}]\n{blocks}out:\n  ret void\n}}\n"
    )
    machine = select(module, CodegenOptions.for_arch("sm_80"))
    assert any("brx" in op.name for op in machine.walk())
    out = np.full(24, -1, np.int32)
    launch(machine, "k", 1, 24, [out])
    wanted = [3 * n * n + n if n in numbers else -1 for n in range(-12, 12)]
    assert out.tolist() == wanted


@pytest.mark.parametrize("width", range(2, 66))
def test_a_loop_that_a_case_leaves(width: int):
    """`i` counts down from 0 until it is -1, and from 1 through products until it is the least value."""
    half = 1 << (width - 1)
    module = read_ll(
        f"define void @count() {{\n  br label %l\nl:\n  %i = phi i{width} [0, %0], [%j, %l]\n"
        f"  %j = add i{width} %i, -1\n  switch i{width} %i, label %l [i{width} -1, label %e]\n"
        "e:\n  ret void\n}\n"
        f"define void @evaluate() {{\n  br label %l\nl:\n  %i = phi i{width} [1, %0], [%j, %l]\n"
        f"  %j = mul i{width} %i, 2\n  switch i{width} %i, label %l [i{width} {-half}, label %e]\n"
        "e:\n  ret void\n}\n"
    )
    counts: dict[str, str] = {}
    for func in module.ops:
        evolution = AnalysisManager().get(ScalarEvolution, func)
        found = evolution.backedge_taken_count(evolution.loops.top_level[0])
        counts[defined_name(func)] = str(found)
    assert counts == {"count": "1", "evaluate": str(width - 1)}


@pytest.mark.parametrize("width", WIDTHS)
def test_inline_cost(width: int):
    """Only the body of the case that the argument selects counts."""
    default = "".join(f"  store volatile i32 {n}, ptr %p\n" for n in range(50))
    text = choosing("callee", width, "%x").replace("d:\n", f"d:\n{default}")
    calls = "".join(
        f"  call void @callee(i{width} {n}, i1 true, ptr %p)\n" for n in values_of(width)
    )
    module = read_ll(f"{text}define void @caller(ptr %p) {{\n{calls}  ret void\n}}\n")
    symbols = symbols_of(module)
    callee = symbols["callee"]
    assert isinstance(callee, FuncOp)
    known = Callee.of(callee, symbols, DataLayout.of(module))
    costs = [
        Analyzer(op, callee, known, 10_000).cost()
        for op in module.walk()
        if isinstance(op, CallOp) and callee_of(op) == "callee"
    ]
    assert all(cost < 50 <= costs[-1] for cost in costs[:-1])


@pytest.mark.parametrize("form", [of_operand, of_edges], ids=lambda form: form.__name__)
def test_printed_assembly(form: Form):
    again = read_ll(write_ll(read_ll(text_of(form, ODD_WIDTHS))))
    expected = expected_of(ODD_WIDTHS)
    assert results(again, len(expected)) == expected


@pytest.mark.parametrize(
    "passes",
    [
        "",
        "dfa-jump-threading",
        "loop-unroll<unroll-threshold=1000>",
        "simple-loop-unswitch<nontrivial>",
    ],
)
def test_states(passes: str):
    """A loop whose switch is on the number that the previous iteration selected."""
    widths = [w for w in ODD_WIDTHS if w > 2]
    functions = "".join(
        f"define internal i32 @f{w}(i{w} %u, ptr %q) noinline {{\nentry:\n  br label %l\n"
        f"l:\n  %s = phi i{w} [-1, %entry], [%to, %next]\n  %i = phi i32 [0, %entry], [%j, %next]\n"
        "  %sum = phi i32 [0, %entry], [%more, %next]\n  %c = icmp slt i32 %i, 5\n"
        "  br i1 %c, label %body, label %e\n"
        f"body:\n  switch i{w} %s, label %e [i{w} -1, label %a i{w} -3, label %b i{w} 2, label %d]\n"
        "a:\n  store volatile i32 10, ptr %q\n  br label %next\n"
        "b:\n  store volatile i32 200, ptr %q\n  br label %next\n"
        "d:\n  store volatile i32 3000, ptr %q\n"
        f"  switch i{w} %u, label %e [i{w} -2, label %next i{w} 3, label %b]\n"
        f"next:\n  %to = phi i{w} [-3, %a], [2, %b], [-1, %d]\n"
        "  %add = phi i32 [10, %a], [200, %b], [3000, %d]\n"
        "  %more = add i32 %sum, %add\n  %j = add i32 %i, 1\n  br label %l\n"
        "e:\n  ret i32 %sum\n}\n"
        for w in widths
    )
    calls = "".join(
        f"  %u{w} = load i{w}, ptr %in, align {SLOT}\n"
        f"  %r{w} = call i32 @f{w}(i{w} %u{w}, ptr %out)\n"
        f"  %p{w} = getelementptr i32, ptr %out, i64 {n + 1}\n  store i32 %r{w}, ptr %p{w}\n"
        for n, w in enumerate(widths)
    )
    module = read_ll(
        f"{functions}define ptx_kernel void @k(ptr %in, ptr %out) {{\n{calls}  ret void\n}}\n"
    )
    if passes:
        assert run_pipeline(module, passes)
    for number, expected in ((-2, 10 + 200 + 3000 + 10 + 200), (0, 10 + 200)):
        out = np.zeros(len(widths) + 1, np.int32)
        data = np.frombuffer((number % (1 << 8 * SLOT)).to_bytes(SLOT, "little"), np.uint8)
        launch(module, "k", 1, 1, [data.copy(), out])
        assert out[1:].tolist() == [expected] * len(widths)
