"""Searches PTX for expressions with an equivalent form for which ptxas emits fewer instructions.

    python -m dev.superopt.forms FILE.ll FILE.ptx ... [--windows 200]

ptxas has its own peephole patterns, so the number of PTX instructions says little about an expression.
The search takes windows of up to four unguarded instructions of a block from the PTX of -O3, weighted
by the executions of their PTX lines, rewrites each by up to two rows of `FORMS`, assembles all forms,
and prints those with fewer machine instructions. `dev.machine_proofs` proves the rows. A form that
pays off becomes a pattern of `nvptx-peephole`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from dev.foreign.runs import TARGET
from dev.superopt.modules import launches_of
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse as parse_module
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.assembled import AssemblyError, assemble
from nvvm_xdsl.lab.measure import measure
from nvvm_xdsl.simulator import prepare

Node: TypeAlias = "str | int | tuple[Any, ...]"
"""A register or a literal of a float, an integer, or an opcode with operands."""

ARCH: Final = "sm_90"
LARGEST: Final = 4
"""Maximum number of instructions of a window."""

MOST_FORMS: Final = 60
"""Maximum number of forms of a window."""

FORMS: Final = """
(cvt.s64.s32 x)                             (mul.wide.s32 x 1)
(cvt.u64.u32 x)                             (mul.wide.u32 x 1)
(sub.s64 y (cvt.s64.s32 x))                 (add.s64 y (mul.wide.s32 x -1))
(sub.s64 y (mul.wide.s32 x C))              (add.s64 y (mul.wide.s32 x {-C}))
(shl.b64 (cvt.s64.s32 x) C)                 (mul.wide.s32 x {1 << C})
(shl.b64 (cvt.u64.u32 x) C)                 (mul.wide.u32 x {1 << C})
(add.s32 x (selp.b32 y 0 p))                (selp.b32 (add.s32 x y) x p)
(sub.s32 x (selp.b32 y 0 p))                (selp.b32 (sub.s32 x y) x p)
(or.b32 x (selp.b32 y 0 p))                 (selp.b32 (or.b32 x y) x p)
(xor.b32 x (selp.b32 y 0 p))                (selp.b32 (xor.b32 x y) x p)
(min.s32 (max.s32 x 0) C)                   (max.s32 (min.s32 x C) 0)
(min.u32 (max.s32 x 0) C)                   (max.s32 (min.s32 x C) 0)
(add.s32 (sad.s32 x y 0) z)                 (sad.s32 x y z)
(setp.eq.b32 (and.b32 x C) C)               (setp.eq.b32 (and.b32 (not.b32 x) C) 0)
(setp.ne.b32 (and.b32 x (shl.b32 1 y)) 0)   (setp.ne.b32 (and.b32 (shr.u32 x y) 1) 0)
(and.pred (setp.eq.b32 x y) (setp.eq.b32 z 0))  (setp.eq.b32 (or.b32 (xor.b32 x y) z) 0)
(or.pred (setp.ne.b32 x y) (setp.ne.b32 z 0))   (setp.ne.b32 (or.b32 (xor.b32 x y) z) 0)
(add.s32 x y)                               (add.s32 y x)
(add.s32 (add.s32 x y) z)                   (add.s32 x (add.s32 y z))
(add.s32 (not.b32 x) y)                     (add.s32 (sub.s32 y x) -1)
(sub.s32 x y)                               (add.s32 x (neg.s32 y))
(add.s32 (shl.b32 x C) y)                   (add.s32 (mul.lo.s32 x {1 << C}) y)
(and.b32 (shr.u32 x C) 255)                 (bfe.u32 x C 8)
(and.b32 (shr.u32 x C) 65535)               (bfe.u32 x C 16)
(shr.s32 x 24)                              (bfe.s32 x 24 8)
(shr.s32 x 16)                              (bfe.s32 x 16 16)
(shl.b32 (and.b32 x C) D)                   (and.b32 (shl.b32 x D) {C << D})
(and.b32 (shl.b32 x D) C)                   (shl.b32 (and.b32 x {C >> D}) D)
(not.b32 (and.b32 x y))                     (or.b32 (not.b32 x) (not.b32 y))
(not.b32 (or.b32 x y))                      (and.b32 (not.b32 x) (not.b32 y))
(setp.lt.s32 x C)                           (setp.le.s32 x {C - 1})
(setp.gt.s32 x C)                           (setp.ge.s32 x {C + 1})
(selp.b32 x y (not.pred p))                 (selp.b32 y x p)
"""
"""An expression and an equal one in each row. `x` is any operand, `C` an integer, and a row applies for
constants that fit (`fitting`)."""

_BITS: Final = re.compile(r"(?:[subf](\d+)|pred)$")
_LINE: Final = re.compile(r"^\s*([a-z][\w.]*)\s+(%\w+),\s*([^;{\[]+);")
_DEFINED: Final = re.compile(r"^\s*(?:@\S+\s+)?[a-z][\w.:]*\s+(\{[^}]*\}|%\w+)")
_KNOWN: Final = frozenset(
    "add sub mul mad and or xor not neg abs shl shr min max selp setp cvt sad bfe bfi shf fma".split()
)


def parse(text: str) -> Node:
    """The expression of a text with parentheses."""
    tokens = re.findall(r"\{[^}]*\}|[()]|[^\s()]+", text)

    def read() -> Node:
        token = tokens.pop(0)
        if token != "(":
            return int(token) if re.fullmatch(r"-?\d+", token) else token
        items: list[Node] = []
        while tokens[0] != ")":
            items.append(read())
        tokens.pop(0)
        return tuple(items)

    return read()


def rows() -> Iterator[tuple[Node, Node]]:
    """The rows of `FORMS`."""
    for line in FORMS.strip().splitlines():
        depth = 0
        for place, letter in enumerate(line):
            depth += (letter == "(") - (letter == ")")
            if depth == 0 and letter == ")":
                yield parse(line[: place + 1]), parse(line[place + 1 :])
                break


def matched(pattern: Node, node: Node, found: dict[str, Node]) -> bool:
    """Whether an expression has the form of a pattern; adds the operands of the pattern to `found`."""
    if isinstance(pattern, str):
        if pattern.isupper() and not isinstance(node, int):
            return False
        return found.setdefault(pattern, node) == node
    if isinstance(pattern, int) or not isinstance(node, tuple) or len(pattern) != len(node):
        return pattern == node
    return pattern[0] == node[0] and all(
        matched(p, n, found) for p, n in zip(pattern[1:], node[1:])
    )


def built(pattern: Node, found: Mapping[str, Node]) -> Node:
    """The expression of a pattern for operands."""
    if isinstance(pattern, tuple):
        return (pattern[0], *(built(p, found) for p in pattern[1:]))
    if isinstance(pattern, str):
        if pattern[0] == "{":
            return int(eval(pattern[1:-1], {"__builtins__": {}}, dict(found)))
        return found[pattern]
    return pattern


def fitting(node: Node) -> bool:
    """Whether the constants of an expression are valid: amounts below the width, and numbers of 32
    bits. Masks, factors and bounds are not negative or have been checked by the proof of the row."""
    if not isinstance(node, tuple):
        return True
    head = node[0].split(".")[0]
    for operand in node[1:]:
        if isinstance(operand, int) and not -(1 << 31) < operand < 1 << 31:
            return False
    if head in ("shl", "shr", "bfe") and isinstance(node[2], int):
        return 0 <= node[2] < 31 and (head != "bfe" or node[2] + node[3] <= 32)
    return all(fitting(operand) for operand in node[1:])


def forms(root: Node) -> list[Node]:
    """Equivalent forms of an expression by up to two rows, without itself."""
    table = list(rows())
    seen = {root}
    last = [root]
    for _ in range(2):
        fresh: list[Node] = []
        for node in last:
            for made in _rewritten(node, table):
                if made not in seen and len(seen) <= MOST_FORMS:
                    seen.add(made)
                    fresh.append(made)
        last = fresh
    return sorted(seen - {root}, key=str)


def _rewritten(node: Node, table: Sequence[tuple[Node, Node]]) -> Iterator[Node]:
    if not isinstance(node, tuple):
        return
    for left, right in table:
        found: dict[str, Node] = {}
        if fitting(node) and matched(left, node, found) and is_bounded(left, found):
            made = built(right, found)
            if fitting(made):
                yield made
    for place, operand in enumerate(node[1:], 1):
        for made in _rewritten(operand, table):
            yield (*node[:place], made, *node[place + 1 :])


def is_bounded(left: Node, found: Mapping[str, Node]) -> bool:
    """Whether the constants of a clamp or mask are not negative."""
    positive = isinstance(left, tuple) and left[0].split(".")[0] in ("min", "and", "shl")
    return not positive or all(
        c >= 0 for n, c in found.items() if n.isupper() and isinstance(c, int)
    )


def operand_classes(opcode: str) -> tuple[str, list[str]]:
    """The register class of the result and those of the operands."""
    words = opcode.split(".")
    kinds = [_class(word) for word in words[1:] if _BITS.fullmatch(word)]
    if words[0] == "setp":
        return "pred", [kinds[-1]] * 2
    if words[0] == "selp":
        return kinds[-1], [kinds[-1], kinds[-1], "pred"]
    if words[0] == "cvt":
        return kinds[0], [kinds[1]]
    if "wide" in words:
        wide = f"b{2 * int(kinds[-1][1:])}"
        return wide, [kinds[-1], kinds[-1], wide]
    if words[0] in ("shl", "shr", "bfe"):
        return kinds[-1], [kinds[-1], "b32", "b32"]
    return kinds[-1], [kinds[-1]] * 4


def _class(word: str) -> str:
    return word if word[0] in "fp" else f"b{word[1:]}"


def kernel(name: str, root: Node) -> str:
    """PTX of a kernel that loads the registers of an expression and stores its value."""
    loads: dict[str, str] = {}
    body: list[str] = []
    regs: list[str] = []

    def fresh(kind: str) -> str:
        regs.append(f".reg .{kind} t{len(regs)};")
        return f"t{len(regs) - 1}"

    def value(node: Node, kind: str) -> str:
        if isinstance(node, int):
            return str(node)
        if isinstance(node, str):
            if node[0] != "%":
                return node
            if node not in loads:
                loads[node] = made = fresh(kind)
                place = f"[p+{16 * len(loads)}]"
                if kind == "pred":
                    word = fresh("b32")
                    body.append(f"ld.volatile.global.b32 {word}, {place};")
                    body.append(f"setp.ne.b32 {made}, {word}, 0;")
                else:
                    body.append(f"ld.volatile.global.{kind} {made}, {place};")
            return loads[node]
        result, kinds = operand_classes(node[0])
        given = [value(n, k) for n, k in zip(node[1:], kinds)]
        made = fresh(result)
        body.append(f"{node[0]} {made}, {', '.join(given)};")
        return made

    assert isinstance(root, tuple)
    kind = operand_classes(root[0])[0]
    made = value(root, kind)
    if kind == "pred":
        word = fresh("b32")
        body.append(f"selp.b32 {word}, 1, 0, {made};")
        kind, made = "b32", word
    body.append(f"st.volatile.global.{kind} [p], {made};")
    lines = [
        f".visible .entry {name}(.param .u64 q) {{",
        ".reg .b64 p; .reg .b32 i;",
        *regs,
        "ld.param.u64 p, [q]; mov.u32 i, %tid.x; mad.wide.u32 p, i, 256, p;",
        *body,
        "ret; }",
    ]
    return "\n".join(lines)


def machine_instructions(roots: Sequence[Node]) -> list[int]:
    """The number of machine instructions of a kernel for each expression."""
    text = "\n".join(kernel(f"k{number}", root) for number, root in enumerate(roots))
    kernels = assemble(f".version 8.0\n.target {ARCH}\n.address_size 64\n{text}\n", ARCH)
    return [kernels[f"k{number}"].instructions for number in range(len(roots))]


def windows(ptx: str, runs: Mapping[int, float]) -> dict[Node, float]:
    """The expressions of the PTX with their executions.

    Arguments:
        runs: of each line, from 1.
    """
    found: dict[Node, float] = {}
    lines = ptx.splitlines()
    times: Counter[str] = Counter()
    for line in lines:
        defined = _DEFINED.match(line)
        if defined is not None:
            times.update(re.findall(r"%\w+", defined[1]))
    known: dict[Node, tuple[str, list[Node]]] = {}

    def expanded(node: Node, depth: int) -> Node:
        made = known.get(node) if depth else None
        return (made[0], *(expanded(n, depth - 1) for n in made[1])) if made is not None else node

    for number, line in enumerate(lines, 1):
        if not line[:1].isspace():
            known.clear()
        row = _LINE.match(line)
        if row is None or not _is_known(row[1]):
            continue
        operands = [_operand(word.strip()) for word in row[3].split(",")]
        share = runs.get(number, 0.0)
        if share:
            roots = [(row[1], *(expanded(n, depth) for n in operands)) for depth in (1, 2)]
            for root in dict.fromkeys(map(_renamed, roots)):
                if 2 <= _size(root) <= LARGEST:
                    found[root] = found.get(root, 0.0) + share
        if times[row[2]] == 1:
            known[row[2]] = row[1], operands
    return found


def _is_known(opcode: str) -> bool:
    """Whether `operand_classes` knows the types of an instruction."""
    head, *words = opcode.split(".")
    types = sum(_BITS.fullmatch(word) is not None for word in words)
    return head in _KNOWN and types == (2 if head == "cvt" else 1)


def _operand(word: str) -> Node:
    return int(word) if re.fullmatch(r"-?\d+", word) else word


def _size(node: Node) -> int:
    return 1 + sum(map(_size, node[1:])) if isinstance(node, tuple) else 0


def _renamed(root: Node) -> Node:
    names: dict[str, str] = {}

    def visit(node: Node) -> Node:
        if isinstance(node, tuple):
            return (node[0], *map(visit, node[1:]))
        if isinstance(node, str) and node.startswith("%"):
            return names.setdefault(node, f"%{'xyzwvuts'[len(names)] if len(names) < 8 else 'o'}")
        return node

    return visit(root)


def text_of(node: Node) -> str:
    """The expression with parentheses."""
    return f"({' '.join(map(text_of, node))})" if isinstance(node, tuple) else str(node)


def shorter(root: Node) -> tuple[Node, int] | None:
    """The form with the fewest machine instructions and the number of saved ones; None if no form is
    shorter."""
    found = forms(root)
    if not found:
        return None
    try:
        first, *rest = machine_instructions([root, *found])
    except AssemblyError:
        return None
    best = min(range(len(rest)), key=rest.__getitem__)
    return (found[best], first - rest[best]) if rest[best] < first else None


def windows_in(path: Path) -> dict[Node, float]:
    """The windows of a module, with executions as a share of those of all its PTX instructions.

    Arguments:
        path: LLVM IR, whose kernels are run, or PTX, of which each line counts the same.
    """
    text = TARGET.sub("", path.read_text())
    if path.suffix == ".ptx":
        lines = text.count("\n") + 1
        return windows(text, dict.fromkeys(range(1, lines + 1), 1 / lines))
    source = parse_module(text, format="ll")
    launches = launches_of(source)
    options = CompileOptions(ARCH, opt_level=3, relaxed_atomics=True)
    ptx = compile_here(text, options=options)
    found: dict[Node, float] = {}
    measured = measure(ptx, ARCH, launches, prepare(parse_module(text, format="ll")))
    total = sum(m.executed.warps for m in measured.values())
    for measurement in measured.values():
        runs = {line: row.warps / total for line, row in measurement.lines.items()}
        for root, share in windows(measurement.ptx, runs).items():
            found[root] = found.get(root, 0.0) + share
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the search; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.superopt.forms", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("modules", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--windows", type=int, default=200, help="windows to try (%(default)s)")
    options = parser.parse_args(arguments)
    found: dict[Node, float] = {}
    for path in options.modules:
        for root, share in windows_in(path).items():
            found[root] = found.get(root, 0.0) + share
    count = 0
    for root, share in sorted(found.items(), key=lambda item: -item[1])[: options.windows]:
        best = shorter(root)
        if best is not None:
            count += 1
            print(f"{100 * share:.3f} % {best[1]}  {text_of(root)}  =>  {text_of(best[0])}")
    print(f"{len(found)} windows, {count} with a shorter form")
    return 0


if __name__ == "__main__":
    sys.exit(main())
