"""Passes on barriers, convergence and warp operations."""
