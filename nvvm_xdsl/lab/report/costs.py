"""Costs of the code by source line: memory accesses, local memory, occupancy.

Accesses are those of the optimized IR, as `analysis.memory.warp_accesses` computes them. Decisions
of ptxas are taken from ptxas if it is available. (CUDA C++ Best Practices Guide, "Device Memory
Spaces", "Occupancy".)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects.llvm import FuncOp, InlineAsmOp, LoadOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.machine.occupancy import MAX_REGISTERS, multiprocessor, occupancy
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.local_memory import LocalMemory
from nvvm_xdsl.analysis.memory.warp_accesses import WarpAccess, WarpAccesses
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.scev.access_strategies import SECTOR_BYTES
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.effects import WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import assembly_of, symbol_name
from nvvm_xdsl.dialects.llvm.branches import incoming_values
from nvvm_xdsl.dialects.nvvm.kernel import launch_bounds
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.demangle import readable
from nvvm_xdsl.ir.locations import Place, place_of
from nvvm_xdsl.ir.nvptx import SHARED, WARP_SIZE
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.lab.assembled import Kernel
from nvvm_xdsl.lab.profile_report import is_system_header
from nvvm_xdsl.simulator.execution.sanitizer import user_place

ASSUMED_THREADS = 256
"""Assumed number of threads of a block if a kernel states no bound."""

FEWEST_REGISTERS = 16
"""Minimum number of registers for which steps of occupancy are computed."""

DATA_DEPENDENT = "unknown, data-dependent"

TRIP_DEPENDENT = "unknown, the threads leave an earlier loop in different iterations"

_LOCAL_NAME = re.compile(r"^_ZZ.*E(\d+)([A-Za-z_]\w*)$")

_ASSEMBLY_ACCESS = re.compile(
    r"(?<![\w.])(?:ld|st|atom|red)\.(?:\w+\.|\w+::\w+\.)*(?:global|shared)"
)

_UNROLLED = re.compile(r"unrolled loop by a factor of (\d+) with run-time trip count")
"""A remark of `loop-unroll`."""

GOOD, POOR, UNKNOWN = "good", "poor", "unknown"


@dataclass(frozen=True)
class AccessCost:
    """One access of a warp to global or shared memory.

    Attributes:
        kind: `load`, `store` or `update`.
        space: `global` or `shared`.
        size: bytes of one thread.
        array: the base of the address; empty if unknown.
        pattern: a description of the distances between the addresses of a warp's threads.
        sectors: number of 32-byte sectors of a request to global memory; None if unknown.
        least: number of sectors of the same number of contiguous bytes.
        ways: number of accesses to the most accessed bank of shared memory; None if unknown.
        verdict: `good`, `poor` or `unknown`.
    """

    function: str
    place: Place
    kind: str
    space: str
    size: int
    array: str
    pattern: str
    sectors: int | None
    least: int
    ways: int | None
    verdict: str

    @property
    def cost(self) -> str:
        """A description of the cost."""
        if self.space == "shared":
            if self.ways is None:
                return "conflicts unknown"
            return "no bank conflict" if self.ways == 1 else f"{self.ways}-way bank conflict"
        if self.sectors is None:
            return "sectors unknown"
        return f"{self.sectors} sector{'' if self.sectors == 1 else 's'} a request, {self.least} at best"


@dataclass(frozen=True)
class Cause:
    """The reason for which a variable is in memory, with its location."""

    text: str
    place: Place


@dataclass(frozen=True)
class LocalCost:
    """A variable in local memory.

    Attributes:
        size: size in bytes; None if it is only known at run time.
        verdict: `in memory` if ptxas keeps it in local memory, `in part` if ptxas moved some of the
            function's variables to registers, `not checked` without ptxas. Variables that ptxas
            moved to registers completely are omitted.
    """

    function: str
    place: Place
    kind: str
    name: str
    size: int | None
    causes: tuple[Cause, ...]
    verdict: str


@dataclass(frozen=True)
class KernelFacts:
    """A kernel: its name, its location, and its maximum number of threads of a block if stated."""

    name: str
    place: Place
    max_threads: int | None

    @classmethod
    def of(cls, func: Operation) -> KernelFacts:
        """The facts of an `llvm.func`."""
        return cls(symbol_name(func) or "", place_of(func), launch_bounds(func).max_threads)


@dataclass(frozen=True)
class Step:
    """The maximum amount of a resource that permits this many warps on a multiprocessor."""

    amount: int
    warps: int


@dataclass(frozen=True)
class OccupancyCost:
    """The occupancy of a kernel, and the changes that would affect it.

    Attributes:
        registers: number of registers of a thread.
        measured: whether the number is that of ptxas; otherwise it is the maximum of live registers
            in the PTX.
        threads: number of threads of a block, stated by the kernel (`stated`) or assumed.
        shared: bytes of shared memory of a block that the module declares.
        most_warps: maximum number of resident warps of a multiprocessor.
        register_steps, shared_steps: steps of occupancy, from the smallest amount up to the largest
            with which a block can run.
    """

    function: str
    place: Place
    registers: int
    measured: bool
    threads: int
    stated: bool
    shared: int
    blocks: int
    warps: int
    most_warps: int
    limit: str
    register_steps: tuple[Step, ...]
    shared_steps: tuple[Step, ...]

    @property
    def advice(self) -> str:
        """The occupancy with less of the limiting resource."""
        if self.limit == "registers":
            better = [s for s in self.register_steps if s.warps > self.warps]
            if better:
                step = max(better, key=lambda s: s.amount)
                less = self.registers - step.amount
                return (
                    f"{less} fewer register{'' if less == 1 else 's'} ({step.amount}) "
                    f"would allow {step.warps} warps"
                )
        if self.limit == "shared memory":
            better = [s for s in self.shared_steps if s.warps > self.warps]
            if better:
                step = max(better, key=lambda s: s.amount)
                return f"{self.shared - step.amount} fewer bytes ({step.amount}) would allow {step.warps} warps"
        return f"limited by {self.limit}: fewer registers would not help"


@dataclass(frozen=True)
class LoopCost:
    """A loop whose trip count is known at run time only, and the decision of `loop-unroll`.

    Attributes:
        factor: unroll factor; 1 if the loop is not unrolled.
        reason: the reason why it is not unrolled; empty if it is.
    """

    function: str
    place: Place
    factor: int
    reason: str = ""

    @property
    def decision(self) -> str:
        """The decision in words."""
        return "not unrolled" if self.factor == 1 else f"unrolled by {self.factor}"

    @property
    def advice(self) -> str:
        """The effect on a launch, and the pragma that changes it."""
        if self.factor == 1:
            return f"{self.reason}; `#pragma unroll 4` unrolls it"
        return (
            f"the last 1 to {self.factor - 1} iterations of a thread run one at a time;"
            f" with fewer than {self.factor} iterations, `#pragma unroll 1` costs less"
        )


@dataclass
class Costs:
    """The costs of a module."""

    arch: str = ""
    accesses: list[AccessCost] = field(default_factory=list[AccessCost])
    locals: list[LocalCost] = field(default_factory=list[LocalCost])
    occupancy: list[OccupancyCost] = field(default_factory=list[OccupancyCost])
    loops: list[LoopCost] = field(default_factory=list[LoopCost])
    notes: list[str] = field(default_factory=list[str])


def accesses_of(func: FuncOp, am: AnalysisManager) -> list[AccessCost]:
    """The accesses of a function to global and shared memory, by line."""
    uniformity, loops = am.get(Uniformity, func), am.get(LoopInfo, func)
    found = [
        _access_cost(access, symbol_name(func) or "", uniformity, loops)
        for access in am.get(WarpAccesses, func).accesses
    ]
    found.sort(key=lambda cost: (cost.place.file or "", cost.place.line or 0))
    return found


def assembly_notes(func: FuncOp) -> list[str]:
    """A note if a function accesses memory in inline assembly, as Triton's kernels do."""
    count = sum(
        len(_ASSEMBLY_ACCESS.findall(assembly_of(op)))
        for op in func.walk()
        if type(op) is InlineAsmOp
    )
    if not count:
        return []
    name = readable(symbol_name(func) or "")
    return [f"{name}: {count} memory accesses in inline assembly are not analysed; nvvm-run --profile counts them"]  # fmt: skip


def _access_cost(
    access: WarpAccess, function: str, uniformity: Uniformity, loops: LoopInfo
) -> AccessCost:
    shared = access.space == SHARED
    sectors = None if shared else access.transactions
    ways = access.degree if shared else None
    if (ways if shared else sectors) is None:
        verdict = UNKNOWN
    elif shared:
        verdict = GOOD if ways == 1 else POOR
    else:
        verdict = GOOD if access.is_coalesced else POOR
    is_load = type(access.op) is LoadOp or not effects(access.op) & WRITES
    kind = "load" if is_load else "update" if access.op.results else "store"
    least = max(1, WARP_SIZE * access.size // SECTOR_BYTES)
    return AccessCost(
        function,
        user_place(access.op, is_system_header),
        kind,
        "shared" if shared else "global",
        access.size,
        _array_of(access),
        pattern_of(access, uniformity, loops),
        sectors,
        least if sectors is None else min(least, sectors),
        ways,
        verdict,
    )


def _array_of(access: WarpAccess) -> str:
    """The name of an address's base, without a sigil; empty if there is none."""
    value = None if access.base is None else access.base.value
    while isinstance(value, OpResult) and value.op.name == "llvm.addrspacecast":
        (value,) = fast.operands_of(value.op)
    name = "" if value is None else value_name(value).lstrip("%@")
    local = _LOCAL_NAME.search(name)
    if local is not None and len(local[2]) >= int(local[1]):
        # A variable of a function: in the Itanium C++ ABI the function's name precedes it.
        name = local[2][: int(local[1])]
    return "" if name.startswith("<") else name


def pattern_of(access: WarpAccess, uniformity: Uniformity, loops: LoopInfo) -> str:
    """A description of the distances between addresses of a warp's threads."""
    stride = access.constant_stride
    if stride == 0 or (access.offsets is not None and len(set(access.offsets)) == 1):
        return "the same address for all threads"
    if stride is not None:
        gap = abs(stride) - access.size
        order = ", downwards" if stride < 0 else ""
        if gap == 0:
            return f"consecutive{order}"
        return f"{abs(stride)} bytes from thread to thread{order}"
    if access.stride is not None:
        return f"{access.stride} bytes from thread to thread, known only at run time"
    if access.offsets is not None:
        places = len(set(access.offsets))
        span = max(access.offsets) - min(access.offsets) + access.size
        return f"computed for each thread: {places} addresses within {span} bytes"
    pointer = next(
        (v for v in reversed(fast.operands_of(access.op)) if uniformity.is_divergent(v)), None
    )
    if pointer is not None and depends_on_data(pointer, uniformity):
        return DATA_DEPENDENT
    if pointer is not None and depends_on_trips(pointer, access.op, uniformity, loops):
        return TRIP_DEPENDENT
    return "unknown, not linear in tid.x"


def depends_on_data(value: SSAValue, uniformity: Uniformity) -> bool:
    """True if a value is divergent because of memory, a call or other threads, and not only the
    thread index."""
    pending, seen = [value], {value}
    while pending:
        at = pending.pop()
        sources: Iterable[SSAValue]
        if isinstance(at, OpResult):
            op = at.op
            if special_register(op) is not None:
                continue
            sources = [v for v in fast.operands_of(op) if uniformity.is_divergent(v)]
            if type(op) is LoadOp or not sources or effects(op):
                return True
        elif isinstance(at, BlockArgument):
            sources = [v for v in incoming_values(at) if uniformity.is_divergent(v)]
        else:
            continue
        for source in sources:
            if source not in seen:
                seen.add(source)
                pending.append(source)
    return False


def depends_on_trips(
    value: SSAValue, user: Operation, uniformity: Uniformity, loops: LoopInfo
) -> bool:
    """True if a value is computed from the last value of a loop that the threads of a warp leave in
    different iterations, such as the index of a remainder loop."""
    pending: list[tuple[SSAValue, Block | None]] = [(value, user.parent)]
    seen: set[SSAValue] = set()
    while pending:
        at, using = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        owner = at.owner
        loop = loops.loop_for(owner if isinstance(owner, Block) else owner.parent)
        while loop is not None and (using is None or not loop.contains(using)):
            if any(
                uniformity.has_divergent_branch(block) or uniformity.is_divergent_block(block)
                for block in loop.exiting_blocks()
            ):
                return True
            loop = loop.parent
        if isinstance(at, BlockArgument):
            pending += [(v, at.owner) for v in incoming_values(at)]
        elif isinstance(owner, Operation) and type(owner) is not LoadOp:
            pending += [(v, owner.parent) for v in fast.operands_of(owner)]
    return False


def locals_of(func: FuncOp, am: AnalysisManager) -> list[LocalCost]:
    """The variables that the optimizer leaves in local memory, unchecked."""
    found: list[LocalCost] = []
    for variable in am.get(LocalMemory, func).variables:
        if variable.kind == "variable" and not variable.reasons:
            continue
        causes = dict.fromkeys(Cause(r.text, place_of(r.op)) for r in variable.reasons)
        found.append(
            LocalCost(
                symbol_name(func) or "",
                place_of(variable.alloca),
                variable.kind,
                variable.name,
                variable.size,
                tuple(causes),
                "not checked",
            )
        )
    return found


def loops_of(told: Iterable[Remark]) -> list[LoopCost]:
    """The loops with a trip count that is known at run time only, by line.

    Arguments:
        told: remarks of the passes in order. The last remark on a loop is used; remarks on the
            remainder loop of an unrolled loop are ignored.
    """
    found: dict[tuple[str, str | None, int], LoopCost] = {}
    for remark in told:
        if remark.pass_name != "loop-unroll" or not remark.line:
            continue
        key = (remark.function, remark.file, remark.line)
        place = Place(remark.file, remark.line, remark.column)
        unrolled = _UNROLLED.match(remark.message)
        if unrolled is not None:
            found[key] = LoopCost(remark.function, place, int(unrolled[1]))
        elif key in found and found[key].factor > 1:
            continue
        elif remark.kind == "Missed":
            reason = remark.message.removeprefix("loop not unrolled: ")
            found[key] = LoopCost(remark.function, place, 1, reason)
        else:
            found.pop(key, None)
    return sorted(found.values(), key=lambda loop: (loop.place.file or "", loop.place.line or 0))


def checked(variables: Sequence[LocalCost], kernels: dict[str, Kernel]) -> list[LocalCost]:
    """The variables except for those that ptxas has put into registers.

    Arguments:
        kernels: the data of ptxas by name; device functions are not checked.
    """
    found: list[LocalCost] = []
    for variable in variables:
        kernel = kernels.get(variable.function)
        if kernel is None:
            found.append(variable)
            continue
        if kernel.local == 0:
            continue
        sizes = [v.size for v in variables if v.function == variable.function]
        whole = None not in sizes and kernel.local >= sum(size or 0 for size in sizes)
        certain = (whole or len(sizes) == 1) and not kernel.spills
        found.append(replace(variable, verdict="in memory" if certain else "in part"))
    return found


def occupancy_of(
    kernel: KernelFacts, sm: int, registers: int, shared: int, *, measured: bool
) -> OccupancyCost:
    """The occupancy of a kernel.

    Arguments:
        sm: the architecture as a number, 90 for `sm_90`.
        registers, shared, measured: see `OccupancyCost`.
    """
    threads = kernel.max_threads or ASSUMED_THREADS
    now = occupancy(sm, registers, threads, shared)
    machine = multiprocessor(sm)
    by_registers = _steps(
        (n, occupancy(sm, n, threads, shared).warps)
        for n in range(FEWEST_REGISTERS, MAX_REGISTERS + 1)
    )
    by_shared = _steps(
        (n, occupancy(sm, registers, threads, n).warps)
        for n in range(0, machine.shared_memory_of_block + 1, machine.shared_unit)
    )
    return OccupancyCost(
        kernel.name,
        kernel.place,
        registers,
        measured,
        threads,
        kernel.max_threads is not None,
        shared,
        now.blocks,
        now.warps,
        machine.warps,
        now.limit,
        by_registers,
        by_shared,
    )


def _steps(amounts: Iterable[tuple[int, int]]) -> tuple[Step, ...]:
    """The maximum of each range of amounts with the same number of warps, in order, except for
    zero."""
    found: list[Step] = []
    for amount, warps in amounts:
        if not warps:
            continue
        if found and found[-1].warps == warps:
            found[-1] = Step(amount, warps)
        else:
            found.append(Step(amount, warps))
    return tuple(found)
