"""Without -rdc a program with kernels is whole: functions that no kernel reaches are dropped."""

from __future__ import annotations

import pytest

from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions

REACHED = """
define i32 @reached(i32 %x) noinline {
  %r = mul i32 %x, %x
  ret i32 %r
}
"""
UNREACHED = """
define void @unreached(ptr %p, i32 %x) {
  store i32 %x, ptr %p
  ret void
}
"""
KERNEL = """
declare i32 @reached(i32)
@counter = addrspace(1) global i32 0
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) {
  %r = call i32 @reached(i32 %x)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
"""


def compiled(*texts: str, remarks: list[str] | None = None, **options: object) -> str:
    modules = [parse(text) for text in texts]
    chosen = CompileOptions(**options)  # type: ignore[arg-type]
    return compile_modules(modules, chosen, remark=(remarks if remarks is not None else []).append)


@pytest.mark.parametrize("level", range(4))
def test_unreachable_functions_are_dropped(level: int):
    ptx = compiled(REACHED + UNREACHED, KERNEL, opt_level=level)
    assert "unreached" not in ptx
    assert ".visible .func" not in ptx
    assert "reached" in ptx
    assert ".visible .global" in ptx


def test_rdc_keeps_external_functions():
    ptx = compiled(REACHED + UNREACHED, KERNEL, rdc=True)
    assert ptx.count(".visible .func") == 2


def test_listed_functions_are_kept():
    used = '@llvm.used = appending global [1 x ptr] [ptr @unreached], section "llvm.metadata"\n'
    assert "unreached" in compiled(REACHED + UNREACHED + used, KERNEL)


def test_a_library_is_kept():
    assert "unreached" in compiled(REACHED + UNREACHED)


def test_recursion_is_reported():
    recursive = """
    define internal i32 @deep(i32 %x) noinline {
      %c = icmp eq i32 %x, 0
      br i1 %c, label %a, label %b
    a:
      ret i32 1
    b:
      %y = lshr i32 %x, 1
      %r = call i32 @deep(i32 %y)
      %s = mul i32 %r, %x
      %t = call i32 @deep(i32 %y)
      %u = add i32 %s, %t
      ret i32 %u
    }
    define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x) {
      %r = call i32 @deep(i32 %x)
      store i32 %r, ptr addrspace(1) %p
      ret void
    }
    """
    remarks: list[str] = []
    compiled(recursive, remarks=remarks)
    assert [r for r in remarks if "@deep recurses, so" in r and "in @k" in r] != []
    remarks.clear()
    compiled(REACHED, KERNEL, remarks=remarks)
    assert not any("recurse" in r for r in remarks)


@pytest.mark.parametrize("split_compile", [1, 2])
def test_undefined_functions_are_reported(split_compile: int):
    text = KERNEL.replace("@k(", "@_Z1kPif(")
    remarks: list[str] = []
    ptx = compiled(text, remarks=remarks, split_compile=split_compile)
    assert ".extern .func" in ptx
    (reported,) = [r for r in remarks if "not defined" in r]
    assert reported.startswith(
        "warning: @reached, called in @_Z1kPif, is not defined: give the file"
    )


@pytest.mark.parametrize(
    ("texts", "options"),
    [
        ((KERNEL, REACHED), {}),
        ((KERNEL,), {"rdc": True}),
        # Other modules link a library.
        ((KERNEL.replace("ptx_kernel ", ""),), {}),
        # ptxas provides the functions of the device runtime.
        ((KERNEL.replace("i32 @reached(i32 %x)", "ptr @malloc(i64 4)").replace(
            "i32 @reached(i32)", "ptr @malloc(i64)").replace("store i32 %r", "store ptr %r"),), {}),
        # Declared and never called.
        (("declare i32 @other(i32)", KERNEL, REACHED), {}),
    ],
)  # fmt: skip
def test_libraries_are_not_reported(texts: tuple[str, ...], options: dict[str, bool]):
    remarks: list[str] = []
    compiled(*texts, remarks=remarks, **options)
    assert not [r for r in remarks if "not defined" in r]
