"""Options of code generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nvvm_xdsl.codegen.float_modes import FloatModes
from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH, JUMP_TABLE_DENSITY
from nvvm_xdsl.dialects.nvptx.target import Target


@dataclass(frozen=True)
class CodegenOptions(FloatModes):
    """Options of selection.

    Arguments:
        target: the architecture to select for.
        line_info: carry source locations for `.loc`.
        debug_info: describe variables for debuggers.
        jump_table_density: the minimum percentage of a jump table's entries that are cases.
    """

    target: Target
    line_info: bool = False
    debug_info: bool = False
    jump_table_density: int = JUMP_TABLE_DENSITY

    @staticmethod
    def for_arch(arch: str = DEFAULT_ARCH, **options: Any) -> CodegenOptions:
        """Options for an architecture by name. Raises DiagnosticError for an unknown one.

        Arguments:
            options: the fields besides `target`.
        """
        return CodegenOptions(Target.parse(arch), **options)
