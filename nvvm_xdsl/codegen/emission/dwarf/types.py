"""Entries for types and the scopes that declare them, once per unit."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute

from nvvm_xdsl.codegen.emission.dwarf.constants import ENCODINGS, TYPE_TAGS, At, Op, Tag
from nvvm_xdsl.codegen.emission.dwarf.dies import Die, uleb128
from nvvm_xdsl.dialects.attributes import StructAttr
from nvvm_xdsl.dialects.llvm.attributes import DIFileAttr, DINullTypeAttr
from nvvm_xdsl.dialects.llvm.debug_fields import integer_in, number_in, size_in_bits, text_of
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    DIBasicTypeAttr,
    DICompositeTypeAttr,
    DIDerivedTypeAttr,
    DINamespaceAttr,
    DISubrangeAttr,
    DISubroutineTypeAttr,
)
from nvvm_xdsl.ir.arrays import items_of

FileNumber: TypeAlias = Callable[[str], int]
"""Assigns a number to a source file by its path."""

_INDEX_TYPE_NAME: Final = "__ARRAY_SIZE_TYPE__"
_INDEX_BYTES: Final = 8
_VALUELESS: Final = ("DW_TAG_restrict_type", "DW_TAG_atomic_type", "DW_TAG_immutable_type")
"""Qualifiers that DWARF 2 lacks are replaced by the qualified type."""


def path_of(file: Attribute | None) -> str | None:
    """The path of a `#llvm.di_file`, in the form of locations."""
    if not isinstance(file, DIFileAttr):
        return None
    name, directory = file.file_name.data, file.directory.data
    return name if not directory or name.startswith("/") else posixpath.join(directory, name)


class Types:
    """The types of a unit.

    Arguments:
        unit: its entry.
        file_number: numbers source files.
    """

    def __init__(self, unit: Die, file_number: FileNumber) -> None:
        self._unit = unit
        self._file_number = file_number
        self._made: dict[Attribute, Die | None] = {}
        self._recursive: dict[Attribute, Die] = {}
        self._index_type: Die | None = None

    def declared(self, die: Die, attribute: StructAttr) -> None:
        """Adds the location of the attribute's declaration."""
        path = path_of(attribute.field("file"))
        if path is not None:
            die.number(At.DECL_FILE, self._file_number(path))
            die.number(At.DECL_LINE, number_in(attribute, "line"))

    def type_(self, attribute: Attribute | None) -> Die | None:
        """The entry of a type; None for `void` and types that DWARF 2 cannot express."""
        if attribute is None:
            return None
        if attribute in self._made:
            return self._made[attribute]
        if isinstance(attribute, DICompositeTypeAttr):
            return self._composite(attribute)
        made: Die | None = None
        if isinstance(attribute, DIBasicTypeAttr):
            made = self._basic(attribute)
        elif isinstance(attribute, DIDerivedTypeAttr):
            return self._derived(attribute)
        elif isinstance(attribute, DISubroutineTypeAttr):
            made = self._subroutine(attribute)
        self._made[attribute] = made
        return made

    def context(self, scope: Attribute | None) -> Die:
        """The entry that contains the declarations of a scope."""
        if isinstance(scope, DINamespaceAttr):
            known = self._made.get(scope)
            if known is None:
                known = self.context(scope.field("scope")).child(Tag.NAMESPACE)
                self._made[scope] = known
                if text_of(scope, "name"):
                    known.text(At.NAME, text_of(scope, "name"))
            return known
        if isinstance(scope, DICompositeTypeAttr):
            return self._composite(scope) or self._unit
        return self._unit

    def _basic(self, attribute: DIBasicTypeAttr) -> Die:
        if text_of(attribute, "tag") == "DW_TAG_unspecified_type":
            made = self._unit.child(Tag.UNSPECIFIED_TYPE)
            made.text(At.NAME, text_of(attribute, "name"))
            return made
        made = self._unit.child(Tag.BASE_TYPE)
        made.text(At.NAME, text_of(attribute, "name"))
        made.number(At.ENCODING, ENCODINGS.get(text_of(attribute, "encoding"), 0))
        made.number(At.BYTE_SIZE, _bytes(attribute))
        return made

    def _derived(self, attribute: DIDerivedTypeAttr) -> Die | None:
        name = text_of(attribute, "tag")
        base = attribute.field("baseType")
        if name in _VALUELESS:
            return self.type_(base)
        tag = TYPE_TAGS.get(name)
        if tag is None:
            return None
        made = Die(tag)
        self._made[attribute] = made
        target = self.type_(base)
        self._unit.children.append(made)
        made.reference(At.TYPE, target)
        if text_of(attribute, "name"):
            made.text(At.NAME, text_of(attribute, "name"))
        space = attribute.field("dwarfAddressSpace")
        if space is not None:
            made.number(At.ADDRESS_CLASS, integer_in(space))
        return made

    def _subroutine(self, attribute: DISubroutineTypeAttr) -> Die:
        made = Die(Tag.SUBROUTINE_TYPE)
        self._made[attribute] = made
        result, *parameters = [
            None if isinstance(type_, DINullTypeAttr) else self.type_(type_)
            for type_ in items_of(attribute.field("types")) or (DINullTypeAttr(),)
        ]
        self._unit.children.append(made)
        made.reference(At.TYPE, result)
        made.flag(At.PROTOTYPED)
        for parameter in parameters:
            made.child(Tag.FORMAL_PARAMETER).reference(At.TYPE, parameter)
        return made

    # Composite types

    def _composite(self, attribute: DICompositeTypeAttr) -> Die | None:
        known = self._made.get(attribute)
        if known is not None:
            return known
        number = attribute.field("recId")
        if number is not None and number in self._recursive:
            return self._recursive[number]
        tag = TYPE_TAGS.get(text_of(attribute, "tag"))
        if tag is None:
            # A recursive reference to a class whose description is absent.
            return None
        made = Die(tag)
        self._made[attribute] = made
        if number is not None:
            self._recursive[number] = made
        self.context(attribute.field("scope")).children.append(made)
        elements = items_of(attribute.field("elements"))
        if text_of(attribute, "name"):
            made.text(At.NAME, text_of(attribute, "name"))
        if tag is Tag.ARRAY_TYPE:
            self._array(made, attribute, elements)
            return made
        if text_of(attribute, "flags").find("FwdDecl") >= 0:
            made.flag(At.DECLARATION)
        else:
            made.number(At.BYTE_SIZE, _bytes(attribute))
        self.declared(made, attribute)
        if tag is Tag.ENUMERATION_TYPE:
            made.reference(At.TYPE, self.type_(attribute.field("baseType")))
        for element in elements:
            if isinstance(element, DIDerivedTypeAttr):
                self._element(made, element)
            elif isinstance(element, DICompositeTypeAttr):
                self.type_(element)
        return made

    def _array(
        self, made: Die, attribute: DICompositeTypeAttr, elements: Sequence[Attribute]
    ) -> None:
        made.reference(At.TYPE, self.type_(attribute.field("baseType")))
        if self._index_type is None:
            self._index_type = self._unit.child(Tag.BASE_TYPE)
            self._index_type.text(At.NAME, _INDEX_TYPE_NAME)
            self._index_type.number(At.BYTE_SIZE, _INDEX_BYTES)
            self._index_type.number(At.ENCODING, ENCODINGS["DW_ATE_unsigned"])
        for element in elements:
            if not isinstance(element, DISubrangeAttr):
                continue
            dimension = made.child(Tag.SUBRANGE_TYPE)
            dimension.reference(At.TYPE, self._index_type)
            lower = element.field("lowerBound")
            if isinstance(lower, IntegerAttr) and lower.value.data:
                dimension.signed(At.LOWER_BOUND, lower.value.data)
            count = element.field("count")
            if isinstance(count, IntegerAttr) and count.value.data >= 0:
                dimension.number(At.COUNT, count.value.data)

    def _element(self, owner: Die, element: DIDerivedTypeAttr) -> None:
        """An enumerator, a member or a base class; a static member is a type's only in name."""
        tag = text_of(element, "tag")
        name = text_of(element, "name")
        if tag == "DW_TAG_enumerator":
            made = owner.child(Tag.ENUMERATOR)
            made.text(At.NAME, name)
            made.signed(At.CONST_VALUE, number_in(element, "extraData"))
            return
        if tag not in ("DW_TAG_member", "DW_TAG_inheritance"):
            self.type_(element)
            return
        base = element.field("baseType")
        made = owner.child(TYPE_TAGS[tag])
        if name:
            made.text(At.NAME, name)
        made.reference(At.TYPE, self.type_(base))
        size, offset = number_in(element, "sizeInBits"), number_in(element, "offsetInBits")
        whole = size_in_bits(base)
        if tag == "DW_TAG_member" and whole and size and size != whole:
            # A bit field: DWARF 2 counts bits from the most significant bit of the storage unit.
            storage = offset // whole * whole
            made.number(At.BYTE_SIZE, whole // 8)
            made.number(At.BIT_SIZE, size)
            made.number(At.BIT_OFFSET, (storage + whole - offset - size) % whole)
            offset = storage
        place = bytes([Op.PLUS_UCONST]) + uleb128(offset // 8)
        made.expression(At.DATA_MEMBER_LOCATION, [place])


def _bytes(attribute: StructAttr) -> int:
    return (number_in(attribute, "sizeInBits") + 7) // 8
