"""The rows of the instruction tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from nvvm_xdsl.dialects.nvptx.flags import INVARIANT, PURE, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.forms import GROUPS, Signature, accepts_constant, match, parse_form
from nvvm_xdsl.dialects.nvptx.target import NO_REQUIREMENT, Requirement

MEMORY_WORDS: Mapping[str, int] = {
    "volatile": SIDE_EFFECTS,
    "mmio": SIDE_EFFECTS,
    "relaxed": SIDE_EFFECTS,
    "acquire": SIDE_EFFECTS,
    "release": SIDE_EFFECTS,
    "acq_rel": SIDE_EFFECTS,
}
"""Flags added by modifiers of loads and stores."""


@dataclass(frozen=True, eq=False)
class Row:
    """An instruction: its mnemonic, forms, flags and first version.

    `since` maps modifiers (several are separated by spaces) to the requirement of forms that use
    them all; `word_flags` maps modifiers to additional flags; `optional` is the requirement of
    optional operands. With `tied` the instruction reads its results' registers before it writes
    them: its first operands are their old values and do not appear in PTX.
    """

    mnemonic: str
    forms: tuple[str, ...]
    flags: int
    requirement: Requirement = NO_REQUIREMENT
    since: Mapping[str, str] = field(default_factory=dict[str, str])
    word_flags: Mapping[str, int] = field(default_factory=dict[str, int])
    optional: Requirement = NO_REQUIREMENT
    tied: bool = False

    def signature(self, modifiers: str) -> Signature | None:
        """The first form that these modifiers match; None if there is none."""
        return _signature(self, modifiers)

    def signatures(self, modifiers: str) -> tuple[Signature, ...]:
        """All forms that these modifiers match; they differ in their operands."""
        return _signatures(self, modifiers)

    def flags_with(self, modifiers: str) -> int:
        """The flags with these modifiers."""
        if not self.word_flags:
            return self.flags
        return _flags_with(self, modifiers)

    def requirement_with(
        self,
        modifiers: str,
        operands: int | None = None,
        results: int = 0,
        vectors: int | None = None,
        constants: tuple[str | None, ...] = (),
    ) -> Requirement:
        """The PTX version and target that the instruction requires with these modifiers.

        Some forms with more operands or results were added later: without these numbers the result
        is the requirement of the first form. `vectors` is the number of operands in braces, and
        `constants` the immediates by operand, which matter if the row `has_ranges`.
        """
        return _requirement(self, modifiers, operands, results, vectors, constants)

    @cached_property
    def has_ranges(self) -> bool:
        """Forms differ in the range of an immediate."""
        return any(".." in form for form in self.forms)

    def requirements_with(self, modifiers: str) -> tuple[Requirement, ...]:
        """The requirements of each form that these modifiers match; without such a form, the
        closest words.
        """
        own = self.requirement | _requirement_of_words(self, modifiers)
        forms = _signatures(self, modifiers)
        return tuple(dict.fromkeys(own | form.requirement for form in forms)) or (own,)


@cache
def _signatures(row: Row, modifiers: str) -> tuple[Signature, ...]:
    found = [match(parse_form(form), modifiers) for form in row.forms]
    return tuple(signature for signature in found if signature is not None)


def _signature(row: Row, modifiers: str) -> Signature | None:
    found = _signatures(row, modifiers)
    return found[0] if found else None


@cache
def _flags_with(row: Row, modifiers: str) -> int:
    flags = row.flags
    for word in modifiers.split("."):
        flags |= row.word_flags.get(word, 0)
    if flags & SIDE_EFFECTS:
        flags &= ~(PURE | INVARIANT)
    return flags


@cache
def _requirement(
    row: Row,
    modifiers: str,
    operands: int | None,
    results: int,
    vectors: int | None,
    constants: tuple[str | None, ...],
) -> Requirement:
    total = row.requirement
    fitting = [
        signature
        for signature in _signatures(row, modifiers)
        if operands is None
        or (
            signature.required_operands <= operands <= len(signature.operands)
            and bool(signature.required_results) <= bool(results) <= bool(signature.results)
            and all(
                constant is None or spec.kind != "const" or accepts_constant(spec.type_, constant)
                for spec, constant in zip(signature.operands, constants, strict=False)
            )
        )
    ]
    if fitting:
        in_braces = [sum(bool(s.count) for s in form.operands[:operands]) for form in fitting]
        chosen = fitting[in_braces.index(vectors) if vectors in in_braces else 0]
        total |= chosen.requirement
        if operands is not None and (
            operands > chosen.required_operands or results > chosen.required_results
        ):
            total |= row.optional
    return total | _requirement_of_words(row, modifiers)


@cache
def _requirement_of_words(row: Row, modifiers: str) -> Requirement:
    total = NO_REQUIREMENT
    words = set(modifiers.split("."))
    for together, since in row.since.items():
        if words.issuperset(together.split()):
            total |= Requirement.parse(since)
    return total


ROWS: dict[str, Row] = {}
"""All instructions by mnemonic."""


def group(name: str, words: str) -> None:
    """Defines a named set of modifiers for use in forms: `@name`."""
    found: list[str] = []
    for word in words.split():
        if word.startswith("@"):
            found.extend(GROUPS[word[1:]])
        else:
            found.append(word)
    GROUPS[name] = tuple(found)


def row(
    mnemonic: str,
    flags: int,
    *forms: str,
    since: str = "",
    words: Mapping[str, str] | None = None,
    word_flags: Mapping[str, int] | None = None,
    optional_since: str = "",
    tied: bool = False,
) -> None:
    """Adds an instruction to the table.

    `since` is the requirement of the whole instruction, `words` that of modifiers (`"b128 sys"`:
    of both together), `optional_since` that of its optional operands; for loads, stores and
    atomics (`READS` or `WRITES`) the memory-order words add their flags.
    """
    if mnemonic in ROWS:
        raise ValueError(f"two rows for {mnemonic}")
    if word_flags is None and flags & (READS | WRITES):
        word_flags = MEMORY_WORDS
    ROWS[mnemonic] = Row(
        mnemonic,
        forms,
        flags,
        Requirement.parse(since),
        words or {},
        word_flags or {},
        Requirement.parse(optional_since),
        tied,
    )


def rows(
    mnemonics: Sequence[str],
    flags: int,
    *forms: str,
    since: str = "",
    words: Mapping[str, str] | None = None,
    optional_since: str = "",
) -> None:
    """Adds several instructions with the same forms."""
    for mnemonic in mnemonics:
        row(mnemonic, flags, *forms, since=since, words=words, optional_since=optional_since)
