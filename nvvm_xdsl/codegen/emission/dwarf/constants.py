"""Constants of DWARF (DWARF 2, section 7; later ones if debuggers support them)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Tag(IntEnum):
    """Tags of debugging information entries."""

    ARRAY_TYPE = 0x01
    CLASS_TYPE = 0x02
    ENUMERATION_TYPE = 0x04
    FORMAL_PARAMETER = 0x05
    LEXICAL_BLOCK = 0x0B
    MEMBER = 0x0D
    POINTER_TYPE = 0x0F
    REFERENCE_TYPE = 0x10
    COMPILE_UNIT = 0x11
    STRUCTURE_TYPE = 0x13
    SUBROUTINE_TYPE = 0x15
    TYPEDEF = 0x16
    UNION_TYPE = 0x17
    INHERITANCE = 0x1C
    INLINED_SUBROUTINE = 0x1D
    PTR_TO_MEMBER_TYPE = 0x1F
    SUBRANGE_TYPE = 0x21
    BASE_TYPE = 0x24
    CONST_TYPE = 0x26
    ENUMERATOR = 0x28
    SUBPROGRAM = 0x2E
    VARIABLE = 0x34
    VOLATILE_TYPE = 0x35
    NAMESPACE = 0x39
    UNSPECIFIED_TYPE = 0x3B


class At(IntEnum):
    """Attributes."""

    LOCATION = 0x02
    NAME = 0x03
    BYTE_SIZE = 0x0B
    BIT_OFFSET = 0x0C
    BIT_SIZE = 0x0D
    STMT_LIST = 0x10
    LOW_PC = 0x11
    HIGH_PC = 0x12
    LANGUAGE = 0x13
    COMP_DIR = 0x1B
    CONST_VALUE = 0x1C
    INLINE = 0x20
    PRODUCER = 0x25
    PROTOTYPED = 0x27
    LOWER_BOUND = 0x22
    UPPER_BOUND = 0x2F
    ABSTRACT_ORIGIN = 0x31
    ADDRESS_CLASS = 0x33
    COUNT = 0x37
    DATA_MEMBER_LOCATION = 0x38
    DECL_FILE = 0x3A
    DECL_LINE = 0x3B
    DECLARATION = 0x3C
    ENCODING = 0x3E
    EXTERNAL = 0x3F
    FRAME_BASE = 0x40
    TYPE = 0x49
    CALL_COLUMN = 0x57
    CALL_FILE = 0x58
    CALL_LINE = 0x59
    LINKAGE_NAME = 0x2007


class Form(IntEnum):
    """Forms of attribute values."""

    ADDR = 0x01
    DATA2 = 0x05
    DATA4 = 0x06
    DATA8 = 0x07
    STRING = 0x08
    BLOCK1 = 0x0A
    DATA1 = 0x0B
    FLAG = 0x0C
    SDATA = 0x0D
    REF4 = 0x13


class Op(IntEnum):
    """Operations of location expressions."""

    ADDR = 0x03
    DEREF = 0x06
    CONSTU = 0x10
    CONSTS = 0x11
    AND = 0x1A
    MINUS = 0x1C
    MUL = 0x1E
    OR = 0x21
    PLUS = 0x22
    PLUS_UCONST = 0x23
    SHL = 0x24
    XOR = 0x27
    REGX = 0x90
    BREGX = 0x92
    PIECE = 0x93
    DEREF_SIZE = 0x94
    CALL_FRAME_CFA = 0x9C
    STACK_VALUE = 0x9F


class AddressClass(IntEnum):
    """Address classes of variables (CUDA, PTX Writer's Guide to Interoperability, "CUDA-Specific
    DWARF")."""

    REGISTER = 2
    CONSTANT = 4
    GLOBAL = 5
    LOCAL = 6
    PARAMETER = 7
    SHARED = 8
    GENERIC = 12


ENCODINGS: Final = {
    "DW_ATE_address": 1,
    "DW_ATE_boolean": 2,
    "DW_ATE_complex_float": 3,
    "DW_ATE_float": 4,
    "DW_ATE_signed": 5,
    "DW_ATE_signed_char": 6,
    "DW_ATE_unsigned": 7,
    "DW_ATE_unsigned_char": 8,
    "DW_ATE_UTF": 16,
}
"""`DW_AT_encoding` by its name in the IR."""

LANGUAGES: Final = {
    "DW_LANG_C89": 0x01,
    "DW_LANG_C": 0x02,
    "DW_LANG_Ada83": 0x03,
    "DW_LANG_C_plus_plus": 0x04,
    "DW_LANG_Fortran77": 0x07,
    "DW_LANG_Fortran90": 0x08,
    "DW_LANG_C99": 0x0C,
    "DW_LANG_Python": 0x14,
    "DW_LANG_OpenCL": 0x15,
    "DW_LANG_C_plus_plus_03": 0x19,
    "DW_LANG_C_plus_plus_11": 0x1A,
    "DW_LANG_Rust": 0x1C,
    "DW_LANG_C11": 0x1D,
    "DW_LANG_Julia": 0x1F,
    "DW_LANG_C_plus_plus_14": 0x21,
    "DW_LANG_Fortran08": 0x23,
    "DW_LANG_C_plus_plus_17": 0x2A,
    "DW_LANG_C_plus_plus_20": 0x2B,
    "DW_LANG_C17": 0x2C,
}
"""`DW_AT_language` by its name in the IR."""

TYPE_TAGS: Final = {
    "DW_TAG_array_type": Tag.ARRAY_TYPE,
    "DW_TAG_base_type": Tag.BASE_TYPE,
    "DW_TAG_class_type": Tag.CLASS_TYPE,
    "DW_TAG_const_type": Tag.CONST_TYPE,
    "DW_TAG_enumeration_type": Tag.ENUMERATION_TYPE,
    "DW_TAG_inheritance": Tag.INHERITANCE,
    "DW_TAG_member": Tag.MEMBER,
    "DW_TAG_pointer_type": Tag.POINTER_TYPE,
    "DW_TAG_ptr_to_member_type": Tag.PTR_TO_MEMBER_TYPE,
    "DW_TAG_reference_type": Tag.REFERENCE_TYPE,
    # DWARF 2 has only one kind of reference.
    "DW_TAG_rvalue_reference_type": Tag.REFERENCE_TYPE,
    "DW_TAG_structure_type": Tag.STRUCTURE_TYPE,
    "DW_TAG_typedef": Tag.TYPEDEF,
    "DW_TAG_union_type": Tag.UNION_TYPE,
    "DW_TAG_unspecified_type": Tag.UNSPECIFIED_TYPE,
    "DW_TAG_volatile_type": Tag.VOLATILE_TYPE,
}
"""Tags of types by their names in the IR; types that DWARF 2 lacks (`restrict`, `_Atomic`) are
omitted.
"""
