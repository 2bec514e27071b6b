"""Triton's flash attention forward kernels: real arguments and a NumPy reference.

The parameters of `attn_fwd` are Q, K, V, the output, the logarithm of the softmax's denominators, the scale
of the scores, the strides of a head and of a row in elements, the length of the context, and two unused
scratch buffers. A block of 128 threads computes 64 rows of one head; heads are 64 wide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nvvm_xdsl.lab.launches import Launch

KERNELS = ("flash_attn_fwd", "flash_attn_fwd_causal")
KERNEL = "attn_fwd"
WIDTH = 64
ROWS = 64
THREADS = 128
SHARED_BYTES = 1 << 16
"""Three stages each of K and V, and Q: 8 KiB each."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Problem:
    """One attention over some heads of a context."""

    causal: bool
    length: int = 128
    heads: int = 1
    scale: float = 0.3
    seed: int = 1

    def inputs(self) -> list[Array]:
        """Returns Q, K and V."""
        rng = np.random.default_rng(self.seed)
        shape = (self.heads, self.length, WIDTH)
        return [rng.normal(size=shape).astype(np.float16) for _ in range(3)]

    def launch(self) -> Launch:
        """Returns the launch, with buffers of zeros for its results."""
        results = (
            np.zeros((self.heads, self.length, WIDTH), np.float16),
            np.zeros((self.heads, self.length), np.float32),
        )
        strides = (self.length * WIDTH, WIDTH)
        return Launch(
            KERNEL,
            grid=(self.length // ROWS, self.heads),
            block=THREADS,
            args=(*self.inputs(), *results, self.scale, *strides, self.length, None, None),
            shared_bytes=SHARED_BYTES,
        )

    def reference(self) -> tuple[Array, Array]:
        """Returns the output and the base-2 logarithms, in double precision."""
        q, k, v = (x.astype(np.float64) for x in self.inputs())
        scores = self.scale * q @ k.swapaxes(1, 2)
        if self.causal:
            seen = np.tril(np.ones((self.length, self.length), bool))
            scores = np.where(seen, scores, -np.inf)
        highest = scores.max(axis=2, keepdims=True)
        weights = np.exp(scores - highest)
        total = weights.sum(axis=2, keepdims=True)
        logarithms = (highest + np.log(total)) / np.log(2)
        return weights / total @ v, logarithms[..., 0]
