"""The additions of MLIR 22 to xDSL's llvm dialect, as tables.

`augment` passes them to the patches in `xdsl_patches`. xDSL's op classes keep their identity. A
module that uses only xDSL's features prints the same before and after `augment`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import xdsl.dialects.llvm as stock
from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolRefAttr, UnitAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    PropertyDef,
    irdl_to_attr_constraint,
)
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

from nvvm_xdsl.dialects import constraints as c
from nvvm_xdsl.dialects.assembly import program_of
from nvvm_xdsl.dialects.defaults import NO_FASTMATH
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import stock_assembly as assembly
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, int_property, is_volatile
from nvvm_xdsl.dialects.llvm.attributes import DistinctAttr, UWTableKindAttr
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
from nvvm_xdsl.xdsl_patches.definitions import when_defined
from nvvm_xdsl.xdsl_patches.numbers import extend_floats, extend_packing
from nvvm_xdsl.xdsl_patches.op_classes import (
    add_properties,
    add_traits,
    definition_of,
    give_default,
    set_assembly,
    set_constraint,
    set_verifier,
)
from nvvm_xdsl.xdsl_patches.parsing import extend_parser


def set_format(cls: type[Operation], format_: str) -> None:
    """Sets the declarative assembly format of an op class, compiled on first use."""
    op_class = cast(type[IRDLOperation], cls)
    definition = definition_of(cls)
    if not any(isinstance(o, ParsePropInAttrDict) for o in definition.options):
        definition.options.append(ParsePropInAttrDict())

    def parse(cls: type[IRDLOperation], parser: Parser) -> Operation:
        return program_of(op_class, format_).parse(parser, cls)

    def print_(self: IRDLOperation, printer: Printer) -> None:
        program_of(op_class, format_).print(printer, self)

    set_assembly(cls, parse, print_)


class AccessEffects(MemoryEffect):
    """A load reads memory; a volatile or ordered load has further effects."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        found = {EffectInstance(MemoryEffectKind.READ, op.operands[0])}
        if is_volatile(op) or int_property(op, "ordering") > MONOTONIC:
            found.add(EffectInstance(MemoryEffectKind.WRITE))
        return found


class FuncIsCallable(CallableOpInterface):
    """The interface of an `llvm.func` for xDSL's call graph and interpreter."""

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
"""Properties of MLIR that xDSL's classes lack."""

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
    stock.GEPOp: {"ptr": c.POINTER_LIKE, "ssa_indices": c.INT_LIKE, "result": c.POINTER_LIKE},
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
"""Constraints of xDSL's classes that are stricter than MLIR's."""

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
"""MLIR's formats with xDSL's operand names."""

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

WIDTHS: dict[type[Operation], bool] = {stock.TruncOp: False, stock.ZExtOp: True, stock.SExtOp: True}
"""Casts, and whether the result is wider."""

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
        # xDSL's check accepts only scalars.
        cast(Any, cls).verify = Operation.verify
    _keep_gep_flags()
    extend_types()
    _extend_attributes()
    extend_floats(float_bits, float_from_bits)
    extend_packing(float_bits, float_from_bits)
    _extend_flags()
    extend_parser(DistinctAttr.parse_after_keyword)


def _complete(cls: type[Operation]) -> None:
    """Adds the missing parts of an op class of xDSL."""
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
    elif "fastmathFlags" in definition_of(cls).properties and cls not in ASSEMBLY:
        format_ = definition_of(cls).assembly_format
        if format_ is not None:
            # MLIR's main branch writes the flags outside of the attribute dictionary.
            set_format(cls, format_)
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
    """Checks that the constant indices are valid; vectors are indexed like arrays."""
    indices = raw_indices(op)
    dynamic = sum(index == DYNAMIC_INDEX for index in indices)
    if dynamic != len(op.operands) - 1:
        raise VerifyException(f"expected {dynamic} dynamic indices, got {len(op.operands) - 1}")
    current: Attribute = element_type_of(op)
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
        flags = int_property(self, "noWrapFlags")
        return UNIT if flags & 1 else None

    def set_(self: stock.GEPOp, value: UnitAttr | None) -> None:
        flags = int_property(self, "noWrapFlags")
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
