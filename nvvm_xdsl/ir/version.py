"""The version of this package: reading it from the installed metadata takes as long as the rest of a start."""

VERSION = "0.1.0"
