"""Passes that lower NVVM constructs to simpler IR."""
