"""Routines."""
from xdsl.ir import Attribute
SIGNATURES: dict[str, tuple[tuple[Attribute, ...], Attribute]] = {}
SOURCES: dict[str, str] = {}
