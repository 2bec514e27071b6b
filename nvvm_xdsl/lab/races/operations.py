"""Symbolic execution of the ops of a block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.effects import is_pure
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    constant_value_of,
    global_name,
    int_property,
    integer_width,
    intrinsic_name,
    is_constant_global,
    is_volatile,
    predicate_of,
    symbol_name,
    sync_scope_of,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.flags import NSW, is_disjoint, is_non_negative, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import CONSTANT as CONSTANT_SPACE
from nvvm_xdsl.ir.nvptx import SHARED as SHARED_SPACE
from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.barriers import is_block_barrier, is_grid_barrier
from nvvm_xdsl.lab.races.terms import BLOCK, FALSE, LAUNCH, THREAD, TRUE, Term, both, negate
from nvvm_xdsl.lab.races.trace import (
    ANYWHERE,
    ARGUMENT,
    CONSTANT,
    LOCAL,
    OPAQUE,
    PARAMETER,
    SHARED,
    VARIABLE,
    Access,
    Intervals,
    Key,
    Meeting,
    Pointer,
    Root,
    Target,
    Trace,
    Value,
    grid_key,
    is_of_grid,
    merge_targets,
)

POINTER_BITS: Final = 64


class UnmodelledError(Exception):
    """An op or a shape of control flow that the verifier does not model.

    Attributes:
        op: the op.
        reason: why it is not modelled.
    """

    def __init__(self, op: Operation | None, reason: str) -> None:
        super().__init__(reason)
        self.op = op
        self.reason = reason


@dataclass(frozen=True)
class Rules:
    """Assumptions about the program.

    Attributes:
        no_alias: distinct pointers passed to the kernel point to memory that does not overlap.
        pure_externals: functions without a definition access no memory of other threads.
        sizes: known numbers of threads and blocks, by the names of their special registers.
    """

    no_alias: bool = False
    pure_externals: bool = False
    sizes: tuple[tuple[str, int], ...] = ()


_SCOPES: Final = {"": "system", "device": "device", "cluster": "cluster", "block": "block"}

_BINARY: Final = frozenset(
    f"llvm.{name}"
    for name in (
        *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"),
        *("udiv", "sdiv", "urem", "srem"),
    )
)

_PREDICATES: Final = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""Predicates of `llvm.icmp` by number."""

_SILENT: Final = (
    "llvm.intr.lifetime.",
    "llvm.intr.dbg.",
    "llvm.intr.experimental.noalias",
    "llvm.intr.prefetch",
    "llvm.intr.invariant.",
    "nvvm.memory.barrier",
    "nvvm.prefetch",
    "llvm.fence",
    "nvvm.nanosleep",
    "nvvm.membar",
)
"""Ops without an effect on the memory accesses of threads, and fences: a fence alone orders nothing."""

_WARP: Final = (
    "nvvm.shfl",
    "nvvm.vote",
    "nvvm.match",
    "nvvm.elect",
    "nvvm.activemask",
    "nvvm.redux",
)
"""Ops that exchange values between the threads of a warp."""

_HARMLESS_CALLS: Final = frozenset({"vprintf", "puts"})


def _lesser(sign: str) -> Callable[[Term, Term], Term]:
    return lambda a, b: terms.choose(terms.compare(f"{sign}lt", a, b), a, b)


def _greater(sign: str) -> Callable[[Term, Term], Term]:
    return lambda a, b: terms.choose(terms.compare(f"{sign}lt", a, b), b, a)


def _magnitude(a: Term, *_: Term) -> Term:
    zero = terms.const(0, a.width)
    return terms.choose(terms.compare("slt", a, zero), terms.binary("sub", zero, a), a)


def _product_of_24_bits(*, is_signed: bool) -> Callable[[Term, Term], Term]:
    def factor(term: Term) -> Term:
        return terms.extend(terms.truncate(term, 24), term.width, is_signed=is_signed)

    return lambda a, b: terms.binary("mul", factor(a), factor(b))


_FUNCTIONS: Final[dict[str, Callable[..., Term]]] = {
    **dict.fromkeys(("llvm.intr.smin", "__nv_min", "__nv_llmin"), _lesser("s")),
    **dict.fromkeys(("llvm.intr.smax", "__nv_max", "__nv_llmax"), _greater("s")),
    **dict.fromkeys(("llvm.intr.umin", "__nv_umin", "__nv_ullmin"), _lesser("u")),
    **dict.fromkeys(("llvm.intr.umax", "__nv_umax", "__nv_ullmax"), _greater("u")),
    **dict.fromkeys(("llvm.intr.abs", "__nv_abs", "__nv_llabs"), _magnitude),
    **dict.fromkeys(("llvm.nvvm.mul24.i", "__nv_mul24"), _product_of_24_bits(is_signed=True)),
    **dict.fromkeys(("llvm.nvvm.mul24.ui", "__nv_umul24"), _product_of_24_bits(is_signed=False)),
}
"""Functions of integers: ops, intrinsics and functions of libdevice."""


class Machine:
    """The state that the ops of a thread change.

    Attributes:
        values: symbolic values of SSA values.
        trace: the accesses so far.
        written: objects that the kernel writes; None if not known yet.
        iterations: those of the loops around the current op.
    """

    def __init__(
        self,
        rules: Rules,
        layout: DataLayout,
        symbols: dict[str, Operation],
        written: frozenset[Root] | None,
    ) -> None:
        self.rules = rules
        self.layout = layout
        self.symbols = symbols
        self.written = written
        self.values: dict[SSAValue, Value] = {}
        self.trace = Trace()
        self.iterations: list[Term] = []
        self.registers: dict[str, Term] = {}
        self.guard: Term = TRUE
        self.intervals: Intervals = {}
        self.steps = 0
        self.bases: dict[Term, Root] = {}
        self._fresh = 0
        self._sizes = dict(rules.sizes)

    # Values

    def fresh(self, what: str, width: int) -> Term:
        """A new unknown value of the thread."""
        self._fresh += 1
        return terms.symbol(f"{what}.{self._fresh}", width, THREAD)

    def unknown(self, type_: Attribute, what: str) -> Value:
        """An unknown value of a type."""
        if isinstance(type_, LLVMPointerType):
            return Pointer((Target(TRUE, ANYWHERE, self.fresh(what, POINTER_BITS)),))
        width = self.width(type_)
        return OPAQUE if width is None else self.fresh(what, width)

    def unknown_like(self, value: Value) -> Value:
        """An unknown value of the same kind."""
        if isinstance(value, Term):
            return self.fresh("varying", value.width)
        if isinstance(value, Pointer):
            return Pointer((Target(TRUE, ANYWHERE, self.fresh("varying", POINTER_BITS)),))
        return OPAQUE

    def width(self, type_: Attribute) -> int | None:
        """Bits of a scalar; None for other types."""
        if width := integer_width(type_):
            return width
        if type_.name in ("f16", "bf16", "f32", "f64"):
            return self.layout.bits(type_)
        return POINTER_BITS if isinstance(type_, LLVMPointerType) else None

    def get(self, value: SSAValue) -> Value:
        """The value of an SSA value."""
        return self.values[value]

    def term(self, value: SSAValue) -> Term:
        """The value as a term; a pointer's address, and a fresh symbol for values without a model."""
        found = self.values[value]
        if isinstance(found, Term):
            return found
        if isinstance(found, Pointer):
            return self.address(found)
        return self.fresh("value", self.width(value.type) or 8 * self.layout.size(value.type))

    def address(self, pointer: Pointer) -> Term:
        """The address as a number."""
        found: Term | None = None
        for condition, root, offset in pointer.targets:
            level = THREAD if root.kind in (LOCAL,) or root is ANYWHERE else LAUNCH
            if root is ANYWHERE:
                here = offset
            else:
                base = terms.symbol(f"address of {root.name}", POINTER_BITS, level)
                here = terms.binary("add", base, offset)
                self.bases[base] = root
            found = here if found is None else terms.choose(condition, here, found)
        return terms.const(0, POINTER_BITS) if found is None else found

    def pointer(self, value: SSAValue) -> Pointer:
        """The value as a pointer."""
        found = self.values[value]
        return found if isinstance(found, Pointer) else self.pointer_at(self.term(value))

    def pointer_at(self, address: Term) -> Pointer:
        """The pointer to an address: the inverse of `address`."""
        parts = [address]
        bases: list[Term] = []
        rest = terms.const(0, POINTER_BITS)
        while parts:
            part = parts.pop()
            if part.op == "add":
                parts += part.args
            elif part in self.bases:
                bases.append(part)
            else:
                rest = terms.binary("add", rest, part)
        if len(bases) == 1:
            return Pointer((Target(TRUE, self.bases[bases[0]], rest),))
        return Pointer((Target(TRUE, ANYWHERE, address),))

    # Execution

    def execute(self, op: Operation) -> None:
        """Executes an op that is not a terminator. Raises UnmodelledError."""
        self.steps += 1
        name = op.name
        if is_grid_barrier(op):
            self.barrier(op, grid=True)
        elif is_block_barrier(op):
            self.barrier(op)
            self.reduced(op)
        elif (function := _FUNCTIONS.get(callee_of(op) or intrinsic_name(op) or name)) is not None:
            self._apply(op, function)
        elif (rule := _RULES.get(name)) is not None:
            rule(self, op)
        elif name in _BINARY:
            self._binary(op)
        elif (register := special_register(op)) is not None:
            self.values[op.results[0]] = self.register(register, op)
        elif name.startswith(_SILENT):
            pass
        elif name == "nvvm.bar.warp.sync":
            self.trace.omitted.append(op)
        elif name.startswith(_WARP) or is_pure(op):
            self._pure(op)
        else:
            text = intrinsic_name(op) or name
            raise UnmodelledError(op, f"'{text}' is not modelled")

    def unknown_results(self, op: Operation, what: str) -> None:
        """Gives unknown values to the results."""
        for result in op.results:
            self.values[result] = self.unknown(result.type, what)

    def _pure(self, op: Operation) -> None:
        """An op without effects: an unknown function of its operands."""
        operands = [self.values[operand] for operand in fast.operands_of(op)]
        known = [value for value in operands if isinstance(value, Term)]
        if (
            len(known) < len(operands)
            or op.name.startswith(_WARP)
            or intrinsic_name(op)
            or len(op.results) != 1
            or op.name in ("llvm.freeze", "llvm.mlir.undef", "llvm.mlir.poison")
        ):
            self.unknown_results(op, op.name)
            return
        width = self.width(op.results[0].type)
        if width is None or isinstance(op.results[0].type, LLVMPointerType):
            self.unknown_results(op, op.name)
            return
        name = f"{op.name}#{id(op)}"
        self.values[op.results[0]] = terms.function(name, width, tuple(known), LAUNCH)

    def _binary(self, op: Operation) -> None:
        a, b = (self.values[operand] for operand in fast.operands_of(op))
        if not isinstance(a, Term) or not isinstance(b, Term):
            self.unknown_results(op, op.name)
            return
        name = op.name.removeprefix("llvm.")
        exact = bool(overflow_flags(op) & NSW)
        if name == "or" and is_disjoint(op):
            name, exact = "add", True
        self.values[op.results[0]] = terms.binary(name, a, b, exact=exact)

    def _apply(self, op: Operation, function: Callable[..., Term]) -> None:
        """An op whose result is a function of integers."""
        values = [self.values[operand] for operand in fast.operands_of(op)]
        numbers = [value for value in values if isinstance(value, Term)]
        if len(numbers) < len(values):
            self.unknown_results(op, op.name)
        else:
            self.values[op.results[0]] = function(*numbers)

    def register(self, name: str, op: Operation) -> Term:
        """The value of a special register."""
        width = integer_width(op.results[0].type)
        kind = name.split(".")[0]
        if kind in ("tid", "ctaid", "ntid", "nctaid") and name[-2:] in (".x", ".y", ".z"):
            return terms.truncate(self.position(name), width)
        if name == "warpsize":
            return terms.const(32, width)
        if name == "laneid" and "ntid.y" not in self.registers and "ntid.z" not in self.registers:
            return terms.binary("and", self.position("tid.x"), terms.const(31, width))
        return self.fresh(name, width)

    def position(self, name: str) -> Term:
        """The position of the thread in its block or of its block in the grid, or their size."""
        if name in self.registers:
            return self.registers[name]
        kind, _, axis = name.partition(".")
        most = {"x": 1024, "y": 1024, "z": 64}[axis]
        if kind in ("ctaid", "nctaid"):
            most = (1 << 31) - 1 if axis == "x" else 65535
        size_name = f"n{kind}.{axis}" if kind in ("tid", "ctaid") else name
        most = self._sizes.get(size_name, most)
        if kind in ("ntid", "nctaid"):
            known = name in self._sizes
            found = terms.const(most, 32) if known else terms.symbol(name, 32, LAUNCH, (1, most))
        else:
            level = THREAD if kind == "tid" else BLOCK
            found = terms.symbol(name, 32, level, (0, most - 1))
            self.registers[name] = found
            self.position(size_name)
        self.registers[name] = found
        return found

    # Control

    def barrier(self, op: Operation, *, grid: bool = False) -> None:
        """A barrier of all threads of the block, or of the launch."""
        iterations = tuple(self.iterations)
        self.trace.meetings.append(Meeting(op, iterations, self.guard, grid))
        key: Key = (op, iterations)
        kept = {k: c for k, c in self.intervals.items() if is_of_grid(k)}
        self.intervals = {key: TRUE} | ({grid_key(key): TRUE} if grid else kept)

    def reduced(self, op: Operation) -> None:
        """The result of a reduction at a barrier, which is the same for all threads of the block."""
        for result in op.results:
            width = self.width(result.type)
            assert width is not None
            name = f"{op.name}#{id(op)}"
            self.values[result] = terms.function(name, width, tuple(self.iterations), BLOCK)

    # Memory

    def access(
        self,
        op: Operation,
        pointer: Pointer,
        size: Term | int,
        *,
        writes: bool,
        scope: str = "",
        value: Term | None = None,
        ticket: Term | None = None,
    ) -> None:
        """Records an access to each object that the pointer may point into."""
        length = terms.const(size, POINTER_BITS) if isinstance(size, int) else size
        for condition, root, offset in pointer.targets:
            guard = both(self.guard, condition)
            if root.is_private or guard is FALSE:
                continue
            self.trace.accesses.append(
                Access(
                    op, root, offset, length, guard, self.intervals, writes, scope, value, ticket
                )
            )

    def is_constant(self, root: Root) -> bool:
        """Returns True if the object does not change while the kernel runs."""
        if root.kind in (CONSTANT, PARAMETER):
            return True
        if root.kind not in (ARGUMENT, VARIABLE) or self.written is None:
            return False
        return not any(may_overlap(root, other, self.rules) for other in self.written)

    def loaded(self, op: Operation, pointer: Pointer) -> Value:
        """The value of a load that is not atomic."""
        type_ = op.results[0].type
        if len(pointer.targets) != 1:
            return self.unknown(type_, "loaded")
        root, offset = pointer.targets[0].root, pointer.targets[0].offset
        if not self.is_constant(root):
            return self.unknown(type_, "loaded")
        if isinstance(type_, LLVMPointerType):
            if root.kind != PARAMETER or offset.op != "const":
                return self.unknown(type_, "loaded")
            inner = Root(ARGUMENT, f"{root.name}+{offset.data}")
            return Pointer((Target(TRUE, inner, terms.const(0, POINTER_BITS)),))
        width = self.width(type_)
        if width is None:
            return OPAQUE
        return terms.function(f"{root.kind} {root.name}.{width}", width, (offset,), LAUNCH)


def may_overlap(a: Root, b: Root, rules: Rules) -> bool:
    """Returns True if two objects may have a byte in common, which needs the same address space."""
    if a == b:
        return True
    if a.is_private or b.is_private:
        return False
    if a is ANYWHERE or b is ANYWHERE:
        return True
    if SHARED in (a.kind, b.kind) or (a.kind == VARIABLE and b.kind == VARIABLE):
        return False
    return not (rules.no_alias or a.noalias or b.noalias)


# Rules by op


def _constant(machine: Machine, op: Operation) -> None:
    value = constant_integer(op.results[0])
    result = op.results[0]
    width = integer_width(result.type)
    if value is not None and width:
        machine.values[result] = terms.const(value, width)
        return
    bits = machine.width(result.type)
    if bits is None:
        machine.values[result] = OPAQUE
    else:
        text = str(constant_value_of(op))
        machine.values[result] = terms.symbol(f"constant {text}", bits, LAUNCH)


def _null(machine: Machine, op: Operation) -> None:
    result = op.results[0]
    if isinstance(result.type, LLVMPointerType):
        null = terms.const(0, POINTER_BITS)
        machine.values[result] = Pointer((Target(TRUE, ANYWHERE, null),))
    elif (width := machine.width(result.type)) is not None:
        machine.values[result] = terms.const(0, width)
    else:
        machine.values[result] = OPAQUE


def _address_of(machine: Machine, op: Operation) -> None:
    name = global_name(op)
    space = pointer_space(op.results[0].type)
    target = machine.symbols.get(name)
    kind = {SHARED_SPACE: SHARED, CONSTANT_SPACE: CONSTANT}.get(space, VARIABLE)
    if target is not None and is_constant_global(target):
        kind = CONSTANT
    zero = terms.const(0, POINTER_BITS)
    machine.values[op.results[0]] = Pointer((Target(TRUE, Root(kind, name), zero),))


def _alloca(machine: Machine, op: Operation) -> None:
    root = Root(LOCAL, f"local {id(op)}")
    zero = terms.const(0, POINTER_BITS)
    machine.values[op.results[0]] = Pointer((Target(TRUE, root, zero),))


def _gep(machine: Machine, op: Operation) -> None:
    result = op.results[0]
    if not isinstance(result.type, LLVMPointerType):
        machine.values[result] = OPAQUE
        return
    found = gep_offset(op, machine.layout)
    base = machine.pointer(fast.operands_of(op)[0])
    if found is None:
        machine.values[result] = machine.unknown(result.type, "address")
        return
    exact = bool(int_property(op, "noWrapFlags") & 2)
    offset = terms.const(found.constant, POINTER_BITS)
    for value, scale in found.terms:
        index = terms.extend(machine.term(value), POINTER_BITS, is_signed=True)
        part = terms.binary("mul", index, terms.const(scale, POINTER_BITS), exact=exact)
        offset = terms.binary("add", part, offset, exact=exact)
    machine.values[result] = Pointer(
        tuple(
            Target(c, root, terms.binary("add", old, offset, exact=exact))
            for c, root, old in base.targets
        )
    )


def _copy_operand(machine: Machine, op: Operation) -> None:
    machine.values[op.results[0]] = machine.get(fast.operands_of(op)[0])


def _bitcast(machine: Machine, op: Operation) -> None:
    source, result = fast.operands_of(op)[0], op.results[0]
    if machine.width(source.type) == machine.width(result.type):
        machine.values[result] = machine.get(source)
    else:
        machine.values[result] = machine.unknown(result.type, "bitcast")


def _to_integer(machine: Machine, op: Operation) -> None:
    width = integer_width(op.results[0].type)
    address = machine.term(fast.operands_of(op)[0])
    if not width:
        machine.values[op.results[0]] = OPAQUE
    elif width > POINTER_BITS:
        machine.values[op.results[0]] = terms.extend(address, width, is_signed=False)
    else:
        machine.values[op.results[0]] = terms.truncate(address, width)


def _to_pointer(machine: Machine, op: Operation) -> None:
    value = machine.term(fast.operands_of(op)[0])
    wide = terms.extend(value, POINTER_BITS, is_signed=False)
    machine.values[op.results[0]] = machine.pointer_at(terms.truncate(wide, POINTER_BITS))


def _extend(machine: Machine, op: Operation) -> None:
    value = machine.get(fast.operands_of(op)[0])
    width = integer_width(op.results[0].type)
    if not isinstance(value, Term) or not width:
        machine.values[op.results[0]] = machine.unknown(op.results[0].type, op.name)
        return
    is_signed = op.name == "llvm.sext"
    exact = is_non_negative(op)
    machine.values[op.results[0]] = terms.extend(value, width, is_signed=is_signed, exact=exact)


def _truncate(machine: Machine, op: Operation) -> None:
    value = machine.get(fast.operands_of(op)[0])
    width = integer_width(op.results[0].type)
    if not isinstance(value, Term) or not width:
        machine.values[op.results[0]] = machine.unknown(op.results[0].type, op.name)
    else:
        exact = bool(overflow_flags(op) & NSW) and width > 1
        machine.values[op.results[0]] = terms.truncate(value, width, exact=exact)


def _icmp(machine: Machine, op: Operation) -> None:
    a, b = fast.operands_of(op)
    if machine.width(a.type) is None:
        machine.values[op.results[0]] = machine.unknown(op.results[0].type, op.name)
        return
    predicate = _PREDICATES[predicate_of(op)]
    machine.values[op.results[0]] = terms.compare(predicate, machine.term(a), machine.term(b))


def _select(machine: Machine, op: Operation) -> None:
    condition, a, b = (machine.get(operand) for operand in fast.operands_of(op))
    result = op.results[0]
    if isinstance(condition, Term) and isinstance(a, Term) and isinstance(b, Term):
        machine.values[result] = terms.choose(condition, a, b)
    elif isinstance(condition, Term) and isinstance(a, Pointer) and isinstance(b, Pointer):
        targets = [t._replace(condition=both(condition, t.condition)) for t in a.targets]
        other = negate(condition)
        targets += [t._replace(condition=both(other, t.condition)) for t in b.targets]
        machine.values[result] = Pointer(merge_targets(targets))
    else:
        machine.values[result] = machine.unknown(result.type, op.name)


def _assume(machine: Machine, op: Operation) -> None:
    condition = machine.get(fast.operands_of(op)[0])
    if isinstance(condition, Term):
        machine.trace.facts.append(terms.implies(machine.guard, condition))


def _load(machine: Machine, op: Operation) -> None:
    pointer = machine.pointer(fast.operands_of(op)[0])
    result = op.results[0]
    scope = _atomic_scope(op)
    machine.access(op, pointer, machine.layout.store_size(result.type), writes=False, scope=scope)
    volatile = is_volatile(op)
    if scope or volatile:
        machine.values[result] = machine.unknown(result.type, "loaded")
    else:
        machine.values[result] = machine.loaded(op, pointer)


def _store(machine: Machine, op: Operation) -> None:
    value, address = fast.operands_of(op)
    size = machine.layout.store_size(value.type)
    stored = machine.get(value)
    machine.access(
        op,
        machine.pointer(address),
        size,
        writes=True,
        scope=_atomic_scope(op),
        value=None if stored is OPAQUE else machine.term(value),
    )


def _atomic_scope(op: Operation) -> str:
    if not int_property(op, "ordering") and op.name in ("llvm.load", "llvm.store"):
        return ""
    return _SCOPES.get(sync_scope_of(op), "block")


_ADD = ENUMS["AtomicBinOp"]["add"]


def _read_modify_write(machine: Machine, op: Operation) -> None:
    operands = fast.operands_of(op)
    size = machine.layout.store_size(operands[1].type)
    scope = _atomic_scope(op)
    old = machine.unknown(op.results[0].type, "old")
    machine.values[op.results[0]] = old
    is_addition = op.name == "llvm.atomicrmw" and int_property(op, "bin_op") == _ADD
    added = constant_integer(operands[1]) if is_addition else None
    is_ticket = added is not None and 0 < added
    machine.access(
        op,
        machine.pointer(operands[0]),
        size,
        writes=True,
        scope=scope,
        ticket=old if is_ticket and isinstance(old, Term) else None,
    )


def _copy(machine: Machine, op: Operation) -> None:
    target, source, size = fast.operands_of(op)[:3]
    length = terms.extend(machine.term(size), POINTER_BITS, is_signed=False)
    machine.access(op, machine.pointer(source), length, writes=False)
    machine.access(op, machine.pointer(target), length, writes=True)


def _copy_inline(machine: Machine, op: Operation) -> None:
    target, source = fast.operands_of(op)[:2]
    length = int_property(op, "len")
    machine.access(op, machine.pointer(source), length, writes=False)
    machine.access(op, machine.pointer(target), length, writes=True)


def _set(machine: Machine, op: Operation) -> None:
    target, _, size = fast.operands_of(op)[:3]
    length = terms.extend(machine.term(size), POINTER_BITS, is_signed=False)
    machine.access(op, machine.pointer(target), length, writes=True)


def _call(machine: Machine, op: Operation) -> None:
    name = callee_of(op)
    target = machine.symbols.get(name or "")
    pointers = [
        value
        for operand in fast.operands_of(op)
        if isinstance(value := machine.get(operand), Pointer)
    ]
    local = all(t.root.is_private for pointer in pointers for t in pointer.targets)
    harmless = name in _HARMLESS_CALLS or (name is not None and name.startswith("__nv_") and local)
    declared = name is not None and target is not None and not target.regions[0].blocks
    if harmless or is_pure(op) or (machine.rules.pure_externals and declared):
        machine.unknown_results(op, name or "call")
        return
    if name is None:
        raise UnmodelledError(op, "a call through a pointer is not modelled")
    kind = "a function without a definition" if declared else "a recursive function"
    raise UnmodelledError(op, f"the call of '{symbol_name(target) if target else name}', {kind}")


def _inline_assembly(machine: Machine, op: Operation) -> None:
    if not is_pure(op):
        raise UnmodelledError(op, "inline assembly with side effects is not modelled")
    machine.unknown_results(op, "assembly")


_RULES: Final[dict[str, Callable[[Machine, Operation], None]]] = {
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _null,
    "llvm.mlir.addressof": _address_of,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _gep,
    "llvm.addrspacecast": _copy_operand,
    "llvm.bitcast": _bitcast,
    "llvm.intr.expect": _copy_operand,
    "llvm.intr.launder.invariant.group": _copy_operand,
    "llvm.ptrtoint": _to_integer,
    "llvm.inttoptr": _to_pointer,
    "llvm.sext": _extend,
    "llvm.zext": _extend,
    "llvm.trunc": _truncate,
    "llvm.icmp": _icmp,
    "llvm.select": _select,
    "llvm.intr.assume": _assume,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.atomicrmw": _read_modify_write,
    "llvm.cmpxchg": _read_modify_write,
    "llvm.intr.memcpy": _copy,
    "llvm.intr.memmove": _copy,
    "llvm.intr.memcpy.inline": _copy_inline,
    "llvm.intr.memset": _set,
    "llvm.call": _call,
    "llvm.inline_asm": _inline_assembly,
}
