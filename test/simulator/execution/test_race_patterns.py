"""Order of accesses by atomic operations, fences and barriers in the race check."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.simulator import sanitize
from nvvm_xdsl.tools.launched_module import select_module

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.arrive.relaxed()
declare void @llvm.nvvm.barrier.cluster.wait()
"""

SHORT = {
    "data = 1": "store i32 1, ptr addrspace(1) %d",
    "data": "%r = load i32, ptr addrspace(1) %d",
    "gpu fence": "call void @llvm.nvvm.membar.gl()",
    "cta fence": "call void @llvm.nvvm.membar.cta()",
    "barrier": "call void @llvm.nvvm.barrier0()",
    "volatile flag = 1": "store volatile i32 1, ptr addrspace(1) %f",
    "volatile flag": "%v = load volatile i32, ptr addrspace(1) %f",
    "flag += 1": "%a = atomicrmw add ptr addrspace(1) %f, i32 1 monotonic",
    "flag += 1 in cta": '%a = atomicrmw add ptr addrspace(1) %f, i32 1 syncscope("block") monotonic',
    "flag += 1, acq_rel": "%a = atomicrmw add ptr addrspace(1) %f, i32 1 acq_rel",
    "other += 1": "%b = atomicrmw add ptr addrspace(1) %o, i32 1 monotonic",
    "try lock": "%c = cmpxchg ptr addrspace(1) %f, i32 0, i32 1 monotonic monotonic",
    "unlock": "%u = atomicrmw xchg ptr addrspace(1) %f, i32 0 monotonic",
    "arrive": "call void @llvm.nvvm.barrier.cluster.arrive()",
    "relaxed arrive": "call void @llvm.nvvm.barrier.cluster.arrive.relaxed()",
    "wait": "call void @llvm.nvvm.barrier.cluster.wait()",
    "plain flag = 0": "store i32 0, ptr addrspace(1) %f",
} | {
    f"{order} flag = 1{scope and f' in {scope}'}": (
        f"store atomic i32 1, ptr addrspace(1) %f{text} {order}, align 4"
    )
    for order in ("release", "monotonic")
    for scope, text in (
        ("", ""), ("cta", ' syncscope("block")'), ("cluster", ' syncscope("cluster")'),
    )
} | {
    f"{order} flag{scope and f' in {scope}'}": (
        f"%l = load atomic i32, ptr addrspace(1) %f{text} {order}, align 4"
    )
    for order in ("acquire", "monotonic")
    for scope, text in (
        ("", ""), ("cta", ' syncscope("block")'), ("cluster", ' syncscope("cluster")'),
    )
}  # fmt: skip
"""Abbreviations of ops: `data` is plain memory, `flag` is accessed by atomic operations."""


def lines(steps: str, number: int) -> str:
    """The ops of steps separated by `;`, with names of their own."""
    found: list[str] = []
    for at, step in enumerate(filter(None, map(str.strip, steps.split(";")))):
        op = SHORT[step]
        name, equals, rest = op.partition(" = ")
        found.append(f"{name}{number}{at} = {rest}" if equals and name[0] == "%" else op)
        if step == "data":
            # A use, so that the load is not removed.
            place = f"%g{number}{at}"
            found.append(f"{place} = getelementptr i32, ptr addrspace(1) %f, i64 {number + 1}")
            found.append(f"store i32 {name}{number}{at}, ptr addrspace(1) {place}")
    return "\n".join(found)


def races(*threads: str, blocks: bool = True, cluster: int = 1, select: bool = False) -> list[str]:
    """The titles and notes of the races of threads, each with its steps.

    Arguments:
        blocks: each thread is a block; otherwise all are threads of one block, 32 apart.
        select: run the selected machine code.
    """
    index = "ctaid" if blocks else "tid"
    text = HEAD + "define ptx_kernel void @k(ptr addrspace(1) %d, ptr addrspace(1) %f) {\n"
    text += "%o = getelementptr i32, ptr addrspace(1) %f, i64 3\n"
    text += f"%i = call i32 @llvm.nvvm.read.ptx.sreg.{index}.x()\nbr label %test0\n"
    step = 1 if blocks else 32
    # In a block, the thread that is tested last runs first.
    numbered = list(enumerate(threads))
    for at, (number, steps) in enumerate(numbered if blocks else reversed(numbered)):
        text += f"test{at}:\n%c{number} = icmp eq i32 %i, {number * step}\n"
        text += f"br i1 %c{number}, label %do{number}, label %test{at + 1}\n"
        text += f"do{number}:\n{lines(steps, number)}\nret void\n"
    text += f"test{len(threads)}:\nret void\n}}\n"
    module = parse(text, filename="k.ll")
    if select:
        module = select_module(module, "sm_90")
    count = len(threads)
    grid, block = (count, 1) if blocks else (1, 32 * count)
    arrays = [np.zeros(4, np.int32), np.zeros(4, np.int32)]
    shape = (cluster, 1, 1) if cluster > 1 else None
    result = sanitize(module, "k", grid, block, arrays, checks=("race",), cluster=shape)
    return [text for report in result.reports for text in (report.title, *report.notes)]


@pytest.mark.parametrize("select", [False, True])
@pytest.mark.parametrize(
    ("writer", "reader", "racing"),
    [
        ("data = 1; release flag = 1", "acquire flag; data", False),
        ("data = 1; release flag = 1", "monotonic flag; data", True),
        ("data = 1; monotonic flag = 1", "acquire flag; data", True),
        ("data = 1; flag += 1", "flag += 1; data", True),
        ("data = 1; flag += 1, acq_rel", "flag += 1, acq_rel; data", False),
        ("release flag = 1; data = 1", "acquire flag; data", True),
        ("data = 1; release flag = 1", "data; acquire flag", True),
        # Fences with relaxed atomics.
        ("data = 1; gpu fence; volatile flag = 1", "volatile flag; gpu fence; data", False),
        ("data = 1; gpu fence; monotonic flag = 1", "monotonic flag; gpu fence; data", False),
        ("data = 1; gpu fence; monotonic flag = 1", "acquire flag; data", False),
        ("data = 1; release flag = 1", "monotonic flag; gpu fence; data", False),
        ("data = 1; gpu fence; monotonic flag = 1", "monotonic flag; data", True),
        ("data = 1; monotonic flag = 1; gpu fence", "monotonic flag; gpu fence; data", True),
        ("data = 1; gpu fence; monotonic flag = 1", "gpu fence; monotonic flag; data", True),
        ("gpu fence; data = 1; monotonic flag = 1", "monotonic flag; gpu fence; data", True),
        # Scopes.
        ("data = 1; cta fence; monotonic flag = 1", "monotonic flag; gpu fence; data", True),
        ("data = 1; gpu fence; monotonic flag = 1", "monotonic flag; cta fence; data", True),
        ("data = 1; release flag = 1 in cta", "acquire flag; data", True),
        ("data = 1; release flag = 1", "acquire flag in cta; data", True),
        ("data = 1; release flag = 1 in cluster", "acquire flag in cluster; data", True),
        # The value comes from another write than the releasing one.
        ("data = 1; release flag = 1; plain flag = 0", "acquire flag; data", True),
        ("data = 1; release flag = 1; monotonic flag = 1", "acquire flag; data", False),
        ("data = 1; release flag = 1; flag += 1", "acquire flag; data", False),
    ],
)
def test_message_passing(writer: str, reader: str, racing: bool, select: bool) -> None:
    assert bool(races(writer, reader, select=select)) == racing


@pytest.mark.parametrize(
    ("writer", "reader"),
    [
        ("data = 1; gpu fence; monotonic flag = 1 in cta", "acquire flag; data"),
        ("data = 1; release flag = 1", "monotonic flag in cta; gpu fence; data"),
        ("data = 1; release flag = 1 in cta", "acquire flag; data"),
        ("data = 1; release flag = 1; plain flag = 0", "acquire flag; data"),
    ],
)
def test_a_race_of_the_flag_orders_no_other_accesses(writer: str, reader: str) -> None:
    """The accesses of the flag race, and those of the data as well."""
    titles = [text for text in races(writer, reader) if text.startswith("Race reported")]
    assert len(titles) == 2


@pytest.mark.parametrize(
    ("middle", "racing"),
    [
        ("flag += 1", False),
        ("monotonic flag = 1", True),
        ("release flag = 1", True),
        ("acquire flag; release flag = 1", False),
    ],
)
def test_a_third_block_writes_the_flag(middle: str, racing: bool) -> None:
    """Read-modify-writes continue a release pattern, other writes end it."""
    assert bool(races("data = 1; release flag = 1", middle, "acquire flag; data")) == racing


@pytest.mark.parametrize(
    ("writer", "reader", "racing"),
    [
        ("data = 1; release flag = 1 in cta", "acquire flag in cta; data", False),
        ("data = 1; cta fence; volatile flag = 1", "volatile flag; cta fence; data", False),
        ("data = 1; volatile flag = 1", "volatile flag; data", True),
        ("data = 1; release flag = 1 in cta", "monotonic flag in cta; data", True),
    ],
)
def test_threads_of_a_block(writer: str, reader: str, racing: bool) -> None:
    assert bool(races(writer, reader, blocks=False)) == racing


@pytest.mark.parametrize(
    ("cluster", "scope", "racing"),
    [(2, "cluster", False), (1, "cluster", True), (2, "cta", True)],
)
def test_races_between_atomics_of_block_and_cluster_scope(
    cluster: int, scope: str, racing: bool
) -> None:
    writer = f"data = 1; release flag = 1 in {scope}"
    reader = f"acquire flag in {scope}; data"
    found = races(writer, reader, cluster=cluster)
    assert bool(found) == racing
    note = f"Both are atomic, but {'block' if scope == 'cta' else 'cluster'} scope does not include"
    assert any(text.startswith(note) for text in found) == racing


@pytest.mark.parametrize(("cluster", "racing"), [(2, False), (1, True)])
def test_relaxed_accesses_of_a_cluster(cluster: int, racing: bool) -> None:
    first, second = "monotonic flag = 1 in cluster", "monotonic flag in cluster"
    assert bool(races(first, second, cluster=cluster)) == racing


@pytest.mark.parametrize(
    ("first", "second", "racing"),
    [
        ("monotonic flag in cta", "monotonic flag = 1", True),
        ("monotonic flag", "monotonic flag = 1 in cta", True),
        ("monotonic flag", "monotonic flag = 1", False),
        ("volatile flag", "plain flag = 0", True),
    ],
)
def test_atomic_reads_before_a_write(first: str, second: str, racing: bool) -> None:
    assert bool(races(first, second)) == racing


@pytest.mark.parametrize(
    ("first", "second", "racing"),
    [
        ("data = 1; arrive; wait", "arrive; wait; data", False),
        ("data = 1; relaxed arrive; wait", "arrive; wait; data", True),
        ("arrive; data = 1; wait", "arrive; wait; data", True),
        ("data = 1; arrive; wait", "arrive; data; wait", True),
        ("data = 1; gpu fence; relaxed arrive; wait", "arrive; wait; gpu fence; data", True),
    ],
)
def test_barrier_of_a_cluster(first: str, second: str, racing: bool) -> None:
    assert bool(races(first, second, cluster=2)) == racing


# Idioms

LAST_BLOCK = "data = 1; gpu fence; flag += 1"


@pytest.mark.parametrize(
    ("block", "last", "racing"),
    [
        # "Memory Fence Functions" of the CUDA programming guide.
        (LAST_BLOCK, "gpu fence; flag += 1; data", False),
        (LAST_BLOCK, "gpu fence; flag += 1; gpu fence; data", False),
        (LAST_BLOCK, "gpu fence; flag += 1; barrier; data", False),
        (LAST_BLOCK, "flag += 1; data", True),
        ("data = 1; flag += 1", "gpu fence; flag += 1; data", True),
        (LAST_BLOCK, "gpu fence; flag += 1 in cta; data", True),
        (LAST_BLOCK, "cta fence; flag += 1; data", True),
    ],
)
def test_last_block(block: str, last: str, racing: bool) -> None:
    assert bool(races(block, last)) == racing


def test_only_the_first_operation_after_a_fence_acquires() -> None:
    assert not races(LAST_BLOCK, "gpu fence; flag += 1; other += 1; data")
    assert races(LAST_BLOCK, "gpu fence; other += 1; flag += 1; data")


@pytest.mark.parametrize(
    ("lock", "unlock", "racing"),
    [
        ("try lock; gpu fence", "gpu fence; unlock", False),
        ("try lock", "gpu fence; unlock", True),
        ("try lock; gpu fence", "unlock", True),
        ("try lock", "unlock", True),
    ],
)
@pytest.mark.parametrize("blocks", [False, True])
def test_spin_lock(lock: str, unlock: str, racing: bool, blocks: bool) -> None:
    body = f"{lock}; data; data = 1; {unlock}"
    assert bool(races(body, body, blocks=blocks)) == racing


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("writer", "reader", "racing"),
    [
        ("write; sync", "sync; read", False),
        ("write; arrive", "sync; read", False),
        ("arrive; write", "sync; read", True),
        ("write; sync", "arrive; read", True),
        ("write; sync", "read; arrive", True),
    ],
)
def test_barrier_of_some_warps(writer: str, reader: str, racing: bool, swapped: bool) -> None:
    """A warp that arrives at a barrier does not wait: its later accesses are not ordered."""
    steps = {
        "write": "store i32 1, ptr addrspace(1) %p",
        "read": "%v = load i32, ptr addrspace(1) %p\nstore i32 %v, ptr addrspace(1) %q",
        "sync": "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)",
        "arrive": "call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)",
    }
    first, second = ("\n".join(steps[s] for s in t.split("; ")) for t in (writer, reader))
    if swapped:
        first, second = second, first
    text = f"""{HEAD}
    define ptx_kernel void @k(ptr addrspace(1) %d, ptr addrspace(1) %f) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %t, 31
      %p = getelementptr i32, ptr addrspace(1) %d, i32 %lane
      %q = getelementptr i32, ptr addrspace(1) %f, i32 %t
      %low = icmp ult i32 %t, 32
      br i1 %low, label %first, label %second
    first:
      {first}
      ret void
    second:
      {second}
      ret void
    }}"""
    arrays = [np.zeros(32, np.int32), np.zeros(64, np.int32)]
    result = sanitize(parse(text, filename="k.ll"), "k", 1, 64, arrays, checks=("race",))
    assert bool(result.reports) == racing
