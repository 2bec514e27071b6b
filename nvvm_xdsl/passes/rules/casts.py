"""Identities of casts, and of what puts values together and takes them apart."""

SIMPLIFICATIONS = """
cast-to-same        (OP x) => x                         for OP = bitcast spacecast
cast-and-back       (OP (OP x)) => x                    for OP = bitcast spacecast
trunc-of-ext        (trunc (OP x)) => x                 for OP = zext sext

gep-zero            (gep p) => @base_of_zero_offset
extract-of-insert   (extractvalue a) => @inserted_field
insert-of-extract   (insertvalue a (extractvalue b)) => @aggregate_put_back
element-of-insert   (extractelement v C) => @inserted_element
"""
