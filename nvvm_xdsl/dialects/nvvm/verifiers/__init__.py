"""Checks of ops of the nvvm dialect that MLIR implements in C++, beyond operand types.

A check takes the op and raises VerifyException; `generate` calls it from the op's class. Facts:
MLIR 22's definitions and its tests of invalid ops, and the PTX ISA 9.1.
"""

from nvvm_xdsl.dialects.nvvm.verifiers import conversions
from nvvm_xdsl.dialects.nvvm.verifiers.conversions import extended_narrow as extended_narrow
from nvvm_xdsl.dialects.nvvm.verifiers.conversions import halves as halves
from nvvm_xdsl.dialects.nvvm.verifiers.conversions import narrow as narrow
from nvvm_xdsl.dialects.nvvm.verifiers.conversions import tf32 as tf32
from nvvm_xdsl.dialects.nvvm.verifiers.copies import bulk_load as bulk_load
from nvvm_xdsl.dialects.nvvm.verifiers.copies import copy_async as copy_async
from nvvm_xdsl.dialects.nvvm.verifiers.copies import tensor_load as tensor_load
from nvvm_xdsl.dialects.nvvm.verifiers.copies import tensor_prefetch as tensor_prefetch
from nvvm_xdsl.dialects.nvvm.verifiers.copies import tensor_reduce as tensor_reduce
from nvvm_xdsl.dialects.nvvm.verifiers.copies import tensor_store as tensor_store
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import load_matrix as load_matrix
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import mma as mma
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import scaled_product as scaled_product
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import store_matrix as store_matrix
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import tensor_copy as tensor_copy
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import tensor_memory_load as tensor_memory_load
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import tensor_product as tensor_product
from nvvm_xdsl.dialects.nvvm.verifiers.matrices import wmma_load as wmma_load
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import fence_proxy as fence_proxy
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import (
    fence_proxy_restrict as fence_proxy_restrict,
)
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import fence_restrict as fence_restrict
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import fence_tensormap as fence_tensormap
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import mapa as mapa
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import mbarrier as mbarrier
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import mbarrier_expect as mbarrier_expect
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import prefetch as prefetch
from nvvm_xdsl.dialects.nvvm.verifiers.synchronization import store_bulk as store_bulk
from nvvm_xdsl.dialects.nvvm.verifiers.threads import barrier as barrier
from nvvm_xdsl.dialects.nvvm.verifiers.threads import match as match
from nvvm_xdsl.dialects.nvvm.verifiers.threads import performance_event as performance_event
from nvvm_xdsl.dialects.nvvm.verifiers.threads import permute as permute
from nvvm_xdsl.dialects.nvvm.verifiers.threads import query_cancel as query_cancel
from nvvm_xdsl.dialects.nvvm.verifiers.threads import redux as redux
from nvvm_xdsl.dialects.nvvm.verifiers.threads import set_max_register as set_max_register
from nvvm_xdsl.dialects.nvvm.verifiers.threads import shuffle as shuffle
from nvvm_xdsl.dialects.nvvm.verifiers.threads import special_register as special_register
from nvvm_xdsl.dialects.nvvm.verifiers.threads import vote as vote

VERIFIERS: dict[str, str] = {
    "nvvm.shfl.sync": "shuffle",
    "nvvm.vote.sync": "vote",
    "nvvm.match.sync": "match",
    "nvvm.redux.sync": "redux",
    "nvvm.barrier": "barrier",
    "nvvm.pmevent": "performance_event",
    "nvvm.clusterlaunchcontrol.query.cancel": "query_cancel",
    "nvvm.prmt": "permute",
    "nvvm.setmaxregister": "set_max_register",
    "nvvm.cp.async.shared.global": "copy_async",
    "nvvm.cp.async.bulk.shared.cluster.global": "bulk_load",
    "nvvm.cp.async.bulk.tensor.shared.cluster.global": "tensor_load",
    "nvvm.cp.async.bulk.tensor.prefetch": "tensor_prefetch",
    "nvvm.cp.async.bulk.tensor.global.shared.cta": "tensor_store",
    "nvvm.cp.async.bulk.tensor.reduce": "tensor_reduce",
    "nvvm.fence.proxy": "fence_proxy",
    "nvvm.fence.sync_restrict": "fence_restrict",
    "nvvm.fence.proxy.sync_restrict": "fence_proxy_restrict",
    "nvvm.fence.proxy.acquire": "fence_tensormap",
    "nvvm.fence.proxy.release": "fence_tensormap",
    "nvvm.mapa": "mapa",
    "nvvm.mbarrier.arrive.expect_tx": "mbarrier_expect",
    **{
        f"nvvm.mbarrier.{name}": "mbarrier"
        for name in (
            "arrive arrive_drop arrive_drop.expect_tx expect_tx complete_tx test.wait try_wait"
        ).split()
    },
    "nvvm.prefetch": "prefetch",
    "nvvm.st.bulk": "store_bulk",
    "nvvm.convert.f32x2.to.f16x2": "halves",
    "nvvm.convert.f32x2.to.bf16x2": "halves",
    "nvvm.convert.float.to.tf32": "tf32",
    **{f"nvvm.convert.{name}": "narrow" for name in conversions.TYPES},
    "nvvm.ldmatrix": "load_matrix",
    "nvvm.stmatrix": "store_matrix",
    "nvvm.wmma.load": "wmma_load",
    "nvvm.mma.sync": "mma",
    "nvvm.tcgen05.cp": "tensor_copy",
    "nvvm.tcgen05.ld": "tensor_memory_load",
    "nvvm.tcgen05.st": "tensor_memory_load",
    "nvvm.tcgen05.mma": "tensor_product",
    "nvvm.tcgen05.mma.sp": "tensor_product",
    "nvvm.tcgen05.mma.block_scale": "scaled_product",
    "nvvm.tcgen05.mma.sp.block_scale": "scaled_product",
}
"""The check of each op, by class."""
