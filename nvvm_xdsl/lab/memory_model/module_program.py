"""Programs whose threads are the kernels of a module: NVVM IR, machine code of `nvptx`, or PTX.

Each kernel without parameters is a thread; global variables are shared. Comments state the
positions of threads and the condition on final contents of variables:

    ; threads P0@cta 0, gpu 0 | P1@cta 1, gpu 0
    ; ~exists (flag == 1 /\\ value == 0)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    ModuleOp,
)
from xdsl.ir import Block, Operation

from nvvm_xdsl.dialects.llvm.accessors import (
    defined_name,
    global_type_of,
    initial_value_of,
    integer_of,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.statements import split_operands
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.events import Position
from nvvm_xdsl.lab.memory_model.ir_thread import IrThread
from nvvm_xdsl.lab.memory_model.ptx_thread import run
from nvvm_xdsl.lab.memory_model.ptx_thread_state import ADDRESS_STEP, Code, Instruction
from nvvm_xdsl.lab.memory_model.traces import Program, Thread

_PLACE = re.compile(
    r"\s*(\w+)\s*@\s*cta\s+(\d+)(?:\s*,\s*cluster\s+(\d+))?(?:\s*,\s*gpu\s+(\d+))?\s*$"
)


def threads_comment(text: str, filename: str) -> dict[str, Position]:
    """The positions in a comment `threads P0@cta 0, gpu 0 | ...`.

    Raises DiagnosticError, also if there is none.
    """
    match = re.search(r"^\s*(?:;|//)\s*threads\s+(.*)$", text, re.M)
    if match is None:
        raise DiagnosticError(
            "expected a comment that places the threads, such as"
            " '; threads P0@cta 0, gpu 0 | P1@cta 1, gpu 0'", file=filename,
        )  # fmt: skip
    places: dict[str, Position] = {}
    for part in match[1].split("|"):
        place = _PLACE.match(part)
        if place is None:
            offset = text.index(part, match.start(1))
            raise DiagnosticError.at_offset(
                "expected a thread such as 'P0@cta 0, gpu 0'", text, offset, filename
            )
        places[place[1]] = Position(int(place[2]), int(place[3] or 0), int(place[4] or 0))
    return places


def condition_comment(text: str) -> str | None:
    """The condition that a comment states."""
    match = re.search(r"^\s*(?:;|//)\s*((?:~\s*|not\s+)?exists\b.*|forall\b.*)$", text, re.M)
    return match[1] if match else None


def ir_program(
    module: ModuleOp,
    places: Mapping[str, Position],
    observed: Sequence[str] = (),
    loop_bound: int = 2,
) -> Program:
    """The kernels of an `llvm` module as threads, in the order of `places`.

    Arguments:
        observed: global variables whose final contents are part of outcomes.
        loop_bound: maximum number of backward branches of a thread in one trace.
    Raises DiagnosticError.
    """
    layout = DataLayout.of(module)
    functions: dict[str, Operation] = {}
    sizes: dict[str, int] = {}
    initial: dict[str, int] = {}
    for op in module.body.block.ops:
        if op.name == "llvm.func" and op.regions[0].blocks:
            functions[defined_name(op)] = op
        elif op.name == "llvm.mlir.global":
            name = defined_name(op)
            sizes[name] = layout.size(global_type_of(op))
            initial[name] = _initial_value(op)
    symbols = {name: ADDRESS_STEP * (at + 1) for at, name in enumerate(sizes)}
    threads = [
        Thread(name, position, IrThread(_found(functions, name), symbols, layout, loop_bound).body)
        for name, position in places.items()
    ]
    return Program(tuple(threads), initial, {}, tuple(observed), sizes)


def _found(functions: Mapping[str, Operation], name: str) -> Operation:
    if name not in functions:
        raise DiagnosticError(f"the module has no kernel '{name}'")
    return functions[name]


def _initial_value(op: Operation) -> int:
    """The initial value of a variable as a number; 0 for an undefined one."""
    value = initial_value_of(op)
    number = integer_of(value)
    if number is not None:
        return number & (1 << 128) - 1
    if isinstance(value, DenseIntOrFPElementsAttr):
        return int.from_bytes(value.data.data, "little")
    return 0


def ptx_program(
    module: ModuleOp,
    places: Mapping[str, Position],
    observed: Sequence[str] = (),
    loop_bound: int = 2,
    filename: str = "",
) -> Program:
    """The entries of a `ptx` module as threads; see `ir_program`."""
    functions: dict[str, Operation] = {}
    sizes: dict[str, int] = {}
    initial: dict[str, int] = {}
    for op in module.body.block.ops:
        if isinstance(op, ptx.FuncOp):
            functions[op.text("symbol")] = op
        elif isinstance(op, ptx.VariableOp):
            name, size = op.text("symbol"), _type_size(op.text("type"))
            sizes[name] = size * (op.number("count") or 1)
            initial[name] = _ptx_initial_value(op.text("init"), size)
    symbols = {name: ADDRESS_STEP * (at + 1) for at, name in enumerate(sizes)}
    threads: list[Thread] = []
    for name, position in places.items():
        instructions, labels = _instructions(_found(functions, name))
        code = Code(instructions, labels, symbols, {}, (), loop_bound, filename)
        threads.append(Thread(name, position, partial(run, code)))
    return Program(tuple(threads), initial, {}, tuple(observed), sizes)


def _type_size(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits[0]) // 8 if digits else 4


def _ptx_initial_value(text: str | None, size: int) -> int:
    if not text:
        return 0
    numbers = [int(word, 0) for word in re.findall(r"-?\b(?:0[xX][0-9a-fA-F]+|\d+)\b", text)]
    return sum((n & (1 << 8 * size) - 1) << 8 * size * at for at, n in enumerate(numbers))


def _instructions(function: Operation) -> tuple[list[Instruction], dict[str, int]]:
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    blocks = function.regions[0].blocks
    for op in _walk(blocks[0]) if blocks else ():
        if isinstance(op, ptx.LabelOp):
            labels[op.text("label")] = len(instructions)
        elif isinstance(op, ptx.InstOp):
            guard = op.text("guard") or ""
            instructions.append(
                Instruction(
                    tuple(op.text("opcode").split(".")),
                    tuple(split_operands(op.text("operands"))),
                    guard.lstrip("@!"),
                    "!" in guard,
                )
            )
    return instructions, labels


def _walk(block: Block) -> Iterator[Operation]:
    """The ops of a block and of the scopes in it."""
    for op in block.ops:
        yield op
        if isinstance(op, ptx.ScopeOp):
            for inner in op.regions[0].blocks:
                yield from _walk(inner)
