"""PTX's special registers (PTX ISA, chapter 10)."""

from __future__ import annotations

_SPECIAL: dict[str, str] = {
    **{f"tid.{d}": f"blk.tid[{i}]" for i, d in enumerate("xyz")},
    **{f"ntid.{d}": f"np.array([blk.grid.block[{i}]], u4)" for i, d in enumerate("xyz")},
    **{f"ctaid.{d}": f"blk.ctaid[{i}]" for i, d in enumerate("xyz")},
    **{f"nctaid.{d}": f"np.array([blk.grid.grid[{i}]], u4)" for i, d in enumerate("xyz")},
    **{
        f"clusterid.{d}": f"np.array([blk.index[{i}] // blk.grid.cluster[{i}]], u4)"
        for i, d in enumerate("xyz")
    },
    **{
        f"nclusterid.{d}": f"np.array([blk.grid.grid[{i}] // blk.grid.cluster[{i}]], u4)"
        for i, d in enumerate("xyz")
    },
    **{
        f"cluster_ctaid.{d}": f"np.array([blk.index[{i}] % blk.grid.cluster[{i}]], u4)"
        for i, d in enumerate("xyz")
    },
    **{
        f"cluster_nctaid.{d}": f"np.array([blk.grid.cluster[{i}]], u4)" for i, d in enumerate("xyz")
    },
    "cluster_ctarank": "np.array([blk.rank], u4)",
    "cluster_nctarank": "np.array([blk.grid.cluster[0] * blk.grid.cluster[1] * blk.grid.cluster[2]], u4)",
    "is_explicit_cluster": "np.array([blk.grid.cluster != (1, 1, 1)])",
    "laneid": "blk.lane_in_warp",
    "warpid": "blk.warp_of_lane.astype(u4)",
    "nwarpid": "np.array([64], u4)",
    "smid": "np.array([0], u4)",
    "nsmid": "np.array([1], u4)",
    "gridid": "np.array([1], u8)",
    "lanemask_eq": "u4(1) << blk.lane_in_warp",
    "lanemask_lt": "(u4(1) << blk.lane_in_warp) - u4(1)",
    "lanemask_le": "(u4(2) << blk.lane_in_warp) - u4(1)",
    "lanemask_gt": "~((u4(2) << blk.lane_in_warp) - u4(1))",
    "lanemask_ge": "~((u4(1) << blk.lane_in_warp) - u4(1))",
    "clock": "np.array([blk.clock() & 0xFFFFFFFF], u4)",
    "clock_hi": "np.array([blk.clock() >> 32], u4)",
    "clock64": "np.array([blk.clock()], u8)",
    "globaltimer": "np.array([blk.clock()], u8)",
    "globaltimer_lo": "np.array([blk.clock() & 0xFFFFFFFF], u4)",
    "globaltimer_hi": "np.array([blk.clock() >> 32], u4)",
    "dynamic_smem_size": "np.array([blk.grid.dynamic_shared], u4)",
    "total_smem_size": "np.array([blk.grid.dynamic_shared + blk.grid.static_shared], u4)",
    "aggr_smem_size": "np.array([blk.grid.dynamic_shared + blk.grid.static_shared], u4)",
    # No shared memory is reserved: the region is empty and begins where the block's memory ends.
    **{
        f"reserved_smem_offset_{name}": "np.array([blk.grid.dynamic_shared + blk.grid.static_shared], u4)"
        for name in ("begin", "end", "0", "1")
    },
    "reserved_smem_offset_cap": "np.array([0], u4)",
    "current_graph_exec": "np.array([0], u8)",
    "warpsize": "np.array([32], u4)",
    "WARP_SZ": "np.array([32], u4)",
    **{f"envreg{i}": "np.array([0], u4)" for i in range(32)},
}


def special_register(name: str) -> str | None:
    """The expression for a special register, given by its PTX name without the percent sign."""
    return _SPECIAL.get(name)
