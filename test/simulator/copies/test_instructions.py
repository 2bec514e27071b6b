"""Bulk copies and asynchronous stores as instructions of the machine dialect."""

from __future__ import annotations

import numpy as np
from helpers.machine_kernels import Kernel, column
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    B128,
    PRED,
    REG,
    SINK,
    addr,
    addr_vec,
    global_variable,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.simulator import Multicast, TensorMap, launch


def machine(body, buffers, shared: int = 64, block: int = 1, grid: int = 1, **options):
    """Runs `body(kernel, address of shared memory, address of a barrier object)`."""
    kernel = Kernel(len(buffers))
    space = kernel.add("mov", "b64", (), [B64], layout(sym("s"))).results[0]
    barrier = kernel.add("mov", "b64", (), [B64], layout(sym("bar"))).results[0]
    kernel.add("mbarrier.init", "shared.b64", [barrier], (), layout(addr(), imm(1)))
    body(kernel, space, barrier)
    module = kernel.module()
    ops = list(module.ops)
    for op in ops:
        op.detach()
    variables = [
        global_variable("s", "shared", "b64", shared, align=128),
        global_variable("bar", "shared", "b64", 1, align=8),
    ]
    launch(ModuleOp([*variables, *ops]), "k", grid, block, buffers, **options)


def test_machine_copies_in_and_out():
    """The barrier object completes its phase when the bytes of the copy are there."""

    def body(k, s, bar):
        k.add(
            "mbarrier.expect_tx", "relaxed.cta.shared::cta.b64", [bar], (), layout(addr(), imm(32))
        )
        token = k.add("mbarrier.arrive", "shared.b64", [bar], [B64], layout(addr())).results[0]
        into = "shared::cta.global.mbarrier::complete_tx::bytes"
        k.add("cp.async.bulk.prefetch", "L2.global", [k.pointers[0]], (), layout(addr(), imm(32)))
        k.add(
            "cp.async.bulk",
            into,
            [s, k.pointers[0], bar],
            (),
            layout(addr(), addr(), imm(32), addr()),
        )
        done = k.add(
            "mbarrier.try_wait", "shared.b64", [bar, token], [PRED], layout(addr(), REG)
        ).results[0]
        k.add(
            "cp.reduce.async.bulk",
            "global.shared::cta.bulk_group.add.u64",
            [k.pointers[1], s],
            (),
            layout(addr(), addr(), imm(16)),
        )
        k.add("cp.async.bulk.commit_group", "", (), ())
        k.add("cp.async.bulk.wait_group", "read", (), (), layout(imm(0)))
        k.add(
            "cp.async.bulk",
            "global.shared::cta.bulk_group",
            [k.pointers[1], s],
            (),
            layout(addr(16), addr(16), imm(16)),
        )
        k.add("cp.async.bulk.commit_group", "", (), ())
        k.add("cp.async.bulk.wait_group", "", (), (), layout(imm(0)))
        k.store(2, done)

    data, out, done = column([1 | 2 << 64, 3 | 4 << 64]), column([10 | 20 << 64] * 2), column([0])
    machine(body, [data, out, done], checks=["race"])
    assert out.tolist() == [[11, 22], [3, 4]]
    assert done[0, 0] == 1


def test_machine_stores_signal():
    def body(k, s, bar):
        k.add("cp.async.mbarrier.arrive", "noinc.shared.b64", [bar], (), layout(addr()))
        k.add("mbarrier.init", "shared.b64", [bar], (), layout(addr(), imm(1)))
        k.add(
            "mbarrier.expect_tx", "relaxed.cta.shared::cta.b64", [bar], (), layout(addr(), imm(24))
        )
        token = k.add("mbarrier.arrive", "shared.b64", [bar], [B64], layout(addr())).results[0]
        size = k.load(1, B64)
        k.add("st.bulk", "weak.shared::cta", [s, size], (), layout(addr(), REG, imm(0)))
        v = k.load(0, B64)
        k.add(
            "st.async",
            "weak.mbarrier::complete_tx::bytes.shared::cluster.v2.b64",
            [s, v, v, bar],
            (),
            layout(addr(), vec(2), addr()),
        )
        k.add(
            "red.async",
            "relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u64",
            [s, v, bar],
            (),
            layout(addr(8), REG, addr()),
        )
        done = k.add(
            "mbarrier.test_wait", "shared.b64", [bar, token], [PRED], layout(addr(), REG)
        ).results[0]
        for i in range(3):
            value = k.add("ld", "shared.u64", [s], [B64], layout(addr(8 * i))).results[0]
            k.store(2 + i, value)
        k.store(5, done)

    outs = [column([0]) for _ in range(4)]
    machine(body, [column([21]), column([32]), *outs], checks=["init"])
    assert [int(o[0, 0]) for o in outs] == [21, 42, 0, 1]


def test_a_remote_arrival_gives_no_token():
    """`_` stands where the token would be."""

    def body(k, s, bar):
        there = k.add("mapa", "shared::cluster.u64", [bar], [B64], layout(REG, imm(0))).results[0]
        k.add(
            "mbarrier.arrive",
            "release.cluster.shared::cluster.b64",
            [there],
            (),
            layout(SINK, addr()),
        )
        phase = k.add("mov", "b32", (), [B32], layout(imm(0))).results[0]
        done = k.add(
            "mbarrier.test_wait", "parity.shared.b64", [bar, phase], [PRED], layout(addr(), REG)
        ).results[0]
        k.store(0, done)

    out = column([0])
    machine(body, [out])
    assert out[0, 0] == 1


def test_machine_tensor_copies():
    """A box of a map in global memory is loaded, added to a second place and stored to a third one."""

    def body(k, s, bar):
        one = k.add("mov", "b32", (), [B32], layout(imm(1))).results[0]
        two = k.add("mov", "b32", (), [B32], layout(imm(2))).results[0]
        map_ = k.pointers[0]
        k.add(
            "cp.async.bulk.prefetch.tensor",
            "2d.L2.global.tile",
            [map_, two, one],
            (),
            layout(addr_vec(2)),
        )
        load = "2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
        k.add(
            "mbarrier.expect_tx", "relaxed.cta.shared::cta.b64", [bar], (), layout(addr(), imm(32))
        )
        k.add(
            "cp.async.bulk.tensor",
            load,
            [s, map_, two, one, bar],
            (),
            layout(addr(), addr_vec(2), addr()),
        )
        k.add(
            "cp.reduce.async.bulk.tensor",
            "2d.global.shared::cta.add.tile.bulk_group",
            [map_, one, two, s],
            (),
            layout(addr_vec(2), addr()),
        )
        k.add(
            "tensormap.replace",
            "tile.global_dim.global.b1024.b32",
            [map_, two],
            (),
            layout(addr(), imm(0), REG),
        )
        zero = k.add("mov", "b32", (), [B32], layout(imm(0))).results[0]
        k.add(
            "cp.async.bulk.tensor",
            "2d.global.shared::cta.tile.bulk_group",
            [map_, one, zero, s],
            (),
            layout(addr_vec(2), addr()),
        )

    array = np.arange(16, dtype=np.uint64).reshape(4, 4)
    wanted = array.copy()
    wanted[2:, 1:3] += array[1:3, 2:]
    # The last copy sees a tensor that is two elements wide.
    wanted[0:2, 1] = array[1:3, 2]
    machine(body, [TensorMap(array, (2, 2))])
    assert array.tolist() == wanted.tolist()


def test_a_map_goes_from_shared_to_global_memory():
    def body(k, s, bar):
        k.add("st", "shared.b64", [s, k.load(1, B64)], (), layout(addr(120), REG))
        k.add(
            "tensormap.cp_fenceproxy",
            "global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
            [k.pointers[0], s],
            (),
            layout(addr(), addr(), imm(128)),
        )

    out = np.zeros(16, np.uint64)
    machine(body, [out, column([7] * 32)], block=32)
    assert out[15] == 7


def test_machine_multimem():
    """A value is stored to, added to and read from two devices; a bulk copy goes to both."""

    def body(k, s, bar):
        at = k.pointers[0]
        v = k.load(1, B64)
        k.add("multimem.st", "relaxed.sys.global.b64", [at, v], (), layout(addr(), REG))
        k.add("multimem.red", "relaxed.sys.global.add.u64", [at, v], (), layout(addr(), REG))
        total = k.add(
            "multimem.ld_reduce", "weak.global.add.u64", [at], [B64], layout(addr())
        ).results[0]
        k.store(2, total)
        k.add("st", "shared.b64", [s, v], (), layout(addr(), REG))
        k.add("st", "shared.b64", [s, v], (), layout(addr(8), REG))
        k.add(
            "multimem.cp.async.bulk",
            "global.shared::cta.bulk_group",
            [at, s],
            (),
            layout(addr(16), addr(), imm(16)),
        )
        k.add(
            "multimem.cp.reduce.async.bulk",
            "global.shared::cta.bulk_group.add.u64",
            [at, s],
            (),
            layout(addr(16), addr(), imm(16)),
        )

    devices = [np.array([1, 2, 3, 4], np.uint64), np.array([5, 6, 7, 8], np.uint64)]
    out = column([0])
    machine(body, [Multicast(devices), column([21]), out])
    assert [d.tolist() for d in devices] == [[42, 2, 42, 42], [42, 6, 42, 42]]
    assert out[0, 0] == 84


def test_machine_launch_control():
    """Of two blocks the first does the second's work."""

    def body(k, s, bar):
        k.add(
            "clusterlaunchcontrol.try_cancel",
            "async.shared::cta.mbarrier::complete_tx::bytes.b128",
            [s, bar],
            (),
            layout(addr(), addr()),
        )
        r = k.add("ld", "shared.b128", [s], [B128], layout(addr())).results[0]
        done = k.add(
            "clusterlaunchcontrol.query_cancel", "is_canceled.pred.b128", [r], [PRED]
        ).results[0]
        x = k.add(
            "clusterlaunchcontrol.query_cancel", "get_first_ctaid::x.b32.b128", [r], [B32]
        ).results[0]
        k.store(0, done)
        k.store(1, x)

    outs = [column([7]), column([7])]
    machine(body, outs, grid=2)
    assert [int(o[0, 0]) & 0xFFFF for o in outs] == [1, 1]
