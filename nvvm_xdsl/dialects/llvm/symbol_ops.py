"""Aliases and resolved functions: ops whose assembly MLIR writes in C++."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import SymbolNameConstraint, SymbolRefAttr, UnitAttr
from xdsl.dialects.llvm import LinkageAttr
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, opt_prop_def, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolOpInterface

from nvvm_xdsl.dialects.constraints import I32_ATTR, I64_ATTR
from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import int_value, is_thread_local
from nvvm_xdsl.dialects.llvm.assembly_helpers import (
    KEYWORDS,
    parse_keyword,
    print_attr_dict,
    take_properties,
)
from nvvm_xdsl.dialects.llvm.types import I32, I64, int_attr
from nvvm_xdsl.xdsl_patches.definitions import irdl_op_definition

LINKAGES = tuple(ENUMS["Linkage"])
"""Keywords of linkage, in LLVM's order."""


def parse_linkage(parser: Parser) -> LinkageAttr:
    """Parses a linkage keyword; `external` if there is none."""
    return LinkageAttr(parser.parse_optional_keyword_in(LINKAGES) or "external")


def print_keyword(printer: Printer, op: Operation, enum: str, name: str) -> None:
    """Prints a space and the keyword of an integer property, unless it is 0."""
    value = int_value(op.properties.get(name))
    if value:
        printer.print_string(f" {KEYWORDS[enum][value]}")


@irdl_op_definition
class AliasOp(IRDLOperation):
    """`llvm.mlir.alias external @a : i32 { ... }`: another name for the address that the body
    returns."""

    name = "llvm.mlir.alias"
    alias_type = prop_def()
    sym_name = prop_def(SymbolNameConstraint())
    linkage = prop_def(LinkageAttr)
    dso_local = opt_prop_def(UnitAttr)
    thread_local_ = opt_prop_def(UnitAttr)
    unnamed_addr = opt_prop_def(I64_ATTR, default_value=int_attr(0, I64))
    visibility_ = opt_prop_def(I64_ATTR, default_value=int_attr(0, I64))
    initializer = region_def()
    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {"linkage": parse_linkage(parser)}
        properties["visibility_"] = parse_keyword(parser, "Visibility") or int_attr(0, I64)
        if parser.parse_optional_keyword("thread_local") is not None:
            properties["thread_local_"] = UnitAttr()
        properties["unnamed_addr"] = parse_keyword(parser, "UnnamedAddr") or int_attr(0, I64)
        properties["sym_name"] = parser.parse_symbol_name()
        attributes = parser.parse_optional_attr_dict()
        properties |= take_properties(cls, attributes)
        parser.parse_punctuation(":")
        properties["alias_type"] = parser.parse_type()
        return cls.create(
            properties=properties, attributes=attributes, regions=[parser.parse_region()]
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.linkage.linkage.data}")
        print_keyword(printer, self, "Visibility", "visibility_")
        if is_thread_local(self):
            printer.print_string(" thread_local")
        print_keyword(printer, self, "UnnamedAddr", "unnamed_addr")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_attr_dict(printer, self, _ALIAS_HIDDEN)
        printer.print_string(" : ")
        printer.print_attribute(self.properties["alias_type"])
        printer.print_string(" ")
        printer.print_region(self.regions[0])


_ALIAS_HIDDEN = frozenset(
    {"linkage", "sym_name", "alias_type", "visibility_", "unnamed_addr", "thread_local_"}
)


@irdl_op_definition
class IFuncOp(IRDLOperation):
    """`llvm.mlir.ifunc external @f : !llvm.func<...>, !llvm.ptr @resolver`."""

    name = "llvm.mlir.ifunc"
    sym_name = prop_def(SymbolNameConstraint())
    i_func_type = prop_def()
    resolver = prop_def(SymbolRefAttr)
    resolver_type = prop_def()
    linkage = prop_def(LinkageAttr)
    dso_local = opt_prop_def(UnitAttr)
    address_space = opt_prop_def(I32_ATTR, default_value=int_attr(0, I32))
    unnamed_addr = opt_prop_def(I64_ATTR, default_value=int_attr(0, I64))
    visibility_ = opt_prop_def(I64_ATTR, default_value=int_attr(0, I64))
    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {"linkage": parse_linkage(parser)}
        properties["visibility_"] = parse_keyword(parser, "Visibility") or int_attr(0, I64)
        properties["unnamed_addr"] = parse_keyword(parser, "UnnamedAddr") or int_attr(0, I64)
        properties["sym_name"] = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        properties["i_func_type"] = parser.parse_type()
        parser.parse_punctuation(",")
        properties["resolver_type"] = parser.parse_type()
        properties["resolver"] = SymbolRefAttr(parser.parse_symbol_name())
        attributes = parser.parse_optional_attr_dict()
        properties |= take_properties(cls, attributes)
        return cls.create(properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.linkage.linkage.data}")
        print_keyword(printer, self, "Visibility", "visibility_")
        print_keyword(printer, self, "UnnamedAddr", "unnamed_addr")
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
        printer.print_attribute(self.properties["i_func_type"])
        printer.print_string(", ")
        printer.print_attribute(self.properties["resolver_type"])
        printer.print_string(" ")
        printer.print_attribute(self.properties["resolver"])
        print_attr_dict(printer, self, _IFUNC_HIDDEN, {"address_space": int_attr(0, I32)})


_IFUNC_HIDDEN = frozenset(
    {
        "linkage",
        "sym_name",
        "i_func_type",
        "resolver",
        "resolver_type",
        "visibility_",
        "unnamed_addr",
    }
)

OPS: tuple[type[Operation], ...] = (AliasOp, IFuncOp)
