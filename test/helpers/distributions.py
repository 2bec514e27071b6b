"""Builds the distributions of this project and installs the wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_BUILD = "import sys; from setuptools import build_meta; build_meta.{}(sys.argv[1])"


def tracked_files() -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files"]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()


def built(function: str, folder: Path) -> Path:
    """Calls `function` of setuptools' build backend in a copy of the tracked files, and returns the file that it
    leaves in `folder`."""
    checkout = folder / "checkout"
    for name in tracked_files():
        target = checkout / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target, follow_symlinks=False)
    result = folder / function
    result.mkdir()
    subprocess.run(
        [sys.executable, "-c", _BUILD.format(function), str(result)],
        cwd=checkout,
        capture_output=True,
        check=True,
    )
    shutil.rmtree(checkout)
    (found,) = result.iterdir()
    return found


def installed(wheel: Path, folder: Path) -> Path:
    """Installs `wheel` with pip in a new environment without a network, and returns the folder of its programs.

    Packages that this project depends on are those of the running interpreter: a `.pth` file names their folder,
    whose own `.pth` files, among them that of an editable installation, are not read.
    """
    pytest.importorskip("ensurepip")
    environment = folder / "environment"
    subprocess.run(
        [sys.executable, "-m", "venv", str(environment)], capture_output=True, check=True
    )
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    install = ["-m", "pip", "install", "--no-deps", "--no-index", "--quiet", str(wheel)]
    subprocess.run([str(programs / "python"), *install], capture_output=True, check=True)
    return programs
