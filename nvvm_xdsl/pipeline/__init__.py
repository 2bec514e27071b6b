"""Which passes run, in what order: pipeline text, levels, and the manager that runs them."""

from nvvm_xdsl.pipeline.build import build_pipeline as build_pipeline
from nvvm_xdsl.pipeline.build import print_nodes as print_nodes
from nvvm_xdsl.pipeline.instrumentation import Instruments as Instruments
from nvvm_xdsl.pipeline.manager import PassFailure as PassFailure
from nvvm_xdsl.pipeline.manager import PassManager as PassManager
from nvvm_xdsl.pipeline.manager import run_pipeline as run_pipeline
from nvvm_xdsl.pipeline.text import PipelineError as PipelineError
