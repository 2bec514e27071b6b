"""Tools around the compiler: differential testing, fuzzing, reduction, tuning and reports.

Tests call `assert_same_behaviour`; `random_kernels` generates modules for it, and `reducer` reduces
failing modules.
"""

from typing import TYPE_CHECKING

from nvvm_xdsl.ir.late_exports import late_exports

if TYPE_CHECKING:
    from nvvm_xdsl.lab.behaviour import BehaviourError as BehaviourError
    from nvvm_xdsl.lab.behaviour import Difference as Difference
    from nvvm_xdsl.lab.behaviour import InvalidKernelError as InvalidKernelError
    from nvvm_xdsl.lab.behaviour import assert_same_behaviour as assert_same_behaviour
    from nvvm_xdsl.lab.behaviour import find_difference as find_difference
    from nvvm_xdsl.lab.launches import Launch as Launch

__getattr__ = late_exports(
    __name__,
    {
        "BehaviourError": "nvvm_xdsl.lab.behaviour",
        "Difference": "nvvm_xdsl.lab.behaviour",
        "InvalidKernelError": "nvvm_xdsl.lab.behaviour",
        "Launch": "nvvm_xdsl.lab.launches",
        "assert_same_behaviour": "nvvm_xdsl.lab.behaviour",
        "find_difference": "nvvm_xdsl.lab.behaviour",
    },
)
