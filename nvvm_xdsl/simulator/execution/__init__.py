"""The machine that programs run on: memory, scheduling of threads, synchronization."""
