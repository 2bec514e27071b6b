"""`globalopt`: splits, shrinks, localizes and erases variables that only the module can access.

    @s = internal addrspace(3) global { i32, float }      @s.body.f0 = internal addrspace(3) global i32
                                                      ->  @s.body.f1 = internal addrspace(3) global float

The pass implements NVIDIA's GlobalOpt (document 002) and LLVM's GlobalOpt. A variable is a
candidate if it has local linkage, is not listed in `llvm.used`, has no section, and holds its
initializer when the first kernel is launched (`set_by_host`). Device memory keeps its contents
between launches: no transformation assumes that a launch starts with the initializers.

Document 002:

- The type filter accepts types whose tag is in the mask 0x8A7E, and structs, vectors and arrays
  whose leaves are scalars or pointers. Every use must be a plain load or store at a constant
  offset.
- Path A, for a struct constant of at most `globalopt-max-bits` bits with its padding: the variable
  becomes `.body` in the same address space. A load of the struct whose users extract fields becomes
  loads of the fields (`.val`), and a store of a struct that `insertvalue` assembled becomes stores
  of its fields. The document moves the initializer into an `.init` function and then erases that
  function; here `.body` gets the initializer directly.
- Path B, for larger structs and for the result of path A (disabled by `globalopt-disable-sra`): a
  struct of at most `globalopt-max-sra-fields` fields is split into `.f0` to `.f15` if each access
  is to one field and no stored value is the address of a function or a computed address.
- Path B for the target of a pointer variable: an object from `malloc`, or an array of them, gets separate memory for
  each field in use, at most `globalopt-max-heap-fields` of them (`passes/ipo/heap_objects.py`).
- The new variables are candidates again.

LLVM's GlobalOpt: stores to variables that are never read are erased, and then the variables; variables that are
never written become constants; integers that hold only their initializer and one other constant become an `i1`
(`.b`); a variable that only one kernel uses, in which each thread stores before it loads and no thread
synchronizes with another, becomes a stack slot; aliases are resolved; unused functions and variables are erased.

Names of new variables get a number if the module already has them. New accesses get the location of
the replaced access. The debug information of a variable is split or rewritten together with the
variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    CallOp,
    ExtractValueOp,
    FuncOp,
    GEPOp,
    GlobalOp,
    InsertValueOp,
    IntToPtrOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    SelectOp,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.global_uses import kept_names
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import load, store
from nvvm_xdsl.analysis.memory.global_accesses import (
    Access,
    Accesses,
    Initializer,
    accesses_of,
    erase_unused_addresses,
    field_alignment,
    make_variable,
)
from nvvm_xdsl.dialects.effects import CONVERGENT, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    defined_name,
    enclosing_function,
    global_name,
    global_space,
    global_type_of,
    int_property,
    integer_of,
    integer_width,
    is_constant_global,
    position_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, constant_attribute
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.debug_salvage import STACK_BITS
from nvvm_xdsl.dialects.llvm.gep import byte_offset, element_of
from nvvm_xdsl.dialects.llvm.global_debug import debug_expressions, describe_flag, describe_part
from nvvm_xdsl.dialects.llvm.setters import set_global_type, set_linkage, set_symbol_name
from nvvm_xdsl.dialects.llvm.symbol_uses import references_to
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    fresh_name,
    functions_of,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, dense_i64, int_attr, pointer
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.ipo.heap_objects import HeapSplit, heap_object
from nvvm_xdsl.transforms.constant_propagation import initial_fact
from nvvm_xdsl.transforms.dead_globals import eliminate_dead_globals

SPLIT: Final = Statistic("globalopt", "split", "Number of variables split into fields")
PROMOTED: Final = Statistic("globalopt", "promoted", "Number of struct constants promoted")
CONSTANT: Final = Statistic("globalopt", "constant", "Number of variables marked constant")
SHRUNK: Final = Statistic("globalopt", "shrunk", "Number of variables shrunk to a bool")
HEAP: Final = Statistic("globalopt", "heap", "Number of malloc allocations split into fields")
LOCALIZED: Final = Statistic("globalopt", "localized", "Number of variables made local")
UNREAD: Final = Statistic("globalopt", "unread", "Number of variables that are never read")

# The document's tags (`type + 8`).

HALF, FLOAT, DOUBLE, X86_FP80, FP128, INTEGER, STRUCT, VECTOR, POINTER, ARRAY = (
    0x1, 0x2, 0x3, 0x4, 0x5, 0xB, 0xD, 0xE, 0xF, 0x10,
)  # fmt: skip
OTHER: Final = 0x8

ACCEPTED: Final = 0x8A7E
"""The bits of the tags for which the component types are irrelevant."""

ANALYZED: Final = frozenset({STRUCT, VECTOR, ARRAY})

_FLOAT_TAGS: Final[dict[type[Attribute], int]] = {
    Float16Type: HALF,
    BFloat16Type: 0xC,
    Float32Type: FLOAT,
    Float64Type: DOUBLE,
    Float80Type: X86_FP80,
    Float128Type: FP128,
}
_TAG_BITS: Final = {HALF: 16, FLOAT: 32, DOUBLE: 64, X86_FP80: 80, FP128: 128}


_BODY: Final = ".body"
_UNIT: Final = UnitAttr()


def type_tag(type_: Attribute) -> int:
    """The document's tag of a type. An integer is `iN` whatever its width."""
    if isinstance(type_, IntegerType):
        return INTEGER
    if isinstance(type_, LLVMPointerType):
        return POINTER
    if isinstance(type_, LLVMStructType):
        return STRUCT
    if isinstance(type_, LLVMArrayType):
        return ARRAY
    if isinstance(type_, VectorType):
        return VECTOR
    return _FLOAT_TAGS.get(type(type_), OTHER)


def is_analyzable(type_: Attribute) -> bool:
    """Whether all leaves of a type are scalars or pointers (`isAnalyzableType`)."""
    if isinstance(type_, LLVMStructType):
        return all(is_analyzable(part) for part in type_.types.data)
    element = element_of(type_)
    if element is not None:
        return is_analyzable(element)
    return type_tag(type_) not in (OTHER, STRUCT, ARRAY, VECTOR)


def passes_filter(type_: Attribute) -> bool:
    """The entry guard: the mask, or an aggregate that can be analyzed."""
    tag = type_tag(type_)
    if 1 << tag & ACCEPTED:
        return True
    return tag in ANALYZED and is_analyzable(type_)


def total_bits(type_: Attribute, layout: DataLayout) -> int:
    """The size that selects path A, by type tag as in the document's table.

    A struct counts the bytes of its layout times 8. The document's "number of fields" is the size
    in LLVM's StructLayout.
    """
    tag = type_tag(type_)
    if tag in _TAG_BITS:
        return _TAG_BITS[tag]
    if tag == INTEGER:
        return integer_width(type_)
    if isinstance(type_, LLVMArrayType):
        return type_.size.data * total_bits(type_.type, layout)
    return 8 * layout.size(type_)


def padded_bits(type_: Attribute, layout: DataLayout) -> int:
    """The size rounded up to the alignment: `alignment * ceil(bits / alignment)`."""
    alignment = layout.alignment(type_)
    return alignment * -(-total_bits(type_, layout) // alignment)


@dataclass(frozen=True)
class GlobalOpt(NvvmPass):
    """Splits, shrinks, localizes and erases variables that only the module can access."""

    name = "globalopt"
    title = "GlobalOpt"

    globalopt_max_bits: int = 2047
    """Maximum number of bits of a struct that path A promotes (0x7FF)."""

    globalopt_max_sra_fields: int = 16
    """Maximum number of fields of a struct that path B splits."""

    globalopt_disable_sra: bool = False
    """Disables path B: the document's flag `a4`."""

    globalopt_max_heap_fields: int = 1
    """Maximum number of used fields of a split object of `malloc`; the document splits up to 16.

    Each field costs a call of `malloc`, thousands of cycles on a GPU, and memory of a small heap.
    With one field an object needs no more calls and memory than before.
    """

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = resolve_aliases(module)
        run = _GlobalOptimizer(self, module, am)
        changed |= run.run()
        changed |= eliminate_dead_globals(module, am)
        if changed:
            for func in functions_of(module):
                am.invalidate(func)
        return changed


def resolve_aliases(module: ModuleOp) -> bool:
    """Replaces uses of local aliases by the symbols that they name."""
    symbols = symbols_of(module)
    kept = kept_names(module)
    names: dict[str, str] = {}
    for name, op in symbols.items():
        if op.name != "llvm.mlir.alias" or linkage_of(op) not in LOCAL_LINKAGE or name in kept:
            continue
        ops = list(walk_function(op))
        # An alias of a part of a symbol, or in another address space, is kept.
        if len(ops) == 2 and type(ops[0]) is AddressOfOp:
            target = global_name(ops[0])
            if symbols[target].name != "llvm.mlir.alias":
                names[name] = target
    for name in names:
        fast.erase(symbols[name])
    if names:
        references_to(module, names)
    return bool(names)


def _is_candidate(op: Operation) -> bool:
    return (
        type(op) is GlobalOp
        and linkage_of(op) in LOCAL_LINKAGE
        and not set_by_host(op)
        and "section" not in op.properties
    )


def _mark_constant(variable: Operation, found: Accesses) -> bool:
    """Marks a variable that is never written as constant."""
    if found.stores or found.fills or is_constant_global(variable):
        return False
    if global_space(variable) in (SHARED, LOCAL):
        return False
    CONSTANT.add()
    variable.properties["constant"] = _UNIT
    return True


class _GlobalOptimizer:
    """Optimizes the variables of one module."""

    def __init__(self, options: GlobalOpt, module: ModuleOp, am: AnalysisManager) -> None:
        self.options = options
        self.module = module
        self.am = am
        self.layout = data_layout_of(module)
        self.symbols = symbols_of(module)
        self.accesses = accesses_of(module, self.layout)
        self.promoted: set[Operation] = set()
        """The variables that path A has promoted; a variable is promoted once."""
        self.meetings: dict[FuncOp, bool] = {}
        """Cached results of `_may_observe_other_threads`; no transformation of this pass changes them."""

    def run(self) -> bool:
        """Optimizes variables until none changes; returns whether any did."""
        pending = [op for op in self.symbols.values() if _is_candidate(op)]
        changed = False
        while pending:
            variable = pending.pop()
            made = self._optimize(variable)
            if made is not None:
                changed = True
                pending += made
        return changed

    def _optimize(self, variable: Operation) -> list[Operation] | None:
        """Transforms a variable; returns the new candidates, or None if nothing changed."""
        found = self.accesses.setdefault(defined_name(variable), Accesses())
        if found.others:
            return None
        if not found.loads:
            return self._drop_stores(variable, found)
        if self._shrink_to_bool(variable, found) or self._localize(variable, found):
            return []
        made = self._split_heap_object(variable, found)
        if made is None:
            made = self._document(variable, found)
        if made is not None:
            return made
        return [] if _mark_constant(variable, found) else None

    # Document 002.

    def _document(self, variable: Operation, found: Accesses) -> list[Operation] | None:
        type_ = global_type_of(variable)
        if not passes_filter(type_) or found.fills:
            return None
        if any(a.offset is None for a in (*found.loads, *found.stores)):
            return None
        initializer = Initializer(variable)
        if not initializer.is_struct_constant():
            return None
        struct = cast(LLVMStructType, type_)
        small = padded_bits(type_, self.layout) <= self.options.globalopt_max_bits
        if small and variable not in self.promoted and self._is_path_a_profitable(variable, found):
            return self._promote(variable, found, struct)
        if not self._may_split(struct):
            return None
        return self._split(variable, found, struct, initializer)

    def _is_path_a_profitable(self, variable: Operation, found: Accesses) -> bool:
        """Whether path A is profitable: some access is to the whole struct, or path B can split it
        afterwards."""
        struct = cast(LLVMStructType, global_type_of(variable))
        if any(a.type == struct for a in (*found.loads, *found.stores)):
            return True
        return self._may_split(struct) and self._fields(found, struct) is not None

    def _may_split(self, struct: LLVMStructType) -> bool:
        options = self.options
        count = len(struct.types.data)
        return not options.globalopt_disable_sra and count <= options.globalopt_max_sra_fields

    # Path B for the object that a variable points to.

    def _split_heap_object(self, variable: Operation, found: Accesses) -> list[Operation] | None:
        options = self.options
        if options.globalopt_disable_sra:
            return None
        made = heap_object(variable, found, self.symbols, self.layout)
        if made is None or len(made.struct.types.data) > options.globalopt_max_sra_fields:
            return None
        fields = made.fields()
        name = defined_name(variable)
        if not 1 <= len(fields) <= options.globalopt_max_heap_fields:
            return None
        HEAP.add()
        names = [fresh_name(f"{name}.f{number}", self.symbols) for number in fields]
        variables = HeapSplit(self.module, variable, found, made, self.layout, names).run()
        del self.symbols[name]
        for new, (op, accesses) in variables.items():
            self.symbols[new] = op
            self.accesses[new] = accesses
        return [op for op, _ in variables.values()]

    # Path A.

    def _promote(
        self, variable: Operation, found: Accesses, struct: LLVMStructType
    ) -> list[Operation]:
        PROMOTED.add()
        body = self._rename(variable, _BODY)
        self.promoted.add(body)
        set_linkage(body, "internal")
        for address in found.addresses:
            fast.set_name(address.results[0], "newgv")
        for access in list(found.loads):
            if access.type == struct:
                self._load_fields(access, found, struct, body)
        for access in list(found.stores):
            if access.type == struct:
                self._store_fields(access, found, struct, body)
        return [body]

    def _rename(self, variable: Operation, suffix: str) -> Operation:
        """Creates a variable with a new name and the same address space, initializer and
        metadata.
        """
        old = defined_name(variable)
        name = fresh_name(old + suffix, self.symbols)
        found = self.accesses.pop(old)
        self.symbols[name] = self.symbols.pop(old)
        set_symbol_name(variable, name)
        for address in found.addresses:
            address.properties["global_name"] = SymbolRefAttr(name)
        self.accesses[name] = found
        return variable

    def _load_fields(
        self, access: Access, found: Accesses, struct: LLVMStructType, body: Operation
    ) -> None:
        """Replaces a load of the struct by loads of the fields that its users extract."""
        op = access.op
        # The last use is the first in the list.
        users = list(fast.users_of(op.results[0]))[::-1]
        if any(type(user) is not ExtractValueOp for user in users):
            return
        found.loads.remove(access)
        places = self.layout.field_offsets(struct)
        values: dict[int, SSAValue] = {}
        address = fast.operands_of(op)[0]
        for user in users:
            position = position_of(user)
            number, deeper = position[0], position[1:]
            value = values.get(number)
            if value is None:
                part = struct.types.data[number]
                place = byte_offset(address, places[number], op)
                alignment = field_alignment(body, places[number], self.layout)
                value = load(place, part, alignment, op, op.location)
                fast.set_name(value, "val")
                values[number] = value
                found.loads.append(Access(fast.producer_of(value), places[number], part))
            if deeper:
                inner = fast.create(
                    ExtractValueOp,
                    (value,),
                    (user.results[0].type,),
                    {"position": dense_i64(deeper)},
                    location=user.location,
                )
                fast.insert_before(inner, user)
                value = inner.results[0]
            fast.replace_op(user, (value,))
        fast.erase(op)

    def _store_fields(
        self, access: Access, found: Accesses, struct: LLVMStructType, body: Operation
    ) -> None:
        """Replaces a store of an assembled struct by stores of its fields."""
        op = access.op
        whole, address = fast.operands_of(op)
        parts: dict[int, SSAValue] = {}
        while type(whole.owner) is InsertValueOp:
            inner, part = fast.operands_of(fast.producer_of(whole))
            number, *deeper = position_of(fast.producer_of(whole))
            if deeper:
                return
            parts.setdefault(number, part)
            whole = inner
        if len(parts) < len(struct.types.data):
            return
        found.stores.remove(access)
        places = self.layout.field_offsets(struct)
        for number, part in sorted(parts.items()):
            place = byte_offset(address, places[number], op)
            alignment = field_alignment(body, places[number], self.layout)
            made = store(part, place, alignment, op, op.location)
            found.stores.append(Access(made, places[number], part.type))
        fast.erase(op)

    # Path B.

    def _fields(self, found: Accesses, struct: LLVMStructType) -> list[tuple[Access, int]] | None:
        """The field of each access; None if some access is not to one field."""
        offsets = self.layout.field_offsets(struct)
        sizes = [self.layout.size(part) for part in struct.types.data]
        result: list[tuple[Access, int]] = []
        for access in (*found.loads, *found.stores):
            size = self.layout.store_size(access.type)
            at = access.offset
            assert at is not None
            number = next(
                (n for n, o in enumerate(offsets) if o <= at and at + size <= o + sizes[n]), None
            )
            if number is None:
                return None
            result.append((access, number))
        return result

    def _split(
        self, variable: Operation, found: Accesses, struct: LLVMStructType, first: Initializer
    ) -> list[Operation] | None:
        fields = self._fields(found, struct)
        if fields is None or not all(self._is_plain(a.op) for a in found.stores):
            return None
        name = defined_name(variable)
        SPLIT.add()
        offsets = self.layout.field_offsets(struct)
        described = debug_expressions(variable)
        made: list[Operation] = []
        for number, part in enumerate(struct.types.data):
            content = first.part(number)
            assert content is not None
            alignment = field_alignment(variable, offsets[number], self.layout)
            alignment = max(1, alignment)
            new = fresh_name(f"{name}.f{number}", self.symbols)
            part_described = None
            if described is not None:
                size = 8 * self.layout.size(part)
                part_described = describe_part(described, 8 * offsets[number], size)
            made.append(make_variable(variable, new, part, content, alignment, part_described))
            self.accesses[new] = Accesses()
            self.symbols[new] = made[-1]
        space = global_space(variable)
        for access, number in fields:
            self._redirect(access, defined_name(made[number]), offsets[number], space)
        self._erase(variable, found)
        return made

    def _is_plain(self, op: Operation) -> bool:
        """Whether a stored value is neither the address of a function nor a computed address."""
        owner = fast.operands_of(op)[0].owner
        if type(owner) is AddressOfOp:
            target = self.symbols.get(global_name(owner))
            return not isinstance(target, FuncOp)
        return type(owner) not in (IntToPtrOp, GEPOp)

    def _redirect(self, access: Access, name: str, start: int, space: int) -> None:
        """Redirects an access to the variable of its field."""
        op = access.op
        index = len(fast.operands_of(op)) - 1
        address = fast.create(
            AddressOfOp, (), (pointer(space),), {"global_name": SymbolRefAttr(name)}
        )
        fast.insert_before(address, op)
        assert access.offset is not None
        fast.set_operand(op, index, byte_offset(address.results[0], access.offset - start, op))
        found = self.accesses[name]
        found.addresses.append(address)
        moved = Access(op, access.offset - start, access.type)
        (found.stores if index else found.loads).append(moved)

    # Transformations of LLVM's GlobalOpt.

    def _drop_stores(self, variable: Operation, found: Accesses) -> list[Operation] | None:
        """Erases a variable that is never read, and the stores to it."""
        UNREAD.add()
        for op in (*(a.op for a in found.stores), *found.fills):
            before = [v.owner for v in fast.operands_of(op)]
            fast.erase(op)
            for owner in before:
                if isinstance(owner, Operation):
                    erase_unused_addresses(owner)
        self._erase(variable, found)
        return []

    def _erase(self, variable: Operation, found: Accesses) -> None:
        """Erases a variable that nothing accesses any more, and the ops that compute its addresses."""
        for address in found.addresses:
            erase_unused_addresses(address)
        del self.symbols[defined_name(variable)]
        fast.erase(variable)

    def _shrink_to_bool(self, variable: Operation, found: Accesses) -> bool:
        """Replaces an integer that contains only its initializer or one other constant by an
        `i1`."""
        type_ = global_type_of(variable)
        first = initial_fact(variable)
        # Floats are not replaced: the select between two floats costs more than the smaller
        # variable saves.
        if type(first) is not IntegerAttr or type_ == I1 or found.fills:
            return False
        others: set[Attribute] = set()
        for access in (*found.loads, *found.stores):
            if access.offset != 0 or access.type != type_:
                return False
        for access in found.stores:
            value = constant_attribute(fast.operands_of(access.op)[0])
            if value is None:
                return False
            if value != first:
                others.add(value)
        if len(others) != 1:
            return False
        (other,) = others
        self._make_bool(variable, found, first, other)
        SHRUNK.add()
        return True

    def _make_bool(
        self, variable: Operation, found: Accesses, first: Attribute, other: Attribute
    ) -> None:
        type_ = global_type_of(variable)
        self._rename(variable, ".b")
        described = variable.properties.pop("dbg_exprs", None)
        zero, one = integer_of(first), integer_of(other)
        if described is not None and zero is not None and one is not None:
            if integer_width(type_) <= STACK_BITS:
                variable.properties["dbg_exprs"] = describe_flag(described, zero, one)
        set_global_type(variable, I1)
        variable.properties["value"] = int_attr(0, I1)
        variable.properties.pop("alignment", None)
        for access in found.stores:
            caller = enclosing_function(access.op)
            old = fast.operands_of(access.op)[0]
            value = Constants(caller).boolean(constant_attribute(old) == other)
            store(value, fast.operands_of(access.op)[1], 1, access.op, access.op.location)
            fast.erase(access.op)
        for access in found.loads:
            caller = enclosing_function(access.op)
            constants = Constants(caller)
            address = fast.operands_of(access.op)[0]
            flag = load(address, I1, 1, access.op, access.op.location)
            chosen = fast.create(
                SelectOp,
                (flag, constants.attribute(other, type_), constants.attribute(first, type_)),
                (type_,),
                location=access.op.location,
            )
            fast.insert_before(chosen, access.op)
            fast.replace_op(access.op, chosen.results)

    def _localize(self, variable: Operation, found: Accesses) -> bool:
        """Replaces a variable that each thread of one kernel uses independently by a stack slot."""
        functions = found.functions()
        if len(functions) != 1 or found.fills:
            return False
        (func,) = functions
        space = global_space(variable)
        if not is_kernel(func) or space not in (GENERIC, GLOBAL, SHARED):
            return False
        type_ = global_type_of(variable)
        if any(a.offset != 0 or a.type != type_ for a in (*found.loads, *found.stores)):
            return False
        if self._may_observe_other_threads(func):
            return False
        tree = self.am.get(DominatorTree, func)
        stores = [a.op for a in found.stores]
        if not all(any(tree.runs_before(s, a.op) for s in stores) for a in found.loads):
            return False
        LOCALIZED.add()
        self._make_local(variable, found, func, type_)
        return True

    def _may_observe_other_threads(self, func: FuncOp) -> bool:
        """Whether a thread may observe stores of other threads in the function."""
        known = self.meetings.get(func)
        if known is None:
            known = self.meetings[func] = any(map(_may_synchronize, walk_function(func)))
        return known

    def _make_local(
        self, variable: Operation, found: Accesses, func: FuncOp, type_: Attribute
    ) -> None:
        one = Constants(func).integer(1, I32)
        slot = fast.create(
            AllocaOp,
            (one,),
            (pointer(0),),
            {
                "elem_type": type_,
                "alignment": int_attr(field_alignment(variable, 0, self.layout), I64),
            },
        )
        fast.insert_after(slot, fast.producer_of(one))
        for access in (*found.loads, *found.stores):
            index = len(fast.operands_of(access.op)) - 1
            fast.set_operand(access.op, index, slot.results[0])
        self._erase(variable, found)
        self.am.invalidate(func)


def _may_synchronize(op: Operation) -> bool:
    """Whether an op may make stores of another thread visible, or calls a function that may."""
    flags = effects(op)
    if type(op) is CallOp or flags & CONVERGENT:
        return True
    if flags & STATE and flags & (READS | WRITES):
        return True
    return op.name in ("llvm.atomicrmw", "llvm.cmpxchg") or int_property(op, "ordering") != 0


__all__ = ["GlobalOpt", "is_analyzable", "padded_bits", "passes_filter", "total_bits", "type_tag"]
