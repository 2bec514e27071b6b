"""`--verify-each=proof` of `nvvm-opt` and `nvvm-cc`: installs the checker of `lab.validation`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline.instrumentation import Instruments


def with_proofs(instruments: Instruments, *, wanted: bool) -> Instruments:
    """The instruments with proofs after each pass, if wanted.

    Verdicts are kept in the compilation cache of the environment, if there is one. Raises
    DiagnosticError if `z3-solver` is not installed.
    """
    if not wanted:
        return instruments
    from dataclasses import replace

    try:
        from nvvm_xdsl.driver.cache import cache_from
        from nvvm_xdsl.lab.validation.passes import PassProofs
    except ImportError as error:
        raise DiagnosticError(
            f"--verify-each=proof needs z3-solver: pip install z3-solver ({error})"
        ) from None
    return replace(instruments, checker=PassProofs(cache=cache_from()))
