"""The source distribution contains the tests and all files that they need."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

EXCLUDED = {".gitignore", "dialects", "passes", "platform.info"}
"""Tracked files at the root that only a checkout needs."""

BUILD = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"


@pytest.mark.slow
def test_the_source_distribution_contains_every_tracked_file(tmp_path: Path):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    checkout = tmp_path / "checkout"
    for name in tracked:
        target = checkout / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target, follow_symlinks=False)
    subprocess.run(
        [sys.executable, "-c", BUILD, str(tmp_path)],
        cwd=checkout,
        capture_output=True,
        check=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        packed = {name.partition("/")[2] for name in files.getnames()}
    missing = {name for name in tracked if name not in packed and not name.startswith(".ci/")}
    assert missing - EXCLUDED == set()
