"""Semantics of the ops of the llvm and nvvm dialects."""
