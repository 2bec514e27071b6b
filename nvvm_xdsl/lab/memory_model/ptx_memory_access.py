"""PTX instructions that access memory: loads, stores, atomic operations, fences and barriers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nvvm_xdsl.lab.memory_model import mbarrier_state
from nvvm_xdsl.lab.memory_model.events import Access, Kind, Order, Scope, Value
from nvvm_xdsl.lab.memory_model.float_arithmetic import FLOAT_OPERATIONS, float_result
from nvvm_xdsl.lab.memory_model.ptx_modifiers import FENCE_PROXIES, access_proxy, modifiers
from nvvm_xdsl.lab.memory_model.ptx_thread_state import Steps, ThreadState, elements, signed

ATOMIC: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda old, b, _: old + b,
    "sub": lambda old, b, _: old - b,
    "exch": lambda _, b, __: b,
    "and": lambda old, b, _: old & b,
    "or": lambda old, b, _: old | b,
    "xor": lambda old, b, _: old ^ b,
    "min": lambda old, b, _: min(old, b),
    "max": lambda old, b, _: max(old, b),
    "inc": lambda old, b, _: 0 if old >= b else old + 1,
    "dec": lambda old, b, _: b if old == 0 or old > b else old - 1,
    "mul": lambda old, b, _: old * b,
    "div": lambda old, b, _: old // b if b else 0,
}
"""Operations of `atom` and `red` on the old value and the operands; litmus tests also have `sub`."""


def load(t: ThreadState) -> Steps:
    """`ld` and the loads of other proxies; `ld r, value` of litmus tests is a move."""
    to, text = t.instruction.operands
    opcode = t.instruction.opcode
    if opcode == ("ld",) and not text.startswith("[") and text not in t.code.symbols:
        t.assign(to, t.operand(text))
        return
    form = modifiers(opcode, Order.WEAK, Scope.SYS)
    variable, offset, reads = t.place(text)
    for at, part in enumerate(elements(to)):
        value = yield Access(
            Kind.READ, variable, offset + at * form.size, form.size, form.order, form.scope,
            access_proxy(opcode), depends=reads | t.control,
        )  # fmt: skip
        bits = t.number(value)
        t.assign(part, Value(signed(bits, form.size) if form.is_signed else bits, value.reads))


def store(t: ThreadState) -> Steps:
    """`st` and `sust`."""
    text, source = t.instruction.operands
    opcode = t.instruction.opcode
    form = modifiers(opcode, Order.WEAK, Scope.SYS)
    variable, offset, reads = t.place(text)
    for at, part in enumerate(elements(source)):
        value = t.operand(part)
        bits = t.number(value) & (1 << 8 * form.size) - 1
        yield Access(
            Kind.WRITE, variable, offset + at * form.size, form.size, form.order, form.scope,
            access_proxy(opcode), Value(bits, value.reads), depends=reads | t.control,
        )  # fmt: skip


def atomic(t: ThreadState) -> Steps:
    """`atom` and `red`, by default relaxed with the scope gpu."""
    opcode, operands = t.instruction.opcode, list(t.instruction.operands)
    form = modifiers(opcode, Order.RELAXED, Scope.GPU)
    is_reduction = opcode[0] in ("red", "sured")
    to = "_" if is_reduction else operands.pop(0)
    variable, offset, reads = t.place(operands.pop(0))
    values = [t.operand(text) for text in operands]
    depends = frozenset[int]().union(*(value.reads for value in values))
    mask = (1 << 8 * form.size) - 1

    def number(value: int) -> int:
        return signed(value, form.size) if form.is_signed else value & mask

    numbers = [number(t.number(value)) for value in values]
    name = next((w for w in opcode[1:] if w in ATOMIC or w == "cas"), "")
    is_supported = name in FLOAT_OPERATIONS and _has_ieee_type(opcode) if form.is_float else name
    if not is_supported:
        raise t.fail(f"the operation of '{'.'.join(opcode)}' is not supported")

    def update(old: Value) -> Value | None:
        before = number(t.number(old))
        if name == "cas":
            return Value(numbers[1] & mask, depends) if before == numbers[0] else None
        if form.is_float:
            return Value(float_result(name, before, numbers[0], form.size), depends | old.reads)
        other = numbers[1] if len(numbers) > 1 else 0
        reads = depends if name == "exch" else depends | old.reads
        return Value(ATOMIC[name](before, numbers[0], other) & mask, reads)

    old = yield Access(
        Kind.READ, variable, offset, form.size, form.order, form.scope, access_proxy(opcode),
        update=update, is_reduction=is_reduction or to == "_", depends=reads | t.control,
    )  # fmt: skip
    t.assign(to, old)


def _has_ieee_type(opcode: Sequence[str]) -> bool:
    """Whether the type of an instruction is one of the IEEE formats, not a vector or `bf16`."""
    return any(word in ("f16", "f32", "f64") for word in opcode)


def fence(t: ThreadState) -> Steps:
    """`fence`, `fence.proxy` and `membar`, which is `fence.sc` on all targets since sm_70."""
    opcode = t.instruction.opcode
    form = modifiers(opcode, Order.ACQ_REL, Scope.SYS)
    if "mbarrier_init" in opcode:
        yield Access(Kind.FENCE, order=Order.RELEASE, scope=Scope.CLUSTER)
    elif opcode[1:2] == ("proxy",):
        name = opcode[2].partition("::")[0]
        proxy = FENCE_PROXIES.get(name)
        if proxy is None:
            raise t.fail(f"the proxy '{name}' is not supported")
        yield Access(Kind.PROXY_FENCE, proxy=proxy)
    else:
        order = Order.SC if opcode[0] == "membar" else form.order
        yield Access(Kind.FENCE, order=order, scope=form.scope)


def barrier(t: ThreadState) -> Steps:
    """`bar` and `barrier`, of a block or a cluster.

    `bar.cta` has the operands of herd's litmus tests: a barrier, a number, and a thread count.
    """
    opcode = t.instruction.opcode
    if "cluster" in opcode:
        yield from cluster_barrier(t)
        return
    values = [t.number(t.operand(text)) for text in t.instruction.operands]
    first, second, count = [*values, 0, 0, 0][:3]
    if opcode[:2] == ("bar", "cta"):
        barrier = ((first << 16) + second, count)
    elif opcode == ("bar", "warp", "sync"):
        raise t.fail("'bar.warp.sync' is not supported")
    else:
        barrier = (first << 16, second)
    yield Access(Kind.ARRIVE, order=Order.ACQ_REL, barrier=barrier)
    if "arrive" not in opcode:
        yield Access(Kind.WAIT, order=Order.ACQ_REL, barrier=barrier)


def cluster_barrier(t: ThreadState) -> Steps:
    """`barrier.cluster.arrive` and `barrier.cluster.wait`."""
    opcode = t.instruction.opcode
    kind = Kind.ARRIVE if "arrive" in opcode else Kind.WAIT
    order = Order.RELAXED if "relaxed" in opcode else Order.ACQ_REL
    yield Access(kind, order=order, cluster_wide=True, barrier=(0, 0))


def barrier_object(t: ThreadState) -> Steps:
    """`mbarrier`: its value in memory changes by atomic operations."""
    opcode, operands = t.instruction.opcode, list(t.instruction.operands)
    action = opcode[1]
    if action in ("arrive", "test_wait", "try_wait") and not operands[0].startswith("["):
        result = operands.pop(0)
    else:
        result = "_"
    variable, offset, reads = t.place(operands.pop(0))
    values = [t.number(t.operand(text)) for text in operands]
    depends = reads | t.control
    default = Order.ACQUIRE if action.endswith("wait") else Order.RELEASE
    if action in ("expect_tx", "complete_tx"):
        default = Order.RELAXED
    form = modifiers(opcode, default, Scope.CTA)

    def access(
        update: Callable[[int], int] | None, accepts: Callable[[int], bool] | None = None
    ) -> Access:
        def updated(old: Value) -> Value:
            assert update is not None
            return Value(update(t.number(old)), old.reads)

        return Access(
            Kind.READ, variable, offset, 8, form.order, form.scope, depends=depends,
            update=None if update is None else updated,
            accepts=None if accepts is None else lambda old: accepts(t.number(old)),
        )  # fmt: skip

    if action == "init":
        state = Value(mbarrier_state.initial(values[0]))
        yield Access(Kind.WRITE, variable, offset, 8, value=state, depends=depends)
    elif action == "arrive":
        expected = values[0] if "expect_tx" in opcode else 0
        count = 1 if "expect_tx" in opcode or not values else values[0]
        old = yield access(
            lambda s: mbarrier_state.changed(s, arrivals=count, expected_bytes=expected)
        )
        t.assign(result, old)
    elif action in ("expect_tx", "complete_tx"):
        sign = 1 if action == "expect_tx" else -1
        yield access(lambda s: mbarrier_state.changed(s, expected_bytes=sign * values[0]))
    elif action in ("test_wait", "try_wait"):
        # A wait that fails is repeated: only the last one is part of the execution.
        phase = values[0] & 1
        old = yield access(None, lambda s: mbarrier_state.phase_of(s) != phase)
        t.assign(result, Value(1, old.reads))
    else:
        raise t.fail(f"'mbarrier.{action}' is not supported")


HANDLERS: dict[str, Callable[[ThreadState], Steps]] = {
    **dict.fromkeys(("ld", "tld", "suld", "cold"), load),
    **dict.fromkeys(("st", "sust"), store),
    **dict.fromkeys(("atom", "red", "suatom", "sured"), atomic),
    **dict.fromkeys(("fence", "membar"), fence),
    **dict.fromkeys(("bar", "barrier"), barrier),
    "mbarrier": barrier_object,
}
