"""Verification of asynchronous copies (PTX ISA 9.1, sections 9.7.9.25 and 9.7.9.27)."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of
from nvvm_xdsl.dialects.nvvm.verifiers.parts import group_of, space_of
from nvvm_xdsl.ir.nvptx import SHARED, SHARED_CLUSTER

MOST_DIMENSIONS = 5
LEAST_OF_IMAGES = 3
"""Dimensions of tensors, and of tensors from which image patches are copied."""

ROWS = 4
"""Number of rows gathered or scattered at once: their indices and the column are the
coordinates."""


def copy_async(op: Operation) -> None:
    """`nvvm.cp.async.shared.global` copies 4, 8 or 16 bytes, 16 through `cg`."""
    size = int_property(op, "size")
    modifier = keyword_of(op, "modifier")
    if size not in (4, 8, 16):
        raise VerifyException(f"an asynchronous copy is of 4, 8 or 16 bytes, not {size}")
    if modifier not in ("ca", "cg"):
        raise VerifyException(f"an asynchronous copy is cached 'ca' or 'cg', not '{modifier}'")
    if modifier == "cg" and size != 16:
        raise VerifyException(f"an asynchronous copy cached 'cg' is of 16 bytes, not {size}")


def bulk_load(op: Operation) -> None:
    """`nvvm.cp.async.bulk.shared.cluster.global` to the block itself cannot be a multicast."""
    if space_of(op.operands[0]) == SHARED and group_of(op, 4):
        raise VerifyException("a copy to the block's own shared memory has no multicast mask")


def tensor_load(op: Operation) -> None:
    """`nvvm.cp.async.bulk.tensor.shared.cluster.global`: by mode and destination."""
    mode = keyword_of(op, "mode") or "tile"
    alone, guarded = flag_of(op, "isCTAOnly"), bool(group_of(op, 7))
    if guarded and (alone or mode not in ("tile", "im2col")):
        raise VerifyException("only a tile or im2col copy to the cluster takes a predicate")
    wanted = SHARED if alone else SHARED_CLUSTER
    if not guarded and space_of(op.operands[0]) != wanted:
        raise VerifyException(f"the destination of this copy is in address space {wanted}")
    if alone and (group_of(op, 5) or "group" in op.properties):
        what = "multicast mask" if group_of(op, 5) else "group of blocks"
        raise VerifyException(f"a copy to the block's own shared memory has no {what}")
    _loaded(mode, len(group_of(op, 2)), len(group_of(op, 4)))


def tensor_prefetch(op: Operation) -> None:
    """`nvvm.cp.async.bulk.tensor.prefetch` has the coordinates of a load."""
    _loaded(keyword_of(op, "mode") or "tile", len(group_of(op, 1)), len(group_of(op, 2)))


def _loaded(mode: str, dimensions: int, offsets: int) -> None:
    """Checks coordinates and offsets of a load in a mode."""
    _coordinates(mode, dimensions)
    if mode == "tile_gather4" and dimensions != ROWS + 1:
        raise VerifyException(f"tile_gather4 needs {ROWS + 1} coordinates, not {dimensions}")
    wanted = {"im2col": dimensions - 2, "im2col_w": 2, "im2col_w_128": 2}.get(mode, 0)
    if offsets != wanted:
        raise VerifyException(
            f"{mode} of {dimensions} dimensions needs {wanted} offsets, not {offsets}"
        )


def _coordinates(mode: str, dimensions: int) -> None:
    if not 1 <= dimensions <= MOST_DIMENSIONS:
        raise VerifyException(f"a tensor has 1 to {MOST_DIMENSIONS} coordinates, not {dimensions}")
    if mode.startswith("im2col") and dimensions < LEAST_OF_IMAGES:
        raise VerifyException(
            f"{mode} needs at least {LEAST_OF_IMAGES} coordinates, not {dimensions}"
        )


def tensor_store(op: Operation) -> None:
    """`nvvm.cp.async.bulk.tensor.global.shared.cta`: by mode; with a predicate only plain tiles."""
    mode = keyword_of(op, "mode") or "tile"
    if group_of(op, 4):
        if mode != "tile":
            raise VerifyException(f"only a store of tiles takes a predicate, not {mode}")
        if group_of(op, 3):
            raise VerifyException("a store with a predicate has no cache hint")
    dimensions = len(group_of(op, 2))
    _coordinates(mode, dimensions)
    if mode == "tile_scatter4" and dimensions != ROWS + 1:
        raise VerifyException(f"tile_scatter4 needs {ROWS + 1} coordinates, not {dimensions}")


def tensor_reduce(op: Operation) -> None:
    """`nvvm.cp.async.bulk.tensor.reduce` only reduces tiles and patches."""
    mode = keyword_of(op, "mode") or "tile"
    if mode == "tile_scatter4":
        raise VerifyException("a reduction does not scatter rows")
    _coordinates(mode, len(group_of(op, 2)))
