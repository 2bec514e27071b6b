"""Lets the tests of each dialect import `roundtrip`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
