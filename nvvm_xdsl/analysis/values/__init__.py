"""What is known of the values of integers: bits, ranges, poison."""
