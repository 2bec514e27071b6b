"""Finds unclear sentences in docstrings, comments and pages.

    python -m dev.prose [FILE or FOLDER ...]

Prints each sentence that matches a pattern of `FORBIDDEN` with the reason. `docs/glossary.md` lists the
standard terms to use instead.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

FORBIDDEN: Final[dict[str, str]] = {
    "a clause with 'what': use a noun": (
        r"\b[Ww]hat (?!if\b|follows\b)(?:\w+ ){0,4}?(?:is|are|was|were|has|have|does|do|takes?|makes?|comes?|goes|"
        r"stands?|leaves?|left|reads?|may|can|must|says?|holds?|needs?|there)\b"
    ),
    "no main clause": r"^(?:Of (?:which|what|how)|Those (?:of|that)|That which|Where the variables)\b",
    "'round': use iteration": (
        r"\b(?:a|each|every|one|first|last|next|per|of|many|same|later|another|in|all) rounds?\b"
        r"(?! (?:to|towards|half|up|down|of (?:AES|SHA)))"
    ),
    "'way': use path, predecessor or edge": (
        r"\bways? (?:through|into|back|out|by which|that (?:come|lead|go|bring))\b"
        r"|\b(?:every|each|either|both|all) ways?\b(?! (?:to|of|in which)\b)"
    ),
    "'meet': use reconverge or synchronize": (
        r"\bthreads? (?:\w+ ){0,2}meets?\b|\bmeetings?\b|\bmeets? again\b"
    ),
    "'stand': use is, appears or precedes": (
        r"\bstands? (?:still|in front|behind|there|here|beside|at the end|alone|in)\b|\bwhere it stands\b"
    ),
    "'told': use reported or passed": r"\b(?:is|are|be|was|were) (?:not |never |also )?told\b",
    "'who' for a program: use caller or user": (
        r"\b(?:whoever|who) (?:asks|calls|reads|writes|wants|uses|makes|takes|needs)\b"
    ),
    "a chain of pronouns": (
        r"\b(?:it|them|they|that|those|these|this) (?:is|are|of|that|which) "
        r"(?:it|them|they|that|those|these|what|one|ones)\b"
    ),
    "'in front of' a block or op: use before": r"\bin front of\b",
    "'anew': use again, or name the new object": r"\banew\b",
    "'nobody' for an absent user": r"\b(?:nobody|somebody|anybody) (?:asks|reads|uses|looks|needs|writes|calls)\b",
    "'made of': use operands or expression": r"\b(?:is|are|be) made of (?:it|them|those|what)\b",
    "'has it' for a program: use 'as in LLVM'": (
        r"\bas (?:LLVM|MLIR|xDSL|clang|libNVVM|cicc|Numba|Triton)(?:'s \w+)? has (?:it|them)\b"
    ),
    "'what errors call': use name": r"\bwhat (?:errors|messages|locations|the tools) calls?\b",
    "'is no X': use is not a X": r"\b(?:that|text|which) is no (?:number|constant|statement|operand|file|cubin)\b",
    "'where there is none': use if": r"\bwhere there (?:is|are) none\b",
    "'behind' an op or block: use after": r"\bbehind (?:it|them|the (?:loop|branch|block|op|barrier|call|store|load))\b",
}
"""Patterns by the advice that is printed for them."""

_COMPILED = {advice: re.compile(pattern) for advice, pattern in FORBIDDEN.items()}
_NOT_PROSE = re.compile(r"(?m)^ {6,}.*$|^\s*[%^@{}|].*$|`[^`]*`")
"""Examples, tables and code."""


ROOTS: Final = (
    "nvvm_xdsl",
    "docs",
    "dev",
    "bench",
    "examples",
    "test",
    "README.md",
    "CONTRIBUTING.md",
)
"""The checked files and folders of the project."""

MARKS: Final = {".mlir": "//", ".ptx": "//", ".cu": "//", ".h": "//", ".ll": ";"}
"""The start of a comment by suffix, for files of which only comments are read."""

_DIRECTIVE = re.compile(r"[/; ]*[A-Z][A-Z0-9_-]*:")
"""A line of lit or FileCheck, such as `RUN:` and `CHECK-NEXT:`."""


_STRING_OR_COMMENT = re.compile(
    r"(?s:(?P<long>\"{3}|'{3})(?:\\.|.)*?(?P=long))"
    r"|(?P<short>[\"'])(?:\\.|(?!(?P=short))[^\\\n])*(?P=short)"
    r"|#[^\n]*"
)
"""Python's strings, which may contain `#`, and comments."""


class Finding(NamedTuple):
    """An unclear sentence."""

    path: Path
    line: int
    sentence: str
    advice: str


def _docstrings(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The strings that are statements at or below a statement, with their lines."""
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from _docstrings(child)


def _python_comments(source: str) -> Iterator[tuple[int, str]]:
    """The comments of Python code with their lines."""
    line, end = 1, 0
    for token in _STRING_OR_COMMENT.finditer(source):
        if token[0].startswith("#"):
            line += source.count("\n", end, token.start())
            end = token.start()
            yield line, token[0].lstrip("# ")


def _line_comments(source: str, mark: str) -> Iterator[tuple[int, str]]:
    """The comments that start with a mark, without lines of lit and FileCheck."""
    for number, line in enumerate(source.splitlines(), 1):
        _, found, text = line.partition(mark)
        if found and not _DIRECTIVE.match(text):
            yield number, text.lstrip("/; ")


def _blocks(comments: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Comments of consecutive lines as one text, with their first lines."""
    block: list[str] = []
    first = last = 0
    for line, text in comments:
        if block and line != last + 1:
            yield first, " ".join(block)
            block = []
        if not block:
            first = line
        block.append(text)
        last = line
    if block:
        yield first, " ".join(block)


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file with their first lines.

    These are docstrings and comments of Python, comments of the files in `MARKS`, and all of a page.
    """
    source = path.read_text()
    if path.suffix in MARKS:
        yield from _blocks(_line_comments(source, MARKS[path.suffix]))
    elif path.suffix == ".py":
        yield from _docstrings(ast.parse(source))
        yield from _blocks(_python_comments(source))
    else:
        yield 1, re.sub(r"(?ms)^```.*?^```$", "", source)


def sentences(text: str) -> list[str]:
    """The sentences of a text that have at least four words, without code."""
    found: list[str] = []
    for paragraph in re.split(r"\n\s*\n", _NOT_PROSE.sub("x", text)):
        parts = re.split(r"(?<=[.:;]) +(?=[A-Z])", " ".join(paragraph.split()))
        found += (part for part in parts if len(part.split()) > 3)
    return found


def findings(path: Path) -> Iterator[Finding]:
    """The unclear sentences of a file, each once."""
    for line, text in texts(path):
        for sentence in sentences(text):
            advice = next((a for a, p in _COMPILED.items() if p.search(sentence)), None)
            if advice is not None:
                yield Finding(path, line, sentence, advice)


def prose_files(root: Path) -> list[Path]:
    """The Python files, pages and files of `MARKS` at or below a path."""
    suffixes = {".py", ".md", *MARKS}
    paths = [root] if root.is_file() else root.rglob("*")
    return sorted(p for p in paths if p.suffix in suffixes and p.is_file())


def main(paths: list[str]) -> int:
    """Prints the findings; returns 1 if there are any."""
    roots = [Path(p) for p in paths] or [Path(name) for name in ROOTS]
    found = [f for root in roots for path in prose_files(root) for f in findings(path)]
    for finding in found:
        print(f"{finding.path}:{finding.line}: {finding.advice}: {finding.sentence[:160]}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
