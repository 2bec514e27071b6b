"""Conditions of `globalopt`: each case changes one line of a module whose variable is transformed."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import defined_name, int_property
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.passes.ipo import globalopt
from nvvm_xdsl.passes.ipo.globalopt import GlobalOpt
from nvvm_xdsl.pipeline import run_pipeline
from test.helpers.modules import parse_module

DECLARATIONS = """
declare void @elsewhere(ptr addrspace(1))
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.pm.event.mask(i16 immarg)
"""
FILL = "call void @llvm.memset.p1.i64(ptr addrspace(1) @g, i8 1, i64 4, i1 0)"
VOLATILE_FILL = FILL.replace("i1 0", "i1 1")
COPY_TO = "call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) @g, ptr addrspace(1) %p, i64 4, i1 0)"
COPY_FROM = (
    "call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) @g, i64 4, i1 0)"
)


def left_of(text: str, pipeline: str = "globalopt") -> list[str]:
    """Returns the names of the variables after a pipeline."""
    return left_in(read_ll(text + DECLARATIONS), pipeline)


def left_in(module: ModuleOp, pipeline: str = "globalopt") -> list[str]:
    run_pipeline(module, pipeline)
    module.verify()
    return [defined_name(op) for op in module.ops if op.name == "llvm.mlir.global"]


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


# Structs

STRUCT = """
@g = internal addrspace(1) global { i32, float } zeroinitializer
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i64 %i) {
  %a = load i32, ptr addrspace(1) @g
  %b = add i32 %a, %n
  store i32 %b, ptr addrspace(1) @g
  store i32 %b, ptr addrspace(1) %p
  ; here
  ret void
}
"""


def test_a_struct_is_split():
    assert left_of(STRUCT) == ["g.body.f0"]


STRUCT_LINES = {
    "a fill": FILL,
    "a volatile fill": VOLATILE_FILL,
    "a copy to it": COPY_TO,
    "a copy of it": COPY_FROM,
    "a volatile load": "%x = load volatile i32, ptr addrspace(1) @g",
    "an atomic load": "%x = load atomic i32, ptr addrspace(1) @g monotonic, align 4",
    "a volatile store": "store volatile i32 1, ptr addrspace(1) @g",
    "an atomic store": "store atomic i32 1, ptr addrspace(1) @g monotonic, align 4",
    "a read-modify-write": "%x = atomicrmw add ptr addrspace(1) @g, i32 1 monotonic",
    "a compare-and-exchange": "%x = cmpxchg ptr addrspace(1) @g, i32 1, i32 2 monotonic monotonic",
    "an argument": "call void @elsewhere(ptr addrspace(1) @g)",
    "a stored address": "store ptr addrspace(1) @g, ptr addrspace(1) %p",
    "an integer made of the address": "%x = ptrtoint ptr addrspace(1) @g to i64",
    "an access to two fields": "%x = load i64, ptr addrspace(1) @g",
    "an index": (
        "%q = getelementptr i32, ptr addrspace(1) @g, i64 %i\n%x = load i32, ptr addrspace(1) %q"
    ),
    "an index and a constant": (
        "%q = getelementptr i32, ptr addrspace(1) @g, i64 %i\n"
        "%r = getelementptr i8, ptr addrspace(1) %q, i64 4\n%x = load i32, ptr addrspace(1) %r"
    ),
}


@pytest.mark.parametrize("why", STRUCT_LINES)
def test_an_access_keeps_a_struct_whole(why: str):
    assert left_of(changed(STRUCT, "; here", STRUCT_LINES[why])) == ["g"]


STRUCT_CHANGES = {
    "linkage": ("internal", "", ["g"]),
    "a section": ("zeroinitializer", 'zeroinitializer, section "mine"', ["g"]),
    "the host": ("(1) global", "(1) externally_initialized global", ["g"]),
    "no struct": ("{ i32, float }", "[2 x i32]", ["g"]),
    "an initializer": ("; here", "ret void\n}\n@t = addrspace(1) global ptr addrspace(1) @g\n"
                       "define void @other() {", ["g", "t"]),
}  # fmt: skip


def test_a_type_that_the_filter_rejects_is_kept(monkeypatch: pytest.MonkeyPatch):
    # No type of a valid variable is rejected: a bfloat is accepted, but not in a struct.
    monkeypatch.setattr(globalopt, "passes_filter", lambda type_: False)
    assert left_of(STRUCT) == ["g"]


@pytest.mark.parametrize("why", STRUCT_CHANGES)
def test_a_property_keeps_a_struct_whole(why: str):
    old, new, left = STRUCT_CHANGES[why]
    assert left_of(changed(STRUCT, old, new)) == left


WHOLE = """
%T = type { float, i32 }
%S = type { i32, %T }
@g = internal addrspace(1) global %S { i32 3, %T { float 0.5, i32 4 } }
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %s = load %S, ptr addrspace(1) @g
  %a = extractvalue %S %s, 0
  %b = extractvalue %S %s, 1, 1
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(1) %p
  ; here
  %t0 = insertvalue %S zeroinitializer, i32 %c, 0
  %t1 = insertvalue %S %t0, %T { float 2.0, i32 9 }, 1
  store %S %t1, ptr addrspace(1) @g
  %d = load i32, ptr addrspace(1) @g
  %q = getelementptr i8, ptr addrspace(1) %p, i64 16
  store i32 %d, ptr addrspace(1) %q
  ret void
}
"""
WHOLE_CHANGES = {
    "": ("", "", ["g.body.f0", "g.body.f1.body.f1.b"]),
    "a use of the whole": ("; here", "store %S %s, ptr addrspace(1) %p", ["g.body"]),
    "a load that nothing uses": (
        "; here", "%w = load %S, ptr addrspace(1) @g", ["g.body.f0", "g.body.f1.body.f1.b"],
    ),
    "another type is loaded": (
        "; here",
        "%w = load [3 x i32], ptr addrspace(1) @g\n  %x = extractvalue [3 x i32] %w, 1\n"
        "  store i32 %x, ptr addrspace(1) %p",
        ["g.body"],
    ),
    "another type is stored": (
        "; here",
        "%w = insertvalue [3 x i32] poison, i32 %n, 0\n  %x = insertvalue [3 x i32] %w, i32 1, 1\n"
        "  %y = insertvalue [3 x i32] %x, i32 %c, 2\n  store [3 x i32] %y, ptr addrspace(1) @g",
        ["g.body"],
    ),
    "a part of a field is put in": ("%T { float 2.0, i32 9 }, 1", "i32 %n, 1, 1", ["g.body"]),
    "one field is put in": ("store %S %t1", "store %S %t0", ["g.body"]),
    "a field is put in twice": (
        "zeroinitializer, i32 %c, 0",
        "zeroinitializer, i32 77, 0\n  %t2 = insertvalue %S %t0, i32 %c, 0\n"
        "  %t3 = insertvalue %S %t2, %T { float 1.0, i32 8 }, 1\n  store %S %t3, ptr addrspace(1) @g",
        ["g.body.f0", "g.body.f1.body.f1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", WHOLE_CHANGES)
def test_accesses_of_a_whole_global(why: str):
    old, new, left = WHOLE_CHANGES[why]
    text = changed(WHOLE, old, new) if old else WHOLE
    assert left_of(text) == left
    launches = [Launch("k", 1, 1, (np.zeros(16, np.int32), 5)) for _ in range(2)]
    assert find_difference(read_ll(text), "globalopt", launches, in_a_row=True) is None


@pytest.mark.parametrize(
    "initializer",
    [
        # A field assembled in another function, and a value that is no insertion.
        "%a = llvm.mlir.constant(1 : i32) : i32\n"
        "%u = llvm.mlir.zero : !llvm.struct<(struct<(i32)>, f32)>\n"
        "%v = llvm.insertvalue %a, %u[0, 0] : !llvm.struct<(struct<(i32)>, f32)>",
        "%c = llvm.mlir.constant(true) : i1\n"
        "%u = llvm.mlir.zero : !llvm.struct<(struct<(i32)>, f32)>\n"
        "%v = llvm.select %c, %u, %u : i1, !llvm.struct<(struct<(i32)>, f32)>",
    ],
)
def test_an_initializer_with_unknown_fields(initializer: str):
    module = parse_module(f"""
    llvm.mlir.global internal @g() {{addr_space = 1 : i32}} : !llvm.struct<(struct<(i32)>, f32)> {{
      {initializer}
      llvm.return %v : !llvm.struct<(struct<(i32)>, f32)>
    }}
    llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %g = llvm.mlir.addressof @g : !llvm.ptr<1>
      %v = llvm.load %g : !llvm.ptr<1> -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
      llvm.store %x, %g : i32, !llvm.ptr<1>
      llvm.return
    }}""")
    intern_types(module)
    assert left_in(module) == ["g"]


def test_an_integer_as_a_stored_address_keeps_a_struct_whole():
    text = changed(STRUCT, "{ i32, float }", "{ ptr, i32 }")
    line = "%x = inttoptr i64 %i to ptr\nstore ptr %x, ptr addrspace(1) @g"
    assert left_of(changed(text, "; here", line)) == ["g.body"]


# One number

NUMBER = """
@g = internal addrspace(1) global i32 3
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i64 %i) {
  %a = load i32, ptr addrspace(1) @g
  store i32 %a, ptr addrspace(1) %p
  store i32 9, ptr addrspace(1) @g
  ; here
  ret void
}
"""
NUMBER_CHANGES = {
    "": ("", "", ["g.b"]),
    "a fill": ("; here", FILL, ["g"]),
    "another value": ("; here", "store i32 4, ptr addrspace(1) @g", ["g"]),
    "an unknown value": ("; here", "store i32 %n, ptr addrspace(1) @g", ["g"]),
    "an unknown initial value": ("global i32 3", "global i32 undef", ["g"]),
    "a part is loaded": ("; here", "%x = load i16, ptr addrspace(1) @g", ["g"]),
    "a part is stored": ("; here", "store i16 3, ptr addrspace(1) @g", ["g"]),
    "an index": (
        "; here",
        "%q = getelementptr i32, ptr addrspace(1) @g, i64 %i\n%x = load i32, ptr addrspace(1) %q",
        ["g"],
    ),
}


@pytest.mark.parametrize("why", NUMBER_CHANGES)
def test_global_with_two_stored_values(why: str):
    old, new, left = NUMBER_CHANGES[why]
    assert left_of(changed(NUMBER, old, new) if old else NUMBER) == left


@pytest.mark.parametrize(
    ("type_", "first", "other"), [("i1", "false", "true"), ("float", "1.0", "2.0")]
)
def test_variables_of_other_types_do_not_become_bools(type_: str, first: str, other: str):
    text = f"""
    @g = internal addrspace(1) global {type_} {first}
    define ptx_kernel void @k(ptr addrspace(1) %p) {{
      %a = load {type_}, ptr addrspace(1) @g
      store {type_} %a, ptr addrspace(1) %p
      store {type_} {other}, ptr addrspace(1) @g
      ret void
    }}"""
    assert left_of(text) == ["g"]


def test_a_bool_has_its_own_alignment():
    module = read_ll(changed(NUMBER, "global i32 3", "global i32 3, align 64"))
    assert left_in(module) == ["g.b"]
    (variable,) = (op for op in module.ops if op.name == "llvm.mlir.global")
    assert not int_property(variable, "alignment")


UNREAD = """
@g = internal addrspace(1) global i32 3
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) @g
  ; here
  ret void
}
"""


def test_a_variable_that_is_never_read():
    assert left_of(UNREAD) == []
    assert left_of(changed(UNREAD, "; here", FILL)) == []
    assert left_of(changed(UNREAD, "; here", COPY_TO)) == []
    assert left_of(changed(UNREAD, "; here", VOLATILE_FILL)) == ["g"]
    assert left_of(changed(UNREAD, "; here", COPY_FROM)) == ["g"]


def test_unused_addresses_are_removed_with_their_variable():
    module = parse_module("""
    llvm.mlir.global internal @g(3 : i32) {addr_space = 1 : i32} : i32
    llvm.func @k(%x: i32) attributes {nvvm.kernel} {
      %g = llvm.mlir.addressof @g : !llvm.ptr<1>
      %b = llvm.bitcast %g : !llvm.ptr<1> to !llvm.ptr<1>
      %c = llvm.addrspacecast %b : !llvm.ptr<1> to !llvm.ptr
      %e = llvm.getelementptr %c[1] : (!llvm.ptr) -> !llvm.ptr, i8
      llvm.store %x, %g : i32, !llvm.ptr<1>
      llvm.return
    }""")
    intern_types(module)
    assert left_in(module) == []


CONSTANT = """
@g = internal {space} global i32 3
define ptx_kernel void @k(ptr addrspace(1) %p) {{
  %a = load i32, ptr {space} @g
  store i32 %a, ptr addrspace(1) %p
  {line}
  ret void
}}
"""


@pytest.mark.parametrize(
    ("space", "line", "constant"),
    [("1", "", True), ("1", FILL, False), ("3", "", False), ("5", "", False)],
)
def test_a_variable_that_is_never_written(space: str, line: str, constant: bool):
    text = CONSTANT.format(space=f"addrspace({space})", line=line)
    module = read_ll(text + DECLARATIONS)
    run_pipeline(module, "globalopt")
    (variable,) = (op for op in module.ops if op.name == "llvm.mlir.global")
    assert ("constant" in variable.properties) == constant
    assert not GlobalOpt().run(module, AnalysisManager())


# One kernel's variable

LOCAL = """
@g = internal addrspace(1) global i32 0, align 64
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  store i32 %n, ptr addrspace(1) @g
  ; here
  %a = load i32, ptr addrspace(1) @g
  store i32 %a, ptr addrspace(1) %p
  ret void
}
"""
LOCAL_CHANGES = {
    "": ("", "", []),
    "a fill": ("; here", FILL, ["g"]),
    "a part is loaded": ("; here", "%x = load i16, ptr addrspace(1) @g", ["g"]),
    "no kernel": ("ptx_kernel ", "", ["g"]),
    "local memory": ("ptr addrspace(1) @g", "ptr addrspace(5) @g", ["g"]),
    "a call": ("; here", "call void @elsewhere(ptr addrspace(1) %p) nounwind", ["g"]),
    "an index": (
        "; here",
        "%i = zext i32 %n to i64\n%q = getelementptr i32, ptr addrspace(1) @g, i64 %i\n"
        "%x = load i32, ptr addrspace(1) %q",
        ["g"],
    ),
    "a shuffle": ("; here", "%x = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 0, i32 31)", ["g"]),
    "a fence": ("; here", "fence acquire", ["g"]),
    "an event": ("; here", "call void @llvm.nvvm.pm.event.mask(i16 1)", []),
    "assembly": ("; here", 'call void asm sideeffect "membar.gl;", "~{memory}"()', ["g"]),
    "a volatile load": ("; here", "%x = load volatile i32, ptr addrspace(1) %p", ["g"]),
    "an acquire load": ("; here", "%x = load atomic i32, ptr addrspace(1) %p acquire, align 4", ["g"]),
    "a relaxed load": ("; here", "%x = load atomic i32, ptr addrspace(1) %p monotonic, align 4", ["g"]),
    "a relaxed update": ("; here", "%x = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic", ["g"]),
    "a relaxed exchange": ("; here", "%x = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 monotonic monotonic", ["g"]),
}  # fmt: skip


@pytest.mark.parametrize("why", LOCAL_CHANGES)
def test_a_variable_of_one_kernel(why: str):
    old, new, left = LOCAL_CHANGES[why]
    text = changed(LOCAL, old, new) if old else LOCAL
    if why == "local memory":
        text = changed(text, "internal addrspace(1)", "internal addrspace(5)")
    assert left_of(text) == left


def test_a_call_of_a_function_that_is_not_convergent():
    """Its effects are limited to its argument, but threads can synchronize through it."""
    function = """
    define internal void @f(ptr addrspace(1) %q) noinline {
      %x = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic
      ret void
    }"""
    text = changed(LOCAL, "; here", "call void @f(ptr addrspace(1) %p)") + function
    assert left_of(text, "function-attrs,globalopt") == ["g"]


def test_a_local_variable_keeps_its_alignment():
    module = read_ll(LOCAL)
    assert left_in(module) == []
    (slot,) = (op for op in module.walk() if op.name == "llvm.alloca")
    assert int_property(slot, "alignment") == 64


INDEXED = """
llvm.mlir.global internal @g() {addr_space = 1 : i32} : !llvm.array<4 x array<4 x i32>> {
  %0 = llvm.mlir.zero : !llvm.array<4 x array<4 x i32>>
  llvm.return %0 : !llvm.array<4 x array<4 x i32>>
}
llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
  %g = llvm.mlir.addressof @g : !llvm.ptr<1>
  %i = INDEX
  %q = llvm.getelementptr %g[0, %i, %i] : (!llvm.ptr<1>, i64, i64) -> !llvm.ptr<1>, !llvm.array<4 x array<4 x i32>>
  llvm.store %x, %q : i32, !llvm.ptr<1>
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("index", "left"),
    [
        ("llvm.mlir.constant(2 : i64) : i64", 0),
        ("llvm.load volatile %p : !llvm.ptr<1> -> i64", 1),
    ],
)
def test_only_addresses_are_erased_with_a_store(index: str, left: int):
    """An index that two operands use is erased once, and a volatile load is kept."""
    module = parse_module(INDEXED.replace("INDEX", index))
    intern_types(module)
    assert left_in(module) == []
    names = [op.name for op in module.walk()]
    assert names.count("llvm.load") == left
    assert "llvm.mlir.constant" not in names


def test_a_field_that_is_extracted_twice_is_loaded_once():
    text = changed(WHOLE, "; here", "%e = extractvalue %S %s, 0\nstore i32 %e, ptr addrspace(1) %p")
    module = read_ll(text + DECLARATIONS)
    left_in(module)
    loads = [op for op in module.walk() if op.name == "llvm.load"]
    assert sum(op.results[0].name_hint == "val" for op in loads) == 1


# Aliases

ALIASES = """
llvm.mlir.global internal @g(0 : i32) {addr_space = 1 : i32} : i32
llvm.mlir.alias {linkage}@a {attributes}: i32 {
  %0 = llvm.mlir.addressof @g : !llvm.ptr<1>
  {more}
  llvm.return {returned} : !llvm.ptr<1>
}
{listed}
llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %a = llvm.mlir.addressof @a : !llvm.ptr<1>
  %v = llvm.load %a : !llvm.ptr<1> -> i32
  llvm.store %v, %p : i32, !llvm.ptr<1>
  llvm.store %x, %a : i32, !llvm.ptr<1>
  llvm.return
}
"""
LISTED = """
llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr<1>> {
  %0 = llvm.mlir.addressof @a : !llvm.ptr<1>
  %1 = llvm.mlir.undef : !llvm.array<1 x ptr<1>>
  %2 = llvm.insertvalue %0, %1[0] : !llvm.array<1 x ptr<1>>
  llvm.return %2 : !llvm.array<1 x ptr<1>>
}
"""
CHAIN = """
llvm.mlir.alias internal @b : i32 {
  %0 = llvm.mlir.addressof @g : !llvm.ptr<1>
  llvm.return %0 : !llvm.ptr<1>
}
"""
PART = "%1 = llvm.getelementptr %0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8"
ALIAS_CHANGES = {
    "": ({}, []),
    "others see it": ({"linkage": "external "}, ["a"]),
    "it is listed": ({"listed": LISTED}, ["a"]),
    "a part of it": ({"more": PART, "returned": "%1"}, ["a"]),
    "an alias of an alias": ({"listed": CHAIN, "g": "b"}, ["a"]),
}


@pytest.mark.parametrize("why", ALIAS_CHANGES)
def test_aliases(why: str):
    changes, left = ALIAS_CHANGES[why]
    text = ALIASES
    if "g" in changes:
        text = changed(text, "addressof @g", f"addressof @{changes['g']}")
    defaults = {
        "linkage": "internal ",
        "attributes": "",
        "more": "",
        "returned": "%0",
        "listed": "",
    }
    for name, value in {**defaults, **changes}.items():
        text = text.replace(f"{{{name}}}", value)
    module = parse_module(text)
    intern_types(module)
    run_pipeline(module, "globalopt")
    module.verify()
    aliases = [op for op in module.ops if op.name == "llvm.mlir.alias"]
    assert [op.sym_name.data for op in aliases] == left
    assert "@b" not in str(module)


def test_a_variable_with_an_address_is_no_alias():
    text = """
    @g = addrspace(1) global i32 1
    @p = internal addrspace(1) global ptr addrspace(1) @g
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %a = load ptr addrspace(1), ptr addrspace(1) @p
      store ptr addrspace(1) %a, ptr addrspace(1) %out
      store ptr addrspace(1) %out, ptr addrspace(1) @p
      ret void
    }"""
    assert left_of(text) == ["g", "p"]


# Names

NAMES = {
    "g.body": (STRUCT, "globalopt", ["g.body.1.f0", "g.body"]),
    "g.body.f0": (STRUCT, "globalopt", ["g.body.f0.1", "g.body.f0"]),
    "g.b": (NUMBER, "globalopt", ["g.b.1", "g.b"]),
}


@pytest.mark.parametrize("name", NAMES)
def test_new_globals_get_unique_names(name: str):
    text, pipeline, left = NAMES[name]
    text += f"@{name} = addrspace(1) global i32 7\n"
    assert left_of(text, pipeline) == left


def test_a_variable_with_the_name_of_a_promoted_one():
    text = STRUCT.replace("@g", "@g.body")
    assert left_of(text) == ["g.body.body.f0"]


@pytest.mark.parametrize(
    ("options", "loads", "names"),
    [
        ("<globalopt-disable-sra>", "whole", {"g.body"}),
        ("", "whole", {"g.body.f0", "g.body.f1"}),
        # Too large for path A.
        ("<globalopt-max-bits=63>", "field", {"g.f0"}),
    ],
)
def test_new_variables_are_internal(options: str, loads: str, names: set[str]):
    """Linkage of `.body` and of fields, for a private variable."""
    made = {
        "whole": """%s = load { i32, i32 }, ptr addrspace(1) @g
        %a = extractvalue { i32, i32 } %s, 0
        %b = extractvalue { i32, i32 } %s, 1""",
        "field": "%a = load i32, ptr addrspace(1) @g\n%b = add i32 %a, 5",
    }
    module = read_ll(f"""
      @g = private addrspace(1) global {{ i32, i32 }} zeroinitializer
      define ptx_kernel void @k(ptr addrspace(1) %p) {{
        {made[loads]}
        %c = add i32 %a, %b
        store i32 %c, ptr addrspace(1) @g
        store i32 %c, ptr addrspace(1) %p
        ret void
      }}""")
    run_pipeline(module, f"globalopt{options}")
    found = {
        defined_name(op): op.properties["linkage"].linkage.data
        for op in module.ops
        if op.name == "llvm.mlir.global"
    }
    assert found == dict.fromkeys(names, "internal")


def test_functions_are_kept():
    text = changed(STRUCT, "; here", "call void @f()") + "define internal void @f() { ret void }\n"
    module = read_ll(text)
    assert left_in(module) == ["g.body.f0"]
    assert "@f" in str(module)


def test_a_struct_without_an_initializer_is_split():
    module = parse_module("""
    llvm.mlir.global internal @g() {addr_space = 3 : i32} : !llvm.struct<(i32, f32)>
    llvm.func @k(%p: !llvm.ptr<1>, %x: i32) attributes {nvvm.kernel} {
      %g = llvm.mlir.addressof @g : !llvm.ptr<3>
      %v = llvm.load %g : !llvm.ptr<3> -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
      llvm.return
    }""")
    intern_types(module)
    assert left_in(module) == ["g.body.f0"]
    assert "llvm.mlir.undef : i32" in str(module)
