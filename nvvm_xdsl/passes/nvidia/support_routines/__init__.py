"""Functions for what PTX has no instruction for, and linking them into a module."""
