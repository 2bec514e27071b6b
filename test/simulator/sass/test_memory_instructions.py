"""Memory instructions of machine code compared with PTX: copies, atomic operations, wide accesses, reductions
by barriers.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.machine_launches import ARCHS, both

from nvvm_xdsl.lab.machine_simulation import why_no_machine_code

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)


def kernel(body: str, arch: str) -> str:
    """A kernel in which `%p` is the address of 8 words of each thread, and `%s` that of 32 bytes of shared
    memory.
    """
    return f"""\
.version 8.8
.target {arch}
.address_size 64
.visible .entry k(.param .u64 x) {{
  .reg .b32 %r<24>; .reg .b64 %d<8>; .reg .b128 %q<4>; .reg .b64 %p, %x; .reg .b32 %s, %t; .reg .pred %c<4>;
  .reg .b16 %h<4>; .reg .f32 %f<8>;
  .shared .align 32 .b8 tile[4096];
  ld.param.u64 %x, [x]; mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 32, %x;
  mov.u32 %s, tile; mad.lo.u32 %s, %t, 32, %s;
{body}
  ret;
}}
"""


def words(threads: int = 64) -> np.ndarray:
    return np.random.default_rng(9).integers(0, 1 << 32, 8 * threads, np.uint32)


COPIES = """
  mov.b32 %r0, 0; st.shared.v4.b32 [%s], {%r0, %r0, %r0, %r0}; st.shared.v4.b32 [%s+16], {%r0, %r0, %r0, %r0};
  cp.async.ca.shared.global [%s], [%p], 4;
  cp.async.ca.shared.global [%s+8], [%p+8], 8;
  and.b32 %r1, %t, 31; min.u32 %r1, %r1, 16;
  cp.async.cg.shared.global [%s+16], [%p+16], 16, %r1;
  cp.async.commit_group; cp.async.wait_group 0;
  setp.lt.u32 %c0, %t, 20;
  @%c0 cp.async.ca.shared.global [%s+4], [%p+12], 4;
  cp.async.wait_all;
  ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%s]; ld.shared.v4.b32 {%r6, %r7, %r8, %r9}, [%s+16];
  st.global.v4.b32 [%p], {%r2, %r3, %r4, %r5}; st.global.v4.b32 [%p+16], {%r6, %r7, %r8, %r9};
"""


@pytest.mark.parametrize("arch", ARCHS)
def test_asynchronous_copies(arch: str):
    _, _, mnemonics = both(kernel(COPIES, arch), arch, x=words())
    assert "LDGSTS" in mnemonics


REDUCTIONS = """
  ld.global.b32 %r0, [%p]; setp.lt.s32 %c0, %r0, 0; setp.ne.u32 %c1, %t, 3;
  barrier.red.popc.u32 %r1, 0, %c0;
  barrier.red.or.pred %c2, 1, %c0; selp.b32 %r2, 1, 0, %c2;
  barrier.red.and.pred %c2, 2, %c1; selp.b32 %r3, 1, 0, %c2;
  barrier.red.and.pred %c2, 3, 64, %c0; selp.b32 %r4, 1, 0, %c2;
  st.global.v4.b32 [%p], {%r1, %r2, %r3, %r4};
"""


@pytest.mark.parametrize("arch", ["sm_80", "sm_100"])
def test_reductions_by_barriers(arch: str):
    _, _, mnemonics = both(kernel(REDUCTIONS, arch), arch, x=words())
    assert "B2R" in mnemonics


ATOMICS = """
  ld.global.v2.b64 {%d0, %d1}, [%p]; mov.b128 %q0, {%d0, %d1};
  setp.lt.u32 %c0, %t, 40;
  @%c0 atom.exch.b128 %q1, [%x+64], %q0;
  @!%c0 mov.b128 %q1, %q0;
  atom.cas.b128 %q2, [%p+16], %q1, %q0;
  mov.b128 {%d2, %d3}, %q1; mov.b128 {%d4, %d5}, %q2;
  xor.b64 %d2, %d2, %d4; xor.b64 %d3, %d3, %d5; st.global.v2.b64 [%p], {%d2, %d3};
"""

VECTORS = """
  cvt.rn.f32.u32 %f0, %t; mul.f32 %f1, %f0, 0f3E800000; neg.f32 %f2, %f0; add.f32 %f3, %f1, %f0;
  red.global.add.v4.f32 [%x], {%f0, %f1, %f2, %f3};
  atom.global.add.v2.f32 {%f4, %f5}, [%p+16], {%f0, %f1};
  mov.b32 %r1, 0x3c003800;
  atom.global.add.noftz.f16x2 %r2, [%p+24], %r1; red.global.add.noftz.bf16x2 [%p+28], %r1;
  bar.sync 0; setp.ne.u32 %c0, %t, 0; @!%c0 bra $end;
  mov.b32 %r3, %f4; mov.b32 %r4, %f5; st.global.v4.b32 [%p], {%r2, %r3, %r4, %r1};
$end:
"""


def test_atomic_operations_on_128_bits():
    _, _, mnemonics = both(kernel(ATOMICS, "sm_90"), "sm_90", x=words())
    assert "ATOM" in mnemonics


def test_atomic_operations_on_vectors():
    values = np.random.default_rng(2).integers(-4, 5, 512).astype(np.float32).view(np.uint32)
    _, _, mnemonics = both(kernel(VECTORS, "sm_90"), "sm_90", x=values)
    assert mnemonics >= {"ATOMG", "REDG"}


WIDE = """
  ld.global.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%p];
  and.b32 %r9, %t, 1; setp.ne.u32 %c0, %r9, 0;
  add.u32 %r1, %r1, 1; xor.b32 %r8, %r8, %r2;
  @%c0 st.global.v8.b32 [%p], {%r8, %r1, %r2, %r3, %r4, %r5, %r6, %r7};
"""


def test_accesses_of_256_bits():
    found, _, _ = both(kernel(WIDE, "sm_100"), "sm_100", x=words())
    assert (found != words()).any()


CLUSTER = """
  ld.global.b32 %r0, [%p]; st.shared.b32 [%s], %r0;
  barrier.cluster.arrive; barrier.cluster.wait;
  mov.u32 %r1, %cluster_ctarank; xor.b32 %r1, %r1, 1; mapa.shared::cluster.u32 %r2, %s, %r1;
  ld.shared::cluster.b32 %r3, [%r2];
  mov.u32 %r4, %cluster_nctarank; mov.u32 %r5, %clusterid.x; mov.u32 %r6, %nclusterid.x; mov.u32 %r7, %cluster_ctaid.x;
  barrier.cluster.arrive; barrier.cluster.wait;
  mov.u32 %r8, %ctaid.x; mad.wide.u32 %p, %r8, 512, %p;
  st.global.v4.b32 [%p], {%r3, %r4, %r5, %r6}; st.global.b32 [%p+16], %r7;
"""


@pytest.mark.parametrize("arch", ["sm_90", "sm_100"])
def test_barriers_of_a_cluster(arch: str):
    _, _, mnemonics = both(kernel(CLUSTER, arch), arch, threads=16, x=words(), grid=4, cluster=2)
    assert mnemonics >= {"UCGABAR_ARV", "UCGABAR_WAIT"}


GENERIC = """
  mov.b32 %r0, 0; st.shared.v4.b32 [%s], {%r0, %r0, %r0, %r0}; st.shared.v4.b32 [%s+16], {%r0, %r0, %r0, %r0};
  mov.u32 %r1, tile; cvt.u64.u32 %d0, %r1; cvta.shared.u64 %d0, %d0;
  and.b32 %r2, %t, 3; setp.eq.u32 %c0, %r2, 1; selp.b64 %d1, %d0, %x, %c0;
  mul.wide.u32 %d2, %t, 0x10001;
  bar.sync 0;
  red.add.u64 [%d1], %d2;
  atom.min.s64 %d3, [%d1+8], %d2;
  atom.exch.b64 %d4, [%d1+16], %d2;
  atom.cas.b32 %r5, [%d1+24], %r0, %t;
  bar.sync 0;
  ld.shared.v2.b64 {%d5, %d6}, [tile]; xor.b64 %d5, %d5, %d6;
  setp.gt.u32 %c1, %t, 1; @!%c1 bra $end;
  st.global.v2.b64 [%p], {%d5, %d1}; st.global.b32 [%p+16], %r2;
$end:
"""


@pytest.mark.parametrize("arch", ARCHS)
def test_generic_atomic_operations_on_shared_and_global_memory(arch: str):
    text = kernel(GENERIC.replace("{%d5, %d1}", "{%d5, %d5}"), arch)
    _, _, mnemonics = both(text, arch, x=words() >> 4)
    assert mnemonics >= {"ATOM", "QSPC"}
