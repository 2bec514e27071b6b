"""The search itself: its trials, its result, and its continuation after an interruption."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.tuning import search as search_module
from nvvm_xdsl.lab.tuning.search import Search
from nvvm_xdsl.lab.tuning.space import Choice, Pipelines, Space
from nvvm_xdsl.lab.tuning.trial import Figures, Problem, Task, Verdict

SPACE = Space(
    Pipelines("sroa,gvn,licm,dce", "nvptx-mem2reg"),
    tuple(Choice(name, ("on", "off")) for name in ("sroa", "gvn", "licm", "dce")),
)
PROBLEM = Problem("", CompileOptions(arch="sm_90"), (Launch("k"),), ())
WORTH: Mapping[str, float] = {"gvn": 10.0, "licm": 5.0}
"""Gain of omitting a pass; without `sroa` nothing compiles."""


def verdict(task: Task) -> Verdict:
    left = set(task.pipelines.ir.split(","))
    if "sroa" not in left:
        return Verdict(None, "needs sroa")
    if "dce" not in left:
        return Verdict(None, "argument 0 differs", wrong=True)
    value = 100.0 - sum(gain for name, gain in WORTH.items() if name not in left)
    return Verdict(Figures(value, value, 8, 8, 1.0))


@pytest.fixture
def tasks(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """The tasks that were evaluated, by their known cost."""
    judged: list[Task] = []

    def attempt(task: Task) -> Verdict:
        judged.append(task)
        return verdict(task)

    monkeypatch.setattr(search_module, "attempt", attempt)
    return judged


def test_a_search_starts_with_the_level_and_finds_the_best_pipeline(tasks: list[Task]):
    search = Search(PROBLEM, SPACE)
    search.run(40)
    assert tasks[0].pipelines == SPACE.given
    best = search.best()
    assert best is not None
    assert best.figures.value == 85
    assert SPACE.changes(best.values) == {"gvn": "off", "licm": "off"}
    tally = search.tally()
    assert tally.trials == 40
    assert tally.refused > 0
    assert {what for _, what in tally.wrong} == {"argument 0 differs"}
    assert all("dce" not in pipelines.ir for pipelines, _ in tally.wrong)


def test_no_candidate_is_evaluated_twice(tasks: list[Task]):
    Search(PROBLEM, SPACE).run(60)
    judged = [task.pipelines for task in tasks]
    assert len(judged) == len(set(judged)) <= 16


def test_changes_without_gain_are_reverted(tasks: list[Task]):
    """The pass `dce` has no effect here but is required: only `gvn` and `licm` remain."""
    space = Space(SPACE.given, (*SPACE.choices, Choice("+slsr", ("off", "on"))))
    search = Search(PROBLEM, space)
    search.run(1)
    values = space.defaults() | {"gvn": "off", "+slsr": "on"}
    figures = verdict(Task(PROBLEM, space.pipelines(values))).figures
    assert figures is not None
    pruned = search.pruned(search_module.Variation(values, figures))
    assert space.changes(pruned.values) == {"gvn": "off"}


def test_an_interrupted_search_continues(tasks: list[Task], tmp_path: Path):
    path = tmp_path / "study.sqlite"
    Search(PROBLEM, SPACE, path).run(5)
    first = len(tasks)
    search = Search(PROBLEM, SPACE, path)
    assert search.judged() == 5
    search.run(5)
    assert len(tasks) == first
    search.run(10)
    assert search.judged() == 10
    judged = [task.pipelines for task in tasks]
    assert len(judged) == len(set(judged))


def test_other_problems_in_the_same_file_are_separate(tasks: list[Task], tmp_path: Path):
    path = tmp_path / "study.sqlite"
    Search(PROBLEM, SPACE, path).run(5)
    other = Problem("", CompileOptions(arch="sm_90"), (Launch("k", grid=2),), ())
    assert Search(other, SPACE, path).judged() == 0


def test_occupancy_is_maximized(tasks: list[Task]):
    problem = Problem("", CompileOptions(arch="sm_90"), (Launch("k"),), (), objective="occupancy")
    search = Search(problem, SPACE)
    search.run(20)
    best = search.best()
    assert best is not None
    assert best.figures.value == 100
    assert not SPACE.changes(best.values)


def test_a_file_that_is_no_study_is_an_error(tmp_path: Path):
    path = tmp_path / "text"
    path.write_text("no database, and longer than the header of one" * 10)
    with pytest.raises(DiagnosticError, match="is not a study"):
        Search(PROBLEM, SPACE, path)


def test_names_of_problems_distinguish_their_data():
    from nvvm_xdsl.lab.launches import Outcome

    def problem(value: float) -> Problem:
        outcome = Outcome([np.full(4, value)], [0], "", {})
        return Problem("", CompileOptions(arch="sm_90"), (Launch("k"),), (outcome,))

    assert problem(1).name == problem(1).name != problem(2).name
