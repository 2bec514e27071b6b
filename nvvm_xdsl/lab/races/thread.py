"""Symbolic execution of a kernel by one thread.

Blocks are executed in topological order, once, under the condition that the thread reaches them.
A loop whose trip count is a small constant is unrolled. Of other loops one arbitrary iteration is
executed: induction variables have their value in this iteration, other variables of the loop are
unknown. The state after a loop is that of another arbitrary iteration, the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.cfg import CFG, function_body
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.dialects.llvm.branches import case_values, edges_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.barriers import is_block_barrier, is_grid_barrier
from nvvm_xdsl.lab.races.operations import POINTER_BITS, Machine, UnmodelledError
from nvvm_xdsl.lab.races.terms import (
    FALSE,
    LAUNCH,
    THREAD,
    TRUE,
    Term,
    both,
    either,
    implies,
    negate,
)
from nvvm_xdsl.lab.races.trace import (
    GRID_START,
    START,
    Arrival,
    Intervals,
    Key,
    Meeting,
    Pointer,
    Target,
    Value,
    grid_key,
    is_of_grid,
    merge_intervals,
    merge_values,
    without,
)

MOST_ITERATIONS: Final = 130
"""Maximum number of unrolled iterations of a loop with barriers."""

FEW_ITERATIONS: Final = 8
"""Maximum number of unrolled iterations of a loop without barriers."""

MOST_STEPS: Final = 30_000
"""Maximum number of executed ops of one kernel."""

MOST_ROUNDS: Final = 1 << 40
"""Assumed upper bound of the number of iterations of a loop."""

Exits = dict[Block, list[Arrival]]
Fits = Callable[[Sequence[Term], Term, Term], bool]
"""Whether conditions imply that the value of an addition is in its range, or this is assumed."""


@dataclass
class Variable:
    """A block argument of a loop header.

    Attributes:
        first: its value in the first iteration.
        step: the addend of an iteration; None if the variable is not an induction variable.
        exact: whether the additions do not wrap.
        level: level of its value in a given iteration.
        following: its value in the next iteration, in terms of `symbol`.
    """

    first: Term
    symbol: Term
    step: Term | None = None
    exact: bool = False
    level: int = THREAD
    following: Term | None = None


class Thread:
    """A thread that executes a kernel.

    Arguments:
        function: the kernel, in loop-simplified LCSSA form.
        machine: the state; the arguments of the kernel have values.
        fits: decides whether induction variables do not wrap.
    """

    def __init__(self, function: Operation, machine: Machine, fits: Fits) -> None:
        region = function_body(function)
        self.machine = machine
        self.fits = fits
        self.cfg = CFG(region)
        self.loops = LoopInfo(self.cfg)
        if not self.loops.is_reducible:
            raise UnmodelledError(function, "the control flow is irreducible")
        self.order = list(self.cfg.rpo_blocks())
        self.number = 0
        self.folded = False
        """Whether a branch out of the loop that is being unrolled had a constant condition."""

    def run(self) -> None:
        """Executes the kernel. Raises UnmodelledError."""
        entry = self.cfg.entry
        values = tuple(self.machine.get(arg) for arg in entry.args)
        start = {START: TRUE, GRID_START: TRUE}
        self.region(None, {entry: [Arrival(TRUE, values, start)]})

    def region(self, loop: Loop | None, arrivals: Exits) -> tuple[list[Arrival], Exits]:
        """Executes the blocks of a loop once, or those of the function.

        Returns the arrivals at the loop's header and those at blocks outside.
        """
        exits: Exits = {}
        back: list[Arrival] = []
        header = None if loop is None else loop.header

        def arrive(target: Block, arrival: Arrival) -> None:
            if arrival.guard is FALSE:
                return
            if target is header:
                back.append(arrival)
            elif loop is None or loop.contains(target):
                arrivals.setdefault(target, []).append(arrival)
            else:
                exits.setdefault(target, []).append(arrival)

        for block in self.order:
            if loop is not None and not loop.contains(block):
                continue
            inner = self.loops.loop_for(block)
            if inner is not loop:
                if inner is None or inner.header is not block or inner.parent is not loop:
                    continue
                coming = arrivals.pop(block, [])
                if coming:
                    for target, outside in self.loop(inner, coming).items():
                        for arrival in outside:
                            arrive(target, arrival)
                continue
            coming = arrivals.pop(block, [])
            if not coming:
                continue
            for target, arrival in self.block(block, coming):
                leaves = loop is not None and not loop.contains(target)
                if arrival.guard is FALSE and (target is header or leaves):
                    self.folded = True
                arrive(target, arrival)
        return back, exits

    def block(self, block: Block, arrivals: list[Arrival]) -> list[tuple[Block, Arrival]]:
        """Executes a block; returns the states on its edges."""
        machine = self.machine
        state = merge(arrivals)
        for arg, value in zip(block.args, state.values):
            machine.values[arg] = value
        machine.guard, machine.intervals = state.guard, state.intervals
        for op in block.ops:
            if op is block.last_op:
                break
            machine.execute(op)
            if machine.steps > MOST_STEPS:
                raise UnmodelledError(op, f"the kernel has more than {MOST_STEPS} steps")
        last = block.last_op
        assert last is not None
        if last.name == "llvm.unreachable":
            machine.trace.facts.append(negate(machine.guard))
            return []
        found: list[tuple[Block, Arrival]] = []
        for (target, operands), condition in zip(edges_of(last), self.conditions(last)):
            values = tuple(machine.get(operand) for operand in operands)
            guard = both(machine.guard, condition)
            found.append((target, Arrival(guard, values, machine.intervals)))
        return found

    def conditions(self, last: Operation) -> list[Term]:
        """The condition of each edge of a terminator."""
        machine = self.machine
        if last.name == "llvm.br":
            return [TRUE]
        if last.name == "llvm.cond_br":
            condition = machine.term(fast.operands_of(last)[0])
            return [condition, negate(condition)]
        if last.name == "llvm.switch":
            value = machine.term(fast.operands_of(last)[0])
            cases = [
                terms.compare("eq", value, terms.const(number, value.width))
                for number in case_values(last, signed=True)
            ]
            return [negate(either(cases)), *cases]
        if last.name == "llvm.return":
            return []
        raise UnmodelledError(last, f"'{last.name}' is not modelled")

    # Loops

    def loop(self, loop: Loop, arrivals: list[Arrival]) -> Exits:
        """Executes a loop; returns the states at its exits."""
        state = merge(arrivals)
        inside = [op for block in loop.blocks for op in block.ops]
        grid = any(map(is_grid_barrier, inside))
        meets = grid or any(map(is_block_barrier, inside))
        folded = self.folded
        exits = self.unroll(loop, state, MOST_ITERATIONS if meets else FEW_ITERATIONS)
        if exits is None:
            exits = self.summarize(loop, state, meets, grid)
        self.folded = folded
        return exits

    def unroll(self, loop: Loop, state: Arrival, most: int) -> Exits | None:
        """Executes the iterations one by one; None if their number is unknown or too large."""
        machine = self.machine
        mark, exits, current, steps = machine.trace.mark(), Exits(), [state], machine.steps
        for number in range(most):
            self.folded = False
            machine.iterations.append(terms.const(number, POINTER_BITS))
            back, leaving = self.region(loop, {loop.header: current})
            machine.iterations.pop()
            for target, coming in leaving.items():
                exits.setdefault(target, []).extend(coming)
            if not back:
                return exits
            if not self.folded or machine.steps > MOST_STEPS // 2:
                break
            current = back
        machine.trace.reset(mark)
        machine.steps = steps
        return None

    def summarize(self, loop: Loop, state: Arrival, meets: bool, grid: bool) -> Exits:
        """Executes an arbitrary iteration.

        Arguments:
            meets: whether the loop contains a barrier.
            grid: whether it contains one of all threads of the launch.
        """
        machine, trace = self.machine, self.machine.trace
        self.number += 1
        number = self.number
        counter = terms.symbol(f"iteration.{number}", POINTER_BITS, THREAD, (0, MOST_ROUNDS))
        machine.iterations.append(counter)
        iterations = tuple(machine.iterations)
        variables, symbols = self.placeholders(state.values, number)
        begin: Key = ("loop", iterations)
        mark, steps = trace.mark(), machine.steps
        start = Arrival(state.guard, symbols, {begin: TRUE, grid_key(begin): TRUE})
        back, _ = self.region(loop, {loop.header: [start]})
        trace.reset(mark)
        machine.steps = steps
        if not back:
            machine.iterations.pop()
            _, exits = self.region(loop, {loop.header: [state]})
            return exits
        end = merge(back)
        classify(variables, symbols, end.values)
        intervals: dict[Key, Term] = {}
        for key in (begin, grid_key(begin)):
            intervals |= self.at_header(state.intervals, end.intervals, key, counter)
        while True:
            mark, steps = trace.mark(), machine.steps
            values = self.header_values(variables, symbols, counter, iterations)
            start = Arrival(state.guard, values, intervals)
            back, exits = self.region(loop, {loop.header: [start]})
            again = merge(back) if back else start._replace(guard=FALSE)
            if not self.check_exact(variables, counter, again.guard):
                break
            trace.reset(mark)
            machine.steps = steps
        self.add_recurrences(variables, counter, iterations, again)
        if meets:
            last = loop.header.last_op
            assert last is not None
            trace.meetings.append(Meeting(last, iterations, again.guard, grid))
        machine.iterations.pop()
        return self.leave(state.guard, counter, exits, trace.facts[mark[2] :])

    def placeholders(
        self, firsts: Sequence[Value], number: int
    ) -> tuple[list[Variable | None], tuple[Value, ...]]:
        """Symbols for the variables of a loop, to compute their change in an iteration."""
        variables: list[Variable | None] = []
        symbols: list[Value] = []
        for at, first in enumerate(firsts):
            name = f"variable.{number}.{at}"
            if isinstance(first, Term):
                symbol = terms.symbol(name, first.width, LAUNCH)
                variables.append(Variable(first, symbol))
                symbols.append(symbol)
            elif isinstance(first, Pointer) and len(first.targets) == 1:
                target = first.targets[0]
                symbol = terms.symbol(name, POINTER_BITS, LAUNCH)
                variables.append(Variable(target.offset, symbol))
                symbols.append(Pointer((Target(TRUE, target.root, symbol),)))
            else:
                variables.append(None)
                symbols.append(self.machine.unknown_like(first))
        return variables, tuple(symbols)

    def at_header(
        self, before: Intervals, end: Intervals, begin: Key, counter: Term
    ) -> dict[Key, Term]:
        """The last barrier at the start of an iteration: of a block, or of the launch like `begin`.

        Arguments:
            before: the last barrier before the loop.
            end: the last barrier at the end of an iteration that starts with `begin`.
        """
        first = terms.compare("eq", counter, terms.const(0, POINTER_BITS))
        passes = begin in end
        found: dict[Key, Term] = {
            key: condition if passes else both(condition, first)
            for key, condition in before.items()
            if is_of_grid(key) == is_of_grid(begin)
        }
        previous = terms.binary("add", counter, terms.const(-1, POINTER_BITS), exact=True)
        later = negate(first)
        if passes:
            earlier = self.machine.fresh("earlier", POINTER_BITS)
            later = both(
                terms.compare("sge", earlier, terms.const(0, POINTER_BITS)),
                terms.compare("slt", earlier, counter),
            )
            previous = earlier
        for op, iterations in end:
            if (op, iterations) == begin or is_of_grid((op, iterations)) != is_of_grid(begin):
                continue
            rename = {counter: previous}
            key = (op, tuple(self.renamed(t, rename, counter) for t in iterations))
            found[key] = either([found.get(key, FALSE), later])
        return found

    def renamed(self, term: Term, found: dict[Term, Term], since: Term) -> Term:
        """The term with fresh symbols for the symbols created in the current loop."""
        for node in list(terms.post_order(term, found)):
            if node.op == "sym" and node.level == THREAD and node.serial > since.serial:
                limits = (node.low, node.high)
                name = str(node.data).split("'")[0]
                self.number += 1
                found[node] = terms.symbol(f"{name}'{self.number}", node.width, THREAD, limits)
        return terms.substitute(term, found)

    def header_values(
        self,
        variables: list[Variable | None],
        symbols: Sequence[Value],
        counter: Term,
        iterations: tuple[Term, ...],
    ) -> tuple[Value, ...]:
        """The values of the variables in the iteration."""
        found: list[Value] = []
        for variable, symbol in zip(variables, symbols):
            if variable is None:
                found.append(symbol)
                continue
            value = value_at(variable, counter, iterations)
            if value is None:
                value = self.machine.fresh("varying", variable.symbol.width)
            if isinstance(symbol, Pointer):
                found.append(Pointer((symbol.targets[0]._replace(offset=value),)))
            else:
                found.append(value)
        return tuple(found)

    def check_exact(self, variables: list[Variable | None], counter: Term, again: Term) -> bool:
        """Checks that induction variables do not wrap, by induction; returns whether one may."""
        changed = False
        for variable in variables:
            if variable is None or variable.step is None or variable.exact is not True:
                continue
            if variable.step.op == "const" and variable.step.data == 0:
                continue
            if getattr(variable.following, "exact", False):
                continue
            following = wide_value(variable, counter, 1)
            width = variable.symbol.width
            lowest = terms.const(-(1 << width - 1), following.width)
            highest = terms.const((1 << width - 1) - 1, following.width)
            in_range = both(
                terms.compare("sle", lowest, following), terms.compare("sle", following, highest)
            )
            addition = variable.following
            assert addition is not None
            if not self.fits([*self.machine.trace.facts, again], in_range, addition):
                variable.exact = False
                changed = True
        return changed

    def add_recurrences(
        self,
        variables: list[Variable | None],
        counter: Term,
        iterations: tuple[Term, ...],
        again: Arrival,
    ) -> None:
        """Facts about the variables that are functions of the iteration."""
        one = terms.const(1, POINTER_BITS)
        following = (*iterations[:-1], terms.binary("add", counter, one, exact=True))
        facts = self.machine.trace.facts
        for at, variable in enumerate(variables):
            if variable is None or variable.step is not None or variable.level == THREAD:
                continue
            here = value_at(variable, counter, iterations)
            there = value_at(variable, counter, following)
            if here is None or there is None or not again.values:
                continue
            value = again.values[at]
            if isinstance(value, Pointer):
                value = value.targets[0].offset
            if isinstance(value, Term):
                facts.append(implies(again.guard, terms.compare("eq", there, value)))
            first = terms.compare("eq", counter, terms.const(0, POINTER_BITS))
            facts.append(implies(first, terms.compare("eq", here, variable.first)))
            facts.extend(shrinking(variable, here))

    def leave(self, guard: Term, counter: Term, exits: Exits, facts: Sequence[Term]) -> Exits:
        """The states after the loop: those of another arbitrary iteration."""
        machine = self.machine
        rename: dict[Term, Term] = {}
        self.number += 1
        rename[counter] = terms.symbol(
            f"last.{self.number}", POINTER_BITS, THREAD, (0, MOST_ROUNDS)
        )

        def again(term: Term) -> Term:
            return self.renamed(term, rename, counter)

        found: Exits = {}
        for target, arrivals in exits.items():
            found[target] = [
                Arrival(
                    again(arrival.guard),
                    tuple(_renamed_value(value, again) for value in arrival.values),
                    {
                        (op, tuple(again(t) for t in iterations)): again(condition)
                        for (op, iterations), condition in arrival.intervals.items()
                    },
                )
                for arrival in arrivals
            ]
        machine.trace.facts += [again(fact) for fact in facts]
        left = either([a.guard for arrivals in found.values() for a in arrivals])
        machine.trace.facts.append(implies(guard, left))
        if len(found) == 1:
            target = next(iter(found))
            state = merge(found[target])
            found[target] = [state._replace(guard=guard)]
        return found


def _renamed_value(value: Value, rename: Callable[[Term], Term]) -> Value:
    if isinstance(value, Term):
        return rename(value)
    if isinstance(value, Pointer):
        return Pointer(tuple(Target(rename(c), root, rename(o)) for c, root, o in value.targets))
    return value


def merge(arrivals: list[Arrival]) -> Arrival:
    """The merged state of joining edges."""
    if len(arrivals) == 1:
        return arrivals[0]
    guard = either([arrival.guard for arrival in arrivals])
    conditions = [without(arrival.guard, guard) for arrival in arrivals]
    values = tuple(
        merge_values([(c, a.values[at]) for c, a in zip(conditions, arrivals)])
        for at in range(len(arrivals[0].values))
    )
    return Arrival(guard, values, merge_intervals(arrivals))


def classify(
    variables: list[Variable | None], symbols: Sequence[Value], ends: Sequence[Value]
) -> None:
    """Finds induction variables and the levels of the others from one iteration."""
    own = {variable.symbol: variable for variable in variables if variable is not None}
    for variable, symbol, end in zip(variables, symbols, ends):
        if variable is None:
            continue
        if isinstance(symbol, Pointer):
            targets = end.targets if isinstance(end, Pointer) else ()
            if len(targets) != 1 or targets[0].root != symbol.targets[0].root:
                raise UnmodelledError(None, "a pointer changes its object in a loop")
            end = targets[0].offset
        variable.following = end if isinstance(end, Term) else None
        variable.step = _step(variable, own)
        variable.exact = variable.step is not None
    changed = True
    for variable in own.values():
        variable.level = variable.first.level
    while changed:
        changed = False
        for variable in own.values():
            end = variable.following
            level = THREAD if end is None else end.level
            if end is not None:
                level = max([level, *(own[t].level for t in terms.post_order(end, {}) if t in own)])
            if level > variable.level:
                variable.level, changed = level, True


def _step(variable: Variable, own: dict[Term, Variable]) -> Term | None:
    """The addend of an induction variable; None for other variables."""
    end = variable.following
    if end is None:
        return None
    if end is variable.symbol:
        return terms.const(0, end.width)
    if end.op != "add" or variable.symbol not in end.args:
        return None
    step = end.args[1] if end.args[0] is variable.symbol else end.args[0]
    below = list(terms.post_order(step, {}))
    made = any(
        t.op == "sym" and t.level == THREAD and t.serial > variable.symbol.serial for t in below
    )
    return None if made or any(t in own for t in below) else step


def wide_value(variable: Variable, counter: Term, ahead: int) -> Term:
    """The value of an induction variable some iterations ahead, without wrapping."""
    assert variable.step is not None
    width = variable.symbol.width + POINTER_BITS
    times = terms.binary("add", counter, terms.const(ahead, POINTER_BITS), exact=True)
    times = terms.extend(times, width, is_signed=True)
    step = terms.extend(variable.step, width, is_signed=True)
    change = terms.binary("mul", times, step, exact=True)
    return terms.binary(
        "add", terms.extend(variable.first, width, is_signed=True), change, exact=True
    )


def value_at(variable: Variable, counter: Term, iterations: tuple[Term, ...]) -> Term | None:
    """The value of a variable in an iteration; None if it is unknown."""
    step = variable.step
    if step is not None:
        if step.op == "const" and step.data == 0:
            return variable.first
        value = wide_value(variable, counter, 0)
        return terms.truncate(value, variable.symbol.width, exact=variable.exact)
    if variable.level == THREAD:
        return None
    return terms.function(
        f"{variable.symbol.data} at", variable.symbol.width, iterations, variable.level
    )


def shrinking(variable: Variable, value: Term) -> list[Term]:
    """Facts about a variable that is doubled or halved in each iteration."""
    end, first = variable.following, variable.first
    if end is None or not end.args or end.args[0] is not variable.symbol:
        return []
    by = end.args[1] if len(end.args) > 1 else None
    if by is None or by.op != "const":
        return []
    width = value.width
    zero = terms.const(0, width)
    if first.op == "const" and first.data > 0:
        listed, at = [first.data], first.data
        for _ in range(width):
            if end.op == "mul" and by.data > 1:
                at *= by.data
                if at >= 1 << width - 1:
                    if not end.exact:
                        listed += [terms.signed(at, width)]
                        at = terms.signed(at, width)
                        continue
                    break
            elif end.op in ("lshr", "ashr"):
                at >>= by.data
            elif end.op in ("sdiv", "udiv") and by.data > 1:
                at //= by.data
            else:
                return []
            listed.append(at)
        cases = dict.fromkeys(listed)
        return [either([terms.compare("eq", value, terms.const(n, width)) for n in cases])]
    if end.op in ("lshr", "ashr", "sdiv", "udiv") and by.data > 0:
        positive = terms.compare("sle", zero, first)
        between = both(terms.compare("sle", zero, value), terms.compare("sle", value, first))
        return [implies(positive, between)]
    return []
