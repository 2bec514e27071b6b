"""Components of LLVM assembly: connections, contents, keys, and modules that are not split."""

from __future__ import annotations

import re

import pytest

from nvvm_xdsl.frontend.ll_components import NotSplit, components_of

KERNEL = """\
define ptx_kernel void @{0}(ptr %p) {1} {{
  {2}
  ret void
}}
"""


def kernels(first: str = "", second: str = "", more: str = "", attributes: str = "") -> str:
    """Two kernels with an instruction each."""
    return KERNEL.format("a", attributes, first) + KERNEL.format("b", "", second) + more


def symbols(text: str) -> list[list[str]]:
    return [part.symbols for part in components_of(text).parts]


CALL = "call i32 @f(i32 1)"
DEVICE = "define internal i32 @f(i32 %x) {\n  ret i32 %x\n}\n"
INLINED = "define internal i32 @f(i32 %x) alwaysinline {\n  ret i32 %x\n}\n"
GROUP = INLINED.replace("alwaysinline", "#0") + "attributes #0 = { nounwind alwaysinline }\n"
EXPF = "%e = call float @__nv_expf(float 1.0)"


def loads(*names: str) -> tuple[str, str]:
    first, second = (f"%l = load i32, ptr addrspace(1) @{name}" for name in names)
    return first, second


def test_independent_kernels():
    assert symbols(kernels()) == [["@a"], ["@b"]]
    assert symbols(kernels(CALL, "", DEVICE)) == [["@a", "@f"], ["@b"]]
    text = kernels(
        *loads("x", "y"), "@x = addrspace(1) global i32 0\n@y = addrspace(1) global i32 0\n"
    )
    assert symbols(text) == [["@a", "@x"], ["@b", "@y"]]


@pytest.mark.parametrize("more", ["declare i32 @f(i32)\n", "declare i32 @f(i32) ; @b\n"])
def test_declarations_do_not_connect(more: str):
    assert symbols(kernels(CALL, CALL, more)) == [["@a"], ["@b"]]


@pytest.mark.parametrize(
    "text",
    [
        kernels(CALL, CALL, DEVICE),
        kernels(CALL, CALL, INLINED.replace("internal", "weak_odr")),
        kernels(CALL, CALL, INLINED.replace("alwaysinline", '"alwaysinline"')),
        kernels(CALL, CALL, GROUP.replace("alwaysinline", '"alwaysinline"')),
        kernels(CALL, CALL, INLINED.replace("i32 %x)", "ptr %x)")),
        kernels(CALL, CALL, INLINED.replace("i32 %x)", "i32 %x, ...)")),
        kernels(CALL, "store ptr @f, ptr %p", INLINED),
        kernels(CALL, CALL, INLINED + "@t = addrspace(1) global ptr @f\n"),
        kernels(
            CALL,
            CALL,
            INLINED.replace("ret", "call i32 @g(i32 1)\n  ret") + DEVICE.replace("@f", "@g"),
        ),
        kernels(
            CALL,
            CALL,
            INLINED.replace("ret", "store i32 1, ptr addrspace(1) @x\n  ret")
            + "@x = addrspace(1) global i32 0\n",
        ),
        kernels(*loads("x", "x"), "@x = external addrspace(1) global i32\n"),
        kernels(*loads("x", "y"), "@x = addrspace(1) global ptr @y\n@y = global i32 0\n"),
        kernels(*loads("x", "y"), "@x = private constant i32 0\n@y = private constant i32 0 ; y\n"),
        kernels(
            *loads("x", "y"),
            "@x = private constant [2 x [2 x i8]] zeroinitializer\n"
            "@y = private constant [2 x [2 x i8]] undef\n",
        ),
        kernels(
            EXPF,
            "%s = call float @__nv_sinf(float 1.0)",
            "declare float @__nv_expf(float)\ndeclare float @__nv_sinf(float)\n",
        ),
        kernels(
            "%e = call double @llvm.exp.f64(double 1.0)",
            "%s = call float @__nv_sinf(float 1.0)",
            "declare double @llvm.exp.f64(double)\ndeclare float @__nv_sinf(float)\n",
        ),
        kernels(
            "call void @llvm.x(), !y !0", "", "declare void @llvm.x()\n!0 = !{!1}\n!1 = !{ptr @b}\n"
        ),
        kernels("", "", "!nvvm.annotations = !{!0}\n!0 = !{ptr @a, ptr @b}\n"),
        kernels("", "", "$b = comdat any\n", "comdat($b)").replace(
            "@b(ptr %p) ", "@b(ptr %p) comdat"
        ),
    ],
)
def test_connections(text: str):
    """A third kernel is alone."""
    third = KERNEL.format("c", "", "")
    assert [
        sorted(s for s in part if s in ("@a", "@b", "@c")) for part in symbols(text + third)
    ] == [
        ["@a", "@b"],
        ["@c"],
    ]


COMDAT = INLINED.replace("internal", "linkonce_odr").replace("alwaysinline", "alwaysinline comdat")


@pytest.mark.parametrize("function", [INLINED, GROUP, "$f = comdat any\n" + COMDAT])
def test_inlined_functions_do_not_connect(function: str):
    text = kernels(CALL, CALL, function)
    split = components_of(text)
    assert [part.symbols for part in split.parts] == [["@a"], ["@b"]]
    for part in split.parts:
        assert function.strip() in split.text_of([part])
    changed = keys(text.replace("ret i32 %x", "ret i32 7"))
    assert all(one != other for one, other in zip(keys(text), changed))


def test_inlined_functions_that_call_each_other():
    second = INLINED.replace("@f", "@g").replace("ret", "call i32 @f(i32 2)\n  ret")
    text = kernels("call i32 @g(i32 1)", CALL, INLINED + second)
    split = components_of(text)
    assert [part.symbols for part in split.parts] == [["@a"], ["@b"]]
    assert "@f(i32 %x)" in split.text_of(split.parts[:1])
    assert "@g" not in split.text_of(split.parts[1:])


def test_inlined_functions_without_callers_belong_to_the_first_kernel():
    assert symbols(kernels("", "", INLINED)) == [["@a", "@f"], ["@b"]]


def test_kernels_by_annotations():
    text = kernels(
        "",
        "",
        '!nvvm.annotations = !{!1, !0}\n!0 = !{ptr @a, !"kernel", i32 1}\n!1 = !{ptr @b, !"kernel", i32 1}\n',
    )
    split = components_of(text.replace("ptx_kernel ", ""))
    assert [part.symbols for part in split.parts] == [["@a"], ["@b"]]
    reduced = split.text_of(split.parts[:1])
    assert "!nvvm.annotations = !{!0}\n" in reduced
    assert "!1 = " not in reduced
    assert "@b" not in reduced


def test_other_definitions_belong_to_the_first_kernel():
    text = kernels("", "", DEVICE + "@x = addrspace(1) global i32 0\n")
    assert symbols(text) == [["@a", "@f", "@x"], ["@b"]]


@pytest.mark.parametrize(
    "text",
    [
        KERNEL.format("a", "", ""),
        kernels().replace("ptx_kernel ", ""),
        kernels('call void asm "l${:uid}:", ""()'),
        kernels("call void %p()"),
        kernels("call void %p (i32 1)"),
        kernels("invoke void %p() to label %x unwind label %y"),
        kernels("callbr void %p() to label %x []"),
        kernels("call void inttoptr (i64 8 to ptr)()"),
        kernels("", "", "@c = alias void (ptr), ptr @a\n"),
        kernels("", "", "@0 = global i32 0\n"),
        kernels("", "", "define void @0() {\n}\n"),
        kernels("", "", "%0 = type { i32 }\n"),
        kernels("", "", DEVICE + DEVICE),
        kernels('call i32 @"f"(i32 1)', CALL, DEVICE),
        kernels('call i32 @"\\66"(i32 1)', CALL, DEVICE),
        kernels("", "", 'module asm ".pragma"\n'),
        kernels("", "", "uselistorder i32 0, { 1, 0 }\n"),
        kernels("", "", "!other = !{!0}\n!0 = !{ptr @a}\n"),
        kernels("", "", "define void @f() {\n  ret void }\n" + DEVICE),
        kernels("", "", "define void @f() {\n  ret void\n"),
        kernels("", "", "define void () {\n}\n"),
        kernels().replace("@a", "@prototype_1"),
        kernels().replace("@a", "@__local_0"),
        "nonsense\n" + kernels(),
    ],
)
def test_modules_that_are_not_split(text: str):
    with pytest.raises(NotSplit):
        components_of(text)


def keys(text: str) -> list[str]:
    return [part.canonical for part in components_of(text).parts]


LOAD = "%l = load i32, ptr %p, !tbaa !{0}"
TBAA = '!{0} = !{{!"{1}"}}\n'


def test_numbers_and_comments_are_not_in_the_key():
    text = kernels(LOAD.format(1), LOAD.format(2), TBAA.format(1, "x") + TBAA.format(2, "y"))
    other = kernels(LOAD.format(7), LOAD.format(3), TBAA.format(3, "y") + TBAA.format(7, "x"))
    assert keys(text) == keys(other)
    assert keys(text) == [
        key.replace("; 1", "") for key in keys(text.replace("ret void", "ret void; 1"))
    ]


DEBUG = """\
!llvm.dbg.cu = !{{!0}}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1)
!1 = !DIFile(filename: "k.cu", directory: "")
!2 = distinct !DISubprogram(name: "a", file: !1, line: {0}, unit: !0)
!3 = !DILocation(line: {0}, scope: !2)
!4 = distinct !{{!4, !3}}
"""


def test_debug_information_is_not_in_the_key():
    store = "store i32 1, ptr %p, !dbg !3\n  br label %e, !dbg !3, !llvm.loop !4\ne:"
    text = kernels(store, "", DEBUG.format(1)).replace("@a(ptr %p) ", "@a(ptr %p) !dbg !2")
    without = re.sub(r",? *!dbg !\d", "", text)
    assert keys(text) == keys(text.replace("line: 1", "line: 5")) == keys(without)
    split = components_of(text)
    assert split.has_locations
    assert "line: 1" in split.text_of(split.parts)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"x"', '"z"'),
        ("load i32", "load volatile i32"),
        ("@a(ptr %p)", "@a(ptr noalias %p)"),
        ("nounwind", "noinline"),
        ("%T = type { i32 }", "%T = type { i64 }"),
        ("i32 128", "i32 64"),
        ("global i32 0", "global i32 1"),
        ("i32 @f(i32)", "i32 @f(i32 signext)"),
        ('c"!5"', 'c"!6"'),
    ],
)
def test_contents_of_the_key(old: str, new: str):
    text = kernels(
        LOAD.format(1) + "\n  call i32 @f(i32 0)\n  %m = load %T, ptr @v\n  %o = load i16, ptr @s",
        "",
        TBAA.format(1, "x")
        + '%T = type { i32 }\n@v = global i32 0\n@s = private constant [2 x i8] c"!5"\n'
        + "declare i32 @f(i32)\n!nvvm.annotations = !{!9}\n"
        + '!9 = !{ptr @a, !"maxntidx", i32 128}\nattributes #0 = { nounwind }\n',
        "#0",
    )
    assert old in text
    before, after = keys(text), keys(text.replace(old, new))
    assert before[0] != after[0]
    assert before[1] == after[1]


@pytest.mark.parametrize(
    "head",
    [
        'target triple = "nvptx64-nvidia-cuda"',
        'source_filename = "k"',
        "!llvm.ident = !{!9}\n!9 = !{}",
    ],
)
def test_keys_depend_on_the_module_header(head: str):
    assert all(one != other for one, other in zip(keys(kernels()), keys(f"{head}\n{kernels()}")))
