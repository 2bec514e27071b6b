"""Kernels on a GPU of this machine, through the CUDA driver API.

A kernel that fails destroys its CUDA context, so the driver runs in a process of its own (`worker`); `client`
starts that process and ends it at a time limit. `program` gives launches the form that the simulator has.
"""
