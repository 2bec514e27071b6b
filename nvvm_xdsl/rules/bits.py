"""Identities of bits: and, or, xor, shifts, rotations, counts."""

SIMPLIFICATIONS = """
and-self            (and x x) => x
and-zero            (and x 0) => 0
and-ones            (and x -1) => x
and-not             (and x (not x)) => 0
and-of-or           (and x (or x y)) => x
and-again           (and x a=(and x y)) => a
and-or-constant     (and (or x C1) C2) => C2                        if C1 & C2 == C2
and-of-ors-not      (and (or x y) (or x (not y))) => x
and-of-or-self      (and (or x y) a=(xor x y)) => a
or-self             (or x x) => x
or-zero             (or x 0) => x
or-ones             (or x -1) => -1
or-not              (or x (not x)) => -1
or-of-and           (or x (and x y)) => x
or-again            (or x a=(or x y)) => a
or-and-constant     (or (and x C1) C2) => C2                        if C1 & ~C2 == 0
or-of-ands-not      (or (and x y) (and x (not y))) => x
or-of-xor-again     (or (xor x y) a=(or x y)) => a
or-of-and-again     (or (and x y) a=(or x y)) => a
xor-self            (xor x x) => 0
xor-zero            (xor x 0) => x
xor-of-xor          (xor (xor x y) y) => x
xor-not             (xor x (not x)) => -1
shift-by-zero       (SH x 0) => x                                   for SH = shl lshr ashr
shift-of-zero       (SH 0 x) => 0                                   for SH = shl lshr ashr
ashr-of-ones        (ashr -1 x) => -1
lshr-of-shl         (lshr (shl:nuw x y) y) => x
ashr-of-shl         (ashr (shl:nsw x y) y) => x
shl-of-lshr-exact   (shl (lshr:exact x y) y) => x
shl-of-ashr-exact   (shl (ashr:exact x y) y) => x
lshr-of-shl-by      (lshr (shl:nuw x C) C) => x                     if C < width
ashr-of-shl-by      (ashr (shl:nsw x C) C) => x                     if C < width
shl-exact-by        (shl (SH:exact x C) C) => x                     if C < width for SH = lshr ashr
shl-all-out         (shl (shl x C1) C2) => 0                        if C1 < width and C2 < width and C1 + C2 >= width
lshr-all-out        (lshr (lshr x C1) C2) => 0                      if C1 < width and C2 < width and C1 + C2 >= width
bswap-bswap         (bswap (bswap x)) => x
bitreverse-twice    (bitreverse (bitreverse x)) => x
funnel-by-zero-left (fshl x y 0) => x
funnel-by-zero      (fshr x y 0) => y
rotate-zero         (FSH 0 0 x) => 0                                for FSH = fshl fshr
or-nor-cover        (or (and x a=(not y)) (not (or x y))) => a
or-xor-of-and-not   (or a=(xor x y) (and x (not y))) => a
or-of-or-absorbed   (or a=(or x y) (and x z)) => a
and-of-and-absorbed (and a=(and x y) (or x z)) => a
and-xor-nothing     (and (and x y) (xor x y)) => 0
and-nor-apart       (and (not (or x y)) (and x z)) => 0
and-nots-apart      (and (and x y) (and (not x) z)) => 0
or-nots-cover       (or (or x y) (or (not x) z)) => -1
xor-not-of-xor      (xor (xor x y) (xor x (not y))) => -1
or-xor-nots         (or (xor x y) (xor x (not y))) => -1
and-xor-nots        (and (xor x y) (xor x (not y))) => 0
ashr-of-bool-sext   (ashr a=(sext x:i1) y) => a
lshr-of-and-out     (lshr (and x C1) C2) => 0                           if C2 < width and C1 >> C2 == 0
shl-of-and-out      (shl (and x C1) C2) => 0                            if C2 < width and (C1 << C2) & ((1 << width) - 1) == 0
lshr-zext-out       (lshr (zext x) C) => 0                              if C < width and C >= width(x)
and-of-zext-all     (and a=(zext x) C) => a                             if ~C & ((1 << width(x)) - 1) == 0
and-of-lshr-all     (and a=(lshr x C1) C2) => a                         if C1 < width and ~C2 & (((1 << width) - 1) >> C1) == 0
and-of-shl-all      (and a=(shl x C1) C2) => a                          if C1 < width and ~C2 & (((1 << width) - 1) << C1) & ((1 << width) - 1) == 0
and-of-shl-none     (and (shl x C1) C2) => 0                            if C1 < width and C2 >> C1 == 0
and-of-lshr-none    (and (lshr x C1) C2) => 0                           if C1 < width and C2 & (((1 << width) - 1) >> C1) == 0
and-of-zext-none    (and (zext x) C) => 0                               if C & ((1 << width(x)) - 1) == 0
xor-sub-cancel      (xor (xor x C) C) => x
"""

COMBINATIONS = """
# Constants are moved outward and combined.
and-and             (and (and x C1) C2) => (and x {C1 & C2})
or-or               (or (or x C1) C2) => (or x {C1 | C2})           keep disjoint
xor-xor             (xor (xor x C1) C2) => (xor x {C1 ^ C2})
xor-of-zeros        (xor x C) => (or:disjoint x C)                      if C != 0 and known_zeros(x, C)
and-or-apart        (and (or x C1) C2) => (and x C2)                if C1 & C2 == 0
and-xor-apart       (and (xor x C1) C2) => (and x C2)               if C1 & C2 == 0
or-and-cover        (or (and x C1) C2) => (or x C2)                 if (C1 | C2) == (1 << width) - 1
or-xor-within       (or (xor x C1) C2) => (or x C2)                 if C1 & ~C2 == 0
xor-or-same         (xor (or x C) C) => (and x {~C})
and-add-above       (and (add x C1) C2) => (and x C2)               if lowmask(C2) and C1 & C2 == 0
and-mul-odd         (and (mul x C1) 1) => (and x 1)                 if C1 & 1 == 1
and-not-known       (and x C) => x                                  if known_zeros(x, ~C)
and-known-zero      (and x C) => 0                                  if known_zeros(x, C)
or-known-ones       (or x C) => x                                   if known_ones(x, C)
add-sign-mask       (add x C) => (xor x C)                          if C == 1 << (width - 1)
sub-sign-mask       (sub x C) => (xor x C)                          if C == 1 << (width - 1)

# Bit operations on the same two values.
add-and-or          (add (and x y) (or x y)) => (add x y)           keep nsw nuw
add-and-xor         (OP (and x y) (xor x y)) => (or x y)            for OP = add or xor
sub-or-and          (sub (or x y) (and x y)) => (xor x y)
xor-or-and          (xor (or x y) (and x y)) => (xor x y)
sub-or-xor          (OP (or x y) (xor x y)) => (and x y)            for OP = sub xor
and-or-xor          (and (or x y) (xor x y)) => (xor x y)
or-and-xor          (or (xor x y) x) => (or x y)
sub-add-or          (sub (add x y) (or x y)) => (and x y)
sub-add-and         (sub (add x y) (and x y)) => (or x y)
sub-of-and          (sub x (and! x y)) => (and x (not y))
sub-of-or           (sub (or! x y) y) => (and x (not y))
xor-of-and          (xor x (and! x y)) => (and x (not y))
xor-of-or           (xor (or! x y) y) => (and x (not y))
and-xor-not         (and x (xor x (not y))) => (and x y)
and-or-not          (and x (or (not x) y)) => (and x y)
or-and-not          (or x (and (not x) y)) => (or x y)
add-twice-and       (add (xor x y) (shl (and x y) 1)) => (add x y)
or-nand             (or (not (and x y)) x) => -1
and-nor             (and (not (or x y)) x) => 0
xor-nots            (xor (not x) (not y)) => (xor x y)

# De Morgan's laws.
and-of-nots         (and (not! x) (not! y)) => (not (or x y))
or-of-nots          (or (not! x) (not! y)) => (not (and x y))
not-of-and          (not (and! (not x) y)) => (or x (not y))
not-of-or           (not (or! (not x) y)) => (and x (not y))

# Common operands are factored out.
and-of-ors          (and (or! x z) (or! y z)) => (or (and x y) z)
or-of-ands          (or (and! x z) (and! y z)) => (and (or x y) z)
xor-of-ands         (xor (and! x z) (and! y z)) => (and (xor x y) z)
shl-out-of          (OP (shl! x z) (shl! y z)) => (shl (OP x y) z) keep nsw nuw for OP = and or xor
lshr-out-of         (OP (lshr! x z) (lshr! y z)) => (lshr (OP x y) z) for OP = and or xor
ashr-out-of         (OP (ashr! x z) (ashr! y z)) => (ashr (OP x y) z) for OP = and or xor
shl-by-out-of       (OP (shl! x C) (shl! y C)) => (shl (OP x y) C) keep nsw nuw for OP = and or xor add
lshr-by-out-of      (OP (lshr! x C) (lshr! y C)) => (lshr (OP x y) C) for OP = and or xor

# Shifts.
shl-shl             (shl (shl x C1) C2) => (shl x {C1 + C2})        if C1 + C2 < width keep nsw nuw
lshr-lshr           (lshr (lshr x C1) C2) => (lshr x {C1 + C2})     if C1 + C2 < width keep exact
ashr-ashr           (ashr (ashr x C1) C2) => (ashr x {C1 + C2})     if C1 + C2 < width keep exact
ashr-all-out        (ashr (ashr x C1) C2) => (ashr x {width - 1})   if C1 < width and C2 < width and C1 + C2 >= width
lshr-of-ashr-sign   (lshr (ashr x C1) C2) => (lshr x C2)            if C2 == width - 1 and C1 < width
shl-of-shr          (shl (SH x C) C) => (and x {-1 << C})           if C < width for SH = lshr ashr
lshr-of-shl-mask    (lshr (shl x C) C) => (and x {((1 << width) - 1) >> C}) if C < width
shl-of-lshr-nuw     (shl (lshr:exact x C1) C2) => (shl x {C2 - C1}) if C1 < C2 and C2 < width
shl-of-lshr-less    (shl (lshr:exact x C1) C2) => (lshr:exact x {C1 - C2}) if C2 < C1 and C1 < width
lshr-of-shl-nuw     (lshr (shl:nuw x C1) C2) => (shl:nuw x {C1 - C2}) if C2 < C1 and C1 < width
lshr-of-shl-less    (lshr (shl:nuw x C1) C2) => (lshr x {C2 - C1})  if C1 < C2 and C2 < width keep exact
ashr-of-shl-nsw     (ashr (shl:nsw x C1) C2) => (shl:nsw x {C1 - C2}) if C2 < C1 and C1 < width
ashr-of-shl-less    (ashr (shl:nsw x C1) C2) => (ashr x {C2 - C1})  if C1 < C2 and C2 < width
shl-of-mul-nsw      (shl:nsw (mul:nsw x C1) C2) => (mul:nsw x {s(C1) << C2}) if C2 < width and fits(s(C1) << C2, width) keep nuw
shl-of-mul          (shl (mul x C1) C2) => (mul x {C1 << C2})       if C2 < width keep nuw
shl-of-add          m=(shl p=(add! x C1) C2) => (add (shl x C2) {C1 << C2}) if C2 < width and not no_signed_wrap(p) and not no_signed_wrap(m) keep nuw
shl-of-add-of       (shl p=(add! x=(OP y C) C1) C2) => (add (shl x C2) {C1 << C2}) if C2 < width and not no_signed_wrap(p) keep nuw for OP = mul shl
shr-of-and          (SH (and! x C1) C2) => (and (SH x C2) {C1 >> C2}) if C2 < width for SH = lshr
shl-of-and          (shl (and! x C1) C2) => (and (shl x C2) {C1 << C2}) if C2 < width
lshr-of-or          (lshr (or! x C1) C2) => (or (lshr x C2) {C1 >> C2}) if C2 < width
lshr-of-xor         (lshr (xor! x C1) C2) => (xor (lshr x C2) {C1 >> C2}) if C2 < width
shl-of-or           (shl (or! x C1) C2) => (or (shl x C2) {C1 << C2}) if C2 < width keep nuw
shl-of-xor          (shl (xor! x C1) C2) => (xor (shl x C2) {C1 << C2}) if C2 < width
shl-of-and-covered  (shl (and x C1) C2) => (shl x C2)               if C2 < width and (~C1 << C2) & ((1 << width) - 1) == 0
lshr-of-and-covered (lshr (and x C1) C2) => (lshr x C2)             if C2 < width and (~C1 & ((1 << width) - 1)) >> C2 == 0
and-of-ashr         (and (ashr! x C1) C2) => (and (lshr x C1) C2)   if C1 < width and C2 < 1 << (width - C1)
and-of-choice       (and (select! c C1 C2) C3) => (select c {C1 & C3} {C2 & C3})
or-of-choice        (or (select! c C1 C2) C3) => (select c {C1 | C3} {C2 | C3})
xor-of-choice       (xor (select! c C1 C2) C3) => (select c {C1 ^ C3} {C2 ^ C3})
shl-of-choice       (shl (select! c C1 C2) C3) => (select c {C1 << C3} {C2 << C3}) if C3 < width
lshr-of-choice      (lshr (select! c C1 C2) C3) => (select c {C1 >> C3} {C2 >> C3}) if C3 < width
ashr-nonneg         (ashr x y) => (lshr x y)                        if known_nonneg(x) keep exact
ashr-of-not         (ashr (not! x) y) => (not (ashr x y))
shl-of-const        (shl (shl C1 x) C2) => (shl {C1 << C2} x)       if C2 < width keep nuw
lshr-of-const       (lshr (lshr C1 x) C2) => (lshr {C1 >> C2} x)    if C2 < width

# Rotations and funnel shifts.
rotate-by           (OP (shl! x C1) (lshr! y C2)) => (fshl x y {C1}) if C1 + C2 == width and C1 > 0 and C2 > 0 and width >= 32 for OP = or add xor
rotate-left         (OP (shl! x y) (lshr! z (sub C y))) => (fshl x z y) if C == width and width >= 32 for OP = or add
rotate-right        (OP (lshr! x y) (shl! z (sub C y))) => (fshr z x y) if C == width and width >= 32 for OP = or add
rotate-left-masked  (or (shl! x (and y C)) (lshr! x (and (neg y) C))) => (fshl x x y) if C == width - 1 and pow2(width) and width >= 32
rotate-right-masked (or (lshr! x (and y C)) (shl! x (and (neg y) C))) => (fshr x x y) if C == width - 1 and pow2(width) and width >= 32
funnel-amount       (FSH x y (and z C)) => (FSH x y z)              if pow2(width) and C & (width - 1) == width - 1 for FSH = fshl fshr
funnel-of-zero      (fshl 0 x C) => (lshr x {width - C})            if 0 < C and C < width
funnel-right-zero   (fshr 0 x C) => (lshr x C)                      if 0 < C and C < width
funnel-zero-low     (fshl x 0 C) => (shl x C)                       if 0 < C and C < width
funnel-right-low    (fshr x 0 C) => (shl x {width - C})             if 0 < C and C < width

# Counts.
ctpop-of-swap       (ctpop (SWAP x)) => (ctpop x)                   for SWAP = bswap bitreverse
ctpop-of-rotate     (ctpop (FSH x x y)) => (ctpop x)                for FSH = fshl fshr
ctpop-of-neg-low    (ctpop (and! (not x) (add x -1))) => (cttz x)
ctpop-of-zext       (ctpop (zext! x)) => (zext (ctpop x))           if width(x) >= 32
cttz-of-reverse     (cttz (bitreverse x)) => (ctlz x)               keep zero_poison
ctlz-of-reverse     (ctlz (bitreverse x)) => (cttz x)               keep zero_poison
cttz-of-neg         (cttz (neg x)) => (cttz x)                      keep zero_poison
cttz-of-abs         (cttz (abs x)) => (cttz x)                      keep zero_poison
cttz-low-bit        (cttz (and x (neg x))) => (cttz x)              keep zero_poison
bswap-of-logic      (OP (bswap! x) (bswap! y)) => (bswap (OP x y))  for OP = and or xor
reverse-of-logic    (OP (bitreverse! x) (bitreverse! y)) => (bitreverse (OP x y)) for OP = and or xor
and-not-xor         (and x (not (xor x y))) => (and x y)
or-not-xor          (or x (not! (xor x y))) => (or x (not y))
and-xor-with-not    (and (xor x y) a=(not x)) => (and a y)
or-xor-with-not     (or (xor! x y) (not! x)) => (not (and x y))
or-and-with-not     (or (and x y) a=(not x)) => (or a y)
and-or-with-not     (and (or x y) a=(not x)) => (and a y)
or-xor-and-in       (or (xor (and x y) z) y) => (or z y)
or-xors-of-and      (or (xor (and x y) x) (xor (and x y) y)) => (xor x y)
or-xors-of-or       (or (xor (or x y) x) (xor (or x y) y)) => (xor x y)
xor-by-hand         (or (and x (not y)) (and (not x) y)) => (xor x y)
xor-of-and-nots     (xor (and x (not y)) (and (not x) y)) => (xor x y)
xor-of-or-nots      (xor (or x (not y)) (or (not x) y)) => (xor x y)
xor-by-hand-and     (and (or x y) (not (and x y))) => (xor x y)
xor-by-hand-nots    (and (or x y) (or (not x) (not y))) => (xor x y)
xnor-by-hand        (or (and! x y) (not! (or x y))) => (not (xor x y))
xnor-by-hand-nots   (and (or! x (not y)) (or! (not x) y)) => (not (xor x y))
xnor-by-ands        (or (and! x y) (and! (not x) (not y))) => (not (xor x y))
xor-and-not-not     (xor (and! x (not y)) (not! x)) => (not (and x y))
or-xor-chain        (or a=(xor x y) (xor (xor y z) x)) => (or a z)
and-xor-chain       (and a=(xor x y) (xor! (xor y z) x)) => (and a (not z))
sub-add-xor         (sub (add! x y) (xor! x y)) => (shl (and x y) 1) if width > 1
sub-and-or          (sub (and! x y) (or x y)) => (neg (xor x y))
sub-xor-or          (sub (xor! x y) (or x y)) => (neg (and x y))
or-of-not-and       (or (not! (and x y)) y) => -1
and-sub-sign        (and (ashr! (sub:nsw! x y) C) z) => (select (icmp.slt x y) z 0) if C == width - 1
or-sub-sign         (or (ashr! (sub:nsw! x y) C) z) => (select (icmp.slt x y) -1 z) if C == width - 1
shl-of-sum-by       (shl C1 (add:nuw y C2)) => (shl {C1 << C2} y)       if C2 < width
lshr-of-sum-by      (lshr C1 (add:nuw y C2)) => (lshr {C1 >> C2} y)     if C2 < width
ashr-of-sum-by      (ashr C1 (add:nuw y C2)) => (ashr {s(C1) >> C2} y)  if C2 < width
shl-ashr-sext       (ashr (shl! (zext! x) C) C) => (sext x)             if C + width(x) == width
shl-lshr-zext       (lshr (shl! (sext! x) C) C) => (zext x)             if C + width(x) == width
umin-of-flip        (umin x (xor x C)) => (and x {~C})                  if pow2(C)
umax-of-flip        (umax x (xor x C)) => (or x C)                      if pow2(C)
smin-of-flip        (smin x (xor x C)) => (and x {~C})                  if pow2(C) and C != 1 << (width - 1)
smax-of-flip        (smax x (xor x C)) => (or x C)                      if pow2(C) and C != 1 << (width - 1)
smin-of-sign-flip   (smin x (xor x C)) => (or x C)                      if C == 1 << (width - 1)
smax-of-sign-flip   (smax x (xor x C)) => (and x {~C})                  if C == 1 << (width - 1)
rotate-twice        (fshl (fshl x x C1) (fshl x x C1) C2) => (fshl x x {(C1 + C2) % width}) if C1 < width and C2 < width
ctpop-of-not        (ctpop (not! x)) => (sub {width} (ctpop x))
ctpop-of-mask-and   (add (ctpop (and! x y)) (ctpop (or! x y))) => (add (ctpop x) (ctpop y))
ctpop-of-xor-and    (add (ctpop! (xor! x y)) (ctpop! (and! x y))) => (ctpop (or x y))
ctpop-of-shl-safe   (ctpop (shl:nuw x y)) => (ctpop x)
ctpop-of-shr-exact  (ctpop (lshr:exact x y)) => (ctpop x)
bswap-shift-swap    (bswap (shl! (bswap! x) C)) => (lshr x C)           if C & 7 == 0 and C < width
bswap-shr-swap      (bswap (lshr! (bswap! x) C)) => (shl x C)           if C & 7 == 0 and C < width
reverse-shift       (bitreverse (shl! (bitreverse! x) y)) => (lshr x y)
reverse-shr         (bitreverse (lshr! (bitreverse! x) y)) => (shl x y)
"""
