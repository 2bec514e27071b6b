"""From source to PTX."""

import nvvm_xdsl.dialects as _dialects  # before anything imports xDSL's  # noqa: F401  # pyright: ignore[reportUnusedImport]
