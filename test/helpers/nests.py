"""Functions of many loops, as text: nested, or in sequence."""

_HEAD = """llvm.func @f(%n: i32, %x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
"""


def _test(i: int) -> str:
    return (
        f"  %next{i} = llvm.add %i{i}, %k1 overflow<nsw> : i32\n"
        f'  %c{i} = llvm.icmp "slt" %next{i}, %n : i32\n'
        f"  llvm.cond_br %c{i}, ^loop{i}(%next{i} : i32), ^exit{i}\n^exit{i}:\n"
    )


def loop_nest(depth: int, innermost: str = "") -> str:
    """Returns N nested loops; the innermost one holds the given ops."""
    parts = [_HEAD]
    parts += [f"  llvm.br ^loop{i}(%k0 : i32)\n^loop{i}(%i{i}: i32):\n" for i in range(depth)]
    parts.append(innermost)
    parts += [f"  llvm.br ^latch{i}\n^latch{i}:\n{_test(i)}" for i in reversed(range(depth))]
    return "".join([*parts, "  llvm.return\n}\n"])


def loops_in_a_row(count: int) -> str:
    """Returns N loops in sequence."""
    loops = (
        f"  llvm.br ^loop{i}(%k0 : i32)\n^loop{i}(%i{i}: i32):\n{_test(i)}" for i in range(count)
    )
    return "".join([_HEAD, *loops, "  llvm.return\n}\n"])
