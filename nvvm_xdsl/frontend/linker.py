"""Linking: several modules into one, as LLVM's IR linker does (LLVM Language Reference, "Linkage
Types").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    CallOp,
    ExtractValueOp,
    FuncOp,
    GlobalOp,
    InsertValueOp,
    LinkageAttr,
    LLVMArrayType,
    LLVMFunctionType,
    ReturnOp,
    UndefOp,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    function_type_of,
    global_type_of,
    integer_of,
    is_constant_global,
    module_flags_of,
    segment_sizes,
    stated_alignment,
    stated_function_type,
    symbol_name,
    variadic_type_of,
)
from nvvm_xdsl.dialects.llvm.attributes import ModuleFlagAttr
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.modules import DEBUG_GLOBALS, MODULE_ASSEMBLY
from nvvm_xdsl.dialects.llvm.ops import AliasOp, ComdatOp, ModuleFlagsOp
from nvvm_xdsl.dialects.llvm.setters import set_alignment, set_global_type
from nvvm_xdsl.dialects.llvm.symbol_uses import rename_symbols
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    WEAK_LINKAGE,
    fresh_name,
    is_declaration,
    linkage_of,
    symbols_of,
)
from nvvm_xdsl.dialects.llvm.types import PTR, UNIT, dense_i32, dense_i64
from nvvm_xdsl.frontend.distinct_nodes import separate_nodes
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of

_INTERNAL = LinkageAttr("internal")
_LINKED_ONCE = WEAK_LINKAGE | {"available_externally"}
_SYMBOLS: frozenset[type[Operation]] = frozenset({FuncOp, GlobalOp, AliasOp})
"""Ops with a linkage."""


def internalize(op: Operation) -> None:
    """Makes a symbol internal."""
    op.properties["linkage"] = _INTERNAL
    op.properties["dso_local"] = UNIT


def link(modules: Sequence[ModuleOp]) -> ModuleOp:
    """Links the modules to one. The modules must not be used afterwards.

    Declarations are replaced by definitions, local names are changed if they clash, and the first
    of several weak definitions is kept. Raises DiagnosticError for a symbol that two modules
    define, or that is a function in one and a variable in another.
    """
    target, *rest = modules
    for module in rest:
        _ModuleLinker(target, module).run()
    return target


def _clash(message: str, known: Operation, coming: Operation) -> DiagnosticError:
    """The error for two symbols of one name, with both locations."""
    first, second = place_of(known), place_of(coming)
    if first.file is not None:
        message += f"; the other is at {first}"
    return DiagnosticError(message, file=second.file, line=second.line, column=second.column)


class _ModuleLinker:
    """Moves one module's contents into another."""

    target: ModuleOp
    source: ModuleOp

    _known: dict[str, Operation]
    _coming: dict[str, Operation]
    _retyped: set[str]

    def __init__(self, target: ModuleOp, source: ModuleOp) -> None:
        self.target = target
        self.source = source
        self._known = symbols_of(target)
        self._coming = symbols_of(source)
        self._retyped = set()

    def run(self) -> None:
        """Moves the symbols of the source module into the target, and resolves duplicates."""
        separate_nodes(self.source, self.target)
        self._rename_local()
        self._merge_attributes()
        for op in list(fast.ops_of(self.source.body.block)):
            fast.detach(op)
            if type(op) is ModuleFlagsOp:
                self._merge_flags(op)
                continue
            name = symbol_name(op)
            known = None if name is None else self._known.get(name)
            if name is None or known is None:
                self._append_op(op)
            elif type(op) is ComdatOp and type(known) is ComdatOp:
                self._merge_comdats(known, op)
            else:
                self._resolve(name, known, op)
        if self._retyped:
            convert_mistyped_calls(self.target, self._retyped)

    def _append_op(self, op: Operation) -> None:
        fast.append(self.target.body.block, op)
        name = symbol_name(op)
        if name is not None:
            self._known[name] = op

    def _rename_local(self) -> None:
        taken = self._known.keys() | self._coming.keys()
        for own, other, module in (
            (self._coming, self._known, self.source),
            (self._known, self._coming, self.target),
        ):
            renamed: dict[str, str] = {}
            for name, op in list(own.items()):
                if name in other and linkage_of(op) in LOCAL_LINKAGE:
                    new = fresh_name(name, taken)
                    taken.add(new)
                    renamed[name] = new
                    del own[name]
                    own[new] = op
            if renamed:
                rename_symbols(module, renamed)

    def _merge_attributes(self) -> None:
        for key, value in self.source.attributes.items():
            present = self.target.attributes.get(key)
            if key in (MODULE_ASSEMBLY, DEBUG_GLOBALS):
                self.target.attributes[key] = ArrayAttr([*items_of(present), *items_of(value)])
            elif present is None or (isinstance(present, StringAttr) and not present.data):
                self.target.attributes[key] = value

    def _resolve(self, name: str, known: Operation, coming: Operation) -> None:
        for op in (known, coming):
            if type(op) not in _SYMBOLS:
                raise _clash(f"'@{name}' is defined twice", known, coming)
        if AliasOp not in (type(known), type(coming)):
            if type(known) is not type(coming):
                message = f"'@{name}' is a function in one module and a variable in another"
                raise _clash(message, known, coming)
        if linkage_of(known) == linkage_of(coming) == "appending":
            self._append(name, known, coming)
            return
        if type(known) is GlobalOp and type(coming) is GlobalOp:
            self._merge_facts(known, coming)
        if self._prefers(name, known, coming):
            if stated_function_type(known) is not stated_function_type(coming):
                self._retyped.add(name)
            fast.insert_before(coming, known)
            self._known[name] = coming
            self._keep_attributes(known, coming)
            fast.erase(known)
        else:
            if stated_function_type(known) is not stated_function_type(coming):
                self._retyped.add(name)
            coming.drop_all_references()

    def _prefers(self, name: str, known: Operation, coming: Operation) -> bool:
        """Returns True if the new definition replaces the existing one."""
        if is_declaration(coming):
            return False
        if is_declaration(known):
            return True
        old, new = linkage_of(known), linkage_of(coming)
        if old == "available_externally" and new != old:
            return True
        if new in _LINKED_ONCE:
            return False
        if old in _LINKED_ONCE:
            return True
        if "common" in (old, new):
            if old == new:
                return self._size(coming) > self._size(known)
            return old == "common"
        raise _clash(f"'@{name}' is defined in two modules", known, coming)

    def _merge_facts(self, known: GlobalOp, coming: GlobalOp) -> None:
        """Gives both ops the highest alignment, which accesses of either module rely on. Declarations
        are constant if both are."""
        alignments = [self._alignment(op) for op in (known, coming)]
        if alignments[0] != alignments[1]:
            for op in (known, coming):
                set_alignment(op, max(alignments))
        if is_declaration(known) and is_declaration(coming):
            if not (is_constant_global(known) and is_constant_global(coming)):
                for op in (known, coming):
                    op.properties.pop("constant", None)

    def _alignment(self, op: GlobalOp) -> int:
        stated = stated_alignment(op)
        try:
            return stated or DataLayout.of(self.target).alignment(global_type_of(op))
        except (UnsizedTypeError, KeyError):
            return 1

    def _size(self, op: Operation) -> int:
        try:
            return DataLayout.of(self.target).size(global_type_of(op))
        except (UnsizedTypeError, KeyError):
            return 0

    @staticmethod
    def _keep_attributes(known: Operation, coming: Operation) -> None:
        """Keeps attributes that were added to a declaration by hand, such as launch bounds."""
        for key, value in known.attributes.items():
            coming.attributes.setdefault(key, value)

    def _append(self, name: str, known: Operation, coming: Operation) -> None:
        """Concatenates two variables with appending linkage."""
        old, new = global_type_of(known), global_type_of(coming)
        if (
            not isinstance(old, LLVMArrayType)
            or not isinstance(new, LLVMArrayType)
            or old.type is not new.type
            or not all(op.regions[0].first_block is not None for op in (known, coming))
        ):
            raise DiagnosticError(f"the parts of '@{name}' do not fit together")
        first, second = known.regions[0].block, coming.regions[0].block
        ends = [fast.terminator_of(block) for block in (first, second)]
        parts = [fast.operands_of(end)[0] for end in ends]
        for end in ends:
            fast.erase(end)
        fast.splice_ops(second, first)
        counts = (old.size.data, new.size.data)
        joined = types.array(sum(counts), old.type)
        whole: SSAValue = _append_op(known.regions[0], fast.create(UndefOp, (), (joined,)))
        number = 0
        for part, count in zip(parts, counts):
            for index in range(count):
                element = _append_op(
                    known.regions[0],
                    fast.create(ExtractValueOp, (part,), (old.type,), _position(index)),
                )
                whole = _append_op(
                    known.regions[0],
                    fast.create(InsertValueOp, (whole, element), (joined,), _position(number)),
                )
                number += 1
        fast.append(first, fast.create(ReturnOp, (whole,)))
        set_global_type(known, joined)

    @staticmethod
    def _merge_comdats(known: Operation, coming: Operation) -> None:
        present = {symbol_name(op) for op in fast.ops_of(known.regions[0].block)}
        for op in list(fast.ops_of(coming.regions[0].block)):
            if symbol_name(op) not in present:
                fast.detach(op)
                fast.append(known.regions[0].block, op)

    def _merge_flags(self, coming: Operation) -> None:
        for op in fast.ops_of(self.target.body.block):
            if type(op) is ModuleFlagsOp:
                op.properties["flags"] = _merged_flags(_flags(op), _flags(coming))
                return
        fast.append(self.target.body.block, coming)


def _position(index: int) -> dict[str, Attribute]:
    return {"position": dense_i64((index,))}


def _append_op(region: Region, op: Operation) -> SSAValue:
    fast.append(region.block, op)
    return op.results[0]


def _flags(op: Operation) -> list[ModuleFlagAttr]:
    return [flag for flag in module_flags_of(op) if isinstance(flag, ModuleFlagAttr)]


def _merged_flags(old: Iterable[ModuleFlagAttr], new: Iterable[ModuleFlagAttr]) -> Attribute:
    merged = {flag.key.data: flag for flag in old}
    for flag in new:
        present = merged.get(flag.key.data)
        if present is None:
            merged[flag.key.data] = flag
            continue
        behavior = flag.behavior.data
        if behavior == "override" and present.behavior.data != "override":
            merged[flag.key.data] = flag
        elif behavior in ("max", "min"):
            numbers = [_number(present), _number(flag)]
            wanted = max(numbers) if behavior == "max" else min(numbers)
            if wanted == numbers[1]:
                merged[flag.key.data] = flag
        elif behavior == "error" and present.value != flag.value:
            raise DiagnosticError(f"the modules differ in the flag '{flag.key.data}'")
    return ArrayAttr(list(merged.values()))


def _number(flag: ModuleFlagAttr) -> int:
    value = flag.value
    return integer_of(value) or 0


def convert_mistyped_calls(module: ModuleOp, names: Iterable[str] | None = None) -> None:
    """Converts calls with another function type than the callee's to indirect calls, as in MLIR.

    Arguments:
        names: the functions to examine; all by default.
    """
    functions = {name: op for name, op in symbols_of(module).items() if type(op) is FuncOp}
    wanted = functions.keys() if names is None else set(names)
    for op in list(module.walk()):
        if type(op) is not CallOp:
            continue
        callee = callee_of(op)
        if callee is None or callee not in wanted:
            continue
        function = functions.get(callee)
        if function is None:
            make_indirect(op)
        elif call_type(op) is not function_type_of(function):
            convert_mistyped_call(op, function_type_of(function))


def call_type(call: Operation) -> LLVMFunctionType:
    """The function type that a direct call assumes."""
    stated = variadic_type_of(call)
    if stated is not None:
        return stated
    count = segment_sizes(call)[0]
    inputs = [operand.type for operand in fast.operands_of(call)[:count]]
    return types.function(inputs, call.results[0].type if call.results else types.VOID)


def convert_mistyped_call(call: Operation, type_: LLVMFunctionType) -> None:
    """Converts a direct call of a function with another type to an indirect call.

    If only the results differ and the call's is not used, it is replaced by a direct call with the
    function's result: Numba declares functions of libdevice that return nothing with a result.
    """
    stated = call_type(call)
    used = any(result.first_use is not None for result in call.results)
    if used or stated.inputs != type_.inputs or stated.is_variadic or type_.is_variadic:
        make_indirect(call)
        return
    results = () if type_.output == types.VOID else (type_.output,)
    properties = {k: v for k, v in call.properties.items() if k != "res_attrs"}
    operands, attributes = fast.operands_of(call), dict(call.attributes)
    made = fast.create(CallOp, operands, results, properties, (), attributes, call.location)
    fast.insert_before(made, call)
    fast.erase(call)


def make_indirect(call: Operation) -> None:
    """Converts a direct call to an indirect call of the function's address."""
    callee = call.properties.pop("callee")
    address = fast.create(AddressOfOp, (), (PTR,), {"global_name": callee})
    fast.insert_before(address, call)
    count, *others = segment_sizes(call)
    fast.set_operands(call, [address.results[0], *fast.operands_of(call)])
    call.properties["operandSegmentSizes"] = dense_i32((count + 1, *others))
