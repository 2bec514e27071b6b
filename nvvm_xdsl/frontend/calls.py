"""Calls: of functions, intrinsics and inline assembly (LLVM Language Reference, "'call'
Instruction").

An intrinsic with an op becomes that op, any other intrinsic `llvm.call_intrinsic`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, SymbolRefAttr
from xdsl.dialects.llvm import (
    CallingConventionAttr,
    CallOp,
    InlineAsmOp,
    LLVMFunctionType,
    TailCallKind,
    TailCallKindAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, VOID, dense_i32, int_attr, string
from nvvm_xdsl.frontend import intrinsics
from nvvm_xdsl.frontend.arithmetic import Result
from nvvm_xdsl.frontend.attributes import (
    EMPTY_DICTIONARY,
    FunctionAttributes,
    argument_attributes,
    call_properties,
    discardable_attributes,
)
from nvvm_xdsl.frontend.debug_variables import DebugRecordReader
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, unquote_text
from nvvm_xdsl.frontend.metadata import DebugLevel
from nvvm_xdsl.frontend.types import METADATA, PTR, is_first_class, name_of
from nvvm_xdsl.ir import fast

CALLING_CONVENTIONS = {
    "ccc": "ccc",
    "fastcc": "fastcc",
    "coldcc": "coldcc",
    "ptx_kernel": "ptx_kernelcc",
    "ptx_device": "ptx_devicecc",
    "spir_kernel": "spir_kernelcc",
    "spir_func": "spir_funccc",
    "tailcc": "tailcc",
    "swiftcc": "swiftcc",
    "swifttailcc": "swifttailcc",
    "preserve_mostcc": "preserve_mostcc",
    "preserve_allcc": "preserve_allcc",
    "anyregcc": "anyregcc",
    "cxx_fast_tlscc": "cxx_fast_tlscc",
}
_NUMBERED_CONVENTIONS = {
    0: "ccc",
    8: "fastcc",
    9: "coldcc",
    18: "tailcc",
    71: "ptx_kernelcc",
    72: "ptx_devicecc",
    75: "spir_funccc",
    76: "spir_kernelcc",
}

CCC = CallingConventionAttr("ccc")

_TAIL = {kind.value: TailCallKindAttr(kind) for kind in TailCallKind}
_NO_TAIL = _TAIL["none"]
_NO_BUNDLES = dense_i32(())
_ATT = int_attr(0, I64)
_INTEL = int_attr(1, I64)

Bundle = tuple[str, list[SSAValue]]


class CallReader(DebugRecordReader):
    """Reads calls."""

    direct_calls: dict[tuple[str, Attribute], list[Operation]]
    """Calls by name and function type, which are checked after all functions are read."""

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        self.direct_calls = {}
        self.handlers["call"] = self._call
        for kind in ("tail", "musttail", "notail"):
            self.handlers[kind] = self._tail_call

    def calling_convention(self) -> str:
        """The calling convention at the current token, in MLIR's spelling; `ccc` if there is
        none."""
        token = self.tokens[self.pos]
        name = CALLING_CONVENTIONS.get(token)
        if name is not None:
            self.pos += 1
            return name
        if token[:2] == "cc" and (token == "cc" or token[2:].isdecimal()):
            place = self.pos
            self.pos += 1
            number = self.number() if token == "cc" else int(token[2:5])
            name = _NUMBERED_CONVENTIONS.get(number)
            if name is None:
                self.fail(f"calling convention {number} does not exist on NVIDIA GPUs", place)
            return name
        return "ccc"

    def _tail_call(self, kind: str) -> Result:
        self.expect("call")
        return self._call(kind)

    def _call(self, kind: str) -> Result:
        tokens = self.tokens
        fastmath = self.fastmath()
        convention = self.calling_convention()
        result_attributes = self.parameter_attributes(None)
        if tokens[self.pos] == "addrspace":
            self.address_space()
        type_place = self.pos
        type_ = self.type_()
        pointee = self.pointee
        place = self.pos
        token = tokens[place]
        if token == "asm":
            return self._asm(kind, type_, type_place)
        name: str | None = None
        callee: SSAValue | None = None
        if token[:1] == "@":
            name = name_of(token)
            if not name.startswith("llvm."):
                self.use_global(PTR)
            self.pos += 1
        elif token[:1] == "%":
            callee = self.value(PTR)
        else:
            constant = self.constant(PTR)
            if constant.kind == "global":
                name = constant.payload
            else:
                callee = self.pool.value(constant)
        if name is not None and name.startswith("llvm.dbg."):
            return self._debug_call(name.removeprefix("llvm.dbg."))
        arguments, attributes = self._arguments()
        function_type = self._function_type(type_, pointee, arguments, type_place)
        self._check_arguments(function_type, arguments, place)
        own = self.function_attributes()
        bundles = self._bundles() if tokens[self.pos] == "[" else []
        if name is not None and name.startswith("llvm."):
            made = self._intrinsic(
                name,
                arguments,
                attributes,
                result_attributes,
                function_type,
                fastmath,
                bundles,
                place,
            )
            if isinstance(made, Operation):
                made.attributes.update(discardable_attributes(own))
            return made
        return self._function_call(
            name,
            callee,
            arguments,
            attributes,
            result_attributes,
            function_type,
            fastmath,
            convention,
            kind,
            own,
        )

    def _arguments(self) -> tuple[list[SSAValue], list[DictionaryAttr]]:
        """`(type attributes value, ...)`."""
        tokens = self.tokens
        self.expect("(")
        values: list[SSAValue] = []
        attributes: list[DictionaryAttr] = []
        self.metadata_arguments: list[str] = []
        if self.accept(")"):
            return values, attributes
        while True:
            if len(tokens) - self.pos < LOOKAHEAD:
                self.fill()
            place = self.pos
            type_ = self.type_()
            if type_ is METADATA:
                node = self.metadata()
                self.metadata_arguments.append(node if isinstance(node, str) else "")
            elif tokens[self.pos] == "..." or not is_first_class(type_):
                self.fail(f"an argument cannot have the type {self.spell(type_)}", place)
            else:
                attributes.append(self.parameter_attributes(self.pointee))
                values.append(self.value(type_))
            token = tokens[self.pos]
            if token == ",":
                self.pos += 1
            elif token == ")":
                self.pos += 1
                return values, attributes
            else:
                self.fail_expected("',' or ')'")

    def _function_type(
        self, type_: Attribute, pointee: Attribute | None, arguments: list[SSAValue], place: int
    ) -> LLVMFunctionType:
        if isinstance(type_, LLVMFunctionType):
            return type_
        if isinstance(pointee, LLVMFunctionType):
            # Old spelling: the type of the callee, a pointer to a function. A function that
            # returns one is spelled the same; the number of arguments tells which it is.
            expected = len(pointee.inputs.data)
            if len(arguments) == expected or (pointee.is_variadic and len(arguments) > expected):
                return pointee
        if type_ is not VOID and not is_first_class(type_):
            self.fail(f"a function cannot return {self.spell(type_)}", place)
        return types.function([argument.type for argument in arguments], type_)

    def _check_arguments(
        self, function_type: LLVMFunctionType, arguments: list[SSAValue], place: int
    ) -> None:
        if self.metadata_arguments:
            # Only intrinsics have such arguments, and check them elsewhere.
            return
        inputs = function_type.inputs.data
        given = len(arguments)
        if given < len(inputs):
            self.fail("too few arguments of the call", place)
        if given > len(inputs) and not function_type.is_variadic:
            self.fail("too many arguments of the call", place)
        for input_, argument in zip(inputs, arguments):
            if argument.type is not input_:
                self.fail(
                    f"argument has type {self.spell(argument.type)}, expected {self.spell(input_)}",
                    place,
                )

    def _debug_call(self, kind: str) -> Operation | None:
        made = self.debug_record(kind)
        self.function_attributes()
        return made

    def _bundles(self) -> list[Bundle]:
        """`[ "tag"(type value, ...), ... ]`."""
        self.expect("[")
        found: list[Bundle] = []
        while not self.accept("]"):
            if found:
                self.expect(",")
            self.fill()
            tag = self.string()
            self.expect("(")
            operands: list[SSAValue] = []
            while not self.accept(")"):
                if operands:
                    self.expect(",")
                self.fill()
                operands.append(self.typed_value())
            found.append((tag, operands))
        return found

    def _function_call(
        self,
        name: str | None,
        callee: SSAValue | None,
        arguments: list[SSAValue],
        attributes: list[DictionaryAttr],
        result_attributes: DictionaryAttr,
        function_type: LLVMFunctionType,
        fastmath: Attribute,
        convention: str,
        kind: str,
        own: FunctionAttributes | None,
    ) -> Operation:
        properties: dict[str, Attribute] = {} if own is None else call_properties(own)
        properties["fastmathFlags"] = fastmath
        properties["CConv"] = CCC if convention == "ccc" else CallingConventionAttr(convention)
        properties["TailCallKind"] = _TAIL.get(kind, _NO_TAIL)
        properties["op_bundle_sizes"] = _NO_BUNDLES
        arg_attrs = argument_attributes(attributes)
        if arg_attrs is not None:
            properties["arg_attrs"] = arg_attrs
        if result_attributes is not EMPTY_DICTIONARY:
            properties["res_attrs"] = ArrayAttr([result_attributes])
        if function_type.is_variadic:
            properties["var_callee_type"] = function_type
        operands = arguments
        if name is not None:
            properties["callee"] = _symbol(name)
        else:
            assert callee is not None
            operands = [callee, *arguments]
        properties["operandSegmentSizes"] = dense_i32((len(operands), 0))
        output = function_type.output
        results = () if output is VOID else (output,)
        op = fast.create(CallOp, operands, results, properties, (), discardable_attributes(own))
        if name is not None:
            self.direct_calls.setdefault((name, function_type), []).append(op)
        return op

    def _intrinsic(
        self,
        name: str,
        arguments: list[SSAValue],
        attributes: list[DictionaryAttr],
        result_attributes: DictionaryAttr,
        function_type: LLVMFunctionType,
        fastmath: Attribute,
        bundles: list[Bundle],
        place: int,
    ) -> Result:
        call = intrinsics.Call(
            name=name,
            arguments=arguments,
            attributes=attributes,
            result_attributes=result_attributes,
            output=function_type.output,
            fastmath=fastmath,
            bundles=bundles,
            metadata=self.metadata_arguments,
        )
        try:
            made = intrinsics.build(call, self)
        except intrinsics.IntrinsicError as error:
            self.fail(str(error), place)
        if isinstance(made, Operation) and result_attributes is not EMPTY_DICTIONARY:
            range_ = result_attributes.data.get("llvm.range")
            if range_ is not None and made.results:
                self.attach_range(made, range_)
        return made

    def scope_of(self, reference: str) -> Attribute | None:
        """The alias scope of `llvm.experimental.noalias.scope.decl`'s argument."""
        scopes = self.convert("noalias", reference)
        return scopes.data[0] if scopes is not None else None

    def _asm(self, kind: str, type_: Attribute, place: int) -> Result:
        tokens = self.tokens
        self.pos += 1
        properties: dict[str, Attribute] = {"asm_dialect": _ATT}
        while True:
            token = tokens[self.pos]
            if token == "sideeffect":
                properties["has_side_effects"] = UNIT
            elif token == "alignstack":
                properties["is_align_stack"] = UNIT
            elif token == "inteldialect":
                properties["asm_dialect"] = _INTEL
            elif token != "unwind":
                break
            self.pos += 1
        for key in ("asm_string", "constraints"):
            token = tokens[self.pos]
            if len(token) < 2 or token[0] != '"' or token[-1] != '"':
                self.fail_expected("a string")
            properties[key] = string(unquote_text(token))
            self.pos += 1
            if key == "asm_string":
                self.expect(",")
        arguments, attributes = self._arguments()
        own = self.function_attributes()
        if tokens[self.pos] == "[":
            self._bundles()
        output = type_.output if isinstance(type_, LLVMFunctionType) else type_
        if output is not VOID and not is_first_class(output):
            self.fail(f"inline assembly cannot return {self.spell(output)}", place)
        properties["tail_call_kind"] = _TAIL.get(kind, _NO_TAIL)
        element_types = [
            DictionaryAttr({"elementtype": a.data["llvm.elementtype"]})
            if "llvm.elementtype" in a.data
            else EMPTY_DICTIONARY
            for a in attributes
        ]
        if any(a is not EMPTY_DICTIONARY for a in element_types):
            properties["operand_attrs"] = ArrayAttr(element_types)
        results = () if output is VOID else (output,)
        op = fast.create(
            InlineAsmOp, arguments, results, properties, (), discardable_attributes(own)
        )
        if own is not None and "convergent" in own.words:
            op.attributes["llvm.convergent"] = UNIT
        return op


_symbols: dict[str, SymbolRefAttr] = {}


def _symbol(name: str) -> SymbolRefAttr:
    found = _symbols.get(name)
    if found is None:
        found = _symbols[name] = SymbolRefAttr(name)
    return found
