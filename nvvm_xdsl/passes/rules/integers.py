"""Identities of integer arithmetic."""

SIMPLIFICATIONS = """
add-zero            (add x 0) => x
add-of-sub          (add (sub x y) y) => x
sub-zero            (sub x 0) => x
sub-self            (sub x x) => 0
sub-of-add          (sub (add x y) y) => x
mul-zero            (mul x 0) => 0
mul-one             (mul x 1) => x
div-one             (OP x 1) => x                       for OP = udiv sdiv
rem-one             (OP x 1) => 0                       for OP = urem srem
and-self            (and x x) => x
and-zero            (and x 0) => 0
and-ones            (and x -1) => x
or-self             (or x x) => x
or-zero             (or x 0) => x
or-ones             (or x -1) => -1
xor-self            (xor x x) => 0
xor-zero            (xor x 0) => x
xor-of-xor          (xor (xor x y) y) => x
shift-by-zero       (OP x 0) => x                       for OP = shl lshr ashr
shift-of-zero       (OP 0 x) => 0                       for OP = shl lshr ashr
min-max-self        (OP x x) => x                       for OP = smax smin umax umin
expect-constant     (expect C y) => C
"""
