"""The kernels of the corpus, linked and reflected, as they are run."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.pipeline.manager import run_pipeline

FOLDER = Path(__file__).resolve().parents[1] / "corpus"


def loaded(path: Path, arch: int = 900) -> ModuleOp:
    """Returns a module with libdevice; skips the test without libdevice."""
    module = parse(path)
    library = find_libdevice()
    if library is None:
        pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
    module = link_libdevice(module, library) or module
    run_pipeline(module, f"nvvm-reflect<arch={arch}>")
    return module
