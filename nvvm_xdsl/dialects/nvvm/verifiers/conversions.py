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


def _expect(op: Operation, name: str, allowed: tuple[str, ...], why: str) -> None:
    found = keyword_of(op, name) or "none"
    if found not in allowed:
        raise VerifyException(f"{why} takes {name} {' or '.join(allowed)}, not {found}")


def narrow(op: Operation) -> None:
    """Each conversion has its narrow types, and each of these its roundings."""
    what = op.name.removeprefix("nvvm.convert.")
    name, allowed = TYPES[what]
    found = str(op.properties[name])
    if found not in allowed:
        raise VerifyException(f"conversion {what} is of {' or '.join(allowed)}, not {found}")
    if found == _SCALE and "rnd" in op.properties:
        _expect(op, "rnd", ("rz", "rp"), f"a conversion to {found}")
        if flag_of(op, "relu"):
            raise VerifyException(f"a conversion to {found} has no relu")
    elif what == "f32x2.to.f8x2":
        _expect(op, "rnd", ("rn",), f"a conversion to {found}")
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
