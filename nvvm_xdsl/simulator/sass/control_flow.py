"""Control flow of machine code: branches, calls, convergence barriers and barriers of the block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics, Order, semantics_of_modifiers
from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.sass import barrier_objects
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError
from nvvm_xdsl.simulator.sass.segments import ENDS, INSTRUCTION_BYTES, Code, Segment

INITIAL: Final[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]] = (
    np.zeros(1, np.uint32),
    np.zeros(1, bool),
)
"""The contents of registers and predicates when a kernel begins."""

_REDUCTIONS: Final = frozenset({"POPC", "AND", "OR"})

Flow = Callable[[InstructionOp, Segment, Code, Emitter], bool]


def _label(operand: Operand) -> str:
    return operand.name.strip("()")


def _go_on(segment: Segment, condition: str | None) -> None:
    """Continues lanes that do not execute the predicated last instruction of a segment after it."""
    if condition is not None:
        segment.successors.append(segment.following)


def _bra(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    *conditions, target = op.parsed
    number = code.segment_of(_label(target))
    segment.successors.append(number)
    condition = emitter.guard
    modifiers = set(op.modifiers) - {"U", "ANY", "CONV", "INC", "DEC", "DEPTH"}
    for operand in conditions:
        if "DIV" in modifiers:
            text = f"w.divergent(m, {_mask_operand(operand, emitter)})"
        elif operand.file in ("P", "UP"):
            text = emitter.predicate(operand)
        else:
            raise UnknownInstructionError(op.opcode)
        condition = emitter.assign(text if condition is None else f"{condition} & {text}")
    if modifiers - {"DIV"}:
        raise UnknownInstructionError(op.opcode)
    _go_on(segment, condition)
    if condition is None:
        segment.end.append(f"b, m = w.go({number}, m)")
    else:
        segment.end.append(f"b, m = w.branch(m, {condition}, {number}, {segment.following})")
    return True


def _mask_operand(operand: Operand, emitter: Emitter) -> str:
    """The mask of lanes that `BRA.DIV` requires to be converged; `~URZ` is all lanes."""
    return emitter.u4(operand)


def _exit(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    condition = emitter.guard
    for operand in op.parsed:
        text = emitter.predicate(operand)
        condition = emitter.assign(text if condition is None else f"{condition} & {text}")
    if condition is None:
        segment.end += ["w.exit(m)", "m = None"]
        return True
    segment.successors.append(segment.following)
    segment.end += [
        f"m = w.exit_where(m, {condition})",
        f"if m is not None: b, m = w.go({segment.following}, m)",
    ]
    return True


def _bssy(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    _unguarded(emitter)
    barrier = op.parsed[0]
    emitter.line(f"w.begin({barrier.number}, m)")
    return False


def _bsync(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    barrier = op.parsed[0]
    segment.successors.append(segment.following)
    _converge(segment, emitter, str(barrier.number))
    return True


def _converge(segment: Segment, emitter: Emitter, members: str) -> None:
    if emitter.guard is None:
        segment.end.append(f"b, m = w.converge(m, {members}, {segment.following})")
        return
    segment.end += [
        f"mt, m = split(m, {emitter.guard})",
        f"if m is not None: w.add({segment.following}, m)",
        "m = None",
        f"if mt is not None: b, m = w.converge(mt, {members}, {segment.following})",
        "if m is not None and w.pending: w.add(b, m); m = None",
    ]


def _warpsync(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    if set(op.modifiers) - {"ALL", "EXCLUSIVE", "COLLECTIVE"}:
        raise UnknownInstructionError(op.opcode)
    if "ALL" in op.modifiers:
        members = emitter.number(0xFFFFFFFF)
    else:
        members = emitter.u4(op.parsed[0])
    segment.successors.append(segment.following)
    _converge(segment, emitter, members)
    return True


def _break(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    *conditions, barrier = op.parsed
    condition = emitter.guard
    for operand in conditions:
        text = emitter.predicate(operand)
        condition = emitter.assign(text if condition is None else f"{condition} & {text}")
    if condition is None:
        emitter.line(f"w.leave({barrier.number}, m)")
        return False
    emitter.line(f"mt = w.guard(m, {condition})")
    emitter.line(f"if mt is not None: w.leave({barrier.number}, mt)")
    return False


def _bmov(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    target, source = op.parsed
    if set(op.modifiers) - {"32", "CLEAR", "PQUAD"}:
        raise UnknownInstructionError(op.opcode)
    if target.file == "B":
        mask = "m"
        if emitter.guard is not None:
            raise UnknownInstructionError(op.opcode)
        emitter.line(f"w.set_barrier({target.number}, {mask}, {emitter.u4(source)})")
        return False
    if source.kind != "register" or source.file != "B":
        raise UnknownInstructionError(op.opcode)
    emitter.set_u4(target, f"w.barriers[{source.number}]")
    if "CLEAR" in op.modifiers:
        _unguarded(emitter)
        emitter.line(f"w.set_barrier({source.number}, m, {emitter.number(0)})")
    return False


def _unguarded(emitter: Emitter) -> None:
    if emitter.guard is not None:
        raise UnknownInstructionError("a predicated instruction")


def _call(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    *registers, last = op.parsed
    if last.kind == "label" and not registers:
        number = code.segment_of(_label(last))
        segment.successors.append(number)
        _go_on(segment, emitter.guard)
        if emitter.guard is None:
            segment.end.append(f"b, m = w.go({number}, m)")
        else:
            segment.end.append(
                f"b, m = w.branch(m, {emitter.guard}, {number}, {segment.following})"
            )
        return True
    _unguarded(emitter)
    target = registers[0] if registers else last
    address = emitter.u8(target)
    if last.kind == "label":
        address = f"({address} + {emitter.number(code.labels[_label(last)], 'u8')})"
    segment.successors += [
        code.by_address[a] for a in sorted(set(code.labels.values())) if a in code.by_address
    ]
    segment.end.append(f"b, m = w.jump(m, {address}, SEGMENTS, {emitter.site})")
    return True


def _ret(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    register, *labels = op.parsed
    segment.successors += code.return_segments()
    if labels:
        base = code.labels.get(_label(labels[0]))
        if base is None:
            raise UnknownInstructionError(op.opcode)
        address = f"{emitter.u4(register)}.astype(u8) + {emitter.number(base, 'u8')}"
    else:
        address = emitter.u8(register)
    address = emitter.assign(address)
    _go_on(segment, emitter.guard)
    if emitter.guard is None:
        segment.end.append(f"b, m = w.jump(m, {address}, SEGMENTS, {emitter.site})")
        return True
    segment.end += [
        f"mt, m = split(m, {emitter.guard})",
        f"if m is not None: w.add({segment.following}, m)",
        "m = None",
        f"if mt is not None: b, m = w.jump(mt, {address}, SEGMENTS, {emitter.site})",
        "if m is not None and w.pending: w.add(b, m); m = None",
    ]
    return True


def _brx(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    _unguarded(emitter)
    register, *rest = op.parsed
    distance = 0
    if rest and rest[0].kind == "integer":
        distance = rest[0].number or 0
    targets = [code.segment_of(_label(o)) for o in rest if o.kind == "label"]
    if not targets:
        raise UnknownInstructionError(op.opcode)
    segment.successors += list(dict.fromkeys(targets))
    # The offset is relative to the next instruction.
    here = segment.address_of(op) + INSTRUCTION_BYTES + distance
    address = emitter.assign(f"{emitter.u8(register)} + {emitter.number(here, 'u8')}")
    segment.end.append(f"b, m = w.jump(m, {address}, SEGMENTS, {emitter.site})")
    return True


def _bar(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    kinds = set(op.modifiers) - {"DEFER_BLOCKING"}
    places = list(op.parsed)
    predicate = "None"
    reduction = next(iter(kinds & _REDUCTIONS), None)
    if reduction is not None and kinds == {"RED", reduction}:
        predicate = emitter.predicate(places.pop())
    elif kinds not in ({"ARV"}, {"SYNC"}):
        raise UnknownInstructionError(op.opcode)
    arrive = kinds == {"ARV"}
    operands = [emitter.u4(o) for o in places]
    count = operands[1] if len(operands) > 1 else "None"
    waiting = _waiting_mask(emitter)
    wait = f"blk.barrier({emitter.site}, {waiting}, {operands[0]}, {count}, {predicate}, {arrive})"
    before = [] if reduction is None else [f"w.reduces({waiting}, '{reduction}')"]
    return _wait(segment, emitter, wait, before)


def _waiting_mask(emitter: Emitter) -> str:
    """The variable with the lanes that execute an instruction that ends its segment."""
    return "m" if emitter.guard is None else "mt"


def _wait(segment: Segment, emitter: Emitter, wait: str, before: Sequence[str] = ()) -> bool:
    """Ends a segment with an instruction for which lanes may have to wait.

    Arguments:
        wait: the expression of whether the lanes of `_waiting_mask` continue immediately.
        before: statements for these lanes that precede it.
    """
    segment.successors.append(segment.following)
    mask = _waiting_mask(emitter)
    lines = [
        *before,
        f"if {wait}: b, m = w.go({segment.following}, {mask})",
        f"else: w.park({segment.following}, {mask}); m = None",
    ]
    if emitter.guard is not None:
        segment.end += [
            f"mt, m = split(m, {emitter.guard})",
            f"if m is not None: w.add({segment.following}, m)",
            "m = None",
        ]
        lines = ["if mt is not None:", *(f"  {line}" for line in lines)]
    segment.end += lines
    return True


def _b2r(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    """`B2R.RESULT`: the value of the lanes' last `BAR.RED`."""
    if op.modifiers != ("RESULT",):
        raise UnknownInstructionError(op.opcode)
    result, *predicates = op.parsed
    emitter.set_u4(result, "blk.barrier_result('popc')")
    for operand in predicates:
        emitter.set_predicate(operand, "w.reduced()")
    return False


def _membar(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    """`MEMBAR.SC.GPU`, for the race check."""
    words = [word.lower() for word in op.opcode.split(".")]
    semantics = semantics_of_modifiers(words, MemorySemantics(Order.SC))
    emitter.line(f"blk.fence({emitter.mask}, {emitter.constant(semantics)})")
    return False


def _cluster(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    """`UCGABAR_ARV` and `UCGABAR_WAIT`: the barrier of a cluster."""
    _unguarded(emitter)
    if op.mnemonic == "UCGABAR_ARV":
        emitter.line("blk.cluster_arrive(m)")
        return False
    segment.successors.append(segment.following)
    segment.end += [
        f"if blk.cluster_wait(m): b, m = w.go({segment.following}, m)",
        f"else: w.park({segment.following}, m); m = None",
    ]
    return True


def _barrier_object(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    """`SYNCS`; an instruction that waits for a phase ends its segment."""
    if not barrier_objects.waits(op):
        barrier_objects.ROWS[op.mnemonic](op, emitter)
        return False
    wait = barrier_objects.wait(op, _waiting_mask(emitter), emitter)
    return _wait(segment, emitter, wait)


def _nothing(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    """Ignores an instruction that does not affect the results of a simulated launch."""
    return op.mnemonic in ENDS and _ends(segment)


def _ends(segment: Segment) -> bool:
    segment.successors.append(segment.following)
    segment.end.append(f"b, m = w.go({segment.following}, m)")
    return True


def _bpt(op: InstructionOp, segment: Segment, code: Code, emitter: Emitter) -> bool:
    if "TRAP" not in op.modifiers:
        raise UnknownInstructionError(op.opcode)
    mask = "m"
    if emitter.guard is not None:
        segment.end.append(f"mt = w.guard(m, {emitter.guard})")
        mask = "mt"
    segment.end.append(
        f"if {mask} is not None: "
        f"raise blk.lane_error('trap', 'the kernel traps in', int({mask}.index[0]), {emitter.site})"
    )
    return _ends(segment)


FLOW: Final[dict[str, Flow]] = {
    "BRA": _bra,
    "JMP": _bra,
    "BRX": _brx,
    "BRXU": _brx,
    "EXIT": _exit,
    "BSSY": _bssy,
    "BSYNC": _bsync,
    "WARPSYNC": _warpsync,
    "BREAK": _break,
    "BMOV": _bmov,
    "CALL": _call,
    "RET": _ret,
    "BAR": _bar,
    "B2R": _b2r,
    "UCGABAR_ARV": _cluster,
    "UCGABAR_WAIT": _cluster,
    "SYNCS": _barrier_object,
    "BPT": _bpt,
    "MEMBAR": _membar,
    **dict.fromkeys(
        "NOP YIELD DEPBAR ERRBAR CGAERRBAR CCTL CCTLL FENCE NANOSLEEP PREEXIT ACQBULK "
        "ENDCOLLECTIVE UCCTL CCTLT LDGDEPBAR WARPGROUP UTMACMDFLUSH PMTRIG".split(),
        _nothing,
    ),
}
"""The functions that generate control-flow instructions and instructions without effect, by
mnemonic."""
