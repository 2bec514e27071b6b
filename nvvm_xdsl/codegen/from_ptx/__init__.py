"""From PTX to machine code: converts the ptx dialect to the nvptx dialect."""

from nvvm_xdsl.codegen.from_ptx.convert import ConvertPTXToNVPTX, convert

__all__ = ["ConvertPTXToNVPTX", "convert"]
