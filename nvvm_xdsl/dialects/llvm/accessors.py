"""Values of attributes and properties as plain Python values of one type.

MLIR keeps the numbers and names of an op in attributes. These functions return their values, so
that code uses `intrinsic_name(op)` and `int_property(op, "alignment")` in place of a cast. They
create no attributes; see `nvvm_xdsl.dialects.llvm.types`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    FuncOp,
    LLVMFunctionType,
    TailCallKind,
    TailCallKindAttr,
)
from xdsl.ir import Attribute, Operation, TypeAttribute

from nvvm_xdsl.ir.arrays import items_of

# Attributes


def integer_of(attribute: Attribute | None) -> int | None:
    """The number of an integer attribute, signed if its type is signless; None for other
    attributes."""
    if type(attribute) is IntegerAttr:
        return attribute.value.data
    return None


def int_value(attribute: Attribute | None, default: int = 0) -> int:
    """The number of an integer attribute; `default` for other attributes."""
    if type(attribute) is IntegerAttr:
        return attribute.value.data
    return default


def number_of(attribute: Attribute) -> int:
    """The value of an attribute that is known to be an integer attribute."""
    return cast("IntegerAttr[Any]", attribute).value.data


def string_of(attribute: Attribute | None) -> str | None:
    """The text of a string attribute; None for other attributes."""
    return attribute.data if type(attribute) is StringAttr else None


def symbol_of(attribute: Attribute | None) -> str | None:
    """The name that a flat symbol reference refers to; None for other attributes."""
    if type(attribute) is SymbolRefAttr:
        return attribute.root_reference.data
    return None


def name_in(attribute: Attribute) -> str:
    """The name in an attribute that is known to be a flat symbol reference."""
    return cast(SymbolRefAttr, attribute).root_reference.data


_ITEM_FORMATS: dict[int, Literal["b", "h", "i", "q"]] = {8: "b", 16: "h", 32: "i", 64: "q"}


_MOST_DECODED = 4096
_decoded: dict[int, tuple[Attribute, tuple[int, ...]]] = {}
"""The numbers of dense arrays by their identity: most arrays are interned, and each pass queries
them again. The entry keeps the array alive, so that its id is not reused."""


def integers_of(attribute: Attribute | None) -> tuple[int, ...]:
    """The numbers of a dense array or dense elements attribute; empty for other attributes."""
    known = _decoded.get(id(attribute))
    if known is not None:
        return known[1]
    if type(attribute) is DenseArrayBase:
        if len(_decoded) >= _MOST_DECODED:
            _decoded.clear()
        numbers = _numbers_of(attribute)
        _decoded[id(attribute)] = attribute, numbers
        return numbers
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        return tuple(attribute.get_values())
    return ()


def _numbers_of(array: DenseArrayBase[Any]) -> tuple[int, ...]:
    # Four times as fast as `get_values`, which unpacks the numbers one by one.
    item = _ITEM_FORMATS.get(integer_width(array.elt_type))
    if item is not None:
        return tuple(memoryview(array.data.data).cast(item).tolist())
    return tuple(array.get_values())


def dictionaries_of(attribute: Attribute | None) -> tuple[DictionaryAttr, ...]:
    """The elements of an array of dictionaries such as `arg_attrs`; empty for other attributes."""
    return cast("tuple[DictionaryAttr, ...]", items_of(attribute))


# Types


def integer_width(type_: Attribute) -> int:
    """The width of a scalar integer type; 0 for other types."""
    return type_.width.data if type(type_) is IntegerType else 0


def vector_type(type_: Attribute) -> VectorType[Attribute] | None:
    """The type itself if it is a vector; None for other types."""
    return type_ if type(type_) is VectorType else None


def scalar_type(type_: Attribute) -> Attribute:
    """The element type of a vector; the type itself for other types."""
    if type(type_) is VectorType:
        return type_.element_type
    return type_


# Properties of ops


def int_property(op: Operation, name: str, default: int = 0) -> int:
    """The number of an integer property; `default` if the op does not have it."""
    attribute = op.properties.get(name)
    if type(attribute) is IntegerAttr:
        return attribute.value.data
    return default


def text_property(op: Operation, name: str) -> str:
    """The text of a string property, which must exist."""
    return cast(StringAttr, op.properties[name]).data


def intrinsic_name(op: Operation) -> str:
    """The name of the intrinsic called by an `llvm.call_intrinsic`; "" for other ops."""
    attribute = op.properties.get("intrin")
    return attribute.data if type(attribute) is StringAttr else ""


def predicate_of(op: Operation) -> int:
    """The number of an `llvm.icmp`'s or `llvm.fcmp`'s predicate."""
    return int_property(op, "predicate")


def position_of(op: Operation) -> tuple[int, ...]:
    """The path of an `llvm.extractvalue` or `llvm.insertvalue` into its aggregate."""
    return integers_of(op.properties.get("position"))


def shuffle_mask_of(op: Operation) -> tuple[int, ...]:
    """The element numbers of an `llvm.shufflevector`; -1 for poison."""
    return integers_of(op.properties.get("mask"))


def constant_value_of(op: Operation) -> Attribute:
    """The value of an `llvm.mlir.constant`."""
    return op.properties["value"]


def initial_value_of(op: Operation) -> Attribute | None:
    """The `value` of a global variable or a constant; None if it is absent."""
    return op.properties.get("value")


def volatile_flag_of(op: Operation) -> Attribute:
    """The `isVolatile` of a memory intrinsic."""
    return op.properties["isVolatile"]


def is_volatile(op: Operation) -> bool:
    """Returns True if a load, store or atomic op is volatile."""
    return "volatile_" in op.properties


def has_assembly_effects(op: Operation) -> bool:
    """Returns True if an inline assembly op has side effects."""
    return "has_side_effects" in op.properties


def assembly_of(op: Operation) -> str:
    """The text of an inline assembly op."""
    return string_of(op.properties.get("asm_string")) or ""


def is_constant_global(variable: Operation) -> bool:
    """Returns True if a global is a constant."""
    return "constant" in variable.properties


def is_thread_local(symbol: Operation) -> bool:
    """Returns True if a global or alias is thread-local."""
    return "thread_local_" in symbol.properties


def ordering_of(op: Operation) -> int:
    """The atomic ordering of a load, store, fence or `llvm.atomicrmw`; 0 if it is not atomic."""
    return int_property(op, "ordering")


def sync_scope_of(op: Operation) -> str:
    """The synchronization scope of an atomic op; "" for the whole system."""
    return string_of(op.properties.get("syncscope")) or ""


def calling_convention_of(op: Operation) -> str:
    """The calling convention of a function or call in MLIR's spelling; `ccc` if it is absent."""
    convention = op.properties.get("CConv")
    return convention.convention.data if isinstance(convention, CallingConventionAttr) else "ccc"


def variadic_type_of(call: Operation) -> LLVMFunctionType | None:
    """The function type that a call of a variadic function states; None if it states none."""
    stated = call.properties.get("var_callee_type")
    return stated if isinstance(stated, LLVMFunctionType) else None


def bundle_tags(call: Operation) -> tuple[Attribute, ...]:
    """The tag of each operand bundle."""
    return items_of(call.properties.get("op_bundle_tags"))


def bundle_sizes(call: Operation) -> tuple[int, ...]:
    """The number of operands of each operand bundle."""
    return integers_of(call.properties.get("op_bundle_sizes"))


def segment_sizes(op: Operation) -> tuple[int, ...]:
    """The sizes of the operand groups (`operandSegmentSizes`); empty for ops with one group."""
    return integers_of(op.properties.get("operandSegmentSizes"))


def symbol_name(op: Operation) -> str | None:
    """The symbol that a top-level op defines; None for an op that defines none."""
    return string_of(op.properties.get("sym_name"))


def defined_name(op: Operation) -> str:
    """The symbol that a function or global defines."""
    return cast(StringAttr, op.properties["sym_name"]).data


def enclosing_function(op: Operation) -> FuncOp:
    """The function whose body contains the op."""
    return cast(FuncOp, op.parent_op())


def callee_of(call: Operation) -> str | None:
    """The function that a direct `llvm.call` calls; None for an indirect one."""
    return symbol_of(call.properties.get("callee"))


def is_direct_call(call: Operation) -> bool:
    """Returns True if an `llvm.call` states the function that it calls."""
    return "callee" in call.properties


def returns_always(op: Operation) -> bool:
    """Returns True if a function or call has the attribute `willreturn`."""
    return "will_return" in op.properties


def is_must_tail(call: Operation) -> bool:
    """True if a call must reuse the frame of its caller, so that both signatures must match."""
    kind = call.properties.get("TailCallKind")
    return isinstance(kind, TailCallKindAttr) and kind.data is TailCallKind.MUST_TAIL


def function_type_of(func: Operation) -> LLVMFunctionType:
    """The type of an `llvm.func`."""
    return cast(LLVMFunctionType, func.properties["function_type"])


def stated_function_type(op: Operation) -> LLVMFunctionType | None:
    """The type of a function; None for other symbols, and if an unverified op has none."""
    stated = op.properties.get("function_type")
    return stated if isinstance(stated, LLVMFunctionType) else None


def element_type_of(op: Operation) -> Attribute:
    """The element type of an `llvm.alloca` or `llvm.getelementptr`."""
    return op.properties["elem_type"]


def global_type_of(op: Operation) -> Attribute:
    """The type of the value of an `llvm.mlir.global`."""
    return op.properties["global_type"]


def stated_global_type(op: Operation) -> Attribute | None:
    """The type of a global's value; None for other symbols, and if an unverified op has none."""
    return op.properties.get("global_type")


def global_space(variable: Operation) -> int:
    """The address space of a global; 0, generic, if it states none."""
    return int_property(variable, "addr_space")


def section_of(symbol: Operation) -> str | None:
    """The section of a function or global; None if it states none."""
    return string_of(symbol.properties.get("section"))


def comdat_of(symbol: Operation) -> SymbolRefAttr | None:
    """The comdat of a function or global; None if it is in none."""
    found = symbol.properties.get("comdat")
    return found if isinstance(found, SymbolRefAttr) else None


def module_flags_of(op: Operation) -> tuple[Attribute, ...]:
    """The entries of an `llvm.module_flags`."""
    return items_of(op.properties["flags"])


def case_segments(switch: Operation) -> tuple[int, ...]:
    """The number of operands of each case of an `llvm.switch`, without the default."""
    return integers_of(switch.properties.get("case_operand_segments"))


def range_property(op: Operation) -> Attribute | None:
    """The `range` of a call, intrinsic or special register: a range of results; None if absent."""
    return op.properties.get("range")


def loop_annotation_of(terminator: Operation) -> Attribute | None:
    """The loop metadata of a latch's terminator; None if it has none."""
    return terminator.properties.get("loop_annotation")


def branch_weights_of(terminator: Operation) -> Attribute | None:
    """The profile of a conditional branch or switch; None if it has none."""
    return terminator.properties.get("branch_weights")


def memory_effects_of(op: Operation) -> Attribute | None:
    """The `memory_effects` of a function or call; None if it has none."""
    return op.properties.get("memory_effects")


def argument_dictionaries(op: Operation) -> tuple[DictionaryAttr, ...]:
    """The attributes of each argument of a function or call; empty if no argument has any."""
    return dictionaries_of(op.properties.get("arg_attrs"))


def result_dictionaries(op: Operation) -> tuple[DictionaryAttr, ...]:
    """The attributes of each result of a function or call; empty if no result has any."""
    return dictionaries_of(op.properties.get("res_attrs"))


def global_reference(op: Operation) -> SymbolRefAttr:
    """The reference of an `llvm.mlir.addressof`. Equal references are usually one object."""
    return cast(SymbolRefAttr, op.properties["global_name"])


def global_name(op: Operation) -> str:
    """The symbol of an `llvm.mlir.addressof`."""
    return global_reference(op).root_reference.data


def stated_alignment(op: Operation, default: int = 0) -> int:
    """The `alignment` in bytes of a load, store, alloca or global; `default` if it is absent."""
    return int_property(op, "alignment") or default


def argument_attributes(op: Operation, index: int) -> Mapping[str, Attribute]:
    """The attributes of an argument of a function or call; empty if there are none."""
    listed = argument_dictionaries(op)
    return listed[index].data if index < len(listed) else {}


def argument_attribute(op: Operation, index: int, name: str) -> Attribute | None:
    """An attribute of an argument of a function or call; None if it is absent."""
    return argument_attributes(op, index).get(name)


def add_argument_attribute(
    op: Operation, index: int, name: str, value: Attribute, count: int
) -> None:
    """Sets an attribute of one of the `count` arguments of a function or call."""
    listed = argument_dictionaries(op)
    entries = list(listed) or [DictionaryAttr({})] * count
    entries[index] = DictionaryAttr({**entries[index].data, name: value})
    op.properties["arg_attrs"] = ArrayAttr(entries)


def wrapped_type(attribute: Attribute) -> Attribute:
    """The type in an attribute of a parameter; a type itself is returned unchanged."""
    # An array type has a `type` of its own.
    if isinstance(attribute, TypeAttribute):
        return attribute
    inner: Attribute = getattr(attribute, "type", attribute)
    return inner
