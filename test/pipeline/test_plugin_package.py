"""The package of docs/plugins.md, installed and used as on the page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text()
TOOLS = Path(sys.executable).parent


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)
    return text


def run(words: str, cwd: Path, path: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs a shell command with a folder of installed packages."""
    environment = os.environ | {"PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    environment["PYTHONPATH"] = f"{ROOT}{os.pathsep}{path}"
    done = subprocess.run(
        words, shell=True, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


def install(site: Path, project: dict[str, Any], modules: dict[str, str]) -> None:
    """Writes the files that an installer creates for a package: its modules and metadata."""
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text)
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, entries in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder with the page's kernel, and the folder that its package is installed in."""
    folder, site = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("site")
    (folder / "kernel.mlir").write_text(block("mlir"))
    configuration = tomllib.loads(block("toml"))
    (module,) = configuration["tool"]["setuptools"]["py-modules"]
    install(site, configuration["project"], {module: block("python")})
    return folder, site


def test_the_commands_of_the_page(installed: tuple[Path, Path]):
    folder, target = installed
    text = "".join(line[4:] + "\n" for line in PAGE.splitlines() if line.startswith("    "))
    shown = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text.partition("$ pip")[2], re.M)
    assert len(shown) == 4
    for command, output in shown:
        assert run(command, folder, target).stdout.rstrip() == output.rstrip(), command


def test_misspelled_names_and_parameters(installed: tuple[Path, Path]):
    folder, target = installed
    reported = run("nvvm-opt kernel.mlir -p mul-to-shft", folder, target, 1).stderr
    assert "unknown pass 'mul-to-shft'; did you mean 'mul-to-shift'?" in reported
    reported = run("nvvm-opt kernel.mlir -p 'mul-to-shift<max-shft=3>'", folder, target, 1).stderr
    assert "invalid MulToShift pass parameter 'max-shft=3'; did you mean 'max-shift'?" in reported
    assert "\n             ^" in reported


BROKEN = """\
from dataclasses import dataclass
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.pipeline.plugins import Plugin

@dataclass(frozen=True)
class Broken(FunctionPass):
    "Fails."
    name = "broken-pass"

    def run_on_function(self, func, am):
        raise KeyError("surprise")

PLUGIN = Plugin(1, "broken-pass", (Broken,))
"""


def install_module(site: Path, module: str, text: str) -> None:
    entries = {"nvvm_xdsl.plugins": {"x": f"{module}:PLUGIN"}}
    install(site, {"name": module, "version": "1.0", "entry-points": entries}, {module: text})


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    (tmp_path / "kernel.mlir").write_text(block("mlir"))
    (tmp_path / "site").mkdir()
    return tmp_path


def test_the_line_of_the_plugin_is_reported(kernel: Path):
    """Also if a function that the pass calls raises the exception."""
    failing = "fast.replace_op(func.body.block.first_op, [])"
    text = BROKEN.replace('raise KeyError("surprise")', failing)
    text = "from nvvm_xdsl.ir import fast\n" + text
    install_module(kernel / "site", "broken", text)
    reported = run("nvvm-opt kernel.mlir -p broken-pass", kernel, kernel / "site", 1)
    assert "broken.py:12)" in reported.stderr


def test_a_failing_pass_in_nvvm_cc(kernel: Path):
    install_module(kernel / "site", "broken", BROKEN)
    reported = run("nvvm-cc kernel.mlir --crash-reproducer=crash.mlir", kernel, kernel / "site", 1)
    assert "pass 'broken-pass' failed on k: KeyError: 'surprise' (" in reported.stderr
    assert "broken.py:11); reproducer written to crash.mlir" in reported.stderr
    assert "Traceback" not in reported.stderr
    line = (kernel / "crash.mlir").read_text().partition("\n")[0]
    again = line.removeprefix("// RUN: ").replace("%s", "crash.mlir")
    reported = run(again, kernel, kernel / "site", 1)
    assert "pass 'broken-pass' failed on k: KeyError: 'surprise'" in reported.stderr


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import does_not_exist", "ModuleNotFoundError: No module named 'does_not_exist'"),
        ("PLUGIN = 3", "TypeError: expected a Plugin, or several, not int"),
        ("PLUGIN = ['x']", "TypeError: expected a Plugin, not str"),
        (BROKEN.replace("broken-pass", "dce"), "ValueError: the pass name 'dce' is taken"),
    ],
)
def test_a_plugin_that_cannot_be_loaded(kernel: Path, text: str, reason: str):
    install_module(kernel / "site", "unusable", text)
    message = (
        f"the plug-in 'x' (unusable:PLUGIN) of the package 'unusable' cannot be loaded: {reason}\n"
    )
    reported = run("nvvm-opt kernel.mlir -p dce", kernel, kernel / "site", 1)
    assert reported.stderr == f"error: {message}"
    if text == "PLUGIN = 3":
        # xDSL's own tools continue without it.
        reported = run("xdsl-opt kernel.mlir -p canonicalize", kernel, kernel / "site")
        assert reported.stderr == f"warning: {message}"
