"""A common interface to compilers from NVVM IR to PTX, including this one.

`compiler("libnvvm")` returns a compiler by name; `available()` returns those on this machine.
"""

from nvvm_xdsl.lab.compilers.registry import Compiler as Compiler
from nvvm_xdsl.lab.compilers.registry import CompilerError as CompilerError
from nvvm_xdsl.lab.compilers.registry import available as available
from nvvm_xdsl.lab.compilers.registry import compiler as compiler
