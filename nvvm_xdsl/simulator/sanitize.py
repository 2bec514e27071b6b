"""Runs a kernel and reports all of its errors, with the origins of undefined values."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, Final

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.simulator.arguments import Argument
from nvvm_xdsl.simulator.execution.origins import Origins
from nvvm_xdsl.simulator.execution.recorder import Recorder
from nvvm_xdsl.simulator.launch import Dim, Result, launch, prepare
from nvvm_xdsl.simulator.program import Program

MOST_FOLLOWED: Final = 4
"""Maximum number of threads for whose undefined values the origin is computed."""


def sanitize(
    module: ModuleOp | Program,
    kernel: str | None,
    grid: Dim,
    block: Dim,
    args: Sequence[Argument] = (),
    *,
    checks: Iterable[str] = (),
    **options: Any,
) -> Result:
    """Runs a kernel as `launch` does with `sanitize`, and finds the origins of undefined values.

    The arguments are those of `launch`. If a module is given, the kernel is repeated on copies of
    the arguments to compute the origins, once for each thread that was the first to use an
    undefined value at an op.
    """
    wanted = frozenset(checks)
    before = copy.deepcopy(args) if "init" in wanted else ()
    result = launch(module, kernel, grid, block, args, checks=wanted, sanitize=True, **options)
    threads: dict[tuple[Any, int], Origins] = {}
    for report in result.reports:
        if (
            isinstance(module, Program)
            or report.kind != "init"
            or report.thread is None
            or report.op is None
        ):
            continue
        origins = threads.get(report.thread)
        if origins is None:
            if len(threads) >= MOST_FOLLOWED:
                continue
            recorder = Recorder(*report.thread)
            again: dict[str, Any] = options | {
                "counting": False,
                "leaks": False,
                "recorder": recorder,
            }
            program = prepare(module, wanted, recording=True)
            given = copy.deepcopy(before)
            launch(program, kernel, grid, block, given, checks=wanted, sanitize=True, **again)
            origins = threads[report.thread] = Origins(recorder)
        report.origins = origins.of(report.op, report.step)
    return result
