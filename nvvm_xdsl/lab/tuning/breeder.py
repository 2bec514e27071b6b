"""A sampler for Optuna that starts from the level's own pipelines.

Optuna's own samplers draw their first trials uniformly, but a pipeline without a random half of its
passes is a bad start. Here the first trial is the level itself. The following trials each change a
few choices, until every choice was changed once; several are changed at once because most do not
affect a given kernel. Then two of the best trials are crossed, choice by choice, and a few choices
are changed or reverted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from optuna.distributions import BaseDistribution, CategoricalDistribution
from optuna.samplers import BaseSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from nvvm_xdsl.lab.tuning.space import Choice, Space

PASSES_AT_ONCE: Final = 3
PARAMETERS_AT_ONCE: Final = 8
"""Number of choices that a trial of the first generation changes: omitting a pass is more often
harmful.
"""

PARENTS: Final = 8
"""Number of the best trials, from which others are derived."""

CHANGES: Final = 4
"""Maximum number of choices that a later trial changes or reverts."""


def distributions(space: Space) -> dict[str, BaseDistribution]:
    """The choices as Optuna's distributions."""
    return {choice.name: CategoricalDistribution(choice.values) for choice in space.choices}


class Breeder(BaseSampler):
    """Derives each trial from the best earlier ones.

    Arguments:
        seed: seed of the random choices; equal seeds and results produce equal trials.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._space = space
        self._seed = seed
        self._first_round = list(groups(space, random.Random(seed)))

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """The distributions of all choices, which are sampled together."""
        return distributions(self._space)

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Mapping[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The values of a trial."""
        values = self._space.defaults()
        if trial.number == 0:
            return values
        generator = random.Random(f"{self._seed} {trial.number}")
        parents = self._parents(study)
        if trial.number <= len(self._first_round) or not parents:
            group = self._first_round[(trial.number - 1) % len(self._first_round)]
            return values | {c.name: generator.choice(c.values[1:]) for c in group}
        one, other = generator.choice(parents), generator.choice(parents)
        values = {name: generator.choice((one, other))[name] for name in values}
        for _ in range(generator.randint(1, CHANGES)):
            self._change(values, generator)
        return values

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """The pipeline's own value of a choice that was not sampled."""
        return self._space.defaults()[param_name]

    def _parents(self, study: Study) -> list[dict[str, str]]:
        complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        sign = -1 if study.direction == StudyDirection.MAXIMIZE else 1

        def rank(trial: FrozenTrial) -> tuple[float, int, int]:
            assert trial.value is not None
            return sign * trial.value, len(self._space.changes(trial.params)), trial.number

        return [dict(trial.params) for trial in sorted(complete, key=rank)[:PARENTS]]

    def _change(self, values: dict[str, str], generator: random.Random) -> None:
        """Changes one choice; half of the time reverts a change, if there is one."""
        changed = sorted(self._space.changes(values))
        if changed and generator.random() < 0.5:
            name = generator.choice(changed)
            values[name] = self._space.defaults()[name]
            return
        choice: Choice = generator.choice(self._space.choices)
        values[choice.name] = generator.choice(
            [v for v in choice.values if v != values[choice.name]]
        )


def groups(space: Space, generator: random.Random) -> Iterator[list[Choice]]:
    """The choices in random groups: first passes, then parameters."""
    passes = [choice for choice in space.choices if "<" not in choice.name]
    parameters = [choice for choice in space.choices if "<" in choice.name]
    for choices, size in ((passes, PASSES_AT_ONCE), (parameters, PARAMETERS_AT_ONCE)):
        generator.shuffle(choices)
        for start in range(0, len(choices), size):
            yield choices[start : start + size]
