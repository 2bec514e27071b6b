"""Meanings of names at a position in a function: scopes, registers, labels."""

from __future__ import annotations

import re
from typing import Any, Final

from xdsl.ir import Attribute, Block

from nvvm_xdsl.codegen.from_ptx.recipes import FLOAT, NUMBER, PART, SPECIAL, SYMBOL, VECTOR, Entry
from nvvm_xdsl.dialects.nvptx.opcodes import SELECTOR
from nvvm_xdsl.dialects.nvptx.registers import (
    B16,
    B32,
    B64,
    B128,
    F32,
    F64,
    PRED,
    REGISTER_CLASSES,
    B32Register,
    RegisterClass,
    numbered,
)
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS, RegisterOp
from nvvm_xdsl.dialects.ptx.operands import Float, atom_value
from nvvm_xdsl.dialects.ptx.ops import RegOp
from nvvm_xdsl.ir import fast

_CLASSES: Final[dict[str, RegisterClass]] = {
    "pred": PRED,
    **dict.fromkeys(("b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16"), B16),
    **dict.fromkeys(("b32", "u32", "s32", "f16x2", "bf16x2", "tf32"), B32),
    **dict.fromkeys(("b64", "u64", "s64"), B64),
    "b128": B128,
    "f32": F32,
    "f64": F64,
}

_NUMBERED: Final = re.compile(r"(.*?)(0|[1-9]\d*)\Z", re.ASCII)
_ELEMENTS: Final = {"x": 0, "r": 0, "y": 1, "g": 1, "z": 2, "b": 2, "w": 3, "a": 3}

_FIRST_OF_NUMBERS: Final = frozenset("0123456789.")


class Names:
    """The names of a function, innermost scope first.

    Registers keep the number in the text if the text names them by their class, such as `%r7` for
    the seventh 32-bit register, at the top of the function; others get new numbers.
    """

    def __init__(self, body: Block, symbols: dict[str, str]) -> None:
        self.entries: dict[str, Entry] = {}
        self.head = fast.new_block()
        self.labels: dict[str, Block] = {}
        self.tables: dict[str, str] = {}
        self._symbols = symbols
        self._scopes: list[list[tuple[dict[str, Any], str, Any]]] = []
        self._ranges: list[dict[str, tuple[int, RegisterClass, bool]]] = []
        self._next: dict[type[Attribute], int] = {}
        own: dict[type[Attribute], int] = {type(r): 1 for r in REGISTER_CLASSES}
        for op in fast.ops_of(body):
            if isinstance(op, RegOp):
                register = _CLASSES.get(op.text("type"))
                count = op.number("count")
                if register is not None and op.text("prefix") == register.prefix and count:
                    own[type(register)] = max(own[type(register)], count)
        self._next = own

    # Scopes

    def enter(self) -> None:
        """Opens a scope."""
        self._scopes.append([])
        self._ranges.append({})

    def leave(self) -> None:
        """Closes the innermost scope and restores the previous meanings."""
        for table, name, before in reversed(self._scopes.pop()):
            if before is None:
                table.pop(name, None)
            else:
                table[name] = before
        self._ranges.pop()

    @property
    def depth(self) -> int:
        """The number of open scopes."""
        return len(self._scopes)

    def _bind(self, table: dict[str, Any], name: str, meaning: Any, depth: int = -1) -> None:
        self._scopes[depth].append((table, name, table.get(name)))
        table[name] = meaning

    def bind(self, name: str, entry: Entry) -> None:
        """Defines a name in the innermost scope."""
        self._bind(self.entries, name, entry)

    def bind_label(self, name: str, block: Block) -> None:
        """Defines a label."""
        self._bind(self.labels, name, block)

    def bind_table(self, name: str, text: str) -> None:
        """Defines the label of a `.branchtargets`, `.calltargets` or `.callprototype`."""
        self._bind(self.tables, name, text)

    def declare(self, op: RegOp) -> str | None:
        """Adds a `.reg` to the innermost scope; returns an error message or None."""
        type_ = op.text("type")
        vector, _, element = type_.rpartition(" .")
        register = _CLASSES.get(element)
        if register is None or vector not in ("", "v2", "v4") or (vector and element == "pred"):
            return f"there are no registers of type .{type_}"
        name = op.text("prefix")
        count = op.number("count")
        lanes = int(vector[1:]) if vector else 0
        names = [name] if count is None else [f"{name}{i}" for i in range(count)] if lanes else []
        for declared in names:
            if lanes:
                parts = tuple(self._register(self._fresh(register)) for _ in range(lanes))
                self.bind(declared, Entry(VECTOR, parts=parts))
            else:
                self.bind(declared, self._register(self._fresh(register)))
        if not names and count is not None:
            own = self.depth == 1 and name == register.prefix
            self._ranges[-1][name] = (count, register, own)
        # Names of an outer scope in the range are hidden now.
        for known in [k for k in self.entries if k.startswith(name)] if self.depth > 1 else ():
            match = _NUMBERED.match(known)
            if match is not None and match[1] == name and count and int(match[2]) < count:
                self._scopes[-1].append((self.entries, known, self.entries.pop(known)))
        return None

    # Registers

    def _fresh(self, register: RegisterClass) -> RegisterClass:
        number = self._next[type(register)]
        self._next[type(register)] = number + 1
        return numbered(register, number)

    def temporary(self, register: RegisterClass) -> Entry:
        """A register of a class without a name in the text."""
        return self._register(self._fresh(register))

    def _register(self, type_: RegisterClass) -> Entry:
        op = fast.create(RegisterOp, (), (type_,))
        fast.append(self.head, op)
        return Entry(type(type_), type_, op.results[0])

    def _range_of(self, name: str) -> tuple[int, tuple[int, RegisterClass, bool], int] | None:
        """The innermost range that contains a register of this name: scope, range, number."""
        end = len(name)
        start = len(name.rstrip("0123456789"))
        if start == end:
            return None
        for depth in range(len(self._ranges) - 1, -1, -1):
            ranges = self._ranges[depth]
            if not ranges:
                continue
            for split in range(start, end):
                found = ranges.get(name[:split])
                if found is None:
                    continue
                digits = name[split:]
                if (digits[0] != "0" or len(digits) == 1) and len(digits) < 12:
                    number = int(digits)
                    if number < found[0]:
                        return depth, found, number
        return None

    def lookup(self, name: str) -> Entry | None:
        """The meaning of a name or number; None for an undeclared name."""
        found = self.entries.get(name)
        if found is not None:
            return found
        if name[0] in _FIRST_OF_NUMBERS:
            value = atom_value(name)
            found = self.entries[name] = Entry(FLOAT if isinstance(value, Float) else NUMBER)
            return found
        in_range = self._range_of(name)
        if in_range is not None:
            depth, (_, register, own), number = in_range
            type_ = numbered(register, number) if own else self._fresh(register)
            found = self._register(type_)
            self._bind(self.entries, name, found, depth)
            return found
        base, _, element = name.rpartition(".")
        if base and SELECTOR.search(name):
            register = self.lookup(base)
            if register is not None and register.kind is B32Register:
                return Entry(PART, register.type_, register.value, name)
        if base and element in _ELEMENTS:
            vector = self.lookup(base)
            if vector is not None and vector.kind == VECTOR:
                at = _ELEMENTS[element]
                return vector.parts[at] if at < len(vector.parts) else None
        if name[0] == "%" and name[1:] in SPECIAL_REGISTERS:
            return Entry(SPECIAL, name=name[1:])
        if name == "WARP_SZ":
            return Entry(NUMBER)
        symbol = self._symbols.get(name)
        if symbol is not None:
            return Entry(SYMBOL, name=symbol)
        return None
