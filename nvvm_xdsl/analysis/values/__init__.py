"""Facts about integer values: bits, ranges, poison."""
