"""From PTX to machine code: the ptx dialect becomes the nvptx dialect."""

from nvvm_xdsl.codegen.from_ptx.convert import ConvertPTXToNVPTX, convert

__all__ = ["ConvertPTXToNVPTX", "convert"]
