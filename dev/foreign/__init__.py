"""Kernels of other people's programs, run without their hosts: does every level compute the same, at what cost?"""
