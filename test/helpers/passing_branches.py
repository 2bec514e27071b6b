"""Random functions whose branches pass conditions and constants of their own blocks."""

from __future__ import annotations

import random


def passing_branches(seed: int) -> str:
    """A function `(i32, i32, i1) -> i32` in which a block's values are often used by its edges only.

    Most blocks contain only constants and a comparison of `%a` with a constant, as in a chain of
    comparisons. Edges pass the comparison, constants of the block and the function's arguments. Some
    blocks have no arguments, some end in a switch, and some branch back.
    """
    r = random.Random(seed)
    last = r.randint(3, 9)
    # The probability of each op that ends a chain of comparisons.
    other = r.choice((0.02, 0.2))
    has_arguments = [b == last or r.random() < 2 * other for b in range(last + 1)]
    numbers = r.sample(range(last + 2), last)
    lines: list[str] = []

    def edge(target: int, conditions: list[str], values: list[str]) -> str:
        if not has_arguments[target]:
            return f"^b{target}"
        return f"^b{target}({r.choice(conditions)}, {r.choice(values)} : i1, i32)"

    def somewhere(block: int) -> int:
        if r.random() < other / 2:
            return r.randint(1, last)
        # A block without arguments has one predecessor.
        return r.choice([n for n in range(block + 1, last + 1) if has_arguments[n]])

    for block in range(last):
        conditions, values = ["%c"], ["%a", "%b"]
        if block and has_arguments[block]:
            lines.append(f"^b{block}(%q{block}: i1, %p{block}: i32):")
            conditions.append(f"%q{block}")
            values.append(f"%p{block}")
        elif block:
            lines.append(f"^b{block}:")
        lines.append(f"%k{block} = llvm.mlir.constant({numbers[block]} : i32) : i32")
        lines.append(f"%j{block} = llvm.mlir.constant({r.randint(0, 5)} : i32) : i32")
        values += [f"%k{block}", f"%j{block}"]
        if r.random() < other:
            lines.append(f"%s{block} = llvm.add {r.choice(values)}, {r.choice(values)} : i32")
            values.append(f"%s{block}")
        compared = r.choice(values) if r.random() < other else "%a"
        predicate = r.choice(("ne", "slt", "ugt")) if r.random() < other else "eq"
        lines.append(f'%c{block} = llvm.icmp "{predicate}" {compared}, %k{block} : i32')
        conditions += 2 * [f"%c{block}"]
        kind = r.random()
        following = somewhere(block) if r.random() < other else block + 1
        if kind < other / 2:
            lines.append(f"llvm.br {edge(following, conditions, values)}")
        elif kind < 1 - other / 2:
            left = edge(somewhere(block), conditions, values)
            lines.append(f"llvm.cond_br %c{block}, {left}, {edge(following, conditions, values)}")
        else:
            cases = ",\n".join(
                f"{n}: {edge(somewhere(block), conditions, values)}"
                for n in r.sample(range(6), r.randint(1, 4))
            )
            default = edge(following, conditions, values)
            lines.append(f"llvm.switch {r.choice(values)} : i32, {default} [\n{cases}\n]")
    lines.append(f"^b{last}(%q: i1, %p: i32):")
    lines.append("%z = llvm.select %q, %p, %a : i1, i32")
    lines.append("llvm.return %z : i32")
    body = "\n".join(lines)
    return f"llvm.func @f(%a: i32, %b: i32, %c: i1) -> i32 {{\n{body}\n}}"
