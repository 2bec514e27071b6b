"""Modules: globals, functions, aliases, comdats and top-level entities (LLVM Language Reference,
"Module Structure").
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import CallingConventionAttr, FuncOp, LLVMFunctionType
from xdsl.ir import Attribute, Operation, Region

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import function_type_of
from nvvm_xdsl.dialects.llvm.attributes import MODULE_FLAG_BEHAVIORS, ModuleFlagAttr
from nvvm_xdsl.dialects.llvm.modules import DEBUG_GLOBALS, MODULE_ASSEMBLY
from nvvm_xdsl.dialects.llvm.ops import AliasOp, ModuleFlagsOp
from nvvm_xdsl.dialects.llvm.setters import set_callee
from nvvm_xdsl.dialects.llvm.symbols import INTERPOSABLE_LINKAGE, linkage_of
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, VOID, int_attr, string
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
from nvvm_xdsl.frontend.constants import Constant
from nvvm_xdsl.frontend.globals import UNNAMED, GlobalReader, Header, Symbol
from nvvm_xdsl.frontend.linker import convert_mistyped_call, make_indirect
from nvvm_xdsl.frontend.metadata import DebugLevel, Node, integer_of
from nvvm_xdsl.frontend.types import METADATA, TOKEN, is_first_class, name_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of


class ModuleReader(GlobalReader):
    """Reads a module.

    Arguments:
        text: LLVM assembly.
        filename: the file name in errors.
        locations: whether ops without debug locations get their location in the text.
        debug: the debug information to keep.
    """

    _named_metadata: dict[str, list[Any]]
    _intrinsics: set[str]

    def __init__(
        self, text: str, filename: str, *, locations: bool = False, debug: DebugLevel = "none"
    ) -> None:
        super().__init__(text, filename, locations=locations, debug=debug)
        self._named_metadata = {}
        self._intrinsics = set()
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
                self.global_or_alias()
            elif first == "!":
                self._metadata_line(token)
            elif first == "%" and tokens[self.pos + 1] == "=" and tokens[self.pos + 2] == "type":
                self.type_definition()
            elif first == "$":
                self.comdat()
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
        header = self.header()
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
        self.check_new(name, index)
        function_type = types.function(
            [type_ for type_, _ in arguments],
            VOID if output is TOKEN else output,
            variadic=variadic,
        )
        properties |= self.symbol_properties(header, name)
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
        self.symbols[name] = Symbol(op, function_type, 0)
        fast.append(self._block, op)
        debug_location = None if debug is None else self.function_location(debug)
        op.location = debug_location or location
        if definition:
            self.body(name, function_type, arguments, region)

    def function_location(self, node_name: str) -> Any:
        """The location of a subprogram's declaration."""
        node = self.node(node_name)
        if node.kind != "DISubprogram":
            return None
        place = annotations.file_location(self.file_of(node.fields.get("file")), node.fields)
        return self.in_scope(place, node_name)

    def _parameters(self) -> tuple[list[tuple[Attribute, str]], list[DictionaryAttr], bool]:
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
        self, name: str, header: Header
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
            if token in UNNAMED:
                header.unnamed = UNNAMED[token]
                self.pos += 1
            elif token == "section":
                self.pos += 1
                properties["section"] = string(self.string())
            elif token == "partition":
                self.pos += 1
                self.string()
            elif token == "comdat":
                properties["comdat"] = self.comdat_reference(name)
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
            self.make_comdats()
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
        """The nodes of `!name`; empty if it does not exist."""
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
                    for call in _placed(calls):
                        convert_mistyped_call(call, function_type_of(symbol.op))
            elif symbol is not None:
                for call in _placed(calls):
                    make_indirect(call)

    def _aliased(self, name: str) -> str:
        """The symbol at the end of a chain of aliases."""
        start = name
        for _ in range(len(self._aliases) + 1):
            if name not in self._aliases:
                return name
            name = self._aliases[name][0]
        self.fail_at(f"'@{start}' is an alias of itself", self._aliases[start][1])

    def _callee(self, name: str, calls: list[Operation]) -> Symbol | None:
        """Resolves calls of this name; calls of an alias become calls of its target.

        Calls of an alias that another module may replace are not changed.
        """
        symbol = self.symbols.get(name)
        if symbol is not None and type(symbol.op) is AliasOp:
            if linkage_of(symbol.op) in INTERPOSABLE_LINKAGE:
                return symbol
        target = self._aliased(name)
        if target != name:
            for call in calls:
                set_callee(call, target)
        return self.symbols.get(target)

    def _make_flags(self) -> None:
        flags: list[Attribute] = []
        for node in self.named_metadata("llvm.module.flags"):
            flag = _flag(node)
            if flag is not None:
                flags.append(flag)
        if flags:
            op = fast.create(ModuleFlagsOp, (), (), {"flags": ArrayAttr(flags)})
            fast.append(self._block, op)


def _placed(calls: list[Operation]) -> list[Operation]:
    """The calls that are part of a function; the others were erased."""
    return [c for c in calls if c.parent is not None and c.parent.parent is not None]


def _passes_as(function: Attribute, call: Attribute) -> bool:
    """Returns True if a call calls a variadic function without stating its variadic type."""
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
