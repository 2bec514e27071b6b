"""The dialects llvm, nvvm, nvptx and ptx, each a package.

xDSL's dialects are imported with definitions that are computed on first use, because most processes
need few.
"""

if __name__ == "nvvm_xdsl.dialects":
    from nvvm_xdsl.xdsl_patches.definitions import stock_dialects

    stock_dialects()
else:
    from nvvm_xdsl.ir.links import follow_link

    follow_link(__name__, "nvvm_xdsl.dialects")
