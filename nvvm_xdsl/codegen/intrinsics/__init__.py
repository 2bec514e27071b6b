"""Tables of the PTX of intrinsics and of ops of the nvvm dialect."""
