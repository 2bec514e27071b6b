"""Linking modules, and functions of libdevice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import needs_libdevice
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.dialects.llvm import CallOp, GlobalOp

from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.llvm.accessors import callee_of, is_constant_global, stated_alignment
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr
from nvvm_xdsl.dialects.llvm.symbols import (
    calls_in,
    functions_of,
    is_declaration,
    linkage_of,
    symbols_of,
)
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend import libdevice
from nvvm_xdsl.frontend.bitcode import read_bitcode
from nvvm_xdsl.frontend.libdevice import link_libdevice, open_library
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import nvvm_cc
from nvvm_xdsl.verify.verifier import verify_module


def linked(*texts: str) -> ModuleOp:
    module = link([read_ll(text) for text in texts])
    verify_module(module)
    module.verify()
    return module


def lines(module: ModuleOp, *fragments: str) -> list[str]:
    """Returns the lines of the module that contain one of the fragments."""
    return [line.strip() for line in str(module).splitlines() if any(f in line for f in fragments)]


ADD = "define i32 @add(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"
CALLER = (
    "declare i32 @add(i32)\ndefine i32 @caller() {\n  %r = call i32 @add(i32 1)\n  ret i32 %r\n}\n"
)


@pytest.mark.parametrize("texts", [(ADD, CALLER), (CALLER, ADD)])
def test_a_declaration_is_replaced_by_the_definition(texts: tuple[str, str]):
    symbols = symbols_of(linked(*texts))
    assert sorted(symbols) == ["add", "caller"]
    assert not is_declaration(symbols["add"])


def test_declarations_of_the_same_symbol():
    assert sorted(symbols_of(linked(CALLER, CALLER.replace("@caller", "@other")))) == [
        "add",
        "caller",
        "other",
    ]


def test_two_definitions():
    with pytest.raises(DiagnosticError, match="'@add' is defined in two modules"):
        linked(ADD, ADD)


def test_two_definitions_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    first, second = tmp_path / "first.ll", tmp_path / "second.ll"
    first.write_text(f"\n{ADD}")
    second.write_text(ADD)
    assert nvvm_cc.main([str(first), str(second), "-o", str(tmp_path / "x.ptx")]) == 1
    message = capsys.readouterr().err.splitlines()
    error = "error: '@add' is defined in two modules; the other is at"
    assert message == [f"{second}:1:12: {error} {first}:2:12", ADD.splitlines()[0], " " * 11 + "^"]


def test_function_and_variable():
    with pytest.raises(DiagnosticError, match="'@add' is a function in one module and a variable"):
        linked(ADD, "@add = global i32 0")


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("weak", "", "second"),
        ("", "weak", "first"),
        ("linkonce_odr", "weak_odr", "first"),
        ("available_externally", "", "second"),
        ("available_externally", "weak", "second"),
    ],
)
def test_strong_definitions_replace_weak_ones(first: str, second: str, kept: str):
    texts = [
        f"define {linkage} i32 @f() {{\n  ret i32 {value}\n}}\n"
        for linkage, value in ((first, 1), (second, 2))
    ]
    value = {"first": 1, "second": 2}[kept]
    assert lines(linked(*texts), "mlir.constant") == [
        f"%0 = llvm.mlir.constant({value} : i32) : i32"
    ]


def test_common_variables_link_to_the_larger_one():
    module = linked(
        "@c = common global [2 x i8] zeroinitializer", "@c = common global [9 x i8] zeroinitializer"
    )
    assert "!llvm.array<9 x i8>" in str(module)
    assert "array<2 x i8>" not in str(module)


def test_a_definition_replaces_the_declaration_of_a_variable():
    module = linked(
        "@v = external addrspace(1) global i32\ndefine i32 @f() {\n  %x = load i32, ptr addrspace(1) @v\n  ret i32 %x\n}",
        "@v = addrspace(1) global i32 7",
    )
    assert lines(module, "llvm.mlir.global") == [
        "llvm.mlir.global external @v(7 : i32) {addr_space = 1 : i32} : i32"
    ]


SHARED = "@s = external addrspace(3) global [0 x {}]"
ALIGNMENTS = {
    "the highest stated one": ((SHARED.format("i8") + ", align 4", SHARED.format("i8") + ", align 16"), 16),
    "that of the type if none is stated": ((SHARED.format("i8") + ", align 4", SHARED.format("double")), 8),
    "none if both types have the same": ((SHARED.format("i32"), SHARED.format("float")), 0),
    "that of a definition or of its declaration": (("@s = global i32 7, align 4", "@s = external global i32, align 8"), 8),
    "the highest of two weak definitions": (("@s = weak global i32 7, align 8", "@s = weak global i32 8, align 4"), 8),
}  # fmt: skip


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("why", ALIGNMENTS)
def test_alignments_of_variables(why: str, swapped: bool):
    """Vector accesses of each module rely on the alignment that the module states."""
    texts, alignment = ALIGNMENTS[why]
    module = linked(*(reversed(texts) if swapped else texts))
    (variable,) = [op for op in module.body.block.ops if type(op) is GlobalOp]
    assert stated_alignment(variable) == alignment


@pytest.mark.parametrize(
    ("first", "second", "is_constant"),
    [
        ("external constant i32", "external constant i32", True),
        ("external constant i32", "external global i32", False),
        ("external global i32", "external constant i32", False),
        ("external global i32", "constant i32 7", True),
        ("external constant i32", "global i32 7", False),
    ],
)
def test_constant_declarations(first: str, second: str, is_constant: bool):
    """A definition states whether it is constant; a declaration may be the other module's variable."""
    module = linked("@v = " + first, "@v = " + second)
    (variable,) = [op for op in module.body.block.ops if type(op) is GlobalOp]
    assert is_constant_global(variable) is is_constant


LOCAL = """\
@data = private constant i32 {0}
define internal i32 @helper() {{
  %x = load i32, ptr @data
  ret i32 %x
}}
define i32 @get{0}() {{
  %x = call i32 @helper()
  ret i32 %x
}}
@table{0} = global ptr @helper
"""


def test_local_names_are_changed_on_conflict():
    module = linked(LOCAL.format(1), LOCAL.format(2))
    assert sorted(symbols_of(module)) == [
        *("data", "data.1", "get1", "get2", "helper", "helper.1", "table1", "table2"),
    ]
    text = str(module)
    second = text[text.index("@data.1") :]
    assert "addressof @data.1" in second
    assert "call @helper.1()" in second
    assert "addressof @helper.1" in second


def test_a_local_name_is_renamed_in_favor_of_a_global_one():
    module = linked(
        "@x = internal global i32 1\ndefine ptr @f() {\n  ret ptr @x\n}", "@x = global i32 2"
    )
    assert lines(module, "llvm.mlir.global", "addressof") == [
        "llvm.mlir.global internal @x.1(1 : i32) {addr_space = 0 : i32, dso_local} : i32",
        "%0 = llvm.mlir.addressof @x.1 : !llvm.ptr",
        "llvm.mlir.global external @x(2 : i32) {addr_space = 0 : i32} : i32",
    ]


def test_appending_variables():
    module = linked(
        '@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"\n@a = global i32 0',
        '@llvm.used = appending global [1 x ptr] [ptr @b], section "llvm.metadata"\n@b = global i32 0',
    )
    assert "!llvm.array<2 x ptr>" in str(module)
    assert len(lines(module, "addressof @a", "addressof @b")) == 2


def test_a_call_with_another_type_uses_the_address():
    used = "%i = fptosi float %r to i32\n  ret i32 %i"
    caller = CALLER.replace("i32 @add(i32", "float @add(i32")
    assert "llvm.call %" in str(linked(caller.replace("ret i32 %r", used), ADD))
    assert "llvm.call @add" in str(linked(caller.replace("ret i32 %r", "ret i32 0"), ADD))


@needs_libdevice
def test_a_function_of_libdevice_that_returns_nothing():
    """Numba declares `__nv_sincos` with a result, which it does not use."""
    module = read_ll(
        """declare ptr @__nv_sincos(double, ptr, ptr)
define ptx_kernel void @k(ptr %p, double %x) {
  %r = call ptr @__nv_sincos(double %x, ptr %p, ptr %p)
  ret void
}""",
        "k.ll",
    )
    library = find_libdevice()
    assert library is not None
    found = str(link_libdevice(module, library))
    assert "llvm.call @__nv_sincos(%x, %p, %p) : (f64, !llvm.ptr, !llvm.ptr) -> ()" in found


FLAGS = '!llvm.module.flags = !{{!0}}\n!0 = !{{i32 {behavior}, !"flag", i32 {value}}}\n'


@pytest.mark.parametrize(
    ("behavior", "name", "value"), [(7, "max", 5), (8, "min", 3), (2, "warning", 3)]
)
def test_module_flags(behavior: int, name: str, value: int):
    module = linked(*(FLAGS.format(behavior=behavior, value=v) for v in (3, 5)))
    assert lines(module, "module_flags") == [
        f'llvm.module_flags [#llvm.mlir.module_flag<{name}, "flag", {value} : i32>]'
    ]


def test_module_flags_that_differ():
    with pytest.raises(DiagnosticError, match="the modules differ in the flag 'flag'"):
        linked(*(FLAGS.format(behavior=1, value=v) for v in (3, 5)))


def test_the_layout_of_any_module_is_used():
    module = linked(ADD, 'target datalayout = "e-i64:64"\n' + CALLER)
    assert module.attributes["llvm.data_layout"] == StringAttr("e-i64:64")


USER = """\
@.str = private constant [2 x i8] c"ab"
declare float @__nv_sinf(float)
declare float @__nv_fabsf(float)
declare float @__nv_not_there(float)
define float @f(float %x) {
  %1 = call float @__nv_sinf(float %x)
  %2 = call float @__nv_fabsf(float %1)
  %3 = call float @__nv_not_there(float %2)
  %4 = load i8, ptr @.str
  ret float %3
}
"""


@needs_libdevice
def test_libdevice_provides_needed_functions():
    module = read_ll(USER)
    link_libdevice(module, find_libdevice())
    verify_module(module)
    symbols = symbols_of(module)
    for name in ("__nv_sinf", "__nv_fabsf"):
        assert not is_declaration(symbols[name])
        assert linkage_of(symbols[name]) == "internal"
    assert is_declaration(symbols["__nv_not_there"])
    assert linkage_of(symbols["__cudart_i2opi_f"]) == "internal"
    assert len(symbols) < 12
    again = str(module)
    assert str(link_libdevice(module, find_libdevice())) == again


@needs_libdevice
def test_libdevice_follows_calls():
    module = read_ll("declare double @__nv_pow(double, double)")
    link_libdevice(module, find_libdevice())
    assert "__internal_accurate_pow" in symbols_of(module)


@needs_libdevice
def test_libdevice_is_parsed_once(monkeypatch: pytest.MonkeyPatch):
    path = find_libdevice()
    assert path is not None
    library = open_library(path)
    assert len(library.functions) == 352
    monkeypatch.setattr(libdevice, "disassemble", None)
    assert open_library(path) is library


@pytest.mark.slow
@needs_libdevice
def test_all_of_libdevice_as_bitcode():
    path = find_libdevice()
    assert path is not None
    module = read_bitcode(path.read_bytes(), path.name)
    verify_module(module)
    functions = [
        op
        for op in symbols_of(module).values()
        if op.name == "llvm.func" and not is_declaration(op)
    ]
    assert len(functions) == 352


PURE_AND_NOT = """\
define float @__nv_expf(float %x) {
  ret float %x
}
define float @__nv_sinf(float %x) {
  %y = call float @helper(float %x)
  ret float %y
}
define float @__nv_modff(float %x, ptr %p) {
  store float %x, ptr %p
  ret float %x
}
define float @helper(float %x) {
  ret float %x
}
"""


def test_which_calls_of_libdevice_have_no_effects(tmp_path: Path):
    file = tmp_path / "library.ll"
    file.write_text(PURE_AND_NOT)
    module = read_ll(
        "declare float @__nv_sinf(float) convergent\ndeclare float @__nv_modff(float, ptr)\n"
        "define float @__nv_expf(float %x) {\n  ret float %x\n}\n"
        "define void @f(float %x, ptr %p) {\n"
        "  call float @__nv_sinf(float %x) convergent\n  call float @__nv_expf(float %x)\n"
        "  call float @__nv_modff(float %x, ptr %p)\n  ret void\n}\n"
    )
    link_libdevice(module, file)
    calls = [call for func in functions_of(module) for call in calls_in(func)]
    assert {callee_of(call): is_expression(call) for call in calls} == {
        "__nv_sinf": True,
        # The module has a definition of its own.
        "__nv_expf": False,
        # Has a pointer.
        "__nv_modff": False,
        # No documented function.
        "helper": False,
    }


TWICE = """target triple = "nvptx64-nvidia-cuda"
declare double @__nv_cos(double)
declare double @__nv_sin(double)
define internal double @cos(double %x) alwaysinline {
  %slot = alloca double
  store double %x, ptr %slot
  %y = load double, ptr %slot
  %z = call double @__nv_cos(double %y)
  ret double %z
}
define ptx_kernel void @once(ptr %p, double %x) {
  %a = call double @cos(double %x)
  %b = call double @__nv_sin(double %x)
  %d = fmul double %a, %b
  store double %d, ptr %p
  ret void
}
define ptx_kernel void @twice(ptr %p, double %y) {
  %slot = alloca double
  store double %y, ptr %slot
  %x = load double, ptr %slot
  %a = call double @cos(double %x)
  %b = call double @__nv_sin(double %x)
  %d = fmul double %a, %b
  store double %d, ptr %p
  %z = load double, ptr %slot
  %c = call double @cos(double %z)
  %q = getelementptr double, ptr %p, i32 1
  store double %c, ptr %q
  ret void
}
"""


@needs_libdevice
def test_equal_calls_of_libdevice_are_computed_once():
    once, twice = compile(TWICE, options=CompileOptions("sm_90")).split(".entry")[1:]
    assert twice.count("fma.rn.f64") == once.count("fma.rn.f64") > 0


LINKED_BY_CLANG = """
define void @user(double %x, ptr %p) {{
  %a = call double @{name}({argument})
  ret void
}}
define {linkage} double @{name}({parameter} %x) {{
  %s = alloca double
  call void @slow(ptr %s)
  %y = load double, ptr %s
  ret double %y
}}
declare void @slow(ptr)
"""


@pytest.mark.parametrize(
    ("name", "linkage", "parameter", "merges"),
    [
        ("__nv_sin", "internal", "double", True),
        ("__nv_atan2f", "internal", "double", True),
        ("__nv_sin", "weak", "double", False),
        ("__nv_counter", "internal", "double", False),
        ("__nv_sin", "internal", "ptr", False),
    ],
)
def test_calls_of_libdevice_that_clang_linked(
    name: str, linkage: str, parameter: str, merges: bool
):
    """Only internal mathematical functions without pointers are known to have no effects."""
    argument = "double %x" if parameter == "double" else "ptr %p"
    module = read_ll(LINKED_BY_CLANG.format(
        name=name, linkage=linkage, parameter=parameter, argument=argument
    ))  # fmt: skip
    link_libdevice(module, None)
    (call,) = (op for op in module.walk() if isinstance(op, CallOp) and op.results)
    assert is_expression(call) == merges


def test_no_libdevice_needed():
    module = read_ll(ADD)
    assert link_libdevice(module, None) is module


def test_libdevice_not_found():
    with pytest.raises(DiagnosticError, match=r"'@__nv_fabsf' is a function of libdevice"):
        link_libdevice(read_ll(USER), None)


def test_an_invalid_libdevice(tmp_path: Path):
    file = tmp_path / "libdevice.10.bc"
    with pytest.raises(DiagnosticError, match="cannot read libdevice: No such file"):
        link_libdevice(read_ll(USER), file)
    file.write_text("define")
    with pytest.raises(DiagnosticError, match="this is not a library of functions"):
        link_libdevice(read_ll(USER), file)


def test_libdevice_as_text(tmp_path: Path):
    file = tmp_path / "library.ll"
    file.write_text(
        "%t = type { float }\n\n"
        "define float @__nv_sinf(float %x) #0 {\n  %y = call float @helper(float %x), !foo !0\n  ret float %y\n}\n\n"
        "define internal float @helper(float %x) {\n  %s = insertvalue %t undef, float %x, 0\n"
        "  %y = extractvalue %t %s, 0\n  ret float %y\n}\n\n"
        "define float @unused(float %x) {\n  ret float %x\n}\n\n"
        "attributes #0 = { nounwind }\n\n!0 = !{}\n"
    )
    module = link_libdevice(read_ll("declare float @__nv_sinf(float)"), file)
    assert sorted(symbols_of(module)) == ["__nv_sinf", "helper"]


@pytest.mark.parametrize(
    "data", [b"", b"BC", b"BC\xc0\xde", b"BC\xc0\xde" + bytes(64), b"hello world!"]
)
def test_invalid_bitcode(data: bytes):
    with pytest.raises(DiagnosticError, match="bitcode"):
        read_bitcode(data, "k.bc")


NODES = """
define void @{name}(ptr %p, i1 %c) {{
  br label %loop
loop:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  store i32 1, ptr %p, !alias.scope !0, !tbaa !3, !llvm.access.group !9
  br i1 %c, label %loop, label %out, !llvm.loop !6
out:
  ret void
}}
!0 = !{{!1}}
!1 = distinct !{{!1, !2}}
!2 = distinct !{{!2}}
!3 = !{{!4, !4, i64 0}}
!4 = !{{!"int", !5, i64 0}}
!5 = {root}
!6 = distinct !{{!6, !7}}
!7 = !{{!"llvm.loop.parallel_accesses", !9}}
!9 = distinct !{{}}
"""
ROOTS = {
    "distinct !{!5}": 3,
    "distinct !{}": 3,
    'distinct !{!"int"}': 3,
    '!{!"Simple C++ TBAA"}': 1,
}


@pytest.mark.parametrize("root", ROOTS)
def test_distinct_nodes_of_two_modules_differ(root: str):
    module = linked(*(NODES.format(name=name, root=root) for name in ("f", "g", "h")))
    text = str(module)
    # Three modules with a scope, a domain and an access group each.
    assert set(re.findall(r"distinct\[(\d+)\]", text)) == set(map(str, range(9)))
    for func in functions_of(module):
        (declared,) = (op for op in func.walk() if "scope" in op.properties)
        (store,) = (op for op in func.walk() if op.name == "llvm.store")
        (branch,) = (op for op in func.walk() if op.name == "llvm.cond_br")
        assert store.properties["alias_scopes"] == ArrayAttr([declared.properties["scope"]])
        annotation = branch.properties["loop_annotation"]
        assert isinstance(annotation, LoopAnnotationAttr)
        assert store.properties["access_groups"] == annotation.parallelAccesses
    assert len(set(re.findall(r'tbaa_root<id = "([^"]*)"', text))) == ROOTS[root]


def test_roots_without_a_name_differ():
    text = NODES.format(name="f", root="distinct !{}")
    text = text.replace("out:", "out:\n  store i32 2, ptr %p, !tbaa !10")
    text += '!10 = !{!11, !11, i64 0}\n!11 = !{!"int", !12, i64 0}\n!12 = distinct !{}\n'
    assert len(set(re.findall(r'tbaa_root<id = "([^"]*)"', str(linked(text))))) == 2


def test_debug_information_of_loops_is_not_changed_by_linking():
    text = NODES.format(name="g", root="distinct !{}")
    text = text.replace("i1 %c) {", "i1 %c) !dbg !20 {")
    text += """
!llvm.dbg.cu = !{!22}
!llvm.module.flags = !{!24}
!20 = distinct !DISubprogram(name: "g", scope: !23, file: !23, line: 1, unit: !22, spFlags: DISPFlagDefinition)
!22 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !23, emissionKind: FullDebug)
!23 = !DIFile(filename: "a.cu", directory: "/")
!24 = !{i32 2, !"Debug Info Version", i32 3}
"""
    module = read_ll(text, debug="full")
    (func,) = functions_of(module)
    (branch,) = (op for op in func.walk() if op.name == "llvm.cond_br")
    branch.properties["loop_annotation"] = LoopAnnotationAttr.of(startLoc=func.location)
    assert "distinct" in str(func.location)
    link([read_ll(NODES.format(name="f", root="distinct !{}")), module])
    annotation = branch.properties["loop_annotation"]
    assert isinstance(annotation, LoopAnnotationAttr)
    assert annotation.startLoc == func.location
