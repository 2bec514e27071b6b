import pytest
from helpers.programs import parse_function, value_named
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.memory.alias_analysis import (
    AliasAnalysis,
    AliasResult,
    Location,
    tags_may_alias,
)
from nvvm_xdsl.dialects.effects import READS, WRITES
from nvvm_xdsl.frontend.ll_reader import read_ll

NO, MAY, PARTIAL, MUST = AliasResult.NO, AliasResult.MAY, AliasResult.PARTIAL, AliasResult.MUST

HEAD = """
llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.mlir.global internal @other() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.mlir.global internal @variable(0 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.global internal constant @table(dense<1> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
llvm.func @unknown(!llvm.ptr)
llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr, %r: !llvm.ptr {llvm.noalias}, %b: !llvm.ptr {llvm.byval = i32},
  %ro: !llvm.ptr {llvm.noalias, llvm.readonly}, %i: i64, %j: i64, %n: i32, %c: i1,
  %g: !llvm.ptr<1>, %h: !llvm.ptr<3>, %k: !llvm.ptr<7>) KERNEL {
  %one = llvm.mlir.constant(1 : i32) : i32
  %a1 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %a2 = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
  %s = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %s2 = llvm.mlir.addressof @shared : !llvm.ptr<3>
  %o = llvm.mlir.addressof @other : !llvm.ptr<3>
  %gv = llvm.mlir.addressof @variable : !llvm.ptr<1>
  %t = llvm.mlir.addressof @table : !llvm.ptr<4>
  %sg = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
  %gg = llvm.addrspacecast %gv : !llvm.ptr<1> to !llvm.ptr
  %loaded = llvm.load %p : !llvm.ptr -> !llvm.ptr
"""


def analysis(body: str, *, kernel: bool = True):
    attributes = "attributes {nvvm.kernel}" if kernel else ""
    func = parse_function(HEAD.replace("KERNEL", attributes) + body + "\nllvm.return\n}")
    return AliasAnalysis(func), func


def result(body: str, x: str, y: str, size: int | None = 4, *, kernel: bool = True) -> AliasResult:
    alias, func = analysis(body, kernel=kernel)
    a, b = Location(value_named(func, x), size), Location(value_named(func, y), size)
    found = alias.alias(a, b)
    assert alias.alias(b, a) is found
    return found


@pytest.mark.parametrize(
    ("x", "y", "in_kernel", "in_function"),
    [
        ("p", "q", MAY, MAY),
        ("p", "r", NO, NO),
        ("r", "loaded", MAY, MAY),
        ("a1", "a2", NO, NO),
        ("a1", "p", NO, NO),
        ("a1", "loaded", NO, NO),
        ("s", "s2", MUST, MUST),
        ("s", "o", NO, NO),
        ("s", "gv", NO, NO),
        ("sg", "gg", NO, NO),
        ("sg", "s", MUST, MUST),
        ("g", "h", NO, NO),
        ("h", "k", MAY, MAY),
        ("s", "h", MAY, MAY),
        ("p", "s", NO, MAY),
        ("p", "gv", MAY, MAY),
        ("p", "a1", NO, NO),
        ("p", "h", NO, MAY),
        ("b", "p", NO, NO),
        ("loaded", "s", MAY, MAY),
        ("t", "gv", NO, NO),
    ],
)
def test_objects(x: str, y: str, in_kernel: AliasResult, in_function: AliasResult):
    assert result("", x, y) is in_kernel
    assert result("", x, y, kernel=False) is in_function


def test_a_captured_alloca_may_alias_a_loaded_pointer():
    body = (
        "llvm.store %a1, %p : !llvm.ptr, !llvm.ptr\n%later = llvm.load %q : !llvm.ptr -> !llvm.ptr"
    )
    assert result(body, "a1", "later", kernel=False) is MAY
    assert result(body, "a2", "later", kernel=False) is NO
    assert result(body, "a1", "p", kernel=False) is NO


GEP = "%{} = llvm.getelementptr %{}[{}] : (!llvm.ptr, i64) -> !llvm.ptr, {}\n"
CONSTANT = "%{} = llvm.getelementptr %{}[{}] : (!llvm.ptr) -> !llvm.ptr, {}\n"


@pytest.mark.parametrize(
    ("body", "size", "expected"),
    [
        (CONSTANT.format("u", "p", 1, "i32") + CONSTANT.format("v", "p", 2, "i32"), 4, NO),
        (CONSTANT.format("u", "p", 1, "i32") + CONSTANT.format("v", "p", 4, "i8"), 4, MUST),
        (CONSTANT.format("u", "p", 1, "i32") + CONSTANT.format("v", "p", 6, "i8"), 4, PARTIAL),
        (CONSTANT.format("u", "p", 1, "i32") + CONSTANT.format("v", "p", 2, "i32"), None, MAY),
        (CONSTANT.format("u", "p", 1, "i32") + CONSTANT.format("v", "q", 2, "i32"), 4, MAY),
        (GEP.format("u", "p", "%i", "i32") + GEP.format("v", "p", "%i", "i32"), 4, MUST),
        (GEP.format("u", "p", "%i", "i32") + GEP.format("v", "p", "%j", "i32"), 4, MAY),
        (GEP.format("w", "p", "%i", "i32") + GEP.format("u", "w", "%j", "i64")
         + GEP.format("x", "p", "%j", "i64") + GEP.format("v", "x", "%i", "i32"), 4, MUST),
        ("%k1 = llvm.mlir.constant(1 : i64) : i64\n%i1 = llvm.add %i, %k1 : i64\n"
         + GEP.format("u", "p", "%i", "i32") + GEP.format("v", "p", "%i1", "i32"), 4, NO),
        # 2^61 * 8 is 2^64, which is 0.
        ("%big = llvm.mlir.constant(2305843009213693952 : i64) : i64\n"
         + GEP.format("u", "p", "%big", "i64") + CONSTANT.format("v", "p", 0, "i64"), 4, MUST),
        ("%big = llvm.mlir.constant(-4611686018427387904 : i64) : i64\n"
         + GEP.format("u", "p", "%big", "i32") + CONSTANT.format("v", "p", -1, "i16"), 4, PARTIAL),
        # i * 8 and j * 16 + 4 never overlap in 4 bytes.
        (GEP.format("u", "p", "%i", "i64") + GEP.format("w", "p", "%j", "i128")
         + CONSTANT.format("v", "w", 4, "i8"), 4, NO),
        (GEP.format("u", "p", "%i", "i64") + GEP.format("w", "p", "%j", "i128")
         + CONSTANT.format("v", "w", 4, "i8"), 8, MAY),
        ("%u = llvm.getelementptr %p[%i, 0] : (!llvm.ptr, i64) -> !llvm.ptr, "
         "!llvm.struct<(i32, i32)>\n%v = llvm.getelementptr %p[%j, 1] : (!llvm.ptr, i64) -> "
         "!llvm.ptr, !llvm.struct<(i32, i32)>\n", 4, NO),
        ("%e = llvm.sext %n : i32 to i64\n%n1 = llvm.add %n, %one overflow<nsw> : i32\n"
         "%e1 = llvm.sext %n1 : i32 to i64\n"
         + GEP.format("u", "p", "%e", "i32") + GEP.format("v", "p", "%e1", "i32"), 4, NO),
        ("%e = llvm.sext %n : i32 to i64\n%n1 = llvm.add %n, %one : i32\n"
         "%e1 = llvm.sext %n1 : i32 to i64\n"
         + GEP.format("u", "p", "%e", "i32") + GEP.format("v", "p", "%e1", "i32"), 4, MAY),
        ("%e = llvm.zext %n : i32 to i64\n%n1 = llvm.add %n, %one overflow<nuw> : i32\n"
         "%e1 = llvm.zext %n1 : i32 to i64\n"
         + GEP.format("u", "p", "%e", "i32") + GEP.format("v", "p", "%e1", "i32"), 4, NO),
        ("%u = llvm.select %c, %a1, %a2 : i1, !llvm.ptr\n%v = llvm.getelementptr %r[1] : "
         "(!llvm.ptr) -> !llvm.ptr, i32\n", 4, NO),
        ("%u = llvm.select %c, %a1, %p : i1, !llvm.ptr\n%v = llvm.getelementptr %q[1] : "
         "(!llvm.ptr) -> !llvm.ptr, i32\n", 4, MAY),
    ],
)  # fmt: skip
def test_offsets(body: str, size: int | None, expected: AliasResult):
    assert result(body, "u", "v", size) is expected


def test_constant_memory():
    alias, func = analysis("")
    for name, expected in (("t", True), ("ro", True), ("p", False), ("s", False), ("r", False)):
        assert alias.points_to_constant_memory(value_named(func, name)) == expected


def test_another_name_of_a_variable_may_alias_it():
    func = parse_function("""
llvm.mlir.global internal @variable(0 : i32) : i32
llvm.mlir.global internal @other(0 : i32) : i32
llvm.mlir.alias internal @name : i32 {
  %0 = llvm.mlir.addressof @variable : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @f() {
  %v = llvm.mlir.addressof @variable : !llvm.ptr
  %o = llvm.mlir.addressof @other : !llvm.ptr
  %n = llvm.mlir.addressof @name : !llvm.ptr
  llvm.return
}
""")
    alias = AliasAnalysis(func)
    variable, other, name = (Location(value_named(func, each), 4) for each in "von")
    assert alias.alias(variable, name) is alias.alias(name, variable) is MAY
    assert alias.alias(variable, other) is NO


def test_arrays_of_dynamic_shared_memory_start_at_the_same_address():
    func = parse_function("""
llvm.mlir.global external @a() {addr_space = 3 : i32} : !llvm.array<0 x i32>
llvm.mlir.global external @b() {addr_space = 3 : i32} : !llvm.array<0 x f64>
llvm.mlir.global external @opaque() {addr_space = 3 : i32} : !llvm.struct<"unknown", opaque>
llvm.mlir.global external @sized() {addr_space = 3 : i32} : !llvm.array<4 x i32>
llvm.mlir.global internal @empty() {addr_space = 3 : i32} : !llvm.array<0 x i32>
llvm.mlir.global external @outside() {addr_space = 1 : i32} : !llvm.array<0 x i32>
llvm.mlir.global external @more() {addr_space = 1 : i32} : !llvm.array<0 x i32>
llvm.func @f() {
  %a = llvm.mlir.addressof @a : !llvm.ptr<3>
  %b = llvm.mlir.addressof @b : !llvm.ptr<3>
  %opaque = llvm.mlir.addressof @opaque : !llvm.ptr<3>
  %sized = llvm.mlir.addressof @sized : !llvm.ptr<3>
  %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
  %outside = llvm.mlir.addressof @outside : !llvm.ptr<1>
  %more = llvm.mlir.addressof @more : !llvm.ptr<1>
  llvm.return
}
""")
    alias = AliasAnalysis(func)

    def relation(x: str, y: str) -> AliasResult:
        one, two = (Location(value_named(func, name), 4) for name in (x, y))
        assert alias.alias(one, two) is alias.alias(two, one)
        return alias.alias(one, two)

    assert relation("a", "b") is relation("a", "opaque") is MAY
    assert {relation("a", name) for name in ("sized", "empty", "outside")} == {NO}
    assert relation("outside", "more") is NO


def test_effects_of_ops_on_locations():
    alias, func = analysis(
        "%v = llvm.load %a1 : !llvm.ptr -> i32\nllvm.store %v, %p : i32, !llvm.ptr\n"
        "llvm.call @unknown(%p) : (!llvm.ptr) -> ()\n"
        '%m = "llvm.mlir.constant"() <{value = 16 : i64}> : () -> i64\n'
        '"llvm.intr.memcpy"(%p, %r, %m) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()\n'
        '"nvvm.barrier0"() : () -> ()'
    )
    ops = {op.name: op for op in func.regions[0].blocks[0].ops}

    def flags(name: str, pointer: str) -> int:
        return alias.mod_ref(ops[name], Location(value_named(func, pointer), 4))

    assert flags("llvm.store", "p") == WRITES
    assert flags("llvm.store", "a2") == 0
    assert flags("llvm.load", "a1") == READS
    assert flags("llvm.call", "a1") == 0
    assert flags("llvm.call", "p") == READS | WRITES
    assert flags("llvm.call", "t") == READS
    assert flags("llvm.intr.memcpy", "p") == WRITES
    assert flags("llvm.intr.memcpy", "r") == READS
    assert flags("llvm.intr.memcpy", "a1") == 0
    assert flags("nvvm.barrier0", "s") == READS | WRITES
    assert flags("nvvm.barrier0", "a1") == 0


METADATA = """
define void @f(ptr %p, ptr %q) {
  %a = load i32, ptr %p, !tbaa !1
  %b = load float, ptr %q, !tbaa !2
  %c = load i8, ptr %q, !tbaa !3
  %d = load i32, ptr %p, !tbaa !4
  %e = load i32, ptr %q, !alias.scope !12
  store i32 0, ptr %p, !noalias !12
  ret void
}
!0 = !{!"root"}
!10 = !{!"char", !0, i64 0}
!20 = !{!"int", !10, i64 0}
!21 = !{!"float", !10, i64 0}
!22 = !{!"pair", !21, i64 0, !20, i64 4}
!1 = !{!20, !20, i64 0}
!2 = !{!21, !21, i64 0}
!3 = !{!10, !10, i64 0}
!4 = !{!22, !20, i64 4}
!30 = distinct !{!30, !"domain"}
!31 = distinct !{!31, !30, !"scope"}
!12 = !{!31}
"""


def test_metadata():
    module = read_ll(METADATA)
    func = next(iter(module.ops))
    alias = AliasAnalysis(func)
    at = {
        (op.results[0].name_hint if op.results else "store"): alias.location(op)
        for op in func.regions[0].blocks[0].ops
        if op.name in ("llvm.load", "llvm.store")
    }
    assert alias.alias(at["a"], at["b"]) is NO
    assert alias.alias(at["a"], at["c"]) is MAY
    assert alias.alias(at["b"], at["c"]) is not NO
    assert alias.alias(at["a"], at["d"]) is MUST
    assert alias.alias(at["b"], at["d"]) is NO
    assert alias.alias(at["e"], at["store"]) is NO
    tag = at["a"].op.properties["tbaa"].data[0]
    assert tags_may_alias(tag, tag)


@settings(max_examples=120)
@given(st.data())
def test_offsets_against_enumeration(data: st.DataObject):
    lines: list[str] = []
    names: list[tuple[str, object]] = [("p", lambda i, j: 0)]
    types = {"i8": 1, "i16": 2, "i32": 4, "i64": 8}
    for n in range(data.draw(st.integers(2, 5))):
        base, old = data.draw(st.sampled_from(names))
        type_ = data.draw(st.sampled_from(sorted(types)))
        index = data.draw(st.sampled_from(["%i", "%j", "1", "2", "-1"]))
        if index.startswith("%"):
            lines.append(GEP.format(f"g{n}", base, index, type_))
            place = "ij".index(index[1])
            names.append(
                (f"g{n}", lambda i, j, o=old, p=place, t=type_: o(i, j) + (i, j)[p] * types[t])
            )
        else:
            lines.append(CONSTANT.format(f"g{n}", base, index, type_))
            names.append(
                (f"g{n}", lambda i, j, o=old, x=int(index), t=type_: o(i, j) + x * types[t])
            )
    alias, func = analysis("".join(lines))
    (x, one), (y, two) = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    size, other = data.draw(st.sampled_from([1, 2, 4, 8])), data.draw(st.sampled_from([1, 2, 4, 8]))
    found = alias.alias(Location(value_named(func, x), size), Location(value_named(func, y), other))
    for i in range(-4, 5):
        for j in range(-4, 5):
            start, begin = one(i, j), two(i, j)
            meet = start < begin + other and begin < start + size
            if found is NO:
                assert not meet
            elif found in (MUST, PARTIAL):
                assert meet
                assert (found is MUST) == (start == begin and size == other)


def test_pairs_of_objects_are_cached():
    alias, func = analysis(
        """
  %p1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %r1 = llvm.getelementptr %r[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
"""
    )
    asked: list[object] = []
    differ = alias._differ

    def counted(a: object, b: object) -> bool:
        asked.append((a, b))
        return differ(a, b)

    alias._differ = counted
    p, p1, r, r1 = (Location(value_named(func, name), 4) for name in ("p", "p1", "r", "r1"))
    assert {alias.alias(p, r), alias.alias(p1, r), alias.alias(p, r1), alias.alias(p1, r1)} == {NO}
    assert len(asked) == 1
