"""Verification of the many modules that tests make: each shape of op is checked once."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module


def verify(module: Operation) -> None:
    """Checks a module whole. Raises VerifyError for the first thing that is wrong."""
    verify_ops(module)
    verify_module(module)
