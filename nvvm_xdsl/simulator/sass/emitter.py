"""Emits the Python source of a segment of machine code over arrays with one element per lane.

Registers hold 32 bits. Instructions use a value as unsigned or signed integers or as floats, and a
pair of registers as 64 bits. The emitter caches each form of a value, so that the result of an
instruction is used by the next one without packing and unpacking. A segment writes registers only
at its end, for the lanes that ran it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.numerics import floats

PREDICATES: Final = frozenset({"P", "UP"})

_DTYPES: Final[dict[str, Any]] = {
    "u4": np.uint32,
    "i4": np.int32,
    "f4": np.float32,
    "u8": np.uint64,
    "i8": np.int64,
    "f8": np.float64,
    "b": np.bool_,
}


class UnknownInstructionError(Exception):
    """The tables have no row for an instruction."""


class Value:
    """A value and the variables that hold its forms, by dtype. Half of a wide value may have no
    variable yet."""

    __slots__ = ("forms", "half", "whole")

    def __init__(self, **forms: str) -> None:
        self.forms = forms
        self.whole: Value | None = None
        self.half = 0


class Emitter:
    """The source of one segment.

    Attributes:
        lines: the statements so far.
        used: registers that are read before they are written.
        current: the values of the registers that the segment wrote.
    """

    def __init__(self, constants: Callable[[Any], str], prefix: str) -> None:
        self.constant = constants
        self._prefix = prefix
        self._count = 0
        self.lines: list[str] = []
        self.used: set[str] = set()
        self.current: dict[str, Value] = {}
        self._initial: dict[str, Value] = {}
        self._pairs: dict[tuple[int, int], Value] = {}
        self._kept: list[Value] = []
        self._memo: dict[str, Value] = {}
        self.guard: str | None = None
        """The condition of the instruction that is being written."""
        self.mask = "m"
        """The lanes that execute the instruction; None at run time if there are none."""
        self.site = 0
        self.address = 0
        """The address of the instruction in the code of the file."""
        self.op: InstructionOp | None = None

    # Source

    def line(self, text: str) -> None:
        """Adds a statement."""
        self.lines.append(text)

    def temporary(self) -> str:
        """A fresh variable."""
        self._count += 1
        return f"{self._prefix}{self._count}"

    def assign(self, expression: str) -> str:
        """A variable that holds an expression."""
        if expression.isidentifier():
            return expression
        name = self.temporary()
        self.lines.append(f"{name} = {expression}")
        return name

    def active_lanes(self) -> str:
        """The lanes that execute the instruction; other lanes keep their registers."""
        return "m.bits" if self.guard is None else self.assign(f"m.bits & {self.guard}")

    def executing_mask(self) -> str:
        """The mask of the lanes that execute the instruction, None at run time if there are none."""
        return "m" if self.guard is None else self.assign(f"w.guard(m, {self.guard})")

    def number(self, value: float, dtype: str = "u4") -> str:
        """The name of a constant that all lanes share."""
        kind = _DTYPES[dtype]
        if isinstance(value, int) and dtype[0] in "ui":
            bits = 32 if dtype[1] == "4" else 64
            raw = np.array([value & (1 << bits) - 1], np.uint32 if bits == 32 else np.uint64)
            return self.constant(raw.view(kind))
        return self.constant(np.array([value], kind))

    # Values

    def form(self, value: Value, dtype: str) -> str:
        """The variable that holds a value as `dtype`."""
        found = value.forms.get(dtype)
        if found is not None:
            return found
        if not value.forms:
            assert value.whole is not None
            wide = self.form(value.whole, "u8")
            shifted = f"({wide} >> {self.number(32, 'u8')})" if value.half else wide
            value.forms["u4"] = self.assign(f"{shifted}.astype(u4)")
            return self.form(value, dtype)
        source = next(iter(value.forms.values()))
        value.forms[dtype] = found = self.assign(f"{source}.view({dtype})")
        return found

    def register(self, name: str) -> Value:
        """The value of a register."""
        value = self.current.get(name)
        if value is not None:
            return value
        value = self._initial.get(name)
        if value is None:
            self.used.add(name)
            dtype = "b" if name.rstrip("0123456789") in PREDICATES else "u4"
            value = self._initial[name] = Value(**{dtype: name})
        return value

    def literal(self, bits: int) -> Value:
        """The value with the given 32 bits."""
        key = f"#{bits & 0xFFFFFFFF}"
        value = self._memo.get(key)
        if value is None:
            raw = np.array([bits & 0xFFFFFFFF], np.uint32)
            value = self._memo[key] = Value(
                u4=self.constant(raw),
                i4=self.constant(raw.view(np.int32)),
                f4=self.constant(raw.view(np.float32)),
            )
        return value

    def zero(self) -> Value:
        """The value of RZ."""
        return self.literal(0)

    def pair(self, low: Value, high: Value) -> Value:
        """The 64 bits of two registers."""
        if low.whole is not None and low.whole is high.whole and (low.half, high.half) == (0, 1):
            return low.whole
        value = self._pairs.get((id(low), id(high)))
        if value is None:
            lower, upper = self.form(low, "u4"), self.form(high, "u4")
            zero = self.form(self.zero(), "u4")
            if upper == zero:
                name = self.assign(f"{lower}.astype(u8)")
            else:
                shift = self.number(32, "u8")
                name = self.assign(f"{lower}.astype(u8) | {upper}.astype(u8) << {shift}")
            value = self._pairs[id(low), id(high)] = Value(u8=name)
            # The `id` of an object can be reused after the object is freed.
            self._kept += [low, high]
        return value

    def halves(self, wide: Value) -> tuple[Value, Value]:
        """The two registers of a wide value."""
        low, high = Value(), Value()
        low.whole = high.whole = wide
        high.half = 1
        return low, high

    # Operands

    def _plain(self, operand: Operand, offset: int = 0) -> Value:
        """A 32-bit operand without its modifiers; `offset` chooses a later one of several registers."""
        if operand.kind == "register":
            if operand.number is None:
                return self.zero()
            return self.register(f"{operand.file}{operand.number + offset}")
        if operand.kind == "integer":
            return self.literal((operand.number or 0) >> 32 * offset)
        if operand.kind == "float":
            return self.literal(self.float_bits(operand, "f32"))
        if operand.kind == "constant":
            return self.constant_bank(operand, 4 * offset)
        if operand.kind == "label":
            return self.symbol(operand)
        raise UnknownInstructionError(f"the operand {operand.text}")

    def float_bits(self, operand: Operand, fmt: str) -> int:
        """The bits of a float literal; those of a NaN are in the encoding, of 64 bits the upper half."""
        width = floats.BITS[fmt]
        if operand.value != operand.value:
            assert self.op is not None
            raw = self.op.number("immediate") or 0
            return raw << max(width - 32, 0) if width >= 32 else raw & (1 << width) - 1
        rounded = floats.round_to(np.array([operand.value]), fmt)
        return int(floats.bits(rounded, fmt)[0])

    def symbol(self, operand: Operand) -> Value:
        """The value of a symbolic operand such as `32@lo(name)`."""
        key = operand.text
        value = self._memo.get(key)
        if value is None:
            value = self._memo[key] = Value(u4=self.assign(f"code.symbol({operand.name!r})"))
        return value

    def constant_bank(self, operand: Operand, more: int = 0) -> Value:
        """Four bytes of a constant bank."""
        offset = (operand.number or 0) + more
        key = f"c[{operand.bank}][{operand.base.name if operand.base else ''}+{offset}]"
        if operand.bank < 0:
            raise UnknownInstructionError(f"the operand {operand.text}")
        moves = operand.base is not None and operand.base.number is not None
        value = None if moves else self._memo.get(key)
        if value is None:
            if moves:
                assert operand.base is not None
                base = self.form(self._plain(operand.base), "u4")
                name = self.assign(f"code.constants({operand.bank}, {base}, {offset}, 4)")
            else:
                bank = self.bank(operand.bank)
                name = self.assign(f"{bank}[{offset // 4}:{offset // 4 + 1}]")
            value = self._memo[key] = Value(u4=name)
        return value

    def bank(self, number: int) -> str:
        """The variable that holds a constant bank as 32-bit words."""
        return f"bank{number}" if number == 0 else f"code.bank({number})"

    def u4(self, operand: Operand, offset: int = 0) -> str:
        """A 32-bit operand as unsigned integers, with its modifiers."""
        if operand.kind == "integer":
            return self.form(self._plain(operand, offset), "u4")
        name = self.form(self._plain(operand, offset), "u4")
        if operand.absolute:
            raise UnknownInstructionError(f"the operand {operand.text}")
        if operand.negated:
            return self.assign(f"{self.number(0)} - {name}")
        if operand.inverted:
            return self.assign(f"~{name}")
        return name

    def i4(self, operand: Operand) -> str:
        """A 32-bit operand as signed integers, with its modifiers."""
        if operand.negated or operand.inverted:
            return self.assign(f"{self.u4(operand)}.view(i4)")
        return self.form(self._plain(operand), "i4")

    def f4(self, operand: Operand) -> str:
        """A 32-bit operand as floats, with its modifiers."""
        name = self.form(self._plain(operand), "f4")
        if operand.kind == "float":
            return name
        return self._signs(operand, name, "f32")

    def f8(self, operand: Operand) -> str:
        """A pair of registers as a float of 64 bits, with its modifiers."""
        if operand.kind == "float":
            bits = self.float_bits(operand, "f64")
            return self.constant(np.array([bits], np.uint64).view(np.float64))
        name = self.form(self._pair(operand), "f8")
        return self._signs(operand, name, "f64")

    def _signs(self, operand: Operand, name: str, fmt: str) -> str:
        if operand.absolute:
            name = self.assign(f"F.absolute({name}, '{fmt}')")
        if operand.negated:
            name = self.assign(f"F.negate({name}, '{fmt}')")
        return name

    def _pair(self, operand: Operand) -> Value:
        if operand.kind == "integer":
            # A 64-bit immediate is encoded in 32 bits and extended according to the instruction.
            key = f"##{operand.number}"
            value = self._memo.get(key)
            if value is None:
                value = self._memo[key] = Value(u8=self.number(operand.number or 0, "u8"))
            return value
        return self.pair(self._plain(operand), self._plain(operand, 1))

    def u8(self, operand: Operand) -> str:
        """A pair of registers as unsigned integers, with its modifiers."""
        name = self.form(self._pair(operand), "u8")
        if operand.negated:
            return self.assign(f"{self.number(0, 'u8')} - {name}")
        if operand.inverted:
            return self.assign(f"~{name}")
        return name

    def wide_value(self, operand: Operand) -> Value:
        """A pair of registers without modifiers."""
        return self._pair(operand)

    def value(self, operand: Operand, offset: int = 0) -> Value:
        """A 32-bit operand; with modifiers a new value."""
        if operand.kind == "register" and (operand.negated or operand.inverted):
            return Value(u4=self.u4(operand, offset))
        return self._plain(operand, offset)

    def predicate(self, operand: Operand) -> str:
        """A predicate as booleans, with its modifier; the sign bit for `R1.SIGN`."""
        if "SIGN" in operand.suffixes:
            name = self.assign(f"{self.form(self._plain(operand), 'i4')} < 0")
        elif operand.number is None:
            return self.number(not operand.negated, "b")
        else:
            name = self.form(self.register(operand.name), "b")
        return self.assign(f"~{name}") if operand.negated else name

    # Results

    def set(self, operand: Operand, value: Value, offset: int = 0) -> None:
        """Writes a register under the instruction's predicate."""
        if operand.number is None:
            return
        name = f"{operand.file}{operand.number + offset}"
        if self.guard is not None:
            dtype = "b" if operand.file in PREDICATES else "u4"
            if dtype == "u4":
                # A form that both values have avoids a view.
                dtype = next(iter(value.forms), "u4")
                if dtype not in ("u4", "f4", "i4"):
                    dtype = "u4"
            new, old = self.form(value, dtype), self.form(self.register(name), dtype)
            value = Value(**{dtype: self.assign(f"np.where({self.guard}, {new}, {old})")})
        self.current[name] = value

    def set_u4(self, operand: Operand, expression: str) -> None:
        """Writes unsigned integers to a register."""
        if operand.number is not None:
            self.set(operand, Value(u4=self.assign(expression)))

    def set_f4(self, operand: Operand, expression: str) -> None:
        """Writes floats to a register."""
        if operand.number is not None:
            self.set(operand, Value(f4=self.assign(expression)))

    def set_wide(self, operand: Operand, expression: str, dtype: str = "u8") -> None:
        """Writes 64 bits to a pair of registers."""
        if operand.number is None:
            return
        wide = Value(**{dtype: self.assign(expression)})
        if self.guard is not None:
            old = self.form(self._pair(operand_of(operand)), dtype)
            new = self.form(wide, dtype)
            wide = Value(**{dtype: self.assign(f"np.where({self.guard}, {new}, {old})")})
        low, high = self.halves(wide)
        self.current[f"{operand.file}{operand.number}"] = low
        self.current[f"{operand.file}{operand.number + 1}"] = high

    def set_predicate(self, operand: Operand, expression: str) -> None:
        """Writes a predicate."""
        if operand.number is not None:
            self.set(operand, Value(b=self.assign(expression)))


def register_operand(file: str, number: int) -> Operand:
    """A register as an operand."""
    name = f"{file}{number}"
    return Operand("register", name, name, file, number)


def operand_of(operand: Operand) -> Operand:
    """The register of a destination, as an operand without modifiers."""
    return Operand("register", operand.name, operand.name, operand.file, operand.number)
