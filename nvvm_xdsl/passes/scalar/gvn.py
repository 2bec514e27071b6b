"""`gvn`: removes redundant values and loads by global value numbering.

      %p = llvm.getelementptr %local[%i] : ...            %p = llvm.getelementptr %local[%i] : ...
      llvm.store %v, %p : f32, !llvm.ptr<5>               llvm.store %v, %p : f32, !llvm.ptr<5>
      llvm.store %w, %other : f32, !llvm.ptr<5>    ->     llvm.store %w, %other : f32, !llvm.ptr<5>
      %x = llvm.load %p : !llvm.ptr<5> -> f32             llvm.store %v, %out : f32, !llvm.ptr<1>
      llvm.store %x, %out : f32, !llvm.ptr<1>

Values are numbered in reverse post-order; ops that compute the same function of operands with equal
numbers get equal numbers. A value is replaced with a dominating one of the same number. The number
of a load includes the memory definition that it reads (MemorySSA). Its value is that of a covering
store, the bytes of a memset, or undef in an unwritten local variable. At a MemoryPhi it is a block
argument with the value at the end of each predecessor, for the translated address. If exactly one
predecessor lacks the value, it is computed at that predecessor's end (partial redundancy
elimination): a load of a value that the previous iteration stored or loaded is thus removed from
the loop. Facts from a branch or switch hold in the blocks that only its edge leads to.

Merged ops keep the flags that both have. Stores of other threads become visible to a load only
across memory definitions: barriers, fences, atomics stronger than monotonic, unknown calls.
Volatile and atomic accesses and convergent ops are unchanged. An op is inserted into a predecessor
only if it certainly runs there anyway, and only if it costs more than the register move of the
block argument: LLVM inserts all expressions, but a comparison or an address is cheaper than a
longer live range.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final, cast

from xdsl.dialects.builtin import FloatAttr, VectorType
from xdsl.dialects.llvm import (
    AddOp,
    BitcastOp,
    CondBrOp,
    FCmpOp,
    FuncOp,
    GEPOp,
    ICmpOp,
    InlineAsmOp,
    LLVMPointerType,
    LoadOp,
    LShrOp,
    SExtOp,
    StoreOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import (
    convertible,
    is_invariant_load,
    is_simple_access,
    is_volatile_transfer,
    reinterpret,
)
from nvvm_xdsl.analysis.memory.addresses import is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import Location
from nvvm_xdsl.analysis.memory.memory_ssa import (
    Definition,
    LiveOnEntry,
    MemoryAccess,
    MemoryPhi,
    MemorySSA,
)
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.side_effects import DIVISIONS, is_expression, is_removable, speculation_cost
from nvvm_xdsl.analysis.values.constant_range import INVERSE, SWAPPED
from nvvm_xdsl.dialects.effects import (
    ARGUMENTS_ONLY,
    MAY_NOT_RETURN,
    READS,
    UNSPECULATABLE,
    effects,
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants, is_constant
from nvvm_xdsl.dialects.llvm.data_layout import UnsizedTypeError
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_number, constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    ExtractElementOp,
    LifetimeStartOp,
    MemsetOp,
    SwitchOp,
)
from nvvm_xdsl.dialects.llvm.types import I32, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, simplify
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.expressions import Expressions, meet_flags

MAX_ROUNDS: Final = 3
"""Maximum number of times that a function is renumbered because moved values may make others equal."""

MAX_WAYS: Final = 8
"""Edges into a block beyond which nothing is looked for on each of them."""

MAX_JOINS: Final = 4
"""Maximum nesting of blocks in which one load is replaced by a block argument."""

MAX_TRANSLATED: Final = 4
"""Maximum number of ops in an address or expression that is translated to a predecessor."""

MAX_USES: Final = 256
"""Maximum number of uses that are visited when a branch implies the value of an op."""

LOADS: Final = Statistic("gvn", "loads", "Number of loads removed")
MERGED: Final = Statistic("gvn", "merged", "Number of expressions removed")
MOVED: Final = Statistic("gvn", "pre", "Number of values computed on another way instead")


_EQUAL, _UNEQUAL = 0, 1
_ORDERED_EQUAL, _UNORDERED_UNEQUAL = 1, 13
"""Predicates of `llvm.icmp` and `llvm.fcmp`."""

MIN_PRE_COST: Final = 2
"""Minimum cost of an expression for insertion into a predecessor."""


@dataclass(frozen=True)
class GVN(FunctionPass):
    """Removes values and loads that are redundant on all paths, or on all paths except one."""

    name = "gvn"
    title = "GVN"
    # The last of the rounds may have made values equal; see MAX_ROUNDS.
    idempotent = False

    pre: bool = True
    """Whether values may be computed in a predecessor (LLVM's parameter, like the next)."""

    load_pre: bool = True
    """Whether loads may."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        # The pass updates MemorySSA, and facts about pointers remain valid, because values are
        # replaced with equal ones.
        memory, tree = am.get(MemorySSA, func), am.get(DominatorTree, func)
        for _ in range(MAX_ROUNDS):
            one = _ValueNumbering(self, func, memory, tree)
            one.number_values()
            one.place_candidates()
            one.constants.erase_unused()
            changed |= one.changed
            if not one.opened:
                break
        return changed


class _ValueNumbering:
    """Numbers the values of a function and replaces redundant ones."""

    changed: bool
    opened: bool
    """Whether another iteration may find more."""
    numbers: dict[SSAValue, int]
    known: dict[Hashable, int]
    """The number of what an op with this key computes."""
    leaders: dict[int, list[tuple[int, SSAValue]]]
    """By number: the values that have it, each with the block from which on it is there."""
    candidates: list[Operation]
    """Ops that remain and may be available in the predecessors of a block."""
    cases: dict[Operation, defaultdict[Block, list[int]]]
    """The cases of switches, by where they lead."""

    fresh: list[BlockArgument]
    """Arguments made for the candidate in hand."""

    def __init__(self, options: GVN, func: FuncOp, memory: MemorySSA, tree: DominatorTree) -> None:
        self.options = options
        self.tree = tree
        self.memory = memory
        self.alias = memory.alias
        self.layout = self.alias.layout
        self.constants = Constants(func)
        self.keys = Expressions()
        self.changed = False
        self.opened = False
        self.numbers = {}
        self.known = {}
        self.cases = {}
        self.leaders = {}
        self.next_number = 0
        self.candidates = []
        self.fresh = []

    # Numbers and leaders.

    def number(self, value: SSAValue) -> int:
        """The value's number; a new one for a value that was not met yet."""
        found = self.numbers.get(value)
        if found is None:
            found = self.numbers[value] = self.next_number
            self.next_number += 1
            if value.owner.__class__ in CONSTANT_CLASSES:
                self.leaders[found] = [(self.tree.root, value)]
        return found

    def add_leader(self, number: int, block: int, value: SSAValue) -> None:
        """Records a value as available with a value number from a block on."""
        found = self.leaders.get(number)
        if found is None:
            self.leaders[number] = [(block, value)]
        else:
            found.append((block, value))

    def leader(self, number: int, block: int) -> SSAValue | None:
        """A value with this number that is there in the block, or at its end once it is numbered."""
        dominates = self.tree.dominates_number
        for home, value in reversed(self.leaders.get(number, ())):
            if home == block or dominates(home, block):
                return value
        return None

    # Numbering.

    def number_values(self) -> None:
        """Numbers and simplifies all values in reverse postorder."""
        graph = self.tree.cfg
        for number in graph.rpo:
            block = graph.blocks[number]
            self.visit_arguments(block, number)
            self.learn_from_branch(block, number)
            for op in fast.ops_of(block):
                self.visit(op, number)

    def visit_arguments(self, block: Block, number: int) -> None:
        """Simplifies, merges and numbers the arguments of a block."""
        if not block.args:
            return
        if number != self.tree.root:
            if cfg.simplify_arguments(block):
                self.changed = True
            if len(block.args) > 1:
                self.merge_arguments(block)
        for argument in block.args:
            self.add_leader(self.number(argument), number, argument)

    def merge_arguments(self, block: Block) -> None:
        """Makes one of arguments that get equal values on every edge."""
        incoming = [values for _, values in edges_into(block)]
        seen: dict[tuple[int, ...], BlockArgument] = {}
        doomed: list[int] = []
        for argument in block.args:
            key = (
                self.keys.number(argument.type),
                *(self.number(values[argument.index]) for values in incoming),
            )
            first = seen.setdefault(key, argument)
            if first is not argument:
                fast.replace_all_uses(argument, first)
                doomed.append(argument.index)
        if doomed:
            branches.erase_arguments(block, doomed)
            self.changed = True
            MERGED.add(len(doomed))

    def visit(self, op: Operation, block: int) -> None:
        """Numbers an op, or replaces it by an available value."""
        cls = op.__class__
        if cls in SIMPLIFIABLE:
            value = simplify(op, self.constants)
            if value is not None and value is not (result := op.results[0]):
                if result.first_use is not None:
                    fast.replace_all_uses(result, value)
                    self.changed = True
                if is_removable(op):
                    fast.erase(op)
                    self.changed = True
                    return
        if cls is LoadOp:
            self.visit_load(op, block)
        elif is_expression(op):
            key = self.expression_key(op)
            if self.take_leader(op, key, block):
                MERGED.add()
            elif self.is_worth_moving(op):
                self.candidates.append(op)
        elif op.results and is_plain_read(op):
            access = self.memory.access(op)
            if access is not None:
                operands = tuple(self.number(v) for v in fast.operands_of(op))
                seen = id(self.memory.clobber(op))
                if self.take_leader(op, ("read", self.keys.key(op, operands), seen), block):
                    self.memory.remove(op)
        else:
            for result in op.results:
                self.add_leader(self.number(result), block, result)

    def expression_key(self, op: Operation) -> Hashable:
        """The key that equal expressions share."""
        numbers = [self.number(v) for v in fast.operands_of(op)]
        if op.__class__ is ICmpOp:
            return self.comparison_key(predicate_of(op), numbers[0], numbers[1], op)
        return self.keys.key(op, numbers)

    def comparison_key(self, predicate: int, left: int, right: int, op: Operation) -> Hashable:
        """The key of an integer comparison, with operands in ascending order."""
        if right < left:
            left, right, predicate = right, left, SWAPPED[predicate]
        return ("icmp", predicate, left, right, self.keys.number(op.results[0].type))

    def take_leader(self, op: Operation, key: Hashable, block: int) -> bool:
        """Puts a value with the op's number in its place; else makes it the number's leader."""
        number = self.known.get(key)
        if number is None:
            self.known[key] = self.number(op.results[0])
        else:
            found = self.leader(number, block)
            if found is not None:
                self.replace(op, found)
                return True
            self.numbers[op.results[0]] = number
        self.add_leader(self.number(op.results[0]), block, op.results[0])
        return False

    def replace(self, op: Operation, value: SSAValue) -> None:
        """Replaces an op by a value and keeps the flags of both."""
        owner = value.owner
        if owner.__class__ is op.__class__:
            meet_flags(cast(Operation, owner), op)
        fast.replace_op(op, (value,))
        self.changed = True

    def is_worth_moving(self, op: Operation) -> bool:
        """Returns whether PRE may pay for an expression."""
        if not self.options.pre or op.__class__ is InlineAsmOp:
            return False
        if op.__class__ in DIVISIONS:
            return True
        return (speculation_cost(op) or 0) >= MIN_PRE_COST

    # What branches say.

    def learn_from_branch(self, block: Block, number: int) -> None:
        """Adds the facts that hold in a block because of its only incoming edge."""
        before = fast.single_predecessor(block)
        if before is None or not self.tree.contains(before):
            return
        last = before.last_op
        if last.__class__ is CondBrOp:
            assert last is not None
            yes, no = fast.successors_of(last)
            if yes is not no:
                self.learn(fast.operands_of(last)[0], yes is block, number)
        elif last.__class__ is SwitchOp:
            assert last is not None
            value = fast.operands_of(last)[0]
            if not is_constant(value):
                for case in self.cases_for(last, block):
                    self.assume_equal(value, self.constants.integer(case, value.type), number)

    def cases_for(self, switch: Operation, block: Block) -> list[int]:
        """The cases that lead to a block, of a switch that is read once for all its targets."""
        found = self.cases.get(switch)
        if found is None:
            found = self.cases[switch] = defaultdict(list)
            _, *targets = fast.successors_of(switch)
            for case, target in zip(branches.case_values(switch, signed=True), targets):
                found[target].append(case)
        return found[block]

    def learn(self, condition: SSAValue, holds: bool, block: int) -> None:
        """Records equalities that follow from the value of a condition in a block."""
        work = [(condition, holds)]
        seen: set[SSAValue] = set()
        while work:
            value, holds = work.pop()
            if value in seen or is_constant(value):
                continue
            seen.add(value)
            self.assume_equal(value, self.constants.boolean(holds), block)
            if not isinstance(value, OpResult):
                continue
            op = value.op
            parts = connected(op)
            if parts is not None:
                both, first, second = parts
                if both is holds:
                    work += [(first, holds), (second, holds)]
            elif op.name == "llvm.xor":
                first, second = fast.operands_of(op)
                if constant_integer(second) in (1, -1):
                    work.append((first, not holds))
            elif op.__class__ is ICmpOp:
                self.learn_comparison(op, holds, block)
            elif op.__class__ is FCmpOp and predicate_of(op) == (
                _ORDERED_EQUAL if holds else _UNORDERED_UNEQUAL
            ):
                first, second = fast.operands_of(op)
                # Zeros of both signs are equal.
                if not is_constant(first) and is_float_other_than_zero(second):
                    self.assume_equal(first, second, block)

    def learn_comparison(self, op: Operation, holds: bool, block: int) -> None:
        """Records the inverse of a decided comparison and the equality it implies."""
        first, second = fast.operands_of(op)
        predicate = predicate_of(op)
        key = self.comparison_key(INVERSE[predicate], self.number(first), self.number(second), op)
        inverse = self.known.get(key)
        if inverse is None:
            inverse = self.known[key] = self.next_number
            self.next_number += 1
        self.add_leader(inverse, block, self.constants.boolean(not holds))
        if predicate == (_EQUAL if holds else _UNEQUAL):
            if is_constant(first):
                first, second = second, first
            # Equal pointers may still be derived from different objects, but for null.
            if constant_number(second) is not None and not is_constant(first):
                self.assume_equal(first, second, block)

    def assume_equal(self, value: SSAValue, constant: SSAValue, block: int) -> None:
        """Replaces the uses of a value in the blocks that this one dominates."""
        self.add_leader(self.number(value), block, constant)
        numbers = self.tree.cfg.numbers
        dominates = self.tree.dominates_number
        doomed: list[tuple[Operation, int]] = []
        for count, (user, index) in enumerate(fast.uses_of(value)):
            if count >= MAX_USES:
                break
            home = user.parent
            number = numbers.get(home) if home is not None else None
            if number is not None and dominates(block, number) and self.tree.depth[number] >= 0:
                doomed.append((user, index))
        for user, index in doomed:
            fast.set_operand(user, index, constant)
            self.changed = True

    # Loads.

    def visit_load(self, op: Operation, block: int) -> None:
        """Replaces a load by a known value, or records it as available."""
        result = op.results[0]
        if not is_simple_access(op) or self.memory.access(op) is None:
            self.add_leader(self.number(result), block, result)
            return
        pointer = fast.operands_of(op)[0]
        seen = self.memory.entry if is_invariant_load(op) else self.memory.clobber(op)
        key = self.load_key(self.number(pointer), result.type, seen)
        number = self.known.get(key)
        value = self.leader(number, block) if number is not None else None
        if value is None:
            value = self.written_value(Location(pointer, None, op), result.type, seen, op)
        if value is not None:
            self.memory.remove(op)
            self.numbers[result] = self.number(value)
            self.replace(op, value)
            LOADS.add()
            return
        self.take_leader(op, key, block)
        if self.options.pre and self.options.load_pre:
            self.candidates.append(op)

    def load_key(self, pointer: int, type_: Attribute, seen: Definition) -> Hashable:
        """The key of a load: pointer, type and the defining memory access."""
        return (LoadOp, pointer, self.keys.number(type_), id(seen))

    def written_value(
        self, location: Location, type_: Attribute, seen: Definition, before: Operation | None
    ) -> SSAValue | None:
        """What a load finds that sees this definition, as it is known from what wrote it.

        Casts are inserted before `before`; if it is None, no value that needs a cast is returned.
        """
        address = self.alias.addresses.address(location.pointer)
        if isinstance(seen, LiveOnEntry):
            if is_alloca(address.base):
                return self.constants.undef(type_)
            return None
        if not isinstance(seen, MemoryAccess):
            return None
        writer = seen.op
        if writer.__class__ is LifetimeStartOp:
            *_, pointer = fast.operands_of(writer)
            if is_alloca(address.base) and self.is_all_of(pointer, address.base):
                return self.constants.undef(type_)
            return None
        if writer.__class__ is StoreOp:
            if not is_simple_access(writer):
                return None
            value, pointer = fast.operands_of(writer)
            distance = self.distance(pointer, location.pointer)
            return None if distance is None else self.part(value, distance, type_, before)
        if writer.__class__ is MemsetOp and not is_volatile_transfer(writer):
            pointer, value, length = fast.operands_of(writer)
            distance = self.distance(pointer, location.pointer)
            byte, size = constant_integer(value), constant_unsigned(length)
            if distance is None or byte is None or size is None:
                return None
            try:
                wanted = self.layout.store_size(type_)
            except UnsizedTypeError:
                return None
            if not 0 <= distance <= size - wanted:
                return None
            if byte == 0:
                return self.constants.zero(type_)
            if integer_width(type_) == 8 * wanted:
                number = int.from_bytes(bytes([byte & 0xFF]) * wanted, "little", signed=True)
                return self.constants.integer(number, type_)
        return None

    def is_all_of(self, pointer: SSAValue, variable: Any) -> bool:
        """Whether the pointer is to the start of a local variable."""
        address = self.alias.addresses.address(pointer)
        return address.base is variable and not address.terms and not address.offset

    def distance(self, start: SSAValue, end: SSAValue) -> int | None:
        """How many bytes the second address lies behind the first, where that is known."""
        if start is end:
            return 0
        first = self.alias.addresses.address(start)
        second = self.alias.addresses.address(end)
        if first.base != second.base or first.terms != second.terms:
            return None
        return second.offset - first.offset

    def part(
        self, value: SSAValue, offset: int, type_: Attribute, before: Operation | None
    ) -> SSAValue | None:
        """What a load of a type finds so many bytes behind where a value was stored."""
        have = value.type
        if offset == 0 and have == type_:
            return value
        if before is None:
            return None
        layout = self.layout
        if offset == 0 and convertible(have, type_, layout):
            return reinterpret(value, type_, before, layout)
        try:
            size, wanted = layout.store_size(have), layout.store_size(type_)
        except UnsizedTypeError:
            return None
        if not 0 <= offset <= size - wanted:
            return None
        if isinstance(have, VectorType):
            element = cast("VectorType[Attribute]", have).element_type
            step = layout.store_size(element)
            if layout.bits(element) != 8 * step or offset % step or step != wanted:
                return None
            if not convertible(element, type_, layout):
                return None
            index = self.constants.integer(offset // step, I32)
            op = fast.create(ExtractElementOp, (value, index), (element,))
            fast.insert_before(op, before)
            return reinterpret(op.results[0], type_, before, layout)
        if layout.bits(have) != 8 * size or layout.bits(type_) != 8 * wanted or size > 8:
            return None
        if isinstance(have, LLVMPointerType) or isinstance(type_, (LLVMPointerType, VectorType)):
            return None
        whole = integer(8 * size)
        number = reinterpret(value, whole, before, layout)
        if offset:
            amount = self.constants.integer(8 * offset, whole)
            shift = fast.create(LShrOp, (number, amount), (whole,))
            fast.insert_before(shift, before)
            number = shift.results[0]
        part = fast.create(TruncOp, (number,), (integer(8 * wanted),))
        fast.insert_before(part, before)
        return reinterpret(part.results[0], type_, before, layout)

    # Values available in the predecessors of a block.

    def place_candidates(self) -> None:
        """Runs PRE on the collected candidates that still have uses."""
        for op in self.candidates:
            if op.parent is not None and op.results[0].first_use is not None:
                self.place(op)

    def place(self, op: Operation) -> None:
        """Replaces an op with a block argument if it is available in all predecessors, or in all
        except one.
        """
        home = op.parent
        assert home is not None
        seen: Definition | None = None
        join = home
        if op.__class__ is LoadOp:
            seen = self.memory.entry if is_invariant_load(op) else self.memory.clobber(op)
            if isinstance(seen, MemoryPhi):
                join = seen.block
            elif isinstance(seen, MemoryAccess) and not self.tree.strictly_dominates(
                cast(Block, seen.op.parent), home
            ):
                return
        values = self.values_on_all_ways(op, join, seen)
        if values is None:
            self.erase_fresh()
            return
        self.fresh.clear()
        result = op.results[0]
        for value in values.values():
            self.weaken(value, result, MAX_TRANSLATED)
        argument = self.argument_of(join, result.type, values)
        number = self.number(result)
        self.numbers[argument] = number
        self.leaders[number] = [
            (block, value) for block, value in self.leaders[number] if value is not result
        ]
        self.add_leader(number, self.tree.cfg.numbers[join], argument)
        if op.__class__ is LoadOp:
            self.memory.remove(op)
            LOADS.add()
        fast.replace_op(op, (argument,))
        self.fresh.clear()
        self.changed = self.opened = True

    def values_on_all_ways(
        self, op: Operation, join: Block, seen: Definition | None
    ) -> dict[Block, SSAValue] | None:
        """What each block that leads to `join` brings of an op; computed on one where it lacks."""
        found = self.ways_into(op, join, seen, MAX_JOINS)
        if found is None:
            return None
        values, lacking = found
        if lacking:
            if len(lacking) != 1 or not values or not self.may_run_before(op, join):
                return None
            (way,) = lacking
            made = self.compute_at(op, way, join)
            if made is None:
                return None
            values[way] = made
            MOVED.add()
        return values

    def erase_fresh(self) -> None:
        """Removes the block arguments of an abandoned replacement."""
        for argument in reversed(self.fresh):
            if argument.first_use is None:
                branches.erase_arguments(argument.block, (argument.index,))
        self.fresh.clear()

    def weaken(self, kept: SSAValue, gone: SSAValue, depth: int) -> None:
        """Ensures that the replacement of a value on one path is poison only if the value is.

        Values with one number on different paths may have different flags, and so may their
        operands.
        """
        if kept is gone or not isinstance(kept, OpResult) or not isinstance(gone, OpResult):
            return
        if kept.op.__class__ is not gone.op.__class__:
            return
        meet_flags(kept.op, gone.op)
        if depth == 0 or kept.op.__class__ is LoadOp:
            return
        for one in fast.operands_of(kept.op):
            for other in fast.operands_of(gone.op):
                self.weaken(one, other, depth - 1)

    def ways_into(
        self, op: Operation, join: Block, seen: Definition | None, depth: int
    ) -> tuple[dict[Block, SSAValue], list[Block]] | None:
        """What the op yields at the end of each block that leads to `join`, and where it is lacking.

        None if unknown: the entry, too many edges, unreachable code.
        """
        graph = self.tree.cfg
        predecessors = list(dict.fromkeys(fast.predecessors_of(join)))
        if len(predecessors) < 2 or len(predecessors) > MAX_WAYS:
            return None
        if not all(self.tree.contains(p) for p in predecessors):
            return None
        predecessors.sort(key=lambda p: graph.rpo_index[graph.numbers[p]])
        is_load = op.__class__ is LoadOp
        place = graph.rpo_index[graph.numbers[join]]
        values: dict[Block, SSAValue] = {}
        lacking: list[Block] = []
        for way in predecessors:
            if is_load:
                value = self.load_at(op, way, join, cast(Definition, seen), depth)
            elif graph.rpo_index[graph.numbers[way]] >= place:
                # A value for the loop's next iteration must not be kept live during the current
                # one.
                return None
            else:
                key = self.translated_key(op, way, join, MAX_TRANSLATED)
                number = self.known.get(key) if key is not None else None
                value = self.leader(number, graph.numbers[way]) if number is not None else None
            if value is None:
                lacking.append(way)
                if len(lacking) > 1:
                    return values, lacking
            else:
                values[way] = value
        return values, lacking

    def load_at(
        self, op: Operation, way: Block, join: Block, seen: Definition, depth: int
    ) -> SSAValue | None:
        """What a load finds at the end of a block that leads to `join`."""
        graph = self.tree.cfg
        type_ = op.results[0].type
        pointer = fast.operands_of(op)[0]
        number = self.translated(pointer, way, join, MAX_TRANSLATED)
        there = self.leader(number, graph.numbers[way]) if number is not None else None
        if number is None or there is None:
            return None
        location = Location(there, self.layout.store_size(type_), op)
        if isinstance(seen, MemoryPhi) and seen.block is join:
            if way not in seen.incoming:
                return None
            seen = self.memory.walk(seen.incoming[way], location)
        known = self.known.get(self.load_key(number, type_, seen))
        value = self.leader(known, graph.numbers[way]) if known is not None else None
        if value is not None:
            return value
        value = self.written_value(location, type_, seen, None)
        if value is not None or not isinstance(seen, MemoryPhi) or depth == 0:
            return value
        above = seen.block
        if above is join or not self.tree.dominates(above, way):
            return None
        if self.tree.dominates(join, above) or self.defined_below(there, above):
            return None
        found = self.ways_into_pointer(there, op, above, seen, depth - 1)
        return None if found is None else self.argument_of(above, type_, found)

    def ways_into_pointer(
        self, pointer: SSAValue, op: Operation, join: Block, seen: Definition, depth: int
    ) -> dict[Block, SSAValue] | None:
        """The value at the address at the end of every predecessor; None if one is unknown."""
        probe = fast.create(LoadOp, (pointer,), (op.results[0].type,), dict(op.properties))
        try:
            found = self.ways_into(probe, join, seen, depth)
        finally:
            fast.erase(probe)
        return None if found is None or found[1] else found[0]

    def defined_below(self, value: SSAValue, block: Block) -> bool:
        """Whether the value is made in the block or in one that it dominates."""
        home = defining_block(value)
        return home is None or self.tree.dominates(block, home)

    def translated(self, value: SSAValue, way: Block, join: Block, depth: int) -> int | None:
        """The number at the end of `way` of the value `value` in `join`.

        None when that has not been computed anywhere, or is too much to follow.
        """
        home = defining_block(value)
        if home is None:
            return None
        if not self.tree.dominates(join, home):
            return self.number(value)
        if isinstance(value, BlockArgument):
            sent = self.sent(value, way) if home is join else None
            return self.number(sent) if sent is not None else None
        op = cast(OpResult, value).op
        if is_constant(value):
            return self.number(value)
        if depth == 0 or not is_expression(op):
            return None
        key = self.translated_key(op, way, join, depth - 1)
        return self.known.get(key) if key is not None else None

    def sent(self, argument: BlockArgument, way: Block) -> SSAValue | None:
        """What a block's edges send to the argument; None when they send different values."""
        found = {v[argument.index] for source, v in edges_into(argument.block) if source is way}
        return found.pop() if len(found) == 1 else None

    def translated_key(self, op: Operation, way: Block, join: Block, depth: int) -> Hashable | None:
        """The key of `op` with its operands translated to a predecessor; None if one is unknown."""
        numbers: list[int] = []
        for operand in fast.operands_of(op):
            number = self.translated(operand, way, join, depth)
            if number is None:
                return None
            numbers.append(number)
        if op.__class__ is ICmpOp:
            return self.comparison_key(predicate_of(op), numbers[0], numbers[1], op)
        return self.keys.key(op, numbers)

    def may_run_before(self, op: Operation, join: Block) -> bool:
        """Returns whether the op, placed at the end of a predecessor of its block, runs only where
        it ran before.
        """
        if op.parent is not join:
            return False
        if op.__class__ is not LoadOp and speculation_cost(op) is not None:
            return True
        at = op.prev_op
        while at is not None:
            if effects(at) & MAY_NOT_RETURN:
                return False
            at = at.prev_op
        return True

    def compute_at(self, op: Operation, way: Block, join: Block) -> SSAValue | None:
        """A copy of the op at the end of a block that goes nowhere but to `join`."""
        last = branches.terminator_of(way)
        if len(fast.successors_of(last)) != 1 or way is join:
            return None
        operands: dict[SSAValue, SSAValue] = {}
        made: list[Operation] = []
        for operand in fast.operands_of(op):
            value = self.operand_at(operand, way, join, MAX_TRANSLATED, made)
            if value is None:
                for one in reversed(made):
                    fast.erase(one)
                return None
            operands[operand] = value
        number = self.tree.cfg.numbers[way]
        for one in made:
            fast.insert_before(one, last)
            key = self.expression_key(one)
            self.numbers[one.results[0]] = self.known.setdefault(key, self.number(one.results[0]))
            self.add_leader(self.numbers[one.results[0]], number, one.results[0])
        new = fast.copy_op(op, operands)
        fast.insert_before(new, last)
        if op.__class__ is LoadOp:
            self.memory.insert_use(new)
        return new.results[0]

    def operand_at(
        self, value: SSAValue, way: Block, join: Block, depth: int, made: list[Operation]
    ) -> SSAValue | None:
        """The value at the end of `way`, computed there by new ops if necessary."""
        home = defining_block(value)
        if home is None:
            return None
        if not self.tree.dominates(join, home) or is_constant(value):
            return value
        if isinstance(value, BlockArgument):
            return self.sent(value, way) if home is join else None
        number = self.translated(value, way, join, depth)
        found = self.leader(number, self.tree.cfg.numbers[way]) if number is not None else None
        if found is not None:
            self.weaken(found, value, MAX_TRANSLATED)
            return found
        if not isinstance(value, OpResult) or depth == 0 or value.op.__class__ not in _ADDRESSING:
            return None
        operands: dict[SSAValue, SSAValue] = {}
        for operand in fast.operands_of(value.op):
            found = self.operand_at(operand, way, join, depth - 1, made)
            if found is None:
                return None
            operands[operand] = found
        new = fast.copy_op(value.op, operands)
        made.append(new)
        return new.results[0]

    def argument_of(
        self, block: Block, type_: Attribute, values: dict[Block, SSAValue]
    ) -> BlockArgument:
        """The argument of a block that gets these values, made unless there is one already."""
        incoming = edges_into(block)
        for argument in block.args:
            if argument.type == type_ and all(
                sent[argument.index] is values[source] for source, sent in incoming
            ):
                return argument
        argument = fast.add_argument(block, type_)
        self.fresh.append(argument)
        for source in dict.fromkeys(source for source, _ in incoming):
            terminator = branches.terminator_of(source)
            value = values[source]
            branches.set_edges(
                terminator,
                [
                    (target, (*sent, value)) if target is block else (target, sent)
                    for target, sent in branches.edges_of(terminator)
                ],
            )
        return argument


_ADDRESSING: Final = frozenset(
    {
        GEPOp,
        AddOp,
        BitcastOp,
        AddrSpaceCastOp,
        SExtOp,
        ZExtOp,
        TruncOp,
    }
)
"""Operands of addresses, which are recomputed for a load that moves."""


def edges_into(block: Block) -> list[tuple[Block, tuple[SSAValue, ...]]]:
    """The edges to a block: the source and the values sent, once for each edge."""
    return [
        (source, values)
        for source in dict.fromkeys(fast.predecessors_of(block))
        for values in branches.values_to(branches.terminator_of(source), block)
    ]


def is_plain_read(op: Operation) -> bool:
    """Whether the op does nothing but read memory: `ld.global.nc` and its like."""
    flags = effects(op)
    return bool(flags & READS) and not flags & ~(READS | ARGUMENTS_ONLY | UNSPECULATABLE)


def is_float_other_than_zero(value: SSAValue) -> bool:
    """Whether the value is a floating-point constant that equals only itself."""
    owner = value.owner
    attribute = owner.properties.get("value") if isinstance(owner, Operation) else None
    return isinstance(attribute, FloatAttr) and attribute.value.data != 0


__all__ = ["GVN"]
