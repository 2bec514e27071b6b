"""Verification of conversions of packed floats (PTX ISA 9.1, section 9.7.9.21)."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.nvvm.properties import flag_of, keyword_of

_BYTES = ("f8E4M3FN", "f8E5M2")
_SCALE = "f8E8M0FNU"
_SIXES = ("f6E2M3FN", "f6E3M2FN")
_FOURS = ("f4E2M1FN",)

TYPES: dict[str, tuple[str, tuple[str, ...]]] = {
    "f32x2.to.f8x2": ("dstTy", (*_BYTES, _SCALE)),
    "f32x2.to.f6x2": ("dstTy", _SIXES),
    "f32x2.to.f4x2": ("dstTy", _FOURS),
    "f16x2.to.f8x2": ("dstTy", _BYTES),
    "bf16x2.to.f8x2": ("dstTy", (_SCALE,)),
    "f8x2.to.f16x2": ("srcType", _BYTES),
    "f8x2.to.bf16x2": ("srcType", (_SCALE,)),
    "f6x2.to.f16x2": ("srcType", _SIXES),
    "f4x2.to.f16x2": ("srcType", _FOURS),
    "f32x4.to.f8x4": ("dstTy", _BYTES),
    "f32x4.to.f6x4": ("dstTy", _SIXES),
    "f32x4.to.f4x4": ("dstTy", _FOURS),
}
"""By conversion, the property of the narrow type, and the possible types."""


_EXTENDED: dict[str, tuple[str, ...]] = {
    "bf16x2.to.f8x2": (*_BYTES, _SCALE),
    "f8x2.to.bf16x2": (*_BYTES, _SCALE),
}
"""Possible types of MLIR's main branch where MLIR 22 has fewer."""


def _expect(op: Operation, name: str, allowed: tuple[str, ...], why: str) -> None:
    found = keyword_of(op, name) or "none"
    if found not in allowed:
        raise VerifyException(f"{why} takes {name} {' or '.join(allowed)}, not {found}")


def _narrow_type(op: Operation, what: str, allowed: tuple[str, ...]) -> str:
    found = str(op.properties[TYPES[what][0]])
    if found not in allowed:
        raise VerifyException(f"conversion {what} is of {' or '.join(allowed)}, not {found}")
    return found


def narrow(op: Operation) -> None:
    """Each conversion has its narrow types, and each of these its roundings."""
    what = op.name.removeprefix("nvvm.convert.")
    found = _narrow_type(op, what, TYPES[what][1])
    if found == _SCALE and "rnd" in op.properties:
        _expect(op, "rnd", ("rz", "rp"), f"a conversion to {found}")
        if flag_of(op, "relu"):
            raise VerifyException(f"a conversion to {found} has no relu")
    elif what == "f32x2.to.f8x2":
        _expect(op, "rnd", ("rn",), f"a conversion to {found}")
        _expect(op, "sat", ("satfinite",), f"a conversion to {found}")


def extended_narrow(op: Operation) -> None:
    """The same for MLIR's main branch, with rounding toward zero, and modifiers that scales lack."""
    what = op.name.removeprefix("nvvm.convert.")
    found = _narrow_type(op, what, _EXTENDED.get(what, TYPES[what][1]))
    widens = TYPES[what][0] == "srcType"
    if found == _SCALE:
        kind = f"a conversion {'from' if widens else 'to'} {found}"
        if widens:
            _expect(op, "sat", ("none",), kind)
        else:
            _expect(op, "rnd", ("rz", "rp"), kind)
        for modifier in ("relu", "pzo"):
            if flag_of(op, modifier):
                raise VerifyException(f"{kind} has no {modifier}")
        if widens and len(op.operands) > 1:
            raise VerifyException(f"{kind} has no scale_factor")
    elif not widens:
        states = what in ("f32x2.to.f8x2", "bf16x2.to.f8x2")
        if states or "rnd" in op.properties:
            _expect(op, "rnd", ("rn", "rz"), f"a conversion to {found}")
        if states:
            _expect(op, "sat", ("satfinite",), f"a conversion to {found}")


def halves(op: Operation) -> None:
    """Pairs of halves: stochastic rounding requires random bits, other modes have none."""
    what = op.name.removeprefix("nvvm.convert.")
    _expect(op, "rnd", ("rn", "rz", "rs"), f"conversion {what}")
    if (keyword_of(op, "rnd") == "rs") is not (len(op.operands) == 3):
        raise VerifyException("random bits are given with rounding rs and with no other")


def tf32(op: Operation) -> None:
    """`nvvm.convert.float.to.tf32` rounds to nearest or to zero; away from zero only without
    relu."""
    _expect(op, "rnd", ("rn", "rz", "rna"), "a conversion to tf32")
    if keyword_of(op, "rnd") == "rna" and flag_of(op, "relu"):
        raise VerifyException("a conversion to tf32 with rounding rna has no relu")
