"""Ops that rows of rule tables may contain: class, types, flags and cost of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.ir import Operation

from nvvm_xdsl.analysis.values import constant_range
from nvvm_xdsl.dialects.llvm import op_class

ICMP_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""By MLIR's number."""

FCMP_PREDICATES = (
    "_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "_true",
)  # fmt: skip
"""By MLIR's number."""

FLOAT_INVERSE = (15, 13, 12, 11, 10, 9, 8, 14, 6, 5, 4, 3, 2, 1, 7, 0)
"""The inverse of each predicate of `fcmp`."""

FLOAT_SWAPPED = (0, 1, 4, 5, 2, 3, 6, 7, 8, 11, 12, 9, 10, 13, 14, 15)
"""The predicate for exchanged operands, for each predicate of `fcmp`."""

INVERSE = {"icmp": constant_range.INVERSE, "fcmp": FLOAT_INVERSE}
SWAPPED = {"icmp": constant_range.SWAPPED, "fcmp": FLOAT_SWAPPED}
UNSIGNED = {"icmp": (0, 1, 6, 7, 8, 9, 6, 7, 8, 9)}
"""The unsigned form of each predicate of `icmp`."""

_OPERATORS = """
and      llvm.and               I I -> I    2  commutative
or       llvm.or                I I -> I    2  commutative disjoint
xor      llvm.xor               I I -> I    2  commutative
add      llvm.add               I I -> I    2  commutative nsw nuw
sub      llvm.sub               I I -> I    2  nsw nuw
shl      llvm.shl               I I -> I    2  nsw nuw
lshr     llvm.lshr              I I -> I    2  exact
ashr     llvm.ashr              I I -> I    2  exact
mul      llvm.mul               I I -> I    4  commutative nsw nuw
udiv     llvm.udiv              I I -> I   20  exact
urem     llvm.urem              I I -> I   22
sdiv     llvm.sdiv              I I -> I   24  exact
srem     llvm.srem              I I -> I   26
zext     llvm.zext              I -> J      2  wider nneg
sext     llvm.sext              I -> J      2  wider
trunc    llvm.trunc             I -> J      2  narrower nsw nuw
bitcast  llvm.bitcast           T -> U      1
spacecast llvm.addrspacecast    P -> Q      1
ptrtoint llvm.ptrtoint          P -> I      1
inttoptr llvm.inttoptr          I -> P      1
icmp     llvm.icmp              I I -> B    2
icmpp    llvm.icmp              P P -> B    2
select   llvm.select            B T T -> T  2  fast
freeze   llvm.freeze            T -> T      1
gep      llvm.getelementptr     P -> Q      2  variadic
extractvalue llvm.extractvalue  A -> T      1
insertvalue llvm.insertvalue    A T -> A    1
extractelement llvm.extractelement V I -> T 1
insertelement llvm.insertelement V T I -> V 1
fadd     llvm.fadd              F F -> F    4  commutative fast
fsub     llvm.fsub              F F -> F    4  fast
fmul     llvm.fmul              F F -> F    4  commutative fast
fdiv     llvm.fdiv              F F -> F   20  fast
frem     llvm.frem              F F -> F   40  fast
fneg     llvm.fneg              F -> F      1  fast
fcmp     llvm.fcmp              F F -> B    3  fast
fpext    llvm.fpext             F -> G      2  wider
fptrunc  llvm.fptrunc           F -> G      2  narrower
sitofp   llvm.sitofp            I -> F      4
uitofp   llvm.uitofp            I -> F      4  nneg
fptosi   llvm.fptosi            F -> I      4
fptoui   llvm.fptoui            F -> I      4
expect   llvm.intr.expect       I I -> I    1
smax     llvm.intr.smax         I I -> I    2  commutative
smin     llvm.intr.smin         I I -> I    2  commutative
umax     llvm.intr.umax         I I -> I    2  commutative
umin     llvm.intr.umin         I I -> I    2  commutative
abs      llvm.intr.abs          I -> I      2  int_min_poison
ctpop    llvm.intr.ctpop        I -> I      4
ctlz     llvm.intr.ctlz         I -> I      4  zero_poison
cttz     llvm.intr.cttz         I -> I      5  zero_poison
bswap    llvm.intr.bswap        I -> I      3
bitreverse llvm.intr.bitreverse I -> I      3
fshl     llvm.intr.fshl         I I I -> I  3
fshr     llvm.intr.fshr         I I I -> I  3
uaddsat  llvm.intr.uadd.sat     I I -> I    3  commutative
saddsat  llvm.intr.sadd.sat     I I -> I    3  commutative
usubsat  llvm.intr.usub.sat     I I -> I    3
ssubsat  llvm.intr.ssub.sat     I I -> I    3
fabs     llvm.intr.fabs         F -> F      1  fast
copysign llvm.intr.copysign     F F -> F    2  fast
maxnum   llvm.intr.maxnum       F F -> F    3  commutative fast
minnum   llvm.intr.minnum       F F -> F    3  commutative fast
maximum  llvm.intr.maximum      F F -> F    4  commutative fast
minimum  llvm.intr.minimum      F F -> F    4  commutative fast
fma      llvm.intr.fma          F F F -> F  5  fast
fmuladd  llvm.intr.fmuladd      F F F -> F  5  fast
sqrt     llvm.intr.sqrt         F -> F     12  fast
floor    llvm.intr.floor        F -> F      4  fast
ceil     llvm.intr.ceil         F -> F      4  fast
ftrunc   llvm.intr.trunc        F -> F      4  fast
rint     llvm.intr.rint         F -> F      4  fast
"""
# The cost approximates the cost on the machine. It orders ops so that rewriting terminates; ops of
# equal cost are ordered by their position in the table.


@dataclass(frozen=True)
class Operator:
    """An op of the rule language.

    Arguments:
        name: the name in rows, which is LLVM's mnemonic without dots.
        cls: the op's class.
        operands, result: letters of types: I, J integers; F, G floats; P, Q pointers; B i1; T, U
            any; A an aggregate; V a vector. Operands and results with the same letter have the same
            type.
        cost: the cost of the op in the size of an expression.
        flags: which of nsw, nuw, exact, disjoint, nneg, fast, zero_poison and int_min_poison it
            may carry.
    """

    name: str
    cls: type[Operation]
    operands: tuple[str, ...]
    result: str
    cost: int
    flags: frozenset[str]
    commutative: bool
    variadic: bool
    order: str
    """For a cast, whether the result's type is `wider` or `narrower`; empty for other ops."""

    @property
    def known_flags(self) -> frozenset[str]:
        """The flags that a row may state for the op."""
        return self.flags | FAST_MATH_FLAGS if "fast" in self.flags else self.flags


FAST_MATH_FLAGS = frozenset({"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"})
"""The flags of an op with `fast`."""

_MARKS = frozenset({"commutative", "variadic", "wider", "narrower"})


@cache
def operators() -> dict[str, Operator]:
    """The operators by name."""
    found: dict[str, Operator] = {}
    for line in _OPERATORS.strip().splitlines():
        head, _, tail = line.partition("->")
        name, op_name, *operands = head.split()
        result, cost, *rest = tail.split()
        marks = frozenset(rest)
        found[name] = Operator(
            name,
            op_class(op_name),
            tuple(operands),
            result,
            int(cost),
            marks - _MARKS,
            "commutative" in marks,
            "variadic" in marks,
            next((m for m in ("wider", "narrower") if m in marks), ""),
        )
    return found


@cache
def all_flags() -> frozenset[str]:
    """The flags that at least one op may have."""
    return frozenset[str]().union(*(op.known_flags for op in operators().values()))
