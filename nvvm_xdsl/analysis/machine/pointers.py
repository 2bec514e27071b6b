"""Pointer provenance in machine code in SSA form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import PredRegister
from nvvm_xdsl.ir import fast


def values_from(user: Operation, value: SSAValue) -> Iterator[SSAValue]:
    """The values that a user computes from a value, or passes it to.

    Predicates are excluded: the result of a selection by a comparison of pointers is not based on
    them.
    """
    if isinstance(user, TerminatorOp):
        for target, values in user.edges:
            for argument, given in zip(target.args, values):
                if given is value:
                    yield argument
    elif flags_of(user) & PURE:
        yield from (r for r in user.results if not isinstance(r.type, PredRegister))


def origins_of(sources: Mapping[SSAValue, int]) -> dict[SSAValue, int]:
    """For every value that is computed from sources in any way, the union of their bits."""
    origins = dict(sources)
    work = list(sources)
    while work:
        value = work.pop()
        bits = origins[value]
        for user in fast.users_of(value):
            for reached in values_from(user, value):
                before = origins.get(reached, 0)
                if bits & ~before:
                    origins[reached] = before | bits
                    work.append(reached)
    return origins
