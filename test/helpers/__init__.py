"""Helpers of several tests: programs, kernels, generators, and the runner of the lit tests."""
