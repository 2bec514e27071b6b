"""Conditions of partial redundancy elimination in `gvn`: each case is a function, an op, and the numbers of the
blocks that contain it afterwards, once per op."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module

from nvvm_xdsl.dialects.llvm.accessors import number_of
from nvvm_xdsl.dialects.llvm.flags import NSW
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare void @use(i32)
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(ptr %p, ptr noalias %q, ptr %r, i32 %a, i32 %b, i64 %w, float %x, float %y, i1 %c, i1 %d) {{
{body}
}}
!1 = distinct !{{!1}}
!2 = distinct !{{!2, !1}}
!3 = !{{!2}}
"""


def function_after(body: str, pipeline: str = "gvn"):
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    (function,) = (op for op in module.ops if op.name == "llvm.func" and op.regions[0].blocks)
    return function


def blocks_with(body: str, name: str) -> list[int]:
    blocks = function_after(body).regions[0].blocks
    return [n for n, block in enumerate(blocks) for op in block.ops if op.name == f"llvm.{name}"]


def arguments_after(body: str) -> list[int]:
    """Returns the number of arguments of each block except the entry."""
    return [len(block.args) for block in list(function_after(body).regions[0].blocks)[1:]]


def arms(one: str, other: str, join: str) -> str:
    """Returns a body with two arms and a join."""
    return (
        f"br i1 %c, label %one, label %other\none:\n{one}\nbr label %join\n"
        f"other:\n{other}\nbr label %join\njoin:\n{join}\nret void"
    )


def switch_of(arms: int, with_value: int, value: str, join: str) -> str:
    """Returns a body with a switch, the first of whose arms compute a value."""
    cases = " ".join(f"i32 {n}, label %a{n}" for n in range(1, arms))
    text = f"switch i32 %b, label %a0 [{cases}]\n"
    for n in range(arms):
        text += (
            f"a{n}:\n{value.replace('%n', f'%n{n}') if n < with_value else ''}\nbr label %join\n"
        )
    return f"{text}join:\n{join}\nret void"


LOAD = "%n = load i32, ptr %p\nstore i32 %n, ptr %q"
AGAIN = "%m = load i32, ptr %p\nstore i32 %m, ptr %q"
DIV = "%n = udiv i32 %a, 7\nstore i32 %n, ptr %q"
DIV_AGAIN = DIV.replace("%n", "%m")


def nested(depth: int) -> str:
    """Returns a body with `depth` diamonds, each in an arm of the one around it, that store in all arms."""
    text = ""
    for n in range(depth):
        text += f"br i1 %c, label %s{n}, label %t{n}\ns{n}:\nstore i32 {n}, ptr %p\nbr label %j{n}\nt{n}:\n"
    text += f"store i32 %a, ptr %p\nbr label %j{depth - 1}\n"
    for n in reversed(range(1, depth)):
        text += f"j{n}:\nbr label %j{n - 1}\n"
    return f"{text}j0:\n{AGAIN}\nret void"


def chain(name: str, length: int) -> str:
    """Returns a chain of additions, and a quotient of the last one."""
    text = ""
    last = "%a"
    for n in range(length):
        text += f"%{name}{n} = add i32 {last}, %b\n"
        last = f"%{name}{n}"
    return f"{text}%{name} = udiv i32 {last}, 7\nstore i32 %{name}, ptr %q"


def load_from(name: str, to: str, length: int, op: str = "add") -> str:
    """Returns a load from the address of a number of ops."""
    text, last = "", to
    for n in range(length - 1):
        text += f"%{name}{n} = {op} i64 {last}, %w\n"
        last = f"%{name}{n}"
    return (
        f"{text}%{name}g = getelementptr i32, ptr %p, i64 {last}\n"
        f"%{name} = load i32, ptr %{name}g\nstore i32 %{name}, ptr %q"
    )


SUM = "%m = load i32, ptr %p\n%sum = add i32 %m, %a\nstore i32 %sum, ptr %p"


def some_iterations(body: str, first: str = "store i32 0, ptr %p") -> str:
    """Returns a store and a loop with a body that some iterations run."""
    return (
        f"{first}\nbr label %loop\nloop:\n%i = phi i64 [0, %0], [%in, %latch]\n%at = getelementptr i32, ptr %p, i64 %i\n"
        f"br i1 %c, label %body, label %latch\nbody:\n{body}\nbr label %latch\n"
        "latch:\n%in = add i64 %i, 1\n%again = icmp ult i64 %in, %w\n"
        "br i1 %again, label %loop, label %end\nend:\nret void"
    )


PHI = "%i = phi i64 [1, %one], [2, %other]\n"
SCOPED = ", !alias.scope !3"

CASES = {
    "not a value without uses": (
        arms(LOAD, "", "%u = load i32, ptr %p\nstore i32 %a, ptr %q"), "load", [1, 3],
    ),
    "a load in both arms below a call": (f"call void @use(i32 %a)\n{arms(LOAD, LOAD.replace('%n', '%o'), AGAIN)}", "load", [1, 2]),
    "an expression that two of three arms have": (switch_of(3, 2, DIV, DIV_AGAIN), "udiv", [1, 2, 3]),
    "not an expression that one of three arms has": (switch_of(3, 1, DIV, DIV_AGAIN), "udiv", [1, 4]),
    "an expression of 8 arms": (switch_of(8, 8, DIV, DIV_AGAIN), "udiv", list(range(1, 9))),
    "not an expression of 9 arms": (switch_of(9, 9, DIV, DIV_AGAIN), "udiv", list(range(1, 11))),
    "a value that the arms of 7 nested diamonds store, in 3 iterations": (nested(7), "load", []),
    "not of 8 nested diamonds": (nested(8), "load", [21]),
    "a load before a loop in which some iterations store": (
        "br label %loop\nloop:\n" + AGAIN + "\nbr i1 %c, label %in, label %latch\n"
        "in:\nstore i32 %a, ptr %p\nbr label %latch\nlatch:\nbr i1 %d, label %loop, label %end\nend:\nret void",
        "load", [0],
    ),
    "a sum in a loop to which some iterations add": (some_iterations(SUM), "load", []),
    "a sum to which iterations add in nested arms": (
        some_iterations(f"br i1 %d, label %deep, label %shallow\ndeep:\n{SUM}\nbr label %shallow\nshallow:"), "load", [],
    ),
    "not a sum that a call may change": (some_iterations(f"call void @use(i32 %a)\n{SUM}"), "load", [2]),
    "a load after a call in some iterations that may change the sum": (
        some_iterations(f"br i1 %d, label %deep, label %shallow\ndeep:\ncall void @use(i32 %a)\nbr label %shallow\nshallow:\n{SUM}"),
        "load", [3],
    ),
    "not a sum at another address in each iteration": (
        some_iterations(SUM.replace("ptr %p", "ptr %at")), "load", [2],
    ),
    "not a sum that was not stored before the loop": (
        some_iterations(SUM, first="store i32 0, ptr %q"), "load", [2],
    ),
    "not of nested arms if an argument is the address": (
        "br i1 %c, label %one, label %other\none:\nstore i32 %a, ptr %p\nbr label %mid\n"
        "other:\nstore i32 %b, ptr %r\nbr label %mid\n"
        "mid:\n%s = phi ptr [%p, %one], [%r, %other]\nbr i1 %d, label %join, label %out\n"
        "out:\nstore i32 7, ptr %s\nbr label %join\n"
        "join:\n%m = load i32, ptr %s\nstore i32 %m, ptr %q\nret void",
        "load", [5],
    ),
    "an expression of 4 sums": (arms(chain("n", 4), chain("o", 4), chain("m", 4)), "udiv", [1, 2]),
    "not an expression of 5 sums": (arms(chain("n", 5), chain("o", 5), chain("m", 5)), "udiv", [1, 2, 3]),
    "not an expression of a value of its block": (
        arms(DIV, DIV.replace("%n", "%o"), "%l = load i32, ptr %p\n%s = add i32 %l, %a\n%m = udiv i32 %s, 7\nstore i32 %m, ptr %q"),
        "udiv", [1, 2, 3],
    ),
    "an expression of a comparison": (
        arms(*(
            f"%{n}c = icmp slt i32 %a, %b\n%{n}z = zext i1 %{n}c to i32\n%{n} = udiv i32 %a, %{n}z\nstore i32 %{n}, ptr %q"
            for n in "nom"
        )),
        "udiv", [1, 2],
    ),
    "not of 9 nested arms": (
        f"br i1 %c, label %one, label %other\none:\n{LOAD}\nbr label %last\nother:\n"
        + switch_of(9, 9, "store i32 %a, ptr %p", "br label %last\nlast:\n" + AGAIN),
        "load", [1, 12],
    ),
    "not a load that only some paths below the join execute": (
        arms(
            f"store i32 %a, ptr %r\n{LOAD}", "store i32 %b, ptr %r",
            f"br i1 %d, label %in, label %out\nin:\n{AGAIN}\nret void\nout:",
        ),
        "load", [1, 4],
    ),
    "an expression without traps past a call": (
        arms(DIV, "", f"call void @use(i32 %a)\n{DIV_AGAIN}"), "udiv", [1, 2],
    ),
    "an address of recomputed ops": (arms(load_from("n", "1", 2), "", PHI + load_from("m", "%i", 2)), "load", [1, 2]),
    "not an address of other ops": (arms(load_from("n", "1", 2, "xor"), "", PHI + load_from("m", "%i", 2, "xor")), "load", [1, 3]),
    "an address of 4 ops": (
        arms(load_from("n", "1", 4), "", PHI + load_from("m", "%i", 4)), "load", [1, 2],
    ),
    "not an address of 5 ops": (
        arms(load_from("n", "1", 5), "", PHI + load_from("m", "%i", 5)), "load", [1, 3],
    ),
    "an address that only the other arm computes": (
        arms(load_from("n", "1", 2) + "\n" + load_from("o", "2", 2), "", PHI + load_from("m", "%i", 2)), "load", [1, 1, 2],
    ),
    "an address that is available": (
        arms(load_from("n", "1", 2), load_from("o", "2", 2).replace("store", "call void @use(i32 %a)\nstore"), PHI + load_from("m", "%i", 2)),
        "getelementptr", [1, 2, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_blocks_of_a_value(why: str):
    body, name, blocks = CASES[why]
    assert blocks_with(body, name) == blocks


def test_an_argument_with_the_same_values_is_reused():
    body = arms(
        LOAD, "store i32 %b, ptr %p",
        f"%v = phi i32 [%n, %one], [%b, %other]\nstore i32 %v, ptr %r\n{AGAIN}",
    )  # fmt: skip
    assert arguments_after(body) == [0, 0, 1]


def test_an_abandoned_replacement_leaves_no_arguments():
    """The nested arms have values, but the edge from `other` has no block for the load."""
    body = (
        "br i1 %c, label %one, label %other\none:\nbr i1 %d, label %s, label %t\n"
        "s:\nstore i32 1, ptr %p\nbr label %mid\nt:\nstore i32 2, ptr %p\nbr label %mid\n"
        "mid:\nbr label %join\nother:\nstore i32 3, ptr %r\nbr i1 %d, label %join, label %end\n"
        f"join:\n{AGAIN}\nret void\nend:\nret void"
    )
    assert arguments_after(body) == [0] * 7


def test_an_abandoned_nested_arm_leaves_no_arguments():
    """The arms of `m1` have values, but not `m2`, so that `mid` gets the load."""
    body = (
        "br i1 %c, label %one, label %other\none:\n"
        "switch i32 %b, label %m2 [i32 1, label %s i32 2, label %t]\n"
        "s:\nstore i32 1, ptr %p\nbr label %m1\nt:\nstore i32 2, ptr %p\nbr label %m1\n"
        "m1:\nbr label %mid\nm2:\ncall void @use(i32 %a)\nbr i1 %d, label %mid, label %end\nmid:\nbr label %join\n"
        f"other:\nstore i32 3, ptr %p\nbr label %join\njoin:\n{AGAIN}\nret void\nend:\nret void"
    )
    assert blocks_with(body, "load") == [6]
    assert arguments_after(body) == [0, 0, 0, 0, 0, 0, 0, 1, 0]


def test_a_block_without_a_value_has_none_on_another_path():
    body = (
        "switch i32 %b, label %z [i32 1, label %q1 i32 2, label %q2]\n"
        "q1:\ncall void @use(i32 %a)\nbr label %mid\nq2:\nstore i32 1, ptr %p\nbr label %mid\n"
        "mid:\nbr i1 %c, label %left, label %right\nleft:\nbr label %join\nright:\nbr label %join\n"
        f"z:\nstore i32 3, ptr %p\nbr label %join\njoin:\n{AGAIN}\nret void"
    )
    assert blocks_with(body, "load") == [7]


def test_a_value_that_is_not_found_is_not_available_later():
    body = some_iterations(SUM, first="store i32 0, ptr %q").replace(
        "ret void", f"{LOAD}\nret void"
    )
    assert blocks_with(body, "load") == [2, 4]


def test_the_value_of_this_iteration_is_not_that_of_the_next_address():
    body = (
        "store i32 %b, ptr %p\nbr label %loop\nloop:\n%i = phi i64 [0, %0], [%in, %latch]\n"
        "%at = getelementptr i32, ptr %p, i64 %i\n%in = add i64 %i, 1\n"
        "%next = getelementptr i32, ptr %p, i64 %in\n%m = load i32, ptr %at\nstore i32 %m, ptr %q\n"
        "br i1 %c, label %some, label %latch\nsome:\nstore i32 %a, ptr %next\nbr label %latch\n"
        "latch:\nbr i1 %d, label %loop, label %end\nend:\nret void"
    )
    assert blocks_with(body, "load") == [1]


def test_a_load_is_not_copied_to_the_end_of_its_own_block():
    body = f"{LOAD}\nbr label %join\njoin:\n{AGAIN}\ncall void @use(i32 %a)\nbr label %join"
    assert arguments_after(body) == [0]


def test_a_cycle_of_arguments_is_visited_once():
    """The arguments `h` and `l` replace loads and receive each other."""
    body = (
        "%s = alloca i32\n%t = alloca i32\n%u = alloca i32\nstore i32 %a, ptr %s\nbr label %loop\n"
        "loop:\n%h = phi i32 [%a, %0], [%l, %latch]\n%k = load i32, ptr %s\nstore i32 %k, ptr %q\n"
        "store i32 %h, ptr %t\nstore i32 %h, ptr %u\nbr i1 %c, label %in, label %latch\n"
        "in:\nstore i32 %b, ptr %t\nstore i32 %b, ptr %u\nbr label %latch\n"
        "latch:\n%l = phi i32 [%h, %loop], [%b, %in]\n%m = load i32, ptr %t\nstore i32 %m, ptr %q\n"
        "%o = load i32, ptr %u\nstore i32 %o, ptr %q\nstore i32 %l, ptr %s\n"
        "br i1 %d, label %loop, label %end\nend:\nret void"
    )
    assert blocks_with(body, "load") == []


# Scopes of aliases.


def test_scopes_separate_a_load_from_a_store_in_a_predecessor():
    body = (
        f"br i1 %c, label %one, label %other\none:\n{LOAD}\nbr label %join\n"
        "other:\nstore i32 %b, ptr %p\nstore i32 7, ptr %r, !noalias !3\n"
        "br i1 %d, label %join, label %end\n"
        f"join:\n{AGAIN.replace('ptr %p', f'ptr %p{SCOPED}')}\nret void\nend:\nret void"
    )
    assert blocks_with(body, "load") == [1]


@pytest.mark.parametrize("declared", [False, True])
def test_scopes_that_a_loop_declares_end_with_the_iteration(declared: bool):
    declaration = "call void @llvm.experimental.noalias.scope.decl(metadata !3)\n"
    body = (
        "store i32 %a, ptr %p\nbr label %loop\nloop:\n"
        + (declaration if declared else "")
        + AGAIN.replace("ptr %p", f"ptr %p{SCOPED}")
        + "\nbr i1 %c, label %in, label %latch\nin:\nstore i32 7, ptr %r, !noalias !3\n"
        "br label %latch\nlatch:\nbr i1 %d, label %loop, label %end\nend:\nret void"
    )
    assert blocks_with(body, "load") == ([1] if declared else [])


@pytest.mark.parametrize("declared", [False, True])
def test_a_moved_load_keeps_scopes_that_are_declared_before(declared: bool):
    declaration = "call void @llvm.experimental.noalias.scope.decl(metadata !3)"
    load = AGAIN.replace("ptr %p", f"ptr %p{SCOPED}")
    function = function_after(arms(LOAD, "", f"{declaration if declared else ''}\n{load}"))
    (_, moved) = (op for op in function.walk() if op.name == "llvm.load")
    assert ("alias_scopes" in moved.properties) == (not declared)


# Flags and facts of the values that replace an op on one path.


def flags_of(body: str, name: str, flags: str) -> list[int]:
    """Returns the flags of each op of a name."""
    ops = [op for op in function_after(body).walk() if op.name == f"llvm.{name}"]
    return [number_of(op.properties[flags]) for op in ops]


def test_an_operand_of_both_values_keeps_the_flags_of_its_operands():
    shared = "%s = mul nsw i32 %a, %b\n%t = mul i32 %a, %a\n%u = add i32 %s, %t\n"
    arm = "%{0} = udiv i32 %u, %a\nstore i32 %{0}, ptr %q"
    body = shared + arms(*(arm.format(n) for n in "nom"))
    assert flags_of(body, "mul", "overflowFlags") == [NSW, 0]


def test_a_stored_value_keeps_its_flags():
    body = arms("%s = add nsw i32 %a, %b\nstore i32 %s, ptr %p", "store i32 %b, ptr %p", AGAIN)
    assert flags_of(body, "add", "overflowFlags") == [NSW]


def test_the_address_of_a_load_keeps_its_flags():
    arm = "%{0}g = getelementptr {1} i32, ptr %p, i64 %w\n%{0} = load i32, ptr %{0}g\nstore i32 %{0}, ptr %q"
    body = arms(arm.format("n", "inbounds"), arm.format("o", "inbounds"), arm.format("m", ""))
    assert flags_of(body, "getelementptr", "noWrapFlags") == [3, 3, 0]


UNREACHABLE = """
llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1) -> i32 {
  llvm.cond_br %c, ^one, ^other
^one:
  %n = llvm.load %p : !llvm.ptr -> i32
  llvm.store %n, %q : i32, !llvm.ptr
  llvm.br ^join
^other:
  %o = llvm.load %p : !llvm.ptr -> i32
  llvm.store %o, %q : i32, !llvm.ptr
  llvm.br ^join
^join:
  %m = llvm.load %p : !llvm.ptr -> i32
  llvm.return %m : i32
^dead:
  llvm.br ^join
}
"""


def test_a_load_behind_an_unreachable_predecessor_is_kept():
    module = parse_module(UNREACHABLE)
    run_pipeline(module, "gvn")
    assert sum(op.name == "llvm.load" for op in module.walk()) == 3


def test_a_stored_argument_keeps_the_facts_of_its_values():
    module = read_ll(
        "define void @f(ptr %p, ptr noalias %q, ptr noalias %r, i32 %b, i1 %c) {\n"
        "br i1 %c, label %one, label %other\none:\n%x = load i32, ptr %p, !range !0\nbr label %mid\n"
        "other:\nbr label %mid\nmid:\n%v = phi i32 [%x, %one], [%b, %other]\n"
        "br i1 %c, label %s, label %t\ns:\nstore i32 %v, ptr %q\nbr label %join\n"
        "t:\nstore i32 %b, ptr %q\nbr label %join\n"
        "join:\n%m = load i32, ptr %q\nstore i32 %m, ptr %r\nret void\n}\n!0 = !{i32 0, i32 2}\n"
    )
    run_pipeline(module, "gvn")
    (load,) = (op for op in module.walk() if op.name == "llvm.load")
    assert "llvm.range" in load.attributes


CALLS = """
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %q: !llvm.ptr, %c: i1) -> i32 {
  %k = llvm.mlir.constant(7 : i32) : i32
  llvm.cond_br %c, ^one, ^other
^one:
  CALL
  llvm.br ^join
^other:
  CALL
  llvm.br ^join
^join:
  %x = llvm.call @g(%a) {no_unwind, will_return, memory_effects = EFFECTS} : (i32) -> i32
  %y = llvm.udiv %x, %k : i32
  llvm.return %y : i32
}
"""


def test_a_convergent_call_does_not_have_the_value_of_a_call_that_is_not():
    effects = ", ".join(
        f"{name} = none" for name in "other argMem inaccessibleMem errnoMem targetMem0 targetMem1".split()
    )  # fmt: skip
    call = (
        "%n = llvm.call @g(%a) {no_unwind, will_return, memory_effects = EFFECTS, nvvm.noconvergent} : (i32) -> i32\n"
        "%m = llvm.udiv %n, %k : i32\nllvm.store %m, %q : i32, !llvm.ptr"
    )
    text = CALLS.replace("CALL", call, 1).replace(
        "CALL", call.replace("%n", "%r").replace("%m", "%s")
    )
    module = parse_module(text.replace("EFFECTS", f"#llvm.memory_effects<{effects}>"))
    run_pipeline(module, "gvn")
    assert sum(op.name == "llvm.udiv" for op in module.walk()) == 3
