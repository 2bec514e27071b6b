from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.driver import toolkit
from nvvm_xdsl.driver.cuda import assemble_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError


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
def test_path_has_the_lowest_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    make_toolkit(tmp_path)
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert toolkit.find_ptxas() == tmp_path / "bin" / "ptxas"
    assert toolkit.find_libdevice() is None


@pytest.mark.usefixtures("no_packages")
def test_no_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert toolkit.find_ptxas() is None
    assert toolkit.main(["ptxas"]) == 1
    assert "nvvm-xdsl[cuda]" in capsys.readouterr().err


def test_the_environment_takes_precedence_over_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    make_toolkit(tmp_path / "cu13")
    make_toolkit(tmp_path / "home")
    make_toolkit(tmp_path / "cuda")
    monkeypatch.setattr(toolkit, "_package_roots", lambda: iter([tmp_path / "cu13"]))
    monkeypatch.setattr(toolkit, "DEFAULT_ROOT", tmp_path / "cuda")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    assert toolkit.find_ptxas() == tmp_path / "home" / "bin" / "ptxas"
    monkeypatch.delenv("CUDA_HOME")
    assert toolkit.find_ptxas() == tmp_path / "cu13" / "bin" / "ptxas"


@pytest.mark.usefixtures("no_packages")
def test_the_newest_installed_toolkit_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for version in ("13.9", "13.10", "12.8"):
        make_toolkit(tmp_path / f"cuda-{version}")
    monkeypatch.setattr(toolkit, "DEFAULT_ROOT", tmp_path / "cuda")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    assert toolkit.find_ptxas() == tmp_path / "cuda-13.10" / "bin" / "ptxas"


def fake_ptxas(folder: Path, script: str) -> Path:
    program = folder / "ptxas"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def test_the_release_of_ptxas(tmp_path: Path):
    script = """case $1 in
--version) echo "Cuda compilation tools, release 13.5, V13.5.37";;
--list-version) printf "8.8\\n9.5\\n9.4\\n";;
esac"""
    assert toolkit.release_of(fake_ptxas(tmp_path, script)) == toolkit.Release("13.5.37", 95)


def test_a_ptxas_without_a_release(tmp_path: Path):
    assert toolkit.release_of(fake_ptxas(tmp_path, "exit 1")) is None
    assert toolkit.release_of(tmp_path / "missing") is None


def test_ptx_that_is_too_new_for_ptxas(tmp_path: Path):
    script = """case $1 in
--version) echo "release 13.0, V13.0.88";;
--list-version) echo 9.0;;
*) echo "Unsupported .version" >&2; exit 1;;
esac"""
    command = [str(fake_ptxas(tmp_path, script))]
    with pytest.raises(
        DiagnosticError,
        match=r"needs version 9\.4, and ptxas 13\.0\.88 reads versions up to 9\.0: install",
    ):
        assemble_ptx(".version 9.4\n.target sm_107\n", command)
    with pytest.raises(DiagnosticError) as caught:
        assemble_ptx(".version 9.0\n.target sm_90\n", command)
    assert "install" not in caught.value.message
