"""Verification of modules, functions and ops."""
