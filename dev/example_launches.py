"""Launches of every example kernel with expected results computed by NumPy.

Sizes include one thread, several blocks, and numbers that are not multiples of the block; inputs
are fixed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from nvvm_xdsl.lab.launches import Array, Launch, Outcome, equal
from nvvm_xdsl.simulator.numerics.floats import round_to

Make = Callable[[np.random.Generator], "Iterator[ExampleLaunch]"]


@dataclass(frozen=True)
class ExampleLaunch:
    """A launch and the expected final contents of its arrays, by argument number."""

    launch: Launch
    expected: dict[int, Array]
    output: str | None = None
    variables: dict[str, bytes] | None = None
    libdevice: bool = False
    """Whether the module must be linked with libdevice first."""

    def wrong(self, outcome: Outcome) -> str | None:
        """A description of the errors of an outcome."""
        left = dict(zip(outcome.positions, outcome.arrays))
        for position, wanted in self.expected.items():
            same = equal(wanted, left[position], self.launch.tolerance, self.launch.absolute)
            if not same.all():
                where = tuple(int(i) for i in np.argwhere(~same)[0])
                return f"argument {position}{list(where)} is {left[position][where]!r}, not {wanted[where]!r}"
        if self.output is not None and _lines(outcome.output) != _lines(self.output):
            return f"the output is {outcome.output!r}, not {self.output!r}"
        for name, content in (self.variables or {}).items():
            if outcome.variables.get(name) != content:
                return f"@{name} is {outcome.variables.get(name)!r}, not {content!r}"
        return None


def _lines(text: str) -> list[str]:
    """Sorted lines, with addresses replaced by a placeholder."""
    return sorted(re.sub(r"0x[0-9a-f]+", "ADDRESS", text).splitlines())


def _bf16(values: Array) -> Array:
    return round_to(np.asarray(values, np.float64), "bf16")


def _wide(values: Array) -> Array:
    return (values.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _saxpy(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for n, grid, block in ((1, 1, 1), (100, 1, 128), (1000, 4, 256), (37, 3, 32)):
        x, y = rng.random((2, max(n, 1)), np.float32)
        a = np.float32(1.5)
        done = min(n, grid * block)
        want = y.copy()
        want[:done] = (a * x + y)[:done]
        yield ExampleLaunch(Launch("saxpy", grid, block, (n, a, x, y), tolerance=1e-6), {3: want})


def _bfloat16(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for n, grid, block in ((1, 1, 1), (50, 2, 32)):
        x, y = _bf16(rng.normal(size=n)), _bf16(rng.normal(size=n))
        a = _bf16(np.array([1.25]))
        product = _bf16(_wide(a) * _wide(x))
        want = _bf16(_wide(product).astype(np.float64) + _wide(y))
        fused = _bf16(_wide(a).astype(np.float64) * _wide(x) + _wide(y))
        # Contraction to a fused multiply-add is allowed: within a unit in the last place.
        apart = np.abs(want.astype(np.int32) - fused).max()
        assert apart <= 64
        yield ExampleLaunch(
            Launch("axpy_bfloat16", grid, block, (a[0], x, y, n), ignored=frozenset({2})), {}
        )
    rows, columns = 21, 6
    data = _bf16(rng.normal(size=rows * columns))
    sums = np.zeros(rows, np.float32)
    for c in range(columns):
        sums = (sums + _wide(data).reshape(rows, columns)[:, c]).astype(np.float32)
    mean = _bf16((sums / np.float32(columns)).astype(np.float64))
    want = np.where(_wide(mean) > 0, mean, np.uint16(0))
    yield ExampleLaunch(
        Launch("mean_bfloat16", 2, 16, (data, np.zeros(rows, np.uint16), rows, columns)), {1: want}
    )


def _horner(coefficients: Array, x: Array) -> Array:
    value = np.full(x.shape, coefficients[-1], np.float64)
    for c in coefficients[-2::-1]:
        value = value * x + float(c)
    return value.astype(np.float32)


def _device_function(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    coefficients = np.array([1.0, -2.0, 0.5, 3.0], np.float32)
    for n, grid, block in ((1, 1, 1), (70, 2, 64)):
        x = rng.normal(size=n).astype(np.float32)
        yield ExampleLaunch(
            Launch(
                "evaluate",
                grid,
                block,
                (coefficients, 3, x, np.zeros(n, np.float32), n),
                tolerance=1e-5,
                absolute=1e-5,
            ),
            {3: _horner(coefficients, x)},
        )
    square = np.array([-2.0, 0.0, 1.0], np.float32)
    x = np.array([1.5, 1.4, 2.0], np.float32)
    want = (x - (x * x - 2) / (2 * x)).astype(np.float32)
    yield ExampleLaunch(Launch("newton_step", 1, 32, (square, 2, x, 3), tolerance=2e-3), {2: want})
    for m, n, result in ((0, 5, 6), (1, 4, 6), (2, 3, 9)):
        yield ExampleLaunch(
            Launch("recurse", 1, 1, (m, n, np.zeros(1, np.int32))),
            {2: np.array([result], np.int32)},
        )
    a, b = rng.normal(size=(2, 40))
    for operation, want64 in enumerate((a + b, a - b, a * b)):
        yield ExampleLaunch(Launch("apply", 1, 40, (operation, a, b, np.zeros(40))), {3: want64})


def _half(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    n = 45
    a = np.float16(1.75)
    x, y = rng.normal(size=(2, n)).astype(np.float16)
    yield ExampleLaunch(
        Launch("axpy_half", 2, 32, (a, x, y, n), tolerance=2e-3, absolute=2e-3), {2: a * x + y}
    )
    x2, y2 = rng.normal(size=(2, n, 2)).astype(np.float16)
    a2 = np.array([0.5, -2.0], np.float16)
    yield ExampleLaunch(
        Launch("axpy_half2", 3, 16, ((a2[0], a2[1]), x2, y2, n), tolerance=2e-3, absolute=2e-3),
        {2: a2 * x2 - y2},
    )
    values = np.concatenate([rng.normal(size=28) * 100, [0.0, -0.0, 0.5, 1000.0]]).astype(
        np.float32
    )
    half = values.astype(np.float16)
    out = np.where(half < 0, -half, half / np.float16(3))
    yield ExampleLaunch(
        Launch(
            "convert",
            1,
            32,
            (values, np.zeros(32, np.float16), np.zeros(32, np.int32), np.zeros(32)),
        ),
        {1: out.astype(np.float16), 2: half.astype(np.int32), 3: half.astype(np.float64)},
    )


def _histogram(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for size, grid, block in ((0, 1, 32), (1, 1, 1), (1000, 3, 64)):
        data = rng.integers(0, 256, max(size, 1), np.uint8)
        want = np.bincount(data[:size], minlength=256).astype(np.uint32)
        yield ExampleLaunch(
            Launch("histogram", grid, block, (data, size, np.zeros(256, np.uint32))), {2: want}
        )
    n = 60
    data = rng.integers(0, 4, n, np.uint8)
    weight = rng.integers(1, 100, n).astype(np.float64)
    yield ExampleLaunch(
        # The kernel reads the bin without an atomic operation before it competes for it.
        Launch("weighted", 2, 32, (data, weight, n, np.zeros(4)), unchecked=frozenset({"race"})),
        {3: np.bincount(data, weight, minlength=4)},
    )
    counter, flags, total = (
        np.array([5, 9], np.int32),
        np.array([8, 1], np.uint32),
        np.array([2.5, 0], np.float32),
    )
    yield ExampleLaunch(
        Launch("scoped", 1, 1, (counter, flags, total)),
        {
            0: np.array([6, 7], np.int32),
            1: np.array([12, 1], np.uint32),
            2: np.array([2.5, 2.5], np.float32),
        },
    )


def _inline_asm(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    x = rng.integers(-50, 50, 64).astype(np.float32)
    want = (2 * x * np.float32(2.5) + x) + (np.arange(64) % 32)
    yield ExampleLaunch(
        Launch(
            "inline_ptx",
            1,
            64,
            (x, np.zeros(64, np.float32), np.zeros(64, np.uint64)),
            ignored=frozenset({2}),
        ),
        {1: want.astype(np.float32)},
    )


def _integers(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    n = 70
    a = rng.integers(-(1 << 62), 1 << 62, n)
    b = rng.integers(-(1 << 20), 1 << 20, n)
    b[:6] = (1, -1, 7, 0, 1 << 40, -3)
    quotient, remainder = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        if b[i]:
            q = abs(int(a[i])) // abs(int(b[i]))
            quotient[i] = q if (a[i] < 0) == (b[i] < 0) else -q
            remainder[i] = int(a[i]) - int(quotient[i]) * int(b[i])
    yield ExampleLaunch(
        Launch("divide", 3, 32, (a, b, np.zeros(n, np.int64), np.zeros(n, np.int64), n)),
        {2: quotient, 3: remainder},
    )
    u = rng.integers(0, 1 << 64, 33, np.uint64)
    d = np.uint64(12345678901)
    yield ExampleLaunch(
        Launch("divide_unsigned", 1, 33, (u, int(d), np.zeros(33, np.uint64))),
        {2: u // d + u % np.uint64(10) + u // np.uint64(1000)},
    )
    v = rng.integers(0, 1 << 64, 33, np.uint64)
    want: list[int] = []
    for x, y in zip(u.tolist(), v.tolist()):
        product = (x * y + (x << 64 | y)) & ((1 << 128) - 1)
        want += [product & ((1 << 64) - 1), product >> (64 + (int(u[0]) & 7)) & ((1 << 64) - 1)]
    yield ExampleLaunch(
        Launch("wide", 1, 33, (u, v, np.zeros(66, np.uint64))), {2: np.array(want, np.uint64)}
    )
    words = rng.integers(0, 1 << 32, 41, np.uint32)
    words[:4] = (0, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF)
    yield ExampleLaunch(
        Launch("bits", 1, 40, (words, np.zeros(40, np.uint32))),
        {1: np.array([_bits(int(words[i]), int(words[i + 1])) for i in range(40)], np.uint32)},
    )


def _bits(value: int, following: int) -> int:
    word = (1 << 32) - 1
    result = value.bit_count() + (value << 32 | following).bit_count()
    result += (32 - value.bit_length()) + ((value & -value).bit_length() - 1) if value else 64
    swapped = int.from_bytes(value.to_bytes(4, "little"), "big")
    result ^= (swapped + int(f"{value:032b}"[::-1], 2)) & word
    result = (result + ((value << 7 | value >> 25) & word)) & word
    narrow = (value & 0xFFFF) - ((value & 0x8000) << 1)
    byte = (value >> 8 & 0xFF) - ((value >> 8 & 0x80) << 1)
    total = (value - ((value & 0x80000000) << 1)) + narrow * byte
    return result if not -(1 << 31) <= total < 1 << 31 else (result + total) & word


def _local_array(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for n in (1, 50):
        data = rng.integers(-1000, 1000, n).astype(np.int32)
        index = np.clip(np.arange(n)[:, None] + np.arange(-4, 5), 0, n - 1)
        want = np.sort(data[index], axis=1)[:, 4]
        yield ExampleLaunch(Launch("median", 2, 32, (data, np.zeros(n, np.int32), n)), {1: want})
    order = rng.integers(0, 64, 16).astype(np.int32)
    values = rng.normal(size=(33, 16))
    yield ExampleLaunch(Launch("permute", 1, 33, (order, values)), {1: values[:, order & 15]})


def _matmul(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for kernel, tile, kind, n in (
        ("matmul_f32", 16, np.float32, 1),
        ("matmul_f32", 16, np.float32, 21),
        ("matmul_f64", 8, np.float64, 11),
    ):
        a, b = rng.integers(-8, 8, (2, n, n)).astype(kind)
        blocks = -(-n // tile)
        launch = Launch(kernel, (blocks, blocks), (tile, tile), (a, b, np.zeros((n, n), kind), n))
        yield ExampleLaunch(launch, {2: a @ b})


def _nbody(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    n, softening = 20, np.float32(0.01)
    bodies = rng.normal(size=(n, 4)).astype(np.float32)
    delta = bodies[None, :, :3].astype(np.float64) - bodies[:, None, :3]
    scale = bodies[None, :, 3] / ((delta**2).sum(axis=2) + softening) ** 1.5
    want = np.zeros((n, 4), np.float32)
    want[:, :3] = (delta * scale[..., None]).sum(axis=1)
    yield ExampleLaunch(
        Launch(
            "forces",
            1,
            128,
            (bodies, np.zeros((n, 4), np.float32), n, softening),
            tolerance=1e-4,
            absolute=1e-3,
        ),
        {1: want},
        libdevice=True,
    )
    x = (rng.random(40) * 10 + 0.1).astype(np.float32)
    w = x.astype(np.float64)
    yield ExampleLaunch(
        Launch(
            "functions_f32", 2, 32, (x, np.zeros(40, np.float32), 40), tolerance=2e-6, absolute=2e-6
        ),
        {1: (np.sin(w) + np.exp(-w) * w**1.5).astype(np.float32)},
        libdevice=True,
    )
    yield ExampleLaunch(
        Launch("functions_f64", 2, 32, (w, np.zeros(40), 40), tolerance=1e-14, absolute=1e-14),
        {1: np.sin(w) + np.exp(-w) * w**1.5 + 1 / np.sqrt(w) + np.sqrt(w) / w},
        libdevice=True,
    )


def _printf(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    values = np.array([1.5, -2.25, 0.0], np.float32)
    launch = Launch("hello", 2, 2, (values, 3))
    words = [
        f"thread {i % 2} of block {i // 2}: {v:f} ({'negative' if v < 0 else 'positive'})"
        for i, v in enumerate(values)
    ]
    yield ExampleLaunch(launch, {}, "\n".join(["3 values from ADDRESS", *words]))


def _reduction(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for n, grid in ((1, 1), (1000, 2)):
        data = rng.integers(-100, 100, n).astype(np.float32)
        yield ExampleLaunch(
            Launch("reduce_sum", grid, 256, (data, np.zeros(1, np.float32), n)),
            {1: np.array([data.sum()], np.float32)},
        )
    for n, block in ((1, 32), (333, 96)):
        numbers = rng.integers(-1000, 1000, n).astype(np.int32)
        start = np.array([-(1 << 31)], np.int32)
        yield ExampleLaunch(
            Launch("reduce_max", 1, block, (numbers, start, n)),
            {1: np.array([numbers.max()], np.int32)},
        )


def _scan(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for n, grid, block in ((1, 1, 32), (200, 2, 128)):
        data = rng.integers(-100, 100, n).astype(np.int32)
        padded = np.zeros(grid * block, np.int32)
        padded[:n] = data
        sums = np.cumsum(padded.reshape(grid, block), axis=1, dtype=np.int32)
        launch = Launch(
            "scan",
            grid,
            block,
            (data, np.zeros(n, np.int32), np.zeros(grid, np.int32), n),
            shared_bytes=128,
        )
        yield ExampleLaunch(launch, {1: sums.reshape(-1)[:n], 2: sums[:, -1]})
    n = 75
    data = rng.integers(-5, 6, n).astype(np.int32)
    kept = data[data > 0]
    want = np.zeros(n, np.int32)
    want[: kept.size] = kept
    # The simulator runs warps in the order of their numbers; CUDA does not define the order.
    yield ExampleLaunch(
        Launch("compact", 1, 96, (data, np.zeros(n, np.int32), np.zeros(1, np.int32), n)),
        {1: want, 2: np.array([kept.size], np.int32)},
    )


def _stencil(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for width, height in ((1, 1), (20, 33)):
        data = rng.normal(size=(height, width)).astype(np.float32)
        padded = np.pad(data.astype(np.float64), 1)
        want = (
            0.5 * padded[1:-1, 1:-1]
            + 0.125 * (padded[1:-1, :-2] + padded[1:-1, 2:] + padded[:-2, 1:-1] + padded[2:, 1:-1])
        ).astype(np.float32)
        blocks = (-(-width // 16), -(-height // 16))
        updated = blocks[0] * blocks[1] * 256
        yield ExampleLaunch(
            Launch(
                "stencil",
                blocks,
                (16, 16),
                (data, np.zeros_like(data), width, height),
                tolerance=1e-5,
                absolute=1e-6,
            ),
            {1: want},
            variables={"cells_updated": updated.to_bytes(8, "little")},
        )


IMAGE = np.dtype(
    {
        "names": ["pixels", "width", "height", "channels", "gain", "phase"],
        "formats": ["u8", "i4", "i4", "i2", ("f4", 3), ("f4", 2)],
        "offsets": [0, 8, 12, 16, 20, 32],
        "itemsize": 40,
    }
)


def _struct_argument(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    width, height, channels = 7, 5, 3
    pixels = rng.integers(0, 256, (height, width, channels), np.uint8)
    gain = np.array([0.5, 1.0, 3.0], np.float32)
    image = (pixels, width, height, channels, *(float(g) for g in gain), 0.0, 0.0)
    value = np.minimum(pixels * gain, np.float32(255)).astype(np.uint8)
    yield ExampleLaunch(Launch("brighten", (1, 2), (8, 4), (image,)), {0: value})
    out = np.zeros(3, IMAGE)
    want = np.zeros(3, IMAGE)
    want["width"], want["height"], want["channels"] = 4, 8, 2
    want["gain"] = (1.0, 2.0, 3.0)
    want["phase"] = (0.75, 1.0)
    yield ExampleLaunch(
        Launch("shrink", 1, 3, ((None, 8, 17, 2, 1.0, 2.0, 3.0, 1.0, 0.5), out)), {1: want}
    )
    points = rng.integers(-9, 9, (20, 2)).astype(np.float32)
    by = (2.0, -3.0)
    turned = np.stack(
        [points[:, 0] * 2 + points[:, 1] * 3, points[:, 0] * -3 + points[:, 1] * 2], axis=1
    )
    yield ExampleLaunch(Launch("rotate", 1, 32, (points, by, 20)), {0: turned.astype(np.float32)})


def _interpret(code: Array, value: int) -> int:
    def signed(v: int) -> int:
        v &= 0xFFFFFFFF
        return v - ((v & 0x80000000) << 1)

    accumulator, saved, pc = value, 0, 0
    while pc < len(code):
        op = int(code[pc])
        if op == 4:
            saved = accumulator
        elif op == 8:
            q = abs(accumulator) // abs(saved) if saved else 0
            accumulator = q if (accumulator < 0) == (saved < 0) else -q
        elif op == 9:
            break
        else:
            accumulator = signed(
                {
                    0: accumulator + 1, 1: accumulator - 1, 2: accumulator * 3, 3: accumulator ^ saved,
                    5: accumulator << 1, 6: accumulator >> 1, 7: -accumulator,
                }.get(op, 0)
            )  # fmt: skip
        pc += 1
    return accumulator


def _switch(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    for code in ([0, 4, 2, 3, 1, 5, 6, 7, 8, 0], [4, 0, 200, 0, 9, 2], [0, 0, 4, 2, 8, 1]):
        program = np.array(code, np.uint8)
        registers = rng.integers(-100, 100, 37).astype(np.int32)
        want = np.array([_interpret(program, int(r)) for r in registers], np.int32)
        yield ExampleLaunch(Launch("interpret", 1, 37, (program, len(code), registers)), {2: want})
    keys = np.array([-1000000000000, 0, 17, 18, 19, 23, 1000000000000, -1, 5], np.int64)
    yield ExampleLaunch(
        Launch("classify", 2, 8, (keys, np.zeros(9, np.uint8), 9)),
        {1: np.frombuffer(b"nzp?ppb??", np.uint8)},
    )


PARTICLE = np.dtype(
    {
        "names": ["position", "cell", "tag"],
        "formats": [("f4", 4), ("i4", 2), "V24"],
        "offsets": [0, 16, 24],
        "itemsize": 48,
    }
)


INT3 = np.dtype({"names": ["xyz"], "formats": [("i4", 3)], "offsets": [0], "itemsize": 16})


def _vectors(rng: np.random.Generator) -> Iterator[ExampleLaunch]:
    v = rng.integers(-50, 50, (33, 4)).astype(np.float32)
    yield ExampleLaunch(
        Launch("scale", 1, 33, (v, np.zeros_like(v), np.float32(2.0))),
        {1: v * np.float32(2) + v[:, ::-1]},
    )
    unit = rng.random((33, 4)).astype(np.float32)
    yield ExampleLaunch(
        Launch("narrow", 1, 33, (unit, np.zeros((33, 4), np.uint8))),
        {1: (unit * np.float32(255)).astype(np.uint8)},
    )
    a, b = rng.integers(-100, 100, (2, 17, 4)).astype(np.int32)
    want = np.zeros(17, INT3)
    want["xyz"] = np.cross(a[:, :3], b[:, :3])
    yield ExampleLaunch(Launch("cross", 1, 17, (a, b, np.zeros(17, INT3))), {2: want})
    particles = np.zeros(9, PARTICLE)
    particles["position"] = rng.normal(size=(9, 4)) * 10
    particles["cell"] = rng.integers(0, 9, (9, 2))
    particles["tag"] = np.frombuffer(bytes(range(24)) * 9, "V24")
    offset = np.array([1.5, -2.5], np.float32)
    moved = particles.copy()
    moved["position"][:, :2] += offset
    moved["cell"][:, 0] = moved["position"][:, 0].astype(np.int32)
    moved["tag"] = np.zeros(9, "V24")
    yield ExampleLaunch(
        Launch("move", 1, 9, (particles, np.zeros(9, PARTICLE), offset)), {1: moved}
    )


EXAMPLES: dict[str, Make] = {
    "bfloat16": _bfloat16,
    "device_function": _device_function,
    "half": _half,
    "histogram": _histogram,
    "inline_asm": _inline_asm,
    "integers": _integers,
    "local_array": _local_array,
    "matmul": _matmul,
    "nbody": _nbody,
    "printf": _printf,
    "reduction": _reduction,
    "saxpy": _saxpy,
    "scan": _scan,
    "stencil": _stencil,
    "struct_argument": _struct_argument,
    "switch": _switch,
    "vectors": _vectors,
}
"""The launches by the name of the example's file."""


def launches_of(example: str) -> list[ExampleLaunch]:
    """The launches of an example's kernels; always the same."""
    return list(EXAMPLES[example](np.random.default_rng(7)))
