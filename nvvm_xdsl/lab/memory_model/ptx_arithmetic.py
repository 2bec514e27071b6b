"""PTX instructions that compute registers from registers."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from nvvm_xdsl.lab.memory_model.events import Order, Scope, Value
from nvvm_xdsl.lab.memory_model.ptx_modifiers import modifiers
from nvvm_xdsl.lab.memory_model.ptx_thread_state import ThreadState, elements

_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda a, b: int(a / b) if b else 0,
    "rem": lambda a, b: a % b if b else 0,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << min(b, 128),
    "shr": lambda a, b: a >> min(b, 128),
    "min": min,
    "max": max,
}

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "lo": operator.lt,
    "ls": operator.le,
    "hi": operator.gt,
    "hs": operator.ge,
}


def binary(t: ThreadState) -> None:
    """Two operands, one result."""
    to, *texts = t.instruction.operands
    opcode, form = t.instruction.opcode, t.integer_form()
    (a, b), reads = t.numbers(texts, form)
    result = _BINARY[opcode[0]](a, b)
    if "hi" in opcode:
        result >>= 8 * form.size
    t.assign(to, Value(result, reads), form.size * (2 if "wide" in opcode else 1))


def multiply_add(t: ThreadState) -> None:
    """`mad`."""
    to, *texts = t.instruction.operands
    form = t.integer_form()
    (a, b, _), reads = t.numbers(texts, form)
    c = t.operand(texts[2])
    size = form.size * (2 if "wide" in t.instruction.opcode else 1)
    t.assign(to, Value(a * b + t.number(c), reads | c.reads), size)


def unary(t: ThreadState) -> None:
    """`not` and `neg`."""
    to, text = t.instruction.operands
    form = t.integer_form()
    (a,), reads = t.numbers([text], form)
    t.assign(to, Value(~a if t.instruction.opcode[0] == "not" else -a, reads), form.size)


def move(t: ThreadState) -> None:
    """`mov`, `cvta` and `cvt`, with packing and unpacking of vectors."""
    to, text = t.instruction.operands
    form = t.integer_form() if t.instruction.opcode[0] == "cvt" else t.form()
    if to.startswith("{"):
        parts = elements(to)
        value = t.operand(text)
        size = form.size // len(parts)
        for at, part in enumerate(parts):
            t.assign(part, Value(t.number(value) >> 8 * size * at, value.reads), size)
        return
    if text.startswith("{"):
        values = [t.operand(part) for part in elements(text)]
        size = form.size // len(values)
        mask = (1 << 8 * size) - 1
        bits = sum((t.number(v) & mask) << 8 * size * at for at, v in enumerate(values))
        reads = frozenset[int]().union(*(value.reads for value in values))
        t.assign(to, Value(bits, reads), form.size)
        return
    (a,), reads = t.numbers([text], form)
    t.assign(to, Value(a, reads), result_size(t, form.size))


def result_size(t: ThreadState, size: int) -> int:
    """The result's size of a `cvt`, whose first type is that of the result."""
    if t.instruction.opcode[0] != "cvt":
        return size
    types = [modifiers(("", word), Order.WEAK, Scope.SYS).size
             for word in t.instruction.opcode[1:] if re.match(r"[busf]\d+$", word)]  # fmt: skip
    return types[0]


def set_predicate(t: ThreadState) -> None:
    """`setp` with one result, which `and`, `or` or `xor` may combine with a predicate."""
    to, first, second, *combined = t.instruction.operands
    opcode = t.instruction.opcode
    (a, b), reads = t.numbers([first, second], t.integer_form())
    result = int(COMPARE[opcode[1]](a, b))
    for text in combined:
        other = t.operand(text.lstrip("!"))
        result = _BINARY[opcode[2]](result, t.number(other) & 1 ^ text.startswith("!"))
        reads |= other.reads
    t.assign(to, Value(result, reads))


def select(t: ThreadState) -> None:
    """`selp`."""
    to, first, second, condition = t.instruction.operands
    chosen = t.operand(condition)
    value = t.operand(first if t.number(chosen) & 1 else second)
    t.assign(to, Value(t.number(value), value.reads | chosen.reads), t.form().size)


HANDLERS: dict[str, Callable[[ThreadState], None]] = {
    **dict.fromkeys(_BINARY, binary),
    **dict.fromkeys(("mov", "cvta", "cvt"), move),
    **dict.fromkeys(("not", "neg"), unary),
    "mad": multiply_add,
    "setp": set_predicate,
    "selp": select,
}
