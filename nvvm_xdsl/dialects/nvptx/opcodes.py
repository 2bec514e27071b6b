"""Opcodes as PTX spells them, looked up in the tables; the closest known one for a wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from nvvm_xdsl.dialects.nvptx.forms import Signature, parse_form
from nvvm_xdsl.dialects.nvptx.instructions import (
    INSTRUCTIONS,
    InstructionOp,
    ModifiersAttr,
    modifiers,
)
from nvvm_xdsl.dialects.nvptx.rows import ROWS

CONTROL_FLOW: Final = frozenset(
    {"bra", "bra.uni", "brx.idx", "brx.idx.uni", "call", "call.uni", "ret", "ret.uni"}
)
"""What changes the flow of control is no instruction of a table but an op of its own."""


@dataclass(frozen=True)
class Opcode:
    """An instruction with its modifiers."""

    instruction: type[InstructionOp]
    modifiers: ModifiersAttr
    signatures: tuple[Signature, ...]


class UnknownOpcodeError(ValueError):
    """An opcode that no table has.

    Arguments:
        offset: where in the opcode the first wrong word begins.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def _prefixes(opcode: str) -> list[str]:
    """The mnemonics that an opcode may begin with, longest first."""
    found: list[str] = []
    end = len(opcode)
    while end > 0:
        if opcode[:end] in INSTRUCTIONS:
            found.append(opcode[:end])
        end = opcode.rfind(".", 0, end)
    return found


@lru_cache(maxsize=65536)
def find_opcode(opcode: str) -> Opcode:
    """The instruction that an opcode names. Raises UnknownOpcodeError."""
    mnemonics = _prefixes(opcode)
    for mnemonic in mnemonics:
        mods = opcode[len(mnemonic) + 1 :]
        signatures = ROWS[mnemonic].signatures(mods)
        if signatures:
            return Opcode(INSTRUCTIONS[mnemonic], modifiers(mods), signatures)
    raise _unknown(opcode, mnemonics)


def _unknown(opcode: str, mnemonics: Sequence[str]) -> UnknownOpcodeError:
    if not mnemonics:
        word = opcode.partition(".")[0]
        known = sorted({m.partition(".")[0] for m in ROWS} | {"bra", "brx", "call", "ret"})
        close = get_close_matches(word, known, 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        family = [m for m in ROWS if m.startswith(f"{word}.")]
        if family:
            close = get_close_matches(opcode, family, 1, 0.3) or family
            return UnknownOpcodeError(
                f"unknown instruction '{opcode}'; the closest is '{close[0]}'", len(word)
            )
        return UnknownOpcodeError(f"unknown instruction '{word}'{hint}", 0)
    best: tuple[int, int, str, int] | None = None
    for mnemonic in mnemonics:
        rest = opcode[len(mnemonic) + 1 :]
        given = rest.split(".") if rest else []
        for form in ROWS[mnemonic].forms:
            cost, words, wrong = _alignment(given, parse_form(form).words)
            near = ".".join([mnemonic, *words])
            if best is None or (cost, -wrong) < best[:2]:
                offset = len(mnemonic) + sum(len(word) + 1 for word in given[:wrong])
                best = (cost, -wrong, near, offset)
    assert best is not None
    return UnknownOpcodeError(
        f"unknown instruction '{opcode}'; the closest is '{best[2]}'", min(best[3], len(opcode) - 1)
    )


def _alignment(
    given: Sequence[str], slots: Sequence[tuple[tuple[str, ...], bool]]
) -> tuple[int, list[str], int]:
    """How far modifiers are from a form: the cost, the form's words, the first wrong modifier.

    A slot of several words, such as `relaxed.gpu`, counts as one.
    """
    rows = len(given)
    columns = len(slots)
    table = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            if i == rows and j == columns:
                continue
            choices: list[int] = []
            if i < rows:
                choices.append(2 + table[i + 1][j])
            if j < columns:
                choices.append((0 if slots[j][1] else 2) + table[i][j + 1])
            if i < rows and j < columns:
                taken = _words_taken(given, i, slots[j][0])
                choices.append(table[i + taken][j + 1] if taken else 3 + table[i + 1][j + 1])
            table[i][j] = min(choices)
    words: list[str] = []
    wrong = rows
    i = j = 0
    while i < rows or j < columns:
        cost = table[i][j]
        if i < rows and j < columns:
            taken = _words_taken(given, i, slots[j][0])
            if taken and cost == table[i + taken][j + 1]:
                words.append(".".join(given[i : i + taken]))
                i, j = i + taken, j + 1
                continue
            if not taken and cost == 3 + table[i + 1][j + 1]:
                close = get_close_matches(given[i], slots[j][0], 1, 0.0)
                words.append(close[0] if close else slots[j][0][0])
                wrong = min(wrong, i)
                i, j = i + 1, j + 1
                continue
        if j < columns and cost == (0 if slots[j][1] else 2) + table[i][j + 1]:
            if not slots[j][1]:
                words.append(slots[j][0][0])
                wrong = min(wrong, i)
            j += 1
            continue
        wrong = min(wrong, i)
        i += 1
    return table[0][0], words, wrong


def _words_taken(given: Sequence[str], at: int, choices: Sequence[str]) -> int:
    """How many modifiers from `at` on a slot takes, 0 for none."""
    for choice in choices:
        count = choice.count(".") + 1
        if ".".join(given[at : at + count]) == choice:
            return count
    return 0
