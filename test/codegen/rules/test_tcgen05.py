"""Every tcgen05 intrinsic of LLVM is selected with llc's text, and ptxas accepts it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, all_intrinsics, find_intrinsic
from nvvm_xdsl.dialects.nvvm.tcgen05_ptx import intrinsic_instruction

PREFIX = "llvm.nvvm.tcgen05."

# As llc 22 prints it, except for the collector: its default is omitted, and `.ashift` comes first.
TEXTS = [
    ("mma.shared", [0, 1, 0], "mma.cta_group::1.kind::f16 [$0], $1, $2, $3, $4"),
    ("mma.shared", [1, 2, 1], "mma.cta_group::2.kind::tf32.collector::a::lastuse [$0], $1, $2, $3, $4"),
    ("mma.tensor", [2, 2, 2], "mma.cta_group::2.kind::f8f6f4.collector::a::fill [$0], [$1], $2, $3, $4"),
    ("mma.shared", [3, 1, 3], "mma.cta_group::1.kind::i8.collector::a::use [$0], $1, $2, $3, $4"),
    ("mma.tensor.ashift", [0, 1, 1], "mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [$0], [$1], $2, $3, $4"),
    ("mma.shared.scale_d", [0, 1, 0], "mma.cta_group::1.kind::f16 [$0], $1, $2, $3, $4, !5"),
    ("mma.shared.disable_output_lane.cg2", [1, 0], "mma.cta_group::2.kind::tf32 [$0], $1, $2, $3, {$5}, $4"),
    ("mma.shared.scale_d.disable_output_lane.cg1", [0, 2], "mma.cta_group::1.kind::f16.collector::a::fill [$0], $1, $2, $3, {$6}, $4, !5"),
    ("mma.sp.tensor", [0, 1, 0], "mma.sp.cta_group::1.kind::f16 [$0], [$1], $2, [$5], $3, $4"),
    ("mma.sp.shared.scale_d.disable_output_lane.cg2", [1, 0], "mma.sp.cta_group::2.kind::tf32 [$0], $1, $2, [$5], $3, {$7}, $4, !6"),
    ("mma.shared.mxf8f6f4.block_scale", [1, 0], "mma.cta_group::1.kind::mxf8f6f4.block_scale [$0], $1, $2, $3, [$5], [$6], $4"),
    ("mma.sp.tensor.mxf4nvf4.block_scale.block16", [2, 2], "mma.sp.cta_group::2.kind::mxf4nvf4.block_scale.block16.collector::a::fill [$0], [$1], $2, [$5], $3, [$6], [$7], $4"),
    ("mma.ws.shared", [3, 0, 0], "mma.ws.cta_group::1.kind::i8 [$0], $1, $2, $3, $4"),
    ("mma.ws.sp.tensor.zero_col_mask", [0, 2, 3], "mma.ws.sp.cta_group::1.kind::f16.collector::b2::use [$0], [$1], $2, [$5], $3, $4, $6"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "flags", "text"), TEXTS)
def test_products_are_printed_as_by_llc(name: str, flags: list[int], text: str):
    intrinsic = find_intrinsic(PREFIX + name)
    assert intrinsic is not None
    count = len(intrinsic.arguments)
    first = count - len(flags)
    got = intrinsic_instruction(
        name.split("."), count, lambda i: flags[i - first] if i >= first else None
    )
    assert got == f"tcgen05.{text}"


TYPES = {"p": "ptr", "p3": "ptr addrspace(3)", "p6": "ptr addrspace(6)"}
VALUES = {
    "ptr": "%p", "ptr addrspace(3)": "%q", "ptr addrspace(6)": "%d", "i64": "%a", "i32": "%i", "i1": "%b",
    "i16": "%h", "<4 x i32>": "%v4", "<8 x i32>": "%v8",
}  # fmt: skip


def llvm_type(name: str) -> str:
    vector = re.fullmatch(r"v(\d+)i32", name)
    return f"<{vector[1]} x i32>" if vector else TYPES.get(name, name)


def statement(number: int, intrinsic: Intrinsic, group: int) -> tuple[str, str]:
    """Returns the declaration of an intrinsic and a call of it in a kernel of one `.cta_group`."""
    types = [llvm_type(t) for t in intrinsic.arguments]
    flags = [i for i in sorted(intrinsic.immediates) if types[i] == "i32"]
    arguments: list[str] = []
    for i, type_ in enumerate(types):
        value = VALUES.get(type_, "poison")
        if i in intrinsic.immediates:
            # Kind 0 and use 0 for all; the second last flag is the group of those that have one.
            grouped = ".ws." not in intrinsic.name and "disable" not in intrinsic.name
            value = {"i64": "3", "i1": "true"}.get(type_, "0")
            if type_ == "i32" and grouped and flags[-2:-1] == [i]:
                value = str(group)
        arguments.append(f"{type_} {value}")
    result = llvm_type(intrinsic.results[0]) if intrinsic.results else "void"
    declaration = f"declare {result} @{intrinsic.name}({', '.join(types)})"
    text = f"call {result} @{intrinsic.name}({', '.join(arguments)})"
    if intrinsic.results:
        text = f"%r{number} = {text}\n  store {result} %r{number}, ptr %p, align 4"
    return declaration, text


@needs_ptxas
@pytest.mark.parametrize("group", [1, 2])
def test_ptxas_accepts_every_intrinsic(group: int):
    """Two loads and stores of each shape; a kernel may have only one `.cta_group`."""
    found = [find_intrinsic(n) for n in all_intrinsics() if n.startswith(PREFIX)]
    chosen = [
        i
        for i in found
        if i is not None
        # Intrinsics of LLVM's main branch: test_main_families.py.
        and not re.search(r"\.ld\.red\.|decompress", i.name)
        and f"cg{3 - group}" not in i.name
        and not (group == 2 and ".ws." in i.name)
        and not re.search(r"\.(ld|st)\..*x(1|8|16|32|64|128)$", i.name)
    ]
    parts = [statement(n, i, group) for n, i in enumerate(chosen)]
    lines = "\n  ".join(text for _, text in parts)
    module = f"""\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
{chr(10).join(declaration for declaration, _ in parts)}
define ptx_kernel void @f(ptr %p, ptr addrspace(3) %q, i32 %di, i64 %a, i32 %i, i16 %h) {{
  %d = inttoptr i32 %di to ptr addrspace(6)
  %b = icmp eq i32 %i, 7
  %v4 = load <4 x i32>, ptr %p
  %v8 = load <8 x i32>, ptr %p
  {lines}
  ret void
}}
"""
    ptx = nvvm_xdsl.compile(module, arch="sm_100a", opt_level=0)
    assert len(re.findall(r"^\s*tcgen05\.", ptx, re.M)) == len(chosen)
    assemble(ptx, "sm_100a")


OPS = Path(__file__).parents[2] / "dialects" / "nvvm" / "roundtrip" / "tcgen05.mlir"
FUNCTIONS = [t for t in OPS.read_text().split("// -----") if "nvvm.tcgen05." in t]


@pytest.mark.parametrize("text", FUNCTIONS)
def test_every_op_is_selected(text: str):
    # The second half of a split access is at an immediate offset.
    text = text.replace("%arg0, %arg1 pack", "%arg0, %0 pack")
    text = text.replace(
        "%0 = nvvm.tcgen05.ld", "%0 = llvm.mlir.constant(8 : i64) : i64\n%1 = nvvm.tcgen05.ld"
    )
    ptx = nvvm_xdsl.compile(text, arch="sm_100a", opt_level=0)
    assert ("tcgen05." in ptx) == ("mma_smem_desc" not in text)
