"""Global variables, aliases and comdats of LLVM assembly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import GlobalOp, LinkageAttr, LLVMPointerType, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.attributes import ZeroAttr
from nvvm_xdsl.dialects.llvm.ops import (
    AliasOp,
    ComdatOp,
    ComdatSelectorOp,
    GlobalCtorsOp,
    GlobalDtorsOp,
)
from nvvm_xdsl.dialects.llvm.struct_attributes import DIGlobalVariableExpressionAttr
from nvvm_xdsl.dialects.llvm.types import I32, I64, UNIT, int_attr, string
from nvvm_xdsl.frontend.constants import Constant, ConstantPool, attribute_of
from nvvm_xdsl.frontend.functions import FunctionReader
from nvvm_xdsl.frontend.lexer import describe
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.types import name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of

COMDATS = "__llvm_global_comdat"

LINKAGES = {
    name: LinkageAttr(name)
    for name in (
        "external private internal available_externally linkonce linkonce_odr weak weak_odr "
        "appending common extern_weak"
    ).split()
}

EXTERNAL = LINKAGES["external"]

LOCAL = (LINKAGES["internal"], LINKAGES["private"])

VISIBILITIES = {
    "default": int_attr(0, I64),
    "hidden": int_attr(1, I64),
    "protected": int_attr(2, I64),
}

DEFAULT_VISIBILITY = VISIBILITIES["default"]

UNNAMED = {"local_unnamed_addr": int_attr(1, I64), "unnamed_addr": int_attr(2, I64)}

TLS_MODELS = frozenset({"localdynamic", "initialexec", "localexec", "generaldynamic"})

IGNORED_GLOBAL_WORDS = frozenset(
    {"sanitize_address_dyninit", "sanitize_memtag", "no_sanitize_address", "no_sanitize_hwaddress"}
)

_UNTYPED_ALIASEES = frozenset({"addrspacecast", "bitcast", "getelementptr", "inttoptr"})
"""Constant expressions that follow the comma of an alias without a type."""

Place = tuple[int, int]


@dataclass
class Header:
    """The common prefix of globals and functions."""

    linkage: LinkageAttr = EXTERNAL
    explicit: bool = False
    dso_local: bool = False
    visibility: Attribute = DEFAULT_VISIBILITY
    unnamed: Attribute | None = None
    thread_local: bool = False


@dataclass
class Symbol:
    """A function, variable or alias that was read."""

    op: Operation | None
    type: Attribute
    space: int


def _aggregate_elements(constant: Constant) -> list[Constant]:
    return constant.payload if constant.kind == "aggregate" else []


class GlobalReader(FunctionReader):
    """Reads the lines of a module that define variables, aliases and comdats."""

    module: ModuleOp
    symbols: dict[str, Symbol]
    _block: Block
    _global_uses: dict[tuple[str, int], Place]
    _numbered: int
    _comdats: dict[str, str]
    _aliases: dict[str, tuple[str, Place]]
    _top: dict[str, Callable[[], None]]
    """The reader for each first keyword of a line of a module."""

    def __init__(
        self, text: str, filename: str, *, locations: bool = False, debug: DebugLevel = "none"
    ) -> None:
        super().__init__(text, filename, locations=locations, debug=debug)
        self.module = ModuleOp([])
        self._block = self.module.body.block
        self.symbols = {}
        self._global_uses = {}
        self._numbered = 0
        self._comdats = {}
        self._aliases = {}
        self._top = {}

    def comdat(self) -> None:
        """Reads `$name = comdat kind`."""
        name = self._comdat_name(self.next_token())
        self.expect("=")
        self.expect("comdat")
        kind = self.tokens[self.pos]
        if kind not in ENUMS["Comdat"]:
            self.fail_expected("a kind of comdat")
        self.pos += 1
        self._comdats[name] = kind

    @staticmethod
    def _comdat_name(token: str) -> str:
        return name_of(token)

    def use_global(self, type_: Attribute) -> str:
        token = self.tokens[self.pos]
        name = name_of(token)
        if not name:
            self.fail_expected("a name")
        space = types.address_space_of(type_) if isinstance(type_, LLVMPointerType) else 0
        key = (name, space)
        if key not in self._global_uses:
            self._global_uses[key] = self.place()
        return name

    def check_new(self, name: str, index: int) -> None:
        """Reports an error at a token if the symbol exists."""
        if name in self.symbols:
            self.fail(f"redefinition of '@{name}'", index)

    def header(self) -> Header:
        """Reads linkage, visibility and other words before `global` or a type."""
        header = Header()
        tokens = self.tokens
        while True:
            token = tokens[self.pos]
            linkage = LINKAGES.get(token)
            if linkage is not None:
                header.linkage = linkage
                header.explicit = True
            elif token in ("dso_local", "dso_preemptable"):
                header.dso_local = token == "dso_local"
            elif token in VISIBILITIES:
                header.visibility = VISIBILITIES[token]
            elif token in ("dllimport", "dllexport"):
                pass
            elif token == "thread_local":
                header.thread_local = True
                if tokens[self.pos + 1] == "(":
                    self.pos += 2
                    if tokens[self.pos] not in TLS_MODELS:
                        self.fail_expected("a thread-local model")
                    self.pos += 1
                    if tokens[self.pos] != ")":
                        self.fail_expected("')'")
            elif token in UNNAMED:
                header.unnamed = UNNAMED[token]
            else:
                break
            self.pos += 1
        if header.linkage in LOCAL or header.visibility is not DEFAULT_VISIBILITY:
            # Such symbols are always defined in this module, so that LLVM makes them dso_local.
            header.dso_local = True
        return header

    def symbol_properties(self, header: Header, name: str) -> dict[str, Attribute]:
        """The properties that every kind of symbol has."""
        properties: dict[str, Attribute] = {
            "sym_name": string(name),
            "linkage": header.linkage,
            "visibility_": header.visibility,
        }
        if header.dso_local:
            properties["dso_local"] = UNIT
        if header.unnamed is not None:
            properties["unnamed_addr"] = header.unnamed
        return properties

    def global_or_alias(self) -> None:
        """Reads the definition of a variable, alias or ifunc."""
        index = self.pos
        token = self.next_token()
        if token == "@":
            self.fail_expected("a name")
        if token[1:].isdecimal():
            if len(token) > 11 or int(token[1:]) < self._numbered:
                self.fail(f"expected the next number to be @{self._numbered}", index)
            self._numbered = int(token[1:]) + 1
        name = name_of(token)
        self.expect("=")
        header = self.header()
        what = self.tokens[self.pos]
        if what == "alias":
            self._alias(name, index, header)
        elif what == "ifunc":
            self.fail("ifunc is not supported: NVIDIA GPUs do not resolve symbols at run time")
        else:
            self._variable(name, index, header)

    def _variable(self, name: str, index: int, header: Header) -> None:
        space = self.address_space() if self.tokens[self.pos] == "addrspace" else 0
        externally_initialized = self.accept("externally_initialized")
        what = self.next_token()
        if what not in ("global", "constant"):
            self.pos -= 1
            self.fail_expected("global or constant")
        place = self.pos
        type_ = self.value_type()
        self.check_new(name, index)
        location = self.location(index) or fast.UNKNOWN_LOC
        self.streaming = True
        initializer: Constant | None = None
        following = self.tokens[self.pos]
        declared = header.linkage.linkage.data in ("external", "extern_weak") and header.explicit
        if not declared:
            if following in (",", "") or following[:1] in "@!":
                if following[:1] != "@":
                    self.fail("a variable without initializer must be external", place)
            initializer = self.constant(type_)
        elif following not in (",", "align") and not self._starts_definition(following):
            initializer = self.constant(type_)
        self.streaming = False
        properties = self.symbol_properties(header, name)
        properties["global_type"] = type_
        properties["addr_space"] = int_attr(space, I32)
        if what == "constant":
            properties["constant"] = UNIT
        if header.thread_local:
            properties["thread_local_"] = UNIT
        attributes: dict[str, Attribute] = {}
        if externally_initialized:
            attributes["llvm.externally_initialized"] = UNIT
        self._variable_tail(name, properties)
        if name in ("llvm.global_ctors", "llvm.global_dtors") and initializer is not None:
            self._structors(name, initializer, place)
            return
        region = Region()
        if initializer is not None:
            value = attribute_of(initializer)
            if value is not None:
                properties["value"] = value
            else:
                self._initializer(region, initializer)
        op = fast.create(
            GlobalOp,
            (),
            (),
            properties,
            attributes=attributes,
            regions=(region,),
            location=location,
        )
        fast.append(self._block, op)
        self.symbols[name] = Symbol(op, type_, space)

    def _starts_definition(self, token: str) -> bool:
        first = token[:1]
        if first == "@":
            return self.tokens[self.pos + 1] == "="
        return (
            token == ""
            or first in ("!", "$", "^", "#")
            or token in self._top
            or (first == "%" and self.tokens[self.pos + 1] == "=")
        )

    def _variable_tail(self, name: str, properties: dict[str, Attribute]) -> None:
        tokens = self.tokens
        stated = self.align(after_type=True)
        if stated is not None:
            properties["alignment"] = stated
        while tokens[self.pos] == ",":
            following = tokens[self.pos + 1]
            if following == "align":
                alignment = self.align()
                assert alignment is not None
                properties["alignment"] = alignment
            elif following == "section":
                self.pos += 2
                properties["section"] = string(self.string())
            elif following == "partition":
                self.pos += 2
                self.string()
            elif following == "code_model":
                self.pos += 2
                self.string()
            elif following == "comdat":
                self.pos += 1
                properties["comdat"] = self.comdat_reference(name)
            elif following[:1] == "!" and len(following) > 1:
                self.pos += 2
                described = self.metadata()
                if following == "!dbg" and self.debug_level == "full":
                    found = self.debug.attribute(described)
                    if isinstance(found, DIGlobalVariableExpressionAttr):
                        properties["dbg_exprs"] = ArrayAttr(
                            [*items_of(properties.get("dbg_exprs")), found]
                        )
            elif following in IGNORED_GLOBAL_WORDS:
                self.pos += 2
            else:
                self.pos += 1
                self.fail(f"unexpected {describe(following)}")
            self.fill()
        self.function_attributes()

    def comdat_reference(self, name: str) -> Attribute:
        """Reads `comdat` or `comdat($name)` after a symbol; returns the reference."""
        self.expect("comdat")
        if self.accept("("):
            token = self.next_token()
            if token[:1] != "$":
                self.pos -= 1
                self.fail_expected("a comdat")
            name = self._comdat_name(token)
            self.expect(")")
        return SymbolRefAttr(COMDATS, [name])

    def _initializer(self, region: Region, constant: Constant) -> None:
        block = fast.new_block()
        fast.append_block(region, block)
        value = ConstantPool(block).value(constant)
        fast.append(block, fast.create(ReturnOp, (value,)))

    def _structors(self, name: str, initializer: Constant, place: int) -> None:
        functions: list[Attribute] = []
        priorities: list[Attribute] = []
        for element in _aggregate_elements(initializer):
            fields = _aggregate_elements(element)
            if len(fields) < 2 or fields[1].kind != "global" or fields[0].kind != "int":
                self.fail(f"unexpected initializer of @{name}", place)
            functions.append(SymbolRefAttr(fields[1].payload))
            priorities.append(int_attr(fields[0].payload, I32))
        cls = GlobalCtorsOp if name == "llvm.global_ctors" else GlobalDtorsOp
        key = "ctors" if name == "llvm.global_ctors" else "dtors"
        properties: dict[str, Attribute] = {
            key: ArrayAttr(functions),
            "priorities": ArrayAttr(priorities),
            "data": ArrayAttr([ZeroAttr() for _ in functions]),
        }
        fast.append(self._block, fast.create(cls, (), (), properties))

    def _alias(self, name: str, index: int, header: Header) -> None:
        self.check_new(name, index)
        self.pos += 1
        type_ = self.type_()
        self.expect(",")
        place = self.pos
        mark = self.place()
        if self.tokens[place] in _UNTYPED_ALIASEES:
            target = self.constant_expression(self.tokens[place])
            pointer = target.type
        else:
            pointer = self.value_type()
            mark = self.place()
            target = self.constant(pointer)
        if not isinstance(pointer, LLVMPointerType):
            self.fail("an alias must be a pointer", place)
        if target.kind == "global":
            self._aliases[name] = (target.payload, mark)
        region = Region()
        self._initializer(region, target)
        properties = self.symbol_properties(header, name)
        properties["alias_type"] = type_
        properties.setdefault("unnamed_addr", int_attr(0, I64))
        if header.thread_local:
            properties["thread_local_"] = UNIT
        while self.accept(","):
            self.expect("partition")
            self.string()
        op = fast.create(AliasOp, (), (), properties, regions=(region,))
        fast.append(self._block, op)
        self.symbols[name] = Symbol(op, type_, types.address_space_of(pointer))

    def make_comdats(self) -> None:
        """Inserts an `llvm.comdat` with the comdats that were read."""
        block = fast.new_block()
        for name, kind in self._comdats.items():
            properties: dict[str, Attribute] = {
                "sym_name": string(name),
                "comdat": int_attr(ENUMS["Comdat"][kind], I64),
            }
            fast.append(block, fast.create(ComdatSelectorOp, (), (), properties))
        region = Region()
        fast.append_block(region, block)
        op = fast.create(ComdatOp, (), (), {"sym_name": string(COMDATS)}, regions=(region,))
        fast.prepend(self._block, op)
