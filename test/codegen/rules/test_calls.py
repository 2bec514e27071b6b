"""Calls of every kind: through pointers with each prototype, with variable arguments of each type, tail
calls, operand bundles; and barriers that reduce. The module and its PTX compute the same, and ptxas accepts
the PTX.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from helpers.assembling import assemble
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.toolkit import find_ptxas

HEAD = 'target triple = "nvptx64-nvidia-cuda"\n'
TAKES = find_ptxas() is not None


def programs(source: str) -> Iterator[ModuleOp]:
    """Runs the module, and its PTX at the lowest and highest optimization level, which ptxas has accepted."""
    yield nvvm_xdsl.parse(source)
    for level in (0, 3):
        ptx = nvvm_xdsl.compile(source, arch="sm_90", opt_level=level)
        if TAKES:
            assemble(ptx, "sm_90")
        yield convert(nvvm_xdsl.parse(ptx))


TYPES = [
    "i1", "i7", "i8", "i16", "i24", "i32", "i64", "i100", "i128", "half", "bfloat", "float", "double", "ptr", "ptr addrspace(1)",
    "ptr addrspace(3)", "<2 x half>", "<2 x bfloat>", "<4 x i8>", "<3 x i16>", "<4 x float>", "<2 x double>", "<3 x i1>",
    "{ i8, i64 }", "<{ i8, i32 }>", "[3 x i16]", "{ float, [2 x i8], { i1, double } }",
]  # fmt: skip


def prototypes() -> str:
    """Functions that return their argument; the kernel calls them through a table."""
    count = len(TYPES)
    names = ", ".join(f"ptr @f{n}" for n in range(count))
    lines = [HEAD, f"@table = internal addrspace(1) global [{count} x ptr] [{names}]"]
    for n, t in enumerate(TYPES):
        lines.append(f"define internal {t} @f{n}(i16 %before, {t} %x, i8 %after) noinline {{")
        lines.append(f"  ret {t} %x\n}}")
    lines.append(
        "define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %at) {"
    )
    for n, t in enumerate(TYPES):
        lines.append(f"""
  %i{n} = add i64 %at, {n}
  %e{n} = getelementptr ptr, ptr addrspace(1) @table, i64 %i{n}
  %c{n} = load ptr, ptr addrspace(1) %e{n}
  %p{n} = getelementptr i8, ptr addrspace(1) %in, i64 {32 * n}
  %q{n} = getelementptr i8, ptr addrspace(1) %out, i64 {32 * n}
  %x{n} = load {t}, ptr addrspace(1) %p{n}
  %r{n} = call {t} %c{n}(i16 7, {t} %x{n}, i8 9)
  store {t} %r{n}, ptr addrspace(1) %q{n}""")
    return "\n".join([*lines, "  ret void\n}"])


@pytest.mark.slow
def test_calls_through_pointers_with_every_prototype():
    # Padding bits of a type of odd width are zeros, as LLVM stores them.
    given = np.zeros((len(TYPES), 32), np.uint8)
    given[:, :16] = 1
    results: list[np.ndarray] = []
    for module in programs(prototypes()):
        out = np.full_like(given, 0)
        simulator.launch(module, "k", 1, 1, [given.reshape(-1), out.reshape(-1), 0])
        results.append(out.copy())
    assert all((r == results[0]).all() for r in results)
    for row, type_ in zip(results[0], TYPES):
        assert row.any(), type_
    (full,) = {int(results[0][TYPES.index(t)].sum()) for t in ("i128", "<4 x float>", "<2 x double>")}  # fmt: skip
    assert full == 16
    assert results[0][TYPES.index("i100")].sum() == 13


VARIABLE = {
    "i8": "-3", "i16": "-300", "i32": "70000", "i64": "5000000000", "i128": "99999999999999999999", "half": "1.5",
    "float": "2.5", "double": "-0.1", "ptr": "null", "<2 x half>": "<half 1.0, half 2.0>", "<4 x i32>": "<i32 1, i32 2, i32 3, i32 4>",
    "<2 x float>": "<float 1.0, float 2.0>", "{ i8, i64 }": "{ i8 1, i64 2 }", "[3 x i16]": "[i16 1, i16 2, i16 3]",
}  # fmt: skip


def variadic() -> str:
    """A function that stores its variable arguments, each 16 bytes after the last, and one that stores
    constants.
    """
    reads, stores, passed = [], [], []
    for n, (t, value) in enumerate(VARIABLE.items()):
        at = f"  %q{n} = getelementptr i8, ptr addrspace(1) %out, i64 {16 * n}\n"
        reads.append(
            f"{at}  %v{n} = va_arg ptr %list, {t}\n  store {t} %v{n}, ptr addrspace(1) %q{n}"
        )
        stores.append(f"{at}  store {t} {value}, ptr addrspace(1) %q{n}")
        passed.append(f"{t} {value}")
    newline = "\n"
    return f"""{HEAD}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
define internal void @f(ptr addrspace(1) %out, ...) noinline {{
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
{newline.join(reads)}
  call void @llvm.va_end.p0(ptr %list)
  ret void
}}
define ptx_kernel void @k(ptr addrspace(1) %out) {{
  call void (ptr addrspace(1), ...) @f(ptr addrspace(1) %out, {", ".join(passed)})
  ret void
}}
define ptx_kernel void @wanted(ptr addrspace(1) %out) {{
{newline.join(stores)}
  ret void
}}
"""


@pytest.mark.slow
def test_variable_arguments_of_every_type():
    for module in programs(variadic()):
        found, wanted = (np.zeros(16 * len(VARIABLE), np.uint8) for _ in range(2))
        simulator.launch(module, "k", 1, 1, [found])
        simulator.launch(module, "wanted", 1, 1, [wanted])
        assert wanted.any()
        assert found.tolist() == wanted.tolist()


TAIL = """
@steps = internal addrspace(1) global [2 x ptr] [ptr @down, ptr @last]
define internal i32 @down(i32 %n, i32 %sum) noinline {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %more
more:
  %less = sub i32 %n, 1
  %more.sum = add i32 %sum, %n
  %r = musttail call i32 @down(i32 %less, i32 %more.sum)
  ret i32 %r
end:
  %to = load ptr, ptr addrspace(1) getelementptr ([2 x ptr], ptr addrspace(1) @steps, i64 0, i64 1)
  %s = musttail call i32 %to(i32 100, i32 %sum)
  ret i32 %s
}
define internal i32 @last(i32 %n, i32 %sum) noinline {
  %r = add i32 %n, %sum
  ret i32 %r
}
define ptx_kernel void @k(ptr addrspace(1) %out) {
  %n = load i32, ptr addrspace(1) %out
  %r = call i32 @down(i32 %n, i32 0)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
"""


def test_musttail_is_a_call():
    for module in programs(HEAD + TAIL):
        out = np.array([20], np.int32)
        simulator.launch(module, "k", 1, 1, [out])
        assert out[0] == 20 * 21 // 2 + 100


BUNDLES = """
declare void @llvm.assume(i1)
define internal i32 @f(i32 %x) noinline {
  %r = mul i32 %x, 3
  ret i32 %r
}
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  call void @llvm.assume(i1 true) [ "align"(ptr addrspace(1) %p, i64 16), "nonnull"(ptr addrspace(1) %p) ]
  %x = load i32, ptr addrspace(1) %p
  %a = call i32 @f(i32 %x) [ "deopt"(i32 %n) ]
  %b = call i32 @f(i32 %a) [ "unknown"(i32 %n, ptr addrspace(1) %p), "more"() ]
  store i32 %b, ptr addrspace(1) %p
  ret void
}
"""


def test_operand_bundles_are_not_arguments():
    for module in programs(HEAD + BUNDLES):
        out = np.array([5, 0, 0, 0], np.int32)
        simulator.launch(module, "k", 1, 1, [out, 3])
        assert out[0] == 45


REDUCTIONS = {
    "popc": ("i32", lambda p: p.sum()),
    "and": ("i1", lambda p: p.all()),
    "or": ("i1", lambda p: p.any()),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_barriers_that_reduce(name: str):
    type_, wanted = REDUCTIONS[name]
    forms = {
        f"{aligned}{count}": f"i32 {number}, {'i32 64, ' if count == 'count' else ''}i1 %p"
        for number, aligned in enumerate(("", "aligned."))
        for count in ("all", "count")
    }
    calls: list[str] = []
    for n, (form, operands) in enumerate(forms.items()):
        calls.append(f"  %r{n} = call {type_} @llvm.nvvm.barrier.cta.red.{name}.{form}({operands})")
        number = f"%r{n}"
        if type_ == "i1":
            calls.append(f"  %w{n} = zext i1 %r{n} to i32")
            number = f"%w{n}"
        calls.append(f"  %o{n} = getelementptr [4 x i32], ptr addrspace(1) %out, i32 %t, i32 {n}")
        calls.append(f"  store i32 {number}, ptr addrspace(1) %o{n}")
    newline = "\n"
    source = f"""{HEAD}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = getelementptr i8, ptr addrspace(1) %in, i32 %t
  %v = load i8, ptr addrspace(1) %i
  %p = icmp ne i8 %v, 0
{newline.join(calls)}
  ret void
}}
"""
    for module in programs(source):
        for given in (np.arange(64) % 3 == 0, np.zeros(64, bool), np.ones(64, bool)):
            out = np.full(256, -1, np.int32)
            simulator.launch(module, "k", 1, 64, [given.astype(np.uint8), out])
            assert (out == int(wanted(given))).all()


STOCHASTIC = [
    *((f"f32x4.to.{t}x4.rs.{relu}satfinite", "<4 x i8>", f"cvt.rs.{relu}satfinite.{t}x4.f32") for t in ("e4m3", "e5m2", "e2m3", "e3m2") for relu in ("", "relu.")),
    *((f"f32x4.to.e2m1x4.rs.{relu}satfinite", "i16", f"cvt.rs.{relu}satfinite.e2m1x4.f32") for relu in ("", "relu.")),
    *((f"ff2{short}x2.rs{words}", f"<2 x {t}>", f"cvt.rs{words}.{short}x2.f32") for short, t in (("f16", "half"), ("bf16", "bfloat")) for words in ("", ".relu", ".satfinite", ".relu.satfinite")),
]  # fmt: skip


def test_rounding_by_random_bits():
    lines: list[str] = []
    for n, (name, type_, _) in enumerate(STOCHASTIC):
        given = "<4 x float> %q" if "x4" in name else "float %x, float %y"
        lines.append(f"  %r{n} = call {type_} @llvm.nvvm.{name}({given}, i32 %bits)")
        lines.append(f"  %o{n} = getelementptr i32, ptr addrspace(1) %out, i32 {n}")
        lines.append(f"  store {type_} %r{n}, ptr addrspace(1) %o{n}")
    newline = "\n"
    source = f"""{HEAD}
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %bits) {{
  %q = load <4 x float>, ptr addrspace(1) %in
  %x = extractelement <4 x float> %q, i32 0
  %y = extractelement <4 x float> %q, i32 1
{newline.join(lines)}
  ret void
}}
"""
    for level in (0, 3):
        ptx = nvvm_xdsl.compile(source, arch="sm_103a", opt_level=level)
        if TAKES:
            assemble(ptx, "sm_103a")
        for _, _, instruction in STOCHASTIC:
            assert ptx.count(f"{instruction} ") + ptx.count(f"{instruction}\t") == 1, instruction
