"""Support routines for operations without a PTX instruction, and their linking into modules."""
