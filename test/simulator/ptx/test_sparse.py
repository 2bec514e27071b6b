"""`spcompress` and `spdecompress` (PTX ISA 9.4, 9.7.10.30 and 9.7.10.31)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.simulator import SimulationError, launch

HEADER = ".version 9.4\n.target sm_107a\n.address_size 64\n"


def kernel(opcode: str, results: tuple[int, ...], operands: tuple[int, ...]) -> str:
    """A kernel that loads the registers of the operands from memory and stores those of the results.

    Each thread has `sum(operands)` words, then `sum(results)` words.
    """
    stride = 4 * (sum(operands) + sum(results))
    loaded, stored = sum(operands), sum(results)

    def groups(letter: str, sizes: tuple[int, ...]) -> list[str]:
        numbers = iter(range(sum(sizes)))
        return ["{" + ", ".join(f"%{letter}{next(numbers)}" for _ in range(n)) + "}" for n in sizes]

    listed = groups("d", results) + groups("a", operands)
    if opcode.startswith("spcompress"):
        listed[-1] = listed[-1].strip("{}")
    loads = [f"ld.global.b32 %a{i}, [%p+{4 * i}];" for i in range(loaded)]
    stores = [f"st.global.b32 [%p+{4 * (loaded + i)}], %d{i};" for i in range(stored)]
    lines = [
        f".reg .b32 %a<{loaded}>;", f".reg .b32 %d<{stored}>;", ".reg .b32 %t;", ".reg .b64 %p, %o;",
        "ld.param.b64 %p, [k_param_0];", "mov.u32 %t, %tid.x;",
        f"mul.wide.u32 %o, %t, {stride};", "add.s64 %p, %p, %o;",
        *loads, f"{opcode} {', '.join(listed)};", *stores, "ret;",
    ]  # fmt: skip
    return HEADER + ".visible .entry k(.param .b64 k_param_0)\n{\n" + "\n".join(lines) + "\n}\n"


def run(
    opcode: str, results: tuple[int, ...], operands: tuple[int, ...], rows: list[list[int]]
) -> list[list[int]]:
    """The words of the results of each thread, whose operands are a row."""
    ptx = kernel(opcode, results, operands)
    memory = np.zeros((len(rows), sum(operands) + sum(results)), np.uint32)
    memory[:, : sum(operands)] = rows
    launch(convert(read_ptx(ptx)), "k", 1, len(rows), [memory])
    return memory[:, sum(operands) :].tolist()


def test_expansion_of_packed_elements():
    """Indices and elements begin in the lowest bits: 1, 2 and 1, 3; f9, 03 and 05, 06."""
    found = run("spdecompress.b8.b4.sp::2:4.x2", (2,), (1, 1), [[0x3121, 0x060503F9]])
    assert found == [[0x0003F900, 0x06000500]]


def test_the_last_element_of_an_index_is_used():
    found = run("spdecompress.b8.b4.sp::2:4.x1", (1,), (1, 1), [[0x22, 0x0201], [0x13, 0x0201]])
    assert found == [[0x00020000], [0x01000200]]


def test_an_index_outside_of_the_group_is_an_error():
    with pytest.raises(
        SimulationError, match=r"an index of spdecompress is not below 2 in .*thread .1, 0, 0"
    ):
        run("spdecompress.b8.b4.sp::1:2.x2", (1,), (1, 1), [[0x10, 0], [0x02, 0]])


def test_indices_of_other_threads_are_not_checked():
    ptx = kernel("spdecompress.b8.b4.sp::1:2.x2", (1,), (1, 1))
    ptx = ptx.replace("spdecompress", ".reg .pred %q;\nsetp.eq.u32 %q, %t, 0;\n@%q spdecompress")
    memory = np.array([[0x10, 0x0B0A, 7], [0x0F, 0, 7]], np.uint32)
    launch(convert(read_ptx(ptx)), "k", 1, 2, [memory])
    assert memory[0, 2] == 0x0B00000A


MAX, MAXABS, MIN, MINABS = range(4)


def descriptor(operation: int, type_: int) -> int:
    return operation | type_ << 2


@pytest.mark.parametrize(
    ("operation", "type_", "data", "indices", "kept"),
    [
        (MAX, 0, 0x04F00102, 0xE, 0x04F0),
        (MIN, 0, 0x04F00102, 0x4, 0x0102),
        (MAX, 1, 0x04F00102, 0xC, 0x0402),
        (MIN, 1, 0x04F00102, 0x9, 0xF001),
        (MAXABS, 1, 0x04F00102, 0xE, 0x04F0),
        (MINABS, 1, 0x04F00102, 0x4, 0x0102),
        # e5m2: 1, -2, an infinity, a NaN, which is kept in any case
        (MAX, 2, 0x7F7CC03C, 0xE, 0x7F7C),
        (MIN, 2, 0x7F7CC03C, 0xD, 0x7FC0),
        # e4m3: 0x7e is 448, 0x7f a NaN
        (MAX, 3, 0x7F7EC038, 0xE, 0x7F7E),
        # e3m2 and e2m3: the sign is bit 5
        (MAX, 4, 0x1F013F02, 0xC, 0x1F02),
        (MAXABS, 5, 0x1F013F02, 0xD, 0x1F3F),
    ],
)  # fmt: skip
def test_compression_of_bytes(operation: int, type_: int, data: int, indices: int, kept: int):
    row = [data, 0x03020100, descriptor(operation, type_)]
    [found] = run("spcompress.b8.b2.sp::2:4.x1", (1, 1), (2, 1), [row])
    assert found[0] & 0xF == indices
    assert found[1] & 0xFFFF == kept


@pytest.mark.parametrize(
    ("type_", "words", "indices", "kept"),
    [
        (0, [0xC0003C00, 0x38007E00], 0x8, 0x7E003C00),
        (1, [0xC0003F80, 0x3F007FC0], 0x8, 0x7FC03F80),
    ],
)
def test_compression_of_halves(type_: int, words: list[int], indices: int, kept: int):
    """1, -2, a NaN and 0.5: the first and the third are kept."""
    rows = [[*words, descriptor(MAX, type_)]]
    assert run("spcompress.b16.b2.sp::2:4.x1", (1, 1), (2, 1), rows) == [[indices, kept]]


def test_threads_may_have_other_descriptors():
    rows = [[0x04F00102, 0, descriptor(operation, 1)] for operation in (MAX, MIN)]
    found = run("spcompress.b8.b2.sp::2:4.x1", (1, 1), (2, 1), rows)
    assert [row[1] & 0xFFFF for row in found] == [0x0402, 0xF001]


@pytest.mark.parametrize(("bits", "type_"), [(8, 6), (8, 8), (16, 2)])
def test_invalid_descriptors(bits: int, type_: int):
    with pytest.raises(SimulationError, match=f"is no descriptor of spcompress on {bits} bits in"):
        run(f"spcompress.b{bits}.b2.sp::2:4.x1", (1, 1), (2, 1), [[0, 0, descriptor(MAX, type_)]])


@pytest.mark.parametrize(
    ("bits", "index", "times"), list(itertools.product((8, 16), (2, 4), (1, 2, 8, 32)))
)
def test_expansion_is_the_inverse_of_compression(bits: int, index: int, times: int):
    """Kept elements come back at their places, and the others as zeros."""
    rng = np.random.default_rng(times)
    data = rng.integers(0, 1 << 32, (3, 2 * times), np.uint32)
    metadata = max(1, times * index // bits)
    opcode = f"spcompress.b{bits}.b{index}.sp::2:4.x{times}"
    rows = [[*row, descriptor(MAXABS, 1)] for row in data.tolist()]
    found = run(opcode, (metadata, times), (2 * times, 1), rows)
    groups = times * 32 // bits // 2
    back = run(
        f"spdecompress.b{bits}.b{index}.sp::2:4.x{groups}", (2 * times,), (metadata, times), found
    )
    kind = np.uint8 if bits == 8 else np.uint16
    given, restored = (np.array(v, np.uint32).view(kind).reshape(-1, 4) for v in (data, back))
    kept = restored != 0
    assert (restored[kept] == given[kept]).all()
    assert (np.count_nonzero(kept, axis=1) <= 2).all()
    magnitudes = np.abs(given.view(np.int8).astype(int)) if bits == 8 else None
    if magnitudes is not None:
        largest = np.sort(magnitudes, axis=1)[:, 2:].sum(axis=1)
        assert (np.where(kept, magnitudes, 0).sum(axis=1) == largest).all()


@pytest.mark.parametrize(
    ("kept", "expanded", "bits"), [(1, 16, 8), (1, 16, 16), (2, 16, 8), (2, 16, 16)]
)
@needs_ptxas
def test_ratios_up_to_sixteen(kept: int, expanded: int, bits: int):
    registers = (
        4 * expanded * bits // 32,
        max(1, 4 * kept * 4 // 32),
        max(1, 4 * kept * bits // 32),
    )
    opcode = f"spdecompress.b{bits}.b4.sp::{kept}:{expanded}.x4"
    row = [0x0F0F0F0F if kept == 1 else 0xEFEFEFEF] * registers[1] + [0x11111111] * registers[2]
    [found] = run(opcode, registers[:1], registers[1:], [row])
    values = np.array(found, np.uint32).view(np.uint8 if bits == 8 else np.uint16)
    assert np.count_nonzero(values) == 4 * kept
    ptxas = find_ptxas()
    release = None if ptxas is None else release_of(ptxas)
    if release is not None and release.newest_ptx >= 94:
        assemble(kernel(opcode, registers[:1], registers[1:]), "sm_107a")
