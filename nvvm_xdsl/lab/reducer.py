"""Reduction of failing modules, like `mlir-reduce` and `llvm-reduce`.

Each kind of reduction lists its candidates for removal, by number. The numbers are tried in chunks
that are halved while nothing can be removed (Zeller and Hildebrandt, "Simplifying and Isolating
Failure-Inducing Input"). A candidate must be valid and still fail; there is no other requirement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.llvm import ConstantOp, ZeroOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

StillFails = Callable[[ModuleOp], bool]

MAX_ITERATIONS = 10

_FLAGS = {
    "overflowFlags",
    "isExact",
    "nonNeg",
    "isDisjoint",
    "noWrapFlags",
    "inbounds",
    "fastmathFlags",
    "samesign",
}


def functions_of(module: ModuleOp) -> list[Operation]:
    """The functions with a body."""
    return [
        op
        for op in module.ops
        if op.name in ("llvm.func", "nvptx.func")
        and op.regions
        and op.regions[0].first_block is not None
    ]


def _zero(value: SSAValue, function: Operation) -> SSAValue:
    """A zero of a value's type at the start of its function."""
    type_: Attribute = value.type
    if type(type_) is IntegerType:
        properties: dict[str, Attribute] = {"value": int_attr(0, type_)}
        op = fast.create(ConstantOp, (), (type_,), properties)
    else:
        op = fast.create(ZeroOp, (), (type_,))
    entry = function.regions[0].first_block
    assert entry is not None
    fast.prepend(entry, op)
    return op.results[0]


def _function_of(op: Operation) -> Operation:
    current = op
    while current.name not in ("llvm.func", "nvptx.func"):
        parent = current.parent_op()
        assert parent is not None
        current = parent
    return current


def _body_ops(module: ModuleOp) -> list[Operation]:
    """The ops of all bodies, except for terminators, last first."""
    found: list[Operation] = []
    for function in functions_of(module):
        for block in fast.blocks_of(function.regions[0]):
            found += [op for op in fast.ops_of(block) if op is not block.last_op]
    found.reverse()
    return found


# Each reduction: the number of candidates, and the removal of some of them.


@dataclass(frozen=True)
class Reduction:
    """A kind of reduction."""

    name: str
    count: Callable[[ModuleOp], int]
    apply: Callable[[ModuleOp, frozenset[int]], None]


def _symbols(module: ModuleOp) -> list[Operation]:
    return [op for op in module.ops if symbol_name(op) is not None]


def _drop_symbols(module: ModuleOp, chosen: frozenset[int]) -> None:
    for i, op in enumerate(_symbols(module)):
        if i in chosen:
            op.detach()


def _drop_ops(module: ModuleOp, chosen: frozenset[int]) -> None:
    for i, op in enumerate(_body_ops(module)):
        if i not in chosen or (op.name in ("llvm.mlir.constant", "llvm.mlir.zero") and _used(op)):
            continue
        function = _function_of(op)
        for result in op.results:
            if result.first_use is None:
                continue
            same = [v for v in fast.operands_of(op) if v.type == result.type]
            fast.replace_all_uses(result, same[0] if same else _zero(result, function))
        fast.erase(op)


def _used(op: Operation) -> bool:
    return any(r.first_use is not None for r in op.results)


def _branch_points(module: ModuleOp) -> list[tuple[Block, int]]:
    """Terminators with several successors, and the successor to keep."""
    found: list[tuple[Block, int]] = []
    for function in functions_of(module):
        for block in fast.blocks_of(function.regions[0]):
            last = block.last_op
            if last is not None and len(fast.successors_of(last)) > 1:
                found += [(block, i) for i in range(len(fast.successors_of(last)))]
    return found


def _straighten(module: ModuleOp, chosen: frozenset[int]) -> None:
    done: set[Block] = set()
    for i, (block, successor) in enumerate(_branch_points(module)):
        if i not in chosen or block in done:
            continue
        done.add(block)
        last = branches.terminator_of(block)
        target, values = branches.edges_of(last)[successor]
        fast.erase(last)
        fast.append(block, branches.branch(target, values))
    for function in functions_of(module):
        remove_unreachable(function.regions[0])


def remove_unreachable(region: Region) -> None:
    """Erases unreachable blocks."""
    entry = region.first_block
    if entry is None:
        return
    reached = {entry}
    work = [entry]
    while work:
        last = work.pop().last_op
        for successor in fast.successors_of(last) if last is not None else ():
            if successor not in reached:
                reached.add(successor)
                work.append(successor)
    dead = [block for block in fast.blocks_of(region) if block not in reached]
    for block in dead:
        for op in list(fast.ops_of(block)):
            fast.drop_uses(op)
    for block in dead:
        for op in list(fast.ops_of(block)):
            fast.detach(op)
        fast.detach_block(block)


def _joints(module: ModuleOp) -> list[Block]:
    """Blocks whose only predecessor has no other successor."""
    found: list[Block] = []
    for function in functions_of(module):
        for block in fast.blocks_of(function.regions[0]):
            before = fast.predecessors_of(block)
            if len(before) == 1 and before[0] is not block:
                last = before[0].last_op
                if last is not None and last.name == "llvm.br":
                    found.append(block)
    return found


def _join(module: ModuleOp, chosen: frozenset[int]) -> None:
    for i, block in enumerate(_joints(module)):
        if i not in chosen:
            continue
        before = fast.predecessors_of(block)[0]
        last = branches.terminator_of(before)
        ((_, values),) = branches.edges_of(last)
        for argument, value in zip(block.args, values):
            fast.replace_all_uses(argument, value)
        fast.erase(last)
        fast.splice_ops(block, before)
        fast.detach_block(block)


def _operand_places(module: ModuleOp) -> list[tuple[Operation, int]]:
    found: list[tuple[Operation, int]] = []
    for function in functions_of(module):
        for block in fast.blocks_of(function.regions[0]):
            for op in fast.ops_of(block):
                for i, value in enumerate(fast.operands_of(op)):
                    owner = value.owner
                    simple = isinstance(owner, Operation) and owner.name in (
                        "llvm.mlir.constant",
                        "llvm.mlir.zero",
                    )
                    if not simple:
                        found.append((op, i))
    return found


def _zero_operands(module: ModuleOp, chosen: frozenset[int]) -> None:
    for i, (op, index) in enumerate(_operand_places(module)):
        if i in chosen:
            value = fast.operands_of(op)[index]
            fast.set_operand(op, index, _zero(value, _function_of(op)))


def _attribute_places(module: ModuleOp) -> list[tuple[Operation, bool, str]]:
    found: list[tuple[Operation, bool, str]] = []
    for op in module.walk():
        if op is module:
            continue
        found += [(op, False, name) for name in op.attributes if name != "nvvm.kernel"]
        found += [
            (op, True, name)
            for name in op.properties
            if name in _FLAGS and not _is_plain(op.properties[name])
        ]
        if op.name == "llvm.func":
            optional = (
                "arg_attrs",
                "res_attrs",
                "passthrough",
                "memory_effects",
                "no_unwind",
                "will_return",
            )
            found += [(op, True, name) for name in optional if name in op.properties]
    return found


def _is_plain(attribute: Attribute) -> bool:
    if isinstance(attribute, IntegerAttr):
        return attribute.value.data == 0
    return "none" in str(attribute)


def _drop_attributes(module: ModuleOp, chosen: frozenset[int]) -> None:
    for i, (op, is_property, name) in enumerate(_attribute_places(module)):
        if i not in chosen:
            continue
        if not is_property:
            del op.attributes[name]
            continue
        old = op.properties[name]
        if type(old) is IntegerAttr:
            op.properties[name] = int_attr(0, old.type)
        elif name in ("overflowFlags", "fastmathFlags"):
            op.properties[name] = type(old)("none")  # pyright: ignore[reportCallIssue]
        else:
            del op.properties[name]


REDUCTIONS: tuple[Reduction, ...] = (
    Reduction("symbols", lambda m: len(_symbols(m)), _drop_symbols),
    Reduction("branches", lambda m: len(_branch_points(m)), _straighten),
    Reduction("ops", lambda m: len(_body_ops(m)), _drop_ops),
    Reduction("blocks", lambda m: len(_joints(m)), _join),
    Reduction("operands", lambda m: len(_operand_places(m)), _zero_operands),
    Reduction("attributes", lambda m: len(_attribute_places(m)), _drop_attributes),
)


def is_valid(module: ModuleOp) -> bool:
    """Returns True if a candidate can be printed."""
    try:
        verify_ops(module)
        verify_module(module)
    except Exception:
        return False
    return True


@dataclass
class Reducer:
    """Reduces one module.

    Arguments:
        still_fails: whether a candidate still shows the failure.
        progress: called with a description after each accepted candidate.
        attempts: maximum number of tested candidates.
    """

    still_fails: StillFails
    progress: Callable[[str], None] = lambda _: None
    attempts: int = 5000
    tried: int = field(default=0, init=False)
    _known: dict[str, bool] = field(default_factory=dict[str, bool], init=False)
    """The results of earlier tests by the candidate's text."""

    def reduce(self, module: ModuleOp) -> ModuleOp:
        """The smallest module found; `module` is not changed.

        Raises ValueError if the original module does not fail.
        """
        if not self.still_fails(module):
            raise ValueError("the module does not fail")
        for _ in range(MAX_ITERATIONS):
            before = size_of(module)
            for reduction in REDUCTIONS:
                module = self._shrink(module, reduction)
            if size_of(module) == before or self.tried >= self.attempts:
                break
        return module

    def _shrink(self, module: ModuleOp, reduction: Reduction) -> ModuleOp:
        chunk = max(1, reduction.count(module))
        while chunk >= 1 and self.tried < self.attempts:
            at, kept = 0, False
            while at < reduction.count(module) and self.tried < self.attempts:
                candidate = fast.clone(module)
                reduction.apply(candidate, frozenset(range(at, at + chunk)))
                smaller = size_of(candidate) < size_of(module) or (
                    size_of(candidate) == size_of(module)
                    and reduction.count(candidate) < reduction.count(module)
                )
                if smaller and is_valid(candidate) and self._fails(candidate):
                    module, kept = candidate, True
                    self.progress(f"{size_of(module)[0]} ops after removing {reduction.name}")
                else:
                    at += chunk
            if not kept or chunk == 1:
                chunk //= 2
        return module

    def _fails(self, candidate: ModuleOp) -> bool:
        """Tests a candidate, unless one with the same text has been tested."""
        text = ir_text(candidate)
        if text not in self._known:
            self.tried += 1
            self._known[text] = self.still_fails(candidate)
        return self._known[text]


def size_of(module: ModuleOp) -> tuple[int, int]:
    """The size of a module: the number of ops that are not constants, then the number of all
    details."""
    ops = 0
    rest = 0
    for op in module.walk():
        if op.name not in ("llvm.mlir.constant", "llvm.mlir.zero"):
            ops += 1
            rest += len(op.attributes) + len(fast.operands_of(op))
    return ops, rest


def reduce_module(
    module: ModuleOp, still_fails: StillFails, progress: Callable[[str], None] | None = None
) -> ModuleOp:
    """The smallest module found that still fails. Raises ValueError if the original does not
    fail."""
    return Reducer(still_fails, progress or (lambda _: None)).reduce(module)
