"""Passes that hoist, sink, merge or remove memory accesses preserve the required order.

Each kernel has two accesses that could be merged or moved but for one between them on some path. `%p` and
`%q` are different arrays in one launch and the same one in another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import Comparison
from nvvm_xdsl.lab.fuzz import ir_passes
from nvvm_xdsl.lab.launches import Launch

BODIES = {
    "a store between equal stores": """
  br i1 %c, label %then, label %join
then:
  store i32 4, ptr %p
  %x = load i32, ptr %q
  store i32 %x, ptr %p
  br label %join
join:
  store i32 4, ptr %p
  ret void""",
    "a loop between equal stores": """
  br i1 %c, label %then, label %join
then:
  store i32 4, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %then ], [ %j, %loop ]
  %x = load i32, ptr %q
  store i32 %i, ptr %p
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %loop, label %join
join:
  store i32 4, ptr %p
  ret void""",
    "paths that join behind a store": """
  br i1 %c, label %then, label %else
then:
  store i32 4, ptr %p
  store i32 5, ptr %q
  %odd = trunc i32 %n to i1
  br i1 %odd, label %join, label %end
else:
  %two = icmp eq i32 %n, 2
  br i1 %two, label %join, label %other
join:
  store i32 4, ptr %p
  ret void
other:
  store i32 4, ptr %p
  ret void
end:
  ret void""",
    "a store that each iteration executes": """
  br i1 %c, label %loop, label %else
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %again ]
  store i32 4, ptr %p
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %again, label %end
again:
  store i32 5, ptr %q
  %f = icmp slt i32 %i, 3
  br i1 %f, label %loop, label %end
else:
  store i32 4, ptr %p
  ret void
end:
  ret void""",
    "equal stores behind different ones": """
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr %p
  %x = load i32, ptr %q
  store i32 %x, ptr %r
  store i32 2, ptr %p
  br label %end
else:
  store i32 2, ptr %p
  %y = load i32, ptr %q
  store i32 %y, ptr %r
  br label %end
end:
  ret void""",
    "a store that one path reads": """
  store i32 7, ptr %p
  br i1 %c, label %then, label %else
then:
  store i32 8, ptr %p
  br label %end
else:
  %x = load i32, ptr %q
  store i32 %x, ptr %r
  store i32 9, ptr %p
  br label %end
end:
  ret void""",
    "a store that the next iteration reads": """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %k = and i32 %i, 3
  %j = add i32 %i, 1
  %l = and i32 %j, 3
  %at = getelementptr i32, ptr %p, i32 %k
  %next = getelementptr i32, ptr %p, i32 %l
  %x = load i32, ptr %at
  %y = add i32 %x, %i
  store i32 %y, ptr %next
  store i32 %i, ptr %q
  %e = icmp slt i32 %j, %n
  br i1 %e, label %loop, label %end
end:
  ret void""",
    "a load behind a store of one path": """
  br i1 %c, label %then, label %else
then:
  store i32 6, ptr %q
  %x = load i32, ptr %p
  br label %end
else:
  %y = load i32, ptr %p
  store i32 8, ptr %q
  br label %end
end:
  %z = phi i32 [ %x, %then ], [ %y, %else ]
  store i32 %z, ptr %r
  ret void""",
    "a load before a store, used on one path": """
  %x = load i32, ptr %p
  store i32 6, ptr %q
  br i1 %c, label %then, label %end
then:
  store i32 %x, ptr %r
  br label %end
end:
  ret void""",
    "a loop that reads its sum by another pointer": """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %x = load i32, ptr %p
  %y = add i32 %x, 3
  store i32 %y, ptr %p
  %z = load i32, ptr %q
  store i32 %z, ptr %r
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %loop, label %end
end:
  ret void""",
    "a loop that stores in some iterations": """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %x = load i32, ptr %p
  %odd = trunc i32 %i to i1
  br i1 %odd, label %store, label %latch
store:
  %y = add i32 %x, 3
  store i32 %y, ptr %q
  br label %latch
latch:
  %j = add i32 %i, 1
  %e = icmp slt i32 %j, %n
  br i1 %e, label %loop, label %end
end:
  store i32 %x, ptr %r
  ret void""",
    "neighbouring stores around a load": """
  %p1 = getelementptr i32, ptr %p, i64 1
  %q1 = getelementptr i32, ptr %q, i64 1
  store i32 11, ptr %p, align 16
  %x = load i32, ptr %q1
  store i32 12, ptr %p1
  store i32 %x, ptr %r
  ret void""",
    "neighbouring loads around a store": """
  %p1 = getelementptr i32, ptr %p, i64 1
  %q1 = getelementptr i32, ptr %q, i64 1
  %r1 = getelementptr i32, ptr %r, i64 1
  %x = load i32, ptr %p, align 16
  store i32 13, ptr %q1
  %y = load i32, ptr %p1
  store i32 %x, ptr %r
  store i32 %y, ptr %r1
  ret void""",
    "stores that overlap in part": """
  %q1 = getelementptr i16, ptr %q, i64 1
  store i32 65537, ptr %p
  store i16 5, ptr %q1
  %x = load i32, ptr %p
  store i32 %x, ptr %r
  store i32 65537, ptr %p
  ret void""",
    "a fill between equal stores": """
  store i32 3, ptr %p
  br i1 %c, label %then, label %end
then:
  call void @llvm.memset.p0.i64(ptr %q, i8 1, i64 8, i1 false)
  br label %end
end:
  %x = load i32, ptr %p
  store i32 %x, ptr %r
  store i32 3, ptr %p
  ret void""",
}

HEAD = """
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define ptx_kernel void @k(ptr %p, ptr %q, ptr %r, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 2"""

MOVING = (
    "gvn-hoist",
    "simplifycfg<hoist-common-insts;sink-common-insts>",
    "sink",
    "sinking2",
    "dse",
    "early-cse<memssa>",
    "gvn",
    "licm",
    "memcpyopt",
    "load-store-vectorizer",
    "jump-threading",
    "branch-dist",
)
"""Passes that hoist, sink, merge or remove accesses."""


def launches() -> list[Launch]:
    found: list[Launch] = []
    for n in range(1, 6):
        p, q, r = (np.arange(8, dtype=np.int32) + 100 * i for i in (1, 2, 3))
        found += [Launch("k", 1, 1, (p, other, r, n)) for other in (p, q)]
    return found


def check(name: str, pipelines: Sequence[str], *, machine: bool) -> None:
    comparison = Comparison(read_ll(f"{HEAD}{BODIES[name]}\n}}\n"), launches(), ("init",))
    found = [comparison.difference(pipeline, machine=machine) for pipeline in pipelines]
    assert not any(found), found


@pytest.mark.parametrize("name", BODIES)
def test_passes_that_move_accesses(name: str):
    check(name, MOVING, machine=False)


@pytest.mark.parametrize("name", BODIES)
def test_machine_passes(name: str):
    check(name, ("",), machine=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_every_pass_and_level(name: str):
    check(name, [p for p in ir_passes() if p not in MOVING], machine=False)
    check(name, ("nvopt<O1;short>", "nvopt<O3>"), machine=True)
