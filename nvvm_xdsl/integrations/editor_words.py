"""Words of NVVM IR for editors: completion at a position, and the kinds of words for
highlighting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.dialects.nvvm.intrinsics import all_intrinsics
from nvvm_xdsl.integrations.editor import Document
from nvvm_xdsl.pipeline.registry import ADAPTORS, ANALYSES, describe, rows


class Completion(NamedTuple):
    """A possible completion at a position.

    Attributes:
        text: the whole word.
        kind: `value`, `symbol`, `intrinsic`, `op`, `attribute`, `type`, `pass` or `analysis`.
        detail: one line about it; may be empty.
    """

    text: str
    kind: str
    detail: str = ""


_PIPELINE: Final = re.compile(
    r"(?:nvvm|xdsl)-(?:opt|cc)\b.*\s(?:-p|--passes)[= ]\s*['\"]?([^'\"]*)$"
)
_WORD: Final = re.compile(r"[%@^#!]?[\w.$-]*$")
_LL_TYPES: Final = "void half bfloat float double ptr i1 i8 i16 i32 i64 i128 label metadata".split()
_LL_KERNEL_ATTRIBUTES: Final = (
    '"nvvm.maxntid" "nvvm.reqntid" "nvvm.minctasm" "nvvm.maxnreg" "nvvm.cluster_dim" "nvvm.maxclusterrank"'
).split()


@cache
def _mlir_words() -> tuple[Completion, ...]:
    """The ops, attributes and types of the dialects."""
    found: list[Completion] = []
    for dialect in (LLVM, NVVM, NVPTX):
        found += [Completion(op.name, "op") for op in dialect.operations]
        for attribute in dialect.attributes:
            is_type = "Type" in {cls.__name__.removesuffix("Attribute") for cls in attribute.mro()}
            sign = "!" if is_type or attribute.__name__.endswith("Type") else "#"
            found.append(Completion(sign + attribute.name, "type" if sign == "!" else "attribute"))
    return tuple(found)


@cache
def _ll_words() -> tuple[Completion, ...]:
    """Opcodes, types and function attributes of LLVM assembly."""
    from nvvm_xdsl.frontend.attributes import PASSTHROUGH, WORD_PROPERTIES
    from nvvm_xdsl.frontend.instructions import InstructionReader

    opcodes = InstructionReader("", "").handlers
    return (
        *(Completion(word, "op") for word in (*opcodes, "define", "declare", "ptx_kernel")),
        *(Completion(word, "type") for word in _LL_TYPES),
        *(Completion(word, "attribute") for word in (*WORD_PROPERTIES, *sorted(PASSTHROUGH))),
        *(Completion(word, "attribute") for word in _LL_KERNEL_ATTRIBUTES),
    )


def _passes() -> Iterator[Completion]:
    """The passes that a pipeline may contain, including those of plug-ins, and analyses to
    print."""
    for row in rows().values():
        if row.implemented and row.kind == "pass":
            yield Completion(row.name, "pass", describe(row.name))
    for name in ADAPTORS:
        yield Completion(f"{name}(", "pass", "a nested pipeline")
    for name in ANALYSES:
        yield Completion(f"print<{name}>", "analysis", "prints an analysis")


def completions(document: Document, line: int, column: int) -> list[Completion]:
    """The words that start with the word before the cursor; line and column count from 0."""
    if not 0 <= line < len(document.lines):
        return []
    before = document.lines[line][:column]
    pipeline = _PIPELINE.search(before)
    if pipeline is not None:
        start = re.split(r"[,(]", pipeline[1])[-1]
        return [word for word in _passes() if word.text.startswith(start)]
    match = _WORD.search(before)
    start = match[0] if match is not None else ""
    return [word for word in _words(document, line, start) if word.text.startswith(start)]


def _words(document: Document, line: int, start: str) -> Iterator[Completion]:
    is_ll = document.kind == "ll"
    if start.startswith(("%", "^")):
        for name in document.names_at(line):
            yield Completion(name, "value")
    elif start.startswith("@"):
        for name in document.symbols():
            yield Completion(name, "symbol")
        if is_ll:
            declared = document.symbols()
            for name in all_intrinsics():
                if f"@{name}" not in declared:
                    yield Completion(f"@{name}", "intrinsic")
    elif start:
        yield from _ll_words() if is_ll else _mlir_words()


TOKEN_KINDS: Final = (
    "comment",
    "string",
    "function",
    "variable",
    "type",
    "keyword",
    "number",
    "macro",
)
"""Kinds of words, by LSP's names of semantic token types; `macro` are attributes and metadata."""

_TYPE: Final = r"![\w.]+|\b(?:i[0-9]+|f16|bf16|f32|f64|ptr|void|half|bfloat|float|double|index)\b"
_TOKENS: Final = re.compile(
    r"(?P<comment>//.*|;.*)"
    r'|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<function>@[\w.$-]+)"
    r"|(?P<variable>[%^][\w.$-]+)"
    rf"|(?P<type>{_TYPE})"
    r"|(?P<macro>[#!][\w.]+)"
    r"|(?P<keyword>\b[A-Za-z_][\w.]*)"
    r"|(?P<number>-?\b(?:0x[0-9A-Fa-f]+|[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?)?)\b)"
)


def words_of(document: Document) -> Iterator[tuple[int, int, int, str]]:
    """The words of the text in order: line, column, length and kind."""
    for number, text in enumerate(document.lines):
        # `;` starts a comment in LLVM assembly only, `//` in MLIR only.
        for match in _TOKENS.finditer(text):
            kind = match.lastgroup
            if kind == "comment" and match[0].startswith(";") != (document.kind == "ll"):
                continue
            if kind is not None:
                yield number, match.start(), len(match[0]), kind
