from __future__ import annotations

import itertools

import pytest

from nvvm_xdsl.pipeline import build_pipeline
from nvvm_xdsl.pipeline.levels import TargetFacts, default_pipeline


@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize(
    ("ftz", "prec"), list(itertools.product([None, False, True], [False, True]))
)
def test_the_pipelines_of_all_options_exist(level: int, ftz: bool | None, prec: bool):
    text = default_pipeline(level, TargetFacts(90, ftz, prec, prec))
    assert "nvvm-reflect" in text
    assert build_pipeline(text)
