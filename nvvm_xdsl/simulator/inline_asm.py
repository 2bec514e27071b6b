"""Inline assembly: the instructions of its text, one after the other."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from nvvm_xdsl.simulator import ptx_effects, video
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.lane_ops import container
from nvvm_xdsl.simulator.ptx_operands import Address, Context, Group, ListAddress, Operand, Register
from nvvm_xdsl.simulator.ptx_types import TYPE_BITS

Finish = Callable[[list[Leaf]], None]


@dataclass
class Statement:
    """One instruction: `@!guard opcode operands`."""

    opcode: str
    operands: list[str]
    guard: str | None = None
    negated: bool = False


_NO_RESULT = frozenset(
    "st red bar barrier membar fence cp prefetch prefetchu exit trap nanosleep stmatrix brkpt discard "
    "applypriority pmevent griddepcontrol setmaxnreg bra".split()
)
_MBARRIER_NO_RESULT = frozenset({"init", "inval", "expect_tx", "complete_tx"})

CONSTRAINT_BITS = {"r": 32, "l": 64, "f": 32, "d": 64, "h": 16, "c": 16, "b": 1, "q": 128}


def statements(text: str) -> tuple[list[Statement], dict[str, str]]:
    """The instructions of a text and the types of the registers that it declares.

    Raises ValueError for what is no instruction.
    """
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    declared: dict[str, str] = {}
    found: list[Statement] = []
    for piece in _split_statements(text):
        piece = piece.strip()
        if not piece:
            continue
        declaration = re.fullmatch(r"\.reg\s+\.(\w+)\s+(.*)", piece, re.S)
        if declaration:
            for name in declaration[2].split(","):
                declared[name.strip()] = declaration[1]
            continue
        match = re.fullmatch(r"(?:@(!?)\s*([%$\w]+)\s+)?([a-z][\w.:]*)\s*(.*)", piece, re.S)
        if not match:
            raise ValueError(f"cannot read '{piece}' in inline assembly")
        opcode, operands = video.without_selectors(match[3], _split_operands(match[4]))
        found.append(Statement(opcode, operands, match[2], bool(match[1])))
    return found, declared


def _split_statements(text: str) -> list[str]:
    """Splits at semicolons; braces that open a scope fall away, those of operands stay."""
    pieces: list[str] = []
    for piece in text.split(";"):
        stripped = piece.strip()
        while stripped.startswith(("{", "}")):
            stripped = stripped[1:].strip()
        if stripped.endswith("}") and stripped.count("{") < stripped.count("}"):
            stripped = stripped[:-1].strip()
        pieces.append(stripped)
    return pieces


def _split_operands(text: str) -> list[str]:
    out: list[str] = []
    depth = 0
    current = ""
    for c in text:
        if c in "[{(":
            depth += 1
        elif c in "]})":
            depth -= 1
        if c == "," and depth == 0:
            out.append(current.strip())
            current = ""
        else:
            current += c
    if current.strip():
        out.append(current.strip())
    return out


def has_result(opcode: str) -> bool:
    """Whether an instruction's first operand is what it gives."""
    name, *mods = opcode.split(".")
    if name in ("bar", "barrier"):
        return "red" in mods
    if name == "mbarrier":
        return mods[0] not in _MBARRIER_NO_RESULT
    return name not in _NO_RESULT


def parts(op: Operation) -> tuple[str, list[str]]:
    """The text and the constraints of an `llvm.inline_asm`."""
    text = cast(StringAttr, op.properties["asm_string"]).data
    constraints = cast(StringAttr, op.properties["constraints"]).data
    return text, [c for c in constraints.split(",") if c]


def waits(op: Operation) -> bool:
    """Whether the text holds an instruction at which lanes wait."""
    try:
        found, _ = statements(parts(op)[0])
    except ValueError:
        return False
    return any(waits_at(found, i) for i in range(len(found)))


def waits_at(found: list[Statement], position: int) -> bool:
    """Whether lanes wait at a statement: not at a barrier object in the midst of the text."""
    statement = found[position]
    midst = position != len(found) - 1 or statement.guard is not None
    if midst and statement.opcode.startswith("mbarrier."):
        return False
    return ptx_effects.waits(statement.opcode)


@dataclass
class _State:
    op: Operation
    to: FunctionCompiler
    registers: dict[str, Leaf] = field(default_factory=dict[str, Leaf])
    widths: dict[str, int] = field(default_factory=dict[str, int])

    def operand(self, text: str, bits: int) -> Operand:
        if text.startswith("{"):
            inner = _split_operands(text.strip("{} \n\t"))
            return Group(tuple(self.register(t, bits) for t in inner))
        if text.startswith("["):
            parts = _split_operands(text[1:-1])
            if len(parts) > 1:
                return ListAddress(
                    tuple(self.operand(p, 64 if i == 0 else 32) for i, p in enumerate(parts))
                )
            base, _, offset = text.strip("[] \n\t").partition("+")
            if not offset and "-" in base:
                base, _, offset = base.partition("-")
                offset = "-" + offset
            return Address(
                self.register(base.strip(), 64).name, int(offset.replace(" ", "") or "0", 0)
            )
        return self.register(text, bits)

    def register(self, text: str, bits: int) -> Register:
        negated = text.startswith("!")
        name = text.lstrip("!").strip()
        leaf = self.registers.get(name)
        if leaf is not None:
            return Register(f"~{leaf.name}" if negated else leaf.name, leaf.undefined)
        special = ptx_effects.special_register(name.lstrip("%"))
        if special is not None:
            return Register(self.to.assign(special))
        value = _number(name)
        if value is None:
            raise SimulationError(
                "unsupported", f"inline assembly names '{name}', which is no register", self.op
            )
        kind = bool if bits == 1 else container(bits)
        return Register(self.to.array(bool(value) if bits == 1 else value & (1 << bits) - 1, kind))


def _number(text: str) -> int | None:
    if re.fullmatch(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", text):
        return int(text[2:], 16)
    if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?", text):
        return int(text.rstrip("U"), 0) if not re.fullmatch(r"-?0\d+", text) else int(text, 8)
    if re.fullmatch(r"-?\d+\.\d*(e[-+]?\d+)?", text):
        return int.from_bytes(struct.pack("<d", float(text)), "little")
    return None


def _width(opcode: str) -> int:
    types = [m for m in opcode.split(".") if m in TYPE_BITS]
    return TYPE_BITS[types[-1]] if types else 32


def emit(op: Operation, inputs: list[Leaf], to: FunctionCompiler, finish: Finish) -> None:
    """Writes the instructions of an `llvm.inline_asm`.

    Arguments:
        inputs: the bits of the operands.
        finish: called with the bits of the results, in the order of the output constraints.
    """
    text, constraints = parts(op)
    outputs = [CONSTRAINT_BITS.get(c.lstrip("=&+"), 32) for c in constraints if c.startswith("=")]
    given = [c for c in constraints if not c.startswith(("=", "~"))]
    state = _State(op, to)
    for i, (constraint, leaf) in enumerate(zip(given, inputs)):
        state.registers[f"${len(outputs) + i}"] = leaf
        if constraint.isdigit():
            state.registers[f"${constraint}"] = leaf
    _run(state, text, outputs, finish)


def emit_text(
    op: Operation,
    text: str,
    widths: list[int],
    inputs: list[Leaf],
    to: FunctionCompiler,
    finish: Finish,
    held: Mapping[int, Leaf],
) -> None:
    """As `emit`, for text whose `$n` are results of these widths, then operands.

    `held` says what is in the registers of results when the text begins.
    """
    state = _State(op, to)
    for i, leaf in held.items():
        state.registers[f"${i}"] = leaf
    for i, leaf in enumerate(inputs):
        state.registers[f"${len(widths) + i}"] = leaf
    _run(state, text, widths, finish)


def _run(state: _State, text: str, outputs: list[int], finish: Finish) -> None:
    op, to = state.op, state.to
    try:
        found, declared = statements(text)
    except ValueError as error:
        raise to.unsupported(op, str(error)) from error
    for name, type_ in declared.items():
        state.widths[name] = TYPE_BITS.get(type_, 32)

    def results() -> list[Leaf]:
        out: list[Leaf] = []
        for i, bits in enumerate(outputs):
            leaf = state.registers.get(f"${i}")
            if leaf is None:
                leaf = Leaf(to.array(0, bool if bits == 1 else container(bits)))
            elif bits > 1:
                leaf = Leaf(f"L.fit({leaf.name}, {bits})", leaf.undefined)
            out.append(leaf)
        return out

    for position, statement in enumerate(found):
        if waits_at(found, position):
            if position != len(found) - 1 or statement.guard:
                raise to.unsupported(op, "inline assembly that waits before its end")
            _wait(state, statement, lambda: finish(results()))
            return
        _one(state, statement)
    finish(results())


def _targets(statement: Statement) -> tuple[list[str], list[str]]:
    if not has_result(statement.opcode):
        return [], statement.operands
    first, *rest = statement.operands
    if first.startswith("{"):
        return _split_operands(first.strip("{} \n\t")), rest
    return [t.strip() for t in first.split("|")], rest


def _wait(state: _State, statement: Statement, finish: Callable[[], None]) -> None:
    targets, sources = _targets(statement)
    bits = _width(statement.opcode)
    operands = [
        state.operand(s, 1 if _is_predicate(statement.opcode, i) else bits if bits > 1 else 32)
        for i, s in enumerate(sources)
    ]
    wait = ptx_effects.wait(Context(state.op, state.to), statement.opcode, operands)
    state.to.wait(wait.condition)

    def after() -> None:
        for name, leaf in zip(targets, wait.results()):
            state.registers[name] = Leaf(state.to.assign(leaf.name), leaf.undefined)
        finish()

    state.to.after_wait(after)


def _is_predicate(opcode: str, index: int) -> bool:
    if opcode.startswith("vote"):
        return index == 0
    if opcode.startswith("selp"):
        return index == 2
    return False


def _one(state: _State, statement: Statement) -> None:
    to = state.to
    targets, sources = _targets(statement)
    bits = _width(statement.opcode)
    if statement.opcode.startswith("cvt") and len(sources) == 1:
        bits = TYPE_BITS[[m for m in statement.opcode.split(".") if m in TYPE_BITS][-1]]
    operands = [
        state.operand(s, 1 if _is_predicate(statement.opcode, i) else bits)
        for i, s in enumerate(sources)
    ]
    if statement.opcode.startswith("mov") and len(operands) == 1 and isinstance(operands[0], Group):
        operands = [_join(to, operands[0], bits)]
    if statement.guard is None:
        results = ptx_effects.emit(Context(state.op, to), statement.opcode, operands)
        if results is None:
            raise to.unsupported(state.op, f"the instruction {statement.opcode}")
        if len(targets) > 1 and statement.opcode.startswith("mov"):
            results = _part(to, results[0], len(targets), bits)
        for name, leaf in zip(targets, results):
            if name != "_":
                state.registers[name] = Leaf(
                    to.assign(leaf.name), leaf.undefined and to.assign(leaf.undefined)
                )
        return
    guard = state.register(statement.guard, 1)
    olds = [state.registers.get(t) for t in targets]
    news = guarded(
        state.op,
        to,
        guard.name,
        statement.negated,
        lambda at: ptx_effects.emit(at, statement.opcode, operands),
        olds,
        statement.opcode,
    )
    for name, leaf in zip(targets, news):
        if name != "_":
            state.registers[name] = leaf


def _join(to: FunctionCompiler, group: Group, bits: int) -> Register:
    size = bits // len(group.parts)
    kind = {16: "u2", 32: "u4", 64: "u8"}[bits]
    terms = [
        f"(L.fit(L.fit({p.name}, {size}), {bits}) << {kind}({i * size}))"
        for i, p in enumerate(group.parts)
    ]
    return Register(to.assign(" | ".join(terms)))


def _part(to: FunctionCompiler, leaf: Leaf, count: int, bits: int) -> list[Leaf]:
    whole = to.assign(leaf.name)
    size = bits // count
    return [
        Leaf(f"L.fit({whole} >> {whole}.dtype.type({i * size}), {size})", leaf.undefined)
        for i in range(count)
    ]


def guarded(
    op: Operation,
    to: FunctionCompiler,
    predicate: str,
    negated: bool,
    body: Callable[[Context], list[Leaf] | None],
    olds: list[Leaf | None],
    opcode: str,
) -> list[Leaf]:
    """An instruction under a guard: results keep what they were where the guard is false.

    `body(context)` writes it for the lanes of the context's mask and gives its results, or None
    if there is no such instruction.
    """
    guard = to.temporary()
    outs: list[Leaf] = []
    to.line(f"{guard} = split(m, {predicate})[{1 if negated else 0}]")
    for old in olds:
        name = to.temporary()
        to.line(f"{name} = {old.name if old is not None else 'None'}")
        undefined = None
        if to.tracking:
            undefined = f"{name}u"
            to.line(f"{undefined} = {(old.undefined if old is not None else None) or '0'}")
        outs.append(Leaf(name, undefined))
    to.line(f"if {guard} is not None:")
    start = len(to.lines)
    results = body(Context(op, to, guard))
    if results is None:
        raise to.unsupported(op, f"the instruction {opcode}")
    for out, leaf in zip(outs, results):
        to.line(f"{out.name} = select({guard}, {leaf.name}, {out.name})")
        if out.undefined:
            to.line(
                f"{out.undefined} = select_undefined({guard}, {leaf.undefined or '0'}, {out.undefined})"
            )
    to.line("pass")
    to.lines[start:] = ["  " + text for text in to.lines[start:]]
    for out in outs:
        to.line(f"if {out.name} is None: {out.name} = np.zeros(1, u4)")
    return outs
