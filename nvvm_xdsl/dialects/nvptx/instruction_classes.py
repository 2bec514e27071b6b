"""Instruction classes that passes and analyses name, by their PTX mnemonics."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.nvptx.instructions import INSTRUCTIONS

ADD: Final = INSTRUCTIONS["add"]
AND: Final = INSTRUCTIONS["and"]
ATOM: Final = INSTRUCTIONS["atom"]
BFE: Final = INSTRUCTIONS["bfe"]
BFI: Final = INSTRUCTIONS["bfi"]
CVT: Final = INSTRUCTIONS["cvt"]
CVTA: Final = INSTRUCTIONS["cvta"]
LD: Final = INSTRUCTIONS["ld"]
MAX: Final = INSTRUCTIONS["max"]
MIN: Final = INSTRUCTIONS["min"]
MOV: Final = INSTRUCTIONS["mov"]
MUL: Final = INSTRUCTIONS["mul"]
NOT: Final = INSTRUCTIONS["not"]
OR: Final = INSTRUCTIONS["or"]
RED: Final = INSTRUCTIONS["red"]
SAD: Final = INSTRUCTIONS["sad"]
SELP: Final = INSTRUCTIONS["selp"]
SETP: Final = INSTRUCTIONS["setp"]
SHF: Final = INSTRUCTIONS["shf"]
SHL: Final = INSTRUCTIONS["shl"]
SHR: Final = INSTRUCTIONS["shr"]
SQRT: Final = INSTRUCTIONS["sqrt"]
ST: Final = INSTRUCTIONS["st"]
SUB: Final = INSTRUCTIONS["sub"]
XOR: Final = INSTRUCTIONS["xor"]

LOADS: Final = frozenset(
    INSTRUCTIONS[m]
    for m in ("ld", "ld.global.nc", "ld.global.ca.nc", "ld.global.cg.nc", "ld.global.cs.nc", "ldu")
)
"""All loads that are not atomic."""
