"""Compilers from NVVM IR to PTX, ours and others', behind one function.

`compiler("libnvvm")` finds one by its name; `available()` says which there are on this machine.
"""

from nvvm_xdsl.lab.compilers.registry import Compiler as Compiler
from nvvm_xdsl.lab.compilers.registry import CompilerError as CompilerError
from nvvm_xdsl.lab.compilers.registry import available as available
from nvvm_xdsl.lab.compilers.registry import compiler as compiler
