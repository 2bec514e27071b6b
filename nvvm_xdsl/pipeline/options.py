"""NVVMPassOptions: the 221 slots that enable the optimizer's passes and hold their parameters.

The table is that of the optimizer document ("NVVMPassOptions Deep Dive"); offsets that it omits
follow from the layout rules. docs/deviations.md lists its ambiguities and their resolution.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

SLOT_COUNT = 221
HEADER_SIZE = 16
"""The optimization level and the registry pointer precede the slots."""

STRING, BOOL, INTEGER, STR_PTR = "STRING", "BOOL", "INTEGER", "STR_PTR"

WIDTHS: dict[str, int] = {STRING: 24, BOOL: 16, INTEGER: 16, STR_PTR: 28}
"""Bytes of each type; every slot starts at a multiple of 8."""

GLOBAL_SLOTS = range(1, 7)
"""Strings for the whole pipeline, outside of the pairs that follow."""

INTEGER_SLOTS: dict[int, int] = {9: 1, 197: 20, 203: -1, 205: -1, 207: -1, 215: 0}
"""The integer slots with their defaults."""

STR_PTR_SLOT = 181

UNPAIRED: dict[int, str] = {160: STRING, 161: STRING, 162: STRING, 191: STRING, 192: BOOL}
"""Exceptions to the rule of pairs, by which even slots are strings and odd slots are booleans."""

ENABLED_SLOTS = frozenset({19, 25, 93, 95, 117, 141, 143, 151, 155, 157, 159, 165, 211, 219})
"""The booleans that are on by default."""

LOW_CONFIDENCE = frozenset({*range(160, 164), *range(196, 208)})
"""Slots whose pass is marked as uncertain in the document."""

DOCUMENTED_SLOTS = """\
slot | offset | type | default | knob | consuming pass; a star: confirmed by a guard
  1 | 16 | STRING |  | ftz | Global: flush-to-zero mode
  2 | 40 | STRING |  | prec-div | Global: precise division
  3 | 64 | STRING |  | prec-sqrt | Global: precise sqrt
  4 | 88 | STRING |  | fmad | Global: fused multiply-add
  5 | 112 | STRING |  | opt-level | Global: optimization level
  6 | 136 | STRING |  | sm-arch | Global: target SM architecture
  7 | 160 | BOOL | 0 |  |
  8 | 176 | STRING |  |  |
  9 | 200* | INTEGER | 1 |  | Opt level for sub_12DFE00 codegen
 10 | 216 | STRING |  |  |
 11 | 240 | BOOL | 0 |  |
 13 | 280* | BOOL | 0 | no-dce | sub_18DEFF0 (DCE)
 15 | 320* | BOOL | 0 | no-tailcallelim | sub_1833EB0 (TailCallElim)
 17 | 360* | BOOL | 0 | no-late-opt | sub_1C46000 (NVVMLateOpt)
 19 | 400* | BOOL | 1 | no-inline-a | Inlining variant A
 21 | 440* | BOOL | 0 | no-inline-b | sub_1C4B6F0 (AlwaysInliner)
 23 | 480* | BOOL | 0 | no-inline-c | sub_1C4B6F0 in sub_12DE8F0
 25 | 520* | BOOL | 1 |  | sub_1AAC510 (NVIDIA pass A)
 27 | 560* | BOOL | 0 |  | sub_1AAC510 (NVIDIA pass B)
 29 | 600* | BOOL | 0 | no-nvvm-verify | sub_12D4560 (NVVMVerifier)
 33 | 680* | BOOL | 0 | no-func-attrs | sub_1841180 (FunctionAttrs)
 35 | 720* | BOOL | 0 | no-sccp | sub_1842BC0 (SCCP)
 37 | 760* | BOOL | 0 | no-dse | sub_18F5480 (DSE)
 43 | 880* | BOOL | 0 | no-nvvm-reflect | sub_1857160 (NVVMReflect)
 45 | 920* | BOOL | 0 | no-ipconst | sub_185D600 (IPConstProp)
 47 | 960* | BOOL | 0 | no-simplifycfg | sub_190BB10 (SimplifyCFG)
 49 | 1000* | BOOL | 0 | no-instcombine | sub_19401A0 (InstCombine)
 51 | 1040* | BOOL | 0 | no-sink | sub_1869C50 (Sink/MemSSA)
 53 | 1080* | BOOL | 0 | no-dump | sub_17060B0 (PrintModulePass)
 55 | 1120* | BOOL | 0 | no-predopt | sub_18A3430 (NVVMPredicateOpt)
 57 | 1160* | BOOL | 0 | no-loopindexsplit | sub_1952F90 (LoopIndexSplit)
 59 | 1200* | BOOL | 0 | no-simplifycfg-b | SimplifyCFG variant B
 61 | 1240* | BOOL | 0 | do-licm (inverted) | sub_195E880 (LICM)
 63 | 1280* | BOOL | 0 | no-reassoc | sub_1B7FDF0 (Reassociate)
 65 | 1320* | BOOL | 0 | no-adce-a | sub_1C76260 (ADCE variant)
 67 | 1360* | BOOL | 0 | no-loopunroll | sub_19C1680 (LoopUnroll)
 69 | 1400* | BOOL | 0 | no-sroa | sub_1968390 (SROA)
 71 | 1440* | BOOL | 0 | no-earlycse | sub_196A2B0 (EarlyCSE)
 73 | 1480* | BOOL | 0 | no-adce-b | ADCE variant B
 75 | 1520* | BOOL | 0 | no-loopsimplify | sub_198DF00 (LoopSimplify)
 83 | 1680* | BOOL | 0 |  | sub_19CE990 (NVIDIA pass)
 87 | 1760* | BOOL | 0 | do-ip-msp (inverted) | sub_1C8E680 (MemorySpaceOpt)
 91 | 1840* | BOOL | 0 | no-adce-c | sub_1C6FCA0 (ADCE)
 93 | 1880 | BOOL | 1 |  | NVVMReduction param A
 95 | 1920 | BOOL | 1 |  | NVVMReduction param B
 97 | 1960* | BOOL | 0 | no-constmerge | sub_184CD60 (ConstantMerge)
 99 | 2000* | BOOL | 0 | no-intrin-lower | sub_1CB4E40 (NVVMIntrinsicLowering)
101 | 2040* | BOOL | 0 | no-memcpyopt | sub_1B26330 (MemCpyOpt)
105 | 2120* | BOOL | 0 | no-branchdist-b | sub_1CB73C0 (NVVMBranchDist B)
109 | 2200* | BOOL | 0 | no-generic2nvvm | sub_1A02540 (GenericToNVVM)
113 | 2280* | BOOL | 0 | no-loweralloca-b | NVVMLowerAlloca B
115 | 2320* | BOOL | 0 | do-remat (inverted) | sub_1A13320 (NVVMRemat)
117 | 2360 | BOOL | 1 |  | sub_1CC3990 (NVVMUnreachBlockElim)
121 | 2440* | BOOL | 0 | no-sinking2 | sub_1CC60B0 (NVVMSinking2)
127 | 2560* | BOOL | 0 | no-genericaddropt | sub_1CC71E0 (NVVMGenericAddrOpt)
129 | 2600* | BOOL | 0 | no-irverify | sub_1A223D0 (NVVMIRVerification)
131 | 2640* | BOOL | 0 | no-loopopt | sub_18B1DE0 (NVVMLoopOpt)
133 | 2680* | BOOL | 0 | no-memspaceopt-b | MemorySpaceOpt in sub_12DE8F0
135 | 2720* | BOOL | 0 | no-instsimplify | sub_1A7A9F0 (InstructionSimplify)
141 | 2840* | BOOL | 1 |  | Enable ADCE (sub_1C6FCA0, reversed)
143 | 2880* | BOOL | 1 | do-licm | Enable LICM (reversed logic)
149 | 3000* | BOOL | 0 |  | Extra DeadArgElim trigger
151 | 3040 | BOOL | 1 |  | Enable CorrelatedValuePropagation
155 | 3120* | BOOL | 1 |  | Address space optimization flag
157 | 3160* | BOOL | 1 | dump-* master | Debug dump mode (PrintModulePass)
159 | 3200* | BOOL | 1 |  | Enable advanced NVIDIA passes group
165 | 3328* | BOOL | 1 |  | Enable SM-specific warp/reduction/sinking
173 | 3488* | BOOL | 0 |  | Enable barrier optimization
175 | 3528* | BOOL | 0 |  | Tier 1 optimization enable
177 | 3568* | BOOL | 0 |  | Tier 2 optimization enable
179 | 3608* | BOOL | 0 |  | Tier 3 optimization enable
181 | 3648* | STR_PTR | "" |  | Language string ("ptx"/"mid"/"idn")
183 | 3704* | BOOL | 0 |  | Late optimization / address-space mode
193 | 3904* | BOOL | 0 |  | Debug: verify after each plugin pass
195 | 3944* | BOOL | 0 |  | Debug: rename BBs to "F%d_B%d"
197 | 3984 | INTEGER | 20 |  | Limit/threshold (e.g., unroll count)
203 | 4104 | INTEGER | -1 |  | Sentinel: unlimited/auto
205 | 4144 | INTEGER | -1 |  | Sentinel: unlimited/auto
207 | 4184 | INTEGER | -1 |  | Sentinel: unlimited/auto
209 | 4224* | BOOL | 0 |  | Master optimization switch
211 | 4264 | BOOL | 1 |  |
213 | 4304* | BOOL | 0 |  | Device-code / separate-compilation
215 | 4344 | INTEGER | 0 |  | Disabled counter
217 | 4384* | BOOL | 0 |  | Fast-compile / bypass LLVM pipeline
219 | 4424 | BOOL | 1 |  |
221 | 4464* | BOOL | 0 |  | Disable late CFG cleanup variant B
"""


LIBNVVM_NAMES: dict[int, str] = {
    25: "disable-break-critical-edges",
    27: "disable-BreakCriticalEdgesPass",
    151: "enable-cvp",
    153: "enable-llvm-gvn-hoist",
    195: "rename-block",
}
"""Options of libNVVM 13.0 for slots without a name in the document, if this project has the passes
that they switch (docs/deviations.md)."""


READ_AS_ENABLED = frozenset({400, 2360})
"""Offsets that the document's guards test as disable flags although their default is on.

They are read as enable flags. The document states that these passes "run by default and must be explicitly
disabled". As disable flags with these defaults they would never run.
"""


GUARD_NAMES: dict[int, str] = {
    1240: "no-licm",
    1640: "no-warp-shuffle",
    1680: "no-loop-reduce",
    2080: "no-branchdist",
    2160: "no-predopt-b",
    2240: "no-loweralloca",
    2360: "unreachable-block-elim",
    2400: "no-reduction",
    2800: "no-cfg-cleanup",
    2840: "adce-c",
    2920: "warp-barriers",
    3000: "extra-deadargelim",
    3120: "memory-space-opt-again",
    3160: "dump-modules",
    3200: "advanced-group",
    3328: "sm-specific",
    3488: "barrier-optimization",
    3704: "late-mode",
    4464: "no-cfg-cleanup-b",
}
"""Names in guards of slots without a knob, by offset. `-opt` sets such slots by number."""


def slot_type(index: int) -> str:
    """The type of a slot according to the layout rules."""
    if index in GLOBAL_SLOTS:
        return STRING
    if index in INTEGER_SLOTS:
        return INTEGER
    if index == STR_PTR_SLOT:
        return STR_PTR
    return UNPAIRED.get(index, BOOL if index % 2 else STRING)


@dataclass(frozen=True)
class Slot:
    """One option slot.

    Arguments:
        index: 1 to 221.
        offset: bytes from the start of the struct; guards name slots by it.
        type: `STRING`, `BOOL`, `INTEGER` or `STR_PTR`.
        default: the value without any option.
        knob: the name on the command line; empty if it is unknown.
        inverted: the knob has the opposite value: `do-remat` sets a slot that disables a pass, and
            `no-inline-a` a slot that is read as an enable flag (`READ_AS_ENABLED`).
        consumer: the reader of the slot.
        confirmed: a guard in the pipeline confirms the reader.
        confidence: `high`, or `low` for slots that the document marks.
    """

    index: int
    offset: int
    type: str
    default: str | int | bool
    knob: str = ""
    inverted: bool = False
    consumer: str = ""
    confirmed: bool = False
    confidence: str = "high"


def _default(index: int, kind: str) -> str | int | bool:
    if kind == INTEGER:
        return INTEGER_SLOTS[index]
    return index in ENABLED_SLOTS if kind == BOOL else ""


@cache
def slots() -> tuple[Slot, ...]:
    """All slots, first to last."""
    documented: dict[int, tuple[str, ...]] = {}
    for line in DOCUMENTED_SLOTS.splitlines()[1:]:
        fields = tuple(part.strip() for part in line.split("|"))
        documented[int(fields[0])] = fields
    found: list[Slot] = []
    offset = HEADER_SIZE
    for index in range(1, SLOT_COUNT + 1):
        offset = (offset + 7) // 8 * 8
        kind = slot_type(index)
        stated = documented.get(index)
        knob = (stated[4] if stated else "") or LIBNVVM_NAMES.get(index, "")
        found.append(
            Slot(
                index,
                offset,
                kind,
                _default(index, kind),
                knob.removesuffix(" (inverted)").removesuffix(" master"),
                knob.endswith(" (inverted)") or offset in READ_AS_ENABLED,
                "" if stated is None else stated[5],
                stated is not None and stated[1].endswith("*"),
                "low" if index in LOW_CONFIDENCE else "high",
            )
        )
        offset += WIDTHS[kind]
    return tuple(found)


@cache
def slot_at(offset: int) -> Slot:
    """The slot that starts at an offset. Raises KeyError if there is none."""
    found = {slot.offset: slot for slot in slots()}
    return found[offset]


@cache
def slots_by_guard() -> Mapping[str, Slot]:
    """The slot for each name in guards; for an option with two slots, the slot that is not
    inverted."""
    found = {name: slot_at(offset) for offset, name in GUARD_NAMES.items()}
    for knob, known in slots_by_knob().items():
        found[knob] = next((slot for slot in known if not slot.inverted), known[0])
    return found


@cache
def slots_by_knob() -> Mapping[str, tuple[Slot, ...]]:
    """The slots that each option sets."""
    found: dict[str, tuple[Slot, ...]] = {}
    for slot in slots():
        if slot.knob:
            found[slot.knob] = (*found.get(slot.knob, ()), slot)
    return found


TIER_THRESHOLDS: dict[int, int] = {4228: 0, 3532: 1, 3572: 2, 3612: 3}
"""Offsets of the thresholds of the tiers, within the slots of their switches, with the defaults. A
tier runs before the plug-ins whose phase is above its threshold."""


SETTINGS = frozenset({"maxrregcount", "whole-program-visibility"})
"""Knobs that are set by other options of a compilation."""


@dataclass
class PassOptions:
    """The values of all slots and knobs for one compilation.

    Arguments:
        values: the values of slots that differ from their defaults, by offset.
        knobs: values, by name, of knobs without a slot, or with more information than their slot.
    """

    values: dict[int, str | int | bool] = field(default_factory=dict[int, "str | int | bool"])
    knobs: dict[str, str] = field(default_factory=dict[str, str])

    def __getitem__(self, offset: int) -> str | int | bool:
        """The value of the slot at an offset, or of the threshold there.

        Raises KeyError if there is neither.
        """
        if offset in TIER_THRESHOLDS:
            return self.values.get(offset, TIER_THRESHOLDS[offset])
        slot = slot_at(offset)
        return self.values.get(offset, slot.default)

    def __setitem__(self, offset: int, value: str | int | bool) -> None:
        if offset not in TIER_THRESHOLDS:
            slot_at(offset)
        self.values[offset] = value

    def __bool__(self) -> bool:
        """Returns True if any option is given."""
        return bool(self.values or self.knobs)

    def states(self, knob: str) -> bool:
        """Returns True if an option is given, even with its default."""
        return knob in self.knobs or any(
            slot.offset in self.values for slot in slots_by_knob().get(knob, ())
        )

    def guard(self, name: str) -> bool:
        """The value of an option, or of a slot by its name in guards. Raises KeyError for an
        unknown name."""
        slot = slots_by_guard()[name]
        return bool(self[slot.offset]) != (slot.inverted and slot.knob == name)

    def boolean(self, knob: str, default: bool = False) -> bool:
        """A boolean knob by name."""
        slot = self._slot_of(knob)
        if slot is not None:
            value = self[slot.offset]
            return (is_true(value) if isinstance(value, str) else bool(value)) != slot.inverted
        text = self.knobs.get(knob)
        return default if text is None else is_true(text)

    def integer(self, knob: str, default: int) -> int:
        """An integer knob by name."""
        text = self.text(knob)
        return int(text, 0) if text else default

    def text(self, knob: str, default: str = "") -> str:
        """A knob's text by name; `0` or `1` for a boolean slot."""
        stated = self.knobs.get(knob)
        slot = self._slot_of(knob)
        if stated is None and slot is not None:
            if slot.type == BOOL:
                return str(int(self.boolean(knob)))
            return str(self[slot.offset]) or default
        return stated or default

    @staticmethod
    def _slot_of(knob: str) -> Slot | None:
        return slots_by_guard()[knob] if knob in slots_by_knob() else None


def is_true(text: str) -> bool:
    """The documented rule for booleans: the first character, case folded, is `1` or `t`."""
    return text[:1].lower() in ("1", "t")
