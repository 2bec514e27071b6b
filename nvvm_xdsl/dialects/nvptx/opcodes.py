"""PTX opcodes, looked up in the tables; suggestions for misspelled ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import Final

from nvvm_xdsl.dialects.nvptx.forms import Signature, parse_form
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS, Row
from nvvm_xdsl.dialects.nvptx.instructions import (
    INSTRUCTIONS,
    InstructionOp,
    ModifiersAttr,
    modifiers,
)

CONTROL_FLOW: Final = frozenset(
    {"bra", "bra.uni", "brx.idx", "brx.idx.uni", "call", "call.uni", "ret", "ret.uni"}
)
"""Control flow, which is represented by special ops, not by instructions of a table."""


VECTOR_MOVE: Final = re.compile(r"mov\.v[24]\.(?:[bus](?:16|32|64)|f(?:32|64))\Z")
"""Moves of vector registers, which exist only in text."""

WITHOUT_SYNC: Final = re.compile(r"(?:vote|shfl)\.(?!sync\b)")
"""Instructions of older PTX without a mask of threads, for the threads that execute them together.

ptxas accepts them for targets before sm_70 or before PTX 6.4 (PTX ISA 9.1, sections 9.7.9.5 and
9.7.13.8).
"""

SELECTOR: Final = re.compile(r"\.[bh][0-3]+\Z")
"""Selectors of bytes of a register: `%r1.b0` (PTX ISA 9.1, section 9.7.18)."""


WITHOUT_ROUNDING: Final = re.compile(r"mad\.(?:ftz\.)?(?:sat\.)?f32\Z")
"""`mad` of older PTX, which rounds to nearest.

ptxas accepts it for targets before sm_20 or before PTX 4.0.
"""


@dataclass(frozen=True)
class Opcode:
    """An instruction with its modifiers."""

    instruction: type[InstructionOp]
    modifiers: ModifiersAttr
    signatures: tuple[Signature, ...]


class UnknownOpcodeError(ValueError):
    """An unknown opcode.

    Arguments:
        offset: the offset of the first wrong word in the opcode.
    """

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def _prefixes(opcode: str) -> list[str]:
    """The mnemonics that are prefixes of an opcode, longest first."""
    found: list[str] = []
    end = len(opcode)
    while end > 0:
        if opcode[:end] in INSTRUCTIONS:
            found.append(opcode[:end])
        end = opcode.rfind(".", 0, end)
    return found


@lru_cache(maxsize=65536)
def find_opcode(opcode: str) -> Opcode:
    """The instruction of an opcode. Raises UnknownOpcodeError.

    As in ptxas, modifiers may be in another order than in the tables:
    `atom.global.gpu.acq_rel.add.u32` is `atom.acq_rel.gpu.global.add.u32`.
    """
    mnemonics = _prefixes(opcode)
    for mnemonic in mnemonics:
        mods = opcode[len(mnemonic) + 1 :]
        signatures = ROWS[mnemonic].signatures(mods)
        if signatures:
            return Opcode(INSTRUCTIONS[mnemonic], modifiers(mods), signatures)
    first, *words = opcode.split(".")
    for mnemonic in _family(first):
        rest = _without(words, mnemonic.split(".")[1:])
        mods = None if rest is None else _in_order(ROWS[mnemonic], rest)
        if mods is not None:
            return Opcode(INSTRUCTIONS[mnemonic], modifiers(mods), ROWS[mnemonic].signatures(mods))
    raise _unknown(opcode, mnemonics)


def rounding(opcode: str) -> str:
    """An opcode `WITHOUT_ROUNDING` with its rounding mode."""
    return opcode.replace("mad.", "mad.rn.", 1)


@cache
def flushing(opcode: str) -> str:
    """The opcode with `.ftz` if it computes with f32 and has such a form, otherwise unchanged.

    For targets before sm_20 every instruction on f32 flushes subnormals.
    """
    words = opcode.split(".")
    if "f32" not in words or "ftz" in words:
        return opcode
    for place in range(1, len(words)):
        changed = ".".join([*words[:place], "ftz", *words[place:]])
        if any(
            ROWS[mnemonic].signatures(changed[len(mnemonic) + 1 :])
            for mnemonic in _prefixes(changed)
        ):
            return changed
    return opcode


@cache
def _family(first: str) -> tuple[str, ...]:
    """The mnemonics that start with a word, those with more words first."""
    found = [m for m in ROWS if m.partition(".")[0] == first]
    return tuple(sorted(found, key=lambda m: -m.count(".")))


def _without(words: Sequence[str], taken: Sequence[str]) -> list[str] | None:
    """The words without those of a mnemonic; None if a word of the mnemonic is missing."""
    rest = list(words)
    for word in taken:
        if word not in rest:
            return None
        rest.remove(word)
    return rest


def _in_order(row: Row, words: Sequence[str]) -> str | None:
    """The modifiers in the order of a form that contains them all; None if there is none."""
    for form in row.forms:
        rest = list(words)
        ordered: list[str] = []
        for choices, optional in parse_form(form).words:
            place = next(
                (i for i in range(len(rest)) if _matched_modifiers(rest, i, choices)), None
            )
            if place is None:
                if not optional:
                    break
                continue
            taken = _matched_modifiers(rest, place, choices)
            ordered.extend(rest[place : place + taken])
            del rest[place : place + taken]
        else:
            mods = ".".join(ordered)
            if not rest and row.signatures(mods):
                return mods
    return None


def _closest(word: str, known: Iterable[str]) -> tuple[float, str]:
    """The most similar word, and the similarity: 1 for equal words, 0 for nothing in common."""

    def likeness(other: str) -> tuple[float, int]:
        start = 0
        while start < min(len(word), len(other)) and word[start] == other[start]:
            start += 1
        return SequenceMatcher(None, word, other).ratio(), start

    best = max(known, key=likeness)
    return likeness(best)[0], best


def _unknown(opcode: str, mnemonics: Sequence[str]) -> UnknownOpcodeError:
    if not mnemonics:
        word = opcode.partition(".")[0]
        family = [m for m in ROWS if m.startswith(f"{word}.")]
        if family:
            return UnknownOpcodeError(
                f"unknown instruction '{opcode}'; the closest is '{_closest(opcode, family)[1]}'",
                min(len(word) + 1, len(opcode) - 1),
            )
        known = {m.partition(".")[0] for m in ROWS} | {"bra", "brx", "call", "ret"}
        likeness, close = _closest(word, sorted(known))
        hint = f"; did you mean '{close}'?" if likeness >= _LIKENESS_OF_A_HINT else ""
        return UnknownOpcodeError(f"unknown instruction '{word}'{hint}", 0)
    best: tuple[float, int, str, int] | None = None
    for mnemonic in mnemonics:
        rest = opcode[len(mnemonic) + 1 :]
        given = rest.split(".") if rest else []
        for form in ROWS[mnemonic].forms:
            cost, words, wrong = _alignment(given, parse_form(form).words)
            near = ".".join([mnemonic, *words])
            if best is None or (cost, -wrong) < best[:2]:
                offset = len(mnemonic) + 1 + sum(len(word) + 1 for word in given[:wrong])
                best = (cost, -wrong, near, offset)
    assert best is not None
    return UnknownOpcodeError(
        f"unknown instruction '{opcode}'; the closest is '{best[2]}'", min(best[3], len(opcode) - 1)
    )


_LIKENESS_OF_A_HINT: Final = 0.6

_MISSING: Final = 2.0
"""The cost of a superfluous or missing modifier."""


def _substitution(word: str, choices: Sequence[str]) -> tuple[float, str]:
    """The cost of replacing a word with the closest one of a slot, and that word."""
    likeness, close = _closest(word, choices)
    return 1 + 2.5 * (1 - likeness), close


def _alignment(
    given: Sequence[str], slots: Sequence[tuple[tuple[str, ...], bool]]
) -> tuple[float, list[str], int]:
    """The distance of modifiers from a form: the cost, the form's words, the first wrong modifier.

    A slot of several words, such as `relaxed.gpu`, counts as one.
    """
    rows = len(given)
    columns = len(slots)
    costs: list[list[tuple[float, int, int, str]]] = [
        [(0.0, 0, 0, "")] * (columns + 1) for _ in range(rows + 1)
    ]
    for i in range(rows, -1, -1):
        for j in range(columns, -1, -1):
            if i == rows and j == columns:
                continue
            # The cost, the number of words and slots of this step, and the word in the form.
            choices: list[tuple[float, int, int, str]] = []
            if i < rows:
                choices.append((_MISSING + costs[i + 1][j][0], 1, 0, ""))
            if j < columns:
                words, optional = slots[j]
                price = 0.0 if optional else _MISSING
                choices.append((price + costs[i][j + 1][0], 0, 1, "" if optional else words[0]))
            if i < rows and j < columns:
                taken = _matched_modifiers(given, i, slots[j][0])
                if taken:
                    word = ".".join(given[i : i + taken])
                    choices.append((costs[i + taken][j + 1][0], taken, 1, word))
                else:
                    price, word = _substitution(given[i], slots[j][0])
                    choices.append((price + costs[i + 1][j + 1][0], 1, 1, word))
            costs[i][j] = min(choices, key=lambda choice: choice[0])
    found: list[str] = []
    wrong = rows
    i = j = 0
    while i < rows or j < columns:
        _, words_taken, slots_taken, word = costs[i][j]
        if word:
            found.append(word)
        if word != ".".join(given[i : i + words_taken]):
            wrong = min(wrong, i)
        i += words_taken
        j += slots_taken
    return costs[0][0][0], found, wrong


def _matched_modifiers(given: Sequence[str], at: int, choices: Sequence[str]) -> int:
    """The number of modifiers from `at` on that a slot matches, 0 for none."""
    for choice in choices:
        count = choice.count(".") + 1
        if ".".join(given[at : at + count]) == choice:
            return count
    return 0
