"""Variables that the host sets: handles of textures, samplers and surfaces, managed memory, and others."""

from __future__ import annotations

from xdsl.ir import Operation

HANDLE_ATTRIBUTES = {
    "nvvm.texture": "texref",
    "nvvm.sampler": "samplerref",
    "nvvm.surface": "surfref",
}
"""PTX's types of such variables, by the attribute that represents `!nvvm.annotations`."""


MANAGED = "nvvm.managed"
"""The attribute of variables in managed memory, which the host reads and writes."""


def handle_kind(variable: Operation) -> str | None:
    """PTX's type of a variable that represents a handle; None for other variables."""
    return next((k for a, k in HANDLE_ATTRIBUTES.items() if a in variable.attributes), None)


def set_by_host(op: Operation) -> bool:
    """True if a variable's value when a kernel starts may differ from its initializer."""
    return (
        "externally_initialized" in op.properties
        or "llvm.externally_initialized" in op.attributes
        or "externally_initialized" in op.attributes
        or MANAGED in op.attributes
        or handle_kind(op) is not None
    )
