"""The table language of instructions: valid combinations of modifiers and operands.

A form is one line of a PTX syntax diagram:

    .R=rn|rz|rm|rp? .ftz? .sat? .f32 : f32 f32 -> f32

On the left of the colon are the modifiers in order. `.a|b` is one of several words, `?` makes it
optional, `V=` names the chosen word, `@group` is any word of a group in `GROUPS`. On the right are
operands and results:

    f32, b64, pred, T       a register for this type; T is the type named by `.T=...`
    wide(T)                 a register of twice T's width
    bits(T)                 registers with the total width of T, in braces if several
    mem, tmem               an address in brackets; an address in tensor memory
    list(b64,D*b32)         a list in brackets (textures, tensor maps)
    const, const=128        any immediate; this immediate
    const=0..12             an immediate in this range
    sink                    `_`
    any                     anything
    4*f32, V*T              this number of registers in braces; V is named by `.V=v2|v4?`, a plain
                            register if the modifier is absent
    b64~4*b32               either of two operands
    V=>b64                  present only if the modifier V is present
    b64?                    optional, like all operands after it
    |pred                   (results) the second half of a pair `d|p`

After `@` are the first PTX version and the GPUs that support the form: `@ 8.6 100a|103a`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.nvptx.registers import (
    B16Register,
    B32Register,
    B64Register,
    B128Register,
    F32Register,
    F64Register,
    PredRegister,
)
from nvvm_xdsl.dialects.nvptx.target import NO_REQUIREMENT, Requirement

GROUPS: Final[dict[str, tuple[str, ...]]] = {}
"""Named groups of words that are common to many forms; defined by the tables."""

Accepted = frozenset[type[Attribute]]

_BY_WIDTH: Final[dict[int, Accepted]] = {
    1: frozenset({PredRegister}),
    # Loads, stores and conversions of bytes accept any wider integer register.
    8: frozenset({B16Register, B32Register, B64Register}),
    16: frozenset({B16Register}),
    32: frozenset({B32Register, F32Register}),
    64: frozenset({B64Register, F64Register}),
    128: frozenset({B128Register}),
}

_INTEGER_ONLY: Final[dict[int, Accepted]] = {
    **_BY_WIDTH,
    32: frozenset({B32Register}),
    64: frozenset({B64Register}),
}

_TYPE = re.compile(r"([a-z]+)(\d+)(?:x(\d+))?\Z")

_ODD_WIDTHS: Final[dict[str, int]] = {
    "pred": 1,
    "tf32": 32,
    "f16x2": 32,
    "bf16x2": 32,
    "e4m3x2": 16,
    "e5m2x2": 16,
    "e2m3x2": 16,
    "e3m2x2": 16,
    "e2m1x2": 8,
    "ue8m0": 8,
    "ue8m0x2": 16,
    "s2f6x2": 16,
    "ue5m3x2": 16,
    "e4m3x4": 32,
    "e5m2x4": 32,
    "e2m3x4": 32,
    "e3m2x4": 32,
    "e2m1x4": 16,
    "e4m3": 8,
    "e5m2": 8,
}


def is_type(text: str) -> bool:
    """Returns True if this is the name of a PTX type."""
    return text in _ODD_WIDTHS or _TYPE.match(text) is not None


def bits_of(type_: str) -> int:
    """The width of a PTX type such as `s32`, `f16x2` or `pred`. Raises ValueError for others."""
    odd = _ODD_WIDTHS.get(type_)
    if odd is not None:
        return odd
    found = _TYPE.match(type_)
    if found is None:
        raise ValueError(f"{type_} is not a PTX type")
    return int(found[2]) * int(found[3] or 1)


@cache
def accepted_by(type_: str) -> Accepted:
    """The register classes of an operand of a PTX type.

    PTX ISA 9.1, section 9.2: bit types accept any register of their size, integers bit or integer
    registers, floats bit or float registers.
    """
    width = bits_of(type_)
    if type_[0] in "su" and type_[1:].isdigit():
        return _INTEGER_ONLY[width]
    return _BY_WIDTH[width]


@dataclass(frozen=True)
class OperandSpec:
    """The valid operands of one slot.

    `kind` is `reg`, `bits`, `mem`, `tmem`, `list`, `const`, `sink`, `any` or `either`. `count` is
    the number of registers in braces, 0 for a plain operand, `type_` the PTX type of `reg` or the
    one value of `const`, and `parts` the elements of a list or the alternatives.
    """

    kind: str
    type_: str = ""
    count: int = 0
    optional: bool = False
    parts: tuple[OperandSpec, ...] = ()

    @property
    def accepted(self) -> Accepted:
        """The matching register classes."""
        return accepted_by(self.type_)


@dataclass(frozen=True)
class Signature:
    """A form with its modifiers chosen."""

    operands: tuple[OperandSpec, ...]
    results: tuple[OperandSpec, ...]
    is_pair: bool
    requirement: Requirement

    @property
    def required_operands(self) -> int:
        """The number of required operands."""
        specs = self.operands
        return next((i for i, s in enumerate(specs) if s.optional), len(specs))

    @property
    def required_results(self) -> int:
        """The number of required results."""
        return sum(s.count or 1 for s in self.results if not s.optional)


class FormError(ValueError):
    """A syntax error in a form of a table."""


@dataclass
class Form:
    """A parsed form."""

    text: str
    operands: list[str]
    results: list[str]
    requirement: Requirement
    words: list[tuple[tuple[str, ...], bool]]
    """For each modifier its possible words, and whether it is optional."""
    names: list[str]
    """For each modifier the name by which operands refer to its word; empty for none."""

    def fit(self, modifiers: str) -> dict[str, str | None] | None:
        """The words of the named modifiers; None if these modifiers do not match.

        Optional modifiers are matched greedily, as in a regular expression.
        """
        chosen: dict[str, str | None] = {name: None for name in self.names if name}
        return chosen if self._fit(0, f".{modifiers}" if modifiers else "", chosen) else None

    def _fit(self, number: int, rest: str, chosen: dict[str, str | None]) -> bool:
        if number == len(self.words):
            return not rest
        words, optional = self.words[number]
        name = self.names[number]
        for word in words:
            end = len(word) + 1
            if not rest.startswith(word, 1) or rest[end : end + 1] not in ("", "."):
                continue
            if self._fit(number + 1, rest[end:], chosen):
                if name:
                    chosen[name] = word
                return True
        return optional and self._fit(number + 1, rest, chosen)


def _words(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in text.split("|"):
        if word.startswith("@"):
            try:
                found.extend(GROUPS[word[1:]])
            except KeyError:
                raise FormError(f"no group {word}") from None
        else:
            found.append(word)
    return tuple(found)


@cache
def parse_form(text: str) -> Form:
    """Parses one form. Raises FormError."""
    body, _, requirement = text.partition(" @ ")
    modifiers, colon, signature = f" {body} ".partition(" : ")
    if not colon:
        raise FormError(f"no colon in form '{text}'")
    operands, _, results = signature.partition("->")
    words: list[tuple[tuple[str, ...], bool]] = []
    names: list[str] = []
    for token in modifiers.split():
        if not token.startswith("."):
            raise FormError(f"modifier '{token}' in form '{text}' does not start with a dot")
        token = token[1:]
        optional = token.endswith("?")
        token = token.removesuffix("?")
        name, equals, alternatives = token.rpartition("=")
        words.append((_words(alternatives), optional))
        names.append(name if equals else "")
    return Form(
        text,
        operands.split(),
        results.split(),
        Requirement.parse(requirement) if requirement else NO_REQUIREMENT,
        words,
        names,
    )


_FUNCTION = re.compile(r"(wide|bits)\((\w+)\)\Z")


def _specs(texts: list[str], chosen: Mapping[str, str | None]) -> tuple[OperandSpec, ...]:
    specs = [_spec(text, chosen) for text in texts]
    return tuple(spec for spec in specs if spec is not None)


def _spec(text: str, chosen: Mapping[str, str | None]) -> OperandSpec | None:
    """The operand of a form under a choice of modifiers; None if it is absent."""
    condition, arrow, rest = text.partition("=>")
    if arrow:
        if not chosen.get(condition):
            return None
        text = rest
    optional = text.endswith("?")
    text = text.removesuffix("?").removeprefix("|")
    if "~" in text:
        return OperandSpec("either", "", 0, optional, _specs(text.split("~"), chosen))
    if text.startswith("list("):
        parts = _specs(text[5:-1].split(","), chosen)
        return OperandSpec("list", "", 0, optional, parts)
    count = 0
    number, times, rest = text.partition("*")
    if times:
        text = rest
        if number.isdigit():
            count = int(number)
        else:
            word = chosen.get(number)
            count = int(word.strip("vxd")) if word else 0
    if text.startswith("const="):
        return OperandSpec("const", text.removeprefix("const="), count, optional)
    if text in ("mem", "tmem", "const", "sink", "any"):
        return OperandSpec(text, "", count, optional)
    function = _FUNCTION.match(text)
    if function is not None:
        argument = chosen[function[2]] or ""
        if function[1] == "bits":
            return OperandSpec("bits", argument, count, optional)
        text = f"{argument.rstrip('0123456789')}{2 * bits_of(argument)}"
    else:
        text = chosen.get(text) or text
    bits_of(text)
    return OperandSpec("reg", text, count, optional)


def accepts_constant(wanted: str, constant: str) -> bool:
    """Returns True if an operand `const={wanted}` can be this immediate."""
    least, range_, most = wanted.partition("..")
    if range_:
        return constant.isdigit() and int(least) <= int(constant) <= int(most)
    return wanted in ("", constant)


def match(form: Form, modifiers: str) -> Signature | None:
    """The form's signature under these modifiers; None if they do not match it."""
    chosen = form.fit(modifiers)
    if chosen is None:
        return None
    return Signature(
        _specs(form.operands, chosen),
        _specs(form.results, chosen),
        any(t.startswith("|") for t in form.results),
        form.requirement,
    )
