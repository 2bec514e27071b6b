"""Identities of floating point: without flags what IEEE 754 says, NaN payloads aside."""

SIMPLIFICATIONS = """
fadd-negative-zero  (fadd x -0.0) => x
fadd-zero           (fadd:nsz x 0.0) => x
fsub-zero           (fsub x 0.0) => x
fsub-negative-zero  (fsub:nsz x -0.0) => x
fmul-one            (fmul x 1.0) => x
fmul-zero           (fmul:nnan,nsz x 0.0) => 0.0
fmul-negative-zero  (fmul:nnan,nsz x -0.0) => -0.0
fdiv-one            (fdiv x 1.0) => x
fneg-fneg           (fneg (fneg x)) => x
"""
