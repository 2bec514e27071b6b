"""`deadargelim`: removes arguments that callees do not use and results that callers do not use.

    llvm.func internal @f(%x: i32, %y: i32) -> i32 { llvm.return %x }     llvm.func internal @f(%x: i32) -> i32
    %r = llvm.call @f(%a, %b)                                          ->  %r = llvm.call @f(%a)

LLVM's DeadArgumentElimination. An argument is live if it has a use other than calls that pass it to
a dead argument, or returns of a dead result; a result (of a struct, each field separately) is live
if some call uses it. Everything else is dead, including values that are only passed around a
recursion. A signature changes only if every call is known, so signatures of kernels and visible
functions are kept. Calls of visible functions whose definition is exact pass poison for unused
arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.dialects.llvm import (
    CallOp,
    ExtractValueOp,
    FuncOp,
    InsertValueOp,
    LLVMStructType,
    LLVMVoidType,
    ReturnOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    enclosing_function,
    function_type_of,
    position_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_undefined
from nvvm_xdsl.dialects.llvm.symbols import (
    calls_in,
    entry_of,
    functions_of,
    is_definition_exact,
    symbols_of,
)
from nvvm_xdsl.dialects.llvm.types import VOID, dense_i64, is_packed, struct
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.signatures import (
    functions_with_known_calls,
    listed_attributes,
    returns_of,
    set_arguments,
    update_type,
    with_result,
)

ARGUMENTS: Final = Statistic("deadargelim", "arguments", "Number of dead arguments removed")
RESULTS: Final = Statistic("deadargelim", "results", "Number of dead results removed")

ARGUMENT: Final = 0
RESULT: Final = 1

Place: TypeAlias = tuple[FuncOp, int, int]
"""An argument or result: function, `ARGUMENT` or `RESULT`, and index."""

_PROMISES: Final = frozenset(
    {"llvm.noundef", "llvm.nonnull", "llvm.range", "llvm.dereferenceable", "llvm.align"}
)
"""Attributes that an undefined argument violates."""


def result_count(func: FuncOp) -> int:
    """The number of results of a function; each field of a struct counts as one."""
    output = function_type_of(func).output
    if isinstance(output, LLVMVoidType):
        return 0
    return len(output.types.data) if isinstance(output, LLVMStructType) else 1


class _Liveness:
    """The live arguments and results."""

    def __init__(self, calls: dict[FuncOp, list[CallOp]], module: ModuleOp) -> None:
        self.calls = calls
        self.alive: set[Place] = set()
        self._depending: dict[Place, list[Place]] = {}
        self._symbols = symbols_of(module)
        for func, sites in calls.items():
            for argument in entry_of(func).args:
                self._argument((func, ARGUMENT, argument.index), argument)
            for site in sites:
                if site.results:
                    self._result(func, site)

    def mark(self, place: Place) -> None:
        """Marks an argument or result as live, and those that depend on it."""
        work = [place]
        while work:
            one = work.pop()
            self.alive.add(one)
            work += self._depending.pop(one, ())

    def _depends(self, place: Place, on: Place) -> None:
        if on in self.alive:
            self.mark(place)
        else:
            self._depending.setdefault(on, []).append(place)

    def _argument(self, place: Place, value: SSAValue) -> None:
        for user, index in fast.uses_of(value):
            on = self._passed_on(user, index)
            if on is None:
                self.mark(place)
                return
            for one in on:
                self._depends(place, one)

    def _passed_on(self, user: Operation, index: int) -> list[Place] | None:
        """The arguments and results that a use passes a value to; None for any other use."""
        cls = type(user)
        if cls is CallOp:
            callee = self._symbols.get(callee_of(user) or "")
            if isinstance(callee, FuncOp) and callee in self.calls:
                return [(callee, ARGUMENT, index)]
        elif cls is ReturnOp:
            func = enclosing_function(user)
            if func in self.calls:
                return [(func, RESULT, n) for n in range(result_count(func))]
        elif cls is InsertValueOp and index == 1:
            return self._inserted(user)
        return None

    def _inserted(self, insert: Operation) -> list[Place] | None:
        """The field of a result that a value is inserted into, if it has no other use."""
        (field, *deeper) = position_of(insert)
        at = insert
        while not deeper:
            use = fast.single_use(at.results[0])
            if use is None:
                return None
            user = use.operation
            if type(user) is InsertValueOp and use.index == 0:
                at = user
                continue
            # An array is one result.
            if type(user) is not ReturnOp or not isinstance(at.results[0].type, LLVMStructType):
                return None
            func = enclosing_function(user)
            return [(func, RESULT, field)] if func in self.calls else None
        return None

    def _result(self, func: FuncOp, call: CallOp) -> None:
        value = call.results[0]
        is_struct = isinstance(value.type, LLVMStructType)
        for user, index in fast.uses_of(value):
            if type(user) is ExtractValueOp and is_struct:
                places = [(func, RESULT, position_of(user)[0])]
                on: list[Place] | None = None
            else:
                places = [(func, RESULT, n) for n in range(result_count(func))]
                on = self._passed_on(user, index) if not is_struct else None
            for place in places:
                if on is None:
                    self.mark(place)
                for one in on or ():
                    self._depends(place, one)


@dataclass(frozen=True)
class DeadArgumentElimination(NvvmPass):
    """Removes unused arguments and results."""

    name = "deadargelim"
    title = "DeadArgumentElimination"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        calls = functions_with_known_calls(module, am)
        alive = _Liveness(calls, module).alive
        changed: dict[FuncOp, None] = {}
        for func in calls:
            sites = calls[func]
            arguments = [
                a.index for a in entry_of(func).args if (func, ARGUMENT, a.index) not in alive
            ]
            count = result_count(func)
            results = [n for n in range(count) if (func, RESULT, n) in alive]
            if len(results) == count and not arguments:
                continue
            for one in (func, *(enclosing_function(site) for site in sites)):
                changed[one] = None
            if len(results) < count:
                RESULTS.add(count - len(results))
                sites = _change_result(func, results, sites)
            ARGUMENTS.add(len(arguments))
            _drop_arguments(func, arguments, sites)
        changed |= _pass_poison(module)
        for func in changed:
            am.invalidate(func)
        return bool(changed)


def _drop_arguments(func: FuncOp, doomed: Sequence[int], sites: Sequence[CallOp]) -> None:
    """Removes arguments of a function and of its calls; the arguments must have only dead uses."""
    entry = entry_of(func)
    kept = [n for n in range(len(entry.args)) if n not in set(doomed)]
    for site in sites:
        attributes = listed_attributes(site, len(entry.args))
        operands = fast.operands_of(site)
        set_arguments(site, [operands[n] for n in kept], _kept_attributes(attributes, kept))
    attributes = listed_attributes(func, len(entry.args))
    for number in reversed(doomed):
        argument = entry.args[number]
        if argument.first_use is not None:
            # The value is passed to calls that pass it to removed arguments.
            fast.replace_all_uses(argument, Constants(func).poison(argument.type))
        fast.erase_argument(entry, number)
    update_type(func, _kept_attributes(attributes, kept))


def _kept_attributes(
    attributes: Sequence[DictionaryAttr], kept: Sequence[int]
) -> list[DictionaryAttr]:
    # The `returned` attribute may no longer hold.
    return [
        DictionaryAttr({k: v for k, v in attributes[n].data.items() if k != "llvm.returned"})
        for n in kept
    ]


def _change_result(func: FuncOp, kept: Sequence[int], sites: Sequence[CallOp]) -> list[CallOp]:
    """Makes a function return only some fields of its result; returns its new calls."""
    old = function_type_of(func).output
    fields = old.types.data if isinstance(old, LLVMStructType) else (old,)
    new: Attribute | None = None
    if len(kept) == 1:
        new = fields[kept[0]]
    elif kept:
        new = struct([fields[n] for n in kept], packed=is_packed(cast(LLVMStructType, old)))
    constants = Constants(func)
    for end in returns_of(func):
        value = fast.operands_of(end)[0]
        if new is None:
            sent: tuple[SSAValue, ...] = ()
        else:
            sent = (_kept_fields(value, kept, new, constants, end),)
        fast.insert_before(fast.create(ReturnOp, sent, location=end.location), end)
        fast.erase(end)
    func.properties.pop("res_attrs", None)
    attributes = _kept_attributes(
        listed_attributes(func, len(entry_of(func).args)), range(len(entry_of(func).args))
    )
    update_type(func, attributes, VOID if new is None else new)
    made: list[CallOp] = []
    for site in sites:
        call = with_result(site, new)
        caller = enclosing_function(site)
        if site.results[0].first_use is not None:
            whole: SSAValue = Constants(caller).poison(old)
            for place, field in enumerate(kept):
                part: SSAValue = call.results[0]
                if len(kept) > 1:
                    part = _extract(part, place, fields[field], site)
                whole = _insert(whole, part, field, site)
            fast.replace_all_uses(site.results[0], whole)
        fast.erase(site)
        made.append(call)
    return made


def _kept_fields(
    value: SSAValue, kept: Sequence[int], type_: Attribute, constants: Constants, before: Operation
) -> SSAValue:
    if len(kept) == 1:
        return _extract(value, kept[0], type_, before)
    whole: SSAValue = constants.poison(type_)
    fields = cast(LLVMStructType, type_).types.data
    for place, field in enumerate(kept):
        whole = _insert(whole, _extract(value, field, fields[place], before), place, before)
    return whole


def _extract(value: SSAValue, field: int, type_: Attribute, before: Operation) -> SSAValue:
    op = fast.create(ExtractValueOp, (value,), (type_,), {"position": dense_i64((field,))})
    fast.insert_before(op, before)
    return op.results[0]


def _insert(whole: SSAValue, part: SSAValue, field: int, before: Operation) -> SSAValue:
    op = fast.create(InsertValueOp, (whole, part), (whole.type,), {"position": dense_i64((field,))})
    fast.insert_before(op, before)
    return op.results[0]


def _pass_poison(module: ModuleOp) -> dict[FuncOp, None]:
    """Calls of visible functions pass poison for arguments that the callee does not use.

    Returns the changed functions.
    """
    unused: dict[str, list[int]] = {}
    for func in functions_of(module):
        if not is_definition_exact(func):
            continue
        attributes = listed_attributes(func, len(entry_of(func).args))
        numbers = [
            a.index
            for a in entry_of(func).args
            if a.first_use is None
            and "llvm.byval" not in attributes[a.index].data
            and not _PROMISES & attributes[a.index].data.keys()
        ]
        if numbers:
            unused[func.sym_name.data] = numbers
    changed: dict[FuncOp, None] = {}
    for caller in functions_of(module) if unused else ():
        constants = Constants(caller)
        for call in list(calls_in(caller)):
            operands = fast.operands_of(call)
            attributes = listed_attributes(call, len(operands))
            for number in unused.get(callee_of(call) or "", ()):
                if is_undefined(operands[number]) or _PROMISES & attributes[number].data.keys():
                    continue
                fast.set_operand(call, number, constants.poison(operands[number].type))
                changed[caller] = None
    return changed


__all__ = ["DeadArgumentElimination"]
