from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.driver import toolkit


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolkit, "_package_roots", lambda: iter(()))
    monkeypatch.setattr(toolkit, "DEFAULT_ROOT", Path("/nonexistent"))
    monkeypatch.delenv("CUDA_PATH", raising=False)


def make_toolkit(root: Path) -> None:
    (root / "bin").mkdir(parents=True)
    (root / "bin" / "ptxas").write_text("#!/bin/sh\n")
    (root / "bin" / "ptxas").chmod(0o755)
    (root / "nvvm" / "libdevice").mkdir(parents=True)
    (root / "nvvm" / "libdevice" / "libdevice.10.bc").write_bytes(b"BC")


@pytest.mark.usefixtures("no_packages")
def test_cuda_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_toolkit(tmp_path)
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    assert toolkit.find_ptxas() == tmp_path / "bin" / "ptxas"
    assert toolkit.find_libdevice() == tmp_path / "nvvm" / "libdevice" / "libdevice.10.bc"


@pytest.mark.usefixtures("no_packages")
def test_path_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_toolkit(tmp_path)
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert toolkit.find_ptxas() == tmp_path / "bin" / "ptxas"
    assert toolkit.find_libdevice() is None


@pytest.mark.usefixtures("no_packages")
def test_nothing_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert toolkit.find_ptxas() is None
    assert toolkit.main(["ptxas"]) == 1
    assert "nvvm-xdsl[cuda]" in capsys.readouterr().err


def test_the_package_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_toolkit(tmp_path / "cu13")
    make_toolkit(tmp_path / "home")
    monkeypatch.setattr(toolkit, "_package_roots", lambda: iter([tmp_path / "cu13"]))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    assert toolkit.find_ptxas() == tmp_path / "cu13" / "bin" / "ptxas"
