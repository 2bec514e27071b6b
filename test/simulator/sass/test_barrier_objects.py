"""Barrier objects and bulk copies of machine code compared with PTX."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.machine_launches import ARCHS, both

from nvvm_xdsl.lab.machine_simulation import why_no_machine_code
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.sass import barrier_objects

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

HOPPER = ("sm_90", "sm_100")


def kernel(body: str, arch: str, version: str = "8.8") -> str:
    """A kernel in which `%g` is the address of its array, `%t` the thread, `%b` that of two barrier objects and
    `%s` that of 2 KB of shared memory.
    """
    return f"""\
.version {version}
.target {arch}
.address_size 64
.visible .entry k(.param .u64 x) {{
  .reg .b32 %r<24>; .reg .b64 %d<8>; .reg .b64 %x, %g, %p; .reg .b32 %s, %t, %b, %w; .reg .pred %c<4>;
  .shared .align 8 .b64 bars[2];
  .shared .align 128 .b8 tile[2048];
  ld.param.u64 %x, [x]; cvta.to.global.u64 %g, %x; mov.u32 %t, %tid.x; mul.wide.u32 %p, %t, 4; add.u64 %p, %p, %g;
  mov.u32 %b, bars; mov.u32 %s, tile; shr.u32 %w, %t, 5;
  setp.eq.u32 %c0, %t, 0;
{body}
  ret;
}}
"""


PHASES = """
  @!%c0 bra $ready;
  mbarrier.init.shared::cta.b64 [%b], 64;
  mbarrier.init.shared::cta.b64 [%b+8], 32;
$ready:
  bar.sync 0;
  setp.ne.u32 %c1, %w, 0; @%c1 bra $second;
  mad.lo.u32 %r1, %t, 3, 5; shl.b32 %r2, %t, 2; add.u32 %r2, %r2, %s; st.shared.b32 [%r2], %r1;
  mbarrier.arrive.shared::cta.b64 %d0, [%b+8];
$second:
  @!%c1 bra $both;
  sub.u32 %r3, %t, 32;
$again:
  mbarrier.test_wait.parity.shared::cta.b64 %c2, [%b+8], 0;
  @!%c2 bra $again;
  xor.b32 %r3, %r3, 31; shl.b32 %r2, %r3, 2; add.u32 %r2, %r2, %s; ld.shared.b32 %r4, [%r2];
  st.global.b32 [%p], %r4;
$both:
  mbarrier.arrive.shared::cta.b64 %d1, [%b];
$wait:
  mbarrier.test_wait.shared::cta.b64 %c2, [%b], %d1;
  @!%c2 bra $wait;
  @%c0 mbarrier.arrive_drop.shared::cta.b64 %d2, [%b+8];
  @%c0 mbarrier.pending_count.b64 %r5, %d2;
  @%c0 st.global.b32 [%p], %r5;
  bar.sync 0;
  @%c0 mbarrier.inval.shared::cta.b64 [%b];
"""


@pytest.mark.parametrize("arch", ARCHS)
def test_phases(arch: str):
    found, _, mnemonics = both(kernel(PHASES, arch), arch)
    assert found[0] == 32
    assert found[32:].tolist() == [3 * (31 - i) + 5 for i in range(32)]
    assert ("ATOMS" if arch == "sm_80" else "SYNCS") in mnemonics


WAITING = PHASES.replace("mbarrier.test_wait", "mbarrier.try_wait")


@pytest.mark.parametrize("arch", HOPPER)
def test_lanes_are_suspended_until_the_phase_is_complete(arch: str):
    found, _, _ = both(kernel(WAITING, arch), arch)
    assert found[32:].tolist() == [3 * (31 - i) + 5 for i in range(32)]


COPIES = """
  @!%c0 bra $ready;
  mbarrier.init.shared::cta.b64 [%b], 1;
  fence.proxy.async.shared::cta;
$ready:
  bar.sync 0;
  @!%c0 bra $wait;
  mbarrier.arrive.expect_tx.shared::cta.b64 %d0, [%b], 256;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%g], 256, [%b];
$wait:
  mbarrier.try_wait.parity.shared::cta.b64 %c2, [%b], 0;
  @!%c2 bra $wait;
  shl.b32 %r2, %t, 2; add.u32 %r2, %r2, %s; ld.shared.b32 %r4, [%r2];
  mad.lo.u32 %r4, %r4, 5, %t; st.shared.b32 [%r2+512], %r4;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @!%c0 bra $end;
  add.u32 %r3, %s, 512;
  cp.async.bulk.global.shared::cta.bulk_group [%g], [%r3], 256;
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
$end:
"""


@pytest.mark.parametrize("arch", HOPPER)
def test_bulk_copies(arch: str):
    start = np.arange(64, dtype=np.uint32) * 7 + 3
    found, _, mnemonics = both(kernel(COPIES, arch), arch)
    assert found.tolist() == (start * 5 + np.arange(64)).tolist()
    assert mnemonics >= {"SYNCS", "UBLKCP"}


DIFFERENT = """
  shl.b32 %r2, %t, 5; add.u32 %r2, %r2, %s; mad.lo.u32 %r1, %t, 3, 5;
  st.shared.v4.b32 [%r2], {%r1, %t, %r1, %r1}; st.shared.v4.b32 [%r2+16], {%t, %r1, %t, %t};
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.gt.u32 %c1, %t, 6; @%c1 bra $end;
  and.b32 %r3, %t, 1; shl.b32 %r3, %r3, 4; add.u32 %r3, %r3, 16;
  mul.wide.u32 %p, %t, 32; add.u64 %p, %p, %g;
  cp.async.bulk.global.shared::cta.bulk_group [%p], [%r2], %r3;
  cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
$end:
"""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("arch", HOPPER)
def test_lanes_copy_different_amounts_one_after_the_other(arch: str):
    found, _, mnemonics = both(kernel(DIFFERENT, arch), arch)
    assert mnemonics >= {"R2UR", "UBLKCP"}
    assert found[8:16].tolist() == [8, 1, 8, 8, 1, 8, 1, 1]
    assert found[16:20].tolist() == [11, 2, 11, 11]


@pytest.mark.parametrize("part", ["count", "bytes"])
def test_a_planted_fault_is_found(part: str, monkeypatch: pytest.MonkeyPatch):
    if part == "count":
        monkeypatch.setitem(barrier_objects.ARRIVALS, ("A1T0",), ("0", "0"))
    else:
        monkeypatch.setattr(barrier_objects, "_UNITS", 8)
    body = WAITING if part == "count" else COPIES
    with pytest.raises(SimulationError, match="never completes"):
        both(kernel(body, "sm_90"), "sm_90")


ASYNCHRONOUS = """
  @%c0 mbarrier.init.shared::cta.b64 [%b], 64;
  bar.sync 0;
  shl.b32 %r2, %t, 2; add.u32 %r2, %r2, %s;
  cp.async.ca.shared.global [%r2], [%p], 4;
  cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%b];
$wait:
  mbarrier.test_wait.parity.shared::cta.b64 %c2, [%b], 0;
  @!%c2 bra $wait;
  ld.shared.b32 %r4, [%r2]; add.u32 %r4, %r4, 1; st.global.b32 [%p], %r4;
"""


@pytest.mark.parametrize("arch", ARCHS)
def test_an_arrival_after_asynchronous_copies(arch: str):
    found, _, mnemonics = both(kernel(ASYNCHRONOUS, arch), arch)
    assert found.tolist() == (np.arange(64) * 7 + 4).tolist()
    assert mnemonics >= {"ARRIVES", "LDGSTS"}


REMOTE = """
  @%c0 mbarrier.init.shared::cta.b64 [%b], 128;
  barrier.cluster.arrive; barrier.cluster.wait;
  mapa.shared::cluster.u32 %r0, %b, 0;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r0];
  mov.u32 %r1, %cluster_ctarank; setp.ne.u32 %c1, %r1, 0; @%c1 bra $end;
$wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %c2, [%b], 0;
  @!%c2 bra $wait;
  st.global.b32 [%p], 9;
$end:
  barrier.cluster.arrive; barrier.cluster.wait;
"""


@pytest.mark.parametrize("arch", HOPPER)
def test_arrivals_at_an_object_of_another_block(arch: str):
    found, _, mnemonics = both(kernel(REMOTE, arch), arch, grid=2, cluster=2)
    assert found.tolist() == [9] * 64
    assert "SYNCS" in mnemonics
