"""Asynchronous copies of PTX: `cp.async` and `cp.async.bulk`."""

from __future__ import annotations

from nvvm_xdsl.lab.memory_model import mbarrier_state
from nvvm_xdsl.lab.memory_model.events import Access, Kind, Order, Proxy, Scope, Value
from nvvm_xdsl.lab.memory_model.ptx_thread_state import Steps, ThreadState


def copy(t: ThreadState) -> Steps:
    """`cp.async` and `cp.async.bulk`. Section "Asynchronous Operations"."""
    opcode = t.instruction.opcode
    if "bulk" in opcode:
        yield from bulk_copy(t)
    elif "commit_group" in opcode:
        t.groups.append([])
    elif "wait_group" in opcode or "wait_all" in opcode:
        yield wait_for(t, t.groups, "wait_all" in opcode)
    elif "mbarrier" in opcode:
        yield from arrive_after_copies(t)
    else:
        size = t.number(t.operand(t.instruction.operands[2]))
        agent = new_agent(t, t.groups)
        yield from transfer(t, agent, Proxy.GENERIC, size)


def new_agent(t: ThreadState, groups: list[list[int]]) -> int:
    """The number of a new asynchronous operation in the current group."""
    t.agents += 1
    groups[-1].append(t.agents)
    return t.agents


def transfer(t: ThreadState, agent: int, proxy: Proxy, size: int) -> Steps:
    """Reads the second operand and writes the first."""
    to, source = t.instruction.operands[:2]
    target, at, target_reads = t.place(to)
    variable, offset, reads = t.place(source)
    value = yield Access(
        Kind.READ, variable, offset, size, proxy=proxy, agent=agent,
        depends=reads | t.control,
    )  # fmt: skip
    yield Access(
        Kind.WRITE, target, at, size, proxy=proxy, agent=agent, value=value,
        depends=target_reads | t.control,
    )  # fmt: skip


def bulk_copy(t: ThreadState) -> Steps:
    """`cp.async.bulk`, completed by an mbarrier or by its group."""
    opcode = t.instruction.opcode
    if "commit_group" in opcode:
        t.bulk_groups.append([])
        return
    if "wait_group" in opcode:
        if "read" in opcode:
            raise t.fail("'cp.async.bulk.wait_group.read' is not supported")
        yield wait_for(t, t.bulk_groups, False)
        return
    size = t.number(t.operand(t.instruction.operands[2]))
    in_group = "bulk_group" in opcode
    agent = new_agent(t, t.bulk_groups if in_group else [[]])
    yield from transfer(t, agent, Proxy.ASYNC, size)
    # The completion is followed by an implicit proxy fence.
    yield Access(Kind.PROXY_FENCE, proxy=Proxy.ASYNC, agent=agent)
    if in_group:
        return
    variable, offset, reads = t.place(t.instruction.operands[3])
    yield Access(
        Kind.READ, variable, offset, 8, Order.RELEASE, Scope.CLUSTER, agent=agent,
        is_reduction=True, depends=reads | t.control,
        update=lambda old: Value(
            mbarrier_state.changed(t.number(old), expected_bytes=-size), old.reads
        ),
    )  # fmt: skip


def arrive_after_copies(t: ThreadState) -> Steps:
    """`cp.async.mbarrier.arrive`, which arrives after all earlier `cp.async` of the thread."""
    earlier = tuple(agent for group in t.groups for agent in group)
    variable, offset, reads = t.place(t.instruction.operands[0])
    t.agents += 1
    count = 1 if "noinc" in t.instruction.opcode else 0
    yield Access(
        Kind.READ, variable, offset, 8, Order.RELEASE, Scope.CTA, agent=t.agents,
        awaits=earlier, is_reduction=True, depends=reads | t.control,
        update=lambda old: Value(
            mbarrier_state.changed(t.number(old), arrivals=count), old.reads
        ),
    )  # fmt: skip


def wait_for(t: ThreadState, groups: list[list[int]], everything: bool) -> Access:
    """The thread waits for all groups but the last ones."""
    if everything:
        done = groups
    else:
        left = t.number(t.operand(t.instruction.operands[0]))
        done = groups[:-1][: max(len(groups) - 1 - left, 0)]
    agents = tuple(agent for group in done for agent in group)
    return Access(Kind.PROXY_FENCE, proxy=Proxy.GENERIC, awaits=agents)
