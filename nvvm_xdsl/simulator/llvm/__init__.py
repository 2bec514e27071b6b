"""What the ops of the llvm and nvvm dialects do."""
