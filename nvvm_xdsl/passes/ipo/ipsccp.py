"""`ipsccp`: propagates constants through functions, results and variables.

    llvm.func internal @f(%x: i32) -> i32 {             llvm.func internal @f(%x: i32) -> i32 {
      %r = llvm.add %x, %x : i32                    ->    llvm.return %six
    }                                                   }
    %r = llvm.call @f(%three) ; llvm.store %r           llvm.call @f(%three) ; llvm.store %six

`sccp` on all functions of a module (LLVM's IPSCCP; the optimizer document calls its factory
IPConstantPropagation). The arguments of a function whose calls are all known have the values that
its executable calls pass; the result of a function with an exact definition is the value of its
executable returns. A variable that is invisible to other modules and the host, and is only loaded
and stored as a whole, contains its initializer or a stored value: if all these values are equal,
loads yield it in every launch. Addresses of functions and variables are constants, so that calls
through pointers with one possible callee become direct.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    CallOp,
    FuncOp,
    GlobalOp,
    LoadOp,
    ReturnOp,
    StoreOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.dialects.effects import with_arguments_as_other_memory
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attribute,
    callee_of,
    global_name,
    global_reference,
    global_type_of,
    memory_effects_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, after_constants
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.setters import set_memory_effects
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    calls_in,
    entry_of,
    functions_of,
    is_definition_exact,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.constant_propagation import (
    CONSTANTS,
    UNDEFINED,
    VARYING,
    Fact,
    SCCPSolver,
    initial_fact,
)
from nvvm_xdsl.transforms.signatures import functions_with_known_calls, make_direct

DIRECT: Final = Statistic("ipsccp", "direct", "Number of indirect calls replaced by direct calls")


@dataclass(frozen=True)
class IPSCCP(NvvmPass):
    """Propagates constants along executable branches and calls."""

    name = "ipsccp"
    title = "IPSCCP"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        functions = list(functions_of(module))
        if not functions:
            return False
        solver = ModuleSolver(module, functions, am)
        solver.solve()
        changed = solver.rewrite_all()
        for func in changed:
            am.invalidate(func)
        return bool(changed)


def whole_accesses(addresses: list[Operation], type_: Attribute) -> bool:
    """Returns True if all uses of a variable are plain loads and stores of the whole variable."""
    for address in addresses:
        for user, index in fast.uses_of(address.results[0]):
            if type(user) is LoadOp:
                accessed = user.results[0].type
            elif type(user) is StoreOp and index == 1:
                accessed = fast.operands_of(user)[0].type
            else:
                return False
            if accessed != type_ or not is_simple_access(user):
                return False
    return True


class ModuleSolver(SCCPSolver):
    """The lattice values of all functions.

    Arguments:
        functions: the functions of the module with a body, at least one.
    """

    def __init__(self, module: ModuleOp, functions: list[FuncOp], am: AnalysisManager) -> None:
        super().__init__(functions[0])
        self.functions = functions
        self.symbols = symbols_of(module)
        self.entered = functions_with_known_calls(module, am)
        """The functions whose calls are all known."""
        self.entries: list[Block] = []
        """Entry blocks of called functions that have not been visited."""
        self.returned: dict[FuncOp, Fact | None] = {}
        self.callers: dict[FuncOp, dict[CallOp, None]] = {}
        self.variables: dict[str, Fact | None] = {}
        self.loads: dict[str, list[Operation]] = {}
        self.rebased: set[str] = set()
        """The names of functions that access a variable instead of a pointer argument."""
        self._find_variables(module)

    def _find_variables(self, module: ModuleOp) -> None:
        candidates = {
            name: op
            for name, op in self.symbols.items()
            if type(op) is GlobalOp and linkage_of(op) in LOCAL_LINKAGE and not set_by_host(op)
        }
        if not candidates:
            return
        # The addresses in initializers, such as that of `llvm.used`, are neither loaded nor stored to.
        addresses: dict[str, list[Operation]] = {}
        for op in module.walk():
            if type(op) is AddressOfOp:
                addresses.setdefault(global_name(op), []).append(op)
        for name, op in candidates.items():
            first = initial_fact(op)
            own = addresses.get(name, [])
            if first is not None and whole_accesses(own, global_type_of(op)):
                self.variables[name] = first
                self.loads[name] = [
                    user
                    for address in own
                    for user in fast.users_of(address.results[0])
                    if type(user) is LoadOp
                ]

    # Solving.

    def solve(self) -> None:
        for func in self.functions:
            entry = entry_of(func)
            known = func in self.entered
            for argument in entry.args:
                # A `byval` argument is the address of the callee's copy, not the caller's operand.
                if not known or argument_attribute(func, argument.index, "llvm.byval") is not None:
                    self.facts[argument] = VARYING
            if not known:
                self.reach(entry)
        self.run()

    def run(self) -> None:
        """Propagates along edges and facts until a fixed point."""
        while self.edges or self.work or self.entries:
            while self.work:
                self.visit_users()
            if self.edges:
                self.follow(*self.edges.pop())
            elif self.entries:
                entry = self.entries.pop()
                if entry not in self.reached:
                    self.reach(entry)

    def fact(self, value: SSAValue) -> Fact | None:
        owner = value.owner
        if type(owner) is AddressOfOp:
            return global_reference(owner)
        return super().fact(value)

    def visit(self, op: Operation) -> None:
        cls = type(op)
        if cls is CallOp:
            self.visit_call(cast(CallOp, op))
        elif cls is ReturnOp:
            self.visit_return(op)
        elif cls is LoadOp:
            name = self.variable(op, 0)
            if name is None:
                super().visit(op)
            else:
                self.set_fact(op.results[0], self.variables[name])
        elif cls is StoreOp:
            name = self.variable(op, 1)
            if name is not None:
                self.join_variable(name, self.fact(fast.operands_of(op)[0]))
        else:
            super().visit(op)

    def variable(self, op: Operation, index: int) -> str | None:
        """The variable that a load or store accesses, if it is tracked."""
        address = fast.operands_of(op)[index].owner
        if type(address) is not AddressOfOp:
            return None
        name = global_name(address)
        return name if name in self.variables else None

    def join_variable(self, name: str, fact: Fact | None) -> None:
        """Joins a value into that of a variable."""
        joined = _join(self.variables[name], fact)
        if joined is not self.variables[name]:
            self.variables[name] = joined
            for load in self.loads[name]:
                self.visit(load)

    def visit_call(self, call: CallOp) -> None:
        """Joins the arguments into the callee's parameters, and the callee's result into the
        call's.
        """
        callee = self.symbols.get(callee_of(call) or "")
        if not isinstance(callee, FuncOp) or callee.regions[0].first_block is None:
            for result in call.results:
                self.set_fact(result, VARYING)
            return
        # The arguments of functions with unknown calls are varying.
        entry = entry_of(callee)
        self.send(entry, fast.operands_of(call))
        # Visited later, because call chains may exceed the recursion limit.
        self.entries.append(entry)
        if not call.results:
            return
        if not is_definition_exact(callee) or has_function_attribute(callee, "optimize_none"):
            self.set_fact(call.results[0], VARYING)
            return
        self.callers.setdefault(callee, {})[call] = None
        self.set_fact(call.results[0], self.returned.get(callee))

    def visit_return(self, op: Operation) -> None:
        """Joins the returned value into the function's result, and updates the known calls."""
        values = fast.operands_of(op)
        if not values:
            return
        func = op.parent_op()
        assert isinstance(func, FuncOp)
        joined = self.returned[func] = _join(self.returned.get(func), self.fact(values[0]))
        for call in self.callers.get(func, ()):
            self.set_fact(call.results[0], joined)

    # Rewriting.

    def rewrite_all(self) -> list[FuncOp]:
        """Replaces values by constants; returns the changed functions."""
        blocks: dict[FuncOp, dict[Block, None]] = {}
        for block in self.reached:
            func = block.parent_op()
            assert isinstance(func, FuncOp)
            blocks.setdefault(func, {})[block] = None
        changed: list[FuncOp] = []
        for func, reached in blocks.items():
            if has_function_attribute(func, "optimize_none"):
                continue
            self.func, self.region, self.reached = func, func.regions[0], reached
            found = self.rewrite()
            found |= self.make_calls_direct(func)
            if found:
                changed.append(func)
        if self.rebased:
            changed += [f for f in self.functions if self.widen_memory_effects(f)]
        return changed

    def widen_memory_effects(self, func: FuncOp) -> bool:
        """Updates the memory effects of a function and its calls for variables that are accessed
        instead of pointer arguments; returns whether there are such effects."""
        ops: list[Operation] = [op for op in calls_in(func) if callee_of(op) in self.rebased]
        if func.sym_name.data in self.rebased:
            ops.append(func)
        found = False
        for op in ops:
            effects = memory_effects_of(op)
            if isinstance(effects, MemoryEffectsAttr):
                set_memory_effects(op, with_arguments_as_other_memory(effects))
                found = True
        return found

    def replace_by_constant(self, value: SSAValue, constants: Constants) -> bool:
        fact = self.facts.get(value)
        if type(fact) is not SymbolRefAttr:
            return super().replace_by_constant(value, constants)
        if value.first_use is None:
            return False
        address = fast.create(AddressOfOp, (), (value.type,), {"global_name": fact})
        fast.insert_before(address, after_constants(entry_of(self.func)))
        fast.replace_all_uses(value, address.results[0])
        if isinstance(value, BlockArgument) and value.block is entry_of(self.func):
            self.rebased.add(self.func.sym_name.data)
        CONSTANTS.add()
        return True

    def make_calls_direct(self, func: FuncOp) -> bool:
        """Replaces calls of the address of a function by direct calls."""
        changed = False
        for op in walk_function(func):
            if type(op) is CallOp and make_direct(op, self.symbols):
                DIRECT.add()
                changed = True
        return changed


def _join(old: Fact | None, new: Fact | None) -> Fact | None:
    """The join of two lattice values; `old` itself if it is unchanged."""
    if new is None or old == new:
        return old
    if old is None or old is UNDEFINED:
        return new
    return old if new is UNDEFINED else VARYING


__all__ = ["IPSCCP", "ModuleSolver", "whole_accesses"]
