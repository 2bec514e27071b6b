"""Inline assembly: the instructions of its text, one after the other.

Text with labels and branches, or with instructions at which threads wait, is divided into segments
of the function. Registers are then kept in variables of the function between segments, because
other threads may run in between.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import text_property
from nvvm_xdsl.dialects.llvm.asm_operands import with_addresses
from nvvm_xdsl.dialects.ptx.statements import split_operands
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.matrix import wgmma
from nvvm_xdsl.simulator.numerics.lane_ops import container
from nvvm_xdsl.simulator.ptx import asm_text, effects
from nvvm_xdsl.simulator.ptx.asm_text import Statement, Text, has_result
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    ListAddress,
    Operand,
    Register,
)
from nvvm_xdsl.simulator.ptx.special_registers import special_register
from nvvm_xdsl.simulator.ptx.types import INTEGER_TYPES, TYPE_BITS

Finish = Callable[[list[Leaf]], None]


CONSTRAINT_BITS = {"r": 32, "l": 64, "f": 32, "d": 64, "h": 16, "c": 16, "b": 1, "q": 128}


def parts(op: Operation) -> tuple[str, list[str]]:
    """The text and the constraints of an `llvm.inline_asm`."""
    text, constraints = with_addresses(
        text_property(op, "asm_string"), text_property(op, "constraints")
    )
    return text, [c for c in constraints.split(",") if c]


def cuts(op: Operation) -> int:
    """The number of segments of the function that end in an `llvm.inline_asm`."""
    return asm_text.cuts(parts(op)[0])


@dataclass
class _AsmOperands:
    """The operands and registers of one `llvm.inline_asm` during compilation."""

    op: Operation
    to: FunctionCompiler
    text: Text
    outputs: list[int]
    finish: Finish
    registers: dict[str, Leaf] = field(default_factory=dict[str, Leaf])
    kept: dict[str, Leaf] = field(default_factory=dict[str, Leaf])
    """The variables of registers that are live across pieces."""
    first: int = 0
    """The number of the segment of the first piece."""

    def operand(self, text: str, bits: int) -> Operand:
        """Parses an operand: a group, an address or a register of `bits` bits."""
        if text.startswith("{"):
            inner = split_operands(text.strip("{} \n\t"))
            return Group(tuple(self.register(t, bits) for t in inner))
        if text.startswith("["):
            parts = split_operands(text[1:-1])
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
        """Returns the value of a register, special register or number; raises for other names."""
        negated = text.startswith("!")
        name = text.lstrip("!").strip()
        leaf = self.registers.get(name)
        if leaf is None and name in self.text.declared:
            leaf = self.unset(TYPE_BITS.get(self.text.declared[name], 32))
        if leaf is not None:
            return Register(f"~{leaf.name}" if negated else leaf.name, leaf.undefined)
        special = special_register(name.lstrip("%"))
        if special is not None:
            return Register(self.to.assign(special))
        value = _number(name, bits)
        if value is None:
            raise SimulationError(
                "unsupported", f"inline assembly names '{name}', which is not a register", self.op
            )
        kind = bool if bits == 1 else container(bits)
        return Register(self.to.array(bool(value) if bits == 1 else value & (1 << bits) - 1, kind))

    def width(self, name: str) -> int:
        """The width of a result or declared register, 0 for other names."""
        if name in self.text.declared:
            return TYPE_BITS.get(self.text.declared[name], 32)
        number = name.removeprefix("$")
        is_output = number.isdecimal() and int(number) < len(self.outputs)
        return self.outputs[int(number)] if is_output else 0

    def unset(self, bits: int) -> Leaf:
        """The value of a register that was never written."""
        kind = bool if bits == 1 else container(bits)
        ones = self.to.array((1 << min(bits, 64)) - 1, container(min(bits, 64)))
        return Leaf(self.to.array(0, kind), ones if self.to.tracking else None)


def _number(text: str, bits: int) -> int | None:
    if re.fullmatch(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", text):
        return int(text[2:], 16)
    if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)U?", text):
        return int(text.rstrip("U"), 0) if not re.fullmatch(r"-?0\d+", text) else int(text, 8)
    if re.fullmatch(r"-?\d+\.\d*(e[-+]?\d+)?", text):
        fmt = "<f" if bits == 32 else "<d"
        return int.from_bytes(struct.pack(fmt, float(text)), "little")
    return None


def _width(opcode: str) -> int:
    if opcode.startswith("tcgen05."):
        return 64
    types = [m for m in opcode.split(".") if m in TYPE_BITS]
    return TYPE_BITS[types[-1]] if types else 32


def emit(op: Operation, inputs: list[Leaf], to: FunctionCompiler, finish: Finish) -> None:
    """Generates the instructions of an `llvm.inline_asm`.

    Arguments:
        inputs: the bits of the operands.
        finish: called with the bits of the results, in the order of the output constraints.
    """
    text, constraints = parts(op)
    outputs = [CONSTRAINT_BITS.get(c.lstrip("=&+"), 32) for c in constraints if c.startswith("=")]
    given = [c for c in constraints if not c.startswith(("=", "~"))]
    registers: dict[str, Leaf] = {}
    for i, (constraint, leaf) in enumerate(zip(given, inputs)):
        registers[f"${len(outputs) + i}"] = leaf
        if constraint.isdigit():
            registers[f"${constraint}"] = leaf
    _run(op, text, outputs, registers, to, finish)


def emit_text(
    op: Operation,
    text: str,
    widths: list[int],
    inputs: list[Leaf],
    to: FunctionCompiler,
    finish: Finish,
    held: Mapping[int, Leaf],
) -> None:
    """Like `emit`, for text whose `$n` are the results, of the given widths, followed by the
    operands.

    `held` contains the initial values of result registers.
    """
    registers = {f"${i}": leaf for i, leaf in held.items()}
    for i, leaf in enumerate(inputs):
        registers[f"${len(widths) + i}"] = leaf
    _run(op, text, widths, registers, to, finish)


def _run(
    op: Operation,
    text: str,
    outputs: list[int],
    registers: dict[str, Leaf],
    to: FunctionCompiler,
    finish: Finish,
) -> None:
    try:
        found = asm_text.read(text)
    except ValueError as error:
        raise to.unsupported(op, str(error)) from error
    state = _AsmOperands(op, to, found, outputs, finish, registers, first=to.current)
    if found.cuts:
        _declare(state)
    _generate_piece(state, 0)


def _generate_piece(state: _AsmOperands, index: int) -> None:
    """Generates one piece and starts a new segment for the next one."""
    to, piece = state.to, state.text.pieces[index]
    if index:
        to.line(f"blk.tick({max(len(piece), 1)}, {to.site(state.op)}, m)")
    for statement in piece:
        if statement.branches or statement.waits:
            break
        if statement.opcode:
            _one(state, statement)
    following = index + 1
    if following == len(state.text.pieces):
        state.finish(_results(state))
        return

    def go_on(results: dict[str, Leaf]) -> None:
        state.registers = state.kept | results
        _generate_piece(state, following)

    last = piece[-1] if piece else None
    if last is not None and last.waits:
        _wait(state, last, index, go_on)
        return
    _keep(state, _needed(state, following, ()))
    if last is not None and last.branches:
        _branch(state, last, following)
    else:
        to.branches.go(state.first + following)
    to.after_wait(lambda: go_on({}))


def _results(state: _AsmOperands) -> list[Leaf]:
    out: list[Leaf] = []
    for i, bits in enumerate(state.outputs):
        leaf = state.registers.get(f"${i}")
        if leaf is None:
            leaf = Leaf(state.to.array(0, bool if bits == 1 else container(bits)))
        elif bits > 1:
            leaf = Leaf(f"L.fit({leaf.name}, {bits})", leaf.undefined)
        out.append(leaf)
    return out


# Registers across pieces


def _declare(state: _AsmOperands) -> None:
    """Creates the variables of all registers that a later piece may read."""
    widths = {f"${i}": bits for i, bits in enumerate(state.outputs)}
    widths |= {name: TYPE_BITS.get(type_, 32) for name, type_ in state.text.declared.items()}
    names: set[str] = set()
    for index in range(len(state.text.pieces) - 1):
        last = state.text.pieces[index][-1:]
        written = _targets(last[0])[0] if last and last[0].waits else []
        names.update(_needed(state, index + 1, written))
    for name in sorted(names):
        state.kept[name] = state.to.variable(widths.get(name))


def _needed(state: _AsmOperands, index: int, written: Sequence[str]) -> list[str]:
    """The registers that are live at the start of a piece, except for those just written."""
    known = {*state.registers, *state.text.declared, *(f"${i}" for i in range(len(state.outputs)))}
    outputs = [f"${i}" for i in range(len(state.outputs))]
    if state.text.branches:
        read = {n for piece in state.text.pieces for s in piece for n in _read_by(s)}
        return sorted((read | set(outputs)) & known)
    done = set(written)
    found: set[str] = set()
    for piece in state.text.pieces[index:]:
        for statement in piece:
            found.update(n for n in _read_by(statement) if n not in done)
            if statement.guard is None and statement.opcode:
                done.update(_targets(statement)[0])
    found.update(n for n in outputs if n not in done)
    return sorted(found & known)


def _read_by(statement: Statement) -> list[str]:
    if not statement.opcode or statement.branches:
        return [statement.guard] if statement.guard else []
    targets, sources = _targets(statement)
    read = [n for source in sources for n in re.findall(r"[%$\w]+", source)]
    if statement.guard is not None:
        read += [statement.guard, *targets]
    if _is_tied(statement.opcode):
        read += targets
    return read


def _keep(state: _AsmOperands, names: Sequence[str]) -> None:
    """Stores registers into their variables."""
    pairs = [(state.kept[n], state.registers[n]) for n in names if n in state.registers]
    state.to.move([p[0] for p in pairs], [p[1] for p in pairs])


def _branch(state: _AsmOperands, statement: Statement, following: int) -> None:
    to = state.to
    target = state.first + state.text.targets()[statement.operands[0]]
    if statement.guard is None:
        to.branches.go(target)
        return
    guard = state.register(statement.guard, 1)
    if guard.undefined:
        to.line(f"blk.check_defined(m, {guard.undefined}, {to.site(state.op)}, 'a branch')")
    condition = f"~({guard.name})" if statement.negated else guard.name
    to.branches.fork(condition, target, state.first + following)


# One statement


def _targets(statement: Statement) -> tuple[list[str], list[str]]:
    if not has_result(statement.opcode):
        return [], list(statement.operands)
    first, *rest = statement.operands
    if first.startswith("{"):
        group, _, predicate = first.partition("}")
        parts = split_operands(group.strip("{ \n\t"))
        if predicate.strip():
            parts.append(predicate.strip("| \n\t"))
        if statement.opcode.startswith("tcgen05.ld.red"):
            parts.append(rest.pop(0))
        return parts, rest
    return [t.strip() for t in first.split("|")], rest


def _wait(
    state: _AsmOperands, statement: Statement, index: int, go_on: Callable[[dict[str, Leaf]], None]
) -> None:
    to = state.to
    targets, sources = _targets(statement)
    bits = _width(statement.opcode)
    operands = [
        state.operand(s, _source_bits(statement.opcode, i, bits if bits > 1 else 32))
        for i, s in enumerate(sources)
    ]
    if _is_tied(statement.opcode):
        olds = [state.registers.get(t) or state.unset(32) for t in targets]
        operands.insert(0, Group(tuple(Register(o.name, o.undefined) for o in olds)))
    wait = effects.wait(Context(state.op, to), statement.opcode, operands)
    _keep(state, _needed(state, index + 1, targets))
    to.wait(wait.condition)

    def after() -> None:
        go_on(
            {
                name: Leaf(to.assign(leaf.name), leaf.undefined and to.assign(leaf.undefined))
                for name, leaf in zip(targets, wait.results())
            }
        )

    to.after_wait(after)


def _is_tied(opcode: str) -> bool:
    """Returns whether an instruction reads its result registers."""
    return opcode.startswith("wgmma.mma_async")


def _source_bits(opcode: str, index: int, bits: int) -> int:
    """The width of a source of an instruction whose types are `bits` wide."""
    name, *mods = opcode.split(".")
    if (name == "vote" and index == 0) or (name == "selp" and index == 2):
        return 1
    if name == "mad" and "wide" in mods and index == 2:
        return 2 * bits
    if name == "slct" and index < 2:
        return TYPE_BITS[next(m for m in mods if m in TYPE_BITS)]
    if name == "wgmma":
        return 1 if index == wgmma.scale_position(mods) else 32
    return bits


def _one(state: _AsmOperands, statement: Statement) -> None:
    to = state.to
    targets, sources = _targets(statement)
    bits = _width(statement.opcode)
    if statement.opcode.startswith("cvt") and len(sources) == 1:
        bits = TYPE_BITS[[m for m in statement.opcode.split(".") if m in TYPE_BITS][-1]]
    operands = [
        state.operand(s, _source_bits(statement.opcode, i, bits)) for i, s in enumerate(sources)
    ]
    if statement.opcode.startswith("mov") and len(operands) == 1 and isinstance(operands[0], Group):
        operands = [_join(to, operands[0], bits)]
    if statement.guard is None:
        results = effects.emit(Context(state.op, to), statement.opcode, operands)
        if results is None:
            raise to.unsupported(state.op, f"the instruction {statement.opcode}")
        if len(targets) > 1 and statement.opcode.startswith("mov"):
            results = _part(to, results[0], len(targets), bits)
        for name, leaf in zip(targets, _sign_extended(state, statement.opcode, targets, results)):
            if name != "_":
                state.registers[name] = Leaf(
                    to.assign(leaf.name), leaf.undefined and to.assign(leaf.undefined)
                )
        if statement.opcode == "exit":
            to.lost()
        return
    guard = state.register(statement.guard, 1)
    olds = [state.registers.get(t) for t in targets]

    def body(at: Context) -> list[Leaf] | None:
        results = effects.emit(at, statement.opcode, operands)
        return results and _sign_extended(state, statement.opcode, targets, results)

    news = guarded(state.op, to, guard.name, statement.negated, body, olds, statement.opcode)
    for name, leaf in zip(targets, news):
        if name != "_":
            state.registers[name] = leaf
    if statement.opcode == "exit":
        to.lost()


def _sign_extended(
    state: _AsmOperands, opcode: str, targets: Sequence[str], results: list[Leaf]
) -> list[Leaf]:
    """The results of `ld` and `cvt`, sign-extended in registers that are wider than a signed type.

    PTX ISA 9.4.1, "Operand Size Exceeding Instruction-Type Size". Other results are zero-extended
    where they are read.
    """
    name, *mods = opcode.split(".")
    if name not in ("ld", "ldu", "cvt"):
        return results
    types = [m for m in mods if m in TYPE_BITS]
    type_ = types[0 if name == "cvt" else -1]
    bits = TYPE_BITS[type_]
    if type_ not in INTEGER_TYPES or type_[0] != "s" or mods[0] == "pack":
        return results
    widths = [max(state.width(target), bits) for target in targets]
    return [
        Leaf(
            f"L.resize({leaf.name}, {bits}, {width}, True)",
            leaf.undefined and f"L.undefined_resize({leaf.undefined}, {bits}, {width}, True)",
        )
        for leaf, width in zip(results, widths)
    ]


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
    """A predicated instruction: results keep their values if the predicate is false.

    `body(context)` generates it for the lanes of the context's mask and returns the results, or
    None for an unknown instruction.
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
