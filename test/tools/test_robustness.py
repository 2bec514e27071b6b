"""No input gives a traceback: the tools report an error and exit with 1."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers import lit_format
from hypothesis import given, settings
from hypothesis import strategies as st

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
NAMES = ("saxpy.ll", "struct_argument.O0.ll", "switch.ll", "half.ll", "inline_asm.O0.ll")
TEXTS = {name: (EXAMPLES / name).read_text() for name in NAMES}

_TOKEN = re.compile(r"[\w.]+|[%@!#]\S+|\S")
WORDS = sorted({token for text in TEXTS.values() for token in _TOKEN.findall(text)})


def run(data: bytes, *arguments: str) -> str:
    """Compiles standard input; returns the text on standard error."""
    status, _, err = lit_format.call_tool("nvvm-cc", ["-", "-arch", "sm_80", *arguments], data)
    reported = err.decode()
    assert status in (0, 1), reported
    if status == 1:
        assert "error:" in reported
    return reported


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """An example with a few tokens dropped, duplicated, swapped or replaced, or truncated."""
    text = TEXTS[draw(st.sampled_from(NAMES))]
    for _ in range(draw(st.integers(1, 3))):
        spans = [m.span() for m in _TOKEN.finditer(text)]
        if not spans:
            break
        start, end = spans[draw(st.integers(0, len(spans) - 1))]
        match draw(st.sampled_from(["drop", "double", "replace", "replace", "cut", "exchange"])):
            case "drop":
                text = text[:start] + text[end:]
            case "double":
                text = f"{text[:end]} {text[start:end]}{text[end:]}"
            case "replace":
                text = text[:start] + draw(st.sampled_from(WORDS)) + text[end:]
            case "cut":
                text = text[:start]
            case _:
                other, after = spans[draw(st.integers(0, len(spans) - 1))]
                text = text[:start] + text[other:after] + text[end:]
    return text


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(mutated())
def test_mutated_examples(text: str):
    run(text.encode(), "-O1")


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes):
    run(data)


@pytest.mark.slow
@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=8))
def test_damaged_bitcode(position: int, patch: bytes):
    import llvmlite.binding as llvm

    data = bytearray(llvm.parse_assembly(TEXTS["saxpy.ll"]).as_bitcode())
    position %= len(data)
    data[position : position + len(patch)] = patch
    run(bytes(data))


def nested(opening: str, closing: str, depth: int = 100_000) -> str:
    return opening * depth + closing * depth


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "; only a comment\n",
        "define void @f() {",
        f"@g = global {nested('{', '}')} zeroinitializer",
        f"@g = global {nested('[1 x ', ']')}",
        f"@g = global i8 {nested('add (', ')')}",
        f"!0 = {nested('!{', '}')}",
        f"module {{ {nested('module {', '}')} }}",
        f'"builtin.module"() ({{ "x"() {{a = {nested("[", "]")} }} : () -> () }}) : () -> ()',
        "define void @f() {\n  %x = " + "a" * 1_000_000,
        "@" + "\\" * 1000,
        'target datalayout = "e-p:0:0:0-i64:3"\ndefine void @f() {\n  ret void\n}\n',
        'target triple = "x86_64-linux-gnu"\ndefine void @f() {\n  ret void\n}\n',
        "define i99999999 @f() {\n  ret i99999999 0\n}\n",
        "define void @f([99999999999999999999 x i32] %a) {\n  ret void\n}\n",
    ],
    ids=lambda text: text[:24].strip() or "empty",
)
def test_hard_inputs(text: str):
    run(text.encode())


@pytest.mark.parametrize("name", ["saxpy.ll", "switch.ll"])
def test_every_truncation(name: str):
    lines = TEXTS[name].splitlines(keepends=True)
    for count in range(0, len(lines), 3):
        run("".join(lines[:count]).encode(), "-O0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.ll"], "missing.ll: error: no such file or directory"),
        (["{folder}"], "is a directory"),
        (["{good}", "-arch", "sm_91"], "unknown target 'sm_91'"),
        (["{good}", "-ftz=2"], "expected 0 or 1, got '2'"),
        (["{good}", "-O7"], "unrecognized arguments"),
        (["{good}", "--libdevise=x"], "did you mean '--libdevice'"),
        (["{good}", "-arch=sm_80", "-o", "{folder}/no/such/a.ptx"], "no such file or directory"),
        (["{good}", "-arch=sm_80", "-o", "{folder}"], "is a directory"),
        (["{good}", "{good}"], "saxpy"),
        (["{empty}"], "the input is empty"),
        ([], "FILE"),
    ],
)
def test_error_messages(arguments: list[str], message: str, tmp_path: Path):
    (tmp_path / "empty.ll").write_text("")
    places = {
        "folder": str(tmp_path),
        "good": str(EXAMPLES / "saxpy.ll"),
        "empty": str(tmp_path / "empty.ll"),
    }
    filled = [argument.format(**places) for argument in arguments]
    status, out, err = lit_format.call_tool("nvvm-cc", filled)
    assert status == 1
    assert message in err.decode()
    assert err.decode().count("error: ") == 1
    assert out == b""


def test_an_error_does_not_change_the_output(tmp_path: Path):
    bad = tmp_path / "bad.ll"
    bad.write_text("define void @f() {\n  %x = frob i32 1\n  ret void\n}\n")
    output = tmp_path / "a.ptx"
    output.write_text("old")
    status, _, err = lit_format.call_tool("nvvm-cc", [str(bad), "-o", str(output)])
    assert status == 1
    assert output.read_text() == "old"
    assert err.decode().splitlines() == [
        f"{bad}:2:8: error: unknown instruction 'frob'",
        "  %x = frob i32 1",
        "       ^",
    ]
