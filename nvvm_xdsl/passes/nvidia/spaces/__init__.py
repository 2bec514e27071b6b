"""Passes on address spaces, memory objects and their alignment."""
