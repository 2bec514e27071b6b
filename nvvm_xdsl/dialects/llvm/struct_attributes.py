"""Attributes of the llvm dialect in struct form, their fields in MLIR's order."""

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.attributes import StructAttr, optional, required
from nvvm_xdsl.dialects.rows import defined_in


class AccessGroupAttr(StructAttr, mnemonic="llvm.access_group"):
    id: Attribute


class AliasScopeAttr(StructAttr, mnemonic="llvm.alias_scope"):
    id: Attribute
    domain: Attribute = required(base="AliasScopeDomainAttr")
    description: StringAttr | NoneAttr = optional()


class AliasScopeDomainAttr(StructAttr, mnemonic="llvm.alias_scope_domain"):
    id: Attribute
    description: StringAttr | NoneAttr = optional()


class BlockAddressAttr(StructAttr, mnemonic="llvm.blockaddress"):
    function: Attribute
    tag: Attribute = required(base="BlockTagAttr")


class BlockTagAttr(StructAttr, mnemonic="llvm.blocktag"):
    id: IntAttr = required("int")


class DIAnnotationAttr(StructAttr, mnemonic="llvm.di_annotation"):
    name_: StringAttr
    value: StringAttr


class DIBasicTypeAttr(StructAttr, mnemonic="llvm.di_basic_type"):
    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr
    sizeInBits: IntAttr = optional("int", 0)
    encoding: StringAttr | NoneAttr = optional("keyword")


class DICommonBlockAttr(StructAttr, mnemonic="llvm.di_common_block"):
    scope: Attribute
    decl: Attribute = optional(base="DIGlobalVariableAttr")
    name_: StringAttr
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)


class DICompileUnitAttr(StructAttr, mnemonic="llvm.di_compile_unit"):
    id: Attribute
    sourceLanguage: StringAttr = required("keyword")
    file: Attribute = required(base="DIFileAttr")
    producer: StringAttr | NoneAttr = optional()
    isOptimized: IntegerAttr = required("bool")
    emissionKind: StringAttr = required("keyword")
    nameTableKind: StringAttr = optional("keyword", "Default")
    splitDebugFilename: StringAttr | NoneAttr = optional()


class DICompositeTypeAttr(StructAttr, mnemonic="llvm.di_composite_type"):
    recId: Attribute = optional()
    isRecSelf: IntegerAttr = optional("bool", False)
    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    scope: Attribute = optional()
    baseType: Attribute = optional()
    flags: StringAttr | NoneAttr = optional("keyword")
    sizeInBits: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    dataLocation: Attribute = optional(base="DIExpressionAttr")
    rank: Attribute = optional(base="DIExpressionAttr")
    allocated: Attribute = optional(base="DIExpressionAttr")
    associated: Attribute = optional(base="DIExpressionAttr")
    elements: ArrayAttr = optional(array=True)


class DIDerivedTypeAttr(StructAttr, mnemonic="llvm.di_derived_type"):
    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr | NoneAttr = optional()
    baseType: Attribute = optional()
    sizeInBits: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    offsetInBits: IntAttr = optional("int", 0)
    dwarfAddressSpace: IntAttr | NoneAttr = optional("int")
    extraData: Attribute = optional()


class DIGenericSubrangeAttr(StructAttr, mnemonic="llvm.di_generic_subrange"):
    count: Attribute = optional()
    lowerBound: Attribute
    upperBound: Attribute = optional()
    stride: Attribute


class DIGlobalVariableAttr(StructAttr, mnemonic="llvm.di_global_variable"):
    scope: Attribute = optional()
    name_: StringAttr | NoneAttr = optional()
    linkageName: StringAttr | NoneAttr = optional()
    file: Attribute = required(base="DIFileAttr")
    line: IntAttr = required("int")
    type_: Attribute
    isLocalToUnit: IntegerAttr = optional("bool", False)
    isDefined: IntegerAttr = optional("bool", False)
    alignInBits: IntAttr = optional("int", 0)


class DIGlobalVariableExpressionAttr(StructAttr, mnemonic="llvm.di_global_variable_expression"):
    var: Attribute = required(base="DIGlobalVariableAttr")
    expr: Attribute = optional(base="DIExpressionAttr")


class DIImportedEntityAttr(StructAttr, mnemonic="llvm.di_imported_entity"):
    tag: StringAttr | NoneAttr = optional("keyword")
    scope: Attribute
    entity: Attribute
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    name_: StringAttr | NoneAttr = optional()
    elements: ArrayAttr = optional(array=True)


class DILabelAttr(StructAttr, mnemonic="llvm.di_label"):
    scope: Attribute
    name_: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)


class DILexicalBlockAttr(StructAttr, mnemonic="llvm.di_lexical_block"):
    scope: Attribute
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    column: IntAttr = optional("int", 0)


class DILexicalBlockFileAttr(StructAttr, mnemonic="llvm.di_lexical_block_file"):
    scope: Attribute
    file: Attribute = optional(base="DIFileAttr")
    discriminator: IntAttr = required("int")


class DILocalVariableAttr(StructAttr, mnemonic="llvm.di_local_variable"):
    scope: Attribute
    name_: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    arg: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    type_: Attribute = optional()
    flags: StringAttr | NoneAttr = optional("keyword")


class DIModuleAttr(StructAttr, mnemonic="llvm.di_module"):
    file: Attribute = optional(base="DIFileAttr")
    scope: Attribute = optional()
    name_: StringAttr | NoneAttr = optional()
    configMacros: StringAttr | NoneAttr = optional()
    includePath: StringAttr | NoneAttr = optional()
    apinotes: StringAttr | NoneAttr = optional()
    line: IntAttr = optional("int", 0)
    isDecl: IntegerAttr = optional("bool", False)


class DINamespaceAttr(StructAttr, mnemonic="llvm.di_namespace"):
    name_: StringAttr | NoneAttr = optional()
    scope: Attribute = optional()
    exportSymbols: IntegerAttr = required("bool")


class DIStringTypeAttr(StructAttr, mnemonic="llvm.di_string_type"):
    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr
    sizeInBits: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    stringLength: Attribute = optional()
    stringLengthExp: Attribute = optional(base="DIExpressionAttr")
    stringLocationExp: Attribute = optional(base="DIExpressionAttr")
    encoding: StringAttr | NoneAttr = optional("keyword")


class DISubprogramAttr(StructAttr, mnemonic="llvm.di_subprogram"):
    recId: Attribute = optional()
    isRecSelf: IntegerAttr = optional("bool", False)
    id: Attribute = optional()
    compileUnit: Attribute = optional(base="DICompileUnitAttr")
    scope: Attribute = optional()
    name_: StringAttr | NoneAttr = optional()
    linkageName: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    scopeLine: IntAttr = optional("int", 0)
    subprogramFlags: StringAttr | NoneAttr = optional("keyword")
    type_: Attribute = optional(base="DISubroutineTypeAttr")
    retainedNodes: ArrayAttr = optional(array=True)
    annotations: ArrayAttr = optional(array=True)


class DISubrangeAttr(StructAttr, mnemonic="llvm.di_subrange"):
    count: Attribute = optional()
    lowerBound: Attribute = optional()
    upperBound: Attribute = optional()
    stride: Attribute = optional()


class DISubroutineTypeAttr(StructAttr, mnemonic="llvm.di_subroutine_type"):
    callingConvention: StringAttr | NoneAttr = optional("keyword")
    types: ArrayAttr = optional(array=True)


class DereferenceableAttr(StructAttr, mnemonic="llvm.dereferenceable"):
    bytes: IntAttr = required("int")
    mayBeNull: IntegerAttr = optional("bool", False)


class MemoryEffectsAttr(StructAttr, mnemonic="llvm.memory_effects"):
    other: StringAttr = required("keyword")
    argMem: StringAttr = required("keyword")
    inaccessibleMem: StringAttr = required("keyword")
    errnoMem: StringAttr = required("keyword")
    targetMem0: StringAttr = required("keyword")
    targetMem1: StringAttr = required("keyword")


class TBAATagAttr(StructAttr, mnemonic="llvm.tbaa_tag"):
    base_type: Attribute = required(base="TBAATypeDescriptorAttr")
    access_type: Attribute = required(base="TBAATypeDescriptorAttr")
    offset: IntAttr = required("int")
    constant: IntegerAttr = optional("bool", False)


class VScaleRangeAttr(StructAttr, mnemonic="llvm.vscale_range"):
    minRange: IntegerAttr
    maxRange: IntegerAttr


class VecTypeHintAttr(StructAttr, mnemonic="llvm.vec_type_hint"):
    hint: Attribute
    is_signed: IntegerAttr = optional("bool", False)


class LoopAnnotationAttr(StructAttr, mnemonic="llvm.loop_annotation"):
    disableNonforced: IntegerAttr | NoneAttr = optional()
    vectorize: Attribute = optional(base="LoopVectorizeAttr")
    interleave: Attribute = optional(base="LoopInterleaveAttr")
    unroll: Attribute = optional(base="LoopUnrollAttr")
    unrollAndJam: Attribute = optional(base="LoopUnrollAndJamAttr")
    licm: Attribute = optional(base="LoopLICMAttr")
    distribute: Attribute = optional(base="LoopDistributeAttr")
    pipeline: Attribute = optional(base="LoopPipelineAttr")
    peeled: Attribute = optional(base="LoopPeeledAttr")
    unswitch: Attribute = optional(base="LoopUnswitchAttr")
    mustProgress: IntegerAttr | NoneAttr = optional()
    isVectorized: IntegerAttr | NoneAttr = optional()
    startLoc: Attribute = optional()
    endLoc: Attribute = optional()
    parallelAccesses: ArrayAttr = optional(base="AccessGroupAttr", array=True)


class LoopDistributeAttr(StructAttr, mnemonic="llvm.loop_distribute"):
    disable: IntegerAttr | NoneAttr = optional()
    followupCoincident: Attribute = optional(base="LoopAnnotationAttr")
    followupSequential: Attribute = optional(base="LoopAnnotationAttr")
    followupFallback: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopInterleaveAttr(StructAttr, mnemonic="llvm.loop_interleave"):
    count: IntegerAttr


class LoopLICMAttr(StructAttr, mnemonic="llvm.loop_licm"):
    disable: IntegerAttr | NoneAttr = optional()
    versioningDisable: IntegerAttr | NoneAttr = optional()


class LoopPeeledAttr(StructAttr, mnemonic="llvm.loop_peeled"):
    count: IntegerAttr | NoneAttr = optional()


class LoopPipelineAttr(StructAttr, mnemonic="llvm.loop_pipeline"):
    disable: IntegerAttr | NoneAttr = optional()
    initiationinterval: IntegerAttr | NoneAttr = optional()


class LoopUnrollAndJamAttr(StructAttr, mnemonic="llvm.loop_unroll_and_jam"):
    disable: IntegerAttr | NoneAttr = optional()
    count: IntegerAttr | NoneAttr = optional()
    followupOuter: Attribute = optional(base="LoopAnnotationAttr")
    followupInner: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainderOuter: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainderInner: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopUnrollAttr(StructAttr, mnemonic="llvm.loop_unroll"):
    disable: IntegerAttr | NoneAttr = optional()
    count: IntegerAttr | NoneAttr = optional()
    runtimeDisable: IntegerAttr | NoneAttr = optional()
    full: IntegerAttr | NoneAttr = optional()
    followupUnrolled: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainder: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopUnswitchAttr(StructAttr, mnemonic="llvm.loop_unswitch"):
    partialDisable: IntegerAttr | NoneAttr = optional()


class LoopVectorizeAttr(StructAttr, mnemonic="llvm.loop_vectorize"):
    disable: IntegerAttr | NoneAttr = optional()
    predicateEnable: IntegerAttr | NoneAttr = optional()
    scalableEnable: IntegerAttr | NoneAttr = optional()
    width: IntegerAttr | NoneAttr = optional()
    followupVectorized: Attribute = optional(base="LoopAnnotationAttr")
    followupEpilogue: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class ModuleFlagCGProfileEntryAttr(StructAttr, mnemonic="llvm.cgprofile_entry"):
    from_: Attribute = optional()
    to: Attribute = optional()
    count: IntAttr = required("int")


class ModuleFlagProfileSummaryAttr(StructAttr, mnemonic="llvm.profile_summary"):
    format: StringAttr = required("keyword")
    total_count: IntAttr = required("int")
    max_count: IntAttr = required("int")
    max_internal_count: IntAttr = required("int")
    max_function_count: IntAttr = required("int")
    num_counts: IntAttr = required("int")
    num_functions: IntAttr = required("int")
    is_partial_profile: IntAttr | NoneAttr = optional("int")
    partial_profile_ratio: Attribute = optional()
    detailed_summary: ArrayAttr = required(base="ModuleFlagProfileSummaryDetailedAttr", array=True)


class ModuleFlagProfileSummaryDetailedAttr(StructAttr, mnemonic="llvm.profile_summary_detailed"):
    cut_off: IntAttr = required("int")
    min_count: IntAttr = required("int")
    num_counts: IntAttr = required("int")


STRUCT_ATTRIBUTES = defined_in(globals(), StructAttr)
