"""Machine code: the programs, control flow and operands of the nvptx dialect."""
