"""The text of inline assembly: its statements, and the segments between its labels, branches and waits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from nvvm_xdsl.dialects.ptx.statements import (
    Kind,
    StatementError,
    split_operands,
    statements,
    without_comments,
)
from nvvm_xdsl.simulator.matrix import tcgen05
from nvvm_xdsl.simulator.ptx import effects, video


@dataclass(frozen=True)
class Statement:
    """One instruction: `labels: @!guard opcode operands`; without an opcode only the labels."""

    opcode: str
    operands: tuple[str, ...] = ()
    guard: str | None = None
    negated: bool = False
    labels: tuple[str, ...] = ()

    @property
    def branches(self) -> bool:
        """Whether it is a branch to a label."""
        return self.opcode.split(".")[0] == "bra"

    @property
    def waits(self) -> bool:
        """Whether threads may have to wait at it."""
        return bool(self.opcode) and effects.waits(self.opcode)


@dataclass(frozen=True)
class Text:
    """Parsed inline assembly.

    Attributes:
        declared: the types of the declared registers.
        pieces: the statements, divided into pieces. A piece begins at a label and ends with a
            branch, with an instruction at which threads wait, or at the end of the text.
    """

    declared: dict[str, str]
    pieces: tuple[tuple[Statement, ...], ...]

    @property
    def cuts(self) -> int:
        """The number of pieces except for the last one."""
        return len(self.pieces) - 1

    @property
    def branches(self) -> bool:
        """Whether any statement is a branch."""
        return any(s.branches for piece in self.pieces for s in piece)

    def targets(self) -> dict[str, int]:
        """The piece that begins at each label."""
        return {
            label: i
            for i, piece in enumerate(self.pieces)
            for statement in piece[:1]
            for label in statement.labels
        }


_NO_RESULT = frozenset(
    "st red bar barrier membar fence cp tensormap prefetch prefetchu exit trap nanosleep stmatrix brkpt discard "
    "applypriority pmevent griddepcontrol setmaxnreg bra sust sured".split()
)
_MBARRIER_NO_RESULT = frozenset({"init", "inval", "expect_tx", "complete_tx"})


@lru_cache(maxsize=256)
def read(text: str) -> Text:
    """Reads a text. Raises ValueError for invalid instructions and unknown labels."""
    try:
        found, declared = _statements(text)
    except StatementError as error:
        raise ValueError(f"cannot read '{text}' in inline assembly: {error}") from None
    pieces: list[list[Statement]] = [[]]
    for statement in _without_guarded_waits(found):
        if statement.labels and (pieces[-1] or len(pieces) == 1):
            pieces.append([])
        pieces[-1].append(statement)
        if statement.branches or statement.waits:
            pieces.append([])
    out = Text(declared, tuple(tuple(p) for p in pieces))
    labels = [label for statement in found for label in statement.labels]
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"inline assembly has two labels '{label}'")
    for statement in found:
        if statement.branches and statement.operands[0] not in labels:
            raise ValueError(f"inline assembly has no label '{statement.operands[0]}'")
    return out


def cuts(text: str) -> int:
    """Like `Text.cuts`, 0 for unreadable text."""
    try:
        return read(text).cuts
    except ValueError:
        return 0


def _without_guarded_waits(found: Sequence[Statement]) -> list[Statement]:
    """The statements, with branches around instructions at which only some threads wait."""
    out: list[Statement] = []
    skipped: list[str] = []
    for statement in found:
        if skipped:
            statement = replace(statement, labels=(*skipped, *statement.labels))
            skipped = []
        if statement.guard is None or not statement.waits:
            out.append(statement)
            continue
        skipped = [f"after statement {len(out)}"]
        out.append(
            replace(statement, opcode="bra", operands=tuple(skipped), negated=not statement.negated)
        )
        out.append(replace(statement, guard=None, labels=()))
    if skipped:
        out.append(Statement("", labels=tuple(skipped)))
    return out


_REGISTERS = re.compile(r"\.reg\s*\.(\w+)\s+(.*);", re.S)


def _statements(text: str) -> tuple[list[Statement], dict[str, str]]:
    # `${:uid}` makes labels unique between copies of a text; here each text has its own labels.
    text = without_comments(text.replace("${:uid}", "")).rstrip()
    if text and text[-1] not in ";}:":
        text += ";"
    declared: dict[str, str] = {}
    found: list[Statement] = []
    labels: list[str] = []
    for statement in statements(text):
        if statement.kind is Kind.LABEL:
            labels.append(statement.head)
        elif statement.kind is Kind.DIRECTIVE:
            declaration = _REGISTERS.fullmatch(statement.rest)
            if declaration is None:
                raise ValueError(f"cannot read '{statement.rest}' in inline assembly")
            for name in declaration[2].split(","):
                declared[name.strip()] = declaration[1]
        elif statement.kind is Kind.INSTRUCTION:
            operands = split_operands(statement.rest)
            opcode, operands = video.without_selectors(statement.head, operands)
            guard = statement.guard.lstrip("@!") or None
            negated = statement.guard.startswith("@!")
            found.append(Statement(opcode, tuple(operands), guard, negated, tuple(labels)))
            labels = []
    if labels:
        found.append(Statement("", labels=tuple(labels)))
    return found, declared


def has_result(opcode: str) -> bool:
    """Whether an instruction's first operand is its result."""
    name, *mods = opcode.split(".")
    if name in ("bar", "barrier"):
        return "red" in mods
    if name == "mbarrier":
        return mods[0] not in _MBARRIER_NO_RESULT
    if name == "tcgen05":
        return tcgen05.gives(mods)
    if name == "wgmma":
        return mods[0] == "mma_async"
    if name in ("multimem", "clusterlaunchcontrol"):
        return mods[0] in ("ld_reduce", "query_cancel")
    if name == "wmma":
        return mods[0] != "store"
    return name not in _NO_RESULT
