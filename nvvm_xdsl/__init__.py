"""An open NVVM compiler on xDSL: NVVM IR in, PTX out."""
