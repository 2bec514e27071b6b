"""Atomics of 128 bits: their results as machine code, and acceptance by ptxas."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

TOP = 1 << 128
KERNEL = """
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %out, i128 %v) {{
  %old = atomicrmw {operation} ptr addrspace(1) %p, i128 %v seq_cst
  store i128 %old, ptr addrspace(1) %out
  ret void
}}
"""


def signed(value: int) -> int:
    return value - TOP if value >= TOP // 2 else value


MEANINGS = {
    "xchg": lambda old, new: new,
    "add": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
    "and": lambda old, new: old & new,
    "or": lambda old, new: old | new,
    "xor": lambda old, new: old ^ new,
    "nand": lambda old, new: ~(old & new),
    "max": lambda old, new: max(old, new, key=signed),
    "min": lambda old, new: min(old, new, key=signed),
    "umax": max,
    "umin": min,
}
NUMBERS = [
    (0, 1),
    (TOP - 1, 1),
    ((1 << 64) - 1, 1),
    (1 << 64, (1 << 64) - 1),
    (1 << 127, (1 << 127) - 1),
    (5 << 64 | 3, 5 << 64 | 7),
    (3 << 64 | 9, TOP - (4 << 64)),
]


def words(value: int) -> np.ndarray:
    return np.frombuffer((value % TOP).to_bytes(16, "little"), np.uint64).copy()


@pytest.mark.parametrize("operation", MEANINGS)
def test_values_in_memory_after_each_operation(operation: str):
    module = select(read_ll(KERNEL.format(operation=operation)), CodegenOptions.for_arch("sm_90"))
    for old, new in NUMBERS:
        memory, out = words(old), words(0)
        launch(module, "k", 1, 1, [memory, out, (new % TOP).to_bytes(16, "little")])
        assert int.from_bytes(memory.tobytes(), "little") == MEANINGS[operation](old, new) % TOP
        assert int.from_bytes(out.tobytes(), "little") == old


def test_concurrent_updates_are_not_lost():
    module = select(read_ll(KERNEL.format(operation="add")), CodegenOptions.for_arch("sm_90"))
    memory, out = words((1 << 64) - 3), words(0)
    launch(module, "k", 2, 40, [memory, out, (3).to_bytes(16, "little")])
    assert int.from_bytes(memory.tobytes(), "little") == (1 << 64) - 3 + 80 * 3


@pytest.mark.parametrize("operation", ["xchg", "add", "min"])
@pytest.mark.parametrize("scope", ["", 'syncscope("block") '])
def test_ptxas_accepts_wide_atomics(operation: str, scope: str):
    text = KERNEL.format(operation=operation).replace("seq_cst", f"{scope}acq_rel")
    assemble(compile(text, arch="sm_90"), "sm_90")


COPY = """
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i128 %v) {
  %old = load atomic i128, ptr addrspace(1) %p acquire, align 16
  store atomic i128 %old, ptr addrspace(1) %q release, align 16
  store atomic i128 %v, ptr addrspace(1) %p seq_cst, align 16
  ret void
}
"""


def test_loads_and_stores_access_16_bytes_at_once():
    module = select(read_ll(COPY), CodegenOptions.for_arch("sm_75"))
    for old, new in NUMBERS:
        memory, out = words(old), words(0)
        launch(module, "k", 1, 1, [memory, out, (new % TOP).to_bytes(16, "little")])
        assert int.from_bytes(memory.tobytes(), "little") == new % TOP
        assert int.from_bytes(out.tobytes(), "little") == old
    ptx = compile(COPY, arch="sm_75")
    for access in ("ld.acquire.sys", "st.release.sys", "st.relaxed.sys"):
        assert ptx.count(f"{access}.global.b128") == 1


@pytest.mark.parametrize(
    ("type_", "align", "message"),
    [
        ("i128", 8, "an atomic access of 16 bytes must be aligned to 16"),
        ("i256", 32, "an atomic access of type i256 is not supported"),
    ],
)
def test_other_wide_loads_are_errors(type_: str, align: int, message: str):
    text = COPY.replace(
        "i128, ptr addrspace(1) %p acquire, align 16",
        f"{type_}, ptr addrspace(1) %p acquire, align {align}",
    )
    text = text.replace("store atomic i128 %old", f"store atomic {type_} %old")
    with pytest.raises(DiagnosticError, match=message):
        compile(text, arch="sm_90")


def test_operations_without_a_loop_expansion_are_errors():
    with pytest.raises(DiagnosticError, match="atomicrmw uinc_wrap of i128 is not supported"):
        compile(KERNEL.format(operation="uinc_wrap"), arch="sm_90")
