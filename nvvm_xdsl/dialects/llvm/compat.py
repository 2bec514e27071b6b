"""Additions to xDSL in place, in one file.

xDSL's op classes keep their identity: an op class refers to one mutable definition, which accepts
further properties and constraints, and `parse` and `print` are looked up on the class. A module
that uses only xDSL's features prints the same before and after this module is imported. The code
relies on private parts of xDSL, so the release is pinned, and `test/dialects/llvm/test_compat.py`
fails if a new release changes them.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import copysign, inf
from typing import Any, cast

import xdsl.dialects.llvm as stock
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    Float80Type,
    Float128Type,
    FloatAttr,
    FusedLoc,
    IntegerAttr,
    IntegerType,
    LocationAttr,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import (
    Attribute,
    Dialect,
    Operation,
    Region,
    TypeAttribute,
)
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OptPropertyDef,
    ParsePropInAttrDict,
    PropertyDef,
    RangeOf,
    VariadicDef,
    irdl_to_attr_constraint,
    traits_def,
)
from xdsl.irdl.operations import OptionalPropertyAccessor
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    CallableOpInterface,
    Commutative,
    EffectInstance,
    IsolatedFromAbove,
    MemoryAllocEffect,
    MemoryEffect,
    MemoryEffectKind,
    MemoryWriteEffect,
    NoMemoryEffect,
    OpTrait,
    Pure,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.mlir_lexer import MLIRTokenKind

from nvvm_xdsl.dialects import constraints as c
from nvvm_xdsl.dialects.assembly import program_of
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import stock_assembly as assembly
from nvvm_xdsl.dialects.llvm.accessors import int_value
from nvvm_xdsl.dialects.llvm.attributes import (
    DistinctAttr,
    UWTableKindAttr,
)
from nvvm_xdsl.dialects.llvm.constants import float_bits, float_from_bits
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, element_of, raw_indices
from nvvm_xdsl.dialects.llvm.orderings import MONOTONIC, PLAIN
from nvvm_xdsl.dialects.llvm.stock_types import extend_types
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DereferenceableAttr,
    LoopAnnotationAttr,
    MemoryEffectsAttr,
    VecTypeHintAttr,
    VScaleRangeAttr,
)
from nvvm_xdsl.dialects.llvm.types import I32, I64, UNIT, int_attr, width_of
from nvvm_xdsl.ir.definitions import set_traits, when_defined


def add_to_dialect(
    dialect: Dialect,
    operations: Iterable[type[Operation]],
    attributes: Iterable[type[Attribute]],
) -> None:
    """Adds ops and attributes whose names the dialect lacks."""
    have = {op.name for op in dialect._operations}
    dialect._operations += [op for op in operations if op.name not in have]
    kinds = {(attr.name, TypeAttribute in attr.__mro__) for attr in dialect._attributes}
    dialect._attributes += [
        attr for attr in attributes if (attr.name, TypeAttribute in attr.__mro__) not in kinds
    ]


def definition_of(cls: type[Operation]) -> OpDef:
    """The definition that an op class closes over."""
    return cast(type[IRDLOperation], cls).get_irdl_definition()


def add_properties(cls: type[Operation], properties: Mapping[str, Any]) -> None:
    """Declares optional properties; a constraint of None allows any attribute."""
    definition = definition_of(cls)
    for name, constraint in properties.items():
        if name in definition.properties:
            continue
        given = irdl_to_attr_constraint(Attribute if constraint is None else constraint)
        definition.properties[name] = OptPropertyDef(given, None)
        definition.accessor_names[name] = (name, "property")
        setattr(cls, name, OptionalPropertyAccessor(name, None))


def give_default(cls: type[Operation], name: str, default: Attribute | None = None) -> None:
    """Makes a property optional: absent, it reads as `default`, its own where not given."""
    definition = definition_of(cls)
    old = definition.properties[name]
    if default is None:
        default = old.default_value
    definition.properties[name] = OptPropertyDef(old.constr, default)
    for accessor, (known, kind) in definition.accessor_names.items():
        if known == name and kind == "property":
            setattr(cls, accessor, OptionalPropertyAccessor(name, default))


def set_constraint(cls: type[Operation], name: str, constraint: AttrConstraint) -> None:
    """Replaces the type constraint of an operand or result, or that of a property."""
    definition = definition_of(cls)
    if name in definition.properties:
        definition.properties[name].constr = constraint
        return
    for values in (definition.operands, definition.results):
        for i, (known, old) in enumerate(values):
            if known == name:
                new = RangeOf(constraint) if isinstance(old, VariadicDef) else constraint
                cast(Any, values)[i] = (name, type(old)(cast(Any, new)))
                return
    raise KeyError(name)


def set_assembly(
    cls: type[Operation],
    parse: Callable[[Any, Parser], Operation],
    print_: Callable[[Any, Printer], None] | None = None,
) -> None:
    """Replaces how an op class is parsed and, when given, printed."""
    cast(Any, cls).parse = classmethod(cast(Any, parse))
    if print_ is not None:
        cast(Any, cls).print = print_


def set_format(cls: type[Operation], format_: str) -> None:
    """Gives an op class a declarative assembly format, compiled when first used."""
    op_class = cast(type[IRDLOperation], cls)
    definition = definition_of(cls)
    if not any(isinstance(o, ParsePropInAttrDict) for o in definition.options):
        definition.options.append(ParsePropInAttrDict())

    def parse(cls: type[IRDLOperation], parser: Parser) -> Operation:
        return program_of(op_class, format_).parse(parser, cls)

    def print_(self: IRDLOperation, printer: Printer) -> None:
        program_of(op_class, format_).print(printer, self)

    set_assembly(cls, parse, print_)


def add_traits(cls: type[Operation], *traits: OpTrait) -> None:
    """Gives an op class traits of its own, without those that share its set getting them."""
    have = tuple(cls.traits.traits)
    set_traits(cls, traits_def(*have, *(t for t in traits if t not in have)))


def set_verifier(cls: type[Operation], check: Callable[[Any], None]) -> None:
    """Replaces verification beyond the definition."""
    definition = definition_of(cls)

    def verify_(self: Operation) -> None:
        definition.verify(self)
        check(self)

    cast(Any, cls).verify_ = verify_


class AccessEffects(MemoryEffect):
    """A load reads; one that is volatile or orders other accesses has other effects too."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        found = {EffectInstance(MemoryEffectKind.READ, op.operands[0])}
        if "volatile_" in op.properties or int_value(op.properties.get("ordering")) > MONOTONIC:
            found.add(EffectInstance(MemoryEffectKind.WRITE))
        return found


class FuncIsCallable(CallableOpInterface):
    """How xDSL's call graph and interpreter see an `llvm.func`."""

    @classmethod
    def get_callable_region(cls, op: Operation) -> Region:
        return op.regions[0]

    @classmethod
    def get_argument_types(cls, op: Operation) -> tuple[Attribute, ...]:
        return cast(stock.FuncOp, op).function_type.inputs.data

    @classmethod
    def get_result_types(cls, op: Operation) -> tuple[Attribute, ...]:
        output = cast(stock.FuncOp, op).function_type.output
        return () if isinstance(output, stock.LLVMVoidType) else (output,)


UNIT_PROPERTY = UnitAttr
STRING = StringAttr
ARRAY = ArrayAttr

ALIAS_PROPERTIES: dict[str, Any] = {
    "access_groups": ARRAY,
    "alias_scopes": ARRAY,
    "noalias_scopes": ARRAY,
    "tbaa": ARRAY,
}

ARGUMENT_PROPERTIES: dict[str, Any] = {
    "op_bundle_tags": ARRAY,
    "arg_attrs": ARRAY,
    "res_attrs": ARRAY,
}

FUNC_PROPERTIES: dict[str, Any] = {
    **{
        name: UNIT_PROPERTY
        for name in (
            "dso_local",
            "convergent",
            "arm_streaming",
            "arm_locally_streaming",
            "arm_streaming_compatible",
            "arm_new_za",
            "arm_in_za",
            "arm_out_za",
            "arm_inout_za",
            "arm_preserves_za",
            "always_inline",
            "inline_hint",
            "will_return",
        )
    },
    **{
        name: STRING
        for name in (
            "garbageCollector",
            "section",
            "reciprocal_estimates",
            "prefer_vector_width",
            "denormal_fp_math",
            "denormal_fp_math_f32",
            "fp_contract",
            "instrument_function_entry",
            "instrument_function_exit",
        )
    },
    **{
        name: c.BOOL_ATTR
        for name in ("no_infs_fp_math", "no_nans_fp_math", "no_signed_zeros_fp_math")
    },
    "comdat": SymbolRefAttr,
    "personality": SymbolRefAttr,
    "function_entry_count": c.I64_ATTR,
    "alignment": c.I64_ATTR,
    "memory_effects": MemoryEffectsAttr,
    "vscale_range": VScaleRangeAttr,
    "vec_type_hint": VecTypeHintAttr,
    "work_group_size_hint": c.I32_ARRAY,
    "reqd_work_group_size": c.I32_ARRAY,
    "intel_reqd_sub_group_size": c.I32_ATTR,
    "uwtable_kind": UWTableKindAttr,
}

PROPERTIES: dict[type[Operation], dict[str, Any]] = {
    stock.AllocaOp: {"inalloca": UNIT_PROPERTY},
    stock.BrOp: {"loop_annotation": LoopAnnotationAttr},
    stock.CondBrOp: {"branch_weights": c.I32_ARRAY, "loop_annotation": LoopAnnotationAttr},
    stock.CallOp: {
        "memory_effects": MemoryEffectsAttr,
        "convergent": UNIT_PROPERTY,
        "no_unwind": UNIT_PROPERTY,
        "will_return": UNIT_PROPERTY,
        "no_inline": UNIT_PROPERTY,
        "always_inline": UNIT_PROPERTY,
        "inline_hint": UNIT_PROPERTY,
        **ARGUMENT_PROPERTIES,
        **ALIAS_PROPERTIES,
    },
    stock.CallIntrinsicOp: ARGUMENT_PROPERTIES,
    stock.FuncOp: FUNC_PROPERTIES,
    stock.InlineAsmOp: {"operand_attrs": ARRAY},
    stock.IntToPtrOp: {"dereferenceable": DereferenceableAttr},
    stock.LoadOp: {
        "volatile_": UNIT_PROPERTY,
        "nontemporal": UNIT_PROPERTY,
        "invariant": UNIT_PROPERTY,
        "invariantGroup": UNIT_PROPERTY,
        "syncscope": STRING,
        "dereferenceable": DereferenceableAttr,
        **ALIAS_PROPERTIES,
    },
    stock.StoreOp: {"invariantGroup": UNIT_PROPERTY, "syncscope": STRING, **ALIAS_PROPERTIES},
    stock.GlobalOp: {
        "externally_initialized": UNIT_PROPERTY,
        "comdat": SymbolRefAttr,
        "dbg_exprs": ARRAY,
        "target_specific_attrs": ARRAY,
    },
}
"""Properties that MLIR has and xDSL's classes lack."""

DEFAULTS: dict[type[Operation], dict[str, Attribute | None]] = {
    stock.GEPOp: {"noWrapFlags": int_attr(0, I32)},
    stock.GlobalOp: {
        "addr_space": int_attr(0, I32),
        "unnamed_addr": int_attr(0, I64),
        "visibility_": int_attr(0, I64),
    },
    stock.FuncOp: {
        "CConv": assembly.DEFAULT_CCONV,
        "linkage": stock.LinkageAttr("external"),
        "unnamed_addr": int_attr(0, I64),
    },
    stock.StoreOp: {"ordering": PLAIN},
}
"""Properties that are optional in MLIR, with their defaults."""

CONSTRAINTS: dict[type[Operation], dict[str, AttrConstraint]] = {
    stock.GEPOp: {
        "ptr": c.POINTER_LIKE,
        "ssa_indices": c.INT_LIKE,
        "result": c.POINTER_LIKE,
    },
    stock.SelectOp: {"cond": c.I1_LIKE},
    stock.FCmpOp: {
        "lhs": c.variable("T", c.FLOAT_LIKE),
        "rhs": c.variable("T", c.FLOAT_LIKE),
        "res": c.Derived("T", c.compare_result, "i1 of the operands' shape"),
    },
    stock.ICmpOp: {
        "lhs": c.variable("T", c.any_of(c.INT_LIKE, c.POINTER_LIKE)),
        "rhs": c.variable("T", c.any_of(c.INT_LIKE, c.POINTER_LIKE)),
        "res": c.Derived("T", c.compare_result, "i1 of the operands' shape"),
    },
    stock.IntToPtrOp: {"input": c.INT_LIKE, "output": c.POINTER_LIKE},
    stock.PtrToIntOp: {"input": c.POINTER_LIKE, "output": c.INT_LIKE},
    stock.MaskedStoreOp: {"value": c.VECTOR, "mask": c.vector_of(c.I1)},
    stock.ZeroOp: {"res": c.LLVM_TYPE},
    stock.ConstantOp: {"value": irdl_to_attr_constraint(Attribute)},
    stock.TruncOp: {"overflowFlags": c.I32_ATTR},
}
"""Where xDSL's classes allow less than MLIR does."""

FORMATS: dict[type[Operation], str] = {
    stock.LoadOp: (
        "(`volatile` $volatile_^)? $ptr (`atomic` (`syncscope` `(` $syncscope^ `)`)? "
        "custom<AtomicOrdering>($ordering)^)? (`invariant` $invariant^)? "
        "(`invariant_group` $invariantGroup^)? (`dereferenceable` `` $dereferenceable^)? "
        "attr-dict `:` type($ptr) `->` type($dereferenced_value)"
    ),
    stock.StoreOp: (
        "(`volatile` $volatile_^)? $value `,` $ptr (`atomic` (`syncscope` `(` $syncscope^ `)`)? "
        "custom<AtomicOrdering>($ordering)^)? (`invariant_group` $invariantGroup^)? "
        "attr-dict `:` type($value) `,` type($ptr)"
    ),
    stock.IntToPtrOp: (
        "$input (`dereferenceable` `` $dereferenceable^)? attr-dict `:` type($input) `to` "
        "type($output)"
    ),
    stock.InlineAsmOp: (
        "(`has_side_effects` $has_side_effects^)? (`is_align_stack` $is_align_stack^)? "
        "(`tail_call_kind` `=` $tail_call_kind^)? "
        "(`asm_dialect` `=` custom<AsmDialect>($asm_dialect)^)? "
        "(`operand_attrs` `=` $operand_attrs^)? attr-dict $asm_string `,` $constraints "
        "operands `:` functional-type(operands, results)"
    ),
    stock.BrOp: "$successor (`(` $arguments^ `:` type($arguments) `)`)? attr-dict",
    stock.CondBrOp: (
        "$cond (`weights` `(` $branch_weights^ `)`)? `,` "
        "$then_block (`(` $then_arguments^ `:` type($then_arguments) `)`)? `,` "
        "$else_block (`(` $else_arguments^ `:` type($else_arguments) `)`)? attr-dict"
    ),
}
"""MLIR's formats under xDSL's operand names."""

ASSEMBLY: dict[type[Operation], tuple[Any, Any]] = {
    stock.FuncOp: (assembly.parse_func, assembly.print_func),
    stock.GlobalOp: (assembly.parse_global, assembly.print_global),
    stock.CallOp: (assembly.parse_call, assembly.print_call),
    stock.CallIntrinsicOp: (assembly.parse_call_intrinsic, assembly.print_call_intrinsic),
    stock.GEPOp: (assembly.parse_gep, assembly.print_gep),
    stock.FCmpOp: (assembly.parse_fcmp, assembly.print_fcmp),
    stock.ICmpOp: (assembly.parse_icmp, assembly.print_icmp),
    stock.ConstantOp: (assembly.parse_constant, assembly.print_constant),
    stock.AllocaOp: (assembly.parse_alloca, assembly.print_alloca),
    stock.TruncOp: (assembly.parse_trunc, assembly.print_trunc),
    stock.ExtractValueOp: (assembly.parse_extract_value, None),
    stock.InsertValueOp: (assembly.parse_insert_value, None),
}

WIDTHS: dict[type[Operation], bool] = {
    stock.TruncOp: False,
    stock.ZExtOp: True,
    stock.SExtOp: True,
}
"""Casts, and whether the result is the wider one."""

TRAITS: dict[type[Operation], tuple[OpTrait, ...]] = {
    stock.LoadOp: (AccessEffects(),),
    stock.StoreOp: (MemoryWriteEffect(),),
    stock.AllocaOp: (MemoryAllocEffect(),),
    stock.FuncOp: (IsolatedFromAbove(), FuncIsCallable()),
    stock.GlobalOp: (IsolatedFromAbove(),),
    stock.FAbsOp: (Pure(),),
    stock.FCmpOp: (Pure(),),
    stock.BrOp: (NoMemoryEffect(),),
    stock.CondBrOp: (NoMemoryEffect(),),
    stock.UnreachableOp: (NoMemoryEffect(),),
    stock.AddOp: (Commutative(),),
    stock.MulOp: (Commutative(),),
    stock.AndOp: (Commutative(),),
    stock.OrOp: (Commutative(),),
    stock.XOrOp: (Commutative(),),
    stock.FAddOp: (Commutative(),),
    stock.FMulOp: (Commutative(),),
}


def augment() -> None:
    """Completes xDSL's own op classes, attributes and parser. Safe to call again."""
    if getattr(stock, "_nvvm_xdsl_augmented", False):
        return
    stock._nvvm_xdsl_augmented = True  # pyright: ignore[reportAttributeAccessIssue]
    stock.LLVM_CALLING_CONVS.update(ENUMS["CConv"])
    for cls, traits in TRAITS.items():
        add_traits(cls, *traits)
    for cls in stock.LLVM.operations:
        when_defined(cls, partial(_complete, cls))
    for cls in WIDTHS:
        # In xDSL it checks the same, of scalars alone.
        cast(Any, cls).verify = Operation.verify
    _keep_gep_flags()
    extend_types()
    _extend_attributes()
    _extend_floats()
    _extend_packing()
    _extend_flags()
    _extend_parser()


def _complete(cls: type[Operation]) -> None:
    """Gives an op class of xDSL what its definition lacks."""
    add_properties(cls, PROPERTIES.get(cls, {}))
    for name, definition in list(definition_of(cls).properties.items()):
        if type(definition) is PropertyDef and definition.default_value is not None:
            give_default(cls, name)
        elif name == "fastmathFlags":
            give_default(cls, name, NO_FASTMATH)
    for name, default in DEFAULTS.get(cls, {}).items():
        give_default(cls, name, default)
    for name, constraint in CONSTRAINTS.get(cls, {}).items():
        set_constraint(cls, name, constraint)
    if cls in FORMATS:
        set_format(cls, FORMATS[cls])
    if cls in ASSEMBLY:
        set_assembly(cls, *ASSEMBLY[cls])
    if cls in WIDTHS:
        _set_width_check(cls, WIDTHS[cls])
    if cls is stock.ICmpOp:
        set_verifier(cls, lambda op: None)
    elif cls is stock.GEPOp:
        set_verifier(cls, _check_indices)


def _set_width_check(cls: type[Operation], wider: bool) -> None:
    def scalar(type_: Attribute) -> int:
        return width_of(c.element_type(type_) or type_)

    def check(op: Operation) -> None:
        source, target = op.operands[0].type, op.results[0].type
        narrow, wide = (source, target) if wider else (target, source)
        if scalar(narrow) >= scalar(wide):
            raise VerifyException(f"invalid cast opcode for cast from {source} to {target}")

    set_verifier(cls, check)


def _check_indices(op: stock.GEPOp) -> None:
    """Checks that the constant indices name something; vectors are indexed like arrays."""
    indices = raw_indices(op)
    dynamic = sum(index == DYNAMIC_INDEX for index in indices)
    if dynamic != len(op.operands) - 1:
        raise VerifyException(f"expected {dynamic} dynamic indices, got {len(op.operands) - 1}")
    current: Attribute = op.properties["elem_type"]
    for position, index in enumerate(indices[1:], start=1):
        if isinstance(current, stock.LLVMStructType):
            if index == DYNAMIC_INDEX:
                raise VerifyException(f"GEP index #{position}: struct indices must be constants")
            fields = current.types.data
            if not 0 <= index < len(fields):
                raise VerifyException(
                    f"GEP index #{position}: {index} is out of range for struct with "
                    f"{len(fields)} field(s)"
                )
            current = fields[index]
            continue
        element = element_of(current)
        if element is None:
            raise VerifyException(f"GEP index #{position}: cannot index into {current}")
        current = element


def _keep_gep_flags() -> None:
    """Replaces xDSL's `inbounds` property with MLIR's `noWrapFlags`, which has it as one of its values."""
    definition = definition_of(stock.GEPOp)
    definition.properties.pop("inbounds", None)
    definition.accessor_names.pop("inbounds", None)
    original = stock.GEPOp.__init__

    def init(self: stock.GEPOp, *args: Any, **kwargs: Any) -> None:
        inbounds = kwargs.pop("inbounds", False)
        if len(args) == 6:
            *args_list, inbounds = args
            args = tuple(args_list)
        original(self, *args, **kwargs)
        if inbounds:
            self.properties["noWrapFlags"] = int_attr(3, I32)

    def get(self: stock.GEPOp) -> UnitAttr | None:
        flags = int_value(self.properties.get("noWrapFlags"))
        return UNIT if flags & 1 else None

    def set_(self: stock.GEPOp, value: UnitAttr | None) -> None:
        flags = int_value(self.properties.get("noWrapFlags"))
        flags = flags | 3 if value is not None else flags & ~1
        self.properties["noWrapFlags"] = int_attr(flags, I32)

    cast(Any, stock.GEPOp).__init__ = init
    cast(Any, stock.GEPOp).inbounds = property(get, set_)


def _extend_attributes() -> None:
    """Attributes whose parser accepts less than MLIR's, or fails on other attributes."""

    def parse(cls: type[stock.CallingConventionAttr], parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            keyword = parser.parse_optional_keyword_in(stock.LLVM_CALLING_CONVS)
            if keyword is None:
                parser.raise_error("Unknown calling convention")
            return [StringAttr(keyword)]

    def parse_features(cls: type[stock.TargetFeaturesAttr], parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [
                ArrayAttr(
                    parser.parse_comma_separated_list(
                        parser.Delimiter.SQUARE, lambda: StringAttr(parser.parse_str_literal())
                    )
                )
            ]

    cast(Any, stock.CallingConventionAttr).parse_parameters = classmethod(parse)
    cast(Any, stock.TargetFeaturesAttr).parse_parameters = classmethod(parse_features)


def _extend_floats() -> None:
    """NaNs that are read and printed as they are, payload and signaling bit included."""
    print_number = FloatAttr.print_without_type
    parse_number = AttrParser.parse_optional_builtin_int_or_float_attr

    def print_float(self: FloatAttr, printer: Printer) -> None:
        value = self.value.data
        if value == value and abs(value) != float("inf"):
            print_number(self, printer)
            return
        try:
            digits = -(-self.type.bitwidth // 4)
            printer.print_string(f"0x{float_bits(self):0{digits}X}")
        except ValueError:
            print_number(self, printer)

    def parse_float(self: AttrParser) -> IntegerAttr | FloatAttr | None:
        start = self.pos
        text = self._current_token.text
        try:
            found = parse_number(self)
        except OverflowError:  # beyond the type's range, which MLIR rounds to an infinity
            self._resume_from(start)
            value = self.parse_number()
            self.parse_punctuation(":")
            type_ = cast(AnyFloat, self.parse_type())
            return FloatAttr(copysign(inf, value), type_)
        if isinstance(found, FloatAttr) and text[:2] in ("0x", "0X"):
            try:
                return float_from_bits(int(text, 16), found.type)
            except ValueError:
                return found
        return found

    element = AttrParser._TensorLiteralElement
    to_type = element.to_type

    def element_to_type(self: Any, parser: AttrParser, type_: Any) -> Any:
        text = self.span.text
        if isinstance(type_, AnyFloat) and text[:2] in ("0x", "0X"):
            try:
                return float_from_bits(int(text, 16), type_).value.data
            except ValueError:
                parser.raise_error(f"{text} is not a value of {type_}", self.span)
        value: Any = to_type(self, parser, type_)
        if isinstance(type_, AnyFloat) and type_.bitwidth < 64:
            try:
                type_.pack((value,))
            except OverflowError:
                return copysign(inf, value)
        return value

    print_any = Printer.print_float

    def print_value(self: Printer, value: float, type: Any) -> None:
        if value == value and abs(value) != float("inf"):
            print_any(self, value, type)
        else:
            self.print_string(f"0x{type.pack((value,))[::-1].hex().upper()}")

    cast(Any, Printer).print_float = print_value
    cast(Any, element).to_type = element_to_type
    cast(Any, FloatAttr).print_without_type = print_float
    cast(Any, AttrParser).parse_optional_builtin_int_or_float_attr = parse_float


def _extend_packing() -> None:
    """Packs elements of dense constants as MLIR does, for types that Python's `struct` lacks.

    An element takes as many bytes as its bits need, and the remaining high bits are zero. An integer
    is read as a signed number from its own bits only. xDSL rejects integers above 64 bits and floats
    above f64, pads an i24, and for other widths depends on the high bits: it writes them as sign
    bits and reads them as part of the number.
    """

    def extend(
        cls: type[Any],
        special: Callable[[Any], bool],
        to_bits: Callable[[Any, Any], int],
        from_bits: Callable[[Any, int], Any],
    ) -> None:
        stock_size = cls.compile_time_size
        stock_pack = cls.pack
        stock_pack_into = cls.pack_into
        stock_unpack = cls.unpack
        stock_iter_unpack = cls.iter_unpack

        def size_of(self: Any) -> int:
            return self.size if special(self) else stock_size.fget(self)

        def pack(self: Any, values: Iterable[Any]) -> bytes:
            if not special(self):
                return stock_pack(self, values)
            return b"".join([to_bits(self, v).to_bytes(self.size, "little") for v in values])

        def pack_into(self: Any, buffer: Any, offset: int, value: Any) -> None:
            if not special(self):
                stock_pack_into(self, buffer, offset, value)
                return
            end = offset + self.size
            if end > len(memoryview(buffer)):
                raise ValueError(f"no room for {self} at offset {offset}")
            memoryview(buffer)[offset:end] = pack(self, (value,))

        def iter_unpack(self: Any, buffer: Any) -> Iterable[Any]:
            if not special(self):
                return stock_iter_unpack(self, buffer)
            data, size = bytes(buffer), self.size
            if len(data) % size:
                raise ValueError(f"{len(data)} bytes are not a sequence of {self}")
            parts = (data[start : start + size] for start in range(0, len(data), size))
            return (from_bits(self, int.from_bytes(part, "little")) for part in parts)

        def unpack(self: Any, buffer: Any, num: int) -> tuple[Any, ...]:
            if not special(self):
                return stock_unpack(self, buffer, num)
            values = tuple(iter_unpack(self, buffer))
            if len(values) != num:
                raise ValueError(f"{len(values)} values of {self}, not {num}")
            return values

        cls.compile_time_size = property(size_of)
        cls.pack = pack
        cls.pack_into = pack_into
        cls.iter_unpack = iter_unpack
        cls.unpack = unpack

    def is_odd(type_: IntegerType) -> bool:
        return type_.bitwidth not in (0, 8, 16, 32, 64)

    def int_bits(type_: IntegerType, value: int) -> int:
        return value & ((1 << type_.bitwidth) - 1)

    def int_from_bits(type_: IntegerType, bits: int) -> int:
        value = type_.normalized_value(bits, truncate_bits=True)
        assert value is not None
        return value

    def bits_of(type_: AnyFloat, value: float) -> int:
        return float_bits(FloatAttr(value, type_))

    def value_of(type_: AnyFloat, bits: int) -> float:
        return float_from_bits(bits, type_).value.data

    extend(IntegerType, is_odd, int_bits, int_from_bits)
    for wide in (Float80Type, Float128Type):
        extend(wide, lambda type_: True, bits_of, value_of)


def _extend_flags() -> None:
    """Sets of flags in MLIR's order."""
    fastmath = ("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc")
    overflow = ("nsw", "nuw")

    def printing(order: tuple[str, ...], all_flags: str) -> Callable[[Any, Printer], None]:
        def print_parameter(self: Any, printer: Printer) -> None:
            names = {flag.value for flag in self.data}
            shown = ", ".join(name for name in order if name in names)
            if len(names) == len(order) and all_flags:
                shown = all_flags
            printer.print_string(f"<{shown or 'none'}>")

        return print_parameter

    cast(Any, stock.FastMathAttr).print_parameter = printing(fastmath, "fast")
    cast(Any, stock.OverflowAttr).print_parameter = printing(overflow, "")


_ALIAS_DEFINITION = re.compile(r"^([#!][\w.$-]+)[ \t]*=", re.MULTILINE)


def _extend_parser() -> None:
    """Aliases that are defined behind their use, fused locations, and distinct attributes."""
    parse_extended = AttrParser._parse_extended_type_or_attribute
    parse_definition = Parser._parse_alias_def
    parse_builtin = AttrParser._parse_optional_builtin_attr
    parse_location = AttrParser._parse_location

    def extended(self: AttrParser, name: str, is_type: bool) -> Attribute:
        if "." not in name and self._current_token.kind != MLIRTokenKind.LESS:
            alias = ("!" if is_type else "#") + name
            if alias not in self.attribute_aliases:
                _resolve_ahead(self, alias)
        return parse_extended(self, name, cast(Any, is_type))

    def definition(self: Parser) -> None:
        ahead: set[str] = self.__dict__.get("_nvvm_resolved_ahead", set())
        name = self._current_token.text
        if name in ahead:
            ahead.discard(name)
            del self.attribute_aliases[name]
        parse_definition(self)

    def builtin(self: AttrParser) -> Attribute | None:
        token = self._current_token
        if token.kind == MLIRTokenKind.BARE_IDENT and token.text == "distinct":
            self._consume_token()
            return DistinctAttr.parse_after_keyword(self)
        return parse_builtin(self)

    def location(self: AttrParser) -> LocationAttr:
        if self.parse_optional_keyword("fused") is None:
            return parse_location(self)
        metadata: Attribute = NoneAttr()
        if self.parse_optional_punctuation("<") is not None:
            metadata = self.parse_attribute()
            self.parse_punctuation(">")
        locations = self.parse_comma_separated_list(
            self.Delimiter.SQUARE, lambda: _nested_location(self)
        )
        return FusedLoc(tuple(locations), metadata)

    cast(Any, AttrParser)._parse_extended_type_or_attribute = extended
    cast(Any, Parser)._parse_alias_def = definition
    cast(Any, AttrParser)._parse_optional_builtin_attr = builtin
    cast(Any, AttrParser)._parse_location = location


def _nested_location(parser: AttrParser) -> LocationAttr:
    """A location inside a fused one: with `loc(...)` around it or without."""
    nested = parser.parse_optional_location()
    return parser._parse_location() if nested is None else nested


def _resolve_ahead(parser: AttrParser, alias: str) -> None:
    """Parses the definition of an alias that stands further down, if there is one."""
    state: dict[str, Any] = parser.__dict__
    positions: dict[str, int] | None = state.get("_nvvm_alias_positions")
    if positions is None:
        content = parser.lexer.input.content
        positions = {m[1]: m.end() for m in _ALIAS_DEFINITION.finditer(content)}
        state["_nvvm_alias_positions"] = positions
    position = positions.pop(alias, None)
    if position is None:
        return
    here = parser.pos
    parser._resume_from(position)
    parser.attribute_aliases[alias] = parser.parse_attribute()
    state.setdefault("_nvvm_resolved_ahead", set()).add(alias)
    parser._resume_from(here)
