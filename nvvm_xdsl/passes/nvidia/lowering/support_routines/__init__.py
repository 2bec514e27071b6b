"""Functions for operations without a PTX instruction, and linking them into a module."""
