"""A CUDA driver whose device is the simulator: programs of Python launch kernels without a GPU.

    from nvvm_xdsl.integrations import simulated_driver
    simulated_driver.install()

    from numba import cuda

`install` loads a library with the name of NVIDIA's driver, `libcuda.so.1`, before clients such as
cuda.bindings search for it. Modules are PTX text: clients must not assemble it themselves. A launch
runs at once, so that streams and events have nothing to wait for. Device memory is mapped into the
process at its device addresses; therefore managed and pinned memory need no copies.

Differences from a GPU: memory of device malloc does not persist between launches, textures and
arrays do not exist, and a failed launch leaves the context usable. Its error is printed to standard
error. Clients get CUDA_ERROR_NOT_FOUND for functions that are not in `signatures`.

Linux only. Building the library needs a C compiler (`cc`).

Source: CUDA Driver API, version 13.0.
"""

from __future__ import annotations

import atexit
import ctypes
import subprocess
import tempfile
from pathlib import Path

from nvvm_xdsl.integrations.simulated_driver.functions import Driver
from nvvm_xdsl.integrations.simulated_driver.signatures import c_source, functions_of
from nvvm_xdsl.simulator import Limits

_installed: list[Driver] = []


def install(limits: Limits | None = None) -> Driver:
    """Loads the driver into this process; later calls return the same one.

    Arguments:
        limits: the limits of a launch.
    Raises:
        OSError: another driver is loaded, there is no C compiler, or the addresses of device memory
            are in use.
    """
    if _installed:
        return _installed[0]
    try:
        ctypes.CDLL("libcuda.so.1", getattr(ctypes, "RTLD_LOCAL", 0) | _NOLOAD)
    except OSError:
        pass
    else:
        raise OSError(
            "a CUDA driver is loaded already; install this one before the imports of clients"
        )
    driver = Driver(limits)
    library = _built()
    kept = functions_of(driver)
    for number, function in enumerate(kept):
        library.simulated_driver_set(number, function)
    driver.kept += [library, *kept]
    atexit.register(library.simulated_driver_close)
    _installed.append(driver)
    return driver


_NOLOAD = 4
"""RTLD_NOLOAD: only find a library that is loaded."""


def _built() -> ctypes.CDLL:
    """The library, compiled and loaded."""
    with tempfile.TemporaryDirectory() as folder:
        source, built = Path(folder, "driver.c"), Path(folder, "libcuda.so.1")
        source.write_text(c_source(), encoding="utf-8")
        command = ["cc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", "-o", built, source]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise OSError(f"the driver's library cannot be built: {done.stderr}")
        return ctypes.CDLL(str(built))
