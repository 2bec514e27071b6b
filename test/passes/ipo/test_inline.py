"""Decisions and remarks of `inline`.

Each number has a test that fails with another one.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.ipo.inline import MOST_COPIED_OFTEN, Inline
from nvvm_xdsl.pipeline import run_pipeline

THRESHOLD = 20 * 11
SMALL = "threshold=20;hint-threshold=30;cold-threshold=4;local-bonus=300;last-call-bonus=900"
"""Small limits for the tests."""

CALL = 25 + 5 + 2 * 5
"""The cost of a call with one argument of 32 bits."""


def ops(count: int) -> str:
    """Returns this many instructions, of which the last is %r."""
    lines = ["%r0 = llvm.mul %x, %x : i32"]
    lines += [f"%r{i} = llvm.mul %r{i - 1}, %x : i32" for i in range(1, count - 1)]
    return "\n".join([*lines, f"%r = llvm.add %r{max(0, count - 2)}, %x : i32"])


def function(name: str, body: str, attributes: str = "", linkage: str = "internal") -> str:
    return f"llvm.func {linkage} @{name}(%x: i32) -> i32 {attributes} {{\n{body}\nllvm.return %r : i32\n}}\n"


SPLIT = '%c = llvm.icmp "eq" %x, %x : i32\nllvm.cond_br %c, ^a, ^b\n^a:\nllvm.br ^b\n^b:\n'
"""Splits the function into several blocks; costs two instructions."""


def calls(name: str, count: int = 2, attributes: str = "attributes {nvvm.kernel}") -> str:
    """Returns a kernel that calls a function N times."""
    body = "\n".join(
        f"%v{i} = llvm.call @{name}(%n) : (i32) -> i32\nllvm.store %v{i}, %p : i32, !llvm.ptr<1>"
        for i in range(count)
    )
    return f"llvm.func @k(%n: i32, %p: !llvm.ptr<1>) {attributes} {{\n{body}\nllvm.return\n}}\n"


def inlined(text: str, pipeline: str = f"inline<{SMALL}>", name: str = "f") -> bool:
    """Returns whether the kernel has no call of the function."""
    return f"llvm.call @{name}(" not in kernel(after(text, pipeline))


def kernel(text: str) -> str:
    return text[text.index("llvm.func @k(") :]


def after(text: str, pipeline: str = f"inline<{SMALL}>") -> str:
    module = parsed(text)
    run_pipeline(module, pipeline)
    module.verify()
    return str(module)


def parsed(text: str) -> ModuleOp:
    module = parse_module(text)
    intern_types(module)
    return module


def largest(attributes: str = "", split: str = SPLIT, extra: int = 0) -> tuple[int, int]:
    """Returns how many instructions are inlined at most, and the next number."""
    del attributes
    fixed = 10 if split else 0
    most = (THRESHOLD + CALL - fixed - 1 + extra) // 5
    return most, most + 1


def test_the_defaults_are_the_documented_ones():
    one = Inline()
    assert (one.threshold, one.multiplier, one.hint_threshold, one.cold_threshold) == (
        225,
        11,
        325,
        45,
    )
    assert (one.local_bonus, one.last_call_bonus) == (4000, 15_000)


def test_the_threshold_is_multiplied_by_eleven():
    fits, too_many = largest()
    assert inlined(function("f", SPLIT + ops(fits)) + calls("f"))
    assert not inlined(function("f", SPLIT + ops(too_many)) + calls("f"))


def test_a_single_block_gets_a_bonus_of_half_the_threshold():
    fits, too_many = largest(split="", extra=THRESHOLD // 2)
    assert inlined(function("f", ops(fits)) + calls("f"))
    assert not inlined(function("f", ops(too_many)) + calls("f"))


@pytest.mark.parametrize(
    ("attribute", "base"), [("inline_hint", 30), ('passthrough = ["cold"]', 4)]
)
def test_hints_and_cold_functions(attribute: str, base: int):
    fits, too_many = largest(extra=(base - 20) * 11)
    attributes = f"attributes {{{attribute}}}"
    assert inlined(function("f", SPLIT + ops(fits), attributes) + calls("f"))
    assert not inlined(function("f", SPLIT + ops(too_many), attributes) + calls("f"))


def test_a_cold_call():
    fits, _ = largest()
    text = calls("f").replace("(%n) :", "(%n) {cold} :")
    assert not inlined(function("f", SPLIT + ops(fits)) + text)


def test_last_call_bonus_of_the_inliner():
    fits, too_many = largest(extra=900)
    assert inlined(function("f", SPLIT + ops(fits)) + calls("f", 1))
    assert not inlined(function("f", SPLIT + ops(too_many)) + calls("f", 1))
    assert not inlined(function("f", SPLIT + ops(fits), linkage="external") + calls("f", 1))


def test_inline_cost_does_not_depend_on_splittable_globals():
    """A struct that only the module can access may be split after inlining, one of other modules may not."""
    results: list[list[bool]] = []
    for linkage in ("internal", "external"):
        variable = (
            f"llvm.mlir.global {linkage} @g() {{addr_space = 1 : i32}} : !llvm.struct<(i32, i32)> {{\n"
            "%z = llvm.mlir.zero : !llvm.struct<(i32, i32)>\n"
            "llvm.return %z : !llvm.struct<(i32, i32)>\n}\n"
        )
        access = (
            "%g = llvm.mlir.addressof @g : !llvm.ptr<1>\n"
            "%l = llvm.load %g : !llvm.ptr<1> -> i32\nllvm.store %x, %g : i32, !llvm.ptr<1>\n"
        )
        fits, _ = largest()
        results.append(
            [
                inlined(variable + function("f", SPLIT + access + ops(fits - less)) + calls("f"))
                for less in range(5)
            ]
        )
    assert results[0] == results[1]
    assert set(results[0]) == {False, True}


def test_constant_arguments_increase_the_benefit():
    text = function(
        "f",
        f"""
      %zero = llvm.mlir.constant(0 : i32) : i32
      %c = llvm.icmp "eq" %x, %zero : i32
      llvm.cond_br %c, ^short, ^long
    ^long:
      {ops(90).replace("%r =", "%s =")}
      llvm.return %s : i32
    ^short:
      %r = llvm.add %x, %x : i32
    """,
    )
    assert not inlined(text + calls("f"))
    passed = (
        calls("f")
        .replace("(%n)", "(%zero)")
        .replace("nvvm.kernel} {", "nvvm.kernel} {\n%zero = llvm.mlir.constant(0 : i32) : i32")
    )
    assert inlined(text + passed)


def local(argument: str, count: int) -> str:
    body = "\n".join(
        f"%v{i} = llvm.load %q : !llvm.ptr -> i32\nllvm.store %v{i}, %o : i32, !llvm.ptr<1>"
        for i in range(count)
    )
    return f"""
    llvm.func internal @f(%q: !llvm.ptr, %o: !llvm.ptr<1>) -> i32 {{
      {SPLIT.replace("%x", "%one1").replace("%c =", "%one1 = llvm.mlir.constant(1 : i32) : i32" + chr(10) + "%c =")}
      {body}
      llvm.return %one1 : i32
    }}
    llvm.func @k(%n: !llvm.ptr, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %one = llvm.mlir.constant(1 : i32) : i32
      %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %one, %slot : i32, !llvm.ptr
      %a = llvm.call @f({argument}, %p) : (!llvm.ptr, !llvm.ptr<1>) -> i32
      %b = llvm.call @f({argument}, %p) : (!llvm.ptr, !llvm.ptr<1>) -> i32
      llvm.return
    }}"""


def test_pointers_into_local_memory_increase_the_benefit():
    # Loads through the pointer are free, and there is a bonus.
    assert not inlined(local("%n", 60))
    assert inlined(local("%slot", 60))
    most = (THRESHOLD + 300 + 25 + 5 + 2 * 2 * 5 * 2 - 1) // 5
    assert inlined(local("%slot", most))
    assert not inlined(local("%slot", most + 1))


def test_promotable_slots_are_free():
    body = "%one = llvm.mlir.constant(1 : i32) : i32\n%s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr\n"
    body += "".join(
        f"llvm.store %x, %s : i32, !llvm.ptr\n%l{i} = llvm.load %s : !llvm.ptr -> i32\n"
        for i in range(600)
    )
    assert inlined(function("f", body + SPLIT + ops(40)) + calls("f"))
    volatile = body.replace("llvm.load %s", "llvm.load volatile %s")
    assert not inlined(function("f", volatile + SPLIT + ops(40)) + calls("f"))


def test_cost_uses_the_inlined_callees():
    # @f calls @g, whose body folds completely after inlining.
    inner = function("g", ops(60).replace("mul %x, %x", "xor %x, %x"))
    outer = function(
        "f",
        SPLIT
        + "%zero = llvm.mlir.constant(0 : i32) : i32\n"
        + "\n".join(f"%a{i} = llvm.call @g(%x) : (i32) -> i32" for i in range(20))
        + "\n%r = llvm.add %a1, %x : i32",
    )
    assert inlined(inner + outer + calls("f"))
    assert not inlined(inner + outer + calls("f"), f"inline<{SMALL};no-clean-up>")


REFUSED = {
    "noinline function attribute": function("f", ops(2), "attributes {no_inline}"),
    "optnone function attribute": function("f", ops(2), "attributes {optimize_none, no_inline}").replace("optimize_none, no_inline", "optimize_none"),
    "interposable": function("f", ops(2), linkage="weak"),
    "recursive": function("f", "%r = llvm.call @f(%x) : (i32) -> i32"),
    "dynamic alloca": function("f", "%s = llvm.alloca %x x i32 : (i32) -> !llvm.ptr\n" + ops(2)),
    "noduplicate": 'llvm.func @d() attributes {passthrough = ["noduplicate"]}\n' + function("f", "llvm.call @d() : () -> ()\n" + ops(2)),
    "conflicting attributes: denormals": function("f", "%w = llvm.bitcast %x : i32 to f32\n%v = llvm.fadd %w, %w : f32\n" + ops(2), 'attributes {denormal_fp_math_f32 = "preserve-sign"}'),
    "its definition is unavailable": "llvm.func @f(i32) -> i32\n",
}  # fmt: skip


@pytest.mark.parametrize("reason", REFUSED)
def test_calls_that_are_not_inlined(reason: str):
    found: list[remarks.Remark] = []
    module = parsed(REFUSED[reason] + calls("f"))
    with remarks.listening(found.append):
        run_pipeline(module, f"inline<{SMALL}>")
    assert "llvm.call @f(" in kernel(str(module))
    reported = ["".join(text for _, text in r.arguments) for r in found if r.function == "k"]
    assert reported == [f"f not inlined into k: {reason}"] * 2


def test_costs_are_reported():
    found: list[remarks.Remark] = []
    with remarks.listening(found.append):
        run_pipeline(
            parsed(
                function("f", SPLIT + ops(60))
                + function("g", SPLIT + ops(2))
                + calls("f")
                + calls("g").replace("@k", "@l")
            ),
            f"inline<{SMALL}>",
        )
    reported = ["".join(text for _, text in r.arguments) for r in found]
    assert (
        reported[0]
        == f"f not inlined into k: too costly (cost={60 * 5 + 10 - CALL}, threshold={THRESHOLD})"
    )
    assert (
        reported[-1] == f"g inlined into l with (cost={4 * 5 - CALL - 900}, threshold={THRESHOLD})"
    )


def test_the_last_call_of_a_noduplicate_function_is_inlined():
    assert inlined(REFUSED["noduplicate"] + calls("f", 1))


def test_denormal_modes_do_not_matter_for_integers():
    assert inlined(
        function("f", ops(2), 'attributes {denormal_fp_math_f32 = "preserve-sign"}') + calls("f")
    )
    library = REFUSED["conflicting attributes: denormals"].replace("@f", "@__nv_f")
    assert inlined(library + calls("__nv_f"), name="__nv_f")


def test_always_inline_overrides_cost():
    assert inlined(function("f", SPLIT + ops(60), "attributes {always_inline}") + calls("f"))


def test_a_recursive_caller_inlines_only_small_stacks():
    def program(size: int) -> str:
        body = f"%one = llvm.mlir.constant(1 : i32) : i32\n%s = llvm.alloca %one x !llvm.array<{size} x i8> : (i32) -> !llvm.ptr\n%q = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i8\nllvm.store %x, %q : i32, !llvm.ptr\n"
        caller = function(
            "k",
            "%v = llvm.call @f(%x) : (i32) -> i32\n%w = llvm.call @f(%v) : (i32) -> i32\n%r = llvm.call @k(%w) : (i32) -> i32",
            linkage="",
        )
        return function("f", body + ops(2)) + caller

    assert inlined(program(1024))
    assert not inlined(program(1025))


def test_a_call_that_becomes_direct_is_inlined():
    text = """
    llvm.func internal @apply(%f: !llvm.ptr, %x: i32) -> i32 {
      %s = llvm.mlir.constant(1 : i32) : i32
      %slot = llvm.alloca %s x !llvm.ptr : (i32) -> !llvm.ptr
      llvm.store %f, %slot : !llvm.ptr, !llvm.ptr
      %g = llvm.load %slot : !llvm.ptr -> !llvm.ptr
      %r = llvm.call %g(%x) : !llvm.ptr, (i32) -> i32
      llvm.return %r : i32
    }
    llvm.func @k(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %f = llvm.mlir.addressof @f : !llvm.ptr
      %r = llvm.call @apply(%f, %n) : (!llvm.ptr, i32) -> i32
      llvm.store %r, %p : i32, !llvm.ptr<1>
      llvm.return
    }
    """
    left = kernel(after(function("f", ops(3)) + text))
    assert "llvm.call" not in left
    assert "llvm.mul" in left


def test_recursion_through_pointers_terminates():
    text = function(
        "f",
        "%g = llvm.mlir.addressof @f : !llvm.ptr\n%r = llvm.call %g(%x) : !llvm.ptr, (i32) -> i32",
    )
    assert "llvm.call" in kernel(after(text + calls("f")))


def test_convergent_ops_are_copied_once_for_each_call():
    text = function("f", "nvvm.barrier0\n" + ops(2))
    assert kernel(after(text + calls("f", 2))).count("nvvm.barrier") == 2


@pytest.mark.slow
def test_a_library_is_inlined_in_linear_time():
    """25 functions inlined into a kernel, and 50: at most about three times the time."""

    def program(count: int) -> str:
        library = "".join(
            function(f"f{i}", SPLIT + ops(100), linkage="external") for i in range(count)
        )
        body = "\n".join(f"%v{i} = llvm.call @f{i}(%n) : (i32) -> i32" for i in range(count))
        return (
            f"{library}llvm.func @k(%n: i32) attributes {{nvvm.kernel}} {{\n{body}\nllvm.return\n}}"
        )

    times: list[float] = []
    for count in (25, 50):
        module = parsed(program(count))
        start = time.process_time()
        run_pipeline(module, "inline")
        times.append(time.process_time() - start)
        assert "llvm.call" not in kernel(str(module))
    assert times[1] < 3.5 * times[0] + 0.5


def chain(count: int) -> str:
    """Returns a kernel and a chain of functions, each of which calls the next."""
    text = "".join(
        function(
            f"f{i}",
            f"%k = llvm.mlir.constant({i + 77} : i32) : i32\n%a = llvm.mul %x, %x : i32\n"
            "%b = llvm.xor %a, %k : i32\n"
            + (
                f"%r = llvm.call @f{i + 1}(%b) : (i32) -> i32"
                if i + 1 < count
                else "%r = llvm.add %b, %x : i32"
            ),
        )
        for i in range(count)
    )
    return text + calls("f0", 1)


def test_a_chain_of_functions_takes_linear_time(monkeypatch: pytest.MonkeyPatch):
    copied = 0
    copy_op = fast.copy_op

    def counted(*arguments: Any) -> Operation:
        nonlocal copied
        copied += 1
        return copy_op(*arguments)

    monkeypatch.setattr(fast, "copy_op", counted)
    found: list[int] = []
    for count in (100, 200):
        copied = 0
        assert "llvm.call" not in kernel(after(chain(count), "inline"))
        found.append(copied)
    assert found[1] < 2.3 * found[0]


def inlined_into(text: str) -> list[str]:
    """Returns the remarks on inlined calls, in order."""
    heard: list[remarks.Remark] = []
    module = parsed(text)
    with remarks.listening(heard.append):
        run_pipeline(module, "inline")
    return [one.message.partition(" with")[0] for one in heard if one.name == "Inlined"]


LARGE = ops(MOST_COPIED_OFTEN + 1)
ONE_CALL = "%r = llvm.call @g(%x) : (i32) -> i32"


def test_a_large_body_is_deferred_until_its_only_caller_is_inlined():
    text = function("g", LARGE) + function("f", ONE_CALL) + calls("f", 1)
    assert inlined_into(text) == ["f inlined into k", "g inlined into k"]


@pytest.mark.parametrize(
    "text",
    [
        function("g", ops(3)) + function("f", ONE_CALL) + calls("f", 1),
        function("g", LARGE) + function("f", ONE_CALL) + calls("f", 2),
        function("g", LARGE)
        + function("f", ONE_CALL + "\n%s = llvm.call @g(%r) : (i32) -> i32")
        + calls("f", 1),
        function("g", LARGE) + function("f", ONE_CALL, linkage="external") + calls("f", 1),
    ],
    ids=["small", "called twice", "calls twice", "external"],
)
def test_calls_that_are_not_deferred(text: str):
    assert inlined_into(text)[0] == "g inlined into f"


def test_a_deferred_call_is_inlined_if_its_caller_remains():
    text = function("g", LARGE) + function("f", ONE_CALL, "attributes {no_inline}") + calls("f", 1)
    assert inlined_into(text) == ["g inlined into f"]
    assert "llvm.call @g" not in after(text, "inline")


def test_a_noduplicate_call_moves_with_its_inlined_caller():
    """A noduplicate op moves with its caller into the kernel."""
    declared = 'llvm.func @d() attributes {passthrough = ["noduplicate"]}\n'
    large = function("g", "llvm.call @d() : () -> ()\n" + LARGE)
    text = declared + large + function("f", ONE_CALL) + calls("f", 1)
    assert inlined_into(text) == ["f inlined into k", "g inlined into k"]
