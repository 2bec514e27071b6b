"""Attributes of the llvm dialect in struct form, written by `nvvm_xdsl.dialects.generate`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import irdl_attr_definition

from nvvm_xdsl.dialects.attributes import Field, StructAttr


@irdl_attr_definition
class AccessGroupAttr(StructAttr):
    """`#llvm.access_group`."""

    name = "llvm.access_group"
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("id"),)
    id: Attribute


@irdl_attr_definition
class AliasScopeAttr(StructAttr):
    """`#llvm.alias_scope`."""

    name = "llvm.alias_scope"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("id"),
        Field("domain", base="AliasScopeDomainAttr"),
        Field("description", optional=True),
    )
    id: Attribute
    domain: Attribute
    description: StringAttr | NoneAttr


@irdl_attr_definition
class AliasScopeDomainAttr(StructAttr):
    """`#llvm.alias_scope_domain`."""

    name = "llvm.alias_scope_domain"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("id"),
        Field("description", optional=True),
    )
    id: Attribute
    description: StringAttr | NoneAttr


@irdl_attr_definition
class BlockAddressAttr(StructAttr):
    """`#llvm.blockaddress`."""

    name = "llvm.blockaddress"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("function"),
        Field("tag", base="BlockTagAttr"),
    )
    function: Attribute
    tag: Attribute


@irdl_attr_definition
class BlockTagAttr(StructAttr):
    """`#llvm.blocktag`."""

    name = "llvm.blocktag"
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("id", "int"),)
    id: IntAttr


@irdl_attr_definition
class DIAnnotationAttr(StructAttr):
    """`#llvm.di_annotation`."""

    name = "llvm.di_annotation"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("name"),
        Field("value"),
    )
    name_: StringAttr
    value: StringAttr


@irdl_attr_definition
class DIBasicTypeAttr(StructAttr):
    """`#llvm.di_basic_type`."""

    name = "llvm.di_basic_type"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("tag", "keyword", optional=True),
        Field("name"),
        Field("sizeInBits", "int", optional=True, default=0),
        Field("encoding", "keyword", optional=True),
    )
    tag: StringAttr | NoneAttr
    name_: StringAttr
    sizeInBits: IntAttr
    encoding: StringAttr | NoneAttr


@irdl_attr_definition
class DICommonBlockAttr(StructAttr):
    """`#llvm.di_common_block`."""

    name = "llvm.di_common_block"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope"),
        Field("decl", optional=True, base="DIGlobalVariableAttr"),
        Field("name"),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
    )
    scope: Attribute
    decl: Attribute
    name_: StringAttr
    file: Attribute
    line: IntAttr


@irdl_attr_definition
class DICompileUnitAttr(StructAttr):
    """`#llvm.di_compile_unit`."""

    name = "llvm.di_compile_unit"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("id"),
        Field("sourceLanguage", "keyword"),
        Field("file", base="DIFileAttr"),
        Field("producer", optional=True),
        Field("isOptimized", "bool"),
        Field("emissionKind", "keyword"),
        Field("nameTableKind", "keyword", optional=True, default="Default"),
        Field("splitDebugFilename", optional=True),
    )
    id: Attribute
    sourceLanguage: StringAttr
    file: Attribute
    producer: StringAttr | NoneAttr
    isOptimized: IntegerAttr
    emissionKind: StringAttr
    nameTableKind: StringAttr
    splitDebugFilename: StringAttr | NoneAttr


@irdl_attr_definition
class DICompositeTypeAttr(StructAttr):
    """`#llvm.di_composite_type`."""

    name = "llvm.di_composite_type"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("recId", optional=True),
        Field("isRecSelf", "bool", optional=True, default=False),
        Field("tag", "keyword", optional=True),
        Field("name", optional=True),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
        Field("scope", optional=True),
        Field("baseType", optional=True),
        Field("flags", "keyword", optional=True),
        Field("sizeInBits", "int", optional=True, default=0),
        Field("alignInBits", "int", optional=True, default=0),
        Field("dataLocation", optional=True, base="DIExpressionAttr"),
        Field("rank", optional=True, base="DIExpressionAttr"),
        Field("allocated", optional=True, base="DIExpressionAttr"),
        Field("associated", optional=True, base="DIExpressionAttr"),
        Field("elements", optional=True, array=True),
    )
    recId: Attribute
    isRecSelf: IntegerAttr
    tag: StringAttr | NoneAttr
    name_: StringAttr | NoneAttr
    file: Attribute
    line: IntAttr
    scope: Attribute
    baseType: Attribute
    flags: StringAttr | NoneAttr
    sizeInBits: IntAttr
    alignInBits: IntAttr
    dataLocation: Attribute
    rank: Attribute
    allocated: Attribute
    associated: Attribute
    elements: ArrayAttr


@irdl_attr_definition
class DIDerivedTypeAttr(StructAttr):
    """`#llvm.di_derived_type`."""

    name = "llvm.di_derived_type"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("tag", "keyword", optional=True),
        Field("name", optional=True),
        Field("baseType", optional=True),
        Field("sizeInBits", "int", optional=True, default=0),
        Field("alignInBits", "int", optional=True, default=0),
        Field("offsetInBits", "int", optional=True, default=0),
        Field("dwarfAddressSpace", "int", optional=True),
        Field("extraData", optional=True),
    )
    tag: StringAttr | NoneAttr
    name_: StringAttr | NoneAttr
    baseType: Attribute
    sizeInBits: IntAttr
    alignInBits: IntAttr
    offsetInBits: IntAttr
    dwarfAddressSpace: IntAttr | NoneAttr
    extraData: Attribute


@irdl_attr_definition
class DIGenericSubrangeAttr(StructAttr):
    """`#llvm.di_generic_subrange`."""

    name = "llvm.di_generic_subrange"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("count", optional=True),
        Field("lowerBound"),
        Field("upperBound", optional=True),
        Field("stride"),
    )
    count: Attribute
    lowerBound: Attribute
    upperBound: Attribute
    stride: Attribute


@irdl_attr_definition
class DIGlobalVariableAttr(StructAttr):
    """`#llvm.di_global_variable`."""

    name = "llvm.di_global_variable"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope", optional=True),
        Field("name", optional=True),
        Field("linkageName", optional=True),
        Field("file", base="DIFileAttr"),
        Field("line", "int"),
        Field("type"),
        Field("isLocalToUnit", "bool", optional=True, default=False),
        Field("isDefined", "bool", optional=True, default=False),
        Field("alignInBits", "int", optional=True, default=0),
    )
    scope: Attribute
    name_: StringAttr | NoneAttr
    linkageName: StringAttr | NoneAttr
    file: Attribute
    line: IntAttr
    type_: Attribute
    isLocalToUnit: IntegerAttr
    isDefined: IntegerAttr
    alignInBits: IntAttr


@irdl_attr_definition
class DIGlobalVariableExpressionAttr(StructAttr):
    """`#llvm.di_global_variable_expression`."""

    name = "llvm.di_global_variable_expression"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("var", base="DIGlobalVariableAttr"),
        Field("expr", optional=True, base="DIExpressionAttr"),
    )
    var: Attribute
    expr: Attribute


@irdl_attr_definition
class DIImportedEntityAttr(StructAttr):
    """`#llvm.di_imported_entity`."""

    name = "llvm.di_imported_entity"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("tag", "keyword", optional=True),
        Field("scope"),
        Field("entity"),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
        Field("name", optional=True),
        Field("elements", optional=True, array=True),
    )
    tag: StringAttr | NoneAttr
    scope: Attribute
    entity: Attribute
    file: Attribute
    line: IntAttr
    name_: StringAttr | NoneAttr
    elements: ArrayAttr


@irdl_attr_definition
class DILabelAttr(StructAttr):
    """`#llvm.di_label`."""

    name = "llvm.di_label"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope"),
        Field("name", optional=True),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
    )
    scope: Attribute
    name_: StringAttr | NoneAttr
    file: Attribute
    line: IntAttr


@irdl_attr_definition
class DILexicalBlockAttr(StructAttr):
    """`#llvm.di_lexical_block`."""

    name = "llvm.di_lexical_block"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope"),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
        Field("column", "int", optional=True, default=0),
    )
    scope: Attribute
    file: Attribute
    line: IntAttr
    column: IntAttr


@irdl_attr_definition
class DILexicalBlockFileAttr(StructAttr):
    """`#llvm.di_lexical_block_file`."""

    name = "llvm.di_lexical_block_file"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope"),
        Field("file", optional=True, base="DIFileAttr"),
        Field("discriminator", "int"),
    )
    scope: Attribute
    file: Attribute
    discriminator: IntAttr


@irdl_attr_definition
class DILocalVariableAttr(StructAttr):
    """`#llvm.di_local_variable`."""

    name = "llvm.di_local_variable"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("scope"),
        Field("name", optional=True),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
        Field("arg", "int", optional=True, default=0),
        Field("alignInBits", "int", optional=True, default=0),
        Field("type", optional=True),
        Field("flags", "keyword", optional=True),
    )
    scope: Attribute
    name_: StringAttr | NoneAttr
    file: Attribute
    line: IntAttr
    arg: IntAttr
    alignInBits: IntAttr
    type_: Attribute
    flags: StringAttr | NoneAttr


@irdl_attr_definition
class DIModuleAttr(StructAttr):
    """`#llvm.di_module`."""

    name = "llvm.di_module"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("file", optional=True, base="DIFileAttr"),
        Field("scope", optional=True),
        Field("name", optional=True),
        Field("configMacros", optional=True),
        Field("includePath", optional=True),
        Field("apinotes", optional=True),
        Field("line", "int", optional=True, default=0),
        Field("isDecl", "bool", optional=True, default=False),
    )
    file: Attribute
    scope: Attribute
    name_: StringAttr | NoneAttr
    configMacros: StringAttr | NoneAttr
    includePath: StringAttr | NoneAttr
    apinotes: StringAttr | NoneAttr
    line: IntAttr
    isDecl: IntegerAttr


@irdl_attr_definition
class DINamespaceAttr(StructAttr):
    """`#llvm.di_namespace`."""

    name = "llvm.di_namespace"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("name", optional=True),
        Field("scope", optional=True),
        Field("exportSymbols", "bool"),
    )
    name_: StringAttr | NoneAttr
    scope: Attribute
    exportSymbols: IntegerAttr


@irdl_attr_definition
class DIStringTypeAttr(StructAttr):
    """`#llvm.di_string_type`."""

    name = "llvm.di_string_type"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("tag", "keyword", optional=True),
        Field("name"),
        Field("sizeInBits", "int", optional=True, default=0),
        Field("alignInBits", "int", optional=True, default=0),
        Field("stringLength", optional=True),
        Field("stringLengthExp", optional=True, base="DIExpressionAttr"),
        Field("stringLocationExp", optional=True, base="DIExpressionAttr"),
        Field("encoding", "keyword", optional=True),
    )
    tag: StringAttr | NoneAttr
    name_: StringAttr
    sizeInBits: IntAttr
    alignInBits: IntAttr
    stringLength: Attribute
    stringLengthExp: Attribute
    stringLocationExp: Attribute
    encoding: StringAttr | NoneAttr


@irdl_attr_definition
class DISubprogramAttr(StructAttr):
    """`#llvm.di_subprogram`."""

    name = "llvm.di_subprogram"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("recId", optional=True),
        Field("isRecSelf", "bool", optional=True, default=False),
        Field("id", optional=True),
        Field("compileUnit", optional=True, base="DICompileUnitAttr"),
        Field("scope", optional=True),
        Field("name", optional=True),
        Field("linkageName", optional=True),
        Field("file", optional=True, base="DIFileAttr"),
        Field("line", "int", optional=True, default=0),
        Field("scopeLine", "int", optional=True, default=0),
        Field("subprogramFlags", "keyword", optional=True),
        Field("type", optional=True, base="DISubroutineTypeAttr"),
        Field("retainedNodes", optional=True, array=True),
        Field("annotations", optional=True, array=True),
    )
    recId: Attribute
    isRecSelf: IntegerAttr
    id: Attribute
    compileUnit: Attribute
    scope: Attribute
    name_: StringAttr | NoneAttr
    linkageName: StringAttr | NoneAttr
    file: Attribute
    line: IntAttr
    scopeLine: IntAttr
    subprogramFlags: StringAttr | NoneAttr
    type_: Attribute
    retainedNodes: ArrayAttr
    annotations: ArrayAttr


@irdl_attr_definition
class DISubrangeAttr(StructAttr):
    """`#llvm.di_subrange`."""

    name = "llvm.di_subrange"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("count", optional=True),
        Field("lowerBound", optional=True),
        Field("upperBound", optional=True),
        Field("stride", optional=True),
    )
    count: Attribute
    lowerBound: Attribute
    upperBound: Attribute
    stride: Attribute


@irdl_attr_definition
class DISubroutineTypeAttr(StructAttr):
    """`#llvm.di_subroutine_type`."""

    name = "llvm.di_subroutine_type"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("callingConvention", "keyword", optional=True),
        Field("types", optional=True, array=True),
    )
    callingConvention: StringAttr | NoneAttr
    types: ArrayAttr


@irdl_attr_definition
class DereferenceableAttr(StructAttr):
    """`#llvm.dereferenceable`."""

    name = "llvm.dereferenceable"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("bytes", "int"),
        Field("mayBeNull", "bool", optional=True, default=False),
    )
    bytes: IntAttr
    mayBeNull: IntegerAttr


@irdl_attr_definition
class MemoryEffectsAttr(StructAttr):
    """`#llvm.memory_effects`."""

    name = "llvm.memory_effects"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("other", "keyword"),
        Field("argMem", "keyword"),
        Field("inaccessibleMem", "keyword"),
        Field("errnoMem", "keyword"),
        Field("targetMem0", "keyword"),
        Field("targetMem1", "keyword"),
    )
    other: StringAttr
    argMem: StringAttr
    inaccessibleMem: StringAttr
    errnoMem: StringAttr
    targetMem0: StringAttr
    targetMem1: StringAttr


@irdl_attr_definition
class TBAATagAttr(StructAttr):
    """`#llvm.tbaa_tag`."""

    name = "llvm.tbaa_tag"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("base_type", base="TBAATypeDescriptorAttr"),
        Field("access_type", base="TBAATypeDescriptorAttr"),
        Field("offset", "int"),
        Field("constant", "bool", optional=True, default=False),
    )
    base_type: Attribute
    access_type: Attribute
    offset: IntAttr
    constant: IntegerAttr


@irdl_attr_definition
class VScaleRangeAttr(StructAttr):
    """`#llvm.vscale_range`."""

    name = "llvm.vscale_range"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("minRange"),
        Field("maxRange"),
    )
    minRange: IntegerAttr
    maxRange: IntegerAttr


@irdl_attr_definition
class VecTypeHintAttr(StructAttr):
    """`#llvm.vec_type_hint`."""

    name = "llvm.vec_type_hint"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("hint"),
        Field("is_signed", "bool", optional=True, default=False),
    )
    hint: Attribute
    is_signed: IntegerAttr


@irdl_attr_definition
class LoopAnnotationAttr(StructAttr):
    """`#llvm.loop_annotation`."""

    name = "llvm.loop_annotation"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disableNonforced", optional=True),
        Field("vectorize", optional=True, base="LoopVectorizeAttr"),
        Field("interleave", optional=True, base="LoopInterleaveAttr"),
        Field("unroll", optional=True, base="LoopUnrollAttr"),
        Field("unrollAndJam", optional=True, base="LoopUnrollAndJamAttr"),
        Field("licm", optional=True, base="LoopLICMAttr"),
        Field("distribute", optional=True, base="LoopDistributeAttr"),
        Field("pipeline", optional=True, base="LoopPipelineAttr"),
        Field("peeled", optional=True, base="LoopPeeledAttr"),
        Field("unswitch", optional=True, base="LoopUnswitchAttr"),
        Field("mustProgress", optional=True),
        Field("isVectorized", optional=True),
        Field("startLoc", optional=True),
        Field("endLoc", optional=True),
        Field("parallelAccesses", optional=True, base="AccessGroupAttr", array=True),
    )
    disableNonforced: IntegerAttr | NoneAttr
    vectorize: Attribute
    interleave: Attribute
    unroll: Attribute
    unrollAndJam: Attribute
    licm: Attribute
    distribute: Attribute
    pipeline: Attribute
    peeled: Attribute
    unswitch: Attribute
    mustProgress: IntegerAttr | NoneAttr
    isVectorized: IntegerAttr | NoneAttr
    startLoc: Attribute
    endLoc: Attribute
    parallelAccesses: ArrayAttr


@irdl_attr_definition
class LoopDistributeAttr(StructAttr):
    """`#llvm.loop_distribute`."""

    name = "llvm.loop_distribute"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("followupCoincident", optional=True, base="LoopAnnotationAttr"),
        Field("followupSequential", optional=True, base="LoopAnnotationAttr"),
        Field("followupFallback", optional=True, base="LoopAnnotationAttr"),
        Field("followupAll", optional=True, base="LoopAnnotationAttr"),
    )
    disable: IntegerAttr | NoneAttr
    followupCoincident: Attribute
    followupSequential: Attribute
    followupFallback: Attribute
    followupAll: Attribute


@irdl_attr_definition
class LoopInterleaveAttr(StructAttr):
    """`#llvm.loop_interleave`."""

    name = "llvm.loop_interleave"
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("count"),)
    count: IntegerAttr


@irdl_attr_definition
class LoopLICMAttr(StructAttr):
    """`#llvm.loop_licm`."""

    name = "llvm.loop_licm"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("versioningDisable", optional=True),
    )
    disable: IntegerAttr | NoneAttr
    versioningDisable: IntegerAttr | NoneAttr


@irdl_attr_definition
class LoopPeeledAttr(StructAttr):
    """`#llvm.loop_peeled`."""

    name = "llvm.loop_peeled"
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("count", optional=True),)
    count: IntegerAttr | NoneAttr


@irdl_attr_definition
class LoopPipelineAttr(StructAttr):
    """`#llvm.loop_pipeline`."""

    name = "llvm.loop_pipeline"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("initiationinterval", optional=True),
    )
    disable: IntegerAttr | NoneAttr
    initiationinterval: IntegerAttr | NoneAttr


@irdl_attr_definition
class LoopUnrollAndJamAttr(StructAttr):
    """`#llvm.loop_unroll_and_jam`."""

    name = "llvm.loop_unroll_and_jam"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("count", optional=True),
        Field("followupOuter", optional=True, base="LoopAnnotationAttr"),
        Field("followupInner", optional=True, base="LoopAnnotationAttr"),
        Field("followupRemainderOuter", optional=True, base="LoopAnnotationAttr"),
        Field("followupRemainderInner", optional=True, base="LoopAnnotationAttr"),
        Field("followupAll", optional=True, base="LoopAnnotationAttr"),
    )
    disable: IntegerAttr | NoneAttr
    count: IntegerAttr | NoneAttr
    followupOuter: Attribute
    followupInner: Attribute
    followupRemainderOuter: Attribute
    followupRemainderInner: Attribute
    followupAll: Attribute


@irdl_attr_definition
class LoopUnrollAttr(StructAttr):
    """`#llvm.loop_unroll`."""

    name = "llvm.loop_unroll"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("count", optional=True),
        Field("runtimeDisable", optional=True),
        Field("full", optional=True),
        Field("followupUnrolled", optional=True, base="LoopAnnotationAttr"),
        Field("followupRemainder", optional=True, base="LoopAnnotationAttr"),
        Field("followupAll", optional=True, base="LoopAnnotationAttr"),
    )
    disable: IntegerAttr | NoneAttr
    count: IntegerAttr | NoneAttr
    runtimeDisable: IntegerAttr | NoneAttr
    full: IntegerAttr | NoneAttr
    followupUnrolled: Attribute
    followupRemainder: Attribute
    followupAll: Attribute


@irdl_attr_definition
class LoopUnswitchAttr(StructAttr):
    """`#llvm.loop_unswitch`."""

    name = "llvm.loop_unswitch"
    FIELDS: ClassVar[tuple[Field, ...]] = (Field("partialDisable", optional=True),)
    partialDisable: IntegerAttr | NoneAttr


@irdl_attr_definition
class LoopVectorizeAttr(StructAttr):
    """`#llvm.loop_vectorize`."""

    name = "llvm.loop_vectorize"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("disable", optional=True),
        Field("predicateEnable", optional=True),
        Field("scalableEnable", optional=True),
        Field("width", optional=True),
        Field("followupVectorized", optional=True, base="LoopAnnotationAttr"),
        Field("followupEpilogue", optional=True, base="LoopAnnotationAttr"),
        Field("followupAll", optional=True, base="LoopAnnotationAttr"),
    )
    disable: IntegerAttr | NoneAttr
    predicateEnable: IntegerAttr | NoneAttr
    scalableEnable: IntegerAttr | NoneAttr
    width: IntegerAttr | NoneAttr
    followupVectorized: Attribute
    followupEpilogue: Attribute
    followupAll: Attribute


@irdl_attr_definition
class ModuleFlagCGProfileEntryAttr(StructAttr):
    """`#llvm.cgprofile_entry`."""

    name = "llvm.cgprofile_entry"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("from", optional=True),
        Field("to", optional=True),
        Field("count", "int"),
    )
    from_: Attribute
    to: Attribute
    count: IntAttr


@irdl_attr_definition
class ModuleFlagProfileSummaryAttr(StructAttr):
    """`#llvm.profile_summary`."""

    name = "llvm.profile_summary"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("format", "keyword"),
        Field("total_count", "int"),
        Field("max_count", "int"),
        Field("max_internal_count", "int"),
        Field("max_function_count", "int"),
        Field("num_counts", "int"),
        Field("num_functions", "int"),
        Field("is_partial_profile", "int", optional=True),
        Field("partial_profile_ratio", optional=True),
        Field("detailed_summary", base="ModuleFlagProfileSummaryDetailedAttr", array=True),
    )
    format: StringAttr
    total_count: IntAttr
    max_count: IntAttr
    max_internal_count: IntAttr
    max_function_count: IntAttr
    num_counts: IntAttr
    num_functions: IntAttr
    is_partial_profile: IntAttr | NoneAttr
    partial_profile_ratio: Attribute
    detailed_summary: ArrayAttr


@irdl_attr_definition
class ModuleFlagProfileSummaryDetailedAttr(StructAttr):
    """`#llvm.profile_summary_detailed`."""

    name = "llvm.profile_summary_detailed"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("cut_off", "int"),
        Field("min_count", "int"),
        Field("num_counts", "int"),
    )
    cut_off: IntAttr
    min_count: IntAttr
    num_counts: IntAttr


STRUCT_ATTRIBUTES: tuple[type[StructAttr], ...] = (
    AccessGroupAttr,
    AliasScopeAttr,
    AliasScopeDomainAttr,
    BlockAddressAttr,
    BlockTagAttr,
    DIAnnotationAttr,
    DIBasicTypeAttr,
    DICommonBlockAttr,
    DICompileUnitAttr,
    DICompositeTypeAttr,
    DIDerivedTypeAttr,
    DIGenericSubrangeAttr,
    DIGlobalVariableAttr,
    DIGlobalVariableExpressionAttr,
    DIImportedEntityAttr,
    DILabelAttr,
    DILexicalBlockAttr,
    DILexicalBlockFileAttr,
    DILocalVariableAttr,
    DIModuleAttr,
    DINamespaceAttr,
    DIStringTypeAttr,
    DISubprogramAttr,
    DISubrangeAttr,
    DISubroutineTypeAttr,
    DereferenceableAttr,
    MemoryEffectsAttr,
    TBAATagAttr,
    VScaleRangeAttr,
    VecTypeHintAttr,
    LoopAnnotationAttr,
    LoopDistributeAttr,
    LoopInterleaveAttr,
    LoopLICMAttr,
    LoopPeeledAttr,
    LoopPipelineAttr,
    LoopUnrollAndJamAttr,
    LoopUnrollAttr,
    LoopUnswitchAttr,
    LoopVectorizeAttr,
    ModuleFlagCGProfileEntryAttr,
    ModuleFlagProfileSummaryAttr,
    ModuleFlagProfileSummaryDetailedAttr,
)
