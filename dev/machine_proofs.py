"""Proofs that a pass over machine code preserves the stored values, for all inputs.

`stored_values` encodes a block of instructions in SSA form as Z3 terms: parameters are unknowns, and
conversions to floats are uninterpreted functions. `counterexample` compares the stored values of a
function before and after a pass. Constants are those of the code; callers try each amount and mask
that a pattern distinguishes.
"""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from xdsl.ir import SSAValue

from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import IMMEDIATE_KIND, VECTOR_KIND, elements_of, slot_number
from nvvm_xdsl.ir import fast

_WIDTHS: Final = {"pred": 1, "b16": 16, "b32": 32, "b64": 64}
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")


class Unencodable(ValueError):
    """An instruction without a term."""


def stored_values(func: FuncOp, z3: Any) -> list[Any]:
    """The terms of the values that the only block of a function stores, in order.

    Raises Unencodable for an instruction without a term.
    """
    terms: dict[SSAValue, Any] = {}
    stored: list[Any] = []
    (block,) = fast.blocks_of(func.body)
    for op in fast.ops_of(block):
        mnemonic = op.name.removeprefix("nvptx.")
        if mnemonic == "ret":
            continue
        if not isinstance(op, InstructionOp):
            raise Unencodable(op.name)
        if mnemonic == "ld":
            name = str(op.slots[0])
            (result,) = op.results
            terms[result] = z3.BitVec(name, _WIDTHS[result.type.name.removeprefix("nvptx.")])
            continue
        operands = [_operand(slot, values, terms) for slot, values in operand_groups(op)]
        if mnemonic == "st":
            stored.append(operands[-1])
            continue
        if len(op.results) == 2:
            low, high = op.results
            terms[low], terms[high] = (
                z3.Extract(31, 0, operands[0]),
                z3.Extract(63, 32, operands[0]),
            )
            continue
        terms[op.results[0]] = _result(z3, mnemonic, op.mods, operands)
    return stored


def counterexample(before: Sequence[Any], after: Sequence[Any], z3: Any, seconds: float) -> str:
    """Inputs for which a stored value differs; empty if there are none.

    Raises TimeoutError if the solver does not decide.
    """
    assert len(before) == len(after)
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(z3.Or(*[a != b for a, b in zip(before, after)]))
    answer = solver.check()
    if answer == z3.unknown:
        raise TimeoutError(solver.reason_unknown())
    return str(solver.model()) if answer == z3.sat else ""


def _operand(slot: Any, values: Sequence[SSAValue], terms: dict[SSAValue, Any]) -> Any:
    """A term, a Python integer for an immediate, or a tuple of these for operands in braces."""
    if slot[0] == IMMEDIATE_KIND:
        return slot_number(slot)
    if slot[0] == VECTOR_KIND:
        rest = iter(values)
        return tuple(
            _operand(e, (), terms) if e[0] == IMMEDIATE_KIND else terms[next(rest)]
            for e in elements_of(slot)
        )
    return terms.get(values[0]) if values else None


def _result(z3: Any, mnemonic: str, mods: str, operands: Sequence[Any]) -> Any:
    words = mods.split(".")
    type_ = words[-1]
    width = _WIDTHS.get(f"b{type_[1:]}", 1)

    def word(value: Any, bits: int = width) -> Any:
        if isinstance(value, int):
            return z3.BitVecVal(value, bits)
        return value

    if mnemonic == "mov":
        (low, high), *_ = operands
        return z3.Concat(word(high, 32), word(low, 32))
    if mnemonic == "cvt":
        return _converted(z3, mods, operands[0])
    if mnemonic == "selp":
        return z3.If(operands[2] == 1, word(operands[0]), word(operands[1]))
    if mnemonic == "setp":
        if words[0] not in _COMPARISONS or len(words) != 2:
            raise Unencodable(f"setp.{mods}")
        a, b = word(operands[0]), word(operands[1])
        return z3.If(_compared(z3, words[0], type_[0], a, b), word(1, 1), word(0, 1))
    if mnemonic in ("shl", "shr"):
        return _shifted(z3, mnemonic, type_, word(operands[0]), word(operands[1], 32))
    if mnemonic == "mul" and words[0] == "wide":
        extend = z3.SignExt if type_[0] == "s" else z3.ZeroExt
        return extend(width, word(operands[0])) * extend(width, word(operands[1]))
    if mnemonic == "mul" and words[0] == "lo":
        return word(operands[0]) * word(operands[1])
    if mnemonic == "sad":
        x, y, z = map(word, operands)
        greater = x > y if type_[0] == "s" else z3.UGT(x, y)
        return z3.If(greater, x - y, y - x) + z
    if mnemonic == "shf" and mods == "l.wrap.b32":
        low, high, amount = (word(o, 32) for o in operands)
        moved = z3.Concat(high, low) << z3.ZeroExt(32, amount & 31)
        return z3.Extract(63, 32, moved)
    if mnemonic == "bfe":
        start, length = operands[1:]
        field = z3.Extract(start + length - 1, start, word(operands[0]))
        extend = z3.SignExt if type_[0] == "s" else z3.ZeroExt
        return extend(width - length, field)
    function = _PLAIN.get(mnemonic)
    if function is None:
        raise Unencodable(f"{mnemonic}.{mods}")
    return function(z3, type_[0], *map(word, operands))


_PLAIN: Final[dict[str, Callable[..., Any]]] = {
    "add": lambda z3, sign, a, b: a + b,
    "sub": lambda z3, sign, a, b: a - b,
    "and": lambda z3, sign, a, b: a & b,
    "or": lambda z3, sign, a, b: a | b,
    "xor": lambda z3, sign, a, b: a ^ b,
    "not": lambda z3, sign, a: ~a,
    "neg": lambda z3, sign, a: -a,
    "min": lambda z3, sign, a, b: z3.If(_compared(z3, "lt", sign, a, b), a, b),
    "max": lambda z3, sign, a, b: z3.If(_compared(z3, "lt", sign, a, b), b, a),
}


def _compared(z3: Any, comparison: str, sign: str, a: Any, b: Any) -> Any:
    if comparison in ("eq", "ne"):
        return a == b if comparison == "eq" else a != b
    less = (lambda x, y: x < y) if sign == "s" else z3.ULT
    if comparison in ("gt", "le"):
        a, b = b, a
    return less(a, b) if comparison in ("lt", "gt") else z3.Not(less(a, b))


def _shifted(z3: Any, mnemonic: str, type_: str, value: Any, amount: Any) -> Any:
    """PTX limits the amount to the width."""
    bits = value.size()
    by = z3.ZeroExt(bits - 32, amount) if bits > 32 else amount
    signed = mnemonic == "shr" and type_[0] == "s"
    outside = z3.If(value < 0, z3.BitVecVal(-1, bits), z3.BitVecVal(0, bits))
    if mnemonic == "shl":
        moved = value << by
    else:
        moved = value >> by if signed else z3.LShR(value, by)
    return z3.If(z3.ULT(by, bits), moved, outside if signed else z3.BitVecVal(0, bits))


def _converted(z3: Any, mods: str, value: Any) -> Any:
    if mods == "rn.f32.s32":
        return z3.Function("float", z3.BitVecSort(32), z3.BitVecSort(32))(value)
    to, _, origin = mods.partition(".")
    if to[0] not in "su" or origin[:1] not in ("s", "u"):
        raise Unencodable(f"cvt.{mods}")
    wide, narrow = int(to[1:]), int(origin[1:])
    if wide <= narrow:
        return z3.Extract(wide - 1, 0, value)
    return (z3.SignExt if origin[0] == "s" else z3.ZeroExt)(wide - narrow, value)
