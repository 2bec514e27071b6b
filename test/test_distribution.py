"""The source distribution contains the tests and all files that they need."""

from __future__ import annotations

import re
import tarfile
import tomllib
from pathlib import Path

import pytest
from helpers.distributions import built, tracked_files

from nvvm_xdsl.ir.version import VERSION

ROOT = Path(__file__).parents[1]

EXCLUDED = {".gitignore", "dialects", "passes"}
"""Tracked files at the root that only a checkout needs."""


@pytest.mark.slow
def test_the_source_distribution_contains_every_tracked_file(tmp_path: Path):
    archive = built("build_sdist", tmp_path)
    with tarfile.open(archive) as files:
        packed = {name.partition("/")[2] for name in files.getnames()}
    missing = {
        name for name in tracked_files() if name not in packed and not name.startswith(".ci/")
    }
    assert missing - EXCLUDED == set()


def test_the_metadata_for_a_package_index():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["authors"] == [{"name": "the nvvm-xdsl developers"}]
    assert project["readme"] == "README.md"
    versions = [c.rpartition(" ")[2] for c in project["classifiers"] if re.search(r"3\.\d+$", c)]
    assert versions == ["3.11", "3.12", "3.13", "3.14"]
    assert "version" in project["dynamic"]


def test_the_change_log_has_the_released_version():
    sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]
    released = [section for section in sections if not section.startswith("Unreleased")]
    assert VERSION.startswith(released[0].split()[0])
    assert len(released[-1].splitlines()) <= 40
