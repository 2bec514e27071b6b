"""Rewrite rules as rows of tables: algebraic identities, one line each.

`language` says how a row reads, `operators` which ops it may name, `matcher` makes Python of
rows, `simplify` asks the rows that need no new op. The rows are in `integers`, `floats` ...
"""
