"""What intrinsics and ops of the nvvm dialect are in PTX, as tables."""
