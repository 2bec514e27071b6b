"""Options of code generation."""

from __future__ import annotations

from dataclasses import dataclass

from nvvm_xdsl.dialects.nvptx.target import Target

DEFAULT_ARCH = "sm_75"
"""The architecture when none is stated: the lowest that CUDA 13's ptxas assembles."""


@dataclass(frozen=True)
class CodegenOptions:
    """Options of selection, with libNVVM's names and defaults.

    Arguments:
        target: the architecture to select for.
        ftz: flush subnormal results and operands of f32 operations to zero.
        prec_div: f32 division rounds correctly; otherwise `div.full`.
        prec_sqrt: f32 square root rounds correctly; otherwise `sqrt.approx`.
        fmad: a multiplication whose only use is an addition may become one `fma`.
        line_info: carry source locations for `.loc`.
        debug_info: describe variables for debuggers.
    """

    target: Target
    ftz: bool = False
    prec_div: bool = True
    prec_sqrt: bool = True
    fmad: bool = True
    line_info: bool = False
    debug_info: bool = False

    @staticmethod
    def for_arch(
        arch: str = DEFAULT_ARCH,
        *,
        ftz: bool = False,
        prec_div: bool = True,
        prec_sqrt: bool = True,
        fmad: bool = True,
        line_info: bool = False,
        debug_info: bool = False,
    ) -> CodegenOptions:
        """Options for an architecture by name. Raises DiagnosticError for an unknown one."""
        return CodegenOptions(
            Target.parse(arch), ftz, prec_div, prec_sqrt, fmad, line_info, debug_info
        )
