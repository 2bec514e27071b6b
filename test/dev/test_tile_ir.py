"""Five kernels of NVIDIA Tile IR, lowered by the prototype and compared with NumPy on the simulator."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nvvm_xdsl
from dev import tile_ir
from nvvm_xdsl.simulator import launch


def entry(params: str, body: str) -> str:
    return f"cuda_tile.module @m {{\n  entry @k({params}) {{\n{body}\n    return\n  }}\n}}\n"


def run(text: str, grid: int, args: list[object]) -> None:
    """Launches a kernel in the llvm and nvvm dialects."""
    module = nvvm_xdsl.parse(tile_ir.lower(text))
    launch(module, "k", grid, tile_ir.THREADS, args)


POINTERS = """\
    %x1 = reshape %{0} : tile<ptr<{1}>> -> tile<1xptr<{1}>>
    %{0}b = broadcast %x1 : tile<1xptr<{1}>> -> tile<{2}xptr<{1}>>
    %{0}p = offset %{0}b, %at : tile<{2}xptr<{1}>>, tile<{2}xi32> -> tile<{2}xptr<{1}>>"""

PLACE = """\
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %size = constant <i32: 256> : tile<i32>
    %first = muli %bx, %size : tile<i32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    %fb = broadcast %f1 : tile<1xi32> -> tile<256xi32>
    %lane = iota : tile<256xi32>
    %at = addi %fb, %lane : tile<256xi32>"""

ADD = entry(
    "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>",
    "\n".join([PLACE, *(POINTERS.format(name, "f32", 256) for name in "abc")])
    + """
    %x, %t0 = load_ptr_tko weak %ap : tile<256xptr<f32>> -> tile<256xf32>, token
    %y, %t1 = load_ptr_tko weak %bp : tile<256xptr<f32>> -> tile<256xf32>, token
    %sum = addf %x, %y rounding<nearest_even> : tile<256xf32>
    %t2 = store_ptr_tko weak %cp, %sum : tile<256xptr<f32>>, tile<256xf32> -> token""",
)

SAXPY = entry(
    "%n: tile<i32>, %s: tile<f32>, %a: tile<ptr<f32>>, %b: tile<ptr<f32>>",
    "\n".join([PLACE, *(POINTERS.format(name, "f32", 256) for name in "ab")])
    + """
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nb = broadcast %n1 : tile<1xi32> -> tile<256xi32>
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %sb = broadcast %s1 : tile<1xf32> -> tile<256xf32>
    %in = cmpi less_than %at, %nb, signed : tile<256xi32> -> tile<256xi1>
    %x, %t0 = load_ptr_tko weak %ap, %in : tile<256xptr<f32>>, tile<256xi1> -> tile<256xf32>, token
    %y, %t1 = load_ptr_tko weak %bp, %in : tile<256xptr<f32>>, tile<256xi1> -> tile<256xf32>, token
    %sx = mulf %sb, %x : tile<256xf32>
    %r = addf %sx, %y : tile<256xf32>
    %t2 = store_ptr_tko weak %bp, %r, %in : tile<256xptr<f32>>, tile<256xf32>, tile<256xi1> -> token""",
)

ROWS = """\
    %at1 = iota : tile<256xi32>
    %at = reshape %at1 : tile<256xi32> -> tile<8x32xi32>
    %x1 = reshape %a : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %ab = broadcast %x1 : tile<1x1xptr<f32>> -> tile<8x32xptr<f32>>
    %ap = offset %ab, %at : tile<8x32xptr<f32>>, tile<8x32xi32> -> tile<8x32xptr<f32>>
    %x2 = reshape %c : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %cb = broadcast %x2 : tile<1x1xptr<f32>> -> tile<8x32xptr<f32>>
    %cp = offset %cb, %at : tile<8x32xptr<f32>>, tile<8x32xi32> -> tile<8x32xptr<f32>>
    %x, %t0 = load_ptr_tko weak %ap : tile<8x32xptr<f32>> -> tile<8x32xf32>, token"""


def reduction(result: str, source: str, operation: str) -> str:
    return f"""
    %{result} = reduce %{source} dim=1 identities=[0.0 : f32] : tile<8x32xf32> -> tile<8xf32>
    (%p: tile<f32>, %q: tile<f32>) {{
      %o = {operation} %p, %q : tile<f32>
      yield %o : tile<f32>
    }}
    %{result}1 = reshape %{result} : tile<8xf32> -> tile<8x1xf32>
    %{result}b = broadcast %{result}1 : tile<8x1xf32> -> tile<8x32xf32>"""


SOFTMAX = entry(
    "%a: tile<ptr<f32>>, %c: tile<ptr<f32>>",
    ROWS
    + reduction("top", "x", "maxf")
    + """
    %d = subf %x, %topb : tile<8x32xf32>
    %e = exp %d : tile<8x32xf32>"""
    + reduction("sum", "e", "addf")
    + """
    %r = divf %e, %sumb : tile<8x32xf32>
    %t1 = store_ptr_tko weak %cp, %r : tile<8x32xptr<f32>>, tile<8x32xf32> -> token""",
)

CENTER = entry(
    "%a: tile<ptr<f32>>, %c: tile<ptr<f32>>",
    ROWS
    + reduction("sum", "x", "addf")
    + """
    %k = constant <f32: 0.03125> : tile<8x32xf32>
    %mean = mulf %sumb, %k : tile<8x32xf32>
    %r = subf %x, %mean : tile<8x32xf32>
    %t1 = store_ptr_tko weak %cp, %r : tile<8x32xptr<f32>>, tile<8x32xf32> -> token""",
)

PRODUCT = entry(
    "%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>",
    """\
    %at1 = iota : tile<256xi32>
    %at = reshape %at1 : tile<256xi32> -> tile<16x16xi32>"""
    + "".join(
        f"""
    %{n}1 = reshape %{n} : tile<ptr<{t}>> -> tile<1x1xptr<{t}>>
    %{n}b = broadcast %{n}1 : tile<1x1xptr<{t}>> -> tile<16x16xptr<{t}>>
    %{n}p = offset %{n}b, %at : tile<16x16xptr<{t}>>, tile<16x16xi32> -> tile<16x16xptr<{t}>>"""
        for n, t in (("a", "f16"), ("b", "f16"), ("c", "f32"))
    )
    + """
    %x, %t0 = load_ptr_tko weak %ap : tile<16x16xptr<f16>> -> tile<16x16xf16>, token
    %y0, %t1 = load_ptr_tko weak %bp : tile<16x16xptr<f16>> -> tile<16x16xf16>, token
    %y = permute %y0 [1, 0] : tile<16x16xf16> -> tile<16x16xf16>
    %z = constant <f32: 0.5> : tile<16x16xf32>
    %r = mmaf %x, %y, %z : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    %t2 = store_ptr_tko weak %cp, %r : tile<16x16xptr<f32>>, tile<16x16xf32> -> token""",
)

CHOICE = entry(
    "%a: tile<ptr<f32>>, %c: tile<ptr<f32>>",
    "\n".join([PLACE, *(POINTERS.format(name, "f32", 256) for name in "ac")])
    + """
    %k = constant <i32: 100> : tile<256xi32>
    %d = subi %lane, %k : tile<256xi32>
    %zero = constant <i32: 0> : tile<256xi32>
    %early = cmpi less_than %d, %zero, signed : tile<256xi32> -> tile<256xi1>
    %pad = constant <f32: -7.0> : tile<256xf32>
    %x, %t0 = load_ptr_tko weak %ap, %early, %pad : tile<256xptr<f32>>, tile<256xi1>, tile<256xf32> -> tile<256xf32>, token
    %f = itof %lane signed : tile<256xi32> -> tile<256xf32>
    %m = maxf %x, %f : tile<256xf32>
    %r = select %early, %x, %m : tile<256xi1>, tile<256xf32>
    %t1 = store_ptr_tko weak %cp, %r : tile<256xptr<f32>>, tile<256xf32> -> token""",
)

RANDOM = np.random.default_rng(7)


def test_vectors_are_added_by_several_blocks():
    a, b = (RANDOM.standard_normal(1024, np.float32) for _ in range(2))
    c = np.zeros(1024, np.float32)
    run(ADD, 4, [a, b, c])
    assert c.tolist() == (a + b).tolist()


def test_a_mask_keeps_memory_outside():
    a, b = (RANDOM.standard_normal(600, np.float32) for _ in range(2))
    before = b.copy()
    run(SAXPY, 3, [500, 0.5, a[:500].copy(), b])
    wanted = np.concatenate([np.float32(0.5) * a[:500] + before[:500], before[500:]])
    assert np.allclose(b, wanted, rtol=1e-6)
    assert b[500:].tolist() == before[500:].tolist()


def test_softmax_of_rows():
    a = RANDOM.standard_normal((8, 32), np.float32)
    c = np.zeros((8, 32), np.float32)
    run(SOFTMAX, 1, [a, c])
    e = np.exp(a - a.max(1, keepdims=True))
    assert np.allclose(c, e / e.sum(1, keepdims=True), rtol=1e-5)


def test_rows_minus_their_mean():
    a = RANDOM.standard_normal((8, 32), np.float32)
    c = np.zeros((8, 32), np.float32)
    run(CENTER, 1, [a, c])
    assert np.allclose(c, a - a.mean(1, keepdims=True), atol=1e-6)


def test_a_product_of_matrices_with_one_transposed():
    a, b = (RANDOM.standard_normal((16, 16)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    run(PRODUCT, 1, [a, b, c])
    assert np.allclose(c, a.astype(np.float32) @ b.astype(np.float32).T + 0.5, rtol=1e-5, atol=1e-5)


def test_choices_and_padding():
    a = RANDOM.standard_normal(100, np.float32)
    c = np.zeros(256, np.float32)
    run(CHOICE, 1, [a, c])
    assert c.tolist() == [*a.tolist(), *map(float, range(100, 256))]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ADD.replace("addf", "atan2"), "line 21: the op 'atan2' is not supported"),
        (ADD.replace("%y rounding", "%w rounding"), "line 21: %w is not defined"),
        (
            ADD.replace("256", "200"),
            "line 7: a tile of 200 elements: more than 128 must be a multiple of it",
        ),
        (
            SOFTMAX.replace("maxf", "xori"),
            "line 12: a reduction by one of addf, addi, maxf, mulf is expected",
        ),
        ("", "line 1: 'cuda_tile.module @name {' is expected"),
        ("cuda_tile.module @m {\n}\n", "line 1: the module has no entry"),
    ],
)
def test_unsupported_ops_are_errors_with_a_line(text: str, message: str):
    with pytest.raises(tile_ir.TileError) as caught:
        tile_ir.lower(text)
    assert message in caught.value.message


def test_the_command_prints_ptx(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "k.mlir"
    file.write_text(PRODUCT)
    assert tile_ir.main([str(file), "-arch", "sm_100"]) == 0
    assert ".visible .entry k(" in capsys.readouterr().out
    file.write_text("")
    assert tile_ir.main([str(file)]) == 1
    assert f"{file}: error: line 1:" in capsys.readouterr().err
