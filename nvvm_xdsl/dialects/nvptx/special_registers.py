"""Special registers, and registers that several values share.

PTX ISA 9.5, chapter 10. Document 001 lists 63 of them as reserved: a value read from them must not
be live into a block that tail merging creates.
"""

from __future__ import annotations

from typing import Final, Self

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, OpTraits
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import text_property
from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.dialects.nvptx.flags import PURE, REMATERIALIZABLE, RESERVED, SIDE_EFFECTS
from nvvm_xdsl.dialects.nvptx.instructions import MachineOp
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, PRED, RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.target import NO_REQUIREMENT, Requirement
from nvvm_xdsl.ir import fast

_DIMS: Final = ("x", "y", "z")


def _dims(name: str) -> list[str]:
    return [f"{name}.{d}" for d in _DIMS]


_CLUSTER: Final = [
    *_dims("clusterid"),
    *_dims("nclusterid"),
    *_dims("cluster_ctaid"),
    *_dims("cluster_nctaid"),
    "cluster_ctarank",
    "cluster_nctarank",
    "is_explicit_cluster",
]

RESERVED_REGISTERS: Final[frozenset[str]] = frozenset(
    [
        *_dims("tid"),
        *_dims("ntid"),
        *_dims("ctaid"),
        *_dims("nctaid"),
        "warpid",
        "laneid",
        *_CLUSTER,
        "SP",
        "SPL",
        *(f"envreg{i}" for i in range(32)),
    ]
)
"""The 63 registers with the property 0x200 (document 001, "Which Registers Are Marked Reserved")."""

_VOLATILE: Final = frozenset(
    {"clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi"}
    | {"warpid", "smid", "locality_domain_id", "locality_domain_supplemental_sm"}
    | {f"pm{i}" for i in range(8)}
    | {f"pm{i}_64" for i in range(8)}
)
"""Registers that change while a thread runs (`warpid` and `smid` change if the thread is moved)."""

SPECIAL_REGISTERS: Final[dict[str, tuple[RegisterClass, Requirement]]] = {
    **{
        name: (B32, NO_REQUIREMENT)
        for name in [*_dims("tid"), *_dims("ntid"), *_dims("ctaid"), *_dims("nctaid")]
    },
    **{
        name: (B32, NO_REQUIREMENT)
        for name in (
            "laneid warpid nwarpid smid nsmid lanemask_eq lanemask_le lanemask_lt lanemask_ge "
            "lanemask_gt clock total_smem_size dynamic_smem_size"
        ).split()
    },
    "gridid": (B64, NO_REQUIREMENT),
    "clock_hi": (B32, Requirement(50)),
    "clock64": (B64, NO_REQUIREMENT),
    "globaltimer": (B64, NO_REQUIREMENT),
    "globaltimer_lo": (B32, NO_REQUIREMENT),
    "globaltimer_hi": (B32, NO_REQUIREMENT),
    **{f"pm{i}": (B32, NO_REQUIREMENT) for i in range(8)},
    **{f"pm{i}_64": (B64, Requirement(40, 50)) for i in range(8)},
    **{f"envreg{i}": (B32, NO_REQUIREMENT) for i in range(32)},
    **{
        name: (PRED if name == "is_explicit_cluster" else B32, Requirement(78, 90))
        for name in _CLUSTER
    },
    "reserved_smem_offset_begin": (B32, Requirement(76, 80)),
    "reserved_smem_offset_end": (B32, Requirement(76, 80)),
    "reserved_smem_offset_cap": (B32, Requirement(76, 80)),
    "reserved_smem_offset_0": (B32, Requirement(76, 80)),
    "reserved_smem_offset_1": (B32, Requirement(76, 80)),
    "aggr_smem_size": (B32, Requirement(81, 90)),
    "current_graph_exec": (B64, Requirement(80, 50)),
    "locality_domain_id": (B32, Requirement(95, 100)),
    "locality_domain_supplemental_sm": (B32, Requirement(95, 100)),
}
"""Every special register of the PTX ISA: its class and its requirements."""


class MovSregOp(MachineOp):
    """Reads a special register: `%t = nvptx.mov.sreg "tid.x" : !nvptx.b32`."""

    name = "nvptx.mov.sreg"
    flags = PURE | REMATERIALIZABLE | RESERVED
    traits = OpTraits(lambda: ())

    @property
    def sreg(self) -> str:
        """The register's name without `%`."""
        return text_property(self, "sreg")

    def flags_here(self) -> int:
        return RESERVED | SIDE_EFFECTS if self.sreg in _VOLATILE else self.flags

    def requirement(self) -> Requirement:
        return SPECIAL_REGISTERS[self.sreg][1]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        sreg = parser.parse_str_literal("special register")
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        return cls.create(properties={"sreg": string(sreg)}, result_types=[type_])

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.sreg)
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        sreg = self.properties.get("sreg")
        if not isinstance(sreg, StringAttr):
            raise VerifyException(f"{self.name} needs a string property 'sreg'")
        found = SPECIAL_REGISTERS.get(sreg.data)
        if found is None:
            raise VerifyException(f"there is no special register %{sreg.data}")
        if len(self.results) != 1 or fast.operands_of(self):
            raise VerifyException(f"{self.name} has one result and no operands")
        if type(self.results[0].type) is not type(found[0]):
            raise VerifyException(f"%{sreg.data} is {found[0]}, not {self.results[0].type}")


def special_register(name: str) -> MovSregOp:
    """A new, detached read of a special register. Raises KeyError for an unknown name."""
    return fast.create(MovSregOp, (), (SPECIAL_REGISTERS[name][0],), {"sreg": string(name)})


class _DefinitionOp(MachineOp):
    """An op that defines a value of a register class and prints nothing."""

    flags = PURE
    traits = OpTraits(lambda: (Pure(),))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        parser.parse_punctuation(":")
        return cls.create(result_types=[parser.parse_type()])

    def print(self, printer: Printer) -> None:
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    def verify_(self) -> None:
        if len(self.results) != 1 or fast.operands_of(self):
            raise VerifyException(f"{self.name} has one result and no operands")
        if not isinstance(self.results[0].type, RegisterClass):
            raise VerifyException(f"the result of {self.name} must be a register")


class RegisterOp(_DefinitionOp):
    """A register that several instructions write: `%r = nvptx.register : !nvptx.b32<7>`.

    Placed in the entry block; instructions that write the register have a result of its type, and
    instructions that read it use this op's result.
    """

    name = "nvptx.register"
    flags = SIDE_EFFECTS
    traits = OpTraits(lambda: ())

    def verify_(self) -> None:
        super().verify_()
        if register_class(self.results[0]).number is None:
            raise VerifyException(f"{self.name} needs a numbered register")


class UndefOp(_DefinitionOp):
    """An undefined register: `%u = nvptx.undef : !nvptx.b32`."""

    name = "nvptx.undef"
    flags = PURE | REMATERIALIZABLE


def undef(type_: Attribute) -> UndefOp:
    """A new, detached `nvptx.undef`."""
    return fast.create(UndefOp, (), (type_,))
