"""The version of this package; reading the installed metadata would double the start-up time."""

VERSION = "0.1.0"
