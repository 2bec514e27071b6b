"""Enumerations of MLIR's NVVM dialect, written by `dev.generate_ops`."""

from xdsl.utils.str_enum import StrEnum


class BarrierReduction(StrEnum):
    """NVVM barrier reduction operation."""

    POPC = "popc"
    AND = "and"
    OR = "or"


class BlockScaleFormat(StrEnum):
    """MMA Block Scale Format."""

    UE8M0 = "ue8m0"
    UE4M3 = "ue4m3"


class CTAGroupKind(StrEnum):
    """NVVM CTA group kind."""

    CTA_1 = "cta_1"
    CTA_2 = "cta_2"


class CacheEvictionPriority(StrEnum):
    """NVVM Cache Eviction Priority."""

    EVICT_NORMAL = "evict_normal"
    EVICT_FIRST = "evict_first"
    EVICT_LAST = "evict_last"
    EVICT_UNCHANGED = "evict_unchanged"
    NO_ALLOCATE = "no_allocate"


class ClusterLaunchControlQueryType(StrEnum):
    """NVVM ClusterLaunchControlQueryType."""

    IS_CANCELED = "is_canceled"
    GET_FIRST_CTA_ID_X = "get_first_cta_id_x"
    GET_FIRST_CTA_ID_Y = "get_first_cta_id_y"
    GET_FIRST_CTA_ID_Z = "get_first_cta_id_z"


class DotAccumulateType(StrEnum):
    """NVVM DotAccumulateType."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"


class FPRoundingMode(StrEnum):
    """NVVM FPRoundingMode kind."""

    NONE = "none"
    RN = "rn"
    RM = "rm"
    RP = "rp"
    RZ = "rz"
    RNA = "rna"
    RS = "rs"


class GridDepActionKind(StrEnum):
    """Action kind for grid dependency control."""

    WAIT = "wait"
    LAUNCH_DEPENDENTS = "launch_dependents"


class LdStMatrixEltType(StrEnum):
    """Element type for ldmatrix and stmatrix."""

    B16 = "b16"
    B8 = "b8"
    B8X16_B6X16_P32 = "b8x16.b6x16_p32"
    B8X16_B4X16_P64 = "b8x16.b4x16_p64"


class LoadCacheModifierKind(StrEnum):
    """NVVM load cache modifier kind."""

    CA = "ca"
    CG = "cg"
    CS = "cs"
    LU = "lu"
    CV = "cv"


class MMAB1Op(StrEnum):
    """MMA binary operations."""

    NONE = "none"
    XOR_POPC = "xor_popc"
    AND_POPC = "and_popc"


class MMABlockScaleKind(StrEnum):
    """Block Scale Kind."""

    MXF8F6F4 = "mxf8f6f4"
    MXF4 = "mxf4"
    MXF4NVF4 = "mxf4nvf4"


class MMAFrag(StrEnum):
    """NVVM MMA frag type."""

    A = "a"
    B = "b"
    C = "c"


class MMAIntOverflow(StrEnum):
    """MMA overflow options."""

    SATFINITE = "satfinite"
    WRAPPED = "wrapped"


class MMAKind(StrEnum):
    """MMA operation kind."""

    F8F6F4 = "f8f6f4"


class MMALayout(StrEnum):
    """NVVM MMA layout."""

    ROW = "row"
    COL = "col"


class MMATypes(StrEnum):
    """NVVM MMA types."""

    F16 = "f16"
    F32 = "f32"
    TF32 = "tf32"
    BF16 = "bf16"
    S8 = "s8"
    U8 = "u8"
    S32 = "s32"
    S4 = "s4"
    U4 = "u4"
    B1 = "b1"
    F64 = "f64"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    E3M2 = "e3m2"
    E2M3 = "e2m3"
    E2M1 = "e2m1"


class MatchSyncKind(StrEnum):
    """NVVM match sync kind."""

    ANY = "any"
    ALL = "all"


class MemOrderKind(StrEnum):
    """NVVM Memory Ordering kind."""

    WEAK = "weak"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"
    SC = "sc"
    MMIO = "mmio"
    VOLATILE = "volatile"


class MemScopeKind(StrEnum):
    """NVVM Memory Scope kind."""

    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYS = "sys"


class NVVMMemorySpace(StrEnum):
    """NVVM Memory Space."""

    GENERIC = "generic"
    GLOBAL = "global"
    SHARED = "shared"
    CONSTANT = "constant"
    LOCAL = "local"
    TENSOR = "tensor"
    SHARED_CLUSTER = "shared_cluster"


class PermuteMode(StrEnum):
    """NVVM permute mode."""

    DEFAULT = "default"
    F4E = "f4e"
    B4E = "b4e"
    RC8 = "rc8"
    ECL = "ecl"
    ECR = "ecr"
    RC16 = "rc16"


class PrefetchCacheLevel(StrEnum):
    """NVVM Prefetch Cache Level."""

    L1 = "L1"
    L2 = "L2"


class ProxyKind(StrEnum):
    """Proxy kind."""

    ALIAS = "alias"
    ASYNC = "async"
    ASYNC_GLOBAL = "async.global"
    ASYNC_SHARED = "async.shared"
    TENSORMAP = "tensormap"
    GENERIC = "generic"


class ReduxKind(StrEnum):
    """NVVM redux kind."""

    ADD = "add"
    AND = "and"
    MAX = "max"
    MIN = "min"
    OR = "or"
    UMAX = "umax"
    UMIN = "umin"
    XOR = "xor"
    FMIN = "fmin"
    FMAX = "fmax"


class SaturationMode(StrEnum):
    """NVVM SaturationMode kind."""

    NONE = "none"
    SATFINITE = "satfinite"


class ScaleVecSize(StrEnum):
    """MMA Scale Vector Sizes."""

    X1 = "x1"
    X2 = "x2"
    X4 = "x4"


class SetMaxRegisterAction(StrEnum):
    """NVVM set max register action."""

    DECREASE = "decrease"
    INCREASE = "increase"


class SharedSpace(StrEnum):
    """Shared memory space."""

    SHARED_CTA = "cta"
    SHARED_CLUSTER = "cluster"


class ShflKind(StrEnum):
    """NVVM shuffle kind."""

    BFLY = "bfly"
    UP = "up"
    DOWN = "down"
    IDX = "idx"


class TMALoadMode(StrEnum):
    """NVVM TMA Load Mode."""

    TILE = "tile"
    IM2COL = "im2col"
    IM2COL_W = "im2col_w"
    IM2COL_W_128 = "im2col_w_128"
    TILE_GATHER4 = "tile_gather4"


class TMAReduxKind(StrEnum):
    """NVVM TMA redux kind."""

    ADD = "add"
    MAX = "max"
    MIN = "min"
    INC = "inc"
    DEC = "dec"
    AND = "and"
    OR = "or"
    XOR = "xor"


class TMAStoreMode(StrEnum):
    """NVVM TMA Store Mode."""

    TILE = "tile"
    IM2COL = "im2col"
    TILE_SCATTER4 = "tile_scatter4"


class Tcgen05CpMulticast(StrEnum):
    """tcgen05 cp multicast."""

    NONE = "none"
    WARPX2_02_13 = "warpx2_02_13"
    WARPX2_01_23 = "warpx2_01_23"
    WARPX4 = "warpx4"


class Tcgen05CpShape(StrEnum):
    """tcgen05 cp shapes."""

    SHAPE_128X256B = "shape_128x256b"
    SHAPE_4X256B = "shape_4x256b"
    SHAPE_128X128B = "shape_128x128b"
    SHAPE_64X128B = "shape_64x128b"
    SHAPE_32X128B = "shape_32x128b"


class Tcgen05CpSrcFormat(StrEnum):
    """tcgen05 cp source format."""

    B6X16_P32 = "b6x16_p32"
    B4X16_P64 = "b4x16_p64"


class Tcgen05FenceKind(StrEnum):
    """NVVM Tcgen05 fence kind."""

    BEFORE_THREAD_SYNC = "before"
    AFTER_THREAD_SYNC = "after"


class Tcgen05LdStShape(StrEnum):
    """allowed 32-bit signless integer cases: 0, 1, 2, 3, 4."""

    SHAPE_16X64B = "shape_16x64b"
    SHAPE_16X128B = "shape_16x128b"
    SHAPE_16X256B = "shape_16x256b"
    SHAPE_32X32B = "shape_32x32b"
    SHAPE_16X32BX2 = "shape_16x32bx2"


class Tcgen05MMABlockScale(StrEnum):
    """tcgen05.mma block scale attribute."""

    DEFAULT = "default"
    BLOCK16 = "block16"
    BLOCK32 = "block32"


class Tcgen05MMACollectorBBuffer(StrEnum):
    """tcgen05 MMA Collector Buffer B Attribute."""

    B0 = "b0"
    B1 = "b1"
    B2 = "b2"
    B3 = "b3"


class Tcgen05MMACollectorOp(StrEnum):
    """tcgen05.mma Collector Buffer Operation."""

    DISCARD = "discard"
    LASTUSE = "lastuse"
    FILL = "fill"
    USE = "use"


class Tcgen05MMAKind(StrEnum):
    """tcgen05 MMA Supported Types."""

    F8F6F4 = "f8f6f4"
    I8 = "i8"
    F16 = "f16"
    TF32 = "tf32"


class Tcgen05WaitKind(StrEnum):
    """NVVM Tcgen05 wait kind."""

    LOAD = "load"
    STORE = "store"


class VoteSyncKind(StrEnum):
    """NVVM vote sync kind."""

    ANY = "any"
    ALL = "all"
    BALLOT = "ballot"
    UNI = "uni"


class WGMMAScaleIn(StrEnum):
    """WGMMA overflow options."""

    ONE = "one"
    NEG = "neg"


class WGMMAScaleOut(StrEnum):
    """WGMMA input predicate."""

    ZERO = "zero"
    ONE = "one"


class WGMMATypes(StrEnum):
    """NVVM WGMMA types."""

    F16 = "f16"
    TF32 = "tf32"
    U8 = "u8"
    S8 = "s8"
    B1 = "b1"
    BF16 = "bf16"
    E4M3 = "e4m3"
    E5M2 = "e5m2"
    F32 = "f32"
    S32 = "s32"
