"""Requirements of PTX text in inline and module-level assembly."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.nvptx.instructions import split_opcode
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS
from nvvm_xdsl.dialects.nvptx.target import Requirement

if TYPE_CHECKING:
    from nvvm_xdsl.codegen.module_context import ModuleContext

_STATEMENT = re.compile(
    r"""(?:^|[;{}\n|:])\s*          # a statement starts the text or follows another or a label
        (?:@!?[^\s;]+\s+)?          # the guard
        ([a-z][a-z0-9_]*(?:[.:]+[A-Za-z0-9_]+)*)""",
    re.VERBOSE,
)
_SPECIAL_REGISTER = re.compile(r"%+([a-z][a-z0-9_]*(?:\.[xyz])?)")


@cache
def requirements(text: str) -> tuple[tuple[str, tuple[Requirement, ...]], ...]:
    """Requirements of the instructions and special registers in a text.

    Each instruction has the constraints that are common to all forms with its modifiers, because
    its operands are unknown. Instructions that are not in the tables are omitted, because ptxas
    checks the text.
    """
    from nvvm_xdsl.dialects.ptx.statements import without_comments

    found: dict[str, tuple[Requirement, ...]] = {}
    stripped = without_comments(text)
    for match in _STATEMENT.finditer(stripped):
        try:
            mnemonic, modifiers = split_opcode(match[1])
        except KeyError:
            continue
        found[match[1]] = ROWS[mnemonic].requirements_with(modifiers)
    for match in _SPECIAL_REGISTER.finditer(stripped):
        known = SPECIAL_REGISTERS.get(match[1])
        if known is not None:
            found[f"%{match[1]}"] = (known[1],)
    return tuple(found.items())


def require_of_text(context: ModuleContext, text: str, what: str, op: Operation | None) -> None:
    """Records the requirements of PTX text.

    Arguments:
        what: a description of the text, for errors.
        op: the op that contains the text.

    Raises SelectionError for the first instruction that the target does not have in any form.
    """
    target = context.options.target
    for spelled, forms in requirements(text):
        needed = next((form for form in forms if target.supports(form)), forms[0])
        context.require(needed, spelled, op, within=what)
