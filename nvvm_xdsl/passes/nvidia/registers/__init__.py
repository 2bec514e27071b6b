"""Passes that reduce register pressure."""
