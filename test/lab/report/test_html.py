"""The page's data equals that of the compilation, and cannot escape its element."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from nvvm_xdsl.driver.compile import compile as compile_to_ptx
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.report.compilation import NO_IR, Compilation, compile_recorded
from nvvm_xdsl.lab.report.html import data_of, page_of, script_safe
from nvvm_xdsl.tools import nvvm_view

EXAMPLES = Path(__file__).parents[3] / "examples"


@cache
def recorded(name: str) -> Compilation:
    return compile_recorded([str(EXAMPLES / name)], CompileOptions(arch="sm_90"))


def data_in(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def states(data: Any, function: str) -> list[str]:
    (column,) = [f for f in data["functions"] if f["name"] == function]
    lines: list[int] = []
    for _, _, edits, _ in column["cells"]:
        for start, removed, added in reversed(edits or []):
            lines[start : start + removed] = added
    return [data["lines"][number] for number in lines]


def test_counts_are_beside_the_lines_of_their_file():
    found = recorded("saxpy.debug.ll")
    file = next(line.file for line in found.history.lines if line.file)
    data = data_in(page_of(found, None, {file: {7: [32, 992, 0, 0, 1]}, "other.cu": {1: [1] * 5}}))
    assert data["executed"] == {str(data["files"].index(file)): {"7": [32, 992, 0, 0, 1]}}
    assert data_in(page_of(found))["executed"] == {}


@pytest.mark.parametrize("name", ["saxpy.debug.ll", "matmul.ll", "device_function.O0.ll"])
def test_the_data_is_complete(name: str):
    found = recorded(name)
    assert found.ptx == compile_to_ptx(EXAMPLES / name, arch="sm_90")
    data = data_in(page_of(found))
    assert data["title"].endswith(name)
    for function in data["functions"]:
        rows = [cell[0] for cell in function["cells"]]
        assert rows == sorted(set(rows))
        start, end = function["ptx"]
        for stage, flow in function["flows"].items():
            lines = states(data, function["name"]) if stage == "machine" else None
            for number, (name_, line, count, *_, edges) in enumerate(flow["blocks"]):
                assert count
                assert all(0 <= target < len(flow["blocks"]) for target, _ in edges)
                if lines is not None and number:
                    assert lines[line].startswith(f"^{name_}")
        for line, registers in function["pressure"]:
            assert start < line < end
            assert registers >= 0
        for _, line in function["code"]:
            # ptxas inlines the callee.
            assert -1 <= line < len(data["ptx"])


def test_locations_link_the_columns():
    data = data_of(recorded("saxpy.debug.ll"))
    (file,) = [n for n, name in enumerate(data["files"]) if name.endswith("saxpy.cu")]
    assert "y[i] = a * x[i] + y[i]" in data["sources"][file][7]

    def at(texts: str, files: str, numbers: str) -> list[str]:
        rows = zip(data[texts], data[files], data[numbers])
        return [text for text, *place in rows if place == [file, 8]]

    assert any("llvm.fmul" in text for text in at("lines", "lineFiles", "lineNumbers"))
    ptx = at("ptx", "ptxFiles", "ptxNumbers")
    assert any("fma.rn.f32" in text for text in ptx)
    assert not any(".loc" in text or ".file" in text for text in data["ptx"])
    code = data["functions"][0]["code"]
    if code:
        (product,) = [line for text, line in code if "FFMA" in text]
        assert "fma.rn.f32" in data["ptx"][product]


def test_text_cannot_end_the_script():
    text = '</script><!-- <script> "\u2028'
    safe = script_safe({"a": text})
    assert "<" not in safe
    assert "\u2028" not in safe
    assert json.loads(safe) == {"a": text}


def test_hostile_names_stay_text(tmp_path: Path):
    source = tmp_path / "<img src=x onerror=alert(1)>.ll"
    source.write_text('define void @"</script><b>"() {\n  ret void\n}\n; {{DATA}} </script>\n')
    page = page_of(compile_recorded([str(source)], CompileOptions()))
    assert page.count("</script>") == 2
    assert "<img" not in page
    data = data_in(page)
    assert any("</script>" in f["name"] for f in data["functions"])


def test_no_resource_is_loaded_from_outside():
    page = page_of(recorded("saxpy.debug.ll"))
    markup = re.sub(r'(?s)<script type="application/json".*?</script>', "", page)
    urls = set(re.findall(r"https?://[\w./-]+", markup))
    # The name of a language, which is not a URL to load.
    assert urls == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in markup


def test_a_pipeline_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    out = tmp_path / "k.html"
    assert nvvm_view.main([str(EXAMPLES / "scan.ll"), "history", "-p", "function(sroa,instcombine)", "-o", str(out), "--function", "compact"]) == 0  # fmt: skip
    data = data_in(out.read_text())
    assert [row[0] for row in data["rows"]] == ["input", "sroa", "instcombine"]
    assert data["start"] == "compact"
    assert data["ptx"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "k.svg"], "give -o a name that ends in .html"),
        (["--function", "x", "-o", "k.html"], "there is no function 'x'"),
    ],
)
def test_errors(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert nvvm_view.main([str(EXAMPLES / "saxpy.ll"), "history", *arguments]) == 1
    assert message in capsys.readouterr().err


def test_machine_code_is_included(tmp_path: Path):
    source = tmp_path / "k.ptx"
    source.write_text(recorded("saxpy.debug.ll").ptx)
    found = compile_recorded([str(source)], CompileOptions())
    data = data_in(page_of(found))
    assert [f["name"] for f in data["functions"] if f["kernel"]] == ["saxpy"]
    assert data["functions"][0]["pressure"]
    assert data["arch"] == "sm_90"
    assert found.costs.notes == [NO_IR, *recorded("saxpy.debug.ll").costs.notes]
