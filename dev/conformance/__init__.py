"""LLVM's and MLIR's own tests as a measure of accepted valid input and rejected invalid input."""
