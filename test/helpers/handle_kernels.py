"""One texture or surface instruction at a time, as machine code and as inline assembly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import nvvm_xdsl
from helpers.machine_kernels import Kernel, split
from nvvm_xdsl.dialects.nvptx import (
    B16,
    B32,
    B64,
    F32,
    PRED,
    REG,
    addr,
    addr_list,
    imm,
    layout,
    vec,
)
from nvvm_xdsl.simulator import launch

WAYS = ("machine", "assembly")

Column = Sequence[int] | Sequence[float]

_CLASSES = {"b8": B16, "b16": B16, "b32": B32, "b64": B64, "f32": F32}
_CONSTRAINTS = {"b8": "h", "b16": "h", "b32": "r", "b64": "l", "f32": "f"}
_LLVM = {"b8": "i16", "b16": "i16", "b32": "i32", "b64": "i64", "f32": "float"}


def bits(value: float) -> int:
    """Returns a coordinate's bits: of a single-precision float, or of a two's complement integer."""
    if isinstance(value, float | np.floating):
        return int(np.float32(value).view(np.uint32))
    return int(value) & (1 << 64) - 1


def _type(column: Column) -> str:
    return "f32" if isinstance(column[0], float | np.floating) else "b32"


def run(
    opcode: str,
    handles: Sequence[object],
    place: Sequence[Column],
    extra: Sequence[Sequence[Column]] = (),
    results: Sequence[str] = ("b32",) * 4,
    way: str = "machine",
    extra_type: str = "",
    **options: object,
) -> list[list[int]]:
    """Runs `opcode {results}, [handles, {place}], extra ...` and returns the bits of each thread's results.

    Arguments:
        place: a column for each coordinate, an element for each thread.
        extra: the operands after the brackets: lists of columns, of which one with one column is a
            plain register.
        results: the types of the results' registers.
        extra_type: of the extra operands; by default that of their values.
    """
    columns = [c for c in place]
    types = [_type(c) for c in place]
    for group in extra:
        columns += group
        types += [extra_type or _type(c) for c in group]
    threads = max((len(c) for c in columns), default=1)
    source = np.zeros((threads, max(len(columns), 1)), np.uint64)
    for i, column in enumerate(columns):
        source[:, i] = [bits(v) for v in column]
    target = np.zeros((threads, max(len(results), 1)), np.uint64)
    make = _machine if way == "machine" else _assembly
    module = make(opcode, len(handles), len(place), [len(g) for g in extra], types, results)
    launch(module, "k", 1, threads, [*handles, source, target], **options)
    return [[int(v) for v in row[: len(results)]] for row in target]


def _machine(
    opcode: str,
    handles: int,
    place: int,
    extra: Sequence[int],
    types: Sequence[str],
    results: Sequence[str],
):
    kernel = Kernel(handles + 2)

    def at(buffer: int, width: int):
        offset = kernel.add(
            "mul", "wide.u32", [kernel.tid], [B64], layout(REG, imm(8 * max(width, 1)))
        ).results[0]
        return kernel.add("add", "s64", [kernel.pointers[buffer], offset], [B64]).results[0]

    source, target = at(handles, len(types)), at(handles + 1, len(results))
    values = [
        kernel.add(
            "ld", f"global.{'u8' if t == 'b8' else t}", [source], [_CLASSES[t]], layout(addr(8 * i))
        ).results[0]
        for i, t in enumerate(types)
    ]
    name, mods = split(opcode)
    slots = [addr_list(*(REG,) * handles, vec(place))]
    # Gradients and integer offsets are in braces even if they have one element.
    offset = name == "tex" and types[-1] != "f32" and not mods.startswith("level")
    braced = offset or mods.startswith("grad")
    slots += [vec(count) if count > 1 or braced else REG for count in extra]
    op = kernel.add(
        name,
        mods,
        [*kernel.pointers[:handles], *values],
        [_CLASSES[r] for r in results],
        layout(*slots),
    )
    for i, (result, type_) in enumerate(zip(op.results, results)):
        width = "b16" if type_ == "b8" else type_
        kernel.add("st", f"global.{width}", [target, result], (), layout(addr(8 * i), REG))
    return kernel.module()


def _assembly(
    opcode: str,
    handles: int,
    place: int,
    extra: Sequence[int],
    types: Sequence[str],
    results: Sequence[str],
):
    count = len(results)
    names = [f"${count + i}" for i in range(handles + len(types))]
    at = handles
    brackets = ", ".join([*names[:handles], "{" + ", ".join(names[at : at + place]) + "}"])
    at += place
    operands = [f"[{brackets}]"]
    for size in extra:
        group = ", ".join(names[at : at + size])
        plain = size == 1 and ".level" in opcode
        operands.append(group if plain or opcode.startswith("sured") else "{" + group + "}")
        at += size
    if results:
        operands.insert(0, "{" + ", ".join(f"${i}" for i in range(count)) + "}")
    text = f"{opcode} {', '.join(operands)};"
    constraints = ["=" + _CONSTRAINTS[r] for r in results]
    constraints += ["l"] * handles + [_CONSTRAINTS[t] for t in types]
    lines = [
        f"define ptx_kernel void @k({', '.join(f'i64 %h{i}' for i in range(handles))}"
        f"{', ' if handles else ''}ptr %in, ptr %out) {{",
        "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        f"  %from = mul i32 %tid, {max(len(types), 1)}",
        f"  %to = mul i32 %tid, {max(count, 1)}",
    ]
    arguments = [f"i64 %h{i}" for i in range(handles)]
    for i, t in enumerate(types):
        lines += [
            f"  %o{i} = add i32 %from, {i}",
            f"  %p{i} = getelementptr i64, ptr %in, i32 %o{i}",
            f"  %v{i} = load {_LLVM[t]}, ptr %p{i}, align 8",
        ]
        arguments.append(f"{_LLVM[t]} %v{i}")
    given = [_LLVM[r] for r in results]
    whole = "void" if not given else given[0] if count == 1 else "{ " + ", ".join(given) + " }"
    call = (
        f'call {whole} asm sideeffect "{text}", "{",".join(constraints)}"({", ".join(arguments)})'
    )
    lines.append(f"  %r = {call}" if given else f"  {call}")
    for i, type_ in enumerate(given):
        value = "%r" if count == 1 else f"%e{i}"
        if count > 1:
            lines.append(f"  %e{i} = extractvalue {whole} %r, {i}")
        lines += [
            f"  %q{i} = add i32 %to, {i}",
            f"  %s{i} = getelementptr i64, ptr %out, i32 %q{i}",
            f"  store {type_} {value}, ptr %s{i}, align 8",
        ]
    lines += ["  ret void", "}", "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()", ""]
    return nvvm_xdsl.parse(
        "\n".join(['target triple = "nvptx64-nvidia-cuda"', *lines]), format="ll"
    )


def floats(rows: Sequence[Sequence[int]]) -> list[list[float]]:
    """Returns rows of bits as single-precision floats."""
    return np.array(rows, np.uint64).astype(np.uint32).view(np.float32).tolist()


def ask(opcode: str, handle: object, level: int | None = None) -> list[int]:
    """A query as assembly and as machine code, which must agree."""

    predicate = opcode.startswith("istypep")
    kernel = Kernel(2)
    slots = [REG if predicate else addr()] + ([] if level is None else [imm(level)])
    kind = PRED if predicate else B32
    op = kernel.add(*split(opcode), [kernel.pointers[0]], [kind], layout(*slots))
    kernel.store(1, op.results[0])
    place = "$1" if predicate else "[$1]"
    tail = "" if level is None else f", {level}"
    text = (
        f"{{.reg .pred %p; {opcode} %p, $1; selp.b32 $0, 1, 0, %p; }}"
        if predicate
        else f"{opcode} $0, {place}{tail};"
    )
    source = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i64 %t, ptr %out) {{
  %r = call i32 asm "{text}", "=r,l"(i64 %t)
  store i32 %r, ptr %out
  ret void
}}
"""
    outs = []
    for module in (kernel.module(), nvvm_xdsl.parse(source, format="ll")):
        out = np.zeros(4, np.uint32)
        launch(module, "k", 1, 1, [handle, out])
        outs.append(int(out[0]))
    assert outs[0] == outs[1]
    return outs[:1]
