"""Clauses of ops in the assembly of MLIR's main branch.

MLIR 22 writes the properties of an op in its attribute dictionary, the main branch as clauses before
it:

    nvvm.tcgen05.cp %a, %d {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>}
    nvvm.tcgen05.cp %a, %d, shape = shape_4x256b

Both are read, and the first is printed. Source: NVVMOps.td of MLIR's main branch, October 2026.
"""

from __future__ import annotations

from functools import cache
from typing import Final, cast

from xdsl.dialects.builtin import BoolAttr, IntegerAttr, UnitAttr, i32
from xdsl.dialects.llvm import FastMathAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.utils.str_enum import StrEnum

_RENAMED: Final = {
    "reduction": ("redKind",),
    "cta_only": ("isCTAOnly",),
    "exclusive": ("isExclusive",),
    "element_type": ("eltType", "eltype"),
    "element_type_a": ("eltypeA",),
    "element_type_b": ("eltypeB",),
    "source_format": ("srcFormat",),
    "collector_a": ("collectorOp", "collectorOpA"),
    "collector_b": ("collectorOpB",),
    "fragment": ("frag",),
    "multiplicand_a_ptx_type": ("multiplicandAPtxType",),
    "multiplicand_b_ptx_type": ("multiplicandBPtxType",),
    "collector_b_buffer": ("collectorBBuffer",),
}
"""Clauses whose keyword is not the property's name with underscores."""

_POSITIONAL: Final = {
    "nvvm.fence.proxy": "kind",
    "nvvm.fence.proxy.sync_restrict": "order",
    "nvvm.fence.sync_restrict": "order",
}
"""The property that an op states without a keyword."""

_OPERANDS: Final = ("random_bits", "scale_factor")
"""Optional operands that MLIR's main branch states as clauses."""

_ADDED: Final = (
    *("aligned", "collector_b", "exclusive", "layout", "pzo", "relu", "rnd", "sat", "smem_a_read"),
)
"""Clauses that the main branch added to ops of MLIR 22."""


def _keyword(property_: str) -> str:
    """`ctaGroup` as `cta_group`."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in property_)


@cache
def clauses_of(cls: type[IRDLOperation]) -> dict[str, str]:
    """The properties of an op of MLIR 22 by the keywords of their clauses."""
    properties = cls.get_irdl_definition().properties
    found = {_keyword(name): name for name in properties if name != "operandSegmentSizes"}
    for keyword, names in _RENAMED.items():
        for name in properties.keys() & names:
            found[keyword] = name
    if "collectorBBuffer" in properties:
        found["collector_b"] = found.pop("collector_a")
    return found


def parse_clauses(
    parser: Parser, cls: type[IRDLOperation], operands: dict[str, UnresolvedOperand] | None = None
) -> dict[str, Attribute]:
    """Parses the clauses at the current position; returns properties by name.

    A clause that MLIR 22's op lacks is an error unless it states the default.

    Arguments:
        operands: receives operands that are clauses, by name.
    """
    found: dict[str, Attribute] = {}
    names = clauses_of(cls)
    positional = _POSITIONAL.get(cls.name)
    if positional is not None and parser.parse_optional_punctuation("<") is not None:
        found[positional] = _bracketed(parser, _type_of(cls, positional))
    clauses = {name for name, _ in cls.get_irdl_definition().operands if name in _OPERANDS}
    keywords = {*names, *_ADDED, *clauses}
    while True:
        separated = parser.parse_optional_punctuation(",") is not None
        position = parser.pos
        keyword = parser.parse_optional_keyword_in(keywords)
        if keyword is None:
            if separated:
                parser.raise_error("expected a clause of the op after the comma", position)
            return found
        name = names.get(keyword)
        if keyword in clauses and operands is not None:
            parser.parse_punctuation("=")
            operands[keyword] = parser.parse_unresolved_operand()
        elif name is not None:
            found[name] = _parse_value(parser, _type_of(cls, name))
        elif _flag(parser) is not (keyword == "aligned"):
            parser.raise_error(
                f"{cls.name} of MLIR 22 has no {keyword}: state the op as LLVM assembly, which "
                "mlir-translate of MLIR's main branch writes",
                position,
            )


def parse_llvm_clauses(
    parser: Parser, cls: type[IRDLOperation], attributes: dict[str, Attribute]
) -> dict[str, Attribute]:
    """Parses the properties that MLIR's main branch writes before the attributes of an op of the llvm dialect.

        %0 = llvm.load %p range<i32, 0, 8> <alignment = 4, nontemporal> : !llvm.ptr -> i32
        %1 = llvm.intr.fma(%0, %0, %0) fastmath<nnan> : (f32, f32, f32) -> f32
        llvm.br ^bb1 loop_annotation = #llvm.loop_annotation<mustProgress = true>

    Returns them by name.

    Arguments:
        attributes: receives those that MLIR 22 lacks.
    """
    known = cls.get_irdl_definition().properties
    found: dict[str, Attribute] = {}
    if "fastmathFlags" in known and parser.parse_optional_keyword("fastmath") is not None:
        found["fastmathFlags"] = FastMathAttr(FastMathAttr.parse_parameter(parser))
    if "loop_annotation" in known and parser.parse_optional_keyword("loop_annotation") is not None:
        parser.parse_punctuation("=")
        found["loop_annotation"] = parser.parse_attribute()
    if cls.name == "llvm.load":
        # `!noundef` of LLVM assembly is not kept, either.
        parser.parse_optional_keyword("noundef")
    if cls.name == "llvm.load" and parser.parse_optional_keyword("range") is not None:
        # The llvm dialect imports this module.
        from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr

        attributes["llvm.range"] = ConstantRangeAttr.new(ConstantRangeAttr.parse_parameters(parser))

    def entry() -> None:
        position = parser.pos
        name = names.get(parser.parse_identifier())
        if name is None:
            parser.raise_error(f"{cls.name} has no such property", position)
        stated = parser.parse_optional_punctuation("=") is not None
        found[name] = parser.parse_attribute() if stated else UnitAttr()

    if parser.parse_optional_punctuation("<") is not None:
        names = clauses_of(cls)
        parser.parse_comma_separated_list(parser.Delimiter.NONE, entry)
        parser.parse_punctuation(">")
    return found


def _flag(parser: Parser) -> bool | None:
    """Parses the value of a clause; returns None if it is neither a boolean nor a number."""
    if parser.parse_optional_punctuation("=") is None:
        return None
    value = parser.parse_optional_boolean()
    if value is None:
        value = parser.parse_optional_integer()
    return None if value is None else bool(value)


def _type_of(cls: type[IRDLOperation], property_: str) -> type[Attribute]:
    """The attribute type of a property; of several enumerations, the one with all keywords."""
    bases = cls.get_irdl_definition().properties[property_].constr.get_bases()
    assert bases
    return max(bases, key=_keywords)


def _keywords(type_: type[Attribute]) -> int:
    enumeration = _enumeration(type_)
    return 0 if enumeration is None else len(enumeration.enum_type)


def _parse_value(parser: Parser, type_: type[Attribute]) -> Attribute:
    if type_ is UnitAttr:
        return UnitAttr()
    parser.parse_punctuation("=")
    if type_ is IntegerAttr:
        value = parser.parse_optional_boolean()
        return (
            IntegerAttr(parser.parse_integer(), i32) if value is None else BoolAttr.from_bool(value)
        )
    enumeration = _enumeration(type_)
    if enumeration is not None:
        if parser.parse_optional_punctuation("<") is not None:
            return _bracketed(parser, type_)
        # Keywords such as f16 would also be types.
        keyword = parser.parse_optional_keyword_in({value.value for value in enumeration.enum_type})
        if keyword is not None:
            return enumeration(enumeration.enum_type(keyword))
    stated = parser.parse_optional_attribute()
    if stated is None and issubclass(type_, ParametrizedAttribute):
        return type_.new(type_.parse_parameters(parser))
    return parser.parse_attribute() if stated is None else stated


def _bracketed(parser: Parser, type_: type[Attribute]) -> Attribute:
    """The rest of `<keyword>`."""
    enumeration = _enumeration(type_)
    assert enumeration is not None
    value = enumeration(parser.parse_str_enum(enumeration.enum_type))
    parser.parse_punctuation(">")
    return value


def _enumeration(type_: type[Attribute]) -> type[EnumAttribute[StrEnum]] | None:
    """The type of an attribute if it is an enumeration."""
    return cast("type[EnumAttribute[StrEnum]]", type_) if issubclass(type_, EnumAttribute) else None
