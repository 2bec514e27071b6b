"""Kernels on a GPU of this machine, through the CUDA driver API.

A failing kernel destroys its CUDA context, so the driver runs in a separate process (`worker`).
`client` starts this process and ends it at a time limit. `program` has the same interface to
launches as the simulator.
"""
