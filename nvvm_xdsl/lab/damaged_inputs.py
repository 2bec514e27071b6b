"""Robustness tests with damaged inputs, each of which must succeed or fail with a clean error.

Inputs run in forked processes, several hundred in each. Processor time and memory are limited, so
that a hang, a crash of the interpreter or excessive use of memory is a failure like an internal
error, and the remaining inputs still run.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import struct
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from nvvm_xdsl.frontend.bitcode import kept_disassembler
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.forked import run_forked
from nvvm_xdsl.lab.mutations import InputKind, Pieces, mutated
from nvvm_xdsl.lab.time_limit import Clock, TimeLimitError, time_limit

BATCH = 250
"""Inputs per process; a new process starts with empty caches."""

COMPILED_SHARE = 0.25
"""Share of valid inputs that are also compiled."""

PRINTED_SHARE = 0.1
"""Share of valid inputs that are printed and parsed again."""

OPTIMIZED_SHARE = 0.1
"""Share of valid inputs that are run through one pass."""

ARCHES = ("sm_70", "sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120")

_HEADER = struct.Struct("<QI")


@dataclass(frozen=True)
class Limits:
    """Resource limits of one input.

    Arguments:
        seconds: processor time in seconds.
        memory: bytes that a process may allocate in addition to those at its start.
    """

    seconds: float = 10.0
    memory: int = 2 << 30


@dataclass(frozen=True)
class Outcome:
    """The outcome of an input.

    `kind` is `success`, `error` for a clean error message, or a failure: `internal error`, `hang`,
    `memory`, `crash`, or `read back` for a module or pipeline whose printed text is parsed to a
    different one.
    """

    seed: int
    kind: str
    what: str = ""

    @property
    def failed(self) -> bool:
        """Returns whether the outcome is neither success nor a clean error."""
        return self.kind not in ("success", "error")


def _try_pipeline(data: bytes) -> None:
    from nvvm_xdsl.driver.files import decode
    from nvvm_xdsl.pipeline.build import build_pipeline, print_nodes

    nodes = build_pipeline(decode(data, "pipeline"))
    text = print_nodes(nodes)
    again = print_nodes(build_pipeline(text))
    if again != text:
        raise _ReadBackError(f"{text!r} is read as {again!r}")


class _ReadBackError(Exception):
    pass


def _try_module(kind: InputKind, data: bytes, chance: random.Random) -> None:
    from nvvm_xdsl.driver.compile import emit, parse, verify
    from nvvm_xdsl.driver.errors import InternalError
    from nvvm_xdsl.passes import PASSES
    from nvvm_xdsl.pipeline.instrumentation import ir_text
    from nvvm_xdsl.pipeline.manager import run_pipeline

    module = parse(data, filename="input", format=kind if kind != "pipeline" else None)
    verify(module)
    share = chance.random()
    if share < PRINTED_SHARE:
        text = ir_text(module)
        try:
            again = ir_text(parse(text, filename="printed", format="mlir"))
        except InternalError:
            raise
        except DiagnosticError as error:
            raise _ReadBackError(error.render()) from None
        if again != text:
            raise _ReadBackError("the printed text differs after a second round trip")
    elif share < PRINTED_SHARE + OPTIMIZED_SHARE and kind != "ptx":
        run_pipeline(module, chance.choice(sorted(PASSES)))
        verify(module)
    elif share < PRINTED_SHARE + OPTIMIZED_SHARE + COMPILED_SHARE:
        emit(module, arch=chance.choice(ARCHES), opt_level=chance.choice((0, 3)))


def try_input(kind: InputKind, data: bytes, seed: int, limits: Limits) -> Outcome:
    """Tests one input in this process. The time limit only works in the main thread."""
    from nvvm_xdsl.driver.errors import InternalError, user_errors

    try:
        with time_limit(limits.seconds, Clock.PROCESSOR), user_errors("input"):
            if kind == "pipeline":
                _try_pipeline(data)
            else:
                _try_module(kind, data, random.Random(seed))
    except TimeLimitError as stopped:
        frames = traceback.extract_tb(stopped.__traceback__)[-6:]
        where = " < ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in reversed(frames))
        return Outcome(seed, "hang", f"over {limits.seconds:g} s: {where}")
    except InternalError as error:
        if isinstance(error.__cause__, _ReadBackError):
            return Outcome(seed, "read back", str(error.__cause__))
        return Outcome(seed, "internal error", error.message)
    except DiagnosticError as error:
        kind_ = "memory" if error.message == "out of memory" else "error"
        return Outcome(seed, kind_, error.message)
    return Outcome(seed, "success")


def _limit_memory(limits: Limits) -> None:
    with open("/proc/self/statm", encoding="ascii") as stream:
        used = int(stream.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + limits.memory, used + limits.memory))


def _work(
    kind: InputKind, pieces: Pieces, seeds: Sequence[int], limits: Limits, output: int
) -> None:
    """Tests inputs and writes the start and outcome of each to a pipe."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    _limit_memory(limits)
    # Python cannot handle an alarm during a long native computation; the operating system then ends
    # the process.
    with kept_disassembler():
        for seed in seeds:
            os.write(output, b"S" + _HEADER.pack(seed, 0))
            used = resource.getrusage(resource.RUSAGE_SELF)
            hard = int(used.ru_utime + used.ru_stime + 3 * limits.seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (hard, resource.RLIM_INFINITY))
            outcome = try_input(kind, mutated(kind, pieces, seed), seed, limits)
            text = f"{outcome.kind}\0{outcome.what}".encode("utf-8", "replace")[:4000]
            os.write(output, b"D" + _HEADER.pack(seed, len(text)) + text)


def _batch(
    kind: InputKind, pieces: Pieces, seeds: Sequence[int], limits: Limits
) -> Iterator[Outcome]:
    """Tests inputs in a separate process, and the rest in another one if it dies."""
    rest = list(seeds)
    while rest:
        data, status = run_forked(partial(_work, kind, pieces, rest, limits))
        at = 0
        started = -1
        while at < len(data):
            tag, (seed, length) = data[at : at + 1], _HEADER.unpack_from(data, at + 1)
            at += 1 + _HEADER.size
            started = seed if tag == b"S" else -1
            if tag == b"D":
                name, _, what = data[at : at + length].decode("utf-8", "replace").partition("\0")
                yield Outcome(seed, name, what)
                rest.remove(seed)
                at += length
        if rest:
            said = f"ended by {signal.Signals(-status).name}" if status < 0 else f"exit {status}"
            seed = started if started >= 0 else rest[0]
            yield Outcome(seed, "hang" if status == -signal.SIGXCPU else "crash", said)
            rest.remove(seed)


def _warm_up() -> None:
    """Imports the modules that the children need, once for all of them."""
    from nvvm_xdsl.driver.compile import compile, mlir_context

    mlir_context()
    compile("define void @f() {\n  ret void\n}\n", opt_level=3)


def try_inputs(
    kind: InputKind,
    pieces: Pieces,
    seeds: range,
    limits: Limits | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Outcome]:
    """Tests the inputs of the seeds; `progress` is called with the numbers of finished and failed
    inputs.
    """
    _warm_up()
    done = failed = 0
    for start in range(0, len(seeds), BATCH):
        for outcome in _batch(kind, pieces, seeds[start : start + BATCH], limits or Limits()):
            done += 1
            failed += outcome.failed
            yield outcome
        if progress is not None:
            progress(done, failed)
