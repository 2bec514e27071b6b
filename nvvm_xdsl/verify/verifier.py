"""The verifier: SSA dominance, control flow, and types of each op's operands and results.

xDSL's own verification checks each op against its definition only. This verifier checks the other
requirements of LLVM and MLIR, at a few microseconds per op: values dominate their uses, branches
pass the arguments of their successors, functions return their declared types, symbols exist, and
blocks, ops and use lists are linked correctly.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

from xdsl.dialects.builtin import DictionaryAttr
from xdsl.dialects.llvm import LLVMVoidType
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator

from nvvm_xdsl.dialects.llvm.accessors import (
    initial_value_of,
    stated_function_type,
    stated_global_type,
    symbol_name,
    wrapped_type,
)
from nvvm_xdsl.dialects.llvm.debug_placement import DEBUG_OPS
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.graphs import semi_nca
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.verify.launch_attributes import launch_errors
from nvvm_xdsl.verify.op_rules import RULES, Rule, Scope, forget_types, is_sized, same_type

TERMINATORS = frozenset(
    f"llvm.{n}"
    for n in ("br", "cond_br", "switch", "return", "unreachable", "indirectbr", "resume", "invoke")
)


class VerifyError(DiagnosticError):
    """Malformed IR; names the function, the op and the source location."""

    op: Operation | None

    def __init__(self, message: str, op: Operation | None) -> None:
        file, line, column = place_of(op)
        where = function_name(op)
        what = f"'{_describe(op)}': " if op is not None else ""
        super().__init__(
            f"{f'in @{where}: ' if where else ''}{what}{message}",
            file=file,
            line=line,
            column=column,
        )
        self.op = op


def function_name(op: Operation | None) -> str | None:
    """The name of the function or global that contains the op, or that the op defines."""
    at = op
    while at is not None:
        name = symbol_name(at)
        if name is not None:
            return name
        at = at.parent_op()
    return None


def _describe(op: Operation) -> str:
    names = [f"%{r._name}" for r in op.results if r._name is not None]
    return f"{', '.join(names)} = {op.name}" if names else op.name


def verify_module(module: Operation, *, links: bool = False) -> None:
    """Checks a module.

    Arguments:
        module: a `builtin.module` of `llvm` and `nvvm` ops; for ops of other dialects only the
            rules for all ops apply.
        links: also check that use lists agree with operands, which only a pass that works on
            the fast layer can get wrong.

    Raises:
        VerifyError: for the first error.
    """
    try:
        for error in errors_of(module, links=links):
            raise error
    finally:
        forget_types()


def errors_of(module: Operation, *, links: bool = False) -> Iterator[VerifyError]:
    """All errors of a module, at most one per op."""
    symbols: dict[str, Operation] = {}
    for region in module.regions:
        for block in fast.blocks_of(region):
            for op in fast.ops_of(block):
                name = symbol_name(op)
                if name is not None:
                    if name in symbols:
                        yield VerifyError(f"redefinition of symbol @{name}", op)
                    symbols[name] = op
    for region in module.regions:
        for block in fast.blocks_of(region):
            for op in fast.ops_of(block):
                yield from _top_level_errors(op, symbols, links)


def verify_function(
    func: Operation, symbols: Mapping[str, Operation] | None = None, *, links: bool = False
) -> None:
    """Checks one function. `symbols` are those of its module, which are computed if omitted."""
    if symbols is None:
        parent = func.parent
        siblings = fast.ops_of(parent) if parent is not None else iter((func,))
        symbols = {name: op for op in siblings if (name := symbol_name(op)) is not None}
    for error in _top_level_errors(func, symbols, links):
        raise error


def _top_level_errors(
    op: Operation, symbols: Mapping[str, Operation], links: bool
) -> Iterator[VerifyError]:
    returns: Attribute | None = None
    if op.name == "llvm.func":
        yield from _function_errors(op)
        type_ = stated_function_type(op)
        if type_ is not None:
            returns = type_.output
    elif op.name == "llvm.mlir.global":
        yield from _global_errors(op)
        returns = stated_global_type(op)
    elif op.name == "llvm.mlir.alias":
        # Its region returns a pointer into the space of the aliased symbol.
        last = op.regions[0].blocks.last
        if last is not None and last._last_op is not None and last._last_op._operands:
            returns = last._last_op._operands[0]._type
    elif op.name == "func.func" and "nvvm.kernel" in op.attributes:
        yield VerifyError("'nvvm.kernel' attribute attached to unexpected op", op)
    scope = Scope(symbols, returns)
    if links:
        yield from _link_errors(op)
    for region in op.regions:
        yield from _region_errors(op, region, scope)


_UNSIZED_PARAMETERS: Final = frozenset({"llvm.metadata", "llvm.token", "llvm.target"})
"""Types of parameters without a size, which intrinsics accept."""


def _function_errors(func: Operation) -> Iterator[VerifyError]:
    type_ = stated_function_type(func)
    if type_ is None:
        yield VerifyError("needs a function type", func)
        return
    inputs = type_.inputs.data
    for number, input_type in enumerate(inputs):
        if not (is_sized(input_type) or input_type.name in _UNSIZED_PARAMETERS):
            yield VerifyError(f"argument #{number} of type {input_type} has no size", func)
    count = len(items_of(func.properties.get("arg_attrs")))
    if count and count != len(inputs):
        yield VerifyError(f"has {count} sets of attributes for {len(inputs)} arguments", func)
    for number, item in enumerate(items_of(func.properties.get("arg_attrs"))):
        by_value = item.data.get("llvm.byval") if isinstance(item, DictionaryAttr) else None
        passed = None if by_value is None else wrapped_type(by_value)
        if isinstance(passed, TypeAttribute) and not is_sized(passed):
            yield VerifyError(
                f"argument #{number} passes {passed} by value, which has no size", func
            )
    for message in launch_errors(func):
        yield VerifyError(message, func)
    if "nvvm.kernel" in func.attributes and not isinstance(type_.output, LLVMVoidType):
        yield VerifyError(f"a kernel must return nothing, not {type_.output}", func)
    entry = func.regions[0]._first_block
    if entry is None:
        return
    if entry.first_use is not None:
        yield VerifyError("the entry block must not have predecessors", entry.first_use.operation)
    args = entry._args
    if len(args) != len(inputs):
        yield VerifyError(
            f"the entry block must have {len(inputs)} arguments, has {len(args)}", func
        )
        return
    for number, (argument, wanted) in enumerate(zip(args, inputs)):
        if not same_type(argument._type, wanted):
            yield VerifyError(
                f"argument #{number} of the entry block must be {wanted}, is {argument._type}", func
            )


def _global_errors(op: Operation) -> Iterator[VerifyError]:
    type_ = stated_global_type(op)
    if type_ is not None and type_.name != "llvm.target" and not is_sized(type_):
        yield VerifyError(f"a variable of type {type_} has no size", op)
    entry = op.regions[0]._first_block if op.regions else None
    if entry is not None and initial_value_of(op) is not None:
        yield VerifyError("cannot have both a value and an initializer region", op)
    if entry is not None and entry.first_use is not None:
        yield VerifyError("the entry block must not have predecessors", entry.first_use.operation)


_rules_of_class: dict[type[Operation], Rule | None] = {}
_terminator_classes: dict[type[Operation], bool] = {}


def _rule_of(op: Operation) -> Rule | None:
    cls = type(op)
    rule = RULES.get(op.name)
    if op.name != "builtin.unregistered":
        _rules_of_class[cls] = rule
    return rule


def is_terminator(op: Operation) -> bool:
    """Returns True if the op may end a block."""
    cls = type(op)
    known = _terminator_classes.get(cls)
    if known is None:
        known = op.name in TERMINATORS or op.has_trait(IsTerminator, value_if_unregistered=False)
        if op.name == "builtin.unregistered":
            return bool(op._successors)
        _terminator_classes[cls] = known
    return known


def _value_name(value: SSAValue) -> str:
    if value._name is not None:
        return f"%{value._name}"
    if isinstance(value, OpResult):
        return f"the result of '{value.op.name}'"
    return "a block argument"


def _block_name(block: Block, blocks: list[Block]) -> str:
    return f"^{block._name}" if block._name is not None else f"^bb{blocks.index(block)}"


def _edge_errors(
    owner: Operation,
    region: Region,
    blocks: list[Block],
    successors: list[list[int]],
    predecessors: list[list[int]],
) -> Generator[VerifyError, None, bool]:
    """Checks terminators and records the edges; returns False if the edges are unusable."""
    # An op that contains a list, such as a file or a comdat, contains no code.
    is_code = not owner.has_trait(NoTerminator, value_if_unregistered=False)
    numbers = {id(block): number for number, block in enumerate(blocks)}
    sound = True
    for number, block in enumerate(blocks):
        if block.parent is not region:
            yield VerifyError(f"block {_block_name(block, blocks)} has a wrong parent", owner)
            sound = False
        last = block._last_op
        targets: list[int] = []
        if last is None:
            if is_code:
                yield VerifyError(f"block {_block_name(block, blocks)} is empty", owner)
        else:
            if is_code and not is_terminator(last):
                yield VerifyError(
                    f"block {_block_name(block, blocks)} does not end in a terminator", last
                )
            for target in last._successors:
                at = numbers.get(id(target))
                if at is None:
                    yield VerifyError("branches to a block of another region", last)
                    sound = False
                else:
                    targets.append(at)
                    predecessors[at].append(number)
        successors.append(targets)
    return sound


def _sees_nothing(_value: SSAValue) -> bool:
    return False


def _region_errors(
    owner: Operation,
    region: Region,
    scope: Scope,
    is_visible: Callable[[SSAValue], bool] = _sees_nothing,
) -> Iterator[VerifyError]:
    """The errors of a region.

    Arguments:
        is_visible: returns whether a value of an enclosing region dominates the owner.
    """
    blocks = list(fast.blocks_of(region))
    if not blocks:
        return
    successors: list[list[int]] = []
    predecessors: list[list[int]] = [[] for _ in blocks]
    sound = yield from _edge_errors(owner, region, blocks, successors, predecessors)
    if not sound:
        return

    size = len(blocks)
    order, end = _dominator_preorder(successors, predecessors)
    place = [-1] * size
    for index, number in enumerate(order):
        place[number] = index
    values = _VisibleValues(
        region, end, {id(block): at for block, at in zip(blocks, place)}, {}, is_visible
    )
    for here, number in enumerate(order):
        block = blocks[number]
        last = yield from _block_errors(block, here, values, scope)
        if last is not block._last_op:
            yield VerifyError(f"block {_block_name(block, blocks)} has a wrong last op", owner)
    if len(order) < size:
        for number, block in enumerate(blocks):
            if place[number] < 0:
                yield from _unreachable_block_errors(block, region, scope)


class _VisibleValues(NamedTuple):
    """The values of a region and the part of it that each dominates.

    Blocks are numbered in a preorder of the dominator tree: block `p` dominates `q` when
    p <= q <= end[p].
    """

    region: Region
    end: list[int]
    block_numbers: dict[int, int]
    """By block: its number, -1 if it is unreachable."""
    op_blocks: dict[int, int]
    """By op, for the ops checked so far: the number of its block."""
    is_visible: Callable[[SSAValue], bool]
    """True for a value of an enclosing region that dominates the region."""

    def dominating(self, around: Operation, here: int) -> Callable[[SSAValue], bool]:
        """A function that returns True for a value that dominates the regions of an op."""

        def dominates(value: SSAValue) -> bool:
            numbers = self.block_numbers if isinstance(value.owner, Block) else self.op_blocks
            there = numbers.get(id(value.owner), -1)
            if there < 0 or value.owner is around:
                return self.is_visible(value)
            return here <= self.end[there] and there <= here

        return dominates


def _block_errors(
    block: Block, here: int, values: _VisibleValues, scope: Scope
) -> Generator[VerifyError, None, Operation | None]:
    """Checks a reachable block and the regions in it; returns the last op of its list."""
    region, end, block_numbers, op_blocks, is_visible = values
    known_rule = _rules_of_class.get
    op = block._first_op
    before: Operation | None = None
    while op is not None:
        # Untyped, because casts would slow down the branches below.
        operands: Any = op._operands
        for value in operands:
            if type(value) is OpResult:
                there = op_blocks.get(id(value.op), -1)
            elif type(value) is BlockArgument:
                there = block_numbers.get(id(value.block), -1)
            else:
                there = -1
            if there != here and (there < 0 or here < there or here > end[there]):
                if type(op) in DEBUG_OPS and _owner_region(value) is region:
                    # LLVM's debug records may refer to any value of the function.
                    continue
                if there < 0 and is_visible(value):
                    continue
                yield VerifyError(_why_not_dominated(value, op, region), op)
                break
        op_blocks[id(op)] = here
        if op.parent is not block or op._prev_op is not before:
            yield VerifyError("has wrong links within its block", op)
        rule = known_rule(type(op), _rule_of)
        if rule is _rule_of:
            rule = _rule_of(op)
        if rule is not None:
            wrong = cast(Rule, rule)(op, operands, op.results, scope)
            if wrong is not None:
                yield VerifyError(wrong, op)
        before = op
        op = op._next_op
        if op is not None and is_terminator(before):
            yield VerifyError("must be the last op of its block", before)
        if before.regions:
            isolated = before.has_trait(IsolatedFromAbove, value_if_unregistered=False)
            seen = _sees_nothing if isolated else values.dominating(before, here)
            for inner in before.regions:
                yield from _region_errors(before, inner, scope, seen)
    return before


def _dominator_preorder(
    successors: list[list[int]], predecessors: list[list[int]]
) -> tuple[list[int], list[int]]:
    """The reachable blocks in a preorder of the dominator tree, and the end of each subtree."""
    size = len(successors)
    if size == 1:
        return [0], [0]
    order, idom = semi_nca(0, successors, predecessors, [1] * size, 0)
    return _tree_preorder(order, idom)


def _tree_preorder(order: list[int], idom: list[int]) -> tuple[list[int], list[int]]:
    """The blocks in tree preorder from Semi-NCA's result, and the end of each subtree."""
    children: list[list[int]] = [[] for _ in order]
    for index in range(len(order) - 1, 0, -1):
        children[idom[index]].append(index)
    found: list[int] = []
    end = [0] * len(order)
    stack = [0]
    while stack:
        node = stack.pop()
        if node < 0:
            end[~node] = len(found) - 1
            continue
        stack.append(~len(found))
        found.append(order[node])
        stack.extend(children[node])
    return found, end


def _owner_region(value: SSAValue) -> Region | None:
    block = value.block if isinstance(value, BlockArgument) else fast.producer_of(value).parent
    return None if block is None else block.parent


def _why_not_dominated(value: SSAValue, op: Operation, region: Region) -> str:
    if isinstance(value, OpResult):
        if value.op.parent is None:
            return f"uses {_value_name(value)}, which was erased"
        if value.op is op:
            return "uses its own result"
    elif not isinstance(value, BlockArgument):
        return "uses a value that was erased"
    elif value.block.parent is None:
        return f"uses {_value_name(value)} of a block that was erased"
    if _owner_region(value) is not region:
        return f"uses {_value_name(value)} of another region"
    return f"{_value_name(value)} does not dominate this use"


def _unreachable_block_errors(block: Block, region: Region, scope: Scope) -> Iterator[VerifyError]:
    """In an unreachable block every value of the region dominates every use."""
    for op in fast.ops_of(block):
        for value in op._operands:
            if (
                not isinstance(value, (OpResult, BlockArgument))
                or _owner_region(value) is not region
            ):
                yield VerifyError(_why_not_dominated(value, op, region), op)
                break
        rule = RULES.get(op.name)
        wrong = rule(op, op._operands, op.results, scope) if rule is not None else None
        if wrong is not None:
            yield VerifyError(wrong, op)
        if op is not block._last_op and is_terminator(op):
            yield VerifyError("must be the last op of its block", op)


def _link_errors(top: Operation) -> Iterator[VerifyError]:
    """Checks use lists against operands and successors in one walk."""
    counted: dict[SSAValue | Block, int] = {}
    users: dict[SSAValue | Block, Operation] = {}
    for op in top.walk():
        if len(op._operand_uses) != len(op._operands):
            yield VerifyError("must have exactly one use record per operand", op)
        if len(op._successor_uses) != len(op._successors):
            yield VerifyError("must have exactly one use record per successor", op)
        for index, (value, use) in enumerate(
            zip((*op._operands, *op._successors), (*op._operand_uses, *op._successor_uses))
        ):
            wanted = index if index < len(op._operands) else index - len(op._operands)
            if use._operation is not op or use._index != wanted:
                yield VerifyError(f"the use record of operand #{index} is wrong", op)
            counted[value] = counted.get(value, 0) + 1
            users[value] = op
        for index, result in enumerate(op.results):
            counted.setdefault(result, 0)
            if result.op is not op or result.index != index:
                yield VerifyError(f"result #{index} has a wrong owner or index", op)
        for region in op.regions:
            for block in fast.blocks_of(region):
                for index, argument in enumerate(block._args):
                    counted.setdefault(argument, 0)
                    if argument.block is not block or argument.index != index:
                        yield VerifyError(f"block argument #{index} has a wrong owner", op)
    for value, count in counted.items():
        listed = 0
        use = value.first_use
        previous = None
        while use is not None and listed <= count:
            if use._prev_use is not previous:
                break
            user = use._operation
            held = user._successors if isinstance(value, Block) else user._operands
            if use._index >= len(held) or held[use._index] is not value:
                break
            listed += 1
            previous = use
            use = use._next_use
        if use is not None or listed != count:
            name = "a block" if isinstance(value, Block) else _value_name(value)
            yield VerifyError(f"the use list of {name} is wrong", users.get(value, top))
