"""Op classes and enumerations generated from MLIR's definitions by `dev/generate_ops.py`."""
