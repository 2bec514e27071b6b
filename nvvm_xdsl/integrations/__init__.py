"""Adapters that let clients of libNVVM, Numba and Triton compile with this package instead.

Each module names the client and has `install()` and `uninstall()`; none is imported by the rest of
the package, and a missing client is an ImportError with the package to install.
"""
