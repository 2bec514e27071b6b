"""Every PTX input gives a module or an error: nonsense, truncated files, depth, size."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError

HERE = Path(__file__).resolve().parent
SOURCES = [HERE / "language.ptx", HERE / "saxpy.ptx"]
PIECES = re.compile(r'\s+|[-\w.$%@!#"]+|.', re.DOTALL)
NOISE = '\x00"%@!(){}[]<>,=*0123456789abc \n\\é;:|._+-'
DEEP = 10_000
HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"


def outcome(text: str) -> str:
    """Returns "read", or the error; any other exception fails the test."""
    try:
        module = read_ptx(text, "k.ptx", locations=True)
        assert print_ptx(read_ptx(print_ptx(module))) == print_ptx(module)
        convert(module).verify()
    except DiagnosticError as caught:
        error = caught
    else:
        return "read"
    assert error.line is not None
    assert error.render()
    return error.message


def mutated(chance: random.Random, texts: list[list[str]], words: list[str]) -> str:
    """A text with a few words changed, dropped, added or swapped."""
    text = list(chance.choice(texts))
    for _ in range(chance.choice([1, 1, 2, 3, 8])):
        at = chance.randrange(len(text))
        match chance.randrange(6):
            case 0:
                text[at] = chance.choice(words)
            case 1:
                text.insert(at, chance.choice(words))
            case 2:
                del text[at : at + chance.randrange(1, 4)]
            case 3:
                other = chance.randrange(len(text))
                text[at], text[other] = text[other], text[at]
            case 4:
                text[at] = "".join(chance.choices(NOISE, k=chance.randrange(1, 6)))
            case _:
                if chance.randrange(4) == 0:
                    del text[at + 1 :]
        if not text:
            break
    return "".join(text)


@pytest.mark.parametrize("seed", range(10))
def test_mutated(seed: int):
    chance = random.Random(seed)
    texts = [PIECES.findall(path.read_text()) for path in SOURCES]
    words = sorted({word for text in texts for word in text})
    for _ in range(20):
        outcome(mutated(chance, texts, words))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_truncated_anywhere(path: Path):
    text = path.read_text()
    for end in range(0, len(text), max(1, len(text) // 40)):
        outcome(text[:end])


DEEPLY_NESTED = {
    "scopes": ".entry k() {" + "{" * DEEP + "}" * DEEP + "}",
    "braces of operands": ".entry k() { .reg .b32 r; mov.b32 r, " + "{" * DEEP + "; }",
    "parentheses": ".entry k() { .reg .b32 r; mov.b32 r, " + "(" * DEEP + "1" + ")" * DEEP + "; }",
    "signs": ".entry k() { .reg .b32 r; mov.b32 r, " + "-" * DEEP + "1; }",
    "questions": ".entry k() { .reg .b32 r; mov.b32 r, " + "1 ? " * DEEP + "1; }",
    "initializers": ".global .u32 a[1] = " + "{" * DEEP + "}" * DEEP + ";",
}


@pytest.mark.parametrize("what", DEEPLY_NESTED)
def test_deep(what: str):
    assert outcome(HEAD + DEEPLY_NESTED[what]) != "read"


def test_wide():
    registers = ".reg .b32 %r<1000000>;"
    lines = "".join(f"add.s32 %r{i + 1}, %r{i}, {i};\n" for i in range(2000))
    assert outcome(f"{HEAD}.entry k() {{ {registers} {lines} }}") == "read"


BIG = "9" * 5000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f".version 8.{BIG}\n.target sm_90\n", "expected '.version MAJOR.MINOR'"),
        (f"{HEAD}.global .b32 x = {BIG};\n", "of more than 64 bits"),
        (f"{HEAD}.global .bf16 .b8 x[1] = {{1}};\n", "expected a type"),
        (f"{HEAD}.entry k() .maxntid {BIG} {{ ret; }}\n", "is not a directive"),
        (f"{HEAD}.entry k() {{ .reg .u64 a; mov.u64 a, {BIG}; ret; }}\n", "of more than 64 bits"),
        (f"{HEAD}.entry k() {{ .reg .u64 a; mov.u64 a, 0x1{'0' * 16}; ret; }}\n", "than 64 bits"),
        (f"{HEAD}.entry k() {{ .reg .b128 a; .reg .u64 p; ld.u8 a, [p]; ret; }}\n", "is !nvptx.b128"),
        (f"{HEAD}.entry k() {{ .reg .b128 a; .reg .u64 p; st.u8 [p], a; ret; }}\n", "is !nvptx.b128"),
    ],
)  # fmt: skip
def test_numbers_and_registers_that_are_too_wide(text: str, message: str):
    assert message in outcome(text)


@pytest.mark.parametrize("number", ["18446744073709551615", "0xFFFFFFFFFFFFFFFF", f"0x{'0' * 80}1", "01777777777777777777777U"])  # fmt: skip
def test_numbers_of_64_bits(number: str):
    assert outcome(f"{HEAD}.entry k() {{ .reg .u64 a; mov.u64 a, {number}; ret; }}\n") == "read"
