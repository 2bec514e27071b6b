"""Enumeration attributes of the NVVM dialect, written by `nvvm_xdsl.dialects.generate`."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from nvvm_xdsl.dialects.nvvm.enums import (
    BarrierReduction,
    BlockScaleFormat,
    CacheEvictionPriority,
    ClusterLaunchControlQueryType,
    CTAGroupKind,
    DotAccumulateType,
    FPRoundingMode,
    GridDepActionKind,
    LdStMatrixEltType,
    LoadCacheModifierKind,
    MatchSyncKind,
    MemOrderKind,
    MemScopeKind,
    MMAB1Op,
    MMABlockScaleKind,
    MMAFrag,
    MMAIntOverflow,
    MMAKind,
    MMALayout,
    MMATypes,
    NVVMMemorySpace,
    PermuteMode,
    PrefetchCacheLevel,
    ProxyKind,
    ReduxKind,
    SaturationMode,
    ScaleVecSize,
    SetMaxRegisterAction,
    SharedSpace,
    ShflKind,
    Tcgen05CpMulticast,
    Tcgen05CpShape,
    Tcgen05CpSrcFormat,
    Tcgen05FenceKind,
    Tcgen05LdStShape,
    Tcgen05MMABlockScale,
    Tcgen05MMACollectorBBuffer,
    Tcgen05MMACollectorOp,
    Tcgen05MMAKind,
    Tcgen05WaitKind,
    TMALoadMode,
    TMAReduxKind,
    TMAStoreMode,
    VoteSyncKind,
    WGMMAScaleIn,
    WGMMAScaleOut,
    WGMMATypes,
)


@irdl_attr_definition
class BarrierReductionAttr(EnumAttribute[BarrierReduction]):
    """`#nvvm.reduction<...>`."""

    name = "nvvm.reduction"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BarrierReduction:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class BlockScaleFormatAttr(EnumAttribute[BlockScaleFormat]):
    """`#nvvm.block_scale_format<...>`."""

    name = "nvvm.block_scale_format"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> BlockScaleFormat:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class CTAGroupKindAttr(EnumAttribute[CTAGroupKind]):
    """`#nvvm.cta_group<...>`."""

    name = "nvvm.cta_group"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> CTAGroupKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class CacheEvictionPriorityAttr(EnumAttribute[CacheEvictionPriority], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<cache_eviction_priority ...>`."""

    name = "nvvm.cache_eviction_priority"


@irdl_attr_definition
class ClusterLaunchControlQueryTypeAttr(
    EnumAttribute[ClusterLaunchControlQueryType], SpacedOpaqueSyntaxAttribute
):
    """`#nvvm<cluster_launch_control_query_type ...>`."""

    name = "nvvm.cluster_launch_control_query_type"


@irdl_attr_definition
class DotAccumulateTypeAttr(EnumAttribute[DotAccumulateType]):
    """`#nvvm.dot_accumulate_type<...>`."""

    name = "nvvm.dot_accumulate_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> DotAccumulateType:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class FPRoundingModeAttr(EnumAttribute[FPRoundingMode]):
    """`#nvvm.fp_rnd_mode<...>`."""

    name = "nvvm.fp_rnd_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> FPRoundingMode:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class GridDepActionKindAttr(EnumAttribute[GridDepActionKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<grid_dep_action ...>`."""

    name = "nvvm.grid_dep_action"


@irdl_attr_definition
class LdStMatrixEltTypeAttr(EnumAttribute[LdStMatrixEltType]):
    """`#nvvm.ld_st_matrix_elt_type<...>`."""

    name = "nvvm.ld_st_matrix_elt_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LdStMatrixEltType:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class LoadCacheModifierKindAttr(EnumAttribute[LoadCacheModifierKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<load_cache_modifier ...>`."""

    name = "nvvm.load_cache_modifier"


@irdl_attr_definition
class MMAB1OpAttr(EnumAttribute[MMAB1Op]):
    """`#nvvm.mma_b1op<...>`."""

    name = "nvvm.mma_b1op"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMAB1Op:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMABlockScaleKindAttr(EnumAttribute[MMABlockScaleKind]):
    """`#nvvm.block_scale_kind<...>`."""

    name = "nvvm.block_scale_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMABlockScaleKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMAFragAttr(EnumAttribute[MMAFrag]):
    """`#nvvm.mma_frag<...>`."""

    name = "nvvm.mma_frag"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMAFrag:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMAIntOverflowAttr(EnumAttribute[MMAIntOverflow]):
    """`#nvvm.mma_int_overflow<...>`."""

    name = "nvvm.mma_int_overflow"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMAIntOverflow:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMAKindAttr(EnumAttribute[MMAKind]):
    """`#nvvm.mma_kind<...>`."""

    name = "nvvm.mma_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMAKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMALayoutAttr(EnumAttribute[MMALayout]):
    """`#nvvm.mma_layout<...>`."""

    name = "nvvm.mma_layout"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMALayout:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MMATypesAttr(EnumAttribute[MMATypes]):
    """`#nvvm.mma_type<...>`."""

    name = "nvvm.mma_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MMATypes:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MatchSyncKindAttr(EnumAttribute[MatchSyncKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<match_sync_kind ...>`."""

    name = "nvvm.match_sync_kind"


@irdl_attr_definition
class MemOrderKindAttr(EnumAttribute[MemOrderKind]):
    """`#nvvm.mem_order<...>`."""

    name = "nvvm.mem_order"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MemOrderKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class MemScopeKindAttr(EnumAttribute[MemScopeKind]):
    """`#nvvm.mem_scope<...>`."""

    name = "nvvm.mem_scope"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MemScopeKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class NVVMMemorySpaceAttr(EnumAttribute[NVVMMemorySpace]):
    """`#nvvm.memory_space<...>`."""

    name = "nvvm.memory_space"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NVVMMemorySpace:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class PermuteModeAttr(EnumAttribute[PermuteMode]):
    """`#nvvm.permute_mode<...>`."""

    name = "nvvm.permute_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> PermuteMode:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class PrefetchCacheLevelAttr(EnumAttribute[PrefetchCacheLevel], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<prefetch_cache_level ...>`."""

    name = "nvvm.prefetch_cache_level"


@irdl_attr_definition
class ProxyKindAttr(EnumAttribute[ProxyKind]):
    """`#nvvm.proxy_kind<...>`."""

    name = "nvvm.proxy_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ProxyKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class ReduxKindAttr(EnumAttribute[ReduxKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<redux_kind ...>`."""

    name = "nvvm.redux_kind"


@irdl_attr_definition
class SaturationModeAttr(EnumAttribute[SaturationMode]):
    """`#nvvm.sat_mode<...>`."""

    name = "nvvm.sat_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> SaturationMode:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class ScaleVecSizeAttr(EnumAttribute[ScaleVecSize]):
    """`#nvvm.scale_vec_size<...>`."""

    name = "nvvm.scale_vec_size"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ScaleVecSize:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class SetMaxRegisterActionAttr(EnumAttribute[SetMaxRegisterAction], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<action ...>`."""

    name = "nvvm.action"


@irdl_attr_definition
class SharedSpaceAttr(EnumAttribute[SharedSpace]):
    """`#nvvm.shared_space<...>`."""

    name = "nvvm.shared_space"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> SharedSpace:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class ShflKindAttr(EnumAttribute[ShflKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<shfl_kind ...>`."""

    name = "nvvm.shfl_kind"


@irdl_attr_definition
class TMALoadModeAttr(EnumAttribute[TMALoadMode]):
    """`#nvvm.tma_load_mode<...>`."""

    name = "nvvm.tma_load_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TMALoadMode:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class TMAReduxKindAttr(EnumAttribute[TMAReduxKind]):
    """`#nvvm.tma_redux_kind<...>`."""

    name = "nvvm.tma_redux_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TMAReduxKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class TMAStoreModeAttr(EnumAttribute[TMAStoreMode]):
    """`#nvvm.tma_store_mode<...>`."""

    name = "nvvm.tma_store_mode"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> TMAStoreMode:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05CpMulticastAttr(EnumAttribute[Tcgen05CpMulticast]):
    """`#nvvm.tcgen05_cp_multicast<...>`."""

    name = "nvvm.tcgen05_cp_multicast"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05CpMulticast:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05CpShapeAttr(EnumAttribute[Tcgen05CpShape]):
    """`#nvvm.tcgen05_cp_shape<...>`."""

    name = "nvvm.tcgen05_cp_shape"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05CpShape:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05CpSrcFormatAttr(EnumAttribute[Tcgen05CpSrcFormat]):
    """`#nvvm.tcgen05_cp_src_fmt<...>`."""

    name = "nvvm.tcgen05_cp_src_fmt"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05CpSrcFormat:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05FenceKindAttr(EnumAttribute[Tcgen05FenceKind]):
    """`#nvvm.tcgen05_fence<...>`."""

    name = "nvvm.tcgen05_fence"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05FenceKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05LdStShapeAttr(EnumAttribute[Tcgen05LdStShape]):
    """`#nvvm.tcgen05_ldst_shape<...>`."""

    name = "nvvm.tcgen05_ldst_shape"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05LdStShape:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05MMABlockScaleAttr(EnumAttribute[Tcgen05MMABlockScale]):
    """`#nvvm.tcgen05_mma_block_scale<...>`."""

    name = "nvvm.tcgen05_mma_block_scale"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05MMABlockScale:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05MMACollectorBBufferAttr(EnumAttribute[Tcgen05MMACollectorBBuffer]):
    """`#nvvm.tcgen05_mma_collectorb<...>`."""

    name = "nvvm.tcgen05_mma_collectorb"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05MMACollectorBBuffer:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05MMACollectorOpAttr(EnumAttribute[Tcgen05MMACollectorOp]):
    """`#nvvm.tcgen05_mma_collectorop<...>`."""

    name = "nvvm.tcgen05_mma_collectorop"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05MMACollectorOp:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05MMAKindAttr(EnumAttribute[Tcgen05MMAKind]):
    """`#nvvm.tcgen05_mma_kind<...>`."""

    name = "nvvm.tcgen05_mma_kind"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05MMAKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class Tcgen05WaitKindAttr(EnumAttribute[Tcgen05WaitKind]):
    """`#nvvm.tcgen05_wait<...>`."""

    name = "nvvm.tcgen05_wait"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Tcgen05WaitKind:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class VoteSyncKindAttr(EnumAttribute[VoteSyncKind], SpacedOpaqueSyntaxAttribute):
    """`#nvvm<vote_sync_kind ...>`."""

    name = "nvvm.vote_sync_kind"


@irdl_attr_definition
class WGMMAScaleInAttr(EnumAttribute[WGMMAScaleIn]):
    """`#nvvm.wgmma_scale_in<...>`."""

    name = "nvvm.wgmma_scale_in"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> WGMMAScaleIn:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class WGMMAScaleOutAttr(EnumAttribute[WGMMAScaleOut]):
    """`#nvvm.wgmma_scale_out<...>`."""

    name = "nvvm.wgmma_scale_out"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> WGMMAScaleOut:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


@irdl_attr_definition
class WGMMATypesAttr(EnumAttribute[WGMMATypes]):
    """`#nvvm.wgmma_type<...>`."""

    name = "nvvm.wgmma_type"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> WGMMATypes:
        with parser.in_angle_brackets():
            return super().parse_parameter(parser)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            super().print_parameter(printer)


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    BarrierReductionAttr,
    BlockScaleFormatAttr,
    CTAGroupKindAttr,
    CacheEvictionPriorityAttr,
    ClusterLaunchControlQueryTypeAttr,
    DotAccumulateTypeAttr,
    FPRoundingModeAttr,
    GridDepActionKindAttr,
    LdStMatrixEltTypeAttr,
    LoadCacheModifierKindAttr,
    MMAB1OpAttr,
    MMABlockScaleKindAttr,
    MMAFragAttr,
    MMAIntOverflowAttr,
    MMAKindAttr,
    MMALayoutAttr,
    MMATypesAttr,
    MatchSyncKindAttr,
    MemOrderKindAttr,
    MemScopeKindAttr,
    NVVMMemorySpaceAttr,
    PermuteModeAttr,
    PrefetchCacheLevelAttr,
    ProxyKindAttr,
    ReduxKindAttr,
    SaturationModeAttr,
    ScaleVecSizeAttr,
    SetMaxRegisterActionAttr,
    SharedSpaceAttr,
    ShflKindAttr,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreModeAttr,
    Tcgen05CpMulticastAttr,
    Tcgen05CpShapeAttr,
    Tcgen05CpSrcFormatAttr,
    Tcgen05FenceKindAttr,
    Tcgen05LdStShapeAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorBBufferAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
    Tcgen05WaitKindAttr,
    VoteSyncKindAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
    WGMMATypesAttr,
)
