"""Underlying objects of pointers, aliasing of accesses, and how warps access memory."""
