"""Translation validation: proofs that an optimized function refines the original.

The definition of refinement is Alive2's (Lopes et al., "Alive2: Bounded Translation Validation for
LLVM", PLDI 2021). `values` represents scalars, `memory` bytes, `encoder` control flow, and
`refinement` states and solves the claim. The package needs `z3-solver`.
"""
