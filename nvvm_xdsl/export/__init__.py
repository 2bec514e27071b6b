"""LLVM IR text of a module of the llvm and nvvm dialects: the inverse of `frontend`.

write_ll(module) -> str
"""

from nvvm_xdsl.export.errors import WriteError as WriteError
from nvvm_xdsl.export.module import write_ll as write_ll
