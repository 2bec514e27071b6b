"""Proofs that no two threads of a kernel race and that all threads of a block reach the same
barriers.

Two accesses race if two threads execute them, at least one writes, they touch the same byte, they
are not both atomic with a sufficient scope, and no barrier of the block orders them. Barriers order
two accesses of a block unless the last barrier before both is the same one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.analysis.cfg import function_body
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.llvm.accessors import argument_attributes
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.dialects.nvvm.kernel import launch_bounds
from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.encode import Context, Encoder, OutOfTimeError, SmtTerm, refine
from nvvm_xdsl.lab.races.launches import (
    AXES,
    MOST_THREADS,
    Launches,
    definition,
    read_condition,
)
from nvvm_xdsl.lab.races.operations import (
    POINTER_BITS,
    Machine,
    Rules,
    UnmodelledError,
    may_overlap,
)
from nvvm_xdsl.lab.races.terms import LAUNCH, TRUE, Term
from nvvm_xdsl.lab.races.thread import Thread
from nvvm_xdsl.lab.races.trace import (
    ANYWHERE,
    ARGUMENT,
    OPAQUE,
    PARAMETER,
    SHARED,
    Access,
    Intervals,
    Meeting,
    Pointer,
    Root,
    Target,
    Trace,
    is_of_grid,
)
from nvvm_xdsl.lab.validation.smt import z3

MOST_PAIRS: Final = 20_000
"""Maximum number of compared pairs of accesses."""

SMALL_SECONDS: Final = 2.0
"""Time limit in seconds for a query about small launches if the one about all launches has no answer."""

Verdict = Literal["proved", "race", "divergence", "unknown"]


@dataclass(frozen=True)
class Options:
    """Options of a verification.

    Attributes:
        rules: assumptions about the program.
        launches: the launches.
        no_wrap: assume that additions and multiplications of indices do not wrap.
        same_value: whether stores of equal values to one location do not race.
        seconds: time limit in seconds for a kernel.
        query_seconds: time limit in seconds for a query of the solver.
        whole_program: whether pointers to functions were assumed to refer to functions of the module.
    """

    rules: Rules = field(default_factory=Rules)
    launches: Launches = field(default_factory=Launches)
    no_wrap: bool = False
    same_value: bool = False
    seconds: float = 60.0
    query_seconds: float = 10.0
    whole_program: bool = False


@dataclass(frozen=True)
class Witness:
    """A launch and two threads for which a claim fails according to the solver.

    Attributes:
        grid, block: sizes of the launch.
        blocks, threads: positions of the two threads.
        arguments: arguments of the scalar parameters, by name.
    """

    grid: tuple[int, ...]
    block: tuple[int, ...]
    blocks: tuple[tuple[int, ...], tuple[int, ...]]
    threads: tuple[tuple[int, ...], tuple[int, ...]]
    arguments: dict[str, int]


@dataclass
class Finding:
    """A claim that could not be proved.

    Attributes:
        kind: `race` or `divergence`.
        first, second: the accesses, or the barrier.
        witness: a launch in which it may happen; None if the solver gave no answer.
        roots: the objects that are accessed.
        equal_values: whether both accesses store the same value in all launches.
    """

    kind: Literal["race", "divergence"]
    first: Operation
    second: Operation
    witness: Witness | None
    roots: tuple[Root, Root] | None = None
    equal_values: bool = False


@dataclass
class Result:
    """The result of a verification.

    Attributes:
        verdict: `proved`; or `race` or `divergence`, with a finding that was confirmed; or `unknown`.
        reason: the reason why it is unknown.
        place: the op that caused the unknown result.
        findings: possible races and divergent barriers.
        assumptions: conditions on the launches that the proof covers.
    """

    verdict: Verdict
    reason: str = ""
    place: Operation | None = None
    findings: list[Finding] = field(default_factory=list[Finding])
    assumptions: list[str] = field(default_factory=list[str])


Confirm = Callable[[Finding], bool]
"""Whether the simulator reports the error in the launch of the witness."""


def verify_kernel(
    module: ModuleOp, kernel: Operation, options: Options, confirm: Confirm
) -> Result:
    """Verifies a kernel for all launches that the options describe.

    Arguments:
        module: the module, prepared by `preparation.prepare`.
        kernel: the kernel in it.
        confirm: called for each possible error.
    Raises DiagnosticError for an invalid condition.
    """
    verification = _Verification(module, kernel, options, confirm)
    try:
        return verification.run()
    except UnmodelledError as error:
        return Result("unknown", error.reason, error.op)
    except OutOfTimeError:
        return Result("unknown", "the time limit was reached", None, verification.findings)


class _Verification:
    def __init__(
        self, module: ModuleOp, kernel: Operation, options: Options, confirm: Confirm
    ) -> None:
        self.module = module
        self.kernel = kernel
        self.options = options
        self.confirm = confirm
        self.deadline = time.monotonic() + options.seconds
        self.parameters: dict[str, Term] = {}
        self.assumptions: list[str] = []
        self.findings: list[Finding] = []
        self.context = self.new_context()

    def new_context(self) -> Context:
        """An empty set of constraints with the options and the deadline of this run."""
        return Context(assume_no_wrap=self.options.no_wrap, deadline=self.deadline)

    def run(self) -> Result:
        """Executes the kernel and compares its accesses."""
        first = self.execute(None)
        written = frozenset(a.root for a in first.trace.accesses if a.writes)
        machine = self.execute(written)
        self.registers = machine.registers
        self.encoders = (
            Encoder(self.context, "1", "1"),
            Encoder(self.context, "2", "1"),
            Encoder(self.context, "3", "2"),
        )
        for encoder in self.encoders:
            self.context.conditions += self.base(machine, encoder)
        for encoder in self.encoders:
            facts = [encoder.condition(fact) for fact in machine.trace.facts]
            self.context.conditions += facts
        if not self.possible():
            return Result("unknown", "no launch satisfies the conditions")
        return self.judge(machine, machine.trace)

    def possible(self) -> bool:
        """Whether the constraints are satisfiable; otherwise every claim would be proved."""
        solver = z3.Solver()
        solver.add(*self.context.conditions, *self.context.lemmas())
        return self.context.check(solver, self.options.query_seconds) != z3.unsat

    # Execution

    def execute(self, written: frozenset[Root] | None) -> Machine:
        """Executes the kernel symbolically."""
        terms.forget()
        self.context = self.new_context()
        layout = DataLayout.of(self.module)
        rules = self.options.rules
        sizes = self.options.launches.sizes()
        bounds = launch_bounds(self.kernel)
        if bounds.reqntid is not None and self.options.launches.block is None:
            padded = (*bounds.reqntid, 1, 1)
            sizes |= {f"ntid.{axis}": padded[at] for at, axis in enumerate(AXES)}
        rules = Rules(rules.no_alias, rules.pure_externals, tuple(sizes.items()))
        machine = Machine(rules, layout, symbols_of(self.module), written)
        self.parameters = self.bind(machine)
        for op in self.kernel.walk():
            register = special_register(op)
            if register is not None and register.split(".")[0] in (
                "tid",
                "ctaid",
                "ntid",
                "nctaid",
            ):
                if register[-2:] in (".x", ".y", ".z"):
                    machine.position(register)
            if register == "laneid":
                machine.position("tid.x")
        for axis in AXES:
            for name in ("tid", "ctaid"):
                if sizes.get(f"n{name}.{axis}", 2 if axis == "x" else 1) > 1:
                    machine.position(f"{name}.{axis}")
        self.prover = Encoder(self.context, "0", "0")
        self.conditions = self.read_conditions(machine)
        for condition in self.conditions:
            self.context.divisors |= set(map(_divisor, terms.post_order(condition, {}))) - {0, 1}
        self.context.conditions += self.base(machine, self.prover)
        Thread(self.kernel, machine, self.fits).run()
        return machine

    def read_conditions(self, machine: Machine) -> list[Term]:
        """The conditions on the launch; a parameter that an equation defines gets its value."""
        found: list[Term] = []
        for text in self.options.launches.conditions:
            condition = read_condition(text, machine, self.parameters)
            found.append(condition)
            defined = definition(condition, self.parameters)
            if defined is None:
                continue
            name, value = defined
            rename = {self.parameters[name]: value}
            self.parameters[name] = value
            for argument, old in machine.values.items():
                if isinstance(old, Term):
                    machine.values[argument] = terms.substitute(old, rename)
        return found

    def bind(self, machine: Machine) -> dict[str, Term]:
        """Values for the parameters of the kernel; returns the integers by name."""
        found: dict[str, Term] = {}
        for at, argument in enumerate(function_body(self.kernel).blocks[0].args):
            name = argument.name_hint or f"argument {at}"
            attributes = argument_attributes(self.kernel, at)
            zero = terms.const(0, POINTER_BITS)
            if isinstance(argument.type, LLVMPointerType):
                kind = PARAMETER if "llvm.byval" in attributes else ARGUMENT
                root = Root(kind, name, "llvm.noalias" in attributes)
                machine.values[argument] = Pointer((Target(TRUE, root, zero),))
                continue
            width = machine.width(argument.type)
            if width is None:
                machine.values[argument] = OPAQUE
                continue
            found[name] = machine.values[argument] = terms.symbol(name, width, LAUNCH)
        return found

    def base(self, machine: Machine, encoder: Encoder) -> list[SmtTerm]:
        """Constraints on the sizes of the launch and the position of a thread."""
        numbers = {name: encoder.number(term) for name, term in machine.registers.items()}
        found: list[SmtTerm] = []
        for name, number in numbers.items():
            if name.startswith(("tid", "ctaid")):
                found += [number.value >= 0, number.value < numbers["n" + name].value]
        threads = [numbers[f"ntid.{axis}"] for axis in AXES if f"ntid.{axis}" in numbers]
        limit = launch_bounds(self.kernel).max_threads or MOST_THREADS
        product = threads[0] if threads else None
        for number in threads[1:]:
            assert product is not None
            product = encoder.multiply(product, number)
        if product is not None:
            found.append(product.value <= limit)
        if "ntid.x" in numbers and "nctaid.x" in numbers:
            total = encoder.multiply(numbers["nctaid.x"], numbers["ntid.x"])
            found.append(total.value <= (1 << 31) - 1)
        return found + [encoder.condition(condition) for condition in self.conditions]

    def fits(self, conditions: Sequence[Term], claim: Term, addition: Term) -> bool:
        """Whether the value of an addition of one thread is in its range: proved, or assumed."""
        given = [self.prover.condition(condition) for condition in conditions]
        goal = self.prover.condition(claim)
        if self.context.holds_always(z3.Implies(z3.And(*given), goal)):
            return True
        if self.options.no_wrap:
            self.context.assumed.add(addition)
        return self.options.no_wrap

    # Queries

    def judge(self, machine: Machine, trace: Trace) -> Result:
        """Compares all pairs of accesses and checks the barriers."""
        findings = self.findings
        for question in self.questions(machine, trace):
            finding = self.ask(*question)
            if finding is None:
                continue
            findings.append(finding)
            if finding.witness is not None and self.confirm(finding):
                return Result(finding.kind, findings=[finding], assumptions=self.stated(machine))
            finding.equal_values = self.stores_equal(question)
            if len(findings) >= 8:
                break
        if findings:
            return self.undecided(machine, findings)
        return Result("proved", assumptions=self.stated(machine))

    def undecided(self, machine: Machine, findings: list[Finding]) -> Result:
        """The result for errors that were not confirmed."""
        finding = next((f for f in findings if not f.equal_values), findings[0])
        if finding.equal_values:
            reason = "two threads store equal values to the same address; --same-value allows this"
        elif finding.witness is None:
            reason = f"the solver did not decide whether there is a {finding.kind}"
        elif finding.roots is not None and finding.roots[0] != finding.roots[1]:
            first, second = (_root_text(root) for root in finding.roots)
            reason = f"{first} and {second} may overlap"
            if ANYWHERE not in finding.roots:
                reason += "; --assume-no-alias excludes this"
        elif finding.kind == "divergence":
            reason = "threads may not all reach the barrier; no run confirmed it"
        else:
            reason = "the model allows a race, but no run confirmed it"
        if machine.trace.omitted and finding.kind == "race":
            reason += "; synchronization within warps is not modelled"
        return Result("unknown", reason, finding.first, findings, self.stated(machine))

    def stated(self, machine: Machine) -> list[str]:
        """The assumptions as text."""
        found: list[str] = []
        unread = [a for a in AXES if f"tid.{a}" not in machine.registers]
        if unread and self.options.launches.block is None:
            found.append(f"blockDim.{', blockDim.'.join(unread)} = 1 (not read by the kernel)")
        unread = [a for a in AXES if f"ctaid.{a}" not in machine.registers]
        if unread and self.options.launches.grid is None:
            found.append(f"gridDim.{', gridDim.'.join(unread)} = 1 (not read by the kernel)")
        if self.options.rules.no_alias:
            found.append("pointers passed to the kernel do not overlap")
        if self.context.assumed:
            found.append("additions and multiplications of indices do not wrap")
        if self.options.whole_program:
            found.append("pointers to functions refer to functions whose address the module takes")
        found += self.options.launches.conditions
        return found

    def questions(
        self, machine: Machine, trace: Trace
    ) -> Iterator[tuple[SmtTerm, Literal["race", "divergence"], Any, Any, int]]:
        """The conditions of races and divergent barriers; each must be unsatisfiable."""
        one, two, other = self.encoders
        distinct = self.distinct(machine, one, two, "tid")
        elsewhere = self.distinct(machine, one, other, "ctaid")
        for meeting in trace.meetings:
            goal = z3.And(distinct, _diverge(meeting, one, two))
            yield goal, "divergence", meeting, meeting, 1
            if meeting.grid and not z3.is_false(elsewhere):
                goal = z3.And(elsewhere, _diverge(meeting, one, other))
                yield goal, "divergence", meeting, meeting, 2
        near, far = self.tickets(trace, one, two), self.tickets(trace, one, other)
        pairs = list(self.pairs(trace.accesses))
        if len(pairs) > MOST_PAIRS:
            raise UnmodelledError(None, f"there are more than {MOST_PAIRS} pairs of accesses")
        for a, b in pairs:
            same = both_intervals(a.intervals, b.intervals, one, two, grid=False)
            if not z3.is_false(same) and not _ordered_atomics(a, b, "block"):
                goal = z3.And(distinct, same, self.touching(a, b, one, two), *near)
                yield goal, "race", a, b, 1
            if SHARED in (a.root.kind, b.root.kind) or _ordered_atomics(a, b, "device"):
                continue
            same = both_intervals(a.intervals, b.intervals, one, other, grid=True)
            if not z3.is_false(elsewhere) and not z3.is_false(same):
                goal = z3.And(elsewhere, same, self.touching(a, b, one, other), *far)
                yield goal, "race", a, b, 2

    def tickets(self, trace: Trace, one: Encoder, two: Encoder) -> list[SmtTerm]:
        """Atomic additions of positive constants return different values to two threads.

        Nothing else may write the object. That the sum does not wrap is an assumption.
        """
        found: list[SmtTerm] = []
        for a in trace.accesses if self.options.no_wrap else ():
            overlapping = [
                b
                for b in trace.accesses
                if b.writes and may_overlap(a.root, b.root, self.options.rules)
            ]
            if a.ticket is None or not all(_are_tickets(a, b) for b in overlapping):
                continue
            self.context.assumed.add(a.ticket)
            first, place = one.number(a.ticket).value, one.number(a.offset).value
            for b in overlapping:
                assert b.ticket is not None
                executed = z3.And(one.condition(a.guard), two.condition(b.guard))
                same = place == two.number(b.offset).value
                differ = first != two.number(b.ticket).value
                found.append(z3.Implies(z3.And(executed, same), differ))
        return found

    def pairs(self, accesses: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
        """Pairs of accesses that may touch the same memory, one of which writes."""
        for at, a in enumerate(accesses):
            for b in accesses[at:]:
                if (a.writes or b.writes) and may_overlap(a.root, b.root, self.options.rules):
                    yield a, b

    def distinct(self, machine: Machine, one: Encoder, two: Encoder, kind: str) -> SmtTerm:
        """The condition that two positions differ."""
        differ = [
            one.number(term).value != two.number(term).value
            for name, term in machine.registers.items()
            if name.startswith(kind + ".")
        ]
        return z3.Or(*differ)

    def touching(self, a: Access, b: Access, one: Encoder, two: Encoder) -> SmtTerm:
        """The condition that both accesses are executed and touch the same byte."""
        parts = [one.condition(a.guard), two.condition(b.guard)]
        if a.root == b.root and a.root is not ANYWHERE:
            first, second = one.number(a.offset).value, two.number(b.offset).value
            parts += [
                first < second + two.number(b.size).value,
                second < first + one.number(a.size).value,
            ]
        if self.options.same_value:
            parts += _store_different(a, b, one, two)
        return z3.And(*parts)

    def stores_equal(self, question: tuple[SmtTerm, str, Any, Any, int]) -> bool:
        """Whether both accesses are stores, of values that were proved to be equal."""
        goal, kind, a, b, second = question
        if kind != "race" or a.value is None or b.value is None or a.root != b.root:
            return False
        if a.value.width != b.value.width:
            return False
        x, y = self.encoders[0].number(a.value), self.encoders[second].number(b.value)
        same = x.value == y.value if a.value.width > 1 else x == y
        return self.context.holds_always(z3.Implies(goal, same))

    def ask(
        self, goal: SmtTerm, kind: Literal["race", "divergence"], a: Any, b: Any, second: int
    ) -> Finding | None:
        """Queries the solver; None if the condition is unsatisfiable."""
        solver = z3.Solver()
        solver.add(*self.context.conditions, *self.context.lemmas(), goal)
        roots = (a.root, b.root) if isinstance(a, Access) else None
        answer, model = self.check(solver, self.options.query_seconds)
        if answer == z3.unsat:
            return None
        seconds = SMALL_SECONDS if model is None else self.options.query_seconds
        for small in self.small(a, b, second):
            solver.push()
            solver.add(*small)
            answer, better = self.check(solver, seconds)
            solver.pop()
            if answer == z3.sat:
                model = better
                break
        witness = None if model is None else self.witness(model, second)
        return Finding(kind, a.op, b.op, witness, roots)

    def check(self, solver: Any, seconds: float) -> tuple[Any, Any]:
        """Checks a goal; wrong products of a model are excluded."""
        for _ in range(12):
            answer = self.context.check(solver, seconds)
            if answer != z3.sat:
                return answer, None
            model = solver.model()
            lemmas = refine(self.context, model)
            if not lemmas:
                return answer, model
            solver.add(*lemmas)
        return z3.unknown, None

    def small(self, a: Any, b: Any, second: int) -> Iterator[list[SmtTerm]]:
        """Constraints for a launch that runs quickly."""
        sizes: list[SmtTerm] = []
        one_block: list[SmtTerm] = []
        for name, term in self.registers.items():
            number = self.encoders[0].number(term)
            if name.startswith("ntid") and number.low < number.high:
                sizes.append(number.value <= (64 if name.endswith("x") else 8))
            if name.startswith("nctaid") and number.low < number.high:
                sizes.append(number.value <= 2)
                one_block.append(number.value == 1)
        near: list[SmtTerm] = []
        for access, encoder in ((a, self.encoders[0]), (b, self.encoders[second])):
            if isinstance(access, Access):
                offset = encoder.number(access.offset).value
                near += [offset >= 0, offset < 1 << 16]
        scalars: list[SmtTerm] = []
        for term in self.parameters.values():
            if term.width > 1:
                value = self.encoders[0].number(term).value
                scalars += [value >= 0, value <= 4096]
        differ: list[SmtTerm] = []
        if isinstance(a, Access):
            differ = _store_different(a, b, self.encoders[0], self.encoders[second])
        if one_block and second == 1:
            yield [*one_block, *sizes, *near, *scalars, *differ]
        if differ:
            # The race check of a run does not report stores of equal values.
            yield [*sizes, *near, *scalars, *differ]
        yield [*sizes, *near, *scalars]
        yield [*sizes, *near]
        yield sizes
        yield self.fixed_sizes()

    def fixed_sizes(self) -> list[SmtTerm]:
        """One launch, in which many products have a known factor."""
        found: list[SmtTerm] = []
        for name, term in self.registers.items():
            if name.startswith(("ntid", "nctaid")):
                number = self.encoders[0].number(term)
                most = 64 if name == "ntid.x" else 2
                found.append(number.value == max(number.low, min(most, number.high)))
        return found

    def witness(self, model: Any, second: int) -> Witness:
        """The launch of a model."""

        def value(name: str, at: int, default: int) -> int:
            term = self.registers.get(name)
            if term is None:
                return default
            number = self.encoders[at].number(term)
            return model.eval(number.value, model_completion=True).as_long()

        def three(kind: str, at: int, default: int) -> tuple[int, ...]:
            return tuple(value(f"{kind}.{axis}", at, default) for axis in AXES)

        arguments: dict[str, int] = {}
        for name, term in self.parameters.items():
            number = self.encoders[0].number(term)
            found = model.eval(number.value if term.width > 1 else number, model_completion=True)
            arguments[name] = found.as_long() if term.width > 1 else int(z3.is_true(found))
        return Witness(
            three("nctaid", 0, 1),
            three("ntid", 0, 1),
            (three("ctaid", 0, 0), three("ctaid", second, 0)),
            (three("tid", 0, 0), three("tid", second, 0)),
            arguments,
        )


def _divisor(condition: Term) -> int:
    """The constant of `n % constant == 0`; 0 for other conditions."""
    if condition.op != "eq":
        return 0
    for rest, zero in (condition.args, condition.args[::-1]):
        if rest.op == "srem" and rest.args[1].op == "const" and zero is terms.const(0, zero.width):
            return abs(rest.args[1].data)
    return 0


def _root_text(root: Root) -> str:
    return root.name if root is ANYWHERE else f"'{root.name}'"


def _ordered_atomics(a: Access, b: Access, scope: str) -> bool:
    """Whether both accesses are atomic with a scope that includes the other thread."""
    wide = ("device", "system") if scope == "device" else ("block", "cluster", "device", "system")
    same = a.size is b.size and a.scope in wide and b.scope in wide
    return same


def _are_tickets(a: Access, b: Access) -> bool:
    """Whether both accesses are atomic additions of positive constants to elements of one array."""
    if a.ticket is None or b.ticket is None:
        return False
    return a.root == b.root and a.ticket.width == b.ticket.width


def _store_different(a: Access, b: Access, one: Encoder, two: Encoder) -> list[SmtTerm]:
    """The condition that two stores have different values; empty if a value is not modelled."""
    if a.value is None or b.value is None or a.value.width != b.value.width:
        return []
    x, y = one.number(a.value), two.number(b.value)
    return [x.value != y.value if a.value.width > 1 else z3.Xor(x, y)]


def _diverge(meeting: Meeting, one: Encoder, two: Encoder) -> SmtTerm:
    """The condition that one thread reaches a barrier and the other one does not."""
    same = [
        one.number(term).value == two.number(term).value
        for term in meeting.iterations
        if term.op != "const"
    ]
    return z3.And(*same, one.condition(meeting.guard), z3.Not(two.condition(meeting.guard)))


def both_intervals(
    a: Intervals, b: Intervals, one: Encoder, two: Encoder, *, grid: bool
) -> SmtTerm:
    """The condition that the last barrier before two accesses is the same: that of a block, or that of
    the launch."""
    cases: list[SmtTerm] = []
    for (op, first), left in a.items():
        if is_of_grid((op, first)) != grid:
            continue
        for (other, second), right in b.items():
            if op != other or len(first) != len(second):
                continue
            if any(x.op == y.op == "const" and x is not y for x, y in zip(first, second)):
                continue
            same = [one.number(x).value == two.number(y).value for x, y in zip(first, second)]
            cases.append(z3.And(*same, one.condition(left), two.condition(right)))
    return z3.Or(*cases) if cases else z3.BoolVal(False)
