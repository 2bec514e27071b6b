"""Names of ops in a function and of attributes of its arguments."""

from __future__ import annotations

from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import argument_dictionaries
from nvvm_xdsl.ir import fast


class NamesInside:
    """The names of a function's ops and of its arguments' attributes.

    Arguments:
        names: each once.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> NamesInside:
        """The names in a function."""
        classes = fast.classes_inside(op)
        arguments = argument_dictionaries(op)
        return cls(frozenset([kind.name for kind in classes]).union(*(a.data for a in arguments)))
