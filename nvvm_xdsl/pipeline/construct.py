"""Construction of the documented optimizer's pipeline: sub_12E54A0, phase by phase.

Sequences are those of `sequences.py`; guards test the slots of `PassOptions` and the tier. The
result is a list of passes with flags, and pipeline text. The passes of plug-ins are interleaved
with the tiers by their phase ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import sequences
from nvvm_xdsl.pipeline.knobs import SLOT_KNOB
from nvvm_xdsl.pipeline.needs import level_of
from nvvm_xdsl.pipeline.options import TIER_THRESHOLDS, PassOptions, slots_by_guard
from nvvm_xdsl.pipeline.plugins import Plugin, plugins
from nvvm_xdsl.pipeline.registry import ADAPTORS, SPECIAL, rows
from nvvm_xdsl.pipeline.sequences import SequenceRow, rows_of
from nvvm_xdsl.pipeline.text import Element, parse_pipeline

FUNCTION_PASS = 1
"""AddPass flag, bit 0: a function pass; else a module pass or an analysis."""

BARRIER = 2
"""AddPass flag, bit 1: all preceding passes must have run on the whole module."""

MASTER_SWITCH, LEVEL = 4224, 200
TIER_SWITCHES = {1: 3528, 2: 3568, 3: 3608}
LANGUAGE = 3648
BARRIER_OPTIMIZATION, MEMORY_SPACE_OPT_AGAIN = 3488, 3120
VERIFY_PLUGINS, NAME_BLOCKS = 3904, 3944

OFF_PARAMETERS: dict[str, dict[str | int, str]] = {
    "lower-struct-args": {"lsa-opt": "no-opt-byval"},
    "set-global-array-alignment": {1880: "skip-shared-mem", 1920: "skip-global-mem"},
}
"""Parameters of passes before code generation, by the knob or slot that adds the parameter when it
is off.

`lsa-opt` is "Optimize copying of struct args to local memory" in cicc's help. libNVVM passes the
slots to SetGlobalArrayAlignment (docs/deviations.md).
"""

NO_CONSTMERGE, NO_DUMP, NO_JUMP_THREADING = "!no-constmerge", "!no-dump", "!no-tailcallelim"
NO_REFLECT, NO_VERIFIER = "!no-nvvm-reflect", "!no-nvvm-verify"
CONSTRUCTION_SLOTS = frozenset(
    {
        MASTER_SWITCH,
        LANGUAGE,
        VERIFY_PLUGINS,
        NAME_BLOCKS,
        MEMORY_SPACE_OPT_AGAIN,
        *TIER_SWITCHES.values(),
        *TIER_THRESHOLDS,
        *(key for keys in OFF_PARAMETERS.values() for key in keys if isinstance(key, int)),
    }
)
"""Slots that the construction reads itself, besides those in guards."""

FINAL = "finalization"
"""The position of phase 5."""

NOT_MINIMAL = "!v244&&"
"""Guard of rows that -Ofast-compile=max omits."""

DROP_UNUSED = "globaldce"
"""Runs after inlining, so that no time is spent on functions that are no longer called."""

PREPARATION = ("soften-fp128", "nvvm-pretreat", "nvvm-intr-range", "process-restrict")
"""Passes that run first at every optimizing level, although no sequence names them: integers for
128-bit floats; normalization for later passes, see its description; ranges, as in LLVM's NVPTX; and
restrict parameters, while the callees that have them still exist.
"""

CODEGEN_PREPARATION = (
    "lower-struct-args<opt-byval>",
    "byval-mem2reg",
    "sroa",
    "ipmsp",
    "memory-space-opt<second-time>",
    "infer-address-spaces",
    "process-restrict",
    "basic-dbe",
    "normalize-gep",
    "bypass-slow-division",
    "loop-unroll<for-loads>",
    "early-cse",
    "dce",
    "remat",
    "set-global-array-alignment",
    "set-local-array-alignment",
    "propagate-alignment",
    "loop-reduce",
    "scev-cgp",
    "load-store-vectorizer",
    "slp-vectorizer",
    "packed-bytes",
    "local-memory-remarks",
    "reuse-local-memory",
    "convergence-remarks",
)
"""The IR passes of LLVM's NVPTX code generator and of NVIDIA's compiler before code generation, at
every optimizing level. They run after all inlining. `remat` follows the last pass that merges equal
computations."""

BARRIER_FEATURE, MEMORY_SPACE_FEATURE = 2, 4
"""Bits of the feature flags. The first enables slot 3488 unless an option sets the slot.

The second changes nothing: memory-space optimization is enabled by default in every tier
(docs/deviations.md).
"""

ESCALATED_FEATURES = BARRIER_FEATURE | MEMORY_SPACE_FEATURE
"""The value that tier 3 gives the feature flags if none is set."""


_COSTLY = frozenset(
    {"packed-bytes", "process-restrict", "remat", "reuse-local-memory", "slp-vectorizer"}
)

LEFT_OUT: dict[tuple[int, str], frozenset[str]] = {
    (0, "mid"): _COSTLY | {"loop-unroll"},
    (0, "min"): _COSTLY,
    (1, ""): _COSTLY,
}
"""Passes of `CODEGEN_PREPARATION` that a short pipeline omits, by level and fast-compile level: they
cost more time than they save (bench/results.md, the levels)."""

UNROLL_IF_SHORT = "loop-unroll<for-loads;unroll-loads-count=2>"
"""The row of `loop-unroll` in `CODEGEN_PREPARATION` in a short pipeline."""

SHORT_TIERS: dict[tuple[int, str], int] = {(0, "mid"): 0, (0, "min"): 1, (1, ""): 2}
"""The tier of the short pipeline by level and fast-compile level."""


@dataclass(eq=False)
class PlannedPass:
    """A position in a pipeline: its element. Two are equal only if identical."""

    element: Element


@dataclass(frozen=True)
class Decision:
    """The outcome of one element of a sequence.

    Arguments:
        place: the part of the construction: `tier 3`, `pre-optimization` ...
        element: the element in pipeline syntax; for a row that was not added, as in the row.
        outcome: `RUNS`, `ABSENT` (the documents name it and it does not exist here), or `OFF`.
        why: the reason that it is omitted, or the guard that is true.
    """

    place: str
    element: str
    outcome: str
    why: str = ""


RUNS, ABSENT, OFF = "runs", "absent", "off"


class PassList:
    """The passes of a pipeline under construction, in the data structure of sub_12DE0B0 (AddPass).

    Adding an object that is already in the list changes its flags and not its position; flags are
    looked up in constant time.
    """

    passes: list[PlannedPass]
    _flags: dict[PlannedPass, int]

    def __init__(self) -> None:
        self.passes = []
        self._flags = {}

    def add(self, planned: PlannedPass, flags: int, barrier: bool = False) -> None:
        """Adds a pass, or updates the flags of one that is in the list."""
        known = planned in self._flags
        self._flags[planned] = flags | (BARRIER if barrier else 0)
        if not known:
            self.passes.append(planned)

    def flags(self, planned: PlannedPass) -> int:
        """The flags of a pass in the list. Raises KeyError if it is not in the list."""
        return self._flags[planned]

    def __len__(self) -> int:
        return len(self.passes)

    def text(self) -> str:
        """The pipeline text: barriers and module passes end a group of function passes."""
        parts: list[str] = []
        group: list[str] = []

        def close() -> None:
            if group:
                parts.append(f"function({','.join(group)})")
                group.clear()

        for planned in self.passes:
            flags = self._flags[planned]
            if flags & BARRIER:
                close()
            if flags & FUNCTION_PASS:
                group.append(str(planned.element))
            else:
                close()
                parts.append(str(planned.element))
        close()
        return ",".join(parts)


@dataclass
class PipelineConfig:
    """The inputs of a pipeline.

    Arguments:
        level: 0 to 3.
        fast_compile: `""`, `max`, `mid` or `min`.
        language: `ptx` or `mid` for the paths of these names, `default` for the general path;
            empty for none, as for the -O levels.
        short: build this project's short pipeline instead of the documented one; the level must be
            one of `SHORT_TIERS`.
        options: the slots and knobs.
        features: the feature flags; tier 3 raises them from 0.
        plugins: the passes of plug-ins; None for all registered ones.
        parameters: additional parameters of passes by name: facts about the target.
    """

    level: int = 3
    fast_compile: str = ""
    language: str = ""
    short: bool = False
    options: PassOptions = field(default_factory=PassOptions)
    features: int = 0
    plugins: Sequence[Plugin] | None = None
    parameters: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


SWITCHES = {
    "nvvm-peephole-optimizer": "enable-nvvm-peephole",
    "nvvm-reflect": "nvvm-reflect-enable",
    "nvvm-reflect-pp": "nvvm-reflect-enable",
    "memory-space-opt": "memory-space-opt",
    "ipmsp": "memory-space-opt",
}
"""Passes with an option that omits them from every sequence."""

DISABLED_BY = {"jump-threading": "disable-JumpThreadingPass"}
"""Passes with an option that removes them everywhere."""

FOLLOWED_BY = {"jump-threading": ("enable-dfa-jump-thread", "dfa-jump-threading")}
"""Passes after which another pass runs if an option is set, as in LLVM."""

LATER = frozenset({"loop-reduce"})
"""Passes of the sequences that run in `CODEGEN_PREPARATION` instead (docs/deviations.md)."""

ON_DEMAND = {
    "basic-dbe": ("basic-dbe",),
    "normalize-gep": ("normalize-gep",),
    "scev-cgp": ("do-scev-cgp", "do-function-scev-cgp"),
    "convergence-remarks": ("dump-conv-func", "dump-conv-text", "dump-conv-dot", "dump-va"),
}
"""Passes before code generation that run only if one of these knobs is set."""

_SLOT_VALUE = re.compile(r"opts\[([\w-]+)\]")
"""A parameter of a row whose value is that of a slot, given by its name in guards."""

_TERM = re.compile(r"(!?)([A-Za-z][\w-]*)|tier(==|!=)(\d)")


def guard_holds(guard: str, options: PassOptions, tier: int = 0) -> bool:
    """Evaluates a guard such as `advanced-group&&!no-ipconst` or `tier!=1`.

    Raises ValueError for text that is not a guard.
    """
    if not guard:
        return True
    return any(
        all(_term_holds(term, options, tier) for term in conjunction.split("&&"))
        for conjunction in guard.split("||")
    )


def guard_failure(guard: str, options: PassOptions, tier: int = 0) -> str:
    """The reason that a guard is false: each false term with its option and value."""
    failing = [term for term in _terms(guard) if not _term_holds(term, options, tier)]
    return "; ".join(dict.fromkeys(_term_failure(term, options) for term in failing))


def _terms(guard: str) -> list[str]:
    return re.split(r"&&|\|\|", guard)


def _term_holds(term: str, options: PassOptions, tier: int) -> bool:
    match = _TERM.fullmatch(term)
    if match is None:
        raise ValueError(f"'{term}' is not a guard")
    negated, name, comparison, number = match.groups()
    if name is None:
        return (tier == int(number)) == (comparison == "==")
    try:
        return options.guard(name) != bool(negated)
    except KeyError:
        raise ValueError(f"'{term}' is not a guard") from None


def _term_failure(term: str, options: PassOptions) -> str:
    slot = slots_by_guard().get(term.removeprefix("!"))
    if slot is None:
        return f"only where {term}"
    on = bool(options[slot.offset])
    if slot.knob and "*" not in slot.knob:
        knob = f"-{slot.knob}={int(on != slot.inverted)}"
    else:
        knob = f"-{SLOT_KNOB}={slot.offset}={int(on)}"
    about = f": {slot.consumer}" if slot.consumer else ""
    return f"opts[{slot.offset}] is {'on' if on else 'off'} ({knob}){about}"


def settled_guard(row: SequenceRow) -> str:
    """A row's guard, with contradictions of the document resolved (docs/deviations.md)."""
    terms = _terms(row.guard)
    if row.passes.startswith("nvvm-reflect") and NO_REFLECT not in terms:
        # In all other rows the slot of NVVMReflect is 880; 1960 is ConstantMerge's.
        kept = "" if NO_CONSTMERGE in terms else row.guard
        return f"{kept}&&{NO_REFLECT}" if kept else NO_REFLECT
    if "jump-threading" in row.passes and NO_JUMP_THREADING not in terms:
        # Document 004: all positions of jump threading are conditional on the flag.
        return NO_JUMP_THREADING
    if row.passes.startswith("print-module") and NO_DUMP not in terms:
        # The flag map: slot 1080 disables PrintModulePass in every position.
        return f"{row.guard}&&{NO_DUMP}" if row.guard else NO_DUMP
    if row.passes.startswith("standard<") and row.guard == NO_VERIFIER:
        # The verifier's flag does not disable the clean-up pipelines.
        return ""
    return row.guard


def names_of_slots(row: SequenceRow) -> list[str]:
    """The names by which a row reads slots: in its parameters, then in its guard as the document has it."""
    known = slots_by_guard()
    terms = [term.removeprefix("!") for term in _terms(row.guard)]
    return [*_SLOT_VALUE.findall(row.passes), *(name for name in terms if name in known)]


@cache
def guarding_offsets() -> frozenset[int]:
    """The slots that sequences read for a pass that exists here: in its guard, or for a parameter."""
    known = slots_by_guard()
    return frozenset(
        known[name].offset
        for text in sequences.SEQUENCES
        for row in rows_of(text)
        if any(e.name == "standard" or exists(e.name) for e in parse_pipeline(row.passes))
        for name in names_of_slots(replace(row, guard=settled_guard(row)))
    )


class Constructor:
    """Builds one pipeline.

    Arguments:
        config: the inputs. Its options are copied, since tiers change them.
    """

    config: PipelineConfig
    options: PassOptions
    list: PassList
    tiers_fired: list[int]
    features: int
    decisions: list[Decision]

    def __init__(self, config: PipelineConfig) -> None:
        self.config = config
        self.options = PassOptions(dict(config.options.values), dict(config.options.knobs))
        self.list = PassList()
        self.tiers_fired = []
        self.features = config.features
        self.decisions = []
        self._place = ""
        self._guard = ""
        self._memory_space_runs = 0
        self._set_switches()
        # Evaluated before tiers run, because each tier disables itself.
        self._unoptimized = not config.short and self._is_unoptimized()

    def _set_switches(self) -> None:
        config, options = self.config, self.options
        optimizing = config.level > 0 and not config.fast_compile and not config.short
        switches: dict[int, str | int | bool] = {LEVEL: config.level, MASTER_SWITCH: optimizing}
        for tier, offset in TIER_SWITCHES.items():
            switches[offset] = optimizing and tier == config.level
        if config.language:
            switches[LANGUAGE] = config.language
        for offset, value in switches.items():
            if not self._states(offset):
                options[offset] = value
        if config.fast_compile == "max":
            # Added with all options.
            options.knobs["lsa-opt"] = options.knobs["memory-space-opt"] = "0"

    def _states(self, offset: int) -> bool:
        """True if an option sets the slot: explicit slots take precedence over the level."""
        return offset in self.config.options.values

    def build(self) -> PassList:
        """The passes of the pipeline, in order."""
        if self.config.fast_compile == "max":
            self._sequence("Ofcmax", sequences.LEVEL_OFCMAX)
            self._plugins()
        elif self._unoptimized:
            self._sequence("O0", sequences.LEVEL_O0)
            self._plugins()
        elif self.config.short:
            self._preparation()
            tier = SHORT_TIERS[self.config.level, self.config.fast_compile]
            self._sequence("short", sequences.SHORT, tier)
            self._plugins()
            self._place = "before codegen"
            self._codegen_preparation()
        else:
            self._preparation()
            self._sequence("pre-optimization", sequences.PRE_OPTIMIZATION)
            self._main_loop()
            self._language_path()
            self._place = "before codegen"
            self._codegen_preparation()
        self._sequence(FINAL, sequences.FINALIZATION)
        if not self._unoptimized:
            self._add(DROP_UNUSED, 0, barrier=True)
        if self.options[NAME_BLOCKS]:
            self._add("nvvm-name-blocks", 0)
        else:
            why = guard_failure("rename-block", self.options)
            self._decide(FINAL, "nvvm-name-blocks", OFF, why)
        return self.list

    def _preparation(self) -> None:
        self._place = "preparation"
        for text in PREPARATION:
            self._elements(text)

    def _is_unoptimized(self) -> bool:
        config = self.config
        return (
            not config.fast_compile
            and not self.options[MASTER_SWITCH]
            and not self.options[LANGUAGE]
            and not any(self.options[offset] for offset in TIER_SWITCHES.values())
        )

    # Phase 3: tiers and plug-ins.

    def _plugins(self) -> None:
        """The passes of plug-ins, each after the tiers whose threshold is below its phase."""
        known = plugins() if self.config.plugins is None else self.config.plugins
        for plugin in sorted(known, key=lambda p: p.phase_id):
            for offset, tier in TIER_THRESHOLDS.items():
                if plugin.phase_id > int(self.options[offset]):
                    self._fire(tier)
            self._place = "plug-in"
            self._elements(plugin.pipeline)
            if self.options[VERIFY_PLUGINS]:
                self._add("verify", 0, barrier=True)

    def _main_loop(self) -> None:
        self._plugins()
        for tier in range(4):
            if not self._fire(tier) and tier not in self.tiers_fired:
                offset = TIER_SWITCHES.get(tier, MASTER_SWITCH)
                self._decide(
                    f"tier {tier}", "(all)", OFF, f"disabled by opts[{offset}] at this level"
                )

    def _fire(self, tier: int) -> bool:
        """Adds a tier if it is enabled, at most once. Returns whether it did."""
        offset = TIER_SWITCHES.get(tier, MASTER_SWITCH)
        if not self.options[offset]:
            return False
        self.options[offset] = False
        self.tiers_fired.append(tier)
        if tier == 0:
            self._sequence("tier 0", sequences.TIER_0)
            return True
        if tier == 3 and not self.features:
            self.features = ESCALATED_FEATURES
        if self.features & BARRIER_FEATURE and not self._states(BARRIER_OPTIMIZATION):
            self.options[BARRIER_OPTIMIZATION] = True
        self._sequence(f"tier {tier}", sequences.TIERS, tier)
        return True

    # Phase 4: language paths.

    def _language_path(self) -> None:
        language = self.options[LANGUAGE]
        if self.config.fast_compile in ("mid", "min"):
            language = "mid"
        if language == "ptx":
            self._sequence("path ptx", sequences.PATH_A)
        elif language == "mid":
            self._sequence("path mid", sequences.PATH_B)
            if self.config.fast_compile == "min":
                # Like mid, "but more aggressive loop settings".
                self._elements(
                    "loop-index-split,loop-unroll<O3;no-partial;no-runtime;no-peeling>,simplifycfg,dce"
                )
        elif language:
            self._sequence("path default", sequences.PATH_C)

    def _codegen_preparation(self) -> None:
        guards = {
            "ipmsp": "do-ip-msp",
            "memory-space-opt": "!no-memspaceopt-b&&memory-space-opt-again",
            "loop-unroll": "!no-loopunroll",
            "loop-reduce": "!no-loop-reduce",
            "remat": "do-remat",
        }
        left_out = (
            LEFT_OUT[self.config.level, self.config.fast_compile] if self.config.short else ()
        )
        for text in CODEGEN_PREPARATION:
            (element,) = parse_pipeline(text)
            guard = guards.get(element.name, "")
            demands = ON_DEMAND.get(element.name, ())
            if self.config.short and element.name == "loop-unroll":
                (element,) = parse_pipeline(UNROLL_IF_SHORT)
            if element.name in left_out:
                self._off(element, "not part of the short pipelines")
            elif demands and not any(map(self.options.boolean, demands)):
                self._off(element, f"runs on demand: -opt -{' or -'.join(demands)}")
            elif guard_holds(guard, self.options):
                self._add_element(self._with_off_parameters(element))
            else:
                self._off(element, guard_failure(guard, self.options))

    def _with_off_parameters(self, element: Element) -> Element:
        """The element with the parameters of its knobs and slots that are off."""
        found = [
            parameter
            for key, parameter in OFF_PARAMETERS.get(element.name, {}).items()
            if not (self.options[key] if isinstance(key, int) else self.options.boolean(key, True))
        ]
        return Element(element.name, found) if found else element

    # Rows.

    def _sequence(self, place: str, text: str, tier: int = 0) -> None:
        self._place = place
        for row in rows_of(text):
            guard = settled_guard(row)
            if NOT_MINIMAL in guard:
                if self.config.fast_compile == "max":
                    self._decide(place, row.passes, OFF, "not part of -Ofast-compile=max")
                    continue
                guard = guard.replace(NOT_MINIMAL, "")
            if guard_holds(guard, self.options, tier):
                self._guard = guard
                for element in parse_pipeline(row.passes):
                    self._row_element(self._with_arguments(element, tier))
                self._guard = ""
            else:
                self._decide(place, row.passes, OFF, guard_failure(guard, self.options, tier))

    def _decide(self, place: str, element: str, outcome: str, why: str = "") -> None:
        self.decisions.append(Decision(place, element, outcome, why))

    def _off(self, element: Element, why: str) -> None:
        self._decide(self._place, str(element), OFF, why)

    def _with_arguments(self, element: Element, tier: int) -> Element:
        """The element with references to slots and the tier replaced by their values."""
        return Element(element.name, [self._argument(text, tier) for text in element.parameters])

    def _argument(self, parameter: str, tier: int) -> str:
        name, _, source = parameter.partition("=")
        if source == "tier":
            return f"{name}={tier}"
        slot = _SLOT_VALUE.fullmatch(source)
        if slot is None:
            return parameter
        value = self.options[slots_by_guard()[slot[1]].offset]
        if isinstance(value, bool):
            return name if value else f"no-{name}"
        return f"{name}={value}"

    def _row_element(self, element: Element) -> None:
        if element.name == "standard":
            self._elements(_standard_pipeline(*element.parameters))
        elif element.name == "memory-space-opt":
            # The first of these in the pipeline counts as the first run.
            self._memory_space_runs += 1
            time = "first-time" if self._memory_space_runs == 1 else "second-time"
            self._add_element(Element(element.name, [time]))
        elif element.name == "break-crit-edges" and self._place == FINAL:
            self._off(element, "no later pass inserts code on edges")
        elif element.name in LATER:
            self._off(element, "runs before code generation")
        else:
            self._add_element(element)

    def _elements(self, text: str) -> None:
        for element in parse_pipeline(text):
            self._add_element(element)

    def _add_element(self, element: Element) -> None:
        switch = SWITCHES.get(element.name)
        if switch is not None and not self.options.boolean(switch, True):
            self._off(element, f"-opt -{switch}=0")
            return
        disabled = DISABLED_BY.get(element.name)
        if disabled is not None and self.options.boolean(disabled):
            self._off(element, f"-opt -{disabled}=1")
            return
        more = self.config.parameters.get(element.name)
        if more and element.nested is None:
            element = Element(element.name, [*element.parameters, *more])
        self._keep(element)
        self.list.add(PlannedPass(element), FUNCTION_PASS if is_function_pass(element) else 0)
        knob, following = FOLLOWED_BY.get(element.name, ("", ""))
        if following and self.options.boolean(knob):
            self._elements(following)
        elif following:
            self._off(Element(following), f"-opt -{knob}=0")

    def _keep(self, element: Element) -> None:
        """Records an element that is added, and those of its passes that do not exist here."""
        absent = [name for name in names_in(element) if not exists(name)]
        guard = f"guard {self._guard}" if self._guard else ""
        if absent == [element.name]:
            self._decide(self._place, str(element), ABSENT, guard)
            return
        self._decide(self._place, str(element), RUNS, guard)
        for name in absent:
            self._decide(self._place, name, ABSENT, f"in {element.name}")

    def _add(self, name: str, flags: int, *, barrier: bool = False) -> None:
        self._decide(self._place, name, RUNS)
        self.list.add(PlannedPass(Element(name)), flags, barrier)


def _standard_pipeline(number: str, *inline: str) -> str:
    """The standard pipeline of an ID with the number of repetitions that the ID specifies."""
    passes = sequences.STANDARD_PIPELINES[int(number)].passes
    return f"devirt<{number}>({f'inline,{DROP_UNUSED},' if inline else ''}{passes})"


def names_in(element: Element) -> list[str]:
    """The names of the passes that an element runs: its own, or those nested in it."""
    if element.nested is None:
        return [element.name]
    return [name for inner in element.nested for name in names_in(inner)]


def exists(name: str) -> bool:
    """True if the name is an existing pass or a keyword of the grammar."""
    return name in PASSES or name in ADAPTORS or name in SPECIAL


def is_function_pass(element: Element) -> bool:
    """Returns whether an element may occur in a function pipeline."""
    if element.nested is not None:
        return False
    if element.name in PASSES:
        return level_of(element.name) in ("function", "loop")
    row = rows().get(element.name)
    return row is not None and row.level in ("function", "loop")


def construct(config: PipelineConfig) -> str:
    """The pipeline text of a configuration, including documented passes that do not exist here."""
    return Constructor(config).build().text()
