"""Attributes of the optimized function that the original lacks, as obligations of its body.

A violated attribute is undefined behaviour or poison of the optimized function. `range`, `nonnull`
and `noundef` of results are part of the encoding. The other attributes must follow from the body:
each access is traced back to the objects on which its pointer may be based. Attributes of callees
are assumed; they are obligations when the callees are validated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from nvvm_xdsl.dialects.effects import (
    ARGUMENTS_ONLY,
    MAY_NOT_RETURN,
    READS,
    STATE,
    WRITES,
    effects,
    memory_effects_flags,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    callee_of,
    function_type_of,
    global_name,
    int_property,
    is_constant_global,
    is_volatile,
    memory_effects_of,
    result_dictionaries,
    returns_always,
)
from nvvm_xdsl.dialects.llvm.branches import argument_behind, incoming_values
from nvvm_xdsl.dialects.llvm.function_attributes import passthrough_of
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.validation.objects import ADDRESS_ONLY, DERIVED

ENCODED_RESULT_FACTS = frozenset({"llvm.range", "llvm.nonnull", "llvm.noundef"})
"""Attributes of results that the encoding of `llvm.return` includes."""

_POINTER_FACTS = ("llvm.nocapture", "llvm.readonly", "llvm.readnone", "llvm.writeonly")
_ALWAYS_TRUE = frozenset({"no_unwind"})
"""Attributes that are true of all device functions, because there are no exceptions."""


def unjustified(before: Operation, after: Operation, module: ModuleOp) -> str:
    """An attribute of the optimized function that does not follow from its body; empty if all do.

    Arguments:
        before, after: the function.
        module: the optimized module.
    """
    return next(_unjustified(before, after, module), "")


def _unjustified(before: Operation, after: Operation, module: ModuleOp) -> Iterator[str]:
    for index in range(len(function_type_of(after).inputs.data)):
        old, new = argument_attributes(before, index), argument_attributes(after, index)
        argument = _entry_argument(after, index)
        for name in _added(old, new):
            if name not in _POINTER_FACTS or not _argument_has(argument, name, module):
                yield f"{name} of argument {index}"
        if "llvm.nocapture" in new and not _argument_has(argument, "llvm.nocapture", module):
            yield f"captured argument {index}"
    old, new = (_result_facts(op) for op in (before, after))
    for name in _added(old, new):
        if name not in ENCODED_RESULT_FACTS:
            yield f"{name} of the result"
    claimed = memory_effects_of(after)
    if claimed != memory_effects_of(before) and claimed is not None:
        assert isinstance(claimed, MemoryEffectsAttr)
        if not _memory_effects_hold(after, module, memory_effects_flags(claimed)):
            yield "memory effects"
    if returns_always(after) and not returns_always(before):
        if _has_cycle(after) or _some_effect(after, MAY_NOT_RETURN):
            yield "will_return"
    yield from _unjustified_words(before, after, module)


def _unjustified_words(before: Operation, after: Operation, module: ModuleOp) -> Iterator[str]:
    old = passthrough_of(before)
    for name, value in passthrough_of(after).items():
        if name in old and old[name] == value:
            continue
        holds = name in _ALWAYS_TRUE
        if name == "nosync":
            holds = not _some_effect(after, STATE) and _all_callees_have(after, name, module)
        elif name == "norecurse":
            holds = _all_callees_have(after, name, module)
        if not holds:
            yield name


def _result_facts(func: Operation) -> Mapping[str, Attribute]:
    found = result_dictionaries(func)
    return found[0].data if found else {}


def _added(old: Mapping[str, Attribute], new: Mapping[str, Attribute]) -> list[str]:
    return [name for name, value in new.items() if old.get(name) != value]


def _entry_argument(func: Operation, index: int) -> SSAValue:
    block = func.regions[0].first_block
    assert block is not None
    return block.args[index]


def _some_effect(func: Operation, flag: int) -> bool:
    return any(effects(op) & flag for op in fast.ops_inside(func))


def _all_callees_have(func: Operation, word: str, module: ModuleOp) -> bool:
    for op in fast.ops_inside(func):
        if op.name in ("llvm.call", "llvm.invoke"):
            callee = symbols_of(module).get(callee_of(op) or "")
            if callee is None or callee.name != "llvm.func" or word not in passthrough_of(callee):
                return False
    return True


def _has_cycle(func: Operation) -> bool:
    finished: set[object] = set()
    blocks = list(fast.blocks_of(func.regions[0]))
    # A block is finished when all its successors are; blocks of a cycle are never finished.
    while len(finished) < len(blocks):
        ready = [
            block
            for block in blocks
            if block not in finished
            and block.last_op is not None
            and all(s in finished for s in fast.successors_of(block.last_op))
        ]
        if not ready:
            return True
        finished.update(ready)
    return False


def _argument_has(argument: SSAValue, name: str, module: ModuleOp) -> bool:
    """Whether no use of a pointer argument violates an attribute."""
    seen: set[SSAValue] = set()
    pending = [argument]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        for user, index in fast.uses_of(value):
            if user.name in DERIVED:
                below = argument_behind(user, index) if not user.results else None
                pending.extend([below] if below is not None else user.results)
            elif not _use_has(user, index, name, module):
                return False
    return True


_STORES = {"llvm.store": 1, "llvm.intr.memset": 0, "llvm.intr.memcpy": 0, "llvm.intr.memmove": 0}
"""The operand through which an op writes."""

_LOADS = {"llvm.load": 0, "llvm.intr.memcpy": 1, "llvm.intr.memmove": 1}
"""The operand through which an op reads."""


def _use_has(user: Operation, index: int, name: str, module: ModuleOp) -> bool:
    if user.name in ADDRESS_ONLY:
        return True
    if is_volatile(user) or int_property(user, "ordering"):
        return False
    reads, writes = _LOADS.get(user.name) == index, _STORES.get(user.name) == index
    if reads or writes:
        allowed = {
            "llvm.nocapture": True,
            "llvm.readonly": not writes,
            "llvm.writeonly": not reads,
            "llvm.readnone": False,
        }
        return allowed[name]
    if user.name != "llvm.call":
        return False
    facts = dict(argument_attributes(user, index))
    callee = symbols_of(module).get(callee_of(user) or "")
    if callee is not None and callee.name == "llvm.func":
        facts |= argument_attributes(callee, index)
    stronger = name in ("llvm.readonly", "llvm.writeonly") and "llvm.readnone" in facts
    # A callee that keeps the pointer could access it through the copy.
    return "llvm.nocapture" in facts and (name in facts or stronger)


def _memory_effects_hold(func: Operation, module: ModuleOp, claimed: int) -> bool:
    for op in fast.ops_inside(func):
        if op.name == "llvm.func" or op.regions:
            continue
        found = effects(op) & (READS | WRITES | STATE)
        if not found or op.name == "llvm.alloca" or op.name in ADDRESS_ONLY:
            continue
        through = ARGUMENTS_ONLY
        if found & (READS | WRITES):
            roots = _accessed_roots(op, module)
            if roots <= {"local"} and not found & STATE:
                continue
            if not roots <= {"local", "argument"}:
                through = 0
        if found & ~claimed or (claimed & ARGUMENTS_ONLY and not through):
            return False
    return True


def _accessed_roots(op: Operation, module: ModuleOp) -> set[str]:
    """The kinds of memory that an op may access: `local`, `argument` or `other`."""
    if op.name in _LOADS or op.name in _STORES:
        numbers = {n for table in (_LOADS, _STORES) for n in [table.get(op.name)] if n is not None}
        pointers = [op.operands[n] for n in numbers]
    elif effects(op) & ARGUMENTS_ONLY:
        pointers = [o for o in op.operands if str(o.type).startswith("!llvm.ptr")]
    else:
        return {"other"}
    return set[str]().union(*(_roots(pointer, module, set()) for pointer in pointers))


def _roots(value: SSAValue, module: ModuleOp, seen: set[SSAValue]) -> set[str]:
    if value in seen:
        return set()
    seen.add(value)
    if isinstance(value, BlockArgument):
        region = value.block.parent
        if region is not None and region.first_block is value.block:
            return {"argument"}
        sources = incoming_values(value)
    else:
        op = value.owner
        assert isinstance(op, Operation)
        if op.name == "llvm.alloca":
            return {"local"}
        if op.name == "llvm.mlir.addressof":
            symbol = symbols_of(module).get(global_name(op))
            constant = symbol is not None and is_constant_global(symbol)
            # Constant memory is never written, so reading it is not a memory effect.
            return {"local"} if constant else {"other"}
        if op.name not in DERIVED:
            return {"other"}
        sources = list(op.operands[1:] if op.name == "llvm.select" else op.operands[:1])
    return set[str]().union(*(_roots(source, module, seen) for source in sources))
