"""A common interface to the SMT solvers: Z3, and Bitwuzla if it is installed.

Terms are Z3's. Bitwuzla reads them as SMT-LIB 2. It is much faster for multiplication, division and
floating point; only Z3 is used for quantifiers. `solve` runs the solvers in sequence.

Time limits are processor time of the calling thread, so that results do not depend on other
processes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Literal

from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import Term

Answer = Literal["sat", "unsat", "unknown"]


@dataclass
class Solution:
    """A solver's answer, with the values of variables by name if it is `sat`."""

    answer: Answer
    model: dict[str, Any] = field(default_factory=dict[str, Any])


Solver = Callable[[Sequence[Term], float], Solution]
"""Searches for values that satisfy all conditions, with a limit in seconds of processor time."""

SHORTEST_WAIT = 0.005
"""Minimum time in seconds between two readings of a thread's clock."""


@cache
def bitwuzla() -> Any | None:
    """Bitwuzla's module; None if it is not installed."""
    try:
        return import_module("bitwuzla")
    except ImportError:
        return None


def solve(conditions: Sequence[Term], seconds: float) -> Solution:
    """Runs the solvers in the order of their strength for the conditions, until one has an answer.

    Arguments:
        seconds: limit of the processor time.
    """
    goal = z3.simplify(z3.And(*conditions)) if conditions else z3.BoolVal(True)
    if z3.is_false(goal):
        return Solution("unsat")
    deadline = time.thread_time() + seconds
    steps = _steps(conditions)
    for number, (solver, share) in enumerate(steps):
        rest = max(0.0, deadline - time.thread_time())
        last = number == len(steps) - 1
        found = solver([goal] if solver is ask_z3 else conditions, rest if last else share * rest)
        if found.answer != "unknown":
            return found
    return Solution("unknown")


def _steps(conditions: Sequence[Term]) -> list[tuple[Solver, float]]:
    """The solvers for the conditions, each with its share of the remaining time."""
    if bitwuzla() is None:
        return [(ask_z3, 1.0)]
    kinds = {node.decl().kind() for node in nodes(conditions) if z3.is_app(node)}
    if any(z3.is_quantifier(node) for node in nodes(conditions)):
        return [(ask_z3, 1.0)]
    if kinds & _hard_kinds():
        return [(ask_z3, 0.1), (ask_bitwuzla, 0.75), (ask_z3, 1.0)]
    return [(ask_z3, 0.4), (ask_bitwuzla, 1.0)]


@cache
def _hard_kinds() -> frozenset[int]:
    """Operators for which Bitwuzla is stronger."""
    return frozenset(
        {
            z3.Z3_OP_BMUL, z3.Z3_OP_BUDIV, z3.Z3_OP_BSDIV, z3.Z3_OP_BUREM, z3.Z3_OP_BSREM,
            z3.Z3_OP_FPA_ADD, z3.Z3_OP_FPA_SUB, z3.Z3_OP_FPA_MUL, z3.Z3_OP_FPA_DIV, z3.Z3_OP_FPA_FMA,
            z3.Z3_OP_FPA_SQRT, z3.Z3_OP_FPA_ROUND_TO_INTEGRAL, z3.Z3_OP_FPA_TO_FP,
            z3.Z3_OP_FPA_TO_SBV, z3.Z3_OP_FPA_TO_UBV,
        }
    )  # fmt: skip


def nodes(terms: Sequence[Term]) -> Iterator[Term]:
    """All terms below these, each once, operands first."""
    seen: set[int] = set()
    pending = [(term, False) for term in terms]
    while pending:
        term, expanded = pending.pop()
        if expanded:
            yield term
        elif term.get_id() not in seen:
            seen.add(term.get_id())
            pending.append((term, True))
            pending += [(child, False) for child in term.children()]


def _thread_clock() -> Callable[[], float]:
    """Returns a function that any thread may call to read the processor time of this thread.

    On systems without such clocks (macOS) it is the wall clock.
    """
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.monotonic
    clock = time.pthread_getcpuclockid(threading.get_ident())
    return lambda: time.clock_gettime(clock)


@contextmanager
def interrupting(interrupt: Callable[[], object], seconds: float) -> Generator[None]:
    """Calls a function of Z3 that interrupts it when this thread has used its processor time."""
    read = _thread_clock()
    end = read() + seconds
    done = threading.Event()

    def watch() -> None:
        # Z3 ignores an interruption before its search; the call is repeated.
        while not done.wait(max(SHORTEST_WAIT, end - read())):
            if read() >= end:
                interrupt()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def ask_z3(conditions: Sequence[Term], seconds: float) -> Solution:
    """Solves the conditions with Z3."""
    solver: Any = z3.Solver()
    solver.add(*conditions)
    with interrupting(solver.interrupt, seconds):
        answer = solver.check()
    if answer == z3.unsat:
        return Solution("unsat")
    if answer == z3.sat:
        model = solver.model()
        return Solution("sat", {str(d): model[d] for d in model.decls()})
    return Solution("unknown")


def ask_bitwuzla(conditions: Sequence[Term], seconds: float) -> Solution:
    """Solves the conditions with Bitwuzla. The answer is `unknown` if it is not installed or does
    not support an operator."""
    module = bitwuzla()
    if module is None:
        return Solution("unknown")
    exporter: Any = z3.Solver()
    exporter.add(*_portable(conditions))
    text = exporter.to_smt2().replace("(check-sat)", "")
    options = module.Options()
    options.set(module.Option.PRODUCE_MODELS, True)
    parser = module.Parser(module.TermManager(), options)
    try:
        parser.parse(text, True, False)
    except module.BitwuzlaException:
        return Solution("unknown")
    solver = parser.bitwuzla()
    end = time.thread_time() + seconds
    solver.configure_terminator(lambda: time.thread_time() > end)
    answer = solver.check_sat()
    if answer == module.Result.UNSAT:
        return Solution("unsat")
    if answer != module.Result.SAT:
        return Solution("unknown")
    names = {str(d): d for d in _constants(conditions)}
    model: dict[str, Any] = {}
    for term in parser.get_declared_funs():
        name = term.symbol().strip("|")
        sort = term.sort()
        if name in names and sort.is_bv():
            model[name] = z3.BitVecVal(int(solver.get_value(term).value(10)), sort.bv_size())
        elif name in names and sort.is_bool():
            model[name] = z3.BoolVal(bool(solver.get_value(term).value()))
    return Solution("sat", model)


def _constants(terms: Sequence[Term]) -> Iterator[Term]:
    for node in nodes(terms):
        if z3.is_const(node) and node.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield node


def _signed_product(a: Term, b: Term) -> Term:
    return z3.SignExt(a.size(), a) * z3.SignExt(a.size(), b)


@cache
def _products() -> dict[int, Callable[[Term, Term], Term]]:
    """Z3's overflow predicates of products, as arithmetic in twice the width."""
    return {
        z3.Z3_OP_BSMUL_NO_OVFL: lambda a, b: _signed_product(a, b) < 1 << (a.size() - 1),
        z3.Z3_OP_BSMUL_NO_UDFL: lambda a, b: _signed_product(a, b) >= -(1 << (a.size() - 1)),
        z3.Z3_OP_BUMUL_NO_OVFL: lambda a, b: z3.ULT(
            z3.ZeroExt(a.size(), a) * z3.ZeroExt(a.size(), b), 1 << a.size()
        ),
    }


def _portable(conditions: Sequence[Term]) -> list[Term]:
    """The conditions without operators that only Z3 has."""
    pairs: list[tuple[Term, Term]] = []
    extra: list[Term] = []
    for node in nodes(conditions):
        kind = node.decl().kind() if z3.is_app(node) else None
        if kind in _products():
            pairs.append((node, _products()[kind](*node.children())))
        elif kind == z3.Z3_OP_FPA_TO_IEEE_BV:
            # No operator yields the bits of a NaN.
            (value,) = node.children()
            bits = z3.FreshConst(node.sort(), "ieee")
            pairs.append((node, bits))
            extra.append(z3.fpBVToFP(bits, value.sort()) == value)
    if not pairs:
        return list(conditions)
    # Operands come first, because a pair may contain operators that earlier pairs replace.
    found = [*conditions, *extra]
    for old, new in reversed(pairs):
        found = [z3.substitute(condition, (old, new)) for condition in found]
    return found
