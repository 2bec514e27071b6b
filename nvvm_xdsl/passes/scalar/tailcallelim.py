"""`tailcallelim`: replaces recursive calls at the end of a function by a loop.

    llvm.func @f(%n: i32, %x: i32) -> i32 {          llvm.func @f(%n: i32, %x: i32) -> i32 {
      ...                                              llvm.br ^tailrecurse(%n, %x)
    ^more:                                           ^tailrecurse(%m: i32, %y: i32):
      %r = llvm.call @f(%n1, %x1)              ->      ...
      llvm.return %r                                 ^more:
                                                       llvm.br ^tailrecurse(%n1, %x1)

The op on the result before the return may be a sum, product, conjunction, disjunction or exclusive
or with a value known at the call, always of one kind: an argument of the loop accumulates it, and
every other return combines it with its own value. On a GPU a recursive call saves registers in
local memory and prevents `ptxas` from computing a kernel's stack size.

A function with a convergent op is unchanged, because its reconvergence point would move. So is a
function with a local variable whose address escapes, because each call has its own, or with
by-value arguments. (LLVM's TailCallElim; the mark `tail` on other calls has no meaning in PTX.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    AllocaOp,
    AndOp,
    BrOp,
    CallOp,
    FuncOp,
    MulOp,
    OrOp,
    ReturnOp,
    XOrOp,
)
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    defined_name,
    function_type_of,
    integer_width,
)
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.symbols import is_definition_exact
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass

ELIMINATED: Final = Statistic("tailcallelim", "eliminated", "Number of tail calls removed")

_NEUTRAL: Final[dict[type[Operation], int]] = {AddOp: 0, MulOp: 1, AndOp: -1, OrOp: 0, XOrOp: 0}
"""The neutral element of the op that accumulates results."""

_FIXED = frozenset({*CONSTANT_CLASSES, AddressOfOp, AllocaOp})


class _Call(NamedTuple):
    """A call at the end of a function, and the op on its result."""

    call: Operation
    terminator: Operation
    gathering: Operation | None


@dataclass(frozen=True)
class TailCallElim(FunctionPass):
    """Replaces recursive calls at the end of a function by a loop."""

    name = "tailcallelim"
    title = "TailCallElim"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        calls = _tail_calls(func)
        if not calls or not _may_change(func, am):
            return False
        _make_loop(func, calls)
        return True


def _tail_calls(func: FuncOp) -> list[_Call]:
    """The recursive calls at the end of a function, all of one kind."""
    name = defined_name(func)
    found: list[_Call] = []
    for block in fast.blocks_of(func.regions[0]):
        for op in fast.ops_of(block):
            if type(op) is CallOp and callee_of(op) == name:
                call = _tail_call(op, block)
                if call is not None:
                    found.append(call)
    kinds = {type(call.gathering) for call in found if call.gathering is not None}
    if len(kinds) > 1:
        found = [call for call in found if call.gathering is None]
    return found


def _tail_call(call: Operation, block: Block) -> _Call | None:
    terminator = branches.terminator_of(block)
    returned = _returned(terminator)
    if returned is None:
        return None
    gathering: Operation | None = None
    at = call.next_op
    while at is not None and at is not terminator:
        if type(at) not in CONSTANT_CLASSES:
            if gathering is not None or type(at) not in _NEUTRAL:
                return None
            gathering = at
        at = at.next_op
    if not call.results:
        return _Call(call, terminator, None) if gathering is None and not returned else None
    (result,) = call.results
    use = fast.single_use(result)
    if use is None:
        return None
    if gathering is None:
        return _Call(call, terminator, None) if returned[0] is result else None
    if use.operation is not gathering:
        return None
    if returned[0] is not gathering.results[0]:
        return None
    return _Call(call, terminator, gathering) if integer_width(result.type) else None


def _returned(terminator: Operation) -> tuple[SSAValue, ...] | None:
    """The value that a terminator returns; None if it does not return."""
    if type(terminator) is ReturnOp:
        return fast.operands_of(terminator)
    if type(terminator) is not BrOp:
        return None
    ((target, values),) = branches.edges_of(terminator)
    last = target.first_op
    while last is not None and type(last) in CONSTANT_CLASSES:
        last = last.next_op
    if type(last) is not ReturnOp:
        return None
    assert last is not None
    position: dict[SSAValue, int] = {a: n for n, a in enumerate(target.args)}
    return tuple(values[position[v]] if v in position else v for v in fast.operands_of(last))


def _may_change(func: FuncOp, am: AnalysisManager) -> bool:
    if is_kernel(func) or function_type_of(func).is_variadic or not is_definition_exact(func):
        return False
    entry = func.regions[0].first_block
    assert entry is not None
    if any("llvm.byval" in argument_attributes(func, a.index) for a in entry.args):
        return False
    name = defined_name(func)
    aliases = am.get(AliasAnalysis, func)
    for op in func.walk():
        if type(op) is AllocaOp:
            if op.parent is not entry or aliases.is_captured(op.results[0]):
                return False
            if constant_integer(fast.operands_of(op)[0]) is None:
                return False
        elif effects(op) & CONVERGENT and op is not func:
            if type(op) is not CallOp or callee_of(op) != name:
                return False
    return True


def _make_loop(func: FuncOp, calls: list[_Call]) -> None:
    region = func.regions[0]
    entry = region.first_block
    assert entry is not None
    constants = Constants(func)
    kind = next((type(c.gathering) for c in calls if c.gathering is not None), None)
    start: Operation | None = entry.first_op
    assert start is not None
    # Slots are allocated once, before the loop.
    for op in list(fast.ops_of(entry)):
        if type(op) in _FIXED:
            if op is start:
                start = op.next_op
                assert start is not None
            else:
                fast.move_before(op, start)
    location = start.location
    header = fast.split_block_before(start)
    fast.set_name(header, "tailrecurse")
    initial: list[SSAValue] = list(entry.args)
    for argument in entry.args:
        inner = fast.add_argument(header, argument.type)
        fast.set_name(inner, argument.name_hint)
        fast.replace_all_uses(argument, inner)
    gathered: SSAValue | None = None
    if kind is not None:
        type_ = function_type_of(func).output
        gathered = fast.add_argument(header, type_)
        fast.set_name(gathered, "accumulator.tr")
        initial.append(constants.integer(_NEUTRAL[kind], type_))
    for call, terminator, gathering in calls:
        sent = list(fast.operands_of(call))
        if gathered is not None and kind is not None:
            value = gathered
            if gathering is not None:
                other = next(v for v in fast.operands_of(gathering) if v is not call.results[0])
                op = fast.create(
                    kind, (gathered, other), (gathered.type,), location=gathering.location
                )
                fast.insert_before(op, terminator)
                value = op.results[0]
            sent.append(value)
        new = branches.branch(header, sent)
        new.location = call.location
        fast.insert_before(new, terminator)
        fast.erase(terminator)
        if gathering is not None:
            fast.erase(gathering)
        fast.erase(call)
        ELIMINATED.add()
    if gathered is not None and kind is not None:
        for block in fast.blocks_of(region):
            last = block.last_op
            if last is not None and type(last) is ReturnOp:
                (value,) = fast.operands_of(last)
                op = fast.create(kind, (gathered, value), (value.type,), location=last.location)
                fast.insert_before(op, last)
                fast.set_operand(last, 0, op.results[0])
    into = branches.branch(header, initial)
    into.location = location
    fast.append(entry, into)
