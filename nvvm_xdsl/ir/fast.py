"""Building, walking, rewriting and erasing IR at speed.

xDSL's public methods check and copy at every step, which is too slow for passes that visit each op
of a module many times. The functions here do the same work without checks, and are the only code
that accesses xDSL's private fields. They have the contracts of the public methods that they
replace, which `test/ir/test_fast.py` verifies.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, TypeVar, cast

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnknownLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import OpOperands, SSAValues
from xdsl.irdl import IRDLOperation, VarResultDef

OpT = TypeVar("OpT", bound=Operation)

UNKNOWN_LOC = UnknownLoc()
"""The location of ops without a location; shared, because attributes are immutable."""


class _Operands(SSAValues[SSAValue]):
    """Operands of an op with indexing in C, which takes a tenth of the time; slices are plain
    tuples."""

    __getitem__: Any = cast(Any, tuple).__getitem__


class _Results(SSAValues[OpResult]):
    """Results of an op without variadic results, with indexing in C; slices are plain tuples."""

    __getitem__: Any = cast(Any, tuple).__getitem__


_new: Any = object.__new__
_NO_OPERANDS: Any = _Operands()
_make_operands: Any = _Operands

_result_makers: dict[type[Operation], Any] = {}
"""By op class, the class of the tuple of results."""


def _result_maker(cls: type[Operation]) -> Any:
    """The class of the tuple of results of an op class.

    The accessor of a variadic result is a slice, which has `types` in xDSL.
    """
    definition = cls.get_irdl_definition() if issubclass(cls, IRDLOperation) else None
    plain = definition is not None and not any(
        isinstance(result, VarResultDef) for _, result in definition.results
    )
    found: Any = _Results if plain else SSAValues
    _result_makers[cls] = found
    return found


def _compare_by_identity() -> None:
    """Replaces xDSL's `__eq__` and `__hash__` of IR objects, written in Python, by Python's
    built-in identity.

    Dictionaries and sets of ops, values and blocks dominate the time of passes and analyses.
    """
    bases: set[Any] = {
        base
        for cls in (OpResult, BlockArgument, IRDLOperation, Block, Region, Use)
        for base in cls.__mro__
    }
    for base in bases - {object}:
        if "__hash__" in base.__dict__:
            base.__hash__ = object.__hash__
            base.__eq__ = object.__eq__


def _slice_with_types() -> None:
    """Provides `types` for slices of `op.operands`, also of `_Operands`, as in xDSL."""

    def get(view: OpOperands, index: int | slice[Any, Any, Any]) -> SSAValue | Sequence[SSAValue]:
        operands = view._op._operands
        return operands[index] if isinstance(index, int) else SSAValues(operands[index])

    cast(Any, OpOperands).__getitem__ = get


_compare_by_identity()
_slice_with_types()


def _hash_integers_by_number() -> None:
    """Hashes integer types and attributes by their numbers instead of their component objects.

    They are keys in most tables, and the hash of the enum in `IntegerType` is written in Python.
    """

    def hash_of_type(type_: Any) -> int:
        return type_.width.data

    def hash_of_attribute(attribute: Any) -> int:
        return hash((attribute.value.data, attribute.type))

    classes: tuple[Any, Any] = IntegerType, IntegerAttr
    classes[0].__hash__ = hash_of_type
    classes[1].__hash__ = hash_of_attribute


_hash_integers_by_number()


def create(
    cls: type[OpT],
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: dict[str, Attribute] | None = None,
    successors: Sequence[Block] = (),
    attributes: dict[str, Attribute] | None = None,
    location: Any = UNKNOWN_LOC,
    regions: Sequence[Region] = (),
) -> OpT:
    """A new, detached op of class `cls`.

    `operands` and `successors` are flat, as xDSL stores them. `properties` and
    `attributes` become the op's own dictionaries: pass a fresh one or None. An op with
    several variadic groups needs its `operandSegmentSizes` among the properties.
    Nothing is verified.
    """
    op = _new(cls)
    if operands:
        index = 0
        uses: list[Use] = []
        for value in operands:
            use = _new(Use)
            use._operation = op
            use._index = index
            head = value.first_use
            if head is not None:
                use._next_use = head
                head._prev_use = use
            value.first_use = use
            uses.append(use)
            index += 1
        op._operands = _make_operands(operands)
        op._operand_uses = tuple(uses)
    if result_types:
        index = 0
        results: list[OpResult] = []
        for type_ in result_types:
            result = _new(OpResult)
            result._type = type_
            result.op = op
            result.index = index
            results.append(result)
            index += 1
        maker = _result_makers.get(cls)
        op.results = (_result_maker(cls) if maker is None else maker)(results)
    op.properties = {} if properties is None else properties
    op.attributes = {} if attributes is None else attributes
    op.location = location
    if successors:
        _link_successors(op, successors)
    if regions:
        op.regions = tuple(regions)
        for region in regions:
            region.parent = op
    return op


def _link_successors(op: Operation, successors: Sequence[Block]) -> None:
    uses: list[Use] = []
    for index, block in enumerate(successors):
        use: Use = _new(Use)
        use._operation = op
        use._index = index
        head = block.first_use
        if head is not None:
            use._next_use = head
            head._prev_use = use
        block.first_use = use
        uses.append(use)
    op._successors = tuple(successors)
    op._successor_uses = tuple(uses)


def _unlink(value: SSAValue | Block, use: Use) -> None:
    before = use._prev_use
    after = use._next_use
    if before is None:
        value.first_use = after
    else:
        before._next_use = after
    if after is not None:
        after._prev_use = before


def new_block(arg_types: Sequence[Attribute] = ()) -> Block:
    """A new, detached block with arguments of these types."""
    block: Block = _new(Block)
    block._first_op = None
    block._last_op = None
    block._args = tuple(_new_argument(t, block, i) for i, t in enumerate(arg_types))
    return block


def _new_argument(type_: Attribute, block: Block, index: int) -> BlockArgument:
    arg: BlockArgument = _new(BlockArgument)
    arg._type = type_
    arg.block = block
    arg.index = index
    arg.location = UNKNOWN_LOC
    return arg


def add_argument(block: Block, type_: Attribute) -> BlockArgument:
    """Adds a block argument at the end. The caller updates the predecessors."""
    arg = _new_argument(type_, block, len(block._args))
    block._args = (*block._args, arg)
    return arg


def erase_argument(block: Block, index: int) -> None:
    """Removes an unused argument. The caller updates the predecessors."""
    args = block._args
    assert args[index].first_use is None, "the argument is still used"
    for later in args[index + 1 :]:
        later.index -= 1
    block._args = args[:index] + args[index + 1 :]


def append(block: Block, op: Operation) -> None:
    """Inserts a detached op at the end of the block."""
    last = block._last_op
    op.parent = block
    if last is None:
        block._first_op = op
    else:
        last._next_op = op
        op._prev_op = last
    block._last_op = op


def insert_before(op: Operation, anchor: Operation) -> None:
    """Inserts a detached op before `anchor`."""
    block = anchor.parent
    assert block is not None
    before = anchor._prev_op
    op.parent = block
    op._prev_op = before
    op._next_op = anchor
    anchor._prev_op = op
    if before is None:
        block._first_op = op
    else:
        before._next_op = op


def insert_after(op: Operation, anchor: Operation) -> None:
    """Inserts a detached op after `anchor`."""
    block = anchor.parent
    assert block is not None
    after = anchor._next_op
    op.parent = block
    op._next_op = after
    op._prev_op = anchor
    anchor._next_op = op
    if after is None:
        block._last_op = op
    else:
        after._prev_op = op


def prepend(block: Block, op: Operation) -> None:
    """Inserts a detached op at the start of the block."""
    first = block._first_op
    if first is None:
        append(block, op)
    else:
        insert_before(op, first)


def detach(op: Operation) -> None:
    """Detaches the op from its block; its operands stay linked."""
    block = op.parent
    assert block is not None
    before = op._prev_op
    after = op._next_op
    if before is None:
        block._first_op = after
    else:
        before._next_op = after
    if after is None:
        block._last_op = before
    else:
        after._prev_op = before
    op.parent = None
    op._prev_op = None
    op._next_op = None


def move_before(op: Operation, anchor: Operation) -> None:
    """Moves an attached op before `anchor`."""
    detach(op)
    insert_before(op, anchor)


def drop_uses(op: Operation) -> None:
    """Unlinks the op from its operands and successors."""
    for value, use in zip(op._operands, op._operand_uses):
        _unlink(value, use)
    for block, use in zip(op._successors, op._successor_uses):
        _unlink(block, use)
    op._operands = _NO_OPERANDS
    op._operand_uses = ()
    op._successors = ()
    op._successor_uses = ()


ERASURE_OBSERVERS: Final[list[Callable[[Operation], None]]] = []
"""Callbacks that `erase` calls with an op before its operands are unlinked."""


def erase(op: Operation) -> None:
    """Removes the op, whose results must be unused, and everything in its regions."""
    for result in op.results:
        assert result.first_use is None, f"a result of {op.name} is still used"
    for observer in ERASURE_OBSERVERS:
        observer(op)
    if op.parent is not None:
        detach(op)
    if op.regions:
        op.drop_all_references()
    else:
        drop_uses(op)


def set_operand(op: Operation, index: int, value: SSAValue) -> None:
    """Sets operand `index` of the op to `value`."""
    operands = op._operands
    old = operands[index]
    if old is value:
        return
    use = op._operand_uses[index]
    _unlink(old, use)
    head = value.first_use
    use._prev_use = None
    use._next_use = head
    if head is not None:
        head._prev_use = use
    value.first_use = use
    op._operands = _make_operands((*operands[:index], value, *operands[index + 1 :]))


def set_operands(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replaces all operands of the op. The caller updates the segment sizes."""
    for value, use in zip(op._operands, op._operand_uses):
        _unlink(value, use)
    uses: list[Use] = []
    for index, value in enumerate(values):
        use: Use = _new(Use)
        use._operation = op
        use._index = index
        head = value.first_use
        if head is not None:
            use._next_use = head
            head._prev_use = use
        value.first_use = use
        uses.append(use)
    op._operands = _make_operands(values)
    op._operand_uses = tuple(uses)


def set_successors(op: Operation, successors: Sequence[Block]) -> None:
    """Replaces all successors of a terminator."""
    for block, use in zip(op._successors, op._successor_uses):
        _unlink(block, use)
    op._successors = ()
    op._successor_uses = ()
    if successors:
        _link_successors(op, successors)


OBSERVERS: Final[list[Callable[[SSAValue, SSAValue], None]]] = []
"""Callbacks that `replace_all_uses` calls."""


def replace_all_uses(old: SSAValue, new: SSAValue) -> None:
    """Replaces all uses of `old` by `new`. `new` takes over the name if it has none."""
    if old is new:
        return
    if OBSERVERS:
        for observer in OBSERVERS:
            observer(old, new)
    if new._name is None:
        new._name = old._name
    use = old.first_use
    if use is None:
        return
    last = use
    while True:
        op = use._operation
        index = use._index
        operands = op._operands
        op._operands = _make_operands((*operands[:index], new, *operands[index + 1 :]))
        last = use
        following = use._next_use
        if following is None:
            break
        use = following
    head = new.first_use
    last._next_use = head
    if head is not None:
        head._prev_use = last
    new.first_use = old.first_use
    old.first_use = None


def replace_op(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replaces the op's results by `values` and erases it."""
    for old, new in zip(op.results, values, strict=True):
        replace_all_uses(old, new)
    erase(op)


def set_type(value: SSAValue, type_: Attribute) -> None:
    """Changes a value's type in place."""
    value._type = type_


def set_name(value: SSAValue | Block, name: str | None) -> None:
    """Sets a valid name hint unchanged: no numeric suffix is removed."""
    value._name = name


operands_of: Callable[[Operation], tuple[SSAValue, ...]] = attrgetter("_operands")
"""The operands, as the op's own tuple."""


def producer_of(value: SSAValue) -> Operation:
    """The op that defines a result. The value must not be a block argument."""
    return value.owner  # pyright: ignore[reportReturnType]


def block_of(op: Operation) -> Block:
    """The block that contains the op. The op must not be detached."""
    return op.parent  # pyright: ignore[reportReturnType]


def terminator_of(block: Block) -> Operation:
    """The last op of a non-empty block."""
    return block.last_op  # pyright: ignore[reportReturnType]


successors_of: Callable[[Operation], tuple[Block, ...]] = attrgetter("_successors")
"""The successors, as the op's own tuple."""


def ops_of(block: Block) -> Iterator[Operation]:
    """The block's ops in order. The current op may be erased or replaced during the iteration."""
    op = block._first_op
    while op is not None:
        after = op._next_op
        yield op
        op = after


def reversed_ops_of(block: Block) -> Iterator[Operation]:
    """The block's ops from last to first. The current op may be erased during the iteration."""
    op = block._last_op
    while op is not None:
        before = op._prev_op
        yield op
        op = before


def blocks_of(region: Region) -> Iterator[Block]:
    """The region's blocks in order. The current block may be erased during the iteration."""
    block = region._first_block
    while block is not None:
        after = block._next_block
        yield block
        block = after


def ops_inside(op: Operation) -> Iterator[Operation]:
    """The ops of all blocks of the op's regions, not those nested deeper. As with `ops_of` and `blocks_of`,
    the op or block in hand may be erased meanwhile."""
    for region in op.regions:
        block = region._first_block
        while block is not None:
            next_block = block._next_block
            inner = block._first_op
            while inner is not None:
                after = inner._next_op
                yield inner
                inner = after
            block = next_block


def classes_inside(op: Operation) -> set[type[Operation]]:
    """The classes of the ops that `ops_inside` yields."""
    found: set[type[Operation]] = set()
    for region in op.regions:
        block = region._first_block
        while block is not None:
            inner = block._first_op
            while inner is not None:
                cls = type(inner)
                if cls not in found:
                    found.add(cls)
                inner = inner._next_op
            block = block._next_block
    return found


def users_of(value: SSAValue | Block) -> Iterator[Operation]:
    """The ops that use the value or branch to the block, once per use."""
    use = value.first_use
    while use is not None:
        after = use._next_use
        yield use._operation
        use = after


def is_used_outside(value: SSAValue, blocks: Container[Block | None]) -> bool:
    """Returns True if an op outside of the blocks uses the value."""
    use = value.first_use
    while use is not None:
        if use._operation.parent not in blocks:
            return True
        use = use._next_use
    return False


def uses_of(value: SSAValue) -> Iterator[tuple[Operation, int]]:
    """The uses of the value as op and operand index. No use may be added during the iteration."""
    use = value.first_use
    while use is not None:
        yield use._operation, use._index
        use = use._next_use


def single_use(value: SSAValue | Block) -> Use | None:
    """The only use of the value or block; None for none or several."""
    use = value.first_use
    if use is None or use._next_use is not None:
        return None
    return use


def comes_before(first: Operation, second: Operation) -> bool:
    """True if one of two ops of a block precedes the other. Searches from both at once, so the cost
    is their distance."""
    behind_first, behind_second = first._next_op, second._next_op
    while behind_first is not None and behind_second is not None:
        if behind_first is second:
            return True
        if behind_second is first:
            return False
        behind_first, behind_second = behind_first._next_op, behind_second._next_op
    return behind_first is not None


def predecessors_of(block: Block) -> list[Block]:
    """The predecessors of the block, once per edge, in no particular order."""
    found: list[Block] = []
    use = block.first_use
    while use is not None:
        parent = use._operation.parent
        if parent is not None:
            found.append(parent)
        use = use._next_use
    return found


def edges_to(block: Block) -> Iterator[tuple[Operation, int]]:
    """The incoming edges in no particular order: terminator and index of the successor."""
    use = block.first_use
    while use is not None:
        yield use._operation, use._index
        use = use._next_use


def single_predecessor(block: Block) -> Block | None:
    """The source of the only incoming edge; None for none or several edges."""
    use = block.first_use
    if use is None or use._next_use is not None:
        return None
    return use._operation.parent


def copy_op(
    op: OpT,
    mapping: Mapping[SSAValue, SSAValue],
    block_mapping: Mapping[Block, Block] | None = None,
) -> OpT:
    """A detached copy of an op without regions, its operands looked up in `mapping`."""
    get = mapping.get
    successors: Sequence[Block] = op._successors
    if successors and block_mapping is not None:
        successors = [block_mapping.get(b, b) for b in successors]
    new = create(
        type(op),
        [get(v, v) for v in op._operands],
        [r._type for r in op.results],
        dict(op.properties),
        successors,
        dict(op.attributes),
        op.location,
    )
    for old, result in zip(op.results, new.results):
        result._name = old._name
    return new


def clone(op: OpT) -> OpT:
    """A detached copy of an op with its regions. Names are kept.

    Use lists have the order that `Operation.clone` creates, because passes may depend on it.
    """
    values: dict[SSAValue, SSAValue] = {}
    pairs: list[tuple[Operation, Operation]] = []
    new = _clone_without_operands(op, values, {}, pairs)
    get = values.get
    for old, copy in pairs:
        # A value may be defined after its use, because blocks are in any order.
        operands = old._operands
        if operands:
            set_operands(copy, [get(v, v) for v in operands])
    return new


def _clone_without_operands(
    op: OpT,
    values: dict[SSAValue, SSAValue],
    blocks: dict[Block, Block],
    pairs: list[tuple[Operation, Operation]],
) -> OpT:
    successors: Sequence[Block] = op._successors
    if successors:
        successors = [blocks.get(b, b) for b in successors]
    new = create(
        type(op),
        (),
        [r._type for r in op.results],
        op.properties.copy(),
        successors,
        op.attributes.copy(),
        op.location,
        [Region() for _ in op.regions],
    )
    for old_result, result in zip(op.results, new.results):
        values[old_result] = result
        result._name = old_result._name
    pairs.append((op, new))
    for region, copied in zip(op.regions, new.regions):
        for block in blocks_of(region):
            copied_block = blocks[block] = new_block([a._type for a in block._args])
            append_block(copied, copied_block)
            copied_block._name = block._name
            for old_argument, argument in zip(block._args, copied_block._args):
                values[old_argument] = argument
                argument._name = old_argument._name
                argument.location = old_argument.location
        for block in blocks_of(region):
            copied_block = blocks[block]
            for inner in ops_of(block):
                append(copied_block, _clone_without_operands(inner, values, blocks, pairs))
    return new


def append_block(region: Region, block: Block) -> None:
    """Inserts a detached block at the end of the region."""
    last = region._last_block
    block.parent = region
    if last is None:
        region._first_block = block
    else:
        last._next_block = block
        block._prev_block = last
    region._last_block = block


def insert_block_after(block: Block, anchor: Block) -> None:
    """Inserts a detached block after `anchor`."""
    region = anchor.parent
    assert region is not None
    after = anchor._next_block
    block.parent = region
    block._prev_block = anchor
    block._next_block = after
    anchor._next_block = block
    if after is None:
        region._last_block = block
    else:
        after._prev_block = block


def detach_block(block: Block) -> None:
    """Detaches the block from its region; its ops and branches to it stay."""
    region = block.parent
    assert region is not None
    before = block._prev_block
    after = block._next_block
    if before is None:
        region._first_block = after
    else:
        before._next_block = after
    if after is None:
        region._last_block = before
    else:
        after._prev_block = before
    block.parent = None
    block._prev_block = None
    block._next_block = None


SPLIT_OBSERVERS: Final[list[Callable[[Block, Block], None]]] = []
"""Are called with a split block and its new part."""


def split_block_before(op: Operation) -> Block:
    """Moves `op` and the ops after it to a new block, which is returned.

    The old block is left without a terminator.
    """
    block = op.parent
    assert block is not None
    new = new_block()
    before = op._prev_op
    new._first_op = op
    new._last_op = block._last_op
    block._last_op = before
    op._prev_op = None
    if before is None:
        block._first_op = None
    else:
        before._next_op = None
    moved: Operation | None = op
    while moved is not None:
        moved.parent = new
        moved = moved._next_op
    insert_block_after(new, block)
    for observer in SPLIT_OBSERVERS:
        observer(block, new)
    return new


def splice_ops(source: Block, target: Block) -> None:
    """Moves all ops of `source` to the end of `target`."""
    op = source._first_op
    if op is None:
        return
    first = op
    while op is not None:
        op.parent = target
        op = op._next_op
    last = target._last_op
    if last is None:
        target._first_op = first
    else:
        last._next_op = first
        first._prev_op = last
    target._last_op = source._last_op
    source._first_op = None
    source._last_op = None
