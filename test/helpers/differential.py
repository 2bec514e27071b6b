"""The same kernel at the llvm and at the nvptx level: both simulators must write the same bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from helpers.verified import verify
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

LANES = 64
SLOT = 16
"""Bytes of each input and each result."""

FLOATS = {"half": ("e", 16), "bfloat": ("", 16), "float": ("f", 32), "double": ("d", 64)}

EDGES = (0, 1, 2, 3, 7, 8, 15, 31, 32, 63, 64, 100, 127, 128, 255, 256)
FLOAT_EDGES = (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 1e-3, 100.0, 65504.0, -7.25)


def stored_bytes(type_: str) -> int:
    """Returns the bytes of a value of an LLVM type in memory, including those of whole vectors."""
    vector = re.fullmatch(r"<(\d+) x (\w+)>", type_)
    if vector:
        return int(vector[1]) * stored_bytes(vector[2])
    if type_ in FLOATS:
        return FLOATS[type_][1] // 8
    return (int(type_[1:]) + 7) // 8


def integer_samples(bits: int, rng: np.random.Generator) -> list[int]:
    """Edge cases of an integer type, then random numbers of all sizes."""
    top = 1 << bits
    values = [e for e in EDGES] + [top - 1 - e for e in EDGES[:6]]
    values += [top >> 1, (top >> 1) - 1, (top >> 1) + 1]
    while len(values) < LANES:
        size = int(rng.integers(1, bits + 1))
        value = int.from_bytes(rng.bytes(bits // 8 + 1), "little") & ((1 << size) - 1)
        values.append(value if rng.integers(2) else -value)
    return [v & (top - 1) for v in values[:LANES]]


def float_samples(type_: str, rng: np.random.Generator) -> list[int]:
    """Bits of edge cases of a floating-point type, then of random numbers."""
    _, bits = FLOATS[type_]
    values = [*FLOAT_EDGES, float("inf"), float("-inf"), float("nan")]
    while len(values) < LANES:
        values.append(float(rng.normal()) * 10.0 ** int(rng.integers(-3, 4)))
    array = np.array(values[:LANES])
    if type_ == "bfloat":
        return [int(v) >> 16 for v in array.astype(np.float32).view(np.uint32)]
    kind = {"half": np.float16, "float": np.float32, "double": np.float64}[type_]
    with np.errstate(all="ignore"):
        made = [int(v) for v in array.astype(kind).view(f"u{bits // 8}")]
    # Some subnormal and huge numbers by their bits.
    made[20:24] = [1, (1 << bits - 1) | 3, (1 << bits - 2) - 1, (1 << bits - 1) | 1 << (bits - 4)]
    return made


def samples(type_: str, rng: np.random.Generator) -> bytes:
    """Returns LANES values of a type, one per slot."""
    out = bytearray()
    vector = re.fullmatch(r"<(\d+) x (\w+)>", type_)
    element = vector[2] if vector else type_
    count = int(vector[1]) if vector else 1
    lanes: list[list[int]] = []
    for _ in range(count):
        if element in FLOATS:
            values = float_samples(element, rng)
        else:
            values = integer_samples(int(element[1:]), rng)
        order = rng.permutation(LANES)
        lanes.append([values[i] for i in order])
    size = stored_bytes(element)
    for lane in range(LANES):
        data = b"".join(values[lane].to_bytes(size, "little") for values in lanes)
        out += data.ljust(SLOT, b"\0")
    return bytes(out)


def kernel_text(operands: Sequence[str], bodies: Sequence[tuple[str, str]], head: str) -> str:
    """Returns a kernel that loads `%a`, `%b` ... and stores the `%r` of each body."""
    lines = [
        'target triple = "nvptx64-nvidia-cuda"',
        head,
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "define ptx_kernel void @k(ptr %in, ptr %out) {",
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %i = zext i32 %t to i64",
    ]
    for number, type_ in enumerate(operands):
        name = "abcd"[number]
        lines.append(f"  %in.{name} = getelementptr i8, ptr %in, i64 {number * LANES * SLOT}")
        lines.append(f"  %at.{name} = getelementptr [{SLOT} x i8], ptr %in.{name}, i64 %i")
        lines.append(f"  %{name} = load {type_}, ptr %at.{name}, align {_alignment(type_)}")
    for number, (type_, body) in enumerate(bodies):
        text = re.sub(r"%(r|t\d*|[uvwxyz]\d*)\b", rf"%\1.{number}", body)
        lines.extend(f"  {line.strip()}" for line in text.split(";") if line.strip())
        lines.append(f"  %out.{number} = getelementptr i8, ptr %out, i64 {number * LANES * SLOT}")
        lines.append(f"  %to.{number} = getelementptr [{SLOT} x i8], ptr %out.{number}, i64 %i")
        lines.append(f"  store {type_} %r.{number}, ptr %to.{number}, align {_alignment(type_)}")
    lines += ["  ret void", "}"]
    return "\n".join(lines)


def _alignment(type_: str) -> int:
    size = stored_bytes(type_)
    return min(1 << max(size - 1, 0).bit_length(), 16)


def _equal(type_: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Returns the lanes in which two results agree; all NaNs are equal."""
    vector = re.fullmatch(r"<(\d+) x (\w+)>", type_)
    element = vector[2] if vector else type_
    size = stored_bytes(type_)
    left, right = left[:, :size], right[:, :size]
    if element not in FLOATS:
        return (left == right).all(axis=1)
    bits = FLOATS[element][1]
    a = np.ascontiguousarray(left).view(f"u{bits // 8}")
    b = np.ascontiguousarray(right).view(f"u{bits // 8}")
    infinity = {"half": 0x7C00, "bfloat": 0x7F80, "float": 0x7F800000, "double": 0x7FF << 52}
    top = np.array((1 << bits - 1) - 1, f"u{bits // 8}")
    limit = np.array(infinity[element], f"u{bits // 8}")
    nan = ((a & top) > limit) & ((b & top) > limit)
    return ((a == b) | nan).all(axis=1)


def check(
    operands: Sequence[str],
    bodies: Sequence[tuple[str, str]],
    *,
    head: str = "",
    sm: int = 80,
    seed: int = 1,
    **modes: bool,
) -> None:
    """Fails if the nvptx code computes a different result than the llvm code.

    Arguments:
        operands: types of `%a`, `%b` ...; each gets LANES samples.
        bodies: type of `%r` and the instructions, separated by semicolons, that compute it.
        head: declarations.
    """
    rng = np.random.default_rng(seed)
    data = np.frombuffer(b"".join(samples(t, rng) for t in operands), np.uint8).copy()
    text = kernel_text(operands, bodies, head)
    module = read_ll(text)
    modes.setdefault("fmad", False)
    machine = select(module.clone(), CodegenOptions.for_arch(f"sm_{sm}", **modes))
    verify(machine)
    found: list[np.ndarray] = []
    with np.errstate(all="ignore"):
        for level in (module, machine):
            out = np.zeros(max(len(bodies), 1) * LANES * SLOT, np.uint8)
            launch(level, "k", 1, LANES, [data.copy(), out])
            found.append(out.reshape(len(bodies), LANES, SLOT))
    wrong: list[str] = []
    for number, (type_, body) in enumerate(bodies):
        same = _equal(type_, found[0][number], found[1][number])
        if not same.all():
            lane = int(np.flatnonzero(~same)[0])
            inputs = [
                data[(i * LANES + lane) * SLOT :][: stored_bytes(t)].tobytes()[::-1].hex()
                for i, t in enumerate(operands)
            ]
            size = stored_bytes(type_)
            llvm, nvptx = (f[number][lane][:size].tobytes()[::-1].hex() for f in found)
            wrong.append(f"{body} of {inputs}: llvm {llvm}, nvptx {nvptx}")
    assert not wrong, "\n".join(wrong)
