"""Aliases become the symbols and addresses that they name, or functions for other modules."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import DictionaryAttr

from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.driver.aliases import lower_aliases
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.verify.verifier import verify_module

TARGET = """
define internal i32 @target(i32 signext %x) noinline {
  %r = add i32 %x, 1
  ret i32 %r
}
"""
CALLER = """
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %r = call i32 @name(i32 3)
  store i32 %r, ptr addrspace(1) %p
  ret void
}
"""
WEAK = "@name = weak alias i32 (i32), ptr @target\n" + TARGET + CALLER
STRONG = """
define i32 @name(i32 %x) {
  %r = add i32 %x, 100
  ret i32 %r
}
"""
LIBRARY = "@name = alias i32 (i32), ptr @target\n" + TARGET


def compiled(*texts: str, **options: object) -> str:
    modules = [parse(text) for text in texts]
    return compile_modules(modules, CompileOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize("texts", [(WEAK, STRONG), (STRONG, WEAK)])
def test_a_weak_alias_is_replaced_by_a_strong_function(texts: tuple[str, str]):
    ptx = compiled(*texts)
    assert "], 103;" in ptx
    assert "target(" not in ptx


def test_a_weak_alias_of_a_whole_program_is_its_target():
    ptx = compiled(WEAK)
    assert "], 4;" in ptx
    assert "name" not in ptx


@pytest.mark.parametrize("level", range(4))
def test_a_weak_alias_that_may_be_replaced_is_a_weak_function(level: int):
    ptx = compiled(WEAK, rdc=True, opt_level=level)
    assert ".weak .func (.param .b32 func_retval0) name(" in ptx
    assert "call.uni \t(retval0), target, (param0);" in ptx
    assert "st.global.b32 \t[%rd1], 4;" not in ptx


def test_facts_about_the_target_do_not_hold_for_a_function_that_replaces_a_weak_alias():
    target = TARGET.replace("noinline", "noinline willreturn memory(none)")
    unused = CALLER.replace("store i32 %r", "store i32 0")
    weak = "@name = weak alias i32 (i32), ptr @target\n"
    assert ", name, (" in compiled(weak + target + unused, rdc=True)


def test_a_library_defines_its_aliases():
    ptx = compiled(LIBRARY)
    assert ".visible .func (.param .b32 func_retval0) name(" in ptx


def test_a_library_keeps_the_convention_of_a_parameter():
    text = """
    @name = alias i32 (ptr), ptr @target
    define i32 @target(ptr byval({ i32, i32 }) align 16 %p) {
      %x = load i32, ptr %p
      ret i32 %x
    }
    """
    ptx = compiled(text, opt_level=0)
    assert ".param .align 16 .b8 name_param_0[8]" in ptx


@pytest.mark.parametrize("level", range(4))
def test_an_alias_of_a_part_of_a_variable(level: int):
    text = """
    @words = addrspace(1) global [2 x i32] [i32 5, i32 9]
    @pointer = addrspace(1) global ptr @generic
    @generic = internal alias i32, addrspacecast (ptr addrspace(1) @part to ptr)
    @part = alias i32, getelementptr (i8, ptr addrspace(1) @words, i64 4)
    define ptx_kernel void @k(ptr addrspace(1) %p) {
      %x = load i32, ptr addrspace(1) @part
      %y = load i32, ptr @generic
      store volatile i32 %x, ptr addrspace(1) %p
      store volatile i32 %y, ptr addrspace(1) %p
      ret void
    }
    """
    ptx = compiled(text, opt_level=level)
    assert "[words+4]" in ptx
    assert "pointer = generic(words)+4;" in ptx


USED = '@llvm.used = appending global [1 x ptr] [ptr @name], section "llvm.metadata"\n'


def test_a_listed_alias_of_a_whole_program_is_kept():
    ptx = compiled("@name = alias i32 (i32), ptr @target\n" + USED + TARGET + CALLER)
    assert ".visible .func (.param .b32 func_retval0) name(" in ptx


def test_a_listed_local_alias():
    text = "@name = internal alias i32 (i32), ptr @target\n" + USED + TARGET + CALLER
    module = parse(text)
    lower_aliases(module, rdc=False)
    verify_module(module)
    assert "name" in symbols_of(module)


def test_facts_about_parameters_do_not_hold_for_a_function_that_replaces_a_weak_alias():
    module = parse(WEAK.replace("i32 signext %x", "i32 range(i32 0, 5) signext %x"))
    lower_aliases(module, rdc=True)
    (attributes,) = items_of(symbols_of(module)["name"].properties["arg_attrs"])
    assert isinstance(attributes, DictionaryAttr)
    assert list(attributes.data) == ["llvm.signext"]


KERNEL = "define ptx_kernel void @k() {\n  ret void\n}\n"
ERRORS = {
    "'@name' is an alias of a kernel": "@name = alias void (), ptr @k\n" + KERNEL,
    "'@name' is an alias of a variadic function": """
    @name = alias i32 (ptr, ...), ptr @f
    define i32 @f(ptr %p, ...) {
      ret i32 1
    }
    """,
    "the alias '@name' of a variable is weak": """
    @name = weak alias i32, ptr addrspace(1) @v
    @v = addrspace(1) global i32 1
    define i32 @f() {
      %x = load i32, ptr addrspace(1) @name
      ret i32 %x
    }
    """,
}


@pytest.mark.parametrize("message", ERRORS)
def test_aliases_without_a_counterpart_in_ptx(message: str):
    with pytest.raises(DiagnosticError, match=message):
        compiled(ERRORS[message])
