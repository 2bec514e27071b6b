"""What the IR is: the dialects llvm, nvvm, nvptx and ptx, each a package."""

if __name__ != "nvvm_xdsl.dialects":
    from nvvm_xdsl.ir.links import follow_link

    follow_link(__name__, "nvvm_xdsl.dialects")
