"""Inline assembly of the installed CUDA headers: extraction, and each statement at every stage."""

from __future__ import annotations

import pytest
from helpers.assembling import needs_ptxas
from helpers.scale import share

import nvvm_xdsl
from dev.cuda_header_asm import Statement, function, of_cuda, preprocessed, refused, statements

TEXT = r"""
# 1 "/cuda/include/cuda_bf16.h" 1 3
static void f() { asm volatile ("add.s32 %0, %1, %%laneid;\n" "{ ret; }" : "=r"(x) : "r"(g(y, 1)) : "memory"); }
asm ("trap;"); asm ("mov.b64 %0, {%1, %2};" : "+l"(z) : "r"(a), "n"(4)); asm ("trap;");
# 5 "/usr/include/string.h" 3
extern char *index(void) __asm ("index");
# 9 "/cuda/include/mma.h" 3
asm("exit;" :::"memory");
"""


def test_statements_of_cuda_are_found_once():
    assert list(statements(of_cuda(TEXT))) == [
        Statement("add.s32 %0, %1, %%laneid;\n{ ret; }", ("=r",), ("r",)),
        Statement("trap;", (), ()),
        Statement("mov.b64 %0, {%1, %2};", ("+l",), ("r", "n")),
        Statement("exit;", (), ()),
    ]


def test_a_statement_as_a_function():
    source = function(Statement("add.s32 %0, %1, %%laneid;", ("+r",), ("n",)), "f")
    assert "add.s32 $0, $1, %laneid;" in source
    assert '"=r,n,0,~{memory}"(i32 16, i32 %a0)' in source
    ptx = nvvm_xdsl.compile(source, arch="sm_90")
    assert ", 16, %laneid;" in ptx


@needs_ptxas
@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100a"])
def test_inline_assembly_of_the_headers(arch: str):
    source = preprocessed(arch)
    if source is None:
        pytest.skip("nvcc with CUDA's headers was not found")
    found = list(statements(source))
    assert len(found) > 500
    # The newest GPU accepts all statements.
    tried = found if arch == "sm_100a" else share(found, 5, lambda statement: statement.text)
    assert refused(tried, arch) == []
