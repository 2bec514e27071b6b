"""A fault of ptxas that the executor finds: the negation that VIMNMX3 loses on sm_100.

ptxas 12.9 to 13.3 generates `max(a, b, c)` for `max(max(a, -b), c)`; ptxas 13.4 does not
(triton-lang/triton#11032).
"""

from __future__ import annotations

import re
import subprocess

import numpy as np
import pytest
from helpers.machine_launches import both

from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.lab.machine_simulation import why_no_machine_code

pytestmark = pytest.mark.skipif(
    why_no_machine_code() is not None, reason=str(why_no_machine_code())
)

KERNEL = """\
.version 8.7
.target sm_100
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .b32 %r<9>; .reg .b64 %p;
  ld.param.u64 %p, [x]; mov.u32 %r0, %tid.x; mad.wide.u32 %p, %r0, 16, %p;
  ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%p];
  neg.s32 %r5, %r2; max.s32 %r6, %r1, %r5; max.s32 %r7, %r6, %r3;
  st.global.b32 [%p], %r7;
  ret;
}
"""


def version() -> tuple[int, int]:
    """Options of ptxas."""
    out = subprocess.run([str(find_ptxas()), "--version"], capture_output=True, text=True).stdout
    found = re.search(r"release (\d+)\.(\d+)", out)
    assert found is not None
    return int(found[1]), int(found[2])


def test_a_lost_negation():
    x = np.random.default_rng(3).integers(-100, 100, 256).astype(np.int32).view(np.uint32)
    if (12, 9) <= version() < (13, 4):
        with pytest.raises(AssertionError):
            both(KERNEL, "sm_100", x=x)
    else:
        both(KERNEL, "sm_100", x=x)
    # Without the optimization the code is right.
    both(KERNEL, "sm_100", x=x, level=0)
