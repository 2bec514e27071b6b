"""The call graph of a module, and the order of its functions.

A function whose address is taken may be called by any indirect call. Kernels are called from
outside the module, as is everything that other modules can see.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self

from xdsl.dialects.llvm import AddressOfOp, CallOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import callee_of, global_name, symbol_name
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, linkage_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.graphs import strongly_connected_components

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


class CallGraphNode:
    """A function with its calls by callee, and its references.

    `calls` maps each call op in the body to the called function; None for an indirect call or a
    symbol that is not a function of the module.
    """

    func: FuncOp
    calls: dict[Operation, CallGraphNode | None]
    callers: dict[Operation, CallGraphNode]
    address_taken: bool

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.calls = {}
        self.callers = {}
        self.address_taken = False

    @property
    def name(self) -> str:
        """The function's name."""
        return symbol_name(self.func) or ""

    @property
    def is_declaration(self) -> bool:
        """True if the function has no body here."""
        return self.func.regions[0].first_block is None

    def callees(self) -> list[CallGraphNode]:
        """The directly called functions, each once, in order of their first call."""
        return list(dict.fromkeys(n for n in self.calls.values() if n is not None))

    def has_indirect_calls(self) -> bool:
        """Returns True if the function has an indirect or unknown call."""
        return None in self.calls.values()


class CallGraph:
    """The calls of a module."""

    nodes: dict[str, CallGraphNode]

    def __init__(self, module: Operation) -> None:
        self.module = module
        self.nodes = {}
        self._by_func: dict[Operation, CallGraphNode] = {}
        block = module.regions[0].first_block
        ops = list(fast.ops_of(block)) if block is not None else []
        for op in ops:
            if isinstance(op, FuncOp):
                node = CallGraphNode(op)
                self.nodes[node.name] = node
                self._by_func[op] = node
        for op in ops:
            if isinstance(op, FuncOp):
                self.refresh(op)
            else:
                for region in op.regions:
                    for inner in region.walk():
                        if type(inner) is AddressOfOp:
                            self._note_address(inner)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The call graph of a module."""
        return cls(op)

    def node(self, func: Operation | str) -> CallGraphNode:
        """The node of a function, given by op or name."""
        return self.nodes[func] if isinstance(func, str) else self._by_func[func]

    def _note_address(self, op: Operation) -> None:
        node = self.nodes.get(global_name(op))
        if node is not None:
            node.address_taken = True

    def refresh(self, func: Operation) -> None:
        """Updates a function's calls after its body has changed, for example by inlining.

        The mark of a function whose address is taken is only removed by `recompute`.
        """
        node = self._by_func[func]
        for call in list(node.calls):
            self._remove(node, call)
        for block in fast.blocks_of(func.regions[0]):
            for op in fast.ops_of(block):
                cls = type(op)
                if cls is CallOp:
                    self._add(node, op)
                elif cls is AddressOfOp:
                    self._note_address(op)

    def _add(self, node: CallGraphNode, call: Operation) -> None:
        target = self.nodes.get(callee_of(call) or "")
        node.calls[call] = target
        if target is not None:
            target.callers[call] = node

    def _remove(self, node: CallGraphNode, call: Operation) -> None:
        target = node.calls.pop(call)
        if target is not None:
            del target.callers[call]

    def roots(self) -> list[CallGraphNode]:
        """The functions that may be called from outside: kernels and visible functions."""
        return [node for node in self.nodes.values() if self.is_root(node)]

    def is_root(self, node: CallGraphNode) -> bool:
        """Returns True if the function has a body and may be called from outside the module."""
        if node.is_declaration:
            return False
        if is_kernel(node.func) or node.address_taken:
            return True
        return linkage_of(node.func) not in LOCAL_LINKAGE

    def _successors(self, *, indirect: bool) -> tuple[list[CallGraphNode], list[list[int]]]:
        nodes = list(self.nodes.values())
        numbers = {node: number for number, node in enumerate(nodes)}
        taken = [numbers[n] for n in nodes if n.address_taken] if indirect else []
        found: list[list[int]] = []
        for node in nodes:
            targets = [numbers[callee] for callee in node.callees()]
            if taken and node.has_indirect_calls():
                targets += taken
            found.append(targets)
        return nodes, found

    def components(self, *, indirect: bool = True) -> list[list[CallGraphNode]]:
        """The strongly connected components, callees before callers.

        Arguments:
            indirect: an indirect call counts as a call of every function whose address is taken;
                otherwise as none.
        """
        nodes, successors = self._successors(indirect=indirect)
        found = strongly_connected_components(range(len(nodes)), successors)
        return [[nodes[n] for n in component] for component in found]

    def bottom_up(self, *, indirect: bool = True) -> Iterator[CallGraphNode]:
        """The functions with bodies, callees before callers except within recursion."""
        components = self.components(indirect=indirect)
        return (n for component in components for n in component if not n.is_declaration)

    def recursive(self, *, indirect: bool = True) -> set[CallGraphNode]:
        """The functions that may be recursive."""
        found: set[CallGraphNode] = set()
        for component in self.components(indirect=indirect):
            if len(component) > 1 or component[0] in component[0].calls.values():
                found.update(component)
        return found

    def reachable(self) -> set[CallGraphNode]:
        """The functions that are reachable by calls from a root or from outside."""
        nodes, successors = self._successors(indirect=True)
        numbers = {node: number for number, node in enumerate(nodes)}
        work = [numbers[n] for n in self.roots()]
        seen = set(work)
        while work:
            for target in successors[work.pop()]:
                if target not in seen:
                    seen.add(target)
                    work.append(target)
        return {nodes[n] for n in seen}

    def verify(self) -> None:
        """Recomputes the call graph; raises AssertionError if it differs."""
        fresh = CallGraph(self.module)
        assert fresh.nodes.keys() == self.nodes.keys(), "the functions have changed"
        for name, other in fresh.nodes.items():
            mine = self.nodes[name]
            assert mine.func is other.func, f"@{name} was replaced"
            assert {c: n and n.name for c, n in mine.calls.items()} == {
                c: n and n.name for c, n in other.calls.items()
            }, f"the calls in @{name} are stale"
            assert mine.callers.keys() == other.callers.keys(), f"the calls of @{name} are stale"
            assert mine.address_taken or not other.address_taken, (
                f"the address of @{name} is taken now"
            )
