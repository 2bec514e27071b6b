"""From machine code to PTX."""
