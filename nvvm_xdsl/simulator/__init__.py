"""Runs kernels on the CPU: the semantics of the llvm, nvvm and nvptx dialects.

`launch` runs a kernel on NumPy arrays. `prepare` compiles a module once for several launches.
`Texture`, `Sampler` and `Surface` are the arguments for handles.
"""

import nvvm_xdsl.dialects as _dialects  # before anything imports xDSL's  # noqa: F401  # pyright: ignore[reportUnusedImport]
from nvvm_xdsl.simulator.arguments import Pointer as Pointer
from nvvm_xdsl.simulator.copies.multimem import Multicast as Multicast
from nvvm_xdsl.simulator.copies.tensor_maps import TensorMap as TensorMap
from nvvm_xdsl.simulator.errors import SimulationError as SimulationError
from nvvm_xdsl.simulator.execution.recorder import Recorder as Recorder
from nvvm_xdsl.simulator.execution.scheduling import Limits as Limits
from nvvm_xdsl.simulator.launch import CHECKS as CHECKS
from nvvm_xdsl.simulator.launch import Result as Result
from nvvm_xdsl.simulator.launch import launch as launch
from nvvm_xdsl.simulator.launch import prepare as prepare
from nvvm_xdsl.simulator.sanitize import sanitize as sanitize
from nvvm_xdsl.simulator.textures.objects import Sampler as Sampler
from nvvm_xdsl.simulator.textures.objects import Surface as Surface
from nvvm_xdsl.simulator.textures.objects import Texture as Texture
