"""`nvvm-tv`: verdicts, counterexamples and exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("z3")

from nvvm_xdsl.tools import nvvm_tv

ORIGINAL = "define i32 @f(i32 noundef %a) {\n  %x = ashr i32 %a, 3\n  ret i32 %x\n}\n"
LOOP = """
define i32 @f(i32 %n) {
  br label %h
h:
  %i = phi i32 [0, %0], [%j, %h]
  %j = add i32 %i, STEP
  %c = icmp ult i32 %j, %n
  br i1 %c, label %h, label %e
e:
  ret i32 RESULT
}
"""


def run(tmp_path: Path, before: str, after: str | None, *words: str) -> int:
    """Returns the exit status of the tool on two files."""
    names: list[str] = []
    for name, text in (("before.ll", before), ("after.ll", after)):
        if text is not None:
            (tmp_path / name).write_text(text)
            names.append(str(tmp_path / name))
    return nvvm_tv.main([*names, *words])


def test_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path, ORIGINAL, ORIGINAL) == 0
    assert capsys.readouterr().out == "@f: proved\n"


def test_refuted_and_confirmed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run(tmp_path, ORIGINAL, ORIGINAL.replace("ashr", "lshr")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "@f: refuted"
    assert lines[1].startswith("  %a = ")
    before, after = (line.rpartition(" ")[2] for line in lines[2:4])
    assert before != after
    assert len(lines) == 4


def test_refuted_and_not_confirmed(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = ORIGINAL.replace("noundef ", "")
    changed = text.replace("ashr", "ashr exact")
    assert run(tmp_path, text, changed) == 1
    assert "not confirmed by the simulator" in capsys.readouterr().out


def test_unsupported(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = (
        "declare float @llvm.sin.f32(float)\n"
        "define float @f(float %a) {\n  %x = call float @llvm.sin.f32(float %a)\n  ret float %x\n}\n"
    )
    assert run(tmp_path, text, text.replace("ret float %x", "ret float %a")) == 3
    assert capsys.readouterr().out == "@f: not supported: llvm.intr.sin\n"


def test_bounded(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    # Induction needs the fact that the counter is not negative.
    before = LOOP.replace("STEP", "1").replace("RESULT", "%j")
    after = before.replace("%j = add i32 %i, 1", "%j = add nuw i32 %i, 1")
    assert run(tmp_path, before, after, "--unroll", "2") == 3
    assert capsys.readouterr().out == "@f: proved for at most 2 iterations of all loops only\n"


def test_passes_and_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = "define i32 @f(i32 %a) {\n  %x = mul i32 %a, 8\n  ret i32 %x\n}\n"
    assert run(tmp_path, text, None, "-p", "instcombine") == 0
    assert run(tmp_path, text, None, "-p", "instcombine", "--function", "f") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected either AFTER, --passes or a level such as -O3"),
        (("-p", "dce", "-O3"), "expected either AFTER, --passes or a level such as -O3"),
        (("-p", "dce", "--function", "none"), "the modules have no function in common"),
    ],
)
def test_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
):
    assert run(tmp_path, ORIGINAL, None, *words) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("%x = icmp ult i32 %a, 1", "%x = icmp samesign ult i32 %a, 1", "icmp samesign"),
        ("%x = icmp ult i32 %a, 1\n  call void @g()", "%x = icmp ult i32 %a, 1\n  call void @g() noreturn", "call void @g() noreturn"),
    ],
)  # fmt: skip
def test_dropped_facts_are_not_supported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, text: str
):
    modules = [
        f"declare void @g()\ndefine i1 @f(i32 %a) {{\n  {body}\n  ret i1 %x\n}}\n"
        for body in (before, after)
    ]
    assert run(tmp_path, modules[0], modules[1]) == nvvm_tv.UNDECIDED
    assert (
        capsys.readouterr().out
        == f"@f: not supported: the reader of LLVM assembly ignores `{text}`\n"
    )


def test_rounding_modes_are_not_supported(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    name = "@llvm.experimental.constrained.fsub.f32"
    modes = 'metadata !"round.dynamic", metadata !"fpexcept.strict"'
    call = f"call float {name}(float %a, float 0.0, {modes})"
    before = (
        f"define float @f(float noundef %a) {{\n  %x = {call}\n  ret float %x\n}}\n"
        f"declare float {name}(float, float, metadata, metadata)\n"
    )
    assert run(tmp_path, before, before) == nvvm_tv.UNDECIDED
    assert (
        capsys.readouterr().out
        == f"@f: not supported: the reader of LLVM assembly ignores `{name}`\n"
    )


def test_undef_bits_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    before = "define i8 @f(i8 %a) {\n  %x = shl i8 %a, 1\n  ret i8 %x\n}\n"
    assert run(tmp_path, before, before.replace("shl i8 %a, 1", "add i8 %a, %a")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "with undef bits 0x" in lines[1]
    assert lines[2] == "  not confirmed by the simulator: an argument has undef bits"
