"""The Python of docs/integrations.md runs, each block separately."""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
from pathlib import Path

import pytest
from helpers.assembling import needs_libdevice

from nvvm_xdsl.tools import nvvm_run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "integrations.md").read_text()
BLOCKS = dict(re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```python\n(.*?)^```$", PAGE, re.M | re.S))


def test_each_client_has_a_block():
    assert list(BLOCKS) == ["Numba", "Triton", "Callers of libNVVM"]


def test_callers_of_libnvvm(capsys: pytest.CaptureFixture[str]):
    exec(BLOCKS["Callers of libNVVM"], {})
    assert ".visible .entry answer(" in capsys.readouterr().out


@needs_libdevice
@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="numba-cuda is not installed (extra `numba`)",
)
def test_numba(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    try:
        exec(BLOCKS["Numba"], {})
    finally:
        importlib.import_module("nvvm_xdsl.integrations.numba").uninstall()
    ptx = capsys.readouterr().out
    assert re.search(r"\.visible \.entry \w*saxpy", ptx)
    (tmp_path / "saxpy.ptx").write_text(ptx)
    monkeypatch.chdir(tmp_path)
    (command,) = re.findall(r"^    (nvvm-run saxpy\.ptx (?:.*\\\n)*.*)$", PAGE, re.M)
    assert nvvm_run.main(shlex.split(command.replace("\\\n", " "))[1:]) == 0
    # 2 i + 1
    assert capsys.readouterr().out.startswith("[ 1.,  3.,  5.,  7.,")


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="Triton is not installed (extra `triton`)"
)
def test_triton():
    ours = importlib.import_module("nvvm_xdsl.integrations.triton")
    try:
        exec(BLOCKS["Triton"], {})
        backend = importlib.import_module("triton.backends.nvidia.compiler").CUDABackend
        assert backend.make_ptx.__module__ == ours.__name__
    finally:
        ours.uninstall()


@pytest.mark.parametrize(("name", "package"), [("numba", "numba-cuda"), ("triton", "Triton")])
def test_a_missing_client_is_reported(name: str, package: str, monkeypatch: pytest.MonkeyPatch):
    client = importlib.import_module(f"nvvm_xdsl.integrations.{name}")

    def missing(module: str) -> None:
        raise ImportError(f"no {module}")

    monkeypatch.setattr(client.importlib, "import_module", missing)
    with pytest.raises(ImportError, match=rf"^{package} is not installed \(pip install "):
        client.install()
