"""Where the instruction tables and ptxas name other targets, and why it stays so.

A table of `docs/testing.md` shows them. Facts: PTX ISA 9.1, the target notes of each instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

Found = Mapping[str, Mapping[str, list[str]]]
"""Opcodes by target and kind, `too many` or `too few`, as `gates.compare` gives them."""


@dataclass(frozen=True)
class Difference:
    """Instructions of which the tables and ptxas say something else.

    Arguments:
        kind: `too many` where the tables alone give a target the instructions, `too few` where
            ptxas alone does.
        opcodes: a pattern of the whole opcodes.
        targets: a pattern of the whole names of the targets.
        name: the instructions in words.
        reason: why the tables are left as they are.
    """

    kind: str
    opcodes: str
    targets: str
    name: str
    reason: str

    def covers(self, target: str, kind: str, opcode: str) -> bool:
        """Whether it tells of the opcode on the target."""
        return (
            kind == self.kind
            and re.fullmatch(self.targets, target) is not None
            and re.fullmatch(self.opcodes, opcode) is not None
        )


DIFFERENCES: Final = (
    Difference(
        "too many",
        r"wmma\.mma\.sync\.aligned\.row\.row\.m\d+n\d+k16\.f(16|32)\.f(16|32)\.satfinite",
        r"sm_\d+[af]?",
        "`wmma.mma` of halves with `.satfinite`",
        "PTX 6.5 took it back; older PTX, which sm_75 can have, keeps it, and the tables say since"
        " when an instruction exists, not until when",
    ),
    Difference(
        "too many",
        r"tcgen05\.mma(\.sp)?\.cta_group::[12]\.kind::(f16|tf32)(\.ashift)?"
        r"(\.collector::a::\w+)?",
        r"sm_110[af]",
        "`tcgen05.mma` with the scale of its input",
        "a gate sees the modifiers and how many operands there are, and the mask of lanes, which"
        " sm_110 has, is one more operand as the scale is",
    ),
    Difference(
        "too few",
        r"cvt\.rn\.satfinite\.f16\.f32",
        r"sm_75",
        "`cvt.satfinite` to f16",
        "PTX ISA asks for sm_80",
    ),
    Difference(
        "too few",
        r"cvt\.r[mp]\.bf16\.f32",
        r"sm_8\d",
        "`cvt.rm` and `cvt.rp` to bf16",
        "PTX ISA asks for sm_90",
    ),
    Difference(
        "too few",
        r"mma(\.sp::ordered_metadata)?\.sync\.aligned\.m16n8k\d+\.row\.col\.kind::f8f6f4"
        r"\.f\d+\.e[45]m[23]\.e[45]m[23]\.f\d+",
        r"sm_1[01]\d[af]",
        "`mma.kind::f8f6f4` of 8-bit floats",
        "PTX ISA has `.kind::f8f6f4` in sm_120's family alone; without the word every GPU from"
        " sm_89 has these types",
    ),
)


def each(found: Found) -> Iterator[tuple[str, str, str]]:
    """Target, kind and opcode of all that was found."""
    for target, kinds in found.items():
        for kind, opcodes in kinds.items():
            for opcode in opcodes:
                yield target, kind, opcode


def untold(found: Found) -> list[tuple[str, str, str]]:
    """What was found and stands in no row of `DIFFERENCES`: target, kind and opcode."""
    return [one for one in each(found) if not any(row.covers(*one) for row in DIFFERENCES)]


def page(found: Found) -> str:
    """The differences as a Markdown table, with the targets and the number of opcodes found."""
    lines = ["| Instructions | Opcodes | Targets | Has them | Why |", "|---|---|---|---|---|"]
    for row in DIFFERENCES:
        covered = [one for one in each(found) if row.covers(*one)]
        targets = list(dict.fromkeys(target for target, _, _ in covered))
        where = "all" if len(targets) == len(found) else ", ".join(targets)
        opcodes = len({opcode for _, _, opcode in covered})
        who = "the tables" if row.kind == "too many" else "ptxas"
        lines.append(f"| {row.name} | {opcodes} | {where} | {who} | {row.reason} |")
    return "\n".join(lines)
