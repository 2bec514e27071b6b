"""Modules: top-level entities other than functions (LLVM Language Reference, "Module Structure")."""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.llvm import FuncOp, GlobalOp, LLVMFunctionType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import (
    comdat_of,
    defined_name,
    function_type_of,
    global_space,
    global_type_of,
    initial_value_of,
    int_property,
    integer_of,
    integers_of,
    is_constant_global,
    is_thread_local,
    module_flags_of,
    section_of,
    symbol_of,
)
from nvvm_xdsl.dialects.llvm.attributes import MODULE_FLAG_BEHAVIORS, ModuleFlagAttr
from nvvm_xdsl.dialects.llvm.data_layout import (
    LAYOUT_ATTRIBUTE,
    NVPTX64_LAYOUT,
    NVPTX64_TRIPLE,
    TRIPLE_ATTRIBUTE,
)
from nvvm_xdsl.dialects.llvm.modules import module_assembly
from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, is_declaration, linkage_of
from nvvm_xdsl.export.attributes import AttributeWriter, convention, entries_at
from nvvm_xdsl.export.debug_info import DebugInfoWriter
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.functions import FunctionWriter
from nvvm_xdsl.export.metadata import MetadataWriter, text_node
from nvvm_xdsl.export.spelling import TypeSpelling, bytes_of, global_symbol, identifier, quoted
from nvvm_xdsl.frontend.annotations import IR_VERSION, VARIABLES
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of

_COMDATS: Final = {number: name for name, number in ENUMS["Comdat"].items()}
_VISIBILITIES: Final = {1: "hidden ", 2: "protected "}
_UNNAMED: Final = {1: "local_unnamed_addr ", 2: "unnamed_addr "}
_DEBUG_VERSION: Final = ("i32 2", '!"Debug Info Version"', "i32 3")
"""The module flag without which LLVM drops debug information."""


def write_ll(module: ModuleOp, *, for_nvptx: bool = False) -> str:
    """LLVM assembly of a module of the llvm and nvvm dialects, which is not changed.

    Arguments:
        for_nvptx: write NVPTX's triple and data layout if the module states none.
    Raises WriteError for the first op that LLVM IR cannot express.
    """
    writer = _ModuleWriter(module)
    if for_nvptx:
        writer.defaults = {LAYOUT_ATTRIBUTE: NVPTX64_LAYOUT, TRIPLE_ATTRIBUTE: NVPTX64_TRIPLE}
    return writer.text()


class _ModuleWriter:
    """Writes one module."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.types = TypeSpelling()
        self.metadata = MetadataWriter()
        self.attributes = AttributeWriter(self.types)
        self.debug = DebugInfoWriter(self.metadata)
        self.functions = FunctionWriter(self.types, self.metadata, self.attributes, self.debug)
        self.constants = self.functions.constants
        self.comdats: list[str] = []
        self.variables: list[str] = []
        self.bodies: list[str] = []
        self.has_debug_version = False
        self.defaults: dict[str, str] = {}

    def text(self) -> str:
        """The whole text."""
        for op in fast.ops_of(self.module.body.block):
            try:
                self._top(op)
            except ValueError as error:
                raise write_error(op, str(error)) from None
        self._version()
        if self.debug.is_used and not self.has_debug_version:
            self._flag(_DEBUG_VERSION)
        parts = [
            self._target(),
            "\n".join([f"{n} = type {body}" for n, body in self.types.definitions.items()]),
            "\n".join(self.comdats),
            "\n".join(self.variables),
            *self.bodies,
            "\n".join(self.functions.declarations.values()),
            "\n".join(
                [f"attributes #{n} = {{ {text} }}" for text, n in self.attributes.groups.items()]
            ),
            self._named_metadata(),
            "\n".join([f"!{n} = {body}" for n, body in enumerate(self.metadata.lines)]),
        ]
        return "\n\n".join([part for part in parts if part]) + "\n"

    def _target(self) -> str:
        lines: list[str] = []
        for attribute, word in ((LAYOUT_ATTRIBUTE, "datalayout"), (TRIPLE_ATTRIBUTE, "triple")):
            stated = self.module.attributes.get(attribute)
            text = stated.data if isinstance(stated, StringAttr) else ""
            text = text or self.defaults.get(attribute, "")
            if text:
                lines.append(f"target {word} = {quoted(bytes_of(text))}")
        assembly = module_assembly(self.module)
        lines += [f"module asm {quoted(bytes_of(line))}" for line in assembly.splitlines()]
        return "\n".join(lines)

    def _named_metadata(self) -> str:
        named = self.metadata.named
        return "\n".join([f"!{name} = !{{{', '.join(n)}}}" for name, n in named.items()])

    def _version(self) -> None:
        numbers = integers_of(self.module.attributes.get(IR_VERSION))
        if numbers:
            node = self.metadata.list_of([f"i32 {number}" for number in numbers])
            self.metadata.add_named("nvvmir.version", node)

    def _top(self, op: Operation) -> None:
        if isinstance(op, FuncOp):
            self._function(op)
        elif isinstance(op, GlobalOp):
            self._variable(op)
        elif op.name == "llvm.mlir.alias":
            self._alias(op)
        elif op.name == "llvm.comdat":
            for selector in fast.ops_of(op.regions[0].block):
                kind = _COMDATS[int_property(selector, "comdat")]
                self.comdats.append(f"${identifier(defined_name(selector))} = comdat {kind}")
        elif op.name == "llvm.module_flags":
            for flag in module_flags_of(op):
                self._module_flag(op, flag)
        elif op.name in ("llvm.mlir.global_ctors", "llvm.mlir.global_dtors"):
            self._structors(op)
        else:
            raise write_error(op, "it is not allowed at the top level of an LLVM IR module")

    def _flag(self, elements: tuple[str, str, str]) -> None:
        node = self.metadata.list_of(elements)
        self.metadata.add_named("llvm.module.flags", node)

    def _module_flag(self, op: Operation, flag: Attribute) -> None:
        if not isinstance(flag, ModuleFlagAttr):
            raise write_error(op, f"unknown module flag {flag.name}")
        behavior = MODULE_FLAG_BEHAVIORS.index(flag.behavior.data) + 1
        number = integer_of(flag.value)
        if number is not None:
            value = self.types(flag.value.type) + f" {number}"  # pyright: ignore
        elif isinstance(flag.value, StringAttr):
            value = text_node(flag.value.data)
        else:
            raise write_error(
                op, f"the flag '{flag.key.data}' has the unsupported value {flag.value.name}"
            )
        self.has_debug_version |= flag.key.data == "Debug Info Version"
        self._flag((f"i32 {behavior}", text_node(flag.key.data), value))

    # Symbols.

    @staticmethod
    def _header(op: Operation, *, declared: bool) -> str:
        """Linkage, visibility and similar keywords, each with a trailing space."""
        linkage = linkage_of(op)
        visibility = int_property(op, "visibility_")
        words = "" if linkage == "external" and not declared else f"{linkage} "
        # Local and hidden symbols are always dso_local.
        if "dso_local" in op.properties and linkage not in LOCAL_LINKAGE and not visibility:
            words += "dso_local "
        words += _VISIBILITIES.get(visibility, "")
        return words

    def _comdat(self, op: Operation) -> str:
        reference = comdat_of(op)
        if reference is None:
            return ""
        nested = [part.data for part in reference.nested_references.data]
        name = nested[-1] if nested else reference.root_reference.data
        return f"comdat(${identifier(name)})"

    def _variable(self, op: GlobalOp) -> None:
        name = defined_name(op)
        type_ = global_type_of(op)
        declared = is_declaration(op)
        words = self._header(op, declared=declared)
        if is_thread_local(op):
            words += "thread_local "
        words += _UNNAMED.get(int_property(op, "unnamed_addr"), "")
        space = global_space(op)
        words += f"addrspace({space}) " if space else ""
        if (
            "externally_initialized" in op.properties
            or "llvm.externally_initialized" in op.attributes
        ):
            words += "externally_initialized "
        words += "constant " if is_constant_global(op) else "global "
        text = f"{global_symbol(name)} = {words}{self.types(type_)}"
        if not declared:
            text += f" {self._initializer(op, type_)}"
        section = section_of(op)
        if section is not None:
            text += f", section {quoted(bytes_of(section))}"
        comdat = self._comdat(op)
        text += f", {comdat}" if comdat else ""
        alignment = int_property(op, "alignment")
        text += f", align {alignment}" if alignment else ""
        self.variables.append(text)
        pointer = self.types(types.pointer(space))
        for word in sorted(VARIABLES):
            if f"nvvm.{word}" in op.attributes:
                node = self.metadata.list_of(
                    [f"{pointer} {global_symbol(name)}", text_node(word), "i32 1"]
                )
                self.metadata.add_named("nvvm.annotations", node)

    def _initializer(self, op: GlobalOp, type_: Attribute) -> str:
        value = initial_value_of(op)
        if value is not None:
            return self.constants.attribute(value, type_)
        block = op.regions[0].first_block
        return "undef" if block is None else self.constants.initializer(block)[1]

    def _alias(self, op: Operation) -> None:
        words = self._header(op, declared=False)
        if is_thread_local(op):
            words += "thread_local "
        words += _UNNAMED.get(int_property(op, "unnamed_addr"), "")
        block = op.regions[0].first_block
        assert block is not None
        pointer, target = self.constants.initializer(block)
        type_ = self.types(op.properties["alias_type"])
        name = global_symbol(defined_name(op))
        self.variables.append(f"{name} = {words}alias {type_}, {self.types(pointer)} {target}")

    def _structors(self, op: Operation) -> None:
        kind = op.name.removeprefix("llvm.mlir.global_")
        functions = items_of(op.properties[kind])
        priorities = items_of(op.properties["priorities"])
        member = "{ i32, ptr, ptr }"
        members = [
            f"{member} {{ i32 {integer_of(priority)}, ptr {global_symbol(symbol_of(f) or '')}, "
            "ptr null }"
            for f, priority in zip(functions, priorities)
        ]
        type_ = f"[{len(members)} x {member}]"
        self.variables.append(
            f"@llvm.global_{kind} = appending global {type_} [{', '.join(members)}]"
        )

    def _function(self, op: FuncOp) -> None:
        name = defined_name(op)
        declared = op.body.first_block is None
        own = self._function_line(op, name, declared)
        if declared:
            self.bodies.append(f"declare {own}")
            return
        lines = self.functions.body(op)
        subprogram = self.functions.subprogram
        debug = "" if subprogram is None else f" !dbg {subprogram}"
        parameters = self._parameters(op)
        head = own.replace("\0", parameters, 1)
        body = "\n".join(lines)
        self.bodies.append(f"define {head}{debug} {{\n{body}\n}}")

    def _function_line(self, op: FuncOp, name: str, declared: bool) -> str:
        type_ = function_type_of(op)
        words = self._header(op, declared=False) + convention(op)
        words += self.attributes.parameter(entries_at(op, "res_attrs", 0))
        parameters = self._parameter_types(op, type_) if declared else "\0"
        text = f"{words}{self.types(type_.output)} {global_symbol(name)}({parameters})"
        unnamed = _UNNAMED.get(int_property(op, "unnamed_addr"), "").rstrip()
        text += f" {unnamed}" if unnamed else ""
        text += self.attributes.group(self.attributes.of_function(op))
        section = section_of(op)
        if section is not None:
            text += f" section {quoted(bytes_of(section))}"
        comdat = self._comdat(op)
        text += f" {comdat}" if comdat else ""
        alignment = int_property(op, "alignment")
        text += f" align {alignment}" if alignment else ""
        collector = op.properties.get("garbageCollector")
        if isinstance(collector, StringAttr):
            text += f" gc {quoted(bytes_of(collector.data))}"
        personality = symbol_of(op.properties.get("personality"))
        return text + (f" personality ptr {global_symbol(personality)}" if personality else "")

    def _parameter_types(self, op: FuncOp, type_: LLVMFunctionType) -> str:
        listed = [
            f"{self.types(input_)} {self.attributes.parameter(entries_at(op, 'arg_attrs', n))}"
            for n, input_ in enumerate(type_.inputs.data)
        ]
        words = [text.rstrip() for text in listed]
        return ", ".join([*words, "..."] if type_.is_variadic else words)

    def _parameters(self, op: FuncOp) -> str:
        entry = op.body.first_block
        assert entry is not None
        listed = [
            f"{self.types(argument.type)} "
            f"{self.attributes.parameter(entries_at(op, 'arg_attrs', n))}"
            f"{self.functions.names[argument]}"
            for n, argument in enumerate(entry.args)
        ]
        return ", ".join([*listed, "..."] if function_type_of(op).is_variadic else listed)
