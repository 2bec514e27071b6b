"""Random kernels and programs that are linked from two modules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.llvm.symbols import is_declaration, linkage_of, symbols_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import baseline
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.lab.random_kernels.linked_modules import link_parts
from nvvm_xdsl.lab.random_kernels.programs import (
    random_program,
    random_program_launches,
    random_program_text,
)
from nvvm_xdsl.verify.verifier import verify_module

KERNELS = "core,device-call=20,dynamic-shared=20"


def kernel(seed: int) -> tuple[ModuleOp, Sequence[Launch]]:
    return random_kernel(seed, 60, KERNELS), random_launches(seed, 1)


def program(seed: int) -> tuple[ModuleOp, Sequence[Launch]]:
    return read_ll(random_program_text(seed)), random_program_launches(seed)


@pytest.mark.parametrize("make", [kernel, program])
def test_linking_preserves_behaviour(make: Callable[[int], tuple[ModuleOp, Sequence[Launch]]]):
    """A strong definition replaces a weak one, and local symbols of two modules stay apart."""
    linkages: Counter[str] = Counter()
    for seed in range(3):
        plain, launches = make(seed)
        linked = link_parts(make(seed)[0], random.Random(seed))
        verify_module(linked)
        for one, other in zip(baseline(linked, launches), baseline(plain, launches)):
            for a, b in zip(one.arrays, other.arrays):
                assert a.tobytes() == b.tobytes()
        symbols = symbols_of(linked)
        assert [n for n, op in symbols.items() if is_declaration(op)] == [
            n for n, op in symbols_of(plain).items() if is_declaration(op) and n in symbols
        ]
        linkages.update(linkage_of(op) for op in symbols.values())
    assert linkages["external"] > 3
    assert linkages["internal"] > 3
    if make is program:
        assert {"weak", "weak_odr", "linkonce_odr"} <= linkages.keys()


def test_kernels_are_linked_on_demand():
    names = symbols_of(random_kernel(1, 60, KERNELS + ",linked-modules"))
    assert any(name.startswith("local") for name in names)
    assert not any(name.startswith("local") for name in symbols_of(kernel(1)[0]))


def test_some_programs_are_linked():
    linked = [
        any(name.startswith("local") for name in symbols_of(random_program(seed)))
        for seed in range(8)
    ]
    assert 0 < sum(linked) < 8
