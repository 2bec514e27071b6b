"""Measures the time of each analysis per op, beside xDSL's verification of the same module.

    python bench/bench_analysis.py [OPS]

Times are in microseconds. The function is generated: arithmetic, memory accesses and branches in blocks of
eight ops, and a loop around four of every five blocks. xDSL's verification is quadratic in the number of
blocks of a function, so it is timed on functions of 300 blocks.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.dependence_analysis import DependenceAnalysis
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis
from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.pipeline.registry import ANALYSES
from nvvm_xdsl.verify.verifier import verify_module

OPS_PER_BLOCK = 8
LEFT_OUT = frozenset({"aa", "da"})
"""Analyses whose printers write a quadratic number of lines; single queries are timed instead."""
ANSWERS = 20_000
"""The number of queried pairs of accesses."""


def generate(blocks: int, name: str = "f") -> str:
    """Returns the text of a function with this many blocks."""
    lines = [
        f"llvm.func @{name}(%a: i32, %p: !llvm.ptr<1>, %x: f32) -> i32 {{",
        "llvm.br ^b0(%a : i32)",
    ]
    for n in range(blocks):
        lines += [
            f"^b{n}(%v{n}: i32):",
            f"%s{n} = llvm.add %v{n}, %a : i32",
            f"%m{n} = llvm.mul %s{n}, %v{n} : i32",
            f"%g{n} = llvm.getelementptr %p[%m{n}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32",
            f"%l{n} = llvm.load %g{n} : !llvm.ptr<1> -> f32",
            f"%f{n} = llvm.fadd %l{n}, %x : f32",
            f"llvm.store %f{n}, %g{n} : f32, !llvm.ptr<1>",
            f'%c{n} = llvm.icmp "slt" %m{n}, %a : i32',
        ]
        if n == blocks - 1:
            lines.append(f"llvm.return %m{n} : i32")
        elif n % 5 == 4:
            lines.append(f"llvm.cond_br %c{n}, ^b{n - 3}(%m{n} : i32), ^b{n + 1}(%m{n} : i32)")
        elif n % 5 == 0:
            # No edge bypasses the header of the following loop.
            lines.append(f"llvm.br ^b{n + 1}(%s{n} : i32)")
        else:
            target = min(n + 2, blocks - 1)
            lines.append(f"llvm.cond_br %c{n}, ^b{n + 1}(%s{n} : i32), ^b{target}(%m{n} : i32)")
    lines.append("}")
    return "\n".join(lines)


def parse(text: str) -> ModuleOp:
    """Returns the parsed module."""
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(LLVM)
    return Parser(context, text).parse_module()


def seconds(run: Callable[[], object]) -> float:
    """Returns the processor time of one run, without garbage collection of earlier objects."""
    gc.collect()
    gc.freeze()
    start = time.process_time()
    run()
    return time.process_time() - start


def main() -> None:
    """Prints one line for each analysis."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("ops", type=int, nargs="?", default=10_000)
    wanted = arguments.parse_args().ops
    module = parse(generate(wanted // OPS_PER_BLOCK))
    (func,) = module.ops
    count = sum(1 for _ in module.walk())
    small = [generate(300, f"f{n}") for n in range(max(1, wanted // (300 * OPS_PER_BLOCK)))]
    pieces = parse("\n".join(small))
    piece_count = sum(1 for _ in pieces.walk())

    def line(name: str, elapsed: float, ops: int) -> None:
        print(f"{name:36} {elapsed * 1e3:9.1f} ms {elapsed / ops * 1e6:8.2f} us/op", flush=True)

    print(f"{count} ops in {wanted // OPS_PER_BLOCK} blocks")
    line("xDSL's verification", seconds(pieces.verify), piece_count)
    line("the verifier here", seconds(lambda: verify_module(module)), count)
    told: set[type[Any]] = set()
    line("dominator tree and loops", seconds(lambda: AnalysisManager().get(LoopInfo, func)), count)
    for name in sorted(PRINTERS.keys() - LEFT_OUT):
        am = AnalysisManager()
        analysis = analysis_class(name)
        if analysis in told:
            continue
        told.add(analysis)
        line(
            f"{analysis.__name__}, with what it needs",
            seconds(lambda: am.get(analysis, func)),  # noqa: B023
            count,
        )
        line(f"print<{name}>", seconds(lambda: print_analysis(name, func, am)), count)  # noqa: B023
    for what, elapsed in answers(func):
        print(f"{what:36} {'':12} {elapsed / ANSWERS * 1e6:8.2f} us each", flush=True)


def answers(func: Operation) -> Iterator[tuple[str, float]]:
    """Returns the time of alias and dependence queries for the sampled pairs of accesses."""
    am = AnalysisManager()
    alias, dependence = am.get(AliasAnalysis, func), am.get(DependenceAnalysis, func)
    accesses = [op for op in func.walk() if alias.location(op) is not None]
    choose = random.Random(1).choice
    pairs = [(choose(accesses), choose(accesses)) for _ in range(ANSWERS)]
    located: Any = [(alias.location(a), alias.location(b)) for a, b in pairs]
    yield "alias, of two accesses", seconds(lambda: [alias.alias(a, b) for a, b in located])
    yield "dependence, of two accesses", seconds(lambda: [dependence.depends(*p) for p in pairs])


def analysis_class(name: str) -> type[Any]:
    """Returns the analysis that the printer with this name prints."""
    where, _, found = ANALYSES[name].partition(":")
    return getattr(importlib.import_module(f"nvvm_xdsl.analysis.{where}"), found)


if __name__ == "__main__":
    main()
