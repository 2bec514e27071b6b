"""Attributes of the llvm dialect in struct form, their fields in MLIR's order."""

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.attributes import StructAttr, optional, required
from nvvm_xdsl.dialects.op_rows import defined_in


class AccessGroupAttr(StructAttr, mnemonic="llvm.access_group"):
    """A group of memory accesses, named by loop annotations as parallel."""

    id: Attribute


class AliasScopeAttr(StructAttr, mnemonic="llvm.alias_scope"):
    """A scope of `noalias` facts within a domain."""

    id: Attribute
    domain: Attribute = required(base="AliasScopeDomainAttr")
    description: StringAttr | NoneAttr = optional()


class AliasScopeDomainAttr(StructAttr, mnemonic="llvm.alias_scope_domain"):
    """A domain of alias scopes, such as one inlined call."""

    id: Attribute
    description: StringAttr | NoneAttr = optional()


class BlockAddressAttr(StructAttr, mnemonic="llvm.blockaddress"):
    """The address of a block of a function."""

    function: Attribute
    tag: Attribute = required(base="BlockTagAttr")


class BlockTagAttr(StructAttr, mnemonic="llvm.blocktag"):
    """The label that a block address refers to."""

    id: IntAttr = required("int")


class DIAnnotationAttr(StructAttr, mnemonic="llvm.di_annotation"):
    """A named annotation of a declaration."""

    name_: StringAttr
    value: StringAttr


class DIBasicTypeAttr(StructAttr, mnemonic="llvm.di_basic_type"):
    """A scalar type of the source language; sizes are in bits."""

    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr
    sizeInBits: IntAttr = optional("int", 0)
    encoding: StringAttr | NoneAttr = optional("keyword")


class DICommonBlockAttr(StructAttr, mnemonic="llvm.di_common_block"):
    """A Fortran common block."""

    scope: Attribute
    decl: Attribute = optional(base="DIGlobalVariableAttr")
    name_: StringAttr
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)


class DICompileUnitAttr(
    StructAttr,
    mnemonic="llvm.di_compile_unit",
    dropped=("importedEntities", "isDebugInfoForProfiling", "isRecSelf", "recId"),
):
    """A compilation unit: source file, language and producer."""

    id: Attribute
    sourceLanguage: StringAttr = required("keyword")
    file: Attribute = required(base="DIFileAttr")
    producer: StringAttr | NoneAttr = optional()
    isOptimized: IntegerAttr = required("bool")
    emissionKind: StringAttr = required("keyword")
    nameTableKind: StringAttr = optional("keyword", "Default")
    splitDebugFilename: StringAttr | NoneAttr = optional()


class DICompositeTypeAttr(
    StructAttr,
    mnemonic="llvm.di_composite_type",
    dropped=("identifier", "discriminator"),
):
    """An array, structure, union or enumeration of the source language."""

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


class DIDerivedTypeAttr(
    StructAttr,
    mnemonic="llvm.di_derived_type",
    dropped=("file", "flags", "line", "scope"),
):
    """A type or member derived from `baseType`, such as a pointer or a typedef."""

    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr | NoneAttr = optional()
    baseType: Attribute = optional()
    sizeInBits: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    offsetInBits: IntAttr = optional("int", 0)
    dwarfAddressSpace: IntAttr | NoneAttr = optional("int")
    extraData: Attribute = optional()


class DIGenericSubrangeAttr(StructAttr, mnemonic="llvm.di_generic_subrange"):
    """The bounds of an array dimension of assumed rank."""

    count: Attribute = optional()
    lowerBound: Attribute
    upperBound: Attribute = optional()
    stride: Attribute


class DIGlobalVariableAttr(StructAttr, mnemonic="llvm.di_global_variable"):
    """A global variable of the source."""

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
    """A global variable with the expression that locates it."""

    var: Attribute = required(base="DIGlobalVariableAttr")
    expr: Attribute = optional(base="DIExpressionAttr")


class DIImportedEntityAttr(StructAttr, mnemonic="llvm.di_imported_entity"):
    """An imported module or declaration."""

    tag: StringAttr | NoneAttr = optional("keyword")
    scope: Attribute
    entity: Attribute
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    name_: StringAttr | NoneAttr = optional()
    elements: ArrayAttr = optional(array=True)


class DILabelAttr(StructAttr, mnemonic="llvm.di_label"):
    """A label of the source."""

    scope: Attribute
    name_: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)


class DILexicalBlockAttr(StructAttr, mnemonic="llvm.di_lexical_block"):
    """A scope of statements, with its start in the source."""

    scope: Attribute
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    column: IntAttr = optional("int", 0)


class DILexicalBlockFileAttr(StructAttr, mnemonic="llvm.di_lexical_block_file"):
    """A scope of statements from another file or with another discriminator."""

    scope: Attribute
    file: Attribute = optional(base="DIFileAttr")
    discriminator: IntAttr = required("int")


class DILocalVariableAttr(StructAttr, mnemonic="llvm.di_local_variable"):
    """A local variable; `arg` counts parameters from 1 and is 0 for other variables."""

    scope: Attribute
    name_: StringAttr | NoneAttr = optional()
    file: Attribute = optional(base="DIFileAttr")
    line: IntAttr = optional("int", 0)
    arg: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    type_: Attribute = optional()
    flags: StringAttr | NoneAttr = optional("keyword")


class DIModuleAttr(StructAttr, mnemonic="llvm.di_module"):
    """A module of the source language."""

    file: Attribute = optional(base="DIFileAttr")
    scope: Attribute = optional()
    name_: StringAttr | NoneAttr = optional()
    configMacros: StringAttr | NoneAttr = optional()
    includePath: StringAttr | NoneAttr = optional()
    apinotes: StringAttr | NoneAttr = optional()
    line: IntAttr = optional("int", 0)
    isDecl: IntegerAttr = optional("bool", False)


class DINamespaceAttr(StructAttr, mnemonic="llvm.di_namespace"):
    """A namespace."""

    name_: StringAttr | NoneAttr = optional()
    scope: Attribute = optional()
    exportSymbols: IntegerAttr = required("bool")


class DIStringTypeAttr(
    StructAttr,
    mnemonic="llvm.di_string_type",
    dropped=("charType",),
):
    """A string type of Fortran."""

    tag: StringAttr | NoneAttr = optional("keyword")
    name_: StringAttr
    sizeInBits: IntAttr = optional("int", 0)
    alignInBits: IntAttr = optional("int", 0)
    stringLength: Attribute = optional()
    stringLengthExp: Attribute = optional(base="DIExpressionAttr")
    stringLocationExp: Attribute = optional(base="DIExpressionAttr")
    encoding: StringAttr | NoneAttr = optional("keyword")


class DISubprogramAttr(StructAttr, mnemonic="llvm.di_subprogram"):
    """A function of the source."""

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
    """The bounds of an array dimension."""

    count: Attribute = optional()
    lowerBound: Attribute = optional()
    upperBound: Attribute = optional()
    stride: Attribute = optional()


class DISubroutineTypeAttr(StructAttr, mnemonic="llvm.di_subroutine_type"):
    """A function type: the result, then the parameters."""

    callingConvention: StringAttr | NoneAttr = optional("keyword")
    types: ArrayAttr = optional(array=True)


class DereferenceableAttr(StructAttr, mnemonic="llvm.dereferenceable"):
    """The bytes that may be read through a loaded pointer."""

    bytes: IntAttr = required("int")
    mayBeNull: IntegerAttr = optional("bool", False)


class MemoryEffectsAttr(StructAttr, mnemonic="llvm.memory_effects"):
    """A function's reads and writes by kind of memory."""

    other: StringAttr = required("keyword")
    argMem: StringAttr = required("keyword")
    inaccessibleMem: StringAttr = required("keyword")
    errnoMem: StringAttr = required("keyword")
    targetMem0: StringAttr = required("keyword")
    targetMem1: StringAttr = required("keyword")


class TBAATagAttr(StructAttr, mnemonic="llvm.tbaa_tag"):
    """The type of an access for type-based alias analysis; `offset` is in bytes."""

    base_type: Attribute = required(base="TBAATypeDescriptorAttr")
    access_type: Attribute = required(base="TBAATypeDescriptorAttr")
    offset: IntAttr = required("int")
    constant: IntegerAttr = optional("bool", False)


class VScaleRangeAttr(StructAttr, mnemonic="llvm.vscale_range"):
    """The bounds of `vscale`."""

    minRange: IntegerAttr
    maxRange: IntegerAttr


class VecTypeHintAttr(StructAttr, mnemonic="llvm.vec_type_hint"):
    """OpenCL's `vec_type_hint` of a kernel."""

    hint: Attribute
    is_signed: IntegerAttr = optional("bool", False)


class FunctionEntryCountAttr(
    StructAttr, mnemonic="llvm.function_entry_count", dropped=("imports",)
):
    """The number of calls in a profile, in MLIR's main branch; MLIR 22 has an integer."""

    entry_count: IntAttr = required("int")


class DenormalFPEnvAttr(StructAttr, mnemonic="llvm.denormal_fpenv"):
    """Modes of denormal numbers of a function, in MLIR's main branch: those of all floats, and those of f32."""

    default_output_mode: StringAttr = required("keyword")
    default_input_mode: StringAttr = required("keyword")
    float_output_mode: StringAttr = required("keyword")
    float_input_mode: StringAttr = required("keyword")


class LoopAnnotationAttr(StructAttr, mnemonic="llvm.loop_annotation", dropped=("id",)):
    """Metadata of a loop, attached to the branch of its backedge."""

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
    """Controls loop distribution and the annotations of the resulting loops."""

    disable: IntegerAttr | NoneAttr = optional()
    followupCoincident: Attribute = optional(base="LoopAnnotationAttr")
    followupSequential: Attribute = optional(base="LoopAnnotationAttr")
    followupFallback: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopInterleaveAttr(StructAttr, mnemonic="llvm.loop_interleave"):
    """The number of iterations to interleave."""

    count: IntegerAttr


class LoopLICMAttr(StructAttr, mnemonic="llvm.loop_licm"):
    """Disables LICM or its versioning of a loop."""

    disable: IntegerAttr | NoneAttr = optional()
    versioningDisable: IntegerAttr | NoneAttr = optional()


class LoopPeeledAttr(StructAttr, mnemonic="llvm.loop_peeled"):
    """The number of peeled iterations."""

    count: IntegerAttr | NoneAttr = optional()


class LoopPipelineAttr(StructAttr, mnemonic="llvm.loop_pipeline"):
    """Controls software pipelining."""

    disable: IntegerAttr | NoneAttr = optional()
    initiationinterval: IntegerAttr | NoneAttr = optional()


class LoopUnrollAndJamAttr(StructAttr, mnemonic="llvm.loop_unroll_and_jam"):
    """Controls unroll-and-jam and the annotations of the resulting loops."""

    disable: IntegerAttr | NoneAttr = optional()
    count: IntegerAttr | NoneAttr = optional()
    followupOuter: Attribute = optional(base="LoopAnnotationAttr")
    followupInner: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainderOuter: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainderInner: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopUnrollAttr(StructAttr, mnemonic="llvm.loop_unroll"):
    """Controls unrolling and the annotations of the resulting loops."""

    disable: IntegerAttr | NoneAttr = optional()
    count: IntegerAttr | NoneAttr = optional()
    runtimeDisable: IntegerAttr | NoneAttr = optional()
    full: IntegerAttr | NoneAttr = optional()
    followupUnrolled: Attribute = optional(base="LoopAnnotationAttr")
    followupRemainder: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class LoopUnswitchAttr(StructAttr, mnemonic="llvm.loop_unswitch"):
    """Disables partial unswitching of a loop."""

    partialDisable: IntegerAttr | NoneAttr = optional()


class LoopVectorizeAttr(StructAttr, mnemonic="llvm.loop_vectorize"):
    """Controls vectorization and the annotations of the resulting loops."""

    disable: IntegerAttr | NoneAttr = optional()
    predicateEnable: IntegerAttr | NoneAttr = optional()
    scalableEnable: IntegerAttr | NoneAttr = optional()
    width: IntegerAttr | NoneAttr = optional()
    followupVectorized: Attribute = optional(base="LoopAnnotationAttr")
    followupEpilogue: Attribute = optional(base="LoopAnnotationAttr")
    followupAll: Attribute = optional(base="LoopAnnotationAttr")


class ModuleFlagCGProfileEntryAttr(StructAttr, mnemonic="llvm.cgprofile_entry"):
    """The number of calls of a function by another one, from a profile."""

    from_: Attribute = optional()
    to: Attribute = optional()
    count: IntAttr = required("int")


class ModuleFlagProfileSummaryAttr(StructAttr, mnemonic="llvm.profile_summary"):
    """The summary of a profile in the module flags."""

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
    """Counts of a profile at one cutoff, in millionths."""

    cut_off: IntAttr = required("int")
    min_count: IntAttr = required("int")
    num_counts: IntAttr = required("int")


STRUCT_ATTRIBUTES = defined_in(globals(), StructAttr)
