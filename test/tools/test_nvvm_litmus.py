"""`nvvm-litmus`: outcomes, conditions, published answers and exit statuses."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.tools import nvvm_litmus

ROOT = Path(__file__).resolve().parents[2]
MP = ROOT / "examples" / "litmus" / "mp.litmus"


def test_outcomes_and_condition(capsys: pytest.CaptureFixture[str]):
    assert nvvm_litmus.main([str(MP)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "MP: 3 outcomes",
        "  P1:r0=0 P1:r1=0",
        "  P1:r0=0 P1:r1=1",
        "  P1:r0=1 P1:r1=1",
        "MP: ~exists (P1:r0 == 1 /\\ P1:r1 == 0): holds",
    ]


def test_condition_that_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "mp.litmus"
    file.write_text(MP.read_text().replace("acquire", "relaxed"))
    assert nvvm_litmus.main(["--quiet", str(MP), str(file)]) == nvvm_litmus.FAILED
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["holds", "does not hold"]


def test_published_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "mp.litmus").write_text(MP.read_text())
    (tmp_path / "bad.litmus").write_text("PTX bad\n")
    table = tmp_path / "answers.csv"
    table.write_text("mp.litmus,1\n")
    words = ["--published", str(table), "--root", str(tmp_path)]
    assert nvvm_litmus.main(words) == 0
    assert capsys.readouterr().out == "1 of 1 agree\n"
    table.write_text("mp.litmus,0\nbad.litmus,1\n")
    assert nvvm_litmus.main(words) == nvvm_litmus.FAILED
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mp.litmus: holds, published: does not hold"
    assert "error: expected initial values" in lines[1]
    assert lines[-1] == "0 of 2 agree"


def test_tests_of_mixedproxy(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "surface.test"
    file.write_text(
        ".global x;\n.surfref s virtually aliases x;\n"
        "d0.b0.t0 { sust [s], 1; $0 ld r0, [x]; }\nassert (r0 == 1) as surface;\n"
        "$$\nfence.proxy.surface;\n \n|\n"
    )
    assert nvvm_litmus.main(["--quiet", str(file)]) == 2
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == f"{file}: 1 of 2 conditions hold"


def test_module_and_its_ptx(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    text = MP.with_suffix(".ll").read_text()
    assert nvvm_litmus.main(["--lower", "sm_90", str(MP.with_suffix(".ll"))]) == 0
    assert "the PTX for sm_90 has 2 outcomes, 0 added" in capsys.readouterr().out
    file = tmp_path / "weak.ll"
    file.write_text(text.replace("acquire", "monotonic"))
    assert nvvm_litmus.main([str(file)]) == nvvm_litmus.FAILED
    assert "flag=1 value=undef" in capsys.readouterr().out
    comments = [line.replace(";", "//", 1) for line in text.splitlines()[:3]]
    ptx = tmp_path / "mp.ptx"
    ptx.write_text("\n".join([*comments, compile(text, arch="sm_90")]))
    assert nvvm_litmus.main([str(ptx)]) == 0
    assert "flag=1 value=1" in capsys.readouterr().out
    file.write_text(text.replace("threads", "thread"))
    assert nvvm_litmus.main([str(file)]) == 1
    assert "expected a comment that places the threads" in capsys.readouterr().err
    file.write_text(text.replace("| P1@cta", "| P1@block"))
    assert nvvm_litmus.main([str(file)]) == 1
    assert "weak.ll:2:" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected a file"),
        (["missing.litmus"], "missing.litmus"),
        (["--loop-bound", "-1", str(MP)], "must not be negative"),
        (["--published", str(MP)], "expected FILE,0 or FILE,1"),
        (
            ["--published", str(MP), str(MP)],
            "cannot be combined with FILE: its table names the files",
        ),
    ],
)
def test_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert nvvm_litmus.main(words) == 1
    assert message in capsys.readouterr().err


def test_examples_of_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(ROOT)
    lines = [line for line in nvvm_litmus.EPILOG.splitlines() if line.startswith("  nvvm-litmus")]
    assert len(lines) >= 3
    for line in lines:
        words = shlex.split(line)[1:]
        if "--published" in words:
            continue  # needs a folder of the user
        files = [str(f) for w in words if "*" in w for f in list(ROOT.glob(w))[:3]]
        assert nvvm_litmus.main([w for w in words if "*" not in w] + files) == 0
    assert "holds" in capsys.readouterr().out
