"""The level of the machine passes is that of the pipeline, in every tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.tools import nvvm_cc, nvvm_opt

SOURCE = str(Path(__file__).parents[2] / "examples" / "matmul.ll")


def _cc(out: Path, *arguments: str) -> str:
    assert not nvvm_cc.main([SOURCE, "-o", str(out), *arguments])
    return out.read_text()


def _opt(out: Path, target: str, *arguments: str) -> str:
    assert not nvvm_opt.main([SOURCE, "-t", target, "-o", str(out), *arguments])
    return out.read_text()


@pytest.mark.parametrize(
    ("option", "pipeline", "level"),
    [
        ("-O0", "nvopt<O0>", 0),
        ("-O1", "nvopt<O1;short>", 1),
        ("-O2", "function(sroa),nvopt<O2>", 2),
        ("-O3", "default<O3>", 3),
        ("-Ofc=max", "nvopt<Ofcmax>", 0),
        ("-Ofc=mid", "nvopt<Ofcmid;short>", 1),
    ],
)
def test_the_level_is_that_of_the_pipeline(tmp_path: Path, option: str, pipeline: str, level: int):
    out = tmp_path / "out.ptx"
    for words in ((option,), ("-p", pipeline)):
        given = _cc(out, *words)
        passes = machine_pipeline(level, keep_loops=level == 0 or "fc" in option)
        assert given == _cc(out, *words, "--machine-passes", passes)
        assert given == _opt(out, "ptx", *words)


def test_a_target_states_its_own_level(tmp_path: Path):
    out = tmp_path / "out.ptx"
    stated = _opt(out, "ptx{opt_level=0}", "-O3")
    assert stated == _cc(out, "-O3", "--machine-passes", machine_pipeline(0, keep_loops=True))
    assert stated != _opt(out, "ptx", "-O3")


def test_levels_differ(tmp_path: Path):
    texts = {_opt(tmp_path / "out.ptx", "ptx", "-p", f"nvopt<O{level}>") for level in (0, 1, 3)}
    assert len(texts) == 3
