"""Handles of textures and samplers: queries, wrong handles, owners."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.handle_kernels import WAYS, ask, run
from helpers.machine_kernels import Kernel

import nvvm_xdsl
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    F32,
    PRED,
    GlobalOp,
    addr_list,
    global_variable,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import Sampler, SimulationError, Surface, Texture, launch

LINE = np.array([10, 20, 30, 40], np.float32)

each_way = pytest.mark.parametrize("way", WAYS)


def mipmapped() -> Texture:
    """Levels of 8, 4, 2 and 1 texels."""
    levels = [np.zeros((8 >> n, 8 >> n), np.float32) for n in range(4)]
    return Texture(levels[0], mipmaps=levels[1:])


def test_the_residence_predicate():
    """`d|p`: the predicate is true if the texels are resident."""
    texture = Texture(LINE)
    text = "{.reg .pred %p0; tex.1d.v4.f32.f32 {$0, $1, $2, $3}|%p0, [$5, {$6}]; selp.u16 $4, 1, 0, %p0; }"

    module = nvvm_xdsl.parse(
        f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i64 %t, float %x, ptr %out) {{
  %r = call {{ float, float, float, float, i16 }} asm "{text}", "=f,=f,=f,=f,=h,l,f"(i64 %t, float %x)
  %v = extractvalue {{ float, float, float, float, i16 }} %r, 0
  %p = extractvalue {{ float, float, float, float, i16 }} %r, 4
  store float %v, ptr %out
  %q = getelementptr float, ptr %out, i32 1
  %f = uitofp i16 %p to float
  store float %f, ptr %q
  ret void
}}
""",
        format="ll",
    )
    out = np.zeros(2, np.float32)
    launch(module, "k", 1, 1, [texture, 2.5, out])
    assert out.tolist() == [30, 1]


# Queries


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("width", 8), ("height", 4), ("depth", 0), ("channel_data_type", 0x10D2),
        ("channel_order", 0x10B5), ("normalized_coords", 1), ("array_size", 2),
        ("num_mipmap_levels", 2), ("num_samples", 0), ("force_unnormalized_coords", 0),
        ("filter_mode", 1), ("addr_mode_0", 0), ("addr_mode_1", 4), ("addr_mode_2", 4),
    ],
)  # fmt: skip
def test_texture_queries(query: str, wanted: int):
    """OpenCL's numbers for types and orders, positions in PTX's lists (5.3.1) for modes."""
    texture = Texture(
        np.zeros((2, 4, 8, 4), np.uint8),
        channels=4,
        layered=True,
        mipmaps=[np.zeros((2, 2, 4, 4), np.uint8)],
        normalized_float=True,
        normalized=True,
        filter="linear",
        address_mode=("wrap", "border"),
    )
    assert ask(f"txq.{query}.b32", texture) == [wanted]


@pytest.mark.parametrize(("level", "wanted"), [(0, 8), (2, 2), (3, 1), (4, 0)])
def test_queries_of_a_level(level: int, wanted: int):
    assert ask("txq.level.height.b32", mipmapped(), level) == [wanted]


def test_queries_of_samples_and_volumes():
    assert ask("txq.num_samples.b32", Texture(np.zeros((4, 2, 2), "f4"), multisampled=True)) == [4]
    assert ask("txq.depth.b32", Texture(np.zeros((4, 2, 3), "f4"))) == [4]
    assert ask("txq.channel_data_type.b32", Texture(np.zeros(3, "f2"))) == [0x10DD]
    assert ask("txq.filter_mode.b32", Sampler()) == [0]


@pytest.mark.parametrize(
    ("kind", "handle", "wanted"),
    [
        ("texref", Texture(LINE), 1), ("samplerref", Texture(LINE), 0),
        ("samplerref", Sampler(), 1), ("texref", Sampler(), 0), ("surfref", Texture(LINE), 0),
        ("surfref", Surface(np.zeros(4, "f4")), 1), ("texref", 1234, 0), ("surfref", 0, 0),
    ],
)  # fmt: skip
def test_istypep(kind: str, handle: object, wanted: int):
    """PTX ISA 9.7.10.6."""
    assert ask(f"istypep.{kind}", handle) == [wanted]


# Errors


@each_way
@pytest.mark.parametrize(
    ("opcode", "handles", "message"),
    [
        ("tex.1d.v4.f32.f32", [77], "0x4d is not a handle of a texture, in thread"),
        ("tex.1d.v4.f32.f32", [Sampler()], "expected a handle of a texture, got a handle of a sampler"),
        ("tex.1d.v4.f32.f32", [Surface(LINE)], "expected a handle of a texture, got a handle of a surf"),
        ("tex.1d.v4.f32.f32", [Texture(LINE), 5], "0x5 is not a handle of a sampler"),
        ("tex.1d.v4.f32.f32", [Texture(LINE.reshape(2, 2))], "reads a texture of geometry 2d"),
        ("tex.1d.v4.s32.f32", [Texture(LINE)], "reads a texture of float32"),
        ("tex.1d.v4.f32.f32", [Texture(np.zeros(3, "u1"))], "reads a texture of uint8"),
        ("tex.1d.v4.u32.f32", [Texture(np.zeros(3, "u1"), normalized_float=True)], "of normalized"),
        (
            "tex.1d.v4.u32.f32", [Texture(np.zeros(3, "u1")), Sampler(filter="linear")],
            "uint8 elements cannot be filtered",
        ),
    ],
)  # fmt: skip
def test_handles_that_do_not_fit(opcode: str, handles: list[object], message: str, way: str):
    with pytest.raises(SimulationError, match=message):
        run(opcode, handles, [[0.0]], way=way)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Texture(np.zeros(3)), "cannot have elements of type float64"),
        (lambda: Texture(np.zeros((0,), "f4")), "is empty"),
        (lambda: Texture(np.zeros((2, 2, 2, 2), "f4")), "has 1 or 2 or 3 axes"),
        (lambda: Texture(np.zeros((2, 3), "f4"), channels=4), "of 4 channels has 4 elements"),
        (lambda: Texture(np.zeros((2, 3), "f4"), channels=3), "1, 2 or 4 channels, not 3"),
        (lambda: Texture(np.zeros((6, 2, 3), "f4"), cubemap=True), "six square faces"),
        (lambda: Texture(np.zeros(3, "i4"), normalized_float=True), "as normalized floats"),
        (lambda: Texture(np.zeros(3, "i4"), filter="linear"), "cannot be filtered"),
        (lambda: Texture(np.zeros(3, "f4"), srgb=True), "hold sRGB"),
        (lambda: Texture(np.zeros((2, 2), "f4"), linear_memory=True), "one dimension, one level"),
        (lambda: Texture(np.zeros(4, "f4"), mipmaps=[np.zeros(3, "f4")]), r"not float32 and \(2,\)"),
        (lambda: Texture(np.zeros(4, "f4"), filter="liner"), "did you mean 'linear'"),
        (lambda: Sampler(address_mode="repeat"), "unknown address mode 'repeat'"),
        (lambda: Sampler(address_mode=()), "one to three dimensions"),
    ],
)  # fmt: skip
def test_invalid_textures(make, message: str):
    with pytest.raises(SimulationError, match=message):
        make()


def test_lanes_with_different_textures():
    """Handles are loaded from memory, as from bindless arrays of textures."""

    source = """target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr byval([3 x i64]) %handles, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %which = urem i32 %t, 3
  %p = getelementptr i64, ptr %handles, i32 %which
  %h = load i64, ptr %p
  %odd = icmp eq i32 %which, 2
  br i1 %odd, label %done, label %read
read:
  %x = sitofp i32 %t to float
  %r = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 %h, float %x)
  %v = extractvalue { float, float, float, float } %r, 0
  %q = getelementptr float, ptr %out, i32 %t
  store float %v, ptr %q
  br label %done
done:
  ret void
}
"""
    module = nvvm_xdsl.parse(source, format="ll")
    out = np.zeros(6, np.float32)
    first = Texture(np.arange(8, dtype=np.float32))
    second = Texture(np.arange(8, dtype=np.float32) * 10)
    launch(module, "k", 1, 6, [(first, second, 0), out], checks=["init"])
    assert out.tolist() == [0, 10, 0, 3, 40, 0]


def test_lanes_with_a_false_guard_read_nothing():
    """Handles of threads with a false guard may have any value."""
    text = (
        "{.reg .pred p; .reg .f32 a, b, c; setp.ne.b64 p, $1, 0; mov.f32 $0, 0fBF800000; "
        "@p tex.1d.v4.f32.f32 {$0, a, b, c}, [$1, {$2}]; }"
    )
    source = f"""target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(i64 %h, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = trunc i32 %t to i1
  %mine = select i1 %odd, i64 0, i64 %h
  %x = uitofp i32 %t to float
  %v = call float asm "{text}", "=f,l,f"(i64 %mine, float %x)
  %q = getelementptr float, ptr %out, i32 %t
  store float %v, ptr %q
  ret void
}}
"""
    out = np.zeros(4, np.float32)
    launch(nvvm_xdsl.parse(source, format="ll"), "k", 1, 4, [Texture(LINE), out])
    assert out.tolist() == [10, -1, 30, -1]


def test_undefined_coordinates_give_undefined_texels():

    source = """target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
define ptx_kernel void @k(i64 %h, ptr %out) {
  %r = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 %h, float undef)
  %v = extractvalue { float, float, float, float } %r, 0
  store float %v, ptr %out
  ret void
}
"""
    module = nvvm_xdsl.parse(source, format="ll")
    with pytest.raises(
        SimulationError, match="reads byte 0 of 'out', which the kernel leaves undefined"
    ):
        launch(module, "k", 1, 1, [Texture(LINE), np.zeros(1, np.float32)], checks=["init"])
    undefined = nvvm_xdsl.parse(
        source.replace("i64 %h, float undef", "i64 undef, float 0.0"), format="ll"
    )
    with pytest.raises(SimulationError, match="a texture handle depends on an undefined value"):
        launch(undefined, "k", 1, 1, [Texture(LINE), np.zeros(1, np.float32)], checks=["init"])


def test_an_argument_that_is_no_handle():
    source = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i32 %h) {
  ret void
}
"""
    module = nvvm_xdsl.parse(source, format="ll")
    with pytest.raises(
        SimulationError, match="'h' is not a 64-bit handle, which a texture requires"
    ):
        launch(module, "k", 1, 1, [Texture(LINE)])


# Module variables


def test_a_variable_of_machine_code():
    """`.texref` and `.samplerref` variables are handles by their names."""
    kernel = Kernel(1)
    x = kernel.add("mov", "b32", (), [B32], layout(imm(2))).results[0]
    place = addr_list(sym("picture"), sym("how"), vec(1))
    op = kernel.add("tex", "1d.v4.f32.s32", [x], [F32] * 4, layout(place))
    kernel.store(0, op.results[0])
    module = kernel.module()
    for name, kind in (("picture", "texref"), ("how", "samplerref")):
        module.body.block.add_op(global_variable(name, "global", "b64", kind=kind))
    out = np.zeros(4, np.float32)
    launch(module, "k", 1, 1, [out], variables={"picture": Texture(LINE), "how": Sampler()})
    assert out[0] == 30
    with pytest.raises(SimulationError, match="@how is not bound"):
        launch(module, "k", 1, 1, [out], variables={"picture": Texture(LINE)})
    with pytest.raises(SimulationError, match="no variable @pictur for a texture; it has @picture"):
        launch(module, "k", 1, 1, [out], variables={"pictur": Texture(LINE)})


VARIABLES = """target triple = "nvptx64-nvidia-cuda"
@picture = internal addrspace(1) global i64 0, align 8
@board = internal addrspace(1) global i64 0, align 8
declare i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1))
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.2d.v4s32.s32(i64, i32, i32)
declare void @llvm.nvvm.sust.b.2d.i32.trap(i64, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k() {
  %t = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @picture)
  %s = call i64 @llvm.nvvm.texsurf.handle.internal.p1(ptr addrspace(1) @board)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.2d.v4s32.s32(i64 %t, i32 %x, i32 1)
  %v = extractvalue { i32, i32, i32, i32 } %r, 0
  %byte = shl i32 %x, 2
  call void @llvm.nvvm.sust.b.2d.i32.trap(i64 %s, i32 %byte, i32 0, i32 %v)
  ret void
}
!nvvm.annotations = !{!0, !1}
!0 = !{ptr addrspace(1) @picture, !"texture", i32 1}
!1 = !{ptr addrspace(1) @board, !"surface", i32 1}
"""


def test_variables_of_a_module():
    module = nvvm_xdsl.parse(VARIABLES, format="ll")
    board = np.zeros((2, 3), np.int32)
    picture = np.arange(6, dtype=np.int16).reshape(2, 3)
    bound = {"picture": Texture(picture), "board": Surface(board)}
    launch(module, "k", 1, 3, variables=bound)
    assert board.tolist() == [[3, 4, 5], [0, 0, 0]]
    with pytest.raises(SimulationError, match="@board is not bound"):
        launch(module, "k", 1, 3, variables={"picture": Texture(picture)})


def test_the_type_of_an_unbound_variable():
    kernel = Kernel(1)
    handle = kernel.add("mov", "u64", (), [B64], layout(sym("picture"))).results[0]
    kernel.store(0, kernel.add("istypep", "texref", [handle], [PRED]).results[0])
    module = kernel.module()
    module.body.block.add_op(global_variable("picture", "global", "b64", kind="texref"))
    out = np.zeros(4, np.uint16)
    launch(module, "k", 1, 1, [out])
    assert out[0] == 1


def test_selected_variables_stay_handles():
    """Handle variables are declared with PTX's opaque types, not as memory."""
    module = select(nvvm_xdsl.parse(VARIABLES, format="ll"), CodegenOptions.for_arch("sm_90"))
    kinds = [op.properties["kind"].data for op in module.ops if isinstance(op, GlobalOp)]
    assert kinds == ["texref", "surfref"]
    board = np.zeros((2, 3), np.int32)
    picture = np.arange(6, dtype=np.int16).reshape(2, 3)
    launch(module, "k", 1, 3, variables={"picture": Texture(picture), "board": Surface(board)})
    assert board.tolist() == [[3, 4, 5], [0, 0, 0]]
