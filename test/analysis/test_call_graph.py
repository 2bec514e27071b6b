import networkx as nx
import pytest
from helpers.programs import parse_module
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.ir import fast

TEXT = """
llvm.mlir.global internal @table() : !llvm.ptr {
  %p = llvm.mlir.addressof @pointed : !llvm.ptr
  llvm.return %p : !llvm.ptr
}
llvm.func @outside(i32)
llvm.func internal @leaf(%x: i32) {
  llvm.call @outside(%x) : (i32) -> ()
  llvm.return
}
llvm.func internal @odd(%x: i32) {
  llvm.call @even(%x) : (i32) -> ()
  llvm.return
}
llvm.func internal @even(%x: i32) {
  llvm.call @odd(%x) : (i32) -> ()
  llvm.call @leaf(%x) : (i32) -> ()
  llvm.return
}
llvm.func internal @self(%x: i32) {
  llvm.call @self(%x) : (i32) -> ()
  llvm.return
}
llvm.func internal @pointed(%x: i32) {
  llvm.return
}
llvm.func internal @unused() {
  llvm.return
}
llvm.func @kernel(%x: i32, %f: !llvm.ptr) attributes {nvvm.kernel} {
  llvm.call @even(%x) : (i32) -> ()
  llvm.call %f(%x) : !llvm.ptr, (i32) -> ()
  llvm.call @leaf(%x) : (i32) -> ()
  llvm.call @leaf(%x) : (i32) -> ()
  llvm.return
}
"""


@pytest.fixture
def graph() -> CallGraph:
    return CallGraph(parse_module(TEXT))


def names(nodes) -> list[str]:
    return [n.name for n in nodes]


def test_calls(graph: CallGraph):
    kernel = graph.node("kernel")
    assert names(kernel.callees()) == ["even", "leaf"]
    assert kernel.has_indirect_calls()
    assert len(kernel.calls) == 4
    assert sorted(names(graph.node("leaf").callers.values())) == ["even", "kernel", "kernel"]
    assert graph.node("pointed").address_taken
    assert not graph.node("leaf").address_taken
    assert graph.node("outside").is_declaration


def test_components_come_callees_first(graph: CallGraph):
    components = [sorted(names(c)) for c in graph.components()]
    assert components.index(["leaf"]) < components.index(["even", "odd"])
    assert components.index(["even", "odd"]) < components.index(["kernel"])
    assert components.index(["pointed"]) < components.index(["kernel"])
    order = names(graph.bottom_up())
    assert "outside" not in order
    assert order.index("leaf") < order.index("even") < order.index("kernel")


def test_recursion(graph: CallGraph):
    assert sorted(names(graph.recursive())) == ["even", "odd", "self"]


def test_roots_and_reachable_functions(graph: CallGraph):
    assert names(graph.roots()) == ["pointed", "kernel"]
    reached = set(names(graph.reachable()))
    assert reached == {"kernel", "even", "odd", "leaf", "outside", "pointed"}


def test_updates(graph: CallGraph):
    graph.verify()
    kernel = graph.node("kernel")
    call = next(c for c, n in kernel.calls.items() if n is graph.node("leaf"))
    fast.erase(call)
    graph.refresh(kernel.func)
    graph.verify()
    call = next(c for c, n in kernel.calls.items() if n is graph.node("leaf"))
    fast.erase(call)
    with pytest.raises(AssertionError, match="the calls of @leaf are stale"):
        graph.verify()
    graph.refresh(kernel.func)
    graph.verify()


def test_a_long_chain_of_calls():
    size = 3000
    lines = [
        f"llvm.func @f{n}() {{\nllvm.call @f{n + 1}() : () -> ()\nllvm.return\n}}"
        for n in range(size)
    ]
    lines.append(f"llvm.func @f{size}() {{\nllvm.return\n}}")
    graph = CallGraph(parse_module("\n".join(lines)))
    assert names(graph.bottom_up())[0] == f"f{size}"
    assert len(graph.components()) == size + 1


CALLS = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=3), min_size=n, max_size=n)
)


def module_of(calls: list[list[int]]):
    functions = [
        f"llvm.func internal @f{n}() {{\n"
        + "".join(f"llvm.call @f{callee}() : () -> ()\n" for callee in callees)
        + "llvm.return\n}"
        for n, callees in enumerate(calls)
    ]
    return parse_module("\n".join(functions))


@given(CALLS, st.data())
def test_components_equal_those_of_networkx(calls: list[list[int]], data: st.DataObject):
    module = module_of(calls)
    graph = CallGraph(module)
    functions = list(module.ops)
    # One function loses a call, as by inlining, before the graph is queried.
    caller = data.draw(st.integers(0, len(calls) - 1))
    if calls[caller]:
        call = next(op for op in functions[caller].walk() if op.name == "llvm.call")
        fast.erase(call)
        graph.refresh(functions[caller])
        calls = [list(c) for c in calls]
        del calls[caller][0]
    graph.verify()
    expected = nx.DiGraph()
    expected.add_nodes_from(range(len(calls)))
    expected.add_edges_from((n, callee) for n, callees in enumerate(calls) for callee in callees)
    found = [[int(node.name[1:]) for node in component] for component in graph.components()]
    assert {frozenset(c) for c in found} == {
        frozenset(c) for c in nx.strongly_connected_components(expected)
    }
    recursive = graph.recursive()
    place = {n: index for index, component in enumerate(found) for n in component}
    for n, callees in enumerate(calls):
        assert all(place[callee] <= place[n] for callee in callees)
        expected_recursive = n in callees or len(found[place[n]]) > 1
        assert (graph.node(functions[n]) in recursive) == expected_recursive
