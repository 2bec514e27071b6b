"""LLVM's and MLIR's own tests as a measure of what valid input is taken, and what invalid refused."""
