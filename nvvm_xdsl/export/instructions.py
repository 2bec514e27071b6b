"""Instructions of LLVM assembly (LLVM Language Reference, "Instruction Reference"); the inverse of
`frontend.instructions`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.llvm import LLVMStructType, TailCallKindAttr
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import (
    bundle_sizes,
    bundle_tags,
    callee_of,
    element_type_of,
    has_assembly_effects,
    int_property,
    int_value,
    intrinsic_name,
    position_of,
    predicate_of,
    segment_sizes,
    shuffle_mask_of,
    text_property,
    variadic_type_of,
)
from nvvm_xdsl.dialects.llvm.flags import fast_math_flags
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, raw_indices
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_NAMES
from nvvm_xdsl.dialects.llvm.struct_attributes import DereferenceableAttr
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.export.attributes import (
    convention,
    discardable_words,
    entries_at,
    range_text,
)
from nvvm_xdsl.export.constants import gep_flags, wrap_flags
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.inline_ptx import InlinePTX, inline_ptx, parts_of
from nvvm_xdsl.export.intrinsics import (
    Argument,
    IntrinsicCall,
    core_call,
    nvvm_call,
    pointer_alignment,
)
from nvvm_xdsl.export.operand_text import OperandWriter
from nvvm_xdsl.export.spelling import bytes_of, global_symbol, quoted
from nvvm_xdsl.frontend.builders import FCMP_PREDICATES, ICMP_PREDICATES
from nvvm_xdsl.frontend.operands import FASTMATH
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of

_ICMP: Final = {int_value(number): name for name, number in ICMP_PREDICATES.items()}
_FCMP: Final = {int_value(number): name for name, number in FCMP_PREDICATES.items()}
_BIN_OPS: Final = {n: name.removeprefix("_") for name, n in ENUMS["AtomicBinOp"].items()}
_FLAG_WORDS: Final = {flag: word for word, flag in FASTMATH.items()}

_BINARY: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split()
    )
)
_CASTS: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast "
        "addrspacecast".split()
    )
)
_DEBUG: Final = frozenset({"llvm.intr.dbg.declare", "llvm.intr.dbg.value", "llvm.intr.dbg.label"})
"""Locations of debug variables, which the IR does not keep."""


def _flags(op: Operation) -> str:
    """Flags of an operation, each with a trailing space."""
    words = wrap_flags(op)
    properties = op.properties
    for name, word in (("isExact", "exact "), ("isDisjoint", "disjoint "), ("nonNeg", "nneg ")):
        if name in properties:
            words += word
    return words + fast_math(op)


def fast_math(op: Operation) -> str:
    """Fast-math flags of an op, each with a trailing space."""
    flags = fast_math_flags(op)
    if not flags:
        return ""
    if len(flags) == len(_FLAG_WORDS):
        return "fast "
    return "".join([f"{word} " for flag, word in _FLAG_WORDS.items() if flag in flags])


class InstructionWriter(OperandWriter):
    """Writes instructions into `lines`."""

    @cached_property
    def _handlers(self) -> dict[str, Callable[[Operation], None]]:
        """The writer of each kind of op."""
        return {
            **dict.fromkeys(_BINARY, self._binary),
            **dict.fromkeys(_CASTS, self._cast),
            "llvm.fneg": self._fneg,
            "llvm.icmp": self._icmp,
            "llvm.fcmp": self._fcmp,
            "llvm.select": self._select,
            "llvm.load": self._load,
            "llvm.store": self._store,
            "llvm.alloca": self._alloca,
            "llvm.getelementptr": self._getelementptr,
            "llvm.extractvalue": self._extract_value,
            "llvm.insertvalue": self._insert_value,
            "llvm.extractelement": self._element,
            "llvm.insertelement": self._element,
            "llvm.shufflevector": self._shuffle,
            "llvm.freeze": self._freeze,
            "llvm.fence": self._fence,
            "llvm.atomicrmw": self._atomicrmw,
            "llvm.cmpxchg": self._cmpxchg,
            "llvm.va_arg": self._va_arg,
            "llvm.call": self._call,
            "llvm.call_intrinsic": self._call_intrinsic,
            "llvm.inline_asm": self._inline_asm,
            "llvm.intr.assume": self._assume,
            "llvm.intr.experimental.noalias.scope.decl": self._scope_declaration,
            "nvvm.elect.sync": self._elect,
            **dict.fromkeys(_DEBUG, self._nothing),
            **self.terminator_handlers(),
        }

    def terminator_handlers(self) -> dict[str, Callable[[Operation], None]]:
        """The methods that write terminators."""
        raise NotImplementedError

    def write(self, op: Operation) -> None:
        """Writes an op. Raises WriteError."""
        handler = self._handlers.get(op.name)
        try:
            if handler is not None:
                handler(op)
            elif op.name.startswith("llvm.intr."):
                self._intrinsic(op, core_call(op))
            elif op.name.startswith("nvvm."):
                self._nvvm(op)
            else:
                raise write_error(op, "it is not an instruction of LLVM IR")
        except ValueError as error:
            raise write_error(op, str(error)) from None

    # Values.

    # Lines.

    def _nothing(self, op: Operation) -> None:
        return

    # Arithmetic.

    def _binary(self, op: Operation) -> None:
        lhs, rhs = fast.operands_of(op)
        opcode = op.name.removeprefix("llvm.")
        self.line(op, f"{opcode} {_flags(op)}{self.typed(lhs)}, {self.value(rhs)}")

    def _cast(self, op: Operation) -> None:
        (operand,) = fast.operands_of(op)
        opcode = op.name.removeprefix("llvm.")
        target = self.types(op.results[0].type)
        metadata: list[str] = []
        dereferenceable = op.properties.get("dereferenceable")
        if isinstance(dereferenceable, DereferenceableAttr):
            metadata.append(self._dereferenceable(dereferenceable))
        self.line(op, f"{opcode} {_flags(op)}{self.typed(operand)} to {target}", *metadata)

    def _fneg(self, op: Operation) -> None:
        self.line(op, f"fneg {fast_math(op)}{self._listed(fast.operands_of(op))}")

    def _icmp(self, op: Operation) -> None:
        lhs, rhs = fast.operands_of(op)
        self.line(op, f"icmp {_ICMP[predicate_of(op)]} {self.typed(lhs)}, {self.value(rhs)}")

    def _fcmp(self, op: Operation) -> None:
        lhs, rhs = fast.operands_of(op)
        predicate = _FCMP[predicate_of(op)]
        self.line(op, f"fcmp {fast_math(op)}{predicate} {self.typed(lhs)}, {self.value(rhs)}")

    def _select(self, op: Operation) -> None:
        self.line(op, f"select {fast_math(op)}{self._listed(fast.operands_of(op))}")

    def _freeze(self, op: Operation) -> None:
        self.line(op, f"freeze {self._listed(fast.operands_of(op))}")

    # Memory.

    def _load(self, op: Operation) -> None:
        (pointer,) = fast.operands_of(op)
        ordering = self._ordering(op)
        type_ = self.types(op.results[0].type)
        text = f"load {self._words(op, ordering)}{type_}, {self.typed(pointer)}{ordering}"
        self.line(op, text + self._aligned(op), *self._access_metadata(op))

    def _store(self, op: Operation) -> None:
        ordering = self._ordering(op)
        text = f"store {self._words(op, ordering)}{self._listed(fast.operands_of(op))}{ordering}"
        self.line(op, text + self._aligned(op), *self._access_metadata(op))

    def _alloca(self, op: Operation) -> None:
        (count,) = fast.operands_of(op)
        words = "inalloca " if "inalloca" in op.properties else ""
        text = f"alloca {words}{self.types(op.properties['elem_type'])}"
        if constant_integer(count) != 1 or count.type != I32:
            text += f", {self.typed(count)}"
        text += self._aligned(op)
        space = types.pointer_space(op.results[0].type)
        self.line(op, text + (f", addrspace({space})" if space else ""))

    def _getelementptr(self, op: Operation) -> None:
        base, *rest = fast.operands_of(op)
        dynamic = iter(rest)
        indices = [
            self.typed(next(dynamic)) if raw == DYNAMIC_INDEX else f"i32 {raw}"
            for raw in raw_indices(op)
        ]
        element = self.types(element_type_of(op))
        listed = ", ".join([element, self.typed(base), *indices])
        self.line(op, f"getelementptr {gep_flags(op)}{listed}")

    def _fence(self, op: Operation) -> None:
        self.line(op, f"fence{self._ordering(op)}")

    def _atomicrmw(self, op: Operation) -> None:
        operation = _BIN_OPS[int_property(op, "bin_op")]
        text = f"atomicrmw {self._words(op)}{operation} {self._listed(fast.operands_of(op))}"
        self.line(op, text + self._ordering(op) + self._aligned(op))

    def _cmpxchg(self, op: Operation) -> None:
        weak = "weak " if "weak" in op.properties else ""
        text = f"cmpxchg {weak}{self._words(op)}{self._listed(fast.operands_of(op))}"
        failure = ORDERING_NAMES[int_property(op, "failure_ordering")]
        ordering = self._ordering(op, "success_ordering")
        self.line(op, f"{text}{ordering} {failure}{self._aligned(op)}")

    def _va_arg(self, op: Operation) -> None:
        type_ = self.types(op.results[0].type)
        self.line(op, f"va_arg {self._listed(fast.operands_of(op))}, {type_}")

    # Aggregates and vectors.

    def _extract_value(self, op: Operation) -> None:
        indices = "".join([f", {n}" for n in position_of(op)])
        self.line(op, f"extractvalue {self._listed(fast.operands_of(op))}{indices}")

    def _insert_value(self, op: Operation) -> None:
        indices = "".join([f", {n}" for n in position_of(op)])
        self.line(op, f"insertvalue {self._listed(fast.operands_of(op))}{indices}")

    def _element(self, op: Operation) -> None:
        self.line(op, f"{op.name.removeprefix('llvm.')} {self._listed(fast.operands_of(op))}")

    def _shuffle(self, op: Operation) -> None:
        mask = shuffle_mask_of(op)
        elements = ", ".join(["i32 poison" if n < 0 else f"i32 {n}" for n in mask])
        operands = self._listed(fast.operands_of(op))
        self.line(op, f"shufflevector {operands}, <{len(mask)} x i32> <{elements}>")

    # Calls.

    def _bundles(self, op: Operation, operands: list[SSAValue]) -> str:
        """` [ "tag"(type value), ... ]`."""
        sizes = bundle_sizes(op)
        tags = bundle_tags(op)
        if not tags:
            return ""
        found: list[str] = []
        position = 0
        for size, tag in zip(sizes, tags):
            assert isinstance(tag, StringAttr)
            values = self._listed(operands[position : position + size])
            found.append(f"{quoted(bytes_of(tag.data))}({values})")
            position += size
        return f" [ {', '.join(found)} ]"

    @staticmethod
    def _segments(op: Operation) -> tuple[list[SSAValue], list[SSAValue]]:
        """The operands of a call, and those of its operand bundles."""
        operands = list(fast.operands_of(op))
        sizes = segment_sizes(op)
        count = sizes[0] if sizes else len(operands)
        return operands[:count], operands[count:]

    def _arguments(self, op: Operation, values: list[SSAValue]) -> str:
        spelled = [
            f"{self.types(value.type)} "
            f"{self.attributes.parameter(entries_at(op, 'arg_attrs', index))}{self.value(value)}"
            for index, value in enumerate(values)
        ]
        return ", ".join(spelled)

    def _result(self, op: Operation) -> str:
        """Attributes and type of a call's result, with a trailing space."""
        attributes = self.attributes.parameter(entries_at(op, "res_attrs", 0))
        type_ = self.types(op.results[0].type) if op.results else "void"
        return f"{attributes}{type_} "

    def _call(self, op: Operation) -> None:
        operands, bundled = self._segments(op)
        name = callee_of(op)
        if name is None:
            callee = self.value(operands[0])
            operands = operands[1:]
        else:
            callee = global_symbol(name)
        tail = self._tail(op, "TailCallKind")
        signature = self._result(op)
        variadic = variadic_type_of(op)
        if variadic is not None:
            attributes = self.attributes.parameter(entries_at(op, "res_attrs", 0))
            signature = f"{attributes}{self.types(variadic)} "
        text = f"{tail}call {fast_math(op)}{convention(op)}{signature}{callee}"
        text += f"({self._arguments(op, operands)})"
        text += self.attributes.group(self.attributes.of_call(op)) + self._bundles(op, bundled)
        self.line(op, text, *self._range(op))

    @staticmethod
    def _tail(op: Operation, name: str) -> str:
        kind = op.properties.get(name)
        word = kind.data.value if isinstance(kind, TailCallKindAttr) else "none"
        return "" if word == "none" else f"{word} "

    def _declare(self, name: str, output: str, arguments: list[str]) -> None:
        if name not in self.declarations:
            listed = ", ".join(arguments)
            self.declarations[name] = f"declare {output} {global_symbol(name)}({listed})"

    def _call_intrinsic(self, op: Operation) -> None:
        operands, bundled = self._segments(op)
        name = intrinsic_name(op)
        output = self.types(op.results[0].type) if op.results else "void"
        self._declare(name, output, [self.types(value.type) for value in operands])
        text = f"call {fast_math(op)}{self._result(op)}{global_symbol(name)}"
        group = self.attributes.group(discardable_words(op))
        text += f"({self._arguments(op, operands)}){group}{self._bundles(op, bundled)}"
        stated = entries_at(op, "res_attrs", 0)
        said = "llvm.range" in getattr(stated, "data", {})
        self.line(op, text, *([] if said else self._range(op)))

    def _argument(self, argument: Argument) -> tuple[str, str]:
        """Type and value of an argument."""
        if isinstance(argument, SSAValue):
            return self.types(argument.type), self.value(argument)
        type_, value = argument
        return self.types(type_), self.constants.attribute(value, type_)

    def _intrinsic(self, op: Operation, call: IntrinsicCall) -> None:
        arguments = [self._argument(argument) for argument in call.arguments]
        output = self.types(op.results[0].type) if op.results else "void"
        self._declare(call.name, output, [type_ for type_, _ in arguments])
        spelled: list[str] = []
        place, alignment = pointer_alignment(op)
        for index, (type_, value) in enumerate(arguments):
            attributes = self.attributes.parameter(call.attributes.get(index))
            if alignment and index == place:
                attributes += f"align {alignment} "
            spelled.append(f"{type_} {attributes}{value}")
        bounds = "" if call.range is None else f"range({range_text(call.range)}) "
        text = f"call {fast_math(op)}{bounds}{output} {global_symbol(call.name)}"
        group = self.attributes.group(discardable_words(op))
        self.line(op, f"{text}({', '.join(spelled)}){group}", *self._range(op))

    def _assume(self, op: Operation) -> None:
        condition, *rest = fast.operands_of(op)
        self._declare("llvm.assume", "void", ["i1"])
        bundles = self._bundles(op, rest)
        self.line(op, f"call void @llvm.assume({self.typed(condition)}){bundles}")

    def _scope_declaration(self, op: Operation) -> None:
        name = "llvm.experimental.noalias.scope.decl"
        self._declare(name, "void", ["metadata"])
        node = self.metadata.list_of([self.metadata.scope(op.properties["scope"])])
        self.line(op, f"call void @{name}(metadata {node})")

    # Assembly.

    def _inline_asm(self, op: Operation) -> None:
        operands = list(fast.operands_of(op))
        words = "".join(
            [
                "sideeffect " if has_assembly_effects(op) else "",
                "alignstack " if "is_align_stack" in op.properties else "",
                "inteldialect " if int_property(op, "asm_dialect") else "",
            ]
        )
        listed = items_of(op.properties.get("operand_attrs"))
        arguments: list[str] = []
        for index, value in enumerate(operands):
            entries = getattr(listed[index], "data", {}) if index < len(listed) else {}
            attribute = ""
            if "elementtype" in entries:
                attribute = f"elementtype({self.types(entries['elementtype'])}) "
            arguments.append(f"{self.types(value.type)} {attribute}{self.value(value)}")
        output = self.types(op.results[0].type) if op.results else "void"
        text = (
            f"{self._tail(op, 'tail_call_kind')}call {output} asm {words}"
            f"{quoted(bytes_of(text_property(op, 'asm_string')))}, "
            f"{quoted(bytes_of(text_property(op, 'constraints')))}({', '.join(arguments)})"
        )
        self.line(op, text + self.attributes.group(discardable_words(op)))

    def _elect(self, op: Operation) -> None:
        """The intrinsic also returns the index of the elected thread."""
        name, output = "llvm.nvvm.elect.sync", "{ i32, i1 }"
        self._declare(name, output, ["i32"])
        mask = self._listed(fast.operands_of(op)) or "i32 -1"
        both = self.temporary()
        self.lines.append(f"  {both} = call {output} @{name}({mask})")
        self.line(op, f"extractvalue {output} {both}, 1")

    def _nvvm(self, op: Operation) -> None:
        call = nvvm_call(op)
        if call is not None:
            self._intrinsic(op, call)
            return
        self._assembly(op, inline_ptx(op))

    def _assembly(self, op: Operation, made: InlinePTX) -> None:
        """An instruction without an intrinsic, as inline assembly, like MLIR's translation."""
        arguments = [self._part(value, index) for value, index in made.arguments]
        group = self.attributes.group(["convergent", *discardable_words(op)])
        text = f"asm sideeffect {quoted(bytes_of(made.text))}, "
        text += f'"{made.constraints}"({", ".join(arguments)}){group}'
        results = [self.types(type_) for type_ in made.results]
        if len(results) < 2 or isinstance(op.results[0].type, LLVMStructType):
            output = self.types(op.results[0].type) if op.results else "void"
            self.line(op, f"call {output} {text}")
            return
        # A vector's registers are returned as a struct.
        output = f"{{ {', '.join(results)} }}"
        whole = self.temporary()
        self.lines.append(f"  {whole} = call {output} {text}")
        vector = "poison"
        for index, type_ in enumerate(results):
            part = self.temporary()
            self.lines.append(f"  {part} = extractvalue {output} {whole}, {index}")
            inserted = f"insertelement {self.types(op.results[0].type)} {vector}, {type_} {part}, i32 {index}"
            if index == len(results) - 1:
                self.line(op, inserted)
                return
            vector = self.temporary()
            self.lines.append(f"  {vector} = {inserted}")

    def _part(self, value: SSAValue, index: int | None) -> str:
        """Type and value of a register-sized operand."""
        if index is None:
            return self.typed(value)
        part = self.temporary()
        types_ = parts_of(value.type)
        assert types_ is not None
        if isinstance(value.type, LLVMStructType):
            self.lines.append(f"  {part} = extractvalue {self.typed(value)}, {index}")
        else:
            self.lines.append(f"  {part} = extractelement {self.typed(value)}, i32 {index}")
        return f"{self.types(types_[index])} {part}"
