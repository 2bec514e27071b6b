"""What pointers point at, which accesses meet, and how warps access memory."""
