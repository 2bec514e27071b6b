"""Arithmetic on arrays of lanes: integers and floating point."""
