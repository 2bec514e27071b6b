"""Execution of a thread's PTX instructions, one memory access at a time."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping

from nvvm_xdsl.lab.memory_model import ptx_arithmetic, ptx_memory_access
from nvvm_xdsl.lab.memory_model.events import Access, Value
from nvvm_xdsl.lab.memory_model.ptx_arithmetic import COMPARE
from nvvm_xdsl.lab.memory_model.ptx_copies import copy
from nvvm_xdsl.lab.memory_model.ptx_thread_state import Code, Steps, ThreadState
from nvvm_xdsl.lab.memory_model.thread_steps import BlockedError, CutError

MAX_STEPS = 2000
"""Maximum number of instructions of one trace."""


def run(code: Code) -> Generator[Access, Value, Mapping[str, Value]]:
    """Executes the instructions of a thread to the end and returns the results.

    A `traces.Body`.
    """
    t = ThreadState(code)
    try:
        yield from execute_all(t)
    except BlockedError:
        # Registers that the thread did not reach have no value.
        return {n: t.registers[n] for n in t.code.results if n in t.registers}
    return {name: t.register(name) for name in t.code.results}


def execute_all(t: ThreadState) -> Steps:
    """Executes the instructions to the end."""
    instructions = t.code.instructions
    for _ in range(MAX_STEPS):
        if t.at >= len(instructions):
            return
        t.instruction = instructions[t.at]
        t.at += 1
        if t.is_enabled():
            yield from execute(t)
    raise CutError


def execute(t: ThreadState) -> Steps:
    """Executes the current instruction."""
    name = t.instruction.opcode[0]
    handler = _HANDLERS.get(name)
    if handler is None:
        raise t.fail(f"the instruction '{'.'.join(t.instruction.opcode)}' is not supported")
    try:
        yield from handler(t) or ()
    except (IndexError, ValueError) as error:
        raise t.fail(f"'{name}' has unexpected operands ({error})") from None


def branch(t: ThreadState) -> None:
    """`bra` and `goto`."""
    t.jump(t.instruction.operands[0])


def compare_and_branch(t: ThreadState) -> None:
    """`beq`, `bne` and the other branches of litmus tests."""
    first, second, label = t.instruction.operands
    a, b = t.operand(first), t.operand(second)
    t.control |= a.reads | b.reads
    if COMPARE[t.instruction.opcode[0][1:]](t.number(a), t.number(b)):
        t.jump(label)


def leave(t: ThreadState) -> None:
    """`ret` and `exit`."""
    t.at = len(t.code.instructions)


def nothing(t: ThreadState) -> None:
    """An instruction without effect on memory."""


_HANDLERS: dict[str, Callable[[ThreadState], Steps | None]] = {
    **ptx_arithmetic.HANDLERS,
    **ptx_memory_access.HANDLERS,
    **dict.fromkeys(("bra", "goto"), branch),
    **dict.fromkeys((f"b{name}" for name in COMPARE), compare_and_branch),
    **dict.fromkeys(("ret", "exit"), leave),
    **dict.fromkeys(("prefetch", "nanosleep"), nothing),
    "cp": copy,
}
