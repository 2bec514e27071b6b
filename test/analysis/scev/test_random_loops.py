"""ScalarEvolution against execution: formulas, ranges, trip counts of random loops."""

import random

import pytest
from helpers.programs import parse_function
from helpers.random_loops import UndefinedError, arguments_of, loop_function, run_loops
from helpers.scale import SCALE
from xdsl.ir import SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.expressions import NW, POSITIVE, ZERO, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.dialects.llvm.integers import signed

ENDLESS = 600
"""Iterations after which counters of eight bits have had all their values."""
SEEDS = 40 * SCALE
"""Programs for each of four tests."""


class PoisonError(Exception):
    """A formula refers to a poison value."""


def value_of(expression: Scev, state, rounds) -> int:
    def number(value: SSAValue) -> int:
        found = state.get(value)
        if found is None:
            raise PoisonError
        return found

    return evaluate(expression, number, lambda loop: rounds[loop])


def holds(flag: int, recurrence: Scev, state, rounds, last: int) -> bool:
    """Returns whether the recurrence does not wrap up to its loop's iteration `last`."""
    if flag == ZERO:
        return value_of(recurrence, state, rounds) == 0
    if flag == POSITIVE:
        return signed(value_of(recurrence, state, rounds), recurrence.width) > 0
    width = recurrence.width
    values = [value_of(recurrence, state, {**rounds, recurrence.loop: n}) for n in range(last + 1)]
    step = value_of(recurrence.step, state, rounds)
    if flag & NW and abs(signed(step, width)) * last >> width:
        return False
    for value in values[:-1]:
        if flag & NUW and value + step >> width:
            return False
        if flag & NSW:
            exact = signed(value, width) + signed(step, width)
            if signed(exact, width) != exact:
                return False
    return True


@pytest.mark.parametrize("part", range(4))
def test_formulas_ranges_and_counts(part: int):
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        check(seed)


def check(seed: int) -> None:
    func = parse_function(loop_function(seed))
    am = AnalysisManager()
    se, loops = am.get(ScalarEvolution, func), am.get(LoopInfo, func)
    try:
        numbers = random.Random(seed)
        arguments = arguments_of(func, numbers)
        ran = run_loops(func, loops, arguments, returns=lambda: numbers.randrange(6) > 0)
    except UndefinedError:
        return
    for visit, state in zip(ran.visits, ran.states):
        expression = se.get(visit.value)
        if expression is se.could_not_compute or visit.number is None:
            continue
        message = f"seed {seed}: {visit.value.name_hint} = {expression}"
        for is_signed in (False, True):
            assert se.range(expression, signed=is_signed).contains(visit.number), message
        inside = set(visit.rounds)
        if {p.loop for p in expression.walk() if p.loop is not None} <= inside:
            try:
                assert value_of(expression, state, visit.rounds) == visit.number, message
            except PoisonError:
                pass
    for stay in ran.stays:
        # An execution that was cut short may still become undefined, unless the loop has visited
        # all states. A loop that must make progress but does not is undefined.
        is_endless = stay.rounds >= ENDLESS and "passthrough" not in func.properties
        if stay.left_from is None and not ran.ended and not is_endless:
            continue
        check_counts(se, stay, seed)
        if stay.left_from is not None:
            check_flags(se, stay, {visit.value: None for visit in ran.visits}, seed)


def check_flags(se: ScalarEvolution, stay, values, seed: int) -> None:
    """A recurrence with a flag does not wrap until the loop is left."""
    for value in values:
        found = se.get(value) if se.width_of(value.type) else se.could_not_compute
        if not found.is_affine or found.loop is not stay.loop:
            continue
        for flag in (NUW, NSW):
            try:
                if found.flags & flag:
                    assert holds(flag, found, stay.state, {**stay.outer}, stay.rounds), (
                        f"seed {seed}: {value.name_hint} = {found} in {stay.rounds} iterations"
                    )
            except PoisonError:
                pass


def check_counts(se: ScalarEvolution, stay, seed: int) -> None:
    loop = stay.loop
    message = f"seed {seed}: the loop at {loop.header.name_hint} went around {stay.rounds} times"
    most = se.constant_max_backedge_taken_count(loop)
    assert most is None or stay.rounds <= most, f"{message}, at most {most}"
    count = se.backedge_taken_count(loop)
    rounds = {**stay.outer}
    try:
        if count is not se.could_not_compute:
            number = value_of(count, stay.state, rounds)
            if stay.left_from is not None:
                assert number == stay.rounds, f"{message}, not {count} = {number}"
            assert stay.rounds <= number, f"{message}, at most {count} = {number}"
            assert stay.left_from is None or (number + 1) % se.trip_multiple(loop) == 0, message
        symbolic = se.symbolic_max_backedge_taken_count(loop)
        if symbolic is not se.could_not_compute:
            number = value_of(symbolic, stay.state, rounds)
            assert stay.rounds <= number, f"{message}, at most {symbolic} = {number}"
        if stay.left_from is not None:
            check_exit(se, stay, message)
        for block in loop.exiting_blocks():
            found = se.exit_count(loop, block)
            if found is not se.could_not_compute:
                number = value_of(found, stay.state, rounds)
                assert stay.rounds <= number, f"{message}, by one exit at most {found} = {number}"
                assert stay.left_from is not block or number == stay.rounds, (
                    f"{message}, not {found}"
                )
        predicated, assumed = se.predicated_backedge_taken_count(loop)
        if (
            assumed
            and stay.left_from is not None
            and all(
                holds(flag, r, stay.state, rounds, max(stay.rounds, 1))
                for flag, r in assumed
                if r.is_affine or flag in (ZERO, POSITIVE)
            )
        ):
            number = value_of(predicated, stay.state, rounds)
            assert number == stay.rounds, f"{message}, not {predicated} = {number} given {assumed}"
    except PoisonError:
        return


def check_exit(se: ScalarEvolution, stay, message: str) -> None:
    """Checks the values of the counters when the loop is left."""
    for value in stay.loop.header.args:
        found = se.at_exit(value, stay.loop)
        number = stay.last[value]
        if found is se.could_not_compute or number is None:
            continue
        try:
            assert value_of(found, stay.state, {**stay.outer}) == number, (
                f"{message}: {value} = {found}"
            )
        except PoisonError:
            continue
