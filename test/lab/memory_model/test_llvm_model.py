"""Outcomes of NVVM IR: orderings, scopes, races and the order of seq_cst operations."""

from __future__ import annotations

import pytest

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.events import UNDEFINED, Bits, Position
from nvvm_xdsl.lab.memory_model.llvm_model import LLVM
from nvvm_xdsl.lab.memory_model.module_program import ir_program
from nvvm_xdsl.lab.memory_model.refinement import added_outcomes
from nvvm_xdsl.lab.memory_model.search import ANYTHING, Outcome, outcomes

HEAD = """target triple = "nvptx64-nvidia-cuda"
@x = addrspace(1) global i32 0
@y = addrspace(1) global i32 0
@r0 = addrspace(1) global i32 0
@r1 = addrspace(1) global i32 0
declare void @llvm.nvvm.barrier0()
"""


def results(first: str, second: str, apart: bool = True) -> set[tuple[Bits, ...]]:
    """The values of all outcomes, see `outcomes_of`."""
    return {tuple(bits for _, bits in outcome) for outcome in outcomes_of(first, second, apart)}


def outcomes_of(first: str, second: str, apart: bool = True) -> set[Outcome]:
    """The outcomes of two threads. `load NAME` and `store NAME` abbreviate accesses to @NAME."""
    text = HEAD
    for number, body in enumerate((first, second)):
        lines: list[str] = []
        for line in body.strip().splitlines():
            line = (
                line.strip()
                .replace("@", "ptr addrspace(1) @")
                .replace("call void ptr addrspace(1) ", "call void ")
            )
            lines.append("  " + line)
        text += f"define ptx_kernel void @P{number}() {{\n" + "\n".join(lines) + "\n  ret void\n}\n"
    places = {"P0": Position(0), "P1": Position(1 if apart else 0)}
    program = ir_program(parse(text), places, ("r0", "r1"))
    return outcomes(program, LLVM)


def message(store: str, load: str) -> set[tuple[Bits, ...]]:
    """Message passing with the given accesses of the flag."""
    return results(
        f"store i32 1, @x\n{store}",
        f"{load}\n%b = load i32, @x\nstore i32 %a, @r0\nstore i32 %b, @r1",
    )


RELEASE = "store atomic i32 1, @y release, align 4"
ACQUIRE = "%a = load atomic i32, @y acquire, align 4"


def test_release_and_acquire():
    assert message(RELEASE, ACQUIRE) == {(0, UNDEFINED), (1, 1)}


@pytest.mark.parametrize(
    ("store", "load"),
    [
        (RELEASE.replace("release", "monotonic"), ACQUIRE),
        (RELEASE, ACQUIRE.replace("acquire", "monotonic")),
        (RELEASE, ACQUIRE.replace("acquire", "unordered")),
    ],
)
def test_weaker_orderings_race(store: str, load: str):
    assert message(store, load) == {(0, UNDEFINED), (1, UNDEFINED)}


@pytest.mark.parametrize("scope", ["block", "singlethread"])
def test_scopes_that_do_not_include_the_other_thread_race(scope: str):
    scoped = RELEASE.replace("@y", f'@y syncscope("{scope}")')
    assert message(scoped, ACQUIRE) == {(UNDEFINED, UNDEFINED)}


def test_device_scope_includes_the_other_block():
    scoped = [t.replace("@y", '@y syncscope("device")') for t in (RELEASE, ACQUIRE)]
    assert message(*scoped) == {(0, UNDEFINED), (1, 1)}


def test_fences():
    store = "fence release\nstore atomic i32 1, @y monotonic, align 4"
    load = "%a = load atomic i32, @y monotonic, align 4\nfence acquire"
    assert message(store, load) == {(0, UNDEFINED), (1, 1)}


def test_release_sequence_has_atomic_operations_only():
    through = "atomicrmw add @y, i32 1 monotonic"
    load = ACQUIRE + "\n"
    assert message(RELEASE + f"\n%o = {through}", load) >= {(2, 1)}
    assert (2, UNDEFINED) not in message(RELEASE + f"\n%o = {through}", load)
    again = RELEASE + "\nstore atomic i32 2, @y monotonic, align 4"
    assert (2, UNDEFINED) in message(again, load)


def test_non_atomic_flag_races():
    assert message("store i32 1, @y", "%a = load i32, @y") == {(UNDEFINED, UNDEFINED)}


def test_volatile_accesses_are_monotonic():
    found = message("store volatile i32 1, @y", "%a = load volatile i32, @y")
    assert found == {(0, UNDEFINED), (1, UNDEFINED)}


def buffering(ordering: str, store: str = "", fence: str = "") -> set[tuple[Bits, ...]]:
    """Store buffering."""

    def thread(own: str, other: str, result: str) -> str:
        return (
            f"store atomic i32 1, @{own} {store or ordering}, align 4\n{fence}\n"
            f"%a = load atomic i32, @{other} {ordering}, align 4\nstore i32 %a, @{result}"
        )

    return results(thread("x", "y", "r0"), thread("y", "x", "r1"))


def test_store_buffering():
    assert (0, 0) not in buffering("seq_cst")
    assert (0, 0) not in buffering("monotonic", fence="fence seq_cst")
    assert (0, 0) in buffering("acquire", "release")
    assert (0, 0) in buffering("acquire", "seq_cst")
    assert (0, 0) in buffering("monotonic", fence="fence acq_rel")


def test_load_buffering():
    def thread(own: str, other: str, result: str, orders: tuple[str, str]) -> str:
        return (
            f"%a = load atomic i32, @{own} {orders[0]}, align 4\n"
            f"store atomic i32 1, @{other} {orders[1]}, align 4\nstore i32 %a, @{result}"
        )

    for orders, allowed in ((("monotonic", "monotonic"), True), (("acquire", "release"), False)):
        found = results(thread("x", "y", "r0", orders), thread("y", "x", "r1", orders))
        assert ((1, 1) in found) == allowed


def test_coherence_of_monotonic_reads():
    first = "store atomic i32 1, @x monotonic, align 4"
    load = "load atomic i32, @x monotonic, align 4"
    second = f"%a = {load}\n%b = {load}\nstore i32 %a, @r0\nstore i32 %b, @r1"
    assert results(first, second) == {(0, 0), (0, 1), (1, 1)}
    assert (1, 0) in results(first, second.replace("monotonic", "unordered"))


def test_barrier():
    def thread(own: str, other: str, result: str) -> str:
        return (
            f"store i32 1, @{own}\ncall void @llvm.nvvm.barrier0()\n"
            f"%a = load i32, @{other}\nstore i32 %a, @{result}"
        )

    assert results(thread("x", "y", "r0"), thread("y", "x", "r1"), apart=False) == {(1, 1)}


def test_atomic_operations():
    add = "%a = atomicrmw add @x, i32 1 monotonic\nstore i32 %a, @"
    assert results(add + "r0", add + "r1") == {(0, 1), (1, 0)}
    swap = (
        "%p = cmpxchg @x, i32 0, i32 1 monotonic monotonic\n"
        "%a = extractvalue { i32, i1 } %p, 0\nstore i32 %a, @"
    ).replace("cmpxchg @x", "cmpxchg @x")
    assert results(swap + "r0", swap + "r1") == {(0, 1), (1, 0)}


def test_failure_ordering_of_compare_exchange():
    load = "%p = cmpxchg @y, i32 7, i32 7 monotonic ORDER\n%a = extractvalue { i32, i1 } %p, 0"
    assert message(RELEASE, load.replace("ORDER", "acquire")) == {(0, UNDEFINED), (1, 1)}
    assert (1, UNDEFINED) in message(RELEASE, load.replace("ORDER", "monotonic"))


def test_branch_on_a_race_is_undefined_behaviour():
    second = (
        "%a = load i32, @x\n%c = icmp eq i32 %a, 0\nbr i1 %c, label %u, label %v\n"
        "u:\nbr label %v\nv:"
    )
    text = results("store i32 1, @x", second)
    assert text == {tuple(bits for _, bits in ANYTHING)}


def test_a_thread_continues_after_undefined_behaviour():
    """P1 has a store that races with the read of P0 only if P0 continues after its branch."""
    first = """%a = load atomic i32, @y monotonic, align 4
    %c = icmp eq i32 %a, 1
    br i1 %c, label %then, label %join
    then:
    store i32 2, @x
    br label %join
    join:
    store atomic i32 1, @y monotonic, align 4"""
    second = """%b = load atomic i32, @y monotonic, align 4
    %d = icmp eq i32 %b, 1
    br i1 %d, label %then, label %join
    then:
    store i32 2, @y
    br label %join
    join:
    store i32 %b, @r1"""
    assert outcomes_of(first, second) == {ANYTHING}


COMPARE = """%p = cmpxchg @y, i32 0, i32 1 monotonic monotonic
    %v = extractvalue { i32, i1 } %p, 0
    store i32 %v, @r0
    """


def test_a_race_that_needs_the_write_of_a_compare_exchange():
    """The store of P1 races with the operation that must write for the store to execute."""
    second = """%b = load atomic i32, @y monotonic, align 4
    %d = icmp eq i32 %b, 1
    br i1 %d, label %then, label %join
    then:
    store i32 3, @y
    br label %join
    join:
    store i32 %b, @r1"""
    assert results(COMPARE, second) == {(0, 0), (UNDEFINED, 1)}


def test_a_compare_exchange_of_a_race_may_fail():
    """If it always wrote, the last read of P1 would race with this write, and return undef."""
    first = COMPARE + "store atomic i32 1, @x release, align 4"
    second = """store i32 0, @y
    %a = load atomic i32, @x acquire, align 4
    %b = load atomic i32, @y monotonic, align 4
    %c = mul i32 %a, 2
    %s = add i32 %c, %b
    store i32 %s, @r1"""
    found = results(first, second)
    assert {result for _, result in found} == {0, 2, UNDEFINED}


def test_a_comparison_with_undef_may_succeed_and_fail():
    first = """%u = load i32, @x
    %p = cmpxchg @y, i32 %u, i32 1 monotonic monotonic
    %s = extractvalue { i32, i1 } %p, 1
    %e = zext i1 %s to i32
    store i32 %e, @r0"""
    second = "store i32 1, @x\n%b = load atomic i32, @y monotonic, align 4\nstore i32 %b, @r1"
    assert results(first, second) == {(UNDEFINED, 0), (UNDEFINED, 1)}


def test_several_atomic_operations_of_a_race_are_undefined():
    rmw = "%{0} = atomicrmw or @x, i32 1 monotonic\nstore i32 %{0}, @r{1}"
    found = results("store i32 2, @x\n" + rmw.format("a", 0), rmw.format("b", 1))
    assert (UNDEFINED, UNDEFINED) in found


@pytest.mark.parametrize(
    ("op", "undefined"),
    [
        ("sdiv i32 1, %a", True),
        ("udiv i32 1, %a", True),
        ("srem i32 1, %a", True),
        ("urem i32 1, %a", True),
        ("sdiv i32 -2147483648, %m", True),
        ("srem i32 -2147483648, %m", True),
        ("udiv i32 -2147483648, %m", False),
        ("sdiv i32 -2147483647, %m", False),
        ("sdiv i32 %a, 1", False),
    ],
)
def test_division_by_zero_and_overflow_are_undefined(op: str, undefined: bool):
    body = f"%a = load i32, @x\n%m = sub i32 %a, 1\n%q = {op}\nstore i32 1, @r0"
    assert (outcomes_of(body, "store i32 1, @r1") == {ANYTHING}) == undefined


def test_added_outcomes():
    one, two = (("r0", 1),), (("r0", 2),)
    assert added_outcomes([one], [one, two]) == [two]
    assert added_outcomes([(("r0", UNDEFINED),)], [one, two]) == []
    assert added_outcomes([one], [(("r0", UNDEFINED),)]) == [(("r0", UNDEFINED),)]
    assert added_outcomes([ANYTHING], [two]) == []


@pytest.mark.parametrize(
    ("op", "name"),
    [
        ('%a = call i32 asm sideeffect "mov.u32 $0, %warpid;", "=r"()', "llvm.inline_asm"),
        ("%a = call i32 @called()", "llvm.call"),
        ("%a = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "nvvm.read.ptx.sreg.tid.x"),
        ("%a = frem fp128 0xL0, 0xL0", "llvm.mlir.constant"),
    ],
)
def test_unsupported_ops_are_reported(op: str, name: str):
    text = f"""declare i32 @called()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @P0() {{
  {op}
  ret void
}}
"""
    program = ir_program(parse(text), {"P0": Position(0)}, ())
    with pytest.raises(DiagnosticError, match=f"'{name}' is not supported by the memory model"):
        outcomes(program, LLVM)
