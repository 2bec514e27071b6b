"""Properties common to all NVPTX targets: address space numbers and the warp size.

Source: LLVM, "User Guide for NVPTX Back-end"; PTX ISA, "State Spaces", `WARP_SZ`.
"""

from __future__ import annotations

from typing import Final

GENERIC: Final = 0
GLOBAL: Final = 1
SHARED: Final = 3
"""Shared memory of the thread block, `.shared::cta`."""
CONSTANT: Final = 4
LOCAL: Final = 5
TENSOR: Final = 6
"""Tensor memory of the fifth generation of tensor cores."""
SHARED_CLUSTER: Final = 7
"""Shared memory of all thread blocks of a cluster."""
PARAM: Final = 101
"""Parameters of a kernel."""

STATE_SPACES: Final[dict[int, str]] = {
    GENERIC: "",
    GLOBAL: "global",
    SHARED: "shared",
    CONSTANT: "const",
    LOCAL: "local",
    SHARED_CLUSTER: "shared::cluster",
    PARAM: "param",
}
"""The PTX state space of each address space that loads and stores access. The generic one has no
name."""

WARP_SIZE: Final = 32
"""Threads of a warp."""
