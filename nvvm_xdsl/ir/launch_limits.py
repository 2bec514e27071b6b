"""Default limits of a launch on the CPU. Command lines state them in their help."""

STEPS = 20_000_000
MEMORY = 1 << 30
OUTPUT = 1 << 20
