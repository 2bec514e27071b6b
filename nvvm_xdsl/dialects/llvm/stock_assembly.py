"""MLIR's assembly for op classes of xDSL's llvm dialect that MLIR writes in C++.

Each pair of functions replaces a class's `parse` and `print`; `compat` installs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.llvm import (
    LLVM_CALLING_CONVS,
    AllocaOp,
    CallingConventionAttr,
    CallIntrinsicOp,
    CallOp,
    ConstantOp,
    ExtractValueOp,
    FCmpOp,
    FCmpPredicateFlag,
    FuncOp,
    GEPOp,
    GlobalOp,
    ICmpOp,
    ICmpPredicateFlag,
    InsertValueOp,
    LLVMArrayType,
    LLVMFunctionType,
    LLVMStructType,
    LLVMVoidType,
    TailCallKind,
    TailCallKindAttr,
    TruncOp,
)
from xdsl.dialects.utils import parse_dynamic_index_without_type, print_dynamic_index_list
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypedAttribute
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from nvvm_xdsl.dialects.clauses import parse_llvm_clauses
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    element_type_of,
    int_property,
    int_value,
    is_direct_call,
    segment_sizes,
)
from nvvm_xdsl.dialects.llvm.assembly_helpers import (
    parse_keyword,
    print_attr_dict,
    print_bundles,
    take_properties,
)
from nvvm_xdsl.dialects.llvm.call_assembly import (
    CALL_HIDDEN,
    Callee,
    parse_arguments,
    parse_call_types,
    parse_callee,
    parse_variadic_type,
    print_call_types,
    print_callee,
    print_variadic_type,
)
from nvvm_xdsl.dialects.llvm.flags import GEP_FLAG_BITS, NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.function_attributes import denormal_properties
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, is_raw_index, raw_indices
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DenormalFPEnvAttr,
    FunctionEntryCountAttr,
    VScaleRangeAttr,
)
from nvvm_xdsl.dialects.llvm.symbol_ops import parse_linkage, print_keyword
from nvvm_xdsl.dialects.llvm.symbols import linkage_of
from nvvm_xdsl.dialects.llvm.types import I8, I32, I64, dense_i32, int_attr
from nvvm_xdsl.ir.arrays import items_of

OpT = TypeVar("OpT", bound=Operation)

DEFAULT_CCONV = CallingConventionAttr("ccc")
NO_TAIL_CALL = TailCallKindAttr(TailCallKind.NONE)

TAIL_CALL_KINDS = tuple(kind.value for kind in TailCallKind if kind is not TailCallKind.NONE)

GEP_FLAGS: dict[int, str] = {
    0: "",
    1: "inbounds_flag",
    2: "nusw",
    3: "inbounds",
    4: "nuw",
    5: "inbounds_flag|nuw",
    6: "nusw|nuw",
    7: "inbounds|nuw",
}
"""MLIR's spelling of each value of `noWrapFlags`."""


OVERFLOW_BITS = {"none": 0, "nsw": NSW, "nuw": NUW}


def _calling_convention(parser: Parser) -> CallingConventionAttr:
    keyword = parser.parse_optional_keyword_in(LLVM_CALLING_CONVS)
    return DEFAULT_CCONV if keyword is None else CallingConventionAttr(keyword)


def _print_calling_convention(printer: Printer, op: Operation) -> None:
    convention = op.properties.get("CConv")
    if isinstance(convention, CallingConventionAttr) and convention.cconv_name != "ccc":
        printer.print_string(f" {convention.cconv_name}")


def _argument_dictionaries(given: list[dict[str, Attribute]]) -> ArrayAttr | None:
    return ArrayAttr([DictionaryAttr(attrs) for attrs in given]) if any(given) else None


def parse_func(cls: type[FuncOp], parser: Parser) -> FuncOp:
    """Reads `llvm.func internal @f(%a: i32 {llvm.noundef}) -> i32 attributes {...} { ... }`."""
    properties: dict[str, Attribute] = {"linkage": parse_linkage(parser)}
    properties["visibility_"] = parse_keyword(parser, "Visibility") or int_attr(0, I64)
    properties["unnamed_addr"] = parse_keyword(parser, "UnnamedAddr") or int_attr(0, I64)
    properties["CConv"] = _calling_convention(parser)
    properties["sym_name"] = parser.parse_symbol_name()
    arguments: list[Parser.Argument] = []
    inputs: list[Attribute] = []
    dictionaries: list[dict[str, Attribute]] = []
    variadic = False

    def argument() -> None:
        nonlocal variadic
        position = parser.pos
        if variadic:
            parser.raise_error("'...' must be the last argument", position)
        if parser.parse_optional_characters("...") is not None:
            variadic = True
            return
        named = parser.parse_optional_argument()
        if named is not None:
            if len(arguments) != len(inputs):
                parser.raise_error("either all arguments have a name or none has", position)
            arguments.append(named)
            inputs.append(named.type)
        else:
            if arguments:
                parser.raise_error("either all arguments have a name or none has", position)
            inputs.append(parser.parse_type())
        dictionaries.append(parser.parse_optional_attr_dict())
        location = parser.parse_optional_location()
        if named is not None and location is not None:
            named.location = location

    parser.parse_comma_separated_list(parser.Delimiter.PAREN, argument)
    results: list[Attribute] = []
    result_dictionaries: list[dict[str, Attribute]] = []

    def result() -> None:
        results.append(parser.parse_type())
        result_dictionaries.append(parser.parse_optional_attr_dict())

    if parser.parse_optional_punctuation("->") is not None:
        position = parser.pos
        if parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, result) is None:
            results.append(parser.parse_type())
        if len(results) > 1:
            parser.raise_error("an llvm.func returns at most one value", position)
    output = results[0] if results else LLVMVoidType()
    properties["function_type"] = LLVMFunctionType(inputs, output, variadic)
    if parser.parse_optional_keyword("vscale_range") is not None:
        with parser.in_parens():
            least = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            most = parser.parse_integer(allow_boolean=False)
        properties["vscale_range"] = VScaleRangeAttr(int_attr(least, I32), int_attr(most, I32))
    _parse_comdat(parser, properties)
    attributes: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("attributes") is not None:
        attributes = parser.parse_optional_attr_dict()
    environment = attributes.pop("denormal_fpenv", None)
    if isinstance(environment, DenormalFPEnvAttr):
        properties |= denormal_properties(environment)
    calls = attributes.get("function_entry_count")
    if isinstance(calls, FunctionEntryCountAttr):
        attributes["function_entry_count"] = int_attr(calls.entry_count.data, I64)
    properties |= take_properties(cls, attributes)
    if (dictionary := _argument_dictionaries(dictionaries)) is not None:
        properties["arg_attrs"] = dictionary
    if (dictionary := _argument_dictionaries(result_dictionaries)) is not None:
        properties["res_attrs"] = dictionary
    region = parser.parse_optional_region(arguments if arguments else None)
    return cls.create(
        properties=properties,
        attributes=attributes,
        regions=[Region() if region is None else region],
    )


_FUNC_HIDDEN = frozenset(
    {
        "linkage",
        "visibility_",
        "unnamed_addr",
        "CConv",
        "sym_name",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "vscale_range",
        "comdat",
    }
)


def _dictionary(attrs: Attribute | None, index: int) -> dict[str, Attribute]:
    listed = items_of(attrs)
    found = listed[index] if index < len(listed) else None
    return dict(found.data) if isinstance(found, DictionaryAttr) else {}


def _print_dictionary(printer: Printer, attrs: dict[str, Attribute]) -> None:
    if attrs:
        printer.print_string(" ")
        printer.print_attr_dict(attrs)


def print_func(op: FuncOp, printer: Printer) -> None:
    """Prints the syntax of `parse_func`."""
    properties = op.properties
    linkage = linkage_of(op)
    if linkage != "external":
        printer.print_string(f" {linkage}")
    print_keyword(printer, op, "Visibility", "visibility_")
    print_keyword(printer, op, "UnnamedAddr", "unnamed_addr")
    _print_calling_convention(printer, op)
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    type_ = op.function_type
    arg_attrs = properties.get("arg_attrs")
    body = op.body
    entry = body.blocks.first
    printer.print_string("(")
    for i, input_type in enumerate(type_.inputs.data):
        if i:
            printer.print_string(", ")
        if entry is not None and i < len(entry.args):
            printer.print_block_argument(entry.args[i], print_type=False)
            printer.print_string(": ")
        printer.print_attribute(input_type)
        _print_dictionary(printer, _dictionary(arg_attrs, i))
        if printer.print_debuginfo and entry is not None and i < len(entry.args):
            printer.print_string(" ")
            printer.print_attribute(entry.args[i].location)
    if type_.is_variadic:
        printer.print_string(", ..." if type_.inputs.data else "...")
    printer.print_string(")")
    if not isinstance(type_.output, LLVMVoidType):
        result_attrs = _dictionary(properties.get("res_attrs"), 0)
        printer.print_string(" -> ")
        if result_attrs:
            printer.print_string("(")
        printer.print_attribute(type_.output)
        if result_attrs:
            _print_dictionary(printer, result_attrs)
            printer.print_string(")")
    scale = properties.get("vscale_range")
    if isinstance(scale, VScaleRangeAttr):
        least, most = int_value(scale.minRange), int_value(scale.maxRange)
        printer.print_string(f" vscale_range({least}, {most})")
    _print_comdat(printer, op)
    shown = dict(op.attributes)
    shown |= {name: value for name, value in properties.items() if name not in _FUNC_HIDDEN}
    if shown:
        printer.print_string(" attributes ")
        printer.print_attr_dict({name: shown[name] for name in sorted(shown)})
    if entry is not None:
        printer.print_string(" ")
        printer.print_region(body, False, False)


def _print_comdat(printer: Printer, op: Operation) -> None:
    comdat = op.properties.get("comdat")
    if comdat is not None:
        printer.print_string(" comdat(")
        printer.print_attribute(comdat)
        printer.print_string(")")


def _parse_comdat(parser: Parser, properties: dict[str, Attribute]) -> None:
    if parser.parse_optional_keyword("comdat") is not None:
        with parser.in_parens():
            properties["comdat"] = parser.parse_attribute()


def parse_global(cls: type[GlobalOp], parser: Parser) -> GlobalOp:
    """Reads `llvm.mlir.global internal constant @g(1 : i32) {addr_space = 4 : i32} : i32`."""
    properties: dict[str, Attribute] = {"linkage": parse_linkage(parser)}
    properties["visibility_"] = parse_keyword(parser, "Visibility") or int_attr(0, I64)
    if parser.parse_optional_keyword("thread_local") is not None:
        properties["thread_local_"] = UnitAttr()
        if parser.parse_optional_punctuation("(") is not None:
            # The model of MLIR's main branch; GPUs have no variables of threads.
            parser.parse_identifier()
            parser.parse_punctuation(")")
    properties["unnamed_addr"] = parse_keyword(parser, "UnnamedAddr") or int_attr(0, I64)
    if parser.parse_optional_keyword("constant") is not None:
        properties["constant"] = UnitAttr()
    properties["sym_name"] = parser.parse_symbol_name()
    parser.parse_punctuation("(")
    value = None
    if parser.parse_optional_punctuation(")") is None:
        value = properties["value"] = parser.parse_attribute()
        parser.parse_punctuation(")")
    _parse_comdat(parser, properties)
    attributes = parser.parse_optional_attr_dict()
    properties |= {"addr_space": int_attr(0, I32)} | take_properties(cls, attributes)
    if parser.parse_optional_punctuation(":") is not None:
        properties["global_type"] = parser.parse_type()
    elif isinstance(value, StringAttr):
        properties["global_type"] = LLVMArrayType(len(value.data.encode()), I8)
    elif isinstance(value, BytesAttr):
        properties["global_type"] = LLVMArrayType(len(value.data), I8)
    elif isinstance(value, TypedAttribute):
        properties["global_type"] = value.get_type()
    else:
        parser.raise_error("expected ':' and the type of the global")
    region = parser.parse_optional_region()
    return cls.create(
        properties=properties,
        attributes=attributes,
        regions=[Region() if region is None else region],
    )


_GLOBAL_HIDDEN = frozenset(
    {
        "linkage",
        "visibility_",
        "thread_local_",
        "unnamed_addr",
        "constant",
        "sym_name",
        "value",
        "comdat",
        "global_type",
    }
)


def print_global(op: GlobalOp, printer: Printer) -> None:
    """Prints the syntax of `parse_global`."""
    properties = op.properties
    printer.print_string(f" {op.linkage.linkage.data}")
    print_keyword(printer, op, "Visibility", "visibility_")
    if "thread_local_" in properties:
        printer.print_string(" thread_local")
    print_keyword(printer, op, "UnnamedAddr", "unnamed_addr")
    if "constant" in properties:
        printer.print_string(" constant")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    value = properties.get("value")
    with printer.in_parens():
        if value is not None:
            printer.print_attribute(value)
    _print_comdat(printer, op)
    print_attr_dict(printer, op, _GLOBAL_HIDDEN)
    if isinstance(value, StringAttr | BytesAttr):
        return
    printer.print_string(" : ")
    printer.print_attribute(properties["global_type"])
    if op.body.blocks.first is not None:
        printer.print_string(" ")
        printer.print_region(op.body)


_FASTMATH_DEFAULT: dict[str, Attribute] = {"fastmathFlags": NO_FASTMATH}


def parse_call(cls: type[CallOp], parser: Parser) -> CallOp:
    """Reads `llvm.call fastcc tail @f(%a) ["b"(%c : i32)] {...} : (i32) -> i32`."""
    properties: dict[str, Attribute] = {"CConv": _calling_convention(parser)}
    keyword = parser.parse_optional_keyword_in(TAIL_CALL_KINDS)
    properties["TailCallKind"] = (
        NO_TAIL_CALL if keyword is None else TailCallKindAttr(TailCallKind(keyword))
    )
    properties["fastmathFlags"] = NO_FASTMATH
    callee = parse_callee(parser, properties)
    parse_variadic_type(parser, properties)
    return _finish_call(cls, parser, callee, properties)


def _finish_call(
    cls: type[OpT], parser: Parser, callee: Callee, properties: dict[str, Attribute]
) -> OpT:
    call = parse_call_types(cls, parser, callee, properties)
    sizes = (len(call.operands), len(call.bundle_operands))
    properties["operandSegmentSizes"] = dense_i32(sizes)
    return cls.create(
        operands=[*call.operands, *call.bundle_operands],
        result_types=call.results,
        properties=properties,
        attributes=call.attributes,
    )


def _call_operands(op: Operation) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
    """The operands of a call, and those of its bundles."""
    operands = tuple(op.operands)
    sizes = segment_sizes(op)
    count = sizes[0] if sizes else len(operands)
    return operands[:count], operands[count:]


def print_call(op: CallOp, printer: Printer) -> None:
    """Prints the syntax of `parse_call`."""
    _print_calling_convention(printer, op)
    kind = op.properties.get("TailCallKind")
    if isinstance(kind, TailCallKindAttr) and kind.data is not TailCallKind.NONE:
        printer.print_string(f" {kind.data.value}")
    operands, bundle_operands = _call_operands(op)
    print_callee(printer, op, operands)
    print_variadic_type(printer, op)
    print_bundles(printer, op, bundle_operands)
    print_attr_dict(printer, op, CALL_HIDDEN | {"TailCallKind"}, _FASTMATH_DEFAULT)
    print_call_types(printer, op, operands, indirect=not is_direct_call(op))


def parse_call_intrinsic(cls: type[CallIntrinsicOp], parser: Parser) -> CallIntrinsicOp:
    """Reads `llvm.call_intrinsic "llvm.nvvm.x"(%a) ["b"()] {...} : (i32) -> i32`."""
    properties: dict[str, Attribute] = {
        "intrin": StringAttr(parser.parse_str_literal()),
        "fastmathFlags": NO_FASTMATH,
    }
    return _finish_call(cls, parser, parse_arguments(parser), properties)


def print_call_intrinsic(op: CallIntrinsicOp, printer: Printer) -> None:
    """Prints the syntax of `parse_call_intrinsic`."""
    operands, bundle_operands = _call_operands(op)
    printer.print_string(" ")
    printer.print_string_literal(op.intrin.data)
    with printer.in_parens():
        printer.print_list(operands, printer.print_ssa_value)
    print_bundles(printer, op, bundle_operands)
    print_attr_dict(printer, op, CALL_HIDDEN | {"intrin"}, _FASTMATH_DEFAULT)
    print_call_types(printer, op, operands)


def parse_gep(cls: type[GEPOp], parser: Parser) -> GEPOp:
    """Reads `llvm.getelementptr inbounds|nuw %p[%i, 2] : (!llvm.ptr, i64) -> !llvm.ptr, i32`."""
    flags = 0
    keyword = parser.parse_optional_keyword_in(GEP_FLAG_BITS)
    while keyword is not None:
        flags |= GEP_FLAG_BITS[keyword]
        if parser.parse_optional_punctuation("|") is None:
            break
        keyword = parser.parse_optional_keyword_in(GEP_FLAG_BITS)
        if keyword is None:
            parser.raise_error(f"expected one of {', '.join(GEP_FLAG_BITS)}")
    position = parser.pos
    base = parser.parse_unresolved_operand()
    indices = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_index(parser)
    )
    dynamic = [index for index in indices if not isinstance(index, int)]
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    signature = parser.parse_function_type()
    parser.parse_punctuation(",")
    element = parser.parse_type()
    if len(signature.outputs.data) != 1:
        parser.raise_error("expected one result type", position)
    return cls.create(
        operands=parser.resolve_operands([base, *dynamic], signature.inputs.data, position),
        result_types=signature.outputs.data,
        properties={
            "elem_type": element,
            "noWrapFlags": int_attr(flags, I32),
            "rawConstantIndices": dense_i32(
                [index if isinstance(index, int) else DYNAMIC_INDEX for index in indices]
            ),
        },
        attributes=attributes,
    )


def _parse_index(parser: Parser) -> int | UnresolvedOperand:
    position = parser.pos
    index = parse_dynamic_index_without_type(parser)
    if isinstance(index, int) and not is_raw_index(index):
        parser.raise_error(
            f"the index {index} does not fit: a constant needs 32 bits and must not be "
            f"{DYNAMIC_INDEX}; give it as an operand",
            position,
            parser.pos,
        )
    return index


def print_gep(op: GEPOp, printer: Printer) -> None:
    """Prints the syntax of `parse_gep`."""
    flags = GEP_FLAGS[int_property(op, "noWrapFlags") & 7]
    base, *dynamic = op.operands
    printer.print_string(f" {flags} " if flags else " ")
    printer.print_ssa_value(base)
    print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, raw_indices(op))
    print_attr_dict(printer, op, frozenset(op.properties))
    printer.print_string(" : ")
    printer.print_function_type([v.type for v in op.operands], [op.results[0].type])
    printer.print_string(", ")
    printer.print_attribute(element_type_of(op))


def _comparison_result(type_: Attribute) -> Attribute:
    if isinstance(type_, VectorType):
        return VectorType(i1, type_.shape, type_.scalable_dims)
    return i1


def _parse_compare(cls: Any, parser: Parser, predicates: Any, fastmath: bool) -> Any:
    position = parser.pos
    name = parser.parse_str_literal()
    try:
        predicate = predicates(name).to_int()
    except ValueError:
        parser.raise_error(f"unknown predicate '{name}'", position)
    lhs = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    rhs = parser.parse_unresolved_operand()
    clauses = parse_llvm_clauses(parser, cls, {})
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    properties: dict[str, Attribute] = {"predicate": IntegerAttr(predicate, i64)}
    if fastmath:
        properties["fastmathFlags"] = NO_FASTMATH
    properties |= clauses | take_properties(cls, attributes)
    return cls.create(
        operands=parser.resolve_operands([lhs, rhs], [type_, type_], position),
        result_types=[_comparison_result(type_)],
        properties=properties,
        attributes=attributes,
    )


def _print_compare(op: Operation, printer: Printer, flag: str) -> None:
    lhs, rhs = op.operands
    printer.print_string(f' "{flag}" ')
    printer.print_ssa_value(lhs)
    printer.print_string(", ")
    printer.print_ssa_value(rhs)
    print_attr_dict(printer, op, frozenset({"predicate"}), _FASTMATH_DEFAULT)
    printer.print_string(" : ")
    printer.print_attribute(lhs.type)


def parse_fcmp(cls: type[FCmpOp], parser: Parser) -> FCmpOp:
    """Reads `llvm.fcmp "olt" %a, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32`."""
    return _parse_compare(cls, parser, FCmpPredicateFlag, True)


def print_fcmp(op: FCmpOp, printer: Printer) -> None:
    """Prints the syntax of `parse_fcmp`."""
    _print_compare(op, printer, FCmpPredicateFlag.from_int(op.predicate.value.data))


def parse_icmp(cls: type[ICmpOp], parser: Parser) -> ICmpOp:
    """Reads `llvm.icmp "slt" %a, %b : i32`."""
    return _parse_compare(cls, parser, ICmpPredicateFlag, False)


def print_icmp(op: ICmpOp, printer: Printer) -> None:
    """Prints the syntax of `parse_icmp`."""
    _print_compare(op, printer, ICmpPredicateFlag.from_int(op.predicate.value.data))


def parse_constant(cls: type[ConstantOp], parser: Parser) -> ConstantOp:
    """Reads `llvm.mlir.constant(1 : i32) : i32`."""
    with parser.in_parens():
        value = parser.parse_attribute()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return cls.create(
        result_types=[parser.parse_type()], properties={"value": value}, attributes=attributes
    )


def print_constant(op: ConstantOp, printer: Printer) -> None:
    """Prints the syntax of `parse_constant`."""
    with printer.in_parens():
        printer.print_attribute(constant_value_of(op))
    print_attr_dict(printer, op, frozenset({"value"}))
    printer.print_string(" : ")
    printer.print_attribute(op.results[0].type)


def parse_alloca(cls: type[AllocaOp], parser: Parser) -> AllocaOp:
    """Reads `llvm.alloca inalloca %n x i32 {alignment = 8 : i64} : (i32) -> !llvm.ptr`."""
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("inalloca") is not None:
        properties["inalloca"] = UnitAttr()
    position = parser.pos
    size = parser.parse_unresolved_operand()
    parser.parse_keyword("x")
    properties["elem_type"] = parser.parse_type()
    attributes = parser.parse_optional_attr_dict()
    properties |= take_properties(cls, attributes)
    parser.parse_punctuation(":")
    signature = parser.parse_function_type()
    return cls.create(
        operands=parser.resolve_operands([size], signature.inputs.data, position),
        result_types=signature.outputs.data,
        properties=properties,
        attributes=attributes,
    )


def print_alloca(op: AllocaOp, printer: Printer) -> None:
    """Prints the syntax of `parse_alloca`."""
    (size,) = op.operands
    printer.print_string(" inalloca " if "inalloca" in op.properties else " ")
    printer.print_ssa_value(size)
    printer.print_string(" x ")
    printer.print_attribute(element_type_of(op))
    print_attr_dict(
        printer, op, frozenset({"elem_type", "inalloca"}), {"alignment": int_attr(0, I64)}
    )
    printer.print_string(" : ")
    printer.print_function_type([size.type], [op.results[0].type])


def parse_trunc(cls: type[TruncOp], parser: Parser) -> TruncOp:
    """Reads `llvm.trunc %a overflow<nsw> : i32 to i8`."""
    position = parser.pos
    value = parser.parse_unresolved_operand()
    flags = 0
    if parser.parse_optional_keyword("overflow") is not None:

        def flag() -> int:
            keyword = parser.parse_optional_keyword_in(OVERFLOW_BITS)
            if keyword is None:
                parser.raise_error(f"expected one of {', '.join(OVERFLOW_BITS)}")
            return OVERFLOW_BITS[keyword]

        for bit in parser.parse_comma_separated_list(parser.Delimiter.ANGLE, flag):
            flags |= bit
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    parser.parse_keyword("to")
    return cls.create(
        operands=parser.resolve_operands([value], [type_], position),
        result_types=[parser.parse_type()],
        properties={"overflowFlags": int_attr(flags, I32)},
        attributes=attributes,
    )


def print_trunc(op: TruncOp, printer: Printer) -> None:
    """Prints the syntax of `parse_trunc`."""
    (value,) = op.operands
    printer.print_string(" ")
    printer.print_ssa_value(value)
    flags = overflow_flags(op)
    names = [name for name, bit in OVERFLOW_BITS.items() if bit & flags]
    if names:
        printer.print_string(f" overflow<{', '.join(names)}>")
    print_attr_dict(printer, op, frozenset({"overflowFlags"}))
    printer.print_string(" : ")
    printer.print_attribute(value.type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


def element_at(type_: Attribute, position: Sequence[int]) -> Attribute | None:
    """The type at a position in an aggregate; None for an invalid position."""
    for index in position:
        if isinstance(type_, LLVMArrayType):
            type_ = type_.type
        elif isinstance(type_, LLVMStructType) and 0 <= index < len(type_.types.data):
            type_ = type_.types.data[index]
        else:
            return None
    return type_


def _parse_position(parser: Parser) -> list[int]:
    return parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False)
    )


def parse_extract_value(cls: type[ExtractValueOp], parser: Parser) -> ExtractValueOp:
    """Reads `llvm.extractvalue %s[0, 1] : !llvm.struct<...>`."""
    start = parser.pos
    container = parser.parse_unresolved_operand()
    position = _parse_position(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    element = element_at(type_, position)
    if element is None:
        parser.raise_error(f"no position {position} in {type_}", start)
    return cls.create(
        operands=parser.resolve_operands([container], [type_], start),
        result_types=[element],
        properties={"position": DenseArrayBase.from_list(i64, position)},
        attributes=attributes,
    )


def parse_insert_value(cls: type[InsertValueOp], parser: Parser) -> InsertValueOp:
    """Reads `llvm.insertvalue %v, %s[0, 1] : !llvm.struct<...>`."""
    start = parser.pos
    value = parser.parse_unresolved_operand()
    parser.parse_punctuation(",")
    container = parser.parse_unresolved_operand()
    position = _parse_position(parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    type_ = parser.parse_type()
    element = element_at(type_, position)
    if element is None:
        parser.raise_error(f"no position {position} in {type_}", start)
    return cls.create(
        operands=parser.resolve_operands([container, value], [type_, element], start),
        result_types=[type_],
        properties={"position": DenseArrayBase.from_list(i64, position)},
        attributes=attributes,
    )
