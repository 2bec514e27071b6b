"""Division by constants as multiplication with the reciprocal, which ptxas does not perform.

Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994),
figures 4.2, 5.2 and 6.2. All work on whole registers of `width` 32 or 64 bits.
"""

from __future__ import annotations

from nvvm_xdsl.codegen.selector import Part, Selector
from nvvm_xdsl.codegen.shapes import integer_register
from nvvm_xdsl.dialects.llvm.integers import signed as wrapped
from nvvm_xdsl.dialects.nvptx.operands import imm


def multiplier(divisor: int, width: int, precision: int) -> tuple[int, int, int]:
    """A multiplier and a shift that divide numbers of `precision` bits, and log2 of the divisor.

    For all n below 2**precision, floor(n / divisor) is (n * multiplier) >> (width + shift).
    """
    log = (divisor - 1).bit_length()
    shift = log
    low = (1 << (width + log)) // divisor
    high = ((1 << (width + log)) + (1 << (width + log - precision))) // divisor
    while low // 2 < high // 2 and shift > 0:
        low //= 2
        high //= 2
        shift -= 1
    return high, shift, log


class _Register:
    """Shorthands for instructions on registers of one width."""

    def __init__(self, sel: Selector, width: int) -> None:
        self.sel = sel
        self.width = width
        self.cls = integer_register(width)

    def emit(self, mnemonic: str, kind: str, *operands: Part) -> Part:
        """Emits an instruction of this register's width; `kind` is the type's letter."""
        return self.sel.emit1(mnemonic, f"{kind}{self.width}", operands, self.cls)

    def shift(self, value: Part, amount: int, *, signed: bool = False) -> Part:
        """Emits a right shift, or nothing for a shift by 0."""
        if not amount:
            return value
        return self.emit("shr", "s" if signed else "u", value, imm(amount))

    def high_product(self, value: Part, factor: int, *, signed: bool = False) -> Part:
        """Emits the high half of the product with a constant."""
        kind = "hi.s" if signed else "hi.u"
        return self.emit("mul", kind, value, imm(wrapped(factor, self.width)))


def unsigned_quotient(sel: Selector, value: Part, divisor: int, width: int) -> Part:
    """value / divisor, unsigned, for a positive divisor."""
    r = _Register(sel, width)
    if divisor & (divisor - 1) == 0:
        return r.shift(value, divisor.bit_length() - 1)
    factor, shift, log = multiplier(divisor, width, width)
    before = 0
    if factor >> width and divisor % 2 == 0:
        before = (divisor & -divisor).bit_length() - 1
        factor, shift, log = multiplier(divisor >> before, width, width - before)
    if factor >> width == 0:
        return r.shift(r.high_product(r.shift(value, before), factor), shift)
    # The multiplier has one bit more than a register: its top bit is added separately.
    part = r.high_product(value, factor - (1 << width))
    rest = r.shift(r.emit("sub", "s", value, part), 1)
    return r.shift(r.emit("add", "s", rest, part), log - 1)


def signed_quotient(sel: Selector, value: Part, divisor: int, width: int) -> Part:
    """value / divisor, signed and rounded towards zero, for a nonzero divisor."""
    r = _Register(sel, width)
    size = abs(divisor)
    if size == 1:
        made = value
    elif size & (size - 1) == 0:
        made = r.shift(_biased(r, value, size), size.bit_length() - 1, signed=True)
    else:
        factor, shift, _ = multiplier(size, width, width - 1)
        if factor >> (width - 1) == 0:
            made = r.high_product(value, factor, signed=True)
        else:
            part = r.high_product(value, factor - (1 << width), signed=True)
            made = r.emit("add", "s", part, value)
        made = r.shift(made, shift, signed=True)
        made = r.emit("add", "s", made, r.shift(value, width - 1))
    return r.emit("neg", "s", made) if divisor < 0 else made


def _biased(r: _Register, value: Part, power: int) -> Part:
    """The value, plus power - 1 if it is negative."""
    log = power.bit_length() - 1
    if log == 1:
        bias = r.shift(value, r.width - 1)
    else:
        sign = r.shift(value, r.width - 1, signed=True)
        bias = r.shift(sign, r.width - log)
    return r.emit("add", "s", value, bias)


def remainder(sel: Selector, value: Part, divisor: int, width: int, *, signed: bool) -> Part:
    """The remainder of value / divisor."""
    r = _Register(sel, width)
    size = abs(divisor) if signed else divisor
    if size & (size - 1) == 0:
        if size == 1:
            return imm(0)
        if not signed:
            return r.emit("and", "b", value, imm(wrapped(size - 1, width)))
        whole = r.emit("and", "b", _biased(r, value, size), imm(wrapped(-size, width)))
        return r.emit("sub", "s", value, whole)
    if signed:
        quotient = signed_quotient(sel, value, size, width)
    else:
        quotient = unsigned_quotient(sel, value, size, width)
    return r.emit("mad", "lo.s", quotient, imm(wrapped(-size, width)), value)
