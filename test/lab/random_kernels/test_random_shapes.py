"""Shapes of random kernels: each occurs if its switch is on, and not if it is off."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from xdsl.ir import Block

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.behaviour import baseline
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.random_kernels import (
    KERNEL,
    SHAPES,
    STATEMENTS,
    TRAITS,
    Generator,
    random_kernel,
    random_kernel_text,
    random_launches,
)
from nvvm_xdsl.lab.random_kernels.accesses import ORDERINGS, PUNNED
from nvvm_xdsl.lab.random_kernels.checked_arithmetic import REDUCTIONS, WIDE_PRODUCTS
from nvvm_xdsl.lab.random_kernels.counters import HUGE, goes_on, trip_count
from nvvm_xdsl.lab.random_kernels.edges import share_edges
from nvvm_xdsl.lab.random_kernels.joins import CASTS, SWITCH_WIDTHS
from nvvm_xdsl.lab.random_kernels.loop_rows import ROW_LENGTHS
from nvvm_xdsl.lab.random_kernels.shapes import Shape, choose_shapes, parse_shapes
from nvvm_xdsl.lab.random_kernels.stated_facts import OWN_NAMES
from nvvm_xdsl.lab.random_kernels.values import SMALL_VECTORS
from nvvm_xdsl.simulator.llvm.intrinsics import INTRINSICS
from nvvm_xdsl.tools.nvvm_fuzz import main
from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module

SEEDS = 40


@cache
def kernels(name: str, *more: str) -> str:
    """Kernels with one kind of statement, and the few that it depends on."""
    shapes = ",".join(["core", f"{name}=100", *more])
    return "".join(random_kernel_text(seed, 60, shapes) for seed in range(SEEDS))


# Selections.


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_shape_gives_valid_kernels(shape: Shape):
    for seed in range(2):
        module = random_kernel(seed, 40, f"core,{shape.name}=30,shared-edges,odd-integers")
        verify_ops(module)
        verify_module(module)
        baseline(module, random_launches(seed, 1))


def test_a_swarm_enables_another_subset_for_each_seed():
    counts: Counter[str] = Counter()
    for seed in range(200):
        counts.update(list(Generator(seed, 0).shapes))
    for shape in STATEMENTS:
        if shape.core:
            assert counts[shape.name] == 200
        else:
            assert 60 < counts[shape.name] < 140, shape.name
    for trait in TRAITS:
        assert abs(counts[trait.name] - 200 * trait.probability) < 30, trait.name


def test_a_disabled_statement_is_never_generated(monkeypatch: pytest.MonkeyPatch):
    written: set[str] = set()
    choices: Callable[..., list[object]] = random.Random.choices

    def noted(*arguments: object) -> list[object]:
        (found,) = choices(*arguments)
        written.update(s.name for s in STATEMENTS if s.write is found)
        return [found]

    monkeypatch.setattr(random.Random, "choices", noted)
    for seed in range(10):
        written.clear()
        generator = Generator(seed, 80)
        generator.module()
        assert written <= set(generator.shapes)
        assert written


def test_selections_are_parsed():
    parsed = parse_shapes("all,atomics=7,debug-info=0", SHAPES)
    assert parsed == ("all", {"atomics": 7.0, "debug-info": 0.0})
    assert parse_shapes("atomics", SHAPES) == ("core", {"atomics": 4.0})
    assert parse_shapes("debug-info", SHAPES) == ("core", {"debug-info": 1.0})

    def chosen(text: str) -> dict[str, float]:
        streams = random.Random(1), random.Random(2)
        return choose_shapes(*parse_shapes(text, SHAPES), SHAPES, *streams)

    assert chosen("core") == {s.name: s.weight for s in STATEMENTS if s.core}
    everything = chosen("all")
    assert set(everything) == {s.name for s in SHAPES}
    assert everything["atomics"] == 4.0
    assert chosen("all,atomics=7,debug-info=0") == {
        name: 7.0 if name == "atomics" else weight
        for name, weight in everything.items()
        if name != "debug-info"
    }
    # A switch does not change the other shapes of a seed.
    swarm, without = chosen("swarm"), chosen("swarm,atomics=0")
    assert {k: v for k, v in swarm.items() if k != "atomics"} == without


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("swarm,nothing", "there is no shape 'nothing'"),
        ("atomics=many", "'many' is not a weight"),
        ("atomics=-1", "'-1' is not a weight"),
        ("atomics=inf", "'inf' is not a weight"),
        ("", "there is no shape ''"),
    ],
)
def test_invalid_selections_are_errors(text: str, message: str):
    with pytest.raises(DiagnosticError) as caught:
        parse_shapes(text, SHAPES)
    assert message in caught.value.message


def test_the_tool_accepts_selections(capsys: pytest.CaptureFixture[str]):
    assert main(["--list-shapes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [shape.name for shape in SHAPES]
    assert main(["--show", "--seed", "3", "--shapes", "core,variadic=100"]) == 0
    assert "@listed(" in capsys.readouterr().out
    assert main(["--count", "1", "--shapes", "what"]) == 1
    assert "there is no shape 'what'" in capsys.readouterr().err


def test_shapes_are_part_of_a_reproducer():
    from nvvm_xdsl.lab.fuzz import Finding

    finding = Finding(3, "sroa", "crash", "what", "module")
    assert "--shapes core,atomics" in finding.reproducer(Options(shapes="core,atomics"))
    assert "--shapes" not in finding.reproducer(Options())


# Statements.

PARTS = {
    "funnel-shifts": (r"@llvm\.fshl\.i\d+\(", r"@llvm\.fshr\.v\d+i\d+\("),
    "saturating": (r"sadd\.sat\.i8", r"usub\.sat\.v", r"sshl\.sat\.i", r"@llvm\.ucmp\.i32"),
    "overflow": (r"smul\.with\.overflow\.i64", r"usub\.with\.overflow\.i8"),
    "pointer-selects": (
        r"select i1 [^,]*, ptr addrspace\(1\)",
        r"select i1 [^,]*, ptr addrspace\(4\)",
        r"addrspacecast ptr addrspace\(1\) @name\.with\.dots to ptr",
        r"= phi ptr ",
    ),
    "by-value-and-sret": (r"call void @in_memory\(ptr sret\(", r"ptr byval\(\{ i8"),
    "variadic": (r"call i64 \(i32, \.\.\.\) @listed\(",),
    "debug-info": (r"!dbg !\d+", r"#dbg_value\(i32 %", r"!DISubprogram\("),
    "small-vectors": tuple(map(re.escape, SMALL_VECTORS)),
    "checksum": (r"mul i64 %v\d+, 31\n",),
    "checked-vectors": tuple(
        rf"@llvm\.{op}\.with\.overflow\.v\d+i\d+\(.*\n(?:.*\n){{2}}.*vector\.reduce\.\w+\.v\d+i1\("
        for op in ("sadd", "uadd", "ssub", "usub", "smul", "umul")
    ),
    "vector-reductions": (
        *(rf"@llvm\.vector\.reduce\.{op}\.v\d+i1\(" for op in REDUCTIONS),
        *(rf"@llvm\.vector\.reduce\.{op}\.v\d+i(?:8|32|64)\(" for op in REDUCTIONS),
    ),
    "wide-conversions": tuple(
        rf"[su]itofp i{n} \S+ to {t}" for n in (65, 128) for t in ("bfloat", "half")
    ),
    "wide-checked-products": tuple(rf"mul\.with\.overflow\.i{n}\(" for n in WIDE_PRODUCTS),
}
"""Patterns that occur in kernels with a shape, and not in kernels with the core alone."""


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_shapes_occur(name: str):
    more = ("vector=100",) if name == "small-vectors" else ()
    text = kernels(name, *more)
    assert [part for part in PARTS[name] if not re.search(part, text)] == []
    core = kernels("integer", *more).replace(".with.overflow", "").replace("llvm.fsh", "")
    core = re.sub(r"@llvm\.[su](add|sub)\.sat", "", core)
    assert [part for part in PARTS[name] if re.search(part, core)] == []


def test_equal_values_are_stored_with_other_stores_in_between():
    text = kernels("repeated-stores")
    # Within a block and across blocks.
    between = re.compile(
        r"(store \S+ \S+, ptr (%\S+))\n(?:  (?!store).*\n)*  (store \S+ \S+, ptr \2)\n(?:.*\n){1,9}?  \1\n"
    )
    found = [m for m in between.finditer(text) if m.group(1) != m.group(3)]
    assert len(found) > 10
    assert sum("label" in m.group(0) for m in found) > 5


def test_bytes_of_a_sum_of_products_are_joined_in_its_block_and_in_later_ones():
    found = 0
    for kernel in kernels("joined-casts").split("define ")[1:]:
        for sum_, part in re.findall(
            r"(%v\d+) = add i32 .*\n  (%v\d+) = lshr i32 \1, (?:8|16)\n", kernel
        ):
            after = kernel.partition(f"{part} = lshr i32 {sum_}, ")[2]
            here, *later = re.split(r"\n\w+:\n", after)
            byte = rf"= shl i32 {part}, (?:0|8|16|24)\n"
            found += bool(re.search(byte, here)) and any(re.search(byte, block) for block in later)
    assert found > 3


def test_operations_on_different_types_join():
    text = kernels("joined-casts")
    pairs: Counter[tuple[str, str]] = Counter()
    defined: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("define"):
            defined = {}
        elif match := re.match(r"  (%\S+) = (.*)", line):
            defined[match.group(1)] = match.group(2)
            phi = re.match(r"phi \S+ \[ (%\S+), %\S+ \], \[ (%\S+), %\S+ \]", match.group(2))
            if phi:
                ops = [re.match(r"([sz]ext|trunc|[su]itofp|fpext|fptrunc|[if]cmp \S+) (\S+) ", defined.get(v, "")) for v in phi.groups()]  # fmt: skip
                if all(ops):
                    one, other = (op.groups() for op in ops if op)
                    if one[0] == other[0] and one[1] != other[1]:
                        pairs[one[0], one[1]] += 1
    assert {op for op, _ in pairs} >= {"sext", "zext", "trunc", "sitofp", "uitofp"}
    assert sum(pairs.values()) > 40
    # Stores of different types to one address.
    assert re.search(r"store (i8|i16|i32|i64) \S+, ptr (%\S+), align 1\n.*\n(?:.*\n){1,6}?  store (?!\1)(i8|i16|i32|i64) \S+, ptr \2, align 1", text)  # fmt: skip
    assert all(text_ in CASTS[to] for to in CASTS for text_ in CASTS[to])


def test_switches_of_every_width_occur():
    text = kernels("any-switch")
    widths = Counter(int(n) for n in re.findall(r"switch i(\d+) ", text))
    assert set(widths) == set(SWITCH_WIDTHS)
    odd = r"switch i(?!8 |16 |32 |64 )(\d+) "
    assert re.search(odd + r"[^%\s][^\n]* -\d+, label", text), "a constant and a negative case"
    assert re.search(odd + r"%[^\n]* -\d+, label", text)


def test_chains_of_comparisons_pass_their_own_condition():
    """`simplifycfg` replaced such a condition by poison when it formed a switch."""
    text = kernels("any-switch")
    chain = r"(%\w+) = icmp eq i32 (%\w+), \d\n  br i1 \1, label %(join\w+), label %\w+\n(?:.*\n){2,30}?\3:\n  %\w+ = phi i1 [^\n]*\[ \1, "
    assert re.search(chain, text)


def edges_with_values(block: Block) -> list[branches.Edge]:
    return branches.edges_of(branches.terminator_of(block))


def shared(name: str, trait: str) -> tuple[int, int]:
    """Returns the number of conditional branches and switches with different values on edges to one block."""
    found = Counter[str]()
    for seed in range(12):
        module = random_kernel(seed, 60, f"core,{name}=100,{trait}")
        for block in fast.blocks_of(symbols_of(module)[KERNEL].regions[0]):
            sent: dict[Block, set[tuple[object, ...]]] = {}
            for target, values in edges_with_values(block):
                sent.setdefault(target, set()).add(values)
            if any(len(values) > 1 for values in sent.values()):
                found[branches.terminator_of(block).name] += 1
    return found["llvm.cond_br"], found["llvm.switch"]


def test_several_edges_into_one_block_carry_different_values():
    assert all(count > 3 for count in shared("graph", "shared-edges"))
    assert shared("state-machine", "shared-edges")[0] > 3
    assert shared("parted-edges", "shared-edges")[1] > 3
    assert shared("any-switch", "shared-edges")[1] > 3
    # LLVM assembly alone cannot express them.
    assert shared("graph", "irreducible=0") == (0, 0)


def test_shared_edges_preserve_behaviour():
    text = random_kernel_text(3, 60, "core,graph=50,state-machine=50,shared-edges")
    apart, together = read_ll(text), read_ll(text)
    assert share_edges(together) > 5
    verify_ops(together)
    verify_module(together)
    launches = random_launches(3, 1)
    for one, other in zip(baseline(apart, launches), baseline(together, launches)):
        for a, b in zip(one.arrays, other.arrays):
            assert a.tobytes() == b.tobytes()


def test_blocks_that_do_more_than_branch_are_kept():
    module = read_ll("""
define ptx_kernel void @k(ptr %p, i1 %c) {
  br i1 %c, label %edge1, label %edge2
edge1:
  store i32 1, ptr %p
  br label %end
edge2:
  br label %end
other:
  br label %end
end:
  %x = phi i32 [ 1, %edge1 ], [ 2, %edge2 ], [ 3, %other ]
  store i32 %x, ptr %p
  ret void
}
""")
    assert share_edges(module) == 1
    verify_module(module)


@pytest.mark.parametrize("wanted", [True, False])
def test_irreducible_graphs_occur_on_demand(wanted: bool):
    shapes = f"core,graph=100,irreducible={float(wanted)}"
    found = [
        LoopInfo(symbols_of(random_kernel(seed, 60, shapes))[KERNEL].regions[0]).is_reducible
        for seed in range(20)
    ]
    assert (not all(found)) is wanted


def test_loops_with_several_latches_occur():
    latches: Counter[int] = Counter()
    for seed in range(10):
        module = random_kernel(seed, 60, "core,several-latches=100")
        loops = LoopInfo(symbols_of(module)[KERNEL].regions[0])
        latches.update(len(loop.latches()) for loop in loops.loops())
    assert latches[2] > 3
    assert latches[3] > 3


def test_counters_of_every_width_wrap():
    text = kernels("wrapping-counters")
    widths = Counter(re.findall(r"phi (i\d+) \[ -?\d+, ", text))
    assert widths["i8"] > 10
    assert widths["i64"] > 10
    assert len(widths) > 12
    wraps = 0
    loop = re.compile(
        r"phi (i\d+) \[ (-?\d+), .*\n(?:.*\n){1,6}?  (%\S+) = add(?: nuw)?(?: nsw)? \1 %\S+, (-?\d+)\n  \S+ = icmp (\S+) \1 \3, (-?\d+)\n"
    )
    for type_, start, _, step, predicate, bound in loop.findall(text):
        bits = int(type_[1:])
        trips = trip_count(int(start), int(step), predicate, int(bound), bits, 300)
        assert trips > 0, "the loop ends"
        end = (int(start) + int(step) * trips) % (1 << bits)
        wraps += (end - int(start) % (1 << bits)) * int(step) < 0
    assert wraps > 5


@pytest.mark.parametrize(
    ("predicate", "a", "b", "bits", "holds"),
    [
        ("ult", 5, -1, 8, True),
        ("slt", 5, -1, 8, False),
        ("ne", 256, 0, 8, False),
        ("ne", 256, 0, 9, True),
        ("sge", 127, -128, 8, True),
        ("ugt", 127, 128, 8, False),
        ("ule", 3, 3, 64, True),
        ("sgt", 1 << 63, 0, 64, False),
    ],
)
def test_comparisons_of_counters(predicate: str, a: int, b: int, bits: int, holds: bool):
    assert goes_on(predicate, a, b, bits) is holds


def test_trip_counts_of_generated_counters():
    assert trip_count(250, 3, "ugt", 5, 8, 9) == 2  # 253, 0
    assert trip_count(0, 64, "ne", 0, 8, 9) == 4
    assert trip_count(0, 2, "ne", 1, 8, 300) == 0


def test_loops_with_huge_trip_counts_occur():
    text = kernels("huge-counts")
    bounds = {int(n) for n in re.findall(r"icmp (?:ne|ult) i(?:32|64) %\S+, (-?\d+)", text)}
    assert max(abs(n) for n in bounds) >= (1 << 63) - 1
    assert len({n for n in HUGE if {n, n + 1, n + 7} & bounds}) >= 3
    empty = r"(?:  \S+ = phi i32 .*\n){2}  \S+ = add i32 %\S+, 1\n  \S+ = icmp ne i32 .*\n  br i1"
    assert re.search(empty, text)


def test_loops_store_a_digit_in_each_iteration():
    text = kernels("digit-loops")
    store = r"  \S+ = getelementptr inbounds i64, ptr %own_l, i32 \S+\n  \S+ = zext i32 \S+ to i64\n  store i64 .*\n"
    step = r"  \S+ = (and|lshr|shl) i\d+ %\S+, \S+\n(?:  \S+ = .*\n){3}"
    kinds = re.findall(step + store + r"  \S+ = icmp (?:ne|ugt) .*\n  br i1", text)
    assert set(kinds) == {"and", "lshr", "shl"}


def test_counters_wrap_before_they_reach_their_bound():
    text = kernels("wrapping-loops")
    step = r"  (\S+) = add (i\d+) \S+, \S+\n  \S+ = icmp ([us][gl][te]) \2 \1, \S+\n  br i1"
    found = {(width, predicate) for _, width, predicate in re.findall(step, text)}
    assert {width for width, _ in found} >= {"i8", "i32", "i64"}
    assert {predicate for _, predicate in found} >= {"ult", "slt", "ule", "sgt", "ugt"}
    # The counter begins close to the end of its type.
    assert re.search(r"  \S+ = or i32 %tid, -8\n", text)


def test_two_blocks_load_from_a_constant_address():
    text = kernels("constant-addresses")
    pointer = r"  (%\w+) = (addrspacecast|inttoptr) (?:ptr addrspace\(\d\) null|i64 %\w+) to ptr\n"
    found: set[str] = set()
    for name, kind in re.findall(pointer, text):
        if len(re.findall(rf"arm\d+:\n  \S+ = load i32, ptr {name}\n", text)) >= 2:
            found.add(kind)
    assert found == {"addrspacecast", "inttoptr"}


def test_loops_are_left_before_their_counter_is_incremented():
    text = kernels("loops-left-before-increment")
    head = r"  (\S+) = add (i\d+) (\S+), 1\n  \S+ = ([sz]ext) \2 \1 to i64\n  \S+ = icmp eq \2 \3, \S+\n"
    found = re.findall(head, text)
    assert {kind for _, _, _, kind in found} == {"sext", "zext"}
    increments = set(re.findall(r"  \S+ = add (n[su]w) i\d+ (\S+), 1\n", text))
    assert {counter for _, _, counter, _ in found} <= {counter for _, counter in increments}


def test_assembly_ends_threads_before_an_invalid_load():
    text = kernels("last-loop,guarding-exits")
    guard = r"  br i1 \S+, label %(\S+), label %(\S+)\n\1:\n  call void asm sideeffect \"exit;\", \"\"\(\)\n"
    load = r"  br label %\2\n\2:\n  \S+ = load i32, ptr addrspace\(4\) \S+, align 4\n"
    assert re.search(guard + load, text)


def test_the_first_of_two_loads_states_a_range():
    text = kernels("stated-loads")
    pair = (
        r"  (\S+) = load i32, ptr (\S+), !range (!\d+)\n  (\S+) = load i32, ptr \2\n"
        r"  \S+ = sub i32 \4, (\S+)\n  (\S+) = icmp ult i32 \S+, (\d+)\n"
        r"  \S+ = select i1 \6, i32 \1, i32 -1\n"
    )
    found = re.findall(pair, text)
    assert {int(low) for *_, low, _, _ in found} == {-20, 0, 5}
    for _, _, node, _, low, _, size in found:
        assert f"\n{node} = !{{i32 {low}, i32 {int(low) + int(size)}}}\n" in text


def test_loads_of_nested_arms_state_a_range():
    text = kernels("stated-joins")
    arm = r"arm\d+:\n  store i32 \S+, ptr (\S+)\n  \S+ = load i32, ptr (\S+), !range (!\d+)\n  br label %join\d+\n"
    found = re.findall(
        rf"arm\d+:\n(?:  .*\n)?  br i1 .*\n{arm}{arm}join\d+:\n  br label %join\d+\n{arm}join\d+:\n  (\S+) = load i32, ptr (\S+)\n",
        text,
    )
    assert found
    for one in found:
        assert len({one[0], one[3], one[6]}) == len({one[1], one[4], one[7], one[10]}) == 1
        assert len({one[2], one[5], one[8]}) == 1


def test_arrays_of_restrict_parameters_are_exchanged():
    text = kernels("exchanged-arrays")
    exchange = (
        r"(exchange\d+):\n(?:  .* = phi i32 .*\n){2}"
        r"  (\S+) = phi ptr \[ (\S+), %\S+ \], \[ (\S+), %\S+ \]\n"
        r"  (\S+) = phi ptr \[ (\S+), %\S+ \], \[ (\S+), %\S+ \]\n"
        r"  call void @llvm.experimental.noalias.scope.decl\(metadata (\S+)\)\n"
        r"  call void @llvm.experimental.noalias.scope.decl\(metadata (\S+)\)\n"
    )
    found = re.findall(exchange, text)
    assert {(x == then_y, y == then_x) for _, x, _, then_x, y, _, then_y, *_ in found} == {
        (True, True),
        (False, False),
    }
    for *_, source, target in found:
        assert f", !alias.scope {source}, !noalias {target}\n" in text
        assert re.search(rf"  store i32 .*, !alias.scope {target}, !noalias {source}\n", text)
        assert re.search(rf"\n{target} = !{{!\d+}}\n", text)


def test_counters_of_finite_loops_may_equal_their_bounds():
    text = kernels("finite-loops")
    loop = (
        r"(finite\d+):\n  (\S+) = phi i8 \[ (\S+), %\S+ \], .*\n  (\S+) = phi float .*\n(?:  .*\n)*?"
        r"  (\S+) = icmp ([su])le i8 \2, (\S+)\n  (\S+) = fcmp olt float \4, \S+\n"
        r"  \S+ = (and|select) i1 \5, (?:i1 )?\8(?:, i1 false)?\n(?:.*\n)*?"
        r"  br label %\1, !llvm\.loop (!\d+)\n"
    )
    found = re.findall(loop, text)
    assert {sign for *_, sign, _, _, _, _ in found} == {"s", "u"}
    assert {connective for *_, connective, _ in found} == {"and", "select"}
    for _, _, first, _, _, sign, bound, *_, node in found:
        top = 127 if sign == "s" else 255
        assert all(f"  {name} = sub i8 {top}, " in text for name in (first, bound))
        (hint,) = re.findall(rf"\n{node} = distinct !{{{node}, (!\d+)}}\n", text)[:1]
        assert f'\n{hint} = !{{!"llvm.loop.mustprogress"}}\n' in text


def test_dynamic_shared_memory_is_accessed_by_two_names():
    text = kernels("dynamic-shared")
    address = (
        r"  (\S+) = getelementptr \[0 x i64\], ptr addrspace\(3\) @dynamic_{}, i32 0, i32 %tid\n"
    )
    accesses = (
        r"  store i64 \S+, ptr addrspace\(3\) (\S+)\n  store i64 \S+, ptr addrspace\(3\) (\S+)\n"
        r"  \S+ = load i64, ptr addrspace\(3\) (\S+)\n"
    )
    found = re.findall(address.format("i") + address.format("l") + accesses, text)
    assert {first == read == one and second == two for one, two, first, second, read in found} == {
        True,
        False,
    }
    assert all(
        {one, two} == {first, second} and first == read for one, two, first, second, read in found
    )


def test_numbers_with_clear_low_bits_are_joined():
    text = kernels("joined-masks")
    found = re.findall(
        r"  (\S+) = phi (i\d+) .*\n  (\S+) = ([al]shr) exact \2 \1, (\d+)\n  \S+ = shl \2 \3, \5\n",
        text,
    )
    assert {type_ for _, type_, *_ in found} == {"i16", "i32", "i64"}
    assert {op for *_, op, _ in found} == {"ashr", "lshr"}


def test_two_of_three_conditions_exclude_each_other():
    text = kernels("disjoint-conditions")
    found = re.findall(
        r"  (\S+) = icmp eq (i\d+) (\S+), (\d)\n(?:  \S+ = icmp eq \2 \3, \d\n){2}"
        r"(?:  .*\n){3}  (\S+) = or disjoint i1 (\S+), (\S+)\n  \S+ = or i1 \5, \S+\n",
        text,
    )
    assert {type_ for _, type_, *_ in found} == {"i32", "i64"}
    assert {first == left for first, *_, left, _ in found} == {False, True}


def test_offsets_of_addresses_wrap():
    text = kernels("wrapping-addresses")
    found = re.findall(
        r"  (\S+) = getelementptr i64, ptr \S+, i64 (-?\d{12,})\n"
        r"  \S+ = getelementptr i64, ptr \1, i64 (-?\d)\n(?:  store i64 .*\n){2}  \S+ = load i64,",
        text,
    )
    assert found
    assert all(8 * (int(step) + int(back)) % (1 << 64) == 0 for _, step, back in found)
    assert {back for *_, back in found} == {"0", "-1"}


def test_functions_differ_in_their_own_addresses():
    text = kernels("own-addresses")
    assert all(f"icmp eq ptr %p, @{name}" in text for name in OWN_NAMES)
    calls = r"(%\S+) = select i1 \S+, ptr @own_[ab], ptr @own_[ab]\n  \S+ = call i32 @own_a\(ptr \1, .*\n  \S+ = call i32 @own_b\(ptr \1,"
    assert re.search(calls, text)


def test_each_loop_of_a_row_is_bounded_by_the_counter_of_the_previous_one():
    text = kernels("loop-rows")
    link = re.compile(
        r"  (%\w+) = phi i32 \[ 0, .*\n(?:.*\n){4}  (%\w+) = add i32 \1, 1\n  \S+ = icmp (slt|ult) i32 \2, (%\w+)\n(?:.*\n){1,12}?"
        r"  (%\w+) = ([sz]ext) i32 (\1|\2) to i64\n  (%\w+) = add i64 \5, ([01])\n  (%\w+) = trunc i64 \8 to i32\n"
    )
    row, rows = 0, Counter[int]()
    bound = ""
    forms: set[tuple[str, str, str]] = set()
    for found in link.finditer(text):
        row = row + 1 if found[4] == bound else 1
        bound = found[10]
        rows[row] += 1
        forms.add((found[3], found[6], found[9]))
    assert rows[max(ROW_LENGTHS)] > 3
    assert len(forms) == 8


def test_sums_of_truth_values_are_compared(monkeypatch: pytest.MonkeyPatch):
    """A simulator that computes `vector.reduce.add` of `i1` as a disjunction differs from the code."""
    options = Options(shapes="core,vector-reductions=20", pipelines=("",), size=40)
    assert list(fuzz([14], options)) == []
    monkeypatch.setitem(INTRINSICS, "vector.reduce.add", INTRINSICS["vector.reduce.or"])
    assert [finding.kind for finding in fuzz([14], options)] == ["difference"]


def test_atomics_of_every_width_ordering_and_scope_occur():
    text = kernels("atomics")
    for type_ in ("i8", "i16", "i32", "i64", "i128"):
        assert re.search(rf"atomicrmw \w+ ptr[^,]*, {type_} ", text), type_
        assert re.search(rf"cmpxchg (?:weak )?ptr[^,]*, {type_} ", text), type_
    for type_ in ("half", "bfloat", "float", "double"):
        assert re.search(rf"atomicrmw \w+ ptr[^,]*, {type_} ", text), type_
    for ordering in ORDERINGS:
        assert re.search(rf"atomicrmw .* {ordering}\n", text), ordering
        assert re.search(rf"cmpxchg .* {ordering} \w+\n", text), ordering
    for scope in ("block", "device", "cluster", "singlethread"):
        assert re.search(rf'atomicrmw .* syncscope\("{scope}"\) ', text), scope
    for part in ("fence ", "load atomic i8", "store atomic i64", "atomicrmw volatile", "unordered"):
        assert part in text, part
    for space in ("ptr addrspace(1) %", "ptr addrspace(3) %", "ptr %"):
        assert f"xchg {space}" in text or f"add {space}" in text, space


def test_copies_overlap():
    text = kernels("overlapping-copies")
    copy = re.compile(
        r"(%\S+) = getelementptr inbounds i8, ptr (%\S+), i64 (\d+)\n  (%\S+) = getelementptr inbounds i8, ptr (\S+), i64 (\d+)\n(?:.*\n){0,4}?  call void @llvm\.(mem\w+)\S*\(ptr \1, ptr \4, i64 (\d+)"
    )
    overlaps = same = 0
    for _, base, to, _, other, of, name, length in copy.findall(text):
        assert base == other
        near = abs(int(to) - int(of)) < int(length)
        overlaps += name == "memmove" and near and to != of
        same += name == "memcpy" and to == of
        assert name == "memmove" or to == of or not near, "memcpy must not overlap"
    assert overlaps > 10
    assert same > 3


def test_memory_is_read_as_another_type():
    text = kernels("punning")
    loads = Counter(re.findall(r"load (.+?), ptr %\S+, align 1\n", text))
    assert set(loads) >= set(PUNNED)
    assert re.search(r"store double .*\n(?:.*\n){1,4}?.*load i\d+, ptr", text)


def test_arithmetic_on_integers_of_odd_widths():
    text = kernels("odd-integers")
    widths = {int(n) for n in re.findall(r"= (?:add|sub|mul|xor|and)(?: \w+)* i(\d+) ", text)}
    assert 128 in widths
    assert len([n for n in widths if n < 64 and n not in (8, 16, 32)]) > 10
    assert len([n for n in widths if n > 64]) > 5


def test_debug_information_is_consistent():
    module = random_kernel(1, 80, "all,debug-info")
    verify_module(module)
    assert any(op.name == "llvm.intr.dbg.value" for op in module.walk())
