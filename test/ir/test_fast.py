"""Compares the fast layer with the public xDSL API: both must produce the same module."""

import pytest
from helpers.modules import function, op_named, parse_module
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import UnknownLoc
from xdsl.dialects.llvm import AddOp, BrOp, ReturnOp, SubOp
from xdsl.dialects.test import TestOp as AnOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    SameVariadicOperandSize,
    irdl_op_definition,
    operand_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.rewriter import Rewriter

from nvvm_xdsl.dialects.llvm.types import F32, I32, I64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import errors_of

TEXT = """
llvm.func @f(%a: i32, %b: i32, %c: i1) -> i32 {
  %s = llvm.add %a, %b : i32
  %t = llvm.add %s, %s : i32
  %u = llvm.sub %t, %a : i32
  llvm.cond_br %c, ^left(%s : i32), ^right
^left(%l: i32):
  %v = llvm.mul %l, %s : i32
  llvm.br ^join(%v : i32)
^right:
  %w = llvm.mul %t, %t : i32
  llvm.br ^join(%w : i32)
^join(%j: i32):
  llvm.return %j : i32
}
"""


def pair() -> tuple[Operation, Operation]:
    return parse_module(TEXT), parse_module(TEXT)


def blocks(module: Operation) -> list[Block]:
    return list(function(module).regions[0].blocks)


def uses(value: SSAValue | Block) -> set[tuple[str, int]]:
    return {(str(use.operation), use.index) for use in value.uses}


def check(one: Operation, two: Operation) -> None:
    """Both modules print the same, and the links and use lists of the first are consistent."""
    assert str(one) == str(two)
    wrong = [e for e in errors_of(one, links=True) if "link" in str(e) or "use " in str(e)]
    assert wrong == []
    for mine, other in zip(blocks(one), blocks(two)):
        assert uses(mine) == uses(other)
        assert [o.name for o in mine.ops] == [o.name for o in other.ops]
        assert [o.name for o in reversed(mine.ops)] == [o.name for o in reversed(other.ops)]
        for a, b in zip(mine.args, other.args, strict=True):
            assert uses(a) == uses(b)
        for a, b in zip(mine.ops, other.ops, strict=True):
            for x, y in zip(a.results, b.results, strict=True):
                assert uses(x) == uses(y)


def test_created_ops_equal_public_ones():
    one, two = pair()
    a, b = op_named(one, "llvm.add"), op_named(two, "llvm.add")
    new = fast.create(SubOp, tuple(fast.operands_of(a)), (I32,), dict(a.properties))
    other = SubOp.create(operands=b.operands, result_types=[I32], properties=dict(b.properties))
    fast.insert_after(new, a)
    other_block = b.parent
    other_block.insert_op_after(other, b)
    check(one, two)
    assert new.is_structurally_equivalent(other) or str(new) == str(other)


def test_a_created_op_has_every_field_of_a_public_one():
    public = AnOp.create()
    mine = fast.create(AnOp)
    fields = (
        "parent _operands _operand_uses results _successors _successor_uses properties attributes "
        "regions location _next_op _prev_op"
    ).split()
    for field in fields:
        assert type(getattr(mine, field)) is type(getattr(public, field)), field
        if field != "location":
            assert getattr(mine, field) == getattr(public, field), field
    assert isinstance(mine.location, UnknownLoc)


def test_created_ops_share_no_dictionaries():
    one, two = fast.create(AnOp), fast.create(AnOp)
    one.attributes["x"] = I32
    one.properties["y"] = I32
    assert two.attributes == {}
    assert two.properties == {}


def test_create_with_successors_and_regions():
    one, two = pair()
    for module, make in ((one, fast.create), (two, None)):
        left, join = blocks(module)[1], blocks(module)[3]
        old = left.last_op
        value = old.operands[0]
        if make is not None:
            fast.erase(old)
            fast.append(left, fast.create(BrOp, (value,), (), None, (join,)))
        else:
            old.detach()
            old.erase()
            left.add_op(BrOp.create(operands=[value], successors=[join]))
    check(one, two)
    region = Region(Block())
    op = fast.create(AnOp, regions=(region,))
    assert region.parent is op
    assert op.regions == (region,)


def test_set_operand():
    one, two = pair()
    for index in (0, 1):
        fast.set_operand(op_named(one, "llvm.add", 1), index, blocks(one)[0].args[index])
        op_named(two, "llvm.add", 1).operands[index] = blocks(two)[0].args[index]
        check(one, two)
    op = op_named(one, "llvm.sub")
    before = op.operands[0]
    fast.set_operand(op, 0, before)
    check(one, two)


def test_set_operands():
    one, two = pair()
    fast.set_operands(op_named(one, "llvm.sub"), list(blocks(one)[0].args[:2]))
    op_named(two, "llvm.sub").operands = list(blocks(two)[0].args[:2])
    check(one, two)
    fast.set_operands(op_named(one, "llvm.sub"), [])
    op_named(two, "llvm.sub").operands = []
    assert uses(blocks(one)[0].args[0]) == uses(blocks(two)[0].args[0])


def test_set_successors():
    one, two = pair()
    fast.set_successors(blocks(one)[1].last_op, [blocks(one)[2]])
    blocks(two)[1].last_op.successors = [blocks(two)[2]]
    check(one, two)
    fast.set_successors(blocks(one)[1].last_op, [])
    blocks(two)[1].last_op.successors = []
    assert uses(blocks(one)[2]) == uses(blocks(two)[2])


@pytest.mark.parametrize("name", ["llvm.add", "llvm.sub"])
def test_replace_all_uses(name: str):
    one, two = pair()
    fast.replace_all_uses(op_named(one, name).results[0], blocks(one)[0].args[1])
    op_named(two, name).results[0].replace_all_uses_with(blocks(two)[0].args[1])
    check(one, two)


def test_replace_all_uses_by_itself_changes_nothing():
    one, two = pair()
    value = op_named(one, "llvm.add").results[0]
    fast.replace_all_uses(value, value)
    check(one, two)


def test_a_replacement_without_a_name_gets_the_old_one():
    one, _ = pair()
    add = op_named(one, "llvm.add")
    new = fast.create(AddOp, tuple(fast.operands_of(add)), (I32,))
    fast.insert_before(new, add)
    fast.replace_op(add, new.results)
    assert new.results[0].name_hint == "s"


def test_replace_op():
    one, two = pair()
    value, other = blocks(one)[0].args[0], blocks(two)[0].args[0]
    fast.replace_op(op_named(one, "llvm.add", 1), [value])
    Rewriter.replace_op(op_named(two, "llvm.add", 1), (), [other])
    check(one, two)
    with pytest.raises(ValueError):
        fast.replace_op(op_named(one, "llvm.sub"), [])


def test_erase():
    one, two = pair()
    sub = op_named(one, "llvm.sub")
    fast.erase(sub)
    assert sub.parent is None
    other = op_named(two, "llvm.sub")
    other.detach()
    other.erase()
    check(one, two)
    with pytest.raises(AssertionError, match="still used"):
        fast.erase(op_named(one, "llvm.add"))


def test_erasing_an_op_erases_its_regions():
    text = (
        'llvm.func @f(%x: i32) {\n"test.op"() ({\n%y = "test.op"(%x) : (i32) -> i32\n'
        '"test.op"(%y) : (i32) -> ()\n}) : () -> ()\nllvm.return\n}'
    )
    module = parse_module(text)
    argument = blocks(module)[0].args[0]
    assert argument.first_use is not None
    fast.erase(op_named(module, "test.op"))
    assert argument.first_use is None
    assert [o.name for o in blocks(module)[0].ops] == ["llvm.return"]


def test_insertion_and_removal_at_every_position():
    one, two = pair()
    mine, other = blocks(one)[0], blocks(two)[0]
    for place in ("append", "prepend", "before", "after"):
        new, twin = fast.create(AnOp), AnOp.create()
        if place == "append":
            last, other_last = mine.last_op, other.last_op
            fast.detach(last)
            fast.append(mine, new)
            fast.append(mine, last)
            other_last.detach()
            other.add_ops([twin, other_last])
        elif place == "prepend":
            fast.prepend(mine, new)
            other.insert_op_before(twin, other.first_op)
        elif place == "before":
            fast.insert_before(new, op_named(one, "llvm.sub"))
            other.insert_op_before(twin, op_named(two, "llvm.sub"))
        else:
            fast.insert_after(new, op_named(one, "llvm.sub"))
            other.insert_op_after(twin, op_named(two, "llvm.sub"))
        check(one, two)
    empty = fast.new_block()
    op = fast.create(AnOp)
    fast.prepend(empty, op)
    assert (empty.first_op, empty.last_op, op.parent) == (op, op, empty)
    fast.detach(op)
    assert (empty.first_op, empty.last_op, op.parent) == (None, None, None)


def test_move_before():
    one, two = pair()
    fast.move_before(op_named(one, "llvm.sub"), op_named(one, "llvm.br"))
    sub, br = op_named(two, "llvm.sub"), op_named(two, "llvm.br")
    sub.detach()
    br.parent.insert_op_before(sub, br)
    check(one, two)


def test_block_arguments():
    one, two = pair()
    fast.add_argument(blocks(one)[2], F32)
    blocks(two)[2].insert_arg(F32, 0)
    check(one, two)
    fast.add_argument(blocks(one)[2], I64)
    blocks(two)[2].insert_arg(I64, 1)
    fast.erase_argument(blocks(one)[2], 0)
    blocks(two)[2].erase_arg(blocks(two)[2].args[0])
    check(one, two)
    assert [a.index for a in blocks(one)[2].args] == [0]
    with pytest.raises(AssertionError, match="still used"):
        fast.erase_argument(blocks(one)[0], 0)


def test_new_block_is_a_block():
    mine, public = fast.new_block([I32, F32]), Block(arg_types=[I32, F32])
    assert [a.type for a in mine.args] == [a.type for a in public.args]
    for field in ("parent", "_first_op", "_last_op", "_next_block", "_prev_block", "first_use"):
        assert getattr(mine, field) is getattr(public, field) is None
    for place, argument in enumerate(mine.args):
        assert argument.block is mine
        assert argument.index == place
        assert isinstance(argument.location, UnknownLoc)
        assert argument.first_use is None
    assert mine.name_hint is None


def test_blocks_in_a_region():
    one, two = pair()
    region, other = function(one).regions[0], function(two).regions[0]
    for module_region, insert in ((region, True), (other, False)):
        target = list(module_region.blocks)[1]
        new = Block([ReturnOp.create()]) if not insert else fast.new_block()
        if insert:
            fast.append(new, fast.create(ReturnOp))
            fast.insert_block_after(new, target)
        else:
            module_region.insert_block_after(new, target)
    check(one, two)
    last, other_last = fast.new_block(), Block()
    fast.append(last, fast.create(ReturnOp))
    other_last.add_op(ReturnOp.create())
    fast.append_block(region, last)
    other.add_block(other_last)
    check(one, two)
    assert [b.parent for b in region.blocks] == [region] * 6
    for index in (5, 2):
        mine = list(region.blocks)[index]
        fast.detach_block(mine)
        assert mine.parent is None
        other.detach_block(list(other.blocks)[index])
        check(one, two)
    region = Region()
    block = fast.new_block()
    fast.append_block(region, block)
    assert (region.first_block, region.last_block) == (block, block)
    fast.detach_block(block)
    assert (region.first_block, region.last_block) == (None, None)


@pytest.mark.parametrize("name", ["llvm.add", "llvm.sub", "llvm.cond_br"])
def test_split_block(name: str):
    one, two = pair()
    new = fast.split_block_before(op_named(one, name))
    other = op_named(two, name).parent.split_before(op_named(two, name))
    assert [o.name for o in new.ops] == [o.name for o in other.ops]
    assert [o.name for o in blocks(one)[0].ops] == [o.name for o in blocks(two)[0].ops]
    assert all(o.parent is new for o in new.ops)
    assert blocks(one)[1] is new
    check(one, two)


def test_splice_ops():
    one, two = pair()
    fast.splice_ops(blocks(one)[2], blocks(one)[3])
    ops = list(blocks(two)[2].ops)
    for op in ops:
        op.detach()
    blocks(two)[3].add_ops(ops)
    check(one, two)
    empty = fast.new_block()
    fast.splice_ops(empty, blocks(one)[3])
    check(one, two)
    fast.splice_ops(blocks(one)[3], empty)
    assert blocks(one)[3].first_op is None
    assert empty.last_op.parent is empty


def test_walks():
    one, _ = pair()
    block = blocks(one)[0]
    assert list(fast.ops_of(block)) == list(block.ops)
    assert list(fast.reversed_ops_of(block)) == list(reversed(block.ops))
    region = function(one).regions[0]
    assert list(fast.blocks_of(region)) == list(region.blocks)
    names = []
    for op in fast.ops_of(block):
        names.append(op.name)
        if op.name == "llvm.sub":
            fast.erase(op)
    assert names == ["llvm.add", "llvm.add", "llvm.sub", "llvm.cond_br"]


def test_edges_of_a_block():
    func = function(parse_module(TEXT))
    for block in fast.blocks_of(func.regions[0]):
        edges = list(fast.edges_to(block))
        assert [op.parent for op, _ in edges] == fast.predecessors_of(block)
        assert all(fast.successors_of(op)[place] is block for op, place in edges)


@pytest.mark.parametrize("count", range(1, 7))
def test_order_in_a_block(count: int):
    ops = [AnOp() for _ in range(count)]
    Block(ops)
    for i, first in enumerate(ops):
        for j, second in enumerate(ops):
            assert fast.comes_before(first, second) == (i < j)


def test_uses_and_predecessors():
    one, _ = pair()
    s = op_named(one, "llvm.add").results[0]
    assert [o.name for o in fast.users_of(s)] == [u.operation.name for u in s.uses]
    assert fast.single_use(s) is None
    u = op_named(one, "llvm.sub").results[0]
    assert fast.single_use(u) is None
    v = op_named(one, "llvm.mul").results[0]
    assert fast.single_use(v) is v.get_unique_use()
    join = blocks(one)[3]
    assert set(fast.predecessors_of(join)) == set(join.predecessors())
    assert len(fast.predecessors_of(join)) == 2
    for block in blocks(one):
        before = list(block.predecessors())
        assert fast.single_predecessor(block) is (before[0] if len(before) == 1 else None)


def test_copy_op():
    one, _ = pair()
    br = op_named(one, "llvm.br")
    join, right = blocks(one)[3], blocks(one)[2]
    value = blocks(one)[0].args[0]
    copy = fast.copy_op(br, {br.operands[0]: value}, {join: right})
    assert list(copy.operands) == [value]
    assert list(copy.successors) == [right]
    assert copy.parent is None
    add = op_named(one, "llvm.add")
    twin = fast.copy_op(add, {})
    assert twin.is_structurally_equivalent(add.clone({}))
    assert twin.properties is not add.properties
    assert twin.results[0].name_hint == "s"


NESTED = """
%outside = "test.op"() : () -> i32
"test.op"() ({
^entry(%x: i32):
  "test.termop"()[^late, ^early] : () -> ()
^early:
  "test.op"(%y, %x, %outside) ({
    %in = "test.op"(%y, %y) : (i32, i32) -> i32
  }) : (i32, i32, i32) -> ()
  "test.termop"()[^late] : () -> ()
^late:
  %y, %z = "test.op"(%x) {a = 1 : i32} : (i32) -> (i32, i64)
  "test.termop"()[^early] : () -> ()
}) : () -> ()
"""


def uses_in_order(op: Operation) -> list[list[tuple[str, int]]]:
    held: list[SSAValue | Block] = []
    for inner in op.walk():
        held += inner.results
        for region in inner.regions:
            for block in region.blocks:
                held += (block, *block.args)
    return [[(use.operation.name, use.index) for use in one.uses] for one in held]


@pytest.mark.parametrize("text", [TEXT, NESTED])
def test_clone(text: str):
    original = parse_module(text)
    before = str(original), uses_in_order(original)
    copy, other = fast.clone(original), original.clone()
    assert (str(original), uses_in_order(original)) == before
    assert str(copy) == before[0]
    assert uses_in_order(copy) == uses_in_order(other)
    found, known = ([str(e) for e in errors_of(m, links=True)] for m in (copy, original))
    assert found == known
    mine = {id(op) for op in original.walk()}
    for op in copy.walk():
        assert id(op) not in mine
        assert all(id(v.owner) not in mine for v in op.operands if not isinstance(v.owner, Block))
        op.attributes["changed"] = I32
    assert str(original) == before[0]


def test_a_copied_op_in_a_function_uses_values_outside_of_the_copy():
    one, _ = pair()
    add = op_named(one, "llvm.add")
    copy = fast.clone(add)
    assert copy.parent is None
    assert list(copy.operands) == list(add.operands)
    assert copy.results[0].name_hint == "s"


def test_names_are_set_without_change():
    one, _ = pair()
    value = op_named(one, "llvm.add").results[0]
    fast.set_name(value, "x_1")
    assert value.name_hint == "x_1"
    fast.set_type(value, I64)
    assert value.type is I64


STEPS = ("set", "replace", "erase", "move", "create")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(STEPS), *[st.integers(0, 50)] * 3), max_size=15))
def test_random_changes_equal_those_of_xdsl(steps: list[tuple[str, int, int, int]]):
    one, two = pair()

    def values(module: Operation) -> list[SSAValue]:
        found: list[SSAValue] = []
        for block in blocks(module):
            found += [a for a in block.args if a.type == I32]
            found += [r for op in block.ops for r in op.results if r.type == I32]
        return found

    def plain(module: Operation) -> list[Operation]:
        return [op for b in blocks(module) for op in b.ops if op.results]

    for step, x, y, z in steps:
        mine, other = plain(one), plain(two)
        if not mine:
            break
        a, b = mine[x % len(mine)], other[x % len(other)]
        v, w = values(one)[y % len(values(one))], values(two)[y % len(values(two))]
        if step == "set":
            fast.set_operand(a, z % 2, v)
            b.operands[z % 2] = w
        elif step == "replace":
            fast.replace_all_uses(a.results[0], v)
            b.results[0].replace_all_uses_with(w)
        elif step == "erase":
            if a.results[0].first_use is None:
                fast.erase(a)
                b.detach()
                b.erase()
        elif step == "move":
            anchor, twin = mine[z % len(mine)], other[z % len(other)]
            if anchor is not a:
                fast.move_before(a, anchor)
                b.detach()
                twin.parent.insert_op_before(b, twin)
        else:
            fast.insert_before(fast.create(AddOp, (v, v), (I32,), dict(a.properties)), a)
            new = AddOp.create(operands=[w, w], result_types=[I32], properties=dict(b.properties))
            b.parent.insert_op_before(new, b)
        check(one, two)


def test_equality_and_hash_are_identity() -> None:
    """IR objects are compared and hashed by identity."""
    op = AnOp(result_types=[I32], regions=[Region(Block())])
    same = op.clone()
    for one, other in (
        (op, same),
        (op.results[0], same.results[0]),
        (op.regions[0], same.regions[0]),
        (op.regions[0].block, same.regions[0].block),
    ):
        assert one == one
        assert one != other
        assert len({one, other, one}) == 2
        assert type(one).__hash__ is object.__hash__
        assert type(one).__eq__ is object.__eq__


@irdl_op_definition
class OneGroup(IRDLOperation):
    name = "test.one_group"
    first = operand_def()
    rest = var_operand_def()
    made = var_result_def()
    inside = var_region_def()


@irdl_op_definition
class EqualGroups(IRDLOperation):
    name = "test.equal_groups"
    left = var_operand_def()
    right = var_operand_def()
    irdl_options = (SameVariadicOperandSize(),)


@irdl_op_definition
class SizedGroups(IRDLOperation):
    name = "test.sized_groups"
    left = var_operand_def()
    right = var_operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


def test_slices_of_values_have_types() -> None:
    """xDSL declares this also for other packages, regardless of this project's patches."""
    a, b, c = AnOp(result_types=[I32, I64, F32]).results
    one = OneGroup.build(operands=[a, [b, c]], result_types=[[F32, I32]], regions=[[Region()]])
    assert one.first is a
    assert one.results[1] is one.made[1]
    assert (one.rest.types, one.made.types) == ((I64, F32), (F32, I32))
    assert isinstance(one.results[1:], SSAValues)
    assert one.results[1:].types == (I32,)
    assert one.inside == one.regions
    for groups in (EqualGroups, SizedGroups):
        two = groups.build(operands=[[a, b], [b, c]])
        assert (two.left.types, two.right.types) == ((I32, I64), (I64, F32))
    made = fast.create(OneGroup, (a, b, c), (F32, I32), regions=[Region()])
    fast.set_operand(made, 0, b)
    assert made.first is b
    assert (made.rest.types, made.made.types) == ((I64, F32), (F32, I32))
    assert made.operands[1:].types == (I64, F32)  # pyright: ignore[reportAttributeAccessIssue]


def test_is_used_outside_examines_every_use():
    one, other = Block(arg_types=[I32]), Block()
    (value,) = one.args
    assert not fast.is_used_outside(value, set())
    for block in (one, other):
        fast.append(block, fast.create(AddOp, (value, value), (I32,)))
    # The newest use comes first.
    assert fast.is_used_outside(value, {other})
    assert fast.is_used_outside(value, {one})
    assert not fast.is_used_outside(value, {one, other})


def test_classes_inside_are_those_of_the_ops_inside():
    func = function(parse_module(TEXT))
    assert fast.classes_inside(func) == {type(op) for op in fast.ops_inside(func)}
    assert len(fast.classes_inside(func)) == 6
