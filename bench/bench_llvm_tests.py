"""Counts the functions of LLVM's tests that our passes reduce as much as LLVM's passes.

    python bench/bench_llvm_tests.py LLVM/llvm/test/Transforms [--pass NAME ...] [--files N]
        [--missing FILE] [--markdown FILE] [--kinds FILE]

Each file is compiled by a pass of LLVM 22's `opt`, for NVPTX, and by our pass. Functions whose ops LLVM's
pass changes count: `same` functions end with the same ops (an icmp with its predicate, a call with its
callee) in both, `as small` functions with different ops but no more of them. Flags and operands are not
compared. Of a folder with more than N files, an evenly spaced selection is used. If our reader rejects a
file, its functions are tried one by one, and rejected functions are left out, because they are not NVVM
IR. `--missing` writes for each remaining function the ops that only LLVM's result has and those that only
ours has. `--kinds` writes a table of their number by the first kind of `KINDS` that matches the function.
Needs opt of LLVM 22 and LLVM's sources, which are not included.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bench_quality import markdown
from rich.console import Console
from rich.progress import track
from rich.table import Table

import nvvm_xdsl
from nvvm_xdsl.dialects.llvm.data_layout import NVPTX64_LAYOUT
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.compilers import CompilerError
from nvvm_xdsl.lab.compilers.registry import llvm_tool, run_program
from nvvm_xdsl.pipeline import run_pipeline

ALL_OF_SIMPLIFYCFG = (
    "bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;"
    "hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch"
)

ROWS = f"""
mem2reg                  | Mem2Reg                    | mem2reg | mem2reg
tailcallelim             | TailCallElim               | tailcallelim | tailcallelim
adce                     | ADCE                       | adce | adce
div-rem-pairs            | DivRemPairs                | div-rem-pairs | div-rem-pairs
correlated-propagation   | CorrelatedValuePropagation | correlated-propagation | correlated-propagation
instcombine              | InstCombine                | instcombine | instcombine
gvn                      | GVN                        | gvn | gvn
instsimplify             | InstSimplify               | instsimplify | instsimplify
instcombine on these     | InstSimplify               | instsimplify | instcombine
reassociate, instcombine | Reassociate                | reassociate,instcombine | reassociate,instcombine
sroa                     | SROA                       | sroa | sroa
bdce                     | BDCE                       | bdce | bdce
sccp                     | SCCP                       | sccp | sccp
memcpyopt                | MemCpyOpt                  | memcpyopt | memcpyopt
jump-threading, cleaned  | JumpThreading              | jump-threading,simplifycfg,instsimplify | jump-threading,simplifycfg,instsimplify
dse                      | DeadStoreElimination       | dse | dse
early-cse                | EarlyCSE                   | early-cse<memssa> | early-cse
sink                     | Sink                       | sink | sink
simplifycfg with all     | SimplifyCFG                | simplifycfg<{ALL_OF_SIMPLIFYCFG}> | simplifycfg<hoist-common-insts;sink-common-insts>
aggressive-instcombine   | AggressiveInstCombine      | aggressive-instcombine | aggressive-instcombine
gvn-hoist                | GVNHoist                   | gvn-hoist | gvn-hoist
dfa-jump-threading       | DFAJumpThreading           | dfa-jump-threading,simplifycfg | dfa-jump-threading,simplifycfg
licm                     | LICM                       | loop-mssa(licm) | licm
loop-rotate              | LoopRotate                 | loop(loop-rotate) | loop-rotate
indvars                  | IndVarSimplify             | loop(indvars) | indvars
loop-deletion            | LoopDeletion               | loop(loop-deletion) | loop-deletion
loop-idiom               | LoopIdiom                  | loop(loop-idiom) | loop-idiom
loop-unroll              | LoopUnroll                 | loop-unroll | loop-unroll
loop-simplify            | LoopSimplify               | loop-simplify | loop-simplify
simple-loop-unswitch     | SimpleLoopUnswitch         | simple-loop-unswitch | simple-loop-unswitch
loop-reduce              | LoopStrengthReduce         | loop-reduce | loop-reduce
""".strip()
"""Name, test folder, LLVM's pipeline, our pipeline."""

KINDS = {
    "another target's": r"@llvm\.(x86|aarch64|arm|riscv|amdgcn|ppc|s390|hexagon|wasm|loongarch)\b|vscale",
    "vectors": r"<\d+ x ",
    "rounding modes and traps": r"constrained|strictfp",
    "allocation, C library": r"@(malloc|calloc|realloc|free|_Zn|_Zd|str|mem|wcs|printf|sprintf|snprintf|puts|fputs|fwrite|pow|exp|log|sin|cos|sqrt|abs|ffs|is)\w*\(",
    "widths that no GPU has": r"\bi(?!1\b|8\b|16\b|32\b|64\b|128\b)\d+\b",
    "NVVM intrinsics": r"@llvm\.nvvm\.",
    "assumptions": r"@llvm\.(assume|experimental\.guard)|!range|!nonnull",
    "undef and poison": r"\b(undef|poison)\b",
    "loops and control flow": r"\bphi\b|^\s+(br i1|switch)\b",
    "memory": r"= (load|alloca|getelementptr|atomicrmw|cmpxchg)\b|^\s+store\b|@llvm\.mem",
    "floating point": r"\b(half|bfloat|float|double|x86_fp80|fp128|ppc_fp128)\b",
    "other intrinsics": r"@llvm\.(?!smax|smin|umax|umin)",
    "choices": r"= (select|freeze)\b|@llvm\.[su](max|min)",
    "comparisons": r"= icmp\b",
    "other integers": r"",
}
"""Patterns of function contents; the kinds least relevant to GPU code come first."""

_DEFINE = re.compile(r"^define .*?^\}$", re.M | re.S)
_NAME = re.compile(r'@("[^"]*"|[-\w.$]+)\(')
_OP = re.compile(
    r'^\s+(?:%(?:"[^"]*"|\S+) = )?(?:tail |musttail |notail )?(\w+)(?: samesign)?(?: (\w+))?'
)
_CALLEE = re.compile(r'@("[^"]*"|[-\w.$]+)')
_HEADER = re.compile(r"^(target (datalayout|triple)|source_filename).*$", re.M)
_PREFIX = f'target datalayout = "{NVPTX64_LAYOUT}"\ntarget triple = "nvptx64-nvidia-cuda"\n'

Ops = Counter[str]


@dataclass
class Count:
    """Results of a pass: the files read, and the functions that LLVM's pass changes."""

    files: int = 0
    changed: int = 0
    same: int = 0
    as_small: int = 0
    missing: list[str] = field(default_factory=list[str])
    kinds: Counter[str] = field(default_factory=Counter[str])

    def add(self, where: str, body: str, theirs: Ops, ours: Ops) -> None:
        """Counts one of the functions."""
        self.changed += 1
        if theirs == ours:
            self.same += 1
        elif ours.total() <= theirs.total():
            self.as_small += 1
        else:
            have, want = " ".join((ours - theirs).elements()), " ".join((theirs - ours).elements())
            self.kinds[kind_of(body)] += 1
            self.missing.append(f"{where}\twant {want}\thave {have}")

    def row(self, name: str) -> list[str]:
        """Returns the row of the table."""
        share = 100 * (self.same + self.as_small) / max(self.changed, 1)
        return [f"`{name}`", *map(str, (self.files, self.changed, self.same, self.as_small)), f"{share:.0f}%"]  # fmt: skip


def kind_of(body: str) -> str:
    """Returns the first kind of `KINDS` that matches a function's text."""
    return next(kind for kind, found in KINDS.items() if re.search(found, body, re.M))


def functions(text: str) -> Iterator[tuple[str, str]]:
    """Returns the names and texts of the functions that a module defines."""
    for match in _DEFINE.finditer(text):
        name = _NAME.search(match[0])
        if name is not None:
            yield name[1], match[0]


def ops_of(function: str) -> Ops:
    """Returns the ops of a function, from the lines of its text."""
    found: Ops = Counter()
    for line in function.splitlines()[1:]:
        match = _OP.match(line)
        if match is None or line.rstrip().endswith(":") or line.lstrip().startswith("#dbg"):
            continue
        op = match[1]
        if op in ("icmp", "fcmp"):
            op = f"{op}.{match[2]}"
        elif op == "call":
            callee = _CALLEE.search(line)
            op = f"call.{callee[1]}" if callee is not None else op
        found[op] += 1
    return found


def by_llvm(text: str, passes: str) -> dict[str, Ops]:
    """Returns the functions after `opt`. Raises CompilerError."""
    command = [llvm_tool("opt"), f"-passes={passes}", "-S", "-o", "-"]
    return {name: ops_of(body) for name, body in functions(run_program(command, text, "opt"))}


def by_us(text: str, passes: str) -> dict[str, Ops]:
    """Returns the functions after our passes, for those that the reader accepts."""
    try:
        return _by_us(text, passes)
    except DiagnosticError:
        rest = _DEFINE.sub("", text)
        found: dict[str, Ops] = {}
        for _, body in functions(text):
            try:
                found |= _by_us(f"{rest}\n{body}\n", passes)
            except DiagnosticError:
                continue
        return found


def _by_us(text: str, passes: str) -> dict[str, Ops]:
    module = nvvm_xdsl.parse(text)
    run_pipeline(module, passes)
    return {name: ops_of(body) for name, body in functions(write_ll(module))}


def measured(folder: Path, llvm: str, ours: str, limit: int) -> Count:
    """Runs a pass on the tests of a folder."""
    files = sorted(folder.rglob("*.ll"))
    count = Count()
    for path in track(files[:: max(1, -(-len(files) // limit))], description=folder.name):
        text = _PREFIX + _HEADER.sub("", path.read_text(errors="replace"))
        try:
            before, theirs = by_llvm(text, "verify"), by_llvm(text, llvm)
        except CompilerError:
            continue
        found, bodies = by_us(text, ours), dict(functions(text))
        count.files += bool(found)
        for name, ops in found.items():
            if name in before and name in theirs and before[name] != theirs[name]:
                count.add(f"{path.relative_to(folder)} {name}", bodies[name], theirs[name], ops)
    return count


def by_kind(kinds: dict[str, Counter[str]]) -> Table:
    """Returns how many functions of each kind each pass leaves larger than LLVM's pass."""
    there = [kind for kind in KINDS if any(count[kind] for count in kinds.values())]
    table = Table("contents of the function", *(f"`{name}`" for name in kinds), "all")
    for kind in there:
        counts = [count[kind] for count in kinds.values()]
        table.add_row(kind, *(str(n) if n else "" for n in counts), str(sum(counts)))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pass", dest="names", action="append", default=[], metavar="NAME")
    parser.add_argument("--files", type=int, default=60, metavar="N")
    parser.add_argument("--missing", type=Path, metavar="FILE")
    parser.add_argument("--kinds", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    rows: list[list[str]] = []
    missing: list[str] = []
    kinds: dict[str, Counter[str]] = {}
    for line in ROWS.splitlines():
        name, folder, llvm, ours = (part.strip() for part in line.split("|"))
        if arguments.names and name not in arguments.names:
            continue
        count = measured(arguments.folder / folder, llvm, ours, arguments.files)
        rows.append(count.row(name))
        kinds[name] = count.kinds
        missing += [f"{name}\t{entry}" for entry in count.missing]
    table = Table("pass", "files", "functions changed", "same", "as small", "together")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    if arguments.markdown:
        arguments.markdown.write_text(markdown(table))
    if arguments.kinds:
        arguments.kinds.write_text(markdown(by_kind(kinds)))
    if arguments.missing:
        arguments.missing.write_text("".join(f"{entry}\n" for entry in missing))


if __name__ == "__main__":
    main()
