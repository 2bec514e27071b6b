"""In-place changes of xDSL, and code that uses its private parts, except for `ir.fast`.

Nothing here knows a dialect: a dialect passes its tables and functions when it is imported. The
release of xDSL is pinned, since the patches depend on private parts. `docs/architecture.md` has the
reason for each patch and the upstream change that would make it unnecessary.
"""
