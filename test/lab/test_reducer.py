"""The reducer preserves the failure and removes most other code."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.lab.reducer import Reducer, is_valid, reduce_module, remove_unreachable, size_of


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk()]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_large_kernel_becomes_small(seed: int):
    module = random_kernel(seed, 100)
    wanted = next(
        n for n in names(module) if n in ("llvm.mul", "llvm.fmul", "llvm.fadd", "llvm.add")
    )
    small = reduce_module(module, lambda m: wanted in names(m))
    assert wanted in names(small)
    assert is_valid(small)
    assert size_of(small)[0] <= 6 < size_of(module)[0]


def test_the_original_is_not_changed():
    module = random_kernel(4, 60)
    before = str(module)
    reduce_module(module, lambda m: "llvm.store" in names(m))
    assert str(module) == before


def test_input_that_does_not_fail_is_an_error():
    with pytest.raises(ValueError, match="does not fail"):
        reduce_module(random_kernel(5, 20), lambda m: False)


def test_attributes_and_flags_are_removed():
    module = read_ll(
        "define ptx_kernel void @k(ptr noalias readonly %a, i32 %n) #0 {\n"
        "  %x = add nuw nsw i32 %n, 1\n  store i32 %x, ptr %a\n  ret void\n}\n"
        'attributes #0 = { nounwind "key"="value" }\n'
    )
    small = reduce_module(module, lambda m: "llvm.add" in names(m))
    assert "nsw" not in str(small)
    assert "noalias" not in str(small)


def test_blocks_are_removed():
    module = read_ll(
        "define void @f(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  br label %d\nb:\n  %x = fence_free\n  br label %d\n"
        "d:\n  ret void\n}\n".replace("  %x = fence_free\n", "")
    )
    small = reduce_module(module, lambda m: "llvm.return" in names(m))
    assert names(small) == ["builtin.module", "llvm.func", "llvm.return"]


def test_unreachable_blocks_that_use_each_other_are_erased():
    module = read_ll(
        "define void @f(i32 %n) {\n  ret void\na:\n  %x = add i32 %y, 1\n  br label %b\nb:\n  %y = add i32 %x, 1\n"
        "  br label %a\n}\n"
    )
    (function,) = module.ops
    remove_unreachable(function.regions[0])
    assert len(function.regions[0].blocks) == 1


def test_the_number_of_attempts_is_limited():
    reducer = Reducer(lambda m: True, attempts=10)
    reducer.reduce(random_kernel(6, 100))
    assert reducer.tried <= 10


def test_the_reducer_needs_few_distinct_tests():
    """251 ops are reduced to at most 10 with so few runs that a command of half a second needs less than a
    minute.
    """
    module = random_kernel(10, 150)
    assert size_of(module)[0] >= 251
    tested: list[str] = []

    def interesting(candidate: ModuleOp) -> bool:
        tested.append(str(candidate))
        found = names(candidate)
        return "llvm.store" in found and "llvm.cond_br" in found

    small = reduce_module(module, interesting)
    assert size_of(small)[0] <= 10
    assert len(set(tested)) == len(tested) < 100
