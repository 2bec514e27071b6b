"""`called-value-propagation`: replaces indirect calls with few possible callees by direct calls.

    %t = llvm.getelementptr @table[0, %i]            %is = llvm.icmp "eq" %f, @scale
    %f = llvm.load %t                           ->   llvm.cond_br %is, ^bb1, ^bb2
    %r = llvm.call %f(%x)                          ^bb1: %a = llvm.call @scale(%x) ; llvm.br ^bb3(%a)
                                                   ^bb2: %b = llvm.call @shift(%x) ; llvm.br ^bb3(%b)

    llvm.mlir.global internal constant @table() { ... @scale, @shift ... }

LLVM's CalledValuePropagation computes the possible callees of each called pointer, at most
`cvp-max-functions-per-value`, and records them as `!callees` metadata, which few LLVM passes use.
`ptxas` analyzes function tables itself to compute stack sizes. This pass therefore adds no
metadata: it replaces the indirect call by a chain of comparisons with a direct call each, which can
be inlined. Pointers are traced through selects, block arguments, arguments and results of functions
whose calls are all known, and constant tables.

With `whole-program-visibility` (LLVM's option; `nvvm-cc` sets it unless `-rdc` is given), in a
module with kernels, the possible callees of a pointer that cannot be traced (of a virtual call, for
example) are the functions of the call's type whose address is taken, because no other module can
provide one.

Threads of a warp that call different functions execute the calls one after the other, before and
after the transformation. A call is not replaced if a possible callee is `convergent`, unless the
pointer is uniform in the warp.

Benefit: kernels that select an operation by a table or by virtual functions. A kernel that finds
the nearest of two kinds of shapes through a virtual function executes 479 machine instructions with
28 registers (libNVVM's code: 703 with 40). A sum with a table of three operations executes 290
(libNVVM's code: 302). In examples/ and test/corpus only `apply` of `device_function` calls through
a pointer, with three possible callees; afterwards it has no indirect call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import AddressOfOp, CallOp, FuncOp, GlobalOp, LoadOp, UndefOp, ZeroOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.addresses import Addresses
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.dialects.llvm import branches, op_class
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    defined_name,
    global_name,
    is_constant_global,
    is_direct_call,
    is_must_tail,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    entry_of,
    functions_of,
    is_definition_exact,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.builder import EQ, Builder, hoist_static_allocas
from nvvm_xdsl.transforms.signatures import (
    functions_with_known_calls,
    make_direct,
    may_call,
    returns_of,
)

DIRECT: Final = Statistic(
    "called-value-propagation", "direct", "Number of indirect calls replaced by direct calls"
)

MOST_VALUES: Final = 256
"""Maximum number of values that are examined for one call."""

FreezeOp, PoisonOp, SelectOp = map(op_class, ("llvm.freeze", "llvm.mlir.poison", "llvm.select"))
_NO_FUNCTION: Final = (UndefOp, ZeroOp, PoisonOp)
"""Ops that create a pointer that must not be called."""

_TABLE: Final = frozenset(
    {
        *(AddressOfOp, UndefOp, ZeroOp, PoisonOp),
        *map(op_class, ("llvm.mlir.constant", "llvm.insertvalue", "llvm.return")),
    }
)
"""Initializer ops that only refer to functions by name."""


@dataclass(frozen=True)
class CalledValuePropagation(NvvmPass):
    """Replaces indirect calls with few possible callees by direct calls."""

    name = "called-value-propagation"
    title = "CalledValuePropagation"

    cvp_max_functions_per_value: int = 4
    """Maximum number of possible callees of a pointer."""

    whole_program_visibility: bool = False
    """Whether the module is the whole program, so that pointers refer only to functions whose
    address the module takes."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        calls = [
            (func, op)
            for func in functions_of(module)
            for op in walk_function(func)
            if type(op) is CallOp and not is_direct_call(op) and not is_must_tail(op)
        ]
        if not calls:
            return False
        called = _CalledValues(module, self.whole_program_visibility, am)
        changed: dict[FuncOp, Constants] = {}
        found = [(func, call, called.of(call)) for func, call in calls]
        for func, call, functions in found:
            if functions is None or not 0 < len(functions) <= self.cvp_max_functions_per_value:
                continue
            if len(functions) > 1 and not _may_be_divided(func, call, functions, am):
                continue
            constants = changed.get(func)
            if constants is None:
                constants = changed[func] = Constants(func)
                hoist_static_allocas(func, constants)
            _report(func, call, functions)
            _divide(call, functions, constants, called.symbols)
            am.invalidate(func)
            DIRECT.add()
        return bool(changed)


class _CalledValues:
    """The possible callees of the pointers in a module's calls."""

    def __init__(self, module: ModuleOp, whole_program: bool, am: AnalysisManager) -> None:
        self.symbols = symbols_of(module)
        self.addresses = Addresses(data_layout_of(module))
        self.known_calls = functions_with_known_calls(module, am)
        self.taken: list[FuncOp] | None = None
        """All possible callees of a pointer; None if other modules may provide some."""
        if whole_program and any(map(is_kernel, functions_of(module))):
            self.taken = [
                node.func
                for node in am.get(CallGraph, module).nodes.values()
                # The address of a kernel is only used by launches.
                if node.address_taken and not is_kernel(node.func)
            ]

    def of(self, call: CallOp) -> list[FuncOp] | None:
        """The possible callees of a call in the order of the module; None if they are unknown.

        If the pointer can refer to a function whose parameters do not match the call, the callees
        are unknown, because such a call may work in practice. With `whole_program_visibility`,
        which compares only types, functions that do not match are not candidates.
        """
        found = self._follow(fast.operands_of(call)[0])
        if found is not None:
            return found if all(may_call(call, func) for func in found) else None
        if self.taken is None or "var_callee_type" in call.properties:
            # A variadic function accepts any arguments and is not called directly here.
            return None
        return [func for func in self.taken if may_call(call, func)]

    def _follow(self, pointer: SSAValue) -> list[FuncOp] | None:
        """The possible callees of a pointer, as far as it can be traced."""
        found: dict[FuncOp, None] = {}
        seen = {pointer}
        pending = [pointer]
        while pending:
            sources = self._sources(pending.pop(), found)
            if sources is None or len(seen) > MOST_VALUES:
                return None
            for source in sources:
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
        return [op for op in self.symbols.values() if op in found and isinstance(op, FuncOp)]

    def _sources(self, value: SSAValue, found: dict[FuncOp, None]) -> Sequence[SSAValue] | None:
        """The possible values of a pointer; functions among them are added to `found`. None if
        others are possible."""
        owner = value.owner
        if isinstance(owner, Block):
            return self._incoming(value, owner)
        cls = type(owner)
        if cls is AddressOfOp:
            return () if self._note(global_name(owner), found) else None
        if cls in _NO_FUNCTION:
            return ()
        if cls is SelectOp:
            return fast.operands_of(owner)[1:]
        if cls is FreezeOp:
            return fast.operands_of(owner)
        if cls is LoadOp:
            return () if self._note_tables(fast.operands_of(owner)[0], found) else None
        func = self.symbols.get(callee_of(owner) or "")
        if isinstance(func, FuncOp) and func.regions[0].blocks and is_definition_exact(func):
            return [fast.operands_of(op)[0] for op in returns_of(func)]
        return None

    def _incoming(self, value: SSAValue, block: Block) -> Sequence[SSAValue] | None:
        """The possible callees of a block argument; for a function's entry block those that its
        calls pass.
        """
        func = block.parent_op()
        number = block.args.index(value)
        assert isinstance(func, FuncOp)
        if block is not entry_of(func):
            return branches.incoming_values(block.args[number])
        calls = self.known_calls.get(func)
        return None if calls is None else [fast.operands_of(call)[number] for call in calls]

    def _note(self, name: str, found: dict[FuncOp, None]) -> bool:
        """Records a function by its name; returns whether it is a definition that cannot be
        replaced.
        """
        func = self.symbols.get(name)
        if not isinstance(func, FuncOp) or linkage_of(func) in INTERPOSABLE_LINKAGE:
            return False
        found[func] = None
        return True

    def _note_tables(self, address: SSAValue, found: dict[FuncOp, None]) -> bool:
        """Records the functions in the constants that an address may point to; returns whether all
        are known."""
        roots = self.addresses.objects(address)
        return roots is not None and all(
            isinstance(root, str) and self._note_table(root, found) for root in roots
        )

    def _note_table(self, name: str, found: dict[FuncOp, None]) -> bool:
        table = self.symbols.get(name)
        if (
            not isinstance(table, GlobalOp)
            or not is_constant_global(table)
            or set_by_host(table)
            or linkage_of(table) in INTERPOSABLE_LINKAGE
        ):
            return False
        named: list[str] = []
        for op in walk_function(table):
            if type(op) not in _TABLE:
                return False
            if type(op) is AddressOfOp:
                named.append(global_name(op))
        functions = [name for name in named if not isinstance(self.symbols.get(name), GlobalOp)]
        return bool(functions) and all(self._note(name, found) for name in functions)


def _may_be_divided(
    func: FuncOp, call: CallOp, functions: Sequence[FuncOp], am: AnalysisManager
) -> bool:
    """Returns True if a call may be replaced by several, of which each thread executes one."""
    if any(has_function_attribute(op, NODUPLICATE) for op in (call, *functions)):
        return False
    if not any(has_function_attribute(callee, "convergent") for callee in functions):
        return True
    return am.get(Uniformity, func).is_uniform(fast.operands_of(call)[0])


def _divide(
    call: CallOp, functions: Sequence[FuncOp], constants: Constants, symbols: dict[str, Operation]
) -> None:
    """Replaces an indirect call by a chain of comparisons and direct calls."""
    pointer = fast.operands_of(call)[0]
    build = Builder(call, constants)
    addresses = [
        build.value(
            AddressOfOp, (), pointer.type, {"global_name": SymbolRefAttr(defined_name(function))}
        )
        for function in functions
    ]
    if len(functions) == 1:
        fast.set_operand(call, 0, addresses[0])
        make_direct(call, symbols)
        return
    build.split()
    join = call.parent
    assert join is not None
    for result in call.results:
        fast.replace_all_uses(result, fast.add_argument(join, result.type))
    last = len(functions) - 1
    for number, address in enumerate(addresses):
        following = None
        if number < last:
            chosen, following = build.new_block("called"), build.new_block("other")
            build.conditional_branch(build.compare(EQ, pointer, address), chosen, following)
            build.start(chosen)
        made = build.copy(call)
        fast.set_operand(made, 0, address)
        make_direct(made, symbols)
        if following is not None:
            build.branch(join, made.results)
            build.start(following)
        else:
            build.finish(made.results)
    fast.erase(call)


def _report(func: FuncOp, call: CallOp, functions: Sequence[FuncOp]) -> None:
    names = ", ".join(defined_name(function) for function in functions)
    remarks.emit(
        *("Passed", "called-value-propagation", "Direct", defined_name(func)),
        *("possible callees of an indirect call: ", ("Callees", names)),
        op=call,
    )


__all__ = ["CalledValuePropagation"]
