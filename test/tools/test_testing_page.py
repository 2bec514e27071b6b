"""What docs/testing.md shows of nvvm-run is what it prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from nvvm_xdsl.tools import nvvm_run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "testing.md").read_text()
SHOWN = re.findall(r"^```console\n\$ nvvm-run (.*?)\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize(("line", "output"), SHOWN)
def test_console_blocks(
    line: str,
    output: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.chdir(ROOT)
    nvvm_run.main(shlex.split(line))
    captured = capsys.readouterr()
    assert captured.out + captured.err == output


def test_there_are_some():
    assert len(SHOWN) >= 2
