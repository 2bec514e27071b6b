"""Identities of integer arithmetic: sums, products, quotients, minima and maxima."""

SIMPLIFICATIONS = """
add-zero            (add x 0) => x
add-of-sub          (add (sub x y) y) => x
add-opposites       (add (sub x y) (sub y x)) => 0
sub-zero            (sub x 0) => x
sub-self            (sub x x) => 0
sub-of-add          (sub (add x y) y) => x
sub-of-sub          (sub x (sub x y)) => y
neg-neg             (neg (neg x)) => x
mul-zero            (mul x 0) => 0
mul-one             (mul x 1) => x
mul-of-div-exact    (mul (DIV:exact x y) y) => x                for DIV = udiv sdiv
div-one             (DIV x 1) => x                              for DIV = udiv sdiv
div-self            (DIV x x) => 1                              for DIV = udiv sdiv
div-of-zero         (DIV 0 x) => 0                              for DIV = udiv sdiv urem srem
udiv-of-mul         (udiv (mul:nuw x y) y) => x
sdiv-of-mul         (sdiv (mul:nsw x y) y) => x
udiv-of-shl         (udiv (mul:nuw x C) C) => x                 if C != 0
sdiv-of-mul-by      (sdiv (mul:nsw x C) C) => x                 if C != 0
udiv-of-rem         (udiv (urem x y) y) => 0
sdiv-of-rem         (sdiv (srem x y) y) => 0
udiv-twice-to-zero  (udiv (udiv x C1) C2) => 0                  if C1 * C2 >= 1 << width
rem-one             (REM x 1) => 0                              for REM = urem srem
rem-self            (REM x x) => 0                              for REM = urem srem
rem-minus-one       (srem x -1) => 0
rem-of-rem          (REM a=(REM x y) y) => a                    for REM = urem srem
urem-of-mul         (urem (mul:nuw x y) y) => 0
srem-of-mul         (srem (mul:nsw x y) y) => 0
expect-constant     (expect C y) => C
min-max-self        (MM x x) => x                               for MM = smax smin umax umin
min-max-again       (MM a=(MM x y) x) => a                      for MM = smax smin umax umin
min-max-absorbed    (MAX (MIN x y) x) => x                      for MAX/MIN = smax/smin smin/smax umax/umin umin/umax
umax-zero           (umax x 0) => x
umax-ones           (umax x -1) => -1
umin-zero           (umin x 0) => 0
umin-ones           (umin x -1) => x
smax-least          (smax x C) => x                             if C == 1 << (width - 1)
smax-greatest       (smax x C) => C                             if C == (1 << (width - 1)) - 1
smin-least          (smin x C) => C                             if C == 1 << (width - 1)
smin-greatest       (smin x C) => x                             if C == (1 << (width - 1)) - 1
smin-below-smax     (smin (smax x C1) C2) => C2                 if s(C2) <= s(C1)
smax-above-smin     (smax (smin x C1) C2) => C2                 if s(C2) >= s(C1)
umin-below-umax     (umin (umax x C1) C2) => C2                 if C2 <= C1
umax-above-umin     (umax (umin x C1) C2) => C2                 if C2 >= C1
smax-within         (smax a=(smax x C1) C2) => a                if s(C1) >= s(C2)
smin-within         (smin a=(smin x C1) C2) => a                if s(C1) <= s(C2)
umax-within         (umax a=(umax x C1) C2) => a                if C1 >= C2
umin-within         (umin a=(umin x C1) C2) => a                if C1 <= C2
# Minima and maxima with shared operands.
min-max-of-either   (MM (NN x y) a=(MM x y)) => a               for MM/NN = smax/smin smax/umin smax/umax smin/smax smin/umin smin/umax umax/umin umax/smin umax/smax umin/umax umin/smin umin/smax
either-within       (MM a=(NN x y) (DD x y)) => a               for MM/DD/NN = smin/smax/umin smin/smax/umax smax/smin/umin smax/smin/umax umin/umax/smin umin/umax/smax umax/umin/smin umax/umin/smax
abs-abs             (abs a=(abs x)) => a
usubsat-self        (OP x x) => 0                               for OP = usubsat ssubsat
sat-zero            (OP x 0) => x                               for OP = uaddsat saddsat usubsat ssubsat
usubsat-of-zero     (usubsat 0 x) => 0
uaddsat-ones        (uaddsat x -1) => -1
add-not-self        (add x (not x)) => -1
udiv-of-less        (udiv (lshr x C1) C2) => 0                  if C1 < width and C2 != 0 and ((1 << width) - 1) >> C1 < C2
udiv-of-and         (udiv (and x C1) C2) => 0                   if C1 < C2
urem-of-and         (urem a=(and x C1) C2) => a                 if C1 < C2
urem-of-lshr        (urem a=(lshr x C1) C2) => a                if C1 < width and ((1 << width) - 1) >> C1 < C2
udiv-of-zext        (udiv (zext x) C) => 0                      if C >= 1 << width(x)
urem-of-zext        (urem a=(zext x) C) => a                    if C >= 1 << width(x)
urem-of-urem        (urem a=(urem x C1) C2) => a                if C1 != 0 and C1 <= C2
udiv-of-urem        (udiv (urem x C1) C2) => 0                  if C1 != 0 and C1 <= C2
urem-of-mul-by      (urem (mul:nuw x C1) C2) => 0               if C2 != 0 and C1 % C2 == 0
srem-of-mul-by      (srem (mul:nsw x C1) C2) => 0               if s(C2) > 0 and s(C1) > 0 and C1 % C2 == 0
urem-of-shl-by      (urem (shl:nuw x C1) C2) => 0               if C2 != 0 and C1 < width and (1 << C1) % C2 == 0
min-of-add-nuw      (umax x a=(add:nuw x y)) => a
umin-of-add-nuw     (umin x (add:nuw x y)) => x
smax-of-add-nsw     (smax x a=(add:nsw x C)) => a               if s(C) >= 0
smin-of-add-nsw     (smin x (add:nsw x C)) => x                 if s(C) >= 0
smax-of-sub-nsw     (smax x (add:nsw x C)) => x                 if s(C) <= 0
smin-of-sub-nsw     (smin x a=(add:nsw x C)) => a               if s(C) <= 0
umin-of-and         (umin a=(and x y) x) => a
umax-of-and         (umax (and x y) x) => x
umax-of-or          (umax a=(or x y) x) => a
umin-of-or          (umin (or x y) x) => x
umin-of-smaller     (umin a=(OP x y) x) => a                    for OP = lshr udiv urem
umax-of-smaller     (umax (OP x y) x) => x                      for OP = lshr udiv urem
umin-of-usubsat     (umin a=(usubsat x y) x) => a
umax-of-usubsat     (umax (usubsat x y) x) => x
umin-of-zext        (umin a=(zext x) C) => a                    if C >= (1 << width(x)) - 1
umax-of-zext        (umax (zext x) C) => C                      if C >= (1 << width(x)) - 1
smax-of-zext        (smax a=(zext x) C) => a                    if s(C) <= 0
smin-of-zext        (smin (zext x) C) => C                      if s(C) <= 0
umin-of-and-by      (umin a=(and x C1) C2) => a                 if C1 <= C2
smin-of-and-by      (smin a=(and x C1) C2) => a                 if s(C1) >= 0 and s(C2) >= s(C1)
umax-of-and-by      (umax (and x C1) C2) => C2                  if C1 <= C2
umin-of-or-by       (umin (or x C1) C2) => C2                   if C1 >= C2
umax-of-or-by       (umax a=(or x C1) C2) => a                  if C1 >= C2
umin-of-urem        (umin a=(urem x C1) C2) => a                if C1 != 0 and C2 >= C1 - 1
umin-of-lshr-by     (umin a=(lshr x C1) C2) => a                if C1 < width and C2 >= ((1 << width) - 1) >> C1
usubsat-of-and      (usubsat (and x y) x) => 0
usubsat-of-umin     (usubsat (umin x y) x) => 0
usubsat-of-zext     (usubsat (zext x) C) => 0                   if C >= (1 << width(x)) - 1
abs-of-zext         (abs a=(zext x)) => a
abs-of-lshr         (abs a=(lshr x C)) => a                     if 0 < C and C < width
abs-of-and          (abs a=(and x C)) => a                      if s(C) >= 0
"""

COMBINATIONS = """
# Constants are moved outward and combined.
sub-constant        (sub:nsw x C) => (add:nsw x {-C})           if C != 1 << (width - 1)
sub-constant-wraps  (sub x C) => (add x {-C})
add-add-nsw         (add:nsw (add:nsw x C1) C2) => (add:nsw x {C1 + C2}) if fits(s(C1) + s(C2), width) keep nuw
add-add             (add (add x C1) C2) => (add x {C1 + C2})    keep nuw
add-of-sub-from     (add (sub C1 x) C2) => (sub {C1 + C2} x)
sub-from-add        (sub C1 (add x C2)) => (sub {C1 - C2} x)    keep nuw
sub-from-sub        (sub C1 (sub C2 x)) => (add x {C1 - C2})
sub-from-not        (sub C (not x)) => (add x {C + 1})
add-of-not          (add (not x) C) => (sub {C - 1} x)
sub-from-ones       (sub -1 x) => (not x)
not-of-add          (not (add x C)) => (sub {-C - 1} x)         keep nsw nuw
not-of-sub-from     (not (sub C x)) => (add x {-C - 1})         keep nsw nuw
not-of-add-not      (not (add (not x) y)) => (sub x y)          keep nsw nuw
not-of-sub-not      (not (sub (not x) y)) => (add x y)          keep nsw nuw
sub-of-nots         (sub (not x) (not y)) => (sub y x)          keep nsw nuw
not-of-neg          (not (neg x)) => (add x -1)                 keep nsw
neg-of-not          (neg (not x)) => (add x 1)

add-of-choice       (add (select! c C1 C2) C3) => (select c {C1 + C3} {C2 + C3})
add-of-choice-sum   (add (select! c C1 (add! x C2)) C3) => (select c {C1 + C3} (add x {C2 + C3})) keep nuw
add-of-sum-choice   (add (select! c (add! x C1) C2) C3) => (select c (add x {C1 + C3}) {C2 + C3}) keep nuw
mul-of-choice       (mul (select! c C1 C2) C3) => (select c {C1 * C3} {C2 * C3})
sub-from-choice     (sub C3 (select! c C1 C2)) => (select c {C3 - C1} {C3 - C2})

# Signs.
add-of-neg          (add x (neg y)) => (sub x y)                keep nsw
sub-of-neg          (sub x (neg y)) => (add x y)                keep nsw
neg-of-sub          (neg (sub x y)) => (sub y x)                keep nsw
neg-of-sub-nsw      (sub:nsw 0 (sub:nsw x y)) => (sub y x)
sub-of-neg-lhs      (sub (neg! x) y) => (neg (add x y))
mul-of-negs         (mul (neg x) (neg y)) => (mul x y)          keep nsw
mul-of-neg          (mul (neg x) C) => (mul x {-C})
neg-of-mul          (neg (mul x C)) => (mul x {-C})             keep nsw
mul-ones            (mul x -1) => (neg x)                       keep nsw

neg-of-sign         (neg (ashr x C)) => (lshr x C)              if C == width - 1
neg-of-sign-bit     (neg (lshr x C)) => (ashr x C)              if C == width - 1

# Terms that cancel.
sub-of-adds         (sub (add x y) (add x z)) => (sub y z)      keep nsw nuw
sub-of-sums         (sub x (add x y)) => (neg y)                keep nsw
sub-of-difference   (sub (sub x y) x) => (neg y)                keep nsw
add-of-differences  (add (sub x y) (sub z x)) => (sub z y)      keep nsw nuw
sub-of-subs         (sub (sub x y) (sub x z)) => (sub z y)      keep nsw nuw
sub-of-subs-rhs     (sub (sub x y) (sub z y)) => (sub x z)      keep nsw nuw
urem-by-hand        (sub x (mul! (udiv! x y) y)) => (urem x y)
srem-by-hand        (sub x (mul! (sdiv! x y) y)) => (srem x y)

# Common factors are factored out.
add-of-muls         (add (mul! x z) (mul! y z)) => (mul (add x y) z)
sub-of-muls         (sub (mul! x z) (mul! y z)) => (mul (sub x y) z)
add-of-mul-by       (add (mul! x C) x) => (mul x {C + 1})       keep nuw
sub-of-mul-by       (sub (mul! x C) x) => (mul x {C - 1})       keep nsw nuw
add-of-shls         (add (shl! x z) (shl! y z)) => (shl (add x y) z) keep nsw nuw
sub-of-shls         (sub (shl! x z) (shl! y z)) => (shl (sub x y) z) keep nsw nuw

# Products.
mul-mul             (mul (mul x C1) C2) => (mul x {C1 * C2})    keep nuw
mul-of-shl-nsw      (mul:nsw (shl:nsw x C1) C2) => (mul:nsw x {s(C2) << C1}) if C1 < width and fits(s(C2) << C1, width) keep nuw
mul-of-shl          (mul (shl x C1) C2) => (mul x {C2 << C1})   if C1 < width keep nuw
mul-pow2-nsw        (mul:nsw x C) => (shl:nsw x {log2(C)})      if pow2(C) and log2(C) < width - 1 keep nuw
mul-pow2            (mul x C) => (shl x {log2(C)})              if pow2(C) keep nuw
mul-of-shl-one      (mul x (shl 1 y)) => (shl x y)              keep nsw nuw
mul-by-bool         (mul (zext x:i1) y) => (select x y 0)
# With nsw the sum stays a factor, because `separate-const-offset-from-gep` extracts C1 * C2. A
# product with nsw would lose it, and with it the constants that are added to the product; this is
# accepted if the new product combines with another one.
mul-of-add          m=(mul p=(add! x C1) C2) => (add (mul x C2) {C1 * C2}) if not no_signed_wrap(p) and not no_signed_wrap(m) keep nuw
mul-of-add-of       (mul p=(add! x=(OP y C) C1) C2) => (add (mul x C2) {C1 * C2}) if not no_signed_wrap(p) keep nuw for OP = mul shl

# Quotients.
udiv-pow2           (udiv x C) => (lshr x {log2(C)})            if pow2(C) keep exact
udiv-shl-one        (udiv x (shl 1 y)) => (lshr x y)
udiv-udiv           (udiv (udiv x C1) C2) => (udiv x {C1 * C2}) if C1 * C2 < 1 << width
udiv-lshr           (udiv (lshr x C1) C2) => (udiv x {C2 << C1}) if C1 < width and C2 << C1 < 1 << width
lshr-udiv           (lshr (udiv x C1) C2) => (udiv x {C1 << C2}) if C2 < width and C1 << C2 < 1 << width
urem-pow2           (urem x C) => (and x {C - 1})               if pow2(C)
sdiv-pow2-exact     (sdiv:exact x C) => (ashr:exact x {log2(C)}) if pow2(C) and log2(C) < width - 1
sdiv-ones           (sdiv x -1) => (sub:nsw 0 x)
sdiv-nonneg         (sdiv x y) => (udiv x y)                    if known_nonneg(x) and known_nonneg(y) keep exact
srem-nonneg         (srem x y) => (urem x y)                    if known_nonneg(x) and known_nonneg(y)

# Minima and maxima.
smax-smax           (smax (smax x C1) C2) => (smax x {max(s(C1), s(C2))})
smin-smin           (smin (smin x C1) C2) => (smin x {min(s(C1), s(C2))})
umax-umax           (umax (umax x C1) C2) => (umax x {max(C1, C2)})
umin-umin           (umin (umin x C1) C2) => (umin x {min(C1, C2)})
min-of-nots         (MAX (not! x) (not! y)) => (not (MIN x y))  for MAX/MIN = smax/smin smin/smax umax/umin umin/umax
min-of-negs         (MAX (sub:nsw! 0 x) (sub:nsw! 0 y)) => (sub:nsw 0 (MIN x y)) for MAX/MIN = smax/smin smin/smax
add-of-min-max      (add (smax x y) (smin x y)) => (add x y)    keep nsw nuw
add-of-umin-umax    (add (umax x y) (umin x y)) => (add x y)    keep nsw nuw
umin-of-sub         (sub x (umin x y)) => (usubsat x y)
usubsat-by-umax     (sub (umax x y) y) => (usubsat x y)
smax-self-neg       (smax x (neg x)) => (abs x)
smax-self-neg-nsw   (smax x (sub:nsw 0 x)) => (abs:int_min_poison x)
smin-self-neg       (smin x (neg! x)) => (neg (abs x))
min-max-of-pair     (MM (MIN x y) (MAX x y)) => (MM x y)        for MM/MIN/MAX = umax/smin/smax umin/smin/smax smax/umin/umax smin/umin/umax
smax-nonneg         (smax x C) => x                             if s(C) <= 0 and known_nonneg(x)
umin-bool           (umin (zext x:i1) 1) => (zext x)

abs-of-signs-nsw    (sub:nsw (xor! (ashr x C) x) (ashr x C)) => (abs:int_min_poison x)   if C == width - 1
abs-of-signs        (sub (xor! (ashr x C) x) (ashr x C)) => (abs x)                      if C == width - 1
abs-of-sign-sum     (xor (add! (ashr x C) x) (ashr x C)) => (abs x)                      if C == width - 1
abs-of-neg          (abs (neg x)) => (abs x)                    keep int_min_poison
abs-of-nonneg       (abs (zext x)) => (zext x)                  if width(x) < width

sdiv-sdiv           (sdiv (sdiv x C1) C2) => (sdiv x {s(C1) * s(C2)})   if C1 != 0 and C2 != 0 and fits(s(C1) * s(C2), width) and s(C1) > 0 and s(C2) > 0
udiv-of-mul-less    (udiv (mul:nuw x C1) C2) => (mul:nuw x {C1 // C2})  if C2 != 0 and C1 % C2 == 0
udiv-of-mul-more    (udiv (mul:nuw x C1) C2) => (udiv x {C2 // C1})     if C1 != 0 and C2 % C1 == 0
sdiv-of-mul-less    (sdiv (mul:nsw x C1) C2) => (mul:nsw x {s(C1) // s(C2)}) if s(C2) > 0 and s(C1) > 0 and C1 % C2 == 0
sdiv-of-mul-more    (sdiv (mul:nsw x C1) C2) => (sdiv x {s(C2) // s(C1)}) if s(C1) > 0 and s(C2) > 0 and C2 % C1 == 0
udiv-of-shl-less    (udiv (shl:nuw x C1) C2) => (shl:nuw x {C1 - log2(C2)}) if pow2(C2) and C1 < width and log2(C2) <= C1
urem-of-shl-zext    (udiv x (zext! (shl 1 y))) => (lshr x (zext y))
udiv-of-shl-pow2    (udiv x (shl! C y)) => (lshr x (add y {log2(C)}))   if pow2(C)
udiv-of-shls        (udiv (shl:nuw x y) (shl:nuw z y)) => (udiv x z)
sdiv-of-shls        (sdiv (shl:nsw,nuw x y) (shl:nsw,nuw z y)) => (sdiv x z)
udiv-of-muls        (udiv (mul:nuw x y) (mul:nuw z y)) => (udiv x z)
sdiv-of-muls        (sdiv (mul:nsw x y) (mul:nsw z y)) => (sdiv x z)
urem-by-shl-one     (urem x a=(shl! 1 y)) => (and x (add a -1))
urem-of-add-mul     (urem (add:nuw (mul:nuw! x C) y) C) => (urem y C)
udiv-of-urem-sub    (udiv (sub! x (urem x y)) y) => (udiv x y)
sdiv-of-srem-sub    (sdiv (sub! x (srem x y)) y) => (sdiv x y)
sdiv-of-neg         (sdiv (sub:nsw 0 x) C) => (sdiv x {-C})             if C != 1 << (width - 1) and C != 1 and C != 0
mul-of-div-rem      (add (mul (DIV x y) y) (REM x y)) => x              for DIV/REM = udiv/urem sdiv/srem
sub-from-zext-bool  (neg (zext! x:i1)) => (sext x)
sub-from-sext-bool  (neg (sext! x:i1)) => (zext x)
sub-of-sext-bool    (sub x (sext! y:i1)) => (add x (zext y))
add-of-zext-not     (add (zext! (not! x:i1)) C) => (sub {C + 1} (zext x))
add-of-bool-choice  (add (select! c C1 C2) (zext! c)) => (select c {C1 + 1} C2)
sub-of-bool-choice  (add (select! c C1 C2) (sext! c)) => (select c {C1 - 1} C2)
usubsat-of-add      (usubsat (add:nuw x y) y) => x
usubsat-usubsat     (usubsat (usubsat x C1) C2) => (usubsat x {C1 + C2}) if C1 + C2 < 1 << width
uaddsat-uaddsat     (uaddsat (uaddsat x C1) C2) => (uaddsat x {C1 + C2}) if C1 + C2 < 1 << width
usubsat-add-back    (add (usubsat x y) y) => (umax x y)
usubsat-sub-of      (sub x (usubsat! x y)) => (umin x y)
umax-less           (sub (umax! x y) x) => (usubsat y x)
umin-add-usub       (add (umin x y) (usubsat x y)) => x
add-of-umin-left    (sub (add x y) (umin x y)) => (umax x y)
add-of-umax-left    (sub (add x y) (umax x y)) => (umin x y)
add-of-smin-left    (sub (add x y) (smin x y)) => (smax x y)
add-of-smax-left    (sub (add x y) (smax x y)) => (smin x y)
smax-of-sums        (MM (add:nsw! x z) (add:nsw! y z)) => (add:nsw (MM x y) z) for MM = smax smin
umax-of-sums        (MM (add:nuw! x z) (add:nuw! y z)) => (add:nuw (MM x y) z) for MM = umax umin
smax-of-sum-by      (MM (add:nsw! x C1) C2) => (add:nsw (MM x {s(C2) - s(C1)}) C1) if fits(s(C2) - s(C1), width) for MM = smax smin
umax-of-sum-by      (MM (add:nuw! x C1) C2) => (add:nuw (MM x {C2 - C1}) C1) if C2 >= C1 for MM = umax umin
mm-of-common        (MM a=(MM x y) (MM x z)) => (MM a z)                for MM = smax smin umax umin
umin-of-shls        (MM (shl:nuw! x z) (shl:nuw! y z)) => (shl:nuw (MM x y) z) for MM = umin umax
smax-of-shls        (MM (shl:nsw! x z) (shl:nsw! y z)) => (shl:nsw (MM x y) z) for MM = smin smax
umin-of-lshrs       (MM (lshr! x z) (lshr! y z)) => (lshr (MM x y) z)   for MM = umin umax
smin-of-ashrs       (MM (ashr! x z) (ashr! y z)) => (ashr (MM x y) z)   for MM = smin smax
umax-as-or          (umax (zext! x:i1) (zext! y:i1)) => (zext (or x y))
umin-as-and         (umin (zext! x:i1) (zext! y:i1)) => (zext (and x y))
abs-of-sext         (abs:int_min_poison (sext! x)) => (zext (abs x))
abs-of-sext-any     (abs (sext! x)) => (zext (abs x))
abs-of-sub-swap     (abs (sub! 0 (abs x))) => (abs x)
"""
