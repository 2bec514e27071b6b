"""Many modules on a local Ray cluster of several worker processes, one of which is killed."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from nvvm_xdsl.driver.many import Compilation, compile_many
from nvvm_xdsl.integrations.ray import RayExecutor

KERNEL = "define ptx_kernel void @k{0}(ptr %p) {{\n  store i32 {0}, ptr %p\n  ret void\n}}\n"
WRONG = "define void @f() {\n  ret voi\n}\n"


def test_a_missing_ray_is_reported(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"^Ray is not installed \(pip install ray\)"):
        RayExecutor()


@pytest.mark.slow
def test_a_cluster(tmp_path: Path):
    pytest.importorskip("ray", reason="Ray is not installed (extra `ray`)")
    reported: list[Compilation] = []

    def dies_once(path: str, number: int) -> int:
        if number == 2 and not Path(path).exists():
            Path(path).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    with RayExecutor(num_cpus=2, include_dashboard=False, log_to_driver=False) as executor:
        sources = [*(KERNEL.format(n) for n in range(6)), WRONG]
        results = compile_many(sources, executor=executor, done=reported.append)
        assert [r.ptx is not None and f".entry k{n}(" in r.ptx for n, r in enumerate(results)] == [
            *[True] * 6,
            False,
        ]
        assert results[-1].ptx is None
        assert "2:7: error:" in str(results[-1].error)
        assert len(reported) == 7
        # A worker that is killed during a run costs only time.
        path = str(tmp_path / "died")
        futures = [executor.submit(dies_once, path, number) for number in range(5)]
        assert [future.result() for future in futures] == [0, 1, 4, 9, 16]
        assert Path(path).exists()
