"""The source distribution contains the tests and all files that they need."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from helpers.distributions import built, tracked_files

EXCLUDED = {".gitignore", "dialects", "passes", "platform.info"}
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
