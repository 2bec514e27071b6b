"""What a launch on the CPU may use at most where nothing else is said; command lines have it in their help."""

STEPS = 20_000_000
MEMORY = 1 << 30
OUTPUT = 1 << 20
