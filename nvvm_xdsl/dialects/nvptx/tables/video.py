"""Video instructions on whole registers.

PTX ISA 9.1, section 9.7.18. Selectors of bytes of an operand are omitted: GPUs since sm_70 emulate
these instructions, and NVVM IR cannot express them.
"""

from nvvm_xdsl.dialects.nvptx.flags import PURE
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row, rows

group("vcmp", "eq ne lt le gt ge")
_TYPES = ".@int32 .@int32"

rows(
    ["vadd", "vsub", "vabsdiff", "vmin", "vmax"],
    PURE,
    f".@int32 {_TYPES} .sat? : b32 b32 -> b32",
    f".@int32 {_TYPES} .sat? .add|min|max : b32 b32 b32 -> b32",
    since="2.0 20",
)
rows(
    ["vshl", "vshr"],
    PURE,
    ".@int32 .@int32 .u32 .sat? .clamp|wrap : b32 b32 -> b32",
    ".@int32 .@int32 .u32 .sat? .clamp|wrap .add|min|max : b32 b32 b32 -> b32",
    since="2.0 20",
)
row(
    "vmad",
    PURE,
    ".@int32 .u32.u32|s32.s32 .sat? .shr7|shr15? : b32 b32 b32 -> b32",
    ".@int32 .u32.u32|s32.s32 .po .sat? .shr7|shr15? : b32 b32 b32 -> b32",
    since="2.0 20",
)
row(
    "vset",
    PURE,
    f"{_TYPES} .@vcmp : b32 b32 -> b32",
    f"{_TYPES} .@vcmp .add|min|max : b32 b32 b32 -> b32",
    since="2.0 20",
)
for _lanes in ("2", "4"):
    rows(
        [f"v{name}{_lanes}" for name in ("add", "sub", "avrg", "absdiff", "min", "max")],
        PURE,
        f".@int32 {_TYPES} .sat|add? : b32 b32 b32 -> b32",
        since="3.0 30",
    )
    row(
        f"vset{_lanes}",
        PURE,
        f"{_TYPES} .@vcmp .add? : b32 b32 b32 -> b32",
        since="3.0 30",
    )
