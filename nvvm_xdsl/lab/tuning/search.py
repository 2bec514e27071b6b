"""The search: variations of the best result so far, stored and scheduled by Optuna."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import optuna
from optuna.trial import FrozenTrial, Trial, TrialState

from nvvm_xdsl.driver.tasks import Lost, run_elsewhere, run_here
from nvvm_xdsl.driver.workers import worker_count
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.tuning.breeder import Breeder, distributions
from nvvm_xdsl.lab.tuning.space import Pipelines, Space
from nvvm_xdsl.lab.tuning.trial import Figures, Problem, Task, Verdict, attempt, outcomes_of
from nvvm_xdsl.simulator import SimulationError

_FIGURES, _WHY, _WRONG, _PIPELINES = "figures", "why", "wrong", "pipelines"


@dataclass(frozen=True)
class Variation:
    """A variation of the pipeline and its value."""

    values: Mapping[str, str]
    figures: Figures


@dataclass
class Tally:
    """The results of the trials of a search.

    Attributes:
        trials: number of evaluated trials.
        refused: number of trials that the compiler, ptxas or the command rejected.
        wrong: pipelines whose code has other results (miscompiles), with the difference.
    """

    trials: int = 0
    refused: int = 0
    wrong: list[tuple[Pipelines, str]] = field(default_factory=list[tuple[Pipelines, str]])


class Search:
    """A search that can be interrupted and resumed.

    Arguments:
        path: an SQLite file with the state of the search, which may contain other searches; None
            keeps the state in memory only.
        seed: seed of the trials.
    Raises DiagnosticError for a file that cannot be used.
    """

    def __init__(
        self, problem: Problem, space: Space, path: Path | None = None, seed: int = 0
    ) -> None:
        self.problem = problem
        self.space = space
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._known: dict[Pipelines, Verdict] = {}
        storage = None if path is None else f"sqlite:///{path.absolute()}"
        try:
            self._study = optuna.create_study(
                study_name=_fingerprint(problem, space),
                storage=storage,
                direction="maximize" if problem.larger else "minimize",
                load_if_exists=True,
            )
        except Exception as error:
            # Optuna's database library raises various errors for a file that is not a database.
            raise DiagnosticError(f"is not a study: {error}", file=str(path)) from None
        self._restore_trials()
        self._study.sampler = Breeder(space, seed)

    def _restore_trials(self) -> None:
        """Resumes from the stored state: judged trials are kept, started ones are discarded."""
        for trial in self._study.get_trials(deepcopy=False):
            if trial.state == TrialState.RUNNING:
                with contextlib.suppress(ValueError):
                    self._study.tell(trial.number, state=TrialState.FAIL)
            elif _PIPELINES in trial.user_attrs:
                self._known[Pipelines(*trial.user_attrs[_PIPELINES])] = _verdict_of(trial)

    def judged(self) -> int:
        """The number of evaluated trials, including earlier runs."""
        return sum(
            _PIPELINES in trial.user_attrs for trial in self._study.get_trials(deepcopy=False)
        )

    def run(
        self,
        trials: int,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int, Variation | None], None] | None = None,
    ) -> None:
        """Continues until this many trials were evaluated.

        Arguments:
            jobs: number of processes; 0 for one per processor. With one process the search is
                reproducible.
            executor: evaluates the trials instead of these processes (see `compile_many`).
            progress: called with the number of evaluated trials and the best variation.
        """
        missing = trials - self.judged()
        tasks = ((trial, task) for trial, task in self._new_trials(missing))
        wanted = worker_count(jobs, missing)
        if executor is not None:
            results = run_elsewhere(attempt, tasks, executor)
        elif wanted <= 1:
            results = ((trial, attempt(task)) for trial, task in tasks)
        else:
            results = run_here(attempt, tasks, wanted)
        for trial, result in results:
            verdict = Verdict(None, result.why) if isinstance(result, Lost) else result
            self._report(trial, verdict)
            if progress is not None:
                progress(self.judged(), self.best())

    def _new_trials(self, count: int) -> Iterator[tuple[Trial, Task]]:
        """Trials to evaluate; known results are returned immediately and counted."""
        while count > 0:
            count -= 1
            trial = self._study.ask(distributions(self.space))
            pipelines = self.space.pipelines(trial.params)
            known = self._known.get(pipelines)
            if known is not None:
                self._report(trial, known)
                continue
            yield trial, Task(self.problem, pipelines)

    def _report(self, trial: Trial, verdict: Verdict) -> None:
        pipelines = self.space.pipelines(trial.params)
        self._known[pipelines] = verdict
        trial.set_user_attr(_PIPELINES, pipelines)
        if verdict.figures is None:
            trial.set_user_attr(_WHY, verdict.why)
            trial.set_user_attr(_WRONG, verdict.wrong)
            self._study.tell(trial, state=TrialState.FAIL)
            return
        trial.set_user_attr(_FIGURES, asdict(verdict.figures))
        self._study.tell(trial, verdict.figures.value)

    def best(self) -> Variation | None:
        """The best variation; among equal ones, the one with the fewest changes."""
        found: Variation | None = None
        for trial in self._study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
            figures = Figures(**trial.user_attrs[_FIGURES])
            variation = Variation(dict(trial.params), figures)
            if found is None or self._rank(variation) < self._rank(found):
                found = variation
        return found

    def _rank(self, variation: Variation) -> tuple[float, float, int]:
        value = variation.figures.value
        return (
            -value if self.problem.larger else value,
            variation.figures.executed,
            len(self.space.changes(variation.values)),
        )

    def pruned(self, variation: Variation) -> Variation:
        """The variation without changes that have no benefit."""
        for name in self.space.changes(variation.values):
            values = {**variation.values, name: self.space.defaults()[name]}
            verdict = self._judge(values)
            if verdict.figures is None:
                continue
            candidate = Variation(values, verdict.figures)
            if self._rank(candidate)[:2] <= self._rank(variation)[:2]:
                variation = candidate
        return variation

    def baseline(self) -> Verdict:
        """The value of the level itself."""
        return self._judge(self.space.defaults())

    def judged_on(self, launch: Launch, variation: Variation) -> tuple[Figures, Figures] | str:
        """The values of the level and a variation on another launch, or the reason why there are
        none."""
        try:
            expected = outcomes_of(self.problem.text, [launch])
        except SimulationError as error:
            return f"the unoptimized kernel fails: {error.message}"
        problem = replace(self.problem, launches=(launch,), expected=expected)
        found: list[Figures] = []
        for values in (self.space.defaults(), variation.values):
            verdict = attempt(Task(problem, self.space.pipelines(values)))
            if verdict.figures is None:
                return verdict.why
            found.append(verdict.figures)
        return found[0], found[1]

    def _judge(self, values: Mapping[str, str]) -> Verdict:
        pipelines = self.space.pipelines(values)
        known = self._known.get(pipelines)
        if known is None:
            known = self._known[pipelines] = attempt(Task(self.problem, pipelines))
        return known

    def tally(self) -> Tally:
        """The results of the trials."""
        found = Tally()
        seen: set[Pipelines] = set()
        for trial in self._study.get_trials(deepcopy=False):
            stated = trial.user_attrs.get(_PIPELINES)
            if stated is None:
                continue
            pipelines = Pipelines(*stated)
            found.trials += 1
            if trial.state == TrialState.FAIL and pipelines not in seen:
                if trial.user_attrs[_WRONG]:
                    found.wrong.append((pipelines, trial.user_attrs[_WHY]))
                else:
                    found.refused += 1
            seen.add(pipelines)
        return found


def _verdict_of(trial: FrozenTrial) -> Verdict:
    stated = trial.user_attrs
    if _FIGURES in stated:
        return Verdict(Figures(**stated[_FIGURES]))
    return Verdict(None, stated[_WHY], stated[_WRONG])


def _fingerprint(problem: Problem, space: Space) -> str:
    """The identity of a study: searches for other goals are kept separate."""
    found = hashlib.sha256(f"{problem.name} {space.given}".encode())
    found.update(json.dumps([[c.name, *c.values] for c in space.choices]).encode())
    return found.hexdigest()[:32]
