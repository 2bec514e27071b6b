"""The commands of docs/first-hour.md, in order, in a folder with its kernels."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from helpers.distributions import built, installed

from nvvm_xdsl.driver import cuda

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "first-hour.md").read_text()
_BLOCK = re.compile(r"^```cuda\n(.*?)^```$", re.M | re.S)


def commands() -> list[tuple[str, list[str]]]:
    """Returns each command with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in _BLOCK.sub("", PAGE).splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
    return found


def test_extras_of_the_installation_command_exist():
    """The command names this package and extras that exist; an installation from an index is no test."""
    (line,) = re.findall(r"^    pip install '(.*)'$", PAGE, re.M)
    found = re.fullmatch(r"([\w-]+)\[([\w,]+)\]", line)
    assert found is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert found[1] == project["name"]
    assert set(found[2].split(",")) <= set(project["optional-dependencies"])


needs_clang = pytest.mark.skipif(
    not any(map(shutil.which, cuda.CLANGS)), reason="clang was not found"
)


@needs_clang
@pytest.mark.slow
def test_the_page_with_an_installed_wheel(tmp_path: Path):
    """The wheel contains all files that the commands read, and its programs start."""
    programs = installed(built("build_wheel", tmp_path), tmp_path)
    folder = tmp_path / "work"
    folder.mkdir()
    code = "import nvvm_xdsl; print(nvvm_xdsl.__file__)"
    found = subprocess.run(
        [str(programs / "python"), "-c", code],
        cwd=folder,
        env=_without_python_path(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()).is_relative_to(programs.parent)
    run_page(folder, programs)


def _without_python_path() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def run_page(folder: Path, programs: Path) -> None:
    """Runs the commands of the page in `folder`, with the programs of an installation."""
    kernels = _BLOCK.findall(PAGE)
    for name, text in zip(("slow.cu", "fast.cu"), kernels, strict=True):
        (folder / name).write_text(text)
    environment = _without_python_path()
    environment["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    seen = commands()
    assert len(seen) == 12
    for number, (command, shown) in enumerate(seen):
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        output = done.stdout + done.stderr
        is_error = any("error:" in line for line in shown)
        assert (done.returncode != 0) == is_error, f"{command}\n{output}"
        rest = output
        for line in shown:
            assert line in rest, f"{number}: {command}: '{line}' is missing in\n{rest}"
            rest = rest.partition(line)[2]
        if not shown:
            assert "error" not in output
