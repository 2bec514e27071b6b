"""Clients: what calls libNVVM, Numba or Triton's last stage can be compiled by this package in its place.

Each module names the client and has `install()` and `uninstall()`; none is imported by the rest of
the package, and a client that is not there is an ImportError that says what to install.
"""
