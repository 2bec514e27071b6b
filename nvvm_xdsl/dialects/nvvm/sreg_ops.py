"""Special registers of the nvvm dialect, written by `nvvm_xdsl.dialects.generate` from MLIR's
definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import LLVM_TYPE
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr


@irdl_op_definition
class AggrSmemSizeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.aggr.smem.size`."""

    name = "nvvm.read.ptx.sreg.aggr.smem.size"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClockOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.clock`."""

    name = "nvvm.read.ptx.sreg.clock"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class Clock64Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.clock64`."""

    name = "nvvm.read.ptx.sreg.clock64"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class BlockInClusterIdXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.ctaid.x`."""

    name = "nvvm.read.ptx.sreg.cluster.ctaid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockInClusterIdYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.ctaid.y`."""

    name = "nvvm.read.ptx.sreg.cluster.ctaid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockInClusterIdZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.ctaid.z`."""

    name = "nvvm.read.ptx.sreg.cluster.ctaid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterIdOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.ctarank`."""

    name = "nvvm.read.ptx.sreg.cluster.ctarank"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimBlocksXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.nctaid.x`."""

    name = "nvvm.read.ptx.sreg.cluster.nctaid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimBlocksYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.nctaid.y`."""

    name = "nvvm.read.ptx.sreg.cluster.nctaid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimBlocksZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.nctaid.z`."""

    name = "nvvm.read.ptx.sreg.cluster.nctaid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.cluster.nctarank`."""

    name = "nvvm.read.ptx.sreg.cluster.nctarank"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterIdXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.clusterid.x`."""

    name = "nvvm.read.ptx.sreg.clusterid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterIdYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.clusterid.y`."""

    name = "nvvm.read.ptx.sreg.clusterid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterIdZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.clusterid.z`."""

    name = "nvvm.read.ptx.sreg.clusterid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockIdXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ctaid.x`."""

    name = "nvvm.read.ptx.sreg.ctaid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockIdYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ctaid.y`."""

    name = "nvvm.read.ptx.sreg.ctaid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockIdZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ctaid.z`."""

    name = "nvvm.read.ptx.sreg.ctaid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class DynamicSmemSizeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.dynamic.smem.size`."""

    name = "nvvm.read.ptx.sreg.dynamic.smem.size"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg0Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg0`."""

    name = "nvvm.read.ptx.sreg.envreg0"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg1Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg1`."""

    name = "nvvm.read.ptx.sreg.envreg1"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg10Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg10`."""

    name = "nvvm.read.ptx.sreg.envreg10"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg11Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg11`."""

    name = "nvvm.read.ptx.sreg.envreg11"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg12Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg12`."""

    name = "nvvm.read.ptx.sreg.envreg12"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg13Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg13`."""

    name = "nvvm.read.ptx.sreg.envreg13"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg14Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg14`."""

    name = "nvvm.read.ptx.sreg.envreg14"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg15Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg15`."""

    name = "nvvm.read.ptx.sreg.envreg15"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg16Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg16`."""

    name = "nvvm.read.ptx.sreg.envreg16"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg17Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg17`."""

    name = "nvvm.read.ptx.sreg.envreg17"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg18Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg18`."""

    name = "nvvm.read.ptx.sreg.envreg18"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg19Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg19`."""

    name = "nvvm.read.ptx.sreg.envreg19"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg2Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg2`."""

    name = "nvvm.read.ptx.sreg.envreg2"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg20Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg20`."""

    name = "nvvm.read.ptx.sreg.envreg20"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg21Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg21`."""

    name = "nvvm.read.ptx.sreg.envreg21"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg22Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg22`."""

    name = "nvvm.read.ptx.sreg.envreg22"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg23Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg23`."""

    name = "nvvm.read.ptx.sreg.envreg23"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg24Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg24`."""

    name = "nvvm.read.ptx.sreg.envreg24"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg25Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg25`."""

    name = "nvvm.read.ptx.sreg.envreg25"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg26Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg26`."""

    name = "nvvm.read.ptx.sreg.envreg26"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg27Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg27`."""

    name = "nvvm.read.ptx.sreg.envreg27"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg28Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg28`."""

    name = "nvvm.read.ptx.sreg.envreg28"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg29Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg29`."""

    name = "nvvm.read.ptx.sreg.envreg29"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg3Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg3`."""

    name = "nvvm.read.ptx.sreg.envreg3"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg30Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg30`."""

    name = "nvvm.read.ptx.sreg.envreg30"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg31Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg31`."""

    name = "nvvm.read.ptx.sreg.envreg31"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg4Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg4`."""

    name = "nvvm.read.ptx.sreg.envreg4"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg5Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg5`."""

    name = "nvvm.read.ptx.sreg.envreg5"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg6Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg6`."""

    name = "nvvm.read.ptx.sreg.envreg6"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg7Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg7`."""

    name = "nvvm.read.ptx.sreg.envreg7"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg8Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg8`."""

    name = "nvvm.read.ptx.sreg.envreg8"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class EnvReg9Op(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.envreg9`."""

    name = "nvvm.read.ptx.sreg.envreg9"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class GlobalTimerOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.globaltimer`."""

    name = "nvvm.read.ptx.sreg.globaltimer"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class GlobalTimerLoOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.globaltimer.lo`."""

    name = "nvvm.read.ptx.sreg.globaltimer.lo"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class GridIdOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.gridid`."""

    name = "nvvm.read.ptx.sreg.gridid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneIdOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.laneid`."""

    name = "nvvm.read.ptx.sreg.laneid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneMaskEqOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.lanemask.eq`."""

    name = "nvvm.read.ptx.sreg.lanemask.eq"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneMaskGeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.lanemask.ge`."""

    name = "nvvm.read.ptx.sreg.lanemask.ge"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneMaskGtOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.lanemask.gt`."""

    name = "nvvm.read.ptx.sreg.lanemask.gt"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneMaskLeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.lanemask.le`."""

    name = "nvvm.read.ptx.sreg.lanemask.le"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class LaneMaskLtOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.lanemask.lt`."""

    name = "nvvm.read.ptx.sreg.lanemask.lt"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nclusterid.x`."""

    name = "nvvm.read.ptx.sreg.nclusterid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nclusterid.y`."""

    name = "nvvm.read.ptx.sreg.nclusterid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ClusterDimZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nclusterid.z`."""

    name = "nvvm.read.ptx.sreg.nclusterid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class GridDimXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nctaid.x`."""

    name = "nvvm.read.ptx.sreg.nctaid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class GridDimYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nctaid.y`."""

    name = "nvvm.read.ptx.sreg.nctaid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class GridDimZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nctaid.z`."""

    name = "nvvm.read.ptx.sreg.nctaid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class SmDimOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nsmid`."""

    name = "nvvm.read.ptx.sreg.nsmid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockDimXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ntid.x`."""

    name = "nvvm.read.ptx.sreg.ntid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockDimYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ntid.y`."""

    name = "nvvm.read.ptx.sreg.ntid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockDimZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.ntid.z`."""

    name = "nvvm.read.ptx.sreg.ntid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class WarpDimOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.nwarpid`."""

    name = "nvvm.read.ptx.sreg.nwarpid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class SmIdOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.smid`."""

    name = "nvvm.read.ptx.sreg.smid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ThreadIdXOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.tid.x`."""

    name = "nvvm.read.ptx.sreg.tid.x"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ThreadIdYOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.tid.y`."""

    name = "nvvm.read.ptx.sreg.tid.y"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ThreadIdZOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.tid.z`."""

    name = "nvvm.read.ptx.sreg.tid.z"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class TotalSmemSizeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.total.smem.size`."""

    name = "nvvm.read.ptx.sreg.total.smem.size"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class WarpIdOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.warpid`."""

    name = "nvvm.read.ptx.sreg.warpid"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class WarpSizeOp(AssemblyOp):
    """MLIR's `nvvm.read.ptx.sreg.warpsize`."""

    name = "nvvm.read.ptx.sreg.warpsize"
    range = opt_prop_def(ConstantRangeAttr)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "(`range` $range^)? attr-dict `:` type($res)"
    traits = traits_def(Pure())


OPS: tuple[type[Operation], ...] = (
    AggrSmemSizeOp,
    ClockOp,
    Clock64Op,
    BlockInClusterIdXOp,
    BlockInClusterIdYOp,
    BlockInClusterIdZOp,
    ClusterIdOp,
    ClusterDimBlocksXOp,
    ClusterDimBlocksYOp,
    ClusterDimBlocksZOp,
    ClusterDimOp,
    ClusterIdXOp,
    ClusterIdYOp,
    ClusterIdZOp,
    BlockIdXOp,
    BlockIdYOp,
    BlockIdZOp,
    DynamicSmemSizeOp,
    EnvReg0Op,
    EnvReg1Op,
    EnvReg10Op,
    EnvReg11Op,
    EnvReg12Op,
    EnvReg13Op,
    EnvReg14Op,
    EnvReg15Op,
    EnvReg16Op,
    EnvReg17Op,
    EnvReg18Op,
    EnvReg19Op,
    EnvReg2Op,
    EnvReg20Op,
    EnvReg21Op,
    EnvReg22Op,
    EnvReg23Op,
    EnvReg24Op,
    EnvReg25Op,
    EnvReg26Op,
    EnvReg27Op,
    EnvReg28Op,
    EnvReg29Op,
    EnvReg3Op,
    EnvReg30Op,
    EnvReg31Op,
    EnvReg4Op,
    EnvReg5Op,
    EnvReg6Op,
    EnvReg7Op,
    EnvReg8Op,
    EnvReg9Op,
    GlobalTimerOp,
    GlobalTimerLoOp,
    GridIdOp,
    LaneIdOp,
    LaneMaskEqOp,
    LaneMaskGeOp,
    LaneMaskGtOp,
    LaneMaskLeOp,
    LaneMaskLtOp,
    ClusterDimXOp,
    ClusterDimYOp,
    ClusterDimZOp,
    GridDimXOp,
    GridDimYOp,
    GridDimZOp,
    SmDimOp,
    BlockDimXOp,
    BlockDimYOp,
    BlockDimZOp,
    WarpDimOp,
    SmIdOp,
    ThreadIdXOp,
    ThreadIdYOp,
    ThreadIdZOp,
    TotalSmemSizeOp,
    WarpIdOp,
    WarpSizeOp,
)
