"""Converts a module of the ptx dialect to one of the nvptx dialect.

The inverse of `convert-nvptx-to-ptx`: registers get their numbers, labels become blocks, the stores
and loads around a call become one op, and declarations are merged with definitions. Blocks have no
arguments yet (LLVM's NoPHIs); `nvptx-ssa-construction` follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation, Region
from xdsl.passes import ModulePass

from nvvm_xdsl.codegen.from_ptx.errors import error_at
from nvvm_xdsl.codegen.from_ptx.function_bodies import RESULT_NAME, FunctionConverter
from nvvm_xdsl.codegen.from_ptx.parameters import Parameter, parse_parameters, parse_results
from nvvm_xdsl.codegen.from_ptx.variables import convert_variable
from nvvm_xdsl.dialects.llvm.modules import take_contents
from nvvm_xdsl.dialects.llvm.types import I32, UNIT, dense_i32, int_attr, string
from nvvm_xdsl.dialects.nvptx.functions import func, param
from nvvm_xdsl.dialects.nvptx.gpus import FIRST_WITH_SUBNORMALS
from nvvm_xdsl.dialects.nvptx.target import (
    Target,
    TargetError,
    oldest_target,
    version_number,
    version_text,
)
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.strings import unquoted
from nvvm_xdsl.ir import fast

ADDRESS_SIZE: Final = 64

MASK_OF_ACTIVE_THREADS: Final = 62
"""The first PTX version, times ten, with `activemask`, which replaces `vote` without `.sync`."""

_FILE: Final = re.compile(r'\.file\s+(\d+)\s+"((?:[^"\\\n]|\\.)*)"')
_DIRECTIVE: Final = re.compile(r"\.(\w+)\s*(.*)\Z", re.DOTALL)
_DIMENSIONS: Final = frozenset({"maxntid", "reqntid", "reqnctapercluster"})
_INTEGERS: Final = frozenset(
    {"minnctapersm", "maxnreg", "maxclusterrank", "abi_preserve", "abi_preserve_control"}
)
_UNITS: Final = frozenset({"explicitcluster", "blocksareclusters", "noreturn"})
_WITHOUT_MEANING: Final = frozenset({"debug", "texmode_unified"})


@dataclass(frozen=True)
class ConvertPTXToNVPTX(ModulePass):
    """Converts a module of the ptx dialect to machine code. Raises DiagnosticError."""

    name = "convert-ptx-to-nvptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        take_contents(op, convert(op))


def convert(module: ModuleOp) -> ModuleOp:
    """The module in the nvptx dialect; the argument is not changed.

    `.target` and `.version` become the module's attributes `nvptx.target` and `nvptx.ptx`. PTX for
    a GPU older than the oldest supported one becomes machine code for the latter, because any newer
    GPU runs both. If there are `.loc` lines, `nvptx.debug` is `"line"`. Debug sections are omitted.
    Raises DiagnosticError for constructs that the dialect cannot express.
    """
    return _ModuleConverter(module).convert()


@dataclass
class _Signature:
    op: ptx.FuncOp
    params: list[Parameter]
    ret: Parameter | None


class _ModuleConverter:
    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.symbols: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.signatures: dict[str, _Signature] = {}
        self.taken: set[str] = set()
        self.out = fast.new_block()
        self.line_info = False
        self.target: Target | None = None
        self.flushes_subnormals = False
        self.attributes: dict[str, Attribute] = {}

    def convert(self) -> ModuleOp:
        """Returns the nvptx module for the PTX module."""
        ops = list(fast.ops_of(self.module.body.block))
        self._scan(ops)
        done: set[str] = set()
        for op in ops:
            if isinstance(op, ptx.VariableOp):
                name = op.text("symbol")
                if name not in done and self.variables[name] is op:
                    done.add(name)
                    fast.append(self.out, convert_variable(op, name, self._renamed))
            elif isinstance(op, ptx.FuncOp):
                name = op.text("symbol")
                if self.signatures[name].op is op:
                    fast.append(self.out, self._function(self.signatures[name]))
        if self.line_info:
            self.attributes["nvptx.debug"] = string("line")
        return ModuleOp(Region(self.out), self.attributes)

    def _scan(self, ops: Sequence[Operation]) -> None:
        """Processes the header and the declarations: a definition replaces its declaration."""
        self.variables: dict[str, ptx.VariableOp] = {}
        for op in ops:
            if isinstance(op, ptx.VersionOp):
                self.attributes["nvptx.ptx"] = string(op.text("version"))
            elif isinstance(op, ptx.TargetOp):
                self._target(op)
            elif isinstance(op, ptx.AddressSizeOp):
                if op.number("bits") != ADDRESS_SIZE:
                    raise error_at(op, f"addresses have {ADDRESS_SIZE} bits")
            elif isinstance(op, ptx.VariableOp):
                name = op.text("symbol")
                known = self.variables.get(name)
                if known is None or op.text("linkage") != "extern":
                    self.variables[name] = op
                self.symbols[name] = name
                self.taken.add(name)
            elif isinstance(op, ptx.FuncOp):
                self._signature(op)
                body = op.regions[0].first_block
                if body is not None and not self.line_info:
                    self.line_info = any(
                        isinstance(inner, ptx.DirectiveOp) and inner.text("text").startswith(".loc")
                        for inner in fast.ops_of(body)
                    )
            elif isinstance(op, ptx.DirectiveOp):
                text = op.text("text")
                match = _FILE.match(text)
                if match is not None:
                    self.files[match[1]] = unquoted(match[2])
                elif text.startswith(".alias"):
                    raise error_at(
                        op,
                        ".alias is not supported in machine code: call the function that it names",
                    )
            elif not isinstance(op, ptx.TextOp):
                raise error_at(op, f"{op.name} is not PTX")
        self._set_target()

    def _target(self, op: ptx.TargetOp) -> None:
        """Processes `.target`: of several GPUs the newest is used."""
        for name in op.text("target").split(", "):
            if name.startswith(("sm_", "compute_")):
                try:
                    target = Target.of_ptx(name)
                except TargetError as error:
                    raise error_at(op, error.message) from None
                if self.target is None or target.sm >= self.target.sm:
                    self.target = target
            elif name not in _WITHOUT_MEANING:
                raise error_at(op, f"the target option '{name}' is not supported in machine code")

    def _set_target(self) -> None:
        """Sets the target and version of the machine code."""
        stated = self.attributes.get("nvptx.ptx")
        target = self.target
        if target is None:
            return
        self.flushes_subnormals = target.sm < FIRST_WITH_SUBNORMALS
        oldest = oldest_target()
        if target.sm < oldest.sm:
            target = oldest
            version = version_number(stated.data) if isinstance(stated, StringAttr) else 0
            version = max(version, MASK_OF_ACTIVE_THREADS)
            self.attributes["nvptx.ptx"] = string(version_text(version))
        self.attributes["nvptx.target"] = string(target.name)

    def _signature(self, op: ptx.FuncOp) -> None:
        name = op.text("symbol")
        try:
            params = parse_parameters(op.texts("params"), kernel="entry" in op.properties)
            ret = parse_results(op.text("ret"))
        except ValueError as error:
            raise error_at(op, str(error)) from None
        known = self.signatures.get(name)
        has_body = op.regions[0].first_block is not None
        if known is None or has_body:
            if known is not None and known.op.regions[0].first_block is not None:
                raise error_at(op, f"there are two functions '{name}'")
            self.signatures[name] = _Signature(op, params, ret)
        self.symbols[name] = name
        self.taken.add(name)

    def signature(self, name: str) -> tuple[list[Parameter], Parameter | None] | None:
        """The parameters and the result of a function; None if it does not exist."""
        found = self.signatures.get(name)
        return None if found is None else (found.params, found.ret)

    def _renamed(self, name: str) -> str:
        return self.symbols.get(name, name)

    def hoist(self, op: ptx.VariableOp) -> str:
        """Moves a function's variable to the module; returns its name there."""
        name = op.text("symbol")
        unique = name
        number = 0
        while unique in self.taken:
            number += 1
            unique = f"{name}_${number}"
        self.taken.add(unique)
        fast.append(self.out, convert_variable(op, unique, self._renamed))
        return unique

    def _function(self, found: _Signature) -> Operation:
        op = found.op
        is_kernel = "entry" in op.properties
        directives, pragmas = self._directives(op)
        body = Region()
        if op.regions[0].first_block is not None:
            converter = FunctionConverter(self, op, found.params, found.ret)
            if self.line_info:
                # Code before the first `.loc` has no line.
                converter.line = converter.location = fast.UNKNOWN_LOC
            body = converter.convert(pragmas)
        params = [p.attribute for p in found.params]
        ret = None
        if found.ret is not None:
            attribute = found.ret.attribute
            ret = param(attribute.type_, attribute.count, attribute.align, RESULT_NAME)
        linkage = op.text("linkage")
        return func(
            op.text("symbol"),
            params,
            ret,
            body,
            kernel=is_kernel,
            linkage=linkage,
            directives=directives,
            location=op.location,
        )

    def _directives(self, op: ptx.FuncOp) -> tuple[dict[str, Attribute], list[str]]:
        """The performance directives as properties, and pragmas of the whole function."""
        found: dict[str, Attribute] = {}
        pragmas: list[str] = []
        for text in op.texts("directives"):
            match = _DIRECTIVE.match(text)
            name, rest = (match[1], match[2]) if match is not None else ("", "")
            if name in _UNITS:
                found[name] = UNIT
            elif name == "pragma":
                pragmas.append(rest)
            elif name in _DIMENSIONS or name in _INTEGERS:
                words = [n.strip() for n in rest.split(",")]
                numbers: list[Any] = [int(n[:12]) for n in words if n.isdigit()]
                if not numbers or any(n >= 1 << 31 for n in numbers):
                    raise error_at(op, f"'{text}' is not a directive")
                found[name] = (
                    dense_i32(numbers) if name in _DIMENSIONS else int_attr(numbers[0], I32)
                )
            else:
                raise error_at(op, f"the directive .{name} is not supported in machine code")
        return found, pragmas
