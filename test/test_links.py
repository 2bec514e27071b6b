"""The symbolic links at the root of the repository: their modules are imported once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(
    not (ROOT / "passes").is_symlink(), reason="a source distribution has no links"
)

LINK_FIRST = """
import {link}
import {link}.{module} as through_link
import nvvm_xdsl.{link}
import nvvm_xdsl.{link}.{module} as real
assert {link} is nvvm_xdsl.{link}
assert through_link is real
assert real.__name__ == real.__spec__.name == "nvvm_xdsl.{link}.{module}"
assert {link}.__spec__.name == "nvvm_xdsl.{link}"
"""

PACKAGE_FIRST = """
import nvvm_xdsl.{link}.{module} as real
import {link}
import {link}.{module} as through_link
import nvvm_xdsl.{link}
assert {link} is nvvm_xdsl.{link}
assert through_link is real
"""


@pytest.mark.parametrize("script", [LINK_FIRST, PACKAGE_FIRST], ids=["link", "package"])
@pytest.mark.parametrize(
    ("link", "module"), [("passes", "scalar.dce"), ("dialects", "nvptx.instruction_rows")]
)
def test_a_link_gives_the_package_itself(script: str, link: str, module: str) -> None:
    run_at_root(script.format(link=link, module=module))


def test_passes_are_registered_once() -> None:
    run_at_root(
        "import passes\n"
        "from passes.scalar.dce import DCE\n"
        "import nvvm_xdsl.passes\n"
        "assert passes.PASSES is nvvm_xdsl.passes.PASSES\n"
        "assert passes.pass_class('dce') is DCE is nvvm_xdsl.passes.pass_class('dce')\n"
    )


def run_at_root(script: str) -> None:
    """Runs a script as Python does for a script at the root of the repository."""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
