"""The table of GPUs, and the targets made from it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from nvvm_xdsl.dialects.nvptx.gpus import GPUS, nearest_gpu
from nvvm_xdsl.dialects.nvptx.target import (
    Requirement,
    Target,
    TargetError,
    known_targets,
    version_text,
)
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of

PTXAS = find_ptxas()
RELEASE = None if PTXAS is None else release_of(PTXAS)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("sm_130", "sm_121"), ("sm_105", "sm_103"), ("sm_60", "sm_70"), ("compute_150a", "sm_121a"), ("sm_90f", "sm_100f")],
)  # fmt: skip
def test_an_unknown_target_suggests_the_nearest(text: str, nearest: str):
    with pytest.raises(
        TargetError, match=rf"unknown target '{text}': the nearest known one is {nearest};"
    ):
        Target.parse(text)


@pytest.mark.parametrize("parse", [Target.parse, Target.of_ptx])
def test_a_number_that_python_does_not_convert_is_no_target(parse: Callable[[str], Target]):
    with pytest.raises(TargetError, match="expected sm_<number>"):
        parse("sm_" + 5000 * "9")


def test_the_family_of_sm_107():
    needs = Requirement.parse
    for name in ("sm_107f", "sm_107a"):
        assert Target.parse(name).supports(needs("9.4 107f"))
        assert Target.parse(name).supports(needs("8.8 100f"))
    assert not Target.parse("sm_107").supports(needs("9.4 107f"))
    assert not Target.parse("sm_103a").supports(needs("9.4 107f"))
    assert not Target.parse("sm_107f").supports(needs("9.4 107a"))
    assert Target.parse("sm_107").minimum_ptx == 94


def test_an_unknown_gpu_has_the_properties_of_the_previous_one():
    assert nearest_gpu(108) is GPUS[107]
    assert nearest_gpu(5) is GPUS[10]


def accepts(folder: Path, version: int, stated: str, name: str) -> bool:
    """Returns whether ptxas accepts PTX of a version and target for a GPU."""
    source = folder / "k.ptx"
    source.write_text(
        f".version {version_text(version)}\n.target {stated}\n.address_size 64\n"
        ".visible .entry k() { ret; }\n"
    )
    command = [str(PTXAS), f"-arch={name}", str(source), "-o", str(folder / "k")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(RELEASE is None, reason="ptxas was not found")
def test_targets_equal_those_of_ptxas(tmp_path: Path):
    assert RELEASE is not None
    wrong: list[str] = []
    for name in known_targets():
        target = Target.parse(name)
        # ptxas 13 generates code for sm_75 and later, and calls sm_101 sm_110.
        if target.minimum_ptx > RELEASE.newest_ptx or target.sm < 75 or target.sm == 101:
            continue
        first = target.minimum_ptx
        if not accepts(tmp_path, first, name, name):
            wrong.append(f"{name} is not in PTX {first}")
        before = {80: 78, 90: 88}.get(first, first - 1)
        # ptxas 13 also accepts sm_88 in PTX 8.8, which is undocumented.
        if target.sm != 88 and accepts(tmp_path, before, name, name):
            wrong.append(f"{name} is in PTX {before}")
        if target.suffix == "f":
            runs = {f"sm_{n}" for n in GPUS[target.sm].family if n != 101}
            for other in known_targets():
                of = Target.parse(other)
                if of.suffix or of.sm < 100 or of.sm == 101 or of.minimum_ptx > RELEASE.newest_ptx:
                    continue
                if accepts(tmp_path, RELEASE.newest_ptx, name, other) is not (other in runs):
                    wrong.append(f"code of {name} for {other}")
    assert wrong == []
