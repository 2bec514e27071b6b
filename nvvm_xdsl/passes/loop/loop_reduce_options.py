"""Knobs of `loop-reduce`."""

from __future__ import annotations

from dataclasses import dataclass

UNCONDITIONAL, WITH_CONDITIONS = 1, 2
"""Levels of base address strength reduction; the sister page: "two levels: 1 = no conditions, 2 =
with conditions"."""


@dataclass(frozen=True)
class LoopReduceOptions:
    """The knobs of `loop-reduce`, with NVIDIA's names."""

    do_lsr_64_bit: bool = True
    """Whether pointers with 64-bit steps are created; otherwise only pointers to shared and local
    memory.
    """

    lsr_check_rp: bool = True
    """Whether register pressure is considered."""

    lsr_rp_limit: int = 64
    """Maximum number of live registers of a loop including its pointers."""

    maxrregcount: int = 0
    """The limit for functions that state none, if it is lower, in registers; 0 for no limit."""

    lsr_loop_level: int = 0
    """Maximum depth of a nest, counted from the innermost loop: 1 for innermost loops, 0 for
    any."""

    lsr_skip_outer_loop: bool = False
    """Whether loops with inner loops are skipped."""

    lsr_sxtopt: bool = True
    """Whether counters are recognized through extensions."""

    disable_unknown_trip_lsr: bool = False
    """Whether loops with an unknown trip count are skipped."""

    disable_lsr_for_sharedmem32_ptr: bool = False
    """Whether addresses in shared memory are left unchanged."""

    disable_lsr_complexity_discount: bool = False
    """Whether a pointer must save as many registers as it needs, regardless of instructions."""

    filter_bad_formula: bool = True
    """Whether unprofitable pointers are omitted."""

    do_base_address_strength_reduce: int = WITH_CONDITIONS
    """Whether accesses at constant distances share a pointer: 0 no, 1 always, 2 if profitable."""

    do_base_address_strength_reduce_chain: bool = True
    """Whether an address is traced through a chain of address computations."""

    base_address_strength_reduce_iv_limit: int = 16
    """Maximum number of pointers of a loop."""

    base_address_strength_reduce_max_iv: int = 0
    """The maximum value of the varying part of an address; 0 for no limit."""

    dump_base_address_strength_reduce: bool = False
    """Whether the base of each pointer, its accesses and their minimum offset are reported."""
