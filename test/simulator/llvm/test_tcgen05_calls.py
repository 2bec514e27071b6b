"""The tcgen05 ops of the nvvm dialect behave as the intrinsics, as IR and as machine code."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.tcgen05_products import descriptor, encode, numbers, singles
from helpers.tensor_kernels import LANES, LEVELS, k_major

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import launch

N = 32
K = 16

KERNEL = """
llvm.mlir.global internal @place() {{addr_space = 3 : i32, alignment = 4 : i64}} : i32
llvm.mlir.global internal @barrier() {{addr_space = 3 : i32, alignment = 8 : i64}} : i64
llvm.mlir.global internal @s() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<{bytes} x i8>
llvm.func @k(%in: !llvm.ptr, %out: !llvm.ptr) attributes {{nvvm.kernel}} {{
  %place = llvm.mlir.addressof @place : !llvm.ptr<3>
  %barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %columns = llvm.mlir.constant(64 : i32) : i32
  %words = llvm.mlir.constant({words} : i32) : i32
  %threads = llvm.mlir.constant(128 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %warp = llvm.lshr %tid, %five : i32
  %first = llvm.icmp "eq" %warp, %zero : i32
  llvm.br ^copy(%tid : i32)
^copy(%i: i32):
  %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %word = llvm.load %from : !llvm.ptr -> i32
  %to = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %word, %to : i32, !llvm.ptr<3>
  %next = llvm.add %i, %threads : i32
  %more = llvm.icmp "ult" %next, %words : i32
  llvm.cond_br %more, ^copy(%next : i32), ^copied
^copied:
  llvm.cond_br %first, ^alloc, ^allocated
^alloc:
  nvvm.tcgen05.alloc %place, %columns : !llvm.ptr<3>, i32
  nvvm.tcgen05.relinquish_alloc_permit
  llvm.br ^allocated
^allocated:
  nvvm.tcgen05.fence <before>
  nvvm.barrier0
  nvvm.tcgen05.fence <after>
  %base = llvm.load %place : !llvm.ptr<3> -> i32
  %d = llvm.inttoptr %base : i32 to !llvm.ptr<6>
  %bits = llvm.mlir.constant(21 : i32) : i32
  %row = llvm.shl %warp, %bits : i32
  %line = llvm.add %base, %row : i32
  %mine = llvm.inttoptr %line : i32 to !llvm.ptr<6>
  %blank = llvm.mlir.zero : vector<32xi32>
  nvvm.tcgen05.st %mine, %blank {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<32xi32>
  nvvm.tcgen05.wait <store>
  nvvm.barrier0
  %leads = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %leads, ^issue, ^issued
^issue:
  nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
  %token = llvm.load %barrier : !llvm.ptr<3> -> i64
  %address = llvm.ptrtoint %s : !llvm.ptr<3> to i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %start = llvm.lshr %address, %four : i64
  %da = llvm.mlir.constant({a} : i64) : i64
  %db = llvm.mlir.constant({b} : i64) : i64
  %ma = llvm.add %start, %da : i64
  %mb = llvm.add %start, %db : i64
  %idesc = llvm.mlir.constant({word} : i32) : i32
  %yes = llvm.mlir.constant(true) : i1
  nvvm.tcgen05.mma %d, %ma, %mb, %idesc, %yes {{ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>}} : (!llvm.ptr<6>, i64, i64, i32, i1)
  nvvm.tcgen05.mma %d, %ma, %mb, %idesc, %yes {{ctaGroup = #nvvm.cta_group<cta_1>, kind = #nvvm.tcgen05_mma_kind<f16>, collectorOp = #nvvm.tcgen05_mma_collectorop<lastuse>}} : (!llvm.ptr<6>, i64, i64, i32, i1)
  nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
  llvm.br ^issued
^issued:
  nvvm.barrier0
  %v = nvvm.tcgen05.ld %mine {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<32xi32>
  nvvm.tcgen05.wait <load>
  %width = llvm.mlir.constant(32 : i32) : i32
  %at = llvm.mul %tid, %width : i32
  %place_out = llvm.getelementptr %out[%at] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %v, %place_out {{alignment = 4 : i64}} : vector<32xi32>, !llvm.ptr
  nvvm.barrier0
  llvm.cond_br %first, ^free, ^end
^free:
  nvvm.tcgen05.dealloc %d, %columns : !llvm.ptr<6>, i32
  llvm.br ^end
^end:
  llvm.return
}}
"""


@pytest.mark.parametrize("level", LEVELS)
def test_ops(level: str):
    """D is zero, and A times B is added to it twice."""
    a, b = numbers(1, LANES, K), numbers(2, N, K)
    (first, strides), (second, more) = k_major(encode(a, "f16")), k_major(encode(b, "f16"))
    data = np.frombuffer(first + second, np.uint32).copy()
    text = KERNEL.format(
        bytes=data.nbytes,
        words=data.size,
        a=strides,
        b=len(first) >> 4 | more,
        word=descriptor(LANES, N, "f16", "f16", "f32"),
    )
    module = parse(text)
    out = np.zeros((LANES, N), np.uint32)
    kernel = select(module, "sm_100a") if level == "machine" else module
    launch(kernel, "k", 1, LANES, [data, out])
    assert np.array_equal(out, singles(2 * (a @ b.T)))
