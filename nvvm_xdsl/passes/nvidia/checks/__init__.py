"""Passes that check or annotate a module."""
