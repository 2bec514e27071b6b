"""Verification of the many modules of tests: each shape of op is checked once."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.verify.op_verifier import verify_ops
from nvvm_xdsl.verify.verifier import verify_module


def verify(module: Operation) -> None:
    """Verifies a module. Raises VerifyError for the first error."""
    verify_ops(module)
    verify_module(module)
