"""Axiomatic memory models of PTX and of NVVM IR, and the outcomes of small programs under them."""
