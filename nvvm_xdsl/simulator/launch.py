"""Launches of a kernel over a grid of blocks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from random import Random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.ir.demangle import choose, plain_name
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.simulator.arguments import (
    BUFFER_ALIGNMENT,
    Argument,
    Arguments,
    Pointer,
    Variable,
    bind_variables,
    name_of,
)
from nvvm_xdsl.simulator.errors import SimulationError, describe
from nvvm_xdsl.simulator.execution.block import Block
from nvvm_xdsl.simulator.execution.mbarriers import never_complete
from nvvm_xdsl.simulator.execution.memory import (
    CONSTANT,
    GAP,
    GLOBAL,
    GLOBAL_BASE,
    LOCAL,
    MOST_CLEARED,
    PARAM,
    PARAM_START,
    SHARED,
    WINDOW_SHIFT,
    Mask,
    Memory,
    Sizes,
)
from nvvm_xdsl.simulator.execution.profile import Profile
from nvvm_xdsl.simulator.execution.race_detector import RaceDetector
from nvvm_xdsl.simulator.execution.recorder import Recorder
from nvvm_xdsl.simulator.execution.recovery import SCRATCH_BYTES
from nvvm_xdsl.simulator.execution.sanitizer import FATAL, Report, Sanitizer
from nvvm_xdsl.simulator.execution.scheduling import Grid, Limits, Passed
from nvvm_xdsl.simulator.execution.side_by_side import Row, Together, blocks_of_row
from nvvm_xdsl.simulator.execution.variables import source_name
from nvvm_xdsl.simulator.execution.watchpoint import Watchpoint, Write
from nvvm_xdsl.simulator.program import LLVMProgram, Parameter, Program
from nvvm_xdsl.simulator.textures.objects import Surface

CHECKS = frozenset({"memory", "race", "sync", "init"})
"""The values of `--check`. Bounds, alignment and address spaces (`memory`) are always checked."""

MAX_THREADS = 1024
MAX_CLUSTER = 16
MAX_SHARED = (1 << 18) - 1024
BUFFERS_STEP = 1 << 20
"""Alignment of buffers, so that their addresses do not depend on the set of variables."""

MAX_IDLE = 1000
"""Maximum number of consecutive timeouts of `mbarrier.try_wait` without other progress."""

Dim = int | Sequence[int]
Dim3 = tuple[int, int, int]


@dataclass
class Result:
    """The results of a launch besides the changed arrays."""

    output: str = ""
    """The kernel's output."""
    steps: int = 0
    """Executed ops; an op that several lanes execute together counts once."""
    variables: dict[str, bytes] = field(default_factory=dict[str, bytes])
    """The final contents of the module's global variables; of those with addresses only after a launch
    with `memory`."""
    profile: Profile | None = None
    """Executed instructions; None if the program does not count them."""
    writes: list[Write] = field(default_factory=list[Write])
    """The writes to the watched byte, in order."""
    reports: list[Report] = field(default_factory=list[Report])
    """The errors that a sanitizer collected."""
    paths: list[Passed] = field(default_factory=list[Passed])
    """The segments of code that threads completed, in order, if they were recorded."""


def _dim(value: Dim) -> Dim3:
    parts = (value,) if isinstance(value, int) else tuple(int(v) for v in value)
    if not 1 <= len(parts) <= 3 or any(p < 1 for p in parts):
        raise SimulationError(
            "limit",
            f"expected one to three positive numbers as the size of a grid or block, got {value}",
        )
    x, y, z = (*parts, 1, 1, 1)[:3]
    return x, y, z


def prepare(
    module: ModuleOp,
    checks: Iterable[str] = (),
    source: Program | None = None,
    counting: bool = False,
    recording: bool = False,
) -> Program:
    """A program that can be launched many times.

    Arguments:
        module: of the llvm and nvvm dialects, or of nvptx.
        checks: see `launch`; `init` tracks undefined values.
        source: for machine code, the program from which it was compiled; it defines the types of
            the parameters.
        counting: whether to count executed instructions (`Result.profile`). Counting takes time.
        recording: whether a `Recorder` can observe the execution. Recording takes more time than
            counting.

    Raises:
        SimulationError: for an unknown check, and for a module of the ptx dialect, which
            `codegen.from_ptx.convert` makes executable.
    """
    wanted = frozenset(checks)
    unknown = wanted - CHECKS
    if unknown:
        raise SimulationError("unsupported", f"unknown check '{sorted(unknown)[0]}'")
    if any(op.name.startswith("ptx.") for op in module.ops):
        reason = "PTX runs as the nvptx dialect: nvvm_xdsl.codegen.from_ptx.convert(module)"
        raise SimulationError("unsupported", reason)
    tracking = "init" in wanted
    if _is_machine_code(module):
        from nvvm_xdsl.simulator.nvptx.program import MachineProgram

        program: Program = MachineProgram(module, tracking, source, counting)
    else:
        program = LLVMProgram(module, tracking, counting)
    program.recorded = [] if recording else None
    return program


def _is_machine_code(module: ModuleOp) -> bool:
    return any(op.name.startswith("nvptx.") for op in module.ops)


def launch(
    module: ModuleOp | Program,
    kernel: str | None,
    grid: Dim,
    block: Dim,
    args: Sequence[Argument] = (),
    *,
    shared_bytes: int = 0,
    checks: Iterable[str] = (),
    limits: Limits | None = None,
    cluster: Dim | None = None,
    variables: Mapping[str, Variable] | None = None,
    counting: bool = False,
    watch: tuple[int, int] | None = None,
    sanitize: bool = False,
    leaks: bool = False,
    recorder: Recorder | None = None,
    side_by_side: bool = True,
    paths: bool = False,
    schedule: int | None = None,
    memory: Mapping[int, np.ndarray[Any, Any]] | None = None,
) -> Result:
    """Runs a kernel and updates the arrays that were passed to it.

    Arguments:
        module: the module, or the program returned by `prepare`.
        kernel: the kernel's name; None for a module with only one kernel.
        grid, block: numbers of blocks and threads, one to three of each.
        args: one for each parameter: a NumPy array or `Pointer` for a pointer, a number for a
            scalar, None for a null pointer, bytes or a (nested) tuple for a struct by value, a
            `Texture`, `Sampler` or `Surface` for a handle of 64 bits, a `TensorMap` for a tensor map
            by value or for a pointer to one in global memory, a `Multicast` for a multimem address.
        shared_bytes: size of dynamic shared memory in bytes.
        checks: checks in addition to `memory`: `race`, `sync`, `init`.
        limits: limits of steps, memory and output.
        cluster: number of blocks of a cluster; by default the kernel's attribute.
        variables: initial contents of module variables, by name: arrays or bytes, or the textures,
            samplers and surfaces of `.texref`, `.samplerref` and `.surfref` variables.
        counting: whether to count executed instructions; ignored for a prepared program.
        watch: a byte whose writes are recorded: the index of an array argument, and an offset in
            bytes.
        sanitize: whether to continue after errors and collect them in `Result.reports`. Invalid
            reads return zeros, invalid writes have no effect; after other errors the block ends and
            the next one runs.
        recorder: records a block; a prepared program must have been prepared with `recording`.
        leaks: with `sanitize`, whether to report memory of device malloc that was not freed.
        side_by_side: whether to run blocks together if they cannot observe it. Errors are
            reproduced by running the blocks one after the other.
        paths: whether to record the paths of threads in `Result.paths`.
        schedule: the seed of a random order in which diverged threads of a block continue.
        memory: arrays at fixed addresses of global memory, after all variables of the module.
            Arguments and arrays may contain these addresses.
    Raises:
        SimulationError: the kernel performed an invalid operation or exceeded a limit; with
            `sanitize`, only if the launch cannot be started or simulated.
    """
    wanted = frozenset(checks)
    program = (
        module
        if isinstance(module, Program)
        else prepare(module, wanted, counting=counting, recording=recorder is not None)
    )
    name = kernel if kernel in program.infos else chosen_kernel(program, kernel)
    if name not in program.infos:
        raise SimulationError("unsupported", f"the module has no kernel @{name}")
    return _Launch(
        program,
        name,
        *_dimensions(program, name, grid, block, cluster),
        args=args,
        shared_bytes=shared_bytes,
        checks=wanted,
        limits=limits or Limits(),
        variables=variables or {},
        watch=watch,
        sanitize=sanitize,
        leaks=leaks,
        recorder=recorder,
        side_by_side=side_by_side,
        paths=paths,
        schedule=schedule,
        memory=memory,
    ).run()


def check_argument_count(program: Program, kernel: str, args: Sequence[Argument]) -> None:
    """Raises SimulationError with the parameters of the kernel if their number differs."""
    parameters = program.parameters(kernel)
    if len(parameters) != len(args):
        raise SimulationError(
            "unsupported",
            f"@{plain_name(kernel)} takes {len(parameters)} arguments, "
            f"{len(args)} were given{_usage(program, kernel)}",
        )


@dataclass
class _Launch:
    """One launch; the fields are the arguments of `launch`."""

    program: Program
    name: str
    grid: Dim3
    block: Dim3
    cluster: Dim3
    args: Sequence[Argument]
    shared_bytes: int
    checks: frozenset[str]
    limits: Limits
    variables: Mapping[str, Variable]
    watch: tuple[int, int] | None
    sanitize: bool
    leaks: bool
    recorder: Recorder | None
    side_by_side: bool
    paths: bool
    schedule: int | None
    memory: Mapping[int, np.ndarray[Any, Any]] | None

    def run(self) -> Result:
        """Runs the blocks; raises SimulationError as `launch` does."""
        program = self.program
        check_argument_count(program, self.name, self.args)
        parameters = program.parameters(self.name)
        function = program.function(self.name)
        together, row = self._row()
        start = -(-(program.placement.global_end + GAP) // BUFFERS_STEP) * BUFFERS_STEP
        given = Arguments(start, program.untyped, self.memory)
        data = [
            given.data(typed, a).ljust(p.size, b"\0")[: p.size]
            for p, typed, a in zip(parameters, program.typed_parameters(self.name), self.args)
        ]
        contents = bind_variables(program, given, self.variables)
        with np.errstate(all="ignore"):
            state = self._state(given, parameters, row)
            sanitizer = Sanitizer()
            if self.sanitize:
                state.sanitizing = True
                state.report = lambda error: sanitizer.add(error, program.sites, state.steps)
            _fill(program, state, contents)
            # Initial values may contain addresses of functions.
            state.functions.update(program.indirect_targets())
            state.multicasts = given.multicasts
            # The initialization of variables is not part of the launch.
            self._observe(state, given)
            _write_arguments(state.memory, given, self.args, parameters, data)
            if "race" in self.checks:
                # Memory after shared memory has no races: it is thread-private or constant.
                races = RaceDetector(state.memory.offset[LOCAL], prod(self.block), state.report)
                state.races = races
            values = _entry_values(program, parameters, data)
            state.pending.extend(_clusters(self.grid, self.cluster))
            try:
                finished = _run_grid(state, function, values, row, together)
                if finished:
                    _collect(state, given, parameters, self.args)
            except SimulationError as error:
                error.output = "".join(state.output)
                raise
            finally:
                if self.recorder is not None:
                    self.recorder.settle()
            if self.leaks:
                _report_leaks(state, sanitizer)
        if not finished:
            program.keep_apart(self.name)
            return replace(self, side_by_side=False).run()
        return self._result(state, sanitizer)

    def _row(self) -> tuple[Together, int]:
        """The mode of running blocks side by side, and the number of blocks."""
        program = self.program
        observed = self.checks - {"init"} or self.sanitize or self.watch or self.recorder
        observed = observed or self.schedule is not None
        if (
            not self.side_by_side
            or prod(self.cluster) != 1
            or observed
            or program.counted is not None
        ):
            return Together.NOT, 1
        together = program.together(self.name)
        if together is Together.NOT:
            return together, 1
        return together, blocks_of_row(prod(self.grid), prod(self.block))

    def _state(self, given: Arguments, parameters: Sequence[Parameter], row: int) -> Grid:
        """The memory and the state that all blocks share.

        Raises:
            SimulationError: the launch needs more memory than the limit.
        """
        program, limits, placement = self.program, self.limits, self.program.placement
        blocks = prod(self.cluster) * row
        heap = -(-given.next // BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT
        heap_bytes = limits.heap if "malloc" in program.declared else 0
        sizes = Sizes(
            global_bytes=heap + heap_bytes - GLOBAL_BASE + GAP,
            constant_bytes=placement.constant_end,
            param_bytes=PARAM_START + sum(p.size + 16 for p in parameters) + GAP,
            local_bytes=program.local_bytes(limits.stack),
            threads=prod(self.block) * blocks,
            blocks=blocks,
            scratch_bytes=SCRATCH_BYTES if self.sanitize else 0,
        )
        if sizes.global_bytes > limits.memory:
            raise SimulationError(
                "limit", f"the launch needs more than {limits.memory} bytes of memory"
            )
        if placement.shared_bytes + self.shared_bytes > MAX_SHARED:
            raise SimulationError("limit", "a block uses more shared memory than is available")
        return Grid(
            Memory(sizes, track_undefined=program.tracking),
            limits,
            program.sites,
            program.indirect_targets(),
            self.checks,
            self.grid,
            self.block,
            self.cluster,
            self.shared_bytes,
            placement.shared_bytes,
            shared_variables=_shared_variables(program, self.shared_bytes),
            heap_next=heap,
            heap_end=heap + heap_bytes,
            handles=given.placed_handles(),
        )

    def _observe(self, state: Grid, given: Arguments) -> None:
        """Installs the requested recorder, counters and watchpoint."""
        program = self.program
        if self.recorder is not None:
            assert program.recorded is not None
            self.recorder.program = program.recorded
            state.recorder = self.recorder
        if program.counted is not None:
            state.profile = Profile(program.counted, program.sites)
        if self.paths:
            state.paths = []
        if self.schedule is not None:
            state.schedule = Random(self.schedule)
        if self.watch is not None:
            argument, byte = self.watch
            position = _position(state.memory, given, self.args[argument]) + byte
            state.watchpoint = Watchpoint(position)

    def _result(self, state: Grid, sanitizer: Sanitizer) -> Result:
        result = Result(
            "".join(state.output),
            state.steps,
            _variables(self.program, state.memory, addresses=self.memory is not None),
            state.profile,
            state.watchpoint.writes if state.watchpoint is not None else [],
            sanitizer.errors(),
            state.paths or [],
        )
        if not self.sanitize and self.recorder is None:
            _close(state)
        return result


def _dimensions(
    program: Program, name: str, grid: Dim, block: Dim, cluster: Dim | None
) -> tuple[Dim3, Dim3, Dim3]:
    """The sizes of the grid, of a block and of a cluster.

    Raises:
        SimulationError: the sizes exceed limits of the kernel or of the GPU.
    """
    grid_size, block_size = _dim(grid), _dim(block)
    lanes = prod(block_size)
    if lanes > MAX_THREADS:
        raise SimulationError("limit", f"a block has at most {MAX_THREADS} threads, not {lanes}")
    bounds = program.bounds(name)
    if bounds.reqntid and (*bounds.reqntid, 1, 1, 1)[:3] != block_size:
        wanted = (*bounds.reqntid, 1, 1, 1)[:3]
        raise SimulationError(
            "limit", f"@{name} requires blocks of {wanted} threads (reqntid), not {block_size}"
        )
    if bounds.max_threads and lanes > bounds.max_threads:
        raise SimulationError(
            "limit", f"@{name} allows {bounds.max_threads} threads a block, not {lanes}"
        )
    cluster_size = _dim(cluster) if cluster is not None else _dim(bounds.cluster_dim or 1)
    blocks = prod(cluster_size)
    if blocks > MAX_CLUSTER:
        raise SimulationError("limit", f"a cluster has at most {MAX_CLUSTER} blocks, not {blocks}")
    if any(g % c for g, c in zip(grid_size, cluster_size)):
        raise SimulationError(
            "limit", f"the grid {grid_size} is not a multiple of the cluster {cluster_size}"
        )
    return grid_size, block_size, cluster_size


def _write_arguments(
    memory: Memory,
    given: Arguments,
    args: Sequence[Argument],
    parameters: Sequence[Parameter],
    data: Sequence[bytes],
) -> None:
    """Writes arrays to global memory and the parameters to parameter memory."""
    for address, array in given.buffers.values():
        label = name_of(array, args, parameters)
        origin = _argument_origin(array, args)
        memory.place(label, GLOBAL, address, array.nbytes, origin=origin)
        memory.write(GLOBAL, address, np.ascontiguousarray(array).tobytes())
    for parameter, content in zip(parameters, data):
        memory.place(parameter.name, PARAM, PARAM_START + parameter.offset, parameter.size)
        memory.write(PARAM, PARAM_START + parameter.offset, content)


def _close(state: Grid) -> None:
    """Returns the memory to the pool, unless clearing it would be too expensive."""
    used = state.memory.used(state.static_shared + state.dynamic_shared)
    if sum(part.stop - part.start for part in used) > MOST_CLEARED:
        return
    if state.races is not None:
        # Constants, parameters and thread-private memory cannot race.
        state.races.close([part for part in used if part.start < state.races.size])
    state.memory.close(used)


def _position(memory: Memory, given: Arguments, value: Argument) -> int:
    """The position in the arena of an argument's array."""
    array = value.array if isinstance(value, Pointer | Surface) else value
    for address, buffer in given.buffers.values():
        if buffer is array:
            return memory.position(GLOBAL, address)
    raise SimulationError("unsupported", "only bytes of array arguments can be watched")


def _shared_variables(program: Program, dynamic: int) -> list[tuple[str, int, int]]:
    """Name, address and size of each shared variable."""
    placement = program.placement
    found = [
        (source_name(v.name), v.address, v.size)
        for v in placement.variables.values()
        if v.window == SHARED and v.name not in placement.dynamic
    ]
    if dynamic:
        found.append(("dynamic shared memory", placement.shared_bytes, dynamic))
    return found


def only_kernel(program: Program) -> str:
    """The only kernel of a module. Raises SimulationError if there are none or several."""
    return chosen_kernel(program, None)


def chosen_kernel(program: Program, wanted: str | None) -> str:
    """The kernel with a mangled or demangled name; without a name, the only kernel.

    Raises SimulationError, which lists the kernels.
    """
    found, message = choose(wanted, list(program.kernels()))
    if found is None:
        raise SimulationError("unsupported", message)
    return found


def _usage(program: Program, kernel: str) -> str:
    """The parameters of a kernel with their types, and an example of arguments."""
    parameters = program.typed_parameters(kernel)
    names = parameter_names(program.infos[kernel].op)
    shown: list[str] = []
    values: list[str] = []
    for index, parameter in enumerate(parameters):
        name = names[index] if index < len(names) else str(index)
        kind, value = _example(parameter)
        shown.append(f"{name}: {kind}")
        values.append(f"--arg {name}={value}" if name.isidentifier() else f"--arg {value}")
    if not parameters:
        return ""
    return f"; its parameters are ({', '.join(shown)}), for example {' '.join(values)}"


def _example(parameter: Parameter) -> tuple[str, str]:
    """The description of a parameter's type, and an example argument."""
    if parameter.by_value or len(parameter.scalars) != 1:
        return f"{parameter.size} bytes", f"bytes={'00' * min(parameter.size, 16)}"
    scalar = parameter.scalars[0][1]
    if scalar.pointer:
        return "pointer", "f32[1000]"
    return (scalar.fmt, "1.0") if scalar.fmt else (f"i{scalar.bits}", "1000")


def parameter_names(op: Operation) -> list[str]:
    """The names of the parameters of an `llvm.func`, or their indices; empty for machine code."""
    blocks = op.regions[0].blocks if op.regions else ()
    if not blocks or op.name != "llvm.func":
        return []
    return [arg.name_hint or str(index) for index, arg in enumerate(blocks[0].args)]


def _fill(program: Program, state: Grid, given: Mapping[str, np.ndarray[Any, Any] | bytes]) -> None:
    memory = state.memory
    for name, variable in program.placement.variables.items():
        if variable.window not in (GLOBAL, CONSTANT):
            continue
        place = place_of(variable.op)
        where = f" at {place}" if place.file is not None else ""
        memory.place(
            source_name(name),
            variable.window,
            variable.address,
            variable.size,
            origin=f"a variable declared{where}",
        )
    for name, variable in program.placement.variables.items():
        if variable.window not in (GLOBAL, CONSTANT):
            continue
        data, undefined = _first_content(program, state, name, variable.size)
        memory.write(variable.window, variable.address, data)
        if memory.undefined is not None and undefined:
            at = memory.position(variable.window, variable.address)
            for offset, bits in undefined.items():
                memory.undefined[at + offset] = bits
        if name in given:
            value = given[name]
            data = value if isinstance(value, bytes) else np.ascontiguousarray(value).tobytes()
            memory.write(variable.window, variable.address, data[: variable.size])


def _first_content(
    program: Program, state: Grid, name: str, size: int
) -> tuple[bytes, dict[int, int]]:
    """The initial contents of a variable, the same in every launch, with masks of undefined bits by
    byte.
    """
    found = program.contents.get(name)
    if found is None:
        found = program.initial_bytes(name)
        if found is None:
            found = _run_initializer(program, state, name, size), dict[int, int]()
        program.contents[name] = found
    return found


def _run_initializer(program: Program, state: Grid, name: str, size: int) -> bytes:
    found = program.initializer(name)
    assert found is not None
    alone = replace(
        state,
        sites=found.sites,
        grid=(1, 1, 1),
        block=(1, 1, 1),
        cluster=(1, 1, 1),
        dynamic_shared=0,
    )
    values = found.function(Block(alone, (0, 0, 0), 0), Mask(np.ones(1, bool)), 0)
    step = 2 if program.tracking else 1
    data = bytearray(size)
    for i, (offset, kind) in enumerate(found.scalars):
        lane = values[step * i][:1]
        if lane.dtype == object:
            data[offset : offset + kind.size] = int(lane[0]).to_bytes(kind.size, "little")
        else:
            data[offset : offset + kind.size] = lane.tobytes()[: kind.size]
    return bytes(data)


def _entry_values(
    program: Program, parameters: Sequence[Parameter], data: Sequence[bytes]
) -> list[Any]:
    """The scalars passed to a kernel's entry."""
    if not isinstance(program, LLVMProgram):
        return []
    out: list[Any] = []
    for parameter, content in zip(parameters, data):
        if parameter.by_value:
            tag = 0 if parameter.pointer_window == PARAM else PARAM << WINDOW_SHIFT
            out.append(np.array([tag | (PARAM_START + parameter.offset)], np.uint64))
            if program.tracking:
                out.append(0)
            continue
        for offset, kind in parameter.scalars:
            number = int.from_bytes(content[offset : offset + kind.size], "little")
            if kind.is_bool:
                value = np.array([number & 1 != 0])
            elif kind.bits > 64:
                value = np.array([number], object)
            elif kind.fmt:
                value = np.array([number], f"u{kind.size}").view(kind.dtype)
            else:
                value = np.array([number & (1 << kind.bits) - 1], kind.dtype)
            out.append(value)
            if program.tracking:
                out.append(0)
    return out


def _clusters(grid: Dim3, cluster: Dim3) -> Iterable[list[Dim3]]:
    gx, gy, gz = (g // c for g, c in zip(grid, cluster))
    cx, cy, cz = cluster
    for z in range(gz):
        for y in range(gy):
            for x in range(gx):
                yield [
                    (x * cx + i, y * cy + j, z * cz + k)
                    for k in range(cz)
                    for j in range(cy)
                    for i in range(cx)
                ]


def _run_grid(
    state: Grid, function: Any, values: Sequence[Any], row: int, together: Together
) -> bool:
    """Runs the pending clusters one after the other, or several blocks at a time.

    Returns False if blocks run together had an error: running them one after the other locates it.
    """
    while state.pending:
        if row > 1:
            taken = min(row, len(state.pending))
            indices = [state.pending.popleft()[0] for _ in range(taken)]
            try:
                _run_blocks(state, function, values, [Row(state, indices, together)])
            except SimulationError:
                return False
            continue
        indices = state.pending.popleft()
        try:
            blocks = [Block(state, index, rank) for rank, index in enumerate(indices)]
            _run_blocks(state, function, values, blocks)
        except SimulationError as error:
            if not state.sanitizing or error.kind == "unsupported":
                raise
            state.report(error)
            if error.kind in FATAL:
                return True
            state.memory.forget_locals()
    if state.races is not None:
        state.races.settle()
    return True


def _argument_origin(array: np.ndarray[Any, Any], args: Sequence[Argument]) -> str:
    """The description of an array's origin in a report."""
    for i, argument in enumerate(args):
        if argument is array or (
            isinstance(argument, Pointer | Surface) and argument.array is array
        ):
            return f"argument {i} of the launch"
    return ""


def _report_leaks(state: Grid, sanitizer: Sanitizer) -> None:
    """Groups unfreed memory of malloc by the call that allocated it."""
    found: dict[Operation, list[int]] = {}
    for size, op in state.heap_blocks.values():
        found.setdefault(op, []).append(size)
    for op, sizes in found.items():
        sanitizer.leaked(f"allocated by malloc at {describe(op)}", sizes, op)


def _run_blocks(state: Grid, function: Any, values: Sequence[Any], blocks: Sequence[Block]) -> None:
    """Runs blocks concurrently."""
    state.memory.place_shared(state.memory.sizes.blocks, state.shared_variables)
    running: list[tuple[Block, Any]] = []
    for block in blocks:
        block.peers = blocks
        running.append((block, function(block, block.all, 0, *values)))
    idle = 0
    while running:
        before = sum(b.releases for b in blocks)
        count = len(running)
        for item in list(running):
            block, frame = item
            try:
                next(frame)
            except StopIteration:
                block.finish()
                running.remove(item)
        if running and len(running) == count and sum(b.releases for b in blocks) == before:
            _time_out([block for block, _ in running], idle)
            idle += 1
        else:
            idle = 0


def _time_out(blocks: Sequence[Block], idle: int) -> None:
    """Resumes lanes that wait for a phase if no other lane can run; `idle` is the number of
    consecutive times."""
    if idle < MAX_IDLE and any([block.time_out() for block in blocks]):
        return
    for block in blocks:
        error = never_complete(block)
        if error is not None:
            raise error
    raise blocks[0].blocked()


def _collect(
    state: Grid, given: Arguments, parameters: Sequence[Parameter], args: Sequence[Argument]
) -> None:
    memory = state.memory
    for address, array in given.buffers.values():
        if not array.flags.writeable:
            continue
        content = np.frombuffer(memory.read(GLOBAL, address, array.nbytes), array.dtype)
        if memory.undefined is not None:
            at = memory.position(GLOBAL, address)
            seen = memory.undefined[at : at + array.nbytes]
            if array.dtype.names:
                seen = seen.reshape(-1, array.dtype.itemsize) * _field_bytes(array.dtype)
            marks = np.flatnonzero(seen)
            if marks.size:
                name = name_of(array, args, parameters)
                state.report(
                    SimulationError(
                        "init",
                        f"the host reads byte {int(marks[0])} of '{name}', which the kernel leaves undefined",
                        title=f"Use of uninitialized value: the host reads '{name}'",
                        notes=[
                            f"the kernel leaves {marks.size} bytes of it undefined, the first at"
                            f" offset {int(marks[0])}"
                        ],
                    )
                )
        array[...] = content.reshape(array.shape)


def _field_bytes(dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """1 for the bytes of an element that belong to a field, 0 for padding."""
    out = np.zeros(dtype.itemsize, np.uint8)
    for field_type, offset, *_ in (dtype.fields or {}).values():
        out[offset : offset + field_type.itemsize] = 1
    return out


def _variables(program: Program, memory: Memory, *, addresses: bool) -> dict[str, bytes]:
    """The contents of global variables, of those with addresses only if these are the same in
    another launch."""
    return {
        name: memory.read(GLOBAL, v.address, v.size)
        for name, v in program.placement.variables.items()
        if v.window == GLOBAL and (addresses or not program.holds_addresses(name))
    }
