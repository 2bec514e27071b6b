"""Readers of machine code: nvdisasm's listing and the ELF file that it lists."""
