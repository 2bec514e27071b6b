"""Reads a cubin's machine code into the sass dialect.

The instructions are read from the listing of `nvdisasm -c -hex`, or of `cuobjdump -sass`; everything else comes from
the ELF file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, LocationAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, Region

from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string
from nvvm_xdsl.dialects.nvptx.gpus import nearest_gpu
from nvvm_xdsl.dialects.sass.control_information import Control
from nvvm_xdsl.dialects.sass.operands import OperandError, parse_operand, split_operands
from nvvm_xdsl.dialects.sass.ops import DataOp, FunctionOp, InstructionOp, LabelOp, SymbolOp
from nvvm_xdsl.frontend.sass.cubin import Cubin, Function, Relocation, read_cubin
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import location_at

_SECTION: Final = re.compile(r"\s*\.section\s+\.text\.([\w$.]+),")
_FUNCTION: Final = re.compile(r"\s*Function : ([\w$.]+)")
_LABEL: Final = re.compile(r"([.\w$]+):\s*$")
_INSTRUCTION: Final = re.compile(
    r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;\s*/\*\s*0x([0-9a-f]{16}) \*/"
)
_SECOND_HALF: Final = re.compile(r"\s*/\* 0x([0-9a-f]{16}) \*/\s*$")
_SOURCE: Final = re.compile(r'\s*//## File "([^"]*)", line (\d+)( inlined at)?')
_TARGETS: Final = re.compile(r'\(\*"BRANCH_TARGETS ([^"]*)"\*\)')
_SPILL: Final = re.compile(r'\s*\(\*"SpillRefill"\*\)$')
"""The mark of loads and stores of spilled registers in listings of CUDA 13.5."""
_NAN: Final = re.compile(r"[QS]NAN\b")
_JOINED: Final = re.compile(r"^(U?R\d+) (?=[`-]|0x)")


def read_sass(listing: str, cubin: bytes, filename: str = "<string>") -> ModuleOp:
    """The module of the sass dialect for a cubin.

    Arguments:
        listing: its machine code as printed by `nvdisasm -c -hex`. The lines of `-gi` become the locations of
            instructions; an instruction without one has its line of the listing.
        cubin: the file.
        filename: the file name in errors.
    Raises DiagnosticError with the line of the listing.
    """
    data = read_cubin(cubin)
    ops: list[Operation] = []
    for section in data.data:
        ops.append(
            DataOp.create(
                properties=_properties(
                    section=section.name,
                    size=section.size,
                    align=section.alignment,
                    bytes=None if section.content is None else section.content.hex(),
                    relocations=_relocation_texts(section.relocations),
                )
            )
        )
    for symbol in data.symbols:
        ops.append(
            SymbolOp.create(
                properties=_properties(
                    symbol=symbol.name,
                    section=symbol.section,
                    offset=symbol.offset,
                    size=symbol.size,
                )
            )
        )
    for name, body in _Listing(listing, filename).functions().items():
        ops.append(_function(data, data.functions.get(name) or Function(name), body))
    return ModuleOp(ops)


def _properties(**values: str | int | list[str] | bool | None) -> dict[str, Attribute]:
    """Properties of a `FieldOp`; None and False are omitted."""
    out: dict[str, Attribute] = {}
    for name, value in values.items():
        if value is None or value is False:
            continue
        if value is True:
            out[name] = UNIT
        elif isinstance(value, str):
            out[name] = string(value)
        elif isinstance(value, int):
            out[name] = int_attr(value, I64)
        else:
            out[name] = ArrayAttr([string(v) for v in value])
    return out


def _relocation_texts(found: list[Relocation]) -> list[str] | None:
    return [f"{r.offset}:{r.kind}:{r.symbol}:{r.addend}" for r in found] or None


def _function(data: Cubin, facts: Function, body: list[Operation]) -> FunctionOp:
    return FunctionOp.create(
        properties=_properties(
            symbol=facts.name,
            arch=data.arch,
            entry=facts.entry,
            params=[f"{offset}:{size}" for offset, size in facts.params] or None,
            param_base=facts.param_base or None,
            frame=facts.frame or None,
            registers=facts.registers or None,
            shared=facts.shared or None,
            reserved=nearest_gpu(data.arch).reserved_in_code or None,
        ),
        regions=[Region(Block(body))],
    )


class _Listing:
    """The functions of a listing."""

    def __init__(self, text: str, filename: str) -> None:
        self.rows = text.splitlines()
        self.filename = filename

    def functions(self) -> Mapping[str, list[Operation]]:
        """The ops of each function, labels and instructions, without the padding at its end."""
        found: dict[str, list[Operation]] = {}
        body: list[Operation] = []
        source: LocationAttr | None = None
        callees: list[LocationAttr] = []
        rows = enumerate(self.rows, 1)
        for number, row in rows:
            section = _SECTION.match(row) or _FUNCTION.match(row)
            if section is not None:
                body = found.setdefault(section[1], [])
                source = None
                continue
            place = _SOURCE.match(row)
            if place is not None:
                callees.append(location_at(place[1], int(place[2]), 1))
                # The line of the call follows.
                if not place[3]:
                    source = callees.pop()
                    while callees:
                        source = CallSiteLoc(callees.pop(), source)
                continue
            match = _INSTRUCTION.match(row)
            if match is not None:
                _, following = next(rows, (0, ""))
                second = _SECOND_HALF.match(following)
                if second is None:
                    raise self._error("the second half of the encoding is missing", number)
                encoding = int(second[1], 16) << 64 | int(match[5], 16)
                op = self._instruction(match, encoding, number)
                op.location = source or location_at(self.filename, number, 1)
                body.append(op)
                continue
            label = _LABEL.match(row)
            if label is not None and not label[1].startswith(".text."):
                body.append(LabelOp.create(properties=_properties(label=label[1])))
            elif re.match(r"\s*/\*[0-9a-f]{4,}\*/", row):
                raise self._error("expected an instruction and its encoding", number)
        for each in found.values():
            _strip_padding(each)
        return found

    def _error(self, message: str, number: int) -> DiagnosticError:
        row = self.rows[number - 1]
        column = len(row) - len(row.lstrip()) + 1
        return DiagnosticError(
            message, file=self.filename, line=number, column=column, source_line=row
        )

    def _instruction(self, match: re.Match[str], encoding: int, number: int) -> InstructionOp:
        text = match[4]
        targets = _TARGETS.search(text)
        if targets is not None:
            text = text[: targets.start()]
        text = _SPILL.sub("", text)
        # `RET.REL.NODEC R20 `(f)` and `BRX R2 -0x3a0` have no comma.
        operands = split_operands(_JOINED.sub(r"\1, ", text))
        if targets is not None:
            operands += [f"`({t.strip()})" for t in targets[1].split(",")]
        for operand in operands:
            try:
                parse_operand(operand)
            except OperandError as error:
                raise self._error(str(error), number) from None
        control = Control.decoded(encoding)
        return InstructionOp.create(
            properties=_properties(
                opcode=match[3],
                operands=operands,
                address=int(match[1], 16),
                guard=match[2],
                stall=control.stall or None,
                write=control.write,
                read=control.read,
                wait=control.wait or None,
                reuse=control.reuse or None,
                immediate=encoding >> 32 & 0xFFFFFFFF if _NAN.search(text) else None,
            )
            | ({"yield": UNIT} if control.yield_ else {})
        )


def _strip_padding(body: list[Operation]) -> None:
    """Removes the labels and NOPs after the code; the endless loop at its end is kept."""
    while body and (
        isinstance(body[-1], LabelOp)
        or (isinstance(body[-1], InstructionOp) and body[-1].opcode == "NOP")
    ):
        body.pop()
