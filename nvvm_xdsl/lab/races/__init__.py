"""Static race freedom of kernels: symbolic execution of two threads, and an SMT solver."""
