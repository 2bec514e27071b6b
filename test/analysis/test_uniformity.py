import heapq
import random

import pytest
from helpers.programs import (
    MASK,
    Undefined,
    block_named,
    loops_and_branches,
    parse_function,
    run,
    value_named,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import Operation, OpResult

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity


def kernel(body: str) -> tuple[Uniformity, Operation]:
    func = parse_function(
        "llvm.func @helper(i32) -> i32\n"
        "llvm.func @f(%n: i32, %p: !llvm.ptr<1>, %g: !llvm.ptr, %m: f32) "
        f"attributes {{nvvm.kernel}} {{\n%tid = nvvm.read.ptx.sreg.tid.x : i32\n{body}\n}}"
    )
    return Uniformity(func), func


@pytest.mark.parametrize(
    ("body", "divergent"),
    [
        ("%v = llvm.add %tid, %n : i32", True),
        ("%v = llvm.add %n, %n : i32", False),
        ("%v = nvvm.read.ptx.sreg.ctaid.x : i32", False),
        ("%v = nvvm.read.ptx.sreg.ntid.x : i32", False),
        ("%v = nvvm.read.ptx.sreg.laneid : i32", True),
        ("%v = nvvm.read.ptx.sreg.clock : i32", True),
        ("%v = llvm.load %p : !llvm.ptr<1> -> i32", False),
        ("%v = llvm.load %g : !llvm.ptr -> i32", True),
        ("%q = llvm.getelementptr %p[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
         "%v = llvm.load %q : !llvm.ptr<1> -> i32", True),
        ("%v = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32", True),
        ("%v = llvm.call @helper(%n) : (i32) -> i32", True),
        ('%v = llvm.call_intrinsic "llvm.nvvm.redux.sync.add"(%tid, %n) : (i32, i32) -> i32',
         False),
        ("%v = nvvm.redux.sync add %tid, %n : i32 -> i32", False),
        # Each thread gets its own part of the matrix.
        ("%s = nvvm.wmma.load %p, %n {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, "
         "k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : "
         "(!llvm.ptr<1>) -> !llvm.struct<(i32, i32)>\n%v = llvm.extractvalue %s[0] : "
         "!llvm.struct<(i32, i32)>", True),
        # Threads that name other source lanes get another sum.
        ("%v = nvvm.redux.sync add %n, %tid : i32 -> i32", True),
        ('%v = llvm.call_intrinsic "llvm.nvvm.redux.sync.add"(%n, %tid) : (i32, i32) -> i32',
         True),
        ('%c = llvm.icmp "eq" %tid, %n : i32\n'
         '%v = llvm.call_intrinsic "llvm.nvvm.vote.any.sync"(%n, %c) : (i32, i1) -> i1', False),
        ('%c = llvm.icmp "eq" %n, %n : i32\n'
         '%v = llvm.call_intrinsic "llvm.nvvm.vote.any.sync"(%tid, %c) : (i32, i1) -> i1', True),
        ("%k = llvm.mlir.constant(0 : i32) : i32\n%c = llvm.mlir.constant(31 : i32) : i32\n"
         "%v = nvvm.shfl.sync idx %n, %m, %k, %c : f32 -> f32", False),
        ("%k = llvm.mlir.constant(0 : i32) : i32\n%c = llvm.mlir.constant(31 : i32) : i32\n"
         "%t = llvm.sitofp %tid : i32 to f32\n"
         "%v = nvvm.shfl.sync idx %n, %t, %k, %c : f32 -> f32", False),
        ("%k = llvm.mlir.constant(0 : i32) : i32\n%c = llvm.mlir.constant(7967 : i32) : i32\n"
         "%t = llvm.sitofp %tid : i32 to f32\n"
         "%v = nvvm.shfl.sync idx %n, %t, %k, %c : f32 -> f32", True),
        ("%k = llvm.mlir.constant(1 : i32) : i32\n%c = llvm.mlir.constant(31 : i32) : i32\n"
         "%t = llvm.sitofp %tid : i32 to f32\n"
         "%v = nvvm.shfl.sync bfly %n, %t, %k, %c : f32 -> f32", True),
    ],
)  # fmt: skip
def test_values(body: str, divergent: bool):
    uniformity, func = kernel(body + "\nllvm.return")
    assert uniformity.is_divergent(value_named(func, "v")) == divergent
    assert uniformity.is_uniform(value_named(func, "v")) != divergent


def test_arguments_of_kernels_are_uniform_and_of_functions_are_not():
    text = "llvm.func @f(%x: i32) {} {{\n%v = llvm.add %x, %x : i32\nllvm.return\n}}"
    for attributes, divergent in (("", True), ("attributes {nvvm.kernel}", False)):
        func = parse_function(text.format(attributes))
        assert Uniformity(func).is_divergent(value_named(func, "v")) == divergent


JOIN = """
%zero = llvm.mlir.constant(0 : i32) : i32
%one = llvm.mlir.constant(1 : i32) : i32
%c = llvm.icmp "slt" {}, %n : i32
llvm.cond_br %c, ^l, ^r
^l:
llvm.br ^j({} : i32)
^r:
llvm.br ^j(%zero : i32)
^j(%v: i32):
llvm.return
"""


@pytest.mark.parametrize(
    ("condition", "left", "divergent"),
    [("%tid", "%one", True), ("%tid", "%zero", False), ("%n", "%one", False)],
)
def test_joins_of_paths(condition: str, left: str, divergent: bool):
    uniformity, func = kernel(JOIN.format(condition, left))
    assert uniformity.is_divergent(value_named(func, "v")) == divergent
    branched = condition == "%tid"
    assert uniformity.has_divergent_branch(block_named(func, "entry")) == branched
    assert uniformity.is_divergent_block(block_named(func, "l")) == branched
    assert not uniformity.is_divergent_block(block_named(func, "j"))


LOOP = """
%zero = llvm.mlir.constant(0 : i32) : i32
%one = llvm.mlir.constant(1 : i32) : i32
llvm.br ^loop(%zero : i32)
^loop(%i: i32):
%v = llvm.add %i, %one : i32
%c = llvm.icmp "slt" %v, {} : i32
llvm.cond_br %c, ^loop(%v : i32), ^exit(%v : i32)
^exit(%e: i32):
%u = llvm.add %i, %one : i32
%w = llvm.add %n, %one : i32
llvm.return
"""


@pytest.mark.parametrize(("bound", "divergent"), [("%tid", True), ("%n", False)])
def test_loops_with_divergent_exits(bound: str, divergent: bool):
    uniformity, func = kernel(LOOP.format(bound))
    assert uniformity.is_uniform(value_named(func, "i"))
    assert uniformity.is_divergent(value_named(func, "e")) == divergent
    assert uniformity.is_divergent(value_named(func, "u")) == divergent
    assert uniformity.is_uniform(value_named(func, "w"))


def test_a_branch_in_a_uniform_loop_makes_the_header_argument_divergent():
    uniformity, func = kernel(
        """
        %zero = llvm.mlir.constant(0 : i32) : i32
        %one = llvm.mlir.constant(1 : i32) : i32
        llvm.br ^loop(%zero, %zero : i32, i32)
        ^loop(%i: i32, %v: i32):
        %next = llvm.add %i, %one : i32
        %more = llvm.icmp "slt" %next, %n : i32
        llvm.cond_br %more, ^body, ^exit
        ^body:
        %c = llvm.icmp "slt" %tid, %n : i32
        llvm.cond_br %c, ^x, ^y
        ^x:
        llvm.br ^loop(%next, %zero : i32, i32)
        ^y:
        llvm.br ^loop(%next, %one : i32, i32)
        ^exit:
        llvm.return
        """
    )
    assert uniformity.is_divergent(value_named(func, "v"))
    assert uniformity.is_uniform(value_named(func, "i"))
    assert not uniformity.has_divergent_branch(block_named(func, "loop"))


def test_an_infinite_divergent_loop():
    uniformity, func = kernel(
        'llvm.br ^l(%n : i32)\n^l(%i: i32):\n%c = llvm.icmp "eq" %tid, %i : i32\n'
        "llvm.cond_br %c, ^l(%n : i32), ^l(%tid : i32)"
    )
    assert uniformity.is_divergent(value_named(func, "i"))


@pytest.mark.parametrize(("bound", "divergent"), [("%tid", True), ("%n", False)])
def test_irreducible_cycles_with_divergent_exits(bound: str, divergent: bool):
    uniformity, func = kernel(
        f"""
        %k = llvm.mlir.constant(1 : i32) : i32
        %start = llvm.icmp "eq" %n, %k : i32
        llvm.cond_br %start, ^a(%n : i32), ^b(%n : i32)
      ^a(%i: i32):
        %next = llvm.add %i, %k : i32
        %more = llvm.icmp "slt" %next, {bound} : i32
        llvm.cond_br %more, ^b(%next : i32), ^exit
      ^b(%j: i32):
        llvm.br ^a(%j : i32)
      ^exit:
        %v = llvm.add %i, %k : i32
        llvm.return
        """
    )
    for name in ("i", "j", "v"):
        assert uniformity.is_divergent(value_named(func, name)) is divergent


def test_verify():
    func = parse_function("llvm.func @f(%a: i32) {\n%v = llvm.add %a, %a : i32\nllvm.return\n}")
    uniformity = AnalysisManager().get(Uniformity, func)
    uniformity.verify()
    value = value_named(func, "v")
    assert isinstance(value, OpResult)
    value.op.detach()
    value.op.erase()
    with pytest.raises(AssertionError, match="stale"):
        uniformity.verify()


def results(uniformity: Uniformity) -> tuple[object, ...]:
    """The divergent values, branches and blocks."""
    return uniformity._divergent, uniformity._branches, uniformity._blocks


def random_graph(seed: int) -> str:
    """A kernel of up to 14 blocks with one argument each and any edges between them."""
    choice = random.Random(seed)
    count = choice.randint(3, 14)
    backwards = choice.choice((0, 0.1, 0.3))
    text = ["llvm.br ^b0(%n : i32)"]
    for number in range(count):
        edges: list[str] = []
        for _ in range(choice.choice((0, 1, 1, 2, 2, 2, 3))):
            is_forward = number + 1 < count and choice.random() >= backwards
            target = choice.randrange(number + 1 if is_forward else 0, count)
            value = choice.choice(("%n", "%m", "%tid", f"%v{number}"))
            edges.append(f"^b{target}({value} : i32)")
        selector = choice.choice(("%n", "%tid", f"%v{number}"))
        text.append(f"^b{number}(%v{number}: i32):")
        if len(edges) > 1:
            cases = ", ".join(f"{n}: {edge}" for n, edge in enumerate(edges[1:]))
            text.append(f"llvm.switch {selector} : i32, {edges[0]} [{cases}]")
        else:
            text.append(f"llvm.br {edges[0]}" if edges else "llvm.return")
    body = "\n".join(text)
    return (
        "llvm.func @f(%n: i32, %m: i32) attributes {nvvm.kernel} {\n"
        f"%tid = nvvm.read.ptx.sreg.tid.x : i32\n{body}\n}}"
    )


@pytest.mark.parametrize(
    "body",
    [
        # ^exit is reached from ^a and ^c by threads that agree on the branch in ^a.
        """
        llvm.cond_br %d, ^b, ^a
        ^a:
        llvm.switch %n : i32, ^b [0: ^exit(%n : i32), 1: ^c]
        ^b:
        llvm.br ^error
        ^c:
        llvm.br ^exit(%two : i32)
        ^error:
        llvm.return
        ^exit(%arg: i32):
        llvm.return
        """,
        # The edge from ^k reaches ^h again after ^m, which joins paths, was visited.
        """
        llvm.cond_br %d, ^m, ^a
        ^a:
        llvm.br ^h
        ^h:
        llvm.cond_br %u, ^error, ^m
        ^error:
        llvm.return
        ^m:
        llvm.cond_br %u, ^k, ^exit(%n : i32)
        ^k:
        llvm.cond_br %u, ^h, ^exit(%two : i32)
        ^exit(%arg: i32):
        llvm.return
        """,
    ],
)
def test_an_exit_that_joins_no_paths(body: str):
    uniformity, func = kernel(
        "%two = llvm.mlir.constant(2 : i32) : i32\n"
        '%d = llvm.icmp "eq" %tid, %two : i32\n%u = llvm.icmp "eq" %n, %two : i32\n' + body
    )
    assert uniformity.is_uniform(value_named(func, "arg"))


def test_the_common_rest_of_paths_changes_no_result():
    class WithoutCommonRest(Uniformity):
        def _common_rest(self, branch: int, node: int, queued: int) -> int:
            return 0

    for seed in range(600):
        func = parse_function(random_graph(seed))
        assert results(Uniformity(func)) == results(WithoutCommonRest(func)), f"seed {seed}"


def test_branches_to_error_exits_do_not_visit_all_blocks(monkeypatch: pytest.MonkeyPatch):
    """Each check of a chain branches to its own exit, and reconverges at the next check."""
    count = 60
    checks = "".join(
        f"^check{n}:\n"
        f"%k{n} = llvm.mlir.constant({n} : i32) : i32\n"
        f'%c{n} = llvm.icmp "eq" %tid, %k{n} : i32\n'
        f"llvm.cond_br %c{n}, ^error{n}, ^check{n + 1}\n"
        f"^error{n}:\nllvm.return\n"
        for n in range(count)
    )
    visited: list[int] = []
    pop = heapq.heappop
    monkeypatch.setattr(heapq, "heappop", lambda queue: visited.append(1) or pop(queue))
    uniformity, func = kernel(f"llvm.br ^check0\n{checks}^check{count}:\nllvm.return")
    assert all(
        uniformity.has_divergent_branch(block_named(func, f"check{n}")) for n in range(count)
    )
    assert uniformity.is_divergent_block(block_named(func, f"check{count}"))
    assert len(visited) <= 2 * count


def instances(func: Operation, trace, loops: LoopInfo):
    """Records each computed value by the iterations of the enclosing loops."""
    rounds: dict[object, int] = {}
    found: dict[tuple[object, ...], int] = {}
    times: dict[tuple[object, ...], int] = {}
    path: list[object] = []
    for value, number in trace:
        block = value.op.parent if isinstance(value, OpResult) else value.block
        inside: list[object] = []
        loop = loops.loop_for(block)
        while loop is not None:
            inside.append(loop)
            loop = loop.parent
        inside.reverse()
        for loop in path:
            if loop not in inside:
                rounds[loop] = 0
        path = inside
        args = block.args
        if args and value is args[0] and inside and inside[-1].header is block:
            rounds[inside[-1]] = rounds.get(inside[-1], 0) + 1
        # Cycles with several entries have no iterations; the number of computations is used
        # instead.
        place = (value, *(rounds.get(loop, 0) for loop in inside))
        for cycle in loops.irreducible_cycles:
            if block in cycle.blocks:
                times[place] = times.get(place, 0) + 1
        found[(*place, times.get(place, 0))] = number
    return found


@settings(max_examples=100)
@given(
    loops_and_branches(max_blocks=8, constants=(0, 1, 3)),
    st.integers(0, 6), st.integers(0, 6), st.integers(0, MASK),
)  # fmt: skip
def test_two_threads_agree_on_uniform_values(text: str, one: int, two: int, shared: int):
    func = parse_function(text.replace("-> i32 {", "-> i32 attributes {nvvm.kernel} {", 1))
    am = AnalysisManager()
    loops = am.get(LoopInfo, func)
    # Argument a is the value that differs between threads.
    uniformity = Uniformity(func, am)
    uniformity._mark(func.regions[0].blocks[0].args[0])
    uniformity._propagate()
    try:
        first = instances(func, run(func, [one, shared]), loops)
        second = instances(func, run(func, [two, shared]), loops)
    except Undefined:
        return
    for key, number in first.items():
        if uniformity.is_uniform(key[0]) and key in second:
            assert second[key] == number, key[0].name_hint
