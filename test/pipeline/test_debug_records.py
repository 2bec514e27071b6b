"""Debug records that are kept outside the code while it changes: the value of each variable afterwards."""

from __future__ import annotations

import re

from helpers.modules import function, op_named
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import BrOp, SubOp
from xdsl.ir import Block

from nvvm_xdsl.dialects.llvm.debug_placement import DEBUG_OPS, followers, home_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import call_sites_of
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.debug_records import without_debug_ops


def variable(name: str) -> str:
    return f'#llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "{name}">'


TEXT = f"""
llvm.func @f(%p: i32, %c: i1) -> i32 {{
  %two = llvm.mlir.constant(2 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  llvm.intr.dbg.value {variable("five")} = %five : i32
  %sum = llvm.add %p, %two : i32
  llvm.intr.dbg.value {variable("sum")} = %sum : i32
  %product = llvm.mul %p, %p : i32
  llvm.intr.dbg.value {variable("product")} = %product : i32
  llvm.cond_br %c, ^other, ^end
^other:
  %difference = llvm.sub %sum, %product : i32
  llvm.intr.dbg.value {variable("difference")} = %difference : i32
  llvm.br ^end
^end:
  llvm.intr.dbg.value {variable("late")} = %sum : i32
  llvm.return %sum : i32
}}
"""
NAME = re.compile(r'name = "(\w+)"')


def module() -> ModuleOp:
    return parse(TEXT, format="mlir", debug="full")


def described(module: ModuleOp) -> list[tuple[str, str, str]]:
    """Returns each debug value in order: the variable, its value, and the preceding op."""
    module.verify()
    found: list[tuple[str, str, str]] = []
    for block in function(module).regions[0].blocks:
        before = "start"
        for op in block.ops:
            if op.__class__ not in DEBUG_OPS:
                before = op.name.removeprefix("llvm.")
                continue
            (value,) = op.operands
            owner = value.owner
            what = "argument" if isinstance(owner, Block) else owner.name.removeprefix("llvm.")
            match = NAME.search(str(op.properties["varInfo"]))
            assert match is not None
            found.append((match[1], what, before))
    return found


FIVE = ("five", "mlir.constant", "mlir.constant")
SUM = ("sum", "add", "add")
PRODUCT = ("product", "mul", "mul")
DIFFERENCE = ("difference", "sub", "sub")
LATE = ("late", "add", "start")


def test_unchanged_code_keeps_its_variables():
    one = module()
    text = str(one)
    before = described(one)
    with without_debug_ops(one):
        assert "dbg" not in str(one)
        assert len(followers()) == 1
    assert not followers()
    assert described(one) == before == [FIVE, SUM, PRODUCT, DIFFERENCE, LATE]
    assert str(one) == text


def test_replaced_values_are_followed():
    one = module()
    with without_debug_ops(one):
        add, mul = op_named(one, "llvm.add"), op_named(one, "llvm.mul")
        fast.move_before(mul, add)
        fast.replace_op(add, mul.results)
    # The addition is erased; its variables have the product, after which they are placed.
    assert described(one) == [
        FIVE,
        ("sum", "mul", "mul"),
        PRODUCT,
        DIFFERENCE,
        ("late", "mul", "start"),
    ]


def test_debug_records_follow_repeated_replacement():
    one = module()
    with without_debug_ops(one):
        add, mul = op_named(one, "llvm.add"), op_named(one, "llvm.mul")
        sub = fast.create(SubOp, tuple(add.operands), (add.results[0].type,), {})
        fast.insert_before(sub, add)
        fast.replace_op(mul, add.results)
        fast.replace_op(add, sub.results)
    assert [(name, what) for name, what, _ in described(one)][1:] == [
        ("sum", "sub"),
        ("product", "sub"),
        ("difference", "sub"),
        ("late", "sub"),
    ]


def test_debug_records_follow_a_value_replaced_by_a_constant():
    one = module()
    with without_debug_ops(one):
        add = op_named(one, "llvm.add")
        fast.replace_op(add, (add.operands[1],))
    assert [(name, what) for name, what, _ in described(one)] == [
        ("five", "mlir.constant"),
        ("sum", "mlir.constant"),
        ("product", "mul"),
        ("difference", "sub"),
        ("late", "mlir.constant"),
    ]


def test_erased_values_become_undefined():
    one = module()
    with without_debug_ops(one):
        fast.erase(op_named(one, "llvm.sub"))
        fast.erase(op_named(one, "llvm.mul"))
    assert described(one) == [
        FIVE,
        SUM,
        ("product", "mlir.poison", "mlir.poison"),
        ("difference", "mlir.poison", "mlir.poison"),
        LATE,
    ]


MERGED = f"""
llvm.func @f(%p: i32) -> i32 {{
  %one = llvm.mlir.constant(1 : i32) : i32
  %square = llvm.mul %p, %p : i32
  llvm.br ^next
^next:
  %next = llvm.add %p, %one : i32
  llvm.intr.dbg.value {variable("i")} = %next : i32
  llvm.br ^end
^end:
  %less = llvm.sub %square, %p : i32
  llvm.return %less : i32
}}
"""


def test_a_record_without_ops_follows_the_predecessor_of_its_merged_block():
    one = parse(MERGED, format="mlir", debug="full")
    run_pipeline(one, "simplifycfg,dce")
    assert described(one) == [("i", "argument", "mul")]


def test_moving_an_op_down_moves_its_variable():
    one = module()
    with without_debug_ops(one):
        fast.move_before(op_named(one, "llvm.add"), op_named(one, "llvm.cond_br"))
    assert described(one) == [FIVE, PRODUCT, SUM, DIFFERENCE, LATE]


def test_moving_an_op_up_moves_its_variable():
    one = module()
    with without_debug_ops(one):
        fast.move_before(op_named(one, "llvm.mul"), op_named(one, "llvm.add"))
    assert described(one) == [FIVE, PRODUCT, SUM, DIFFERENCE, LATE]


def test_no_variable_has_a_value_before_its_definition():
    one = module()
    with without_debug_ops(one):
        add = op_named(one, "llvm.add")
        fast.move_before(op_named(one, "llvm.mul"), add)
        # The product's variable follows the product, and the addition comes later.
        fast.replace_all_uses(op_named(one, "llvm.mul").results[0], add.results[0])
    assert ("product", "add", "add") in described(one)


def test_a_constant_used_only_by_debug_records_is_not_in_the_code():
    one = module()
    with without_debug_ops(one):
        assert "5 : i32" not in str(one)
        assert "2 : i32" in str(one)


def test_variables_of_an_erased_block_are_undefined():
    one = module()
    with without_debug_ops(one):
        entry, other, end = function(one).regions[0].blocks
        fast.erase(fast.terminator_of(entry))
        fast.append(entry, fast.create(BrOp, (), (), successors=(end,)))
        for op in list(fast.reversed_ops_of(other)):
            fast.erase(op)
        fast.detach_block(other)
    assert sorted(described(one)) == sorted(
        [("difference", "mlir.poison", "mlir.poison"), FIVE, SUM, PRODUCT, LATE]
    )


def test_an_op_without_other_uses_moves_alone():
    one = module()
    with without_debug_ops(one):
        # `difference` follows the subtraction; `product` follows the product, which moves.
        entry, other, _ = function(one).regions[0].blocks
        fast.replace_all_uses(op_named(one, "llvm.mul").results[0], entry.args[0])
        fast.move_before(op_named(one, "llvm.mul"), fast.terminator_of(other))
    assert ("product", "argument", "add") in described(one)


def test_a_variable_is_undefined_until_its_sunk_definition():
    one = module()
    with without_debug_ops(one):
        # After the sum, whose variable precedes the product's.
        mul, end = op_named(one, "llvm.mul"), op_named(one, "llvm.return")
        fast.erase(op_named(one, "llvm.sub"))
        fast.move_before(mul, end)
    found = [(name, what) for name, what, _ in described(one) if name == "product"]
    assert found == [("product", "mlir.poison"), ("product", "mul")]


MEMORY = f"""
llvm.func @f(%p: i32, %c: i1) -> i32 {{
  %one = llvm.mlir.constant(1 : i32) : i32
  %m = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  llvm.intr.dbg.declare {variable("v")} = %m : !llvm.ptr
  llvm.intr.dbg.value {variable("pointer")} = %m : !llvm.ptr
  llvm.store %one, %m : i32, !llvm.ptr
  %product = llvm.mul %p, %p : i32
  llvm.return %product : i32
}}
"""


def test_a_variable_in_memory_has_the_stored_value():
    one = parse(MEMORY, format="mlir", debug="full")
    with without_debug_ops(one):
        (records,) = followers()
        alloca, store, mul = (op_named(one, f"llvm.{n}") for n in ("alloca", "store", "mul"))
        records.stored(alloca.results[0], mul.results[0], [mul], 1)
        assert len(records.records) == 3
        records.promoted(alloca.results[0])
        # Known values give the variable's location; a pointer to it is not a variable in it.
        assert len(records.records) == 2
        fast.erase(store)
        fast.erase(alloca)
    assert sorted(described(one)) == [
        ("pointer", "mlir.poison", "mlir.poison"),
        ("v", "mul", "mul"),
    ]
    assert "dbg.declare" not in str(one)


def test_memory_without_known_values_makes_its_variable_undefined():
    one = parse(MEMORY, format="mlir", debug="full")
    with without_debug_ops(one):
        (records,) = followers()
        alloca = op_named(one, "llvm.alloca")
        records.promoted(alloca.results[0])
        fast.erase(op_named(one, "llvm.store"))
        fast.erase(alloca)
    assert ("v", "mlir.poison", "mlir.poison") in described(one)


def test_each_store_is_followed():
    one = parse(MEMORY, format="mlir", debug="full")
    run_pipeline(one, "mem2reg")
    assert ("v", "mlir.constant", "mlir.constant") in described(one)
    assert "alloca" not in str(one)


SCOPE = '#llvm.di_subprogram<name = "{name}", file = <"a.cu" in "/src">, line = 1>'


def located(name: str) -> str:
    return f'loc(fused<{SCOPE.format(name=name)}>["a.cu":2:1])'


CALLS = f"""
llvm.func @g(%q: i32) -> i32 {{
  %five = llvm.mlir.constant(5 : i32) : i32
  llvm.intr.dbg.value {variable("five")} = %five : i32 {located("g")}
  %twice = llvm.add %q, %q : i32 {located("g")}
  llvm.intr.dbg.value {variable("twice")} = %twice : i32 {located("g")}
  llvm.intr.dbg.value {variable("q")} = %q : i32 {located("g")}
  llvm.return %twice : i32 {located("g")}
}}
llvm.func @f(%p: i32) -> i32 {{
  %product = llvm.mul %p, %p : i32 {located("f")}
  %r = llvm.call @g(%product) : (i32) -> i32 CALL
  llvm.return %r : i32 {located("f")}
}}
"""


def inlined(call: str) -> ModuleOp:
    one = parse(CALLS.replace("CALL", call), format="mlir", debug="full")
    run_pipeline(one, "inline")
    return one


def test_inlining_copies_variables():
    one = inlined(located("f"))
    assert "llvm.call" not in str(one)
    assert described(one) == [
        ("five", "mlir.constant", "mlir.constant"),
        ("twice", "add", "add"),
        ("q", "mul", "add"),
    ]
    for op in function(one).walk():
        if op.__class__ in DEBUG_OPS:
            assert len(call_sites_of(op.location)) == 1


def test_variables_of_a_call_without_a_location_are_dropped():
    one = inlined("")
    assert "llvm.call" not in str(one)
    assert described(one) == []


LOOP = f"""
llvm.func @f(%p: i32, %c: i1) -> i32 {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  llvm.intr.dbg.value {variable("i")} = %zero : i32
  llvm.br ^header(%zero, %p : i32, i32)
^header(%i: i32, %sum: i32):
  llvm.intr.dbg.value {variable("i")} = %i : i32
  %less = llvm.icmp "slt" %i, COUNT : i32
  llvm.cond_br %less, ^body, ^end
^body:
  llvm.intr.dbg.value {variable("inside")} = %i : i32
  %next = llvm.add %i, %one : i32
  llvm.intr.dbg.value {variable("i")} = %next : i32
  %more = llvm.mul %sum, %p : i32
  llvm.intr.dbg.value {variable("sum")} = %more : i32
  llvm.br ^header(%next, %more : i32, i32)
^end:
  llvm.return %sum : i32
}}
"""


def loop(count: str, passes: str) -> ModuleOp:
    one = parse(LOOP.replace("COUNT", count), format="mlir", debug="full")
    run_pipeline(one, passes)
    return one


def constants_of(one: ModuleOp, name: str) -> list[str]:
    """Returns the constant values of a variable, in the order of the code."""
    found: list[str] = []
    for op in function(one).walk():
        if op.__class__ in DEBUG_OPS and f'name = "{name}"' in str(op.properties["varInfo"]):
            match = re.search(r"constant\((\d+)", str(op.operands[0].owner))
            found.append(match[1] if match else "")
    return found


def test_each_iteration_of_an_unrolled_loop_has_its_variables():
    one = loop("%three", "function(lcssa,loop-unroll),dce,simplifycfg")
    assert str(one).count("llvm.mul") == 3
    assert [n for n in constants_of(one, "inside") if n] == ["0", "1", "2"]
    sums = [(name, what) for name, what, _ in described(one) if name == "sum"]
    assert sums.count(("sum", "mul")) == 3


def test_a_rotated_loop_keeps_the_values_at_the_start_of_its_body():
    one = loop("%p", "function(loop-rotate)")
    text = str(one)
    inside = re.search(r'name = "inside"> = (%\w+)', text)
    added = re.search(r"llvm.add (%\w+)", text)
    assert inside is not None
    assert added is not None
    # Not those of the next iteration, which the test at the loop's end compares.
    assert inside[1] == added[1]


def test_uncopied_values_are_undefined_in_a_copy():
    one = module()
    with without_debug_ops(one):
        (records,) = followers()
        _, other, end = function(one).regions[0].blocks
        copy = fast.new_block(())
        fast.insert_block_after(copy, other)
        fast.append(copy, fast.create(BrOp, (), (), successors=(end,)))
        before = len(records.records)
        records.copied({}, {}, {other: copy})
        assert len(records.records) == before + 1
        made = records.records[-1]
        assert made.value is None
        assert made.block is copy
        # Values from outside are available in the copy as well.
        records.copied({}, {}, {end: copy})
        assert records.records[-1].value is op_named(one, "llvm.add").results[0]


def test_debug_records_use_the_reaching_definition_at_block_start():
    one = module()
    with without_debug_ops(one):
        (records,) = followers()
        entry, _, end = function(one).regions[0].blocks
        add = op_named(one, "llvm.add").results[0]
        records.redefined(add, (entry,), lambda at: entry.args[0] if at is end else None)
    assert ("sum", "add", "add") in described(one)
    assert ("late", "argument", "start") in described(one)


def test_constants_do_not_determine_the_block_of_a_debug_record():
    one = module()
    with without_debug_ops(one):
        (records,) = followers()
        entry = function(one).regions[0].blocks[0]
        body = fast.split_block_before(op_named(one, "llvm.add"))
        fast.append(entry, fast.create(BrOp, (), (), successors=(body,)))
        five, total = records.records[:2]
        assert home_of(total) is body
        five.block = fast.new_block()
        assert home_of(five) is body


def test_a_record_stays_in_its_block_if_all_ops_are_moved_out():
    one = module()
    with without_debug_ops(one):
        entry, other, _ = function(one).regions[0].blocks
        for op in list(entry.ops)[:-1]:
            fast.move_before(op, other.first_op)
    assert ("sum", "mlir.poison", "mlir.poison") in described(one)


def test_the_first_iteration_of_a_rotated_loop_has_its_variables():
    one = loop("%p", "function(loop-rotate)")
    # At the entry of the loop, and at the test before it, a copy of the test at its end.
    assert [n for n in constants_of(one, "i") if n] == ["0", "0"]


def test_a_value_used_only_by_debug_records_is_undefined_in_a_copy():
    text = LOOP.replace("COUNT", "%p").replace(
        "%less =", "%spare = llvm.mul %i, %i : i32\n  %less ="
    )
    text = text.replace(
        "  %next =", f"  llvm.intr.dbg.value {variable('spare')} = %spare : i32\n  %next ="
    )
    one = parse(text, format="mlir", debug="full")
    run_pipeline(one, "function(loop-rotate)")
    spares = [what for name, what, _ in described(one) if name == "spare"]
    assert spares == ["mlir.poison"]


def test_variables_of_an_erased_block_lose_values_from_outside():
    one = module()
    with without_debug_ops(one):
        entry, other, end = function(one).regions[0].blocks
        fast.replace_all_uses(op_named(one, "llvm.sub").results[0], entry.args[0])
        fast.erase(fast.terminator_of(entry))
        fast.append(entry, fast.create(BrOp, (), (), successors=(end,)))
        for op in list(fast.reversed_ops_of(other)):
            fast.erase(op)
        fast.detach_block(other)
    assert ("difference", "mlir.poison", "mlir.poison") in described(one)
