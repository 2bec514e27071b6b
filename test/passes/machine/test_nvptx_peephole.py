"""The peephole patterns preserve values: random sequences of matching ops, run on edge cases."""

from __future__ import annotations

import random

import numpy as np
from helpers.assembling import assemble, needs_ptxas
from helpers.random_machine_code import ptx_of, run_pass
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser

from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.passes.machine.nvptx_peephole import NVPTXPeephole
from nvvm_xdsl.passes.machine.peephole_predicates import FLOAT_INVERSE, INVERSE
from nvvm_xdsl.simulator import launch

SPECIAL = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000)
MASKS = (0xFF, 0xFFFF, 0xFF00, 0x7F, -65281, -256, -65536, -4065, 0xFE0, 1, 31)
SHIFTS = (1, 5, 8, 16, 24, 31)
WIDTHS = (16, 32, 64)
THREADS = 64


def kernel(seed: int) -> ModuleOp:
    """A kernel that computes one word of two by a random chain and stores it."""
    pick = random.Random(seed)
    lines = [
        "%p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64",
        '%t = nvptx.mov.sreg "tid.x" : !nvptx.b32',
        "%a = nvptx.mad wide.u32 %t, 16, %p : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64",
        "%v0 = nvptx.ld global.b32 [%a] : (!nvptx.b64) -> !nvptx.b32",
        "%v1 = nvptx.ld global.b32 [%a + 4] : (!nvptx.b64) -> !nvptx.b32",
        "%v2 = nvptx.ld global.u8 [%a] : (!nvptx.b64) -> !nvptx.b32",
    ]
    values = {16: [], 32: ["%t", "%v0", "%v1", "%v2"], 64: []}
    flags: list[str] = []

    def add(width: int, text: str) -> None:
        name = f"%x{len(lines)}"
        lines.append(f"{name} = {text}")
        values[width].append(name)

    def flag(text: str) -> None:
        name = f"%x{len(lines)}"
        lines.append(f"{name} = {text} -> !nvptx.pred")
        flags.append(name)

    def recent(names: list[str]) -> str:
        return pick.choice(names[-3:])

    for _ in range(pick.randint(4, 14)):
        x = recent(values[32])
        y = pick.choice(values[32])
        kind = pick.randrange(18)
        if kind == 0:
            mask = pick.choice(MASKS)
            add(32, f"nvptx.and b32 {x}, {mask} : (!nvptx.b32) -> !nvptx.b32")
        elif kind == 1:
            shift = pick.choice(SHIFTS)
            add(32, f"nvptx.shl b32 {x}, {shift} : (!nvptx.b32) -> !nvptx.b32")
        elif kind == 2:
            shift, sign = pick.choice(SHIFTS), pick.choice("us")
            add(32, f"nvptx.shr {sign}32 {x}, {shift} : (!nvptx.b32) -> !nvptx.b32")
        elif kind == 3:
            add(32, f"nvptx.or b32 {x}, {y} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32")
        elif kind == 4:
            width = pick.choice([w for w in WIDTHS if values[w]])
            to, signs = pick.choice(WIDTHS), [pick.choice("us") for _ in range(2)]
            source = recent(values[width])
            mods = f"{signs[0]}{to}.{signs[1]}{width}"
            add(to, f"nvptx.cvt {mods} {source} : (!nvptx.b{width}) -> !nvptx.b{to}")
        elif kind == 5:
            compare = pick.choice((*INVERSE, *INVERSE.values()))
            type_ = "b32" if compare in ("eq", "ne") else "u32"
            other = pick.choice((y, "0", "1", "7"))
            types = "!nvptx.b32" if other[0] != "%" else "!nvptx.b32, !nvptx.b32"
            flag(f"nvptx.setp {compare}.{type_} {x}, {other} : ({types})")
            if len(flags) > 1 and pick.random() < 0.5:
                join = pick.choice(("and", "or"))
                types = "!nvptx.pred, !nvptx.pred"
                flag(f"nvptx.{join} pred {flags[-1]}, {flags[-2]} : ({types})")
        elif kind == 6 and flags:
            a, b = pick.choice(((1, 0), (0, 1), (7, 1)))
            add(32, f"nvptx.selp b32 {a}, {b}, {recent(flags)} : (!nvptx.pred) -> !nvptx.b32")
        elif kind == 7 and flags:
            flag(f"nvptx.not pred {recent(flags)} : (!nvptx.pred)")
        elif kind in (8, 9) and flags:
            a, b = pick.choice(((1, 0), (0, -5), (4, 0)))
            add(32, f"nvptx.selp b32 {a}, {b}, {recent(flags)} : (!nvptx.pred) -> !nvptx.b32")
            terms = pick.sample((x, values[32][-1]), 2)
            op = pick.choice(("add s32", "sub u32", "or b32", "xor b32"))
            add(32, f"nvptx.{op} {', '.join(terms)} : (!nvptx.b32, !nvptx.b32) -> !nvptx.b32")
        elif kind in (10, 11):
            sign = pick.choice("us")
            add(64, f"nvptx.cvt {sign}64.{sign}32 {x} : (!nvptx.b32) -> !nvptx.b64")
        elif kind in (12, 13) and values[64]:
            terms = pick.sample((recent(values[64]), pick.choice(values[64])), 2)
            op = pick.choice(("add s64", "sub s64", "add u64"))
            add(64, f"nvptx.{op} {', '.join(terms)} : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64")
        elif kind == 14 and values[64]:
            wide = recent(values[64])
            number = pick.choice((0, 1, 7, -1, -8, 64, 1 << 32, (1 << 32) - 1, -(1 << 40)))
            compare = pick.choice(("lt", "le", "gt", "ge")) + pick.choice((".s64", ".u64"))
            compare = pick.choice((compare, "eq.b64", "ne.s64"))
            flag(f"nvptx.setp {compare} {wide}, {number} : (!nvptx.b64)")
        elif kind == 15:
            factor = pick.choice((1, 8, -3, -(1 << 31)))
            add(64, f"nvptx.mul wide.s32 {x}, {factor} : (!nvptx.b32) -> !nvptx.b64")
        elif kind == 16 and values[64]:
            wide, amount = recent(values[64]), pick.choice((1, 7, 31))
            mask = pick.choice(((1 << amount) - 1, 3))
            add(64, f"nvptx.shl b64 {wide}, {amount} : (!nvptx.b64) -> !nvptx.b64")
            left = values[64][-1]
            add(64, f"nvptx.shr u64 {wide}, {32 - amount} : (!nvptx.b64) -> !nvptx.b64")
            add(64, f"nvptx.and b64 {values[64][-1]}, {mask} : (!nvptx.b64) -> !nvptx.b64")
            terms = pick.sample((left, values[64][-1]), 2)
            add(64, f"nvptx.or b64 {', '.join(terms)} : (!nvptx.b64, !nvptx.b64) -> !nvptx.b64")
        elif kind == 17:
            op, other = pick.choice((("max s32", "min"), ("min u32", "max"), ("max s32", "min")))
            add(32, f"nvptx.{op} {x}, {pick.choice((0, 5))} : (!nvptx.b32) -> !nvptx.b32")
            bound, sign = pick.choice((255, 2147483647, -1)), pick.choice("us")
            add(
                32, f"nvptx.{other} {sign}32 {values[32][-1]}, {bound} : (!nvptx.b32) -> !nvptx.b32"
            )
        else:
            number = pick.choice((1, -1, 2147483647))
            add(32, f"nvptx.add s32 {x}, {number} : (!nvptx.b32) -> !nvptx.b32")
    for width in WIDTHS:
        for name in values[width][-2:]:
            if width == 16:
                lines.append(
                    f"nvptx.st global.b16 [%a + 8], {name} : (!nvptx.b64, !nvptx.b16) -> ()"
                )
                continue
            wide = name
            if width == 64:
                wide = f"%x{len(lines)}"
                lines.append(f"{wide} = nvptx.cvt u32.u64 {name} : (!nvptx.b64) -> !nvptx.b32")
            lines.append(
                f"nvptx.atom global.add.u32 [%a + 12], {wide} : (!nvptx.b64, !nvptx.b32) -> !nvptx.b32"
            )
    if flags:
        lines.append(f"nvptx.cbra {flags[-1]} : !nvptx.pred, ^then, ^done")
        lines.append("^then:")
        lines.append("nvptx.st global.b32 [%a], 77 : (!nvptx.b64) -> ()")
        lines.append("nvptx.bra ^done")
        lines.append("^done:")
    lines.append("nvptx.ret")
    text = """builtin.module attributes {nvptx.target = "sm_90", nvptx.ptx = "8.0"} {
      nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">) {
    """
    return parse(text + "\n".join(lines) + "\n}\n}")


def parse(text: str) -> ModuleOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def memory_after(module: ModuleOp) -> list[int]:
    data = np.zeros((THREADS, 4), np.uint32)
    data[:, 0] = np.resize(np.array(SPECIAL, np.uint32), THREADS)
    data[:, 1] = np.arange(THREADS, dtype=np.uint32) * np.uint32(0x9E3779B1)
    launch(module, "k", 1, THREADS, [data])
    return data.ravel().tolist()


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 1 << 30))
def test_values_are_the_same(seed: int):
    module = kernel(seed)
    expected = memory_after(module)
    run_pass(module, NVPTXPeephole())
    assert memory_after(module) == expected
    text = str(module)
    assert not run_pass(module, NVPTXPeephole())
    assert str(module) == text


@needs_ptxas
def test_ptxas_accepts_peephole_results():
    for seed in range(6):
        module = kernel(seed)
        run_pass(module, NVPTXPeephole())
        assemble(ptx_of(module), "sm_90")


def test_inverses_of_floats():
    """Each comparison of floats and its inverse, on every kind of pair."""
    pairs = [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (np.nan, 1.0), (1.0, np.nan), (0.0, -0.0)]
    for compare, other in FLOAT_INVERSE.items():
        left, right = run_comparison(compare, pairs), run_comparison(other, pairs)
        assert all(a != b for a, b in zip(left, right)), compare


def run_comparison(compare: str, pairs: list[tuple[float, float]]) -> list[int]:
    module = parse(f"""builtin.module attributes {{nvptx.target = "sm_90", nvptx.ptx = "8.0"}} {{
      nvptx.func kernel visible @k(#nvptx.param<b64, name = "k_param_0">) {{
        %p = nvptx.ld param.b64 [@k_param_0] : () -> !nvptx.b64
        %t = nvptx.mov.sreg "tid.x" : !nvptx.b32
        %a = nvptx.mad wide.u32 %t, 8, %p : (!nvptx.b32, !nvptx.b64) -> !nvptx.b64
        %x = nvptx.ld global.f32 [%a] : (!nvptx.b64) -> !nvptx.f32
        %y = nvptx.ld global.f32 [%a + 4] : (!nvptx.b64) -> !nvptx.f32
        %c = nvptx.setp {compare}.f32 %x, %y : (!nvptx.f32, !nvptx.f32) -> !nvptx.pred
        %v = nvptx.selp b32 1, 0, %c : (!nvptx.pred) -> !nvptx.b32
        nvptx.st global.b32 [%a], %v : (!nvptx.b64, !nvptx.b32) -> ()
        nvptx.ret
      }}
    }}""")
    data = np.array(pairs, np.float32).view(np.uint32)
    launch(module, "k", 1, len(pairs), [data])
    return data.reshape(-1, 2)[:, 0].tolist()
