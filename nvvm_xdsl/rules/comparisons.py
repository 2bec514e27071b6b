"""Identities of comparisons, selects and freeze."""

SIMPLIFICATIONS = """
icmp-self-true      (icmp.P x x) => true                        for P = eq sle ule
icmp-self-false     (icmp.P x x) => false                       for P = ne slt ult
icmp-ult-zero       (icmp.ult x 0) => false
icmp-uge-zero       (icmp.uge x 0) => true
icmp-ugt-ones       (icmp.ugt x -1) => false
icmp-ule-ones       (icmp.ule x -1) => true
icmp-slt-least      (icmp.slt x C) => false                     if C == 1 << (width - 1)
icmp-sge-least      (icmp.sge x C) => true                      if C == 1 << (width - 1)
icmp-sgt-greatest   (icmp.sgt x C) => false                     if C == (1 << (width - 1)) - 1
icmp-sle-greatest   (icmp.sle x C) => true                      if C == (1 << (width - 1)) - 1
icmp-eq-true        (icmp.eq x:i1 true) => x
icmp-ne-false       (icmp.ne x:i1 false) => x
# Only in the generic address space, null is not the address of an object.
icmp-eq-object-null (icmpp.eq p null) => false                  if is_object(p)
icmp-ne-object-null (icmpp.ne p null) => true                   if is_object(p)
icmp-and-above      (icmp.ugt (and x y) x) => false
icmp-and-not-above  (icmp.ule (and x y) x) => true
icmp-or-below       (icmp.ult (or x y) x) => false
icmp-or-not-below   (icmp.uge (or x y) x) => true
icmp-smaller-above  (icmp.ugt (OP x y) x) => false              for OP = lshr udiv urem
icmp-smaller        (icmp.ule (OP x y) x) => true               for OP = lshr udiv urem
icmp-urem-below     (icmp.P (urem x y) y) => true               for P = ult ule ne
icmp-urem-not-below (icmp.P (urem x y) y) => false              for P = uge ugt eq
icmp-eq-outside-and (icmp.eq (and x C1) C2) => false            if C2 & ~C1 != 0
icmp-ne-outside-and (icmp.ne (and x C1) C2) => true             if C2 & ~C1 != 0
icmp-eq-outside-or  (icmp.eq (or x C1) C2) => false             if C1 & ~C2 != 0
icmp-ne-outside-or  (icmp.ne (or x C1) C2) => true              if C1 & ~C2 != 0
icmp-ugt-of-and     (icmp.ugt (and x C1) C2) => false           if C2 >= C1
icmp-ult-of-and     (icmp.ult (and x C1) C2) => true            if C2 > C1
icmp-eq-outside-zext (icmp.eq (zext x) C) => false              if C >= 1 << width(x)
icmp-ne-outside-zext (icmp.ne (zext x) C) => true               if C >= 1 << width(x)
icmp-ult-outside-zext (icmp.ult (zext x) C) => true             if C >= 1 << width(x)
icmp-ugt-outside-zext (icmp.ugt (zext x) C) => false            if C >= (1 << width(x)) - 1
icmp-slt-outside-zext (icmp.slt (zext x) C) => true             if s(C) >= 1 << width(x)
icmp-sgt-outside-zext (icmp.sgt (zext x) C) => false            if s(C) >= (1 << width(x)) - 1
icmp-sgt-below-zext (icmp.sgt (zext x) C) => true               if s(C) < 0
icmp-slt-below-zext (icmp.slt (zext x) C) => false              if s(C) <= 0
icmp-of-smax        (icmp.P (MM x y) x) => true                 for P/MM = sge/smax sle/smin uge/umax ule/umin
icmp-not-of-smax    (icmp.P (MM x y) x) => false                for P/MM = slt/smax sgt/smin ult/umax ugt/umin
icmp-of-max-min     (icmp.P (MAX x y) (MIN x z)) => true        for P/MAX/MIN = sge/smax/smin uge/umax/umin
icmp-not-of-max-min (icmp.P (MAX x y) (MIN x z)) => false       for P/MAX/MIN = slt/smax/smin ult/umax/umin
icmp-eq-neighbours  (icmp.eq (add x C) x) => false              if C != 0
icmp-ne-neighbours  (icmp.ne (add x C) x) => true               if C != 0
icmp-sle-and-nonneg (icmp.sle (and x C) x) => true              if s(C) < 0
icmp-sgt-and-nonneg (icmp.sgt (and x C) x) => false             if s(C) < 0
icmp-eq-shl-odd     (icmp.eq (shl C y) 0) => false              if C & 1 == 1
icmp-ne-shl-odd     (icmp.ne (shl C y) 0) => true               if C & 1 == 1
icmp-eq-shl-nuw-of  (icmp.eq (shl:nuw C y) 0) => false          if C != 0
icmp-ne-shl-nuw-of  (icmp.ne (shl:nuw C y) 0) => true           if C != 0
icmp-eq-urem-const  (icmp.eq (urem x C1) C2) => false           if C1 != 0 and C2 >= C1
icmp-ne-urem-const  (icmp.ne (urem x C1) C2) => true            if C1 != 0 and C2 >= C1
icmp-sdiv-eq-above  (icmp.eq (udiv x C1) C2) => false           if C1 != 0 and C1 * C2 >= 1 << width
icmp-eq-odd-double  (icmp.eq (shl x C1) C2) => false            if C1 < width and C2 & ((1 << C1) - 1) != 0
icmp-ne-odd-double  (icmp.ne (shl x C1) C2) => true             if C1 < width and C2 & ((1 << C1) - 1) != 0
icmp-eq-lshr-above  (icmp.eq (lshr x C1) C2) => false           if C1 < width and C2 << C1 >= 1 << width
icmp-ne-lshr-above  (icmp.ne (lshr x C1) C2) => true            if C1 < width and C2 << C1 >= 1 << width
icmp-eq-sext-outside (icmp.eq (sext x) C) => false              if not fits(s(C), width(x))
icmp-ne-sext-outside (icmp.ne (sext x) C) => true               if not fits(s(C), width(x))
icmp-slt-sext-above (icmp.slt (sext x) C) => true               if s(C) >= 1 << (width(x) - 1)
icmp-slt-sext-below (icmp.slt (sext x) C) => false              if s(C) <= -(1 << (width(x) - 1))
icmp-sgt-sext-below (icmp.sgt (sext x) C) => true               if s(C) < -(1 << (width(x) - 1))
icmp-sgt-sext-above (icmp.sgt (sext x) C) => false              if s(C) >= (1 << (width(x) - 1)) - 1
icmp-uge-usubsat    (icmp.uge x (usubsat x y)) => true
icmp-ult-usubsat    (icmp.ult x (usubsat x y)) => false
icmp-ule-uaddsat    (icmp.ule x (uaddsat x y)) => true
icmp-ugt-uaddsat    (icmp.ugt x (uaddsat x y)) => false
icmp-ule-add-nuw    (icmp.ule x (add:nuw x y)) => true
icmp-ugt-add-nuw    (icmp.ugt x (add:nuw x y)) => false
icmp-uge-sub-nuw    (icmp.uge x (sub:nuw x y)) => true
icmp-ult-sub-nuw    (icmp.ult x (sub:nuw x y)) => false
icmp-slt-add-nsw    (icmp.slt x (add:nsw x C)) => true          if s(C) > 0
icmp-sge-add-nsw    (icmp.sge x (add:nsw x C)) => false         if s(C) > 0
icmp-sgt-sub-nsw    (icmp.sgt x (add:nsw x C)) => true          if s(C) < 0
icmp-sle-sub-nsw    (icmp.sle x (add:nsw x C)) => false         if s(C) < 0
icmp-ugt-or-under   (icmp.ugt (or x C1) C2) => true             if C1 > C2
icmp-ult-or-under   (icmp.ult (or x C1) C2) => false            if C1 >= C2
icmp-slt-or-sign    (icmp.slt (or x C) 0) => true               if s(C) < 0
icmp-sgt-or-sign    (icmp.sgt (or x C) -1) => false             if s(C) < 0
icmp-ctpop-above    (icmp.ugt (COUNT x) C) => false             if C >= width for COUNT = ctpop ctlz cttz
icmp-ctpop-below    (icmp.ult (COUNT x) C) => true              if C > width for COUNT = ctpop ctlz cttz

and-of-inverses     (and (icmp.P x y) (icmp.Q x y)) => false    for P/Q = eq/ne slt/sge ult/uge slt/sgt ult/ugt eq/slt eq/ult
or-of-inverses      (or (icmp.P x y) (icmp.Q x y)) => true      for P/Q = eq/ne slt/sge ult/uge sle/sge ule/uge
and-implied         (and a=(icmp.P x y) (icmp.Q x y)) => a      for P/Q = slt/sle ult/ule slt/ne ult/ne eq/sle eq/ule
or-implied          (or (icmp.P x y) a=(icmp.Q x y)) => a       for P/Q = slt/sle ult/ule slt/ne ult/ne eq/sle eq/ule
and-swapped-implied (and a=(icmp.P x y) (icmp.Q y x)) => a      for P/Q = slt/sgt ult/ugt sle/sge ule/uge
or-swapped-implied  (or (icmp.P x y) a=(icmp.Q y x)) => a       for P/Q = slt/sgt ult/ugt sle/sge ule/uge
and-eq-constants    (and (icmp.eq x C1) (icmp.eq x C2)) => false if C1 != C2
or-ne-constants     (or (icmp.ne x C1) (icmp.ne x C2)) => true  if C1 != C2
and-eq-ne-constants (and a=(icmp.eq x C1) (icmp.ne x C2)) => a  if C1 != C2
or-ne-eq-constants  (or a=(icmp.ne x C1) (icmp.eq x C2)) => a   if C1 != C2
and-ult-implied     (and a=(icmp.ult x C1) (icmp.ult x C2)) => a if C1 <= C2
or-ult-implied      (or a=(icmp.ult x C1) (icmp.ult x C2)) => a if C1 >= C2
and-ugt-implied     (and a=(icmp.ugt x C1) (icmp.ugt x C2)) => a if C1 >= C2
or-ugt-implied      (or a=(icmp.ugt x C1) (icmp.ugt x C2)) => a if C1 <= C2
and-slt-implied     (and a=(icmp.slt x C1) (icmp.slt x C2)) => a if s(C1) <= s(C2)
or-slt-implied      (or a=(icmp.slt x C1) (icmp.slt x C2)) => a if s(C1) >= s(C2)
and-sgt-implied     (and a=(icmp.sgt x C1) (icmp.sgt x C2)) => a if s(C1) >= s(C2)
or-sgt-implied      (or a=(icmp.sgt x C1) (icmp.sgt x C2)) => a if s(C1) <= s(C2)
and-ult-ugt-apart   (and (icmp.ult x C1) (icmp.ugt x C2)) => false if C1 <= C2 + 1
and-slt-sgt-apart   (and (icmp.slt x C1) (icmp.sgt x C2)) => false if s(C1) <= s(C2) + 1
or-ult-ugt-all      (or (icmp.ult x C1) (icmp.ugt x C2)) => true if C1 > C2
or-slt-sgt-all      (or (icmp.slt x C1) (icmp.sgt x C2)) => true if s(C1) > s(C2)
and-eq-ult          (and a=(icmp.eq x C1) (icmp.ult x C2)) => a if C1 < C2
and-eq-ult-apart    (and (icmp.eq x C1) (icmp.ult x C2)) => false if C1 >= C2
and-eq-ugt          (and a=(icmp.eq x C1) (icmp.ugt x C2)) => a if C1 > C2
and-eq-ugt-apart    (and (icmp.eq x C1) (icmp.ugt x C2)) => false if C1 <= C2
and-ne-ult          (and (icmp.ne x C1) a=(icmp.ult x C2)) => a if C1 >= C2
and-ne-ugt          (and (icmp.ne x C1) a=(icmp.ugt x C2)) => a if C1 <= C2
and-ne-slt          (and (icmp.ne x C1) a=(icmp.slt x C2)) => a if s(C1) >= s(C2)
and-ne-sgt          (and (icmp.ne x C1) a=(icmp.sgt x C2)) => a if s(C1) <= s(C2)
and-slt-greatest    (and (icmp.slt x y) (icmp.eq x C)) => false if C == (1 << (width(x) - 1)) - 1
and-sgt-least       (and (icmp.sgt x y) (icmp.eq x C)) => false if C == 1 << (width(x) - 1)
and-ult-ones        (and (icmp.ult x y) (icmp.eq x -1)) => false
and-ugt-none        (and (icmp.ugt x y) (icmp.eq x 0)) => false
and-sle-greatest-ne (and a=(icmp.slt x y) (icmp.ne x C)) => a   if C == (1 << (width(x) - 1)) - 1
and-sgt-least-ne    (and a=(icmp.sgt x y) (icmp.ne x C)) => a   if C == 1 << (width(x) - 1)
and-ult-ones-ne     (and a=(icmp.ult x y) (icmp.ne x -1)) => a
and-ugt-none-ne     (and a=(icmp.ugt x y) (icmp.ne x 0)) => a
or-sge-greatest     (or (icmp.sge x y) (icmp.ne x C)) => true   if C == (1 << (width(x) - 1)) - 1
or-sle-least        (or (icmp.sle x y) (icmp.ne x C)) => true   if C == 1 << (width(x) - 1)
or-uge-ones         (or (icmp.uge x y) (icmp.ne x -1)) => true
or-ule-none         (or (icmp.ule x y) (icmp.ne x 0)) => true
or-sge-greatest-eq  (or a=(icmp.sge x y) (icmp.eq x C)) => a    if C == (1 << (width(x) - 1)) - 1
or-sle-least-eq     (or a=(icmp.sle x y) (icmp.eq x C)) => a    if C == 1 << (width(x) - 1)
or-uge-ones-eq      (or a=(icmp.uge x y) (icmp.eq x -1)) => a
or-ule-none-eq      (or a=(icmp.ule x y) (icmp.eq x 0)) => a
and-uno-order       (and (fcmp.uno x y) (fcmp.P x y)) => false  for P = oeq ogt oge one ord

select-same         (select c x x) => x
select-true         (select true x y) => x
select-false        (select false x y) => y
select-on-undef-rhs (select undef x y) => y                     if is_constant(y)
select-on-undef     (select undef x y) => x
select-rhs-poison   (select c x poison) => x
select-rhs-undef    (select c x undef) => x                     if well_defined(x)
select-lhs-poison   (select c poison y) => y
select-lhs-undef    (select c undef y) => y                     if well_defined(y)
select-of-bools     (select c true false) => c
logical-and-self    (select c c false) => c
logical-or-self     (select c true c) => c
select-eq           (select (icmp.eq x y) x y) => y
select-ne           (select (icmp.ne x y) x y) => x
select-eq-constant  (select (icmp.eq x C) C x) => x
select-ne-constant  (select (icmp.ne x C) x C) => x
select-shr-by-sign  (select (icmp.sgt x C) (lshr x y) a=(ashr x y)) => a if s(C) >= -1
select-sign-shr     (select (icmp.slt x C) a=(ashr x y) (lshr x y)) => a if s(C) >= 0
select-zero-xor     (select (icmp.eq x 0) y a=(xor x y)) => a
select-zero-add     (select (icmp.eq x 0) y a=(add x y)) => a
select-zero-sub     (select (icmp.eq x 0) y a=(sub y x)) => a
select-zero-shift   (select (icmp.eq x 0) y a=(SH y x)) => a    for SH = shl lshr ashr
select-zero-or-ne   (select (icmp.ne x 0) a=(or x y) y) => a
select-zero-xor-ne  (select (icmp.ne x 0) a=(xor x y) y) => a
select-zero-add-ne  (select (icmp.ne x 0) a=(add x y) y) => a
select-zero-sub-ne  (select (icmp.ne x 0) a=(sub y x) y) => a
select-zero-shift-ne (select (icmp.ne x 0) a=(SH y x) y) => a   for SH = shl lshr ashr
select-eq-sub       (select (icmp.eq x y) 0 a=(sub x y)) => a
select-ne-sub       (select (icmp.ne x y) a=(sub x y) 0) => a
select-eq-xor       (select (icmp.eq x y) 0 a=(xor x y)) => a
select-ne-xor       (select (icmp.ne x y) a=(xor x y) 0) => a
select-eq-or        (select (icmp.eq x y) x a=(or x y)) => a
select-ne-or        (select (icmp.ne x y) a=(or x y) x) => a
select-eq-and       (select (icmp.eq x y) x a=(and x y)) => a
select-ne-and       (select (icmp.ne x y) a=(and x y) x) => a
select-ones-and     (select (icmp.eq x -1) y a=(and x y)) => a
select-ones-and-ne  (select (icmp.ne x -1) a=(and x y) y) => a
select-ult-in-ult   (select (icmp.ult x C1) y a=(select (icmp.ult x C2) y z)) => a if C1 <= C2
select-ugt-in-ugt   (select (icmp.ugt x C1) y a=(select (icmp.ugt x C2) y z)) => a if C1 >= C2
select-slt-in-slt   (select (icmp.slt x C1) y a=(select (icmp.slt x C2) y z)) => a if s(C1) <= s(C2)
select-sgt-in-sgt   (select (icmp.sgt x C1) y a=(select (icmp.sgt x C2) y z)) => a if s(C1) >= s(C2)
select-ult-not-ugt  (select (icmp.ult x C1) y a=(select (icmp.ugt x C2) z y)) => a if C1 <= C2 + 1
select-ugt-not-ult  (select (icmp.ugt x C1) y a=(select (icmp.ult x C2) z y)) => a if C1 + 1 >= C2
select-slt-not-sgt  (select (icmp.slt x C1) y a=(select (icmp.sgt x C2) z y)) => a if s(C1) <= s(C2) + 1
select-sgt-not-slt  (select (icmp.sgt x C1) y a=(select (icmp.slt x C2) z y)) => a if s(C1) + 1 >= s(C2)
# Selects between a minimum or maximum and one of its operands.
select-min-max-lhs  (select (icmp.P x y) (MM x y) x) => x       for P/MM = slt/smin sle/smin ult/umin ule/umin sgt/smax sge/smax ugt/umax uge/umax eq/smin eq/smax eq/umin eq/umax
select-min-max-mm   (select (icmp.P x y) a=(MM x y) y) => a     for P/MM = slt/smin sle/smin ult/umin ule/umin sgt/smax sge/smax ugt/umax uge/umax ne/smin ne/smax ne/umin ne/umax
select-else-mm      (select (icmp.P x y) x a=(MM x y)) => a     for P/MM = slt/smin sle/smin ult/umin ule/umin sgt/smax sge/smax ugt/umax uge/umax eq/smin eq/smax eq/umin eq/umax
select-else-rhs     (select (icmp.P x y) y (MM x y)) => y       for P/MM = slt/smin sle/smin ult/umin ule/umin sgt/smax sge/smax ugt/umax uge/umax ne/smin ne/smax ne/umin ne/umax
# A rotation by 0 is the value itself.
rotate-guarded      (select (icmp.eq y 0) x a=(FSH x x y)) => a for FSH = fshl fshr
rotate-guarded-ne   (select (icmp.ne y 0) a=(FSH x x y) x) => a for FSH = fshl fshr

freeze-defined      (freeze x) => x                             if well_defined(x)
freeze-freeze       (freeze a=(freeze x)) => a
"""

COMBINATIONS = """
# Comparisons become strict; comparisons that hold for one value become equalities.
icmp-ult-one        (icmp.ult x 1) => (icmp.eq x 0)
icmp-ugt-zero       (icmp.ugt x 0) => (icmp.ne x 0)
icmp-ult-ones       (icmp.ult x -1) => (icmp.ne x -1)
icmp-ugt-but-one    (icmp.ugt x C) => (icmp.eq x -1)            if C == (1 << width) - 2
icmp-slt-but-one    (icmp.slt x C) => (icmp.eq x {C - 1})       if C == (1 << (width - 1)) + 1
icmp-sgt-but-one    (icmp.sgt x C) => (icmp.eq x {C + 1})       if C == (1 << (width - 1)) - 2
icmp-sgt-least      (icmp.sgt x C) => (icmp.ne x C)             if C == 1 << (width - 1)
icmp-slt-greatest   (icmp.slt x C) => (icmp.ne x C)             if C == (1 << (width - 1)) - 1
icmp-ule-constant   (icmp.ule x C) => (icmp.ult x {C + 1})      if C != (1 << width) - 1
icmp-uge-constant   (icmp.uge x C) => (icmp.ugt x {C - 1})      if C != 0
icmp-sle-constant   (icmp.sle x C) => (icmp.slt x {C + 1})      if C != (1 << (width - 1)) - 1
icmp-sge-constant   (icmp.sge x C) => (icmp.sgt x {C - 1})      if C != 1 << (width - 1)
icmp-ult-sign       (icmp.ult x C) => (icmp.sgt x -1)           if C == 1 << (width - 1)
icmp-ugt-sign       (icmp.ugt x C) => (icmp.slt x 0)            if C == (1 << (width - 1)) - 1
icmp-ne-bools       (icmp.ne x:i1 y) => (xor x y)
icmp-eq-false       (icmp.eq x:i1 false) => (not x)

# Sums and differences.
icmp-eq-of-add      (icmp.P (add x C1) C2) => (icmp.P x {C2 - C1})                  for P = eq ne
icmp-of-add-nsw     (icmp.P (add:nsw x C1) C2) => (icmp.P x {s(C2) - s(C1)})        if is_signed(P) and fits(s(C2) - s(C1), width)
icmp-of-add-nuw     (icmp.P (add:nuw x C1) C2) => (icmp.P x {C2 - C1})              if is_unsigned(P) and C2 >= C1
icmp-eq-add-same    (icmp.P (add x y) x) => (icmp.P y 0)                            for P = eq ne
icmp-add-same-nsw   (icmp.P (add:nsw x y) x) => (icmp.P y 0)                        if is_signed(P)
icmp-eq-adds        (icmp.P (add x y) (add x z)) => (icmp.P y z)                    for P = eq ne
icmp-adds-nsw       (icmp.P (add:nsw x y) (add:nsw x z)) => (icmp.P y z)            if is_signed(P)
icmp-adds-nuw       (icmp.P (add:nuw x y) (add:nuw x z)) => (icmp.P y z)            if is_unsigned(P)
icmp-eq-sub-zero    (icmp.P (sub x y) 0) => (icmp.P x y)                            for P = eq ne
icmp-sub-zero-nsw   (icmp.P (sub:nsw x y) 0) => (icmp.P x y)                        if is_signed(P)
icmp-eq-sub-from    (icmp.P (sub C1 x) C2) => (icmp.P x {C1 - C2})                  for P = eq ne
icmp-sub-from-nsw   (icmp.P (sub:nsw C1 x) C2) => (icmp.swapped-P x {s(C1) - s(C2)}) if is_signed(P) and fits(s(C1) - s(C2), width)
icmp-eq-sub-same    (icmp.P (sub x y) x) => (icmp.P y 0)                            for P = eq ne
icmp-eq-subs-lhs    (icmp.P (sub x y) (sub x z)) => (icmp.P y z)                    for P = eq ne
icmp-eq-subs-rhs    (icmp.P (sub x y) (sub z y)) => (icmp.P x z)                    for P = eq ne
icmp-subs-rhs-nsw   (icmp.P (sub:nsw x y) (sub:nsw z y)) => (icmp.P x z)            if is_signed(P)
icmp-subs-lhs-nsw   (icmp.P (sub:nsw x y) (sub:nsw x z)) => (icmp.swapped-P y z)    if is_signed(P)
icmp-subs-rhs-nuw   (icmp.P (sub:nuw x y) (sub:nuw z y)) => (icmp.P x z)            if is_unsigned(P)
icmp-sub-above      (icmp.ugt (sub x y) x) => (icmp.ugt y x)
icmp-sub-below      (icmp.ule (sub x y) x) => (icmp.ule y x)

# Bits.
icmp-eq-xor-zero    (icmp.P (xor x y) 0) => (icmp.P x y)                            for P = eq ne
icmp-eq-xor         (icmp.P (xor x C1) C2) => (icmp.P x {C1 ^ C2})                  for P = eq ne
icmp-eq-xor-same    (icmp.P (xor x y) x) => (icmp.P y 0)                            for P = eq ne
icmp-eq-xors        (icmp.P (xor x y) (xor x z)) => (icmp.P y z)                    for P = eq ne
icmp-nots           (icmp.P (not x) (not y)) => (icmp.swapped-P x y)
icmp-not-constant   (icmp.P (not x) C) => (icmp.swapped-P x {~C})
icmp-sign-flip      (icmp.P (xor x C) (xor y C)) => (icmp.Q x y)                    if C == 1 << (width - 1) for P/Q = ult/slt ugt/sgt ule/sle uge/sge
icmp-slt-xor        (icmp.slt (xor x C) 0) => (icmp.slt x 0)                        if s(C) >= 0
icmp-sgt-xor        (icmp.sgt (xor x C) -1) => (icmp.sgt x -1)                      if s(C) >= 0
icmp-slt-xor-sign   (icmp.slt (xor x C) 0) => (icmp.sgt x -1)                       if s(C) < 0
icmp-sgt-xor-sign   (icmp.sgt (xor x C) -1) => (icmp.slt x 0)                       if s(C) < 0
icmp-eq-bit         (icmp.P a=(and x C) C) => (icmp.inverse-P a 0)                  if pow2(C) and is_equality(P)
icmp-ne-sign-bit    (icmp.ne (and x C) 0) => (icmp.slt x 0)                         if C == 1 << (width - 1)
icmp-eq-sign-bit    (icmp.eq (and x C) 0) => (icmp.sgt x -1)                        if C == 1 << (width - 1)
icmp-srem-pow2      (icmp.P (srem! x C) 0) => (icmp.P (and x {C - 1}) 0)                if is_equality(P) and pow2(C)
icmp-srem-pow2-is   (icmp.P (srem! x C1) C2) => (icmp.P (and x {C1 - 1 | 1 << (width - 1)}) C2) if is_equality(P) and pow2(C1) and 0 < s(C2) < s(C1)
icmp-eq-high-bits   (icmp.eq (and x C) 0) => (icmp.ult x {-C})                      if C != 0 and pow2((1 << width) - C) and width > 1
icmp-ne-high-bits   (icmp.ne (and x C) 0) => (icmp.ugt x {~C})                      if C != 0 and pow2((1 << width) - C) and width > 1

# Products and shifts.
icmp-eq-mul-zero    (icmp.P (mul x C) 0) => (icmp.P x 0)                            if C & 1 == 1 for P = eq ne
icmp-eq-mul-odd     (icmp.P (mul x C) (mul y C)) => (icmp.P x y)                    if C & 1 == 1 for P = eq ne
icmp-mul-zero-nsw   (icmp.P (mul:nsw x C) 0) => (icmp.P x 0)                        if s(C) > 0 and not is_unsigned(P)
icmp-mul-neg-nsw    (icmp.P (mul:nsw x C) 0) => (icmp.swapped-P x 0)                if s(C) < 0 and not is_unsigned(P)
icmp-eq-mul-nuw     (icmp.P (mul:nuw x C1) C2) => (icmp.P x {C2 // C1})             if C1 != 0 and C2 % C1 == 0 for P = eq ne
icmp-muls-nsw       (icmp.P (mul:nsw x C) (mul:nsw y C)) => (icmp.P x y)            if s(C) > 0 and not is_unsigned(P)
icmp-muls-nuw       (icmp.P (mul:nuw x C) (mul:nuw y C)) => (icmp.P x y)            if C != 0 and not is_signed(P)
icmp-shl-zero-nsw   (icmp.P (shl:nsw x y) 0) => (icmp.P x 0)                        if not is_unsigned(P)
icmp-eq-shl-zero    (icmp.P (shl:nuw x y) 0) => (icmp.P x 0)                        for P = eq ne
icmp-eq-shl-nuw     (icmp.P (shl:nuw x C1) C2) => (icmp.P x {C2 >> C1})             if C1 < width and C2 & ((1 << C1) - 1) == 0 for P = eq ne
icmp-eq-shl-nsw     (icmp.P (shl:nsw x C1) C2) => (icmp.P x {s(C2) >> C1})          if C1 < width and C2 & ((1 << C1) - 1) == 0 for P = eq ne
icmp-slt-shl-nsw    (icmp.slt (shl:nsw x C1) C2) => (icmp.slt x {(s(C2) + (1 << C1) - 1) >> C1}) if C1 < width
icmp-sgt-shl-nsw    (icmp.sgt (shl:nsw x C1) C2) => (icmp.sgt x {s(C2) >> C1})      if C1 < width
icmp-ult-shl-nuw    (icmp.ult (shl:nuw x C1) C2) => (icmp.ult x {(C2 + (1 << C1) - 1) >> C1}) if C1 < width
icmp-ugt-shl-nuw    (icmp.ugt (shl:nuw x C1) C2) => (icmp.ugt x {C2 >> C1})         if C1 < width
icmp-shls-nsw       (icmp.P (shl:nsw x y) (shl:nsw z y)) => (icmp.P x z)            if not is_unsigned(P)
icmp-shls-nuw       (icmp.P (shl:nuw x y) (shl:nuw z y)) => (icmp.P x z)            if not is_signed(P)
icmp-shls-by-nsw    (icmp.P (shl:nsw x C) (shl:nsw z C)) => (icmp.P x z)            if not is_unsigned(P) and C < width
icmp-shls-by-nuw    (icmp.P (shl:nuw x C) (shl:nuw z C)) => (icmp.P x z)            if not is_signed(P) and C < width
icmp-eq-lshr-zero   (icmp.eq (lshr x C) 0) => (icmp.ult x {1 << C})                 if C < width
icmp-ne-lshr-zero   (icmp.ne (lshr x C) 0) => (icmp.ugt x {(1 << C) - 1})           if C < width
icmp-ult-lshr       (icmp.ult (lshr x C1) C2) => (icmp.ult x {C2 << C1})            if C1 < width and C2 << C1 < 1 << width
icmp-ugt-lshr       (icmp.ugt (lshr x C1) C2) => (icmp.ugt x {((C2 + 1) << C1) - 1}) if C1 < width and (C2 + 1) << C1 <= 1 << width
icmp-slt-ashr       (icmp.slt (ashr x C1) C2) => (icmp.slt x {s(C2) << C1})         if C1 < width and fits(s(C2) << C1, width)
icmp-sgt-ashr       (icmp.sgt (ashr x C1) C2) => (icmp.sgt x {((s(C2) + 1) << C1) - 1}) if C1 < width and fits(((s(C2) + 1) << C1) - 1, width)
icmp-eq-exact-shift (icmp.P (SH:exact x C) 0) => (icmp.P x 0)                       if C < width and is_equality(P) for SH = lshr ashr
icmp-ult-udiv       (icmp.ult (udiv x C1) C2) => (icmp.ult x {C1 * C2})             if C1 != 0 and C1 * C2 < 1 << width
icmp-ugt-udiv       (icmp.ugt (udiv x C1) C2) => (icmp.ugt x {C1 * (C2 + 1) - 1})   if C1 != 0 and C1 * (C2 + 1) <= 1 << width
icmp-eq-udiv-zero   (icmp.eq (udiv x y) 0) => (icmp.ult x y)
icmp-ne-udiv-zero   (icmp.ne (udiv x y) 0) => (icmp.uge x y)
icmp-eq-udiv        (icmp.eq (udiv! x C1) C2) => (icmp.ult (add x {-C1 * C2}) {C1})        if C1 != 0 and C2 != 0 and C1 * (C2 + 1) <= 1 << width
icmp-ne-udiv        (icmp.ne (udiv! x C1) C2) => (icmp.ugt (add x {-C1 * C2}) {C1 - 1})    if C1 != 0 and C2 != 0 and C1 * (C2 + 1) <= 1 << width
icmp-sgt-sdiv       (icmp.sgt (sdiv x C1) C2) => (icmp.sgt x {C1 * (C2 + 1) - 1})   if s(C1) > 0 and s(C2) >= 0 and fits(C1 * (C2 + 1) - 1, width)
icmp-sgt-sdiv-neg   (icmp.sgt (sdiv x C1) C2) => (icmp.sgt x {C1 * s(C2)})          if s(C1) > 0 and s(C2) < 0 and fits(C1 * s(C2), width)
icmp-slt-sdiv       (icmp.slt (sdiv x C1) C2) => (icmp.slt x {C1 * C2})             if s(C1) > 0 and s(C2) > 0 and fits(C1 * C2, width)
icmp-slt-sdiv-neg   (icmp.slt (sdiv x C1) C2) => (icmp.slt x {C1 * (s(C2) - 1) + 1}) if s(C1) > 0 and s(C2) <= 0 and fits(C1 * (s(C2) - 1) + 1, width)
icmp-eq-sdiv-zero   (icmp.eq (sdiv! x C) 0) => (icmp.ult (add x {C - 1}) {2 * C - 1})  if s(C) > 0
icmp-ne-sdiv-zero   (icmp.ne (sdiv! x C) 0) => (icmp.ugt (add x {C - 1}) {2 * C - 2})  if s(C) > 0
icmp-eq-sdiv        (icmp.eq (sdiv! x C1) C2) => (icmp.ult (add x {-C1 * C2}) {C1})        if s(C1) > 0 and s(C2) > 0 and fits(C1 * (C2 + 1) - 1, width)
icmp-ne-sdiv        (icmp.ne (sdiv! x C1) C2) => (icmp.ugt (add x {-C1 * C2}) {C1 - 1})    if s(C1) > 0 and s(C2) > 0 and fits(C1 * (C2 + 1) - 1, width)
icmp-eq-lshr-exact  (icmp.P (lshr:exact x C1) C2) => (icmp.P x {C2 << C1})          if is_equality(P) and C1 < width and C2 << C1 < 1 << width
icmp-eq-ashr-exact  (icmp.P (ashr:exact x C1) C2) => (icmp.P x {s(C2) << C1})       if is_equality(P) and C1 < width and fits(s(C2) << C1, width)
icmp-shl-one-eq     (icmp.P (shl 1 y) C) => (icmp.P y {log2(C)})                    if is_equality(P) and pow2(C)
icmp-shl-one-ult    (icmp.ult (shl 1 y) C) => (icmp.ult y {log2(C)})                if pow2(C)
icmp-eq-bit-by      (icmp.P (and (shl 1 y) C) 0) => (icmp.inverse-P y {log2(C)})    if is_equality(P) and pow2(C)
icmp-eq-and-shr     (icmp.P (and! (SH x C1) C2) 0) => (icmp.P (and x {C2 << C1}) 0)  if is_equality(P) and C1 < width and C2 << C1 < 1 << width for SH = lshr ashr
icmp-eq-and-shl     (icmp.P (and! (shl x C1) C2) 0) => (icmp.P (and x {C2 >> C1}) 0) if is_equality(P) and C1 < width
icmp-eq-bit-of      (icmp.P (and (lshr C y) 1) 0) => (icmp.inverse-P y {log2(C)})   if is_equality(P) and pow2(C)
icmp-eq-funnels     (icmp.P (FSH x x z) (FSH y y z)) => (icmp.P x y)                if is_equality(P) for FSH = fshl fshr
icmp-eq-low-mask    (icmp.eq (and x C) x) => (icmp.ult x {C + 1})                   if lowmask(C) and C != (1 << width) - 1
icmp-ne-low-mask    (icmp.ne (and x C) x) => (icmp.ugt x C)                         if lowmask(C)
icmp-eq-low-bits    (icmp.eq (and x a=(lshr -1 y)) x) => (icmp.ule x a)
icmp-ne-low-bits    (icmp.ne (and x a=(lshr -1 y)) x) => (icmp.ugt x a)
icmp-ult-low-mask   (icmp.ult (and x C) x) => (icmp.ugt x C)                        if lowmask(C)
icmp-uge-low-mask   (icmp.uge (and x C) x) => (icmp.ult x {C + 1})                  if lowmask(C) and C != (1 << width) - 1
icmp-eq-mul-odd-of  (icmp.P (mul:nsw x y) (mul:nsw x z)) => (icmp.P y z)            if is_equality(P) and known_nonzero(x)
icmp-uadd-carry     (icmp.ult (add x C) C) => (icmp.ugt x {-C - 1})                 if C != 0
icmp-ule-sum        (icmp.ugt (add x C) x) => (icmp.ult x {-C})                     if C != 0
icmp-ult-sum        (icmp.ult (add x C) x) => (icmp.ugt x {-C - 1})                 if C != 0
icmp-eq-lshr-self   (icmp.eq (lshr x C) x) => (icmp.eq x 0)                         if 0 < C and C < width
icmp-ne-lshr-self   (icmp.ne (lshr x C) x) => (icmp.ne x 0)                         if 0 < C and C < width
icmp-ult-umin       (icmp.ugt (umin x C1) C2) => (icmp.ugt x C2)                    if C1 > C2
icmp-ult-umin-by    (icmp.ult (umin x C1) C2) => (icmp.ult x C2)                    if C1 >= C2
icmp-ugt-umax       (icmp.ugt (umax x C1) C2) => (icmp.ugt x C2)                    if C1 <= C2
icmp-ult-umax       (icmp.ult (umax x C1) C2) => (icmp.ult x C2)                    if C1 < C2
icmp-sgt-smin       (icmp.sgt (smin x C1) C2) => (icmp.sgt x C2)                    if s(C1) > s(C2)
icmp-slt-smin       (icmp.slt (smin x C1) C2) => (icmp.slt x C2)                    if s(C1) >= s(C2)
icmp-sgt-smax-by    (icmp.sgt (smax x C1) C2) => (icmp.sgt x C2)                    if s(C1) <= s(C2)
icmp-slt-smax-by    (icmp.slt (smax x C1) C2) => (icmp.slt x C2)                    if s(C1) < s(C2)
icmp-eq-umin-by     (icmp.P (umin x C1) C2) => (icmp.P x C2)                        if is_equality(P) and C2 < C1
icmp-eq-umax-by     (icmp.P (umax x C1) C2) => (icmp.P x C2)                        if is_equality(P) and C2 > C1
icmp-eq-smin-by     (icmp.P (smin x C1) C2) => (icmp.P x C2)                        if is_equality(P) and s(C2) < s(C1)
icmp-eq-smax-by     (icmp.P (smax x C1) C2) => (icmp.P x C2)                        if is_equality(P) and s(C2) > s(C1)
icmp-eq-usubsat     (icmp.eq (usubsat x y) 0) => (icmp.ule x y)
icmp-ne-usubsat     (icmp.ne (usubsat x y) 0) => (icmp.ugt x y)
icmp-ugt-usubsat    (icmp.ugt (usubsat x C1) C2) => (icmp.ugt x {C1 + C2})          if C1 + C2 < 1 << width
icmp-eq-abs-least   (icmp.P (abs x) C) => (icmp.P x C)                              if is_equality(P) and C == 1 << (width - 1)
icmp-eq-ctpop-all   (icmp.P (ctpop x) C) => (icmp.P x -1)                           if is_equality(P) and C == width
icmp-ctlz-zero      (icmp.eq (ctlz x) 0) => (icmp.slt x 0)
icmp-ctlz-nonzero   (icmp.ne (ctlz x) 0) => (icmp.sgt x -1)
icmp-sdiv-neg-one   (icmp.eq (sdiv:exact x y) 0) => (icmp.eq x 0)
icmp-ne-sdiv-exact  (icmp.ne (sdiv:exact x y) 0) => (icmp.ne x 0)
icmp-eq-udiv-exact  (icmp.P (DIV:exact x C) 0) => (icmp.P x 0)                      if is_equality(P) and C != 0 for DIV = udiv sdiv
icmp-eq-udivs       (icmp.P (DIV:exact x y) (DIV:exact z y)) => (icmp.P x z)        if is_equality(P) for DIV = udiv sdiv
icmp-shrs-exact     (icmp.P (SH:exact x y) (SH:exact z y)) => (icmp.P x z)          if is_equality(P) for SH = lshr ashr

# Casts.
icmp-zexts          (icmp.P (zext x) (zext y)) => (icmp.unsigned-P x y)
icmp-sexts          (icmp.P (sext x) (sext y)) => (icmp.P x y)
icmp-zext-constant  (icmp.P (zext x) C) => (icmp.unsigned-P x {C})                  if C < 1 << width(x)
icmp-sext-constant  (icmp.P (sext x) C) => (icmp.P x {C})                           if fits(s(C), width(x))
icmp-eq-trunc-nuw   (icmp.P (trunc:nuw x) C) => (icmp.P x {C})                      if not is_signed(P)
icmp-eq-trunc-nsw   (icmp.P (trunc:nsw x) C) => (icmp.P x {s(C)})                   if not is_unsigned(P)
icmp-eq-counts      (icmp.P (ctpop x) 0) => (icmp.P x 0)                            for P = eq ne
icmp-eq-counted-all (icmp.P (COUNT x) C) => (icmp.P x 0)                            if C == width and is_equality(P) for COUNT = ctlz cttz
icmp-eq-abs         (icmp.P (abs x) 0) => (icmp.P x 0)                              for P = eq ne
icmp-eq-swaps       (icmp.P (SWAP x) (SWAP y)) => (icmp.P x y)                      if is_equality(P) for SWAP = bswap bitreverse
icmp-eq-rotated     (icmp.P (FSH x x y) 0) => (icmp.P x 0)                          if is_equality(P) for FSH = fshl fshr

# Two comparisons of the same values.
or-strict-eq        (or (icmp.P x y) (icmp.eq x y)) => (icmp.Q x y)                 for P/Q = slt/sle ult/ule
and-ne              (and (icmp.Q x y) (icmp.ne x y)) => (icmp.P x y)                for P/Q = slt/sle ult/ule
or-lt-gt            (or (icmp.P x y) (icmp.Q x y)) => (icmp.ne x y)                 for P/Q = slt/sgt ult/ugt
and-le-ge           (and (icmp.P x y) (icmp.Q x y)) => (icmp.eq x y)                for P/Q = sle/sge ule/uge
xor-le-ge           (xor (icmp.P x y) (icmp.Q x y)) => (icmp.ne x y)                for P/Q = sle/sge ule/uge slt/sgt ult/ugt
and-both-zero       (and (icmp.eq! x 0) (icmp.eq! y 0)) => (icmp.eq (or x y) 0)
or-either-nonzero   (or (icmp.ne! x 0) (icmp.ne! y 0)) => (icmp.ne (or x y) 0)
and-both-negative   (and (icmp.slt! x 0) (icmp.slt! y 0)) => (icmp.slt (and x y) 0)
or-either-negative  (or (icmp.slt! x 0) (icmp.slt! y 0)) => (icmp.slt (or x y) 0)
and-both-nonneg     (and (icmp.sgt! x -1) (icmp.sgt! y -1)) => (icmp.sgt (or x y) -1)
xor-signs           (xor (icmp.slt! x 0) (icmp.slt! y 0)) => (icmp.slt (xor x y) 0)
and-both-below      (and (icmp.ult! x C) (icmp.ult! y C)) => (icmp.ult (or x y) C)      if pow2(C)
or-either-above     (or (icmp.ugt! x C) (icmp.ugt! y C)) => (icmp.ugt (or x y) C)       if lowmask(C)
and-range-zero      (and (icmp.sgt x -1) (icmp.slt x C)) => (icmp.ult x C)          if s(C) >= 0
or-range-zero       (or (icmp.slt x 0) (icmp.sgt x C)) => (icmp.ugt x C)            if s(C) >= 0
# A test of a lower and an upper bound; the maximum is often invariant in a loop.
and-range           (and (icmp.sgt! x -1) (icmp.slt! x y)) => (icmp.ult x (smax y 0))
and-ult-ne          (and (icmp.ult x C1) (icmp.ne x C2)) => (icmp.ult x C2)         if C1 == C2 + 1
and-ugt-ne          (and (icmp.ugt x C1) (icmp.ne x C2)) => (icmp.ugt x C2)         if C2 == C1 + 1
and-slt-ne          (and (icmp.slt x C1) (icmp.ne x C2)) => (icmp.slt x C2)         if s(C1) == s(C2) + 1
and-sgt-ne          (and (icmp.sgt x C1) (icmp.ne x C2)) => (icmp.sgt x C2)         if s(C2) == s(C1) + 1
or-ult-eq           (or (icmp.ult x C1) (icmp.eq x C1)) => (icmp.ult x {C1 + 1})    if C1 != (1 << width(x)) - 1
or-eq-neighbours    (or (icmp.eq! x C1) (icmp.eq! x C2)) => (icmp.eq (and x {~(C1 ^ C2)}) {C1 & C2}) if pow2(C1 ^ C2)
and-ne-neighbours   (and (icmp.ne! x C1) (icmp.ne! x C2)) => (icmp.ne (and x {~(C1 ^ C2)}) {C1 & C2}) if pow2(C1 ^ C2)
# Tests of bits of one value are merged.
and-bits-eq         (and (icmp.eq! (and! x C1) C2) (icmp.eq! (and! x C3) C4)) => (icmp.eq (and x {C1 | C3}) {C2 | C4}) if C2 & ~C1 == 0 and C4 & ~C3 == 0 and (C2 ^ C4) & C1 & C3 == 0
or-bits-ne          (or (icmp.ne! (and! x C1) C2) (icmp.ne! (and! x C3) C4)) => (icmp.ne (and x {C1 | C3}) {C2 | C4}) if C2 & ~C1 == 0 and C4 & ~C3 == 0 and (C2 ^ C4) & C1 & C3 == 0
and-bits-apart      (and (icmp.eq (and x C1) C2) (icmp.eq (and x C3) C4)) => false if (C2 ^ C4) & C1 & C3 != 0
or-bits-all         (or (icmp.ne (and x C1) C2) (icmp.ne (and x C3) C4)) => true if (C2 ^ C4) & C1 & C3 != 0
and-two-bits        (and (icmp.ne! (and! x C1) 0) (icmp.ne! (and! x C2) 0)) => (icmp.eq (and x {C1 | C2}) {C1 | C2}) if pow2(C1) and pow2(C2) and C1 != C2
or-two-bits         (or (icmp.eq! (and! x C1) 0) (icmp.eq! (and! x C2) 0)) => (icmp.ne (and x {C1 | C2}) {C1 | C2}) if pow2(C1) and pow2(C2) and C1 != C2
and-bit-and-bits    (and (icmp.ne! (and! x C1) 0) (icmp.eq! (and! x C2) C3)) => (icmp.eq (and x {C1 | C2}) {C1 | C3}) if pow2(C1) and C3 & ~C2 == 0 and C1 & C2 == 0
or-bit-and-bits     (or (icmp.eq! (and! x C1) 0) (icmp.ne! (and! x C2) C3)) => (icmp.ne (and x {C1 | C2}) {C1 | C3}) if pow2(C1) and C3 & ~C2 == 0 and C1 & C2 == 0
icmp-eq-signs       (icmp.eq (SH! x C) (SH! y C)) => (icmp.sgt (xor x y) -1)        if C == width - 1 for SH = lshr ashr
icmp-ne-signs       (icmp.ne (SH! x C) (SH! y C)) => (icmp.slt (xor x y) 0)         if C == width - 1 for SH = lshr ashr
icmp-eq-extended    (icmp.eq (ashr! (shl! x C) C) x) => (icmp.ult (add x {1 << (width - C - 1)}) {1 << (width - C)}) if 0 < C and C < width
icmp-ne-extended    (icmp.ne (ashr! (shl! x C) C) x) => (icmp.ugt (add x {1 << (width - C - 1)}) {(1 << (width - C)) - 1}) if 0 < C and C < width
icmp-eq-sext-trunc  (icmp.eq (sext! a=(trunc! x)) x) => (icmp.ult (add x {1 << (width(a) - 1)}) {1 << width(a)})
icmp-ne-sext-trunc  (icmp.ne (sext! a=(trunc! x)) x) => (icmp.ugt (add x {1 << (width(a) - 1)}) {(1 << width(a)) - 1})
not-of-icmp         (not (icmp.P! x y)) => (icmp.inverse-P x y)

# Selects.
select-on-not       (select (not c) x y) => (select c y x)
select-false-true   (select c false true) => (not c)
select-one-zero     (select c 1 0) => (zext c)                                      if width > 1
select-ones-zero    (select c -1 0) => (sext c)                                     if width > 1
select-eq-zero-and  (select (icmp.eq x 0) 0 a=(and x y)) => a   if known_defined(y)
select-zero-or      (select (icmp.eq x 0) y a=(or x y)) => a    if known_defined(y)
select-zero-mul     (select (icmp.eq x 0) 0 a=(mul x y)) => a   if known_defined(y)
select-zero-mul-ne  (select (icmp.ne x 0) a=(mul x y) 0) => a   if known_defined(y)
select-zero-and-ne  (select (icmp.ne x 0) a=(and x y) 0) => a   if known_defined(y)
logical-and         (select c x:i1 false) => (and c x)                              if known_defined(x)
logical-or          (select c true x:i1) => (or c x)                                if known_defined(x)
logical-range       (select (icmp.sgt! x -1) (icmp.slt! x y) false) => (icmp.ult x (smax (freeze y) 0))
logical-range-chain (select (select! c (icmp.sgt! x -1) false) (icmp.slt! x y) false) => (select c (icmp.ult x (smax (freeze y) 0)) false)
select-sub-slt      (select (icmp.slt x y) (sub! y x) 0) => (sub y (smin x y))      if known_defined(y)
select-nest-then    (select c (select c x y) z) => (select c x z)
select-nest-else    (select c x (select c y z)) => (select c x z)
select-nest-not-then (select c (select (not c) x y) z) => (select c y z)
select-nest-not-else (select c x (select (not c) y z)) => (select c x y)
select-of-ops-lhs   (select c (OP! x z) (OP! y z)) => (OP (select c x y) z)         keep nsw nuw exact disjoint for OP = add sub mul and or xor shl lshr ashr
select-of-ops-rhs   (select c (OP! z x) (OP! z y)) => (OP z (select c x y))         keep nsw nuw exact disjoint for OP = sub shl lshr ashr
select-of-min-max   (select c (OP! x z) (OP! y z)) => (OP (select c x y) z)         for OP = smax smin umax umin
select-of-div       (select c (OP! x z) (OP! y z)) => (OP (select c x y) z)         keep exact for OP = udiv sdiv urem srem
select-of-casts     (select c (CAST! x) (CAST! y)) => (CAST (select c x y))         for CAST = zext sext trunc
select-smin         (select (icmp.P x y) x y) => (MM x y)                           for P/MM = slt/smin sle/smin sgt/smax sge/smax ult/umin ule/umin ugt/umax uge/umax
select-smin-by      (select (icmp.slt x C1) x C2) => (smin x C2)                    if s(C1) == s(C2) or s(C1) == s(C2) + 1
select-smax-by      (select (icmp.sgt x C1) x C2) => (smax x C2)                    if s(C1) == s(C2) or s(C2) == s(C1) + 1
select-umin-by      (select (icmp.ult x C1) x C2) => (umin x C2)                    if C1 == C2 or C1 == C2 + 1
select-umax-by      (select (icmp.ugt x C1) x C2) => (umax x C2)                    if C1 == C2 or C2 == C1 + 1
select-smax-by-else (select (icmp.slt x C1) C2 x) => (smax x C2)                    if s(C1) == s(C2) or s(C1) == s(C2) + 1
select-smin-by-else (select (icmp.sgt x C1) C2 x) => (smin x C2)                    if s(C1) == s(C2) or s(C2) == s(C1) + 1
select-umax-by-else (select (icmp.ult x C1) C2 x) => (umax x C2)                    if C1 == C2 or C1 == C2 + 1
select-umin-by-else (select (icmp.ugt x C1) C2 x) => (umin x C2)                    if C1 == C2 or C2 == C1 + 1
select-srem-pow2    (select (icmp.slt (srem x C) 0) (add (srem x C) C) (srem x C)) => (and x {C - 1}) if pow2(C) and s(C) > 0
select-sdiv-pow2    (select (icmp.slt (srem x C) 0) (add (sdiv x C) -1) (sdiv x C)) => (ashr x {log2(C)}) if pow2(C) and s(C) > 0
select-wrapped      (select (icmp.slt a=(srem x C) 0) b=(add (srem x C) C) (srem x C)) => (umin a b) if 0 < s(C) and s(C) < 1 << (width - 2)
select-umax-one     (select (icmp.eq x 0) 1 x) => (umax x 1)
select-umax-one-ne  (select (icmp.ne x 0) x 1) => (umax x 1)
select-ones-counted (select (icmp.ne x 0) (umax a=(ctpop x) 1) 0) => a
select-none-counted (select (icmp.eq x 0) 0 (umax a=(ctpop x) 1)) => a
select-ones-trunc   (select (icmp.ne x 0) (trunc! (umax a=(ctpop x) 1)) 0) => (trunc a)
select-none-trunc   (select (icmp.eq x 0) 0 (trunc! (umax a=(ctpop x) 1))) => (trunc a)
select-highest-bit  (select (icmp.ugt x 1) (umax a=(sub C (ctlz (or x 1))) 1) 0) => a if C == width - 1 and width > 1
select-highest-else (select (icmp.ult x 2) 0 (umax a=(sub C (ctlz (or x 1))) 1)) => a if C == width - 1 and width > 1
select-abs-nsw      (select (icmp.slt x 0) (sub:nsw 0 x) x) => (abs:int_min_poison x)
select-abs          (select (icmp.slt x 0) (neg x) x) => (abs x)
select-abs-else-nsw (select (icmp.sgt x C) x (sub:nsw 0 x)) => (abs:int_min_poison x) if C == (1 << width) - 1 or C == 0
select-abs-else     (select (icmp.sgt x C) x (neg x)) => (abs x)                    if C == (1 << width) - 1 or C == 0
select-abs-diff     (select (icmp.slt (sub x y) 0) (sub y x) a=(sub x y)) => (abs a)
select-abs-diff-else (select (icmp.sgt (sub x y) C) a=(sub x y) (sub y x)) => (abs a)   if C == (1 << width) - 1 or C == 0
select-diff-nsw     (select (icmp.P x y) (sub:nsw y x) a=(sub:nsw x y)) => (abs a)      for P = slt sle
select-abs-sum      (select (icmp.slt (add x C1) 0) (sub C2 x) a=(add x C1)) => (abs a) if C1 + C2 == 1 << width
select-abs-sum-else (select (icmp.sgt (add x C1) C) a=(add x C1) (sub C2 x)) => (abs a)  if C1 + C2 == 1 << width and (C == (1 << width) - 1 or C == 0)
select-neg-abs      (select (icmp.slt x 0) x (neg! x)) => (neg (abs x))
select-sub-ugt      (select (icmp.ugt x y) (sub x y) 0) => (usubsat x y)
select-sub-ult      (select (icmp.ult x y) 0 (sub x y)) => (usubsat x y)
select-sub-uge      (select (icmp.uge x y) (sub x y) 0) => (usubsat x y)
select-sign-ones    (select (icmp.slt x 0) -1 0) => (ashr x {width - 1})
select-sign-one     (select (icmp.slt x 0) 1 0) => (lshr x {width - 1})             if width > 1
select-bit          (select (icmp.ne a=(and x C) 0) C 0) => a                       if pow2(C)
select-bit-else     (select (icmp.eq a=(and x C) 0) 0 C) => a                       if pow2(C)
icmp-eq-choice      (icmp.eq (select c C1 C2) C3) => c                              if C1 == C3 and C2 != C3
icmp-ne-choice      (icmp.ne (select c C1 C2) C3) => c                              if C1 != C3 and C2 == C3
icmp-eq-choice-not  (icmp.eq (select c C1 C2) C3) => (not c)                        if C1 != C3 and C2 == C3
icmp-ne-choice-not  (icmp.ne (select c C1 C2) C3) => (not c)                        if C1 == C3 and C2 != C3
icmp-eq-choice-none (icmp.eq (select c C1 C2) C3) => false                          if C1 != C3 and C2 != C3
icmp-ne-choice-all  (icmp.ne (select c C1 C2) C3) => true                           if C1 != C3 and C2 != C3
select-min-ext      (select (icmp.P x C1) (EXT! x) C2) => (EXT (MM x {C2}))         if fits(s(C2), width(x)) and s(C1) == s(C2) for P/MM/EXT = slt/smin/sext sgt/smax/sext
select-min-zext     (select (icmp.P x C1) (zext! x) C2) => (zext (MM x {C2}))       if C2 < 1 << width(x) and C1 == C2 for P/MM = ult/umin ugt/umax
select-min-ext-else (select (icmp.P x C1) C2 (EXT! x)) => (EXT (MM x {C2}))         if fits(s(C2), width(x)) and s(C1) == s(C2) for P/MM/EXT = sgt/smin/sext slt/smax/sext
select-min-zext-else (select (icmp.P x C1) C2 (zext! x)) => (zext (MM x {C2}))      if C2 < 1 << width(x) and C1 == C2 for P/MM = ugt/umin ult/umax
select-min-trunc    (select (icmp.P x C1) (trunc! x) C2) => (trunc (MM x C1))       if C1 & ((1 << width) - 1) == C2 for P/MM = slt/smin sgt/smax ult/umin ugt/umax
select-min-trunc-else (select (icmp.P x C1) C2 (trunc! x)) => (trunc (MM x C1))     if C1 & ((1 << width) - 1) == C2 for P/MM = sgt/smin slt/smax ugt/umin ult/umax
select-abs-one      (select (icmp.slt x 1) (neg x) x) => (abs x)
select-abs-one-nsw  (select (icmp.slt x 1) (sub:nsw 0 x) x) => (abs:int_min_poison x) if width > 1
select-neg-abs-else (select (icmp.P x C) (neg! x) x) => (neg (abs x))               if C == (1 << width) - 1 or C == 0 for P = sgt
select-neg-abs-one  (select (icmp.slt x 1) x (neg! x)) => (neg (abs x))
select-sub-ule      (select (icmp.ule x y) 0 (sub x y)) => (usubsat x y)
select-sub-by       (select (icmp.ugt x C1) (add x C2) 0) => (usubsat x C1)         if C1 + C2 == 1 << width
select-sub-by-eq    (select (icmp.ugt x C1) (add x C2) 0) => (usubsat x {C1 + 1})   if C1 + C2 + 1 == 1 << width and C1 + 1 < 1 << width
select-sub-by-ult   (select (icmp.ult x C1) 0 (add x C2)) => (usubsat x C1)         if C1 + C2 == 1 << width
select-uadd-sat     (select (icmp.ult (add x y) x) -1 (add x y)) => (uaddsat x y)
select-uadd-sat-by  (select (icmp.ugt x C1) -1 (add x C2)) => (uaddsat x C2)        if C1 + C2 + 1 == 1 << width
select-of-nots      (select c (not! x) (not! y)) => (not (select c x y))
select-of-negs      (select c (neg! x) (neg! y)) => (neg (select c x y))
select-swap-not-and (select (not c) x y:i1) => (select c y x)
select-of-abs       (select c (abs! x) (abs! y)) => (abs (select c x y))            keep int_min_poison
select-of-counts    (select c (COUNT! x) (COUNT! y)) => (COUNT (select c x y))      for COUNT = ctpop bswap bitreverse
select-symmetric    (select c (select! d x y) (select! d y x)) => (select (xor c d) y x)

# Comparisons of minima and maxima.
icmp-sgt-smax       (icmp.P (MM x y) x) => (icmp.P y x)                             for P/MM = sgt/smax slt/smin ugt/umax ult/umin
icmp-eq-smax        (icmp.eq (MM x y) x) => (icmp.P x y)                            for P/MM = sge/smax sle/smin uge/umax ule/umin
icmp-ne-smax        (icmp.ne (MM x y) x) => (icmp.P x y)                            for P/MM = slt/smax sgt/smin ult/umax ugt/umin
icmp-sle-smax       (icmp.P (MM x y) x) => (icmp.P y x)                             for P/MM = sle/smax sge/smin ule/umax uge/umin
"""
