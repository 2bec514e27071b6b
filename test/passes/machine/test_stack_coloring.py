"""Variables that share memory keep their values, and ptxas needs less local memory."""

from __future__ import annotations

import random
import re

import numpy as np
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from nvvm_xdsl.dialects.nvptx import NVPTX, LocalOp
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.stack_coloring import StackColoring
from nvvm_xdsl.simulator import launch

THREADS = 32
WORDS = 4


def kernel(seed: int) -> ModuleOp:
    """Stores to variables and loads of the stored values, some of them in loops."""
    pick = random.Random(seed)
    count = pick.randint(2, 5)
    lines = [
        *(f"nvptx.local @v{n} {4 * WORDS * pick.randint(1, 3)} align 4" for n in range(count)),
        "%p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64",
        '%t = nvptx.mov.sreg "tid.x" : !nvptx.b32',
        "%a = nvptx.mad wide.u32 %t, 4, %p : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64",
        *(f"%q{n} = nvptx.mov b64 @v{n} : () -> !nvptx.b64" for n in range(count)),
    ]
    total, number = "%t", 0

    def name() -> str:
        nonlocal number
        number += 1
        return f"%x{number}"

    for _ in range(pick.randint(2, 6)):
        loops = pick.random() < 0.5
        label = f"l{name()[1:]}"
        counter = name()
        if loops:
            entered, zero = name(), name()
            lines.append(f"{zero} = nvptx.mov b32 0 : () -> !nvptx.b32")
            lines.append(f"nvptx.bra ^{label}({zero}, {total} : !nvptx.b32, !nvptx.b32)")
            lines.append(f"^{label}({counter}: !nvptx.b32, {entered}: !nvptx.b32):")
            total = entered
        stored: list[tuple[int, int]] = []
        for _ in range(pick.randint(1, 6)):
            if stored and pick.random() < 0.5:
                variable, word = pick.choice(stored)
                value, sum_ = name(), name()
                place = pick.choice(
                    (f"[@v{variable} + {4 * word}]", f"[%q{variable} + {4 * word}]")
                )
                types = "!nvptx.b64" if "%" in place else ""
                lines.append(f"{value} = nvptx.ld local.b32 {place} : ({types}) -> !nvptx.b32")
                lines.append(
                    f"{sum_} = nvptx.mad lo.s32 {total}, 3, {value} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32"
                )
                total = sum_
            else:
                variable, word = pick.randrange(count), pick.randrange(WORDS)
                lines.append(
                    f"nvptx.st local.b32 [@v{variable} + {4 * word}], {total} : (!nvptx.b32) -> ()"
                )
                stored.append((variable, word))
        if loops:
            following, more = name(), name()
            lines.append(f"{following} = nvptx.add s32 {counter}, 1 : (!nvptx.b32) -> !nvptx.b32")
            lines.append(f"{more} = nvptx.setp lt.s32 {following}, 3 : (!nvptx.b32) -> !nvptx.pred")
            lines.append(
                f"nvptx.cbra {more} : !nvptx.pred, ^{label}({following}, {total} : !nvptx.b32, !nvptx.b32), ^{label}_end"
            )
            lines.append(f"^{label}_end:")
    lines.append(f"nvptx.st global.b32 [%a], {total} : (!nvptx.b64, !nvptx.b32) -> ()")
    lines.append("nvptx.ret")
    text = """builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "8.0"} {
      nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">) {
    """
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    return Parser(context, text + "\n".join(lines) + "\n}\n}").parse_module()


def memory_after(module: ModuleOp) -> list[int]:
    data = np.zeros(THREADS, np.int32)
    launch(module, "k", 1, THREADS, [data], checks=("init",))
    return data.tolist()


def frame_size(module: ModuleOp) -> int:
    (func,) = machine_functions(module)
    return sum(op.size for op in func.body.blocks[0].ops if isinstance(op, LocalOp))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 30))
def test_memory_is_the_same(seed: int):
    module = kernel(seed)
    expected = memory_after(module)
    before = frame_size(module)
    changed = run_pass(module, StackColoring())
    assert (frame_size(module) < before) == changed
    assert memory_after(module) == expected
    assert not run_pass(module, StackColoring())


def test_variables_often_share_memory():
    assert sum(run_pass(kernel(seed), StackColoring()) for seed in range(30)) >= 10


TWO_ARRAYS = """builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "8.0"} {
  nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">) {
    nvptx.local @a 400 align 4
    nvptx.local @b 400 align 4
    %p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
    %i = nvptx.ld global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
    %j = nvptx.ld global.b32 [%p + 4] : (!nvptx.b64) -> !nvptx.b32
    %a = nvptx.mov b64 @a : () -> !nvptx.b64
    %b = nvptx.mov b64 @b : () -> !nvptx.b64
    %q = nvptx.mad wide.u32 %i, 4, %a : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
    %r = nvptx.mad wide.u32 %j, 4, %a : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
    nvptx.st local.b32 [%q], %i : (!nvptx.b64, !nvptx.b32) -> ()
    %v = nvptx.ld local.b32 [%r] : (!nvptx.b64) -> !nvptx.b32
    %s = nvptx.mad wide.u32 %i, 4, %b : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
    %t = nvptx.mad wide.u32 %j, 4, %b : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
    nvptx.st local.b32 [%s], %v : (!nvptx.b64, !nvptx.b32) -> ()
    %w = nvptx.ld local.b32 [%t] : (!nvptx.b64) -> !nvptx.b32
    nvptx.st global.b32 [%p], %w : (!nvptx.b64, !nvptx.b32) -> ()
    nvptx.ret
  }
}"""


@needs_ptxas
def test_ptxas_needs_less_local_memory():
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    sizes: list[int] = []
    for passes in ((), (StackColoring(),)):
        module = Parser(context, TWO_ARRAYS).parse_module()
        run_pass(module, *passes)
        frame = re.search(r"(\d+) bytes stack frame", assemble(ptx_of(module), "sm_90", "-v"))
        assert frame is not None
        sizes.append(int(frame[1]))
    assert sizes == [800, 400]
