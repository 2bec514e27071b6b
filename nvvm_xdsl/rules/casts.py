"""Identities of casts, and of ops that build aggregates and extract their parts."""

SIMPLIFICATIONS = """
cast-to-same        (CAST x) => x                               for CAST = bitcast spacecast
fptrunc-of-fpext    (fptrunc (fpext x)) => x
cast-and-back       (CAST (CAST x)) => x                        for CAST = bitcast spacecast
trunc-of-ext        (trunc (EXT x)) => x                        for EXT = zext sext
zext-of-trunc-nuw   (zext (trunc:nuw x)) => x
sext-of-trunc-nsw   (sext (trunc:nsw x)) => x
ptr-of-int-of-ptr   (inttoptr (ptrtoint x)) => @pointer_put_back
int-of-ptr-of-int   (ptrtoint (inttoptr x)) => @integer_put_back

gep-zero            (gep p) => @base_of_zero_offset
extract-of-insert   (extractvalue a) => @inserted_field
insert-of-extract   (insertvalue a (extractvalue b)) => @aggregate_put_back
element-of-insert   (extractelement v C) => @inserted_element
vector-of-constants (insertelement v x C) => @constant_vector
"""

COMBINATIONS = """
zext-zext           (zext (zext x)) => (zext x)
sext-sext           (sext (sext x)) => (sext x)
sext-zext           (sext (zext x)) => (zext x)
zext-nneg-sext      (zext:nneg (sext x)) => (sext x)
trunc-trunc         (trunc (trunc x)) => (trunc x)              keep nsw nuw
trunc-to-zext       (trunc (zext x)) => (zext x)                if width > width(x)
trunc-to-sext       (trunc (sext x)) => (sext x)                if width > width(x)
trunc-of-zext       (trunc (zext x)) => (trunc x)               if width < width(x)
trunc-of-sext       (trunc (sext x)) => (trunc x)               if width < width(x)
zext-of-trunc       (zext a=(trunc x)) => (and x {(1 << width(a)) - 1})
zext-trunc-wider    (zext (trunc:nuw x)) => (zext x)            if width > width(x)
zext-trunc-narrower (zext (trunc:nuw x)) => (trunc:nuw x)       if width < width(x)
sext-trunc-wider    (sext (trunc:nsw x)) => (sext x)            if width > width(x)
sext-trunc-narrower (sext (trunc:nsw x)) => (trunc:nsw x)       if width < width(x)
zext-of-sign        (zext (icmp.slt x 0)) => (lshr x {width - 1})
sext-of-sign        (sext (icmp.slt x 0)) => (ashr x {width - 1})
zext-of-low-bit     (zext (icmp.ne a=(and x 1) 0)) => a
bitcast-bitcast     (bitcast (bitcast x)) => (bitcast x)

# Arithmetic is narrowed to the width of the result.
trunc-of-op-exts    (trunc (OP! (EXT x) (EXT y))) => (OP x y)   for OP/EXT = add/zext sub/zext mul/zext and/zext or/zext xor/zext add/sext sub/sext mul/sext and/sext or/sext xor/sext
trunc-of-op-ext     (trunc (OP! (EXT x) C)) => (OP x {C})       for OP/EXT = add/zext mul/zext and/zext or/zext xor/zext add/sext mul/sext and/sext or/sext xor/sext
trunc-of-sub-ext    (trunc (sub! C (EXT x))) => (sub {C} x)     for EXT = zext sext
trunc-of-shl-ext    (trunc (shl! (EXT x) C)) => (shl x {C})     if C < width for EXT = zext sext
trunc-of-lshr-ext   (trunc (lshr! (zext x) C)) => (lshr x {C})  if C < width
trunc-of-ashr-ext   (trunc (ashr! (sext x) C)) => (ashr x {C})  if C < width
trunc-of-op-by      (trunc (OP! x C)) => (OP (trunc x) {C})     if width == 32 for OP = add mul and or xor
trunc-of-sub-by     (trunc (sub! C x)) => (sub {C} (trunc x))   if width == 32
trunc-of-shl-by     (trunc (shl! x C)) => (shl (trunc x) {C})   if width == 32 and C < width
trunc-of-select-exts (trunc (select! c (EXT x) (EXT y))) => (select c x y) for EXT = zext sext
trunc-of-and        (trunc (and x C)) => (trunc x)              if ~C & ((1 << width) - 1) == 0
trunc-of-op-above   (trunc (OP x C)) => (trunc x)               if C & ((1 << width) - 1) == 0 for OP = or xor add
trunc-of-ashr       (trunc (ashr! x C)) => (trunc (lshr x C))   if C + width <= width(x)
and-of-sext         (and (sext! x) C) => (and (zext x) C)       if C < 1 << width(x)
zext-of-choice      (zext (select! c C1 C2)) => (select c {C1} {C2})
sext-of-choice      (sext (select! c C1 C2)) => (select c {s(C1)} {s(C2)})
trunc-of-choice     (trunc (select! c C1 C2)) => (select c {C1} {C2})
op-of-zexts         (OP (zext! x) (zext! y)) => (zext (OP x y)) for OP = and or xor
op-of-sexts         (OP (sext! x) (sext! y)) => (sext (OP x y)) for OP = and or xor
min-max-of-zexts    (MM (zext! x) (zext! y)) => (zext (MM x y)) if width(x) >= 16 for MM = umin umax
min-max-of-sexts    (MM (sext! x) (sext! y)) => (sext (MM x y)) if width(x) >= 16 for MM = smin smax
udiv-of-zexts       (OP (zext! x) (zext! y)) => (zext (OP x y)) if width(x) >= 16 for OP = udiv urem
mul-of-bools        (mul (zext! x:i1) (zext! y:i1)) => (zext (and x y))
select-of-zext      (select c (zext! x:i1) 0) => (zext (select c x false))
add-of-sext-bool    (add (zext x:i1) (sext x:i1)) => 0
trunc-of-op-half    (trunc (OP! (EXT x) y)) => (OP x (trunc y)) for OP/EXT = add/zext mul/zext and/zext or/zext xor/zext add/sext mul/sext and/sext or/sext xor/sext
trunc-of-sub-half   (trunc (sub! (EXT x) y)) => (sub x (trunc y)) for EXT = zext sext
trunc-of-sub-from   (trunc (sub! y (EXT x))) => (sub (trunc y) x) for EXT = zext sext
trunc-of-select-ext (trunc (select! c (EXT x) y)) => (select c x (trunc y)) for EXT = zext sext
trunc-of-select-rhs (trunc (select! c y (EXT x))) => (select c (trunc y) x) for EXT = zext sext
trunc-of-min-max    (trunc (MM! (EXT x) (EXT y))) => (MM x y)   for MM/EXT = umin/zext umax/zext smin/sext smax/sext
trunc-of-ctpop      (trunc (ctpop! (zext x))) => (ctpop x)
trunc-of-abs-sext   (trunc (abs! (sext x))) => (abs x)
trunc-to-bool       (trunc (zext x:i1)) => (zext x)             if width > 1
sext-of-nonneg      (sext x) => (zext:nneg x)                   if known_nonneg(x)
sext-of-lshr        (sext (lshr! x C)) => (zext (lshr x C))     if 0 < C and C < width(x)
sext-of-and         (sext (and! x C)) => (zext (and x C))       if C < 1 << (width(x) - 1)
"""
