"""`lit test/` runs the FileCheck tests; `make test` runs them together with the Python ones."""

import os
import sys

root = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(root, "test"))

from helpers import lit_format  # noqa: E402

config.name = "nvvm-xdsl"  # noqa: F821
config.test_format = lit_format.InProcessFormat()  # noqa: F821
config.suffixes = list(lit_format.SUFFIXES)  # noqa: F821
config.excludes = [".venv", ".git", "bench", "build", "docs", "examples"]  # noqa: F821
config.test_source_root = root  # noqa: F821
