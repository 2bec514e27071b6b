"""Modules: globals, functions, aliases, comdats and top-level entities (LLVM Language Reference,
"Module Structure").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    FuncOp,
    GlobalOp,
    LinkageAttr,
    LLVMFunctionType,
    LLVMPointerType,
    ReturnOp,
)
from xdsl.ir import Attribute, Block, Operation, Region

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.attributes import MODULE_FLAG_BEHAVIORS, ModuleFlagAttr, ZeroAttr
from nvvm_xdsl.dialects.llvm.modules import DEBUG_GLOBALS, MODULE_ASSEMBLY
from nvvm_xdsl.dialects.llvm.ops import (
    AliasOp,
    ComdatOp,
    ComdatSelectorOp,
    GlobalCtorsOp,
    GlobalDtorsOp,
    ModuleFlagsOp,
)
from nvvm_xdsl.dialects.llvm.struct_attributes import DIGlobalVariableExpressionAttr
from nvvm_xdsl.dialects.llvm.types import I32, I64, UNIT, VOID, int_attr, string
from nvvm_xdsl.frontend import annotations
from nvvm_xdsl.frontend.attributes import (
    EMPTY_DICTIONARY,
    FunctionAttributes,
    argument_attributes,
    function_properties,
    inherit_from_callee,
    kernel_attributes,
)
from nvvm_xdsl.frontend.calls import CCC
from nvvm_xdsl.frontend.constants import Constant, ConstantPool, attribute_of
from nvvm_xdsl.frontend.functions import FunctionReader
from nvvm_xdsl.frontend.lexer import describe
from nvvm_xdsl.frontend.linker import make_indirect
from nvvm_xdsl.frontend.metadata import DebugLevel, Node, integer_of
from nvvm_xdsl.frontend.types import METADATA, TOKEN, is_first_class, name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of

COMDATS = "__llvm_global_comdat"

_LINKAGES = {
    name: LinkageAttr(name)
    for name in (
        "external private internal available_externally linkonce linkonce_odr weak weak_odr "
        "appending common extern_weak"
    ).split()
}
_EXTERNAL = _LINKAGES["external"]
_LOCAL = (_LINKAGES["internal"], _LINKAGES["private"])
_VISIBILITIES = {
    "default": int_attr(0, I64),
    "hidden": int_attr(1, I64),
    "protected": int_attr(2, I64),
}
_DEFAULT_VISIBILITY = _VISIBILITIES["default"]
_UNNAMED = {"local_unnamed_addr": int_attr(1, I64), "unnamed_addr": int_attr(2, I64)}
_TLS_MODELS = frozenset({"localdynamic", "initialexec", "localexec", "generaldynamic"})
_IGNORED_GLOBAL_WORDS = frozenset(
    {
        "sanitize_address_dyninit",
        "sanitize_memtag",
        "no_sanitize_address",
        "no_sanitize_hwaddress",
    }
)

Place = tuple[int, int]


@dataclass
class _Header:
    """The common prefix of globals and functions."""

    linkage: LinkageAttr = _EXTERNAL
    explicit: bool = False
    dso_local: bool = False
    visibility: Attribute = _DEFAULT_VISIBILITY
    unnamed: Attribute | None = None
    thread_local: bool = False


@dataclass
class _Symbol:
    """A function, variable or alias that was read."""

    op: Operation | None
    type: Attribute
    space: int


class ModuleReader(FunctionReader):
    """Reads a module.

    Arguments:
        text: LLVM assembly.
        filename: what errors call it.
        locations: whether ops without debug locations get their place in the text.
        debug: the debug information to keep.
    """

    module: ModuleOp
    symbols: dict[str, _Symbol]

    _block: Block
    _global_uses: dict[tuple[str, int], Place]
    _numbered: int
    _comdats: dict[str, str]
    _named_metadata: dict[str, list[Any]]
    _intrinsics: set[str]
    _aliases: dict[str, tuple[str, Place]]
    _top: dict[str, Callable[[], None]]

    def __init__(
        self, text: str, filename: str, *, locations: bool = False, debug: DebugLevel = "none"
    ) -> None:
        super().__init__(text, filename, locations=locations, debug=debug)
        self.module = ModuleOp([])
        block = self.module.body.block
        self._block = block
        self.symbols = {}
        self._global_uses = {}
        self._numbered = 0
        self._comdats = {}
        self._named_metadata = {}
        self._intrinsics = set()
        self._aliases = {}
        self._top = {
            "define": self._define,
            "declare": self._declare,
            "target": self._target_line,
            "source_filename": self._source_filename,
            "attributes": self.attribute_group,
            "module": self._module_asm,
            "uselistorder": self._use_list,
            "uselistorder_bb": self._use_list_of_block,
            "deplibs": self._deplibs,
        }

    def read(self) -> ModuleOp:
        """The module. Raises ParseError."""
        tokens = self.tokens
        while True:
            self.release()
            self.fill()
            token = tokens[self.pos]
            handler = self._top.get(token)
            if handler is not None:
                self.pos += 1
                handler()
                continue
            first = token[:1]
            if first == "@":
                self._global_or_alias()
            elif first == "!":
                self._metadata_line(token)
            elif first == "%" and tokens[self.pos + 1] == "=" and tokens[self.pos + 2] == "type":
                self.type_definition()
            elif first == "$":
                self._comdat()
            elif first == "^":
                self._summary()
            elif token == "":
                break
            else:
                self.fail_expected("a definition")
        self._finish_module()
        return self.module

    # Lines that are not symbols.

    def _target_line(self) -> None:
        what = self.next_token()
        if what not in ("datalayout", "triple"):
            self.pos -= 1
            self.fail_expected("datalayout or triple")
        self.expect("=")
        text = self.string()
        if text:
            name = "llvm.data_layout" if what == "datalayout" else "llvm.target_triple"
            self.module.attributes[name] = string(text)

    def _source_filename(self) -> None:
        self.expect("=")
        self.string()

    def _module_asm(self) -> None:
        self.expect("asm")
        line = self.string()
        if line:
            known = items_of(self.module.attributes.get(MODULE_ASSEMBLY))
            self.module.attributes[MODULE_ASSEMBLY] = ArrayAttr([*known, string(line)])

    def _deplibs(self) -> None:
        self.expect("=")
        self.expect("[")
        while not self.accept("]"):
            self.fill()
            if self.tokens[self.pos] == "":
                self.fail_expected("']'")
            self.pos += 1

    def _use_list(self) -> None:
        self.skip_use_list()

    def _use_list_of_block(self) -> None:
        while not self.accept("}"):
            self.fill()
            if self.tokens[self.pos] == "":
                self.fail_expected("'}'")
            self.pos += 1

    def _summary(self) -> None:
        self.pos += 1
        self.expect("=")
        self.pos += 1
        if self.tokens[self.pos] == "(":
            self.skip_parentheses()
        elif self.tokens[self.pos - 1][-1:] == ":":
            self.pos += 1

    def _comdat(self) -> None:
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

    def _metadata_line(self, token: str) -> None:
        if token[1:].isdecimal():
            self.pos += 1
            self.expect("=")
            self.pos -= 2
            self.node_definition()
            return
        if len(token) < 2:
            self.fail_expected("a definition")
        self.pos += 1
        self.expect("=")
        self.expect("!")
        self.expect("{")
        operands: list[Any] = []
        while not self.accept("}"):
            if operands:
                self.expect(",")
            self.fill()
            operands.append(self.resolve(self.metadata()))
        self._named_metadata.setdefault(token[1:], []).extend(operands)

    # Symbols.

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

    def _check_new(self, name: str, index: int) -> None:
        if name in self.symbols:
            self.fail(f"redefinition of '@{name}'", index)

    def _header(self) -> _Header:
        header = _Header()
        tokens = self.tokens
        while True:
            token = tokens[self.pos]
            linkage = _LINKAGES.get(token)
            if linkage is not None:
                header.linkage = linkage
                header.explicit = True
            elif token in ("dso_local", "dso_preemptable"):
                header.dso_local = token == "dso_local"
            elif token in _VISIBILITIES:
                header.visibility = _VISIBILITIES[token]
            elif token in ("dllimport", "dllexport"):
                pass
            elif token == "thread_local":
                header.thread_local = True
                if tokens[self.pos + 1] == "(":
                    self.pos += 2
                    if tokens[self.pos] not in _TLS_MODELS:
                        self.fail_expected("a thread-local model")
                    self.pos += 1
                    if tokens[self.pos] != ")":
                        self.fail_expected("')'")
            elif token in _UNNAMED:
                header.unnamed = _UNNAMED[token]
            else:
                break
            self.pos += 1
        if header.linkage in _LOCAL or header.visibility is not _DEFAULT_VISIBILITY:
            # These can only be defined here, which LLVM takes to mean dso_local.
            header.dso_local = True
        return header

    def _symbol_properties(self, header: _Header, name: str) -> dict[str, Attribute]:
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

    def _global_or_alias(self) -> None:
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
        header = self._header()
        what = self.tokens[self.pos]
        if what == "alias":
            self._alias(name, index, header)
        elif what == "ifunc":
            self.fail("ifunc is not supported: NVIDIA GPUs do not resolve symbols at run time")
        else:
            self._variable(name, index, header)

    def _variable(self, name: str, index: int, header: _Header) -> None:
        space = self.address_space() if self.tokens[self.pos] == "addrspace" else 0
        externally_initialized = self.accept("externally_initialized")
        what = self.next_token()
        if what not in ("global", "constant"):
            self.pos -= 1
            self.fail_expected("global or constant")
        place = self.pos
        type_ = self.value_type()
        self._check_new(name, index)
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
        properties = self._symbol_properties(header, name)
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
        self.symbols[name] = _Symbol(op, type_, space)

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
                properties["comdat"] = self._comdat_reference(name)
            elif following[:1] == "!" and len(following) > 1:
                self.pos += 2
                described = self.metadata()
                if following == "!dbg" and self.debug_level == "full":
                    found = self.debug.attribute(described)
                    if isinstance(found, DIGlobalVariableExpressionAttr):
                        properties["dbg_exprs"] = ArrayAttr(
                            [*items_of(properties.get("dbg_exprs")), found]
                        )
            elif following in _IGNORED_GLOBAL_WORDS:
                self.pos += 2
            else:
                self.pos += 1
                self.fail(f"unexpected {describe(following)}")
            self.fill()
        self.function_attributes()

    def _comdat_reference(self, name: str) -> Attribute:
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

    def _alias(self, name: str, index: int, header: _Header) -> None:
        self._check_new(name, index)
        self.pos += 1
        type_ = self.type_()
        self.expect(",")
        place = self.pos
        pointer = self.value_type()
        if not isinstance(pointer, LLVMPointerType):
            self.fail("an alias must be a pointer", place)
        mark = self.place()
        target = self.constant(pointer)
        if target.kind == "global":
            self._aliases[name] = (target.payload, mark)
        region = Region()
        self._initializer(region, target)
        properties = self._symbol_properties(header, name)
        properties["alias_type"] = type_
        properties.setdefault("unnamed_addr", int_attr(0, I64))
        if header.thread_local:
            properties["thread_local_"] = UNIT
        while self.accept(","):
            self.expect("partition")
            self.string()
        op = fast.create(AliasOp, (), (), properties, regions=(region,))
        fast.append(self._block, op)
        self.symbols[name] = _Symbol(op, type_, types.address_space_of(pointer))

    # Functions.

    def _define(self) -> None:
        self._function(definition=True)

    def _declare(self) -> None:
        while self.tokens[self.pos][:1] == "!":
            self.pos += 1
            self.metadata()
            self.fill()
        self._function(definition=False)

    def _function(self, *, definition: bool) -> None:
        tokens = self.tokens
        header = self._header()
        convention = self.calling_convention()
        result_attributes = self.parameter_attributes(None)
        place = self.pos
        output = self.type_()
        if output is not VOID and not is_first_class(output) and output not in (TOKEN, METADATA):
            self.fail(f"a function cannot return {self.spell(output)}", place)
        index = self.pos
        token = tokens[index]
        if token[:1] != "@" or len(token) < 2:
            self.fail_expected("the name of a function")
        location = self.location(index) or fast.UNKNOWN_LOC
        self.pos += 1
        if token[1:].isdecimal():
            if len(token) > 11 or int(token[1:]) < self._numbered:
                self.fail(f"expected the next number to be @{self._numbered}", index)
            self._numbered = int(token[1:]) + 1
        name = name_of(token)
        arguments, attributes, variadic = self._parameters()
        own, properties, debug = self._function_tail(name, header)
        if name.startswith("llvm.") and not definition:
            # An intrinsic is an op, not a symbol: nothing refers to its declaration.
            self._intrinsics.add(name)
            return
        if any(not is_first_class(type_) for type_, _ in arguments):
            self.fail("only intrinsics take metadata", index)
        self._check_new(name, index)
        function_type = types.function(
            [type_ for type_, _ in arguments],
            VOID if output is TOKEN else output,
            variadic=variadic,
        )
        properties |= self._symbol_properties(header, name)
        properties["function_type"] = function_type
        op_attributes: dict[str, Attribute] = {}
        if own is not None:
            if any(key.startswith("nvvm.") for key in own.strings):
                copy = FunctionAttributes()
                copy.merge(own)
                own = copy
                op_attributes = kernel_attributes(own.strings)
            for key, value in function_properties(own).items():
                properties.setdefault(key, value)
        if convention in ("ptx_kernelcc", "spir_kernelcc"):
            op_attributes["nvvm.kernel"] = UNIT
            convention = "ccc"
        properties["CConv"] = CCC if convention == "ccc" else CallingConventionAttr(convention)
        arg_attrs = argument_attributes(attributes)
        if arg_attrs is not None:
            properties["arg_attrs"] = arg_attrs
        if result_attributes is not EMPTY_DICTIONARY:
            properties["res_attrs"] = ArrayAttr([result_attributes])
        region = Region()
        op = fast.create(FuncOp, (), (), properties, attributes=op_attributes, regions=(region,))
        self.symbols[name] = _Symbol(op, function_type, 0)
        fast.append(self._block, op)
        debug_location = None if debug is None else self.function_location(debug)
        op.location = debug_location or location
        if definition:
            self.body(name, function_type, arguments, region)

    def function_location(self, node_name: str) -> Any:
        """The place of a subprogram's declaration."""
        node = self.node(node_name)
        if node.kind != "DISubprogram":
            return None
        place = annotations.file_location(self.file_of(node.fields.get("file")), node.fields)
        return self.in_scope(place, node_name)

    def _parameters(
        self,
    ) -> tuple[list[tuple[Attribute, str]], list[DictionaryAttr], bool]:
        tokens = self.tokens
        self.expect("(")
        arguments: list[tuple[Attribute, str]] = []
        attributes: list[DictionaryAttr] = []
        if self.accept(")"):
            return arguments, attributes, False
        while True:
            self.fill()
            if self.accept("..."):
                self.expect(")")
                return arguments, attributes, True
            place = self.pos
            type_ = self.type_()
            if type_ is VOID or isinstance(type_, LLVMFunctionType):
                self.fail(f"a parameter cannot have the type {self.spell(type_)}", place)
            attributes.append(self.parameter_attributes(self.pointee))
            name = ""
            if tokens[self.pos][:1] == "%" and len(tokens[self.pos]) > 1:
                name = self.next_token()
            arguments.append((type_, name))
            if self.accept(")"):
                return arguments, attributes, False
            if not self.accept(","):
                self.fail_expected("',' or ')'")

    def _function_tail(
        self, name: str, header: _Header
    ) -> tuple[FunctionAttributes | None, dict[str, Attribute], str | None]:
        tokens = self.tokens
        own: FunctionAttributes | None = None
        properties: dict[str, Attribute] = {}
        debug: str | None = None
        while True:
            self.fill()
            token = tokens[self.pos]
            found = self.function_attributes()
            if found is not None:
                if own is None:
                    own = found
                else:
                    both = FunctionAttributes()
                    both.merge(own)
                    both.merge(found)
                    own = both
                continue
            if token in _UNNAMED:
                header.unnamed = _UNNAMED[token]
                self.pos += 1
            elif token == "section":
                self.pos += 1
                properties["section"] = string(self.string())
            elif token == "partition":
                self.pos += 1
                self.string()
            elif token == "comdat":
                properties["comdat"] = self._comdat_reference(name)
            elif token == "align":
                self.pos += 1
                parenthesized = self.accept("(")
                place = self.pos
                value = self.number()
                self.check_alignment(value, place)
                if parenthesized:
                    self.expect(")")
                properties["alignment"] = int_attr(value, I64)
            elif token == "gc":
                self.pos += 1
                properties["garbageCollector"] = string(self.string())
            elif token in ("prefix", "prologue", "personality"):
                self.pos += 1
                constant = self.typed_constant()
                if token == "personality" and constant.kind == "global":
                    properties["personality"] = SymbolRefAttr(constant.payload)
            elif token == "addrspace":
                self.address_space()
            elif token[:1] == "!" and len(token) > 1 and not token[1:].isdecimal():
                if tokens[self.pos + 1] == "=":
                    break
                self.pos += 1
                reference = self.metadata()
                if token == "!dbg" and isinstance(reference, str):
                    debug = reference
            elif token.isidentifier() and token not in self._top and token[:1].islower():
                # An attribute of a later release.
                self.pos += 1
                if tokens[self.pos] == "(":
                    self.skip_parentheses()
            else:
                break
        return own, properties, debug

    # The end of the module.

    def _finish_module(self) -> None:
        self._check_symbols()
        if self._comdats:
            self._make_comdats()
        self._make_flags()
        annotations.apply(self)
        self._describe_globals()

    def _describe_globals(self) -> None:
        if self.debug_level == "full":
            units = self.named_metadata("llvm.dbg.cu")
            found = [one for unit in units for one in self.debug.globals_of(unit)]
            if found:
                self.module.attributes[DEBUG_GLOBALS] = ArrayAttr(found)

    def named_metadata(self, name: str) -> list[Node]:
        """The nodes of `!name`, none when there is none."""
        return [n for n in self._named_metadata.get(name, []) if isinstance(n, Node)]

    def _check_symbols(self) -> None:
        for (name, space), place in self._global_uses.items():
            symbol = self.symbols.get(name)
            if symbol is None:
                if name in self._intrinsics:
                    self.fail_at(f"the intrinsic '@{name}' can only be called", place)
                self.fail_at(f"use of undefined value '@{name}'", place)
            if symbol.space != space:
                self.fail_at(f"'@{name}' is in address space {symbol.space}, not in {space}", place)
        self.check_block_addresses()
        for name in self._aliases:
            self._aliased(name)
        for (name, function_type), calls in self.direct_calls.items():
            symbol = self._callee(name, calls)
            if symbol is not None and isinstance(symbol.op, FuncOp):
                for call in calls:
                    inherit_from_callee(call, symbol.op)
                if symbol.type is function_type:
                    continue
                if _passes_as(symbol.type, function_type):
                    for call in calls:
                        call.properties["var_callee_type"] = symbol.type
                else:
                    self._make_indirect(calls)
            elif symbol is not None:
                self._make_indirect(calls)

    def _aliased(self, name: str) -> str:
        """The symbol that a chain of aliases ends at."""
        start = name
        for _ in range(len(self._aliases) + 1):
            if name not in self._aliases:
                return name
            name = self._aliases[name][0]
        self.fail_at(f"'@{start}' is an alias of itself", self._aliases[start][1])

    def _callee(self, name: str, calls: list[Operation]) -> _Symbol | None:
        """Resolves calls of this name; calls of an alias become calls of its target."""
        target = self._aliased(name)
        if target != name:
            for call in calls:
                call.properties["callee"] = SymbolRefAttr(target)
        return self.symbols.get(target)

    @staticmethod
    def _make_indirect(calls: list[Operation]) -> None:
        for call in calls:
            block = call.parent
            if block is not None and block.parent is not None:
                make_indirect(call)

    def _make_comdats(self) -> None:
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

    def _make_flags(self) -> None:
        flags: list[Attribute] = []
        for node in self.named_metadata("llvm.module.flags"):
            flag = _flag(node)
            if flag is not None:
                flags.append(flag)
        if flags:
            op = fast.create(ModuleFlagsOp, (), (), {"flags": ArrayAttr(flags)})
            fast.append(self._block, op)


def _aggregate_elements(constant: Constant) -> list[Constant]:
    return constant.payload if constant.kind == "aggregate" else []


def _passes_as(function: Attribute, call: Attribute) -> bool:
    """Whether a call is one of a variadic function that does not say so."""
    assert isinstance(function, LLVMFunctionType)
    assert isinstance(call, LLVMFunctionType)
    fixed = function.inputs.data
    return (
        function.is_variadic
        and function.output is call.output
        and call.inputs.data[: len(fixed)] == fixed
    )


def _flag(node: Node) -> Attribute | None:
    if len(node.elements) != 3:
        return None
    behavior, key, value = node.elements
    number = integer_of(behavior)
    if number is None or not 1 <= number <= len(MODULE_FLAG_BEHAVIORS) or not isinstance(key, str):
        return None
    attribute: Attribute
    if isinstance(value, Constant) and value.kind == "int":
        attribute = int_attr(value.payload, value.type)  # pyright: ignore[reportArgumentType]
    elif isinstance(value, str):
        attribute = string(value)
    else:
        return None
    name = MODULE_FLAG_BEHAVIORS[number - 1]
    return ModuleFlagAttr(string(name), string(key), attribute)
