"""`globalopt`: variables that no other module and no host sees are taken apart, made constant, or dropped.

    @s = internal addrspace(3) global { i32, float }      @s.body.f0 = internal addrspace(3) global i32
                                                      ->  @s.body.f1 = internal addrspace(3) global float

NVIDIA's GlobalOpt (document 002), and what LLVM's does besides. A variable must be local to the module, not be
listed in `llvm.used`, and hold its initializer when the first kernel is launched. Device memory outlives a
launch: nothing here relies on what one launch does alone.

Document 002:

- The type filter: the mask 0x8A7E over type tags, and structs, vectors and arrays whose leaves are
  scalars or pointers. Every use is a plain load or store, at constant offsets.
- Path A, a struct constant of at most `globalopt-max-bits` bits with its padding: the variable becomes `.body`
  in the same address space. Loads of the whole of which only fields are taken become loads of the fields
  (`.val`), stores of structs that were put together stores of their fields. What the document puts into an `.init`
  function stays the initializer of `.body`: nobody would call the function, so that it is the dead
  one that the document destroys.
- Path B, larger ones and what path A leaves: a struct of 1 to `globalopt-max-sra-fields` fields is
  split into `.f0` to `.f15`, unless `globalopt-disable-sra` is set, where each access is to one field and the
  stored values are no addresses of functions and no computed ones.
- Path B, of what a variable points to: an object from `malloc`, or an array of them, gets memory of its own for each
  field in use, at most `globalopt-max-heap-fields` of them (`passes/utils/heap_objects.py`).
- What came out is looked at again.

LLVM's GlobalOpt: stores to variables that are never read go, and then these; variables that are never written
are constants; those that hold their initializer and one other constant become an `i1` (`.b`); those
that one kernel alone uses, in which each thread stores before it loads and no thread waits for another, become
a stack slot; aliases are resolved; functions and variables without users go.
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
    IntegerType,
    ModuleOp,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
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
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import CONVERGENT, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    entry_of,
    is_declaration,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.attributes import (
    defined_name,
    global_name,
    int_property,
    integer_of,
    integer_width,
    position_of,
)
from nvvm_xdsl.ir.gep import byte_offset, element_of
from nvvm_xdsl.ir.layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.ir.symbols import references_to
from nvvm_xdsl.ir.types import I1, I32, I64, dense_i64, int_attr, pointer, pointer_space, string
from nvvm_xdsl.passes.base import NvvmPass, data_layout_of, functions_of
from nvvm_xdsl.passes.ipo.globaldce import GlobalDCE
from nvvm_xdsl.passes.ipo.ipsccp import initial_fact
from nvvm_xdsl.passes.utils.constants import Constants, constant_attribute
from nvvm_xdsl.passes.utils.global_accesses import (
    Access,
    Accesses,
    Initializer,
    accesses_of,
    erase_address,
    erase_unused_addresses,
    field_alignment,
    make_variable,
)
from nvvm_xdsl.passes.utils.globals import kept_names
from nvvm_xdsl.passes.utils.heap_objects import HeapSplit, heap_object
from nvvm_xdsl.passes.utils.memory import load, store

SPLIT: Final = Statistic("globalopt", "split", "Number of variables split into fields")
PROMOTED: Final = Statistic("globalopt", "promoted", "Number of struct constants promoted")
CONSTANT: Final = Statistic("globalopt", "constant", "Number of variables marked constant")
SHRUNK: Final = Statistic("globalopt", "shrunk", "Number of variables shrunk to a bool")
HEAP: Final = Statistic("globalopt", "heap", "Number of objects of malloc split into fields")
LOCALIZED: Final = Statistic("globalopt", "localized", "Number of variables made local")
UNREAD: Final = Statistic("globalopt", "unread", "Number of variables that are never read")

# The document's tags (`type + 8`).

HALF, FLOAT, DOUBLE, X86_FP80, FP128, INTEGER, STRUCT, VECTOR, POINTER, ARRAY = (
    0x1, 0x2, 0x3, 0x4, 0x5, 0xB, 0xD, 0xE, 0xF, 0x10,
)  # fmt: skip
OTHER: Final = 0x8

ACCEPTED: Final = 0x8A7E
"""The bits of the tags that need no look at what the type consists of."""

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
_CALL: Final = op_class("llvm.call")


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
    return _FLOAT_TAGS.get(type_.__class__, OTHER)


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
    """The size by which path A decides, tag by tag as the document's table has it.

    A struct counts the bytes of its layout, 8 bits each: what the document calls the number of fields
    there is where LLVM's StructLayout keeps the size.
    """
    tag = type_tag(type_)
    if tag in _TAG_BITS:
        return _TAG_BITS[tag]
    if tag == INTEGER:
        return integer_width(type_)
    if tag == POINTER:
        return layout.pointer_bits(pointer_space(type_))
    if tag == STRUCT:
        return 8 * layout.size(type_)
    if tag == VECTOR:
        return 8 * layout.size(type_)
    if isinstance(type_, LLVMArrayType):
        return type_.size.data * total_bits(type_.type, layout)
    return 8 * layout.size(type_)


def padded_bits(type_: Attribute, layout: DataLayout) -> int:
    """The size rounded up to the alignment: `alignment * ceil(bits / alignment)`."""
    alignment = layout.alignment(type_)
    return alignment * -(-total_bits(type_, layout) // alignment)


@dataclass(frozen=True)
class GlobalOpt(NvvmPass):
    """Splits, shrinks, localizes and drops variables that only the module sees."""

    name = "globalopt"
    title = "GlobalOpt"

    globalopt_max_bits: int = 2047
    """The most bits that path A promotes (0x7FF)."""

    globalopt_max_sra_fields: int = 16
    """The most fields that path B splits a struct into."""

    globalopt_disable_sra: bool = False
    """Path B is left out: the document's flag `a4`."""

    globalopt_max_heap_fields: int = 1
    """The most fields in use that an object of `malloc` is split into; the document splits into all, up to 16.

    Each costs a call of `malloc`, of which a GPU's takes thousands of cycles, and some of a heap that is
    small: with one, an object takes no more of either than before.
    """

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = resolve_aliases(module)
        run = _Run(self, module, am)
        changed |= run.run()
        changed |= GlobalDCE().run(module, am)
        if changed:
            for func in functions_of(module):
                am.invalidate(func)
        return changed


def resolve_aliases(module: ModuleOp) -> bool:
    """Uses of what an alias of the module's own stands for, in place of the alias."""
    symbols = symbols_of(module)
    kept = kept_names(module)
    names: dict[str, str] = {}
    for name, op in symbols.items():
        if op.name != "llvm.mlir.alias" or linkage_of(op) not in LOCAL_LINKAGE or name in kept:
            continue
        ops = list(walk_function(op))
        # Of a part of something, or in another space, it stays.
        if len(ops) == 2 and ops[0].__class__ is AddressOfOp:
            target = global_name(ops[0])
            if target in symbols and symbols[target].name != "llvm.mlir.alias":
                names[name] = target
    for name in names:
        fast.erase(symbols[name])
    if names:
        references_to(module, names)
    return bool(names)


class _Run:
    """One run over a module."""

    def __init__(self, options: GlobalOpt, module: ModuleOp, am: AnalysisManager) -> None:
        self.options = options
        self.module = module
        self.am = am
        self.layout = data_layout_of(module)
        self.symbols = symbols_of(module)
        self.accesses = accesses_of(module, self.layout)
        self.meetings: dict[FuncOp, bool] = {}
        """Whether threads meet in a function. Nothing here makes an op that lets them, or takes the last
        one away: what goes are plain accesses, and calls of `malloc` for others."""

    def run(self) -> bool:
        pending = [op for op in self.symbols.values() if self._is_candidate(op)]
        changed = False
        while pending:
            variable = pending.pop()
            made = self._optimize(variable)
            if made is not None:
                changed = True
                pending += made
        return changed

    def _is_candidate(self, op: Operation) -> bool:
        return (
            op.__class__ is GlobalOp
            and linkage_of(op) in LOCAL_LINKAGE
            and not is_declaration(op)
            and not set_by_host(op)
            and "section" not in op.properties
        )

    def _optimize(self, variable: Operation) -> list[Operation] | None:
        """Does what can be done to a variable; returns what to look at next, None if nothing was done."""
        found = self.accesses.setdefault(defined_name(variable), Accesses())
        if found.others or not found.addresses:
            return None
        if not found.loads:
            return self._drop_stores(variable, found)
        if self._shrink_to_bool(variable, found) or self._localize(variable, found):
            return []
        made = self._take_apart(variable, found)
        if made is None:
            made = self._document(variable, found)
        if made is not None:
            return made
        return [] if self._mark_constant(variable, found) else None

    # Document 002.

    def _document(self, variable: Operation, found: Accesses) -> list[Operation] | None:
        type_ = variable.properties["global_type"]
        if not passes_filter(type_) or found.fills:
            return None
        if any(a.offset is None for a in (*found.loads, *found.stores)):
            return None
        initializer = Initializer(variable)
        if not initializer.is_struct_constant():
            return None
        struct = cast(LLVMStructType, type_)
        small = padded_bits(type_, self.layout) <= self.options.globalopt_max_bits
        if (
            small
            and not defined_name(variable).endswith(_BODY)
            and self._takes_body(variable, found)
        ):
            return self._promote(variable, found, struct)
        if not self._may_split(struct):
            return None
        return self._split(variable, found, struct, initializer)

    def _takes_body(self, variable: Operation, found: Accesses) -> bool:
        """Whether path A has something to do: an access of the whole, or path B behind it."""
        struct = cast(LLVMStructType, variable.properties["global_type"])
        if any(a.type == struct for a in (*found.loads, *found.stores)):
            return True
        return self._may_split(struct) and self._fields(found, struct) is not None

    def _may_split(self, struct: LLVMStructType) -> bool:
        options = self.options
        count = len(struct.types.data)
        return not options.globalopt_disable_sra and 1 <= count <= options.globalopt_max_sra_fields

    # Path B, of what a variable points to.

    def _take_apart(self, variable: Operation, found: Accesses) -> list[Operation] | None:
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
        if any(f"{name}.f{number}" in self.symbols for number in fields):
            return None
        HEAP.add()
        variables = HeapSplit(self.module, variable, found, made, self.layout).run()
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
        name = defined_name(variable)
        body = self._rename(variable, name + _BODY)
        for access in list(found.loads):
            if access.type == struct and access.offset == 0:
                self._load_fields(access, found, struct, body)
        for access in list(found.stores):
            if access.type == struct and access.offset == 0:
                self._store_fields(access, found, struct, body)
        return [body]

    def _rename(self, variable: Operation, name: str) -> Operation:
        """The variable under a new name, with its space, initializer and metadata."""
        old = defined_name(variable)
        found = self.accesses.pop(old)
        self.symbols[name] = self.symbols.pop(old)
        variable.properties["sym_name"] = string(name)
        for address in found.addresses:
            address.properties["global_name"] = SymbolRefAttr(name)
        self.accesses[name] = found
        return variable

    def _load_fields(
        self,
        access: Access,
        found: Accesses,
        struct: LLVMStructType,
        body: Operation,
    ) -> None:
        """Loads what is taken of a struct in place of the struct."""
        op = access.op
        # The last use comes first.
        users = list(fast.users_of(op.results[0]))[::-1]
        if not users or any(user.__class__ is not ExtractValueOp for user in users):
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
                value = load(place, part, field_alignment(body, places[number], self.layout), op)
                fast.set_name(value, "val")
                values[number] = value
                found.loads.append(Access(fast.producer_of(value), places[number], part))
            if deeper:
                inner = fast.create(
                    ExtractValueOp,
                    (value,),
                    (user.results[0].type,),
                    {"position": dense_i64(deeper)},
                )
                fast.insert_before(inner, user)
                value = inner.results[0]
            fast.replace_op(user, (value,))
        fast.erase(op)

    def _store_fields(
        self,
        access: Access,
        found: Accesses,
        struct: LLVMStructType,
        body: Operation,
    ) -> None:
        """Stores the parts that a struct was put together from in place of it."""
        op = access.op
        whole, address = fast.operands_of(op)
        parts: dict[int, SSAValue] = {}
        while whole.owner.__class__ is InsertValueOp:
            inner, part = fast.operands_of(cast(Operation, whole.owner))
            number, *deeper = position_of(cast(Operation, whole.owner))
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
            store(part, place, field_alignment(body, places[number], self.layout), op)
            made = op.prev_op
            assert made is not None
            found.stores.append(Access(made, places[number], part.type))
        fast.erase(op)

    # Path B.

    def _fields(self, found: Accesses, struct: LLVMStructType) -> list[tuple[Access, int]] | None:
        """The field that each access is to; None where one is to several."""
        offsets = self.layout.field_offsets(struct)
        sizes = [self.layout.size(part) for part in struct.types.data]
        result: list[tuple[Access, int]] = []
        for access in (*found.loads, *found.stores):
            try:
                size = self.layout.store_size(access.type)
            except UnsizedTypeError:
                return None
            at = access.offset
            if at is None:
                return None
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
        if any(f"{name}.f{number}" in self.symbols for number in range(len(struct.types.data))):
            return None
        SPLIT.add()
        offsets = self.layout.field_offsets(struct)
        made: list[Operation] = []
        for number, part in enumerate(struct.types.data):
            content = first.part(number)
            assert content is not None
            alignment = field_alignment(variable, offsets[number], self.layout)
            alignment = max(1, alignment)
            new = f"{name}.f{number}"
            made.append(make_variable(variable, new, part, content, alignment))
            self.accesses[new] = Accesses()
            self.symbols[new] = made[-1]
        space = int_property(variable, "addr_space")
        for access, number in fields:
            self._redirect(access, f"{name}.f{number}", offsets[number], space)
        for address in found.addresses:
            for user in list(fast.users_of(address.results[0])):
                erase_unused_addresses(user)
            erase_address(address)
        fast.erase(variable)
        del self.symbols[name]
        return made

    def _is_plain(self, op: Operation) -> bool:
        """Whether a stored value is no address of a function and no computed address."""
        owner = fast.operands_of(op)[0].owner
        if owner.__class__ is AddressOfOp:
            target = self.symbols.get(global_name(cast(Operation, owner)))
            return not isinstance(target, FuncOp)
        return owner.__class__ not in (IntToPtrOp, GEPOp)

    def _redirect(self, access: Access, name: str, start: int, space: int) -> None:
        """Makes an access go to the variable that its field has become."""
        op = access.op
        index = len(fast.operands_of(op)) - 1
        old = fast.operands_of(op)[index]
        address = fast.create(
            AddressOfOp, (), (pointer(space),), {"global_name": SymbolRefAttr(name)}
        )
        fast.insert_before(address, op)
        value: SSAValue = address.results[0]
        assert access.offset is not None
        if value.type != old.type:
            cast_op = fast.create(op_class("llvm.addrspacecast"), (value,), (old.type,))
            fast.insert_before(cast_op, op)
            value = cast_op.results[0]
        value = byte_offset(value, access.offset - start, op)
        fast.set_operand(op, index, value)
        if isinstance(old.owner, Operation):
            erase_unused_addresses(old.owner)
        found = self.accesses[name]
        found.addresses.append(address)
        moved = Access(op, access.offset - start, access.type)
        (found.stores if index else found.loads).append(moved)

    # LLVM's.

    def _drop_stores(self, variable: Operation, found: Accesses) -> list[Operation] | None:
        """Nothing is ever read: what is stored is of no use to anyone."""
        UNREAD.add()
        for op in (*(a.op for a in found.stores), *found.fills):
            before = [v.owner for v in fast.operands_of(op)]
            fast.erase(op)
            for owner in before:
                if isinstance(owner, Operation):
                    erase_unused_addresses(owner)
        for address in found.addresses:
            if address.parent is not None:
                for user in list(fast.users_of(address.results[0])):
                    erase_unused_addresses(user)
                erase_address(address)
        if any(a.parent is not None for a in found.addresses):
            return []
        name = defined_name(variable)
        del self.symbols[name]
        fast.erase(variable)
        return []

    def _mark_constant(self, variable: Operation, found: Accesses) -> bool:
        """Nothing is ever written: it holds its initializer."""
        if found.stores or found.fills or "constant" in variable.properties:
            return False
        if int_property(variable, "addr_space") in (SHARED, LOCAL):
            return False
        CONSTANT.add()
        variable.properties["constant"] = _UNIT
        return True

    def _shrink_to_bool(self, variable: Operation, found: Accesses) -> bool:
        """Only the initializer or one other constant is ever there."""
        type_ = variable.properties["global_type"]
        first = initial_fact(variable)
        if not isinstance(first, Attribute) or type_ == I1 or found.fills or not found.stores:
            return False
        if integer_of(first) is None:
            # Which of two floats it is costs more to find than is saved.
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
        if len(others) != 1 or defined_name(variable) + ".b" in self.symbols:
            return False
        (other,) = others
        self._make_bool(variable, found, first, other)
        SHRUNK.add()
        return True

    def _make_bool(
        self, variable: Operation, found: Accesses, first: Attribute, other: Attribute
    ) -> None:
        type_ = variable.properties["global_type"]
        self._rename(variable, defined_name(variable) + ".b")
        variable.properties["global_type"] = I1
        variable.properties["value"] = int_attr(0, I1)
        variable.properties.pop("alignment", None)
        for access in found.stores:
            caller = cast(FuncOp, access.op.parent_op())
            old = fast.operands_of(access.op)[0]
            value = Constants(caller).boolean(constant_attribute(old) == other)
            store(value, fast.operands_of(access.op)[1], 1, access.op)
            fast.erase(access.op)
        for access in found.loads:
            caller = cast(FuncOp, access.op.parent_op())
            constants = Constants(caller)
            flag = load(fast.operands_of(access.op)[0], I1, 1, access.op)
            chosen = fast.create(
                SelectOp,
                (flag, constants.attribute(other, type_), constants.attribute(first, type_)),
                (type_,),
            )
            fast.insert_before(chosen, access.op)
            fast.replace_op(access.op, chosen.results)

    def _localize(self, variable: Operation, found: Accesses) -> bool:
        """One kernel has it to itself, and each thread of it."""
        functions = found.functions()
        if len(functions) != 1 or found.fills:
            return False
        (func,) = functions
        space = int_property(variable, "addr_space")
        if not is_kernel(func) or space not in (GENERIC, GLOBAL, SHARED):
            return False
        type_ = variable.properties["global_type"]
        if any(a.offset != 0 or a.type != type_ for a in (*found.loads, *found.stores)):
            return False
        if self._threads_meet_in(func):
            return False
        tree = self.am.get(DominatorTree, func)
        stores = [a.op for a in found.stores]
        if not all(any(tree.runs_before(s, a.op) for s in stores) for a in found.loads):
            return False
        LOCALIZED.add()
        self._make_local(variable, found, func, type_)
        return True

    def _threads_meet_in(self, func: FuncOp) -> bool:
        """Whether a thread may see in the function what another has stored."""
        known = self.meetings.get(func)
        if known is None:
            known = self.meetings[func] = any(map(_lets_threads_meet, walk_function(func)))
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
            old = fast.operands_of(access.op)[index]
            fast.set_operand(access.op, index, slot.results[0])
            if isinstance(old.owner, Operation):
                erase_unused_addresses(old.owner)
        for address in found.addresses:
            if address.parent is not None:
                for user in list(fast.users_of(address.results[0])):
                    erase_unused_addresses(user)
                erase_address(address)
        if entry_of(func).first_op is not None and all(a.parent is None for a in found.addresses):
            del self.symbols[defined_name(variable)]
            fast.erase(variable)
        self.am.invalidate(func)


def _lets_threads_meet(op: Operation) -> bool:
    """Whether an op may let a thread see what another has stored, or calls what may."""
    flags = effects(op)
    if op.__class__ is _CALL or flags & CONVERGENT:
        return True
    if flags & STATE and flags & (READS | WRITES):
        return True
    return op.name in ("llvm.atomicrmw", "llvm.cmpxchg", "llvm.fence", "llvm.inline_asm") or (
        int_property(op, "ordering") != 0
    )


__all__ = ["GlobalOpt", "is_analyzable", "padded_bits", "passes_filter", "total_bits", "type_tag"]
