"""IR as bytes and back."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.intern import Interner
from nvvm_xdsl.dialects.nvptx.operands import (
    NOT,
    REG,
    SINK,
    OperandsAttr,
    addr_list,
    elements_of,
    layout,
    vec,
)
from nvvm_xdsl.driver.compile import complete, parse
from nvvm_xdsl.driver.serialization import pack, unpack
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.selection import select

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def there_and_back(module: ModuleOp) -> ModuleOp:
    (found,), _ = unpack(pack([module]))
    assert isinstance(found, ModuleOp)
    return found


def values_of(module: ModuleOp) -> list[SSAValue | Block]:
    found: list[SSAValue | Block] = []
    for op in module.walk():
        found += op.results
        for region in op.regions:
            for block in region.blocks:
                found += [block, *block.args]
    return found


def uses_of(module: ModuleOp) -> list[list[tuple[int, int]]]:
    numbers = {op: number for number, op in enumerate(module.walk())}
    return [[(numbers[u.operation], u.index) for u in v.uses] for v in values_of(module)]


def shuffle_uses(module: ModuleOp) -> None:
    """Reorders the uses of all values, as passes do."""
    chosen = random.Random(1)
    ops = list(module.walk())
    chosen.shuffle(ops)
    for op in ops:
        fast.set_operands(op, list(fast.operands_of(op)))
        if op.successors:
            fast.set_successors(op, list(op.successors))


@pytest.mark.parametrize("name", ["saxpy.debug.ll", "switch.ll", "printf.O0.ll", "vectors.ll"])
def test_everything_is_preserved(name: str):
    module = parse(EXAMPLES / name, locations=True)
    shuffle_uses(module)
    found = there_and_back(module)
    found.verify()
    assert str(found) == str(module)
    assert uses_of(found) == uses_of(module)
    for old, new in zip(module.walk(), found.walk()):
        assert new.__class__ is old.__class__
        assert new.location == old.location
    names = [value.name_hint for value in values_of(module)]
    assert [value.name_hint for value in values_of(found)] == names


def test_interned_objects_stay_interned():
    module = parse(EXAMPLES / "reduction.ll")
    get = Interner().get
    for old, new in zip(module.walk(), there_and_back(module).walk()):
        for before, after in zip(old.results, new.results):
            assert (after.type is get(before.type)) == (before.type is get(before.type))
        for key, before in old.properties.items():
            if get(before) is before and before.__class__.__name__ in ("IntegerAttr", "StringAttr"):
                assert new.properties[key] is before


COMPARES = """\
import sys
import nvvm_xdsl.driver.split
from nvvm_xdsl.driver.serialization import unpack
(module,), _ = unpack(sys.stdin.buffer.read())
one, other, again = (module.attributes[name] for name in "abc")
print(one == other, one == again, hash(one) == hash(again))
"""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.25 : f64", "0.0 : f64"),
        ("#llvm.linkage<internal>", "#llvm.linkage<private>"),
        ("[1 : i32]", "[2 : i32]"),
        ("@a", "@b"),
    ],
)
def test_types_stay_distinct_in_a_new_process(one: str, other: str):
    """Classes are defined on first use, and pickle creates objects without them."""
    text = f"builtin.module attributes {{a = {one}, b = {other}, c = {one}}} {{}}"
    done = subprocess.run(
        [sys.executable, "-c", COMPARES],
        input=pack([parse(text, format="mlir")]),
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == "False True True\n"


def test_types_within_others_are_interned():
    inner = types.struct([types.I32, types.array(3, types.F64)])
    module = ModuleOp([])
    module.attributes["a"] = types.function([inner], types.PTR)
    found = there_and_back(module).attributes["a"]
    assert found is module.attributes["a"]


@pytest.mark.parametrize("name", ["matmul.ll", "inline_asm.ll"])
def test_machine_code(name: str):
    module = parse(EXAMPLES / name)
    complete(module)
    machine = select(module, CodegenOptions.for_arch("sm_90"))
    found = there_and_back(machine)
    assert str(found) == str(machine)
    assert uses_of(found) == uses_of(machine)


def test_slots_that_are_compared_by_identity():
    """Layouts are interned: a layout with copies of these slots would be returned to all later callers."""
    slots = (REG, NOT, SINK, vec(REG, vec(2)), addr_list(REG, vec(3)), (2, 987654321))
    function, arguments = layout(*slots).__reduce__()
    copies = eval(repr(arguments))
    assert copies[0][0] is not REG
    made = function(*copies)
    assert made is layout(*slots)
    fresh = (*slots, (2, 123456789))
    made = function(eval(repr(fresh)))
    assert isinstance(made, OperandsAttr)
    assert made.data[0] is REG
    assert made.data[1] is NOT
    assert made.data[2] is SINK
    assert made.data[3][1][0] is REG
    inner = elements_of(elements_of(made.data[4])[1])
    assert len(inner) == 3
    assert all(slot is REG for slot in inner)


def test_references_to_outside_values_are_rejected():
    module = parse(EXAMPLES / "saxpy.ll")
    (func,) = [op for op in module.ops if op.name == "llvm.func" and op.regions[0].blocks]
    inner = func.regions[0].blocks[0].last_op
    assert inner is not None
    assert inner.operands
    with pytest.raises(ValueError, match="outside"):
        pack([inner])
