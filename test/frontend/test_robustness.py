"""Every input gives a module or an error: nonsense, truncated files, size."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from nvvm_xdsl.frontend.ll_reader import ParseError, read_ll

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SOURCES = [
    *sorted((HERE / "language").glob("*.ll")),
    HERE / "typed_pointers.ll",
    ROOT / "examples" / "saxpy.ll",
    ROOT / "examples" / "switch.O0.ll",
]
PIECES = re.compile(r'\s+|[-\w.$%@!#"]+|.', re.DOTALL)
NOISE = '\x00"%@!(){}[]<>,=*0123456789abc \n\\é;'
DEEP = 10_000


def outcome(text: str) -> str:
    """Returns "read", or the error; any other exception fails the test."""
    try:
        read_ll(text, "k.ll")
    except ParseError as caught:
        error = caught
    else:
        return "read"
    assert error.line is not None
    assert error.render()
    return error.message


@pytest.mark.parametrize("seed", range(20))
def test_mutated(seed: int):
    chance = random.Random(seed)
    texts = [PIECES.findall(path.read_text()) for path in SOURCES]
    words = sorted({word for text in texts for word in text})
    for _ in range(60):
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
                    del text[at + 1 :]
            if not text:
                break
        outcome("".join(text))


@pytest.mark.slow
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_truncated_anywhere(path: Path):
    text = path.read_text()
    for end in range(0, len(text), max(1, len(text) // 60)):
        outcome(text[:end])


DEEPLY_NESTED = {
    "arrays": "@g = global " + "[1 x " * DEEP + "i32" + "]" * DEEP + " zeroinitializer",
    "structs": "@g = global " + "{ " * DEEP + "i32" + " }" * DEEP + " zeroinitializer",
    "pointers": "@g = global i32" + "*" * DEEP + " null",
    "functions": "declare void" + " ()*" * DEEP + " @f()",
    "named types": "".join(f"%t{i} = type {{ %t{i + 1} }}\n" for i in range(DEEP))
    + f"%t{DEEP} = type i32\n@g = global %t0 zeroinitializer",
    "named types from the innermost": "%t0 = type { i32 }\n"
    + "".join(f"%t{i} = type {{ [2 x %t{i - 1}] }}\n" for i in range(1, DEEP)),
    "expressions": "@g = global i64 " + "add (i64 1, i64 " * DEEP + "1" + ")" * DEEP,
    "addresses": "@g = global ptr " + "getelementptr (i8, ptr " * DEEP + "@g" + ", i64 1)" * DEEP,
    "constants": "@g = global i32 " + "{" * DEEP,
    "metadata": "!0 = " + "!{" * DEEP + "}" * DEEP,
    "debug information": "!0 = " + "!DILocation(line: 1, scope: " * DEEP,
}


@pytest.mark.parametrize("name", DEEPLY_NESTED)
def test_deep_nesting_is_an_error(name: str):
    message = outcome(DEEPLY_NESTED[name])
    assert message == "nested deeper than 100 levels" or name == "constants"
    assert message != "read"


def test_deeply_nested_metadata_chains_are_accepted():
    """Metadata nodes that refer to each other are followed only as needed."""
    scopes = "".join(
        f"!{i} = !DILocation(line: 1, column: 1, scope: !{i + 1}, inlinedAt: !{i + 1})\n"
        for i in range(DEEP)
    )
    text = f"define void @f() {{\n  ret void, !dbg !0\n}}\n{scopes}!{DEEP} = !{{}}\n"
    assert outcome(text) == "read"


MEGABYTES = 4_000_000

LONG_LINES = {
    "a word": "a" * MEGABYTES,
    "parentheses": "(" * MEGABYTES,
    "white space": " " * MEGABYTES,
    "a comment": ";" + "x " * (MEGABYTES // 2),
    "a string": 'source_filename = "' + "x " * (MEGABYTES // 2) + '"',
    "half a string": 'source_filename = "' + "x " * (MEGABYTES // 2),
    "a number": "define i32 @f() { ret i32 " + "1" * MEGABYTES,
    "a name": "define void @f() { br label %" + "9" * MEGABYTES,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG_LINES)
def test_a_very_long_line(name: str):
    outcome(LONG_LINES[name])


HUGE = {
    "vector": "@g = global <4294967295 x i32> zeroinitializer",
    "splat": "@g = global <4294967295 x i32> splat (i32 1)",
    "array": "@g = global [99999999999999999 x i32] zeroinitializer",
    "array stored": "define void @f(ptr %p) {\n  store [99999999999 x i32] zeroinitializer, ptr %p\n  ret void\n}",
    "integer": "@g = global i8388607 5",
    "exponent": "@g = global double 1.0e" + "9" * 100_000,
    "alignment": "@g = global i32 0, align " + "9" * 39,
    "space": "@g = addrspace(" + "9" * 39 + ") global i32 0",
    "node": "define void @f() {\n  ret void, !dbg !" + "9" * 10_000 + "\n}",
    "layout": 'target datalayout = "e-p:0:0-i64:0:0-i9999999999999:8-v:-a:x"\n@g = global i64 0',
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_numbers(name: str):
    outcome(HUGE[name])


def test_a_long_table():
    count = 300_000
    values = ", ".join(f"i32 {i}" for i in range(count))
    module = read_ll(f"@g = constant [{count} x i32] [{values}], align 4")
    (op,) = module.body.block.ops
    data = op.properties["value"].get_values()
    assert len(data) == count
    assert data[-1] == count - 1


@pytest.mark.parametrize("garbage", [bytes(range(256)) * 10, b"\x7fELF\x02\x01\x01", b"\xff" * 100])
def test_binary(garbage: bytes):
    assert outcome(garbage.decode("utf-8", "surrogateescape")) != "read"
