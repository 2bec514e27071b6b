"""Validates that functions of one module refine those of the same names in another."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp, LLVMPointerType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    defined_name,
    function_type_of,
    integer_of,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.function_attributes import IEEE, denormal_mode, passthrough_of
from nvvm_xdsl.dialects.llvm.symbols import is_declaration, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.validation.attribute_obligations import unjustified
from nvvm_xdsl.lab.validation.encoder import Encoder, Graph, Summary
from nvvm_xdsl.lab.validation.objects import LocalObjects, allocas_of, escapes, shape_of
from nvvm_xdsl.lab.validation.refinement import Claim, Outcome
from nvvm_xdsl.lab.validation.scope import Inputs, Scope, TooManyChoicesError, input_leaf
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.smt_memory import LocalObject, Memory, assume_readable, initial_memory
from nvvm_xdsl.lab.validation.statements import Shared, outside_range, shared_between
from nvvm_xdsl.lab.validation.values import (
    NEVER,
    Leaf,
    Term,
    UnsupportedError,
    Value,
    either,
    scalars_of,
)

Status = Literal["proved", "bounded", "refuted", "unsupported", "unknown"]


@dataclass(frozen=True)
class Limits:
    """The limits of the proof of a function.

    Arguments:
        query_seconds: time limit for one query of a solver, in seconds of processor time.
        seconds: time limit for one function, in seconds of processor time.
        unroll: number of back edges that are followed if induction fails.
    """

    query_seconds: float = 10.0
    seconds: float = 30.0
    unroll: int = 4


@dataclass
class Verdict:
    """The result for a function.

    Arguments:
        function: its name.
        status: `proved`; `bounded`: proved up to the unroll bound; `refuted`; `unsupported`: the
            functions contain a construct that is not modelled; `unknown`: no answer in time.
        reason: why it is unsupported, or how it was refuted.
        model: the values of variables in a counterexample.
        arguments: the names of the variables of each argument.
    """

    function: str
    status: Status
    reason: str = ""
    model: Mapping[str, Any] = field(default_factory=dict[str, Any])
    arguments: list[list[str]] = field(default_factory=list[list[str]])


def validate(
    before: ModuleOp, after: ModuleOp, limits: Limits, names: Sequence[str] | None = None
) -> Iterator[Verdict]:
    """Compares the functions that both modules define.

    A function that the optimized module lacks is not compared, because its callers were changed as
    well.

    Arguments:
        names: the functions to compare; None for all.
    """
    symbols = symbols_of(after)
    for op in list(before.ops):
        if op.name != "llvm.func" or is_declaration(op):
            continue
        name = defined_name(op)
        if names and name not in names:
            continue
        other = symbols.get(name)
        if other is None or other.name != "llvm.func" or is_declaration(other):
            continue
        yield validate_function(op, before, other, after, limits)


def validate_function(
    before: Operation, module: ModuleOp, after: Operation, optimized: ModuleOp, limits: Limits
) -> Verdict:
    """Compares a function before and after optimization."""
    name = defined_name(before)
    deadline = time.thread_time() + limits.seconds
    try:
        _check_signatures(before, after)
        pair = _Pair((before, module), (after, optimized), limits)
        return _with_attributes(pair.verdict(name, deadline), before, after, optimized)
    except UnsupportedError as error:
        return Verdict(name, "unsupported", str(error))
    except z3.Z3Exception as error:
        return Verdict(name, "unsupported", f"encoding failed: {error}")


def _check_signatures(before: Operation, after: Operation) -> None:
    if function_type_of(before) != function_type_of(after):
        raise UnsupportedError("changed signature")
    if function_type_of(before).is_variadic:
        raise UnsupportedError("variadic function")
    for op in (before, after):
        if "null_pointer_is_valid" in passthrough_of(op):
            raise UnsupportedError("null_pointer_is_valid")
        if any(denormal_mode(op, single=single) != IEEE for single in (False, True)):
            raise UnsupportedError("denormals flushed to zero")


def _with_attributes(
    verdict: Verdict, before: Operation, after: Operation, module: ModuleOp
) -> Verdict:
    """The verdict; `unsupported` if an attribute of the optimized function does not follow."""
    if verdict.status in ("proved", "bounded"):
        missing = unjustified(before, after, module)
        if missing:
            text = f"the body is proved, but not {missing}"
            return Verdict(verdict.function, "unsupported", text)
    return verdict


class _Pair:
    """A function before and after optimization, encoded together."""

    def __init__(
        self, before: tuple[Operation, ModuleOp], after: tuple[Operation, ModuleOp], limits: Limits
    ) -> None:
        self._functions = (before, after)
        self._limits = limits
        self._layout = DataLayout.of(before[1])
        if DataLayout.of(after[1]).text != self._layout.text or self._layout.text.startswith("E"):
            raise UnsupportedError("data layout")
        self._allocas = [allocas_of(before[0]), allocas_of(after[0])]
        self._weak: dict[str, None] = {}
        self._private: list[int] = []
        self._kept: set[Operation] | None = None

    def verdict(self, name: str, deadline: float) -> Verdict:
        """Proves the claim by induction over loops, or for unrolled loops."""
        graphs = [Graph.of(function) for function, _ in self._functions]
        if not any(graph.headers for graph in graphs):
            return self._proof(name, None, deadline)
        if self._loops_correspond(graphs):
            try:
                found = self._proof(name, None, deadline)
                if found.status == "proved":
                    return found
            except UnsupportedError:
                pass
        found = self._proof(name, self._limits.unroll, deadline)
        return found

    def _loops_correspond(self, graphs: list[Graph]) -> bool:
        shapes = [[[a.type for a in h.args] for h in g.headers] for g in graphs]
        if shapes[0] != shapes[1]:
            return False
        return not any(self._allocas) or self._allocas_correspond()

    def _allocas_correspond(self) -> bool:
        shapes = [shape_of(allocas, self._layout) for allocas in self._allocas]
        return shapes[0] == shapes[1]

    def _proof(self, name: str, bound: int | None, deadline: float) -> Verdict:
        """The verdict on refinement, or if it is not proved, on weaker claims."""
        seconds = min(self._limits.query_seconds, max(0.5, deadline - time.thread_time()))
        try:
            claim, arguments = self._claim(bound)
        except TooManyChoicesError:
            weaker, arguments = self._claim(bound, undef=False, origins=False)
            found = self._judged(name, weaker.prove(seconds), arguments)
            return _weakened(found, "undef bits of inputs")
        outcome = claim.with_candidates(seconds)
        if outcome.answer == "unsat":
            return self._proved(name, claim, bound, seconds)
        weaker, _ = self._claim(bound, undef=False, origins=False)
        found = self._judged(name, weaker.prove(seconds), arguments)
        if found.status != "proved":
            return found
        seconds = min(seconds, max(0.5, deadline - time.thread_time()))
        if claim.with_any_choice(seconds).answer == "unsat":
            return self._proved(name, claim, bound, seconds)
        weaker, _ = self._claim(bound, origins=False)
        found = self._judged(name, weaker.prove(seconds), arguments)
        if found.status in ("refuted", "proved"):
            return _weakened(found, "origins of pointers")
        return Verdict(name, "unsupported", "proved only apart from undef bits of inputs")

    def _proved(self, name: str, claim: Claim, bound: int | None, seconds: float) -> Verdict:
        if bound is None or claim.is_complete(seconds):
            return Verdict(name, "proved")
        return Verdict(name, "bounded", f"for at most {bound} iterations of all loops")

    def _judged(self, name: str, outcome: Outcome, arguments: list[list[str]]) -> Verdict:
        if outcome.answer == "unsat":
            return Verdict(name, "proved")
        if self._weak:
            return Verdict(name, "unsupported", ", ".join(sorted(self._weak)))
        if outcome.answer == "unknown":
            return Verdict(name, "unknown", "no answer in time")
        return Verdict(name, "refuted", "", outcome.model, arguments)

    def _claim(
        self, bound: int | None, *, undef: bool = True, origins: bool = True
    ) -> tuple[Claim, list[list[str]]]:
        """The claim, and the names of the arguments' variables.

        A first encoding finds ops with fast-math flags in the original that the optimized function
        does not contain.
        """
        shared, claim, names = self._encoded(bound, undef, origins)
        if self._kept is None and shared.loose - shared.matched:
            self._kept = shared.matched
            shared, claim, names = self._encoded(bound, undef, origins)
        return claim, names

    def _encoded(
        self, bound: int | None, undef: bool, origins: bool
    ) -> tuple[Shared, Claim, list[list[str]]]:
        inputs = Inputs(self._layout, undef, origins)
        shared = shared_between(inputs, *self._functions[1])
        shared.kept = self._kept
        memory = initial_memory(inputs)
        shared.memories.append(memory.main)
        arguments: list[Value] = []
        names: list[list[str]] = []
        same_objects = self._allocas_correspond()
        summaries: list[Summary] = []
        dead: list[LocalObject] = []
        for (function, module), allocas in zip(self._functions, self._allocas):
            is_target = bool(summaries)
            scope = Scope(inputs, is_target)
            prefix = "" if same_objects else "after: " if is_target else "before: "
            objects = LocalObjects(inputs, allocas, prefix)
            dead += [item for item in objects.by_number.values() if item.escapes]
            arguments, names = _arguments(scope, self._functions[0][0], memory)
            encoder = Encoder(function, module, scope, shared, objects, bound)
            summaries.append(encoder.encode(arguments, memory))
        for main in shared.memories:
            shared.symbols.constrain(main)
        if _observes_addresses(self._allocas, same_objects):
            if any(_has_lifetime(alloca) for side in self._allocas for alloca in side):
                raise UnsupportedError("address of a local object with lifetime markers")
            summaries[0].scope.approximate("address of a local object")
        self._weak = {**summaries[0].scope.weak, **summaries[1].scope.weak}
        for index in range(len(arguments)):
            if "llvm.noalias" in argument_attributes(self._functions[0][0], index):
                self._weak["noalias argument"] = None
        before, after = summaries
        private = range(len(self._allocas[0])) if same_objects else ()
        return shared, Claim(before, after, inputs, private, shared.memories, dead), names


def _weakened(verdict: Verdict, left_out: str) -> Verdict:
    """The verdict on a weaker claim, whose proof does not prove the function."""
    if verdict.status != "proved":
        return verdict
    return Verdict(verdict.function, "unsupported", f"proved only apart from {left_out}")


def _has_lifetime(alloca: Operation) -> bool:
    users = fast.users_of(alloca.results[0])
    return any(user.name.startswith("llvm.intr.lifetime") for user in users)


def _observes_addresses(allocas: list[list[Operation]], same_objects: bool) -> bool:
    """Whether the functions depend on the addresses of local objects, which a compiler may choose."""
    found = [alloca for side in allocas for alloca in side]
    if not same_objects and any(escapes(alloca) for alloca in found):
        return True
    return any(
        user.name in ("llvm.icmp", "llvm.ptrtoint")
        for alloca in found
        for user in fast.users_of(alloca.results[0])
    )


def _arguments(
    scope: Scope, func: Operation, memory: Memory
) -> tuple[list[Value], list[list[str]]]:
    """The function's arguments as variables, with assumptions from their attributes."""
    assert isinstance(func, FuncOp)
    block = func.regions[0].first_block
    assert block is not None
    values: list[Value] = []
    names: list[list[str]] = []
    for index, argument in enumerate(block.args):
        facts = argument_attributes(func, index)
        base = argument.name_hint or f"argument {index}"
        scalars = scalars_of(argument.type)
        leaves: list[Leaf] = []
        listed: list[str] = []
        for n, scalar in enumerate(scalars):
            name = f"%{base}" if len(scalars) == 1 else f"%{base}[{n}]"
            listed.append(name)
            leaves.append(_argument(scope, name, scalar, facts, memory))
        values.append(tuple(leaves))
        names.append(listed)
    return values, names


_DEFINED = ("llvm.noundef", "llvm.dereferenceable", "llvm.byval", "llvm.sret")
"""Attributes that exclude undef and poison for an argument."""


def _argument(
    scope: Scope, name: str, type_: Attribute, facts: Mapping[str, Any], memory: Memory
) -> Leaf:
    """A scalar of an argument. A violated fact makes it poison."""
    is_defined = any(fact in facts for fact in _DEFINED)
    leaf = input_leaf(scope, name, type_, may_be_undef=not is_defined)
    poison, bits = NEVER if is_defined else leaf.poison, leaf.bits
    violated: list[Term] = []
    if "llvm.range" in facts:
        violated.append(outside_range(bits, facts["llvm.range"]))
    if isinstance(type_, LLVMPointerType):
        if "llvm.nonnull" in facts:
            violated.append(bits == 0)
        align = integer_of(facts.get("llvm.align")) or 1
        if align > 1:
            violated.append(bits & (align - 1) != 0)
        size = integer_of(facts.get("llvm.dereferenceable")) or 0
        assume_readable(scope.inputs, memory.main, bits, size, poison)
    if is_defined:
        scope.inputs.assumptions += [z3.Not(condition) for condition in violated]
        return replace(leaf, poison=NEVER)
    for condition in violated:
        poison = either(poison, condition)
    return replace(leaf, poison=poison)
