"""Identities of floating-point ops. Without flags they follow IEEE 754 except for NaN payloads."""

SIMPLIFICATIONS = """
fadd-negative-zero  (fadd x -0.0) => x
fadd-zero           (fadd:nsz x 0.0) => x
fsub-zero           (fsub x 0.0) => x
fsub-negative-zero  (fsub:nsz x -0.0) => x
fsub-self           (fsub:nnan x x) => 0.0
fmul-one            (fmul x 1.0) => x
fmul-zero           (fmul:nnan,nsz x 0.0) => 0.0
fmul-negative-zero  (fmul:nnan,nsz x -0.0) => -0.0
fdiv-one            (fdiv x 1.0) => x
fdiv-self           (fdiv:nnan x x) => 1.0
fneg-fneg           (fneg (fneg x)) => x
fneg-by-fsub        (fneg (fsub -0.0 x)) => x
fsub-of-fsub        (fsub:nsz,reassoc x (fsub x y)) => y
fsub-of-fadd        (fsub:nsz,reassoc (fadd x y) x) => y
fadd-of-fsub        (fadd:nsz,reassoc (fsub x y) y) => x
fabs-fabs           (fabs a=(fabs x)) => a
rounded-again       (OP a=(OP x)) => a                          for OP = floor ceil ftrunc rint
rounded-integer     (OP a=(CAST x)) => a                        for OP/CAST = floor/sitofp ceil/sitofp ftrunc/sitofp rint/sitofp floor/uitofp ceil/uitofp ftrunc/uitofp rint/uitofp
min-max-self        (OP x x) => x                               for OP = maxnum minnum maximum minimum
min-max-again       (OP a=(OP x y) x) => a                      for OP = maxnum minnum maximum minimum
fcmp-false          (fcmp._false x y) => false
fcmp-true           (fcmp._true x y) => true
fcmp-self-false     (fcmp.P x x) => false                       for P = one ogt
fcmp-self-true      (fcmp.P x x) => true                        for P = ueq uge
fcmp-fabs-negative  (fcmp.olt (fabs x) 0.0) => false
fcmp-fabs-positive  (fcmp.uge (fabs x) 0.0) => true
copysign-self       (copysign x x) => x
fcmp-fabs-olt-neg   (fcmp.P (fabs x) C) => false                if C < 0.0 for P = olt ole oeq
sitofp-no-nan       (fcmp.uno (CAST x) 0.0) => false            for CAST = sitofp uitofp
sitofp-ordered      (fcmp.ord (CAST x) 0.0) => true             for CAST = sitofp uitofp
fcmp-uitofp-neg     (fcmp.olt (uitofp x) 0.0) => false
fcmp-uitofp-nonneg  (fcmp.oge (uitofp x) 0.0) => true
fabs-of-uitofp      (fabs a=(uitofp x)) => a
maxnum-of-nan       (OP x C) => x                               if C != C for OP = maxnum minnum
minnum-inf          (minnum:nnan x inf) => x
maxnum-inf          (maxnum:nnan x -inf) => x
maximum-least       (maximum x -inf) => x
minimum-greatest    (minimum x inf) => x
fma-of-zero         (fma:nnan,nsz x 0.0 y) => y
"""

COMBINATIONS = """
# Signs.
fadd-of-fneg        (fadd x (fneg y)) => (fsub x y)
fsub-of-fneg        (fsub x (fneg y)) => (fadd x y)
fsub-from-zero      (fsub -0.0 x) => (fneg x)
fsub-from-nsz-zero  (fsub:nsz 0.0 x) => (fneg x)
fneg-of-fsub        (fneg (fsub:nsz x y)) => (fsub y x)
fmul-minus-one      (fmul x -1.0) => (fneg x)
fdiv-minus-one      (fdiv x -1.0) => (fneg x)
of-two-fnegs        (OP (fneg x) (fneg y)) => (OP x y)          for OP = fmul fdiv
fmul-of-fneg        (fmul (fneg x) C) => (fmul x {-C})
fdiv-of-fneg        (fdiv (fneg x) C) => (fdiv x {-C})
fdiv-by-fneg        (fdiv C (fneg x)) => (fdiv {-C} x)
fneg-of-fmul        (fneg (fmul! x C)) => (fmul x {-C})
fneg-of-fdiv        (fneg (fdiv! x C)) => (fdiv x {-C})
fneg-of-fdiv-from   (fneg (fdiv! C x)) => (fdiv {-C} x)
fmul-of-fabs        (fmul (fabs x) (fabs x)) => (fmul x x)
fsub-constant       (fsub x C) => (fadd x {-C})
fma-of-fnegs        (fma (fneg x) (fneg y) z) => (fma x y z)
fma-by-one          (fma x 1.0 y) => (fadd x y)
fma-by-minus-one    (fma x -1.0 y) => (fsub y x)
fma-plus-zero       (fma:nsz x y 0.0) => (fmul x y)
fma-plus-minus-zero (fma x y -0.0) => (fmul x y)
fabs-of-fneg        (fabs (fneg x)) => (fabs x)
fabs-of-copysign    (fabs (copysign x y)) => (fabs x)
copysign-of-sign    (copysign (OP x) y) => (copysign x y)       for OP = fneg fabs
copysign-twice      (copysign (copysign x y) z) => (copysign x z)
copysign-of-copied  (copysign x (copysign y z)) => (copysign x z)
copysign-positive   (copysign x C) => (fabs x)                  if C > 0.0
fneg-of-choice      (select c (fneg! x) (fneg! y)) => (fneg (select c x y))
select-of-floats    (select c (OP! x z) (OP! y z)) => (OP (select c x y) z) for OP = fadd fmul fsub fdiv
select-of-floats-rhs (select c (OP! z x) (OP! z y)) => (OP z (select c x y)) for OP = fsub fdiv

# Division by a power of two is multiplication by its reciprocal.
fdiv-exact          (fdiv x C) => (fmul x {1.0 / C})            if exact_reciprocal(C)
fdiv-arcp           (fdiv:arcp x C) => (fmul x {rounded_reciprocal(C)})

# Reassociation, if the flags allow it.
fmul-fmul           (fmul:reassoc (fmul:reassoc x C1) C2) => (fmul x {rounded_product(C1, C2)})
fadd-fadd           (fadd:reassoc,nsz (fadd:reassoc,nsz x C1) C2) => (fadd x {rounded_sum(C1, C2)})
fdiv-fmul           (fdiv:reassoc,arcp (fmul:reassoc x C1) C2) => (fmul x {rounded_quotient(C1, C2)})
fdiv-fdiv           (fdiv:reassoc,arcp (fdiv:reassoc,arcp! x y) z) => (fdiv x (fmul y z))
fadd-of-fmuls       (fadd:reassoc,nsz (fmul:reassoc,nsz! x z) (fmul:reassoc,nsz! y z)) => (fmul (fadd x y) z)
fsub-of-fmuls       (fsub:reassoc,nsz (fmul:reassoc,nsz! x z) (fmul:reassoc,nsz! y z)) => (fmul (fsub x y) z)
fmul-of-sqrts       (fmul:reassoc,nnan,nsz (sqrt x) (sqrt x)) => x

# Comparisons.
fcmp-of-fnegs       (fcmp.P (fneg x) (fneg y)) => (fcmp.swapped-P x y)
fcmp-of-fneg        (fcmp.P (fneg x) C) => (fcmp.swapped-P x {-C})
fcmp-of-fpexts      (fcmp.P (fpext x) (fpext y)) => (fcmp.P x y)
fcmp-of-fpext-exact (fcmp.P (fpext x) C) => (fcmp.P x {C})      if held_by(C, type(x))
fcmp-of-fpext-above (fcmp.P (fpext x) C) => (fcmp.P x {above(C, type(x))}) if is_between(C, type(x)) for P = olt oge ult uge
fcmp-of-fpext-below (fcmp.P (fpext x) C) => (fcmp.P x {below(C, type(x))}) if is_between(C, type(x)) for P = ole ogt ule ugt
fcmp-self-ord       (fcmp.P x x) => (fcmp.ord x 0.0)            for P = oeq oge
fcmp-self-uno       (fcmp.P x x) => (fcmp.uno x 0.0)            for P = une ugt
fcmp-fabs-zero      (fcmp.P (fabs x) 0.0) => (fcmp.P x 0.0)     for P = oeq une ueq one
fcmp-fabs-above     (fcmp.ogt (fabs x) 0.0) => (fcmp.one x 0.0)
fcmp-fabs-not-below (fcmp.ule (fabs x) 0.0) => (fcmp.ueq x 0.0)
fcmp-fabs-ordered   (fcmp.oge (fabs x) 0.0) => (fcmp.ord x 0.0)
fcmp-fabs-unordered (fcmp.ult (fabs x) 0.0) => (fcmp.uno x 0.0)
fcmp-minus-zero     (fcmp.P x -0.0) => (fcmp.P x 0.0)
and-of-ords         (and (fcmp.ord! x 0.0) (fcmp.ord! y 0.0)) => (fcmp.ord x y)
or-of-unos          (or (fcmp.uno! x 0.0) (fcmp.uno! y 0.0)) => (fcmp.uno x y)
or-olt-oeq          (or (fcmp.P x y) (fcmp.oeq x y)) => (fcmp.Q x y) for P/Q = olt/ole
not-of-fcmp         (not (fcmp.P! x y)) => (fcmp.inverse-P x y)
select-minnum       (select:nnan,nsz (fcmp.P x y) x y) => (minnum x y) for P = olt ole ult ule
select-maxnum       (select:nnan,nsz (fcmp.P x y) x y) => (maxnum x y) for P = ogt oge ugt uge
select-fabs         (select:nsz (fcmp.P x 0.0) (fneg x) x) => (fabs x) for P = olt ole
select-fabs-else    (select:nsz (fcmp.P x 0.0) x (fneg x)) => (fabs x) for P = ogt oge
min-of-fnegs        (MAX (fneg! x) (fneg! y)) => (fneg (MIN x y)) for MAX/MIN = maxnum/minnum minnum/maxnum maximum/minimum minimum/maximum

# Casts.
fpext-fpext         (fpext (fpext x)) => (fpext x)
fptrunc-of-fneg     (fptrunc (fneg (fpext x))) => (fneg x)
fptrunc-of-fabs     (fptrunc (fabs (fpext x))) => (fabs x)
fptrunc-of-op       (fptrunc (OP! (fpext x) (fpext y))) => (OP x y) drop ninf nsz for OP = fadd fsub fmul fdiv
fptrunc-of-op-const (fptrunc (OP! (fpext x) C)) => (OP x {C})   if held_by(C, type(x)) drop ninf nsz for OP = fadd fsub fmul fdiv
fptrunc-of-op-from  (fptrunc (OP! C (fpext x))) => (OP {C} x)   if held_by(C, type(x)) drop ninf nsz for OP = fsub fdiv
fptrunc-of-integer  (fptrunc m=(OP! x)) => (OP x)               if width(x) <= precision(type(m)) for OP = sitofp uitofp
fptrunc-of-sqrt     (fptrunc (sqrt! (fpext x))) => (sqrt x)
sitofp-of-zext      (sitofp (zext x)) => (uitofp x)
uitofp-of-zext      (uitofp (zext x)) => (uitofp x)
sitofp-of-sext      (sitofp (sext x)) => (sitofp x)
sitofp-of-rounded   (rint (fpext! x)) => (fpext (rint x))
rounded-of-fpext    (OP (fpext! x)) => (fpext (OP x))           for OP = floor ceil ftrunc
fadd-of-fneg-mul    (fadd x (fneg (fmul! y z))) => (fsub x (fmul y z))
fma-of-fneg-const   (fma (fneg x) C y) => (fma x {-C} y)
fcmp-fneg-self      (fcmp.P (fneg x) 0.0) => (fcmp.swapped-P x 0.0)
fcmp-eq-fneg-self   (fcmp.oeq (fneg x) x) => (fcmp.oeq x 0.0)
fcmp-gt-fneg-self   (fcmp.ogt (fneg x) x) => (fcmp.olt x 0.0)
fcmp-lt-fneg-self   (fcmp.olt (fneg x) x) => (fcmp.ogt x 0.0)
fcmp-uitofp-zero    (fcmp.P (CAST x) 0.0) => (icmp.Q x 0)       for P/Q/CAST = oeq/eq/sitofp une/ne/sitofp ogt/sgt/sitofp olt/slt/sitofp oge/sge/sitofp ole/sle/sitofp ueq/eq/sitofp one/ne/sitofp oeq/eq/uitofp une/ne/uitofp ogt/ne/uitofp ole/eq/uitofp ueq/eq/uitofp one/ne/uitofp
# An integer that the type holds exactly is compared with the next integer.
fcmp-uitofp-up      (fcmp.P a=(uitofp x) C) => (icmp.Q x {ceiling(C)})     if converts_near(C, width(x), type(a)) and has_bounds(C) and 0 <= ceiling(C) and ceiling(C) < 1 << width(x) for P/Q = olt/ult ult/ult oge/uge uge/uge
fcmp-uitofp-down    (fcmp.P a=(uitofp x) C) => (icmp.Q x {floor_of(C)})    if converts_near(C, width(x), type(a)) and has_bounds(C) and 0 <= floor_of(C) and floor_of(C) < 1 << width(x) for P/Q = ogt/ugt ugt/ugt ole/ule ule/ule
fcmp-uitofp-equal   (fcmp.P a=(uitofp x) C) => (icmp.Q x {floor_of(C)})    if converts_near(C, width(x), type(a)) and has_bounds(C) and 0 <= floor_of(C) and floor_of(C) < 1 << width(x) and ceiling(C) == floor_of(C) for P/Q = oeq/eq ueq/eq one/ne une/ne
fcmp-sitofp-up      (fcmp.P a=(sitofp x) C) => (icmp.Q x {ceiling(C)})     if converts_near(C, width(x), type(a)) and has_bounds(C) and fits(ceiling(C), width(x)) for P/Q = olt/slt ult/slt oge/sge uge/sge
fcmp-sitofp-down    (fcmp.P a=(sitofp x) C) => (icmp.Q x {floor_of(C)})    if converts_near(C, width(x), type(a)) and has_bounds(C) and fits(floor_of(C), width(x)) for P/Q = ogt/sgt ugt/sgt ole/sle ule/sle
fcmp-sitofp-equal   (fcmp.P a=(sitofp x) C) => (icmp.Q x {floor_of(C)})    if converts_near(C, width(x), type(a)) and has_bounds(C) and fits(floor_of(C), width(x)) and ceiling(C) == floor_of(C) for P/Q = oeq/eq ueq/eq one/ne une/ne
fpext-of-choice-neg (fneg (select! c (fneg x) y)) => (select c x (fneg y))
fneg-of-select-rhs  (fneg (select! c x (fneg y))) => (select c (fneg x) y)
fabs-of-select-neg  (fabs (select c (fneg x) x)) => (fabs x)
fabs-of-select-else (fabs (select c x (fneg x))) => (fabs x)
fneg-of-fmul-neg    (fneg (fmul! (fneg! x) y)) => (fmul x y)
fneg-of-fsub-nsz    (fneg:nsz (fsub! x y)) => (fsub y x)
fma-of-fabs         (fma (fabs x) (fabs x) y) => (fma x x y)
fptosi-of-fpext     (CAST (fpext x)) => (CAST x)                for CAST = fptosi fptoui
minnum-of-fpexts    (OP (fpext! x) (fpext! y)) => (fpext (OP x y)) for OP = minnum maxnum
minnum-of-fpext     (OP (fpext! x) C) => (fpext (OP x {C}))     if held_by(C, type(x)) for OP = minnum maxnum
fptrunc-of-minnum   (fptrunc (OP! (fpext x) (fpext y))) => (OP x y) for OP = minnum maxnum
fptrunc-of-choice   (fptrunc (select! c (fpext x) (fpext y))) => (select c x y)
fptrunc-of-choice-const (fptrunc (select! c (fpext x) C)) => (select c x {C}) if held_by(C, type(x))
fptrunc-of-choice-else (fptrunc (select! c C (fpext x))) => (select c {C} x) if held_by(C, type(x))
fpext-of-select     (select c (fpext! x) (fpext! y)) => (fpext (select c x y))
minnum-minnum       (OP (OP x C1) C2) => (OP x {FN(C1, C2)})    if C1 != 0.0 and C2 != 0.0 and C1 == C1 and C2 == C2 for OP/FN = minnum/min maxnum/max
"""
