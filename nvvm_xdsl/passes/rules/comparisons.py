"""Identities of comparisons, selects and freeze."""

SIMPLIFICATIONS = """
icmp-self-true      (icmp.P x x) => true                for P = eq sle sge ule uge
icmp-self-false     (icmp.P x x) => false               for P = ne slt sgt ult ugt
icmp-ult-zero       (icmp.ult x 0) => false
icmp-uge-zero       (icmp.uge x 0) => true
icmp-eq-true        (icmp.eq x:i1 true) => x
icmp-ne-false       (icmp.ne x:i1 false) => x
# Null is no address of an object in the generic address space alone.
icmp-eq-object-null (icmpp.eq p null) => false if is_object(p)
icmp-ne-object-null (icmpp.ne p null) => true if is_object(p)

select-same         (select c x x) => x
select-true         (select true x y) => x
select-false        (select false x y) => y
select-on-undef-rhs (select undef x y) => y if is_constant(y)
select-on-undef     (select undef x y) => x
select-rhs-poison   (select c x poison) => x
select-rhs-undef    (select c x undef) => x if well_defined(x)
select-lhs-poison   (select c poison y) => y
select-lhs-undef    (select c undef y) => y if well_defined(y)
select-of-bools     (select c true false) => c
logical-and-self    (select c c false) => c
logical-or-self     (select c true c) => c

freeze-defined      (freeze x) => x if well_defined(x)
"""
