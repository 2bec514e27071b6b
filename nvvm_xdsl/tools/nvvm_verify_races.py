"""`nvvm-verify-races`: proves that kernels have no races and no divergent barriers in all launches."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.option_flags import ARCH_DEFAULT, add_clang_arguments
from nvvm_xdsl.tools.arguments import as_typed, make_tool_parser, run_tool
from nvvm_xdsl.tools.progress import awaited

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from nvvm_xdsl.lab.races.confirm import Confirmation
    from nvvm_xdsl.lab.races.verify import Finding, Options, Result

DESCRIPTION = """\
Proves for all launches of a kernel that no two threads race and that all threads of a block reach its barriers
together. The page verify-races of the documentation describes the method and its limits. The input is CUDA C++
(.cu) or NVVM IR (.ll, .bc, .mlir). A comment with `nvvm-verify-races:` and options in the file adds options."""

EPILOG = """\
Without --block and --grid all sizes are covered: up to 1024 threads in a block, and fewer than 2**31 threads in
dimension x. Sizes in dimensions y and z that the kernel does not read are 1. Pointers passed to the kernel may
overlap unless they are noalias (`__restrict__`).
exit status:
  0  all kernels are proved
  1  a kernel has a race or a divergent barrier, confirmed by a run on the simulator; or an error
  3  a kernel could not be decided, and none has a confirmed race
examples:
  nvvm-verify-races examples/saxpy.ll
  nvvm-verify-races examples/matmul.ll --kernel matmul_f32 --block 16,16 --assume-no-alias
  nvvm-verify-races examples/nbody.ll --kernel forces --block 128 --assume 'n <= 1000000' --assume-no-alias
  nvvm-verify-races examples/broken/missing_barrier.ll --block 64 --grid 1
"""

UNKNOWN = 3
"""The exit status if a kernel could not be decided."""

_COMMENT = re.compile(r"(?://|;)\s*nvvm-verify-races:(.*)")


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-verify-races`."""
    parser = make_tool_parser("nvvm-verify-races", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add("--kernel", metavar="NAME", help="verify only this kernel")
    add("--block", metavar="X[,Y[,Z]]", help="the number of threads per block (default: all)")
    add("--grid", metavar="X[,Y[,Z]]", help="the number of blocks (default: all)")
    add(
        "--assume", action="append", default=[], metavar="CONDITION",
        help="assume a condition on parameters, blockDim.x, gridDim.x and the like, in the syntax of C;"
        " pow2(n) holds for powers of two; may be repeated",
    )  # fmt: skip
    add(
        "--assume-no-alias",
        action="store_true",
        help="assume that pointers passed to the kernel point to memory that does not overlap",
    )
    add(
        "--assume-no-wrap",
        action="store_true",
        help="assume that additions and multiplications of indices, signed or unsigned, do not wrap",
    )
    add(
        "--assume-pure-externals",
        action="store_true",
        help="assume that functions without a definition access no memory that other threads access",
    )
    add(
        "--same-value",
        action="store_true",
        help="do not report stores of equal values to the same address, like the race check of nvvm-run",
    )
    add(
        "--timeout", type=float, default=60.0, metavar="SECONDS",
        help="time limit of one kernel (default 60)",
    )  # fmt: skip
    add("-arch", "--arch", metavar="ARCH", help=f"target architecture of CUDA C++; {ARCH_DEFAULT}")
    add_clang_arguments(parser)
    return parser


def _sizes(text: str | None, option: str) -> tuple[int, ...] | None:
    if text is None:
        return None
    parts = text.split(",")
    if not 1 <= len(parts) <= 3 or not all(part.isdecimal() and int(part) for part in parts):
        raise DiagnosticError(f"{option}: expected one to three positive numbers, got '{text}'")
    return tuple(int(part) for part in parts)


def options_of(arguments: argparse.Namespace) -> Options:
    """The options of the verifier. Raises DiagnosticError."""
    from nvvm_xdsl.lab.races.launches import MOST_THREADS, Launches
    from nvvm_xdsl.lab.races.operations import Rules
    from nvvm_xdsl.lab.races.verify import Options

    if arguments.timeout <= 0:
        raise DiagnosticError("--timeout must be positive")
    block, grid = _sizes(arguments.block, "--block"), _sizes(arguments.grid, "--grid")
    if block is not None and prod(block) > MOST_THREADS:
        raise DiagnosticError(f"a block has at most {MOST_THREADS} threads, not {prod(block)}")
    return Options(
        Rules(arguments.assume_no_alias, arguments.assume_pure_externals),
        Launches(block, grid, tuple(arguments.assume)),
        arguments.assume_no_wrap,
        arguments.same_value,
        arguments.timeout,
    )


def _load(arguments: argparse.Namespace) -> tuple[ModuleOp, list[str], frozenset[str]]:
    """The prepared module, the options in its comments, and the kernels whose calls through pointers
    were replaced."""
    from nvvm_xdsl.driver.compile import complete, parse, verify
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input
    from nvvm_xdsl.lab.races.preparation import prepare
    from nvvm_xdsl.tools.launched_module import cuda_of

    name = STDIN_NAME if arguments.file == "-" else arguments.file
    data = read_input(arguments.file)
    module = parse(data, filename=name, locations=True, cuda=cuda_of(arguments))
    if any(op.name.startswith(("ptx.", "nvptx.")) for op in module.body.block.ops):
        raise DiagnosticError(
            "PTX and machine code cannot be verified; give NVVM IR or CUDA C++", file=name
        )
    verify(module)
    complete(module)
    whole_program = prepare(module)
    words = [
        word for m in _COMMENT.finditer(data.decode(errors="replace")) for word in shlex.split(m[1])
    ]
    return module, words, whole_program


def _kernels(module: ModuleOp, wanted: str | None) -> list[Operation]:
    from nvvm_xdsl.dialects.llvm.accessors import defined_name
    from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
    from nvvm_xdsl.ir.demangle import choose

    found = {
        defined_name(op): op
        for op in module.body.block.ops
        if op.name == "llvm.func" and is_kernel(op)
    }
    if wanted is None:
        if not found:
            raise DiagnosticError("the module has no kernel")
        return list(found.values())
    name, message = choose(wanted, list(found))
    if name is None:
        raise DiagnosticError(message)
    return [found[name]]


def _place(op: Operation | None) -> str:
    from nvvm_xdsl.ir.locations import place_of

    place = place_of(op)
    return f"{place.file}:{place.line}:{place.column}" if place.line else "unknown place"


def _access(op: Operation) -> str:
    if op.name in ("llvm.load", "llvm.store"):
        return "read" if op.name == "llvm.load" else "write"
    return op.name.split(".")[-1]


def _three(numbers: Sequence[int]) -> str:
    return f"({', '.join(map(str, numbers))})"


def _describe(finding: Finding, confirmation: Confirmation | None) -> list[str]:
    """The lines about a race or a barrier."""
    found: list[str] = []
    witness = finding.witness
    who = ["", ""]
    if witness is not None:
        who = [
            f" by thread {_three(thread)} in block {_three(block)}"
            for thread, block in zip(witness.threads, witness.blocks)
        ]
    if finding.kind == "divergence":
        found.append(f"{_place(finding.first)}: barrier is reached{who[0]}")
        if witness is not None:
            found.append(f"and not{who[1]}")
    else:
        found += [
            f"{_place(op)}: {_access(op)}{thread}"
            for op, thread in zip((finding.first, finding.second), who)
        ]
    if witness is not None:
        arguments = "".join(f", {name} = {value}" for name, value in witness.arguments.items())
        found.append(
            f"launch: grid {_three(witness.grid)}, block {_three(witness.block)}{arguments}"
        )
    if confirmation is not None and confirmation.reports:
        report = confirmation.reports[0]
        found.append(f"confirmed on the simulator: {report.title} {report.actor or ''}".rstrip())
    return found


def _show(symbol: str, result: Result, confirmation: Confirmation, file: str) -> None:
    from nvvm_xdsl.ir.demangle import plain_name

    name = plain_name(symbol)
    if result.verdict == "proved":
        print(f"{name}: proved")
        lines = [f"if {text}" for text in result.assumptions]
    elif result.verdict == "unknown":
        print(f"{name}: unknown: {result.reason}")
        lines = _describe(result.findings[0], None) if result.findings else []
        if not lines and result.place is not None:
            lines = [_place(result.place)]
    else:
        title = "race" if result.verdict == "race" else "divergent barrier"
        print(f"{name}: {title}")
        lines = _describe(result.findings[0], confirmation)
    for line in lines:
        print(as_typed(f"  {line}", file), flush=True)


def _run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    try:
        from nvvm_xdsl.lab.races.confirm import Confirmation
        from nvvm_xdsl.lab.races.verify import verify_kernel
    except ImportError as error:
        raise DiagnosticError(
            f"nvvm-verify-races needs z3-solver: pip install 'nvvm-xdsl[prove]' ({error})"
        ) from None
    from nvvm_xdsl.dialects.llvm.accessors import defined_name

    module, words, whole_program = _load(arguments)
    if words:
        arguments = make_parser().parse_args(
            [*words, arguments.file], argparse.Namespace(**vars(arguments))
        )
    options = options_of(arguments)

    def results() -> Iterator[tuple[Operation, Result, Confirmation]]:
        for kernel in _kernels(module, arguments.kernel):
            confirmation = Confirmation(module, kernel)
            own = replace(options, whole_program=defined_name(kernel) in whole_program)
            result = verify_kernel(module, kernel, own, confirmation)
            yield kernel, result, confirmation

    verdicts: set[str] = set()
    for kernel, result, confirmation in awaited(results(), "proving kernel"):
        verdicts.add(result.verdict)
        _show(defined_name(kernel), result, confirmation, arguments.file)
    if verdicts & {"race", "divergence"}:
        return 1
    return UNKNOWN if "unknown" in verdicts else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
