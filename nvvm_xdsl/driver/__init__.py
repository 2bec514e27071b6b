"""From source to PTX.

xDSL's dialects are imported with definitions that are made when needed: a compilation needs few.
"""

from nvvm_xdsl.ir.definitions import stock_dialects

stock_dialects()
