"""A module for each rule of `nvvm-verify`, with the message, and valid modules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.compile import compile, parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.random_kernels import random_kernel
from nvvm_xdsl.passes.nvidia.checks.nvvm_rule_violations import NVVMVerifyError
from nvvm_xdsl.passes.nvidia.checks.nvvm_verify import NVVMIRVerifier
from nvvm_xdsl.verify.nvvm_rules.architectures import GATES, gate_of
from nvvm_xdsl.verify.nvvm_rules.modules import REJECTED_ATTRIBUTES

ROOT = Path(__file__).parents[4]

KERNEL = """
define ptx_kernel void @k(ptr %p, ptr addrspace(1) %g, ptr addrspace(3) %s, ptr addrspace(4) %c, i32 %n, i1 zeroext %b, ptr addrspace(5) %l) BOUNDS {
  BODY
  ret void
}
"""


def kernel(body: str = "", bounds: str = "", before: str = "") -> ModuleOp:
    return read_ll(before + KERNEL.replace("BODY", body).replace("BOUNDS", bounds), "k.ll")


def messages(module: ModuleOp, **options: object) -> list[str]:
    errors = NVVMIRVerifier(**options).errors_of(module)  # pyright: ignore[reportArgumentType]
    return [e.message.partition("': ")[2] or e.message for e in errors]


def with_attributes(**attributes: str) -> ModuleOp:
    module = kernel()
    for name, value in attributes.items():
        module.attributes[f"llvm.{name}"] = StringAttr(value)
    return module


LAYOUT64 = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)


@pytest.mark.parametrize(
    ("attributes", "options", "message"),
    [
        (
            {"target_triple": "x86_64-unknown-linux-gnu"},
            {},
            "Invalid target triple (x86_64-unknown-linux-gnu), must be one of: nvptx-*-cuda, "
            "nvptx64-*-cuda",
        ),
        (
            {"target_triple": "nvptx64-nvidia-nvcl"},
            {"strict": True},
            "Invalid target triple (nvptx64-nvidia-nvcl), must be one of: nvptx-*-cuda, "
            "nvptx64-*-cuda",
        ),
        ({"target_triple": "nvptx64-x-cuda"}, {"unified": True}, "Invalid target triple"),
        ({"data_layout": ""}, {"strict": True}, "Empty target data layout, must exist"),
        (
            {"data_layout": "E-p:64:64:64"},
            {},
            f"Invalid data layout: big-endian. Example valid data layout: {LAYOUT64}",
        ),
        (
            {"data_layout": "e-p:32:32:32"},
            {},
            f"Invalid data layout: pointers of 32 bits. Example valid data layout: {LAYOUT64}",
        ),
    ],
)
def test_module(attributes: dict[str, str], options: dict[str, object], message: str):
    assert messages(with_attributes(**attributes), **options) == [message]


@pytest.mark.parametrize(
    ("attributes", "options"),
    [
        ({"target_triple": "nvptx64-nvidia-cuda", "data_layout": LAYOUT64}, {}),
        ({"target_triple": "nvptx-any-cuda"}, {"strict": True}),
        ({"target_triple": "nvptx64-unknown-unknown"}, {}),
        ({"target_triple": "nvptx64"}, {}),
        ({"target_triple": "nvptx64-nvidia-nvcl"}, {}),
        ({"target_triple": "", "data_layout": ""}, {}),
        ({"target_triple": "nvptx64-nvidia-gpulibs"}, {}),
        ({"target_triple": "nvsass-nvidia-spirv"}, {"unified": True}),
        ({"data_layout": "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"}, {}),
    ],
)
def test_module_accepted(attributes: dict[str, str], options: dict[str, object]):
    assert messages(with_attributes(**attributes), **options) == []


DISLIKED = [
    (
        "@x = addrspace(3) global [2 x i32] zeroinitializer",
        "Shared variables cannot be initialized",
    ),
    ("@x = addrspace(3) global i32 0", "Shared variables cannot be initialized"),
    ('@x = global i32 0, section "abc"', "Explicit section marker abc is not allowed."),
    (
        'define ptx_kernel void @k() "nvvm.reqntid"="64,32,1" { ret void }',
        "reqntid of 2048 threads exceeds 1024",
    ),
    (
        'define ptx_kernel void @k() "nvvm.maxntid"="1025" { ret void }',
        "maxntid of 1025 threads exceeds 1024",
    ),
    (
        'define ptx_kernel void @k() section "abc" { ret void }',
        "Explicit section marker abc is not allowed.",
    ),
    ('define void @f() gc "statepoint" { ret void }', "GC names are not supported."),
    (
        "declare i32 @pers(...)\ndefine void @f() personality ptr @pers { ret void }",
        "Personality function is not allowed.",
    ),
    (
        'define void @f() "nvvm.cluster_dim"="2,1,1" { ret void }',
        "Cluster dimensions and cluster maximum blocks are only allowed for kernel functions",
    ),
    ("define void @f() nobuiltin { ret void }", "nobuiltin function attribute is not supported."),
]
"""Code that is compiled here although NVIDIA's compiler rejects it."""


@pytest.mark.parametrize(("text", "message"), DISLIKED)
def test_constructs_that_libnvvm_rejects(text: str, message: str):
    module = read_ll(text + "\n")
    assert messages(module, strict=True, arch=900) == [message]
    assert messages(module, arch=900) == []
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        assert messages(module, arch=900) == []
    assert [remark.message.endswith(message) for remark in heard] == [True]


def test_strict_is_an_option():
    source = "define ptx_kernel void @k() nobuiltin { ret void }\n"
    assert ".entry k" in compile(source, arch="sm_90")
    options = CompileOptions("sm_90", pass_options="-nvvm-verify=strict")
    with pytest.raises(DiagnosticError, match="nobuiltin function attribute is not supported"):
        compile(source, options=options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("@x = addrspace(5) global i32 0", "Invalid address space 5 for a global variable"),
        ("@x = addrspace(101) global i32 0", "Invalid address space 101 for a global variable"),
        ("@x = thread_local global i32 0", "Thread local variables are not supported"),
        ("@x = addrspace(3) global i32 7", "Shared variables cannot be initialized"),
        (
            "@x = addrspace(3) global [2 x i32] [i32 0, i32 1]",
            "Shared variables cannot be initialized",
        ),
    ],
)
def test_variables(text: str, message: str):
    assert messages(read_ll(text)) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "@x = addrspace(3) global [2 x i32] undef",
        "@x = addrspace(3) global i32 poison",
        "@x = external addrspace(3) global [0 x i32]",
        "@x = addrspace(4) constant i32 7",
        "@x = addrspace(1) global i32 7",
        '@x = global i32 0, section "llvm.metadata"',
    ],
)
def test_variables_accepted(text: str):
    assert messages(read_ll(text), strict=True) == []


@pytest.mark.parametrize("name", REJECTED_ATTRIBUTES)
def test_rejected_attributes(name: str):
    spelled = {"alignstack": "alignstack(16)"}.get(name, name)
    module = read_ll(f"define void @f() {spelled} {{\n  ret void\n}}\n")
    if name == "builtin":
        # LLVM has it only at calls, but text from other sources may have it elsewhere.
        (function,) = module.ops
        function.properties["passthrough"] = ArrayAttr([StringAttr(name)])
    assert messages(module, strict=True) == [f"{name} function attribute is not supported."]


CLUSTERS_TOO_EARLY = (
    "Cluster dimensions and cluster maximum blocks are not supported on pre-Hopper Architectures"
)


@pytest.mark.parametrize(
    ("bounds", "arch", "message"),
    [
        ('"nvvm.cluster_dim"="2,1,1"', 890, CLUSTERS_TOO_EARLY),
        ('"nvvm.maxclusterrank"="4"', 800, CLUSTERS_TOO_EARLY),
        (
            '"nvvm.cluster_dim"="2,0,1"',
            900,
            "If any cluster dimension is specified as 0 then all other dimensions must be "
            "specified as 0",
        ),
        ('"nvvm.maxclusterrank"="0"', 900, "Cluster maximum blocks must be non-zero"),
    ],
)
def test_kernel_attributes(bounds: str, arch: int, message: str):
    assert messages(kernel(bounds=bounds), arch=arch) == [message]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("define ptx_kernel i32 @f() {\n  ret i32 0\n}", {}, "non-void entry function."),
        ("define ptx_kernel void @f(...) {\n  ret void\n}", {}, "variadic entry function."),
        (
            "define void @f(i8 %x) {\n  ret void\n}",
            {"strict": True},
            "Integer parameter less than 32-bits without sext/zext flag",
        ),
        (
            "define i16 @f() {\n  ret i16 0\n}",
            {"strict": True},
            "Integer return less than 32-bits without sext/zext flag",
        ),
        (
            "define void @f() align 16 {\n  ret void\n}",
            {"strict": True},
            "Explicit alignment is not allowed.",
        ),
        (
            "define ptx_kernel void @f() {\n  call ptx_kernel void @f()\n  ret void\n}",
            {},
            "the kernel @f cannot be called",
        ),
    ],
)
def test_functions(text: str, options: dict[str, object], message: str):
    assert messages(read_ll(text + "\n"), **options) == [message]


@pytest.mark.parametrize(
    "text",
    [
        "define signext i16 @f(i8 zeroext %x, i32 %y) {\n  ret i16 0\n}",
        'define ptx_kernel void @f() "nvvm.cluster_dim"="0,0,0" {\n  ret void\n}',
        'define ptx_kernel void @f() "nvvm.reqntid"="1024" nounwind convergent {\n  ret void\n}',
    ],
)
def test_functions_accepted(text: str):
    assert messages(read_ll(text + "\n"), strict=True, arch=900) == []


ATOMIC = "Pointer of an atomic operation must be in generic, global, or shared address space"
ALLOCA = "Allocas are not supported on address spaces except Generic"
COUNT = "Invalid type for ctpop/ctlz/cttz, need i8, i16, i32, or i64"
STRICT = {"strict": True}


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        (
            "%a = alloca i32, align 16777216",
            {},
            "Alloca alignment 16777216 is greater than 8388608",
        ),
        ("%a = alloca i32, addrspace(3)", {}, ALLOCA),
        ("%a = alloca i32, addrspace(5)", STRICT, ALLOCA),
        (
            "%v = load atomic i32, ptr %p monotonic, align 4",
            STRICT,
            "Atomic loads/stores are not supported",
        ),
        (
            "store atomic i32 1, ptr %p monotonic, align 4",
            STRICT,
            "Atomic loads/stores are not supported",
        ),
        (
            "%t = addrspacecast ptr %p to ptr addrspace(6)\n  %v = load i32, ptr addrspace(6) %t",
            {},
            "Tensor Memory loads/stores are not supported",
        ),
        (
            "%t = addrspacecast ptr %p to ptr addrspace(6)\n  store i32 1, ptr addrspace(6) %t",
            {},
            "Tensor Memory loads/stores are not supported",
        ),
        ("store i32 1, ptr addrspace(4) %c", {}, "store cannot target constant address space"),
        (
            "fence acquire",
            {"unified": True},
            "Invalid ordering for fence, only acq_rel and seq_cst are supported.",
        ),
        ("fence seq_cst", STRICT, "fence is not supported"),
        (
            "%x = cmpxchg ptr %p, i16 1, i16 2 seq_cst seq_cst",
            STRICT,
            "cmpxchg only supports i32, i64 and i128, not i16",
        ),
        ("%x = cmpxchg ptr addrspace(4) %c, i32 1, i32 2 seq_cst seq_cst", {}, ATOMIC),
        ("%x = cmpxchg ptr addrspace(5) %l, i32 1, i32 2 seq_cst seq_cst", STRICT, ATOMIC),
        ("%x = atomicrmw add ptr addrspace(5) %l, i32 1 monotonic", STRICT, ATOMIC),
        (
            "%x = cmpxchg ptr %p, i128 1, i128 2 seq_cst seq_cst",
            {"arch": 890},
            "128b atomics not supported on this architecture!",
        ),
        (
            "%x = atomicrmw xchg ptr %p, i128 1 monotonic",
            {"arch": 890},
            "128b atomics not supported on this architecture!",
        ),
        (
            "%x = addrspacecast ptr addrspace(3) %s to ptr addrspace(1)",
            {},
            "Cannot cast non-generic pointer to different non-generic pointer",
        ),
        ("%x = addrspacecast ptr %p to ptr addrspace(2)", {}, "Invalid address space 2"),
        (
            "call void @llvm.memcpy.p4.p0.i64(ptr addrspace(4) %c, ptr %p, i64 8, i1 false)",
            {},
            "memmove/memcpy cannot target constant address space",
        ),
        (
            "call void @llvm.memmove.p4.p0.i64(ptr addrspace(4) %c, ptr %p, i64 8, i1 false)",
            {},
            "memmove/memcpy cannot target constant address space",
        ),
        (
            "call void @llvm.memset.p4.i64(ptr addrspace(4) %c, i8 0, i64 8, i1 false)",
            {},
            "memset cannot point to constant address space",
        ),
        (
            "%x = call i48 @llvm.bswap.i48(i48 1)",
            STRICT,
            "Invalid type for bswap, need i16, i32, or i64",
        ),
        ("%x = call i24 @llvm.ctpop.i24(i24 1)", STRICT, COUNT),
        ("%x = call i128 @llvm.ctlz.i128(i128 1, i1 false)", STRICT, COUNT),
        ("%x = call i24 @llvm.cttz.i24(i24 1, i1 false)", STRICT, COUNT),
        (
            "%x = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 1, i8 2)",
            STRICT,
            "Invalid type for arithmetic overflow intrinsic, need i16, i32, or i64",
        ),
        (
            '%x = call i128 asm "mov.b128 $0, $1;", "=q,q"(i128 1)',
            STRICT,
            "Invalid type in inline assembly, must be i1, i8, i16, i32, i64, float, or double",
        ),
        (
            "call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 264)",
            {},
            "reg_count argument to nvvm.setmaxnreg must be within [24, 256]",
        ),
        (
            "call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 16)",
            {},
            "reg_count argument to nvvm.setmaxnreg must be within [24, 256]",
        ),
        (
            "call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 28)",
            {},
            "reg_count argument to nvvm.setmaxnreg must be in multiples of 8",
        ),
        (
            "call void @llvm.nvvm.mbarrier.init(ptr %p, i32 %n)",
            STRICT,
            "Barrier pointer must be in shared memory space",
        ),
        (
            "%x = call ptr @llvm.stacksave.p0()",
            STRICT,
            "llvm.nvvm.stacksave is only supported with local address space pointers",
        ),
        (
            "call void @llvm.stackrestore.p1(ptr addrspace(1) %g)",
            {},
            "llvm.nvvm.stackrestore is only supported with local address space pointers",
        ),
        (
            "%x = call i1 @llvm.nvvm.branch.if.all.convergent(i1 %b)",
            {"arch": 700},
            "result of llvm.nvvm.branch.if.convergent and llvm.nvvm.branch.if.all.convergent can "
            "only be used by exactly one branch instruction",
        ),
        (
            "%x = call i1 @llvm.nvvm.is_fpclass.f(float 1.0, i32 %n)",
            {},
            "arg1 of intrinsic not constant",
        ),
    ],
)
def test_instructions(body: str, options: dict[str, object], message: str):
    assert messages(kernel(body), **options) == [message]


@pytest.mark.parametrize(
    ("body", "options"),
    [
        ("%a = alloca i32, align 8388608", STRICT),
        ("%a = alloca i32, addrspace(5)", {}),
        ("%v = load atomic i32, ptr %p monotonic, align 4", {}),
        ("fence seq_cst", {"unified": True}),
        ("fence acquire", {}),
        ("%x = cmpxchg ptr addrspace(3) %s, i64 1, i64 2 seq_cst seq_cst", STRICT),
        ("%x = cmpxchg ptr %p, i128 1, i128 2 seq_cst seq_cst", {"arch": 900}),
        ("%x = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic", STRICT),
        ("%x = addrspacecast ptr %p to ptr addrspace(1)", STRICT),
        ("%x = addrspacecast ptr addrspace(3) %s to ptr addrspace(7)", STRICT),
        ("%v = load i32, ptr addrspace(4) %c", STRICT),
        (
            "call void @llvm.memcpy.p0.p4.i64(ptr %p, ptr addrspace(4) %c, i64 8, i1 false)",
            STRICT,
        ),
        ("%x = call i64 @llvm.bswap.i64(i64 1)", STRICT),
        ("%x = call i48 @llvm.bswap.i48(i48 1)", {}),
        ("%x = call i8 @llvm.ctpop.i8(i8 1)", STRICT),
        ("call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 256)", STRICT),
        ("call void @llvm.nvvm.setmaxnreg.dec.sync.aligned.u32(i32 24)", STRICT),
        ("call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %s, i32 %n)", STRICT),
        ("call void @llvm.nvvm.mbarrier.init(ptr %p, i32 %n)", {}),
    ],
)
def test_instructions_accepted(body: str, options: dict[str, object]):
    assert messages(kernel(body), **options) == []


HOPPER = "this intrinsic is only supported for Hopper+"


@pytest.mark.parametrize(
    ("body", "arch", "message"),
    [
        ("%x = call i32 @llvm.nvvm.redux.sync.add(i32 %n, i32 -1)", 800, None),
        ("call void @llvm.nvvm.barrier.cluster.wait()", 900, HOPPER),
        ("%x = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()", 900, HOPPER),
        ("call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 24)", 900, HOPPER),
        ("call void @llvm.nvvm.griddepcontrol.wait()", 900, HOPPER),
        ("%x = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)", 900, HOPPER),
        ("call void @llvm.nvvm.cp.async.bulk.commit.group()", 900, HOPPER),
        ("call void @llvm.nvvm.fence.sc.cluster()", 900, HOPPER),
        ("call void @llvm.nvvm.wgmma.fence.sync.aligned()", 900, HOPPER),
        ("call void @llvm.nvvm.cp.async.commit.group()", 800, None),
        ("call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %s, i32 %n)", 800, None),
        ("call void @llvm.nvvm.nanosleep(i32 %n)", 700, None),
        ("%x = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)", 700, None),
        ("%x = call ptr @llvm.stacksave.p0()", 520, None),
        ("call void @llvm.nvvm.tcgen05.wait.ld()", 1000, None),
        (
            "%x = call {i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %s)",
            750,
            None,
        ),
    ],
)
def test_architectures(body: str, arch: int, message: str | None):
    module = kernel(body)
    assert messages(module, arch=arch) == []
    assert messages(module) == []
    (found,) = messages(module, arch=arch - 10)
    assert (
        found == message if message else found.endswith(f"is only supported for sm_{arch // 10}+")
    )


@pytest.mark.parametrize(
    ("name", "least", "message"),
    [
        (
            "llvm.nvvm.branch.if.all.convergent",
            700,
            "llvm.nvvm.branch.if.all.convergent is not supported on pre-Volta Architectures",
        ),
        (
            "llvm.nvvm.branch.if.convergent",
            800,
            "llvm.nvvm.branch.if.convergent is not supported on pre-Ampere Architectures",
        ),
        (
            "llvm.nvvm.tex.offset.bindless.1d",
            1200,
            ".offset.bindless intrinsics are not supported on pre-Blackwell architectures",
        ),
        (
            "llvm.nvvm.fma.rn.f32x2",
            1000,
            "F32x2 intrinsics are not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.mma.row.col.f16.f16",
            700,
            "hmmamma is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16",
            700,
            "hmmaldab is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32",
            700,
            "hmmaldc is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32",
            700,
            "hmmastc is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.mma.row.col.s8",
            720,
            "immamma is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.load.b.col.stride.u8",
            720,
            "immaldab is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32",
            720,
            "immaldc is not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32",
            720,
            "imma stc not supported on this architecture",
        ),
        (
            "llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1",
            750,
            "bmmamma is not supported on this architecture",
        ),
        (
            "nvvm.convert.f32x2.to.f8x2",
            890,
            "this instrinsic is only supported for Ada (sm_89)+",
        ),
    ],
)
def test_documented_gates(name: str, least: int, message: str):
    assert gate_of(name) == (least, message)


# A name for each row of the gates, in their order.
GATED = """
llvm.nvvm.branch.if.all.convergent
llvm.nvvm.branch.if.convergent
llvm.nvvm.tex.offset.bindless.1d
llvm.nvvm.fma.rn.f32x2
llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1
llvm.nvvm.wmma.m16n16k16.mma.row.col.s8
llvm.nvvm.wmma.m16n16k16.load.b.col.stride.u8
llvm.nvvm.wmma.m16n16k16.load.c.row.stride.s32
llvm.nvvm.wmma.m16n16k16.store.d.row.stride.s32
llvm.nvvm.wmma.m8n8k4.mma.row.col.f64
nvvm.wmma.mma
nvvm.wmma.load
llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32
nvvm.wmma.store
nvvm.mma.sync
nvvm.mma.sp.sync
nvvm.mma.block_scale
nvvm.ldmatrix
nvvm.stmatrix
nvvm.wgmma.fence.aligned
nvvm.tcgen05.alloc
nvvm.cp.async.bulk.commit.group
llvm.nvvm.cp.reduce.async.bulk.tensor.add.tile.1d
nvvm.st.bulk
nvvm.cp.async.commit.group
nvvm.mbarrier.try_wait
nvvm.mbarrier.init
nvvm.cluster.arrive
nvvm.mapa
llvm.nvvm.getctarank
nvvm.read.ptx.sreg.clusterid.x
nvvm.fence.proxy
nvvm.fence.sc.cluster
nvvm.clusterlaunchcontrol.try.cancel
nvvm.griddepcontrol
nvvm.elect.sync
nvvm.setmaxregister
nvvm.redux.sync
nvvm.match.sync
nvvm.nanosleep
nvvm.dot.accumulate.4way
llvm.intr.stacksave
nvvm.convert.float.to.tf32
nvvm.convert.f32x2.to.f8x2
nvvm.convert.f32x2.to.f4x2
""".split()


def test_every_gate_is_the_first_match_of_its_example():
    assert len(GATED) == len(GATES)
    for row, name in zip(GATES, GATED):
        first = next(gate for gate in GATES if re.fullmatch(gate.pattern, name))
        assert first is row, name
        assert gate_of(name)[0] == row.minimum


def test_ifunc():
    text = "llvm.mlir.ifunc external @f : !llvm.func<void ()>, !llvm.ptr @resolver {dso_local}"
    assert messages(parse(text, format="mlir")) == ["ifunc is not supported"]


def test_vector_atomics():
    module = kernel("%x = atomicrmw fadd ptr %p, <2 x float> zeroinitializer monotonic")
    assert messages(module, arch=890) == ["vector atomics not supported on this architecture!"]
    assert messages(module, arch=900) == []


def test_all_errors_are_reported_at_once():
    module = kernel("fence acquire\n  store i32 1, ptr addrspace(4) %c", "naked noredzone")
    with pytest.raises(NVVMVerifyError) as error:
        NVVMIRVerifier(unified=True, strict=True).run(module, AnalysisManager())
    assert len(error.value.errors) == 4
    assert len(list(NVVMIRVerifier(unified=True).errors_of(module))) == 2
    for text in ("naked", "noredzone", "fence", "store cannot target constant"):
        assert text in error.value.render()
    assert "in @k" in error.value.render()


def test_ignored_parameter_attributes_are_remarks():
    heard: list[remarks.Remark] = []
    module = read_ll("define void @f(i32 inreg %x, ptr nest %p) {\n  ret void\n}\n")
    with remarks.listening(heard.append):
        assert messages(module) == []
    assert [r.message for r in heard] == [
        "InReg attribute on parameter will be ignored",
        "Nest attribute on parameter will be ignored",
    ]


def test_the_function_states_its_architecture():
    module = kernel("call void @llvm.nvvm.griddepcontrol.wait()", '"target-cpu"="sm_80"')
    assert messages(module) == [HOPPER]
    assert messages(module, arch=900) == []


def test_code_for_an_older_gpu_compiled_for_a_newer_one():
    body = "%x = call i32 @llvm.nvvm.redux.sync.add(i32 %n, i32 -1)"
    old = '"target-cpu"="sm_75"'
    assert "sm_80+" in messages(kernel(body, old))[0]
    assert messages(kernel(body, old), compiled_for=900) == []
    assert "sm_80+" in messages(kernel(body, old), compiled_for=750)[0]
    text = str(kernel(body, old))
    compile(text, options=CompileOptions("sm_90", opt_level=3))


@pytest.mark.parametrize("name", ["indirectbr", "invoke", "resume", "landingpad", "blockaddress"])
def test_unsupported_instructions(name: str):
    from nvvm_xdsl.dialects.llvm import op_class
    from nvvm_xdsl.verify.nvvm_rules.modules import Context
    from nvvm_xdsl.verify.nvvm_rules.ops import OP_RULES

    (rule,) = OP_RULES[op_class(f"llvm.{name}")]
    assert rule(kernel(), Context()) == f"{name} is not supported"


FILES = sorted(
    (*(ROOT / "examples").glob("*.ll"), *(ROOT / "test" / "corpus").rglob("*.ll")),
    key=lambda path: path.name,
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_examples_and_corpus_are_accepted(path: Path):
    assert messages(read_ll(path.read_text(), path.name)) == []


@pytest.mark.parametrize("seed", range(3))
def test_random_kernels_are_accepted(seed: int):
    assert messages(random_kernel(seed), arch=900) == []


def test_errors_are_diagnostics():
    with pytest.raises(DiagnosticError, match=r"k\.ll|in @k"):
        NVVMIRVerifier().run(kernel("store i32 1, ptr addrspace(4) %c"), AnalysisManager())
