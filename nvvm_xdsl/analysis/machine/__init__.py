"""Analyses of machine code, the nvptx dialect."""
