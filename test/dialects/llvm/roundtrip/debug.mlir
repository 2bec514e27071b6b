llvm.func @f(%arg0: i32) {
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_subprogram<id = distinct[0]<>, compileUnit = <id = distinct[1]<>, sourceLanguage = DW_LANG_C_plus_plus_14, file = <"a.cu" in "/src">, producer = "x", isOptimized = true, emissionKind = Full, nameTableKind = None>, scope = #llvm.di_file<"a.cu" in "/src">, name = "f", linkageName = "_Z1f", file = <"a.cu" in "/src">, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = <callingConvention = DW_CC_normal, types = #llvm.di_null_type, #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>>>, name = "a", arg = 1, type = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>, sizeInBits = 64, dwarfAddressSpace = 1>> #llvm.di_expression<[DW_OP_plus_uconst(4), DW_OP_deref, DW_OP_LLVM_convert(16, DW_ATE_unsigned), DW_OP_LLVM_fragment(0, 32)]> = %arg0 : i32
  llvm.return
}

// -----

llvm.func @f() {
  llvm.return
}

// -----

llvm.func @f() attributes {a = #llvm.di_composite_type<recId = distinct[0]<>, tag = DW_TAG_structure_type, name = "s", file = <"a" in "b">, line = 3, flags = "TypePassByValue|NonTrivial", sizeInBits = 64, elements = #llvm.di_derived_type<tag = DW_TAG_member, name = "x", baseType = #llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true>>, #llvm.di_subrange<count = 4 : i64>>, b = #llvm.di_global_variable_expression<var = <scope = #llvm.di_namespace<name = "n", exportSymbols = false>, name = "g", file = <"a" in "b">, line = 1, type = #llvm.di_null_type, isDefined = true>, expr = <>>, c = #llvm.di_lexical_block<scope = #llvm.di_file<"a" in "b">, line = 1, column = 2>}
