"""Differential testing: does a module still do what it did?

`assert_same_behaviour` is what tests call; `random_kernels` makes modules to try it on, and
`reducer` makes failing ones small.
"""

from nvvm_xdsl.testing.behaviour import BehaviourError as BehaviourError
from nvvm_xdsl.testing.behaviour import Difference as Difference
from nvvm_xdsl.testing.behaviour import InvalidKernelError as InvalidKernelError
from nvvm_xdsl.testing.behaviour import assert_same_behaviour as assert_same_behaviour
from nvvm_xdsl.testing.behaviour import find_difference as find_difference
from nvvm_xdsl.testing.launches import Launch as Launch
