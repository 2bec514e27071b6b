import pytest
from helpers.programs import block_named, parse_function, value_named
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.llvm import StoreOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, Location
from nvvm_xdsl.analysis.memory.memory_ssa import LiveOnEntry, MemoryAccess, MemoryPhi, MemorySSA
from nvvm_xdsl.dialects.effects import WRITES
from nvvm_xdsl.ir import fast

HEAD = (
    "llvm.func @f(%p: !llvm.ptr<1>, %q: !llvm.ptr<1> {llvm.noalias}, %s: !llvm.ptr<3>, "
    "%n: i32, %c: i1) attributes {nvvm.kernel} {\n"
)


def ssa_of(body: str):
    func = parse_function(HEAD + body + "\n}")
    return AnalysisManager().get(MemorySSA, func), func


def load(func, name: str):
    return value_named(func, name).op


STRAIGHT = """
llvm.store %n, %p : i32, !llvm.ptr<1>
llvm.store %n, %s : i32, !llvm.ptr<3>
%v = llvm.load %p : !llvm.ptr<1> -> i32
%w = llvm.load %q : !llvm.ptr<1> -> i32
llvm.return
"""


def test_straight_line_code():
    ssa, func = ssa_of(STRAIGHT)
    stores = [op for op in func.regions[0].blocks[0].ops if op.name == "llvm.store"]
    first, second = (ssa.access(op) for op in stores)
    use = ssa.access(load(func, "v"))
    assert (first.number, second.number) == (1, 2)
    assert use.defining is second
    assert not use.is_definition
    assert isinstance(first.defining, LiveOnEntry)
    assert ssa.clobber(load(func, "v")) is first
    assert isinstance(ssa.clobber(load(func, "w")), LiveOnEntry)
    assert ssa.users(second) == [use, ssa.access(load(func, "w"))]
    assert ssa.access(func.regions[0].blocks[0].last_op) is None
    ssa.verify()


DIAMOND = """
llvm.store %n, %p : i32, !llvm.ptr<1>
llvm.cond_br %c, ^l, ^r
^l:
llvm.store %n, %s : i32, !llvm.ptr<3>
llvm.br ^j
^r:
llvm.br ^j
^j:
%v = llvm.load %p : !llvm.ptr<1> -> i32
%w = llvm.load %s : !llvm.ptr<3> -> i32
llvm.return
"""


def test_the_walker_skips_a_phi_without_clobbers():
    ssa, func = ssa_of(DIAMOND)
    phi = ssa.phi(block_named(func, "j"))
    assert isinstance(phi, MemoryPhi)
    assert ssa.access(load(func, "v")).defining is phi
    store = next(iter(func.regions[0].blocks[0].ops))
    assert ssa.clobber(load(func, "v")) is ssa.access(store)
    assert ssa.clobber(load(func, "w")) is phi
    assert set(phi.incoming) == {block_named(func, "l"), block_named(func, "r")}


LOOP = """
%zero = llvm.mlir.constant(0 : i32) : i32
llvm.store %n, %p : i32, !llvm.ptr<1>
llvm.br ^loop(%zero : i32)
^loop(%i: i32):
%v = llvm.load %p : !llvm.ptr<1> -> i32
%g = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
%w = llvm.load %g : !llvm.ptr<3> -> i32
llvm.store %v, {} : i32, !llvm.ptr<{}>
llvm.cond_br %c, ^loop(%w : i32), ^exit
^exit:
llvm.return
"""


def test_a_loop_that_does_not_write_the_location():
    ssa, func = ssa_of(LOOP.format("%s", 3))
    store = next(op for op in func.regions[0].blocks[0].ops if op.name == "llvm.store")
    assert ssa.clobber(load(func, "v")) is ssa.access(store)
    # The address changes in each iteration, so earlier iterations are not considered.
    assert isinstance(ssa.clobber(load(func, "w")), MemoryPhi)


def test_a_loop_that_writes_the_location():
    ssa, func = ssa_of(LOOP.format("%p", 1))
    assert isinstance(ssa.clobber(load(func, "v")), MemoryPhi)


def test_removal():
    ssa, func = ssa_of(STRAIGHT)
    stores = [op for op in func.regions[0].blocks[0].ops if op.name == "llvm.store"]
    ssa.remove(stores[1])
    fast.erase(stores[1])
    ssa.verify()
    assert ssa.access(load(func, "v")).defining is ssa.access(stores[0])
    ssa.remove(stores[0])
    fast.erase(stores[0])
    ssa.verify()
    assert isinstance(ssa.clobber(load(func, "v")), LiveOnEntry)


def test_a_new_use():
    ssa, func = ssa_of(DIAMOND)
    twin = fast.copy_op(load(func, "v"), {})
    fast.insert_before(twin, block_named(func, "r").last_op)
    with pytest.raises(AssertionError, match="accesses are stale"):
        ssa.verify()
    access = ssa.insert_use(twin)
    ssa.verify()
    assert access.defining is ssa.access(next(iter(func.regions[0].blocks[0].ops)))


def test_barriers_and_atomics_write():
    ssa, func = ssa_of(
        'llvm.store %n, %s : i32, !llvm.ptr<3>\n"nvvm.barrier0"() : () -> ()\n'
        "%v = llvm.load %s : !llvm.ptr<3> -> i32\nllvm.return"
    )
    assert ssa.clobber(load(func, "v")).op.name == "nvvm.barrier0"


@st.composite
def memory_programs(draw: st.DrawFn) -> str:
    count = draw(st.integers(1, 6))
    pointers = ["%p", "%q", "%a", "%b"]
    lines: list[str] = []
    number = 0
    for block in range(count):
        if block:
            lines.append(f"^b{block}:")
        else:
            for name in "ab":
                lines.append(f"%{name} = llvm.alloca %n x i32 : (i32) -> !llvm.ptr")
        for _ in range(draw(st.integers(0, 3))):
            pointer = draw(st.sampled_from(pointers))
            space = "<1>" if pointer in ("%p", "%q") else ""
            if draw(st.booleans()):
                lines.append(f"llvm.store %n, {pointer} : i32, !llvm.ptr{space}")
            else:
                lines.append(f"%l{number} = llvm.load {pointer} : !llvm.ptr{space} -> i32")
                number += 1
        targets = draw(st.lists(st.integers(1, count - 1), max_size=2)) if count > 1 else []
        if not targets:
            lines.append("llvm.return")
        elif len(targets) == 1:
            lines.append(f"llvm.br ^b{targets[0]}")
        else:
            lines.append(f"llvm.cond_br %c, ^b{targets[0]}, ^b{targets[1]}")
    return HEAD + "\n".join(lines) + "\n}"


@settings(max_examples=150)
@given(memory_programs(), st.data())
def test_inserted_and_removed_writes_give_the_form_of_a_new_analysis(
    text: str, data: st.DataObject
):
    func = parse_function(text)
    ssa = AnalysisManager().get(MemorySSA, func)
    pointer, _, _, value, _ = func.regions[0].blocks[0].args
    for _ in range(3):
        blocks = list(func.regions[0].blocks)
        block = data.draw(st.sampled_from([b for b in blocks if ssa.tree.contains(b)]))
        ops = list(block.ops)
        stores = [op for op in ops if op.name == "llvm.store"]
        if stores and data.draw(st.booleans()):
            gone = data.draw(st.sampled_from(stores))
            ssa.remove(gone)
            fast.erase(gone)
        else:
            store = fast.create(StoreOp, [value, pointer])
            fast.insert_before(store, data.draw(st.sampled_from(ops)))
            ssa.insert_definition(store)
        ssa.verify()


def reaching_writes(func, op, alias: AliasAnalysis) -> set[object]:
    """Returns the writes to the op's location that reach it on some path; None represents the entry."""
    location = alias.location(op)
    found: set[object] = set()
    seen: set[object] = set()
    work = [(op.parent, op.prev_op)]
    entry = func.regions[0].blocks[0]
    while work:
        block, at = work.pop()
        while at is not None and not alias.mod_ref(at, location) & WRITES:
            at = at.prev_op
        if at is not None:
            found.add(at)
            continue
        if block is entry:
            found.add(None)
        for pred in fast.predecessors_of(block):
            if pred not in seen:
                seen.add(pred)
                work.append((pred, pred.last_op))
    return found


@pytest.mark.slow
@settings(max_examples=200)
@given(memory_programs())
def test_the_walker_finds_the_only_write_that_reaches(text: str):
    func = parse_function(text)
    alias = AliasAnalysis(func)
    ssa = MemorySSA(func, alias, DominatorTree(func.regions[0]))
    reachable = {block for block in DominatorTree(func.regions[0]).preorder()}
    for block in func.regions[0].blocks:
        for op in block.ops:
            if op.name != "llvm.load":
                continue
            if block not in reachable:
                assert ssa.access(op) is None
                continue
            writes = {
                w for w in reaching_writes(func, op, alias) if w is None or w.parent in reachable
            }
            found = ssa.clobber(op)
            if isinstance(found, MemoryAccess):
                assert writes == {found.op}
            elif isinstance(found, LiveOnEntry):
                assert writes == {None}
    ssa.verify()


def test_the_caller_may_pass_the_location_of_the_walk():
    ssa, func = ssa_of(STRAIGHT)
    use = ssa.access(load(func, "v"))
    at = ssa.walk(use.defining, Location(value_named(func, "s"), 4))
    assert at.op.name == "llvm.store"
    assert at is use.defining
