"""Operands, flags and attached metadata of instructions."""

from __future__ import annotations

import re
from typing import NoReturn

from xdsl.dialects.llvm import FastMathAttr, LLVMArrayType, LLVMStructType
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.data_layout import NVPTX64_LAYOUT, DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.orderings import ORDERING_ATTRIBUTES, PLAIN
from nvvm_xdsl.dialects.llvm.struct_attributes import DereferenceableAttr
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.frontend.builders import NO_FASTMATH, element_type
from nvvm_xdsl.frontend.constants import ConstantPool
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, describe
from nvvm_xdsl.frontend.metadata import DebugLevel, MetadataReader
from nvvm_xdsl.frontend.types import is_integer, name_of
from nvvm_xdsl.ir import fast

_LAYOUT = re.compile(r'\btarget\s+datalayout\s*=\s*"([^"]*)"')

_PREFERRED_STRUCT_ALIGNMENT = 8
"""The preferred alignment of the data layout's default `a:0:64`."""

FASTMATH: dict[str, FastMathFlag] = {
    "nnan": FastMathFlag.NO_NANS,
    "ninf": FastMathFlag.NO_INFS,
    "nsz": FastMathFlag.NO_SIGNED_ZEROS,
    "arcp": FastMathFlag.ALLOW_RECIP,
    "contract": FastMathFlag.ALLOW_CONTRACT,
    "afn": FastMathFlag.APPROX_FUNC,
    "reassoc": FastMathFlag.REASSOC,
}

_fastmath: dict[frozenset[str], Attribute] = {
    frozenset({"fast"}): FastMathAttr("fast"),
    frozenset(FASTMATH): FastMathAttr("fast"),
}

_FASTMATH_WORDS = frozenset(FASTMATH) | {"fast"}

_NAME_SUFFIX = re.compile(r"_[0-9]+\Z", re.ASCII)

_NAME = re.compile(r"[A-Za-z_$.-][\w$.-]*", re.ASCII)

_NAME_CHARACTER = re.compile(r"[^\w$.-]", re.ASCII)

ALIASING = {
    "tbaa": "tbaa",
    "alias.scope": "alias_scopes",
    "noalias": "noalias_scopes",
    "llvm.access.group": "access_groups",
}

_ALIASING_OPS = frozenset(
    {
        "llvm.load",
        "llvm.store",
        "llvm.atomicrmw",
        "llvm.cmpxchg",
        "llvm.call",
        "llvm.intr.memcpy",
        "llvm.intr.memcpy.inline",
        "llvm.intr.memmove",
        "llvm.intr.memset",
        "llvm.intr.memset.inline",
    }
)


def name_hint(name: str) -> str | None:
    """An LLVM value name as a hint that xDSL's printer can use and make unique."""
    if not name or name.isdigit():
        return None
    if _NAME.fullmatch(name) is None:
        name = _NAME_CHARACTER.sub("_", name)
        if _NAME.fullmatch(name) is None:
            name = "_" + name
    if name[-1].isdigit():
        name = _NAME_SUFFIX.sub("", name)
        if name.isdigit():
            return None
    return name or None


def _fits(range_: Attribute, type_: Attribute) -> bool:
    element = element_type(type_)
    return (
        isinstance(range_, ConstantRangeAttr)
        and is_integer(element)
        and range_.width == element.width.data
    )


def value_key(token: str) -> str:
    """A common key for `%x` and `%"x"`."""
    return f"%{name_of(token)}" if '"' in token else token


class OperandReader(MetadataReader):
    """Reads the values, flags and metadata that are common to instructions."""

    layout: DataLayout
    values: dict[str, SSAValue]
    pool: ConstantPool
    block: Block
    _forward: dict[str, tuple[SSAValue, tuple[int, int]]]
    _replaced: list[tuple[SSAValue, SSAValue]]

    def __init__(self, text: str, filename: str, *, debug: DebugLevel = "none") -> None:
        super().__init__(text, filename, debug=debug)
        found = _LAYOUT.search(text)
        self.layout = DataLayout(found[1] if found and found[1] else NVPTX64_LAYOUT)
        self.values = {}
        self.block = fast.new_block()
        self.pool = ConstantPool(self.block)
        self._forward = {}
        self._replaced = []

    def value(self, type_: Attribute) -> SSAValue:
        """The operand of a known type at the current token."""
        pos = self.pos
        token = self.tokens[pos]
        found = self.values.get(token)
        if found is not None:
            if found.type is not type_:
                self._wrong_type(token, found, type_)
            self.pos = pos + 1
            return found
        if token[:1] == "%":
            return self._quoted_or_forward_value(token, type_)
        key = (token, id(type_))
        found = self.pool.scalars.get(key)
        if found is not None:
            self.pos = pos + 1
            return found
        found = self.pool.value(self.constant(type_))
        if self.pos == pos + 1:
            self.pool.scalars[key] = found
        return found

    def typed_value(self) -> SSAValue:
        """`type operand`."""
        return self.value(self.value_type())

    def _wrong_type(self, token: str, found: SSAValue, wanted: Attribute) -> NoReturn:
        self.fail(f"{token} has type {self.spell(found.type)}, expected {self.spell(wanted)}")

    def _quoted_or_forward_value(self, token: str, type_: Attribute) -> SSAValue:
        """An operand that is quoted, or defined later."""
        if token == "%":
            self.fail_expected("a value")
        key = value_key(token)
        found = self.values.get(key)
        if found is None:
            forward = self._forward.get(key)
            if forward is None:
                found = fast.new_block((type_,)).args[0]
                self._forward[key] = (found, self.place())
            else:
                found = forward[0]
        if found.type is not type_:
            self._wrong_type(token, found, type_)
        self.pos += 1
        return found

    def define(self, token: str, value: SSAValue, index: int) -> None:
        """Binds `%name` to the value; `index` is the position of the name."""
        key = value_key(token)
        if key in self.values:
            self.fail(f"redefinition of {token}", index)
        if self._forward:
            forward = self._forward.pop(key, None)
            if forward is not None:
                placeholder = forward[0]
                if placeholder.type is not value.type:
                    self.fail(
                        f"{token} has type {self.spell(value.type)}, "
                        f"but was used as {self.spell(placeholder.type)}",
                        index,
                    )
                fast.replace_all_uses(placeholder, value)
                self._replaced.append((placeholder, value))
        self.values[key] = value

    def settle_forward(self) -> None:
        """Fails for values that were used and never defined."""
        for key, (_, place) in self._forward.items():
            self.fail_at(f"use of undefined value '{key}'", place)
        real = {id(old): new for old, new in self._replaced}
        if not real:
            return
        for old, new in self._replaced:
            fast.replace_all_uses(old, self._settled(new, real))
        for key, value in self.values.items():
            self.values[key] = self._settled(value, real)

    def _settled(self, value: SSAValue, real: dict[int, SSAValue]) -> SSAValue:
        # A value that was renamed before its definition is the end of a chain of placeholders.
        for _ in range(len(real) + 1):
            following = real.get(id(value))
            if following is None:
                return value
            value = following
        self.fail("a value is defined as itself")

    def fastmath(self) -> Attribute:
        """Fast-math flags."""
        token = self.tokens[self.pos]
        if token not in _FASTMATH_WORDS:
            return NO_FASTMATH
        words: set[str] = set()
        while token in _FASTMATH_WORDS:
            words.add(token)
            self.pos += 1
            token = self.tokens[self.pos]
        key = frozenset({"fast"}) if "fast" in words else frozenset(words)
        found = _fastmath.get(key)
        if found is None:
            found = _fastmath[key] = FastMathAttr([FASTMATH[word] for word in sorted(words)])
        return found

    def alignment_of(self, type_: Attribute, place: int) -> int:
        """The ABI alignment, the default of accesses."""
        try:
            return self.layout.alignment(type_)
        except UnsizedTypeError:
            self.fail(f"{self.spell(type_)} has no size", place)

    def _slot_alignment(self, type_: Attribute, place: int) -> int:
        """The default alignment of an `alloca`: LLVM's preferred alignment."""
        inner = type_
        while isinstance(inner, LLVMArrayType):
            inner = inner.type
        alignment = self.alignment_of(type_, place)
        if isinstance(inner, LLVMStructType):
            return max(alignment, _PREFERRED_STRUCT_ALIGNMENT)
        return alignment

    def align(self, *, after_type: bool = False) -> Attribute | None:
        """`, align N`, if it follows; directly after a variable's type the comma may be missing."""
        tokens = self.tokens
        at = self.pos + 1
        if after_type and tokens[self.pos] == "align":
            at = self.pos
        elif tokens[self.pos] != "," or tokens[at] != "align":
            return None
        self.pos = at + 1
        place = self.pos
        value = self.number()
        self.check_alignment(value, place)
        return int_attr(value, I64)

    def scope(self) -> Attribute | None:
        """`syncscope("...")`, if it follows."""
        if not self.accept("syncscope"):
            return None
        self.expect("(")
        name = self.string()
        self.expect(")")
        return string(name)

    def ordering(self) -> Attribute:
        """An atomic ordering."""
        token = self.tokens[self.pos]
        found = ORDERING_ATTRIBUTES.get(token)
        if found is None or found is PLAIN:
            self.fail_expected("an atomic ordering")
        self.pos += 1
        return found

    def instruction_metadata(self, op: Operation | None) -> None:
        """Reads `, !kind !node ...` after an instruction."""
        tokens = self.tokens
        while tokens[self.pos] == ",":
            kind = tokens[self.pos + 1]
            if kind[:1] != "!" or len(kind) < 2:
                self.pos += 1
                self.fail(f"unexpected {describe(kind)}")
            self.pos += 2
            name = tokens[self.pos]
            if name[:1] == "!" and name[1:].isdecimal():
                if op is not None:
                    self.attach(op, kind[1:], name)
                self.pos += 1
            else:
                self.metadata()
            if len(tokens) - self.pos < LOOKAHEAD:
                self.fill()

    def attach(self, op: Operation, kind: str, name: str) -> None:
        """Applies metadata to the op."""
        value = self.convert(kind, name)
        if value is None:
            return
        if kind == "dbg":
            op.location = value
            return
        op_name = op.name
        if kind in ALIASING:
            if op_name in _ALIASING_OPS:
                op.properties[ALIASING[kind]] = value
        elif op_name == "llvm.load":
            self._attach_to_load(op, kind, value)
        elif op_name == "llvm.store" and kind == "nontemporal":
            op.properties["nontemporal"] = UNIT
        elif op_name == "llvm.store" and kind == "invariant.group":
            op.properties["invariantGroup"] = UNIT
        elif kind == "prof" and op_name == "llvm.select":
            op.attributes["llvm.prof"] = value
        elif kind == "range" and op.results and _fits(value, op.results[0].type):
            self.attach_range(op, value)
        elif kind == "dereferenceable" and op_name == "llvm.inttoptr":
            op.properties["dereferenceable"] = DereferenceableAttr.of(bytes=value.value.data)

    def attach_range(self, op: Operation, range_: Attribute) -> None:
        """Attaches the range of a call's result: special registers have a property for it."""
        if op.name.startswith("nvvm.read.ptx.sreg."):
            op.properties["range"] = range_
        else:
            op.attributes["llvm.range"] = range_

    @staticmethod
    def _attach_to_load(op: Operation, kind: str, value: Attribute) -> None:
        if kind == "invariant.load":
            op.properties["invariant"] = UNIT
        elif kind == "nontemporal":
            op.properties["nontemporal"] = UNIT
        elif kind == "invariant.group":
            op.properties["invariantGroup"] = UNIT
        elif kind == "range":
            if _fits(value, op.results[0].type):
                op.attributes["llvm.range"] = value
        elif kind in ("dereferenceable", "dereferenceable_or_null"):
            op.properties["dereferenceable"] = DereferenceableAttr.of(
                bytes=value.value.data,  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                mayBeNull=kind != "dereferenceable",
            )
        elif kind in ("nonnull", "noundef", "align"):
            op.attributes[f"llvm.{kind}"] = value
