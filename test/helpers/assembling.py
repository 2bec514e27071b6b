"""ptxas as an oracle: our output must assemble."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest

from nvvm_xdsl.driver.toolkit import find_libdevice, find_ptxas

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")

needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="ptxas was not found")
needs_libdevice = pytest.mark.skipif(find_libdevice() is None, reason="libdevice was not found")


def assemble(ptx: str, arch: str, *flags: str) -> str:
    """Assembles PTX text and returns ptxas's messages; fails the test with them on an error."""
    ptxas = find_ptxas()
    assert ptxas is not None
    with tempfile.TemporaryDirectory(prefix="nvvm-ptxas-") as folder:
        source = Path(folder) / "a.ptx"
        source.write_text(ptx)
        done = subprocess.run(
            [str(ptxas), f"-arch={arch}", *flags, "a.ptx", "-o", "a.cubin"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    reported = done.stdout + done.stderr
    if done.returncode != 0:
        lines = ptx.splitlines()
        shown: list[str] = []
        for message in reported.splitlines()[:8]:
            shown.append(message)
            _, _, rest = message.partition("line ")
            number = rest.partition(";")[0]
            if number.isdigit() and int(number) <= len(lines):
                shown.append(f"    {lines[int(number) - 1].strip()}")
        pytest.fail("\n".join(shown), pytrace=False)
    return reported
