"""Runs kernels of other programs without their hosts: results of all levels, and costs."""
