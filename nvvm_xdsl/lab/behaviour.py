"""Comparison of a module's behaviour before and after a pipeline and selection."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import LOCAL_LINKAGE, linkage_of, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.fingerprint import Fingerprints
from nvvm_xdsl.lab.launch_sequences import following
from nvvm_xdsl.lab.launches import Launch, Outcome, difference, run
from nvvm_xdsl.lab.ptx_roundtrip import AssemblyError, machine_code
from nvvm_xdsl.lab.reconvergence import callees_gather, divided_warp
from nvvm_xdsl.lab.verified_runs import InvalidIRError, run_verified, verify, verifying
from nvvm_xdsl.pipeline import Instruments, PassManager, build_pipeline
from nvvm_xdsl.pipeline.build import Node
from nvvm_xdsl.pipeline.dispatch import dispatch
from nvvm_xdsl.pipeline.instrumentation import Watcher, ir_text
from nvvm_xdsl.simulator import Limits, SimulationError, prepare
from nvvm_xdsl.simulator.program import Program
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

Transform = Callable[[ModuleOp], object]

ALL_CHECKS = ("init", "race", "sync")

MACHINE_ARCH = "sm_90"
MACHINE_LEVEL = 3
"""The optimization level whose machine passes are tested; the code is run after each of them."""

STAGE = "pipeline"
"""The stage of a difference that does not involve selection."""

STEP_FACTOR = 8
"""Limit of the steps of a transformed kernel: factor of the steps of the original kernel, and an
additional constant."""


@dataclass(frozen=True)
class Difference:
    """A launch with a different outcome."""

    launch: Launch
    what: str
    stage: str
    """`pipeline`, `selection` or the machine pass after which the difference occurs."""
    culprit: str = ""
    """The pass found by bisection of the pipeline."""

    def __str__(self) -> str:
        after = f" after {self.culprit}" if self.culprit else ""
        launch = self.launch
        return f"@{launch.kernel}, grid {launch.grid}, block {launch.block}: {self.what} ({self.stage}{after})"


class BehaviourError(AssertionError):
    """A transformation changed the results of a kernel.

    Attributes:
        difference: the first difference found.
        module_text: the module before the transformation.
    """

    def __init__(self, difference: Difference, module_text: str) -> None:
        super().__init__(f"{difference}\n{module_text}")
        self.difference = difference
        self.module_text = module_text


class InvalidKernelError(ValueError):
    """The original module has an error."""


def baseline(
    module: ModuleOp,
    launches: Sequence[Launch],
    checks: Sequence[str] = ALL_CHECKS,
    limits: Limits | None = None,
    *,
    in_a_row: bool = False,
    paths: bool = False,
) -> list[Outcome]:
    """The outcomes of the launches, each separately, or consecutively on the same memory with
    `in_a_row`.

    With `paths`, also the paths of threads. Raises InvalidKernelError if a launch fails.
    """
    program = prepare(module, checks)
    found: list[Outcome] = []
    for launch in launches:
        left = found[-1] if in_a_row and found else None
        try:
            behind = following(launch, left, program)
            found.append(run(program, behind, checks, limits, paths=paths))
        except SimulationError as error:
            raise InvalidKernelError(f"@{launch.kernel}: {error.message}") from error
    return visible(module, found)


def visible(module: ModuleOp, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes without the contents of variables that the host cannot access, which passes may
    change.
    """
    symbols = symbols_of(module)
    return [
        replace(
            outcome,
            variables={
                name: content
                for name, content in outcome.variables.items()
                if name not in symbols or linkage_of(symbols[name]) not in LOCAL_LINKAGE
            },
        )
        for outcome in outcomes
    ]


def compare(
    program: Program,
    launches: Sequence[Launch],
    wanted: Sequence[Outcome],
    stage: str,
    checks: Sequence[str] = ALL_CHECKS,
    *,
    in_a_row: bool = False,
    whole_warps: bool = False,
) -> Difference | None:
    """The first launch with a different outcome.

    With `whole_warps`, a launch in which only a part of a warp executes a convergent op also
    differs.
    """
    after: Outcome | None = None
    for launch, before in zip(launches, wanted):
        limits = Limits(steps=before.steps * STEP_FACTOR + 100_000)
        left = after if in_a_row else None
        try:
            behind = following(launch, left, program)
            after = run(program, behind, checks, limits, paths=whole_warps)
        except SimulationError as error:
            return Difference(launch, error.message, stage)
        what = difference(launch, before, after)
        if what is None and whole_warps:
            what = divided_warp(program.module, launch.kernel, after.paths, strict=False)
        if what is not None:
            return Difference(launch, what, stage)
    return None


@cache
def nodes_of(pipeline: str) -> Sequence[Node]:
    """The parsed nodes of a pipeline, cached."""
    return build_pipeline(pipeline)


def transform(
    module: ModuleOp, pipeline: str | Transform, limit: int | None = None
) -> tuple[ModuleOp, str]:
    """A transformed copy, and the last pass that ran. At most `limit` passes run."""
    copy = fast.clone(module)
    if not isinstance(pipeline, str):
        pipeline(copy)
        return copy, ""
    instruments = Instruments(opt_bisect_limit=limit)
    said = io.StringIO()
    manager = PassManager(build_pipeline(pipeline), instruments, Watcher(instruments, said))
    manager.run(copy)
    running = [line for line in said.getvalue().splitlines() if line.startswith("BISECT: running")]
    return copy, running[-1].removeprefix("BISECT: running pass ") if running else ""


class Comparison:
    """A module and the outcomes of its launches, for comparison with the outcomes after pipelines.

    Equal results of several pipelines are run only once.

    Arguments:
        module: a module of the llvm and nvvm dialects, which is not changed.
        launches: the kernel launches to compare.
        checks: the checks of `launch`, which the kernels must pass before and after.
        arch: target architecture of selection.
        assemble: also assemble the PTX; ptxas must accept it.
        in_a_row: run the launches consecutively on the same device variables.
        each_machine_pass: run machine code after each machine pass. If not set, it runs only after
            the last pass, and after each pass only if a difference was found.
        ptxas_level: optimization level of ptxas; if set, the machine code generated by ptxas is
        also run. Raises:
        InvalidKernelError: a launch of the original module fails.
    """

    def __init__(
        self,
        module: ModuleOp,
        launches: Sequence[Launch],
        checks: Sequence[str] = ALL_CHECKS,
        arch: str = MACHINE_ARCH,
        assemble: bool = False,
        *,
        in_a_row: bool = False,
        each_machine_pass: bool = True,
        ptxas_level: int | None = None,
    ) -> None:
        self.ptxas_level = ptxas_level
        self.in_a_row = in_a_row
        self.each_machine_pass = each_machine_pass
        self.module = module
        self.launches = launches
        self.checks = checks
        self.arch = arch
        self.assemble = assemble
        whole_warps = not in_a_row
        self.wanted = baseline(module, launches, checks, in_a_row=in_a_row, paths=whole_warps)
        self.whole_warps = whole_warps and not any(
            callees_gather(module, launch.kernel)
            or divided_warp(module, launch.kernel, outcome.paths, strict=False)
            or divided_warp(module, launch.kernel, outcome.paths, strict=True)
            for launch, outcome in zip(launches, self.wanted)
        )
        """Whether the module executes each convergent op by whole warps, which passes must
        preserve; False if the ops of callees are unknown."""
        self._fingerprint = Fingerprints().of
        self._original = self._fingerprint(module)
        self._right = {self._original}
        self._right_when_selected: set[int] = set()
        self._spare: ModuleOp | None = None

    def difference(self, pipeline: str | Transform, *, machine: bool = True) -> Difference | None:
        """The first difference caused by a pipeline or by the selection of its result.

        The IR is verified after every pass, including machine passes.

        Arguments:
            pipeline: text of the pipeline, or a function that changes a module; empty for selection
                only.
            machine: also run the machine code selected from the result.
        Raises InvalidIRError for a pass that produces invalid IR.
        """
        result, found = self.module, self._original
        if pipeline:
            # A copy that the last pipeline did not change is reused.
            result, self._spare = self._spare or fast.clone(self.module), None
            said = (
                run_verified(nodes_of(pipeline), result)
                if isinstance(pipeline, str)
                else pipeline(result) is not False
            )
            found = self._fingerprint(result)
            if found == self._original:
                self._spare = result
            elif not said:
                return Difference(
                    self.launches[0], "the module changed, but the pass reported no change", STAGE
                )
            if found not in self._right:
                wrong = self._run(result, pipeline)
                if wrong is not None:
                    return wrong
                self._right.add(found)
        if machine and found not in self._right_when_selected:
            wrong = self._select_and_run(result)
            if wrong is not None:
                return wrong
            self._right_when_selected.add(found)
        return None

    def _compare(
        self, program: Program, stage: str, *, whole_warps: bool = False
    ) -> Difference | None:
        return compare(
            program,
            self.launches,
            self.wanted,
            stage,
            self.checks,
            in_a_row=self.in_a_row,
            whole_warps=whole_warps,
        )

    def _run(self, changed: ModuleOp, pipeline: str | Transform) -> Difference | None:
        failed = _invalid(changed)
        if failed:
            found = Difference(self.launches[0], failed, STAGE)
        else:
            program = prepare(changed, self.checks)
            found = self._compare(program, STAGE, whole_warps=self.whole_warps)
        if found is None or not isinstance(pipeline, str):
            return found
        culprit = bisect(
            self.module,
            pipeline,
            self.launches,
            self.wanted,
            self.checks,
            in_a_row=self.in_a_row,
            whole_warps=self.whole_warps,
        )
        return Difference(found.launch, found.what, found.stage, culprit)

    def _select_and_run(self, module: ModuleOp) -> Difference | None:
        source = prepare(module)
        if not self.each_machine_pass:
            selected = select(module, self.arch)
            run_verified(nodes_of(",".join(dispatch(MACHINE_LEVEL))), selected)
            if self._compare(prepare(selected, self.checks, source), "selection") is None:
                return self._assembled(selected, source)
        selected = select(module, self.arch)
        found = self._compare(prepare(selected, self.checks, source), "selection")
        if found is not None:
            return found
        for name in dispatch(MACHINE_LEVEL):
            try:
                if not run_verified(nodes_of(name), selected):
                    continue
            except InvalidIRError:
                raise
            except DiagnosticError as error:
                return Difference(self.launches[0], error.message, name)
            found = self._compare(prepare(selected, self.checks, source), name)
            if found is not None:
                return found
        return self._assembled(selected, source)

    def _assembled(self, selected: ModuleOp, source: Program) -> Difference | None:
        """Assembles the PTX with ptxas, and runs the machine code if requested."""
        found = self._refusal(selected) if self.assemble else None
        if found is not None or self.ptxas_level is None:
            return found
        from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
        from nvvm_xdsl.dialects.ptx.printer import print_ptx
        from nvvm_xdsl.lab.machine_simulation import machine_program

        ptx = print_ptx(convert(selected))
        stage = f"ptxas -O{self.ptxas_level}"
        try:
            program = machine_program(ptx, self.arch, source, self.ptxas_level)
            for launch in self.launches:
                program.function(launch.kernel)
        except (DiagnosticError, SimulationError) as error:
            raise NotComparableError(f"{stage}: {error.message}") from None
        if program.unknown:
            opcode = min(program.unknown)
            raise NotComparableError(f"{stage}: unknown machine instruction {opcode}")
        return compare(program, self.launches, self.wanted, stage, (), in_a_row=self.in_a_row)

    def _refusal(self, selected: ModuleOp) -> Difference | None:
        """The difference that ptxas rejects the PTX; None if it accepts it."""
        from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
        from nvvm_xdsl.dialects.ptx.printer import print_ptx

        try:
            machine_code(print_ptx(convert(selected)))
        except AssemblyError as error:
            return Difference(self.launches[0], str(error), "ptxas")
        return None


class NotComparableError(Exception):
    """The machine code of a kernel cannot be run: it has an unknown instruction or an undefined
    symbol."""


def find_difference(
    module: ModuleOp,
    pipeline: str | Transform,
    launches: Sequence[Launch],
    *,
    machine: bool = True,
    checks: Sequence[str] = ALL_CHECKS,
    arch: str = MACHINE_ARCH,
    in_a_row: bool = False,
) -> Difference | None:
    """The first difference caused by a pipeline or by the selection of its result.

    The arguments are those of `Comparison` and its `difference`.
    """
    comparison = Comparison(module, launches, checks, arch, in_a_row=in_a_row)
    return comparison.difference(pipeline, machine=machine)


def _invalid(module: ModuleOp) -> str:
    try:
        verify_ops(module)
        verify_module(module)
    except Exception as error:
        return f"the module is no longer valid: {error}"
    return ""


def select(module: ModuleOp, arch: str = MACHINE_ARCH) -> ModuleOp:
    """Machine code for a copy of a module, without contraction, so that floats stay comparable.

    Raises InvalidIRError if a pass before selection, or selection, produces invalid IR.
    """
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.pipeline import selection

    options = CodegenOptions.for_arch(arch, fmad=False)
    selected = selection.select(fast.clone(module), options, watcher=verifying())
    verify(selected, "selection")
    return selected


def bisect(
    module: ModuleOp,
    pipeline: str,
    launches: Sequence[Launch],
    wanted: Sequence[Outcome],
    checks: Sequence[str] = ALL_CHECKS,
    *,
    in_a_row: bool = False,
    whole_warps: bool = False,
) -> str:
    """The first pass of a pipeline, with its index, after which the launches differ."""

    def bad(limit: int) -> tuple[bool, str]:
        try:
            changed, name = transform(module, pipeline, limit)
        except DiagnosticError:
            return True, f"({limit})"
        wrong = _invalid(changed) or compare(
            prepare(changed, checks),
            launches,
            wanted,
            "",
            checks,
            in_a_row=in_a_row,
            whole_warps=whole_warps,
        )
        return bool(wrong), name

    high = 1
    while not bad(high)[0]:
        high *= 2
        if high > 1 << 20:
            return ""
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if bad(middle)[0]:
            high = middle
        else:
            low = middle
    return bad(high)[1]


def assert_same_behaviour(
    module: ModuleOp,
    pipeline: str | Transform,
    launches: Sequence[Launch],
    *,
    machine: bool = True,
    checks: Sequence[str] = ALL_CHECKS,
    arch: str = MACHINE_ARCH,
) -> None:
    """Fails if a pipeline, or selection after it, changes the outcomes of the launches.

    The arguments are those of `find_difference`. Raises BehaviourError, which contains the
    responsible pass and the module.
    """
    found = find_difference(module, pipeline, launches, machine=machine, checks=checks, arch=arch)
    if found is not None:
        raise BehaviourError(found, ir_text(module))
