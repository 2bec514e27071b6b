"""Whole modules."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp


def take_contents(module: ModuleOp, other: ModuleOp) -> None:
    """Gives a module the body and attributes of another, which is used up, in place of its own.

    What converts a module builds another; a pass has to change the one that it was given.
    """
    body = other.detach_region(0)
    module.detach_region(0)
    module.add_region(body)
    module.attributes = dict(other.attributes)
