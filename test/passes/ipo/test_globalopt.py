"""`globalopt`'s limits, each with a test that fails for another value, and the state that consecutive
launches share.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import Float80Type, ModuleOp, StringAttr
from xdsl.dialects.llvm import LLVMStructType, LLVMVoidType

from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.types import (
    BF16,
    F16,
    F32,
    F64,
    I1,
    I8,
    I32,
    I64,
    array,
    pointer,
    struct,
    vector,
)
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.lab.launch_sequences import run_in_a_row
from nvvm_xdsl.passes.ipo.globalopt import (
    ACCEPTED,
    GlobalOpt,
    is_analyzable,
    padded_bits,
    passes_filter,
    total_bits,
    type_tag,
)
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.pipeline.construct import PipelineConfig, construct
from nvvm_xdsl.pipeline.knobs import parse_opt

LAYOUT = DataLayout()


def program(fields: str, index: int = 0, space: int = 1) -> ModuleOp:
    """A kernel that adds to one field of a struct variable."""
    type_ = f"!llvm.struct<({fields})>"
    module = parse_module(f"""
    llvm.mlir.global internal @g() {{addr_space = {space} : i32}} : {type_} {{
      %z = llvm.mlir.zero : {type_}
      llvm.return %z : {type_}
    }}
    llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %g = llvm.mlir.addressof @g : !llvm.ptr<{space}>
      %f = llvm.getelementptr %g[0, {index}] : (!llvm.ptr<{space}>) -> !llvm.ptr<{space}>, {type_}
      %v = llvm.load %f : !llvm.ptr<{space}> -> i32
      %w = llvm.add %v, %x : i32
      llvm.store %w, %f : i32, !llvm.ptr<{space}>
      llvm.return
    }}""")
    intern_types(module)
    return module


def names(module: ModuleOp, pipeline: str = "globalopt") -> list[str]:
    """Returns the remaining variables."""
    run_pipeline(module, pipeline)
    module.verify()
    return [op.sym_name.data for op in module.ops if op.name == "llvm.mlir.global"]


def test_path_a_takes_2047_bits():
    assert GlobalOpt().globalopt_max_bits == 2047
    # An array of 62 words beside one is 2016 bits, one of 63 is 2048.
    assert names(program("i32, array<62 x i32>")) == ["g.body.f0"]
    assert names(program("i32, array<63 x i32>")) == ["g.f0"]
    assert names(program("i32, i32"), "globalopt<globalopt-max-bits=63>") == ["g.f0"]


def test_path_b_takes_16_fields():
    assert GlobalOpt().globalopt_max_sra_fields == 16
    small, large = ", ".join(["i32"] * 16), ", ".join(["i32"] * 17)
    assert names(program(small, 15)) == ["g.body.f15"]
    assert names(program(large, 15)) == ["g"]
    assert names(program("i32, i32, i32"), "globalopt<globalopt-max-sra-fields=2>") == ["g"]


def test_path_b_can_be_disabled():
    assert names(program("i32, i32"), "globalopt<globalopt-disable-sra>") == ["g"]


@pytest.mark.parametrize("space", [0, 1, 3])
def test_fields_stay_in_their_space(space: int):
    module = program("i32, i32", 1, space)
    if space == 3:
        assert names(module) == ["g.body.f1"]
    else:
        run_pipeline(module, "globalopt")
    (variable,) = [op for op in module.ops if op.name == "llvm.mlir.global"]
    assert variable.properties["addr_space"].value.data == space
    assert variable.properties["linkage"].linkage.data == "internal"


def test_the_mask_and_the_aggregates():
    accepted = [n for n in range(17) if ACCEPTED >> n & 1]
    assert accepted == [1, 2, 3, 4, 5, 6, 9, 11, 15]
    assert all(passes_filter(t) for t in (F16, F32, F64, I1, I64, pointer(3), vector(2, F32)))
    assert passes_filter(struct((I32, array(2, F32), struct((I8, pointer(0))))))
    assert not passes_filter(BF16)
    assert not passes_filter(struct((I32, LLVMVoidType())))
    assert not is_analyzable(struct((LLVMStructType.from_type_list([]).types,)))  # no type
    assert [hex(type_tag(t)) for t in (F16, F32, F64, I32, struct(()), vector(2, I8), pointer(0), array(1, I8))] == [
        "0x1", "0x2", "0x3", "0xb", "0xd", "0xe", "0xf", "0x10",
    ]  # fmt: skip


SIZES = [
    (F16, 16), (F32, 32), (F64, 64), (I1, 1), (I32, 32), (pointer(0), 64), (pointer(3), 64), (pointer(6), 32),
    (array(3, I32), 96), (struct((I32, I64)), 128), (array(2, struct((I8, I32))), 128), (vector(4, F32), 128),
    (Float80Type(), 80), (array(4, I1), 4), (array(2, Float80Type()), 160),
]  # fmt: skip


@pytest.mark.parametrize(("type_", "bits"), SIZES)
def test_sizes_by_tag(type_, bits: int):
    assert total_bits(type_, LAYOUT) == bits
    assert padded_bits(type_, LAYOUT) % LAYOUT.alignment(type_) == 0


def test_pointer_sizes_depend_on_the_space():
    """Path A accepts 32 pointers to shared memory if they have 32 bits, and none of 64 bits."""
    layout = DataLayout("e-p3:32:32-i64:64")
    assert [total_bits(pointer(space), layout) for space in (0, 1, 3)] == [64, 64, 32]
    fields = "i32, array<40 x ptr<3>>"
    assert names(program(fields)) == ["g.f0"]
    narrow = program(fields)
    narrow.attributes["llvm.data_layout"] = StringAttr("e-p3:32:32-i64:64")
    assert names(narrow) == ["g.body.f0"]


def test_offset_1440_skips_the_pass():
    for opt, there in (("", True), ("-no-earlycse", False)):
        config = PipelineConfig(level=3, options=parse_opt(opt))
        assert ("globalopt" in construct(config)) == there


def test_stored_addresses_of_functions_keep_a_struct_whole():
    text = """
    llvm.mlir.global internal @g() {{addr_space = 1 : i32}} : !llvm.struct<(ptr, i32)> {{
      %z = llvm.mlir.zero : !llvm.struct<(ptr, i32)>
      llvm.return %z : !llvm.struct<(ptr, i32)>
    }}
    llvm.func @f() {{
      llvm.return
    }}
    llvm.func @k(%x: !llvm.ptr, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %g = llvm.mlir.addressof @g : !llvm.ptr<1>
      %v = llvm.load %g : !llvm.ptr<1> -> !llvm.ptr
      llvm.store %v, %p : !llvm.ptr, !llvm.ptr<1>
      {made}
      llvm.store %s, %g : !llvm.ptr, !llvm.ptr<1>
      llvm.return
    }}"""
    made = {
        "%s = llvm.mlir.addressof @f : !llvm.ptr": ["g.body"],
        "%s = llvm.getelementptr %x[4] : (!llvm.ptr) -> !llvm.ptr, i8": ["g.body"],
        "%s = llvm.load %p : !llvm.ptr<1> -> !llvm.ptr": ["g.body.f0"],
    }
    for line, left in made.items():
        module = parse_module(text.format(made=line))
        intern_types(module)
        assert names(module) == left


def test_globalopt_runs_from_o2_on():
    for level, there in ((1, False), (2, True), (3, True)):
        assert ("globalopt" in construct(PipelineConfig(level=level))) == there


COUNTER = """
@state = internal addrspace(1) global { i32, float } { i32 5, float 1.5 }
@two = internal addrspace(1) global i32 7
@mine = internal addrspace(1) global i32 0
@never = internal addrspace(1) global i32 0
define ptx_kernel void @count(ptr %out) {
  %old = load i32, ptr addrspace(1) @state
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) @state
  %flag = load i32, ptr addrspace(1) @two
  %sum = add i32 %new, %flag
  store i32 100, ptr addrspace(1) @two
  store i32 %sum, ptr addrspace(1) @never
  store i32 %sum, ptr %out
  ret void
}
define ptx_kernel void @scale(ptr %out) {
  %place = getelementptr inbounds { i32, float }, ptr addrspace(1) @state, i32 0, i32 1
  %old = load float, ptr addrspace(1) %place
  %new = fmul float %old, 2.0
  store float %new, ptr addrspace(1) %place
  %n = fptosi float %new to i32
  store i32 %n, ptr addrspace(1) @mine
  %again = load i32, ptr addrspace(1) @mine
  store i32 %again, ptr %out
  ret void
}
"""


def launches() -> list[Launch]:
    order = ("count", "scale", "count", "scale", "count")
    return [Launch(name, 1, 1, (np.zeros(1, np.int32),)) for name in order]


def test_launches_see_the_state_of_earlier_launches():
    module = read_ll(COUNTER)
    outcomes = list(run_in_a_row(module, launches()))
    assert [int(o.arrays[0][0]) for o in outcomes] == [13, 3, 107, 6, 108]
    for pipeline in ("globalopt", "nvopt<O2>", "nvopt<O3>"):
        assert find_difference(module, pipeline, launches(), in_a_row=True) is None
    assert names(module) == ["state.body.f0", "state.body.f1", "two.b"]


LOCALIZED = {
    # Every thread stores before it loads, and none waits for another.
    "": [],
    # The load may return the value that another thread stored.
    "nvvm.barrier0": ["g"],
    "%old = llvm.load %g : !llvm.ptr<1> -> i32\nllvm.store %old, %p : i32, !llvm.ptr<1>": ["g"],
    "%a = llvm.atomicrmw add %p, %x acq_rel : !llvm.ptr<1>, i32": ["g"],
}


@pytest.mark.parametrize("line", LOCALIZED)
def test_localizing(line: str):
    text = """
    llvm.mlir.global internal @g(0 : i32) {{addr_space = 1 : i32}} : i32
    llvm.func @k(%x: i32, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %g = llvm.mlir.addressof @g : !llvm.ptr<1>
      {before}
      llvm.store %x, %g : i32, !llvm.ptr<1>
      {between}
      %v = llvm.load %g : !llvm.ptr<1> -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
      llvm.return
    }}"""
    early = "llvm.load" in line
    module = parse_module(text.format(before=line if early else "", between="" if early else line))
    intern_types(module)
    assert names(module) == LOCALIZED[line]


def test_a_second_kernel_keeps_a_variable_in_memory():
    kernel = """
    llvm.func @{name}(%x: i32, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %g = llvm.mlir.addressof @g : !llvm.ptr<1>
      llvm.store %x, %g : i32, !llvm.ptr<1>
      %v = llvm.load %g : !llvm.ptr<1> -> i32
      llvm.store %v, %p : i32, !llvm.ptr<1>
      llvm.return
    }}"""
    module = parse_module(
        "llvm.mlir.global internal @g(0 : i32) {addr_space = 1 : i32} : i32"
        + kernel.format(name="a")
        + kernel.format(name="b")
    )
    intern_types(module)
    assert names(module) == ["g"]


def test_volatile_and_atomic_accesses_are_kept():
    for access in (
        "llvm.store volatile %x, %g : i32, !llvm.ptr<1>",
        "%a = llvm.atomicrmw add %g, %x monotonic : !llvm.ptr<1>, i32",
    ):
        module = parse_module(f"""
        llvm.mlir.global internal @g(0 : i32) {{addr_space = 1 : i32}} : i32
        llvm.func @k(%x: i32) attributes {{nvvm.kernel}} {{
          %g = llvm.mlir.addressof @g : !llvm.ptr<1>
          {access}
          llvm.return
        }}""")
        intern_types(module)
        assert names(module) == ["g"]
