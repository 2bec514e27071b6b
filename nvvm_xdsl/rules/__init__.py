"""Rewrite rules as rows of tables: algebraic identities, one line each.

`language` defines the syntax of rows, and `operators` the ops in them. `matcher` compiles rows to
Python functions, and `simplify` applies the rows that create no op. The rows are in `integers`,
`floats` ...
"""
